/* SPDX-License-Identifier: MIT
 *
 * Every fixture, damaged in every way that can be counted: cut at each length, each word changed,
 * each allocation refused. Nothing may crash, leak, run wild with memory, or read what it cannot
 * write back. Files up to SMALL bytes are gone through, larger ones are sampled; the strides keep
 * the whole test within a minute under the sanitizers. CTest runs it once per format. */
#include "support/counting.h"
#include "support/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALL = 4096,
    CUTS = 600,    /* lengths tried on a file, at most about so many */
    PATCHES = 150, /* offsets tried on a file behind its first DENSE bytes, where all are */
    DENSE = 112,
    DENSE_LARGE = 20,
    JSON_STRIDE = 11,  /* of the readable results every such one goes through JSON too */
    MEBIBYTE = 1 << 20 /* what a result may take beyond 32 times the input */
};

/* So that no two loops step in time with each other or with the structures in the files. */
static size_t stride_for(size_t size, size_t wanted)
{
    size_t stride = size / wanted + 1;
    return stride > 1 ? stride | 1 : 1;
}

/* The next offset to damage. */
static size_t next_offset(size_t at, size_t size)
{
    bool small = size <= SMALL;
    if (at < (small ? DENSE : DENSE_LARGE)) return at + 1;
    return at + stride_for(size, small ? PATCHES : PATCHES / 20);
}

/* Whether this run is about that fixture. */
static bool is_chosen(const struct fixture *fixture)
{
    return test_part == NULL || strcmp(fixture->format, test_part) == 0;
}

static bool collect(void *user, const void *bytes, size_t size)
{
    put_bytes(user, bytes, size);
    return true;
}

static bool discard(void *user, const void *bytes, size_t size)
{
    (void)bytes;
    *(uint64_t *)user += size;
    return true;
}

static ossa_sink sink_of(struct bytes *bytes)
{
    return (ossa_sink){.write = collect, .user = bytes};
}

/* ---- one damaged file ---------------------------------------------------------------------- */

struct attempt {
    const struct fixture *fixture;
    const char *what;
    size_t where;
    size_t count;    /* tried so far, over all */
    size_t readable; /* of those */
    size_t good;     /* tried on a fixture that can be read */
    size_t good_readable;
};

static void require_here(bool ok, const struct attempt *attempt, const char *message)
{
    require(ok, attempt->fixture->name, "%s %zu: %s", attempt->what, attempt->where, message);
}

static void require_json(const struct attempt *attempt, const ossa_file *file, const uint8_t *data,
                         size_t size)
{
    ossa_error error;
    struct bytes json = {0};
    struct bytes again = {0};
    if (!has_json(file->format)) return;
    require_here(ossa_dump(file, OSSA_JSON_STYLE_LINE, sink_of(&json), &error), attempt, "dump");
    ossa_file *built = ossa_build((const char *)json.data, json.size, NULL, &error);
    if (built == NULL) require_here(false, attempt, error.message);
    require_here(ossa_write(built, sink_of(&again), &error), attempt, "write what was built");
    require_here(again.size == size && memcmp(again.data, data, size) == 0, attempt,
                 "build(dump(x)) is not x");
    ossa_file_free(built);
    bytes_free(&again);
    bytes_free(&json);
}

static void require_describe(const struct attempt *attempt, const ossa_file *file)
{
    uint64_t length = 0;
    ossa_sink sink = {.write = discard, .user = &length};
    ossa_error error;
    require_here(ossa_describe(file, sink, &error) && length > 0, attempt, "describe");
    require_here(ossa_describe_json(file, OSSA_JSON_STYLE_LINE, sink, &error), attempt,
                 "describe JSON");
}

/* Whatever an archive lists lies in its bytes, or is said to be missing. */
static void require_entries(const struct attempt *attempt, const ossa_file *file,
                            const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < ossa_entry_count(file); i++) {
        const ossa_entry *entry = ossa_entry_at(file, i);
        char path[64];
        ossa_bytes bytes;
        (void)ossa_entry_path(entry->name, path, sizeof path);
        require_here(path[0] != '\0' && path[0] != '/' && strstr(path, "..") == NULL, attempt,
                     "a path that leads away");
        if (entry->is_packed) continue;
        bool ok = ossa_entry_bytes(file, i, NULL, &bytes, NULL);
        require_here(ok != entry->is_missing, attempt, "bytes of an entry");
        if (!ok) continue;
        bool is_inside = bytes.size == 0 || bytes.owned != NULL ||
                         (bytes.data >= data && bytes.size <= size - (size_t)(bytes.data - data));
        require_here(is_inside, attempt, "bytes from elsewhere");
        ossa_bytes_free(&bytes);
    }
}

/* Told of in order and to the end, whether the file can be read or not. */
static void count_field(void *user, const ossa_field *field)
{
    uint64_t *told = user;
    if (field->offset <= *told && field->offset + field->size > *told)
        *told = field->offset + field->size;
}

/* Read it; what can be read must come back the same. The copy makes any byte past the end a
 * fault that the sanitizer sees. */
