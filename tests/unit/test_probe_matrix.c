/* SPDX-License-Identifier: MIT
 *
 * Every fixture put to every probe: its own format must win, by itself, without a name. */
#include "support/testing.h"

#include <string.h>

enum { GUESSES = 16 };

struct outcome {
    ossa_guess guesses[GUESSES];
    size_t count;
};

static struct outcome probe(const void *data, size_t size, const char *file_name)
{
    struct outcome outcome;
    ossa_options options = {.name = file_name};
    outcome.count = ossa_probe(data, size, &options, outcome.guesses, GUESSES);
    assert_true(outcome.count <= GUESSES);
    return outcome;
}

static void require_winner(const char *name, const struct outcome *outcome, const char *format,
                           ossa_confidence confidence)
{
    require(outcome->count > 0, name, "nobody claims it");
    const ossa_guess *first = &outcome->guesses[0];
    require(strcmp(first->format->id, format) == 0, name, "%s wins with %s", first->format->id,
            ossa_confidence_name(first->confidence));
    require(first->confidence == confidence, name, "%s, expected %s",
            ossa_confidence_name(first->confidence), ossa_confidence_name(confidence));
    require(outcome->count == 1 ||
                    outcome->guesses[1]
                        .confidence<confidence, name, "%s claims it as much", outcome->count> 1
                ? outcome->guesses[1].format->id
                : "");
    for (size_t i = 1; i < outcome->count; i++) {
        require(outcome->guesses[i].confidence <= outcome->guesses[i - 1].confidence, name,
                "the guesses are not sorted");
    }
}

/* What is in a container but cannot be read as what it is, is still a container. */
static bool falls_back_to_container(const struct fixture *fixture)
{
    bool is_inside =
        strcmp(fixture->format, "sotc-anb") == 0 || strcmp(fixture->format, "sotc-skb") == 0 ||
        strcmp(fixture->format, "sotc-nmo") == 0 || strcmp(fixture->format, "sotc-nto") == 0;
    return is_inside && memcmp(fixture->bytes.data, "xff", 3) == 0;
}

/* Raw sectors of a CD are those of a disc, whatever they have files of. */
static bool is_raw_disc(const struct fixture *fixture)
{
    return strcmp(fixture->name, "sotc-nico/raw-sectors") == 0;
}

/* 12 zero bytes: an animation of nothing, or a part that rests at the origin, which is more. */
static bool loses_to_position(const struct fixture *fixture)
{
    return strcmp(fixture->name, "ei-anm/nothing-short") == 0;
}

/* 4 zero bytes: a tree of no parts, or an archive of no entries. Neither is more than the other. */
static bool is_nothing_of_two(const struct fixture *fixture)
{
    return strcmp(fixture->name, "ei-lnk/no-links") == 0 ||
           strcmp(fixture->name, "vib-pak/no-entries") == 0;
}

static void require_tie(const struct fixture *fixture, const struct outcome *outcome)
{
    require(outcome->count == 2, fixture->name, "%zu formats claim it", outcome->count);
    for (size_t i = 0; i < 2; i++) {
        require(outcome->guesses[i].confidence == fixture->confidence, fixture->name,
                "%s claims it as %s", outcome->guesses[i].format->id,
                ossa_confidence_name(outcome->guesses[i].confidence));
    }
}

static void every_fixture_is_won_by_its_own_format(void **state)
{
    (void)state;
    const struct fixtures *all = fixtures_all();
    size_t claimed = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        struct outcome outcome = probe(fixture->bytes.data, fixture->bytes.size, NULL);
        if (loses_to_position(fixture)) {
            require_winner(fixture->name, &outcome, "ei-bon", OSSA_CONFIDENCE_PLAUSIBLE);
            assert_int_equal(outcome.guesses[1].confidence, fixture->confidence);
        } else if (is_nothing_of_two(fixture)) {
            require_tie(fixture, &outcome);
        } else if (strcmp(fixture->name, "ei-anm/res-archive") == 0) {
            require_winner(fixture->name, &outcome, "ei-res", OSSA_CONFIDENCE_DAMAGED);
        } else if (fixture->confidence != OSSA_CONFIDENCE_NONE) {
            require_winner(fixture->name, &outcome, fixture->format, fixture->confidence);
            claimed++;
        } else if (is_raw_disc(fixture)) {
            require_winner(fixture->name, &outcome, "iso9660", OSSA_CONFIDENCE_SIGNATURE);
        } else if (falls_back_to_container(fixture)) {
            require_winner(fixture->name, &outcome, "sotc-xff", OSSA_CONFIDENCE_SIGNATURE);
        } else {
            require(outcome.count == 0, fixture->name, "%s claims it",
                    outcome.count > 0 ? outcome.guesses[0].format->id : "");
        }
    }
    assert_true(claimed > 100);
}

