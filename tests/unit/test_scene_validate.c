/* SPDX-License-Identifier: MIT
 *
 * Every rule of a scene, broken one at a time. */
#include "support/made_scene.h"
#include "support/testing.h"
#include "ossa/export.h"
#include "ossa/scene.h"

#include <math.h>
#include <stdio.h>
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

static float not_finite[3] = {NAN, INFINITY, -INFINITY};
static const double no_numbers[3] = {1.0, -1e39, 2.0}; /* one that no float can be */

/* The keys of a track, to be written to: they are the scene's own memory. */
static float *keys_of(const ossa_tracks *tracks)
{
    return (float *)(uintptr_t)tracks->keys;
}

static uint32_t *bones_of(const uint32_t *bones)
{
    return (uint32_t *)(uintptr_t)bones;
}
static int32_t *targets_of(const int32_t *keys)
{
    return (int32_t *)(uintptr_t)keys;
}

/* ---- the rules ----------------------------------------------------------------------------- */

static void scene_name_null(struct made_scene *made)
{
    made->scene.name = NULL;
}
static void scene_name_empty(struct made_scene *made)
{
    made->scene.name = "";
}
static void scene_name_bytes(struct made_scene *made)
{
    made->scene.name = "a\xff";
}
static void scene_game(struct made_scene *made)
{
    made->scene.game = NULL;
}
static void bone_name_null(struct made_scene *made)
{
    made->bones[3].name = NULL;
}
static void bone_name_empty(struct made_scene *made)
{
    made->bones[3].name = "";
}
static void bone_name_cut(struct made_scene *made)
{
    made->bones[3].name = "b\xd0";
}
static void bone_parent_itself(struct made_scene *made)
{
    made->bones[3].parent = 3;
}
static void bone_parent_later(struct made_scene *made)
{
    made->bones[3].parent = 5;
}
static void bone_parent_nothing(struct made_scene *made)
{
    made->bones[3].parent = -2;
}
static void bone_parent_least(struct made_scene *made)
{
    made->bones[3].parent = INT32_MIN;
}
static void root_parent(struct made_scene *made)
{
    made->bones[0].parent = 0;
}
static void rest_place(struct made_scene *made)
{
    made->bones[2].rest.translation[1] = NAN;
}
static void rest_scale(struct made_scene *made)
{
    made->bones[2].rest.scale[2] = INFINITY;
}
static void rest_rotation(struct made_scene *made)
{
    made->bones[2].rest.rotation[0] = NAN;
}
static void rest_none(struct made_scene *made)
{
    memset(made->bones[2].rest.rotation, 0, sizeof made->bones[2].rest.rotation);
}
static void rest_long(struct made_scene *made)
{
    for (unsigned k = 0; k < 4; k++) made->bones[2].rest.rotation[k] *= 1.0001F;
}
static void clip_name_null(struct made_scene *made)
{
    made->clips[1].name = NULL;
}
static void clip_name_empty(struct made_scene *made)
{
    made->clips[1].name = "";
}
static void clip_name_bytes(struct made_scene *made)
{
    made->clips[1].name = "\x80";
}
static void clip_name_twice(struct made_scene *made)
{
    made->clips[1].name = "clip0";
}
static void clip_source(struct made_scene *made)
{
    made->clips[1].source = NULL;
}
static void clip_source_format(struct made_scene *made)
{
    made->clips[1].source_format = NULL;
}
static void clip_rate_none(struct made_scene *made)
{
    made->clips[1].fps = 0.0;
}
static void clip_rate_negative(struct made_scene *made)
{
    made->clips[1].fps = -30.0;
}
static void clip_rate_nan(struct made_scene *made)
{
    made->clips[1].fps = NAN;
}
static void clip_rate_infinite(struct made_scene *made)
{
    made->clips[1].fps = INFINITY;
}

static void constants_null(struct made_scene *made)
{
    made->clips[1].constant = NULL;
}
static void constant_visible_null(struct made_scene *made)
{
    made->clips[1].constant_visible = NULL;
}
static void track_bones_null(struct made_scene *made)
{
    made->clips[1].scales.bones = NULL;
}
static void track_keys_null(struct made_scene *made)
{
    made->clips[1].translations.keys = NULL;
}
static void flag_keys_null(struct made_scene *made)
{
    made->clips[1].visibilities.keys = NULL;
}

static ossa_transform *constant_of(struct made_scene *made)
{
    return (ossa_transform *)(uintptr_t)&made->clips[1].constant[4];
}
static void constant_place(struct made_scene *made)
{
    constant_of(made)->translation[0] = NAN;
}
static void constant_scale(struct made_scene *made)
{
    constant_of(made)->scale[0] = -INFINITY;
}
static void constant_rotation(struct made_scene *made)
{
    constant_of(made)->rotation[3] += 0.1F;
}

