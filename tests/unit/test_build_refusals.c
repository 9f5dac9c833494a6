/* SPDX-License-Identifier: MIT
 *
 * JSON that cannot be such a file: every refusal names the place in the document, exactly. Each
 * case takes a good document and changes one value in it. */
#include "support/testing.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct refusal {
    const char *fixture;
    const char *place; /* of the value that is changed, as in the errors */
    const char *json;  /* what it becomes; NULL: it is taken away */
    const char *field; /* that the error names */
    const char *message;
};

/* ---- changing a document ------------------------------------------------------------------- */

/* Replace, add or remove the member or item at the end of a path. */
static void change(json_t *node, const char *path, json_t *value)
{
    for (;;) {
        size_t length = strcspn(path, ".[");
        char key[64] = "";
        size_t index = 0;
        bool in_array = path[0] == '[';
        if (in_array) {
            char *end;
            index = strtoul(path + 1, &end, 10);
            path = end + 1;
        } else {
            assert_true(length < sizeof key);
            memcpy(key, path, length);
            path += length;
        }
        if (path[0] == '.') path++;
        if (path[0] == '\0') {
            int failed;
            if (in_array)
                failed = index == json_array_size(node) ? json_array_append_new(node, value)
                                                        : json_array_set_new(node, index, value);
            else
                failed = value == NULL ? json_object_del(node, key)
                                       : json_object_set_new(node, key, value);
            assert_int_equal(failed, 0);
            return;
        }
        node = in_array ? json_array_get(node, index) : json_object_get(node, key);
        assert_non_null(node);
    }
}

static struct bytes changed_document(const struct refusal *refusal)
{
    ossa_file *file = read_fixture(fixture_find(refusal->fixture));
    struct bytes json = dump_or_fail(refusal->fixture, file, OSSA_JSON_STYLE_LINE);
    ossa_file_free(file);
    json_t *document = json_loadb((const char *)json.data, json.size, JSON_ALLOW_NUL, NULL);
    assert_non_null(document);
    bytes_free(&json);
    json_t *value = NULL;
    if (refusal->json != NULL) {
        value = json_loads(refusal->json, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
        assert_non_null(value);
    }
    change(document, refusal->place, value);
    char *text = json_dumps(document, JSON_COMPACT);
    assert_non_null(text);
    json_decref(document);
    struct bytes changed = bytes_copy(text, strlen(text));
    free(text);
    return changed;
}

static void require_refused(const struct refusal *refusal)
{
    struct bytes json = changed_document(refusal);
    ossa_error error;
    ossa_file *file = ossa_build((const char *)json.data, json.size, NULL, &error);
    char name[160];
    (void)snprintf(name, sizeof name, "%s, %s := %.40s", refusal->fixture, refusal->place,
                   refusal->json == NULL ? "(nothing)" : refusal->json);
    require(file == NULL, name, "was built");
    require(error.code == OSSA_CODE_BAD_JSON, name, "code %s: %s", ossa_code_name(error.code),
            error.message);
    require(strcmp(error.field, refusal->field) == 0, name, "field '%s' (%s), expected '%s'",
            error.field, error.message, refusal->field);
    require(strstr(error.message, refusal->message) != NULL, name, "message '%s', expected '%s'",
            error.message, refusal->message);
    require(!error.has_offset, name, "JSON has no offsets");
    bytes_free(&json);
}

static void require_all_refused(const struct refusal *refusals, size_t count)
{
    for (size_t i = 0; i < count; i++) require_refused(&refusals[i]);
}

/* ---- any document -------------------------------------------------------------------------- */

static void documents_that_are_none(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {"ei-anm/plain", "ossa", NULL, "", "ossa"},
        {"ei-anm/plain", "ossa", "2", "ossa", "expected 1"},
        {"ei-anm/plain", "ossa", "\"1\"", "ossa", "found a string, expected an integer"},
        {"ei-anm/plain", "ossa", "1.0", "ossa", "found a number, expected an integer"},
        {"ei-anm/plain", "format", NULL, "format", "is missing"},
        {"ei-anm/plain", "format", "null", "format", "is missing"},
        {"ei-anm/plain", "format", "7", "format", "found an integer, expected a string"},
        {"ei-anm/plain", "format", "\"ei-xyz\"", "format", "there is no format 'ei-xyz'"},
        {"ei-anm/plain", "size", NULL, "size", "is missing"},
        {"ei-anm/plain", "size", "-1", "size", "-1 is not an integer from 0"},
        {"ei-anm/plain", "data", NULL, "data", "is missing"},
        {"ei-anm/plain", "data", "[]", "data", "found an array, expected an object"},
        {"ei-anm/plain", "data", "true", "data", "found a boolean, expected an object"},
        {"ei-anm/plain", "extra", "1", "extra", "is not a known member"},
    };
    require_all_refused(refusals, sizeof refusals / sizeof refusals[0]);
}

