/* SPDX-License-Identifier: MIT
 *
 * What os_files.c and os_output.c, which are the same everywhere, need from the os_posix*.c or
 * os_windows*.c. Only these files include it. */
#ifndef OSSA_CLI_OS_PARTS_H
#define OSSA_CLI_OS_PARTS_H

#include "cli.h"

/* Why the last call failed, by errno. */
const char *os_reason(void);
/* The same for an output. Always false. */
bool os_fail_to_write(struct os_why *why);

/* ---- for os_files.c ------------------------------------------------------------------------ */

/* The next bytes of standard input: how many, 0 at its end, or -1 with errno. */
int os_read_some(void *bytes, unsigned size);
/* Open a regular file to read; NULL, with errno, if there is none. */
FILE *os_open_file(const char *path);
/* Create one folder; false, with errno, on failure. */
bool os_create_folder(const char *path);
/* Is there nothing of this name, or a regular file which is not a link? */
bool os_is_file_or_nothing(const char *path);

struct os_folder {
    char *path;      /* as the user wrote it, from malloc */
    size_t made;     /* how many of it and those around it were created */
    intptr_t handle; /* platform-specific */
};
/* Open the folder of the path; false, with errno, on failure. */
bool os_hold_folder(struct os_folder *folder);
/* Open the folder of the same path instead, if this one was removed, for all threads that use it.
 */
bool os_hold_again(const struct os_folder *folder);
void os_let_folder(struct os_folder *folder);
/* A run that fails removes the folders that it has made and that are empty, although another one
 * may be about to use them. That one tries again, this often. */
enum { OS_TRIES = 100 };
/* Create the folder again if it was removed. */
bool os_restore_folder(const struct os_folder *folder);

/* ---- for os_output.c ----------------------------------------------------------------------- */

/* What is put behind the name of an output until it is complete; the last letters change. */
#define OS_UNFINISHED ".ossa-part-XXXXXX"
#define OS_LETTERS    "abcdefghijklmnopqrstuvwxyz234567"
/* The path of an output until it is complete, from malloc: its name is shortened if that would be
 * too long. */
char *os_unfinished_path(const char *path);

/* Where an output goes. */
struct os_place {
    const struct os_folder *folder; /* that the names are relative to; NULL: none */
    char *target;                   /* from malloc; NULL: a device, which is only opened */
    char *temporary;                /* from malloc: a name beside the target, or of the device */
    size_t made;                    /* how many folders were created for it, the innermost ones */
    void *held;                     /* what keeps them where they are, if the system needs that */
    struct os_place *previous;      /* other outputs that are not complete */
    struct os_place *next;
};
/* Choose it, for a path that is not a folder. False after os_fail. */
bool os_find_place(const char *path, struct os_place *place, struct os_why *why);
/* The same below a folder. Folders in between are created, or none if that fails. */
bool os_find_place_below(const struct os_folder *folder, const char *relative,
                         struct os_place *place, struct os_why *why);
/* Free what it holds, not the place itself. */
void os_leave_place(struct os_place *place);
/* Create the temporary file, whose last letters may change, or open the device. -1 after os_fail.
 * It must not use allocate() and its like: if there is no memory, they end the program, and the end
 * waits for this. */
int os_create(struct os_place *place, struct os_why *why);
/* Some of the bytes: how many, or -1 with errno. */
int os_write_some(int file, const void *bytes, unsigned size);
bool os_close(int file); /* false, with errno, if not all was written */
/* Give the temporary file its final name in one step; false, with errno, on failure. */
bool os_replace(const struct os_place *place);
/* Remove the temporary file, and the folders that were created for it if they are empty. Also at
 * the end, so it must not use allocate() either. */
void os_withdraw(const struct os_place *place);

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
