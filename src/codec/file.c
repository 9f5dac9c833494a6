/* SPDX-License-Identifier: MIT
 *
 * The public entries: every call sets up a context, lets a format work, and hands over the arena
 * with the result in it. */
#include "base/json.h"
#include "codec/probe.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What stands behind an ossa_file; it lives in its own arena. */
struct result {
    ossa_file file; /* first: a pointer to it is a pointer to this */
    struct ossa__arena arena;
    const struct ossa__format *format;
    void *contents;
    struct ossa__parts *parts;     /* NULL: the bytes are the caller's */
    void (*release)(void *keeper); /* NULL, or lets go of what the bytes lie in */
    void *keeper;
};

/* Report the kinds of issues. A file that cannot be read is an issue too, the last one. */
static void report_end(const struct ossa__context *context)
{
    const ossa_options *options = &context->options;
    ossa__report_groups(context);
    if (!context->failed) return;
    const ossa_error *error = &context->error;
    ossa_issue issue = {.severity = OSSA_SEVERITY_UNREADABLE,
                        .code = error->code,
                        .path = context->path_text,
                        .format = error->format == NULL ? "" : error->format,
                        .has_offset = error->has_offset,
                        .offset = error->offset,
                        .field = error->field,
                        .message = error->message};
    if (options->on_issue != NULL) options->on_issue(options->user, &issue);
    if (options->on_group != NULL) options->on_group(options->user, &issue);
}

/* Turn what the context gathered into a file, or free it all. */
static ossa_file *finish(struct ossa__context *context, const struct ossa__format *format,
                         void *contents, uint64_t size, ossa_confidence confidence,
                         ossa_error *error)
{
    const ossa_issue *issues = ossa__issue_array(context);
    struct result *result = ossa__take(context, 1, sizeof *result);
    report_end(context);
    ossa__hand_over_error(context, error);
    if (context->failed) {
        ossa__arena_free(&context->arena);
        return NULL;
    }
    result->file = (ossa_file){.format = &format->about,
                               .confidence = confidence,
                               .size = size,
                               .warning_count = context->warning_count,
                               .error_count = context->error_count,
                               .issue_count = context->issues.count,
                               .issues = issues};
    result->format = format;
    result->contents = contents;
    result->parts = context->parts;
    result->release = NULL;
    result->arena = context->arena;
    return &result->file;
}

void ossa__file_keep(ossa_file *file, void (*release)(void *keeper), void *keeper)
{
    struct result *result = (struct result *)file;
    result->release = release;
    result->keeper = keeper;
}

static bool check_input(struct ossa__context *context, const void *data, uint64_t size)
{
    if (data == NULL && size > 0) {
        return ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "", "there is no data");
    }
    if (size == 0)
        return ossa__fail_nowhere(context, OSSA_CODE_EMPTY_FILE, "", "the file is empty");
    if (size > context->options.max_input || size > SIZE_MAX) {
        return ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "",
                                  "%" PRIu64 " bytes are more than the limit of %" PRIu64, size,
                                  context->options.max_input);
    }
    return true;
}

static const uint8_t *copy_input(struct ossa__context *context, const void *data, size_t size)
{
    uint8_t *copy = ossa__take(context, size, 1);
    if (copy != NULL) memcpy(copy, data, size);
    return copy;
}

/* Let a format (NULL: there was a failure) read the bytes. */
static ossa_file *read_as(struct ossa__context *context, const struct ossa__format *format,
                          const uint8_t *bytes, uint64_t size, ossa_confidence confidence,
                          ossa_error *error)
{
    struct ossa__trace trace;
    void *contents = NULL;
    if (format != NULL) {
        struct ossa__mark mark = ossa__scratch_mark(context);
        context->format = format->about.id;
        ossa__trace_start(context, &trace, bytes, size, format->scattered);
        contents = format->read(context, bytes, size);
        ossa__trace_finish(context);
        ossa__scratch_release(context, mark);
    }
    return finish(context, format, contents, size, confidence, error);
}

