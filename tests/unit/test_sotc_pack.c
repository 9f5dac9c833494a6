/* SPDX-License-Identifier: MIT */
#include "support/scenes.h"
#include "support/testing.h"
#include "formats/shadow_of_the_colossus/sotc_pack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180.0)

enum { POSES = 60, TRACKS = 300 };

static const uint8_t keyed_flags[] = {3, 4, 5, 6, 12, 13};

/* ---- rotations ----------------------------------------------------------------------------- */

/* -1 to 1. */
static double next_number(struct random *random)
{
    return (double)(next_random(random) % 2000001U) / 1000000.0 - 1.0;
}

static struct ossa__quat next_rotation(struct random *random)
{
    for (;;) {
        struct ossa__quat q = {next_number(random), next_number(random), next_number(random),
                               next_number(random)};
        double square = ossa__quat_dot(q, q);
        if (square > 0.01 && square < 1.0 && ossa__quat_normalise(&q)) return q;
    }
}

static struct ossa__quat about(const double axis[3], double angle)
{
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    double s = length > 0.0 ? sin(angle / 2.0) / length : 0.0;
    return (struct ossa__quat){axis[0] * s, axis[1] * s, axis[2] * s, cos(angle / 2.0)};
}

/* A smooth track around a random rotation, that reaches half of `degrees` to either side. */
static void make_track(struct random *random, double degrees, struct ossa__quat track[POSES])
{
    struct ossa__quat middle = next_rotation(random);
    double vectors[POSES][3];
    double waves[3][3][2];
    double largest = 0.0;
    for (unsigned i = 0; i < 18; i++) {
        waves[i / 6][i / 2 % 3][i % 2] = next_number(random) / (1.0 + i / 2 % 3);
    }
    for (unsigned p = 0; p < POSES; p++) {
        double square = 0.0;
        for (unsigned k = 0; k < 3; k++) {
            vectors[p][k] = 0.0;
            for (unsigned w = 0; w < 3; w++) {
                double t = 6.2831853 * (w + 1) * p / POSES;
                vectors[p][k] += waves[k][w][0] * sin(t) + waves[k][w][1] * cos(t);
            }
            square += vectors[p][k] * vectors[p][k];
        }
        largest = fmax(largest, sqrt(square));
    }
    for (unsigned p = 0; p < POSES; p++) {
        double length = sqrt(vectors[p][0] * vectors[p][0] + vectors[p][1] * vectors[p][1] +
                             vectors[p][2] * vectors[p][2]);
        track[p] = ossa__quat_multiply(
            middle, about(vectors[p], length / largest * degrees / 2.0 * DEGREE));
    }
}

static double angle_between(struct ossa__quat a, struct ossa__quat b)
{
    struct ossa__quat d = ossa__quat_multiply(ossa__quat_conjugate(a), b);
    return 2.0 * atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w));
}

/* ---- the library's packing ----------------------------------------------------------------- */

/* A bone that was packed, and its memory. */
struct packed {
    struct ossa__context context;
    ossa_sotc_bone bone;
    double error; /* as the library states it */
};

static struct packed pack(const ossa_sotc_bone *old, uint32_t old_count,
                          const struct ossa__quat *track, uint32_t count, double limit)
{
    struct packed packed = {.bone = *old};
    const struct ossa__anb_wish wish = {
        .wanted = track, .count = count, .same = 0.002 * DEGREE, .limit = limit * DEGREE};
    ossa__context_init(&packed.context, NULL, 0);
    assert_true(ossa__anb_pack(&packed.context, &packed.bone, old_count, &wish, &packed.error));
    return packed;
}

static void release(struct packed *packed)
{
    ossa__arena_free(&packed->context.scratch);
    ossa__arena_free(&packed->context.arena);
}

static double worst_error(const ossa_sotc_bone *bone, const struct ossa__quat *track,
                          uint32_t count)
{
    double worst = 0.0;
    for (uint32_t p = 0; p < count; p++) {
        struct ossa__quat found;
        assert_true(ossa__anb_rotation(bone, p, &found));
        worst = fmax(worst, angle_between(found, track[p]));
    }
    return worst;
}

/* A bone that has another flag than any that it may get. */
static const float no_constants[8] = {0.0F};
static const ossa_sotc_bone nothing = {.flag = 255, .constants = no_constants};

static bool is_packed(uint8_t flag)
{
    return flag >= 3 && flag <= 6;
}