/* What ossa_read takes the file for is what the probe says. */
static void reading_follows_the_probe(void **state)
{
    (void)state;
    const struct fixtures *all = fixtures_all();
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        if (fixture->confidence == OSSA_CONFIDENCE_NONE || !fixture_is_readable(fixture)) continue;
        if (loses_to_position(fixture) || is_nothing_of_two(fixture)) continue;
        ossa_file *file =
            read_or_fail(fixture->name, fixture->bytes.data, fixture->bytes.size, NULL);
        require(strcmp(file->format->id, fixture->format) == 0, fixture->name, "read as %s",
                file->format->id);
        require(file->confidence == fixture->confidence, fixture->name, "confidence");
        ossa_file_free(file);
        file = read_fixture(fixture);
        require(file->confidence == OSSA_CONFIDENCE_NONE, fixture->name,
                "a forced format is not a guess");
        ossa_file_free(file);
    }
}

static ossa_error read_error(const void *data, size_t size, const char *file_name)
{
    ossa_error error;
    ossa_options options = {.name = file_name};
    assert_null(ossa_read(data, size, &options, &error));
    return error;
}

/* ---- zeros, which fit formats that count things -------------------------------------------- */

static void zeros_go_to_one_format(void **state)
{
    (void)state;
    static const uint8_t zeros[64] = {0};
    struct outcome four = probe(zeros, 4, "x.lnk");
    assert_string_equal(four.guesses[0].format->id, "ei-lnk");
    four = probe(zeros, 4, "x.pak");
    assert_string_equal(four.guesses[0].format->id, "vib-pak");
    assert_int_equal(read_error(zeros, 4, NULL).code, OSSA_CODE_AMBIGUOUS_FORMAT);
    struct outcome eight = probe(zeros, 8, NULL);
    require_winner("8 zeros", &eight, "mm-anim", OSSA_CONFIDENCE_EMPTY);
    struct outcome twelve = probe(zeros, 12, NULL);
    require_winner("12 zeros", &twelve, "ei-bon", OSSA_CONFIDENCE_PLAUSIBLE);
    struct outcome sixteen = probe(zeros, 16, NULL);
    require_winner("16 zeros", &sixteen, "ei-anm", OSSA_CONFIDENCE_EMPTY);
    struct outcome thirteen = probe(zeros, 13, NULL);
    require_winner("13 zeros", &thirteen, "mm-anim", OSSA_CONFIDENCE_EMPTY);
    for (size_t size = 18; size <= sizeof zeros; size++) {
        struct outcome outcome = probe(zeros, size, NULL);
        if (size == 24 || size == 48) {
            require_winner("zeros", &outcome, "ei-bon", OSSA_CONFIDENCE_PLAUSIBLE);
            continue;
        }
        require(outcome.count == 0, "zeros", "%zu of them are claimed", size);
    }
}

static void guesses_beyond_the_capacity_are_counted(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("ei-anm/plain");
    assert_int_equal(ossa_probe(fixture->bytes.data, fixture->bytes.size, NULL, NULL, 0), 1);
}

/* ---- ties ---------------------------------------------------------------------------------- */

/* 13 + 4 * 6 bytes that are one frame of one bone in mm-anim's legacy dialect, and also one
 * link with two names of ei-lnk. Both probes see only arithmetic, for the values are wild. */
static struct bytes make_tie(void)
{
    struct bytes file = {0};
    put_u32(&file, 1);  /* frames; links */
    put_u32(&file, 1);  /* bones; child_length */
    put_u8(&file, 'a'); /* unknown...; child */
    put_u32(&file, 24); /* ...and type; parent_length */
    put_repeated(&file, 'z', 24);
    return file;
}

