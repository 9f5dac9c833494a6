/* SPDX-License-Identifier: MIT
 *
 * ei-anm: the animation of one part of an Evil Islands figure.
 *
 *     u32  rotation_count
 *     f32  rotations[rotation_count][4]               w x y z
 *     u32  translation_count
 *     f32  translations[translation_count][3]         x y z
 *     u32  morph_frames
 *     u32  morph_vertices                             missing in the short-tail variant
 *     f32  morphs[morph_frames][morph_vertices][3]    x y z
 *
 * No signature and nothing between the fields, so the file is known by its arithmetic. Not known:
 * whether the game ever uses the translations of parts other than the root. */
#include "formats/modules.h"
#include "base/json.h"
#include "codec/numbers.h"
#include "ossa/games/evil_islands.h"

#include <inttypes.h>

enum {
    RES_SIGNATURE = 0x019ce23c, /* an archive; entries named *.anm may be one */
    QUAT_SIZE = 16,
    VEC3_SIZE = 12,
};

static const struct ossa__shape shape_quat = {OSSA_FIELD_TYPE_F32, 4, {"w", "x", "y", "z"}};

/* ---- probe --------------------------------------------------------------------------------- */

/* Pass over a counted array; false when it does not fit. */
static bool skip_array(const uint8_t *data, uint64_t size, uint64_t *at, uint64_t stride,
                       uint64_t *count)
{
    if (size - *at < 4) return false;
    *count = ossa__peek_u32(data, size, *at);
    *at += 4;
    if (*count > (size - *at) / stride) return false;
    *at += *count * stride;
    return true;
}

static bool looks_like_rotation(const uint8_t *data, uint64_t size, uint64_t at)
{
    float wxyz[4];
    for (unsigned i = 0; i < 4; i++) wxyz[i] = ossa__peek_f32(data, size, at + 4 * i);
    return ossa__is_unit(wxyz, 4);
}

static ossa_confidence probe_anm(const uint8_t *data, uint64_t size)
{
    uint64_t at = 0;
    uint64_t rotations;
    uint64_t translations;
    if (ossa__peek_u32(data, size, 0) == RES_SIGNATURE) return OSSA_CONFIDENCE_NONE;
    if (!skip_array(data, size, &at, QUAT_SIZE, &rotations)) return OSSA_CONFIDENCE_NONE;
    if (!skip_array(data, size, &at, VEC3_SIZE, &translations)) return OSSA_CONFIDENCE_NONE;
    if (size - at < 4) return OSSA_CONFIDENCE_NONE;
    uint64_t frames = ossa__peek_u32(data, size, at);
    at += 4;
    if (frames > 0 || at < size) {
        if (size - at < 4) return OSSA_CONFIDENCE_NONE;
        uint64_t vertices = ossa__peek_u32(data, size, at);
        uint64_t values;
        uint64_t bytes;
        at += 4;
        if (frames > 0 && vertices == 0) return OSSA_CONFIDENCE_NONE;
        if (!ossa__multiply(frames, vertices, &values)) return OSSA_CONFIDENCE_NONE;
        if (!ossa__multiply(values, VEC3_SIZE, &bytes) || bytes != size - at)
            return OSSA_CONFIDENCE_NONE;
    }
    if (rotations == 0 && translations == 0 && frames == 0) return OSSA_CONFIDENCE_EMPTY;
    if (rotations == 0) return OSSA_CONFIDENCE_ARITHMETIC;
    bool plausible = looks_like_rotation(data, size, 4) &&
                     looks_like_rotation(data, size, 4 + (rotations - 1) * QUAT_SIZE);
    return plausible ? OSSA_CONFIDENCE_PLAUSIBLE : OSSA_CONFIDENCE_ARITHMETIC;
}

/* ---- read ---------------------------------------------------------------------------------- */

static void read_morphs(struct ossa__reader *reader, ossa_ei_anm *anm)
{
    uint64_t at = reader->position;
    anm->morph_frame_count = ossa__read_u32(reader, "morph_frames");
    anm->short_tail = anm->morph_frame_count == 0 && ossa__left(reader) == 0;
    if (anm->short_tail) return;
    anm->morph_vertex_count = ossa__read_u32(reader, "morph_vertices");
    if (anm->morph_frame_count > 0 && anm->morph_vertex_count == 0) {
        ossa__fail(reader->context, OSSA_CODE_ZERO_WIDTH, at, "morph_frames",
                   "%" PRIu32 " frames of no vertices, expected no frames or some vertices",
                   anm->morph_frame_count);
        return;
    }
    uint64_t count = (uint64_t)anm->morph_frame_count * anm->morph_vertex_count;
    anm->morphs =
        ossa__read_array(reader, "morphs", &ossa__shape_vec3, count, anm->morph_vertex_count);
}

