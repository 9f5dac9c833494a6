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
#include "formats/shadow_of_the_colossus/sotc_xff.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    WINDOW = 256 << 10, /* fits in the cache of the processor */
    SIGNATURE_SIZE = 4,
    HEADER_SIZE = 4 * OSSA_SOTC_XFF_WORDS,
    MOST_SECTIONS = 256, /* the largest program of the game has about twenty */
    MOST_SYMBOLS = 256,  /* symbols searched for a name */
    SYMBOL_SIZE = 16,
    NO_BITS = 8, /* the type of a section without bytes */
    SECTION_TYPE = 4,
    /* words of the header */
    FIRST_GLOBAL = 3,
    SYMBOL_COUNT = 9,
    SYMBOLS = 21,
    SYMBOL_STRINGS = 22,
};

/* The file, and the part of it that is in memory. */
struct source {
    ossa_read_at *read;
    void *user;
    uint64_t size;
    const uint8_t *window; /* NULL: none */
    uint64_t window_at;
    size_t window_size;
};

/* Bytes from the window, or else from the file; false if they cannot be read. */
static bool get(const struct source *source, uint64_t offset, void *bytes, size_t size)
{
    if (offset > source->size || size > source->size - offset) return false;
    bool is_near = source->window != NULL && offset >= source->window_at &&
                   offset - source->window_at <= source->window_size &&
                   size <= source->window_size - (size_t)(offset - source->window_at);
    if (!is_near) return source->read(source->user, offset, bytes, size);
    memcpy(bytes, source->window + (offset - source->window_at), size);
    return true;
}

/* ---- one container ------------------------------------------------------------------------- */

/* A possible container. */
struct container {
    uint64_t at;
    uint32_t words[OSSA_SOTC_XFF_WORDS];
    uint64_t end;  /* of its last section or table */
    uint64_t data; /* offset of section 1; 0: none */
};

static void load_words(uint32_t *words, const uint8_t *bytes, unsigned count)
{
    for (unsigned i = 0; i < count; i++) words[i] = ossa__load_u32(bytes + 4ULL * i);
}

/* Is a part of the container within its stated size? */
static bool take_part(struct container *c, uint64_t offset, uint64_t size)
{
    uint64_t limit = c->words[OSSA__XFF_SIZE];
    if (offset > limit || size > limit - offset) return false;
    if (offset + size > c->end) c->end = offset + size;
    return true;
}

static bool read_sections(const struct source *source, struct container *c)
{
    uint32_t count = c->words[OSSA__XFF_SECTION_COUNT];
    uint64_t table = c->words[OSSA__XFF_SECTIONS];
    uint64_t names = c->words[OSSA__XFF_NAME_POSITIONS];
    if (count == 0 || count > MOST_SECTIONS || table < HEADER_SIZE || names < HEADER_SIZE) {
        return false;
    }
    if (!take_part(c, table, (uint64_t)OSSA__XFF_SECTION_SIZE * count)) return false;
    if (!take_part(c, names, 4ULL * count)) return false;
    for (uint32_t i = 0; i < count; i++) {
        uint8_t bytes[OSSA__XFF_SECTION_SIZE];
        uint32_t words[8];
        uint64_t at = c->at + table + (uint64_t)OSSA__XFF_SECTION_SIZE * i;
        if (!get(source, at, bytes, sizeof bytes)) return false;
        load_words(words, bytes, 8);
        uint64_t offset = words[OSSA__XFF_SECTION_OFFSET];
        uint64_t length = words[OSSA__XFF_SECTION_LENGTH];
        bool has_bytes = length > 0 && words[SECTION_TYPE] != NO_BITS;
        if (has_bytes && (offset < HEADER_SIZE || !take_part(c, offset, length))) return false;
        if (i == 1 && has_bytes) c->data = offset;
    }
    return true;
}

static bool read_container(const struct source *source, struct container *c)
{
    uint8_t bytes[HEADER_SIZE];
    if (!get(source, c->at, bytes, sizeof bytes)) return false;
    if (!ossa__xff_is_container(bytes, sizeof bytes)) return false;
    load_words(c->words, bytes, OSSA_SOTC_XFF_WORDS);
    if (c->words[1] != 0 || c->words[2] != 0) return false;
    return take_part(c, 0, HEADER_SIZE) && read_sections(source, c);
}

