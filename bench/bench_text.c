/* SPDX-License-Identifier: MIT
 *
 * Text: dump, build and the exports of numbers, in MB of text per second, and as a multiple of what
 * a program takes that calls printf or strtod once per number of the same text.
 *
 *     bench_text [--samples N] */
#include "ossa/export.h"
#include "ossa/ossa.h"

#include "bench.h"

#include <math.h>

enum { BONES = 64, FRAMES = 300, DUMP_FRAMES = 3000, FLOATS = 3 * (BONES + 1) };

/* ---- inputs -------------------------------------------------------------------------------- */

static void put_u32(ossa_buffer *out, uint32_t value)
{
    ossa_sink sink = ossa_buffer_sink(out);
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                              (uint8_t)(value >> 24)};
    if (!sink.write(sink.user, bytes, sizeof bytes)) (void)must(NULL);
}

static void put_f32(ossa_buffer *out, double value)
{
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    put_u32(out, bits);
}

/* Neighbouring frames lie a few degrees apart, as in a real clip. */
static double angle_of(uint32_t frame, uint32_t bone)
{
    return 0.9 * sin(0.1 * frame + bone) + 0.3 * cos(0.037 * frame * (bone % 7 + 1));
}

/* An Evil Islands clip of one part. */
static ossa_buffer make_part(uint32_t part)
{
    ossa_buffer out = {0};
    put_u32(&out, FRAMES);
    for (uint32_t f = 0; f < FRAMES; f++) {
        double half = angle_of(f, part) / 2.0;
        double tilt = 0.2 * cos(0.05 * f + part);
        put_f32(&out, cos(half));
        put_f32(&out, sin(half) * cos(tilt));
        put_f32(&out, sin(half) * sin(tilt) * 0.6);
        put_f32(&out, sin(half) * sin(tilt) * 0.8);
    }
    put_u32(&out, FRAMES);
    for (uint32_t f = 0; f < FRAMES; f++) {
        put_f32(&out, 0.1 * part);
        put_f32(&out, part == 0 ? 0.01 * f : 0.25);
        put_f32(&out, 0.3);
    }
    put_u32(&out, 0);
    put_u32(&out, 0);
    return out;
}

static void put_name(ossa_buffer *out, uint32_t part)
{
    char name[16];
    uint32_t size = (uint32_t)snprintf(name, sizeof name, "p%u", (unsigned)part) + 1;
    ossa_sink sink = ossa_buffer_sink(out);
    put_u32(out, size);
    if (!sink.write(sink.user, name, size)) (void)must(NULL);
}

/* A root, and limbs of ten parts each on it. */
static ossa_buffer make_tree(void)
{
    ossa_buffer out = {0};
    put_u32(&out, BONES);
    for (uint32_t i = 0; i < BONES; i++) {
        put_name(&out, i);
        if (i == 0) put_u32(&out, 0);
        else put_name(&out, i % 10 == 1 ? 0 : i - 1);
    }
    return out;
}