static void check_lengths(struct ossa__context *context, const ossa_ei_anm *anm,
                          uint64_t translations_at, uint64_t morphs_at)
{
    if (anm->translation_count != anm->rotation_count) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNEQUAL_TRACKS, translations_at,
                    "translation_count",
                    "%" PRIu32 " translations and %" PRIu32 " rotations, expected as many",
                    anm->translation_count, anm->rotation_count);
    }
    if (anm->morph_frame_count != 0 && anm->morph_frame_count != anm->rotation_count) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNEQUAL_TRACKS, morphs_at,
                    "morph_frames",
                    "%" PRIu32 " morph frames and %" PRIu32 " rotations, expected none or as many",
                    anm->morph_frame_count, anm->rotation_count);
    }
    if (anm->morph_frame_count == 0 && anm->morph_vertex_count != 0) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, morphs_at + 4,
                    "morph_vertices", "%" PRIu32 " vertices in no frames, expected 0",
                    anm->morph_vertex_count);
    }
}

static void check_values(struct ossa__context *context, const ossa_ei_anm *anm,
                         uint64_t translations_at, uint64_t morphs_at)
{
    ossa__check_finite(context, "rotations", 4, (const float *)anm->rotations,
                       (uint64_t)anm->rotation_count * 4);
    ossa__check_unit(context, "rotations", 4, (const float *)anm->rotations, anm->rotation_count,
                     4);
    ossa__check_finite(context, "translations", translations_at + 4,
                       (const float *)anm->translations, (uint64_t)anm->translation_count * 3);
    ossa__check_finite(context, "morphs", morphs_at + 8, (const float *)anm->morphs,
                       (uint64_t)anm->morph_frame_count * anm->morph_vertex_count * 3);
}

static void *read_anm(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader reader;
    ossa__reader_init(&reader, context, data, size);
    ossa_ei_anm *anm = ossa__take(context, 1, sizeof *anm);
    if (anm == NULL) return NULL;
    *anm = (ossa_ei_anm){0};
    if (ossa__peek_u32(data, size, 0) == RES_SIGNATURE) {
        ossa__fail(context, OSSA_CODE_BAD_MAGIC, 0, "rotation_count",
                   "this is a RES archive (0x019ce23c), expected an animation of one part");
        return NULL;
    }
    anm->rotation_count = ossa__read_count(&reader, "rotation_count", QUAT_SIZE);
    anm->rotations = ossa__read_array(&reader, "rotations", &shape_quat, anm->rotation_count, 0);
    uint64_t translations_at = reader.position;
    anm->translation_count = ossa__read_count(&reader, "translation_count", VEC3_SIZE);
    anm->translations =
        ossa__read_array(&reader, "translations", &ossa__shape_vec3, anm->translation_count, 0);
    uint64_t morphs_at = reader.position;
    read_morphs(&reader, anm);
    anm->tail = ossa__read_tail(&reader, &anm->tail_size);
    if (context->failed) return NULL;
    anm->borrowed = ossa__is_borrowed(&reader, anm->rotations);
    check_lengths(context, anm, translations_at, morphs_at);
    if (context->options.check_values) check_values(context, anm, translations_at, morphs_at);
    return anm;
}

/* ---- write --------------------------------------------------------------------------------- */

