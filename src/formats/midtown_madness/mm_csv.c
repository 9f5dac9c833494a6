/* SPDX-License-Identifier: MIT
 *
 * mm-csv: the states of a Midtown Madness pedestrian, as text.
 *
 *     # anim name,mma name,first frame,last frame,Y AXIS Offset,...     a comment
 *     STAND,pedanim_manstand,1,30,0,0,0,0,STAND
 *     |     |                |  | | | | | next state, which may be missing
 *     |     |                |  | | | | sideways, in metres
 *     |     |                |  | | | sideways offset, which the game ignores
 *     |     |                |  | | forward, in metres
 *     |     |                |  | forward offset, ignored
 *     |     |                |  last frame, played too; before the first: backwards
 *     |     |                first frame, from 1 on
 *     |     animation: its file's name without the extension
 *     state
 *
 * The game splits a line with strtok: nothing between two commas is no field, and what follows
 * moves up.
 *
 * The text itself is kept, so that comments, spacing and the spelling of numbers survive; states
 * point into it. A row that is not a state is reported as an error and kept too.
 *
 * Unknown: how the game treats white space around a word, and lines that end in a CR alone. */
#include "formats/modules.h"

#include "base/json.h"
#include "codec/sort.h"
#include "formats/midtown_madness/mm_csv_rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What an ossa_mm_csv is part of. */
struct table {
    ossa_mm_csv csv; /* first: a pointer to it is a pointer to this */
    uint32_t animation_count;
};

/* ---- probe --------------------------------------------------------------------------------- */

static ossa_confidence probe_csv(const uint8_t *data, uint64_t size)
{
    uint64_t looked_at;
    return ossa__mm_csv_probe((const char *)data, size, &looked_at);
}

static bool may_begin(const uint8_t *start, uint64_t size)
{
    return probe_csv(start, size) != OSSA_CONFIDENCE_NONE; /* it looks at no more */
}

/* ---- read ---------------------------------------------------------------------------------- */

struct parser {
    struct ossa__context *context;
    struct ossa__reader reader; /* everything before its position has been claimed */
    const char *text;
    uint64_t begin; /* of the lines */
    uint64_t end;
    ossa_mm_state *states; /* has room for all */
    uint32_t count;
};

/* Everything up to `end` that is not a field of its own: commas, white space, line ends. */
static void claim_syntax(struct parser *parser, uint64_t end)
{
    uint64_t size = end - parser->reader.position;
    if (size > 0) (void)ossa__read_bytes(&parser->reader, "syntax", OSSA_FIELD_TYPE_TEXT, size);
}

/* A field of list[index], or of nothing where `list` is NULL. */
static void claim(struct parser *parser, const char *list, uint64_t index, const char *field,
                  struct ossa__mm_token token)
{
    if (token.begin == token.end) return;
    claim_syntax(parser, token.begin);
    if (list != NULL) ossa__enter(parser->context, list, index);
    (void)ossa__read_bytes(&parser->reader, field, OSSA_FIELD_TYPE_TEXT, token.end - token.begin);
    if (list != NULL) ossa__leave(parser->context);
}

static uint64_t offset_of(const struct parser *parser, const char *word)
{
    return (uint64_t)(word - parser->text);
}

static struct ossa__piece show(const struct parser *parser, struct ossa__mm_token token)
{
    return ossa__show_piece(parser->text + token.begin, token.end - token.begin);
}

/* What was found instead of what was expected. */
struct finding {
    char text[OSSA__PIECE_CAPACITY + 2];
};

static struct finding describe_found(const struct parser *parser,
                                     const struct ossa__mm_csv_problem *problem)
{
    struct finding finding = {"nothing"};
    if (problem->code == OSSA_CODE_EMBEDDED_NUL) return (struct finding){"a NUL"};
    if (problem->found.begin == problem->found.end) return finding;
    (void)snprintf(finding.text, sizeof finding.text, "'%s'", show(parser, problem->found).text);
    return finding;
}

