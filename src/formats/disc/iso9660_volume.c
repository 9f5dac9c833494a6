/* SPDX-License-Identifier: MIT
 *
 * The volume descriptors of iso9660: one per sector, from sector 16.
 *
 *     0     u8   type: 1 primary, 2 supplementary, 255 the last one
 *     1          "CD001", u8 version
 *     8          char system_id[32], volume_id[32]
 *     80    u32  sectors of the volume, little-endian and big-endian
 *     88         escape[32]: "%/@", "%/C" or "%/E" says that names are UCS-2 (Joliet)
 *     128   u16  bytes per logical block, both orders: 2048
 *     156        directory record of the root, 34 bytes
 *     1024       "CD-XA001" */
#include "formats/disc/iso9660.h"

#include <string.h>

enum {
    MOST_DESCRIPTORS = 64,
    PRIMARY = 1,
    SUPPLEMENTARY = 2,
    LAST = 255,
    ROOT = 156,
    ROOT_SIZE = 34,
    BLOCK_SIZE = 128,
    SECTOR_COUNT = 80,
    XA = 1024,
};

/* A text that is padded with spaces or zeros. */
static void read_text(const uint8_t *bytes, size_t size, char *text)
{
    while (size > 0 && (bytes[size - 1] == ' ' || bytes[size - 1] == 0)) size--;
    (void)ossa__name_text(bytes, size, ossa__latin_to_unicode, text);
}

static bool has_joliet_names(const uint8_t *descriptor)
{
    const uint8_t *escape = descriptor + 88;
    return escape[0] == '%' && escape[1] == '/' &&
           (escape[2] == '@' || escape[2] == 'C' || escape[2] == 'E');
}

/* Take the root of a descriptor. */
static void read_root(struct ossa__context *context, const uint8_t *descriptor, uint64_t offset,
                      struct ossa__iso_volume *volume)
{
    uint32_t block_size = ossa__load_u16(descriptor + BLOCK_SIZE);
    volume->root = (struct ossa__iso_record){.offset = offset + ROOT};
    if (block_size != OSSA__SECTOR) {
        ossa__fail(context, OSSA_CODE_BAD_VALUE, offset + BLOCK_SIZE, "block_size",
                   "logical blocks of %u bytes; only discs with blocks of %d bytes can be read",
                   (unsigned)block_size, OSSA__SECTOR);
    } else if (!ossa__iso_read_record(context, descriptor + ROOT, ROOT_SIZE, &volume->root)) {
        ossa__fail(context, OSSA_CODE_BAD_VALUE, offset + ROOT, "root",
                   "the record of the root folder is damaged");
    } else if ((volume->root.flags & OSSA__ISO_FOLDER) == 0) {
        ossa__fail(context, OSSA_CODE_BAD_ROOT, offset + ROOT, "root", "the root is not a folder");
    }
}

static void read_primary(struct ossa__context *context, const uint8_t *descriptor, uint64_t offset,
                         struct ossa__iso_volume *volume)
{
    read_text(descriptor + 8, 32, volume->system_id);
    read_text(descriptor + 40, 32, volume->volume_id);
    volume->is_xa = memcmp(descriptor + XA, "CD-XA001", 8) == 0;
    volume->sector_count =
        ossa__iso_both(context, descriptor + SECTOR_COUNT, offset + SECTOR_COUNT, "sector_count");
    read_root(context, descriptor, offset, volume);
}

bool ossa__iso_read_volume(struct ossa__context *context, const struct ossa__sectors *sectors,
                           struct ossa__iso_volume *volume)
{
    uint8_t descriptor[OSSA__SECTOR];
    uint64_t sector = OSSA__FIRST_DESCRIPTOR;
    uint64_t offset = 0;
    bool has_primary = false;
    bool is_last = false;
    *volume = (struct ossa__iso_volume){0};
    for (; !is_last && !context->failed; sector++) {
        uint64_t position = sector * OSSA__SECTOR;
        offset = ossa__sectors_offset(sectors, position);
        if (sector == OSSA__FIRST_DESCRIPTOR + MOST_DESCRIPTORS) break;
        if (sectors->size < position + OSSA__SECTOR) break;
        if (!ossa__sectors_read(sectors, position, descriptor, sizeof descriptor)) {
            return ossa__fail(context, OSSA_CODE_IO, offset, "descriptors", "could not be read");
        }
        if (memcmp(descriptor + 1, "CD001", 5) != 0) break;
        ossa__enter(context, "descriptors", sector - OSSA__FIRST_DESCRIPTOR);
        is_last = descriptor[0] == LAST;
        if (descriptor[0] == PRIMARY && !has_primary) {
            has_primary = true;
            read_primary(context, descriptor, offset, volume);
        } else if (descriptor[0] == SUPPLEMENTARY && has_primary && !volume->is_joliet &&
                   has_joliet_names(descriptor)) {
            volume->is_joliet = true;
            read_root(context, descriptor, offset, volume);
        }
        ossa__leave(context);
    }
    volume->descriptor_end = sector;
    if (context->failed) return false;
    if (!has_primary) {
        return ossa__fail(context, OSSA_CODE_TRUNCATED, offset, "descriptors",
                          "there is no primary volume descriptor");
    }
    if (!is_last) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_TRUNCATED, offset, "descriptors",
                    "the last one is not marked as such");
    }
    /* The record was read from memory that is gone. */
    volume->root.name = NULL;
    return true;
}
