/* SPDX-License-Identifier: MIT */
#include "support/sotc_editing.h"
#include "support/sotc_fixture.h"
#include "support/testing.h"

#include <math.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180.0)

/* ---- no edit ------------------------------------------------------------------------------- */

static void what_is_not_edited_is_not_written(void **state)
{
    (void)state;
    static const char *const names[] = {
        "sotc-anb/every-flag",    "sotc-anb/xff2",          "sotc-anb/constant",
        "sotc-anb/one-key",       "sotc-anb/entry",         "sotc-anb/garbage",
        "sotc-anb/poses-high",    "sotc-anb/unaligned",     "sotc-anb/half-aligned",
        "sotc-anb/big",           "sotc-anb/after-size",    "sotc-anb/shared-tables",
        "sotc-anb/linked",        "sotc-anb/linked-xff2",   "sotc-anb/flags-in-header",
        "sotc-anb/shared-record", "sotc-anb/three-sections"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct anb_trial *trial = anb_begin_fixture(names[i]);
        struct anb_wish wish = {.bone = ANB_NO_BONE, .noise = 0.0019};
        anb_apply(trial, &wish);
        assert_int_equal(trial->editing.editing.file_count, 0);
        assert_int_equal(trial->editing.editing.loss_count, 0);
        anb_end(trial);
    }
    struct scene_files bird = {0};
    struct editing editing = {0};
    add_folder(&bird, OSSA_SAMPLE_DIR "/bird");
    assert_true(editing_run(&editing, bird.inputs, bird.count, NULL));
    assert_int_equal(editing.scene->clip_count, 2);
    assert_int_equal(editing.editing.file_count, 0);
    editing_free(&editing);
    free_files(&bird);
}

/* ---- within the range of a bone ------------------------------------------------------------ */

static struct anb_trial *begin_bird(const char *clip)
{
    struct anb_trial *trial = NULL;
    struct scene_files bird = {0};
    add_folder(&bird, OSSA_SAMPLE_DIR "/bird");
    for (size_t i = 0; i < bird.count; i++) {
        if (strcmp(bird.inputs[i].path, clip) != 0) continue;
        trial = anb_begin(clip, bytes_copy(bird.bytes[i].data, bird.bytes[i].size));
    }
    free_files(&bird);
    assert_non_null(trial);
    return trial;
}

/* The keys of five frames become those of others: all else stays, the odd bits too. */
static void only_the_keys_that_were_edited_change(void **state)
{
    (void)state;
    static const char *const clips[] = {"fly.anb", "glide.anb"};
    unsigned seen[14] = {0};
    for (size_t c = 0; c < 2; c++) {
        struct anb_trial *count = begin_bird(clips[c]);
        uint32_t bones = count->anb->bone_count;
        anb_end(count);
        for (uint32_t b = 0; b < bones; b++) {
            struct anb_trial *trial = begin_bird(clips[c]);
            const ossa_sotc_bone *bone = &trial->anb->bones[b];
            size_t size = anb_key_size(bone->flag);
            struct anb_wish wish = {
                .bone = b, .first = 5, .count = 5, .anb = trial->anb, .from = 11};
            anb_apply(trial, &wish);
            assert_int_equal(trial->editing.editing.loss_count, 0);
            assert_true(trial->editing.editing.file_count <= (size > 0 ? 1U : 0U));
            if (trial->editing.editing.file_count == 1) {
                struct bytes file = anb_written(trial);
                struct bytes expected = bytes_copy(trial->old.data, trial->old.size);
                size_t keys = (size_t)trial->anb->section_offset + bone->keys_offset;
                for (size_t f = 5; f < 10; f++) { /* the odd bits are 0 in this sample */
                    memcpy(expected.data + keys + f * size,
                           trial->old.data + keys + (f + 11) * size, size);
                    struct ossa__quat was = anb_rotation(trial->anb, b, (uint32_t)f);
                    struct ossa__quat is = anb_rotation(trial->anb, b, (uint32_t)f + 11);
                    if (!ossa__same_rotation(was, is)) continue;
                    memcpy(expected.data + keys + f * size, trial->old.data + keys + f * size,
                           size);
                }
                require_same(clips[c], &file, expected.data, expected.size);
                bytes_free(&expected);
                bytes_free(&file);
                seen[bone->flag]++;
            }
            anb_end(trial);
        }
    }
    assert_true(seen[12] > 0 && seen[13] > 0 && seen[3] + seen[4] + seen[5] + seen[6] > 0);
}

