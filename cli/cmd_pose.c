/* SPDX-License-Identifier: MIT
 *
 * ossa pose: where every bone is at a frame or a time. */
#include "load_scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is shown. */
struct shown {
    const ossa_scene *scene;
    const ossa_clip *clip; /* NULL: the rest pose */
    double frame;
    double time;
    bool is_local;
    ossa_transform *bones;
    uint8_t *visible;
};

static void write_floats(struct ossa__json *json, const char *key, const float *values,
                         unsigned count)
{
    ossa__json_key(json, key);
    ossa__json_floats(json, values, count);
}

static void print_json(const struct shown *shown)
{
    struct ossa__json json;
    ossa__json_start(&json, stdout_sink(), OSSA_JSON_STYLE_LINE);
    ossa__json_begin_object(&json);
    ossa__json_key(&json, "ossa");
    ossa__json_uint(&json, 1);
    ossa__json_key(&json, "clip");
    if (shown->clip == NULL) ossa__json_null(&json);
    else ossa__json_string(&json, shown->clip->name);
    ossa__json_key(&json, "frame");
    ossa__json_float(&json, (float)shown->frame);
    ossa__json_key(&json, "time");
    ossa__json_float(&json, (float)shown->time);
    ossa__json_key(&json, "space");
    ossa__json_string(&json, shown->is_local ? "local" : "model");
    ossa__json_key(&json, "bones");
    ossa__json_begin_array(&json);
    for (uint32_t i = 0; i < shown->scene->bone_count; i++) {
        const ossa_bone *bone = &shown->scene->bones[i];
        const ossa_transform *t = &shown->bones[i];
        ossa__json_begin_object(&json);
        ossa__json_key(&json, "name");
        ossa__json_string(&json, bone->name);
        ossa__json_key(&json, "parent");
        ossa__json_int(&json, bone->parent);
        write_floats(&json, "translation", t->translation, 3);
        write_floats(&json, "rotation", t->rotation, 4);
        write_floats(&json, "scale", t->scale, 3);
        ossa__json_key(&json, "visible");
        ossa__json_bool(&json, shown->visible[i] != 0);
        ossa__json_end_object(&json);
    }
    ossa__json_end_array(&json);
    ossa__json_end_object(&json);
    ossa__json_raw(&json, "\n");
    (void)ossa__json_finish(&json);
}

/* Numbers with so many places, in columns; one that rounds to nothing is 0, not -0. */
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
        (void)printf("the rest pose");
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
        print_plain(stdout, shown->scene->bones[i].name);
        (void)printf("%s\n", shown->visible[i] != 0 ? "" : " (hidden)");
    }
}

/* Which clip and which moment of it; false, with a message, when there is no such. */
static bool choose_moment(const struct cli *cli, struct shown *shown)
{
    size_t count;
    uint8_t *wanted = pick_clips(cli, shown->scene, &count);
    if (wanted == NULL) return false;
    for (uint32_t i = 0; i < shown->scene->clip_count && shown->clip == NULL; i++) {
        if (wanted[i]) shown->clip = &shown->scene->clips[i];
    }
    free(wanted);
    if (shown->clip == NULL && cli->frame > 0 && !cli->has_time) {
        complain("there is no clip, only the rest pose, and no frame %" PRIu32, cli->frame);
        return false;
    }
    if (shown->clip == NULL) return true;
    if (count > 1) {
        complain("%zu clips; this is the first, '%s' (--clip chooses)", count, shown->clip->name);
    }
    uint32_t last = shown->clip->frame_count - 1;
    if (cli->has_time) {
        double frame = cli->time * shown->clip->fps;
        shown->frame = frame > 0.0 ? fmin(frame, (double)last) : 0.0;
    } else if (cli->frame > last) {
        complain("the clip '%s' has no frame %" PRIu32 "; its last is %" PRIu32, shown->clip->name,
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

int cmd_pose(struct cli *cli)
{
    int status;
    ossa_scene *scene = load_scene(cli, &status);
    if (scene == NULL) return status;
    struct shown shown = {.scene = scene, .is_local = cli->is_local};
    shown.bones = calloc(scene->bone_count + 1U, sizeof *shown.bones);
    shown.visible = calloc(scene->bone_count + 1U, 1);
    if (shown.bones == NULL || shown.visible == NULL) {
        complain("no memory for the pose");
        status = EXIT_BAD_DATA;
    } else if (scene->bone_count == 0) {
        complain("there is not a single bone in the inputs%s",
                 scene->camera_count > 0 ? "; `ossa convert` shows cameras" : "");
        status = EXIT_BAD_DATA;
    } else if (!choose_moment(cli, &shown)) {
        status = EXIT_BAD_CALL;
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
