/* SPDX-License-Identifier: MIT
 *
 * What poses and outputs cost, as multiples of a memcpy of as many bytes as come out; and whether
 * the time for a bone stays the same when there are ten times as many.
 *
 *     bench_scene [--samples N] */
#include "ossa/export.h"
#include "ossa/ossa.h"
#include "ossa/sample.h"

#include "bench.h"

#include <inttypes.h>
#include <math.h>

enum { FRAMES = 64, LARGEST_PART = 3000 };

/* ---- a figure ------------------------------------------------------------------------------ */

/* Evil Islands files of a figure whose parts all move: a tree, and a file of each part. */
struct figure {
    uint32_t parts;
    uint8_t *tree;
    size_t tree_size;
    uint8_t **parts_data;
    size_t part_size;
    ossa_input *inputs;
    char (*paths)[32];
    size_t input_size; /* of all files */
};

static void store_u32(uint8_t **at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) *(*at)++ = (uint8_t)(value >> (8 * i));
}

static void store_f32(uint8_t **at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    store_u32(at, bits);
}

static void store_name(uint8_t **at, uint32_t part)
{
    char name[16];
    int size = snprintf(name, sizeof name, "p%05" PRIu32, part);
    store_u32(at, (uint32_t)size + 1);
    memcpy(*at, name, (size_t)size + 1);
    *at += size + 1;
}

/* A root, and limbs of ten parts each on it. */
static void make_tree(struct figure *figure)
{
    enum { ON_A_LIMB = 10 };
    figure->tree = must(malloc(4 + (size_t)figure->parts * 32));
    uint8_t *at = figure->tree;
    store_u32(&at, figure->parts);
    for (uint32_t i = 0; i < figure->parts; i++) {
        store_name(&at, i);
        if (i == 0) store_u32(&at, 0);
        else store_name(&at, i % ON_A_LIMB == 1 ? 0 : i - 1);
    }
    figure->tree_size = (size_t)(at - figure->tree);
}

/* Neighbouring frames lie a few degrees apart, as in a real clip. */
static void make_part(uint8_t *data, uint32_t part)
{
    uint8_t *at = data;
    store_u32(&at, FRAMES);
    for (uint32_t f = 0; f < FRAMES; f++) {
        double angle = 0.5 * sin(0.1 * f + part);
        store_f32(&at, (float)cos(angle / 2.0));
        store_f32(&at, (float)(sin(angle / 2.0) * 0.6));
        store_f32(&at, (float)(sin(angle / 2.0) * 0.8));
        store_f32(&at, 0.0F);
    }
    store_u32(&at, FRAMES);
    for (uint32_t f = 0; f < 3 * FRAMES; f++) store_f32(&at, (float)f * 0.01F);
    store_u32(&at, 0);
    store_u32(&at, 0);
}

static ossa_file *read_or_exit(const void *data, size_t size, const char *format)
{
    ossa_error error;
    ossa_options options = {.format = format};
    ossa_file *file = ossa_read(data, size, &options, &error);
    if (file != NULL) return file;
    fprintf(stderr, "%s: %s\n", format, error.message);
    exit(1);
}

static struct figure make_figure(uint32_t parts)
{
    struct figure figure = {.parts = parts, .part_size = 16 + (size_t)FRAMES * 28};
    figure.parts_data = must(calloc(parts, sizeof *figure.parts_data));
    figure.inputs = must(calloc(parts + 1U, sizeof *figure.inputs));
    figure.paths = must(calloc(parts + 1U, sizeof *figure.paths));
    make_tree(&figure);
    figure.inputs[0] = (ossa_input){.path = "figure.lnk",
                                    .file = read_or_exit(figure.tree, figure.tree_size, "ei-lnk")};
    figure.input_size = figure.tree_size;
    for (uint32_t i = 0; i < parts; i++) {
        figure.parts_data[i] = must(malloc(figure.part_size));
        make_part(figure.parts_data[i], i);
        (void)snprintf(figure.paths[i], sizeof figure.paths[i], "walk/p%05" PRIu32 ".anm", i);
        figure.inputs[i + 1].path = figure.paths[i];
        figure.inputs[i + 1].file = read_or_exit(figure.parts_data[i], figure.part_size, "ei-anm");
        figure.input_size += figure.part_size;
    }
    return figure;
}

static void free_figure(struct figure *figure)
{
    for (uint32_t i = 0; i <= figure->parts; i++) ossa_file_free(figure->inputs[i].file);
    for (uint32_t i = 0; i < figure->parts; i++) free(figure->parts_data[i]);
    free(figure->parts_data);
    free(figure->inputs);
    free(figure->paths);
    free(figure->tree);
}

static ossa_scene *assemble(const struct figure *figure)
{
    ossa_error error;
    ossa_scene *scene = ossa_assemble(figure->inputs, figure->parts + 1U, NULL, &error);
    if (scene != NULL) return scene;
    fprintf(stderr, "%s: %s\n", error.field, error.message);
    exit(1);
}

/* ---- work ---------------------------------------------------------------------------------- */

struct job {
    const struct figure *figure;
    ossa_scene *scene;
    ossa_transform *locals;
    ossa_transform *models;
    float (*matrices)[16];
    ossa_buffer buffer;
    uint32_t turn; /* so that no two samples in a row are at the same time */
    uint8_t *from; /* for the copies */
    uint8_t *to;
    size_t copied;
};

/* Behind a pointer that the compiler cannot see through: the copy must really be made. */
static void *(*volatile copy_bytes)(void *, const void *, size_t) = memcpy;

static void do_copy(void *user)
{
    struct job *job = user;
    (void)copy_bytes(job->to, job->from, job->copied);
}