static void require_usual(const ossa_sotc_bone *bone)
{
    if (!is_packed(bone->flag) && bone->flag != 12) return;
    for (unsigned c = 0; c < 3; c++) {
        require(fabsf(bone->constants[2 * c]) <= 1.0F, "centre", "%g",
                (double)bone->constants[2 * c]);
        require(bone->constants[2 * c + 1] >= 0.0F && bone->constants[2 * c + 1] < 1.0F, "extent",
                "%g", (double)bone->constants[2 * c + 1]);
    }
}

/* ---- a packing that is as plain as can be -------------------------------------------------- */

/* The worst error with a flag whose ranges are those of the track, each component rounded to the
 * nearest: what the library is measured against. */
static double plain_error(uint8_t flag, const struct ossa__quat *track, uint32_t count)
{
    unsigned missing = flag == 12 ? 3 : flag - 3U;
    double range = flag == 12 ? 32768.0 : 256.0;
    double least[4] = {2, 2, 2, 2};
    double most[4] = {-2, -2, -2, -2};
    double values[1000][4];
    assert_true(count <= 1000);
    for (uint32_t p = 0; p < count; p++) {
        double sign = 1.0;
        const double q[4] = {track[p].x, track[p].y, track[p].z, track[p].w};
        if (p > 0) {
            double dot = 0.0;
            for (unsigned c = 0; c < 4; c++) dot += q[c] * values[p - 1][c];
            sign = dot < 0.0 ? -1.0 : 1.0;
        }
        for (unsigned c = 0; c < 4; c++) {
            values[p][c] = sign * q[c];
            least[c] = fmin(least[c], values[p][c]);
            most[c] = fmax(most[c], values[p][c]);
        }
    }
    double worst = 0.0;
    for (uint32_t p = 0; p < count; p++) {
        double q[4];
        double sum = 0.0;
        for (unsigned c = 0; c < 4; c++) {
            if (c == missing) continue;
            double half = (most[c] - least[c]) * range / (2.0 * range - 1.0);
            float extent = (float)half;
            float centre = (float)(least[c] + half);
            double x =
                extent > 0.0F ? (values[p][c] - (double)centre) / (double)extent * range : 0.0;
            double field = fmin(fmax(floor(x + 0.5), -range), range - 1.0);
            if (flag == 12 && c == 0) { /* the lowest bit is a sign */
                double bit = values[p][3] < 0.0 ? 1.0 : 0.0;
                field = floor((x - bit) / 2.0 + 0.5) * 2.0 + bit;
                field = fmin(fmax(field, bit - range), range - 2.0 + bit);
            }
            q[c] = field / range * (double)extent + (double)centre;
            sum += q[c] * q[c];
        }
        double rest = 1.0 - sum > 1e-9 ? sqrt(1.0 - sum) : 0.0;
        q[missing] = values[p][missing] < 0.0 ? -rest : rest;
        struct ossa__quat found = {q[0], q[1], q[2], q[3]};
        (void)ossa__quat_normalise(&found);
        worst = fmax(worst, angle_between(found, track[p]));
    }
    return worst;
}

/* ---- what packing costs -------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Degrees: the medians and the 99th percentiles of the worst keys, for the best of the four 32-bit
 * packings and for the best of all. Rounded to the nearest, others have measured 0.011 / 0.014,
 * 0.051 / 0.074, 0.11 / 0.20 and 0.39 / 2.6 for the former. */
static const struct {
    double degrees;
    double packed[2];
    double best[2];
} costs[] = {
    {10.0, {0.0086, 0.0105}, {0.00012, 0.0093}},
    {45.0, {0.040, 0.051}, {0.0006, 0.044}},
    {90.0, {0.083, 0.108}, {0.0015, 0.083}},
    {180.0, {0.20, 0.60}, {0.0085, 0.20}},
};

static void require_costs(double errors[TRACKS], const double most[2])
{
    static const size_t ranks[2] = {TRACKS / 2, TRACKS * 99 / 100};
    qsort(errors, TRACKS, sizeof *errors, compare_numbers);
    for (size_t i = 0; i < 2; i++) {
        require(errors[ranks[i]] <= 1.05 * most[i], "errors", "%g, expected up to %g",
                errors[ranks[i]], most[i]);
    }
}

