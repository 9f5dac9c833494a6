/* SPDX-License-Identifier: MIT
 *
 * Inputs of any size, one or more per format, of the kinds that cost the most: many small things,
 * one large thing, deep and wide trees, bytes that many entries share. */
#ifndef OSSA_TEST_LIMITS_SHAPES_H
#define OSSA_TEST_LIMITS_SHAPES_H

#include <stddef.h>

/* What the tool can do with an input, besides info and check. */
enum {
    CAN_DUMP = 1,     /* fields, dump, build */
    CAN_ASSEMBLE = 2, /* pose, convert to glTF, BVH, CSV and JSON, import */
    CAN_PAINT = 4,    /* convert to PNG */
    CAN_LIST = 8,     /* list, extract, convert --all */
    CAN_PACK = 16,    /* pack what was extracted */
    CAN_GROUP = 32,   /* list --figures */
    CAN_SHARE = 128,  /* convert --all on many threads */
    CAN_RETIME = 64,  /* import of the file over the folder "over", with other frames */
};

struct shape {
    const char *name;
    const char *file; /* the one that fields, dump and list are called with; NULL: the folder */
    unsigned can;
    /* Write files of about `size` bytes in all. */
    void (*make)(const char *folder, size_t size);
};

extern const struct shape shapes[];
extern const size_t shape_count;

#endif