static void track_bone_none(struct made_scene *made)
{
    bones_of(made->clips[1].rotations.bones)[4] = 6;
}
static void track_bone_order(struct made_scene *made)
{
    bones_of(made->clips[1].rotations.bones)[1] = 0;
}
static void track_bone_falls(struct made_scene *made)
{
    bones_of(made->clips[1].translations.bones)[0] = 3;
}
static void scale_bone_none(struct made_scene *made)
{
    bones_of(made->clips[1].scales.bones)[1] = UINT32_MAX;
}
static void rotation_key_none(struct made_scene *made)
{
    memset(keys_of(&made->clips[1].rotations) + 4 * (5 + 2), 0, 4 * sizeof(float));
}
static void rotation_key_nan(struct made_scene *made)
{
    keys_of(&made->clips[1].rotations)[4 * (2 * 5 + 4)] = not_finite[0];
}
static void translation_key(struct made_scene *made)
{
    keys_of(&made->clips[1].translations)[3 * (2 * 3 + 1) + 2] = not_finite[1];
}
static void scale_key(struct made_scene *made)
{
    keys_of(&made->clips[1].scales)[0] = not_finite[2];
}
static void visible_bone(struct made_scene *made)
{
    bones_of(made->clips[1].visibilities.bones)[1] = 6;
}
static void visible_key(struct made_scene *made)
{
    ((uint8_t *)(uintptr_t)made->clips[1].visibilities.keys)[3] = 2;
}
static void visible_constant(struct made_scene *made)
{
    ((uint8_t *)(uintptr_t)made->clips[1].constant_visible)[5] = 255;
}

static void mesh_name(struct made_scene *made)
{
    made->meshes[1].name = NULL;
}
static void mesh_bone(struct made_scene *made)
{
    made->meshes[1].bone = 6;
}
static void mesh_order(struct made_scene *made)
{
    made->meshes[3].bone = 0;
}
static void mesh_no_index(struct made_scene *made)
{
    made->meshes[1].index_count = 0;
}
static void mesh_indices(struct made_scene *made)
{
    made->meshes[1].index_count = 2;
}
static void mesh_line_indices(struct made_scene *made)
{
    made->meshes[2].index_count = 1;
}
static void mesh_index(struct made_scene *made)
{
    bones_of(made->meshes[1].indices)[2] = 3;
}
static void mesh_position(struct made_scene *made)
{
    ((float *)(uintptr_t)made->meshes[1].positions)[8] = NAN;
}
static void mesh_normal(struct made_scene *made)
{
    ((float *)(uintptr_t)made->meshes[1].normals)[0] = INFINITY;
}

