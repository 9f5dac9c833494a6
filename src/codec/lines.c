/* SPDX-License-Identifier: MIT */
#include "codec/lines.h"

#include "base/text.h"

#include <inttypes.h>
#include <string.h>

struct ossa__piece ossa__show_piece(const char *bytes, uint64_t size)
{
    struct ossa__piece shown;
    size_t used = 0;
    for (uint64_t i = 0; i < size; i++) {
        uint8_t byte = (uint8_t)bytes[i];
        bool is_control = byte < 0x20 || (byte >= 0x7f && byte < 0xa0);
        if (used + 2 + sizeof "..." > sizeof shown.text) {
            memcpy(shown.text + used, "...", 3);
            used += 3;
            break;
        }
        used += ossa__utf8_encode(is_control ? '?' : byte, shown.text + used);
    }
    shown.text[used] = '\0';
    return shown;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

void ossa__dump_latin(struct ossa__json *json, const char *bytes, size_t size)
{
    ossa__json_begin_text(json);
    for (size_t i = 0; i < size; i++) ossa__json_character(json, (uint8_t)bytes[i]);
    ossa__json_end_text(json);
}

void ossa__dump_lines(struct ossa__json *json, const char *text, size_t size)
{
    ossa__json_key(json, "lines");
    ossa__json_begin_array(json);
    for (size_t begin = 0; begin <= size;) {
        size_t left = size - begin;
        const char *line = text + begin;
        const char *feed = left == 0 ? NULL : memchr(line, '\n', left);
        size_t length = feed == NULL ? left : (size_t)(feed - line);
        ossa__dump_latin(json, line, length);
        begin += length + 1; /* past the end after the last line, even when that is empty */
    }
    ossa__json_end_array(json);
}

const char *ossa__build_latin(const struct ossa__value *value, uint32_t most, uint32_t *size)
{
    size_t length;
    const char *utf8 = ossa__value_text(value, &length);
    char *bytes = ossa__take(value->context, length, 1);
    *size = 0;
    for (size_t i = 0; i < length && bytes != NULL;) {
        uint32_t character;
        i += ossa__utf8_decode(utf8 + i, length - i, &character);
        if (character > 0xff || *size == most) {
            ossa__value_fail(value, "is not a text of at most %" PRIu32 " 8-bit characters", most);
            return NULL;
        }
        bytes[(*size)++] = (char)character;
    }
    return bytes;
}

/* Store the bytes of a line in `bytes`, which has room for them, and return how many. */
static size_t build_line(const struct ossa__value *line, char *bytes)
{
    size_t length;
    size_t used = 0;
    const char *utf8 = ossa__value_text(line, &length);
    for (size_t i = 0; i < length;) {
        uint32_t character;
        i += ossa__utf8_decode(utf8 + i, length - i, &character);
        if (character > 0xff || character == '\n') {
            ossa__value_fail(line, "a line cannot contain U+%04" PRIX32, character);
            return 0;
        }
        bytes[used++] = (char)character;
    }
    return used;
}

const char *ossa__build_lines(struct ossa__context *context, const struct ossa__value *data,
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
