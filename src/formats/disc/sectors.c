/* SPDX-License-Identifier: MIT */
#include "formats/disc/sectors.h"

#include <string.h>

enum {
    SUBMODE_BEFORE_DATA = 6, /* how far before the data of Mode 2 the submode is */
    SUBMODE_FORM_2 = 0x20,
};

/* Layouts in the order in which they are tried. */
static const struct layout {
    uint32_t stride;
    uint32_t data;
    const char *title;
} layouts[] = {
    {OSSA__SECTOR, 0, "sectors of 2048 bytes"},
    {OSSA__RAW_SECTOR, 24, "CD sectors of 2352 bytes (Mode 2)"},
    {OSSA__RAW_SECTOR, 16, "CD sectors of 2352 bytes (Mode 1)"},
    {OSSA__LARGEST_SECTOR, 24, "CD sectors of 2448 bytes (Mode 2, with subchannels)"},
    {OSSA__LARGEST_SECTOR, 16, "CD sectors of 2448 bytes (Mode 1, with subchannels)"},
    {2336, 8, "CD sectors of 2336 bytes (Mode 2)"},
};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

bool ossa__has_sync(const uint8_t *sector)
{
    static const uint8_t sync[OSSA__SYNC] = {0,    0xff, 0xff, 0xff, 0xff, 0xff,
                                             0xff, 0xff, 0xff, 0xff, 0xff, 0};
    return memcmp(sector, sync, sizeof sync) == 0;
}

static enum ossa__disc_find look_for(const ossa_source *source, const struct layout *layout)
{
    static const char id[] = {'C', 'D', '0', '0', '1'};
    char bytes[sizeof id];
    uint64_t at = OSSA__FIRST_DESCRIPTOR * (uint64_t)layout->stride + layout->data + 1;
    if (source->size < at + sizeof bytes) return OSSA__DISC_NONE;
    if (!ossa__source_get(source, at, bytes, sizeof bytes)) return OSSA__DISC_UNREAD;
    return memcmp(bytes, id, sizeof bytes) == 0 ? OSSA__DISC_FOUND : OSSA__DISC_NONE;
}

/* What begins with a raw sector is of a CD, whatever else is in it. */
static enum ossa__disc_find look_at_start(const ossa_source *source)
{
    uint8_t start[OSSA__SYNC];
    if (source->size < sizeof start) return OSSA__DISC_NONE;
    if (!ossa__source_get(source, 0, start, sizeof start)) return OSSA__DISC_UNREAD;
    return ossa__has_sync(start) ? OSSA__DISC_RAW : OSSA__DISC_NONE;
}

enum ossa__disc_find ossa__sectors_find(struct ossa__sectors *sectors, const ossa_source *source)
{
    enum ossa__disc_find found = OSSA__DISC_NONE;
    const struct layout *layout = NULL;
    for (size_t i = 0; i < LAYOUTS && found == OSSA__DISC_NONE; i++) {
        layout = &layouts[i];
        found = look_for(source, layout);
    }
    if (found == OSSA__DISC_NONE) return look_at_start(source);
    if (found == OSSA__DISC_UNREAD) return found;
    uint64_t rest = source->size % layout->stride;
    rest = rest > layout->data ? rest - layout->data : 0;
    *sectors = (struct ossa__sectors){.source = *source,
                                      .stride = layout->stride,
                                      .data = layout->data,
                                      .count = source->size / layout->stride};
    sectors->size = sectors->count * OSSA__SECTOR + (rest < OSSA__SECTOR ? rest : OSSA__SECTOR);
    return found;
}

const char *ossa__sectors_title(const struct ossa__sectors *sectors)
{
    size_t i = 0;
    while (layouts[i].stride != sectors->stride || layouts[i].data != sectors->data) i++;
    return layouts[i].title;
}

uint64_t ossa__sectors_offset(const struct ossa__sectors *sectors, uint64_t position)
{
    return position / OSSA__SECTOR * sectors->stride + sectors->data + position % OSSA__SECTOR;
}

static bool is_form_2(const struct ossa__sectors *sectors, const uint8_t *sector)
{
    bool has_forms = sectors->data == 24 || sectors->data == 8;
    return has_forms && (sector[sectors->data - SUBMODE_BEFORE_DATA] & SUBMODE_FORM_2) != 0;
}

/* Read a part of a sector. */
static bool read_part(const struct ossa__sectors *sectors, uint64_t position, uint8_t *out,
                      size_t size)
{
    uint8_t sector[OSSA__LARGEST_SECTOR];
    size_t begin = sectors->data + (size_t)(position % OSSA__SECTOR);
    uint64_t offset = position / OSSA__SECTOR * sectors->stride;
    if (!ossa__source_get(&sectors->source, offset, sector, begin + size)) return false;
    if (is_form_2(sectors, sector)) return false;
    memcpy(out, sector + begin, size);
    return true;
}

/* Read whole sectors to where their data goes, which has room for all of their bytes, and move the
 * data together: no other memory is needed. */
static bool read_many(const struct ossa__sectors *sectors, uint64_t position, uint8_t *out,
                      uint64_t count)
{
    const uint64_t stride = sectors->stride;
    uint64_t offset = position / OSSA__SECTOR * stride;
    if (!ossa__source_get(&sectors->source, offset, out, count * stride)) return false;
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *sector = out + i * stride;
        if (is_form_2(sectors, sector)) return false;
        memmove(out + i * OSSA__SECTOR, sector + sectors->data, OSSA__SECTOR);
    }
    return true;
}

bool ossa__sectors_read(const struct ossa__sectors *sectors, uint64_t position, void *bytes,
                        uint64_t size)
{
    uint8_t *out = bytes;
    if (position > sectors->size || size > sectors->size - position) return false;
    if (sectors->stride == OSSA__SECTOR) {
        return ossa__source_get(&sectors->source, position, bytes, size);
    }
    while (size > 0) {
        uint64_t index = position / OSSA__SECTOR;
        uint64_t begin = position % OSSA__SECTOR;
        uint64_t many = begin == 0 ? size / sectors->stride : 0;
        uint64_t done = OSSA__SECTOR - begin < size ? OSSA__SECTOR - begin : size;
        if (many > sectors->count - index) many = sectors->count - index;
        if (many > 0) done = many * OSSA__SECTOR;
        bool ok = many > 0 ? read_many(sectors, position, out, many)
                           : read_part(sectors, position, out, (size_t)done);
        if (!ok) return false;
        out += done;
        position += done;
        size -= done;
    }
    return true;
}
