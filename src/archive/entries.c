/* SPDX-License-Identifier: MIT */
#include "archive/entries.h"

#include "codec/sort.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- names --------------------------------------------------------------------------------- */

uint32_t ossa__latin_to_unicode(uint8_t byte)
{
    return byte;
}

int ossa__latin_from_unicode(uint32_t character)
{
    return character <= UINT8_MAX ? (int)character : -1;
}

size_t ossa__name_text(const void *bytes, size_t size, ossa__to_unicode *unicode, char *text)
{
    enum { PICTURE_OF_NUL = 0x2400 };
    const uint8_t *name = bytes;
    size_t used = 0;
    for (size_t i = 0; i < size; i++) {
        char encoded[4];
        uint32_t character = name[i] == 0 ? PICTURE_OF_NUL : unicode(name[i]);
        size_t length = ossa__utf8_encode(character, encoded);
        if (text != NULL) memcpy(text + used, encoded, length);
        used += length;
    }
    if (text != NULL) text[used] = '\0';
    return used + 1;
}

uint8_t *ossa__name_bytes(struct ossa__context *context, const char *name,
                          ossa__from_unicode *byte_of, const char *page, size_t *size)
{
    size_t length = strlen(name);
    uint8_t *bytes = ossa__take(context, length, 1); /* never more than in UTF-8 */
    *size = 0;
    if (bytes == NULL) return NULL;
    for (size_t i = 0; i < length;) {
        uint32_t character;
        size_t used = ossa__utf8_decode(name + i, length - i, &character);
        bool is_broken = character == 0xfffd && used == 1;
        int byte = is_broken ? -1 : byte_of(character);
        if (is_broken) {
            ossa__fail_nowhere(context, OSSA_CODE_BAD_VALUE, "name", "'%s' is not UTF-8",
                               ossa__show_name(name).text);
        } else if (byte < 0) {
            ossa__fail_nowhere(context, OSSA_CODE_BAD_VALUE, "name",
                               "'%s': %s has no character U+%04" PRIX32
                               ", so the archive cannot hold this name",
                               ossa__show_name(name).text, page, character);
        }
        if (context->failed) return NULL;
        bytes[(*size)++] = (uint8_t)byte;
        i += used;
    }
    return bytes;
}

struct ossa__shown ossa__show_name(const char *name)
{
    static const char dots[] = "...";
    struct ossa__shown shown = {""};
    const size_t capacity = sizeof shown.text;
    size_t size = strlen(name);
    bool is_long = size >= capacity;
    size_t room = is_long ? capacity - sizeof dots : capacity - 1;
    size_t kept = 0;
    for (size_t i = 0; i < size;) {
        uint32_t character;
        size_t used = ossa__utf8_decode(name + i, size - i, &character);
        bool is_broken = character == 0xfffd && used == 1;
        bool is_control = character < 0x20 || (character >= 0x7f && character < 0xa0);
        bool is_bad = is_broken || is_control;
        size_t length = is_bad ? 1 : used;
        if (length > room - kept) break;
        memcpy(shown.text + kept, is_bad ? "?" : name + i, length);
        kept += length;
        i += used;
    }
    memcpy(shown.text + kept, is_long ? dots : "", is_long ? sizeof dots : 1);
    return shown;
}

/* What the sort of names has to know. */
struct naming {
    const char *const *names;
    ossa__name_order *compare;
};

static bool name_before(const void *a, const void *b, void *user)
{
    const struct naming *naming = user;
    const uint32_t *x = a;
    const uint32_t *y = b;
    return naming->compare(naming->names[*x], naming->names[*y]) < 0;
}

const uint32_t *ossa__first_of_names(struct ossa__context *context, const char *const *names,
                                     uint32_t count, ossa__name_order *compare)
{
    struct naming naming = {names, compare};
    uint32_t *first = ossa__take_scratch(context, count, sizeof *first);
    uint32_t *sorted = ossa__take_scratch(context, count, sizeof *sorted);
    if (sorted == NULL) return NULL;
    for (uint32_t i = 0; i < count; i++) sorted[i] = i;
    /* It is stable, so of equal names the first comes first. */
    if (!ossa__sort(context, sorted, count, sizeof *sorted, name_before, &naming)) return NULL;
    for (uint32_t i = 0; i < count; i++) {
        bool is_same = i > 0 && compare(names[sorted[i - 1]], names[sorted[i]]) == 0;
        first[sorted[i]] = is_same ? first[sorted[i - 1]] : sorted[i];
    }
    return first;
}

bool ossa__find_double(struct ossa__context *context, const ossa_packing *entries, uint32_t count,
                       ossa__name_order *compare, uint32_t *index, uint32_t *before)
{
    const char **names = ossa__take_scratch(context, count, sizeof *names);
    if (names == NULL) return false;
    for (uint32_t i = 0; i < count; i++) names[i] = entries[i].name;
    const uint32_t *first = ossa__first_of_names(context, names, count, compare);
    for (uint32_t i = 0; first != NULL && i < count; i++) {
        if (first[i] == i) continue;
        *index = i;
        *before = first[i];
        return true;
    }
    return false;
}

