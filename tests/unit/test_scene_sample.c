/* SPDX-License-Identifier: MIT
 *
 * Poses from clips: exact at frames, along the short arc between them, at any time whatever, from
 * many threads at once. */
#include "support/made_scene.h"
#include "support/rotation.h"
#include "support/scenes.h"
#include "base/quaternion.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BONES = 9, FRAMES = 7 };

static const struct made_plan plain = {
    .seed = 5, .bones = BONES, .clips = 3, .frames = {FRAMES, 1, 0}};

/* What the arrays say of a frame, read without the sampler. */
static void read_frame(const ossa_scene *scene, const ossa_clip *clip, uint32_t frame,
                       ossa_transform *locals, uint8_t *visible)
{
    memcpy(locals, clip->constant, scene->bone_count * sizeof *locals);
    memcpy(visible, clip->constant_visible, scene->bone_count);
    for (uint32_t i = 0; i < clip->rotations.count; i++) {
        memcpy(locals[clip->rotations.bones[i]].rotation,
               clip->rotations.keys + 4 * ((size_t)frame * clip->rotations.count + i),
               4 * sizeof(float));
    }
    for (uint32_t i = 0; i < clip->translations.count; i++) {
        memcpy(locals[clip->translations.bones[i]].translation,
               clip->translations.keys + 3 * ((size_t)frame * clip->translations.count + i),
               3 * sizeof(float));
    }
    for (uint32_t i = 0; i < clip->scales.count; i++) {
        memcpy(locals[clip->scales.bones[i]].scale,
               clip->scales.keys + 3 * ((size_t)frame * clip->scales.count + i), 3 * sizeof(float));
    }
    for (uint32_t i = 0; i < clip->visibilities.count; i++) {
        visible[clip->visibilities.bones[i]] =
            clip->visibilities.keys[(size_t)frame * clip->visibilities.count + i];
    }
}

static void require_frame(const ossa_scene *scene, const ossa_clip *clip, double seconds,
                          ossa_wrap wrap, uint32_t frame)
{
    ossa_transform wanted[BONES];
    ossa_transform found[BONES];
    uint8_t shown[2][BONES];
    read_frame(scene, clip, frame, wanted, shown[0]);
    memset(found, 0xa5, sizeof found);
    memset(shown[1], 0xa5, sizeof shown[1]);
    ossa_sample(scene, clip, seconds, wrap, found, shown[1]);
    require(memcmp(wanted, found, sizeof found) == 0, "sample", "%.17g s is not frame %u", seconds,
            (unsigned)frame);
    assert_memory_equal(shown[0], shown[1], BONES);
}

/* Between two frames, computed with acos and sin. */
static void require_between(const ossa_scene *scene, const ossa_clip *clip, double seconds,
                            ossa_wrap wrap, uint32_t from, uint32_t to, double part)
{
    ossa_transform a[BONES];
    ossa_transform b[BONES];
    ossa_transform found[BONES];
    uint8_t shown[3][BONES];
    read_frame(scene, clip, from, a, shown[0]);
    read_frame(scene, clip, to, b, shown[1]);
    ossa_sample(scene, clip, seconds, wrap, found, shown[2]);
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        struct rotation wanted =
            rotation_between(rotation_of(a[i].rotation), rotation_of(b[i].rotation), part);
        const double q[4] = {wanted.x, wanted.y, wanted.z, wanted.w};
        for (unsigned k = 0; k < 4; k++) {
            assert_true(fabs(q[k] - (double)found[i].rotation[k]) < 1e-6);
        }
        for (unsigned k = 0; k < 3; k++) {
            double place =
                (double)a[i].translation[k] * (1.0 - part) + (double)b[i].translation[k] * part;
            double size = (double)a[i].scale[k] * (1.0 - part) + (double)b[i].scale[k] * part;
            assert_true(fabs(place - (double)found[i].translation[k]) < 1e-6);
            assert_true(fabs(size - (double)found[i].scale[k]) < 1e-6);
        }
        assert_int_equal(shown[2][i], shown[0][i]); /* that of the frame before */
    }
}

