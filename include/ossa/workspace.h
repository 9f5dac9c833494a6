/* SPDX-License-Identifier: MIT */
/** @file
 * Workspaces: files wherever they come from, archives opened on demand, and the figures in them.
 *
 *     ossa_workspace *workspace = ossa_workspace_new(NULL, &error);
 *     const char *paths[] = {"figures.res#wyvern", "textures.res", "database.res"};
 *     ossa_scene *scene = ossa_workspace_scene(workspace, paths, 3, NULL, &error);
 *
 * **Paths** continue into archives: `figures.res#unmotr.anm#walk#hd` is the entry hd of the archive
 * walk in the archive unmotr.anm in the file figures.res. If a file with the complete name exists,
 * even one with a # in it, the path means that file. Inside archives, letter case is ignored and /
 * is the same as \. A path may also lead to a folder, to a folder inside an archive, or to a figure
 * that an archive stores in several entries (`figures.res#wyvern`); then it means all files in it.
 *
 * **Results.** Functions that return a pointer return NULL on failure; those that return bool
 * return false. Either way `error`, which may be NULL, then has the code, the path and a message;
 * on success its code is OSSA_CODE_OK. The caller owns what a function returns and frees it with
 * the function named there. It stays valid without the workspace. Strings and arrays that are
 * passed in are needed only during the call.
 *
 * **Threads.** Any number of threads may call ossa_workspace_open, _bytes, _replace, _walk,
 * _figures, _survey, _scene and _path on one workspace at once, provided that its file system, its
 * allocator and on_progress may be called from several threads (the disk and malloc may). Callbacks
 * are called on the thread of the call, and may call these functions, too. ossa_workspace_add,
 * _add_memory, _remove and _free need the workspace for themselves.
 *
 * **Hostile files** make a call fail; they cannot crash it, and its time and memory stay in
 * proportion to the size of the input. A file or an entry larger than max_input is refused
 * (OSSA_CODE_TOO_LARGE). Archives may be in at most 8 others, and what is in one may be 64 times
 * its size (OSSA_CODE_LIMIT).
 *
 * **Files that change.** A workspace keeps archives open and remembers what a search found, so that
 * the next call need not read them again. What it remembers is forgotten when a path is added or
 * removed. Until then, a file that changes may be seen as it was, or fail to be read. */
#ifndef OSSA_WORKSPACE_H
#define OSSA_WORKSPACE_H

#include "ossa/archive.h"
#include "ossa/scene.h"

OSSA_BEGIN

/** A set of files; opaque. */
typedef struct ossa_workspace ossa_workspace;

/* ---- where files come from ----------------------------------------------------------------- */

/** Receives the names in a folder, without a path. */
typedef void ossa_list_entry(void *context, const char *name, bool is_folder);

/** A file system. A call that fails may set the code and the message of `error`, which is never
 * NULL; by default they are OSSA_CODE_IO and a general message. */
typedef struct ossa_filesystem {
    /** Call `found` with `context` for every file and folder in a folder, in any order. Return
     * false if it cannot be listed. May be NULL: then there are no folders. Links must not form
     * circles. */
    bool (*list)(void *user, const char *folder, ossa_list_entry *found, void *context,
                 ossa_error *error);
    /** Open a file for reading and store its size. Return NULL if it cannot be opened, also if it
     * is a folder. The same file may be open several times. */
    void *(*open)(void *user, const char *path, uint64_t *size, ossa_error *error);
    /** Read exactly `size` bytes at `offset`, or return false. Never asked for bytes beyond the
     * size of the file. */
    bool (*read_at)(void *user, void *file, uint64_t offset, void *bytes, size_t size);
    /** Close what `open` returned; called once for each, possibly after ossa_workspace_free. */
    void (*close)(void *user, void *file);
    void *user; /**< passed to all */
    /** Its folders are those of the disk, so that `.` and `..` have names there. */
    bool is_disk;
} ossa_filesystem;

/** The disk, for file systems that only add to it. Paths are those of the operating system; on
 * Windows they are UTF-8, with / or \, of any length. Links to folders are not followed when
 * folders are listed. */
