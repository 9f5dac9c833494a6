/* SPDX-License-Identifier: MIT
 *
 * The frames of a BVH: a line each, with the channels of all joints in the order of the hierarchy.
 */
#include "export/bvh_parts.h"

#include "export/decimal.h"
#include "export/euler.h"
#include "ossa/sample.h"

#include <inttypes.h>
#include <math.h>

static void write_position(struct ossa__bvh *x, uint32_t frame, uint32_t bone)
{
    const float *place = x->pose[bone].translation;
    for (unsigned k = 0; k < 3; k++) {
        if (!isfinite(place[k])) { /* the scales of a chain of bones */
            ossa__fail_nowhere(&x->context, OSSA_CODE_BAD_SCENE, "",
                               "'%s' is too far away in frame %" PRIu32
                               " of the clip '%s' for a 32-bit float",
                               x->scene->bones[bone].name, frame, x->clip->name);
            return;
        }
        ossa__write_decimal(&x->writer, (double)place[k], 6);
        ossa__write_u8(&x->writer, ' ');
    }
}

static void write_angles(struct ossa__bvh *x, struct ossa__euler_zxy angles)
{
    ossa__write_millionths(&x->writer, angles.z);
    ossa__write_u8(&x->writer, ' ');
    ossa__write_millionths(&x->writer, angles.x);
    ossa__write_u8(&x->writer, ' ');
    ossa__write_millionths(&x->writer, angles.y);
}

static void write_frame(struct ossa__bvh *x, uint32_t frame, struct ossa__euler_zxy *angles)
{
    ossa_sample_frame(x->scene, x->clip, frame, x->pose, NULL);
    ossa__bvh_take_scales(x->scene, x->pose);
    if (x->has_root_above) {
        ossa__write_text(&x->writer, "0.000000 0.000000 0.000000 0.000000 0.000000 0.000000 ");
    }
    for (uint32_t i = 0; i < x->scene->bone_count && !x->context.failed; i++) {
        uint32_t bone = x->order[i];
        const float *rotation = x->pose[bone].rotation;
        if (i > 0) ossa__write_u8(&x->writer, ' ');
        if (x->joints[bone] & HAS_POSITION) write_position(x, frame, bone);
        if (frame == 0) angles[bone] = ossa__euler_from(rotation);
        else if (x->joints[bone] & HAS_TURNS)
            angles[bone] = ossa__euler_near(rotation, angles[bone]);
        write_angles(x, angles[bone]);
    }
    ossa__write_u8(&x->writer, '\n');
}

void ossa__bvh_write_motion(struct ossa__bvh *x)
{
    struct ossa__euler_zxy *angles = ossa__take(&x->context, x->scene->bone_count, sizeof *angles);
    if (angles == NULL) return;
    ossa__write_text(&x->writer, "MOTION\nFrames: ");
    ossa__write_integer(&x->writer, x->clip->frame_count);
    ossa__write_text(&x->writer, "\nFrame Time: ");
    ossa__write_decimal(&x->writer, 1.0 / x->clip->fps, 10);
    ossa__write_u8(&x->writer, '\n');
    for (uint32_t f = 0; f < x->clip->frame_count && !x->context.failed; f++) {
        write_frame(x, f, angles);
    }
}
