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

/* What a component keeps is its value of the same clip: each begins at rest, whatever came before.
 */
static void vib_what_is_held_is_of_the_clip(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_file(&files, "r.tmd", "vib-tmd", vib_model(3));
    (void)add_file(&files, "hop.anm", "vib-anm", vib_parts());
    struct vib_maker vib = begin_vib(30, 3);
    add_vib_frame(&vib);
    add_vib_key(&vib, 0, NULL, NULL, NULL);
    add_vib_frame(&vib);
    add_vib_key(&vib, 0, NULL, NULL, elsewhere); /* where the other one left it */
    add_vib_frame(&vib);
    add_vib_key(&vib, 0, NULL, sized, NULL);
    (void)add_file(&files, "stand.anm", "vib-anm", end_vib(&vib));
    const ossa_vib_options options = {.missing = OSSA_VIB_MISSING_HOLD};
    ossa_scene *scene = assemble_files(&files, &(ossa_scene_options){.vib = &options});
    const ossa_clip *clip = ossa_scene_find_clip(scene, "stand");
    assert_non_null(clip);
    for (uint32_t f = 0; f < 3; f++) {
        ossa_transform locals[3];
        ossa_sample_frame(scene, clip, f, locals, NULL);
        require_object(&locals[0], NULL, f == 2 ? sized : NULL, f == 0 ? NULL : elsewhere, false);
    }
    ossa_scene_free(scene);
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

/* What the polygons of a mesh share; of lines all are 0. */
struct vib_look {
    bool is_lit;
    bool is_double_sided;
    bool is_translucent;
    bool is_textured;
    uint32_t page;
    uint32_t clut;
};

/* A packet, taken from the bytes a second time. */
struct vib_packet {
    bool is_line;
    struct vib_look look;
    size_t corner_count;
    uint32_t vertices[4];
    uint32_t normals[4];
    uint8_t uv[4][2];
    uint8_t colours[4][3];
};

static struct vib_packet read_packet(const struct bytes *file, size_t at,
                                     const struct tmd_kind *kind)
{
    struct vib_packet packet = {.is_line = (kind->mode & 0xe0) == 0x40};
    size_t textures = 0;
    size_t colours = 0;
    size_t normals = 0;
    size_t place = at + 4;
    for (const char *c = kind->layout; *c != '\0'; c++) {
        for (size_t k = 0; *c == 'C' && k < 3; k++) {
            packet.colours[colours][k] = file->data[place + k];
        }
        for (size_t k = 0; *c == 'U' && k < 2; k++) {
            packet.uv[textures][k] = file->data[place + k];
        }
        if (*c == 'U' && textures == 0) packet.look.clut = get_u16(file, place + 2);
        if (*c == 'U' && textures == 1) packet.look.page = get_u16(file, place + 2);
        textures += *c == 'U';
        colours += *c == 'C';
        if (*c == 'n') packet.normals[normals++] = get_u16(file, place);
        if (*c == 'v') packet.vertices[packet.corner_count++] = get_u16(file, place);
        place += *c == 'C' || *c == 'U' ? 4 : *c == '.' ? 0 : 2;
    }
    for (size_t i = 1; i < packet.corner_count; i++) {
        if (normals == 1) packet.normals[i] = packet.normals[0];
        if (colours == 1) memcpy(packet.colours[i], packet.colours[0], 3);
    }
    packet.look.is_textured = textures > 0;
    /* On a texture 128 is the whole of it, and so is no colour at all. */
    for (size_t i = 0; textures > 0 && i < packet.corner_count; i++) {
        for (size_t k = 0; k < 3; k++) {
            double part = colours == 0 ? 1.0 : packet.colours[i][k] / 128.0;
            packet.colours[i][k] = (uint8_t)(part >= 1.0 ? 255.0 : part * 255.0 + 0.5);
        }
    }
    if (packet.is_line) return packet;
    packet.look.is_lit = normals > 0;
    packet.look.is_double_sided = (file->data[at + 2] & 2) != 0;
    packet.look.is_translucent = (file->data[at + 3] & 2) != 0;
    return packet;
}

static double extra_of(const ossa_material *material, const char *key, double none)
{
    for (uint32_t i = 0; i < material->extra_count; i++) {
        if (strcmp(material->extras[i].key, key) == 0) return material->extras[i].numbers[0];
    }
    return none;
}

/* What the material of a mesh says. */
static struct vib_look look_of_mesh(const ossa_scene *scene, const ossa_mesh *mesh)
{
    if (mesh->kind == OSSA_MESH_KIND_LINES) return (struct vib_look){0};
    const ossa_material *material = &scene->materials[mesh->material];
    double page = extra_of(material, "texture_page", -1.0);
    assert_true((extra_of(material, "clut", -1.0) < 0.0) == (page < 0.0));
    assert_int_equal(material->texture, -1);
    return (struct vib_look){.is_lit = !material->is_unlit,
                             .is_double_sided = material->is_double_sided,
                             .is_translucent = extra_of(material, "translucent", 0.0) > 0.0,
                             .is_textured = page >= 0.0,
                             .page = page < 0.0 ? 0 : (uint32_t)page,
                             .clut = page < 0.0 ? 0 : (uint32_t)extra_of(material, "clut", 0.0)};
}

static bool is_same_look(const struct vib_look *a, const struct vib_look *b)
{
    return a->is_lit == b->is_lit && a->is_double_sided == b->is_double_sided &&
           a->is_translucent == b->is_translucent && a->is_textured == b->is_textured &&
           a->page == b->page && a->clut == b->clut;
}

static void require_corner(const struct bytes *tmd, const struct tmd_places *places,
                           const ossa_mesh *mesh, uint32_t vertex, const struct vib_packet *packet,
                           size_t corner)
{
    size_t at = places->vertices[mesh->bone] + 8 * (size_t)packet->vertices[corner];
    double p[3];
    for (size_t k = 0; k < 3; k++) p[k] = (int16_t)get_u16(tmd, at + 2 * k) * 4.0;
    require_vector(mesh->positions[vertex], p[0] * unit, -p[1] * unit, -p[2] * unit);
    assert_memory_equal(mesh->colours[vertex], packet->colours[corner], 3);
    assert_int_equal(mesh->colours[vertex][3], 255);
    if (mesh->texcoords != NULL) {
        assert_true(mesh->texcoords[vertex][0] == (float)(packet->uv[corner][0] / 256.0));
        assert_true(mesh->texcoords[vertex][1] == (float)(packet->uv[corner][1] / 256.0));
    }
    if (mesh->normals == NULL) return;
    at = places->normals[mesh->bone] + 8 * (size_t)packet->normals[corner];
    for (size_t k = 0; k < 3; k++) p[k] = (int16_t)get_u16(tmd, at + 2 * k);
    double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    require_vector(mesh->normals[vertex], p[0] / length, -p[1] / length, -p[2] / length);
}

/* A mesh has the packets of its look in their order, and nothing else; gives how many. */
static size_t require_packets(const struct bytes *tmd, const struct tmd_places *places,
                              const ossa_scene *scene, const ossa_mesh *mesh, size_t packets)
{
    static const uint32_t order[] = {0, 2, 1, 1, 2, 3}; /* reversed */
    struct vib_look look = look_of_mesh(scene, mesh);
    size_t at = places->packets[mesh->bone];
    uint32_t vertex = 0;
    uint32_t index = 0;
    size_t count = 0;
    assert_int_equal(mesh->normals != NULL, look.is_lit);
    assert_int_equal(mesh->texcoords != NULL, look.is_textured);
    for (size_t k = 0; k < packets; k++) {
        const struct tmd_kind *kind = &tmd_kinds[k % TMD_KINDS];
        struct vib_packet packet = read_packet(tmd, at, kind);
        at += 4 + 4 * (size_t)kind->ilen;
        if (packet.is_line != (mesh->kind == OSSA_MESH_KIND_LINES)) continue;
        if (packet.is_line && packet.vertices[0] == packet.vertices[1]) continue;
        if (!is_same_look(&packet.look, &look)) continue;
        size_t indices = packet.corner_count == 4 ? 6 : packet.corner_count;
        assert_true(vertex + packet.corner_count <= mesh->vertex_count);
        assert_true(index + indices <= mesh->index_count);
        for (size_t i = 0; i < indices; i++) {
            uint32_t corner = packet.is_line ? (uint32_t)i : order[i];
            assert_int_equal(mesh->indices[index++], vertex + corner);
        }
        for (size_t i = 0; i < packet.corner_count; i++) {
            require_corner(tmd, places, mesh, vertex++, &packet, i);
        }
        count++;
    }
    assert_int_equal(mesh->vertex_count, vertex);
    assert_int_equal(mesh->index_count, index);
    return count;
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
    assert_int_equal(scene->clip_count, 0);
    size_t drawn = 0;
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        const ossa_mesh *mesh = &scene->meshes[m];
        bool is_first = m == 0 || mesh->bone != scene->meshes[m - 1].bone;
        assert_string_equal(mesh->name, mesh->bone == 0 ? "object0" : "object1");
        assert_int_equal(mesh->kind == OSSA_MESH_KIND_LINES, is_first);
        assert_int_equal(mesh->material == -1, is_first);
        drawn += require_packets(&tmd, &places, scene, mesh, plan.packets);
    }
    assert_int_equal(drawn, 2 * 4 * TMD_KINDS - 1);
    /* No two materials look alike. */
    for (uint32_t i = 1; i < scene->material_count; i++) {
        assert_string_not_equal(scene->materials[i].name, scene->materials[i - 1].name);
    }
    ossa_scene_free(scene);
    free_files(&files);
}

