/* SPDX-License-Identifier: MIT */
#include "support/nmo_fixture.h"
#include "support/refusals.h"
#include "support/testing.h"

#include "formats/shadow_of_the_colossus/sotc_vif.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- vectors ------------------------------------------------------------------------------- */

static double number_at(const json_t *rows, size_t row, size_t column)
{
    return json_number_value(json_array_get(json_array_get(rows, row), column));
}

/* One array of a strip, `width` numbers per vertex, read by `get`; it is there if it should be. */
static void require_rows(const char *name, const json_t *strip, const char *key, bool is_there,
                         const ossa_sotc_strip *found, unsigned width,
                         double (*get)(const ossa_sotc_strip *strip, size_t i, size_t c))
{
    const json_t *rows = json_object_get(strip, key);
    require(is_there == (rows != NULL), name, is_there ? "has %s" : "has no %s", key);
    if (rows == NULL) return;
    assert_int_equal(json_array_size(rows), found->vertex_count);
    for (size_t i = 0; i < found->vertex_count; i++) {
        for (size_t c = 0; c < width; c++) {
            float wanted = (float)number_at(rows, i, c);
            require((float)get(found, i, c) == wanted, name, "%s[%zu][%zu] is %.9g, not %.9g", key,
                    i, c, get(found, i, c), (double)wanted);
        }
    }
}

static double position(const ossa_sotc_strip *strip, size_t i, size_t c)
{
    return (double)strip->positions[i][c];
}

static double normal(const ossa_sotc_strip *strip, size_t i, size_t c)
{
    return strip->normals != NULL ? (double)strip->normals[i][c]
                                  : (double)strip->short_normals[i][c] / 4096.0;
}

static double first_pair(const ossa_sotc_strip *strip, size_t i, size_t c)
{
    int value = strip->texcoords != NULL ? strip->texcoords[i][c] : strip->texcoords4[i][c];
    return (double)value / 4096.0;
}

static double second_pair(const ossa_sotc_strip *strip, size_t i, size_t c)
{
    return (double)strip->texcoords4[i][2 + c] / 4096.0;
}

static double colour(const ossa_sotc_strip *strip, size_t i, size_t c)
{
    return (double)strip->colours[i][c];
}

static void require_skin(const char *name, const json_t *strip, const ossa_sotc_strip *found)
{
    const json_t *skin = json_object_get(strip, "skin");
    require((skin != NULL) == (found->skin != NULL), name, "skin");
    for (size_t i = 0; i < json_array_size(skin); i++) {
        const json_t *wanted = json_array_get(skin, i);
        uint32_t bones[3];
        float weights[3];
        unsigned count = ossa_sotc_weights(&found->skin[i], 8, bones, weights);
        require(count == json_array_size(wanted), name, "vertex %zu has %u bones", i, count);
        for (unsigned k = 0; k < count; k++) {
            require(bones[k] == number_at(wanted, k, 0), name, "vertex %zu: bone %u", i, bones[k]);
            require(fabs((double)weights[k] - number_at(wanted, k, 1)) <= 1.1e-5, name,
                    "vertex %zu: weight %g", i, (double)weights[k]);
        }
    }
}

static void require_strip(const char *name, const json_t *wanted, const ossa_sotc_strip *found)
{
    bool has_normals = found->normals != NULL || found->short_normals != NULL;
    bool has_pairs = found->texcoords != NULL || found->texcoords4 != NULL;
    require_rows(name, wanted, "positions", found->positions != NULL, found, 3, position);
    require_rows(name, wanted, "normals", has_normals, found, 3, normal);
    require_rows(name, wanted, "uv", has_pairs, found, 2, first_pair);
    require_rows(name, wanted, "uv2", found->texcoords4 != NULL, found, 2, second_pair);
    require_rows(name, wanted, "colours", found->colours != NULL, found, 4, colour);
    require_skin(name, wanted, found);
    assert_null(found->others);
}