/* Random keys have odd bits, which the edit leaves alone. */
static void odd_bits_stay(void **state)
{
    (void)state;
    static const unsigned shifts[] = {27, 18, 9, 0};
    unsigned differ = 0;
    for (uint32_t b = 1; b <= 4; b++) {
        struct anb_trial *trial = anb_begin_fixture("sotc-anb/linked");
        struct anb_wish wish = {.bone = b, .first = 1, .count = 2, .anb = trial->anb, .from = 3};
        struct bytes file = anb_edit(trial, &wish);
        const ossa_sotc_bone *bone = &trial->anb->bones[b];
        size_t keys = (size_t)trial->anb->section_offset + bone->keys_offset;
        struct bytes expected = bytes_copy(trial->old.data, trial->old.size);
        for (size_t f = 1; f < 3; f++) {
            uint32_t odd = 15U << shifts[b - 1];
            uint32_t key = (bone->keys.packed[f + 3] & ~odd) | (bone->keys.packed[f] & odd);
            differ += (bone->keys.packed[f] & odd) != (bone->keys.packed[f + 3] & odd);
            set_u32(&expected, keys + 4 * f, key);
        }
        require_same("linked", &file, expected.data, expected.size);
        bytes_free(&expected);
        bytes_free(&file);
        anb_end(trial);
    }
    assert_true(differ > 2);
}

/* Where a component does not vary, its bits say nothing. They stay all the same. */
static void bits_that_say_nothing_stay(void **state)
{
    (void)state;
    struct anb_places places;
    const struct anb_plan plan = {.seed = 81, .bones = 7, .poses = 6};
    struct bytes bytes = make_anb(&plan, &places);
    set_f32(&bytes, places.record[5] + 12, 0.0F); /* the extent of J of flag 12 */
    struct anb_trial *trial = anb_begin("still.anb", bytes);
    struct anb_wish wish = {.bone = 5, .first = 1, .count = 2, .anb = trial->anb, .from = 3};
    struct bytes file = anb_edit(trial, &wish);
    assert_int_equal(file.size, trial->old.size);
    for (size_t i = 0; i < file.size; i++) {
        if (i >= places.keys[5] + 6 && i < places.keys[5] + 18) continue;
        assert_int_equal(file.data[i], trial->old.data[i]);
    }
    ossa_file *again = anb_require_changed(trial, &file, &wish, 0);
    assert_true(anb_worst_error(trial, ossa_as_sotc_anb(again), &wish) < 1e-4);
    ossa_file_free(again);
    bytes_free(&file);
    anb_end(trial);
}

/* ---- beyond it ----------------------------------------------------------------------------- */

static const char *const packed_anew[] = {"sotc-anb/every-flag",  "sotc-anb/linked",
                                          "sotc-anb/linked-xff2", "sotc-anb/entry",
                                          "sotc-anb/after-size",  "sotc-anb/unaligned",
                                          "sotc-anb/poses-high",  "sotc-anb/shared-record",
                                          "sotc-anb/one-key",     "sotc-anb/three-sections"};

static void a_bone_is_packed_anew(void **state)
{
    (void)state;
    size_t grown = 0;
    size_t same = 0;
    for (size_t i = 0; i < sizeof packed_anew / sizeof packed_anew[0]; i++) {
        struct anb_trial *count = anb_begin_fixture(packed_anew[i]);
        uint32_t bones = count->anb->bone_count;
        anb_end(count);
        for (uint32_t b = 0; b < bones; b++) {
            struct anb_trial *trial = anb_begin_fixture(packed_anew[i]);
            struct anb_wish wish = {.bone = b, .first = 1, .count = 2, .degrees = 70.0};
            if (trial->anb->pose_count < 3) wish.first = 0;
            struct bytes file = anb_edit(trial, &wish);
            assert_int_equal(trial->editing.editing.loss_count, 0);
            ossa_file *again = anb_require_changed(trial, &file, &wish, 0);
            double error = anb_worst_error(trial, ossa_as_sotc_anb(again), &wish);
            require(error <= 0.1, packed_anew[i], "%g degrees off", error);
            *(file.size > trial->old.size ? &grown : &same) += 1;
            ossa_file_free(again);
            bytes_free(&file);
            anb_end(trial);
        }
    }
    assert_true(grown > 5 && same > 5);
}

