/* SPDX-License-Identifier: MIT
 *
 * Names from inside archives become names of files that are safe on every system. */
#include "test_core.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>

enum { CAPACITY = 4096, LONGEST = 200 };

/* Texts that are put together. */
struct built {
    char text[1024];
};

static void append(struct built *built, const char *text)
{
    size_t used = strlen(built->text);
    assert_true(used + strlen(text) < sizeof built->text);
    (void)snprintf(built->text + used, sizeof built->text - used, "%s", text);
}

static void append_until(struct built *built, const char *text, size_t size)
{
    while (strlen(built->text) < size) append(built, text);
}

typedef size_t clean(const char *name, char *text, size_t capacity);

/* ---- what must hold of every result -------------------------------------------------------- */

static const char *const devices[] = {"con",     "prn",         "aux",        "nul",  "conin$",
                                      "conout$", "com0",        "com1",       "com9", "lpt1",
                                      "lpt9",    "com\xc2\xb9", "lpt\xc2\xb3"};

static bool is_device(const char *part, size_t size)
{
    char stem[16] = "";
    size_t length = 0;
    while (length < size && part[length] != '.') length++;
    while (length > 0 && part[length - 1] == ' ') length--;
    if (length >= sizeof stem) return false;
    for (size_t i = 0; i < length; i++) stem[i] = (char)tolower((unsigned char)part[i]);
    for (size_t i = 0; i < COUNT_OF(devices); i++) {
        if (strcmp(stem, devices[i]) == 0) return true;
    }
    return false;
}

static void require_part(const char *name, const char *part, size_t size)
{
    if (size == 0 || size > LONGEST) fail_msg("'%s': a part of %zu bytes", name, size);
    if (part[0] == '.') fail_msg("'%s': '%.*s' begins with a dot", name, (int)size, part);
    char last = part[size - 1];
    if (last == '.' || last == ' ') fail_msg("'%s': '%.*s' ends so", name, (int)size, part);
    if (is_device(part, size)) fail_msg("'%s': '%.*s' is a device", name, (int)size, part);
}

/* What is cut to fit must be harmless too, if of less use. */
static void require_harmless(const char *name, const char *text)
{
    if (text[0] == '/') fail_msg("'%s' becomes absolute: '%s'", name, text);
    if (strstr(text, "..") != NULL) fail_msg("'%s' leads upwards: '%s'", name, text);
    if (strstr(text, "//") != NULL) fail_msg("'%s' has a part of nothing: '%s'", name, text);
    if (strpbrk(text, ":\\*?\"<>|") != NULL) fail_msg("'%s' gives '%s'", name, text);
    if (!ossa__utf8_is_valid(text, strlen(text))) fail_msg("'%s' gives no UTF-8", name);
    for (const char *c = text; *c != '\0'; c++) {
        bool is_control = (unsigned char)*c < 0x20 || *c == 0x7f;
        bool is_second = (unsigned char)*c == 0xc2 && (unsigned char)c[1] < 0xa0;
        if (is_control || is_second) fail_msg("'%s' keeps a control character", name);
    }
}

static void require_safe(const char *name, const char *text)
{
    require_harmless(name, text);
    for (const char *part = text;; part++) {
        size_t size = strcspn(part, "/");
        require_part(name, part, size);
        part += size;
        if (*part == '\0') break;
    }
}

/* The same result, as far as it fits, for every capacity. */
static void require_cut(const char *name, clean *function, const char *whole, size_t size)
{
    char text[CAPACITY];
    assert_int_equal(function(name, NULL, 0), size);
    for (size_t capacity = 1; capacity <= size + 1 && capacity < 300; capacity++) {
        memset(text, 'Z', sizeof text);
        assert_int_equal(function(name, text, capacity), size);
        size_t length = strlen(text);
        assert_true(length < capacity);
        assert_true(length + 4 >= capacity); /* a character has at most 4 bytes */
        assert_memory_equal(text, whole, length);
        assert_int_equal(text[capacity], 'Z');
        require_harmless(name, text);
    }
}

static void require_name(const char *name)
{
    char text[CAPACITY];
    size_t size = ossa_file_name(name, text, sizeof text);
    assert_int_equal(size, strlen(text));
    require_safe(name, text);
    assert_null(strchr(text, '/'));
    require_cut(name, ossa_file_name, text, size);
    size = ossa_entry_path(name, text, sizeof text);
    assert_true(size < sizeof text);
    assert_int_equal(size, strlen(text));
    require_safe(name, text);
    require_cut(name, ossa_entry_path, text, size);
}

/* ---- single names -------------------------------------------------------------------------- */

struct pair {
    const char *name;
    const char *wanted;
};

static void require_pairs(clean *function, const struct pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[CAPACITY];
        (void)function(pairs[i].name, text, sizeof text);
        assert_string_equal(text, pairs[i].wanted);
        require_name(pairs[i].name);
    }
}