/* ---- places -------------------------------------------------------------------------------- */

static bool place_before(const void *a, const void *b, void *user)
{
    (void)user;
    const struct ossa__place *x = a;
    const struct ossa__place *y = b;
    if (x->offset != y->offset) return x->offset < y->offset;
    return x->rank != y->rank ? x->rank < y->rank : x->index < y->index;
}

bool ossa__sort_places(struct ossa__context *context, struct ossa__place *places, uint32_t count)
{
    return ossa__sort(context, places, count, sizeof *places, place_before, NULL);
}

/* False also where the bytes cannot be read, which is told. */
static bool is_padding(struct ossa__context *context, const uint8_t *image,
                       const struct ossa__gap_walk *gap, uint64_t alignment)
{
    uint8_t bytes[OSSA__MOST_ALIGNMENT];
    if (gap->size >= alignment || (gap->offset + gap->size) % alignment != 0) return false;
    if (!ossa__parts_peek(context->parts, image, gap->offset, bytes, (size_t)gap->size)) {
        return ossa__fail(context, OSSA_CODE_IO, gap->offset, "",
                          "%" PRIu64 " bytes could not be read", gap->size);
    }
    for (uint64_t i = 0; i < gap->size; i++) {
        if (bytes[i] != 0) return false;
    }
    return true;
}

void ossa__note_place(struct ossa__few_places *places, uint64_t offset, uint64_t size)
{
    if (places->count < OSSA__SHOWN_PLACES) places->offsets[places->count] = offset;
    places->count++;
    places->bytes += size;
}

const char *ossa__list_places(struct ossa__few_places *places)
{
    size_t used = 0;
    for (uint64_t i = 0; i < places->count && i < OSSA__SHOWN_PLACES; i++) {
        int n = snprintf(places->text + used, sizeof places->text - used, "%s0x%" PRIx64,
                         i == 0 ? "" : ", ", places->offsets[i]);
        if (n > 0) used += (size_t)n;
    }
    if (places->count > OSSA__SHOWN_PLACES) {
        (void)snprintf(places->text + used, sizeof places->text - used, ", ...");
    }
    return places->text;
}

void ossa__check_unused(struct ossa__runs *used, const uint8_t *image, uint64_t alignment,
                        ossa_severity severity)
{
    struct ossa__context *context = used->context;
    struct ossa__few_places gaps = {0};
    struct ossa__gap_walk tail = {0};
    for (struct ossa__gap_walk gap = {0}; ossa__runs_next_gap(used, &gap) && !context->failed;) {
        if (is_padding(context, image, &gap, alignment)) continue;
        if (gap.offset + gap.size == used->size) tail = gap;
        else ossa__note_place(&gaps, gap.offset, gap.size);
    }
    if (context->failed) return;
    if (gaps.count == 1) {
        ossa__issue(context, severity, OSSA_CODE_GAP, gaps.offsets[0], "",
                    "%" PRIu64 " bytes that nothing uses", gaps.bytes);
    } else if (gaps.count > 1) {
        ossa__issue(context, severity, OSSA_CODE_GAP, gaps.offsets[0], "",
                    "%" PRIu64 " gaps between the entries, %" PRIu64
                    " bytes that nothing uses; the first are at %s",
                    gaps.count, gaps.bytes, ossa__list_places(&gaps));
    }
    if (tail.size > 0) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_TRAILING_BYTES, tail.offset, "",
                    "%" PRIu64 " bytes that nothing uses, at the end of the file", tail.size);
    }
}

enum ossa__stored ossa__stored_bytes(const struct ossa__listing *listing, const ossa_entry *entry,
                                     ossa_bytes *bytes)
{
    const struct ossa__parts *parts = listing->parts;
    size_t size = (size_t)entry->stored_size; /* the reader has made sure that it lies inside */
    if (listing->read_entry != NULL && entry->stored_size >= SIZE_MAX) {
        return OSSA__STORED_NO_MEMORY;
    }
    if (listing->read_entry == NULL && (parts == NULL || parts->is_whole)) {
        bytes->data = listing->image + entry->offset;
        bytes->size = size;
        return OSSA__STORED;
    }
    /* With ossa_bytes_free in mind, which takes one more than `size` for what was asked for. */
    uint8_t *copy = bytes->allocator.allocate(bytes->allocator.user, size + 1);
    if (copy == NULL) return OSSA__STORED_NO_MEMORY;
    bytes->owned = copy;
    bytes->data = copy;
    bytes->size = size;
    bool ok = listing->read_entry != NULL
                  ? listing->read_entry(listing->contents, (size_t)(entry - listing->entries), 0,
                                        copy, size)
                  : ossa__parts_peek(parts, NULL, entry->offset, copy, size);
    if (ok) return OSSA__STORED;
    ossa_bytes_free(bytes);
    return OSSA__STORED_UNREAD;
}

