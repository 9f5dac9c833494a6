/* SPDX-License-Identifier: MIT
 *
 * sotc-nico: NICO.DAT, in which the game keeps nearly all of its files, and which goes on in XAB,
 * XAC, ... on some discs: one stream of 4 GB.
 *
 *     a directory (sotc_directory.c), which leads to parts of the archive: sheets and cells
 *     files, each an XFF container behind a record with its path (sotc_paths.c)
 *
 * Files are found by the directory where it can be read. All that it does not lead to is searched,
 * so nothing is missed if there is no directory, or if it is not what it is taken for. Files that
 * are not containers are not listed. What has no path is named by its offset: 0x00012800.anb. In
 * the JSON, entries have their bytes and `gaps` has all others; names are for people only.
 *
 * Unknown: whether every disc has such a directory, and what the first words of it mean. */
#include "formats/shadow_of_the_colossus/sotc_nico.h"

#include "archive/index.h"
#include "archive/entries.h"
#include "base/bytes.h"
#include "base/fold.h"
#include "base/json.h"
#include "codec/image.h"
#include "formats/modules.h"
#include "formats/shadow_of_the_colossus/sotc_xff.h"

#include <stdio.h>
#include <string.h>

enum {
    PROBE_WINDOW = 4 << 10,
    PROBE_PARTS = 4,
    LEAST_SIZE = 112, /* the header of a container */
    SYNC_SIZE = 12,
    STEP = 4 << 10, /* of bytes that are dumped */
};

/* ---- probe --------------------------------------------------------------------------------- */

bool ossa__nico_is_raw(struct ossa__sotc_view *view)
{
    static const uint8_t sync[SYNC_SIZE] = {0,    0xff, 0xff, 0xff, 0xff, 0xff,
                                            0xff, 0xff, 0xff, 0xff, 0xff, 0};
    uint8_t bytes[SYNC_SIZE];
    return ossa__sotc_get(view, 0, bytes, sizeof bytes) && memcmp(bytes, sync, SYNC_SIZE) == 0;
}

/* A disc holds files with records, too, but is an archive of its own. */
static bool is_disc(struct ossa__sotc_view *view)
{
    static const uint64_t places[] = {16 * 2048 + 1, 16 * 2336 + 8 + 1};
    char bytes[5];
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        bool is_there = ossa__sotc_get(view, places[i], bytes, sizeof bytes);
        if (is_there && memcmp(bytes, "CD001", sizeof bytes) == 0) return true;
    }
    return ossa__nico_is_raw(view);
}

/* Looks into the first parts that a directory leads to. */
struct sample {
    struct ossa__sotc_view *view;
    unsigned left;
    bool is_good; /* there is a container in one */
};

static bool note_container(void *user, const struct ossa__nico_record *record)
{
    struct sample *sample = user;
    struct ossa__sotc_hit hit;
    sample->is_good = ossa__sotc_container_at(sample->view, record->offset, &hit);
    return !sample->is_good;
}

static void try_part(void *user, const struct ossa__nico_part *part)
{
    struct sample *sample = user;
    if (sample->is_good || sample->left == 0) return;
    sample->left--;
    (void)ossa__nico_walk_part(sample->view, part, note_container, sample);
}

static bool note_path(void *user, struct ossa__sotc_view *view, const struct ossa__sotc_hit *hit)
{
    struct ossa__nico_path path;
    bool *is_there = user;
    *is_there = ossa__nico_path_before(view, hit->found.offset, hit->stated_size, &path);
    return !*is_there;
}

/* Is there a container with its path near the start? */
static bool has_record(struct ossa__sotc_view *view)
{
    uint8_t buffer[PROBE_WINDOW];
    uint64_t size = view->source.size;
    uint64_t head = size < OSSA__HEAD ? size : OSSA__HEAD;
    bool is_there = false;
    (void)ossa__sotc_find(view, 0, head, view->window != NULL ? NULL : buffer, sizeof buffer,
                          note_path, &is_there);
    return is_there;
}

/* A ZIP has its table at its end: whether it is one of a game is not known from its start, but what
 * it stores is no part of NICO.DAT. */
static bool is_zip(const uint8_t *start)
{
    return memcmp(start, "PK\3\4", 4) == 0 || memcmp(start, "PK\5\6", 4) == 0;
}

