/* SPDX-License-Identifier: MIT
 *
 * Names from inside files as names of files. They are hostile: see ossa/archive.h. */
#include "ossa/archive.h"

#include "base/text.h"

#include <string.h>

enum { LONGEST = 200 }; /* bytes; most file systems take 255, and something may be put behind it */

/* A text being made, of which only what fits is kept. */
struct output {
    char *text;
    size_t capacity;
    size_t size; /* that it wants to have */
    size_t kept; /* the same until something did not fit; never ends inside a character */
};

static void put(struct output *output, const char *bytes, size_t size)
{
    if (output->kept == output->size && size < output->capacity - output->kept) {
        memcpy(output->text + output->kept, bytes, size);
        output->kept += size;
    }
    output->size += size;
}

static size_t finish(struct output *output)
{
    if (output->capacity > 0) output->text[output->kept] = '\0';
    return output->size;
}

static bool is_forbidden(uint32_t character)
{
    enum { DELETE = 0x7f, CONTROLS_END = 0xa0 }; /* there is a second block of controls */
    if (character < 0x20 || (character >= DELETE && character < CONTROLS_END)) return true;
    return character < DELETE && strchr("/\\:*?\"<>|", (char)character) != NULL;
}

/* The digits behind COM and LPT; three superscripts count too. */
static bool is_port_digit(const char *text, size_t size)
{
    if (size == 1) return text[0] >= '0' && text[0] <= '9';
    return size == 2 && (memcmp(text, "\xc2\xb9", 2) == 0 || memcmp(text, "\xc2\xb2", 2) == 0 ||
                         memcmp(text, "\xc2\xb3", 2) == 0);
}

/* Windows takes these for devices, whatever stands behind a dot or behind spaces. */
static bool is_device(const char *name, size_t size)
{
    static const char *const devices[] = {"con", "prn", "aux", "nul", "conin$", "conout$"};
    size_t stem = 0;
    while (stem < size && name[stem] != '.') stem++;
    while (stem > 0 && name[stem - 1] == ' ') stem--;
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        if (ossa__same_word(name, stem, devices[i], strlen(devices[i]))) return true;
    }
    return stem > 3 && is_port_digit(name + 3, stem - 3) &&
           (ossa__same_word(name, 3, "com", 3) || ossa__same_word(name, 3, "lpt", 3));
}

/* Is it in the middle of a UTF-8 character? */
static bool goes_on(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* At most `most` bytes of a name, and no part of a character at the end. */
static size_t cut(const char *name, size_t size, size_t most)
{
    if (size <= most) return size;
    size_t end = most;
    for (unsigned i = 0; i < 3 && goes_on(name[end]); i++) end--;
    return goes_on(name[end]) ? most : end; /* not UTF-8: any place is as good */
}

static void put_clean(struct output *output, const char *name, size_t size)
{
    if (size == 0) {
        for (const char *c = "unnamed"; *c != '\0'; c++) put(output, c, 1);
        return;
    }
    size = cut(name, size, LONGEST);
    if (is_device(name, size)) {
        put(output, "_", 1);
        size = cut(name, size, LONGEST - 1);
    }
    bool after_dot = true; /* a dot in front hides a file, or leads upwards */
    for (size_t i = 0; i < size;) {
        uint32_t character;
        size_t used = ossa__utf8_decode(name + i, size - i, &character);
        bool is_broken = character == 0xfffd && used == 1;
        /* Windows drops a dot or a space at the end. */
        bool is_bad_end = i + used == size && (character == '.' || character == ' ');
        bool is_bad_dot = after_dot && character == '.';
        bool is_bad = is_broken || is_bad_end || is_bad_dot || is_forbidden(character);
        put(output, is_bad ? "_" : name + i, is_bad ? 1 : used);
        after_dot = character == '.';
        i += used;
    }
}

size_t ossa_file_name(const char *name, char *text, size_t capacity)
{
    struct output output = {.capacity = capacity};
    output.text = text;
    put_clean(&output, name, strlen(name));
    return finish(&output);
}

size_t ossa_entry_path(const char *name, char *text, size_t capacity)
{
    struct output output = {.capacity = capacity};
    output.text = text;
    bool any = false;
    for (const char *part = name; *part != '\0' || !any;) {
        size_t size = strcspn(part, "/\\");
        /* What is between two separators, or before the first, is no folder. */
        if (size > 0 || (part[size] == '\0' && !any)) {
            if (any) put(&output, "/", 1);
            put_clean(&output, part, size);
            any = true;
        }
        part += size;
        while (*part == '/' || *part == '\\') part++;
        if (*part == '\0' && any) break;
    }
    return finish(&output);
}