static void require_text(const char *name, const json_t *object, const char *text, uint32_t size)
{
    const char *wanted = json_string_value(json_object_get(object, "name"));
    require(wanted != NULL && strlen(wanted) == size && memcmp(wanted, text, size) == 0, name,
            "'%s' is called '%.*s'", wanted, (int)size, text);
}

static int64_t integer(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static void require_tables(const char *name, const json_t *data, const ossa_sotc_nmo *nmo)
{
    const json_t *textures = json_object_get(data, "textures");
    const json_t *surfaces = json_object_get(data, "surfaces");
    require_text(name, data, nmo->name, nmo->name_size);
    assert_int_equal(nmo->texture_count, json_array_size(textures));
    for (uint32_t i = 0; i < nmo->texture_count; i++) {
        const json_t *texture = json_array_get(textures, i);
        require_text(name, texture, nmo->textures[i].name, nmo->textures[i].name_size);
        assert_int_equal(nmo->textures[i].width, integer(texture, "width"));
        assert_int_equal(nmo->textures[i].height, integer(texture, "height"));
    }
    assert_int_equal(nmo->surface_count, json_array_size(surfaces));
    for (uint32_t i = 0; i < nmo->surface_count; i++) {
        const ossa_sotc_surface *found = &nmo->surfaces[i];
        const json_t *surface = json_array_get(surfaces, i);
        const json_t *wrap = json_object_get(surface, "wrap");
        const json_t *second = json_object_get(surface, "second_texture");
        require_text(name, surface, found->name, found->name_size);
        assert_int_equal(found->flags, integer(surface, "flags"));
        assert_int_equal(found->stages[0].texture, integer(surface, "texture"));
        assert_int_equal(found->texture_mode == 2, !json_is_null(second));
        if (!json_is_null(second)) {
            assert_int_equal(found->stages[1].texture, json_integer_value(second));
        }
        assert_true(found->has_clamp && found->has_blend);
        assert_int_equal(found->blend, 0x8000000044);
        for (size_t k = 0; k < 2; k++) {
            assert_int_equal(found->is_clamped[k], json_integer_value(json_array_get(wrap, k)));
        }
    }
}

static void require_draws(const char *name, const json_t *draws, const ossa_sotc_nmo *nmo)
{
    uint32_t strips = 0;
    assert_int_equal(nmo->draw_count, json_array_size(draws));
    for (uint32_t i = 0; i < nmo->draw_count; i++) {
        const json_t *draw = json_array_get(draws, i);
        const json_t *wanted = json_object_get(draw, "strips");
        assert_int_equal(nmo->draws[i].surface, integer(draw, "surface"));
        assert_int_equal(nmo->draws[i].first_strip, strips);
        assert_int_equal(nmo->draws[i].strips, json_array_size(wanted));
        for (uint32_t k = 0; k < nmo->draws[i].strips; k++, strips++) {
            assert_int_equal(nmo->strips[strips].draw, i);
            require_strip(name, json_array_get(wanted, k), &nmo->strips[strips]);
        }
    }
    assert_int_equal(nmo->strip_count, strips);
}

static json_t *load_json(const char *path)
{
    json_error_t error;
    struct bytes text = load_test_file(path);
    json_t *document = json_loadb((const char *)text.data, text.size, 0, &error);
    require(document != NULL, path, "line %d: %s", error.line, error.text);
    bytes_free(&text);
    return document;
}

static void vectors_mean_the_same(void **state)
{
    (void)state;
    static const char *const names[] = {"bare",  "full", "lit",  "many",
                                        "own_A", "rock", "wall", "water"};
    const ossa_options options = {.check_values = true};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[128];
        (void)snprintf(path, sizeof path, "vectors/sotc-models/%s.nmo", names[i]);
        struct bytes bytes = load_test_file(path);
        ossa_file *file = read_or_fail(path, bytes.data, bytes.size, &options);
        assert_string_equal(file->format->id, "sotc-nmo");
        require(file->issue_count == 0, path, "has issues");
        (void)snprintf(path, sizeof path, "vectors/sotc-models/%s.nmo.json", names[i]);
        json_t *expected = load_json(path);
        const json_t *data = json_object_get(expected, "data");
        require_tables(names[i], data, ossa_as_sotc_nmo(file));
        require_draws(names[i], json_object_get(data, "draws"), ossa_as_sotc_nmo(file));
        require_written(path, file, bytes.data, bytes.size);
        require_rebuilt(path, file, OSSA_JSON_STYLE_LINE, bytes.data, bytes.size);
        json_decref(expected);
        ossa_file_free(file);
        bytes_free(&bytes);
    }
}

