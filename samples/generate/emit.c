/* SPDX-License-Identifier: MIT */
#include "emit.h"

#include "maths.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <direct.h>
#define mkdir(path, mode) _mkdir(path)
#else
#include <sys/stat.h>
#endif

_Noreturn void fail(const char *what, const char *name)
{
    (void)fprintf(stderr, "make_samples: %s: %s\n", name, what);
    exit(EXIT_FAILURE);
}

void put_u8(struct bytes *bytes, uint32_t value)
{
    if (bytes->size == bytes->capacity) {
        size_t capacity = bytes->capacity == 0 ? 1024 : 2 * bytes->capacity;
        uint8_t *data = realloc(bytes->data, capacity);
        if (data == NULL) fail("out of memory", "bytes");
        bytes->data = data;
        bytes->capacity = capacity;
    }
    bytes->data[bytes->size++] = (uint8_t)(value & 0xff);
}

void put_u16(struct bytes *bytes, uint32_t value)
{
    put_u8(bytes, value);
    put_u8(bytes, value >> 8);
}

void put_i16(struct bytes *bytes, long value)
{
    if (value < INT16_MIN || value > INT16_MAX) fail("a number does not fit in 16 bits", "put_i16");
    put_u16(bytes, (uint32_t)value);
}

void put_u32(struct bytes *bytes, uint32_t value)
{
    put_u16(bytes, value);
    put_u16(bytes, value >> 16);
}

void put_f32(struct bytes *bytes, double value)
{
    float rounded = (float)snap(value);
    uint32_t bits;
    memcpy(&bits, &rounded, sizeof bits);
    put_u32(bytes, bits);
}

void put_text(struct bytes *bytes, const char *text)
{
    for (; *text != '\0'; text++) put_u8(bytes, (unsigned char)*text);
}

void put_zeros(struct bytes *bytes, size_t count)
{
    for (; count > 0; count--) put_u8(bytes, 0);
}

void put_padding(struct bytes *bytes, size_t alignment)
{
    while (bytes->size % alignment != 0) put_u8(bytes, 0);
}

void set_u16(struct bytes *bytes, size_t offset, uint32_t value)
{
    bytes->data[offset] = (uint8_t)(value & 0xff);
    bytes->data[offset + 1] = (uint8_t)(value >> 8 & 0xff);
}

void set_u32(struct bytes *bytes, size_t offset, uint32_t value)
{
    set_u16(bytes, offset, value);
    set_u16(bytes, offset + 2, value >> 16);
}

void put_bytes(struct bytes *bytes, const struct bytes *more)
{
    for (size_t i = 0; i < more->size; i++) put_u8(bytes, more->data[i]);
}

/* ---- what is kept -------------------------------------------------------------------------- */

enum { MAX_KEPT = 512 };

static struct kept all_kept[MAX_KEPT];
static size_t all_kept_count;

void keep(struct bytes *bytes, const char *name)
{
    if (all_kept_count == MAX_KEPT) fail("too many files", name);
    struct kept *kept = &all_kept[all_kept_count++];
    int length = snprintf(kept->name, sizeof kept->name, "%s", name);
    if (length < 0 || (size_t)length >= sizeof kept->name) fail("the name is too long", name);
    kept->bytes = *bytes;
    *bytes = (struct bytes){0};
}

size_t kept_count(void)
{
    return all_kept_count;
}

const struct kept *kept_file(size_t index)
{
    return &all_kept[index];
}

const struct bytes *find_kept(const char *name)
{
    for (size_t i = 0; i < all_kept_count; i++) {
        if (strcmp(all_kept[i].name, name) == 0) return &all_kept[i].bytes;
    }
    fail("no such file was made", name);
}

/* ---- to the disk --------------------------------------------------------------------------- */

/* Every folder on the way to the file; those that are there already are fine. */
static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST) fail(strerror(errno), path);
        *slash = '/';
    }
}

void save(struct bytes *bytes, const char *root, const char *name)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s", root, name);
    if (length < 0 || (size_t)length >= sizeof path) fail("the path is too long", name);
    make_folders(path);
    FILE *file = fopen(path, "wb");
    if (file == NULL) fail(strerror(errno), path);
    if (fwrite(bytes->data, 1, bytes->size, file) != bytes->size) fail("cannot write", path);
    if (fclose(file) != 0) fail("cannot write", path);
    keep(bytes, name);
}
