/* SPDX-License-Identifier: MIT
 *
 * Shared by the parts of `ossa convert --all`. */
#ifndef OSSA_CLI_CONVERT_ALL_H
#define OSSA_CLI_CONVERT_ALL_H

#include "convert.h"
#include "report.h"

#include <stdatomic.h>

/* A figure that is converted to one file. */
struct model {
    const ossa_figure *figure;
    size_t input;     /* that holds it */
    uint64_t key;     /* the same for a figure that several inputs hold */
    char *output;     /* its path */
    bool is_repeated; /* an earlier entry has the same name */
    enum { MODEL_WAITS, MODEL_CONVERTED, MODEL_SKIPPED, MODEL_FAILED } state;
    uint32_t bones;
    uint32_t meshes;
    size_t clips;
    struct texts messages;
    bool is_partial;           /* something was left out */
    uint64_t made_of;          /* hash of the options and of the files it is made of */
    uint64_t size;             /* of the output */
    uint64_t hash;             /* of its bytes */
    const struct entry *entry; /* MODEL_SKIPPED: in the last report */
};

struct all {
    struct cli *cli;
    enum target target;
    ossa_figures **figures; /* of each input; NULL: none, it is shared by all models */
    struct model *models;
    size_t count;
    struct texts unreadable; /* paths of files that no figure can be made of */
    struct texts options;    /* that change the outputs, in order */
    uint64_t made_of;        /* hash of them and of the files that all models share */
    bool is_unknown;         /* what they are made of: standard input */
    struct report last;      /* of the last run */
    atomic_size_t next;
    struct progress progress;
};

#define REPORT "report.json"

/* ---- convert_figures.c --------------------------------------------------------------------- */

/* Find the figures of all inputs, and name their outputs; false after a message. */
bool find_models(struct all *all);
void free_models(struct all *all);

/* ---- convert_report.c ---------------------------------------------------------------------- */

/* What the models are made of, and the report of the last run. */
void begin_report(struct all *all);
void end_report(struct all *all);
/* Is the output what the last run has written, from the same files with the same options? */
bool is_done(const struct all *all, struct model *model);
/* After the output is written. */
void note_output(struct model *model);
/* Write the report; false after a message. */
bool write_report(const struct all *all);
struct totals count_results(const struct all *all);

#endif
