/* SPDX-License-Identifier: MIT
 *
 * Archives: files that hold files. One is read like any other file (ossa_read); if its format is an
 * archive's, these calls list what is in it and give the bytes, which may be an archive again.
 *
 * Names are what the archive says, and an archive may say anything: `..`, an absolute path, a name
 * twice. Look at them, compare them, but do not open a file of that name: ossa_entry_path makes one
 * that is safe. */
#ifndef OSSA_ARCHIVE_H
#define OSSA_ARCHIVE_H

#include "ossa/file.h"

OSSA_BEGIN

typedef struct ossa_entry {
    const char *name;     /* UTF-8, as stored; folders end in / or \ */
    uint64_t offset;      /* of its bytes in the archive */
    uint64_t stored_size; /* of those */
    uint64_t size;        /* unpacked; the same as `stored_size` where nothing is packed */
    bool is_packed;
    bool is_missing; /* the archive is damaged: these bytes are not, or not all, in it */
    bool has_time;
    uint32_t time; /* seconds since 1970 */
} ossa_entry;

/* What is in an archive, in its own order; none for any other file. */
OSSA_API size_t ossa_entry_count(const ossa_file *archive);
OSSA_API const ossa_entry *ossa_entry_at(const ossa_file *archive, size_t index); /* NULL: past */

/* The entry of that name, the case of letters ignored and / the same as \; -1: there is none. The
 * first of several. */
OSSA_API int64_t ossa_find_entry(const ossa_file *archive, const char *name);

/* Bytes that may lie in an archive's own. */
typedef struct ossa_bytes {
    const uint8_t *data;
    size_t size;
    void *owned; /* to be freed; NULL: they lie in the archive's bytes */
    ossa_allocator allocator;
} ossa_bytes;

/* The bytes of an entry: good as long as the archive and the bytes it was read from, and until
 * ossa_bytes_free. Asking for those of a missing one fails. Of the options only `max_input` (for
 * what is unpacked) and `allocator` count. */
OSSA_API bool ossa_entry_bytes(const ossa_file *archive, size_t index, const ossa_options *options,
                               ossa_bytes *bytes, ossa_error *error);
OSSA_API void ossa_bytes_free(ossa_bytes *bytes);

/* A name as that of one file, on any system. What becomes _: separators, control characters, what
 * is no UTF-8, what Windows forbids, a dot in front or behind another one, a dot or space at the
 * end. A device's name gets a _ before it, no name becomes "unnamed", and what is longer than 200
 * bytes is cut. Nothing is cut inside a character. Cut to fit and always terminated; gives the
 * length it wanted to have. */
OSSA_API size_t ossa_file_name(const char *name, char *text, size_t capacity);

/* A name as a relative path with / between folders, each cleaned as above, so that it leads nowhere
 * but below the folder it is put behind: no drive, no `..`, not absolute. */
OSSA_API size_t ossa_entry_path(const char *name, char *text, size_t capacity);

/* ---- archives that are not in memory --------------------------------------------------------- */

/* Where bytes come from: `size` of them at `offset`, all or false. It is called from every thread
 * that asks for an entry, so it must not mind several at once if they do. */
typedef struct ossa_source {
    bool (*read_at)(void *user, uint64_t offset, void *bytes, size_t size);
    void *user;
    uint64_t size; /* of all there is */
} ossa_source;

/* The same as ossa_read, but of an archive of Evil Islands, and of Midtown Madness unless it is a
 * ZIP, only the table is read, and the bytes of an entry when somebody asks for them: the memory
 * does not go with the size of the archive (addresses do, which options.max_memory counts). Files
 * of other formats are read whole. What needs all of such an archive reads it the first time, which
 * only one thread may do: ossa_write, ossa_dump, and ossa_as_ei_res and ossa_as_mm_ar, which are
 * NULL when that fails. The source must stay until ossa_file_free. */
OSSA_API ossa_file *ossa_read_from(const ossa_source *source, const ossa_options *options,
                                   ossa_error *error);

/* ---- packing ------------------------------------------------------------------------------- */

typedef struct ossa_packing {
    const char *name; /* UTF-8 */
    const uint8_t *data;
    uint64_t size;
    uint32_t time; /* 0: none */
} ossa_packing;

/* The format of an archive of that name that can be made; NULL: the name does not say. */
OSSA_API const ossa_format *ossa_packing_format(const char *name);

/* An archive of that format (OSSA_ABILITY_PACK) with these entries. */
OSSA_API bool ossa_pack(const char *format, const ossa_packing *entries, size_t count,
                        const ossa_options *options, ossa_sink sink, ossa_error *error);

OSSA_END

#endif
