/* SPDX-License-Identifier: MIT */
#include "codec/issues.h"

#include "base/fold.h"
#include "codec/context.h"

#include <string.h>

struct ossa__issue_node {
    ossa_issue issue;
    const char *message; /* before its arguments were filled in */
    ossa_place places[OSSA_MAX_PLACES];
    struct ossa__issue_node *newer;
    struct ossa__issue_node *same_slot;
};

/* The size of an index, "[12]", at the start of a text; 0: there is none. */
static size_t index_size(const char *text)
{
    size_t size = 1;
    if (text[0] != '[') return 0;
    while (text[size] >= '0' && text[size] <= '9') size++;
    return text[size] == ']' ? size + 1 : 0;
}

/* Are two fields the same but for their indices? */
static bool is_same_field(const char *a, const char *b)
{
    for (;;) {
        size_t x = index_size(a);
        size_t y = index_size(b);
        if ((x == 0) != (y == 0)) return false;
        if (x == 0 && *a != *b) return false;
        if (x == 0 && *a == '\0') return true;
        a += x == 0 ? 1 : x;
        b += y == 0 ? 1 : y;
    }
}

static bool is_same_kind(const struct ossa__issue_node *node, const ossa_issue *issue,
                         const char *message)
{
    const ossa_issue *known = &node->issue;
    if (known->code != issue->code || known->severity != issue->severity) return false;
    if (known->has_offset != issue->has_offset || known->format != issue->format) return false;
    if (node->message != message && strcmp(node->message, message) != 0) return false;
    return !issue->has_offset || is_same_field(known->field, issue->field);
}

static struct ossa__issue_node **slot_of(struct ossa__context *context, const char *message)
{
    uint64_t hash = ossa__hash_bytes(message, strlen(message));
    return &context->issues.slots[hash % OSSA__ISSUE_SLOTS];
}

/* A copy of a text in the arena; NULL after a failure. Most issues are about one file: `known` is
 * a copy that may be of the same text. */
static const char *keep_text(struct ossa__context *context, const char *text, const char *known)
{
    if (known != NULL && strcmp(known, text) == 0) return known;
    size_t size = strlen(text) + 1;
    char *copy = ossa__take(context, size, 1);
    if (copy != NULL) memcpy(copy, text, size);
    return copy;
}

static void add_place(struct ossa__context *context, struct ossa__issue_node *node,
                      const ossa_issue *issue)
{
    node->issue.repeat_count++;
    if (node->issue.place_count == OSSA_MAX_PLACES) return;
    const char *path = keep_text(context, issue->path, node->issue.path);
    const char *field = keep_text(context, issue->field, node->issue.field);
    if (path == NULL || field == NULL) return;
    node->places[node->issue.place_count++] = (ossa_place){
        .path = path, .has_offset = issue->has_offset, .offset = issue->offset, .field = field};
}

bool ossa__count_issue(struct ossa__context *context, const ossa_issue *issue, const char *message)
{
    struct ossa__issue_node *node = *slot_of(context, message);
    while (node != NULL && !is_same_kind(node, issue, message)) node = node->same_slot;
    if (node != NULL) add_place(context, node, issue);
    return node != NULL;
}

void ossa__keep_issue(struct ossa__context *context, const ossa_issue *issue, const char *message)
{
    struct ossa__issues *issues = &context->issues;
    if (issues->count >= context->options.max_issues) return;
    struct ossa__issue_node **slot = slot_of(context, message);
    struct ossa__issue_node *node = ossa__take(context, 1, sizeof *node);
    const char *known = issues->last == NULL ? NULL : issues->last->issue.path;
    const char *path = keep_text(context, issue->path, known);
    const char *field = keep_text(context, issue->field, NULL);
    const char *text = keep_text(context, issue->message, NULL);
    if (text == NULL) return; /* after any failure */
    *node = (struct ossa__issue_node){.issue = *issue, .message = message, .same_slot = *slot};
    node->issue.path = path;
    node->issue.field = field;
    node->issue.message = text;
    node->issue.places = node->places;
    *slot = node;
    if (issues->last != NULL) issues->last->newer = node;
    else issues->first = node;
    issues->last = node;
    issues->count++;
}

void ossa__report_groups(const struct ossa__context *context)
{
    const struct ossa__issue_node *node = context->issues.first;
    if (context->options.on_group == NULL) return;
    for (; node != NULL; node = node->newer) {
        context->options.on_group(context->options.user, &node->issue);
    }
}

const ossa_issue *ossa__issue_array(struct ossa__context *context)
{
    ossa_issue *array = ossa__take(context, context->issues.count, sizeof *array);
    const struct ossa__issue_node *node = context->issues.first;
    for (size_t i = 0; array != NULL && node != NULL; node = node->newer) array[i++] = node->issue;
    return array;
}