static void try_bytes(struct attempt *attempt, const uint8_t *data, size_t size, bool forced)
{
    uint8_t *input = malloc(size > 0 ? size : 1);
    assert_non_null(input);
    if (size > 0) memcpy(input, data, size);
    struct counting counting = {0};
    uint64_t told = 0;
    ossa_options options = {.allocator = counting_allocator(&counting), .check_values = true};
    if (forced) {
        options.format = attempt->fixture->format;
        options.dialect = attempt->fixture->dialect;
    } else {
        options.name = attempt->count % 2 == 0 ? "x.anm" : NULL;
    }
    if (attempt->count % 3 == 0) {
        options.on_field = count_field;
        options.user = &told;
    }
    ossa_error error;
    ossa_file *file = ossa_read(input, size, &options, &error);
    bool is_good = fixture_is_readable(attempt->fixture);
    attempt->count++;
    attempt->good += is_good ? 1 : 0;
    attempt->good_readable += is_good && file != NULL ? 1 : 0;
    require_here((file != NULL) == (error.code == OSSA_CODE_OK), attempt, "result and error");
    require_here(counting.peak <= MEBIBYTE + 32 * size, attempt, "more memory than allowed");
    if (file != NULL) {
        struct bytes written = {0};
        attempt->readable++;
        require_here(ossa_write(file, sink_of(&written), &error), attempt, "write");
        require_here(written.size == size && memcmp(written.data, data, size) == 0, attempt,
                     "write(read(x)) is not x");
        bytes_free(&written);
        require_entries(attempt, file, input, size);
        if (options.on_field != NULL) require_here(told == size, attempt, "fields");
        if (attempt->readable % (size <= SMALL ? JSON_STRIDE : 10 * JSON_STRIDE) == 0) {
            require_json(attempt, file, data, size);
            require_describe(attempt, file);
        }
        ossa_file_free(file);
    }
    require_here(counting.live == 0, attempt, "a leak");
    require_here(!counting.wrong_release, attempt, "released with another size");
    free(input);
}

/* Damage must often leave a file readable, or what follows the reading is not tested. Even a strict
 * text format gets this far. */
static void require_reading(const struct attempt *attempt)
{
    assert_true(attempt->good > 0);
    assert_true(attempt->good_readable > attempt->good / 8);
}

/* ---- cuts and patches ---------------------------------------------------------------------- */

static void every_cut_is_survived(void **state)
{
    (void)state;
    const struct fixtures *all = fixtures_all();
    struct attempt attempt = {.what = "cut at"};
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        if (!is_chosen(fixture)) continue;
        const size_t size = fixture->bytes.size;
        size_t stride = stride_for(size, size <= SMALL ? CUTS : CUTS / 10);
        attempt.fixture = fixture;
        for (size_t cut = 0; cut < size; cut += stride) {
            attempt.where = cut;
            try_bytes(&attempt, fixture->bytes.data, cut, true);
            try_bytes(&attempt, fixture->bytes.data, cut, false);
        }
    }
    assert_true(attempt.count > 0);
}

static void every_changed_word_is_survived(void **state)
{
    (void)state;
    static const uint32_t words[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fc00000};
    const struct fixtures *all = fixtures_all();
    struct attempt attempt = {.what = "word at"};
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        if (!is_chosen(fixture)) continue;
        struct bytes file = bytes_copy(fixture->bytes.data, fixture->bytes.size);
        attempt.fixture = fixture;
        for (size_t at = 0; at + 4 <= file.size; at = next_offset(at, file.size)) {
            uint32_t original = get_u32(&file, at);
            for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
                attempt.where = at;
                set_u32(&file, at, words[w]);
                try_bytes(&attempt, file.data, file.size, (at + w) % 4 != 0);
            }
            set_u32(&file, at, original);
        }
        bytes_free(&file);
    }
    require_reading(&attempt);
}

/* Counts and offsets are near the start: small changes there, which fit more often. */
static void every_small_change_of_a_byte_is_survived(void **state)
{
    (void)state;
    static const int steps[] = {-1, 1, 4, 127};
    const struct fixtures *all = fixtures_all();
    struct attempt attempt = {.what = "byte at"};
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        if (!is_chosen(fixture)) continue;
        struct bytes file = bytes_copy(fixture->bytes.data, fixture->bytes.size);
        attempt.fixture = fixture;
        for (size_t at = 0; at < file.size; at = next_offset(at, file.size)) {
            uint8_t original = file.data[at];
            for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
                attempt.where = at;
                file.data[at] = (uint8_t)(original + steps[s]);
                try_bytes(&attempt, file.data, file.size, true);
            }
            file.data[at] = original;
        }
        bytes_free(&file);
    }
    require_reading(&attempt);
}

/* ---- memory that runs out ------------------------------------------------------------------ */

static bool is_memory_error(const ossa_error *error)
{
    /* A buffer without memory is a sink that refuses. */
    return error->code == OSSA_CODE_OUT_OF_MEMORY || error->code == OSSA_CODE_IO;
}

