/* SPDX-License-Identifier: MIT
 *
 * ossa view: the viewer page with files in it.
 *
 * Pages are shared, so the names in them must not reveal where the files were on the disk. What
 * matters is kept: a clip is named after its folder, so a file keeps the folder that it is in. */
#include "page.h"

#include "base/fold.h"
#include "base/index.h"
#include "names.h"
#include "view_folder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Base64 adds a third; browsers fail not far above that. */
#define LARGEST_PAGE (UINT64_C(384) << 20)

/* A folder that files come from. */
struct root {
    char *path;    /* without dots and links */
    char *label;   /* its name; "": the current folder, which is not shown */
    size_t number; /* above 1: the others have the same name */
    size_t same;   /* how many have the name, at the first of them */
    char *key;     /* label and path */
};

struct viewer {
    struct cli *cli;
    struct page page;
    struct progress progress;
    struct root *roots; /* from malloc */
    size_t count;
    struct ossa__index by_key; /* to find roots */
    struct ossa__index by_label;
    size_t root; /* that of the input, and how much of its path leads there */
    size_t skip;
    struct names seen; /* files that are in the page */
    size_t written;
    size_t skipped;
    uint64_t size; /* of all files */
    bool failed;
};

/* ---- names --------------------------------------------------------------------------------- */

/* The name of a file, folder or entry, from malloc: figures.res#unmotr is unmotr. */
static char *name_of(const char *path)
{
    if (strcmp(path, "-") == 0) return copy_text("standard input");
    const char *mark = strrchr(path, '#');
    if (mark != NULL && !os_exists(path)) return copy_text(mark + 1);
    size_t size = strlen(path);
    while (size > 0 && path[size - 1] == '/') size--;
    size_t start = size;
    while (start > 0 && path[start - 1] != '/') start--;
    if (size > start && path[size - 1] != '.') {
        return format_text("%.*s", (int)(size - start), path + start);
    }
    char *full = os_full_path(path); /* of . or .. */
    const char *last = full == NULL ? "" : os_base_name(full);
    char *name = copy_text(last[0] == '\0' ? "top" : last);
    free(full);
    return name;
}

/* The first inputs: "troll, textures.res". */
static char *make_title(const struct cli *cli)
{
    char *title = copy_text("");
    for (size_t i = 0; i < cli->input_count && i < 3; i++) {
        char *name = name_of(cli->inputs[i]);
        char *longer = format_text("%s%s%s", title, i == 0 ? "" : ", ", name);
        free(title);
        free(name);
        title = longer;
    }
    return title;
}

static void free_root(struct root *root)
{
    free(root->path);
    free(root->label);
    free(root->key);
}

/* Find or add the root of a folder. */
static size_t take_root(struct viewer *viewer, const char *folder, bool is_here)
{
    char *full = os_full_path(folder);
    struct root root = {.path = full == NULL ? copy_text(folder) : full};
    root.label = is_here ? copy_text("") : name_of(folder);
    root.key = format_text("%s\n%s", root.label, root.path);
    uint32_t number = (uint32_t)viewer->count;
    uint32_t known = ossa__index_add(&viewer->by_key, root.key, (uint32_t)strlen(root.key), number);
    if (known != number) {
        free_root(&root);
        return known;
    }
    uint32_t first =
        ossa__index_add(&viewer->by_label, root.label, (uint32_t)strlen(root.label), number);
    viewer->roots = make_room(viewer->roots, viewer->count, sizeof *viewer->roots);
    viewer->roots[number] = root;
    viewer->roots[number].number = ++viewer->roots[first].same;
    return viewer->count++;
}

/* The folder of an input: itself, or that of the file on disk that it leads to or into. */
static void find_root(struct viewer *viewer, const char *word)
{
    char *folder = copy_text(word);
    viewer->skip = strlen(word);
    if (!os_is_folder(folder)) {
        for (char *mark; !os_exists(folder) && (mark = strrchr(folder, '#')) != NULL;) *mark = '\0';
        viewer->skip = (size_t)(os_base_name(folder) - folder);
        folder[viewer->skip] = '\0';
    }
    bool is_here = folder[0] == '\0';
    viewer->root = take_root(viewer, is_here ? "." : folder, is_here);
    free(folder);
}

/* The name of a file in the page, from malloc; NULL if it is there already. */
static char *page_name(struct viewer *viewer, const ossa_visit *visit)
{
    const struct root *root = &viewer->roots[viewer->root];
    /* An entry gets an extension that shows its type: in the page there is no archive around it. */
    const char *extension = visit->entry == NULL ? "" : visit->hint + strlen(visit->name);
    const char *rest = visit->tree + viewer->skip;
    while (*rest == '/') rest++;
    char *full = format_text("%s/%s%s", root->path, rest, extension);
    bool is_new = names_add(&viewer->seen, ossa__hash_bytes(full, strlen(full)));
    free(full);
    if (!is_new) return NULL;
    if (strcmp(visit->path, "-") == 0) return name_of("-");
    if (root->label[0] == '\0') return format_text("%s%s", rest, extension);
    if (root->number == 1) return format_text("%s/%s%s", root->label, rest, extension);
    return format_text("%zu/%s/%s%s", root->number, root->label, rest, extension);
}

/* ---- the page ------------------------------------------------------------------------------ */

static bool fail(struct viewer *viewer)
{
    viewer->failed = true;
    progress_hide(&viewer->progress);
    return false;
}

