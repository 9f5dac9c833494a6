/* SPDX-License-Identifier: MIT
 *
 * A sample figure is exported, its export is edited at random, and the edit is put back: what comes
 * of that can be read again, or there is a reason why not.
 *
 * Input: a byte that picks figure and kind of export, a byte of options, then edits of 8 bytes; or,
 * with the highest bit of the second byte, the edited file itself. */
#include "checks.h"

#include "base/bytes.h"

#include <string.h>

enum { KINDS = 3, MOST_FIGURES = 8, EDIT = 8, MOST_SIZE = 1 << 20 };
static const char *const names[KINDS] = {"edit.glb", "edit.json", "edit.bvh"};

/* Exports, once they are needed. */
static ossa_buffer exports[MOST_FIGURES][KINDS];

/* The formats that figures are chosen by: the animations. */
static const ossa_format *choose_format(unsigned choice, size_t *index)
{
    const ossa_format *formats[MOST_FIGURES];
    size_t count = 0;
    for (size_t i = 0; i < ossa_format_count() && count < MOST_FIGURES; i++) {
        const ossa_format *format = ossa_format_at(i);
        if (format->kind == OSSA_KIND_ANIMATION) formats[count++] = format;
    }
    REQUIRE(count > 0, "there are no animations");
    *index = choice % count;
    return formats[*index];
}

static void export_figure(ossa_workspace *workspace, const char *path, unsigned kind,
                          ossa_buffer *out)
{
    ossa_error error;
    ossa_sink sink = ossa_buffer_sink(out);
    ossa_scene *scene = ossa_workspace_scene(workspace, &path, 1, NULL, &error);
    REQUIRE(scene != NULL && scene->clip_count > 0, "a sample without clips");
    bool ok = kind == 0   ? ossa_write_gltf(scene, NULL, sink, (ossa_sink){0}, &error)
              : kind == 1 ? ossa_write_scene_json(scene, NULL, sink, &error)
                          : ossa_write_bvh(scene, &scene->clips[0], NULL, sink, &error);
    REQUIRE(ok, error.message);
    ossa_scene_free(scene);
}

/* Put another number over one in a text, which keeps its length. */
static void edit_text(uint8_t *bytes, size_t size, size_t from, uint32_t choice)
{
    static const char *const numbers[] = {"0",    "1",    "-1", "2",   "1e9",  "1e39",
                                          "nan",  "\"\"", "[]", "0.5", "-0.0", "9999",
                                          "null", "5126", "3",  "{}"};
    const char *number = numbers[choice % (sizeof numbers / sizeof numbers[0])];
    size_t at = from;
    while (at < size && strchr("0123456789", bytes[at]) == NULL) at++;
    size_t end = at;
    while (end < size && bytes[end] != '\0' && strchr("0123456789.e-", bytes[end]) != NULL) end++;
    for (size_t i = 0; at + i < end; i++) {
        bytes[at + i] = i < strlen(number) ? (uint8_t)number[i] : ' ';
    }
}

static void edit_word(uint8_t *bytes, size_t size, const uint8_t edit[EDIT])
{
    /* The numbers of a GLB are behind its text, at multiples of four. */
    size_t text = size > 20 && memcmp(bytes, "glTF", 4) == 0 ? ossa__load_u32(bytes + 12) + 28 : 0;
    size_t words = size > text + 4 ? (size - text) / 4 : 0;
    if (words == 0) return;
    uint8_t *at = bytes + text + ((size_t)edit[1] << 8 | edit[2]) % words * 4;
    uint32_t value = ossa__load_u32(edit + 4);
    float old = ossa__f32_from_bits(ossa__load_u32(at));
    switch (edit[3] % 4) {
    case 0: ossa__store_u32(at, value); break;
    case 1: ossa__store_u32(at, ossa__bits_from_f32(-old)); break;
    case 2: ossa__store_u32(at, ossa__bits_from_f32(old + (float)edit[4] / 1024.0F)); break;
    default: ossa__store_u32(at, ossa__bits_from_f32(old * (float)edit[4] / 64.0F)); break;
    }
}

static void apply(uint8_t *bytes, size_t size, const uint8_t *edits, size_t edits_size)
{
    for (; edits_size >= EDIT; edits += EDIT, edits_size -= EDIT) {
        size_t at = ((size_t)edits[1] << 16 | (size_t)edits[2] << 8 | edits[3]) % size;
        switch (edits[0] % 4) {
        case 0:
        case 1: edit_word(bytes, size, edits); break;
        case 2: edit_text(bytes, size, at, edits[4]); break;
        default: bytes[at] = edits[4]; break;
        }
    }
}

static void check_import(ossa_workspace *workspace, const char *edited, const char *original,
                         uint8_t flags)
{
    const ossa_scene_options scene = {.max_memory = 16 << 20, .join = (flags & 32) != 0};
    const ossa_options read = {.strict = (flags & 64) != 0};
    const ossa_load_options load = {.scene = &scene, .read = &read};
    const ossa_import_options options = {.load = &load,
                                         .retime = (flags & 1) != 0,
                                         .resample = (flags & 2) != 0,
                                         .drop = (flags & 4) != 0,
                                         .as = (flags & 8) != 0 ? "new" : NULL,
                                         .limit = (flags & 16) != 0 ? 1e-9 : 0.0};
    ossa_error error;
    ossa_import *import =
        ossa_workspace_import(workspace, &edited, 1, &original, 1, &options, &error);
    REQUIRE(import != NULL || (error.code != OSSA_CODE_OK && error.message[0] != '\0'),
            "an import fails without a reason");
    for (size_t i = 0; import != NULL && i < import->file_count; i++) {
        const ossa_import_file *changed = &import->files[i];
        if (changed->data == NULL) continue;
        const ossa_options named = {.name = changed->path, .check_values = true};
        ossa_file *file = ossa_read(changed->data, changed->size, &named, &error);
        REQUIRE(file != NULL && file->error_count == 0, "an import that cannot be read");
        ossa_file_free(file);
    }
    ossa_import_free(import);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2) return 0;
    size_t index = 0;
    unsigned kind = data[0] % KINDS;
    const ossa_format *format = choose_format(data[0] / KINDS, &index);
    ossa_workspace *workspace = new_workspace();
    const char *path = add_sample_figure(workspace, format);
    REQUIRE(path != NULL, "animations without a sample");
    ossa_buffer *original = &exports[index][kind];
    if (original->size == 0) export_figure(workspace, path, kind, original);
    bool is_raw = (data[1] & 0x80) != 0;
    size_t edited_size = is_raw ? size - 2 : original->size;
    uint8_t *edited = malloc(edited_size + 1);
    REQUIRE(edited != NULL, "no memory");
    if (edited_size > 0) memcpy(edited, is_raw ? data + 2 : original->data, edited_size);
    if (!is_raw) apply(edited, edited_size, data + 2, size - 2);
    bool ok = ossa_workspace_adopt_memory(workspace, names[kind], edited, edited_size, NULL);
    REQUIRE(ok, "no memory");
    check_import(workspace, names[kind], path, data[1]);
    ossa_workspace_free(workspace);
    return 0;
}
