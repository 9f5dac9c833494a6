/* SPDX-License-Identifier: MIT
 *
 * How public structs may grow (docs/api.md): structs that callers fill grow only at the end, zero
 * means the behaviour before, and structs that are passed by value do not grow at all.
 *
 * The lists below are the members of the last minor release. Append new members to them; any other
 * change fails to compile, on purpose. */
#include "support/scenes.h"

#include "ossa/ossa.h"

#include <stddef.h>
#include <string.h>

/* ---- layout -------------------------------------------------------------------------------- */

#define MEMBER(type, member) (((type *)0)->member)
#define ALIGNED(offset, to)  (((offset) + (to)-1) / (to) * (to))
#define FIRST(type, member)                                                                        \
    _Static_assert(offsetof(type, member) == 0, #type " must begin with " #member)
/* Nothing was inserted between two members. */
#define NEXT(type, before, member)                                                                 \
    _Static_assert(offsetof(type, member) ==                                                       \
                       ALIGNED(offsetof(type, before) + sizeof MEMBER(type, before),               \
                               __alignof__(MEMBER(type, member))),                                 \
                   #type "." #member " must follow " #before)

FIRST(ossa_options, name);
NEXT(ossa_options, name, path);
NEXT(ossa_options, path, format);
NEXT(ossa_options, format, dialect);
NEXT(ossa_options, dialect, strict);
NEXT(ossa_options, strict, check_values);
NEXT(ossa_options, check_values, copy);
NEXT(ossa_options, copy, max_input);
NEXT(ossa_options, max_input, max_memory);
NEXT(ossa_options, max_memory, max_issues);
NEXT(ossa_options, max_issues, allocator);
NEXT(ossa_options, allocator, on_issue);
NEXT(ossa_options, on_issue, on_field);
NEXT(ossa_options, on_field, user);
NEXT(ossa_options, user, on_group);
NEXT(ossa_options, on_group, index);
NEXT(ossa_options, index, index_size);

FIRST(ossa_scene_options, fps);
NEXT(ossa_scene_options, fps, scale);
NEXT(ossa_scene_options, scale, in_place);
NEXT(ossa_scene_options, in_place, join);
NEXT(ossa_scene_options, join, boxes);
NEXT(ossa_scene_options, boxes, ei);
NEXT(ossa_scene_options, ei, vib);
NEXT(ossa_scene_options, vib, max_memory);
NEXT(ossa_scene_options, max_memory, max_issues);
NEXT(ossa_scene_options, max_issues, allocator);
NEXT(ossa_scene_options, allocator, on_issue);
NEXT(ossa_scene_options, on_issue, wants_clip);
NEXT(ossa_scene_options, wants_clip, user);
NEXT(ossa_scene_options, user, on_group);
NEXT(ossa_scene_options, on_group, tolerant);
NEXT(ossa_scene_options, tolerant, sotc);
NEXT(ossa_scene_options, sotc, texture_level);
NEXT(ossa_scene_options, texture_level, trace_keys);
NEXT(ossa_scene_options, trace_keys, no_textures);

FIRST(ossa_ei_options, complexion);
NEXT(ossa_ei_options, complexion, look);
NEXT(ossa_ei_options, look, morphing);
NEXT(ossa_ei_options, morphing, resample);
NEXT(ossa_ei_options, resample, texture);
NEXT(ossa_ei_options, texture, root);
NEXT(ossa_ei_options, root, parts);
NEXT(ossa_ei_options, parts, part_count);
NEXT(ossa_ei_options, part_count, has_complexion);

FIRST(ossa_vib_options, euler);
NEXT(ossa_vib_options, euler, missing);
NEXT(ossa_vib_options, missing, twist);
NEXT(ossa_vib_options, twist, view);

FIRST(ossa_diff_options, scene);
NEXT(ossa_diff_options, scene, on_entry);
NEXT(ossa_diff_options, on_entry, on_field);
NEXT(ossa_diff_options, on_field, on_bone);
NEXT(ossa_diff_options, on_bone, on_clip);
NEXT(ossa_diff_options, on_clip, on_error);
NEXT(ossa_diff_options, on_error, user);
NEXT(ossa_diff_options, user, ignored_name);

FIRST(ossa_export_options, clips);
NEXT(ossa_export_options, clips, bin_uri);
NEXT(ossa_export_options, bin_uri, skin);
NEXT(ossa_export_options, skin, space);
NEXT(ossa_export_options, space, json_style);
NEXT(ossa_export_options, json_style, allocator);
NEXT(ossa_export_options, allocator, on_issue);
NEXT(ossa_export_options, on_issue, user);
NEXT(ossa_export_options, user, variant);

FIRST(ossa_workspace_options, filesystem);
NEXT(ossa_workspace_options, filesystem, max_input);
NEXT(ossa_workspace_options, max_input, allocator);
NEXT(ossa_workspace_options, allocator, on_progress);
NEXT(ossa_workspace_options, on_progress, user);

FIRST(ossa_walk_options, detail);
NEXT(ossa_walk_options, detail, deep);
NEXT(ossa_walk_options, deep, search);
NEXT(ossa_walk_options, search, read);
NEXT(ossa_walk_options, read, visit);
NEXT(ossa_walk_options, visit, leave);
NEXT(ossa_walk_options, leave, user);

FIRST(ossa_load_options, scene);
NEXT(ossa_load_options, scene, read);
NEXT(ossa_load_options, read, on_issue);
NEXT(ossa_load_options, on_issue, on_file);
NEXT(ossa_load_options, on_file, user);

/* Passed by value, embedded in other structs, or in arrays of the caller: frozen. */
#define LAST(type, member)                                                                         \
    _Static_assert(sizeof(type) == ALIGNED(offsetof(type, member) + sizeof MEMBER(type, member),   \
                                           _Alignof(type)),                                        \
                   #type " must end with " #member)

LAST(ossa_allocator, user);
LAST(ossa_sink, user);
LAST(ossa_source, size);
LAST(ossa_buffer, allocator);
LAST(ossa_bytes, allocator);
LAST(ossa_guess, confidence);
LAST(ossa_transform, scale);
LAST(ossa_layer, bone_weights);
LAST(ossa_input, shown);
LAST(ossa_packing, time);
LAST(ossa_place, field);
LAST(ossa_check, error_count);

/* Zero is the default. */
_Static_assert(OSSA_SPACE_MODEL == 0 && OSSA_JSON_STYLE_LINE == 0, "default");
_Static_assert(OSSA_EI_LOOK_GAME == 0 && OSSA_EI_MORPHING_ALL == 0, "default");
_Static_assert(OSSA_EI_ROOT_SUM == 0, "default");
_Static_assert(OSSA_VIB_EULER_XYZ == 0 && OSSA_VIB_MISSING_IDENTITY == 0, "default");
_Static_assert(OSSA_VIB_TWIST_DEGREE == 0 && OSSA_VIB_VIEW_TURN == 0, "default");

/* ---- zero and NULL ------------------------------------------------------------------------- */

static bool write_as(const ossa_scene *scene, unsigned kind, const ossa_export_options *options,
                     ossa_sink sink)
{
    switch (kind) {
    case 0: return ossa_write_gltf(scene, options, sink, (ossa_sink){0}, NULL);
    case 1: return ossa_write_bvh(scene, &scene->clips[0], options, sink, NULL);
    case 2: return ossa_write_csv(scene, options, sink, NULL);
    default: return ossa_write_scene_json(scene, options, sink, NULL);
    }
}

/* Options that are not set at all, and those of no bit set, mean the same. */
static void zeroed_options_are_the_defaults(void **state)
{
    (void)state;
    static const ossa_ei_options ei;
    static const ossa_vib_options vib;
    static const ossa_export_options plain;
    static const ossa_scene_options zeroed[] = {{0}, {.ei = &ei}, {.vib = &vib}};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        struct scene_files files = {0};
        add_folder(&files, samples[i].folder);
        ossa_scene *scene = assemble_files(&files, NULL);
        struct bytes wanted =
            scene_json_or_fail(samples[i].name, scene, NULL, OSSA_JSON_STYLE_LINE);
        for (size_t k = 0; k < sizeof zeroed / sizeof zeroed[0]; k++) {
            ossa_scene *other = assemble_files(&files, &zeroed[k]);
            struct bytes found =
                scene_json_or_fail(samples[i].name, other, NULL, OSSA_JSON_STYLE_LINE);
            require_same(samples[i].name, &found, wanted.data, wanted.size);
            bytes_free(&found);
            ossa_scene_free(other);
        }
        bytes_free(&wanted);
        for (unsigned kind = 0; kind < 4; kind++) {
            ossa_buffer with = {0};
            ossa_buffer without = {0};
            assert_true(write_as(scene, kind, &plain, ossa_buffer_sink(&with)));
            assert_true(write_as(scene, kind, NULL, ossa_buffer_sink(&without)));
            assert_int_equal(with.size, without.size);
            assert_memory_equal(with.data, without.data, with.size);
            ossa_buffer_free(&with);
            ossa_buffer_free(&without);
        }
        ossa_scene_free(scene);
        free_files(&files);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeroed_options_are_the_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
