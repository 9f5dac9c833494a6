/* SPDX-License-Identifier: MIT
 *
 * ei-adb: what the game knows of the animations of one Evil Islands model.
 *
 *     char signature[4]       "ADB\0"
 *     u32  record_count
 *     char model[24]          code page 1251, filled up with NULs
 *     f32  min_height, mid_height, max_height
 *     record_count times, 88 bytes each
 *          char name[16]      of the animation; code page 1251
 *          u32  index
 *          u64  packed        bits 0-6 weapons, 15-17 states, 18-21 action, 22-29 its modifier,
 *                             30-31 stage; 32-37 or 36-41 forms
 *          u32  probability, duration
 *          f32  speed
 *          u32  show_hide[2], step_sounds[4], hit_frame, special_frame, sound_ids[4]
 *
 * Not known: what a duration counts in, the other bits of `packed`, and which bits the forms are.
 */
#include "formats/evil_islands/ei_adb.h"

#include "codec/numbers.h"
#include "formats/evil_islands/ei_text.h"

#include <inttypes.h>
#include <string.h>

enum {
    SIGNATURE = 0x00424441, /* "ADB\0" */
    HEADER_SIZE = 44,
    RECORD_SIZE = 88,
    COUNT_AT = 4,
    HEIGHTS_AT = 32,
    SPEED_AT = 36, /* in a record */
};

static const struct ossa__shape shape_packed = {OSSA_FIELD_TYPE_U32, 2, {NULL}};
static const struct ossa__shape shape_four = {OSSA_FIELD_TYPE_U32, 4, {NULL}};

/* ---- records ------------------------------------------------------------------------------- */

uint32_t ossa__adb_text_size(const char *field, uint32_t capacity)
{
    const char *end = memchr(field, '\0', capacity);
    return end == NULL ? capacity : (uint32_t)(end - field);
}

ossa_ei_name ossa_ei_adb_name(const ossa_ei_adb_record *record)
{
    uint32_t size = ossa__adb_text_size(record->name, sizeof record->name);
    return (ossa_ei_name){
        .bytes = record->name, .size = size, .has_nul = size < sizeof record->name};
}

ossa_ei_stage ossa_ei_adb_stage(const ossa_ei_adb_record *record)
{
    return (ossa_ei_stage)(record->packed >> 30 & 3);
}

const char *ossa_ei_stage_name(ossa_ei_stage stage)
{
    static const char *const names[4] = {"unique", "start", "cycle", "end"};
    return (unsigned)stage < 4 ? names[stage] : "unknown";
}

/* ---- probe --------------------------------------------------------------------------------- */

static ossa_confidence probe_adb(const uint8_t *data, uint64_t size)
{
    if (size < 4 || ossa__peek_u32(data, size, 0) != SIGNATURE) return OSSA_CONFIDENCE_NONE;
    uint64_t count = ossa__peek_u32(data, size, COUNT_AT);
    return HEADER_SIZE + count * RECORD_SIZE == size ? OSSA_CONFIDENCE_SIGNATURE
                                                     : OSSA_CONFIDENCE_DAMAGED;
}

/* ---- read ---------------------------------------------------------------------------------- */

static void read_text(struct ossa__reader *reader, const char *field, char *text, size_t capacity)
{
    const uint8_t *bytes = ossa__read_bytes(reader, field, OSSA_FIELD_TYPE_TEXT_1251, capacity);
    if (bytes != NULL) memcpy(text, bytes, capacity);
}

static void read_record(struct ossa__reader *reader, ossa_ei_adb_record *record)
{
    uint32_t packed[2];
    memset(record, 0, sizeof *record); /* the padding too: records are compared */
    read_text(reader, "name", record->name, sizeof record->name);
    record->index = ossa__read_u32(reader, "index");
    ossa__read_element(reader, "packed", &shape_packed, packed);
    record->packed = (uint64_t)packed[1] << 32 | packed[0];
    record->probability = ossa__read_u32(reader, "probability");
    record->duration = ossa__read_u32(reader, "duration");
    record->speed = ossa__read_f32(reader, "speed");
    ossa__read_element(reader, "show_hide", &shape_packed, record->show_hide);
    ossa__read_element(reader, "step_sounds", &shape_four, record->step_sounds);
    record->hit_frame = ossa__read_u32(reader, "hit_frame");
    record->special_frame = ossa__read_u32(reader, "special_frame");
    ossa__read_element(reader, "sound_ids", &shape_four, record->sound_ids);
}

static bool check_count(struct ossa__reader *reader, uint32_t count)
{
    if (reader->context->failed) return false;
    if (count <= ossa__left(reader) / RECORD_SIZE) return true;
    return ossa__fail(reader->context, OSSA_CODE_BAD_COUNT, COUNT_AT, "record_count",
                      "%" PRIu32 " records of %d bytes cannot fit in the %" PRIu64 " bytes left",
                      count, RECORD_SIZE, ossa__left(reader));
}

static void check_record(struct ossa__context *context, const ossa_ei_adb_record *record,
                         uint64_t at)
{
    if (record->name[0] == '\0') {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_EMPTY_NAME, at, "name",
                    "the animation has no name");
    }
    if (context->options.check_values) {
        ossa__check_finite(context, "speed", at + SPEED_AT, &record->speed, 1);
    }
}

