/* SPDX-License-Identifier: MIT
 *
 * What is done with poses after they are sampled, as multiples of ossa_sample in the same run; and
 * whether the time for a bone stays the same when there are ten times as many.
 *
 *     bench_blend [--samples N] */
#include "ossa/sample.h"

#include "bench.h"

#include <inttypes.h>
#include <math.h>

enum { FRAMES = 64, LAYERS = 4, ON_A_LIMB = 10, SMALL = 300, LARGE = 3000 };

/* ---- a figure ------------------------------------------------------------------------------ */

/* A root that walks in a circle, and limbs of ten bones on it that all turn. */
struct figure {
    ossa_scene scene;
    ossa_clip clip;
    ossa_bone *bones;
    uint32_t *list;
    ossa_transform *constant;
    uint8_t *visible;
    float *turns;
    float *places;
};

static void turn_about(double y, double angle, float q[4])
{
    q[0] = (float)(sin(angle / 2.0) * sqrt(1.0 - y * y));
    q[1] = (float)(sin(angle / 2.0) * y);
    q[2] = 0.0F;
    q[3] = (float)cos(angle / 2.0);
}

static void make_figure(struct figure *figure, uint32_t bones)
{
    const ossa_transform rest = {{0.0F, 0.1F, 0.0F}, {0.0F, 0.0F, 0.0F, 1.0F}, {1.0F, 1.0F, 1.0F}};
    figure->bones = must(calloc(bones, sizeof *figure->bones));
    figure->list = must(calloc(bones, sizeof *figure->list));
    figure->constant = must(calloc(bones, sizeof *figure->constant));
    figure->visible = must(calloc(bones, sizeof *figure->visible));
    figure->turns = must(calloc((size_t)bones * FRAMES, 4 * sizeof *figure->turns));
    figure->places = must(calloc(FRAMES, 3 * sizeof *figure->places));
    for (uint32_t i = 0; i < bones; i++) {
        int32_t parent = i == 0 ? -1 : i % ON_A_LIMB == 1 ? 0 : (int32_t)i - 1;
        figure->bones[i] = (ossa_bone){.name = "bone", .parent = parent, .rest = rest};
        figure->constant[i] = rest;
        figure->visible[i] = 1;
        figure->list[i] = i;
    }
    for (uint32_t f = 0; f < FRAMES; f++) {
        float *turns = figure->turns + (size_t)f * bones * 4;
        turn_about(1.0, 0.02 * f, turns);
        for (uint32_t i = 1; i < bones; i++) {
            turn_about(0.6, 0.5 * sin(0.1 * f + i), turns + (size_t)i * 4);
        }
        figure->places[f * 3] = (float)sin(0.02 * f);
        figure->places[f * 3 + 2] = (float)cos(0.02 * f);
    }
    figure->clip = (ossa_clip){.name = "walk",
                               .source = "",
                               .source_format = "",
                               .fps = 30.0,
                               .frame_count = FRAMES,
                               .keys_per_frame = 1,
                               .constant = figure->constant,
                               .constant_visible = figure->visible,
                               .rotations = {bones, figure->list, figure->turns},
                               .translations = {1, figure->list, figure->places}};
    figure->scene = (ossa_scene){.name = "figure",
                                 .game = "none",
                                 .bone_count = bones,
                                 .bones = figure->bones,
                                 .clip_count = 1,
                                 .clips = &figure->clip};
    if (ossa_scene_validate(&figure->scene, NULL)) return;
    fputs("the figure is not valid\n", stderr);
    exit(1);
}

static void free_figure(struct figure *figure)
{
    free(figure->bones);
    free(figure->list);
    free(figure->constant);
    free(figure->visible);
    free(figure->turns);
    free(figure->places);
}

/* ---- work ---------------------------------------------------------------------------------- */

struct job {
    const struct figure *figure;
    ossa_transform *poses[LAYERS];
    ossa_transform *out;
    float *mask;
    uint32_t turn; /* so that no two samples in a row are at the same time */
};

static double next_time(struct job *job)
{
    return ((job->turn++ % FRAMES) + 0.37) / job->figure->clip.fps;
}

static void do_sample(void *user)
{
    struct job *job = user;
    ossa_sample(&job->figure->scene, &job->figure->clip, next_time(job), OSSA_WRAP_LOOP, job->out,
                NULL);
}

static void blend(struct job *job, size_t count, const float *mask)
{
    ossa_layer layers[LAYERS];
    for (size_t i = 0; i < count; i++) {
        layers[i] = (ossa_layer){job->poses[i], 0.2F + 0.1F * (float)i, mask};
    }
    ossa_blend(&job->figure->scene, layers, count, job->out);
}

static void do_blend_1(void *user)
{
    blend(user, 1, NULL);
}

static void do_blend_2(void *user)
{
    blend(user, 2, NULL);
}

static void do_blend_4(void *user)
{
    blend(user, 4, NULL);
}

static void do_blend_masked(void *user)
{
    struct job *job = user;
    blend(job, 2, job->mask);
}

