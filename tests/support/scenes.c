/* SPDX-License-Identifier: MIT */
#include "support/scenes.h"
#include "support/counting.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const struct character pose_vectors[5] = {
    {"ei-troll", OSSA_TEST_DIR "/vectors/pose/ei-troll", {0.0F, 0.0F, 0.0F}},
    {"ei-complexion", OSSA_TEST_DIR "/vectors/pose/ei-complexion", {0.5F, 0.25F, 0.75F}},
    {"mm-ped", OSSA_TEST_DIR "/vectors/pose/mm-ped", {0.0F, 0.0F, 0.0F}},
    {"sotc-bird", OSSA_TEST_DIR "/vectors/pose/sotc-bird", {0.0F, 0.0F, 0.0F}},
    {"vib-rabbit", OSSA_TEST_DIR "/vectors/pose/vib-rabbit", {0.0F, 0.0F, 0.0F}},
};

const struct character samples[4] = {
    {"troll", OSSA_SAMPLE_DIR "/troll", {0.0F, 0.0F, 0.0F}},
    {"pedestrian", OSSA_SAMPLE_DIR "/pedestrian", {0.0F, 0.0F, 0.0F}},
    {"bird", OSSA_SAMPLE_DIR "/bird", {0.0F, 0.0F, 0.0F}},
    {"rabbit", OSSA_SAMPLE_DIR "/rabbit", {0.0F, 0.0F, 0.0F}},
};

/* ---- inputs -------------------------------------------------------------------------------- */

ossa_file *add_file(struct scene_files *files, const char *path, const char *format,
                    struct bytes bytes)
{
    assert_true(files->count < SCENE_FILES);
    size_t i = files->count++;
    (void)snprintf(files->paths[i], sizeof files->paths[i], "%s", path);
    files->bytes[i] = bytes;
    ossa_options options = {.name = path, .format = format};
    files->inputs[i].path = files->paths[i];
    files->inputs[i].file = read_or_fail(path, bytes.data, bytes.size, &options);
    return files->inputs[i].file;
}

static struct bytes load(const char *path)
{
    FILE *file = fopen(path, "rb");
    require(file != NULL, path, "cannot be opened");
    struct bytes bytes = {0};
    uint8_t block[4096];
    size_t size;
    while ((size = fread(block, 1, sizeof block, file)) > 0) put_bytes(&bytes, block, size);
    (void)fclose(file);
    return bytes;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

enum { NAME_SIZE = 64 };

/* The names in a folder, sorted: the order of a folder is the file system's. */
static size_t list_folder(const char *path, char (*names)[NAME_SIZE])
{
    DIR *directory = opendir(path);
    size_t count = 0;
    if (directory == NULL) {
        require(false, path, "cannot be opened");
        return 0;
    }
    const struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] == '.') continue;
        assert_true(count < SCENE_FILES && strlen(entry->d_name) < NAME_SIZE);
        (void)snprintf(names[count++], NAME_SIZE, "%.*s", NAME_SIZE - 1, entry->d_name);
    }
    (void)closedir(directory);
    qsort(names, count, sizeof *names, compare_names);
    return count;
}

static void add_below(struct scene_files *files, const char *folder, const char *inner)
{
    char path[1024];
    char names[SCENE_FILES][NAME_SIZE];
    (void)snprintf(path, sizeof path, "%s/%s", folder, inner);
    size_t count = list_folder(path, names);
    for (size_t i = 0; i < count; i++) {
        char relative[512];
        struct stat about = {0};
        (void)snprintf(relative, sizeof relative, "%s%s%.*s", inner, inner[0] == '\0' ? "" : "/",
                       NAME_SIZE - 1, names[i]);
        (void)snprintf(path, sizeof path, "%s/%s", folder, relative);
        assert_int_equal(stat(path, &about), 0);
        if (S_ISDIR(about.st_mode)) add_below(files, folder, relative);
        else if (strstr(names[i], ".json") == NULL)
            (void)add_file(files, relative, NULL, load(path));
    }
}

void add_folder(struct scene_files *files, const char *folder)
{
    add_below(files, folder, "");
}

void free_files(struct scene_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        ossa_file_free(files->inputs[i].file);
        bytes_free(&files->bytes[i]);
    }
    files->count = 0;
}

/* ---- assembly ------------------------------------------------------------------------------ */

ossa_scene *assemble_files(const struct scene_files *files, const ossa_scene_options *options)
{
    ossa_error error;
    ossa_scene *scene = ossa_assemble(files->inputs, files->count, options, &error);
    char text[1024];
    (void)ossa_error_text(&error, text, sizeof text);
    require(scene != NULL, "assemble", "%s", text);
    require(error.code == OSSA_CODE_OK, "assemble", "an error beside a scene: %s", text);
    require(ossa_scene_validate(scene, &error), "validate", "%s: %s", error.field, error.message);
    return scene;
}

