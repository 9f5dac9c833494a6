/* SPDX-License-Identifier: MIT
 *
 * A workspace: files wherever they come from, archives opened on demand, and the figures in them.
 *
 *     ossa_workspace *workspace = ossa_workspace_new(NULL, &error);
 *     const char *paths[] = {"figures.res#wyvern", "textures.res", "database.res"};
 *     ossa_scene *scene = ossa_workspace_scene(workspace, paths, 3, NULL, &error);
 *
 * Paths continue into archives: `figures.res#unmotr.anm#walk#hd` is the entry hd of the archive
 * walk in the archive unmotr.anm in the file figures.res. A name that exists as a file is that
 * file, even with a # in it. Letter case does not count inside archives, and / is the same as \. A
 * path may also lead to a folder, to a folder inside an archive, or to a figure that an archive
 * stores in several entries (`figures.res#wyvern`); then it stands for all files in it.
 *
 * Threads: any number of threads may call ossa_workspace_open, _bytes, _walk, _figures, _survey and
 * _scene on one workspace at once, provided that its file system and its allocator may be called
 * from several threads (the disk and malloc may). Archives that one thread has opened serve all.
 * Adding, removing and freeing need the workspace for themselves. */
#ifndef OSSA_WORKSPACE_H
#define OSSA_WORKSPACE_H

#include "ossa/archive.h"
#include "ossa/scene.h"

OSSA_BEGIN

typedef struct ossa_workspace ossa_workspace;

/* ---- where files come from ---------------------------------------------------------------------
 */

/* Receives the names in a folder: `name` without any path. */
typedef void ossa_list_entry(void *context, const char *name, bool is_folder);

/* A file system. Every call fills `error` (its code and message) when it fails. */
typedef struct ossa_filesystem {
    /* Call `found` for every file and folder in a folder, in any order. False: it cannot be
     * listed. May be NULL: then there are no folders. */
    bool (*list)(void *user, const char *folder, ossa_list_entry *found, void *context,
                 ossa_error *error);
    /* Open a file for reading, and give its size. NULL: it cannot be opened. */
    void *(*open)(void *user, const char *path, uint64_t *size, ossa_error *error);
    /* Read `size` bytes at `offset`: all of them, or false. */
    bool (*read_at)(void *user, void *file, uint64_t offset, void *bytes, size_t size);
    void (*close)(void *user, void *file);
    void *user;
} ossa_filesystem;

/* The disk, for file systems that only add something to it. */
OSSA_API ossa_filesystem ossa_disk_filesystem(void);

/* How far a call has come. */
typedef struct ossa_progress {
    const char *path; /* that is being read or searched */
    uint64_t done;    /* bytes of a search, or files of a walk */
    uint64_t total;   /* 0: not known */
} ossa_progress;

typedef struct ossa_workspace_options {
    const ossa_filesystem *filesystem; /* copied; NULL: the disk, through the C library */
    uint64_t max_input;                /* bytes of a file that is read: 256 MiB */
    ossa_allocator allocator;          /* all NULL: malloc and free */

    /* Called now and then in calls that may take long, by the thread that works. False cancels the
     * call, which fails with OSSA_CODE_CANCELLED. */
    bool (*on_progress)(void *user, const ossa_progress *progress);
    void *user;
} ossa_workspace_options;

OSSA_API ossa_workspace *ossa_workspace_new(const ossa_workspace_options *options,
                                            ossa_error *error);
/* Files and scenes that came from it stay good. */
OSSA_API void ossa_workspace_free(ossa_workspace *workspace);

/* Add a file or folder of the file system: ossa_workspace_figures looks for figures in all that was
 * added. Nothing is read yet. */
OSSA_API bool ossa_workspace_add(ossa_workspace *workspace, const char *path, ossa_error *error);

/* Add a file that lies in memory, under a path with / between folders; one of the same path is
 * replaced. The bytes are copied. */
OSSA_API bool ossa_workspace_add_memory(ossa_workspace *workspace, const char *path,
                                        const void *data, size_t size, ossa_error *error);

/* Forget a path that was added; false: it was not. */
OSSA_API bool ossa_workspace_remove(ossa_workspace *workspace, const char *path);

/* The paths that were added, in the order they were; NULL past the last one. */
OSSA_API const char *ossa_workspace_path(const ossa_workspace *workspace, size_t index);

/* ---- single files ------------------------------------------------------------------------------
 */

/* Read the file that a path leads to, as ossa_read does. The path need not have been added. The
 * file keeps the bytes that it refers to; free it with ossa_file_free. `name`, `path`, `copy` and
 * `max_input` of the options are set here. */
OSSA_API ossa_file *ossa_workspace_open(ossa_workspace *workspace, const char *path,
                                        const ossa_options *options, ossa_error *error);

/* Only the bytes; free them with ossa_bytes_free. */
OSSA_API bool ossa_workspace_bytes(ossa_workspace *workspace, const char *path, ossa_bytes *bytes,
                                   ossa_error *error);

/* ---- everything below a path -------------------------------------------------------------------
 */

/* How closely a walk looks at each file. */
typedef enum ossa_detail {
    OSSA_DETAIL_NAMES,   /* only names; archives are not entered */
    OSSA_DETAIL_FORMATS, /* and formats, as the probes see them */
    OSSA_DETAIL_BYTES,   /* and bytes */
    OSSA_DETAIL_FILES,   /* and every file is read */
} ossa_detail;

typedef enum ossa_step {
    OSSA_STEP_INTO, /* go on; enter it if it is an archive */
    OSSA_STEP_OVER, /* go on behind it */
    OSSA_STEP_STOP, /* end the walk, which then succeeds */
} ossa_step;

