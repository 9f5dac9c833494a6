/* SPDX-License-Identifier: MIT
 *
 * Evil Islands' own rule for a pose, straight from the files and without a line of the library's
 * assembly: interpolate each part's rotation, then go down the tree with Q = q * Q_parent. */
#ifndef OSSA_TEST_EI_RULE_H
#define OSSA_TEST_EI_RULE_H

#include "support/rotation.h"
#include "support/scenes.h"

/* One part in the model, in the scene's space. */
struct ei_place {
    struct rotation turn;
    double position[3];
};

/* The clip is the folder of that name. A part's BON lies anywhere; of several positions the first
 * counts. `places` is [bone_count]. */
void ei_rule_pose(const struct scene_files *files, const ossa_scene *scene, const char *clip,
                  double frame, struct ei_place *places);

/* Where a corner (vertex component) of a part's mesh is, in the scene's space: v_world = P + rot(Q,
 * v
 * + morph). `place` is the part's, from ei_rule_pose, or NULL: in the part's own space. */
void ei_rule_corner(const struct scene_files *files, const char *clip, const char *part,
                    double frame, const float complexion[3], uint32_t corner,
                    const struct ei_place *place, double out[3]);

#endif
