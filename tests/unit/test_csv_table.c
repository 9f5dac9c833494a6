/* SPDX-License-Identifier: MIT
 *
 * Clips as a table: read back, every number is the scene's, bit for bit, and every name the scene's
 * own, whatever it is made of. */
#include "support/counting.h"
#include "support/made_scene.h"
#include "support/scenes.h"
#include "ossa/export.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 17 };

/* ---- a reader of tables -------------------------------------------------------------------- */

/* By RFC 4180, and strict: quotes only where they are needed, lines end in \n alone. */
struct table {
    char *text; /* the fields lie in it, unquoted */
    char *rest;
    const char *end;
    const char *fields[COLUMNS];
    size_t count;
};

/* One field into its own place; gives what stood behind it. */
static char take_field(struct table *table, const char **field)
{
    char *from = table->rest;
    char *to = from;
    *field = to;
    if (*from != '"') {
        while (*from != ',' && *from != '\n' && *from != '\0')
            from++; /* strcspn looks on, checked */
        require(memchr(table->rest, '"', (size_t)(from - table->rest)) == NULL, table->rest,
                "a quote in a field without quotes");
        require(memchr(table->rest, '\r', (size_t)(from - table->rest)) == NULL, table->rest,
                "a line ends otherwise");
        to = from;
    } else {
        bool needed = false;
        for (from++; *from != '"' || from[1] == '"'; from++) {
            assert_true(from < table->end);
            if (strchr(",\"\r\n", *from) != NULL) needed = true;
            if (*from == '"') from++;
            *to++ = *from;
        }
        from++;
        require(needed, *field, "quotes without need");
    }
    char last = *from;
    require(last == ',' || last == '\n', *field, "goes on behind its quotes");
    table->rest = from + 1;
    *to = '\0';
    return last;
}

/* False at the end. */
static bool next_row(struct table *table)
{
    if (table->rest == table->end) return false;
    for (unsigned i = 0; i < COLUMNS; i++) {
        char last = take_field(table, &table->fields[i]);
        require((last == '\n') == (i + 1 == COLUMNS), table->fields[0], "row %zu has %u fields",
                table->count, i + 1);
    }
    table->count++;
    return true;
}

static void open_table(struct table *table, const ossa_scene *scene, const uint8_t *clips,
                       const ossa_export_options *options)
{
    static const char *const names[COLUMNS] = {"clip", "frame", "time", "bone", "name",   "parent",
                                               "tx",   "ty",    "tz",   "rx",   "ry",     "rz",
                                               "rw",   "sx",    "sy",   "sz",   "visible"};
    ossa_export_options filled = {0};
    if (options != NULL) filled = *options;
    filled.clips = clips;
    ossa_buffer buffer = {0};
    ossa_error error;
    require(ossa_write_csv(scene, &filled, ossa_buffer_sink(&buffer), &error), "table", "%s",
            error.message);
    assert_int_equal(error.code, OSSA_CODE_OK);
    *table = (struct table){.text = malloc(buffer.size + 1)};
    if (table->text == NULL) abort();
    memcpy(table->text, buffer.data, buffer.size);
    table->text[buffer.size] = '\0';
    table->rest = table->text;
    table->end = table->text + buffer.size;
    ossa_buffer_free(&buffer);
    assert_true(next_row(table));
    for (unsigned i = 0; i < COLUMNS; i++) assert_string_equal(table->fields[i], names[i]);
}

static void close_table(struct table *table)
{
    assert_false(next_row(table));
    free(table->text);
}

/* ---- the same numbers ---------------------------------------------------------------------- */

static void require_integer(const char *field, int64_t expected)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%lld", (long long)expected);
    assert_string_equal(field, text);
}

static void require_float(const char *field, float expected)
{
    char *end;
    float value = strtof(field, &end);
    require(*end == '\0' && *field != '\0', field, "is no number");
    require(bits_of_f32(value) == bits_of_f32(expected), field, "expected %.9g", (double)expected);
}

/* The name that a field stands for. */
static const char *name_in(const char *field)
{
    return field[0] == '\'' ? field + 1 : field;
}

