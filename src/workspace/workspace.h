/* SPDX-License-Identifier: MIT
 *
 * What the files of a workspace share: nodes, which are archives that are open; places, which are
 * where a path leads; and the budget that keeps hostile archives from being endless. */
#ifndef OSSA_WORKSPACE_WORKSPACE_H
#define OSSA_WORKSPACE_WORKSPACE_H

#include "base/memory.h"
#include "codec/format.h"
#include "ossa/workspace.h"

#include <stdatomic.h>

enum { OSSA__DEEPEST_ARCHIVE = 8 }; /* the games have three in each other */

/* ---- workspace.c: files that were added as bytes ------------------------------------------- */

/* Bytes with users: the workspace, and all that was read from them. */
struct ossa__block {
    atomic_uint users;
    ossa_allocator allocator;
    size_t size;
    uint8_t *data; /* from the allocator; NULL: none */
};
void ossa__block_release(struct ossa__block *block);

/* ---- the workspace ------------------------------------------------------------------------- */

/* A path that was added. */
struct ossa__root {
    char *path;                /* as it was given */
    char *plain;               /* of a file in memory: without ., .. and needless / */
    struct ossa__block *block; /* its bytes; NULL: it lies in the file system */
    bool is_removed;
};

/* See cache.c. The flag guards the lists, not the nodes in them. */
enum { OSSA__CACHE_CHAINS = 256 };
struct ossa__cache {
    atomic_flag lock;
    struct ossa__node *chains[OSSA__CACHE_CHAINS];
    struct ossa__node *newest;
    struct ossa__node *oldest;
    size_t count;
    size_t files;
    uint64_t bytes;
};

struct ossa_workspace {
    ossa_filesystem filesystem;
    ossa_workspace_options options; /* with defaults filled in */
    ossa_allocator allocator;
    struct ossa__root *roots;
    size_t root_count;
    size_t root_capacity;
    size_t removed_count;
    uint32_t *slots; /* by the hash of the plain path: a root + 1; 0: free */
    size_t slot_count;
    struct ossa__cache cache;
};

/* The bytes of a file in memory; NULL: there is none of that path. Takes no memory. */
struct ossa__block *ossa__find_block(const ossa_workspace *workspace, const char *path);
/* A path without ., .. and needless separators; `plain` has room for as many bytes. */
size_t ossa__plain_path(const char *path, char *plain);

extern const ossa_filesystem ossa__disk;
/* "hp.anm" and "../hp.anm" do not say in which folder they lie: the whole path, from the
 * allocator of the arena; NULL where it cannot be found. */
char *ossa__disk_full_path(struct ossa__arena *arena, const char *path);

/* Fails a call that has no context: fills `error` (which may be NULL). Always false. */
bool ossa__workspace_fail(ossa_error *error, ossa_code code, const char *path, const char *message,
                          ...) OSSA_PRINTF(4, 5);
/* What an error is about that is of no single file: the path of the call; NULL: the first of the
 * workspace. */
const char *ossa__path_for_error(const ossa_workspace *workspace, const char *path);
/* Does a failure end the call, whatever else could be read? */
bool ossa__is_fatal(ossa_code code);
/* True unless the caller cancels. `total`: bytes; 0: `done` counts files. */
bool ossa__workspace_progress(const ossa_workspace *workspace, const char *path, uint64_t done,
                              uint64_t total, ossa_error *error);

/* Texts from an arena; NULL where there is no memory. */
char *ossa__join(struct ossa__arena *arena, const char *a, const char *between, const char *b);
char *ossa__copy(struct ossa__arena *arena, const char *text, size_t size);

/* A list in an arena that doubles when it is full: room for one more, or NULL. */
void *ossa__grow(struct ossa__arena *arena, void *items, size_t count, size_t size);

/* ---- texts.c: finding texts ---------------------------------------------------------------- */

/* Texts, each once, with a number for each; in an arena. */
struct ossa__table {
    struct ossa__cell {
        const char *text; /* NULL: free */
        size_t size;
        size_t value; /* 0: none yet */
    } * cells;
    size_t count;
    size_t capacity; /* a power of two, or 0 */
};
/* The cell of a text, which is the caller's; a new one has no value. NULL: no memory. */
struct ossa__cell *ossa__table_put(struct ossa__table *table, struct ossa__arena *arena,
                                   const char *text, size_t size);

