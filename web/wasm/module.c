/* SPDX-License-Identifier: MIT
 *
 * Results, failures and memory: what every call of the module needs. */
#include "module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ossa_buffer web_result;

static ossa_error failure;

/* Issues that the call met, as JSON objects with commas between them. */
static struct {
    ossa_buffer text;
    size_t count;
} met;

void web_begin(void)
{
    ossa_buffer_free(&web_result);
    ossa_buffer_free(&met.text);
    met.count = 0;
    failure = (ossa_error){0};
}

/* ---- failures ------------------------------------------------------------------------------ */

bool web_fail(const ossa_error *error)
{
    failure = *error;
    return false;
}

bool web_fail_with(ossa_code code, const char *message)
{
    failure = (ossa_error){.code = code};
    (void)snprintf(failure.message, sizeof failure.message, "%s", message);
    return false;
}

bool web_fail_memory(void)
{
    return web_fail_with(OSSA_CODE_OUT_OF_MEMORY, "no memory for the result");
}

bool web_fail_output(const ossa_error *error)
{
    return error->code == OSSA_CODE_IO ? web_fail_memory() : web_fail(error);
}

/* ---- writing ------------------------------------------------------------------------------- */

enum {
    TEXT_CAPACITY = OSSA_MESSAGE_CAPACITY + (OSSA_MAX_PLACES + 1) * (OSSA_FIELD_CAPACITY + 32) + 64
};

static void write_issue(struct web_json *json, const ossa_issue *issue)
{
    char text[TEXT_CAPACITY];
    (void)ossa_issue_text(issue, text, sizeof text);
    web_json_open(json, '{');
    web_member_text(json, "severity", ossa_severity_name(issue->severity));
    web_member_text(json, "code", ossa_code_name(issue->code));
    web_member_text(json, "path", issue->path);
    web_member_text(json, "format", issue->format);
    web_member_optional(json, "offset", issue->has_offset, issue->offset);
    web_member_text(json, "field", issue->field);
    web_member_text(json, "message", issue->message);
    web_member_number(json, "count", issue->repeat_count + 1);
    web_member_text(json, "text", text);
    web_json_close(json, '}');
}

void web_write_issues(struct web_json *json, const char *key, const ossa_issue *issues,
                      size_t count)
{
    web_json_key(json, key);
    web_json_open(json, '[');
    for (size_t i = 0; i < count; i++) write_issue(json, &issues[i]);
    web_json_close(json, ']');
}

void web_on_issue(void *user, const ossa_issue *issue)
{
    enum { MOST = 1000 };
    (void)user;
    if (met.count == MOST) return;
    size_t before = met.text.size;
    struct web_json json = web_json_start(&met.text);
    json.needs_comma = met.count > 0;
    write_issue(&json, issue);
    if (json.has_failed) met.text.size = before; /* lost; a failure is still reported */
    else met.count++;
}

static void write_error(struct web_json *json, const ossa_error *error)
{
    char text[TEXT_CAPACITY];
    (void)ossa_error_text(error, text, sizeof text);
    web_json_open(json, '{');
    web_member_text(json, "code", ossa_code_name(error->code));
    web_member_text(json, "path", error->path);
    web_member_text(json, "format", error->format);
    web_member_optional(json, "offset", error->has_offset, error->offset);
    web_member_text(json, "field", error->field);
    web_member_text(json, "text", text);
    web_json_close(json, '}');
}

void web_write_error(struct web_json *json, const char *key, const ossa_error *error)
{
    if (error == NULL) {
        web_member_text(json, key, NULL);
        return;
    }
    web_json_key(json, key);
    write_error(json, error);
}

struct web_json web_start_result(void)
{
    ossa_buffer_free(&web_result);
    return web_json_start(&web_result);
}

bool web_finish_result(const struct web_json *json)
{
    if (!json->has_failed) return true;
    ossa_buffer_free(&web_result);
    return web_fail_memory();
}

bool web_give_bytes(const void *data, size_t size)
{
    ossa_sink sink = ossa_buffer_sink(&web_result);
    return size == 0 || sink.write(sink.user, data, size) || web_fail_memory();
}

const char **web_split_paths(const char *paths, size_t count)
{
    const char **list = calloc(count + 1, sizeof *list);
    for (size_t i = 0; list != NULL && i < count; i++) {
        list[i] = paths;
        paths += strlen(paths) + 1;
    }
    if (list == NULL) (void)web_fail_memory();
    return list;
}

/* ---- exports ------------------------------------------------------------------------------- */

/* Where the result and the issues of a call are: an address and a size each. */
static struct {
    const void *data;
    size_t size;
} outputs[2];

WEB_EXPORT(outputs) const void *web_outputs(void);
const void *web_outputs(void)
{
    outputs[0].data = web_result.data;
    outputs[0].size = web_result.size;
    outputs[1].data = met.text.data;
    outputs[1].size = met.text.size;
    return outputs;
}

/* Why the last call failed. */
WEB_EXPORT(error) bool web_error(void);
bool web_error(void)
{
    struct web_json json = web_start_result();
    write_error(&json, &failure);
    return !json.has_failed;
}

/* The results have been read. */
WEB_EXPORT(end) void web_end(void);
void web_end(void)
{
    web_begin();
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
    web_begin();
    struct web_json json = web_start_result();
    web_json_text(&json, ossa_version_text());
    return web_finish_result(&json);
}

static void write_abilities(struct web_json *json, const ossa_format *format)
{
    static const struct {
        ossa_ability ability;
        const char *name;
    } abilities[] = {{OSSA_ABILITY_READ, "read"},
                     {OSSA_ABILITY_WRITE, "write"},
                     {OSSA_ABILITY_DUMP, "dump"},
                     {OSSA_ABILITY_ASSEMBLE, "assemble"},
                     {OSSA_ABILITY_LIST, "list"}};
    web_json_key(json, "can");
    web_json_open(json, '[');
    for (size_t i = 0; i < sizeof abilities / sizeof abilities[0]; i++) {
        if (ossa_format_can(format, abilities[i].ability)) web_json_text(json, abilities[i].name);
    }
    web_json_close(json, ']');
}

WEB_EXPORT(formats) bool web_formats(void);
bool web_formats(void)
{
    web_begin();
    struct web_json json = web_start_result();
    web_json_open(&json, '[');
    for (size_t i = 0; i < ossa_format_count(); i++) {
        const ossa_format *format = ossa_format_at(i);
        web_json_open(&json, '{');
        web_member_text(&json, "id", format->id);
        web_member_text(&json, "title", format->title);
        web_member_text(&json, "game", format->game);
        web_member_text(&json, "open", ossa_format_open(format));
        web_member_text(&json, "extensions", format->extensions);
        web_member_text(&json, "kind", ossa_kind_name(format->kind));
        write_abilities(&json, format);
        web_json_close(&json, '}');
    }
    web_json_close(&json, ']');
    return web_finish_result(&json);
}