OSSA_API ossa_filesystem ossa_disk_filesystem(void);

/** The progress of a call. Valid only during the callback. A call may report several files in turn,
 * so that `done` is not always increasing. */
typedef struct ossa_progress {
    const char *path; /**< being read, searched or listed */
    uint64_t done;    /**< bytes of the file; if `total` is 0, the number of files so far */
    uint64_t total;   /**< bytes of the file; 0: its size does not matter */
} ossa_progress;

/** How a workspace reads files. */
typedef struct ossa_workspace_options {
    const ossa_filesystem *filesystem; /**< copied; NULL: the disk, through the C library */
    uint64_t max_input;                /**< size of a file that is read; 0: 256 MiB */
    ossa_allocator allocator;          /**< all NULL: malloc and free */

    /** Called for each file, folder and entry of an archive by functions that take all of them, and
     * for each MiB of a file that is read or searched as a whole. Returning false cancels the call,
     * which then fails with OSSA_CODE_CANCELLED. May be NULL. */
    bool (*on_progress)(void *user, const ossa_progress *progress);
    void *user; /**< passed to on_progress */

    /** What ossa_workspace_index wrote, or NULL: then archives that must be searched are, see
     * ossa_write_index. The bytes must stay valid as long as the workspace. */
    const void *index;
    size_t index_size; /**< number of bytes */
} ossa_workspace_options;

/** Make an empty workspace. `options` may be NULL. Free it with ossa_workspace_free. Fails only if
 * there is no memory. */
OSSA_API ossa_workspace *ossa_workspace_new(const ossa_workspace_options *options,
                                            ossa_error *error);
/** Free a workspace. NULL is allowed. Files and scenes that came from it stay valid, and may still
 * call its file system and its allocator. */
OSSA_API void ossa_workspace_free(ossa_workspace *workspace);

/** Write the index of the archive that was searched, for the next workspace: the one that was used
 * last, if there are several. Fails with OSSA_CODE_NO_ENTRY if no archive was. */
OSSA_API bool ossa_workspace_index(ossa_workspace *workspace, ossa_sink sink, ossa_error *error);

/** Add a file or folder of the file system, for ossa_workspace_figures to search. Nothing is read
 * yet: there need not be such a file. Fails only if there is no memory. */
OSSA_API bool ossa_workspace_add(ossa_workspace *workspace, const char *path, ossa_error *error);

/** Add a file in memory, under a path with / between folders; `.`, `..` and repeated / do not
 * count. It replaces one with the same path, and hides a file of the file system with that path. A
 * folder contains the files of both. The bytes are copied. Fails only if there is no memory. */
OSSA_API bool ossa_workspace_add_memory(ossa_workspace *workspace, const char *path,
                                        const void *data, size_t size, ossa_error *error);

/** The same without a copy. `data` must have been allocated with the workspace's allocator (malloc
 * by default), with exactly `size` bytes. The workspace releases it; if the call fails, the caller
 * still owns it. NULL is allowed if `size` is 0. */
OSSA_API bool ossa_workspace_adopt_memory(ossa_workspace *workspace, const char *path, void *data,
                                          size_t size, ossa_error *error);

/** Remove a path that was added. Returns false if it was not. Files that were read from it stay
 * valid. */
OSSA_API bool ossa_workspace_remove(ossa_workspace *workspace, const char *path);

/** The paths that were added, in that order; NULL if `index` is out of range. The text is the
 * workspace's, until the next call that adds or removes a path. */
OSSA_API const char *ossa_workspace_path(const ossa_workspace *workspace, size_t index);

/* ---- single files -------------------------------------------------------------------------- */

/** Read the one file that a path leads to, like ossa_read. The path need not have been added.
 *
 * `options` may be NULL; `name`, `path`, `copy`, `max_input` and `allocator` are set by the
 * workspace. Fails with OSSA_CODE_NO_ENTRY if an archive has no such entry, or if the path means
 * several. Free the file with ossa_file_free. */
OSSA_API ossa_file *ossa_workspace_open(ossa_workspace *workspace, const char *path,
                                        const ossa_options *options, ossa_error *error);

/** Get only the bytes of the one file that a path leads to; free them with ossa_bytes_free. After a
 * failure they are empty. */
