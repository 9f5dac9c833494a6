/* SPDX-License-Identifier: MIT */
#include "formats/midtown_madness/mm_csv_rows.h"
#include "support/counting.h"
#include "support/refusals.h"
#include "support/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ossa_file *read_text(const char *text)
{
    ossa_options options = {.format = "mm-csv"};
    return read_or_fail(text, text, strlen(text), &options);
}

static void require_word(const char *found, uint32_t size, const char *expected)
{
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(found, expected, strlen(expected));
}

static void require_words(const ossa_mm_state *state, const char *name, const char *animation,
                          const char *next)
{
    require_word(state->name, state->name_size, name);
    require_word(state->animation, state->animation_size, animation);
    require_word(state->next, state->next_size, next);
}

static void require_numbers(const ossa_mm_state *state, int32_t first, int32_t last,
                            float forward_offset, float forward, float sideways_offset,
                            float sideways)
{
    const float expected[] = {forward_offset, forward, sideways_offset, sideways};
    const float found[] = {state->forward_offset, state->forward, state->sideways_offset,
                           state->sideways};
    assert_int_equal(state->first_frame, first);
    assert_int_equal(state->last_frame, last);
    assert_memory_equal(found, expected, sizeof expected);
}

/* ---- values -------------------------------------------------------------------------------- */

static void the_pedestrian_has_its_states(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("mm-csv/ped");
    ossa_file *file = read_fixture(fixture);
    const ossa_mm_csv *csv = ossa_as_mm_csv(file);
    assert_non_null(csv);
    assert_null(ossa_as_mm_skel(file));
    assert_int_equal(file->format->kind, OSSA_KIND_TABLE);
    assert_int_equal(csv->state_count, 22);
    assert_ptr_equal(csv->text, fixture->bytes.data);
    assert_int_equal(csv->text_size, fixture->bytes.size);
    require_words(&csv->states[0], "STAND", "pedanim_x_stand", "STAND");
    require_numbers(&csv->states[0], 1, 25, 0.0F, 0.0F, 0.0F, 0.0F);
    require_words(&csv->states[4], "WALK_STAND", "pedanim_x_w2st", "STAND");
    require_numbers(&csv->states[4], 1, 7, 1.75F, 0.31F, 0.0F, 0.0F);
    require_words(&csv->states[10], "BACKUP_STAND", "pedanim_x_st2bk", "STAND");
    require_numbers(&csv->states[10], 5, 1, -1.0F, -0.2F, 0.0F, 0.0F);
    require_numbers(&csv->states[18], 1, 14, 0.0F, 0.0F, 2.125F, 1.5F);
    const ossa_mm_state *last = &csv->states[21];
    assert_memory_equal(csv->text + last->line, "GROUND_STANDR,", 14);
    assert_memory_equal(csv->text + last->number_at[0], "1,45,0,0,-3.625,0,STAND\r\n", 25);
    assert_memory_equal(csv->text + last->number_at[1], "45,", 3);
    assert_memory_equal(csv->text + last->number_at[4], "-3.625,0,STAND\r\n", 16);
    assert_int_equal(last->number_at[5], last->number_at[4] + 7);
    ossa_file_free(file);
}

static void every_end_of_line_ends_a_line(void **state)
{
    (void)state;
    static const char *const names[] = {"mm-csv/lf", "mm-csv/cr", "mm-csv/padded"};
    for (size_t i = 0; i < 3; i++) {
        ossa_file *file = read_fixture(fixture_find(names[i]));
        const ossa_mm_csv *csv = ossa_as_mm_csv(file);
        assert_int_equal(csv->state_count, 2);
        require_words(&csv->states[1], "WALK", "pedanim_walk", "WALK");
        require_numbers(&csv->states[1], 1, 20, 0.0F, 1.5F, 0.0F, 0.0F);
        ossa_file_free(file);
    }
    ossa_file *file = read_fixture(fixture_find("mm-csv/mixed-ends"));
    const ossa_mm_csv *csv = ossa_as_mm_csv(file);
    assert_int_equal(csv->state_count, 3);
    require_words(&csv->states[1], "B", "x", "");
    assert_int_equal(csv->states[1].line, 18);
    require_words(&csv->states[2], "C", "x", "");
    assert_int_equal(csv->states[2].line, 36);
    ossa_file_free(file);
}

