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
#include <sys/types.h>
#include <time.h>

enum { LARGEST_SAMPLES = 1001 };

/* The time of this process alone, so that a busy machine does not count against long work; who
 * times other processes sets it to CLOCK_MONOTONIC. */
#ifndef BENCH_CLOCK
#define BENCH_CLOCK CLOCK_PROCESS_CPUTIME_ID
#endif
static clockid_t bench_clock = BENCH_CLOCK;

static inline void *must(void *pointer)
{
    if (pointer != NULL) return pointer;
    fputs("out of memory\n", stderr);
    exit(1);
}

static inline double now(void)
{
    struct timespec t;
    (void)clock_gettime(bench_clock, &t);
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

/* What `samples` rounds gave. The best is the time without disturbance by the machine, the median
 * what to expect of it. */
struct timing {
    double best;
    double median;
};

/* Time several things in turn, so that all of them see the same machine. Those without a function
 * are left out. */
static inline void time_all(struct work *works, size_t count, size_t samples,
                            struct timing *timings)
{
    double *times = (double *)must(calloc(count * samples + 1, sizeof *times));
    for (size_t i = 0; i < count; i++) {
        if (works[i].run != NULL) calibrate(&works[i]);
    }
    for (size_t s = 0; s < samples; s++) {
        for (size_t i = 0; i < count; i++) {
            if (works[i].run != NULL) times[i * samples + s] = time_of(&works[i]);
        }
    }
    for (size_t i = 0; i < count; i++) {
        timings[i].median = median(times + i * samples, samples); /* sorts */
        timings[i].best = times[i * samples];
    }
    free(times);
}

/* How many times as long `a` takes as `b`, by their medians. */
static inline double ratio(struct work a, struct work b, size_t samples)
{
    struct work works[2] = {a, b};
    struct timing timings[2];
    time_all(works, 2, samples, timings);
    return timings[0].median / timings[1].median;
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
