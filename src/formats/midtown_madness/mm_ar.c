/* SPDX-License-Identifier: MIT
 *
 * mm-ar: the archives of Midtown Madness. There are three kinds, which differ in their first bytes:
 *
 *     "ARES"  the first game's: a tree of folders (mm_ar_ares.c)
 *     "DAVE"  the second game's: a list of entries (mm_ar_dave.c)
 *     "PK"    a ZIP, which the second game reads as well (mm_ar_zip.c)
 *
 * An archive is kept as its image. Entries of the first kind are stored; those of the others may be
 * deflated. In the JSON everything is where its offset says, and `gaps` holds the bytes that no
 * value covers; for a ZIP that is the whole file. */
#include "formats/midtown_madness/mm_ar.h"

#include "archive/inflate.h"
#include "base/json.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

enum {
    MOST_SHARED = 4, /* entries, and names, add up to at most this many times the file */
    SIGNATURE_SIZE = 4,
    ENCRYPTED = 1, /* of a ZIP's flags */
    STORED = 0,    /* methods of a ZIP */
    DEFLATED = 8,
};

static const char *const kind_names[] = {"ares", "dave", "zip"};

const char *ossa_mm_ar_kind_name(ossa_mm_ar_kind kind)
{
    return (unsigned)kind <= OSSA_MM_AR_KIND_ZIP ? kind_names[kind] : "";
}

/* ---- probe --------------------------------------------------------------------------------- */

/* The kind by signature; false if it is none of them. */
static bool find_kind(const uint8_t *data, uint64_t size, ossa_mm_ar_kind *kind)
{
    if (size < SIGNATURE_SIZE) return false;
    bool is_ares = memcmp(data, "ARES", SIGNATURE_SIZE) == 0;
    bool is_dave = memcmp(data, "DAVE", SIGNATURE_SIZE) == 0;
    bool is_zip =
        memcmp(data, "PK\3\4", SIGNATURE_SIZE) == 0 || memcmp(data, "PK\5\6", SIGNATURE_SIZE) == 0;
    *kind = is_ares ? OSSA_MM_AR_KIND_ARES : is_dave ? OSSA_MM_AR_KIND_DAVE : OSSA_MM_AR_KIND_ZIP;
    return is_ares || is_dave || is_zip;
}

static ossa_confidence probe_ar(const uint8_t *data, uint64_t size)
{
    ossa_mm_ar_kind kind;
    uint64_t end;
    bool fits = false;
    if (!find_kind(data, size, &kind)) return OSSA_CONFIDENCE_NONE;
    switch (kind) {
    case OSSA_MM_AR_KIND_ARES: fits = ossa__ares_fits(data, size); break;
    case OSSA_MM_AR_KIND_DAVE: fits = ossa__dave_fits(data, size); break;
    case OSSA_MM_AR_KIND_ZIP: fits = ossa__zip_find_end(data, size, &end); break;
    }
    return fits ? OSSA_CONFIDENCE_SIGNATURE : OSSA_CONFIDENCE_DAMAGED;
}

/* ARES and DAVE have their tables at the start; a ZIP has its own at the end. */
static ossa_confidence probe_table(const uint8_t *start, uint64_t size)
{
    ossa_mm_ar_kind kind;
    if (!find_kind(start, size, &kind) || kind == OSSA_MM_AR_KIND_ZIP) return OSSA_CONFIDENCE_NONE;
    return probe_ar(start, size);
}

static bool may_begin(const uint8_t *start, uint64_t size)
{
    ossa_mm_ar_kind kind;
    return find_kind(start, size, &kind);
}

/* ---- read ---------------------------------------------------------------------------------- */

bool ossa__ar_room(struct ossa__ar_reader *r, size_t count)
{
    r->entries = ossa__take(r->context, count, sizeof *r->entries);
    r->details = ossa__take(r->context, count, sizeof *r->details);
    r->room = r->context->failed ? 0 : count;
    return !r->context->failed;
}

/* Names may share bytes, and the name of a folder is part of the path of every file below it. */
static bool may_take_name(struct ossa__ar_reader *r, uint64_t size, uint64_t at)
{
    r->named += size;
    if (r->named <= MOST_SHARED * r->ar->image_size) return true;
    return ossa__fail(r->context, OSSA_CODE_OVERLAP, at, "",
                      "the overlapping names add up to more than %d times the size of the file",
                      MOST_SHARED);
}

