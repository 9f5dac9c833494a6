/* SPDX-License-Identifier: MIT
 *
 * ossa import: an edited .glb, .gltf, .bvh, .json or .png back into the files of a game. */
#include "import_write.h"
#include "load_scene.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- report -------------------------------------------------------------------------------- */

static const char *const state_names[] = {"unchanged", "changed", "missing", "new"};

static void write_worst(struct ossa__json *json, const ossa_import_clip *clip)
{
    ossa__json_key(json, "worst");
    if (clip->worst_bone < 0) {
        ossa__json_null(json);
        return;
    }
    ossa__json_begin_object(json);
    ossa__member_text(json, "bone", clip->worst_name);
    ossa__member_uint(json, "frame", clip->worst_frame);
    ossa__member_float(json, "degrees", (float)clip->degrees);
    ossa__member_float(json, "millimetres", (float)clip->millimetres);
    ossa__json_end_object(json);
}

static int print_json(const ossa_import *import)
{
    struct ossa__json json;
    json_begin(&json);
    ossa__json_begin_object(&json);
    ossa__member_uint(&json, "ossa", 1);
    ossa__json_key(&json, "clips");
    ossa__json_begin_array(&json);
    for (size_t i = 0; i < import->clip_count; i++) {
        const ossa_import_clip *clip = &import->clips[i];
        ossa__json_begin_object(&json);
        ossa__member_text(&json, "name", clip->name);
        ossa__member_text(&json, "state", state_names[clip->state]);
        ossa__member_uint(&json, "frames", clip->frame_count);
        write_worst(&json, clip);
        ossa__json_end_object(&json);
    }
    ossa__json_end_array(&json);
    ossa__json_key(&json, "files");
    ossa__json_begin_array(&json);
    for (size_t i = 0; i < import->file_count; i++) {
        const ossa_import_file *file = &import->files[i];
        const char *state = file->is_new ? "new" : file->data != NULL ? "changed" : "unchanged";
        ossa__json_begin_object(&json);
        ossa__member_text(&json, "path", file->path);
        ossa__member_text(&json, "state", state);
        ossa__json_end_object(&json);
    }
    ossa__json_end_array(&json);
    ossa__json_key(&json, "dropped");
    ossa__json_begin_array(&json);
    for (size_t i = 0; i < import->loss_count; i++) {
        const ossa_import_loss *loss = &import->losses[i];
        ossa__json_begin_object(&json);
        ossa__member_text(&json, "what", loss->what);
        ossa__member_text(&json, "clip", loss->clip);
        ossa__member_text(&json, "bone", loss->bone);
        ossa__member_uint(&json, "frame", loss->frame);
        ossa__member_float(&json, "size", (float)loss->size);
        ossa__json_end_object(&json);
    }
    ossa__json_end_array(&json);
    ossa__json_end_object(&json);
    return json_end(&json) ? EXIT_FINE : EXIT_BAD_DATA;
}

/* The names of all clips in a state, on one line. */
static void print_names(const ossa_import *import, ossa_import_state state, const char *what,
                        const char *one, const char *many)
{
    enum { SHOWN = 10 };
    size_t count = 0;
    for (size_t i = 0; i < import->clip_count; i++) {
        if (import->clips[i].state != state) continue;
        if (count < SHOWN) {
            (void)fputs(count > 0 ? ", " : "", stdout);
            print_plain(stdout, import->clips[i].name);
        }
        count++;
    }
    if (count > SHOWN) (void)printf(" and %zu more", count - SHOWN);
    if (count > 0) (void)printf(": %s%s\n", what, count == 1 ? one : many);
}

/* The files that are not what they were: cameras are in no clip. */
static void print_files(const ossa_import *import)
{
    enum { SHOWN = 8 };
    size_t count = 0;
    for (size_t i = 0; i < import->file_count; i++) {
        const ossa_import_file *file = &import->files[i];
        if (file->data == NULL) continue;
        if (count++ < SHOWN) print_line("  %s%s", file->path, file->is_new ? " (new)" : "");
    }
    if (count > SHOWN) (void)printf("  and %zu more\n", count - SHOWN);
    size_t left = import->file_count - count;
    if (count > 0 && left > 0) {
        (void)printf("  %zu other file%s the same\n", left, left == 1 ? " is" : "s are");
    }
}

