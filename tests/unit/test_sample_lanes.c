/* SPDX-License-Identifier: MIT
 *
 * The kernels: whatever the width of a register, the bits are the same, and near what is true. */
#include "support/rotation.h"
#include "support/group.h"
#include "support/testing.h"
#include "lanes/kernels.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BONES = 61, ROUNDS = 4000 }; /* a number of bones that no width divides */

static const struct ossa__kernels *kernels[3];
static size_t kernel_count;

static int find_kernels(void **state)
{
    (void)state;
    kernel_count = ossa__kernels_list(kernels);
    return 0;
}

static void random_rotation(struct random *random, float q[4])
{
    float wxyz[4];
    next_unit(random, wxyz);
    const float xyzw[4] = {wxyz[1], wxyz[2], wxyz[3], wxyz[0]};
    struct rotation unit = rotation_unit(rotation_of(xyzw));
    q[0] = (float)unit.x;
    q[1] = (float)unit.y;
    q[2] = (float)unit.z;
    q[3] = (float)unit.w;
}

/* A rotation this many degrees from another, by either of its two quaternions. */
static void rotate_by(struct random *random, const float from[4], double degrees, float q[4])
{
    const double degree = acos(-1.0) / 180.0;
    struct rotation near =
        rotation_unit(rotation_product(rotation_about(next_random(random) % 3, degrees * degree),
                                       rotation_unit(rotation_of(from))));
    double sign = next_random(random) % 2 == 0 ? 1.0 : -1.0;
    q[0] = (float)(sign * near.x);
    q[1] = (float)(sign * near.y);
    q[2] = (float)(sign * near.z);
    q[3] = (float)(sign * near.w);
}

/* Arcs of all lengths, many of them where another branch begins. */
static double random_arc(struct random *random)
{
    static const double borders[] = {0.0,  1e-6, 1e-4,  0.1,     27.9, 28.1,
                                     90.9, 91.2, 179.0, 179.999, 180.0};
    if (next_random(random) % 2 == 0) {
        return borders[next_random(random) % (sizeof borders / sizeof borders[0])];
    }
    return (next_random(random) % 1800001) * 1e-4;
}

struct keys {
    float from[BONES][4];
    float to[BONES][4];
    float part;
};

static void random_keys(struct random *random, struct keys *keys)
{
    static const float parts[] = {0.0F, 1e-6F, 0.25F, 0.5F, 0.49999997F, 0.999999F};
    for (unsigned i = 0; i < BONES; i++) {
        random_rotation(random, keys->from[i]);
        rotate_by(random, keys->from[i], random_arc(random), keys->to[i]);
    }
    keys->part = (float)(next_random(random) % 1000000) * 1e-6F;
    if (next_random(random) % 4 == 0) {
        keys->part = parts[next_random(random) % (sizeof parts / sizeof parts[0])];
    }
}

static struct ossa__between between(const struct keys *keys)
{
    return (struct ossa__between){keys->from[0], keys->to[0], keys->part};
}

/* 4000 times 61 keys, at every width. */
static void every_width_mixes_the_same_bits(void **state)
{
    (void)state;
    struct random random = {20261};
    uint32_t bones[BONES];
    for (uint32_t i = 0; i < BONES; i++) bones[i] = (i * 7) % BONES; /* in any order */
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct keys keys = {0};
        ossa_transform wanted[BONES] = {0};
        random_keys(&random, &keys);
        uint32_t count = 1 + next_random(&random) % BONES;
        kernels[0]->mix_rotations(between(&keys), bones, count, wanted);
        for (size_t k = 1; k < kernel_count; k++) {
            ossa_transform found[BONES] = {0};
            kernels[k]->mix_rotations(between(&keys), bones, count, found);
            assert_memory_equal(found, wanted, sizeof found);
        }
    }
}

/* In radians, of the rotation: twice the angle between the quaternions. */
static double distance(struct rotation wanted, const float found[4])
{
    struct rotation q = rotation_unit(rotation_of(found));
    double dot = wanted.x * q.x + wanted.y * q.y + wanted.z * q.z + wanted.w * q.w;
    double sign = dot < 0.0 ? -1.0 : 1.0;
    double x = wanted.x - sign * q.x;
    double y = wanted.y - sign * q.y;
    double z = wanted.z - sign * q.z;
    double w = wanted.w - sign * q.w;
    return 2.0 * sqrt(x * x + y * y + z * z + w * w);
}

