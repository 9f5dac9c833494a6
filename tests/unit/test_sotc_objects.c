/* SPDX-License-Identifier: MIT
 *
 * The second kind of sotc-anb: animations of objects. */
#include "support/testing.h"
#include "support/sotc_fixture.h"

#include "ossa/games/shadow_of_the_colossus.h"

#include <math.h>
#include <string.h>

static const ossa_sotc_curve *curve_of(const ossa_sotc_anb *anb, uint32_t object, unsigned curve)
{
    return &anb->objects[object].curves[curve];
}

static void require_value(const ossa_sotc_curve *curve, uint32_t mode, unsigned count,
                          const float *wanted)
{
    assert_int_equal(curve->mode, mode);
    assert_true(curve->float_count > 0);
    for (unsigned i = 0; i < count; i++) {
        assert_true(fabs((double)curve->value[i] - (double)wanted[i]) < 1e-6);
    }
}

static void every_mode_of_frame_0_is_decoded(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("sotc-anb/objects"));
    const ossa_sotc_anb *anb = ossa_as_sotc_anb(file);
    assert_non_null(anb);
    assert_int_equal(anb->object_count, 4);
    assert_int_equal(anb->bone_count, 0);
    assert_int_equal(anb->header[0], OBJECTS_KIND);
    static const char *const names[4] = {"gate", "lamp", "bell", "rope"};
    static const uint32_t types[4] = {1, 5, 1, 7};
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(anb->objects[i].type, types[i]);
        assert_int_equal(anb->objects[i].name_size, 4);
        assert_memory_equal(anb->objects[i].name, names[i], 4);
    }
    assert_int_equal(anb->objects[0].unknown, 9);
    require_value(curve_of(anb, 0, OSSA_SOTC_CURVE_POSITION), 0, 3,
                  (const float[]){1.0F, 2.0F, -3.0F});
    require_value(curve_of(anb, 0, OSSA_SOTC_CURVE_ROTATION), 0, 4,
                  (const float[]){0.0F, 0.6F, 0.0F, 0.8F});
    require_value(curve_of(anb, 0, OSSA_SOTC_CURVE_SCALE), 0, 3, (const float[]){1.0F, 2.0F, 0.5F});
    require_value(curve_of(anb, 1, OSSA_SOTC_CURVE_POSITION), 2, 3,
                  (const float[]){3.0F, 0.0F, -9.0F});
    assert_int_equal(curve_of(anb, 1, OSSA_SOTC_CURVE_ROTATION)->float_count, 0);
    assert_int_equal(curve_of(anb, 1, OSSA_SOTC_CURVE_ROTATION)->offset, 0);
    require_value(curve_of(anb, 1, OSSA_SOTC_CURVE_SCALE), 2, 3,
                  (const float[]){3.0F, 4.0F / 2047.0F, 7.0F});
    require_value(curve_of(anb, 2, OSSA_SOTC_CURVE_POSITION), 1, 3,
                  (const float[]){1.0F, 2.0F, -3.0F});
    assert_int_equal(curve_of(anb, 2, OSSA_SOTC_CURVE_ROTATION)->mode, 3);
    assert_int_equal(curve_of(anb, 2, OSSA_SOTC_CURVE_ROTATION)->float_count, 0);
    assert_true(curve_of(anb, 2, OSSA_SOTC_CURVE_ROTATION)->offset > 0);
    require_value(curve_of(anb, 2, OSSA_SOTC_CURVE_SCALE), 3, 3,
                  (const float[]){3.0F, 4.0F, -1.0F});
    assert_int_equal(anb->objects[3].track_offset, 0);
    ossa_file_free(file);
}

/* Made by another writer. */
static void the_vector_means_the_same(void **state)
{
    (void)state;
    static const char path[] = "vectors/sotc-models/own_door_open.anb";
    struct bytes bytes = load_test_file(path);
    const ossa_options options = {.name = path, .check_values = true};
    ossa_file *file = read_or_fail(path, bytes.data, bytes.size, &options);
    const ossa_sotc_anb *anb = ossa_as_sotc_anb(file);
    assert_non_null(anb);
    assert_int_equal(file->issue_count, 0);
    assert_int_equal(anb->object_count, 2);
    assert_int_equal(anb->objects[0].type, 1);
    assert_int_equal(anb->objects[1].type, 5);
    assert_memory_equal(anb->objects[0].name, "door_a", 7);
    assert_memory_equal(anb->objects[1].name, "door_b", 7);
    require_value(curve_of(anb, 0, OSSA_SOTC_CURVE_POSITION), 0, 3,
                  (const float[]){1.0F, 2.0F, 3.0F});
    require_value(curve_of(anb, 0, OSSA_SOTC_CURVE_ROTATION), 0, 4,
                  (const float[]){0.0F, 0.6F, 0.0F, 0.8F});
    require_value(curve_of(anb, 0, OSSA_SOTC_CURVE_SCALE), 0, 3, (const float[]){1.0F, 1.0F, 1.0F});
    require_value(curve_of(anb, 1, OSSA_SOTC_CURVE_POSITION), 0, 3,
                  (const float[]){-1.0F, 0.5F, 0.0F});
    assert_int_equal(curve_of(anb, 1, OSSA_SOTC_CURVE_ROTATION)->offset, 0);
    assert_int_equal(curve_of(anb, 1, OSSA_SOTC_CURVE_SCALE)->offset, 0);
    require_written(path, file, bytes.data, bytes.size);
    require_rebuilt(path, file, OSSA_JSON_STYLE_LINE, bytes.data, bytes.size);
    struct bytes text = describe_or_fail(path, file);
    assert_non_null(strstr((const char *)text.data, "an animation of objects"));
    assert_non_null(strstr((const char *)text.data, "only frame 0 is understood"));
    bytes_free(&text);
    ossa_file_free(file);
    bytes_free(&bytes);
}

TEST_GROUP(test_sotc_objects)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_mode_of_frame_0_is_decoded),
                                       cmocka_unit_test(the_vector_means_the_same)};
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