static void text_that_is_no_json(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{",    "{\"ossa\":1,\"ossa\":1}",         "[1,]",    "{} {}",
        "\xff", "{\"ossa\":99999999999999999999}", "nonsense"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ossa_error error;
        assert_null(ossa_build(texts[i], strlen(texts[i]), NULL, &error));
        require(error.code == OSSA_CODE_BAD_JSON, texts[i], "code %s", ossa_code_name(error.code));
        require(strstr(error.message, "JSON line 1") != NULL, texts[i], "%s", error.message);
    }
    static const char *const others[] = {"[]", "1", "\"text\"", "null"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        ossa_error error;
        assert_null(ossa_build(others[i], strlen(others[i]), NULL, &error));
        assert_int_equal(error.code, OSSA_CODE_BAD_JSON);
    }
    ossa_error error;
    assert_null(ossa_build("", 0, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_EMPTY_FILE);
}

/* ---- by format ----------------------------------------------------------------------------- */

static void ei_anm_refusals(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {"ei-anm/morphs", "data.rotations", NULL, "data.rotations", "is missing"},
        {"ei-anm/morphs", "data.rotations", "{}", "data.rotations", "expected an array"},
        {"ei-anm/morphs", "data.rotations[3]", "[1,2,3]", "data.rotations[3]",
         "has 3 items, expected 4"},
        {"ei-anm/morphs", "data.rotations[3]", "null", "data.rotations[3]",
         "found null, expected an array"},
        {"ei-anm/morphs", "data.rotations[4][2]", "true", "data.rotations[4][2]",
         "found a boolean, expected a number"},
        {"ei-anm/morphs", "data.rotations[4][2]", "1e39", "data.rotations[4][2]",
         "1e+39 is too large for a 32-bit float"},
        {"ei-anm/morphs", "data.rotations[4][2]", "\"0x7fc0000\"", "data.rotations[4][2]",
         "bits such as"},
        {"ei-anm/morphs", "data.rotations[4][2]", "\"0x7fc0000g\"", "data.rotations[4][2]",
         "bits such as"},
        {"ei-anm/morphs", "data.rotations[4][2]", "\"nan\"", "data.rotations[4][2]",
         "bits such as"},
        {"ei-anm/morphs", "data.translations", NULL, "data.translations", "is missing"},
        {"ei-anm/morphs", "data.translations[0]", "[1,2,3,4]", "data.translations[0]",
         "has 4 items, expected 3"},
        {"ei-anm/morphs", "data.morph_vertices", NULL, "data.morph_vertices", "is missing"},
        {"ei-anm/morphs", "data.morph_vertices", "4294967296", "data.morph_vertices",
         "4294967296 is not an integer from 0 to 4294967295"},
        {"ei-anm/morphs", "data.morph_vertices", "0", "data.morph_vertices",
         "is 0, but there are 5 morph frames"},
        {"ei-anm/morphs", "data.morph_vertices", "2", "data.morphs[0]", "has 3 items, expected 2"},
        {"ei-anm/morphs", "data.morph_vertices", "4000000000", "data.morphs[0]",
         "has 3 items, expected 4000000000"},
        {"ei-anm/morphs", "data.morphs", NULL, "data.morphs", "is missing"},
        {"ei-anm/morphs", "data.morphs[2]", "[]", "data.morphs[2]", "has 0 items, expected 3"},
        {"ei-anm/morphs", "data.morphs[2][1]", "[1,2]", "data.morphs[2][1]",
         "has 2 items, expected 3"},
        {"ei-anm/morphs", "data.morphs[2][1][0]", "{}", "data.morphs[2][1][0]",
         "found an object, expected a number"},
        {"ei-anm/morphs", "data.short_tail", NULL, "data.short_tail", "is missing"},
        {"ei-anm/morphs", "data.short_tail", "0", "data.short_tail",
         "found an integer, expected true or false"},
        {"ei-anm/morphs", "data.short_tail", "true", "data.short_tail",
         "cannot be true when there are morphs"},
        {"ei-anm/idle-vertices", "data.short_tail", "true", "data.short_tail",
         "cannot be true when there are morphs"},
        {"ei-anm/trailing-bytes", "data.short_tail", "true", "data.tail",
         "cannot follow a short tail"},
        {"ei-anm/plain", "data.tail", "\"abc\"", "data.tail", "odd number of hexadecimal digits"},
        {"ei-anm/plain", "data.tail", "\"ab0g\"", "data.tail", "character 3 is not"},
        {"ei-anm/plain", "data.tail", "\"x0\"", "data.tail", "character 0 is not"},
        {"ei-anm/plain", "data.tail", "5", "data.tail", "expected a string"},
        {"ei-anm/plain", "data.rotation_count", "12", "data.rotation_count",
         "is not a known member"},
    };
    require_all_refused(refusals, sizeof refusals / sizeof refusals[0]);
}

static void ei_lnk_refusals(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {"ei-lnk/troll", "data.links", NULL, "data.links", "is missing"},
        {"ei-lnk/troll", "data.links", "7", "data.links", "expected an array"},
        {"ei-lnk/troll", "data.links[3]", "[]", "data.links[3]", "expected an object"},
        {"ei-lnk/troll", "data.links[3].child", NULL, "data.links[3].child", "is missing"},
        {"ei-lnk/troll", "data.links[3].parent", "1", "data.links[3].parent", "expected a string"},
        {"ei-lnk/troll", "data.links[3].child_nul", NULL, "data.links[3].child_nul", "is missing"},
        {"ei-lnk/troll", "data.links[3].parent_nul", "\"yes\"", "data.links[3].parent_nul",
         "expected true or false"},
        {"ei-lnk/troll", "data.links[14].child", "\"bon\xc3\xa9\"", "data.links[14].child",
         "code page 1251 has no character U+00E9"},
        {"ei-lnk/troll", "data.links[14].parent", "\"\xf0\x9f\xa6\xb4\"", "data.links[14].parent",
         "code page 1251 has no character U+1F9B4"},
        {"ei-lnk/without-nul", "data.links[1].child", "\"bd\\u0000\"", "data.links[1].child_nul",
         "must be true for a name that ends in a NUL"},
        {"ei-lnk/troll", "data.links[2].name", "\"x\"", "data.links[2].name",
         "is not a known member"},
        {"ei-lnk/troll", "data.tail", "\"1\"", "data.tail", "odd number"},
        {"ei-lnk/troll", "data.gap", "\"\"", "data.gap", "is not a known member"},
    };
    require_all_refused(refusals, sizeof refusals / sizeof refusals[0]);
}