/* ---- time ---------------------------------------------------------------------------------- */

static void a_frame_is_exact_at_its_time(void **state)
{
    (void)state;
    static const double rates[] = {15.0,   30.0, 60.0, 12.5,      29.97,
                                   23.976, 1e-3, 1e6,  1.0 / 3.0, 0.7};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        struct made_scene made;
        struct made_plan plan = plain;
        plan.fps = rates[i];
        make_scene(&made, &plan);
        const ossa_clip *clip = &made.clips[0];
        for (uint32_t f = 0; f < FRAMES; f++) {
            require_frame(&made.scene, clip, f / clip->fps, OSSA_WRAP_CLAMP, f);
            require_frame(&made.scene, clip, f / clip->fps, OSSA_WRAP_LOOP, f);
            require_frame(&made.scene, clip, f * (1.0 / clip->fps), OSSA_WRAP_CLAMP, f);
            require_frame(&made.scene, clip, (f + 40.0 * FRAMES) / clip->fps, OSSA_WRAP_LOOP, f);
            require_frame(&made.scene, clip, (f - 40.0 * FRAMES) / clip->fps, OSSA_WRAP_LOOP, f);
            for (int round = -40; round <= 40; round += 4) {
                double start = round * 2.0 * (FRAMES - 1);
                require_frame(&made.scene, clip, (start + f) / clip->fps, OSSA_WRAP_PING_PONG, f);
                require_frame(&made.scene, clip, (start - f) / clip->fps, OSSA_WRAP_PING_PONG, f);
                require_frame(&made.scene, clip, (start - f) * (1.0 / clip->fps),
                              OSSA_WRAP_PING_PONG, f);
            }
        }
        free_made_scene(&made);
    }
}

static void a_frame_can_be_asked_for(void **state)
{
    (void)state;
    struct made_scene made;
    make_scene(&made, &plain);
    for (uint32_t f = 0; f < FRAMES + 3; f++) {
        ossa_transform wanted[BONES];
        ossa_transform found[BONES];
        uint8_t shown[2][BONES];
        read_frame(&made.scene, &made.clips[0], f < FRAMES ? f : FRAMES - 1, wanted, shown[0]);
        ossa_sample_frame(&made.scene, &made.clips[0], f, found, shown[1]);
        assert_memory_equal(wanted, found, sizeof found);
        assert_memory_equal(shown[0], shown[1], BONES);
        ossa_sample_frame(&made.scene, &made.clips[0], f, found, NULL);
        assert_memory_equal(wanted, found, sizeof found);
    }
    ossa_transform last[BONES];
    ossa_transform found[BONES];
    ossa_sample_frame(&made.scene, &made.clips[0], FRAMES - 1, last, NULL);
    ossa_sample_frame(&made.scene, &made.clips[0], UINT32_MAX, found, NULL);
    assert_memory_equal(last, found, sizeof found);
    free_made_scene(&made);
}

static void between_frames_it_is_the_short_arc(void **state)
{
    (void)state;
    static const double points[] = {1e-5, 0.01, 0.25, 0.5, 2.0 / 3.0, 0.99, 0.99999};
    struct made_scene made;
    make_scene(&made, &plain);
    const ossa_clip *clip = &made.clips[0];
    for (uint32_t f = 0; f + 1 < FRAMES; f++) {
        for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
            double seconds = (f + points[i]) / clip->fps;
            require_between(&made.scene, clip, seconds, OSSA_WRAP_CLAMP, f, f + 1, points[i]);
            require_between(&made.scene, clip, seconds, OSSA_WRAP_LOOP, f, f + 1, points[i]);
        }
    }
    free_made_scene(&made);
}

