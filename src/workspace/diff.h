/* SPDX-License-Identifier: MIT
 *
 * What the steps of a comparison share; see ossa_workspace_diff. */
#ifndef OSSA_WORKSPACE_DIFF_H
#define OSSA_WORKSPACE_DIFF_H

#include "ossa/diff.h"
#include "workspace/workspace.h"

/* A comparison. Of each pair, 0 is A and 1 is B. */
struct ossa__differ {
    ossa_workspace *workspace;
    const ossa_diff_options *options; /* never NULL */
    ossa_diff diff;
    uint64_t seen;                  /* files, for progress */
    struct ossa__budget budgets[2]; /* for what is in the files that are compared */
    bool is_spent;                  /* one of them is, and that was reported */
    struct ossa__arena arena;       /* for what stays until the end */
    struct ossa__table touched[2];  /* paths of what differs, and of all around it */
    bool failed;
    ossa_error error; /* the first failure */
};
/* Ends the comparison; always false. */
bool ossa__differ_fail(struct ossa__differ *differ, const ossa_error *error);
bool ossa__differ_out_of_memory(struct ossa__differ *differ, const char *path);
/* Something cannot be compared; the rest can, unless the failure is fatal. False: it is. */
bool ossa__differ_skip(struct ossa__differ *differ, const ossa_error *error);

/* ---- diff_fields.c: two files of one format ------------------------------------------------ */

struct ossa__fields {
    /* set by the caller */
    ossa_workspace *workspace;
    const ossa_diff_options *options;
    const ossa_format *format;
    const char *entry;
    const char *paths[2]; /* for errors, and for readers that want a name */
    ossa_bytes bytes[2];  /* still the caller's */
    /* found */
    ossa_error errors[2]; /* why a side cannot be compared */
    size_t count;         /* of fields that differ */
    /* inside */
    struct ossa__arena arena;
    struct ossa__known **blocks; /* the fields of A */
    size_t known_count;
    bool is_full; /* there are too many */
    uint32_t *slots;
    size_t slot_count;
    uint32_t *next;
    size_t matched;
    size_t at;   /* the field of A that comes next */
    size_t gaps; /* bytes without a field, so far */
};
/* Read both, and remember the fields of A; false if that cannot be, see the errors. */
bool ossa__fields_start(struct ossa__fields *fields);
/* Report the differences. False: no memory. */
bool ossa__fields_compare(struct ossa__fields *fields);
void ossa__fields_free(struct ossa__fields *fields);

/* ---- diff_lists.c: sets of files ------------------------------------------------------------ */

/* A file of the file system, or an entry of an archive. */
struct ossa__diff_item {
    struct ossa__node *archive; /* NULL: a file of the file system */
    size_t entry;
    const char *path; /* of the file; NULL for an entry, whose path is made when it is needed */
    const char *name; /* to be matched */
    bool is_done;     /* it was matched with what is in an archive */
};
struct ossa__diff_list {
    struct ossa__diff_item *items;
    size_t count;
};

/* Room for so many items; false: no memory. */
bool ossa__diff_list_start(struct ossa__differ *differ, struct ossa__diff_list *list, size_t count,
                           struct ossa__arena *arena);
/* The entries of an archive, in the order of names. False: no memory. */
bool ossa__diff_list_entries(struct ossa__differ *differ, struct ossa__node *node,
                             struct ossa__arena *arena, struct ossa__diff_list *list);
void ossa__diff_list_sort(struct ossa__diff_list *list);
/* Has a file of one a counterpart in the other? */
bool ossa__diff_have_pair(struct ossa__differ *differ, const struct ossa__diff_list lists[2]);
/* `around`: what their names follow, "unmotr.anm#". False: the comparison has to end. */
bool ossa__diff_lists(struct ossa__differ *differ, const struct ossa__diff_list lists[2],
                      const char *around);

/* ---- diff_files.c: two files --------------------------------------------------------------- */

/* `name`: that of both. False: the comparison has to end. */
bool ossa__diff_pair(struct ossa__differ *differ, const struct ossa__diff_item *a,
                     const struct ossa__diff_item *b, const char *name);
/* The same where one side has none, and the other is NULL. */
bool ossa__diff_single(struct ossa__differ *differ, const struct ossa__diff_item *a,
                       const struct ossa__diff_item *b, const char *name);
/* The archive that an item is, to be released. NULL: it is none, see the error if there is one. */
struct ossa__node *ossa__diff_enter(struct ossa__differ *differ, const struct ossa__diff_item *item,
                                    unsigned side, ossa_error *error);
/* ---- diff_figures.c ------------------------------------------------------------------------ */

/* Compare the clips of the figures below both paths: of those that were touched, or of all.
 * `*found`: there was something to compare. False: the comparison has to end. */
bool ossa__diff_figures(struct ossa__differ *differ, const char *const paths[2], bool all,
                        bool *found);

#endif
