/* SPDX-License-Identifier: MIT
 *
 * sotc-anb of the second kind: the animation of objects. */
#ifndef OSSA_SOTC_OBJECTS_H
#define OSSA_SOTC_OBJECTS_H

#include "formats/shadow_of_the_colossus/sotc_xff.h"

#include "codec/reader.h"
#include "ossa/keys.h"

/* Do the tables have the shape of such an animation? `section` is that of the data, and `entry` is
 * in it. For probes: reports nothing. */
bool ossa__has_objects(const uint8_t *section, uint64_t size, uint64_t entry);

/* Read the header and the objects, and mark what they cover. */
void ossa__objects_read(const struct ossa__reader *section, ossa_sotc_anb *anb,
                        struct ossa__coverage *coverage);

/* The members "objects" and "header" of dump's JSON, and back. */
void ossa__objects_dump(const ossa_sotc_anb *anb, struct ossa__json *json);
void ossa__objects_build(struct ossa__image *image, const struct ossa__value *data,
                         uint64_t section, uint64_t entry);

/* How frame 0 of a curve is stored, whose floats are known: its own value, or with a sample what
 * the sample is computed with. */
const ossa_key_layout *ossa__objects_floats_layout(unsigned which, const ossa_sotc_curve *curve);
/* The sample. */
const ossa_key_layout *ossa__objects_sample_layout(unsigned which, const ossa_sotc_curve *curve);

void ossa__objects_describe(const ossa_sotc_anb *anb, struct ossa__report *report);

#endif