static ossa_confidence probe_view(struct ossa__sotc_view *view)
{
    uint8_t start[4];
    uint64_t size = view->source.size;
    bool is_one = false;
    struct sample sample = {.view = view, .left = PROBE_PARTS};
    if (size < LEAST_SIZE || !ossa__sotc_get(view, 0, start, sizeof start) || is_zip(start) ||
        is_disc(view)) {
        return OSSA_CONFIDENCE_NONE;
    }
    if (ossa__xff_is_container(start, sizeof start)) {
        is_one = ossa__sotc_is_row(view); /* else it is just that, whatever is in it */
    } else {
        (void)ossa__nico_read_directory(view, try_part, &sample);
        is_one = sample.is_good;
        if (!is_one) is_one = has_record(view);
    }
    return is_one && !view->failed ? OSSA_CONFIDENCE_SIGNATURE : OSSA_CONFIDENCE_NONE;
}

static ossa_confidence probe_nico(const uint8_t *data, uint64_t size)
{
    struct ossa__sotc_view view = ossa__sotc_view_of(data, size);
    return probe_view(&view);
}

static ossa_confidence probe_nico_from(const ossa_source *source)
{
    struct ossa__sotc_view view = {.source = *source};
    return probe_view(&view);
}

static bool may_begin(const uint8_t *start, uint64_t size)
{
    struct ossa__sotc_view view = ossa__sotc_view_of(start, OSSA__HEAD);
    (void)size;
    for (const uint8_t *x = start; x != NULL; x++) {
        size_t left = (size_t)(start + OSSA__HEAD - x);
        x = memchr(x, 'x', left);
        if (x == NULL) break;
        if (start + OSSA__HEAD - x < 4) return true; /* nobody knows how it goes on */
        if (ossa__xff_is_container(x, 4)) return true;
    }
    return ossa__nico_read_directory(&view, NULL, NULL).state != OSSA__NICO_NO_DIRECTORY;
}

/* ---- read ---------------------------------------------------------------------------------- */

/* The fields of an entry, from `*end` on: what shares bytes with one before has none. */
static void trace_entry(struct ossa__reader *file, const ossa_entry *entry, uint64_t *end)
{
    struct ossa__sotc_view view = ossa__sotc_view_of(file->data, file->end);
    struct ossa__nico_path path;
    uint64_t begin = entry->offset;
    bool has_path = ossa__nico_path_before(
        &view, begin, ossa__peek_u32(file->data, file->end, begin + 4ULL * OSSA__XFF_SIZE), &path);
    if (has_path && path.record >= *end) {
        struct ossa__reader record =
            ossa__reader_window(file, path.record, begin - path.record, "path", begin);
        (void)ossa__read_u32(&record, "path_size");
        if (!path.is_cell) (void)ossa__read_u32(&record, "size");
        (void)ossa__read_bytes(&record, "path", OSSA_FIELD_TYPE_TEXT, path.size);
        if (path.is_cell) (void)ossa__read_u32(&record, "size");
    }
    if (begin < *end) return;
    struct ossa__reader data = ossa__reader_window(file, begin, entry->size, "data", begin);
    (void)ossa__read_bytes(&data, "data", OSSA_FIELD_TYPE_UNKNOWN, entry->size);
    *end = begin + entry->size;
}

static void *read_nico(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader file;
    ossa_source source = ossa__bytes_source(context, data, size);
    struct ossa__nico *nico = context->failed ? NULL : ossa__nico_read(context, &source, data);
    if (nico == NULL || context->trace == NULL) return nico;
    uint64_t end = 0;
    ossa__reader_init(&file, context, data, size);
    for (size_t i = 0; i < nico->count && !context->failed; i++) {
        ossa__enter(context, "entries", i);
        trace_entry(&file, &nico->entries[i], &end);
        ossa__leave(context);
    }
    return nico;
}

static void *read_nico_from(struct ossa__context *context, const ossa_source *source)
{
    return ossa__nico_read(context, source, NULL);
}

/* ---- write and JSON ------------------------------------------------------------------------ */

static void write_nico(struct ossa__context *context, const void *contents,
                       struct ossa__writer *writer)
{
    const struct ossa__nico *nico = contents;
    ossa__write_source(context, &nico->source, writer);
}

