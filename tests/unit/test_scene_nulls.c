/* SPDX-License-Identifier: MIT
 *
 * Scenes that somebody made by hand and left half done: every pointer of a complete scene is NULL
 * in turn. Either the scene is refused with a message, or everything can be written all the same.
 */
#include "support/made_scene.h"
#include "support/testing.h"
#include "ossa/export.h"
#include "ossa/keys.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const struct made_plan plan = {.seed = 31,
                                      .bones = 6,
                                      .clips = 2,
                                      .frames = {4, 3},
                                      .has_mesh = true,
                                      .has_weights = true,
                                      .has_materials = true,
                                      .targets = 2,
                                      .cameras = 3};

/* What a made scene lacks. */
struct complete {
    struct made_scene made;
    double numbers[2];
    ossa_extra extras[2];
    ossa_event events[1];
    float steps[6];
    ossa_key_part parts[9]; /* one more than a byte has bits */
    ossa_key_layout layout;
    ossa_key_run runs[1];
    const char *key_files[1];
    ossa_replacement replacements[1];
    ossa_variant variants[2];
    ossa_place places[OSSA_MAX_PLACES + 1];
    ossa_issue issues[1];
    ossa_option_word words[1];
    ossa_option_info options[1];
    uint32_t vertex_bones[3];
};

static void make_complete(struct complete *c)
{
    make_scene(&c->made, &plan);
    ossa_scene *scene = &c->made.scene;
    c->numbers[0] = c->numbers[1] = 1.0;
    c->extras[0] = (ossa_extra){.key = "numbers", .number_count = 2, .numbers = c->numbers};
    c->extras[1] = (ossa_extra){.key = "text", .text = "text"};
    c->events[0] = (ossa_event){.kind = "step", .field = "steps[0]"};
    memset(c->steps, 0, sizeof c->steps);
    for (unsigned i = 0; i < 9; i++) c->parts[i] = (ossa_key_part){.name = "w", .bit_count = 8};
    c->layout = (ossa_key_layout){.size = 1, .part_count = 1, .parts = c->parts};
    c->runs[0] = (ossa_key_run){.frame_step = 1, .frame_count = 1, .layout = &c->layout};
    c->key_files[0] = "a.anm";
    c->replacements[0] = (ossa_replacement){.material = 0, .by = 1};
    c->variants[0] = (ossa_variant){.name = "plain"};
    c->variants[1] =
        (ossa_variant){.name = "other", .replacement_count = 1, .replacements = c->replacements};
    for (unsigned i = 0; i <= OSSA_MAX_PLACES; i++)
        c->places[i] = (ossa_place){.path = "", .field = ""};
    c->issues[0] = (ossa_issue){.path = "",
                                .format = "",
                                .field = "",
                                .message = "odd",
                                .place_count = 1,
                                .places = c->places};
    c->words[0] = (ossa_option_word){"word", "text"};
    c->options[0] =
        (ossa_option_info){.name = "option", .text = "text", .word_count = 1, .words = c->words};
    memset(c->vertex_bones, 0, sizeof c->vertex_bones);

    scene->extras = c->made.bones[1].extras = c->made.clips[0].extras = c->extras;
    c->made.materials[1].extras = c->made.cameras[0].extras = c->extras;
    scene->extra_count = c->made.bones[1].extra_count = c->made.clips[0].extra_count = 2;
    c->made.materials[1].extra_count = c->made.cameras[0].extra_count = 2;
    c->made.clips[0].events = c->events;
    c->made.clips[0].event_count = 1;
    c->made.clips[0].next = c->made.clips[1].name;
    c->made.clips[0].rotation_steps = c->steps;
    c->made.clips[0].key_runs = c->runs;
    c->made.clips[0].key_run_count = 1;
    scene->key_files = c->key_files;
    scene->key_file_count = 1;
    scene->variants = c->variants;
    scene->variant_count = 2;
    scene->issues = c->issues;
    scene->issue_count = 1;
    scene->options = c->options;
    scene->option_count = 1;
    c->made.meshes[1].vertex_bones = c->vertex_bones;
}

/* ---- a message ----------------------------------------------------------------------------- */

