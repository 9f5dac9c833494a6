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
 * No signature and no padding between the fields, so the file is recognised by its arithmetic. Not
 * known: whether the game ever uses the translations of parts other than the root. */
#include "formats/evil_islands/ei_anm.h"
#include "formats/modules.h"

#include "codec/layout.h"
#include "codec/numbers.h"

#include <inttypes.h>

enum {
    RES_SIGNATURE = 0x019ce23c, /* an archive; entries named *.anm may be one */
    QUAT_SIZE = 16,
    VEC3_SIZE = 12,
};

/* ---- layout -------------------------------------------------------------------------------- */

static const struct ossa__shape shape_quat = {OSSA_FIELD_TYPE_F32, 4, {"w", "x", "y", "z"}};

static uint32_t vertices_of(const void *object)
{
    return ((const ossa_ei_anm *)object)->morph_vertex_count;
}

static bool has_vertex_count(const void *object)
{
    const ossa_ei_anm *anm = object;
    return !anm->short_tail || anm->morph_frame_count > 0;
}

static void find_short_tail(struct ossa__reader *reader, void *object)
{
    ossa_ei_anm *anm = object;
    anm->short_tail = anm->morph_frame_count == 0 && ossa__left(reader) == 0;
}

/* Frames of nothing would let a count of any size through. */
static void refuse_no_vertices(struct ossa__reader *reader, void *object)
{
    const ossa_ei_anm *anm = object;
    if (anm->morph_frame_count == 0 || anm->morph_vertex_count > 0) return;
    ossa__fail(reader->context, OSSA_CODE_ZERO_WIDTH, reader->position - 8, "morph_frames",
               "%" PRIu32 " frames without vertices, expected no frames or at least one vertex",
               anm->morph_frame_count);
}

enum { TRANSLATION_COUNT = 2, MORPH_FRAMES = 4 }; /* in the table below */

static const struct ossa__item items[] = {
    OSSA__COUNT(ossa_ei_anm, rotation_count, "rotation_count"),
    OSSA__ARRAY(ossa_ei_anm, rotations, "rotations", rotation_count, .shape = &shape_quat,
                .checks = OSSA__CHECK_FINITE | OSSA__CHECK_UNIT),
    OSSA__COUNT(ossa_ei_anm, translation_count, "translation_count"),
    OSSA__ARRAY(ossa_ei_anm, translations, "translations", translation_count,
                .shape = &ossa__shape_vec3, .checks = OSSA__CHECK_FINITE),
    OSSA__NUMBERS(ossa_ei_anm, morph_frame_count, "morph_frames", .shape = &ossa__shape_u32,
                  .is_hidden = true),
    OSSA__STEP(find_short_tail),
    OSSA__NUMBERS(ossa_ei_anm, morph_vertex_count, "morph_vertices", .shape = &ossa__shape_u32,
                  .is_stored = has_vertex_count),
    OSSA__STEP(refuse_no_vertices),
    OSSA__ARRAY(ossa_ei_anm, morphs, "morphs", morph_frame_count, .shape = &ossa__shape_vec3,
                .rows = vertices_of, .is_stored = has_vertex_count, .checks = OSSA__CHECK_FINITE),
    OSSA__BOOL(ossa_ei_anm, short_tail, "short_tail"),
    OSSA__TAIL(ossa_ei_anm),
};
static const struct ossa__layout layout = OSSA__LAYOUT(ossa_ei_anm, items);

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

static bool may_begin(const uint8_t *start, uint64_t size)
{
    uint64_t rotations = ossa__peek_u32(start, size, 0);
    uint64_t at = 4 + rotations * QUAT_SIZE;
    if (at > size) return false;
    if (at > OSSA__HEAD - 4) return true;
    uint64_t translations = ossa__peek_u32(start, size, at);
    at += 4 + translations * VEC3_SIZE;
    if (at > size) return false;
    if (at > OSSA__HEAD - 8) return true;
    uint64_t frames = ossa__peek_u32(start, size, at);
    uint64_t vertices = ossa__peek_u32(start, size, at + 4);
    return frames > 0 && vertices > 0;
}

/* ---- read and write ------------------------------------------------------------------------ */

