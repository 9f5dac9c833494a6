/* SPDX-License-Identifier: MIT
 *
 * mm-skel: the skeleton of a Midtown Madness pedestrian, as text.
 *
 *     NumBones 2                      often wrong in the wild
 *     bone NAME {
 *         offset X Y Z                from the parent, in metres
 *         rotmin X Y Z                limits of the angles in radians, which may be missing:
 *         rotmax X Y Z                -pi and pi then
 *         bone NAME {                 any number of children, to any depth
 *             offset X Y Z
 *         }
 *     }
 *
 * Bones are numbered in the order they appear, which is the order of the angles in an animation.
 * Names need not differ: every pedestrian of the first game has two bones `spine`.
 * The text itself is kept, so that comments, spacing and the spelling of numbers survive; bones
 * point into it. The words that later versions add to a bone (`rotX`, `transY`, `rotZ lock`) are
 * kept; what they mean for an animation is only roughly known. */
#include "formats/midtown_madness/mm_words.h"

#include "base/json.h"
#include "codec/sort.h"
#include "formats/modules.h"
#include "ossa/games/midtown_madness.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
    NAME_LIMIT = 63,    /* characters that the game keeps */
    PREAMBLE_LIMIT = 4, /* words before NumBones that a probe looks past */
};

#define PI 3.14159265F

static struct ossa__piece show_name(const ossa_mm_bone *bone)
{
    return ossa__show_piece(bone->name, bone->name_size);
}

/* ---- probe --------------------------------------------------------------------------------- */

static ossa_confidence probe_skel(const uint8_t *data, uint64_t size)
{
    const char *text = (const char *)data;
    struct ossa__mm_token token = ossa__mm_next_token(text, size, 0);
    if (ossa__mm_is_word(text, token, "bone")) {
        struct ossa__mm_token name = ossa__mm_next_token(text, size, token.end);
        struct ossa__mm_token brace = ossa__mm_next_token(text, size, name.end);
        return ossa__mm_is_word(text, brace, "{") ? OSSA_CONFIDENCE_DAMAGED : OSSA_CONFIDENCE_NONE;
    }
    for (unsigned i = 0; i < PREAMBLE_LIMIT && !ossa__mm_is_word(text, token, "NumBones"); i++)
        token = ossa__mm_next_token(text, size, token.end);
    if (!ossa__mm_is_word(text, token, "NumBones")) return OSSA_CONFIDENCE_NONE;
    uint32_t count;
    struct ossa__mm_token number = ossa__mm_next_token(text, size, token.end);
    struct ossa__mm_token bone = ossa__mm_next_token(text, size, number.end);
    bool starts = ossa__mm_parse_u32(text, number, &count) && ossa__mm_is_word(text, bone, "bone");
    return starts ? OSSA_CONFIDENCE_SIGNATURE : OSSA_CONFIDENCE_DAMAGED;
}

static bool may_begin(const uint8_t *start, uint64_t size)
{
    const char *text = (const char *)start;
    struct ossa__mm_token token = {0, 0};
    (void)size;
    for (unsigned i = 0; i <= PREAMBLE_LIMIT; i++) {
        token = ossa__mm_next_token(text, OSSA__HEAD, token.end);
        if (token.end == OSSA__HEAD) return !ossa__mm_is_blank(text, OSSA__HEAD);
        bool is_first = i == 0 && ossa__mm_is_word(text, token, "bone");
        if (is_first || ossa__mm_is_word(text, token, "NumBones")) return true;
    }
    return false;
}

/* ---- parse --------------------------------------------------------------------------------- */

struct parser {
    struct ossa__words words;
    ossa_mm_bone *bones; /* has room for every `bone` in the text */
    uint32_t count;
    int32_t open; /* the innermost bone that is not closed; -1 for none */
};

/* Take the token as a field of a bone. */
static void take(struct parser *parser, uint32_t bone, const char *field)
{
    ossa__enter(parser->words.context, "bones", bone);
    ossa__words_take(&parser->words, field);
    ossa__leave(parser->words.context);
}

/* Fail because the token is not what is expected in that bone. */
static void refuse(struct parser *parser, uint32_t bone, const char *field, const char *expected)
{
    ossa__enter(parser->words.context, "bones", bone);
    (void)ossa__words_refuse(&parser->words, field, expected);
    ossa__leave(parser->words.context);
}