/* The structs with pointers, and which item of the complete scene has them all. */
enum owner {
    SCENE,
    EXTRA,
    BONE,
    CLIP,
    EVENT,
    LAYOUT,
    MESH,
    JOINTED,
    MATERIAL,
    TEXTURE,
    CAMERA,
    VARIANT,
    PART,
    ISSUE,
    PLACE,
    OPTION,
    WORD
};

static void *owner_of(struct complete *c, enum owner owner)
{
    /* cppcheck-suppress constVariable ; it is */
    void *const owners[] = {&c->made.scene,
                            c->extras,
                            &c->made.bones[1],
                            &c->made.clips[0],
                            c->events,
                            &c->layout,
                            &c->made.meshes[0],
                            &c->made.meshes[3],
                            &c->made.materials[1],
                            &c->made.textures[1],
                            &c->made.cameras[0],
                            &c->variants[1],
                            c->parts,
                            c->issues,
                            c->places,
                            c->options,
                            c->words};
    return owners[owner];
}

/* All pointers that a scene cannot do without. */
static const struct needed {
    enum owner owner;
    size_t offset;
    const char *field;
    const char *message;
} needed[] = {
    {SCENE, offsetof(ossa_scene, name), "name", "the scene has no name in UTF-8"},
    {SCENE, offsetof(ossa_scene, game), "game", "the scene has no game"},
    {SCENE, offsetof(ossa_scene, bones), "bones", "the count is 6, but the array is NULL"},
    {SCENE, offsetof(ossa_scene, clips), "clips", "the count is 2, but the array is NULL"},
    {SCENE, offsetof(ossa_scene, meshes), "meshes", "the count is 8, but the array is NULL"},
    {SCENE, offsetof(ossa_scene, materials), "materials", "the count is 5, but the array is NULL"},
    {SCENE, offsetof(ossa_scene, textures), "textures", "the count is 4, but the array is NULL"},
    {SCENE, offsetof(ossa_scene, cameras), "cameras", "the count is 3, but the array is NULL"},
    {SCENE, offsetof(ossa_scene, variants), "variants", "the count is 2, but the array is NULL"},
    {SCENE, offsetof(ossa_scene, issues), "issues", "the count is 1, but the array is NULL"},
    {SCENE, offsetof(ossa_scene, key_files), "key_files", "the count is 1, but the array is NULL"},
    {SCENE, offsetof(ossa_scene, options), "options", "the count is 1, but the array is NULL"},
    {SCENE, offsetof(ossa_scene, extras), "extras", "lacks its extras"},
    {EXTRA, offsetof(ossa_extra, key), "extras", "has an extra without a key"},
    {EXTRA, offsetof(ossa_extra, numbers), "extras", "the extra 'numbers' lacks its numbers"},
    {BONE, offsetof(ossa_bone, name), "bones[1]", "has no name in UTF-8"},
    {BONE, offsetof(ossa_bone, extras), "bones[1]", "lacks its extras"},
    {CLIP, offsetof(ossa_clip, name), "clips[0]", "has no name in UTF-8"},
    {CLIP, offsetof(ossa_clip, source), "clips[0]", "'clip0' has no source"},
    {CLIP, offsetof(ossa_clip, source_format), "clips[0]", "'clip0' has no source"},
    {CLIP, offsetof(ossa_clip, extras), "clips[0]", "lacks its extras"},
#define LACKS "'clip0' lacks an array of constants or keys"
    {CLIP, offsetof(ossa_clip, constant), "clips[0]", LACKS},
    {CLIP, offsetof(ossa_clip, constant_visible), "clips[0]", LACKS},
    {CLIP, offsetof(ossa_clip, rotations.bones), "clips[0]", LACKS},
    {CLIP, offsetof(ossa_clip, rotations.keys), "clips[0]", LACKS},
    {CLIP, offsetof(ossa_clip, translations.bones), "clips[0]", LACKS},
    {CLIP, offsetof(ossa_clip, translations.keys), "clips[0]", LACKS},
    {CLIP, offsetof(ossa_clip, scales.bones), "clips[0]", LACKS},
    {CLIP, offsetof(ossa_clip, scales.keys), "clips[0]", LACKS},
    {CLIP, offsetof(ossa_clip, visibilities.bones), "clips[0]", LACKS},
    {CLIP, offsetof(ossa_clip, visibilities.keys), "clips[0]", LACKS},
    {CLIP, offsetof(ossa_clip, morphs.meshes), "clips[0]", LACKS},
    {CLIP, offsetof(ossa_clip, morphs.keys), "clips[0]", LACKS},
#define RUN "the clip 'clip0' has a run of keys, 0, of no bone, frame, file or bytes"
    {CLIP, offsetof(ossa_clip, key_runs), "clips[0]", RUN},
    {LAYOUT, offsetof(ossa_key_layout, parts), "clips[0]", RUN},
#define EVENT_0 "the event 0 of 'clip0' has no kind, no field or no frame, or is out of order"
    {CLIP, offsetof(ossa_clip, events), "clips[0]", EVENT_0},
    {EVENT, offsetof(ossa_event, kind), "clips[0]", EVENT_0},
    {EVENT, offsetof(ossa_event, field), "clips[0]", EVENT_0},
    {MESH, offsetof(ossa_mesh, name), "meshes[0]", "has no name in UTF-8"},
    {MESH, offsetof(ossa_mesh, positions), "meshes[0]", "'b0' has no positions or no indices"},
    {MESH, offsetof(ossa_mesh, indices), "meshes[0]", "'b0' has no positions or no indices"},
    {MESH, offsetof(ossa_mesh, targets), "meshes[0]", "'b0' lacks its morph targets"},
#define HALF "'b2' has joints without weights, or weights without joints"
    {JOINTED, offsetof(ossa_mesh, joints), "meshes[3]", HALF},
    {JOINTED, offsetof(ossa_mesh, weights), "meshes[3]", HALF},
    {JOINTED, offsetof(ossa_mesh, texcoords), "meshes[3]",
     "'b2' has a second set of texture coordinates and no first"},
    {MATERIAL, offsetof(ossa_material, name), "materials[1]", "has no name in UTF-8"},
    {MATERIAL, offsetof(ossa_material, extras), "materials[1]", "lacks its extras"},
    {TEXTURE, offsetof(ossa_texture, name), "textures[1]", "has no name in UTF-8"},
    {TEXTURE, offsetof(ossa_texture, pixels), "textures[1]", "'leaves \xd0\xb8' lacks its pixels"},
    {CAMERA, offsetof(ossa_camera, name), "cameras[0]", "has no name in UTF-8"},
    {CAMERA, offsetof(ossa_camera, source), "cameras[0]", "'camera 0' has no source"},
    {CAMERA, offsetof(ossa_camera, source_format), "cameras[0]", "'camera 0' has no source"},
    {CAMERA, offsetof(ossa_camera, times), "cameras[0]", "'camera 0' lacks an array of keys"},
    {CAMERA, offsetof(ossa_camera, positions), "cameras[0]", "'camera 0' lacks an array of keys"},
    {CAMERA, offsetof(ossa_camera, rotations), "cameras[0]", "'camera 0' lacks an array of keys"},
    {CAMERA, offsetof(ossa_camera, fields_of_view), "cameras[0]",
     "'camera 0' lacks an array of keys"},
    {CAMERA, offsetof(ossa_camera, extras), "cameras[0]", "lacks its extras"},
    {VARIANT, offsetof(ossa_variant, name), "variants[1]", "has no name in UTF-8"},
    {VARIANT, offsetof(ossa_variant, replacements), "variants[1]",
     "'other' lacks its replacements"},
    {PART, offsetof(ossa_key_part, name), "clips[0]", RUN},
#define ISSUE_0 "lacks a text or a place, or is of an unknown severity"
    {ISSUE, offsetof(ossa_issue, path), "issues[0]", ISSUE_0},
    {ISSUE, offsetof(ossa_issue, format), "issues[0]", ISSUE_0},
    {ISSUE, offsetof(ossa_issue, field), "issues[0]", ISSUE_0},
    {ISSUE, offsetof(ossa_issue, message), "issues[0]", ISSUE_0},
    {ISSUE, offsetof(ossa_issue, places), "issues[0]", ISSUE_0},
    {PLACE, offsetof(ossa_place, path), "issues[0]", ISSUE_0},
    {PLACE, offsetof(ossa_place, field), "issues[0]", ISSUE_0},
    {OPTION, offsetof(ossa_option_info, name), "options[0]", "has no name or no text in UTF-8"},
    {OPTION, offsetof(ossa_option_info, text), "options[0]", "has no name or no text in UTF-8"},
    {OPTION, offsetof(ossa_option_info, words), "options[0]", "'option' lacks its words"},
#define WORD_0 "'option': word 0 is not UTF-8, or is missing"
    {WORD, offsetof(ossa_option_word, word), "options[0]", WORD_0},
    {WORD, offsetof(ossa_option_word, text), "options[0]", WORD_0},
};

