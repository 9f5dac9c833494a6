/* SPDX-License-Identifier: MIT */
#include "scan.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MEBIBYTE = 1 << 20 };

static bool say(ossa_error *error, ossa_code code, const char *message)
{
    *error = (ossa_error){.code = code};
    (void)snprintf(error->message, sizeof error->message, "%s", message);
    return false;
}

struct scan *scan_open(const char *path, ossa_error *error)
{
    struct os_why why;
    struct scan *scan = calloc(1, sizeof *scan);
    if (scan == NULL) {
        (void)say(error, OSSA_CODE_OUT_OF_MEMORY, "no memory");
        return NULL;
    }
    if (os_open_random(path, &scan->file, &why)) return scan;
    (void)say(error, OSSA_CODE_IO, why.text);
    free(scan);
    return NULL;
}

void scan_close(struct scan *scan)
{
    if (scan == NULL) return;
    os_close_random(&scan->file);
    for (size_t i = 0; i < scan->count; i++) free(scan->items[i]);
    free(scan->items);
    free(scan);
}

/* ---- the search ---------------------------------------------------------------------------- */

static bool read_at(void *user, uint64_t offset, void *bytes, size_t size)
{
    struct scan *scan = user;
    progress_set(&scan->progress, (size_t)(offset / MEBIBYTE));
    return os_read_at(&scan->file, offset, bytes, size);
}

static void add_found(void *user, const ossa_sotc_found *found)
{
    struct scan *scan = user;
    /* There is room for 1, 2, 4, 8, ... of them. */
    bool is_full = (scan->count & (scan->count - 1)) == 0;
    size_t room = scan->count == 0 ? 1 : 2 * scan->count;
    void *items = is_full ? realloc(scan->items, room * sizeof *scan->items) : scan->items;
    struct scanned *item = calloc(1, sizeof *item);
    if (items != NULL) scan->items = items;
    if (items == NULL || item == NULL) {
        free(item);
        scan->out_of_memory = true;
        return;
    }
    (void)snprintf(item->name, sizeof item->name, "0x%08" PRIx64 ".%s", found->offset, found->kind);
    item->found = *found;
    item->entry = (ossa_entry){.name = item->name,
                               .offset = found->offset,
                               .stored_size = found->size,
                               .size = found->size};
    scan->items[scan->count++] = item;
}

bool scan_search(struct scan *scan, ossa_error *error)
{
    progress_start(&scan->progress, (size_t)(scan->file.size / MEBIBYTE));
    scan->progress.unit = "MiB";
    bool ok = ossa_sotc_scan(read_at, scan, scan->file.size, NULL, add_found, error);
    progress_hide(&scan->progress);
    if (ok && scan->out_of_memory)
        return say(error, OSSA_CODE_OUT_OF_MEMORY, "no memory for the list");
    return ok;
}

/* Nothing of it is kept. */
static void count_found(void *user, const ossa_sotc_found *found)
{
    struct scan *scan = user;
    (void)found;
    scan->count++;
}

/* Is there something to be found near the start of a file? */
static bool scan_is_promising(const char *path)
{
    struct scan scan = {.count = 0};
    struct os_why why;
    if (!os_open_random(path, &scan.file, &why)) return false;
    uint64_t size = scan.file.size < MEBIBYTE ? scan.file.size : MEBIBYTE;
    bool ok = ossa_sotc_scan(read_at, &scan, size, NULL, count_found, NULL);
    os_close_random(&scan.file);
    return ok && scan.count > 0;
}

void hint_at_scan(const char *path, const ossa_error *error)
{
    bool is_unknown = error->code == OSSA_CODE_UNKNOWN_FORMAT || error->code == OSSA_CODE_LIMIT;
    if (!is_unknown || !scan_is_promising(path)) return;
    complain("%s: it holds files of Shadow of the Colossus: `ossa list` finds them", path);
}

/* ---- entries ------------------------------------------------------------------------------- */

/* "0x12800" and "0x12800.anb"; false: it is none. */
static bool read_offset(const char *name, uint64_t *offset)
{
    if (name[0] != '0' || (name[1] != 'x' && name[1] != 'X')) return false;
    const char *c = name + 2;
    *offset = 0;
    for (; isxdigit((unsigned char)*c); c++) {
        const char *digits = "0123456789abcdef";
        if (*offset >> 60 != 0) return false;
        *offset = *offset << 4 | (uint64_t)(strchr(digits, tolower((unsigned char)*c)) - digits);
    }
    return c > name + 2 && (*c == '\0' || *c == '.' || *c == '#');
}

bool scan_is_name(const char *name)
{
    uint64_t offset;
    return read_offset(name, &offset);
}

int64_t scan_find(struct scan *scan, const char *name)
{
    uint64_t offset;
    ossa_sotc_found found;
    if (!read_offset(name, &offset)) return -1;
    for (size_t i = 0; i < scan->count; i++) {
        if (scan->items[i]->found.offset == offset) return (int64_t)i;
    }
    if (!ossa_sotc_find_at(read_at, scan, scan->file.size, offset, &found)) return -1;
    size_t before = scan->count;
    add_found(scan, &found);
    return scan->count > before ? (int64_t)before : -1;
}

static void release(void *user, void *memory, size_t size)
{
    (void)user;
    (void)size;
    free(memory);
}

const ossa_sotc_found *scan_found(const struct scan *scan, size_t index)
{
    return &scan->items[index]->found;
}

bool scan_bytes(struct scan *scan, size_t index, const ossa_options *options, ossa_bytes *bytes,
                ossa_error *error)
{
    const ossa_sotc_found *found = &scan->items[index]->found;
    *bytes = (ossa_bytes){.allocator.release = release};
    if (found->size > options->max_input || found->size >= SIZE_MAX) {
        char text[160];
        (void)snprintf(text, sizeof text,
                       "has %" PRIu64 " bytes, more than the limit of %" PRIu64
                       " bytes; --max-size raises it",
                       found->size, options->max_input);
        return say(error, OSSA_CODE_LIMIT, text);
    }
    uint8_t *data = malloc((size_t)found->size);
    if (data == NULL) return say(error, OSSA_CODE_OUT_OF_MEMORY, "does not fit in memory");
    if (!os_read_at(&scan->file, found->offset, data, (size_t)found->size)) {
        free(data);
        return say(error, OSSA_CODE_IO, "cannot be read");
    }
    bytes->owned = data;
    bytes->data = data;
    bytes->size = (size_t)found->size;
    return true;
}
