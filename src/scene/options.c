/* SPDX-License-Identifier: MIT
 *
 * Options that a scene was made with and that an import needs: extras of the scene. */
#include "scene/assembly.h"
#include "scene/options.h"

#include "base/text.h"

#include <string.h>

enum { MOST_KEPT = 16 }; /* more than there are */

static void keep(struct ossa__assembly *assembly, ossa_extra extra)
{
    ossa_scene *scene = assembly->scene;
    ossa_extra *extras = (ossa_extra *)scene->extras; /* taken here, and not const */
    if (extras == NULL) extras = ossa__take(&assembly->context, MOST_KEPT, sizeof *extras);
    if (extras == NULL || scene->extra_count == MOST_KEPT) return;
    extras[scene->extra_count++] = extra;
    scene->extras = extras;
}

void ossa__keep_number(struct ossa__assembly *assembly, const char *key, double number)
{
    double *numbers = ossa__take(&assembly->context, 1, sizeof *numbers);
    if (numbers == NULL) return;
    *numbers = number;
    keep(assembly, (ossa_extra){.key = key, .number_count = 1, .numbers = numbers});
}

void ossa__keep_text(struct ossa__assembly *assembly, const char *key, const char *text)
{
    size_t size = strlen(text);
    if (!ossa__utf8_is_valid(text, size)) return;
    const char *copy = ossa__copy_text(assembly, text, size);
    if (copy != NULL) keep(assembly, (ossa_extra){.key = key, .text = copy});
}

void ossa__keep_word(struct ossa__assembly *assembly, const char *key, const char *words,
                     unsigned number)
{
    char word[16];
    const char *at = words;
    if (number == 0) return;
    for (; number > 0 && at != NULL; number--) {
        at = strchr(at, ' ');
        if (at != NULL) at++;
    }
    size_t size = at == NULL ? sizeof word : strcspn(at, " ");
    if (size >= sizeof word) return; /* a caller's number that no word has */
    memcpy(word, at, size);
    word[size] = '\0';
    ossa__keep_text(assembly, key, word);
}

void ossa__keep_options(struct ossa__assembly *assembly)
{
    const ossa_scene_options *options = assembly->options;
    if (options->scale != 1.0) ossa__keep_number(assembly, "scale", options->scale);
    if (options->fps > 0.0) ossa__keep_number(assembly, "fps", options->fps);
    if (options->in_place) ossa__keep_number(assembly, "in_place", 1.0);
}

/* ---- back ---------------------------------------------------------------------------------- */

void ossa__option_set_start(struct ossa__option_set *set, struct ossa__context *context,
                            const ossa_scene_options *options)
{
    *set = (struct ossa__option_set){.context = context};
    if (options != NULL) set->scene = *options;
    if (set->scene.ei != NULL) set->ei = *set->scene.ei;
    if (set->scene.vib != NULL) set->vib = *set->scene.vib;
    set->scene.ei = &set->ei;
    set->scene.vib = &set->vib;
}

void ossa__set_option(struct ossa__option_set *set, const struct ossa__option_text *option)
{
    bool is_positive = option->text == NULL && option->number > 0.0 && option->number <= 1e6;
    if (!is_positive) return;
    if (strcmp(option->key, "scale") == 0 && set->scene.scale == 0.0) {
        set->scene.scale = option->number;
    } else if (strcmp(option->key, "fps") == 0 && set->scene.fps == 0.0) {
        set->scene.fps = option->number;
    } else if (strcmp(option->key, "in_place") == 0) {
        set->scene.in_place = true;
    } else if (strcmp(option->key, "join") == 0) {
        set->scene.join = true;
    }
}

void ossa__set_word(const struct ossa__option_text *option, const char *key, const char *words,
                    unsigned *value)
{
    if (*value != 0 || option->text == NULL || strcmp(option->key, key) != 0) return;
    size_t size = strlen(option->text);
    for (unsigned number = 0;; number++) {
        size_t length = strcspn(words, " ");
        if (length == size && memcmp(words, option->text, size) == 0) *value = number;
        if (words[length] == '\0') return;
        words += length + 1;
    }
}