/* One warning, and its bytes stay. */
static void odd_weights_are_one_warning(void **state)
{
    (void)state;
    const char *path = "vectors/sotc-models/own_A_head.nmo.odd";
    struct bytes bytes = load_test_file(path);
    json_t *expected = load_json("vectors/sotc-models/own_A_head.nmo.odd.json");
    const json_t *strips = json_object_get(json_object_get(expected, "data"), "positions");
    ossa_file *file = read_or_fail(path, bytes.data, bytes.size, NULL);
    const ossa_sotc_nmo *nmo = ossa_as_sotc_nmo(file);
    uint32_t bones[3];
    float weights[3];
    assert_int_equal(file->issue_count, 1);
    assert_int_equal(file->issues[0].severity, OSSA_SEVERITY_WARNING);
    assert_int_equal(nmo->strip_count, json_array_size(strips));
    for (uint32_t i = 0; i < nmo->strip_count; i++) {
        const ossa_sotc_strip *strip = &nmo->strips[i];
        for (size_t k = 0; k < strip->vertex_count; k++) {
            unsigned used = ossa_sotc_weights(&strip->skin[k], 8, bones, weights);
            assert_int_equal(used == 0, i == 0 && k == 1);
            for (size_t c = 0; c < 3; c++) {
                double wanted = number_at(json_array_get(strips, i), k, c);
                assert_true(strip->positions[k][c] == (float)wanted);
            }
        }
    }
    assert_true(nmo->strips[0].skin[1].bones[0] == -0.25F);
    require_written(path, file, bytes.data, bytes.size);
    require_rebuilt(path, file, OSSA_JSON_STYLE_PRETTY, bytes.data, bytes.size);
    json_decref(expected);
    ossa_file_free(file);
    bytes_free(&bytes);
}

/* ---- weights ------------------------------------------------------------------------------- */

