/* SPDX-License-Identifier: MIT
 *
 * What the exported calls of the module share. A call begins with web_begin. It leaves its result
 * in one buffer and the issues that it met, as JSON, in another. A call that fails returns 0, and
 * web_error then says why. Workspaces, files and scenes are the library's own, by their addresses.
 */
#ifndef OSSA_WEB_MODULE_H
#define OSSA_WEB_MODULE_H

#include "json.h"
#include "ossa/ossa.h"

/* Called from JavaScript. */
#define WEB_EXPORT(name) __attribute__((export_name(#name)))

extern ossa_buffer web_result;

/* Forget what the last call left. */
void web_begin(void);

/* Remember why the call fails; always false. */
bool web_fail(const ossa_error *error);
bool web_fail_with(ossa_code code, const char *message);
bool web_fail_memory(void);
/* The same for a call that writes to web_result, which refuses bytes only for lack of memory. */
bool web_fail_output(const ossa_error *error);

/* For the library: keeps the issue for JavaScript. */
void web_on_issue(void *user, const ossa_issue *issue);

void web_write_issues(struct web_json *json, const char *key, const ossa_issue *issues,
                      size_t count);
/* null: NULL. */
void web_write_error(struct web_json *json, const char *key, const ossa_error *error);

/* A document in web_result. Finishing fails if there is no memory for it. */
struct web_json web_start_result(void);
bool web_finish_result(const struct web_json *json);

/* Bytes as the result. */
bool web_give_bytes(const void *data, size_t size);

/* Paths that follow each other, each with its NUL, as a list from malloc; NULL: no memory. */
const char **web_split_paths(const char *paths, size_t count);

#endif
