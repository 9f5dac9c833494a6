/* SPDX-License-Identifier: MIT
 *
 * Midtown Madness, Vib-Ribbon and Shadow of the Colossus as scenes: every rule and every message of
 * their assemblies, with the turns computed here a second time. */
#include "support/rotation.h"
#include "support/scenes.h"
#include "support/skb_fixture.h"
#include "support/tmd_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require_rotation(const float *found, struct rotation wanted)
{
    const double parts[4] = {wanted.x, wanted.y, wanted.z, wanted.w};
    for (unsigned k = 0; k < 4; k++) assert_true(fabs((double)found[k] - parts[k]) < 1e-6);
}

static void require_vector(const float *found, double x, double y, double z)
{
    const double parts[3] = {x, y, z};
    for (unsigned k = 0; k < 3; k++) {
        assert_true(fabs((double)found[k] - parts[k]) <= 1e-6 * (1.0 + fabs(parts[k])));
    }
}

/* ---- Midtown Madness ----------------------------------------------------------------------- */

static void mm_turns_about_x_then_z_then_y(void **state)
{
    (void)state;
    struct scene_files files = {0};
    enum { FRAMES = 5, BONES = 3 };
    struct bytes anim = make_anim(7, FRAMES, BONES);
    (void)add_file(&files, "ped.skel", "mm-skel", make_skel(BONES));
    ossa_file *file = add_file(&files, "walk.anim", "mm-anim", anim);
    ossa_scene *scene = assemble_files(&files, NULL);
    const float *values = ossa_as_mm_anim(file)->channels[0].values;
    assert_int_equal(scene->warning_count, 0);
    assert_int_equal(scene->bone_count, BONES);
    for (int b = 0; b < BONES; b++) {
        char name[16];
        (void)snprintf(name, sizeof name, "s%d", b);
        assert_string_equal(scene->bones[b].name, name);
        assert_int_equal(scene->bones[b].parent, b - 1);
        assert_int_equal(scene->bones[b].rest.rotation[3], 1);
    }
    require_vector(scene->bones[0].rest.translation, 0.0, 1.0, 0.0);
    for (uint32_t f = 0; f < FRAMES; f++, values += 3 + 3 * BONES) {
        ossa_transform locals[BONES];
        uint8_t visible[BONES];
        ossa_sample_frame(scene, &scene->clips[0], f, locals, visible);
        for (unsigned b = 0; b < BONES; b++) {
            const float *angles = values + 3 + 3 * (size_t)b;
            struct rotation x = rotation_about(0, (double)angles[0]);
            struct rotation y = rotation_about(1, (double)angles[1]);
            struct rotation z = rotation_about(2, (double)angles[2]);
            require_rotation(locals[b].rotation, rotation_product(y, rotation_product(z, x)));
            assert_int_equal(visible[b], 1);
            /* The root's place is the frame's, instead of the skeleton's; others keep theirs. */
            if (b == 0)
                require_vector(locals[b].translation, (double)values[0], (double)values[1],
                               (double)values[2]);
            else require_vector(locals[b].translation, 0.0, 0.5, 0.25);
        }
    }
    ossa_scene_free(scene);
    free_files(&files);
}

static void mm_without_a_skeleton_has_placeholders(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_file(&files, "a/walk.anim", "mm-anim", make_anim(1, 2, 4));
    (void)add_file(&files, "a/run.anim", "mm-anim", make_anim(2, 3, 4));
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->warning_count, 1);
    require_warning(scene, 0, OSSA_CODE_MISSING_PART, "a/walk.anim",
                    "there is no skeleton (SKEL); using 4 placeholder bones in a row");
    assert_int_equal(scene->bone_count, 4);
    assert_int_equal(scene->clip_count, 2);
    for (unsigned b = 0; b < 4; b++) {
        char name[16];
        (void)snprintf(name, sizeof name, "bone%u", b);
        assert_string_equal(scene->bones[b].name, name);
        assert_int_equal(scene->bones[b].parent, -1);
        require_vector(scene->bones[b].rest.translation, 0.1 * b, 0.0, 0.0);
    }
    ossa_scene_free(scene);
    (void)add_file(&files, "a/other.anim", "mm-anim", make_anim(3, 2, 5));
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "a/other.anim",
                   "moves 5 bones, but the first animation has 4");
    free_files(&files);
}

