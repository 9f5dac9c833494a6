/* SPDX-License-Identifier: MIT */
#include "support/refusals.h"

#include <stdio.h>
#include <string.h>

void require_write_refused(const ossa_file *file, const char *field)
{
    ossa_buffer buffer = {0};
    ossa_error error;
    assert_false(ossa_write(file, ossa_buffer_sink(&buffer), &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_ARGUMENT);
    assert_string_equal(error.field, field);
    ossa_buffer_free(&buffer);
}

ossa_file *build_data(const char *format, unsigned size, const char *data, ossa_error *error)
{
    char start[96];
    (void)snprintf(start, sizeof start,
                   "{\"ossa\":1,\"format\":\"%s\",\"size\":%u,\"data\":", format, size);
    struct bytes json = {0};
    put_text(&json, start);
    put_text(&json, data);
    put_text(&json, "}");
    ossa_file *file = ossa_build((const char *)json.data, json.size, NULL, error);
    bytes_free(&json);
    return file;
}

void require_data_refused(const char *format, unsigned size, const char *data, ossa_code code,
                          const char *field)
{
    ossa_error error;
    require(build_data(format, size, data, &error) == NULL, data, "is built");
    require(error.code == code, data, "%s", ossa_code_name(error.code));
    require(strcmp(error.field, field) == 0, data, "in %s", error.field);
}

void require_edit_refused(const char *fixture, const char *from, const char *to, const char *field,
                          const char *message)
{
    ossa_file *file = read_fixture(fixture_find(fixture));
    struct bytes json = dump_or_fail(fixture, file, OSSA_JSON_STYLE_LINE);
    ossa_file_free(file);
    put_u8(&json, 0);
    const char *text = (const char *)json.data;
    const char *found = strstr(text, from);
    require(found != NULL, from, "is not in the JSON");
    struct bytes changed = bytes_copy(text, (size_t)(found - text));
    put_text(&changed, to);
    put_text(&changed, found + strlen(from));
    ossa_error error;
    assert_null(ossa_build((const char *)changed.data, changed.size, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_JSON);
    assert_string_equal(error.field, field);
    require(strstr(error.message, message) != NULL, from, "%s", error.message);
    bytes_free(&changed);
    bytes_free(&json);
}
