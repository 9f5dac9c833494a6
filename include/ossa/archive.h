/* SPDX-License-Identifier: MIT */
/** @file
 * Archives: files that contain files.
 *
 * An archive is read like any other file, with ossa_read. These functions list its entries and
 * return their bytes, which may be an archive again.
 *
 *     for (size_t i = 0; i < ossa_entry_count(archive); i++) {
 *         ossa_bytes bytes;
 *         if (!ossa_entry_bytes(archive, i, NULL, &bytes, &error)) continue;
 *         ... ossa_entry_at(archive, i)->name, bytes.data, bytes.size ...
 *         ossa_bytes_free(&bytes);
 *     }
 *
 * Entry names come from the archive, and it can contain anything: `..`, absolute paths, duplicates.
 * Display and compare them, but never open a file by such a name: ossa_entry_path makes a safe
 * one. */
#ifndef OSSA_ARCHIVE_H
#define OSSA_ARCHIVE_H

#include "ossa/file.h"

OSSA_BEGIN

/** One entry of an archive. */
typedef struct ossa_entry {
    const char *name;     /**< UTF-8, as stored; folders end in / or \ */
    uint64_t offset;      /**< of the stored bytes in the archive */
    uint64_t stored_size; /**< number of stored bytes */
    uint64_t size;        /**< number of bytes after unpacking; `stored_size` if not packed */
    bool is_packed;
    bool is_missing; /**< the bytes cannot be read: mostly they are not all in the archive, which is
                      * damaged; ossa_entry_bytes says why */
    bool has_time;
    uint32_t time; /**< seconds since 1970 */
} ossa_entry;

/** The number of entries; 0 for a file that is not an archive. */
OSSA_API size_t ossa_entry_count(const ossa_file *archive);
/** An entry, in the archive's own order; NULL if `index` is out of range. */
OSSA_API const ossa_entry *ossa_entry_at(const ossa_file *archive, size_t index);

/** The index of the first entry with this name, ignoring letter case and treating / and \ as the
 * same; -1 if there is none. */
OSSA_API int64_t ossa_find_entry(const ossa_file *archive, const char *name);

/** Bytes that may be part of an archive's own. */
typedef struct ossa_bytes {
    const uint8_t *data;
    size_t size;
    void *owned; /**< what ossa_bytes_free releases; NULL: the bytes belong to the archive */
    ossa_allocator allocator;
} ossa_bytes;

/** Get the bytes of an entry. They are valid until ossa_bytes_free, and no longer than the archive
 * and the bytes that the archive was read from. Fails for a missing entry. Only two options are
 * used: `max_input`, which limits the unpacked size, and `allocator`. */
OSSA_API bool ossa_entry_bytes(const ossa_file *archive, size_t index, const ossa_options *options,
                               ossa_bytes *bytes, ossa_error *error);
/** Free the bytes of an entry. NULL is allowed. */
OSSA_API void ossa_bytes_free(ossa_bytes *bytes);

/** Read `size` bytes at `offset` of an entry, for entries that are larger than memory. Fails for a
 * missing or packed entry, and outside its size. */
OSSA_API bool ossa_entry_read(const ossa_file *archive, size_t index, uint64_t offset, void *bytes,
                              size_t size);

/** Check the bytes of all entries where the archive has checksums of its own: so far, the sectors
 * of raw disc images. What is damaged is reported to `on_issue` and `on_group` of the options, by
 * entry. Reads the whole archive. Fails if that cannot be done; damage is not a failure. */
OSSA_API bool ossa_verify(const ossa_file *archive, const ossa_options *options, ossa_error *error);

/** Turn a name into a file name that is valid on every system.
 *
 * These become _: separators, control characters, invalid UTF-8, characters that Windows forbids, a
 * dot at the start or after another dot, and a dot or space at the end. A device name gets a _ in
 * front, an empty name becomes "unnamed", and a name is cut to 200 bytes, never inside a character.
 * `text` is truncated to `capacity` and always terminated. Returns the untruncated length. */
OSSA_API size_t ossa_file_name(const char *name, char *text, size_t capacity);

/** Turn a name into a relative path with / between folders, each cleaned as by ossa_file_name. The
 * path cannot leave the folder it is appended to: no drive, no `..`, not absolute. */
OSSA_API size_t ossa_entry_path(const char *name, char *text, size_t capacity);

/* ---- archives that are not in memory --------------------------------------------------------- */

/** Where bytes come from. */
typedef struct ossa_source {
    /** Read exactly `size` bytes at `offset`, or return false. Called from every thread that asks
     * for an entry, possibly from several at once. */
    bool (*read_at)(void *user, uint64_t offset, void *bytes, size_t size);
    void *user;
    uint64_t size; /**< total number of bytes */
} ossa_source;

/** Like ossa_read, but reads large archives in parts.
 *
 * Of an Evil Islands archive, and of a Midtown Madness archive other than a ZIP, only the table is
 * read at first, and the bytes of an entry on request, so that memory does not grow with the size
 * of the archive (address space does, and counts towards options.max_memory). Files of other
 * formats are read completely.
 *
 * Functions that need the complete archive read it on first use, which must not happen on several
 * threads at once: ossa_write, ossa_dump, and ossa_as_ei_res and ossa_as_mm_ar, which return NULL
 * if it fails. The source must stay valid until ossa_file_free. */
OSSA_API ossa_file *ossa_read_from(const ossa_source *source, const ossa_options *options,
                                   ossa_error *error);

/** Write an index of an archive that had to be searched (Shadow of the Colossus' NICO.DAT): the
 * offsets, sizes, names and formats of its entries. Keep it beside the archive, and set
 * options.index when you read the archive again.
 *
 * The index states the size of the archive and a checksum of both its ends and of pieces between
 * them, which are compared before it is used; and every entry is checked when its bytes are read.
 * Fails with OSSA_CODE_BAD_ARGUMENT for an archive with a table of its own. */
OSSA_API bool ossa_write_index(const ossa_file *archive, ossa_sink sink, ossa_error *error);

/* ---- packing ------------------------------------------------------------------------------- */

/** A file to put into an archive. */
typedef struct ossa_packing {
    const char *name; /**< UTF-8 */
    const uint8_t *data;
    uint64_t size;
    uint32_t time; /**< seconds since 1970; 0: none */
} ossa_packing;

/** The format of the archive that a file of this name would be, among those that can be packed.
 * NULL: the name does not tell. */
OSSA_API const ossa_format *ossa_packing_format(const char *name);

/** Which of several kinds of archive of its format this one is, as options.dialect of ossa_pack;
 * NULL: its format has only one. */
OSSA_API const char *ossa_packing_dialect(const ossa_file *archive);

/** Write a new archive with these entries. The format must have OSSA_ABILITY_PACK. Of the options,
 * `dialect` ("ares", "dave" or "zip" for mm-ar; NULL: "zip"), `max_input` and `allocator` are used.
 * To change an archive, see ossa_workspace_replace. */
OSSA_API bool ossa_pack(const char *format, const ossa_packing *entries, size_t count,
                        const ossa_options *options, ossa_sink sink, ossa_error *error);

OSSA_END

#endif
