/* SPDX-License-Identifier: MIT
 *
 * Any bytes as JSON. What builds must write a file that reads back to the same JSON and bytes. */
#include "target.h"

#include "ossa/ossa.h"

#include <string.h>

static ossa_buffer bytes_of(const ossa_file *file)
{
    ossa_buffer out = {0};
    ossa_error error;
    REQUIRE(ossa_write(file, ossa_buffer_sink(&out), &error), error.message);
    return out;
}

static ossa_buffer json_of(const ossa_file *file)
{
    ossa_buffer out = {0};
    ossa_error error;
    REQUIRE(ossa_dump(file, OSSA_JSON_STYLE_LINE, ossa_buffer_sink(&out), &error), error.message);
    return out;
}

static void require_same(ossa_buffer *a, ossa_buffer *b, const char *why)
{
    REQUIRE(a->size == b->size, why);
    REQUIRE(a->size == 0 || memcmp(a->data, b->data, a->size) == 0, why);
    ossa_buffer_free(a);
    ossa_buffer_free(b);
}

static void check_reading_back(ossa_file *built)
{
    ossa_mm_anim *anim = ossa_as_mm_anim(built);
    ossa_options options = {.format = built->format->id};
    if (anim != NULL) options.dialect = ossa_mm_dialect_name(anim->dialect);
    ossa_buffer bytes = bytes_of(built);
    ossa_error error;
    ossa_file *read = ossa_read(bytes.data, bytes.size, &options, &error);
    REQUIRE(read != NULL, error.message);
    ossa_buffer json = json_of(built);
    ossa_buffer json_again = json_of(read);
    require_same(&json, &json_again, "the file that was built dumps differently");
    ossa_buffer bytes_again = bytes_of(read);
    ossa_file_free(read); /* it refers to `bytes` */
    require_same(&bytes, &bytes_again, "the file that was built writes other bytes");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ossa_error error;
    ossa_file *file = ossa_build((const char *)data, size, NULL, &error);
    if (file == NULL) {
        REQUIRE(error.code != OSSA_CODE_OK && error.message[0] != '\0',
                "a failure without a reason");
        return 0;
    }
    check_reading_back(file);
    ossa_file_free(file);
    return 0;
}