static void white_space_and_odd_spellings_are_understood(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("mm-csv/numbers"));
    const ossa_mm_csv *csv = ossa_as_mm_csv(file);
    assert_int_equal(csv->state_count, 3);
    require_numbers(&csv->states[0], 1, 20, -0.0F, 1.5F, -0.5F, 7.0F);
    require_numbers(&csv->states[1], 2147483647, 1, 0.001F, -250.0F, 0.0F, 3.402823466e38F);
    require_numbers(&csv->states[2], 1, 1, 0.0F, 0.5F, -0.5F, 0.0F);
    ossa_file_free(file);
    file = read_text(" A\t,x y\v,1,1,0,0,0,0, B \n#B,x,1,1,0,0,0,0\n");
    csv = ossa_as_mm_csv(file);
    assert_int_equal(csv->state_count, 1);
    require_words(&csv->states[0], "A", "x y", "B");
    assert_int_equal(file->warning_count, 2); /* one for white space, and there is no B */
    assert_string_equal(file->issues[0].field, "states[0].name");
    ossa_file_free(file);
    file = read_fixture(fixture_find("mm-csv/odd-words"));
    csv = ossa_as_mm_csv(file);
    assert_int_equal(csv->state_count, 3);
    require_words(&csv->states[1], "C:\\d/'e", "#1", ";");
    ossa_file_free(file);
    file = read_fixture(fixture_find("mm-csv/commas-at-the-end"));
    csv = ossa_as_mm_csv(file);
    assert_int_equal(csv->state_count, 4);
    require_words(&csv->states[1], "B", "x", "A");
    require_words(&csv->states[2], "C", "x", "");
    ossa_file_free(file);
}

/* A row that is none costs the others nothing. */
static void broken_rows_are_no_states(void **state)
{
    (void)state;
    ossa_file *file =
        read_text("A,x,1,1,0,0,0,0\n\nB,x,1,1,0,0\nC, ,1,1,0,0,0,0\nD,y,2,2,0,0,0,0\n");
    const ossa_mm_csv *csv = ossa_as_mm_csv(file);
    assert_int_equal(csv->state_count, 2);
    require_words(&csv->states[1], "D", "y", "");
    assert_int_equal(csv->states[1].line, 45);
    assert_int_equal(file->error_count, 2);
    assert_string_equal(file->issues[0].field, "lines[2]");
    assert_string_equal(file->issues[1].field, "lines[3].animation");
    ossa_file_free(file);
}

/* As strtok splits a line: "A,,x" has two fields. */
static void nothing_between_commas_is_no_field(void **state)
{
    (void)state;
    ossa_file *file = read_fixture(fixture_find("mm-csv/empty-fields"));
    const ossa_mm_csv *csv = ossa_as_mm_csv(file);
    assert_int_equal(csv->state_count, 1);
    require_words(&csv->states[0], "A", "x", "A");
    require_numbers(&csv->states[0], 1, 1, 0.0F, 0.0F, 0.0F, 0.0F);
    ossa_file_free(file);
}

/* No table but that of a pedestrian is taken, whatever its name, and none stands in the way. */
static void other_tables_are_not_taken(void **state)
{
    (void)state;
    static const char *const names[] = {"mm-csv/cars", "mm-csv/sounds", "mm-csv/opponents",
                                        "mm-csv/races", "mm-csv/other-heading"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct fixture *fixture = fixture_find(names[i]);
        ossa_guess guess;
        ossa_error error;
        const ossa_options options = {.name = "table.csv"};
        assert_int_equal(ossa_probe(fixture->bytes.data, fixture->bytes.size, &options, &guess, 1),
                         0);
        assert_null(ossa_read(fixture->bytes.data, fixture->bytes.size, &options, &error));
        assert_int_equal(error.code, OSSA_CODE_UNKNOWN_FORMAT);
    }
}