static double error_of(const struct keys *keys, unsigned i, const float found[4])
{
    struct rotation a = rotation_unit(rotation_of(keys->from[i]));
    struct rotation b = rotation_unit(rotation_of(keys->to[i]));
    double off = distance(rotation_unit(rotation_between(a, b, (double)keys->part)), found);
    double dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    if (fabs(dot) > 1e-15) return off;
    /* Half a turn, to the last bit of a double: either way is short. */
    double middle = acos(-1.0) / 2.0;
    double wa = sin((1.0 - (double)keys->part) * middle);
    double wb = sin((double)keys->part * middle);
    double least = off;
    for (unsigned way_index = 0; way_index < 2; way_index++) {
        double sign = way_index == 0 ? -1.0 : 1.0;
        struct rotation way = {wa * a.x + sign * wb * b.x, wa * a.y + sign * wb * b.y,
                               wa * a.z + sign * wb * b.z, wa * a.w + sign * wb * b.w};
        least = fmin(least, distance(rotation_unit(way), found));
    }
    return least;
}

static void no_arc_is_off_by_more_than_rounding(void **state)
{
    (void)state;
    struct random random = {4711};
    uint32_t bones[BONES];
    double worst = 0.0;
    for (uint32_t i = 0; i < BONES; i++) bones[i] = i;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct keys keys = {0};
        ossa_transform found[BONES];
        random_keys(&random, &keys);
        kernels[kernel_count - 1]->mix_rotations(between(&keys), bones, BONES, found);
        for (unsigned i = 0; i < BONES; i++) {
            if (keys.part == 0.0F) {
                assert_memory_equal(found[i].rotation, keys.from[i], sizeof keys.from[i]);
                continue;
            }
            double off = error_of(&keys, i, found[i].rotation);
            double length = rotation_length(rotation_of(found[i].rotation));
            assert_true(fabs(length - 1.0) < 2e-7);
            if (off > worst) worst = off;
        }
    }
    print_message("the worst is off by %.3g radians\n", worst);
    assert_true(worst < 3e-7);
}

/* Found among 29 million random keys: arcs that are off by more than 3e-7 where their middle is
 * rounded before it is mixed. */
static void a_wide_arc_does_not_round_its_middle(void **state)
{
    (void)state;
    static const struct keys found[2] = {
        {{{-0x1.92101ep-2F, -0x1.2a8e0cp-1F, 0x1.db8936p-2F, -0x1.13cafap-1F}},
         {{-0x1.44fdfp-3F, -0x1.6efd1p-1F, -0x1.b01b44p-2F, 0x1.105dacp-1F}},
         0x1.0b046ap-1F},
        {{{-0x1.1a741cp-2F, -0x1.b6926ep-2F, -0x1.b462eep-1F, -0x1.e54594p-4F}},
         {{0x1.9bb834p-1F, 0x1.f342aep-4F, 0x1.0ebfp-1F, -0x1.f0ea9p-3F}},
         0x1.b64e54p-2F}};
    const uint32_t bone = 0;
    for (unsigned i = 0; i < 2; i++) {
        ossa_transform local;
        kernels[kernel_count - 1]->mix_rotations(between(&found[i]), &bone, 1, &local);
        assert_true(error_of(&found[i], 0, local.rotation) < 2.6e-7);
    }
}

/* ---- matrices ----------------------------------------------------------------------------------
 */

static void random_pose(struct random *random, ossa_transform *locals, int32_t *parents)
{
    for (uint32_t i = 0; i < BONES; i++) {
        random_rotation(random, locals[i].rotation);
        for (unsigned k = 0; k < 3; k++) {
            locals[i].translation[k] = next_float(random, 2);
            locals[i].scale[k] = next_random(random) % 3 == 0 ? next_float(random, 2) : 1.0F;
        }
        bool is_root = i == 0 || next_random(random) % 9 == 0;
        parents[i] = is_root ? -1 : (int32_t)(i - 1 - next_random(random) % (i < 4 ? i : 4));
    }
}

/* out = a * b in double. */
static void multiply(const double a[16], const double b[16], double out[16])
{
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned r = 0; r < 4; r++) {
            out[4 * c + r] = 0.0;
            for (unsigned k = 0; k < 4; k++) out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
        }
    }
}

