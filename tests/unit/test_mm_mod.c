/* SPDX-License-Identifier: MIT
 *
 * Models of Midtown Madness: what stands in the text, in both dialects. */
#include "support/mm_pedestrian.h"
#include "support/refusals.h"
#include "support/testing.h"

#include <string.h>

static ossa_file *read_text(const char *text)
{
    ossa_options options = {.format = "mm-mod"};
    return read_or_fail(text, text, strlen(text), &options);
}

static void require_word(const char *found, uint32_t size, const char *expected)
{
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(found, expected, size);
}

static void require_indices(const ossa_mm_primitive *primitive, ossa_mm_primitive_kind kind,
                            uint32_t count, const uint32_t *expected)
{
    assert_int_equal(primitive->kind, kind);
    assert_int_equal(primitive->index_count, count);
    assert_memory_equal(primitive->indices, expected, count * sizeof *expected);
}

static void packets_are_read(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("mm-mod/packets");
    ossa_file *file = read_fixture(fixture);
    const ossa_mm_mod *mod = ossa_as_mm_mod(file);
    assert_non_null(mod);
    assert_int_equal(file->format->kind, OSSA_KIND_MODEL);
    assert_true(mod->has_packets);
    require_word(mod->version, mod->version_size, "1.09");
    assert_int_equal(mod->declared[OSSA_MM_LIST_VERTS], 6);
    assert_int_equal(mod->declared[OSSA_MM_LIST_MATRICES], 2);
    assert_int_equal(mod->vertex_count, 6);
    assert_true(mod->vertices[1][0] == -0.5F && mod->vertices[5][2] == -0.125F);
    assert_int_equal(mod->normal_count, 2);
    assert_true(mod->normals[1][1] == 3.0F && mod->normals[1][2] == 4.0F);
    assert_int_equal(mod->colour_count, 2);
    assert_true(mod->colours[1][1] == 0.5F && mod->colours[1][3] == 1.0F);
    assert_int_equal(mod->tex1_count, 3);
    assert_true(mod->tex1s[2][0] == 0.5F && mod->tex1s[2][1] == 0.0F);
    assert_int_equal(mod->tex2_count, 0);
    assert_int_equal(mod->material_count, 2);
    require_word(mod->materials[0].name, mod->materials[0].name_size, "skin");
    require_word(mod->materials[0].texture, mod->materials[0].texture_size, "BEARD64");
    require_word(mod->materials[0].illum, mod->materials[0].illum_size, "diffuse");
    assert_true(mod->materials[0].diffuse[1] == 0.25F && mod->materials[0].ambient[0] == 0.1F);
    assert_int_equal(mod->materials[0].packet_count, 2);
    assert_int_equal(mod->materials[1].texture_size, 0);
    assert_int_equal(mod->packet_count, 3);
    static const uint32_t owners[3] = {0, 0, 1};
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(mod->packets[i].material, owners[i]);
        assert_int_equal(mod->packets[i].adjunct_count, 3);
        assert_ptr_equal(mod->packets[i].adjuncts, mod->adjuncts + 3 * i);
        assert_ptr_equal(mod->packets[i].primitives, mod->primitives + i);
    }
    const ossa_mm_packet *joint = &mod->packets[1];
    assert_int_equal(joint->matrix_count, 2);
    assert_int_equal(joint->matrices[1], 1);
    assert_int_equal(joint->adjuncts[2].vertex, 4);
    assert_int_equal(joint->adjuncts[2].normal, 1);
    assert_int_equal(joint->adjuncts[2].tex1, 2);
    assert_int_equal(joint->adjuncts[2].slot, 1);
    require_indices(&joint->primitives[0], OSSA_MM_PRIMITIVE_KIND_TRIANGLE, 3,
                    (const uint32_t[]){2, 1, 0});
    assert_int_equal(mod->mtxv_count, 2);
    assert_int_equal(mod->mtxv[1], 3);
    assert_int_equal(mod->mtxn_count, 2);
    assert_ptr_equal(mod->text, fixture->bytes.data);
    assert_memory_equal(mod->text + joint->at, "packet 3 1 2", 12);
    assert_memory_equal(mod->text + joint->adjuncts[1].at, "adj\t3", 5);
    assert_null(ossa_as_mm_skel(file));
    ossa_file_free(file);
}

