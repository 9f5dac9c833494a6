/* SPDX-License-Identifier: MIT
 *
 * Everything in an archive and in the archives inside it. */
#ifndef OSSA_CLI_WALK_ARCHIVE_H
#define OSSA_CLI_WALK_ARCHIVE_H

#include "archives.h"

/* One entry on the way. */
struct visit {
    const struct archive *archive;
    const ossa_entry *entry;
    size_t index;
    const char *word;          /* "figures.res#unmotr.mod" */
    const ossa_bytes *bytes;   /* NULL: they cannot be had, and that has been told */
    const ossa_format *format; /* what they are, by the probes; NULL: nobody knows */
    bool is_archive;           /* it will be entered after this, if `deep` */
    size_t inside;             /* then, how many entries it has */
    const char *own_name;      /* what it calls itself, of a file of a disc; NULL: nothing */
};

struct archive_walk {
    const struct cli *cli;
    bool deep;        /* enter archives inside */
    const bool *only; /* by entry of the archive itself, those to visit; NULL: all */
    bool quick; /* bytes are not wanted, only what they are: where that is known already, or too
                 * much to unpack, they are not had */
    bool (*visit)(void *user, const struct visit *visit); /* false: do not enter this one */
    void (*leave)(void *user, const struct visit *visit); /* after an archive; may be NULL */
    void *user;
    struct budget budget;   /* set by walk_archive */
    bool is_unpacking_over; /* it was too much, for one that is quick; told */
    bool is_over;           /* it ended before all was visited; told */
    bool failed;            /* something could not be read; told */
};

/* The archive itself is not visited. */
void walk_archive(struct archive_walk *walk, const struct archive *archive);

/* The archive that a word of the call is; `opened` is used when it had to be opened, and to be
 * closed. NULL after a message. */
const struct archive *open_word(const struct cli *cli, const char *word, struct archive *opened);

#endif
