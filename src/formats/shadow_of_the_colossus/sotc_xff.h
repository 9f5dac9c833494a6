/* SPDX-License-Identifier: MIT
 *
 * The XFF container, for the formats that live in one. */
#ifndef OSSA_SOTC_XFF_H
#define OSSA_SOTC_XFF_H

#include "core/coverage.h"
#include "core/image.h"
#include "formats/modules.h"
#include "ossa/shadow_of_the_colossus.h"

/* What the first word of the data says a container holds. */
enum ossa__xff_kind {
    OSSA__XFF_NOTHING, /* no container, or one whose data cannot be reached */
    OSSA__XFF_OTHER,
    OSSA__XFF_ANB,
    OSSA__XFF_SKB,
    OSSA__XFF_NMO,
    OSSA__XFF_NTO,
};

/* For probes: looks, reports nothing. */
bool ossa__xff_is_container(const uint8_t *data, uint64_t size);
enum ossa__xff_kind ossa__xff_kind(const uint8_t *data, uint64_t size);

/* Read the container's own tables. What they cover is marked. */
void ossa__xff_read(struct ossa__reader *file, ossa_sotc_xff *xff, struct ossa__coverage *coverage);
/* A reader of section 1, where all data is; the window is empty after a failure. */
struct ossa__reader ossa__xff_data(const struct ossa__reader *file, const ossa_sotc_xff *xff);
/* A part of the data, marked as covered; `field` and `at` are where its offset was read. */
struct ossa__reader ossa__xff_part(const struct ossa__reader *data, uint64_t offset, uint64_t size,
                                   const char *field, uint64_t at, struct ossa__coverage *coverage);
/* Note what nothing covers; call it last. */
void ossa__xff_note_gaps(struct ossa__context *context, ossa_sotc_xff *xff,
                         const struct ossa__coverage *coverage);

/* The members "container" and "gaps" of dump's JSON, and back into an image. */
void ossa__xff_dump(const ossa_sotc_xff *xff, ossa_json *json);
void ossa__xff_build(struct ossa__image *image, const struct ossa__value *data, ossa_sotc_xff *xff);

void ossa__xff_describe(const ossa_sotc_xff *xff, struct ossa__report *report);

#endif