static void mesh_texcoord(struct made_scene *made)
{
    ((float *)(uintptr_t)made->meshes[1].texcoords)[5] = NAN;
}
static void mesh_material(struct made_scene *made)
{
    made->meshes[1].material = MADE_MATERIALS;
}
static void mesh_material_negative(struct made_scene *made)
{
    made->meshes[1].material = -2;
}
static void mesh_target(struct made_scene *made)
{
    ((float *)(uintptr_t)made->meshes[0].targets)[3 * 3 + 8] = INFINITY;
}
static void mesh_targets_null(struct made_scene *made)
{
    made->meshes[0].targets = NULL;
}
static void mesh_targets_and_another(struct made_scene *made)
{
    made->meshes[1].bone = 0;
}
static void mesh_second_with_targets(struct made_scene *made)
{
    made->meshes[2].target_count = 2;
    made->meshes[2].targets = made->meshes[0].targets;
}
/* Bones of their own for the vertices of a mesh. */
static uint32_t *give_bones(struct made_scene *made, uint32_t mesh)
{
    uint32_t *bones = made_memory(made, made->meshes[mesh].vertex_count * sizeof *bones);
    made->meshes[mesh].vertex_bones = bones;
    return bones;
}
static void mesh_vertex_bone(struct made_scene *made)
{
    give_bones(made, 1)[2] = 6;
}
static void mesh_lines_of_bones(struct made_scene *made)
{
    (void)give_bones(made, 2);
}
static void mesh_targets_of_bones(struct made_scene *made)
{
    (void)give_bones(made, 0);
}
/* The box of bone 2, in which vertex 3 has four bones. */
static uint32_t *joints_of(struct made_scene *made, uint32_t vertex)
{
    return (uint32_t *)(uintptr_t)made->meshes[3].joints[vertex];
}
static float *weights_of(struct made_scene *made, uint32_t vertex)
{
    return (float *)(uintptr_t)made->meshes[3].weights[vertex];
}
static void mesh_joint(struct made_scene *made)
{
    joints_of(made, 3)[2] = 6;
}
static void mesh_joint_without_weight(struct made_scene *made)
{
    joints_of(made, 0)[3] = 1;
}
static void mesh_weight_less(struct made_scene *made)
{
    weights_of(made, 0)[0] = 1.5F;
    weights_of(made, 0)[1] = -0.5F;
}
static void mesh_weight_nan(struct made_scene *made)
{
    weights_of(made, 7)[2] = NAN;
}
static void mesh_weight_infinite(struct made_scene *made)
{
    weights_of(made, 7)[2] = INFINITY;
}
static void mesh_weights_sum(struct made_scene *made)
{
    weights_of(made, 7)[0] += 2e-5F;
}
static void mesh_weights_too_few(struct made_scene *made)
{
    weights_of(made, 7)[0] -= 2e-5F;
}
static void mesh_weights_none(struct made_scene *made)
{
    made->meshes[3].weights = NULL;
}
static void mesh_joints_none(struct made_scene *made)
{
    made->meshes[3].joints = NULL;
}
static void mesh_weights_and_bones(struct made_scene *made)
{
    (void)give_bones(made, 3);
}
static void mesh_weights_of_lines(struct made_scene *made)
{
    made->meshes[3].kind = OSSA_MESH_KIND_LINES;
}
static void mesh_weights_and_targets(struct made_scene *made)
{
    made->meshes[3].target_count = 1;
    made->meshes[3].targets = made->meshes[3].positions;
}
static void mesh_second_texcoord(struct made_scene *made)
{
    ((float *)(uintptr_t)made->meshes[3].texcoords2)[15] = INFINITY;
}
static void mesh_second_texcoords_alone(struct made_scene *made)
{
    made->meshes[3].texcoords = NULL;
}
static void texture_name(struct made_scene *made)
{
    made->textures[1].name = "";
}
static void texture_no_width(struct made_scene *made)
{
    made->textures[1].width = 0;
}
static void texture_no_height(struct made_scene *made)
{
    made->textures[1].height = 0;
}
static void texture_huge(struct made_scene *made)
{
    made->textures[1].width = UINT32_MAX;
    made->textures[1].height = UINT32_MAX;
}
static void texture_no_pixels(struct made_scene *made)
{
    made->textures[1].pixels = NULL;
}
static void material_name(struct made_scene *made)
{
    made->materials[2].name = "\xff";
}
static void material_texture(struct made_scene *made)
{
    made->materials[2].texture = MADE_TEXTURES;
}
static void material_texture_less(struct made_scene *made)
{
    made->materials[2].texture = -2;
}
static void material_colour_more(struct made_scene *made)
{
    made->materials[2].colour[1] = 1.5F;
}
static void material_colour_less(struct made_scene *made)
{
    made->materials[2].colour[3] = -0.001F;
}
static void material_colour_nan(struct made_scene *made)
{
    made->materials[2].colour[0] = NAN;
}
static void material_cutoff_more(struct made_scene *made)
{
    made->materials[2].alpha_cutoff = 1.001F;
}
static void material_cutoff_less(struct made_scene *made)
{
    made->materials[2].alpha_cutoff = -0.001F;
}
static void material_cutoff_nan(struct made_scene *made)
{
    made->materials[2].alpha_cutoff = NAN;
}
static void material_cutoff_transparent(struct made_scene *made)
{
    made->materials[3].alpha_cutoff = 0.5F;
}
static uint32_t *morph_meshes(struct made_scene *made)
{
    return bones_of(made->clips[0].morphs.meshes);
}
static void morph_mesh_none(struct made_scene *made)
{
    morph_meshes(made)[1] = made->scene.mesh_count;
}
static void morph_mesh_order(struct made_scene *made)
{
    morph_meshes(made)[1] = morph_meshes(made)[0];
}
static void morph_mesh_without(struct made_scene *made)
{
    morph_meshes(made)[1] = 1;
}
static void morph_key(struct made_scene *made)
{
    targets_of(made->clips[0].morphs.keys)[2 * 2] = (int32_t)made->meshes[0].target_count;
}
static void morph_key_negative(struct made_scene *made)
{
    targets_of(made->clips[0].morphs.keys)[2 * 2] = -2;
}
static void morph_meshes_null(struct made_scene *made)
{
    made->clips[1].morphs.meshes = NULL;
}
static void morph_keys_null(struct made_scene *made)
{
    made->clips[1].morphs.keys = NULL;
}

