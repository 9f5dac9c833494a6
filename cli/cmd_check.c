/* SPDX-License-Identifier: MIT
 *
 * ossa check: every deviation in files, where it is, and how the files of figures fit together. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

struct checker {
    const struct cli *cli;
    const ossa_options *options;
    struct progress progress;
    struct ossa__json json;
    /* numbers of files */
    size_t clean;
    size_t with_warnings;
    size_t with_errors;
    size_t unreadable;
    size_t strays;
    ossa_check figures;
    /* A small archive may hold itself many times, and each time there is as much to say. */
    char *file;      /* that messages are about, with all that is in it */
    uint64_t room;   /* for messages, in bytes */
    size_t left_out; /* messages about this file for which there was none */
    bool is_cut;     /* messages about some file were left out */
    bool is_walking; /* from file to file */
};

enum { ROOM = 4 << 20, ROOM_PER_FILE = 4096, ROOM_PER_BYTE = 16 };

static void print_place(struct ossa__json *json, const ossa_place *place)
{
    ossa__json_begin_object(json);
    ossa__member_text(json, "file", place->path);
    ossa__member_uint(json, "offset", place->offset);
    ossa__member_text(json, "field", place->field);
    ossa__json_end_object(json);
}

static void print_json(struct checker *checker, const ossa_issue *issue)
{
    struct ossa__json *json = &checker->json;
    ossa__json_begin_object(json);
    ossa__member_text(json, "file", issue->path);
    ossa__member_text(json, "severity", ossa_severity_name(issue->severity));
    ossa__member_text(json, "code", ossa_code_name(issue->code));
    ossa__member_uint(json, "offset", issue->offset);
    ossa__member_text(json, "field", issue->field);
    ossa__member_text(json, "message", issue->message);
    ossa__member_uint(json, "count", (uint64_t)issue->repeat_count + 1);
    ossa__json_key(json, "places");
    ossa__json_begin_array(json);
    print_place(json, &(ossa_place){issue->path, issue->has_offset, issue->offset, issue->field});
    for (size_t i = 0; i < issue->place_count; i++) print_place(json, &issue->places[i]);
    ossa__json_end_array(json);
    ossa__json_end_object(json);
}

static void print_text(struct checker *checker, const ossa_issue *issue)
{
    char text[ISSUE_CAPACITY];
    (void)ossa_issue_text(issue, text, sizeof text);
    progress_hide(&checker->progress);
    print_plain(stdout, shown_name(issue->path));
    (void)printf(": %s%s%s: ", severity_colour(stdout, &issue->severity),
                 ossa_severity_name(issue->severity), severity_colour(stdout, NULL));
    print_plain(stdout, text);
    (void)printf(" [%s]\n", ossa_code_name(issue->code));
}

/* About as much as it takes on the screen. */
static uint64_t size_of(const ossa_issue *issue)
{
    uint64_t size = strlen(issue->path) + strlen(issue->field) + strlen(issue->message);
    for (size_t i = 0; i < issue->place_count; i++) {
        size += strlen(issue->places[i].path) + strlen(issue->places[i].field);
    }
    return size + 64 * (1 + (uint64_t)issue->place_count);
}

static void print_issue(struct checker *checker, const ossa_issue *issue)
{
    if (checker->cli->json) print_json(checker, issue);
    else print_text(checker, issue);
}

/* Missing messages are reported as well. */
static void report_left_out(struct checker *checker)
{
    char message[128];
    if (checker->left_out == 0) return;
    (void)snprintf(
        message, sizeof message,
        "%zu more messages are left out: together they would be far larger than the file",
        checker->left_out);
    const ossa_issue issue = {.severity = OSSA_SEVERITY_ERROR,
                              .code = OSSA_CODE_LIMIT,
                              .path = checker->file,
                              .format = "",
                              .field = "",
                              .message = message};
    checker->left_out = 0;
    checker->is_cut = true;
    print_issue(checker, &issue);
}

/* From here on, messages are about another file, with room of its own. */
static void begin_file(struct checker *checker, const char *path, uint64_t room)
{
    report_left_out(checker);
    free(checker->file);
    checker->file = copy_text(path);
    checker->room += room;
}