static void a_loop_blends_its_last_frame_into_its_first(void **state)
{
    (void)state;
    struct made_scene made;
    make_scene(&made, &plain);
    const ossa_clip *clip = &made.clips[0];
    for (int round = -3; round <= 3; round++) {
        double start = round * FRAMES;
        require_between(&made.scene, clip, (start + FRAMES - 0.75) / clip->fps, OSSA_WRAP_LOOP,
                        FRAMES - 1, 0, 0.25);
        require_between(&made.scene, clip, (start + 2.5) / clip->fps, OSSA_WRAP_LOOP, 2, 3, 0.5);
        require_frame(&made.scene, clip, start / clip->fps, OSSA_WRAP_LOOP, 0);
        require_frame(&made.scene, clip, (start - 1e-9) / clip->fps, OSSA_WRAP_LOOP, 0);
        require_frame(&made.scene, clip, (start + FRAMES - 1) / clip->fps, OSSA_WRAP_LOOP,
                      FRAMES - 1);
    }
    free_made_scene(&made);
}

/* There and back: every pose twice in a round, and the ends once. */
static void ping_pong_turns_at_both_ends(void **state)
{
    (void)state;
    struct made_scene made;
    make_scene(&made, &plain);
    const ossa_clip *clip = &made.clips[0];
    static const double points[] = {1e-5, 0.25, 0.5, 0.99};
    const double period = 2.0 * (FRAMES - 1);
    for (int round = -3; round <= 3; round++) {
        for (uint32_t f = 0; f + 1 < FRAMES; f++) {
            for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
                double there = round * period + f + points[i];
                double back = round * period + period - f - points[i];
                require_between(&made.scene, clip, there / clip->fps, OSSA_WRAP_PING_PONG, f, f + 1,
                                points[i]);
                require_between(&made.scene, clip, back / clip->fps, OSSA_WRAP_PING_PONG, f, f + 1,
                                points[i]);
            }
        }
        /* A rounding error before an end or after it is that end. */
        for (int side = -1; side <= 1; side++) {
            double error = side * 1e-9;
            require_frame(&made.scene, clip, (round * period + error) / clip->fps,
                          OSSA_WRAP_PING_PONG, 0);
            require_frame(&made.scene, clip, ((round + 0.5) * period + error) / clip->fps,
                          OSSA_WRAP_PING_PONG, FRAMES - 1);
        }
    }
    require_frame(&made.scene, clip, 1e12 * period / 30.0 * 3.0, OSSA_WRAP_PING_PONG, 0);
    free_made_scene(&made);
}

/* Two frames are the shortest way there and back. */
static void ping_pong_of_two_frames(void **state)
{
    (void)state;
    struct made_scene made;
    const struct made_plan plan = {
        .seed = 6, .bones = BONES, .clips = 1, .frames = {2}, .fps = 29.97};
    make_scene(&made, &plan);
    const ossa_clip *clip = &made.clips[0];
    for (int i = -20; i <= 20; i++) {
        uint32_t frame = i % 2 == 0 ? 0 : 1;
        require_frame(&made.scene, clip, i / clip->fps, OSSA_WRAP_PING_PONG, frame);
        require_between(&made.scene, clip, (i + 0.25) / clip->fps, OSSA_WRAP_PING_PONG, 0, 1,
                        frame == 0 ? 0.25 : 0.75);
    }
    free_made_scene(&made);
}

static void a_clamped_time_stays_inside(void **state)
{
    (void)state;
    struct made_scene made;
    make_scene(&made, &plain);
    const ossa_clip *clip = &made.clips[0];
    static const double before[] = {-0.0, -1e-300, -1e-9, -1.0, -1e9, -1e300, -DBL_MAX, -INFINITY};
    static const double after[] = {1.0, 10.0, 4294967296.0, 1e18, 1e300, DBL_MAX, INFINITY};
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
        require_frame(&made.scene, clip, before[i], OSSA_WRAP_CLAMP, 0);
    }
    for (size_t i = 0; i < sizeof after / sizeof after[0]; i++) {
        require_frame(&made.scene, clip, after[i], OSSA_WRAP_CLAMP, FRAMES - 1);
    }
    require_frame(&made.scene, clip, (FRAMES - 1) / clip->fps + 1e-3, OSSA_WRAP_CLAMP, FRAMES - 1);
    require_frame(&made.scene, clip, NAN, OSSA_WRAP_CLAMP, 0); /* no time at all is the start */
    free_made_scene(&made);
}

