/* SPDX-License-Identifier: MIT
 *
 * Everything the tool wants from the operating system. Another system is another os_*.c. */
#ifndef OSSA_CLI_OS_H
#define OSSA_CLI_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Why a call failed, as the end of a sentence that begins with the file's name. */
struct os_why {
    char text[256];
    bool is_limit; /* too large for the caller, not the system's doing */
};

struct os_bytes {
    uint8_t *data; /* NULL when empty */
    size_t size;
};

/* The whole of a regular file, or of standard input for "-", of at most `limit` bytes. Never
 * waits for a pipe that nobody writes to, never reads a device. */
bool os_read_file(const char *path, uint64_t limit, struct os_bytes *bytes, struct os_why *why);
void os_free_bytes(struct os_bytes *bytes);

/* The path from the root on, without dots and links, from malloc; NULL where that fails. */
char *os_full_path(const char *path);
/* Which file a name leads to, whatever other names it has. False where there is no regular one. */
struct os_file_id {
    uint64_t device;
    uint64_t number;
};
bool os_identify(const char *path, struct os_file_id *id);
bool os_exists(const char *path);
/* Is it a file whose first bytes are these? */
bool os_starts_with(const char *path, const char *text);
/* Are both names of one existing file? */
bool os_is_same_file(const char *a, const char *b);
bool os_is_folder(const char *path);
/* Make the folder if it is not there; its parent must be. */
bool os_make_folder(const char *path, struct os_why *why);

/* The path of a file (or of a folder, which is made) below a folder, from malloc, with the folders
 * on the way made: `relative` has no . and no .., and nothing on the way is a link, so that it
 * stays below. NULL where that fails. */
char *os_prepare_below(const char *folder, const char *relative, bool is_folder,
                       struct os_why *why);
/* May a file in a folder be written whose name others have chosen? Not through a link, and not into
 * anything but a file. */
bool os_may_write(const char *path, struct os_why *why);
/* Take a folder away if nothing is in it. */
void os_remove_empty_folder(const char *path);
/* When a file was changed, in seconds since 1970; 0: not known. */
void os_set_time(const char *path, uint32_t seconds);
uint32_t os_time(const char *path);

/* Call `found` for every regular file under a folder, at any depth, in the order of names. Links
 * to folders are not followed. False when a folder could not be read; the walk goes on. */
bool os_walk(const char *folder, void (*found)(void *user, const char *path),
             void (*failed)(void *user, const char *path, const struct os_why *why), void *user);

/* An output that appears under its name whole or not at all. "-" is standard output. Never waits
 * for a pipe that nobody reads. */
struct os_output {
    FILE *stream;
    char *target;    /* NULL: nothing to rename */
    char *temporary; /* the name it has until it is whole */
    int problem;     /* what the first write that failed met */
};

bool os_open_output(struct os_output *output, const char *path, struct os_why *why);
bool os_write_output(void *output, const void *bytes, size_t size); /* an ossa_sink's write */
/* Write out all that is still held back, before one of several outputs is kept: from here on hardly
 * anything can fail. Committing does it, too. */
bool os_finish_output(struct os_output *output, struct os_why *why);
/* Keep it, or throw away what was written. Keeping fails when a write failed before; of standard
 * output that is for main to find out, at the very end. */
bool os_commit_output(struct os_output *output, struct os_why *why);
void os_discard_output(struct os_output *output);

/* How many cores there are; run `work` on so many threads at once, until all have ended; one lock
 * for what they share. */
unsigned os_core_count(void);
void os_run_threads(unsigned count, void (*work)(void *user), void *user);
void os_lock(void);
void os_unlock(void);

/* The folder that this program lies in, from malloc; NULL where nobody knows. */
char *os_program_folder(void);
/* A new folder that only the user can enter, from malloc; NULL where that fails. */
char *os_make_temporary_folder(struct os_why *why);
/* Of an empty folder. */
void os_remove_folder(const char *path);
/* Show a page; false when there is no browser. */
bool os_open_in_browser(const char *path, struct os_why *why);

/* Before anything else: nothing that is opened later may get the place of a closed standard stream,
 * or messages would end up in a file. */
void os_start(void);

bool os_is_terminal(FILE *stream);
double os_seconds(void); /* since some moment in the past */

/* The part of a path after the last separator. */
const char *os_base_name(const char *path);

#endif
