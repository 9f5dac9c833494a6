/* SPDX-License-Identifier: MIT
 *
 * sotc-xff: the container of Shadow of the Colossus' files, a linked object file.
 *
 *     0x00  char[4]  magic          "xff\0" or "xff2"
 *     0x04  27 words, named in `header_words` below; among them
 *     0x14  u32      size           of the whole container
 *     0x40  u32      section_count
 *     0x4C  u32      entry          of the data's header, from the start of section 1
 *     0x5C  u32      sections_offset: section_count times 8 words (`section_words`)
 *     0x68  u32      section_name_positions: section_count times u32
 *     0x6C  u32      section_strings: NUL-terminated names at the positions above
 *
 * Symbols and relocations are kept as bytes: the locations of their tables are uncertain. The
 * tables may share bytes, and a file may continue past `size` (disc padding). In the JSON
 * everything is where its offset says, and `gaps` holds the bytes that no field covers. */
#include "formats/shadow_of_the_colossus/sotc_xff.h"
#include "formats/shadow_of_the_colossus/sotc_scan.h"
#include "formats/shadow_of_the_colossus/sotc_objects.h"

#include "base/bytes.h"
#include "base/fold.h"
#include "base/json.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { HEADER_SIZE = 4 * OSSA_SOTC_XFF_WORDS };

static const char *const header_words[OSSA_SOTC_XFF_WORDS] = {
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

static const char *const section_words[8] = {"address", "image_address", "size",  "alignment",
                                             "type",    "flags",         "state", "offset"};

/* ---- probe --------------------------------------------------------------------------------- */

bool ossa__xff_is_container(const uint8_t *data, uint64_t size)
{
    return size >= 4 && (memcmp(data, "xff\0", 4) == 0 || memcmp(data, "xff2", 4) == 0);
}

enum ossa__xff_kind ossa__xff_kind_of_data(const uint8_t word[4])
{
    if (memcmp(word, "NMO\0", 4) == 0) return OSSA__XFF_NMO;
    if (memcmp(word, "NTO2", 4) == 0) return OSSA__XFF_NTO;
    switch (ossa__load_u32(word)) {
    case 12: return OSSA__XFF_ANB;
    case 1: return OSSA__XFF_SKB;
    default: return OSSA__XFF_OTHER;
    }
}

/* Where section 1 is, and the first word of the data in it; false: nowhere in the file. */
static bool find_data(const uint8_t *data, uint64_t size, uint64_t *begin, uint64_t *at)
{
    if (!ossa__xff_is_container(data, size) || size < HEADER_SIZE) return false;
    uint64_t sections = ossa__peek_u32(data, size, 4ULL * OSSA__XFF_SECTIONS);
    uint64_t entry = ossa__peek_u32(data, size, 4ULL * OSSA__XFF_ENTRY);
    uint64_t section = sections + OSSA__XFF_SECTION_SIZE;
    if (ossa__peek_u32(data, size, 4ULL * OSSA__XFF_SECTION_COUNT) < 2 ||
        size < section + OSSA__XFF_SECTION_SIZE) {
        return false;
    }
    *begin = ossa__peek_u32(data, size, section + 4ULL * OSSA__XFF_SECTION_OFFSET);
    *at = *begin + entry;
    return *at <= size && size - *at >= 4;
}

enum ossa__xff_kind ossa__xff_kind(const uint8_t *data, uint64_t size)
{
    uint64_t begin;
    uint64_t at;
    struct ossa__sotc_view view = ossa__sotc_view_of(data, size);
    if (ossa__sotc_is_row(&view)) return OSSA__XFF_SEVERAL;
    if (!find_data(data, size, &begin, &at)) return OSSA__XFF_NOTHING;
    enum ossa__xff_kind kind = ossa__xff_kind_of_data(data + at);
    if (kind != OSSA__XFF_OTHER && kind != OSSA__XFF_SKB) return kind;
    uint64_t table = ossa__peek_u32(data, size, 4ULL * OSSA__XFF_SECTIONS);
    uint64_t length = ossa__peek_u32(
        data, size, table + OSSA__XFF_SECTION_SIZE + 4ULL * OSSA__XFF_SECTION_LENGTH);
    uint64_t room = size - begin < length ? size - begin : length;
    return ossa__has_objects(data + begin, room, at - begin) ? OSSA__XFF_OBJECTS : kind;
}

/* Claims the containers whose contents no other format reads. */
static ossa_confidence probe_xff(const uint8_t *data, uint64_t size)
{
    if (!ossa__xff_is_container(data, size)) return OSSA_CONFIDENCE_NONE;
    enum ossa__xff_kind kind = ossa__xff_kind(data, size);
    bool is_other = kind == OSSA__XFF_OTHER || kind == OSSA__XFF_NOTHING;
    return is_other ? OSSA_CONFIDENCE_SIGNATURE : OSSA_CONFIDENCE_NONE;
}

/* ---- read ---------------------------------------------------------------------------------- */

static void read_header(struct ossa__reader *file, ossa_sotc_xff *xff,
                        struct ossa__coverage *coverage)
{
    struct ossa__context *context = file->context;
    const uint8_t *magic = ossa__read_bytes(file, "magic", OSSA_FIELD_TYPE_TEXT, 4);
    if (magic == NULL) return;
    xff->words[0] = ossa__load_u32(magic);
    if (!ossa__xff_is_container(magic, 4)) {
        ossa__fail(context, OSSA_CODE_BAD_MAGIC, 0, "magic",
                   "found 0x%08" PRIx32 ", expected \"xff\\0\" or \"xff2\"", xff->words[0]);
        return;
    }
    for (unsigned i = 1; i < OSSA_SOTC_XFF_WORDS; i++) {
        xff->words[i] = ossa__read_u32(file, header_words[i]);
    }
    if (context->failed) return;
    ossa__coverage_mark(coverage, 0, HEADER_SIZE);
    for (unsigned i = 1; i <= 2; i++) {
        if (xff->words[i] == 0) continue;
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 4ULL * i,
                    header_words[i], "%" PRIu32 ", expected 0", xff->words[i]);
    }
    if (xff->words[OSSA__XFF_SIZE] > xff->image_size) {
        ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_SIZE_MISMATCH, 4ULL * OSSA__XFF_SIZE,
                    "size", "%" PRIu32 " bytes, but the file has only %" PRIu64,
                    xff->words[OSSA__XFF_SIZE], xff->image_size);
    }
}