static bool add_file(struct viewer *viewer, const ossa_visit *visit)
{
    /* The page shows what is wrong with others. */
    if (visit->error != NULL && visit->data == NULL) {
        (void)fail(viewer);
        complain_error(visit->path, visit->error);
        return false;
    }
    if (visit->is_stray) {
        viewer->skipped++;
        return true;
    }
    if (visit->size > LARGEST_PAGE - viewer->size) {
        (void)fail(viewer);
        complain("the files exceed the %" PRIu64
                 " MiB that fit in a page; choose some of them, for an archive with ARCHIVE#NAME",
                 LARGEST_PAGE >> 20);
        return false;
    }
    note_file(viewer->cli, visit->path);
    char *name = page_name(viewer, visit);
    if (name == NULL) return true;
    page_file(&viewer->page, name, visit->data, (size_t)visit->size);
    free(name);
    viewer->size += visit->size;
    viewer->written++;
    return viewer->page.ok;
}

static ossa_step add_visit(void *user, const ossa_visit *visit)
{
    struct viewer *viewer = user;
    if (visit->is_part) return OSSA_STEP_INTO;
    progress_step(&viewer->progress);
    return add_file(viewer, visit) ? OSSA_STEP_OVER : OSSA_STEP_STOP;
}

static void add_input(struct viewer *viewer, const char *word)
{
    ossa_error error;
    const ossa_walk_options walk = {
        .detail = OSSA_DETAIL_BYTES, .visit = add_visit, .user = viewer};
    find_root(viewer, word);
    if (ossa_workspace_walk(viewer->cli->workspace, word, &walk, &error)) return;
    (void)fail(viewer);
    complain_error(word, &error);
}

/* False after a message, or if the page cannot be written, which closing it reports. */
static bool add_files(struct viewer *viewer)
{
    const struct cli *cli = viewer->cli;
    progress_start(&viewer->progress, 0);
    for (size_t i = 0; i < cli->input_count && !viewer->failed && viewer->page.ok; i++) {
        add_input(viewer, cli->inputs[i]);
    }
    progress_hide(&viewer->progress);
    if (viewer->failed) return false;
    if (viewer->skipped > 0) {
        complain("skipped %zu file%s of unknown format", viewer->skipped, plural(viewer->skipped));
    }
    if (viewer->page.ok && viewer->written == 0) complain("nothing to view");
    return viewer->written > 0;
}

/* Returns the exit status. */
static int write_page(struct viewer *viewer, const char *path)
{
    static const struct output_kind html = {"a page of the viewer", .start = "<!",
                                            .far = PAGE_DATA};
    struct page *page = &viewer->page;
    struct os_output output;
    if (os_is_same_file(path, page->path)) {
        complain("%s is the viewer page itself; write to another file", path);
        return EXIT_BAD_CALL;
    }
    if (!may_replace(viewer->cli, path, &html)) return EXIT_BAD_CALL;
    if (!open_output(&output, path)) return EXIT_BAD_DATA;
    char *title = make_title(viewer->cli);
    page_begin(page, output_sink(&output), title, &viewer->cli->scene);
    free(title);
    bool ok = add_files(viewer);
    page_end(page);
    bool overwrites = ok && overwrites_input(viewer->cli, path);
    ok = close_output(&output, path, ok && !overwrites);
    return overwrites ? EXIT_BAD_CALL : ok ? EXIT_FINE : EXIT_BAD_DATA;
}

/* ---- the verb ------------------------------------------------------------------------------ */

static int write_only(struct viewer *viewer)
{
    const struct cli *cli = viewer->cli;
    int status = write_page(viewer, cli->output);
    if (status == EXIT_FINE && !cli->quiet && strcmp(cli->output, "-") != 0) {
        print_line("%s: %zu file%s; open it in a browser", cli->output, viewer->written,
                   plural(viewer->written));
    }
    return status;
}

static int write_and_open(struct viewer *viewer)
{
    struct os_why why;
    char *path = view_new_page(&why);
    if (path == NULL) {
        complain("the folder for the page %s; use -o FILE.html", why.text);
        return EXIT_BAD_DATA;
    }
    int status = write_page(viewer, path);
    if (status == EXIT_FINE) {
        bool opened = os_open_in_browser(path, &why);
        if (!opened) complain("cannot start a browser: %s; open the page yourself", why.text);
        (void)printf("%s\n", path);
    } else {
        view_forget_page(path);
    }
    free(path);
    return status;
}

static int run(struct cli *cli)
{
    struct viewer viewer = {.cli = cli};
    if (!page_find(&viewer.page)) return EXIT_BAD_DATA;
    size_t size = (size_t)ossa__index_size(cli->input_count);
    void *memory[2] = {allocate(size, 1), allocate(size, 1)};
    ossa__index_start(&viewer.by_key, memory[0], cli->input_count, NULL);
    ossa__index_start(&viewer.by_label, memory[1], cli->input_count, NULL);
    int status = cli->output != NULL ? write_only(&viewer) : write_and_open(&viewer);
    for (size_t i = 0; i < viewer.count; i++) free_root(&viewer.roots[i]);
    free(viewer.roots);
    for (unsigned i = 0; i < 2; i++) free(memory[i]);
    names_free(&viewer.seen);
    page_free(&viewer.page);
    return status;
}

const struct verb verb_view = {
    .name = "view",
    .summary = "show files in the browser",
    .inputs = "[OPTIONS] FILE|FOLDER... [-o PAGE.html]",
    .details =
        "Writes one HTML page that contains the files and opens it in the browser. The page plays\n"
        "the figures and shows their curves and every byte of the files. It needs no network and\n"
        "sends nothing. With -o the page is only written, to keep or to share. Files that do not\n"
        "belong together are shown as several figures. Set BROWSER to use another browser.",
    .example = "ossa view troll/\n  ossa view figures.res#unmotr textures.res -o troll.html",
    .needs_input = true,
    .run = run,
};