static void weights_sum_up_to_1(void **state)
{
    (void)state;
    static const struct {
        ossa_sotc_skin skin;
        unsigned count; /* for a skeleton of four bones */
        uint32_t bones[3];
        float weights[3];
    } cases[] = {
        {{{2.99999F, 0, 0}, 1}, 1, {2}, {1}},
        {{{2.75F, 3.25F, 0}, 2}, 2, {2, 3}, {0.75F, 0.25F}},
        {{{0.5F, 1.5F, 3.25F}, 3}, 3, {0, 1, 3}, {0.4F, 0.4F, 0.2F}},
        {{{1.25F, 3.5F, 1.25F}, 3}, 2, {1, 3}, {0.5F, 0.5F}}, /* twice the same */
        {{{1.0F, 3.5F, -7}, 2}, 1, {3}, {1}},                 /* one that weighs nothing */
        {{{2.5F, -1.0F, NAN}, 1}, 1, {2}, {1}},               /* what is not used is anything */
        {{{4.5F, 0, 0}, 1}, 0, {0}, {0}},
        {{{3.5F, 4.0F, 0}, 2}, 0, {0}, {0}},
        {{{-0.25F, 3.5F, 0}, 2}, 0, {0}, {0}},
        {{{1e9F, 0, 0}, 1}, 0, {0}, {0}},
        {{{INFINITY, 0, 0}, 1}, 0, {0}, {0}},
        {{{NAN, 0, 0}, 1}, 0, {0}, {0}},
        {{{2.0F, 1.0F, 0}, 2}, 0, {0}, {0}},
        {{{2.5F, 0, 0}, 0}, 0, {0}, {0}},
        {{{0.5F, 0.5F, 0.5F}, 4}, 0, {0}, {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t bones[3];
        float weights[3];
        unsigned count = ossa_sotc_weights(&cases[i].skin, 4, bones, weights);
        assert_int_equal(count, cases[i].count);
        for (unsigned k = 0; k < count; k++) {
            assert_int_equal(bones[k], cases[i].bones[k]);
            assert_true(weights[k] == cases[i].weights[k]);
        }
    }
}

/* ---- values -------------------------------------------------------------------------------- */

static void tables_are_those_of_the_file(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("sotc-nmo/plain");
    ossa_file *file = read_fixture(fixture);
    const ossa_sotc_nmo *nmo = ossa_as_sotc_nmo(file);
    assert_null(ossa_as_sotc_skb(file));
    assert_null(ossa_as_sotc_xff(file));
    assert_int_equal(file->format->kind, OSSA_KIND_MODEL);
    assert_int_equal(nmo->header[1], 3);
    assert_int_equal(nmo->box_count, 3);
    assert_int_equal(nmo->boxes[0].links[1], 2);
    assert_int_equal(nmo->boxes[2].links[0], -1);
    assert_int_equal(nmo->textures[1].number, 1);
    assert_int_equal(nmo->surfaces[1].stages[1].texture, 0);
    assert_true(nmo->surfaces[1].is_clamped[0] && !nmo->surfaces[1].is_clamped[1]);
    assert_true(nmo->surfaces[1].alpha == 1.0F);
    assert_int_equal(nmo->draws[1].chain_size, nmo->draws[1].understood_size);
    assert_int_equal(nmo->draws[1].first_strip, 2);
    /* Arrays are where they lie in the file. */
    const uint8_t *place = (const uint8_t *)nmo->strips[3].positions;
    bool is_inside =
        place > fixture->bytes.data && place < fixture->bytes.data + fixture->bytes.size;
    assert_int_equal(is_inside, OSSA__LITTLE_ENDIAN);
    ossa_file_free(file);
}

/* The type of a stream does not say whether it has normals: the surface does. */
static void streams_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool normals, short_normals, texcoords, texcoords4, colours, skin, others;
    } cases[] = {
        {"sotc-nmo/bare", false, false, false, false, true, false, false},
        {"sotc-nmo/plain", false, false, true, false, true, false, false},
        {"sotc-nmo/two-pairs", false, false, false, true, true, false, false},
        {"sotc-nmo/float-normals", true, false, true, false, true, false, false},
        {"sotc-nmo/skinned", false, true, true, false, true, true, false},
        {"sotc-nmo/unaligned", false, true, true, false, true, true, false},
        {"sotc-nmo/others", false, true, true, false, true, true, true},
        {"sotc-nmo/unknown-stream", false, false, true, false, false, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ossa_file *file = read_fixture(fixture_find(cases[i].name));
        const ossa_sotc_strip *strip = &ossa_as_sotc_nmo(file)->strips[0];
        assert_non_null(strip->positions);
        require((strip->normals != NULL) == cases[i].normals &&
                    (strip->short_normals != NULL) == cases[i].short_normals &&
                    (strip->texcoords != NULL) == cases[i].texcoords &&
                    (strip->texcoords4 != NULL) == cases[i].texcoords4 &&
                    (strip->colours != NULL) == cases[i].colours &&
                    (strip->skin != NULL) == cases[i].skin &&
                    (strip->others != NULL) == cases[i].others,
                cases[i].name, "has other streams");
        ossa_file_free(file);
    }
}

/* Arrays of the wrong length are not in the strip, so that nobody reads past their end. */
static void damaged_strips_have_no_arrays(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("sotc-nmo/stream-count"));
    const ossa_sotc_strip *strip = &ossa_as_sotc_nmo(file)->strips[0];
    assert_int_equal(strip->vertex_count, 3);
    assert_null(strip->positions);
    assert_null(strip->texcoords);
    assert_null(strip->colours);
    ossa_file_free(file);
    file = read_fixture(fixture_find("sotc-nmo/chain-twice"));
    const ossa_sotc_nmo *nmo = ossa_as_sotc_nmo(file);
    assert_int_equal(nmo->draws[1].understood_size, 0);
    assert_int_equal(nmo->draws[1].strips, 0);
    assert_int_equal(nmo->strip_count, 2);
    ossa_file_free(file);
    file = read_fixture(fixture_find("sotc-nmo/unknown-command"));
    nmo = ossa_as_sotc_nmo(file);
    assert_true(nmo->draws[0].understood_size < nmo->draws[0].chain_size);
    assert_int_equal(nmo->draws[0].strips, 1);
    assert_non_null(nmo->strips[0].colours);
    ossa_file_free(file);
}