static void local_matrix(const ossa_transform *local, double m[16])
{
    for (unsigned c = 0; c < 3; c++) {
        double axis[3] = {c == 0, c == 1, c == 2};
        double column[3];
        rotation_apply(rotation_of(local->rotation), axis, column);
        for (unsigned r = 0; r < 3; r++) m[4 * c + r] = column[r] * (double)local->scale[c];
        m[4 * c + 3] = 0.0;
        m[12 + c] = (double)local->translation[c];
    }
    m[15] = 1.0;
}

static void every_width_gives_the_same_matrices(void **state)
{
    (void)state;
    struct random random = {99};
    for (unsigned round = 0; round < 300; round++) {
        ossa_transform locals[BONES];
        int32_t parents[BONES];
        double wanted[BONES][16] = {{0.0}};
        float first[BONES][16];
        random_pose(&random, locals, parents);
        uint32_t count = 1 + round % BONES;
        kernels[0]->model_matrices(parents, sizeof *parents, locals, count, first);
        for (uint32_t i = 0; i < count; i++) {
            double local[16];
            local_matrix(&locals[i], local);
            if (parents[i] < 0) memcpy(wanted[i], local, sizeof local);
            else multiply(wanted[parents[i]], local, wanted[i]);
            double size = 1.0;
            for (unsigned k = 0; k < 16; k++) size = fmax(size, fabs(wanted[i][k]));
            for (unsigned k = 0; k < 16; k++) {
                assert_true(fabs((double)first[i][k] - wanted[i][k]) < 1e-4 * size);
                assert_false(first[i][k] == 0.0F && signbit(first[i][k]));
            }
            assert_true(first[i][3] == 0.0F && first[i][7] == 0.0F && first[i][11] == 0.0F);
            assert_true(first[i][15] == 1.0F);
        }
        for (size_t k = 1; k < kernel_count; k++) {
            float found[BONES][16];
            kernels[k]->model_matrices(parents, sizeof *parents, locals, count, found);
            assert_memory_equal(found, first, count * sizeof found[0]);
        }
    }
}

/* ---- packed keys -------------------------------------------------------------------------------
 */

static struct ossa__packed_shifts shifts_without(unsigned missing)
{
    static const struct ossa__packed_shifts all[4] = {
        {{5, 14, 23}, 0}, {{0, 14, 23}, 9}, {{0, 9, 23}, 18}, {{0, 9, 18}, 27}};
    return all[missing];
}

/* What a key means, in double, from its definition. */
static bool read_key(uint32_t key, const struct ossa__packing *packing, unsigned missing,
                     struct rotation *rotation)
{
    double q[4];
    double sum = 0.0;
    unsigned left = 32;
    unsigned used = 0;
    bool is_negative = false;
    for (unsigned c = 0; c < 4; c++) {
        unsigned width = c == missing ? 5 : 9;
        left -= width;
        int32_t field = (int32_t)(key >> left & ((1U << width) - 1));
        if (field >= 1 << (width - 1)) field -= 1 << width;
        if (c == missing) {
            is_negative = field < 0;
            continue;
        }
        q[c] = field * (double)packing->step[used][0] + (double)packing->centre[used][0];
        sum += q[c] * q[c];
        used++;
    }
    double rest = 1.0 - sum > 1e-9 ? sqrt(1.0 - sum) : 0.0;
    q[missing] = is_negative != (packing->flip[0] != 0) ? -rest : rest;
    *rotation = (struct rotation){q[0], q[1], q[2], q[3]};
    if (!(rotation_length(*rotation) > 1e-12)) return false;
    *rotation = rotation_unit(*rotation);
    return true;
}

static void random_packing(struct random *random, unsigned missing, double most,
                           struct ossa__packing *packing)
{
    memset(packing, 0, sizeof *packing);
    for (unsigned i = 0; i < 3; i++) {
        double extent = (next_random(random) % 1000) * 1e-3 * most;
        packing->step[i][0] = (float)(extent / 256.0);
        packing->centre[i][0] = (float)((next_random(random) % 1000) * 1e-3 * (most - extent));
    }
    packing->flip[0] = next_random(random) % 2 == 0 ? 0 : INT32_MIN;
    packing->missing[missing][0] = -1;
    packing->same_missing = (int32_t)missing;
}

/* A million keys of every kind: those that leave out the largest component, and those that leave
 * out one that is all but 0, for which floats would not do. */
