/* SPDX-License-Identifier: MIT
 *
 * Runs every piece of C in README.md and docs/ (extract.awk) in the folder samples/packed. */
#include "given.h"

#include <stdlib.h>
#include <string.h>

const void *bytes;
size_t size;
ossa_error error;
ossa_file *file;
ossa_file *archive;
ossa_file *links;
ossa_file *head;
ossa_scene *scene;
const ossa_clip *clip;
double seconds = 0.5;
ossa_transform *locals;
float (*matrices)[16];
float (*inverse_binds)[16];
float *weights;
float (*positions)[3];
float (*normals)[3];
ossa_sink sink;
void *image;
uint64_t image_size;

static ossa_buffer output;
static bool failed;

void print_issue(void *user, const ossa_issue *issue)
{
    (void)user;
    printf("%s\n", issue->message);
}

bool read_image(void *from, uint64_t offset, void *to, size_t count)
{
    memcpy(to, (const uint8_t *)from + offset, count);
    return true;
}

int complain(FILE *stream, const char *format, ...)
{
    (void)stream;
    printf("complains: %s", format);
    failed = true;
    return 0;
}

static void require(bool ok, const char *what)
{
    if (ok) return;
    printf("%s: %s\n", what, error.message);
    exit(1);
}

static void *load_file(const char *path, size_t *length)
{
    enum { CAPACITY = 1 << 20 };
    FILE *stream = fopen(path, "rb");
    void *data = malloc(CAPACITY);
    require(stream != NULL && data != NULL, path);
    *length = fread(data, 1, CAPACITY, stream);
    (void)fclose(stream);
    require(*length > 0 && *length < CAPACITY, path);
    return data;
}

/* Files are small and few, so they are never freed. */
static ossa_file *read_sample(const char *path)
{
    size_t length;
    const void *data = load_file(path, &length);
    ossa_file *read = ossa_read(data, length, NULL, &error);
    require(read != NULL, path);
    return read;
}

static void *room(size_t count, size_t item)
{
    void *memory = calloc(count + 1, item);
    require(memory != NULL, "no memory");
    return memory;
}

static void prepare(void)
{
    static const char *const paths[] = {"figures.res#wyvern", "textures.res"};
    bytes = load_file("../troll/walk/hd.anm", &size);
    file = read_sample("../troll/walk/hd.anm");
    archive = read_sample("figures.res");
    links = read_sample("../troll/troll.lnk");
    head = read_sample("../troll/walk/hd.anm");
    ossa_workspace *workspace = ossa_workspace_new(NULL, &error);
    require(workspace != NULL, "no workspace");
    scene = ossa_workspace_scene(workspace, paths, 2, NULL, &error);
    require(scene != NULL && scene->clip_count > 0 && scene->mesh_count > 0, "no scene");
    clip = &scene->clips[0];
    locals = room(scene->bone_count, sizeof *locals);
    matrices = room(scene->bone_count, sizeof *matrices);
    weights = room(scene->meshes[0].target_count, sizeof *weights);
    positions = room(scene->meshes[0].vertex_count, sizeof *positions);
    normals = room(scene->meshes[0].vertex_count, sizeof *normals);
    inverse_binds = room(scene->bone_count, sizeof *inverse_binds);
    size_t length;
    image = load_file("colossus.iso", &length);
    image_size = length;
    sink = ossa_buffer_sink(&output);
    memset(&error, 0, sizeof error);
}

int main(void)
{
    size_t count = 0;
    for (const struct snippet *snippet = snippets; snippet->run != NULL; snippet++) {
        prepare();
        int status = snippet->run();
        if (status == 0 && error.code == OSSA_CODE_OK && !failed) {
            count++;
            continue;
        }
        printf("%s: status %d, error: %s\n", snippet->place, status, error.message);
        return 1;
    }
    if (output.size == 0) return 1; /* the .glb that some of them write */
    printf("%zu snippets ran\n", count);
    return 0;
}
