/* SPDX-License-Identifier: MIT
 *
 * For the tests of sotc-nico: archives made plainly, without the library's code. */
#ifndef OSSA_TEST_NICO_FIXTURE_H
#define OSSA_TEST_NICO_FIXTURE_H

#include "support/byte_list.h"

enum {
    NICO_SECTOR = 2048,
    NICO_SEGMENTS_AT = 0x10,
    NICO_POOL_AT = 0x18,
};

/* A file with its path. The bytes stay the caller's. */
struct nico_file {
    const char *path;
    struct bytes bytes;
};

/* One record and its file, at the end of `out`; returns the offset of the file. */
size_t put_sheet_record(struct bytes *out, const struct nico_file *file);
size_t put_cell_record(struct bytes *out, const struct nico_file *file);

/* A whole sheet segment, in which the first primary file has the others as its resources; and a
 * whole cell. */
struct nico_sheet {
    const struct nico_file *primary;
    size_t primary_count;
    const char *group;
    const struct nico_file *resources;
    size_t resource_count;
};
struct bytes make_sheet(const struct nico_sheet *sheet);
struct bytes make_cell(const struct nico_file *files, size_t count);

/* A directory and the parts that it leads to, each at the start of a sector: sheets, of which the
 * last `localised` are localised, then cells of the world. It takes over none of the parts. */
struct nico_plan {
    const struct bytes *sheets;
    size_t sheet_count;
    size_t localised;
    const struct bytes *cells;
    size_t cell_count;
};
struct nico_places {
    size_t reference; /* of the first part, in the directory */
    size_t end;       /* of the directory */
    size_t sheets;    /* the first of them */
    size_t cells;
};
struct bytes make_nico(const struct nico_plan *plan, struct nico_places *places);

/* Small containers: an animation of the game's kind that calls itself `name`; and one whose data
 * begins with these 4 bytes. */
struct bytes make_nico_animation(const char *name, uint32_t seed);
struct bytes make_nico_container(const char *word);

#endif