static void the_duration_counts_all_frames(void **state)
{
    (void)state;
    const ossa_mm_state walk = {.first_frame = 1, .last_frame = 20, .forward = 1.409F};
    const ossa_mm_state back = {.first_frame = 20, .last_frame = 1};
    const ossa_mm_state widest = {.first_frame = INT32_MIN, .last_frame = INT32_MAX};
    assert_true(fabs(ossa_mm_state_duration(&walk) - 20 * 0.03333) < 1e-12);
    assert_true(fabs(1.409 / ossa_mm_state_duration(&walk) - 2.11) < 0.01);
    assert_true(ossa_mm_state_duration(&back) == ossa_mm_state_duration(&walk));
    assert_true(ossa_mm_state_duration(&widest) > 1.4e8);
}

static void messages_name_both_sides(void **state)
{
    (void)state;
    static const struct {
        const char *row;
        const char *message;
    } cases[] = {
        {"A,x,1,2O,0,0,0,0", "found '2O' on line 2, expected a whole number that fits in 32 bits"},
        {"A,x,1,1,0,0, ,0",
         "found nothing on line 2, expected a number that fits in a 32-bit float"},
        {"A,x,1,1,0,0,0,,0", "nothing between two commas: the game skips it, and the fields after "
                             "it move up by one"},
        {"A\x01,\xe9", "found 'A?,\xc3\xa9' on line 2, expected a name, an animation, six numbers "
                       "and the next state, separated by commas"},
        {" ,x,1,1,0,0,0,0", "found nothing on line 2, expected the name of a state"},
        {"G,y,1,1,0,0,0,0", "'G' is already the name of states[0], which the game uses"},
        {"A,y,1,1,0,0,0,0,g", "no state is named 'g' (letter case matters)"},
        {"A,y,1,-1,0,0,0,0", "-1, but the first frame of an animation is 1"},
        {"A, y,1,1,0,0,0,0", "white space around 'y', which the game may read as part of it"},
        {"A,y,1,1,0,0,0,0,A,b,c", "'b,c' after the next state, expected the end of the line"},
        {"A,y\",1,1,0,0,0,0",
         "'y\"' contains a quotation mark, which is part of the name like any other character"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[160];
        (void)snprintf(text, sizeof text, "G,x,1,1,0,0,0,0\n%s\n", cases[i].row);
        ossa_file *file = read_text(text);
        assert_int_equal(file->issue_count, 1);
        assert_string_equal(file->issues[0].message, cases[i].message);
        ossa_file_free(file);
    }
    ossa_error error;
    static const char other[] = "# time\n\ntime,x,y\n0,1,2\n";
    ossa_options options = {.format = "mm-csv"};
    assert_null(ossa_read(other, sizeof other - 1, &options, &error));
    assert_string_equal(error.message,
                        "no line is a state: found 'time,x,y' on line 3, expected a name, an "
                        "animation, six numbers and the next state, separated by commas");
    assert_string_equal(error.field, "lines[2]");
}

/* ---- the probe ----------------------------------------------------------------------------- */

static ossa_confidence probe(const void *text, size_t size)
{
    ossa_guess guesses[16];
    size_t count = ossa_probe(text, size, NULL, guesses, 16);
    ossa_confidence best = OSSA_CONFIDENCE_NONE;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(guesses[i].format->id, "mm-csv") == 0) best = guesses[i].confidence;
    }
    return best;
}

