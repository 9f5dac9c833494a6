/* SPDX-License-Identifier: MIT
 *
 * What the files that make figures share: the files that may be of one, and the figures. */
#ifndef OSSA_WORKSPACE_FIGURES_H
#define OSSA_WORKSPACE_FIGURES_H

#include "workspace/workspace.h"

/* A file of the file system, or an archive anywhere, whose path then ends in '#'. */
struct ossa__origin {
    const char *path;
    size_t number; /* from 1 on, in the order of the walk */
    size_t figure; /* that lists it, from 1 on; of several the last */
    bool has_more; /* an archive: than companions, at any depth */
    size_t listed; /* an archive: its number among those of nothing but companions, from 1 on */
};

/* A file that may be of a figure. */
struct ossa__member {
    const char *path;            /* "ped.ar#anim/walk.anim" */
    struct ossa__origin *origin; /* "ped.ar" */
    struct ossa__origin *holder; /* "ped.ar#": the archive that it is in; NULL: none */
    size_t figure;               /* which one takes it in, from 1 on; 0: none yet */
    size_t base;      /* bytes of the path that the caller gave: nothing above it is known */
    const char *name; /* what a file that was found calls itself; else its own, without extension */
    const struct ossa__format *format;
    struct ossa__facts facts;
    const char **listed; /* names of clips or companions that it lists, sorted, each once */
    size_t listed_count;
    struct ossa__member **mates; /* what belongs to it by name, see figure_pairs.c */
    size_t mate_count;
    const struct ossa__member *mate_of; /* the last one that it belongs to */
    const char *link;                   /* NULL, or the only word of a link, see figure_stored.c */
    size_t order;                       /* among all paths, see figure_paths.c */
    const char *shown;                  /* of its figure: its own path, or that of a folder */
    bool is_named;   /* by the path of the walk: what else is in its folder is not known */
    bool is_found;   /* by a search */
    bool is_damaged; /* loading the figure reports it and leaves it out */
};

/* Files of one game that may belong together, in the order of the walk. */
struct ossa__group {
    struct ossa__member **files;
    size_t count;
};

/* What is known of a figure while others are made. */
struct ossa__figure_state {
    uint64_t own;             /* formats of its companions, see ossa__format_bit */
    struct ossa__group files; /* none: it is one that an archive stores */
    bool is_bare;             /* takes no companions: a camera has nothing that they are for */
};

struct ossa__maker {
    ossa_workspace *workspace;
    struct ossa__arena arena;   /* of the result */
    struct ossa__arena scratch; /* of everything else */
    ossa_figure *items;
    struct ossa__figure_state *states; /* by figure */
    size_t count;
    struct ossa__member *files;
    size_t file_count;
    const char **others; /* paths of files that no figure may take in: damaged ones, and discs */
    size_t other_count;
    ossa_issue *damaged; /* those of them that somebody meant */
    size_t damaged_count;
    struct ossa__place_of *order; /* of files and others, see figure_paths.c */
    struct ossa__table paths;     /* of figures; with the number of the last that has it */
    struct ossa__table origin_table;
    struct ossa__origin **origins; /* by number - 1 */
    struct ossa__origin *origin;   /* that is being walked through */
    struct ossa__origin *holder;   /* the last archive that something was in */
    size_t base;                   /* the size of the path of the walk */
    uint64_t compared;             /* times that something was held against something else */
    bool is_search;
    bool ok; /* false: no memory */
};

/* ---- figures.c ----------------------------------------------------------------------------- */

/* A new figure; NULL: no memory. */
ossa_figure *ossa__add_figure(struct ossa__maker *maker, const char *name, const char *game);
/* A path for the figure, once: several files may have the same folder. `path`: from the scratch
 * memory; NULL where there was none. */
void ossa__add_figure_path(struct ossa__maker *maker, ossa_figure *figure, const char *path,
                           struct ossa__origin *origin);
void ossa__add_missing(struct ossa__maker *maker, ossa_figure *figure, const char *what);
/* The origin of that path, known or new; NULL: no memory. */
struct ossa__origin *ossa__find_origin(struct ossa__maker *maker, const char *path);
/* The name behind the last separator. */
const char *ossa__last_name(const char *path);
uint64_t ossa__format_bit(const struct ossa__format *format);
/* Scratch memory; NULL and no longer `ok` where there is none. */
void *ossa__maker_take(struct ossa__maker *maker, size_t count, size_t size);

/* How often files and names were compared for a list of figures: the tests see that it is not each
 * with each. */
uint64_t ossa__figures_compared(const ossa_figures *figures);

/* ---- figure_groups.c ----------------------------------------------------------------------- */

/* Make figures of the files. */
void ossa__group_files(struct ossa__maker *maker);
/* Is it in an archive of nothing but companions, which no figure takes apart? */
bool ossa__is_in_companion_archive(const struct ossa__member *file);

/* Files as a figure, with what belongs to the first of them by name; a body is that first one.
 * Without one it is called after that file. */
void ossa__make_figure(struct ossa__maker *maker, const struct ossa__group *files,
                       const char *alias);

/* ---- figure_lists.c ------------------------------------------------------------------------ */

/* Note the clips or companions that a file lists. */
void ossa__note_listed(struct ossa__maker *maker, const void *contents, struct ossa__member *file);
/* Make a figure of each body in a folder where such files list their clips; what is left stays in
 * `rest`. False: none of them does, and nothing was made. */
bool ossa__make_listed(struct ossa__maker *maker, const struct ossa__group *bodies,
                       struct ossa__group *rest);

/* ---- figure_stored.c ----------------------------------------------------------------------- */

/* Make the figures that folders store by name; what is left stays in the group. */
void ossa__make_stored(struct ossa__maker *maker, struct ossa__group *group);

/* ---- figure_pairs.c ------------------------------------------------------------------------ */

/* Make the figures of files that pair by name; what is left for the others stays in the group. */
void ossa__make_paired(struct ossa__maker *maker, struct ossa__group *group);

/* ---- figure_companions.c ------------------------------------------------------------------- */

/* The archive that an entry is in, by its path, with a '#', and its name; NULL: no memory. */
struct ossa__origin *ossa__find_holder(struct ossa__maker *maker, const char *path,
                                       const char *name);
/* The archives around what is visited hold more than companions. */
void ossa__note_more(struct ossa__maker *maker, const ossa_visit *visit);
/* Give each figure the companions that no other has taken, and that are for it. */
void ossa__add_companions(struct ossa__maker *maker);
/* The companions of a group that are called like a body: `owners` gets the first such body of each;
 * those of others are left as they are. */
void ossa__match_companions(struct ossa__maker *maker, const struct ossa__group *bodies,
                            const struct ossa__group *files, size_t *owners);

/* ---- figure_paths.c ------------------------------------------------------------------------ */

/* Once all files are known. */
void ossa__order_paths(struct ossa__maker *maker);
/* Add the paths of a figure: instead of files the outermost folders that hold nothing else. */
void ossa__add_figure_paths(struct ossa__maker *maker, ossa_figure *figure,
                            const struct ossa__group *group);
/* Where the first folder of a path ends behind `start`; 0: there is none. # leads into an archive,
 * which is a folder, too. */
size_t ossa__folder_end(const char *path, size_t start);

#endif
