/* SPDX-License-Identifier: MIT
 *
 * sotc-xff: the container of Shadow of the Colossus' files, a linked object file.
 *
 *     0x00  char[4]  magic          "xff\0" or "xff2"
 *     0x04  27 words, named in `word_names` below; among them
 *     0x14  u32      size           of the whole container
 *     0x40  u32      section_count
 *     0x4C  u32      entry          of the data's header, from the start of section 1
 *     0x5C  u32      sections_offset: section_count times 8 words (`section_names`)
 *     0x68  u32      section_name_positions: section_count times u32
 *     0x6C  u32      section_strings: names, closed by a NUL, at the positions above
 *
 * Symbols and relocations are kept as bytes: where their tables lie is not settled. The tables may
 * share bytes, and a file may go on past `size` (padding of the disc). */
#include "formats/shadow_of_the_colossus/sotc_xff.h"

#include "core/bytes.h"
#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    HEADER_SIZE = 4 * OSSA_SOTC_XFF_WORDS,
    SECTION_SIZE = 32,
    NAME_LIMIT = 256, /* longer names are refused: a file of sections could share a huge one */
    /* words of the header */
    WORD_SIZE = 5,
    WORD_SECTION_COUNT = 16,
    WORD_ENTRY = 19,
    WORD_SECTIONS = 23,
    WORD_NAME_POSITIONS = 26,
    WORD_STRINGS = 27,
    /* words of a section */
    SECTION_LENGTH = 2,
    SECTION_OFFSET = 7,
};

static const char *const word_names[OSSA_SOTC_XFF_WORDS] = {
    "magic",
    "zero_04",
    "zero_08",
    "first_global",
    "unknown_10",
    "size",
    "unknown_18",
    "import_count",
    "unknown_20",
    "symbol_count",
    "unknown_28",
    "unknown_2c",
    "unknown_30",
    "unknown_34",
    "relocation_count",
    "unknown_3c",
    "section_count",
    "unknown_44",
    "unknown_48",
    "entry",
    "unknown_50",
    "symbol_positions",
    "symbol_strings",
    "sections_offset",
    "symbols_offset",
    "unknown_64",
    "section_name_positions",
    "section_strings",
};

static const char *const section_names[8] = {"address", "image_address", "size",  "alignment",
                                             "type",    "flags",         "state", "offset"};

/* ---- probe --------------------------------------------------------------------------------- */

bool ossa__xff_is_container(const uint8_t *data, uint64_t size)
{
    return size >= 4 && (memcmp(data, "xff\0", 4) == 0 || memcmp(data, "xff2", 4) == 0);
}

enum ossa__xff_kind ossa__xff_kind(const uint8_t *data, uint64_t size)
{
    if (!ossa__xff_is_container(data, size) || size < HEADER_SIZE) return OSSA__XFF_NOTHING;
    uint64_t sections = ossa__peek_u32(data, size, 4 * WORD_SECTIONS);
    uint64_t entry = ossa__peek_u32(data, size, 4 * WORD_ENTRY);
    uint64_t section = sections + SECTION_SIZE;
    if (ossa__peek_u32(data, size, 4 * WORD_SECTION_COUNT) < 2 || size < section + SECTION_SIZE) {
        return OSSA__XFF_NOTHING;
    }
    uint64_t at = ossa__peek_u32(data, size, section + 4 * SECTION_OFFSET) + entry;
    if (at > size || size - at < 4) return OSSA__XFF_NOTHING;
    if (memcmp(data + at, "NMO\0", 4) == 0) return OSSA__XFF_NMO;
    if (memcmp(data + at, "NTO2", 4) == 0) return OSSA__XFF_NTO;
    switch (ossa__peek_u32(data, size, at)) {
    case 12:
        return OSSA__XFF_ANB;
    case 1:
        return OSSA__XFF_SKB;
    default:
        return OSSA__XFF_OTHER;
    }
}

