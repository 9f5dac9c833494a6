/* SPDX-License-Identifier: MIT
 *
 * What the assemblers of the games share: their inputs by name, and a scene being made. */
#ifndef OSSA_SCENE_ASSEMBLY_H
#define OSSA_SCENE_ASSEMBLY_H

#include "codec/format.h"
#include "ossa/scene.h"
#include "codec/names.h"

/* An input with the words of its path. */
struct ossa__part {
    const ossa_input *input;
    const char *shown;  /* what it is called in messages */
    const char *format; /* id */
    char *stem;         /* the file's name without its extension */
    char *folder;       /* the name of the folder it lies in; "animation" for none */
    size_t folder_size; /* of the path up to and without the file's name: which folder it is */
    bool is_folder;     /* its folder as a whole is the clip */
    void *contents;     /* the struct of its format */
};

struct ossa__editing;
struct ossa__edit;
struct ossa__key_recorder;

struct ossa__assembly {
    struct ossa__context context;
    const ossa_scene_options *options; /* with defaults filled in; `ei` and `vib` are not NULL */
    struct ossa__part *parts;
    size_t part_count;
    ossa_scene *scene; /* being made; bones before clips */
    ossa_clip *clips;  /* being filled */
    uint8_t *wanted;   /* by clip: options.wants_clip says so */
    struct ossa__names clip_names;
    struct ossa__name_choice clip_name; /* of the clip that was begun */
    bool wants_clip;                    /* it is wanted */
    ossa_camera *cameras;               /* being filled */
    struct ossa__names camera_names;
    uint64_t poses;     /* of a bone in a frame, computed so far */
    uint64_t max_poses; /* bones that never move cost a file nothing, but time */
    size_t empty_clips; /* told of and left out */
    size_t left_out;    /* inputs with errors */
    bool has_morphs;    /* a clip has */
    enum {
        OSSA__MORPHS_ALL,
        OSSA__MORPHS_FIRST, /* of the first clip that has any */
        OSSA__MORPHS_NONE,
    } morphs;                      /* whose morph targets are kept; the game may choose */
    struct ossa__editing *editing; /* see edit.h; NULL: nothing is edited */
    bool is_edit_refused;          /* which is not a clip to be left out */
    const char **key_files;        /* being filled, see key_runs.h; NULL: there is none so far */
    uint32_t *file_numbers;        /* by part: its number among them + 1; 0: it has none */
};

/* The pose of a clip's first frame. */
struct ossa__first_pose {
    ossa_transform *locals; /* [bone_count] */
    uint8_t *visible;       /* [bone_count]: 0 or 1 */
};

/* Find the first pose. It comes as the rest pose, with all bones visible. Gives false after a
 * failure. */
typedef bool ossa__start_source(void *user, const struct ossa__first_pose *first);

/* Keys of a clip being made, of all its tracks in some frames. */
struct ossa__key_block {
    uint32_t first;          /* key; frame `first / keys_per_frame` */
    uint32_t count;          /* of keys for each track */
    uint32_t rotation_count; /* of tracks */
    uint32_t translation_count;
    uint32_t scale_count;
    uint32_t visibility_count;
    const uint32_t *rotated; /* [rotation_count] bones, rising */
    const uint32_t *translated;
    const uint32_t *scaled;
    const uint32_t *hidden;
    float (*rotations)[4]; /* [count][rotation_count] */
    float (*translations)[3];
    float (*scales)[3];
    uint8_t *visibilities; /* 0 or 1 */
};

/* Fill a block of keys. Gives false after a failure. Blocks are asked for once, in their order. */
typedef bool ossa__key_source(void *user, const struct ossa__key_block *block);

/* The shapes of meshes at a frame: for each mesh of a clip's plan a target, or -1. Gives false
 * after a failure. Frames are asked for once, in their order. */
typedef bool ossa__morph_source(void *user, double frame, int32_t *keys);

/* ---- for the assemblers -------------------------------------------------------------------- */

/* The only part of a format; NULL when there is none; a failure when there are two. */
const struct ossa__part *ossa__only_part(struct ossa__assembly *assembly, const char *format);
/* What is reported next is about this input; NULL: about none in particular. */
void ossa__blame(struct ossa__assembly *assembly, const struct ossa__part *part);
/* A failure about two inputs that do not fit; always gives false. `part` is what is wrong. */
bool ossa__misfit(struct ossa__assembly *assembly, const struct ossa__part *part,
                  const char *message, ...) OSSA_PRINTF(3, 4);
void ossa__assembly_warn(struct ossa__assembly *assembly, const struct ossa__part *part,
                         ossa_code code, const char *message, ...) OSSA_PRINTF(4, 5);
/* What is normal in a game's own files but worth knowing. */
void ossa__assembly_remark(struct ossa__assembly *assembly, const struct ossa__part *part,
                           ossa_code code, const char *message, ...) OSSA_PRINTF(4, 5);

/* To be called after what a scene can do without, "the clip". If it failed because it does not fit
 * and the options allow it, the failure becomes an error that says that it is left out. */
void ossa__leave_out(struct ossa__assembly *assembly, const char *what);

/* Bones of the scene, named and zeroed but for the rest pose being no change; NULL after a
 * failure. */
