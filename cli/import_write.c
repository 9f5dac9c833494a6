/* SPDX-License-Identifier: MIT */
#include "import_write.h"

#include "base/fold.h"
#include "names.h"

#include <stdlib.h>
#include <string.h>

/* A file of the disk that is an original, or part of one. */
struct original {
    char *path;     /* from malloc; of a new file, beside which it would be */
    char *relative; /* to the output folder, from malloc */
    bool is_new;
    const ossa_import_file **changes; /* from malloc: the file itself, or entries of an archive */
    size_t change_count;
    struct os_output output;
    bool is_open;
};

struct writing {
    struct cli *cli;
    struct original *files; /* from malloc, in the order of paths */
    size_t count;
    const char *folder;    /* of the original that is listed, to cut off; NULL: none */
    struct os_folder *out; /* to write into; NULL: none */
};

static void free_writing(struct writing *w)
{
    /* Backwards: the first file of a folder has created it, and removes it when it is empty. */
    for (size_t i = w->count; i-- > 0;) {
        if (w->files[i].is_open) os_discard_output(&w->files[i].output);
        free(w->files[i].path);
        free(w->files[i].relative);
        free(w->files[i].changes);
    }
    free(w->files);
    os_close_folder(w->out);
}

/* ---- the originals ------------------------------------------------------------------------- */

static void add_original(struct writing *w, const char *path, const char *relative)
{
    w->files = make_room(w->files, w->count, sizeof *w->files);
    w->files[w->count++] =
        (struct original){.path = copy_text(path), .relative = copy_text(relative)};
}

static ossa_step add_visit(void *user, const ossa_visit *visit)
{
    struct writing *w = user;
    if (visit->is_part || visit->error != NULL) return OSSA_STEP_OVER;
    const char *relative = visit->path + strlen(w->folder);
    while (*relative == '/' || *relative == '\\') relative++;
    add_original(w, visit->path, relative);
    return OSSA_STEP_OVER; /* not into archives */
}

/* The file of the disk that a path leads to or into, from malloc; NULL: there is none. */
static char *file_of(const char *path)
{
    struct os_file_id id;
    char *copy = copy_text(path);
    if (find_file(copy, &id)) return copy;
    free(copy);
    return NULL;
}

static bool list_originals(struct writing *w)
{
    for (size_t i = 0; i < w->cli->over.count; i++) {
        const char *word = w->cli->over.items[i];
        const ossa_walk_options walk = {.detail = OSSA_DETAIL_NAMES, .visit = add_visit, .user = w};
        if (os_is_folder(word)) {
            ossa_error error;
            w->folder = word;
            if (ossa_workspace_walk(w->cli->workspace, word, &walk, &error)) continue;
            complain_error(word, &error);
            return false;
        }
        char *file = file_of(word);
        if (file == NULL) {
            complain("%s: an original must be a file, a folder or in an archive of the disk",
                     shown_name(word));
            return false;
        }
        add_original(w, file, os_base_name(file));
        free(file);
    }
    return true;
}

static int compare_originals(const void *a, const void *b)
{
    const struct original *x = a;
    const struct original *y = b;
    return strcmp(x->path, y->path);
}

/* The same file may have been named twice, as two of its entries. */
static void sort_originals(struct writing *w)
{
    size_t kept = 0;
    if (w->count > 1) qsort(w->files, w->count, sizeof *w->files, compare_originals);
    for (size_t i = 0; i < w->count; i++) {
        if (kept > 0 && strcmp(w->files[kept - 1].path, w->files[i].path) == 0) {
            free(w->files[i].path);
            free(w->files[i].relative);
        } else {
            w->files[kept++] = w->files[i];
        }
    }
    w->count = kept;
}

/* ---- changes ------------------------------------------------------------------------------- */

static struct original *find_original(const struct writing *w, const char *path)
{
    struct original key = {.path = (char *)(uintptr_t)path};
    if (w->count == 0) return NULL;
    return bsearch(&key, w->files, w->count, sizeof *w->files, compare_originals);
}

static void add_change(struct original *original, const ossa_import_file *file)
{
    original->changes =
        make_room(original->changes, original->change_count, sizeof *original->changes);
    original->changes[original->change_count++] = file;
}

/* A new file gets the folder of an original beside it: it is what its path and that of the others
 * have in common. */
static char *relative_of_new(const struct writing *w, const char *path)
{
    const struct original *nearest = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < w->count; i++) {
        size_t same = 0;
        const char *other = w->files[i].path;
        while (path[same] != '\0' && path[same] == other[same]) same++;
        if (nearest != NULL && same <= longest) continue;
        nearest = &w->files[i];
        longest = same;
    }
    if (nearest == NULL) return copy_text(os_base_name(path));
    size_t cut = strlen(nearest->path) - strlen(nearest->relative);
    return copy_text(longest >= cut ? path + cut : os_base_name(path));
}

