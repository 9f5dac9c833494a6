/* SPDX-License-Identifier: MIT
 *
 * The two halves of ei-mmp: reading (ei_mmp.c) and writing (ei_mmp_json.c). */
#ifndef OSSA_EI_MMP_H
#define OSSA_EI_MMP_H

#include "codec/format.h"
#include "ossa/games/evil_islands.h"

#define OSSA__MMP_MAGIC "MMP" /* and the NUL behind it */

enum { OSSA__MMP_HEADER_SIZE = 76 };

/* The channels in the order of the file. */
extern const char *const ossa__mmp_channel_names[4];
ossa_ei_channel *ossa__mmp_channel(ossa_ei_mmp *mmp, unsigned i);

void ossa__mmp_write(struct ossa__context *context, const void *contents,
                     struct ossa__writer *writer);
void ossa__mmp_dump(const void *contents, struct ossa__json *json);
void *ossa__mmp_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size);

#endif
