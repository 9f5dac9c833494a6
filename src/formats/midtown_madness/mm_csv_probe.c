/* SPDX-License-Identifier: MIT
 *
 * Whether a text is a table of states. Most files that are asked about are not text at all: their
 * first NUL tells, which is near the beginning. */
#include "formats/midtown_madness/mm_csv_rows.h"

#include "base/fold.h"

#include <string.h>

/* The games' archives hold many more tables: of races, cars and sounds, with words and numbers in
 * the same columns. A state table is told from them by what its second field names, a file, and by
 * states that follow each other: the last field names a state of the table. The animations of
 * pedestrians also begin alike. A table of neither has a comment that names the columns, or plays
 * every animation from or to its first frame, with offsets of 0, as the games' own do. */
enum { WINDOW = 1 << 16, ROWS = 32 }; /* that a probe looks at: enough to be sure, and never slow */

/* What the lines so far are. */
struct rows {
    ossa_mm_state states[ROWS];
    unsigned count;
    unsigned others; /* rows that are not states */
    bool has_heading;
};

/* States and animations are never named by numbers alone, which other kinds of tables have in these
 * columns. */
static bool has_letter(const char *word, uint32_t size)
{
    for (uint32_t i = 0; i < size; i++) {
        char letter = (char)(word[i] | 0x20);
        if ((letter >= 'a' && letter <= 'z') || (uint8_t)word[i] >= 0x80) return true;
    }
    return false;
}

/* Can it be the name of a file without its extension? */
static bool is_file_name(const char *word, uint32_t size)
{
    static const char others[] = " .*/:<>?\\|";
    for (uint32_t i = 0; i < size; i++) {
        if ((uint8_t)word[i] < 0x20 || memchr(others, word[i], sizeof others - 1) != NULL) {
            return false;
        }
    }
    return has_letter(word, size);
}

static bool looks_like_state(const char *text, struct ossa__mm_csv_line line,
                             const struct ossa__mm_csv_row *row, ossa_mm_state *state)
{
    if (!ossa__mm_csv_parse(text, line, row, state)) return false;
    return row->extra.begin == row->extra.end && has_letter(state->name, state->name_size) &&
           is_file_name(state->animation, state->animation_size) &&
           (state->next_size == 0 || has_letter(state->next, state->next_size));
}

static bool is_same_word(const char *a, uint32_t a_size, const char *b, uint32_t b_size)
{
    return a_size == b_size && memcmp(a, b, a_size) == 0;
}

/* Does a state follow another, or is an animation called like those of pedestrians? */
static bool are_of_pedestrian(const ossa_mm_state *states, unsigned count)
{
    static const char start[] = "pedanim";
    for (unsigned i = 0; i < count; i++) {
        bool is_long = states[i].animation_size >= sizeof start - 1;
        if (is_long &&
            ossa__same_word(states[i].animation, sizeof start - 1, start, sizeof start - 1)) {
            return true;
        }
        for (unsigned k = 0; k < count && states[i].next_size > 0; k++) {
            if (is_same_word(states[i].next, states[i].next_size, states[k].name,
                             states[k].name_size)) {
                return true;
            }
        }
    }
    return false;
}

/* Do all states play from or to the first frame, without the offsets that the game ignores, and
 * does one cover a distance? */
static bool are_plain_ranges(const ossa_mm_state *states, unsigned count)
{
    bool is_moving = false;
    for (unsigned i = 0; i < count; i++) {
        const ossa_mm_state *state = &states[i];
        bool is_forward = state->first_frame < state->last_frame;
        int32_t least = is_forward ? state->first_frame : state->last_frame;
        bool has_offsets = state->forward_offset != 0.0F || state->sideways_offset != 0.0F;
        if (least != 1 || has_offsets) return false;
        is_moving = is_moving || state->forward != 0.0F || state->sideways != 0.0F;
    }
    return is_moving;
}

