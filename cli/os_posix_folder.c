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

char *os_make_own_folder(struct os_why *why)
{
    char *base = os_variable("TMPDIR");
    char *name = format_text("ossa-%lu", (unsigned long)geteuid());
    char *path = path_in(base == NULL ? "/tmp" : base, name);
    bool ok = mkdir(path, 0700) == 0 || is_own_folder(path);
    if (!ok && errno != ENOENT) {
        free(path);
        path = path_in(base == NULL ? "/tmp" : base, "ossa-XXXXXX");
        ok = mkdtemp(path) != NULL;
    }
    free(name);
    free(base);
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
