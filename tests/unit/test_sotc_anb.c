/* SPDX-License-Identifier: MIT */
#include "support/refusals.h"
#include "support/testing.h"
#include "support/sotc_fixture.h"
#include "base/quaternion.h"
#include "formats/shadow_of_the_colossus/sotc_rotation.h"

#include <math.h>
#include <string.h>

static const uint8_t flags[] = {0, 3, 4, 5, 6, 12, 13};

/* The file of the fixture "every-flag", and where everything is in it. */
static struct bytes make_plain(struct anb_places *places)
{
    const struct anb_plan plan = {.seed = 81, .bones = 7, .poses = 6};
    struct bytes file = make_anb(&plan, places);
    const struct fixture *fixture = fixture_find("sotc-anb/every-flag");
    require_same(fixture->name, &file, fixture->bytes.data, fixture->bytes.size);
    return file;
}

static unsigned constants_of(unsigned bone)
{
    static const unsigned counts[] = {4, 8, 8, 8, 8, 6, 5};
    return counts[bone];
}

static void the_header_and_the_bones_are_found(void **state)
{
    (void)state;
    struct anb_places places;
    struct bytes bytes = make_plain(&places);
    ossa_file *file = read_or_fail("plain", bytes.data, bytes.size, NULL);
    const ossa_sotc_anb *anb = ossa_as_sotc_anb(file);
    assert_null(ossa_as_sotc_xff(file));
    assert_int_equal(anb->pose_count, 6);
    assert_int_equal(anb->bone_count, 7);
    assert_int_equal(anb->section_offset, places.section);
    for (unsigned i = 0; i < OSSA_SOTC_ANB_WORDS; i++)
        assert_int_equal(anb->header[i], get_u32(&bytes, places.header + 4 * (size_t)i));
    for (unsigned b = 0; b < 7; b++) {
        const ossa_sotc_bone *bone = &anb->bones[b];
        assert_int_equal(bone->flag, flags[b]);
        assert_int_equal(bone->constant_count, constants_of(b));
        assert_int_equal(bone->record_offset, places.record[b] - places.section);
        assert_int_equal(bone->keys_offset, b == 0 ? 0 : places.keys[b] - places.section);
        for (unsigned c = 0; c < constants_of(b); c++)
            assert_int_equal(bits_of_f32(bone->constants[c]),
                             get_u32(&bytes, places.record[b] + 4 * (size_t)c));
    }
    ossa_file_free(file);
    bytes_free(&bytes);
}

/* Keys and constants stand where they are in the file, or in copies where that is misaligned. */
static void aligned_data_is_not_copied(void **state)
{
    (void)state;
    skip_unless_little_endian();
    struct anb_places places;
    struct bytes bytes = make_plain(&places);
    ossa_file *file = read_or_fail("plain", bytes.data, bytes.size, NULL);
    const ossa_sotc_anb *anb = ossa_as_sotc_anb(file);
    assert_ptr_equal(anb->container.image, bytes.data);
    for (unsigned b = 0; b < 7; b++)
        assert_ptr_equal(anb->bones[b].constants, bytes.data + places.record[b]);
    assert_ptr_equal(anb->bones[1].keys.packed, bytes.data + places.keys[1]);
    assert_ptr_equal(anb->bones[5].keys.triple, bytes.data + places.keys[5]);
    assert_ptr_equal(anb->bones[6].keys.angle, bytes.data + places.keys[6]);
    ossa_file_free(file);
    bytes_free(&bytes);
}

/* ---- decoding ------------------------------------------------------------------------------ */

/* Bits `shift` to `shift + width` of a key as a signed number, by the table in the format's
 * page: written anew here, so that it can disagree with the library. */
static double field_of(uint32_t key, unsigned shift, unsigned width)
{
    int64_t value = (int64_t)(key >> shift) % (INT64_C(1) << width);
    if (value >= INT64_C(1) << (width - 1)) value -= INT64_C(1) << width;
    return (double)value;
}