/* Bytes of any number as one text. */
static void dump_bytes(struct ossa__json *json, const char *key, const ossa_source *source,
                       uint64_t offset, uint64_t size)
{
    static const char digits[] = "0123456789abcdef";
    uint8_t bytes[STEP];
    ossa__json_key(json, key);
    ossa__json_begin_text(json);
    for (uint64_t done = 0; done < size && !json->failed;) {
        size_t step = size - done < STEP ? (size_t)(size - done) : STEP;
        if (!ossa__source_get(source, offset + done, bytes, step)) json->failed = true;
        for (size_t i = 0; i < step && !json->failed; i++) {
            ossa__json_character(json, (uint8_t)digits[bytes[i] >> 4]);
            ossa__json_character(json, (uint8_t)digits[bytes[i] & 15]);
        }
        done += step;
    }
    ossa__json_end_text(json);
}

static void dump_entries(const struct ossa__nico *nico, struct ossa__json *json)
{
    uint64_t end = 0;
    for (size_t i = 0; i < nico->count && !json->failed; i++) {
        const ossa_entry *entry = &nico->entries[i];
        ossa__json_begin_object(json);
        if (!ossa__is_offset_name(entry)) {
            ossa__member_text(json, "name", entry->name);
        } else {
            ossa__json_key(json, "name");
            ossa__json_null(json);
        }
        ossa__member_uint(json, "offset", entry->offset);
        ossa__member_uint(json, "size", entry->size);
        if (entry->offset >= end) {
            dump_bytes(json, "data", &nico->source, entry->offset, entry->size);
            end = entry->offset + entry->size;
        } else {
            ossa__json_key(json, "data");
            ossa__json_null(json);
        }
        ossa__json_end_object(json);
    }
}

static void dump_gap(const struct ossa__nico *nico, struct ossa__json *json, uint64_t offset,
                     uint64_t end)
{
    if (offset >= end) return;
    ossa__json_begin_object(json);
    ossa__member_uint(json, "offset", offset);
    dump_bytes(json, "bytes", &nico->source, offset, end - offset);
    ossa__json_end_object(json);
}

static void dump_nico(const void *contents, struct ossa__json *json)
{
    const struct ossa__nico *nico = contents;
    uint64_t end = 0;
    ossa__json_key(json, "entries");
    ossa__json_begin_array(json);
    dump_entries(nico, json);
    ossa__json_end_array(json);
    ossa__json_key(json, "gaps");
    ossa__json_begin_array(json);
    for (size_t i = 0; i < nico->count && !json->failed; i++) {
        const ossa_entry *entry = &nico->entries[i];
        if (entry->offset < end) continue; /* it has no data of its own */
        dump_gap(nico, json, end, entry->offset);
        end = entry->offset + entry->size;
    }
    dump_gap(nico, json, end, nico->source.size);
    ossa__json_end_array(json);
}

static void build_entry(struct ossa__image *image, const struct ossa__value *entry)
{
    ossa__value_allow(entry, "name offset size data");
    struct ossa__value offset = ossa__value_member(entry, "offset");
    struct ossa__value data = ossa__value_optional(entry, "data");
    uint64_t at = (uint64_t)ossa__value_integer(&offset, 0, INT64_MAX);
    if (data.node == NULL) return;
    size_t size;
    const uint8_t *bytes = ossa__value_hex(&data, &size);
    ossa__image_put(image, at, bytes, size, &data);
}

static void *build_nico(struct ossa__context *context, const struct ossa__value *data,
                        uint64_t size)
{
    struct ossa__image image;
    ossa__value_allow(data, "entries gaps");
    struct ossa__nico *nico = ossa__take(context, 1, sizeof *nico);
    if (!ossa__image_init(&image, context, size)) return NULL;
    struct ossa__value entries = ossa__value_member(data, "entries");
    size_t count = ossa__value_length(&entries);
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value entry = ossa__value_item(&entries, i);
        build_entry(&image, &entry);
    }
    ossa__image_put_gaps(&image, data);
    ossa__image_finish(&image, data);
    if (context->failed) return NULL;
    /* Writing needs only the bytes. */
    *nico = (struct ossa__nico){.source = ossa__bytes_source(context, image.bytes, size)};
    return nico;
}

/* ---- list and describe --------------------------------------------------------------------- */

