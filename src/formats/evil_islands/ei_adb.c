/* SPDX-License-Identifier: MIT
 *
 * ei-adb: the animation database of one Evil Islands model.
 *
 *     char signature[4]       "ADB\0"
 *     u32  record_count
 *     char model[24]          code page 1251, padded with NULs
 *     f32  min_height, mid_height, max_height
 *     record_count times, 88 bytes each
 *          char name[16]      of the animation; code page 1251
 *          u32  index
 *          u64  packed        bits 0-6 weapons, 15-17 states, 18-21 action, 22-29 its modifier,
 *                             30-31 stage, 32-37 forms
 *          u32  probability   not in short records, which have 84 bytes
 *          u32  duration      in frames
 *          f32  speed
 *          u32  show_hide[2], step_sounds[4], hit_frame, special_frame, sound_ids[4]
 *
 * Three of the game's databases have short records, and one is a stub: a header and nine words.
 * Nothing but the exact size tells them apart. Not known: the other bits of `packed`, and what the
 * words of a stub are. */
#include "formats/modules.h"

#include "codec/layout.h"
#include "formats/evil_islands/ei_names.h"

#include <inttypes.h>
#include <string.h>

enum {
    SIGNATURE = 0x00424441, /* "ADB\0" */
    HEADER_SIZE = 44,
    RECORD_SIZE = 88,
    SHORT_SIZE = 84,
    STUB_SIZE = 80,
    COUNT_AT = 4,
};

/* ---- layout -------------------------------------------------------------------------------- */

static const struct ossa__shape shape_pair = {OSSA_FIELD_TYPE_U32, 2, {NULL}};
static const struct ossa__shape shape_four = {OSSA_FIELD_TYPE_U32, 4, {NULL}};
static const struct ossa__shape shape_stub = {OSSA_FIELD_TYPE_U32, 9, {NULL}};

/* The fields of a record around its probability. */
#define RECORD_START                                                                               \
    OSSA__TEXT(ossa_ei_adb_record, name, "name"), OSSA__U32(ossa_ei_adb_record, index, "index"),   \
        OSSA__U64(ossa_ei_adb_record, packed, "packed")
#define RECORD_END                                                                                 \
    OSSA__U32(ossa_ei_adb_record, duration, "duration"),                                           \
        OSSA__F32(ossa_ei_adb_record, speed, "speed"),                                             \
        OSSA__NUMBERS(ossa_ei_adb_record, show_hide, "show_hide", .shape = &shape_pair),           \
        OSSA__NUMBERS(ossa_ei_adb_record, step_sounds, "step_sounds", .shape = &shape_four),       \
        OSSA__U32(ossa_ei_adb_record, hit_frame, "hit_frame"),                                     \
        OSSA__U32(ossa_ei_adb_record, special_frame, "special_frame"),                             \
        OSSA__NUMBERS(ossa_ei_adb_record, sound_ids, "sound_ids", .shape = &shape_four)

static const struct ossa__item record_items[] = {
    RECORD_START, OSSA__U32(ossa_ei_adb_record, probability, "probability"), RECORD_END};
static const struct ossa__item short_record_items[] = {RECORD_START, RECORD_END};
static const struct ossa__layout record_layout = OSSA__LAYOUT(ossa_ei_adb_record, record_items);
static const struct ossa__layout short_record_layout =
    OSSA__LAYOUT(ossa_ei_adb_record, short_record_items);

#define HEADER                                                                                     \
    OSSA__TEXT(ossa_ei_adb, model, "model"), OSSA__F32(ossa_ei_adb, min_height, "min_height"),     \
        OSSA__F32(ossa_ei_adb, mid_height, "mid_height"),                                          \
        OSSA__F32(ossa_ei_adb, max_height, "max_height")