static void a_flat_model_gets_a_packet_for_each_material(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("mm-mod/flat"));
    const ossa_mm_mod *mod = ossa_as_mm_mod(file);
    assert_false(mod->has_packets);
    assert_int_equal(mod->adjunct_count, 7);
    assert_int_equal(mod->primitive_count, 3);
    assert_int_equal(mod->adjuncts[4].colour, -1);
    assert_int_equal(mod->adjuncts[4].slot, -1);
    assert_int_equal(mod->packet_count, 2);
    assert_int_equal(mod->packets[0].primitive_count, 2);
    assert_int_equal(mod->packets[1].primitive_count, 1);
    assert_ptr_equal(mod->packets[1].primitives, mod->primitives + 2);
    assert_ptr_equal(mod->packets[1].adjuncts, mod->adjuncts);
    assert_int_equal(mod->packets[1].adjunct_count, 7);
    assert_int_equal(mod->packets[1].matrix_count, 0);
    require_indices(&mod->packets[1].primitives[0], OSSA_MM_PRIMITIVE_KIND_TRIANGLE, 3,
                    (const uint32_t[]){4, 5, 6});
    ossa_file_free(file);
}

/* What the corners of a packet's first triangle are. */
static void require_vertices(const ossa_mm_packet *packet, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t expected[3] = {a, b, c};
    assert_int_equal(packet->primitive_count, 1);
    for (unsigned k = 0; k < 3; k++) {
        uint32_t index = packet->primitives[0].indices[k];
        assert_true(index < packet->adjunct_count);
        assert_int_equal(packet->adjuncts[index].vertex, expected[k]);
    }
}

/* Between the braces, corners may be counted from the first of the material, or of all; packets may
 * stand there too, and need not name slots. */
static void materials_may_hold_what_they_own(void **state)
{
    (void)state;
#define FOUR    "version: 1.06 verts: 4 v 0 0 0 v 1 0 0 v 0 1 0 v 1 1 0 "
#define FIRST   "mtl a { diffuse: 1 0 0 adj 0 0 0 0 0 adj 1 0 0 0 0 adj 2 0 0 0 0 tri 0 1 2 } "
#define CORNERS "adj 1 0 0 0 0 adj 3 0 0 0 0 adj 2 0 0 0 0 "
    static const char *const texts[] = {
        FOUR FIRST "mtl b { " CORNERS "tri 0 1 2 }",
        FOUR FIRST "mtl b { adjuncts: 3 primitives: 1 " CORNERS "tri 3 4 5 }",
        FOUR "mtl a { packet 3 1 0 { adj 0 0 0 0 0 adj 1 0 0 0 0 adj 2 0 0 0 0 tri 0 1 2 } } "
             "mtl b { packet 3 1 1 { " CORNERS "tri 0 1 2 mtx 0 } }",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ossa_file *file = read_text(texts[i]);
        const ossa_mm_mod *mod = ossa_as_mm_mod(file);
        require(file->error_count == 0 && file->warning_count == 0, texts[i], "has issues");
        assert_int_equal(mod->packet_count, 2);
        assert_int_equal(mod->packets[0].material, 0);
        assert_int_equal(mod->packets[1].material, 1);
        require_vertices(&mod->packets[0], 0, 1, 2);
        require_vertices(&mod->packets[1], 1, 3, 2);
        assert_int_equal(mod->adjuncts[5].slot, -1);
        ossa_file_free(file);
    }
}

static void strips_are_read(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("mm-mod/strips"));
    const ossa_mm_mod *mod = ossa_as_mm_mod(file);
    assert_int_equal(mod->primitive_count, 3);
    require_indices(&mod->primitives[0], OSSA_MM_PRIMITIVE_KIND_STRIP, 5,
                    (const uint32_t[]){0, 1, 2, 3, 4});
    require_indices(&mod->primitives[1], OSSA_MM_PRIMITIVE_KIND_STRIP_2, 4,
                    (const uint32_t[]){1, 2, 3, 4});
    require_indices(&mod->primitives[2], OSSA_MM_PRIMITIVE_KIND_STRIP, 2, (const uint32_t[]){0, 1});
    ossa_file_free(file);
}