static void mm_bone_counts_must_fit(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_file(&files, "walk.anim", "mm-anim", make_anim(1, 2, 4));
    (void)add_file(&files, "x/ped.skel", "mm-skel", make_skel(3));
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "walk.anim",
                   "moves 4 bones, but x/ped.skel has 3");
    free_files(&files);
}

static void mm_numbers_must_be_finite(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct bytes anim = make_anim(1, 3, 2);
    set_f32(&anim, 8 + 4 * (size_t)(9 + 4), NAN); /* frame 1, an angle of bone 0 */
    (void)add_file(&files, "walk.anim", "mm-anim", anim);
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "walk.anim",
                   "frames[1] has an angle that is not finite");
    free_files(&files);
    anim = make_anim(1, 3, 2);
    set_f32(&anim, 8 + 4 * (size_t)(18 + 1), INFINITY); /* frame 2, the root's y */
    (void)add_file(&files, "walk.anim", "mm-anim", anim);
    require_misfit(&files, NULL, OSSA_CODE_BAD_SCENE, "clips[0]",
                   "the clip 'walk' has a key of 'bone0' in frame 2 that is not finite, or no "
                   "rotation");
    free_files(&files);
}

/* One frame of one bone, after a header of that dialect. */
static struct bytes mm_dialect(const char *dialect, uint8_t type)
{
    static const uint32_t headers[3][3] = {{1, 1, 0}, {1, 1, 6}, {0, 1, 6}};
    static const char *const names[3] = {"legacy", "documented", "retail"};
    struct bytes file = {0};
    for (unsigned i = 0; i < 3; i++) {
        if (strcmp(dialect, names[i]) != 0) continue;
        for (unsigned k = 0; k < (i == 0 ? 2 : 3); k++) put_u32(&file, headers[i][k]);
        put_f32(&file, 1.0F);
        put_u8(&file, type);
    }
    for (unsigned i = 0; i < 6; i++) put_f32(&file, (float)i);
    return file;
}

static void mm_a_file_that_poses_no_bones_is_refused(void **state)
{
    (void)state;
    static const char message[] = "has no channel that poses bones (type 1, 3 floats "
                                  "plus 3 per bone)";
    struct scene_files files = {0};
    (void)add_file(&files, "odd.anim", "mm-anim", mm_dialect("documented", 2));
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "odd.anim", message);
    (void)add_file(&files, "ped.skel", "mm-skel", make_skel(1));
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "odd.anim", message);
    free_files(&files);
}

