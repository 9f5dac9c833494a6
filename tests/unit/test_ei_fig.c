/* SPDX-License-Identifier: MIT
 *
 * ei-fig: the values of a figure, where each of them stands, and what writing makes of changes. */
#include "support/fig_fixture.h"
#include "support/testing.h"

#include <math.h>
#include <string.h>

static const struct fig_plan plan = {.seed = 7,
                                     .variants = 8,
                                     .vertex_blocks = 3,
                                     .normal_blocks = 2,
                                     .texcoords = 4,
                                     .triangles = 2,
                                     .corners = 6,
                                     .morphs = 5,
                                     .group = 21,
                                     .texture_number = 3};

static void counts_and_arrays_are_what_the_bytes_say(void **state)
{
    (void)state;
    struct bytes file = make_fig(&plan);
    struct fig_places at = find_fig_places(&plan);
    ossa_file *read = read_or_fail("figure", file.data, file.size, NULL);
    const ossa_ei_fig *fig = ossa_as_ei_fig(read);
    assert_non_null(fig);
    assert_null(ossa_as_ei_bon(read));
    assert_int_equal(read->format->kind, OSSA_KIND_MODEL);
    assert_int_equal(read->confidence, OSSA_CONFIDENCE_SIGNATURE);
    assert_int_equal(fig->variant_count, 8);
    assert_int_equal(fig->vertex_block_count, 3);
    assert_int_equal(fig->normal_block_count, 2);
    assert_int_equal(fig->texcoord_count, 4);
    assert_int_equal(fig->index_count, 6);
    assert_int_equal(fig->vertex_component_count, 6);
    assert_int_equal(fig->morph_component_count, 5);
    assert_int_equal(fig->zero, 0);
    assert_int_equal(fig->group, 21);
    assert_int_equal(fig->texture_number, 3);
    assert_int_equal(fig->borrowed, OSSA__LITTLE_ENDIAN);
    if (fig->borrowed) {
        assert_ptr_equal(fig->center, file.data + at.center);
        assert_ptr_equal(fig->min, file.data + at.center + 96);
        assert_ptr_equal(fig->max, file.data + at.center + 192);
        assert_ptr_equal(fig->radius, file.data + at.radius);
        assert_ptr_equal(fig->vertices, file.data + at.vertices);
        assert_ptr_equal(fig->normals, file.data + at.normals);
        assert_ptr_equal(fig->texcoords, file.data + at.texcoords);
        assert_ptr_equal(fig->indices, file.data + at.indices);
        assert_ptr_equal(fig->vertex_components, file.data + at.corners);
        assert_ptr_equal(fig->morph_components, file.data + at.morphs);
    }
    assert_int_equal(fig->vertex_components[5].vertex, get_u16(&file, at.corners + 30));
    assert_int_equal(fig->vertex_components[5].normal, get_u16(&file, at.corners + 32));
    assert_int_equal(fig->vertex_components[5].texcoord, get_u16(&file, at.corners + 34));
    assert_int_equal(fig->morph_components[2].morph, 2);
    assert_int_equal(fig->morph_components[2].vertex, 17 % 12);
    ossa_file_free(read);
    bytes_free(&file);
}

/* At an odd address everything is copied, at one that only suits u16s just the floats. */
static void a_misaligned_file_is_copied(void **state)
{
    (void)state;
    struct bytes file = make_fig(&plan);
    for (size_t shift = 1; shift <= 2; shift++) {
        struct bytes shifted = {0};
        put_repeated(&shifted, 0, shift);
        put_bytes(&shifted, file.data, file.size);
        ossa_file *read = read_or_fail("shifted", shifted.data + shift, file.size, NULL);
        const ossa_ei_fig *fig = ossa_as_ei_fig(read);
        assert_true(fig->borrowed == (OSSA__LITTLE_ENDIAN && shift == 2));
        assert_int_equal(bits_of_f32(fig->vertices[5][2]),
                         get_u32(&file, find_fig_places(&plan).vertices + 4 * 22));
        assert_int_equal(fig->indices[4], get_u16(&file, find_fig_places(&plan).indices + 8));
        ossa_file_free(read);
        bytes_free(&shifted);
    }
    bytes_free(&file);
}

/* ---- vertices and normals ------------------------------------------------------------------ */

