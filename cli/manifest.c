/* SPDX-License-Identifier: MIT */
#include "manifest.h"

#include "base/fold.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool is_folder_name(const char *entry)
{
    size_t size = strlen(entry);
    return size > 0 && (entry[size - 1] == '/' || entry[size - 1] == '\\');
}

void manifest_add(struct manifest *manifest, uint32_t time, const char *file, const char *name)
{
    manifest->lines = make_room(manifest->lines, manifest->count, sizeof *manifest->lines);
    manifest->lines[manifest->count++] =
        (struct manifest_line){time, copy_text(file), copy_text(name)};
}

void manifest_free(struct manifest *manifest)
{
    for (size_t i = 0; i < manifest->count; i++) {
        free(manifest->lines[i].file);
        free(manifest->lines[i].name);
    }
    free(manifest->lines);
    names_free(&manifest->files);
    *manifest = (struct manifest){.count = 0};
}

/* ---- writing ------------------------------------------------------------------------------- */

static char *escape(const char *text)
{
    char *escaped = allocate(strlen(text) + 1, 3);
    for (char *out = escaped; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        bool is_plain = c >= 0x20 && c != 0x7f && c != '%';
        out += snprintf(out, 4, is_plain ? "%c" : "%%%02X", c);
    }
    return escaped;
}

static void put_line(struct os_output *output, const struct manifest_line *line)
{
    char *file = escape(line->file);
    char *name = escape(line->name);
    char *text = format_text("%" PRIu32 "\t%s\t%s\n", line->time, file, name);
    (void)os_write_output(output, text, strlen(text));
    free(text);
    free(name);
    free(file);
}

static bool write_manifest(const struct manifest *manifest, const struct os_folder *out,
                           const char *relative, const char *folder)
{
    struct os_output output;
    struct os_why why;
    char *name = relative[0] == '\0' ? copy_text(MANIFEST_NAME) : path_in(relative, MANIFEST_NAME);
    char *path = path_in(folder, MANIFEST_NAME);
    bool ok = os_open_output_below(&output, out, name, &why);
    if (!ok) {
        (void)complain_output(path, &why);
    } else {
        char head[64];
        (void)snprintf(head, sizeof head, "ossa archive 1 %s\n", manifest->kind);
        (void)os_write_output(&output, head, strlen(head));
        for (size_t i = 0; i < manifest->count; i++) put_line(&output, &manifest->lines[i]);
        ok = close_output(&output, path, true);
    }
    free(path);
    free(name);
    return ok;
}

/* ---- reading ------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* In place; false if a % is not followed by two digits, or means a NUL. */
static bool unescape(char *text)
{
    char *out = text;
    for (; *text != '\0'; text++) {
        if (*text != '%') {
            *out++ = *text;
            continue;
        }
        int high = hex_digit(text[1]);
        int low = high < 0 ? -1 : hex_digit(text[2]);
        if (low < 0 || (high == 0 && low == 0)) return false;
        *out++ = (char)(high * 16 + low);
        text += 2;
    }
    *out = '\0';
    return true;
}

/* Does a path stay below the folder, on any system? */
static bool is_below(const char *file)
{
    if (strpbrk(file, ":\\") != NULL) return false;
    while (true) {
        size_t size = strcspn(file, "/");
        bool is_dots = file[0] == '.' && (size == 1 || (size == 2 && file[1] == '.'));
        if (size == 0 || is_dots) return false;
        if (file[size] == '\0') return true;
        file += size + 1;
    }
}

static bool parse_line(struct manifest *manifest, char *line)
{
    char *end;
    unsigned long long time = strtoull(line, &end, 10);
    if (end == line || *end != '\t' || time > UINT32_MAX) return false;
    char *file = end + 1;
    char *tab = strchr(file, '\t');
    if (tab == NULL) return false;
    *tab = '\0';
    char *name = tab + 1;
    if (!unescape(file) || !unescape(name) || !is_below(file)) return false;
    manifest_add(manifest, (uint32_t)time, file, name);
    return true;
}