static void ei_fig_refusals(void **state)
{
    (void)state;
    static const char *const fig = "ei-fig/fig2"; /* 2 variants, 2 blocks of vertices */
    const struct refusal refusals[] = {
        {fig, "data.variants", NULL, "data.variants", "is missing"},
        {fig, "data.variants", "3", "data.variants", "3 variants, expected 1, 2, 4, 6 or 8"},
        {fig, "data.variants", "0", "data.variants", "0 variants, expected 1, 2, 4, 6 or 8"},
        {fig, "data.variants", "4", "data.center", "has 2 items, expected 4"},
        {fig, "data.zero", NULL, "data.zero", "is missing"},
        {fig, "data.group", "-1", "data.group", "is not an integer from 0 to 4294967295"},
        {fig, "data.texture_number", "\"1\"", "data.texture_number", "expected an integer"},
        {fig, "data.min[2]", "[0,0,0]", "data.min", "has 3 items, expected 2"},
        {fig, "data.max[1]", "[0,0]", "data.max[1]", "has 2 items, expected 3"},
        {fig, "data.radius[2]", "1", "data.radius", "has 3 items, expected 2"},
        {fig, "data.radius[1]", "[]", "data.radius[1]", "expected a number"},
        {fig, "data.vertices", "{}", "data.vertices", "expected an array"},
        {fig, "data.vertices[1]", "7", "data.vertices[1]", "expected an array"},
        {fig, "data.vertices[1][6]", "[0,0,0,0]", "data.vertices[1]", "has 7 items, expected 6"},
        {fig, "data.vertices[1][5][4]", "0", "data.vertices[1][5]", "has 5 items, expected 4"},
        {fig, "data.vertices[1][5][3]", "null", "data.vertices[1][5][3]", "expected a number"},
        {fig, "data.normals[0][3]", "[1,1,1]", "data.normals[0][3]", "has 3 items, expected 4"},
        {fig, "data.normals[0][4]", "[1,1,1,1]", "data.normals[0]", "has 5 items, expected 4"},
        {fig, "data.texcoords[2]", "[0]", "data.texcoords[2]", "has 1 items, expected 2"},
        {fig, "data.indices[3]", "65536", "data.indices[3]", "not an integer from 0 to 65535"},
        {fig, "data.indices[3]", "[1]", "data.indices[3]", "expected an integer"},
        {fig, "data.vertex_components[1]", "[0,0]", "data.vertex_components[1]",
         "has 2 items, expected 3"},
        {fig, "data.vertex_components[1][2]", "-1", "data.vertex_components[1][2]",
         "not an integer from 0 to 65535"},
        {fig, "data.morph_components[1]", "[0,0,0]", "data.morph_components[1]",
         "has 3 items, expected 2"},
        {fig, "data.morph_components", NULL, "data.morph_components", "is missing"},
        {fig, "data.tail", "\"1\"", "data.tail", "odd number"},
        {fig, "data.vertex_blocks", "2", "data.vertex_blocks", "is not a known member"},
    };
    require_all_refused(refusals, sizeof refusals / sizeof refusals[0]);
}

