/* SPDX-License-Identifier: MIT */
#include "support/testing.h"

#include "codec/format.h"

static const ossa_cue *contents_of(ossa_file *file)
{
    const ossa_cue *cue = ossa_as_cue(file);
    assert_non_null(cue);
    return cue;
}

/* Where a text leads that is read under a name. */
static bool lead_of(ossa_file *file, struct ossa__lead *lead)
{
    assert_non_null(file);
    return ossa__format_of(file)->leads_to(ossa__contents_in_parts(file), lead);
}

static ossa_file *read_as(const char *fixture, const char *name)
{
    const struct fixture *found = fixture_find(fixture);
    const ossa_options options = {.name = name};
    return ossa_read(found->bytes.data, found->bytes.size, &options, NULL);
}

static void tracks_are_what_the_text_says(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("cue/one-file"));
    const ossa_cue *cue = contents_of(file);
    assert_int_equal(cue->file_count, 1);
    assert_string_equal(cue->files[0].name, "game.bin");
    assert_int_equal(cue->files[0].type_size, 6);
    assert_false(cue->files[0].is_sound);
    assert_int_equal(cue->track_count, 2);
    assert_int_equal(cue->data_track, 0);
    const ossa_cue_track *track = &cue->tracks[1];
    assert_int_equal(track->number, 2);
    assert_memory_equal(track->mode, "AUDIO", track->mode_size);
    assert_false(track->is_data);
    assert_int_equal(track->pregap, 150);
    assert_int_equal(track->postgap, 75 + 74);
    assert_int_equal(track->index_count, 1);
    const ossa_cue_index *index = &cue->indices[track->first_index];
    assert_int_equal(index->frame, (10 * 60 + 20) * 75 + 30);
    assert_int_equal(index->offset, (uint64_t)index->frame * 2352);
    ossa_file_free(file);
}

static void a_sheet_leads_to_its_data_track(void **state)
{
    (void)state;
    struct ossa__lead lead;
    ossa_file *file = read_as("cue/plain", "discs/Renamed 1.5.cue");
    assert_true(lead_of(file, &lead));
    assert_string_equal(lead.names[0], "game (Track 1).bin");
    assert_string_equal(lead.names[1], "Renamed 1.5.bin");
    assert_int_equal(lead.begin, 0);
    assert_int_equal(lead.end, 0); /* the next track is in another file */
    ossa_file_free(file);

    file = read_as("cue/one-file", NULL);
    assert_true(lead_of(file, &lead));
    assert_null(lead.names[1]);
    assert_int_equal(lead.end, ((10 * 60 + 20) * 75 + 30) * UINT64_C(2352));
    ossa_file_free(file);

    file = read_as("cue/gap-before-file", NULL);
    assert_true(lead_of(file, &lead));
    assert_string_equal(lead.names[0], "2.bin");
    assert_int_equal(lead.begin, 0);
    ossa_file_free(file);
}

static void sectors_before_the_data_have_their_own_size(void **state)
{
    (void)state;
    struct ossa__lead lead;
    ossa_file *file = read_as("cue/data-behind-sound", NULL);
    assert_true(lead_of(file, &lead));
    uint64_t gap = 4 * 75 * 2352; /* where it begins */
    assert_int_equal(lead.begin, gap + (2 * 75 + 10) * 2048);
    assert_int_equal(lead.end, lead.begin + (54 * 75 - 2 * 75 - 10 + 2 * 75) * UINT64_C(2048));
    ossa_file_free(file);
}

static void names_lead_nowhere_but_beside_the_sheet(void **state)
{
    (void)state;
    static const char *const refused[] = {
        "cue/name-up",     "cue/name-up-inside", "cue/name-drive", "cue/name-device",
        "cue/name-stream", "cue/name-control",   "cue/name-empty", "cue/name-of-folder",
        "cue/name-open",   "cue/no-data",        "cue/no-index",   "cue/no-file"};
    struct ossa__lead lead;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        ossa_file *file = read_as(refused[i], "x.cue");
        assert_false(lead_of(file, &lead));
        assert_non_null(lead.reason);
        assert_null(lead.names[0]);
        assert_null(lead.names[1]);
        ossa_file_free(file);
    }
    static const char *const reduced[] = {"cue/name-folders", "cue/name-absolute"};
    for (size_t i = 0; i < 2; i++) {
        ossa_file *file = read_as(reduced[i], NULL);
        assert_true(lead_of(file, &lead));
        assert_string_equal(lead.names[0], "game.bin");
        ossa_file_free(file);
    }
}

static void data_is_not_looked_for_in_sound(void **state)
{
    (void)state;
    static const char text[] = "FILE a.wav WAVE\nTRACK 01 MODE1/2352\nINDEX 01 00:00:00\n";
    struct ossa__lead lead;
    ossa_file *file = ossa_read(text, sizeof text - 1, NULL, NULL);
    assert_false(lead_of(file, &lead));
    assert_string_equal(lead.reason, "its data track is in a sound file");
    ossa_file_free(file);
}

static void names_are_utf_8(void **state)
{
    (void)state;
    ossa_file *file = read_as("cue/utf-8", NULL);
    assert_string_equal(contents_of(file)->files[0].name, "\xd0\xb8\xd0\xb3\xd1\x80\xd0\xb0.bin");
    ossa_file_free(file);
    file = read_as("cue/latin-1", NULL);
    assert_string_equal(contents_of(file)->files[0].name, "\xc3\xa9t\xc3\xa9.bin");
    ossa_file_free(file);
}

static void a_sheet_alone_is_an_archive_without_entries(void **state)
{
    (void)state;
    ossa_file *file = read_as("cue/plain", NULL);
    assert_true(ossa_format_can(file->format, OSSA_ABILITY_LIST));
    assert_false(ossa_format_can(file->format, OSSA_ABILITY_PACK));
    assert_int_equal(ossa_entry_count(file), 0);
    assert_null(ossa_entry_at(file, 0));
    assert_int_equal(ossa_find_entry(file, "SYSTEM.CNF"), -1);
    ossa_bytes bytes;
    assert_false(ossa_entry_bytes(file, 0, NULL, &bytes, NULL));
    ossa_file_free(file);
}

TEST_GROUP(test_cue)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tracks_are_what_the_text_says),
        cmocka_unit_test(a_sheet_leads_to_its_data_track),
        cmocka_unit_test(sectors_before_the_data_have_their_own_size),
        cmocka_unit_test(names_lead_nowhere_but_beside_the_sheet),
        cmocka_unit_test(data_is_not_looked_for_in_sound),
        cmocka_unit_test(names_are_utf_8),
        cmocka_unit_test(a_sheet_alone_is_an_archive_without_entries),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
