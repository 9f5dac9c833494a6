/* SPDX-License-Identifier: MIT
 *
 * What the search for containers in a large file costs, as multiples of a memcpy of the same bytes
 * and of a memchr over them: without the disk, which is slower than all of it.
 *
 *     bench_scan [--samples N] */
#include "ossa/ossa.h"

#include "bench.h"

enum { SIZE = 64 << 20, CONTAINER = 4096, STEP = 1 << 20 };

/* A file in memory. */
struct disc {
    uint8_t *data;
    uint8_t *copy;
    size_t found;
};

static void put_u32(uint8_t *bytes, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) bytes[i] = (uint8_t)(value >> 8 * i);
}

/* A container of two sections whose data is whatever stands there. */
static void put_container(uint8_t *bytes)
{
    memset(bytes, 0, 208);
    memcpy(bytes, "xff2", 4);
    put_u32(bytes + 0x14, CONTAINER);
    put_u32(bytes + 0x40, 2);
    put_u32(bytes + 0x5c, 120);
    put_u32(bytes + 0x68, 112);
    put_u32(bytes + 0x6c, 184);
    put_u32(bytes + 120 + 32 + 8, CONTAINER - 208);
    put_u32(bytes + 120 + 32 + 28, 208);
}

/* Any bytes, or hardly any but zeros; a container every mebibyte. */
static void fill(struct disc *disc, bool random)
{
    uint32_t state = 1;
    for (size_t i = 0; i < SIZE; i++) {
        state = state * 1664525U + 1013904223U;
        disc->data[i] = random ? (uint8_t)(state >> 24) : 0;
    }
    for (size_t i = STEP / 2 + 7; i + CONTAINER < SIZE; i += STEP) put_container(disc->data + i);
}

/* Behind pointers that the compiler cannot see through: the work must really be done. */
static void *(*volatile copy_bytes)(void *, const void *, size_t) = memcpy;
static void *(*volatile find_byte)(const void *, int, size_t) = memchr;

static void do_copy(void *user)
{
    struct disc *disc = user;
    (void)copy_bytes(disc->copy, disc->data, SIZE);
}

/* Of the bytes that are there it looks for none in particular: a byte that `x` is not. */
static void do_memchr(void *user)
{
    struct disc *disc = user;
    for (const uint8_t *at = disc->data; at != NULL && at < disc->data + SIZE - 1; at++) {
        at = find_byte(at, 'y', (size_t)(disc->data + SIZE - at));
        if (at == NULL) return;
    }
}

static bool read_disc(void *user, uint64_t offset, void *bytes, size_t size)
{
    struct disc *disc = user;
    memcpy(bytes, disc->data + offset, size);
    return true;
}

static void count(void *user, const ossa_sotc_found *found)
{
    struct disc *disc = user;
    disc->found += found->size == CONTAINER ? 1 : 0;
}

static void do_scan(void *user)
{
    struct disc *disc = user;
    disc->found = 0;
    if (ossa_sotc_scan(read_disc, disc, SIZE, NULL, count, NULL) && disc->found == SIZE / STEP) {
        return;
    }
    fprintf(stderr, "%zu containers found, expected %d\n", disc->found, SIZE / STEP);
    exit(1);
}

int main(int argc, char **argv)
{
    size_t samples = samples_from(argc, argv, 15);
    struct disc disc = {.data = must(malloc(SIZE)), .copy = must(malloc(SIZE))};
    const struct work copy = {do_copy, &disc, 0};
    const struct work search = {do_memchr, &disc, 0};
    const struct work scan = {do_scan, &disc, 0};
    printf("Search for containers in 64 MiB, reading included (medians of %zu):\n", samples);
    printf("%-26s %12s %12s\n", "", "x memcpy", "x memchr");
    for (unsigned i = 0; i < 2; i++) {
        fill(&disc, i == 0);
        memcpy(disc.copy, disc.data, SIZE); /* every page is there */
        printf("%-26s", i == 0 ? "random bytes" : "zeros");
        printf(" %12.2f", ratio(scan, copy, samples));
        printf(" %12.2f\n", ratio(scan, search, samples));
    }
    free(disc.data);
    free(disc.copy);
    return 0;
}