static void a_tie_is_an_error_that_lists_the_candidates(void **state)
{
    (void)state;
    struct bytes file = make_tie();
    struct outcome outcome = probe(file.data, file.size, NULL);
    assert_int_equal(outcome.count, 2);
    assert_int_equal(outcome.guesses[0].confidence, outcome.guesses[1].confidence);
    ossa_error error;
    assert_null(ossa_read(file.data, file.size, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_AMBIGUOUS_FORMAT);
    assert_null(error.format);
    assert_false(error.has_offset);
    assert_non_null(strstr(error.message, "ei-lnk, mm-anim"));
    bytes_free(&file);
}

static void the_extension_breaks_a_tie(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"x.lnk", "ei-lnk"},
                                           {"x.anim", "mm-anim"},
                                           {"a.b/X.LNK", "ei-lnk"},
                                           {"C:\\a.lnk\\y.Anim", "mm-anim"},
                                           {"figure.lnk.anim", "mm-anim"},
                                           {"x.lnk/file", "ei-lnk"}, /* an archive, unpacked */
                                           {"x.lnk\\a.sword", "ei-lnk"}};
    struct bytes file = make_tie();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        ossa_options options = {.name = names[i][0]};
        ossa_guess guesses[2];
        assert_int_equal(ossa_probe(file.data, file.size, &options, guesses, 2), 2);
        assert_string_equal(guesses[0].format->id, names[i][1]);
        ossa_file *read = read_or_fail(names[i][0], file.data, file.size, &options);
        assert_string_equal(read->format->id, names[i][1]);
        ossa_file_free(read);
    }
    /* An extension of neither breaks nothing. */
    static const char *const useless[] = {"x.txt", "lnk", "x.lnk/y/file", "x.lnk/file.csv", ""};
    for (size_t i = 0; i < sizeof useless / sizeof useless[0]; i++) {
        ossa_options options = {.name = useless[i]};
        ossa_error error;
        assert_null(ossa_read(file.data, file.size, &options, &error));
        assert_int_equal(error.code, OSSA_CODE_AMBIGUOUS_FORMAT);
    }
    bytes_free(&file);
}

/* A wrong extension never beats a better claim. */
static void the_extension_is_weaker_than_the_contents(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("vib-anm/walk");
    ossa_options options = {.name = "walk.lnk"};
    ossa_file *file =
        read_or_fail(fixture->name, fixture->bytes.data, fixture->bytes.size, &options);
    assert_string_equal(file->format->id, "vib-anm");
    ossa_file_free(file);
}

/* ---- files that nobody claims -------------------------------------------------------------- */

static void an_unknown_file_is_said_to_be_so(void **state)
{
    (void)state;
    static const char text[] = "This is only a text, and no animation.";
    ossa_error error = read_error(text, sizeof text, "story.txt");
    assert_int_equal(error.code, OSSA_CODE_UNKNOWN_FORMAT);
    assert_null(error.format);
    assert_non_null(strstr(error.message, "not a file of a known format"));
}

static void an_empty_file_is_said_to_be_so(void **state)
{
    (void)state;
    assert_int_equal(read_error("", 0, "empty.anm").code, OSSA_CODE_EMPTY_FILE);
    assert_int_equal(read_error(NULL, 0, NULL).code, OSSA_CODE_EMPTY_FILE);
    assert_int_equal(read_error(NULL, 5, NULL).code, OSSA_CODE_BAD_ARGUMENT);
    struct outcome outcome = probe("", 0, NULL);
    assert_int_equal(outcome.count, 0);
}

/* Two formats have the extension anm: where both may be meant, or neither, both say why not. */
static void a_damaged_anm_gets_all_reasons(void **state)
{
    (void)state;
    ossa_error error = read_error("x", 1, "bd.anm");
    assert_int_equal(error.code, OSSA_CODE_UNKNOWN_FORMAT);
    assert_null(error.format);
    assert_non_null(strstr(error.message, "ei-anm: rotation_count: needs 4 bytes"));
    assert_non_null(strstr(error.message, "vib-anm: magic: needs 2 bytes"));
}

