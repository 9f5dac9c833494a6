/* SPDX-License-Identifier: MIT
 *
 * Which frames of a clip a time lies between. Poses and root motion share it, so that both mean the
 * same moment. */
#ifndef OSSA_SAMPLE_MOMENT_H
#define OSSA_SAMPLE_MOMENT_H

#include "ossa/sample.h"

/* Two frames and how far it is from one to the other. */
struct ossa__moment {
    uint32_t from;
    uint32_t to;
    double part; /* 0: just `from` */
};

/* There is at least one frame. */
struct ossa__moment ossa__find_moment(uint32_t frame_count, double fps, double seconds,
                                      ossa_wrap wrap);

/* The rotation and translation of bone 0 alone, bit for bit as in the whole pose; its scale is not
 * looked at. There is a bone, and a frame. */
void ossa__sample_root(const ossa_clip *clip, struct ossa__moment at, ossa_transform *local);

#endif
