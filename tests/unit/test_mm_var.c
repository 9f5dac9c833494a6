/* SPDX-License-Identifier: MIT
 *
 * The colours of clothes in both games, mm-var and mm-shaders: the values that are stored. */
#include "support/mm_pedestrian.h"
#include "support/refusals.h"
#include "support/testing.h"

#include <string.h>

static void colours_are_blue_green_red_alpha(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("mm-var/mm1-pedestrian");
    ossa_file *file = read_fixture(fixture);
    const ossa_mm_var *var = ossa_as_mm_var(file);
    assert_int_equal(var->variant_count, MM1_VARIANTS);
    assert_int_equal(var->material_count, MM1_MATERIALS);
    for (size_t i = 0; i < (size_t)MM1_VARIANTS * MM1_MATERIALS; i++) {
        const uint8_t *bytes = fixture->bytes.data + 8 + 4 * i;
        assert_int_equal(var->colours[i].blue, bytes[0]);
        assert_int_equal(var->colours[i].green, bytes[1]);
        assert_int_equal(var->colours[i].red, bytes[2]);
        assert_int_equal(var->colours[i].alpha, bytes[3]);
    }
    assert_null(ossa_as_mm_shaders(file));
    ossa_file_free(file);
}

static void shaders_are_read_in_both_forms(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("mm-shaders/floats");
    ossa_file *file = read_fixture(fixture);
    const ossa_mm_shaders *shaders = ossa_as_mm_shaders(file);
    assert_false(shaders->has_bytes);
    assert_int_equal(shaders->variant_count, 3);
    assert_int_equal(shaders->material_count, 2);
    assert_int_equal(shaders->shaders[0].name_size, 4);
    assert_memory_equal(shaders->shaders[0].name, "coat", 4);
    assert_int_equal(shaders->shaders[1].name_size, 0);
    assert_int_equal(bits_of_f32(shaders->shaders[0].diffuse[1]),
                     get_u32(&fixture->bytes, 8 + 5 + 4));
    assert_int_equal(bits_of_f32(shaders->shaders[1].emissive[3]),
                     get_u32(&fixture->bytes, 8 + 73 + 1 + 4 * 15));
    assert_int_equal(bits_of_f32(shaders->shaders[1].power),
                     get_u32(&fixture->bytes, 8 + 73 + 1 + 4 * 16));
    ossa_file_free(file);
    fixture = fixture_find("mm-shaders/bytes");
    file = read_fixture(fixture);
    shaders = ossa_as_mm_shaders(file);
    assert_true(shaders->has_bytes);
    assert_int_equal(shaders->variant_count, 4);
    const uint8_t *item = fixture->bytes.data + 8 + 1;
    for (unsigned k = 0; k < 4; k++) {
        assert_true(shaders->shaders[0].diffuse[k] == (float)item[k] / 255.0F);
        assert_true(shaders->shaders[0].specular[k] == (float)item[4 + k] / 255.0F);
        assert_true(shaders->shaders[0].emissive[k] == (float)item[8 + k] / 255.0F);
        assert_true(shaders->shaders[0].ambient[k] == 0.0F);
    }
    assert_true(shaders->shaders[0].power == 0.5F);
    ossa_file_free(file);
}

/* All 256 bytes survive being floats. */
static void every_byte_of_a_colour_is_written_back(void **state)
{
    (void)state;
    struct bytes text = {0};
    put_u32(&text, 0x80 | 22);
    put_u32(&text, 1);
    for (unsigned i = 0; i < 22; i++) {
        put_u8(&text, 0);
        for (unsigned k = 0; k < 12; k++) put_u8(&text, 12 * i + k < 256 ? 12 * i + k : 255);
        put_f32(&text, 1.0F);
    }
    ossa_file *file = read_or_fail("bytes", text.data, text.size, NULL);
    require_written("bytes", file, text.data, text.size);
    ossa_file_free(file);
    bytes_free(&text);
}

static void what_cannot_be_stored_is_refused(void **state)
{
    (void)state;
    static const char name[256] = {0};
    ossa_file *file = read_fixture(fixture_find("mm-shaders/one"));
    ossa_mm_shaders *shaders = ossa_as_mm_shaders(file);
    shaders->variant_count = 0x80;
    require_write_refused(file, "variant_count");
    ossa_mm_shader shader = shaders->shaders[0];
    shader.name = name;
    shader.name_size = 256;
    shaders->variant_count = 1;
    shaders->shaders = &shader;
    require_write_refused(file, "name");
    ossa_file_free(file);
}

TEST_GROUP(test_mm_var)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colours_are_blue_green_red_alpha),
        cmocka_unit_test(shaders_are_read_in_both_forms),
        cmocka_unit_test(every_byte_of_a_colour_is_written_back),
        cmocka_unit_test(what_cannot_be_stored_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
