/* SPDX-License-Identifier: MIT
 *
 * The options of Evil Islands that a scene keeps, spelled as the tool has them. The texture is not
 * among them: it moves nothing. */
#include "formats/evil_islands/game.h"

#include "base/number_text.h"

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

void ossa__ei_keep_options(struct ossa__assembly *assembly)
{
    const ossa_ei_options *ei = ossa__ei_options(assembly);
    if (ossa__ei_has_complexion(ei)) keep_complexion(assembly, ei->complexion);
    ossa__keep_word(assembly, "root", "b+t t b", ei->root);
    if (ei->resample > 1) ossa__keep_number(assembly, "resample", ei->resample);
    if (ei->part_count > 0) keep_parts(assembly, ei->parts, ei->part_count);
    ossa__keep_word(assembly, "morph", "all clip none", ei->morphing);
    ossa__keep_word(assembly, "look", "game y z up", ei->look);
}