/* Which original has each change. */
static bool assign_changes(struct writing *w, const ossa_import *import)
{
    struct original *made = NULL;
    size_t made_count = 0;
    bool ok = true;
    for (size_t i = 0; i < import->file_count && ok; i++) {
        const ossa_import_file *file = &import->files[i];
        if (file->data == NULL) continue;
        char *path = file_of(file->path);
        struct original *original = path == NULL ? NULL : find_original(w, path);
        if (original != NULL && (!file->is_new || strcmp(path, file->path) != 0)) {
            add_change(original, file);
        } else if (file->is_new && path == NULL) {
            made = make_room(made, made_count, sizeof *made);
            made[made_count] = (struct original){.path = copy_text(file->path),
                                                 .relative = relative_of_new(w, file->path),
                                                 .is_new = true};
            add_change(&made[made_count++], file);
        } else {
            complain("%s cannot be written: %s", file->path,
                     file->is_new ? "there is such a file beside the originals"
                                  : "it is not a file of the originals on the disk");
            ok = false;
        }
        free(path);
    }
    for (size_t i = 0; i < made_count; i++) {
        w->files = make_room(w->files, w->count, sizeof *w->files);
        w->files[w->count++] = made[i];
    }
    free(made);
    return ok;
}

/* ---- writing ------------------------------------------------------------------------------- */

/* An archive with its changed entries. */
static bool write_archive(struct writing *w, struct original *original)
{
    ossa_error error;
    ossa_entry_change *changes = allocate(original->change_count, sizeof *changes);
    for (size_t i = 0; i < original->change_count; i++) {
        const ossa_import_file *file = original->changes[i];
        changes[i] = (ossa_entry_change){.path = file->path + strlen(original->path) + 1,
                                         .data = file->data,
                                         .size = file->size};
    }
    bool ok =
        ossa_workspace_replace(w->cli->workspace, original->path, changes, original->change_count,
                               output_sink(&original->output), &error);
    if (ok || original->output.problem != 0) {
        /* Closing the output reports that. */
    } else if (error.code == OSSA_CODE_UNKNOWN_FORMAT) {
        complain("%s: has no directory that a new file could be added to; import into files that "
                 "`ossa extract` wrote",
                 shown_name(original->path));
    } else {
        complain_error(original->path, &error);
    }
    free(changes);
    return ok;
}

/* Into an output that was opened. */
static bool write_original(struct writing *w, struct original *original, const char *path)
{
    struct os_why why;
    ossa_sink sink = output_sink(&original->output);
    bool ok = true;
    original->is_open = true;
    const ossa_import_file *change = original->change_count > 0 ? original->changes[0] : NULL;
    if (change == NULL) {
        ok = os_copy_file(original->path, sink, &why);
        if (!ok && original->output.problem == 0) complain("%s: %s", original->path, why.text);
    } else if (strcmp(change->path, original->path) == 0) {
        ok = sink.write(sink.user, change->data, change->size);
    } else {
        ok = write_archive(w, original);
    }
    if (os_finish_output(&original->output, &why)) return ok;
    complain("%s: %s", path, why.text);
    return false;
}

static bool open_below(const struct writing *w, struct original *original, const char *path)
{
    struct os_why why;
    return os_open_output_below(&original->output, w->out, original->relative, &why) ||
           complain_output(path, &why);
}

/* May a file take the place of what is in the output folder? */
static bool may_write(const struct writing *w, const struct original *original, const char *path)
{
    struct os_why why;
    if (overwrites_input(w->cli, path)) return false;
    if (!os_may_write(path, &why)) {
        complain("%s: %s", path, why.text);
        return false;
    }
    if (w->cli->force || !os_exists(path)) return true;
    if (original->change_count == 1 && strcmp(original->changes[0]->path, original->path) == 0 &&
        os_has_bytes(path, original->changes[0]->data, original->changes[0]->size)) {
        return true;
    }
    if (original->change_count == 0 && os_same_contents(path, original->path)) return true;
    complain("%s exists with other contents; --force overwrites it", path);
    return false;
}

static bool commit_all(struct writing *w)
{
    struct os_why why;
    bool ok = true;
    for (size_t i = 0; i < w->count; i++) {
        struct original *original = &w->files[i];
        if (!original->is_open) continue;
        original->is_open = false;
        if (os_commit_output(&original->output, &why)) continue;
        complain("%s: %s", original->relative, why.text);
        ok = false;
    }
    return ok;
}

static int write_folder(struct writing *w)
{
    struct names used = {0};
    w->out = open_folder(w->cli->output);
    bool ok = w->out != NULL;
    for (size_t i = 0; i < w->count && ok; i++) {
        struct original *original = &w->files[i];
        const char *relative = original->relative;
        ok = names_add(&used, ossa__hash_bytes(relative, strlen(relative)));
        if (!ok) complain("two originals would be written to %s", relative);
        char *path = path_in(w->cli->output, relative);
        ok = ok && may_write(w, original, path) && open_below(w, original, path) &&
             write_original(w, original, path);
        free(path);
    }
    names_free(&used);
    return ok && commit_all(w) ? EXIT_FINE : EXIT_BAD_DATA;
}

