/* SPDX-License-Identifier: MIT */
/** @file
 * The way back: a scene that was edited in another program, into the files that it came from.
 *
 *     const char *edited[] = {"troll.glb"}, *originals[] = {"troll"};
 *     ossa_import *import =
 *         ossa_workspace_import(workspace, edited, 1, originals, 1, NULL, &error);
 *     for (size_t i = 0; i < import->file_count; i++) {
 *         if (import->files[i].data != NULL) { ... write it to files[i].path, somewhere else ... }
 *     }
 *     ossa_import_free(import);
 *
 * Originals are never written. The poses of the edit are compared with those of the originals at
 * the frames of the originals, and only the keys that differ are changed: without an edit, every
 * byte is the same. A key is kept if it is within 0.002 degrees and 0.01 mm of the edit. */
#ifndef OSSA_IMPORT_H
#define OSSA_IMPORT_H

#include "ossa/workspace.h"

OSSA_BEGIN

/** How an edit is put into files. */
typedef struct ossa_import_options {
    /** How the originals become a scene. Give the options that the scene was converted with: an
     * edited file may remember them, and then they replace defaults. Clips that
     * load->scene->wants_clip does not want are left alone. With `join`, each clip is taken from
     * its part of the joined one. NULL: the defaults. */
    const ossa_load_options *load;
    double limit;  /**< degrees that a key may be off where a format packs it; 0: 0.1 */
    bool retime;   /**< clips may have another number of frames */
    bool resample; /**< take curves at the originals' times, whatever rate their keys have */
    bool drop;     /**< go on without what a format cannot store */
    /** Make a new clip of this name, from the clip of the edit that has it, or else from its only
     * clip. NULL: make none. */
    const char *as;
    const char *like; /**< the clip whose files the new one is modelled on; NULL: the first */
    /** Called for what is worth knowing about the edit: bones that are ignored, what was dropped.
     * Issues of the originals go to load->on_issue. */
    void (*on_issue)(void *user, const ossa_issue *issue);
    void *user; /**< passed to on_issue */
} ossa_import_options;

/** What became of a clip. */
typedef enum ossa_import_state {
    OSSA_IMPORT_STATE_UNCHANGED,
    OSSA_IMPORT_STATE_CHANGED,
    OSSA_IMPORT_STATE_MISSING, /**< it is not in the edit, and stays as it was */
    OSSA_IMPORT_STATE_NEW,     /**< the originals do not have it; written only with `as` */
} ossa_import_state;

/** A clip of the originals or of the edit. */
typedef struct ossa_import_clip {
    const char *name;
    ossa_import_state state;
    uint32_t frame_count;
    size_t file_count; /**< files that were changed for it */
    /** Where the files are now farthest from the edit, relative to what is kept; -1: nowhere. */
    int32_t worst_bone;
    const char *worst_name; /**< of that bone; NULL: none */
    uint32_t worst_frame;
    double degrees; /**< the difference there, in model space */
    double millimetres;
} ossa_import_clip;

/** A file of the originals, or a new one. */
typedef struct ossa_import_file {
    const char *path; /**< as in a workspace; that of a new file is next to what it is like */
    bool is_new;
    const uint8_t *data; /**< its new contents; NULL: it is unchanged */
    size_t size;
} ossa_import_file;

/** Something that was dropped because the format cannot store it. */
typedef struct ossa_import_loss {
    const char *what; /**< "translation", "scale", "rotation", "visibility", "shape", "range" */
    const char *clip;
    const char *bone;
    uint32_t frame; /**< where it is worst */
    double size;    /**< there: metres, a factor less 1, degrees, units */
} ossa_import_loss;

/** The result of an import. */
typedef struct ossa_import {
    size_t clip_count;
    const ossa_import_clip *clips;
    size_t file_count;
    const ossa_import_file *files; /**< all that the originals' scene is made of, then new ones */
    size_t loss_count;
    const ossa_import_loss *losses;
} ossa_import;

/** Put edited files (.glb, .gltf, .bvh, scene .json) into the files that the paths of the originals
 * lead to, which are those for ossa_workspace_scene. Returns NULL on failure: if an edited file
 * cannot be read or does not fit the originals, or if something was edited that their formats
 * cannot store. `options` may be NULL. Free the result with ossa_import_free. */
OSSA_API ossa_import *ossa_workspace_import(ossa_workspace *workspace, const char *const *edited,
                                            size_t edited_count, const char *const *originals,
                                            size_t count, const ossa_import_options *options,
                                            ossa_error *error);
/** Free the result of an import. NULL is allowed. */
OSSA_API void ossa_import_free(ossa_import *import);

OSSA_END

#endif
