/* SPDX-License-Identifier: MIT
 *
 * What the reader of a PAK archive and its JSON have in common. */
#ifndef OSSA_VIB_PAK_H
#define OSSA_VIB_PAK_H

#include "archive/entries.h"
#include "codec/image.h"
#include "formats/modules.h"
#include "ossa/games/vib_ribbon.h"

enum {
    OSSA__PAK_HEADER_SIZE = 4,
    OSSA__PAK_OFFSET_SIZE = 4, /* in the table */
    OSSA__PAK_LENGTH_SIZE = 4,
    OSSA__PAK_ALIGNMENT = 4,
    OSSA__PAK_LEAST = 12, /* an offset, a name of nothing but its NUL and padding, a length */
};

/* Where the offset of an entry stands, and where the first entry begins. */
uint64_t ossa__pak_offset_at(uint64_t index);

/* Bytes from the start of an entry to its length: the name, its NUL and the padding. */
uint64_t ossa__pak_name_room(uint64_t name_size);

void ossa__pak_pack(struct ossa__context *context, const ossa_packing *entries, size_t count,
                    struct ossa__writer *writer);
void ossa__pak_dump(const void *contents, struct ossa__json *json);
void *ossa__pak_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size);

#endif
