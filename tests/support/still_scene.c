/* SPDX-License-Identifier: MIT */
#include "support/still_scene.h"
#include "support/rotation.h"

#include <math.h>

const ossa_transform still_origin = {{0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F, 1.0F}, {1, 1, 1}};

ossa_transform still_at(float x, float y, float z)
{
    ossa_transform t = still_origin;
    t.translation[0] = x;
    t.translation[1] = y;
    t.translation[2] = z;
    return t;
}

ossa_transform *make_still_scene(struct made_scene *made, uint32_t bones, uint32_t frames)
{
    const struct made_plan plan = {.seed = 1, .bones = bones, .clips = 1, .is_rigid = true};
    make_scene(made, &plan);
    ossa_transform *constant = made_memory(made, bones * sizeof *constant);
    ossa_clip *clip = &made->clips[0];
    clip->rotations.count = 0;
    clip->translations.count = 0;
    clip->frame_count = frames;
    clip->constant = constant;
    for (uint32_t b = 0; b < bones; b++) {
        made->bones[b].parent = (int32_t)b - 1;
        made->bones[b].rest = constant[b] = still_origin;
    }
    return constant;
}

void set_still_turns(struct made_scene *made, uint32_t bone, const double (*zxy)[3])
{
    const double radian = acos(-1.0) / 180.0;
    ossa_clip *clip = &made->clips[0];
    float *keys = made_memory(made, clip->frame_count * 4 * sizeof *keys);
    uint32_t *bones = made_memory(made, sizeof *bones);
    *bones = bone;
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        struct rotation q =
            rotation_product(rotation_about(2, zxy[f][0] * radian),
                             rotation_product(rotation_about(0, zxy[f][1] * radian),
                                              rotation_about(1, zxy[f][2] * radian)));
        double sign = f % 3 == 2 ? -1.0 : 1.0; /* q and -q are the same rotation */
        keys[4 * f] = (float)(sign * q.x);
        keys[4 * f + 1] = (float)(sign * q.y);
        keys[4 * f + 2] = (float)(sign * q.z);
        keys[4 * f + 3] = (float)(sign * q.w);
    }
    clip->rotations = (ossa_tracks){1, bones, keys};
}
