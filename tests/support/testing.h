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

#include "support/fixtures.h"

/* Fail with the name of the file and a message, unless `ok`. */
void require(bool ok, const char *name, const char *format, ...) OSSA_PRINTF(3, 4);

/* Read, and fail where that fails. */
ossa_file *read_or_fail(const char *name, const void *data, size_t size,
                        const ossa_options *options);
ossa_file *read_fixture(const struct fixture *fixture);
ossa_file *build_or_fail(const char *name, const struct bytes *json);

/* The file's bytes and JSON, to be freed with bytes_free. */
struct bytes write_or_fail(const char *name, const ossa_file *file);
struct bytes dump_or_fail(const char *name, const ossa_file *file, ossa_json_style style);

/* Equal, or fail and name the first difference. */
void require_same(const char *name, const struct bytes *found, const void *data, size_t size);

/* Issues as they are told, kept. */
struct issue_log {
    size_t count;
    struct logged_issue {
        ossa_severity severity;
        ossa_code code;
        uint64_t offset;
        char format[16];
        char field[OSSA_FIELD_CAPACITY];
        char message[OSSA_MESSAGE_CAPACITY];
    } items[16];
};
void log_issue(void *user, const ossa_issue *issue); /* for options.on_issue; user: issue_log */

/* The contents of a file below tests/; fails where there is none. */
struct bytes load_test_file(const char *path);

/* Visit the names in a folder below tests/ that are not hidden; false where there is no such. */
bool visit_test_folder(const char *path, void (*visit)(void *user, const char *name), void *user);

/* Frees the table of fixtures: the group teardown of every test that uses it. */
int free_fixtures(void **state);

#endif
