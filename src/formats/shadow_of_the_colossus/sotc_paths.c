/* SPDX-License-Identifier: MIT
 *
 * The record right before a file in NICO.DAT, which has its path. There are two kinds:
 *
 *     in a sheet segment:  u32 path_size; u32 size; char path[path_size]; the file
 *     in a cell:           u32 path_size; char path[path_size]; u32 size; the file
 *
 * path_size counts the NUL. Both numbers must fit: 64 bits that are not there by chance. Where the
 * path begins is not known, so every length is tried, going back as long as there are characters of
 * a path. */
#include "formats/shadow_of_the_colossus/sotc_nico.h"

#include "base/bytes.h"

#include <string.h>

enum {
    WORD = 4,
    NEAR = 128, /* what most records take, so that little is read where they must be */
};

/* Bytes of any code page, but nothing that is not a character in all of them. */
static bool is_path_byte(uint8_t byte)
{
    return byte >= 0x20 && byte != 0x7f;
}

bool ossa__nico_is_path(const uint8_t *bytes, size_t size)
{
    if (size < 2 || size > OSSA__NICO_MOST_PATH || bytes[size - 1] != 0) return false;
    for (size_t i = 0; i + 1 < size; i++) {
        if (!is_path_byte(bytes[i])) return false;
    }
    return true;
}

/* Look for a path whose NUL is the last of `size` bytes. The numbers before it must be there: its
 * size, and of a sheet's that of the file. Returns the size of the path; 0: none fits. */
static size_t find_path(const uint8_t *bytes, size_t size, const uint32_t *file_size)
{
    size_t numbers = file_size != NULL ? 2 * WORD : WORD;
    if (size == 0 || bytes[size - 1] != 0) return 0;
    for (size_t length = 2; length + numbers <= size && length <= OSSA__NICO_MOST_PATH; length++) {
        const uint8_t *path = bytes + size - length;
        if (!is_path_byte(path[0])) return 0;
        if (ossa__load_u32(path - numbers) != length) continue;
        if (file_size == NULL || ossa__load_u32(path - WORD) == *file_size) return length;
    }
    return 0;
}

/* With `room` bytes before the container. */
static bool find_record(struct ossa__sotc_view *view, uint64_t at, uint32_t stated_size,
                        size_t room, struct ossa__nico_path *path)
{
    uint8_t bytes[OSSA__NICO_MOST_PATH + 2 * WORD];
    if (room > sizeof bytes) room = sizeof bytes;
    if (room > at) room = (size_t)at;
    if (room <= WORD || !ossa__sotc_get(view, at - room, bytes, room)) return false;
    size_t end = room; /* of the path */
    size_t size = find_path(bytes, end, &stated_size);
    path->is_cell = size == 0;
    if (size == 0) {
        end = room - WORD;
        if (ossa__load_u32(bytes + end) == stated_size) size = find_path(bytes, end, NULL);
    }
    if (size == 0) return false;
    path->size = (uint32_t)size;
    path->record = at - size - 2 * WORD;
    memcpy(path->text, bytes + end - size, size);
    return true;
}

bool ossa__nico_path_before(struct ossa__sotc_view *view, uint64_t at, uint32_t stated_size,
                            struct ossa__nico_path *path)
{
    return find_record(view, at, stated_size, NEAR, path) ||
           find_record(view, at, stated_size, SIZE_MAX, path);
}
