/* SPDX-License-Identifier: MIT
 *
 * A table of states line by line: what kind of line it is, its fields, and whether they make a
 * state. */
#include "formats/midtown_madness/mm_csv_rows.h"

#include <string.h>

const char *const ossa__mm_csv_columns[OSSA__MM_CSV_COLUMNS] = {
    "name",    "animation",       "first_frame", "last_frame", "forward_offset",
    "forward", "sideways_offset", "sideways",    "next"};

enum { NAME, ANIMATION, FIRST_FRAME, LAST_FRAME, NEXT = OSSA__MM_CSV_COLUMNS - 1 };

/* ---- lines --------------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

uint64_t ossa__mm_csv_begin(const char *text, uint64_t size)
{
    return size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

uint64_t ossa__mm_csv_end(const char *text, uint64_t size)
{
    uint64_t begin = ossa__mm_csv_begin(text, size);
    while (size > begin && text[size - 1] == '\0') size--;
    return size;
}

static enum ossa__mm_csv_kind kind_of(const char *text, uint64_t begin, uint64_t end)
{
    if (begin < end && text[begin] == '#') return OSSA__MM_CSV_COMMENT;
    while (begin < end && is_space(text[begin])) begin++;
    return begin == end ? OSSA__MM_CSV_BLANK : OSSA__MM_CSV_ROW;
}

struct ossa__mm_csv_line ossa__mm_csv_next_line(const char *text, uint64_t end, uint64_t from)
{
    struct ossa__mm_csv_line line = {.begin = from, .end = from};
    while (line.end < end && text[line.end] != '\n' && text[line.end] != '\r') line.end++;
    line.next = line.end;
    if (line.next < end && text[line.next] == '\r') line.next++;
    if (line.next < end && text[line.next] == '\n') line.next++;
    line.kind = kind_of(text, line.begin, line.end);
    return line;
}

/* ---- fields -------------------------------------------------------------------------------- */

static struct ossa__mm_token trim(const char *text, struct ossa__mm_token token)
{
    while (token.begin < token.end && is_space(text[token.begin])) token.begin++;
    while (token.begin < token.end && is_space(text[token.end - 1])) token.end--;
    return token;
}

/* What follows the ninth field, unless it is nothing but commas and white space. */
static struct ossa__mm_token trim_extra(const char *text, struct ossa__mm_token token)
{
    token = trim(text, token);
    for (uint64_t at = token.begin; at < token.end; at++) {
        if (text[at] != ',' && !is_space(text[at])) return token;
    }
    return (struct ossa__mm_token){token.end, token.end};
}

static bool is_word(unsigned column)
{
    return column == NAME || column == ANIMATION || column == NEXT;
}

struct ossa__mm_csv_row ossa__mm_csv_split(const char *text, struct ossa__mm_csv_line line)
{
    struct ossa__mm_csv_row row = {.spaced = -1};
    uint64_t empty_at = UINT64_MAX; /* the first empty field so far */
    row.extra = (struct ossa__mm_token){line.end, line.end};
    for (unsigned i = 0; i < OSSA__MM_CSV_COLUMNS; i++) row.fields[i] = row.extra;
    row.skipped_at = UINT64_MAX;
    struct ossa__mm_token field = {line.begin, line.begin};
    for (uint64_t at = line.begin; at <= line.end; at++) {
        if (at < line.end && text[at] != ',') continue;
        field.end = at;
        if (field.begin == field.end) {
            if (empty_at == UINT64_MAX) empty_at = at;
        } else if (row.count < OSSA__MM_CSV_COLUMNS) {
            unsigned column = (unsigned)row.count;
            struct ossa__mm_token trimmed = trim(text, field);
            bool spaced = trimmed.begin > field.begin || trimmed.end < field.end;
            bool is_empty = trimmed.begin == trimmed.end;
            if (spaced && !is_empty && is_word(column) && row.spaced < 0) row.spaced = (int)column;
            row.fields[column] = trimmed;
            if (!is_empty) row.skipped_at = empty_at; /* it stands before a field that counts */
            row.count++;
        } else {
            if (row.count == OSSA__MM_CSV_COLUMNS) row.extra.begin = field.begin;
            row.count++;
        }
        field.begin = at + 1;
    }
    row.extra = trim_extra(text, row.extra);
    return row;
}

