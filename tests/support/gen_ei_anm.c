/* SPDX-License-Identifier: MIT */
#include "support/fixtures.h"

/* The counts of a file, for making it and for knowing where things stand. */
struct shape {
    uint32_t rotations;
    uint32_t translations;
    uint32_t morph_frames;
    uint32_t morph_vertices;
    bool short_tail;
};

static size_t translations_at(struct shape shape)
{
    return 4 + (size_t)16 * shape.rotations;
}

static size_t morphs_at(struct shape shape)
{
    return translations_at(shape) + 4 + (size_t)12 * shape.translations;
}

static void put_vectors(struct bytes *file, struct random *random, size_t count)
{
    for (size_t i = 0; i < 3 * count; i++) put_f32(file, next_float(random, 2));
}

static struct bytes make(uint32_t seed, struct shape shape)
{
    struct random random = {seed};
    struct bytes file = {0};
    put_u32(&file, shape.rotations);
    for (uint32_t i = 0; i < shape.rotations; i++) {
        float wxyz[4];
        next_unit(&random, wxyz);
        for (unsigned k = 0; k < 4; k++) put_f32(&file, wxyz[k]);
    }
    put_u32(&file, shape.translations);
    put_vectors(&file, &random, shape.translations);
    put_u32(&file, shape.morph_frames);
    if (shape.short_tail) return file;
    put_u32(&file, shape.morph_vertices);
    put_vectors(&file, &random, (size_t)shape.morph_frames * shape.morph_vertices);
    return file;
}

static const struct shape plain = {12, 12, 0, 0, false};
static const struct shape morphing = {5, 5, 5, 3, false};

static void add_good(struct fixtures *all)
{
    fixture_add(all, "ei-anm/plain", make(11, plain), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-anm/morphs", make(12, morphing), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-anm/short-tail", make(13, (struct shape){4, 4, 0, 0, true}),
                OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-anm/one-frame", make(14, (struct shape){1, 1, 0, 0, false}),
                OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-anm/one-morph", make(15, (struct shape){1, 1, 1, 1, false}),
                OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-anm/many-vertices", make(16, (struct shape){2, 2, 2, 100, false}),
                OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-anm/nothing", make(1, (struct shape){0, 0, 0, 0, false}),
                OSSA_CONFIDENCE_EMPTY);
    fixture_add(all, "ei-anm/nothing-short", make(1, (struct shape){0, 0, 0, 0, true}),
                OSSA_CONFIDENCE_EMPTY);
    fixture_add(all, "ei-anm/big", make(17, (struct shape){3000, 3000, 3000, 2, false}),
                OSSA_CONFIDENCE_PLAUSIBLE);
}

/* Floats that a careless program changes: payloads of NaN, infinities, -0, denormals. */
static void add_odd_floats(struct fixtures *all)
{
    static const uint32_t odd[] = {0x7fc00000, 0x7f800001, 0xffc12345, 0x7f800000, 0xff800000,
                                   0x80000000, 0x00000001, 0x807fffff, 0x7f7fffff, 0x00800000};
    struct bytes file = make(18, morphing);
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        set_u32(&file, 4 + 16 + 4 * i, odd[i]); /* rotations 1, 2 and half of 3 */
        set_u32(&file, translations_at(morphing) + 4 + 4 * i, odd[i]);
        set_u32(&file, morphs_at(morphing) + 8 + 4 * i, odd[i]);
    }
    fixture_add(all, "ei-anm/odd-floats", file, OSSA_CONFIDENCE_PLAUSIBLE);
}

static void add_long(struct fixtures *all, const char *name, struct shape shape, size_t extra,
                     struct expected_issue issue)
{
    struct bytes file = make(21, shape);
    put_repeated(&file, 0xa5, extra);
    fixture_add_broken(all, name, file, OSSA_CONFIDENCE_NONE, issue);
}

static void add_cut(struct fixtures *all, const char *name, struct shape shape, size_t size,
                    struct expected_issue issue)
{
    struct bytes file = make(22, shape);
    file.size = size;
    fixture_add_broken(all, name, file, OSSA_CONFIDENCE_NONE, issue);
}

static void add_changed(struct fixtures *all, const char *name, struct shape shape, size_t offset,
                        uint32_t word, struct expected_issue issue)
{
    struct bytes file = make(23, shape);
    set_u32(&file, offset, word);
    fixture_add_broken(all, name, file, OSSA_CONFIDENCE_NONE, issue);
}

