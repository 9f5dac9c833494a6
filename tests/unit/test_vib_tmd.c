/* SPDX-License-Identifier: MIT */
#include "support/refusals.h"
#include "support/testing.h"
#include "support/tmd_fixture.h"

#include <string.h>

/* The file of the fixture "lines", and where everything is in it. */
static struct bytes make_lines(struct tmd_places *places)
{
    const struct tmd_plan plan = {
        .seed = 281, .objects = 2, .vertices = 5, .normals = 3, .packets = 4};
    struct bytes file = make_tmd(&plan, places);
    const struct fixture *fixture = fixture_find("vib-tmd/lines");
    require_same(fixture->name, &file, fixture->bytes.data, fixture->bytes.size);
    return file;
}

static void require_vertices(const struct bytes *bytes, size_t at, const ossa_vib_vertex *vertices,
                             uint32_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_int_equal((uint16_t)vertices[i].x, get_u16(bytes, at + 8 * i));
        assert_int_equal((uint16_t)vertices[i].y, get_u16(bytes, at + 8 * i + 2));
        assert_int_equal((uint16_t)vertices[i].z, get_u16(bytes, at + 8 * i + 4));
        assert_int_equal((uint16_t)vertices[i].pad, get_u16(bytes, at + 8 * i + 6));
    }
}

static void objects_and_arrays_are_found(void **state)
{
    (void)state;
    struct tmd_places places;
    struct bytes bytes = make_lines(&places);
    ossa_file *file = read_or_fail("lines", bytes.data, bytes.size, NULL);
    const ossa_vib_tmd *tmd = ossa_as_vib_tmd(file);
    assert_null(ossa_as_vib_anm(file));
    assert_int_equal(file->format->kind, OSSA_KIND_MODEL);
    assert_int_equal(tmd->id, 0x41);
    assert_int_equal(tmd->flags, 0);
    assert_int_equal(tmd->object_count, 2);
    assert_int_equal(tmd->gap_count, 0);
    assert_ptr_equal(tmd->image, bytes.data);
    for (uint32_t i = 0; i < 2; i++) {
        const ossa_vib_object *object = &tmd->objects[i];
        assert_int_equal(object->vertices_offset, places.vertices[i] - 12);
        assert_int_equal(object->normals_offset, places.normals[i] - 12);
        assert_int_equal(object->primitives_offset, places.packets[i] - 12);
        assert_int_equal(object->vertex_count, 5);
        assert_int_equal(object->normal_count, 3);
        assert_int_equal(object->primitive_count, 4);
        require_vertices(&bytes, places.vertices[i], object->vertices, 5);
        require_vertices(&bytes, places.normals[i], object->normals, 3);
        for (size_t k = 0; k < 4; k++) {
            const ossa_vib_primitive *primitive = &object->primitives[k];
            size_t at = places.packets[i] + 12 * k;
            assert_int_equal(primitive->offset, at);
            assert_int_equal(primitive->olen, 3);
            assert_int_equal(primitive->ilen, 2);
            assert_int_equal(primitive->flag, 1);
            assert_int_equal(primitive->mode, 0x40);
            assert_int_equal(primitive->words[0], get_u32(&bytes, at + 4));
            assert_int_equal(primitive->words[1], get_u32(&bytes, at + 8));
        }
    }
    ossa_file_free(file);
    bytes_free(&bytes);
}

static void aligned_data_is_not_copied(void **state)
{
    (void)state;
    skip_unless_little_endian();
    struct tmd_places places;
    struct bytes bytes = make_lines(&places);
    ossa_file *file = read_or_fail("lines", bytes.data, bytes.size, NULL);
    const ossa_vib_object *object = &ossa_as_vib_tmd(file)->objects[1];
    assert_ptr_equal(object->vertices, bytes.data + places.vertices[1]);
    assert_ptr_equal(object->normals, bytes.data + places.normals[1]);
    assert_ptr_equal(object->primitives[2].words, bytes.data + places.packets[1] + 28);
    ossa_file_free(file);
    bytes_free(&bytes);
}

