/* SPDX-License-Identifier: MIT
 *
 * Any bytes as the sectors of a disc from the descriptors on; the first one says how they are
 * stored. What comes before is empty, so that inputs can be small. */
#include "target.h"

#include "ossa/ossa.h"

#include <string.h>

enum { SECTOR = 2048, FIRST = 16 };

struct image {
    uint8_t *data;
    size_t size;
};

static bool read_at(void *user, uint64_t offset, void *bytes, size_t size)
{
    const struct image *image = user;
    REQUIRE(offset <= image->size && size <= image->size - offset, "a read past the end");
    memcpy(bytes, image->data + offset, size);
    return true;
}

static struct image make_image(const uint8_t *data, size_t size)
{
    static const struct {
        size_t stride;
        size_t data;
    } layouts[] = {{2048, 0}, {2352, 24}, {2352, 16}, {2448, 24}, {2448, 16}, {2336, 8}};
    size_t stride = layouts[data[0] % 6].stride;
    size_t begin = layouts[data[0] % 6].data;
    size_t sectors = FIRST + (size - 1 + SECTOR - 1) / SECTOR;
    struct image image = {calloc(sectors, stride), sectors * stride};
    if (image.data == NULL) return image;
    for (size_t i = 0; i < sectors; i++) {
        uint8_t *sector = image.data + i * stride;
        size_t at = 1 + (i - FIRST) * SECTOR;
        if (begin >= 16) {
            memset(sector + 1, 0xff, 10);
            sector[15] = begin == 16 ? 1 : 2;
        }
        if (i < FIRST || at >= size) continue;
        memcpy(sector + begin, data + at, size - at < SECTOR ? size - at : SECTOR);
    }
    return image;
}

static void check_entry(const ossa_file *file, size_t index)
{
    static const ossa_options options = {.max_input = 1 << 20};
    const ossa_entry *entry = ossa_entry_at(file, index);
    char path[256];
    ossa_bytes bytes;
    ossa_error error;
    uint8_t part[100];
    (void)ossa_entry_path(entry->name, path, sizeof path);
    REQUIRE(path[0] != '\0' && path[0] != '/' && strstr(path, "..") == NULL, "a path leads away");
    bool ok = ossa_entry_bytes(file, index, &options, &bytes, &error);
    REQUIRE(ok || error.message[0] != '\0', "a failure that says nothing");
    REQUIRE(ok || entry->is_missing || entry->size > options.max_input, "bytes cannot be had");
    if (!ok) return;
    REQUIRE(bytes.size == entry->size, "another size than listed");
    size_t at = bytes.size / 3;
    size_t size = bytes.size - at < sizeof part ? bytes.size - at : sizeof part;
    REQUIRE(ossa_entry_read(file, index, at, part, size), "a part cannot be read");
    REQUIRE(size == 0 || memcmp(part, bytes.data + at, size) == 0, "a part has other bytes");
    ossa_bytes_free(&bytes);
}

static void check_disc(const ossa_file *file, const struct image *image)
{
    ossa_buffer out = {0};
    ossa_error error;
    size_t count = ossa_entry_count(file);
    for (size_t i = 0; i < count && i < 64; i++) check_entry(file, i);
    REQUIRE(ossa_write(file, ossa_buffer_sink(&out), &error), error.message);
    REQUIRE(out.size == image->size && memcmp(out.data, image->data, out.size) == 0,
            "writing gives other bytes");
    ossa_buffer_free(&out);
    REQUIRE(ossa_describe(file, ossa_buffer_sink(&out), &error), error.message);
    ossa_buffer_free(&out);
    REQUIRE(ossa_verify(file, NULL, &error), error.message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    struct image image = make_image(data, size);
    if (image.data == NULL) return 0;
    const ossa_source source = {read_at, &image, image.size};
    const ossa_options options = {.format = "iso9660"};
    ossa_error error;
    ossa_file *file = ossa_read_from(&source, &options, &error);
    REQUIRE(file != NULL || error.message[0] != '\0', "a failure without a reason");
    if (file != NULL) check_disc(file, &image);
    ossa_file_free(file);
    free(image.data);
    return 0;
}
