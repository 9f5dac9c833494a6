/* SPDX-License-Identifier: MIT
 *
 * What Ossa makes of a copy of a game: `make check-data DATA=folder`.
 *
 *     check_data DATA REPORT [GLB FOLDER]
 *
 * Reads every file below DATA, at any depth of archives and discs; writes each one back, directly
 * and by way of JSON, and compares the bytes; converts every figure to a GLB. Prints one table per
 * game. REPORT gets the same as JSON, with the position of everything that went wrong. It holds
 * names, sizes, offsets and codes, but no contents of files, so that it may be sent to others. */
#include "base/json.h"
#include "ossa/ossa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The JSON of a file takes many times its memory. Formats other than archives stay far below. */
#define MAX_DUMPED (16u << 20)

/* A broken archive must not make a report that nobody can read. */
#define MAX_FINDINGS 10000

enum { MAX_FORMATS = 64, MAX_GAMES = 16, SEVERITIES = OSSA_SEVERITY_UNREADABLE + 1 };

struct format_tally {
    size_t files;
    size_t clean;
    size_t worst[SEVERITIES]; /* files by their worst issue */
    size_t written;           /* files that were written back, */
    size_t exact;             /* and gave the same bytes */
    size_t dumped;            /* the same by way of JSON */
    size_t rebuilt;
};

struct game_tally {
    const char *title;
    size_t figures;
    size_t converted;
    size_t flawed; /* converted, but with errors: something was left out */
};

struct check {
    ossa_workspace *workspace;
    size_t root_length; /* of the path of DATA, which findings leave out */
    const char *root;
    const char *glb_folder; /* NULL: convert, but keep nothing */
    struct ossa__json json;
    struct format_tally formats[MAX_FORMATS];
    struct game_tally games[MAX_GAMES];
    size_t game_count;
    ossa_check fit;
    size_t unknown;    /* files of no format, */
    size_t unreadable; /* and files that could not be opened to find out */
    size_t findings;
    size_t visited;
    bool shows_progress;
    bool has_issue; /* about the file or figure at hand */
    ossa_severity worst;
};

static bool discard(void *user, const void *bytes, size_t size)
{
    (void)user;
    (void)bytes;
    (void)size;
    return true;
}

static bool write_stream(void *user, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, user) == size;
}

static void show_progress(struct check *check, const char *what, size_t done)
{
    if (!check->shows_progress || done % 100 != 0) return;
    (void)fprintf(stderr, "\r%zu %s", done, what);
    (void)fflush(stderr);
}

/* ---- findings ------------------------------------------------------------------------------ */

/* The path below DATA: where on a disk a copy lies is nobody's business. */
static const char *below(const struct check *check, const char *path)
{
    if (strncmp(path, check->root, check->root_length) != 0) return path;
    path += check->root_length;
    while (*path == '/') path++;
    return path;
}

/* No message: it may quote the file. */
static void report(struct check *check, const ossa_issue *issue)
{
    if (check->findings++ >= MAX_FINDINGS) return;
    struct ossa__json *json = &check->json;
    ossa__json_begin_object(json);
    ossa__member_text(json, "path", below(check, issue->path));
    ossa__member_text(json, "format", issue->format);
    ossa__member_text(json, "severity", ossa_severity_name(issue->severity));
    ossa__member_text(json, "code", ossa_code_name(issue->code));
    if (issue->has_offset) ossa__member_uint(json, "offset", issue->offset);
    ossa__member_text(json, "field", issue->field);
    ossa__member_uint(json, "count", (uint64_t)issue->repeat_count + 1);
    ossa__json_end_object(json);
}

static void on_issue(void *user, const ossa_issue *issue)
{
    struct check *check = user;
    if (!check->has_issue || issue->severity > check->worst) check->worst = issue->severity;
    check->has_issue = true;
    report(check, issue);
}

static void report_error(struct check *check, const char *path, const char *format,
                         const ossa_error *error)
{
    const ossa_issue issue = {.severity = OSSA_SEVERITY_UNREADABLE,
                              .code = error->code,
                              .path = path,
                              .format = error->format == NULL ? format : error->format,
                              .has_offset = error->has_offset,
                              .offset = error->offset,
                              .field = error->field,
                              .message = ""};
    report(check, &issue);
}

/* ---- single files -------------------------------------------------------------------------- */

static struct format_tally *tally_of(struct check *check, const ossa_format *format)
{
    for (size_t i = 0; i < MAX_FORMATS && i < ossa_format_count(); i++) {
        if (ossa_format_at(i) == format) return &check->formats[i];
    }
    return NULL;
}

/* Compares what is written with what was read, piece by piece. */
struct comparison {
    const uint8_t *expected;
    size_t size;
    size_t at;
};