static void odd_layouts_are_read(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("vib-tmd/unaligned"));
    const ossa_vib_tmd *tmd = ossa_as_vib_tmd(file);
    assert_int_equal(tmd->gap_count, 6);
    assert_int_equal(tmd->gaps[0].offset, 12 + 2 * 28);
    assert_int_equal(tmd->gaps[0].size, 7);
    assert_int_equal(tmd->objects[0].scale, -0x9d);
    assert_int_equal((uint16_t)tmd->objects[1].vertices[4].pad, 0x9d9d);
    ossa_file_free(file);
    file = read_fixture(fixture_find("vib-tmd/empty-objects"));
    tmd = ossa_as_vib_tmd(file);
    assert_int_equal(tmd->objects[1].normals_offset, 0xfffffff1);
    assert_int_equal(tmd->objects[1].normal_count, 0);
    ossa_file_free(file);
    file = read_fixture(fixture_find("vib-tmd/no-objects"));
    assert_int_equal(ossa_as_vib_tmd(file)->object_count, 0);
    ossa_file_free(file);
}

static void absolute_offsets_lead_to_the_same_model(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("vib-tmd/absolute");
    ossa_file *file = read_fixture(fixture);
    ossa_file *other = read_fixture(fixture_find("vib-tmd/every-packet"));
    const ossa_vib_tmd *tmd = ossa_as_vib_tmd(file);
    const ossa_vib_object *a = &tmd->objects[0];
    const ossa_vib_object *b = &ossa_as_vib_tmd(other)->objects[0];
    assert_int_equal(tmd->flags, 1);
    assert_int_equal(a->vertices_offset, b->vertices_offset + 12);
    assert_int_equal(a->primitives_offset, b->primitives_offset + 12);
    assert_memory_equal(a->vertices, b->vertices, 8 * (size_t)b->vertex_count);
    assert_int_equal(a->primitives[87].offset, b->primitives[87].offset);
    ossa_file_free(other);
    ossa_file_free(file);
}

/* ---- packets ------------------------------------------------------------------------------- */

/* Read a packet by the picture of its layout. */
static void require_shape(const struct tmd_kind *kind, const ossa_vib_primitive *primitive,
                          const ossa_vib_shape *shape)
{
    unsigned vertices = 0;
    unsigned normals = 0;
    unsigned colours = 0;
    unsigned textures = 0;
    for (size_t i = 0; i < 2 * (size_t)kind->ilen; i++) {
        uint32_t word = primitive->words[i / 2];
        uint32_t half = word >> (16 * (i % 2)) & 0xffff;
        switch (kind->layout[i]) {
        case 'v': assert_int_equal(shape->vertices[vertices++], half); break;
        case 'n': assert_int_equal(shape->normals[normals++], half); break;
        case 'C':
            for (unsigned c = 0; c < 3; c++)
                assert_int_equal(shape->colours[colours][c], word >> (8 * c) & 0xff);
            colours++;
            break;
        case 'U':
            assert_int_equal(shape->uv[textures][0], word & 0xff);
            assert_int_equal(shape->uv[textures][1], word >> 8 & 0xff);
            if (textures == 0) assert_int_equal(shape->clut, word >> 16);
            if (textures == 1) assert_int_equal(shape->page, word >> 16);
            textures++;
            break;
        default: break;
        }
    }
    bool is_line = (kind->mode & 0xe0) == 0x40;
    assert_int_equal(shape->kind, is_line ? OSSA_VIB_KIND_LINE : OSSA_VIB_KIND_POLYGON);
    assert_int_equal(shape->corner_count, vertices);
    assert_int_equal(shape->has_normals, normals > 0);
    assert_int_equal(shape->lit, normals > 0);
    assert_int_equal(shape->textured, textures > 0);
    assert_true(textures == 0 || textures == vertices);
    for (unsigned i = 0; i < 4; i++) {
        if (normals == 0 || i >= vertices) assert_int_equal(shape->normals[i], -1);
        if (normals == 1 && i < vertices) assert_int_equal(shape->normals[i], shape->normals[0]);
        if (i >= vertices) continue;
        if (colours == 1) assert_memory_equal(shape->colours[i], shape->colours[0], 3);
        if (colours == 0) assert_memory_equal(shape->colours[i], "\x80\x80\x80", 3);
    }
}

static void every_packet_is_taken_apart(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("vib-tmd/every-packet"));
    const ossa_vib_object *object = &ossa_as_vib_tmd(file)->objects[0];
    assert_int_equal(object->primitive_count, 4 * TMD_KINDS);
    for (uint32_t i = 0; i < object->primitive_count; i++) {
        const struct tmd_kind *kind = &tmd_kinds[i % TMD_KINDS];
        const ossa_vib_primitive *primitive = &object->primitives[i];
        ossa_vib_shape shape;
        assert_int_equal(primitive->ilen, kind->ilen);
        require(ossa_vib_decode(primitive, &shape), kind->layout, "is not known");
        assert_int_equal(shape.translucent, i / TMD_KINDS % 2);
        assert_int_equal(shape.double_sided, i / TMD_KINDS / 2);
        require_shape(kind, primitive, &shape);
    }
    ossa_file_free(file);
}

