/* SPDX-License-Identifier: MIT
 *
 * From the inputs on the command line to files. */
#include "cli.h"

#include "base/fold.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_PATH = 3 * 32767 }; /* of a file on any system: Windows allows so many characters */

/* A folder that cannot be listed stays, too: opening it reports why. */
static ossa_step add_visit(void *user, const ossa_visit *visit)
{
    if (!visit->is_part) texts_add(user, copy_text(visit->path));
    return OSSA_STEP_INTO;
}

struct texts list_files(const struct cli *cli, bool enter_folders)
{
    struct texts list = {0};
    const ossa_walk_options walk = {.detail = OSSA_DETAIL_NAMES, .visit = add_visit, .user = &list};
    for (size_t i = 0; i < cli->input_count; i++) {
        const char *word = cli->inputs[i];
        size_t before = list.count;
        bool leads_on = os_is_folder(word) ? enter_folders : strchr(word, '#') != NULL;
        bool ok = leads_on && ossa_workspace_walk(cli->workspace, word, &walk, NULL);
        bool found_none = list.count == before; /* cppcheck-suppress knownConditionTrueFalse */
        /* An input that leads nowhere stays: opening it reports why. */
        if (!ok && found_none) texts_add(&list, copy_text(word));
    }
    return list;
}

/* ---- files that no output may overwrite ---------------------------------------------------- */

bool find_file(char *path, struct os_file_id *id)
{
    size_t size = strlen(path);
    bool found = os_identify(path, id);
    if (size > LONGEST_PATH) size = LONGEST_PATH;
    while (!found && size > 0) {
        if (path[--size] != '#') continue;
        path[size] = '\0';
        found = os_identify(path, id);
    }
    return found;
}

bool identify(const char *path, struct os_file_id *id)
{
    char *copy = copy_text(path);
    bool found = find_file(copy, id);
    free(copy);
    return found;
}

void note_file(struct cli *cli, const char *path)
{
    struct os_file_id id;
    if (strcmp(path, "-") == 0 || !identify(path, &id)) return;
    /* Files of one archive follow each other. */
    size_t count = cli->noted_count;
    if (count > 0 && os_same_id(&cli->noted[count - 1], &id)) return;
    cli->noted = make_room(cli->noted, count, sizeof *cli->noted);
    cli->noted[cli->noted_count++] = id;
}

static ossa_step note_visit(void *user, const ossa_visit *visit)
{
    note_file(user, visit->path);
    return OSSA_STEP_OVER;
}

bool note_input(struct cli *cli, const char *word)
{
    ossa_error error;
    const ossa_walk_options walk = {.detail = OSSA_DETAIL_NAMES, .visit = note_visit, .user = cli};
    if (ossa_workspace_walk(cli->workspace, word, &walk, &error)) return true;
    complain_error(word, &error);
    return false;
}

bool is_noted(const struct cli *cli, const char *path)
{
    struct os_file_id id;
    bool is_file = os_identify(path, &id);
    for (size_t i = 0; i < cli->noted_count && is_file; i++) {
        if (os_same_id(&cli->noted[i], &id)) return true;
    }
    return false;
}

char *read_whole(const char *path, uint64_t limit, size_t *size)
{
    const ossa_filesystem disk = ossa_disk_filesystem();
    ossa_error error = {0};
    uint64_t bytes = 0;
    void *file = disk.open(disk.user, path, &bytes, &error);
    char *data = file == NULL || bytes > limit ? NULL : allocate((size_t)bytes + 1, 1);
    bool ok = data != NULL && disk.read_at(disk.user, file, 0, data, (size_t)bytes);
    if (file != NULL) disk.close(disk.user, file);
    if (ok) {
        *size = (size_t)bytes;
        return data;
    }
    if (file == NULL) complain("%s: %s", path, error.message);
    else complain("%s: %s", path, data == NULL ? "is too large" : "cannot be read");
    free(data);
    return NULL;
}

/* ---- the workspace ------------------------------------------------------------------------- */

/* The disk, and standard input as the file "-", which is read once, on demand. */

