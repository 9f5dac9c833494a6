/* SPDX-License-Identifier: MIT
 *
 * The lines of an mm-csv and their fields. */
#ifndef OSSA_MM_CSV_ROWS_H
#define OSSA_MM_CSV_ROWS_H

#include "formats/midtown_madness/mm_text.h"
#include "ossa/games/midtown_madness.h"

enum {
    OSSA__MM_CSV_COLUMNS = 9,    /* the next state is the last of them */
    OSSA__MM_CSV_NEEDED = 8,     /* a state has at least these */
    OSSA__MM_CSV_NUMBERS_AT = 2, /* the first of the columns of numbers */
    OSSA__MM_CSV_NUMBERS = 6,
};

/* The columns as they are called in the JSON: "name", "animation", "first_frame", ... */
extern const char *const ossa__mm_csv_columns[OSSA__MM_CSV_COLUMNS];

enum ossa__mm_csv_kind { OSSA__MM_CSV_BLANK, OSSA__MM_CSV_COMMENT, OSSA__MM_CSV_ROW };

/* A line without its end: CR LF, LF, CR or the end of the text. */
struct ossa__mm_csv_line {
    uint64_t begin;
    uint64_t end;
    uint64_t next; /* where the next line begins */
    enum ossa__mm_csv_kind kind;
};

/* Where the lines of a text begin and end: after a byte order mark and before padding NULs. */
uint64_t ossa__mm_csv_begin(const char *text, uint64_t size);
uint64_t ossa__mm_csv_end(const char *text, uint64_t size);

/* The line that begins at `from`, which is before `end`. */
struct ossa__mm_csv_line ossa__mm_csv_next_line(const char *text, uint64_t end, uint64_t from);

/* The fields of a line, without surrounding white space. As for the game, which splits lines with
 * strtok, nothing between two commas is no field. Missing fields are empty and located at the end
 * of the line. */
struct ossa__mm_csv_row {
    uint64_t count;      /* number of all fields */
    uint64_t skipped_at; /* nothing between two commas, before a field; UINT64_MAX: no such */
    struct ossa__mm_token fields[OSSA__MM_CSV_COLUMNS];
    struct ossa__mm_token extra; /* everything after the ninth field; empty if only commas */
    int spaced; /* the first column of words that has white space around it; -1 for none */
};

struct ossa__mm_csv_row ossa__mm_csv_split(const char *text, struct ossa__mm_csv_line line);

/* Why a row is not a state. */
struct ossa__mm_csv_problem {
    ossa_code code;
    const char *field; /* "" for the row as a whole */
    struct ossa__mm_token found;
    const char *expected;
};

/* Find the next problem of a row from `*column` (initially 0) on, filling `state` on the way; false
 * if there is none. */
bool ossa__mm_csv_find_problem(const char *text, struct ossa__mm_csv_line line,
                               const struct ossa__mm_csv_row *row, unsigned *column,
                               ossa_mm_state *state, struct ossa__mm_csv_problem *problem);

/* Parse a row as a state; false if it is not one. */
bool ossa__mm_csv_parse(const char *text, struct ossa__mm_csv_line line,
                        const struct ossa__mm_csv_row *row, ossa_mm_state *state);

/* The number at offset `at` in the text, up to white space, a comma or the end. */
struct ossa__mm_token ossa__mm_csv_number(const char *text, uint64_t size, uint64_t at);

/* How likely a text is a table of states, and up to where that was looked for (mm_csv_probe.c). */
ossa_confidence ossa__mm_csv_probe(const char *text, uint64_t size, uint64_t *looked_at);

#endif
