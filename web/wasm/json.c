/* SPDX-License-Identifier: MIT */
#include "json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct web_json web_json_start(ossa_buffer *buffer)
{
    return (struct web_json){.buffer = buffer};
}

static void put(struct web_json *json, const char *bytes, size_t size)
{
    ossa_sink sink = ossa_buffer_sink(json->buffer);
    if (!json->has_failed && !sink.write(sink.user, bytes, size)) json->has_failed = true;
}

static void begin_value(struct web_json *json)
{
    if (json->needs_comma) put(json, ",", 1);
    json->needs_comma = true;
}

void web_json_open(struct web_json *json, char bracket)
{
    begin_value(json);
    put(json, &bracket, 1);
    json->needs_comma = false;
}

void web_json_close(struct web_json *json, char bracket)
{
    put(json, &bracket, 1);
    json->needs_comma = true;
}

/* Everything but quotes, backslashes and control characters stands for itself. */
static void put_text(struct web_json *json, const char *text)
{
    put(json, "\"", 1);
    while (*text != '\0') {
        size_t plain = 0;
        while ((uint8_t)text[plain] >= 0x20 && text[plain] != '"' && text[plain] != '\\') plain++;
        put(json, text, plain);
        text += plain;
        if (*text == '\0') break;
        char escape[8];
        int size = snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(uint8_t)*text++);
        put(json, escape, (size_t)size);
    }
    put(json, "\"", 1);
}

void web_json_key(struct web_json *json, const char *key)
{
    begin_value(json);
    put_text(json, key);
    put(json, ":", 1);
    json->needs_comma = false;
}

static void put_word(struct web_json *json, const char *word)
{
    begin_value(json);
    put(json, word, strlen(word));
}

void web_json_text(struct web_json *json, const char *text)
{
    if (text == NULL) {
        put_word(json, "null");
        return;
    }
    begin_value(json);
    put_text(json, text);
}

void web_json_number(struct web_json *json, uint64_t number)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%" PRIu64, number);
    put_word(json, text);
}

void web_member_text(struct web_json *json, const char *key, const char *text)
{
    web_json_key(json, key);
    web_json_text(json, text);
}

void web_member_number(struct web_json *json, const char *key, uint64_t number)
{
    web_json_key(json, key);
    web_json_number(json, number);
}

void web_member_index(struct web_json *json, const char *key, int32_t index)
{
    web_json_key(json, key);
    if (index < 0) put_word(json, "-1");
    else web_json_number(json, (uint64_t)index);
}

void web_member_flag(struct web_json *json, const char *key, bool flag)
{
    web_json_key(json, key);
    put_word(json, flag ? "true" : "false");
}

void web_member_address(struct web_json *json, const char *key, const void *address)
{
    web_member_number(json, key, (uintptr_t)address);
}

void web_member_optional(struct web_json *json, const char *key, bool has, uint64_t number)
{
    if (has) web_member_number(json, key, number);
    else web_member_text(json, key, NULL);
}

void web_member_texts(struct web_json *json, const char *key, const char *const *texts,
                      size_t count)
{
    web_json_key(json, key);
    web_json_open(json, '[');
    for (size_t i = 0; i < count; i++) web_json_text(json, texts[i]);
    web_json_close(json, ']');
}
