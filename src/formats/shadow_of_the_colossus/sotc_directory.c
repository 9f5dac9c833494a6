/* SPDX-License-Identifier: MIT
 *
 * The directory at the start of NICO.DAT, and the parts of the archive that it leads to.
 *
 *     u32 unknown[4]; u32 segment_count; u32 pool_size; char pool[pool_size]   NUL-terminated names
 *     per segment: u32 ids; u16 map[ids]; u32 common; u32 localised;
 *                  (common + localised) times { u32 sector; u32 size }
 *     u32 worlds; per world: u32 name_size; char name[name_size]; u32 count[3];
 *                  per count two tables of { u32 sector; u32 size }
 *
 * Bit 15 of a map's item selects the localised ones, the other bits are the number among them. A
 * sector has 2048 bytes. One reader is all that this is known from, so the directory is used only
 * if every number fits, and each part only if its own numbers do. A part is a sheet segment
 *
 *     u32 count; count times { u32 unknown[2]; u32 primary_size; u32 secondary_size }
 *     count times: u32 path_size; u32 size; char path[]; the file              primary_size bytes
 *     per secondary_size > 0: u32 resources; u32 group_size; char group[];
 *         resources times { u32 unknown[2]; u32 path_size; u32 size; char path[]; the file }
 *
 * or a cell
 *
 *     u32 count; count times { u32 x, y, hash, path_size; char path[]; u32 size; the file } */
#include "formats/shadow_of_the_colossus/sotc_nico.h"

#include "base/bytes.h"

#include <string.h>

enum {
    UNKNOWN_WORDS = 4,
    MOST_SEGMENTS = 1 << 16,
    MOST_POOL = 32 << 10, /* the beginning of a file tells whether it may have one */
    MOST_DIRECTORY = 16 << 20,
    MOST_WORLDS = 16,
    WORLD_COUNTS = 3,
    WORLD_TABLES = 2,
    LOCALISED = 0x8000,
    REFERENCE_SIZE = 8,
    SHEET_ROW = 16,
    LEAST_CELL_FILE = 22, /* five numbers and a path of one character */
    BUFFER = 1024,
};

/* Reads numbers one after the other, through a small buffer. */
struct cursor {
    struct ossa__sotc_view *view;
    uint64_t at;
    uint64_t end;
    uint64_t buffer_at;
    size_t buffer_size;
    bool is_bad; /* something did not fit; sticks */
    uint8_t buffer[BUFFER];
};

static void cursor_start(struct cursor *c, struct ossa__sotc_view *view, uint64_t begin,
                         uint64_t end)
{
    c->view = view;
    c->at = begin;
    c->end = end;
    c->buffer_at = 0;
    c->buffer_size = 0;
    c->is_bad = false;
}

/* The next bytes, at most BUFFER, in the buffer; NULL: they do not fit. */
static const uint8_t *next_bytes(struct cursor *c, size_t size)
{
    if (c->is_bad || size > BUFFER || size > c->end - c->at) {
        c->is_bad = true;
        return NULL;
    }
    bool is_there = c->at >= c->buffer_at && c->at - c->buffer_at <= c->buffer_size &&
                    size <= c->buffer_size - (size_t)(c->at - c->buffer_at);
    if (!is_there) {
        uint64_t left = c->end - c->at;
        c->buffer_at = c->at;
        c->buffer_size = left < BUFFER ? (size_t)left : BUFFER;
        if (!ossa__sotc_get(c->view, c->at, c->buffer, c->buffer_size)) {
            c->buffer_size = 0;
            c->is_bad = true;
            return NULL;
        }
    }
    const uint8_t *bytes = c->buffer + (c->at - c->buffer_at);
    c->at += size;
    return bytes;
}

static uint32_t next_u32(struct cursor *c)
{
    const uint8_t *bytes = next_bytes(c, 4);
    return bytes == NULL ? 0 : ossa__load_u32(bytes);
}

static void skip(struct cursor *c, uint64_t size)
{
    if (c->is_bad || size > c->end - c->at) c->is_bad = true;
    else c->at += size;
}

/* ---- the directory ------------------------------------------------------------------------- */

struct reading {
    struct cursor cursor;
    struct ossa__nico_directory result;
    uint64_t first; /* offset of the first part */
    ossa__nico_take_part *take;
    void *user;
};

