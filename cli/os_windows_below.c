/* SPDX-License-Identifier: MIT
 *
 * Names below a folder that the user named. Files are opened by their whole path here. While a call
 * lasts, or an output is open, each folder on the way down is held open in a way that lets nobody
 * rename or remove it, so nobody can put a link in its place after it was found not to be one.
 *
 * What is not covered: the folder that the user named, and those around it, are not held, and a
 * share on another machine may ignore what its clients hold. */
#include "os_windows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool os_hold_folder(struct os_folder *folder)
{
    (void)folder;
    return true;
}

bool os_hold_again(const struct os_folder *folder)
{
    (void)folder;
    return true;
}

void os_let_folder(struct os_folder *folder)
{
    (void)folder;
}

/* ---- folders that are held ------------------------------------------------------------------- */

struct held {
    HANDLE *folders; /* from malloc, from the outermost; INVALID_HANDLE_VALUE: not any more */
    size_t count;
    size_t made; /* of them, the innermost */
};

/* Reading its names counts as using it, which asking for its attributes would not. */
static HANDLE hold(const char *path)
{
    BY_HANDLE_FILE_INFORMATION about;
    wchar_t *wide = os_wide_path(path);
    HANDLE folder = CreateFileW(wide, FILE_LIST_DIRECTORY | FILE_READ_ATTRIBUTES,
                                FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING,
                                FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    free(wide);
    if (folder == INVALID_HANDLE_VALUE) {
        (void)os_set_errno();
        return folder;
    }
    if (GetFileInformationByHandle(folder, &about) != 0 &&
        (about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 && os_is_real_folder(path)) {
        return folder;
    }
    (void)CloseHandle(folder);
    errno = ENOTDIR;
    return INVALID_HANDLE_VALUE;
}

static void let_go(struct held *held)
{
    for (size_t i = held->count; i-- > 0;) {
        if (held->folders[i] != INVALID_HANDLE_VALUE) (void)CloseHandle(held->folders[i]);
    }
    free(held->folders);
    free(held);
}

/* Remove what was created, from the innermost, for a path in it. Nothing is allocated with
 * allocate(): the program may be ending. */
static void remove_made(struct held *held, const char *path)
{
    wchar_t *wide = ossa__wide_path(path);
    for (size_t i = held->count; wide != NULL && i > held->count - held->made; i--) {
        wchar_t *slash = wcsrchr(wide, L'\\');
        if (slash == NULL) break;
        *slash = L'\0';
        if (held->folders[i - 1] != INVALID_HANDLE_VALUE) (void)CloseHandle(held->folders[i - 1]);
        held->folders[i - 1] = INVALID_HANDLE_VALUE;
        (void)RemoveDirectoryW(wide); /* if it is empty */
    }
    free(wide);
}

/* Hold all folders that lead to a path below another; with `create`, those that are missing are
 * created. NULL, after os_fail, on failure: none of them is there then. */
static struct held *hold_all(const struct os_folder *folder, const char *relative, bool create,
                             struct os_why *why)
{
    struct held *held = allocate(1, sizeof *held);
    char *path = path_in(folder->path, relative);
    bool ok = true;
    for (char *c = path + strlen(path) - strlen(relative); ok && (c = strchr(c, '/')) != NULL;
         c++) {
        *c = '\0';
        bool is_new = create && os_create_folder(path);
        ok = is_new || !create || errno == EEXIST || os_fail_to_write(why);
        held->folders = make_room(held->folders, held->count, sizeof *held->folders);
        HANDLE next = ok ? hold(path) : INVALID_HANDLE_VALUE;
        if (ok && next == INVALID_HANDLE_VALUE) {
            ok = os_fail(why, "%s exists and is not a folder (links are not followed)", path);
        }
        if (ok) held->folders[held->count++] = next;
        if (ok && is_new) held->made++;
        *c = ok ? '/' : '\0';
        if (!ok) remove_made(held, path);
    }
    free(path);
    if (ok) return held;
    let_go(held);
    return NULL;
}

/* ---- calls --------------------------------------------------------------------------------- */

bool os_make_below(const struct os_folder *folder, const char *relative, struct os_why *why)
{
    struct held *held = hold_all(folder, relative, true, why);
    if (held == NULL) return false;
    char *path = path_in(folder->path, relative);
    bool ok = os_create_folder(path);
    if (!ok && errno != EEXIST) {
        (void)os_fail_to_write(why);
        remove_made(held, path);
    } else if (!ok) {
        ok = os_is_real_folder(path) ||
             os_fail(why, "%s exists and is not a folder (links are not followed)", path);
    }
    free(path);
    let_go(held);
    return ok;
}

void os_set_time_below(const struct os_folder *folder, const char *relative, uint32_t seconds)
{
    struct os_why why;
    struct held *held = hold_all(folder, relative, false, &why);
    if (held == NULL) return; /* failing to set a time is harmless */
    char *path = path_in(folder->path, relative);
    os_set_time(path, seconds);
    free(path);
    let_go(held);
}

bool os_find_place_below(const struct os_folder *folder, const char *relative,
                         struct os_place *place, struct os_why *why)
{
    struct held *held = hold_all(folder, relative, true, why);
    if (held == NULL) return false;
    place->held = held;
    place->target = path_in(folder->path, relative);
    place->temporary = os_unfinished_path(place->target);
    if (os_is_file_or_nothing(place->target)) return true;
    return os_fail(why, "exists and is not a file (links are not followed)");
}

void os_leave_place(struct os_place *place)
{
    if (place->held != NULL) let_go(place->held);
}

void os_withdraw(const struct os_place *place)
{
    os_remove(place->temporary);
    if (place->held != NULL) remove_made(place->held, place->target);
}
