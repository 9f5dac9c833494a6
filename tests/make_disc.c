/* SPDX-License-Identifier: MIT
 *
 * Writes disc images for shell tests:
 *
 *     make_disc [joliet] [xa] [pieces=BYTES] [attributes=SECTORS] [layout=LAYOUT] OUT NAME=FILE...
 *     make_disc [layout=LAYOUT] OUT IMAGE
 *
 * The first makes a file system of the files; NAME may have folders, and a name that ends in
 * "@form2" is stored as sound. The second puts sectors of another layout around an image that has
 * sectors of 2048 bytes. Layouts: 2048 mode1 mode2 2336 mode1-2448 mode2-2448. */
#include "support/disc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop(const char *what, const char *name)
{
    (void)fprintf(stderr, "make_disc: %s: %s\n", what, name);
    exit(1);
}

static struct bytes load(const char *path)
{
    struct bytes bytes = {0};
    uint8_t block[65536];
    size_t size;
    FILE *file = fopen(path, "rb");
    if (file == NULL) stop("cannot be opened", path);
    while ((size = fread(block, 1, sizeof block, file)) > 0) put_bytes(&bytes, block, size);
    if (ferror(file) != 0) stop("cannot be read", path);
    (void)fclose(file);
    return bytes;
}

static enum disc_layout layout_of(const char *name)
{
    for (int i = 0; i < DISC_LAYOUTS; i++) {
        if (strcmp(disc_layout_names[i], name) == 0) return (enum disc_layout)i;
    }
    stop("there is no such layout", name);
    return DISC_2048;
}

/* Take an option; false: it is none. */
static bool take_option(const char *word, struct disc_plan *plan, enum disc_layout *layout)
{
    if (strcmp(word, "joliet") == 0) plan->has_joliet = true;
    else if (strcmp(word, "xa") == 0) plan->has_xa = true;
    else if (strncmp(word, "layout=", 7) == 0) *layout = layout_of(word + 7);
    else if (strncmp(word, "pieces=", 7) == 0) plan->piece_size = strtoul(word + 7, NULL, 10);
    else if (strncmp(word, "attributes=", 11) == 0) {
        plan->attribute_sectors = (uint32_t)strtoul(word + 11, NULL, 10);
    } else return false;
    return true;
}

static struct disc_file take_file(char *word)
{
    static const char form_2[] = "@form2";
    struct disc_file file = {.path = word};
    char *equals = strchr(word, '=');
    if (equals == NULL) stop("is not NAME=FILE", word);
    *equals = '\0';
    struct bytes data = load(equals + 1);
    file.data = data.data;
    file.size = data.size;
    char *end = strstr(word, form_2);
    if (end != NULL && end[sizeof form_2 - 1] == '\0') {
        *end = '\0';
        file.attributes = DISC_FORM_2;
    }
    return file;
}

int main(int count, char **words)
{
    struct disc_plan plan = {.count = 0};
    enum disc_layout layout = DISC_2048;
    int at = 1;
    for (; at < count; at++) {
        if (!take_option(words[at], &plan, &layout)) break;
    }
    if (at + 2 > count) stop("needs an output and its files", "usage");
    const char *output = words[at++];
    struct disc disc = {.form_2_end = 0};
    struct disc_file *files = calloc((size_t)count, sizeof *files);
    if (files == NULL) stop("no memory", output);
    bool is_image = strchr(words[at], '=') == NULL;
    if (is_image) {
        disc.image = load(words[at]);
    } else {
        for (; at < count; at++) files[plan.count++] = take_file(words[at]);
        plan.files = files;
        disc = make_disc(&plan);
    }
    struct bytes bytes = wrap_disc(&disc, layout);
    FILE *file = fopen(output, "wb");
    bool ok = file != NULL && fwrite(bytes.data, 1, bytes.size, file) == bytes.size;
    if (file == NULL || fclose(file) != 0 || !ok) stop("cannot be written", output);
    for (size_t i = 0; i < plan.count; i++) {
        struct bytes data = {.data = (uint8_t *)(uintptr_t)files[i].data};
        bytes_free(&data);
    }
    free(files);
    bytes_free(&bytes);
    bytes_free(&disc.image);
    return 0;
}
