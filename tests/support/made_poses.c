/* SPDX-License-Identifier: MIT */
#include "support/made_poses.h"
#include "support/testing.h"

#include <math.h>

void make_poses(struct made_scene *made, uint32_t seed, ossa_transform poses[POSES][BONES])
{
    const struct made_plan plan = {.seed = seed, .bones = BONES, .clips = 1, .frames = {POSES}};
    make_scene(made, &plan);
    for (uint32_t i = 0; i < POSES; i++)
        ossa_sample_frame(&made->scene, &made->clips[0], i, poses[i], NULL);
}

void require_turn(const float found[4], struct rotation wanted, double near)
{
    struct rotation q = rotation_of(found);
    assert_true(fabs(rotation_length(q) - 1.0) < 1e-6);
    double off = rotation_distance(q, wanted);
    require(off < near, "mixed", "a rotation is %g degrees off", off);
}
