/* SPDX-License-Identifier: MIT
 *
 * What it takes to list a disc of 2 GB that holds a NICO.DAT: by its directory, by searching it,
 * and with an index; and what just reading it takes. The file is made in a temporary folder, with
 * holes where nothing has to be: it is the same everywhere and takes little room.
 *
 *     bench_disc [--samples N]        with 1, a disc of 64 MB */
#define BENCH_CLOCK CLOCK_MONOTONIC
#include "ossa/ossa.h"

#include "bench.h"
#include "process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    SECTOR = 2048,
    DESCRIPTOR = 16, /* sectors */
    ROOT = 18,
    ARCHIVE = 20,
    LARGE_COUNT = 9317, /* files of the real disc */
    SMALL_COUNT = 300,
    PART = 110, /* sectors from one file to the next */
    POOL_AT = 24,
    DIRECTORY_SECTORS = 64,
    BLOCK = 1 << 20,
};

struct disc {
    const char *path;
    uint32_t count; /* of files */
    uint64_t size;  /* of NICO.DAT */
    int file;
    bool hides_directory;
    ossa_buffer index;
};

static void put_u32(uint8_t *bytes, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> 8 * i);
}

/* In both byte orders, as ISO 9660 has it. */
static void put_both(uint8_t *bytes, uint32_t value)
{
    put_u32(bytes, value);
    for (unsigned i = 0; i < 4; i++) bytes[7 - i] = (uint8_t)(value >> 8 * i);
}

static void write_at(const struct disc *disc, uint64_t offset, const void *bytes, size_t size)
{
    if (pwrite(disc->file, bytes, size, (off_t)offset) != (ssize_t)size) stop("writing the disc");
}

/* ---- making the disc ----------------------------------------------------------------------- */

static size_t put_record(uint8_t *at, const char *name, size_t name_size, uint32_t sector,
                         uint32_t size, bool is_folder)
{
    size_t length = (33 + name_size + 1) / 2 * 2;
    at[0] = (uint8_t)length;
    put_both(at + 2, sector);
    put_both(at + 10, size);
    at[25] = is_folder ? 2 : 0;
    at[28] = 1;
    at[31] = 1;
    at[32] = (uint8_t)name_size;
    memcpy(at + 33, name, name_size);
    return length;
}

static void write_file_system(const struct disc *disc)
{
    uint8_t sector[SECTOR] = {1, 'C', 'D', '0', '0', '1', 1};
    put_both(sector + 80, (uint32_t)(ARCHIVE + disc->size / SECTOR));
    sector[120] = sector[123] = sector[124] = sector[127] = 1;
    sector[129] = SECTOR >> 8;
    sector[130] = SECTOR >> 8;
    (void)put_record(sector + 156, "", 1, ROOT, SECTOR, true);
    sector[881] = 1;
    write_at(disc, (uint64_t)DESCRIPTOR * SECTOR, sector, SECTOR);
    memset(sector, 0, SECTOR);
    memcpy(sector, "\377CD001\1", 7);
    write_at(disc, (uint64_t)(DESCRIPTOR + 1) * SECTOR, sector, SECTOR);
    memset(sector, 0, SECTOR);
    size_t used = put_record(sector, "", 1, ROOT, SECTOR, true);
    used += put_record(sector + used, "\1", 1, ROOT, SECTOR, true);
    (void)put_record(sector + used, "NICO.DAT;1", 10, ARCHIVE, (uint32_t)disc->size, false);
    write_at(disc, (uint64_t)ROOT * SECTOR, sector, SECTOR);
}

/* Sizes of all kinds up to what there is room for, most of them small as on the real disc. */
static uint32_t size_of(uint32_t i)
{
    uint32_t random = i * 2654435761U;
    return 512 + (random >> 8) % (1U << (10 + random % 8));
}

/* The record before a file; returns where that begins. */
static uint8_t *put_path(uint8_t *at, const char *path, uint32_t size)
{
    size_t path_size = strlen(path) + 1;
    put_u32(at, (uint32_t)path_size);
    put_u32(at + 4, size);
    memcpy(at + 8, path, path_size);
    return at + 8 + path_size;
}

