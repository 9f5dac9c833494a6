/* SPDX-License-Identifier: MIT
 *
 * Outputs that appear complete or not at all, however the program ends. */
#include "os_parts.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 64 << 10 }; /* what goes to the system at once */

/* ---- outputs that are not complete ----------------------------------------------------------- */

/* To be removed if something ends the program. */
static struct os_place *unfinished;
static atomic_flag is_list_taken = ATOMIC_FLAG_INIT;

/* The number of threads that are creating, renaming or forgetting an output. The end waits for
 * them; once the program is ending, no thread may start. */
static atomic_uint busy;
static atomic_bool is_ending;

static void begin_busy(struct os_hold *hold)
{
    os_hold_end(hold);
    (void)atomic_fetch_add(&busy, 1);
    if (!atomic_load(&is_ending)) return;
    (void)atomic_fetch_sub(&busy, 1);
    os_wait_for_end();
}

static void end_busy(const struct os_hold *hold)
{
    (void)atomic_fetch_sub(&busy, 1);
    os_let_end(hold);
}

static void remove_unfinished(void)
{
    atomic_store(&is_ending, true);
    while (atomic_load(&busy) > 0) {
        /* Never this thread, and never for long. */
    }
    for (const struct os_place *place = unfinished; place != NULL; place = place->next) {
        os_withdraw(place);
    }
}

void os_give_up(int status)
{
    struct os_hold hold;
    os_hold_end(&hold);
    remove_unfinished();
    os_end_now(status);
}

/* The list is only touched by threads that are busy, so the end finds it whole. */
static void take_list(void)
{
    while (atomic_flag_test_and_set(&is_list_taken)) {
        /* For a few instructions. */
    }
}

static void note_place(struct os_place *place)
{
    take_list();
    place->next = unfinished;
    if (unfinished != NULL) unfinished->previous = place;
    unfinished = place;
    atomic_flag_clear(&is_list_taken);
}

static void forget_place(const struct os_place *place)
{
    take_list();
    if (place->next != NULL) place->next->previous = place->previous;
    if (place->previous != NULL) place->previous->next = place->next;
    else unfinished = place->next;
    atomic_flag_clear(&is_list_taken);
}

static const char mark[] = OS_UNFINISHED;
enum { MARK = sizeof mark - 1, LETTERS = 6 };

bool os_is_unfinished(const char *name)
{
    size_t size = strlen(name);
    return size >= MARK && memcmp(name + size - MARK, mark, MARK - LETTERS) == 0 &&
           strspn(name + size - LETTERS, OS_LETTERS) == LETTERS;
}

char *os_unfinished_path(const char *path)
{
    enum { LONGEST = 255 }; /* bytes of a name, on most file systems */
    const char *name = os_base_name(path);
    size_t size = strlen(name);
    if (size > LONGEST - MARK) {
        size = LONGEST - MARK;
        while (size > 0 && ((unsigned char)name[size] & 0xc0) == 0x80) size--; /* in a character */
    }
    return format_text("%.*s%s", (int)((size_t)(name - path) + size), path, mark);
}

bool os_fail_to_write(struct os_why *why)
{
    int problem = errno;
    (void)os_fail(why, "cannot be written: %s", os_reason());
    why->is_full = problem == ENOSPC || problem == EROFS;
    why->is_gone = problem == ENOENT;
#ifdef EDQUOT
    why->is_full = why->is_full || problem == EDQUOT;
#endif
    return false;
}

/* ---- opening ------------------------------------------------------------------------------- */

static void free_place(struct os_place *place)
{
    os_leave_place(place);
    free(place->target);
    free(place->temporary);
    free(place);
}

