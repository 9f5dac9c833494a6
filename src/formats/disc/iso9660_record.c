/* SPDX-License-Identifier: MIT
 *
 * Directory records of iso9660.
 *
 *     0   u8   length of the record; 0: the next one is in the next sector
 *     1   u8   sectors of extended attributes before the data
 *     2   u32  sector, little-endian and big-endian
 *     10  u32  size of the data, the same
 *     18  u8   time[7]: years since 1900, month, day, hour, minute, second, quarters of an hour
 *              from UTC (signed)
 *     25  u8   flags
 *     26  u8   interleaving: sectors of a unit, of a gap
 *     28  u16  volume of a set, both orders
 *     32  u8   length of the name
 *     33       name, padded so that the length so far is even
 *         XA:  u16 group, u16 user, u16 attributes (big-endian), "XA", u8 file number, u8 zero[5]
 */
#include "base/text.h"
#include "formats/disc/iso9660.h"

#include <string.h>

enum {
    XA_SIZE = 14,
    XA_SIGNATURE = 6, /* where it is in these */
    TIME = 18,
};

static uint32_t load_big_u16(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 8 | bytes[1];
}

static uint32_t load_big_u32(const uint8_t *bytes)
{
    return load_big_u16(bytes) << 16 | load_big_u16(bytes + 2);
}

uint32_t ossa__iso_both(struct ossa__context *context, const uint8_t *bytes, uint64_t offset,
                        const char *field)
{
    uint32_t little = ossa__load_u32(bytes);
    uint32_t big = load_big_u32(bytes + 4);
    if (little != big) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_BAD_VALUE, offset, field,
                    "is %lu in little-endian and %lu in big-endian; the first is used",
                    (unsigned long)little, (unsigned long)big);
    }
    return little;
}

/* Seconds since 1970; false: there is no such time. */
static bool read_time(const uint8_t *bytes, uint32_t *time)
{
    static const uint16_t days_before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    uint32_t year = 1900U + bytes[0];
    uint32_t month = bytes[1];
    uint32_t day = bytes[2];
    if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31) return false;
    if (bytes[3] > 23 || bytes[4] > 59 || bytes[5] > 59) return false;
    uint32_t leap_years = (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 - 477;
    bool is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    uint32_t days = (year - 1970) * 365 + leap_years + days_before[month - 1] + day - 1;
    if (is_leap && month > 2) days++;
    int zone = bytes[6] < 128 ? bytes[6] : bytes[6] - 256;
    int64_t seconds = (int64_t)days * 86400 + bytes[3] * 3600 + bytes[4] * 60 + bytes[5];
    seconds -= zone * INT64_C(900);
    if (seconds < 0 || seconds > UINT32_MAX) return false;
    *time = (uint32_t)seconds;
    return true;
}

bool ossa__iso_read_record(struct ossa__context *context, const uint8_t *bytes, uint32_t room,
                           struct ossa__iso_record *record)
{
    uint32_t length = bytes[0];
    if (length <= OSSA__ISO_RECORD || length > room) return false;
    uint32_t name_size = bytes[32];
    if (name_size == 0 || OSSA__ISO_RECORD + name_size > length) return false;
    uint64_t sector = ossa__iso_both(context, bytes + 2, record->offset + 2, "sector");
    record->position = (sector + bytes[1]) * OSSA__SECTOR;
    record->size = ossa__iso_both(context, bytes + 10, record->offset + 10, "size");
    record->flags = bytes[25];
    record->is_interleaved = bytes[26] != 0 || bytes[27] != 0;
    record->has_time = read_time(bytes + TIME, &record->time);
    record->name = bytes + OSSA__ISO_RECORD;
    record->name_size = (uint8_t)name_size;
    uint32_t xa = (OSSA__ISO_RECORD + name_size + 1) / 2 * 2;
    bool has_xa = length >= xa + XA_SIZE && memcmp(bytes + xa + XA_SIGNATURE, "XA", 2) == 0;
    record->attributes = has_xa ? (uint16_t)load_big_u16(bytes + xa + 4) : 0;
    return true;
}

/* ---- names --------------------------------------------------------------------------------- */

/* The next character of a name. */
static uint32_t next_character(const struct ossa__iso_record *record, bool is_joliet, uint32_t *at)
{
    const uint8_t *name = record->name + *at;
    uint32_t left = record->name_size - *at;
    if (!is_joliet || left < 2) {
        *at += 1;
        return is_joliet ? 0xfffd : *name;
    }
    *at += 2;
    uint32_t unit = load_big_u16(name);
    if (unit < 0xd800 || unit > 0xdfff) return unit;
    uint32_t second = left >= 4 ? load_big_u16(name + 2) : 0;
    if (unit > 0xdbff || second < 0xdc00 || second > 0xdfff) return 0xfffd;
    *at += 2;
    return 0x10000 + ((unit - 0xd800) << 10) + (second - 0xdc00);
}

/* The size of a name without its version (";1") and a dot before that. */
static size_t cut_version(const char *text, size_t size)
{
    size_t end = size;
    while (end > 0 && text[end - 1] >= '0' && text[end - 1] <= '9') end--;
    if (end > 0 && end < size && text[end - 1] == ';') size = end - 1;
    return size > 1 && text[size - 1] == '.' ? size - 1 : size;
}

size_t ossa__iso_name(const struct ossa__iso_record *record, bool is_joliet,
                      char text[OSSA__ISO_NAME_CAPACITY], bool *is_odd)
{
    size_t size = 0;
    *is_odd = false;
    for (uint32_t at = 0; at < record->name_size;) {
        uint32_t character = next_character(record, is_joliet, &at);
        bool is_separator = character == '/' || character == '\\';
        if (is_separator || character == 0 || character == 0xfffd) *is_odd = true;
        if (is_separator) character = '_';
        if (character == 0) character = 0x2400;
        size += ossa__utf8_encode(character, text + size);
    }
    if ((record->flags & OSSA__ISO_FOLDER) == 0) size = cut_version(text, size);
    if (size == 0 || (size <= 2 && memcmp(text, "..", size) == 0)) {
        *is_odd = true;
        memcpy(text, "__", 2);
        if (size == 0) size = 1;
    }
    text[size] = '\0';
    return size;
}