static void require_row(struct table *table, const ossa_scene *scene, const char *clip,
                        uint32_t frame, float time, uint32_t bone, const ossa_transform *transform,
                        uint8_t visible)
{
    assert_true(next_row(table));
    const char *const *fields = table->fields;
    assert_string_equal(name_in(fields[0]), clip);
    require_integer(fields[1], frame);
    require_float(fields[2], time);
    require_integer(fields[3], bone);
    assert_string_equal(name_in(fields[4]), scene->bones[bone].name);
    require_integer(fields[5], scene->bones[bone].parent);
    for (unsigned k = 0; k < 3; k++) require_float(fields[6 + k], transform->translation[k]);
    for (unsigned k = 0; k < 4; k++) require_float(fields[9 + k], transform->rotation[k]);
    for (unsigned k = 0; k < 3; k++) require_float(fields[13 + k], transform->scale[k]);
    require_integer(fields[16], visible);
}

static void require_table(const ossa_scene *scene, const uint8_t *clips, bool is_local)
{
    const ossa_export_options options = {.space = is_local ? OSSA_SPACE_LOCAL : OSSA_SPACE_MODEL};
    ossa_transform *pose = calloc(scene->bone_count + 1U, sizeof *pose);
    uint8_t *visible = calloc(scene->bone_count + 1U, 1);
    if (pose == NULL || visible == NULL) abort();
    struct table table;
    open_table(&table, scene, clips, is_local ? &options : NULL);
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        const ossa_clip *clip = &scene->clips[c];
        for (uint32_t f = 0; f < clip->frame_count; f++) {
            if (clips != NULL && clips[c] == 0) continue;
            ossa_sample_frame(scene, clip, f, pose, visible);
            if (!is_local) ossa_model_pose(scene, pose, pose);
            for (uint32_t b = 0; b < scene->bone_count; b++) {
                require_row(&table, scene, clip->name, f, (float)(f / clip->fps), b, &pose[b],
                            visible[b]);
            }
        }
    }
    close_table(&table);
    free(pose);
    free(visible);
}

static void characters_read_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < 9; i++) {
        ossa_scene *scene = assemble_character(i < 4 ? &samples[i] : &pose_vectors[i - 4], NULL);
        assert_true(scene->clip_count > 0);
        require_table(scene, NULL, false);
        require_table(scene, NULL, true);
        ossa_scene_free(scene);
    }
}

static void made_scenes_read_back(void **state)
{
    (void)state;
    static const struct made_plan plans[] = {
        {.seed = 1, .bones = 5, .clips = 3, .frames = {4, 0, 2}},
        {.seed = 2, .bones = 3, .clips = 1, .frames = {3}, .is_flat = true, .fps = 1e-30},
        {.seed = 3, .clips = 1, .frames = {3}}, /* no bones: the heading alone */
        {.seed = 4, .bones = 1, .clips = 1, .frames = {1}, .fps = 1e300},
    };
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        struct made_scene made;
        make_scene(&made, &plans[i]);
        require_table(&made.scene, NULL, false);
        require_table(&made.scene, NULL, true);
        free_made_scene(&made);
    }
}

