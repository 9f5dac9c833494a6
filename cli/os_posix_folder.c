/* SPDX-License-Identifier: MIT
 *
 * The folder for files that need not be kept. Its name is known to everybody, and so is the folder
 * around it, so what has this name may be of somebody else. */
#include "cli.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Not through a link, which could lead anywhere. */
static bool is_own_folder(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
           (status.st_mode & 0077) == 0;
}

/* Somebody else has the name: the folder that an earlier run has made instead, or a new one. NULL,
 * with errno, on failure. */
static char *make_other_folder(const char *base)
{
    static const char pattern[] = "ossa-XXXXXX";
    struct texts names = {0};
    char *path = NULL;
    os_list_folder(base, &names);
    for (size_t i = 0; i < names.count && path == NULL; i++) {
        const char *name = names.items[i];
        if (strlen(name) != sizeof pattern - 1 || strncmp(name, pattern, 5) != 0) continue;
        path = path_in(base, name);
        if (is_own_folder(path)) continue;
        free(path);
        path = NULL;
    }
    texts_free(&names);
    if (path != NULL) return path;
    path = path_in(base, pattern);
    if (mkdtemp(path) != NULL) return path;
    free(path);
    return NULL;
}

char *os_make_own_folder(struct os_why *why)
{
    char *set = os_variable("TMPDIR");
    const char *base = set == NULL ? "/tmp" : set;
    char *name = format_text("ossa-%lu", (unsigned long)geteuid());
    char *path = path_in(base, name);
    bool ok = mkdir(path, 0700) == 0 || is_own_folder(path);
    if (!ok && errno != ENOENT) {
        free(path);
        path = make_other_folder(base);
        ok = path != NULL;
    }
    int problem = errno;
    free(name);
    free(set);
    errno = problem;
    if (ok) return path;
    (void)os_fail(why, "cannot be created: %s", strerror(errno));
    free(path);
    return NULL;
}

void os_list_folder(const char *folder, struct texts *names)
{
    DIR *list = opendir(folder);
    if (list == NULL) return;
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;) {
        bool is_itself = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
        if (!is_itself) texts_add(names, copy_text(entry->d_name));
    }
    (void)closedir(list);
}

unsigned long os_process(void)
{
    return (unsigned long)getpid();
}

bool os_is_running(unsigned long process)
{
    pid_t number = (pid_t)process;
    return number > 0 && (kill(number, 0) == 0 || errno == EPERM);
}