static bool read_entry(const void *contents, size_t index, uint64_t offset, void *bytes,
                       size_t size)
{
    const struct ossa__nico *nico = contents;
    const ossa_entry *entry = &nico->entries[index];
    if (nico->has_index) {
        /* The file may have changed since the index was made. */
        struct ossa__sotc_view view = {.source = nico->source};
        struct ossa__sotc_hit hit;
        bool is_there = ossa__sotc_container_at(&view, entry->offset, &hit);
        if (!is_there || hit.found.format != nico->hints[index].format) return false;
        if (hit.found.size < entry->size) return false;
    }
    return ossa__source_get(&nico->source, entry->offset + offset, bytes, size);
}

static struct ossa__listing list_nico(const void *contents)
{
    const struct ossa__nico *nico = contents;
    bool has_bytes = nico->image != NULL && !nico->has_index;
    return (struct ossa__listing){.entries = nico->entries,
                                  .count = nico->count,
                                  .image = nico->image,
                                  .image_size = nico->source.size,
                                  .read_entry = has_bytes ? NULL : read_entry,
                                  .contents = nico,
                                  .hints = nico->hints,
                                  .source = nico->is_partial ? NULL : &nico->source};
}

static void describe_nico(const void *contents, struct ossa__report *report)
{
    static const char *const kinds[][3] = {{"sotc-anb", "animations", "animations"},
                                           {"sotc-skb", "skeletons", "skeletons"},
                                           {"sotc-nmo", "models", "models"},
                                           {"sotc-nto", "textures", "textures"},
                                           {"sotc-xff", "others", "other files"}};
    const struct ossa__nico *nico = contents;
    struct ossa__listing listing = list_nico(contents);
    size_t named = nico->count - nico->nameless;
    ossa__report_text(report, "listed_by", "listed by",
                      nico->has_index        ? "an index"
                      : nico->part_count > 0 ? "the directory and a search"
                                             : "a search");
    ossa__report_integer(report, "named", "with a path", named);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        uint64_t count = 0;
        for (size_t k = 0; k < nico->count; k++) {
            count += strcmp(nico->hints[k].format->id, kinds[i][0]) == 0;
        }
        ossa__report_integer(report, kinds[i][1], kinds[i][2], count);
    }
    ossa__report_entries(report, &listing);
}

/* ---- the files that it goes on in ---------------------------------------------------------- */

/* The length of a name without what a disc adds to it: a version, and a dot. */
static size_t plain_size(const char *name)
{
    size_t size = strcspn(name, ";");
    while (size > 0 && name[size - 1] == '.') size--;
    return size;
}

/* NICO.DAT is followed by XAB, XAC, ... in the letter case of its own name. */
static bool continues(const char *name, unsigned n, char *text, size_t capacity)
{
    static const char *const firsts[] = {"nico.dat", "nico", "xaa"};
    size_t size = plain_size(name);
    bool is_first = false;
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; i++) {
        is_first = is_first || ossa__same_word(name, size, firsts[i], strlen(firsts[i]));
    }
    if (!is_first || n < 1 || n > 'Z' - 'A' || capacity < sizeof "XAB") return false;
    bool is_upper = name[0] >= 'A' && name[0] <= 'Z';
    (void)snprintf(text, capacity, is_upper ? "XA%c" : "xa%c", (is_upper ? 'A' : 'a') + (int)n);
    return true;
}

static bool continued_from(const char *name, char *text, size_t capacity)
{
    bool is_upper = name[0] == 'X';
    if (plain_size(name) != 3 || !ossa__same_word(name, 2, "xa", 2)) return false;
    if (name[2] < (is_upper ? 'B' : 'b') || name[2] > (is_upper ? 'Z' : 'z')) return false;
    (void)snprintf(text, capacity, "%s", is_upper ? "NICO.DAT" : "nico.dat");
    return true;
}

const struct ossa__format ossa__format_sotc_nico = {
    .about = {.id = "sotc-nico",
              .title = "Shadow of the Colossus archive",
              .game = "Shadow of the Colossus (2005)",
              .extensions = "dat",
              .kind = OSSA_KIND_ARCHIVE},
    .game = &ossa__game_shadow_of_the_colossus,
    .has_common_extension = true,
    .scattered = true,
    .probe = probe_nico,
    .may_begin = may_begin,
    .probe_from = probe_nico_from,
    .read_from = read_nico_from,
    .searches = true,
    .continues = continues,
    .continued_from = continued_from,
    .read = read_nico,
    .write = write_nico,
    .dump = dump_nico,
    .build = OSSA__BUILT_BY(build_nico),
    .describe = describe_nico,
    .list = list_nico,
};