static void decode_packed(uint8_t flag, uint32_t key, const double *constants, double out[4])
{
    static const unsigned shifts[4][4] = {
        {27, 18, 9, 0}, {23, 18, 9, 0}, {23, 14, 9, 0}, {23, 14, 5, 0}};
    static const unsigned sign_bits[4] = {31, 22, 13, 4};
    unsigned missing = flag - 3U;
    double sum = 0.0;
    size_t pair = 0;
    for (unsigned c = 0; c < 4; c++) {
        if (c == missing) continue;
        out[c] = field_of(key, shifts[missing][c], 9) / 256.0 * constants[2 * pair + 1] +
                 constants[2 * pair];
        sum += out[c] * out[c];
        pair++;
    }
    double rest = 1.0 - sum;
    out[missing] = rest > 1e-9 ? sqrt(rest) : 0.0;
    if (key >> sign_bits[missing] & 1U) out[missing] = -out[missing];
}

static void decode_triple(const int *key, const double *constants, double out[4])
{
    double sum = 0.0;
    for (size_t c = 0; c < 3; c++) {
        out[c] = key[c] / 32768.0 * constants[2 * c + 1] + constants[2 * c];
        sum += out[c] * out[c];
    }
    double rest = 1.0 - sum;
    out[3] = rest > 1e-9 ? sqrt(rest) : 0.0;
    if (key[0] % 2 != 0) out[3] = -out[3];
}

static void decode_angle(int key, const double *constants, double out[4])
{
    double half = (key / 32768.0 * constants[1] + constants[0]) / 2.0;
    double length = sqrt(constants[2] * constants[2] + constants[3] * constants[3] +
                         constants[4] * constants[4]);
    for (unsigned c = 0; c < 3; c++)
        out[c] = length > 0.0 ? constants[2 + c] / length * sin(half) : 0.0;
    out[3] = cos(half);
}

static int i16_at(const struct bytes *bytes, size_t offset)
{
    int value = (int)get_u16(bytes, offset);
    return value >= 0x8000 ? value - 0x10000 : value;
}

/* From the bytes of the file alone. */
static void decode(const struct bytes *bytes, const struct anb_places *places, unsigned bone,
                   size_t pose, double out[4])
{
    double constants[8];
    for (unsigned c = 0; c < constants_of(bone); c++)
        constants[c] = (double)f32_of_bits(get_u32(bytes, places->record[bone] + 4 * (size_t)c));
    size_t keys = places->keys[bone];
    if (flags[bone] == 0) {
        memcpy(out, constants, 4 * sizeof *out);
    } else if (flags[bone] == 12) {
        int key[3];
        for (size_t c = 0; c < 3; c++) key[c] = i16_at(bytes, keys + 6 * pose + 2 * c);
        decode_triple(key, constants, out);
    } else if (flags[bone] == 13) {
        decode_angle(i16_at(bytes, keys + 2 * pose), constants, out);
    } else {
        decode_packed(flags[bone], get_u32(bytes, keys + 4 * pose), constants, out);
    }
}

static void require_quaternions(const char *name, const struct bytes *bytes,
                                const struct anb_places *places, uint32_t poses)
{
    ossa_file *file = read_or_fail(name, bytes->data, bytes->size, NULL);
    const ossa_sotc_anb *anb = ossa_as_sotc_anb(file);
    for (unsigned b = 0; b < 7; b++) {
        for (uint32_t p = 0; p < poses; p++) {
            double expected[4];
            double found[4];
            decode(bytes, places, b, p, expected);
            assert_true(ossa_sotc_quaternion(anb, b, p, found));
            for (unsigned c = 0; c < 4; c++) {
                require(fabs(found[c] - expected[c]) < 1e-12, name,
                        "bone %u, pose %u, component %u: %.17g, expected %.17g", b, (unsigned)p, c,
                        found[c], expected[c]);
            }
        }
    }
    ossa_file_free(file);
}

static void every_flag_decodes_as_documented(void **state)
{
    (void)state;
    struct anb_places places;
    struct bytes bytes = make_plain(&places);
    require_quaternions("plain", &bytes, &places, 6);
    bytes_free(&bytes);
    for (uint32_t shift = 1; shift < 4; shift++) {
        struct anb_plan plan = {.seed = 94 + shift, .bones = 7, .poses = 40, .misalignment = shift};
        bytes = make_anb(&plan, &places);
        require_quaternions("misaligned section", &bytes, &places, 40);
        bytes_free(&bytes);
    }
}

