/* SPDX-License-Identifier: MIT
 *
 * A reader of BVH that shares nothing with the writer: it is strict about the shape of the file and
 * of every number, and says where the joints are, in double. */
#ifndef OSSA_TEST_BVH_READER_H
#define OSSA_TEST_BVH_READER_H

#include "support/rotation.h"
#include "support/testing.h"
#include "ossa/export.h"

struct bvh_joint {
    const char *name;
    int parent; /* -1: the root */
    double offset[3];
    unsigned channels; /* 3 or 6 */
    size_t first;      /* of its channels in a frame */
    bool has_children;
    bool has_end;
    double end[3];
};

struct bvh {
    const char *label;
    char *text; /* the names lie in it */
    size_t joint_count;
    struct bvh_joint *joints; /* in the order of the file */
    size_t channel_count;     /* of all joints */
    uint32_t frame_count;
    double frame_time;
    double *values; /* [frame][channel_count] */
};

/* Where a joint is, from the world. */
struct bvh_place {
    double translation[3];
    struct rotation rotation;
};

/* Fails with the first thing that is not as it must be in a file of ours. */
void bvh_open(struct bvh *bvh, const char *label, const struct bytes *file);
void bvh_close(struct bvh *bvh);

const double *bvh_channels(const struct bvh *bvh, uint32_t frame, size_t joint);
/* -1: there is none. */
int bvh_find(const struct bvh *bvh, const char *name);
/* All joints in a frame, [joint_count]. */
void bvh_pose(const struct bvh *bvh, uint32_t frame, struct bvh_place *places);

/* Write a clip, and fail where that fails. */
struct bytes bvh_or_fail(const char *name, const ossa_scene *scene, const ossa_clip *clip);

#endif
