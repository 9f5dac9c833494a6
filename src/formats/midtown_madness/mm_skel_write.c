/* SPDX-License-Identifier: MIT
 *
 * What a skeleton becomes: its text with the numbers that were changed, and JSON. */
#include "formats/midtown_madness/mm_skel.h"

#include "core/sort.h"
#include "core/text.h"
#include "formats/midtown_madness/mm_text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- write --------------------------------------------------------------------------------- */

/* A number that differs from the one in the text, and the place of that. */
struct edit {
    struct ossa__mm_token token;
    float value;
};

static bool edit_before(const void *a, const void *b, void *user)
{
    const struct edit *x = a;
    const struct edit *y = b;
    (void)user;
    return x->token.begin < y->token.begin;
}

/* Does the caller want another number there? Fails where the text has no place for it. */
static bool find_edit(struct ossa__context *context, const ossa_mm_skel *skel, uint32_t index,
                      unsigned axis, struct edit *edit)
{
    const ossa_mm_bone *bone = &skel->bones[index];
    float stated = 0.0F;
    uint32_t at = bone->offset_at[axis];
    edit->value = bone->offset[axis];
    edit->token = (struct ossa__mm_token){0, 0};
    if (at > 0 && at < skel->text_size) {
        edit->token = ossa__mm_next_token(skel->text, skel->text_size, at);
        if (!ossa__mm_parse_float(skel->text, edit->token, &stated)) edit->token.begin = 0;
    }
    if (ossa__bits_from_f32(edit->value) == ossa__bits_from_f32(stated)) return false;
    ossa__enter(context, "bones", index);
    if (edit->token.begin != at || at == 0) {
        ossa__fail_nowhere(context, OSSA_BAD_ARGUMENT, "offset",
                           "is changed, but the text has no number for it to replace");
    } else if (!isfinite(edit->value)) {
        ossa__fail_nowhere(context, OSSA_BAD_ARGUMENT, "offset",
                           "is not finite: text has no word for that");
    }
    ossa__leave(context);
    return !context->failed;
}

void ossa__skel_write(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_mm_skel *skel = contents;
    struct edit edit;
    uint64_t count = 0;
    for (uint32_t i = 0; i < skel->bone_count; i++) {
        for (unsigned k = 0; k < 3; k++) count += find_edit(context, skel, i, k, &edit) ? 1 : 0;
    }
    struct edit *edits = ossa__take(context, count, sizeof *edits);
    if (edits == NULL) return;
    uint64_t used = 0;
    for (uint32_t i = 0; i < skel->bone_count && used < count; i++) {
        for (unsigned k = 0; k < 3; k++) {
            if (find_edit(context, skel, i, k, &edit)) edits[used++] = edit;
        }
    }
    /* The order of bones is the order of the text, but for an offset that follows a child. */
    if (!ossa__sort(context, edits, (size_t)count, sizeof *edits, edit_before, NULL)) return;
    uint64_t at = 0;
    for (uint64_t i = 0; i < count; i++) {
        char number[OSSA__FLOAT_CAPACITY];
        if (edits[i].token.begin < at) {
            ossa__fail_nowhere(context, OSSA_BAD_ARGUMENT, "bones",
                               "two bones have their offset in the same place of the text");
            return;
        }
        ossa__float_text(edits[i].value, number);
        ossa__write_bytes(writer, skel->text + at, edits[i].token.begin - at);
        ossa__write_bytes(writer, number, strlen(number));
        at = edits[i].token.end;
    }
    ossa__write_bytes(writer, skel->text + at, skel->text_size - at);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

/* A byte is a character, U+0000 to U+00FF, so that any byte survives. */
static void dump_text(ossa_json *json, const char *bytes, size_t size)
{
    ossa_json_begin_text(json);
    for (size_t i = 0; i < size; i++) ossa_json_character(json, (uint8_t)bytes[i]);
    ossa_json_end_text(json);
}

void ossa__skel_dump_bones(ossa_json *json, const ossa_mm_skel *skel)
{
    ossa_json_key(json, "bones");
    ossa_json_begin_array(json);
    for (uint32_t i = 0; i < skel->bone_count; i++) {
        const ossa_mm_bone *bone = &skel->bones[i];
        ossa_json_begin_object(json);
        ossa_json_key(json, "name");
        dump_text(json, bone->name, bone->name_size);
        ossa_json_key(json, "parent");
        ossa_json_int(json, bone->parent);
        ossa_json_key(json, "offset");
        ossa_json_begin_row(json);
        for (unsigned k = 0; k < 3; k++) ossa_json_float(json, bone->offset[k]);
        ossa_json_end_array(json);
        ossa_json_end_object(json);
    }
    ossa_json_end_array(json);
}

void ossa__skel_dump(const void *contents, ossa_json *json)
{
    const ossa_mm_skel *skel = contents;
    ossa_json_key(json, "lines");
    ossa_json_begin_array(json);
    for (size_t begin = 0; begin <= skel->text_size;) {
        size_t left = skel->text_size - begin;
        const char *line = skel->text + begin;
        const char *feed = left == 0 ? NULL : memchr(line, '\n', left);
        size_t size = feed == NULL ? left : (size_t)(feed - line);
        dump_text(json, line, size);
        begin += size + 1; /* past the end after the last line, even when that is empty */
    }
    ossa_json_end_array(json);
    ossa__skel_dump_bones(json, skel);
}

/* The bytes of a line, where `bytes` has room for them; gives how many. */
static size_t build_line(const struct ossa__value *line, char *bytes)
{
    size_t length;
    size_t used = 0;
    const char *utf8 = ossa__value_text(line, &length);
    for (size_t i = 0; i < length;) {
        uint32_t character;
        i += ossa__utf8_decode(utf8 + i, length - i, &character);
        if (character > 0xff || character == '\n') {
            ossa__value_fail(line, "U+%04" PRIX32 " cannot stand in a line", character);
            return 0;
        }
        bytes[used++] = (char)character;
    }
    return used;
}

void *ossa__skel_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    (void)size;
    ossa__value_allow(data, "lines bones"); /* the bones follow from the lines */
    struct ossa__value lines = ossa__value_member(data, "lines");
    size_t count = ossa__value_length(&lines);
    uint64_t room = 0; /* never more bytes than in UTF-8 */
    for (size_t i = 0; i < count; i++) {
        struct ossa__value line = ossa__value_item(&lines, i);
        size_t length;
        (void)ossa__value_text(&line, &length);
        room += (uint64_t)length + 1;
    }
    ossa_mm_skel *skel = ossa__take(context, 1, sizeof *skel);
    char *text = ossa__take(context, room, 1);
    if (text == NULL) return NULL;
    size_t used = 0;
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value line = ossa__value_item(&lines, i);
        if (i > 0) text[used++] = '\n';
        used += build_line(&line, text + used);
    }
    *skel = (ossa_mm_skel){.text = text, .text_size = used};
    return skel;
}
