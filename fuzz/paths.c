/* SPDX-License-Identifier: MIT
 *
 * Hostile names: of files, of entries in archives, of archives in those, and paths made of them. No
 * name leads out of its folder, every walk ends, and every failure has a reason.
 *
 * Input: a byte of options, then names, one per line. */
#include "checks.h"

#include <string.h>

enum { MOST_NAMES = 8, NAME = 300, MOST_VISITS = 2000 };

struct names {
    char items[MOST_NAMES][NAME];
    size_t count;
};

static void read_names(const uint8_t *data, size_t size, struct names *names)
{
    while (size > 0 && names->count < MOST_NAMES) {
        size_t length = 0;
        while (length < size && data[length] != '\n' && data[length] != '\0') length++;
        size_t kept = length < NAME ? length : NAME - 1;
        memcpy(names->items[names->count], data, kept);
        names->items[names->count++][kept] = '\0';
        size_t step = length < size ? length + 1 : length;
        data += step;
        size -= step;
    }
}

/* A name that was made safe is safe, and stays as it is. */
static void check_name(const char *name)
{
    char once[NAME * 4];
    char twice[NAME * 4];
    char small[7];
    size_t length = ossa_file_name(name, once, sizeof once);
    REQUIRE(length == strlen(once) && length > 0 && length <= 204, "a name of another length");
    REQUIRE(strpbrk(once, "/\\:*?\"<>|") == NULL && once[0] != '.', "a name that leads away");
    (void)ossa_file_name(once, twice, sizeof twice);
    REQUIRE(strcmp(once, twice) == 0, "a safe name that is made safer");
    REQUIRE(ossa_file_name(name, small, sizeof small) == length, "a length that depends on room");
    length = ossa_entry_path(name, once, sizeof once);
    REQUIRE(length >= strlen(once), "a path of another length");
    REQUIRE(once[0] != '\0' && once[0] != '/' && once[0] != '.', "a path that leads away");
    REQUIRE(strstr(once, "..") == NULL && strpbrk(once, "\\:") == NULL, "a path that leads up");
    (void)ossa_packing_format(name);
    for (size_t i = 0; i < ossa_format_count(); i++) {
        (void)ossa_format_fits_name(ossa_format_at(i), name);
    }
}

/* An archive whose entries have these names; the last one is `inner`. */
static ossa_buffer pack(const ossa_format *format, const struct names *names,
                        const ossa_buffer *inner, const char *dialect)
{
    ossa_packing entries[MOST_NAMES];
    size_t sample_count = 0;
    const struct sample *samples = load_samples(&sample_count);
    for (size_t i = 0; i < names->count; i++) {
        const struct sample *sample = &samples[i * 7 % sample_count];
        bool is_small = sample->size < 4096;
        entries[i] = (ossa_packing){names->items[i], sample->data, is_small ? sample->size : 0, 0};
    }
    if (inner->size > 0) {
        entries[names->count - 1].data = inner->data;
        entries[names->count - 1].size = inner->size;
    }
    const ossa_options options = {.dialect = dialect};
    ossa_buffer out = {0};
    ossa_error error;
    bool ok =
        ossa_pack(format->id, entries, names->count, &options, ossa_buffer_sink(&out), &error);
    REQUIRE(ok || error.message[0] != '\0', "packing fails without a reason");
    if (!ok) ossa_buffer_free(&out);
    return out;
}

struct walk {
    ossa_workspace *workspace;
    size_t visits;
};

static ossa_step visit(void *user, const ossa_visit *visit)
{
    struct walk *walk = user;
    ossa_bytes bytes;
    ossa_error error;
    REQUIRE(visit->path != NULL && visit->tree != NULL && visit->name != NULL, "a nameless file");
    REQUIRE(visit->error == NULL || visit->error->message[0] != '\0', "an error without words");
    if (walk->visits % 8 == 0) { /* it may mean another file of the same name */
        bool ok = ossa_workspace_bytes(walk->workspace, visit->path, &bytes, &error);
        REQUIRE(ok || (error.code != OSSA_CODE_OK && error.message[0] != '\0'),
                "bytes fail without a reason");
        REQUIRE(ok || bytes.data == NULL, "bytes of a failure");
        ossa_bytes_free(&bytes);
    }
    return ++walk->visits < MOST_VISITS ? OSSA_STEP_INTO : OSSA_STEP_STOP;
}