/* Store a field in a state. Returns NULL, or what was expected if the field is invalid. */
static const char *take_field(const char *text, struct ossa__mm_token field, unsigned column,
                              ossa_mm_state *state)
{
    const char *word = text + field.begin;
    uint32_t size = (uint32_t)(field.end - field.begin);
    float *const distances[] = {&state->forward_offset, &state->forward, &state->sideways_offset,
                                &state->sideways};
    int32_t *frame = column == FIRST_FRAME ? &state->first_frame : &state->last_frame;
    if (!is_word(column))
        state->number_at[column - OSSA__MM_CSV_NUMBERS_AT] = (uint32_t)field.begin;
    switch (column) {
    case NAME:
        state->name = word;
        state->name_size = size;
        return size > 0 ? NULL : "the name of a state";
    case ANIMATION:
        state->animation = word;
        state->animation_size = size;
        return size > 0 ? NULL : "the name of an animation";
    case NEXT:
        state->next = word;
        state->next_size = size;
        return NULL;
    case FIRST_FRAME:
    case LAST_FRAME:
        return ossa__mm_parse_i32(text, field, frame) ? NULL
                                                      : "a whole number that fits in 32 bits";
    default:
        return ossa__mm_parse_float(text, field, distances[column - LAST_FRAME - 1])
                   ? NULL
                   : "a number that fits in a 32-bit float";
    }
}

/* A problem with the row as a whole, which leaves open which field is which. */
static bool find_row_problem(const char *text, struct ossa__mm_csv_line line,
                             const struct ossa__mm_csv_row *row,
                             struct ossa__mm_csv_problem *problem)
{
    const char *nul = memchr(text + line.begin, '\0', (size_t)(line.end - line.begin));
    if (nul != NULL) {
        uint64_t at = (uint64_t)(nul - text);
        *problem = (struct ossa__mm_csv_problem){OSSA_CODE_EMBEDDED_NUL, "", {at, at + 1}, "text"};
        return true;
    }
    *problem = (struct ossa__mm_csv_problem){
        OSSA_CODE_BAD_VALUE,
        "",
        {line.begin, line.end},
        "a name, an animation, six numbers and the next state, separated by commas"};
    return row->count < OSSA__MM_CSV_NEEDED;
}

bool ossa__mm_csv_find_problem(const char *text, struct ossa__mm_csv_line line,
                               const struct ossa__mm_csv_row *row, unsigned *column,
                               ossa_mm_state *state, struct ossa__mm_csv_problem *problem)
{
    if (*column == 0) {
        *state = (ossa_mm_state){.line = line.begin};
        if (find_row_problem(text, line, row, problem)) {
            *column = OSSA__MM_CSV_COLUMNS;
            return true;
        }
    }
    while (*column < OSSA__MM_CSV_COLUMNS) {
        unsigned i = (*column)++;
        const char *expected = take_field(text, row->fields[i], i, state);
        if (expected == NULL) continue;
        *problem =
            (struct ossa__mm_csv_problem){is_word(i) ? OSSA_CODE_EMPTY_NAME : OSSA_CODE_BAD_VALUE,
                                          ossa__mm_csv_columns[i], row->fields[i], expected};
        return true;
    }
    return false;
}

bool ossa__mm_csv_parse(const char *text, struct ossa__mm_csv_line line,
                        const struct ossa__mm_csv_row *row, ossa_mm_state *state)
{
    unsigned column = 0;
    struct ossa__mm_csv_problem problem;
    return !ossa__mm_csv_find_problem(text, line, row, &column, state, &problem);
}

struct ossa__mm_token ossa__mm_csv_number(const char *text, uint64_t size, uint64_t at)
{
    static const char ends[] = ",\r\n"; /* and NUL */
    struct ossa__mm_token token = {at, at};
    while (token.end < size && !is_space(text[token.end]) &&
           memchr(ends, text[token.end], sizeof ends) == NULL) {
        token.end++;
    }
    return token;
}
