/* SPDX-License-Identifier: MIT
 *
 * Runtime clips: they play what the scene says, bit for bit. */
#include "support/counting.h"
#include "support/group.h"
#include "support/made_scene.h"
#include "support/scenes.h"
#include "support/testing.h"
#include "ossa/games/shadow_of_the_colossus.h"
#include "ossa/runtime.h"

#include <math.h>
#include <string.h>

enum { MOST_BONES = 40, GROUPS = OSSA_SOA_COUNT(MOST_BONES), FRAMES = 20, TIMES = 60 };

static const ossa_wrap wraps[3] = {OSSA_WRAP_CLAMP, OSSA_WRAP_LOOP, OSSA_WRAP_PING_PONG};

static ossa_runtime *lay_out(const struct made_scene *made)
{
    ossa_error error;
    ossa_runtime *runtime = ossa_runtime_new(&made->scene, &made->clips[0], NULL, &error);
    assert_non_null(runtime);
    assert_int_equal(error.code, OSSA_CODE_OK);
    return runtime;
}

static void bone_of(const ossa_soa *soa, uint32_t bone, ossa_transform *transform)
{
    const ossa_soa *group = &soa[bone / OSSA_SOA_LANES];
    uint32_t lane = bone % OSSA_SOA_LANES;
    for (unsigned k = 0; k < 3; k++) transform->translation[k] = group->translation[k][lane];
    for (unsigned k = 0; k < 4; k++) transform->rotation[k] = group->rotation[k][lane];
    for (unsigned k = 0; k < 3; k++) transform->scale[k] = group->scale[k][lane];
}

/* At a time: all that a runtime clip gives is what the scene gives. */
static void compare(const struct made_scene *made, const ossa_runtime *runtime, double seconds,
                    ossa_wrap wrap)
{
    uint32_t bones = made->scene.bone_count;
    ossa_transform wanted[MOST_BONES];
    ossa_transform found[MOST_BONES + 1];
    ossa_soa soa[GROUPS];
    float matrices[MOST_BONES][16];
    float others[MOST_BONES + 1][16];
    ossa_sample(&made->scene, &made->clips[0], seconds, wrap, wanted, NULL);
    ossa_model_matrices(&made->scene, wanted, matrices);

    memset(found, 0x55, sizeof found);
    const ossa_transform untouched = found[0];
    ossa_runtime_locals(runtime, seconds, wrap, found);
    assert_memory_equal(found, wanted, bones * sizeof *found);
    assert_memory_equal(&found[bones], &untouched, sizeof untouched);

    ossa_runtime_sample(runtime, seconds, wrap, soa);
    for (uint32_t b = 0; b < bones; b++) bone_of(soa, b, &found[b]);
    assert_memory_equal(found, wanted, bones * sizeof *found);
    for (uint32_t b = bones; b < OSSA_SOA_COUNT(bones) * OSSA_SOA_LANES; b++) {
        const ossa_transform identity = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
        ossa_transform padding;
        bone_of(soa, b, &padding);
        assert_memory_equal(&padding, &identity, sizeof identity);
    }

    memset(others, 0x55, sizeof others);
    ossa_runtime_matrices(runtime, seconds, wrap, others);
    assert_memory_equal(others, matrices, bones * sizeof *others);
    for (unsigned k = 0; k < 16; k++) assert_memory_equal(&others[bones][k], &untouched, 4);
    ossa_runtime_model(runtime, soa, others);
    assert_memory_equal(others, matrices, bones * sizeof *others);
}

static void compare_often(const struct made_scene *made)
{
    ossa_runtime *runtime = lay_out(made);
    assert_int_equal(ossa_runtime_bone_count(runtime), made->scene.bone_count);
    for (unsigned i = 0; i < TIMES; i++) {
        compare(made, runtime, i * 0.0173 - 0.2, wraps[i % 3]);
        compare(made, runtime, i / made->clips[0].fps, wraps[i % 3]); /* a frame */
    }
    compare(made, runtime, NAN, OSSA_WRAP_LOOP);
    compare(made, runtime, INFINITY, OSSA_WRAP_CLAMP);
    ossa_runtime_free(runtime);
}

