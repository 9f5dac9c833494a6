/* SPDX-License-Identifier: MIT
 *
 * Making a PAK archive: the entries one after the other in the order given, each padded to a
 * multiple of 4, the last one too. An archive that was made so comes out the same again from its
 * list. */
#include "formats/vib_ribbon/vib_pak.h"

#include <inttypes.h>
#include <string.h>

/* One entry on its way into the archive. */
struct item {
    const uint8_t *name; /* as it is stored */
    size_t name_size;
    uint32_t offset;
};

struct packer {
    struct ossa__context *context;
    const ossa_packing *entries;
    uint32_t count;
    struct item *items;
};

static void take_name(struct packer *p, uint32_t index)
{
    struct item *item = &p->items[index];
    const char *name = p->entries[index].name;
    item->name =
        ossa__name_bytes(p->context, name, ossa__latin_from_unicode, "Latin-1", &item->name_size);
    if (item->name != NULL && item->name_size == 0) {
        ossa__fail_nowhere(p->context, OSSA_CODE_EMPTY_NAME, "name", "an entry needs a name");
    }
}

/* Letter case tells names apart here: nothing says that it does not in the game. */
static void refuse_doubles(struct packer *p)
{
    uint32_t index;
    uint32_t before;
    if (!ossa__find_double(p->context, p->entries, p->count, strcmp, &index, &before)) return;
    ossa__enter(p->context, "entries", index);
    ossa__fail_nowhere(p->context, OSSA_CODE_DUPLICATE_NAME, "name",
                       "'%s' is the name of entries[%" PRIu32 "] too",
                       ossa__show_name(p->entries[index].name).text, before);
    ossa__leave(p->context);
}

static void lay_out(struct packer *p)
{
    uint64_t offset = ossa__pak_offset_at(p->count);
    for (uint32_t i = 0; i < p->count; i++) {
        uint64_t size = p->entries[i].size;
        if (offset > UINT32_MAX || size > UINT32_MAX) {
            ossa__enter(p->context, "entries", i);
            ossa__fail_nowhere(p->context, OSSA_CODE_LIMIT, "size",
                               "at 0x%" PRIx64 " and with %" PRIu64
                               " bytes it passes 4 GiB, which offsets and lengths cannot",
                               offset, size);
            ossa__leave(p->context);
            return;
        }
        p->items[i].offset = (uint32_t)offset;
        offset += ossa__pak_name_room(p->items[i].name_size) + OSSA__PAK_LENGTH_SIZE +
                  ossa__align(size, OSSA__PAK_ALIGNMENT);
    }
}

static void write_archive(const struct packer *p, struct ossa__writer *writer)
{
    static const uint8_t zeros[OSSA__PAK_ALIGNMENT] = {0};
    ossa__write_u32(writer, p->count);
    for (uint32_t i = 0; i < p->count; i++) ossa__write_u32(writer, p->items[i].offset);
    for (uint32_t i = 0; i < p->count; i++) {
        const struct item *item = &p->items[i];
        uint64_t size = p->entries[i].size;
        ossa__write_bytes(writer, item->name, item->name_size);
        ossa__write_bytes(writer, zeros, ossa__pak_name_room(item->name_size) - item->name_size);
        ossa__write_u32(writer, (uint32_t)size);
        ossa__write_bytes(writer, p->entries[i].data, size);
        ossa__write_bytes(writer, zeros, ossa__align(size, OSSA__PAK_ALIGNMENT) - size);
    }
}

void ossa__pak_pack(struct ossa__context *context, const ossa_packing *entries, size_t count,
                    struct ossa__writer *writer)
{
    if (count > UINT32_MAX) {
        ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "entry_count",
                           "%zu entries are more than an archive can hold", count);
        return;
    }
    struct packer p = {.context = context, .entries = entries, .count = (uint32_t)count};
    p.items = ossa__take(context, count, sizeof *p.items);
    for (uint32_t i = 0; i < p.count && !context->failed; i++) {
        ossa__enter(context, "entries", i);
        take_name(&p, i);
        ossa__leave(context);
    }
    if (!context->failed) refuse_doubles(&p);
    if (!context->failed) lay_out(&p);
    if (!context->failed) write_archive(&p, writer);
}