void ossa__ar_add(struct ossa__ar_reader *r, ossa_entry entry, const char *name, size_t name_size,
                  struct ossa__ar_detail detail)
{
    if (r->context->failed || r->ar->entry_count == r->room) return;
    if (!may_take_name(r, name_size, detail.at)) return;
    char *text = ossa__take(r->context, name_size + 1, 1);
    if (text == NULL) return;
    memcpy(text, name, name_size);
    text[name_size] = '\0';
    entry.name = text;
    /* The offset of an empty entry does not matter, but it must be valid. */
    if (entry.stored_size == 0 && entry.offset > r->ar->image_size) entry.offset = 0;
    r->entries[r->ar->entry_count] = entry;
    r->details[r->ar->entry_count] = detail;
    r->ar->entry_count++;
}

void ossa__ar_cover(struct ossa__ar_reader *r, uint64_t offset, uint64_t size, const char *field)
{
    if (r->context->failed || size == 0) return;
    r->stored += size;
    if (r->stored > MOST_SHARED * r->ar->image_size) {
        ossa__fail(r->context, OSSA_CODE_OVERLAP, offset, field,
                   "the overlapping entries add up to more than %d times the size of the file",
                   MOST_SHARED);
        return;
    }
    if (ossa__coverage_touches(&r->coverage, offset, size)) {
        ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, offset, field,
                    "these %" PRIu64 " bytes overlap something else", size);
    }
    ossa__coverage_mark(&r->coverage, offset, size);
}

const char *ossa__ar_name(struct ossa__ar_reader *r, const struct ossa__ar_names *names,
                          uint32_t offset, const char *field, const char *offset_field, uint64_t at,
                          size_t *size)
{
    *size = 0;
    if (r->context->failed) return NULL;
    if (offset >= names->size) {
        ossa__fail(r->context, OSSA_CODE_BAD_OFFSET, at, offset_field,
                   "0x%" PRIx32 " is past the end of the names (0x%" PRIx64 ")", offset,
                   names->size);
        return NULL;
    }
    uint64_t begin = names->begin + offset;
    uint64_t room = names->size - offset;
    if (room > OSSA__AR_LONGEST_NAME + 1) room = OSSA__AR_LONGEST_NAME + 1;
    const uint8_t *name = r->file.data + begin;
    const uint8_t *nul = memchr(name, 0, (size_t)room);
    if (nul == NULL) {
        ossa__fail(r->context, OSSA_CODE_BAD_VALUE, begin, field,
                   "the name is not terminated by a NUL within %" PRIu64 " bytes", room);
        return NULL;
    }
    *size = (size_t)(nul - name);
    if (!ossa__coverage_touches(&r->coverage, begin, 1)) {
        struct ossa__reader window =
            ossa__reader_window(&r->file, begin, *size + 1, offset_field, at);
        (void)ossa__read_bytes(&window, field, OSSA_FIELD_TYPE_TEXT, *size + 1);
        ossa__coverage_mark(&r->coverage, begin, *size + 1);
    }
    return (const char *)name;
}

bool ossa__ar_is_missing(struct ossa__ar_reader *r, uint64_t at, const char *field, uint64_t offset,
                         uint64_t size)
{
    ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET, at, field,
                "the %" PRIu64 " bytes at 0x%" PRIx64 " extend past the end of the file (0x%" PRIx64
                ")",
                size, offset, r->ar->image_size);
    return true;
}

static void warn_of_duplicates(struct ossa__ar_reader *r)
{
    uint32_t count = (uint32_t)r->ar->entry_count;
    const char **names = ossa__take_scratch(r->context, count, sizeof *names);
    if (names == NULL) return;
    for (uint32_t i = 0; i < count; i++) names[i] = r->entries[i].name;
    const uint32_t *first = ossa__first_of_names(r->context, names, count, ossa__compare_paths);
    for (uint32_t i = 0; i < count && first != NULL; i++) {
        if (first[i] == i) continue;
        ossa__enter(r->context, r->records, r->details[i].record);
        ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_DUPLICATE_NAME, r->details[i].at,
                    "", "has the same name as entry %" PRIu32 ", ignoring letter case", first[i]);
        ossa__leave(r->context);
    }
}

static void *read_ar(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__ar_reader r = {.context = context, .records = "entries"};
    ossa__reader_init(&r.file, context, data, size);
    struct ossa__ar_contents *contents = ossa__take(context, 1, sizeof *contents);
    if (!ossa__coverage_init(&r.coverage, context, size)) return NULL;
    *contents = (struct ossa__ar_contents){.ar = {.image = data, .image_size = size},
                                           .parts = context->parts};
    r.ar = &contents->ar;
    if (!find_kind(data, size, &r.ar->kind)) {
        ossa__fail(context, size < SIGNATURE_SIZE ? OSSA_CODE_TRUNCATED : OSSA_CODE_BAD_MAGIC, 0,
                   "magic", "found 0x%08" PRIx32 ", expected \"ARES\", \"DAVE\" or \"PK\" (a ZIP)",
                   ossa__peek_u32(data, size, 0));
        return NULL;
    }
    switch (r.ar->kind) {
    case OSSA_MM_AR_KIND_ARES:
        r.records = "nodes";
        ossa__ares_read(&r);
        break;
    case OSSA_MM_AR_KIND_DAVE: ossa__dave_read(&r); break;
    case OSSA_MM_AR_KIND_ZIP: ossa__zip_read(&r); break;
    }
    warn_of_duplicates(&r);
    r.ar->entries = r.entries;
    contents->details = r.details;
    r.ar->gaps = ossa__gaps_of(context, &r.coverage, &r.ar->gap_count);
    return contents;
}

