/* SPDX-License-Identifier: MIT
 *
 * ossa view: the viewer page with files in it. */
#include "page.h"
#include "page_names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Base64 adds a third; browsers fail not far above that. */
#define LARGEST_PAGE (UINT64_C(384) << 20)

/* A file of an input. */
struct shown_file {
    char *word;  /* from malloc */
    char *path;  /* from malloc, first plain, then as in the page; NULL: a duplicate */
    size_t root; /* see page_names.h */
};

/* An input and its files. */
struct item {
    struct shown_file *files;
    size_t count;
    size_t capacity;
    char *folder; /* its path if it is a folder, from malloc; or NULL */
    bool out_of_memory;
};

/* What goes into the page. */
struct shown {
    struct cli *cli;
    struct item *items;
    size_t count;
    struct roots roots;
    size_t written;
    size_t skipped;
    uint64_t size; /* of all files */
};

static bool fail_memory(void)
{
    complain("out of memory for the names of the files");
    return false;
}

/* ---- names --------------------------------------------------------------------------------- */

/* The path of a file as if archives were folders. An entry gets an extension that shows its type,
 * because there is no archive around it in the page. */
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

/* Find the files of an input. */
static bool fill_item(struct shown *shown, char *word, struct item *item)
{
    const ossa_walk_options walk = {.detail = OSSA_DETAIL_NAMES, .visit = add_visit, .user = item};
    /* Keep an input that leads nowhere: reading it reports why. */
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
        /* A file given without a folder is not named after its folder. */
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

/* Replace paths on disk by names in the page. */
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

/* A file of any item. */
struct mention {
    char **path; /* in its item */
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

/* Embed a file that several inputs lead to only once. Call this after writing the items. */
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

/* The files of an item while they are embedded. */
struct adding {
    struct shown *shown;
    struct page *page;
    struct progress *progress;
    const struct item *item;
    size_t next; /* index in the item's files: both walks have the same order */
    bool ok;
};

static void add_bytes(struct adding *adding, const ossa_visit *visit, const char *path)
{
    struct shown *shown = adding->shown;
    if (visit->error != NULL &&
        visit->data == NULL) { /* the page shows what is wrong with others */
        progress_hide(adding->progress);
        complain_error(visit->path, visit->error);
        adding->ok = false;
    } else if (visit->is_stray) {
        shown->skipped++;
    } else if (visit->size > LARGEST_PAGE - shown->size) {
        progress_hide(adding->progress);
        complain("the files exceed the %" PRIu64
                 " MiB that fit in a page; choose some of them, for an archive with ARCHIVE#NAME",
                 LARGEST_PAGE >> 20);
        adding->ok = false;
    } else {
        page_file(adding->page, path, visit->data, (size_t)visit->size);
        shown->size += visit->size;
        shown->written++;
    }
}

/* The file as it was listed; NULL if it is new, such as the page that is being written. */
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
    if (ok && shown->skipped > 0) {
        complain("skipped %zu file%s of unknown format", shown->skipped, plural(shown->skipped));
    }
    if (ok && page->ok && shown->written == 0) {
        complain("nothing to view");
        ok = false;
    }
    return ok;
}

/* The name of an input: figures.res#unmotr is unmotr. */
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
    if (!open_output(&output, path)) return false;
    page_begin(page, (ossa_sink){os_write_output, &output}, &shown->cli->scene);
    add_items(shown, page);
    bool ok = add_files(shown, page);
    (void)page_end(page);
    return close_output(&output, path, ok);
}

/* Would the page overwrite one of its files, or an archive around one? */
static bool overwrites_input(const struct shown *shown, const char *path)
{
    struct os_file_id output;
    bool overwrites = false;
    if (!os_identify(path, &output)) return false;
    for (size_t i = 0; i < shown->count; i++) {
        const struct item *item = &shown->items[i];
        for (size_t k = 0; k < item->count && !overwrites; k++) {
            struct os_file_id id;
            overwrites = identify_file(item->files[k].word, &id) && os_same_id(&id, &output);
        }
    }
    if (overwrites) complain("%s would overwrite an input", path);
    return overwrites;
}

/* ---- the verb ------------------------------------------------------------------------------ */

/* Or the viewer page that all pages are made from? */
static bool overwrites_viewer(const struct page *page, const char *path)
{
    struct os_file_id id;
    bool overwrites = os_identify(path, &id) && os_same_id(&id, &page->id);
    if (overwrites) complain("%s is the viewer page itself; write to another file", path);
    return overwrites;
}

static int write_only(struct shown *shown, struct page *page)
{
    const char *path = shown->cli->output;
    if (overwrites_input(shown, path) || overwrites_viewer(page, path)) return EXIT_BAD_CALL;
    if (!write_page(shown, page, path)) return EXIT_BAD_DATA;
    if (!shown->cli->quiet && strcmp(path, "-") != 0) {
        print_plain(stdout, path);
        (void)printf(": %zu file%s; open it in a browser\n", shown->written,
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
        complain("the folder for the page %s; use -o FILE.html",
                 folder == NULL ? why.text : "cannot be created: out of memory");
    } else if (write_page(shown, page, path)) {
        bool opened = os_open_in_browser(path, &why);
        if (!opened) complain("cannot start a browser: %s; open the page yourself", why.text);
        (void)printf("%s\n", path);
        status = EXIT_FINE;
    } else {
        os_remove_empty_folder(folder);
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
