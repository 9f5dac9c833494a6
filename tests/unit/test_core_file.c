/* SPDX-License-Identifier: MIT
 *
 * The edges of the public calls: wrong arguments, limits, sinks and allocators that fail. */
#include "test_core.h"

#include <jansson.h>
#include <stdio.h>

/* ---- a file of every format ---------------------------------------------------------------- */

#define CONTAINER_WORDS                                                                            \
    "\"zero_04\":0,\"zero_08\":0,\"first_global\":0,\"unknown_10\":0,\"unknown_18\":0,"            \
    "\"import_count\":0,\"unknown_20\":0,\"symbol_count\":0,\"unknown_28\":0,\"unknown_2c\":0,"    \
    "\"unknown_30\":0,\"unknown_34\":0,\"relocation_count\":0,\"unknown_3c\":0,"                   \
    "\"unknown_44\":0,\"unknown_48\":0,\"entry\":0,\"unknown_50\":0,\"symbol_positions\":0,"       \
    "\"symbol_strings\":0,\"symbols_offset\":0,\"unknown_64\":0,"
#define SECTION_WORDS                                                                              \
    "\"address\":0,\"image_address\":0,\"alignment\":0,\"type\":0,\"flags\":0,\"state\":0,"

static const struct {
    const char *format;
    const char *json;
} documents[] = {
    {"ei-anm", "{\"ossa\":1,\"format\":\"ei-anm\",\"size\":60,\"data\":{\"rotations\":[[1,0,0,0]],"
               "\"translations\":[[1,2,3]],\"morph_vertices\":1,\"morphs\":[[[0,-0.0,0.5]]],"
               "\"short_tail\":false,\"tail\":\"0102\"}}"},
    {"ei-lnk",
     "{\"ossa\":1,\"format\":\"ei-lnk\",\"size\":0,\"data\":{\"links\":["
     "{\"child\":\"a\",\"parent\":\"\",\"child_nul\":true,\"parent_nul\":false},"
     "{\"child\":\"\\u0451\",\"parent\":\"A\",\"child_nul\":true,\"parent_nul\":true}]}}"},
    {"mm-anim", "{\"ossa\":1,\"format\":\"mm-anim\",\"size\":0,\"data\":{\"dialect\":\"legacy\","
                "\"frames\":1,\"channels\":[{\"floats_per_frame\":6,\"unknown\":1.5,\"type\":1,"
                "\"frames\":[[1,2,3,4,5,6]]}]}}"},
    {"vib-anm", "{\"ossa\":1,\"format\":\"vib-anm\",\"size\":0,\"data\":{\"rate\":30,\"frames\":["
                "[{\"object\":0,\"flags\":7,\"rotation\":[1,2,3],\"scale\":[4,5,6],"
                "\"position\":[7,8,9]}],[]]}}"},
    {"sotc-anb",
     "{\"ossa\":1,\"format\":\"sotc-anb\",\"size\":348,\"data\":{\"poses\":2,\"bones\":["
     "{\"flag\":0,\"record_offset\":80,\"constants\":[0,0,0,1],\"keys\":[]},"
     "{\"flag\":6,\"record_offset\":96,\"keys_offset\":132,"
     "\"constants\":[0,0.5,0,0.5,0.25,0.5,0,0],\"keys\":[1080033280,4112]}],"
     "\"header\":{\"poses_high\":0,\"flags_offset\":68,\"records_offset\":72,"
     "\"unknown\":[0,0,0,0,0,0,0,0,0,0,0,0]},"
     "\"container\":{\"magic\":\"xff\",\"size\":348,\"sections_offset\":120,"
     "\"section_name_positions\":112,\"section_strings\":184," CONTAINER_WORDS
     "\"sections\":[{\"name\":\".text\",\"name_position\":0," SECTION_WORDS
     "\"size\":0,\"offset\":208},{\"name\":\".rodata\",\"name_position\":6," SECTION_WORDS
     "\"size\":140,\"offset\":208}]},"
     "\"gaps\":[{\"offset\":198,\"bytes\":\"00000000000000000000\"},"
     "{\"offset\":278,\"bytes\":\"0000\"}]}}"},
    {"sotc-xff", "{\"ossa\":1,\"format\":\"sotc-xff\",\"size\":164,\"data\":{"
                 "\"container\":{\"magic\":\"xff2\",\"size\":164,\"sections_offset\":116,"
                 "\"section_name_positions\":112,\"section_strings\":148," CONTAINER_WORDS
                 "\"sections\":[{\"name\":\".data\",\"name_position\":0," SECTION_WORDS
                 "\"size\":8,\"offset\":156}]},"
                 "\"gaps\":[{\"offset\":154,\"bytes\":\"0000a0a1a2a3a4a5a6a7\"}]}}"},
};