static void a_runtime_clip_plays_what_the_clip_says(void **state)
{
    (void)state;
    for (uint32_t bones = 1; bones <= MOST_BONES; bones++) {
        struct made_scene made;
        make_scene(&made, &(struct made_plan){.seed = 7 + bones,
                                              .bones = bones,
                                              .clips = 1,
                                              .frames = {bones % 5 == 0 ? 1 : FRAMES},
                                              .is_rigid = bones % 3 == 0});
        compare_often(&made);
        free_made_scene(&made);
    }
}

/* A negative zero is not mixed away, and a bone that stands still does not tremble. */
static void constants_keep_their_bits(void **state)
{
    (void)state;
    struct made_scene made;
    make_scene(&made, &(struct made_plan){.seed = 3, .bones = 13, .clips = 1, .frames = {FRAMES}});
    ossa_transform constant[13];
    memcpy(constant, made.clips[0].constant, sizeof constant);
    for (uint32_t b = 0; b < 13; b++) {
        for (unsigned k = 0; k < 3; k++) constant[b].translation[k] = -0.0F;
        for (unsigned k = 0; k < 3; k++) constant[b].scale[k] = -0.0F;
    }
    made.clips[0].constant = constant;
    compare_often(&made);
    made.clips[0].rotations.count = 0; /* groups without any keys */
    compare_often(&made);
    made.clips[0].translations.count = 0;
    made.clips[0].scales.count = 0;
    compare_often(&made);
    made.clips[0].frame_count = 0;
    compare_often(&made);
    free_made_scene(&made);
}

static void far_away_keys_stay_finite(void **state)
{
    (void)state;
    struct made_scene made;
    make_scene(&made, &(struct made_plan){.seed = 5, .bones = 1, .clips = 1, .frames = {2}});
    const uint32_t bone = 0;
    const float keys[6] = {3e38F, -3e38F, 1.0F, -3e38F, 3e38F, 1.0F};
    made.clips[0].translations = (ossa_tracks){1, &bone, keys};
    for (unsigned i = 0; i <= 16; i++) {
        ossa_transform local;
        ossa_sample(&made.scene, &made.clips[0], i / 16.0 / made.clips[0].fps, OSSA_WRAP_CLAMP,
                    &local, NULL);
        for (unsigned k = 0; k < 3; k++) assert_true(isfinite(local.translation[k]));
        assert_true(local.translation[2] == 1.0F);
    }
    ossa_runtime *runtime = lay_out(&made);
    for (unsigned i = 0; i <= 16; i++) {
        ossa_soa soa;
        ossa_transform wanted;
        ossa_transform found;
        double seconds = i / 16.0 / made.clips[0].fps;
        ossa_sample(&made.scene, &made.clips[0], seconds, OSSA_WRAP_CLAMP, &wanted, NULL);
        ossa_runtime_sample(runtime, seconds, OSSA_WRAP_CLAMP, &soa);
        bone_of(&soa, 0, &found);
        assert_memory_equal(&found, &wanted, sizeof wanted);
    }
    ossa_runtime_free(runtime);
    free_made_scene(&made);
}

static void a_scene_without_bones_is_played(void **state)
{
    (void)state;
    const ossa_clip clip = {.name = "none", .fps = 30.0, .frame_count = 5, .keys_per_frame = 1};
    const ossa_scene scene = {.name = "none", .game = "none", .clip_count = 1, .clips = &clip};
    ossa_runtime *runtime = ossa_runtime_new(&scene, &clip, NULL, NULL);
    assert_non_null(runtime);
    ossa_runtime_sample(runtime, 0.1, OSSA_WRAP_LOOP, NULL);
    ossa_runtime_locals(runtime, 0.1, OSSA_WRAP_LOOP, NULL);
    ossa_runtime_matrices(runtime, 0.1, OSSA_WRAP_LOOP, NULL);
    ossa_runtime_blend(runtime, NULL, 0, NULL);
    ossa_runtime_model(runtime, NULL, NULL);
    ossa_sample(&scene, &clip, 0.1, OSSA_WRAP_LOOP, NULL, NULL);
    ossa_sample_frame(&scene, &clip, 1, NULL, NULL);
    ossa_runtime_free(runtime);
    ossa_runtime_free(NULL);
}

