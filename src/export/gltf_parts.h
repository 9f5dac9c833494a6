/* SPDX-License-Identifier: MIT
 *
 * What the parts of the glTF export share: one file being made. */
#ifndef OSSA_EXPORT_GLTF_PARTS_H
#define OSSA_EXPORT_GLTF_PARTS_H

#include "export/gltf_buffer.h"
#include "ossa/gltf.h"

#include <string.h>

/* Which curves of a bone are written, in every clip. */
enum { HAS_ROTATION = 1, HAS_TRANSLATION = 2, HAS_SCALE = 4, HAS_VISIBILITY = 8 };

/* Two materials: what has colours of its own shines by itself, as the console drew it. Only those
 * that a mesh uses are written. */
struct ossa__gltf_materials {
    bool colours;
    bool plain;
};

struct ossa__gltf {
    struct ossa__context context;
    const ossa_scene *scene;
    const uint8_t *wanted; /* clips; NULL: all */
    const ossa_gltf_options *options;
    struct ossa__gltf_buffer buffer;
    ossa_json json;
    struct ossa__gltf_materials materials;
    uint8_t *curves;        /* by bone: HAS_ */
    uint32_t *visible_node; /* by bone: the node above that hides it; 0: none */
    char **names;           /* of nodes */
    uint32_t node_count;
    uint32_t first_camera_node; /* 0: there are only cameras, and no plain node above bones */
    size_t inverse_binds;       /* accessor */
    size_t *mesh_accessors;     /* four a mesh: positions, normals, colours, indices */
    size_t *clip_accessors;     /* for each written channel in order, times and values */
    size_t clip_accessor_count;
    size_t *camera_accessors; /* three a camera: times, positions, rotations */
    char **camera_clips;      /* the names of the cameras' animations */
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

/* For what glTF cannot say; `format` has one %s. */
void ossa__gltf_warn(const struct ossa__gltf *x, const char *format, const char *name)
    OSSA_PRINTF(2, 0);
/* A key on the same side as the one before, which it becomes; begin with zeros. */
void ossa__gltf_put_rotation(struct ossa__gltf *x, const float *key, float before[4]);

/* Pieces of the document. */
void ossa__gltf_write_name(struct ossa__gltf *x, uint32_t node, const char *original);
void ossa__gltf_write_transform(struct ossa__gltf *x, const ossa_transform *transform);
void ossa__gltf_write_channel(struct ossa__gltf *x, size_t sampler, uint32_t node,
                              const char *path);
void ossa__gltf_write_sampler(struct ossa__gltf *x, const size_t accessors[2], bool steps);

/* Cameras (gltf_cameras.c). */
void ossa__gltf_name_cameras(struct ossa__gltf *x);
void ossa__gltf_put_cameras(struct ossa__gltf *x);
void ossa__gltf_write_cameras(struct ossa__gltf *x);
void ossa__gltf_write_camera_nodes(struct ossa__gltf *x);
bool ossa__gltf_has_moving_camera(const struct ossa__gltf *x);
void ossa__gltf_write_camera_clips(struct ossa__gltf *x);

/* All numbers into the buffer (gltf_data.c), then the document that describes them
 * (gltf_document.c). */
void ossa__gltf_put_all(struct ossa__gltf *x);
void ossa__gltf_write_document(struct ossa__gltf *x, ossa_sink sink);

#endif
