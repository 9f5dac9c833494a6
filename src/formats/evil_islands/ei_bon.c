/* SPDX-License-Identifier: MIT
 *
 * ei-bon: the bind position of one part of an Evil Islands figure, relative to its parent.
 *
 *     f32  positions[n][3]    x y z; n = size / 12
 *
 * One part, several variants of its position: with n = 8 the corners of the "complexion" cube, of
 * three numbers of a figure, the last of which is its height; smaller figures have 1, 2, 4 or 6. No
 * signature and no count, so only the size and the values identify it. Not known: how 2, 4 and 6
 * variants blend. */
#include "formats/modules.h"

#include "codec/layout.h"
#include "formats/evil_islands/ei_cam.h"

#include <inttypes.h>
#include <math.h>

enum {
    POSITION_SIZE = 12,
    CORNERS = 8,
};

static const struct ossa__item items[] = {
    OSSA__ARRAY(ossa_ei_bon, positions, "positions", position_count, .shape = &ossa__shape_vec3,
                .to_end = true, .checks = OSSA__CHECK_FINITE),
    OSSA__TAIL(ossa_ei_bon),
};
static const struct ossa__layout layout = OSSA__LAYOUT(ossa_ei_bon, items);

static bool is_usual(uint64_t count)
{
    return count == 1 || count == 2 || count == 4 || count == 6 || count == CORNERS;
}

/* ---- complexion ---------------------------------------------------------------------------- */

static double blend(double a, double b, double t)
{
    /* The ends are exact, whatever the other one is: a NaN there must not leak. */
    if (t == 0.0) return a;
    if (t == 1.0) return b;
    return a * (1.0 - t) + b * t;
}

void ossa_ei_complexion(const float (*corners)[3], uint32_t count, const float complexion[3],
                        float out[3])
{
    for (unsigned k = 0; k < 3; k++) {
        out[k] = count == 0 ? 0.0F : corners[0][k];
        if (count != CORNERS || complexion == NULL) continue;
        double edges[4]; /* along the second number, which is the lowest bit of a corner */
        for (size_t i = 0; i < 4; i++) {
            edges[i] =
                blend((double)corners[2 * i][k], (double)corners[2 * i + 1][k], complexion[1]);
        }
        double low = blend(edges[0], edges[1], complexion[0]);
        double high = blend(edges[2], edges[3], complexion[0]);
        out[k] = (float)blend(low, high, complexion[2]);
    }
}

/* ---- probe --------------------------------------------------------------------------------- */

/* Variants of one position are close together, relative to the parent. The numbers of a camera
 * path, read as positions, are not. */
static bool are_variants(const uint8_t *data, uint64_t size)
{
    double spread = 0.0;
    double farthest = 0.0;
    for (uint64_t k = 0; k < 3; k++) {
        double first = (double)ossa__peek_f32(data, size, 4 * k);
        double least = first;
        double most = first;
        for (uint64_t at = 4 * k; at < size; at += POSITION_SIZE) {
            double value = (double)ossa__peek_f32(data, size, at);
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
        double reach = most > -least ? most : -least;
        spread = most - least > spread ? most - least : spread;
        farthest = reach > farthest ? reach : farthest;
    }
    return 2.0 * spread <= farthest;
}

/* Six positions are as long as a camera path of two keys, and a path may well look like positions.
 * The extension decides about a file that looks like both. */
static bool is_rather_a_path(const uint8_t *data, uint64_t size)
{
    return ossa__ei_is_camera_path(data, size) && !are_variants(data, size);
}

/* Objects, because the constants may have more digits than a float where FLT_EVAL_METHOD is 1. */
static const float least_length = 1e-6F;
static const float most_length = 1e4F;

static ossa_confidence probe_bon(const uint8_t *data, uint64_t size)
{
    if (size % POSITION_SIZE != 0 || !is_usual(size / POSITION_SIZE)) return OSSA_CONFIDENCE_NONE;
    for (uint64_t at = 0; at < size; at += 4) {
        float length = fabsf(ossa__peek_f32(data, size, at));
        bool plausible =
            length == 0.0F || (length >= least_length && length <= most_length); /* no NaN is */
        if (!plausible) return OSSA_CONFIDENCE_NONE;
    }
    return is_rather_a_path(data, size) ? OSSA_CONFIDENCE_ARITHMETIC : OSSA_CONFIDENCE_PLAUSIBLE;
}

static bool may_begin(const uint8_t *start, uint64_t size)
{
    (void)start, (void)size;
    return false; /* none is that large */
}

/* ---- read and write ------------------------------------------------------------------------ */

static void *read_bon(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader reader;
    uint64_t at[OSSA__LAYOUT_ITEMS];
    ossa__reader_init(&reader, context, data, size);
    ossa_ei_bon *bon = ossa__layout_new(context, &layout);
    if (bon == NULL || !ossa__layout_read(&reader, &layout, bon, at)) return NULL;
    bon->borrowed = ossa__is_borrowed(&reader, bon->positions);
    if (!is_usual(bon->position_count)) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 0, "positions",
                    "%" PRIu32 " positions, expected 1, 2, 4, 6 or 8", bon->position_count);
    }
    if (context->options.check_values) ossa__layout_check(context, &layout, bon, at);
    return bon;
}

static void write_bon(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    (void)context;
    ossa__layout_write(writer, &layout, contents);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_bon(const void *contents, struct ossa__json *json)
{
    ossa__layout_dump(json, &layout, contents);
}

static void *build_bon(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    (void)size;
    ossa_ei_bon *bon = ossa__layout_new(context, &layout);
    if (bon != NULL) ossa__layout_build(data, &layout, bon);
    return bon;
}

/* ---- describe ------------------------------------------------------------------------------ */

static void describe_bon(const void *contents, struct ossa__report *report)
{
    const ossa_ei_bon *bon = contents;
    const char *complexion = "not known, the first variant is used";
    if (bon->position_count == 1) complexion = "none, there is one variant";
    if (bon->position_count == CORNERS) complexion = "8 corners, of three numbers of a figure";
    ossa__report_integer(report, "variants", "variants", bon->position_count);
    ossa__report_text(report, "complexion", "complexion", complexion);
    ossa__report_ranges(report, "position_ranges", "position", (const float *)bon->positions,
                        bon->position_count, 3, "xyz");
}

ossa_ei_bon *ossa_as_ei_bon(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_ei_bon);
}

const struct ossa__format ossa__format_ei_bon = {
    .about = {.id = "ei-bon",
              .title = "Evil Islands bind position",
              .game = "Evil Islands (2000)",
              .extensions = "bon",
              .kind = OSSA_KIND_SKELETON},
    .game = &ossa__game_evil_islands,
    .role = OSSA__ROLE_PART,
    .probe = probe_bon,
    .may_begin = may_begin,
    .read = read_bon,
    .write = write_bon,
    .dump = dump_bon,
    .build = OSSA__BUILT_BY(build_bon),
    .describe = describe_bon,
};