/* Claims what no format for the inside does. */
static ossa_confidence probe_xff(const uint8_t *data, uint64_t size)
{
    if (!ossa__xff_is_container(data, size)) return OSSA_NO;
    return ossa__xff_kind(data, size) == OSSA__XFF_ANB ? OSSA_NO : OSSA_SIGNATURE;
}

/* ---- read ---------------------------------------------------------------------------------- */

static void read_header(struct ossa__reader *file, ossa_sotc_xff *xff,
                        struct ossa__coverage *coverage)
{
    struct ossa__context *context = file->context;
    const uint8_t *magic = ossa__read_bytes(file, "magic", OSSA_FIELD_TEXT, 4);
    if (magic == NULL) return;
    xff->words[0] = ossa__load_u32(magic);
    if (!ossa__xff_is_container(magic, 4)) {
        ossa__fail(context, OSSA_BAD_MAGIC, 0, "magic",
                   "found 0x%08" PRIx32 ", expected \"xff\\0\" or \"xff2\"", xff->words[0]);
        return;
    }
    for (unsigned i = 1; i < OSSA_SOTC_XFF_WORDS; i++) {
        xff->words[i] = ossa__read_u32(file, word_names[i]);
    }
    if (context->failed) return;
    ossa__coverage_mark(coverage, 0, HEADER_SIZE);
    for (unsigned i = 1; i <= 2; i++) {
        if (xff->words[i] == 0) continue;
        ossa__issue(context, OSSA_WARNING, OSSA_UNUSUAL_VALUE, 4 * i, word_names[i],
                    "%" PRIu32 ", expected 0", xff->words[i]);
    }
    if (xff->words[WORD_SIZE] > xff->image_size) {
        ossa__issue(context, OSSA_ERROR, OSSA_SIZE_MISMATCH, 4 * WORD_SIZE, "size",
                    "%" PRIu32 " bytes, but the file has only %" PRIu64, xff->words[WORD_SIZE],
                    xff->image_size);
    }
}

static void read_name(const struct ossa__reader *file, ossa_sotc_section *section, uint64_t strings,
                      uint64_t position_at, struct ossa__coverage *coverage)
{
    struct ossa__context *context = file->context;
    uint64_t at = strings + section->name_position;
    section->name = "";
    if (context->failed) return;
    if (at >= file->end) {
        ossa__fail(context, OSSA_BAD_OFFSET, position_at, "name_position",
                   "the name at 0x%" PRIx64 " is past the end of the file (0x%" PRIx64 ")", at,
                   file->end);
        return;
    }
    uint64_t room = file->end - at < NAME_LIMIT ? file->end - at : NAME_LIMIT;
    const uint8_t *name = file->data + at;
    const uint8_t *nul = memchr(name, 0, (size_t)room);
    if (nul == NULL) {
        ossa__fail(context, OSSA_BAD_VALUE, at, "name",
                   "no NUL closes the name within %" PRIu64 " bytes", room);
        return;
    }
    section->name = (const char *)name;
    section->name_size = (uint32_t)(nul - name);
    struct ossa__reader place =
        ossa__reader_window(file, at, section->name_size + 1U, "name_position", position_at);
    (void)ossa__read_bytes(&place, "name", OSSA_FIELD_TEXT, section->name_size + 1U);
    ossa__coverage_mark(coverage, at, section->name_size + 1U);
}

static void check_section(struct ossa__context *context, const ossa_sotc_xff *xff,
                          const ossa_sotc_section *section, uint64_t at)
{
    uint64_t length = section->words[SECTION_LENGTH];
    uint64_t end = section->words[SECTION_OFFSET] + length;
    if (length == 0) return;
    if (end > xff->image_size) {
        ossa__issue(context, OSSA_ERROR, OSSA_BAD_OFFSET, at + 4 * SECTION_OFFSET, "offset",
                    "the section ends at 0x%" PRIx64 ", past the end of the file (0x%" PRIx64 ")",
                    end, xff->image_size);
    } else if (end > xff->words[WORD_SIZE]) {
        ossa__issue(context, OSSA_ERROR, OSSA_SIZE_MISMATCH, at + 4 * SECTION_OFFSET, "offset",
                    "the section ends at 0x%" PRIx64 ", past the container's size (0x%" PRIx32 ")",
                    end, xff->words[WORD_SIZE]);
    }
}

