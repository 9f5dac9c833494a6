/* SPDX-License-Identifier: MIT
 *
 * What a GLB costs: as a multiple of a memcpy of as many bytes, and how time and memory grow with
 * bones, frames, clips, meshes and shapes. The sink takes the bytes and drops them, so that only
 * the writer is measured.
 *
 *     bench_gltf [--samples N] */
#include "ossa/export.h"

#include "bench.h"
#include "figure.h"

#include <inttypes.h>
#include <math.h>

/* ---- a scene ------------------------------------------------------------------------------- */

struct plan {
    uint32_t bones;
    uint32_t frames;
    uint32_t clips;
    uint32_t meshes;
    uint32_t targets; /* of the first mesh, which has another shape in every frame */
};

struct made {
    struct plan plan;
    struct figure figure; /* whose keys all clips have */
    ossa_scene scene;
    char (*names)[16];
    int32_t *shapes;
    float (*targets)[3];
    ossa_clip *clips;
    ossa_mesh *meshes;
};

static void make_clips(struct made *made)
{
    const struct plan *plan = &made->plan;
    static const uint32_t first = 0;
    made->shapes = must(calloc(plan->frames, sizeof *made->shapes));
    made->clips = must(calloc(plan->clips, sizeof *made->clips));
    for (uint32_t f = 0; f < plan->frames; f++) {
        made->shapes[f] = plan->targets == 0 ? -1 : (int32_t)(f % plan->targets);
    }
    for (uint32_t c = 0; c < plan->clips; c++) {
        made->clips[c] = made->figure.clip;
        made->clips[c].name = made->names[c];
        if (plan->targets > 0) made->clips[c].morphs = (ossa_morph_tracks){1, &first, made->shapes};
    }
}

static void make_meshes(struct made *made)
{
    static const float corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t indices[3] = {0, 1, 2};
    const struct plan *plan = &made->plan;
    made->meshes = must(calloc(plan->meshes + 1U, sizeof *made->meshes));
    made->targets = must(calloc(plan->targets + 1U, 3 * sizeof *made->targets));
    for (uint32_t i = 0; i < plan->meshes; i++) {
        made->meshes[i] = (ossa_mesh){.name = made->names[i],
                                      .bone = i,
                                      .vertex_count = 3,
                                      .positions = corners,
                                      .material = -1,
                                      .index_count = 3,
                                      .indices = indices};
    }
    made->meshes[0].target_count = plan->meshes == 0 ? 0 : plan->targets;
    made->meshes[0].targets = (const float(*)[3])made->targets;
}

static struct made *make(struct plan plan)
{
    struct made *made = must(calloc(1, sizeof *made));
    uint32_t names = plan.meshes > plan.clips ? plan.meshes : plan.clips;
    made->plan = plan;
    made->names = must(calloc(names, sizeof *made->names));
    for (uint32_t i = 0; i < names; i++) {
        (void)snprintf(made->names[i], sizeof made->names[i], "n%06" PRIu32, i);
    }
    make_figure(&made->figure, plan.bones, plan.frames, 0);
    make_clips(made);
    make_meshes(made);
    made->scene = made->figure.scene;
    made->scene.clip_count = plan.clips;
    made->scene.clips = made->clips;
    made->scene.mesh_count = plan.meshes;
    made->scene.meshes = made->meshes;
    return made;
}

static void unmake(struct made *made)
{
    void *const all[] = {made->names, made->shapes, made->targets, made->clips, made->meshes, made};
    free_figure(&made->figure);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
}

/* ---- what is measured ---------------------------------------------------------------------- */

struct job {
    struct made *made;
    size_t written;
    size_t live; /* memory of the writer */
    size_t peak;
    uint8_t *from; /* for the copy */
    uint8_t *to;
};

static bool drop(void *user, const void *bytes, size_t size)
{
    struct job *job = user;
    (void)bytes;
    job->written += size;
    return true;
}

static void *counted_allocate(void *user, size_t size)
{
    struct job *job = user;
    job->live += size;
    if (job->live > job->peak) job->peak = job->live;
    return malloc(size);
}

static void counted_release(void *user, void *memory, size_t size)
{
    struct job *job = user;
    job->live -= size;
    free(memory);
}

