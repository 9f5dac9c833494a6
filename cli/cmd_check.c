/* SPDX-License-Identifier: MIT
 *
 * ossa check: everything that is wrong with files, and where. */
#include "archives.h"

#include <stdlib.h>

struct checker {
    const struct cli *cli;
    const struct input *input;
    struct progress progress;
    struct ossa__json json;
    struct budget budget; /* for what is in the archive that is being checked */
    bool is_over;         /* there is more in it than it deserves */
    /* of the current file */
    size_t errors;
    size_t warnings;
    /* of all */
    size_t clean;
    size_t with_warnings;
    size_t with_errors;
    size_t unreadable;
    size_t strays;
};

static void print_json(struct checker *checker, const ossa_issue *issue)
{
    struct ossa__json *json = &checker->json;
    ossa__json_begin_object(json);
    ossa__json_key(json, "file");
    ossa__json_string(json, checker->input->path);
    ossa__json_key(json, "severity");
    ossa__json_string(json, ossa_severity_name(issue->severity));
    ossa__json_key(json, "code");
    ossa__json_string(json, ossa_code_name(issue->code));
    ossa__json_key(json, "offset");
    ossa__json_uint(json, issue->offset);
    ossa__json_key(json, "field");
    ossa__json_string(json, issue->field);
    ossa__json_key(json, "message");
    ossa__json_string(json, issue->message);
    ossa__json_end_object(json);
}

static void print_text(struct checker *checker, const ossa_issue *issue)
{
    char text[OSSA_MESSAGE_CAPACITY + OSSA_FIELD_CAPACITY + 64];
    (void)ossa_issue_text(issue, text, sizeof text);
    progress_hide(&checker->progress);
    print_plain(stdout, shown_name(checker->input->path));
    (void)printf(": %s%s%s: ", severity_colour(stdout, &issue->severity),
                 ossa_severity_name(issue->severity), severity_colour(stdout, NULL));
    print_plain(stdout, text);
    (void)printf(" [%s]\n", ossa_code_name(issue->code));
}

static void on_issue(void *user, const ossa_issue *issue)
{
    struct checker *checker = user;
    if (issue->severity == OSSA_SEVERITY_WARNING) {
        checker->warnings++;
    } else if (issue->severity == OSSA_SEVERITY_ERROR) {
        checker->errors++;
    } else {
        ossa_error error = {.code = issue->code};
        if (is_stray(checker->input, &error)) return;
    }
    if (checker->cli->json) print_json(checker, issue);
    else print_text(checker, issue);
}

static void check_entries(struct checker *checker, const struct archive *archive,
                          const ossa_options *options);

static void count_file(struct checker *checker, bool ok, const ossa_error *error)
{
    if (!ok && is_stray(checker->input, error)) checker->strays++;
    else if (!ok) checker->unreadable++;
    else if (checker->errors > 0) checker->with_errors++;
    else if (checker->warnings > 0) checker->with_warnings++;
    else checker->clean++;
    checker->errors = 0;
    checker->warnings = 0;
}

/* What lies in an archive is checked too, to any depth that archives may have. */
static void check_inside(struct checker *checker, struct archive *archive,
                         const ossa_options *options)
{
    const struct input *outer = checker->input;
    check_entries(checker, archive, options);
    checker->input = outer;
    close_archive(archive);
}

static void check_entry(struct checker *checker, const struct archive *archive, size_t entry,
                        const ossa_options *options)
{
    const char *name = ossa_entry_at(archive->file, entry)->name;
    char *word = entry_word(archive, name);
    struct input input = {.path = word, .named = false};
    struct loaded loaded;
    struct archive inner;
    ossa_error error;
    if (word == NULL) {
        complain("no memory for the name of an entry");
        checker->unreadable++;
        return;
    }
    /* cppcheck-suppress autoVariables ; check_inside puts the outer one back */
    checker->input = &input;
    if (!spend(&checker->budget, ossa_entry_at(archive->file, entry), &error)) {
        (void)tell_failure(options, &error);
        checker->unreadable++;
        checker->is_over = true;
        free(word);
        return;
    }
    bool ok = load_entry(archive, entry, options, &loaded, &error);
    count_file(checker, ok, &error);
    if (ok && !ossa_format_can(loaded.file->format, OSSA_ABILITY_LIST)) {
        unload(&loaded);
    } else if (ok && open_loaded_entry(archive, name, &loaded, &inner, &error)) {
        check_inside(checker, &inner, options);
    } else if (ok) {
        complain_error(word, &error);
        checker->unreadable++;
    }
    free(word);
}

static void check_entries(struct checker *checker, const struct archive *archive,
                          const ossa_options *options)
{
    size_t count = ossa_entry_count(archive->file);
    for (size_t i = 0; i < count && !checker->is_over; i++)
        check_entry(checker, archive, i, options);
}

static void check_one(struct checker *checker, const ossa_options *options)
{
    struct loaded loaded;
    struct archive archive;
    ossa_error error;
    const char *path = checker->input->path;
    bool ok = load(checker->cli, path, options, &loaded, &error);
    count_file(checker, ok, &error);
    if (ok && !ossa_format_can(loaded.file->format, OSSA_ABILITY_LIST)) {
        unload(&loaded);
    } else if (ok && open_loaded(checker->cli, path, &loaded, &archive, &error)) {
        checker->budget = budget_of(checker->cli, &archive);
        checker->is_over = false;
        check_inside(checker, &archive, options);
    }
}

static void print_summary(const struct checker *checker)
{
    size_t files =
        checker->clean + checker->with_warnings + checker->with_errors + checker->unreadable;
    (void)printf("%zu file%s: %zu clean, %zu with warnings, %zu with errors, %zu unreadable", files,
                 plural(files), checker->clean, checker->with_warnings, checker->with_errors,
                 checker->unreadable);
    if (checker->strays > 0) (void)printf("; %zu of no known format passed over", checker->strays);
    (void)putchar('\n');
}

int cmd_check(struct cli *cli)
{
    struct input_list list;
    if (!list_inputs(cli, true, &list)) return EXIT_BAD_DATA;
    struct checker checker = {.cli = cli};
    ossa_options options = cli->read;
    options.check_values = true;
    options.max_issues = 1; /* all are told as they are found */
    if (options.max_input == 0) options.max_input = DEFAULT_MAX_INPUT;
    options.on_issue = on_issue;
    options.user = &checker;
    ossa__json_start(&checker.json, stdout_sink(), OSSA_JSON_STYLE_LINE);
    if (cli->json) ossa__json_begin_array(&checker.json);
    progress_start(&checker.progress, list.count);
    for (size_t i = 0; i < list.count; i++) {
        checker.input = &list.items[i];
        check_one(&checker, &options);
        progress_step(&checker.progress);
    }
    progress_hide(&checker.progress);
    if (cli->json) {
        ossa__json_end_array(&checker.json);
        ossa__json_raw(&checker.json, "\n");
        (void)ossa__json_finish(&checker.json);
    } else if (!cli->quiet) {
        print_summary(&checker);
    }
    bool bad = list.failed || checker.with_errors > 0 || checker.unreadable > 0;
    free_inputs(&list);
    return bad ? EXIT_BAD_DATA : EXIT_FINE;
}
