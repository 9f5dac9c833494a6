/* SPDX-License-Identifier: MIT */
#include "support/counting.h"
#include "support/sotc_editing.h"
#include "support/sotc_fixture.h"
#include "support/testing.h"

#include <string.h>

/* ---- new clips ----------------------------------------------------------------------------- */

static bool read_bytes(void *user, uint64_t offset, void *bytes, size_t size)
{
    const struct bytes *file = user;
    memcpy(bytes, file->data + offset, size);
    return true;
}

/* The name of the exported symbol, the third. */
static const char *own_name(const struct bytes *file)
{
    size_t symbol = get_u32(file, 4 * 21) + 2 * (size_t)16;
    return (const char *)file->data + get_u32(file, 4 * 22) + get_u32(file, symbol);
}

static void a_new_clip_has_its_own_name(void **state)
{
    (void)state;
    static const struct {
        const char *fixture, *name, *path, *inside;
    } cases[] = {
        {"sotc-anb/linked", "stroll", "stroll.anb", "stroll.anb"},
        {"sotc-anb/linked", "a", "a.anb", "a.anb"},
        {"sotc-anb/linked", "a-much-longer-name-than-it-had", "a-much-longer-name-than-it-had.anb",
         "a-much-longer-name-than-it-had.anb"},
        {"sotc-anb/linked-xff2", "linked-xff2-again", "linked-xff2-again.anb", "linked-xff2-again"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (uint32_t degrees = 0; degrees < 140; degrees += 70) { /* as it is, or edited */
            struct anb_trial *trial = anb_begin_fixture(cases[i].fixture);
            struct anb_wish wish = {.bone = 0, .first = 1, .count = 2, .degrees = degrees};
            trial->editing.new_name = cases[i].name;
            struct bytes file = anb_edit(trial, &wish);
            assert_string_equal(trial->editing.editing.files[0].new_path, cases[i].path);
            assert_string_equal(own_name(&file), cases[i].inside);
            ossa_file *again = anb_require_changed(trial, &file, &wish, 0);
            assert_true(anb_worst_error(trial, ossa_as_sotc_anb(again), &wish) <= 0.1);
            ossa_sotc_found found; /* as a search of the disc calls it */
            assert_true(ossa_sotc_find_at(read_bytes, &file, file.size, 0, &found));
            assert_string_equal(found.name, cases[i].inside);
            assert_int_equal(found.size, file.size);
            ossa_file_free(again);
            bytes_free(&file);
            anb_end(trial);
        }
    }
}

/* Other names are still found behind one that has become longer. */
static void other_names_stay(void **state)
{
    (void)state;
    struct anb_places places;
    struct anb_plan plan = {.seed = 81, .bones = 7, .poses = 6};
    struct bytes bytes = make_linked_anb(&plan, "linked.anb", &places);
    size_t strings = get_u32(&bytes, 4 * 22);
    size_t symbol = get_u32(&bytes, 4 * 21) + 16;
    memcpy(bytes.data + strings + 14, "tail", 5);
    set_u32(&bytes, symbol, 14);
    struct anb_trial *trial = anb_begin("linked.anb", bytes);
    struct anb_wish wish = {.bone = ANB_NO_BONE};
    trial->editing.new_name = "a-much-longer-name-than-it-had";
    struct bytes file = anb_edit(trial, &wish);
    ossa_file_free(anb_require_changed(trial, &file, &wish, 0));
    assert_string_equal(own_name(&file), "a-much-longer-name-than-it-had.anb");
    assert_string_equal((const char *)file.data + strings + get_u32(&file, symbol), "tail");
    bytes_free(&file);
    anb_end(trial);
}

/* A file that calls itself otherwise, or nothing at all, is copied as it is. */
static void a_new_clip_may_have_no_name(void **state)
{
    (void)state;
    static const char *const names[] = {"sotc-anb/every-flag", "sotc-anb/garbage"};
    for (size_t i = 0; i < 3; i++) {
        const struct fixture *fixture = fixture_find(i < 2 ? names[i] : "sotc-anb/linked");
        struct anb_trial *trial =
            anb_begin("walk.anb", bytes_copy(fixture->bytes.data, fixture->bytes.size));
        struct anb_wish wish = {.bone = ANB_NO_BONE};
        trial->editing.new_name = "stroll";
        struct bytes file = anb_edit(trial, &wish);
        require_same(fixture->name, &file, trial->old.data, trial->old.size);
        bytes_free(&file);
        anb_end(trial);
    }
}

/* ---- files that cannot grow ---------------------------------------------------------------- */

static void require_refused(struct anb_places *places, size_t at, uint32_t word,
                            const char *message)
{
    struct anb_plan plan = {.seed = 81, .bones = 7, .poses = 6};
    struct bytes bytes = make_linked_anb(&plan, "linked.anb", places);
    set_u32(&bytes, at, word);
    struct anb_trial *trial = anb_begin("linked.anb", bytes);
    trial->editing.frame_count = 60;
    assert_false(editing_run(&trial->editing, trial->files.inputs, 1, NULL));
    assert_int_equal(trial->editing.error.code, OSSA_CODE_BAD_VALUE);
    assert_string_equal(trial->editing.error.message, message);
    anb_end(trial);
    /* Edits that need no room are not refused. */
    bytes = make_linked_anb(&plan, "linked.anb", places);
    set_u32(&bytes, at, word);
    trial = anb_begin("linked.anb", bytes);
    struct anb_wish wish = {.bone = 1, .first = 1, .count = 2, .anb = trial->anb, .from = 3};
    struct bytes file = anb_edit(trial, &wish);
    assert_int_equal(file.size, trial->old.size);
    bytes_free(&file);
    anb_end(trial);
}

static void some_files_cannot_grow(void **state)
{
    (void)state;
    static const char outside[] =
        "the animation needs more room, but its relocations are not in the file";
    struct anb_places places;
    struct anb_plan plan = {.seed = 81, .bones = 7, .poses = 6};
    struct bytes bytes = make_linked_anb(&plan, "linked.anb", &places);
    size_t descriptor = get_u32(&bytes, 4 * 25);
    uint32_t size = (uint32_t)bytes.size;
    uint32_t section = (uint32_t)places.section;
    bytes_free(&bytes);
    require_refused(&places, 4 * 14, 0xffffffff, outside);
    require_refused(&places, 4 * 25, size - 27, outside);
    require_refused(&places, descriptor + 4, 0x10000, outside);
    require_refused(&places, descriptor + 20, size, outside);
    require_refused(&places, descriptor + 24, size, outside);
    require_refused(&places, descriptor, 4,
                    "the animation needs more room, but its relocations are of an unknown type");
    require_refused(&places, 4 * 24, section + 100 + (uint32_t)0x1cc - 104,
                    "the animation needs more room, but its tables and its data share bytes");
}

/* What a section without bytes has for an offset is left alone, even if it could be one. */
static void the_offset_of_nothing_stays(void **state)
{
    (void)state;
    struct anb_places places;
    struct anb_plan plan = {.seed = 81, .bones = 7, .poses = 6};
    struct bytes bytes = make_linked_anb(&plan, "linked.anb", &places);
    size_t at = xff_section_word(&places.container, 0, 7);
    uint32_t offset = (uint32_t)bytes.size - 4;
    set_u32(&bytes, at, offset);
    struct anb_trial *trial = anb_begin("linked.anb", bytes);
    struct anb_wish wish = {.bone = ANB_NO_BONE};
    trial->editing.frame_count = 60;
    struct bytes file = anb_edit(trial, &wish);
    ossa_file_free(anb_require_changed(trial, &file, &wish, 0));
    assert_int_equal(get_u32(&file, at), offset);
    bytes_free(&file);
    anb_end(trial);
}

/* ---- hostile files ------------------------------------------------------------------------- */

/* Whatever a word of the container says: the edit works or is refused. */
static void no_word_does_harm(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("sotc-anb/linked");
    const uint32_t size = (uint32_t)fixture->bytes.size;
    const uint32_t words[] = {0,          1,          2,        3,        8,    112,
                              0x12f,      0x130,      0x2fb,    0x2fc,    size, size - 8,
                              0x7fffffff, 0xffffffff, size / 8, size / 28};
    unsigned done = 0;
    unsigned refused = 0;
    unsigned broken = 0; /* tables in the header; what is written is read again by those who care */
    for (size_t at = 4; at < fixture->bytes.size; at += 4) {
        if (at == 0x140) at = 0x2fc; /* the data itself is another matter */
        for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
            struct bytes bytes = bytes_copy(fixture->bytes.data, fixture->bytes.size);
            set_u32(&bytes, at, words[w]);
            ossa_file *file = ossa_read(bytes.data, bytes.size, NULL, NULL);
            bool is_good = ossa_as_sotc_anb(file) != NULL && file->error_count == 0;
            ossa_file_free(file);
            if (!is_good) {
                bytes_free(&bytes);
                continue;
            }
            struct anb_trial *trial = anb_begin("linked.anb", bytes);
            trial->editing.frame_count = 9;
            trial->editing.new_name = "a-much-longer-name-than-it-had";
            bool ok = editing_run(&trial->editing, trial->files.inputs, 1, NULL);
            if (ok && trial->editing.editing.file_count == 1) { /* not if it has no poses */
                struct bytes again = anb_written(trial);
                ossa_file *result = ossa_read(again.data, again.size, NULL, NULL);
                const ossa_sotc_anb *anb = ossa_as_sotc_anb(result);
                if (anb != NULL) assert_int_equal(anb->pose_count, 9);
                *(anb != NULL ? &done : &broken) += 1;
                ossa_file_free(result);
                bytes_free(&again);
            } else if (!ok) {
                assert_true(trial->editing.error.code != OSSA_CODE_OUT_OF_MEMORY);
                refused++;
            }
            anb_end(trial);
        }
    }

    assert_true(done > 1000 && refused > 50 && broken < 20);
}

