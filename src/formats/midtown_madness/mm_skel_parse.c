/* SPDX-License-Identifier: MIT
 *
 * The text of an mm-skel, word by word: every byte of it becomes a field, be it only "syntax". */
#include "formats/midtown_madness/mm_skel.h"

#include "codec/reader.h"

#include <inttypes.h>

struct ossa__mm_shown ossa__skel_show_name(const ossa_mm_bone *bone)
{
    return ossa__mm_show(bone->name, bone->name_size);
}

struct parser {
    struct ossa__context *context;
    struct ossa__reader reader; /* what is before its position has been claimed as some field */
    const char *text;
    uint64_t size;
    struct ossa__mm_token token; /* the one to look at; empty at the end of the text */
    ossa_mm_bone *bones;         /* has room for every `bone` in the text */
    uint32_t count;
    int32_t open; /* the innermost bone that is not closed; -1 for none */
};

static bool is(const struct parser *parser, const char *word)
{
    return ossa__mm_is_word(parser->text, parser->token, word);
}

static bool at_end(const struct parser *parser)
{
    return parser->token.begin == parser->token.end;
}

/* Neither a brace nor the end. */
static bool at_word(const struct parser *parser)
{
    return !at_end(parser) && !is(parser, "{") && !is(parser, "}");
}

/* Pass over a token that is only syntax. */
static void advance(struct parser *parser)
{
    parser->token = ossa__mm_next_token(parser->text, parser->size, parser->token.end);
}

/* Everything up to `end` that is no field of its own: white space, comments, keywords, braces. */
static void claim_syntax(struct parser *parser, uint64_t end)
{
    uint64_t size = end - parser->reader.position;
    if (size > 0) (void)ossa__read_bytes(&parser->reader, "syntax", OSSA_FIELD_TYPE_TEXT, size);
}

/* The bytes from `begin` to `end` are a field of the bone at `index`, or of none. */
static void claim(struct parser *parser, int64_t index, const char *field, uint64_t begin,
                  uint64_t end)
{
    claim_syntax(parser, begin);
    if (index >= 0) ossa__enter(parser->context, "bones", (uint64_t)index);
    (void)ossa__read_bytes(&parser->reader, field, OSSA_FIELD_TYPE_TEXT, end - begin);
    if (index >= 0) ossa__leave(parser->context);
}

/* The token is not what must stand here: the end of it. */
static void refuse(struct parser *parser, int64_t index, const char *field, const char *expected)
{
    uint64_t at = parser->token.begin;
    if (index >= 0) ossa__enter(parser->context, "bones", (uint64_t)index);
    if (at_end(parser)) {
        ossa__fail(parser->context, OSSA_CODE_TRUNCATED, at, field, "the text ends, expected %s",
                   expected);
    } else {
        ossa__fail(parser->context, OSSA_CODE_BAD_VALUE, at, field, "found '%s', expected %s",
                   ossa__mm_show(parser->text + at, parser->token.end - at).text, expected);
    }
    if (index >= 0) ossa__leave(parser->context);
}

/* Pass over words that belong to no rule, up to a brace or one of two keywords, as one field. */
static uint32_t skip_words(struct parser *parser, int64_t index, const char *field,
                           const char *keyword, const char *other)
{
    uint64_t begin = parser->token.begin;
    uint64_t end;
    uint32_t count = 0;
    do {
        end = parser->token.end;
        count++;
        advance(parser);
    } while (at_word(parser) && !is(parser, keyword) && !is(parser, other));
    claim(parser, index, field, begin, end);
    return count;
}

/* Gives where the number of bones stands. */
static uint64_t read_header(struct parser *parser, ossa_mm_skel *skel)
{
    struct ossa__mm_token first = parser->token;
    bool has_preamble = at_word(parser) && !is(parser, "NumBones") && !is(parser, "bone");
    while (at_word(parser) && !is(parser, "NumBones") && !is(parser, "bone")) advance(parser);
    if (!is(parser, "NumBones")) {
        parser->token = first;
        refuse(parser, -1, "num_bones", "NumBones");
        return 0;
    }
    if (has_preamble) {
        parser->token = first;
        uint32_t count = skip_words(parser, -1, "preamble", "NumBones", "bone");
        ossa__issue(parser->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, first.begin,
                    "preamble",
                    "'%s' stands before NumBones (%" PRIu32 " words in all), expected nothing",
                    ossa__mm_show(parser->text + first.begin, first.end - first.begin).text, count);
    }
    advance(parser);
    uint64_t at = parser->token.begin;
    if (!ossa__mm_parse_u32(parser->text, parser->token, &skel->declared_bones)) {
        refuse(parser, -1, "num_bones", "a whole number");
        return at;
    }
    claim(parser, -1, "num_bones", at, parser->token.end);
    advance(parser);
    return at;
}

/* From `bone` to its opening brace. */
static void open_bone(struct parser *parser)
{
    uint32_t index = parser->count;
    if (!is(parser, "bone")) {
        refuse(parser, index, "", "bone");
        return;
    }
    advance(parser);
    if (!at_word(parser)) {
        refuse(parser, index, "name", "a name");
        return;
    }
    uint64_t at = parser->token.begin;
    uint64_t size = parser->token.end - at;
    ossa_mm_bone *bone = &parser->bones[index];
    *bone = (ossa_mm_bone){.name = parser->text + at,
                           .name_size = (uint32_t)size,
                           .parent = parser->open,
                           .depth = parser->open < 0 ? 0 : parser->bones[parser->open].depth + 1};
    claim(parser, index, "name", at, at + size);
    advance(parser);
    if (!is(parser, "{")) {
        refuse(parser, index, "", "'{'");
        return;
    }
    advance(parser);
    parser->open = (int32_t)index;
    parser->count++;
}

