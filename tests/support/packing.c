/* SPDX-License-Identifier: MIT */
#include "support/packing.h"
#include "support/counting.h"

#include <stdlib.h>
#include <string.h>

struct bytes pack_or_fail(const char *format, const char *what, const ossa_packing *entries,
                          size_t count)
{
    ossa_buffer buffer = {0};
    ossa_error error;
    bool ok = ossa_pack(format, entries, count, NULL, ossa_buffer_sink(&buffer), &error);
    require(ok, what, "pack: %s", error.message);
    struct bytes bytes = bytes_copy(buffer.data, buffer.size);
    ossa_buffer_free(&buffer);
    return bytes;
}

struct bytes pack_again(const char *what, const ossa_file *file)
{
    size_t count = ossa_entry_count(file);
    ossa_packing *entries = calloc(count + 1, sizeof *entries);
    if (entries == NULL) abort();
    for (size_t i = 0; i < count; i++) {
        const ossa_entry *entry = ossa_entry_at(file, i);
        ossa_bytes bytes;
        require(ossa_entry_bytes(file, i, NULL, &bytes, NULL), what, "bytes of %zu", i);
        entries[i] = (ossa_packing){entry->name, bytes.data, bytes.size, entry->time};
    }
    struct bytes packed = pack_or_fail(file->format->id, what, entries, count);
    free(entries);
    return packed;
}

void require_packed_the_same(const char *const *fixtures, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct fixture *fixture = fixture_find(fixtures[i]);
        ossa_file *file = read_fixture(fixture);
        struct bytes again = pack_again(fixture->name, file);
        require_same(fixture->name, &again, fixture->bytes.data, fixture->bytes.size);
        bytes_free(&again);
        ossa_file_free(file);
    }
}

void require_pack_refused(const char *format, const ossa_packing *entries, size_t count,
                          ossa_code code, const char *field, const char *message)
{
    ossa_buffer buffer = {0};
    ossa_error error;
    assert_false(ossa_pack(format, entries, count, NULL, ossa_buffer_sink(&buffer), &error));
    require(error.code == code, message, "code %s: %s", ossa_code_name(error.code), error.message);
    require(strcmp(error.field, field) == 0, message, "field '%s'", error.field);
    require(strstr(error.message, message) != NULL, message, "message '%s'", error.message);
    assert_int_equal(buffer.size, 0);
    ossa_buffer_free(&buffer);
}

void require_pack_survives(const char *format, const ossa_packing *entries, size_t count)
{
    size_t calls = 1;
    for (size_t n = 0; n <= calls; n++) {
        struct counting counting = {.fail_at = n};
        ossa_options options = {.allocator = counting_allocator(&counting)};
        ossa_buffer buffer = {0};
        ossa_error error;
        bool ok = ossa_pack(format, entries, count, &options, ossa_buffer_sink(&buffer), &error);
        assert_int_equal(ok, n == 0); /* the first time nothing fails */
        if (!ok) assert_int_equal(error.code, OSSA_CODE_OUT_OF_MEMORY);
        assert_int_equal(counting.live, 0);
        if (n == 0) calls = counting.calls;
        ossa_buffer_free(&buffer);
    }
    assert_true(calls > 1);
}

const ossa_entry *require_stored(const ossa_file *file, size_t index, const char *name,
                                 const char *data)
{
    const ossa_entry *entry = ossa_entry_at(file, index);
    ossa_bytes bytes;
    assert_non_null(entry);
    assert_string_equal(entry->name, name);
    assert_int_equal(entry->size, strlen(data));
    assert_int_equal(entry->stored_size, entry->size);
    assert_false(entry->is_packed || entry->is_missing);
    assert_true(ossa_entry_bytes(file, index, NULL, &bytes, NULL));
    assert_int_equal(bytes.size, entry->size);
    assert_memory_equal(bytes.data, data, bytes.size);
    ossa_bytes_free(&bytes);
    return entry;
}

void require_paths(const char *fixture, const char *const (*names_and_paths)[2], size_t count)
{
    ossa_file *file = read_fixture(fixture_find(fixture));
    assert_int_equal(ossa_entry_count(file), count);
    for (size_t i = 0; i < count; i++) {
        char path[64];
        assert_string_equal(ossa_entry_at(file, i)->name, names_and_paths[i][0]);
        (void)ossa_entry_path(ossa_entry_at(file, i)->name, path, sizeof path);
        assert_string_equal(path, names_and_paths[i][1]);
    }
    ossa_file_free(file);
}