/* The only file that was changed, or that there is, to OUT. */
static int write_single(struct writing *w, struct original *original)
{
    const ossa_format *format = NULL;
    ossa_file *file = ossa_workspace_open(w->cli->workspace, original->path, NULL, NULL);
    if (file != NULL) format = file->format;
    ossa_file_free(file);
    const struct output_kind kind = {format == NULL ? "such a file" : format->id, .format = format};
    const char *path = w->cli->output;
    if (overwrites_input(w->cli, path) || refuse_terminal(path)) return EXIT_BAD_CALL;
    if (format != NULL && !may_replace(w->cli, path, &kind)) return EXIT_BAD_CALL;
    bool ok = open_output(&original->output, path) && write_original(w, original, path);
    return ok && commit_all(w) ? EXIT_FINE : EXIT_BAD_DATA;
}

/* Does a name end like that of a file, so that it means a file? */
static bool ends_like(const char *name, const char *file)
{
    const char *a = strrchr(os_base_name(name), '.');
    const char *b = strrchr(os_base_name(file), '.');
    return a != NULL && b != NULL && ossa__compare_names(a, b) == 0;
}

/* Does a name end like that of an original, of any file of a game, or of an edit? */
static bool is_called_file(const struct writing *w, const char *name)
{
    static const char *const edits[] = {".glb", ".gltf", ".bvh", ".json", ".png"};
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        if (ends_like(name, edits[i])) return true;
    }
    for (size_t i = 0; i < w->count; i++) {
        if (ends_like(name, w->files[i].path)) return true;
    }
    for (size_t i = 0; i < ossa_format_count(); i++) {
        if (ossa_format_fits_name(ossa_format_at(i), name)) return true;
    }
    return false;
}

static const char *same_folder(const struct cli *cli, const char *path)
{
    for (size_t i = 0; i < cli->over.count; i++) {
        if (os_is_same_folder(path, cli->over.items[i])) return cli->over.items[i];
    }
    return NULL;
}

/* The folder of originals that OUT is in; NULL: none. */
static const char *folder_around(const struct cli *cli)
{
    char *path = copy_text(cli->output);
    const char *found = same_folder(cli, path);
    char *slash;
    while (found == NULL && (slash = strrchr(path, '/')) != NULL) {
        *slash = '\0';
        found = same_folder(cli, path);
    }
    bool is_here = path[0] != '\0' && strcmp(path, "..") != 0;
    if (found == NULL && is_here) found = same_folder(cli, ".");
    free(path);
    return found;
}

/* A folder that nobody meant is refused, and one that would be an original the next time. */
static bool may_be_folder(const struct writing *w)
{
    const struct cli *cli = w->cli;
    const char *path = cli->output;
    const char *around = folder_around(cli);
    if (strcmp(path, "-") == 0) {
        complain(
            "standard output takes one file, and there are several originals; give -o a folder");
        return false;
    }
    if (around != NULL) {
        complain("the output %s would be among the originals in %s; choose another folder", path,
                 around);
        return false;
    }
    if (os_is_folder(path) || os_base_name(path)[0] == '\0' || !is_called_file(w, path))
        return true;
    complain("%s would be a folder: write %s/ for that; a file needs the extension of the only "
             "original that changes",
             path, path);
    return false;
}

/* The file that OUT is to be; NULL: OUT is a folder. */
static struct original *single_output(const struct writing *w)
{
    const char *path = w->cli->output;
    const char *first = w->cli->over.items[0];
    struct original *single = NULL;
    if (os_base_name(path)[0] == '\0' || os_is_folder(path) || os_is_folder(first)) return NULL;
    for (size_t i = 0; i < w->count; i++) {
        if (w->files[i].change_count == 0) continue;
        if (single != NULL) return NULL;
        single = &w->files[i];
    }
    if (single == NULL) {
        char *file = file_of(first);
        single = file == NULL ? NULL : find_original(w, file);
        free(file);
    }
    if (single == NULL || (w->count > 1 && !ends_like(path, single->path))) return NULL;
    return strcmp(path, "-") == 0 || ends_like(path, single->path) ? single : NULL;
}

int write_import(struct cli *cli, const ossa_import *import)
{
    struct writing w = {.cli = cli};
    int status = EXIT_BAD_DATA;
    for (size_t i = 0; i < cli->over.count; i++) note_file(cli, cli->over.items[i]);
    for (size_t i = 0; i < cli->input_count; i++) note_file(cli, cli->inputs[i]);
    if (list_originals(&w)) {
        sort_originals(&w);
        for (size_t i = 0; i < w.count; i++) note_file(cli, w.files[i].path);
        if (assign_changes(&w, import)) {
            struct original *single = single_output(&w);
            if (single != NULL) status = write_single(&w, single);
            else status = may_be_folder(&w) ? write_folder(&w) : EXIT_BAD_CALL;
        }
    }
    free_writing(&w);
    return status;
}