OSSA_API bool ossa_workspace_bytes(ossa_workspace *workspace, const char *path, ossa_bytes *bytes,
                                   ossa_error *error);

/* ---- changing archives --------------------------------------------------------------------- */

/** New contents of an entry of an archive. */
typedef struct ossa_entry_change {
    const char *path;    /**< of the entry, inside the archive: "unmotr.anm#cwalk#hd" */
    const uint8_t *data; /**< NULL is allowed if `size` is 0 */
    uint64_t size;
    uint32_t time; /**< seconds since 1970; 0: that of the old entry, if there is one */
} ossa_entry_change;

/** Write an archive with other contents for some of its entries.
 *
 * The other entries keep their names, order, times and bytes; those that do not exist yet are
 * appended in the order given. A path leads into archives inside, which are packed, too. If an
 * archive inside does not exist, it is created with the format of the archives beside it. An
 * archive, or one inside, in which nothing changes keeps all of its bytes; with `count` 0 all of it
 * is packed again.
 *
 * `path` may also lead to a file of a disc in which files are found by searching, such as NICO.DAT.
 * Entries are then named by their offsets, "0x12800.anb", and stay where they are: the new contents
 * may be smaller than the old ones, of which the rest becomes zeros, but not larger
 * (OSSA_CODE_LIMIT). Such a file is copied in blocks, however large it is.
 *
 * The format of the archive must have OSSA_ABILITY_PACK (otherwise OSSA_CODE_BAD_ARGUMENT). Nothing
 * is written before all paths are found; a failure of the sink, or in reading entries that stay,
 * may come later. */
OSSA_API bool ossa_workspace_replace(ossa_workspace *workspace, const char *path,
                                     const ossa_entry_change *replacements, size_t count,
                                     ossa_sink sink, ossa_error *error);

/* ---- everything below a path --------------------------------------------------------------- */

/** How closely a walk looks at each file. */
typedef enum ossa_detail {
    OSSA_DETAIL_NAMES,   /**< only names; archives are not entered */
    OSSA_DETAIL_FORMATS, /**< also formats, as the probes see them */
    OSSA_DETAIL_BYTES,   /**< also bytes */
    OSSA_DETAIL_FILES,   /**< also reads every file */
} ossa_detail;

/** How a walk continues. */
typedef enum ossa_step {
    OSSA_STEP_INTO, /**< enter the file if it is an archive */
    OSSA_STEP_OVER, /**< skip what is in it */
    OSSA_STEP_STOP, /**< end the walk, which then succeeds */
} ossa_step;

/** A file that a walk has reached. Everything is the walk's, and valid only during the callback. */
typedef struct ossa_visit {
    const char *path; /**< "figures.res#unmotr.mod" */
    const char *tree; /**< "figures.res/unmotr.mod": as if archives were folders */
    const char *name; /**< "unmotr.mod": the path itself, or the name of the entry */
    const char *hint; /**< the name with an extension, for probes: an entry without one has that of
                       * its archive */
    unsigned depth;   /**< number of archives that it is in */
    bool is_named;    /**< the path of the call means this file, not only something around it */
    bool is_part;     /**< an archive of which only some entries are visited */

    const ossa_entry *entry;   /**< in its archive; NULL: a file of the file system */
    size_t index;              /**< of the entry */
    const char *own_name;      /**< the name inside a file that was found by a search; or NULL */
    uint64_t size;             /**< 0 with OSSA_DETAIL_NAMES */
    const ossa_format *format; /**< NULL: unknown */
    bool is_archive;
    bool is_search;      /**< an archive whose entries are found by searching it */
    const char *title;   /**< of an archive: "Evil Islands archive" */
    size_t entry_count;  /**< of an archive */
    size_t figure_count; /**< figures that an archive stores by name, see ossa_workspace_figures */

    const uint8_t *data;     /**< with OSSA_DETAIL_BYTES; NULL: not available, see `file` and
                              * `is_large` */
    const ossa_file *file;   /**< OSSA_DETAIL_FILES, and archives that were opened; NULL: none */
    const ossa_error *error; /**< what went wrong; NULL: nothing */
    bool is_stray;           /**< not meant by the path, and no format claims its bytes or name */
    bool is_large;           /**< an entry of a disc: read its bytes with ossa_visit_read */
    bool is_continuation;    /**< a part of the archive beside it, which has all of its entries */
    const ossa_file *image;  /**< the disc image that `file`, a CUE, leads to; NULL: it is none, or
                              * was not opened */
} ossa_visit;