static void packing_costs_no_more_than_any_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof costs / sizeof costs[0]; i++) {
        struct random random = {4711};
        double packed_errors[TRACKS];
        double best_errors[TRACKS];
        for (unsigned t = 0; t < TRACKS; t++) {
            struct ossa__quat track[POSES];
            make_track(&random, costs[i].degrees, track);
            double least = 9.0;
            for (uint8_t flag = 3; flag <= 6; flag++) {
                least = fmin(least, plain_error(flag, track, POSES));
            }
            /* With a limit that all keep to, the smallest; with one that none does, the best. */
            struct packed small = pack(&nothing, 0, track, POSES, 20.0);
            struct packed best = pack(&nothing, 0, track, POSES, 0.0);
            assert_true(is_packed(small.bone.flag));
            require(small.error <= least + 1e-9, "packed", "%g above %g", small.error, least);
            least = fmin(least, plain_error(12, track, POSES));
            require(best.error <= least + 1e-9, "best", "%g above %g", best.error, least);
            require(fabs(small.error - worst_error(&small.bone, track, POSES)) < 1e-9, "error",
                    "%g", small.error);
            require(fabs(best.error - worst_error(&best.bone, track, POSES)) < 1e-9, "error", "%g",
                    best.error);
            require_usual(&small.bone);
            packed_errors[t] = small.error / DEGREE;
            best_errors[t] = best.error / DEGREE;
            release(&small);
            release(&best);
        }
        require_costs(packed_errors, costs[i].packed);
        require_costs(best_errors, costs[i].best);
    }
}

/* Of the packings within the limit, none that is smaller is passed over. */
static void the_smallest_packing_within_the_limit_is_chosen(void **state)
{
    (void)state;
    struct random random = {99};
    unsigned triples = 0;
    for (unsigned t = 0; t < TRACKS; t++) {
        struct ossa__quat track[POSES];
        make_track(&random, 180.0, track);
        struct packed small = pack(&nothing, 0, track, POSES, 20.0);
        struct packed chosen = pack(&nothing, 0, track, POSES, 0.1);
        struct packed best = pack(&nothing, 0, track, POSES, 0.0);
        if (small.error <= 0.1 * DEGREE) {
            assert_int_equal(chosen.bone.flag, small.bone.flag);
        } else {
            assert_true(chosen.error == best.error);
            triples += chosen.bone.flag == 12;
        }
        release(&small);
        release(&chosen);
        release(&best);
    }
    assert_in_range(triples, TRACKS / 4, TRACKS);
}

/* ---- one flag after the other -------------------------------------------------------------- */

/* A track in which a component goes through zero, and is small all the time. */
static void make_crossing(unsigned component, struct ossa__quat track[POSES])
{
    for (unsigned p = 0; p < POSES; p++) {
        double t = (double)p / (POSES - 1);
        double q[4] = {0.5 + 0.1 * t, 0.6 - 0.15 * t, 0.4 + 0.1 * t * t, 0.45};
        q[component] = 0.08 * (t - 0.45);
        track[p] = (struct ossa__quat){q[0], q[1], q[2], q[3]};
        assert_true(ossa__quat_normalise(&track[p]));
    }
}

static void components_may_go_through_zero(void **state)
{
    (void)state;
    for (unsigned component = 0; component < 4; component++) {
        struct ossa__quat track[POSES];
        make_crossing(component, track);
        uint8_t worst = (uint8_t)(3 + component);
        double plain = plain_error(worst, track, POSES);
        struct packed packed = pack(&nothing, 0, track, POSES, 0.1);
        assert_true(is_packed(packed.bone.flag) && packed.bone.flag != worst);
        assert_true(packed.error < 0.05 * DEGREE);
        release(&packed);
        /* Its own flag, which leaves out that component, is kept if the limit allows. */
        ossa_sotc_bone old = {.flag = worst, .constants = no_constants};
        packed = pack(&old, 0, track, POSES, 10.0);
        assert_int_equal(packed.bone.flag, worst);
        assert_true(packed.error <= plain + 1e-9 && packed.error < 3.0 * DEGREE);
        release(&packed);
        packed = pack(&old, 0, track, POSES, 0.1);
        assert_true(packed.bone.flag != worst && packed.error < 0.05 * DEGREE);
        release(&packed);
    }
    struct ossa__quat track[POSES];
    make_crossing(3, track);
    ossa_sotc_bone old = {.flag = 12, .constants = no_constants};
    struct packed packed = pack(&old, 0, track, POSES, 10.0);
    assert_int_equal(packed.bone.flag, 12);
    assert_true(packed.error <= plain_error(12, track, POSES) + 1e-9);
    unsigned negative = 0;
    for (unsigned p = 0; p < POSES; p++) negative += packed.bone.keys.triple[p][0] & 1;
    assert_in_range(negative, POSES / 4, POSES * 3 / 4);
    release(&packed);
}