/* Names in their order, without regard to letter case, to find those that begin with a text. */
struct ossa__sorted_names {
    struct ossa__sorted_name {
        const char *text;
        size_t number; /* the caller's; names that are the same are in its order */
        size_t found;  /* see ossa__names_find_new; 0 at first */
    } * items;
    size_t count;
    uint64_t compared; /* times that a name was looked at, for the tests */
};
void ossa__names_sort(struct ossa__sorted_names *names);
/* How many names begin with `size` bytes of a text, and the first of them. */
size_t ossa__names_find(struct ossa__sorted_names *names, const char *start, size_t size,
                        size_t *first);
/* The same, but 0 if an earlier call has found all of them: then the same name, asked for a
 * thousand times, takes no longer than once. All that is found is at most the names' bytes. */
size_t ossa__names_find_new(struct ossa__sorted_names *names, const char *start, size_t size,
                            size_t *first);

/* ---- source.c: files of the file system and of memory -------------------------------------- */

enum { OSSA__READ_WHOLE = 256 << 10 }; /* bytes of a file that is not worth reading in parts */

/* What may take long reports its progress, and ends when the caller cancels. */
struct ossa__watch {
    const ossa_workspace *workspace;
    const char *path;
    uint64_t unreported; /* bytes */
    bool is_cancelled;
    ossa_error error; /* then */
};

/* A file of the file system, bytes, or an entry of an archive, opened. */
struct ossa__source {
    ossa_filesystem filesystem;
    void *handle;    /* of the file system; NULL: none */
    bool is_counted; /* among those that stay open */
    uint64_t size;   /* with those behind it */
    uint64_t own_size;
    uint64_t start;             /* offset of its first byte in the file */
    struct ossa__block *block;  /* of memory; NULL: none */
    struct ossa__node *archive; /* of which it is an entry; NULL: none */
    size_t entry;
    struct ossa__source *next; /* the file in which it goes on; NULL: none */
    struct ossa__watch *watch; /* NULL: nobody; always so when threads share the source */
};
/* What a path of the file system or of memory is. False: there is no such file. */
bool ossa__source_open(ossa_workspace *workspace, const char *path, struct ossa__source *source,
                       ossa_error *error);
void ossa__source_close(struct ossa__source *source);
bool ossa__source_exists(ossa_workspace *workspace, const char *path);
bool ossa__source_read(void *source, uint64_t offset, void *bytes, size_t size);
/* All of it, into room for its size. */
bool ossa__source_whole(const ossa_workspace *workspace, struct ossa__source *source,
                        const char *path, void *bytes, ossa_error *error);
/* The same for an entry of an archive, which must not be packed. */
bool ossa__source_enter(struct ossa__node *archive, size_t entry, struct ossa__source *source,
                        ossa_error *error);
/* The files beside it in which it goes on, if there are any, as parts of it. False: no memory. */
bool ossa__source_continue(ossa_workspace *workspace, const char *path, struct ossa__arena *arena,
                           struct ossa__source *source, ossa_error *error);
/* What a lead leads to, beside a file or an entry of the archive (NULL: a file). */
struct ossa__lead;
bool ossa__source_follow(ossa_workspace *workspace, struct ossa__node *archive, const char *path,
                         const struct ossa__lead *lead, struct ossa__source *source,
                         ossa_error *error);
/* Is it the name of a file that may go on in others, or of one of those? */
bool ossa__may_continue(const char *path);
/* Is it one of the files in which another one beside it goes on? */
bool ossa__is_continuation(ossa_workspace *workspace, struct ossa__node *archive, const char *path);
/* Is it within the limit of the workspace? */
bool ossa__source_limit(const ossa_workspace *workspace, const struct ossa__source *source,
                        const char *path, ossa_error *error);
/* Just what lies at an offset, for a format that searches. */
ossa_file *ossa__source_file_at(ossa_workspace *workspace, struct ossa__source *source,
                                const char *path, uint64_t offset, const ossa_options *options,
                                ossa_error *error);
/* Read the file that was opened: a large archive in parts, for which the source stays open, and
 * others as a whole, from the arena. Both must stay until the file is freed. */
ossa_file *ossa__source_file(ossa_workspace *workspace, struct ossa__source *source,
                             const char *path, struct ossa__arena *arena,
                             const ossa_options *options, ossa_error *error);

struct ossa__readable;

/* ---- nodes.c: archives that are open ------------------------------------------------------- */

/* An archive that is open, and everything that it needs. It lives in its own arena. */
/* An entry and its name. */
struct ossa__named {
    const char *name;
    size_t entry;
};

