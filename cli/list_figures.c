/* SPDX-License-Identifier: MIT
 *
 * ossa list --figures: the figures in files, folders, archives and disc images, each with the paths
 * that `ossa convert` makes it from. */
#include "cli.h"

#include <inttypes.h>

struct sizes {
    uint32_t bones;
    size_t clips;
};

/* The search counts files; how many clips they are takes a look into them. */
static struct sizes measure(const struct cli *cli, const ossa_figure *figure)
{
    struct sizes sizes = {figure->bone_count, figure->clip_count};
    ossa_survey *survey =
        ossa_workspace_survey(cli->workspace, figure->paths, figure->path_count, NULL);
    if (survey != NULL) sizes = (struct sizes){survey->bone_count, survey->clip_count};
    ossa_survey_free(survey);
    return sizes;
}

static void write_texts(struct ossa__json *json, const char *key, const char *const *texts,
                        size_t count)
{
    ossa__json_key(json, key);
    ossa__json_begin_array(json);
    for (size_t i = 0; i < count; i++) ossa__json_string(json, texts[i]);
    ossa__json_end_array(json);
}

static void write_figure(struct ossa__json *json, const char *input, const ossa_figure *figure,
                         struct sizes sizes)
{
    ossa__json_begin_object(json);
    ossa__member_text(json, "figure", figure->name);
    ossa__member_text(json, "game", figure->game);
    ossa__member_text(json, "input", input);
    ossa__member_uint(json, "bones", sizes.bones);
    ossa__member_uint(json, "clips", sizes.clips);
    write_texts(json, "paths", figure->paths, figure->path_count);
    write_texts(json, "missing", figure->missing, figure->missing_count);
    ossa__json_end_object(json);
}

static void print_figure(const ossa_figure *figure, struct sizes sizes)
{
    char more[32] = "";
    if (figure->path_count > 1) {
        (void)snprintf(more, sizeof more, " and %zu more", figure->path_count - 1);
    }
    print_line("%s: %" PRIu32 " bone%s, %zu clip%s: %s%s", figure->name, sizes.bones,
               plural(sizes.bones), sizes.clips, plural(sizes.clips), shown_name(figure->paths[0]),
               more);
}

bool print_figures_of(struct cli *cli, const char *input, struct ossa__json *json)
{
    ossa_error error;
    if (!note_input(cli, input)) return false; /* it does not exist */
    ossa_figures *figures = ossa_workspace_figures(cli->workspace, input, &error);
    progress_hide(&cli->search);
    if (figures == NULL) {
        complain_error(input, &error);
        return false;
    }
    for (size_t i = 0; i < figures->damaged_count; i++) complain_issue(&figures->damaged[i]);
    for (size_t i = 0; i < figures->count; i++) {
        const ossa_figure *figure = &figures->items[i];
        struct sizes sizes = measure(cli, figure);
        if (json != NULL) write_figure(json, input, figure, sizes);
        else print_figure(figure, sizes);
    }
    if (figures->count == 0 && json == NULL && !cli->quiet) {
        print_line("%s: no figures", shown_name(input));
    }
    ossa_figures_free(figures);
    return true;
}
