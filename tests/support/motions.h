/* SPDX-License-Identifier: MIT
 *
 * For the tests of what other programs have written: a motion that was read, held to every rule
 * that src/import/motion.h states, and its values frame by frame. */
#ifndef OSSA_TEST_MOTIONS_H
#define OSSA_TEST_MOTIONS_H

#include "support/testing.h"
#include "import/motion.h"

/* Read BVH or the JSON of a scene. */
typedef struct ossa__motion *motion_reader(struct ossa__context *context, const uint8_t *data,
                                           size_t size);
struct ossa__motion *read_as_bvh(struct ossa__context *context, const uint8_t *data, size_t size);

struct motion_file {
    struct ossa__context context;
    struct ossa__motion *motion; /* NULL: it was refused */
};

/* Read a copy that is gone afterwards; to be closed. */
void motion_open(struct motion_file *file, motion_reader *reader, const void *data, size_t size,
                 const ossa_options *options);
void motion_close(struct motion_file *file);
/* The same for what must be read. */
void motion_open_good(struct motion_file *file, const char *label, motion_reader *reader,
                      const struct bytes *bytes);

/* The node of that name; fails where there is none. */
uint32_t motion_node(const struct motion_file *file, const char *name);
/* NULL: the clip does not change it. */
const struct ossa__motion_curve *motion_curve(const struct ossa__motion_clip *clip, uint32_t node,
                                              enum ossa__motion_target target);
/* The key of a frame, or the only one. */
const float *motion_key(const struct ossa__motion_curve *curve, uint32_t frame);
/* A node in a frame of a clip; each curve must have a key for each frame, or one. */
void motion_local(const struct motion_file *file, const struct ossa__motion_clip *clip,
                  uint32_t frame, uint32_t node, double translation[3], double rotation[4],
                  double scale[3]);

/* Refused with just this. `field` NULL: whatever it is. */
void require_motion_refused(motion_reader *reader, const char *text, ossa_code code,
                            const char *field, const char *message);
/* Every beginning of the file, every byte changed, and every allocation failing: it is read by the
 * rules or refused with a reason, and nothing leaks. */
void require_motion_survives(const char *label, motion_reader *reader, const struct bytes *bytes);

#endif