/* A quad of flat colour that is lit and one that is not, worked out by hand. */
static void packets_worked_out_by_hand(void **state)
{
    (void)state;
    static const uint32_t lit[] = {0x28302010, 0x00070005, 0x00090008, 0xdead000a};
    ossa_vib_primitive primitive = {.ilen = 4, .flag = 0, .mode = 0x28, .words = lit};
    ossa_vib_shape shape;
    assert_true(ossa_vib_decode(&primitive, &shape));
    assert_int_equal(shape.corner_count, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(shape.vertices[i], 7 + i);
        assert_int_equal(shape.normals[i], 5);
        assert_memory_equal(shape.colours[i], "\x10\x20\x30", 3);
    }
    static const uint32_t textured[] = {0x78001234, 0x00195678, 0x00009abc, 0xffffdef0,
                                        0x2d010203, 0x00020001, 0x00040003};
    primitive = (ossa_vib_primitive){.ilen = 7, .flag = 1, .mode = 0x2d, .words = textured};
    assert_true(ossa_vib_decode(&primitive, &shape));
    assert_int_equal(shape.clut, 0x7800);
    assert_int_equal(shape.page, 0x0019);
    assert_memory_equal(shape.uv, "\x34\x12\x78\x56\xbc\x9a\xf0\xde", 8);
    assert_memory_equal(shape.colours[3], "\x03\x02\x01", 3);
    for (unsigned i = 0; i < 4; i++) assert_int_equal(shape.vertices[i], 1 + i);
    assert_false(shape.lit);
}

/* Of all 65536 pairs of flag and mode just those of the table are known, each with one length. */
static void no_other_packet_is_taken_apart(void **state)
{
    (void)state;
    static const uint32_t words[256] = {0};
    size_t known = 0;
    for (unsigned flag = 0; flag < 256; flag++) {
        for (unsigned mode = 0; mode < 256; mode++) {
            unsigned ilen = 255; /* of a kind that is not there */
            for (size_t k = 0; k < TMD_KINDS; k++) {
                if ((flag & ~2U) == tmd_kinds[k].flag && (mode & ~2U) == tmd_kinds[k].mode)
                    ilen = tmd_kinds[k].ilen;
            }
            for (unsigned length = 0; length <= 12; length++) {
                ossa_vib_primitive primitive = {.ilen = (uint8_t)length,
                                                .flag = (uint8_t)flag,
                                                .mode = (uint8_t)mode,
                                                .words = words};
                ossa_vib_shape shape;
                bool decoded = ossa_vib_decode(&primitive, &shape);
                assert_int_equal(decoded, length == ilen);
                assert_true(decoded || shape.corner_count == 0);
                known += decoded ? 1 : 0;
            }
        }
    }
    assert_int_equal(known, 4 * TMD_KINDS);
}

/* ---- changing a file ----------------------------------------------------------------------- */

static void changed_arrays_change_only_their_bytes(void **state)
{
    (void)state;
    struct tmd_places places;
    struct bytes bytes = make_lines(&places);
    ossa_file *file = read_or_fail("lines", bytes.data, bytes.size, NULL);
    ossa_vib_tmd *tmd = ossa_as_vib_tmd(file);
    ossa_vib_object objects[2];
    ossa_vib_primitive primitives[4];
    ossa_vib_vertex vertices[5];
    ossa_vib_vertex normals[3];
    memcpy(objects, tmd->objects, sizeof objects);
    memcpy(primitives, objects[1].primitives, sizeof primitives);
    memcpy(vertices, objects[0].vertices, sizeof vertices);
    memcpy(normals, objects[1].normals, sizeof normals);
    const uint32_t words[2] = {0x40112233, 0x00010002};
    vertices[4].y = -2;
    normals[0].pad = 77;
    primitives[3].words = words;
    objects[0].vertices = vertices;
    objects[1].normals = normals;
    objects[1].primitives = primitives;
    tmd->objects = objects;
    struct bytes expected = bytes_copy(bytes.data, bytes.size);
    set_u16(&expected, places.vertices[0] + 34, 0xfffe);
    set_u16(&expected, places.normals[1] + 6, 77);
    set_u32(&expected, places.packets[1] + 40, words[0]);
    set_u32(&expected, places.packets[1] + 44, words[1]);
    require_written("lines", file, expected.data, expected.size);
    bytes_free(&expected);
    ossa_file_free(file);
    bytes_free(&bytes);
}