static void add_unreadable(struct fixtures *all)
{
    const size_t t = translations_at(morphing);
    const size_t m = morphs_at(morphing);
    add_changed(all, "ei-anm/res-archive", plain, 0, 0x019ce23c,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_MAGIC, 0,
                                        "rotation_count"});
    add_cut(all, "ei-anm/cut-rotation-count", plain, 3,
            (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 0,
                                    "rotation_count"});
    add_changed(all, "ei-anm/too-many-rotations", plain, 0, 0x10000000,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 0,
                                        "rotation_count"});
    add_cut(all, "ei-anm/cut-rotations", morphing, t - 1,
            (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 0,
                                    "rotation_count"});
    add_cut(all, "ei-anm/cut-translation-count", morphing, t + 2,
            (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, t,
                                    "translation_count"});
    add_changed(all, "ei-anm/too-many-translations", morphing, t, 0xffffffff,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, t,
                                        "translation_count"});
    add_cut(
        all, "ei-anm/cut-morph-frames", morphing, m,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, m, "morph_frames"});
    add_cut(all, "ei-anm/cut-morph-vertices", morphing, m + 4,
            (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, m + 4,
                                    "morph_vertices"});
    add_cut(all, "ei-anm/cut-short-tail", plain, morphs_at(plain) + 7,
            (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED,
                                    morphs_at(plain) + 4, "morph_vertices"});
    add_cut(
        all, "ei-anm/cut-morphs", morphing, m + 8 + 179,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, m + 8, "morphs"});
    add_changed(
        all, "ei-anm/too-many-morphs", morphing, m, 0xffffffff,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, m + 8, "morphs"});
    add_cut(
        all, "ei-anm/zero-width", (struct shape){5, 5, 5, 0, false}, m + 8,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_ZERO_WIDTH, m, "morph_frames"});
}

static void add_rule_breakers(struct fixtures *all)
{
    const struct shape few = {3, 2, 0, 0, false};
    const struct shape none = {0, 2, 0, 0, false};
    const struct shape fewer_morphs = {3, 3, 2, 2, false};
    const struct shape idle_vertices = {3, 3, 0, 7, false};
    add_long(all, "ei-anm/trailing-bytes", plain, 3,
             (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_TRAILING_BYTES,
                                     morphs_at(plain) + 8, "tail"});
    fixture_add_broken(all, "ei-anm/fewer-translations", make(24, few), OSSA_CONFIDENCE_PLAUSIBLE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNEQUAL_TRACKS,
                                               translations_at(few), "translation_count"});
    fixture_add_broken(all, "ei-anm/no-rotations", make(25, none), OSSA_CONFIDENCE_ARITHMETIC,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNEQUAL_TRACKS,
                                               translations_at(none), "translation_count"});
    fixture_add_broken(all, "ei-anm/fewer-morphs", make(26, fewer_morphs),
                       OSSA_CONFIDENCE_PLAUSIBLE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNEQUAL_TRACKS,
                                               morphs_at(fewer_morphs), "morph_frames"});
    fixture_add_broken(all, "ei-anm/idle-vertices", make(27, idle_vertices),
                       OSSA_CONFIDENCE_PLAUSIBLE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                               morphs_at(idle_vertices) + 4, "morph_vertices"});
}

static void add_bad_value(struct fixtures *all, const char *name, size_t offset, uint32_t bits,
                          struct expected_issue issue)
{
    struct bytes file = make(28, morphing);
    set_u32(&file, offset, bits);
    fixture_add_broken(all, name, file, OSSA_CONFIDENCE_PLAUSIBLE, issue)->check_values = true;
}

static void add_bad_values(struct fixtures *all)
{
    const size_t rotation = 4 + 16 * 2 + 4; /* x of the third */
    const size_t translation = translations_at(morphing) + 4 + 12 + 8;
    const size_t morph = morphs_at(morphing) + 8 + 36 + 4;
    add_bad_value(all, "ei-anm/nan-rotation", rotation, 0x7fc00000,
                  (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_NON_FINITE, rotation,
                                          "rotations"});
    add_bad_value(all, "ei-anm/infinite-translation", translation, 0xff800000,
                  (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_NON_FINITE, translation,
                                          "translations"});
    add_bad_value(
        all, "ei-anm/nan-morph", morph, 0x7f800001,
        (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_NON_FINITE, morph, "morphs"});
    add_bad_value(all, "ei-anm/not-unit", rotation, 0x40400000, /* 3.0 */
                  (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_NOT_UNIT, rotation - 4,
                                          "rotations"});
}

void generate_ei_anm(struct fixtures *all)
{
    add_good(all);
    add_odd_floats(all);
    add_unreadable(all);
    add_rule_breakers(all);
    add_bad_values(all);
}