static ossa_file *build(size_t index, const ossa_options *options)
{
    ossa_error error;
    const char *json = documents[index].json;
    ossa_file *file = ossa_build(json, strlen(json), options, &error);
    if (file == NULL) {
        char text[600];
        (void)ossa_error_text(&error, text, sizeof text);
        fail_msg("%s", text);
        abort(); /* never reached; cmocka does not tell the compiler */
    }
    assert_string_equal(file->format->id, documents[index].format);
    return file;
}

static ossa_buffer bytes_of(const ossa_file *file)
{
    ossa_buffer buffer = {0};
    ossa_error error;
    assert_true(ossa_write(file, ossa_buffer_sink(&buffer), &error));
    assert_true(buffer.size > 0);
    return buffer;
}

/* An ei-anm of one frame: 44 bytes. */
static const uint32_t small_anm[] = {WORD(1), WORD(0x3f800000), 0, 0, 0, WORD(1), 0, 0, 0, 0, 0};

/* ---- versions and names -------------------------------------------------------------------- */

static void versions_agree(void **state)
{
    (void)state;
    char text[32];
    assert_int_equal(ossa_version(), OSSA_VERSION);
    (void)snprintf(text, sizeof text, "%d.%d.%d", OSSA_VERSION_MAJOR, OSSA_VERSION_MINOR,
                   OSSA_VERSION_PATCH);
    assert_string_equal(ossa_version_text(), text);
}

/* Programs compare these: an entry may be added, never changed. */
static const char *const pinned_codes[] = {"ok",
                                           "out-of-memory",
                                           "limit",
                                           "bad-argument",
                                           "io",
                                           "unknown-format",
                                           "ambiguous-format",
                                           "empty-file",
                                           "truncated",
                                           "bad-count",
                                           "bad-magic",
                                           "bad-offset",
                                           "bad-value",
                                           "zero-width",
                                           "overlap",
                                           "size-mismatch",
                                           "trailing-bytes",
                                           "gap",
                                           "ambiguous-dialect",
                                           "unequal-tracks",
                                           "unknown-flag",
                                           "bad-root",
                                           "bad-order",
                                           "duplicate-name",
                                           "unknown-parent",
                                           "embedded-nul",
                                           "empty-name",
                                           "duplicate-object",
                                           "non-finite",
                                           "not-unit",
                                           "unusual-value",
                                           "bad-json"};

static void codes_are_pinned(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(pinned_codes); i++) {
        assert_string_equal(ossa_code_name((ossa_code)i), pinned_codes[i]);
        assert_true(strlen(ossa_code_meaning((ossa_code)i)) > 5);
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(pinned_codes[i], pinned_codes[k]);
            assert_string_not_equal(ossa_code_meaning((ossa_code)i),
                                    ossa_code_meaning((ossa_code)k));
        }
    }
    assert_int_equal(OSSA_CODE_TRUNCATED, 8);
    assert_int_equal(OSSA_CODE_BAD_JSON, 31);
    assert_string_equal(ossa_code_name((ossa_code)9999), "unknown-code");
    assert_string_equal(ossa_code_meaning((ossa_code)9999), "unknown code");
}

static void other_names(void **state)
{
    (void)state;
    assert_string_equal(ossa_severity_name(OSSA_SEVERITY_WARNING), "warning");
    assert_string_equal(ossa_severity_name(OSSA_SEVERITY_ERROR), "error");
    assert_string_equal(ossa_severity_name(OSSA_SEVERITY_UNREADABLE), "unreadable");
    assert_string_equal(ossa_severity_name((ossa_severity)9), "unknown-severity");
    static const char *const kinds[] = {"animation", "skeleton", "model",  "texture",
                                        "camera",    "table",    "archive"};
    for (unsigned i = 0; i < COUNT_OF(kinds); i++)
        assert_string_equal(ossa_kind_name((ossa_kind)i), kinds[i]);
    assert_string_equal(ossa_kind_name((ossa_kind)99), "unknown");
    static const char *const sure[] = {"forced",     "extension", "damaged",  "empty",
                                       "arithmetic", "plausible", "signature"};
    for (unsigned i = 0; i < COUNT_OF(sure); i++)
        assert_string_equal(ossa_confidence_name((ossa_confidence)i), sure[i]);
    assert_string_equal(ossa_confidence_name((ossa_confidence)99), "unknown");
}

