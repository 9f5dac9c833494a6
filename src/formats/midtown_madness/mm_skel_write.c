/* SPDX-License-Identifier: MIT
 *
 * What a skeleton becomes: its text with the numbers that were changed, and JSON. */
#include "formats/midtown_madness/mm_skel.h"

#include "base/json.h"
#include "formats/midtown_madness/mm_text.h"

#include <math.h>

/* ---- write --------------------------------------------------------------------------------- */

/* Does the caller want another number there? Fails where the text has no place for it. */
static bool find_edit(struct ossa__context *context, const ossa_mm_skel *skel, uint32_t index,
                      unsigned axis, struct ossa__mm_edit *edit)
{
    const ossa_mm_bone *bone = &skel->bones[index];
    float stated = 0.0F;
    float wanted = bone->offset[axis];
    uint32_t at = bone->offset_at[axis];
    edit->token = (struct ossa__mm_token){0, 0};
    if (at > 0 && at < skel->text_size) {
        edit->token = ossa__mm_next_token(skel->text, skel->text_size, at);
        if (!ossa__mm_parse_float(skel->text, edit->token, &stated)) edit->token.begin = 0;
    }
    if (ossa__bits_from_f32(wanted) == ossa__bits_from_f32(stated)) return false;
    ossa__enter(context, "bones", index);
    if (edit->token.begin != at || at == 0) {
        ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "offset",
                           "is changed, but the text has no number for it to replace");
    } else if (!isfinite(wanted)) {
        ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "offset",
                           "is not finite: text has no word for that");
    } else {
        ossa__float_text(wanted, edit->number);
    }
    ossa__leave(context);
    return !context->failed;
}

void ossa__skel_write(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_mm_skel *skel = contents;
    struct ossa__mm_edit edit;
    uint64_t count = 0;
    for (uint32_t i = 0; i < skel->bone_count; i++) {
        for (unsigned k = 0; k < 3; k++) count += find_edit(context, skel, i, k, &edit) ? 1 : 0;
    }
    struct ossa__mm_edit *edits = ossa__take(context, count, sizeof *edits);
    if (edits == NULL) return;
    uint64_t used = 0;
    for (uint32_t i = 0; i < skel->bone_count && used < count; i++) {
        for (unsigned k = 0; k < 3; k++) {
            if (find_edit(context, skel, i, k, &edit)) edits[used++] = edit;
        }
    }
    ossa__mm_write_edited(context, writer, skel->text, skel->text_size, edits, count, "bones");
}

/* ---- JSON ---------------------------------------------------------------------------------- */

void ossa__skel_dump_bones(struct ossa__json *json, const ossa_mm_skel *skel)
{
    ossa__json_key(json, "bones");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < skel->bone_count; i++) {
        const ossa_mm_bone *bone = &skel->bones[i];
        ossa__json_begin_object(json);
        ossa__json_key(json, "name");
        ossa__mm_dump_word(json, bone->name, bone->name_size);
        ossa__member_int(json, "parent", bone->parent);
        ossa__json_key(json, "offset");
        ossa__json_begin_row(json);
        for (unsigned k = 0; k < 3; k++) ossa__json_float(json, bone->offset[k]);
        ossa__json_end_array(json);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
}

void ossa__skel_dump(const void *contents, struct ossa__json *json)
{
    const ossa_mm_skel *skel = contents;
    ossa__mm_dump_lines(json, skel->text, skel->text_size);
    ossa__skel_dump_bones(json, skel);
}

void *ossa__skel_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    (void)size;
    ossa__value_allow(data, "lines bones"); /* the bones follow from the lines */
    ossa_mm_skel *skel = ossa__take(context, 1, sizeof *skel);
    size_t text_size;
    const char *text = ossa__mm_build_lines(context, data, &text_size);
    if (text == NULL) return NULL;
    *skel = (ossa_mm_skel){.text = text, .text_size = text_size};
    return skel;
}