static void another_version_is_refused(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("sotc-nmo/version");
    ossa_error error;
    assert_null(ossa_read(fixture->bytes.data, fixture->bytes.size, NULL, &error));
    assert_non_null(strstr(error.message, "version 2, not read"));
}

/* ---- hostile ------------------------------------------------------------------------------- */

/* Draws that share the largest chain there is cost no more than one of them. */
static void shared_chains_cost_nothing(void **state)
{
    (void)state;
    struct nmo_plan plan = {.seed = 9,
                            .surfaces = 1,
                            .draws = 20000,
                            .strips = 1,
                            .vertices = 3,
                            .flags = 4,
                            .boxes = 1};
    struct nmo_places places;
    struct bytes bytes = make_nmo(&plan, &places);
    ossa_file *file = read_or_fail("many", bytes.data, bytes.size, NULL);
    assert_int_equal(file->issue_count, 0);
    assert_int_equal(ossa_as_sotc_nmo(file)->strip_count, 20000);
    ossa_file_free(file);
    uint32_t size = (uint32_t)(places.textures - places.section);
    for (uint32_t i = 0; i < plan.draws; i++) {
        set_u32(&bytes, places.draws + (size_t)NMO_DRAW_SIZE * i, size);
        set_u32(&bytes, places.draws + (size_t)NMO_DRAW_SIZE * i + 16, 0);
    }
    for (unsigned round = 0; round < 2; round++) {
        file = read_or_fail("shared", bytes.data, bytes.size, NULL);
        const ossa_sotc_nmo *nmo = ossa_as_sotc_nmo(file);
        assert_int_equal(nmo->strip_count, round == 0 ? 20000 : 0);
        assert_int_equal(nmo->draws[0].strips, nmo->strip_count);
        struct bytes json = dump_or_fail("shared", file, OSSA_JSON_STYLE_LINE);
        assert_true(json.size < 20 * bytes.size);
        bytes_free(&json);
        ossa_file_free(file);
        set_u32(&bytes, places.chain[0], 0x18000000); /* nothing of it is understood */
    }
    bytes_free(&bytes);
}

static void count_bytes(void *user, const ossa_field *field)
{
    *(uint64_t *)user += field->size;
}

/* The default limit on memory is enough for a large one, with all its fields reported, and for the
 * strips with the least data. */