void ossa__xff_read(struct ossa__reader *file, ossa_sotc_xff *xff, struct ossa__coverage *coverage)
{
    struct ossa__context *context = file->context;
    *xff = (ossa_sotc_xff){.image = file->data, .image_size = file->end};
    ossa__enter(context, "container", OSSA__NO_INDEX);
    read_header(file, xff, coverage);
    uint64_t count = xff->words[WORD_SECTION_COUNT];
    uint64_t table_at = xff->words[WORD_SECTIONS];
    uint64_t names_at = xff->words[WORD_NAME_POSITIONS];
    struct ossa__reader table = ossa__reader_window(file, table_at, count * SECTION_SIZE,
                                                    "sections_offset", 4 * WORD_SECTIONS);
    struct ossa__reader positions = ossa__reader_window(
        file, names_at, count * 4, "section_name_positions", 4 * WORD_NAME_POSITIONS);
    if (!context->failed) {
        ossa__coverage_mark(coverage, table_at, count * SECTION_SIZE);
        ossa__coverage_mark(coverage, names_at, count * 4);
    }
    ossa_sotc_section *sections = ossa__take(context, count, sizeof *sections);
    for (uint64_t i = 0; i < count && !context->failed; i++) {
        ossa_sotc_section *section = &sections[i];
        ossa__enter(context, "sections", i);
        uint64_t at = table.position;
        for (unsigned w = 0; w < 8; w++) {
            section->words[w] = ossa__read_u32(&table, section_names[w]);
        }
        uint64_t position_at = positions.position;
        section->name_position = ossa__read_u32(&positions, "name_position");
        section->name_size = 0;
        read_name(file, section, xff->words[WORD_STRINGS], position_at, coverage);
        check_section(context, xff, section, at);
        ossa__leave(context);
    }
    ossa__leave(context);
    xff->section_count = (uint32_t)count;
    xff->sections = sections;
}

struct ossa__reader ossa__xff_data(const struct ossa__reader *file, const ossa_sotc_xff *xff)
{
    struct ossa__reader none = *file;
    none.end = none.begin;
    if (file->context->failed) return none;
    if (xff->section_count < 2) {
        ossa__fail(file->context, OSSA_BAD_VALUE, 4 * WORD_SECTION_COUNT, "container.section_count",
                   "%" PRIu32 " sections, expected 2: the data is in the second",
                   xff->section_count);
        return none;
    }
    if (xff->section_count != 2) {
        ossa__issue(file->context, OSSA_WARNING, OSSA_UNUSUAL_VALUE, 4 * WORD_SECTION_COUNT,
                    "container.section_count", "%" PRIu32 " sections, expected 2",
                    xff->section_count);
    }
    const uint32_t *words = xff->sections[1].words;
    uint64_t at = xff->words[WORD_SECTIONS] + SECTION_SIZE + 4 * SECTION_OFFSET;
    return ossa__reader_window(file, words[SECTION_OFFSET], words[SECTION_LENGTH],
                               "container.sections[1].offset", at);
}

struct ossa__reader ossa__xff_part(const struct ossa__reader *data, uint64_t offset, uint64_t size,
                                   const char *field, uint64_t at, struct ossa__coverage *coverage)
{
    struct ossa__reader part = ossa__reader_window(data, offset, size, field, at);
    ossa__coverage_mark(coverage, part.begin, part.end - part.begin);
    return part;
}