/* What was not edited is packed anew as it was in the file, without the noise of the edit. */
static void keys_that_are_kept_have_no_noise(void **state)
{
    (void)state;
    unsigned exact = 0;
    for (uint32_t b = 0; b < 15; b++) {
        struct anb_trial *trial = begin_bird("fly.anb");
        struct anb_wish wish = {.bone = b, .count = 1, .degrees = 70.0, .noise = 0.0019};
        trial->editing.limit = 0.001;
        struct bytes file = anb_edit(trial, &wish);
        ossa_file *again = anb_require_changed(trial, &file, &wish, 0);
        bool is_exact = trial->editing.editing.loss_count == 0;
        for (uint32_t f = 1; is_exact && f < trial->anb->pose_count; f++) {
            struct ossa__quat was = anb_rotation(trial->anb, b, f);
            struct ossa__quat is = anb_rotation(ossa_as_sotc_anb(again), b, f);
            assert_true(ossa__angle_between(was, is) <= 0.001 * DEGREE);
        }
        exact += is_exact;
        ossa_file_free(again);
        bytes_free(&file);
        anb_end(trial);
    }
    assert_true(exact >= 5);
}

/* With a limit that only 16 bits keep to, the record becomes smaller, and the keys larger. */
static void another_flag_moves_pointers(void **state)
{
    (void)state;
    for (uint32_t b = 1; b <= 4; b++) {
        struct anb_trial *trial = anb_begin_fixture("sotc-anb/linked");
        struct anb_wish wish = {.bone = b, .first = 0, .count = 3, .degrees = 5.0};
        trial->editing.limit = 0.01;
        struct bytes file = anb_edit(trial, &wish);
        ossa_file *again = anb_require_changed(trial, &file, &wish, 0);
        const ossa_sotc_bone *bone = &ossa_as_sotc_anb(again)->bones[b];
        assert_int_equal(bone->flag, 12);
        assert_int_equal(bone->record_offset, trial->anb->bones[b].record_offset);
        assert_true(bone->keys_offset != trial->anb->bones[b].keys_offset);
        assert_true(anb_worst_error(trial, ossa_as_sotc_anb(again), &wish) <= 0.01);
        ossa_file_free(again);
        bytes_free(&file);
        anb_end(trial);
    }
}

/* An angle is smaller than anything else: nothing moves but the pointer to the keys. */
static void a_smaller_packing_stays_in_place(void **state)
{
    (void)state;
    for (uint32_t b = 1; b <= 5; b++) {
        struct anb_trial *trial = anb_begin_fixture("sotc-anb/linked");
        struct anb_wish wish = {.bone = b, .count = 6, .is_spinning = true};
        trial->editing.limit = b == 5 ? 1e-4 : 0.002; /* too little for its own flag */
        struct bytes file = anb_edit(trial, &wish);
        assert_int_equal(file.size, trial->old.size);
        ossa_file *again = anb_require_changed(trial, &file, &wish, 0);
        const ossa_sotc_bone *bone = &ossa_as_sotc_anb(again)->bones[b];
        assert_int_equal(bone->flag, 13);
        assert_int_equal(bone->record_offset, trial->anb->bones[b].record_offset);
        assert_int_equal(bone->keys_offset, trial->anb->bones[b].keys_offset);
        assert_true(anb_worst_error(trial, ossa_as_sotc_anb(again), &wish) <= 0.002);
        ossa_file_free(again);
        bytes_free(&file);
        anb_end(trial);
    }
}

/* The axis of a bone is not its own any more. The limit would allow to leave it as it is, but it is
 * for what rounding costs. */
static void an_axis_may_be_tilted(void **state)
{
    (void)state;
    struct anb_trial *trial = begin_bird("fly.anb");
    struct anb_wish wish = {.bone = 6, .count = 40, .tilt = 0.3};
    assert_int_equal(trial->anb->bones[6].flag, 13);
    trial->editing.limit = 1.0;
    struct bytes file = anb_edit(trial, &wish);
    ossa_file *again = anb_require_changed(trial, &file, &wish, 0);
    const ossa_sotc_anb *anb = ossa_as_sotc_anb(again);
    assert_int_equal(anb->bones[6].flag, 13);
    assert_true(anb_worst_error(trial, trial->anb, &wish) > 0.01);
    assert_true(anb_worst_error(trial, anb, &wish) < 0.002);
    ossa_file_free(again);
    bytes_free(&file);
    anb_end(trial);
}

