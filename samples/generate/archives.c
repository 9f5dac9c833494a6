/* SPDX-License-Identifier: MIT */
#include "archives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void archive_add(struct archive *archive, const char *name, const struct bytes *bytes)
{
    if (archive->count == ARCHIVE_MOST) fail("too many entries", name);
    struct member *member = &archive->members[archive->count++];
    int length = snprintf(member->name, sizeof member->name, "%s", name);
    if (length < 0 || (size_t)length >= sizeof member->name) fail("the name is too long", name);
    member->bytes = (struct bytes){0};
    put_bytes(&member->bytes, bytes);
}

static void empty(struct archive *archive)
{
    for (unsigned i = 0; i < archive->count; i++) free(archive->members[i].bytes.data);
    archive->count = 0;
}

/* ---- RES ----------------------------------------------------------------------------------- */

enum { RES_TIME = 972300000 }; /* a day in October 2000; any would do */

struct res_slot {
    int member; /* -1: free */
    int next;
};

static unsigned res_hash(const char *name, unsigned count)
{
    unsigned sum = 0;
    for (; *name != '\0'; name++) {
        unsigned c = (unsigned char)*name;
        sum += c >= 'A' && c <= 'Z' ? c + 32 : c;
    }
    return sum % count;
}

/* Where a slot is taken, the highest free one is used and hung to the end of the chain. */
static void fill_slots(const struct archive *archive, struct res_slot *slots)
{
    for (unsigned i = 0; i < archive->count; i++) slots[i] = (struct res_slot){-1, -1};
    for (unsigned i = 0; i < archive->count; i++) {
        unsigned at = res_hash(archive->members[i].name, archive->count);
        if (slots[at].member >= 0) {
            unsigned free_slot = archive->count - 1;
            while (slots[free_slot].member >= 0) free_slot--;
            while (slots[at].next >= 0) at = (unsigned)slots[at].next;
            slots[at].next = (int)free_slot;
            at = free_slot;
        }
        slots[at].member = (int)i;
    }
}

struct bytes pack_res(struct archive *archive)
{
    struct bytes file = {0};
    struct res_slot slots[ARCHIVE_MOST];
    uint32_t offsets[ARCHIVE_MOST];
    uint32_t names[ARCHIVE_MOST];
    uint32_t names_size = 0;
    put_zeros(&file, 16);
    for (unsigned i = 0; i < archive->count; i++) {
        put_padding(&file, 16);
        offsets[i] = (uint32_t)file.size;
        names[i] = names_size;
        names_size += (uint32_t)strlen(archive->members[i].name);
        put_bytes(&file, &archive->members[i].bytes);
    }
    put_padding(&file, 16);
    set_u32(&file, 0, 0x019ce23c);
    set_u32(&file, 4, archive->count);
    set_u32(&file, 8, (uint32_t)file.size);
    set_u32(&file, 12, names_size);
    fill_slots(archive, slots);
    for (unsigned i = 0; i < archive->count; i++) {
        int member = slots[i].member;
        put_u32(&file, (uint32_t)slots[i].next);
        put_u32(&file, (uint32_t)archive->members[member].bytes.size);
        put_u32(&file, offsets[member]);
        put_u32(&file, RES_TIME);
        put_u16(&file, (uint32_t)strlen(archive->members[member].name));
        put_u32(&file, names[member]);
    }
    for (unsigned i = 0; i < archive->count; i++) put_text(&file, archive->members[i].name);
    empty(archive);
    return file;
}

/* ---- PAK ----------------------------------------------------------------------------------- */

struct bytes pack_pak(struct archive *archive)
{
    struct bytes file = {0};
    put_u32(&file, archive->count);
    put_zeros(&file, 4 * (size_t)archive->count);
    for (unsigned i = 0; i < archive->count; i++) {
        const struct member *member = &archive->members[i];
        set_u32(&file, 4 + 4 * (size_t)i, (uint32_t)file.size);
        put_text(&file, member->name);
        put_u8(&file, 0);
        put_padding(&file, 4);
        put_u32(&file, (uint32_t)member->bytes.size);
        put_bytes(&file, &member->bytes);
        put_padding(&file, 4);
    }
    empty(archive);
    return file;
}

/* ---- ARES ---------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct member *)a)->name, ((const struct member *)b)->name);
}

/* The name before its dot and what follows it, each with a NUL; the extension is pointed to by 9
 * bits, so that all of them come first, each once. */
struct ares_names {
    struct bytes text;
    uint32_t extensions[ARCHIVE_MOST];
    uint32_t names[ARCHIVE_MOST];
};

static uint32_t add_text(struct bytes *text, const char *part, size_t length)
{
    for (size_t at = 1; at + length < text->size; at++) {
        if (memcmp(text->data + at, part, length) == 0 && text->data[at + length] == 0 &&
            text->data[at - 1] == 0)
            return (uint32_t)at;
    }
    size_t at = text->size;
    for (size_t i = 0; i < length; i++) put_u8(text, (unsigned char)part[i]);
    put_u8(text, 0);
    return (uint32_t)at;
}

/* Of a name up to its last dot, which it must have. */
static size_t stem_length(const char *name)
{
    size_t length = strlen(name);
    while (length > 0 && name[length] != '.') length--;
    if (length == 0) fail("it needs an extension", name);
    return length;
}

static void collect_names(struct ares_names *all, const struct archive *archive)
{
    put_u8(&all->text, 0); /* an extension at 0 would mean none */
    for (unsigned i = 0; i < archive->count; i++) {
        const char *name = archive->members[i].name;
        size_t length = stem_length(name);
        all->extensions[i] = add_text(&all->text, name + length + 1, strlen(name) - length - 1);
    }
    for (unsigned i = 0; i < archive->count; i++) {
        const char *name = archive->members[i].name;
        all->names[i] = add_text(&all->text, name, stem_length(name));
    }
}

struct bytes pack_ares(struct archive *archive, const char *folder)
{
    struct bytes file = {0};
    struct ares_names names = {0};
    qsort(archive->members, archive->count, sizeof archive->members[0], by_name);
    collect_names(&names, archive);
    uint32_t folder_name = add_text(&names.text, folder, strlen(folder));
    put_text(&file, "ARES");
    put_u32(&file, archive->count + 1);
    put_u32(&file, 1); /* nothing but the folder lies in no folder */
    put_u32(&file, (uint32_t)names.text.size);
    put_u32(&file, 1); /* its first child */
    put_u32(&file, archive->count);
    put_u32(&file, folder_name << 14 | 1);
    size_t nodes = file.size;
    put_zeros(&file, 12 * (size_t)archive->count);
    put_bytes(&file, &names.text);
    free(names.text.data);
    for (unsigned i = 0; i < archive->count; i++) {
        const struct bytes *data = &archive->members[i].bytes;
        size_t node = nodes + 12 * (size_t)i;
        set_u32(&file, node, (uint32_t)file.size);
        set_u32(&file, node + 4, (uint32_t)data->size | names.extensions[i] << 23);
        set_u32(&file, node + 8, names.names[i] << 14);
        put_bytes(&file, data);
    }
    empty(archive);
    return file;
}