static void a_crowd_is_many_of_one(void **state)
{
    (void)state;
    enum { CLIPS = 3, JOBS = 50, BONES = 11 };
    struct made_scene made[CLIPS];
    ossa_runtime *runtimes[CLIPS];
    ossa_runtime_job jobs[JOBS];
    static float matrices[JOBS][BONES][16];
    for (uint32_t i = 0; i < CLIPS; i++) {
        make_scene(&made[i], &(struct made_plan){
                                 .seed = i + 1, .bones = BONES, .clips = 1, .frames = {FRAMES}});
        runtimes[i] = lay_out(&made[i]);
    }
    for (uint32_t i = 0; i < JOBS; i++) {
        jobs[i] = (ossa_runtime_job){runtimes[i * 7 % CLIPS], i * 0.031, wraps[i % 3], matrices[i]};
    }
    ossa_runtime_crowd(jobs, JOBS);
    ossa_runtime_crowd(NULL, 0);
    for (uint32_t i = 0; i < JOBS; i++) {
        float wanted[BONES][16];
        ossa_runtime_matrices(jobs[i].runtime, jobs[i].seconds, jobs[i].wrap, wanted);
        assert_memory_equal(matrices[i], wanted, sizeof wanted);
    }
    for (uint32_t i = 0; i < CLIPS; i++) {
        ossa_runtime_free(runtimes[i]);
        free_made_scene(&made[i]);
    }
}

/* ---- blending ----------------------------------------------------------------------------------
 */

enum { BLENDED = 11, BLENDED_GROUPS = OSSA_SOA_COUNT(BLENDED) };

struct blended {
    struct made_scene made;
    ossa_runtime *runtime;
    ossa_soa soa[3][BLENDED_GROUPS];
    ossa_transform locals[3][BLENDED];
};

static void make_blended(struct blended *blended)
{
    make_scene(&blended->made,
               &(struct made_plan){.seed = 21, .bones = BLENDED, .clips = 1, .frames = {FRAMES}});
    blended->runtime = lay_out(&blended->made);
    for (unsigned i = 0; i < 3; i++) {
        ossa_runtime_sample(blended->runtime, i * 0.13, OSSA_WRAP_LOOP, blended->soa[i]);
        ossa_runtime_locals(blended->runtime, i * 0.13, OSSA_WRAP_LOOP, blended->locals[i]);
    }
}

static void free_blended(struct blended *blended)
{
    ossa_runtime_free(blended->runtime);
    free_made_scene(&blended->made);
}

static void two_poses_blend_as_transforms_do(void **state)
{
    (void)state;
    static const float mask[BLENDED] = {1.0F, 0.0F, 0.5F,  1.0F, 2.0F, 0.0F,
                                        NAN,  1.0F, 0.25F, 3.0F, -1.0F};
    struct blended blended;
    make_blended(&blended);
    for (unsigned i = 0; i < 40; i++) {
        float weights[2] = {(float)(i % 5) - 0.5F, (float)(i % 7) * 0.3F};
        if (i == 11) weights[0] = INFINITY;
        const float *own = i % 2 == 0 ? NULL : mask;
        const ossa_soa_layer soa[] = {{blended.soa[0], weights[0], NULL},
                                      {NULL, 5.0F, NULL},
                                      {blended.soa[1], weights[1], own}};
        const ossa_layer layers[] = {{blended.locals[0], weights[0], NULL},
                                     {NULL, 5.0F, NULL},
                                     {blended.locals[1], weights[1], own}};
        ossa_soa out[BLENDED_GROUPS];
        ossa_transform wanted[BLENDED];
        ossa_runtime_blend(blended.runtime, soa, 3, out);
        ossa_blend(&blended.made.scene, layers, 3, wanted);
        for (uint32_t b = 0; b < BLENDED; b++) {
            ossa_transform found;
            bone_of(out, b, &found);
            for (unsigned k = 0; k < 4; k++) {
                assert_true(fabsf(found.rotation[k] - wanted[b].rotation[k]) < 4e-7F);
            }
            for (unsigned k = 0; k < 3; k++) {
                float size = fabsf(wanted[b].translation[k]) + 1.0F;
                assert_true(fabsf(found.translation[k] - wanted[b].translation[k]) < 4e-7F * size);
                assert_true(fabsf(found.scale[k] - wanted[b].scale[k]) < 2e-6F);
            }
            /* With one pose that counts, or none, there is nothing to round. */
            bool first = weights[0] > 0.0F && isfinite(weights[0]);
            bool second = weights[1] > 0.0F && (own == NULL || own[b] > 0.0F);
            if (!first || !second) assert_memory_equal(&found, &wanted[b], sizeof found);
        }
    }
    free_blended(&blended);
}

