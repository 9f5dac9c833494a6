/* SPDX-License-Identifier: MIT
 *
 * The folders of iso9660, from the root down. No sector is read as a folder twice, so neither loops
 * nor folders that share sectors cost more than the image has. */
#include "formats/disc/iso9660.h"

#include "base/fold.h"

#include <inttypes.h>
#include <string.h>

enum {
    MOST_DEPTH = 32,         /* of folders; the standard allows 8 */
    MOST_FILES = 1 << 20,    /* and pieces of files */
    MOST_NAMES = 16,         /* bytes of paths per byte of folders: deep folders repeat theirs */
    FREE_NAMES = 64 << 10,   /* and so many more */
    XA_FORM_2 = 0x1000,      /* attributes */
    XA_INTERLEAVED = 0x2000, /* data and sound in turns */
    XA_AUDIO = 0x4000,
};

struct folder {
    uint64_t record;   /* offset of its own */
    uint64_t position; /* of the next sector */
    uint64_t left;     /* bytes from there */
    uint64_t offset;   /* of the sector that is read, in the image */
    uint32_t size;     /* of it */
    uint32_t at;       /* the next record in it */
    size_t path_size;
    uint8_t sector[OSSA__SECTOR];
    bool is_new; /* nothing of it was looked at */
};

struct list {
    void *items;
    uint32_t count;
    uint32_t capacity;
};

struct walk {
    struct ossa__context *context;
    struct ossa__iso *iso;
    uint8_t *seen; /* a bit per sector: it belongs to a folder or is a descriptor */
    struct folder *folders;
    uint32_t depth;
    uint32_t folder_count; /* of all that were found */
    char *path;            /* of the record that is looked at; its folder's ends with a slash */
    uint64_t folder_bytes;
    uint64_t name_bytes;
    struct list entries; /* ossa_entry */
    struct list files;   /* struct ossa__iso_file */
    struct list extents; /* struct ossa__iso_extent */
    bool continues;      /* the last file has more pieces */
};

/* Room for one more item in scratch memory; NULL after a failure. */
static void *add_item(struct walk *w, struct list *list, size_t size)
{
    if (list->count == MOST_FILES) {
        ossa__fail_nowhere(w->context, OSSA_CODE_LIMIT, "", "more than %d files", MOST_FILES);
        return NULL;
    }
    if (list->count == list->capacity) {
        uint32_t capacity = list->capacity == 0 ? 16 : 2 * list->capacity;
        void *items = ossa__take_scratch(w->context, capacity, size);
        if (items == NULL) return NULL;
        if (list->count > 0) memcpy(items, list->items, list->count * size);
        list->items = items;
        list->capacity = capacity;
    }
    return (char *)list->items + list->count++ * size;
}

/* The same items in the arena, no more. */
static const void *keep(struct walk *w, const struct list *list, size_t size)
{
    void *items = ossa__take(w->context, list->count, size);
    if (items != NULL && list->count > 0) memcpy(items, list->items, list->count * size);
    return items;
}

/* ---- files --------------------------------------------------------------------------------- */

static enum ossa__iso_refusal refusal_of(const struct ossa__iso_record *record)
{
    if ((record->attributes & XA_AUDIO) != 0) return OSSA__ISO_AUDIO;
    if ((record->attributes & (XA_FORM_2 | XA_INTERLEAVED)) != 0) return OSSA__ISO_FORM_2;
    return record->is_interleaved ? OSSA__ISO_INTERLEAVED : OSSA__ISO_READABLE;
}

/* Add a piece to the last file. A file that would be larger than the image is not in it. */
static void add_extent(struct walk *w, const struct ossa__iso_record *record)
{
    uint64_t size = w->iso->sectors.size;
    ossa_entry *entry = (ossa_entry *)w->entries.items + w->entries.count - 1;
    struct ossa__iso_file *file = (struct ossa__iso_file *)w->files.items + w->files.count - 1;
    if (record->size == 0) return;
    struct ossa__iso_extent *extent = add_item(w, &w->extents, sizeof *extent);
    if (extent == NULL) return;
    *extent = (struct ossa__iso_extent){entry->size, record->position};
    file->extent_count++;
    entry->size += record->size;
    entry->stored_size = entry->size;
    bool is_inside = record->position <= size && record->size <= size - record->position;
    if ((is_inside && entry->size <= size) || file->refusal != OSSA__ISO_READABLE) return;
    file->refusal = OSSA__ISO_OUTSIDE;
    entry->is_missing = true;
    ossa__enter(w->context, "entries", w->entries.count - 1);
    if (!is_inside) {
        ossa__issue(w->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET, record->offset + 2,
                    "sector",
                    "%" PRIu32 " bytes in sector %" PRIu64
                    " are not all in the image; the file cannot be extracted",
                    record->size, record->position / OSSA__SECTOR);
    } else {
        ossa__issue(w->context, OSSA_SEVERITY_ERROR, OSSA_CODE_OVERLAP, record->offset + 10, "size",
                    "the pieces of the file are larger than the image");
    }
    ossa__leave(w->context);
}