/* Times so far out that no fraction of a frame is left: some frame, and no harm. */
static void require_pose_at_any_time(const struct made_scene *made, ossa_wrap wrap)
{
    double seconds = 1.0;
    for (int i = 0; i < 2100; i++) {
        ossa_transform found[2][BONES];
        uint8_t shown[BONES];
        ossa_sample(&made->scene, &made->clips[0], seconds, wrap, found[0], shown);
        ossa_sample(&made->scene, &made->clips[0], -seconds, wrap, found[1], shown);
        for (unsigned b = 0; b < 2 * BONES; b++) {
            const ossa_transform *t = &found[b / BONES][b % BONES];
            assert_true(fabs(rotation_length(rotation_of(t->rotation)) - 1.0) < 1e-5);
            for (unsigned k = 0; k < 3; k++) {
                assert_true(fabsf(t->translation[k]) <= 4.0F && fabsf(t->scale[k]) <= 4.0F);
            }
        }
        seconds *= 1.37; /* up to infinity */
    }
    require_frame(&made->scene, &made->clips[0], INFINITY, wrap, 0);
    require_frame(&made->scene, &made->clips[0], -INFINITY, wrap, 0);
    require_frame(&made->scene, &made->clips[0], NAN, wrap, 0);
}

static void a_round_at_any_time_is_a_pose(void **state)
{
    (void)state;
    struct made_scene made;
    make_scene(&made, &plain);
    require_pose_at_any_time(&made, OSSA_WRAP_LOOP);
    require_pose_at_any_time(&made, OSSA_WRAP_PING_PONG);
    /* A whole number of rounds is a whole number of rounds, also far away. */
    require_frame(&made.scene, &made.clips[0], 1e12 * FRAMES / 30.0 * 3.0, OSSA_WRAP_LOOP, 0);
    free_made_scene(&made);
}

static void one_frame_is_the_same_at_all_times(void **state)
{
    (void)state;
    struct made_scene made;
    make_scene(&made, &plain);
    static const double times[] = {0.0, 0.01, -0.02, 1.0, -5.0, 1e300, NAN, INFINITY};
    const ossa_clip *clip = &made.clips[1];
    assert_int_equal(clip->frame_count, 1);
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        require_frame(&made.scene, clip, times[i], OSSA_WRAP_CLAMP, 0);
        require_frame(&made.scene, clip, times[i], OSSA_WRAP_LOOP, 0);
        require_frame(&made.scene, clip, times[i], OSSA_WRAP_PING_PONG, 0);
    }
    free_made_scene(&made);
}

static void a_clip_of_no_frames_is_its_constants(void **state)
{
    (void)state;
    struct made_scene made;
    make_scene(&made, &plain);
    const ossa_clip *clip = &made.clips[2];
    assert_int_equal(clip->frame_count, 0);
    static const double times[] = {0.0, 1.0, -1.0, NAN, INFINITY};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        ossa_transform found[BONES];
        uint8_t shown[BONES];
        static const ossa_wrap wraps[3] = {OSSA_WRAP_CLAMP, OSSA_WRAP_LOOP, OSSA_WRAP_PING_PONG};
        ossa_sample(&made.scene, clip, times[i], wraps[i % 3], found, shown);
        assert_memory_equal(found, clip->constant, sizeof found);
        assert_memory_equal(shown, clip->constant_visible, BONES);
        memset(found, 0, sizeof found);
        ossa_sample_frame(&made.scene, clip, (uint32_t)i, found, NULL);
        assert_memory_equal(found, clip->constant, sizeof found);
    }
    free_made_scene(&made);
}

