/* SPDX-License-Identifier: MIT
 *
 * Files that get their name when they are complete, and the end of the program. */
#include "os_windows.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- the end ------------------------------------------------------------------------------- */

static void (*_Atomic clean_up_at_end)(void);

/* Windows calls this on a thread of its own: after Ctrl-C, or when the window is closed. */
static BOOL WINAPI end_by_console(DWORD event)
{
    void (*clean_up)(void) = clean_up_at_end;
    (void)event;
    clean_up();
    os_restore_console();
    ExitProcess((UINT)STATUS_CONTROL_C_EXIT); /* as it does for programs without such a function */
}

void os_at_end(void (*clean_up)(void))
{
    static atomic_flag is_set = ATOMIC_FLAG_INIT;
    clean_up_at_end = clean_up;
    if (!atomic_flag_test_and_set(&is_set)) (void)SetConsoleCtrlHandler(end_by_console, TRUE);
}

/* A handler has a thread of its own, which cannot interrupt this one: counting is enough. */
void os_hold_end(struct os_hold *hold)
{
    hold->state[0] = NULL;
}

void os_let_end(const struct os_hold *hold)
{
    (void)hold;
}

void os_end_now(int status)
{
    os_restore_console();
    _exit(status);
}

void os_wait_for_end(void)
{
    while (true) Sleep(INFINITE);
}

/* ---- files --------------------------------------------------------------------------------- */

/* NUL is a device in every folder, and on older Windows so is AUX.GLB: it has a path of its own. */
static bool is_device_path(const char *path)
{
    wchar_t *wide = os_wide_path(path);
    DWORD size = GetFullPathNameW(wide, 0, NULL, NULL);
    wchar_t *full = allocate((size_t)size + 1, sizeof *full);
    if (size > 0) (void)GetFullPathNameW(wide, size, full, NULL);
    bool is_device = wcsncmp(full, L"\\\\.\\", 4) == 0;
    free(full);
    free(wide);
    return is_device;
}

static int number_of(HANDLE file, struct os_why *why)
{
    int number = _open_osfhandle((intptr_t)file, _O_BINARY | _O_WRONLY);
    if (number >= 0) return number;
    (void)CloseHandle(file);
    (void)os_fail_to_write(why);
    return -1;
}

/* The file that a link leads to, so that the link itself is kept. */
static char *final_target(const char *path)
{
    char *real = os_is_file_or_nothing(path) ? NULL : os_full_path(path);
    return real == NULL ? copy_text(path) : real;
}

/* Unlike rand(), different in each run; names only have to differ from those in use. */
static uint64_t next_number(void)
{
    static _Atomic uint64_t calls;
    LARGE_INTEGER now;
    (void)QueryPerformanceCounter(&now);
    uint64_t mixed = (uint64_t)now.QuadPart ^ (uint64_t)GetCurrentProcessId() << 32;
    return (mixed + atomic_fetch_add(&calls, 1)) * UINT64_C(0x9e3779b97f4a7c15);
}

void os_change_name(char *name)
{
    static const char letters[] = OS_LETTERS;
    uint64_t number = next_number() >> 20;
    for (char *c = name + strlen(name) - 6; *c != '\0'; c++, number >>= 5)
        *c = letters[number & 31];
}

bool os_find_place(const char *path, struct os_place *place, struct os_why *why)
{
    bool is_device = is_device_path(path);
    const char *name = os_base_name(path);
    bool has_drive = name == path && name[0] != '\0' && name[1] == ':';
    /* Behind a colon comes the name of a stream, which few programs show. */
    if (!is_device && strchr(name + (has_drive ? 2 : 0), ':') != NULL) {
        return os_fail(why, "has a : in its name, which Windows does not allow");
    }
    /* Nobody means to write a scene to a printer: a name with an ending is a mistake. */
    if (is_device && strchr(name, '.') != NULL) {
        return os_fail(why, "is a name that Windows reserves for a device; choose another");
    }
    place->target = is_device ? NULL : final_target(path);
    place->temporary = is_device ? copy_text(path) : os_unfinished_path(place->target);
    return true;
}

static HANDLE open_device(const char *path)
{
    wchar_t *wide = ossa__wide_path(path);
    HANDLE file = wide == NULL
                      ? INVALID_HANDLE_VALUE
                      : CreateFileW(wide, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                                    OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE) (void)os_set_errno();
    free(wide);
    return file;
}

/* Opened so that it can be removed while it is open: os_remove may have to. */
static HANDLE open_beside(const struct os_place *place)
{
    enum { TRIES = 100 };
    HANDLE file = INVALID_HANDLE_VALUE;
    for (unsigned i = 0; i < TRIES && file == INVALID_HANDLE_VALUE; i++) {
        os_change_name(place->temporary);
        wchar_t *wide = ossa__wide_path(place->temporary);
        if (wide == NULL) {
            errno = ENOMEM;
            break;
        }
        file = CreateFileW(wide, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL,
                           CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
        if (file == INVALID_HANDLE_VALUE) (void)os_set_errno();
        free(wide);
        if (file == INVALID_HANDLE_VALUE && errno != EEXIST) break;
    }
    return file;
}

int os_create(struct os_place *place, struct os_why *why)
{
    bool is_device = place->target == NULL;
    HANDLE file = is_device ? open_device(place->temporary) : open_beside(place);
    int number = -1;
    if (file == INVALID_HANDLE_VALUE) (void)os_fail_to_write(why);
    else number = number_of(file, why);
    if (number < 0 && !is_device) os_withdraw(place);
    return number;
}

int os_write_some(int file, const void *bytes, unsigned size)
{
    return _write(file, bytes, size);
}

bool os_close(int file)
{
    return _close(file) == 0;
}

bool os_replace(const struct os_place *place)
{
    wchar_t *old = os_wide_path(place->temporary);
    wchar_t *new = os_wide_path(place->target);
    bool ok = MoveFileExW(old, new, MOVEFILE_REPLACE_EXISTING) != 0 || os_set_errno();
    /* Access is denied for either reason. */
    DWORD attributes = ok || errno != EACCES ? INVALID_FILE_ATTRIBUTES : GetFileAttributesW(new);
    if (attributes != INVALID_FILE_ATTRIBUTES) {
        errno = (attributes & FILE_ATTRIBUTE_READONLY) != 0 ? EPERM : EBUSY;
    }
    free(old);
    free(new);
    return ok;
}

void os_remove(const char *path)
{
    wchar_t *wide = ossa__wide_path(path); /* the program may be ending for want of memory */
    if (wide != NULL) (void)DeleteFileW(wide);
    free(wide);
}