static bool compare(void *user, const void *bytes, size_t size)
{
    struct comparison *comparison = user;
    if (size > comparison->size - comparison->at) return false;
    if (memcmp(comparison->expected + comparison->at, bytes, size) != 0) return false;
    comparison->at += size;
    return true;
}

static bool writes_back(struct check *check, const ossa_file *file, const ossa_visit *visit,
                        const ossa_bytes *bytes, const char *by_way_of)
{
    struct comparison comparison = {.expected = bytes->data, .size = bytes->size};
    ossa_error error;
    if (ossa_write(file, (ossa_sink){.write = compare, .user = &comparison}, &error) &&
        comparison.at == comparison.size) {
        return true;
    }
    const ossa_issue issue = {.severity = OSSA_SEVERITY_ERROR,
                              .code = OSSA_CODE_SIZE_MISMATCH,
                              .path = visit->path,
                              .format = file->format->id,
                              .has_offset = true,
                              .offset = comparison.at,
                              .field = by_way_of,
                              .message = ""};
    report(check, &issue);
    return false;
}

static bool rebuilds(struct check *check, const ossa_visit *visit, const ossa_bytes *bytes)
{
    ossa_buffer json = {0};
    ossa_error error;
    ossa_file *built = NULL;
    if (ossa_dump(visit->file, OSSA_JSON_STYLE_LINE, ossa_buffer_sink(&json), &error)) {
        built = ossa_build((const char *)json.data, json.size, NULL, &error);
    }
    if (built == NULL) report_error(check, visit->path, visit->file->format->id, &error);
    bool ok = built != NULL && writes_back(check, built, visit, bytes, "(built from JSON)");
    ossa_file_free(built);
    ossa_buffer_free(&json);
    return ok;
}

static void check_writing(struct check *check, const ossa_visit *visit, struct format_tally *tally)
{
    const ossa_format *format = visit->file->format;
    ossa_bytes bytes;
    ossa_error error;
    if (!ossa_workspace_bytes(check->workspace, visit->path, &bytes, &error)) {
        report_error(check, visit->path, format->id, &error);
        return;
    }
    /* An archive that goes on in other files is written as one. */
    if (visit->file->size != bytes.size) {
        ossa_bytes_free(&bytes);
        return;
    }
    if (ossa_format_can(format, OSSA_ABILITY_WRITE)) {
        tally->written++;
        if (writes_back(check, visit->file, visit, &bytes, "(written)")) tally->exact++;
    }
    if (ossa_format_can(format, OSSA_ABILITY_BUILD) && bytes.size <= MAX_DUMPED) {
        tally->dumped++;
        if (rebuilds(check, visit, &bytes)) tally->rebuilt++;
    }
    ossa_bytes_free(&bytes);
}

/* The format of a file, as far as it is known if it cannot be read. */
static const ossa_format *format_of(const ossa_visit *visit)
{
    if (visit->file != NULL) return visit->file->format;
    if (visit->format != NULL || visit->error == NULL) return visit->format;
    return visit->error->format == NULL ? NULL : ossa_format_find(visit->error->format);
}

static ossa_step check_visit(void *user, const ossa_visit *visit)
{
    struct check *check = user;
    struct format_tally *tally = tally_of(check, format_of(visit));
    show_progress(check, "files", ++check->visited);
    if (visit->is_stray || (tally == NULL && visit->error == NULL)) {
        check->unknown++;
    } else if (tally == NULL) {
        check->unreadable++;
    } else {
        tally->files++;
        if (visit->file == NULL) tally->worst[OSSA_SEVERITY_UNREADABLE]++;
        else if (check->has_issue) tally->worst[check->worst]++;
        else tally->clean++;
        if (visit->file != NULL) check_writing(check, visit, tally);
    }
    if (visit->file != NULL && visit->error != NULL) {
        report_error(check, visit->path, visit->file->format->id, visit->error);
    }
    check->has_issue = false;
    return OSSA_STEP_INTO;
}

static bool check_files(struct check *check, ossa_error *error)
{
    const ossa_options read = {.check_values = true, .on_group = on_issue, .user = check};
    const ossa_walk_options walk = {.detail = OSSA_DETAIL_FILES,
                                    .deep = true,
                                    .search = true,
                                    .read = &read,
                                    .visit = check_visit,
                                    .user = check};
    ossa__json_key(&check->json, "findings");
    ossa__json_begin_array(&check->json);
    bool ok = ossa_workspace_walk(check->workspace, check->root, &walk, error);
    ossa__json_end_array(&check->json);
    return ok;
}

/* ---- figures ------------------------------------------------------------------------------- */

