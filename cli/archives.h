/* SPDX-License-Identifier: MIT
 *
 * ARCHIVE#ENTRY: files inside files, to any depth that makes sense. */
#ifndef OSSA_CLI_ARCHIVES_H
#define OSSA_CLI_ARCHIVES_H

#include "scan.h"

enum { DEEPEST_ARCHIVE = 8 }; /* the games have three in each other */

/* An archive that is open. */
struct archive {
    char *shown;         /* "figures.res#unmotr.anm" */
    char *tree;          /* "figures.res/unmotr.anm": as if it were a folder */
    char *extension;     /* ".anm": its own, or that of what it lies in; may be "" */
    ossa_file *file;     /* NULL: not open */
    struct scan *scan;   /* instead of it, a file of a disc whose entries are found by a search */
    struct loaded bytes; /* what it was read from; its `file` is not used */
    unsigned depth;      /* 0: on the disk */
    uint32_t *index;     /* to find entries by name, see index_entries; NULL: not made */
    bool *of_many;       /* by entry, see scene_files.h; NULL: not known */
};

/* Those that a call has opened on the way to entries: kept, since it asks for many. */
struct archives {
    struct archive **open;
    size_t count;
    ossa_error stdin_error;        /* why standard input is no archive */
    const struct archives *shared; /* with other threads, so only looked at; may be NULL */
};
void archives_free(struct archives *archives);

/* An archive inside may be the outer one again, or a thousand entries may share their bytes: what
 * is done with all that lies in an archive ends when it gets far more than that deserves. */
struct budget {
    uint64_t left;     /* bytes of entries, as they lie in the archive */
    uint64_t largest;  /* that is unpacked: what is larger is refused, and costs nothing */
    uint64_t unpacked; /* bytes of those that have to be unpacked: a few can become gigabytes */
};
struct budget budget_of(const struct cli *cli, const struct archive *archive);
/* For an entry; false, and nothing is left of that kind, when it is too much. */
bool spend(struct budget *budget, const ossa_entry *entry, ossa_error *error);

/* What it is, and what is in it. */
const char *archive_title(const struct archive *archive);
size_t archive_count(const struct archive *archive);
const ossa_entry *archive_entry(const struct archive *archive, size_t index);
bool archive_bytes(const struct archive *archive, size_t index, const ossa_options *options,
                   ossa_bytes *bytes, ossa_error *error);

/* A file of the disk whose entries must be searched for; NULL with the error where it cannot be
 * read, or where there are none. */
bool open_scan(const char *path, struct archive *archive, ossa_error *error);

/* Where a word of a call leads. */
struct place {
    enum { PLACE_FILE, PLACE_ENTRY, PLACE_NO_ENTRY, PLACE_FAILED } kind;
    const struct archive *archive; /* of an entry, or where there is no such */
    size_t entry;
    const char *rest; /* what was looked for in the archive; a piece of the word */
};

/* A name that is there is that file, whatever is in it. Otherwise what stands before a # is an
 * archive. PLACE_FAILED: one on the way cannot be opened, see `error`. */
struct place find_place(const struct cli *cli, const char *word, ossa_error *error);

/* The archive that a word is, opened and kept until the end of the call; NULL when it is none. */
const struct archive *open_kept(const struct cli *cli, const char *word, ossa_error *error);

/* The archive that a word of the call is, if it is open already; otherwise NULL. Never a scan, of
 * which only the places that were asked for are known. */
const struct archive *find_kept(const struct cli *cli, const char *word);

/* Are there models in such an archive, NAME.mod with NAME.bon and NAME.anm? Other games have files
 * that end in .mod, too. */
bool can_hold_models(const ossa_file *archive);

/* Make it ready for find_entry, as those that are kept are; false where there is no memory. */
bool index_entries(struct archive *archive);
/* The entry of that name: as it is written, or else but for the case of letters; -1: none. */
int64_t find_entry(const struct archive *archive, const char *name);

/* What was loaded, as an archive: from the word of a call, or from an entry of `parent`. Takes it
 * over, also when that fails. */
bool open_loaded(const struct cli *cli, const char *word, struct loaded *loaded,
                 struct archive *archive, ossa_error *error);
bool open_loaded_entry(const struct archive *parent, const char *name, struct loaded *loaded,
                       struct archive *archive, ossa_error *error);
void close_archive(struct archive *archive);

/* The word of a call as a path of folders, from malloc: "figures.res/unmotr.anm". */
char *tree_path(const struct cli *cli, const char *word);

/* The bytes of an entry and what they are; the archive must stay open. */
bool load_entry(const struct archive *archive, size_t entry, const ossa_options *options,
                struct loaded *loaded, ossa_error *error);

/* The same when its bytes are in `loaded` already; they stay there when that fails. */
bool read_entry(const struct archive *archive, size_t entry, const ossa_options *options,
                struct loaded *loaded, ossa_error *error);

/* Some archives have their folders among the entries: no bytes, and a separator at the end. */
bool is_folder_entry(const char *name);

/* A name for the probes, from malloc: the entry's, with the extension of what it lies in if it has
 * none. */
char *entry_hint(const struct archive *archive, const char *entry);
/* Three texts end to end, from malloc. */
char *join_text(const char *a, const char *middle, const char *b);
/* "figures.res#unmotr.anm", from malloc. */
char *entry_word(const struct archive *archive, const char *entry);

/* The entries that a word means for which there is none: NAME.mod, NAME.bon and NAME.anm for the
 * model NAME, or everything in the folder NAME. Calls `found` with a word for each; false: none. */
bool expand_entry(const struct place *place, void (*found)(void *user, const char *word),
                  void *user);
/* The same, with the number of each in place->archive. */
bool expand_place(const struct place *place, void (*found)(void *user, size_t entry), void *user);

#endif