/* The place of a number in the file, written out: block, axis, variant, lane. */
static float stored(const struct bytes *file, const struct fig_plan *p, uint32_t index,
                    uint32_t axis, uint32_t variant)
{
    size_t at = find_fig_places(p).vertices;
    at += (size_t)(index / 4) * 48 * p->variants; /* a block: 3 axes of n variants of 4 lanes */
    at += (size_t)axis * 16 * p->variants + (size_t)variant * 16 + (size_t)(index % 4) * 4;
    return f32_of_bits(get_u32(file, at));
}

static void vertices_are_axis_then_variant_then_lane(void **state)
{
    (void)state;
    static const uint32_t variants[] = {1, 2, 4, 6, 8};
    for (size_t n = 0; n < sizeof variants / sizeof variants[0]; n++) {
        struct fig_plan p = plan;
        p.variants = variants[n];
        struct bytes file = make_fig(&p);
        ossa_file *read = read_or_fail("figure", file.data, file.size, NULL);
        const ossa_ei_fig *fig = ossa_as_ei_fig(read);
        for (uint32_t i = 0; i < 12; i++) {
            for (uint32_t corner = 0; corner < 8; corner++) {
                const float numbers[3] = {(float)(corner >> 1 & 1), (float)(corner & 1),
                                          (float)(corner >> 2)};
                float vertex[3];
                ossa_ei_fig_vertex(fig, i, numbers, vertex);
                for (uint32_t k = 0; k < 3; k++) {
                    uint32_t variant = p.variants == 8 ? corner : 0;
                    assert_true(vertex[k] == stored(&file, &p, i, k, variant));
                }
            }
        }
        ossa_file_free(read);
        bytes_free(&file);
    }
}

static void the_complexion_blends_eight_variants(void **state)
{
    (void)state;
    struct bytes file = make_fig(&plan);
    ossa_file *read = read_or_fail("figure", file.data, file.size, NULL);
    const float numbers[3] = {0.25F, 0.75F, 0.5F};
    static const unsigned bits[3] = {1, 0, 2};
    for (uint32_t i = 0; i < 12; i++) {
        float vertex[3];
        ossa_ei_fig_vertex(ossa_as_ei_fig(read), i, numbers, vertex);
        for (uint32_t k = 0; k < 3; k++) {
            double expected = 0.0;
            for (uint32_t v = 0; v < 8; v++) {
                double weight = 1.0;
                for (unsigned n = 0; n < 3; n++) {
                    double part = (double)numbers[n];
                    weight *= (v >> bits[n] & 1) != 0 ? part : 1.0 - part;
                }
                expected += weight * (double)stored(&file, &plan, i, k, v);
            }
            assert_true(fabs((double)vertex[k] - expected) < 1e-6);
        }
    }
    ossa_file_free(read);
    bytes_free(&file);
}

static void normals_are_divided_by_w(void **state)
{
    (void)state;
    struct bytes file = make_fig(&plan);
    size_t at = find_fig_places(&plan).normals + 64; /* the second block */
    const float x[4] = {1.0F, -2.0F, 3.0F, 0.5F};
    const float w[4] = {2.0F, 0.0F, -1.0F, -0.0F};
    for (size_t lane = 0; lane < 4; lane++) {
        set_f32(&file, at + 4 * lane, x[lane]);
        set_f32(&file, at + 16 + 4 * lane, -x[lane]);
        set_f32(&file, at + 32 + 4 * lane, 0.0F);
        set_f32(&file, at + 48 + 4 * lane, w[lane]);
    }
    ossa_file *read = read_or_fail("figure", file.data, file.size, NULL);
    static const float expected[4] = {0.5F, -2.0F, -3.0F, 0.5F}; /* by 0 nothing is divided */
    for (uint32_t lane = 0; lane < 4; lane++) {
        float normal[3];
        ossa_ei_fig_normal(ossa_as_ei_fig(read), 4 + lane, normal);
        assert_true(normal[0] == expected[lane]);
        assert_true(normal[1] == -expected[lane]);
        assert_true(normal[2] == 0.0F);
    }
    ossa_file_free(read);
    bytes_free(&file);
}

