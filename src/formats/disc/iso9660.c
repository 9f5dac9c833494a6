/* SPDX-License-Identifier: MIT
 *
 * iso9660: the image of a CD or DVD with an ISO 9660 file system.
 *
 *     sector 16   volume descriptors, one per sector (iso9660_volume.c)
 *     any sector  folders: directory records (iso9660_record.c, iso9660_tree.c)
 *     any sector  files, each in one piece, or in several where it is larger than 4 GiB
 *
 * Sectors have 2048 bytes, or are stored as a CD has them (sectors.h). With Joliet names in the
 * image, these are used. Only descriptors and folders are read at first; images may be far larger
 * than memory. Not read: Rock Ridge, UDF, path tables, sound and film (Form 2), blocks that do not
 * have 2048 bytes. */
#include "formats/disc/iso9660.h"

#include "formats/modules.h"

#include <inttypes.h>
#include <string.h>

/* ---- probe --------------------------------------------------------------------------------- */

/* Raw sectors are claimed whatever they hold, so that nobody takes them for one long file. */
static ossa_confidence probe_from(const ossa_source *source)
{
    struct ossa__sectors sectors;
    enum ossa__disc_find found = ossa__sectors_find(&sectors, source);
    bool is_disc = found == OSSA__DISC_FOUND || found == OSSA__DISC_RAW;
    return is_disc ? OSSA_CONFIDENCE_SIGNATURE : OSSA_CONFIDENCE_NONE;
}

struct block {
    const uint8_t *data;
};

static bool read_block(void *user, uint64_t offset, void *bytes, size_t size)
{
    memcpy(bytes, ((const struct block *)user)->data + offset, size);
    return true;
}

static ossa_confidence probe_iso(const uint8_t *data, uint64_t size)
{
    struct block block = {data};
    const ossa_source source = {read_block, &block, size};
    return probe_from(&source);
}

/* The descriptor that decides is in the head of every layout. */
static bool may_begin(const uint8_t *start, uint64_t size)
{
    return probe_iso(start, size < OSSA__HEAD ? size : OSSA__HEAD) != OSSA_CONFIDENCE_NONE;
}

/* ---- read ---------------------------------------------------------------------------------- */

static bool find_sectors(struct ossa__context *context, const ossa_source *source,
                         struct ossa__sectors *sectors)
{
    switch (ossa__sectors_find(sectors, source)) {
    case OSSA__DISC_FOUND: return true;
    case OSSA__DISC_UNREAD:
        return ossa__fail_nowhere(context, OSSA_CODE_IO, "", "the image could not be read");
    case OSSA__DISC_RAW:
        return ossa__fail(context, OSSA_CODE_BAD_MAGIC, 0, "",
                          "raw CD sectors without an ISO 9660 file system at their start; if the "
                          "image has a CUE file, open that");
    case OSSA__DISC_NONE: break;
    }
    return ossa__fail(context, OSSA_CODE_BAD_MAGIC, 0, "",
                      "no ISO 9660 file system: 'CD001' is not in sector %d",
                      OSSA__FIRST_DESCRIPTOR);
}

static void check_size(struct ossa__context *context, const struct ossa__iso *iso)
{
    const struct ossa__sectors *sectors = &iso->sectors;
    uint64_t whole = sectors->count * sectors->stride;
    if (whole != sectors->source.size) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_SIZE_MISMATCH, whole, "",
                    "%" PRIu64 " bytes after the last whole sector of %" PRIu32,
                    sectors->source.size - whole, sectors->stride);
    }
    /* Audio tracks are often counted, and lie in other files. */
    if (sectors->count < iso->volume.sector_count) {
        ossa__issue(context, OSSA_SEVERITY_REMARK, OSSA_CODE_SIZE_MISMATCH, sectors->source.size,
                    "", "the volume has %" PRIu64 " sectors, the image %" PRIu64,
                    iso->volume.sector_count, sectors->count);
    }
}

static void *read_from(struct ossa__context *context, const ossa_source *source)
{
    struct ossa__iso *iso = ossa__take(context, 1, sizeof *iso);
    if (iso == NULL) return NULL;
    *iso = (struct ossa__iso){.count = 0};
    if (!find_sectors(context, source, &iso->sectors)) return NULL;
    if (!ossa__iso_read_volume(context, &iso->sectors, &iso->volume)) return NULL;
    check_size(context, iso);
    return ossa__iso_read_tree(context, iso) ? iso : NULL;
}