ossa_file *ossa_read(const void *data, size_t size, const ossa_options *options, ossa_error *error)
{
    return ossa__read_guessed(data, size, NULL, options, error);
}

ossa_file *ossa__read_guessed(const void *data, size_t size, const ossa_guess *guess,
                              const ossa_options *options, ossa_error *error)
{
    struct ossa__context context;
    ossa__context_init(&context, options, size);
    const struct ossa__format *format = NULL;
    ossa_confidence confidence = OSSA_CONFIDENCE_NONE;
    const uint8_t *bytes = data;
    if (check_input(&context, data, size)) {
        bool is_known = guess != NULL && guess->format != NULL && context.options.format == NULL;
        if (context.options.copy) bytes = copy_input(&context, data, size);
        if (bytes != NULL && is_known) {
            format = (const struct ossa__format *)guess->format;
            confidence = guess->confidence;
        } else if (bytes != NULL) {
            format = ossa__choose_format(&context, bytes, size, &confidence);
        }
    }
    return read_as(&context, format, bytes, size, confidence, error);
}

/* What may be larger than memory. */
static ossa_file *read_source(struct ossa__context *context, const struct ossa__format *format,
                              const ossa_source *source, ossa_confidence confidence,
                              ossa_error *error)
{
    struct ossa__mark mark = ossa__scratch_mark(context);
    context->format = format->about.id;
    void *contents = format->read_from(context, source);
    ossa__scratch_release(context, mark);
    return finish(context, format, contents, source->size, confidence, error);
}

ossa_file *ossa_read_from(const ossa_source *source, const ossa_options *options, ossa_error *error)
{
    return ossa__read_only_at(source, NULL, options, error);
}

ossa_file *ossa__read_only_at(const ossa_source *source, const uint64_t *offset,
                              const ossa_options *options, ossa_error *error)
{
    struct ossa__context context;
    ossa__context_init(&context, options, source->size);
    context.only_at = offset;
    ossa_confidence confidence = OSSA_CONFIDENCE_NONE;
    struct ossa__parts *parts = NULL;
    uint64_t size = source->size;
    const struct ossa__format *format = NULL;
    /* Fields are read from bytes that are there. */
    if (context.options.on_field == NULL) {
        format = ossa__choose_for_source(&context.options, source, &confidence);
    }
    if (format != NULL) return read_source(&context, format, source, confidence, error);
    if (check_input(&context, source, size) && !ossa__is_foreign(&context, source)) {
        parts = ossa__parts_begin(&context, source);
    }
    if (parts != NULL) {
        /* Who listens to the fields wants to see all of them. */
        if (context.options.on_field == NULL) {
            format = ossa__choose_for_parts(&context, parts->room, size, &confidence);
        }
        if (format == NULL && ossa__need(&context, 0, size)) {
            parts->is_whole = true;
            format = ossa__choose_format(&context, parts->room, size, &confidence);
        }
    }
    return read_as(&context, format, parts == NULL ? NULL : parts->room, size, confidence, error);
}

void ossa_file_free(ossa_file *file)
{
    if (file == NULL) return;
    const struct result *result = (const struct result *)file;
    void (*release)(void *keeper) = result->release;
    void *keeper = result->keeper;
    ossa__arena_free(&((struct result *)file)->arena);
    if (release != NULL) release(keeper);
}

void *ossa__contents(ossa_file *file, const struct ossa__format *format)
{
    struct result *result = (struct result *)file;
    if (result == NULL || result->format != format) return NULL;
    return ossa__parts_fill(result->parts) ? result->contents : NULL;
}

const void *ossa__contents_in_parts(const ossa_file *file)
{
    return ((const struct result *)file)->contents;
}

const struct ossa__format *ossa__format_of(const ossa_file *file)
{
    return ((const struct result *)file)->format;
}

/* Nothing a format writes is bigger than what it holds; scratch memory may be as much again. */
static void start_output(struct ossa__context *context, const struct result *result)
{
    ossa_options options = {.allocator = result->arena.allocator, .max_memory = UINT64_MAX};
    ossa__context_init(context, &options, result->file.size);
    context->format = result->format->about.id;
}