static void require(bool is_fine, const ossa_error *error)
{
    if (is_fine) return;
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

static ossa_scene *make_scene(void)
{
    ossa_input inputs[BONES + 1] = {0};
    char paths[BONES + 1][32] = {"figure.lnk"};
    for (uint32_t i = 0; i <= BONES; i++) {
        ossa_error error;
        ossa_buffer bytes = i == 0 ? make_tree() : make_part(i - 1);
        ossa_options options = {.format = i == 0 ? "ei-lnk" : "ei-anm", .copy = true};
        if (i > 0) (void)snprintf(paths[i], sizeof paths[i], "walk/p%u.anm", (unsigned)(i - 1));
        inputs[i].path = paths[i];
        inputs[i].file = ossa_read(bytes.data, bytes.size, &options, &error);
        require(inputs[i].file != NULL, &error);
        ossa_buffer_free(&bytes);
    }
    ossa_error error;
    ossa_scene *scene = ossa_assemble(inputs, BONES + 1, NULL, &error);
    require(scene != NULL, &error);
    for (uint32_t i = 0; i <= BONES; i++) ossa_file_free(inputs[i].file);
    return scene;
}

/* A Midtown Madness clip of the first game, which is nothing but floats. */
static ossa_file *make_clip(void)
{
    ossa_buffer out = {0};
    put_u32(&out, DUMP_FRAMES);
    put_u32(&out, BONES);
    for (uint32_t f = 0; f < DUMP_FRAMES; f++) {
        for (uint32_t k = 0; k < FLOATS; k++) put_f32(&out, angle_of(f, k));
    }
    ossa_error error;
    ossa_options options = {.format = "mm-anim", .copy = true, .dialect = "mm1"};
    ossa_file *file = ossa_read(out.data, out.size, &options, &error);
    require(file != NULL, &error);
    ossa_buffer_free(&out);
    return file;
}

/* ---- what is timed ------------------------------------------------------------------------- */

struct bench {
    ossa_scene *scene;
    ossa_file *file;
    ossa_buffer json; /* of the file */
    ossa_buffer text; /* of the export at work */
    float *numbers;   /* that the text has, for the yardstick */
    size_t count;
    double sum;
    uint64_t written;
};

static bool count_bytes(void *user, const void *bytes, size_t size)
{
    struct bench *bench = user;
    (void)bytes;
    bench->written += size;
    return true;
}

static ossa_sink counting(struct bench *bench)
{
    return (ossa_sink){count_bytes, bench};
}

static void run_dump(void *user)
{
    struct bench *bench = user;
    (void)ossa_dump(bench->file, OSSA_JSON_STYLE_LINE, counting(bench), NULL);
}

static void run_build(void *user)
{
    struct bench *bench = user;
    ossa_error error;
    ossa_file *file = ossa_build((const char *)bench->json.data, bench->json.size, NULL, &error);
    require(file != NULL, &error);
    ossa_file_free(file);
}

static void run_bvh(void *user)
{
    struct bench *bench = user;
    (void)ossa_write_bvh(bench->scene, bench->scene->clips, NULL, counting(bench), NULL);
}

static void run_csv(void *user)
{
    struct bench *bench = user;
    (void)ossa_write_csv(bench->scene, NULL, counting(bench), NULL);
}

static void run_json(void *user)
{
    struct bench *bench = user;
    (void)ossa_write_scene_json(bench->scene, NULL, counting(bench), NULL);
}

/* ---- yardsticks ---------------------------------------------------------------------------- */

static bool starts_number(const char *text, size_t at)
{
    bool is_digit = text[at] >= '0' && text[at] <= '9';
    if (!is_digit && text[at] != '-') return false;
    return at == 0 || strchr(", [:\n", text[at - 1]) != NULL;
}

/* The numbers of a text that ends in a NUL. */
static void find_numbers(struct bench *bench, const ossa_buffer *text)
{
    bench->count = 0;
    bench->numbers = must(realloc(bench->numbers, (text->size / 2 + 1) * sizeof(float)));
    for (size_t i = 0; i < text->size; i++) {
        if (!starts_number((const char *)text->data, i)) continue;
        char *end;
        bench->numbers[bench->count++] = strtof((const char *)text->data + i, &end);
        i = (size_t)(end - (const char *)text->data);
    }
}

static void naive_printf(void *user)
{
    struct bench *bench = user;
    char text[64];
    for (size_t i = 0; i < bench->count; i++) {
        int n = snprintf(text, sizeof text, "%.9g,", (double)bench->numbers[i]);
        bench->written += (uint64_t)n;
    }
}

static void naive_strtod(void *user)
{
    struct bench *bench = user;
    const char *text = (const char *)bench->json.data;
    for (size_t i = 0; i < bench->json.size; i++) {
        if (!starts_number(text, i)) continue;
        char *end;
        bench->sum += strtod(text + i, &end);
        i = (size_t)(end - text);
    }
}

/* ---- the lines ----------------------------------------------------------------------------- */

static void print_line(const char *name, struct bench *bench, void (*run)(void *),
                       void (*naive)(void *), size_t size, size_t samples)
{
    struct work work = {run, bench, 0};
    struct work yardstick = {naive, bench, 0};
    double best = INFINITY;
    calibrate(&work);
    for (size_t i = 0; i < samples; i++) best = fmin(best, time_of(&work));
    printf("%-10s %7.2f MB %8.0f MB/s %8.2f of the naive program's time\n", name,
           (double)size / 1e6, (double)size / best / 1e6, ratio(work, yardstick, samples));
}

static void print_export(const char *name, struct bench *bench, void (*run)(void *),
                         bool (*write)(struct bench *bench, ossa_sink sink), size_t samples)
{
    bench->text.size = 0;
    ossa_sink sink = ossa_buffer_sink(&bench->text);
    if (!write(bench, sink) || !sink.write(sink.user, "", 1)) (void)must(NULL);
    bench->text.size--;
    find_numbers(bench, &bench->text);
    print_line(name, bench, run, naive_printf, bench->text.size, samples);
}

static bool write_dump(struct bench *bench, ossa_sink sink)
{
    return ossa_dump(bench->file, OSSA_JSON_STYLE_LINE, sink, NULL);
}

static bool write_bvh(struct bench *bench, ossa_sink sink)
{
    return ossa_write_bvh(bench->scene, bench->scene->clips, NULL, sink, NULL);
}

static bool write_csv(struct bench *bench, ossa_sink sink)
{
    return ossa_write_csv(bench->scene, NULL, sink, NULL);
}

static bool write_json(struct bench *bench, ossa_sink sink)
{
    return ossa_write_scene_json(bench->scene, NULL, sink, NULL);
}

int main(int argc, char **argv)
{
    size_t samples = samples_from(argc, argv, 15);
    struct bench bench = {.scene = make_scene(), .file = make_clip()};
    ossa_sink sink = ossa_buffer_sink(&bench.json);
    if (!write_dump(&bench, sink) || !sink.write(sink.user, "", 1)) (void)must(NULL);
    bench.json.size--;

    print_export("dump", &bench, run_dump, write_dump, samples);
    print_line("build", &bench, run_build, naive_strtod, bench.json.size, samples);
    print_export("bvh", &bench, run_bvh, write_bvh, samples);
    print_export("csv", &bench, run_csv, write_csv, samples);
    print_export("json", &bench, run_json, write_json, samples);

    free(bench.numbers);
    ossa_buffer_free(&bench.text);
    ossa_buffer_free(&bench.json);
    ossa_file_free(bench.file);
    ossa_scene_free(bench.scene);
    return bench.sum == bench.sum && bench.written > 0 ? 0 : 1;
}
