/* SPDX-License-Identifier: MIT */
#include "mutate.h"

#include <string.h>

enum { MOST_ENTRIES = 64, MOST_BYTES = 1 << 16 };

struct entries {
    ossa_packing items[MOST_ENTRIES + 1];
    ossa_bytes bytes[MOST_ENTRIES];
    uint8_t *changed; /* bytes of the one that was changed */
    size_t count;
};

static void take_entries(const ossa_file *file, struct entries *entries)
{
    const ossa_options options = {.max_input = MOST_BYTES};
    for (size_t i = 0; i < ossa_entry_count(file) && entries->count < MOST_ENTRIES; i++) {
        const ossa_entry *entry = ossa_entry_at(file, i);
        ossa_bytes *bytes = &entries->bytes[entries->count];
        if (!ossa_entry_bytes(file, i, &options, bytes, NULL)) continue;
        entries->items[entries->count++] =
            (ossa_packing){entry->name, bytes->data, bytes->size, entry->time};
    }
}

static void change_bytes(ossa_packing *item, struct entries *entries)
{
    size_t room = (size_t)item->size + 64;
    entries->changed = malloc(room);
    if (entries->changed == NULL) return;
    if (item->size > 0) memcpy(entries->changed, item->data, (size_t)item->size);
    item->size = LLVMFuzzerMutate(entries->changed, (size_t)item->size, room);
    item->data = entries->changed;
}

static void change_entries(struct entries *entries, const uint8_t *archive, size_t size,
                           struct fuzz_random *random)
{
    static const char *const names[] = {"",     "..",        "a",     "A",        "a/b",
                                        "a\\b", "/",         "a#b",   "\xd0\xb0", "con",
                                        "walk", "troll.lnk", "x.anm", "../../x",  "a:b"};
    size_t i = fuzz_below(random, entries->count);
    size_t k = fuzz_below(random, entries->count);
    ossa_packing item = entries->items[i];
    switch (fuzz_below(random, 6)) {
    case 0: /* twice; there is room for one more */ entries->items[entries->count++] = item; break;
    case 1: /* not at all */
        if (entries->count > 0) entries->items[i] = entries->items[--entries->count];
        break;
    case 2: /* in the place of another */
        entries->items[i] = entries->items[k];
        entries->items[k] = item;
        break;
    case 3:
        entries->items[i].name = names[fuzz_below(random, sizeof names / sizeof names[0])];
        break;
    case 4: /* the archive in itself */
        entries->items[i].data = archive;
        entries->items[i].size = size;
        break;
    default: change_bytes(&entries->items[i], entries); break;
    }
}

size_t fuzz_repack(uint8_t *data, size_t size, size_t max_size, struct fuzz_random *random)
{
    const ossa_options options = {.format = fuzz_format(), .max_input = 1 << 20};
    struct entries entries = {.count = 0};
    ossa_buffer out = {0};
    size_t new_size = 0;
    ossa_file *file = ossa_read(data, size, &options, NULL);
    if (file == NULL) return 0;
    if (ossa_format_can(file->format, OSSA_ABILITY_PACK)) {
        const ossa_options packing = {.dialect = ossa_packing_dialect(file)};
        take_entries(file, &entries);
        if (entries.count > 0) change_entries(&entries, data, size, random);
        if (ossa_pack(file->format->id, entries.items, entries.count, &packing,
                      ossa_buffer_sink(&out), NULL) &&
            out.size > 0 && out.size <= max_size) {
            new_size = out.size;
        }
    }
    for (size_t i = 0; i < MOST_ENTRIES; i++) ossa_bytes_free(&entries.bytes[i]);
    free(entries.changed);
    ossa_file_free(file); /* before its bytes change */
    if (new_size > 0) memcpy(data, out.data, new_size);
    ossa_buffer_free(&out);
    return new_size;
}