static void every_width_unpacks_the_same_bits(void **state)
{
    (void)state;
    enum { KEYS = 61, TRACKS = 16000, STRIDE = 5 };
    struct random random = {31337};
    double worst = 0.0;
    for (unsigned track = 0; track < TRACKS; track++) {
        uint32_t keys[KEYS];
        float wanted[KEYS][STRIDE] = {{0}};
        struct ossa__packing packing;
        unsigned missing = track % 4;
        const struct ossa__packed_shifts shifts = shifts_without(missing);
        random_packing(&random, missing, track % 8 < 4 ? 0.5 : 0.75, &packing);
        for (unsigned i = 0; i < KEYS; i++) keys[i] = next_random(&random);
        assert_int_equal(kernels[0]->unpack(keys, KEYS, &shifts, &packing, wanted[0], STRIDE),
                         KEYS);
        for (unsigned i = 0; i < KEYS; i++) {
            struct rotation exact;
            assert_true(read_key(keys[i], &packing, missing, &exact));
            const double q[4] = {exact.x, exact.y, exact.z, exact.w};
            for (unsigned k = 0; k < 4; k++) worst = fmax(worst, fabs(q[k] - (double)wanted[i][k]));
            assert_true(wanted[i][4] == 0.0F); /* nothing between them is touched */
        }
        for (size_t k = 1; k < kernel_count; k++) {
            float found[KEYS][STRIDE] = {{0}};
            assert_int_equal(kernels[k]->unpack(keys, KEYS, &shifts, &packing, found[0], STRIDE),
                             KEYS);
            assert_memory_equal(found, wanted, sizeof found);
        }
    }
    print_message("the worst component is off by %.3g\n", worst);
    assert_true(worst < 3e-7);
}

/* The same keys in double: to the last bit what they are one by one. */
static void every_width_unpacks_exactly(void **state)
{
    (void)state;
    enum { KEYS = 61, TRACKS = 4000, STRIDE = 5 };
    struct random random = {4711};
    for (unsigned track = 0; track < TRACKS; track++) {
        uint32_t keys[KEYS];
        float wanted[KEYS][STRIDE] = {{0}};
        struct ossa__packing packing;
        unsigned missing = track % 4;
        const struct ossa__packed_shifts shifts = shifts_without(missing);
        random_packing(&random, missing, track % 8 < 4 ? 0.5 : 0.75, &packing);
        for (unsigned i = 0; i < KEYS; i++) {
            keys[i] = next_random(&random);
            assert_true(ossa__unpack_exactly(keys[i], &shifts, &packing, 0, wanted[i]));
        }
        for (size_t k = 0; k < kernel_count; k++) {
            for (size_t count = 0; count <= KEYS; count += count < 9 ? 1 : KEYS - 9) {
                float found[KEYS][STRIDE] = {{0}};
                assert_true(kernels[k]->unpack_exactly(keys, count, &packing, found[0], STRIDE));
                assert_memory_equal(found, wanted, count * sizeof found[0]);
                assert_true(count == KEYS || found[count][3] == 0.0F);
            }
            packing.centre[1][0] = track % 8 < 4 ? NAN : INFINITY;
            float found[KEYS][4];
            assert_false(kernels[k]->unpack_exactly(keys, KEYS, &packing, found[0], 4));
            random_packing(&random, missing, 0.5, &packing);
            for (unsigned i = 0; i < KEYS; i++) {
                (void)ossa__unpack_exactly(keys[i], &shifts, &packing, 0, wanted[i]);
            }
        }
    }
}

/* A component that nothing is left for is 0, whatever its sign says. */
static void nothing_left_is_never_negative(void **state)
{
    (void)state;
    enum { KEYS = 9 };
    struct random random = {8};
    for (unsigned missing = 0; missing < 4; missing++) {
        uint32_t keys[KEYS];
        struct ossa__packing packing = {.same_missing = (int32_t)missing};
        packing.missing[missing][0] = -1;
        packing.centre[0][0] = packing.centre[1][0] = 1.0F;
        for (unsigned i = 0; i < KEYS; i++) keys[i] = next_random(&random);
        for (size_t k = 0; k < kernel_count; k++) {
            float found[KEYS][4];
            assert_true(kernels[k]->unpack_exactly(keys, KEYS, &packing, found[0], 4));
            for (unsigned i = 0; i < KEYS; i++) {
                assert_true(found[i][missing] == 0.0F && !signbit(found[i][missing]));
            }
        }
    }
}