struct ossa__node {
    struct {
        struct ossa__node *next; /* in its chain */
        struct ossa__node *newer;
        struct ossa__node *older;
        size_t chain;
        uint64_t bytes;
        bool has_file;
    } kept; /* in the cache, by which it is guarded */
    atomic_uint users;
    struct ossa__arena arena;
    struct ossa__node *parent; /* that it lies in; NULL: in no archive */
    size_t entry;              /* which entry of that it is */
    unsigned depth;            /* 0: it lies in no archive */
    const char *path;          /* "figures.res#unmotr.anm" */
    const char *tree;          /* "figures.res/unmotr.anm" */
    const char *extension;     /* of entries that have none: ".anm"; may be "" */
    struct ossa__source source;
    ossa_bytes bytes;            /* of an entry of `parent` */
    ossa_file *file;             /* NULL: not an archive, or nothing was found in it */
    ossa_file *described;        /* the file that leads to it; NULL: none */
    bool is_search;              /* nobody claims the file: it was searched all the same */
    bool is_given_up;            /* the search met a limit before the end of the file */
    size_t count;                /* of entries */
    uint32_t *index;             /* to find entries by name; NULL: not made */
    struct ossa__named *by_path; /* the entries in the order of names; NULL: no folders */
    _Atomic uint16_t *formats;   /* by entry: what the probes said, see ossa__node_guess */
    uint8_t *begins; /* by entry: how it begins a figure, see stored.c; NULL: none does */
    const struct ossa__pairs *pairs; /* by entry, see paired.c; NULL: names do not say it */
    size_t figure_count;
};

/* The archive that is a file of the file system or of memory, opened or found open. To be released.
 * NULL with the error. */
struct ossa__node *ossa__node_open(ossa_workspace *workspace, const char *path, ossa_error *error);
/* The same for an entry that is an archive. */
struct ossa__node *ossa__node_enter(ossa_workspace *workspace, struct ossa__node *parent,
                                    size_t entry, ossa_error *error);
/* Is an entry so large that it is read like a file, and not as bytes? */
bool ossa__node_streams(const struct ossa__node *node, size_t entry);
/* The same without looking for it among those that are open, nor keeping it for others: for those
 * who go through all of an archive. Takes the bytes over. */
struct ossa__node *ossa__node_enter_bytes(ossa_workspace *workspace, struct ossa__node *parent,
                                          size_t entry, ossa_bytes *bytes, ossa_error *error);
/* A file that was read as a node, which owns it from then on; NULL with the error, and then the
 * file is still the caller's. */
struct ossa__node *ossa__node_adopt(ossa_workspace *workspace, const struct ossa__readable *item,
                                    ossa_file *file, ossa_error *error);
/* A file that nobody claims, searched for what else is in it; there may be nothing. */
struct ossa__node *ossa__node_search(ossa_workspace *workspace, const struct ossa__readable *item,
                                     ossa_error *error);
/* The same for what lies at one offset, "0x12800", which is all that is read. NULL without an
 * error: nothing of a game does. */
struct ossa__node *ossa__node_at(ossa_workspace *workspace, const struct ossa__readable *item,
                                 const char *name, ossa_error *error);
/* Can it be the name of an entry that is found by its offset? */
bool ossa__is_offset(const char *name);
/* Do its entries lie anywhere, so that they are also found by their offsets? */
bool ossa__node_is_searched(const struct ossa__node *node);
struct ossa__node *ossa__node_keep(struct ossa__node *node);
void ossa__node_release(struct ossa__node *node); /* NULL is fine */

const ossa_entry *ossa__node_entry(const struct ossa__node *node, size_t index);
/* The entry of that name: as it is written, or else but for letter case; -1: none. */
int64_t ossa__node_find(struct ossa__node *node, const char *name);
/* The entries in a folder and below it, in their order; `*count` is 0 where there are none. False:
 * no memory. */
bool ossa__node_folder(const struct ossa__node *node, const char *folder, size_t size,
                       struct ossa__arena *arena, const size_t **entries, size_t *count);
bool ossa__node_bytes(const ossa_workspace *workspace, const struct ossa__node *node, size_t index,
                      ossa_bytes *bytes, ossa_error *error);
/* What the probes say of an entry's bytes; asked once per entry. */
ossa_guess ossa__node_guess(const struct ossa__node *node, size_t index, const ossa_bytes *bytes);
/* The same from an earlier call; false: nobody has asked. */
bool ossa__node_knows(const struct ossa__node *node, size_t index, ossa_guess *guess);
/* A name for the probes: the entry's, with the extension of what it lies in if it has none. */
char *ossa__node_hint(struct ossa__arena *arena, const struct ossa__node *node, const char *entry);

/* ---- cache.c: nodes that are kept for the next path ---------------------------------------- */

