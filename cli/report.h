/* SPDX-License-Identifier: MIT
 *
 * Reports of `ossa convert --all`, as they are on the disk. */
#ifndef OSSA_CLI_REPORT_H
#define OSSA_CLI_REPORT_H

#include "cli.h"

/* A piece of the text. */
struct piece {
    const char *text;
    size_t size;
};

/* A figure in it: the text from { to }. */
struct entry {
    const char *text;
    const char *output; /* the line of its output */
};

struct report {
    char *text; /* NULL: none */
    struct entry *entries;
    size_t count;
};

/* Only what this program has written is understood, line by line: a report that was changed proves
 * nothing. False after a message. */
bool report_load(struct report *report, const char *path);
void report_free(struct report *report);
/* The value of a member as it is in the text; of no size if there is none. */
struct piece report_member(const struct report *report, const char *key);
/* Order the entries by their outputs; after that they can be found by them. */
void report_sort(struct report *report);
const struct entry *report_find(const struct report *report, const char *output);
/* Does an entry have a member with this value, as it is in the text? */
bool entry_has(const struct entry *entry, const char *key, const char *value);

/* How it went. */
struct totals {
    size_t converted;
    size_t partial; /* of these */
    size_t skipped;
    size_t failed;
};

/* "WHERE: 3 figures: 2 converted, 0 skipped, 1 failed", and of a conversion the name of its report.
 */
void print_totals(const char *where, const struct totals *totals, const char *report);
void write_totals(struct ossa__json *json, const struct totals *totals);

#endif
