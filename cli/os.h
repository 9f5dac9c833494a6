/* SPDX-License-Identifier: MIT
 *
 * Everything the tool needs from the operating system. Another system is another os_*.c. */
#ifndef OSSA_CLI_OS_H
#define OSSA_CLI_OS_H

#include "ossa/file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Why a call failed, as the rest of a sentence that begins with the file's name. */
struct os_why {
    char text[256];
    bool is_limit; /* larger than the caller allows */
    bool is_full;  /* nothing else can be written there either */
    bool is_gone;  /* a folder on the way is not there: another run may have removed it */
};
/* Set the text. Always false. */
bool os_fail(struct os_why *why, const char *format, ...) OSSA_PRINTF(2, 3);

/* Read standard input, of at most `limit` bytes, to its end. */
bool os_read_stdin(uint64_t limit, ossa_buffer *bytes, struct os_why *why);

/* The absolute path without dots and links, from malloc; NULL on failure. */
char *os_full_path(const char *path);
/* The identity of a regular file, whatever name leads to it. False if there is none. */
struct os_file_id {
    uint64_t device;
    uint64_t number;
    /* Not part of the identity: */
    uint64_t size;
    uint64_t time; /* of the last change, in nanoseconds since 1970 */
};
bool os_identify(const char *path, struct os_file_id *id);
bool os_same_id(const struct os_file_id *a, const struct os_file_id *b);
bool os_is_same_file(const char *a, const char *b);
bool os_exists(const char *path);
/* The first bytes of a file, at most `capacity`; gives how many. 0: none, or it is not a file. */
size_t os_read_start(const char *path, char *bytes, size_t capacity);
/* Does a file have exactly these bytes? */
bool os_has_bytes(const char *path, const void *bytes, size_t size);
/* Do two files have the same bytes? */
bool os_same_contents(const char *a, const char *b);
/* Send all bytes of a file to a sink. False also if the sink fails. */
bool os_copy_file(const char *path, ossa_sink sink, struct os_why *why);
bool os_is_folder(const char *path);
bool os_is_same_folder(const char *a, const char *b);
/* ---- below a folder that the user named, under names from game files ------------------------- */

/* A folder that the user named: it may be a link. What the calls that take one create, replace or
 * remove is below it, even if somebody plants a link there meanwhile: no link is followed. Paths
 * are relative to it, and have no . and no .. */
struct os_folder;
/* Open a folder; it and those around it are created unless they exist. NULL on failure. */
struct os_folder *os_open_folder(const char *path, struct os_why *why);
/* What opening it has created is removed if it is empty. NULL is fine. */
void os_close_folder(struct os_folder *folder);
/* Create a folder below it, and those in between, unless they exist. On failure, all or none is
 * there. */
bool os_make_below(const struct os_folder *folder, const char *relative, struct os_why *why);
void os_set_time_below(const struct os_folder *folder, const char *relative, uint32_t seconds);
/* Is a path that was made from such a name a link, or anything but a regular file? Only to refuse
 * it early: what has to hold is checked when it is written. */
bool os_may_write(const char *path, struct os_why *why);

/* Remove a folder if it is empty. */
void os_remove_empty_folder(const char *path);
/* Modification time, in seconds since 1970; 0: unknown. */
uint32_t os_time(const char *path);

/* ---- outputs --------------------------------------------------------------------------------- */

/* An output that appears under its name complete or not at all. "-" is standard output. Never
 * waits for a pipe without a reader. */
struct os_output {
    bool is_standard; /* standard output, through stdout */
    int file;         /* -1: closed */
    char *buffer;     /* from malloc; NULL: none */
    size_t used;
    struct os_place *place; /* NULL: nothing to rename */
    int problem;            /* errno of the first write that failed */
};

bool os_open_output(struct os_output *output, const char *path, struct os_why *why);
/* The same below a folder, which has to stay open as long. Folders in between are created, and
 * removed if the output is discarded. */
bool os_open_output_below(struct os_output *output, const struct os_folder *folder,
                          const char *relative, struct os_why *why);
bool os_write_output(void *output, const void *bytes, size_t size); /* an ossa_sink's write */
/* Flush and close before one of several outputs is kept: after that hardly anything can fail.
 * Committing does this, too. */
bool os_finish_output(struct os_output *output, struct os_why *why);
/* Keep the output, or discard it. Keeping fails if a write failed; for standard output, main checks
 * that at the end. */
bool os_commit_output(struct os_output *output, struct os_why *why);
void os_discard_output(struct os_output *output);
/* Is a name that of an output that is not complete? If the program is killed, such a file stays. */
bool os_is_unfinished(const char *name);
/* End the program at once, on any thread, and leave no incomplete output. */
_Noreturn void os_give_up(int status);

unsigned os_core_count(void);
/* Run `work` on several threads at once; returns when all have ended. */
void os_run_threads(unsigned count, void (*work)(void *user), void *user);
/* The one lock that they share. */
void os_lock(void);
void os_unlock(void);
/* Another one, for what takes long and only one of them should do at a time. */
void os_begin_turn(void);
void os_end_turn(void);

/* The value of an environment variable, from malloc; NULL if it is not set or empty. */
char *os_variable(const char *name);
/* The folder that this program is in, from malloc; NULL if unknown. */
char *os_program_folder(void);
/* The folder for files of this program that need not be kept, from malloc: always the same, created
 * if need be, and only the user can enter it. If somebody else has it, it is another. NULL on
 * failure. */
char *os_make_own_folder(struct os_why *why);
/* The names of what is in a folder, in no order. */
struct texts;
void os_list_folder(const char *folder, struct texts *names);
void os_remove(const char *path); /* also one that is open */
/* The number of this process, and whether the process of a number is running. */
unsigned long os_process(void);
bool os_is_running(unsigned long process);
/* Open a page in the browser; false if none can be started. */
bool os_open_in_browser(const char *path, struct os_why *why);

/* Call this first: otherwise a file opened later might get the number of a closed standard stream,
 * and messages would end up in it. The words of the command line become UTF-8. */
void os_start(int *count, char ***arguments);
/* Were the words files that the user dropped on the program, and not a call? */
bool os_is_drop(int count, char **arguments);
/* Call this last. Of a window that closes now, nobody could read a message. */
void os_stop(bool has_message);

bool os_is_terminal(FILE *stream);
/* Has the program left that the output of this one went to? */
bool os_has_lost_reader(FILE *stream);
double os_seconds(void); /* since an arbitrary moment */

/* Give a path that the user wrote the separators of all others, /. */
void os_clean_path(char *path);
/* The files and folders that a pattern stands for, each from malloc, where the shell leaves that to
 * programs. False if there are none, or the shell has done it. */
bool os_find_matches(const char *pattern, struct texts *matches);
/* The part of a path after the last separator. */
const char *os_base_name(const char *path);

#endif
