/* SPDX-License-Identifier: MIT
 *
 * The parts of sotc-nico: path records, and the directory with what it leads to. */
#ifndef OSSA_SOTC_NICO_H
#define OSSA_SOTC_NICO_H

#include "formats/shadow_of_the_colossus/sotc_scan.h"

enum {
    OSSA__NICO_MOST_PATH = 1024, /* bytes of a path with its NUL; the game's have about 30 */
    OSSA__NICO_SECTOR = 2048,
};

/* ---- path records (sotc_paths.c) ----------------------------------------------------------- */

/* The path right before a container. */
struct ossa__nico_path {
    uint64_t record; /* offset of the first number of the record */
    uint32_t size;   /* of the path with its NUL */
    bool is_cell;
    char text[OSSA__NICO_MOST_PATH];
};

/* False: no record before `at` fits a container of this size. */
bool ossa__nico_path_before(struct ossa__sotc_view *view, uint64_t at, uint32_t stated_size,
                            struct ossa__nico_path *path);
/* Can these bytes be a path with its NUL? */
bool ossa__nico_is_path(const uint8_t *bytes, size_t size);

/* ---- the directory (sotc_directory.c) ------------------------------------------------------ */

/* A part of the archive that the directory leads to. */
struct ossa__nico_part {
    uint64_t offset;
    uint64_t size;
};

enum ossa__nico_state {
    OSSA__NICO_NO_DIRECTORY,
    OSSA__NICO_BAD_DIRECTORY, /* it begins like one, but not every number fits */
    OSSA__NICO_DIRECTORY,
};

struct ossa__nico_directory {
    enum ossa__nico_state state;
    uint64_t end;        /* of the directory; or where the number is that does not fit */
    uint64_t part_count; /* inside the file */
    uint64_t lost_count; /* behind its end */
};

/* Read the directory, and hand over each part that is inside the file (NULL: nothing). Parts may be
 * in any order, the same, or overlap. */
typedef void ossa__nico_take_part(void *user, const struct ossa__nico_part *part);
struct ossa__nico_directory ossa__nico_read_directory(struct ossa__sotc_view *view,
                                                      ossa__nico_take_part *take, void *user);

/* A file in a part. */
struct ossa__nico_record {
    const char *path;
    uint32_t path_size; /* with the NUL */
    uint64_t offset;    /* of its bytes */
    uint32_t size;
};

/* Hand over the files of a part, until `take` returns false. False: it is neither a sheet segment
 * nor a cell of which all numbers fit, and nothing was handed over. */
typedef bool ossa__nico_take_record(void *user, const struct ossa__nico_record *record);
bool ossa__nico_walk_part(struct ossa__sotc_view *view, const struct ossa__nico_part *part,
                          ossa__nico_take_record *take, void *user);

/* ---- the archive (sotc_nico_read.c) -------------------------------------------------------- */

/* What `read` makes. Entries are in the order of offsets. */
struct ossa__nico {
    ossa_source source;
    const uint8_t *image; /* NULL: the source has it */
    const ossa_entry *entries;
    const struct ossa__entry_hint *hints;
    size_t count;
    size_t nameless;     /* entries without a path */
    uint64_t part_count; /* that the directory leads to and that can be read; 0: none is used */
    bool is_partial;     /* only what lies at one offset was looked for */
    bool has_index;      /* entries come from one and are checked when they are read */
};

/* Are these raw sectors of a disc, in which files are in pieces? */
bool ossa__nico_is_raw(struct ossa__sotc_view *view);

/* NULL after a failure. `image` may be NULL. */
struct ossa__nico *ossa__nico_read(struct ossa__context *context, const ossa_source *source,
                                   const uint8_t *image);

#endif
