/* SPDX-License-Identifier: MIT */
#include "support/testing.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

void require(bool ok, const char *name, const char *format, ...)
{
    if (ok) return;
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fail_msg("%s: %s", name, text);
}

static void require_no_error(bool ok, const char *name, const char *step, const ossa_error *error)
{
    if (ok) return;
    char text[1024];
    (void)ossa_error_text(error, text, sizeof text);
    fail_msg("%s: %s: %s", name, step, text);
}

ossa_file *read_or_fail(const char *name, const void *data, size_t size,
                        const ossa_options *options)
{
    ossa_error error;
    ossa_file *file = ossa_read(data, size, options, &error);
    require_no_error(file != NULL, name, "read", &error);
    return file;
}

ossa_file *read_fixture(const struct fixture *fixture)
{
    ossa_options options = fixture_options(fixture);
    return read_or_fail(fixture->name, fixture->bytes.data, fixture->bytes.size, &options);
}

ossa_file *read_shifted(const struct fixture *fixture, size_t shift, struct bytes *buffer)
{
    ossa_options options = fixture_options(fixture);
    *buffer = (struct bytes){0};
    put_repeated(buffer, 0xff, shift);
    put_bytes(buffer, fixture->bytes.data, fixture->bytes.size);
    return read_or_fail(fixture->name, buffer->data + shift, fixture->bytes.size, &options);
}

ossa_file *read_and_lose_input(const struct fixture *fixture)
{
    ossa_options options = fixture_options(fixture);
    options.copy = true;
    struct bytes input = bytes_copy(fixture->bytes.data, fixture->bytes.size);
    ossa_file *file = read_or_fail(fixture->name, input.data, input.size, &options);
    memset(input.data, 0xdd, input.size);
    bytes_free(&input);
    return file;
}

bool has_json(const ossa_format *format)
{
    return ossa_format_can(format, OSSA_ABILITY_DUMP) &&
           ossa_format_can(format, OSSA_ABILITY_BUILD);
}

ossa_file *build_or_fail(const char *name, const struct bytes *json)
{
    ossa_error error;
    ossa_file *file = ossa_build((const char *)json->data, json->size, NULL, &error);
    require_no_error(file != NULL, name, "build", &error);
    return file;
}

/* What the library's buffer collected, as our own kind of bytes. */
static struct bytes take_buffer(ossa_buffer *buffer)
{
    struct bytes bytes = bytes_copy(buffer->data, buffer->size);
    ossa_buffer_free(buffer);
    return bytes;
}

struct bytes write_or_fail(const char *name, const ossa_file *file)
{
    ossa_buffer buffer = {0};
    ossa_error error;
    bool ok = ossa_write(file, ossa_buffer_sink(&buffer), &error);
    require_no_error(ok, name, "write", &error);
    return take_buffer(&buffer);
}

struct bytes dump_or_fail(const char *name, const ossa_file *file, ossa_json_style style)
{
    ossa_buffer buffer = {0};
    ossa_error error;
    bool ok = ossa_dump(file, style, ossa_buffer_sink(&buffer), &error);
    require_no_error(ok, name, "dump", &error);
    return take_buffer(&buffer);
}

struct bytes describe_or_fail(const char *name, const ossa_file *file)
{
    ossa_buffer buffer = {0};
    ossa_error error;
    bool ok = ossa_describe(file, ossa_buffer_sink(&buffer), &error);
    require_no_error(ok, name, "describe", &error);
    struct bytes text = take_buffer(&buffer);
    put_u8(&text, 0);
    return text;
}

struct bytes describe_json_or_fail(const char *name, const ossa_file *file)
{
    ossa_buffer buffer = {0};
    ossa_error error;
    bool ok = ossa_describe_json(file, OSSA_JSON_STYLE_LINE, ossa_buffer_sink(&buffer), &error);
    require_no_error(ok, name, "describe as JSON", &error);
    struct bytes text = take_buffer(&buffer);
    put_u8(&text, 0);
    return text;
}

void require_described(const char *fixture, const char *words)
{
    ossa_file *file = read_fixture(fixture_find(fixture));
    struct bytes text = describe_or_fail(fixture, file);
    require(strstr((const char *)text.data, words) != NULL, fixture, "'%s' is not in:\n%s", words,
            (const char *)text.data);
    bytes_free(&text);
    ossa_file_free(file);
}

void require_same(const char *name, const struct bytes *found, const void *data, size_t size)
{
    const uint8_t *wanted = data;
    require(found->size == size, name, "%zu bytes, expected %zu", found->size, size);
    size_t i = 0;
    while (i < size && found->data[i] == wanted[i]) i++;
    require(i == size, name, "byte 0x%zx is 0x%02x, expected 0x%02x", i,
            i < size ? found->data[i] : 0, i < size ? wanted[i] : 0);
}

void require_written(const char *name, const ossa_file *file, const void *data, size_t size)
{
    struct bytes written = write_or_fail(name, file);
    require_same(name, &written, data, size);
    bytes_free(&written);
}

void require_rebuilt(const char *name, const ossa_file *file, ossa_json_style style,
                     const void *data, size_t size)
{
    struct bytes json = dump_or_fail(name, file, style);
    ossa_file *built = build_or_fail(name, &json);
    require_written(name, built, data, size);
    ossa_file_free(built);
    bytes_free(&json);
}

void log_issue(void *user, const ossa_issue *issue)
{
    struct issue_log *log = user;
    const size_t capacity = sizeof log->items / sizeof log->items[0];
    if (log->count < capacity) {
        struct logged_issue *item = &log->items[log->count];
        item->severity = issue->severity;
        item->code = issue->code;
        item->offset = issue->offset;
        (void)snprintf(item->path, sizeof item->path, "%s", issue->path);
        (void)snprintf(item->format, sizeof item->format, "%s", issue->format);
        (void)snprintf(item->field, sizeof item->field, "%s", issue->field);
        (void)snprintf(item->message, sizeof item->message, "%s", issue->message);
    }
    log->count++;
}

void list_field(void *user, const ossa_field *field)
{
    struct field_list *list = user;
    assert_int_equal(field->type, OSSA_FIELD_TYPE_TEXT);
    int n = snprintf(list->text + list->used, sizeof list->text - list->used, "%s<%.*s>",
                     field->path, (int)field->size, (const char *)field->bytes);
    assert_true(n > 0);
    list->used += (size_t)n;
    assert_true(list->used < sizeof list->text);
}

struct bytes load_test_file(const char *path)
{
    char full[1024];
    (void)snprintf(full, sizeof full, "%s/%s", OSSA_TEST_DIR, path);
    FILE *file = fopen(full, "rb");
    require(file != NULL, path, "cannot be opened");
    struct bytes bytes = {0};
    uint8_t block[4096];
    size_t size;
    while ((size = fread(block, 1, sizeof block, file)) > 0) put_bytes(&bytes, block, size);
    require(ferror(file) == 0, path, "cannot be read");
    (void)fclose(file);
    return bytes;
}

bool visit_test_folder(const char *path, void (*visit)(void *user, const char *name), void *user)
{
    char full[1024];
    (void)snprintf(full, sizeof full, "%s/%s", OSSA_TEST_DIR, path);
    DIR *folder = opendir(full);
    if (folder == NULL) return false;
    const struct dirent *entry;
    /* cppcheck-suppress readdirCalled ; a test has one thread */
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] != '.') visit(user, entry->d_name);
    }
    (void)closedir(folder);
    return true;
}

int free_fixtures(void **state)
{
    (void)state;
    fixtures_free();
    return 0;
}
