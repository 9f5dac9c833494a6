/* SPDX-License-Identifier: MIT
 *
 * The user's browser, and the folder of this program. */
#include "cli.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

char *os_variable(const char *name)
{
    const char *value = getenv(name);
    return value == NULL || value[0] == '\0' ? NULL : copy_text(value);
}

char *os_program_folder(void)
{
    char *path = realpath("/proc/self/exe", NULL);
    char *end = path == NULL ? NULL : strrchr(path, '/');
    if (end != NULL) *end = '\0';
    return path;
}

/* ---- the browser --------------------------------------------------------------------------- */

/* A program that fails may show it only by its exit status, and one that opens a window may run
 * until it is closed. So wait a moment. */
static bool is_running_well(pid_t process)
{
    const struct timespec moment = {.tv_nsec = 20000000};
    for (unsigned i = 0; i < 100; i++) {
        int status;
        pid_t ended = waitpid(process, &status, WNOHANG);
        if (ended == process) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        if (ended < 0) return false;
        (void)nanosleep(&moment, NULL);
    }
    return true;
}

/* Without our standard streams: browsers print a lot. */
static bool start(const char *program, const char *path)
{
    posix_spawn_file_actions_t actions;
    pid_t process = -1;
    char *name = copy_text(program);
    char *argument = copy_text(path);
    char *const arguments[] = {name, argument, NULL};
    bool ok = posix_spawn_file_actions_init(&actions) == 0;
    if (ok) {
        for (int stream = 0; stream < 3; stream++) {
            ok = posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0) == 0 &&
                 ok;
        }
        ok = ok && posix_spawnp(&process, program, &actions, NULL, arguments, environ) == 0;
        (void)posix_spawn_file_actions_destroy(&actions);
    }
    free(name);
    free(argument);
    return ok && is_running_well(process);
}

bool os_open_in_browser(const char *path, struct os_why *why)
{
    static const char *const openers[] = {"xdg-open", "open", "sensible-browser"};
    char *wanted = os_variable("BROWSER"); /* programs, separated by : */
    char *list = copy_text(wanted == NULL ? "" : wanted);
    bool ok = false;
    for (char *program = list; *program != '\0' && !ok;) {
        size_t size = strcspn(program, ":");
        bool is_last = program[size] == '\0';
        program[size] = '\0';
        ok = size > 0 && start(program, path);
        program += size + (is_last ? 0 : 1);
    }
    free(list);
    if (wanted != NULL) {
        if (!ok) (void)os_fail(why, "BROWSER is set to %s", wanted);
        free(wanted);
        return ok;
    }
    for (size_t i = 0; i < sizeof openers / sizeof openers[0] && !ok; i++) {
        ok = start(openers[i], path);
    }
    return ok || os_fail(why, "neither xdg-open nor open was found; set BROWSER");
}
