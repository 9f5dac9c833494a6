/* SPDX-License-Identifier: MIT
 *
 * Windows has UTF-16 where Ossa has UTF-8, and limits the length of paths unless they are written
 * in a way of its own. Elsewhere this header is empty. */
#ifndef OSSA_BASE_WINDOWS_H
#define OSSA_BASE_WINDOWS_H

#include "ossa/api.h"

#ifdef _WIN32

#include <wchar.h>

/* A path as Windows takes it, from malloc: with backslashes and, if it is long, absolute and with
 * the prefix that lifts the limit. NULL: no memory. */
wchar_t *ossa__wide_path(const char *path);
/* A text without that, from malloc, with room for one more character. */
wchar_t *ossa__wide_text(const char *text);
/* UTF-8, from malloc. Half a surrogate pair, which names of files may have, becomes three bytes,
 * and ossa__wide_path makes the same half of them. */
char *ossa__narrow_text(const wchar_t *text);
/* The same for a path: with slashes, and without the prefix. */
char *ossa__narrow_path(const wchar_t *path);
/* The absolute path without dots and links of a file or folder, from malloc; NULL: there is none.
 */
char *ossa__windows_full_path(const char *path);

/* Is it a link to another place, such as a symbolic link or a junction? `tag` is that of its
 * reparse point. Clouds and compressed files have other tags, and are what they seem to be. */
bool ossa__windows_is_link(unsigned long attributes, unsigned long tag);

/* The errno of a GetLastError(). */
int ossa__windows_errno(unsigned long error);
/* The reason as a text, with an errno of above. */
const char *ossa__windows_reason(int number);

#endif
#endif