const char *ossa__xff_read_name(const struct ossa__reader *reader, uint64_t offset, uint64_t at,
                                uint32_t *size)
{
    struct ossa__context *context = reader->context;
    uint64_t room = reader->end - reader->begin;
    *size = 0;
    if (context->failed) return "";
    if (offset >= room) {
        ossa__fail(context, OSSA_CODE_BAD_OFFSET, at, "name_position",
                   "the name at 0x%" PRIx64 " is past the end (0x%" PRIx64 ")", offset, room);
        return "";
    }
    room = room - offset < OSSA__XFF_NAME_LIMIT ? room - offset : OSSA__XFF_NAME_LIMIT;
    const uint8_t *name = reader->data + reader->begin + offset;
    const uint8_t *nul = memchr(name, 0, (size_t)room);
    if (nul == NULL) {
        ossa__fail(context, OSSA_CODE_BAD_VALUE, reader->begin + offset, "name",
                   "the name is not terminated by a NUL within %" PRIu64 " bytes", room);
        return "";
    }
    *size = (uint32_t)(nul - name);
    struct ossa__reader window =
        ossa__reader_window(reader, offset, *size + 1U, "name_position", at);
    return (const char *)ossa__read_bytes(&window, "name", OSSA_FIELD_TYPE_TEXT, *size + 1U);
}

