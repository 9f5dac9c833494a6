/* SPDX-License-Identifier: MIT */
#include "scene_files.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void free_files(struct files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        unload(&files->loaded[i]);
        free(files->paths[i]);
        free(files->shown[i]);
    }
    for (size_t i = files->archive_count; i-- > 0;) { /* those inside first */
        close_archive(&files->archives[i]->own);
        free(files->archives[i]);
    }
    free(files->archives);
    free(files->deferred);
    free(files->paths);
    free(files->shown);
    free(files->loaded);
    free(files->inputs);
}

/* Room for one more of everything. */
static bool grow(struct files *files)
{
    if (files->count < files->capacity) return true;
    size_t capacity = files->capacity == 0 ? 64 : files->capacity * 2;
    void *loaded = realloc(files->loaded, capacity * sizeof *files->loaded);
    if (loaded != NULL) files->loaded = loaded;
    void *inputs = realloc(files->inputs, capacity * sizeof *files->inputs);
    if (inputs != NULL) files->inputs = inputs;
    void *paths = realloc(files->paths, capacity * sizeof *files->paths);
    if (paths != NULL) files->paths = paths;
    void *shown = realloc(files->shown, capacity * sizeof *files->shown);
    if (shown != NULL) files->shown = shown;
    if (loaded == NULL || inputs == NULL || paths == NULL || shown == NULL) return false;
    files->capacity = capacity;
    return true;
}

static bool fail_memory(struct files *files)
{
    complain("no memory for the list of files");
    files->ok = false;
    return false;
}

/* Add what was loaded; takes it and the path over. */
static bool add_file(struct files *files, struct loaded *loaded, char *path, const char *shown)
{
    char *name = strdup(shown);
    if (path == NULL || name == NULL || !grow(files)) {
        free(path);
        free(name);
        unload(loaded);
        return fail_memory(files);
    }
    /* A file with errors is refused with the first of them. */
    if (loaded->file->error_count == 0) complain_issues(shown, loaded->file);
    size_t i = files->count++;
    files->paths[i] = path;
    files->shown[i] = name;
    files->loaded[i] = *loaded;
    files->inputs[i] = (ossa_input){.path = path, .file = loaded->file, .shown = name};
    return true;
}

/* ---- archives ------------------------------------------------------------------------------ */

static bool is_archive(const struct loaded *loaded)
{
    return ossa_format_can(loaded->file->format, OSSA_ABILITY_LIST);
}

/* A list that doubles: 0, 1, 2, 4, ... */
static void *make_room(void *list, size_t count, size_t size)
{
    bool is_full = (count & (count - 1)) == 0;
    size_t capacity = count == 0 ? 1 : 2 * count;
    return is_full ? realloc(list, capacity * size) : list;
}

/* Room for an archive that stays open as long as what lies in it; NULL where there is no memory. */
static struct entered *keep_archive(struct files *files)
{
    struct entered **larger = make_room(files->archives, files->archive_count, sizeof *larger);
    struct entered *entered = calloc(1, sizeof *entered);
    if (larger != NULL) files->archives = larger;
    if (larger == NULL || entered == NULL) {
        free(entered);
        (void)fail_memory(files);
        return NULL;
    }
    entered->archive = &entered->own;
    files->archives[files->archive_count++] = entered;
    return entered;
}

static void enter_archive(struct files *files, size_t index);

static void enter_inner(struct files *files, const struct archive *parent, const char *name,
                        struct loaded *loaded)
{
    ossa_error error;
    struct entered *entered = keep_archive(files);
    if (entered == NULL) {
        unload(loaded);
    } else if (!open_loaded_entry(parent, name, loaded, &entered->own, &error)) {
        char *word = entry_word(parent, name);
        complain_error(word == NULL ? name : word, &error);
        free(word);
        files->ok = false;
    } else {
        enter_archive(files, files->archive_count - 1);
    }
}

static void add_entry(struct files *files, size_t index, size_t entry)
{
    const struct archive *archive = files->archives[index]->archive;
    const char *name = ossa_entry_at(archive->file, entry)->name;
    struct loaded loaded;
    ossa_error error;
    ossa_options options = files->cli->read;
    if (options.max_input == 0) options.max_input = DEFAULT_MAX_INPUT;
    char *word = entry_word(archive, name);
    struct input input = {.path = word, .named = false};
    if (word == NULL) {
        (void)fail_memory(files);
    } else if (!spend(&files->budget, ossa_entry_at(archive->file, entry), &error)) {
        complain_error(word, &error);
        files->ok = false;
    } else if (!load_entry(archive, entry, &options, &loaded, &error)) {
        bool stray = is_stray(&input, &error);
        if (stray) files->passed_over++;
        else complain_error(word, &error);
        files->ok = files->ok && stray;
    } else if (is_archive(&loaded)) {
        enter_inner(files, archive, name, &loaded);
    } else if (!ossa_format_can(loaded.file->format, OSSA_ABILITY_ASSEMBLE)) {
        unload(&loaded);
        files->passed_over++;
    } else {
        (void)add_file(files, &loaded, path_in(archive->tree, name), word);
    }
    free(word);
}

