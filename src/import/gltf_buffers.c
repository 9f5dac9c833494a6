/* SPDX-License-Identifier: MIT
 *
 * Where the bytes of a glTF come from: the second chunk of a GLB, a file beside it, or text in
 * base64. Only buffers that something needs are looked at. */
#include "import/gltf_file.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct buffer {
    const uint8_t *bytes;
    uint64_t size;
};

/* ---- base64 -------------------------------------------------------------------------------- */

static int digit_of(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static bool decode_base64(const struct ossa__value *uri, const char *text, size_t size,
                          uint8_t *out)
{
    uint32_t bits = 0;
    unsigned bit_count = 0;
    for (size_t i = 0; i < size; i++) {
        int digit = digit_of(text[i]);
        if (digit < 0) {
            return ossa__value_fail(uri, "character %zu of the base64 is not one of its digits", i);
        }
        bits = bits << 6 | (uint32_t)digit;
        bit_count += 6;
        if (bit_count < 8) continue;
        bit_count -= 8;
        *out++ = (uint8_t)(bits >> bit_count);
    }
    return true;
}

/* data:TYPE;base64,DIGITS */
static bool read_data(const struct ossa__value *uri, const char *text, size_t size,
                      struct buffer *buffer)
{
    static const char marker[] = ";base64";
    const size_t marker_size = sizeof marker - 1;
    const char *comma = memchr(text, ',', size);
    size_t head = comma == NULL ? 0 : (size_t)(comma - text);
    if (head < marker_size || memcmp(comma - marker_size, marker, marker_size) != 0) {
        return ossa__value_fail(uri, "is a data URI that is not in base64");
    }
    text += head + 1;
    size -= head + 1;
    for (unsigned i = 0; i < 2 && size % 4 != 1 && size > 0 && text[size - 1] == '='; i++) size--;
    uint64_t decoded = (uint64_t)size / 4 * 3 + (size % 4 > 1 ? size % 4 - 1 : 0);
    uint8_t *bytes = ossa__take_scratch(uri->context, decoded, 1);
    if (bytes == NULL || !decode_base64(uri, text, size, bytes)) return false;
    *buffer = (struct buffer){bytes, decoded};
    return true;
}

/* ---- files --------------------------------------------------------------------------------- */

static int hex_of(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* A name must stay in the folder, and be one on every system. */
static bool is_name(const char *name, size_t size)
{
    if (size == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return false;
    for (size_t i = 0; i < size; i++) {
        if ((uint8_t)name[i] < 0x20 || strchr("/\\:", name[i]) != NULL) return false;
    }
    return ossa__utf8_is_valid(name, size);
}

/* The file that a URI names, its %XX decoded once; NULL after a failure. */
static const char *name_of(const struct ossa__value *uri, const char *text, size_t size)
{
    char *name = ossa__take_scratch(uri->context, (uint64_t)size + 1, 1);
    if (name == NULL) return NULL;
    size_t used = 0;
    for (size_t i = 0; i < size; i++) {
        int high = text[i] == '%' && size - i > 2 ? hex_of(text[i + 1]) : -1;
        int low = high < 0 ? -1 : hex_of(text[i + 2]);
        name[used++] = (char)(low < 0 ? text[i] : high << 4 | low);
        if (low >= 0) i += 2;
    }
    name[used] = '\0';
    if (is_name(name, used)) return name;
    ossa__value_fail(uri, "must be the name of a file beside this one, without folders");
    return NULL;
}

/* What is fetched is input: it may take as much memory as the file itself. */
static void raise_limit(struct ossa__context *context, size_t size)
{
    uint64_t *limit = &context->options.max_memory;
    uint64_t more;
    (void)ossa__multiply(size, 32, &more);
    *limit = ossa__size_plus(*limit, more);
}

static bool fail_to_fetch(const struct ossa__value *uri, const char *name)
{
    char field[OSSA_FIELD_CAPACITY];
    (void)snprintf(field, sizeof field, "buffers[%zu].uri", uri->parent->index);
    return ossa__fail_nowhere(uri->context, OSSA_CODE_MISSING_PART, field,
                              "'%.*s' is missing or cannot be read; it belongs beside the file",
                              (int)ossa__gltf_cut(name, strlen(name), 200), name);
}

static bool fetch(struct ossa__gltf_file *file, const struct ossa__value *uri, const char *text,
                  size_t size, struct buffer *buffer)
{
    const char *name = name_of(uri, text, size);
    if (name == NULL) return false;
    struct ossa__gltf_fetched *fetched = file->fetched;
    struct ossa__gltf_fetched *end = fetched + file->fetched_count;
    while (fetched < end && strcmp(fetched->name, name) != 0) fetched++;
    if (fetched == end) {
        if (file->fetched_count == OSSA__GLTF_MOST_FILES) {
            return ossa__value_fail(uri, "is one of more than %d files", OSSA__GLTF_MOST_FILES);
        }
        *fetched = (struct ossa__gltf_fetched){.name = name};
        bool ok =
            file->fetch != NULL && file->fetch(file->user, name, &fetched->bytes, &fetched->size);
        if (!ok) return fail_to_fetch(uri, name);
        file->fetched_count++;
        raise_limit(file->context, fetched->size);
    }
    *buffer = (struct buffer){fetched->bytes, fetched->size};
    return true;
}

/* ---- buffers and views --------------------------------------------------------------------- */

static bool find_bytes(struct ossa__gltf_file *file, const struct ossa__value *object,
                       uint32_t index, struct buffer *buffer)
{
    struct ossa__value uri = ossa__value_optional(object, "uri");
    if (object->context->failed) return false;
    if (uri.node == NULL) {
        *buffer = (struct buffer){file->bin, file->bin_size};
        if (index == 0 && file->bin != NULL) return true;
        return ossa__value_fail(object, "has neither a uri nor the binary chunk of a GLB");
    }
    size_t size;
    const char *text = ossa__value_text(&uri, &size);
    if (object->context->failed) return false;
    if (size >= 5 && memcmp(text, "data:", 5) == 0) return read_data(&uri, text, size, buffer);
    return fetch(file, &uri, text, size, buffer);
}

static const struct buffer *find_buffer(struct ossa__gltf_file *file,
                                        const struct ossa__value *reference)
{
    uint32_t index;
    if (!ossa__gltf_list_index(&file->buffers, reference, &index)) return NULL;
    if (file->buffers.parsed[index] != NULL) return file->buffers.parsed[index];
    struct ossa__value object = ossa__gltf_list_item(&file->buffers, index);
    struct ossa__value length = ossa__value_member(&object, "byteLength");
    uint64_t size = (uint64_t)ossa__value_integer(&length, 1, INT64_MAX);
    struct buffer *buffer = ossa__take_scratch(file->context, 1, sizeof *buffer);
    if (buffer == NULL || !find_bytes(file, &object, index, buffer)) return NULL;
    if (buffer->size < size) {
        ossa__value_fail(&length, "%" PRIu64 " bytes are needed, and there are %" PRIu64, size,
                         buffer->size);
        return NULL;
    }
    buffer->size = size; /* a chunk is padded */
    file->buffers.parsed[index] = buffer;
    return buffer;
}

const struct ossa__gltf_view *ossa__gltf_view(struct ossa__gltf_file *file,
                                              const struct ossa__value *reference)
{
    enum { LARGEST_STRIDE = 252 };
    uint32_t index;
    if (!ossa__gltf_list_index(&file->views, reference, &index)) return NULL;
    if (file->views.parsed[index] != NULL) return file->views.parsed[index];
    struct ossa__value object = ossa__gltf_list_item(&file->views, index);
    if (!ossa__gltf_is_plain(&object)) return NULL;
    struct ossa__value of = ossa__value_member(&object, "buffer");
    struct ossa__value offset_value = ossa__value_optional(&object, "byteOffset");
    struct ossa__value length = ossa__value_member(&object, "byteLength");
    struct ossa__value stride = ossa__value_optional(&object, "byteStride");
    uint64_t offset = (uint64_t)ossa__value_integer(&offset_value, 0, INT64_MAX);
    uint64_t size = (uint64_t)ossa__value_integer(&length, 1, INT64_MAX);
    uint32_t step = 0;
    if (stride.node != NULL) step = (uint32_t)ossa__value_integer(&stride, 4, LARGEST_STRIDE);
    const struct buffer *buffer = find_buffer(file, &of);
    if (buffer == NULL) return NULL;
    if (offset > buffer->size || size > buffer->size - offset) {
        ossa__value_fail(&length,
                         "%" PRIu64 " bytes at %" PRIu64 " extend past the end of the buffer, "
                         "which has %" PRIu64,
                         size, offset, buffer->size);
        return NULL;
    }
    struct ossa__gltf_view *view = ossa__take_scratch(file->context, 1, sizeof *view);
    if (view == NULL) return NULL;
    *view = (struct ossa__gltf_view){buffer->bytes + offset, size, step};
    file->views.parsed[index] = view;
    return view;
}
