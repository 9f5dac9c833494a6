/* SPDX-License-Identifier: MIT
 *
 * Put the files of a character together and pose it: for each clip, where every bone is at a few
 * times:
 *
 *     pose_scene bird/bird.skb bird/fly.anb bird/glide.anb
 *
 * The paths matter: in Evil Islands a clip is called by its folder, and a part by its file. */
#include "file_io.h"

#include <ossa/sample.h>

enum { TIMES = 3 };

struct loaded {
    void *data;
    ossa_file *file;
};

static ossa_file *read_one(const char *path, struct loaded *loaded)
{
    size_t size;
    loaded->data = load_file(path, &size);
    if (loaded->data == NULL) return NULL;
    ossa_error error;
    ossa_options options = {.name = path};
    loaded->file = ossa_read(loaded->data, size, &options, &error);
    if (loaded->file == NULL) print_error(path, &error);
    return loaded->file;
}

/* Warnings come while the scene is made: a part without an animation, a missing skeleton. */
static void print_warning(void *user, const ossa_issue *issue)
{
    char text[1024];
    (void)user;
    (void)ossa_issue_text(issue, text, sizeof text);
    fprintf(stderr, "warning: %s\n", text);
}

static void print_pose(const ossa_scene *scene, const ossa_clip *clip, double seconds,
                       ossa_transform *pose, uint8_t *visible)
{
    /* Any time is fine; a frame's time gives that frame, bit for bit. A game that plays a clip
     * over and over asks with OSSA_WRAP_LOOP. */
    ossa_sample(scene, clip, seconds, OSSA_WRAP_CLAMP, pose, visible);
    ossa_model_pose(scene, pose, pose); /* in place: from the parents to the model */
    printf("  at %.3f s\n", seconds);
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        const float *p = pose[i].translation;
        const float *q = pose[i].rotation;
        int32_t parent = scene->bones[i].parent;
        printf("    %-12s on %-12s %7.3f %7.3f %7.3f  turned %6.3f %6.3f %6.3f %6.3f%s\n",
               scene->bones[i].name, parent < 0 ? "nothing" : scene->bones[parent].name,
               (double)p[0], (double)p[1], (double)p[2], (double)q[0], (double)q[1], (double)q[2],
               (double)q[3], visible[i] ? "" : "  (hidden)");
    }
}

static bool print_scene(const ossa_scene *scene)
{
    /* The buffers are yours, and as large as the skeleton; nothing else is needed for a pose. */
    ossa_transform *pose = calloc(scene->bone_count + 1U, sizeof *pose);
    uint8_t *visible = calloc(scene->bone_count + 1U, sizeof *visible);
    bool good = pose != NULL && visible != NULL;
    printf("%s, of %s: %u bones, %u clips, %u meshes\n", scene->name, scene->game,
           (unsigned)scene->bone_count, (unsigned)scene->clip_count, (unsigned)scene->mesh_count);
    for (uint32_t c = 0; good && c < scene->clip_count; c++) {
        const ossa_clip *clip = &scene->clips[c];
        double length = clip->frame_count / clip->fps;
        printf("%s: %u frames, %g a second, %g s\n", clip->name, (unsigned)clip->frame_count,
               clip->fps, length);
        for (unsigned i = 0; i < TIMES; i++) {
            print_pose(scene, clip, length * i / TIMES, pose, visible);
        }
    }
    free(pose);
    free(visible);
    return good;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fputs("usage: pose_scene FILE...\n", stderr);
        return 2;
    }
    size_t count = (size_t)argc - 1;
    struct loaded *loaded = calloc(count, sizeof *loaded);
    ossa_input *inputs = calloc(count, sizeof *inputs);
    bool good = loaded != NULL && inputs != NULL;
    for (size_t i = 0; good && i < count; i++) {
        inputs[i].path = argv[i + 1];
        inputs[i].file = read_one(argv[i + 1], &loaded[i]);
        good = inputs[i].file != NULL;
    }
    ossa_scene *scene = NULL;
    if (good) {
        ossa_error error;
        ossa_scene_options options = {.on_issue = print_warning};
        scene = ossa_assemble(inputs, count, &options, &error);
        if (scene == NULL) print_error("the files do not fit", &error);
    }
    /* The scene has copies of all it needs: the files can go. */
    for (size_t i = 0; loaded != NULL && i < count; i++) {
        ossa_file_free(loaded[i].file);
        free(loaded[i].data);
    }
    free(loaded);
    free(inputs);
    good = scene != NULL && print_scene(scene);
    ossa_scene_free(scene);
    return good ? 0 : 1;
}
