/* SPDX-License-Identifier: MIT
 *
 * ossa view: the viewer's page with the files in it. */
#include "page.h"
#include "page_names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Base64 makes a third more of it; browsers give up not far above. */
#define LARGEST_PAGE (UINT64_C(384) << 20)

/* A file that a word of the call means. */
struct shown_file {
    char *word; /* from malloc */
    char *path; /* from malloc, first plain, then as in the page; NULL: it is in the page already */
    size_t root; /* of that, see page_names.h */
};

/* A word of the call, and the files that it means. */
struct item {
    struct shown_file *files;
    size_t count;
    size_t capacity;
    char *folder; /* its path if it is a folder, from malloc; NULL: it is files */
    bool out_of_memory;
};

/* What goes into the page. */
struct shown {
    struct cli *cli;
    struct item *items;
    size_t count;
    struct roots roots;
    size_t written;
    size_t passed_over;
    uint64_t size; /* of all files */
};

static bool fail_memory(void)
{
    complain("no memory for the names of the files");
    return false;
}

/* ---- names --------------------------------------------------------------------------------- */

/* The path of a file as if archives were folders; an entry gets the extension that says what it is,
 * for in the page there is no archive around it. */
static char *path_of(const ossa_visit *visit)
{
    if (strcmp(visit->path, "-") == 0) return strdup("standard input");
    size_t size = strlen(visit->tree) + strlen(visit->hint) + 1;
    char *path = malloc(size);
    if (path == NULL) return NULL;
    const char *extension = visit->entry == NULL ? "" : visit->hint + strlen(visit->name);
    (void)snprintf(path, size, "%s%s", visit->tree, extension);
    char *plain = plain_path(path);
    free(path);
    return plain;
}

static ossa_step add_visit(void *user, const ossa_visit *visit)
{
    struct item *item = user;
    if (visit->is_part) return OSSA_STEP_INTO;
    if (item->count == item->capacity) {
        size_t capacity = item->capacity == 0 ? 16 : 2 * item->capacity;
        struct shown_file *larger = realloc(item->files, capacity * sizeof *larger);
        if (larger == NULL) {
            item->out_of_memory = true;
            return OSSA_STEP_STOP;
        }
        item->files = larger;
        item->capacity = capacity;
    }
    struct shown_file *file = &item->files[item->count++];
    *file = (struct shown_file){.word = strdup(visit->path), .path = path_of(visit)};
    item->out_of_memory = item->out_of_memory || file->word == NULL || file->path == NULL;
    return OSSA_STEP_OVER;
}

/* Find the files of a word and name them. */
static bool fill_item(struct shown *shown, char *word, struct item *item)
{
    const ossa_walk_options walk = {.detail = OSSA_DETAIL_NAMES, .visit = add_visit, .user = item};
    /* What leads nowhere is a file as well: reading it reports why. */
    if (!ossa_workspace_walk(shown->cli->workspace, word, &walk, NULL) && item->count == 0) {
        const ossa_visit lost = {
            .path = word, .tree = word, .name = word, .hint = word, .is_named = true};
        (void)add_visit(item, &lost);
    }
    if (item->out_of_memory) return fail_memory();
    size_t root = 0;
    if (os_is_folder(word)) {
        item->folder = plain_path(word);
        bool ok = item->folder != NULL && roots_add(&shown->roots, item->folder, true, &root);
        if (!ok) return fail_memory();
    }
    for (size_t i = 0; i < item->count; i++) {
        struct shown_file *file = &item->files[i];
        file->root = root;
        if (item->folder != NULL || strcmp(file->word, "-") == 0) continue;
        /* A file that was named without a folder does not mean the one it lies in. */
        bool is_bare = strpbrk(file->word, "/#") == NULL;
        if (!roots_add(&shown->roots, file->path, is_bare, &file->root)) return fail_memory();
    }
    return true;
}

static bool rename_path(const struct roots *roots, char **path, size_t root)
{
    char *name = page_name(roots, *path, root);
    free(*path);
    *path = name;
    return name != NULL;
}

/* From where files lie to what they are called in the page. */
static bool name_item(const struct shown *shown, struct item *item)
{
    const struct roots *roots = &shown->roots;
    bool ok = true;
    for (size_t i = 0; i < item->count && ok; i++) {
        if (strcmp(item->files[i].word, "-") == 0) continue;
        ok = rename_path(roots, &item->files[i].path, item->files[i].root);
    }
    if (ok && item->folder != NULL) {
        const char *slash = strrchr(item->folder, '/');
        size_t root = slash == NULL ? 0 : (size_t)(slash - item->folder);
        ok = rename_path(roots, &item->folder, root);
    }
    return ok || fail_memory();
}

