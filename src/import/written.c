/* SPDX-License-Identifier: MIT
 *
 * The files that an edit has changed. */
#include "import/importing.h"

#include <string.h>

/* The bytes of a changed file, in the arena; false after a failure. */
static bool write_file(struct ossa__importing *im, const struct ossa__edited_file *edited,
                       ossa_import_file *file)
{
    const ossa_file *original = edited->part->input->file;
    struct ossa__context *context = im->context;
    struct ossa__context own;
    ossa_buffer buffer = {.allocator = context->arena.allocator};
    ossa_options options = {.max_memory = UINT64_MAX, .allocator = context->arena.allocator};
    ossa__context_init(&own, &options, original->size);
    own.format = original->format->id;
    own.path_text = edited->new_path == NULL ? edited->part->shown : edited->new_shown;
    struct ossa__writer *writer = ossa__take_scratch(&own, 1, sizeof *writer);
    if (writer != NULL) {
        ossa__writer_init(writer, &own, ossa_buffer_sink(&buffer));
        ossa__format_of(original)->write(&own, edited->contents, writer);
        (void)ossa__writer_finish(writer);
    }
    if (own.failed) {
        if (own.error.code == OSSA_CODE_IO) own.error.code = OSSA_CODE_OUT_OF_MEMORY;
        (void)ossa__import_fail(im, &own.error);
    }
    uint8_t *data = own.failed ? NULL : ossa__take(context, (uint64_t)buffer.size + 1, 1);
    if (data != NULL && buffer.size > 0) memcpy(data, buffer.data, buffer.size);
    file->data = data;
    file->size = buffer.size;
    ossa_buffer_free(&buffer);
    ossa__arena_free(&own.scratch);
    ossa__arena_free(&own.arena);
    return data != NULL;
}

/* Is a file that was written what it was? */
static bool is_same_file(struct ossa__importing *im, const ossa_file *original,
                         const ossa_import_file *file)
{
    ossa_buffer buffer = {.allocator = im->context->arena.allocator};
    ossa_error error;
    bool is_written = ossa_write(original, ossa_buffer_sink(&buffer), &error);
    bool is_same = is_written && buffer.size == file->size &&
                   (buffer.size == 0 || memcmp(buffer.data, file->data, buffer.size) == 0);
    ossa_buffer_free(&buffer);
    if (!is_written) {
        if (error.code == OSSA_CODE_IO) error.code = OSSA_CODE_OUT_OF_MEMORY;
        (void)ossa__import_fail(im, &error);
    }
    return is_same;
}

bool ossa__import_write(struct ossa__importing *im, ossa_import *result)
{
    const struct ossa__import_call *call = im->call;
    uint64_t room = (uint64_t)call->input_count + im->editing.file_count;
    ossa_import_file *files = ossa__take(im->context, room, sizeof *files);
    im->is_changed = ossa__take(im->context, im->editing.file_count, 1);
    if (im->context->failed) return false;
    size_t count = call->input_count;
    for (size_t i = 0; i < count; i++) {
        const ossa_input *input = &call->inputs[i];
        const char *path = input->shown != NULL ? input->shown : input->path;
        files[i] = (ossa_import_file){.path = ossa__import_keep(im, path)};
    }
    for (size_t i = 0; i < im->editing.file_count; i++) {
        const struct ossa__edited_file *edited = &im->editing.files[i];
        bool is_new = edited->new_path != NULL;
        size_t at = is_new ? count++ : (size_t)(edited->part->input - call->inputs);
        if (is_new) {
            files[at] = (ossa_import_file){.path = ossa__import_keep(im, edited->new_shown),
                                           .is_new = true};
        }
        if (!write_file(im, edited, &files[at])) return false;
        im->is_changed[i] = is_new || !is_same_file(im, edited->part->input->file, &files[at]);
        if (im->context->failed) return false;
        if (im->is_changed[i]) continue;
        files[at].data = NULL;
        files[at].size = 0;
    }
    result->files = files;
    result->file_count = count;
    return true;
}

/* ---- what the files are now ---------------------------------------------------------------- */

/* A file that was written, read again. */
static ossa_file *read_again(struct ossa__importing *im, const ossa_import_file *file,
                             const ossa_file *like)
{
    ossa_error error;
    ossa_options options = {
        .name = file->path, .format = like->format->id, .allocator = im->context->arena.allocator};
    ossa_file *read = ossa_read(file->data, file->size, &options, &error);
    if (read == NULL) (void)ossa__import_fail(im, &error);
    return read;
}

/* The scene of the files that were written with those that were not; NULL after a failure. */
ossa_scene *ossa__import_read_back(struct ossa__importing *im, const ossa_import *result)
{
    const struct ossa__import_call *call = im->call;
    ossa_input *inputs = ossa__take(im->context, result->file_count, sizeof *inputs);
    ossa_file **read = ossa__take(im->context, result->file_count, sizeof *read);
    ossa_scene *scene = NULL;
    bool ok = read != NULL;
    if (!ok) return NULL;
    memset(read, 0, result->file_count * sizeof *read);
    for (size_t i = 0; i < call->input_count; i++) inputs[i] = call->inputs[i];
    size_t made = call->input_count;
    for (size_t i = 0; i < im->editing.file_count; i++) {
        const struct ossa__edited_file *edited = &im->editing.files[i];
        if (edited->new_path == NULL) continue;
        inputs[made++] = (ossa_input){.path = edited->new_path,
                                      .file = edited->part->input->file,
                                      .shown = edited->new_shown};
    }
    for (size_t i = 0; i < result->file_count && ok; i++) {
        if (result->files[i].data == NULL) continue;
        read[i] = read_again(im, &result->files[i], inputs[i].file);
        inputs[i].file = read[i];
        ok = read[i] != NULL;
    }
    if (ok) {
        ossa_scene_options options = *call->scene;
        ossa_error error;
        options.on_issue = NULL;
        options.on_group = NULL;
        options.wants_clip = NULL; /* the new one is called otherwise */
        scene = ossa_assemble(inputs, result->file_count, &options, &error);
        if (scene == NULL) (void)ossa__import_fail(im, &error);
    }
    for (size_t i = 0; i < result->file_count; i++) ossa_file_free(read[i]);
    return scene;
}