/** Read bytes of a large entry that is visited. Fails outside its size, for other visits, and if
 * they cannot be read. */
OSSA_API bool ossa_visit_read(const ossa_visit *visit, uint64_t offset, void *bytes, size_t size);

/** How to walk. `visit` is required. */
typedef struct ossa_walk_options {
    ossa_detail detail;
    bool deep;   /**< enter archives inside archives */
    bool search; /**< search files of unknown format for files of a game, as for discs */
    /** How to read files (OSSA_DETAIL_FILES). Issues of strays are not reported. */
    const ossa_options *read;
    ossa_step (*visit)(void *user, const ossa_visit *visit);
    void (*leave)(void *user, const ossa_visit *visit); /**< after an archive; may be NULL */
    void *user;                                         /**< passed to both */
} ossa_walk_options;

/** Visit every file that a path leads to, in the order of names. What is in an archive follows the
 * archive itself, in its order. If the path leads into an archive, that archive is visited first,
 * as a part.
 *
 * Fails if the walk is cancelled or if the path leads to no entry of an archive. A file that cannot
 * be read does not end the walk: its visit has the error. With OSSA_DETAIL_NAMES, for which nothing
 * is read, the walk fails if there is no such file. If archives contain far more than their size
 * allows, in bytes, entries or names, one visit has the error OSSA_CODE_LIMIT or
 * OSSA_CODE_TOO_LARGE, and the rest of that file is skipped. */
OSSA_API bool ossa_workspace_walk(ossa_workspace *workspace, const char *path,
                                  const ossa_walk_options *options, ossa_error *error);

/* ---- figures ------------------------------------------------------------------------------- */

/** Files that belong together: a body, or what exists of it, and its animations. */
typedef struct ossa_figure {
    const char *name; /**< UTF-8, never empty */
    const char *game;
    size_t path_count;
    const char *const *paths; /**< for ossa_workspace_scene: the body first */
    size_t file_count;
    const char *const *files; /**< of the file system, that the paths lead into */
    size_t missing_count;
    const char *const *missing; /**< "skeleton", "animation", or the name of an entry */
    uint32_t bone_count;        /**< 0: unknown */
    size_t clip_count;          /**< animations among the paths; 0 if they are inside archives */
    bool is_guess; /**< only the number of bones connects the animations to the skeleton */
} ossa_figure;

/** A list of figures, in the order of the files they begin with. */
typedef struct ossa_figures {
    size_t count;
    const ossa_figure *items;
    size_t damaged_count;
    const ossa_issue *damaged; /**< files of no figure because they cannot be used, and why */
} ossa_figures;

/** Find the figures below a path, or with NULL in everything that was added. Free the list with
 * ossa_figures_free; it may be empty.
 *
 * Files that cannot be read are left out, and listed unless nobody meant them or they were found by
 * a search. A damaged animation or part is still of its figure. The call fails only if it is
 * cancelled, if there is no memory, or if the path leads to no entry of an archive. A figure found
 * by a search has at most 250 animations, and a figure at most 1000 files that are also for others.
 *
 * Files of Shadow of the Colossus belong together by their names. A model without a skeleton is a
 * figure only if the path, or one that was added, names it, or if there are no skeletons. */
OSSA_API ossa_figures *ossa_workspace_figures(ossa_workspace *workspace, const char *path,
                                              ossa_error *error);
/** Free a list of figures. NULL is allowed. */
OSSA_API void ossa_figures_free(ossa_figures *figures);

/** A clip in a survey. */
typedef struct ossa_survey_clip {
    const char *name;
    uint32_t frame_count;
    uint32_t file_count; /**< an Evil Islands clip is one file per part */
} ossa_survey_clip;