static void other_tables_are_not_claimed(void **state)
{
    (void)state;
    static const char poses[] =
        "clip,bone,frame,time,tx,ty,tz,rx,ry,rz,rw\nwalk,root,0,0,0,1,0,0,0,0,1\n"
        "walk,root,1,1,0,1,0,0,0,0,1\nwalk,root,2,2,0,1,0,0,0,0,1\n";
    static const char *const texts[] = {
        "",
        "\n",
        "# a script\n# of comments, and more\n",
        "#!/usr/bin/env python3\nimport math\n",
        "name,age\nAnn,31\nBob,32\n",
        /* numbers alone, and in the place of names */
        "0,1,2,3,4,5,6,7,8\n1,1,2,3,4,5,6,7,8\n",
        "a,1,2,3,4,5,6,7,b\n",
        /* a table of poses, the ninth column of which is a number */
        poses,
        /* one state among others proves nothing */
        "A,x,1,1,0,0,0,0\nb\nc\n",
        /* numbers that are no range of frames, offsets, and nothing that moves */
        "downtown,vpbug,3,4,0,.5,0,.75\n",
        "downtown,vpbug,1,4,2,.5,0,.75\n",
        "downtown,vpbug,1,4,0,0,0,0\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        require(probe(texts[i], strlen(texts[i])) == OSSA_CONFIDENCE_NONE, texts[i], "is claimed");
    }
}

/* The next state may be missing, and an animation may be called anything. */
static void tables_without_next_states_are_claimed(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "WALK,walk,1,31,0,1.5,0,0\r\nBACK,walk,31,1,0,-.5,0,0\r\n",
        "# state,anim,first,last,a,b,c,d\nWAIT,sit,5,9,0,0,0,0\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        require(probe(texts[i], strlen(texts[i])) == OSSA_CONFIDENCE_PLAUSIBLE, texts[i],
                "is not claimed");
    }
}

/* An ordinary table that happens to end in .csv is of no known format, and one learns why. */
static void an_ordinary_csv_is_of_no_known_format(void **state)
{
    (void)state;
    static const char text[] = "name,age\nAnn,31\n";
    ossa_options options = {.name = "people.csv"};
    ossa_error error;
    assert_null(ossa_read(text, sizeof text - 1, &options, &error));
    assert_int_equal(error.code, OSSA_CODE_UNKNOWN_FORMAT);
    assert_non_null(strstr(error.message, "not mm-csv: lines[0]: no line is a state"));
}

/* Up to where the probe looked. */
static uint64_t looked_at(const struct bytes *bytes)
{
    uint64_t looked;
    ossa_confidence found = ossa__mm_csv_probe((const char *)bytes->data, bytes->size, &looked);
    assert_int_equal(found, OSSA_CONFIDENCE_NONE);
    assert_true(looked <= bytes->size);
    return looked;
}

/* A file of numbers or of zeros is known by its first NUL, another text by its first rows, and a
 * long line that has a NUL is not followed to its end. */
static void what_is_no_table_is_left_early(void **state)
{
    (void)state;
    enum { LARGE = 1 << 17, SMALL = 1 << 15 };
    for (size_t size = SMALL; size <= LARGE; size += LARGE - SMALL) {
        struct bytes bytes = {0};
        put_repeated(&bytes, 0, size);
        assert_int_equal(looked_at(&bytes), 1);
        set_u8(&bytes, 0, 7);
        assert_int_equal(looked_at(&bytes), 2);
        bytes_free(&bytes);
        put_text(&bytes, "FORM");
        put_u32(&bytes, 300);
        put_repeated(&bytes, 'x', size);
        assert_true(looked_at(&bytes) <= 8);
        bytes_free(&bytes);
        for (size_t i = 0; i < size / 8; i++) put_text(&bytes, "v\t1.0 2\n");
        assert_true(looked_at(&bytes) <= 17 * 8);
        bytes_free(&bytes);
    }
}

/* Padding counts for nothing; a NUL within the text, which would be padding if it ended there,
 * counts. */