static void check_section(struct ossa__context *context, const ossa_sotc_xff *xff,
                          const ossa_sotc_section *section, uint64_t at)
{
    uint64_t length = section->words[OSSA__XFF_SECTION_LENGTH];
    uint64_t end = section->words[OSSA__XFF_SECTION_OFFSET] + length;
    if (length == 0) return;
    if (end > xff->image_size) {
        /* A truncated file has already been reported through its size. */
        if (end <= xff->words[OSSA__XFF_SIZE]) return;
        ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET,
                    at + 4ULL * OSSA__XFF_SECTION_OFFSET, "offset",
                    "the section ends at 0x%" PRIx64 ", past the end of the file (0x%" PRIx64 ")",
                    end, xff->image_size);
    } else if (end > xff->words[OSSA__XFF_SIZE]) {
        ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_SIZE_MISMATCH,
                    at + 4ULL * OSSA__XFF_SECTION_OFFSET, "offset",
                    "the section ends at 0x%" PRIx64 ", past the container's size (0x%" PRIx32 ")",
                    end, xff->words[OSSA__XFF_SIZE]);
    }
}

void ossa__xff_read(struct ossa__reader *file, ossa_sotc_xff *xff, struct ossa__coverage *coverage)
{
    struct ossa__context *context = file->context;
    *xff = (ossa_sotc_xff){.image = file->data, .image_size = file->end};
    ossa__enter(context, "container", OSSA__NO_INDEX);
    read_header(file, xff, coverage);
    uint64_t count = xff->words[OSSA__XFF_SECTION_COUNT];
    uint64_t table_at = xff->words[OSSA__XFF_SECTIONS];
    uint64_t names_at = xff->words[OSSA__XFF_NAME_POSITIONS];
    struct ossa__reader table = ossa__reader_window(file, table_at, count * OSSA__XFF_SECTION_SIZE,
                                                    "sections_offset", 4ULL * OSSA__XFF_SECTIONS);
    struct ossa__reader positions = ossa__reader_window(
        file, names_at, count * 4, "section_name_positions", 4ULL * OSSA__XFF_NAME_POSITIONS);
    if (!context->failed) {
        ossa__coverage_mark(coverage, table_at, count * OSSA__XFF_SECTION_SIZE);
        ossa__coverage_mark(coverage, names_at, count * 4);
    }
    ossa_sotc_section *sections = ossa__take(context, count, sizeof *sections);
    for (uint64_t i = 0; i < count && !context->failed; i++) {
        ossa_sotc_section *section = &sections[i];
        ossa__enter(context, "sections", i);
        uint64_t at = table.position;
        for (unsigned w = 0; w < 8; w++) {
            section->words[w] = ossa__read_u32(&table, section_words[w]);
        }
        uint64_t position_at = positions.position;
        section->name_position = ossa__read_u32(&positions, "name_position");
        uint64_t name_at = (uint64_t)xff->words[OSSA__XFF_STRINGS] + section->name_position;
        section->name = ossa__xff_read_name(file, name_at, position_at, &section->name_size);
        if (!context->failed) ossa__coverage_mark(coverage, name_at, section->name_size + 1U);
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
        ossa__fail(file->context, OSSA_CODE_BAD_VALUE, 4ULL * OSSA__XFF_SECTION_COUNT,
                   "container.section_count",
                   "%" PRIu32 " sections, expected 2; the data is in the second",
                   xff->section_count);
        return none;
    }
    if (xff->section_count != 2) {
        ossa__issue(file->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                    4ULL * OSSA__XFF_SECTION_COUNT, "container.section_count",
                    "%" PRIu32 " sections, expected 2", xff->section_count);
    }
    const uint32_t *words = xff->sections[1].words;
    uint64_t at =
        xff->words[OSSA__XFF_SECTIONS] + OSSA__XFF_SECTION_SIZE + 4ULL * OSSA__XFF_SECTION_OFFSET;
    return ossa__reader_window(file, words[OSSA__XFF_SECTION_OFFSET],
                               words[OSSA__XFF_SECTION_LENGTH], "container.sections[1].offset", at);
}