static void camera_name_none(struct made_scene *made)
{
    made->cameras[2].name = "";
}
static void camera_name_twice(struct made_scene *made)
{
    made->cameras[2].name = made->cameras[0].name;
}
static void camera_source(struct made_scene *made)
{
    made->cameras[2].source = NULL;
}
static void camera_no_key(struct made_scene *made)
{
    made->cameras[2].key_count = 0;
}
static void camera_aspect(struct made_scene *made)
{
    made->cameras[2].aspect = -1.0F;
}
static void camera_aspect_nan(struct made_scene *made)
{
    made->cameras[2].aspect = NAN;
}
static void camera_first_time(struct made_scene *made)
{
    ((float *)(uintptr_t)made->cameras[2].times)[0] = 0.125F;
}
static void camera_time(struct made_scene *made)
{
    ((float *)(uintptr_t)made->cameras[2].times)[3] = made->cameras[2].times[2];
}
static void camera_time_infinite(struct made_scene *made)
{
    ((float *)(uintptr_t)made->cameras[2].times)[3] = INFINITY;
}
static void camera_place(struct made_scene *made)
{
    ((float *)(uintptr_t)made->cameras[2].positions)[7] = NAN;
}
static void camera_turn(struct made_scene *made)
{
    ((float *)(uintptr_t)made->cameras[2].rotations)[7] += 1.0F;
}
static void camera_view_none(struct made_scene *made)
{
    ((float *)(uintptr_t)made->cameras[2].fields_of_view)[1] = 0.0F;
}
static void camera_view_wide(struct made_scene *made)
{
    ((float *)(uintptr_t)made->cameras[2].fields_of_view)[1] = 3.1415927F;
}
static void camera_view_nan(struct made_scene *made)
{
    ((float *)(uintptr_t)made->cameras[2].fields_of_view)[1] = NAN;
}
static void extra_key(struct made_scene *made)
{
    ((ossa_extra *)(uintptr_t)made->cameras[2].extras)[1].key = "";
}
static void extra_text(struct made_scene *made)
{
    ((ossa_extra *)(uintptr_t)made->cameras[2].extras)[2].text = "\xff";
}
static void extra_number(struct made_scene *made)
{
    ((ossa_extra *)(uintptr_t)made->cameras[2].extras)[0].numbers = no_numbers;
    ((ossa_extra *)(uintptr_t)made->cameras[2].extras)[0].number_count = 3;
}
static void clip_step(struct made_scene *made)
{
    static const float steps[] = {0.0F, -1.0F, 0.1F, 0.1F, 0.1F, INFINITY};
    made->clips[1].rotation_steps = steps;
}

static void clip_travel(struct made_scene *made)
{
    made->clips[1].travel[0] = INFINITY;
}

static void clip_velocity(struct made_scene *made)
{
    made->clips[1].velocity[2] = NAN;
}
static void clip_next(struct made_scene *made)
{
    made->clips[1].next = "";
}
static void give_events(struct made_scene *made, const ossa_event *events)
{
    made->clips[1].events = events;
    made->clips[1].event_count = 2;
}
static void clip_events(struct made_scene *made)
{
    give_events(made, NULL);
}
static void event_kind(struct made_scene *made)
{
    static const ossa_event events[2] = {{0, "step", "a"}, {0, "", "a"}};
    give_events(made, events);
}
static void event_field(struct made_scene *made)
{
    static const ossa_event events[2] = {{0, "step", NULL}, {0, "step", "a"}};
    give_events(made, events);
}
static void event_order(struct made_scene *made)
{
    static const ossa_event events[2] = {{1, "step", "a"}, {0, "step", "a"}};
    give_events(made, events);
}
static void event_frame(struct made_scene *made)
{
    static ossa_event events[2] = {{0, "step", "a"}, {0, "step", "a"}};
    events[1].frame = made->clips[1].frame_count;
    give_events(made, events);
}
static void clip_extra(struct made_scene *made)
{
    made->clips[1].extras = made->cameras[2].extras;
    made->clips[1].extra_count = 1;
    ((ossa_extra *)(uintptr_t)made->clips[1].extras)[0].key = NULL;
}
static void scene_extra(struct made_scene *made)
{
    made->scene.extras = made->cameras[2].extras;
    made->scene.extra_count = 3;
    ((ossa_extra *)(uintptr_t)made->scene.extras)[2].text = "\xff";
}
static void clips_too_many(struct made_scene *made)
{
    made->scene.clip_count = OSSA_MAX_CLIPS + 1;
}
static void cameras_too_many(struct made_scene *made)
{
    made->scene.camera_count = OSSA_MAX_CLIPS + 1;
}

