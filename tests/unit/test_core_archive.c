/* SPDX-License-Identifier: MIT
 *
 * The calls for archives, with a format made for this test: the only one that there is here. */
#include "test_core.h"

#include "codec/format.h"
#include "base/text.h"

/* ---- a format ------------------------------------------------------------------------------ */

/* "ARC!", then what the entries below say. Packed: a byte and how often it stands there. */
static const uint8_t image[] = "ARC!plain\xff"
                               "A\3";
static const ossa_entry entries[] = {
    {.name = "Folder\\Plain.txt", .offset = 4, .stored_size = 5, .size = 5},
    {.name = "packed", .offset = 10, .stored_size = 2, .size = 3, .is_packed = true},
    {.name = "broken\x1b", .offset = 9, .stored_size = 1, .size = 8, .is_packed = true},
    {.name = "missing\x1b", .offset = 500, .stored_size = 9, .size = 9, .is_missing = true},
    {.name = "folder/plain.TXT", .offset = 4, .stored_size = 1, .size = 1},
    {.name = "huge", .offset = 9, .stored_size = 1, .size = UINT64_MAX, .is_packed = true},
    {.name = "nothing", .offset = 12},
    {.name = "\xd0\x96\xd0\x90", .offset = 4, .stored_size = 2, .size = 2},
};

static ossa_confidence probe(const uint8_t *data, uint64_t size)
{
    return size >= 4 && memcmp(data, "ARC", 3) == 0 ? OSSA_CONFIDENCE_SIGNATURE
                                                    : OSSA_CONFIDENCE_NONE;
}

static void *read(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__listing *listing = ossa__take(context, 1, sizeof *listing);
    if (listing == NULL) return NULL;
    *listing = (struct ossa__listing){
        .entries = entries, .count = COUNT_OF(entries), .image = data, .image_size = size};
    return listing;
}

static struct ossa__listing list(const void *contents)
{
    return *(const struct ossa__listing *)contents;
}

static void unpack(struct ossa__context *context, const void *contents, size_t index, uint8_t *out)
{
    const struct ossa__listing *listing = contents;
    const ossa_entry *entry = &listing->entries[index];
    const uint8_t *packed = listing->image + entry->offset;
    if (packed[0] == 0xff) {
        ossa__fail(context, OSSA_CODE_BAD_VALUE, entry->offset, "byte", "no such byte");
        return;
    }
    memset(out, packed[0], packed[1]);
}

static void pack(struct ossa__context *context, const struct ossa__pack_plan *plan,
                 struct ossa__writer *writer)
{
    const ossa_packing *given = plan->entries;
    size_t count = plan->count;
    uint8_t *scratch = ossa__take(context, 64, 1); /* so that memory can run out */
    if (scratch == NULL) return;
    for (size_t i = 0; i < count; i++) {
        ossa__write_bytes(writer, given[i].name, strlen(given[i].name));
        ossa__write_u8(writer, '=');
        ossa__write_bytes(writer, given[i].data, given[i].size);
        ossa__write_u8(writer, ';');
    }
    if (count == 3) ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "entries", "three are too many");
}

static const struct ossa__format archive_format = {
    .about = {"test-arc", "archive", "none", "arc", OSSA_KIND_ARCHIVE},
    .probe = probe,
    .read = read,
    .list = list,
    .unpack = unpack,
    .pack = pack,
};
static const struct ossa__format other_format = {
    .about = {"test-txt", "no archive", "none", "txt", OSSA_KIND_TABLE},
    .probe = probe,
    .read = read,
};

const struct ossa__format *const ossa__formats[] = {&archive_format, &other_format, NULL};

static ossa_file *open_as(const char *format)
{
    ossa_options options = {.format = format};
    ossa_error error;
    ossa_file *file = ossa_read(image, sizeof image - 1, &options, &error);
    assert_non_null(file);
    return file;
}

/* ---- listing ------------------------------------------------------------------------------- */

static void abilities_are_told(void **state)
{
    (void)state;
    assert_true(ossa_format_can(&archive_format.about, OSSA_ABILITY_LIST));
    assert_true(ossa_format_can(&archive_format.about, OSSA_ABILITY_PACK));
    assert_false(ossa_format_can(&other_format.about, OSSA_ABILITY_LIST));
    assert_false(ossa_format_can(&other_format.about, OSSA_ABILITY_PACK));
    assert_string_equal(ossa_kind_name(OSSA_KIND_ARCHIVE), "archive");
}

