/* SPDX-License-Identifier: MIT
 *
 * Every fixture says just what is wrong with it: no more, no less, and at the exact place. */
#include "support/testing.h"

#include <string.h>

static const char *severity_of(ossa_severity severity)
{
    return ossa_severity_name(severity);
}

static void require_issue(const struct fixture *fixture, const struct logged_issue *found,
                          const struct expected_issue *expected)
{
    bool same = found->severity == expected->severity && found->code == expected->code &&
                found->offset == expected->offset && strcmp(found->field, expected->field) == 0;
    require(same, fixture->name,
            "found %s %s at 0x%llx in '%s' (%s), expected %s %s at 0x%llx in '%s'",
            severity_of(found->severity), ossa_code_name(found->code),
            (unsigned long long)found->offset, found->field, found->message,
            severity_of(expected->severity), ossa_code_name(expected->code),
            (unsigned long long)expected->offset, expected->field);
    require(strcmp(found->format, fixture->format) == 0, fixture->name, "issue of the format '%s'",
            found->format);
    require(found->message[0] != '\0', fixture->name, "an issue without a message");
}

static void require_log(const struct fixture *fixture, const struct issue_log *log)
{
    for (size_t i = 0; i < fixture->issue_count && i < log->count; i++)
        require_issue(fixture, &log->items[i], &fixture->issues[i]);
    require(log->count <= fixture->issue_count, fixture->name,
            "one issue too many: %s at 0x%llx %s",
            ossa_code_name(log->items[fixture->issue_count].code),
            (unsigned long long)log->items[fixture->issue_count].offset,
            log->items[fixture->issue_count].message);
    require(log->count == fixture->issue_count, fixture->name, "%zu issues, expected %zu",
            log->count, fixture->issue_count);
}

/* What an unreadable file leaves in the error is its last issue. */
static void require_error(const struct fixture *fixture, const ossa_error *error)
{
    const struct expected_issue *last = &fixture->issues[fixture->issue_count - 1];
    require(error->code == last->code, fixture->name, "error %s", ossa_code_name(error->code));
    require(error->has_offset && error->offset == last->offset, fixture->name, "error offset");
    require(strcmp(error->field, last->field) == 0, fixture->name, "error in '%s'", error->field);
    require(strcmp(error->format, fixture->format) == 0, fixture->name, "error's format");
}

static void require_kept(const struct fixture *fixture, const ossa_file *file)
{
    size_t warnings = 0;
    size_t errors = 0;
    for (size_t i = 0; i < fixture->issue_count; i++) {
        warnings += fixture->issues[i].severity == OSSA_SEVERITY_WARNING ? 1 : 0;
        errors += fixture->issues[i].severity == OSSA_SEVERITY_ERROR ? 1 : 0;
    }
    size_t kept = 0;
    for (size_t i = 0; i < file->issue_count; i++) kept += 1 + file->issues[i].repeat_count;
    require(kept == fixture->issue_count, fixture->name, "issues kept");
    require(file->warning_count == warnings, fixture->name, "warnings");
    require(file->error_count == errors, fixture->name, "errors");
    /* Each kind stands where its first issue was found. */
    for (size_t i = 0, at = 0; i < file->issue_count; i++, at++) {
        const ossa_issue *issue = &file->issues[i];
        while (at < fixture->issue_count && fixture->issues[at].offset != issue->offset) at++;
        require(at < fixture->issue_count, fixture->name, "kept offset");
        require(issue->code == fixture->issues[at].code, fixture->name, "kept code");
        require(strcmp(issue->field, fixture->issues[at].field) == 0, fixture->name,
                "kept field '%s'", issue->field);
        require(issue->place_count <= issue->repeat_count, fixture->name, "places");
    }
}

static void every_fixture_has_its_issues_and_no_others(void **state)
{
    (void)state;
    const struct fixtures *all = fixtures_all();
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        struct issue_log log = {0};
        ossa_error error;
        ossa_options options = fixture_options(fixture);
        options.on_issue = log_issue;
        options.user = &log;
        ossa_file *file = ossa_read(fixture->bytes.data, fixture->bytes.size, &options, &error);
        require_log(fixture, &log);
        require((file != NULL) == fixture_is_readable(fixture), fixture->name, "readable or not");
        if (file == NULL) require_error(fixture, &error);
        else require_kept(fixture, file);
        require(file == NULL || error.code == OSSA_CODE_OK, fixture->name,
                "an error beside a result");
        ossa_file_free(file);
    }
}

