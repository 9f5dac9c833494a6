/* SPDX-License-Identifier: MIT */
/** @file
 * The neutral scene: what the files of any game mean together, in one space.
 *
 *     const ossa_input inputs[] = {{.path = "bird.skb", .file = skeleton},
 *                                  {.path = "fly.anb", .file = animation}};
 *     ossa_scene *scene = ossa_assemble(inputs, 2, NULL, &error);
 *     ...
 *     ossa_scene_free(scene);
 *
 * Conventions of scenes and everything made from them: right-handed, +Y up, metres; quaternions are
 * x y z w; world = parent * local; a matrix is 16 floats in column-major order, for column vectors.
 * This is glTF's own space.
 *
 * An index that may be absent is signed, and -1 means none. Zero is a valid index, so set these
 * members in structs that you fill yourself. */
#ifndef OSSA_SCENE_H
#define OSSA_SCENE_H

#include "ossa/file.h"

OSSA_BEGIN

/** translation * rotation * scale */
typedef struct ossa_transform {
    float translation[3];
    float rotation[4]; /**< x y z w, of length 1 */
    float scale[3];
} ossa_transform;

/** Data from a file that a scene has no member for: a text, or one or more numbers. It is written
 * to glTF's extras unchanged: integers below 2^53 exactly, other numbers as 32-bit floats. */
typedef struct ossa_extra {
    const char *key;
    const char *text; /**< UTF-8; NULL: it is numbers */
    uint32_t number_count;
    const double *numbers; /**< within the range of a 32-bit float */
} ossa_extra;

/** One bone of the skeleton. */
typedef struct ossa_bone {
    const char *name;    /**< UTF-8, never empty; bones of one name are told apart by number */
    int32_t parent;      /**< less than the bone's own index; -1: none */
    ossa_transform rest; /**< relative to the parent */
    uint32_t extra_count;
    const ossa_extra *extras;
} ossa_bone;

/** The largest number of clips in a scene, and of cameras. */
#define OSSA_MAX_CLIPS 16384

/** The curves of one kind in a clip, for the bones whose value changes. */
typedef struct ossa_tracks {
    uint32_t count;
    const uint32_t *bones; /**< [count], ascending */
    const float *keys;     /**< [frame][count][width]; width is 4 for rotations, otherwise 3 */
} ossa_tracks;

/** The visibility of the bones for which it changes. */
typedef struct ossa_flag_tracks {
    uint32_t count;
    const uint32_t *bones; /**< [count], ascending */
    const uint8_t *keys;   /**< [frame][count], 0 or 1 */
} ossa_flag_tracks;

/** The shapes of meshes in each frame of a clip, with linear interpolation between frames. */
typedef struct ossa_morph_tracks {
    uint32_t count;
    const uint32_t *meshes; /**< [count], ascending */
    const int32_t *keys;    /**< [frame][count]: a target of the mesh; -1: none */
} ossa_morph_tracks;

struct ossa_key_run;

/** Something that a file says happens in a frame of a clip. */
typedef struct ossa_event {
    uint32_t frame; /**< less than the frame_count of the clip */
    /** What it is: "step" (a foot comes down), "hit" (a blow lands), "show_hide" (something is
     * shown or hidden, it is not known what and which), or "special" (a sound or effect of its
     * own). Others may be added. */
    const char *kind;
    const char *field; /**< where the file says so, in the record of the clip: "step_sounds[1]" */
} ossa_event;

