/* SPDX-License-Identifier: MIT
 *
 * Finds XFF containers in files of any size from the disc. The file is searched through a window;
 * where the signature is found, the words of the container are checked:
 *
 *     zero_04 and zero_08 are 0; the header, all tables and all sections are within `size`, except
 *     sections that have no bytes in the file (type 8)
 *
 * Together these checks are worth more than 100 bits. The first word of the data determines the
 * kind (sotc_xff.c), and the first exported symbol the name. A symbol has 16 bytes, as in an ELF
 * file: u32 name (in symbol_strings), u32 value, u32 size, u8 info (high half: 0 local), u8, u16
 * section (0: imported). */
#include "formats/shadow_of_the_colossus/sotc_scan.h"

#include "base/bytes.h"
#include "formats/shadow_of_the_colossus/sotc_objects.h"
#include "formats/shadow_of_the_colossus/sotc_xff.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    WINDOW = 256 << 10, /* fits in the cache of the processor */
    SIGNATURE_SIZE = 4,
    HEADER_SIZE = 4 * OSSA_SOTC_XFF_WORDS,
    MOST_SECTIONS = 256,    /* the largest program of the game has about twenty */
    MOST_SYMBOLS = 256,     /* symbols searched for a name */
    MOST_NAMES = 8,         /* names of them that are looked at */
    MOST_PADDING = 1 << 20, /* behind a single container */
    CLOSE = 4096,           /* the rest of a sector, and what precedes a container */
    SYMBOL_SIZE = 16,
    /* Good files are far from these: a container is examined in less than twice its size. */
    READ_COST = 8 << 10, /* what a read of the source is worth in bytes */
    MOST_EXAMINED = 64,  /* times what was searched */
    FREE = 4 << 20,
    NO_BITS = 8, /* the type of a section without bytes */
    SECTION_TYPE = 4,
    /* words of the header */
    FIRST_GLOBAL = 3,
    SYMBOL_COUNT = 9,
    SYMBOLS = 21,
    SYMBOL_STRINGS = 22,
};

struct ossa__sotc_view ossa__sotc_view_of(const uint8_t *data, uint64_t size)
{
    return (struct ossa__sotc_view){
        .source = {.size = size}, .window = data, .window_size = (size_t)size};
}

bool ossa__sotc_get(struct ossa__sotc_view *view, uint64_t offset, void *bytes, size_t size)
{
    const ossa_source *source = &view->source;
    if (offset > source->size || size > source->size - offset) return false;
    bool is_near = view->window != NULL && offset >= view->window_at &&
                   offset - view->window_at <= view->window_size &&
                   size <= view->window_size - (size_t)(offset - view->window_at);
    view->got += size + (is_near ? 0 : READ_COST);
    if (is_near) {
        memcpy(bytes, view->window + (offset - view->window_at), size);
        return true;
    }
    if (!view->failed && source->read_at(source->user, offset, bytes, size)) return true;
    if (!view->failed) {
        view->failed_at = offset;
        view->failed_size = size;
    }
    view->failed = true;
    return false;
}

/* ---- one container ------------------------------------------------------------------------- */

/* A possible container. */
struct container {
    uint64_t at;
    uint32_t words[OSSA_SOTC_XFF_WORDS];
    uint64_t end;  /* of its last section or table */
    uint64_t data; /* offset of section 1; 0: none */
    uint64_t data_size;
};

/* Is a part of the container within its stated size? */
static bool take_part(struct container *c, uint64_t offset, uint64_t size)
{
    uint64_t limit = c->words[OSSA__XFF_SIZE];
    if (offset > limit || size > limit - offset) return false;
    if (offset + size > c->end) c->end = offset + size;
    return true;
}