static void ei_adb_refusals(void **state)
{
    (void)state;
    static const char *const adb = "ei-adb/troll";
    const struct refusal refusals[] = {
        {adb, "data.model", NULL, "data.model", "is missing"},
        {adb, "data.model", "\"a model of 25 characters.\"", "data.model",
         "has 25 characters, but only 24 fit"},
        {adb, "data.model", "\"a\\u0000b\"", "data.model", "contains a NUL"},
        {adb, "data.model", "\"\xc3\xa9\"", "data.model", "code page 1251 has no character U+00E9"},
        {adb, "data.model_rest", "\"00\"", "data.model_rest",
         "has 1 bytes, expected the rest of 24 after the text and a NUL"},
        {adb, "data.mid_height", "\"high\"", "data.mid_height", "expected a number"},
        {adb, "data.records", "{}", "data.records", "expected an array"},
        {adb, "data.records[1]", "[]", "data.records[1]", "expected an object"},
        {adb, "data.records[1].name", "\"seventeen letters\"", "data.records[1].name",
         "has 17 characters, but only 16 fit"},
        {adb, "data.records[3].name_rest", "\"\"", "data.records[3].name_rest",
         "has 0 bytes, expected the rest of 16 after the text and a NUL"},
        {adb, "data.records[1].packed", "7", "data.records[1].packed", "expected an array"},
        {adb, "data.records[1].packed", "[1]", "data.records[1].packed", "has 1 items, expected 2"},
        {adb, "data.records[1].packed[1]", "4294967296", "data.records[1].packed[1]",
         "not an integer from 0 to 4294967295"},
        {adb, "data.records[1].step_sounds[4]", "0", "data.records[1].step_sounds",
         "has 5 items, expected 4"},
        {adb, "data.records[1].hit_frame", NULL, "data.records[1].hit_frame", "is missing"},
        {adb, "data.records[1].speed", "null", "data.records[1].speed", "is missing"},
        {adb, "data.records[1].stage", "2", "data.records[1].stage", "is not a known member"},
        {adb, "data.record_count", "5", "data.record_count", "is not a known member"},
    };
    require_all_refused(refusals, sizeof refusals / sizeof refusals[0]);
}

static void mm_anim_refusals(void **state)
{
    (void)state;
    static const char *const mm1 = "mm-anim/mm1"; /* 6 frames of 12 floats */
    static const char *const retail = "mm-anim/retail";
    const struct refusal refusals[] = {
        {mm1, "data.dialect", NULL, "data.dialect", "is missing"},
        {mm1, "data.dialect", "\"mm3\"", "data.dialect", "unknown dialect 'mm3'"},
        {mm1, "data.frames", "-1", "data.frames", "-1 is not an integer"},
        {mm1, "data.frames", "5", "data.channels[0].frames", "has 6 items, expected 5"},
        {mm1, "data.frames", "4294967295", "data.channels[0].frames",
         "has 6 items, expected 4294967295"},
        {mm1, "data.channels", "[]", "data.channels",
         "has 0 items, but the mm1 dialect has exactly one channel"},
        {mm1, "data.channels[1]", "{}", "data.channels",
         "has 2 items, but the mm1 dialect has exactly one channel"},
        {mm1, "data.channels[0]", "1", "data.channels[0]", "expected an object"},
        {mm1, "data.channels[0].unknown", "1", "data.channels[0].unknown",
         "must be null in the mm1 dialect"},
        {mm1, "data.channels[0].type", "1", "data.channels[0].type",
         "must be null in the mm1 dialect"},
        {retail, "data.channels[0].unknown", "null", "data.channels[0].unknown",
         "must be a number in the retail dialect"},
        {retail, "data.channels[0].type", NULL, "data.channels[0].type",
         "must be a number in the retail dialect"},
        {retail, "data.channels[0].type", "256", "data.channels[0].type",
         "256 is not an integer from 0 to 255"},
        {retail, "data.channels[0].unknown", "\"x\"", "data.channels[0].unknown", "bits such as"},
        {mm1, "data.channels[0].floats_per_frame", NULL, "data.channels[0].floats_per_frame",
         "is missing"},
        {mm1, "data.channels[0].floats_per_frame", "13", "data.channels[0].floats_per_frame",
         "13 is not 3 plus 3 per bone, as the mm1 dialect needs"},
        {mm1, "data.channels[0].floats_per_frame", "0", "data.channels[0].floats_per_frame",
         "0 is not 3 plus 3 per bone"},
        {retail, "data.channels[0].floats_per_frame", "0", "data.channels[0].floats_per_frame",
         "is 0, but there are frames"},
        {retail, "data.channels[0].floats_per_frame", "4294967295", "data.channels[0].frames[0]",
         "has 12 items, expected 4294967295"},
        {retail, "data.channels[0].frames", NULL, "data.channels[0].frames", "is missing"},
        {retail, "data.channels[0].frames[5]", "[]", "data.channels[0].frames[5]",
         "has 0 items, expected 12"},
        {retail, "data.channels[0].frames[5][11]", "null", "data.channels[0].frames[5][11]",
         "found null, expected a number"},
        {retail, "data.channels[0].bones", "1", "data.channels[0].bones", "is not a known member"},
        {"mm-anim/two-channels", "data.channels[1].frames[3][5]", "[]",
         "data.channels[1].frames[3][5]", "expected a number"},
        {"mm-anim/two-channels", "data.dialect", "\"retail\"", "data.channels",
         "has 2 items, but the retail dialect has exactly one channel"},
    };
    require_all_refused(refusals, sizeof refusals / sizeof refusals[0]);
}

