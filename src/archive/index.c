/* SPDX-License-Identifier: MIT
 *
 *     0x00  char[8]  magic        "ossaidx" and a newline
 *     0x08  u32      version      1
 *     0x0C  u32      archive_crc  of some parts of the archive, see `crc_of`
 *     0x10  u64      archive_size
 *     0x18  u32      entry_count
 *     0x1C  u32      text_size
 *     0x20  entry_count times { u64 offset; u64 size; u32 name_size; u32 own_size; u32 format }
 *           text_size bytes: the id of the archive's format; ids of formats, then an empty one;
 *           the names of the entries in their order. All end with a NUL, and sizes count it.
 *           u32      crc          of all before
 *
 * `format` is a number among the ids. own_size is 0 if an entry has no name of its own, and has
 * bit 31 set if that is the end of its name: then no bytes of it follow. Numbers are little-endian.
 * Nothing is stored twice and names do not share bytes, so a hostile index costs no more than its
 * size. */
#include "archive/index.h"

#include "archive/inflate_plain.h"
#include "base/bytes.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    VERSION = 1,
    HEADER_SIZE = 0x20,
    ROW_SIZE = 28,
    CRC_SIZE = 4,
    ENDS = 64 << 10, /* bytes at the start and at the end of the archive */
    PROBES = 62,     /* spread over the rest */
    PROBE = 4 << 10,
    MOST_FORMATS = 64,
    MOST_NAME = 4096,
};
static const char magic[8] = {'o', 's', 's', 'a', 'i', 'd', 'x', '\n'};
static const uint32_t is_tail = 0x80000000;

bool ossa__is_offset_name(const ossa_entry *entry)
{
    char text[24];
    (void)snprintf(text, sizeof text, "0x%08" PRIx64 ".", entry->offset);
    return strncmp(entry->name, text, strlen(text)) == 0;
}

static bool add_crc(const ossa_source *source, uint64_t offset, uint64_t size, uint32_t *crc)
{
    uint8_t bytes[PROBE];
    for (uint64_t done = 0; done < size;) {
        size_t step = size - done < PROBE ? (size_t)(size - done) : PROBE;
        if (!ossa__source_get(source, offset + done, bytes, step)) return false;
        *crc = ossa__crc32(*crc, bytes, step);
        done += step;
    }
    return true;
}

/* Enough of an archive to tell it from another one: both ends, and pieces between them. */
static bool crc_of(const ossa_source *source, uint32_t *crc)
{
    uint64_t size = source->size;
    *crc = 0;
    if (size <= 2ULL * ENDS + (uint64_t)PROBES * PROBE) return add_crc(source, 0, size, crc);
    uint64_t stride = (size - 2ULL * ENDS) / PROBES;
    bool ok = add_crc(source, 0, ENDS, crc);
    for (uint64_t i = 0; i < PROBES && ok; i++) {
        ok = add_crc(source, ENDS + i * stride, PROBE, crc);
    }
    return ok && add_crc(source, size - ENDS, ENDS, crc);
}

/* ---- reading ------------------------------------------------------------------------------- */

/* An index being read. */
struct reading {
    const uint8_t *rows;
    uint32_t count;
    const char *text; /* of which the last byte is a NUL */
    const char *text_end;
    const ossa_format *formats[MOST_FORMATS];
    uint32_t format_count;
    ossa_entry *entries;
    struct ossa__entry_hint *hints;
};

/* A text of `size` bytes with its NUL; NULL: that is not what follows. */
static const char *next_text(struct reading *r, size_t size)
{
    const char *text = r->text;
    if (size == 0 || size > (size_t)(r->text_end - text)) return NULL;
    if (memchr(text, 0, size) != text + size - 1) return NULL;
    if (!ossa__utf8_is_valid(text, size - 1)) return NULL;
    r->text += size;
    return text;
}

static const char *next_word(struct reading *r)
{
    const char *nul = memchr(r->text, 0, (size_t)(r->text_end - r->text));
    return nul == NULL ? NULL : next_text(r, (size_t)(nul - r->text) + 1);
}

/* What is wrong with the ids; NULL: nothing. */
static const char *read_formats(struct reading *r, const char *archive_format)
{
    const char *id = next_word(r);
    if (id == NULL || strcmp(id, archive_format) != 0) return "it is one of another format";
    for (id = next_word(r); id != NULL && id[0] != '\0'; id = next_word(r)) {
        if (r->format_count == MOST_FORMATS) return "it has too many formats";
        r->formats[r->format_count++] = ossa_format_find(id);
    }
    return id == NULL ? "it is damaged" : NULL;
}

