/* SPDX-License-Identifier: MIT
 *
 * The folder for files that need not be kept, in that of the user, who alone may enter it. */
#include "os_windows.h"

#include <stdlib.h>
#include <string.h>

char *os_make_own_folder(struct os_why *why)
{
    wchar_t wide[MAX_PATH + 1] = L"";
    DWORD used = GetTempPathW(MAX_PATH + 1, wide);
    char *base = os_narrow_path(used == 0 || used > MAX_PATH ? L"." : wide);
    char *path = path_in(base, "ossa");
    bool ok = os_create_folder(path) || os_is_real_folder(path);
    free(base);
    if (ok) return path;
    (void)os_fail(why, "cannot be created: %s", os_reason());
    free(path);
    return NULL;
}

void os_list_folder(const char *folder, struct texts *names)
{
    WIN32_FIND_DATAW found;
    char *pattern = path_in(folder, "*");
    wchar_t *wide = os_wide_path(pattern);
    HANDLE search = FindFirstFileW(wide, &found);
    free(wide);
    free(pattern);
    if (search == INVALID_HANDLE_VALUE) return;
    do {
        bool is_itself = wcscmp(found.cFileName, L".") == 0 || wcscmp(found.cFileName, L"..") == 0;
        if (!is_itself) texts_add(names, os_narrow_text(found.cFileName));
    } while (FindNextFileW(search, &found));
    (void)FindClose(search);
}

unsigned long os_process(void)
{
    return GetCurrentProcessId();
}

bool os_is_running(unsigned long process)
{
    DWORD status = 0;
    HANDLE handle = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, process);
    if (handle == NULL) return GetLastError() == ERROR_ACCESS_DENIED;
    bool is_running = !GetExitCodeProcess(handle, &status) || status == STILL_ACTIVE;
    (void)CloseHandle(handle);
    return is_running;
}
