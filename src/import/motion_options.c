/* SPDX-License-Identifier: MIT */
#include "import/motion_options.h"

#include "base/number_parse.h"

#include <math.h>
#include <string.h>

/* Was it written by a version of Ossa that says the same with these words? */
static bool is_known(const struct ossa__value *object)
{
    int64_t version = 1;
    struct ossa__value stated = ossa__value_optional(object, "version");
    if (stated.node == NULL) return true;
    bool is_number = *stated.node == '-' || (*stated.node >= '0' && *stated.node <= '9');
    if (is_number && ossa__parse_integer(stated.node, &version) && version == 1) return true;
    ossa__issue_nowhere(object->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, "version",
                        "the options of the conversion were written by another version of Ossa and "
                        "are ignored");
    return false;
}

void ossa__read_motion_options(struct ossa__motion *motion, const struct ossa__value *object)
{
    struct ossa__context *context = object->context;
    if (context->failed || object->node == NULL || *object->node != '{') return;
    if (!is_known(object)) return;
    size_t count = ossa__value_member_count(object);
    motion->options = ossa__take(context, count, sizeof *motion->options);
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value member = ossa__value_member_at(object, i);
        if (context->failed || strcmp(member.key, "version") == 0) continue;
        struct ossa__motion_option option = {.key = member.key};
        char first = *member.node;
        if (first == '"') {
            option.text = ossa__value_word(&member);
        } else if (first == '-' || (first >= '0' && first <= '9')) {
            (void)ossa__parse_number(member.node, &option.number);
        } else if (first == 't' || first == 'f') {
            option.number = first == 't' ? 1.0 : 0.0;
        } else {
            continue;
        }
        motion->options[motion->option_count++] = option;
    }
}
