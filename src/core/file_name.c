/* SPDX-License-Identifier: MIT
 *
 * Names from inside files as names of files. They are hostile: see ossa/archive.h. */
#include "ossa/archive.h"

#include "core/text.h"

#include <string.h>

enum { LONGEST = 200 }; /* bytes; most file systems take 255, and something may be put behind it */

/* A text being made, of which only what fits is kept. */
struct output {
    char *text;
    size_t capacity;
    size_t size; /* that it wants to have */
};

static void put(struct output *output, char c)
{
    if (output->size + 1 < output->capacity) output->text[output->size] = c;
    output->size++;
}

static size_t finish(struct output *output)
{
    if (output->capacity > 0) {
        size_t end = output->size < output->capacity ? output->size : output->capacity - 1;
        output->text[end] = '\0';
    }
    return output->size;
}

static bool is_forbidden(char c)
{
    return (unsigned char)c < 0x20 || c == 0x7f || strchr("/\\:*?\"<>|", c) != NULL;
}

/* Windows takes these for devices, whatever stands behind a dot. */
static bool is_device(const char *name, size_t size)
{
    static const char *const devices[] = {"con", "prn", "aux", "nul", "conin$", "conout$"};
    size_t stem = 0;
    while (stem < size && name[stem] != '.') stem++;
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        if (ossa__same_word(name, stem, devices[i], strlen(devices[i]))) return true;
    }
    bool is_port = stem == 4 && name[3] >= '0' && name[3] <= '9' &&
                   (ossa__same_word(name, 3, "com", 3) || ossa__same_word(name, 3, "lpt", 3));
    return is_port;
}

/* Is it in the middle of a UTF-8 character? */
static bool goes_on(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

static void put_clean(struct output *output, const char *name, size_t size)
{
    if (size > LONGEST) {
        size = LONGEST;
        while (size > 0 && goes_on(name[size])) size--;
    }
    if (size == 0) {
        for (const char *c = "unnamed"; *c != '\0'; c++) put(output, *c);
        return;
    }
    if (is_device(name, size)) put(output, '_');
    for (size_t i = 0; i < size; i++) {
        char c = name[i];
        /* A dot in front hides a file, or leads upwards; at the end Windows drops it, and a space.
         */
        bool is_bad_end = i + 1 == size && (c == '.' || c == ' ');
        put(output, is_forbidden(c) || (i == 0 && c == '.') || is_bad_end ? '_' : c);
    }
}

size_t ossa_file_name(const char *name, char *text, size_t capacity)
{
    struct output output = {text, capacity, 0};
    put_clean(&output, name, strlen(name));
    return finish(&output);
}

size_t ossa_entry_path(const char *name, char *text, size_t capacity)
{
    struct output output = {text, capacity, 0};
    bool any = false;
    for (const char *part = name; *part != '\0' || !any;) {
        size_t size = strcspn(part, "/\\");
        /* What is between two separators, or before the first, is no folder. */
        if (size > 0 || (part[size] == '\0' && !any)) {
            if (any) put(&output, '/');
            put_clean(&output, part, size);
            any = true;
        }
        part += size;
        while (*part == '/' || *part == '\\') part++;
        if (*part == '\0' && any) break;
    }
    return finish(&output);
}