static bool finish_output(struct ossa__context *context, ossa_error *error)
{
    ossa__arena_free(&context->scratch);
    ossa__arena_free(&context->arena);
    ossa__hand_over_error(context, error);
    return !context->failed;
}

bool ossa_verify(const ossa_file *archive, const ossa_options *options, ossa_error *error)
{
    const struct result *result = (const struct result *)archive;
    struct ossa__context context;
    ossa__context_init(&context, options, archive->size);
    context.format = result->format->about.id;
    if (result->format->verify != NULL) result->format->verify(&context, result->contents);
    report_end(&context);
    return finish_output(&context, error);
}

/* What is written or dumped is all of it; false after a failure. */
static bool fetch_all(struct ossa__context *context, const struct result *result)
{
    if (ossa__parts_fill(result->parts)) return true;
    return ossa__fail_nowhere(context, OSSA_CODE_IO, "",
                              "the rest of the archive could not be read");
}

bool ossa_write(const ossa_file *file, ossa_sink sink, ossa_error *error)
{
    const struct result *result = (const struct result *)file;
    struct ossa__context context;
    struct ossa__writer writer;
    start_output(&context, result);
    ossa__writer_init(&writer, &context, sink);
    if (fetch_all(&context, result)) {
        result->format->write(&context, result->contents, &writer);
    }
    (void)ossa__writer_finish(&writer);
    return finish_output(&context, error);
}

static bool finish_json(struct ossa__context *context, struct ossa__json *json, ossa_error *error)
{
    if (!ossa__json_finish(json)) {
        ossa__fail_nowhere(context, OSSA_CODE_IO, "", "the output could not be written");
    }
    return finish_output(context, error);
}

bool ossa_dump(const ossa_file *file, ossa_json_style style, ossa_sink sink, ossa_error *error)
{
    const struct result *result = (const struct result *)file;
    struct ossa__context context;
    struct ossa__json json;
    start_output(&context, result);
    if (result->format->dump == NULL) {
        ossa__fail_nowhere(&context, OSSA_CODE_BAD_ARGUMENT, "",
                           "has no JSON; extract its entries");
        return finish_output(&context, error);
    }
    if (!fetch_all(&context, result)) return finish_output(&context, error);
    ossa__json_start(&json, sink, style);
    ossa__json_begin_object(&json);
    ossa__member_uint(&json, "ossa", 1);
    ossa__member_text(&json, "format", file->format->id);
    ossa__member_uint(&json, "size", file->size);
    ossa__json_key(&json, "data");
    ossa__json_begin_object(&json);
    result->format->dump(result->contents, &json);
    ossa__json_end_object(&json);
    ossa__json_end_object(&json);
    ossa__json_raw(&json, "\n");
    return finish_json(&context, &json, error);
}

bool ossa_describe(const ossa_file *file, ossa_sink sink, ossa_error *error)
{
    const struct result *result = (const struct result *)file;
    struct ossa__context context;
    struct ossa__report report = {.sink = sink};
    start_output(&context, result);
    result->format->describe(result->contents, &report);
    if (report.failed) {
        ossa__fail_nowhere(&context, OSSA_CODE_IO, "", "the output could not be written");
    }
    return finish_output(&context, error);
}

bool ossa_describe_json(const ossa_file *file, ossa_json_style style, ossa_sink sink,
                        ossa_error *error)
{
    const struct result *result = (const struct result *)file;
    struct ossa__context context;
    struct ossa__json json;
    struct ossa__report report = {.json = &json};
    start_output(&context, result);
    ossa__json_start(&json, sink, style);
    ossa__json_begin_object(&json);
    result->format->describe(result->contents, &report);
    ossa__json_end_object(&json);
    return finish_json(&context, &json, error);
}

/* ---- build --------------------------------------------------------------------------------- */

