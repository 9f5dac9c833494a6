/* SPDX-License-Identifier: MIT
 *
 * What the files that read the JSON of a scene share. */
#ifndef OSSA_IMPORT_SCENE_JSON_PARTS_H
#define OSSA_IMPORT_SCENE_JSON_PARTS_H

#include "codec/value.h"
#include "import/motion.h"
#include "ossa/scene.h"

/* A bone, and what it does in the clip at hand. */
struct ossa__scene_json_bone {
    const char *name;
    int32_t parent;
    uint32_t node;
    uint32_t visible_node; /* if it hides */
    bool hides;            /* in some clip */
    bool is_visible;       /* where no track says otherwise, and so is `constant` */
    uint8_t tracks;        /* that it has, a bit for each kind */
    ossa_transform rest;
    ossa_transform constant;
};

/* A mesh of the document. */
struct ossa__scene_json_shape {
    uint32_t node;         /* that has it */
    uint32_t target_count; /* 0: it is left out */
    bool has_track;        /* in the clip at hand */
};

/* The clip at hand. */
struct ossa__scene_json_clip {
    const struct ossa__value *value;
    double fps;
    uint32_t frame_count;
    const float *times; /* of the frames; NULL: nobody has asked for them */
    struct ossa__motion_curve *curves;
    uint32_t curve_count; /* so far */
};

struct ossa__scene_json {
    struct ossa__context *context;
    struct ossa__value root;
    struct ossa__motion *motion;
    uint32_t bone_count;
    struct ossa__scene_json_bone *bones;
    uint32_t shape_count;
    struct ossa__scene_json_shape *shapes;
    uint64_t weight_count; /* of all clips so far */
    struct ossa__scene_json_clip clip;
};

/* The member of an object that is an index into `count` things. */
uint32_t ossa__scene_json_index(const struct ossa__value *object, const char *key, uint32_t count);
/* The floats of an optional array of just so many: false if there is none, or after a failure. */
bool ossa__scene_json_optional_floats(const struct ossa__value *object, const char *key,
                                      uint32_t width, float *out);
/* An array of `count` arrays of `width` finite numbers. If there are 4, they are a rotation, and
 * not all 0. False or NULL after a failure. */
bool ossa__scene_json_fill_rows(const struct ossa__value *array, uint32_t count, uint32_t width,
                                float *rows);
float *ossa__scene_json_rows(const struct ossa__value *array, uint32_t count, uint32_t width);

/* A key for each frame of the clip at hand, whose values have been read. */
void ossa__scene_json_add_curve(struct ossa__scene_json *scene, struct ossa__motion_curve curve);

/* Meshes that have morph targets, once the nodes are there. */
void ossa__scene_json_read_meshes(struct ossa__scene_json *scene);
/* The morph tracks of the clip at hand: how many curves they are, and these curves. */
uint32_t ossa__scene_json_count_morphs(struct ossa__scene_json *scene);
void ossa__scene_json_read_morphs(struct ossa__scene_json *scene);

uint32_t ossa__scene_json_count_cameras(struct ossa__scene_json *scene);
/* The cameras as the last nodes, and a clip for each one that moves behind the others. */
void ossa__scene_json_read_cameras(struct ossa__scene_json *scene);

#endif
