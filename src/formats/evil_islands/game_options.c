/* SPDX-License-Identifier: MIT
 *
 * The options of Evil Islands that a scene keeps, spelled as the tool has them, and back. The
 * texture is not among them: it moves nothing. */
#include "formats/evil_islands/game.h"

#include "base/number_parse.h"
#include "base/number_text.h"
#include "scene/options.h"

#include <string.h>

static void keep_complexion(struct ossa__assembly *assembly, const float complexion[3])
{
    char text[3 * OSSA__FLOAT_CAPACITY];
    char *at = text;
    for (unsigned i = 0; i < 3; i++) {
        if (i > 0) *at++ = ',';
        at = ossa__float_text(complexion[i], at);
    }
    *at = '\0';
    ossa__keep_text(assembly, "complexion", text);
}

/* All patterns in one text, each on a line. */
static void keep_parts(struct ossa__assembly *assembly, const char *const *patterns, size_t count)
{
    struct ossa__mark mark = ossa__scratch_mark(&assembly->context);
    uint64_t size = 1;
    for (size_t i = 0; i < count; i++) size += strlen(patterns[i]) + 1;
    char *text = ossa__take_scratch(&assembly->context, size, 1);
    if (text == NULL) return;
    char *at = text;
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(patterns[i]);
        if (i > 0) *at++ = '\n';
        memcpy(at, patterns[i], length);
        at += length;
    }
    *at = '\0';
    ossa__keep_text(assembly, "parts", text);
    ossa__scratch_release(&assembly->context, mark);
}

static bool has_targets(const ossa_scene *scene)
{
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        if (scene->meshes[i].target_count > 0) return true;
    }
    return false;
}

void ossa__ei_keep_options(struct ossa__assembly *assembly)
{
    const ossa_ei_options *ei = ossa__ei_options(assembly);
    if (ossa__ei_has_complexion(ei)) keep_complexion(assembly, ei->complexion);
    ossa__keep_word(assembly, "root", "b+t t b", ei->root);
    if (ei->resample > 1) ossa__keep_number(assembly, "resample", ei->resample);
    if (ei->part_count > 0) keep_parts(assembly, ei->parts, ei->part_count);
    if (has_targets(assembly->scene)) {
        ossa__keep_word(assembly, "morph", "all clip none", ei->morphing);
    }
    ossa__keep_word(assembly, "look", "game y z up", ei->look);
}

/* "0.25,0.5,1" */
static void set_complexion(ossa_ei_options *ei, const char *text)
{
    double numbers[3];
    for (unsigned i = 0; i < 3; i++) {
        const char *end = ossa__parse_number(text, &numbers[i]);
        if (end == NULL || *end != (i < 2 ? ',' : '\0')) return;
        if (!(numbers[i] >= 0.0 && numbers[i] <= 1.0)) return;
        text = end + 1;
    }
    for (unsigned i = 0; i < 3; i++) ei->complexion[i] = (float)numbers[i];
    ei->has_complexion = true;
}

static void set_parts(struct ossa__option_set *set, const char *text)
{
    size_t count = 1;
    size_t size = strlen(text) + 1;
    for (const char *c = text; *c != '\0'; c++) count += *c == '\n';
    char *copy = ossa__take(set->context, size, 1);
    const char **parts = ossa__take(set->context, count, sizeof *parts);
    if (copy == NULL || parts == NULL) return;
    memcpy(copy, text, size);
    for (size_t i = 0; i < count; i++) {
        parts[i] = copy;
        copy += strcspn(copy, "\n");
        *copy++ = '\0';
    }
    set->ei.parts = parts;
    set->ei.part_count = count;
}

void ossa__ei_set_option(struct ossa__option_set *set, const struct ossa__option_text *option)
{
    const char *key = option->key;
    unsigned words[3] = {set->ei.root, set->ei.morphing, set->ei.look};
    ossa__set_word(option, "root", "b+t t b", &words[0]);
    ossa__set_word(option, "morph", "all clip none", &words[1]);
    ossa__set_word(option, "look", "game y z up", &words[2]);
    set->ei.root = (ossa_ei_root)words[0];
    set->ei.morphing = (ossa_ei_morphing)words[1];
    set->ei.look = (ossa_ei_look)words[2];
    if (option->text == NULL) {
        bool is_count = option->number >= 1.0 && option->number <= 1000.0;
        if (strcmp(key, "resample") == 0 && is_count && set->ei.resample == 0) {
            set->ei.resample = (uint32_t)option->number;
        }
    } else if (strcmp(key, "complexion") == 0 && !ossa__ei_has_complexion(&set->ei)) {
        set_complexion(&set->ei, option->text);
    } else if (strcmp(key, "parts") == 0 && set->ei.part_count == 0) {
        set_parts(set, option->text);
    }
}