static void a_flag_stays_while_its_error_is_within_the_limit(void **state)
{
    (void)state;
    struct random random = {7};
    for (unsigned t = 0; t < 40; t++) {
        struct ossa__quat track[POSES];
        make_track(&random, 45.0, track);
        for (size_t f = 0; f < 5; f++) {
            ossa_sotc_bone old = {.flag = keyed_flags[f], .constants = no_constants};
            struct packed packed = pack(&old, 0, track, POSES, 179.0);
            assert_int_equal(packed.bone.flag, keyed_flags[f]);
            assert_true(packed.error <= plain_error(keyed_flags[f], track, POSES) + 1e-9);
            release(&packed);
        }
    }
}

/* q and -q are one rotation. */
static void signs_make_no_difference(void **state)
{
    (void)state;
    struct random random = {31};
    for (unsigned t = 0; t < 40; t++) {
        struct ossa__quat track[POSES];
        struct ossa__quat flipped[POSES];
        make_track(&random, t < 20 ? 90.0 : 360.0, track);
        for (unsigned p = 0; p < POSES; p++) {
            double sign = p > 0 && next_random(&random) % 2 == 0 ? -1.0 : 1.0;
            flipped[p] = (struct ossa__quat){sign * track[p].x, sign * track[p].y,
                                             sign * track[p].z, sign * track[p].w};
        }
        struct packed one = pack(&nothing, 0, track, POSES, 0.1);
        struct packed other = pack(&nothing, 0, flipped, POSES, 0.1);
        assert_int_equal(one.bone.flag, other.bone.flag);
        assert_memory_equal(one.bone.constants, other.bone.constants,
                            one.bone.constant_count * sizeof(float));
        assert_true(one.error == other.error);
        release(&one);
        release(&other);
    }
}

/* Twice around, components have every value from -1 to 1, unless signs are chosen well. */
static void a_full_circle_has_usual_constants(void **state)
{
    (void)state;
    for (unsigned axis = 0; axis < 3; axis++) {
        struct ossa__quat track[POSES];
        for (unsigned p = 0; p < POSES; p++) {
            double wobble = 2.0 * sin(0.7 * p) * DEGREE; /* so that there is no common axis */
            track[p] = ossa__quat_multiply(ossa__quat_about((axis + 1) % 3, wobble),
                                           ossa__quat_about(axis, 12.5663706 * p / (POSES - 1)));
        }
        struct packed packed = pack(&nothing, 0, track, POSES, 20.0);
        assert_true(is_packed(packed.bone.flag));
        require_usual(&packed.bone);
        release(&packed);
    }
}

static void one_rotation_is_a_constant(void **state)
{
    (void)state;
    struct random random = {5};
    struct ossa__quat track[POSES];
    for (unsigned t = 0; t < 20; t++) {
        struct ossa__quat q = next_rotation(&random);
        for (unsigned p = 0; p < POSES; p++) track[p] = q;
        struct packed packed = pack(&nothing, 0, track, POSES, 0.1);
        assert_int_equal(packed.bone.flag, 0);
        assert_int_equal(packed.bone.constant_count, 4);
        assert_true(packed.error < 1e-6);
        release(&packed);
        for (size_t f = 0; f < sizeof keyed_flags; f++) { /* with any flag, if need be */
            ossa_sotc_bone old = {.flag = keyed_flags[f], .constants = no_constants};
            packed = pack(&old, 0, track, POSES, 0.1);
            assert_int_equal(packed.bone.flag, keyed_flags[f]);
            assert_true(worst_error(&packed.bone, track, POSES) < 0.1 * DEGREE);
            release(&packed);
        }
        /* What moves, however little, is not made to stand still. */
        static const double axis[3] = {1, 2, 3};
        track[7] = ossa__quat_multiply(q, about(axis, 0.01 * DEGREE));
        packed = pack(&nothing, 0, track, POSES, 0.1);
        assert_true(packed.bone.flag != 0 && packed.error < 0.005 * DEGREE);
        release(&packed);
    }
}