/* Frees the place if it is not needed any more. */
static bool open_place(struct os_output *output, struct os_place *place, struct os_why *why)
{
    struct os_hold hold;
    os_at_end(remove_unfinished);
    /* An end between creating the file and noting it would leave the file behind. */
    begin_busy(&hold);
    output->file = os_create(place, why);
    bool is_file = output->file >= 0 && place->target != NULL;
    if (is_file) note_place(place);
    end_busy(&hold);
    if (is_file) output->place = place;
    else free_place(place);
    if (output->file < 0) return false;
    output->buffer = malloc(BUFFER); /* without it, writing is only slower */
    return true;
}

bool os_open_output(struct os_output *output, const char *path, struct os_why *why)
{
    *output = (struct os_output){.is_standard = strcmp(path, "-") == 0, .file = -1};
    if (output->is_standard) return true;
    if (os_is_folder(path)) return os_fail(why, "is a folder");
    struct os_place *place = allocate(1, sizeof *place);
    if (os_find_place(path, place, why)) return open_place(output, place, why);
    free_place(place);
    return false;
}

bool os_open_output_below(struct os_output *output, const struct os_folder *folder,
                          const char *relative, struct os_why *why)
{
    *output = (struct os_output){.file = -1};
    for (unsigned tries = 0; tries < OS_TRIES; tries++) {
        struct os_place *place = allocate(1, sizeof *place);
        if (!os_find_place_below(folder, relative, place, why)) free_place(place);
        else if (open_place(output, place, why)) return true;
        if (!why->is_gone || !os_restore_folder(folder)) return false;
    }
    return false;
}

/* ---- writing ------------------------------------------------------------------------------- */

static bool fail(struct os_output *output)
{
    if (output->problem == 0) output->problem = errno != 0 ? errno : EIO;
    return false;
}

/* All of it, however little the system takes at once. */
static bool send(struct os_output *output, const char *bytes, size_t size)
{
    const size_t most = 1 << 30;
    while (size > 0) {
        int n = os_write_some(output->file, bytes, (unsigned)(size < most ? size : most));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return fail(output);
        bytes += n;
        size -= (size_t)n;
    }
    return true;
}

static bool flush(struct os_output *output)
{
    size_t size = output->used;
    output->used = 0;
    return size == 0 || send(output, output->buffer, size);
}

bool os_write_output(void *output, const void *bytes, size_t size)
{
    struct os_output *o = output;
    if (o->problem != 0) return false;
    errno = 0;
    if (o->is_standard) return fwrite(bytes, 1, size, stdout) == size || fail(o);
    size_t room = o->buffer == NULL ? 0 : BUFFER;
    if (size > room - o->used && !flush(o)) return false;
    if (size > room) return send(o, bytes, size);
    if (size > 0) memcpy(o->buffer + o->used, bytes, size);
    o->used += size;
    return true;
}

/* ---- closing ------------------------------------------------------------------------------- */

static void close_file(struct os_output *output)
{
    if (output->file >= 0 && !os_close(output->file)) (void)fail(output);
    output->file = -1;
}

static void forget_output(struct os_output *output)
{
    struct os_hold hold;
    free(output->buffer);
    begin_busy(&hold);
    if (output->place != NULL) {
        forget_place(output->place);
        free_place(output->place);
    }
    end_busy(&hold);
    *output = (struct os_output){.file = -1};
}

bool os_finish_output(struct os_output *output, struct os_why *why)
{
    if (output->is_standard) return true;
    if (output->problem == 0) (void)flush(output);
    close_file(output);
    if (output->problem == 0) return true;
    errno = output->problem;
    return os_fail_to_write(why);
}

bool os_commit_output(struct os_output *output, struct os_why *why)
{
    bool ok = os_finish_output(output, why);
    if (ok && output->place != NULL) {
        ok = os_replace(output->place) || os_fail_to_write(why);
    }
    if (!ok && output->place != NULL) os_withdraw(output->place);
    forget_output(output);
    return ok;
}

void os_discard_output(struct os_output *output)
{
    close_file(output);
    if (output->place != NULL) os_withdraw(output->place);
    forget_output(output);
}