static void a_table_may_be_padded(void **state)
{
    (void)state;
    enum { WINDOW = 1 << 16 };
    static const char row[] = "A,x,1,1,0,0,0,0,A";
    for (unsigned has_end = 0; has_end < 2; has_end++) {
        struct bytes text = {0};
        put_text(&text, row);
        if (has_end == 1) put_text(&text, "\n");
        put_repeated(&text, 0, 1000);
        assert_int_equal(probe(text.data, text.size), OSSA_CONFIDENCE_PLAUSIBLE);
        put_text(&text, "x");
        assert_int_equal(probe(text.data, text.size), OSSA_CONFIDENCE_NONE);
        bytes_free(&text);
    }
    /* In a large file: a line with a NUL that ends within the window, and one that does not. */
    for (unsigned ends = 0; ends < 2; ends++) {
        struct bytes text = {0};
        put_text(&text, row);
        put_text(&text, "\n");
        put_repeated(&text, 0, 10);
        put_repeated(&text, 'x', ends == 1 ? 100 : WINDOW);
        put_text(&text, "\n");
        put_repeated(&text, 'x', WINDOW);
        assert_int_equal(probe(text.data, text.size),
                         ends == 1 ? OSSA_CONFIDENCE_NONE : OSSA_CONFIDENCE_PLAUSIBLE);
        bytes_free(&text);
    }
}

/* Only the beginning counts: not what is behind, and not a line that is cut by where it ends. */
static void the_probe_looks_at_the_beginning(void **state)
{
    (void)state;
    struct bytes text = make_big_csv(5000, false);
    assert_true(text.size > 100000);
    assert_int_equal(probe(text.data, text.size), OSSA_CONFIDENCE_PLAUSIBLE);
    memset(text.data + text.size / 2, 0, 100);
    assert_int_equal(probe(text.data, text.size), OSSA_CONFIDENCE_PLAUSIBLE);
    bytes_free(&text);
    put_text(&text, "A,x,1,1,0,0,0,0,A\n");
    put_repeated(&text, 'B', 1 << 16);
    put_text(&text, ",x,1,1,0,0,0,0\n");
    assert_int_equal(probe(text.data, text.size), OSSA_CONFIDENCE_PLAUSIBLE);
    bytes_free(&text);
    put_repeated(&text, 'A', 1 << 16);
    put_text(&text, ",x,1,1,0,0,0,0\n");
    assert_int_equal(probe(text.data, text.size), OSSA_CONFIDENCE_NONE);
    bytes_free(&text);
}

/* ---- large tables -------------------------------------------------------------------------- */

/* As many states as bytes allow must fit into the memory that the options allow by default. */
static void the_smallest_states_fit_the_limit(void **state)
{
    (void)state;
    const size_t count = 200000;
    struct bytes text = {0};
    for (size_t i = 0; i < count; i++) put_text(&text, "a,b,0,0,0,0,0,0,\"\n");
    struct counting counting = {0};
    ossa_options options = {.allocator = counting_allocator(&counting), .format = "mm-csv"};
    ossa_file *file = read_or_fail("small states", text.data, text.size, &options);
    assert_int_equal(ossa_as_mm_csv(file)->state_count, count);
    /* Two frames, a quote and an unknown next state each; all but one have a name that was. */
    assert_int_equal(file->warning_count, 5 * count - 1);
    assert_int_equal(file->issue_count, 5);
    assert_true(counting.peak <= (1U << 20) + 32 * text.size);
    ossa_file_free(file);
    bytes_free(&text);
    put_text(&text, "a,b,1,1,0,0,0,0\n");
    for (size_t i = 0; i < count; i++) put_text(&text, ",\n");
    file = read_or_fail("broken rows", text.data, text.size, &options);
    assert_int_equal(file->error_count, count);
    ossa_file_free(file);
    bytes_free(&text);
}

/* ---- changing a file ----------------------------------------------------------------------- */