/* One key with known fields for each packed flag, worked out by hand. */
static void packed_keys_worked_out_by_hand(void **state)
{
    (void)state;
    /* pairs 0, 1, 2: (0, 0.5), (0.125, 0.5), (-0.125, 0.5); fields 64, -128, 255 and the sign */
    static const struct {
        uint8_t flag;
        uint32_t key;
    } cases[] = {
        {3, 0x10U << 27 | 64U << 18 | 384U << 9 | 255U},
        {4, 64U << 23 | 0x10U << 18 | 384U << 9 | 255U},
        {5, 64U << 23 | 384U << 14 | 0x10U << 9 | 255U},
        {6, 64U << 23 | 384U << 14 | 255U << 5 | 0x10U},
    };
    const double stored[3] = {0.125, 0.125 - 0.25, 255.0 / 512.0 - 0.125};
    const double missing =
        -sqrt(1.0 - stored[0] * stored[0] - stored[1] * stored[1] - stored[2] * stored[2]);
    static const float pairs[] = {0.0F, 0.5F, 0.125F, 0.5F, -0.125F, 0.5F, 9.0F, 9.0F};
    for (size_t i = 0; i < 4; i++) {
        for (unsigned negative = 0; negative < 2; negative++) {
            static const unsigned bit[] = {31, 22, 13, 4};
            uint32_t key = cases[i].key;
            if (negative == 0) key &= ~(1U << bit[i]);
            ossa_sotc_bone bone = {.flag = cases[i].flag,
                                   .constant_count = 8,
                                   .constants = pairs,
                                   .keys.packed = &key};
            ossa_sotc_anb anb = {.pose_count = 1, .bone_count = 1, .bones = &bone};
            double q[4];
            assert_true(ossa_sotc_quaternion(&anb, 0, 0, q));
            unsigned used = 0;
            for (unsigned c = 0; c < 4; c++) {
                double expected = c == i ? (negative ? missing : -missing) : stored[used++];
                assert_true(fabs(q[c] - expected) < 1e-15);
            }
        }
    }
}

/* Rounding may leave less than nothing for the component that is left out. */
static void nothing_left_is_zero(void **state)
{
    (void)state;
    static const float pairs[] = {1.0F, 0.0F, 0.5F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F};
    static const uint32_t key = 0x80000000U;
    ossa_sotc_bone bone = {.flag = 3, .constant_count = 8, .constants = pairs, .keys.packed = &key};
    ossa_sotc_anb anb = {.pose_count = 1, .bone_count = 1, .bones = &bone};
    double q[4];
    assert_true(ossa_sotc_quaternion(&anb, 0, 0, q));
    assert_true(q[0] == 0.0);
    static const float zero_axis[] = {1.0F, 0.0F, 0.0F, 0.0F, 0.0F};
    static const int16_t angle = 0;
    ossa_sotc_bone turning = {
        .flag = 13, .constant_count = 5, .constants = zero_axis, .keys.angle = &angle};
    anb.bones = &turning;
    assert_true(ossa_sotc_quaternion(&anb, 0, 0, q));
    assert_true(q[0] == 0.0 && q[1] == 0.0 && q[2] == 0.0);
}

/* What is left must be above 1e-9 to count: with less it is the rounding of the others. */
static void little_left_is_not_zero(void **state)
{
    (void)state;
    static const float stored[][2] = {
        {0.9999F, 0.0F}, {0.999999F, 0.0F}, {0.99999994F, 0.0F}, {0.99999994F, 0.00034526F}};
    for (size_t i = 0; i < 4; i++) {
        const float pairs[] = {stored[i][0], 0.0F, stored[i][1], 0.0F, 0.0F, 0.0F, 0.0F, 0.0F};
        static const uint32_t key = 0x80000000U; /* the sign of i */
        ossa_sotc_bone bone = {
            .flag = 3, .constant_count = 8, .constants = pairs, .keys.packed = &key};
        ossa_sotc_anb anb = {.pose_count = 1, .bone_count = 1, .bones = &bone};
        double q[4];
        double rest =
            1.0 - (double)pairs[0] * (double)pairs[0] - (double)pairs[2] * (double)pairs[2];
        assert_true(i == 3 ? rest > 0.0 && rest < 1e-9 : rest > 1e-9);
        assert_true(ossa_sotc_quaternion(&anb, 0, 0, q));
        double expected = i == 3 ? 0.0 : -sqrt(rest);
        assert_true(fabs(q[0] - expected) < 1e-12);
    }
}

