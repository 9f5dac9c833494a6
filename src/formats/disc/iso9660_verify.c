/* SPDX-License-Identifier: MIT
 *
 * Are the raw sectors of an image as they were on the disc? Each has a checksum, and more that is
 * the same in all of them. Damage is reported per file. */
#include "formats/disc/edc.h"
#include "formats/disc/iso9660.h"

#include <inttypes.h>
#include <string.h>

enum {
    BATCH = 64, /* sectors that are read at once */
    MODE = 15,
    MODE_1_DATA = 16,
    SUBHEADER = 16,     /* of Mode 2 */
    WITHOUT_HEADER = 8, /* where the data of sectors is that begin with their subheader */
    SUBMODE = 2,        /* in it */
    SUBMODE_FORM_2 = 0x20,
};

enum damage { NO_DAMAGE, BAD_SYNC, BAD_MODE, BAD_SUBHEADER, BAD_EDC };
static const char *const damages[] = {"", "no sync pattern", "another mode",
                                      "two subheaders that differ", "a wrong checksum"};

struct bad_sector {
    uint32_t index;
    uint8_t damage; /* enum damage */
};

struct verifier {
    struct ossa__context *context;
    const struct ossa__iso *iso;
    struct ossa__edc *edc;
    struct bad_sector *bad; /* in order */
    uint32_t bad_count;
};

/* Is the checksum behind these bytes theirs? */
static bool is_right(const struct verifier *v, const uint8_t *bytes, size_t size)
{
    return ossa__edc_of(v->edc, bytes, size) == ossa__load_u32(bytes + size);
}

/* From the subheader on. */
static enum damage check_mode_2(const struct verifier *v, const uint8_t *bytes)
{
    enum { FORM_1 = 8 + OSSA__SECTOR, FORM_2 = 8 + 2324 };
    if (memcmp(bytes, bytes + 4, 4) != 0) return BAD_SUBHEADER;
    if ((bytes[SUBMODE] & SUBMODE_FORM_2) == 0)
        return is_right(v, bytes, FORM_1) ? NO_DAMAGE : BAD_EDC;
    /* That of Form 2 may be left out. */
    bool has_edc = ossa__load_u32(bytes + FORM_2) != 0;
    return !has_edc || is_right(v, bytes, FORM_2) ? NO_DAMAGE : BAD_EDC;
}

/* Mode 0 is for sectors without data. */
static bool is_empty(const uint8_t *sector)
{
    for (int i = MODE + 1; i < OSSA__RAW_SECTOR; i++) {
        if (sector[i] != 0) return false;
    }
    return true;
}

static enum damage check_sector(const struct verifier *v, const uint8_t *sector)
{
    enum { MODE_1 = MODE_1_DATA + OSSA__SECTOR };
    if (v->iso->sectors.data == WITHOUT_HEADER) return check_mode_2(v, sector);
    if (!ossa__has_sync(sector)) return BAD_SYNC;
    if (sector[MODE] == 0 && is_empty(sector)) return NO_DAMAGE;
    if (sector[MODE] != (v->iso->sectors.data == MODE_1_DATA ? 1 : 2)) return BAD_MODE;
    if (sector[MODE] == 2) return check_mode_2(v, sector + SUBHEADER);
    return is_right(v, sector, MODE_1) ? NO_DAMAGE : BAD_EDC;
}

static bool check_sectors(struct verifier *v)
{
    const struct ossa__sectors *sectors = &v->iso->sectors;
    uint8_t *batch = ossa__take_scratch(v->context, BATCH, sectors->stride);
    if (batch == NULL) return false;
    for (uint64_t begin = 0, end; begin < sectors->count; begin = end) {
        end = begin + BATCH < sectors->count ? begin + BATCH : sectors->count;
        uint64_t offset = begin * sectors->stride;
        uint64_t size = (end - begin) * sectors->stride;
        if (!ossa__source_get(&sectors->source, offset, batch, size)) {
            return ossa__fail(v->context, OSSA_CODE_IO, offset, "",
                              "%" PRIu64 " bytes could not be read", size);
        }
        const uint8_t *sector = batch;
        for (uint64_t i = begin; i < end; i++, sector += sectors->stride) {
            enum damage damage = check_sector(v, sector);
            if (damage == NO_DAMAGE) continue;
            v->bad[v->bad_count++] = (struct bad_sector){(uint32_t)i, (uint8_t)damage};
        }
    }
    return true;
}

/* ---- report -------------------------------------------------------------------------------- */

/* How many of the damaged sectors are before this one. */
static uint32_t bad_before(const struct verifier *v, uint64_t index)
{
    uint32_t low = 0;
    uint32_t high = v->bad_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (v->bad[middle].index < index) low = middle + 1;
        else high = middle;
    }
    return low;
}

static void note(const struct verifier *v, struct ossa__few_places *places, uint32_t bad)
{
    uint64_t stride = v->iso->sectors.stride;
    ossa__note_place(places, v->bad[bad].index * stride, stride);
}

