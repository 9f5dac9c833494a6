/* SPDX-License-Identifier: MIT
 *
 * Files of Evil Islands becoming a scene: what game.c, the options, shares with the skeleton and
 * the choice of parts (game_parts.c), meshes (game_mesh.c), clips (game_clip.c), morph targets
 * (game_morph.c), cameras (game_camera.c), the animation database (game_database.c), the figures of
 * an archive (game_figures.c) and the way back (game_apply.c, see game_clip.h). */
#ifndef OSSA_EI_GAME_H
#define OSSA_EI_GAME_H

#include "formats/modules.h"
#include "ossa/games/evil_islands.h"
#include "ossa/workspace.h"
#include "scene/assembly.h"

/* The options of the game that the call gave, or the defaults. */
const ossa_ei_options *ossa__ei_options(const struct ossa__assembly *assembly);
/* Those for people; game_option_list.c. */
extern const struct ossa__game_option ossa__ei_option_list[];
/* Those that are not the defaults and that an import needs, for the scene: game_options.c. */
void ossa__ei_keep_options(struct ossa__assembly *assembly);
void ossa__ei_set_option(struct ossa__option_set *set, const struct ossa__option_text *option);
/* Was a complexion chosen? */
bool ossa__ei_has_complexion(const ossa_ei_options *ei);
/* Keys per frame: at least 1. */
uint32_t ossa__ei_resample(const struct ossa__assembly *assembly);

/* ---- figures ------------------------------------------------------------------------------- */

struct ossa__ei_shapes;

/* A figure being assembled. */
struct ossa__ei_figure {
    struct ossa__assembly *assembly;
    const struct ossa__part *tree; /* NULL: the bones are placeholders */
    bool has_other_trees;          /* whose parts are among the inputs, too */
    uint32_t bone_count;
    uint32_t tree_count; /* of those that the tree names; the others are variants */
    uint32_t *by_name;   /* bones in the order of their names */
    char **slots;        /* by bone of the tree: its name up to the first dot */
    uint32_t *by_slot;   /* bones of the tree in the order of their slots */
    uint32_t *bases;     /* by bone: the one of the tree whose slot it shares; itself, or another */
    uint8_t *is_shown;   /* by bone: its mesh is wanted */
    double (*bind)[3];   /* in the game's axes, scaled */
    double root_scale;   /* of the root's translations */

    bool has_figs;                  /* there is a mesh among the inputs, whether it fits or not */
    uint32_t *mesh_of;              /* by bone: the mesh + 1; 0: none. NULL without any */
    struct ossa__ei_shapes *shapes; /* by mesh: see below */
};

/* ---- figures of an archive, see struct ossa__game ------------------------------------------ */

uint32_t ossa__ei_read_link(const uint8_t *data, size_t size, char word[OSSA__LINK_CAPACITY]);
uint32_t ossa__ei_link_of(const struct ossa__format *format, const void *contents,
                          char word[OSSA__LINK_CAPACITY]);
bool ossa__ei_survey_slots(const struct ossa__survey_input *inputs, size_t count,
                           struct ossa__arena *arena, ossa_survey *survey);

/* ---- names of parts ------------------------------------------------------------------------ */

/* A part is called like its entry, dots included: bd.armor01 and rh3.sword00 are variants of the
 * slots bd and rh3. The bytes of a name up to its first dot. */
size_t ossa__ei_slot_size(const char *name);

/* The tree among the inputs; NULL: there is none, or after a failure. Of several it is the one that
 * is named like its archive or folder; `others` is how many are left alone. */
const struct ossa__part *ossa__ei_find_tree(struct ossa__assembly *assembly, size_t *others);
/* The same without a report; NULL also if there is only one tree. */
const struct ossa__part *ossa__ei_own_tree(const struct ossa__assembly *assembly, size_t *others,
                                           const struct ossa__part **first_other);

/* ---- the skeleton -------------------------------------------------------------------------- */

/* Bones of the tree, then those of variants that are shown; without a tree, of every part. With
 * their bind positions. False after a failure. */
bool ossa__ei_add_bones(struct ossa__ei_figure *figure);

/* Is there a mesh, a bind position or an animation of a part among the inputs? */
bool ossa__ei_has_parts(const struct ossa__assembly *assembly);

/* A factor for the root's translations, which are those of a figure of middle height. */
double ossa__ei_root_scale(const struct ossa__assembly *assembly, const ossa_ei_adb *adb);

/* Parts that the tree does not have: reported together, once. */
struct ossa__ei_strays {
    const struct ossa__part *first;
    uint32_t count;
};
void ossa__ei_report_strays(struct ossa__ei_figure *figure, const struct ossa__ei_strays *strays,
                            const char *what);

/* The indices of `count` names in the order of the names, equal ones in their own order; NULL after
 * a failure. */
uint32_t *ossa__ei_sort_names(struct ossa__context *context, const char **names, uint32_t count);

/* The bone of a part, letter case ignored; -1: none. */
int64_t ossa__ei_find_bone(const struct ossa__ei_figure *figure, const char *name);
/* The first bone of the tree that shares the slot of a part; -1: none. */
int64_t ossa__ei_find_slot(const struct ossa__ei_figure *figure, const char *name);

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

/* A camera for each CAM among the inputs. */
void ossa__ei_add_cameras(struct ossa__assembly *assembly);

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

/* Looking at shapes takes time, and a long clip may ask for many: their offsets count as poses do.
 * False after a failure. */
bool ossa__ei_count_work(struct ossa__assembly *assembly, uint64_t offsets);

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
};

/* The database among the inputs; false after a failure. */
bool ossa__ei_records_start(struct ossa__ei_figure *figure, struct ossa__ei_records *records);

/* The record of a clip, letter case ignored; NULL: it has none. */
const ossa_ei_adb_record *ossa__ei_find_record(struct ossa__ei_records *records, const char *clip);

/* The frames that a record names, in the order of its fields; gives their number. */
enum { OSSA__EI_EVENTS = 8 };
uint32_t ossa__ei_record_events(const ossa_ei_adb_record *record,
                                ossa_event events[OSSA__EI_EVENTS]);

/* The values of a record that a clip has no field for; NULL after a failure. */
const ossa_extra *ossa__ei_record_extras(struct ossa__assembly *assembly,
                                         const struct ossa__ei_records *records,
                                         const ossa_ei_adb_record *record, uint32_t *count);

/* Along with an edit, which gives a clip another length or makes a new one like it, change its
 * record or append one. */
void ossa__ei_edit_record(struct ossa__ei_records *records, struct ossa__edit *edit);

/* Report the names that did not match. */
void ossa__ei_records_finish(struct ossa__ei_figure *figure,
                             const struct ossa__ei_records *records);

#endif
