/* SPDX-License-Identifier: MIT
 *
 * Files and their meaning that others made, without a line of this library: tests/vectors/. */
#include "support/testing.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where in a document a comparison is. */
struct place {
    const struct place *outer;
    const char *key;
    size_t index;
};

static size_t write_place(const struct place *place, char *text, size_t capacity)
{
    if (place == NULL) return 0;
    size_t used = write_place(place->outer, text, capacity);
    if (used >= capacity) return used;
    int n = place->key != NULL ? snprintf(text + used, capacity - used, ".%s", place->key)
                               : snprintf(text + used, capacity - used, "[%zu]", place->index);
    return used + (n > 0 ? (size_t)n : 0);
}

static void require_at(bool ok, const char *name, const struct place *place, const char *what)
{
    if (ok) return;
    char text[256] = "";
    (void)write_place(place, text, sizeof text);
    require(false, name, "%s: %s", text, what);
}

/* A float32 is printed by both in their own way, so both are rounded to it first. `near` is how
 * far decoded values may be off: they went through sines and square roots. */
static bool same_number(double wanted, double found, double near)
{
    float a = (float)wanted;
    float b = (float)found;
    if (near > 0.0) return fabs(wanted - found) <= near;
    return a == b && signbit(a) == signbit(b);
}

/* Everything in `wanted` is in `found`; keys that it lacks do not matter. */
static void require_equal(const char *name, const struct place *place, const json_t *wanted,
                          const json_t *found, double near)
{
    require_at(found != NULL, name, place, "is missing");
    if (json_is_object(wanted)) {
        require_at(json_is_object(found), name, place, "is no object");
        const char *key;
        json_t *value;
        json_t *object = (json_t *)(uintptr_t)wanted; /* jansson iterates over non-const only */
        json_object_foreach (object, key, value) {
            struct place inner = {.outer = place, .key = key};
            double tolerance = strcmp(key, "quaternions") == 0 ? 2e-6 : near;
            require_equal(name, &inner, value, json_object_get(found, key), tolerance);
        }
    } else if (json_is_array(wanted)) {
        require_at(json_is_array(found), name, place, "is no array");
        require_at(json_array_size(wanted) == json_array_size(found), name, place, "length");
        for (size_t i = 0; i < json_array_size(wanted); i++) {
            struct place inner = {.outer = place, .index = i};
            require_equal(name, &inner, json_array_get(wanted, i), json_array_get(found, i), near);
        }
    } else if (json_is_number(wanted)) {
        require_at(json_is_number(found), name, place, "is no number");
        require_at(same_number(json_number_value(wanted), json_number_value(found), near), name,
                   place, "is another number");
        if (json_is_integer(wanted) && json_is_integer(found)) {
            require_at(json_integer_value(wanted) == json_integer_value(found), name, place,
                       "is another integer");
        }
    } else {
        require_at(json_equal(wanted, found) == 1, name, place, "is another value");
    }
}

static json_t *parse(const char *name, const struct bytes *text)
{
    json_error_t error;
    json_t *document = json_loadb((const char *)text->data, text->size, 0, &error);
    require(document != NULL, name, "line %d: %s", error.line, error.text);
    return document;
}

static void require_vector(const char *path)
{
    char json_path[600];
    (void)snprintf(json_path, sizeof json_path, "%s.json", path);
    struct bytes bytes = load_test_file(path);
    struct bytes expected_text = load_test_file(json_path);
    json_t *expected = parse(json_path, &expected_text);

    /* Nothing is forced: the library finds out what it is. */
    ossa_file *file = read_or_fail(path, bytes.data, bytes.size, NULL);
    const char *format = json_string_value(json_object_get(expected, "format"));
    assert_non_null(format);
    require(strcmp(file->format->id, format) == 0, path, "taken for %s", file->format->id);
    require(file->issue_count == 0, path, "%s",
            file->issue_count > 0 ? file->issues[0].message : "");

    struct bytes dumped = dump_or_fail(path, file, OSSA_JSON_STYLE_LINE);
    json_t *found = parse(path, &dumped);
    require(json_integer_value(json_object_get(found, "ossa")) == 1, path, "not version 1");
    require_equal(path, NULL, expected, found, 0.0);

    require_written(path, file, bytes.data, bytes.size);
    ossa_file *built = build_or_fail(path, &dumped);
    require_written(path, built, bytes.data, bytes.size);
    ossa_file_free(built);
    json_decref(found);
    bytes_free(&dumped);
    ossa_file_free(file);
    json_decref(expected);
    bytes_free(&expected_text);
    bytes_free(&bytes);
}

struct folder {
    const char *format;
    size_t count;
};

static void visit_vector(void *user, const char *name)
{
    struct folder *folder = user;
    char path[512];
    const char *ending = strstr(name, ".json");
    if (ending != NULL) {
        (void)snprintf(path, sizeof path, "vectors/%s/%.*s", folder->format, (int)(ending - name),
                       name);
        struct bytes vector = load_test_file(path); /* or it lost its file */
        bytes_free(&vector);
        return;
    }
    (void)snprintf(path, sizeof path, "vectors/%s/%.200s", folder->format, name);
    require_vector(path);
    folder->count++;
}

/* A folder per format, named after it; poses and models have tests of their own. */
static void visit_folder(void *user, const char *format)
{
    size_t *total = user;
    struct folder folder = {.format = format};
    char path[512];
    if (strcmp(format, "pose") == 0 || strcmp(format, "sotc-models") == 0) return;
    require(ossa_format_find(format) != NULL, format, "is not a format");
    (void)snprintf(path, sizeof path, "vectors/%.200s", format);
    require(visit_test_folder(path, visit_vector, &folder), format, "cannot be listed");
    require(folder.count > 0, format, "has no vectors");
    *total += folder.count;
}

static void every_vector_means_the_same(void **state)
{
    (void)state;
    size_t total = 0;
    assert_true(visit_test_folder("vectors", visit_folder, &total));
    assert_true(total >= 21); /* no fewer than were there at first */
}

TEST_GROUP(test_vectors)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_vector_means_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