/* Names, each of which ends with a NUL. */
static bool read_names(struct cursor *c, uint32_t size, uint32_t most)
{
    uint8_t before = 0;
    uint64_t start = c->at;
    if (size == 0 || size > most) c->is_bad = true;
    for (uint32_t i = 0; i < size && !c->is_bad; i++) {
        const uint8_t *byte = next_bytes(c, 1);
        if (byte == NULL) break;
        before = *byte;
        if (before != 0 && (before < 0x20 || before >= 0x7f)) c->is_bad = true;
    }
    if (before != 0) c->is_bad = true;
    if (c->is_bad) c->at = start;
    return !c->is_bad;
}

/* The parts are read twice: those of a directory that does not fit are not handed over. */
static void read_references(struct reading *r, uint64_t count)
{
    struct cursor *c = &r->cursor;
    if (count > (c->end - c->at) / REFERENCE_SIZE) c->is_bad = true;
    for (uint64_t i = 0; i < count && !c->is_bad; i++) {
        struct ossa__nico_part part = {.offset = (uint64_t)OSSA__NICO_SECTOR * next_u32(c)};
        part.size = next_u32(c);
        if (c->is_bad || part.size == 0) continue;
        if (r->first == 0 || part.offset < r->first) r->first = part.offset;
        uint64_t size = c->view->source.size;
        if (part.offset > size || part.size > size - part.offset) {
            r->result.lost_count++;
            continue;
        }
        r->result.part_count++;
        if (r->take != NULL) r->take(r->user, &part);
    }
}

static void read_segment(struct reading *r)
{
    struct cursor *c = &r->cursor;
    uint32_t ids = next_u32(c);
    uint32_t least[2] = {0, 0}; /* how many there must be: common, localised */
    for (uint32_t i = 0; i < ids && !c->is_bad; i++) {
        const uint8_t *bytes = next_bytes(c, 2);
        if (bytes == NULL) break;
        uint16_t item = ossa__load_u16(bytes);
        uint32_t *needed = &least[(item & LOCALISED) != 0];
        uint32_t number = item & (LOCALISED - 1U);
        if (number >= *needed) *needed = number + 1;
    }
    uint32_t common = next_u32(c);
    uint32_t localised = next_u32(c);
    if (common < least[0] || localised < least[1]) c->is_bad = true;
    read_references(r, (uint64_t)common + localised);
}

static void read_world(struct reading *r)
{
    struct cursor *c = &r->cursor;
    uint32_t counts[WORLD_COUNTS];
    uint32_t size = next_u32(c);
    if (c->is_bad || !read_names(c, size, OSSA__NICO_MOST_PATH)) return;
    for (unsigned i = 0; i < WORLD_COUNTS; i++) counts[i] = next_u32(c);
    for (unsigned i = 0; i < WORLD_COUNTS; i++) {
        for (unsigned k = 0; k < WORLD_TABLES; k++) read_references(r, counts[i]);
    }
}

static void read_directory(struct reading *r)
{
    struct cursor *c = &r->cursor;
    uint64_t size = c->view->source.size;
    cursor_start(c, c->view, 0, size < MOST_DIRECTORY ? size : MOST_DIRECTORY);
    r->result = (struct ossa__nico_directory){.state = OSSA__NICO_NO_DIRECTORY};
    skip(c, UNKNOWN_WORDS * 4);
    uint32_t segments = next_u32(c);
    uint32_t pool = next_u32(c);
    if (segments == 0 || segments > MOST_SEGMENTS || !read_names(c, pool, MOST_POOL)) return;
    r->result.state = OSSA__NICO_BAD_DIRECTORY;
    for (uint32_t i = 0; i < segments && !c->is_bad; i++) read_segment(r);
    uint32_t worlds = next_u32(c);
    if (worlds > MOST_WORLDS) c->is_bad = true;
    for (uint32_t i = 0; i < worlds && !c->is_bad; i++) read_world(r);
    r->result.end = c->at;
    if (c->is_bad || r->result.part_count == 0 || r->first < c->at) return;
    r->result.state = OSSA__NICO_DIRECTORY;
}

struct ossa__nico_directory ossa__nico_read_directory(struct ossa__sotc_view *view,
                                                      ossa__nico_take_part *take, void *user)
{
    struct reading r = {.cursor = {.view = view}};
    read_directory(&r);
    if (r.result.state == OSSA__NICO_DIRECTORY && take != NULL) {
        r.take = take;
        r.user = user;
        read_directory(&r);
    }
    return r.result;
}