static void what_is_not_there_is_the_identity(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("sotc-anb/unknown-flag"));
    const ossa_sotc_anb *anb = ossa_as_sotc_anb(file);
    static const double identity[4] = {0, 0, 0, 1};
    static const uint32_t asked[][2] = {{2, 0}, {7, 0}, {0, 6}, {0xffffffff, 0}, {0, 0xffffffff}};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        double q[4] = {9, 9, 9, 9};
        assert_false(ossa_sotc_quaternion(anb, asked[i][0], asked[i][1], q));
        assert_memory_equal(q, identity, sizeof q);
    }
    assert_int_equal(anb->bones[2].constant_count, 0);
    ossa_file_free(file);
}

/* Infinity times 0 is a NaN whose sign depends on the machine. */
static void a_computed_nan_is_the_plain_one(void **state)
{
    (void)state;
    struct anb_places places;
    struct bytes bytes = make_plain(&places);
    set_f32(&bytes, places.record[4] + 4, INFINITY);
    set_u32(&bytes, places.keys[4], 0);
    ossa_file *file = read_or_fail("plain", bytes.data, bytes.size, NULL);
    ossa_buffer json = {0};
    assert_true(ossa_dump(file, OSSA_JSON_STYLE_LINE, ossa_buffer_sink(&json), NULL));
    assert_true(ossa_buffer_sink(&json).write(&json, "", 1));
    assert_non_null(strstr((const char *)json.data, "[\"0x7fc00000\","));
    assert_null(strstr((const char *)json.data, "0xffc00000"));
    ossa_buffer_free(&json);
    ossa_file_free(file);
    bytes_free(&bytes);
}

static void the_step_of_keys_is_known(void **state)
{
    (void)state;
    static const float pairs[] = {0.0F, 0.5F, 0.0F, -1.0F, 0.0F, 0.25F, 0.0F, 8.0F};
    ossa_sotc_bone bone = {.flag = 6, .constants = pairs};
    assert_true(ossa_sotc_key_step(&bone) == 1.0 / 256.0); /* the fourth pair does not count */
    bone.flag = 12;
    assert_true(ossa_sotc_key_step(&bone) == 1.0 / 32768.0);
    bone.flag = 13;
    assert_true(ossa_sotc_key_step(&bone) == 0.5 / 32768.0);
    bone.flag = 0;
    assert_true(ossa_sotc_key_step(&bone) == 0.0);
    bone.flag = 1;
    assert_true(ossa_sotc_key_step(&bone) == 0.0);
}

/* ---- changing a file ----------------------------------------------------------------------- */

static void changed_keys_and_constants_change_only_their_bytes(void **state)
{
    (void)state;
    struct anb_places places;
    struct bytes bytes = make_plain(&places);
    ossa_file *file = read_or_fail("plain", bytes.data, bytes.size, NULL);
    ossa_sotc_anb *anb = ossa_as_sotc_anb(file);
    ossa_sotc_bone bones[7];
    memcpy(bones, anb->bones, sizeof bones);
    uint32_t packed[6];
    int16_t triple[6][3];
    int16_t angle[6];
    float constants[5];
    memcpy(packed, bones[4].keys.packed, sizeof packed);
    memcpy(triple, bones[5].keys.triple, sizeof triple);
    memcpy(angle, bones[6].keys.angle, sizeof angle);
    memcpy(constants, bones[6].constants, sizeof constants);
    packed[5] = 0x12345678;
    triple[1][2] = -2;
    angle[0] = 0x7ffe;
    constants[4] = -0.5F;
    bones[4].keys.packed = packed;
    bones[5].keys.triple = (const int16_t(*)[3])triple;
    bones[6].keys.angle = angle;
    bones[6].constants = constants;
    anb->bones = bones;
    struct bytes expected = bytes_copy(bytes.data, bytes.size);
    set_u32(&expected, places.keys[4] + 20, 0x12345678);
    set_u16(&expected, places.keys[5] + 6 + 4, 0xfffe);
    set_u16(&expected, places.keys[6], 0x7ffe);
    set_f32(&expected, places.record[6] + 16, -0.5F);
    require_written("plain", file, expected.data, expected.size);
    bytes_free(&expected);
    ossa_file_free(file);
    bytes_free(&bytes);
}

