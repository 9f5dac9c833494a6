/* SPDX-License-Identifier: MIT
 *
 * Making a ZIP that the second game reads: no extra fields and no comment, methods 0 and 8. Of one
 * that is packed again, entries that stay keep their headers, and what follows their data, byte for
 * byte; so does the comment at the end. */
#include "formats/midtown_madness/mm_ar_pack.h"

#include "archive/inflate_plain.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

enum {
    LOCAL_SIZE = 30,
    RECORD_SIZE = 46,
    END_SIZE = 22,
    DEFLATED = 8,
    FLAG_UTF8 = 0x0800,
    VERSION_STORED = 10,
    VERSION_DEFLATED = 20,
    FOLDER = 0x10, /* of external attributes */
};

/* ---- the old archive ----------------------------------------------------------------------- */

static uint16_t old_u16(const struct ossa__ar_packer *p, uint64_t at)
{
    return ossa__peek_u16(p->like->ar.image, p->like->ar.image_size, at);
}

static uint32_t old_u32(const struct ossa__ar_packer *p, uint64_t at)
{
    return ossa__peek_u32(p->like->ar.image, p->like->ar.image_size, at);
}

static uint32_t local_at(const struct ossa__ar_packer *p, uint32_t index)
{
    return old_u32(p, p->like->details[index].at + 42);
}

/* Where the directory of the old archive begins, and its end record. */
struct old_end {
    uint64_t directory;
    uint64_t at;
};

static struct old_end find_end(const struct ossa__ar_packer *p)
{
    struct old_end end = {0};
    (void)ossa__zip_find_end(p->like->ar.image, p->like->ar.image_size, &end.at);
    end.directory = old_u32(p, end.at + 16);
    return end;
}

/* All that an entry has in the old archive: its header and data, and up to the next or to the
 * directory. */
static uint64_t extent_of(const struct ossa__ar_packer *p, uint32_t place, uint64_t directory)
{
    uint32_t index = p->order[place];
    const ossa_entry *entry = &p->like->ar.entries[index];
    uint64_t begin = local_at(p, index);
    uint64_t end = entry->offset + entry->stored_size;
    uint64_t next = directory;
    if (place + 1 < p->count && p->order[place + 1] < p->old_count) {
        next = local_at(p, p->order[place + 1]);
    }
    if (next > end && next <= p->like->ar.image_size) end = next;
    return end - begin;
}

/* ---- entries ------------------------------------------------------------------------------- */

/* An entry as the headers have it. */
struct record {
    uint16_t made;
    uint16_t flags;
    uint16_t method;
    uint16_t time;
    uint16_t date;
    uint16_t internal;
    uint32_t external;
};

/* A time as DOS has it, in UTC; one before DOS becomes the first that it can hold. None is a date
 * that is not valid, as it is when read. */