ossa_scene *assemble_character(const struct character *character, const ossa_scene_options *options)
{
    struct scene_files files = {0};
    ossa_scene_options filled = {0};
    if (options != NULL) filled = *options;
    ossa_ei_options ei = {0};
    if (filled.ei != NULL) ei = *filled.ei;
    memcpy(ei.complexion, character->complexion, sizeof ei.complexion);
    filled.ei = &ei;
    add_folder(&files, character->folder);
    ossa_scene *scene = assemble_files(&files, &filled);
    free_files(&files); /* the scene has copies of all it needs */
    return scene;
}

void require_misfit(const struct scene_files *files, const ossa_scene_options *options,
                    ossa_code code, const char *where, const char *message)
{
    ossa_error error;
    ossa_scene *scene = ossa_assemble(files->inputs, files->count, options, &error);
    require(scene == NULL, message, "assembled all the same");
    assert_string_equal(error.message, message);
    /* A scene that breaks a rule has the error in a member, all else in an input. */
    const char *found = code == OSSA_CODE_BAD_SCENE ? error.field : error.path;
    assert_string_equal(found, where);
    assert_string_equal(ossa_code_name(error.code), ossa_code_name(code));
    assert_false(error.has_offset);
    /* Without anybody to tell it is the same. */
    assert_null(ossa_assemble(files->inputs, files->count, options, NULL));
}

size_t require_assembly_survives(const struct scene_files *files, const ossa_scene_options *base)
{
    size_t calls = 1;
    for (size_t n = 0; n <= calls; n++) { /* the first time nothing fails */
        struct counting counting = {.fail_at = n};
        ossa_scene_options options = {0};
        if (base != NULL) options = *base;
        options.allocator = counting_allocator(&counting);
        ossa_error error;
        ossa_scene *scene = ossa_assemble(files->inputs, files->count, &options, &error);
        const char *name = files->paths[0];
        require((scene != NULL) == (n == 0), name, "allocation %zu: %s", n, error.message);
        if (scene != NULL) {
            calls = counting.calls;
        } else {
            assert_true(counting.failed);
            assert_int_equal(error.code, OSSA_CODE_OUT_OF_MEMORY);
        }
        ossa_scene_free(scene);
        require(counting.live == 0 && !counting.wrong_release, name,
                "a leak when allocation %zu fails", n);
    }
    return calls;
}

void require_warning(const ossa_scene *scene, size_t index, ossa_code code, const char *path,
                     const char *message)
{
    require(index < scene->issue_count, message, "there are only %zu issues", scene->issue_count);
    const ossa_issue *issue = &scene->issues[index];
    assert_string_equal(issue->message, message);
    assert_string_equal(issue->path, path);
    assert_string_equal(ossa_code_name(issue->code), ossa_code_name(code));
    assert_int_equal(issue->severity, OSSA_SEVERITY_WARNING);
    assert_false(issue->has_offset);
    assert_non_null(issue->format);
}

/* ---- files made in memory ------------------------------------------------------------------ */

struct bytes make_anm(uint32_t rotations, const float (*wxyz)[4], uint32_t translations,
                      const float (*xyz)[3])
{
    struct bytes file = {0};
    put_u32(&file, rotations);
    for (uint32_t i = 0; i < rotations; i++) {
        for (unsigned k = 0; k < 4; k++) put_f32(&file, wxyz[i][k]);
    }
    put_u32(&file, translations);
    for (uint32_t i = 0; i < translations; i++) {
        for (unsigned k = 0; k < 3; k++) put_f32(&file, xyz[i][k]);
    }
    put_u32(&file, 0);
    put_u32(&file, 0);
    return file;
}

struct bytes make_morph_anm(uint32_t seed, uint32_t frames, uint32_t morph_frames, uint32_t offsets)
{
    struct random random = {seed};
    struct bytes file = {0};
    put_u32(&file, frames);
    for (uint32_t i = 0; i < frames; i++) {
        float wxyz[4];
        next_unit(&random, wxyz);
        for (unsigned k = 0; k < 4; k++) put_f32(&file, wxyz[k]);
    }
    put_u32(&file, frames);
    for (uint32_t i = 0; i < 3 * frames; i++) put_f32(&file, next_float(&random, 2));
    put_u32(&file, morph_frames);
    put_u32(&file, offsets);
    for (uint32_t i = 0; i < 3 * morph_frames * offsets; i++)
        put_f32(&file, next_float(&random, 2));
    return file;
}

size_t morph_place(uint32_t frames, uint32_t offsets, uint32_t morph_frame, uint32_t offset)
{
    return 16 + (size_t)28 * frames + 12 * ((size_t)morph_frame * offsets + offset);
}

struct bytes make_random_anm(uint32_t seed, uint32_t frames)
{
    return make_morph_anm(seed, frames, 0, 0);
}

static void put_name(struct bytes *file, const char *name)
{
    size_t size = strlen(name);
    put_u32(file, size == 0 ? 0 : (uint32_t)size + 1);
    if (size > 0) put_bytes(file, name, size + 1);
}