static void mm_the_type_is_likely_a_loop(void **state)
{
    (void)state;
    static const struct {
        const char *dialect;
        uint8_t type;
        bool loop;
    } cases[] = {
        {"legacy", 1, true}, {"legacy", 0, false}, {"retail", 1, true}, {"retail", 0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scene_files files = {0};
        (void)add_file(&files, "a.anim", "mm-anim", mm_dialect(cases[i].dialect, cases[i].type));
        ossa_scene *scene = assemble_files(&files, NULL);
        assert_int_equal(scene->clips[0].loop, cases[i].loop);
        ossa_scene_free(scene);
        free_files(&files);
    }
    struct scene_files files = {0};
    (void)add_file(&files, "a.anim", "mm-anim", make_anim(1, 2, 3)); /* mm1 has no type */
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_false(scene->clips[0].loop);
    ossa_scene_free(scene);
    free_files(&files);
}

static void mm_names_are_bytes(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct bytes skel = {0};
    put_text(&skel, "NumBones 1\nbone b\xf6ne.1 { offset 0 0 0 }\n");
    (void)add_file(&files, "ped.skel", "mm-skel", skel);
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_string_equal(scene->bones[0].name, "b\xc3\xb6ne.1");
    ossa_scene_free(scene);
    free_files(&files);
}

/* ---- Vib-Ribbon ---------------------------------------------------------------------------- */

static const double unit = 1.0 / 2048.0;

static struct bytes vib_model(uint32_t objects)
{
    struct tmd_places places;
    struct tmd_plan plan = {.seed = 3, .objects = objects, .vertices = 4, .packets = 3};
    return make_tmd(&plan, &places);
}

static struct rotation vib_turn(const int *angles, bool z_first)
{
    const double turn = 2.0 * acos(-1.0) / 4096.0;
    struct rotation x = rotation_about(0, angles[0] * turn);
    struct rotation y = rotation_about(1, angles[1] * turn);
    struct rotation z = rotation_about(2, angles[2] * turn);
    struct rotation q = z_first ? rotation_product(x, rotation_product(y, z))
                                : rotation_product(z, rotation_product(y, x));
    return (struct rotation){q.x, -q.y, -q.z, q.w};
}

static const int turned[3] = {100, -700, 1500};
static const int sized[3] = {8192, 2048, -4096};
static const int placed[3] = {2048, 4096, -1024};
static const int elsewhere[3] = {-100, 50, 25};

/* Object 0 has all in frame 0, a part each in the next three, then is hidden; object 1 comes in
 * frame 2; object 2 never. */
static struct bytes vib_parts(void)
{
    struct vib_maker vib = begin_vib(60, 5);
    add_vib_frame(&vib);
    add_vib_key(&vib, 0, turned, sized, placed);
    add_vib_frame(&vib);
    add_vib_key(&vib, 0, NULL, NULL, elsewhere);
    add_vib_frame(&vib);
    add_vib_key(&vib, 1, NULL, NULL, placed);
    add_vib_key(&vib, 0, turned, NULL, NULL);
    add_vib_frame(&vib);
    add_vib_key(&vib, 0, NULL, sized, NULL);
    add_vib_frame(&vib);
    return end_vib(&vib);
}

static void require_object(const ossa_transform *found, const int *rotation, const int *scale,
                           const int *position, bool z_first)
{
    static const int none[3] = {0, 0, 0};
    static const int one[3] = {4096, 4096, 4096};
    if (rotation == NULL) rotation = none;
    if (scale == NULL) scale = one;
    if (position == NULL) position = none;
    require_rotation(found->rotation, vib_turn(rotation, z_first));
    require_vector(found->scale, scale[0] / 4096.0, scale[1] / 4096.0, scale[2] / 4096.0);
    require_vector(found->translation, position[0] * unit, -position[1] * unit,
                   -position[2] * unit);
}

static void vib_options_say_what_is_open(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_file(&files, "r.tmd", "vib-tmd", vib_model(3));
    (void)add_file(&files, "hop.anm", "vib-anm", vib_parts());
    for (unsigned n = 0; n < 4; n++) {
        bool z_first = n % 2 == 1;
        bool holds = n / 2 == 1;
        const ossa_vib_options vib = {.euler = z_first ? OSSA_VIB_EULER_ZYX : OSSA_VIB_EULER_XYZ,
                                      .missing = holds ? OSSA_VIB_MISSING_HOLD
                                                       : OSSA_VIB_MISSING_IDENTITY};
        const ossa_scene_options options = {.vib = &vib};
        ossa_scene *scene = assemble_files(&files, &options);
        const ossa_clip *clip = &scene->clips[0];
        assert_int_equal(scene->warning_count, 0);
        assert_true(clip->fps == 60.0);
        for (uint32_t f = 0; f < 5; f++) {
            ossa_transform locals[3];
            uint8_t visible[3];
            ossa_sample_frame(scene, clip, f, locals, visible);
            const int *rotation = f == 0 || f == 2 || holds ? turned : NULL;
            const int *scale = f == 0 || f >= 3 || holds ? sized : NULL;
            const int *position = f == 0 ? placed : f == 1 || holds ? elsewhere : NULL;
            require_object(&locals[0], rotation, scale, position, z_first);
            /* A hidden object stays where it was, or waits where it will first be. */
            require_object(&locals[1], NULL, NULL, placed, z_first);
            require_object(&locals[2], NULL, NULL, NULL, z_first);
            assert_int_equal(visible[0], f < 4);
            assert_int_equal(visible[1], f == 2);
            assert_int_equal(visible[2], 0);
        }
        /* At rest an object is where it is first drawn. */
        require_object(&scene->bones[0].rest, turned, sized, placed, z_first);
        require_object(&scene->bones[1].rest, NULL, NULL, placed, z_first);
        assert_int_equal(clip->visibilities.count, 2);
        assert_int_equal(clip->constant_visible[2], 0);
        ossa_scene_free(scene);
    }
    free_files(&files);
}

static void vib_rates_that_are_known_count(void **state)
{
    (void)state;
    static const int rates[][2] = {{15, 15}, {20, 20}, {30, 30}, {60, 60},
                                   {1, 30},  {7, 30},  {0, 30},  {-1, 30}};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        struct scene_files files = {0};
        struct vib_maker vib = begin_vib((uint32_t)rates[i][0] & 0xffff, 1);
        add_vib_frame(&vib);
        (void)add_file(&files, "a.anm", "vib-anm", end_vib(&vib));
        ossa_scene *scene = assemble_files(&files, NULL);
        assert_int_equal((int)scene->clips[0].fps, rates[i][1]);
        ossa_scene_free(scene);
        free_files(&files);
    }
}

