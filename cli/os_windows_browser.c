/* SPDX-License-Identifier: MIT
 *
 * The user's browser, and the folder of this program. */
#include "os_windows.h"

#include <shellapi.h>
#include <stdlib.h>
#include <string.h>

char *os_variable(const char *name)
{
    wchar_t *wide_name = os_wide_text(name);
    DWORD size = GetEnvironmentVariableW(wide_name, NULL, 0);
    wchar_t *wide = allocate((size_t)size + 1, sizeof *wide);
    if (size > 0) (void)GetEnvironmentVariableW(wide_name, wide, size);
    char *value = size <= 1 ? NULL : os_narrow_path(wide); /* those that are read are paths */
    free(wide);
    free(wide_name);
    return value;
}

char *os_program_folder(void)
{
    DWORD size = 256;
    wchar_t *path = NULL;
    DWORD used;
    do { /* it does not say how long it is */
        free(path);
        size *= 2;
        path = allocate(size, sizeof *path);
        used = GetModuleFileNameW(NULL, path, size);
    } while (used == size && size < 1 << 16);
    char *narrow = used == 0 || used == size ? NULL : os_narrow_path(path);
    free(path);
    char *end = narrow == NULL ? NULL : strrchr(narrow, '/');
    if (end != NULL) *end = '\0';
    return narrow;
}

/* ---- the browser --------------------------------------------------------------------------- */

/* Does a program start? One that fails shows it by its exit status, within a moment. */
static bool start(const char *program, const char *path)
{
    enum { MOMENT = 2000 }; /* milliseconds */
    STARTUPINFOW about = {.cb = sizeof about};
    PROCESS_INFORMATION process;
    const char *quote = program[0] == '"' ? "" : "\""; /* `set BROWSER="..."` keeps them */
    char *line = format_text("%s%s%s \"%s\"", quote, program, quote, path);
    wchar_t *wide = os_wide_text(line);
    free(line);
    bool ok = CreateProcessW(NULL, wide, NULL, NULL, FALSE, DETACHED_PROCESS, NULL, NULL, &about,
                             &process);
    free(wide);
    if (!ok) return false;
    DWORD status = STILL_ACTIVE;
    (void)WaitForSingleObject(process.hProcess, MOMENT);
    ok = GetExitCodeProcess(process.hProcess, &status) && (status == STILL_ACTIVE || status == 0);
    (void)CloseHandle(process.hThread);
    (void)CloseHandle(process.hProcess);
    return ok;
}

/* Unlike elsewhere, BROWSER names one program: a colon is part of a path here. */
bool os_open_in_browser(const char *path, struct os_why *why)
{
    char *wanted = os_variable("BROWSER");
    if (wanted != NULL) {
        bool ok = start(wanted, path);
        if (!ok) (void)os_fail(why, "BROWSER is set to %s", wanted);
        free(wanted);
        return ok;
    }
    wchar_t *wide = os_wide_text(path); /* the prefix of long paths is not for it */
    for (wchar_t *c = wide; *c != L'\0'; c++) {
        if (*c == L'/') *c = L'\\';
    }
    /* Above 32, it says in its reference, it has succeeded. */
    bool ok = (intptr_t)ShellExecuteW(NULL, L"open", wide, NULL, NULL, SW_SHOWNORMAL) > 32;
    free(wide);
    return ok || os_fail(why, "Windows knows no program for HTML files; set BROWSER");
}