static void any_pose_may_be_overwritten(void **state)
{
    (void)state;
    struct blended blended;
    make_blended(&blended);
    const ossa_soa_layer layers[] = {
        {blended.soa[0], 1.0F, NULL}, {blended.soa[1], 2.0F, NULL}, {blended.soa[2], 3.0F, NULL}};
    ossa_soa wanted[BLENDED_GROUPS];
    ossa_runtime_blend(blended.runtime, layers, 3, wanted);
    for (unsigned i = 0; i < 3; i++) {
        ossa_soa before[BLENDED_GROUPS];
        memcpy(before, blended.soa[i], sizeof before);
        ossa_runtime_blend(blended.runtime, layers, 3, blended.soa[i]);
        assert_memory_equal(blended.soa[i], wanted, sizeof wanted);
        memcpy(blended.soa[i], before, sizeof before);
    }
    for (uint32_t b = 0; b < BLENDED; b++) {
        ossa_transform bone;
        bone_of(wanted, b, &bone);
        float length = 0.0F;
        for (unsigned k = 0; k < 4; k++) length += bone.rotation[k] * bone.rotation[k];
        assert_true(fabsf(length - 1.0F) < 1e-6F);
    }
    free_blended(&blended);
}

/* ---- packed tracks -----------------------------------------------------------------------------
 */

enum { PACKED_BONES = 29, PACKED_FRAMES = 50 };

struct packed {
    struct made_scene made;
    uint32_t keys[PACKED_BONES][PACKED_FRAMES];
    ossa_packed_track tracks[PACKED_BONES];
    uint32_t count;
};

/* Tracks of all bones; in the second kind, not of every fourth, and in the third not of a group; in
 * the fourth, all bones of a group leave out the same component. */
static void make_packed(struct packed *packed, unsigned which)
{
    struct random random = {which + 1};
    make_scene(&packed->made,
               &(struct made_plan){
                   .seed = 77, .bones = PACKED_BONES, .clips = 1, .frames = {PACKED_FRAMES}});
    packed->count = 0;
    for (uint32_t b = 0; b < PACKED_BONES; b++) {
        if (which == 1 && b % 4 == 1) continue;
        if (which == 2 && b >= 16 && b < 24) continue;
        ossa_packed_track *track = &packed->tracks[packed->count++];
        *track = (ossa_packed_track){.bone = b,
                                     .missing = which == 3 ? b / 8 : next_random(&random) % 4,
                                     .flip = next_random(&random) % 2 == 0,
                                     .keys = packed->keys[b]};
        for (unsigned i = 0; i < 3; i++) {
            float most = b % 7 == 0 ? 0.7F : 0.5F; /* a seventh of them leaves out too little */
            track->extent[i] = (float)(next_random(&random) % 1000) * 1e-3F * most;
            track->centre[i] = (next_random(&random) % 2 == 0 ? -1.0F : 1.0F) *
                               (float)(next_random(&random) % 1000) * 1e-3F *
                               (most - track->extent[i]);
        }
        for (unsigned f = 0; f < PACKED_FRAMES; f++) packed->keys[b][f] = next_random(&random);
    }
}

/* Unpack the tracks into rotations of the clip, through a runtime clip in which the bone shares its
 * group with bones that are not packed. */