/** One animation of the skeleton. Values that change have tracks; all others are in `constant`. */
typedef struct ossa_clip {
    const char *name;          /**< UTF-8, never empty, unique in the scene */
    const char *source;        /**< the file or folder it came from */
    const char *source_format; /**< id of its format */
    double fps;
    uint32_t frame_count;    /**< frame f is at f / fps seconds; the clip lasts frame_count / fps */
    uint32_t keys_per_frame; /**< more than 1 if it was resampled: then `fps` is that many times
                              * the game's */
    bool loop;               /**< the file says that the clip repeats */
    bool in_place;           /**< options.in_place removed the root's drift */
    float velocity[3];       /**< the drift removed, in metres per second; otherwise 0 */
    uint32_t extra_count;
    const ossa_extra *extras;

    const ossa_transform *constant;  /**< [bone_count]: the values without a track */
    const uint8_t *constant_visible; /**< [bone_count] */
    /** [bone_count]: radians between neighbouring rotations that the file can store. 0: it stores
     * floats; below 0: unknown. NULL: all 0. */
    const float *rotation_steps;
    ossa_tracks rotations;
    ossa_tracks translations;
    ossa_tracks scales;
    ossa_flag_tracks visibilities;
    ossa_morph_tracks morphs; /**< a mesh without a track has no target in this clip */

    /** Where the keys are stored, see ossa/keys.h. NULL: unknown. */
    const struct ossa_key_run *key_runs;
    uint32_t key_run_count;

    /** The name of the clip that the files say is played after this one, which may be itself. NULL:
     * none, or ossa_assemble has left that clip out. */
    const char *next;
    uint32_t event_count;
    const ossa_event *events; /**< in the order of their frames */

    /** Metres per second at which the game moves the figure while it plays this clip, if the files
     * say so; otherwise 0. The root may move in the clip as well, and the game then ignores one of
     * the two. */
    float travel[3];
} ossa_clip;

/** What the indices of a mesh form. */
typedef enum ossa_mesh_kind {
    OSSA_MESH_KIND_TRIANGLES, /**< counter-clockwise seen from outside */
    OSSA_MESH_KIND_LINES,
} ossa_mesh_kind;

/** An image for meshes: rows from the top, red green blue alpha. */
typedef struct ossa_texture {
    const char *name; /**< UTF-8, never empty */
    uint32_t width;
    uint32_t height;
    const uint8_t (*pixels)[4]; /**< [width * height] */
} ossa_texture;

/** The look of a mesh. */
typedef struct ossa_material {
    const char *name;
    int32_t texture;     /**< -1: none */
    float colour[4];     /**< red green blue alpha, 0 to 1, linear; multiplies the texture */
    bool is_transparent; /**< use the alpha of the texture */
    bool is_double_sided;
    bool is_unlit; /**< shown in its own colours, without lighting */
    uint32_t extra_count;
    const ossa_extra *extras;
    bool is_clamped[2]; /**< the texture does not repeat along u, and along v */
    float alpha_cutoff; /**< up to 1: texels of less alpha are not drawn, all others are opaque. 0:
                         * none; not together with is_transparent */
    bool is_blended; /**< transparent, and blended with what is behind it as the game does: by the
                      * alpha of the texture, which need not be all or nothing, and of vertices */
} ossa_material;

/** The largest number of variants in a scene. */
#define OSSA_MAX_VARIANTS 256

/** A material that a variant shows in place of another. */
typedef struct ossa_replacement {
    uint32_t material; /**< of a mesh */
    uint32_t by;
} ossa_replacement;

/** One of several looks of a figure, such as its clothes: meshes whose material is replaced show
 * the replacement, all others stay as they are. */
typedef struct ossa_variant {
    const char *name; /**< UTF-8, never empty, unique among the variants */
    uint32_t replacement_count;
    const ossa_replacement *replacements; /**< in ascending order of `material`, each once */
} ossa_variant;

/** A shape that moves with the skeleton, in one of three ways. It moves with one bone, and its
 * vertices are in that bone's space; or, with vertex_bones, each vertex is in the space of its own
 * bone and moves with it alone, so that a triangle across a joint stretches; or, with joints and
 * weights, each vertex moves with up to four bones. In the last two `bone` only determines the
 * order of the meshes. */
