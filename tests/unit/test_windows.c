/* SPDX-License-Identifier: MIT
 *
 * What the library does on Windows only: text of UTF-16, and paths as people write them there. */
#include "base/windows.h"
#include "ossa/ossa.h"
#include "support/testing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static void text_goes_both_ways(void **state)
{
    (void)state;
    /* The last two have half a pair, which is no text but may be the name of a file. */
    static const wchar_t *const texts[] = {
        L"", L"a", L"\u00e9\u0416\u9aa8", L"\U0001f9b4.lnk", L"\xd83e", L"x\xdd04y"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        char *narrow = ossa__narrow_text(texts[i]);
        assert_non_null(narrow);
        wchar_t *wide = ossa__wide_text(narrow);
        assert_non_null(wide);
        assert_int_equal(wcscmp(wide, texts[i]), 0);
        free(wide);
        free(narrow);
    }
    char *bone = ossa__narrow_text(L"\U0001f9b4");
    assert_string_equal(bone, "\xf0\x9f\xa6\xb4");
    free(bone);
}

static void long_paths_get_the_prefix(void **state)
{
    (void)state;
    static const struct {
        const char *start;
        const wchar_t *expected;
    } table[] = {{"C:/", L"\\\\?\\C:\\000"},
                 {"//server/share/", L"\\\\?\\UNC\\server\\share\\000"}};
    for (size_t i = 0; i < COUNT_OF(table); i++) {
        char path[400];
        (void)snprintf(path, sizeof path, "%s%0300d", table[i].start, 0);
        wchar_t *wide = ossa__wide_path(path);
        assert_non_null(wide);
        assert_int_equal(wcsncmp(wide, table[i].expected, wcslen(table[i].expected)), 0);
        char *narrow = ossa__narrow_path(wide);
        assert_string_equal(narrow, path);
        free(narrow);
        free(wide);
    }
    wchar_t *plain = ossa__wide_path("a/b");
    assert_int_equal(wcscmp(plain, L"a\\b"), 0);
    free(plain);
    wchar_t *drive = ossa__wide_path("E:"); /* as E:/x has it */
    assert_int_equal(wcscmp(drive, L"E:\\"), 0);
    free(drive);
}

static void errors_have_reasons(void **state)
{
    (void)state;
    assert_int_equal(ossa__windows_errno(ERROR_PATH_NOT_FOUND), ENOENT);
    assert_int_equal(ossa__windows_errno(ERROR_SHARING_VIOLATION), EBUSY);
    assert_non_null(strstr(ossa__windows_reason(EBUSY), "another program"));
}

/* The same scene, however its folder is written. */
static void separators_are_alike(void **state)
{
    (void)state;
    char folder[1024];
    (void)snprintf(folder, sizeof folder, "%s/troll", OSSA_SAMPLE_DIR);
    for (unsigned round = 0; round < 2; round++) {
        ossa_error error;
        ossa_workspace *workspace = ossa_workspace_new(NULL, &error);
        const char *paths[] = {folder};
        ossa_scene *scene = ossa_workspace_scene(workspace, paths, 1, NULL, &error);
        assert_non_null(scene);
        assert_int_equal(scene->bone_count, 15);
        assert_int_equal(scene->clip_count, 3);
        assert_string_equal(scene->clips[0].name, "dance");
        ossa_scene_free(scene);
        ossa_workspace_free(workspace);
        for (char *c = folder; *c != '\0'; c++) {
            if (*c == '/') *c = '\\';
        }
    }
}

/* A file that is open elsewhere can be read; one that nobody else may read says why not. */
static void a_file_in_use_says_so(void **state)
{
    (void)state;
    static const char path[] = "in-use.lnk";
    HANDLE file = CreateFileW(L"in-use.lnk", GENERIC_WRITE, 0, NULL, CREATE_ALWAYS,
                              FILE_ATTRIBUTE_NORMAL, NULL);
    assert_true(file != INVALID_HANDLE_VALUE);
    ossa_error error;
    ossa_workspace *workspace = ossa_workspace_new(NULL, &error);
    assert_null(ossa_workspace_open(workspace, path, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_IO);
    assert_non_null(strstr(error.message, "another program has it open"));
    ossa_workspace_free(workspace);
    (void)CloseHandle(file);
    assert_int_equal(remove(path), 0);
}

TEST_GROUP(test_windows)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_goes_both_ways),   cmocka_unit_test(long_paths_get_the_prefix),
        cmocka_unit_test(errors_have_reasons),   cmocka_unit_test(separators_are_alike),
        cmocka_unit_test(a_file_in_use_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