/* The path as the name of an entry, in the arena; NULL after a failure. */
static const char *keep_path(struct walk *w, size_t size)
{
    w->name_bytes += size;
    if (w->name_bytes > FREE_NAMES + MOST_NAMES * w->folder_bytes) {
        ossa__fail_nowhere(w->context, OSSA_CODE_LIMIT, "",
                           "the paths are more than %d times as long as the folders", MOST_NAMES);
    }
    char *name = ossa__take(w->context, size + 1, 1);
    if (name != NULL) memcpy(name, w->path, size + 1);
    return name;
}

static void add_file(struct walk *w, const struct ossa__iso_record *record, size_t path_size)
{
    const struct ossa__sectors *sectors = &w->iso->sectors;
    const char *name = keep_path(w, path_size);
    ossa_entry *entry = name == NULL ? NULL : add_item(w, &w->entries, sizeof *entry);
    struct ossa__iso_file *file = entry == NULL ? NULL : add_item(w, &w->files, sizeof *file);
    if (file == NULL) return;
    enum ossa__iso_refusal refusal = refusal_of(record);
    *entry = (ossa_entry){.name = name,
                          .offset = ossa__sectors_offset(sectors, record->position),
                          .is_missing = refusal != OSSA__ISO_READABLE,
                          .has_time = record->has_time,
                          .time = record->has_time ? record->time : 0};
    *file = (struct ossa__iso_file){.first_extent = w->extents.count, .refusal = refusal};
    add_extent(w, record);
    if (refusal == OSSA__ISO_READABLE) return;
    ossa__enter(w->context, "entries", w->entries.count - 1);
    ossa__issue(w->context, OSSA_SEVERITY_REMARK, OSSA_CODE_PASSED_OVER, record->offset, "",
                "sound, film or interleaved data, which is listed but cannot be extracted");
    ossa__leave(w->context);
}

/* Does the record go on with the last file, which said that there is more? */
static bool goes_on(struct walk *w, const char *path)
{
    if (!w->continues) return false;
    const ossa_entry *last = (const ossa_entry *)w->entries.items + w->entries.count - 1;
    return strcmp(last->name, path) == 0;
}

/* The last file said that there is more, and there is none. */
static void end_file(struct walk *w, uint64_t offset)
{
    if (!w->continues) return;
    ossa__enter(w->context, "entries", w->entries.count - 1);
    ossa__issue(w->context, OSSA_SEVERITY_ERROR, OSSA_CODE_TRUNCATED, offset, "flags",
                "says that the file goes on in the next record, which is of another one");
    ossa__leave(w->context);
    w->continues = false;
}

/* ---- folders ------------------------------------------------------------------------------- */

static void report_folder(struct walk *w, uint64_t offset, ossa_code code, const char *message)
{
    ossa__enter(w->context, "folders", w->folder_count - 1);
    ossa__issue(w->context, OSSA_SEVERITY_ERROR, code, offset, "", "%s", message);
    ossa__leave(w->context);
}

static void enter_folder(struct walk *w, const struct ossa__iso_record *record, size_t path_size)
{
    uint64_t size = w->iso->sectors.size;
    w->folder_count++;
    if (w->depth == MOST_DEPTH) {
        report_folder(w, record->offset, OSSA_CODE_LIMIT,
                      "folders are nested too deeply; this one is not entered");
        return;
    }
    struct folder *folder = &w->folders[w->depth++];
    folder->record = record->offset;
    folder->position = record->position;
    folder->left = record->size;
    folder->size = 0;
    folder->at = 0;
    folder->path_size = path_size;
    folder->is_new = true;
    if (record->position > size || record->size > size - record->position) {
        folder->left = record->position > size ? 0 : size - record->position;
        report_folder(w, record->offset, OSSA_CODE_BAD_OFFSET,
                      "the folder is not all in the image; files are missing from the list");
    }
}

/* Read the next sector of a folder; false: there is none. */
static bool next_sector(struct walk *w, struct folder *folder)
{
    const struct ossa__sectors *sectors = &w->iso->sectors;
    uint64_t index = folder->position / OSSA__SECTOR;
    if (folder->left == 0) return false;
    if ((w->seen[index / 8] >> index % 8 & 1) != 0) {
        report_folder(w, folder->record, OSSA_CODE_OVERLAP,
                      "the folder has a sector of another one; it is not entered again");
        return false;
    }
    w->seen[index / 8] |= (uint8_t)(1 << index % 8);
    folder->size = folder->left < OSSA__SECTOR ? (uint32_t)folder->left : OSSA__SECTOR;
    folder->offset = ossa__sectors_offset(sectors, folder->position);
    folder->at = 0;
    if (!ossa__sectors_read(sectors, folder->position, folder->sector, folder->size)) {
        return ossa__fail(w->context, OSSA_CODE_IO, folder->offset, "",
                          "a sector of a folder could not be read");
    }
    w->folder_bytes += folder->size;
    folder->position += folder->size;
    folder->left -= folder->size;
    return true;
}