static void names_may_have_anything_in_them(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("mm-mod/names"));
    const ossa_mm_mod *mod = ossa_as_mm_mod(file);
    static const char *const names[4][2] = {
        {"Material #25", "A B {"}, {"tri 0 0 0", ""}, {"packet", "\"open"}, {"\xe9p\xe9\x01", ""}};
    assert_int_equal(mod->material_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        const ossa_mm_material *material = &mod->materials[i];
        require_word(material->name, material->name_size, names[i][0]);
        require_word(material->texture, material->texture_size, names[i][1]);
    }
    assert_true(mod->materials[1].diffuse[2] == 1.0F); /* where the text has none */
    assert_int_equal(mod->primitive_count, 1);
    ossa_file_free(file);
}

static void comments_and_spelling_do_not_matter(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("mm-mod/comments"));
    const ossa_mm_mod *mod = ossa_as_mm_mod(file);
    assert_int_equal(file->warning_count, 0);
    assert_int_equal(mod->vertex_count, 3);
    assert_int_equal(bits_of_f32(mod->vertices[0][2]), bits_of_f32(-0.0F));
    assert_int_equal(mod->adjunct_count, 3);
    assert_int_equal(mod->primitive_count, 1);
    assert_int_equal(mod->adjuncts[0].normal, -1);
    ossa_file_free(file);
}

/* Everything behind the name stands in the same line, where a plain reader sees a comment. There
 * must be room for it all the same. */
static void a_line_that_looks_like_a_comment_has_room(void **state)
{
    (void)state;
    ossa_file *file = read_text("version: 1.09 verts: 3 mtl a #1 { packets: 1 primitives: 2 } "
                                "v 0 0 0 v 1 0 0 v 0 1 0 packet 3 2 1 { adj 0 0 0 0 0 0 "
                                "adj 1 0 0 0 0 0 adj 2 0 0 0 0 0 tri 0 1 2 stp 3 0 1 2 mtx 0 } "
                                "mtl b # { texture: 0 \"c\"packets: 0 } mtxv 3");
    const ossa_mm_mod *mod = ossa_as_mm_mod(file);
    assert_int_equal(file->warning_count + file->error_count, 0);
    assert_int_equal(mod->vertex_count, 3);
    assert_int_equal(mod->material_count, 2);
    assert_int_equal(mod->primitive_count, 2);
    assert_int_equal(mod->mtxv_count, 1);
    ossa_file_free(file);
}

/* A quote that nothing follows is a name of one character, and not one in quotes. */
static void a_quote_alone_is_a_name(void **state)
{
    (void)state;
    ossa_file *file = read_text("version: 1.09 verts: 3 mtl a { packets: 1 primitives: 1 } "
                                "v 0 0 0 v 1 0 0 v 0 1 0 packet 3 1 1 { adj 0 0 0 0 0 0 "
                                "adj 1 0 0 0 0 0 adj 2 0 0 0 0 0 tri 0 1 2 mtx 0 } "
                                "mtl b { texture: 0 \"\npackets: 0 } mtxv 3");
    const ossa_mm_mod *mod = ossa_as_mm_mod(file);
    assert_int_equal(mod->material_count, 2);
    assert_int_equal(mod->materials[1].texture_size, 1);
    assert_memory_equal(mod->materials[1].texture, "\"", 1);
    ossa_file_free(file);
}

/* ---- probe --------------------------------------------------------------------------------- */

