/* SPDX-License-Identifier: MIT
 *
 * Making a RES archive: header, the entries' bytes in the order given, each at a multiple of 16,
 * then the table at one too, then the names in the same order. Entries go into the table one by
 * one. An archive that was made so comes out the same again from its list. */
#include "formats/evil_islands/ei_res.h"

#include "archive/pack.h"
#include "base/text.h"

#include <inttypes.h>

/* One entry on its way into the archive. */
struct item {
    const uint8_t *name; /* as it is stored */
    uint32_t name_length;
    uint32_t name_offset;
    uint32_t offset;
};

struct packer {
    struct ossa__context *context;
    const struct ossa__pack_plan *plan;
    const ossa_packing *entries; /* of the plan */
    uint32_t count;
    struct item *items;
    uint32_t *slots;   /* of the items */
    uint32_t *item_in; /* a slot */
    int32_t *next;     /* of a slot */
    uint64_t table_offset;
    uint64_t names_size;
};

/* ---- names --------------------------------------------------------------------------------- */

static void take_name(struct packer *p, uint32_t index)
{
    const char *name = p->entries[index].name;
    struct item *item = &p->items[index];
    size_t size;
    uint8_t *bytes =
        ossa__name_bytes(p->context, name, ossa__cp1251_from_unicode, "code page 1251", &size);
    if (bytes == NULL) return;
    if (size == 0) {
        ossa__fail_nowhere(p->context, OSSA_CODE_EMPTY_NAME, "name", "an entry needs a name");
    } else if (size > UINT16_MAX) {
        ossa__fail_nowhere(p->context, OSSA_CODE_LIMIT, "name",
                           "'%s' has %zu characters, a name may have at most %d",
                           ossa__show_name(name).text, size, UINT16_MAX);
    }
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '/') bytes[i] = '\\'; /* the game knows no other separator */
    }
    item->name = bytes;
    item->name_length = (uint32_t)size;
    item->name_offset = (uint32_t)p->names_size;
    p->names_size += size;
    if (p->names_size > UINT32_MAX) {
        ossa__fail_nowhere(p->context, OSSA_CODE_LIMIT, "name",
                           "the names total more than 4 GiB, which the archive cannot hold");
    }
}

/* The game would find only one of two. */
static void refuse_doubles(struct packer *p)
{
    uint32_t index;
    uint32_t before;
    if (!ossa__find_double(p->context, p->entries, p->count, ossa__compare_paths, &index, &before))
        return;
    ossa__enter(p->context, "entries", index);
    ossa__fail_nowhere(p->context, OSSA_CODE_DUPLICATE_NAME, "name",
                       "'%s' is the same name as '%s' of entries[%" PRIu32
                       "]: case is ignored, and / is the same as \\",
                       ossa__show_name(p->entries[index].name).text,
                       ossa__show_name(p->entries[before].name).text, before);
    ossa__leave(p->context);
}

/* ---- layout -------------------------------------------------------------------------------- */

static void lay_out(struct packer *p)
{
    uint64_t offset = OSSA__RES_HEADER_SIZE;
    for (uint32_t i = 0; i < p->count && !p->context->failed; i++) {
        uint64_t size = ossa__pack_size(p->plan, i);
        bool fits = offset <= UINT32_MAX && size <= UINT32_MAX - offset;
        if (!fits) {
            ossa__enter(p->context, "entries", i);
            ossa__fail_nowhere(p->context, OSSA_CODE_LIMIT, "size",
                               "with its %" PRIu64
                               " bytes the archive would exceed 4 GiB, the limit "
                               "of its offsets",
                               size);
            ossa__leave(p->context);
            return;
        }
        p->items[i].offset = (uint32_t)offset;
        offset = ossa__align(offset + size, OSSA__RES_ALIGNMENT);
    }
    p->table_offset = offset;
    if (offset > UINT32_MAX) {
        ossa__fail_nowhere(p->context, OSSA_CODE_LIMIT, "table_offset",
                           "the entries total 4 GiB, which the archive cannot hold");
    }
}

static void fill_table(struct packer *p)
{
    p->slots = ossa__take(p->context, p->count, sizeof *p->slots);
    p->item_in = ossa__take(p->context, p->count, sizeof *p->item_in);
    p->next = ossa__take(p->context, p->count, sizeof *p->next);
    if (p->next == NULL) return;
    for (uint32_t i = 0; i < p->count; i++) {
        const struct item *item = &p->items[i];
        p->slots[i] = ossa__res_first_slot(item->name, item->name_length, p->count);
    }
    ossa__res_fill_table(p->context, p->slots, p->next, p->count);
    if (p->context->failed) return;
    for (uint32_t i = 0; i < p->count; i++) p->item_in[p->slots[i]] = i;
}

/* ---- writing ------------------------------------------------------------------------------- */

static void write_record(const struct packer *p, uint32_t slot, struct ossa__writer *writer)
{
    uint32_t index = p->item_in[slot];
    const struct item *item = &p->items[index];
    ossa__write_u32(writer, (uint32_t)p->next[slot]);
    ossa__write_u32(writer, (uint32_t)ossa__pack_size(p->plan, index));
    ossa__write_u32(writer, item->offset);
    ossa__write_u32(writer, p->entries[index].time);
    ossa__write_u16(writer, (uint16_t)item->name_length);
    ossa__write_u32(writer, item->name_offset);
}

static void write_archive(const struct packer *p, struct ossa__writer *writer)
{
    static const uint8_t zeros[OSSA__RES_ALIGNMENT] = {0};
    ossa__write_u32(writer, OSSA__RES_SIGNATURE);
    ossa__write_u32(writer, p->count);
    ossa__write_u32(writer, (uint32_t)p->table_offset);
    ossa__write_u32(writer, (uint32_t)p->names_size);
    for (uint32_t i = 0; i < p->count; i++) {
        uint64_t size = ossa__pack_size(p->plan, i);
        ossa__pack_write(p->context, p->plan, i, writer);
        ossa__write_bytes(writer, zeros, ossa__align(size, OSSA__RES_ALIGNMENT) - size);
    }
    for (uint32_t i = 0; i < p->count; i++) write_record(p, i, writer);
    for (uint32_t i = 0; i < p->count; i++) {
        ossa__write_bytes(writer, p->items[i].name, p->items[i].name_length);
    }
}

void ossa__res_pack(struct ossa__context *context, const struct ossa__pack_plan *plan,
                    struct ossa__writer *writer)
{
    const size_t count = plan->count;
    if (count > INT32_MAX) {
        ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "entry_count",
                           "%zu entries, an archive can hold at most %d", count, INT32_MAX);
        return;
    }
    struct packer p = {
        .context = context, .plan = plan, .entries = plan->entries, .count = (uint32_t)count};
    p.items = ossa__take(context, count, sizeof *p.items);
    for (uint32_t i = 0; i < p.count && !context->failed; i++) {
        ossa__enter(context, "entries", i);
        take_name(&p, i);
        ossa__leave(context);
    }
    if (!context->failed) refuse_doubles(&p);
    if (!context->failed) lay_out(&p);
    if (!context->failed) fill_table(&p);
    if (!context->failed) write_archive(&p, writer);
}