struct ossa__reader ossa__xff_part(const struct ossa__reader *data, uint64_t offset, uint64_t size,
                                   const char *field, uint64_t at, struct ossa__coverage *coverage)
{
    struct ossa__reader part = ossa__reader_window(data, offset, size, field, at);
    ossa__coverage_mark(coverage, part.begin, part.end - part.begin);
    return part;
}

/* What an ossa_sotc_xff is part of. */
struct container {
    ossa_sotc_xff xff; /* first: a pointer to it is a pointer to this */
    bool is_other_animation;
};

/* By its name alone: an animation that is neither that of a skeleton nor of objects. */
static void check_other_animation(struct ossa__context *context, struct container *container)
{
    const ossa_sotc_xff *xff = &container->xff;
    const char *name = context->options.name;
    uint64_t begin;
    uint64_t at;
    if (context->failed || name == NULL || !ossa__has_ending(name, ".anb")) return;
    if (!find_data(xff->image, xff->image_size, &begin, &at)) return;
    if (ossa__xff_kind(xff->image, xff->image_size) != OSSA__XFF_OTHER) return;
    container->is_other_animation = true;
    ossa__issue(context, OSSA_SEVERITY_REMARK, OSSA_CODE_UNKNOWN_FLAG, at, "kind",
                "an animation of kind %" PRIu32 ", which is not read: it is kept as bytes",
                ossa__load_u32(xff->image + at));
}

static void *read_xff(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader reader;
    struct ossa__coverage coverage;
    ossa__reader_init(&reader, context, data, size);
    struct container *container = ossa__take(context, 1, sizeof *container);
    if (!ossa__coverage_init(&coverage, context, size)) return NULL;
    *container = (struct container){.is_other_animation = false};
    ossa_sotc_xff *xff = &container->xff;
    ossa__xff_read(&reader, xff, &coverage);
    xff->gaps = ossa__gaps_of(context, &coverage, &xff->gap_count);
    check_other_animation(context, container);
    return container;
}

/* ---- write --------------------------------------------------------------------------------- */

static void write_xff(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_sotc_xff *xff = contents;
    (void)context;
    ossa__write_bytes(writer, xff->image, xff->image_size);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

void ossa__xff_dump_text(struct ossa__json *json, const char *text, uint32_t size)
{
    ossa__json_begin_text(json); /* one character per byte, so that any byte survives */
    for (uint32_t i = 0; i < size; i++) ossa__json_character(json, (uint8_t)text[i]);
    ossa__json_end_text(json);
}

void ossa__xff_dump_name(struct ossa__json *json, const char *name, uint32_t size,
                         uint32_t position)
{
    ossa__json_key(json, "name");
    ossa__xff_dump_text(json, name, size);
    ossa__member_uint(json, "name_position", position);
}

static void dump_section(struct ossa__json *json, const ossa_sotc_section *section)
{
    ossa__json_begin_object(json);
    ossa__xff_dump_name(json, section->name, section->name_size, section->name_position);
    for (unsigned w = 0; w < 8; w++) {
        ossa__member_uint(json, section_words[w], section->words[w]);
    }
    ossa__json_end_object(json);
}

void ossa__xff_dump(const ossa_sotc_xff *xff, struct ossa__json *json)
{
    ossa__json_key(json, "container");
    ossa__json_begin_object(json);
    ossa__member_text(json, "magic", (xff->words[0] >> 24) == 0 ? "xff" : "xff2");
    for (unsigned i = 1; i < OSSA_SOTC_XFF_WORDS; i++) {
        if (i == OSSA__XFF_SECTION_COUNT) continue; /* given by the length of `sections` */
        ossa__member_uint(json, header_words[i], xff->words[i]);
    }
    ossa__json_key(json, "sections");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < xff->section_count; i++) dump_section(json, &xff->sections[i]);
    ossa__json_end_array(json);
    ossa__json_end_object(json);
    ossa__gaps_dump(json, xff->gaps, xff->gap_count, xff->image);
}

static void dump_xff(const void *contents, struct ossa__json *json)
{
    ossa__xff_dump(contents, json);
}

