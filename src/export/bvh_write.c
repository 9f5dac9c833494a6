/* SPDX-License-Identifier: MIT
 *
 * The text of a BVH: the joints, depth first, each inside the braces of its parent; then one line
 * per frame with the channels of all joints in the same order. */
#include "export/bvh_parts.h"

#include "base/number_text.h"
#include "export/euler.h"
#include "ossa/sample.h"

#include <inttypes.h>
#include <math.h>

/* ---- hierarchy ----------------------------------------------------------------------------- */

/* Indentation is for people, and nobody follows it further than this: in a chain of many bones it
 * would be most of the file. */
enum { MOST_TABS = 32 };

/* Parts of the model's size. */
static const double nothing = 1e-6;    /* an offset that is shorter is none */
static const double small_step = 0.05; /* the length of a bone that has nothing to say its own */

static void indent(struct ossa__bvh *x, uint32_t depth)
{
    for (uint32_t i = 0; i < depth && i < MOST_TABS; i++) ossa__write_u8(&x->writer, '\t');
}

static void write_line(struct ossa__bvh *x, uint32_t depth, const char *text)
{
    indent(x, depth);
    ossa__write_text(&x->writer, text);
    ossa__write_u8(&x->writer, '\n');
}

static void write_offset(struct ossa__bvh *x, uint32_t depth, const double offset[3])
{
    indent(x, depth);
    ossa__write_text(&x->writer, "OFFSET");
    for (unsigned k = 0; k < 3; k++) {
        char *at = ossa__write_begin(&x->writer);
        *at++ = ' ';
        ossa__write_end(&x->writer, ossa__decimal_text(offset[k], 6, at));
    }
    ossa__write_u8(&x->writer, '\n');
}

/* A joint up to where its children stand. */
static void open_joint(struct ossa__bvh *x, uint32_t depth, const char *name, bool has_position,
                       const double offset[3])
{
    indent(x, depth);
    ossa__write_text(&x->writer, depth == 0 ? "ROOT " : "JOINT ");
    ossa__write_text(&x->writer, name);
    ossa__write_u8(&x->writer, '\n');
    write_line(x, depth, "{");
    write_offset(x, depth + 1, offset);
    write_line(x, depth + 1,
               has_position
                   ? "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
                   : "CHANNELS 3 Zrotation Xrotation Yrotation");
}

/* Programs subtract the offset of a joint from its positions, or add it, or do neither: with no
 * offset they all agree. */
static void open_bone(struct ossa__bvh *x, uint32_t depth, uint32_t bone)
{
    bool has_position = (x->joints[bone] & OSSA__HAS_POSITION) != 0;
    double offset[3] = {0.0, 0.0, 0.0};
    for (unsigned k = 0; k < 3 && !has_position; k++) {
        offset[k] = (double)x->rest[bone].translation[k];
    }
    open_joint(x, depth, x->names[bone], has_position, offset);
}

/* Where a bone without children ends, which no game says: half as far again as it is from its
 * parent. Where that is nothing, or the parent is the world, a step up. */
static void write_end_site(struct ossa__bvh *x, uint32_t depth, uint32_t bone)
{
    double offset[3];
    double longest = 0.0;
    for (unsigned k = 0; k < 3; k++) {
        offset[k] = (double)x->rest[bone].translation[k] / 2.0;
        longest = fmax(longest, fabs(offset[k]));
    }
    if (x->scene->bones[bone].parent < 0 || longest < nothing * x->size) {
        offset[0] = offset[2] = 0.0;
        offset[1] = small_step * x->size;
    }
    write_line(x, depth, "End Site");
    write_line(x, depth, "{");
    write_offset(x, depth + 1, offset);
    write_line(x, depth, "}");
}

/* All bones from the roots down, without recursion: a chain may be as deep as there are bones. */
static void write_bones(struct ossa__bvh *x, uint32_t depth)
{
    const uint32_t *first = x->children.first;
    const uint32_t *next = x->children.next;
    uint32_t written = 0;
    uint32_t number = first[0]; /* bone + 1; 0: none, see children.h */
    while (number != 0 && !x->context.failed) {
        uint32_t bone = number - 1;
        x->order[written++] = bone;
        open_bone(x, depth, bone);
        if (first[number] != 0) {
            number = first[number];
            depth++;
            continue;
        }
        write_end_site(x, depth + 1, bone);
        write_line(x, depth, "}");
        while (next[number] == 0 && x->scene->bones[number - 1].parent >= 0) {
            number = (uint32_t)x->scene->bones[number - 1].parent + 1;
            write_line(x, --depth, "}");
        }
        number = next[number];
    }
}

static void write_hierarchy(struct ossa__bvh *x)
{
    static const double nowhere[3] = {0.0, 0.0, 0.0};
    write_line(x, 0, "HIERARCHY");
    if (x->has_root_above) open_joint(x, 0, x->names[x->scene->bone_count], true, nowhere);
    write_bones(x, x->has_root_above ? 1 : 0);
    if (x->has_root_above) write_line(x, 0, "}");
}

/* ---- motion -------------------------------------------------------------------------------- */

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
        char *at = ossa__decimal_text((double)place[k], 6, ossa__write_begin(&x->writer));
        *at++ = ' ';
        ossa__write_end(&x->writer, at);
    }
}

static void write_angles(struct ossa__bvh *x, struct ossa__euler_zxy angles)
{
    char *at = ossa__millionths_text(angles.z, ossa__write_begin(&x->writer));
    *at++ = ' ';
    at = ossa__millionths_text(angles.x, at);
    *at++ = ' ';
    ossa__write_end(&x->writer, ossa__millionths_text(angles.y, at));
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
        if (x->joints[bone] & OSSA__HAS_POSITION) write_position(x, frame, bone);
        if (frame == 0) angles[bone] = ossa__euler_from(rotation);
        else if (x->joints[bone] & OSSA__HAS_TURNS)
            angles[bone] = ossa__euler_near(rotation, angles[bone]);
        write_angles(x, angles[bone]);
    }
    ossa__write_u8(&x->writer, '\n');
}

static void write_motion(struct ossa__bvh *x)
{
    struct ossa__euler_zxy *angles = ossa__take(&x->context, x->scene->bone_count, sizeof *angles);
    if (angles == NULL) return;
    ossa__write_text(&x->writer, "MOTION\nFrames: ");
    char *frames = ossa__write_begin(&x->writer);
    ossa__write_end(&x->writer, ossa__uint_text(x->clip->frame_count, frames));
    ossa__write_text(&x->writer, "\nFrame Time: ");
    char *time = ossa__write_begin(&x->writer);
    ossa__write_end(&x->writer, ossa__decimal_text(1.0 / x->clip->fps, 10, time));
    ossa__write_u8(&x->writer, '\n');
    for (uint32_t f = 0; f < x->clip->frame_count && !x->context.failed; f++) {
        write_frame(x, f, angles);
    }
}

void ossa__bvh_write(struct ossa__bvh *x)
{
    write_hierarchy(x);
    if (!x->context.failed) write_motion(x);
}