static void the_table_of_formats(void **state)
{
    (void)state;
    size_t count = ossa_format_count();
    assert_true(count >= COUNT_OF(documents));
    for (size_t i = 0; i < count; i++) {
        const ossa_format *format = ossa_format_at(i);
        assert_ptr_equal(ossa_format_find(format->id), format); /* so ids are unique */
        assert_true(ossa_format_can(format, OSSA_ABILITY_READ));
        assert_true(strlen(format->title) > 0 && strlen(format->game) > 0);
        assert_true(strlen(ossa_format_open(format)) > 0); /* every game says it */
        assert_true(strlen(format->extensions) > 0 && strchr(format->extensions, '.') == NULL);
    }
    for (size_t i = 0; i < COUNT_OF(documents); i++) {
        const ossa_format *format = ossa_format_find(documents[i].format);
        assert_non_null(format);
        assert_true(ossa_format_can(format, OSSA_ABILITY_WRITE));
        assert_true(ossa_format_can(format, OSSA_ABILITY_DUMP));
        assert_true(ossa_format_can(format, OSSA_ABILITY_BUILD));
        assert_false(ossa_format_can(format, (ossa_ability)99));
    }
    assert_null(ossa_format_at(count));
    assert_null(ossa_format_at(SIZE_MAX));
    assert_string_equal(ossa_format_open(NULL), "");
    assert_null(ossa_format_find("ei-an"));
    assert_null(ossa_format_find("ei-anm2"));
    assert_null(ossa_format_find(""));
}

static void names_of_files(void **state)
{
    (void)state;
    const ossa_format *anim = ossa_format_find("mm-anim");
    assert_true(ossa_format_fits_name(anim, "walk.anim"));
    assert_true(ossa_format_fits_name(anim, "a.b/walk.x.AnIm"));
    assert_true(ossa_format_fits_name(anim, "c:\\peds\\WALK.ANIM"));
    assert_true(ossa_format_fits_name(anim, ".anim"));
    assert_false(ossa_format_fits_name(anim, "walk.ani"));
    assert_false(ossa_format_fits_name(anim, "walk.anims"));
    assert_false(ossa_format_fits_name(anim, "walk."));
    assert_false(ossa_format_fits_name(anim, "anim"));
    assert_false(ossa_format_fits_name(anim, "a.anim/walk"));
    assert_false(ossa_format_fits_name(anim, "a.anim\\walk"));
    assert_false(ossa_format_fits_name(anim, "walk.anim anm"));
    assert_false(ossa_format_fits_name(anim, ""));
    assert_false(ossa_format_fits_name(anim, NULL));
}

/* ---- errors as text ------------------------------------------------------------------------ */

static void error_text_is_cut_to_fit(void **state)
{
    (void)state;
    ossa_error error = {.format = "vib-anm", .has_offset = true, .offset = 0x1e};
    strcpy(error.field, "offsets[12]");
    strcpy(error.message, "too far");
    const char *whole = "vib-anm: offsets[12]: too far, at 0x1e";
    for (size_t capacity = 0; capacity <= strlen(whole) + 2; capacity++) {
        char text[80];
        memset(text, 'x', sizeof text);
        assert_int_equal(ossa_error_text(&error, text, capacity), strlen(whole));
        assert_int_equal(text[capacity], 'x');
        if (capacity == 0) continue;
        size_t expected = capacity - 1 < strlen(whole) ? capacity - 1 : strlen(whole);
        assert_int_equal(strlen(text), expected);
        assert_memory_equal(text, whole, expected);
    }
}

