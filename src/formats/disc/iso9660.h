/* SPDX-License-Identifier: MIT
 *
 * What the parts of the format iso9660 share. */
#ifndef OSSA_DISC_ISO9660_H
#define OSSA_DISC_ISO9660_H

#include "archive/entries.h"
#include "formats/disc/sectors.h"

/* ---- records (iso9660_record.c) ------------------------------------------------------------ */

enum {
    OSSA__ISO_RECORD = 33,        /* bytes before the name */
    OSSA__ISO_FOLDER = 0x02,      /* flags */
    OSSA__ISO_CONTINUES = 0x80,   /* the next record has more of the same file */
    OSSA__ISO_LONGEST_NAME = 222, /* bytes that a record of 255 has left for a name */
    /* of it as UTF-8, with a NUL or a separator */
    OSSA__ISO_NAME_CAPACITY = 3 * OSSA__ISO_LONGEST_NAME + 1,
};

/* A directory record. */
struct ossa__iso_record {
    uint64_t offset;   /* of itself in the image */
    uint64_t position; /* of the data, behind its extended attributes */
    uint32_t size;
    uint8_t flags;
    bool is_interleaved;
    uint16_t attributes; /* of CD-ROM XA; 0: none */
    bool has_time;
    uint32_t time;
    const uint8_t *name;
    uint8_t name_size;
};

/* Read the record at `bytes`, of which `room` are there; false: it is damaged. The record's offset
 * must be set. Numbers whose two byte orders differ are reported. */
bool ossa__iso_read_record(struct ossa__context *context, const uint8_t *bytes, uint32_t room,
                           struct ossa__iso_record *record);

/* The name as UTF-8 without version and trailing dot, terminated, and its size. It is one name in
 * any case: characters that are none of a file's are replaced, and `is_odd` is set. */
size_t ossa__iso_name(const struct ossa__iso_record *record, bool is_joliet,
                      char text[OSSA__ISO_NAME_CAPACITY], bool *is_odd);

/* Report a number that is stored in both byte orders if they differ. */
uint32_t ossa__iso_both(struct ossa__context *context, const uint8_t *bytes, uint64_t offset,
                        const char *field);

/* ---- descriptors (iso9660_volume.c) -------------------------------------------------------- */

struct ossa__iso_volume {
    char system_id[3 * 32 + 1];
    char volume_id[3 * 32 + 1];
    bool is_joliet;
    bool is_xa;
    uint64_t sector_count;        /* that it says it has */
    uint64_t descriptor_end;      /* the first sector behind the descriptors */
    struct ossa__iso_record root; /* without a name */
};

/* False after a failure. */
bool ossa__iso_read_volume(struct ossa__context *context, const struct ossa__sectors *sectors,
                           struct ossa__iso_volume *volume);

/* ---- files (iso9660_tree.c) ---------------------------------------------------------------- */

/* Why a file is listed and cannot be read. */
enum ossa__iso_refusal {
    OSSA__ISO_READABLE,
    OSSA__ISO_OUTSIDE,     /* the image */
    OSSA__ISO_FORM_2,      /* sound or film */
    OSSA__ISO_AUDIO,       /* a track of the CD */
    OSSA__ISO_INTERLEAVED, /* with other files */
};

/* A piece of a file. Pieces are never empty. */
struct ossa__iso_extent {
    uint64_t begin; /* in the file */
    uint64_t position;
};

struct ossa__iso_file {
    uint32_t first_extent;
    uint32_t extent_count;
    enum ossa__iso_refusal refusal;
};

struct ossa__iso {
    struct ossa__sectors sectors;
    struct ossa__iso_volume volume;
    uint32_t count; /* of files */
    const ossa_entry *entries;
    const struct ossa__iso_file *files;
    const struct ossa__iso_extent *extents;
};

/* List all files; false after a failure. */
bool ossa__iso_read_tree(struct ossa__context *context, struct ossa__iso *iso);

/* The end of a piece in its file. */
static inline uint64_t ossa__iso_extent_end(const struct ossa__iso *iso, uint32_t file,
                                            uint32_t extent)
{
    const struct ossa__iso_file *it = &iso->files[file];
    bool is_last = extent + 1 == it->first_extent + it->extent_count;
    return is_last ? iso->entries[file].size : iso->extents[extent + 1].begin;
}

/* ---- checksums (iso9660_verify.c) ---------------------------------------------------------- */

void ossa__iso_verify(struct ossa__context *context, const void *contents);

#endif
