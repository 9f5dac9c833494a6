/* SPDX-License-Identifier: MIT
 *
 * The file system of a workspace that names no other: the disk. Which of the disk_*.c it is, is
 * decided here; disk.c is for where there is none of them. */
#ifndef OSSA_WORKSPACE_DISK_H
#define OSSA_WORKSPACE_DISK_H

#include "workspace/workspace.h"

#if defined(OSSA_WITHOUT_DISK)
#elif defined(_WIN32)
#define OSSA_DISK_WINDOWS
#elif defined(__unix__) || defined(__APPLE__)
#define OSSA_DISK_POSIX
#endif

/* Set the error of a call; always false. */
static inline bool ossa__disk_fail(ossa_error *error, const char *what, const char *why)
{
    return ossa__workspace_fail(error, OSSA_CODE_IO, "", "%s%s", what, why);
}

#endif
