/* SPDX-License-Identifier: MIT */
#include "catalogue.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- looking ------------------------------------------------------------------------------- */

/* A catalogue being made. */
struct maker {
    struct catalogue *catalogue;
    ossa_options options;
    struct budget budget;
    bool ok; /* false: no memory */
};

/* Read an entry; false when it cannot be read, or there is too much. */
static bool look(struct maker *maker, const struct archive *archive, size_t entry,
                 struct loaded *loaded)
{
    ossa_error error;
    const ossa_entry *about = ossa_entry_at(archive->file, entry);
    if (!spend(&maker->budget, about, &error)) {
        maker->catalogue->is_whole = false;
        return false;
    }
    return load_entry(archive, entry, &maker->options, loaded, &error);
}

static bool open_part(struct maker *maker, const struct archive *archive, size_t entry,
                      struct archive *opened)
{
    struct loaded loaded;
    ossa_error error;
    const char *name = ossa_entry_at(archive->file, entry)->name;
    return look(maker, archive, entry, &loaded) &&
           open_loaded_entry(archive, name, &loaded, opened, &error);
}

/* The FIGs and the LNK. */
static void look_at_mod(struct maker *maker, const struct archive *mod,
                        struct catalogue_model *model)
{
    size_t count = ossa_entry_count(mod->file);
    for (size_t i = 0; i < count && maker->catalogue->is_whole; i++) {
        struct loaded loaded;
        if (!look(maker, mod, i, &loaded)) {
            model->unreadable++;
            continue;
        }
        const ossa_ei_lnk *lnk = ossa_as_ei_lnk(loaded.file);
        if (lnk != NULL && lnk->link_count > model->parts) model->parts = lnk->link_count;
        if (strcmp(loaded.file->format->id, "ei-fig") == 0) model->meshes++;
        unload(&loaded);
    }
}

static void look_at_clip(struct maker *maker, const struct archive *parts,
                         struct catalogue_clip *clip)
{
    size_t count = ossa_entry_count(parts->file);
    for (size_t i = 0; i < count && maker->catalogue->is_whole; i++) {
        struct loaded loaded;
        if (!look(maker, parts, i, &loaded)) continue;
        const ossa_ei_anm *anm = ossa_as_ei_anm(loaded.file);
        if (anm != NULL) {
            clip->parts++;
            if (anm->rotation_count > clip->frames) clip->frames = anm->rotation_count;
            if (anm->translation_count > clip->frames) clip->frames = anm->translation_count;
        }
        unload(&loaded);
    }
}

static void look_at_clips(struct maker *maker, const struct archive *anm,
                          struct catalogue_model *model)
{
    size_t count = ossa_entry_count(anm->file);
    model->clips = calloc(count + 1, sizeof *model->clips);
    if (model->clips == NULL) maker->ok = false;
    for (size_t i = 0; i < count && maker->ok && maker->catalogue->is_whole; i++) {
        struct archive parts;
        if (!open_part(maker, anm, i, &parts)) {
            model->unreadable++;
            continue;
        }
        struct catalogue_clip *clip = &model->clips[model->clip_count];
        clip->name = strdup(ossa_entry_at(anm->file, i)->name);
        if (clip->name == NULL) maker->ok = false;
        else model->clip_count++;
        look_at_clip(maker, &parts, clip);
        close_archive(&parts);
    }
}

/* "unmotr.anm" for "unmotr.mod"; -1 where there is none. */
static int64_t find_sister(const struct archive *archive, const char *model, const char *end)
{
    size_t size = strlen(model) + strlen(end) + 1;
    char *name = malloc(size);
    if (name == NULL) return -1;
    (void)snprintf(name, size, "%s%s", model, end);
    int64_t entry = find_entry(archive, name);
    free(name);
    return entry;
}

static void look_at_model(struct maker *maker, const struct archive *archive, size_t entry,
                          struct catalogue_model *model)
{
    struct archive opened;
    if (open_part(maker, archive, entry, &opened)) {
        look_at_mod(maker, &opened, model);
        close_archive(&opened);
    } else {
        model->unreadable++;
    }
    int64_t clips = find_sister(archive, model->name, ".anm");
    if (clips < 0 || !maker->catalogue->is_whole) return;
    if (open_part(maker, archive, (size_t)clips, &opened)) {
        look_at_clips(maker, &opened, model);
        close_archive(&opened);
    } else {
        model->unreadable++;
    }
}

static bool is_mod(const char *name)
{
    size_t size = strlen(name);
    return size > 4 && strcasecmp(name + size - 4, ".mod") == 0;
}