static void issue_text(void **state)
{
    (void)state;
    ossa_issue issue = {.format = "", .field = "", .message = "bad", .offset = 7};
    char text[80];
    assert_int_equal(ossa_issue_text(&issue, text, sizeof text), 3);
    assert_string_equal(text, "bad");
    issue.has_offset = true;
    (void)ossa_issue_text(&issue, text, sizeof text);
    assert_string_equal(text, "bad, at 0x7");
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Reading must fail, with and without an error to fill. */
static void assert_read_fails(const void *data, size_t size, const ossa_options *options,
                              ossa_code code)
{
    ossa_error error;
    memset(&error, 0x55, sizeof error);
    assert_null(ossa_read(data, size, options, &error));
    assert_int_equal(error.code, code);
    assert_true(strlen(error.message) > 0);
    assert_null(ossa_read(data, size, options, NULL));
}

static void wrong_arguments(void **state)
{
    (void)state;
    const uint8_t byte = 0;
    assert_read_fails(NULL, 5, NULL, OSSA_CODE_BAD_ARGUMENT);
    assert_read_fails(NULL, 0, NULL, OSSA_CODE_EMPTY_FILE);
    assert_read_fails(&byte, 0, NULL, OSSA_CODE_EMPTY_FILE);
    assert_read_fails(&byte, 1, NULL, OSSA_CODE_UNKNOWN_FORMAT);
    assert_read_fails(&byte, 1, &(ossa_options){.format = "nonsense"}, OSSA_CODE_BAD_ARGUMENT);
    assert_read_fails(&byte, 1, &(ossa_options){.format = ""}, OSSA_CODE_BAD_ARGUMENT);
    assert_read_fails(small_anm, sizeof small_anm, &(ossa_options){.max_input = 43},
                      OSSA_CODE_LIMIT);
    assert_read_fails(small_anm, sizeof small_anm, &(ossa_options){.max_memory = 100},
                      OSSA_CODE_LIMIT);
    assert_read_fails(&byte, (size_t)257 << 20, NULL, OSSA_CODE_LIMIT); /* not a byte is touched */
    ossa_file_free(NULL);
}

static void reading_with_nothing_but_bytes(void **state)
{
    (void)state;
    ossa_file *file = ossa_read(small_anm, sizeof small_anm, NULL, NULL);
    assert_non_null(file);
    assert_string_equal(file->format->id, "ei-anm");
    assert_int_equal(file->confidence, OSSA_CONFIDENCE_PLAUSIBLE);
    assert_int_equal(file->size, sizeof small_anm);
    assert_int_equal(file->error_count, 0);
    assert_non_null(ossa_as_ei_anm(file));
    assert_null(ossa_as_ei_lnk(file));
    assert_null(ossa_as_mm_anim(file));
    assert_null(ossa_as_vib_anm(file));
    assert_null(ossa_as_sotc_anb(file));
    assert_null(ossa_as_sotc_xff(file));
    assert_null(ossa_as_ei_anm(NULL));
    ossa_file_free(file);
}

static void assert_clear(const ossa_error *error)
{
    assert_int_equal(error->code, OSSA_CODE_OK);
    assert_null(error->format);
    assert_false(error->has_offset);
    assert_int_equal(error->offset, 0);
    assert_string_equal(error->field, "");
    assert_string_equal(error->message, "");
    assert_string_equal(error->path, "");
}

static void success_clears_the_error(void **state)
{
    (void)state;
    ossa_error error;
    memset(&error, 0x55, sizeof error);
    ossa_options options = {.format = "ei-anm", .max_input = sizeof small_anm};
    ossa_file *file = ossa_read(small_anm, sizeof small_anm, &options, &error);
    assert_non_null(file);
    assert_clear(&error);
    assert_int_equal(file->confidence, OSSA_CONFIDENCE_NONE); /* it was told, not found out */
    ossa_buffer buffer = {0};
    memset(&error, 0x55, sizeof error);
    assert_true(ossa_write(file, ossa_buffer_sink(&buffer), &error));
    assert_clear(&error);
    ossa_buffer_free(&buffer);
    ossa_file_free(file);
}

static void who_owns_the_bytes(void **state)
{
    (void)state;
    skip_unless_little_endian();
    uint32_t words[COUNT_OF(small_anm)];
    memcpy(words, small_anm, sizeof words);
    ossa_file *borrowing = ossa_read(words, sizeof words, NULL, NULL);
    ossa_file *copying = ossa_read(words, sizeof words, &(ossa_options){.copy = true}, NULL);
    const ossa_ei_anm *borrowed = ossa_as_ei_anm(borrowing);
    const ossa_ei_anm *copied = ossa_as_ei_anm(copying);
    assert_ptr_equal(borrowed->rotations, words + 1);
    assert_ptr_not_equal(copied->rotations, words + 1);
    memset(words, 0, sizeof words);
    assert_true(copied->rotations[0][0] == 1.0F);
    assert_true(borrowed->rotations[0][0] == 0.0F);
    ossa_buffer buffer = bytes_of(copying);
    assert_int_equal(buffer.size, sizeof small_anm);
    assert_memory_equal(buffer.data, small_anm, sizeof small_anm);
    ossa_buffer_free(&buffer);
    ossa_file_free(borrowing);
    ossa_file_free(copying);
}

/* What a listener heard last. */
struct heard {
    size_t count;
    ossa_issue last;
    char format[16];
    char field[OSSA_FIELD_CAPACITY];
};

static void on_issue(void *user, const ossa_issue *issue)
{
    struct heard *heard = user;
    heard->count++;
    heard->last = *issue;
    (void)snprintf(heard->format, sizeof heard->format, "%s", issue->format);
    (void)snprintf(heard->field, sizeof heard->field, "%s", issue->field);
}

static void the_last_issue_is_why_not(void **state)
{
    (void)state;
    struct heard heard = {0};
    ossa_options options = {.format = "ei-anm", .on_issue = on_issue, .user = &heard};
    assert_read_fails(small_anm, 10, &options, OSSA_CODE_BAD_COUNT);
    assert_int_equal(heard.count, 2); /* two calls, one issue each */
    assert_int_equal(heard.last.severity, OSSA_SEVERITY_UNREADABLE);
    assert_int_equal(heard.last.code, OSSA_CODE_BAD_COUNT);
    assert_true(heard.last.has_offset);
    assert_string_equal(heard.format, "ei-anm");
    assert_string_equal(heard.field, "rotation_count");
    options.format = NULL;
    assert_read_fails("?", 1, &options, OSSA_CODE_UNKNOWN_FORMAT);
    assert_int_equal(heard.count, 4);
    assert_false(heard.last.has_offset);
    assert_string_equal(heard.format, "");
}

/* ---- which format -------------------------------------------------------------------------- */

/* A link of an empty name to one of 8 bytes; or a frame of no bones whose floats are nonsense. */
static const uint32_t two_faced[] = {WORD(1), 0, WORD(8), 0xffffffff, 0xffffffff};

static void ambiguous_files(void **state)
{
    (void)state;
    ossa_error error;
    assert_null(ossa_read(two_faced, sizeof two_faced, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_AMBIGUOUS_FORMAT);
    assert_string_equal(error.message, "could be any of ei-lnk, mm-anim");
    static const char *const names[][2] = {{"x.lnk", "ei-lnk"}, {"x.anim", "mm-anim"}};
    for (size_t i = 0; i < 2; i++) {
        ossa_options options = {.name = names[i][0]};
        ossa_file *file = ossa_read(two_faced, sizeof two_faced, &options, &error);
        assert_non_null(file);
        assert_string_equal(file->format->id, names[i][1]);
        ossa_file_free(file);
        options = (ossa_options){.format = names[i][1], .name = names[1 - i][0]};
        file = ossa_read(two_faced, sizeof two_faced, &options, &error); /* force beats name */
        assert_string_equal(file->format->id, names[i][1]);
        ossa_file_free(file);
    }
}

static void guesses_and_their_room(void **state)
{
    (void)state;
    ossa_options options = {.name = "x.anim"};
    ossa_guess guesses[3] = {
        {NULL, OSSA_CONFIDENCE_NONE}, {NULL, OSSA_CONFIDENCE_NONE}, {NULL, OSSA_CONFIDENCE_NONE}};
    assert_int_equal(ossa_probe(two_faced, sizeof two_faced, NULL, NULL, 0), 2);
    assert_int_equal(ossa_probe(two_faced, sizeof two_faced, &options, guesses, 1), 2);
    assert_string_equal(guesses[0].format->id, "mm-anim");
    assert_null(guesses[1].format); /* no room, not written */
    assert_int_equal(ossa_probe(two_faced, sizeof two_faced, &options, guesses, 3), 2);
    assert_string_equal(guesses[0].format->id, "mm-anim");
    assert_string_equal(guesses[1].format->id, "ei-lnk");
    assert_int_equal(guesses[1].confidence, OSSA_CONFIDENCE_ARITHMETIC);
    assert_null(guesses[2].format);
    assert_int_equal(ossa_probe(NULL, 0, NULL, guesses, 3), 0);
    assert_int_equal(ossa_probe(NULL, 5, NULL, guesses, 3), 0);
    assert_int_equal(ossa_probe("?", 1, &options, guesses, 3), 0);
}

/* Nobody claims it, but its name leaves just one format that it can be: that one says why not. */
static void damaged_files_with_a_name(void **state)
{
    (void)state;
    ossa_error error;
    assert_null(ossa_read("\1\0\0\0", 4, &(ossa_options){.name = "x.lnk"}, &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_COUNT);
    assert_string_equal(error.format, "ei-lnk");
    assert_null(ossa_read("\1\0\0\0", 4, &(ossa_options){.name = "x.anm"}, &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_COUNT); /* a vib-anm would have a signature */
    assert_string_equal(error.format, "ei-anm");
    assert_null(ossa_read("\0\x80\0\0", 4, &(ossa_options){.name = "x.anm"}, &error));
    assert_int_equal(error.code,
                     OSSA_CODE_UNKNOWN_FORMAT); /* both could be meant, and say why not */
    assert_non_null(strstr(error.message, "ei-anm: "));
    assert_non_null(strstr(error.message, "vib-anm: "));
    assert_null(ossa_read("\1\0\0\0", 4, &(ossa_options){.name = "x.txt"}, &error));
    assert_int_equal(error.code, OSSA_CODE_UNKNOWN_FORMAT);
    assert_string_equal(error.message, "not a file of a known format"); /* nothing to go by */
}

/* ---- building ------------------------------------------------------------------------------ */

static void assert_build_fails(const char *json, ossa_code code, const char *field)
{
    ossa_error error;
    memset(&error, 0x55, sizeof error);
    assert_null(ossa_build(json, strlen(json), NULL, &error));
    assert_int_equal(error.code, code);
    assert_string_equal(error.field, field);
    assert_null(ossa_build(json, strlen(json), NULL, NULL));
}

static void documents_that_are_no_file(void **state)
{
    (void)state;
    assert_build_fails("", OSSA_CODE_EMPTY_FILE, "");
    assert_build_fails("[]", OSSA_CODE_BAD_JSON, "");
    assert_build_fails("{}", OSSA_CODE_BAD_JSON, "");
    assert_build_fails("{\"ossa\":0,\"format\":\"ei-anm\",\"size\":0,\"data\":{}}",
                       OSSA_CODE_BAD_JSON, "ossa");
    assert_build_fails("{\"ossa\":2,\"format\":\"ei-anm\",\"size\":0,\"data\":{}}",
                       OSSA_CODE_BAD_JSON, "ossa");
    assert_build_fails("{\"ossa\":1,\"format\":\"none\",\"size\":0,\"data\":{}}",
                       OSSA_CODE_BAD_JSON, "format");
    assert_build_fails("{\"ossa\":1,\"format\":\"ei-anm\",\"size\":-1,\"data\":{}}",
                       OSSA_CODE_BAD_JSON, "size");
    assert_build_fails("{\"ossa\":1,\"format\":\"ei-anm\",\"size\":0}", OSSA_CODE_BAD_JSON, "data");
    assert_build_fails("{\"ossa\":1,\"format\":\"ei-anm\",\"size\":0,\"data\":{},\"more\":0}",
                       OSSA_CODE_BAD_JSON, "more");
    /* A file of 8 EiB is not made because somebody says so. */
    assert_build_fails("{\"ossa\":1,\"format\":\"sotc-xff\",\"size\":9223372036854775807,"
                       "\"data\":{\"container\":{},\"gaps\":[]}}",
                       OSSA_CODE_BAD_JSON, "size");
    ossa_error error;
    assert_null(ossa_build(NULL, 5, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_ARGUMENT);
    assert_null(ossa_build("{}", 2, &(ossa_options){.max_input = 1}, &error));
    assert_int_equal(error.code, OSSA_CODE_LIMIT);
}

static void built_files_write_and_dump(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(documents); i++) {
        ossa_file *file = build(i, NULL);
        ossa_buffer bytes = bytes_of(file);
        assert_int_equal(file->size, bytes.size);
        for (unsigned style = 0; style < 2; style++) {
            ossa_buffer json = {0};
            assert_true(ossa_dump(file, (ossa_json_style)style, ossa_buffer_sink(&json), NULL));
            assert_int_equal(json.data[json.size - 1], '\n');
            ossa_file *again = ossa_build((const char *)json.data, json.size, NULL, NULL);
            assert_non_null(again);
            ossa_buffer bytes_again = bytes_of(again);
            assert_int_equal(bytes_again.size, bytes.size);
            assert_memory_equal(bytes_again.data, bytes.data, bytes.size);
            ossa_buffer_free(&bytes_again);
            ossa_buffer_free(&json);
            ossa_file_free(again);
        }
        ossa_buffer_free(&bytes);
        ossa_file_free(file);
    }
}

/* Eight zero bytes fit two dialects; a document says which one is meant. */
static void a_document_names_its_dialect(void **state)
{
    (void)state;
    const char *json = "{\"ossa\":1,\"format\":\"mm-anim\",\"size\":8,\"data\":{"
                       "\"dialect\":\"documented\",\"frames\":0,\"channels\":[]}}";
    ossa_file *file = ossa_build(json, strlen(json), NULL, NULL);
    assert_non_null(file);
    assert_int_equal(ossa_as_mm_anim(file)->dialect, OSSA_MM_DIALECT_DOCUMENTED);
    ossa_buffer bytes = bytes_of(file);
    assert_int_equal(bytes.size, 8);
    ossa_file *read = ossa_read(bytes.data, bytes.size, NULL, NULL);
    assert_int_equal(ossa_as_mm_anim(read)->dialect, OSSA_MM_DIALECT_MM1);
    ossa_file_free(read);
    ossa_buffer_free(&bytes);
    ossa_file_free(file);
}

/* What the writer refuses is told as the writer told it. */
static void documents_that_cannot_be_written(void **state)
{
    (void)state;
    enum { DIGITS = 2 * 131072 }; /* one offset more than 16 bits hold */
    char *digits = calloc(DIGITS + 1, 1);
    char *json = calloc(DIGITS + 200, 1);
    assert_non_null(digits);
    assert_non_null(json);
    memset(digits, '0', DIGITS);
    int size = snprintf(json, DIGITS + 200,
                        "{\"ossa\":1,\"format\":\"vib-anm\",\"size\":0,"
                        "\"data\":{\"rate\":30,\"frames\":[],\"gap\":\"%s\"}}",
                        digits);
    ossa_error error;
    assert_null(ossa_build(json, (size_t)size, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_LIMIT);
    free(digits);
    free(json);
}

static void descriptions_are_json(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(documents); i++) {
        ossa_file *file = build(i, NULL);
        json_t *roots[2];
        for (unsigned style = 0; style < 2; style++) {
            ossa_buffer text = {0};
            assert_true(
                ossa_describe_json(file, (ossa_json_style)style, ossa_buffer_sink(&text), NULL));
            roots[style] = json_loadb((const char *)text.data, text.size, 0, NULL);
            assert_true(json_is_object(roots[style]));
            assert_true(json_object_size(roots[style]) > 1);
            ossa_buffer_free(&text);
        }
        assert_true(json_equal(roots[0], roots[1]));
        json_decref(roots[0]);
        json_decref(roots[1]);
        ossa_file_free(file);
    }
}

/* ---- sinks that fail ----------------------------------------------------------------------- */

enum output { WRITE, DUMP, DUMP_PRETTY, DESCRIBE, DESCRIBE_JSON, OUTPUTS };

static bool put_out(const ossa_file *file, enum output output, ossa_sink sink, ossa_error *error)
{
    switch (output) {
    case WRITE: return ossa_write(file, sink, error);
    case DUMP: return ossa_dump(file, OSSA_JSON_STYLE_LINE, sink, error);
    case DUMP_PRETTY: return ossa_dump(file, OSSA_JSON_STYLE_PRETTY, sink, error);
    case DESCRIBE: return ossa_describe(file, sink, error);
    default: return ossa_describe_json(file, OSSA_JSON_STYLE_LINE, sink, error);
    }
}

/* Let the sink fail at every call in turn; gives how many calls there are. */
static size_t check_failing_sinks(const ossa_file *file, enum output output)
{
    for (size_t fail_at = 0;; fail_at++) {
        struct sink sink = {.fail_at = fail_at};
        ossa_error error;
        memset(&error, 0x55, sizeof error);
        bool good = put_out(file, output, failing(&sink), &error);
        ossa_buffer_free(&sink.buffer);
        if (good) {
            assert_int_equal(error.code, OSSA_CODE_OK);
            assert_int_equal(sink.calls, fail_at);
            return fail_at;
        }
        assert_int_equal(error.code, OSSA_CODE_IO);
        assert_string_equal(error.format, file->format->id);
        assert_int_equal(sink.calls, fail_at + 1);
        sink = (struct sink){.fail_at = fail_at};
        assert_false(put_out(file, output, failing(&sink), NULL));
        ossa_buffer_free(&sink.buffer);
    }
}

static void failing_sinks(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(documents); i++) {
        ossa_file *file = build(i, NULL);
        for (unsigned output = 0; output < OUTPUTS; output++)
            assert_true(check_failing_sinks(file, (enum output)output) >= 1);
        ossa_file_free(file);
    }
}

/* Outputs that take several calls of the sink. */
static void failing_sinks_of_long_outputs(void **state)
{
    (void)state;
    enum { ROTATIONS = 4000, WORDS = 1 + 4 * ROTATIONS + 3 };
    uint32_t *words = calloc(WORDS, sizeof *words);
    assert_non_null(words);
    words[0] = WORD(ROTATIONS);
    for (size_t i = 0; i < ROTATIONS; i++) words[1 + 4 * i] = WORD(0x3f800000);
    ossa_file *file = ossa_read(words, WORDS * sizeof *words, NULL, NULL);
    assert_non_null(file);
    assert_true(check_failing_sinks(file, WRITE) >= 3);
    assert_true(check_failing_sinks(file, DUMP) >= 3);
    assert_true(check_failing_sinks(file, DUMP_PRETTY) >= 3);
    assert_true(check_failing_sinks(file, DESCRIBE) >= 3);
    ossa_file_free(file);
    free(words);
}

/* ---- allocators that fail ------------------------------------------------------------------ */

/* A buffer without memory is a sink that fails. */
static void buffers_without_memory(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = 0};
    ossa_buffer buffer = {.allocator = counted(&memory)};
    ossa_error error;
    ossa_file *file = ossa_read(small_anm, sizeof small_anm, NULL, NULL);
    assert_false(ossa_write(file, ossa_buffer_sink(&buffer), &error));
    assert_int_equal(error.code, OSSA_CODE_IO);
    assert_int_equal(buffer.size, 0);
    ossa_buffer_free(&buffer);
    ossa_file_free(file);
}

/* What was taken before a failure is given back. */
static void failures_leave_nothing_behind(void **state)
{
    (void)state;
    for (size_t size = 1; size < sizeof small_anm; size++) {
        if (size == 40) continue; /* the variant with a short tail is a good file */
        struct memory memory = {.fail_from = NEVER};
        ossa_options options = {
            .allocator = counted(&memory), .format = "ei-anm", .copy = size % 2 == 0};
        assert_null(ossa_read(small_anm, size, &options, NULL));
        assert_true(memory.calls > 0);
        assert_int_equal(memory.live_blocks, 0);
    }
    struct memory memory = {.fail_from = NEVER};
    ossa_options options = {.allocator = counted(&memory), .name = "x.anm"};
    assert_null(ossa_read("\0\x80\0\0", 4, &options, NULL)); /* all candidates are tried */
    assert_true(memory.calls > 0);
    assert_int_equal(memory.live_blocks, 0);
    memory.calls = 0;
    const char *json = "{\"ossa\":1,\"format\":\"ei-anm\",\"size\":0,\"data\":{}}";
    assert_null(ossa_build(json, strlen(json), &options, NULL));
    assert_true(memory.calls > 0);
    assert_int_equal(memory.live_blocks, 0);
}

static void building_without_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(documents); i++) {
        const char *json = documents[i].json;
        for (size_t fail_from = 0;; fail_from++) {
            struct memory memory = {.fail_from = fail_from};
            ossa_options options = {.allocator = counted(&memory)};
            ossa_error error;
            ossa_file *file = ossa_build(json, strlen(json), &options, &error);
            if (file != NULL) {
                assert_true(fail_from >= 3); /* the arena, the buffer, the result */
                ossa_file_free(file);
                assert_int_equal(memory.live_blocks, 0);
                break;
            }
            assert_int_equal(error.code, OSSA_CODE_OUT_OF_MEMORY);
            assert_int_equal(memory.live_blocks, 0);
        }
    }
}

