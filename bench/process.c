/* SPDX-License-Identifier: MIT */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void stop(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, errno != 0 ? strerror(errno) : "failed");
    exit(1);
}

static bool run(const struct command *command)
{
    char *const *arguments = (char *const *)(uintptr_t)command->arguments; /* it changes none */
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) return false;
    (void)posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child;
    int status = 1;
    bool started = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ) == 0;
    (void)posix_spawn_file_actions_destroy(&actions);
    return started && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

void run_process(const struct command *command)
{
    errno = 0;
    if (!run(command)) stop(command->arguments[0]);
}

bool can_run(const char *name)
{
    const struct command look = {{"sh", "-c", "command -v \"$0\"", name}};
    return run(&look);
}

/* Wait for a child that has to exit with 0. */
static void expect_success(pid_t child, const char *what)
{
    int status = 1;
    errno = 0;
    if (waitpid(child, &status, 0) != child || status != 0) stop(what);
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

/* A child of a child: the usage of all children so far is then that of one. */
struct usage measure_process(const struct command *command)
{
    int channel[2];
    struct usage usage = {0};
    if (pipe(channel) != 0) stop("pipe");
    (void)fflush(NULL);
    pid_t child = fork();
    if (child < 0) stop("fork");
    if (child == 0) {
        struct rusage used;
        if (!run(command) || getrusage(RUSAGE_CHILDREN, &used) != 0) _exit(1);
        usage.seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
        usage.peak = (double)used.ru_maxrss * 1024;
        _exit(write(channel[1], &usage, sizeof usage) == (ssize_t)sizeof usage ? 0 : 1);
    }
    (void)close(channel[1]);
    bool got = read(channel[0], &usage, sizeof usage) == (ssize_t)sizeof usage;
    (void)close(channel[0]);
    expect_success(child, command->arguments[0]);
    if (!got) stop(command->arguments[0]);
    return usage;
}

void in_child(void (*work)(void *user), void *user)
{
    (void)fflush(NULL);
    pid_t child = fork();
    if (child < 0) stop("fork");
    if (child == 0) {
        work(user);
        _exit(0);
    }
    expect_success(child, "preparing");
}

FILE *create_file(const char *path)
{
    FILE *stream = fopen(path, "wb");
    if (stream == NULL) stop(path);
    return stream;
}

void write_file(const char *path, const void *data, size_t size)
{
    FILE *stream = create_file(path);
    if (fwrite(data, 1, size, stream) != size || fclose(stream) != 0) stop(path);
}

void make_folder(const char *path)
{
    if (mkdir(path, 0777) != 0) stop(path);
}

static int drop(const char *path, const struct stat *about, int kind, struct FTW *position)
{
    (void)about;
    (void)kind;
    (void)position;
    return remove(path);
}

void remove_folder(const char *path)
{
    if (nftw(path, drop, 16, FTW_DEPTH | FTW_PHYS) != 0) stop(path);
}