/* An archive in an archive may have the extension anm: it is known by its signature. */
static void an_archive_named_anm_is_one(void **state)
{
    (void)state;
    const struct fixture *archive = fixture_find("ei-anm/res-archive");
    ossa_error error = read_error(archive->bytes.data, archive->bytes.size, "figures.anm");
    assert_int_equal(error.code, OSSA_CODE_BAD_COUNT);
    assert_string_equal(error.format, "ei-res");
    const struct fixture *good = fixture_find("ei-res/parts");
    ossa_options options = {.name = "unmotr.anm"};
    ossa_file *file = read_or_fail(good->name, good->bytes.data, good->bytes.size, &options);
    assert_string_equal(file->format->id, "ei-res");
    ossa_file_free(file);
    /* Who insists is told. */
    options.format = "ei-anm";
    assert_null(ossa_read(good->bytes.data, good->bytes.size, &options, &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_MAGIC);
    assert_non_null(strstr(error.message, "RES archive"));
}

/* Count, one offset, a name of 8 bytes, no length: an entry without bytes in an archive, and also
 * the length of a root's name, that name, and no parent. */
static void a_tree_of_one_part_is_no_archive(void **state)
{
    (void)state;
    struct bytes file = {0};
    put_u32(&file, 1);
    put_u32(&file, 8);
    put_bytes(&file, "unmotrl", 8);
    put_u32(&file, 0);
    assert_int_equal(file.size, 20);
    struct outcome outcome = probe(file.data, file.size, NULL);
    require_winner("one part", &outcome, "ei-lnk", OSSA_CONFIDENCE_PLAUSIBLE);
    assert_int_equal(outcome.count, 2);
    assert_string_equal(outcome.guesses[1].format->id, "vib-pak");
    assert_int_equal(outcome.guesses[1].confidence, OSSA_CONFIDENCE_EMPTY);
    outcome = probe(file.data, file.size, "x.pak");
    require_winner("one part", &outcome, "ei-lnk", OSSA_CONFIDENCE_PLAUSIBLE);
    /* With bytes in the entry it is an archive; a root has no parent. */
    set_u32(&file, 16, 4);
    put_u32(&file, 0x64636261);
    outcome = probe(file.data, file.size, NULL);
    require_winner("one entry", &outcome, "vib-pak", OSSA_CONFIDENCE_PLAUSIBLE);
    assert_int_equal(outcome.count, 2);
    assert_string_equal(outcome.guesses[1].format->id, "ei-lnk");
    bytes_free(&file);
}

/* Without the signature of vib-anm only the other one can be meant. */
static void a_damaged_anm_is_blamed_on_the_format_it_can_be(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("ei-anm/cut-morphs");
    ossa_error error = read_error(fixture->bytes.data, fixture->bytes.size, "bd.anm");
    assert_int_equal(error.code, OSSA_CODE_TRUNCATED);
    assert_string_equal(error.format, "ei-anm");
    assert_string_equal(error.field, "morphs");
}

/* One format has the extension lnk: its own reader speaks, with the offset. */
static void a_damaged_lnk_gets_its_own_error(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("ei-lnk/cut-parent");
    ossa_error error = read_error(fixture->bytes.data, fixture->bytes.size, "troll.lnk");
    assert_int_equal(error.code, OSSA_CODE_BAD_COUNT);
    assert_string_equal(error.format, "ei-lnk");
    assert_string_equal(error.field, "links[1].parent_length");
    assert_true(error.has_offset);
}

/* Bytes after the last field are an error of a file that can be read, if the name says which. */
static void a_tail_does_not_hide_what_a_file_is(void **state)
{
    (void)state;
    static const char *const names[][2] = {{"ei-anm/trailing-bytes", "hp.anm"},
                                           {"ei-lnk/trailing-bytes", "troll.lnk"}};
    for (size_t i = 0; i < 2; i++) {
        const struct fixture *fixture = fixture_find(names[i][0]);
        ossa_options options = {.name = names[i][1]};
        ossa_file *file =
            read_or_fail(fixture->name, fixture->bytes.data, fixture->bytes.size, &options);
        assert_string_equal(file->format->id, fixture->format);
        assert_int_equal(file->confidence, OSSA_CONFIDENCE_NAMED);
        assert_int_equal(file->issue_count, 1);
        assert_int_equal(file->issues[0].code, OSSA_CODE_TRAILING_BYTES);
        ossa_file_free(file);
        ossa_error error = read_error(fixture->bytes.data, fixture->bytes.size, NULL);
        assert_int_equal(error.code, OSSA_CODE_UNKNOWN_FORMAT);
    }
}

static void a_forced_format_must_exist(void **state)
{
    (void)state;
    ossa_error error;
    ossa_options options = {.format = "ei-nothing"};
    assert_null(ossa_read("abcd", 4, &options, &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "ei-nothing"));
}

TEST_GROUP(test_probe_matrix)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fixture_is_won_by_its_own_format),
        cmocka_unit_test(reading_follows_the_probe),
        cmocka_unit_test(zeros_go_to_one_format),
        cmocka_unit_test(guesses_beyond_the_capacity_are_counted),
        cmocka_unit_test(a_tie_is_an_error_that_lists_the_candidates),
        cmocka_unit_test(the_extension_breaks_a_tie),
        cmocka_unit_test(the_extension_is_weaker_than_the_contents),
        cmocka_unit_test(an_unknown_file_is_said_to_be_so),
        cmocka_unit_test(an_empty_file_is_said_to_be_so),
        cmocka_unit_test(a_damaged_anm_gets_all_reasons),
        cmocka_unit_test(an_archive_named_anm_is_one),
        cmocka_unit_test(a_tree_of_one_part_is_no_archive),
        cmocka_unit_test(a_damaged_anm_is_blamed_on_the_format_it_can_be),
        cmocka_unit_test(a_damaged_lnk_gets_its_own_error),
        cmocka_unit_test(a_tail_does_not_hide_what_a_file_is),
        cmocka_unit_test(a_forced_format_must_exist),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
