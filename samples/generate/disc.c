/* SPDX-License-Identifier: MIT
 *
 * A disc image: ISO 9660 with all files in the root folder, as the game's DVD has them. Sectors of
 * 2048 bytes: 16 that are empty, two descriptors, two path tables, the root, the files. */
#include "archives.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    SECTOR = 2048,
    DESCRIPTORS = 16,
    PATHS = DESCRIPTORS + 2, /* little-endian, then big-endian */
    ROOT = PATHS + 2,
    FILES = ROOT + 1,
    FOLDER = 2, /* flag of a record */
    PATH_TABLE_SIZE = 10,
};

static void put_big(struct bytes *file, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8) put_u8(file, value >> shift & 0xff);
}

/* Both byte orders, one after the other. */
static void put_both(struct bytes *file, uint32_t value)
{
    put_u32(file, value);
    put_big(file, value);
}

static void put_both_short(struct bytes *file, uint32_t value)
{
    put_u16(file, value);
    put_u8(file, value >> 8);
    put_u8(file, value & 0xff);
}

static void put_spaced(struct bytes *file, const char *text, size_t size)
{
    put_text(file, text);
    for (size_t i = strlen(text); i < size; i++) put_u8(file, ' ');
}

static void put_record(struct bytes *file, const char *name, size_t name_size, uint32_t sector,
                       size_t size, unsigned flags)
{
    static const unsigned char time[7] = {105, 10, 18, 12, 0, 0, 0}; /* 2005-10-18 12:00 */
    size_t length = 33 + name_size + (name_size % 2 == 0);
    put_u8(file, (uint32_t)length);
    put_u8(file, 0);
    put_both(file, sector);
    put_both(file, (uint32_t)size);
    for (size_t i = 0; i < sizeof time; i++) put_u8(file, time[i]);
    put_u8(file, flags);
    put_u16(file, 0); /* not interleaved */
    put_both_short(file, 1);
    put_u8(file, (uint32_t)name_size);
    for (size_t i = 0; i < name_size; i++) put_u8(file, (unsigned char)name[i]);
    if (name_size % 2 == 0) put_u8(file, 0);
}

static void put_descriptor(struct bytes *file, uint32_t sectors)
{
    put_u8(file, 1);
    put_text(file, "CD001");
    put_u16(file, 1);
    put_spaced(file, "PLAYSTATION", 32);
    put_spaced(file, "OSSA_SAMPLE", 32);
    put_zeros(file, 8);
    put_both(file, sectors);
    put_zeros(file, 32);
    put_both_short(file, 1); /* volumes */
    put_both_short(file, 1);
    put_both_short(file, SECTOR);
    put_both(file, PATH_TABLE_SIZE);
    put_u32(file, PATHS);
    put_u32(file, 0);
    put_big(file, PATHS + 1);
    put_u32(file, 0);
    put_record(file, "\0", 1, ROOT, SECTOR, FOLDER);
    put_spaced(file, "", 4 * 128 + 3 * 37);
    for (int i = 0; i < 4; i++) { /* no dates */
        put_spaced(file, "0000000000000000", 16);
        put_u8(file, 0);
    }
    put_u8(file, 1);
    put_padding(file, SECTOR);
    put_u8(file, 255);
    put_text(file, "CD001");
    put_u8(file, 1);
    put_padding(file, SECTOR);
}

static void put_path_table(struct bytes *file, bool is_big)
{
    put_u8(file, 1);
    put_u8(file, 0);
    if (is_big) put_big(file, ROOT);
    else put_u32(file, ROOT);
    put_u8(file, !is_big);
    put_u8(file, is_big);
    put_u16(file, 0); /* the name of the root, and padding */
    put_padding(file, SECTOR);
}

static uint32_t sectors_of(const struct member *member)
{
    return (uint32_t)((member->bytes.size + SECTOR - 1) / SECTOR);
}

struct bytes pack_disc(struct archive *archive)
{
    struct bytes file = {0};
    uint32_t end = FILES;
    for (unsigned i = 0; i < archive->count; i++) end += sectors_of(&archive->members[i]);
    put_zeros(&file, (size_t)DESCRIPTORS * SECTOR);
    put_descriptor(&file, end);
    put_path_table(&file, false);
    put_path_table(&file, true);
    put_record(&file, "\0", 1, ROOT, SECTOR, FOLDER);
    put_record(&file, "\1", 1, ROOT, SECTOR, FOLDER);
    uint32_t sector = FILES;
    for (unsigned i = 0; i < archive->count; i++) {
        const struct member *member = &archive->members[i];
        put_record(&file, member->name, strlen(member->name), sector, member->bytes.size, 0);
        sector += sectors_of(member);
    }
    put_padding(&file, SECTOR);
    for (unsigned i = 0; i < archive->count; i++) {
        put_bytes(&file, &archive->members[i].bytes);
        put_padding(&file, SECTOR);
        free(archive->members[i].bytes.data);
    }
    archive->count = 0;
    return file;
}
