/* SPDX-License-Identifier: MIT
 *
 * What a table of states becomes: its text with the numbers that were changed, and JSON. */
#include "formats/midtown_madness/mm_csv.h"

#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- write --------------------------------------------------------------------------------- */

static bool find_frame_edit(const char *text, int32_t wanted, struct ossa__mm_edit *edit,
                            bool *has_place)
{
    int32_t stated = 0;
    *has_place = ossa__mm_parse_i32(text, edit->token, &stated);
    (void)snprintf(edit->number, sizeof edit->number, "%" PRId32, wanted);
    return !*has_place || stated != wanted;
}

static bool find_distance_edit(const char *text, float wanted, struct ossa__mm_edit *edit,
                               bool *has_place)
{
    float stated = 0.0F;
    *has_place = ossa__mm_parse_float(text, edit->token, &stated);
    if (*has_place && ossa__bits_from_f32(stated) == ossa__bits_from_f32(wanted)) return false;
    if (isfinite(wanted)) ossa__float_text(wanted, edit->number);
    return true;
}

/* Does the caller want another number there? Fails where the text has no place for it. */
static bool find_edit(struct ossa__context *context, const ossa_mm_csv *csv, uint32_t index,
                      unsigned number, struct ossa__mm_edit *edit)
{
    const ossa_mm_state *state = &csv->states[index];
    const int32_t frames[] = {state->first_frame, state->last_frame};
    const float distances[] = {state->forward_offset, state->forward, state->sideways_offset,
                               state->sideways};
    bool is_frame = number < 2;
    bool has_place;
    edit->token = ossa__mm_csv_number(csv->text, csv->text_size, state->number_at[number]);
    bool differs = is_frame
                       ? find_frame_edit(csv->text, frames[number], edit, &has_place)
                       : find_distance_edit(csv->text, distances[number - 2], edit, &has_place);
    if (!differs) return false;
    const char *field = ossa__mm_csv_columns[OSSA__MM_CSV_NUMBERS_AT + number];
    ossa__enter(context, "states", index);
    if (!has_place) {
        ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, field,
                           "the text has no number where this one is said to stand");
    } else if (!is_frame && !isfinite(distances[number - 2])) {
        ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, field,
                           "is not finite: text has no word for that");
    }
    ossa__leave(context);
    return !context->failed;
}

void ossa__mm_csv_write(struct ossa__context *context, const void *contents,
                        struct ossa__writer *writer)
{
    const ossa_mm_csv *csv = contents;
    struct ossa__mm_edit edit;
    uint64_t count = 0;
    for (uint32_t i = 0; i < csv->state_count; i++) {
        for (unsigned k = 0; k < OSSA__MM_CSV_NUMBERS; k++)
            count += find_edit(context, csv, i, k, &edit) ? 1 : 0;
    }
    struct ossa__mm_edit *edits = ossa__take(context, count, sizeof *edits);
    if (edits == NULL) return;
    uint64_t used = 0;
    for (uint32_t i = 0; i < csv->state_count && used < count; i++) {
        for (unsigned k = 0; k < OSSA__MM_CSV_NUMBERS; k++) {
            if (find_edit(context, csv, i, k, &edit)) edits[used++] = edit;
        }
    }
    ossa__mm_write_edited(context, writer, csv->text, csv->text_size, edits, count, "states");
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_state(struct ossa__json *json, const ossa_mm_state *state)
{
    ossa__json_begin_object(json);
    ossa__json_key(json, "name");
    ossa__mm_dump_word(json, state->name, state->name_size);
    ossa__json_key(json, "animation");
    ossa__mm_dump_word(json, state->animation, state->animation_size);
    ossa__member_int(json, "first_frame", state->first_frame);
    ossa__member_int(json, "last_frame", state->last_frame);
    ossa__member_float(json, "forward_offset", state->forward_offset);
    ossa__member_float(json, "forward", state->forward);
    ossa__member_float(json, "sideways_offset", state->sideways_offset);
    ossa__member_float(json, "sideways", state->sideways);
    ossa__json_key(json, "next");
    if (state->next_size > 0) ossa__mm_dump_word(json, state->next, state->next_size);
    else ossa__json_null(json);
    ossa__json_end_object(json);
}

void ossa__mm_csv_dump_states(struct ossa__json *json, const ossa_mm_csv *csv)
{
    ossa__json_key(json, "states");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < csv->state_count; i++) dump_state(json, &csv->states[i]);
    ossa__json_end_array(json);
}

void ossa__mm_csv_dump(const void *contents, struct ossa__json *json)
{
    const ossa_mm_csv *csv = contents;
    ossa__mm_dump_lines(json, csv->text, csv->text_size);
    ossa__mm_csv_dump_states(json, csv);
}

void *ossa__mm_csv_build(struct ossa__context *context, const struct ossa__value *data,
                         uint64_t size)
{
    (void)size;
    ossa__value_allow(data, "lines states"); /* the states follow from the lines */
    ossa_mm_csv *csv = ossa__take(context, 1, sizeof *csv);
    size_t text_size;
    const char *text = ossa__mm_build_lines(context, data, &text_size);
    if (text == NULL) return NULL;
    *csv = (ossa_mm_csv){.text = text, .text_size = text_size};
    return csv;
}