static void take_record(struct walk *w, struct folder *folder,
                        const struct ossa__iso_record *record)
{
    bool is_odd;
    size_t size = folder->path_size;
    size += ossa__iso_name(record, w->iso->volume.is_joliet, w->path + size, &is_odd);
    if (is_odd) {
        ossa__issue(w->context, OSSA_SEVERITY_WARNING, OSSA_CODE_BAD_VALUE,
                    record->offset + OSSA__ISO_RECORD, "name",
                    "is not the name of a file; it is listed as '%s'",
                    ossa__show_name(w->path + folder->path_size).text);
    }
    if ((record->flags & OSSA__ISO_FOLDER) != 0) {
        end_file(w, record->offset);
        w->path[size] = '/';
        enter_folder(w, record, size + 1);
        return;
    }
    if (goes_on(w, w->path)) {
        add_extent(w, record);
    } else {
        end_file(w, record->offset);
        add_file(w, record, size);
    }
    w->continues = (record->flags & OSSA__ISO_CONTINUES) != 0;
}

/* Take the next record of a folder. */
static void next_record(struct walk *w, struct folder *folder)
{
    const uint8_t *bytes = folder->sector + folder->at;
    struct ossa__iso_record record = {.offset = folder->offset + folder->at};
    uint32_t room = folder->size - folder->at;
    bool is_first = folder->is_new;
    folder->is_new = false;
    if (bytes[0] == 0) { /* no record crosses the end of a sector */
        folder->at = folder->size;
        if (is_first) {
            report_folder(w, record.offset, OSSA_CODE_BAD_VALUE,
                          "the folder does not begin with a record of itself; files may be missing "
                          "from the list");
        }
        return;
    }
    bool is_good = bytes[0] <= room && ossa__iso_read_record(w->context, bytes, room, &record);
    if (!is_good) {
        folder->at = folder->size;
        ossa__issue(w->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, record.offset, "",
                    "a directory record is damaged; the rest of its sector is skipped");
        return;
    }
    folder->at += bytes[0];
    bool is_self_or_parent = record.name_size == 1 && record.name[0] <= 1;
    if (!is_self_or_parent) take_record(w, folder, &record);
}

static void walk_folders(struct walk *w)
{
    while (w->depth > 0 && !w->context->failed) {
        struct folder *folder = &w->folders[w->depth - 1];
        if (folder->at < folder->size) {
            next_record(w, folder);
        } else if (!next_sector(w, folder)) {
            end_file(w, folder->record);
            w->depth--;
        }
    }
}

/* Names of files count without regard to letter case: of several, the first one is found. */
static void check_names(struct walk *w)
{
    const ossa_entry *entries = w->entries.items;
    uint32_t count = w->entries.count;
    const char **names = ossa__take_scratch(w->context, count, sizeof *names);
    if (names == NULL) return;
    for (uint32_t i = 0; i < count; i++) names[i] = entries[i].name;
    const uint32_t *first = ossa__first_of_names(w->context, names, count, ossa__compare_names);
    for (uint32_t i = 0; i < count && first != NULL; i++) {
        if (first[i] == i) continue;
        ossa__enter(w->context, "entries", i);
        ossa__issue(w->context, OSSA_SEVERITY_WARNING, OSSA_CODE_DUPLICATE_NAME, entries[i].offset,
                    "name", "'%s' is also the name of entries[%" PRIu32 "]",
                    ossa__show_name(names[i]).text, first[i]);
        ossa__leave(w->context);
    }
}

static bool start(struct walk *w)
{
    const uint64_t sectors = w->iso->sectors.size / OSSA__SECTOR + 1;
    const size_t path = (MOST_DEPTH + 1) * OSSA__ISO_NAME_CAPACITY;
    w->seen = ossa__take_scratch(w->context, sectors / 8 + 1, 1);
    w->folders = ossa__take_scratch(w->context, MOST_DEPTH, sizeof *w->folders);
    w->path = ossa__take_scratch(w->context, path, 1);
    if (w->path == NULL) return false;
    memset(w->seen, 0, (size_t)(sectors / 8 + 1));
    for (uint64_t i = OSSA__FIRST_DESCRIPTOR; i < w->iso->volume.descriptor_end; i++) {
        w->seen[i / 8] |= (uint8_t)(1 << i % 8);
    }
    return true;
}

bool ossa__iso_read_tree(struct ossa__context *context, struct ossa__iso *iso)
{
    struct walk w = {.context = context, .iso = iso};
    if (!start(&w)) return false;
    enter_folder(&w, &iso->volume.root, 0);
    walk_folders(&w);
    if (context->failed) return false;
    check_names(&w);
    iso->count = w.entries.count;
    iso->entries = keep(&w, &w.entries, sizeof(ossa_entry));
    iso->files = keep(&w, &w.files, sizeof(struct ossa__iso_file));
    iso->extents = keep(&w, &w.extents, sizeof(struct ossa__iso_extent));
    return !context->failed;
}
