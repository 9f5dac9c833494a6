/* SPDX-License-Identifier: MIT
 *
 * Options that a scene was made with, on their way back. */
#ifndef OSSA_SCENE_OPTIONS_H
#define OSSA_SCENE_OPTIONS_H

#include "codec/context.h"
#include "ossa/games/evil_islands.h"
#include "ossa/games/vib_ribbon.h"
#include "ossa/scene.h"

/* The options of a caller, to be changed. */
struct ossa__option_set {
    struct ossa__context *context; /* what is needed lives in its arena */
    ossa_scene_options scene;      /* `ei` and `vib` are these: */
    ossa_ei_options ei;
    ossa_vib_options vib;
};

/* One of them, as a file states it. */
struct ossa__option_text {
    const char *key;
    const char *text; /* NULL: it is a number */
    double number;
};

void ossa__option_set_start(struct ossa__option_set *set, struct ossa__context *context,
                            const ossa_scene_options *options);
/* Set an option that all games have, unless the caller has given another value than the default.
 * What does not make sense is ignored: the file may be of any program. */
void ossa__set_option(struct ossa__option_set *set, const struct ossa__option_text *option);

/* For the games: set an enum that is the default, 0, if the option is `key` and its text one of the
 * words "a b c". */
void ossa__set_word(const struct ossa__option_text *option, const char *key, const char *words,
                    unsigned *value);

#endif