/* The paths above are those of the originals, which are not touched. */
static void print_output(const struct cli *cli)
{
    if (!cli->dry_run) print_line("written to %s", cli->output);
}

static bool has_clip(const ossa_import *import, ossa_import_state state)
{
    for (size_t i = 0; i < import->clip_count; i++) {
        if (import->clips[i].state == state) return true;
    }
    return false;
}

static void print_clips(const struct cli *cli, const ossa_import *import)
{
    for (size_t i = 0; i < import->clip_count; i++) {
        const ossa_import_clip *clip = &import->clips[i];
        bool is_written = clip->state == OSSA_IMPORT_STATE_CHANGED ||
                          (clip->state == OSSA_IMPORT_STATE_NEW && clip->file_count > 0);
        if (!is_written) continue;
        const char *state = clip->state == OSSA_IMPORT_STATE_NEW ? "new" : "changed";
        if (clip->file_count == 0) {
            print_line("%s: changed along with a clip that shares its keys", clip->name);
            continue;
        }
        if (clip->worst_bone < 0) { /* of several files, it is not one clip any more */
            print_line("%s: %s, %" PRIu32 " frame%s, %zu file%s", clip->name, state,
                       clip->frame_count, plural(clip->frame_count), clip->file_count,
                       plural(clip->file_count));
            continue;
        }
        print_line("%s: %s, %" PRIu32
                   " frame%s, %zu file%s; within %.2g degrees and %.2g mm of the "
                   "edit (%s, frame %" PRIu32 ")",
                   clip->name, state, clip->frame_count, plural(clip->frame_count),
                   clip->file_count, plural(clip->file_count), clip->degrees, clip->millimetres,
                   clip->worst_name, clip->worst_frame);
    }
    print_names(import, OSSA_IMPORT_STATE_UNCHANGED, "", "as it was", "as they were");
    print_names(import, OSSA_IMPORT_STATE_MISSING, "not in the edit, ", "as it was",
                "as they were");
    if (cli->import.as == NULL) {
        /* --clip is for the only clip of an edit. */
        bool is_alone = !has_clip(import, OSSA_IMPORT_STATE_CHANGED) &&
                        !has_clip(import, OSSA_IMPORT_STATE_UNCHANGED);
        print_names(import, OSSA_IMPORT_STATE_NEW,
                    "not in the originals, ignored; --as NAME makes a new clip",
                    is_alone ? ", --clip CLIP says which one it is" : "", "");
    }
    print_files(import);
    print_output(cli);
}

static bool is_to_stdout(const struct cli *cli)
{
    return cli->output != NULL && strcmp(cli->output, "-") == 0;
}

/* ---- clips --------------------------------------------------------------------------------- */

static void on_issue(void *user, const ossa_issue *issue)
{
    const struct cli *cli = user;
    if (issue->severity > OSSA_SEVERITY_REMARK || !cli->quiet) complain_issue(issue);
}

static void on_original_issue(void *user, const ossa_issue *issue)
{
    struct cli *cli = user;
    if (issue->severity < OSSA_SEVERITY_ERROR) return;
    if (issue->severity == OSSA_SEVERITY_UNREADABLE) cli->left_out++; /* the call fails for it */
    complain_issue(issue);
}

static bool wants_clip(void *user, const char *name)
{
    return is_wanted_clip(user, name);
}

/* An edited file of no known kind has no format that could be given. */
static void complain_failure(const ossa_error *error)
{
    char text[ISSUE_CAPACITY];
    const char *hint = error->code == OSSA_CODE_UNKNOWN_FORMAT ? "" : hint_of(error->code);
    (void)ossa_error_text(error, text, sizeof text);
    if (error->path[0] == '\0') complain("%s%s", text, hint);
    else complain("%s: %s%s", shown_name(error->path), text, hint);
}

