/* SPDX-License-Identifier: MIT
 *
 * ossa info: what files are and contain. */
#include "cli.h"

#include "base/fold.h"

#include <inttypes.h>
#include <string.h>

static const char *confidence_words(ossa_confidence confidence)
{
    switch (confidence) {
    case OSSA_CONFIDENCE_NONE: return "forced: chosen with --format";
    case OSSA_CONFIDENCE_NAMED: return "poor: only the file name extension suggests it";
    case OSSA_CONFIDENCE_DAMAGED: return "damaged: the signature is right, the structure is not";
    case OSSA_CONFIDENCE_EMPTY: return "weak: it fits, but contains no data";
    case OSSA_CONFIDENCE_ARITHMETIC: return "fair: the counts match the file size exactly";
    case OSSA_CONFIDENCE_PLAUSIBLE:
        return "good: the counts match the file size exactly and the values are plausible";
    case OSSA_CONFIDENCE_SIGNATURE: return "certain: signature and structure match";
    }
    return "";
}

static void print_issues(const ossa_file *file)
{
    enum { SHOWN = 10 };
    size_t total = file->error_count + file->warning_count;
    if (total == 0) return;
    (void)printf("  %-14s %zu error%s, %zu warning%s\n", "issues", file->error_count,
                 plural(file->error_count), file->warning_count, plural(file->warning_count));
    for (size_t i = 0; i < file->issue_count && i < SHOWN; i++) {
        char text[ISSUE_CAPACITY];
        const ossa_issue *issue = &file->issues[i];
        (void)ossa_issue_text(issue, text, sizeof text);
        (void)printf("    %s%s%s: ", severity_colour(stdout, &issue->severity),
                     ossa_severity_name(issue->severity), severity_colour(stdout, NULL));
        print_plain(stdout, text);
        (void)putchar('\n');
    }
    if (file->issue_count > SHOWN) {
        (void)printf("    %zu more kinds; `ossa check` lists them all\n",
                     file->issue_count - SHOWN);
    }
}

/* ---- the figures that an archive stores ---------------------------------------------------- */

/* The clips of a figure, as many per line as fit. */
static void print_clips(const ossa_survey *survey)
{
    enum { WIDTH = 100, INDENT = 6 };
    size_t column = 0;
    for (size_t i = 0; i < survey->clip_count; i++) {
        const ossa_survey_clip *clip = &survey->clips[i];
        size_t size = strlen(clip->name) + 14;
        if (column == 0 || column + size > WIDTH) {
            (void)printf("%s%*s", column == 0 ? "" : "\n", INDENT, "");
            column = INDENT;
        }
        print_plain(stdout, clip->name);
        (void)printf(" %" PRIu32 "%s", clip->frame_count, i + 1 < survey->clip_count ? ", " : "");
        column += size;
    }
    if (survey->clip_count > 0) (void)putchar('\n');
}

static void print_slot(const ossa_survey_slot *slot)
{
    enum { WIDTH = 100, INDENT = 8 };
    size_t column = 0;
    (void)printf("      slot ");
    print_plain(stdout, slot->name);
    (void)putchar(':');
    for (size_t i = 0; i < slot->part_count; i++) {
        size_t size = strlen(slot->parts[i].name) + 2;
        bool is_full = column == 0 || column + size > WIDTH;
        if (is_full) column = INDENT;
        if (is_full) (void)printf("\n%*s", INDENT - 1, "");
        (void)printf(" %s", slot->parts[i].is_shown ? "*" : "");
        print_plain(stdout, slot->parts[i].name);
        column += size;
    }
    (void)putchar('\n');
}

/* What the slots of a figure show, and what else they can hold; those without a choice are left
 * out. */
static void print_slots(const ossa_survey *survey)
{
    size_t shown = 0;
    for (size_t i = 0; i < survey->slot_count; i++) {
        const ossa_survey_slot *slot = &survey->slots[i];
        if (slot->part_count < 2 && slot->parts[0].is_shown) continue;
        if (shown++ == 0)
            (void)printf("      slots with a choice of parts; * is shown by default\n");
        print_slot(slot);
    }
}

