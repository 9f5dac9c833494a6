/* SPDX-License-Identifier: MIT */
#include "codec/context.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* As good as zeros, in a fraction of the time: the texts are long, and a call may be short. */
static void clear_error(ossa_error *error)
{
    memset(error, 0, offsetof(ossa_error, field));
    error->field[0] = error->message[0] = error->path[0] = '\0';
}

void ossa__context_init(struct ossa__context *context, const ossa_options *options, uint64_t size)
{
    memset(context, 0, offsetof(struct ossa__context, error));
    clear_error(&context->error);
    if (options != NULL) context->options = *options;
    ossa_options *o = &context->options;
    if (o->max_input == 0) o->max_input = UINT64_C(256) << 20;
    if (o->max_memory == 0) {
        /* The trace of a format that jumps about in the file keeps a note of every field. */
        uint64_t product = ossa__size_times(size, o->on_field == NULL ? 32 : 64);
        o->max_memory = ossa__size_plus(product, 1 << 20);
    }
    if (o->max_issues == 0) o->max_issues = 1000;
    context->path_text = o->path != NULL ? o->path : o->name != NULL ? o->name : "";
    ossa__arena_init(&context->arena, o->allocator, o->max_memory);
    ossa__arena_init(&context->scratch, o->allocator, o->max_memory);
    if (!ossa__is_allocator(o->allocator)) {
        ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "allocator", OSSA__HALF_ALLOCATOR);
    }
}

void ossa__enter(struct ossa__context *context, const char *name, uint64_t index)
{
    /* Formats nest a fixed, small number of levels; one that goes deeper loses only words. */
    if (context->depth < OSSA__PATH_DEPTH) {
        context->path[context->depth] = (struct ossa__step){name, index};
    }
    context->depth++;
}

void ossa__leave(struct ossa__context *context)
{
    context->depth--;
}

void ossa__path_text(const struct ossa__step *steps, unsigned depth, const char *field, char *text,
                     size_t capacity)
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; i <= depth && used < capacity; i++) {
        bool last = i == depth;
        const char *name = last ? field : steps[i].name;
        if (name[0] != '\0') {
            const char *dot = used > 0 ? "." : "";
            int n = snprintf(text + used, capacity - used, "%s%s", dot, name);
            if (n > 0) used += (size_t)n;
        }
        if (!last && steps[i].index != OSSA__NO_INDEX && used < capacity) {
            int n = snprintf(text + used, capacity - used, "[%" PRIu64 "]", steps[i].index);
            if (n > 0) used += (size_t)n;
        }
    }
}

static unsigned path_depth(const struct ossa__context *context)
{
    return context->depth < OSSA__PATH_DEPTH ? context->depth : OSSA__PATH_DEPTH;
}

void ossa__error_path(ossa_error *error, const char *path)
{
    size_t size = strlen(path);
    size_t cut = size < sizeof error->path ? 0 : size - sizeof error->path + 1;
    while (cut > 0 && ((uint8_t)path[cut] & 0xc0) == 0x80) cut++; /* not inside a character */
    memcpy(error->path, path + cut, size - cut + 1);
}

static void fail_with(struct ossa__context *context, ossa_code code, const char *field,
                      const char *message, va_list arguments)
{
    ossa_error *error = &context->error;
    context->failed = true;
    memset(error, 0, sizeof *error);
    error->code = code;
    error->format = context->format;
    ossa__error_path(error, context->path_text);
    ossa__path_text(context->path, path_depth(context), field, error->field, sizeof error->field);
    (void)vsnprintf(error->message, sizeof error->message, message, arguments);
}

bool ossa__fail(struct ossa__context *context, ossa_code code, uint64_t offset, const char *field,
                const char *message, ...)
{
    if (context->failed) return false;
    va_list arguments;
    va_start(arguments, message);
    fail_with(context, code, field, message, arguments);
    va_end(arguments);
    context->error.has_offset = true;
    context->error.offset = offset;
    return false;
}