/* ---- write --------------------------------------------------------------------------------- */

static void write_ar(struct ossa__context *context, const void *contents,
                     struct ossa__writer *writer)
{
    const ossa_mm_ar *ar = contents;
    (void)context;
    ossa__write_bytes(writer, ar->image, ar->image_size);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

void ossa__ar_dump_name(struct ossa__json *json, const char *key, const uint8_t *name)
{
    ossa__json_key(json, key);
    ossa__json_begin_text(json);
    for (; *name != 0; name++) ossa__json_character(json, *name);
    ossa__json_end_text(json);
}

void ossa__ar_dump_bytes(struct ossa__json *json, const ossa_mm_ar *ar, const char *size_key,
                         uint32_t offset, uint32_t size)
{
    if (size > 0 && (uint64_t)offset + size > ar->image_size) {
        ossa__member_uint(json, size_key, size);
    } else {
        ossa__member_hex(json, "data", size == 0 ? ar->image : ar->image + offset, size);
    }
}

static void dump_ar(const void *contents, struct ossa__json *json)
{
    const ossa_mm_ar *ar = contents;
    const ossa_gap all = {.offset = 0, .size = ar->image_size};
    ossa__member_text(json, "kind", ossa_mm_ar_kind_name(ar->kind));
    switch (ar->kind) {
    case OSSA_MM_AR_KIND_ARES: ossa__ares_dump(json, ar); break;
    case OSSA_MM_AR_KIND_DAVE: ossa__dave_dump(json, ar); break;
    case OSSA_MM_AR_KIND_ZIP: ossa__gaps_dump(json, &all, 1, ar->image); return;
    }
    ossa__gaps_dump(json, ar->gaps, ar->gap_count, ar->image);
}

uint32_t ossa__ar_build_number(const struct ossa__value *object, const char *key, uint32_t most)
{
    struct ossa__value value = ossa__value_member(object, key);
    return (uint32_t)ossa__value_integer(&value, 0, most);
}

void ossa__ar_build_word(struct ossa__image *image, const struct ossa__value *object,
                         const char *key, uint64_t at)
{
    struct ossa__value value = ossa__value_member(object, key);
    ossa__image_put_u32(image, at, ossa__value_u32(&value), &value);
}

void ossa__ar_build_name(struct ossa__image *image, const struct ossa__value *object,
                         const char *key, uint64_t at)
{
    struct ossa__value value = ossa__value_member(object, key);
    uint8_t name[OSSA__AR_LONGEST_NAME + 1];
    size_t used = 0;
    size_t size;
    const char *text = ossa__value_text(&value, &size);
    for (size_t i = 0; i < size && !image->context->failed;) {
        uint32_t character;
        i += ossa__utf8_decode(text + i, size - i, &character);
        if (character == 0 || character > UINT8_MAX) {
            ossa__value_fail(&value, "contains a NUL or a character above U+00FF");
        } else if (used == OSSA__AR_LONGEST_NAME) {
            ossa__value_fail(&value, "is longer than %d bytes", OSSA__AR_LONGEST_NAME);
        } else {
            name[used++] = (uint8_t)character;
        }
    }
    name[used] = 0;
    ossa__image_put(image, at, name, used + 1, &value);
}

uint32_t ossa__ar_build_bytes(struct ossa__image *image, const struct ossa__value *object,
                              const char *size_key, uint32_t offset, uint32_t most)
{
    if (ossa__value_optional(object, size_key).node != NULL) {
        return ossa__ar_build_number(object, size_key, most);
    }
    struct ossa__value value = ossa__value_member(object, "data");
    size_t size;
    const uint8_t *bytes = ossa__value_hex(&value, &size);
    if (size > most) ossa__value_fail(&value, "has more than %u bytes", (unsigned)most);
    if (size > 0) ossa__image_put(image, offset, bytes, size, &value);
    return (uint32_t)size;
}

static void *build_ar(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    struct ossa__image image;
    struct ossa__ar_contents *contents = ossa__take(context, 1, sizeof *contents);
    if (!ossa__image_init(&image, context, size)) return NULL;
    struct ossa__value kind = ossa__value_member(data, "kind");
    const char *word = ossa__value_word(&kind);
    if (context->failed) return NULL;
    if (strcmp(word, "ares") == 0) ossa__ares_build(&image, data);
    else if (strcmp(word, "dave") == 0) ossa__dave_build(&image, data);
    else if (strcmp(word, "zip") == 0) ossa__value_allow(data, "kind gaps");
    else ossa__value_fail(&kind, "must be ares, dave or zip");
    ossa__image_put_gaps(&image, data);
    ossa__image_finish(&image, data);
    /* The image is all there is to write: this struct has no entries. */
    *contents = (struct ossa__ar_contents){.ar = {.image = image.bytes, .image_size = size}};
    return contents;
}

/* ---- entries ------------------------------------------------------------------------------- */

static struct ossa__listing list_ar(const void *contents)
{
    const struct ossa__ar_contents *archive = contents;
    return (struct ossa__listing){.entries = archive->ar.entries,
                                  .count = archive->ar.entry_count,
                                  .image = archive->ar.image,
                                  .image_size = archive->ar.image_size,
                                  .parts = archive->parts};
}

static void unpack_ar(struct ossa__context *context, const void *contents, size_t index,
                      uint8_t *out)
{
    const struct ossa__ar_contents *archive = contents;
    const ossa_entry *entry = &archive->ar.entries[index];
    const struct ossa__ar_detail *detail = &archive->details[index];
    struct ossa__shown name = ossa__show_name(entry->name);
    if ((detail->flags & ENCRYPTED) != 0) {
        ossa__fail(context, OSSA_CODE_UNKNOWN_FLAG, detail->at, name.text,
                   "is encrypted, which is not supported");
    } else if (detail->method != STORED && detail->method != DEFLATED) {
        ossa__fail(context, OSSA_CODE_UNKNOWN_FLAG, detail->at, name.text,
                   "uses compression method %u, expected 0 (stored) or 8 (deflated)",
                   detail->method);
    } else {
        struct ossa__listing listing = list_ar(contents);
        ossa_bytes stored = {.allocator = context->arena.allocator};
        if (!ossa__stored_or_fail(context, &listing, entry, &stored)) return;
        const struct ossa__deflated packed = {.name = name.text,
                                              .bytes = stored.data,
                                              .size = entry->stored_size,
                                              .unpacked_size = entry->size,
                                              .crc = detail->has_crc ? &detail->crc : NULL};
        (void)ossa__inflate(context, &packed, out);
        ossa_bytes_free(&stored);
    }
}

static const char *pack_dialect(const void *contents)
{
    return kind_names[((const ossa_mm_ar *)contents)->kind];
}

/* ---- describe ------------------------------------------------------------------------------ */

static void describe_ar(const void *contents, struct ossa__report *report)
{
    static const char *const kinds[] = {"ARES (first game)", "DAVE (second game)",
                                        "ZIP (add-ons for the second game)"};
    const ossa_mm_ar *ar = contents;
    uint64_t packed = 0;
    uint64_t stored = 0;
    for (size_t i = 0; i < ar->entry_count; i++) {
        packed += ar->entries[i].is_packed ? 1 : 0;
        stored += ar->entries[i].stored_size;
    }
    ossa__report_text(report, "archive", "archive",
                      report->json != NULL ? kind_names[ar->kind] : kinds[ar->kind]);
    if (ar->kind == OSSA_MM_AR_KIND_ARES) {
        ossa__report_integer(report, "nodes", "nodes", ar->record_count);
    } else {
        ossa__report_integer(report, "packed", "packed", packed);
        ossa__report_integer(report, "stored_bytes", "stored bytes", stored);
    }
    struct ossa__listing listing = list_ar(contents);
    ossa__report_entries(report, &listing);
}

ossa_mm_ar *ossa_as_mm_ar(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_mm_ar);
}

const struct ossa__format ossa__format_mm_ar = {
    .about = {.id = "mm-ar",
              .title = "Midtown Madness archive",
              .game = "Midtown Madness 1 and 2 (1999, 2000)",
              .extensions = "ar",
              .kind = OSSA_KIND_ARCHIVE},
    .game = &ossa__game_midtown_madness,
    .scattered = true,
    .probe = probe_ar,
    .may_begin = may_begin,
    .probe_start = probe_table,
    .read = read_ar,
    .write = write_ar,
    .dump = dump_ar,
    .build = OSSA__BUILT_BY(build_ar),
    .describe = describe_ar,
    .list = list_ar,
    .unpack = unpack_ar,
    .pack = OSSA__PACKED_BY(ossa__ar_pack),
    .pack_dialect = pack_dialect,
};
