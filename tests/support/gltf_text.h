/* SPDX-License-Identifier: MIT
 *
 * glTF documents written by hand, and what is read from them. */
#ifndef OSSA_TEST_GLTF_TEXT_H
#define OSSA_TEST_GLTF_TEXT_H

#include "import/motion.h"
#include "support/counting.h"
#include "support/testing.h"

/* A file that was read. */
struct gltf_reading {
    struct ossa__context context;
    struct issue_log log;
    struct counting counting; /* may be told to fail before */
    uint64_t max_memory;      /* 0: the default */
    struct ossa__motion *motion;
    /* The file beside it; NULL: there is none. Without a name, it has all names. */
    const char *beside_name;
    const struct bytes *beside;
    unsigned fetches;
};

/* From a copy of the bytes that is gone afterwards. NULL after a failure. To be freed in any case.
 */
struct ossa__motion *gltf_read(struct gltf_reading *reading, const void *data, size_t size);
void gltf_free(struct gltf_reading *reading);

/* A text with ' in place of ". */
struct bytes gltf_quote(const char *text);
/* A GLB of such a text; `bin` may be NULL. */
struct bytes gltf_glb(const char *text, const struct bytes *bin);
/* The same, read; fails the test where that fails. */
struct ossa__motion *gltf_read_text(struct gltf_reading *reading, const char *text,
                                    const struct bytes *bin);

/* Must be refused at that field with that message. */
void gltf_require_refusal(const char *text, const struct bytes *bin, const char *field,
                          const char *message);

/* The start of each document. */
#define GLTF_ASSET "'asset':{'version':'2.0'}"

/* What is promised of all that is read. */
void gltf_require_sound(const struct ossa__motion *motion);
/* Equal to the last bit. */
void gltf_require_floats(const float *found, const float *wanted, size_t count);
/* Issue `index` of the reading must be this remark. */
void gltf_require_remark(const struct gltf_reading *reading, size_t index, const char *field,
                         const char *message);

#endif
