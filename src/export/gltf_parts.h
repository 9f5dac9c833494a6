/* SPDX-License-Identifier: MIT
 *
 * What the parts of the glTF export share: one file being made. */
#ifndef OSSA_EXPORT_GLTF_PARTS_H
#define OSSA_EXPORT_GLTF_PARTS_H

#include "export/gltf_buffer.h"
#include "export/issue.h"

#include <string.h>

/* Which curves of a bone are written, in every clip. */
enum {
    OSSA__HAS_ROTATION = 1,
    OSSA__HAS_TRANSLATION = 2,
    OSSA__HAS_SCALE = 4,
    OSSA__HAS_VISIBILITY = 8,
    OSSA__HAS_WEIGHTS = 16, /* of the morph targets of the mesh on it */
};

/* What is drawn at once: one mesh of the scene, or in a skin all that are alike. Numbers are
 * accessors, of which it has those that its meshes have. */
struct ossa__gltf_primitive {
    uint32_t first; /* of its meshes, in `order` */
    uint32_t count;
    uint32_t vertex_count;
    size_t positions;
    size_t normals;
    size_t colours;
    size_t texcoords;
    size_t texcoords2;
    size_t joints; /* in a skin, and so are the weights */
    size_t weights;
    size_t indices;
    size_t targets; /* the first of its own, which follow each other */
    size_t zeros;   /* for the targets of other primitives */
};

/* A mesh of the file: the primitives of a bone, or all of a skin. */
struct ossa__gltf_mesh {
    uint32_t node;
    uint32_t first; /* of its primitives */
    uint32_t count;
    uint32_t target_count;
};

/* A track of a clip, and where the targets of its mesh begin among those of the node. */
struct ossa__gltf_weight_track {
    uint32_t index;
    uint32_t first_target;
};

/* A texture of the file: an image and how it goes on beyond its edges. */
struct ossa__gltf_texture {
    uint32_t texture; /* of the scene */
    unsigned wrap;    /* 1: clamped along u; 2: along v */
};

struct ossa__gltf_picture {
    const uint8_t *bytes;
    size_t size;
};

struct ossa__gltf {
    struct ossa__context context;
    const ossa_scene *scene;
    const uint8_t *wanted; /* clips; NULL: all */
    const ossa_export_options *options;
    int32_t variant; /* of options, the one that is shown; -1: none */
    struct ossa__gltf_buffer buffer;
    struct ossa__json json;
    uint8_t *curves;        /* by bone: HAS_ */
    uint32_t *visible_node; /* by bone: the node above that hides it; 0: none */
    char **names;           /* of nodes */
    uint32_t node_count;
    bool has_skin;              /* a mesh is bound to it */
    bool binds_all;             /* and so are all triangles: options.skin */
    uint32_t skin_node;         /* that mesh's; 0: there is none */
    uint32_t first_camera_node; /* 0: there are only cameras, and no plain node above bones */
    size_t inverse_binds;       /* accessor */
    float (*bind_places)[16];   /* by bone: what the inverse binds take back */
    float (*inverse_bind_matrices)[16];

    uint32_t *order; /* the meshes of the scene, as the primitives take them */
    struct ossa__gltf_primitive *primitives;
    struct ossa__gltf_mesh *meshes;
    uint32_t mesh_count;
    uint32_t *material_slots; /* see gltf_materials.c: the place in the file + 1; 0: not used */
    uint32_t *images;         /* by texture: its place in the file + 1; 0: it is not there */
    bool *is_sheer;           /* by texture that is there: half there, most of it */
    struct ossa__gltf_picture *pictures; /* as PNG, in the order of the file */
    uint32_t image_count;
    size_t first_image;                  /* its view; the others follow */
    struct ossa__gltf_texture *textures; /* in the order of the file */
    uint32_t (*texture_places)[4];       /* by texture and wrap: its place in the file + 1 */
    uint32_t texture_count;