static bool read_row(struct reading *r, uint32_t index, uint64_t archive_size)
{
    const uint8_t *row = r->rows + (size_t)ROW_SIZE * index;
    ossa_entry *entry = &r->entries[index];
    uint32_t name_size = ossa__load_u32(row + 16);
    uint32_t own_size = ossa__load_u32(row + 20);
    uint32_t format = ossa__load_u32(row + 24);
    *entry = (ossa_entry){.offset = ossa__load_u64(row), .size = ossa__load_u64(row + 8)};
    entry->stored_size = entry->size;
    if (index > 0 && entry->offset <= r->entries[index - 1].offset) return false;
    if (entry->offset > archive_size || entry->size > archive_size - entry->offset) return false;
    if (format >= r->format_count || r->formats[format] == NULL) return false;
    if (name_size < 2 || name_size > MOST_NAME) return false;
    const char *name = next_text(r, name_size);
    const char *own = NULL;
    if (name == NULL) return false;
    if ((own_size & is_tail) != 0) {
        own_size &= ~is_tail;
        if (own_size < 2 || own_size > name_size) return false;
        own = name + name_size - own_size;
    } else if (own_size > 0) {
        own = own_size > MOST_NAME ? NULL : next_text(r, own_size);
        if (own == NULL) return false;
    }
    entry->name = name;
    r->hints[index] = (struct ossa__entry_hint){r->formats[format], own};
    return true;
}

/* The numbers that need no memory; what is wrong with them, or NULL. */
static const char *check_frame(const uint8_t *data, size_t size, const ossa_source *source,
                               struct reading *r)
{
    if (size < HEADER_SIZE + CRC_SIZE || memcmp(data, magic, sizeof magic) != 0) {
        return "it is not an index";
    }
    if (ossa__load_u32(data + 0x08) != VERSION) return "it is of another version";
    uint32_t text_size = ossa__load_u32(data + 0x1c);
    r->count = ossa__load_u32(data + 0x18);
    if (text_size == 0 ||
        (uint64_t)ROW_SIZE * r->count + text_size != (uint64_t)size - HEADER_SIZE - CRC_SIZE) {
        return "it is damaged";
    }
    size_t body = size - CRC_SIZE;
    if (ossa__crc32(0, data, body) != ossa__load_u32(data + body)) return "it is damaged";
    if (ossa__load_u64(data + 0x10) != source->size) return "the archive has another size";
    uint32_t crc;
    if (!crc_of(source, &crc)) return "the archive could not be read";
    if (crc != ossa__load_u32(data + 0x0c)) return "the archive has changed";
    r->rows = data + HEADER_SIZE;
    return NULL;
}

/* Names are kept: the text is copied. */
static const char *read_rows(struct ossa__context *context, const ossa_source *source,
                             const uint8_t *data, size_t size, struct reading *r)
{
    size_t text_at = HEADER_SIZE + (size_t)ROW_SIZE * r->count;
    size_t text_size = size - CRC_SIZE - text_at;
    char *text = ossa__take(context, text_size, 1);
    r->entries = ossa__take(context, r->count, sizeof *r->entries);
    r->hints = ossa__take(context, r->count, sizeof *r->hints);
    if (r->hints == NULL) return NULL;
    memcpy(text, data + text_at, text_size);
    r->text = text;
    r->text_end = text + text_size;
    const char *wrong = read_formats(r, context->format);
    for (uint32_t i = 0; i < r->count && wrong == NULL; i++) {
        if (!read_row(r, i, source->size)) wrong = "it is damaged";
    }
    return wrong;
}

bool ossa__index_read(struct ossa__context *context, const ossa_source *source,
                      struct ossa__indexed *indexed)
{
    const uint8_t *data = context->options.index;
    size_t size = context->options.index_size;
    struct reading r = {.count = 0};
    const char *wrong = check_frame(data, size, source, &r);
    if (wrong == NULL) wrong = read_rows(context, source, data, size, &r);
    if (context->failed) return false;
    if (wrong != NULL) {
        ossa__issue_nowhere(context, OSSA_SEVERITY_WARNING, OSSA_CODE_MISFIT, "index",
                            "the index is not used: %s; the archive was searched", wrong);
        return false;
    }
    *indexed = (struct ossa__indexed){r.entries, r.hints, r.count};
    return true;
}

/* ---- writing ------------------------------------------------------------------------------- */

/* Counts and sums up what goes to the sink. */
struct writing {
    ossa_sink sink;
    uint32_t crc;
    bool failed;
};