/* A sheet segment of a container, whose only section is full of anything, and of a file of another
 * kind, which is a hole. Gives the bytes up to that. */
static size_t make_part(uint8_t *bytes, uint32_t i)
{
    enum { HEADER = 208, FILES = 36 };
    static const char other[] = "movie/m.pss";
    char path[64];
    uint32_t size = size_of(i);
    memset(bytes, 0, 512);
    (void)snprintf(path, sizeof path, "nto/texture_%05u.nto", i);
    uint8_t *container = put_path(bytes + FILES, path, size);
    size_t end = (size_t)(container - bytes) + size;
    put_u32(bytes, 2);
    put_u32(bytes + 12, (uint32_t)end - FILES);
    put_u32(bytes + 28, (uint32_t)(PART * SECTOR - end));
    uint32_t rest = (uint32_t)(PART * SECTOR - end - 8 - sizeof other);
    size_t made = (size_t)(put_path(bytes + end, other, rest) - bytes);
    memcpy(container, "xff2", 4);
    put_u32(container + 0x14, size);
    put_u32(container + 0x40, 2);
    put_u32(container + 0x5c, 120);
    put_u32(container + 0x68, 112);
    put_u32(container + 0x6c, 184);
    put_u32(container + 120 + 32 + 8, size - HEADER);
    put_u32(container + 120 + 32 + 28, HEADER);
    for (uint32_t k = HEADER, state = i; k < size; k++) {
        state = state * 1664525U + 1013904223U;
        container[k] = (uint8_t)(state >> 24);
    }
    memcpy(container + HEADER, "NTO2", 4);
    return made;
}

static void write_archive(const struct disc *disc)
{
    static const char pool[] = "stage";
    const uint64_t begin = (uint64_t)ARCHIVE * SECTOR;
    uint8_t *part = must(malloc((size_t)PART * SECTOR));
    uint8_t *directory = must(calloc(DIRECTORY_SECTORS, SECTOR));
    put_u32(directory + 16, 1);
    put_u32(directory + 20, sizeof pool);
    memcpy(directory + POOL_AT, pool, sizeof pool);
    uint8_t *at = directory + POOL_AT + sizeof pool + 4; /* no ids */
    put_u32(at, disc->count);
    at += 8; /* none localised */
    for (uint32_t i = 0; i < disc->count; i++, at += 8) {
        uint32_t sector = DIRECTORY_SECTORS + PART * i;
        size_t size = make_part(part, i);
        write_at(disc, begin + (uint64_t)sector * SECTOR, part, size);
        put_u32(at, sector);
        put_u32(at + 4, PART * SECTOR);
    }
    write_at(disc, begin, directory, (size_t)DIRECTORY_SECTORS * SECTOR);
    free(directory);
    free(part);
}