/* ---- parts --------------------------------------------------------------------------------- */

struct walk {
    struct cursor cursor;
    ossa__nico_take_record *take;
    void *user;
    bool is_stopped;
};

/* A path, and the file behind it, of which the size is known (a sheet's) or follows the path. */
static void take_file(struct walk *w, uint32_t path_size, const uint32_t *size)
{
    struct cursor *c = &w->cursor;
    char path[OSSA__NICO_MOST_PATH];
    const uint8_t *bytes = path_size <= sizeof path ? next_bytes(c, path_size) : NULL;
    if (bytes == NULL || !ossa__nico_is_path(bytes, path_size)) {
        c->is_bad = true;
        return;
    }
    memcpy(path, bytes, path_size);
    struct ossa__nico_record record = {.path = path, .path_size = path_size};
    record.size = size != NULL ? *size : next_u32(c);
    record.offset = c->at;
    skip(c, record.size);
    if (!c->is_bad && !w->is_stopped) w->is_stopped = !w->take(w->user, &record);
}

static void walk_secondary(struct walk *w, uint32_t size)
{
    struct cursor *c = &w->cursor;
    uint64_t begin = c->at;
    uint32_t resources = next_u32(c);
    skip(c, next_u32(c)); /* the name of the group */
    for (uint32_t i = 0; i < resources && !c->is_bad && !w->is_stopped; i++) {
        skip(c, 8);
        uint32_t path_size = next_u32(c);
        uint32_t file_size = next_u32(c);
        take_file(w, path_size, &file_size);
    }
    if (!w->is_stopped && c->at - begin != size) c->is_bad = true;
}

/* The table is read along with what it describes. */
static bool walk_sheet(struct walk *w, const struct ossa__nico_part *part)
{
    struct cursor *c = &w->cursor;
    struct cursor table;
    uint64_t end = part->offset + part->size;
    cursor_start(c, c->view, part->offset, end);
    uint32_t count = next_u32(c);
    if (count == 0 || count > part->size / SHEET_ROW) return false;
    for (unsigned pass = 0; pass < 2; pass++) {
        cursor_start(&table, c->view, part->offset + 4, end);
        if (pass == 0) skip(c, (uint64_t)SHEET_ROW * count);
        for (uint32_t i = 0; i < count && !c->is_bad && !w->is_stopped; i++) {
            skip(&table, 8);
            uint32_t primary = next_u32(&table);
            uint32_t secondary = next_u32(&table);
            uint64_t begin = c->at;
            if (pass == 0) {
                uint32_t path_size = next_u32(c);
                uint32_t file_size = next_u32(c);
                take_file(w, path_size, &file_size);
                if (!w->is_stopped && c->at - begin != primary) c->is_bad = true;
            } else if (secondary > 0) {
                walk_secondary(w, secondary);
            }
        }
    }
    return !c->is_bad && (w->is_stopped || c->end - c->at < OSSA__NICO_SECTOR);
}

static bool walk_cell(struct walk *w, const struct ossa__nico_part *part)
{
    struct cursor *c = &w->cursor;
    cursor_start(c, c->view, part->offset, part->offset + part->size);
    uint32_t count = next_u32(c);
    if (count == 0 || count > part->size / LEAST_CELL_FILE) return false;
    for (uint32_t i = 0; i < count && !c->is_bad && !w->is_stopped; i++) {
        skip(c, 12);
        take_file(w, next_u32(c), NULL);
    }
    return !c->is_bad && (w->is_stopped || c->end - c->at < OSSA__NICO_SECTOR);
}

static bool take_none(void *user, const struct ossa__nico_record *record)
{
    (void)user;
    (void)record;
    return true;
}

bool ossa__nico_walk_part(struct ossa__sotc_view *view, const struct ossa__nico_part *part,
                          ossa__nico_take_record *take, void *user)
{
    struct walk w = {.cursor = {.view = view}, .take = take_none};
    bool is_sheet = walk_sheet(&w, part);
    if (!is_sheet && !walk_cell(&w, part)) return false;
    w.take = take;
    w.user = user;
    return is_sheet ? walk_sheet(&w, part) : walk_cell(&w, part);
}
