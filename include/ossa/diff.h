/* SPDX-License-Identifier: MIT */
/** @file
 * What differs between two files, figures, folders or archives.
 *
 *     const ossa_diff_options options = {.on_field = print_field, .on_clip = print_clip};
 *     ossa_diff diff;
 *     if (!ossa_workspace_diff(workspace, "old.res", "new.res", &options, &diff, &error)) ...
 *     printf("%s\n", diff.is_same ? "same" : "different");
 *
 * Differences go to callbacks. Everything that a callback receives is valid only during the call.
 * Threads may share a workspace as for ossa_workspace_walk.
 * See also docs/diff.md. */
#ifndef OSSA_DIFF_H
#define OSSA_DIFF_H

#include "ossa/workspace.h"

OSSA_BEGIN

/** How something in A compares to its counterpart in B. */
typedef enum ossa_change {
    OSSA_CHANGE_SAME,
    OSSA_CHANGE_DIFFERENT,
    OSSA_CHANGE_ONLY_A, /**< it is not in B */
    OSSA_CHANGE_ONLY_B, /**< it is not in A */
} ossa_change;

/** "same", "different", "only_a" or "only_b". */
OSSA_API const char *ossa_change_name(ossa_change change);

/** A file on one of the two sides. */
typedef struct ossa_diff_side {
    const char *path;          /**< for ossa_workspace_open; NULL: it is not there */
    const ossa_format *format; /**< NULL: unknown, or it is not there */
    uint64_t size;             /**< 0: unknown, or it is not there */
    const ossa_error *error;   /**< why its fields cannot be compared; NULL: nothing is wrong */
} ossa_diff_side;

/** A file that differs, or that is only on one side. */
typedef struct ossa_diff_entry {
    const char *path;   /**< below A and B, "unmotr.anm#walk#hd"; "" for A and B themselves */
    ossa_change change; /**< never OSSA_CHANGE_SAME */
    ossa_diff_side a;
    ossa_diff_side b;
    uint64_t offset; /**< of the first byte that differs, if it is on both sides */
    bool is_archive; /**< both are archives with the same entries, but their own bytes differ */
} ossa_diff_entry;

/** A field of a file that differs, or that is only on one side. */
typedef struct ossa_diff_field {
    const char *entry;   /**< the path of the file, as in ossa_diff_entry */
    const char *path;    /**< of the field, "rotations[3].w"; bytes of no field are "gaps[0]" */
    const ossa_field *a; /**< NULL: it is only in B */
    const ossa_field *b; /**< NULL: it is only in A */
} ossa_diff_field;

/** A bone that has another parent or another rest pose, or that is only on one side. */
typedef struct ossa_diff_bone {
    const char *figure;
    const char *name;
    ossa_change change;
} ossa_diff_bone;

/** A clip, whether it differs or not.
 *
 * Poses are compared in model space, frame by frame, for bones of the same name. The worst
 * difference is the one that is the largest multiple of 0.002 degrees or of 0.01 millimetres. */
typedef struct ossa_diff_clip {
    const char *figure;
    const char *name;
    ossa_change change;
    const ossa_clip *a; /**< NULL: it is only in B */
    const ossa_clip *b; /**< NULL: it is only in A */

    const char *bone;   /**< with the worst difference; "" if all poses are the same */
    uint32_t frame;     /**< likewise */
    double degrees;     /**< of that bone in that frame */
    double millimetres; /**< likewise; of the game, before options.scene->scale */

    bool scale_differs;      /**< of a bone in a frame */
    bool visibility_differs; /**< likewise */
    bool shape_differs;      /**< a mesh with morph targets has another shape in a frame */
} ossa_diff_clip;

/** How to compare. */
typedef struct ossa_diff_options {
    const ossa_scene_options *scene; /**< for clips; NULL: the defaults */

    /** Called for each file that differs, before its fields. */
    void (*on_entry)(void *user, const ossa_diff_entry *entry);
    /** Called for each field that differs, in the order of B; those only in A are last. */
    void (*on_field)(void *user, const ossa_diff_field *field);
    void (*on_bone)(void *user, const ossa_diff_bone *bone);
    /** Called for each clip of the figures of which a file differs. */
    void (*on_clip)(void *user, const ossa_diff_clip *clip);
    /** Called for what cannot be read, and so cannot be compared. */
    void (*on_error)(void *user, const ossa_error *error);
    void *user; /**< passed to all of them */

    /** The name of a file that does not count if only one side has it, such as the list that
     * `ossa extract` adds to a folder. NULL: all files count. */
    const char *ignored_name;
} ossa_diff_options;

/** What was found. */
typedef struct ossa_diff {
    bool is_same;         /**< nothing differs, and everything could be compared */
    bool is_set;          /**< A and B are folders, figures or archives, not two plain files */
    bool is_figures_only; /**< no file has the same path in both: only bones and clips were
                           * compared, not meshes and textures */
    size_t changed_count; /**< of files */
    size_t only_a_count;  /**< likewise */
    size_t only_b_count;  /**< likewise */
    size_t field_count;
    size_t bone_count;
    size_t clip_count; /**< of clips that were compared */
    size_t different_clip_count;
    size_t error_count; /**< of what could not be compared */
} ossa_diff;

/** Compare what two paths lead to: two files, or two sets of files, which may be folders, archives,
 * or figures and folders in archives.
 *
 * Files with the same bytes are the same. Two files of one format are compared field by field, by
 * the paths of the fields, and other files by their bytes. The files of sets are matched by their
 * paths; letter case is ignored, and archives inside are entered, so that an archive can be
 * compared with a folder that was extracted from it. The bytes of an archive around its entries
 * count only if the entries are the same and both sides are archives.
 *
 * Then the figures of both sides are matched by name, or, if there is only one on each side, with
 * each other, and the clips of those of which a file differs are compared. If no file has the same
 * path in both sets, but both have a figure, only the figures are compared.
 *
 * A path may be NULL, which stands for no file: then everything is only on the other side.
 *
 * The call fails if it is cancelled, if there is no memory, or if a path leads to nothing or
 * if a set is to be compared with a plain file. What else cannot be read goes to on_error, and the
 * rest is compared. `options`, `diff` and `error` may be NULL. */
OSSA_API bool ossa_workspace_diff(ossa_workspace *workspace, const char *a, const char *b,
                                  const ossa_diff_options *options, ossa_diff *diff,
                                  ossa_error *error);

/** Compare the bones and clips of two scenes, which must be valid (ossa_scene_validate). Only
 * on_bone and on_clip are called; their figure is the name of A. Fails only if there is no memory;
 * the allocator is that of options->scene. `options`, `diff` and `error` may be NULL. */
OSSA_API bool ossa_diff_scenes(const ossa_scene *a, const ossa_scene *b,
                               const ossa_diff_options *options, ossa_diff *diff,
                               ossa_error *error);

OSSA_END

#endif