static void build_header(struct ossa__image *image, const struct ossa__value *container,
                         ossa_sotc_xff *xff)
{
    struct ossa__value magic = ossa__value_member(container, "magic");
    const char *text = ossa__value_word(&magic);
    bool is_plain = strcmp(text, "xff") == 0;
    if (!is_plain && strcmp(text, "xff2") != 0) ossa__value_fail(&magic, "must be xff or xff2");
    const char *bytes = is_plain ? "xff\0" : "xff2";
    ossa__image_put(image, 0, (const uint8_t *)bytes, 4, &magic);
    for (unsigned i = 1; i < OSSA_SOTC_XFF_WORDS; i++) {
        if (i == OSSA__XFF_SECTION_COUNT) continue;
        struct ossa__value word = ossa__value_member(container, header_words[i]);
        xff->words[i] = ossa__value_u32(&word);
        ossa__image_put_u32(image, 4ULL * i, xff->words[i], &word);
    }
}

void ossa__xff_build_text(struct ossa__image *image, const struct ossa__value *value, uint64_t at)
{
    size_t length;
    const char *text = ossa__value_text(value, &length);
    uint8_t name[OSSA__XFF_NAME_LIMIT];
    size_t used = 0;
    for (size_t i = 0; i < length && !image->context->failed;) {
        uint32_t character;
        i += ossa__utf8_decode(text + i, length - i, &character);
        if (character == 0 || character > 0xff) {
            ossa__value_fail(value, "contains a NUL or a character above U+00FF");
        } else if (used == OSSA__XFF_NAME_LIMIT - 1) {
            ossa__value_fail(value, "is longer than %d bytes", OSSA__XFF_NAME_LIMIT - 1);
        } else {
            name[used++] = (uint8_t)character;
        }
    }
    name[used] = 0;
    ossa__image_put(image, at, name, used + 1, value);
}

void ossa__xff_build_name(struct ossa__image *image, const struct ossa__value *object,
                          uint64_t strings, uint64_t position_at)
{
    struct ossa__value position = ossa__value_member(object, "name_position");
    struct ossa__value name = ossa__value_member(object, "name");
    uint32_t number = ossa__value_u32(&position);
    ossa__image_put_u32(image, position_at, number, &position);
    ossa__xff_build_text(image, &name, strings + number);
}

static void build_sections(struct ossa__image *image, const struct ossa__value *container,
                           ossa_sotc_xff *xff)
{
    struct ossa__value list = ossa__value_member(container, "sections");
    size_t count = ossa__value_length(&list);
    ossa_sotc_section *sections = ossa__take(image->context, count, sizeof *sections);
    ossa__image_put_u32(image, 4ULL * OSSA__XFF_SECTION_COUNT, (uint32_t)count, &list);
    for (size_t i = 0; i < count && !image->context->failed; i++) {
        struct ossa__value section = ossa__value_item(&list, i);
        ossa__value_allow(&section, "name name_position address image_address size alignment "
                                    "type flags state offset");
        uint64_t at = xff->words[OSSA__XFF_SECTIONS] + (uint64_t)i * OSSA__XFF_SECTION_SIZE;
        for (unsigned w = 0; w < 8; w++) {
            struct ossa__value word = ossa__value_member(&section, section_words[w]);
            sections[i].words[w] = ossa__value_u32(&word);
            ossa__image_put_u32(image, at + 4ULL * w, sections[i].words[w], &word);
        }
        ossa__xff_build_name(image, &section, xff->words[OSSA__XFF_STRINGS],
                             xff->words[OSSA__XFF_NAME_POSITIONS] + 4 * (uint64_t)i);
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
        if (i == OSSA__XFF_SECTION_COUNT) continue;
        used += (size_t)snprintf(keys + used, sizeof keys - used, " %s", header_words[i]);
    }
    ossa__value_allow(&container, keys);
    build_header(image, &container, xff);
    build_sections(image, &container, xff);
    ossa__image_put_gaps(image, data);
}

