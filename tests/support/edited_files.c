/* SPDX-License-Identifier: MIT */
#include "support/edited_files.h"

#include "support/counting.h"

#include <string.h>

void edit_or_fail(struct editing *editing, const struct scene_files *files,
                  const ossa_scene_options *options)
{
    bool ok = editing_run(editing, files->inputs, files->count, options);
    require(ok, files->paths[0], "%s: %s", editing->error.path, editing->error.message);
}

void require_edit_misfit(struct editing *editing, const struct scene_files *files,
                         const ossa_scene_options *options, const char *where, const char *message)
{
    assert_false(editing_run(editing, files->inputs, files->count, options));
    assert_string_equal(editing->error.message, message);
    assert_string_equal(editing->error.path, where);
    assert_int_equal(editing->error.code, OSSA_CODE_MISFIT);
    editing_free(editing);
}

void require_no_edit(struct editing *editing, const struct scene_files *files,
                     const ossa_scene_options *options)
{
    edit_or_fail(editing, files, options);
    require(editing->editing.file_count == 0, files->paths[0], "%zu files were changed",
            editing->editing.file_count);
    require(editing->editing.loss_count == 0, files->paths[0], "something was lost");
    editing_free(editing);
}

struct bytes edited_bytes(struct editing *editing, size_t index)
{
    ossa_buffer buffer = {0};
    require(editing_write(editing, index, &buffer), "edit", "%s", editing->error.message);
    struct bytes bytes = bytes_copy(buffer.data, buffer.size);
    ossa_buffer_free(&buffer);
    return bytes;
}

void take_edited(struct editing *editing, const struct scene_files *files,
                 struct scene_files *edited)
{
    const struct ossa__editing *made = &editing->editing;
    edited->count = 0;
    for (size_t i = 0; i < files->count; i++) {
        size_t from = made->file_count;
        for (size_t k = 0; k < made->file_count; k++) {
            bool is_it = made->files[k].part->input->file == files->inputs[i].file;
            if (is_it && made->files[k].new_path == NULL) from = k;
        }
        struct bytes bytes = from < made->file_count
                                 ? edited_bytes(editing, from)
                                 : bytes_copy(files->bytes[i].data, files->bytes[i].size);
        (void)add_file(edited, files->paths[i], files->inputs[i].file->format->id, bytes);
    }
    for (size_t k = 0; k < made->file_count; k++) {
        if (made->files[k].new_path == NULL) continue;
        (void)add_file(edited, made->files[k].new_path, made->files[k].part->format,
                       edited_bytes(editing, k));
    }
}

void require_edit_survives(const struct editing *plan, const struct scene_files *files)
{
    size_t calls = 1;
    for (size_t n = 0; n <= calls; n++) { /* the first time nothing fails */
        struct counting counting = {.fail_at = n};
        struct editing editing = *plan;
        ossa_scene_options options = {.allocator = counting_allocator(&counting)};
        bool ok = editing_run(&editing, files->inputs, files->count, &options);
        require(ok == (n == 0), files->paths[0], "allocation %zu: %s", n, editing.error.message);
        if (ok) calls = counting.calls;
        else assert_int_equal(editing.error.code, OSSA_CODE_OUT_OF_MEMORY);
        editing_free(&editing);
        require(counting.live == 0 && !counting.wrong_release, files->paths[0],
                "a leak when allocation %zu fails", n);
    }
}