static const struct rule {
    void (*break_it)(struct made_scene *made);
    const char *field;
    const char *message;
} rules[] = {
    {scene_name_null, "name", "the scene has no name in UTF-8"},
    {scene_name_empty, "name", "the scene has no name in UTF-8"},
    {scene_name_bytes, "name", "the scene has no name in UTF-8"},
    {scene_game, "game", "the scene has no game"},
    {scene_extra, "extras", "the extra 'text' is not UTF-8, or not finite"},
    {bone_name_null, "bones[3]", "has no name in UTF-8"},
    {bone_name_empty, "bones[3]", "has no name in UTF-8"},
    {bone_name_cut, "bones[3]", "has no name in UTF-8"},
    {bone_parent_itself, "bones[3]", "'b3' has the parent 3, expected one before it"},
    {bone_parent_later, "bones[3]", "'b3' has the parent 5, expected one before it"},
    {bone_parent_nothing, "bones[3]", "'b3' has the parent -2, expected one before it"},
    {bone_parent_least, "bones[3]", "'b3' has the parent -2147483648, expected one before it"},
    {root_parent, "bones[0]", "'b0' has the parent 0, expected one before it"},
    {rest_place, "bones[2]", "'b2' has a rest pose that is not finite, or no rotation"},
    {rest_scale, "bones[2]", "'b2' has a rest pose that is not finite, or no rotation"},
    {rest_rotation, "bones[2]", "'b2' has a rest pose that is not finite, or no rotation"},
    {rest_none, "bones[2]", "'b2' has a rest pose that is not finite, or no rotation"},
    {rest_long, "bones[2]", "'b2' has a rest pose that is not finite, or no rotation"},
    {clip_name_null, "clips[1]", "has no name in UTF-8"},
    {clip_name_empty, "clips[1]", "has no name in UTF-8"},
    {clip_name_bytes, "clips[1]", "has no name in UTF-8"},
    {clip_name_twice, "clips[1]", "the name 'clip0' occurs twice"},
    {clip_source, "clips[1]", "'clip1' has no source"},
    {clip_source_format, "clips[1]", "'clip1' has no source"},
    {clip_rate_none, "clips[1]", "'clip1' has no rate"},
    {clip_rate_negative, "clips[1]", "'clip1' has no rate"},
    {clip_rate_nan, "clips[1]", "'clip1' has no rate"},
    {clip_rate_infinite, "clips[1]", "'clip1' has no rate"},
    {constants_null, "clips[1]", "'clip1' lacks an array of constants or keys"},
    {constant_visible_null, "clips[1]", "'clip1' lacks an array of constants or keys"},
    {track_bones_null, "clips[1]", "'clip1' lacks an array of constants or keys"},
    {track_keys_null, "clips[1]", "'clip1' lacks an array of constants or keys"},
    {flag_keys_null, "clips[1]", "'clip1' lacks an array of constants or keys"},
    {constant_place, "clips[1]",
     "the clip 'clip1' has a value of 'b4' that is not finite, or no rotation"},
    {constant_scale, "clips[1]",
     "the clip 'clip1' has a value of 'b4' that is not finite, or no rotation"},
    {constant_rotation, "clips[1]",
     "the clip 'clip1' has a value of 'b4' that is not finite, or no rotation"},
    {track_bone_none, "clips[1]", "the clip 'clip1' has tracks of no bone, or out of order"},
    {track_bone_order, "clips[1]", "the clip 'clip1' has tracks of no bone, or out of order"},
    {track_bone_falls, "clips[1]", "the clip 'clip1' has tracks of no bone, or out of order"},
    {scale_bone_none, "clips[1]", "the clip 'clip1' has tracks of no bone, or out of order"},
    {rotation_key_none, "clips[1]",
     "the clip 'clip1' has a key of 'b2' in frame 1 that is not finite, or no rotation"},
    {rotation_key_nan, "clips[1]",
     "the clip 'clip1' has a key of 'b4' in frame 2 that is not finite, or no rotation"},
    {translation_key, "clips[1]",
     "the clip 'clip1' has a key of 'b2' in frame 2 that is not finite, or no rotation"},
    {scale_key, "clips[1]",
     "the clip 'clip1' has a key of 'b0' in frame 0 that is not finite, or no rotation"},
    {visible_bone, "clips[1]", "the clip 'clip1' has a visibility that is not 0 or 1"},
    {visible_key, "clips[1]", "the clip 'clip1' has a visibility that is not 0 or 1"},
    {visible_constant, "clips[1]", "the clip 'clip1' has a visibility that is not 0 or 1"},
    {mesh_name, "meshes[1]", "has no name in UTF-8"},
    {mesh_bone, "meshes[1]", "'b1' moves with bone 6, of 6"},
    {mesh_order, "meshes[3]", "'b2' comes after a mesh of a later bone"},
    {mesh_no_index, "meshes[1]", "'b1' has 0 indices"},
    {mesh_indices, "meshes[1]", "'b1' has 2 indices"},
    {mesh_line_indices, "meshes[2]", "'b1' has 1 indices"},
    {mesh_index, "meshes[1]", "'b1' has an index past its vertices"},
    {mesh_position, "meshes[1]", "'b1' has a vertex that is not finite"},
    {mesh_normal, "meshes[1]", "'b1' has a vertex that is not finite"},
    {mesh_texcoord, "meshes[1]", "'b1' has a vertex that is not finite"},
    {mesh_material, "meshes[1]", "'b1' has the material 5, of 5"},
    {mesh_material_negative, "meshes[1]", "'b1' has the material -2, of 5"},
    {mesh_target, "meshes[0]", "'b0' has a morph target, 1, that is not finite"},
    {mesh_targets_null, "meshes[0]", "'b0' lacks its morph targets"},
    {mesh_targets_and_another, "meshes[1]", "'b1' is a second mesh of a bone with morph targets"},
    {mesh_second_with_targets, "meshes[2]", "'b1' is a second mesh of a bone with morph targets"},
    {mesh_vertex_bone, "meshes[1]", "'b1' has a vertex, 2, that moves with bone 6, of 6"},
    {mesh_lines_of_bones, "meshes[2]", "'b1' is of lines and moves with several bones"},
    {mesh_targets_of_bones, "meshes[0]", "'b0' has morph targets and moves with several bones"},
    {mesh_joint, "meshes[3]", "'b2' has a vertex, 3, that moves with bone 6, of 6"},
    {mesh_joint_without_weight, "meshes[3]",
     "'b2' has a vertex, 0, with a weight below 0, or a bone without a weight"},
    {mesh_weight_less, "meshes[3]",
     "'b2' has a vertex, 0, with a weight below 0, or a bone without a weight"},
    {mesh_weight_nan, "meshes[3]",
     "'b2' has a vertex, 7, with a weight below 0, or a bone without a weight"},
    {mesh_weight_infinite, "meshes[3]", "'b2' has a vertex, 7, whose weights do not add up to 1"},
    {mesh_weights_sum, "meshes[3]", "'b2' has a vertex, 7, whose weights do not add up to 1"},
    {mesh_weights_too_few, "meshes[3]", "'b2' has a vertex, 7, whose weights do not add up to 1"},
    {mesh_weights_none, "meshes[3]", "'b2' has joints without weights, or weights without joints"},
    {mesh_joints_none, "meshes[3]", "'b2' has joints without weights, or weights without joints"},
    {mesh_weights_and_bones, "meshes[3]", "'b2' has both one bone per vertex and weights"},
    {mesh_weights_of_lines, "meshes[3]", "'b2' is of lines and moves with several bones"},
    {mesh_weights_and_targets, "meshes[3]", "'b2' has morph targets and moves with several bones"},
    {mesh_second_texcoord, "meshes[3]", "'b2' has a vertex that is not finite"},
    {mesh_second_texcoords_alone, "meshes[3]",
     "'b2' has a second set of texture coordinates and no first"},
    {texture_name, "textures[1]", "has no name in UTF-8"},
    {texture_no_width, "textures[1]", "'leaves \xd0\xb8' has 0 x 4 pixels"},
    {texture_no_height, "textures[1]", "'leaves \xd0\xb8' has 4 x 0 pixels"},
    {texture_huge, "textures[1]", "'leaves \xd0\xb8' has 4294967295 x 4294967295 pixels"},
    {texture_no_pixels, "textures[1]", "'leaves \xd0\xb8' lacks its pixels"},
    {material_name, "materials[2]", "has no name in UTF-8"},
    {material_texture, "materials[2]", "'glass' has the texture 4, of 4"},
    {material_texture_less, "materials[2]", "'glass' has the texture -2, of 4"},
    {material_colour_more, "materials[2]", "'glass' has a colour that is not from 0 to 1"},
    {material_colour_less, "materials[2]", "'glass' has a colour that is not from 0 to 1"},
    {material_colour_nan, "materials[2]", "'glass' has a colour that is not from 0 to 1"},
    {material_cutoff_more, "materials[2]", "'glass' has an alpha cutoff that is not from 0 to 1"},
    {material_cutoff_less, "materials[2]", "'glass' has an alpha cutoff that is not from 0 to 1"},
    {material_cutoff_nan, "materials[2]", "'glass' has an alpha cutoff that is not from 0 to 1"},
    {material_cutoff_transparent, "materials[3]", "'ghost' is transparent and has an alpha cutoff"},
    {morph_mesh_none, "clips[0]", "the clip 'clip0' has morphs of no mesh, or out of order"},
    {morph_mesh_order, "clips[0]", "the clip 'clip0' has morphs of no mesh, or out of order"},
    {morph_mesh_without, "clips[0]", "the clip 'clip0' has the target 0 of 'b1' in frame 0, of 0"},
    {morph_key, "clips[0]", "the clip 'clip0' has the target 2 of 'b0' in frame 2, of 2"},
    {morph_key_negative, "clips[0]", "the clip 'clip0' has the target -2 of 'b0' in frame 2, of 2"},
    {morph_meshes_null, "clips[1]", "'clip1' lacks an array of constants or keys"},
    {morph_keys_null, "clips[1]", "'clip1' lacks an array of constants or keys"},
    {camera_name_none, "cameras[2]", "has no name in UTF-8"},
    {camera_name_twice, "cameras[2]", "the name 'camera 0' occurs twice"},
    {camera_source, "cameras[2]", "'camera 2' has no source"},
    {camera_no_key, "cameras[2]", "'camera 2' has no key"},
    {camera_aspect, "cameras[2]", "'camera 2' has no aspect"},
    {camera_aspect_nan, "cameras[2]", "'camera 2' has no aspect"},
    {camera_first_time, "cameras[2]", "'camera 2': the times do not rise from 0, at key 0"},
    {camera_time, "cameras[2]", "'camera 2': the times do not rise from 0, at key 3"},
    {camera_time_infinite, "cameras[2]", "'camera 2': the times do not rise from 0, at key 3"},
    {camera_place, "cameras[2]", "'camera 2': key 2 is not finite, or no rotation"},
    {camera_turn, "cameras[2]", "'camera 2': key 1 is not finite, or no rotation"},
    {camera_view_none, "cameras[2]", "'camera 2': key 1 has no field of view"},
    {camera_view_wide, "cameras[2]", "'camera 2': key 1 has no field of view"},
    {camera_view_nan, "cameras[2]", "'camera 2': key 1 has no field of view"},
    {extra_key, "cameras[2]", "has an extra without a key"},
    {extra_text, "cameras[2]", "the extra 'text' is not UTF-8, or not finite"},
    {extra_number, "cameras[2]", "the extra 'many' is not UTF-8, or not finite"},
    {clip_step, "clips[1]", "'clip1' has a rotation step that is not finite"},
    {clip_velocity, "clips[1]", "'clip1' has a velocity that is not finite"},
    {clip_travel, "clips[1]", "'clip1' has a travel that is not finite"},
    {clip_extra, "clips[1]", "has an extra without a key"},
    {clip_next, "clips[1]", "'clip1' is followed by a name that is not UTF-8"},
    {clip_events, "clips[1]",
     "the event 0 of 'clip1' has no kind, no field or no frame, or is out of order"},
    {event_kind, "clips[1]",
     "the event 1 of 'clip1' has no kind, no field or no frame, or is out of order"},
    {event_field, "clips[1]",
     "the event 0 of 'clip1' has no kind, no field or no frame, or is out of order"},
    {event_order, "clips[1]",
     "the event 1 of 'clip1' has no kind, no field or no frame, or is out of order"},
    {event_frame, "clips[1]",
     "the event 1 of 'clip1' has no kind, no field or no frame, or is out of order"},
    {clips_too_many, "clips", "16385 clips, at most 16384 are allowed"},
    {cameras_too_many, "cameras", "16385 cameras, at most 16384 are allowed"},
};

