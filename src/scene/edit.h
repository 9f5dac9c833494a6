/* SPDX-License-Identifier: MIT
 *
 * An edit on its way back into the files of a game. While the files are assembled, each clip that
 * was edited is handed to the `apply` of its plan, with the poses that it should have. The game
 * compares them with its own values, keeps what is the same, and changes copies of its structs. */
#ifndef OSSA_SCENE_EDIT_H
#define OSSA_SCENE_EDIT_H

#include "base/quaternion.h"
#include "scene/camera_keys.h"

/* A key is kept if the file's own value is as near to the edit as this: below what programs lose on
 * the way, and above what anybody sees. */
#define OSSA__KEPT_DEGREES 0.002
#define OSSA__KEPT_METRES  1e-5

/* One bone in one frame, in the scene's space and with the axes of the scene's own bones. */
struct ossa__edit_pose {
    struct ossa__quat world; /* rotations, of length 1 */
    struct ossa__quat local;
    double translation[3]; /* relative to the parent, as in ossa_transform */
    double scale[3];
    bool is_visible;
};

/* What a format cannot store. */
enum ossa__loss {
    OSSA__LOSS_TRANSLATION, /* of a bone that cannot move; in metres of the scene */
    OSSA__LOSS_SCALE,       /* factor - 1 */
    OSSA__LOSS_ROTATION,    /* in degrees: beyond the limit, or of what cannot rotate */
    OSSA__LOSS_VISIBILITY,  /* hidden or shown where the format cannot */
    OSSA__LOSS_SHAPE,       /* of a mesh; in metres */
    OSSA__LOSS_RANGE,       /* a value too large for its field, in units of the field */
    OSSA__LOSS_COUNT,
};

struct ossa__edit {
    struct ossa__editing *editing;
    struct ossa__assembly *assembly;
    const struct ossa__clip_plan *plan;
    const ossa_clip *clip; /* as the files have it */
    const char *name;      /* of the clip; of a new one, its own */
    bool is_new;           /* a new clip like `clip`: all of its files are to be made */
    uint32_t frame_count;  /* that of the plan, unless it is new or was given another length */
    const struct ossa__edit_pose *const *rows; /* of frames: [bone_count]; ossa__edit_at */
    double limit;                              /* radians that a key may be off, for packing */
    size_t file_count;                         /* that were asked for: see ossa__edit_contents */
};

/* A file that was changed, or made. */
struct ossa__edited_file {
    const struct ossa__part *part;
    void *contents;        /* what is to be written */
    const char *new_path;  /* of a file that is made like the part's; NULL: it is changed */
    const char *new_shown; /* the same as it is shown in messages, see ossa_input */
};

/* A loss, and where it is worst. */
struct ossa__edit_loss {
    enum ossa__loss what;
    const char *clip;
    uint32_t bone;
    uint32_t frame;
    double size;
    uint32_t count; /* of frames */
};

/* A camera, at the times of its own keys, in the scene's space. */
struct ossa__camera_edit {
    struct ossa__edit edit; /* for the files: without plan, clip and poses; a frame is a key */
    const double (*positions)[3];       /* [frame_count] */
    const struct ossa__quat *rotations; /* of length 1 */
    const double *fields_of_view;       /* NULL: the edit does not say */
};

/* An edit of all clips of a scene; `on_clip` decides what happens to each, and `on_camera`, which
 * may be NULL, to each camera. */
struct ossa__editing {
    void (*on_clip)(struct ossa__editing *editing, struct ossa__assembly *assembly,
                    const struct ossa__clip_plan *plan, const ossa_clip *clip);
    void (*on_camera)(struct ossa__editing *editing, const struct ossa__camera_keys *keys,
                      const ossa_camera *camera);
    /* NULL, or the offsets of a mesh's vertices in a frame of a clip's edit, in metres. They come
     * as the files have them: where several vertices of the edit may be the one of the scene, the
     * nearest counts. False: the edit does not say; keep what the files have. */
    bool (*find_shape)(const struct ossa__edit *edit, uint32_t mesh, uint32_t frame,
                       float (*offsets)[3]);
    struct ossa__edited_file *files;
    size_t file_count;
    size_t *by_part; /* of an input: its changed file + 1, and the file made like it + 1; 0: none */
    struct ossa__edit_loss *losses;
    size_t loss_count;
};

/* ---- for the games ------------------------------------------------------------------------- */

static inline const struct ossa__edit_pose *ossa__edit_at(const struct ossa__edit *edit,
                                                          uint32_t frame, uint32_t bone)
{
    return &edit->rows[frame][bone];
}

/* Are two values the same but for what programs lose on the way? Lengths are those of the scene. */
bool ossa__same_rotation(struct ossa__quat a, struct ossa__quat b);
bool ossa__same_position(const struct ossa__assembly *assembly, const double a[3],
                         const double b[3]);
/* The angle between two rotations of length 1, in radians. */
double ossa__angle_between(struct ossa__quat a, struct ossa__quat b);

/* The contents of an input to be changed: a copy of its struct of `size` bytes, whose arrays are
 * still those of the file and must be copied before they are changed. It is the same one for every
 * clip that comes from the file: what was changed before is in it, and the part still has the
 * contents of the file. Of a new clip, it is a new file, which has the name of the clip where the
 * input has the name of the clip that it is like. NULL after a failure. */
void *ossa__edit_contents(struct ossa__edit *edit, const struct ossa__part *part, size_t size);
/* One more file of a new clip that does not fit in one, under a name of its own. */
void *ossa__edit_series(struct ossa__edit *edit, const struct ossa__part *part, const char *name,
                        size_t size);
/* The same for a file that is changed along with a new clip, such as a table of all clips. */
void *ossa__edit_shared(struct ossa__edit *edit, const struct ossa__part *part, size_t size);

/* Report what cannot be stored; to be called for each frame, bone after bone, with the size of what
 * is lost. At the end it is one message for each bone, and the edit fails or goes on without. */
void ossa__edit_lose(struct ossa__edit *edit, enum ossa__loss what, uint32_t bone, uint32_t frame,
                     double size);
/* What formats have in common that have no scale, no visibility, and translations of roots alone
 * (`roots_move`): report what else was edited. */
void ossa__edit_expect_rotations(struct ossa__edit *edit, bool roots_move);

/* ---- for the import ------------------------------------------------------------------------ */

/* As ossa_assemble, with `editing` told of each clip. The files that it lists live as long as the
 * scene. */
ossa_scene *ossa__assemble_edited(const ossa_input *inputs, size_t count,
                                  const ossa_scene_options *options, struct ossa__editing *editing,
                                  ossa_error *error);

#endif
