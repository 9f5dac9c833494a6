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
    bool is_too_much; /* with those before it, see convert_budget.c */
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
    size_t total_count;      /* of models in all shards */
    size_t unreadable_count; /* the same */
    uint64_t plan;           /* hash of all of them, in order: the same in each shard */
    const char *archive;     /* the input that holds the first figure */
    char *report;            /* its name */
    struct texts options;    /* that change the outputs, in order */
    uint64_t made_of;        /* hash of them and of the files that all models share */
    bool is_unknown;         /* what they are made of: standard input */
    struct report last;      /* of the last run */
    struct report whole;     /* the last one of all shards */
    uint64_t most_output;
    uint64_t input; /* bytes of all inputs */
    uint64_t share; /* memory for a scene of each thread; 0: no other thread needs any */
    atomic_uint_fast64_t written; /* bytes of outputs so far, also of those that are skipped */
    atomic_size_t next;
    struct progress progress;
};

#define REPORT        "report.json"
#define SHARD_REPORTS "report-*-of-*" /* without the .json */

/* ---- convert_figures.c --------------------------------------------------------------------- */

/* Find the figures of all inputs, and name their outputs; false after a message. */
bool find_models(struct all *all);
void free_models(struct all *all);

/* ---- convert_budget.c ---------------------------------------------------------------------- */

/* Decide how much of all models is converted. */
void limit_models(struct all *all);
/* Is the model beyond that? Then there is a message. */
bool is_too_much(struct all *all, const struct model *model);
/* How much memory the scene of each thread may take; one that needs more waits for its turn. */
void share_memory(struct all *all, unsigned jobs);

/* ---- convert_report.c ---------------------------------------------------------------------- */

uint64_t mix_text(uint64_t hash, const char *text);
/* A file counts as unchanged if its size and time are; without its time, it is the same file on
 * another machine. */
uint64_t mix_file(uint64_t hash, const char *path, bool with_time);
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