static void report_file(const struct verifier *v, uint32_t index)
{
    const struct ossa__iso_file *file = &v->iso->files[index];
    struct ossa__few_places places = {0};
    uint64_t sectors = 0;
    uint32_t first = 0;
    for (uint32_t i = 0; i < file->extent_count; i++) {
        uint32_t extent = file->first_extent + i;
        const struct ossa__iso_extent *it = &v->iso->extents[extent];
        uint64_t size = ossa__iso_extent_end(v->iso, index, extent) - it->begin;
        uint64_t begin = it->position / OSSA__SECTOR;
        uint64_t end = (it->position + size + OSSA__SECTOR - 1) / OSSA__SECTOR;
        uint32_t bad = bad_before(v, begin);
        uint32_t bad_end = bad_before(v, end);
        if (places.count == 0) first = bad;
        sectors += end - begin;
        for (; bad < bad_end && places.count < OSSA__SHOWN_PLACES; bad++) note(v, &places, bad);
        places.count += bad_end - bad;
    }
    if (places.count == 0) return;
    /* By its name, so that every file has an issue of its own. */
    ossa__issue(v->context, OSSA_SEVERITY_ERROR, OSSA_CODE_DAMAGED_SECTOR, places.offsets[0],
                ossa__show_name(v->iso->entries[index].name).text,
                "damaged sectors: %" PRIu64 " of %" PRIu64 ", %s%s%s", places.count, sectors,
                damages[v->bad[first].damage], places.count > 1 ? "; they are at " : "",
                places.count > 1 ? ossa__list_places(&places) : "");
}

/* Sectors without a sync pattern from some point behind all files to the end are no damage: an
 * image of the whole disc goes on with its audio tracks. */
static void report_audio(struct verifier *v, uint64_t files_end)
{
    uint64_t begin = v->iso->sectors.count;
    while (v->bad_count > 0 && begin > files_end) {
        const struct bad_sector *last = &v->bad[v->bad_count - 1];
        if (last->index != begin - 1 || last->damage != BAD_SYNC) break;
        begin--;
        v->bad_count--;
    }
    uint64_t count = v->iso->sectors.count - begin;
    if (count == 0) return;
    ossa__issue(v->context, OSSA_SEVERITY_REMARK, OSSA_CODE_PASSED_OVER,
                begin * v->iso->sectors.stride, "",
                "sectors at the end that are not data, but likely audio tracks: %" PRIu64
                "; a CUE says where they begin",
                count);
}

/* The damaged sectors that no file has. */
static void report_others(struct verifier *v)
{
    const struct ossa__iso *iso = v->iso;
    struct ossa__few_places others = {0};
    uint64_t count = 0;
    for (uint32_t i = 0; i < iso->count; i++) count += iso->files[i].extent_count;
    struct ossa__run *runs = ossa__take_scratch(v->context, count, sizeof *runs);
    struct ossa__place *places = ossa__take_scratch(v->context, count, sizeof *places);
    if (places == NULL) return;
    uint32_t used = 0;
    for (uint32_t i = 0; i < iso->count; i++) {
        const struct ossa__iso_file *file = &iso->files[i];
        for (uint32_t k = 0; k < file->extent_count; k++, used++) {
            uint32_t extent = file->first_extent + k;
            const struct ossa__iso_extent *it = &iso->extents[extent];
            uint64_t size = ossa__iso_extent_end(iso, i, extent) - it->begin;
            runs[used].begin = it->position / OSSA__SECTOR;
            runs[used].end = (it->position + size + OSSA__SECTOR - 1) / OSSA__SECTOR;
            places[used] = (struct ossa__place){.offset = runs[used].begin, .index = used};
        }
    }
    uint64_t files_end = 0;
    for (uint32_t i = 0; i < used; i++) {
        if (runs[i].end > files_end) files_end = runs[i].end;
    }
    if (!ossa__sort_places(v->context, places, used)) return;
    report_audio(v, files_end);
    uint64_t end = 0; /* of all files that begin before the sector */
    uint32_t next = 0;
    for (uint32_t i = 0; i < v->bad_count; i++) {
        for (; next < used && places[next].offset <= v->bad[i].index; next++) {
            uint64_t run_end = runs[places[next].index].end;
            if (run_end > end) end = run_end;
        }
        if (v->bad[i].index >= end) note(v, &others, i);
    }
    if (others.count == 0) return;
    ossa__issue(v->context, OSSA_SEVERITY_WARNING, OSSA_CODE_DAMAGED_SECTOR, others.offsets[0], "",
                "%" PRIu64 " damaged sectors that are in no file, at %s", others.count,
                ossa__list_places(&others));
}

void ossa__iso_verify(struct ossa__context *context, const void *contents)
{
    const struct ossa__iso *iso = contents;
    struct verifier v = {.context = context, .iso = iso};
    if (iso->sectors.stride == OSSA__SECTOR) return; /* there is nothing but data */
    if (iso->sectors.count > UINT32_MAX) {
        ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "", "more sectors than a disc can have");
        return;
    }
    v.edc = ossa__take_scratch(context, 1, sizeof *v.edc);
    v.bad = ossa__take_scratch(context, iso->sectors.count, sizeof *v.bad);
    if (v.bad == NULL) return;
    ossa__edc_init(v.edc);
    if (!check_sectors(&v) || v.bad_count == 0) return;
    for (uint32_t i = 0; i < iso->count; i++) report_file(&v, i);
    report_others(&v);
}