/* A row that is not a state: report all that is wrong with it; its bytes are one field. */
static void read_other(struct parser *parser, struct ossa__mm_csv_line line, uint64_t number,
                       const struct ossa__mm_csv_row *row)
{
    unsigned column = 0;
    ossa_mm_state state;
    struct ossa__mm_csv_problem problem;
    ossa__enter(parser->context, "lines", number);
    while (ossa__mm_csv_find_problem(parser->text, line, row, &column, &state, &problem)) {
        ossa__issue(parser->context, OSSA_SEVERITY_ERROR, problem.code, problem.found.begin,
                    problem.field, "found %s on line %" PRIu64 ", expected %s",
                    describe_found(parser, &problem).text, number + 1, problem.expected);
    }
    ossa__leave(parser->context);
    claim(parser, "lines", number, "", (struct ossa__mm_token){line.begin, line.end});
}

static void read_state(struct parser *parser, const struct ossa__mm_csv_row *row)
{
    struct ossa__context *context = parser->context;
    uint32_t index = parser->count++;
    for (unsigned i = 0; i < OSSA__MM_CSV_COLUMNS; i++)
        claim(parser, "states", index, ossa__mm_csv_columns[i], row->fields[i]);
    claim(parser, "states", index, "extra", row->extra);
    ossa__enter(context, "states", index);
    if (row->spaced >= 0) {
        struct ossa__mm_token field = row->fields[row->spaced];
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, field.begin,
                    ossa__mm_csv_columns[row->spaced],
                    "white space around '%s', which the game may read as part of it",
                    show(parser, field).text);
    }
    if (row->skipped_at != UINT64_MAX) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, row->skipped_at, "",
                    "nothing between two commas: the game skips it, and the fields after it move "
                    "up by one");
    }
    if (row->extra.begin < row->extra.end) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, row->extra.begin,
                    "extra", "'%s' after the next state, expected the end of the line",
                    show(parser, row->extra).text);
    }
    ossa__leave(context);
}

static void read_lines(struct parser *parser)
{
    uint64_t number = 0;
    for (uint64_t at = parser->begin; at < parser->end; number++) {
        struct ossa__mm_csv_line line = ossa__mm_csv_next_line(parser->text, parser->end, at);
        struct ossa__mm_csv_row row = ossa__mm_csv_split(parser->text, line);
        if (line.kind == OSSA__MM_CSV_COMMENT) {
            claim(parser, NULL, 0, "comment", (struct ossa__mm_token){line.begin, line.end});
        } else if (line.kind == OSSA__MM_CSV_ROW) {
            ossa_mm_state *state = &parser->states[parser->count];
            if (ossa__mm_csv_parse(parser->text, line, &row, state)) read_state(parser, &row);
            else read_other(parser, line, number, &row);
        }
        at = line.next;
    }
    claim_syntax(parser, parser->end);
}

/* Count the states. A text with rows but no states is not a state table. */
static uint32_t count_states(struct parser *parser)
{
    uint64_t number = 0;
    uint32_t count = 0;
    uint64_t first_number = 0; /* of the first row */
    struct ossa__mm_csv_line first = {.kind = OSSA__MM_CSV_BLANK};
    ossa_mm_state state;
    for (uint64_t at = parser->begin; at < parser->end; number++) {
        struct ossa__mm_csv_line line = ossa__mm_csv_next_line(parser->text, parser->end, at);
        at = line.next;
        if (line.kind != OSSA__MM_CSV_ROW) continue;
        struct ossa__mm_csv_row row = ossa__mm_csv_split(parser->text, line);
        if (ossa__mm_csv_parse(parser->text, line, &row, &state)) count++;
        if (first.kind == OSSA__MM_CSV_ROW) continue;
        first = line;
        first_number = number;
    }
    if (count > 0 || first.kind != OSSA__MM_CSV_ROW) return count;
    struct ossa__mm_csv_row row = ossa__mm_csv_split(parser->text, first);
    struct ossa__mm_csv_problem problem;
    unsigned column = 0;
    (void)ossa__mm_csv_find_problem(parser->text, first, &row, &column, &state, &problem);
    ossa__enter(parser->context, "lines", first_number);
    ossa__fail(parser->context, OSSA_CODE_BAD_MAGIC, problem.found.begin, problem.field,
               "no line is a state: found %s on line %" PRIu64 ", expected %s",
               describe_found(parser, &problem).text, first_number + 1, problem.expected);
    ossa__leave(parser->context);
    return 0;
}