static void entries_are_listed(void **state)
{
    (void)state;
    ossa_file *file = open_as("test-arc");
    assert_int_equal(ossa_entry_count(file), COUNT_OF(entries));
    for (size_t i = 0; i < COUNT_OF(entries); i++)
        assert_ptr_equal(ossa_entry_at(file, i), &entries[i]);
    assert_null(ossa_entry_at(file, COUNT_OF(entries)));
    assert_null(ossa_entry_at(file, SIZE_MAX));
    assert_null(ossa_packing_dialect(file)); /* there is only one kind */
    ossa_file_free(file);
}

static void other_files_have_no_entries(void **state)
{
    (void)state;
    ossa_file *file = open_as("test-txt");
    ossa_bytes bytes;
    ossa_error error;
    assert_int_equal(ossa_entry_count(file), 0);
    assert_null(ossa_entry_at(file, 0));
    assert_int_equal(ossa_find_entry(file, "packed"), -1);
    assert_false(ossa_entry_bytes(file, 0, NULL, &bytes, &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_ARGUMENT);
    assert_string_equal(error.format, "test-txt");
    ossa_file_free(file);
}

static void entries_are_found_by_name(void **state)
{
    (void)state;
    ossa_file *file = open_as("test-arc");
    assert_int_equal(ossa_find_entry(file, "packed"), 1);
    assert_int_equal(ossa_find_entry(file, "PACKED"), 1);
    assert_int_equal(ossa_find_entry(file, "Folder\\Plain.txt"), 0);
    assert_int_equal(ossa_find_entry(file, "folder/plain.TXT"), 0); /* the first of two */
    assert_int_equal(ossa_find_entry(file, "\xd0\xb6\xd0\xb0"), 7); /* Cyrillic small letters */
    assert_int_equal(ossa_find_entry(file, "packe"), -1);
    assert_int_equal(ossa_find_entry(file, "packed2"), -1);
    assert_int_equal(ossa_find_entry(file, ""), -1);
    ossa_file_free(file);
    assert_true(ossa__compare_paths("A/b", "a\\B") == 0);
    assert_true(ossa__compare_names("A/b", "a\\B") != 0);
    assert_true(ossa__compare_paths("a/b", "a/c") < 0 && ossa__compare_paths("b", "a/c") > 0);
}

/* ---- bytes --------------------------------------------------------------------------------- */

static void plain_bytes_lie_in_the_archive(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = 0}; /* none is asked for */
    ossa_options options = {.allocator = counted(&memory)};
    ossa_file *file = open_as("test-arc");
    ossa_bytes bytes;
    ossa_error error = {.code = OSSA_CODE_IO};
    assert_true(ossa_entry_bytes(file, 0, &options, &bytes, &error));
    assert_int_equal(error.code, OSSA_CODE_OK);
    assert_ptr_equal(bytes.data, image + 4);
    assert_int_equal(bytes.size, 5);
    assert_null(bytes.owned);
    ossa_bytes_free(&bytes);
    assert_null(bytes.data);
    assert_true(ossa_entry_bytes(file, 6, NULL, &bytes, NULL));
    assert_int_equal(bytes.size, 0);
    ossa_bytes_free(&bytes);
    ossa_bytes_free(&bytes);
    ossa_file_free(file);
}

static void packed_bytes_are_unpacked(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = NEVER};
    ossa_options options = {.allocator = counted(&memory), .max_input = 3};
    ossa_file *file = open_as("test-arc");
    ossa_bytes bytes;
    assert_true(ossa_entry_bytes(file, 1, &options, &bytes, NULL));
    assert_int_equal(bytes.size, 3);
    assert_memory_equal(bytes.data, "AAA", 3);
    assert_non_null(bytes.owned);
    assert_true(memory.live_blocks > 0);
    ossa_bytes_free(&bytes);
    assert_int_equal(memory.live_blocks, 0);
    ossa_file_free(file);
}

static void require_no_bytes(const ossa_file *file, size_t index, const ossa_options *options,
                             ossa_code code, const char *field)
{
    ossa_bytes bytes;
    ossa_error error;
    assert_false(ossa_entry_bytes(file, index, options, &bytes, &error));
    assert_int_equal(error.code, code);
    assert_string_equal(error.field, field);
    assert_string_equal(error.format, "test-arc");
    assert_true(error.message[0] != '\0');
    assert_null(bytes.data);
    assert_int_equal(bytes.size, 0);
    ossa_bytes_free(&bytes); /* does no harm */
}

