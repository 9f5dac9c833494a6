/* SPDX-License-Identifier: MIT */
#include "formats/midtown_madness/mm_words.h"

#include "ossa/games/midtown_madness.h"

void ossa__words_start(struct ossa__words *words, struct ossa__context *context,
                       const uint8_t *data, uint64_t size)
{
    *words = (struct ossa__words){.context = context, .text = (const char *)data, .size = size};
    ossa__reader_init(&words->reader, context, data, size);
    words->token = ossa__mm_next_token(words->text, size, 0);
}

bool ossa__words_at_end(const struct ossa__words *words)
{
    return words->token.begin == words->token.end;
}

bool ossa__words_is(const struct ossa__words *words, const char *word)
{
    return ossa__mm_is_word(words->text, words->token, word);
}

bool ossa__words_compare_key(const struct ossa__words *words, const char *word)
{
    struct ossa__mm_token token = words->token;
    if (token.end > token.begin + 1 && words->text[token.end - 1] == ':') token.end--;
    return ossa__mm_is_word(words->text, token, word);
}

bool ossa__words_at_brace(const struct ossa__words *words)
{
    return ossa__words_is(words, "{") || ossa__words_is(words, "}");
}

bool ossa__words_at_word(const struct ossa__words *words)
{
    return !ossa__words_at_end(words) && !ossa__words_at_brace(words);
}

bool ossa__words_at_number(const struct ossa__words *words)
{
    uint64_t at = words->token.begin;
    if (at < words->token.end && (words->text[at] == '-' || words->text[at] == '+')) at++;
    return at < words->token.end && words->text[at] >= '0' && words->text[at] <= '9';
}

void ossa__words_advance(struct ossa__words *words)
{
    words->token = ossa__mm_next_token(words->text, words->size, words->token.end);
}

static void claim_syntax(struct ossa__words *words, uint64_t end)
{
    uint64_t size = end - words->reader.position;
    if (size == 0) return;
    /* The syntax around a field does not belong to the list that the field is in. */
    unsigned depth = words->context->depth;
    words->context->depth = 0;
    (void)ossa__read_bytes(&words->reader, "syntax", OSSA_FIELD_TYPE_TEXT, size);
    words->context->depth = depth;
}

void ossa__words_take(struct ossa__words *words, const char *field)
{
    claim_syntax(words, words->token.begin);
    (void)ossa__read_bytes(&words->reader, field, OSSA_FIELD_TYPE_TEXT,
                           words->token.end - words->token.begin);
    ossa__words_advance(words);
}

void ossa__words_finish(struct ossa__words *words)
{
    if (!words->context->failed) claim_syntax(words, words->size);
}

bool ossa__words_refuse(struct ossa__words *words, const char *field, const char *expected)
{
    uint64_t at = words->token.begin;
    if (ossa__words_at_end(words)) {
        return ossa__fail(words->context, OSSA_CODE_TRUNCATED, at, field,
                          "the text ends, expected %s", expected);
    }
    return ossa__fail(words->context, OSSA_CODE_BAD_VALUE, at, field, "found '%s', expected %s",
                      ossa__show_piece(words->text + at, words->token.end - at).text, expected);
}

bool ossa__words_open(struct ossa__words *words)
{
    if (!ossa__words_is(words, "{")) return ossa__words_refuse(words, "", "'{'");
    ossa__words_advance(words);
    return true;
}

bool ossa__words_read_count(struct ossa__words *words, const char *field, uint32_t *value)
{
    if (!ossa__mm_parse_u32(words->text, words->token, value)) {
        return ossa__words_refuse(words, field, "a whole number");
    }
    ossa__words_take(words, field);
    return true;
}

bool ossa__words_read_index(struct ossa__words *words, const char *field, int32_t *value)
{
    if (!ossa__mm_parse_i32(words->text, words->token, value) || *value < -1) {
        return ossa__words_refuse(words, field, "a whole number, -1 or greater");
    }
    ossa__words_take(words, field);
    return true;
}

bool ossa__words_read_floats(struct ossa__words *words, const char *const *fields, unsigned count,
                             float *values)
{
    for (unsigned i = 0; i < count; i++) {
        if (!ossa__mm_parse_float(words->text, words->token, &values[i])) {
            return ossa__words_refuse(words, fields[i], "a number that fits in a 32-bit float");
        }
        ossa__words_take(words, fields[i]);
    }
    return true;
}

/* The offset of `wanted` on the rest of the line, or the end of the line. */
static uint64_t find_on_line(const struct ossa__words *words, uint64_t at, char wanted)
{
    while (at < words->size && words->text[at] != wanted && words->text[at] != '\n' &&
           words->text[at] != '\r') {
        at++;
    }
    return at;
}

/* Take everything up to `end` as a field; the name excludes its quotes. */
static void take_name(struct ossa__words *words, const char *field, uint64_t end, const char **name,
                      uint32_t *size)
{
    struct ossa__mm_token token = {words->token.begin, end};
    words->token.end = end;
    ossa__words_take(words, field);
    if (token.end - token.begin >= 2 && words->text[token.begin] == '"' &&
        words->text[token.end - 1] == '"') {
        token.begin++;
        token.end--;
    }
    *name = words->text + token.begin;
    *size = (uint32_t)(token.end - token.begin);
}

bool ossa__words_read_name(struct ossa__words *words, const char *field, const char **name,
                           uint32_t *size)
{
    uint64_t begin = words->token.begin;
    uint64_t end = words->token.end;
    if (!ossa__words_at_word(words)) return ossa__words_refuse(words, field, "a name");
    if (words->text[begin] == '"') {
        uint64_t quote = find_on_line(words, begin + 1, '"');
        if (quote < words->size && words->text[quote] == '"') end = quote + 1;
    }
    take_name(words, field, end, name, size);
    return true;
}

bool ossa__words_read_title(struct ossa__words *words, const char *field, const char **name,
                            uint32_t *size)
{
    uint64_t begin = words->token.begin;
    uint64_t end = words->token.end;
    if (!ossa__words_at_word(words)) return ossa__words_refuse(words, field, "a name");
    uint64_t brace = find_on_line(words, begin, '{');
    if (brace < words->size && words->text[brace] == '{') {
        end = brace;
        while (end > begin + 1 && (words->text[end - 1] == ' ' || words->text[end - 1] == '\t')) {
            end--;
        }
    }
    take_name(words, field, end, name, size);
    return true;
}

uint32_t ossa__words_skip(struct ossa__words *words, const char *field,
                          bool (*is_known)(const struct ossa__words *words))
{
    uint64_t begin = words->token.begin;
    uint64_t end;
    uint32_t count = 0;
    do {
        end = words->token.end;
        count++;
        ossa__words_advance(words);
    } while (ossa__words_at_word(words) && !is_known(words));
    words->token = (struct ossa__mm_token){begin, end};
    ossa__words_take(words, field);
    return count;
}
