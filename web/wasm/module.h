/* SPDX-License-Identifier: MIT
 *
 * What the exported calls of the module share. A call begins with web_begin; it leaves its result,
 * mostly JSON, in one buffer, and what the tool would have printed in the two streams of
 * memory_stdio.h. One that fails gives 0, and web_error then says why. */
#ifndef OSSA_WEB_MODULE_H
#define OSSA_WEB_MODULE_H

#include "archives.h"
#include "os_memory.h"

/* Called from JavaScript. */
#define WEB_EXPORT(name) __attribute__((export_name(#name)))

/* ---- module.c ------------------------------------------------------------------------------ */

extern ossa_buffer web_result;

/* Forget what the last call left; `disk` is what words mean from now on. */
void web_begin(struct web_disk *disk);
/* A failure that no message tells of yet; always false. */
bool web_fail(ossa_code code, const char *message);
/* The same with what the library says, about a word (NULL: about none). */
bool web_fail_error(const char *word, const ossa_error *error);

/* The same of a call that writes to web_result, which refuses only for want of memory. */
bool web_fail_output(const char *word, const ossa_error *error);

/* Has been told of something, by a file or a scene: kept for the failure that may follow. */
void web_on_issue(void *user, const ossa_issue *issue);

void web_write_key(struct ossa__json *json, const char *key, const char *text);
void web_write_number(struct ossa__json *json, const char *key, uint64_t number);
void web_write_address(struct ossa__json *json, const char *key, const void *address);
void web_write_issue(struct ossa__json *json, const ossa_issue *issue);
void web_write_issues(struct ossa__json *json, const ossa_issue *list, size_t count);
/* The failure, as the value of a key. */
void web_write_failure(struct ossa__json *json);

/* A document in web_result. Failing means that there is no memory for it. */
void web_start_result(struct ossa__json *json);
bool web_finish_result(struct ossa__json *json);

#endif
