/* SPDX-License-Identifier: MIT
 *
 * What a text that is kept as it is becomes: the same text with other numbers, and JSON. */
#include "formats/midtown_madness/mm_text.h"

#include "codec/sort.h"

#include <inttypes.h>
#include <string.h>

/* ---- write --------------------------------------------------------------------------------- */

static bool edit_before(const void *a, const void *b, void *user)
{
    const struct ossa__mm_edit *x = a;
    const struct ossa__mm_edit *y = b;
    (void)user;
    return x->token.begin < y->token.begin;
}

void ossa__mm_write_edited(struct ossa__context *context, struct ossa__writer *writer,
                           const char *text, size_t size, struct ossa__mm_edit *edits,
                           uint64_t count, const char *field)
{
    if (!ossa__sort(context, edits, (size_t)count, sizeof *edits, edit_before, NULL)) return;
    uint64_t at = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (edits[i].token.begin < at) {
            ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, field,
                               "two of them change the same number of the text");
            return;
        }
        ossa__write_bytes(writer, text + at, edits[i].token.begin - at);
        ossa__write_bytes(writer, edits[i].number, strlen(edits[i].number));
        at = edits[i].token.end;
    }
    ossa__write_bytes(writer, text + at, size - at);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

void ossa__mm_dump_word(struct ossa__json *json, const char *bytes, size_t size)
{
    ossa__json_begin_text(json);
    for (size_t i = 0; i < size; i++) ossa__json_character(json, (uint8_t)bytes[i]);
    ossa__json_end_text(json);
}

void ossa__mm_dump_lines(struct ossa__json *json, const char *text, size_t size)
{
    ossa__json_key(json, "lines");
    ossa__json_begin_array(json);
    for (size_t begin = 0; begin <= size;) {
        size_t left = size - begin;
        const char *line = text + begin;
        const char *feed = left == 0 ? NULL : memchr(line, '\n', left);
        size_t length = feed == NULL ? left : (size_t)(feed - line);
        ossa__mm_dump_word(json, line, length);
        begin += length + 1; /* past the end after the last line, even when that is empty */
    }
    ossa__json_end_array(json);
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

const char *ossa__mm_build_lines(struct ossa__context *context, const struct ossa__value *data,
                                 size_t *size)
{
    struct ossa__value lines = ossa__value_member(data, "lines");
    size_t count = ossa__value_length(&lines);
    uint64_t room = 0; /* never more bytes than in UTF-8 */
    for (size_t i = 0; i < count; i++) {
        struct ossa__value line = ossa__value_item(&lines, i);
        size_t length;
        (void)ossa__value_text(&line, &length);
        room += (uint64_t)length + 1;
    }
    char *text = ossa__take(context, room, 1);
    *size = 0;
    if (text == NULL) return NULL;
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value line = ossa__value_item(&lines, i);
        if (i > 0) text[(*size)++] = '\n';
        *size += build_line(&line, text + *size);
    }
    return text;
}