/* The cross product of two edges of a triangle: where its front faces. */
static void cross_of(const ossa_mesh *mesh, uint32_t triangle, double out[3])
{
    const uint32_t *corners = &mesh->indices[(size_t)3 * triangle];
    const float *p[3];
    double a[3];
    double b[3];
    for (size_t i = 0; i < 3; i++) p[i] = mesh->positions[corners[i]];
    for (size_t k = 0; k < 3; k++) {
        a[k] = (double)p[1][k] - (double)p[0][k];
        b[k] = (double)p[2][k] - (double)p[0][k];
    }
    for (size_t k = 0; k < 3; k++) {
        size_t i = (k + 1) % 3;
        size_t j = (k + 2) % 3;
        out[k] = a[i] * b[j] - a[j] * b[i];
    }
}

/* The console's polygons go clockwise; in the scene the outside of a solid goes the other way
 * round, and its normals are on that side. */
static void vib_fronts_are_outside(void **state)
{
    (void)state;
    /* The middle of the box of the generator, in the scene. */
    static const double middle[3] = {100.0 / 2048.0, -50.0 / 2048.0, 100.0 / 2048.0};
    struct tmd_places places;
    struct scene_files files = {0};
    (void)add_file(&files, "solid.tmd", "vib-tmd", make_solid_tmd(&places));
    ossa_scene *scene = assemble_files(&files, NULL);
    uint32_t triangles = 0;
    uint32_t normals = 0;
    uint32_t double_sided = 0;
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        const ossa_mesh *mesh = &scene->meshes[m];
        for (uint32_t t = 0; t < mesh->index_count / 3; t++, triangles++) {
            double front[3];
            cross_of(mesh, t, front);
            for (size_t i = 0; i < 3; i++) {
                uint32_t vertex = mesh->indices[3 * t + i];
                double outwards = 0.0;
                double agrees = 0.0;
                for (size_t k = 0; k < 3; k++) {
                    outwards += front[k] * ((double)mesh->positions[vertex][k] - middle[k]);
                    if (mesh->normals == NULL) continue;
                    agrees += front[k] * (double)mesh->normals[vertex][k];
                }
                assert_true(outwards > 0.0);
                assert_true(mesh->normals == NULL || agrees > 0.0);
                normals += mesh->normals != NULL;
            }
            double_sided += scene->materials[mesh->material].is_double_sided;
        }
    }
    assert_int_equal(triangles, 2 * (10 * 1 + 10 * 2)); /* ten kinds of triangles, ten of quads */
    assert_int_equal(double_sided, triangles / 2);
    assert_int_equal(normals, 2 * 3 * (6 * 1 + 6 * 2));
    ossa_scene_free(scene);
    free_files(&files);
}

