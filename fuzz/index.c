/* SPDX-License-Identifier: MIT
 *
 * Any bytes as the index of an archive. The checksums are put right, so that what they protect is
 * looked at. */
#include "target.h"

#include "archive/inflate_plain.h"
#include "base/bytes.h"
#include "codec/format.h"
#include "ossa/ossa.h"

#include <string.h>

enum { CONTAINER = 0x98, COUNT = 3, STEP = 200, HEADER_SIZE = 0x20, MOST = 1 << 16 };

/* Containers without contents. */
static void make_archive(uint8_t archive[COUNT * STEP])
{
    memset(archive, 0, (size_t)COUNT * STEP);
    for (unsigned i = 0; i < COUNT; i++) {
        uint8_t *container = archive + (size_t)STEP * i;
        memcpy(container, "xff2", 4);
        ossa__store_u32(container + 0x14, CONTAINER);
        ossa__store_u32(container + 0x40, 1);
        ossa__store_u32(container + 0x5c, 0x70);
        ossa__store_u32(container + 0x68, 0x90);
    }
}

static void check_entries(const ossa_file *file, uint64_t size)
{
    for (size_t i = 0; i < ossa_entry_count(file); i++) {
        const ossa_entry *entry = ossa_entry_at(file, i);
        ossa_bytes bytes;
        ossa_error error;
        REQUIRE(entry->name[0] != '\0', "an entry without a name");
        REQUIRE(entry->offset <= size && entry->size <= size - entry->offset,
                "an entry that is not in the archive");
        bool ok = ossa_entry_bytes(file, i, NULL, &bytes, &error);
        REQUIRE(ok || error.message[0] != '\0', "a failure that says nothing");
        REQUIRE(!ok || bytes.size < 3 || memcmp(bytes.data, "xff", 3) == 0, "not what was listed");
        if (ok) ossa_bytes_free(&bytes);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t archive[COUNT * STEP];
    ossa_error error;
    if (size > MOST) return 0;
    uint8_t *index = malloc(size + 1);
    REQUIRE(index != NULL, "no memory");
    if (size > 0) memcpy(index, data, size);
    make_archive(archive);
    if (size > HEADER_SIZE + 4) {
        memcpy(index, "ossaidx\n\1\0\0", 12);
        ossa__store_u32(index + 0x0c, ossa__crc32(0, archive, sizeof archive));
        ossa__store_u64(index + 0x10, sizeof archive);
        ossa__store_u32(index + size - 4, ossa__crc32(0, index, size - 4));
    }
    const ossa_options options = {.format = "sotc-nico", .index = index, .index_size = size};
    ossa_file *file = ossa_read(archive, sizeof archive, &options, &error);
    free(index); /* it is used only during the call */
    REQUIRE(file != NULL, "an index keeps an archive from being read");
    check_entries(file, sizeof archive);
    if (file->warning_count == 0) {
        ossa_buffer again = {0};
        REQUIRE(ossa_write_index(file, ossa_buffer_sink(&again), &error), error.message);
        ossa_buffer_free(&again);
    } else {
        REQUIRE(ossa_entry_count(file) == COUNT, "an index hides what is there");
    }
    ossa_file_free(file);
    return 0;
}
