/* SPDX-License-Identifier: MIT
 *
 * What reading files and assembling them into a scene costs for each key, and whether many clips
 * cost as many times what one does. The files are a skeleton and animations of Shadow of the
 * Colossus, whose keys are packed: nothing else asks as much of the assembly.
 *
 *     bench_assemble [--samples N] */
#include "ossa/export.h"
#include "ossa/ossa.h"

#include "bench.h"
#include "figure.h"

#include <inttypes.h>

enum { FEW_FRAMES = 24, MANY_CLIPS = 4000 };

static ossa_file *read_or_exit(const struct bytes *bytes)
{
    ossa_error error;
    ossa_file *file = ossa_read(bytes->data, bytes->size, NULL, &error);
    if (file != NULL && file->issue_count == 0) return file;
    fprintf(stderr, "%s\n", file != NULL ? file->issues[0].message : error.message);
    exit(1);
}

/* ---- work ---------------------------------------------------------------------------------- */

struct job {
    uint32_t count; /* of inputs: a skeleton, then animations */
    uint32_t frames;
    struct bytes *bytes;
    char (*paths)[32];
    ossa_input *inputs;
    ossa_scene_options options;
    ossa_buffer buffer;
    uint8_t *copy; /* of the keys */
    uint8_t *keys;
};

static struct job make_job(uint32_t clips, uint32_t frames)
{
    struct job job = {.count = clips + 1, .frames = frames};
    job.bytes = must(calloc(job.count, sizeof *job.bytes));
    job.paths = must(calloc(job.count, sizeof *job.paths));
    job.inputs = must(calloc(job.count, sizeof *job.inputs));
    job.copy = must(malloc((size_t)FIGURE_BONES * frames * 16));
    job.keys = must(calloc((size_t)FIGURE_BONES * frames, 16));
    for (uint32_t i = 0; i < job.count; i++) {
        job.bytes[i] = i == 0 ? make_skb(FIGURE_BONES) : make_anb(FIGURE_BONES, frames, i);
        if (i == 0) (void)snprintf(job.paths[i], sizeof job.paths[i], "bird.skb");
        else (void)snprintf(job.paths[i], sizeof job.paths[i], "fly%05" PRIu32 ".anb", i - 1);
        job.inputs[i] = (ossa_input){.path = job.paths[i], .file = read_or_exit(&job.bytes[i])};
    }
    return job;
}

static void free_job(struct job *job)
{
    for (uint32_t i = 0; i < job->count; i++) {
        ossa_file_free(job->inputs[i].file);
        free(job->bytes[i].data);
    }
    ossa_buffer_free(&job->buffer);
    free(job->bytes);
    free(job->paths);
    free(job->inputs);
    free(job->copy);
    free(job->keys);
}

/* Behind a pointer that the compiler cannot see through: the copy must really be made. */
static void *(*volatile copy_bytes)(void *, const void *, size_t) = memcpy;

static void do_copy(void *user)
{
    const struct job *job = user;
    (void)copy_bytes(job->copy, job->keys, (size_t)FIGURE_BONES * job->frames * 16);
}

static void do_read(void *user)
{
    const struct job *job = user;
    for (uint32_t i = 0; i < job->count; i++) ossa_file_free(read_or_exit(&job->bytes[i]));
}

static ossa_scene *assemble(const struct job *job)
{
    ossa_error error;
    ossa_scene *scene = ossa_assemble(job->inputs, job->count, &job->options, &error);
    if (scene != NULL) return scene;
    fprintf(stderr, "%s: %s\n", error.path, error.message);
    exit(1);
}

static void do_assemble(void *user)
{
    ossa_scene_free(assemble(user));
}

static void do_validate(void *user)
{
    ossa_error error;
    if (ossa_scene_validate(user, &error)) return;
    fprintf(stderr, "%s: %s\n", error.field, error.message);
    exit(1);
}

static void do_all(void *user)
{
    struct job *job = user;
    struct job own = *job;
    ossa_input inputs[2] = {job->inputs[0], job->inputs[1]};
    for (unsigned i = 0; i < 2; i++) inputs[i].file = read_or_exit(&job->bytes[i]);
    own.inputs = inputs;
    ossa_scene *scene = assemble(&own);
    for (unsigned i = 0; i < 2; i++) ossa_file_free(inputs[i].file);
    job->buffer.size = 0;
    if (!ossa_write_gltf(scene, NULL, ossa_buffer_sink(&job->buffer), (ossa_sink){0}, NULL)) {
        fputs("the GLB could not be written\n", stderr);
        exit(1);
    }
    ossa_scene_free(scene);
}

/* ---- the table ----------------------------------------------------------------------------- */

/* Best of `samples`: the others were disturbed. */
static double best_of(struct work work, size_t samples)
{
    double best = 1e9;
    calibrate(&work);
    for (size_t i = 0; i < samples; i++) {
        double time = time_of(&work);
        if (time < best) best = time;
    }
    return best;
}

static void print_row(struct job *job, const char *name, void (*run)(void *), void *user,
                      size_t samples)
{
    struct work work = {run, user, 0};
    double keys = (double)FIGURE_BONES * job->frames * (job->count - 1);
    double times = ratio(work, (struct work){do_copy, job, 0}, samples);
    double best = best_of(work, samples);
    printf("%-32s %8.1f %10.3f ms %8.0f million keys/s\n", name, times / (job->count - 1),
           best * 1e3, keys / best * 1e-6);
    (void)fflush(stdout);
}

static bool wants_last(void *user, const char *name)
{
    return strcmp(name, user) == 0;
}

static void print_growth(const char *name, struct job *few, struct job *many, size_t samples)
{
    double times =
        ratio((struct work){do_assemble, many, 0}, (struct work){do_assemble, few, 0}, samples);
    printf("%-32s %" PRIu32 " clips instead of %" PRIu32 ": %.2f times as long for each\n", name,
           many->count - 1, few->count - 1, times * (few->count - 1) / (many->count - 1));
    (void)fflush(stdout);
}

int main(int argc, char **argv)
{
    size_t samples = samples_from(argc, argv, 101);
    struct job one = make_job(1, FIGURE_FRAMES);
    ossa_scene *scene = assemble(&one);
    printf("%d bones, %d frames; times as multiples of a memcpy of the keys (medians of %zu), "
           "best times:\n",
           FIGURE_BONES, FIGURE_FRAMES, samples);
    print_row(&one, "ossa_read of both files", do_read, &one, samples);
    print_row(&one, "ossa_assemble", do_assemble, &one, samples);
    print_row(&one, "ossa_scene_validate alone", do_validate, scene, samples);
    print_row(&one, "read, assemble, write a GLB", do_all, &one, samples);
    ossa_scene_free(scene);
    free_job(&one);

    size_t few_samples = samples < 9 ? samples : 9;
    struct job few = make_job(MANY_CLIPS / 10, FEW_FRAMES);
    struct job many = make_job(MANY_CLIPS, FEW_FRAMES);
    printf("\nGrowth, %d frames for each clip:\n", FEW_FRAMES);
    print_growth("ossa_assemble", &few, &many, few_samples);
    few.options.join = many.options.join = true;
    print_growth("ossa_assemble, joined", &few, &many, few_samples);
    few.options = many.options = (ossa_scene_options){.wants_clip = wants_last};
    char last[] = "fly00399";
    few.options.user = many.options.user = last;
    print_growth("ossa_assemble, one is wanted", &few, &many, few_samples);
    free_job(&few);
    free_job(&many);
    return 0;
}