static bool fill_items(struct shown *shown)
{
    struct cli *cli = shown->cli;
    shown->items = calloc(cli->input_count, sizeof *shown->items);
    if (shown->items == NULL) return fail_memory();
    bool ok = true;
    for (size_t i = 0; i < cli->input_count && ok; i++) {
        ok = fill_item(shown, cli->inputs[i], &shown->items[shown->count++]);
    }
    if (ok) ok = roots_settle(&shown->roots) || fail_memory();
    for (size_t i = 0; i < shown->count && ok; i++) ok = name_item(shown, &shown->items[i]);
    return ok;
}

/* A file, of those of all words. */
struct mention {
    char **path; /* where its item has it */
    size_t order;
};

static int compare_mentions(const void *a, const void *b)
{
    const struct mention *x = a;
    const struct mention *y = b;
    int difference = strcmp(*x->path, *y->path);
    return difference != 0 ? difference : (x->order > y->order) - (x->order < y->order);
}

static size_t count_files(const struct shown *shown)
{
    size_t total = 0;
    for (size_t i = 0; i < shown->count; i++) total += shown->items[i].count;
    return total;
}

/* A file that several words mean goes into the page once. Done when the words are written. */
static bool drop_repeated(struct shown *shown)
{
    struct mention *mentions = calloc(count_files(shown) + 1, sizeof *mentions);
    size_t count = 0;
    if (mentions == NULL) return fail_memory();
    for (size_t i = 0; i < shown->count; i++) {
        const struct item *item = &shown->items[i];
        for (size_t k = 0; k < item->count; k++) {
            mentions[count] = (struct mention){&item->files[k].path, count};
            count++;
        }
    }
    if (count > 1) qsort(mentions, count, sizeof *mentions, compare_mentions);
    size_t first = 0; /* of those with the same path */
    for (size_t i = 1; i < count; i++) {
        if (strcmp(*mentions[first].path, *mentions[i].path) != 0) {
            first = i;
            continue;
        }
        free(*mentions[i].path);
        *mentions[i].path = NULL;
    }
    free(mentions);
    return true;
}

static void free_shown(struct shown *shown)
{
    for (size_t i = 0; i < shown->count; i++) {
        struct item *item = &shown->items[i];
        for (size_t k = 0; k < item->count; k++) {
            free(item->files[k].word);
            free(item->files[k].path);
        }
        free(item->files);
        free(item->folder);
    }
    free(shown->items);
    roots_free(&shown->roots);
}

/* ---- the page ------------------------------------------------------------------------------ */

/* The files of a word, as they are put into the page. */
struct adding {
    struct shown *shown;
    struct page *page;
    struct progress *progress;
    const struct item *item;
    size_t next; /* of the item's files: the walk is the same as the one that found them */
    bool ok;
};

static void add_bytes(struct adding *adding, const ossa_visit *visit, const char *path)
{
    struct shown *shown = adding->shown;
    if (visit->error != NULL) {
        progress_hide(adding->progress);
        complain_error(visit->path, visit->error);
        adding->ok = false;
    } else if (visit->is_stray) {
        shown->passed_over++;
    } else if (visit->size > LARGEST_PAGE - shown->size) {
        progress_hide(adding->progress);
        complain("the files are more than the %" PRIu64
                 " MiB that fit into a page; choose some, of an archive ARCHIVE#NAME",
                 LARGEST_PAGE >> 20);
        adding->ok = false;
    } else {
        page_file(adding->page, path, visit->data, (size_t)visit->size);
        shown->size += visit->size;
        shown->written++;
    }
}

/* The file as it was listed; NULL: it was not there then, like the page that is being written. */
static const struct shown_file *find_file(struct adding *adding, const char *word)
{
    for (size_t i = adding->next; i < adding->item->count; i++) {
        if (strcmp(adding->item->files[i].word, word) != 0) continue;
        adding->next = i + 1;
        return &adding->item->files[i];
    }
    return NULL;
}

static ossa_step add_visited(void *user, const ossa_visit *visit)
{
    struct adding *adding = user;
    if (visit->is_part) return OSSA_STEP_INTO;
    progress_step(adding->progress);
    const struct shown_file *file = find_file(adding, visit->path);
    if (file != NULL && file->path != NULL) add_bytes(adding, visit, file->path);
    return adding->ok && adding->page->ok ? OSSA_STEP_OVER : OSSA_STEP_STOP;
}

/* False after a message. */
static bool add_item(struct shown *shown, struct page *page, struct progress *progress,
                     size_t index)
{
    struct adding adding = {.shown = shown,
                            .page = page,
                            .progress = progress,
                            .item = &shown->items[index],
                            .ok = true};
    const char *word = shown->cli->inputs[index];
    ossa_error error;
    const ossa_walk_options walk = {
        .detail = OSSA_DETAIL_BYTES, .visit = add_visited, .user = &adding};
    if (ossa_workspace_walk(shown->cli->workspace, word, &walk, &error)) return adding.ok;
    complain_error(word, &error);
    return false;
}