/* Roots and their inverses near 1 are found without either: every case that rounding leaves. */
static void lengths_near_1_are_exact(void **state)
{
    (void)state;
    for (int k = -200; k <= 200; k++) {
        double x = k < 0 ? 1.0 + k * 0x1p-53 : 1.0 + k * 0x1p-52;
        double root = sqrt(x);
        double half = x * 0.5 - 0.5;
        double above = 2.0 - (1.0 + (half - 0x1p-54));
        double below = 1.0 + (0.375 * 0x1p-52 - half);
        assert_true((x < 1.0 ? below : above) == 1.0 / root);
    }
}

static void every_width_finds_what_is_no_rotation(void **state)
{
    (void)state;
    enum { COUNT = 37 };
    static const float bad[] = {1.00001F, 0.99999F, 0.0F, 2.0F, INFINITY, NAN, 3e38F};
    for (size_t k = 0; k < kernel_count; k++) {
        float q[COUNT][4] = {{0}};
        for (unsigned i = 0; i < COUNT; i++) q[i][i % 4] = i % 3 == 0 ? -1.0F : 1.0F;
        for (unsigned i = 0; i <= COUNT; i++) assert_true(kernels[k]->are_rotations(q[0], i));
        for (unsigned i = 0; i < COUNT; i++) {
            for (size_t b = 0; b < sizeof bad / sizeof bad[0]; b++) {
                float before = q[i][i % 4];
                q[i][i % 4] = bad[b];
                assert_false(kernels[k]->are_rotations(q[0], COUNT));
                assert_true(kernels[k]->are_rotations(q[0], i));
                q[i][i % 4] = before;
            }
        }
    }
}

/* A key of all zeros without a centre is a rotation by nothing; one whose components are not
 * numbers is none, wherever it is. */
static void keys_without_a_rotation_are_found(void **state)
{
    (void)state;
    enum { KEYS = 20 };
    for (size_t k = 0; k < kernel_count; k++) {
        for (uint32_t at = 0; at <= KEYS; at++) {
            struct ossa__packing packing = {.same_missing = 3};
            const struct ossa__packed_shifts shifts = shifts_without(3);
            uint32_t keys[KEYS] = {0};
            float rotations[KEYS][4];
            packing.missing[3][0] = -1;
            /* Twice this is too much for a float, and fine for a double. */
            packing.step[0][0] = FLT_MAX;
            if (at < KEYS) keys[at] = 1U << 24;
            assert_int_equal(kernels[k]->unpack(keys, KEYS, &shifts, &packing, rotations[0], 4),
                             KEYS);
            if (at < KEYS) assert_true(rotations[at][0] == 1.0F && rotations[at][3] == 0.0F);
            packing.centre[1][0] = at % 2 == 0 ? NAN : INFINITY;
            assert_int_equal(kernels[k]->unpack(keys, KEYS, &shifts, &packing, rotations[0], 4), 0);
        }
    }
}

/* CTest runs this group with OSSA_SIMD, too. */
static void the_environment_chooses(void **state)
{
    (void)state;
    const char *wanted = getenv("OSSA_SIMD");
    const struct ossa__kernels *chosen = kernels[kernel_count - 1];
    for (size_t k = 0; wanted != NULL && k < kernel_count; k++) {
        if (strcmp(kernels[k]->name, wanted) == 0) chosen = kernels[k];
    }
    assert_ptr_equal(ossa__kernels(), chosen);
}

TEST_GROUP(test_sample_lanes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_environment_chooses),
        cmocka_unit_test(every_width_mixes_the_same_bits),
        cmocka_unit_test(no_arc_is_off_by_more_than_rounding),
        cmocka_unit_test(a_wide_arc_does_not_round_its_middle),
        cmocka_unit_test(every_width_gives_the_same_matrices),
        cmocka_unit_test(every_width_unpacks_the_same_bits),
        cmocka_unit_test(every_width_unpacks_exactly),
        cmocka_unit_test(nothing_left_is_never_negative),
        cmocka_unit_test(lengths_near_1_are_exact),
        cmocka_unit_test(every_width_finds_what_is_no_rotation),
        cmocka_unit_test(keys_without_a_rotation_are_found),
    };
    return cmocka_run_group_tests(tests, find_kernels, NULL);
}