static void check_path(ossa_workspace *workspace, const char *path, uint8_t flags)
{
    struct walk walk = {.workspace = workspace};
    const ossa_walk_options options = {.detail = (ossa_detail)(flags & 3),
                                       .deep = (flags & 4) != 0,
                                       .search = (flags & 8) != 0,
                                       .visit = visit,
                                       .user = &walk};
    ossa_error error;
    bool ok = ossa_workspace_walk(workspace, path, &options, &error);
    REQUIRE(ok || (error.code != OSSA_CODE_OK && error.message[0] != '\0'), "a silent failure");
    ossa_file *file = ossa_workspace_open(workspace, path, NULL, &error);
    REQUIRE(file != NULL || error.message[0] != '\0', "a file fails without a reason");
    ossa_file_free(file);
    ossa_figures *figures = ossa_workspace_figures(workspace, path, &error);
    REQUIRE(figures != NULL || error.message[0] != '\0', "figures fail without a reason");
    ossa_figures_free(figures);
}

static void replace(ossa_workspace *workspace, const char *archive, const char *inner)
{
    const ossa_entry_change change = {inner, (const uint8_t *)"text", 4, 0};
    ossa_buffer out = {0};
    ossa_error error;
    bool ok =
        ossa_workspace_replace(workspace, archive, &change, 1, ossa_buffer_sink(&out), &error);
    REQUIRE(ok || error.message[0] != '\0', "a change fails without a reason");
    ossa_buffer_free(&out);
}

/* Each kind of archive under each name in turn, and paths into all of them. */
static void fill(ossa_workspace *workspace, const struct names *names)
{
    static const char *const dialects[] = {"ares", "dave", "zip"};
    ossa_buffer inner = {0};
    size_t next = 0;
    for (size_t i = 0; i < 3 * ossa_format_count() && names->count > 0; i++) {
        const ossa_format *format = ossa_format_at(i / 3);
        if (!ossa_format_can(format, OSSA_ABILITY_PACK)) continue;
        ossa_buffer archive = pack(format, names, &inner, dialects[i % 3]);
        const char *path = names->items[next++ % names->count];
        REQUIRE(ossa_workspace_add_memory(workspace, path, archive.data, archive.size, NULL),
                "no memory");
        ossa_buffer_free(&inner);
        inner = archive;
    }
    ossa_buffer_free(&inner);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct names names;
    char path[3 * NAME + 3];
    names.count = 0;
    if (size == 0) return 0;
    read_names(data + 1, size - 1, &names);
    ossa_workspace *workspace = new_workspace();
    fill(workspace, &names);
    for (size_t i = 0; i < names.count; i++) {
        const char *next = names.items[(i + 1) % names.count];
        const char *last = names.items[(i + 2) % names.count];
        char separator = (data[0] & 16) != 0 ? '#' : '/';
        check_name(names.items[i]);
        check_path(workspace, names.items[i], data[0]);
        (void)snprintf(path, sizeof path, "%s%c%s#%s", names.items[i], separator, next, last);
        check_path(workspace, path, data[0]);
        replace(workspace, names.items[i], next);
        (void)snprintf(path, sizeof path, "%s#%s", last, next);
        replace(workspace, names.items[i], path);
        (void)ossa_workspace_remove(workspace, last);
    }
    for (size_t i = 0; ossa_workspace_path(workspace, i) != NULL; i++) {
        REQUIRE(i < MOST_NAMES, "more files than were added");
    }
    ossa_workspace_free(workspace);
    return 0;
}