static struct ossa__piece show_token(const struct ossa__words *words, struct ossa__mm_token token)
{
    return ossa__show_piece(words->text + token.begin, token.end - token.begin);
}

static bool ends_preamble(const struct ossa__words *words)
{
    return ossa__words_is(words, "NumBones") || ossa__words_is(words, "bone");
}

/* Returns the offset of the number of bones. */
static uint64_t read_header(struct ossa__words *words, ossa_mm_skel *skel)
{
    struct ossa__mm_token first = words->token;
    bool has_preamble = ossa__words_at_word(words) && !ends_preamble(words);
    while (ossa__words_at_word(words) && !ends_preamble(words)) ossa__words_advance(words);
    bool has_number = ossa__words_is(words, "NumBones");
    words->token = first;
    if (!has_number) {
        (void)ossa__words_refuse(words, "num_bones", "NumBones");
        return 0;
    }
    if (has_preamble) {
        uint32_t count = ossa__words_skip(words, "preamble", ends_preamble);
        ossa__issue(words->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, first.begin,
                    "preamble", "'%s' before NumBones (%" PRIu32 " words in all), expected nothing",
                    show_token(words, first).text, count);
    }
    ossa__words_advance(words);
    uint64_t at = words->token.begin;
    (void)ossa__words_read_count(words, "num_bones", &skel->declared_bones);
    return at;
}

/* From `bone` to its opening brace. */
static void open_bone(struct parser *parser)
{
    struct ossa__words *words = &parser->words;
    uint32_t index = parser->count;
    if (!ossa__words_is(words, "bone")) {
        refuse(parser, index, "", "bone");
        return;
    }
    ossa__words_advance(words);
    if (!ossa__words_at_word(words)) {
        refuse(parser, index, "name", "a name");
        return;
    }
    parser->bones[index] =
        (ossa_mm_bone){.name = words->text + words->token.begin,
                       .name_size = (uint32_t)(words->token.end - words->token.begin),
                       .parent = parser->open,
                       .depth = parser->open < 0 ? 0 : parser->bones[parser->open].depth + 1,
                       .rotmin = {-PI, -PI, -PI},
                       .rotmax = {PI, PI, PI}};
    take(parser, index, "name");
    if (!ossa__words_is(words, "{")) {
        refuse(parser, index, "", "'{'");
        return;
    }
    ossa__words_advance(words);
    parser->open = (int32_t)index;
    parser->count++;
}

static void close_bone(struct parser *parser)
{
    struct ossa__words *words = &parser->words;
    uint32_t index = (uint32_t)parser->open;
    const ossa_mm_bone *bone = &parser->bones[index];
    ossa__enter(words->context, "bones", index);
    if (bone->offset_at[0] == 0) {
        ossa__issue(words->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                    (uint64_t)(bone->name - words->text), "offset",
                    "'%s' has no offset; 0 0 0 is assumed", show_name(bone).text);
    }
    ossa__leave(words->context);
    ossa__words_advance(words);
    parser->open = bone->parent;
}

/* What a bone has three numbers of. */
enum { OFFSET, ROTMIN, ROTMAX, VECTORS };
static const char *const vector_words[VECTORS] = {"offset", "rotmin", "rotmax"};

struct vector {
    float *values;
    uint32_t *at; /* 0: the text does not have it */
};

static struct vector vector_of(ossa_mm_bone *bone, unsigned kind)
{
    switch (kind) {
    case OFFSET: return (struct vector){bone->offset, bone->offset_at};
    case ROTMIN: return (struct vector){bone->rotmin, bone->rotmin_at};
    default: return (struct vector){bone->rotmax, bone->rotmax_at};
    }
}

