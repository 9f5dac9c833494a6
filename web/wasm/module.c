/* SPDX-License-Identifier: MIT
 *
 * Results, failures and memory: what every call of the module needs. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

ossa_buffer web_result;

/* The first failure of a call, and which line of the messages tells of it. */
static struct {
    bool is_set;
    ossa_error error;
    size_t line;
} failure;

/* Issues of files that were met, as JSON, should the call fail. */
static struct {
    ossa_buffer text;
    size_t count;
} issues;

enum { MOST_ISSUES = 1000 };

void web_begin(struct web_disk *disk)
{
    ossa_buffer_free(&web_result);
    ossa_buffer_free(&issues.text);
    issues.count = 0;
    web_stream_clear(&web_out);
    web_stream_clear(&web_err);
    failure.is_set = false;
    web_disk_use(disk);
}

/* ---- failures ------------------------------------------------------------------------------ */

static size_t count_lines(const struct web_stream *stream)
{
    size_t lines = 0;
    for (size_t i = 0; i < stream->size; i++) lines += stream->data[i] == '\n' ? 1 : 0;
    return lines;
}

static void note_failure(const ossa_error *error)
{
    if (failure.is_set) return;
    failure.is_set = true;
    failure.error = *error;
    failure.line = count_lines(&web_err);
}

/* Every failure that the tool's files tell of comes by here (--wrap): what the library said of it
 * is more than a line of text. */
void __real_complain_error(const char *file, const ossa_error *error);
void __wrap_complain_error(const char *file, const ossa_error *error);
void __wrap_complain_error(const char *file, const ossa_error *error)
{
    note_failure(error);
    __real_complain_error(file, error);
}

bool web_fail_error(const char *word, const ossa_error *error)
{
    if (word != NULL) {
        complain_error(word, error);
        return false;
    }
    char text[OSSA_MESSAGE_CAPACITY + OSSA_FIELD_CAPACITY + 64];
    note_failure(error);
    (void)ossa_error_text(error, text, sizeof text);
    complain("%s", text);
    return false;
}

bool web_fail(ossa_code code, const char *message)
{
    ossa_error error = {.code = code};
    (void)snprintf(error.message, sizeof error.message, "%s", message);
    return web_fail_error(NULL, &error);
}

bool web_fail_output(const char *word, const ossa_error *error)
{
    if (error->code != OSSA_CODE_IO) return web_fail_error(word, error);
    return web_fail(OSSA_CODE_OUT_OF_MEMORY, "no memory for the result");
}

/* What a message without more is about: memory, or inputs that make no scene. */
static void guess_failure(void)
{
    ossa_error error = {.code = OSSA_CODE_MISFIT};
    size_t size = web_err.size;
    if (size > 0 && web_err.data[size - 1] == '\n') size--;
    size_t start = size;
    while (start > 0 && web_err.data[start - 1] != '\n') start--;
    const char *line = web_err.data + start;
    size_t length = size - start;
    const char prefix[] = "ossa: ";
    const char memory[] = "no memory";
    if (length >= sizeof prefix - 1 && memcmp(line, prefix, sizeof prefix - 1) == 0) {
        line += sizeof prefix - 1;
        length -= sizeof prefix - 1;
    }
    bool is_memory = length >= sizeof memory - 1 && memcmp(line, memory, sizeof memory - 1) == 0;
    if (length == 0 || is_memory) error.code = OSSA_CODE_OUT_OF_MEMORY;
    (void)snprintf(error.message, sizeof error.message, "%.*s", (int)length,
                   length == 0 ? "" : line);
    note_failure(&error);
    if (failure.line > 0) failure.line--; /* the message is there already */
}

/* ---- writing ------------------------------------------------------------------------------- */

void web_write_key(struct ossa__json *json, const char *key, const char *text)
{
    ossa__json_key(json, key);
    if (text == NULL) ossa__json_null(json);
    else ossa__json_string(json, text);
}

void web_write_number(struct ossa__json *json, const char *key, uint64_t number)
{
    ossa__json_key(json, key);
    ossa__json_uint(json, number);
}

void web_write_address(struct ossa__json *json, const char *key, const void *address)
{
    web_write_number(json, key, (uintptr_t)address);
}

static void write_offset(struct ossa__json *json, bool has_offset, uint64_t offset)
{
    ossa__json_key(json, "offset");
    if (has_offset) ossa__json_uint(json, offset);
    else ossa__json_null(json);
}

void web_write_issue(struct ossa__json *json, const ossa_issue *issue)
{
    char text[OSSA_MESSAGE_CAPACITY + OSSA_FIELD_CAPACITY + 64];
    (void)ossa_issue_text(issue, text, sizeof text);
    ossa__json_begin_object(json);
    web_write_key(json, "severity", ossa_severity_name(issue->severity));
    web_write_key(json, "code", ossa_code_name(issue->code));
    web_write_key(json, "format", issue->format);
    write_offset(json, issue->has_offset, issue->offset);
    web_write_key(json, "field", issue->field);
    web_write_key(json, "message", issue->message);
    web_write_key(json, "text", text);
    ossa__json_end_object(json);
}