bool ossa__stored_or_fail(struct ossa__context *context, const struct ossa__listing *listing,
                          const ossa_entry *entry, ossa_bytes *bytes)
{
    struct ossa__shown name = ossa__show_name(entry->name);
    switch (ossa__stored_bytes(listing, entry, bytes)) {
    case OSSA__STORED: return true;
    case OSSA__STORED_NO_MEMORY:
        return ossa__fail_nowhere(context, OSSA_CODE_OUT_OF_MEMORY, name.text,
                                  "no memory for %" PRIu64 " bytes", entry->stored_size);
    case OSSA__STORED_UNREAD:
        return ossa__fail(context, OSSA_CODE_IO, entry->offset, name.text,
                          "its %" PRIu64 " bytes could not be read from the archive",
                          entry->stored_size);
    }
    return false;
}

/* ---- for people ---------------------------------------------------------------------------- */

struct ossa__date ossa__date_of(uint32_t seconds)
{
    /* Years that begin in March, so that the leap day is the last one; 1970-01-01 is 719468 days
     * after the first of March of the year 0. */
    uint32_t days = seconds / 86400 + 719468;
    uint32_t rest = seconds % 86400;
    uint32_t era = days / 146097;
    uint32_t day = days % 146097;
    uint32_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    day -= 365 * year + year / 4 - year / 100;
    uint32_t month = (5 * day + 2) / 153; /* from March */
    day -= (153 * month + 2) / 5;
    struct ossa__date date;
    (void)snprintf(date.text, sizeof date.text,
                   "%04" PRIu32 "-%02" PRIu32 "-%02" PRIu32 " %02" PRIu32 ":%02" PRIu32
                   ":%02" PRIu32,
                   (400 * era + year + (month >= 10 ? 1 : 0)) % 10000, (month + 2) % 12 + 1,
                   day + 1, rest / 3600, rest / 60 % 60, rest % 60);
    return date;
}

/* The format of an entry's bytes, where one is sure enough of them. */
static const char *format_of(const ossa_entry *entry, const struct ossa__listing *listing)
{
    if (entry->is_missing) return "missing";
    if (entry->is_packed || entry->size == 0) return "";
    enum { LARGEST_PROBED = 1 << 20 }; /* of entries that must be fetched for it */
    const struct ossa__entry_hint *hints = listing->hints;
    if (hints != NULL && hints[entry - listing->entries].format != NULL) {
        return hints[entry - listing->entries].format->id;
    }
    ossa_options options = {.name = entry->name};
    ossa_guess guesses[2];
    ossa_bytes bytes = {.allocator = ossa__allocator_or_default((ossa_allocator){0})};
    if (listing->read_entry != NULL && entry->size > LARGEST_PROBED) return "";
    if (listing->parts != NULL) bytes.allocator = listing->parts->allocator;
    if (ossa__stored_bytes(listing, entry, &bytes) != OSSA__STORED) return "";
    size_t count = ossa_probe(bytes.data, bytes.size, &options, guesses, 2);
    ossa_bytes_free(&bytes);
    bool is_sure = count > 0 && guesses[0].confidence >= OSSA_CONFIDENCE_ARITHMETIC &&
                   (count == 1 || guesses[1].confidence < guesses[0].confidence ||
                    (ossa_format_fits_name(guesses[0].format, entry->name) &&
                     !ossa_format_fits_name(guesses[1].format, entry->name)));
    return is_sure ? guesses[0].format->id : "";
}

static void report_entry(struct ossa__report *report, const struct ossa__column *columns,
                         const ossa_entry *entry, const struct ossa__listing *listing)
{
    ossa__report_begin_row(report);
    ossa__report_cell_integer(report, &columns[0], (int64_t)entry->size);
    if (report->json != NULL && entry->has_time) {
        ossa__report_cell_integer(report, &columns[1], entry->time);
    } else if (report->json == NULL) {
        ossa__report_cell_text(report, &columns[1],
                               entry->has_time ? ossa__date_of(entry->time).text : "-");
    }
    const char *format = format_of(entry, listing);
    ossa__report_cell_text(report, &columns[2],
                           report->json == NULL && format[0] == '\0' ? "-" : format);
    ossa__report_cell_text(report, &columns[3],
                           report->json != NULL ? entry->name : ossa__show_name(entry->name).text);
    ossa__report_end_row(report);
}

void ossa__report_entries(struct ossa__report *report, const struct ossa__listing *listing)
{
    enum { SHOWN = 20 };
    static const struct ossa__column columns[] = {{"size", "size", 10},
                                                  {"time", "time", -19},
                                                  {"format", "format", -9},
                                                  {"name", "name", -1}};
    uint64_t bytes = 0;
    for (size_t i = 0; i < listing->count; i++) bytes += listing->entries[i].size;
    ossa__report_integer(report, "entries", "entries", listing->count);
    ossa__report_integer(report, "bytes", "bytes in them", bytes);
    if (listing->count == 0 && report->json == NULL) return;
    ossa__report_begin_table(report, "entry_table", columns, 4);
    for (size_t i = 0; i < listing->count && i < SHOWN; i++) {
        report_entry(report, columns, &listing->entries[i], listing);
    }
    ossa__report_end_table(report);
    if (listing->count > SHOWN) {
        ossa__report_note(report, "%zu more entries are not shown", listing->count - SHOWN);
    }
}
