/* SPDX-License-Identifier: MIT
 *
 * Making a DAVE archive: header, table, names, data, each at a multiple of 0x800. The table is
 * sorted as the game looks for names. An archive that is packed again keeps its names, the rest of
 * its header and the size of its table. */
#include "formats/midtown_madness/mm_ar_pack.h"

#include "codec/sort.h"

#include <string.h>

enum {
    HEADER_SIZE = 16,
    TABLE = 0x800,
    ENTRY_WORDS = 4,
    ENTRY_SIZE = 4 * ENTRY_WORDS,
};

/* As the game compares names. */
static int plain(uint8_t c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A' + 'a';
    return c == '\\' ? '/' : c;
}

static bool goes_before(const void *a, const void *b, void *user)
{
    const struct ossa__ar_item *items = user;
    const uint32_t *x = a;
    const uint32_t *y = b;
    int order = ossa__ar_compare(&items[*x], &items[*y], plain);
    return order != 0 ? order < 0 : *x < *y;
}

/* The entries in the order of the table; NULL after a failure. */
static uint32_t *sort_items(struct ossa__ar_packer *p)
{
    uint32_t *sorted = ossa__take(p->context, p->count, sizeof *sorted);
    if (sorted == NULL) return NULL;
    for (uint32_t i = 0; i < p->count; i++) sorted[i] = i;
    if (!ossa__sort(p->context, sorted, p->count, sizeof *sorted, goes_before, p->items)) {
        return NULL;
    }
    for (uint32_t i = 1; i < p->count; i++) {
        if (ossa__ar_compare(&p->items[sorted[i - 1]], &p->items[sorted[i]], plain) != 0) continue;
        (void)ossa__ar_refuse(p, sorted[i], "name", OSSA_CODE_DUPLICATE_NAME,
                              "is the same name as that of another entry", sorted[i - 1]);
        return NULL;
    }
    return sorted;
}

/* The sizes in the header, and where each name is. */
struct tables {
    const uint32_t *sorted;
    uint32_t *name_offsets;
    uint64_t table_size;
    uint64_t old_names; /* bytes of names of the archive that is packed again */
    uint64_t names_size;
};

static bool lay_out_names(struct ossa__ar_packer *p, struct tables *t)
{
    t->name_offsets = ossa__take(p->context, p->count, sizeof *t->name_offsets);
    if (t->name_offsets == NULL) return false;
    t->table_size = ossa__align((uint64_t)ENTRY_SIZE * p->count, OSSA__AR_SECTOR);
    if (p->like != NULL) {
        t->old_names = p->like->ar.header[2];
        uint64_t old_size = p->like->ar.header[1];
        if (old_size >= (uint64_t)ENTRY_SIZE * p->count) t->table_size = old_size;
    }
    t->names_size = t->old_names;
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t index = t->sorted[i];
        bool is_old = p->like != NULL && index < p->old_count;
        size_t record = is_old ? (size_t)ENTRY_WORDS * p->like->details[index].record : 0;
        t->name_offsets[index] = is_old ? p->like->ar.records[record] : (uint32_t)t->names_size;
        if (!is_old) t->names_size += p->items[index].name_size + 1;
    }
    if (t->names_size > t->old_names || p->like == NULL) {
        t->names_size = ossa__align(t->names_size, OSSA__AR_SECTOR);
    }
    if (t->table_size <= UINT32_MAX && t->names_size <= UINT32_MAX) return true;
    return ossa__fail_nowhere(p->context, OSSA_CODE_LIMIT, "names_size",
                              "the names total more than 4 GiB, which the archive cannot hold");
}

static void write_tables(const struct ossa__ar_packer *p, const struct tables *t)
{
    struct ossa__writer *writer = p->writer;
    const uint8_t *old = p->like == NULL ? NULL : p->like->ar.image;
    ossa__write_text(writer, "DAVE");
    ossa__write_u32(writer, p->count);
    ossa__write_u32(writer, (uint32_t)t->table_size);
    ossa__write_u32(writer, (uint32_t)t->names_size);
    if (old != NULL) ossa__write_bytes(writer, old + HEADER_SIZE, TABLE - HEADER_SIZE);
    else ossa__ar_write_zeros(writer, TABLE - HEADER_SIZE);
    for (uint32_t i = 0; i < p->count; i++) {
        const struct ossa__ar_item *item = &p->items[t->sorted[i]];
        ossa__write_u32(writer, t->name_offsets[t->sorted[i]]);
        ossa__write_u32(writer, (uint32_t)item->offset);
        ossa__write_u32(writer, (uint32_t)item->size);
        ossa__write_u32(writer, (uint32_t)item->stored_size);
    }
    ossa__ar_write_zeros(writer, t->table_size - (uint64_t)ENTRY_SIZE * p->count);
    uint64_t used = t->old_names;
    if (old != NULL) ossa__write_bytes(writer, old + TABLE + p->like->ar.header[1], used);
    for (uint32_t i = 0; i < p->count; i++) {
        const struct ossa__ar_item *item = &p->items[t->sorted[i]];
        if (t->sorted[i] < p->old_count) continue;
        ossa__write_bytes(writer, item->name, item->name_size);
        ossa__write_u8(writer, 0);
        used += item->name_size + 1;
    }
    ossa__ar_write_zeros(writer, t->names_size - used);
}

void ossa__dave_pack(struct ossa__ar_packer *p)
{
    struct tables t = {0};
    if (p->like == NULL) p->alignment = OSSA__AR_SECTOR;
    ossa__ar_take_names(p);
    if (!p->context->failed) ossa__ar_take_data(p, true);
    if (!p->context->failed) t.sorted = sort_items(p);
    if (t.sorted == NULL || !lay_out_names(p, &t)) return;
    uint64_t begin = TABLE + t.table_size + t.names_size;
    ossa__ar_lay_out(p, begin);
    if (p->context->failed) return;
    write_tables(p, &t);
    ossa__ar_write_data(p, begin);
}