static void set_time(struct record *record, uint32_t seconds)
{
    if (seconds == 0) return;
    static const uint8_t lengths[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    uint32_t days = seconds / 86400;
    uint32_t rest = seconds % 86400;
    uint32_t year = 1970;
    record->date = 1 << 5 | 1; /* 1980-01-01 */
    for (uint32_t length; days >= (length = year % 4 == 0 && year != 2100 ? 366 : 365); year++) {
        days -= length;
    }
    if (year < 1980) return;
    uint32_t month = 0;
    bool is_leap = year % 4 == 0 && year != 2100;
    for (uint32_t length; days >= (length = lengths[month] + (month == 1 && is_leap ? 1U : 0U));
         month++) {
        days -= length;
    }
    record->date = (uint16_t)((year - 1980) << 9 | (month + 1) << 5 | (days + 1));
    record->time = (uint16_t)(rest / 3600 << 11 | rest / 60 % 60 << 5 | rest % 60 / 2);
}

static void take_name(struct ossa__ar_packer *p, uint32_t index)
{
    struct ossa__ar_item *item = &p->items[index];
    const char *name = p->plan->entries[index].name;
    item->name_size = strlen(name);
    item->name = (const uint8_t *)name;
    if (p->like != NULL && index < p->old_count) { /* in whatever code page it is */
        uint64_t at = p->like->details[index].at;
        item->name = p->like->ar.image + at + RECORD_SIZE;
        item->name_size = old_u16(p, at + 28);
        return;
    }
    if (item->name_size == 0 || item->name_size > UINT16_MAX) {
        (void)ossa__ar_refuse(p, index, "name", OSSA_CODE_LIMIT,
                              "is not of the length that a name may have, 1 to 65535",
                              item->name_size);
        return;
    }
    uint8_t *copy = ossa__take(p->context, item->name_size, 1);
    if (copy == NULL) return;
    for (size_t i = 0; i < item->name_size; i++) {
        copy[i] = name[i] == '\\' ? '/' : (uint8_t)name[i];
    }
    item->name = copy;
}

static struct record describe(const struct ossa__ar_packer *p, uint32_t index)
{
    const struct ossa__ar_item *item = &p->items[index];
    const ossa_packing *entry = &p->plan->entries[index];
    struct record record = {.method = item->stored_size != item->size ? DEFLATED : 0};
    set_time(&record, entry->time);
    record.made = record.method == DEFLATED ? VERSION_DEFLATED : VERSION_STORED;
    if (p->like != NULL && index < p->old_count) {
        uint64_t at = p->like->details[index].at;
        record.made = old_u16(p, at + 4);
        record.flags = old_u16(p, at + 8) & FLAG_UTF8;
        record.internal = old_u16(p, at + 36);
        record.external = old_u32(p, at + 38);
        return record;
    }
    for (size_t i = 0; i < item->name_size; i++) {
        if (item->name[i] >= 0x80) record.flags = FLAG_UTF8;
    }
    if (item->name[item->name_size - 1] == '/') record.external = FOLDER;
    return record;
}

/* What the local header and the directory both have, up to the length of the name. */
static void write_common(const struct ossa__ar_packer *p, uint32_t index,
                         const struct record *record)
{
    const struct ossa__ar_item *item = &p->items[index];
    ossa__write_u16(p->writer, record->method == DEFLATED ? VERSION_DEFLATED : VERSION_STORED);
    ossa__write_u16(p->writer, record->flags);
    ossa__write_u16(p->writer, record->method);
    ossa__write_u16(p->writer, record->time);
    ossa__write_u16(p->writer, record->date);
    ossa__write_u32(p->writer, item->crc);
    ossa__write_u32(p->writer, (uint32_t)item->stored_size);
    ossa__write_u32(p->writer, (uint32_t)item->size);
    ossa__write_u16(p->writer, (uint16_t)item->name_size);
}

static void write_local(struct ossa__ar_packer *p, uint32_t place, uint64_t directory)
{
    uint32_t index = p->order[place];
    const struct ossa__ar_item *item = &p->items[index];
    if (ossa__kept_entry(p->plan, index) != NULL) {
        ossa__write_bytes(p->writer, p->like->ar.image + local_at(p, index),
                          extent_of(p, place, directory));
        return;
    }
    struct record record = describe(p, index);
    ossa__write_text(p->writer, "PK\3\4");
    write_common(p, index, &record);
    ossa__write_u16(p->writer, 0);
    ossa__write_bytes(p->writer, item->name, item->name_size);
    ossa__write_bytes(p->writer, item->data, item->stored_size);
}

/* The bytes of a record in the directory. */
static uint64_t record_size(const struct ossa__ar_packer *p, uint32_t index)
{
    uint64_t size = RECORD_SIZE + p->items[index].name_size;
    if (ossa__kept_entry(p->plan, index) == NULL) return size;
    uint64_t at = p->like->details[index].at;
    return size + old_u16(p, at + 30) + old_u16(p, at + 32);
}

static void write_record(struct ossa__ar_packer *p, uint32_t index)
{
    const struct ossa__ar_item *item = &p->items[index];
    if (ossa__kept_entry(p->plan, index) != NULL) {
        const uint8_t *old = p->like->ar.image + p->like->details[index].at;
        ossa__write_bytes(p->writer, old, RECORD_SIZE - 4);
        ossa__write_u32(p->writer, (uint32_t)item->offset);
        ossa__write_bytes(p->writer, old + RECORD_SIZE, record_size(p, index) - RECORD_SIZE);
        return;
    }
    struct record record = describe(p, index);
    ossa__write_text(p->writer, "PK\1\2");
    ossa__write_u16(p->writer, record.made);
    write_common(p, index, &record);
    ossa__write_u16(p->writer, 0); /* extra */
    ossa__write_u16(p->writer, 0); /* comment */
    ossa__write_u16(p->writer, 0); /* disk */
    ossa__write_u16(p->writer, record.internal);
    ossa__write_u32(p->writer, record.external);
    ossa__write_u32(p->writer, (uint32_t)item->offset);
    ossa__write_bytes(p->writer, item->name, item->name_size);
}

/* ---- the archive --------------------------------------------------------------------------- */

/* Locals are in the order of their headers, not of their data, which empty ones share. */
static bool sort_locals(struct ossa__ar_packer *p)
{
    struct ossa__place *places = ossa__take_scratch(p->context, p->count, sizeof *places);
    if (places == NULL) return false;
    for (uint32_t i = 0; i < p->count; i++) {
        places[i] = (struct ossa__place){.offset = UINT64_MAX, .index = i};
        if (i < p->old_count) places[i].offset = local_at(p, i);
    }
    if (!ossa__sort_places(p->context, places, p->count)) return false;
    for (uint32_t i = 0; i < p->count; i++) p->order[i] = places[i].index;
    return true;
}

/* Offsets of all locals; the size of the directory. Gives where that begins. */
static uint64_t lay_out(struct ossa__ar_packer *p, uint64_t old_directory, uint64_t *directory_size)
{
    uint64_t end = 0;
    *directory_size = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t index = p->order[i];
        struct ossa__ar_item *item = &p->items[index];
        item->offset = end;
        if (ossa__kept_entry(p->plan, index) != NULL) end += extent_of(p, i, old_directory);
        else end += LOCAL_SIZE + item->name_size + item->stored_size;
        *directory_size += record_size(p, index);
        if (end <= UINT32_MAX && item->size <= UINT32_MAX) continue;
        (void)ossa__ar_refuse(p, index, "size", OSSA_CODE_LIMIT,
                              "would lie beyond 4 GiB, the limit of offsets", end);
        return 0;
    }
    return end;
}