    uint32_t *first_target;    /* by mesh: where its targets begin in its mesh of the file */
    uint32_t *morph_mesh;      /* by bone with OSSA__HAS_WEIGHTS: the mesh on it */
    uint32_t *skin_morphs;     /* the meshes with targets that are in the skin */
    uint32_t skin_morph_count; /* of them */
    uint32_t skin_target_count;
    bool has_skin_weights;                         /* in every clip */
    bool has_sparse_weights;                       /* there are too many to write them all */
    struct ossa__gltf_weight_track *weight_tracks; /* room for one a mesh, and a weight a target */
    float *weight_row;

    uint32_t *clip_accessors; /* for each written channel in order, times and values */
    size_t clip_accessor_count;
    size_t *camera_accessors; /* three a camera: times, positions, rotations */
    char **camera_clips;      /* the names of the cameras' animations */
};

/* The times of a clip: all its frames, and its ends for what does not change. */
struct ossa__gltf_times {
    size_t frames;
    size_t ends;    /* 0: not put yet; accessor 0 is never one of times */
    uint32_t count; /* of `frames`; at least 2 */
    float last;
};

/* The node of a bone; node 0 is the plain one above them all. */
static inline uint32_t ossa__gltf_node_of(uint32_t bone)
{
    return bone + 1;
}

static inline bool ossa__gltf_differs(const float *a, const float *b, size_t count)
{
    return memcmp(a, b, count * sizeof *a) != 0;
}

static inline bool ossa__gltf_is_wanted(const struct ossa__gltf *x, uint32_t clip)
{
    return x->wanted == NULL || x->wanted[clip] != 0;
}

static inline bool ossa__gltf_is_written(const struct ossa__gltf *x, uint32_t clip)
{
    return ossa__gltf_is_wanted(x, clip) && x->scene->clips[clip].frame_count > 0 &&
           x->scene->bone_count > 0;
}

/* Whether a mesh is bound to the skin: one that moves with several bones always. Lines stay on
 * their bones: three.js does not bend them. */
static inline bool ossa__gltf_is_skinned(const struct ossa__gltf *x, const ossa_mesh *mesh)
{
    if (mesh->vertex_bones != NULL || mesh->joints != NULL) return true;
    return x->binds_all && mesh->kind == OSSA_MESH_KIND_TRIANGLES;
}

/* The bone that a vertex without weights moves with. */
static inline uint32_t ossa__gltf_bone_of(const ossa_mesh *mesh, uint32_t vertex)
{
    return mesh->vertex_bones == NULL ? mesh->bone : mesh->vertex_bones[vertex];
}

/* Report what glTF cannot hold. */
#define ossa__gltf_warn(x, code, ...) ossa__export_warn((x)->options, "gltf", code, __VA_ARGS__)

/* Where a bone, or a mesh, is among the tracks that change; -1: it does not. */
int64_t ossa__gltf_find_track(uint32_t count, const uint32_t *items, uint32_t item);
/* The accessor of the first and the last time, made when somebody asks for it. */
size_t ossa__gltf_ends_of(struct ossa__gltf *x, struct ossa__gltf_times *times);
void ossa__gltf_note_channel(struct ossa__gltf *x, size_t times, size_t values);

/* Members of an object of the document. */
static inline void ossa__gltf_uint(struct ossa__gltf *x, const char *key, uint64_t value)
{
    ossa__json_key(&x->json, key);
    ossa__json_uint(&x->json, value);
}

static inline void ossa__gltf_string(struct ossa__gltf *x, const char *key, const char *value)
{
    ossa__json_key(&x->json, key);
    ossa__json_string(&x->json, value);
}

static inline void ossa__gltf_float(struct ossa__gltf *x, const char *key, float value)
{
    ossa__json_key(&x->json, key);
    ossa__json_float(&x->json, value);
}

static inline void ossa__gltf_floats(struct ossa__gltf *x, const char *key, const float *values,
                                     size_t count)
{
    ossa__json_key(&x->json, key);
    ossa__json_floats(&x->json, values, count);
}

