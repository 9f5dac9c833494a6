/* SPDX-License-Identifier: MIT
 *
 * A character that walks, speeds up over a second, and runs, as a game would move it:
 *
 *     walk_to_run pedestrian/ped.skel pedestrian/walk.anim pedestrian/run.anim
 *
 * Three things come together: both cycles are kept in step, their poses are blended, and the root
 * motion of the blend moves the character through the world. Nothing here allocates once the files
 * are loaded. */
#include "file_io.h"

#include <ossa/sample.h>

#include <math.h>
#include <string.h>

enum { WALK, RUN, CLIPS };
enum { FILES = 3 };

static const double step = 1.0 / 60.0; /* the game's own frame, in seconds */
static const double fade_start = 1.0;
static const double fade_end = 2.0;
static const double last_time = 3.0;
static const unsigned steps_a_row = 15; /* of the table */

struct character {
    const ossa_scene *scene;
    const ossa_clip *clips[CLIPS];
    uint32_t head;
    ossa_transform *poses[CLIPS]; /* buffers, each as large as the skeleton */
    ossa_transform *pose;
    double phase;         /* of the stride, in strides: 3.25 is a quarter into the fourth */
    ossa_transform world; /* where the character is */
    double travelled;
};

/* ---- a frame of the game ------------------------------------------------------------------- */

static double length_of(const ossa_clip *clip)
{
    return clip->frame_count / clip->fps;
}

/* world = world * motion. Your engine has this already. Here both turn about Y only, so that y and
 * w of the quaternions, the sine and cosine of half the angle, are all there is to it. */
static void move(ossa_transform *world, const ossa_transform *motion)
{
    double s = (double)world->rotation[1];
    double c = (double)world->rotation[3];
    double ms = (double)motion->rotation[1];
    double mc = (double)motion->rotation[3];
    double x = (double)motion->translation[0];
    double z = (double)motion->translation[2];
    world->translation[0] += (float)((c * c - s * s) * x + 2.0 * s * c * z);
    world->translation[2] += (float)((c * c - s * s) * z - 2.0 * s * c * x);
    double sine = s * mc + c * ms;
    double cosine = c * mc - s * ms;
    double length = sqrt(sine * sine + cosine * cosine); /* or it drifts in the long run */
    world->rotation[1] = (float)(sine / length);
    world->rotation[3] = (float)(cosine / length);
}

/* A motion is a transform as a bone's is: a skeleton of one bone blends it by the same rules. */
static ossa_transform blend_motions(const ossa_transform motions[CLIPS], const float weights[CLIPS])
{
    const ossa_bone bone = {
        .name = "motion", .parent = -1, .rest = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}}};
    const ossa_scene one = {.bone_count = 1, .bones = &bone};
    ossa_layer layers[CLIPS];
    for (int i = 0; i < CLIPS; i++) layers[i] = (ossa_layer){&motions[i], weights[i], NULL};
    ossa_transform blended;
    ossa_blend(&one, layers, CLIPS, &blended);
    return blended;
}

/* One frame of the game: `weight` is how much of a run it is, 0 to 1. */
static void advance(struct character *character, double weight, double seconds)
{
    const ossa_scene *scene = character->scene;
    const float weights[CLIPS] = {(float)(1.0 - weight), (float)weight};

    /* A walk and a run are of different lengths. Played each at its own speed, the left foot of one
     * would blend with the right foot of the other. So there is one phase for both, and the blend
     * of their rates makes it go on. */
    double strides_a_second = (1.0 - weight) / length_of(character->clips[WALK]) +
                              weight / length_of(character->clips[RUN]);
    double before = character->phase;
    double now = before + seconds * strides_a_second;
    character->phase = now;

    ossa_layer layers[CLIPS];
    ossa_transform motions[CLIPS];
    for (int i = 0; i < CLIPS; i++) {
        const ossa_clip *clip = character->clips[i];
        double length = length_of(clip);
        /* The pose without its displacement: otherwise a walker one metre along his stride would be
         * blended with a runner who has just begun his. */
        ossa_sample(scene, clip, now * length, OSSA_WRAP_LOOP, character->poses[i], NULL);
        ossa_stay_in_place(scene, character->poses[i], NULL);
        /* What was removed, as a motion. The phase continues past the end of the clip: each cycle
         * begins where the last one ended. */
        ossa_root_motion(scene, clip, before * length, now * length, OSSA_WRAP_LOOP, &motions[i]);
        layers[i] = (ossa_layer){character->poses[i], weights[i], NULL};
    }
    ossa_blend(scene, layers, CLIPS, character->pose); /* at 0 and at 1 it is one clip, exactly */
    ossa_transform motion = blend_motions(motions, weights);
    move(&character->world, &motion);
    character->travelled += hypot((double)motion.translation[0], (double)motion.translation[2]);
}