static void visibility_goes_in_steps(void **state)
{
    (void)state;
    ossa_scene *scene = assemble_character(&samples[3], NULL); /* the rabbit's eyes close */
    size_t changes = 0;
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        const ossa_clip *clip = &scene->clips[c];
        const ossa_flag_tracks *flags = &clip->visibilities;
        for (uint32_t f = 0; f + 1 < clip->frame_count; f++) {
            ossa_transform locals[32];
            uint8_t shown[32];
            ossa_sample(scene, clip, (f + 0.9999) / clip->fps, OSSA_WRAP_CLAMP, locals, shown);
            for (uint32_t i = 0; i < flags->count; i++) {
                const uint8_t *key = flags->keys + (size_t)f * flags->count + i;
                assert_int_equal(shown[flags->bones[i]], key[0]);
                if (key[0] != key[flags->count]) changes++;
            }
        }
    }
    assert_true(changes > 4);
    ossa_scene_free(scene);
}

/* ---- the short arc ------------------------------------------------------------------------- */

static struct rotation sample_arc(struct rotation a, struct rotation b, double part)
{
    struct made_scene made;
    const struct made_plan plan = {.seed = 3, .bones = 2, .clips = 1, .frames = {2}, .fps = 1.0};
    make_scene(&made, &plan);
    float keys[8] = {(float)a.x, (float)a.y, (float)a.z, (float)a.w,
                     (float)b.x, (float)b.y, (float)b.z, (float)b.w};
    assert_int_equal(made.clips[0].rotations.count, 1);
    made.clips[0].rotations.keys = keys;
    ossa_transform locals[2];
    ossa_sample(&made.scene, &made.clips[0], part, OSSA_WRAP_CLAMP, locals, NULL);
    free_made_scene(&made);
    return rotation_of(locals[0].rotation);
}

/* Turns of every size, up to half a turn: the dot product goes from 1 to 0. */
static void an_arc_is_even_at_every_angle(void **state)
{
    (void)state;
    const double degree = acos(-1.0) / 180.0;
    static const double angles[] = {1e-6, 1e-4, 0.01,  0.1,   1.0,   5.0,   30.0,  60.0,    89.0,
                                    90.0, 91.0, 120.0, 150.0, 170.0, 179.0, 179.9, 179.999, 180.0};
    struct random random = {17};
    for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++) {
        for (unsigned n = 0; n < 6; n++) {
            float wxyz[4];
            next_unit(&random, wxyz);
            struct rotation a = {(double)wxyz[1], (double)wxyz[2], (double)wxyz[3],
                                 (double)wxyz[0]};
            a = rotation_unit(a);
            struct rotation b = rotation_product(rotation_about(n % 3, angles[i] * degree), a);
            /* What a key holds is a float: compare what follows from that. */
            const float fa[4] = {(float)a.x, (float)a.y, (float)a.z, (float)a.w};
            const float fb[4] = {(float)b.x, (float)b.y, (float)b.z, (float)b.w};
            a = rotation_of(fa);
            b = rotation_of(fb);
            for (unsigned step = 1; step < 16; step++) {
                double part = step / 16.0;
                struct rotation found = sample_arc(a, b, part);
                struct rotation wanted = rotation_between(a, b, part);
                assert_true(rotation_distance(found, wanted) < 2e-5);
                assert_true(fabs(rotation_length(found) - 1.0) < 1e-6);
                double whole = rotation_distance(rotation_unit(a), rotation_unit(b));
                double way = rotation_distance(rotation_unit(a), rotation_unit(found));
                assert_true(fabs(way - part * whole) < 3e-5); /* degrees; even speed */
            }
        }
    }
}

