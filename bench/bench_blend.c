/* SPDX-License-Identifier: MIT
 *
 * What is done with poses after they are sampled, as multiples of ossa_sample in the same run.
 *
 *     bench_blend [--samples N] */
#include "ossa/sample.h"

#include "bench.h"
#include "figure.h"

enum { LAYERS = 4 };

struct job {
    const struct figure *figure;
    ossa_transform poses[LAYERS][FIGURE_BONES];
    ossa_transform out[FIGURE_BONES];
    float mask[FIGURE_BONES];
    uint32_t turn; /* so that no two samples in a row are at the same time */
};

static double next_time(struct job *job)
{
    return ((job->turn++ % FIGURE_FRAMES) + 0.37) / job->figure->clip.fps;
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

static const struct {
    const char *name;
    const char *item; /* of which one run does so many */
    double count;
    void (*run)(void *user);
} rows[] = {
    {"ossa_sample", "bone", FIGURE_BONES, do_sample},
    {"ossa_blend, 1 pose", "bone", FIGURE_BONES, do_blend_1},
    {"ossa_blend, 2 poses", "bone", FIGURE_BONES, do_blend_2},
    {"ossa_blend, 2 with masks", "bone", FIGURE_BONES, do_blend_masked},
    {"ossa_blend, 4 poses", "bone", FIGURE_BONES, do_blend_4},
    {"ossa_make_additive", "bone", FIGURE_BONES, do_make_additive},
    {"ossa_add_pose", "bone", FIGURE_BONES, do_add_pose},
    {"ossa_stay_in_place", "call", 1, do_stay_in_place},
    {"ossa_root_motion, 1/60 s", "call", 1, do_root_motion},
    {"ossa_root_motion, 31 years", "call", 1, do_far_root_motion},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

int main(int argc, char **argv)
{
    size_t samples = samples_from(argc, argv, 31);
    struct figure figure;
    static struct job job;
    make_figure(&figure, FIGURE_BONES, FIGURE_FRAMES, 0);
    job.figure = &figure;
    for (uint32_t b = 0; b < FIGURE_BONES; b++) job.mask[b] = b % 2 == 0 ? 0.5F : 1.0F;
    for (uint32_t i = 0; i < LAYERS; i++) {
        ossa_sample_frame(&figure.scene, &figure.clip, 7 * i, job.poses[i], NULL);
    }
    ossa_make_additive(&figure.scene, job.poses[3], job.poses[2], job.poses[3]);
    do_sample(&job);
    struct work works[ROWS];
    struct timing timings[ROWS];
    for (unsigned i = 0; i < ROWS; i++) works[i] = (struct work){rows[i].run, &job, 0};
    time_all(works, ROWS, samples, timings);
    printf("%d bones; times as multiples of ossa_sample between two frames (%zu rounds):\n",
           FIGURE_BONES, samples);
    printf("%-28s %10s %10s %10s\n", "", "of medians", "best, ns", "median, ns");
    for (unsigned i = 0; i < ROWS; i++) {
        printf("%-28s %10.3f %10.1f %10.1f per %s\n", rows[i].name,
               timings[i].median / timings[0].median, timings[i].best * 1e9 / rows[i].count,
               timings[i].median * 1e9 / rows[i].count, rows[i].item);
    }
    free_figure(&figure);
    return 0;
}