static void unpack_tracks(struct packed *packed)
{
    ossa_clip *clip = &packed->made.clips[0];
    uint32_t *bones = made_memory(&packed->made, PACKED_BONES * sizeof *bones);
    float *keys =
        made_memory(&packed->made, (size_t)PACKED_FRAMES * PACKED_BONES * 4 * sizeof *keys);
    for (uint32_t f = 0; f < PACKED_FRAMES; f++) {
        ossa_transform pose[PACKED_BONES];
        ossa_sample_frame(&packed->made.scene, clip, f, pose, NULL);
        for (uint32_t b = 0; b < PACKED_BONES; b++) {
            bones[b] = b;
            memcpy(keys + ((size_t)f * PACKED_BONES + b) * 4, pose[b].rotation, 16);
        }
    }
    for (uint32_t i = 0; i < packed->count; i++) {
        const ossa_runtime_options one = {.packed = &packed->tracks[i], .packed_count = 1};
        ossa_runtime *runtime = ossa_runtime_new(&packed->made.scene, clip, &one, NULL);
        assert_non_null(runtime);
        for (uint32_t f = 0; f < PACKED_FRAMES; f++) {
            ossa_transform pose[PACKED_BONES];
            uint32_t b = packed->tracks[i].bone;
            ossa_runtime_locals(runtime, f / clip->fps, OSSA_WRAP_CLAMP, pose);
            memcpy(keys + ((size_t)f * PACKED_BONES + b) * 4, pose[b].rotation, 16);
        }
        ossa_runtime_free(runtime);
    }
    clip->rotations = (ossa_tracks){PACKED_BONES, bones, keys};
}

static void packed_tracks_play_the_same_bits(void **state)
{
    (void)state;
    for (unsigned which = 0; which < 4; which++) {
        struct packed packed;
        ossa_error error;
        make_packed(&packed, which);
        const ossa_runtime_options options = {.packed = packed.tracks,
                                              .packed_count = packed.count};
        const ossa_clip *clip = &packed.made.clips[0];
        ossa_runtime *small = ossa_runtime_new(&packed.made.scene, clip, &options, &error);
        assert_non_null(small);
        unpack_tracks(&packed);
        ossa_runtime *large = lay_out(&packed.made);
        /* In the second, every group has a bone that is not packed. */
        if (which != 1) assert_true(ossa_runtime_size(small) < ossa_runtime_size(large));
        for (unsigned i = 0; i < 200; i++) {
            ossa_transform found[PACKED_BONES];
            ossa_transform wanted[PACKED_BONES];
            double seconds = i * 0.00731;
            ossa_runtime_locals(small, seconds, wraps[i % 3], found);
            ossa_runtime_locals(large, seconds, wraps[i % 3], wanted);
            assert_memory_equal(found, wanted, sizeof wanted);
        }
        ossa_runtime_free(small);
        ossa_runtime_free(large);
        free_made_scene(&packed.made);
    }
}

static void refuse(const struct packed *packed, ossa_code code, const char *message)
{
    const ossa_runtime_options options = {.packed = packed->tracks, .packed_count = packed->count};
    ossa_error error;
    assert_null(ossa_runtime_new(&packed->made.scene, &packed->made.clips[0], &options, &error));
    assert_int_equal(error.code, code);
    assert_string_equal(error.message, message);
}

static void packed_tracks_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    struct packed packed;
    make_packed(&packed, 0);
    packed.tracks[3].bone = PACKED_BONES;
    refuse(&packed, OSSA_CODE_BAD_ARGUMENT, "a packed track is of bone 29, but there are 29");
    packed.tracks[3].bone = 2;
    refuse(&packed, OSSA_CODE_BAD_ARGUMENT, "bone 2 has two packed tracks");
    packed.tracks[3].bone = 3;
    packed.tracks[3].missing = 4;
    refuse(&packed, OSSA_CODE_BAD_ARGUMENT,
           "the packed track of bone 3 leaves out component 4, but there are 4");
    packed.tracks[3].missing = 0;
    packed.tracks[3].centre[0] = NAN;
    refuse(&packed, OSSA_CODE_BAD_VALUE, "key 0 of bone 3 is not a valid rotation");
    free_made_scene(&packed.made);
}