static ossa_import *import_files(struct cli *cli)
{
    ossa_error error;
    cli->scene.user = cli;
    cli->scene.on_group = on_original_issue;
    if (cli->clips.count > 0) {
        cli->found_clips = allocate(cli->clips.count, sizeof *cli->found_clips);
        cli->scene.wants_clip = wants_clip;
    }
    const ossa_load_options load = {
        .scene = &cli->scene, .read = &cli->read, .on_issue = on_original_issue, .user = cli};
    cli->import.load = &load;
    cli->import.on_issue = on_issue;
    cli->import.user = cli;
    ossa_import *import =
        ossa_workspace_import(cli->workspace, (const char *const *)cli->inputs, cli->input_count,
                              cli->over.items, cli->over.count, &cli->import, &error);
    cli->import.load = NULL;
    if (import == NULL && cli->left_out == 0) {
        bool is_nameless = error.code == OSSA_CODE_LIMIT && error.path[0] == '\0';
        if (is_nameless) complain_error(cli->inputs[0], &error);
        else complain_failure(&error);
    }
    return import;
}

static bool check_clips(const struct cli *cli)
{
    for (size_t i = 0; i < cli->clips.count; i++) {
        if (cli->found_clips[i]) continue;
        complain("the originals have no clip '%s'", cli->clips.items[i]);
        return false;
    }
    return true;
}

/* ---- pictures ------------------------------------------------------------------------------ */

static bool is_picture(const char *path)
{
    char start[8];
    return ossa_is_png(start, os_read_start(path, start, sizeof start));
}

static bool can_repaint(const ossa_file *file, const char *original)
{
    if (ossa_format_can(file->format, OSSA_ABILITY_LIST)) {
        complain("%s is an archive: name the texture in it, %s#NAME; `ossa list` shows the entries",
                 original, original);
        return false;
    }
    if (ossa_format_can(file->format, OSSA_ABILITY_REPAINT)) return true;
    complain("%s has the format %s, which is not a texture that a PNG can be put into", original,
             file->format->id);
    return false;
}

/* The file of a texture with the pixels of a PNG; false after a message. */
static bool repaint(struct cli *cli, ossa_buffer *buffer)
{
    ossa_error error;
    ossa_bytes bytes;
    const char *path = cli->inputs[0];
    const char *original = cli->over.items[0];
    const ossa_options options = {.name = path, .max_input = cli->read.max_input};
    if (!ossa_workspace_bytes(cli->workspace, path, &bytes, &error)) {
        complain_error(path, &error);
        return false;
    }
    ossa_file *file = ossa_workspace_open(cli->workspace, original, &cli->read, &error);
    if (file == NULL) complain_error(original, &error);
    bool ok = file != NULL && can_repaint(file, original);
    if (ok && !ossa_repaint_png(file, bytes.data, bytes.size, &options, ossa_buffer_sink(buffer),
                                &error)) {
        bool is_unread = error.format != NULL && strcmp(error.format, "png") == 0;
        complain_picture(is_unread ? path : original, &error);
        ok = false;
    }
    ossa_file_free(file);
    ossa_bytes_free(&bytes);
    return ok;
}

static int import_picture(struct cli *cli)
{
    ossa_buffer buffer = {0};
    ossa_bytes before;
    if (cli->input_count != 1 || cli->over.count != 1) {
        complain("a PNG must be the only input, with one texture as its original: "
                 "ossa import skin.png --over skin.mmp -o new.mmp");
        return EXIT_BAD_CALL;
    }
    int status = repaint(cli, &buffer) ? EXIT_FINE : EXIT_BAD_DATA;
    ossa_import_file file = {.path = cli->over.items[0], .data = buffer.data, .size = buffer.size};
    if (status == EXIT_FINE && ossa_workspace_bytes(cli->workspace, file.path, &before, NULL)) {
        bool is_same =
            before.size == buffer.size && memcmp(before.data, buffer.data, buffer.size) == 0;
        if (is_same) file = (ossa_import_file){.path = file.path};
        ossa_bytes_free(&before);
    }
    const ossa_import import = {.file_count = 1, .files = &file};
    if (status == EXIT_FINE && !cli->dry_run) status = write_import(cli, &import);
    if (status == EXIT_FINE && cli->json) status = print_json(&import);
    else if (status == EXIT_FINE && !cli->quiet && !is_to_stdout(cli)) {
        print_line("%s: %s", file.path, file.data != NULL ? "changed" : "as it was");
        print_output(cli);
    }
    ossa_buffer_free(&buffer);
    return status;
}