static void read_vector(struct parser *parser, unsigned kind)
{
    static const char *const fields[VECTORS][3] = {{"offset[0]", "offset[1]", "offset[2]"},
                                                   {"rotmin[0]", "rotmin[1]", "rotmin[2]"},
                                                   {"rotmax[0]", "rotmax[1]", "rotmax[2]"}};
    struct ossa__words *words = &parser->words;
    uint32_t index = (uint32_t)parser->open;
    struct vector vector = vector_of(&parser->bones[index], kind);
    ossa__enter(words->context, "bones", index);
    if (kind == OFFSET && parser->count > index + 1) {
        ossa__issue(words->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                    words->token.begin, "offset",
                    "the offset of '%s' comes after one of its children, expected it before them",
                    show_name(&parser->bones[index]).text);
    }
    ossa__words_advance(words);
    bool ok = true;
    for (unsigned i = 0; i < 3 && ok; i++) {
        uint64_t at = words->token.begin;
        ok = ossa__words_read_floats(words, &fields[kind][i], 1, &vector.values[i]);
        if (ok) vector.at[i] = (uint32_t)at;
    }
    ossa__leave(words->context);
}

/* Which vector of the innermost bone begins here, if it has none yet; VECTORS: none does. */
static unsigned vector_here(const struct parser *parser)
{
    for (unsigned i = 0; i < VECTORS; i++) {
        if (!ossa__words_is(&parser->words, vector_words[i])) continue;
        return vector_of(&parser->bones[parser->open], i).at[0] == 0 ? i : VECTORS;
    }
    return VECTORS;
}

static bool ends_extra(const struct ossa__words *words)
{
    for (unsigned i = 0; i < VECTORS; i++) {
        if (ossa__words_is(words, vector_words[i])) return true;
    }
    return ossa__words_is(words, "bone");
}

static void read_extra(struct parser *parser)
{
    struct ossa__words *words = &parser->words;
    struct ossa__mm_token first = words->token;
    ossa__enter(words->context, "bones", (uint64_t)parser->open);
    uint32_t count = ossa__words_skip(words, "extra", ends_extra);
    ossa__issue(words->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, first.begin,
                "extra",
                "'%s' in bone '%s' (%" PRIu32 " words in all), expected one offset and then bones",
                show_token(words, first).text, show_name(&parser->bones[parser->open]).text, count);
    ossa__leave(words->context);
}

/* Nothing is allowed outside the root bone. */
static void read_rest(struct parser *parser)
{
    struct ossa__words *words = &parser->words;
    uint64_t at = words->token.begin;
    if (ossa__words_is(words, "bone")) {
        ossa__enter(words->context, "bones", parser->count);
        ossa__issue(words->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ROOT, at, "",
                    "another bone outside '%s', expected a single root",
                    show_name(&parser->bones[0]).text);
        ossa__leave(words->context);
        open_bone(parser);
        return;
    }
    ossa__issue(words->context, OSSA_SEVERITY_ERROR, OSSA_CODE_TRAILING_BYTES, at, "tail",
                "'%s' after the last bone, expected the end of the text",
                show_token(words, words->token).text);
    words->token.end = words->size;
    ossa__words_take(words, "tail");
}

/* The tree, without recursion: a hostile file may nest arbitrarily deep, and the bones know their
 * parents. Every iteration consumes a token or fails. */
static void read_bones(struct parser *parser)
{
    struct ossa__words *words = &parser->words;
    open_bone(parser);
    while (!words->context->failed) {
        if (parser->open < 0) {
            if (ossa__words_at_end(words)) break;
            read_rest(parser);
        } else if (ossa__words_is(words, "}")) {
            close_bone(parser);
        } else if (ossa__words_is(words, "bone")) {
            open_bone(parser);
        } else if (vector_here(parser) < VECTORS) {
            read_vector(parser, vector_here(parser));
        } else if (ossa__words_at_word(words)) {
            read_extra(parser);
        } else {
            refuse(parser, (uint32_t)parser->open, "", "offset, bone or '}'");
        }
    }
    ossa__words_finish(words);
}

/* How often `bone` occurs in the text: an upper bound for the number of bones. */
static uint64_t count_bones(const char *text, uint64_t size)
{
    uint64_t count = 0;
    struct ossa__mm_token token = ossa__mm_next_token(text, size, 0);
    for (; token.begin < token.end; token = ossa__mm_next_token(text, size, token.end))
        count += ossa__mm_is_word(text, token, "bone") ? 1 : 0;
    return count;
}