static bool read_sections(struct ossa__sotc_view *view, struct container *c)
{
    uint8_t bytes[MOST_SECTIONS * OSSA__XFF_SECTION_SIZE];
    uint32_t count = c->words[OSSA__XFF_SECTION_COUNT];
    uint64_t table = c->words[OSSA__XFF_SECTIONS];
    uint64_t names = c->words[OSSA__XFF_NAME_POSITIONS];
    if (count == 0 || count > MOST_SECTIONS || table < HEADER_SIZE || names < HEADER_SIZE) {
        return false;
    }
    if (!take_part(c, table, (uint64_t)OSSA__XFF_SECTION_SIZE * count)) return false;
    if (!take_part(c, names, 4ULL * count)) return false;
    if (!ossa__sotc_get(view, c->at + table, bytes, (size_t)OSSA__XFF_SECTION_SIZE * count)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *section = bytes + (size_t)OSSA__XFF_SECTION_SIZE * i;
        uint64_t offset = ossa__load_u32(section + 4 * OSSA__XFF_SECTION_OFFSET);
        uint64_t length = ossa__load_u32(section + 4 * OSSA__XFF_SECTION_LENGTH);
        bool has_bytes = length > 0 && ossa__load_u32(section + 4 * SECTION_TYPE) != NO_BITS;
        if (has_bytes && (offset < HEADER_SIZE || !take_part(c, offset, length))) return false;
        if (i != 1 || !has_bytes) continue;
        c->data = offset;
        c->data_size = length;
    }
    return true;
}

static bool read_container(struct ossa__sotc_view *view, struct container *c)
{
    uint8_t bytes[HEADER_SIZE];
    enum { START = 12 }; /* is enough to see that nearly all others are none */
    if (!ossa__sotc_get(view, c->at, bytes, START)) return false;
    if (ossa__load_u32(bytes + 4) != 0 || ossa__load_u32(bytes + 8) != 0) return false;
    if (!ossa__sotc_get(view, c->at, bytes, sizeof bytes)) return false;
    if (!ossa__xff_is_container(bytes, sizeof bytes)) return false;
    for (size_t i = 0; i < OSSA_SOTC_XFF_WORDS; i++) c->words[i] = ossa__load_u32(bytes + 4 * i);
    return take_part(c, 0, HEADER_SIZE) && read_sections(view, c);
}

/* Animations of objects are told by their tables, see sotc_objects.h. */
static bool has_objects(struct ossa__sotc_view *view, const struct container *c)
{
    enum { LARGEST = 32 << 10 }; /* larger ones are taken for what the first word says */
    uint8_t section[LARGEST];
    if (c->data_size > LARGEST || c->words[OSSA__XFF_ENTRY] >= c->data_size) return false;
    return ossa__sotc_get(view, c->at + c->data, section, (size_t)c->data_size) &&
           ossa__has_objects(section, c->data_size, c->words[OSSA__XFF_ENTRY]);
}

/* The kind, from the first word of the data, and from its shape where that leaves it open. */
static void find_kind(struct ossa__sotc_view *view, const struct container *c,
                      ossa_sotc_found *found)
{
    uint8_t bytes[4] = {0};
    uint64_t at = c->at + c->data + c->words[OSSA__XFF_ENTRY];
    bool has_data = c->data > 0 && ossa__sotc_get(view, at, bytes, sizeof bytes);
    found->format = &ossa__format_sotc_xff.about;
    found->kind = "xff";
    if (!has_data) return;
    enum ossa__xff_kind kind = ossa__xff_kind_of_data(bytes);
    if ((kind == OSSA__XFF_OTHER || kind == OSSA__XFF_SKB) && has_objects(view, c)) {
        kind = OSSA__XFF_OBJECTS;
    }
    switch (kind) {
    case OSSA__XFF_OBJECTS:
    case OSSA__XFF_ANB:
        found->format = &ossa__format_sotc_anb.about;
        found->kind = "anb";
        break;
    case OSSA__XFF_SKB:
        found->format = &ossa__format_sotc_skb.about;
        found->kind = "skb";
        break;
    case OSSA__XFF_NMO:
        found->format = &ossa__format_sotc_nmo.about;
        found->kind = "nmo";
        break;
    case OSSA__XFF_NTO:
        found->format = &ossa__format_sotc_nto.about;
        found->kind = "nto";
        break;
    default: break;
    }
}

/* A NUL-terminated name of printable ASCII; false if it is not one, or too long. */
static bool read_name(struct ossa__sotc_view *view, uint64_t at, uint64_t end, char name[64])
{
    char text[64];
    size_t room = at < end && end - at < sizeof text ? (size_t)(end - at) : sizeof text;
    if (at >= end || !ossa__sotc_get(view, at, text, room)) return false;
    size_t size = 0;
    while (size < room && text[size] > ' ' && text[size] < 0x7f) size++;
    if (size == 0 || size == room || text[size] != '\0') return false;
    memcpy(name, text, size + 1);
    return true;
}

