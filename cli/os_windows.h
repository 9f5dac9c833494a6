/* SPDX-License-Identifier: MIT
 *
 * Shared by the os_windows*.c. */
#ifndef OSSA_CLI_OS_WINDOWS_H
#define OSSA_CLI_OS_WINDOWS_H

#include "base/windows.h"
#include "os_parts.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

/* A path for Windows, or text, from malloc. Never NULL: the tool ends if there is no memory. */
wchar_t *os_wide_path(const char *path);
wchar_t *os_wide_text(const char *text);
char *os_narrow_path(const wchar_t *path);
char *os_narrow_text(const wchar_t *text);

/* Set errno from GetLastError(). Always false. */
bool os_set_errno(void);

/* Open a file or folder only to ask about it; INVALID_HANDLE_VALUE, with errno, if there is none.
 */
HANDLE os_open_to_ask(const char *path);

/* Is it a folder itself, and not a link to one? */
bool os_is_real_folder(const char *path);
/* The time of a file itself, not of what it is a link to. */
void os_set_time(const char *path, uint32_t seconds);

/* Give the console back as it was. */
void os_restore_console(void);

/* Give a name that ends in six letters others, which are hardly in use. */
void os_change_name(char *name);

#endif