static bool add_files(struct shown *shown, struct page *page)
{
    struct progress progress;
    bool ok = drop_repeated(shown);
    progress_start(&progress, count_files(shown));
    for (size_t i = 0; i < shown->count && ok && page->ok; i++) {
        ok = add_item(shown, page, &progress, i);
    }
    progress_hide(&progress);
    if (ok && shown->passed_over > 0) {
        complain("%zu file%s of no known format passed over", shown->passed_over,
                 plural(shown->passed_over));
    }
    if (ok && page->ok && shown->written == 0) {
        complain("there is nothing to view");
        ok = false;
    }
    return ok;
}

/* What a word is called: figures.res#unmotr is unmotr. */
static const char *name_of(const char *word)
{
    if (strcmp(word, "-") == 0) return "standard input";
    const char *mark = strrchr(word, '#');
    return mark == NULL ? os_base_name(word) : mark + 1;
}

static void add_items(const struct shown *shown, struct page *page)
{
    for (size_t i = 0; i < shown->count; i++) {
        const struct item *item = &shown->items[i];
        page_item(page, item->folder != NULL ? os_base_name(item->folder)
                                             : name_of(shown->cli->inputs[i]));
        if (item->folder != NULL) page_word(page, item->folder);
        for (size_t k = 0; k < item->count && item->folder == NULL; k++) {
            page_word(page, item->files[k].path);
        }
    }
}

static bool write_page(struct shown *shown, struct page *page, const char *path)
{
    struct os_output output;
    struct os_why why;
    if (!os_open_output(&output, path, &why)) {
        complain("%s: %s", path, why.text);
        return false;
    }
    page_begin(page, (ossa_sink){os_write_output, &output}, &shown->cli->scene);
    add_items(shown, page);
    bool ok = add_files(shown, page);
    (void)page_end(page);
    if (!ok) {
        os_discard_output(&output);
    } else if (!os_commit_output(&output, &why)) {
        complain("%s: %s", path, why.text);
        ok = false;
    }
    return ok;
}

/* Would the page replace one of its files, or an archive that one lies in? */
static bool replaces_input(const struct shown *shown, const char *path)
{
    struct os_file_id output;
    bool replaces = false;
    if (!os_identify(path, &output)) return false;
    for (size_t i = 0; i < shown->count; i++) {
        const struct item *item = &shown->items[i];
        for (size_t k = 0; k < item->count && !replaces; k++) {
            struct os_file_id id;
            replaces = identify_file(item->files[k].word, &id) && id.device == output.device &&
                       id.number == output.number;
        }
    }
    if (replaces) complain("%s would replace its own input", path);
    return replaces;
}

/* ---- the verb ------------------------------------------------------------------------------ */

/* Or the empty page, which all others are made of? */
static bool replaces_page(const struct page *page, const char *path)
{
    struct os_file_id id;
    bool replaces =
        os_identify(path, &id) && id.device == page->id.device && id.number == page->id.number;
    if (replaces) complain("%s is the viewer's own page; write to another file", path);
    return replaces;
}

static int write_only(struct shown *shown, struct page *page)
{
    const char *path = shown->cli->output;
    if (replaces_input(shown, path) || replaces_page(page, path)) return EXIT_BAD_CALL;
    if (!write_page(shown, page, path)) return EXIT_BAD_DATA;
    if (!shown->cli->quiet && strcmp(path, "-") != 0) {
        print_plain(stdout, path);
        (void)printf(": %zu file%s in it; open it in a browser\n", shown->written,
                     plural(shown->written));
    }
    return EXIT_FINE;
}

static int write_and_open(struct shown *shown, struct page *page)
{
    struct os_why why;
    char *folder = os_make_temporary_folder(&why);
    char *path = folder == NULL ? NULL : path_in(folder, "ossa.html");
    int status = EXIT_BAD_DATA;
    if (path == NULL) {
        complain("a folder for the page %s; -o FILE.html says where else",
                 folder == NULL ? why.text : "has no name: no memory");
    } else if (write_page(shown, page, path)) {
        bool opened = os_open_in_browser(path, &why);
        if (!opened) complain("no browser was started: %s; open the page yourself", why.text);
        (void)printf("%s\n", path);
        status = EXIT_FINE;
    } else {
        os_remove_folder(folder);
    }
    free(path);
    free(folder);
    return status;
}

int cmd_view(struct cli *cli)
{
    struct shown shown = {.cli = cli};
    struct page page;
    if (!page_find(&page)) return EXIT_BAD_DATA;
    int status = EXIT_BAD_DATA;
    if (fill_items(&shown)) {
        status = cli->output != NULL ? write_only(&shown, &page) : write_and_open(&shown, &page);
    }
    free_shown(&shown);
    page_free(&page);
    return status;
}