static void a_good_scene_is_good(void **state)
{
    (void)state;
    struct made_scene made;
    make_scene(&made, &plan);
    ossa_error error;
    memset(&error, 0xa5, sizeof error);
    assert_true(ossa_scene_validate(&made.scene, &error));
    assert_int_equal(error.code, OSSA_CODE_OK);
    assert_string_equal(error.message, "");
    assert_true(ossa_scene_validate(&made.scene, NULL));
    free_made_scene(&made);
    /* Nothing at all is a scene too, but for its name. */
    const ossa_scene empty = {.name = "x", .game = ""};
    assert_true(ossa_scene_validate(&empty, &error));
}

/* What is at the edge of a rule keeps it. */
static void edges_are_inside(void **state)
{
    (void)state;
    struct made_scene made;
    make_scene(&made, &plan);
    made.scene.name = "\xd1\x82\xd1\x80\xd0\xbe\xd0\xbb\xd0\xbb\xd1\x8c \xef\xbf\xbd"; /* U+FFFD */
    made.bones[3].name = made.bones[2].name; /* names of bones may stand twice */
    made.bones[4].parent = 3;
    made.bones[5].parent = -1;
    made.bones[1].rest.scale[0] = 0.0F;
    made.bones[1].rest.scale[1] = -1.0F;
    for (unsigned k = 0; k < 4; k++) made.bones[2].rest.rotation[k] *= 1.000002F;
    made.clips[1].fps = 1e-9;
    made.clips[1].frame_count = 0;
    made.clips[1].source = "";
    made.materials[0].texture = MADE_TEXTURES - 1;
    memset(made.materials[0].colour, 0, sizeof made.materials[0].colour);
    made.meshes[1].material = MADE_MATERIALS - 1;
    give_bones(&made, 1)[2] = 5;
    made.materials[2].alpha_cutoff = 1.0F;
    joints_of(&made, 3)[1] = 5;
    joints_of(&made, 3)[2] = 5; /* a bone may stand twice */
    weights_of(&made, 7)[0] += 9e-6F;
    targets_of(made.clips[0].morphs.keys)[0] = (int32_t)made.meshes[0].target_count - 1;
    ossa_error error;
    bool ok = ossa_scene_validate(&made.scene, &error);
    require(ok, "edges", "%s: %s", error.field, error.message);
    free_made_scene(&made);
}

