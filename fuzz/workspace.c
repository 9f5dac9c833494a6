/* SPDX-License-Identifier: MIT
 *
 * A workspace with hostile files in it: every walk ends, what it visits can be opened by its path,
 * figures, surveys and scenes come of it or a reason why not, and two of its files can be compared.
 *
 * Input: a byte of options, then for each file a byte that picks its path, a u16 of its size, and
 * its bytes; the last one takes what is left. */
#include "target.h"

#include "ossa/ossa.h"

#include <string.h>

enum { MOST_FILES = 4, MOST_PATHS = 24, MOST_VISITS = 20000 };

static const char *const names[] = {"d/f.res",      "d/t.res",    "d/a#b",   "d/x/p.ar",
                                    "d/x/NICO.DAT", "r.pak",      "d/y.mod", "./d//z",
                                    "d/x/p.skel",   "d/x/w.anim", "d/m.anm", "d/x/s.anb"};
enum { NAMES = sizeof names / sizeof names[0] };

struct paths {
    char *items[MOST_PATHS];
    size_t count;
    size_t visits;
};

static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    REQUIRE(copy != NULL, "no memory");
    memcpy(copy, text, size);
    return copy;
}

static ossa_step visit(void *user, const ossa_visit *visit)
{
    struct paths *paths = user;
    uint8_t sum = 0;
    REQUIRE(visit->path != NULL && visit->tree != NULL && visit->name != NULL, "a nameless file");
    REQUIRE(visit->hint != NULL, "no name for the probes");
    REQUIRE(visit->error == NULL || visit->error->message[0] != '\0', "an error without words");
    REQUIRE(visit->error == NULL || visit->error->code != OSSA_CODE_OK, "an error without code");
    REQUIRE(!visit->is_archive || visit->title != NULL, "an archive without a title");
    for (size_t i = 0; visit->data != NULL && i < visit->size; i++) sum ^= visit->data[i];
    if (visit->file != NULL) REQUIRE(visit->file->format != NULL, "a file of no format");
    /* Some of them all over the walk. */
    size_t every = 1 + paths->count * paths->count / 4;
    if (paths->visits++ % every == 0 && paths->count < MOST_PATHS && strlen(visit->path) < 4096) {
        paths->items[paths->count++] = copy_text(visit->path);
    }
    if (paths->visits > MOST_VISITS) return OSSA_STEP_STOP;
    return sum == 0xa5 ? OSSA_STEP_OVER : OSSA_STEP_INTO;
}

static void walk(ossa_workspace *workspace, const char *path, uint8_t flags, struct paths *paths)
{
    const ossa_walk_options options = {.detail = (ossa_detail)(flags & 3),
                                       .deep = (flags & 4) != 0,
                                       .search = (flags & 8) != 0,
                                       .visit = visit,
                                       .user = paths};
    ossa_error error;
    bool ok = ossa_workspace_walk(workspace, path, &options, &error);
    REQUIRE(ok || error.message[0] != '\0', "a walk fails without a reason");
}

static void load(ossa_workspace *workspace, const char *const *paths, size_t count)
{
    const ossa_scene_options limits = {.max_memory = 16 << 20};
    const ossa_load_options options = {.scene = &limits};
    ossa_error error;
    ossa_scene *scene = ossa_workspace_scene(workspace, paths, count, &options, &error);
    REQUIRE(scene != NULL || (error.code != OSSA_CODE_OK && error.message[0] != '\0'),
            "a scene fails without a reason");
    if (scene != NULL) REQUIRE(ossa_scene_validate(scene, NULL), "a scene that breaks the rules");
    ossa_scene_free(scene);
    ossa_survey *survey = ossa_workspace_survey(workspace, paths, count, &error);
    REQUIRE(survey != NULL || error.message[0] != '\0', "a survey fails without a reason");
    ossa_survey_free(survey);
}

/* What was visited is there when it is asked for by its path. */
static void open_paths(ossa_workspace *workspace, const struct paths *paths)
{
    for (size_t i = 0; i < paths->count; i++) {
        ossa_error error;
        ossa_bytes bytes;
        ossa_file *file = ossa_workspace_open(workspace, paths->items[i], NULL, &error);
        REQUIRE(file != NULL || error.message[0] != '\0', "a file fails without a reason");
        REQUIRE(file != NULL || error.code != OSSA_CODE_OK, "a file fails without a code");
        ossa_file_free(file);
        bool ok = ossa_workspace_bytes(workspace, paths->items[i], &bytes, &error);
        REQUIRE(ok || error.message[0] != '\0', "bytes fail without a reason");
        REQUIRE(ok || bytes.data == NULL, "bytes of a failure");
        ossa_bytes_free(&bytes);
        const char *const one[] = {paths->items[i], "d/t.res"};
        load(workspace, one, 1 + i % 2);
    }
}

