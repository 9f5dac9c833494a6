/* SPDX-License-Identifier: MIT
 *
 * The neutral scene: what the files of any game mean together, in one space.
 *
 * Conventions, here and in everything made from a scene: right-handed, +Y up, metres; quaternions
 * are x y z w; world = parent * local; a matrix is 16 floats, column after column, for column
 * vectors. That is glTF's own space, so that nothing has to be turned on the way out.
 *
 * An index that may be absent is signed, and -1 means none. Zero is a valid index: set such fields
 * of structs that you make. */
#ifndef OSSA_SCENE_H
#define OSSA_SCENE_H

#include "ossa/file.h"

OSSA_BEGIN

typedef struct ossa_transform {
    float translation[3];
    float rotation[4]; /* x y z w, of length 1 */
    float scale[3];
} ossa_transform;

typedef struct ossa_bone {
    const char *name;    /* UTF-8, never empty */
    int32_t parent;      /* before the bone itself; -1: none */
    ossa_transform rest; /* from the parent */
} ossa_bone;

/* Of clips, and of cameras, in one scene. */
#define OSSA_MAX_CLIPS 16384

/* Something that a file says and a scene has no place for: a text, or numbers (one, or several). It
 * goes into glTF's extras as it is: whole numbers below 2^53 exactly, others as 32-bit floats. */
typedef struct ossa_extra {
    const char *key;
    const char *text; /* UTF-8; NULL: it is numbers */
    uint32_t number_count;
    const double *numbers; /* none larger than a 32-bit float can be */
} ossa_extra;

/* The curves of one kind in a clip, for the bones that have one that changes. */
typedef struct ossa_tracks {
    uint32_t count;
    const uint32_t *bones; /* [count], rising */
    const float *keys;     /* [frame][count][width]; width 4 for rotations, else 3 */
} ossa_tracks;

typedef struct ossa_flag_tracks {
    uint32_t count;
    const uint32_t *bones;
    const uint8_t *keys; /* [frame][count], 0 or 1 */
} ossa_flag_tracks;

/* Which shape a mesh has in each frame of a clip; between frames it goes straight from one to the
 * next. */
typedef struct ossa_morph_tracks {
    uint32_t count;
    const uint32_t *meshes; /* [count], rising */
    const int32_t *keys;    /* [frame][count]: a target of the mesh; -1: none */
} ossa_morph_tracks;

/* One animation of the skeleton. A track that does not change is one key, in `constant`. */
typedef struct ossa_clip {
    const char *name;          /* UTF-8, never empty, unique in the scene */
    const char *source;        /* the file or folder it came from */
    const char *source_format; /* the id of its format */
    double fps;
    uint32_t frame_count;  /* frame f is at f / fps seconds; the clip lasts frame_count / fps */
    uint32_t keys_a_frame; /* 1, or options.resample: then `fps` is so many times the game's */
    bool loop;             /* the file says that it repeats */
    bool in_place;         /* options.in_place took the root's drift out */
    float velocity[3];     /* what was taken out, in metres a second; else 0 */
    uint32_t extra_count;
    const ossa_extra *extras;

    const ossa_transform *constant;  /* [bone_count]: what does not change */
    const uint8_t *constant_visible; /* [bone_count] */
    ossa_tracks rotations;
    ossa_tracks translations;
    ossa_tracks scales;
    ossa_flag_tracks visibilities;
    ossa_morph_tracks morphs; /* a mesh that is not in it has no target in this clip */
} ossa_clip;

typedef enum ossa_mesh_kind {
    OSSA_MESH_KIND_TRIANGLES, /* counter-clockwise from outside */
    OSSA_MESH_KIND_LINES,
} ossa_mesh_kind;

/* A picture for meshes: rows from the top, red green blue alpha. */
typedef struct ossa_texture {
    const char *name; /* UTF-8, never empty */
    uint32_t width;
    uint32_t height;
    const uint8_t (*pixels)[4]; /* [width * height] */
} ossa_texture;

typedef struct ossa_material {
    const char *name;
    int32_t texture;     /* -1: none */
    float colour[4];     /* red green blue alpha, 0 to 1, linear; times the texture */
    bool is_transparent; /* the alpha of the texture counts */
    bool is_double_sided;
} ossa_material;

/* A shape that moves with one bone, in that bone's own space; or (vertex_bones) with several: then
 * each vertex is in the space of its own bone and moves with it alone, so that a triangle over a
 * joint stretches, and `bone` counts for nothing but the order of the meshes. */
