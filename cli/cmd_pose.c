/* SPDX-License-Identifier: MIT
 *
 * ossa pose: the pose at a frame or a time. */
#include "load_scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The pose that is printed. */
struct shown {
    const ossa_scene *scene;
    const ossa_clip *clip; /* NULL: the rest pose */
    double frame;
    double time;
    bool is_local;
    ossa_transform *bones;
    uint8_t *visible;
};

static void print_json(const struct shown *shown)
{
    struct ossa__json json;
    json_begin(&json);
    ossa__json_begin_object(&json);
    ossa__member_uint(&json, "ossa", 1);
    json_member(&json, "clip", shown->clip == NULL ? NULL : shown->clip->name);
    ossa__member_float(&json, "frame", (float)shown->frame);
    ossa__member_float(&json, "time", (float)shown->time);
    ossa__member_text(&json, "space", shown->is_local ? "local" : "model");
    ossa__json_key(&json, "bones");
    ossa__json_begin_array(&json);
    for (uint32_t i = 0; i < shown->scene->bone_count; i++) {
        const ossa_bone *bone = &shown->scene->bones[i];
        const ossa_transform *t = &shown->bones[i];
        ossa__json_begin_object(&json);
        ossa__member_text(&json, "name", bone->name);
        ossa__member_int(&json, "parent", bone->parent);
        ossa__member_floats(&json, "translation", t->translation, 3);
        ossa__member_floats(&json, "rotation", t->rotation, 4);
        ossa__member_floats(&json, "scale", t->scale, 3);
        ossa__member_bool(&json, "visible", shown->visible[i] != 0);
        ossa__json_end_object(&json);
    }
    ossa__json_end_array(&json);
    ossa__json_end_object(&json);
    (void)json_end(&json);
}

/* Numbers in columns with a fixed number of decimals; tiny ones print as 0, not -0. */
static void print_numbers(const float *values, unsigned count, int places)
{
    const double least = 0.5 * pow(10.0, -places);
    for (unsigned i = 0; i < count; i++) {
        double value = fabs((double)values[i]) <= least ? 0.0 : (double)values[i];
        (void)printf("%9.*f ", places, value);
    }
    (void)putchar(' ');
}

static void print_text(const struct shown *shown)
{
    if (shown->clip == NULL) {
        (void)printf("rest pose");
    } else {
        (void)printf("clip ");
        print_plain(stdout, shown->clip->name);
        (void)printf(", frame %.6g of %" PRIu32 ", %.6g s", shown->frame, shown->clip->frame_count,
                     shown->time);
        print_speed(shown->clip);
    }
    (void)printf(", %s space\n", shown->is_local ? "local" : "model");
    (void)printf("%5s %6s  %-30s %-40s %-30s %s\n", "bone", "parent", "translation x y z",
                 "rotation x y z w", "scale x y z", "name");
    for (uint32_t i = 0; i < shown->scene->bone_count; i++) {
        const ossa_transform *t = &shown->bones[i];
        (void)printf("%5" PRIu32 " %6" PRId32 "  ", i, shown->scene->bones[i].parent);
        print_numbers(t->translation, 3, 5);
        print_numbers(t->rotation, 4, 6);
        print_numbers(t->scale, 3, 5);
        print_line("%s%s", shown->scene->bones[i].name, shown->visible[i] != 0 ? "" : " (hidden)");
    }
}

/* Without --clip only the first is computed: of the others there may be much. */
static bool wants_first(void *user, const char *name)
{
    struct cli *cli = user;
    (void)name;
    bool is_wanted = !cli->has_first;
    cli->known_count++;
    cli->has_first = true;
    return is_wanted;
}

/* What is left out may be that clip, and then the next one is the first. */
static void on_issue(void *user, const ossa_issue *issue)
{
    struct cli *cli = user;
    if (issue->severity >= OSSA_SEVERITY_ERROR) cli->has_first = false;
}