/* A bone that stands still and whose own packing is not good enough. Its record stays in place, and
 * with it what is relocated in it. */
static void a_bone_may_lose_its_keys(void **state)
{
    (void)state;
    for (uint32_t b = 1; b <= 6; b++) {
        struct anb_trial *trial = anb_begin_fixture("sotc-anb/linked");
        struct anb_wish wish = {.bone = b, .first = 0, .count = 6, .is_still = true};
        trial->editing.limit = 1e-6;
        struct bytes file = anb_edit(trial, &wish);
        assert_int_equal(file.size, trial->old.size);
        ossa_file *again = anb_require_changed(trial, &file, &wish, 1);
        const ossa_sotc_anb *anb = ossa_as_sotc_anb(again);
        assert_true(anb->bones[b].flag == 0 || b == 6); /* 16 bits are enough for one angle */
        assert_true(anb_worst_error(trial, anb, &wish) <= 1e-4);
        ossa_file_free(again);
        bytes_free(&file);
        anb_end(trial);
    }
}

/* ---- other lengths ------------------------------------------------------------------------- */

static void a_clip_may_become_longer_or_shorter(void **state)
{
    (void)state;
    static const char *const names[] = {
        "sotc-anb/every-flag", "sotc-anb/linked",     "sotc-anb/linked-xff2",
        "sotc-anb/poses-high", "sotc-anb/unaligned",  "sotc-anb/big",
        "sotc-anb/constant",   "sotc-anb/after-size", "sotc-anb/garbage"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        for (uint32_t frames = 1; frames < 1000; frames = frames * 5 + 3) {
            struct anb_trial *trial = anb_begin_fixture(names[i]);
            uint32_t poses = trial->anb->pose_count;
            struct anb_wish wish = {.bone = ANB_NO_BONE, .noise = 0.0019};
            trial->editing.frame_count = frames;
            bool grows = frames > poses && i != 6;
            if (strcmp(names[i], "sotc-anb/garbage") == 0 && grows) {
                /* The number of relocations is not a number of any. */
                trial->editing.change = NULL;
                assert_false(editing_run(&trial->editing, trial->files.inputs, 1, NULL));
                assert_int_equal(trial->editing.error.code, OSSA_CODE_BAD_VALUE);
                assert_string_equal(trial->editing.error.path, "garbage.anb");
                assert_string_equal(trial->editing.error.message,
                                    "the animation needs more room, but its relocations are not "
                                    "in the file");
                anb_end(trial);
                continue;
            }
            struct bytes file = anb_edit(trial, &wish);
            assert_int_equal(trial->editing.editing.loss_count, 0);
            ossa_file *again = anb_require_changed(trial, &file, &wish, 0);
            const ossa_sotc_anb *anb = ossa_as_sotc_anb(again);
            assert_int_equal(anb->pose_count, frames);
            size_t more = 0;
            for (uint32_t b = 0; b < anb->bone_count; b++) {
                if (grows) more += anb_key_size(anb->bones[b].flag) * (frames - poses);
                for (uint32_t f = poses; f < frames; f++) { /* the last one stays */
                    struct ossa__quat last = anb_rotation(trial->anb, b, poses - 1);
                    assert_true(ossa__angle_between(last, anb_rotation(anb, b, f)) < 0.1 * DEGREE);
                }
            }
            /* The room of the old keys is used again, as far as the new ones fit in. */
            size_t largest = 6 * (size_t)frames;
            require(file.size - trial->old.size <= more + largest + 64 + 4 * anb->bone_count,
                    names[i], "%zu bytes more for %zu", file.size - trial->old.size, more);
            if (!grows) assert_int_equal(file.size, trial->old.size);
            ossa_file_free(again);
            bytes_free(&file);
            anb_end(trial);
        }
    }
}

