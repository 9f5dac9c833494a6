/* SPDX-License-Identifier: MIT
 *
 * The issues of one call, by kind. A file with a million wrong numbers has one issue with a count
 * and its first positions, not a million. */
#ifndef OSSA_CODEC_ISSUES_H
#define OSSA_CODEC_ISSUES_H

#include "ossa/error.h"

struct ossa__context;
struct ossa__issue_node;

enum { OSSA__ISSUE_SLOTS = 16 };

struct ossa__issues {
    struct ossa__issue_node *first; /* oldest */
    struct ossa__issue_node *last;
    struct ossa__issue_node *slots[OSSA__ISSUE_SLOTS];
    size_t count; /* of kinds */
};

/* Of one kind are issues that say the same, by the text that their message is made from, about the
 * same member of any item: `rotations[3]` and `rotations[7]`. Those without an offset may be about
 * different files. `message` is that text and must outlive the context. */

/* Count an issue with those of its kind; false: it is the first of its kind. */
bool ossa__count_issue(struct ossa__context *context, const ossa_issue *issue, const char *message);
/* Keep the first issue of a kind, if there is room for it (options.max_issues). */
void ossa__keep_issue(struct ossa__context *context, const ossa_issue *issue, const char *message);

/* Call options.on_group for each kind. */
void ossa__report_groups(const struct ossa__context *context);

#endif
