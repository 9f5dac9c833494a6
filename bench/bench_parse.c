/* SPDX-License-Identifier: MIT
 *
 * What reading, checking, writing and dumping cost, as multiples of a memcpy of the same bytes;
 * and whether the time for an item stays the same when there are ten times as many.
 *
 *     bench_parse [--samples N] */
#include "ossa/ossa.h"

#include "bench.h"
#include "figure.h"

/* ---- inputs -------------------------------------------------------------------------------- */

/* A file to be read. */
struct input {
    char name[40];
    const char *format;
    struct bytes bytes;
    size_t items;  /* links or bones, for the time of one */
    bool borrows;  /* reading must not copy */
    bool can_dump; /* small enough for it */
};

static struct input start_input(const char *name, const char *format)
{
    struct input input = {.format = format};
    (void)snprintf(input.name, sizeof input.name, "%s", name);
    return input;
}

/* Numbers with all their digits, as in a real file; a dump of zeros would be too easy. */
static float next_float(void)
{
    static uint32_t state = 1;
    state = state * 1664525U + 1013904223U;
    return (float)(state >> 8) / 16777216.0F - 0.5F;
}

static struct input make_ei_anm(const char *name, uint32_t frames)
{
    struct input input = start_input(name, "ei-anm");
    put_u32(&input.bytes, frames);
    for (uint32_t i = 0; i < frames; i++) {
        const float wxyz[4] = {0.5F, -0.5F, 0.5F, 0.5F};
        for (unsigned k = 0; k < 4; k++) put_f32(&input.bytes, wxyz[k]);
    }
    put_u32(&input.bytes, frames);
    for (uint32_t i = 0; i < 3 * frames; i++) put_f32(&input.bytes, next_float());
    put_u32(&input.bytes, 0);
    put_u32(&input.bytes, 0);
    input.borrows = true;
    return input;
}