static void vib_without_a_model_has_objects(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_file(&files, "hop.anm", "vib-anm", vib_parts());
    struct vib_maker vib = begin_vib(30, 1);
    add_vib_frame(&vib);
    add_vib_key(&vib, 255, NULL, NULL, NULL);
    (void)add_file(&files, "far.anm", "vib-anm", end_vib(&vib));
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->bone_count, 256); /* the highest of all clips */
    assert_string_equal(scene->bones[255].name, "object255");
    assert_int_equal(scene->mesh_count, 0);
    require_warning(scene, 0, OSSA_CODE_MISSING_PART, "hop.anm",
                    "there is no model (TMD); 256 objects have no shape");
    ossa_scene_free(scene);
    free_files(&files);
}

static void vib_objects_must_be_there(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_file(&files, "r.tmd", "vib-tmd", vib_model(1));
    (void)add_file(&files, "hop.anm", "vib-anm", vib_parts());
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "hop.anm",
                   "moves object 1, but r.tmd has only 1");
    free_files(&files);
}

/* What the packets of an object draw, taken from the bytes a second time. */
struct drawn {
    size_t corners;
    size_t indices;
    uint32_t vertex[1200];
    uint8_t colour[1200][3];
    uint32_t index[2000];
};

static void draw_packet(const struct bytes *file, size_t at, const struct tmd_kind *kind,
                        bool lines, struct drawn *drawn)
{
    static const uint32_t order[] = {0, 1, 2, 1, 3, 2};
    uint32_t vertices[4] = {0};
    size_t colours[4] = {0};
    size_t corner_count = 0;
    size_t colour_count = 0;
    size_t place = at + 4;
    bool is_line = (kind->mode & 0xe0) == 0x40;
    if (is_line != lines) return;
    for (const char *c = kind->layout; *c != '\0'; c++) {
        if (*c == 'C') colours[colour_count++] = place;
        if (*c == 'v') vertices[corner_count++] = get_u16(file, place);
        place += *c == 'C' || *c == 'U' ? 4 : *c == '.' ? 0 : 2;
    }
    if (is_line && vertices[0] == vertices[1]) return;
    size_t first = drawn->corners;
    for (size_t i = 0; i < corner_count; i++) {
        drawn->vertex[drawn->corners] = vertices[i];
        for (size_t k = 0; k < 3; k++) {
            drawn->colour[drawn->corners][k] =
                colour_count == 0 ? 128 : file->data[colours[colour_count == 1 ? 0 : i] + k];
        }
        drawn->corners++;
    }
    size_t count = corner_count == 4 ? 6 : corner_count;
    for (size_t i = 0; i < count; i++) {
        drawn->index[drawn->indices++] = (uint32_t)first + order[i];
    }
}

