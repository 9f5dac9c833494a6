/* SPDX-License-Identifier: MIT
 *
 * Animation databases, for the fixtures of ei-adb and the tests of scenes. */
#ifndef OSSA_TEST_ADB_FIXTURE_H
#define OSSA_TEST_ADB_FIXTURE_H

#include "support/byte_list.h"

/* The rest of a record is the same in all: see gen_ei_adb.c. */
struct adb_record {
    const char *name;
    uint32_t probability;
    uint32_t duration;
    float speed;
    uint32_t hit_frame;
    uint32_t stage;
};

/* A database of no records, and one more in it; gives where it stands. */
struct bytes begin_adb(const char *model);
size_t add_adb_record(struct bytes *file, const struct adb_record *record);

#endif