static void print_figure(const ossa_figure *figure, const ossa_survey *survey)
{
    char unreadable[64] = "";
    if (survey->unreadable > 0) {
        (void)snprintf(unreadable, sizeof unreadable, ", %zu unreadable entr%s", survey->unreadable,
                       plural_y(survey->unreadable));
    }
    print_line("    %s: %" PRIu32 " part%s, %zu mesh%s, %zu clip%s%s", figure->name,
               survey->bone_count, plural(survey->bone_count), survey->mesh_count,
               survey->mesh_count == 1 ? "" : "es", survey->clip_count, plural(survey->clip_count),
               unreadable);
    print_clips(survey);
    print_slots(survey);
}

static void write_slots(struct ossa__json *json, const ossa_survey *survey)
{
    ossa__json_key(json, "slots");
    ossa__json_begin_array(json);
    for (size_t i = 0; i < survey->slot_count; i++) {
        const ossa_survey_slot *slot = &survey->slots[i];
        ossa__json_begin_object(json);
        ossa__member_text(json, "slot", slot->name);
        ossa__json_key(json, "parts");
        ossa__json_begin_array(json);
        for (size_t k = 0; k < slot->part_count; k++) {
            ossa__json_begin_object(json);
            ossa__member_text(json, "part", slot->parts[k].name);
            ossa__member_bool(json, "shown", slot->parts[k].is_shown);
            ossa__json_end_object(json);
        }
        ossa__json_end_array(json);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
}

static void write_figure(struct ossa__json *json, const ossa_figure *figure,
                         const ossa_survey *survey)
{
    ossa__json_begin_object(json);
    ossa__member_text(json, "model", figure->name);
    ossa__member_uint(json, "parts", survey->bone_count);
    ossa__member_uint(json, "meshes", survey->mesh_count);
    ossa__member_uint(json, "unreadable", survey->unreadable);
    ossa__json_key(json, "clips");
    ossa__json_begin_array(json);
    for (size_t i = 0; i < survey->clip_count; i++) {
        ossa__json_begin_object(json);
        ossa__member_text(json, "clip", survey->clips[i].name);
        ossa__member_uint(json, "frames", survey->clips[i].frame_count);
        ossa__member_uint(json, "parts", survey->clips[i].file_count);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
    if (survey->slot_count > 0) write_slots(json, survey);
    ossa__json_end_object(json);
}

/* Each figure and its contents: as JSON, or with json == NULL as text. */
static bool show_figures(const struct cli *cli, const ossa_figures *figures,
                         struct ossa__json *json, ossa_error *error)
{
    for (size_t i = 0; i < figures->count; i++) {
        const ossa_figure *figure = &figures->items[i];
        ossa_survey *survey =
            ossa_workspace_survey(cli->workspace, figure->paths, figure->path_count, error);
        if (survey == NULL) return false;
        if (json != NULL) write_figure(json, figure, survey);
        else print_figure(figure, survey);
        ossa_survey_free(survey);
    }
    return true;
}

/* ---- one file ------------------------------------------------------------------------------ */

static bool print_text(const struct cli *cli, const ossa_visit *visit, const ossa_figures *figures,
                       ossa_error *error)
{
    const ossa_file *file = visit->file;
    print_line("%s", shown_name(visit->path));
    (void)printf("  %-14s %s (%s)\n", "what", file->format->title, file->format->id);
    (void)printf("  %-14s %s\n", "game", file->format->game);
    (void)printf("  %-14s %s\n", "confidence", confidence_words(file->confidence));
    (void)printf("  %-14s %" PRIu64 " bytes\n", "size", file->size);
    if (!ossa_describe(file, stdout_sink(), error)) return false;
    if (visit->image != NULL && !ossa_describe(visit->image, stdout_sink(), error)) return false;
    if (figures->count > 0) {
        (void)printf("  %-14s %zu, each clip with its number of frames\n", "models",
                     figures->count);
    }
    if (!show_figures(cli, figures, NULL, error)) return false;
    print_issues(file);
    if (visit->image != NULL) print_issues(visit->image);
    return true;
}

static bool print_json(const struct cli *cli, const ossa_visit *visit, const ossa_figures *figures,
                       ossa_error *error)
{
    const ossa_file *file = visit->file;
    struct ossa__json json;
    json_begin(&json);
    ossa__json_begin_object(&json);
    ossa__member_uint(&json, "ossa", 1);
    ossa__member_text(&json, "file", visit->path);
    ossa__member_text(&json, "format", file->format->id);
    ossa__member_text(&json, "title", file->format->title);
    ossa__member_text(&json, "game", file->format->game);
    ossa__member_text(&json, "kind", ossa_kind_name(file->format->kind));
    ossa__member_text(&json, "confidence", ossa_confidence_name(file->confidence));
    ossa__member_uint(&json, "size", file->size);
    ossa__member_uint(&json, "errors", file->error_count);
    ossa__member_uint(&json, "warnings", file->warning_count);
    ossa__json_key(&json, "facts");
    if (!ossa_describe_json(file, OSSA_JSON_STYLE_LINE, ossa__json_splice(&json), error)) {
        return false;
    }
    if (visit->image != NULL) {
        ossa__json_key(&json, "image");
        if (!ossa_describe_json(visit->image, OSSA_JSON_STYLE_LINE, ossa__json_splice(&json),
                                error)) {
            return false;
        }
    }
    bool ok = true;
    if (figures->count > 0) {
        ossa__json_key(&json, "models");
        ossa__json_begin_array(&json);
        ok = show_figures(cli, figures, &json, error);
        ossa__json_end_array(&json);
    }
    ossa__json_end_object(&json);
    return json_end(&json) && ok;
}

/* ---- figures ------------------------------------------------------------------------------- */

/* A figure that an archive stores in several entries, or in a folder, instead of the entries: as
 * `models` of the path. */
static bool print_figures(const struct cli *cli, const char *path, const ossa_figures *figures,
                          ossa_error *error)
{
    struct ossa__json json;
    if (!cli->json) {
        print_plain(stdout, path);
        (void)printf("\n  %-14s figure%s\n", "what", plural(figures->count));
        (void)printf("  %-14s %s\n", "game", figures->items[0].game);
        (void)printf("  %-14s %zu, each clip with its number of frames\n", "models",
                     figures->count);
        return show_figures(cli, figures, NULL, error);
    }
    ossa__json_start(&json, stdout_sink(), OSSA_JSON_STYLE_LINE);
    ossa__json_begin_object(&json);
    ossa__member_uint(&json, "ossa", 1);
    ossa__member_text(&json, "file", path);
    ossa__member_text(&json, "game", figures->items[0].game);
    ossa__json_key(&json, "models");
    ossa__json_begin_array(&json);
    bool ok = show_figures(cli, figures, &json, error);
    ossa__json_end_array(&json);
    ossa__json_end_object(&json);
    ossa__json_raw(&json, "\n");
    return ossa__json_finish(&json) && ok;
}

struct informer {
    struct cli *cli;
    const char *input; /* that is walked through */
    bool is_plain;     /* it does not name figures */
    size_t visited;
    size_t strays;
    size_t shown;
    int status;
};

static bool print_file(const struct cli *cli, const ossa_visit *visit, ossa_error *error)
{
    static const ossa_figures none;
    ossa_figures *figures = NULL;
    if (visit->figure_count > 0) {
        figures = ossa_workspace_figures(cli->workspace, visit->path, error);
        if (figures == NULL) return false;
    }
    const ossa_figures *shown = figures == NULL ? &none : figures;
    bool ok =
        cli->json ? print_json(cli, visit, shown, error) : print_text(cli, visit, shown, error);
    ossa_figures_free(figures);
    return ok;
}

static bool has_bones(const struct cli *cli, const ossa_figure *figure)
{
    ossa_survey *survey =
        ossa_workspace_survey(cli->workspace, figure->paths, figure->path_count, NULL);
    bool has_some = survey != NULL && survey->bone_count > 0;
    ossa_survey_free(survey);
    return has_some;
}

/* What the input names in an archive, if that is figures; false: it is not, or if it is a single
 * entry, that has no bones. */
static bool inform_of_figures(struct informer *informer, bool is_single)
{
    ossa_error error = {0};
    ossa_figures *figures =
        ossa_workspace_figures(informer->cli->workspace, informer->input, &error);
    bool is_one = figures != NULL && figures->count > 0 &&
                  (!is_single || has_bones(informer->cli, &figures->items[0]));
    if (is_one) {
        informer->visited++;
        if (informer->shown++ > 0 && !informer->cli->json) (void)putchar('\n');
        if (!print_figures(informer->cli, informer->input, figures, &error)) {
            if (ferror(stdout) == 0) complain_error(informer->input, &error);
            informer->status = EXIT_BAD_DATA;
        }
    }
    ossa_figures_free(figures);
    return is_one;
}

static ossa_step inform(void *user, const ossa_visit *visit)
{
    struct informer *informer = user;
    ossa_error error = {0};
    if (visit->is_part) {
        if (visit->entry_count < 2) return OSSA_STEP_INTO;
        informer->is_plain = !inform_of_figures(informer, false);
        return informer->is_plain ? OSSA_STEP_INTO : OSSA_STEP_OVER;
    }
    /* A figure or folder may also be a single entry, of another name; but not a camera, which says
     * more about itself. */
    bool is_other = visit->entry != NULL && !ossa__same_path(visit->path, informer->input);
    if (is_other && !informer->is_plain && inform_of_figures(informer, true)) return OSSA_STEP_STOP;
    informer->visited++;
    if (visit->is_continuation) return OSSA_STEP_OVER; /* what it continues is shown as a whole */
    if (visit->file == NULL && visit->is_stray) {
        informer->strays++;
        return OSSA_STEP_OVER;
    }
    bool ok = visit->file != NULL;
    if (!ok) error = *visit->error;
    if (ok && informer->shown++ > 0 && !informer->cli->json) (void)putchar('\n');
    if (ok) ok = print_file(informer->cli, visit, &error);
    bool is_full = !ok && ferror(stdout) != 0;
    if (!ok && !is_full) complain_error(visit->path, &error);
    if (!ok) informer->status = EXIT_BAD_DATA;
    return is_full ? OSSA_STEP_STOP : OSSA_STEP_OVER; /* main reports it */
}

static int run(struct cli *cli)
{
    struct informer informer = {.cli = cli, .status = EXIT_FINE};
    ossa_options read = cli->read;
    read.check_values = true;
    const ossa_walk_options walk = {
        .detail = OSSA_DETAIL_FILES, .read = &read, .visit = inform, .user = &informer};
    for (size_t i = 0; i < cli->input_count && ferror(stdout) == 0; i++) {
        ossa_error error;
        informer.input = cli->inputs[i];
        informer.is_plain = false;
        if (ossa_workspace_walk(cli->workspace, cli->inputs[i], &walk, &error)) continue;
        complain_error(cli->inputs[i], &error);
        informer.status = EXIT_BAD_DATA;
        informer.visited++;
    }
    if (informer.visited == 0) complain("the folder contains no files");
    if (informer.strays > 0) {
        complain("skipped %zu file%s of unknown format", informer.strays, plural(informer.strays));
    }
    return informer.status;
}

const struct verb verb_info = {
    .name = "info",
    .summary = "show what files are and contain",
    .inputs = "[OPTIONS] FILE|FOLDER...",
    .details =
        "Shows the format of each file and how certain it is, its counts, duration and value\n"
        "ranges, and its issues. For an archive that stores figures, also their clips.\n"
        "ARCHIVE#FIGURE shows the figure itself. Folders are searched recursively.",
    .example = "ossa info walk.anm\n  ossa info figures.res#unmotr\n  ossa info --json figures/ | "
               "jq .facts.frames",
    .needs_input = true,
    .run = run,
};