static void a_large_model_is_read(void **state)
{
    (void)state;
    struct nmo_plan plan = {.seed = 10,
                            .surfaces = 1,
                            .draws = 20,
                            .strips = 60,
                            .vertices = 40,
                            .flags = 7,
                            .is_skinned = true,
                            .misalignment = 1,
                            .boxes = 5000};
    struct nmo_places places;
    for (unsigned i = 0; i < 2; i++) {
        struct bytes bytes = make_nmo(&plan, &places);
        uint64_t told = 0;
        ossa_options options = {.check_values = true, .on_field = count_bytes, .user = &told};
        ossa_file *file = read_or_fail("large", bytes.data, bytes.size, &options);
        assert_int_equal(told, bytes.size);
        assert_int_equal(ossa_as_sotc_nmo(file)->strip_count, 20 * plan.strips);
        ossa_file_free(file);
        bytes_free(&bytes);
        plan.strips = 1000;
        plan.vertices = 3;
        plan.flags = 0;
        plan.is_skinned = false;
    }
}

/* ---- JSON and description ------------------------------------------------------------------ */

static void bad_json_is_refused(void **state)
{
    (void)state;
    const char *fixture = "sotc-nmo/skinned";
    require_edit_refused(fixture, "{\"code\":0}", "{\"code\":402653184}",
                         "data.draws[0].chain[0].code", "is not a code");
    require_edit_refused(fixture, "{\"code\":0}", "{\"code\":1812037632}", "data.draws[0].chain[0]",
                         "lacks what follows");
    require_edit_refused(fixture, "{\"code\":0}", "{\"code\":0,\"values\":[]}",
                         "data.draws[0].chain[0]", "has more than this code");
    require_edit_refused(fixture, "\"normals\":", "\"skin\":", "data.draws[0].chain[5].skin",
                         "is not what follows");
    require_edit_refused(fixture, "\"tag\":[", "\"tag\":[1,", "data.draws[0].chain[3].tag", "");
    require_edit_refused("sotc-nmo/plain", "\"count\":2", "\"count\":3",
                         "data.header.textures.count", "differs from another field");
    require_edit_refused(fixture, "\"three\":3", "\"four\":3", "data.draws[0].four", "");
}

static void what_people_see(void **state)
{
    (void)state;
    require_described("sotc-nmo/plain", "name           own.nmo");
    require_described("sotc-nmo/plain", "vertices       16");
    require_described("sotc-nmo/plain", "triangles      8");
    require_described("sotc-nmo/plain", "skinned        no");
    require_described("sotc-nmo/skinned", "skinned        yes");
    require_described("sotc-nmo/two-pairs", "texture colours blends water");
    require_described("sotc-nmo/two-pairs", "repeat-repeat alpha-44");
    require_described("sotc-nmo/others", "another vector per vertex");
}

/* What follows a code is padded to whole words, unless the chain ends before that. */
static void codes_are_whole_words(void **state)
{
    (void)state;
    for (uint64_t payload = 0; payload < 20; payload++) {
        const struct ossa__vif_code code = {.payload = payload};
        uint64_t whole = payload % 4 == 0 ? 4 + payload : 8 + payload - payload % 4;
        assert_int_equal(ossa__vif_size(&code, 100), whole);
        assert_int_equal(ossa__vif_size(&code, 4 + payload), 4 + payload);
        assert_int_equal(ossa__vif_size(&code, 3 + payload), 0);
    }
}

TEST_GROUP(test_sotc_nmo)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_mean_the_same),
        cmocka_unit_test(odd_weights_are_one_warning),
        cmocka_unit_test(weights_sum_up_to_1),
        cmocka_unit_test(tables_are_those_of_the_file),
        cmocka_unit_test(streams_are_told_apart),
        cmocka_unit_test(damaged_strips_have_no_arrays),
        cmocka_unit_test(another_version_is_refused),
        cmocka_unit_test(shared_chains_cost_nothing),
        cmocka_unit_test(a_large_model_is_read),
        cmocka_unit_test(bad_json_is_refused),
        cmocka_unit_test(what_people_see),
        cmocka_unit_test(codes_are_whole_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