/* A file that a walk has come to. Everything is valid only during the call. */
typedef struct ossa_visit {
    const char *path; /* "figures.res#unmotr.mod" */
    const char *tree; /* "figures.res/unmotr.mod": as if archives were folders */
    const char *name; /* "unmotr.mod": the path itself, or the name of the entry */
    const char *hint; /* the name with an extension, for probes: an entry without one has its
                       * archive's */
    unsigned depth;   /* archives that it lies in */
    bool is_named;    /* the path of the call means it, not only something around it */
    bool is_part;     /* an archive of which only some entries are visited */

    const ossa_entry *entry;   /* in its archive; NULL: a file of the file system */
    size_t index;              /* which entry */
    const char *own_name;      /* what a file that was searched for calls itself; NULL: nothing */
    uint64_t size;             /* 0 where only names are wanted */
    const ossa_format *format; /* NULL: unknown */
    bool is_archive;
    bool is_search;      /* an archive whose entries are found by searching it */
    const char *title;   /* of an archive: "Evil Islands archive" */
    size_t entry_count;  /* of an archive */
    size_t figure_count; /* that an archive stores by name, see ossa_workspace_figures */

    const uint8_t *data;     /* OSSA_DETAIL_BYTES and more; NULL where there is none to be had */
    const ossa_file *file;   /* OSSA_DETAIL_FILES, and archives that are opened; NULL: none */
    const ossa_error *error; /* what went wrong; NULL: nothing */
    bool is_stray;           /* not meant by the path, and of no format by its bytes or its name */
} ossa_visit;

typedef struct ossa_walk_options {
    ossa_detail detail;
    bool deep;   /* enter archives inside archives */
    bool search; /* search files of no known format for files of a game, as discs need it */
    /* How to read files (OSSA_DETAIL_FILES). Of issues only those of strays are held back. */
    const ossa_options *read;
    ossa_step (*visit)(void *user, const ossa_visit *visit);
    void (*leave)(void *user, const ossa_visit *visit); /* after an archive; NULL: not wanted */
    void *user;
} ossa_walk_options;

/* Visit every file that a path leads to, in the order of names, and what lies in archives after the
 * archive itself, in its order. False when the path leads nowhere, when the walk was cancelled, or
 * when archives hold far more than their size allows for; a file that fails does not end it. */
OSSA_API bool ossa_workspace_walk(ossa_workspace *workspace, const char *path,
                                  const ossa_walk_options *options, ossa_error *error);

/* ---- figures -----------------------------------------------------------------------------------
 */

/* Files that belong together: a body, or what is there of one, with its animations. */
typedef struct ossa_figure {
    const char *name; /* UTF-8, never empty */
    const char *game;
    size_t path_count;
    const char *const *paths; /* for ossa_workspace_scene: the body first */
    size_t file_count;
    const char *const *files; /* of the file system, that the paths lead into */
    size_t missing_count;
    const char *const *missing; /* kinds of files: "skeleton", "texture" */
    uint32_t bone_count;        /* 0: not known */
    size_t clip_count;          /* animations among the paths; 0 if they lie inside of archives */
    bool is_guess; /* nothing but the number of bones joins the animations to the skeleton */
} ossa_figure;

typedef struct ossa_figures {
    size_t count;
    const ossa_figure *items;
} ossa_figures;

/* The figures below a path, or in all that was added (NULL). Free them with ossa_figures_free. */
OSSA_API ossa_figures *ossa_workspace_figures(ossa_workspace *workspace, const char *path,
                                              ossa_error *error);
OSSA_API void ossa_figures_free(ossa_figures *figures);

/* What files hold together, without making a scene of them. */
typedef struct ossa_survey_clip {
    const char *name;
    uint32_t frame_count;
    uint32_t file_count; /* an Evil Islands clip is one file per part */
} ossa_survey_clip;

typedef struct ossa_survey {
    uint32_t bone_count; /* of the largest body */
    size_t mesh_count;   /* files of meshes */
    size_t unreadable;   /* files that say nothing */
    size_t clip_count;
    const ossa_survey_clip *clips;
} ossa_survey;

OSSA_API ossa_survey *ossa_workspace_survey(ossa_workspace *workspace, const char *const *paths,
                                            size_t count, ossa_error *error);
OSSA_API void ossa_survey_free(ossa_survey *survey);

/* ---- scenes ------------------------------------------------------------------------------------
 */

typedef struct ossa_load_options {
    const ossa_scene_options *scene; /* NULL: the defaults */
    const ossa_options *read;        /* format, dialect, strict; NULL: the defaults */

    /* Called for the issues of files and for files that are left out (a remark or, of one that
     * cannot be read, OSSA_SEVERITY_UNREADABLE). Those of the scene go to scene->on_issue. */
    void (*on_issue)(void *user, const ossa_issue *issue);
    /* Called for each file that the scene is made of. */
    void (*on_file)(void *user, const char *path);
    void *user;
} ossa_load_options;

/* A scene of all that the paths lead to: files, folders, archives and what is in them. Of archives
 * that store things for many figures, textures and databases, only those are taken that belong to
 * the figure. A single path that leads nowhere may also be the name of a figure in what was added.
 * Free it with ossa_scene_free. */
OSSA_API ossa_scene *ossa_workspace_scene(ossa_workspace *workspace, const char *const *paths,
                                          size_t count, const ossa_load_options *options,
                                          ossa_error *error);

OSSA_END

#endif