static void bytes_that_cannot_be_had(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = NEVER};
    ossa_options options = {.allocator = counted(&memory)};
    ossa_file *file = open_as("test-arc");
    require_no_bytes(file, COUNT_OF(entries), &options, OSSA_CODE_BAD_ARGUMENT, "");
    require_no_bytes(file, SIZE_MAX, &options, OSSA_CODE_BAD_ARGUMENT, "");
    require_no_bytes(file, 2, &options, OSSA_CODE_BAD_VALUE, "byte");
    require_no_bytes(file, 3, &options, OSSA_CODE_BAD_OFFSET, "missing?"); /* nothing to obey */
    require_no_bytes(file, 5, &options, OSSA_CODE_LIMIT, "huge");
    options.max_input = UINT64_MAX;
    require_no_bytes(file, 5, &options, OSSA_CODE_LIMIT, "huge");
    options.max_input = 2;
    require_no_bytes(file, 1, &options, OSSA_CODE_LIMIT, "packed");
    options.max_input = 0;
    memory.fail_from = memory.calls;
    require_no_bytes(file, 1, &options, OSSA_CODE_OUT_OF_MEMORY, "packed");
    assert_int_equal(memory.live_blocks, 0);
    ossa_file_free(file);
}

/* ---- packing ------------------------------------------------------------------------------- */

static const ossa_packing items[] = {
    {"a", (const uint8_t *)"12", 2, 0}, {"b", NULL, 0, 7}, {"c", (const uint8_t *)"3", 1, 0}};

static void an_archive_is_packed(void **state)
{
    (void)state;
    ossa_buffer buffer = {0};
    ossa_error error = {.code = OSSA_CODE_IO};
    assert_true(ossa_pack("test-arc", items, 2, NULL, ossa_buffer_sink(&buffer), &error));
    assert_int_equal(error.code, OSSA_CODE_OK);
    assert_string_equal(text_of(&buffer), "a=12;b=;");
    ossa_buffer_free(&buffer);
    assert_true(ossa_pack("test-arc", NULL, 0, NULL, ossa_buffer_sink(&buffer), NULL));
    assert_int_equal(buffer.size, 0);
    ossa_buffer_free(&buffer);
}

static void require_no_pack(const char *format, const ossa_packing *packing, size_t count,
                            ossa_code code, const char *field)
{
    ossa_buffer buffer = {0};
    ossa_error error;
    assert_false(ossa_pack(format, packing, count, NULL, ossa_buffer_sink(&buffer), &error));
    assert_int_equal(error.code, code);
    assert_string_equal(error.field, field);
    assert_true(error.message[0] != '\0');
    assert_int_equal(buffer.size, 0);
    ossa_buffer_free(&buffer);
}

static void what_cannot_be_packed(void **state)
{
    (void)state;
    require_no_pack(NULL, items, 1, OSSA_CODE_BAD_ARGUMENT, "");
    require_no_pack("test", items, 1, OSSA_CODE_BAD_ARGUMENT, "");
    require_no_pack("test-txt", items, 1, OSSA_CODE_BAD_ARGUMENT, "");
    require_no_pack("test-arc", items, 3, OSSA_CODE_LIMIT, "entries");
    const ossa_packing nameless[] = {items[0], {NULL, (const uint8_t *)"1", 1, 0}};
    require_no_pack("test-arc", nameless, 2, OSSA_CODE_BAD_ARGUMENT, "entries[1].name");
    const ossa_packing no_data[] = {items[0], {"x", NULL, 1, 0}};
    require_no_pack("test-arc", no_data, 2, OSSA_CODE_BAD_ARGUMENT, "entries[1].data");
}

static void packing_without_memory_or_room(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = 0};
    ossa_options options = {.allocator = counted(&memory)};
    struct sink sink = {.fail_at = 0};
    ossa_error error;
    assert_false(ossa_pack("test-arc", items, 2, &options, failing(&sink), &error));
    assert_int_equal(error.code, OSSA_CODE_OUT_OF_MEMORY);
    memory.fail_from = NEVER; /* cppcheck-suppress unreadVariable ; the allocator reads it */
    assert_false(ossa_pack("test-arc", items, 2, &options, failing(&sink), &error));
    assert_int_equal(error.code, OSSA_CODE_IO);
    assert_int_equal(memory.live_blocks, 0);
    ossa_buffer_free(&sink.buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(abilities_are_told),
        cmocka_unit_test(entries_are_listed),
        cmocka_unit_test(other_files_have_no_entries),
        cmocka_unit_test(entries_are_found_by_name),
        cmocka_unit_test(plain_bytes_lie_in_the_archive),
        cmocka_unit_test(packed_bytes_are_unpacked),
        cmocka_unit_test(bytes_that_cannot_be_had),
        cmocka_unit_test(an_archive_is_packed),
        cmocka_unit_test(what_cannot_be_packed),
        cmocka_unit_test(packing_without_memory_or_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
