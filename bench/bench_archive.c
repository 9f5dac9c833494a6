/* SPDX-License-Identifier: MIT
 *
 * Does `ossa convert --all` need more memory for more models? It converts all models of an archive
 * of 200, one of an archive of 2000, and all of these, and prints the peak memory of each: the most
 * that the tool had resident (ru_maxrss), all of it its own, as it maps no archive. Of an archive
 * only the table and the model at work are in memory, so what more models take is the room for
 * their names and places: less than a KiB each, of which the last line tells.
 *
 *     bench_archive [--models N] [--jobs N] [--tool PATH]
 *
 * --models is that of the larger archive; 8000 make one that is nearly as large as may be. */
#define BENCH_CLOCK CLOCK_MONOTONIC
#include "bench.h"

#include "ossa/ossa.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { PARTS = 6, FRAMES = 30, GRID = 12, PATH_SIZE = 256 };

_Noreturn static void stop(const char *what)
{
    fprintf(stderr, "bench_archive: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* ---- a model ------------------------------------------------------------------------------- */

struct buffer {
    uint8_t *data;
    size_t size;
    size_t capacity;
};

static void put(struct buffer *buffer, const void *bytes, size_t size)
{
    if (buffer->size + size > buffer->capacity) {
        buffer->capacity = 2 * (buffer->size + size);
        buffer->data = must(realloc(buffer->data, buffer->capacity));
    }
    memcpy(buffer->data + buffer->size, bytes, size);
    buffer->size += size;
}

static void put_number(struct buffer *buffer, uint32_t value, size_t size)
{
    uint8_t bytes[4];
    for (unsigned i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> 8 * i & 0xff);
    put(buffer, bytes, size);
}

static void put_float(struct buffer *buffer, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_number(buffer, bits, 4);
}

/* p0, and the others in a chain behind it. */
static struct buffer make_tree(void)
{
    struct buffer file = {0};
    put_number(&file, PARTS, 4);
    for (unsigned i = 0; i < PARTS; i++) {
        char name[3] = {'p', (char)('0' + i), '\0'};
        char parent[3] = {'p', (char)('0' + i - 1), '\0'};
        put_number(&file, sizeof name, 4);
        put(&file, name, sizeof name);
        put_number(&file, i == 0 ? 0 : sizeof parent, 4);
        if (i > 0) put(&file, parent, sizeof parent);
    }
    return file;
}

/* FIG1: a square of GRID x GRID vertices. */
static struct buffer make_mesh(unsigned model)
{
    static const unsigned cells = (GRID - 1) * (GRID - 1);
    struct buffer file = {0};
    put(&file, "FIG1", 4);
    const uint32_t counts[9] = {GRID * GRID / 4, 1, 1, 6 * cells, GRID * GRID, 0, 0, 19, 1};
    for (unsigned i = 0; i < 9; i++) put_number(&file, counts[i], 4);
    for (unsigned i = 0; i < 10; i++) put_float(&file, 1.0F); /* bounds, which nobody looks at */
    for (unsigned block = 0; block < GRID * GRID; block += 4) {
        for (unsigned i = 0; i < 4; i++) put_float(&file, 0.1F * (float)((block + i) % GRID));
        for (unsigned i = 0; i < 4; i++) {
            unsigned row = (block + i) / GRID;
            put_float(&file, 0.1F * (float)row);
        }
        for (unsigned i = 0; i < 4; i++) put_float(&file, 0.001F * (float)model);
    }
    for (unsigned i = 0; i < 16; i++) put_float(&file, i < 8 ? 0.0F : 1.0F);
    put_float(&file, 0.5F);
    put_float(&file, 0.5F);
    for (unsigned cell = 0; cell < cells; cell++) {
        unsigned a = cell / (GRID - 1) * GRID + cell % (GRID - 1);
        const unsigned corners[6] = {a, a + 1, a + GRID + 1, a, a + GRID + 1, a + GRID};
        for (unsigned i = 0; i < 6; i++) put_number(&file, corners[i], 2);
    }
    for (unsigned i = 0; i < GRID * GRID; i++) {
        put_number(&file, i, 2);
        put_number(&file, 0, 4); /* the normal and the texture coordinate */
    }
    return file;
}

static struct buffer make_track(unsigned model, unsigned part)
{
    struct buffer file = {0};
    put_number(&file, FRAMES, 4);
    for (unsigned f = 0; f < FRAMES; f++) {
        float turn = 0.01F * (float)((f * (part + 1) + model) % FRAMES);
        put_float(&file, 1.0F - turn * turn / 2); /* near enough to a rotation */
        put_float(&file, turn);
        put_float(&file, 0.0F);
        put_float(&file, 0.0F);
    }
    put_number(&file, FRAMES, 4);
    for (unsigned i = 0; i < 3 * FRAMES; i++) put_float(&file, 0.0F);
    put_number(&file, 0, 4);
    put_number(&file, 0, 4);
    return file;
}

static struct buffer make_place(void)
{
    struct buffer file = {0};
    put_float(&file, 0.0F);
    put_float(&file, 0.0F);
    put_float(&file, 1.0F);
    return file;
}

/* ---- archives ------------------------------------------------------------------------------ */

struct entries {
    ossa_packing *list;
    char (*names)[16];
    size_t count;
};

static struct entries begin_entries(size_t most)
{
    return (struct entries){must(calloc(most, sizeof(ossa_packing))), must(calloc(most, 16)), 0};
}

static void add_entry(struct entries *entries, const char *name, struct buffer file)
{
    size_t i = entries->count++;
    (void)snprintf(entries->names[i], 16, "%s", name);
    entries->list[i] = (ossa_packing){entries->names[i], file.data, file.size, 972300000};
}

static bool to_file(void *user, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, user) == size;
}

static bool collect(void *user, const void *bytes, size_t size)
{
    put(user, bytes, size);
    return true;
}

/* Packs and frees them. */
static void pack_to(struct entries *entries, ossa_sink sink)
{
    ossa_error error;
    if (!ossa_pack("ei-res", entries->list, entries->count, NULL, sink, &error)) {
        fprintf(stderr, "bench_archive: %s\n", error.message);
        exit(1);
    }
    for (size_t i = 0; i < entries->count; i++) free((void *)(uintptr_t)entries->list[i].data);
    free(entries->list);
    free(entries->names);
}

static struct buffer pack(struct entries *entries)
{
    struct buffer file = {0};
    pack_to(entries, (ossa_sink){collect, &file});
    return file;
}

static void add_model(struct entries *figures, unsigned model)
{
    struct entries mod = begin_entries(PARTS + 1);
    struct entries bon = begin_entries(PARTS);
    struct entries clip = begin_entries(PARTS);
    struct entries anm = begin_entries(1);
    char name[16];
    for (unsigned i = 0; i < PARTS; i++) {
        char part[3] = {'p', (char)('0' + i), '\0'};
        add_entry(&mod, part, make_mesh(model));
        add_entry(&bon, part, make_place());
        add_entry(&clip, part, make_track(model, i));
    }
    (void)snprintf(name, sizeof name, "m%04u", model);
    add_entry(&mod, name, make_tree());
    add_entry(&anm, "walk", pack(&clip));
    (void)snprintf(name, sizeof name, "m%04u.mod", model);
    add_entry(figures, name, pack(&mod));
    (void)snprintf(name, sizeof name, "m%04u.bon", model);
    add_entry(figures, name, pack(&bon));
    (void)snprintf(name, sizeof name, "m%04u.anm", model);
    add_entry(figures, name, pack(&anm));
}

/* In a process of its own: what one has had in memory counts for those that it starts, too. */
static size_t write_archive(const char *path, unsigned models)
{
    (void)fflush(NULL);
    pid_t child = fork();
    if (child < 0) stop("fork");
    if (child == 0) {
        struct entries figures = begin_entries(3 * (size_t)models);
        for (unsigned i = 0; i < models; i++) add_model(&figures, i);
        FILE *stream = fopen(path, "wb");
        if (stream == NULL) stop(path);
        pack_to(&figures, (ossa_sink){to_file, stream});
        if (fclose(stream) != 0) stop(path);
        _exit(0);
    }
    int status = 1;
    struct stat about;
    if (waitpid(child, &status, 0) != child || status != 0 || stat(path, &about) != 0) stop(path);
    return (size_t)about.st_size;
}

/* ---- measuring ----------------------------------------------------------------------------- */

struct result {
    size_t archive;
    long peak; /* KiB */
    double seconds;
};

/* A child of a child: the peak of all children so far is then that of one. */
static struct result measure(char *const *arguments)
{
    int channel[2];
    struct result result = {0};
    if (pipe(channel) != 0) stop("pipe");
    (void)fflush(NULL);
    pid_t child = fork();
    if (child < 0) stop("fork");
    if (child == 0) {
        posix_spawn_file_actions_t actions;
        pid_t tool;
        int status = 1;
        struct rusage usage;
        double start = now();
        (void)posix_spawn_file_actions_init(&actions);
        (void)posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        if (posix_spawn(&tool, arguments[0], &actions, NULL, arguments, environ) != 0) _exit(1);
        if (waitpid(tool, &status, 0) != tool || status != 0) _exit(1);
        if (getrusage(RUSAGE_CHILDREN, &usage) != 0) _exit(1);
        result.peak = usage.ru_maxrss;
        result.seconds = now() - start;
        _exit(write(channel[1], &result, sizeof result) == (ssize_t)sizeof result ? 0 : 1);
    }
    (void)close(channel[1]);
    int status = 1;
    bool got = read(channel[0], &result, sizeof result) == (ssize_t)sizeof result;
    (void)close(channel[0]);
    if (waitpid(child, &status, 0) != child || status != 0 || !got) stop(arguments[0]);
    return result;
}

static int drop(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about;
    (void)kind;
    (void)place;
    return remove(path);
}

static void show(const char *what, unsigned models, const struct result *result)
{
    printf("%-12s archive %5.1f MiB, peak memory %5.1f MiB, %6.2f ms a model\n", what,
           (double)result->archive / 1048576, (double)result->peak / 1024,
           1e3 * result->seconds / models);
}

/* One model (the first) or all of an archive of so many. */
static struct result convert(char *tool, char *jobs, const char *folder, unsigned models, bool all)
{
    char input[PATH_SIZE];
    char out[PATH_SIZE];
    char what[32];
    char verb[] = "convert";
    char quiet[] = "-q";
    char job_option[] = "-j"; /* memory goes with the jobs, so they must be known */
    char output[] = "-o";
    char every[] = "--all";
    (void)snprintf(input, sizeof input, "%s/%u.res", folder, models);
    size_t size = write_archive(input, models);
    if (!all) (void)snprintf(input, sizeof input, "%s/%u.res#m0000", folder, models);
    (void)snprintf(out, sizeof out, all ? "%s/%u/" : "%s/%u.glb", folder, models);
    (void)snprintf(what, sizeof what, "%s of %u", all ? "all" : "one", models);
    char *arguments[] = {tool,       verb, quiet, input, output, out, all ? every : NULL,
                         job_option, jobs, NULL};
    struct result result = measure(arguments);
    result.archive = size;
    show(what, all ? models : 1, &result);
    return result;
}

int main(int argc, char **argv)
{
    char built[] = OSSA_TOOL; /* the one of this build */
    char one_job[] = "1";
    char *tool = built;
    char *jobs = one_job;
    unsigned long models = 2000;
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "--tool") == 0) tool = argv[i + 1];
        if (strcmp(argv[i], "--jobs") == 0) jobs = argv[i + 1];
        if (strcmp(argv[i], "--models") == 0) models = strtoul(argv[i + 1], NULL, 10);
    }
    if (models < 10 || models > 9999) {
        fprintf(stderr, "bench_archive: --models is from 10 to 9999\n");
        return 2;
    }
    unsigned tenth = (unsigned)models / 10;
    char folder[] = "/tmp/ossa-bench-XXXXXX";
    if (mkdtemp(folder) == NULL) stop(folder);
    struct result few = convert(tool, jobs, folder, tenth, true);
    struct result one = convert(tool, jobs, folder, (unsigned)models, false);
    struct result many = convert(tool, jobs, folder, (unsigned)models, true);
    double more = (double)models - tenth;
    printf("all take %.3f times the memory of one of them; ten times the models, in an archive ten "
           "times as large, take %.2f times the memory and %.2f times as long each\n",
           (double)many.peak / (double)one.peak, (double)many.peak / (double)few.peak,
           many.seconds / few.seconds / 10);
    printf("a model more is %.1f KiB more of archive and %.2f KiB more of memory\n",
           (double)(many.archive - few.archive) / 1024 / more,
           (double)(many.peak - few.peak) / more);
    if (nftw(folder, drop, 16, FTW_DEPTH | FTW_PHYS) != 0) stop(folder);
    return 0;
}