static void make_disc(void *user)
{
    struct disc *disc = user;
    disc->file = open(disc->path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (disc->file < 0) stop(disc->path);
    if (ftruncate(disc->file, (off_t)((uint64_t)ARCHIVE * SECTOR + disc->size)) != 0) {
        stop("making room for the disc");
    }
    write_file_system(disc);
    write_archive(disc);
    if (close(disc->file) != 0) stop("closing the disc");
}

/* ---- listing it ---------------------------------------------------------------------------- */

static bool read_disc(void *user, uint64_t offset, void *bytes, size_t size)
{
    const struct disc *disc = user;
    return pread(disc->file, bytes, size, (off_t)offset) == (ssize_t)size;
}

/* NICO.DAT in the disc; without its directory if that is to be hidden. */
struct entry {
    const struct disc *disc;
    ossa_file *file_system;
};

static bool read_archive(void *user, uint64_t offset, void *bytes, size_t size)
{
    const struct entry *entry = user;
    if (!ossa_entry_read(entry->file_system, 0, offset, bytes, size)) return false;
    bool is_seen = offset <= POOL_AT && POOL_AT - offset < size;
    if (is_seen && entry->disc->hides_directory) ((uint8_t *)bytes)[POOL_AT - offset] = 1;
    return true;
}

static void list_disc(struct disc *disc, bool makes_index)
{
    ossa_error error;
    ossa_options options = {.format = "sotc-nico", /* the search need not find out */
                            .index = disc->index.data,
                            .index_size = disc->index.size};
    struct entry entry = {.disc = disc};
    ossa_source image = {read_disc, disc, (uint64_t)ARCHIVE * SECTOR + disc->size};
    entry.file_system = ossa_read_from(&image, NULL, &error);
    if (entry.file_system == NULL || ossa_entry_count(entry.file_system) != 1) stop("the disc");
    ossa_source source = {read_archive, &entry, disc->size};
    ossa_file *archive = ossa_read_from(&source, &options, &error);
    if (archive == NULL) stop(error.message);
    if (ossa_entry_count(archive) != disc->count) stop("listing the archive");
    if (archive->issue_count > 0) stop(archive->issues[0].message);
    const char *name = ossa_entry_at(archive, disc->count - 1)->name;
    if (strncmp(name, "nto/texture_", 12) != 0) stop(name);
    if (makes_index && !ossa_write_index(archive, ossa_buffer_sink(&disc->index), &error)) {
        stop(error.message);
    }
    ossa_file_free(archive);
    ossa_file_free(entry.file_system);
}

static void do_read(void *user)
{
    struct disc *disc = user;
    uint8_t *block = must(malloc(BLOCK));
    for (uint64_t at = 0; at < disc->size; at += BLOCK) {
        if (pread(disc->file, block, BLOCK, (off_t)at) <= 0) stop("reading the disc");
    }
    free(block);
}

static void do_list(void *user)
{
    list_disc(user, false);
}

/* One row of the table, in a process of its own because of its memory. */
struct row {
    struct disc *disc;
    const char *title;
    void (*run)(void *user);
    size_t samples;
};

static void print_row(void *user)
{
    const struct row *row = user;
    double times[LARGEST_SAMPLES] = {0};
    struct rusage usage;
    for (size_t i = 0; i < row->samples; i++) {
        double start = now();
        row->run(row->disc);
        times[i] = now() - start;
    }
    (void)getrusage(RUSAGE_SELF, &usage);
    double seconds = median(times, row->samples);
    printf("%-26s %10.3f %12.2f %10.1f\n", row->title, seconds,
           (double)row->disc->size / seconds / 1e9, (double)usage.ru_maxrss / 1024);
    (void)fflush(stdout);
}

int main(int argc, char **argv)
{
    size_t samples = samples_from(argc, argv, 5);
    char folder[] = "/tmp/ossa-bench-XXXXXX";
    char path[64];
    if (mkdtemp(folder) == NULL) stop("a temporary folder");
    (void)snprintf(path, sizeof path, "%s/disc.iso", folder);
    struct disc disc = {.path = path, .count = samples > 1 ? LARGE_COUNT : SMALL_COUNT};
    disc.size = (uint64_t)SECTOR * (DIRECTORY_SECTORS + (uint64_t)PART * disc.count);
    in_child(make_disc, &disc);
    disc.file = open(path, O_RDONLY);
    if (disc.file < 0) stop(path);
    list_disc(&disc, true);
    ossa_buffer index = disc.index;
    printf("A disc of %.2f GB with %u files, in the cache of the system (medians of %zu):\n",
           (double)disc.size / 1e9, disc.count, samples);
    printf("%-26s %10s %12s %10s\n", "", "seconds", "GB/s", "peak MB");
    for (unsigned i = 0; i < 4; i++) {
        static const char *const titles[] = {"just read", "listed by search", "listed by directory",
                                             "listed by index"};
        struct row row = {&disc, titles[i], i == 0 ? do_read : do_list, samples};
        disc.hides_directory = i == 1;
        disc.index = i == 3 ? index : (ossa_buffer){0};
        in_child(print_row, &row);
    }
    ossa_buffer_free(&index);
    (void)close(disc.file);
    remove_folder(folder);
    return 0;
}
