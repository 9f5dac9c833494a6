/* SPDX-License-Identifier: MIT
 *
 * For the tests of vib-pak: archives made plainly, without the library's code. */
#ifndef OSSA_TEST_PAK_FIXTURE_H
#define OSSA_TEST_PAK_FIXTURE_H

#include "support/byte_list.h"

enum { PAK_KNOWN = 16 }; /* entries whose places are noted */

struct pak_item {
    const char *name;
    const void *data;
    size_t size;
};

struct pak_plan {
    const struct pak_item *items;
    size_t count;
    size_t alignment; /* 0: 4 */
    uint8_t padding;  /* what it is filled with, behind data */
    size_t gap;       /* bytes of padding more before each entry */
};

/* Where things came to stand. */
struct pak_places {
    size_t offset[PAK_KNOWN]; /* in the table */
    size_t entry[PAK_KNOWN];
    size_t length[PAK_KNOWN];
    size_t data[PAK_KNOWN];
};

struct bytes make_pak(const struct pak_plan *plan, struct pak_places *places);

#endif