/* The format that a document names, or NULL after a failure. */
static const struct ossa__format *format_of(struct ossa__context *context,
                                            const struct ossa__value *root)
{
    ossa__value_allow(root, "ossa format size data");
    struct ossa__value version = ossa__value_optional(root, "ossa");
    if (version.node == NULL) {
        ossa__value_fail(root, "not a document of `ossa dump`: it has no \"ossa\": 1");
    }
    (void)ossa__value_integer(&version, 1, 1);
    struct ossa__value id = ossa__value_member(root, "format");
    const char *text = ossa__value_word(&id);
    if (context->failed) return NULL;
    const struct ossa__format *format = (const struct ossa__format *)ossa_format_find(text);
    if (format == NULL) ossa__value_fail(&id, "there is no format '%s'", text);
    else if (format->build == NULL) ossa__value_fail(&id, "files of '%s' have no JSON", text);
    return format;
}

/* What is put together as an image takes its size beforehand, and every byte must be given. What
 * gives the most is a word of one digit and a comma, 2 bytes per character; twice that is left for
 * what goes without saying. */
static void check_size(const struct ossa__value *length, const struct ossa__format *format,
                       uint64_t file_size, uint64_t json_size)
{
    enum { TIMES = 4, ROOM = 1 << 20 };
    if (!format->scattered || file_size <= TIMES * json_size + ROOM) return;
    ossa__value_fail(length, "%" PRIu64 " bytes cannot be given by %" PRIu64 " bytes of JSON",
                     file_size, json_size);
}

ossa_file *ossa_build(const char *json, size_t size, const ossa_options *options, ossa_error *error)
{
    struct ossa__context context;
    ossa__context_init(&context, options, size);
    const struct ossa__format *format = NULL;
    struct ossa__document *document = NULL;
    ossa_buffer bytes = {.allocator = context.arena.allocator};
    if (check_input(&context, json, size)) document = ossa__document_parse(&context, json, size);
    if (document != NULL) {
        struct ossa__value root = ossa__document_root(&context, document);
        format = format_of(&context, &root);
        struct ossa__value length = ossa__value_member(&root, "size");
        uint64_t file_size = (uint64_t)ossa__value_integer(&length, 0, INT64_MAX);
        struct ossa__value data = ossa__value_member(&root, "data");
        if (format != NULL) check_size(&length, format, file_size, size);
        if (format != NULL && !context.failed) {
            context.format = format->about.id;
            struct ossa__mark mark = ossa__scratch_mark(&context);
            void *contents = format->build(&context, &data, file_size);
            ossa__scratch_release(&context, mark);
            ossa__document_free(document); /* what was built refers to the text at most */
            document = NULL;
            if (!context.failed) {
                struct ossa__writer writer;
                ossa__writer_init(&writer, &context, ossa_buffer_sink(&bytes));
                format->write(&context, contents, &writer);
                if (!ossa__writer_finish(&writer) && context.error.code == OSSA_CODE_IO) {
                    /* The sink is our own buffer: memory is all that it can lack. */
                    context.failed = false;
                    ossa__fail_nowhere(&context, OSSA_CODE_OUT_OF_MEMORY, "",
                                       "no memory for the file");
                } else if (context.failed && context.error.field[0] != '\0') {
                    /* The writer names a member of the file: in the document it is under "data". */
                    char field[OSSA_FIELD_CAPACITY];
                    (void)snprintf(field, sizeof field, "data.%.120s", context.error.field);
                    memcpy(context.error.field, field, sizeof field);
                }
            }
        }
        if (document != NULL) ossa__document_free(document);
    }
    bool failed = context.failed;
    const char *dialect = context.options.dialect; /* the one that the document names */
    ossa__hand_over_error(&context, error);
    ossa__arena_free(&context.arena);

    /* The reader has the last word on what is such a file; the result is its own. */
    ossa_file *file = NULL;
    if (!failed && format != NULL) {
        ossa_options again = {0};
        if (options != NULL) again = *options;
        again.copy = true;
        again.format = format->about.id;
        again.dialect = dialect;
        file = ossa_read(bytes.data, bytes.size, &again, error);
    }
    ossa_buffer_free(&bytes);
    return file;
}
