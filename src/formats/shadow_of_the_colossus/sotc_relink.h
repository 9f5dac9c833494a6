/* SPDX-License-Identifier: MIT
 *
 * A container whose section 1 grows: everything that refers to what lies behind it follows. */
#ifndef OSSA_SOTC_RELINK_H
#define OSSA_SOTC_RELINK_H

#include "formats/shadow_of_the_colossus/sotc_xff.h"

#define OSSA__XFF_NOWHERE UINT32_MAX

/* A pointer in section 1 that moves or gets another value. Offsets are relative to the section. */
struct ossa__xff_pointer {
    uint32_t old_at; /* OSSA__XFF_NOWHERE: it is new */
    uint32_t at;
    uint32_t added; /* to its value; of a new one, the value */
    uint32_t like;  /* of a new one: it is relocated if this pointer is, and in the same way */
    bool is_relocated;
    uint32_t relocation; /* type and symbol */
};

struct ossa__xff_change {
    const ossa_sotc_xff *xff;
    uint32_t growth; /* bytes added to section 1, at its end: they are 0 */
    struct ossa__xff_pointer *pointers;
    uint32_t pointer_count;
    /* The container is to call itself `name` where it calls itself `old_name`, with or without an
     * extension. NULL: it keeps its name. */
    const char *old_name;
    const char *name;
};

/* Copy the container and change its header, its tables, its relocations and its name. The data of
 * section 1 stays as it is, for the caller to change: this is the image, in the arena. NULL after a
 * failure. */
uint8_t *ossa__xff_relink(struct ossa__context *context, const struct ossa__xff_change *change,
                          ossa_sotc_xff *result);

#endif