static struct game_tally *game_of(struct check *check, const char *title)
{
    size_t i = 0;
    while (i < check->game_count && strcmp(check->games[i].title, title) != 0) i++;
    if (i == MAX_GAMES) return NULL;
    if (i == check->game_count) check->games[check->game_count++].title = title;
    return &check->games[i];
}

static bool write_glb(const struct check *check, const ossa_scene *scene, const char *name,
                      ossa_error *error)
{
    const ossa_sink nowhere = {.write = discard};
    if (check->glb_folder == NULL) return ossa_write_gltf(scene, NULL, nowhere, nowhere, error);
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", check->glb_folder, name);
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    const ossa_sink sink = {.write = write_stream, .user = file};
    bool ok = ossa_write_gltf(scene, NULL, sink, nowhere, error);
    return fclose(file) == 0 && ok;
}

static void convert_figure(struct check *check, const ossa_figure *figure, size_t index)
{
    struct game_tally *game = game_of(check, figure->game);
    const ossa_scene_options scene_options = {.on_group = on_issue, .user = check};
    const ossa_load_options load = {.scene = &scene_options, .on_issue = on_issue, .user = check};
    ossa_error error;
    char name[32];
    (void)snprintf(name, sizeof name, "%05zu.glb", index);
    struct ossa__json *json = &check->json;
    ossa__json_begin_object(json);
    ossa__member_text(json, "name", figure->name);
    ossa__member_text(json, "game", figure->game);
    ossa__json_key(json, "issues");
    ossa__json_begin_array(json);
    check->has_issue = false;
    ossa_scene *scene =
        ossa_workspace_scene(check->workspace, figure->paths, figure->path_count, &load, &error);
    bool ok = scene != NULL && write_glb(check, scene, name, &error);
    if (!ok) report_error(check, figure->paths[0], "", &error);
    ossa__json_end_array(json);
    if (scene != NULL) {
        ossa__member_uint(json, "bones", scene->bone_count);
        ossa__member_uint(json, "clips", scene->clip_count);
        ossa__member_uint(json, "meshes", scene->mesh_count);
    }
    ossa__member_bool(json, "converted", ok);
    if (ok && check->glb_folder != NULL) ossa__member_text(json, "glb", name);
    ossa__json_end_object(json);
    ossa_scene_free(scene);
    if (game == NULL) return;
    game->figures++;
    if (ok) game->converted++;
    if (ok && check->has_issue && check->worst >= OSSA_SEVERITY_ERROR) game->flawed++;
}

/* How the files of each figure fit together. */
static bool check_fit(struct check *check, ossa_error *error)
{
    const ossa_options options = {.on_group = on_issue, .user = check};
    ossa__json_key(&check->json, "misfits");
    ossa__json_begin_array(&check->json);
    bool ok = ossa_workspace_check(check->workspace, check->root, &options, &check->fit, error);
    ossa__json_end_array(&check->json);
    return ok;
}

static bool convert_figures(struct check *check, ossa_error *error)
{
    ossa_figures *figures = ossa_workspace_figures(check->workspace, check->root, error);
    if (figures == NULL) return false;
    ossa__json_key(&check->json, "figures");
    ossa__json_begin_array(&check->json);
    for (size_t i = 0; i < figures->count; i++) {
        show_progress(check, "figures", i);
        convert_figure(check, &figures->items[i], i);
    }
    ossa__json_end_array(&check->json);
    ossa_figures_free(figures);
    return true;
}

/* ---- the tables ---------------------------------------------------------------------------- */

static void print_tally(const ossa_format *format, const struct format_tally *tally)
{
    char exact[48];
    (void)snprintf(exact, sizeof exact, "%zu/%zu", tally->exact, tally->written);
    char rebuilt[48];
    (void)snprintf(rebuilt, sizeof rebuilt, "%zu/%zu", tally->rebuilt, tally->dumped);
    (void)printf("  %-14s %7zu %7zu %8zu %9zu %7zu %11zu %15s %15s\n", format->id, tally->files,
                 tally->clean, tally->worst[OSSA_SEVERITY_REMARK],
                 tally->worst[OSSA_SEVERITY_WARNING], tally->worst[OSSA_SEVERITY_ERROR],
                 tally->worst[OSSA_SEVERITY_UNREADABLE], exact, rebuilt);
}

static void print_game(struct check *check, const char *title)
{
    bool is_first = true;
    for (size_t i = 0; i < MAX_FORMATS && i < ossa_format_count(); i++) {
        const ossa_format *format = ossa_format_at(i);
        if (strcmp(format->game, title) != 0 || check->formats[i].files == 0) continue;
        if (is_first) {
            (void)printf("%s\n  %-14s %7s %7s %8s %9s %7s %11s %15s %15s\n", title, "format",
                         "files", "clean", "remarks", "warnings", "errors", "unreadable",
                         "byte-exact", "through JSON");
        }
        is_first = false;
        print_tally(format, &check->formats[i]);
    }
    const struct game_tally *game = game_of(check, title);
    if (game != NULL && game->figures > 0) {
        (void)printf("  figures converted: %zu/%zu", game->converted, game->figures);
        if (game->flawed > 0) (void)printf(", %zu of them with errors", game->flawed);
        (void)putchar('\n');
    }
    if (!is_first) (void)putchar('\n');
}