typedef struct ossa_mesh {
    const char *name;
    uint32_t bone;
    const uint32_t *vertex_bones; /**< [vertex_count]; NULL: all vertices move with `bone`. Not for
                                   * lines, nor together with morph targets */
    ossa_mesh_kind kind;
    uint32_t vertex_count;
    const float (*positions)[3];
    const float (*normals)[3];   /**< NULL: none */
    const uint8_t (*colours)[4]; /**< red green blue (sRGB) and alpha; NULL: none */
    const float (*texcoords)[2]; /**< from the top left corner of the texture; NULL: none */
    int32_t material;            /**< -1: none, the mesh is plain or has vertex colours */
    uint32_t index_count;        /**< a multiple of 3, or of 2 for lines */
    const uint32_t *indices;
    /** Morph targets: shapes that the mesh can take, as offsets to its positions. A mesh with
     * targets is the only mesh of its bone. */
    uint32_t target_count;
    const float (*targets)[3]; /**< [target][vertex] */
    /** Weighted vertices: each moves with up to four bones. Positions and normals are then in the
     * space of the model in the rest pose. NULL: none. Not for lines, nor together with
     * vertex_bones or morph targets. */
    const uint32_t (*joints)[4];  /**< [vertex_count] bones; 0 where the weight is 0 */
    const float (*weights)[4];    /**< [vertex_count], 0 or more, with a sum of 1 (within 1e-5) */
    const float (*texcoords2)[2]; /**< a second set, only together with texcoords; NULL: none */
} ossa_mesh;

/** A camera with a path of its own, independent of the skeleton.
 *
 * It looks along its own -Z, and +Y is up in its picture. Its keys have times of their own and are
 * interpolated like the frames of a clip. */
typedef struct ossa_camera {
    const char *name;            /**< UTF-8, never empty, unique among the cameras */
    const char *source;          /**< the file it came from */
    const char *source_format;   /**< id of its format */
    uint32_t key_count;          /**< at least 1 */
    const float *times;          /**< [key_count] seconds, ascending from 0 */
    const float (*positions)[3]; /**< [key_count] */
    const float (*rotations)[4]; /**< [key_count] x y z w */
    const float *fields_of_view; /**< [key_count] vertical, in radians: above 0, below pi */
    float aspect;                /**< width / height; 0: unknown */
    uint32_t extra_count;
    const ossa_extra *extras;
} ossa_camera;

/** What the value of an option is. */
typedef enum ossa_option_kind {
    OSSA_OPTION_KIND_FLAG,
    OSSA_OPTION_KIND_NUMBER,
    OSSA_OPTION_KIND_CHOICE, /**< one of its words */
    OSSA_OPTION_KIND_VECTOR, /**< as many numbers as it has words, which are their names */
} ossa_option_kind;

/** A value of a choice, or a number of a vector. */
typedef struct ossa_option_word {
    const char *word; /**< as in the tool: "zyx" */
    const char *text; /**< for people */
} ossa_option_word;

/** An option of ossa_scene_options that makes a difference for the files of a scene, for programs
 * that offer options to people. */
typedef struct ossa_option_info {
    const char *name; /**< of its member, but for `morph`, which is `morphing` there */
    ossa_option_kind kind;
    const char *text; /**< what it does, for people */
    uint32_t word_count;
    const ossa_option_word *words; /**< of a choice: the default comes first */
    double least;                  /**< of a number, and of each number of a vector */
    double most;
    double initial; /**< the default; of `fps` it is 0, which stands for the game's own rate */
    bool is_whole;  /**< only whole numbers */
    bool is_open;   /**< the files do not say which value is right, and nobody knows for certain */
} ossa_option_info;

/** Everything that a set of files means. */
typedef struct ossa_scene {
    const char *name; /**< UTF-8, never empty */
    const char *game; /**< "Evil Islands (2000)" */
    uint32_t bone_count;
    const ossa_bone *bones;
    uint32_t clip_count;
    const ossa_clip *clips;
    uint32_t mesh_count;
    const ossa_mesh *meshes; /**< in the order of their bones */
    uint32_t material_count;
    const ossa_material *materials;
    uint32_t texture_count;
    const ossa_texture *textures;
    uint32_t camera_count;
    const ossa_camera *cameras;
    /** Direction from the figure to a viewer who sees its face, of any length. All 0: unknown. */
    float viewpoint[3];
    uint32_t variant_count;       /**< 0, or all looks, including the one that the meshes have */
    const ossa_variant *variants; /**< the meshes have that without replacements, if there is one */

    size_t warning_count; /**< of all warnings; `issues` keeps up to options.max_issues */
    size_t issue_count;
    const ossa_issue *issues; /**< `path` is that of the input concerned; "": of none */
    size_t error_count;       /**< of clips and files that were left out, see `tolerant` */

    /** The options of ossa_assemble that were not defaults and that an import needs to find its way
     * back, named and spelled as in the tool: "scale", "euler". A game adds its own. */
    uint32_t extra_count;
    const ossa_extra *extras;

    /** The files that keys are stored in, by the path that messages have. */
    uint32_t key_file_count;
    const char *const *key_files;

    /** The options that make a difference for these files, whatever they were this time. `parts` is
     * not among them, see ossa_workspace_survey, nor is what selects single files or clips. */
    uint32_t option_count;
    const ossa_option_info *options;
} ossa_scene;