/* It belongs to no clip: an empty field, which needs no apostrophe. */
static void no_name_for_the_rest_pose(void **state)
{
    (void)state;
    struct made_scene made;
    const struct made_plan plan = {.seed = 11, .bones = 1};
    make_scene(&made, &plan);
    made.bones[0].rest = (ossa_transform){{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    ossa_buffer buffer = {0};
    ossa_error error;
    if (!ossa_write_csv(&made.scene, NULL, ossa_buffer_sink(&buffer), &error)) {
        fail_msg("%s", error.message);
    }
    static const char row[] = "\n,0,0,0,b0,-1,0,0,0,0,0,0,1,1,1,1,1\n";
    assert_true(buffer.size > strlen(row));
    assert_memory_equal(buffer.data + buffer.size - strlen(row), row, strlen(row));
    ossa_buffer_free(&buffer);
    free_made_scene(&made);
}

static void only_the_clips_asked_for(void **state)
{
    (void)state;
    struct made_scene made;
    const struct made_plan plan = {.seed = 5, .bones = 2, .clips = 3, .frames = {2, 3, 4}};
    make_scene(&made, &plan);
    static const uint8_t masks[][3] = {{0, 1, 0}, {1, 0, 1}, {0, 0, 0}};
    for (size_t i = 0; i < 3; i++) require_table(&made.scene, masks[i], i == 1);
    free_made_scene(&made);
}

static void a_scene_without_clips_is_its_rest_pose(void **state)
{
    (void)state;
    struct made_scene made;
    const struct made_plan plan = {.seed = 6, .bones = 4};
    make_scene(&made, &plan);
    for (unsigned is_local = 0; is_local < 2; is_local++) {
        const ossa_export_options options = {.space =
                                                 is_local ? OSSA_SPACE_LOCAL : OSSA_SPACE_MODEL};
        ossa_transform pose[4];
        ossa_rest_pose(&made.scene, pose);
        if (!is_local) ossa_model_pose(&made.scene, pose, pose);
        struct table table;
        open_table(&table, &made.scene, NULL, &options);
        for (uint32_t b = 0; b < 4; b++) {
            require_row(&table, &made.scene, "", 0, 0.0F, b, &pose[b], 1);
        }
        close_table(&table);
    }
    free_made_scene(&made);
}

static void the_text_itself(void **state)
{
    (void)state;
    const ossa_transform still = {{0.1F, -0.0F, 1e-30F}, {0, 0, 0, 1}, {1, 1, 2.5F}};
    const ossa_bone bones[2] = {{.name = "=hip, \"left\"", .parent = -1, .rest = still},
                                {.name = "toe", .parent = 0, .rest = still}};
    static const uint8_t visible[2] = {1, 0};
    const ossa_transform constants[2] = {still, still};
    const ossa_clip clips[1] = {{.name = "a b",
                                 .source = "s",
                                 .source_format = "made",
                                 .fps = 30.0,
                                 .frame_count = 2,
                                 .constant = constants,
                                 .constant_visible = visible}};
    const ossa_scene scene = {
        .name = "s", .game = "g", .bone_count = 2, .bones = bones, .clip_count = 1, .clips = clips};
    static const ossa_export_options options = {.space = OSSA_SPACE_LOCAL};
    ossa_buffer buffer = {0};
    assert_true(ossa_write_csv(&scene, &options, ossa_buffer_sink(&buffer), NULL));
    static const char expected[] =
        "clip,frame,time,bone,name,parent,tx,ty,tz,rx,ry,rz,rw,sx,sy,sz,visible\n"
        "a b,0,0,0,\"'=hip, \"\"left\"\"\",-1,0.100000001,-0.0,1e-30,0,0,0,1,1,1,2.5,1\n"
        "a b,0,0,1,toe,0,0.100000001,-0.0,1e-30,0,0,0,1,1,1,2.5,0\n"
        "a b,1,0.0333333351,0,\"'=hip, \"\"left\"\"\",-1,"
        "0.100000001,-0.0,1e-30,0,0,0,1,1,1,2.5,1\n"
        "a b,1,0.0333333351,1,toe,0,0.100000001,-0.0,1e-30,0,0,0,1,1,1,2.5,0\n";
    const struct bytes found = {buffer.data, buffer.size, buffer.capacity};
    require_same("text", &found, expected, strlen(expected));
    ossa_buffer_free(&buffer);
}

/* The page for users shows how the table of the samples' bird begins. */
static void the_page_is_true(void **state)
{
    (void)state;
    ossa_scene *scene = assemble_character(&samples[2], NULL);
    ossa_buffer buffer = {0};
    assert_true(ossa_write_csv(scene, NULL, ossa_buffer_sink(&buffer), NULL));
    struct bytes page = load_test_file("../docs/export.md");
    put_u8(&page, 0);
    const char *block = strstr((const char *)page.data, "```csv\n");
    assert_non_null(block);
    if (block == NULL) abort();
    block += strlen("```csv\n");
    size_t size = strcspn(block, "`");
    assert_true(size > 100 && size < buffer.size);
    assert_memory_equal(block, buffer.data, size);
    bytes_free(&page);
    ossa_buffer_free(&buffer);
    ossa_scene_free(scene);
}

/* ---- names --------------------------------------------------------------------------------- */

static void names_read_back(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"plain", "plain"},
        {"a,b", "a,b"},
        {"\"", "\""},
        {"say \"no\"", "say \"no\""},
        {"two\nlines", "two\nlines"},
        {"\rx", "'\rx"},
        {"\nx", "'\nx"},
        {"\tx", "'\tx"},
        {"=1+1", "'=1+1"},
        {"+1", "'+1"},
        {"-1", "'-1"},
        {"@x", "'@x"},
        {"'", "''"},
        {"'=1", "''=1"},
        {"=\"a\",b", "'=\"a\",b"},
        {" x ", " x "},
        {"1-2=3", "1-2=3"},
        {"\xd1\x80;\x01", "\xd1\x80;\x01"},
    };
    enum { COUNT = sizeof pairs / sizeof pairs[0] };
    struct made_scene made;
    const struct made_plan plan = {.seed = 7, .bones = COUNT, .clips = 4, .frames = {1, 1, 1, 1}};
    make_scene(&made, &plan);
    for (size_t b = 0; b < COUNT; b++) made.bones[b].name = pairs[b][0];
    for (size_t c = 0; c < 4; c++) made.clips[c].name = pairs[3 * c + 1][0];
    require_table(&made.scene, NULL, true);
    struct table table;
    open_table(&table, &made.scene, NULL, NULL);
    for (size_t i = 0; i < (size_t)4 * COUNT; i++) {
        assert_true(next_row(&table));
        assert_string_equal(table.fields[0], pairs[3 * (i / COUNT) + 1][1]);
        assert_string_equal(table.fields[4], pairs[i % COUNT][1]);
    }
    close_table(&table);
    free_made_scene(&made);
}

