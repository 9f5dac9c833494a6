/* SPDX-License-Identifier: MIT
 *
 * What one call carries along: the options, the arena of its result, where it is in the file, and
 * what went wrong. Every failure and every issue of the library goes through this file. */
#ifndef OSSA_CODEC_CONTEXT_H
#define OSSA_CODEC_CONTEXT_H

#include "base/memory.h"
#include "codec/issues.h"

#include <stdarg.h>

/* One step of a path: `links[3]`, `header` (index NO_INDEX), or `[3]` (name ""). */
#define OSSA__NO_INDEX UINT64_MAX
struct ossa__step {
    const char *name;
    uint64_t index;
};

enum { OSSA__PATH_DEPTH = 4 };

struct ossa__trace;
struct ossa__parts;

struct ossa__context {
    ossa_options options;  /* with defaults filled in */
    const char *format;    /* the id of the format at work */
    const char *path_text; /* of the file, for issues; never NULL */
    struct ossa__arena arena;
    struct ossa__arena scratch; /* what is needed only on the way; empty at the end */
    struct ossa__parts *parts;  /* where the bytes come from, see parts.h; NULL: all are there */
    struct ossa__trace *trace;  /* NULL unless somebody listens */
    const uint64_t *only_at;    /* of an archive that is searched: what lies there; NULL: all */

    struct ossa__step path[OSSA__PATH_DEPTH];
    unsigned depth;

    struct ossa__issues issues; /* kept */
    size_t warning_count;
    size_t error_count;

    bool failed;
    ossa_error error; /* the first failure */
};

/* Defaults for what is zero in `options` (which may be NULL), for an input of `size` bytes. */
void ossa__context_init(struct ossa__context *context, const ossa_options *options, uint64_t size);

/* The part of a path that the following fields stand under. */
void ossa__enter(struct ossa__context *context, const char *name, uint64_t index);
void ossa__leave(struct ossa__context *context);

/* "links[3].child": the steps and the field, cut to fit; the field may be "". */
void ossa__path_text(const struct ossa__step *steps, unsigned depth, const char *field, char *text,
                     size_t capacity);

/* Set the path of an error; a long one loses its start. */
void ossa__error_path(ossa_error *error, const char *path);

/* The call fails. The first failure sticks; later ones change nothing. Gives false, always. */
bool ossa__fail(struct ossa__context *context, ossa_code code, uint64_t offset, const char *field,
                const char *message, ...) OSSA_PRINTF(5, 6);

/* The same for failures that no place in a file is to blame for. */
bool ossa__fail_nowhere(struct ossa__context *context, ossa_code code, const char *field,
                        const char *message, ...) OSSA_PRINTF(4, 5);

/* The failure, or none, for the caller, who may not want to know (NULL). */
void ossa__hand_over_error(const struct ossa__context *context, ossa_error *error);

/* Something is wrong, and reading goes on. */
void ossa__issue(struct ossa__context *context, ossa_severity severity, ossa_code code,
                 uint64_t offset, const char *field, const char *message, ...) OSSA_PRINTF(6, 7);

/* The same for what no place in a file is to blame for. */
void ossa__issue_nowhere(struct ossa__context *context, ossa_severity severity, ossa_code code,
                         const char *field, const char *message, ...) OSSA_PRINTF(5, 6);

/* The same for both, of an issue of which the severity, the code and the offset are filled in. The
 * message must be a constant. */
void ossa__issue_list(struct ossa__context *context, ossa_issue issue, const char *field,
                      const char *message, va_list arguments) OSSA_PRINTF(4, 0);

/* count items of `size` bytes from the arena, not zeroed; NULL after a failure. */
void *ossa__take(struct ossa__context *context, uint64_t count, uint64_t size);

/* The same for what is needed on the way, until what was taken before `mark` is all that is left.
 * Both together keep to the limit. */
void *ossa__take_scratch(struct ossa__context *context, uint64_t count, uint64_t size);
struct ossa__mark ossa__scratch_mark(const struct ossa__context *context);
void ossa__scratch_release(struct ossa__context *context, struct ossa__mark mark);

/* The kept kinds of issues as one array in the arena, oldest first; NULL on failure. */
const ossa_issue *ossa__issue_array(struct ossa__context *context);

#endif