static void do_make_additive(void *user)
{
    struct job *job = user;
    ossa_make_additive(&job->figure->scene, job->poses[0], job->poses[1], job->out);
}

static void do_add_pose(void *user)
{
    struct job *job = user;
    const ossa_layer added = {job->poses[3], 0.7F, NULL};
    ossa_add_pose(&job->figure->scene, job->poses[0], &added, job->out);
}

static void do_stay_in_place(void *user)
{
    struct job *job = user;
    ossa_stay_in_place(&job->figure->scene, job->out, NULL);
}

static void do_root_motion(void *user)
{
    struct job *job = user;
    double from = next_time(job);
    ossa_root_motion(&job->figure->scene, &job->figure->clip, from, from + 1.0 / 60.0,
                     OSSA_WRAP_LOOP, job->out);
}

static void do_far_root_motion(void *user)
{
    struct job *job = user;
    double from = next_time(job);
    ossa_root_motion(&job->figure->scene, &job->figure->clip, from, from + 1e9, OSSA_WRAP_LOOP,
                     job->out);
}

static struct job start_job(const struct figure *figure)
{
    struct job job = {.figure = figure};
    uint32_t bones = figure->scene.bone_count;
    job.out = must(calloc(bones, sizeof *job.out));
    job.mask = must(calloc(bones, sizeof *job.mask));
    for (uint32_t b = 0; b < bones; b++) job.mask[b] = b % 2 == 0 ? 0.5F : 1.0F;
    for (uint32_t i = 0; i < LAYERS; i++) {
        job.poses[i] = must(calloc(bones, sizeof *job.out));
        ossa_sample_frame(&figure->scene, &figure->clip, 7 * i, job.poses[i], NULL);
    }
    ossa_make_additive(&figure->scene, job.poses[3], job.poses[2], job.poses[3]);
    return job;
}

static void end_job(struct job *job)
{
    for (unsigned i = 0; i < LAYERS; i++) free(job->poses[i]);
    free(job->out);
    free(job->mask);
}

/* ---- the table ----------------------------------------------------------------------------- */

static void print_row(struct job *job, const char *name, void (*run)(void *), bool is_whole,
                      size_t samples)
{
    struct work work = {run, job, 0};
    double times = ratio(work, (struct work){do_sample, job, 0}, samples);
    calibrate(&work);
    double alone[LARGEST_SAMPLES] = {0};
    for (size_t i = 0; i < samples; i++) alone[i] = time_of(&work);
    double nanoseconds = median(alone, samples) * 1e9;
    if (is_whole) nanoseconds /= job->figure->scene.bone_count;
    printf("%-28s %10.3f %10.1f ns a %s\n", name, times, nanoseconds, is_whole ? "bone" : "call");
    (void)fflush(stdout);
}

static void print_growth(struct job *few, struct job *many, const char *name, void (*run)(void *),
                         size_t samples)
{
    double times = ratio((struct work){run, many, 0}, (struct work){run, few, 0}, samples);
    uint32_t small = few->figure->scene.bone_count;
    uint32_t large = many->figure->scene.bone_count;
    printf("%-28s %" PRIu32 " bones instead of %" PRIu32 ": %.2f times as long for each\n", name,
           large, small, times * small / large);
    (void)fflush(stdout);
}

int main(int argc, char **argv)
{
    size_t samples = samples_from(argc, argv, 31);
    struct figure figures[2];
    make_figure(&figures[0], SMALL);
    make_figure(&figures[1], LARGE);
    struct job job = start_job(&figures[0]);
    struct job large = start_job(&figures[1]);
    printf("%d bones; times as multiples of ossa_sample between two frames (medians of %zu):\n",
           SMALL, samples);
    printf("%-28s %10s\n", "", "times");
    print_row(&job, "ossa_blend, 1 pose", do_blend_1, true, samples);
    print_row(&job, "ossa_blend, 2 poses", do_blend_2, true, samples);
    print_row(&job, "ossa_blend, 2 with masks", do_blend_masked, true, samples);
    print_row(&job, "ossa_blend, 4 poses", do_blend_4, true, samples);
    print_row(&job, "ossa_make_additive", do_make_additive, true, samples);
    print_row(&job, "ossa_add_pose", do_add_pose, true, samples);
    do_sample(&job);
    print_row(&job, "ossa_stay_in_place", do_stay_in_place, false, samples);
    print_row(&job, "ossa_root_motion, 1/60 s", do_root_motion, false, samples);
    print_row(&job, "ossa_root_motion, 31 years", do_far_root_motion, false, samples);
    printf("\nGrowth:\n");
    print_growth(&job, &large, "ossa_blend, 2 poses", do_blend_2, samples);
    print_growth(&job, &large, "ossa_blend, 4 poses", do_blend_4, samples);
    print_growth(&job, &large, "ossa_add_pose", do_add_pose, samples);
    end_job(&job);
    end_job(&large);
    free_figure(&figures[0]);
    free_figure(&figures[1]);
    return 0;
}