/* One that is kept, to be released; NULL: none. */
struct ossa__node *ossa__cache_file(ossa_workspace *workspace, const char *path);
struct ossa__node *ossa__cache_entry(ossa_workspace *workspace, const struct ossa__node *parent,
                                     size_t entry);
struct ossa__node *ossa__cache_search(ossa_workspace *workspace, const struct ossa__readable *item);
/* Keep a new node; gives what is to be used instead of it: another thread may have been quicker. */
struct ossa__node *ossa__cache_offer(ossa_workspace *workspace, struct ossa__node *node);
/* The one that was searched and used last, to be released; NULL: none. */
struct ossa__node *ossa__cache_searched(ossa_workspace *workspace);
/* Nobody else uses the workspace. */
void ossa__cache_clear(ossa_workspace *workspace);

/* ---- locate.c: where a path leads ---------------------------------------------------------- */

struct ossa__location {
    enum {
        OSSA__AT_FAILED,   /* an archive on the way cannot be opened, see the error */
        OSSA__AT_FILE,     /* of the file system or of memory; it may not be there */
        OSSA__AT_ENTRY,    /* of an archive */
        OSSA__AT_ENTRIES,  /* several: a figure, or a folder in an archive */
        OSSA__AT_NO_ENTRY, /* the archive has no such entry; see the error */
    } kind;
    struct ossa__node *archive; /* to be released */
    size_t entry;
    const size_t *entries; /* in the arena of the call */
    size_t count;
    const char *figure; /* that the entries are; NULL: they are those of a folder */
};
struct ossa__location ossa__locate(ossa_workspace *workspace, const char *path,
                                   struct ossa__arena *arena, ossa_error *error);
/* The longest start of `rest` that ends before a #, within the first `*size` bytes, and that is the
 * name of an entry; -1: none. Of very many # it may miss one in the middle. `rest` is changed and
 * restored. */
int64_t ossa__find_start(struct ossa__node *node, char *rest, size_t *size);

/* ---- stored.c: figures that an archive stores by name -------------------------------------- */

/* To be called once for a node, which then knows its figures. False: no memory. */
bool ossa__find_stored(struct ossa__node *node);
/* How many figures an archive stores, and the name of the one that an entry begins: a part of the
 * entry's name; NULL: it begins none. */
size_t ossa__figure_count(const struct ossa__node *node);
const char *ossa__figure_name(const struct ossa__node *node, size_t entry, size_t *size);
/* The entries of a figure, none if there is no figure of that name. False: no memory. */
bool ossa__stored_entries(struct ossa__node *node, const char *name, struct ossa__arena *arena,
                          const size_t **entries, size_t *count);

/* ---- paired.c: figures of an archive whose entries pair by name ---------------------------- */

/* In ossa__node.begins: a figure is called as its entry is, or by the path of that. */
enum { OSSA__BEGINS_PAIRED = 16, OSSA__BEGINS_PAIRED_PATH };
/* The rest of ossa__find_stored, ossa__figure_name and ossa__stored_entries for them. False: no
 * memory. */
bool ossa__find_paired(struct ossa__node *node);
const char *ossa__paired_name(const struct ossa__node *node, size_t entry, size_t *size);
bool ossa__paired_entries(const struct ossa__node *node, const char *name,
                          struct ossa__arena *arena, const size_t **entries, size_t *count);
bool ossa__is_paired_body(const struct ossa__node *node, size_t entry);
bool ossa__is_paired_part(const struct ossa__node *node, size_t entry);
/* How many clips a body has. */
size_t ossa__paired_clips(const struct ossa__node *node, size_t entry);
/* The companion of that name which is nearest to a part that lists it; -1: none. */
int64_t ossa__paired_companion(const struct ossa__node *node, size_t part, const char *name,
                               size_t size);

/* ---- files.c: reading what a path leads to ----------------------------------------------- */

/* A file, or an entry: something to be read. */
struct ossa__readable {
    struct ossa__node *archive; /* NULL: a file of the file system or of memory */
    size_t entry;
    const char *path;
    bool is_named; /* by the caller, not only found */
};

/* Open it; not for entries that are read as bytes. The arena must stay as long as the source. */
bool ossa__item_open(ossa_workspace *workspace, const struct ossa__readable *item,
                     struct ossa__arena *arena, struct ossa__source *source, ossa_error *error);
/* Read an item: NULL with the error. The file keeps what it needs. */
ossa_file *ossa__read_item(ossa_workspace *workspace, const struct ossa__readable *item,
                           const ossa_options *options, ossa_error *error);