static void strict_makes_every_warning_an_error(void **state)
{
    (void)state;
    const struct fixtures *all = fixtures_all();
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        if (!fixture_is_readable(fixture)) continue;
        ossa_options options = fixture_options(fixture);
        options.strict = true;
        ossa_file *file =
            read_or_fail(fixture->name, fixture->bytes.data, fixture->bytes.size, &options);
        require(file->warning_count == 0, fixture->name, "a warning in spite of strict");
        size_t remarks = 0;
        for (size_t k = 0; k < file->issue_count; k++) {
            bool is_remark = fixture->issues[k].severity == OSSA_SEVERITY_REMARK;
            ossa_severity expected = is_remark ? OSSA_SEVERITY_REMARK : OSSA_SEVERITY_ERROR;
            require(file->issues[k].severity == expected, fixture->name, "severity");
            remarks += is_remark ? 1 : 0;
        }
        require(file->error_count == fixture->issue_count - remarks, fixture->name,
                "errors with strict");
        ossa_file_free(file);
    }
}

/* Values are looked at only when asked for. */
static void values_are_not_checked_by_default(void **state)
{
    (void)state;
    const struct fixtures *all = fixtures_all();
    size_t seen = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        if (!fixture->check_values) continue;
        ossa_options options = {.format = fixture->format};
        ossa_file *file =
            read_or_fail(fixture->name, fixture->bytes.data, fixture->bytes.size, &options);
        require(file->issue_count == 0, fixture->name, "an issue about values");
        ossa_file_free(file);
        seen++;
    }
    assert_true(seen >= 8);
}

/* The table must speak of every code that a reader can give: a new rule needs a new fixture. */
static void every_code_of_a_file_has_a_fixture(void **state)
{
    (void)state;
    static const ossa_code codes[] = {OSSA_CODE_TRUNCATED,         OSSA_CODE_BAD_COUNT,
                                      OSSA_CODE_BAD_MAGIC,         OSSA_CODE_BAD_OFFSET,
                                      OSSA_CODE_BAD_VALUE,         OSSA_CODE_ZERO_WIDTH,
                                      OSSA_CODE_OVERLAP,           OSSA_CODE_SIZE_MISMATCH,
                                      OSSA_CODE_TRAILING_BYTES,    OSSA_CODE_GAP,
                                      OSSA_CODE_AMBIGUOUS_DIALECT, OSSA_CODE_UNEQUAL_TRACKS,
                                      OSSA_CODE_UNKNOWN_FLAG,      OSSA_CODE_BAD_ROOT,
                                      OSSA_CODE_BAD_ORDER,         OSSA_CODE_DUPLICATE_NAME,
                                      OSSA_CODE_UNKNOWN_PARENT,    OSSA_CODE_EMBEDDED_NUL,
                                      OSSA_CODE_EMPTY_NAME,        OSSA_CODE_DUPLICATE_OBJECT,
                                      OSSA_CODE_NON_FINITE,        OSSA_CODE_NOT_UNIT,
                                      OSSA_CODE_UNUSUAL_VALUE};
    const struct fixtures *all = fixtures_all();
    for (size_t c = 0; c < sizeof codes / sizeof codes[0]; c++) {
        bool found = false;
        for (size_t i = 0; i < all->count; i++) {
            for (size_t k = 0; k < all->items[i].issue_count; k++)
                found = found || all->items[i].issues[k].code == codes[c];
        }
        require(found, ossa_code_name(codes[c]), "no fixture breaks this rule");
    }
}

TEST_GROUP(test_checks)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fixture_has_its_issues_and_no_others),
        cmocka_unit_test(strict_makes_every_warning_an_error),
        cmocka_unit_test(values_are_not_checked_by_default),
        cmocka_unit_test(every_code_of_a_file_has_a_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