static const struct ossa__item items[] = {
    OSSA__MAGIC("signature", "ADB", 4),
    OSSA__COUNT(ossa_ei_adb, record_count, "record_count"),
    HEADER,
    OSSA__ARRAY(ossa_ei_adb, records, "records", record_count, .record = &record_layout),
    OSSA__TAIL(ossa_ei_adb),
};
static const struct ossa__item short_items[] = {
    OSSA__MAGIC("signature", "ADB", 4),
    OSSA__COUNT(ossa_ei_adb, record_count, "record_count"),
    HEADER,
    OSSA__BOOL(ossa_ei_adb, has_short_records, "short_records"),
    OSSA__ARRAY(ossa_ei_adb, records, "records", record_count, .record = &short_record_layout),
    OSSA__TAIL(ossa_ei_adb),
};
static const struct ossa__item stub_items[] = {
    OSSA__MAGIC("signature", "ADB", 4),
    OSSA__U32(ossa_ei_adb, stub_count, "record_count"),
    HEADER,
    OSSA__BOOL(ossa_ei_adb, is_stub, "is_stub"),
    OSSA__NUMBERS(ossa_ei_adb, stub, "stub", .shape = &shape_stub),
    OSSA__TAIL(ossa_ei_adb),
};
static const struct ossa__layout layout = OSSA__LAYOUT(ossa_ei_adb, items);
static const struct ossa__layout short_layout = OSSA__LAYOUT(ossa_ei_adb, short_items);
static const struct ossa__layout stub_layout = OSSA__LAYOUT(ossa_ei_adb, stub_items);

static const struct ossa__layout *layout_of(const ossa_ei_adb *adb)
{
    if (adb->is_stub) return &stub_layout;
    return adb->has_short_records ? &short_layout : &layout;
}

/* ---- records ------------------------------------------------------------------------------- */

static ossa_ei_name text_of(const char *field, uint32_t capacity)
{
    const char *end = memchr(field, '\0', capacity);
    uint32_t size = end == NULL ? capacity : (uint32_t)(end - field);
    return (ossa_ei_name){.bytes = field, .size = size, .has_nul = size < capacity};
}

ossa_ei_name ossa_ei_adb_name(const ossa_ei_adb_record *record)
{
    return text_of(record->name, sizeof record->name);
}

ossa_ei_stage ossa_ei_adb_stage(const ossa_ei_adb_record *record)
{
    return (ossa_ei_stage)(record->packed >> 30 & 3);
}

uint32_t ossa_ei_adb_forms(const ossa_ei_adb_record *record)
{
    return (uint32_t)(record->packed >> 32 & 63);
}

const char *ossa_ei_stage_name(ossa_ei_stage stage)
{
    static const char *const names[4] = {"unique", "start", "cycle", "end"};
    return (unsigned)stage < 4 ? names[stage] : "unknown";
}

/* ---- probe --------------------------------------------------------------------------------- */

/* What the size says of the records; false: nothing, the file is damaged. */
static bool find_dialect(const uint8_t *data, uint64_t size, ossa_ei_adb *adb)
{
    uint64_t count = ossa__peek_u32(data, size, COUNT_AT);
    if (HEADER_SIZE + count * RECORD_SIZE == size) return true;
    adb->has_short_records = HEADER_SIZE + count * SHORT_SIZE == size;
    adb->is_stub = !adb->has_short_records && size == STUB_SIZE;
    return adb->has_short_records || adb->is_stub;
}

static ossa_confidence probe_adb(const uint8_t *data, uint64_t size)
{
    ossa_ei_adb dialect = {.record_count = 0};
    if (size < 4 || ossa__peek_u32(data, size, 0) != SIGNATURE) return OSSA_CONFIDENCE_NONE;
    return find_dialect(data, size, &dialect) ? OSSA_CONFIDENCE_SIGNATURE : OSSA_CONFIDENCE_DAMAGED;
}

static bool may_begin(const uint8_t *start, uint64_t size)
{
    return ossa__peek_u32(start, size, 0) == SIGNATURE;
}

/* ---- read and write ------------------------------------------------------------------------ */

static void check_names(struct ossa__context *context, const ossa_ei_adb *adb)
{
    uint64_t size = adb->has_short_records ? SHORT_SIZE : RECORD_SIZE;
    for (uint32_t i = 0; i < adb->record_count; i++) {
        if (adb->records[i].name[0] != '\0') continue;
        ossa__enter(context, "records", i);
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_EMPTY_NAME, HEADER_SIZE + i * size,
                    "name", "the animation has no name");
        ossa__leave(context);
    }
}

static void *read_adb(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader reader;
    uint64_t at[OSSA__LAYOUT_ITEMS];
    ossa__reader_init(&reader, context, data, size);
    ossa_ei_adb *adb = ossa__layout_new(context, &layout);
    if (adb == NULL) return NULL;
    (void)find_dialect(data, size, adb);
    if (!ossa__layout_read(&reader, layout_of(adb), adb, at)) return NULL;
    if (adb->is_stub) {
        ossa__issue(context, OSSA_SEVERITY_REMARK, OSSA_CODE_UNUSUAL_VALUE, HEADER_SIZE, "stub",
                    "the database is a stub without records");
    }
    check_names(context, adb);
    if (context->options.check_values) ossa__layout_check(context, layout_of(adb), adb, at);
    return adb;
}