/* The same for an entry whose bytes are there; takes them over, also when it fails. */
ossa_file *ossa__read_entry(ossa_workspace *workspace, const struct ossa__readable *item,
                            const ossa_guess *guess, ossa_bytes *bytes, const ossa_options *options,
                            ossa_error *error);

/* Can an archive that is read with these options be offered to others? Only its issues may differ.
 * And can one that others have read be used, because nobody asks for issues or fields? */
bool ossa__reads_for_others(const ossa_options *options);
bool ossa__reads_plainly(const ossa_options *options);

/* Report a failure that no reader has reported to options->on_issue. Always false. */
bool ossa__report_failure(const ossa_options *options, const char *path, const ossa_error *error);

/* ---- folders.c ----------------------------------------------------------------------------- */

/* All files in a folder and below it, in the order of names; `error`: it is a folder that cannot be
 * listed. False ends the walk. */
typedef bool ossa__file_found(void *context, const char *path, const ossa_error *error);
/* False: ended, cancelled, no memory, or the path is not a folder (no error then, `*is_folder`). */
bool ossa__walk_folder(ossa_workspace *workspace, const char *folder, struct ossa__arena *arena,
                       ossa__file_found *found, void *context, bool *is_folder, ossa_error *error);
bool ossa__is_folder(ossa_workspace *workspace, const char *path);

/* ---- look.c -------------------------------------------------------------------------------- */

/* The archive that a walk visits; NULL: it is none. Only for visits of a walk that is going on. */
struct ossa__node *ossa__visit_node(const ossa_visit *visit);
/* What is visited, and of an entry the archive that it lies in. The same holds. */
const struct ossa__readable *ossa__visit_item(const ossa_visit *visit);

/* ---- strays.c: files that nobody meant ----------------------------------------------------- */

/* Is a file that cannot be read a stray: not named, and of no format, or of one by its name only?
 * `format`: the id of the format that refused it; NULL or "": none. */
bool ossa__is_stray(ossa_workspace *workspace, const struct ossa__readable *item, ossa_code code,
                    const char *format);

/* Is it the entry that a figure NAME of its archive begins with, NAME.mod, or the tree in that,
 * which is called NAME? There is no figure without. */
bool ossa__is_body_entry(const struct ossa__readable *item);

/* ---- budget.c ------------------------------------------------------------------------------ */

/* An archive inside may be the outer one again, or a thousand entries may share their bytes: what
 * is done with all that lies in an archive ends when it becomes far more than that allows for. */
struct ossa__budget {
    uint64_t left;     /* bytes of entries, as they lie in the archive, and of their paths */
    size_t base;       /* the size of the archive's own path, which is the caller's choice */
    uint64_t largest;  /* that is unpacked: what is larger is refused, and costs nothing */
    uint64_t unpacked; /* bytes of those that have to be unpacked: a few can become gigabytes */
};
struct ossa__budget ossa__budget_of(const ossa_workspace *workspace, const struct ossa__node *node);
/* For an entry; false, and nothing is left of that kind, when it is too much. */
bool ossa__spend(struct ossa__budget *budget, const ossa_entry *entry, const char *path,
                 ossa_error *error);

/* ---- collect.c: the files that a scene is made of ------------------------------------------ */

/* A file that was read. */
struct ossa__input {
    ossa_file *file;
    const char *path; /* as if archives were folders: it names clips and parts */
    const char *shown;
};

struct ossa__collection {
    ossa_workspace *workspace;
    const ossa_load_options *options; /* never NULL */
    struct ossa__arena arena;
    struct ossa__input *inputs;
    size_t count;
    uint64_t seen;     /* files, for progress */
    uint64_t compared; /* names, for the tests */
    size_t passed_over;
    size_t unreadable;
    const char *several; /* an archive of several figures that was left out; NULL: none */
    bool tolerant;       /* go on behind files that cannot be read */
    bool failed;
    ossa_error error; /* the first failure */
    /* inside */
    ossa_figures *named;         /* among which the path was looked for; NULL: it is a path */
    const ossa_error *lost_body; /* the first body that cannot be read; NULL: none */
    struct ossa__deferred *deferred;
    size_t deferred_count;
    const char **figures; /* that were named in archives */
    size_t figure_count;
    struct ossa__budget budget;
};
/* Zeroed but for its workspace, options and `tolerant`; to be freed in any case. */
bool ossa__collect(struct ossa__collection *collection, const char *const *paths, size_t count);
/* The same, with a failure if there is nothing that a scene can be made of. */
bool ossa__collect_scene(struct ossa__collection *collection, const char *const *paths,
                         size_t count);
void ossa__collection_free(struct ossa__collection *collection);

#endif
