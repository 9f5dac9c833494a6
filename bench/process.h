/* SPDX-License-Identifier: MIT
 *
 * Running programs and keeping files for them. All of it ends the benchmark when it fails. */
#ifndef OSSA_BENCH_PROCESS_H
#define OSSA_BENCH_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

_Noreturn void stop(const char *what);

/* A program and its arguments, up to a NULL. A name without a slash is looked up in PATH. */
struct command {
    const char *arguments[12];
};

/* What one run of a program took. */
struct usage {
    double seconds; /* of the processor */
    double peak;    /* the most bytes that it had resident */
};

/* Run a command, its output thrown away. */
void run_process(const struct command *command);
/* The same, and what it took. */
struct usage measure_process(const struct command *command);
/* Whether a command can be started at all. */
bool can_run(const char *name);

/* Do something in a process of its own: what a process has had in memory counts for those that it
 * starts, too, so those who measure programs prepare their inputs this way. */
void in_child(void (*work)(void *user), void *user);

FILE *create_file(const char *path); /* never NULL */
void write_file(const char *path, const void *data, size_t size);
void make_folder(const char *path);
/* Delete a folder and everything in it. */
void remove_folder(const char *path);

#endif
