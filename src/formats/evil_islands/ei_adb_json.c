/* SPDX-License-Identifier: MIT
 *
 * ei-adb as JSON and back. */
#include "formats/evil_islands/ei_adb.h"

#include "base/json.h"
#include "formats/evil_islands/ei_text.h"

#include <inttypes.h>
#include <string.h>

/* ---- dump ---------------------------------------------------------------------------------- */

/* A text, and what stands behind its NUL where that is not nothing. */
static void dump_text(struct ossa__json *json, const char *key, const char *rest_key,
                      const char *field, uint32_t capacity)
{
    uint32_t size = ossa__adb_text_size(field, capacity);
    bool is_clean = true;
    for (uint32_t i = size; i < capacity; i++) is_clean = is_clean && field[i] == '\0';
    ossa__json_key(json, key);
    ossa__ei_dump_text(json, field, size);
    if (is_clean) return;
    ossa__member_hex(json, rest_key, (const uint8_t *)field + size + 1, capacity - size - 1);
}

void ossa__adb_dump(const void *contents, struct ossa__json *json)
{
    const ossa_ei_adb *adb = contents;
    dump_text(json, "model", "model_rest", adb->model, sizeof adb->model);
    ossa__member_float(json, "min_height", adb->min_height);
    ossa__member_float(json, "mid_height", adb->mid_height);
    ossa__member_float(json, "max_height", adb->max_height);
    ossa__json_key(json, "records");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < adb->record_count; i++) {
        const ossa_ei_adb_record *record = &adb->records[i];
        const uint32_t packed[2] = {(uint32_t)record->packed, (uint32_t)(record->packed >> 32)};
        ossa__json_begin_object(json);
        dump_text(json, "name", "name_rest", record->name, sizeof record->name);
        ossa__member_uint(json, "index", record->index);
        ossa__member_u32s(json, "packed", packed, 2);
        ossa__member_uint(json, "probability", record->probability);
        ossa__member_uint(json, "duration", record->duration);
        ossa__member_float(json, "speed", record->speed);
        ossa__member_u32s(json, "show_hide", record->show_hide, 2);
        ossa__member_u32s(json, "step_sounds", record->step_sounds, 4);
        ossa__member_uint(json, "hit_frame", record->hit_frame);
        ossa__member_uint(json, "special_frame", record->special_frame);
        ossa__member_u32s(json, "sound_ids", record->sound_ids, 4);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
    ossa__member_tail(json, adb->tail, adb->tail_size);
}

/* ---- build --------------------------------------------------------------------------------- */

static void build_text(const struct ossa__value *object, const char *key, const char *rest_key,
                       char *field, size_t capacity)
{
    struct ossa__value text = ossa__value_member(object, key);
    struct ossa__value rest = ossa__value_optional(object, rest_key);
    uint32_t size;
    const char *bytes = ossa__ei_build_text(&text, &size);
    memset(field, 0, capacity);
    if (bytes == NULL) return;
    if (size > capacity) {
        ossa__value_fail(&text, "has %" PRIu32 " characters, there is room for %zu", size,
                         capacity);
        return;
    }
    if (size > 0 && memchr(bytes, '\0', size) != NULL) ossa__value_fail(&text, "has a NUL in it");
    if (size > 0) memcpy(field, bytes, size);
    if (rest.node == NULL) return;
    size_t rest_size;
    const uint8_t *rest_bytes = ossa__value_hex(&rest, &rest_size);
    if (rest_bytes == NULL) return;
    if (size + 1 + rest_size != capacity) {
        ossa__value_fail(&rest, "has %zu bytes, expected what the text and a NUL leave of %zu",
                         rest_size, capacity);
        return;
    }
    memcpy(field + size + 1, rest_bytes, rest_size);
}

static uint32_t build_u32(const struct ossa__value *object, const char *key)
{
    struct ossa__value value = ossa__value_member(object, key);
    return ossa__value_u32(&value);
}

static float build_float(const struct ossa__value *object, const char *key)
{
    struct ossa__value value = ossa__value_member(object, key);
    return ossa__value_f32(&value);
}

static void build_row(const struct ossa__value *object, const char *key, uint32_t *out,
                      unsigned count)
{
    struct ossa__value row = ossa__value_member(object, key);
    int64_t values[4];
    ossa__value_integers(&row, count, 0, UINT32_MAX, values);
    for (unsigned i = 0; i < count; i++) out[i] = (uint32_t)values[i];
}

static void build_record(const struct ossa__value *value, ossa_ei_adb_record *record)
{
    uint32_t packed[2];
    ossa__value_allow(value, "name name_rest index packed probability duration speed show_hide "
                             "step_sounds hit_frame special_frame sound_ids");
    build_text(value, "name", "name_rest", record->name, sizeof record->name);
    record->index = build_u32(value, "index");
    build_row(value, "packed", packed, 2);
    record->packed = (uint64_t)packed[1] << 32 | packed[0];
    record->probability = build_u32(value, "probability");
    record->duration = build_u32(value, "duration");
    record->speed = build_float(value, "speed");
    build_row(value, "show_hide", record->show_hide, 2);
    build_row(value, "step_sounds", record->step_sounds, 4);
    record->hit_frame = build_u32(value, "hit_frame");
    record->special_frame = build_u32(value, "special_frame");
    build_row(value, "sound_ids", record->sound_ids, 4);
}

void *ossa__adb_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    (void)size;
    ossa__value_allow(data, "model model_rest min_height mid_height max_height records tail");
    struct ossa__value list = ossa__value_member(data, "records");
    struct ossa__value tail = ossa__value_optional(data, "tail");
    size_t count = ossa__value_length(&list);
    if (count > UINT32_MAX) ossa__value_fail(&list, "has too many items");
    ossa_ei_adb *adb = ossa__take(context, 1, sizeof *adb);
    ossa_ei_adb_record *records = ossa__take(context, count, sizeof *records);
    if (adb == NULL || records == NULL) return NULL;
    *adb = (ossa_ei_adb){.record_count = (uint32_t)count, .records = records};
    build_text(data, "model", "model_rest", adb->model, sizeof adb->model);
    adb->min_height = build_float(data, "min_height");
    adb->mid_height = build_float(data, "mid_height");
    adb->max_height = build_float(data, "max_height");
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value item = ossa__value_item(&list, i);
        build_record(&item, &records[i]);
    }
    if (tail.node != NULL) adb->tail = ossa__value_hex(&tail, &adb->tail_size);
    return adb;
}