static void mm_var_refusals(void **state)
{
    (void)state;
    static const char *const var = "mm-var/mm1-pedestrian";
    static const char *const floats = "mm-shaders/floats";
    static const char *const bytes = "mm-shaders/bytes";
    const struct refusal refusals[] = {
        {var, "data.materials", NULL, "data.materials", "is missing"},
        {var, "data.materials", "0", "data.materials", "is 0, but there are variants"},
        {var, "data.materials", "4294967295", "data.variants[0]",
         "has 3 items, expected 4294967295"},
        {var, "data.variants[5]", "[]", "data.variants[5]", "has 0 items, expected 3"},
        {var, "data.variants[1][2]", "[1,2,3]", "data.variants[1][2]", "has 3 items, expected 4"},
        {var, "data.variants[1][2][3]", "256", "data.variants[1][2][3]",
         "256 is not an integer from 0 to 255"},
        {var, "data.tail", "\"0\"", "data.tail", "hexadecimal"},
        {floats, "data.colours", "\"words\"", "data.colours",
         "'words' is neither bytes nor floats"},
        {floats, "data.materials", "0", "data.materials", "is 0, but there are variants"},
        {floats, "data.variants[0][1].ambient", NULL, "data.variants[0][1].ambient", "is missing"},
        {floats, "data.variants[0][1].name", "\"\u0100\"", "data.variants[0][1].name",
         "is not a text of at most 255 8-bit characters"},
        {floats, "data.variants[0][1].power", "\"x\"", "data.variants[0][1].power", "expected"},
        {bytes, "data.variants[3][2].ambient", "[0,0,0,0]", "data.variants[3][2].ambient",
         "is not a known member"},
        {bytes, "data.variants[3][2].diffuse[0]", "-1", "data.variants[3][2].diffuse[0]",
         "-1 is not an integer from 0 to 255"},
    };
    require_all_refused(refusals, sizeof refusals / sizeof refusals[0]);
}

static void vib_anm_refusals(void **state)
{
    (void)state;
    static const char *const all_flags = "vib-anm/all-flags"; /* frame 0: key i has flags i */
    const struct refusal refusals[] = {
        {all_flags, "data.rate", NULL, "data.rate", "is missing"},
        {all_flags, "data.rate", "32768", "data.rate",
         "32768 is not an integer from -32768 to 32767"},
        {all_flags, "data.frames", NULL, "data.frames", "is missing"},
        {all_flags, "data.frames[1]", "{}", "data.frames[1]", "expected an array"},
        {all_flags, "data.frames[0][7]", "[]", "data.frames[0][7]", "expected an object"},
        {all_flags, "data.frames[0][7].object", NULL, "data.frames[0][7].object", "is missing"},
        {all_flags, "data.frames[0][7].object", "256", "data.frames[0][7].object",
         "256 is not an integer from 0 to 255"},
        {all_flags, "data.frames[0][7].flags", "-1", "data.frames[0][7].flags",
         "-1 is not an integer from 0 to 255"},
        {all_flags, "data.frames[0][7].rotation", NULL, "data.frames[0][7].rotation",
         "is missing, but its flag is set"},
        {all_flags, "data.frames[0][7].scale", "null", "data.frames[0][7].scale",
         "is missing, but its flag is set"},
        {all_flags, "data.frames[0][3].position", "[1,2,3]", "data.frames[0][3].position",
         "is present, but its flag is not set"},
        {all_flags, "data.frames[0][7].flags", "3", "data.frames[0][7].position",
         "is present, but its flag is not set"},
        {all_flags, "data.frames[0][7].position", "[1,2]", "data.frames[0][7].position",
         "has 2 items, expected 3"},
        {all_flags, "data.frames[0][7].position[2]", "70000", "data.frames[0][7].position[2]",
         "70000 is not an integer from -32768 to 32767"},
        {all_flags, "data.frames[0][7].position[2]", "1.5", "data.frames[0][7].position[2]",
         "expected an integer"},
        {all_flags, "data.frames[0][7].time", "0", "data.frames[0][7].time",
         "is not a known member"},
        {all_flags, "data.gap", "\"010203\"", "data.gap", "must have an even number of bytes"},
        {all_flags, "data.tail", "\"0\"", "data.tail", "odd number"},
        {all_flags, "data.offsets", "[]", "data.offsets", "is not a known member"},
    };
    require_all_refused(refusals, sizeof refusals / sizeof refusals[0]);
}