static void group(ossa_workspace *workspace, const char *path)
{
    ossa_error error;
    ossa_figures *figures = ossa_workspace_figures(workspace, path, &error);
    REQUIRE(figures != NULL || error.message[0] != '\0', "figures fail without a reason");
    for (size_t i = 0; figures != NULL && i < figures->count; i++) {
        const ossa_figure *figure = &figures->items[i];
        REQUIRE(figure->name[0] != '\0' && figure->game != NULL, "a figure without a name");
        REQUIRE(figure->path_count > 0 && figure->file_count > 0, "a figure of no files");
        if (i < 4) load(workspace, figure->paths, figure->path_count);
    }
    ossa_figures_free(figures);
}

static void count_field(void *user, const ossa_diff_field *field)
{
    size_t *count = user;
    REQUIRE(field->a != NULL || field->b != NULL, "a field of no file");
    (*count)++;
}

/* What differs does so from both sides, and nothing differs from itself. */
static void compare(ossa_workspace *workspace, const char *a, const char *b)
{
    const ossa_scene_options limits = {.max_memory = 16 << 20};
    size_t fields = 0;
    const ossa_diff_options options = {.scene = &limits, .on_field = count_field, .user = &fields};
    ossa_diff there;
    ossa_diff back;
    ossa_error error;
    bool ok = ossa_workspace_diff(workspace, a, b, &options, &there, &error);
    REQUIRE(ok || (error.code != OSSA_CODE_OK && error.message[0] != '\0'),
            "a comparison fails without a reason");
    REQUIRE(fields == there.field_count, "fields are not counted");
    REQUIRE(ossa_workspace_diff(workspace, b, a, &options, &back, NULL) == ok,
            "the other way round it can be compared");
    REQUIRE(!ok || there.is_same == back.is_same, "they differ only one way round");
    REQUIRE(!ok || there.field_count == back.field_count, "other fields differ the other way");
    REQUIRE(!ok || there.only_a_count == back.only_b_count, "other files are on one side");
    REQUIRE(!ok || strcmp(a, b) != 0 || there.is_same || there.error_count > 0,
            "a file differs from itself");
}

/* An archive that is packed again, with a new entry, can be read and has it. */
static void change(ossa_workspace *workspace, const char *path, size_t count)
{
    const ossa_entry_change changes[] = {{"new", (const uint8_t *)"text", 4, 0},
                                         {"a#new", (const uint8_t *)"", 0, 7}};
    ossa_file *old = ossa_workspace_open(workspace, path, NULL, NULL);
    const ossa_options options = {.format = old == NULL ? NULL : old->format->id};
    ossa_buffer buffer = {0};
    ossa_error error;
    bool ok =
        ossa_workspace_replace(workspace, path, changes, count, ossa_buffer_sink(&buffer), &error);
    REQUIRE(ok || (error.code != OSSA_CODE_OK && error.message[0] != '\0'),
            "a change fails without a reason");
    ossa_file *file = ok ? ossa_read(buffer.data, buffer.size, &options, NULL) : NULL;
    /* A file of no format that was searched is copied, and is still of none. */
    REQUIRE(!ok || file != NULL || old == NULL, "what was packed cannot be read");
    REQUIRE(!ok || count == 0 || ossa_find_entry(file, "new") >= 0, "the new entry is not there");
    ossa_file_free(file);
    ossa_file_free(old);
    ossa_buffer_free(&buffer);
}

/* Nothing but what was added. */
static void *open_nothing(void *user, const char *path, uint64_t *size, ossa_error *error)
{
    (void)user;
    (void)path;
    *size = 0;
    (void)error;
    return NULL;
}

static void add_files(ossa_workspace *workspace, const uint8_t *data, size_t size)
{
    for (unsigned files = 0; size > 3 && files < MOST_FILES; files++) {
        const char *path = names[data[0] % NAMES];
        size_t wanted = (size_t)data[1] | (size_t)data[2] << 8;
        data += 3;
        size -= 3;
        if (wanted > size || files + 1 == MOST_FILES) wanted = size;
        REQUIRE(ossa_workspace_add_memory(workspace, path, data, wanted, NULL), "no memory");
        data += wanted;
        size -= wanted;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const ossa_filesystem nothing = {.open = open_nothing};
    const ossa_workspace_options options = {.filesystem = &nothing, .max_input = 1 << 20};
    struct paths paths = {.count = 0};
    if (size == 0) return 0;
    ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
    REQUIRE(workspace != NULL, "no memory");
    add_files(workspace, data + 1, size - 1);
    walk(workspace, "d", data[0], &paths);
    walk(workspace, "d/f.res", 3 | 4 | 8, &paths);
    open_paths(workspace, &paths);
    group(workspace, (data[0] & 16) != 0 ? "d" : NULL);
    for (size_t i = 0; i < NAMES; i++) change(workspace, names[i], data[0] % 3);
    compare(workspace, "d", "d/x");
    compare(workspace, "d/f.res", "d/t.res");
    for (size_t i = 0; i < paths.count && i < 6; i++) {
        compare(workspace, paths.items[i], paths.items[(i + (data[0] >> 6)) % paths.count]);
    }
    (void)ossa_workspace_remove(workspace, names[data[0] >> 5]);
    for (size_t i = 0; i < paths.count; i++) {
        if (i < 4) load(workspace, (const char *const[]){paths.items[i]}, 1);
        free(paths.items[i]);
    }
    ossa_workspace_free(workspace);
    return 0;
}