/* Write a file whose memory fails from some call on. */
static bool write_with(const ossa_file *file, struct memory *memory, size_t fail_from,
                       ossa_buffer *out, ossa_error *error)
{
    memory->fail_from = fail_from;
    out->size = 0;
    return ossa_write(file, ossa_buffer_sink(out), error);
}

static void reading_and_writing_without_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(documents); i++) {
        ossa_file *built = build(i, NULL);
        ossa_buffer bytes = bytes_of(built);
        ossa_file_free(built);
        for (size_t fail_from = 0;; fail_from++) {
            struct memory memory = {.fail_from = fail_from};
            ossa_options options = {.allocator = counted(&memory), .format = documents[i].format};
            ossa_error error;
            ossa_file *file = ossa_read(bytes.data, bytes.size, &options, &error);
            if (file == NULL) {
                assert_int_equal(error.code, OSSA_CODE_OUT_OF_MEMORY);
                assert_int_equal(memory.live_blocks, 0);
                continue;
            }
            assert_true(fail_from >= 1);
            size_t held = memory.live_blocks;
            ossa_buffer out = {0};
            if (!write_with(file, &memory, memory.calls, &out, &error)) {
                assert_int_equal(error.code, OSSA_CODE_OUT_OF_MEMORY);
            }
            assert_int_equal(memory.live_blocks, held); /* what writing takes, it gives back */
            assert_true(write_with(file, &memory, NEVER, &out, &error));
            assert_int_equal(memory.live_blocks, held);
            assert_int_equal(out.size, bytes.size);
            assert_memory_equal(out.data, bytes.data, bytes.size);
            ossa_buffer_free(&out);
            ossa_file_free(file);
            assert_int_equal(memory.live_blocks, 0);
            break;
        }
        ossa_buffer_free(&bytes);
    }
}