static void vib_meshes_are_what_packets_draw(void **state)
{
    (void)state;
    struct tmd_places places;
    const struct tmd_plan plan = {.seed = 44,
                                  .objects = 2,
                                  .vertices = 9,
                                  .normals = 5,
                                  .packets = 4 * TMD_KINDS,
                                  .every_kind = true};
    struct bytes tmd = make_tmd(&plan, &places);
    /* A line of object 1 that begins where it ends is not drawn. */
    size_t line = places.packets[1];
    for (uint32_t k = 0; k < 20; k++) line += 4 + 4 * (size_t)tmd_kinds[k].ilen;
    set_u16(&tmd, line + 8, 3);
    set_u16(&tmd, line + 10, 3);
    struct scene_files files = {0};
    (void)add_file(&files, "r.tmd", "vib-tmd", tmd);
    const ossa_scene_options options = {.scale = 4.0};
    ossa_scene *scene = assemble_files(&files, &options);
    assert_int_equal(scene->mesh_count, 4);
    assert_int_equal(scene->clip_count, 0);
    for (uint32_t m = 0; m < 4; m++) {
        const ossa_mesh *mesh = &scene->meshes[m];
        uint32_t object = m / 2;
        bool lines = m % 2 == 0;
        struct drawn *drawn = calloc(1, sizeof *drawn);
        assert_non_null(drawn);
        size_t at = places.packets[object];
        for (uint32_t k = 0; k < plan.packets; k++) {
            const struct tmd_kind *kind = &tmd_kinds[k % TMD_KINDS];
            draw_packet(&tmd, at, kind, lines, drawn);
            at += 4 + 4 * (size_t)kind->ilen;
        }
        assert_int_equal(mesh->bone, object);
        assert_int_equal(mesh->kind, lines ? OSSA_MESH_KIND_LINES : OSSA_MESH_KIND_TRIANGLES);
        assert_string_equal(mesh->name, object == 0 ? "object0" : "object1");
        assert_int_equal(mesh->vertex_count, drawn->corners);
        assert_int_equal(mesh->index_count, drawn->indices);
        assert_memory_equal(mesh->indices, drawn->index, drawn->indices * sizeof(uint32_t));
        assert_null(mesh->normals);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            size_t vertex = places.vertices[object] + 8 * (size_t)drawn->vertex[v];
            double p[3];
            for (size_t k = 0; k < 3; k++) p[k] = (int16_t)get_u16(&tmd, vertex + 2 * k) * 4.0;
            require_vector(mesh->positions[v], p[0] * unit, -p[1] * unit, -p[2] * unit);
            assert_memory_equal(mesh->colours[v], drawn->colour[v], 3);
            assert_int_equal(mesh->colours[v][3], 255);
        }
        free(drawn);
    }
    ossa_scene_free(scene);
    free_files(&files);
}

/* ---- Shadow of the Colossus ---------------------------------------------------------------- */

static void sotc_is_mirrored_and_turns_the_other_way(void **state)
{
    (void)state;
    enum { BONES = 7, POSES = 6 };
    struct skb_places places;
    const struct skb_plan plan = {.seed = 9, .joints = BONES, .names = {"root", "", "h\xe4nd"}};
    struct bytes skb = make_skb(&plan, &places);
    struct bytes anb = make_big_anb(BONES, POSES);
    struct scene_files files = {0};
    (void)add_file(&files, "b.skb", "sotc-skb", skb);
    ossa_file *file = add_file(&files, "fly.anb", "sotc-anb", anb);
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->warning_count, 0);
    assert_string_equal(scene->bones[0].name, "root");
    assert_string_equal(scene->bones[1].name, "bone1"); /* it has none */
    assert_string_equal(scene->bones[2].name, "h\xc3\xa4nd");
    assert_string_equal(scene->bones[3].name, "j3");
    for (int b = 0; b < BONES; b++) {
        const ossa_transform *rest = &scene->bones[b].rest;
        float stored[9];
        for (size_t k = 0; k < 9; k++) {
            stored[k] = f32_of_bits(get_u32(&skb, places.record[b] + SKB_FLOATS_AT + 4 * k));
        }
        assert_int_equal(scene->bones[b].parent, b == 0 ? -1 : (b - 1) / 2);
        require_vector(rest->translation, (double)-stored[1], (double)stored[2], (double)stored[3]);
        require_rotation(rest->rotation,
                         rotation_unit((struct rotation){(double)-stored[5], (double)stored[6],
                                                         (double)stored[7], (double)stored[8]}));
    }
    const ossa_clip *clip = &scene->clips[0];
    assert_true(clip->fps == 30.0);
    assert_false(clip->loop);
    assert_int_equal(clip->frame_count, POSES);
    assert_int_equal(clip->translations.count, 0); /* none is stored */
    for (uint32_t f = 0; f < POSES; f++) {
        ossa_transform locals[BONES];
        ossa_sample_frame(scene, clip, f, locals, NULL);
        for (uint32_t b = 0; b < BONES; b++) {
            double q[4];
            assert_true(ossa_sotc_quaternion(ossa_as_sotc_anb(file), b, f, q));
            require_rotation(locals[b].rotation,
                             rotation_unit((struct rotation){-q[0], q[1], q[2], q[3]}));
            assert_memory_equal(locals[b].translation, scene->bones[b].rest.translation,
                                3 * sizeof(float));
        }
    }
    ossa_scene_free(scene);
    free_files(&files);
}