/* Before it is rounded, an arc is right to a part in 1e12, however wide: no part of it is an
 * approximation that a float would just so hide. */
static void an_arc_is_exact_in_double(void **state)
{
    (void)state;
    const double degree = acos(-1.0) / 180.0;
    for (int angle = 0; angle <= 180; angle++) {
        for (int step = 0; step <= 32; step++) {
            double half = angle * degree / 2.0;
            double part = step / 32.0;
            struct ossa__quat to = {0.6 * sin(half), 0.0, 0.8 * sin(half), cos(half)};
            if (angle == 180) to.w = 0.0; /* not the other way by rounding */
            struct ossa__quat q =
                ossa__quat_slerp((struct ossa__quat){0.0, 0.0, 0.0, 1.0}, to, part);
            assert_true(fabs(q.x - 0.6 * sin(part * half)) < 1e-12 && q.y == 0.0);
            assert_true(fabs(q.z - 0.8 * sin(part * half)) < 1e-12);
            assert_true(fabs(q.w - cos(part * half)) < 1e-12);
        }
    }
}

/* q and -q are the same rotation: the way to it is the same too. */
static void opposite_signs_are_the_same_way(void **state)
{
    (void)state;
    struct random random = {23};
    for (unsigned n = 0; n < 200; n++) {
        float wxyz[2][4];
        next_unit(&random, wxyz[0]);
        next_unit(&random, wxyz[1]);
        struct rotation q[2];
        for (unsigned i = 0; i < 2; i++) {
            q[i] = (struct rotation){(double)wxyz[i][1], (double)wxyz[i][2], (double)wxyz[i][3],
                                     (double)wxyz[i][0]};
        }
        struct rotation opposite = {-q[1].x, -q[1].y, -q[1].z, -q[1].w};
        double dot = q[0].x * q[1].x + q[0].y * q[1].y + q[0].z * q[1].z + q[0].w * q[1].w;
        struct rotation one = sample_arc(q[0], q[1], 0.375);
        struct rotation two = sample_arc(q[0], opposite, 0.375);
        if (fabs(dot) > 1e-6) assert_true(rotation_distance(one, two) < 1e-5);
        /* Never more than half a turn. */
        assert_true(rotation_distance(q[0], one) <= 0.375 * 180.0 + 1e-4);
        assert_true(rotation_distance(sample_arc(q[0], q[0], 0.5), q[0]) < 1e-5);
        struct rotation self = {-q[0].x, -q[0].y, -q[0].z, -q[0].w};
        assert_true(rotation_distance(sample_arc(q[0], self, 0.5), q[0]) < 1e-5);
    }
}

/* ---- what a clip holds --------------------------------------------------------------------- */

static bool has_changes(const ossa_tracks *tracks, uint32_t index, uint32_t frames, unsigned width)
{
    for (uint32_t f = 1; f < frames; f++) {
        if (memcmp(tracks->keys + (size_t)index * width,
                   tracks->keys + ((size_t)f * tracks->count + index) * width,
                   width * sizeof(float)) != 0) {
            return true;
        }
    }
    return false;
}

/* What does not change is one key in the constants, not one a frame. */
static void only_what_changes_has_a_track(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        ossa_scene *scene = assemble_character(&samples[i], NULL);
        for (uint32_t c = 0; c < scene->clip_count; c++) {
            const ossa_clip *clip = &scene->clips[c];
            const ossa_tracks *tracks[3] = {&clip->rotations, &clip->translations, &clip->scales};
            for (unsigned t = 0; t < 3; t++) {
                for (uint32_t k = 0; k < tracks[t]->count; k++) {
                    assert_true(has_changes(tracks[t], k, clip->frame_count, t == 0 ? 4 : 3));
                }
            }
            if (i < 3) { /* skeletons: only the root moves, nothing is scaled or hidden */
                assert_true(clip->translations.count <= 1);
                assert_int_equal(clip->scales.count, 0);
                assert_int_equal(clip->visibilities.count, 0);
            }
        }
        ossa_scene_free(scene);
    }
    /* Flag 0 is a constant: three of them make a clip of no track at all. */
    struct scene_files files = {0};
    const struct fixture *still = fixture_find("sotc-anb/constant");
    (void)add_file(&files, "still.anb", "sotc-anb",
                   bytes_copy(still->bytes.data, still->bytes.size));
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->clips[0].rotations.count, 0);
    assert_int_equal(scene->clips[0].frame_count, 9);
    ossa_scene_free(scene);
    free_files(&files);
}

