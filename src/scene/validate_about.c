/* SPDX-License-Identifier: MIT
 *
 * What a scene says of itself: its options, and the issues of its files. */
#include "scene/validate.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A text that may be empty. */
static bool is_text(const char *text)
{
    return text != NULL && ossa__utf8_is_valid(text, strlen(text));
}

static bool check_option(const ossa_option_info *option, struct ossa__scene_item field,
                         ossa_error *error)
{
    if (!ossa__is_name(option->name) || !is_text(option->text)) {
        return ossa__refuse(error, field, "has no name or no text in UTF-8");
    }
    if ((unsigned)option->kind > OSSA_OPTION_KIND_VECTOR) {
        return ossa__refuse(error, field, "'%s' has the unknown kind %u", option->name,
                            (unsigned)option->kind);
    }
    if (option->word_count > 0 && option->words == NULL) {
        return ossa__refuse(error, field, "'%s' lacks its words", option->name);
    }
    for (uint32_t i = 0; i < option->word_count; i++) {
        if (ossa__is_name(option->words[i].word) && is_text(option->words[i].text)) continue;
        return ossa__refuse(error, field, "'%s': word %" PRIu32 " is not UTF-8, or is missing",
                            option->name, i);
    }
    if (!isfinite(option->least) || !isfinite(option->most) || !isfinite(option->initial)) {
        return ossa__refuse(error, field, "'%s' has a bound or a default that is not finite",
                            option->name);
    }
    return true;
}

/* The texts come from files, and need not be UTF-8. */
static bool is_issue(const ossa_issue *issue)
{
    if ((unsigned)issue->severity > OSSA_SEVERITY_UNREADABLE) return false;
    if (issue->path == NULL || issue->format == NULL || issue->field == NULL ||
        issue->message == NULL || issue->place_count > OSSA_MAX_PLACES) {
        return false;
    }
    if (issue->place_count > 0 && issue->places == NULL) return false;
    for (size_t i = 0; i < issue->place_count; i++) {
        if (issue->places[i].path == NULL || issue->places[i].field == NULL) return false;
    }
    return true;
}

bool ossa__check_about(const ossa_scene *scene, ossa_error *error)
{
    if (!ossa__are_finite(scene->viewpoint, 3)) {
        return ossa__refuse(error, (struct ossa__scene_item){"viewpoint", OSSA__WHOLE},
                            "is not finite");
    }
    for (uint32_t i = 0; i < scene->option_count; i++) {
        const struct ossa__scene_item field = {"options", i};
        if (!check_option(&scene->options[i], field, error)) return false;
    }
    for (size_t i = 0; i < scene->issue_count; i++) {
        const struct ossa__scene_item field = {"issues", i};
        if (is_issue(&scene->issues[i])) continue;
        return ossa__refuse(error, field, "lacks a text or a place, or is of an unknown severity");
    }
    return true;
}
