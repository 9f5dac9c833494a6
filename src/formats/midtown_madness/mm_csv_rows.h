/* SPDX-License-Identifier: MIT
 *
 * The lines of an mm-csv and their fields. */
#ifndef OSSA_MM_CSV_ROWS_H
#define OSSA_MM_CSV_ROWS_H

#include "formats/midtown_madness/mm_text.h"
#include "ossa/games/midtown_madness.h"

enum {
    OSSA__MM_CSV_COLUMNS = 9,    /* the next state is the last of them */
    OSSA__MM_CSV_NEEDED = 8,     /* without which a row is no state */
    OSSA__MM_CSV_NUMBERS_AT = 2, /* the first of the columns of numbers */
    OSSA__MM_CSV_NUMBERS = 6,
};

/* The columns as they are called in the JSON: "name", "animation", "first_frame", ... */
extern const char *const ossa__mm_csv_columns[OSSA__MM_CSV_COLUMNS];

enum ossa__mm_csv_kind { OSSA__MM_CSV_BLANK, OSSA__MM_CSV_COMMENT, OSSA__MM_CSV_ROW };

/* A line without what ends it: CR LF, LF, CR or the end of the text. */
struct ossa__mm_csv_line {
    uint64_t begin;
    uint64_t end;
    uint64_t next; /* where the next line begins */
    enum ossa__mm_csv_kind kind;
};

/* Where the lines of a text begin and end: after a byte order mark, before NULs that pad it. */
uint64_t ossa__mm_csv_begin(const char *text, uint64_t size);
uint64_t ossa__mm_csv_end(const char *text, uint64_t size);

/* The line that begins at `from`, which is before `end`. */
struct ossa__mm_csv_line ossa__mm_csv_next_line(const char *text, uint64_t end, uint64_t from);

/* What stands between the commas of a line, without the white space around it. Fields that the
 * line does not have are empty and stand at its end. */
struct ossa__mm_csv_row {
    uint64_t count; /* of fields, all of them */
    struct ossa__mm_token fields[OSSA__MM_CSV_COLUMNS];
    struct ossa__mm_token extra; /* everything behind the ninth field; empty: only commas */
    int spaced; /* the first column of words that has white space around it; -1 for none */
};

struct ossa__mm_csv_row ossa__mm_csv_split(const char *text, struct ossa__mm_csv_line line);

/* Why a row is no state. */
struct ossa__mm_csv_problem {
    ossa_code code;
    const char *field; /* "" for the row as a whole */
    struct ossa__mm_token found;
    const char *expected;
};

/* Go on from `*column` (0 at first), filling `state`, to the next thing that is wrong with a row;
 * false when there is none up to its end. */
bool ossa__mm_csv_find_problem(const char *text, struct ossa__mm_csv_line line,
                               const struct ossa__mm_csv_row *row, unsigned *column,
                               ossa_mm_state *state, struct ossa__mm_csv_problem *problem);

/* The state that a row is; false when it is none. */
bool ossa__mm_csv_parse(const char *text, struct ossa__mm_csv_line line,
                        const struct ossa__mm_csv_row *row, ossa_mm_state *state);

/* The number that stands at `at` in the text, up to white space, a comma or the end. */
struct ossa__mm_token ossa__mm_csv_number(const char *text, uint64_t size, uint64_t at);

#endif