/* Two objects with the same vertices: the one that was changed counts, in either order. */
static void a_change_to_shared_bytes_is_kept(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("vib-tmd/shared-vertices");
    for (unsigned changed = 0; changed < 2; changed++) {
        ossa_file *file = read_fixture(fixture);
        ossa_vib_tmd *tmd = ossa_as_vib_tmd(file);
        ossa_vib_object objects[2];
        ossa_vib_vertex vertices[256];
        memcpy(objects, tmd->objects, sizeof objects);
        memcpy(vertices, objects[0].vertices, sizeof vertices);
        vertices[255].x = 1234;
        objects[changed].vertices = vertices;
        tmd->objects = objects;
        struct bytes expected = bytes_copy(fixture->bytes.data, fixture->bytes.size);
        set_u16(&expected, expected.size - 8, 1234);
        require_written(fixture->name, file, expected.data, expected.size);
        bytes_free(&expected);
        ossa_file_free(file);
    }
}

static void offsets_and_counts_cannot_be_changed(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("vib-tmd/lines"));
    ossa_vib_tmd *tmd = ossa_as_vib_tmd(file);
    const ossa_vib_object *original = tmd->objects;
    ossa_vib_object objects[2];
    ossa_vib_primitive primitives[4];
    tmd->objects = objects;
    memcpy(objects, original, sizeof objects);
    objects[1].vertices_offset = 0xfffffff0;
    require_write_refused(file, "objects[1]");
    memcpy(objects, original, sizeof objects);
    objects[1].normal_count = 0xffffffff;
    require_write_refused(file, "objects[1]");
    memcpy(objects, original, sizeof objects);
    memcpy(primitives, objects[1].primitives, sizeof primitives);
    primitives[3].offset = UINT64_MAX - 8;
    objects[1].primitives = primitives;
    require_write_refused(file, "objects[1]");
    ossa_file_free(file);
}

static void a_copy_outlives_the_input(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("vib-tmd/every-packet");
    ossa_file *file = read_and_lose_input(fixture);
    require_written(fixture->name, file, fixture->bytes.data, fixture->bytes.size);
    ossa_file_free(file);
}

/* ---- files of others, and large ones ------------------------------------------------------- */

/* A model that others made, without a line of this library: four objects, each a row of lines. */
static void a_vector_reads_cleanly(void **state)
{
    (void)state;
    struct bytes bytes = load_test_file("vectors/pose/vib-rabbit/rabbit.tmd");
    ossa_options options = {.strict = true, .check_values = true};
    ossa_file *file = read_or_fail("rabbit", bytes.data, bytes.size, &options);
    assert_int_equal(file->issue_count, 0);
    assert_int_equal(file->confidence, OSSA_CONFIDENCE_SIGNATURE);
    const ossa_vib_tmd *tmd = ossa_as_vib_tmd(file);
    assert_int_equal(tmd->object_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(tmd->objects[i].vertex_count, 5);
        assert_int_equal(tmd->objects[i].primitive_count, 4);
        for (unsigned k = 0; k < 4; k++) {
            ossa_vib_shape shape;
            assert_true(ossa_vib_decode(&tmd->objects[i].primitives[k], &shape));
            assert_int_equal(shape.kind, OSSA_VIB_KIND_LINE);
            assert_int_equal(shape.vertices[0], k);
            assert_int_equal(shape.vertices[1], k + 1);
            assert_memory_equal(shape.colours[1], "\xff\xff\xff", 3);
        }
    }
    assert_int_equal(tmd->objects[0].vertices[1].y, -649);
    require_written("rabbit", file, bytes.data, bytes.size);
    require_rebuilt("rabbit", file, OSSA_JSON_STYLE_LINE, bytes.data, bytes.size);
    ossa_file_free(file);
    bytes_free(&bytes);
}

static void count_bytes(void *user, const ossa_field *field)
{
    *(uint64_t *)user += field->size;
}