/* A word may touch the name before it, and needs room all the same. */
static void a_word_behind_a_quote_has_room(void **state)
{
    (void)state;
    enum { TIMES = 3000 };
    static const char head[] = "version: 1.06 verts: 1 v 0 0 0 mtl a { ";
    static const char row[] = "texture: 0 \"x\"adj 0 0 0 0 0 texture: 0 \"x\"tri 0 0 0 ";
    struct bytes text = bytes_copy(head, sizeof head - 1);
    for (int i = 0; i < TIMES; i++) put_text(&text, row);
    put_text(&text, "}");
    const ossa_options options = {.format = "mm-mod"};
    ossa_file *file = read_or_fail("quotes", text.data, text.size, &options);
    const ossa_mm_mod *mod = ossa_as_mm_mod(file);
    assert_int_equal(mod->adjunct_count, TIMES);
    assert_int_equal(mod->primitive_count, TIMES);
    assert_int_equal(file->error_count, 0);
    for (uint32_t i = 0; i < TIMES; i++) {
        assert_int_equal(mod->adjuncts[i].vertex, 0);
        assert_int_equal(mod->primitives[i].index_count, 3);
        assert_int_equal(mod->primitives[i].indices[2], 0);
    }
    ossa_file_free(file);
    bytes_free(&text);
}

