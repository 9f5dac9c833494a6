/* SPDX-License-Identifier: MIT
 *
 * How much longer the tool takes to look at a small file than to start at all, `ossa --version`.
 *
 *     bench_start [--samples N] [--tool PATH] */
#define BENCH_CLOCK CLOCK_MONOTONIC
#include "bench.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Run a command, its output thrown away; false when it fails. */
static bool run(char *const *arguments)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0) return false;
    (void)posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child;
    int status = 1;
    bool started = posix_spawn(&child, arguments[0], &actions, NULL, arguments, environ) == 0;
    (void)posix_spawn_file_actions_destroy(&actions);
    return started && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

static void run_or_stop(void *user)
{
    if (run(user)) return;
    fprintf(stderr, "%s failed\n", *(char **)user);
    exit(1);
}

/* An ei-anm of one frame. */
static const uint8_t small_file[44] = {1, 0, 0, 0, 0, 0, 0x80, 0x3f, [20] = 1};

static bool write_small_file(char *path)
{
    int file = mkstemp(path);
    if (file < 0) return false;
    bool good = write(file, small_file, sizeof small_file) == (ssize_t)sizeof small_file;
    return close(file) == 0 && good;
}

int main(int argc, char **argv)
{
    size_t samples = samples_from(argc, argv, 201);
    char *tool = NULL;
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "--tool") == 0) tool = argv[i + 1];
    }
    char built[] = OSSA_TOOL; /* the one of this build */
    if (tool == NULL) tool = built;
    char path[] = "/tmp/ossa-bench-XXXXXX";
    if (!write_small_file(path)) {
        perror(path);
        return 1;
    }
    char version[] = "--version";
    char info[] = "info";
    char dump[] = "dump";
    char *start[] = {tool, version, NULL};
    char *look[] = {tool, info, path, NULL};
    char *print[] = {tool, dump, path, NULL};
    struct work base = {run_or_stop, start, 0};
    printf("Process times as multiples of --version (medians of %zu):\n", samples);
    printf("info of a small file  %.3f\n",
           ratio((struct work){run_or_stop, look, 0}, base, samples));
    printf("dump of a small file  %.3f\n",
           ratio((struct work){run_or_stop, print, 0}, base, samples));
    (void)unlink(path);
    return 0;
}