/* A NUL in the text makes its line invalid; `end_of_all` is the real end. */
static bool parse(struct manifest *manifest, char *text, const char *end_of_all, const char *path)
{
    static const char head[] = "ossa archive 1 ";
    size_t number = 1;
    for (char *line = text; number == 1 || line < end_of_all; number++) {
        char *end = line + strcspn(line, "\n");
        char *next = end < end_of_all ? end + 1 : end;
        bool has_nul = *end == '\0' && end < end_of_all;
        *end = '\0';
        if (end > line && end[-1] == '\r') end[-1] = '\0'; /* from an editor; ours are %0D */
        bool ok;
        if (number == 1) {
            ok = strncmp(line, head, sizeof head - 1) == 0;
            (void)snprintf(manifest->kind, sizeof manifest->kind, "%s",
                           ok ? line + sizeof head - 1 : "");
        } else {
            ok = parse_line(manifest, line);
        }
        if (!ok || has_nul) {
            complain("%s: line %zu is invalid", path, number);
            return false;
        }
        line = next;
    }
    return true;
}

/* ---- lookup by file ------------------------------------------------------------------------ */

/* For manifest_has. No file may be listed twice. */
static bool index_files(struct manifest *manifest, const char *path)
{
    for (size_t i = 0; i < manifest->count; i++) {
        const char *file = manifest->lines[i].file;
        if (names_add(&manifest->files, ossa__hash_bytes(file, strlen(file)))) continue;
        complain("%s: lists the file %s twice", path, file);
        return false;
    }
    return true;
}

bool manifest_has(const struct manifest *manifest, const char *file)
{
    return names_has(&manifest->files, ossa__hash_bytes(file, strlen(file)));
}

bool manifest_load(struct manifest *manifest, const char *folder)
{
    char *path = path_in(folder, MANIFEST_NAME);
    size_t size;
    *manifest = (struct manifest){.count = 0};
    bool ok = !os_exists(path);
    char *text = ok ? NULL : read_whole(path, UINT64_C(1) << 30, &size);
    if (text != NULL) {
        ok = parse(manifest, text, text + size, path) && index_files(manifest, path);
        if (!ok) manifest_free(manifest);
    }
    free(text);
    free(path);
    return ok;
}

/* ---- saving over another -------------------------------------------------------------------- */

static int compare_files(const void *a, const void *b)
{
    const struct manifest_line *const *x = a;
    const struct manifest_line *const *y = b;
    return strcmp((*x)->file, (*y)->file);
}

/* Add the lines of an older manifest for other files, which were extracted before. For the same
 * files its lines count, which a user may have edited, unless `force`. Gives the number of lines
 * that it does not have. */
static size_t merge(struct manifest *manifest, struct manifest *old, bool force)
{
    size_t count = manifest->count;
    size_t known = 0;
    struct manifest_line **sorted = allocate(count + 1, sizeof *sorted);
    for (size_t i = 0; i < count; i++) sorted[i] = &manifest->lines[i];
    if (count > 1) qsort(sorted, count, sizeof *sorted, compare_files);
    struct manifest others = {.count = 0};
    for (size_t i = 0; i < old->count; i++) {
        struct manifest_line *line = &old->lines[i];
        struct manifest_line **same =
            count == 0 ? NULL : bsearch(&line, sorted, count, sizeof *sorted, compare_files);
        if (same == NULL) {
            manifest_add(&others, line->time, line->file, line->name);
            continue;
        }
        known++;
        if (force) continue;
        struct manifest_line new = **same;
        **same = *line;
        *line = new;
    }
    free(sorted); /* the lines may move now */
    for (size_t i = 0; i < others.count; i++) {
        const struct manifest_line *line = &others.lines[i];
        manifest_add(manifest, line->time, line->file, line->name);
    }
    manifest_free(&others);
    return count - known;
}

bool manifest_save(struct manifest *manifest, const struct os_folder *out, const char *relative,
                   const char *folder, bool force)
{
    struct manifest old;
    if (!manifest_load(&old, folder)) {
        if (force) return write_manifest(manifest, out, relative, folder);
        complain("%s/%s stays as it is; --force overwrites it", folder, MANIFEST_NAME);
        return false;
    }
    bool is_other = old.kind[0] != '\0' && strcmp(old.kind, manifest->kind) != 0;
    bool ok = true;
    if (is_other && !force) {
        complain("%s/%s is that of another kind of archive and stays as it is; --force overwrites "
                 "it",
                 folder, MANIFEST_NAME);
        ok = false;
    } else if (is_other || old.kind[0] == '\0' || merge(manifest, &old, force) > 0 || force) {
        ok = write_manifest(manifest, out, relative, folder);
    }
    manifest_free(&old);
    return ok;
}