/* Bones: 0 constant, 1 to 4 packed, 5 triples, 6 an angle; 6 poses. */
static void sotc_anb_refusals(void **state)
{
    (void)state;
    static const char *const every = "sotc-anb/every-flag";
    const struct refusal refusals[] = {
        {every, "data.poses", NULL, "data.poses", "is missing"},
        {every, "data.poses", "65536", "data.poses", "65536 is not an integer from 0 to 65535"},
        {every, "data.poses", "5", "data.bones[1].keys", "has 6 items, expected 5"},
        {every, "data.bones", NULL, "data.bones", "is missing"},
        {every, "data.bones[2]", "7", "data.bones[2]", "expected an object"},
        {every, "data.bones[2].flag", "300", "data.bones[2].flag",
         "300 is not an integer from 0 to 255"},
        {every, "data.bones[2].flag", "12", "data.bones[2].constants", "has 8 items, expected 6"},
        {every, "data.bones[0].flag", "3", "data.bones[0].keys_offset", "is missing"},
        {every, "data.bones[1].keys_offset", NULL, "data.bones[1].keys_offset", "is missing"},
        {every, "data.bones[0].keys_offset", "4", "data.bones[0].keys_offset",
         "is not used with this flag"},
        {every, "data.bones[1].constants[8]", "0", "data.bones[1].constants",
         "has 9 items, expected 8"},
        {every, "data.bones[1].constants[7]", "[]", "data.bones[1].constants[7]",
         "expected a number"},
        {every, "data.bones[0].keys", "[1]", "data.bones[0].keys", "has 1 items, expected 0"},
        {every, "data.bones[3].keys[5]", "4294967296", "data.bones[3].keys[5]",
         "4294967296 is not an integer from 0 to 4294967295"},
        {every, "data.bones[5].keys[5]", "7", "data.bones[5].keys[5]", "expected an array"},
        {every, "data.bones[5].keys[5]", "[1,2]", "data.bones[5].keys[5]",
         "has 2 items, expected 3"},
        {every, "data.bones[5].keys[5][1]", "-32769", "data.bones[5].keys[5][1]",
         "-32769 is not an integer"},
        {every, "data.bones[6].keys[0]", "32768", "data.bones[6].keys[0]",
         "32768 is not an integer"},
        {every, "data.bones[6].record_offset", "-5", "data.bones[6].record_offset",
         "-5 is not an integer"},
        {every, "data.bones[1].name", "\"x\"", "data.bones[1].name", "is not a known member"},
        {every, "data.header", NULL, "data.header", "is missing"},
        {every, "data.header.poses_high", "65536", "data.header.poses_high", "65536 is not"},
        {every, "data.header.unknown[11]", "-1", "data.header.unknown[11]", "-1 is not an integer"},
        {every, "data.header.unknown[12]", "0", "data.header.unknown", "has 13 items, expected 12"},
        {every, "data.header.kind", "12", "data.header.kind", "is not a known member"},
        {every, "data.extra", "0", "data.extra", "is not a known member"},
    };
    require_all_refused(refusals, sizeof refusals / sizeof refusals[0]);
}

/* Values that are fine by themselves but have no place in the file. */
static void sotc_anb_places(void **state)
{
    (void)state;
    static const char *const every = "sotc-anb/every-flag";
    const struct refusal refusals[] = {
        {every, "data.bones[6].keys_offset", "4000000000", "data.bones[6].keys[0]",
         "past the end of the file"},
        {every, "data.bones[6].record_offset", "4000000000", "data.bones[6].constants[0]",
         "past the end of the file"},
        {every, "data.header.flags_offset", "4000000000", "data.bones[0].flag",
         "past the end of the file"},
        {"sotc-anb/shared-record", "data.bones[0].constants[1]", "77", "data.bones[1].constants[1]",
         "differs from another field at"},
        {every, "data.bones[6].keys_offset", "0", "data.bones[6].keys[0]",
         "differs from another field at 0xd0"},
        {every, "data.gaps", "[]", "data", "no field and no gap covers the"},
        {every, "size", "5000", "data", "no field and no gap covers the"},
        {every, "size", "92", "data.container.sections_offset", "past the end of the file"},
        {every, "data.gaps[0].bytes", "\"00\"", "data", "no field and no gap covers the"},
        {every, "data.gaps[0].offset", "0", "data.gaps[0].bytes", "differs from another field"},
        {every, "data.gaps[0].offset", NULL, "data.gaps[0].offset", "is missing"},
        {every, "data.gaps[0].bytes", "\"0\"", "data.gaps[0].bytes", "odd number"},
        {every, "data.gaps[0].size", "1", "data.gaps[0].size", "is not a known member"},
        {every, "data.container.sections", "[]", "data.container.sections",
         "has fewer than 2 items"},
    };
    require_all_refused(refusals, sizeof refusals / sizeof refusals[0]);
}