bool ossa__fail_nowhere(struct ossa__context *context, ossa_code code, const char *field,
                        const char *message, ...)
{
    if (context->failed) return false;
    va_list arguments;
    va_start(arguments, message);
    fail_with(context, code, field, message, arguments);
    va_end(arguments);
    return false;
}

void ossa__hand_over_error(const struct ossa__context *context, ossa_error *error)
{
    if (error == NULL) return;
    if (context->failed) *error = context->error;
    else clear_error(error);
}

void ossa__issue_list(struct ossa__context *context, ossa_issue issue, const char *field,
                      const char *message, va_list arguments)
{
    if (context->failed) return;
    if (issue.severity == OSSA_SEVERITY_WARNING && context->options.strict)
        issue.severity = OSSA_SEVERITY_ERROR;
    if (issue.severity == OSSA_SEVERITY_WARNING) context->warning_count++;
    else if (issue.severity == OSSA_SEVERITY_ERROR) context->error_count++;

    char path[OSSA_FIELD_CAPACITY];
    char text[OSSA_MESSAGE_CAPACITY];
    ossa__path_text(context->path, path_depth(context), field, path, sizeof path);
    issue.format = context->format == NULL ? "" : context->format;
    issue.path = context->path_text;
    issue.field = path;
    bool is_known = ossa__count_issue(context, &issue, message);
    bool is_heard = context->options.on_issue != NULL;
    if (is_known && !is_heard) return; /* a million of them are soon counted */
    (void)vsnprintf(text, sizeof text, message, arguments);
    issue.message = text;
    if (is_heard) context->options.on_issue(context->options.user, &issue);
    if (!is_known) ossa__keep_issue(context, &issue, message);
}

void ossa__issue(struct ossa__context *context, ossa_severity severity, ossa_code code,
                 uint64_t offset, const char *field, const char *message, ...)
{
    ossa_issue issue = {.severity = severity, .code = code, .has_offset = true, .offset = offset};
    va_list arguments;
    va_start(arguments, message);
    ossa__issue_list(context, issue, field, message, arguments);
    va_end(arguments);
}

void ossa__issue_nowhere(struct ossa__context *context, ossa_severity severity, ossa_code code,
                         const char *field, const char *message, ...)
{
    ossa_issue issue = {.severity = severity, .code = code};
    va_list arguments;
    va_start(arguments, message);
    ossa__issue_list(context, issue, field, message, arguments);
    va_end(arguments);
}

/* From one of the two arenas, which share the limit. */
static void *take_from(struct ossa__context *context, struct ossa__arena *arena,
                       const struct ossa__arena *other, uint64_t count, uint64_t size)
{
    if (context->failed) return NULL;
    uint64_t bytes;
    void *memory = NULL;
    /* What no machine of this kind can address is beyond any limit. */
    uint64_t most = context->options.max_memory < SIZE_MAX ? context->options.max_memory : SIZE_MAX;
    arena->limited = true;
    arena->limit = most - other->total;
    if (ossa__multiply(count, size, &bytes)) memory = ossa__arena_take(arena, bytes);
    if (memory == NULL) {
        if (arena->limited) {
            (void)ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "",
                                     "needs more than the %" PRIu64 " bytes of memory allowed",
                                     most);
        } else {
            (void)ossa__fail_nowhere(context, OSSA_CODE_OUT_OF_MEMORY, "",
                                     "no memory for %" PRIu64 " items of %" PRIu64 " bytes", count,
                                     size);
        }
    }
    return memory;
}

void *ossa__take(struct ossa__context *context, uint64_t count, uint64_t size)
{
    return take_from(context, &context->arena, &context->scratch, count, size);
}

void *ossa__take_scratch(struct ossa__context *context, uint64_t count, uint64_t size)
{
    return take_from(context, &context->scratch, &context->arena, count, size);
}

struct ossa__mark ossa__scratch_mark(const struct ossa__context *context)
{
    return ossa__arena_mark(&context->scratch);
}

void ossa__scratch_release(struct ossa__context *context, struct ossa__mark mark)
{
    ossa__arena_release(&context->scratch, mark);
}