static void do_gltf(void *user)
{
    struct job *job = user;
    ossa_error error;
    const ossa_export_options options = {.allocator = {counted_allocate, counted_release, job}};
    job->written = 0;
    if (ossa_write_gltf(&job->made->scene, &options, (ossa_sink){drop, job}, (ossa_sink){0},
                        &error)) {
        return;
    }
    fprintf(stderr, "the GLB could not be written: %s\n", error.message);
    exit(1);
}

static void do_validate(void *user)
{
    struct job *job = user;
    if (!ossa_scene_validate(&job->made->scene, NULL)) exit(1);
}

/* Behind a pointer that the compiler cannot see through: the copy must really be made. */
static void *(*volatile copy_bytes)(void *, const void *, size_t) = memcpy;

static void do_copy(void *user)
{
    struct job *job = user;
    (void)copy_bytes(job->to, job->from, job->written);
}

/* ---- the table ----------------------------------------------------------------------------- */

static void print_row(const char *name, struct plan plan, size_t samples)
{
    struct job job = {.made = make(plan)};
    do_gltf(&job);
    job.from = must(calloc(job.written, 1));
    job.to = must(calloc(job.written, 1));
    struct work work = {do_gltf, &job, 0};
    struct work copy = {do_copy, &job, 0};
    double times = ratio(work, copy, samples);
    double checks = ratio((struct work){do_validate, &job, 0}, copy, samples);
    calibrate(&work);
    double best = time_of(&work);
    for (size_t i = 0; i < samples; i++) best = fmin(best, time_of(&work));
    printf("%-34s %12zu %8.2f %8.2f %12zu %10.4f\n", name, job.written, times, checks, job.peak,
           best * 1e3);
    (void)fflush(stdout);
    free(job.from);
    free(job.to);
    unmake(job.made);
}

/* Time and memory of ten times as much of something, over ten times those of the smaller scene: 1
 * where it is linear. */
static void print_growth(const char *name, struct plan small, struct plan large, size_t samples)
{
    struct job few = {.made = make(small)};
    struct job many = {.made = make(large)};
    double times =
        ratio((struct work){do_gltf, &many, 0}, (struct work){do_gltf, &few, 0}, samples);
    printf("%-34s %8.2f %8.2f %8.2f\n", name, times / 10.0,
           (double)many.peak / (double)few.peak / 10.0,
           (double)many.written / (double)few.written / 10.0);
    (void)fflush(stdout);
    unmake(few.made);
    unmake(many.made);
}

int main(int argc, char **argv)
{
    size_t samples = samples_from(argc, argv, 31);
    size_t few = samples < 5 ? samples : 5;
    printf("Times as multiples of a memcpy of the bytes that come out (medians of %zu):\n",
           samples);
    printf("%-34s %12s %8s %8s %12s %10s\n", "", "bytes", "times", "(check)", "memory", "best ms");
    print_row("64 bones, 300 frames", (struct plan){64, 300, 1, 0, 0}, samples);
    print_row("300 bones, 3,000 frames", (struct plan){300, 3000, 1, 0, 0}, few);
    print_row("10,000 clips of 16 bones, 8 frames", (struct plan){16, 8, 10000, 0, 0}, few);
    print_row("1,000 frames, 1,000 shapes", (struct plan){2, 1000, 1, 2, 1000}, few);
    printf("\nTen times as many, over ten: time, memory, bytes\n");
    print_growth("bones", (struct plan){100, 30, 1, 0, 0}, (struct plan){1000, 30, 1, 0, 0}, few);
    print_growth("frames", (struct plan){64, 300, 1, 0, 0}, (struct plan){64, 3000, 1, 0, 0}, few);
    print_growth("clips", (struct plan){16, 8, 1000, 0, 0}, (struct plan){16, 8, 10000, 0, 0}, few);
    print_growth("meshes", (struct plan){5000, 2, 1, 500, 0}, (struct plan){5000, 2, 1, 5000, 0},
                 few);
    print_growth("frames and shapes", (struct plan){2, 500, 1, 2, 500},
                 (struct plan){2, 5000, 1, 2, 5000}, few);
    return 0;
}