/* ---- read ---------------------------------------------------------------------------------- */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* Compare names, ignoring letter case. */
static int compare_names(const ossa_mm_bone *a, const ossa_mm_bone *b)
{
    uint32_t size = a->name_size < b->name_size ? a->name_size : b->name_size;
    for (uint32_t i = 0; i < size; i++) {
        int difference = (uint8_t)lower(a->name[i]) - (uint8_t)lower(b->name[i]);
        if (difference != 0) return difference;
    }
    return (a->name_size > b->name_size) - (a->name_size < b->name_size);
}

static bool name_before(const void *a, const void *b, void *user)
{
    const ossa_mm_bone *bones = user;
    const uint32_t *x = a;
    const uint32_t *y = b;
    return compare_names(&bones[*x], &bones[*y]) < 0;
}

/* Equal names are one remark: they are normal, and a hostile text has a million of them. */
static void remark_on_names(struct ossa__context *context, const ossa_mm_skel *skel,
                            const uint32_t *first)
{
    uint32_t repeated = 0;
    uint32_t shown = 0;
    for (uint32_t i = skel->bone_count; i-- > 0;) {
        if (first[i] == i) continue;
        repeated++;
        shown = i;
    }
    if (repeated == 0) return;
    const ossa_mm_bone *bone = &skel->bones[shown];
    ossa__enter(context, "bones", shown);
    ossa__issue(context, OSSA_SEVERITY_REMARK, OSSA_CODE_DUPLICATE_NAME,
                (uint64_t)(bone->name - skel->text), "name",
                "'%s' is also the name of bones[%" PRIu32 "] (letter case ignored; repeated names "
                "in all: %" PRIu32 "); animations go by the number of a bone",
                show_name(bone).text, first[shown], repeated);
    ossa__leave(context);
}

static void check_names(struct ossa__context *context, const ossa_mm_skel *skel,
                        ossa_mm_bone *bones)
{
    uint32_t count = skel->bone_count;
    uint32_t *sorted = ossa__take(context, count, sizeof *sorted);
    uint32_t *first = ossa__take(context, count, sizeof *first); /* bone of the same name */
    if (first == NULL) return;
    for (uint32_t i = 0; i < count; i++) sorted[i] = i;
    if (!ossa__sort(context, sorted, count, sizeof *sorted, name_before, bones)) return;
    for (uint32_t i = 0; i < count; i++) {
        bool same = i > 0 && compare_names(&bones[sorted[i - 1]], &bones[sorted[i]]) == 0;
        first[sorted[i]] = same ? first[sorted[i - 1]] : sorted[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        if (bones[i].name_size <= NAME_LIMIT) continue;
        ossa__enter(context, "bones", i);
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                    (uint64_t)(bones[i].name - skel->text), "name",
                    "%" PRIu32 " characters, but the game keeps only %d", bones[i].name_size,
                    NAME_LIMIT);
        ossa__leave(context);
    }
    remark_on_names(context, skel, first);
}

static void *read_skel(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    if (size > UINT32_MAX) {
        ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "",
                           "%" PRIu64 " bytes are more than a text file can have (4 GiB)", size);
        return NULL;
    }
    ossa_mm_skel *skel = ossa__take(context, 1, sizeof *skel);
    if (skel == NULL) return NULL;
    *skel = (ossa_mm_skel){.text = (const char *)data, .text_size = (size_t)size};
    struct parser parser = {.open = -1};
    ossa__words_start(&parser.words, context, data, size);
    parser.bones = ossa__take(context, count_bones(skel->text, size), sizeof *parser.bones);
    if (parser.bones == NULL) return NULL;
    uint64_t number_at = read_header(&parser.words, skel);
    if (!context->failed) read_bones(&parser);
    if (context->failed) return NULL;
    skel->bones = parser.bones;
    skel->bone_count = parser.count;
    if (skel->declared_bones != skel->bone_count) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, number_at, "num_bones",
                    "says %" PRIu32 ", but there are %" PRIu32, skel->declared_bones,
                    skel->bone_count);
    }
    check_names(context, skel, parser.bones);
    return skel;
}

/* ---- write --------------------------------------------------------------------------------- */

enum { NUMBERS = 3 * VECTORS }; /* of a bone */