static void sotc_xff_refusals(void **state)
{
    (void)state;
    static const char *const three = "sotc-xff/three-sections";
    static const char long_name[] =
        "\"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
        "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
        "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
        "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn\"";
    const struct refusal refusals[] = {
        {three, "data.container", NULL, "data.container", "is missing"},
        {three, "data.container.magic", "\"xff3\"", "data.container.magic", "must be xff or xff2"},
        {three, "data.container.magic", "1", "data.container.magic", "expected a string"},
        {three, "data.container.entry", NULL, "data.container.entry", "is missing"},
        {three, "data.container.unknown_10", "4294967296", "data.container.unknown_10",
         "is not an integer"},
        {three, "data.container.section_count", "3", "data.container.section_count",
         "is not a known member"},
        {three, "data.container.sections", NULL, "data.container.sections", "is missing"},
        {three, "data.container.sections[1]", "0", "data.container.sections[1]",
         "expected an object"},
        {three, "data.container.sections[1].size", NULL, "data.container.sections[1].size",
         "is missing"},
        {three, "data.container.sections[1].state", "-1", "data.container.sections[1].state",
         "-1 is not an integer"},
        {three, "data.container.sections[1].name", "\"a\\u0000b\"",
         "data.container.sections[1].name", "a NUL or a character above U+00FF"},
        {three, "data.container.sections[1].name", "\"\xd0\xb6\"",
         "data.container.sections[1].name", "a NUL or a character above U+00FF"},
        {three, "data.container.sections[1].name", long_name, "data.container.sections[1].name",
         "is longer than 255 bytes"},
        {three, "data.container.sections[2].name_position", "4000000000",
         "data.container.sections[2].name", "past the end of the file"},
        {three, "data.container.sections[2].words", "[]", "data.container.sections[2].words",
         "is not a known member"},
        {three, "data.gaps", NULL, "data.gaps", "is missing"},
        {three, "data.gaps", "[]", "data", "no field and no gap covers the"},
        {three, "data.header", "{}", "data.header", "is not a known member"},
    };
    require_all_refused(refusals, sizeof refusals / sizeof refusals[0]);
}

/* ---- archives ------------------------------------------------------------------------------ */

static void ei_res_refusals(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {"ei-res/parts", "data.entries", NULL, "data.entries", "is missing"},
        {"ei-res/parts", "data.table_offset", "-1", "data.table_offset", "-1 is not an integer"},
        {"ei-res/parts", "data.table_offset", "4000", "data.entries[0].next",
         "would be at 0xfa0, past the end"},
        {"ei-res/parts", "data.table_offset", "12", "data.entries[0].next", "differs"},
        {"ei-res/parts", "data.names_size", "\"6\"", "data.names_size", "expected an integer"},
        {"ei-res/parts", "data.entries[1].next", "2147483648", "data.entries[1].next",
         "is not an integer from"},
        {"ei-res/parts", "data.entries[1].data", "\"0\"", "data.entries[1].data", "odd number"},
        {"ei-res/parts", "data.entries[1].data", "null", "data.entries[1].size", "is missing"},
        {"ei-res/parts", "data.entries[2].offset", "16", "data.entries[2].data", "differs"},
        {"ei-res/parts", "data.entries[2].offset", "4000", "data.entries[2].data", "past the end"},
        {"ei-res/parts", "data.entries[0].name", "null", "data.entries[0].name_length",
         "is missing"},
        {"ei-res/parts", "data.entries[0].name", "\"\u00ef\"", "data.entries[0].name",
         "no character U+00EF"},
        {"ei-res/parts", "data.entries[0].name", "\"h\"", "data",
         "no field and no gap covers the 1 bytes"},
        {"ei-res/parts", "data.entries[0].name_offset", "3", "data.entries[1].name", "differs"},
        {"ei-res/parts", "data.entries[0].colour", "1", "data.entries[0].colour",
         "is not a known member"},
        {"ei-res/parts", "data.gaps", "[]", "data",
         "no field and no gap covers the 15 bytes at 0x21"},
        {"ei-res/parts", "size", "10", "data.table_offset", "past the end"},
        {"ei-res/name-outside", "data.entries[1].name_length", "65536",
         "data.entries[1].name_length", "is not an integer from"}};
    require_all_refused(refusals, sizeof refusals / sizeof refusals[0]);
}