static void names_of_files(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"unmotr.mod", "unmotr.mod"},
        {"", "unnamed"},
        {".", "_"},
        {"..", "__"},
        {"...", "___"},
        {"../../x", "___.__x"},
        {"a..b", "a._b"},
        {"a...b", "a.__b"},
        {".hidden", "_hidden"},
        {"/etc/passwd", "_etc_passwd"},
        {"C:\\x", "C__x"},
        {"\\\\host\\share", "__host_share"},
        {"name.", "name_"},
        {"name. ", "name._"},
        {"name  ", "name _"},
        {" ", "_"},
        {"a:b*c?d\"e<f>g|h", "a_b_c_d_e_f_g_h"},
        {"a\tb\nc\x1b[31md\x7f", "a_b_c_[31md_"},
        {"a\xc2\x80"
         "b\xc2\x9f",
         "a_b_"},
        {"\xc2\xa0", "\xc2\xa0"},
        {"con", "_con"},
        {"CON.txt", "_CON.txt"},
        {"nul.", "_nul_"},
        {"Aux  .b", "_Aux  .b"},
        {"com1", "_com1"},
        {"LPT9.x.y", "_LPT9.x.y"},
        {"com\xc2\xb2", "_com\xc2\xb2"},
        {"conin$", "_conin$"},
        {"console", "console"},
        {"com", "com"},
        {"com10", "com10"},
        {"lpta", "lpta"},
        {"\xd1\x82\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c", "\xd1\x82\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c"},
        {"a\xff"
         "b\xc3",
         "a_b_"},
        {"\xed\xa0\x80", "___"},
        {"\xef\xbf\xbd", "\xef\xbf\xbd"},
    };
    require_pairs(ossa_file_name, pairs, COUNT_OF(pairs));
}

static void names_as_paths(void **state)
{
    (void)state;
    static const struct pair pairs[] = {
        {"maps\\zone1.mp", "maps/zone1.mp"},
        {"maps/zone1.mp", "maps/zone1.mp"},
        {"", "unnamed"},
        {"/", "unnamed"},
        {"\\/\\/", "unnamed"},
        {"..", "__"},
        {"../../x", "__/__/x"},
        {"..\\..\\x", "__/__/x"},
        {"a/../../../b", "a/__/__/__/b"},
        {"./a", "_/a"},
        {"/etc/passwd", "etc/passwd"},
        {"//host/share", "host/share"},
        {"C:\\x", "C_/x"},
        {"C:x", "C_x"},
        {"a//b\\\\c", "a/b/c"},
        {"folder/", "folder"},
        {"a/con/b", "a/_con/b"},
        {"a /b./c", "a_/b_/c"},
        {"a\\.b\\c", "a/_b/c"},
    };
    require_pairs(ossa_entry_path, pairs, COUNT_OF(pairs));
}

/* ---- long names ---------------------------------------------------------------------------- */

/* Names of 300 bytes: one letter first, so that characters of 2, 3 and 4 bytes come to lie across
 * the place of the cut. */
static void long_names_are_cut_between_characters(void **state)
{
    (void)state;
    static const char *const units[] = {"x",    "\xd0\xb6", "\xe2\x82\xac", "\xf0\x9f\xa6\xb4",
                                        "\x80", "\xd0"};
    char text[CAPACITY];
    for (size_t u = 0; u < COUNT_OF(units); u++) {
        for (size_t before = 0; before < 4; before++) {
            struct built name = {"aaa"};
            name.text[before] = '\0';
            append_until(&name, units[u], 300);
            size_t size = ossa_file_name(name.text, text, sizeof text);
            assert_true(size <= LONGEST && size > LONGEST - 4);
            require_name(name.text);
        }
    }
    /* A device stays within the length too, and each part of a path has its own. */
    struct built name = {"con."};
    append_until(&name, "y", 300);
    assert_int_equal(ossa_file_name(name.text, text, sizeof text), LONGEST);
    require_name(name.text);
    append(&name, "/");
    append_until(&name, "z", 600);
    assert_int_equal(ossa_entry_path(name.text, text, sizeof text), 2 * LONGEST + 1);
    require_name(name.text);
    /* The cut leaves no dot at the end. */
    name = (struct built){""};
    append_until(&name, "q", 300);
    name.text[LONGEST - 1] = '.';
    assert_int_equal(ossa_file_name(name.text, text, sizeof text), LONGEST);
    assert_int_equal(text[LONGEST - 1], '_');
    require_name(name.text);
}

/* ---- any names ----------------------------------------------------------------------------- */

static void random_names_are_safe(void **state)
{
    (void)state;
    static const char *const words[] = {"..",   ".",   "/",    "\\",   ":",        " ",    "con",
                                        "nul",  "a",   "COM1", "\x1b", "\xd0\xb6", "\xff", "\xc2",
                                        "\x85", "lpt", "1",    "$",    "\xc2\xb9", "~",    "-"};
    uint64_t random = 4711;
    for (unsigned i = 0; i < 20000; i++) {
        struct built name = {""};
        size_t count = random_below(&random, 9);
        for (size_t w = 0; w < count; w++)
            append(&name, words[random_below(&random, COUNT_OF(words))]);
        require_name(name.text);
    }
}

TEST_GROUP(test_core_file_name)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_files),
        cmocka_unit_test(names_as_paths),
        cmocka_unit_test(long_names_are_cut_between_characters),
        cmocka_unit_test(random_names_are_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