static void what_a_figure_does_not_have_is_nothing(void **state)
{
    (void)state;
    struct bytes file = make_fig(&plan);
    ossa_file *read = read_or_fail("figure", file.data, file.size, NULL);
    static const uint32_t past[] = {12, 13, 65535, 0xffffffff};
    for (size_t i = 0; i < sizeof past / sizeof past[0]; i++) {
        float out[3] = {1.0F, 1.0F, 1.0F};
        ossa_ei_fig_vertex(ossa_as_ei_fig(read), past[i], NULL, out);
        assert_true(out[0] == 0.0F && out[1] == 0.0F && out[2] == 0.0F);
        out[0] = 1.0F;
        ossa_ei_fig_normal(ossa_as_ei_fig(read), past[i], out);
        assert_true(out[0] == 0.0F && out[1] == 0.0F && out[2] == 0.0F);
    }
    ossa_file_free(read);
    bytes_free(&file);
}

/* ---- writing ------------------------------------------------------------------------------- */

static void changed_arrays_are_written(void **state)
{
    (void)state;
    static const uint16_t indices[3] = {2, 1, 0};
    static const ossa_ei_morph_component morphs[1] = {{9, 4}};
    struct bytes file = make_fig(&plan);
    struct fig_places at = find_fig_places(&plan);
    ossa_file *read = read_or_fail("figure", file.data, file.size, NULL);
    ossa_ei_fig *fig = ossa_as_ei_fig(read);
    fig->indices = indices;
    fig->index_count = 3;
    fig->morph_components = morphs;
    fig->morph_component_count = 1;
    fig->texture_number = 77;
    struct bytes expected = bytes_copy(file.data, at.indices);
    set_u32(&expected, 16, 3);
    set_u32(&expected, 24, 1);
    set_u32(&expected, 36, 77);
    for (unsigned i = 0; i < 3; i++) put_u16(&expected, indices[i]);
    put_bytes(&expected, file.data + at.corners, at.morphs - at.corners);
    put_u16(&expected, 9);
    put_u16(&expected, 4);
    require_written("changed", read, expected.data, expected.size);
    fig->variant_count = 3; /* no signature says so */
    ossa_error error;
    ossa_buffer out = {0};
    assert_false(ossa_write(read, ossa_buffer_sink(&out), &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_ARGUMENT);
    assert_string_equal(error.message, "3 variants, expected 1, 2, 4, 6 or 8");
    ossa_buffer_free(&out);
    ossa_file_free(read);
    bytes_free(&expected);
    bytes_free(&file);
}

/* ---- issues -------------------------------------------------------------------------------- */

static const char *first_message(const char *fixture_name, char *text, size_t capacity)
{
    struct issue_log log = {0};
    const struct fixture *fixture = fixture_find(fixture_name);
    ossa_options options = fixture_options(fixture);
    options.on_issue = log_issue;
    options.user = &log;
    ossa_file_free(ossa_read(fixture->bytes.data, fixture->bytes.size, &options, NULL));
    assert_int_equal(log.count, 1);
    assert_true(strlen(log.items[0].message) < capacity);
    memcpy(text, log.items[0].message, strlen(log.items[0].message) + 1);
    return text;
}

static void messages_say_what_was_expected(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"ei-fig/signature-3", "0x33474946 is not FIG1, FIG2, FIG4, FIG6 or FIG8"},
        {"ei-fig/zero", "is 7, expected 0"},
        {"ei-fig/no-triangles", "11 indices do not form triangles, expected a multiple of 3"},
        {"ei-fig/bad-index", "9 is not below the number of vertex components, 9 (first of 1)"},
        {"ei-fig/bad-normal", "4 is not below the number of normals, 4 (first of 1)"},
        {"ei-fig/many-vertices", "4294967295 items of 192 bytes cannot fit in the 576 bytes left"},
        {"ei-fig/no-w", "the w of this normal is 0, so the normal is not divided by it; vertex "
                        "components with such a normal: 2"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[OSSA_MESSAGE_CAPACITY];
        assert_string_equal(first_message(cases[i][0], text, sizeof text), cases[i][1]);
    }
}

TEST_GROUP(test_ei_fig)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_and_arrays_are_what_the_bytes_say),
        cmocka_unit_test(a_misaligned_file_is_copied),
        cmocka_unit_test(vertices_are_axis_then_variant_then_lane),
        cmocka_unit_test(the_complexion_blends_eight_variants),
        cmocka_unit_test(normals_are_divided_by_w),
        cmocka_unit_test(what_a_figure_does_not_have_is_nothing),
        cmocka_unit_test(changed_arrays_are_written),
        cmocka_unit_test(messages_say_what_was_expected),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