void ossa__xff_note_gaps(struct ossa__context *context, ossa_sotc_xff *xff,
                         const struct ossa__coverage *coverage)
{
    size_t count = 0;
    uint64_t size;
    for (uint64_t at = 0; ossa__coverage_next_gap(coverage, &at, &size); at += size)
        count++;
    ossa_sotc_gap *gaps = ossa__take(context, count, sizeof *gaps);
    if (gaps == NULL) return;
    size_t used = 0;
    for (uint64_t at = 0; ossa__coverage_next_gap(coverage, &at, &size); at += size) {
        gaps[used++] = (ossa_sotc_gap){.offset = at, .size = size};
    }
    xff->gaps = gaps;
    xff->gap_count = count;
}

static void *read_xff(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader reader;
    struct ossa__coverage coverage;
    ossa__reader_init(&reader, context, data, size);
    ossa_sotc_xff *xff = ossa__take(context, 1, sizeof *xff);
    if (!ossa__coverage_init(&coverage, context, size)) return NULL;
    ossa__xff_read(&reader, xff, &coverage);
    ossa__xff_note_gaps(context, xff, &coverage);
    return xff;
}

static void write_xff(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_sotc_xff *xff = contents;
    (void)context;
    ossa__write_bytes(writer, xff->image, xff->image_size);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_section(ossa_json *json, const ossa_sotc_section *section)
{
    ossa_json_begin_object(json);
    ossa_json_key(json, "name");
    ossa_json_begin_text(json); /* a byte a character, so that any byte survives */
    for (uint32_t i = 0; i < section->name_size; i++) {
        ossa_json_character(json, (uint8_t)section->name[i]);
    }
    ossa_json_end_text(json);
    ossa_json_key(json, "name_position");
    ossa_json_uint(json, section->name_position);
    for (unsigned w = 0; w < 8; w++) {
        ossa_json_key(json, section_names[w]);
        ossa_json_uint(json, section->words[w]);
    }
    ossa_json_end_object(json);
}

void ossa__xff_dump(const ossa_sotc_xff *xff, ossa_json *json)
{
    ossa_json_key(json, "container");
    ossa_json_begin_object(json);
    ossa_json_key(json, "magic");
    ossa_json_string(json, (xff->words[0] >> 24) == 0 ? "xff" : "xff2");
    for (unsigned i = 1; i < OSSA_SOTC_XFF_WORDS; i++) {
        if (i == WORD_SECTION_COUNT) continue; /* as many as there are in `sections` */
        ossa_json_key(json, word_names[i]);
        ossa_json_uint(json, xff->words[i]);
    }
    ossa_json_key(json, "sections");
    ossa_json_begin_array(json);
    for (uint32_t i = 0; i < xff->section_count; i++)
        dump_section(json, &xff->sections[i]);
    ossa_json_end_array(json);
    ossa_json_end_object(json);
    ossa_json_key(json, "gaps");
    ossa_json_begin_array(json);
    for (size_t i = 0; i < xff->gap_count; i++) {
        ossa_json_begin_object(json);
        ossa_json_key(json, "offset");
        ossa_json_uint(json, xff->gaps[i].offset);
        ossa_json_key(json, "bytes");
        ossa_json_hex(json, xff->image + xff->gaps[i].offset, (size_t)xff->gaps[i].size);
        ossa_json_end_object(json);
    }
    ossa_json_end_array(json);
}

static void dump_xff(const void *contents, ossa_json *json)
{
    ossa__xff_dump(contents, json);
}

static void build_header(struct ossa__image *image, const struct ossa__value *container,
                         ossa_sotc_xff *xff)
{
    struct ossa__value magic = ossa__value_member(container, "magic");
    size_t size;
    const char *text = ossa__value_text(&magic, &size);
    bool is_plain = strcmp(text, "xff") == 0;
    if (!is_plain && strcmp(text, "xff2") != 0) ossa__value_fail(&magic, "must be xff or xff2");
    const char *bytes = is_plain ? "xff\0" : "xff2";
    ossa__image_put(image, 0, (const uint8_t *)bytes, 4, &magic);
    for (unsigned i = 1; i < OSSA_SOTC_XFF_WORDS; i++) {
        if (i == WORD_SECTION_COUNT) continue;
        struct ossa__value word = ossa__value_member(container, word_names[i]);
        xff->words[i] = ossa__value_u32(&word);
        ossa__image_put_u32(image, 4 * i, xff->words[i], &word);
    }
}

static void build_name(struct ossa__image *image, const struct ossa__value *section,
                       uint64_t strings, uint32_t position)
{
    struct ossa__value value = ossa__value_member(section, "name");
    size_t length;
    const char *text = ossa__value_text(&value, &length);
    uint8_t name[NAME_LIMIT];
    size_t used = 0;
    for (size_t i = 0; i < length && !image->context->failed;) {
        uint32_t character;
        i += ossa__utf8_decode(text + i, length - i, &character);
        if (character == 0 || character > 0xff) {
            ossa__value_fail(&value, "has a character that is not one byte");
        } else if (used == NAME_LIMIT - 1) {
            ossa__value_fail(&value, "is longer than %d bytes", NAME_LIMIT - 1);
        } else {
            name[used++] = (uint8_t)character;
        }
    }
    name[used] = 0;
    ossa__image_put(image, strings + position, name, used + 1, &value);
}

static void build_sections(struct ossa__image *image, const struct ossa__value *container,
                           ossa_sotc_xff *xff)
{
    struct ossa__value list = ossa__value_member(container, "sections");
    size_t count = ossa__value_length(&list);
    ossa_sotc_section *sections = ossa__take(image->context, count, sizeof *sections);
    ossa__image_put_u32(image, 4 * WORD_SECTION_COUNT, (uint32_t)count, &list);
    for (size_t i = 0; i < count && !image->context->failed; i++) {
        struct ossa__value section = ossa__value_item(&list, i);
        ossa__value_allow(&section, "name name_position address image_address size alignment "
                                    "type flags state offset");
        uint64_t at = xff->words[WORD_SECTIONS] + (uint64_t)i * SECTION_SIZE;
        for (unsigned w = 0; w < 8; w++) {
            struct ossa__value word = ossa__value_member(&section, section_names[w]);
            sections[i].words[w] = ossa__value_u32(&word);
            ossa__image_put_u32(image, at + 4 * w, sections[i].words[w], &word);
        }
        struct ossa__value position = ossa__value_member(&section, "name_position");
        uint32_t number = ossa__value_u32(&position);
        ossa__image_put_u32(image, xff->words[WORD_NAME_POSITIONS] + 4 * (uint64_t)i, number,
                            &position);
        build_name(image, &section, xff->words[WORD_STRINGS], number);
    }
    xff->section_count = (uint32_t)count;
    xff->sections = sections;
}

void ossa__xff_build(struct ossa__image *image, const struct ossa__value *data, ossa_sotc_xff *xff)
{
    *xff = (ossa_sotc_xff){.image = image->bytes, .image_size = image->size};
    struct ossa__value container = ossa__value_member(data, "container");
    char keys[768];
    size_t used = (size_t)snprintf(keys, sizeof keys, "sections");
    for (unsigned i = 0; i < OSSA_SOTC_XFF_WORDS; i++) {
        if (i == WORD_SECTION_COUNT) continue;
        used += (size_t)snprintf(keys + used, sizeof keys - used, " %s", word_names[i]);
    }
    ossa__value_allow(&container, keys);
    build_header(image, &container, xff);
    build_sections(image, &container, xff);
    struct ossa__value gaps = ossa__value_member(data, "gaps");
    size_t count = ossa__value_length(&gaps);
    for (size_t i = 0; i < count && !image->context->failed; i++) {
        struct ossa__value gap = ossa__value_item(&gaps, i);
        ossa__value_allow(&gap, "offset bytes");
        struct ossa__value offset = ossa__value_member(&gap, "offset");
        struct ossa__value bytes = ossa__value_member(&gap, "bytes");
        uint64_t at = (uint64_t)ossa__value_integer(&offset, 0, INT64_MAX);
        size_t size;
        const uint8_t *content = ossa__value_hex(&bytes, &size);
        ossa__image_put(image, at, content, size, &bytes);
    }
}

static void *build_xff(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    struct ossa__image image;
    ossa_sotc_xff *xff = ossa__take(context, 1, sizeof *xff);
    ossa__value_allow(data, "container gaps");
    if (!ossa__image_init(&image, context, size)) return NULL;
    ossa__xff_build(&image, data, xff);
    ossa__image_finish(&image, data);
    return xff;
}

/* ---- describe ------------------------------------------------------------------------------ */

void ossa__xff_describe(const ossa_sotc_xff *xff, struct ossa__report *report)
{
    uint64_t unnamed = 0;
    for (size_t i = 0; i < xff->gap_count; i++)
        unnamed += xff->gaps[i].size;
    ossa__report_text(report, "container", "container",
                      (xff->words[0] >> 24) == 0 ? "xff" : "xff2");
    ossa__report_integer(report, "sections", "sections", xff->section_count);
    ossa__report_integer(report, "unnamed_bytes", "unnamed bytes", unnamed);
    if (xff->image_size > xff->words[WORD_SIZE]) {
        ossa__report_note(report, "%" PRIu64 " bytes follow the container (padding of the disc?)",
                          xff->image_size - xff->words[WORD_SIZE]);
    }
}

static void describe_xff(const void *contents, struct ossa__report *report)
{
    static const char *const kinds[] = {"unknown: the data cannot be reached",
                                        "unknown",
                                        "an animation (ANB)",
                                        "a skeleton (SKB), which Ossa cannot read yet",
                                        "a model (NMO), which Ossa cannot read yet",
                                        "a texture (NTO), which Ossa cannot read yet"};
    static const struct ossa__column columns[] = {{"index", "section", 7},
                                                  {"offset", "offset", 10},
                                                  {"size", "size", 10},
                                                  {"name", "name", -1}};
    const ossa_sotc_xff *xff = contents;
    ossa__report_text(report, "holds", "holds", kinds[ossa__xff_kind(xff->image, xff->image_size)]);
    ossa__xff_describe(xff, report);
    ossa__report_begin_table(report, "section_table", columns, 4);
    for (uint32_t i = 0; i < xff->section_count; i++) {
        const ossa_sotc_section *section = &xff->sections[i];
        char name[NAME_LIMIT];
        for (uint32_t k = 0; k < section->name_size; k++) {
            char c = section->name[k];
            name[k] = (c >= 0x20 && c < 0x7f) ? c : '?';
        }
        name[section->name_size] = '\0';
        ossa__report_begin_row(report);
        ossa__report_cell_integer(report, &columns[0], i);
        ossa__report_cell_integer(report, &columns[1], section->words[SECTION_OFFSET]);
        ossa__report_cell_integer(report, &columns[2], section->words[SECTION_LENGTH]);
        ossa__report_cell_text(report, &columns[3], name);
        ossa__report_end_row(report);
    }
    ossa__report_end_table(report);
}

ossa_sotc_xff *ossa_as_sotc_xff(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_sotc_xff);
}

const struct ossa__format ossa__format_sotc_xff = {
    .about = {.id = "sotc-xff",
              .title = "Shadow of the Colossus container",
              .game = "Shadow of the Colossus (2005)",
              .extensions = "xff",
              .kind = OSSA_KIND_ARCHIVE},
    .scattered = true,
    .probe = probe_xff,
    .read = read_xff,
    .write = write_xff,
    .dump = dump_xff,
    .build = build_xff,
    .describe = describe_xff,
};