/* Two records that share bytes: the one that was changed counts, in either order. */
static void a_change_to_shared_bytes_is_kept(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("sotc-anb/shared-record");
    for (unsigned changed = 0; changed < 2; changed++) {
        ossa_file *file = read_fixture(fixture);
        ossa_sotc_anb *anb = ossa_as_sotc_anb(file);
        ossa_sotc_bone bones[7];
        float constants[8];
        memcpy(bones, anb->bones, sizeof bones);
        assert_int_equal(bones[0].record_offset, bones[1].record_offset);
        memcpy(constants, bones[1].constants, sizeof constants);
        constants[2] = 0.375F;
        bones[changed].constants = constants;
        anb->bones = bones;
        struct bytes expected = bytes_copy(fixture->bytes.data, fixture->bytes.size);
        set_f32(&expected, (size_t)anb->section_offset + bones[1].record_offset + 8, 0.375F);
        require_written(fixture->name, file, expected.data, expected.size);
        bytes_free(&expected);
        ossa_file_free(file);
    }
}

static void offsets_cannot_be_changed(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("sotc-anb/every-flag"));
    ossa_sotc_anb *anb = ossa_as_sotc_anb(file);
    ossa_sotc_bone bones[7];
    memcpy(bones, anb->bones, sizeof bones);
    bones[3].record_offset = 0xfffffff0;
    anb->bones = bones;
    require_write_refused(file, "bones");
    ossa_file_free(file);
}

static void a_copy_outlives_the_input(void **state)
{
    (void)state;
    struct anb_places places;
    struct bytes bytes = make_plain(&places);
    ossa_file *file = read_and_lose_input(fixture_find("sotc-anb/every-flag"));
    require_written("copy", file, bytes.data, bytes.size);
    const ossa_sotc_anb *anb = ossa_as_sotc_anb(file);
    assert_int_equal(anb->bones[6].keys.angle[2], i16_at(&bytes, places.keys[6] + 4));
    ossa_file_free(file);
    bytes_free(&bytes);
}

/* ---- odd layouts --------------------------------------------------------------------------- */

static void the_high_half_of_the_poses_is_kept_apart(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("sotc-anb/poses-high"));
    const ossa_sotc_anb *anb = ossa_as_sotc_anb(file);
    assert_int_equal(anb->header[1], 0xbeef0002);
    assert_int_equal(anb->pose_count, 2);
    ossa_file_free(file);
}

static void the_header_is_at_the_entry(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("sotc-anb/entry"));
    const ossa_sotc_anb *anb = ossa_as_sotc_anb(file);
    assert_int_equal(anb->container.words[19], 40);
    assert_int_equal(anb->header[0], 12);
    assert_int_equal(anb->header[2], 40 + 68); /* still from the start of the section */
    assert_int_equal(anb->bones[6].flag, 13);
    ossa_file_free(file);
}

/* The gaps are just the bytes that no field covers. */
static void gaps_are_what_nothing_covers(void **state)
{
    (void)state;
    struct anb_places places;
    const struct anb_plan plan = {.seed = 5, .bones = 7, .poses = 3, .before = 8, .fill = 0xee};
    struct bytes bytes = make_anb(&plan, &places);
    put_text(&bytes, "disc");
    ossa_file *file = read_or_fail("gaps", bytes.data, bytes.size, NULL);
    const ossa_sotc_xff *xff = &ossa_as_sotc_anb(file)->container;
    /* Between strings and data (and before the header); one byte behind 7 flags; behind three
     * angles; the tail. Three triples take 18 bytes, so two follow those. */
    const size_t strings = places.container.strings;
    const uint64_t expected[][2] = {
        {strings + 14, places.header - strings - 14},
        {places.flags + 7, 1},
        {places.keys[5] + 18, 2},
        {places.keys[6] + 6, 4},
    };
    assert_int_equal(xff->gap_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(xff->gaps[i].offset, expected[i][0]);
        assert_int_equal(xff->gaps[i].size, expected[i][1]);
    }
    ossa_file_free(file);
    bytes_free(&bytes);
}

