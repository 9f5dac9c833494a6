/* SPDX-License-Identifier: MIT
 *
 * interrupt FOLDER COMMAND: start a program that waits for its standard input, wait until FOLDER
 * has a file, and press Ctrl-C. Prints the exit status. */
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <stdbool.h>
#include <stdio.h>
#include <wchar.h>

static bool has_file(const wchar_t *folder)
{
    wchar_t pattern[MAX_PATH];
    WIN32_FIND_DATAW found;
    bool any = false;
    (void)swprintf(pattern, MAX_PATH, L"%ls\\*", folder);
    HANDLE search = FindFirstFileW(pattern, &found);
    if (search == INVALID_HANDLE_VALUE) return false;
    do any = any || found.cFileName[0] != L'.';
    while (FindNextFileW(search, &found));
    (void)FindClose(search);
    return any;
}

/* Ctrl-C is for all programs of a console, also for this one. */
static BOOL WINAPI ignore(DWORD event)
{
    (void)event;
    return TRUE;
}

static int fail(const char *what)
{
    (void)fprintf(stderr, "interrupt: %s: error %lu\n", what, GetLastError());
    return 1;
}

int wmain(int count, wchar_t **arguments);
int wmain(int count, wchar_t **arguments)
{
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    STARTUPINFOW about = {.cb = sizeof about, .dwFlags = STARTF_USESTDHANDLES};
    PROCESS_INFORMATION process;
    HANDLE writer;
    DWORD status = 0;
    if (count != 3) return 2;
    HANDLE output = GetStdHandle(STD_OUTPUT_HANDLE);
    HANDLE errors = GetStdHandle(STD_ERROR_HANDLE);
    (void)FreeConsole();
    if (!AllocConsole()) return fail("console"); /* one for these two programs only */
    (void)SetConsoleCtrlHandler(ignore, TRUE);
    if (!CreatePipe(&about.hStdInput, &writer, &inherited, 0)) return fail("pipe");
    (void)SetHandleInformation(writer, HANDLE_FLAG_INHERIT, 0);
    about.hStdOutput = output;
    about.hStdError = errors;
    if (!CreateProcessW(NULL, arguments[2], NULL, NULL, TRUE, 0, NULL, NULL, &about, &process))
        return fail("start");
    for (int i = 0; i < 200 && !has_file(arguments[1]); i++) Sleep(50);
    if (!has_file(arguments[1])) return fail("no output was begun");
    if (!GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0)) return fail("event");
    if (WaitForSingleObject(process.hProcess, 20000) != WAIT_OBJECT_0) {
        (void)TerminateProcess(process.hProcess, 99);
        return fail("it goes on");
    }
    (void)GetExitCodeProcess(process.hProcess, &status);
    (void)printf("0x%08lx\n", status);
    return 0;
}
