/* SPDX-License-Identifier: MIT
 *
 * Making archives of Midtown Madness: names, data and its layout. */
#include "formats/midtown_madness/mm_ar_pack.h"

#include "archive/deflate.h"

#include <inttypes.h>
#include <string.h>

bool ossa__ar_refuse(struct ossa__ar_packer *p, uint32_t index, const char *field, ossa_code code,
                     const char *message, uint64_t number)
{
    ossa__enter(p->context, "entries", index);
    ossa__fail_nowhere(p->context, code, field, "'%s' %s (%" PRIu64 ")",
                       ossa__show_name(p->plan->entries[index].name).text, message, number);
    ossa__leave(p->context);
    return false;
}

int ossa__ar_compare(const struct ossa__ar_item *a, const struct ossa__ar_item *b,
                     int (*rank)(uint8_t c))
{
    size_t common = a->name_size < b->name_size ? a->name_size : b->name_size;
    for (size_t i = 0; i < common; i++) {
        int order = rank(a->name[i]) - rank(b->name[i]);
        if (order != 0) return order;
    }
    return (a->name_size > b->name_size) - (a->name_size < b->name_size);
}

void ossa__ar_take_names(struct ossa__ar_packer *p)
{
    for (uint32_t i = 0; i < p->count && !p->context->failed; i++) {
        struct ossa__ar_item *item = &p->items[i];
        ossa__enter(p->context, "entries", i);
        item->name = ossa__name_bytes(p->context, p->plan->entries[i].name,
                                      ossa__latin_from_unicode, "Latin-1", &item->name_size);
        ossa__leave(p->context);
        if (p->context->failed) return;
        if (item->name_size == 0) {
            (void)ossa__ar_refuse(p, i, "name", OSSA_CODE_EMPTY_NAME, "has no characters", 0);
        } else if (item->name_size > OSSA__AR_LONGEST_NAME) {
            (void)ossa__ar_refuse(p, i, "name", OSSA_CODE_LIMIT,
                                  "has more characters than the 255 that a name may have",
                                  item->name_size);
        }
    }
}

/* ---- data ---------------------------------------------------------------------------------- */

void ossa__ar_take_data(struct ossa__ar_packer *p, bool deflates)
{
    for (uint32_t i = 0; i < p->count && !p->context->failed; i++) {
        struct ossa__ar_item *item = &p->items[i];
        const ossa_entry *kept = ossa__kept_entry(p->plan, i);
        const ossa_packing *entry = &p->plan->entries[i];
        uint64_t packed_size = 0;
        if (kept != NULL) {
            item->size = kept->size;
            item->stored_size = kept->stored_size;
            continue;
        }
        const uint8_t *packed =
            deflates ? ossa__deflate(p->context, entry->data, entry->size, &packed_size) : NULL;
        item->data = packed != NULL ? packed : entry->data;
        item->size = entry->size;
        item->stored_size = packed != NULL ? packed_size : entry->size;
    }
}

void ossa__ar_write_item(struct ossa__ar_packer *p, uint32_t index)
{
    const struct ossa__ar_item *item = &p->items[index];
    const ossa_entry *kept = ossa__kept_entry(p->plan, index);
    if (kept == NULL) {
        ossa__write_bytes(p->writer, item->data, item->stored_size);
        return;
    }
    struct ossa__listing listing = ossa__format_mm_ar.list(p->like);
    ossa_bytes bytes = {.allocator = p->context->arena.allocator};
    if (p->context->failed || !ossa__stored_or_fail(p->context, &listing, kept, &bytes)) return;
    ossa__write_bytes(p->writer, bytes.data, bytes.size);
    ossa_bytes_free(&bytes);
}

/* ---- layout -------------------------------------------------------------------------------- */

static void take_order(struct ossa__ar_packer *p)
{
    struct ossa__place *places = ossa__take_scratch(p->context, p->count, sizeof *places);
    p->order = ossa__take(p->context, p->count, sizeof *p->order);
    if (places == NULL || p->order == NULL) return;
    for (uint32_t i = 0; i < p->count; i++) {
        places[i] = (struct ossa__place){.offset = UINT64_MAX, .index = i};
        if (i < p->old_count) places[i].offset = p->like->ar.entries[i].offset;
        /* Nothing comes before something at the same offset. */
        places[i].rank = i < p->old_count && p->like->ar.entries[i].stored_size == 0 ? 0 : 1;
    }
    if (!ossa__sort_places(p->context, places, p->count)) return;
    for (uint32_t i = 0; i < p->count; i++) p->order[i] = places[i].index;
}