/* The rotations of a scene are the stored ones with -i, made to length 1 in double and rounded. */
static void rotations_are_the_quaternions(void **state)
{
    (void)state;
    enum { BONES = 700, POSES = 37, STRIDE = 7 };
    struct bytes bytes = make_big_anb(BONES, POSES);
    ossa_file *file = read_or_fail("big", bytes.data, bytes.size, NULL);
    const ossa_sotc_anb *anb = ossa_as_sotc_anb(file);
    for (uint32_t b = 0; b < BONES; b++) {
        float all[POSES][STRIDE];
        assert_true(ossa__anb_rotations(&anb->bones[b], 0, POSES, all[0], STRIDE));
        for (uint32_t p = 0; p < POSES; p++) {
            double ijks[4];
            float rotation[4];
            float one[4];
            assert_true(ossa_sotc_quaternion(anb, b, p, ijks));
            struct ossa__quat q = {0.0 - ijks[0], ijks[1], ijks[2], ijks[3]};
            assert_true(ossa__quat_normalise(&q));
            ossa__quat_store(q, rotation);
            assert_memory_equal(all[p], rotation, sizeof rotation);
            assert_true(ossa__anb_rotations(&anb->bones[b], p, 1, one, 4));
            assert_memory_equal(one, rotation, sizeof rotation);
        }
    }
    ossa_file_free(file);
    bytes_free(&bytes);
}

static void equal_keys_do_not_change(void **state)
{
    (void)state;
    enum { POSES = 6 };
    const uint32_t packed[2][POSES] = {{7, 7, 7, 7, 7, 7}, {7, 7, 7, 7, 7, 8}};
    const int16_t triples[2][POSES][3] = {{{0}}, {{0}, {0}, {0, 0, 1}}};
    const int16_t angles[2][POSES] = {{-3, -3, -3, -3, -3, -3}, {-3, -3, -3, -3, -3, 0}};
    for (unsigned i = 0; i < 2; i++) {
        for (uint8_t flag = 3; flag <= 6; flag++) {
            const ossa_sotc_bone bone = {.flag = flag, .keys.packed = packed[i]};
            assert_int_equal(ossa__anb_changes(&bone, POSES), i == 1);
            assert_false(ossa__anb_changes(&bone, POSES - 1));
            assert_false(ossa__anb_changes(&bone, 0));
        }
        const ossa_sotc_bone triple = {.flag = 12, .keys.triple = triples[i]};
        const ossa_sotc_bone angle = {.flag = 13, .keys.angle = angles[i]};
        assert_int_equal(ossa__anb_changes(&triple, POSES), i == 1);
        assert_int_equal(ossa__anb_changes(&angle, POSES), i == 1);
    }
    const ossa_sotc_bone constant = {.flag = 0};
    assert_false(ossa__anb_changes(&constant, POSES));
}

TEST_GROUP(test_sotc_anb)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_header_and_the_bones_are_found),
        cmocka_unit_test(aligned_data_is_not_copied),
        cmocka_unit_test(every_flag_decodes_as_documented),
        cmocka_unit_test(packed_keys_worked_out_by_hand),
        cmocka_unit_test(nothing_left_is_zero),
        cmocka_unit_test(little_left_is_not_zero),
        cmocka_unit_test(what_is_not_there_is_the_identity),
        cmocka_unit_test(a_computed_nan_is_the_plain_one),
        cmocka_unit_test(the_step_of_keys_is_known),
        cmocka_unit_test(rotations_are_the_quaternions),
        cmocka_unit_test(equal_keys_do_not_change),
        cmocka_unit_test(changed_keys_and_constants_change_only_their_bytes),
        cmocka_unit_test(a_change_to_shared_bytes_is_kept),
        cmocka_unit_test(offsets_cannot_be_changed),
        cmocka_unit_test(a_copy_outlives_the_input),
        cmocka_unit_test(the_high_half_of_the_poses_is_kept_apart),
        cmocka_unit_test(the_header_is_at_the_entry),
        cmocka_unit_test(gaps_are_what_nothing_covers),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
