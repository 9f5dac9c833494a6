/* SPDX-License-Identifier: MIT */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <spawn.h>
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

static bool run(char *const *arguments)
{
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

void run_process(char *const *arguments)
{
    errno = 0;
    if (!run(arguments)) stop(arguments[0]);
}

bool can_run(const char *name)
{
    char copy[256];
    (void)snprintf(copy, sizeof copy, "%s", name);
    char option[] = "-c";
    char shell[] = "sh";
    char command[300];
    (void)snprintf(command, sizeof command, "command -v '%s'", copy);
    char *arguments[] = {shell, option, command, NULL};
    return run(arguments);
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
struct usage measure_process(char *const *arguments)
{
    int channel[2];
    struct usage usage = {0};
    if (pipe(channel) != 0) stop("pipe");
    (void)fflush(NULL);
    pid_t child = fork();
    if (child < 0) stop("fork");
    if (child == 0) {
        struct rusage used;
        if (!run(arguments) || getrusage(RUSAGE_CHILDREN, &used) != 0) _exit(1);
        usage.seconds = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
        usage.peak = (double)used.ru_maxrss * 1024;
        _exit(write(channel[1], &usage, sizeof usage) == (ssize_t)sizeof usage ? 0 : 1);
    }
    (void)close(channel[1]);
    bool got = read(channel[0], &usage, sizeof usage) == (ssize_t)sizeof usage;
    (void)close(channel[0]);
    expect_success(child, arguments[0]);
    if (!got) stop(arguments[0]);
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