/* The kind, from the first word of the data. */
static void find_kind(const struct source *source, const struct container *c,
                      ossa_sotc_found *found)
{
    uint8_t bytes[4] = {0};
    uint64_t at = c->at + c->data + c->words[OSSA__XFF_ENTRY];
    bool has_data = c->data > 0 && get(source, at, bytes, sizeof bytes);
    found->format = &ossa__format_sotc_xff.about;
    found->kind = "xff";
    if (!has_data) return;
    switch (ossa__xff_kind_of_data(bytes)) {
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
static bool read_name(const struct source *source, uint64_t at, uint64_t end, char name[64])
{
    char text[64];
    size_t room = at < end && end - at < sizeof text ? (size_t)(end - at) : sizeof text;
    if (at >= end || !get(source, at, text, room)) return false;
    size_t size = 0;
    while (size < room && text[size] > ' ' && text[size] < 0x7f) size++;
    if (size == 0 || size == room || text[size] != '\0') return false;
    memcpy(name, text, size + 1);
    return true;
}

/* The name of the first exported symbol. */
static void find_name(const struct source *source, const struct container *c,
                      ossa_sotc_found *found)
{
    uint64_t end = c->at + found->size;
    uint32_t first = c->words[FIRST_GLOBAL];
    uint32_t count = c->words[SYMBOL_COUNT];
    found->name[0] = '\0';
    for (uint32_t i = 0; i < MOST_SYMBOLS && first < count; i++, first++) {
        uint8_t symbol[SYMBOL_SIZE];
        uint64_t at = c->at + c->words[SYMBOLS] + (uint64_t)SYMBOL_SIZE * first;
        if (at + SYMBOL_SIZE > end || !get(source, at, symbol, sizeof symbol)) return;
        bool is_exported = symbol[12] >> 4 != 0 && ossa__load_u16(symbol + 14) != 0;
        uint64_t text = c->at + c->words[SYMBOL_STRINGS] + ossa__load_u32(symbol);
        if (is_exported && read_name(source, text, end, found->name)) return;
    }
}

/* Is there a container? If so, `*end` is where its last part ends. */
static bool test(const struct source *source, uint64_t at, ossa_sotc_found *found, uint64_t *end)
{
    struct container c = {.at = at};
    if (!read_container(source, &c)) return false;
    uint64_t rest = source->size - at;
    uint64_t size = c.words[OSSA__XFF_SIZE];
    *found = (ossa_sotc_found){.offset = at, .size = size < rest ? size : rest};
    find_kind(source, &c, found);
    find_name(source, &c, found);
    *end = c.end < rest ? at + c.end : source->size;
    return true;
}

bool ossa_sotc_find_at(ossa_read_at *read, void *user, uint64_t size, uint64_t offset,
                       ossa_sotc_found *found)
{
    const struct source source = {.read = read, .user = user, .size = size};
    uint64_t end;
    return test(&source, offset, found, &end);
}

/* ---- the search ---------------------------------------------------------------------------- */

/* The next signature at or after `from` in the window; the size of the window if there is none. */
static size_t next_signature(const struct source *source, size_t from)
{
    size_t size = source->window_size;
    while (from + SIGNATURE_SIZE <= size) {
        size_t room = size - SIGNATURE_SIZE + 1 - from;
        const uint8_t *x = memchr(source->window + from, 'x', room);
        if (x == NULL) return size;
        if (ossa__xff_is_container(x, SIGNATURE_SIZE)) return (size_t)(x - source->window);
        from = (size_t)(x - source->window) + 1;
    }
    return size;
}

bool ossa__sotc_scan(ossa_read_at *read, void *user, uint64_t size, const ossa_options *options,
                     void (*found)(void *user, const ossa_sotc_found *found), size_t window,
                     ossa_error *error)
{
    struct ossa__context context;
    ossa_options plain = {.max_memory = UINT64_MAX};
    struct source source = {.read = read, .user = user, .size = size};
    if (options != NULL) plain.allocator = options->allocator;
    ossa__context_init(&context, &plain, 0);
    uint8_t *bytes = ossa__take(&context, window, 1);
    /* `at` is where the search continues; a signature may cross the end of a window. */
    for (uint64_t at = 0; bytes != NULL && size - at >= SIGNATURE_SIZE;) {
        source.window = bytes;
        source.window_at = at;
        source.window_size = size - at < window ? (size_t)(size - at) : window;
        if (!read(user, at, bytes, source.window_size)) {
            ossa__fail_nowhere(&context, OSSA_CODE_IO, "",
                               "%zu bytes at 0x%" PRIx64 " could not be read", source.window_size,
                               at);
            break;
        }
        uint64_t next = at + source.window_size - (SIGNATURE_SIZE - 1);
        for (size_t i = next_signature(&source, 0); i < source.window_size;) {
            ossa_sotc_found one;
            uint64_t end = at + i + 1;
            if (test(&source, at + i, &one, &end)) found(user, &one);
            if (end >= at + source.window_size) {
                next = end;
                break;
            }
            i = next_signature(&source, (size_t)(end - at));
        }
        at = next;
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

/* ---- for the workspace --------------------------------------------------------------------- */

struct finder {
    ossa__read_at *read;
    void (*found)(void *user, const struct ossa__finding *finding);
    void *user;
};

static bool read_for(void *user, uint64_t offset, void *bytes, size_t size)
{
    const struct finder *finder = user;
    return finder->read(finder->user, offset, bytes, size);
}

static struct ossa__finding finding_of(const ossa_sotc_found *found)
{
    struct ossa__finding finding = {
        .offset = found->offset, .size = found->size, .format = found->format, .kind = found->kind};
    (void)snprintf(finding.name, sizeof finding.name, "%s", found->name);
    return finding;
}

static void found_for(void *user, const ossa_sotc_found *found)
{
    const struct finder *finder = user;
    const struct ossa__finding finding = finding_of(found);
    finder->found(finder->user, &finding);
}

bool ossa__sotc_search(ossa__read_at *read, void (*found)(void *, const struct ossa__finding *),
                       void *user, uint64_t size, ossa_allocator allocator, ossa_error *error)
{
    struct finder finder = {read, found, user};
    const ossa_options options = {.allocator = allocator};
    return ossa_sotc_scan(read_for, &finder, size, &options, found_for, error);
}

bool ossa__sotc_search_at(ossa__read_at *read, void *user, uint64_t size, uint64_t offset,
                          struct ossa__finding *found)
{
    ossa_sotc_found one;
    if (!ossa_sotc_find_at(read, user, size, offset, &one)) return false;
    *found = finding_of(&one);
    return true;
}