bool ossa__xff_build_data(const struct ossa__value *data, const ossa_sotc_xff *xff,
                          uint64_t *section)
{
    *section = 0;
    if (data->context->failed) return false;
    if (xff->section_count < 2) {
        struct ossa__value container = ossa__value_member(data, "container");
        struct ossa__value sections = ossa__value_member(&container, "sections");
        return ossa__value_fail(&sections, "has fewer than 2 items; the data is in the second");
    }
    *section = xff->sections[1].words[OSSA__XFF_SECTION_OFFSET];
    return true;
}

static void *build_xff(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    struct ossa__image image;
    struct container *container = ossa__take(context, 1, sizeof *container);
    ossa__value_allow(data, "container gaps");
    if (!ossa__image_init(&image, context, size)) return NULL;
    *container = (struct container){.is_other_animation = false};
    ossa__xff_build(&image, data, &container->xff);
    ossa__image_finish(&image, data);
    return container;
}

/* ---- describe ------------------------------------------------------------------------------ */

void ossa__xff_describe(const ossa_sotc_xff *xff, struct ossa__report *report)
{
    uint64_t unnamed = 0;
    for (size_t i = 0; i < xff->gap_count; i++) unnamed += xff->gaps[i].size;
    ossa__report_text(report, "container", "container",
                      (xff->words[0] >> 24) == 0 ? "xff" : "xff2");
    ossa__report_integer(report, "sections", "sections", xff->section_count);
    ossa__report_integer(report, "unnamed_bytes", "unnamed bytes", unnamed);
    if (xff->image_size > xff->words[OSSA__XFF_SIZE]) {
        ossa__report_note(report, "%" PRIu64 " bytes follow the container (disc padding?)",
                          xff->image_size - xff->words[OSSA__XFF_SIZE]);
    }
}

void ossa__xff_show_name(const char *name, uint32_t size, char text[OSSA__XFF_NAME_LIMIT])
{
    for (uint32_t i = 0; i < size; i++)
        text[i] = (char)((name[i] >= 0x20 && name[i] < 0x7f) ? name[i] : '?');
    text[size] = '\0';
}

static void describe_xff(const void *contents, struct ossa__report *report)
{
    static const char *const kinds[] = {"unknown: the data cannot be reached",
                                        "unknown",
                                        "an animation (ANB)",
                                        "a skeleton (SKB)",
                                        "a model (NMO)",
                                        "a texture (NTO)",
                                        "several containers in a row",
                                        "an animation of objects (ANB)"};
    static const struct ossa__column columns[] = {{"index", "section", 7},
                                                  {"offset", "offset", 10},
                                                  {"size", "size", 10},
                                                  {"name", "name", -1}};
    const struct container *container = contents;
    const ossa_sotc_xff *xff = &container->xff;
    ossa__report_text(report, "holds", "holds",
                      container->is_other_animation
                          ? "an animation (ANB) of a kind that is not read"
                          : kinds[ossa__xff_kind(xff->image, xff->image_size)]);
    ossa__xff_describe(xff, report);
    ossa__report_begin_table(report, "section_table", columns, 4);
    for (uint32_t i = 0; i < xff->section_count; i++) {
        const ossa_sotc_section *section = &xff->sections[i];
        char name[OSSA__XFF_NAME_LIMIT];
        ossa__xff_show_name(section->name, section->name_size, name);
        ossa__report_begin_row(report);
        ossa__report_cell_integer(report, &columns[0], i);
        ossa__report_cell_integer(report, &columns[1], section->words[OSSA__XFF_SECTION_OFFSET]);
        ossa__report_cell_integer(report, &columns[2], section->words[OSSA__XFF_SECTION_LENGTH]);
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
    .game = &ossa__game_shadow_of_the_colossus,
    .scattered = true,
    .probe = probe_xff,
    .may_begin = ossa__xff_is_container,
    .read = read_xff,
    .write = write_xff,
    .dump = dump_xff,
    .build = OSSA__BUILT_BY(build_xff),
    .describe = describe_xff,
};