/* What the budget has nothing left for is not of many: whoever wants it tells of that. */
static bool is_of_many(const struct archive *archive, size_t entry, struct budget *budget)
{
    ossa_bytes bytes;
    ossa_guess guess;
    ossa_error error;
    ossa_options options = {.max_input = DEFAULT_MAX_INPUT};
    if (archive->of_many != NULL) return archive->of_many[entry];
    const ossa_entry *about = ossa_entry_at(archive->file, entry);
    if (about->is_packed && !spend(budget, about, &error)) return false;
    if (!ossa_entry_bytes(archive->file, entry, &options, &bytes, NULL)) return false;
    bool any = ossa_probe(bytes.data, bytes.size, &options, &guess, 1) > 0;
    ossa_bytes_free(&bytes);
    return any &&
           (guess.format->kind == OSSA_KIND_TEXTURE || strcmp(guess.format->id, "ei-adb") == 0);
}

void note_shared_entries(const struct cli *cli)
{
    for (size_t i = 0; i < cli->archives->count; i++) {
        struct archive *archive = cli->archives->open[i];
        if (archive->file == NULL) continue; /* a scan: its entries are named one by one */
        size_t count = ossa_entry_count(archive->file);
        struct budget budget = budget_of(cli, archive);
        bool *of_many = calloc(count + 1, sizeof *of_many);
        for (size_t k = 0; of_many != NULL && k < count; k++) {
            of_many[k] = is_of_many(archive, k, &budget);
        }
        archive->of_many = of_many; /* without memory it is found out again and again */
    }
}

static void defer_entry(struct files *files, size_t archive, size_t entry)
{
    struct deferred *larger = make_room(files->deferred, files->deferred_count, sizeof *larger);
    if (larger == NULL) {
        (void)fail_memory(files);
        return;
    }
    files->deferred = larger;
    files->deferred[files->deferred_count++] = (struct deferred){archive, entry};
}

/* Everything in an archive, as if it were a folder. It cannot go deeper than archives may lie. */
static void enter_archive(struct files *files, size_t index)
{
    const struct archive *archive = files->archives[index]->archive;
    size_t count = ossa_entry_count(archive->file);
    for (size_t i = 0; i < count && files->ok; i++) {
        if (is_of_many(archive, i, &files->budget)) defer_entry(files, index, i);
        else add_entry(files, index, i);
    }
}

static size_t stem_size(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name);
}

/* What the trees (LNK) among the inputs are called. */
struct stem {
    const char *text;
    size_t size;
};

static int compare_stems(const void *a, const void *b)
{
    const struct stem *x = a;
    const struct stem *y = b;
    int difference = strncasecmp(x->text, y->text, x->size < y->size ? x->size : y->size);
    return difference != 0 ? difference : (x->size > y->size) - (x->size < y->size);
}

/* Sorted, from malloc; NULL where there is no memory. */
static struct stem *list_trees(const struct files *files, size_t *count)
{
    struct stem *trees = calloc(files->count + 1, sizeof *trees);
    *count = 0;
    for (size_t i = 0; trees != NULL && i < files->count; i++) {
        if (strcmp(files->inputs[i].file->format->id, "ei-lnk") != 0) continue;
        const char *name = os_base_name(files->paths[i]);
        trees[(*count)++] = (struct stem){name, stem_size(name)};
    }
    if (*count > 1) qsort(trees, *count, sizeof *trees, compare_stems);
    return trees;
}

/* Does a name begin with that of a tree? Without a tree all do. */
static bool belongs(const struct stem *trees, size_t count, const char *entry)
{
    const char *name = entry;
    for (const char *c = entry; *c != '\0'; c++) {
        if (*c == '/' || *c == '\\') name = c + 1;
    }
    size_t size = strlen(name);
    for (size_t part = 0; part <= size && count > 0; part++) {
        const struct stem start = {name, part};
        if (bsearch(&start, trees, count, sizeof start, compare_stems) != NULL) return true;
    }
    return count == 0;
}

static void add_deferred(struct files *files)
{
    size_t tree_count;
    struct stem *trees = list_trees(files, &tree_count);
    if (trees == NULL) {
        (void)fail_memory(files);
        return;
    }
    for (size_t i = 0; i < files->deferred_count && files->ok; i++) {
        const struct deferred *deferred = &files->deferred[i];
        const struct archive *archive = files->archives[deferred->archive]->archive;
        const char *name = ossa_entry_at(archive->file, deferred->entry)->name;
        if (!belongs(trees, tree_count, name)) continue;
        files->budget = budget_of(files->cli, archive); /* what it holds was counted before */
        add_entry(files, deferred->archive, deferred->entry);
    }
    free(trees);
}