static void only_its_first_words_are_its_own(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t count;
    } cases[] = {{"version: 1.09\nverts: 3", 1},
                 {"version 1.10 verts 3", 1},
                 {"Version: 1.01 # or so\nNumBones 1 bone a { offset 1 2 3 }", 1},
                 {"version: 1.09 normals: 3", 0},
                 {"version: new verts: 3", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ossa_guess guesses[4];
        size_t count = ossa_probe(cases[i].text, strlen(cases[i].text), NULL, guesses, 4);
        require(count == cases[i].count, cases[i].text, "%zu claims", count);
        if (i < 2) assert_string_equal(guesses[0].format->id, "mm-mod");
        if (i == 2) assert_string_equal(guesses[0].format->id, "mm-skel");
    }
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void the_json_is_the_documented_one(void **state)
{
    (void)state;
    static const char text[] = "version: 1.09\nverts: 1\nv 0 0.5 -0\nmtl a { packets: 1 }\n"
                               "packet 1 0 1 { adj 0 -1 0 0 0 0 mtx 0 }\nmtxv 1";
    static const char expected[] =
        "{\"ossa\":1,\"format\":\"mm-mod\",\"size\":101,\"data\":{\"lines\":[\"version: 1.09\","
        "\"verts: 1\",\"v 0 0.5 -0\",\"mtl a { packets: 1 }\","
        "\"packet 1 0 1 { adj 0 -1 0 0 0 0 mtx 0 }\",\"mtxv 1\"],\"version\":\"1.09\","
        "\"dialect\":\"packets\",\"vertices\":[[0,0.5,-0.0]],\"normals\":[],\"colours\":[],"
        "\"tex1s\":[],\"tex2s\":[],\"materials\":[{\"name\":\"a\",\"texture\":\"\",\"texture2\":"
        "\"\",\"illum\":\"\","
        "\"ambient\":[0,0,0],\"diffuse\":[1,1,1],\"specular\":[0,0,0],\"packets\":1,"
        "\"adjuncts\":0,\"primitives\":0}],\"packets\":[{\"material\":0,"
        "\"adjuncts\":[[0,-1,0,0,0,0]],\"primitives\":[],\"matrices\":[0]}],\"mtxv\":[1],"
        "\"mtxn\":[]}}\n";
    ossa_file *file = read_text(text);
    struct bytes json = dump_or_fail("json", file, OSSA_JSON_STYLE_LINE);
    require_same("json", &json, expected, sizeof expected - 1);
    bytes_free(&json);
    ossa_file_free(file);
    file = read_fixture(fixture_find("mm-mod/flat"));
    json = dump_or_fail("json", file, OSSA_JSON_STYLE_LINE);
    put_u8(&json, 0);
    assert_non_null(
        strstr((const char *)json.data, "\"primitives\":[{\"kind\":\"tri\",\"indices\":[0,1,2]},"));
    assert_null(strstr((const char *)json.data, "\"packets\":["));
    bytes_free(&json);
    ossa_file_free(file);
}

static void lines_make_the_model(void **state)
{
    (void)state;
    static const char json[] =
        "{\"ossa\":1,\"format\":\"mm-mod\",\"size\":0,\"data\":{\"lines\":[\"version: 1.09\","
        "\"verts: 1\",\"v 1 2 3\",\"\"],\"vertices\":\"which nobody reads\"}}";
    ossa_error error;
    ossa_file *file = ossa_build(json, sizeof json - 1, NULL, &error);
    assert_non_null(file);
    assert_int_equal(file->size, 31);
    assert_true(ossa_as_mm_mod(file)->vertices[0][1] == 2.0F);
    ossa_file_free(file);
    static const char *const wrong[][2] = {{"{}", "data.lines"},
                                           {"{\"lines\":[1]}", "data.lines[0]"},
                                           {"{\"lines\":[],\"bones\":[]}", "data.bones"}};
    for (size_t i = 0; i < 3; i++)
        require_data_refused("mm-mod", 0, wrong[i][0], OSSA_CODE_BAD_JSON, wrong[i][1]);
}

/* ---- fields, describe ---------------------------------------------------------------------- */

struct lookup {
    const char *path;
    const char *text;
    size_t count;
};

static void look_for(void *user, const ossa_field *field)
{
    struct lookup *lookup = user;
    if (strcmp(field->path, lookup->path) != 0) return;
    assert_int_equal(field->type, OSSA_FIELD_TYPE_TEXT);
    assert_int_equal(field->size, strlen(lookup->text));
    assert_memory_equal(field->bytes, lookup->text, (size_t)field->size);
    lookup->count++;
}

static void every_word_has_a_name(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"mm-mod/packets", "version", "1.09"},
        {"mm-mod/packets", "colors", "2"},
        {"mm-mod/packets", "vertices[5].z", "-0.125"},
        {"mm-mod/packets", "colours[1].green", "0.5"},
        {"mm-mod/packets", "materials[0].diffuse.blue", "1.0"},
        {"mm-mod/packets", "materials[0].texture", "BEARD64"},
        {"mm-mod/packets", "packets[1].matrix_count", "2"},
        {"mm-mod/packets", "packets[1].adjuncts[2].vertex", "4"},
        {"mm-mod/packets", "packets[1].primitives[0].indices[0]", "2"},
        {"mm-mod/packets", "packets[1].matrices[1]", "1"},
        {"mm-mod/packets", "mtxv[1]", "3"},
        {"mm-mod/flat", "adjuncts[4].tex2", "-1"},
        {"mm-mod/flat", "primitives[2].indices[1]", "5"},
        {"mm-mod/strips", "packets[0].primitives[1].count", "4"},
        {"mm-mod/names", "materials[0].name", "Material #25"},
        {"mm-mod/version-1-10", "packets[0].reskins", "0"},
        {"mm-mod/unknown-row", "extra", "tan 1 2 3 tan 4 5 6"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct fixture *fixture = fixture_find(cases[i][0]);
        struct lookup lookup = {.path = cases[i][1], .text = cases[i][2]};
        ossa_options options = {.format = "mm-mod", .on_field = look_for, .user = &lookup};
        ossa_file_free(
            read_or_fail(fixture->name, fixture->bytes.data, fixture->bytes.size, &options));
        require(lookup.count == 1, lookup.path, "told %zu times", lookup.count);
    }
}

static void info_tells_what_there_is(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"mm-mod/packets", "  dialect        packets\n"},
        {"mm-mod/packets", "  bones          2\n"},
        {"mm-mod/packets", "  skin                     BEARD64                       2       0.5"},
        {"mm-mod/packets", "  shoe                     -                             1         0"},
        {"mm-mod/flat", "  dialect        flat\n"},
        {"mm-mod/strips", "triangles in strips"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        require_described(cases[i][0], cases[i][1]);
}

/* As shipped with the first game: the sixth number of a corner is its material, and textures have
 * names of their own. */