/* The name of the first exported symbol. */
static void find_name(struct ossa__sotc_view *view, const struct container *c,
                      ossa_sotc_found *found)
{
    uint8_t bytes[MOST_SYMBOLS * SYMBOL_SIZE];
    uint64_t end = c->at + found->size;
    uint32_t first = c->words[FIRST_GLOBAL];
    uint32_t count = c->words[SYMBOL_COUNT];
    uint64_t table = c->at + c->words[SYMBOLS] + (uint64_t)SYMBOL_SIZE * first;
    if (first >= count || table >= end) return;
    uint64_t room = (end - table) / SYMBOL_SIZE;
    count -= first;
    if (count > room) count = (uint32_t)room;
    if (count > MOST_SYMBOLS) count = MOST_SYMBOLS;
    if (!ossa__sotc_get(view, table, bytes, (size_t)SYMBOL_SIZE * count)) return;
    for (uint32_t i = 0, names = 0; i < count && names < MOST_NAMES; i++) {
        const uint8_t *symbol = bytes + (size_t)SYMBOL_SIZE * i;
        bool is_exported = symbol[12] >> 4 != 0 && ossa__load_u16(symbol + 14) != 0;
        uint64_t text = c->at + c->words[SYMBOL_STRINGS] + ossa__load_u32(symbol);
        if (!is_exported) continue;
        if (read_name(view, text, end, found->name)) return;
        names++;
    }
}

bool ossa__sotc_container_at(struct ossa__sotc_view *view, uint64_t at, struct ossa__sotc_hit *hit)
{
    struct container c = {.at = at};
    if (!read_container(view, &c)) return false;
    uint64_t rest = view->source.size - at;
    uint64_t size = c.words[OSSA__XFF_SIZE];
    hit->found = (ossa_sotc_found){.offset = at, .size = size < rest ? size : rest};
    hit->stated_size = c.words[OSSA__XFF_SIZE];
    hit->end = c.end < rest ? at + c.end : view->source.size;
    find_kind(view, &c, &hit->found);
    find_name(view, &c, &hit->found);
    return !view->failed;
}

bool ossa_sotc_find_at(ossa_read_at *read, void *user, uint64_t size, uint64_t offset,
                       ossa_sotc_found *found)
{
    struct ossa__sotc_view view = {.source = {read, user, size}};
    struct ossa__sotc_hit hit;
    if (!ossa__sotc_container_at(&view, offset, &hit)) return false;
    *found = hit.found;
    return true;
}

/* ---- the search ---------------------------------------------------------------------------- */

/* The next signature at or after `from` in the first `size` bytes of the window; `size` if there is
 * none. */
static size_t next_signature(const struct ossa__sotc_view *view, size_t from, size_t size)
{
    while (from + SIGNATURE_SIZE <= size) {
        size_t room = size - SIGNATURE_SIZE + 1 - from;
        const uint8_t *x = memchr(view->window + from, 'x', room);
        if (x == NULL) return size;
        if (ossa__xff_is_container(x, SIGNATURE_SIZE)) return (size_t)(x - view->window);
        from = (size_t)(x - view->window) + 1;
    }
    return size;
}

/* Put the bytes at `at` in the window. */
static bool load_window(struct ossa__sotc_view *view, uint64_t at, uint64_t end, uint8_t *buffer,
                        size_t capacity)
{
    size_t size = end - at < capacity ? (size_t)(end - at) : capacity;
    view->window = NULL;
    if (!ossa__sotc_get(view, at, buffer, size)) return false;
    view->window = buffer;
    view->window_at = at;
    view->window_size = size;
    return true;
}

static bool is_over(struct ossa__sotc_view *view)
{
    view->is_over = view->examined > FREE && view->examined / MOST_EXAMINED > view->searched;
    return view->is_over;
}