static void sotc_without_a_skeleton_has_placeholders(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_file(&files, "fly.anb", "sotc-anb", make_big_anb(3, 2));
    ossa_scene *scene = assemble_files(&files, NULL);
    require_warning(scene, 0, OSSA_CODE_MISSING_PART, "fly.anb",
                    "there is no skeleton (SKB); using 3 placeholder bones in a row");
    assert_int_equal(scene->bone_count, 3);
    assert_string_equal(scene->bones[2].name, "bone2");
    require_vector(scene->bones[2].rest.translation, 0.2, 0.0, 0.0);
    ossa_scene_free(scene);
    (void)add_file(&files, "land.anb", "sotc-anb", make_big_anb(4, 2));
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "land.anb",
                   "moves 4 bones, but the first animation has 3");
    free_files(&files);
}

static void sotc_bone_counts_must_fit(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct skb_places places;
    const struct skb_plan plan = {.seed = 9, .joints = 5};
    (void)add_file(&files, "x\\b.skb", "sotc-skb", make_skb(&plan, &places));
    (void)add_file(&files, "fly.anb", "sotc-anb", make_big_anb(3, 2));
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "fly.anb", "moves 3 bones, but x\\b.skb has 5");
    free_files(&files);
}

static void sotc_rotations_must_be_some(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct skb_places joints;
    const struct skb_plan skeleton = {.seed = 9, .joints = 5};
    static const float bad[2] = {0.0F, NAN};
    for (unsigned n = 0; n < 2; n++) {
        struct bytes skb = make_skb(&skeleton, &joints);
        for (size_t k = 5; k < 9; k++) {
            set_f32(&skb, joints.record[3] + SKB_FLOATS_AT + 4 * k, bad[n]);
        }
        (void)add_file(&files, "b.skb", "sotc-skb", skb);
        require_misfit(&files, NULL, OSSA_CODE_MISFIT, "b.skb",
                       "joints[3] has no valid rest rotation");
        free_files(&files);

        static const uint8_t flags[3] = {6, 0, 12};
        const struct anb_plan plan = {.seed = 4, .flags = flags, .bones = 3, .poses = 4};
        struct anb_places places;
        struct bytes anb = make_anb(&plan, &places);
        for (size_t k = 0; k < 4; k++) set_f32(&anb, places.record[1] + 4 * k, bad[n]);
        (void)add_file(&files, "fly.anb", "sotc-anb", anb);
        require_misfit(&files, NULL, OSSA_CODE_MISFIT, "fly.anb",
                       "bone 1 has no valid rotation in pose 0");
        free_files(&files);
    }
    struct bytes skb = make_skb(&skeleton, &joints);
    set_f32(&skb, joints.record[2] + SKB_FLOATS_AT + 4, NAN); /* its place */
    (void)add_file(&files, "b.skb", "sotc-skb", skb);
    require_misfit(&files, NULL, OSSA_CODE_BAD_SCENE, "bones[2]",
                   "'j2' has a rest pose that is not finite, or no rotation");
    free_files(&files);
}

TEST_GROUP(test_scene_games)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mm_turns_about_x_then_z_then_y),
        cmocka_unit_test(mm_without_a_skeleton_has_placeholders),
        cmocka_unit_test(mm_bone_counts_must_fit),
        cmocka_unit_test(mm_numbers_must_be_finite),
        cmocka_unit_test(mm_a_file_that_poses_no_bones_is_refused),
        cmocka_unit_test(mm_the_type_is_likely_a_loop),
        cmocka_unit_test(mm_names_are_bytes),
        cmocka_unit_test(vib_options_say_what_is_open),
        cmocka_unit_test(vib_rates_that_are_known_count),
        cmocka_unit_test(vib_without_a_model_has_objects),
        cmocka_unit_test(vib_objects_must_be_there),
        cmocka_unit_test(vib_meshes_are_what_packets_draw),
        cmocka_unit_test(sotc_is_mirrored_and_turns_the_other_way),
        cmocka_unit_test(sotc_without_a_skeleton_has_placeholders),
        cmocka_unit_test(sotc_bone_counts_must_fit),
        cmocka_unit_test(sotc_rotations_must_be_some),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