static bool count_bytes(void *user, const void *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)user += size;
    return true;
}

static void every_broken_rule_is_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        struct made_scene made;
        ossa_error error = {0};
        make_scene(&made, &plan);
        rules[i].break_it(&made);
        require(!ossa_scene_validate(&made.scene, &error), rules[i].message, "rule %zu passes", i);
        assert_string_equal(error.message, rules[i].message);
        assert_string_equal(error.field, rules[i].field);
        assert_int_equal(error.code, OSSA_CODE_BAD_SCENE);
        assert_false(error.has_offset);
        assert_null(error.format);
        assert_false(ossa_scene_validate(&made.scene, NULL));
        /* Nothing of such a scene is written. */
        size_t written = 0;
        ossa_sink sink = {count_bytes, &written};
        memset(&error, 0, sizeof error);
        assert_false(ossa_write_gltf(&made.scene, NULL, sink, sink, &error));
        assert_string_equal(error.message, rules[i].message);
        memset(&error, 0, sizeof error);
        assert_false(ossa_write_scene_json(&made.scene, NULL, sink, &error));
        assert_string_equal(error.message, rules[i].message);
        assert_int_equal(written, 0);
        free_made_scene(&made);
    }
}

/* However far apart the two are. */
static void names_stand_once(void **state)
{
    (void)state;
    enum { COUNT = OSSA_MAX_CLIPS };
    static const uint32_t pairs[][2] = {
        {0, 1},        {0, 1023},   {0, 1024},    {1023, 1024},
        {1024, 2047},  {700, 9000}, {2048, 4095}, {COUNT - 2, COUNT - 1},
        {0, COUNT - 1}};
    struct made_scene made;
    make_scene(&made, &plan);
    ossa_clip *clips = made_memory(&made, COUNT * sizeof *clips);
    for (uint32_t i = 0; i < COUNT; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "clip%u", (unsigned)i);
        clips[i] = made.clips[1];
        clips[i].name = made_text(&made, name);
    }
    made.scene.clips = clips;
    made.scene.clip_count = COUNT;
    ossa_error error;
    assert_true(ossa_scene_validate(&made.scene, &error));
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const char *kept = clips[pairs[i][1]].name;
        char field[32];
        clips[pairs[i][1]].name = clips[pairs[i][0]].name;
        assert_false(ossa_scene_validate(&made.scene, &error));
        (void)snprintf(field, sizeof field, "clips[%u]", (unsigned)pairs[i][1]);
        assert_string_equal(error.field, field);
        clips[pairs[i][1]].name = kept;
    }
    free_made_scene(&made);
}

TEST_GROUP(test_scene_validate)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_scene_is_good),
        cmocka_unit_test(edges_are_inside),
        cmocka_unit_test(every_broken_rule_is_told),
        cmocka_unit_test(names_stand_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
