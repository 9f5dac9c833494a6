/* SPDX-License-Identifier: MIT
 *
 * What the modules of archives have in common: names, the order of things that lie anywhere in a
 * file, the bytes between them, and the table that people see. */
#ifndef OSSA_ARCHIVE_ENTRIES_H
#define OSSA_ARCHIVE_ENTRIES_H

#include "codec/format.h"
#include "archive/runs.h"

enum {
    /* Names may share bytes, which no good archive has them do: so much more than the file they may
     * be together, or the memory for them would have no bounds. */
    OSSA__MOST_NAMES = 4,
};

/* ---- names --------------------------------------------------------------------------------- */

/* Characters of a code page of single bytes; -1 where it has none. */
typedef uint32_t ossa__to_unicode(uint8_t byte);
typedef int ossa__from_unicode(uint32_t character);

/* Latin-1: the first 256 characters of Unicode. */
uint32_t ossa__latin_to_unicode(uint8_t byte);
int ossa__latin_from_unicode(uint32_t character);

/* A stored name as UTF-8, terminated. A NUL in it, which would end the text, becomes U+2400 (a
 * picture of it, in no code page). Gives the bytes with the closing NUL; `text` may be NULL. */
size_t ossa__name_text(const void *bytes, size_t size, ossa__to_unicode *unicode, char *text);
/* The other way, into the arena; NULL after a failure. `page` is for refusals. */
uint8_t *ossa__name_bytes(struct ossa__context *context, const char *name,
                          ossa__from_unicode *byte_of, const char *page, size_t *size);

/* A name short enough to print, without characters that a terminal obeys. */
struct ossa__shown {
    char text[64];
};
struct ossa__shown ossa__show_name(const char *name);

/* For each name the index of the first that `compare` takes for the same: its own, mostly. In
 * scratch memory; NULL after a failure. */
typedef int ossa__name_order(const char *a, const char *b);
const uint32_t *ossa__first_of_names(struct ossa__context *context, const char *const *names,
                                     uint32_t count, ossa__name_order *compare);
/* Of entries to be packed the first whose name one before it has, and which that is; false where
 * there is none, or after a failure. */
bool ossa__find_double(struct ossa__context *context, const ossa_packing *entries, uint32_t count,
                       ossa__name_order *compare, uint32_t *index, uint32_t *before);

/* ---- places -------------------------------------------------------------------------------- */

static inline uint64_t ossa__align(uint64_t offset, uint64_t alignment)
{
    return (offset + alignment - 1) / alignment * alignment;
}

/* Where something is in the file. */
struct ossa__place {
    uint64_t offset;
    uint64_t rank; /* goes before the index where offsets are equal */
    uint32_t index;
};
/* Sort by offset, rank and index; false after a failure. */
bool ossa__sort_places(struct ossa__context *context, struct ossa__place *places, uint32_t count);

/* Places of one kind, of which there may be hundreds: counted, and the first of them listed. */
enum { OSSA__SHOWN_PLACES = 4 };
struct ossa__few_places {
    uint64_t count;
    uint64_t bytes; /* of all of them */
    uint64_t offsets[OSSA__SHOWN_PLACES];
    char text[OSSA__SHOWN_PLACES * 24];
};
void ossa__note_place(struct ossa__few_places *places, uint64_t offset, uint64_t size);
/* "0x10, 0x40, ..." */
const char *ossa__list_places(struct ossa__few_places *places);

/* Report bytes that nothing uses and that are no padding: zeros before a multiple of `alignment`,
 * which is at most OSSA__MOST_ALIGNMENT. Gaps are one issue of that severity; what follows the last
 * byte in use is a warning. */
enum { OSSA__MOST_ALIGNMENT = 64 };
void ossa__check_unused(struct ossa__runs *used, const uint8_t *image, uint64_t alignment,
                        ossa_severity severity);

/* The bytes of an entry as they are stored, for ossa_bytes_free: a piece of the archive's own, or
 * read from where they are with memory of the allocator in `bytes`. */
enum ossa__stored { OSSA__STORED, OSSA__STORED_NO_MEMORY, OSSA__STORED_UNREAD };
enum ossa__stored ossa__stored_bytes(const struct ossa__listing *listing, const ossa_entry *entry,
                                     ossa_bytes *bytes);
/* The same, a failure told; false after one. */
bool ossa__stored_or_fail(struct ossa__context *context, const struct ossa__listing *listing,
                          const ossa_entry *entry, ossa_bytes *bytes);

/* What an archive knows of an entry without reading it; NULL: nothing. */
const struct ossa__entry_hint *ossa__entry_hint_of(const ossa_file *archive, size_t index);

/* ---- for people ---------------------------------------------------------------------------- */

/* "2000-10-26 09:30:00", in UTC. */
struct ossa__date {
    char text[24];
};
struct ossa__date ossa__date_of(uint32_t seconds);

/* How many entries, their bytes, and a table of the first ones. */
void ossa__report_entries(struct ossa__report *report, const struct ossa__listing *listing);

#endif