/* ---- assembly ------------------------------------------------------------------------------ */

/** A file and its path, which determines the clip and the part that it belongs to. */
typedef struct ossa_input {
    const char *path; /**< separated by / or \ */
    ossa_file *file;
    const char *shown; /**< its name in messages; NULL: its path */
} ossa_input;

struct ossa_ei_options;
struct ossa_vib_options;
struct ossa_sotc_options;

/** How files become a scene. */
typedef struct ossa_scene_options {
    double fps;    /**< of all clips; 0: as each game plays them */
    double scale;  /**< factor for all lengths; 0: 1 */
    bool in_place; /**< remove the root's drift along x and z from every clip, as Midtown does */
    bool join;     /**< concatenate a numbered series of clips; without a series, all clips */
    bool boxes;    /**< add a box along each bone, for skeletons without a mesh */

    /** Options of one game, see its header. NULL: the defaults. Other games ignore them. */
    const struct ossa_ei_options *ei;
    const struct ossa_vib_options *vib; /**< likewise */

    /* Limits; 0 means the default. All clips together are also limited to 64 Mi + 64 times the size
     * of all inputs poses of a bone, because a bone that never moves takes no room in a file but
     * time in a scene. */
    uint64_t max_memory; /**< 80 MiB + 64 times the size of all inputs */
    size_t max_issues;   /**< kinds of issues kept in the scene: 1000 */
    ossa_allocator allocator;
    /** Called for every issue as it is found. */
    void (*on_issue)(void *user, const ossa_issue *issue);
    /** Whether a clip is wanted: others are not computed and not part of the scene. With `join`,
     * the wanted clips are joined, or all clips if none is wanted. Called once for each clip, with
     * the name that it has in the scene of all clips. NULL: all are wanted. */
    bool (*wants_clip)(void *user, const char *name);
    void *user; /**< passed to all of them */
    /** Called at the end, once for each kind of issue, with the number of its issues. */
    void (*on_group)(void *user, const ossa_issue *issue);
    /** Leave out clips that do not fit, and files with errors other than the skeleton, instead of
     * failing. Each is an issue, OSSA_SEVERITY_ERROR. */
    bool tolerant;
    const struct ossa_sotc_options *sotc; /**< options of one game, like `ei` */
    uint32_t
        texture_level; /**< which level of textures is taken: 0 the largest, 1 half of it, ... */
    bool trace_keys;   /**< keep where the keys of clips are stored, see ossa/keys.h */
    bool no_textures;  /**< leave textures out: a pose needs none, and they may be much memory */
} ossa_scene_options;

/** Assemble files of one game into a scene. The scene copies all that it needs: the files may be
 * freed. Returns NULL if the inputs do not fit together; the error names the input. */
OSSA_API ossa_scene *ossa_assemble(const ossa_input *inputs, size_t count,
                                   const ossa_scene_options *options, ossa_error *error);
/** Free a scene from ossa_assemble. NULL is allowed. */
OSSA_API void ossa_scene_free(ossa_scene *scene);

/** Check every rule of scenes: what is stated above, and that every number is finite. Scenes from
 * ossa_assemble have been checked; check scenes that you make or change. */
OSSA_API bool ossa_scene_validate(const ossa_scene *scene, ossa_error *error);

/** The clip with this name; NULL if there is none. */
OSSA_API const ossa_clip *ossa_scene_find_clip(const ossa_scene *scene, const char *name);

OSSA_END

#endif