/* Centres and extents that all but cancel out: floats would not do. */
static void large_extents_are_unpacked_exactly(void **state)
{
    (void)state;
    struct packed packed;
    make_packed(&packed, 3);
    const double step = (double)3821.7F / 256.0;
    for (uint32_t b = 8; b < 16; b++) {
        ossa_packed_track *track = &packed.tracks[b];
        bool is_large = b % 4 == 1;
        track->missing = 3;
        track->flip = false;
        for (unsigned i = 0; i < 3; i++) {
            track->extent[i] = is_large && i == 1 ? 3821.7F : 0.0F;
            track->centre[i] = is_large && i == 1 ? -1000.3F : 0.25F;
        }
        for (unsigned f = 0; f < PACKED_FRAMES; f++) packed.keys[b][f] = 67U << 14;
    }
    const ossa_runtime_options options = {.packed = packed.tracks, .packed_count = packed.count};
    const ossa_clip *clip = &packed.made.clips[0];
    ossa_runtime *runtime = ossa_runtime_new(&packed.made.scene, clip, &options, NULL);
    assert_non_null(runtime);
    ossa_transform pose[PACKED_BONES];
    ossa_runtime_locals(runtime, 3.0 / clip->fps, OSSA_WRAP_CLAMP, pose);
    double y = 67 * step + (double)-1000.3F;
    for (uint32_t b = 9; b < 16; b += 4) {
        assert_true(pose[b].rotation[0] == 0.25F && pose[b].rotation[1] == (float)y);
        assert_true(fabs((double)pose[b].rotation[3] - sqrt(0.875 - y * y)) < 6e-8);
    }
    assert_true(pose[8].rotation[1] == 0.25F);
    ossa_runtime_free(runtime);
    packed.tracks[9].extent[0] = NAN;
    refuse(&packed, OSSA_CODE_BAD_VALUE, "key 0 of bone 9 is not a valid rotation");
    packed.tracks[10].bone = 9;
    refuse(&packed, OSSA_CODE_BAD_ARGUMENT, "bone 9 has two packed tracks");
    free_made_scene(&packed.made);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    struct packed packed;
    make_packed(&packed, 1);
    for (size_t at = 1;; at++) {
        struct counting counting = {.fail_at = at};
        const ossa_runtime_options options = {.packed = packed.tracks,
                                              .packed_count = packed.count,
                                              .allocator = counting_allocator(&counting)};
        ossa_error error;
        ossa_runtime *runtime =
            ossa_runtime_new(&packed.made.scene, &packed.made.clips[0], &options, &error);
        assert_int_equal(runtime == NULL, counting.failed);
        if (runtime == NULL) assert_int_equal(error.code, OSSA_CODE_OUT_OF_MEMORY);
        else assert_int_equal(counting.live, ossa_runtime_size(runtime));
        ossa_runtime_free(runtime);
        assert_int_equal(counting.live, 0);
        assert_false(counting.wrong_release);
        if (!counting.failed) break;
    }
    free_made_scene(&packed.made);
}

/* ---- straight from an ANB ---------------------------------------------------------------------
 */

static void find_anb(const struct scene_files *files, const char *name, ossa_sotc_anb **anb)
{
    *anb = NULL;
    for (size_t i = 0; i < files->count; i++) {
        const char *path = files->inputs[i].path;
        if (strstr(path, name) != NULL) *anb = ossa_as_sotc_anb(files->inputs[i].file);
    }
    assert_non_null(*anb);
}

static void compare_anb(const ossa_scene *scene, const ossa_clip *clip, const ossa_sotc_anb *anb)
{
    enum { BONES = 64 };
    const ossa_sotc_runtime_options small = {.packed = true};
    ossa_error error;
    assert_true(scene->bone_count <= BONES);
    ossa_runtime *exact = ossa_sotc_runtime(scene, anb, NULL, &error);
    ossa_runtime *packed = ossa_sotc_runtime(scene, anb, &small, &error);
    assert_true(exact != NULL && packed != NULL);
    assert_true(ossa_runtime_size(packed) <= ossa_runtime_size(exact)); /* bones of all flags */
    for (unsigned i = 0; i < TIMES; i++) {
        ossa_transform wanted[BONES];
        ossa_transform found[BONES];
        double seconds = i * 0.0211;
        ossa_sample(scene, clip, seconds, wraps[i % 3], wanted, NULL);
        ossa_runtime_locals(exact, seconds, wraps[i % 3], found);
        assert_memory_equal(found, wanted, scene->bone_count * sizeof *wanted);
        ossa_runtime_locals(packed, seconds, wraps[i % 3], found);
        for (uint32_t b = 0; b < scene->bone_count; b++) {
            for (unsigned k = 0; k < 4; k++) {
                assert_true(fabsf(found[b].rotation[k] - wanted[b].rotation[k]) < 6e-7F);
            }
            assert_memory_equal(found[b].translation, wanted[b].translation, 12);
        }
    }
    ossa_runtime_free(exact);
    ossa_runtime_free(packed);
}

