/* SPDX-License-Identifier: MIT
 *
 * What reading files and assembling them into a scene costs for each key, and whether many clips
 * cost as many times what one does. The files are a skeleton and animations of Shadow of the
 * Colossus, whose keys are packed: nothing else asks as much of the assembly.
 *
 *     bench_assemble [--samples N]
 *     bench_assemble --write FOLDER CLIPS     writes the files, for the tool to be measured with */
#include "ossa/export.h"
#include "ossa/ossa.h"

#include "bench.h"

#include <inttypes.h>
#include <math.h>

enum { BONES = 64, FRAMES = 300, FEW_FRAMES = 24, MANY_CLIPS = 4000 };

/* ---- files --------------------------------------------------------------------------------- */

struct bytes {
    uint8_t *data;
    size_t size;
    size_t capacity;
};

static void put(struct bytes *bytes, const void *data, size_t size)
{
    if (size > bytes->capacity - bytes->size) {
        bytes->capacity = 2 * (bytes->capacity + size);
        bytes->data = must(realloc(bytes->data, bytes->capacity));
    }
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

static void put_u32(struct bytes *bytes, uint32_t value)
{
    uint8_t four[4];
    for (unsigned i = 0; i < 4; i++) four[i] = (uint8_t)(value >> (8 * i));
    put(bytes, four, sizeof four);
}

static void put_f32(struct bytes *bytes, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(bytes, bits);
}

static void set_u32(struct bytes *bytes, size_t at, size_t value)
{
    for (unsigned i = 0; i < 4; i++) bytes->data[at + i] = (uint8_t)(value >> (8 * i));
}

/* The container: a header of 28 words, then the tables of two sections, then the second's data. */
static struct bytes wrap(struct bytes data)
{
    enum { HEADER = 112, POSITIONS = HEADER, SECTIONS = 120, NAMES = 184, DATA = 208 };
    struct bytes file = {0};
    put(&file, "xff\0", 4);
    while (file.size < DATA) put_u32(&file, 0);
    memcpy(file.data + NAMES, ".text\0.rodata", 14);
    set_u32(&file, POSITIONS + 4, 6);
    set_u32(&file, SECTIONS + 7 * 4, DATA);
    set_u32(&file, SECTIONS + 32 + 2 * 4, data.size);
    set_u32(&file, SECTIONS + 32 + 7 * 4, DATA);
    set_u32(&file, 0x14, DATA + data.size);
    set_u32(&file, 0x40, 2);
    set_u32(&file, 0x5c, SECTIONS);
    set_u32(&file, 0x68, POSITIONS);
    set_u32(&file, 0x6c, NAMES);
    put(&file, data.data, data.size);
    free(data.data);
    return file;
}

/* Joints whose children are 2i + 1 and 2i + 2. */
static struct bytes make_skeleton(uint32_t bones)
{
    enum { HEADER = 44, RECORD = 64 };
    const size_t records = HEADER + 8 * (size_t)bones;
    const size_t names = records + RECORD * (size_t)bones;
    struct bytes data = {0};
    put_u32(&data, 1);
    put_u32(&data, bones);
    put_u32(&data, 0);
    put_u32(&data, (uint32_t)names);
    while (data.size < HEADER) put_u32(&data, 0);
    for (uint32_t i = 0; i < bones; i++) {
        put_u32(&data, (uint32_t)(records + RECORD * (size_t)i));
        put_u32(&data, 0);
    }
    for (uint32_t i = 0; i < bones; i++) {
        put_u32(&data, 8 * i); /* the name */
        put_u32(&data, UINT32_MAX);
        put_u32(&data, UINT32_MAX);
        const float floats[9] = {0.0F, 0.1F, 0.2F, 0.05F, 1.0F, 0.0F, 0.0F, 0.0F, 1.0F};
        for (unsigned k = 0; k < 9; k++) put_f32(&data, floats[k]);
        for (uint32_t k = 1; k <= 2; k++) {
            put_u32(&data, 2 * i + k < bones ? 2 * i + k : UINT32_MAX);
        }
        put_u32(&data, i == 0 ? UINT32_MAX : (i - 1) / 2);
        put_u32(&data, 0);
    }
    for (uint32_t i = 0; i < bones; i++) {
        char name[16] = {0};
        (void)snprintf(name, sizeof name, "j%05" PRIu32, i % 100000);
        put(&data, name, 8);
    }
    return wrap(data);
}

/* The key of a rotation by a small angle, whose s is left out (flag 6). */
static uint32_t pack(double angle, uint32_t bone)
{
    const double parts[3] = {0.6, bone % 2 == 0 ? 0.64 : -0.64, 0.48};
    uint32_t key = 0;
    for (unsigned c = 0; c < 3; c++) {
        int field = (int)(sin(angle / 2.0) * parts[c] * 512.0); /* extent 1/2 */
        key |= ((uint32_t)field & 0x1ff) << (23 - 9 * c);
    }
    return key;
}

/* Packed keys; every 16th bone is constant. */
static struct bytes make_animation(uint32_t bones, uint32_t frames, uint32_t seed)
{
    enum { HEADER = 68, RECORD = 36, STILL = 16 };
    const size_t flags = HEADER;
    const size_t offsets = flags + (bones + 3U) / 4 * 4;
    const size_t records = offsets + 4 * (size_t)bones;
    const size_t keys = records + RECORD * (size_t)bones;
    struct bytes data = {0};
    while (data.size < offsets) put_u32(&data, 0);
    set_u32(&data, 0, 12);
    set_u32(&data, 4, frames);
    set_u32(&data, 8, flags);
    set_u32(&data, 16, offsets);
    set_u32(&data, 20, bones);
    for (uint32_t i = 0; i < bones; i++) {
        data.data[flags + i] = i % STILL == 0 ? 0 : 6;
        put_u32(&data, (uint32_t)(records + RECORD * (size_t)i));
    }
    for (uint32_t i = 0; i < bones; i++) {
        for (unsigned c = 0; c < 4; c++) { /* a quaternion, or pairs of a centre and an extent */
            put_f32(&data, 0.0F);
            put_f32(&data, i % STILL != 0 ? 0.5F : c == 1 ? 1.0F : 0.0F);
        }
        put_u32(&data, (uint32_t)(keys + 4 * (size_t)frames * i));
    }
    for (uint32_t i = 0; i < bones; i++) {
        for (uint32_t f = 0; f < frames; f++)
            put_u32(&data, pack(0.9 * sin(0.1 * f + i + seed), i));
    }
    return wrap(data);
}

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
    job.copy = must(malloc((size_t)BONES * frames * 16));
    job.keys = must(calloc((size_t)BONES * frames, 16));
    for (uint32_t i = 0; i < job.count; i++) {
        job.bytes[i] = i == 0 ? make_skeleton(BONES) : make_animation(BONES, frames, i);
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
    (void)copy_bytes(job->copy, job->keys, (size_t)BONES * job->frames * 16);
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
    double keys = (double)BONES * job->frames * (job->count - 1);
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

static void write_file(const char *folder, const char *name, const struct bytes *bytes)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    bool good = file != NULL && fwrite(bytes->data, 1, bytes->size, file) == bytes->size;
    if (file != NULL && fclose(file) == 0 && good) return;
    perror(path);
    exit(1);
}

static void write_files(const char *folder, uint32_t clips)
{
    struct job job = make_job(clips, clips == 1 ? FRAMES : FEW_FRAMES);
    for (uint32_t i = 0; i < job.count; i++) write_file(folder, job.paths[i], &job.bytes[i]);
    free_job(&job);
}

int main(int argc, char **argv)
{
    size_t samples = samples_from(argc, argv, 101);
    if (argc == 4 && strcmp(argv[1], "--write") == 0) {
        write_files(argv[2], (uint32_t)strtoul(argv[3], NULL, 10));
        return 0;
    }
    struct job one = make_job(1, FRAMES);
    ossa_scene *scene = assemble(&one);
    printf("%d bones, %d frames; times as multiples of a memcpy of the keys (medians of %zu), "
           "best times:\n",
           BONES, FRAMES, samples);
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
