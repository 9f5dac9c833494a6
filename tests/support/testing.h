/* SPDX-License-Identifier: MIT
 *
 * What the tests share: cmocka in the order of headers that it needs, and whole-file steps that
 * fail the test with the name of the file at hand. */
#ifndef OSSA_TEST_TESTING_H
#define OSSA_TEST_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/byte_order.h"
#include "support/fixtures.h"
#include "support/group.h"

/* Fail with the name of the file and a message, unless `ok`. */
void require(bool ok, const char *name, const char *format, ...) OSSA_PRINTF(3, 4);

/* Read, and fail where that fails. */
ossa_file *read_or_fail(const char *name, const void *data, size_t size,
                        const ossa_options *options);
ossa_file *read_fixture(const struct fixture *fixture);
ossa_file *build_or_fail(const char *name, const struct bytes *json);

/* Whether files of the format can be JSON: discs cannot. */
bool has_json(const ossa_format *format);

/* Read it from that far into a buffer, so that nothing in it is aligned. The buffer must outlive
 * the file. */
ossa_file *read_shifted(const struct fixture *fixture, size_t shift, struct bytes *buffer);

/* Read a copy that is gone afterwards: nothing of the file may lie in it. */
ossa_file *read_and_lose_input(const struct fixture *fixture);

/* The file's bytes and JSON, to be freed with bytes_free. */
struct bytes write_or_fail(const char *name, const ossa_file *file);
struct bytes dump_or_fail(const char *name, const ossa_file *file, ossa_json_style style);

/* What is said about the file, for people and as a line of JSON; a NUL follows. */
struct bytes describe_or_fail(const char *name, const ossa_file *file);
struct bytes describe_json_or_fail(const char *name, const ossa_file *file);
void require_described(const char *fixture, const char *words);

/* Equal, or fail and name the first difference. */
void require_same(const char *name, const struct bytes *found, const void *data, size_t size);

/* Those are the bytes that the file is written as, or is written as after it was JSON. */
void require_written(const char *name, const ossa_file *file, const void *data, size_t size);
void require_rebuilt(const char *name, const ossa_file *file, ossa_json_style style,
                     const void *data, size_t size);

/* Issues as they are told, kept. */
struct issue_log {
    size_t count;
    struct logged_issue {
        ossa_severity severity;
        ossa_code code;
        uint64_t offset;
        char path[OSSA_FIELD_CAPACITY];
        char format[16];
        char field[OSSA_FIELD_CAPACITY];
        char message[OSSA_MESSAGE_CAPACITY];
    } items[16];
};
void log_issue(void *user, const ossa_issue *issue); /* for options.on_issue; user: issue_log */

/* The fields of a text as they are told, one after the other: path<bytes>. */
struct field_list {
    char text[2048];
    size_t used;
};
void list_field(void *user, const ossa_field *field); /* for options.on_field; user: field_list */

/* The contents of a file below tests/; fails where there is none. */
struct bytes load_test_file(const char *path);

/* Visit the names in a folder below tests/ that are not hidden; false where there is no such. */
bool visit_test_folder(const char *path, void (*visit)(void *user, const char *name), void *user);

/* Frees the table of fixtures: the group teardown of every test that uses it. */
int free_fixtures(void **state);

#endif