/* ---- the verb ------------------------------------------------------------------------------ */

/* Originals in place of the edit, or the other way round? */
static bool is_swapped(const struct cli *cli)
{
    static const char call[] = "ossa import EDITED... --over ORIGINAL... -o OUT";
    for (size_t i = 0; i < cli->over.count; i++) {
        char start[4];
        const char *path = cli->over.items[i];
        if (os_read_start(path, start, sizeof start) < 4 || memcmp(start, "glTF", 4) != 0) continue;
        complain("%s is a glTF and not an original: %s", shown_name(path), call);
        return true;
    }
    for (size_t i = 0; i < cli->input_count; i++) {
        if (!os_is_folder(cli->inputs[i])) continue;
        complain("%s is a folder and not an edit: %s", shown_name(cli->inputs[i]), call);
        return true;
    }
    return false;
}

/* Without animations, or under other names, an export is accepted and does nothing. */
static void warn_nothing(const ossa_import *import)
{
    for (size_t i = 0; i < import->file_count; i++) {
        if (import->files[i].data != NULL) return;
    }
    if (import->clip_count == 0 || has_clip(import, OSSA_IMPORT_STATE_UNCHANGED)) return;
    complain("warning: none of the clips is in the edit, so nothing changes; export the armature "
             "with its animations, under the names that they had");
}

static int run(struct cli *cli)
{
    if (cli->over.count == 0) {
        complain("import needs the originals: ossa import EDITED --over ORIGINAL... -o OUT");
        return EXIT_BAD_CALL;
    }
    if ((cli->output == NULL) != cli->dry_run) {
        complain(cli->dry_run ? "--dry-run writes nothing: leave out -o"
                              : "import needs an output, -o OUT, or --dry-run");
        return EXIT_BAD_CALL;
    }
    if (cli->json && is_to_stdout(cli)) {
        complain("--json and -o - both need standard output");
        return EXIT_BAD_CALL;
    }
    if (cli->import.like != NULL && cli->import.as == NULL) {
        complain("--like is for a new clip, which --as names");
        return EXIT_BAD_CALL;
    }
    if (is_picture(cli->inputs[0])) return import_picture(cli);
    if (is_swapped(cli)) return EXIT_BAD_CALL;
    ossa_import *import = import_files(cli);
    if (import == NULL) return EXIT_BAD_DATA;
    int status = check_clips(cli) ? EXIT_FINE : EXIT_BAD_DATA;
    if (status == EXIT_FINE && !cli->dry_run) status = write_import(cli, import);
    if (status == EXIT_FINE && cli->json) status = print_json(import);
    else if (status == EXIT_FINE && !cli->quiet && !is_to_stdout(cli)) print_clips(cli, import);
    if (status == EXIT_FINE) warn_nothing(import);
    ossa_import_free(import);
    return status;
}

const struct verb verb_import = {
    .name = "import",
    .summary = "put an edited glTF, BVH, JSON or PNG back into the game's files",
    .inputs = "[OPTIONS] EDITED... --over ORIGINAL... -o OUT",
    .details =
        "Compares the poses of EDITED, a .glb, .gltf, .bvh or .json that `ossa convert` wrote and\n"
        "that was changed in Blender or elsewhere, with those of the original files, at their\n"
        "frames, and changes only the keys that differ. Without an edit every byte stays as it\n"
        "was. ORIGINAL is what `convert` was given, with the same --fps, --scale and so on. OUT "
        "is\n"
        "a folder that gets all files of the originals, changed or not, under their names; if\n"
        "ORIGINAL is an archive, OUT may be the new archive. The originals are never written.\n"
        "What a format cannot store is refused, with the bone and the frame; --drop leaves it "
        "out.\n"
        "A .png becomes the pixels of a texture, ORIGINAL.",
    .example = "ossa import troll.glb --over samples/troll -o out/\n"
               "  ossa import troll.glb --over figures.res#unmotr -o figures.new.res\n"
               "  ossa import walk.bvh --over ped.skel walk.anim --dry-run\n"
               "  ossa import wave.glb --as wave --like idle --over troll/ -o out/\n"
               "  ossa import skin.png --over textures.res#skin.mmp -o textures.new.res",
    .needs_input = true,
    .run = run,
};