static void write_end(const struct ossa__ar_packer *p, const struct old_end *old,
                      uint64_t directory, uint64_t directory_size)
{
    ossa__write_text(p->writer, "PK\5\6");
    ossa__write_u32(p->writer, 0); /* disks */
    ossa__write_u16(p->writer, (uint16_t)p->count);
    ossa__write_u16(p->writer, (uint16_t)p->count);
    ossa__write_u32(p->writer, (uint32_t)directory_size);
    ossa__write_u32(p->writer, (uint32_t)directory);
    uint16_t comment = p->like == NULL ? 0 : old_u16(p, old->at + 20);
    ossa__write_u16(p->writer, comment);
    if (comment > 0) ossa__write_bytes(p->writer, p->like->ar.image + old->at + END_SIZE, comment);
}

static void refuse_doubles(struct ossa__ar_packer *p)
{
    uint32_t index;
    uint32_t before;
    if (!ossa__find_double(p->context, p->plan->entries, p->count, ossa__compare_paths, &index,
                           &before) ||
        index < p->old_count)
        return; /* it was so in the old archive */
    (void)ossa__ar_refuse(p, index, "name", OSSA_CODE_DUPLICATE_NAME,
                          "is the same name as that of another entry", before);
}

void ossa__zip_pack(struct ossa__ar_packer *p)
{
    struct old_end old = {0};
    if (p->count > UINT16_MAX) {
        ossa__fail_nowhere(p->context, OSSA_CODE_LIMIT, "entries",
                           "%" PRIu32 " are more than the %d that a ZIP can hold", p->count,
                           UINT16_MAX);
        return;
    }
    if (p->like != NULL) old = find_end(p);
    refuse_doubles(p);
    for (uint32_t i = 0; i < p->count && !p->context->failed; i++) take_name(p, i);
    if (!p->context->failed) ossa__ar_take_data(p, true);
    if (p->context->failed || !sort_locals(p)) return;
    for (uint32_t i = 0; i < p->count; i++) {
        const ossa_packing *entry = &p->plan->entries[i];
        if (ossa__kept_entry(p->plan, i) != NULL) continue;
        p->items[i].crc = ossa__crc32(0, entry->data, (size_t)entry->size);
    }
    uint64_t directory_size;
    uint64_t directory = lay_out(p, old.directory, &directory_size);
    if (p->context->failed) return;
    for (uint32_t i = 0; i < p->count; i++) write_local(p, i, old.directory);
    for (uint32_t i = 0; i < p->count; i++) write_record(p, i);
    write_end(p, &old, directory, directory_size);
}
