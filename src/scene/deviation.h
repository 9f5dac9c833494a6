/* SPDX-License-Identifier: MIT
 *
 * How far two poses are apart, and where that is worst. */
#ifndef OSSA_SCENE_DEVIATION_H
#define OSSA_SCENE_DEVIATION_H

#include "ossa/scene.h"

/* Of one bone in one frame, in model space. */
struct ossa__deviation {
    uint32_t bone;
    uint32_t frame;
    double degrees;
    double millimetres;
};

/* Between two transforms in model space; the caller sets the bone and the frame. `scale` is the
 * factor of the scene's lengths, so that millimetres are those of the game. */
struct ossa__deviation ossa__deviation_between(const ossa_transform *a, const ossa_transform *b,
                                               double scale);

/* Keep the worse one. Degrees and millimetres count in multiples of what edits keep. */
void ossa__deviation_note(struct ossa__deviation *worst, const struct ossa__deviation *found);
double ossa__deviation_size(const struct ossa__deviation *deviation);

#endif