TEST_GROUP(test_core_file)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions_agree),
        cmocka_unit_test(codes_are_pinned),
        cmocka_unit_test(other_names),
        cmocka_unit_test(the_table_of_formats),
        cmocka_unit_test(names_of_files),
        cmocka_unit_test(error_text_is_cut_to_fit),
        cmocka_unit_test(issue_text),
        cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(reading_with_nothing_but_bytes),
        cmocka_unit_test(success_clears_the_error),
        cmocka_unit_test(who_owns_the_bytes),
        cmocka_unit_test(the_last_issue_is_why_not),
        cmocka_unit_test(ambiguous_files),
        cmocka_unit_test(guesses_and_their_room),
        cmocka_unit_test(damaged_files_with_a_name),
        cmocka_unit_test(documents_that_are_no_file),
        cmocka_unit_test(built_files_write_and_dump),
        cmocka_unit_test(a_document_names_its_dialect),
        cmocka_unit_test(documents_that_cannot_be_written),
        cmocka_unit_test(descriptions_are_json),
        cmocka_unit_test(failing_sinks),
        cmocka_unit_test(failing_sinks_of_long_outputs),
        cmocka_unit_test(buffers_without_memory),
        cmocka_unit_test(failures_leave_nothing_behind),
        cmocka_unit_test(building_without_memory),
        cmocka_unit_test(reading_and_writing_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