/* Is it about the file, or about what is in it? */
static bool is_within(const char *path, const char *file)
{
    size_t size = strlen(file);
    return strncmp(path, file, size) == 0 && (path[size] == '\0' || path[size] == '#');
}

static void on_issue(void *user, const ossa_issue *issue)
{
    struct checker *checker = user;
    /* What cannot be read is reported before it is visited. */
    if (checker->is_walking && !is_within(issue->path, checker->file)) {
        begin_file(checker, issue->path, ROOM_PER_FILE);
    }
    uint64_t size = size_of(issue);
    if (size > checker->room) checker->room = 0; /* nor is there for a shorter one */
    if (checker->room == 0) {
        checker->left_out++;
        return;
    }
    checker->room -= size;
    print_issue(checker, issue);
}

/* A stray of an extension that is known is worth a word. */
static void remark_stray(struct checker *checker, const ossa_visit *visit)
{
    const ossa_error *error = visit->error;
    if (error == NULL || error->format == NULL) return;
    const ossa_issue issue = {
        .severity = OSSA_SEVERITY_REMARK,
        .code = OSSA_CODE_PASSED_OVER,
        .path = visit->path,
        .format = error->format,
        .field = "",
        .message = "has the extension of this format, but other contents; it is skipped"};
    on_issue(checker, &issue);
}

/* What an archive's checksums say. */
struct verdict {
    struct checker *checker;
    size_t errors;
    size_t warnings;
};

static void on_damage(void *user, const ossa_issue *issue)
{
    struct verdict *verdict = user;
    if (issue->severity >= OSSA_SEVERITY_ERROR) verdict->errors++;
    else if (issue->severity == OSSA_SEVERITY_WARNING) verdict->warnings++;
    on_issue(verdict->checker, issue);
}

/* What a CUE leads to is checked with it. */
static struct verdict verify(struct checker *checker, const ossa_visit *visit)
{
    struct verdict verdict = {.checker = checker};
    const ossa_file *image = visit->image;
    const ossa_file *file = image != NULL ? image : visit->file;
    if (file == NULL) return verdict;
    for (size_t i = 0; image != NULL && i < image->issue_count; i++) {
        ossa_issue issue = image->issues[i];
        issue.path = visit->path;
        on_damage(&verdict, &issue);
    }
    ossa_options options = *checker->options;
    options.path = visit->path;
    options.on_group = on_damage;
    options.user = &verdict;
    (void)ossa_verify(file, &options, NULL); /* a failure is an issue, too */
    return verdict;
}

/* What kept a path from being read, or an archive from being entered. */
static void on_error(struct checker *checker, const char *path, const ossa_error *error)
{
    const ossa_issue issue = {.severity = OSSA_SEVERITY_UNREADABLE,
                              .code = error->code,
                              .path = path,
                              .format = error->format == NULL ? "" : error->format,
                              .has_offset = error->has_offset,
                              .offset = error->offset,
                              .field = error->field,
                              .message = error->message};
    on_issue(checker, &issue);
}

/* Files in archives are checked too, at any depth. */
static ossa_step check_visit(void *user, const ossa_visit *visit)
{
    struct checker *checker = user;
    const ossa_file *file = visit->file;
    if (visit->is_part) return OSSA_STEP_INTO;
    if (visit->entry == NULL || visit->is_named) {
        progress_step(&checker->progress);
        if (!is_within(visit->path, checker->file)) begin_file(checker, visit->path, ROOM_PER_FILE);
        checker->room += ROOM_PER_BYTE * visit->size;
    }
    const struct verdict verdict = verify(checker, visit);
    if (visit->is_continuation) return OSSA_STEP_OVER; /* checked with what it continues */
    if (file != NULL && visit->error != NULL) {        /* readable, but it cannot be entered */
        on_error(checker, visit->path, visit->error);
        checker->unreadable++;
    } else if (file == NULL && visit->is_stray) {
        checker->strays++;
        remark_stray(checker, visit);
    } else if (file == NULL) checker->unreadable++;
    else if (file->error_count + verdict.errors > 0) checker->with_errors++;
    else if (file->warning_count + verdict.warnings > 0) checker->with_warnings++;
    else checker->clean++;
    return OSSA_STEP_INTO;
}

