/* SPDX-License-Identifier: MIT
 *
 * An ANB with other bones: keys and records that do not fit where the old ones are get another
 * position. */
#ifndef OSSA_SOTC_LAYOUT_H
#define OSSA_SOTC_LAYOUT_H

#include "codec/context.h"
#include "ossa/games/shadow_of_the_colossus.h"

struct ossa__anb_change {
    const ossa_sotc_anb *anb; /* as it was */
    /* As they are to be; their offsets follow. A bone that is not changed still has the arrays of
     * the file. With another number of poses, all bones that have keys have other ones. */
    ossa_sotc_bone *bones;
    uint32_t pose_count; /* up to 65535 */
    /* As in struct ossa__xff_change. */
    const char *old_name;
    const char *name;
};

/* Make the changed file. Bytes that belong to no changed bone stay as they are. Writing `result`
 * writes it; it has no gaps. False after a failure. */
bool ossa__anb_lay_out(struct ossa__context *context, const struct ossa__anb_change *change,
                       ossa_sotc_anb *result);

#endif
