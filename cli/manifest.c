/* SPDX-License-Identifier: MIT */
#include "manifest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool manifest_add(struct manifest *manifest, uint32_t time, const char *file, const char *name)
{
    bool is_full = (manifest->count & (manifest->count - 1)) == 0; /* doubles: 0, 1, 2, 4, ... */
    size_t capacity = manifest->count == 0 ? 1 : 2 * manifest->count;
    if (is_full) {
        struct manifest_line *lines = realloc(manifest->lines, capacity * sizeof *lines);
        if (lines == NULL) return false;
        manifest->lines = lines;
    }
    struct manifest_line line = {time, strdup(file), strdup(name)};
    if (line.file == NULL || line.name == NULL) {
        free(line.file);
        free(line.name);
        return false;
    }
    manifest->lines[manifest->count++] = line;
    return true;
}

void manifest_free(struct manifest *manifest)
{
    for (size_t i = 0; i < manifest->count; i++) {
        free(manifest->lines[i].file);
        free(manifest->lines[i].name);
    }
    free(manifest->lines);
    free(manifest->sorted);
    *manifest = (struct manifest){.count = 0};
}

/* ---- writing ------------------------------------------------------------------------------- */

static void put_escaped(struct os_output *output, const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        char escaped[4];
        bool is_plain = c >= 0x20 && c != 0x7f && c != '%';
        (void)snprintf(escaped, sizeof escaped, is_plain ? "%c" : "%%%02X", c);
        (void)os_write_output(output, escaped, strlen(escaped));
    }
}

bool manifest_save(const struct manifest *manifest, const char *folder)
{
    struct os_output output;
    struct os_why why;
    char *path = os_prepare_below(folder, MANIFEST_NAME, false, &why);
    if (path == NULL) complain("%s: %s", folder, why.text);
    if (path == NULL || !open_output(&output, path)) {
        free(path);
        return false;
    }
    char line[64];
    (void)snprintf(line, sizeof line, "ossa archive 1 %s\n", manifest->format);
    (void)os_write_output(&output, line, strlen(line));
    for (size_t i = 0; i < manifest->count; i++) {
        const struct manifest_line *item = &manifest->lines[i];
        (void)snprintf(line, sizeof line, "%" PRIu32 "\t", item->time);
        (void)os_write_output(&output, line, strlen(line));
        put_escaped(&output, item->file);
        (void)os_write_output(&output, "\t", 1);
        put_escaped(&output, item->name);
        (void)os_write_output(&output, "\n", 1);
    }
    bool ok = close_output(&output, path, true);
    free(path);
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
    unsigned long time = strtoul(line, &end, 10);
    if (end == line || *end != '\t' || time > UINT32_MAX) return false;
    char *file = end + 1;
    char *tab = strchr(file, '\t');
    if (tab == NULL) return false;
    *tab = '\0';
    char *name = tab + 1;
    if (!unescape(file) || !unescape(name) || !is_below(file)) return false;
    return manifest_add(manifest, (uint32_t)time, file, name);
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
            (void)snprintf(manifest->format, sizeof manifest->format, "%s",
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

/* ---- lookup by file
 * ------------------------------------------------------------------------------- */

static int compare_files(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* For manifest_names. No file may be listed twice. */
static bool sort_files(struct manifest *manifest, const char *path)
{
    manifest->sorted = calloc(manifest->count + 1, sizeof *manifest->sorted);
    if (manifest->sorted == NULL) {
        complain("%s: does not fit in memory", path);
        return false;
    }
    for (size_t i = 0; i < manifest->count; i++) manifest->sorted[i] = manifest->lines[i].file;
    if (manifest->count > 1) {
        qsort(manifest->sorted, manifest->count, sizeof *manifest->sorted, compare_files);
    }
    for (size_t i = 1; i < manifest->count; i++) {
        if (strcmp(manifest->sorted[i - 1], manifest->sorted[i]) != 0) continue;
        complain("%s: lists the file %s twice", path, manifest->sorted[i]);
        return false;
    }
    return true;
}

bool manifest_names(const struct manifest *manifest, const char *file)
{
    return manifest->count > 0 && bsearch(&file, manifest->sorted, manifest->count,
                                          sizeof *manifest->sorted, compare_files) != NULL;
}

bool manifest_load(struct manifest *manifest, const char *folder)
{
    struct os_bytes bytes;
    struct os_why why;
    char *path = path_in(folder, MANIFEST_NAME);
    *manifest = (struct manifest){.count = 0};
    if (path == NULL || !os_exists(path)) {
        free(path);
        return true;
    }
    bool ok = os_read_file(path, UINT64_C(1) << 30, &bytes, &why);
    char *text = ok ? calloc(bytes.size + 1, 1) : NULL;
    if (!ok) complain("%s: %s", path, why.text);
    if (text != NULL) {
        if (bytes.size > 0) memcpy(text, bytes.data, bytes.size);
        ok = parse(manifest, text, text + bytes.size, path) && sort_files(manifest, path);
    } else if (ok) {
        complain("%s: does not fit in memory", path);
        ok = false;
    }
    free(text);
    if (!ok) manifest_free(manifest);
    os_free_bytes(&bytes);
    free(path);
    return ok;
}