static void a_shared_axis_is_an_angle(void **state)
{
    (void)state;
    struct random random = {6};
    for (unsigned t = 0; t < 40; t++) {
        const double axis[3] = {next_number(&random), next_number(&random), next_number(&random)};
        double span = t < 20 ? 200.0 : 1000.0; /* it may go round and round */
        struct ossa__quat track[POSES];
        for (unsigned p = 0; p < POSES; p++) {
            track[p] = about(axis, (span * p / POSES - 100.0) * DEGREE);
        }
        struct packed packed = pack(&nothing, 0, track, POSES, 0.1);
        assert_int_equal(packed.bone.flag, 13);
        assert_true(worst_error(&packed.bone, track, POSES) < 0.003 * DEGREE);
        release(&packed);
        /* Beside the axis, angles will not do. */
        track[30] = ossa__quat_multiply(track[30], ossa__quat_about(t % 3, 5.0 * DEGREE));
        packed = pack(&nothing, 0, track, POSES, 0.1);
        assert_true(packed.bone.flag != 13);
        release(&packed);
    }
}

/* ---- bits ---------------------------------------------------------------------------------- */

/* Decoded and encoded again with its own constants, every key is the same. */
static void keys_make_the_trip(void **state)
{
    (void)state;
    unsigned counts[14] = {0};
    struct scene_files files = {0};
    add_folder(&files, OSSA_SAMPLE_DIR "/bird");
    for (size_t i = 0; i < files.count; i++) {
        const ossa_sotc_anb *anb = ossa_as_sotc_anb(files.inputs[i].file);
        for (uint32_t b = 0; anb != NULL && b < anb->bone_count; b++) {
            const ossa_sotc_bone *bone = &anb->bones[b];
            size_t size = ossa__anb_key_size(bone->flag);
            for (uint32_t p = 0; size > 0 && p < anb->pose_count; p++) {
                struct ossa__quat q;
                union ossa__anb_key key;
                double error;
                assert_true(ossa__anb_rotation(bone, p, &q));
                assert_true(ossa__anb_encode(bone, q, ossa__anb_odd_bits(bone, p), &key, &error));
                assert_true(error < 1e-7);
                assert_memory_equal(&key, (const uint8_t *)ossa__anb_keys(bone) + p * size, size);
                counts[bone->flag]++;
            }
        }
    }
    free_files(&files);
    assert_true(counts[12] > 0 && counts[13] > 0);
    assert_true(counts[3] + counts[4] + counts[5] + counts[6] > 0);
}

static void what_is_out_of_range_has_no_key(void **state)
{
    (void)state;
    static const float pairs[8] = {0.0F, 0.25F, 0.0F, 0.25F, 0.0F, 0.25F, 0.0F, 0.0F};
    static const float still[8] = {0.0F, 0.25F, 0.1F, 0.0F, 0.0F, 0.25F, 0.0F, 0.0F};
    static const float angle[5] = {0.5F, 0.25F, 0.0F, 0.0F, 2.0F};
    static const float broken[8] = {NAN, INFINITY, 0.0F, -INFINITY, NAN, 0.0F, 0.0F, 0.0F};
    union ossa__anb_key key;
    double error;
    for (uint8_t flag = 3; flag <= 12; flag = flag == 6 ? 12 : (uint8_t)(flag + 1)) {
        const ossa_sotc_bone bone = {.flag = flag, .constants = pairs};
        const ossa_sotc_bone fixed = {.flag = flag, .constants = still};
        const ossa_sotc_bone bad = {.flag = flag, .constants = broken};
        unsigned missing = flag == 12 ? 3 : flag - 3U;
        unsigned first = missing == 0 ? 1 : 0;
        double q[4] = {0};
        q[first] = 0.249;
        q[missing] = -sqrt(1.0 - q[first] * q[first]);
        struct ossa__quat inside = {q[0], q[1], q[2], q[3]};
        assert_true(ossa__anb_encode(&bone, inside, 0, &key, &error));
        assert_true(error < 0.2 * DEGREE);
        assert_false(ossa__anb_encode(&fixed, inside, 0, &key, &error)); /* 0 is not 0.1 */
        assert_false(ossa__anb_encode(&bad, inside, 0, &key, &error));
        q[first] = 0.252;
        q[missing] = -sqrt(1.0 - q[first] * q[first]);
        struct ossa__quat outside = {q[0], q[1], q[2], q[3]};
        assert_false(ossa__anb_encode(&bone, outside, 0, &key, &error));
    }
    const ossa_sotc_bone turning = {.flag = 13, .constants = angle};
    const ossa_sotc_bone bad = {.flag = 13, .constants = broken};
    assert_true(ossa__anb_encode(&turning, ossa__quat_about(2, 0.749), 0, &key, &error));
    assert_true(error < 1e-5);
    assert_true(
        ossa__anb_encode(&turning, ossa__quat_about(2, 0.3 + 6.283185307), 0, &key, &error));
    assert_true(error < 1e-5);
    assert_false(ossa__anb_encode(&turning, ossa__quat_about(2, 0.751), 0, &key, &error));
    assert_false(ossa__anb_encode(&bad, ossa__quat_about(2, 0.5), 0, &key, &error));
    const struct ossa__quat beside =
        ossa__quat_multiply(ossa__quat_about(2, 0.5), ossa__quat_about(0, 0.3));
    assert_true(ossa__anb_encode(&turning, beside, 0, &key, &error));
    assert_true(fabs(error - 0.3) < 1e-5); /* as near as it gets */
    assert_false(ossa__anb_encode(&nothing, ossa__quat_about(0, 0.5), 0, &key, &error));
}

