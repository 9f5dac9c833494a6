/* SPDX-License-Identifier: MIT
 *
 * What `ossa diff` prints: text for people, or JSON. */
#ifndef OSSA_CLI_DIFF_PRINT_H
#define OSSA_CLI_DIFF_PRINT_H

#include "cli.h"

/* ---- diff_text.c --------------------------------------------------------------------------- */

struct diff_text {
    char *entry;     /* the file whose fields are printed, from malloc; NULL: none */
    uint64_t offset; /* of its first difference */
    bool is_said;    /* a line says what differs */
    size_t lines;    /* for its fields */
    size_t left;     /* fields without a line */
    /* Fields that are only on one side, and follow each other. */
    char *run_first;
    char *run_last;
    char *run_value; /* of the first */
    size_t run_count;
    char run_sign;    /* + or - */
    uint64_t run_end; /* offset behind the last */
};
/* The callbacks of a comparison; the user is a struct diff_text, zeroed. */
ossa_diff_options diff_text_options(struct diff_text *text);
/* To be called at the end, also after a failure, for which `diff` is NULL. */
void diff_text_end(struct diff_text *text, const ossa_diff *diff);

/* ---- diff_json.c --------------------------------------------------------------------------- */

struct diff_json {
    bool has_begun;
    struct ossa__json json;
    /* Lists that come after the fields. */
    struct diff_part {
        ossa_buffer text;
        struct ossa__json json;
    } clips, entries, bones;
};
ossa_diff_options diff_json_options(struct diff_json *document);
/* `diff` is NULL after a failure: then a document that has begun is closed. */
void diff_json_end(struct diff_json *document, const ossa_diff *diff);

#endif