static void *read_adb(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader reader;
    ossa__reader_init(&reader, context, data, size);
    ossa_ei_adb *adb = ossa__take(context, 1, sizeof *adb);
    if (adb == NULL) return NULL;
    *adb = (ossa_ei_adb){.min_height = 0.0F};
    (void)ossa__read_bytes(&reader, "signature", OSSA_FIELD_TYPE_TEXT, 4);
    if (!context->failed && ossa__peek_u32(data, size, 0) != SIGNATURE) {
        ossa__fail(context, OSSA_CODE_BAD_MAGIC, 0, "signature",
                   "0x%08" PRIx32 " is not \"ADB\" and a NUL", ossa__peek_u32(data, size, 0));
    }
    adb->record_count = ossa__read_u32(&reader, "record_count");
    read_text(&reader, "model", adb->model, sizeof adb->model);
    adb->min_height = ossa__read_f32(&reader, "min_height");
    adb->mid_height = ossa__read_f32(&reader, "mid_height");
    adb->max_height = ossa__read_f32(&reader, "max_height");
    if (!check_count(&reader, adb->record_count)) return NULL;
    ossa_ei_adb_record *records = ossa__take(context, adb->record_count, sizeof *records);
    if (records == NULL) return NULL;
    adb->records = records;
    if (context->options.check_values) {
        ossa__check_finite(context, "min_height", HEIGHTS_AT, &adb->min_height, 1);
        ossa__check_finite(context, "mid_height", HEIGHTS_AT + 4, &adb->mid_height, 1);
        ossa__check_finite(context, "max_height", HEIGHTS_AT + 8, &adb->max_height, 1);
    }
    for (uint32_t i = 0; i < adb->record_count && !context->failed; i++) {
        uint64_t at = reader.position;
        ossa__enter(context, "records", i);
        read_record(&reader, &records[i]);
        check_record(context, &records[i], at);
        ossa__leave(context);
    }
    adb->tail = ossa__read_tail(&reader, &adb->tail_size);
    return adb;
}

/* ---- write --------------------------------------------------------------------------------- */

static void write_adb(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_ei_adb *adb = contents;
    (void)context;
    ossa__write_u32(writer, SIGNATURE);
    ossa__write_u32(writer, adb->record_count);
    ossa__write_bytes(writer, adb->model, sizeof adb->model);
    ossa__write_f32(writer, adb->min_height);
    ossa__write_f32(writer, adb->mid_height);
    ossa__write_f32(writer, adb->max_height);
    for (uint32_t i = 0; i < adb->record_count; i++) {
        const ossa_ei_adb_record *record = &adb->records[i];
        ossa__write_bytes(writer, record->name, sizeof record->name);
        ossa__write_u32(writer, record->index);
        ossa__write_u32(writer, (uint32_t)record->packed);
        ossa__write_u32(writer, (uint32_t)(record->packed >> 32));
        ossa__write_u32(writer, record->probability);
        ossa__write_u32(writer, record->duration);
        ossa__write_f32(writer, record->speed);
        ossa__write_scalars(writer, record->show_hide, 2, 4);
        ossa__write_scalars(writer, record->step_sounds, 4, 4);
        ossa__write_u32(writer, record->hit_frame);
        ossa__write_u32(writer, record->special_frame);
        ossa__write_scalars(writer, record->sound_ids, 4, 4);
    }
    ossa__write_bytes(writer, adb->tail, adb->tail_size);
}

/* ---- describe ------------------------------------------------------------------------------ */

/* What an action is; "" where nobody has said. */
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
        {"name", "animation", -16},  {"action", "action", -8},           {"stage", "stage", -6},
        {"duration", "duration", 8}, {"probability", "probability", 11}, {"speed", "speed", 8},
        {"hit_frame", "hit", 6}};
    ossa__report_begin_table(report, "record_table", columns, 7);
    for (uint32_t i = 0; i < adb->record_count; i++) {
        const ossa_ei_adb_record *record = &adb->records[i];
        ossa_ei_name name = ossa_ei_adb_name(record);
        ossa__report_begin_row(report);
        ossa__report_cell_text(report, &columns[0], ossa__ei_show(&name).text);
        ossa__report_cell_text(report, &columns[1], action_name(record));
        ossa__report_cell_text(report, &columns[2], ossa_ei_stage_name(ossa_ei_adb_stage(record)));
        ossa__report_cell_integer(report, &columns[3], record->duration);
        ossa__report_cell_integer(report, &columns[4], record->probability);
        ossa__report_cell_number(report, &columns[5], (double)record->speed);
        ossa__report_cell_integer(report, &columns[6], record->hit_frame);
        ossa__report_end_row(report);
    }
    ossa__report_end_table(report);
}

static void describe_adb(const void *contents, struct ossa__report *report)
{
    const ossa_ei_adb *adb = contents;
    const ossa_ei_name name = {.bytes = adb->model,
                               .size = ossa__adb_text_size(adb->model, sizeof adb->model)};
    ossa__report_text(report, "model", "model", ossa__ei_show(&name).text);
    ossa__report_integer(report, "records", "animations", adb->record_count);
    ossa__report_number(report, "min_height", "least height", (double)adb->min_height, "");
    ossa__report_number(report, "mid_height", "middle height", (double)adb->mid_height, "");
    ossa__report_number(report, "max_height", "most height", (double)adb->max_height, "");
    ossa__report_note(report, "what a duration counts in is not known");
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
    .read = read_adb,
    .write = write_adb,
    .dump = ossa__adb_dump,
    .build = OSSA__BUILT_BY(ossa__adb_build),
    .describe = describe_adb,
};
