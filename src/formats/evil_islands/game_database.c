/* SPDX-License-Identifier: MIT
 *
 * Evil Islands: the animation database (ADB) of a figure. A record and a clip belong together when
 * they have the same name, letter case ignored; of two records with the same name the first is
 * used. Its durations are frames, so they say nothing about the rate. */
#include "formats/evil_islands/game.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- names --------------------------------------------------------------------------------- */

bool ossa__ei_records_start(struct ossa__ei_figure *figure, struct ossa__ei_records *records)
{
    struct ossa__context *context = &figure->assembly->context;
    *records = (struct ossa__ei_records){0};
    records->part = ossa__only_part(figure->assembly, "ei-adb");
    if (records->part == NULL) return !context->failed;
    records->adb = records->part->contents;
    uint32_t count = records->adb->record_count;
    records->names = ossa__take(context, count, sizeof *records->names);
    records->is_used = ossa__take(context, count, 1);
    if (records->names == NULL || records->is_used == NULL) return false;
    memset(records->is_used, 0, count);
    for (uint32_t i = 0; i < count; i++) {
        ossa_ei_name name = ossa_ei_adb_name(&records->adb->records[i]);
        size_t size = ossa_ei_name_utf8(&name, NULL, 0);
        char *text = ossa__take(context, size + 1, 1);
        if (text == NULL) return false;
        (void)ossa_ei_name_utf8(&name, text, size + 1);
        records->names[i] = text;
    }
    records->by_name = ossa__ei_sort_names(context, records->names, count);
    return records->by_name != NULL;
}

/* The place of the first record of that name in the order of names; the count where there is none.
 */
static uint32_t find_name(const struct ossa__ei_records *records, const char *name)
{
    uint32_t count = records->part == NULL ? 0 : records->adb->record_count;
    uint32_t low = 0;
    uint32_t high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (ossa__compare_names(records->names[records->by_name[middle]], name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool is_there =
        low < count && ossa__compare_names(records->names[records->by_name[low]], name) == 0;
    return is_there ? low : count;
}

const ossa_ei_adb_record *ossa__ei_find_record(struct ossa__ei_records *records, const char *clip)
{
    if (records->part == NULL) return NULL;
    uint32_t at = find_name(records, clip);
    if (at == records->adb->record_count) {
        if (records->bare++ == 0) records->first_bare = clip;
        return NULL;
    }
    uint32_t found = records->by_name[at];
    records->is_used[found] = 1;
    return &records->adb->records[found];
}

void ossa__ei_records_finish(struct ossa__ei_figure *figure, const struct ossa__ei_records *records)
{
    if (records->part == NULL) return;
    uint32_t unused = 0;
    const char *first = "";
    for (uint32_t i = 0; i < records->adb->record_count; i++) {
        if (!records->is_used[i] && unused++ == 0) first = records->names[i];
    }
    if (unused == 0 && records->bare == 0) return;
    ossa__assembly_warn(figure->assembly, records->part, OSSA_CODE_MISSING_PART,
                        "records without a clip: %" PRIu32 " of %" PRIu32
                        "%s%s%s; clips without a record: %" PRIu32 "%s%s%s",
                        unused, records->adb->record_count, unused > 0 ? ", the first is '" : "",
                        first, unused > 0 ? "'" : "", records->bare,
                        records->bare > 0 ? ", the first is '" : "",
                        records->bare > 0 ? records->first_bare : "", records->bare > 0 ? "'" : "");
}

/* ---- extras -------------------------------------------------------------------------------- */

enum { EXTRAS = 15, NUMBERS = 21 };

/* Extras being listed. */
struct list {
    ossa_extra *extras;
    uint32_t count;
    double *numbers;
    uint32_t number_count;
};

static void add_numbers(struct list *list, const char *key, const uint32_t *values, uint32_t count)
{
    double *numbers = list->numbers + list->number_count;
    for (uint32_t i = 0; i < count; i++) numbers[i] = values[i];
    list->number_count += count;
    list->extras[list->count++] =
        (ossa_extra){.key = key, .number_count = count, .numbers = numbers};
}

static void add_number(struct list *list, const char *key, uint32_t value)
{
    add_numbers(list, key, &value, 1);
}

const ossa_extra *ossa__ei_record_extras(struct ossa__assembly *assembly,
                                         const struct ossa__ei_records *records,
                                         const ossa_ei_adb_record *record, uint32_t *count)
{
    struct list list = {0};
    list.extras = ossa__take(&assembly->context, EXTRAS, sizeof *list.extras);
    list.numbers = ossa__take(&assembly->context, NUMBERS, sizeof *list.numbers);
    if (list.extras == NULL || list.numbers == NULL) return NULL;
    list.extras[list.count++] =
        (ossa_extra){.key = "stage", .text = ossa_ei_stage_name(ossa_ei_adb_stage(record))};
    add_number(&list, "index", record->index);
    add_number(&list, "weapons", (uint32_t)(record->packed & 0x7f));
    add_number(&list, "states", (uint32_t)(record->packed >> 15 & 7));
    add_number(&list, "action", (uint32_t)(record->packed >> 18 & 15));
    add_number(&list, "modifier", (uint32_t)(record->packed >> 22 & 0xff));
    add_number(&list, "forms", ossa_ei_adb_forms(record));
    if (!records->adb->has_short_records) add_number(&list, "probability", record->probability);
    add_number(&list, "duration", record->duration);
    if (isfinite(record->speed)) {
        list.numbers[list.number_count] = (double)record->speed;
        list.extras[list.count++] = (ossa_extra){
            .key = "speed", .number_count = 1, .numbers = &list.numbers[list.number_count]};
        list.number_count++;
    }
    add_numbers(&list, "show_hide", record->show_hide, 2);
    add_numbers(&list, "step_sounds", record->step_sounds, 4);
    add_number(&list, "hit_frame", record->hit_frame);
    add_number(&list, "special_frame", record->special_frame);
    add_numbers(&list, "sound_ids", record->sound_ids, 4);
    *count = list.count;
    return list.extras;
}