/* Small records, of which a database has about thirty. */
static struct input make_ei_adb(const char *name, uint32_t records)
{
    struct input input = start_input(name, "ei-adb");
    put(&input.bytes, "ADB", 4);
    put_u32(&input.bytes, records);
    put(&input.bytes, "model\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24);
    for (unsigned i = 0; i < 3; i++) put_f32(&input.bytes, next_float());
    for (uint32_t i = 0; i < records; i++) {
        put(&input.bytes, "animation\0\0\0\0\0\0", 16);
        for (uint32_t k = 0; k < 18; k++) put_u32(&input.bytes, k == 5 ? 0x3f800000 : i + k);
    }
    input.items = records;
    return input;
}

static struct input make_ei_cam(const char *name, uint32_t keys)
{
    struct input input = start_input(name, "ei-cam");
    for (uint32_t i = 0; i < keys; i++) {
        const float wxyz[4] = {0.5F, -0.5F, 0.5F, 0.5F};
        put_f32(&input.bytes, (float)i);
        for (unsigned k = 0; k < 4; k++) put_f32(&input.bytes, next_float());
        for (unsigned k = 0; k < 4; k++) put_f32(&input.bytes, wxyz[k]);
    }
    return input;
}

static struct input make_mm_anim(const char *name, uint32_t frames, bool legacy)
{
    enum { BONES = 20 };
    struct input input = start_input(name, "mm-anim");
    put_u32(&input.bytes, frames);
    put_u32(&input.bytes, BONES);
    if (legacy) {
        put_f32(&input.bytes, 1.0F);
        put_u8(&input.bytes, 1);
    }
    for (uint32_t i = 0; i < frames * 3 * (BONES + 1); i++) put_f32(&input.bytes, next_float());
    input.borrows = !legacy;
    return input;
}

static struct input make_ei_lnk(const char *name, uint32_t links)
{
    struct input input = start_input(name, "ei-lnk");
    input.bytes = make_lnk(links);
    input.items = links;
    return input;
}

/* As large as its 16-bit offsets allow: 131,070 bytes. */
static struct input make_vib_anm(const char *name)
{
    enum { FRAMES = 300, KEYS = 21, KEY_SIZE = 20, LARGEST = 131070 };
    struct input input = start_input(name, "vib-anm");
    uint32_t offset = 6 + 2 * (FRAMES + 1);
    uint32_t keys[FRAMES];
    put_u16(&input.bytes, 0x8000);
    put_u16(&input.bytes, 30);
    put_u16(&input.bytes, FRAMES);
    for (unsigned i = 0; i < FRAMES; i++) {
        put_u16(&input.bytes, offset / 2);
        uint32_t room = (LARGEST - offset) / KEY_SIZE;
        keys[i] = room < KEYS ? room : KEYS;
        if (i == FRAMES - 1) keys[i] = room < 256 ? room : 256;
        offset += keys[i] * KEY_SIZE;
    }
    put_u16(&input.bytes, offset / 2);
    for (unsigned i = 0; i < FRAMES; i++) {
        for (uint32_t k = 0; k < keys[i]; k++) {
            put_u8(&input.bytes, k);
            put_u8(&input.bytes, 7);
            for (unsigned n = 0; n < 9; n++) put_u16(&input.bytes, (i * 31 + k * 7 + n) & 0xfff);
        }
    }
    return input;
}

enum { POSES = 30 };

/* Bytes of a bone's record and keys, by how it is stored. */
static uint32_t record_size(unsigned flag)
{
    return flag == 0 ? 16 : flag == 6 ? 36 : flag == 12 ? 28 : 24;
}

static uint32_t keys_size(unsigned flag)
{
    return flag == 0 ? 0 : POSES * (flag == 6 ? 4U : flag == 12 ? 6U : 2U);
}

/* All kinds of bones in turn. */
static struct input make_sotc_anb(const char *name, uint32_t bones)
{
    static const uint8_t flags[4] = {0, 6, 12, 13};
    uint32_t flags_at = 68;
    uint32_t table_at = flags_at + (bones + 3) / 4 * 4;
    uint32_t records_at = table_at + 4 * bones;
    uint32_t keys_at = records_at;
    uint32_t end = 0;
    for (uint32_t i = 0; i < bones; i++) keys_at += record_size(flags[i % 4]);
    end = keys_at;
    for (uint32_t i = 0; i < bones; i++) end += keys_size(flags[i % 4]);
    struct input input = start_input(name, "sotc-anb");
    put_container(&input.bytes, end);
    const uint32_t header[17] = {12, POSES, flags_at, 0, table_at, bones};
    for (unsigned i = 0; i < 17; i++) put_u32(&input.bytes, header[i]);
    for (uint32_t i = 0; i < (bones + 3) / 4 * 4; i++)
        put_u8(&input.bytes, i < bones ? flags[i % 4] : 0);
    for (uint32_t i = 0, at = records_at; i < bones; i++) {
        put_u32(&input.bytes, at);
        at += record_size(flags[i % 4]);
    }
    for (uint32_t i = 0, at = keys_at; i < bones; i++) {
        unsigned flag = flags[i % 4];
        for (uint32_t k = 0; k + 4 < record_size(flag) + (flag == 0 ? 4 : 0); k += 4)
            put_f32(&input.bytes, 0.5F);
        if (flag != 0) put_u32(&input.bytes, at);
        at += keys_size(flag);
    }
    while (input.bytes.size < CONTAINER_SIZE + end)
        put_u16(&input.bytes, (uint32_t)input.bytes.size * 2654435761U >> 16 & 0xffff);
    input.items = bones;
    return input;
}

/* ---- work ---------------------------------------------------------------------------------- */

struct job {
    const struct input *input;
    uint8_t *copy;
    ossa_file *file;
    ossa_buffer buffer;
    ossa_options options;
};

/* Behind a pointer that the compiler cannot see through: the copy must really be made. */
static void *(*volatile copy_bytes)(void *, const void *, size_t) = memcpy;

static void do_copy(void *user)
{
    struct job *job = user;
    (void)copy_bytes(job->copy, job->input->bytes.data, job->input->bytes.size);
}

static ossa_file *read_input(const struct job *job)
{
    ossa_error error;
    ossa_file *file =
        ossa_read(job->input->bytes.data, job->input->bytes.size, &job->options, &error);
    if (file == NULL) {
        char text[600];
        (void)ossa_error_text(&error, text, sizeof text);
        fprintf(stderr, "%s: %s\n", job->input->name, text);
        exit(1);
    }
    return file;
}

static void do_read(void *user)
{
    ossa_file_free(read_input(user));
}

static void check_output(bool good, const char *name)
{
    if (good) return;
    fprintf(stderr, "%s: could not be written\n", name);
    exit(1);
}

static void do_write(void *user)
{
    struct job *job = user;
    job->buffer.size = 0; /* its memory is used again, so that only the writing is timed */
    check_output(ossa_write(job->file, ossa_buffer_sink(&job->buffer), NULL), job->input->name);
}

static void do_dump(void *user)
{
    struct job *job = user;
    job->buffer.size = 0;
    check_output(ossa_dump(job->file, OSSA_JSON_STYLE_LINE, ossa_buffer_sink(&job->buffer), NULL),
                 job->input->name);
}

static bool is_borrowed(ossa_file *file)
{
    const ossa_ei_anm *anm = ossa_as_ei_anm(file);
    const ossa_mm_anim *anim = ossa_as_mm_anim(file);
    return (anm != NULL && anm->borrowed) || (anim != NULL && anim->channels[0].borrowed);
}

/* The claims that the numbers rest on: nothing is wrong with the input, writing gives it back,
 * and what should not be copied is not. */
static void check_job(struct job *job)
{
    const struct input *input = job->input;
    do_write(job);
    bool same = job->buffer.size == input->bytes.size &&
                memcmp(job->buffer.data, input->bytes.data, input->bytes.size) == 0;
    bool good = job->file->error_count == 0 && job->file->warning_count == 0;
    if (same && good && is_borrowed(job->file) == input->borrows) return;
    fprintf(stderr, "%s: same bytes: %d, no issues: %d, borrowed: %d\n", input->name, same, good,
            is_borrowed(job->file));
    exit(1);
}

/* ---- the table ----------------------------------------------------------------------------- */

static void print_row(const struct input *input, size_t samples)
{
    struct job job = {.input = input, .options = {.format = input->format}};
    job.copy = must(malloc(input->bytes.size));
    job.file = read_input(&job);
    check_job(&job);
    struct job probing = job;
    struct job checking = job;
    probing.options.format = NULL;
    checking.options.check_values = true;
    struct work copy = {do_copy, &job, 0};
    printf("%-26s %9zu", input->name, input->bytes.size);
    printf(" %9.4f", ratio((struct work){do_read, &job, 0}, copy, samples));
    printf(" %9.4f", ratio((struct work){do_read, &probing, 0}, copy, samples));
    printf(" %9.4f", ratio((struct work){do_read, &checking, 0}, copy, samples));
    printf(" %9.4f", ratio((struct work){do_write, &job, 0}, copy, samples));
    if (input->can_dump) printf(" %9.1f\n", ratio((struct work){do_dump, &job, 0}, copy, samples));
    else printf(" %9s\n", "-");
    (void)fflush(stdout);
    ossa_buffer_free(&job.buffer);
    ossa_file_free(job.file);
    free(job.copy);
}

/* The time for one item of a large file over that of a small one: 1 where it is linear. */
static void print_growth(const struct input *small, const struct input *large, size_t samples)
{
    struct job few = {.input = small, .options = {.format = small->format}};
    struct job many = {.input = large, .options = {.format = large->format}};
    double times =
        ratio((struct work){do_read, &many, 0}, (struct work){do_read, &few, 0}, samples);
    double items = (double)large->items / (double)small->items;
    printf("%-26s %zu items instead of %zu: %.2f times as long for each\n", large->format,
           large->items, small->items, times / items);
}

int main(int argc, char **argv)
{
    size_t samples = samples_from(argc, argv, 31);
    enum { LARGE = 16 * 1024 * 1024 };
    struct input inputs[] = {
        make_ei_anm("ei-anm, 16 MiB", LARGE / 28),
        make_mm_anim("mm-anim mm1, 16 MiB", LARGE / 252, false),
        make_mm_anim("mm-anim legacy, 16 MiB", LARGE / 252, true),
        make_ei_anm("ei-anm, 64 KiB", 65536 / 28),
        make_ei_anm("ei-anm, 20 frames", 20),
        make_ei_adb("ei-adb, 30 records", 30),
        make_ei_adb("ei-adb, 10,000 records", 10000),
        make_ei_cam("ei-cam, 1,000 keys", 1000),
        make_ei_lnk("ei-lnk, 10,000 links", 10000),
        make_ei_lnk("ei-lnk, 100,000 links", 100000),
        make_sotc_anb("sotc-anb, 1,000 bones", 1000),
        make_sotc_anb("sotc-anb, 10,000 bones", 10000),
        make_vib_anm("vib-anm, the largest"),
    };
    size_t count = sizeof inputs / sizeof inputs[0];
    printf("Times as multiples of a memcpy of the same bytes (medians of %zu):\n", samples);
    printf("%-26s %9s %9s %9s %9s %9s %9s\n", "", "bytes", "read", "+probe", "+values", "write",
           "dump");
    for (size_t i = 0; i < count; i++) {
        inputs[i].can_dump = inputs[i].bytes.size < 1 << 20;
        print_row(&inputs[i], samples);
    }
    printf("\nGrowth:\n");
    print_growth(&inputs[8], &inputs[9], samples);
    print_growth(&inputs[10], &inputs[11], samples);
    for (size_t i = 0; i < count; i++) free(inputs[i].bytes.data);
    return 0;
}