/* Did the caller change this number? Fails if the text has no number to replace. */
static bool find_edit(struct ossa__context *context, const ossa_mm_skel *skel, uint32_t index,
                      unsigned number, struct ossa__mm_edit *edit)
{
    ossa_mm_bone bone = skel->bones[index];
    unsigned kind = number / 3;
    struct vector vector = vector_of(&bone, kind);
    float stated = kind == OFFSET ? 0.0F : kind == ROTMIN ? -PI : PI;
    float wanted = vector.values[number % 3];
    uint32_t at = vector.at[number % 3];
    edit->token = (struct ossa__mm_token){0, 0};
    if (at > 0 && at < skel->text_size) {
        edit->token = ossa__mm_next_token(skel->text, skel->text_size, at);
        if (!ossa__mm_parse_float(skel->text, edit->token, &stated)) edit->token.begin = 0;
    }
    if (ossa__bits_from_f32(wanted) == ossa__bits_from_f32(stated)) return false;
    ossa__enter(context, "bones", index);
    if (edit->token.begin != at || at == 0) {
        ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, vector_words[kind],
                           "was changed, but the text has no number to replace");
    } else if (!isfinite(wanted)) {
        ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, vector_words[kind],
                           "is not finite, which cannot be written as text");
    } else {
        *ossa__float_text(wanted, edit->number) = '\0';
    }
    ossa__leave(context);
    return !context->failed;
}