static void check_lengths(struct ossa__context *context, const ossa_ei_anm *anm,
                          uint64_t translations_at, uint64_t morphs_at)
{
    if (anm->translation_count != anm->rotation_count) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNEQUAL_TRACKS, translations_at,
                    "translation_count",
                    "%" PRIu32 " translations but %" PRIu32 " rotations, expected equal numbers",
                    anm->translation_count, anm->rotation_count);
    }
    if (anm->morph_frame_count != 0 && anm->morph_frame_count != anm->rotation_count) {
        ossa__issue(
            context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNEQUAL_TRACKS, morphs_at, "morph_frames",
            "%" PRIu32 " morph frames but %" PRIu32 " rotations, expected none or equal numbers",
            anm->morph_frame_count, anm->rotation_count);
    }
    if (anm->morph_frame_count == 0 && anm->morph_vertex_count != 0) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, morphs_at + 4,
                    "morph_vertices", "%" PRIu32 " vertices but no frames, expected 0",
                    anm->morph_vertex_count);
    }
}

static void *read_anm(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader reader;
    uint64_t at[OSSA__LAYOUT_ITEMS];
    ossa__reader_init(&reader, context, data, size);
    if (ossa__peek_u32(data, size, 0) == RES_SIGNATURE) {
        ossa__fail(context, OSSA_CODE_BAD_MAGIC, 0, "rotation_count",
                   "this is a RES archive (0x019ce23c), expected an animation of one part");
        return NULL;
    }
    ossa_ei_anm *anm = ossa__layout_new(context, &layout);
    if (anm == NULL || !ossa__layout_read(&reader, &layout, anm, at)) return NULL;
    anm->borrowed = ossa__is_borrowed(&reader, anm->rotations);
    check_lengths(context, anm, at[TRANSLATION_COUNT], at[MORPH_FRAMES]);
    if (context->options.check_values) ossa__layout_check(context, &layout, anm, at);
    return anm;
}

static void write_anm(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    (void)context;
    ossa__layout_write(writer, &layout, contents);
}

/* ---- where keys are ------------------------------------------------------------------------ */

static const ossa_key_part rotation_parts[] = {
    {"w", 0, 32, -1}, {"x", 32, 32, -1}, {"y", 64, 32, -1}, {"z", 96, 32, -1}};
static const ossa_key_part translation_parts[] = {
    {"x", 0, 32, 0}, {"y", 32, 32, 2}, {"z", 64, 32, 1}}; /* Z is up */

/* A part's rotation is applied after its parent's, see game_clip.c. */
const ossa_key_layout ossa__ei_anm_rotation = {
    .size = QUAT_SIZE, .is_inherited = true, .part_count = 4, .parts = rotation_parts};
const ossa_key_layout ossa__ei_anm_translation = {
    .size = VEC3_SIZE, .part_count = 3, .parts = translation_parts};

uint64_t ossa__ei_anm_rotations_at(void)
{
    return 4;
}

uint64_t ossa__ei_anm_translations_at(const ossa_ei_anm *anm)
{
    return 8 + (uint64_t)anm->rotation_count * QUAT_SIZE;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_anm(const void *contents, struct ossa__json *json)
{
    ossa__layout_dump(json, &layout, contents);
}

static void *build_anm(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    (void)size;
    ossa_ei_anm *anm = ossa__layout_new(context, &layout);
    if (anm == NULL) return NULL;
    struct ossa__value vertices = ossa__value_optional(data, "morph_vertices");
    struct ossa__value morphs = ossa__value_optional(data, "morphs");
    struct ossa__value short_tail = ossa__value_optional(data, "short_tail");
    struct ossa__value tail = ossa__value_optional(data, "tail");
    size_t frames = ossa__value_length(&morphs);
    if (frames > 0 && vertices.node != NULL && ossa__value_u32(&vertices) == 0) {
        ossa__value_fail(&vertices, "is 0, but there are %zu morph frames", frames);
    }
    ossa__layout_build(data, &layout, anm);
    if (anm->short_tail && (anm->morph_frame_count > 0 || anm->morph_vertex_count > 0)) {
        ossa__value_fail(&short_tail, "cannot be true when there are morphs");
    }
    if (anm->short_tail && anm->tail_size > 0) {
        ossa__value_fail(&tail, "cannot follow a short tail");
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
    ossa__report_number(report, "rate", "frames/second", OSSA_EI_FPS, "");
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
        ossa__report_note(report, "short tail: the number of morph vertices is omitted");
    }
    ossa__report_note(report, "one frame per tick of the game, 55 ms; other players use 15 per "
                              "second");
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
    .may_begin = may_begin,
    .read = read_anm,
    .write = write_anm,
    .dump = dump_anm,
    .build = OSSA__BUILT_BY(build_anm),
    .describe = describe_anm,
};