ossa_bone *ossa__take_bones(struct ossa__assembly *assembly, uint32_t count);
/* "object7": a name made from a number. */
char *ossa__numbered_name(struct ossa__assembly *assembly, const char *stem, uint32_t number);
/* Text of unknown encoding, a character a byte, as UTF-8. */
char *ossa__latin_text(struct ossa__assembly *assembly, const char *bytes, size_t size);
/* "bone0", "bone1", ... in a row, where there is no skeleton. */
void ossa__take_placeholders(struct ossa__assembly *assembly, uint32_t count);
/* The file, or the folder for a clip of several, without where it lies on this machine. */
const char *ossa__source_name(struct ossa__assembly *assembly, const struct ossa__part *part);
char *ossa__copy_text(struct ossa__assembly *assembly, const char *text, size_t size);

/* An option, and whether it makes a difference for the inputs of an assembly whose bones, meshes
 * and clips are there. */
struct ossa__game_option {
    ossa_option_info info;
    bool (*applies)(const struct ossa__assembly *assembly);
};
/* Whether an input has the format. */
bool ossa__has_part(const struct ossa__assembly *assembly, const char *format);
/* List those that apply: of the game, which may be NULL, and of all games. */
void ossa__list_options(struct ossa__assembly *assembly, const struct ossa__game_option *own);

/* Options that are not the defaults, for the extras of the scene; the key is a constant. A text
 * that is not UTF-8 is left out. */
void ossa__keep_number(struct ossa__assembly *assembly, const char *key, double number);
void ossa__keep_text(struct ossa__assembly *assembly, const char *key, const char *text);
/* One of the words "a b c", by its number; the first one is the default. */
void ossa__keep_word(struct ossa__assembly *assembly, const char *key, const char *words,
                     unsigned number);

/* Room for so many clips; those that were there are gone. */
bool ossa__take_clips(struct ossa__assembly *assembly, size_t count);
/* A name that a clip will have: others that get a number keep off it. To be told after taking room
 * and before adding; the text must live in the arena. */
void ossa__reserve_clip_name(struct ossa__assembly *assembly, const char *name);

/* Begin a clip. Its name gets a number if another clip has it. False: the clip is not wanted and
 * must not be added; also after a failure. */
bool ossa__begin_clip(struct ossa__assembly *assembly, const char *name);

/* The same for a clip that is made of others, which were wanted. */
bool ossa__name_clip(struct ossa__assembly *assembly, const char *name);

/* A clip to be. */
struct ossa__clip_plan {
    const char *name;              /* that it was begun with */
    const struct ossa__part *part; /* where it comes from */
    double fps;
    bool loop;
    uint32_t frame_count;
    uint32_t keys_per_frame;
    ossa__start_source *start;
    /* By bone: 1 where it may change in the course of the clip; all else is as in the first frame.
     * NULL: nothing changes. */
    const uint8_t *rotates;
    const uint8_t *translates;
    const uint8_t *scales;
    const uint8_t *hides;
    ossa__key_source *fill;
    uint32_t morph_count;         /* of meshes that may change their shape */
    const uint32_t *morph_meshes; /* rising */
    ossa__morph_source *morph;
    bool keeps_morphs; /* whatever the options say: they were chosen before */
    void *user;        /* of `start`, `fill` and `morph` */
    uint32_t extra_count;
    const ossa_extra *extras;
    const float *rotation_steps; /* as in ossa_clip; must live in the arena */
    const char *next;            /* likewise; it need not become a clip */
    /* Likewise, in any order, and by the frames of the plan: those after the end are left out, and
     * one at the end is in the last frame. */
    uint32_t event_count;
    const ossa_event *events;
    double travel[3]; /* as in ossa_clip, at a scale of 1 */
    /* NULL, or puts an edit into the files of the clip, see edit.h. Gets `user`, too. */
    void (*apply)(void *user, struct ossa__edit *edit);
    /* NULL, or says where the keys are stored, see key_runs.h. Gets `user`, too. */
    void (*record)(void *user, struct ossa__key_recorder *recorder);
};
/* The same rotation step for every bone; NULL after a failure. */
float *ossa__same_steps(struct ossa__assembly *assembly, float step);
/* Add the clip that was begun. Of no frames: left out with a warning. */
void ossa__add_clip(struct ossa__assembly *assembly, const struct ossa__clip_plan *plan);

/* A clip as it was, when clips are put together anew. */
void ossa__keep_clip(struct ossa__assembly *assembly, const ossa_clip *clip);

extern const ossa_transform ossa__no_transform;

/* ---- before and after them ----------------------------------------------------------------- */

/* Those that all games have. */
void ossa__keep_options(struct ossa__assembly *assembly);

/* To be called when all clips are there: a `next` that is none of them is none. */
void ossa__settle_next(struct ossa__assembly *assembly);

void ossa__join_clips(struct ossa__assembly *assembly);
/* Where a clip of a scene is in the scene of the same files with joined clips: in which clip, and
 * from which of its frames on. */
struct ossa__joined_clip {
    uint32_t clip;
    uint32_t first_frame;
};
bool ossa__find_joined(struct ossa__context *context, const ossa_scene *scene,
                       struct ossa__joined_clip *places);
/* For options.in_place. */
void ossa__remove_drift(struct ossa__assembly *assembly);
void ossa__add_boxes(struct ossa__assembly *assembly);

#endif