/* A normal of length 0 is that of its polygon. */
static void vib_normals_of_nothing_are_replaced(void **state)
{
    (void)state;
    struct tmd_places places;
    struct scene_files files = {0};
    struct bytes file = make_solid_tmd(&places);
    for (size_t i = 0; i < 8 * (size_t)TMD_SOLID_NORMALS; i++) {
        set_u8(&file, places.normals[0] + i, 0);
    }
    (void)add_file(&files, "solid.tmd", "vib-tmd", file);
    ossa_scene *scene = assemble_files(&files, NULL);
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        const ossa_mesh *mesh = &scene->meshes[m];
        for (uint32_t t = 0; mesh->normals != NULL && t < mesh->index_count / 3; t++) {
            double front[3];
            cross_of(mesh, t, front);
            double length = sqrt(front[0] * front[0] + front[1] * front[1] + front[2] * front[2]);
            for (size_t i = 0; i < 3; i++) {
                require_vector(mesh->normals[mesh->indices[3 * t + i]], front[0] / length,
                               front[1] / length, front[2] / length);
            }
        }
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
    /* Packed keys, of which there may be fewer than are unpacked at once. */
    for (uint32_t poses = 2; poses < 12; poses++) {
        static const uint8_t flags[1] = {4};
        const struct anb_plan plan = {.seed = 4, .flags = flags, .bones = 1, .poses = poses};
        struct anb_places places;
        struct bytes anb = make_anb(&plan, &places);
        for (size_t k = 0; k < 6; k++) set_f32(&anb, places.record[0] + 4 * k, NAN);
        (void)add_file(&files, "fly.anb", "sotc-anb", anb);
        require_misfit(&files, NULL, OSSA_CODE_MISFIT, "fly.anb",
                       "bone 0 has no valid rotation in pose 0");
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
        cmocka_unit_test(vib_what_is_held_is_of_the_clip),
        cmocka_unit_test(vib_rates_that_are_known_count),
        cmocka_unit_test(vib_without_a_model_has_objects),
        cmocka_unit_test(vib_objects_must_be_there),
        cmocka_unit_test(vib_meshes_are_what_packets_draw),
        cmocka_unit_test(vib_fronts_are_outside),
        cmocka_unit_test(vib_normals_of_nothing_are_replaced),
        cmocka_unit_test(sotc_is_mirrored_and_turns_the_other_way),
        cmocka_unit_test(sotc_without_a_skeleton_has_placeholders),
        cmocka_unit_test(sotc_bone_counts_must_fit),
        cmocka_unit_test(sotc_rotations_must_be_some),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