bool make_catalogue(const struct cli *cli, const struct archive *archive,
                    struct catalogue *catalogue)
{
    struct maker maker = {.catalogue = catalogue, .budget = budget_of(cli, archive), .ok = true};
    size_t entries = ossa_entry_count(archive->file);
    size_t models = 0;
    *catalogue = (struct catalogue){.is_whole = true};
    maker.options.max_input = cli->read.max_input == 0 ? DEFAULT_MAX_INPUT : cli->read.max_input;
    if (!can_hold_models(archive->file)) return true;
    for (size_t i = 0; i < entries; i++) models += is_mod(ossa_entry_at(archive->file, i)->name);
    if (models > 0) catalogue->models = calloc(models, sizeof *catalogue->models);
    maker.ok = models == 0 || catalogue->models != NULL;
    for (size_t i = 0; i < entries && maker.ok && catalogue->is_whole; i++) {
        const char *name = ossa_entry_at(archive->file, i)->name;
        if (!is_mod(name)) continue;
        struct catalogue_model *model = &catalogue->models[catalogue->count++];
        model->name = strndup(name, strlen(name) - 4);
        if (model->name == NULL) maker.ok = false;
        else look_at_model(&maker, archive, i, model);
    }
    if (!maker.ok) free_catalogue(catalogue);
    return maker.ok;
}

void free_catalogue(struct catalogue *catalogue)
{
    for (size_t i = 0; i < catalogue->count; i++) {
        struct catalogue_model *model = &catalogue->models[i];
        for (size_t k = 0; k < model->clip_count; k++) free(model->clips[k].name);
        free(model->clips);
        free(model->name);
    }
    free(catalogue->models);
    *catalogue = (struct catalogue){.count = 0};
}

/* ---- showing ------------------------------------------------------------------------------- */

/* Clips after each other, on as few lines as they need. */
static void print_clips(const struct catalogue_model *model)
{
    enum { WIDTH = 100, INDENT = 6 };
    size_t column = 0;
    for (size_t i = 0; i < model->clip_count; i++) {
        const struct catalogue_clip *clip = &model->clips[i];
        size_t size = strlen(clip->name) + 14;
        if (column == 0 || column + size > WIDTH) {
            (void)printf("%s%*s", column == 0 ? "" : "\n", INDENT, "");
            column = INDENT;
        }
        print_plain(stdout, clip->name);
        (void)printf(" %" PRIu32 "%s", clip->frames, i + 1 < model->clip_count ? ", " : "");
        column += size;
    }
    if (model->clip_count > 0) (void)putchar('\n');
}

void print_catalogue(const struct catalogue *catalogue)
{
    if (catalogue->count == 0) return;
    (void)printf("  %-14s %zu; behind each clip its frames\n", "models", catalogue->count);
    for (size_t i = 0; i < catalogue->count; i++) {
        const struct catalogue_model *model = &catalogue->models[i];
        (void)printf("    ");
        print_plain(stdout, model->name);
        (void)printf(": %" PRIu32 " part%s, %zu mesh%s, %zu clip%s", model->parts,
                     plural(model->parts), model->meshes, model->meshes == 1 ? "" : "es",
                     model->clip_count, plural(model->clip_count));
        if (model->unreadable > 0) {
            (void)printf(", %zu unreadable entr%s", model->unreadable,
                         model->unreadable == 1 ? "y" : "ies");
        }
        (void)putchar('\n');
        print_clips(model);
    }
    if (!catalogue->is_whole) {
        (void)printf("    the entries share bytes so often that the rest was not looked at\n");
    }
}

static void write_count(struct ossa__json *json, const char *key, uint64_t value)
{
    ossa__json_key(json, key);
    ossa__json_uint(json, value);
}

static void model_json(const struct catalogue_model *model, struct ossa__json *json)
{
    ossa__json_begin_object(json);
    ossa__json_key(json, "model");
    ossa__json_string(json, model->name);
    write_count(json, "parts", model->parts);
    write_count(json, "meshes", model->meshes);
    write_count(json, "unreadable", model->unreadable);
    ossa__json_key(json, "clips");
    ossa__json_begin_array(json);
    for (size_t i = 0; i < model->clip_count; i++) {
        ossa__json_begin_object(json);
        ossa__json_key(json, "clip");
        ossa__json_string(json, model->clips[i].name);
        write_count(json, "frames", model->clips[i].frames);
        write_count(json, "parts", model->clips[i].parts);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
    ossa__json_end_object(json);
}

void catalogue_json(const struct catalogue *catalogue, struct ossa__json *json)
{
    ossa__json_begin_array(json);
    for (size_t i = 0; i < catalogue->count; i++) model_json(&catalogue->models[i], json);
    ossa__json_end_array(json);
}
