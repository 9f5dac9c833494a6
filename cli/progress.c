/* SPDX-License-Identifier: MIT */
#include "cli.h"

void progress_start(struct progress *progress, size_t total)
{
    *progress =
        (struct progress){.total = total, .unit = "files", .enabled = os_is_terminal(stderr)};
    progress->started = os_seconds();
}

void progress_step(struct progress *progress)
{
    progress_set(progress, progress->done + 1);
}

static void print_bar(const struct progress *progress)
{
    enum { WIDTH = 30 };
    char bar[WIDTH + 1] = "";
    size_t filled = progress->done * WIDTH / progress->total;
    for (size_t i = 0; i < WIDTH; i++) bar[i] = i < filled ? '#' : '.';
    (void)fprintf(stderr, "\r[%s] %zu of %zu %s", bar, progress->done, progress->total,
                  progress->unit);
}

void progress_set(struct progress *progress, size_t done)
{
    progress->done = done;
    if (!progress->enabled) return;
    double now = os_seconds();
    /* Nothing for short work; and terminals are slow, so at most ten updates per second. */
    if (now - progress->started < 0.5 || now - progress->last < 0.1) return;
    progress->last = now;
    progress->shown = true;
    if (progress->total > 0) print_bar(progress);
    else (void)fprintf(stderr, "\r%zu %s", progress->done, progress->unit);
    (void)fflush(stderr);
}

void progress_hide(struct progress *progress)
{
    if (!progress->shown) return;
    (void)fputs("\r\033[K", stderr);
    (void)fflush(stderr);
    progress->shown = false;
}