/* ---- threads ------------------------------------------------------------------------------- */

enum { THREADS = 8, SAMPLES = 400 };

struct job {
    const ossa_scene *scene;
    const ossa_transform *wanted; /* [SAMPLES][bone_count] */
    size_t wrong;
};

static void sample_all(const ossa_scene *scene, uint32_t index, ossa_transform *locals)
{
    const ossa_clip *clip = &scene->clips[index % scene->clip_count];
    ossa_sample(scene, clip, index * 0.0173 - 1.0, index % 2 ? OSSA_WRAP_LOOP : OSSA_WRAP_CLAMP,
                locals, NULL);
    ossa_model_pose(scene, locals, locals);
}

static void *run(void *user)
{
    struct job *job = user;
    ossa_transform locals[32];
    for (uint32_t i = 0; i < SAMPLES; i++) {
        sample_all(job->scene, i, locals);
        size_t size = job->scene->bone_count * sizeof *locals;
        if (memcmp(locals, job->wanted + (size_t)i * job->scene->bone_count, size) != 0) {
            job->wrong++;
        }
    }
    return NULL;
}

static void many_threads_sample_one_clip(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof samples / sizeof samples[0]; s++) {
        ossa_scene *scene = assemble_character(&samples[s], NULL);
        assert_true(scene->bone_count <= 32);
        ossa_transform *wanted = calloc((size_t)SAMPLES * scene->bone_count, sizeof *wanted);
        assert_non_null(wanted);
        for (uint32_t i = 0; i < SAMPLES; i++) {
            sample_all(scene, i, wanted + (size_t)i * scene->bone_count);
        }
        pthread_t threads[THREADS];
        struct job jobs[THREADS];
        for (unsigned t = 0; t < THREADS; t++) {
            jobs[t] = (struct job){scene, wanted, 0};
            assert_int_equal(pthread_create(&threads[t], NULL, run, &jobs[t]), 0);
        }
        for (unsigned t = 0; t < THREADS; t++) {
            assert_int_equal(pthread_join(threads[t], NULL), 0);
            assert_int_equal(jobs[t].wrong, 0);
        }
        free(wanted);
        ossa_scene_free(scene);
    }
}

TEST_GROUP(test_scene_sample)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_is_exact_at_its_time),
        cmocka_unit_test(a_frame_can_be_asked_for),
        cmocka_unit_test(between_frames_it_is_the_short_arc),
        cmocka_unit_test(a_loop_blends_its_last_frame_into_its_first),
        cmocka_unit_test(ping_pong_turns_at_both_ends),
        cmocka_unit_test(ping_pong_of_two_frames),
        cmocka_unit_test(a_clamped_time_stays_inside),
        cmocka_unit_test(a_round_at_any_time_is_a_pose),
        cmocka_unit_test(one_frame_is_the_same_at_all_times),
        cmocka_unit_test(a_clip_of_no_frames_is_its_constants),
        cmocka_unit_test(visibility_goes_in_steps),
        cmocka_unit_test(an_arc_is_even_at_every_angle),
        cmocka_unit_test(an_arc_is_exact_in_double),
        cmocka_unit_test(opposite_signs_are_the_same_way),
        cmocka_unit_test(only_what_changes_has_a_track),
        cmocka_unit_test(many_threads_sample_one_clip),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