/* What is unknown stays, as far as the new flag has it. */
static void odd_bits_and_the_fourth_pair_stay(void **state)
{
    (void)state;
    struct random random = {8};
    struct ossa__quat track[POSES];
    uint32_t keys[POSES / 2];
    static const float pairs[8] = {0, 0, 0, 0, 0, 0, 0.625F, -3.0F};
    make_track(&random, 45.0, track);
    for (uint8_t flag = 3; flag <= 6; flag++) {
        static const unsigned shifts[] = {27, 18, 9, 0};
        const ossa_sotc_bone old = {.flag = flag, .constants = pairs, .keys.packed = keys};
        for (unsigned p = 0; p < POSES / 2; p++) keys[p] = (p * 7 % 16) << shifts[flag - 3];
        static const double limits[] = {20.0, 0.01}; /* with this flag, and others */
        for (size_t i = 0; i < 2; i++) {
            struct packed packed = pack(&old, POSES / 2, track, POSES, limits[i]);
            for (unsigned p = 0; p < POSES; p++) {
                unsigned from = p < POSES / 2 ? p : POSES / 2 - 1;
                unsigned expected = is_packed(packed.bone.flag) ? from * 7 % 16 : 0;
                assert_int_equal(ossa__anb_odd_bits(&packed.bone, p), expected);
            }
            if (is_packed(packed.bone.flag)) {
                assert_true(packed.bone.constants[6] == 0.625F);
                assert_true(packed.bone.constants[7] == -3.0F);
            } else {
                assert_int_equal(packed.bone.flag, 12);
            }
            release(&packed);
        }
    }
}

/* Keys that have nothing to do with each other. */
static void wild_rotations_are_packed_too(void **state)
{
    (void)state;
    struct random random = {12};
    for (unsigned t = 0; t < 60; t++) {
        struct ossa__quat track[POSES];
        uint32_t count = 1 + t % POSES;
        for (unsigned p = 0; p < count; p++) track[p] = next_rotation(&random);
        struct packed packed = pack(&nothing, 0, track, count, 0.1);
        assert_true(fabs(worst_error(&packed.bone, track, count) - packed.error) < 1e-9);
        assert_true(packed.error < 2.0 * DEGREE);
        require_usual(&packed.bone);
        release(&packed);
    }
}

TEST_GROUP(test_sotc_pack)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packing_costs_no_more_than_any_other),
        cmocka_unit_test(the_smallest_packing_within_the_limit_is_chosen),
        cmocka_unit_test(components_may_go_through_zero),
        cmocka_unit_test(a_flag_stays_while_its_error_is_within_the_limit),
        cmocka_unit_test(signs_make_no_difference),
        cmocka_unit_test(a_full_circle_has_usual_constants),
        cmocka_unit_test(one_rotation_is_a_constant),
        cmocka_unit_test(a_shared_axis_is_an_angle),
        cmocka_unit_test(keys_make_the_trip),
        cmocka_unit_test(what_is_out_of_range_has_no_key),
        cmocka_unit_test(odd_bits_and_the_fourth_pair_stay),
        cmocka_unit_test(wild_rotations_are_packed_too),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
