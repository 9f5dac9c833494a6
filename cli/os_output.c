/* SPDX-License-Identifier: MIT
 *
 * Outputs that appear complete or not at all, however the program ends. */
#include "os_parts.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { STREAM_BUFFER = 64 << 10 }; /* what goes to the system at once; a stream's own is 4 KiB */

/* Outputs that are not complete, to be removed if something ends the program. */
enum { OUTPUTS = 512 }; /* two per thread */
static _Atomic(const char *) unfinished[OUTPUTS];

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
    for (size_t i = 0; i < OUTPUTS; i++) {
        const char *path = atomic_load(&unfinished[i]);
        if (path != NULL) os_remove(path);
    }
}

void os_give_up(int status)
{
    struct os_hold hold;
    os_hold_end(&hold);
    remove_unfinished();
    os_end_now(status);
}

static void replace_unfinished(const char *old, const char *new)
{
    for (size_t i = 0; i < OUTPUTS; i++) {
        const char *expected = old;
        if (atomic_compare_exchange_strong(&unfinished[i], &expected, new)) return;
    }
}

bool os_is_unfinished(const char *path)
{
    for (size_t i = 0; i < OUTPUTS; i++) {
        const char *known = atomic_load(&unfinished[i]);
        if (known != NULL && os_is_same_file(path, known)) return true;
    }
    return false;
}

bool os_open_output(struct os_output *output, const char *path, struct os_why *why)
{
    struct os_hold hold;
    *output = (struct os_output){0};
    if (strcmp(path, "-") == 0) {
        output->stream = stdout;
        return true;
    }
    struct os_place place = {0};
    if (os_is_folder(path)) return os_fail(why, "is a folder");
    if (!os_find_place(path, &place, why)) return false;
    os_at_end(remove_unfinished);
    /* An end between creating the file and noting it would leave the file behind. */
    begin_busy(&hold);
    output->stream = os_create(&place, why);
    bool is_file = output->stream != NULL && place.target != NULL;
    if (is_file) replace_unfinished(NULL, place.temporary);
    end_busy(&hold);
    if (is_file) {
        output->target = place.target;
        output->temporary = place.temporary;
    } else {
        free(place.target);
        free(place.temporary);
    }
    if (output->stream == NULL) return false;
    output->buffer = malloc(STREAM_BUFFER); /* without it, writing is only slower */
    if (output->buffer != NULL) {
        (void)setvbuf(output->stream, output->buffer, _IOFBF, STREAM_BUFFER);
    }
    return true;
}

bool os_write_output(void *output, const void *bytes, size_t size)
{
    struct os_output *o = output;
    if (fwrite(bytes, 1, size, o->stream) == size) return true;
    if (o->problem == 0) o->problem = errno;
    return false;
}

static void forget_output(struct os_output *output)
{
    struct os_hold hold;
    begin_busy(&hold);
    if (output->temporary != NULL) replace_unfinished(output->temporary, NULL);
    free(output->buffer);
    free(output->target);
    free(output->temporary);
    end_busy(&hold);
    *output = (struct os_output){0};
}

bool os_finish_output(struct os_output *output, struct os_why *why)
{
    if (output->stream == stdout) return true;
    if (output->stream != NULL && fclose(output->stream) != 0 && output->problem == 0) {
        output->problem = errno;
    }
    output->stream = NULL;
    if (output->problem == 0) return true;
    errno = output->problem;
    return os_fail(why, "cannot be written: %s", os_reason());
}

bool os_commit_output(struct os_output *output, struct os_why *why)
{
    bool ok = os_finish_output(output, why);
    if (ok && output->temporary != NULL) {
        ok = os_replace(output->temporary, output->target);
        if (!ok) (void)os_fail(why, "cannot be written: %s", os_reason());
    }
    if (!ok && output->temporary != NULL) os_remove(output->temporary);
    forget_output(output);
    return ok;
}

void os_discard_output(struct os_output *output)
{
    if (output->stream != NULL && output->stream != stdout) (void)fclose(output->stream);
    if (output->temporary != NULL) os_remove(output->temporary);
    forget_output(output);
}