static void a_pedestrian_of_the_first_game(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("mm-mod/mm1-pedestrian"));
    const ossa_mm_mod *mod = ossa_as_mm_mod(file);
    assert_int_equal(file->issue_count, 0);
    assert_false(mod->has_packets);
    assert_int_equal(mod->mtxv_count, MM1_BONES);
    assert_int_equal(mod->material_count, MM1_MATERIALS);
    assert_int_equal(mod->packet_count, MM1_MATERIALS);
    assert_int_equal(mod->materials[0].texture_size, 0); /* none */
    assert_int_equal(mod->materials[1].texture_size, 7);
    assert_memory_equal(mod->materials[1].texture, "badge64", 7);
    uint32_t corners = 0;
    for (uint32_t p = 0; p < mod->packet_count; p++) {
        for (uint32_t i = 0; i < mod->packets[p].primitive_count; i++) {
            for (uint32_t k = 0; k < 3; k++, corners++) {
                uint32_t index = mod->packets[p].primitives[i].indices[k];
                assert_int_equal(mod->adjuncts[index].material, p);
                assert_int_equal(mod->adjuncts[index].slot, -1);
            }
        }
    }
    assert_int_equal(corners, 3 * 2 * MM1_BONES);
    ossa_file_free(file);
}

/* As shipped with the second game: packets repeat corners that the header counts once. */
static void a_pedestrian_of_the_second_game(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("mm-mod/mm2-pedestrian"));
    const ossa_mm_mod *mod = ossa_as_mm_mod(file);
    assert_int_equal(file->issue_count, 0);
    assert_true(mod->has_packets);
    assert_int_equal(mod->packet_count, MM2_MATERIALS + 1);
    assert_int_equal(mod->declared[OSSA_MM_LIST_ADJUNCTS], mod->normal_count);
    assert_true(mod->adjunct_count > mod->normal_count);
    ossa_file_free(file);
}

/* Materials that count nothing own what their corners state. */
static void corners_may_state_their_materials(void **state)
{
    (void)state;
    static const uint32_t materials[] = {1, 0, 1};
    static const uint32_t primitives[] = {1, 2, 1};
    ossa_file *file = read_fixture(fixture_find("mm-mod/stated-materials"));
    const ossa_mm_mod *mod = ossa_as_mm_mod(file);
    assert_int_equal(mod->packet_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(mod->packets[i].material, materials[i]);
        assert_int_equal(mod->packets[i].primitive_count, primitives[i]);
    }
    assert_int_equal(mod->materials[0].texture_size, 4);
    assert_int_equal(mod->materials[0].texture2_size, 5);
    assert_memory_equal(mod->materials[0].texture2, "GLOSS", 5);
    assert_int_equal(mod->materials[1].texture_size + mod->materials[1].texture2_size, 0);
    ossa_file_free(file);
}

static void later_versions_are_named(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("mm-mod/version-2-00");
    ossa_error error;
    ossa_options options = {.name = "x.mod"};
    assert_null(ossa_read(fixture->bytes.data, fixture->bytes.size, &options, &error));
    assert_string_equal(error.format, "mm-mod");
    assert_non_null(strstr(error.message, "'2.00'"));
    assert_non_null(strstr(error.message, "binary"));
}

TEST_GROUP(test_mm_mod)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_are_read),
        cmocka_unit_test(a_flat_model_gets_a_packet_for_each_material),
        cmocka_unit_test(materials_may_hold_what_they_own),
        cmocka_unit_test(strips_are_read),
        cmocka_unit_test(names_may_have_anything_in_them),
        cmocka_unit_test(comments_and_spelling_do_not_matter),
        cmocka_unit_test(a_line_that_looks_like_a_comment_has_room),
        cmocka_unit_test(a_quote_alone_is_a_name),
        cmocka_unit_test(a_word_behind_a_quote_has_room),
        cmocka_unit_test(only_its_first_words_are_its_own),
        cmocka_unit_test(the_json_is_the_documented_one),
        cmocka_unit_test(lines_make_the_model),
        cmocka_unit_test(every_word_has_a_name),
        cmocka_unit_test(info_tells_what_there_is),
        cmocka_unit_test(a_pedestrian_of_the_first_game),
        cmocka_unit_test(a_pedestrian_of_the_second_game),
        cmocka_unit_test(corners_may_state_their_materials),
        cmocka_unit_test(later_versions_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