/* A comment that names the columns, one of them of animations. */
static bool is_heading(const char *text, struct ossa__mm_csv_line line,
                       const struct ossa__mm_csv_row *row)
{
    enum { WORD = 4 };
    if (line.kind != OSSA__MM_CSV_COMMENT || row->count < OSSA__MM_CSV_NEEDED) return false;
    for (uint64_t at = line.begin; at + WORD <= line.end; at++) {
        if (ossa__same_word(text + at, WORD, "anim", WORD)) return true;
    }
    return false;
}

static void add_line(const char *text, struct ossa__mm_csv_line line, struct rows *rows)
{
    struct ossa__mm_csv_row row = ossa__mm_csv_split(text, line);
    rows->has_heading = rows->has_heading || is_heading(text, line, &row);
    if (line.kind != OSSA__MM_CSV_ROW) return;
    if (looks_like_state(text, line, &row, &rows->states[rows->count])) rows->count++;
    else rows->others++;
}

/* What a text is that ends here. */
static ossa_confidence judge(const struct rows *rows)
{
    unsigned count = rows->count;
    unsigned others = rows->others;
    if (count == 0)
        return rows->has_heading && others == 0 ? OSSA_CONFIDENCE_EMPTY : OSSA_CONFIDENCE_NONE;
    bool is_plain = others == 0 && (rows->has_heading || are_plain_ranges(rows->states, count));
    if (others > count || (!is_plain && !are_of_pedestrian(rows->states, count)))
        return OSSA_CONFIDENCE_NONE;
    return others == 0 ? OSSA_CONFIDENCE_PLAUSIBLE : OSSA_CONFIDENCE_DAMAGED;
}

/* The next NUL or end of a line. */
static uint64_t find_end(const char *text, uint64_t at, uint64_t end)
{
    while (at < end && text[at] != '\n' && text[at] != '\r' && text[at] != '\0') at++;
    return at;
}

/* A line has a NUL at `at`. If the text ends there, the rest of it is padding; a line that ends
 * behind a NUL is not text. One that does not end within the window is not looked at. */
static ossa_confidence judge_nul(const char *text, uint64_t size, struct ossa__mm_csv_line line,
                                 struct rows *rows, uint64_t *looked_at)
{
    bool is_cut = size > WINDOW;
    uint64_t at = line.end;
    uint64_t end = is_cut ? WINDOW : size;
    if (!is_cut && line.begin < line.end) add_line(text, line, rows);
    ossa_confidence confidence = judge(rows);
    if (confidence == OSSA_CONFIDENCE_NONE) return confidence;
    while (at < end && (is_cut ? text[at] != '\n' && text[at] != '\r' : text[at] == '\0')) at++;
    *looked_at = at;
    return at == end ? confidence : OSSA_CONFIDENCE_NONE;
}

ossa_confidence ossa__mm_csv_probe(const char *text, uint64_t size, uint64_t *looked_at)
{
    bool is_cut = size > WINDOW;
    uint64_t end = is_cut ? WINDOW : size;
    struct rows rows;
    rows.count = rows.others = 0;
    rows.has_heading = false;
    *looked_at = 0;
    for (uint64_t at = ossa__mm_csv_begin(text, size);
         at < end && rows.count + rows.others < ROWS;) {
        uint64_t line_end = find_end(text, at, end);
        *looked_at = line_end < end ? line_end + 1 : end;
        if (is_cut && line_end == end) break; /* the line continues past the window */
        bool is_nul = line_end < end && text[line_end] == '\0';
        struct ossa__mm_csv_line line = ossa__mm_csv_next_line(text, is_nul ? line_end : end, at);
        if (is_nul) return judge_nul(text, size, line, &rows, looked_at);
        add_line(text, line, &rows);
        if (rows.others > ROWS / 2)
            return OSSA_CONFIDENCE_NONE; /* states will not outnumber them */
        at = line.next;
    }
    return judge(&rows);
}
