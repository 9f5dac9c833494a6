/* SPDX-License-Identifier: MIT
 *
 * What os_files.c and os_output.c, which are the same everywhere, need from the os_posix*.c or
 * os_windows*.c. Only these files include it. */
#ifndef OSSA_CLI_OS_PARTS_H
#define OSSA_CLI_OS_PARTS_H

#include "cli.h"

/* Why the last call failed, by errno. */
const char *os_reason(void);

/* ---- for os_files.c ------------------------------------------------------------------------ */

/* The next bytes of standard input: how many, 0 at its end, or -1 with errno. */
int os_read_some(void *bytes, unsigned size);
/* Open a regular file to read; NULL, with errno, if there is none. */
FILE *os_open_file(const char *path);
/* Create one folder; false, with errno, on failure. */
bool os_create_folder(const char *path);
/* Is it a folder itself, and not a link to one? */
bool os_is_real_folder(const char *path);
/* Is there nothing of this name, or a regular file which is not a link? */
bool os_is_file_or_nothing(const char *path);

/* ---- for os_output.c ----------------------------------------------------------------------- */

/* Where an output goes. */
struct os_place {
    char *target;    /* from malloc; NULL: a device, which is only opened */
    char *temporary; /* from malloc: a name beside the target, or of the device */
};
/* Choose it, for a path that is not a folder. False after os_fail. */
bool os_find_place(const char *path, struct os_place *place, struct os_why *why);
/* Create the temporary file, whose last letters may change, or open the device. NULL after os_fail.
 * It must not use allocate() and its like: if there is no memory, they end the program, and the end
 * waits for this. */
FILE *os_create(struct os_place *place, struct os_why *why);
/* Give a file its final name in one step; false, with errno, on failure. */
bool os_replace(const char *from, const char *to);

/* From now on, call this before the user or the system ends the program. */
void os_at_end(void (*clean_up)(void));
/* Between these, it is not called on this thread. */
struct os_hold {
    void *state[32];
};
void os_hold_end(struct os_hold *hold);
void os_let_end(const struct os_hold *hold);
_Noreturn void os_end_now(int status); /* without anything of the C library's */
_Noreturn void os_wait_for_end(void);  /* another thread is ending the program */

#endif