static bool read_stdin(struct cli *cli, ossa_error *error)
{
    struct standard_input *input = &cli->standard_input;
    struct os_why why;
    const uint64_t usual = UINT64_C(256) << 20; /* as in ossa/file.h */
    if (!input->is_read) {
        input->is_read = true;
        if (!os_read_stdin(cli->read.max_input == 0 ? usual : cli->read.max_input, &input->bytes,
                           &why)) {
            input->error.code = why.is_limit ? OSSA_CODE_TOO_LARGE : OSSA_CODE_IO;
            (void)snprintf(input->error.message, sizeof input->error.message, "%s", why.text);
        }
    }
    *error = input->error;
    return error->code == OSSA_CODE_OK;
}

struct listing {
    ossa_list_entry *found;
    void *context;
    bool is_output; /* the folder is that of convert --all */
};

/* What is not complete is not an input, whether it is being written or is left of a run that was
 * killed. The threads of convert --all, and other shards, write to a folder that may be below an
 * input: what they write is not an input either. */
static void pass_entry(void *context, const char *name, bool is_folder)
{
    const struct listing *listing = context;
    bool is_output =
        os_is_unfinished(name) ||
        (listing->is_output && (ossa__matches("*.glb", name) || ossa__matches("*.json", name)));
    if (is_folder || !is_output) listing->found(listing->context, name, is_folder);
}

static bool list_folder(void *user, const char *folder, ossa_list_entry *found, void *context,
                        ossa_error *error)
{
    const struct cli *cli = user;
    struct listing listing = {found, context, false};
    listing.is_output = cli->all && cli->output != NULL && os_is_same_folder(folder, cli->output);
    return cli->disk.list(cli->disk.user, folder, pass_entry, &listing, error);
}

static void *open_file(void *user, const char *path, uint64_t *size, ossa_error *error)
{
    struct cli *cli = user;
    if (strcmp(path, "-") != 0) return cli->disk.open(cli->disk.user, path, size, error);
    os_lock(); /* threads may open it at the same time */
    bool ok = read_stdin(cli, error);
    os_unlock();
    *size = cli->standard_input.bytes.size;
    return ok ? &cli->standard_input : NULL;
}

static bool read_file(void *user, void *file, uint64_t offset, void *bytes, size_t size)
{
    struct cli *cli = user;
    if (file != &cli->standard_input) {
        return cli->disk.read_at(cli->disk.user, file, offset, bytes, size);
    }
    if (size > 0) memcpy(bytes, cli->standard_input.bytes.data + offset, size);
    return true;
}

static void close_file(void *user, void *file)
{
    const struct cli *cli = user;
    if (file != &cli->standard_input) cli->disk.close(cli->disk.user, file);
}

static bool on_progress(void *user, const ossa_progress *progress)
{
    enum { MEBIBYTE = 1 << 20, LAST = 2 };
    struct cli *cli = user;
    size_t done = (size_t)(progress->done / MEBIBYTE);
    size_t total = (size_t)(progress->total / MEBIBYTE);
    if (total < 4) return true; /* only large files take long */
    os_lock();                  /* threads may read some at the same time */
    if (cli->search.total != total) {
        progress_start(&cli->search, total);
        cli->search.unit = "MiB";
    }
    if (done + LAST < total) progress_set(&cli->search, done);
    else progress_hide(&cli->search);
    os_unlock();
    return true;
}

bool open_workspace(struct cli *cli)
{
    cli->disk = ossa_disk_filesystem();
    const ossa_filesystem files = {.list = list_folder,
                                   .open = open_file,
                                   .read_at = read_file,
                                   .close = close_file,
                                   .user = cli,
                                   .is_disk = cli->disk.is_disk};
    if (!load_index(cli)) return false;
    const ossa_workspace_options options = {.filesystem = &files,
                                            .max_input = cli->read.max_input,
                                            .on_progress = on_progress,
                                            .user = cli,
                                            .index = cli->index_bytes,
                                            .index_size = cli->index_size};
    cli->workspace = ossa_workspace_new(&options, NULL);
    if (cli->workspace == NULL) complain("out of memory");
    return cli->workspace != NULL;
}

void close_workspace(struct cli *cli)
{
    ossa_workspace_free(cli->workspace);
    ossa_buffer_free(&cli->standard_input.bytes);
    free(cli->index_bytes);
    free(cli->noted);
}