/* ---- what goes wrong ----------------------------------------------------------------------- */

static void require_refusal(const ossa_scene *scene, bool is_local, const char *message)
{
    const ossa_export_options options = {.space = is_local ? OSSA_SPACE_LOCAL : OSSA_SPACE_MODEL};
    ossa_buffer buffer = {0};
    ossa_error error;
    assert_false(ossa_write_csv(scene, &options, ossa_buffer_sink(&buffer), &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_SCENE);
    assert_string_equal(error.message, message);
    assert_false(ossa_write_csv(scene, &options, ossa_buffer_sink(&buffer), NULL));
    ossa_buffer_free(&buffer);
}

static void what_no_float_can_say(void **state)
{
    (void)state;
    struct made_scene made;
    const struct made_plan plan = {.seed = 8, .bones = 3, .clips = 1, .frames = {5}};
    make_scene(&made, &plan);
    ossa_transform *constant = made_memory(&made, 3 * sizeof *constant);
    for (uint32_t b = 0; b < 3; b++) {
        made.bones[b].parent = (int32_t)b - 1;
        constant[b] = (ossa_transform){{FLT_MAX, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
        made.bones[b].rest.scale[0] = FLT_MAX;
    }
    ossa_clip clip = made.clips[0];
    clip.constant = constant;
    clip.rotations.count = clip.translations.count = clip.scales.count = 0;
    made.clips[0] = clip;
    require_table(&made.scene, NULL, true); /* each by itself is fine */
    require_refusal(&made.scene, false,
                    "'b1' is too far away in frame 0 of the clip 'clip0' for a 32-bit float");
    made.clips[0].fps = 1e-38;
    require_refusal(&made.scene, true,
                    "the clip 'clip0' is too long: the time of frame 4 is no 32-bit float");
    made.scene.clip_count = 0;
    require_refusal(&made.scene, false,
                    "'b1' is too far away in frame 0 of the rest pose for a 32-bit float");
    for (uint32_t b = 0; b < 3; b++) { /* all at one point, but endlessly large */
        made.bones[b].rest = (ossa_transform){{0, 0, 0}, {0, 0, 0, 1}, {1, 1, FLT_MAX}};
    }
    require_refusal(&made.scene, false,
                    "'b1' is too far away in frame 0 of the rest pose for a 32-bit float");
    made.bones[1].parent = 1;
    require_refusal(&made.scene, true, "'b1' has the parent 1, expected one before it");
    free_made_scene(&made);
}

struct bad_sink {
    size_t calls;
    size_t fail_at;
    size_t after;
};

static bool write_bad(void *user, const void *bytes, size_t size)
{
    struct bad_sink *sink = user;
    assert_true(bytes != NULL && size > 0);
    sink->calls++;
    if (sink->fail_at != 0 && sink->calls > sink->fail_at) sink->after++;
    return sink->calls != sink->fail_at;
}

static void every_write_may_be_refused(void **state)
{
    (void)state;
    struct made_scene made;
    const struct made_plan plan = {.seed = 9, .bones = 30, .clips = 2, .frames = {20, 20}};
    make_scene(&made, &plan);
    struct bad_sink sink = {0};
    assert_true(ossa_write_csv(&made.scene, NULL, (ossa_sink){write_bad, &sink}, NULL));
    size_t calls = sink.calls;
    assert_true(calls > 5); /* streamed, not gathered */
    for (size_t n = 1; n <= calls; n++) {
        ossa_error error;
        sink = (struct bad_sink){.fail_at = n};
        assert_false(ossa_write_csv(&made.scene, NULL, (ossa_sink){write_bad, &sink}, &error));
        assert_int_equal(error.code, OSSA_CODE_IO);
        assert_string_equal(error.message, "the output could not be written");
        assert_int_equal(sink.after, 0);
    }
    free_made_scene(&made);
}

/* Memory is for one pose, and may run out. */
static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct made_scene made;
    const struct made_plan plan = {.seed = 10, .bones = 3000, .clips = 1, .frames = {2}};
    make_scene(&made, &plan);
    size_t calls = 1;
    for (size_t n = 0; n <= calls; n++) {
        struct counting counting = {.fail_at = n};
        const ossa_export_options options = {.allocator = counting_allocator(&counting),
                                             .space = OSSA_SPACE_LOCAL};
        struct bad_sink sink = {0};
        ossa_error error;
        bool ok = ossa_write_csv(&made.scene, &options, (ossa_sink){write_bad, &sink}, &error);
        assert_int_equal(ok, n == 0);
        assert_int_equal(error.code, n == 0 ? OSSA_CODE_OK : OSSA_CODE_OUT_OF_MEMORY);
        assert_true(counting.live == 0 && !counting.wrong_release);
        assert_true(counting.peak < 300U * plan.bones);
        if (n == 0) calls = counting.calls;
        else assert_int_equal(sink.calls, 0);
    }
    free_made_scene(&made);
}

/* Every row repeats the names of the clip and of the bone: a table that is too large is not begun,
 * however it comes to be. */
static void a_huge_table_is_refused(void **state)
{
    (void)state;
    enum { LENGTH = 100000 };
    static const char text[] = "the table would take %u MiB or more, less than 1024 are allowed; "
                               "fewer clips make it smaller";
    const struct made_plan plan = {
        .seed = 10, .bones = 100, .clips = 2, .frames = {110, 2}, .is_rigid = true};
    for (unsigned i = 0; i < 4; i++) {
        struct made_scene made;
        char message[128];
        ossa_error error;
        struct bad_sink sink = {0};
        make_scene(&made, &plan);
        char *name = made_memory(&made, LENGTH + 1);
        memset(name, i == 2 ? '"' : 'n', LENGTH);
        if (i == 2) name[LENGTH / 2] = '\0'; /* each becomes two */
        if (i == 1) {
            for (uint32_t b = 0; b < plan.bones; b++) made.bones[b].name = name;
        } else {
            made.clips[0].name = name;
        }
        const uint8_t second[2] = {0, 1};
        const ossa_export_options options = {.clips = i == 3 ? second : NULL};
        bool ok = ossa_write_csv(&made.scene, &options, (ossa_sink){write_bad, &sink}, &error);
        assert_int_equal(ok, i == 3); /* the clip of that name is not written */
        if (i < 3) {
            (void)snprintf(message, sizeof message, text, i == 1 ? 1069U : 1050U);
            assert_int_equal(error.code, OSSA_CODE_LIMIT);
            assert_string_equal(error.message, message);
            assert_int_equal(sink.calls, 0);
        }
        free_made_scene(&made);
    }
}

TEST_GROUP(test_csv_table)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_read_back),
        cmocka_unit_test(made_scenes_read_back),
        cmocka_unit_test(only_the_clips_asked_for),
        cmocka_unit_test(a_scene_without_clips_is_its_rest_pose),
        cmocka_unit_test(no_name_for_the_rest_pose),
        cmocka_unit_test(the_text_itself),
        cmocka_unit_test(the_page_is_true),
        cmocka_unit_test(names_read_back),
        cmocka_unit_test(what_no_float_can_say),
        cmocka_unit_test(every_write_may_be_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(a_huge_table_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