static void what_is_needed_is_missed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        struct complete c;
        ossa_error error;
        const void *const nothing = NULL;
        make_complete(&c);
        assert_true(ossa_scene_validate(&c.made.scene, &error));
        uint8_t *member = (uint8_t *)owner_of(&c, needed[i].owner) + needed[i].offset;
        void *kept;
        memcpy(&kept, member, sizeof kept);
        require(kept != NULL, needed[i].message, "the pointer is NULL before: entry %zu", i);
        memcpy(member, &nothing, sizeof nothing);
        require(!ossa_scene_validate(&c.made.scene, &error), needed[i].message, "accepted");
        assert_int_equal(error.code, OSSA_CODE_BAD_SCENE);
        assert_string_equal(error.field, needed[i].field);
        assert_string_equal(error.message, needed[i].message);
        free_made_scene(&c.made);
    }
}

static void no_scene_is_refused(void **state)
{
    (void)state;
    ossa_error error;
    assert_false(ossa_scene_validate(NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_SCENE);
    assert_string_equal(error.message, "there is no scene");
}

/* ---- no crash ------------------------------------------------------------------------------ */

static bool take_anything(void *user, const void *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)user += size;
    return true;
}

/* What is accepted can be written. */
static void write_all(const ossa_scene *scene)
{
    size_t size = 0;
    const ossa_sink sink = {take_anything, &size};
    const ossa_export_options skinned = {.skin = true};
    (void)ossa_write_gltf(scene, NULL, sink, sink, NULL);
    (void)ossa_write_gltf(scene, &skinned, sink, sink, NULL);
    (void)ossa_write_csv(scene, NULL, sink, NULL);
    (void)ossa_write_scene_json(scene, NULL, sink, NULL);
    for (uint32_t i = 0; i < scene->clip_count; i++) {
        (void)ossa_write_bvh(scene, &scene->clips[i], NULL, sink, NULL);
    }
}