typedef struct ossa_mesh {
    const char *name;
    uint32_t bone;
    const uint32_t *vertex_bones; /* [vertex_count]; NULL: all move with `bone`. Never on lines, and
                                   * not together with morph targets */
    ossa_mesh_kind kind;
    uint32_t vertex_count;
    const float (*positions)[3];
    const float (*normals)[3];   /* NULL: none */
    const uint8_t (*colours)[4]; /* red green blue alpha; NULL: none */
    const float (*texcoords)[2]; /* from the top left corner of the texture; NULL: none */
    int32_t material;            /* -1: none, it is plain or has its own colours */
    uint32_t index_count;        /* a multiple of 3, or of 2 for lines */
    const uint32_t *indices;
    /* Morph targets: shapes it can take, as what is added to the positions. A mesh that has any is
     * the only one of its bone. */
    uint32_t target_count;
    const float (*targets)[3]; /* [target][vertex] */
} ossa_mesh;

/* A camera that moves by itself, beside the skeleton. It looks along its own -Z, and +Y is up in
 * its picture. Its keys lie at times of their own: between two, as in a clip. */
typedef struct ossa_camera {
    const char *name; /* UTF-8, never empty, unique among the cameras */
    const char *source;
    const char *source_format;
    uint32_t key_count;          /* at least 1 */
    const float *times;          /* [key_count] seconds, rising from 0 */
    const float (*positions)[3]; /* [key_count] */
    const float (*rotations)[4]; /* [key_count] x y z w */
    const float *fields_of_view; /* [key_count] from top to bottom, in radians: above 0, below pi */
    float aspect;                /* width / height; 0: not known */
    uint32_t extra_count;
    const ossa_extra *extras;
} ossa_camera;

typedef struct ossa_scene {
    const char *name; /* UTF-8, never empty */
    const char *game; /* "Evil Islands (2000)" */
    uint32_t bone_count;
    const ossa_bone *bones;
    uint32_t clip_count;
    const ossa_clip *clips;
    uint32_t mesh_count;
    const ossa_mesh *meshes; /* in the order of their bones */
    uint32_t material_count;
    const ossa_material *materials;
    uint32_t texture_count;
    const ossa_texture *textures;
    uint32_t camera_count;
    const ossa_camera *cameras;

    size_t warning_count; /* all there were; `issues` holds up to options.max_issues */
    size_t issue_count;
    const ossa_issue *issues; /* `field` is the name of the input that is meant */
} ossa_scene;

/* ---- assembly ------------------------------------------------------------------------------ */

/* A file and where it lies: the path says which clip and which part it is. */
typedef struct ossa_input {
    const char *path; /* separated by / or \ */
    ossa_file *file;
    const char *shown; /* what it is called in messages; NULL: its path */
} ossa_input;

struct ossa_ei_options;
struct ossa_vib_options;

/** How files become a scene. Zero means the default. */
typedef struct ossa_scene_options {
    double fps;    /**< of all clips; 0: what each game says */
    double scale;  /**< factor on all lengths; 0: 1 */
    bool in_place; /**< remove the root's drift along x and z from every clip, as Midtown does */
    bool join;     /**< concatenate a numbered series of clips; without a series, all clips */
    bool boxes;    /**< a box along each bone, for skeletons without a mesh */

    /** Options of one game, see its header; NULL: all defaults. Other games ignore them. */
    const struct ossa_ei_options *ei;
    const struct ossa_vib_options *vib;

    /** Limits; 0 means the default. All clips together are also limited to 64 Mi + 64 * (size of
     * all inputs) poses of a bone, because a bone that never moves takes no room in a file, but
     * time in a scene. */
    uint64_t max_memory; /**< 64 MiB + 64 times the size of all inputs */
    size_t max_issues;   /**< 1000 */
    ossa_allocator allocator;
    /** Called for every warning as it is found. */
    void (*on_issue)(void *user, const ossa_issue *issue);
    /** Whether a clip is wanted, for `join` and for Evil Islands' `morphing`; NULL: all are. */
    bool (*wants_clip)(void *user, const char *name);
    void *user; /**< passed to both */
} ossa_scene_options;

/* Put files of one game together. The scene has copies of all it needs: the files may be freed.
 * NULL when the inputs do not fit; the error names the inputs. */
OSSA_API ossa_scene *ossa_assemble(const ossa_input *inputs, size_t count,
                                   const ossa_scene_options *options, ossa_error *error);
OSSA_API void ossa_scene_free(ossa_scene *scene);

/* Every rule that a scene keeps, checked: what is stated above, and that every number is finite.
 * It has run on what ossa_assemble gives; run it on scenes that you make or change. */
OSSA_API bool ossa_scene_validate(const ossa_scene *scene, ossa_error *error);

/* The clip of that name; NULL: none. */
OSSA_API const ossa_clip *ossa_scene_find_clip(const ossa_scene *scene, const char *name);

OSSA_END

#endif
