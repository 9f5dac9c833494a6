/* SPDX-License-Identifier: MIT
 *
 * Evil Islands: the animation database (ADB) of a figure. A record and a clip belong together when
 * they have the same name, letter case ignored; of two records with the same name the first is
 * used. Its durations are frames, so they say nothing about the rate. */
#include "formats/evil_islands/game.h"

#include "base/text.h"
#include "scene/edit.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
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

/* ---- events -------------------------------------------------------------------------------- */

/* Where a record has the frames of events; 0 is none of them. Whether they count from 0 or from 1
 * is not known: no event comes after the last frame, counted either way. */
static const struct {
    const char *kind;
    const char *field;
    size_t offset;
} event_fields[OSSA__EI_EVENTS] = {
    {"show_hide", "show_hide[0]", offsetof(ossa_ei_adb_record, show_hide[0])},
    {"show_hide", "show_hide[1]", offsetof(ossa_ei_adb_record, show_hide[1])},
    {"step", "step_sounds[0]", offsetof(ossa_ei_adb_record, step_sounds[0])},
    {"step", "step_sounds[1]", offsetof(ossa_ei_adb_record, step_sounds[1])},
    {"step", "step_sounds[2]", offsetof(ossa_ei_adb_record, step_sounds[2])},
    {"step", "step_sounds[3]", offsetof(ossa_ei_adb_record, step_sounds[3])},
    {"hit", "hit_frame", offsetof(ossa_ei_adb_record, hit_frame)},
    {"special", "special_frame", offsetof(ossa_ei_adb_record, special_frame)},
};

uint32_t ossa__ei_record_events(const ossa_ei_adb_record *record,
                                ossa_event events[OSSA__EI_EVENTS])
{
    uint32_t count = 0;
    for (unsigned i = 0; i < OSSA__EI_EVENTS; i++) {
        uint32_t frame;
        memcpy(&frame, (const char *)record + event_fields[i].offset, sizeof frame);
        if (frame == 0) continue;
        events[count++] = (ossa_event){frame, event_fields[i].kind, event_fields[i].field};
    }
    return count;
}

/* ---- the way back -------------------------------------------------------------------------- */

/* A name as a record stores it; false: it does not fit. */
static bool store_name(const char *text, char name[16])
{
    size_t size = strlen(text);
    size_t used = 0;
    memset(name, 0, 16);
    for (size_t at = 0; at < size; used++) {
        uint32_t character;
        at += ossa__utf8_decode(text + at, size - at, &character);
        int byte = ossa__cp1251_from_unicode(character);
        if (byte < 0 || used == 16) return false;
        name[used] = (char)(uint8_t)byte;
    }
    return true;
}

static void limit_frames(uint32_t *frames, unsigned count, uint32_t most)
{
    for (unsigned i = 0; i < count; i++) {
        if (frames[i] > most) frames[i] = most;
    }
}

/* Another length, as long as the clip: no event may be beyond it. */
static void set_duration(ossa_ei_adb_record *record, const struct ossa__edit *edit)
{
    int64_t more = (int64_t)edit->frame_count - (int64_t)edit->plan->frame_count;
    int64_t frames = (int64_t)record->duration + more;
    if (more == 0) return;
    record->duration = frames < 1 ? 1 : frames > UINT32_MAX ? UINT32_MAX : (uint32_t)frames;
    limit_frames(record->show_hide, 2, record->duration);
    limit_frames(record->step_sounds, 4, record->duration);
    limit_frames(&record->hit_frame, 1, record->duration);
    limit_frames(&record->special_frame, 1, record->duration);
}

/* A record for a new clip, like that of another; it has a number of its own. */
static void append_record(struct ossa__ei_records *records, struct ossa__edit *edit,
                          ossa_ei_adb_record record)
{
    struct ossa__context *context = &edit->assembly->context;
    if (!store_name(edit->name, record.name)) {
        ossa__blame(edit->assembly, records->part);
        ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "",
                           "the name '%s' does not fit into a record of the database: 16 "
                           "characters of code page 1251 at most",
                           edit->name);
        return;
    }
    ossa_ei_adb *adb = ossa__edit_shared(edit, records->part, sizeof *adb);
    if (adb == NULL) return;
    uint64_t count = (uint64_t)adb->record_count + 1;
    ossa_ei_adb_record *made = ossa__take(context, count, sizeof *made);
    if (made == NULL) return;
    record.index = 0;
    for (uint32_t i = 0; i < adb->record_count; i++) {
        made[i] = adb->records[i];
        if (made[i].index >= record.index) record.index = made[i].index + 1;
    }
    made[adb->record_count] = record;
    adb->records = made;
    adb->record_count = (uint32_t)count;
}

/* Another length for the record of a clip that was there. */
static void change_record(struct ossa__ei_records *records, struct ossa__edit *edit, uint32_t at,
                          const ossa_ei_adb_record *record)
{
    struct ossa__context *context = &edit->assembly->context;
    ossa_ei_adb *adb = ossa__edit_shared(edit, records->part, sizeof *adb);
    if (adb == NULL) return;
    ossa_ei_adb_record *made = ossa__take(context, adb->record_count, sizeof *made);
    if (made == NULL) return;
    memcpy(made, adb->records, adb->record_count * sizeof *made);
    made[at] = *record;
    adb->records = made;
}

void ossa__ei_edit_record(struct ossa__ei_records *records, struct ossa__edit *edit)
{
    bool is_retimed = edit->frame_count != edit->plan->frame_count;
    const char *like = edit->plan->name;
    if (records->part == NULL || (!edit->is_new && !is_retimed)) return;
    uint32_t count = records->adb->record_count;
    uint32_t at = find_name(records, like);
    if (at == count) {
        if (!edit->is_new) return;
        ossa__assembly_warn(edit->assembly, records->part, OSSA_CODE_MISSING_PART,
                            "the clip '%s' has no record, and so the new clip '%s' gets none", like,
                            edit->name);
        return;
    }
    if (edit->is_new && find_name(records, edit->name) < count) {
        ossa__assembly_remark(edit->assembly, records->part, OSSA_CODE_PASSED_OVER,
                              "the new clip '%s' has a record already, which stays as it is",
                              edit->name);
        return;
    }
    at = records->by_name[at];
    ossa_ei_adb_record record = records->adb->records[at];
    set_duration(&record, edit);
    if (is_retimed) {
        ossa__assembly_warn(edit->assembly, records->part, OSSA_CODE_UNUSUAL_VALUE,
                            "the record of '%s' states %" PRIu32 " frames instead of %" PRIu32
                            "; the frames of its steps and other events did not move",
                            edit->name, record.duration, records->adb->records[at].duration);
    }
    if (edit->is_new) append_record(records, edit, record);
    else change_record(records, edit, at, &record);
}