static void do_sample(void *user)
{
    struct job *job = user;
    const ossa_clip *clip = &job->scene->clips[0];
    double frame = (job->turn++ % FRAMES) + 0.37; /* between two, and over the end too */
    ossa_sample(job->scene, clip, frame / clip->fps, OSSA_WRAP_LOOP, job->locals, NULL);
}

static void do_sample_frame(void *user)
{
    struct job *job = user;
    ossa_sample_frame(job->scene, &job->scene->clips[0], job->turn++ % FRAMES, job->locals, NULL);
}

static void do_model_pose(void *user)
{
    struct job *job = user;
    ossa_model_pose(job->scene, job->locals, job->models);
}

static void do_model_matrices(void *user)
{
    struct job *job = user;
    ossa_model_matrices(job->scene, job->locals, job->matrices);
}

static void do_gltf(void *user)
{
    struct job *job = user;
    job->buffer.size = 0; /* its memory is used again, so that only the writing is timed */
    if (ossa_write_gltf(job->scene, NULL, ossa_buffer_sink(&job->buffer), (ossa_sink){0}, NULL)) {
        return;
    }
    fputs("the GLB could not be written\n", stderr);
    exit(1);
}

static void do_json(void *user)
{
    struct job *job = user;
    job->buffer.size = 0;
    if (ossa_write_scene_json(job->scene, NULL, ossa_buffer_sink(&job->buffer), NULL)) return;
    fputs("the JSON could not be written\n", stderr);
    exit(1);
}

static void do_assemble(void *user)
{
    struct job *job = user;
    ossa_scene_free(assemble(job->figure));
}

static struct job start_job(const struct figure *figure)
{
    struct job job = {.figure = figure, .scene = assemble(figure)};
    uint32_t bones = job.scene->bone_count;
    job.locals = must(calloc(bones, sizeof *job.locals));
    job.models = must(calloc(bones, sizeof *job.models));
    job.matrices = must(calloc(bones, sizeof *job.matrices));
    return job;
}

static void end_job(struct job *job)
{
    ossa_buffer_free(&job->buffer);
    ossa_scene_free(job->scene);
    free(job->locals);
    free(job->models);
    free(job->matrices);
}

/* ---- the table ----------------------------------------------------------------------------- */

/* A row: `run` against a copy of the bytes that it gives. */
static void print_row(struct job *job, const char *name, void (*run)(void *), size_t bytes,
                      size_t items, const char *item, size_t samples)
{
    job->copied = bytes;
    job->from = must(calloc(bytes, 1));
    job->to = must(calloc(bytes, 1));
    struct work work = {run, job, 0};
    double times = ratio(work, (struct work){do_copy, job, 0}, samples);
    calibrate(&work);
    double alone[LARGEST_SAMPLES] = {0};
    for (size_t i = 0; i < samples; i++) alone[i] = time_of(&work);
    printf("%-28s %10zu %10.1f %10.1f ns a %s\n", name, bytes, times,
           median(alone, samples) * 1e9 / (double)items, item);
    (void)fflush(stdout);
    free(job->from);
    free(job->to);
}

static void print_table(const struct figure *figure, size_t samples)
{
    struct job job = start_job(figure);
    uint32_t bones = job.scene->bone_count;
    size_t pose = bones * sizeof *job.locals;
    size_t keys = (size_t)bones * FRAMES;
    do_sample(&job);
    print_row(&job, "ossa_sample", do_sample, pose, bones, "bone", samples);
    print_row(&job, "ossa_sample_frame", do_sample_frame, pose, bones, "bone", samples);
    print_row(&job, "ossa_model_pose", do_model_pose, pose, bones, "bone", samples);
    print_row(&job, "ossa_model_matrices", do_model_matrices, bones * sizeof *job.matrices, bones,
              "bone", samples);
    print_row(&job, "ossa_assemble", do_assemble, keys * 4 * sizeof(float), keys, "key", samples);
    do_gltf(&job);
    print_row(&job, "ossa_write_gltf", do_gltf, job.buffer.size, keys, "key", samples);
    do_json(&job);
    print_row(&job, "ossa_write_scene_json", do_json, job.buffer.size, keys, "key", samples);
    end_job(&job);
}

/* The time for one bone of a large figure over that of a small one: 1 where it is linear. */
static void print_growth(const struct figure *small, const struct figure *large, const char *name,
                         void (*run)(void *), size_t samples)
{
    struct job few = start_job(small);
    struct job many = start_job(large);
    double times = ratio((struct work){run, &many, 0}, (struct work){run, &few, 0}, samples);
    printf("%-28s %" PRIu32 " bones instead of %" PRIu32 ": %.2f times as long for each\n", name,
           large->parts, small->parts, times * small->parts / large->parts);
    (void)fflush(stdout);
    end_job(&few);
    end_job(&many);
}

int main(int argc, char **argv)
{
    size_t samples = samples_from(argc, argv, 31);
    struct figure figure = make_figure(300);
    struct figure large = make_figure(LARGEST_PART);
    printf("300 bones, %d frames; times as multiples of a memcpy of the bytes that come out "
           "(medians of %zu):\n",
           FRAMES, samples);
    printf("%-28s %10s %10s\n", "", "bytes", "times");
    print_table(&figure, samples);
    printf("\nGrowth:\n");
    print_growth(&figure, &large, "ossa_sample", do_sample, samples);
    print_growth(&figure, &large, "ossa_model_matrices", do_model_matrices, samples);
    print_growth(&figure, &large, "ossa_write_gltf", do_gltf, samples);
    print_growth(&figure, &large, "ossa_assemble", do_assemble, samples < 5 ? samples : 5);
    free_figure(&figure);
    free_figure(&large);
    return 0;
}
