/* SPDX-License-Identifier: MIT
 *
 * The two containers of a glTF. A GLB is
 *
 *     u32 magic "glTF", u32 version 2, u32 size of all; per chunk: u32 size, u32 type, bytes
 *
 * of which the first chunk is the document and the second, if its type is BIN, the first buffer.
 * Others are passed over. Everything else is the document itself, as text. */
#include "import/gltf_file.h"

#include "codec/reader.h"

#include <inttypes.h>

#define MAGIC UINT32_C(0x46546c67)
#define JSON  UINT32_C(0x4e4f534a)
#define BIN   UINT32_C(0x004e4942)

enum { HEADER = 12 };

static bool read_header(struct ossa__reader *r, uint64_t size)
{
    (void)ossa__read_u32(r, "magic");
    uint32_t version = ossa__read_u32(r, "version");
    uint32_t length = ossa__read_u32(r, "length");
    if (r->context->failed) return false;
    if (version != 2) {
        return ossa__fail(r->context, OSSA_CODE_BAD_VALUE, 4, "version",
                          "is glTF %" PRIu32 ", expected 2", version);
    }
    if (length < HEADER || length > size) {
        return ossa__fail(r->context, OSSA_CODE_SIZE_MISMATCH, 8, "length",
                          "says %" PRIu32 " bytes, and the file has %" PRIu64, length, size);
    }
    if (length < size) {
        ossa__issue(r->context, OSSA_SEVERITY_REMARK, OSSA_CODE_TRAILING_BYTES, length, "",
                    "%" PRIu64 " bytes follow the end of the GLB", size - length);
    }
    r->end = length;
    return true;
}

static bool read_chunks(struct ossa__gltf_file *file, struct ossa__reader *r)
{
    for (uint64_t i = 0; i < 2 && (i == 0 || ossa__left(r) > 0); i++) {
        ossa__enter(r->context, "chunks", i);
        uint32_t size = ossa__read_u32(r, "size");
        uint64_t at = r->position;
        uint32_t type = ossa__read_u32(r, "type");
        const uint8_t *bytes = ossa__read_untraced(r, "bytes", size);
        if (!r->context->failed && i == 0 && type != JSON) {
            ossa__fail(r->context, OSSA_CODE_BAD_VALUE, at, "type",
                       "found 0x%08" PRIx32 ", expected 0x%08" PRIx32 " (JSON)", type, JSON);
        }
        ossa__leave(r->context);
        if (r->context->failed) return false;
        if (i == 0) {
            file->text = (const char *)bytes;
            file->text_size = size;
        } else if (type == BIN) {
            file->bin = bytes;
            file->bin_size = size;
        }
    }
    return true;
}

bool ossa__read_gltf_container(struct ossa__gltf_file *file, const uint8_t *data, size_t size)
{
    file->text = (const char *)data;
    file->text_size = size;
    if (ossa__peek_u32(data, size, 0) == MAGIC) {
        struct ossa__reader reader;
        ossa__reader_init(&reader, file->context, data, size);
        if (!read_header(&reader, size) || !read_chunks(file, &reader)) return false;
        /* Padded with spaces; some programs take zeros. */
        while (file->text_size > 0 && file->text[file->text_size - 1] == '\0') file->text_size--;
    }
    if (file->text_size > 0) return true;
    return ossa__fail_nowhere(file->context, OSSA_CODE_EMPTY_FILE, "", "the document is empty");
}
