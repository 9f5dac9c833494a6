/* SPDX-License-Identifier: MIT
 *
 * The pages that `ossa view` opens. A browser reads its page after the tool has ended, and may read
 * it again, so nobody can remove it at once. All are in one folder, and each run removes those that
 * are older than an hour, and what runs that were killed have left: a page that is not complete has
 * a longer name (see os_open_output), which begins with the number of the process. */
#include "view_folder.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KEPT_SECONDS = 3600 };

static const char prefix[] = "page-";
static const char ending[] = ".html";

/* Whether a name is that of a page, and of which process; `rest` is what follows it. */
static bool is_page(const char *name, unsigned long *process, const char **rest)
{
    if (strncmp(name, prefix, sizeof prefix - 1) != 0) return false;
    char *end;
    *process = strtoul(name + sizeof prefix - 1, &end, 10);
    if (strncmp(end, ending, sizeof ending - 1) != 0) return false;
    *rest = end + sizeof ending - 1;
    return true;
}

static bool is_old(const char *path)
{
    uint32_t written = os_time(path);
    return written != 0 && (int64_t)time(NULL) - (int64_t)written > KEPT_SECONDS;
}

static void remove_old(const char *folder)
{
    struct texts names = {0};
    os_list_folder(folder, &names);
    for (size_t i = 0; i < names.count; i++) {
        unsigned long process;
        const char *rest;
        if (is_page(names.items[i], &process, &rest)) {
            char *path = path_in(folder, names.items[i]);
            /* A page with our process id is left from an earlier run: ours does not exist yet. */
            bool is_left = rest[0] != '\0' && (process == os_process() || !os_is_running(process));
            if (is_left || is_old(path)) os_remove(path);
            free(path);
        }
    }
    texts_free(&names);
}

char *view_new_page(struct os_why *why)
{
    char *folder = os_make_own_folder(why);
    if (folder == NULL) return NULL;
    remove_old(folder);
    char *path = format_text("%s/%s%lu%s", folder, prefix, os_process(), ending);
    free(folder);
    return path;
}

void view_forget_page(const char *path)
{
    char *folder = format_text("%.*s", (int)(os_base_name(path) - path - 1), path);
    os_remove_empty_folder(folder);
    free(folder);
}