/* Everything that can be done with a file, with an allocator that may fail once. True when it
 * went well to the end. */
static bool go_through(const struct fixture *fixture, struct counting *counting,
                       const struct bytes *json, struct bytes *result, ossa_error *error)
{
    ossa_allocator allocator = counting_allocator(counting);
    uint64_t told = 0;
    ossa_options options = fixture_options(fixture);
    options.allocator = allocator;
    options.on_field = count_field;
    options.user = &told;
    options.copy = true;
    ossa_buffer buffer = {.allocator = allocator};
    ossa_file *file = ossa_read(fixture->bytes.data, fixture->bytes.size, &options, error);
    bool ok = file != NULL && ossa_write(file, ossa_buffer_sink(&buffer), error);
    if (ok && result != NULL) put_bytes(result, buffer.data, buffer.size);
    if (ok && has_json(file->format)) {
        ossa_buffer_free(&buffer);
        ok = ossa_dump(file, OSSA_JSON_STYLE_PRETTY, ossa_buffer_sink(&buffer), error);
    }
    ossa_buffer_free(&buffer);
    ossa_file_free(file);
    if (!ok || json == NULL) return ok;

    options.on_field = NULL;
    file = ossa_build((const char *)json->data, json->size, &options, error);
    ok = file != NULL && ossa_write(file, ossa_buffer_sink(&buffer), error);
    if (ok && result != NULL) {
        bytes_free(result);
        put_bytes(result, buffer.data, buffer.size);
    }
    ossa_buffer_free(&buffer);
    ossa_file_free(file);
    return ok;
}

static void require_clean(const struct fixture *fixture, const struct counting *counting,
                          size_t failure)
{
    require(counting->live == 0, fixture->name, "%zu bytes leak when allocation %zu fails",
            counting->live, failure);
    require(!counting->wrong_release, fixture->name, "a wrong release when allocation %zu fails",
            failure);
}

static void require_failures(const struct fixture *fixture, const struct bytes *json)
{
    struct counting counting = {0};
    ossa_error error;
    struct bytes result = {0};
    bool ok = go_through(fixture, &counting, json, &result, &error);
    require(ok == fixture_is_readable(fixture), fixture->name, "without failures: %s",
            error.message);
    require_clean(fixture, &counting, 0);
    if (ok) require_same(fixture->name, &result, fixture->bytes.data, fixture->bytes.size);
    bytes_free(&result);
    const size_t calls = counting.calls;
    const ossa_code code = error.code;
    for (size_t n = 1; n <= calls; n++) {
        counting = (struct counting){.fail_at = n};
        bool went_well = go_through(fixture, &counting, json, NULL, &error);
        require(counting.failed, fixture->name, "allocation %zu did not happen again", n);
        require(!went_well, fixture->name, "all is well without allocation %zu", n);
        require(is_memory_error(&error) || error.code == code, fixture->name, "allocation %zu: %s",
                n, ossa_code_name(error.code));
        require_clean(fixture, &counting, n);
    }
}

static struct bytes json_of(const struct fixture *fixture)
{
    struct bytes json = {0};
    if (!fixture_is_readable(fixture)) return json;
    ossa_file *file = read_fixture(fixture);
    if (has_json(file->format)) json = dump_or_fail(fixture->name, file, OSSA_JSON_STYLE_LINE);
    ossa_file_free(file);
    return json;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    const struct fixtures *all = fixtures_all();
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        if (!is_chosen(fixture)) continue;
        if (fixture->bytes.size > SMALL) continue;
        struct bytes json = json_of(fixture);
        require_failures(fixture, json.size == 0 ? NULL : &json);
        bytes_free(&json);
    }
}

/* A limit of the options that is too small is told as such, whatever it is. */
static void every_memory_limit_is_kept(void **state)
{
    (void)state;
    const struct fixtures *all = fixtures_all();
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        if (!is_chosen(fixture)) continue;
        if (!fixture_is_readable(fixture)) continue;
        uint64_t limit = 1;
        ossa_file *file = NULL;
        while (file == NULL) {
            struct counting counting = {0};
            ossa_options options = fixture_options(fixture);
            options.allocator = counting_allocator(&counting);
            options.max_memory = limit;
            ossa_error error;
            file = ossa_read(fixture->bytes.data, fixture->bytes.size, &options, &error);
            require(counting.peak <= limit, fixture->name, "%zu bytes with a limit of %llu",
                    counting.peak, (unsigned long long)limit);
            require(file != NULL || error.code == OSSA_CODE_LIMIT, fixture->name, "%s",
                    error.message);
            if (file != NULL) {
                ossa_file_free(file);
                require(counting.live == 0, fixture->name, "a leak");
                break;
            }
            require(counting.live == 0, fixture->name, "a leak");
            limit = limit * 5 / 4 + 64;
        }
    }
}

TEST_GROUP(test_hostile)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cut_is_survived),
        cmocka_unit_test(every_changed_word_is_survived),
        cmocka_unit_test(every_small_change_of_a_byte_is_survived),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(every_memory_limit_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