/* The default limit on memory is enough for a large one of lines, with all its fields told. */
static void a_large_model_is_read(void **state)
{
    (void)state;
    struct tmd_places places;
    struct bytes bytes = make_tmd(
        &(struct tmd_plan){
            .seed = 6, .objects = 3, .vertices = 3000, .normals = 1, .packets = 100000},
        &places);
    uint64_t told = 0;
    ossa_options options = {.on_field = count_bytes, .user = &told};
    ossa_file *file = read_or_fail("large", bytes.data, bytes.size, &options);
    assert_int_equal(file->issue_count, 0);
    assert_int_equal(told, bytes.size);
    ossa_file_free(file);
    bytes_free(&bytes);
}

/* ---- hostile files ------------------------------------------------------------------------- */

/* Many objects that share one long row of packets must not take long, or much memory. */
static void sharing_too_much_is_refused_early(void **state)
{
    (void)state;
    const uint32_t objects = 20000;
    const uint32_t packets = 200000;
    struct tmd_places places;
    struct bytes file = make_tmd(&(struct tmd_plan){.seed = 5, .objects = objects}, &places);
    for (uint32_t i = 0; i < objects; i++) {
        set_u32(&file, tmd_object_word(i, 4), (uint32_t)(file.size - TMD_TABLE_AT));
        set_u32(&file, tmd_object_word(i, 5), packets);
    }
    put_repeated(&file, 0, 4 * (size_t)packets);
    ossa_error error;
    assert_null(ossa_read(file.data, file.size, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_OVERLAP);
    assert_string_equal(error.field, "objects[6].primitives_offset");
    bytes_free(&file);
}

/* ---- JSON and text ------------------------------------------------------------------------- */

static void refuse_json(const char *from, const char *to, const char *place, const char *message)
{
    require_edit_refused("vib-tmd/lines", from, to, place, message);
}

static void json_that_is_no_model_is_refused(void **state)
{
    (void)state;
    refuse_json("\"ilen\":2", "\"ilen\":3", "data.objects[0].primitives[0].words", "has 2 items");
    refuse_json("\"ilen\":2", "\"ilen\":256", "data.objects[0].primitives[0].ilen", "256");
    refuse_json("\"words\":[", "\"words\":[-1,", "data.objects[0].primitives[0].words",
                "has 3 items");
    refuse_json("\"olen\":3", "\"length\":3", "data.objects[0].primitives[0].length",
                "is not a known member");
    refuse_json("\"vertices\":[[", "\"vertices\":[[1,", "data.objects[0].vertices[0]",
                "has 5 items");
    refuse_json("\"vertices\":[[", "\"vertices\":[[32768,0,0,0],[",
                "data.objects[0].vertices[0][0]", "32768");
    refuse_json("\"scale\":0", "\"scale\":2147483648", "data.objects[0].scale", "2147483648");
    refuse_json("\"vertices_offset\":", "\"vertices_offset\":99", "data.objects[0].vertices[0]",
                "past the end");
    refuse_json("\"flags\":0", "\"flags\":0,\"id\":65", "data.id", "is not a known member");
    refuse_json("\"size\":", "\"size\":1", "data", "no field and no gap covers");
}

static void describe_counts_the_packets(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("vib-tmd/sprite"));
    struct bytes text = describe_json_or_fail("sprite", file);
    const char *json = (const char *)text.data;
    assert_non_null(strstr(json, "\"objects\":2,\"vertices\":10,\"normals\":6,\"primitives\":8,"));
    assert_non_null(strstr(json, "\"packet_table\":[{\"kind\":\"line\",\"count\":7},"
                                 "{\"kind\":\"unknown\",\"count\":1}]"));
    bytes_free(&text);
    ossa_file_free(file);
}

TEST_GROUP(test_vib_tmd)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_and_arrays_are_found),
        cmocka_unit_test(aligned_data_is_not_copied),
        cmocka_unit_test(odd_layouts_are_read),
        cmocka_unit_test(absolute_offsets_lead_to_the_same_model),
        cmocka_unit_test(every_packet_is_taken_apart),
        cmocka_unit_test(packets_worked_out_by_hand),
        cmocka_unit_test(no_other_packet_is_taken_apart),
        cmocka_unit_test(changed_arrays_change_only_their_bytes),
        cmocka_unit_test(a_change_to_shared_bytes_is_kept),
        cmocka_unit_test(offsets_and_counts_cannot_be_changed),
        cmocka_unit_test(a_copy_outlives_the_input),
        cmocka_unit_test(a_vector_reads_cleanly),
        cmocka_unit_test(a_large_model_is_read),
        cmocka_unit_test(sharing_too_much_is_refused_early),
        cmocka_unit_test(json_that_is_no_model_is_refused),
        cmocka_unit_test(describe_counts_the_packets),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