static uint64_t place_of_name(const struct parser *parser, uint32_t index)
{
    return (uint64_t)(parser->bones[index].name - parser->text);
}

static void close_bone(struct parser *parser)
{
    uint32_t index = (uint32_t)parser->open;
    const ossa_mm_bone *bone = &parser->bones[index];
    ossa__enter(parser->context, "bones", index);
    if (bone->offset_at[0] == 0) {
        ossa__issue(parser->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                    place_of_name(parser, index), "offset",
                    "'%s' has no offset, it is taken for 0 0 0", ossa__skel_show_name(bone).text);
    }
    ossa__leave(parser->context);
    advance(parser);
    parser->open = bone->parent;
}

static void read_offset(struct parser *parser)
{
    static const char *const fields[] = {"offset[0]", "offset[1]", "offset[2]"};
    int32_t index = parser->open;
    ossa_mm_bone *bone = &parser->bones[index];
    if (parser->count > (uint32_t)index + 1) {
        ossa__enter(parser->context, "bones", (uint64_t)index);
        ossa__issue(parser->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                    parser->token.begin, "offset",
                    "the offset of '%s' stands after a child of it, expected it before",
                    ossa__skel_show_name(bone).text);
        ossa__leave(parser->context);
    }
    advance(parser);
    for (unsigned i = 0; i < 3; i++) {
        uint64_t at = parser->token.begin;
        if (!ossa__mm_parse_float(parser->text, parser->token, &bone->offset[i])) {
            refuse(parser, index, fields[i], "a number that a 32-bit float can hold");
            return;
        }
        bone->offset_at[i] = (uint32_t)at;
        claim(parser, index, fields[i], at, parser->token.end);
        advance(parser);
    }
}

static void read_extra(struct parser *parser)
{
    struct ossa__mm_token first = parser->token;
    int32_t index = parser->open;
    uint32_t count = skip_words(parser, index, "extra", "offset", "bone");
    ossa__enter(parser->context, "bones", (uint64_t)index);
    ossa__issue(
        parser->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, first.begin, "extra",
        "'%s' in the bone '%s' (%" PRIu32 " words in all), expected one offset and then bones",
        ossa__mm_show(parser->text + first.begin, first.end - first.begin).text,
        ossa__skel_show_name(&parser->bones[index]).text, count);
    ossa__leave(parser->context);
}

/* What may stand outside of all bones, once there is one: nothing. */
static void read_rest(struct parser *parser)
{
    uint64_t at = parser->token.begin;
    if (is(parser, "bone")) {
        ossa__enter(parser->context, "bones", parser->count);
        ossa__issue(parser->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ROOT, at, "",
                    "another bone outside of '%s', expected only one root",
                    ossa__skel_show_name(&parser->bones[0]).text);
        ossa__leave(parser->context);
        open_bone(parser);
        return;
    }
    ossa__issue(parser->context, OSSA_SEVERITY_ERROR, OSSA_CODE_TRAILING_BYTES, at, "tail",
                "'%s' after the last bone, expected the end of the text",
                ossa__mm_show(parser->text + at, parser->token.end - at).text);
    claim(parser, -1, "tail", at, parser->size);
    parser->token = (struct ossa__mm_token){parser->size, parser->size};
}

/* The tree, without recursion: a hostile file nests as deep as it likes, and the way back up is
 * in the bones themselves. Every turn uses up a token or fails. */
static void read_bones(struct parser *parser)
{
    open_bone(parser);
    while (!parser->context->failed) {
        if (parser->open < 0) {
            if (at_end(parser)) break;
            read_rest(parser);
        } else if (is(parser, "}")) {
            close_bone(parser);
        } else if (is(parser, "bone")) {
            open_bone(parser);
        } else if (is(parser, "offset") && parser->bones[parser->open].offset_at[0] == 0) {
            read_offset(parser);
        } else if (at_word(parser)) {
            read_extra(parser);
        } else {
            refuse(parser, parser->open, "", "offset, bone or '}'");
        }
    }
    if (!parser->context->failed) claim_syntax(parser, parser->size);
}

/* How often `bone` stands in the text: at least as often as there are bones. */
static uint64_t count_bones(const char *text, uint64_t size)
{
    uint64_t count = 0;
    struct ossa__mm_token token = ossa__mm_next_token(text, size, 0);
    for (; token.begin < token.end; token = ossa__mm_next_token(text, size, token.end))
        count += ossa__mm_is_word(text, token, "bone") ? 1 : 0;
    return count;
}

ossa_mm_bone *ossa__skel_parse(struct ossa__context *context, ossa_mm_skel *skel,
                               uint64_t *number_at)
{
    struct parser parser = {
        .context = context, .text = skel->text, .size = skel->text_size, .open = -1};
    ossa__reader_init(&parser.reader, context, (const uint8_t *)skel->text, skel->text_size);
    parser.bones =
        ossa__take(context, count_bones(skel->text, skel->text_size), sizeof *parser.bones);
    if (parser.bones == NULL) return NULL;
    advance(&parser);
    *number_at = read_header(&parser, skel);
    if (!context->failed) read_bones(&parser);
    skel->bones = parser.bones;
    skel->bone_count = parser.count;
    return parser.bones;
}
