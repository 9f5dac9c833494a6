/* SPDX-License-Identifier: MIT
 *
 * Folders and files below a folder, for names that others have chosen. */
#include "os.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool fail(struct os_why *why, const char *text, const char *more)
{
    *why = (struct os_why){.is_limit = false};
    (void)snprintf(why->text, sizeof why->text, "%s%s", text, more);
    return false;
}

static bool fail_about(struct os_why *why, const char *path, const char *text)
{
    *why = (struct os_why){.is_limit = false};
    (void)snprintf(why->text, sizeof why->text, "%s %s", path, text);
    return false;
}

/* A folder that is no link: what is written below it stays below it. */
static bool make_real_folder(const char *path, struct os_why *why)
{
    struct stat status;
    if (mkdir(path, 0777) == 0) return true;
    if (errno != EEXIST) return fail(why, "a folder cannot be made: ", strerror(errno));
    if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode)) return true;
    return fail_about(why, path, "is there already and no folder (links are not followed)");
}

static const char no_file[] = "is there already and no file (links are not followed)";

static bool is_file_or_nothing(const char *path)
{
    struct stat status;
    return lstat(path, &status) != 0 || S_ISREG(status.st_mode);
}

bool os_may_write(const char *path, struct os_why *why)
{
    return is_file_or_nothing(path) || fail(why, no_file, "");
}

char *os_prepare_below(const char *folder, const char *relative, bool is_folder, struct os_why *why)
{
    size_t base = strlen(folder);
    while (base > 1 && folder[base - 1] == '/') base--;
    size_t size = base + strlen(relative) + 2;
    char *path = malloc(size);
    if (path == NULL) {
        (void)fail(why, "cannot be made: ", "no memory");
        return NULL;
    }
    (void)snprintf(path, size, "%.*s/%s", (int)base, folder, relative);
    bool ok = true;
    for (char *c = path + base + 1; ok && (c = strchr(c, '/')) != NULL; c++) {
        *c = '\0';
        ok = make_real_folder(path, why);
        *c = '/';
    }
    if (ok && is_folder) ok = make_real_folder(path, why);
    else if (ok && !is_file_or_nothing(path)) ok = fail_about(why, path, no_file);
    if (ok) return path;
    free(path);
    return NULL;
}

void os_remove_empty_folder(const char *path)
{
    (void)rmdir(path); /* refuses any other */
}

void os_set_time(const char *path, uint32_t seconds)
{
    const struct timespec times[2] = {{.tv_sec = (time_t)seconds}, {.tv_sec = (time_t)seconds}};
    (void)utimensat(AT_FDCWD, path, times, 0); /* a time that cannot be set is no failure */
}

uint32_t os_time(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || status.st_mtime < 0) return 0;
    return (uint64_t)status.st_mtime > UINT32_MAX ? 0 : (uint32_t)status.st_mtime;
}