static void write_skel(struct ossa__context *context, const void *contents,
                       struct ossa__writer *writer)
{
    const ossa_mm_skel *skel = contents;
    struct ossa__mm_edit edit;
    uint64_t count = 0;
    for (uint32_t i = 0; i < skel->bone_count; i++) {
        for (unsigned k = 0; k < NUMBERS; k++)
            count += find_edit(context, skel, i, k, &edit) ? 1 : 0;
    }
    struct ossa__mm_edit *edits = ossa__take(context, count, sizeof *edits);
    if (edits == NULL) return;
    uint64_t used = 0;
    for (uint32_t i = 0; i < skel->bone_count && used < count; i++) {
        for (unsigned k = 0; k < NUMBERS; k++) {
            if (find_edit(context, skel, i, k, &edit)) edits[used++] = edit;
        }
    }
    ossa__mm_write_edited(context, writer, skel->text, skel->text_size, edits, count, "bones");
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_bones(struct ossa__json *json, const ossa_mm_skel *skel)
{
    ossa__json_key(json, "bones");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < skel->bone_count; i++) {
        const ossa_mm_bone *bone = &skel->bones[i];
        ossa__json_begin_object(json);
        ossa__json_key(json, "name");
        ossa__dump_latin(json, bone->name, bone->name_size);
        ossa__member_int(json, "parent", bone->parent);
        ossa__member_floats(json, "offset", bone->offset, 3);
        if (bone->rotmin_at[0] != 0) ossa__member_floats(json, "rotmin", bone->rotmin, 3);
        if (bone->rotmax_at[0] != 0) ossa__member_floats(json, "rotmax", bone->rotmax, 3);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
}

static void dump_skel(const void *contents, struct ossa__json *json)
{
    const ossa_mm_skel *skel = contents;
    ossa__dump_lines(json, skel->text, skel->text_size);
    dump_bones(json, skel);
}

static void *build_skel(struct ossa__context *context, const struct ossa__value *data,
                        uint64_t size)
{
    (void)size;
    ossa__value_allow(data, "lines bones"); /* the bones follow from the lines */
    ossa_mm_skel *skel = ossa__take(context, 1, sizeof *skel);
    size_t text_size;
    const char *text = ossa__build_lines(context, data, &text_size);
    if (text == NULL) return NULL;
    *skel = (ossa_mm_skel){.text = text, .text_size = text_size};
    return skel;
}

/* ---- describe ------------------------------------------------------------------------------ */

static void list_bones(struct ossa__report *report, const ossa_mm_skel *skel)
{
    static const struct ossa__column columns[] = {{"bone", "bone", 5},    {"parent", "parent", 6},
                                                  {"name", " name", -28}, {"x", "x", 10},
                                                  {"y", "y", 10},         {"z", "z", 10}};
    enum { INDENT = 2, DEEPEST = 8 }; /* deeper bones are not indented further */
    ossa__report_begin_table(report, "bones", columns, 6);
    for (uint32_t i = 0; i < skel->bone_count; i++) {
        const ossa_mm_bone *bone = &skel->bones[i];
        char name[1 + INDENT * DEEPEST + OSSA__PIECE_CAPACITY];
        size_t indent = 1 + INDENT * (size_t)(bone->depth < DEEPEST ? bone->depth : DEEPEST);
        memset(name, ' ', indent);
        struct ossa__piece shown = show_name(bone);
        memcpy(name + indent, shown.text, sizeof shown.text);
        ossa__report_begin_row(report);
        ossa__report_cell_integer(report, &columns[0], i);
        ossa__report_cell_integer(report, &columns[1], bone->parent);
        ossa__report_cell_text(report, &columns[2], name);
        for (unsigned k = 0; k < 3; k++)
            ossa__report_cell_number(report, &columns[3 + k], (double)bone->offset[k]);
        ossa__report_end_row(report);
    }
    ossa__report_end_table(report);
}

/* The bones whose angles have limits. */
static void list_limits(struct ossa__report *report, const ossa_mm_skel *skel)
{
    static const struct ossa__column columns[] = {
        {"bone", "bone", 5},     {"name", " limits of", -28}, {"x_min", "x from", 10},
        {"x_max", "to", 10},     {"y_min", "y from", 10},     {"y_max", "to", 10},
        {"z_min", "z from", 10}, {"z_max", "to", 10}};
    bool has_any = false;
    for (uint32_t i = 0; i < skel->bone_count && !has_any; i++) {
        has_any = skel->bones[i].rotmin_at[0] != 0 || skel->bones[i].rotmax_at[0] != 0;
    }
    if (!has_any) return;
    ossa__report_begin_table(report, "limits", columns, 8);
    for (uint32_t i = 0; i < skel->bone_count; i++) {
        const ossa_mm_bone *bone = &skel->bones[i];
        if (bone->rotmin_at[0] == 0 && bone->rotmax_at[0] == 0) continue;
        char name[1 + OSSA__PIECE_CAPACITY] = " ";
        struct ossa__piece shown = show_name(bone);
        memcpy(name + 1, shown.text, sizeof shown.text);
        ossa__report_begin_row(report);
        ossa__report_cell_integer(report, &columns[0], i);
        ossa__report_cell_text(report, &columns[1], name);
        for (unsigned k = 0; k < 3; k++) {
            ossa__report_cell_number(report, &columns[2 + 2 * k], (double)bone->rotmin[k]);
            ossa__report_cell_number(report, &columns[3 + 2 * k], (double)bone->rotmax[k]);
        }
        ossa__report_end_row(report);
    }
    ossa__report_end_table(report);
}

static void describe_skel(const void *contents, struct ossa__report *report)
{
    const ossa_mm_skel *skel = contents;
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < skel->bone_count; i++) {
        if (skel->bones[i].depth >= deepest) deepest = skel->bones[i].depth + 1;
    }
    ossa__report_integer(report, "num_bones", "bones", skel->bone_count);
    ossa__report_integer(report, "declared_bones", "NumBones says", skel->declared_bones);
    ossa__report_integer(report, "depth", "depth", deepest);
    if (report->json != NULL) {
        dump_bones(report->json, skel);
    } else {
        list_bones(report, skel);
        list_limits(report, skel);
    }
}

ossa_mm_skel *ossa_as_mm_skel(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_mm_skel);
}

static const char *const signs[] = {"NumBones", "{", NULL};

const struct ossa__format ossa__format_mm_skel = {
    .about = {.id = "mm-skel",
              .title = "Midtown Madness skeleton",
              .game = "Midtown Madness 1 and 2 (1999, 2000)",
              .extensions = "skel",
              .kind = OSSA_KIND_SKELETON},
    .game = &ossa__game_midtown_madness,
    .role = OSSA__ROLE_BODY,
    .is_text = true,
    .signs = signs,
    .probe = probe_skel,
    .may_begin = may_begin,
    .read = read_skel,
    .write = write_skel,
    .dump = dump_skel,
    .build = OSSA__BUILT_BY(build_skel),
    .describe = describe_skel,
};