static void an_anb_is_played_as_its_clip(void **state)
{
    (void)state;
    struct scene_files files = {0};
    ossa_sotc_anb *anb = NULL;
    ossa_error error;
    add_folder(&files, OSSA_SAMPLE_DIR "/bird");
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->clip_count, 2);
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        find_anb(&files, scene->clips[c].name, &anb);
        compare_anb(scene, &scene->clips[c], anb);
    }
    if (anb == NULL) {
        fail_msg("no clip");
        return; /* never reached; cmocka does not tell the compiler */
    }
    for (unsigned which = 0; which < 2; which++) {
        for (size_t at = 1;; at++) {
            struct counting counting = {.fail_at = at};
            const ossa_sotc_runtime_options options = {.packed = which == 1,
                                                       .allocator = counting_allocator(&counting)};
            ossa_runtime *runtime = ossa_sotc_runtime(scene, anb, &options, &error);
            assert_int_equal(runtime == NULL, counting.failed);
            if (runtime == NULL) assert_int_equal(error.code, OSSA_CODE_OUT_OF_MEMORY);
            ossa_runtime_free(runtime);
            assert_int_equal(counting.live, 0);
            if (!counting.failed) break;
        }
    }
    ossa_scene other = *scene;
    other.bone_count--;
    assert_null(ossa_sotc_runtime(&other, anb, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_MISFIT);
    assert_string_equal(error.message, "moves 15 bones, but the scene has 14");
    ossa_scene_free(scene);
    free_files(&files);
}

/* The sign of the component left out takes 5 bits, of which one counts. */
static void unused_bits_move_nothing(void **state)
{
    (void)state;
    struct scene_files files = {0};
    ossa_sotc_anb *anb = NULL;
    uint32_t still = 0;
    add_folder(&files, OSSA_SAMPLE_DIR "/bird");
    find_anb(&files, "fly", &anb);
    for (uint32_t b = 0; anb != NULL && b < anb->bone_count; b++) {
        const ossa_sotc_bone *bone = &anb->bones[b];
        if (bone->flag < 3 || bone->flag > 6) continue;
        uint32_t *keys = (uint32_t *)(uintptr_t)bone->keys.packed; /* in the file's memory */
        unsigned unused = 9U * (6U - bone->flag);
        for (uint32_t p = 1; p < anb->pose_count; p++) keys[p] = keys[0] ^ (p % 16) << unused;
        still++;
    }
    assert_true(still > 2);
    ossa_scene *scene = assemble_files(&files, NULL);
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        if (strcmp(scene->clips[c].name, "fly") != 0) continue;
        assert_true(scene->clips[c].rotations.count + still <= scene->bone_count);
        compare_anb(scene, &scene->clips[c], anb);
    }
    ossa_scene_free(scene);
    free_files(&files);
}

/* An animation with bones of every flag, of which the first eight are packed. */
enum { ANB_BONES = 16, ANB_POSES = 70 };

struct every_flag {
    ossa_sotc_anb anb;
    ossa_sotc_bone bones[ANB_BONES];
    float constants[ANB_BONES][6];
    uint32_t packed[ANB_BONES][ANB_POSES];
    int16_t triple[ANB_POSES][3];
    int16_t angle[ANB_POSES];
};

