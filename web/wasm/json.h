/* SPDX-License-Identifier: MIT
 *
 * Writes results as JSON. Numbers that JSON would round are not among them: JavaScript gets their
 * addresses and reads them from memory. */
#ifndef OSSA_WEB_JSON_H
#define OSSA_WEB_JSON_H

#include "ossa/file.h"

struct web_json {
    ossa_buffer *buffer;
    bool has_failed; /* there is no memory left */
    bool needs_comma;
};

/* Appends to the buffer. */
struct web_json web_json_start(ossa_buffer *buffer);

/* '{' or '[', and '}' or ']'. */
void web_json_open(struct web_json *json, char bracket);
void web_json_close(struct web_json *json, char bracket);
void web_json_key(struct web_json *json, const char *key);

/* Values. A text that is NULL is null. */
void web_json_text(struct web_json *json, const char *text);
void web_json_number(struct web_json *json, uint64_t number);

/* Members of an object. */
void web_member_text(struct web_json *json, const char *key, const char *text);
void web_member_number(struct web_json *json, const char *key, uint64_t number);
void web_member_index(struct web_json *json, const char *key, int32_t index); /* -1: none */
void web_member_flag(struct web_json *json, const char *key, bool flag);
void web_member_address(struct web_json *json, const char *key, const void *address);
/* null where there is no number. */
void web_member_optional(struct web_json *json, const char *key, bool has, uint64_t number);
void web_member_texts(struct web_json *json, const char *key, const char *const *texts,
                      size_t count);

#endif
