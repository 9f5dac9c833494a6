/* SPDX-License-Identifier: MIT
 *
 * Files of Evil Islands becoming a scene: what game.c, the skeleton and the cameras, shares with
 * the meshes (game_mesh.c), clips (game_clip.c), morph targets (game_morph.c) and the animation
 * database (game_database.c). */
#ifndef OSSA_EI_GAME_H
#define OSSA_EI_GAME_H

#include "formats/modules.h"
#include "ossa/games/evil_islands.h"
#include "scene/assembly.h"

/* The options of the game that the call gave, or the defaults. */
const ossa_ei_options *ossa__ei_options(const struct ossa__assembly *assembly);
/* Keys per frame: at least 1. */
uint32_t ossa__ei_resample(const struct ossa__assembly *assembly);

/* ---- figures ------------------------------------------------------------------------------- */

struct ossa__ei_shapes;

/* A figure being assembled. */
struct ossa__ei_figure {
    struct ossa__assembly *assembly;
    const struct ossa__part *tree; /* NULL: the bones are placeholders */
    uint32_t bone_count;
    uint32_t *by_name; /* bones in the order of their names */
    double (*bind)[3]; /* in the game's axes, scaled */

    bool has_figs;                  /* there is a mesh among the inputs, whether it fits or not */
    uint32_t *mesh_of;              /* by bone: the mesh + 1; 0: none. NULL without any */
    struct ossa__ei_shapes *shapes; /* by mesh: see below */
};

/* The indices of `count` names in the order of the names, equal ones in their own order; NULL after
 * a failure. */
uint32_t *ossa__ei_sort_names(struct ossa__context *context, const char **names, uint32_t count);

/* The bone of that name, letter case ignored; -1: none. */
int64_t ossa__ei_find_bone(const struct ossa__ei_figure *figure, const char *name);

/* (x, y, z) becomes (x, z, -y), a rotation: what was counter-clockwise still is. The change of sign
 * makes no -0. */
static inline void ossa__ei_to_scene(const double v[3], float out[3])
{
    out[0] = (float)v[0];
    out[1] = (float)v[2];
    out[2] = (float)(0.0 - v[1]);
}

/* A frame of a track of `count`: the whole one before, the one after, and how far between. A track
 * that is too short holds its last. */
void ossa__ei_find_keys(double frame, uint32_t count, uint32_t *from, uint32_t *to, double *part);

/* ---- meshes, clips and textures ------------------------------------------------------------ */

/* The meshes (FIG) of the figure's bones, and their materials; false after a failure. */
bool ossa__ei_add_meshes(struct ossa__ei_figure *figure);

/* The figure's animations (ANM) as clips; its bones and meshes are there. */
void ossa__ei_add_clips(struct ossa__ei_figure *figure);

/* A texture for each MMP among the inputs, and the one that belongs to the model for the materials
 * that there are by now. */
void ossa__ei_add_textures(struct ossa__assembly *assembly);

/* ---- morph targets ------------------------------------------------------------------------- */

/* Where a clip has a shape of a mesh, it is noted first; when all clips are there, equal ones
 * become one target of the mesh. */

/* A moment of an animation's morph frames. */
struct ossa__ei_shape {
    const ossa_ei_anm *anm;
    uint32_t from; /* frames */
    uint32_t to;
    double part; /* of the distance between them, 0 to 1 */
    uint64_t hash;
};

/* Of one mesh. */
struct ossa__ei_shapes {
    const uint32_t *moved; /* by vertex: the offset of a morph frame that moves it + 1; 0: none */
    uint32_t used_count;
    const uint16_t *used; /* the offsets that move any vertex, rising */
    uint32_t count;
    uint32_t capacity;
    struct ossa__ei_shape *items; /* as they were noted; none is all zeros */
    struct ossa__ei_shape last;   /* that was asked for */
    uint32_t last_key;            /* what it was given */
};

/* What moves the vertices of a mesh: `vertices` are those of the figure, one for each of the mesh.
 */
void ossa__ei_shapes_start(struct ossa__context *context, const ossa_ei_fig *fig,
                           const uint16_t *vertices, uint32_t count,
                           struct ossa__ei_shapes *shapes);

/* Does every offset that moves a vertex stand in the animation's frames, and is there any? */
bool ossa__ei_shapes_fit(const struct ossa__ei_shapes *shapes, const ossa_ei_anm *anm);

/* Note the shape at a frame, which may lie between two whole ones. Gives its number + 1, or 0 where
 * nothing is moved, and after a failure. */
uint32_t ossa__ei_note_shape(struct ossa__ei_figure *figure, uint32_t mesh, const ossa_ei_anm *anm,
                             double frame);

/* Targets of what was noted, and the clips' keys with their numbers. */
void ossa__ei_add_targets(struct ossa__ei_figure *figure);

/* ---- how files fit together ---------------------------------------------------------------- */

/* In game_examine.c. */
void ossa__ei_examine(struct ossa__assembly *assembly);

/* ---- the animation database ---------------------------------------------------------------- */

/* What an animation database (ADB) says about the clips of a figure. */
struct ossa__ei_records {
    const struct ossa__part *part; /* NULL: there is no database */
    const ossa_ei_adb *adb;
    const char **names; /* by record, UTF-8 */
    uint32_t *by_name;  /* records in the order of their names */
    uint8_t *is_used;   /* by record: a clip has its name */
    uint32_t bare;      /* clips without a record */
    const char *first_bare;

    /* What the durations say of the rate, clip by clip. */
    bool are_frames[2]; /* as many as the clip has; one fewer */
    double least;       /* of the rates that all durations allow, if they are milliseconds */
    double most;
    uint32_t timed; /* durations seen */
    const char *first_timed;
    uint32_t first_frames;
    uint32_t first_duration;
};

/* The database among the inputs; false after a failure. */
bool ossa__ei_records_start(struct ossa__ei_figure *figure, struct ossa__ei_records *records);

/* The record of a clip, letter case ignored; NULL: it has none. */
const ossa_ei_adb_record *ossa__ei_find_record(struct ossa__ei_records *records, const char *clip);

/* Note that a clip of that name has so many frames. After all of them, the rate of the clips. */
void ossa__ei_note_duration(struct ossa__ei_records *records, const char *clip, uint32_t frames);
double ossa__ei_rate(struct ossa__ei_figure *figure, const struct ossa__ei_records *records);

/* The values of a record that a clip has no field for; NULL after a failure. */
const ossa_extra *ossa__ei_record_extras(struct ossa__assembly *assembly,
                                         const ossa_ei_adb_record *record, uint32_t *count);

/* Report the names that did not match. */
void ossa__ei_records_finish(struct ossa__ei_figure *figure,
                             const struct ossa__ei_records *records);

#endif
