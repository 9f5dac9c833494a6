/* SPDX-License-Identifier: MIT
 *
 * The pages in docs/formats are true: the bytes of a page's example give the JSON that stands on
 * the same page, and every format has a page. */
#include "support/testing.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text between the line of ``` after `from` (or ```json) and the closing one. */
static struct bytes block_after(const char *name, const char *page, const char *from,
                                const char *fence)
{
    struct bytes block = {0};
    const char *section = strstr(page, from);
    const char *begin = section == NULL ? NULL : strstr(section, fence);
    const char *line = begin == NULL ? NULL : strchr(begin, '\n');
    const char *end = line == NULL ? NULL : strstr(line, "\n```");
    require(end != NULL, name, "has no block after '%s'", from);
    if (end != NULL) put_bytes(&block, line + 1, (size_t)(end - line));
    return block;
}

static int digit(char c)
{
    const char *digits = "0123456789abcdef";
    const char *at = c == '\0' ? NULL : strchr(digits, c);
    return at == NULL ? -1 : (int)(at - digits);
}

/* One line of a hex dump: "0004  00 00 80 3f  what it is". */
static void take_line(const char *name, const char *line, struct bytes *file)
{
    require(strtoul(line, NULL, 16) == file->size, name, "the example's line '%.20s' is misplaced",
            line);
    for (const char *c = line + 6; digit(c[0]) >= 0 && digit(c[1]) >= 0; c += 3) {
        put_u8(file, (uint32_t)(digit(c[0]) * 16 + digit(c[1])));
        if (c[2] != ' ') break;
    }
}

/* The file that the example shows: a hex dump, or the text itself. */
static struct bytes example_file(const char *name, const struct bytes *block)
{
    struct bytes file = {0};
    const char *text = (const char *)block->data;
    bool is_hex = block->size > 6 && memcmp(text, "0000  ", 6) == 0;
    if (!is_hex) {
        put_bytes(&file, block->data, block->size);
        return file;
    }
    for (size_t at = 0; at < block->size;) {
        char line[256];
        const char *end = memchr(text + at, '\n', block->size - at);
        size_t size = (size_t)(end - (text + at));
        require(size < sizeof line, name, "has a long line in its example");
        memcpy(line, text + at, size);
        line[size] = '\0';
        take_line(name, line, &file);
        at += size + 1;
    }
    return file;
}

static void every_example_gives_its_json(void **state)
{
    (void)state;
    for (size_t i = 0; i < ossa_format_count(); i++) {
        const char *id = ossa_format_at(i)->id;
        char path[128];
        (void)snprintf(path, sizeof path, "../docs/formats/%s.md", id);
        struct bytes page = load_test_file(path);
        if (!has_json(ossa_format_at(i))) { /* and nobody wants to read its bytes */
            bytes_free(&page);
            continue;
        }
        put_u8(&page, 0);
        const char *text = (const char *)page.data;
        struct bytes shown = block_after(id, text, "## In JSON", "```json");
        struct bytes block = block_after(id, text, "## Example", "```");
        struct bytes data = example_file(id, &block);
        ossa_file *file = read_or_fail(id, data.data, data.size, NULL);
        assert_string_equal(file->format->id, id);
        struct bytes dumped = dump_or_fail(id, file, OSSA_JSON_STYLE_LINE);
        json_t *expected = json_loadb((const char *)shown.data, shown.size, 0, NULL);
        json_t *found = json_loadb((const char *)dumped.data, dumped.size, 0, NULL);
        require(expected != NULL, id, "the page's JSON is malformed");
        require(json_equal(expected, found) == 1, id,
                "the page's JSON is not what dump gives: %.*s", (int)dumped.size,
                (const char *)dumped.data);
        json_decref(expected);
        json_decref(found);
        ossa_file_free(file);
        bytes_free(&page);
        bytes_free(&shown);
        bytes_free(&block);
        bytes_free(&data);
        bytes_free(&dumped);
    }
}

TEST_GROUP(test_docs)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_example_gives_its_json)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
