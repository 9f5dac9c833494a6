/* SPDX-License-Identifier: MIT
 *
 * The words of the command line, and the console. */
#include "os_windows.h"

#include "base/fold.h"

#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <stdlib.h>
#include <string.h>

/* ---- the command line ---------------------------------------------------------------------- */

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* In the last part of a path, as the shells of other systems do it. */
bool os_find_matches(const char *pattern, struct texts *words)
{
    WIN32_FIND_DATAW found;
    size_t first = words->count;
    if (strpbrk(pattern, "*?") == NULL) return false;
    size_t folder = (size_t)(os_base_name(pattern) - pattern);
    wchar_t *wide = os_wide_path(pattern);
    HANDLE search = FindFirstFileW(wide, &found);
    free(wide);
    if (search == INVALID_HANDLE_VALUE) return false;
    do {
        if (found.cFileName[0] == L'.') continue; /* hidden, as shells have it */
        char *name = os_narrow_text(found.cFileName);
        /* Windows also compares with the short name, so that *.res finds a.resource. */
        if (ossa__matches(pattern + folder, name))
            texts_add(words, format_text("%.*s%s", (int)folder, pattern, name));
        free(name);
    } while (FindNextFileW(search, &found));
    (void)FindClose(search);
    if (words->count == first) return false;
    qsort(words->items + first, words->count - first, sizeof *words->items, by_bytes);
    return true;
}

/* The words that the C library makes of the command line are not UTF-8. */
static void read_command_line(int *count, char ***arguments)
{
    struct texts words = {0};
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), count);
    if (wide == NULL) return;
    for (int i = 0; i < *count; i++) texts_add(&words, os_narrow_text(wide[i]));
    texts_add(&words, NULL); /* as main() has them; they stay until the program ends */
    (void)LocalFree(wide);
    *arguments = words.items;
}

/* Inside an archive, a name keeps the separators that it has. A folder may have a # in its name. */
void os_clean_path(char *path)
{
    for (char *c = path; *c != '\0'; c++) {
        if (*c == '#') {
            *c = '\0';
            bool is_inside = os_exists(path) && !os_is_folder(path);
            *c = '#';
            if (is_inside) return;
        }
        if (*c == '\\') *c = '/';
    }
}

/* ---- files that were dropped --------------------------------------------------------------- */

static bool is_absolute(const char *path)
{
    bool is_letter = (path[0] >= 'A' && path[0] <= 'Z') || (path[0] >= 'a' && path[0] <= 'z');
    return (is_letter && path[1] == ':' && path[2] == '/') || strncmp(path, "//", 2) == 0;
}

/* Explorer passes complete paths, and no verb is one. */
bool os_is_drop(int count, char **arguments)
{
    for (int i = 0; i < count; i++) {
        os_clean_path(arguments[i]);
        if (!is_absolute(arguments[i]) || !os_exists(arguments[i])) return false;
    }
    return count > 0;
}

/* ---- the console --------------------------------------------------------------------------- */

static HANDLE handle_of(FILE *stream)
{
    int number = _fileno(stream);
    /* NOLINTNEXTLINE(performance-no-int-to-ptr) */
    return number < 0 ? INVALID_HANDLE_VALUE : (HANDLE)_get_osfhandle(number);
}

bool os_is_terminal(FILE *stream)
{
    DWORD mode;
    return GetConsoleMode(handle_of(stream), &mode) != 0;
}

/* A pipe is the only output that can vanish like this, and everything else has room. */
bool os_has_lost_reader(FILE *stream)
{
    return GetFileType(handle_of(stream)) == FILE_TYPE_PIPE;
}

static UINT page_before; /* 0: it was not changed */

void os_restore_console(void)
{
    if (page_before != 0) (void)SetConsoleOutputCP(page_before);
}

/* Escape sequences for colours, which a console of before Windows 10 does not know. */
static void allow_colours(FILE *stream)
{
    DWORD mode;
    HANDLE console = handle_of(stream);
    if (!GetConsoleMode(console, &mode)) return;
    (void)SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

void os_start(int *count, char ***arguments)
{
    enum { STREAM_BUFFER = 64 << 10 };
    static char buffer[STREAM_BUFFER];
    FILE *const streams[] = {stdin, stdout, stderr};
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++) {
        /* The same bytes as on other systems, without carriage returns. */
        if (_fileno(streams[i]) >= 0) (void)_setmode(_fileno(streams[i]), _O_BINARY);
    }
    if (os_is_terminal(stdout) || os_is_terminal(stderr)) {
        page_before = GetConsoleOutputCP();
        (void)SetConsoleOutputCP(CP_UTF8);
        (void)atexit(os_restore_console); /* the console outlives the program */
        allow_colours(stdout);
        allow_colours(stderr);
    }
    /* A character in several writes would not appear in a console. */
    (void)setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    read_command_line(count, arguments);
}

void os_stop(bool has_message)
{
    DWORD processes[2];
    bool is_alone = GetConsoleProcessList(processes, 2) == 1; /* Explorer opened the window */
    if (!is_alone || !has_message || !os_is_terminal(stdin) || !os_is_terminal(stderr)) return;
    (void)fputs("Press Enter to close this window.\n", stderr);
    (void)getchar();
}