static void only_changed_numbers_are_written(void **state)
{
    (void)state;
    static const char text[] = "#c\r\nA,x, 01 ,+30,0.0,.50,1e1,7.,B # no\r\nbad\nB,y,2,3,0,0,0,0";
    static const char expected[] =
        "#c\r\nA,x, 01 ,-5,0.0,-0.100000001,1e1,7.,B # no\r\nbad\nB,y,12345,3,0,0,0,-0.0";
    ossa_file *file = read_text(text);
    ossa_mm_csv *csv = ossa_as_mm_csv(file);
    ossa_mm_state states[2];
    assert_int_equal(csv->state_count, 2);
    memcpy(states, csv->states, sizeof states);
    csv->states = states;
    require_written("copied", file, text, sizeof text - 1);
    states[0].last_frame = -5;
    states[0].forward = -0.1F;
    states[1].first_frame = 12345;
    states[1].sideways = -0.0F;
    require_written("changed", file, expected, sizeof expected - 1);
    ossa_mm_state swap = states[0];
    states[0] = states[1];
    states[1] = swap;
    struct bytes written = write_or_fail("in another order", file);
    require_same("in another order", &written, expected, sizeof expected - 1);
    ossa_options options = {.format = "mm-csv"};
    ossa_file *again = read_or_fail("again", written.data, written.size, &options);
    require_numbers(&ossa_as_mm_csv(again)->states[0], 1, -5, 0.0F, -0.1F, 10.0F, 7.0F);
    require_numbers(&ossa_as_mm_csv(again)->states[1], 12345, 3, 0.0F, 0.0F, 0.0F, -0.0F);
    ossa_file_free(again);
    bytes_free(&written);
    ossa_file_free(file);
}