void web_write_issues(struct ossa__json *json, const ossa_issue *list, size_t count)
{
    ossa__json_begin_array(json);
    for (size_t i = 0; i < count; i++) web_write_issue(json, &list[i]);
    ossa__json_end_array(json);
}

void web_on_issue(void *user, const ossa_issue *issue)
{
    struct ossa__json json;
    (void)user;
    if (issues.count == MOST_ISSUES) return;
    size_t before = issues.text.size;
    ossa__json_start(&json, ossa_buffer_sink(&issues.text), OSSA_JSON_STYLE_LINE);
    if (before > 0) ossa__json_raw(&json, ",");
    web_write_issue(&json, issue);
    if (ossa__json_finish(&json)) issues.count++;
    else issues.text.size = before; /* no memory: all of it is lost; the failure is still told */
}

void web_write_failure(struct ossa__json *json)
{
    if (!failure.is_set) guess_failure();
    const ossa_error *error = &failure.error;
    ossa__json_begin_object(json);
    web_write_key(json, "code", ossa_code_name(error->code));
    web_write_key(json, "format", error->format);
    write_offset(json, error->has_offset, error->offset);
    web_write_key(json, "field", error->field);
    web_write_key(json, "message", error->message);
    web_write_number(json, "line", failure.line);
    /* The issues are JSON already: they go between the brackets of an empty list. */
    ossa__json_key(json, "issues");
    ossa__json_begin_array(json);
    bool is_whole = issues.text.size > 0 && ossa__json_finish(json);
    if (is_whole) (void)json->sink.write(json->sink.user, issues.text.data, issues.text.size);
    ossa__json_end_array(json);
    ossa__json_end_object(json);
}

void web_start_result(struct ossa__json *json)
{
    ossa_buffer_free(&web_result);
    ossa__json_start(json, ossa_buffer_sink(&web_result), OSSA_JSON_STYLE_LINE);
}

bool web_finish_result(struct ossa__json *json)
{
    if (ossa__json_finish(json)) return true;
    ossa_buffer_free(&web_result);
    return web_fail(OSSA_CODE_OUT_OF_MEMORY, "no memory for the result");
}

/* ---- exports ------------------------------------------------------------------------------- */

/* Where the results of a call lie: three pairs of an address and a size. */
static struct {
    const void *data;
    size_t size;
} places[3];

WEB_EXPORT(places) const void *web_places(void);
const void *web_places(void)
{
    places[0].data = web_result.data;
    places[0].size = web_result.size;
    places[1].data = web_out.data;
    places[1].size = web_out.size;
    places[2].data = web_err.data;
    places[2].size = web_err.size;
    return places;
}

/* Why the last call failed. */
WEB_EXPORT(error) bool web_error(void);
bool web_error(void)
{
    struct ossa__json json;
    web_start_result(&json);
    web_write_failure(&json);
    return ossa__json_finish(&json);
}

/* The results are read. */
WEB_EXPORT(end) void web_end(void);
void web_end(void)
{
    web_begin(NULL);
}

WEB_EXPORT(allocate) void *web_allocate(size_t size);
void *web_allocate(size_t size)
{
    return malloc(size == 0 ? 1 : size);
}

WEB_EXPORT(release) void web_release(void *memory);
void web_release(void *memory)
{
    free(memory);
}

WEB_EXPORT(version) bool web_version(void);
bool web_version(void)
{
    struct ossa__json json;
    web_begin(NULL);
    web_start_result(&json);
    ossa__json_string(&json, ossa_version_text());
    return web_finish_result(&json);
}

static void write_abilities(struct ossa__json *json, const ossa_format *format)
{
    static const struct {
        ossa_ability ability;
        const char *name;
    } abilities[] = {{OSSA_ABILITY_READ, "read"},
                     {OSSA_ABILITY_WRITE, "write"},
                     {OSSA_ABILITY_DUMP, "dump"},
                     {OSSA_ABILITY_ASSEMBLE, "assemble"},
                     {OSSA_ABILITY_LIST, "list"}};
    ossa__json_key(json, "can");
    ossa__json_begin_array(json);
    for (size_t i = 0; i < sizeof abilities / sizeof abilities[0]; i++) {
        if (ossa_format_can(format, abilities[i].ability)) {
            ossa__json_string(json, abilities[i].name);
        }
    }
    ossa__json_end_array(json);
}

WEB_EXPORT(formats) bool web_formats(void);
bool web_formats(void)
{
    struct ossa__json json;
    web_begin(NULL);
    web_start_result(&json);
    ossa__json_begin_array(&json);
    for (size_t i = 0; i < ossa_format_count(); i++) {
        const ossa_format *format = ossa_format_at(i);
        ossa__json_begin_object(&json);
        web_write_key(&json, "id", format->id);
        web_write_key(&json, "title", format->title);
        web_write_key(&json, "game", format->game);
        web_write_key(&json, "extensions", format->extensions);
        web_write_key(&json, "kind", ossa_kind_name(format->kind));
        write_abilities(&json, format);
        ossa__json_end_object(&json);
    }
    ossa__json_end_array(&json);
    return web_finish_result(&json);
}