/* Pieces of the document. */
void ossa__gltf_write_name(struct ossa__gltf *x, uint32_t node, const char *original);
void ossa__gltf_write_transform(struct ossa__gltf *x, const ossa_transform *transform);
void ossa__gltf_write_channel(struct ossa__gltf *x, size_t sampler, uint32_t node,
                              const char *path);
void ossa__gltf_write_sampler(struct ossa__gltf *x, size_t input, size_t output, bool steps);

/* Cameras (gltf_cameras.c). */
void ossa__gltf_name_cameras(struct ossa__gltf *x);
void ossa__gltf_put_cameras(struct ossa__gltf *x);
void ossa__gltf_write_cameras(struct ossa__gltf *x);
void ossa__gltf_write_camera_nodes(struct ossa__gltf *x);
bool ossa__gltf_has_moving_camera(const struct ossa__gltf *x);
void ossa__gltf_write_camera_clips(struct ossa__gltf *x);

/* Meshes (gltf_meshes.c): which primitives and meshes there are, their numbers, the document. */
void ossa__gltf_plan_meshes(struct ossa__gltf *x);
void ossa__gltf_put_meshes(struct ossa__gltf *x);
/* `mesh_of[node]` becomes the index of its mesh + 1. */
void ossa__gltf_write_meshes(struct ossa__gltf *x, uint32_t *mesh_of);

/* Joints and weights of a skin (gltf_joints.c). */
void ossa__gltf_put_joints(struct ossa__gltf *x, struct ossa__gltf_primitive *primitive);

/* Morph targets (gltf_morphs.c). */
void ossa__gltf_find_morphs(struct ossa__gltf *x);
/* When the meshes are planned: warn of morph targets that take much room, refuse too much. */
void ossa__gltf_check_morphs(struct ossa__gltf *x);
bool ossa__gltf_morphs_change(const ossa_clip *clip);
void ossa__gltf_put_weights(struct ossa__gltf *x, const ossa_clip *clip,
                            struct ossa__gltf_times *times_of, const uint32_t *meshes,
                            uint32_t count, uint32_t target_count);
/* The members "weights" and "extras" of a mesh with targets. */
void ossa__gltf_write_targets(struct ossa__gltf *x, const struct ossa__gltf_mesh *mesh);

/* Materials and textures (gltf_materials.c). */
void ossa__gltf_find_materials(struct ossa__gltf *x);
/* Where the material of a mesh is in the file, and where another one is that it may show. */
uint32_t ossa__gltf_material_of(const struct ossa__gltf *x, const ossa_mesh *mesh);
uint32_t ossa__gltf_place_of(const struct ossa__gltf *x, const ossa_mesh *mesh, int32_t material);
void ossa__gltf_put_images(struct ossa__gltf *x);
void ossa__gltf_write_materials(struct ossa__gltf *x);
bool ossa__gltf_has_unlit(const struct ossa__gltf *x);

/* Variants of materials (gltf_variants.c). */
bool ossa__gltf_has_variants(const struct ossa__gltf *x);
int32_t ossa__gltf_variant_material(const struct ossa__gltf *x, const ossa_mesh *mesh,
                                    uint32_t variant);
/* The variant of the options; where the material is in the file that a mesh shows in it. */
void ossa__gltf_find_variant(struct ossa__gltf *x);
uint32_t ossa__gltf_shown_material(const struct ossa__gltf *x, const ossa_mesh *mesh);
/* The member "extensions" of the document, and that of a primitive. */
void ossa__gltf_write_variants(struct ossa__gltf *x);
void ossa__gltf_write_mappings(struct ossa__gltf *x, const ossa_mesh *mesh);

/* All numbers into the buffer (gltf_data.c), then the document that describes them
 * (gltf_document.c). */
void ossa__gltf_put_all(struct ossa__gltf *x);
void ossa__gltf_write_document(struct ossa__gltf *x, ossa_sink sink);

#endif