static void vib_pak_refusals(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        {"vib-pak/songs", "data.entries", "{}", "data.entries", "expected an array"},
        {"vib-pak/songs", "data.entries[1].offset", NULL, "data.entries[1].offset", "is missing"},
        {"vib-pak/songs", "data.entries[1].offset", "9000", "data.entries[1].name", "past the end"},
        {"vib-pak/songs", "data.entries[1].offset", "16", "data.entries[1].name", "differs"},
        {"vib-pak/songs", "data.entries[1].name", "null", "data.entries[1].name",
         "is missing, but there is data"},
        {"vib-pak/songs", "data.entries[1].name", "\"\u0416\"", "data.entries[1].name",
         "cannot contain U+0416"},
        {"vib-pak/songs", "data.entries[1].name", "\"a\\u0000b\"", "data.entries[1].name",
         "cannot contain U+0000"},
        {"vib-pak/songs", "data.entries[2].data", "\"2122\"", "data.gaps[2].bytes", "differs"},
        {"vib-pak/songs", "data.entries[2].data", "null", "data",
         "no field and no gap covers the 5 bytes"},
        {"vib-pak/songs", "data.entries[0].size", "8", "data.entries[0].size",
         "is not a known member"},
        {"vib-pak/songs", "data.gaps", NULL, "data.gaps", "is missing"}};
    require_all_refused(refusals, sizeof refusals / sizeof refusals[0]);
}

/* ---- what the writer or the reader has to refuse ------------------------------------------- */

static struct bytes empty_frames(size_t count)
{
    struct bytes json = {0};
    put_text(&json,
             "{\"ossa\":1,\"format\":\"vib-anm\",\"size\":0,\"data\":{\"rate\":30,\"frames\":[");
    for (size_t i = 0; i < count; i++) put_text(&json, i == 0 ? "[]" : ",[]");
    put_text(&json, "]}}");
    return json;
}

static void a_vib_anm_that_is_too_large_is_refused(void **state)
{
    (void)state;
    ossa_error error;
    struct bytes json = empty_frames(65536);
    assert_null(ossa_build((const char *)json.data, json.size, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_BAD_JSON);
    assert_string_equal(error.field, "data.frames");
    assert_non_null(strstr(error.message, "65535"));
    bytes_free(&json);
    json = empty_frames(65532); /* the table alone ends past 131070 */
    assert_null(ossa_build((const char *)json.data, json.size, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_LIMIT);
    assert_string_equal(error.field, "data.frames[0]");
    bytes_free(&json);
    json = empty_frames(65531);
    ossa_file *file = build_or_fail("65531 frames", &json);
    assert_int_equal(file->size, 131070);
    ossa_file_free(file);
    bytes_free(&json);
}

/* A changed value that is good is taken: the cases above fail for the reason they give. */
static void a_good_change_is_built(void **state)
{
    (void)state;
    const struct refusal change_of_key = {"sotc-anb/every-flag", "data.bones[1].keys[0]",
                                          "305419896", "", ""};
    struct bytes json = changed_document(&change_of_key);
    ossa_file *file = build_or_fail("changed key", &json);
    assert_int_equal(ossa_as_sotc_anb(file)->bones[1].keys.packed[0], 0x12345678);
    ossa_file_free(file);
    bytes_free(&json);
    /* The derived values are for looking at: building ignores them. */
    const struct refusal no_quaternions = {"sotc-anb/every-flag", "data.quaternions", "[7]", "",
                                           ""};
    json = changed_document(&no_quaternions);
    file = build_or_fail("quaternions", &json);
    const struct fixture *fixture = fixture_find("sotc-anb/every-flag");
    require_written("quaternions", file, fixture->bytes.data, fixture->bytes.size);
    ossa_file_free(file);
    bytes_free(&json);
    /* An integer is taken where a float is meant. */
    const struct refusal integer = {"ei-anm/plain", "data.translations[0][1]", "-3", "", ""};
    json = changed_document(&integer);
    file = build_or_fail("integer", &json);
    assert_true(ossa_as_ei_anm(file)->translations[0][1] == -3.0F);
    ossa_file_free(file);
    bytes_free(&json);
}

TEST_GROUP(test_build_refusals)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_that_are_none),
        cmocka_unit_test(text_that_is_no_json),
        cmocka_unit_test(ei_anm_refusals),
        cmocka_unit_test(ei_lnk_refusals),
        cmocka_unit_test(ei_fig_refusals),
        cmocka_unit_test(ei_adb_refusals),
        cmocka_unit_test(mm_anim_refusals),
        cmocka_unit_test(mm_var_refusals),
        cmocka_unit_test(vib_anm_refusals),
        cmocka_unit_test(sotc_anb_refusals),
        cmocka_unit_test(sotc_anb_places),
        cmocka_unit_test(sotc_xff_refusals),
        cmocka_unit_test(ei_res_refusals),
        cmocka_unit_test(vib_pak_refusals),
        cmocka_unit_test(a_vib_anm_that_is_too_large_is_refused),
        cmocka_unit_test(a_good_change_is_built),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