static void write_adb(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    (void)context;
    ossa__layout_write(writer, layout_of(contents), contents);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_adb(const void *contents, struct ossa__json *json)
{
    ossa__layout_dump(json, layout_of(contents), contents);
}

static void *build_adb(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    (void)size;
    ossa_ei_adb *adb = ossa__layout_new(context, &layout);
    if (adb == NULL) return NULL;
    struct ossa__value is_short = ossa__value_optional(data, "short_records");
    struct ossa__value is_stub = ossa__value_optional(data, "is_stub");
    adb->has_short_records = is_short.node != NULL && ossa__value_bool(&is_short);
    adb->is_stub = is_stub.node != NULL && ossa__value_bool(&is_stub);
    ossa__layout_build(data, layout_of(adb), adb);
    return adb;
}

/* ---- describe ------------------------------------------------------------------------------ */

/* The name of an action; "" where none is known. */
static const char *action_name(const ossa_ei_adb_record *record)
{
    static const char *const names[16] = {"",     "special", "attack", "cast",  "run", "walk",
                                          "idle", "death",   "suffer", "cross", "",    "",
                                          "",     "",        "",       "all"};
    return names[record->packed >> 18 & 15];
}

static void describe_records(const ossa_ei_adb *adb, struct ossa__report *report)
{
    static const struct ossa__column columns[] = {
        {"name", "animation", -16}, {"action", "action", -8},
        {"stage", "stage", -6},     {"duration", "frames", 8},
        {"speed", "speed", 8},      {"hit_frame", "hit", 6},
        {"forms", "forms", 6},      {"probability", "probability", 11}};
    /* Short records have no probability. */
    ossa__report_begin_table(report, "record_table", columns, adb->has_short_records ? 7 : 8);
    for (uint32_t i = 0; i < adb->record_count; i++) {
        const ossa_ei_adb_record *record = &adb->records[i];
        ossa_ei_name name = ossa_ei_adb_name(record);
        ossa__report_begin_row(report);
        ossa__report_cell_text(report, &columns[0], ossa__ei_show(&name).text);
        ossa__report_cell_text(report, &columns[1], action_name(record));
        ossa__report_cell_text(report, &columns[2], ossa_ei_stage_name(ossa_ei_adb_stage(record)));
        ossa__report_cell_integer(report, &columns[3], record->duration);
        ossa__report_cell_number(report, &columns[4], (double)record->speed);
        ossa__report_cell_integer(report, &columns[5], record->hit_frame);
        ossa__report_cell_integer(report, &columns[6], ossa_ei_adb_forms(record));
        if (!adb->has_short_records) {
            ossa__report_cell_integer(report, &columns[7], record->probability);
        }
        ossa__report_end_row(report);
    }
    ossa__report_end_table(report);
}

static void describe_adb(const void *contents, struct ossa__report *report)
{
    const ossa_ei_adb *adb = contents;
    const ossa_ei_name name = text_of(adb->model, sizeof adb->model);
    ossa__report_text(report, "model", "model", ossa__ei_show(&name).text);
    ossa__report_integer(report, "records", "animations", adb->record_count);
    ossa__report_number(report, "min_height", "minimum height", (double)adb->min_height, "");
    ossa__report_number(report, "mid_height", "middle height", (double)adb->mid_height, "");
    ossa__report_number(report, "max_height", "maximum height", (double)adb->max_height, "");
    if (adb->has_short_records) ossa__report_note(report, "short records, without a probability");
    if (adb->is_stub) {
        ossa__report_note(report, "a stub: it states %" PRIu32 " records and has none",
                          adb->stub_count);
    }
    describe_records(adb, report);
}

ossa_ei_adb *ossa_as_ei_adb(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_ei_adb);
}

const struct ossa__format ossa__format_ei_adb = {
    .about = {.id = "ei-adb",
              .title = "Evil Islands animation database",
              .game = "Evil Islands (2000)",
              .extensions = "adb",
              .kind = OSSA_KIND_TABLE},
    .game = &ossa__game_evil_islands,
    .role = OSSA__ROLE_COMPANION,
    .probe = probe_adb,
    .may_begin = may_begin,
    .read = read_adb,
    .write = write_adb,
    .dump = dump_adb,
    .build = OSSA__BUILT_BY(build_adb),
    .describe = describe_adb,
};