uint64_t ossa__sotc_find(struct ossa__sotc_view *view, uint64_t begin, uint64_t end,
                         uint8_t *buffer, size_t capacity, ossa__sotc_found *found, void *user)
{
    /* A signature that begins in the range may end behind it, or cross the end of a window. */
    uint64_t rest = view->source.size - end;
    uint64_t last = end + (rest < SIGNATURE_SIZE - 1 ? rest : SIGNATURE_SIZE - 1);
    uint64_t at = begin;
    while (at < end && last - at >= SIGNATURE_SIZE && !view->failed && !view->is_over) {
        if (buffer != NULL && !load_window(view, at, last, buffer, capacity)) break;
        uint64_t window_end = view->window_at + view->window_size;
        if (window_end > last) window_end = last;
        size_t size = (size_t)(window_end - view->window_at);
        uint64_t next = window_end - (SIGNATURE_SIZE - 1);
        view->searched += next - at;
        size_t i = next_signature(view, (size_t)(at - view->window_at), size);
        while (i < size && !view->failed && !is_over(view)) {
            struct ossa__sotc_hit hit = {.end = view->window_at + i + 1};
            uint64_t before = view->got;
            bool goes_on = !ossa__sotc_container_at(view, view->window_at + i, &hit) ||
                           found(user, view, &hit);
            view->examined += view->got - before;
            if (!goes_on) return hit.end;
            next = hit.end > next ? hit.end : next;
            if (hit.end >= window_end) break;
            i = next_signature(view, (size_t)(hit.end - view->window_at), size);
        }
        at = next;
    }
    return at > end ? at : end;
}

static bool stop_at_first(void *user, struct ossa__sotc_view *view,
                          const struct ossa__sotc_hit *hit)
{
    (void)view;
    (void)hit;
    *(bool *)user = true;
    return false;
}

bool ossa__sotc_is_row(struct ossa__sotc_view *view)
{
    uint8_t buffer[1024]; /* probes take no memory */
    struct ossa__sotc_hit hit;
    bool is_there = false;
    if (!ossa__sotc_container_at(view, 0, &hit) || hit.found.size == view->source.size) {
        return false;
    }
    uint64_t begin = hit.stated_size;
    uint64_t rest = view->source.size - begin;
    if (rest > MOST_PADDING) return true;
    uint64_t end = begin + (rest < CLOSE ? rest : CLOSE);
    bool is_whole = view->window != NULL && view->window_size == view->source.size;
    (void)ossa__sotc_find(view, begin, end, is_whole ? NULL : buffer, sizeof buffer, stop_at_first,
                          &is_there);
    return is_there && !view->failed;
}

void ossa__sotc_fail_over(struct ossa__context *context)
{
    ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "",
                       "the search was given up: too much looks like a container and is not one");
}

/* Passes on what is found. */
struct listener {
    void (*found)(void *user, const ossa_sotc_found *found);
    void *user;
};

static bool pass_on(void *user, struct ossa__sotc_view *view, const struct ossa__sotc_hit *hit)
{
    const struct listener *listener = user;
    (void)view;
    listener->found(listener->user, &hit->found);
    return true;
}

bool ossa__sotc_scan(ossa_read_at *read, void *user, uint64_t size, const ossa_options *options,
                     void (*found)(void *user, const ossa_sotc_found *found), size_t window,
                     ossa_error *error)
{
    struct ossa__context context;
    ossa_options plain = {.max_memory = UINT64_MAX};
    struct ossa__sotc_view view = {.source = {read, user, size}};
    struct listener listener = {found, user};
    if (options != NULL) plain.allocator = options->allocator;
    ossa__context_init(&context, &plain, 0);
    uint8_t *bytes = ossa__take(&context, window, 1);
    if (bytes != NULL) {
        (void)ossa__sotc_find(&view, 0, size, bytes, window, pass_on, &listener);
    }
    if (view.failed) {
        ossa__fail_nowhere(&context, OSSA_CODE_IO, "",
                           "%zu bytes at 0x%" PRIx64 " could not be read", view.failed_size,
                           view.failed_at);
    } else if (view.is_over) {
        ossa__sotc_fail_over(&context);
    }
    ossa__hand_over_error(&context, error);
    ossa__arena_free(&context.arena);
    return !context.failed;
}

bool ossa_sotc_scan(ossa_read_at *read, void *user, uint64_t size, const ossa_options *options,
                    void (*found)(void *user, const ossa_sotc_found *found), ossa_error *error)
{
    return ossa__sotc_scan(read, user, size, options, found, WINDOW, error);
}
