/* SPDX-License-Identifier: MIT
 *
 * What the steps of an import share. */
#ifndef OSSA_IMPORT_IMPORTING_H
#define OSSA_IMPORT_IMPORTING_H

#include "import/import.h"
#include "import/poses.h"
#include "import/shapes.h"

/* Where the edit of a clip is. */
struct ossa__edit_source {
    int32_t motion; /* -1: it was not edited */
    int32_t clip;
    double start;  /* seconds from which on it is there: of a clip that was joined to others */
    double fps;    /* that the joined clip has; 0: it was not joined */
    uint32_t left; /* frames of the joined clip from there on */
};

struct ossa__importing {
    struct ossa__editing editing; /* first: on_clip gets a pointer to it */
    struct ossa__context *context;
    const struct ossa__import_call *call;
    bool is_joined;                      /* clips of the edit may be several of the originals */
    ossa_scene *before;                  /* the scene of the originals */
    ossa_scene *joined;                  /* the same with joined clips; NULL: they are not */
    struct ossa__match *matches;         /* by motion */
    struct ossa__edit_source *sources;   /* by clip of that scene */
    uint8_t **is_known;                  /* by motion and its clips: it is one of the scene */
    struct ossa__edit_source new_source; /* of the new clip */
    uint32_t like;                       /* the clip that it is like */
    struct ossa__shapes **shapes;        /* by motion: those of the scene's meshes; NULL: not yet */
    uint64_t posed;                      /* nodes, in all frames so far */
    int32_t motion;                      /* of the edit that is applied */
    const struct ossa__posing *posing;   /* likewise */
    ossa_import_clip *clips; /* by clip of that scene; then those that are only in the edit */
    size_t clip_count;
    size_t (*touched)[2]; /* of each of them: from which edited file, and up to which */
    uint8_t *is_changed;  /* by edited file: its bytes are not those of the original */
};

/* What is reported next is about the file of a motion; -1: about none. */
void ossa__import_blame(struct ossa__importing *im, int32_t motion);
/* A text of something that is freed before the result; NULL after a failure. */
const char *ossa__import_keep(struct ossa__importing *im, const char *text);
/* Fail with the error of a call, unless something failed before. Always false. */
bool ossa__import_fail(struct ossa__importing *im, const ossa_error *error);

/* apply.c: for ossa__editing. */
void ossa__import_clip(struct ossa__editing *editing, struct ossa__assembly *assembly,
                       const struct ossa__clip_plan *plan, const ossa_clip *clip);
/* losses.c: what was lost, as a failure or as warnings. */
bool ossa__import_losses(struct ossa__importing *im, ossa_import *result);
/* written.c: the bytes of all files, and the scene that they are now, to be freed; NULL after a
 * failure. */
bool ossa__import_write(struct ossa__importing *im, ossa_import *result);
ossa_scene *ossa__import_read_back(struct ossa__importing *im, const ossa_import *result);
/* measure.c: what became of each clip, in the scene of the files that were written. */
bool ossa__import_measure(struct ossa__importing *im, const ossa_scene *after);

/* A pose of files as an edit has it. */
void ossa__import_pose(const ossa_scene *scene, const ossa_transform *locals,
                       const uint8_t *visible, struct ossa__edit_pose *poses);

#endif