static void make_every_flag(struct every_flag *every)
{
    static const uint8_t flags[8] = {0, 12, 13, 3, 4, 5, 6, 0};
    struct random random = {5};
    for (uint32_t b = 0; b < ANB_BONES; b++) {
        ossa_sotc_bone *bone = &every->bones[b];
        *bone = (ossa_sotc_bone){.flag = b < 8 ? (uint8_t)(3 + b % 4) : flags[b - 8],
                                 .constants = every->constants[b]};
        for (unsigned i = 0; i < 3; i++) {
            every->constants[b][2 * i] = next_float(&random, 1) * 0.25F;
            every->constants[b][2 * i + 1] = next_float(&random, 1) * 0.3F;
        }
        if (bone->flag == 0) memcpy(every->constants[b], (float[4]){0.5F, -0.5F, 0.5F, 0.5F}, 16);
        for (uint32_t p = 0; p < ANB_POSES; p++) {
            every->packed[b][p] = next_random(&random);
            every->angle[p] = (int16_t)(next_random(&random) % 65536 - 32768);
            for (unsigned k = 0; k < 3; k++) {
                every->triple[p][k] = (int16_t)(next_random(&random) % 65536 - 32768);
            }
        }
        if (bone->flag == 12) bone->keys.triple = (const int16_t(*)[3])every->triple;
        else if (bone->flag == 13) bone->keys.angle = every->angle;
        else if (bone->flag != 0) bone->keys.packed = every->packed[b];
    }
    every->anb =
        (ossa_sotc_anb){.pose_count = ANB_POSES, .bone_count = ANB_BONES, .bones = every->bones};
}

/* A scene is the mirror image of what is stored. */
static void compare_quaternions(const struct every_flag *every, const ossa_runtime *runtime,
                                double fps, double most)
{
    for (uint32_t p = 0; p < every->anb.pose_count; p++) {
        ossa_transform pose[ANB_BONES];
        ossa_runtime_locals(runtime, p / fps, OSSA_WRAP_CLAMP, pose);
        for (uint32_t b = 0; b < ANB_BONES; b++) {
            double q[4];
            assert_true(ossa_sotc_quaternion(&every->anb, b, p, q));
            q[0] = -q[0];
            double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
            for (unsigned k = 0; k < 4; k++) {
                assert_true(fabs((double)pose[b].rotation[k] - q[k] / length) <= most);
            }
        }
    }
}

static void every_flag_of_an_anb_is_played(void **state)
{
    (void)state;
    struct every_flag every = {0};
    struct made_scene made;
    make_every_flag(&every);
    make_scene(&made, &(struct made_plan){.seed = 1, .bones = ANB_BONES});
    const ossa_sotc_runtime_options small = {.packed = true, .fps = 24.0};
    ossa_runtime *exact = ossa_sotc_runtime(&made.scene, &every.anb, NULL, NULL);
    ossa_runtime *packed = ossa_sotc_runtime(&made.scene, &every.anb, &small, NULL);
    assert_true(exact != NULL && packed != NULL);
    /* Eight bones take 32 bytes in a pose instead of 128. */
    assert_true(ossa_runtime_size(packed) + (size_t)80 * ANB_POSES < ossa_runtime_size(exact));
    compare_quaternions(&every, exact, OSSA_SOTC_FPS, 3e-8);
    compare_quaternions(&every, packed, 24.0, 3e-7);
    ossa_runtime_free(exact);
    ossa_runtime_free(packed);
    every.anb.pose_count = 0; /* then it is at rest */
    ossa_runtime *none = ossa_sotc_runtime(&made.scene, &every.anb, &small, NULL);
    ossa_transform pose[ANB_BONES];
    ossa_runtime_locals(none, 1.0, OSSA_WRAP_LOOP, pose);
    for (uint32_t b = 0; b < ANB_BONES; b++) {
        assert_memory_equal(&pose[b], &made.scene.bones[b].rest, sizeof pose[b]);
    }
    ossa_runtime_free(none);
    free_made_scene(&made);
}

TEST_GROUP(test_sample_soa)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_runtime_clip_plays_what_the_clip_says),
        cmocka_unit_test(constants_keep_their_bits),
        cmocka_unit_test(far_away_keys_stay_finite),
        cmocka_unit_test(a_scene_without_bones_is_played),
        cmocka_unit_test(a_crowd_is_many_of_one),
        cmocka_unit_test(two_poses_blend_as_transforms_do),
        cmocka_unit_test(any_pose_may_be_overwritten),
        cmocka_unit_test(packed_tracks_play_the_same_bits),
        cmocka_unit_test(packed_tracks_that_do_not_fit_are_refused),
        cmocka_unit_test(large_extents_are_unpacked_exactly),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(an_anb_is_played_as_its_clip),
        cmocka_unit_test(unused_bits_move_nothing),
        cmocka_unit_test(every_flag_of_an_anb_is_played),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
