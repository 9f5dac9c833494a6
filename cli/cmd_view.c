/* SPDX-License-Identifier: MIT
 *
 * ossa view: the viewer's page with the files in it. */
#include "archives.h"
#include "page.h"
#include "page_names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Base64 makes a third more of it; browsers give up not far above. */
#define LARGEST_PAGE (UINT64_C(384) << 20)

/* A word of the call, and the files that it means. */
struct item {
    struct input_list list;
    char *
        *paths; /* of the files, from malloc, first plain, then as in the page; NULL: it is there */
    size_t *roots; /* of these, see page_names.h */
    char *folder;  /* its path if it is a folder, from malloc; NULL: it is files */
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

/* The path of an input as if archives were folders; an entry gets the extension that says what it
 * is, for in the page there is no archive around it. */
static char *path_of(const struct cli *cli, const char *word)
{
    ossa_error error;
    if (strcmp(word, "-") == 0) return strdup("standard input");
    struct place place = find_place(cli, word, &error);
    if (place.kind != PLACE_ENTRY) return plain_path(word);
    char *hint = entry_hint(place.archive, archive_entry(place.archive, place.entry)->name);
    char *path = hint == NULL ? NULL : path_in(place.archive->tree, hint);
    char *plain = path == NULL ? NULL : plain_path(path);
    free(hint);
    free(path);
    return plain;
}

/* Find the files of a word and name them. */
static bool fill_item(struct shown *shown, char *word, struct item *item)
{
    struct cli alone = *shown->cli;
    alone.inputs = &word;
    alone.input_count = 1;
    /* What could not be listed is an input as well: loading it tells why. */
    if (!list_inputs(&alone, true, &item->list)) return false;
    item->paths = calloc(item->list.count + 1, sizeof *item->paths);
    item->roots = calloc(item->list.count + 1, sizeof *item->roots);
    if (item->paths == NULL || item->roots == NULL) return fail_memory();
    size_t root = 0;
    if (os_is_folder(word)) {
        item->folder = plain_path(word);
        bool ok = item->folder != NULL && roots_add(&shown->roots, item->folder, true, &root);
        if (!ok) return fail_memory();
    }
    for (size_t i = 0; i < item->list.count; i++) {
        const char *path = item->list.items[i].path;
        item->paths[i] = path_of(shown->cli, path);
        item->roots[i] = root;
        if (item->paths[i] == NULL) return fail_memory();
        if (item->folder != NULL || strcmp(path, "-") == 0) continue;
        /* A file that was named without a folder does not mean the one it lies in. */
        bool is_bare = strpbrk(path, "/#") == NULL;
        if (!roots_add(&shown->roots, item->paths[i], is_bare, &item->roots[i])) {
            return fail_memory();
        }
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
    for (size_t i = 0; i < item->list.count && ok; i++) {
        if (strcmp(item->list.items[i].path, "-") == 0) continue;
        ok = rename_path(roots, &item->paths[i], item->roots[i]);
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
    for (size_t i = 0; i < shown->count; i++) total += shown->items[i].list.count;
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
        for (size_t k = 0; k < item->list.count; k++) {
            mentions[count] = (struct mention){&item->paths[k], count};
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
        for (size_t k = 0; item->paths != NULL && k < item->list.count; k++) free(item->paths[k]);
        free(item->paths);
        free(item->roots);
        free(item->folder);
        free_inputs(&item->list);
    }
    free(shown->items);
    roots_free(&shown->roots);
}

/* ---- the page ------------------------------------------------------------------------------ */

/* Of no format that we know, and nobody asked for it. */
static bool is_strange(const struct input *input, const uint8_t *bytes, size_t size)
{
    ossa_guess guess;
    const ossa_options options = {.name = input->path};
    const ossa_error unknown = {.code = OSSA_CODE_UNKNOWN_FORMAT};
    if (input->named || ossa_probe(bytes, size, &options, &guess, 1) > 0) return false;
    return is_stray(input, &unknown);
}

/* False after a message. */
static bool add_file(struct shown *shown, struct page *page, const struct input *input,
                     const char *path)
{
    struct loaded loaded;
    const uint8_t *bytes;
    size_t size;
    ossa_error error;
    bool ok = load_bytes(shown->cli, input->path, &loaded, &bytes, &size, &error);
    if (!ok) {
        complain_error(input->path, &error);
    } else if (is_strange(input, bytes, size)) {
        shown->passed_over++;
    } else if (size > LARGEST_PAGE - shown->size) {
        complain("the files are more than the %" PRIu64
                 " MiB that fit into a page; choose some, of an archive ARCHIVE#NAME",
                 LARGEST_PAGE >> 20);
        ok = false;
    } else {
        page_file(page, path, bytes, size);
        shown->size += size;
        shown->written++;
    }
    unload(&loaded);
    return ok;
}

static bool add_files(struct shown *shown, struct page *page)
{
    struct progress progress;
    bool ok = drop_repeated(shown);
    progress_start(&progress, count_files(shown));
    for (size_t i = 0; i < shown->count && ok; i++) {
        const struct item *item = &shown->items[i];
        for (size_t k = 0; k < item->list.count && ok && page->ok; k++) {
            const char *path = item->paths[k];
            if (path != NULL) ok = add_file(shown, page, &item->list.items[k], path);
            progress_step(&progress);
        }
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
        for (size_t k = 0; k < item->list.count && item->folder == NULL; k++) {
            page_word(page, item->paths[k]);
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
    bool replaces = false;
    for (size_t i = 0; i < shown->count; i++) {
        const struct input_list *list = &shown->items[i].list;
        for (size_t k = 0; k < list->count && !replaces; k++) {
            replaces = os_is_same_file(list->items[k].path, path);
        }
    }
    const struct archives *archives = shown->cli->archives;
    for (size_t i = 0; i < archives->count && !replaces; i++) {
        replaces = os_is_same_file(archives->open[i]->shown, path);
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