static void an_edit_may_be_too_long(void **state)
{
    (void)state;
    struct anb_trial *trial = anb_begin_fixture("sotc-anb/one-key");
    trial->editing.frame_count = 65535;
    struct anb_wish wish = {.bone = ANB_NO_BONE};
    struct bytes file = anb_edit(trial, &wish);
    ossa_file_free(anb_require_changed(trial, &file, &wish, 0));
    bytes_free(&file);
    anb_end(trial);
    trial = anb_begin_fixture("sotc-anb/one-key");
    trial->editing.frame_count = 65536;
    assert_false(editing_run(&trial->editing, trial->files.inputs, 1, NULL));
    assert_int_equal(trial->editing.error.code, OSSA_CODE_MISFIT);
    assert_string_equal(trial->editing.error.message,
                        "the edit has 65536 frames, but an ANB has 1 to 65535 poses");
    anb_end(trial);
}

/* ---- what cannot be stored ----------------------------------------------------------------- */

static void require_loss(struct anb_wish wish, double limit, enum ossa__loss what, double size)
{
    struct anb_trial *trial = anb_begin_fixture("sotc-anb/linked");
    trial->editing.limit = limit;
    anb_apply(trial, &wish);
    const struct ossa__editing *editing = &trial->editing.editing;
    assert_int_equal(editing->loss_count, 1);
    assert_int_equal(editing->losses[0].what, what);
    assert_int_equal(editing->losses[0].bone, wish.bone);
    assert_int_equal(editing->losses[0].count, wish.count);
    assert_in_range(editing->losses[0].frame, wish.first, wish.first + wish.count - 1);
    require(fabs(editing->losses[0].size - size) <= 0.5 * size, "loss", "%g",
            editing->losses[0].size);
    assert_int_equal(editing->file_count, what == OSSA__LOSS_ROTATION ? 1 : 0);
    anb_end(trial);
}

static void losses_are_reported(void **state)
{
    (void)state;
    /* bone 0 is the root, which cannot move either */
    require_loss((struct anb_wish){.bone = 0, .first = 1, .count = 3, .move = 0.25}, 0.1,
                 OSSA__LOSS_TRANSLATION, 0.25);
    require_loss((struct anb_wish){.bone = 4, .first = 2, .count = 2, .scale = 0.5}, 0.1,
                 OSSA__LOSS_SCALE, 0.5);
    require_loss((struct anb_wish){.bone = 5, .first = 2, .count = 1, .is_hidden = true}, 0.1,
                 OSSA__LOSS_VISIBILITY, 1.0);
    /* Nothing is as exact as this, so the best is taken and the rest reported. */
    struct anb_trial *trial = anb_begin_fixture("sotc-anb/linked");
    struct anb_wish wish = {.bone = 4, .first = 1, .count = 4, .degrees = 70.0};
    trial->editing.limit = 1e-9;
    struct bytes file = anb_edit(trial, &wish);
    ossa_file *again = anb_require_changed(trial, &file, &wish, 0);
    const struct ossa__edit_loss *loss = &trial->editing.editing.losses[0];
    assert_int_equal(trial->editing.editing.loss_count, 1);
    assert_int_equal(loss->what, OSSA__LOSS_ROTATION);
    assert_int_equal(loss->bone, 4);
    assert_true(loss->size > 1e-9 && loss->size < 0.01);
    assert_true(fabs(loss->size - anb_worst_error(trial, ossa_as_sotc_anb(again), &wish)) < 1e-6);
    ossa_file_free(again);
    bytes_free(&file);
    anb_end(trial);
}

TEST_GROUP(test_sotc_apply)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_edited_is_not_written),
        cmocka_unit_test(only_the_keys_that_were_edited_change),
        cmocka_unit_test(odd_bits_stay),
        cmocka_unit_test(bits_that_say_nothing_stay),
        cmocka_unit_test(a_bone_is_packed_anew),
        cmocka_unit_test(keys_that_are_kept_have_no_noise),
        cmocka_unit_test(another_flag_moves_pointers),
        cmocka_unit_test(a_smaller_packing_stays_in_place),
        cmocka_unit_test(an_axis_may_be_tilted),
        cmocka_unit_test(a_bone_may_lose_its_keys),
        cmocka_unit_test(a_clip_may_become_longer_or_shorter),
        cmocka_unit_test(an_edit_may_be_too_long),
        cmocka_unit_test(losses_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
