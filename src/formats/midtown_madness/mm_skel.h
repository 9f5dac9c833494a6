/* SPDX-License-Identifier: MIT
 *
 * The parts of mm-skel: the format (mm_skel.c), its text (mm_skel_parse.c) and writing
 * (mm_skel_write.c). */
#ifndef OSSA_MM_SKEL_H
#define OSSA_MM_SKEL_H

#include "codec/format.h"
#include "formats/midtown_madness/mm_text.h"
#include "ossa/games/midtown_madness.h"

/* For messages. */
struct ossa__mm_shown ossa__skel_show_name(const ossa_mm_bone *bone);

/* Put the bones into a skeleton that has only its text. Gives them once more, to be written to, and
 * where their number stands, neither of which is good after a failure. */
ossa_mm_bone *ossa__skel_parse(struct ossa__context *context, ossa_mm_skel *skel,
                               uint64_t *number_at);

void ossa__skel_write(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer);
void ossa__skel_dump(const void *contents, struct ossa__json *json);
void *ossa__skel_build(struct ossa__context *context, const struct ossa__value *data,
                       uint64_t size);

/* The member "bones", which both dump and info show. */
void ossa__skel_dump_bones(struct ossa__json *json, const ossa_mm_skel *skel);

#endif
