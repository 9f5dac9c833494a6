/* SPDX-License-Identifier: MIT
 *
 * What a format has to say about a file, said once: as lines for people or as JSON.
 *
 * A fact has a key for programs and a label for people; its value is a number, a range, a text or
 * a table. */
#ifndef OSSA_CODEC_REPORT_H
#define OSSA_CODEC_REPORT_H

#include "base/json.h"

struct ossa__report {
    struct ossa__json *json; /* NULL: for people */
    ossa_sink sink;          /* for people */
    bool failed;
};

void ossa__report_integer(struct ossa__report *report, const char *key, const char *label,
                          uint64_t value);
/* A number with its unit, "0.8 s"; the unit may be "". */
void ossa__report_number(struct ossa__report *report, const char *key, const char *label,
                         double value, const char *unit);
void ossa__report_text(struct ossa__report *report, const char *key, const char *label,
                       const char *value);
/* What nobody knows, what is missing, what is odd. For people only: a program has the facts. */
void ossa__report_note(struct ossa__report *report, const char *format, ...) OSSA_PRINTF(2, 3);

/* The least and the most of `count` rows of `width` floats, a range a member: "x -1 .. 1, y ...".
 * Non-finite values are left out and counted. `names` are single letters, one a member. */
void ossa__report_ranges(struct ossa__report *report, const char *key, const char *label,
                         const float *values, uint64_t count, unsigned width, const char *names);

/* A table. Columns of numbers are right-aligned; a width of 0 ends the line. */
struct ossa__column {
    const char *key;
    const char *title;
    int width; /* negative: left-aligned */
};
void ossa__report_begin_table(struct ossa__report *report, const char *key,
                              const struct ossa__column *columns, unsigned count);
void ossa__report_end_table(struct ossa__report *report);
void ossa__report_begin_row(struct ossa__report *report);
void ossa__report_end_row(struct ossa__report *report);
void ossa__report_cell_integer(struct ossa__report *report, const struct ossa__column *column,
                               int64_t value);
void ossa__report_cell_number(struct ossa__report *report, const struct ossa__column *column,
                              double value);
void ossa__report_cell_text(struct ossa__report *report, const struct ossa__column *column,
                            const char *value);

/* A line for people, as it is. */
void ossa__report_line(struct ossa__report *report, const char *format, ...) OSSA_PRINTF(2, 3);
void ossa__report_bytes(struct ossa__report *report, const char *bytes, size_t size);

#endif