static void check_word(struct checker *checker, const char *word, const ossa_options *read)
{
    const ossa_walk_options walk = {.detail = OSSA_DETAIL_FILES,
                                    .deep = true,
                                    .read = read,
                                    .visit = check_visit,
                                    .user = checker};
    ossa_error error;
    size_t before = checker->clean + checker->with_warnings + checker->with_errors;
    if (ossa_workspace_walk(checker->cli->workspace, word, &walk, &error)) return;
    checker->unreadable++;
    /* Exceeded limits have been reported where they were met. */
    bool is_reported = error.code == OSSA_CODE_LIMIT || error.code == OSSA_CODE_TOO_LARGE;
    if (is_reported && checker->clean + checker->with_warnings + checker->with_errors > before) {
        return;
    }
    on_error(checker, word, &error);
}

/* How the files of figures fit together; one file alone has nothing to fit. False after a message.
 */
static bool check_figures(struct checker *checker, const ossa_options *options)
{
    const struct cli *cli = checker->cli;
    ossa_error error = {0};
    size_t files = checker->clean + checker->with_warnings + checker->with_errors;
    if (files < 2 || cli->read.format != NULL) return true;
    bool ok = true;
    for (size_t i = 0; ok && i < cli->input_count; i++) {
        ok = ossa_workspace_add(cli->workspace, cli->inputs[i], &error);
    }
    ok = ok && ossa_workspace_check(cli->workspace, NULL, options, &checker->figures, &error);
    if (ok) return true;
    progress_hide(&checker->progress);
    complain_error(error.path, &error);
    return false;
}

static void print_figures(const ossa_check *figures)
{
    size_t count = figures->figure_count;
    if (count == 0) return;
    (void)printf("%zu figure%s: %zu clean, %zu with warnings, %zu with errors\n", count,
                 plural(count), count - figures->warning_count - figures->error_count,
                 figures->warning_count, figures->error_count);
}

static void print_summary(const struct checker *checker)
{
    size_t files =
        checker->clean + checker->with_warnings + checker->with_errors + checker->unreadable;
    (void)printf("%zu file%s: %zu clean, %zu with warnings, %zu with errors, %zu unreadable", files,
                 plural(files), checker->clean, checker->with_warnings, checker->with_errors,
                 checker->unreadable);
    if (checker->strays > 0) (void)printf("; skipped %zu of unknown format", checker->strays);
    (void)putchar('\n');
    print_figures(&checker->figures);
}

static int run(struct cli *cli)
{
    struct checker checker = {.cli = cli, .file = copy_text(""), .room = ROOM};
    struct texts files = list_files(cli, true);
    ossa_options options = cli->read;
    options.check_values = true;
    options.on_group = on_issue;
    options.user = &checker;
    checker.options = &options;
    json_begin(&checker.json);
    if (cli->json) ossa__json_begin_array(&checker.json);
    progress_start(&checker.progress, files.count);
    texts_free(&files);
    checker.is_walking = true;
    for (size_t i = 0; i < cli->input_count; i++) check_word(&checker, cli->inputs[i], &options);
    checker.is_walking = false;
    begin_file(&checker, cli->inputs[0], ROOM_PER_FILE);
    bool ok = check_figures(&checker, &options);
    report_left_out(&checker);
    free(checker.file);
    progress_hide(&checker.progress);
    if (cli->json) {
        ossa__json_end_array(&checker.json);
        (void)json_end(&checker.json);
    } else if (!cli->quiet) {
        print_summary(&checker);
    }
    bool is_bad = checker.is_cut || checker.with_errors > 0 || checker.unreadable > 0 ||
                  checker.figures.error_count > 0;
    return is_bad || !ok ? EXIT_BAD_DATA : EXIT_FINE;
}

const struct verb verb_check = {
    .name = "check",
    .summary = "report every deviation, and where it is",
    .inputs = "[OPTIONS] FILE|FOLDER...",
    .details =
        "Reports every deviation with its severity, offset and code. Folders and archives are\n"
        "searched recursively; files of unknown format in them are skipped and counted. Exits\n"
        "with 1 if there is an error or an unreadable file, with --strict also for a warning.\n"
        "Sectors of raw disc images are compared with their checksums.\n"
        "Also checks how the files of each figure fit together: bones, parts, tracks, states.",
    .example = "ossa check figures/\n  ossa check --json figures/ > report.json",
    .needs_input = true,
    .run = run,
};