/* ---- check --------------------------------------------------------------------------------- */

static int compare_words(const char *a, uint32_t a_size, const char *b, uint32_t b_size)
{
    int difference = memcmp(a, b, a_size < b_size ? a_size : b_size);
    return difference != 0 ? difference : (a_size > b_size) - (a_size < b_size);
}

static bool name_before(const void *a, const void *b, void *user)
{
    const ossa_mm_state *states = user;
    const ossa_mm_state *x = &states[*(const uint32_t *)a];
    const ossa_mm_state *y = &states[*(const uint32_t *)b];
    return compare_words(x->name, x->name_size, y->name, y->name_size) < 0;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* By the names of their files, ignoring letter case. */
static bool animation_before(const void *a, const void *b, void *user)
{
    const ossa_mm_state *states = user;
    const ossa_mm_state *x = &states[*(const uint32_t *)a];
    const ossa_mm_state *y = &states[*(const uint32_t *)b];
    uint32_t size = x->animation_size < y->animation_size ? x->animation_size : y->animation_size;
    for (uint32_t i = 0; i < size; i++) {
        int difference = (uint8_t)lower(x->animation[i]) - (uint8_t)lower(y->animation[i]);
        if (difference != 0) return difference < 0;
    }
    return x->animation_size < y->animation_size;
}

/* Is there a state of that name? `sorted` holds all states, sorted by name. */
static bool has_state(const struct parser *parser, const uint32_t *sorted, const char *name,
                      uint32_t size)
{
    uint32_t low = 0;
    uint32_t high = parser->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const ossa_mm_state *state = &parser->states[sorted[middle]];
        int order = compare_words(state->name, state->name_size, name, size);
        if (order == 0) return true;
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return false;
}

static void check_frame(const struct parser *parser, const ossa_mm_state *state, unsigned number,
                        int32_t frame)
{
    if (frame >= 1) return;
    ossa__issue(parser->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                state->number_at[number], ossa__mm_csv_columns[OSSA__MM_CSV_NUMBERS_AT + number],
                "%" PRId32 ", but the first frame of an animation is 1", frame);
}

/* Spreadsheets put quotes around words; to the game they are part of the word. */
static bool check_quotes(const struct parser *parser, const char *field, const char *word,
                         uint32_t size)
{
    if (memchr(word, '"', size) == NULL) return false;
    ossa__issue(
        parser->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, offset_of(parser, word),
        field, "'%s' contains a quotation mark, which is part of the name like any other character",
        ossa__show_piece(word, size).text);
    return true;
}

static void check_state(const struct parser *parser, const uint32_t *sorted, uint32_t index,
                        uint32_t first)
{
    struct ossa__context *context = parser->context;
    const ossa_mm_state *state = &parser->states[index];
    ossa__enter(context, "states", index);
    (void)(check_quotes(parser, "name", state->name, state->name_size) ||
           check_quotes(parser, "animation", state->animation, state->animation_size) ||
           check_quotes(parser, "next", state->next, state->next_size));
    check_frame(parser, state, 0, state->first_frame);
    check_frame(parser, state, 1, state->last_frame);
    if (first != index) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_DUPLICATE_NAME,
                    offset_of(parser, state->name), "name",
                    "'%s' is already the name of states[%" PRIu32 "], which the game uses",
                    ossa__show_piece(state->name, state->name_size).text, first);
    }
    if (state->next_size > 0 && !has_state(parser, sorted, state->next, state->next_size)) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                    offset_of(parser, state->next), "next",
                    "no state is named '%s' (letter case matters)",
                    ossa__show_piece(state->next, state->next_size).text);
    }
    ossa__leave(context);
}

