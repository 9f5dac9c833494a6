/* SPDX-License-Identifier: MIT
 *
 * Tables of work done by several: a row is one kind of work, a column one who does it. All of a row
 * take turns, and best and median are printed, and how they compare with the yardstick's; with
 * --markdown only the best, for docs/performance.md. */
#ifndef OSSA_BENCH_TABLE_H
#define OSSA_BENCH_TABLE_H

#include "bench.h"

#include <stdbool.h>

enum { MOST_COLUMNS = 6 };

enum unit { NANOSECONDS, MILLISECONDS, MEGA_PER_SECOND };

struct table {
    const char *const *columns; /* their names */
    size_t column_count;
    size_t yardstick; /* a column */
    size_t samples;
    bool markdown;
};

struct row {
    const char *name;
    const char *item; /* of what a unit is: "bone" */
    enum unit unit;
    double items;    /* in one run */
    bool is_process; /* timed by the clock on the wall: starting one is work of the system */
    struct work works[MOST_COLUMNS];
    const char *labels[MOST_COLUMNS]; /* who it is, if not the one that the column is named after */
};

/* Take the options of the program, and print the heading. */
void start_table(struct table *table, int argc, char **argv);
/* Measure and print. */
void show_row(const struct table *table, const struct row *row);

#endif
