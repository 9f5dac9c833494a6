/* SPDX-License-Identifier: MIT
 *
 * What the benchmarks share. Times of one machine say nothing on another, so only ratios of times
 * from the same run are printed: the things to compare take turns, and medians are compared. */
#ifndef OSSA_BENCH_H
#define OSSA_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LARGEST_SAMPLES = 1001 };

/* The time of this process alone, so that a busy machine does not count against long work; a
 * program that times other processes says otherwise before it includes this. */
#ifndef BENCH_CLOCK
#define BENCH_CLOCK CLOCK_PROCESS_CPUTIME_ID
#endif

static inline void *must(void *pointer)
{
    if (pointer != NULL) return pointer;
    fputs("out of memory\n", stderr);
    exit(1);
}

static inline double now(void)
{
    struct timespec t;
    (void)clock_gettime(BENCH_CLOCK, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline int compare_doubles(const void *a, const void *b)
{
    const double *x = a;
    const double *y = b;
    return (*x > *y) - (*x < *y);
}

static inline double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    return values[count / 2];
}

/* One thing to be timed. */
struct work {
    void (*run)(void *user);
    void *user;
    unsigned calls; /* in a sample: enough to be measured */
};

static inline double time_of(const struct work *work)
{
    double start = now();
    for (unsigned i = 0; i < work->calls; i++) work->run(work->user);
    return (now() - start) / work->calls;
}

static inline void calibrate(struct work *work)
{
    const double enough = 2e-4;
    for (work->calls = 1; work->calls < 1U << 20; work->calls *= 4) {
        if (time_of(work) * work->calls >= enough) return;
    }
}

/* How many times as long `a` takes as `b`. */
static inline double ratio(struct work a, struct work b, size_t samples)
{
    double times_a[LARGEST_SAMPLES] = {0};
    double times_b[LARGEST_SAMPLES] = {0};
    calibrate(&a);
    calibrate(&b);
    for (size_t i = 0; i < samples; i++) {
        times_a[i] = time_of(&a);
        times_b[i] = time_of(&b);
    }
    return median(times_a, samples) / median(times_b, samples);
}

/* The number behind `--samples`, or `otherwise`. */
static inline size_t samples_from(int argc, char **argv, size_t otherwise)
{
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "--samples") != 0) continue;
        unsigned long samples = strtoul(argv[i + 1], NULL, 10);
        if (samples >= 1 && samples <= LARGEST_SAMPLES) return samples;
    }
    return otherwise;
}

#endif