/* The sizes of the structs, so that a pointer that is added is not forgotten. */
static const size_t sizes[] = {
    sizeof(ossa_scene),      sizeof(ossa_extra),      sizeof(ossa_bone),   sizeof(ossa_clip),
    sizeof(ossa_event),      sizeof(ossa_key_layout), sizeof(ossa_mesh),   sizeof(ossa_mesh),
    sizeof(ossa_material),   sizeof(ossa_texture),    sizeof(ossa_camera), sizeof(ossa_variant),
    sizeof(ossa_key_part),   sizeof(ossa_issue),      sizeof(ossa_place),  sizeof(ossa_option_info),
    sizeof(ossa_option_word)};

/* Any word of any struct: pointers, and counts too. */
static void no_zero_crashes(void **state)
{
    (void)state;
    size_t accepted = 0;
    size_t refused = 0;
    for (size_t owner = SCENE; owner <= WORD; owner++) {
        for (size_t at = 0; at + sizeof(void *) <= sizes[owner]; at += sizeof(void *)) {
            struct complete c;
            make_complete(&c);
            memset((uint8_t *)owner_of(&c, (enum owner)owner) + at, 0, sizeof(void *));
            if (ossa_scene_validate(&c.made.scene, NULL)) {
                accepted++;
                write_all(&c.made.scene);
            } else {
                refused++;
            }
            free_made_scene(&c.made);
        }
    }
    assert_true(accepted > 20);
    assert_true(refused >= sizeof needed / sizeof needed[0]);
}

/* ---- others -------------------------------------------------------------------------------- */

