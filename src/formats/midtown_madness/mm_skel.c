/* SPDX-License-Identifier: MIT
 *
 * mm-skel: the skeleton of a Midtown Madness pedestrian, as text.
 *
 *     NumBones 2                      often wrong in the wild
 *     bone NAME {
 *         offset X Y Z                from the parent, in metres
 *         bone NAME {                 any number of children, to any depth
 *             offset X Y Z
 *         }
 *     }
 *
 * Bones are numbered in the order they appear, which is the order of the angles in an animation.
 * The text itself is kept, so that comments, spacing and the spelling of numbers survive; bones
 * refer to places in it. What the words that later versions add to a bone (`rotX`, `transY`,
 * `rotZ lock`) ask of an animation is known only roughly: they are kept. */
#include "formats/midtown_madness/mm_skel.h"

#include "codec/sort.h"
#include "formats/modules.h"

#include <inttypes.h>
#include <string.h>

enum {
    NAME_LIMIT = 63,    /* characters that the game keeps */
    PREAMBLE_LIMIT = 4, /* words before NumBones that a probe looks past */
};

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

/* ---- read ---------------------------------------------------------------------------------- */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* Order of names without regard to the case of letters. */
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

static void check_names(struct ossa__context *context, const ossa_mm_skel *skel,
                        ossa_mm_bone *bones)
{
    uint32_t count = skel->bone_count;
    uint32_t *sorted = ossa__take(context, count, sizeof *sorted);
    uint32_t *first = ossa__take(context, count, sizeof *first); /* of the bones named alike */
    if (first == NULL) return;
    for (uint32_t i = 0; i < count; i++) sorted[i] = i;
    if (!ossa__sort(context, sorted, count, sizeof *sorted, name_before, bones)) return;
    for (uint32_t i = 0; i < count; i++) {
        bool same = i > 0 && compare_names(&bones[sorted[i - 1]], &bones[sorted[i]]) == 0;
        first[sorted[i]] = same ? first[sorted[i - 1]] : sorted[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        const ossa_mm_bone *bone = &bones[i];
        uint64_t at = (uint64_t)(bone->name - skel->text);
        ossa__enter(context, "bones", i);
        if (bone->name_size > NAME_LIMIT) {
            ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, at, "name",
                        "%" PRIu32 " characters, the game keeps %d", bone->name_size, NAME_LIMIT);
        }
        if (first[i] != i) {
            ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_DUPLICATE_NAME, at, "name",
                        "'%s' was named before, by bones[%" PRIu32 "] (letter case ignored)",
                        ossa__skel_show_name(bone).text, first[i]);
        }
        ossa__leave(context);
    }
}

static void *read_skel(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    if (size > UINT32_MAX) {
        ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "",
                           "%" PRIu64 " bytes are too many for a text", size);
        return NULL;
    }
    ossa_mm_skel *skel = ossa__take(context, 1, sizeof *skel);
    if (skel == NULL) return NULL;
    *skel = (ossa_mm_skel){.text = (const char *)data, .text_size = (size_t)size};
    uint64_t number_at = 0;
    ossa_mm_bone *bones = ossa__skel_parse(context, skel, &number_at);
    if (context->failed) return NULL;
    if (skel->declared_bones != skel->bone_count) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, number_at, "num_bones",
                    "says %" PRIu32 ", there are %" PRIu32, skel->declared_bones, skel->bone_count);
    }
    check_names(context, skel, bones);
    return skel;
}

/* ---- describe ------------------------------------------------------------------------------ */

static void list_bones(struct ossa__report *report, const ossa_mm_skel *skel)
{
    static const struct ossa__column columns[] = {{"bone", "bone", 5},    {"parent", "parent", 6},
                                                  {"name", " name", -28}, {"x", "x", 10},
                                                  {"y", "y", 10},         {"z", "z", 10}};
    enum { INDENT = 2, DEEPEST = 8 }; /* deeper bones stand under that depth */
    ossa__report_begin_table(report, "bones", columns, 6);
    for (uint32_t i = 0; i < skel->bone_count; i++) {
        const ossa_mm_bone *bone = &skel->bones[i];
        char name[1 + INDENT * DEEPEST + OSSA__MM_SHOWN_CAPACITY];
        size_t indent = 1 + INDENT * (size_t)(bone->depth < DEEPEST ? bone->depth : DEEPEST);
        memset(name, ' ', indent);
        struct ossa__mm_shown shown = ossa__skel_show_name(bone);
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
    if (report->json != NULL) ossa__skel_dump_bones(report->json, skel);
    else list_bones(report, skel);
}

ossa_mm_skel *ossa_as_mm_skel(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_mm_skel);
}

const struct ossa__format ossa__format_mm_skel = {
    .about = {.id = "mm-skel",
              .title = "Midtown Madness skeleton",
              .game = "Midtown Madness 1 and 2 (1999, 2000)",
              .extensions = "skel",
              .kind = OSSA_KIND_SKELETON},
    .game = &ossa__game_midtown_madness,
    .role = OSSA__ROLE_BODY,
    .probe = probe_skel,
    .read = read_skel,
    .write = ossa__skel_write,
    .dump = ossa__skel_dump,
    .build = OSSA__BUILT_BY(ossa__skel_build),
    .describe = describe_skel,
};