static void write_anm(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_ei_anm *anm = contents;
    (void)context;
    ossa__write_u32(writer, anm->rotation_count);
    ossa__write_scalars(writer, anm->rotations, (uint64_t)anm->rotation_count * 4, 4);
    ossa__write_u32(writer, anm->translation_count);
    ossa__write_scalars(writer, anm->translations, (uint64_t)anm->translation_count * 3, 4);
    ossa__write_u32(writer, anm->morph_frame_count);
    if (!anm->short_tail || anm->morph_frame_count > 0) {
        uint64_t count = (uint64_t)anm->morph_frame_count * anm->morph_vertex_count;
        ossa__write_u32(writer, anm->morph_vertex_count);
        ossa__write_scalars(writer, anm->morphs, count * 3, 4);
    }
    ossa__write_bytes(writer, anm->tail, anm->tail_size);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_anm(const void *contents, struct ossa__json *json)
{
    const ossa_ei_anm *anm = contents;
    ossa__member_rows(json, "rotations", (const float *)anm->rotations, anm->rotation_count, 4);
    ossa__member_rows(json, "translations", (const float *)anm->translations,
                      anm->translation_count, 3);
    ossa__member_uint(json, "morph_vertices", anm->morph_vertex_count);
    ossa__json_key(json, "morphs");
    ossa__json_begin_array(json);
    for (uint64_t f = 0; f < anm->morph_frame_count; f++) {
        const float(*frame)[3] = anm->morphs + f * anm->morph_vertex_count;
        ossa__json_begin_array(json);
        for (uint32_t v = 0; v < anm->morph_vertex_count; v++) ossa__json_floats(json, frame[v], 3);
        ossa__json_end_array(json);
    }
    ossa__json_end_array(json);
    ossa__member_bool(json, "short_tail", anm->short_tail);
    ossa__member_tail(json, anm->tail, anm->tail_size);
}

static void build_morphs(const struct ossa__value *data, ossa_ei_anm *anm)
{
    struct ossa__value vertices = ossa__value_member(data, "morph_vertices");
    struct ossa__value morphs = ossa__value_member(data, "morphs");
    anm->morph_vertex_count = ossa__value_u32(&vertices);
    size_t frames = ossa__value_length(&morphs);
    if (frames > 0 && anm->morph_vertex_count == 0) {
        ossa__value_fail(&vertices, "is 0, but there are %zu morph frames", frames);
    }
    /* Each frame must really list its vertices, so what is taken is bounded by the document. */
    for (size_t f = 0; f < frames && !data->context->failed; f++) {
        struct ossa__value frame = ossa__value_item(&morphs, f);
        (void)ossa__value_expect_length(&frame, anm->morph_vertex_count);
    }
    float *values =
        ossa__take(data->context, (uint64_t)frames * anm->morph_vertex_count, 3 * sizeof *values);
    if (values == NULL) return;
    anm->morph_frame_count = (uint32_t)frames;
    anm->morphs = (const float(*)[3])values;
    for (size_t f = 0; f < frames; f++) {
        struct ossa__value frame = ossa__value_item(&morphs, f);
        for (uint32_t v = 0; v < anm->morph_vertex_count && !data->context->failed; v++) {
            struct ossa__value row = ossa__value_item(&frame, v);
            ossa__value_floats(&row, 3, values + (f * anm->morph_vertex_count + v) * 3);
        }
    }
}

static void *build_anm(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    (void)size;
    ossa_ei_anm *anm = ossa__take(context, 1, sizeof *anm);
    if (anm == NULL) return NULL;
    *anm = (ossa_ei_anm){0};
    ossa__value_allow(data, "rotations translations morph_vertices morphs short_tail tail");
    struct ossa__value rotations = ossa__value_member(data, "rotations");
    struct ossa__value translations = ossa__value_member(data, "translations");
    struct ossa__value short_tail = ossa__value_member(data, "short_tail");
    struct ossa__value tail = ossa__value_optional(data, "tail");
    anm->rotations = (const float(*)[4])ossa__value_float_rows(&rotations, 4, &anm->rotation_count);
    anm->translations =
        (const float(*)[3])ossa__value_float_rows(&translations, 3, &anm->translation_count);
    build_morphs(data, anm);
    anm->short_tail = ossa__value_bool(&short_tail);
    if (anm->short_tail && (anm->morph_frame_count > 0 || anm->morph_vertex_count > 0)) {
        ossa__value_fail(&short_tail, "cannot be true when there are morphs");
    }
    if (tail.node != NULL) {
        anm->tail = ossa__value_hex(&tail, &anm->tail_size);
        if (anm->short_tail && anm->tail_size > 0) {
            ossa__value_fail(&tail, "cannot follow a short tail");
        }
    }
    return anm;
}

/* ---- describe ------------------------------------------------------------------------------ */

static void describe_anm(const void *contents, struct ossa__report *report)
{
    const ossa_ei_anm *anm = contents;
    uint32_t frames = anm->rotation_count;
    if (frames < anm->translation_count) frames = anm->translation_count;
    if (frames < anm->morph_frame_count) frames = anm->morph_frame_count;
    ossa__report_integer(report, "frames", "frames", frames);
    ossa__report_integer(report, "rate", "frames/second", OSSA_EI_FPS);
    ossa__report_number(report, "duration", "duration", (double)frames / OSSA_EI_FPS, "s");
    ossa__report_integer(report, "rotations", "rotations", anm->rotation_count);
    ossa__report_integer(report, "translations", "translations", anm->translation_count);
    ossa__report_integer(report, "morph_frames", "morph frames", anm->morph_frame_count);
    ossa__report_integer(report, "morph_vertices", "morph vertices", anm->morph_vertex_count);
    ossa__report_ranges(report, "rotation_ranges", "rotation", (const float *)anm->rotations,
                        anm->rotation_count, 4, "wxyz");
    ossa__report_ranges(report, "translation_ranges", "translation",
                        (const float *)anm->translations, anm->translation_count, 3, "xyz");
    ossa__report_ranges(report, "morph_ranges", "morph", (const float *)anm->morphs,
                        (uint64_t)anm->morph_frame_count * anm->morph_vertex_count, 3, "xyz");
    if (anm->short_tail) {
        ossa__report_note(report, "short tail: the count of morph vertices is left out");
    }
    ossa__report_note(report, "the rate is likely, not certain; the game's ADB may say otherwise");
    ossa__report_note(report, "only the root's translations are known to be used by the game");
}

ossa_ei_anm *ossa_as_ei_anm(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_ei_anm);
}

const struct ossa__format ossa__format_ei_anm = {
    .about = {.id = "ei-anm",
              .title = "Evil Islands part animation",
              .game = "Evil Islands (2000)",
              .extensions = "anm",
              .kind = OSSA_KIND_ANIMATION},
    .game = &ossa__game_evil_islands,
    .role = OSSA__ROLE_CLIP,
    .probe = probe_anm,
    .read = read_anm,
    .write = write_anm,
    .dump = dump_anm,
    .build = OSSA__BUILT_BY(build_anm),
    .describe = describe_anm,
};