/* What no number in the text can say is refused, not lost. */
static void changes_without_a_place_are_refused(void **state)
{
    (void)state;
    ossa_file *file = read_text("A,x,1,2,3,4,5,6\nB,y,1,2,3,4,5,6");
    ossa_mm_csv *csv = ossa_as_mm_csv(file);
    ossa_mm_state states[2];
    ossa_mm_state mine[2];
    memcpy(states, csv->states, sizeof states);
    csv->states = mine;
    memcpy(mine, states, sizeof mine);
    mine[1].sideways_offset = INFINITY;
    require_write_refused(file, "states[1].sideways_offset");
    memcpy(mine, states, sizeof mine);
    mine[0].number_at[5] = 0xffffffff; /* far outside */
    require_write_refused(file, "states[0].sideways");
    memcpy(mine, states, sizeof mine);
    mine[1].number_at[0] = 2; /* "x" */
    require_write_refused(file, "states[1].first_frame");
    mine[1].first_frame = 0; /* which is no word for a place without a number */
    require_write_refused(file, "states[1].first_frame");
    memcpy(mine, states, sizeof mine);
    mine[0].number_at[2] = 1; /* "," */
    mine[0].forward_offset = 0.0F;
    require_write_refused(file, "states[0].forward_offset");
    memcpy(mine, states, sizeof mine);
    mine[1] = mine[0]; /* the same numbers twice */
    mine[0].last_frame = 7;
    mine[1].last_frame = 8;
    require_write_refused(file, "states");
    ossa_file_free(file);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void the_json_is_the_documented_one(void **state)
{
    (void)state;
    ossa_file *file = read_text("# \xe9\r\nA\",x,1,-2,-0,1.50,2e-1,7,A\"\nB,y,3,4,0,0,0,0\n");
    struct bytes json = dump_or_fail("json", file, OSSA_JSON_STYLE_LINE);
    static const char expected[] =
        "{\"ossa\":1,\"format\":\"mm-csv\",\"size\":49,\"data\":{\"lines\":[\"# \xc3\xa9\\u000d\","
        "\"A\\\",x,1,-2,-0,1.50,2e-1,7,A\\\"\",\"B,y,3,4,0,0,0,0\",\"\"],\"states\":["
        "{\"name\":\"A\\\"\",\"animation\":\"x\",\"first_frame\":1,\"last_frame\":-2,"
        "\"forward_offset\":-0.0,\"forward\":1.5,\"sideways_offset\":0.200000003,\"sideways\":7,"
        "\"next\":\"A\\\"\"},{\"name\":\"B\",\"animation\":\"y\",\"first_frame\":3,"
        "\"last_frame\":4,\"forward_offset\":0,\"forward\":0,\"sideways_offset\":0,"
        "\"sideways\":0,\"next\":null}]}}\n";
    require_same("json", &json, expected, sizeof expected - 1);
    bytes_free(&json);
    ossa_file_free(file);
}

static void the_lines_count_and_the_states_do_not(void **state)
{
    (void)state;
    ossa_error error;
    ossa_file *file = build_data(
        "mm-csv", 0, "{\"lines\":[\"\\u00ff,x,1,2,0,0,0,0\\r\",\"\\u0000\"],\"states\":7}", &error);
    assert_non_null(file);
    static const char expected[] = "\xff,x,1,2,0,0,0,0\r\n";
    require_written("built", file, expected, sizeof expected); /* with the NUL */
    require_words(&ossa_as_mm_csv(file)->states[0], "\xff", "x", "");
    ossa_file_free(file);
}

static void wrong_json_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *data;
        ossa_code code;
        const char *field;
    } cases[] = {{"{}", OSSA_CODE_BAD_JSON, "data.lines"},
                 {"{\"lines\":[\"#\",1]}", OSSA_CODE_BAD_JSON, "data.lines[1]"},
                 {"{\"lines\":[\"\\u0100\"]}", OSSA_CODE_BAD_JSON, "data.lines[0]"},
                 {"{\"lines\":[\"#\"],\"text\":\"\"}", OSSA_CODE_BAD_JSON, "data.text"},
                 {"{\"lines\":[\"\"]}", OSSA_CODE_EMPTY_FILE, ""},
                 {"{\"lines\":[\"\",\" a\"]}", OSSA_CODE_BAD_MAGIC, "lines[1]"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        require_data_refused("mm-csv", 0, cases[i].data, cases[i].code, cases[i].field);
}

/* ---- for people ---------------------------------------------------------------------------- */

static void info_counts_and_lists_the_states(void **state)
{
    (void)state;
    ossa_file *file = read_text("A,x,1,30,0,1.5,0,0,A\nB,X,9,1,0,0,0,-2\nC,\x1b,1,1,0,0,0,0,A\n");
    struct bytes text = describe_or_fail("info", file);
    static const char expected[] = "  states         3\n"
                                   "  animations     2\n"
                                   "  loops          1\n"
                                   "  backwards      1\n"
                                   "  state              animation            frames             "
                                   "forward  sideways       m/s  next\n"
                                   "  A                  x                    1 .. 30              "
                                   "  1.5         0   1.50015  A\n"
                                   "  B                  X                    9 .. 1 back          "
                                   "    0        -2   6.66733  -\n"
                                   "  C                  ?                    1 .. 1               "
                                   "    0         0         0  A\n";
    require_same("info", &text, expected, sizeof expected);
    bytes_free(&text);
    text = describe_json_or_fail("info", file);
    static const char start[] = "{\"state_count\":3,\"animation_count\":2,\"loop_count\":1,"
                                "\"backward_count\":1,\"states\":[{\"name\":\"A\",";
    assert_true(text.size > sizeof start);
    assert_memory_equal(text.data, start, sizeof start - 1);
    bytes_free(&text);
    ossa_file_free(file);
}

/* ---- fields -------------------------------------------------------------------------------- */

static void every_piece_of_the_text_has_a_name(void **state)
{
    (void)state;
    static const char text[] = "\xef\xbb\xbf"
                               "#c,d\r\n\r\nA, x ,1,2,0.0,1,2,3,B,e,\r\nA,x\nB,y,1,1,0,0,0,0,\n\0";
    struct field_list list = {.used = 0};
    ossa_options options = {.format = "mm-csv", .on_field = list_field, .user = &list};
    ossa_file_free(read_or_fail("fields", text, sizeof text - 1, &options));
    assert_string_equal(list.text,
                        "byte_order_mark<\xef\xbb\xbf>comment<#c,d>syntax<\r\n\r\n>"
                        "states[0].name<A>syntax<, >states[0].animation<x>syntax< ,>"
                        "states[0].first_frame<1>syntax<,>states[0].last_frame<2>syntax<,>"
                        "states[0].forward_offset<0.0>syntax<,>states[0].forward<1>syntax<,>"
                        "states[0].sideways_offset<2>syntax<,>states[0].sideways<3>syntax<,>"
                        "states[0].next<B>syntax<,>states[0].extra<e,>syntax<\r\n>lines[3]<A,x>"
                        "syntax<\n>states[1].name<B>syntax<,>states[1].animation<y>syntax<,>"
                        "states[1].first_frame<1>syntax<,>states[1].last_frame<1>syntax<,>"
                        "states[1].forward_offset<0>syntax<,>states[1].forward<0>syntax<,>"
                        "states[1].sideways_offset<0>syntax<,>states[1].sideways<0>syntax<,\n>"
                        "padding<>");
}

/* ---- numbers ------------------------------------------------------------------------------- */

static void whole_numbers_are_of_32_bits(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int32_t value;
    } good[] = {{"0", 0},
                {"-0", 0},
                {"+7", 7},
                {"0030", 30},
                {"2147483647", INT32_MAX},
                {"-2147483648", INT32_MIN}};
    static const char *const bad[] = {"",    "-",  "+",  "+-1",        "1.0",         "1e1",
                                      "0x1", " 1", "1 ", "2147483648", "-2147483649", "4294967296"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        int32_t value = -1;
        struct ossa__mm_token token = {0, strlen(good[i].text)};
        require(ossa__mm_parse_i32(good[i].text, token, &value), good[i].text, "is no number");
        require(value == good[i].value, good[i].text, "is %d", (int)value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int32_t value;
        struct ossa__mm_token token = {0, strlen(bad[i])};
        require(!ossa__mm_parse_i32(bad[i], token, &value), bad[i], "is a number");
    }
}

TEST_GROUP(test_mm_csv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pedestrian_has_its_states),
        cmocka_unit_test(every_end_of_line_ends_a_line),
        cmocka_unit_test(white_space_and_odd_spellings_are_understood),
        cmocka_unit_test(broken_rows_are_no_states),
        cmocka_unit_test(nothing_between_commas_is_no_field),
        cmocka_unit_test(other_tables_are_not_taken),
        cmocka_unit_test(the_duration_counts_all_frames),
        cmocka_unit_test(messages_name_both_sides),
        cmocka_unit_test(other_tables_are_not_claimed),
        cmocka_unit_test(tables_without_next_states_are_claimed),
        cmocka_unit_test(an_ordinary_csv_is_of_no_known_format),
        cmocka_unit_test(what_is_no_table_is_left_early),
        cmocka_unit_test(a_table_may_be_padded),
        cmocka_unit_test(the_probe_looks_at_the_beginning),
        cmocka_unit_test(the_smallest_states_fit_the_limit),
        cmocka_unit_test(only_changed_numbers_are_written),
        cmocka_unit_test(changes_without_a_place_are_refused),
        cmocka_unit_test(the_json_is_the_documented_one),
        cmocka_unit_test(the_lines_count_and_the_states_do_not),
        cmocka_unit_test(wrong_json_is_refused),
        cmocka_unit_test(info_counts_and_lists_the_states),
        cmocka_unit_test(every_piece_of_the_text_has_a_name),
        cmocka_unit_test(whole_numbers_are_of_32_bits),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
