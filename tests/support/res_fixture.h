/* SPDX-License-Identifier: MIT
 *
 * For the tests of ei-res: archives made plainly, step by step as the format's page says, and the
 * game's way of finding a name in one. Neither shares code with the library. */
#ifndef OSSA_TEST_RES_FIXTURE_H
#define OSSA_TEST_RES_FIXTURE_H

#include "support/byte_list.h"

#include <stdbool.h>

enum {
    RES_HEADER = 16,
    RES_RECORD = 22,
    RES_KNOWN = 16, /* entries whose places are noted */
};

/* Where the fields of a record are. */
enum { RES_NEXT = 0, RES_SIZE = 4, RES_OFFSET = 8, RES_TIME = 12, RES_NAME = 16, RES_NAME_AT = 18 };

struct res_item {
    const char *name; /* code page 1251 */
    size_t name_size; /* 0: up to its NUL */
    const void *data;
    size_t size;
    uint32_t time;
};

struct res_plan {
    const struct res_item *items;
    size_t count;
    size_t alignment; /* 0: 16 */
    uint8_t padding;  /* what it is filled with */
    size_t gap;       /* bytes of padding more before each entry's data */
    bool table_first; /* right behind the header */
};

/* Where things came to stand: of the items in the order of the plan. */
struct res_places {
    size_t table;
    size_t names;
    size_t data[RES_KNOWN];
    size_t record[RES_KNOWN];
    size_t name[RES_KNOWN];
};

struct bytes make_res(const struct res_plan *plan, struct res_places *places);

/* The slot in which the game finds a name, -1 where it finds none, -2 when it never ends. */
int64_t res_lookup(const struct bytes *archive, const char *name, size_t name_size);

#endif