/* Check the states in O(n log n) and return the number of animations. */
static uint32_t check_states(struct parser *parser)
{
    struct ossa__context *context = parser->context;
    ossa_mm_state *states = parser->states;
    uint32_t count = parser->count;
    uint32_t *sorted = ossa__take(context, count, sizeof *sorted);
    uint32_t *first = ossa__take(context, count, sizeof *first); /* state of the same name */
    if (first == NULL) return 0;
    for (uint32_t i = 0; i < count; i++) sorted[i] = i;
    if (!ossa__sort(context, sorted, count, sizeof *sorted, name_before, states)) return 0;
    for (uint32_t i = 0; i < count; i++) {
        bool same = i > 0 && !name_before(&sorted[i - 1], &sorted[i], states);
        first[sorted[i]] = same ? first[sorted[i - 1]] : sorted[i];
    }
    for (uint32_t i = 0; i < count; i++) check_state(parser, sorted, i, first[i]);
    if (!ossa__sort(context, sorted, count, sizeof *sorted, animation_before, states)) return 0;
    uint32_t animations = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || animation_before(&sorted[i - 1], &sorted[i], states)) animations++;
    }
    return animations;
}

static void *read_csv(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    if (size > UINT32_MAX) {
        ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "",
                           "%" PRIu64 " bytes are more than a text file can have (4 GiB)", size);
        return NULL;
    }
    struct parser parser = {.context = context, .text = (const char *)data};
    ossa__reader_init(&parser.reader, context, data, size);
    parser.begin = ossa__mm_csv_begin(parser.text, size);
    parser.end = ossa__mm_csv_end(parser.text, size);
    uint32_t count = count_states(&parser);
    struct table *table = ossa__take(context, 1, sizeof *table);
    /* One more, as scratch space for rows that are not states. */
    parser.states = ossa__take(context, (uint64_t)count + 1, sizeof *parser.states);
    if (parser.states == NULL) return NULL;
    if (parser.begin > 0) {
        claim(&parser, NULL, 0, "byte_order_mark", (struct ossa__mm_token){0, parser.begin});
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 0, "byte_order_mark",
                    "the game reads it as part of the first line");
    }
    if (count == 0) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, parser.end, "states",
                    "there are no states");
    }
    read_lines(&parser);
    claim(&parser, NULL, 0, "padding", (struct ossa__mm_token){parser.end, size});
    *table = (struct table){.csv = {.text = parser.text,
                                    .text_size = (size_t)size,
                                    .state_count = parser.count,
                                    .states = parser.states}};
    table->animation_count = check_states(&parser);
    return table;
}

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
    if (isfinite(wanted)) *ossa__float_text(wanted, edit->number) = '\0';
    return true;
}

/* Did the caller change this number? Fails if the text has no number to replace. */
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
                           "the text has no number at the given offset");
    } else if (!is_frame && !isfinite(distances[number - 2])) {
        ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, field,
                           "is not finite, which cannot be written as text");
    }
    ossa__leave(context);
    return !context->failed;
}

static void write_csv(struct ossa__context *context, const void *contents,
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
    ossa__dump_latin(json, state->name, state->name_size);
    ossa__json_key(json, "animation");
    ossa__dump_latin(json, state->animation, state->animation_size);
    ossa__member_int(json, "first_frame", state->first_frame);
    ossa__member_int(json, "last_frame", state->last_frame);
    ossa__member_float(json, "forward_offset", state->forward_offset);
    ossa__member_float(json, "forward", state->forward);
    ossa__member_float(json, "sideways_offset", state->sideways_offset);
    ossa__member_float(json, "sideways", state->sideways);
    ossa__json_key(json, "next");
    if (state->next_size > 0) ossa__dump_latin(json, state->next, state->next_size);
    else ossa__json_null(json);
    ossa__json_end_object(json);
}

static void dump_states(struct ossa__json *json, const ossa_mm_csv *csv)
{
    ossa__json_key(json, "states");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < csv->state_count; i++) dump_state(json, &csv->states[i]);
    ossa__json_end_array(json);
}

static void dump_csv(const void *contents, struct ossa__json *json)
{
    const ossa_mm_csv *csv = contents;
    ossa__dump_lines(json, csv->text, csv->text_size);
    dump_states(json, csv);
}

static void *build_csv(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    (void)size;
    ossa__value_allow(data, "lines states"); /* the states follow from the lines */
    ossa_mm_csv *csv = ossa__take(context, 1, sizeof *csv);
    size_t text_size;
    const char *text = ossa__build_lines(context, data, &text_size);
    if (text == NULL) return NULL;
    *csv = (ossa_mm_csv){.text = text, .text_size = text_size};
    return csv;
}