static void *read_iso(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    const ossa_source source = ossa__bytes_source(context, data, size);
    return source.read_at == NULL ? NULL : read_from(context, &source);
}

static void write_iso(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    ossa__write_source(context, &((const struct ossa__iso *)contents)->sectors.source, writer);
}

/* ---- entries ------------------------------------------------------------------------------- */

/* The piece of a file that has the byte at `offset`. */
static uint32_t find_extent(const struct ossa__iso *iso, const struct ossa__iso_file *file,
                            uint64_t offset)
{
    uint32_t low = file->first_extent;
    uint32_t high = low + file->extent_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (iso->extents[middle].begin <= offset) low = middle;
        else high = middle;
    }
    return low;
}

static bool read_entry(const void *contents, size_t index, uint64_t offset, void *bytes,
                       size_t size)
{
    const struct ossa__iso *iso = contents;
    uint8_t *out = bytes;
    if (size == 0) return true;
    uint32_t file = (uint32_t)index;
    for (uint32_t i = find_extent(iso, &iso->files[file], offset); size > 0; i++) {
        const struct ossa__iso_extent *extent = &iso->extents[i];
        uint64_t left = ossa__iso_extent_end(iso, file, i) - offset;
        size_t part = left < size ? (size_t)left : size;
        uint64_t position = extent->position + (offset - extent->begin);
        if (!ossa__sectors_read(&iso->sectors, position, out, part)) return false;
        out += part;
        offset += part;
        size -= part;
    }
    return true;
}

/* Sound and film are whole, but nothing that the library knows. */
static const char *why_missing(const void *contents, size_t index, ossa_code *code)
{
    static const char *const reasons[] = {
        [OSSA__ISO_OUTSIDE] = "its bytes are not all in the image, which is damaged or cut",
        [OSSA__ISO_FORM_2] = "sound or film in Form 2 sectors, which cannot be read as a file",
        [OSSA__ISO_AUDIO] = "an audio track of the CD, which cannot be read as a file",
        [OSSA__ISO_INTERLEAVED] = "interleaved with other files, which is not supported",
    };
    enum ossa__iso_refusal refusal = ((const struct ossa__iso *)contents)->files[index].refusal;
    if (refusal != OSSA__ISO_OUTSIDE) *code = OSSA_CODE_PASSED_OVER;
    return reasons[refusal];
}

static struct ossa__listing list_iso(const void *contents)
{
    const struct ossa__iso *iso = contents;
    return (struct ossa__listing){.entries = iso->entries,
                                  .count = iso->count,
                                  .image_size = iso->sectors.source.size,
                                  .read_entry = read_entry,
                                  .why_missing = why_missing,
                                  .contents = contents};
}

static void describe_iso(const void *contents, struct ossa__report *report)
{
    const struct ossa__iso *iso = contents;
    const struct ossa__iso_volume *volume = &iso->volume;
    struct ossa__listing listing = list_iso(contents);
    uint64_t refused = 0;
    for (uint32_t i = 0; i < iso->count; i++) {
        refused += iso->files[i].refusal > OSSA__ISO_OUTSIDE ? 1 : 0;
    }
    ossa__report_text(report, "layout", "layout", ossa__sectors_title(&iso->sectors));
    ossa__report_text(report, "volume", "volume", volume->volume_id);
    ossa__report_text(report, "system", "system", volume->system_id);
    ossa__report_text(report, "names", "names", volume->is_joliet ? "Joliet" : "ISO 9660");
    if (volume->is_xa) ossa__report_text(report, "extension", "extension", "CD-ROM XA");
    ossa__report_entries(report, &listing);
    if (refused > 0) {
        ossa__report_note(report, "files that are sound or film, which are listed only: %" PRIu64,
                          refused);
    }
}

const struct ossa__format ossa__format_iso9660 = {
    .about = {.id = "iso9660",
              .title = "Disc image (ISO 9660)",
              .game = "Disc images",
              .extensions = "iso",
              .kind = OSSA_KIND_ARCHIVE},
    .game = &ossa__game_disc,
    .scattered = true,
    .probe = probe_iso,
    .may_begin = may_begin,
    .probe_from = probe_from,
    .read_from = read_from,
    .verify = OSSA__VERIFIED_BY(ossa__iso_verify),
    .read = read_iso,
    .write = write_iso,
    .describe = describe_iso,
    .list = list_iso,
};