/* How many models an Evil Islands archive holds. */
static size_t count_models(const ossa_file *archive)
{
    size_t models = 0;
    if (!can_hold_models(archive)) return 0;
    for (size_t i = 0; i < ossa_entry_count(archive); i++) {
        const char *dot = strrchr(ossa_entry_at(archive, i)->name, '.');
        if (dot != NULL && strcasecmp(dot, ".mod") == 0) models++;
    }
    return models;
}

/* False after a message. */
static bool check_models(struct files *files, const ossa_file *archive, const char *word)
{
    size_t models = count_models(archive);
    if (models < 2) return true;
    complain("%s holds %zu models: choose one, %s#NAME (`ossa list` shows them), or convert "
             "--all",
             word, models, word);
    files->ok = false;
    return false;
}

static void enter_word(struct files *files)
{
    const struct archive *archive = files->archives[files->archive_count - 1]->archive;
    files->budget = budget_of(files->cli, archive);
    enter_archive(files, files->archive_count - 1);
}

static void add_archive(struct files *files, struct loaded *loaded, const char *word)
{
    ossa_error error;
    struct entered *entered = check_models(files, loaded->file, word) ? keep_archive(files) : NULL;
    if (entered == NULL) {
        unload(loaded);
    } else if (!open_loaded(files->cli, word, loaded, &entered->own, &error)) {
        complain_error(word, &error);
        files->ok = false;
    } else {
        enter_word(files);
    }
}

/* One that the call has open: all models of `convert --all` share it. */
static void add_kept(struct files *files, const struct archive *kept, const char *word)
{
    struct entered *entered = check_models(files, kept->file, word) ? keep_archive(files) : NULL;
    if (entered == NULL) return;
    entered->archive = kept;
    enter_word(files);
}

/* ---- reading ------------------------------------------------------------------------------- */

/* A clip is named after its file or folder: "-", "./hp.anm" and "../hp.anm" do not say which. A
 * path that does, from malloc. */
static char *naming_path(const struct cli *cli, const char *path)
{
    if (strcmp(path, "-") == 0) return strdup("standard input");
    bool is_here = strncmp(path, "./", 2) == 0 && strchr(path + 2, '/') == NULL;
    bool is_above = strncmp(path, "../", 3) == 0 && strchr(path + 3, '/') == NULL;
    char *full = is_here || is_above ? os_full_path(path) : NULL;
    return full == NULL ? tree_path(cli, path) : full;
}

/* Of `convert --all` a folder may hold the archive of the models itself: what else is there is for
 * each of them, but not the other models. */
static bool is_of_others(const struct files *files, const struct input *input,
                         const ossa_file *archive)
{
    return files->cli->all && !input->named && count_models(archive) > 1;
}

/* What a folder holds besides is not in the way; what was named is to be told of. */
static bool is_besides(const struct files *files, const struct input *input,
                       const struct loaded *loaded)
{
    if (is_archive(loaded)) return is_of_others(files, input, loaded->file);
    return !input->named && !ossa_format_can(loaded->file->format, OSSA_ABILITY_ASSEMBLE);
}

static void read_file(struct files *files, const struct input *input)
{
    struct loaded loaded;
    ossa_error error;
    const struct archive *kept = find_kept(files->cli, input->path);
    if (kept != NULL) {
        if (is_of_others(files, input, kept->file)) files->passed_over++;
        else add_kept(files, kept, input->path);
        return;
    }
    if (!load(files->cli, input->path, &files->cli->read, &loaded, &error)) {
        bool stray = is_stray(input, &error);
        if (stray) files->passed_over++;
        else complain_error(input->path, &error);
        if (!stray) hint_at_scan(input->path, &error);
        files->ok = files->ok && stray;
    } else if (is_besides(files, input, &loaded)) {
        unload(&loaded);
        files->passed_over++;
    } else if (is_archive(&loaded)) {
        add_archive(files, &loaded, input->path);
    } else {
        (void)add_file(files, &loaded, naming_path(files->cli, input->path), input->path);
    }
}

bool read_files(const struct input_list *list, struct files *files)
{
    files->ok = !list->failed;
    for (size_t i = 0; i < list->count; i++) read_file(files, &list->items[i]);
    if (files->ok) add_deferred(files);
    if (files->ok && files->passed_over > 0) {
        complain("%zu file%s that no scene can be made of passed over", files->passed_over,
                 plural(files->passed_over));
    }
    if (files->ok && files->count == 0) {
        complain("there is nothing here that a scene can be made of");
        files->ok = false;
    }
    return files->ok;
}