/* ---- describe ------------------------------------------------------------------------------ */

static bool loops(const ossa_mm_state *state)
{
    return compare_words(state->name, state->name_size, state->next, state->next_size) == 0;
}

double ossa_mm_state_duration(const ossa_mm_state *state)
{
    double steps = (double)state->last_frame - (double)state->first_frame;
    return ((steps < 0.0 ? -steps : steps) + 1.0) * 0.03333;
}

/* How fast the game moves a pedestrian in a state. */
static double speed_of(const ossa_mm_state *state)
{
    double forward = (double)state->forward;
    double sideways = (double)state->sideways;
    return sqrt(forward * forward + sideways * sideways) / ossa_mm_state_duration(state);
}

static void list_states(struct ossa__report *report, const ossa_mm_csv *csv)
{
    static const struct ossa__column columns[] = {
        {"name", "state", -18},    {"animation", "animation", -20}, {"frames", "frames", -16},
        {"forward", "forward", 9}, {"sideways", "sideways", 9},     {"speed", "m/s", 9},
        {"next", " next", 0}};
    ossa__report_begin_table(report, "states", columns, 7);
    for (uint32_t i = 0; i < csv->state_count; i++) {
        const ossa_mm_state *state = &csv->states[i];
        char frames[48];
        char next[OSSA__PIECE_CAPACITY + 2];
        (void)snprintf(frames, sizeof frames, "%" PRId32 " .. %" PRId32 "%s", state->first_frame,
                       state->last_frame, state->last_frame < state->first_frame ? " back" : "");
        (void)snprintf(
            next, sizeof next, " %s",
            state->next_size == 0 ? "-" : ossa__show_piece(state->next, state->next_size).text);
        ossa__report_begin_row(report);
        ossa__report_cell_text(report, &columns[0],
                               ossa__show_piece(state->name, state->name_size).text);
        ossa__report_cell_text(report, &columns[1],
                               ossa__show_piece(state->animation, state->animation_size).text);
        ossa__report_cell_text(report, &columns[2], frames);
        ossa__report_cell_number(report, &columns[3], (double)state->forward);
        ossa__report_cell_number(report, &columns[4], (double)state->sideways);
        ossa__report_cell_number(report, &columns[5], speed_of(state));
        ossa__report_cell_text(report, &columns[6], next);
        ossa__report_end_row(report);
    }
    ossa__report_end_table(report);
}

static void describe_csv(const void *contents, struct ossa__report *report)
{
    const struct table *table = contents;
    const ossa_mm_csv *csv = &table->csv;
    uint32_t loop_count = 0;
    uint32_t backward_count = 0;
    for (uint32_t i = 0; i < csv->state_count; i++) {
        loop_count += loops(&csv->states[i]) ? 1 : 0;
        backward_count += csv->states[i].last_frame < csv->states[i].first_frame ? 1 : 0;
    }
    ossa__report_integer(report, "state_count", "states", csv->state_count);
    ossa__report_integer(report, "animation_count", "animations", table->animation_count);
    ossa__report_integer(report, "loop_count", "loops", loop_count);
    ossa__report_integer(report, "backward_count", "backwards", backward_count);
    if (report->json != NULL) dump_states(report->json, csv);
    else list_states(report, csv);
}

ossa_mm_csv *ossa_as_mm_csv(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_mm_csv);
}

const struct ossa__format ossa__format_mm_csv = {
    .about = {.id = "mm-csv",
              .title = "Midtown Madness state table",
              .game = "Midtown Madness 1 and 2 (1999, 2000)",
              .extensions = "csv",
              .kind = OSSA_KIND_TABLE},
    .game = &ossa__game_midtown_madness,
    .role = OSSA__ROLE_PART,
    .is_text = true,
    .has_common_extension = true,
    .probe = probe_csv,
    .may_begin = may_begin,
    .read = read_csv,
    .write = write_csv,
    .dump = dump_csv,
    .build = OSSA__BUILT_BY(build_csv),
    .describe = describe_csv,
};
