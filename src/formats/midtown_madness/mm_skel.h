/* SPDX-License-Identifier: MIT
 *
 * The two halves of mm-skel: reading (mm_skel.c) and writing (mm_skel_write.c). */
#ifndef OSSA_MM_SKEL_H
#define OSSA_MM_SKEL_H

#include "core/format.h"
#include "ossa/midtown_madness.h"

void ossa__skel_write(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer);
void ossa__skel_dump(const void *contents, ossa_json *json);
void *ossa__skel_build(struct ossa__context *context, const struct ossa__value *data,
                       uint64_t size);

/* The member "bones", which both dump and info show. */
void ossa__skel_dump_bones(ossa_json *json, const ossa_mm_skel *skel);

#endif