/* The largest power of two that all data of an archive is at a multiple of. */
static uint64_t alignment_of(const struct ossa__ar_contents *like)
{
    uint64_t alignment = OSSA__AR_SECTOR;
    for (size_t i = 0; i < like->ar.entry_count; i++) {
        const ossa_entry *entry = &like->ar.entries[i];
        while (entry->stored_size > 0 && entry->offset % alignment != 0) alignment /= 2;
    }
    return alignment;
}

void ossa__ar_lay_out(struct ossa__ar_packer *p, uint64_t begin)
{
    uint64_t end = begin;
    for (uint32_t i = 0; i < p->count && !p->context->failed; i++) {
        struct ossa__ar_item *item = &p->items[p->order[i]];
        item->offset = ossa__align(end, p->alignment);
        end = item->offset + item->stored_size;
        if (end <= UINT32_MAX && item->size <= UINT32_MAX) continue;
        (void)ossa__ar_refuse(p, p->order[i], "size", OSSA_CODE_LIMIT,
                              "would lie beyond 4 GiB, the limit of offsets", end);
    }
}

void ossa__ar_write_zeros(struct ossa__writer *writer, uint64_t count)
{
    static const uint8_t zeros[OSSA__AR_SECTOR] = {0};
    for (; count > sizeof zeros; count -= sizeof zeros) {
        ossa__write_bytes(writer, zeros, sizeof zeros);
    }
    ossa__write_bytes(writer, zeros, count);
}

void ossa__ar_write_data(struct ossa__ar_packer *p, uint64_t begin)
{
    for (uint32_t i = 0; i < p->count && !p->context->failed; i++) {
        const struct ossa__ar_item *item = &p->items[p->order[i]];
        if (item->stored_size == 0) continue;
        ossa__ar_write_zeros(p->writer, item->offset - begin);
        ossa__ar_write_item(p, p->order[i]);
        begin = item->offset + item->stored_size;
    }
}

/* ---- the archive --------------------------------------------------------------------------- */

/* By the dialect, or as the archive that is packed again. A ZIP is what both the second game and
 * everybody's tools can open. */
static bool choose_kind(struct ossa__ar_packer *p, ossa_mm_ar_kind *kind)
{
    const char *dialect = p->plan->dialect;
    *kind = p->like != NULL ? p->like->ar.kind : OSSA_MM_AR_KIND_ZIP;
    if (dialect == NULL) return true;
    for (unsigned i = 0; i <= OSSA_MM_AR_KIND_ZIP; i++) {
        *kind = (ossa_mm_ar_kind)i;
        if (strcmp(dialect, ossa_mm_ar_kind_name(*kind)) == 0) return true;
    }
    return ossa__fail_nowhere(p->context, OSSA_CODE_BAD_ARGUMENT, "",
                              "'%s' is not a kind of archive: use ares, dave or zip", dialect);
}

void ossa__ar_pack(struct ossa__context *context, const struct ossa__pack_plan *plan,
                   struct ossa__writer *writer)
{
    struct ossa__ar_packer p = {
        .context = context, .plan = plan, .writer = writer, .count = (uint32_t)plan->count};
    ossa_mm_ar_kind kind;
    if (plan->like != NULL) {
        p.like = ossa__contents_in_parts(plan->like);
        p.old_count = p.like->ar.entry_count;
    }
    if (!choose_kind(&p, &kind)) return;
    if (plan->count > UINT32_MAX) {
        ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "entries", "%zu are more than it can hold",
                           plan->count);
        return;
    }
    if (p.like != NULL) p.alignment = alignment_of(p.like);
    p.items = ossa__take(context, plan->count, sizeof *p.items);
    if (p.items == NULL) return;
    memset(p.items, 0, plan->count * sizeof *p.items);
    take_order(&p);
    if (context->failed) return;
    switch (kind) {
    case OSSA_MM_AR_KIND_ARES: ossa__ares_pack(&p); break;
    case OSSA_MM_AR_KIND_DAVE: ossa__dave_pack(&p); break;
    case OSSA_MM_AR_KIND_ZIP: ossa__zip_pack(&p); break;
    }
}