static void unknown_kinds_are_refused(void **state)
{
    (void)state;
    static const int kinds[] = {2, 3, 1000, -1};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct complete c;
        ossa_error error;
        make_complete(&c);
        memcpy(&c.made.meshes[1].kind, &kinds[i], sizeof kinds[i]);
        assert_false(ossa_scene_validate(&c.made.scene, &error));
        assert_string_equal(error.field, "meshes[1]");
        assert_non_null(strstr(error.message, "unknown kind"));
        free_made_scene(&c.made);
    }
}

/* ---- what cannot be ------------------------------------------------------------------------ */

static void far_away(struct complete *c)
{
    c->made.scene.viewpoint[1] = INFINITY;
}

static void unknown_option(struct complete *c)
{
    const int kind = 4;
    memcpy(&c->options[0].kind, &kind, sizeof kind);
}

static void endless_option(struct complete *c)
{
    c->options[0].most = (double)INFINITY;
}

static void more_places(struct complete *c)
{
    c->issues[0].place_count = OSSA_MAX_PLACES + 1;
}

static void more_parts_than_bits(struct complete *c)
{
    c->layout.part_count = 9;
}

/* Two keys of one byte, the second where no file has bytes. */
static void before_the_file(struct complete *c)
{
    c->runs[0] = (ossa_key_run){.frame_step = 1, .frame_count = 2, .layout = &c->layout};
    c->runs[0].offset = 8;
    c->runs[0].stride = -9;
}

static void behind_all_files(struct complete *c)
{
    before_the_file(c);
    c->runs[0].offset = UINT64_MAX - 8;
    c->runs[0].stride = 8;
}

static void far_apart(struct complete *c)
{
    before_the_file(c);
    c->runs[0].frame_count = 3;
    c->runs[0].stride = INT64_MAX;
}

static void farthest_apart(struct complete *c)
{
    before_the_file(c);
    c->runs[0].stride = INT64_MIN;
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const struct {
        void (*change)(struct complete *c);
        const char *field;
        const char *message;
    } wrong[] = {
        {far_away, "viewpoint", "is not finite"},
        {unknown_option, "options[0]", "'option' has the unknown kind 4"},
        {endless_option, "options[0]", "'option' has a bound or a default that is not finite"},
        {more_places, "issues[0]", ISSUE_0},
        {more_parts_than_bits, "clips[0]", RUN},
        {before_the_file, "clips[0]", RUN},
        {behind_all_files, "clips[0]", RUN},
        {far_apart, "clips[0]", RUN},
        {farthest_apart, "clips[0]", RUN},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct complete c;
        ossa_error error;
        make_complete(&c);
        wrong[i].change(&c);
        assert_false(ossa_scene_validate(&c.made.scene, &error));
        assert_string_equal(error.field, wrong[i].field);
        assert_string_equal(error.message, wrong[i].message);
        free_made_scene(&c.made);
    }
}

/* Right up to there. */
static void keys_may_be_at_the_ends_of_a_file(void **state)
{
    (void)state;
    struct complete c;
    ossa_error error;
    ossa_key_bytes found;
    make_complete(&c);
    before_the_file(&c);
    c.runs[0].stride = -8;
    require(ossa_scene_validate(&c.made.scene, &error), "at 0", "%s", error.message);
    assert_int_equal(
        ossa_find_key_bytes(&c.made.scene, 0, 0, OSSA_KEY_CHANNEL_ROTATION, 1, &found, 1), 1);
    assert_int_equal(found.offset, 0);
    behind_all_files(&c);
    c.runs[0].stride = 7;
    require(ossa_scene_validate(&c.made.scene, &error), "at the end", "%s", error.message);
    assert_int_equal(
        ossa_find_key_bytes(&c.made.scene, 0, 0, OSSA_KEY_CHANNEL_ROTATION, 1, &found, 1), 1);
    assert_true(found.offset == UINT64_MAX - 1);
    free_made_scene(&c.made);
}

TEST_GROUP(test_scene_nulls)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_needed_is_missed),
        cmocka_unit_test(no_scene_is_refused),
        cmocka_unit_test(no_zero_crashes),
        cmocka_unit_test(unknown_kinds_are_refused),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(keys_may_be_at_the_ends_of_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