static void a_failing_allocation_is_reported(void **state)
{
    (void)state;
    size_t calls = 1;
    for (size_t n = 0; n <= calls; n++) { /* the first time nothing fails */
        struct counting counting = {.fail_at = n};
        const ossa_scene_options options = {.allocator = counting_allocator(&counting)};
        struct anb_trial *trial = anb_begin_fixture("sotc-anb/linked");
        struct anb_wish wish = {.bone = 0, .first = 1, .count = 2, .degrees = 70.0};
        trial->editing.change = anb_change;
        trial->editing.user = &wish;
        trial->editing.frame_count = 9;
        trial->editing.new_name = "stroll";
        bool ok = editing_run(&trial->editing, trial->files.inputs, 1, &options);
        require(ok == (n == 0), "allocation", "%zu: %s", n, trial->editing.error.message);
        if (n == 0) calls = counting.calls;
        else assert_int_equal(trial->editing.error.code, OSSA_CODE_OUT_OF_MEMORY);
        anb_end(trial);
        assert_true(counting.live == 0 && !counting.wrong_release);
    }
    assert_true(calls > 3);
}

TEST_GROUP(test_sotc_relink)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_clip_has_its_own_name),
        cmocka_unit_test(other_names_stay),
        cmocka_unit_test(a_new_clip_may_have_no_name),
        cmocka_unit_test(some_files_cannot_grow),
        cmocka_unit_test(the_offset_of_nothing_stays),
        cmocka_unit_test(no_word_does_harm),
        cmocka_unit_test(a_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