/* Every game once, in the order of the registry. */
static void print_games(struct check *check)
{
    for (size_t i = 0; i < ossa_format_count(); i++) {
        size_t first = 0;
        while (strcmp(ossa_format_at(first)->game, ossa_format_at(i)->game) != 0) first++;
        if (first == i) print_game(check, ossa_format_at(i)->game);
    }
    if (check->fit.figure_count > 0) {
        (void)printf(
            "figures of several files: %zu, %zu with warnings and %zu with errors about how "
            "the files fit together\n",
            check->fit.figure_count, check->fit.warning_count, check->fit.error_count);
    }
    if (check->unknown > 0) (void)printf("unknown format: %zu files\n", check->unknown);
    if (check->unreadable > 0) (void)printf("cannot be opened: %zu files\n", check->unreadable);
}

static void write_tallies(struct check *check)
{
    struct ossa__json *json = &check->json;
    ossa__json_key(json, "formats");
    ossa__json_begin_array(json);
    for (size_t i = 0; i < MAX_FORMATS && i < ossa_format_count(); i++) {
        const struct format_tally *tally = &check->formats[i];
        if (tally->files == 0) continue;
        ossa__json_begin_object(json);
        ossa__member_text(json, "format", ossa_format_at(i)->id);
        ossa__member_uint(json, "files", tally->files);
        ossa__member_uint(json, "clean", tally->clean);
        ossa__member_uint(json, "remarks", tally->worst[OSSA_SEVERITY_REMARK]);
        ossa__member_uint(json, "warnings", tally->worst[OSSA_SEVERITY_WARNING]);
        ossa__member_uint(json, "errors", tally->worst[OSSA_SEVERITY_ERROR]);
        ossa__member_uint(json, "unreadable", tally->worst[OSSA_SEVERITY_UNREADABLE]);
        ossa__member_uint(json, "written", tally->written);
        ossa__member_uint(json, "byte_exact", tally->exact);
        ossa__member_uint(json, "dumped", tally->dumped);
        ossa__member_uint(json, "rebuilt", tally->rebuilt);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
    ossa__member_uint(json, "unknown", check->unknown);
    ossa__member_uint(json, "unreadable", check->unreadable);
    ossa__member_uint(json, "findings_total", check->findings);
}

/* Nothing that a copy of a game contains may be lost, whatever state it is in. */
static bool is_lossless(const struct check *check)
{
    for (size_t i = 0; i < MAX_FORMATS; i++) {
        const struct format_tally *tally = &check->formats[i];
        if (tally->exact < tally->written || tally->rebuilt < tally->dumped) return false;
    }
    return true;
}

static bool run(struct check *check, FILE *out, ossa_error *error)
{
    struct ossa__json *json = &check->json;
    ossa__json_start(json, (ossa_sink){.write = write_stream, .user = out}, OSSA_JSON_STYLE_PRETTY);
    ossa__json_begin_object(json);
    ossa__member_text(json, "ossa_version", ossa_version_text());
    if (!check_files(check, error) || !check_fit(check, error) || !convert_figures(check, error)) {
        return false;
    }
    write_tallies(check);
    ossa__json_end_object(json);
    ossa__json_raw(json, "\n");
    return ossa__json_finish(json);
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc > 4) {
        (void)fputs("usage: check_data DATA REPORT [GLB FOLDER]\n", stderr);
        return 2;
    }
    struct check check = {.root = argv[1],
                          .root_length = strlen(argv[1]),
                          .shows_progress = isatty(STDERR_FILENO) != 0,
                          .glb_folder = argc > 3 ? argv[3] : NULL};
    ossa_error error = {0};
    check.workspace = ossa_workspace_new(NULL, &error);
    FILE *out = fopen(argv[2], "w");
    if (check.workspace == NULL || out == NULL) {
        perror(argv[2]);
        return 1;
    }
    bool ok = run(&check, out, &error);
    if (check.shows_progress) (void)fputs("\r\033[K", stderr);
    ok = fclose(out) == 0 && ok;
    if (!ok) {
        char text[1024];
        (void)ossa_error_text(&error, text, sizeof text);
        (void)fprintf(stderr, "%s: %s\n", argv[1], text);
    } else {
        print_games(&check);
    }
    ossa_workspace_free(check.workspace);
    return ok && is_lossless(&check) ? 0 : 1;
}