/* Choose the clip and the time in it; false, after a message, if they do not exist. */
static bool choose_moment(const struct cli *cli, struct shown *shown)
{
    size_t count;
    uint8_t *wanted = pick_clips(cli, shown->scene, &count);
    if (wanted == NULL) return false;
    for (uint32_t i = 0; i < shown->scene->clip_count && shown->clip == NULL; i++) {
        if (wanted[i]) shown->clip = &shown->scene->clips[i];
    }
    free(wanted);
    if (cli->scene.wants_clip == wants_first) count = cli->known_count;
    if (shown->clip == NULL && cli->frame > 0 && !cli->has_time) {
        complain("no clip, only the rest pose, so there is no frame %" PRIu32, cli->frame);
        return false;
    }
    if (shown->clip == NULL) return true;
    if (count > 1) {
        complain("%zu clips; showing the first, '%s' (choose with --clip)", count,
                 shown->clip->name);
    }
    uint32_t last = shown->clip->frame_count - 1;
    if (cli->has_time) {
        double frame = cli->time * shown->clip->fps;
        shown->frame = frame > 0.0 ? fmin(frame, (double)last) : 0.0;
    } else if (cli->frame > last) {
        complain("clip '%s' has no frame %" PRIu32 "; the last is %" PRIu32, shown->clip->name,
                 cli->frame, last);
        return false;
    } else {
        shown->frame = (double)cli->frame;
    }
    shown->time = shown->frame / shown->clip->fps;
    return true;
}

static void sample(const struct cli *cli, struct shown *shown)
{
    const ossa_scene *scene = shown->scene;
    if (shown->clip == NULL) {
        ossa_rest_pose(scene, shown->bones);
        memset(shown->visible, 1, scene->bone_count);
    } else if (cli->has_time) {
        ossa_sample(scene, shown->clip, shown->time, OSSA_WRAP_CLAMP, shown->bones, shown->visible);
    } else {
        ossa_sample_frame(scene, shown->clip, cli->frame, shown->bones, shown->visible);
    }
    if (!shown->is_local) ossa_model_pose(scene, shown->bones, shown->bones);
}

static int run(struct cli *cli)
{
    if (cli->clips.count > 1) {
        complain("a pose is of one clip: use --clip once");
        return EXIT_BAD_CALL;
    }
    cli->scene.no_textures = true;
    if (cli->clips.count == 0 && !cli->scene.join) {
        cli->scene.wants_clip = wants_first;
        cli->scene.on_issue = on_issue;
    }
    ossa_scene *scene = load_scene(cli);
    if (scene == NULL) return EXIT_BAD_DATA;
    int status = cli->left_out == 0 ? EXIT_FINE : EXIT_BAD_DATA;
    struct shown shown = {.scene = scene, .is_local = cli->space == SPACE_LOCAL};
    shown.bones = allocate(scene->bone_count, sizeof *shown.bones);
    shown.visible = allocate(scene->bone_count, 1);
    if (scene->bone_count == 0) {
        complain("the inputs contain no bones%s",
                 scene->camera_count > 0 ? "; use `ossa convert` for cameras" : "");
        status = EXIT_BAD_DATA;
    } else if (!choose_moment(cli, &shown)) { /* it may have been left out */
        status = cli->left_out == 0 ? EXIT_BAD_CALL : EXIT_BAD_DATA;
    } else {
        sample(cli, &shown);
        if (cli->json) print_json(&shown);
        else print_text(&shown);
    }
    free(shown.bones);
    free(shown.visible);
    ossa_scene_free(scene);
    return status;
}

const struct verb verb_pose = {
    .name = "pose",
    .summary = "print the pose of a skeleton at a frame or a time",
    .inputs = "[OPTIONS] FILE|FOLDER...",
    .details =
        "Combines the skeleton and animations of one game and prints one pose in scene space:\n"
        "Y up, metres, quaternions as x y z w. A folder of Evil Islands part animations is one\n"
        "clip, named after the folder; any other animation file is one clip, named after the file.",
    .example =
        "ossa pose troll/ --clip walk --frame 4\n  ossa pose --json bird.skb fly.anb --time 0.5",
    .needs_input = true,
    .run = run,
};