/** A mesh that can be put into a slot of an Evil Islands figure. */
typedef struct ossa_survey_part {
    const char *name;
    bool is_shown; /**< without being asked for in ossa_ei_options.parts */
} ossa_survey_part;

/** A slot of a figure, such as a hand, and the meshes for it: variants of armour, hair, weapons. */
typedef struct ossa_survey_slot {
    const char *name;
    size_t part_count;
    const ossa_survey_part *parts;
} ossa_survey_slot;

/** What files contain together. */
typedef struct ossa_survey {
    uint32_t bone_count; /**< of the largest body; without one, of single parts */
    size_t mesh_count;   /**< files with meshes */
    size_t unreadable;   /**< files that cannot be read */
    size_t clip_count;
    const ossa_survey_clip *clips;
    size_t slot_count; /**< of an Evil Islands figure; otherwise 0 */
    const ossa_survey_slot *slots;
} ossa_survey;

/** Count what files contain together, without assembling a scene. The paths are those for
 * ossa_workspace_scene. Files that cannot be read are counted, and do not make it fail. Free the
 * survey with ossa_survey_free. */
OSSA_API ossa_survey *ossa_workspace_survey(ossa_workspace *workspace, const char *const *paths,
                                            size_t count, ossa_error *error);
/** Free a survey. NULL is allowed. */
OSSA_API void ossa_survey_free(ossa_survey *survey);

/* ---- checking ------------------------------------------------------------------------------ */

/** What a check of figures has found. */
typedef struct ossa_check {
    size_t figure_count;  /**< figures of more than one file */
    size_t warning_count; /**< those with warnings, but without errors */
    size_t error_count;   /**< those with errors */
} ossa_check;

/** Check how the files of each figure fit together, below a path, or with NULL in everything that
 * was added: bones, parts, tracks, records and states that have no counterpart, and lengths that
 * differ.
 *
 * Issues go to options->on_issue and options->on_group, with the full path of a file. What is wrong
 * with a file by itself is not among them: ossa_workspace_walk with OSSA_DETAIL_FILES reports that.
 * Files that cannot be read are ignored. `options` may be NULL. Returns false on failure. */
OSSA_API bool ossa_workspace_check(ossa_workspace *workspace, const char *path,
                                   const ossa_options *options, ossa_check *check,
                                   ossa_error *error);

/* ---- scenes -------------------------------------------------------------------------------- */

/** How to load a scene. */
typedef struct ossa_load_options {
    const ossa_scene_options *scene; /**< NULL: the defaults */
    const ossa_options *read;        /**< format, dialect, strict; NULL: the defaults */

    /** Called for issues of files, and for files that are left out: a remark for one that has no
     * part in a scene, OSSA_SEVERITY_ERROR for one that cannot be read, and
     * OSSA_SEVERITY_UNREADABLE for one that the call fails for. Issues of the scene go to
     * scene->on_issue. */
    void (*on_issue)(void *user, const ossa_issue *issue);
    /** Called for each file that the scene is made of. */
    void (*on_file)(void *user, const char *path);
    void *user; /**< passed to both */
} ossa_load_options;

/** Make a scene from everything that the paths lead to: files, folders, archives and what is in
 * them.
 *
 * A clip, part or texture that is damaged or does not fit is left out with an error, and the rest
 * becomes the scene; with read->strict the call fails instead. It always fails for a skeleton that
 * cannot be used if there is no other, and for a path that leads to nothing or to nothing known.
 *
 * From archives that store data for many figures, such as textures and databases, only what belongs
 * to the figure is used. A single path that leads nowhere may also be the name of a figure in what
 * was added. `options` may be NULL. Free the scene with ossa_scene_free.
 *
 * The error is OSSA_CODE_MISFIT if the files do not fit together, and OSSA_CODE_SEVERAL_FIGURES if
 * they are of several figures; for files that cannot be read it is that of the first. Reading can
 * be cancelled, assembling what was read cannot. */
OSSA_API ossa_scene *ossa_workspace_scene(ossa_workspace *workspace, const char *const *paths,
                                          size_t count, const ossa_load_options *options,
                                          ossa_error *error);

OSSA_END

#endif