/* ---- the table ----------------------------------------------------------------------------- */

static void print_row(struct character *character, double time, double weight, double speed)
{
    /* From the parents to the model: in place, the pose of this frame is not needed any more. The
     * ground is level, so that a height in the model is one in the world. */
    ossa_model_pose(character->scene, character->pose, character->pose);
    printf("%5.2f  %6.2f  %5.2f  %8.3f %8.3f  %11.3f\n", time, weight, speed,
           (double)character->world.translation[0], (double)character->world.translation[2],
           (double)character->pose[character->head].translation[1]);
}

static void run(struct character *character)
{
    double last = 0.0;
    unsigned steps = (unsigned)(last_time / step + 0.5);
    /* Begin where the clip does: then the world times the pose is the clip as it was made. */
    ossa_sample(character->scene, character->clips[WALK], 0.0, OSSA_WRAP_LOOP, character->pose,
                NULL);
    ossa_ground(character->scene, character->pose, &character->world);
    printf(" time  weight  speed         x        z  head height\n");
    for (unsigned i = 1; i <= steps; i++) {
        double time = i * step;
        double weight = (time - fade_start) / (fade_end - fade_start);
        weight = weight < 0.0 ? 0.0 : weight > 1.0 ? 1.0 : weight;
        advance(character, weight, step);
        if (i % steps_a_row != 0) continue;
        double speed = (character->travelled - last) / (steps_a_row * step);
        print_row(character, time, weight, speed);
        last = character->travelled;
    }
    printf("travelled %.3f m\n", character->travelled);
}

/* ---- before the game starts ---------------------------------------------------------------- */

static bool find_bone(const ossa_scene *scene, const char *name, uint32_t *bone)
{
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        if (strcmp(scene->bones[i].name, name) != 0) continue;
        *bone = i;
        return true;
    }
    return false;
}

static bool start(struct character *character, const ossa_scene *scene)
{
    *character = (struct character){.scene = scene};
    character->clips[WALK] = ossa_scene_find_clip(scene, "walk");
    character->clips[RUN] = ossa_scene_find_clip(scene, "run");
    if (character->clips[WALK] == NULL || character->clips[RUN] == NULL ||
        !find_bone(scene, "head", &character->head)) {
        fputs("expected the clips 'walk' and 'run' and a bone 'head'\n", stderr);
        return false;
    }
    size_t size = scene->bone_count * sizeof(ossa_transform);
    character->pose = malloc(size);
    bool good = character->pose != NULL;
    for (int i = 0; i < CLIPS; i++) {
        character->poses[i] = malloc(size);
        good = good && character->poses[i] != NULL;
    }
    return good;
}

/* The files of one character as a scene; see pose_scene.c for more on this. */
static ossa_scene *load_scene(char **paths)
{
    void *data[FILES] = {0};
    ossa_input inputs[FILES] = {{0}};
    ossa_error error;
    bool good = true;
    for (size_t i = 0; good && i < FILES; i++) {
        size_t size;
        ossa_options options = {.name = paths[i]};
        data[i] = load_file(paths[i], &size);
        inputs[i].path = paths[i];
        if (data[i] != NULL) inputs[i].file = ossa_read(data[i], size, &options, &error);
        good = inputs[i].file != NULL;
        if (data[i] != NULL && !good) print_error(paths[i], &error);
    }
    ossa_scene *scene = good ? ossa_assemble(inputs, FILES, NULL, &error) : NULL;
    if (good && scene == NULL) print_error("the files do not fit", &error);
    for (size_t i = 0; i < FILES; i++) {
        ossa_file_free(inputs[i].file);
        free(data[i]);
    }
    return scene;
}

int main(int argc, char **argv)
{
    if (argc != FILES + 1) {
        fputs("usage: walk_to_run SKELETON WALK RUN\n", stderr);
        return 2;
    }
    ossa_scene *scene = load_scene(argv + 1);
    if (scene == NULL) return 1;
    struct character character;
    bool good = start(&character, scene);
    if (good) run(&character);
    for (int i = 0; i < CLIPS; i++) free(character.poses[i]);
    free(character.pose);
    ossa_scene_free(scene);
    return good ? 0 : 1;
}