static void put(struct writing *w, const void *bytes, size_t size)
{
    if (w->failed) return;
    w->crc = ossa__crc32(w->crc, bytes, size);
    w->failed = !w->sink.write(w->sink.user, bytes, size);
}

static void put_text(struct writing *w, const char *text)
{
    put(w, text, strlen(text) + 1);
}

/* own_size of an entry. */
static uint32_t own_size_of(const char *name, const char *own)
{
    if (own == NULL) return 0;
    size_t name_size = strlen(name);
    size_t size = strlen(own);
    bool is_end = size > 0 && size <= name_size && strcmp(name + name_size - size, own) == 0;
    return (uint32_t)(size + 1) | (is_end ? is_tail : 0);
}

static uint32_t number_of(const ossa_format *format)
{
    uint32_t number = 0;
    while (ossa__formats[number] != NULL && &ossa__formats[number]->about != format) number++;
    return number;
}

static uint64_t text_size_of(const ossa_file *archive, const struct ossa__listing *listing)
{
    uint64_t size = strlen(archive->format->id) + 1;
    for (size_t i = 0; ossa__formats[i] != NULL; i++)
        size += strlen(ossa__formats[i]->about.id) + 1;
    size++;
    for (size_t i = 0; i < listing->count; i++) {
        uint32_t own = own_size_of(listing->entries[i].name, listing->hints[i].own_name);
        size += strlen(listing->entries[i].name) + 1 + ((own & is_tail) != 0 ? 0 : own);
    }
    return size;
}

static void write_index(struct writing *w, const ossa_file *archive,
                        const struct ossa__listing *listing, uint32_t archive_crc)
{
    uint8_t header[HEADER_SIZE];
    memcpy(header, magic, sizeof magic);
    ossa__store_u32(header + 0x08, VERSION);
    ossa__store_u32(header + 0x0c, archive_crc);
    ossa__store_u64(header + 0x10, listing->source->size);
    ossa__store_u32(header + 0x18, (uint32_t)listing->count);
    ossa__store_u32(header + 0x1c, (uint32_t)text_size_of(archive, listing));
    put(w, header, sizeof header);
    for (size_t i = 0; i < listing->count; i++) {
        const ossa_entry *entry = &listing->entries[i];
        uint8_t row[ROW_SIZE];
        ossa__store_u64(row, entry->offset);
        ossa__store_u64(row + 8, entry->size);
        ossa__store_u32(row + 16, (uint32_t)strlen(entry->name) + 1);
        ossa__store_u32(row + 20, own_size_of(entry->name, listing->hints[i].own_name));
        ossa__store_u32(row + 24, number_of(listing->hints[i].format));
        put(w, row, sizeof row);
    }
    put_text(w, archive->format->id);
    for (size_t i = 0; ossa__formats[i] != NULL; i++) put_text(w, ossa__formats[i]->about.id);
    put_text(w, "");
    for (size_t i = 0; i < listing->count; i++) {
        const char *own = listing->hints[i].own_name;
        put_text(w, listing->entries[i].name);
        if (own != NULL && (own_size_of(listing->entries[i].name, own) & is_tail) == 0) {
            put_text(w, own);
        }
    }
    uint8_t crc[CRC_SIZE];
    ossa__store_u32(crc, w->crc);
    put(w, crc, sizeof crc);
}

bool ossa_write_index(const ossa_file *archive, ossa_sink sink, ossa_error *error)
{
    struct ossa__context context;
    struct writing w = {.sink = sink};
    const struct ossa__format *format = ossa__format_of(archive);
    struct ossa__listing listing = {0};
    uint32_t crc;
    ossa__context_init(&context, NULL, 0);
    context.format = archive->format->id;
    if (format->searches) listing = format->list(ossa__contents_in_parts(archive));
    if (listing.source == NULL) {
        ossa__fail_nowhere(&context, OSSA_CODE_BAD_ARGUMENT, "",
                           "only an archive that was searched as a whole can have an index");
    } else if (!crc_of(listing.source, &crc)) {
        ossa__fail_nowhere(&context, OSSA_CODE_IO, "", "the archive could not be read");
    } else if (text_size_of(archive, &listing) > UINT32_MAX) {
        ossa__fail_nowhere(&context, OSSA_CODE_LIMIT, "", "the names are longer than 4 GiB");
    } else {
        write_index(&w, archive, &listing, crc);
    }
    if (w.failed) {
        ossa__fail_nowhere(&context, OSSA_CODE_IO, "", "the output could not be written");
    }
    ossa__hand_over_error(&context, error);
    ossa__arena_free(&context.arena);
    return !context.failed;
}