struct bytes make_lnk(const char *const *names)
{
    struct bytes file = {0};
    uint32_t count = 0;
    put_u32(&file, 0);
    for (; names[2 * (size_t)count] != NULL; count++) {
        put_name(&file, names[2 * (size_t)count]);
        put_name(&file, names[2 * (size_t)count + 1]);
    }
    set_u32(&file, 0, count);
    return file;
}

struct bytes make_bon(float x, float y, float z)
{
    struct bytes file = {0};
    put_f32(&file, x);
    put_f32(&file, y);
    put_f32(&file, z);
    return file;
}

struct bytes make_skel(uint32_t bones)
{
    struct bytes file = {0};
    char line[80];
    (void)snprintf(line, sizeof line, "NumBones %u\n", (unsigned)bones);
    put_text(&file, line);
    for (uint32_t i = 0; i < bones; i++) {
        (void)snprintf(line, sizeof line, "bone s%u { offset %s\n", (unsigned)i,
                       i == 0 ? "0 1 0" : "0 0.5 0.25");
        put_text(&file, line);
    }
    for (uint32_t i = 0; i < bones; i++) put_text(&file, "}\n");
    return file;
}

struct bytes make_anim(uint32_t seed, uint32_t frames, uint32_t bones)
{
    struct random random = {seed};
    struct bytes file = {0};
    put_u32(&file, frames);
    put_u32(&file, bones);
    for (uint32_t i = 0; i < frames * (3 * bones + 3); i++) put_f32(&file, next_float(&random, 3));
    return file;
}

enum { VIB_TABLE_AT = 6 };

struct vib_maker begin_vib(uint32_t rate, uint32_t frames)
{
    struct vib_maker vib = {0};
    put_u16(&vib.file, 0x8000);
    put_u16(&vib.file, rate);
    put_u16(&vib.file, frames);
    put_repeated(&vib.file, 0, 2 * ((size_t)frames + 1));
    return vib;
}

void add_vib_frame(struct vib_maker *vib)
{
    size_t at = VIB_TABLE_AT + 2 * (size_t)vib->frame++;
    if (vib->file.size / 2 > 0xffff) abort();
    set_u16(&vib->file, at, (uint32_t)(vib->file.size / 2));
}

static void put_part(struct bytes *file, const int *part)
{
    for (unsigned k = 0; part != NULL && k < 3; k++) put_u16(file, (uint32_t)part[k] & 0xffff);
}

void add_vib_key(struct vib_maker *vib, uint32_t object, const int *rotation, const int *scale,
                 const int *position)
{
    put_u8(&vib->file, object);
    put_u8(&vib->file,
           (rotation != NULL ? 1U : 0U) | (scale != NULL ? 2U : 0U) | (position != NULL ? 4U : 0U));
    put_part(&vib->file, rotation);
    put_part(&vib->file, scale);
    put_part(&vib->file, position);
}

struct bytes end_vib(struct vib_maker *vib)
{
    add_vib_frame(vib); /* the end of the file */
    return vib->file;
}

/* ---- output -------------------------------------------------------------------------------- */

static struct bytes take_output(const char *name, bool ok, const ossa_error *error,
                                ossa_buffer *buffer)
{
    require(ok, name, "%s", error->message);
    require(error->code == OSSA_CODE_OK, name, "an error beside the output: %s", error->message);
    struct bytes bytes = bytes_copy(buffer->data, buffer->size);
    ossa_buffer_free(buffer);
    return bytes;
}

void record_issue(void *user, const ossa_issue *issue)
{
    struct told *told = user;
    assert_int_equal(issue->severity, OSSA_SEVERITY_WARNING);
    assert_string_equal(issue->path, "");
    assert_string_equal(issue->format, "gltf");
    told->count++;
    told->code = issue->code;
    (void)snprintf(told->last, sizeof told->last, "%s", issue->message);
}

struct bytes glb_or_fail(const char *name, const ossa_scene *scene, const uint8_t *clips)
{
    return glb_with(name, scene, clips, NULL);
}

struct bytes glb_with(const char *name, const ossa_scene *scene, const uint8_t *clips,
                      const ossa_export_options *options)
{
    ossa_export_options filled = {0};
    if (options != NULL) filled = *options;
    filled.clips = clips;
    ossa_buffer buffer = {0};
    ossa_error error;
    bool ok = ossa_write_gltf(scene, &filled, ossa_buffer_sink(&buffer), (ossa_sink){0}, &error);
    return take_output(name, ok, &error, &buffer);
}

struct bytes scene_json_or_fail(const char *name, const ossa_scene *scene, const uint8_t *clips,
                                ossa_json_style style)
{
    const ossa_export_options options = {.clips = clips, .json_style = style};
    ossa_buffer buffer = {0};
    ossa_error error;
    bool ok = ossa_write_scene_json(scene, &options, ossa_buffer_sink(&buffer), &error);
    return take_output(name, ok, &error, &buffer);
}
