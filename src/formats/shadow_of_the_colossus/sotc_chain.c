/* SPDX-License-Identifier: MIT
 *
 * The strips of a model. The chain of a draw is a row of codes (sotc_vif.h): three without data,
 * one of which sets the cycle, then the strips, then codes that do nothing up to a multiple of 16
 * bytes. A strip:
 *
 *     tag        u32 [4]  UNPACK to address 0: a GIF tag; the low 11 bits are the number of
 * vertices positions  f32 [3]  UNPACK to address 1 normals    f32 [3] or i16 [4] / 4096, if the
 * surface has them texcoords  i16 [2] or i16 [4] / 4096: one or two pairs colours    u8 [4]   / 128
 *     skin       f32 [3], u32 count: bone and weight as the integer part and the rest
 *     others     f32 [3]  unknown, in one model
 *     a code that starts the program
 *
 * Each stream goes to the address after that of the one before it. Others are kept as they are. */
#include "formats/shadow_of_the_colossus/sotc_nmo.h"
#include "formats/shadow_of_the_colossus/sotc_vif.h"

#include "codec/numbers.h"

#include <inttypes.h>
#include <math.h>

enum {
    COUNT_MASK = 0x7ff, /* of the first word of a tag */
    STRIP_PRIMITIVE = 4,
    STREAM_FLAGS =
        OSSA_SOTC_SURFACE_NORMALS | OSSA_SOTC_SURFACE_TEXTURE | OSSA_SOTC_SURFACE_COLOURS,
};

uint32_t ossa__nmo_flags(const ossa_sotc_nmo *nmo, const ossa_sotc_draw *draw)
{
    return draw->surface < nmo->surface_count ? nmo->surfaces[draw->surface].flags : 0;
}

/* ---- weights ------------------------------------------------------------------------------- */

unsigned ossa_sotc_weights(const ossa_sotc_skin *skin, uint32_t bone_count, uint32_t bones[3],
                           float weights[3])
{
    double sum = 0.0;
    double parts[3];
    unsigned used = 0;
    if (skin->count < 1 || skin->count > 3) return 0;
    for (unsigned i = 0; i < skin->count; i++) {
        double value = (double)skin->bones[i];
        /* What is not a number fails this, too. */
        if (!(value >= 0.0 && value < (double)bone_count)) return 0;
        uint32_t bone = (uint32_t)value;
        double weight = value - (double)bone;
        if (weight == 0.0) continue;
        unsigned slot = 0;
        while (slot < used && bones[slot] != bone) slot++;
        if (slot == used) {
            bones[used] = bone;
            parts[used++] = 0.0;
        }
        parts[slot] += weight;
        sum += weight;
    }
    for (unsigned i = 0; i < used; i++) weights[i] = (float)(parts[i] / sum);
    return used;
}

/* ---- one strip ----------------------------------------------------------------------------- */

/* The chain that is read. */
struct chain {
    struct ossa__nmo_reader *r;
    struct ossa__reader reader;
    ossa_sotc_draw *draw;
    uint32_t draw_index;
    uint32_t flags;         /* of the surface */
    uint32_t cycle;         /* the number of streams that the codes announce; 0: they do not */
    uint64_t index;         /* of the code */
    uint64_t code_at;       /* its offset */
    ossa_sotc_strip *next;  /* where the next strip goes */
    ossa_sotc_strip *strip; /* the last one */
    struct ossa__strip_state state;
    uint64_t tag_index;
};

static void check_finite(struct chain *chain, const char *field, const void *values, uint64_t count)
{
    if (!chain->r->context->options.check_values || values == NULL) return;
    ossa__check_finite(chain->r->context, field, chain->code_at + 4, values, count);
}

static void read_tag(struct chain *chain)
{
    static const struct ossa__shape shape = {OSSA_FIELD_TYPE_U32, 4, {NULL}};
    struct ossa__context *context = chain->r->context;
    ossa_sotc_strip *strip = chain->next++;
    *strip = (ossa_sotc_strip){.draw = chain->draw_index};
    chain->strip = strip;
    chain->tag_index = chain->index;
    ossa__read_element(&chain->reader, "tag", &shape, strip->tag);
    strip->vertex_count = strip->tag[0] & COUNT_MASK;
    uint64_t at = chain->code_at + 4;
    if (strip->vertex_count < 3) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, at, "tag[0]",
                    "%" PRIu32 " vertices make no triangle", strip->vertex_count);
    }
    uint32_t primitive = strip->tag[1] >> 15 & 7;
    if (primitive != STRIP_PRIMITIVE) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, at + 4, "tag[1]",
                    "primitive %" PRIu32 ", expected 4 (a strip of triangles)", primitive);
    }
}

/* Its four words are of two types. */
static const ossa_sotc_skin *read_skin(struct chain *chain, uint32_t count)
{
    _Static_assert(sizeof(ossa_sotc_skin) == 16, "as stored");
    struct ossa__context *context = chain->r->context;
    struct ossa__reader traced = chain->reader;
    const uint8_t *bytes = ossa__read_untraced(&chain->reader, "skin", 16ULL * count);
    if (bytes == NULL) return NULL;
    for (uint32_t i = 0; i < count && context->trace != NULL; i++) {
        static const struct ossa__shape shape = {OSSA_FIELD_TYPE_F32, 3, {NULL}};
        float bones[3];
        ossa__enter(context, "skin", i);
        ossa__read_element(&traced, "bones", &shape, bones);
        (void)ossa__read_u32(&traced, "count");
        ossa__leave(context);
    }
    if (OSSA__LITTLE_ENDIAN && (uintptr_t)bytes % 4 == 0) return (const void *)bytes;
    void *copy = ossa__take(context, count, 16);
    if (copy != NULL) ossa__copy_scalars(copy, bytes, 16 * (size_t)count, 4);
    return copy;
}

/* The model as a whole has one warning for them. */
static void check_skin(struct chain *chain, const ossa_sotc_skin *skin, uint32_t count)
{
    struct ossa__nmo_reader *r = chain->r;
    uint32_t bones[3];
    float weights[3];
    for (uint32_t i = 0; i < count && skin != NULL; i++) {
        if (ossa_sotc_weights(&skin[i], UINT32_MAX, bones, weights) > 0) continue;
        if (r->odd_skins++ > 0) return;
        r->first_odd_draw = chain->draw_index;
        r->first_odd_code = chain->index;
        r->first_odd_skin = chain->code_at + 4 + 16ULL * i;
        return;
    }
}

/* The arrays of a strip have as many items as it has vertices, so a stream of another length is
 * left out of it. */
static bool check_stream(struct chain *chain, const struct ossa__vif_code *code)
{
    struct ossa__context *context = chain->r->context;
    uint32_t address = code->immediate & 0x3ff;
    if (address != chain->state.streams) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, chain->code_at, "code",
                    "the stream goes to address %" PRIu32 ", expected %u", address,
                    chain->state.streams);
    }
    if (code->number == chain->strip->vertex_count) return true;
    ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_SIZE_MISMATCH, chain->code_at, "code",
                "a stream of %" PRIu32 " vectors in a strip of %" PRIu32 " vertices", code->number,
                chain->strip->vertex_count);
    return false;
}

static void read_values(struct chain *chain, const struct ossa__vif_code *code)
{
    struct ossa__context *context = chain->r->context;
    const char *field = ossa__stream_names[OSSA__STREAM_VALUES];
    (void)ossa__read_raw(&chain->reader, field, ossa__stream_shape(OSSA__STREAM_VALUES, code),
                         ossa__stream_length(code));
    if (code->components > 0 && !chain->state.is_open) {
        ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ORDER, chain->code_at, "code",
                    "a stream (command 0x%" PRIx32 ") without a tag before it", code->command);
    } else {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNKNOWN_FLAG, chain->code_at, "code",
                    "command 0x%" PRIx32 " is not one of a known stream; its data is not used",
                    code->command);
    }
}

static void read_stream(struct chain *chain, const struct ossa__vif_code *code,
                        enum ossa__stream stream)
{
    const char *field = ossa__stream_names[stream];
    const void *vectors;
    if (stream == OSSA__STREAM_SKIN) {
        vectors = read_skin(chain, code->number);
        check_skin(chain, vectors, code->number);
    } else {
        vectors = ossa__read_array(&chain->reader, field, ossa__stream_shape(stream, code),
                                   code->number, 0);
    }
    if (!check_stream(chain, code)) return;
    ossa_sotc_strip *strip = chain->strip;
    bool is_float = code->bits == 32 && code->components == 3;
    if (is_float) check_finite(chain, field, vectors, 3ULL * code->number);
    switch (stream) {
    case OSSA__STREAM_POSITIONS: strip->positions = (const float(*)[3])vectors; break;
    case OSSA__STREAM_NORMALS:
        if (is_float) strip->normals = (const float(*)[3])vectors;
        else strip->short_normals = (const int16_t(*)[4])vectors;
        break;
    case OSSA__STREAM_TEXCOORDS:
        if (code->components == 2) strip->texcoords = (const int16_t(*)[2])vectors;
        else strip->texcoords4 = (const int16_t(*)[4])vectors;
        break;
    case OSSA__STREAM_COLOURS: strip->colours = (const uint8_t(*)[4])vectors; break;
    case OSSA__STREAM_SKIN: strip->skin = vectors; break;
    default: strip->others = (const float(*)[3])vectors; break;
    }
}

static uint32_t bit_if(const struct ossa__strip_state *state, enum ossa__stream stream,
                       uint32_t flag)
{
    return (state->seen >> stream & 1) != 0 ? flag : 0;
}

/* What can be said of a strip only when all of it is there. */
static void end_strip(struct chain *chain, uint64_t tag_at, bool is_started)
{
    struct ossa__context *context = chain->r->context;
    struct ossa__strip_state *state = &chain->state;
    uint32_t streams = bit_if(state, OSSA__STREAM_NORMALS, OSSA_SOTC_SURFACE_NORMALS) |
                       bit_if(state, OSSA__STREAM_TEXCOORDS, OSSA_SOTC_SURFACE_TEXTURE) |
                       bit_if(state, OSSA__STREAM_COLOURS, OSSA_SOTC_SURFACE_COLOURS);
    ossa__enter(context, "chain", chain->tag_index);
    if (bit_if(state, OSSA__STREAM_POSITIONS, 1) == 0) {
        ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, tag_at, "tag",
                    "the strip has no positions");
    } else if (chain->draw->surface < chain->r->nmo->surface_count &&
               (chain->flags & STREAM_FLAGS) != streams) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, tag_at, "tag",
                    "the strip has streams for the flags %" PRIu32 ", its surface has %" PRIu32,
                    streams, chain->flags & STREAM_FLAGS);
    }
    if (chain->cycle != state->streams) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, tag_at, "tag",
                    "the strip has %u streams, but the cycle is of %" PRIu32, state->streams,
                    chain->cycle);
    }
    if (!is_started) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, tag_at, "tag",
                    "no code after the strip starts the program that draws it");
    }
    ossa__leave(context);
    state->is_open = false;
}

/* ---- one chain ----------------------------------------------------------------------------- */

static void set_cycle(struct chain *chain, const struct ossa__vif_code *code)
{
    uint32_t length = code->immediate & 0xff;
    uint32_t write = code->immediate >> 8;
    chain->cycle = length;
    if (length > 0 && write == 1) return;
    ossa__issue(chain->r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, chain->code_at, "code",
                "a cycle that writes %" PRIu32 " of %" PRIu32
                " vectors, expected 1 of the number of streams",
                write, length);
}

static void read_code(struct chain *chain, const struct ossa__vif_code *code)
{
    struct ossa__context *context = chain->r->context;
    ossa__enter(context, "chain", chain->index);
    (void)ossa__read_u32(&chain->reader, "code");
    if (code->payload > 0) {
        enum ossa__stream stream = ossa__stream_next(&chain->state, code, chain->flags);
        if (stream == OSSA__STREAM_TAG) read_tag(chain);
        else if (stream == OSSA__STREAM_VALUES) read_values(chain, code);
        else read_stream(chain, code, stream);
    } else if (code->command == OSSA__VIF_CYCLE) {
        set_cycle(chain, code);
    }
    ossa__leave(context);
}

/* What was scanned, so that all codes exist and all data fits. */
static void read_chain(struct chain *chain)
{
    struct ossa__context *context = chain->r->context;
    uint64_t end = chain->reader.end;
    uint64_t tag_at = 0;
    for (chain->index = 0; end - chain->reader.position >= 4 && !context->failed; chain->index++) {
        struct ossa__vif_code code;
        chain->code_at = chain->reader.position;
        (void)ossa__vif_decode(ossa__peek_u32(chain->reader.data, end, chain->code_at), &code);
        bool is_start = ossa__vif_starts(&code);
        bool is_tag = ossa__vif_is_tag(&code);
        if (chain->state.is_open && (is_start || is_tag)) end_strip(chain, tag_at, is_start);
        if (is_tag) tag_at = chain->code_at + 4;
        read_code(chain, &code);
        chain->reader.position = chain->code_at + ossa__vif_size(&code, end - chain->code_at);
    }
    if (chain->state.is_open && !context->failed) end_strip(chain, tag_at, false);
}

/* How many strips a chain has, and how many of its bytes are codes that exist, which are marked. */
static void scan_chain(struct ossa__nmo_reader *r, const struct ossa__reader *reader,
                       ossa_sotc_draw *draw)
{
    uint64_t at = reader->begin;
    for (uint64_t i = 0; reader->end - at >= 4 && !r->context->failed; i++) {
        struct ossa__vif_code code;
        bool exists = ossa__vif_decode(ossa__peek_u32(reader->data, reader->end, at), &code);
        uint64_t size = ossa__vif_size(&code, reader->end - at);
        ossa__enter(r->context, "chain", i);
        if (!exists) {
            ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_UNKNOWN_FLAG, at, "code",
                        "command 0x%" PRIx32 " does not exist; the rest of the chain, %" PRIu64
                        " bytes, is kept as it is",
                        code.command, reader->end - at);
        } else if (size == 0) {
            ossa__fail(r->context, OSSA_CODE_BAD_COUNT, at, "code",
                       "%" PRIu64 " bytes of data cannot fit in the %" PRIu64
                       " bytes left of the chain",
                       code.payload, reader->end - at - 4);
        }
        ossa__leave(r->context);
        if (!exists || r->context->failed) break;
        draw->strips += ossa__vif_is_tag(&code);
        ossa__coverage_mark(&r->coverage, at, 4 + code.payload);
        at += size;
    }
    draw->understood_size = (uint32_t)(at - reader->begin);
}

/* ---- all chains ---------------------------------------------------------------------------- */

/* Shared chains could make a small file expand to gigabytes: those that overlap are not read. */
static void scan_draw(struct ossa__nmo_reader *r, ossa_sotc_draw *draw, uint64_t at,
                      uint64_t *total)
{
    struct ossa__reader reader =
        ossa__reader_window(&r->section, draw->chain_offset, draw->chain_size, "chain_offset",
                            at + OSSA__NMO_CHAIN_OFFSET_AT);
    if (r->context->failed) return;
    *total += draw->chain_size;
    if (*total > r->section.end - r->section.begin ||
        ossa__coverage_touches(&r->coverage, reader.begin, draw->chain_size)) {
        ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_OVERLAP,
                    at + OSSA__NMO_CHAIN_OFFSET_AT, "chain_offset",
                    "the %" PRIu32 " bytes of the chain at 0x%" PRIx32
                    " overlap another field; they are not read",
                    draw->chain_size, draw->chain_offset);
        return;
    }
    if (draw->chain_size % 16 != 0) {
        ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, at, "chain_size",
                    "%" PRIu32 " bytes, expected a multiple of 16", draw->chain_size);
    }
    scan_chain(r, &reader, draw);
}

/* Programs that read the game's files had to give up on these numbers. */
static void check_counts(struct ossa__nmo_reader *r, const ossa_sotc_draw *draw, uint64_t at)
{
    uint64_t triangles = 0;
    if (draw->understood_size != draw->chain_size) return;
    for (uint32_t i = 0; i < draw->strips; i++) {
        uint32_t count = r->nmo->strips[draw->first_strip + i].vertex_count;
        triangles += count > 2 ? count - 2 : 0;
    }
    if (triangles != draw->triangle_count) {
        ossa__issue(r->context, OSSA_SEVERITY_REMARK, OSSA_CODE_SIZE_MISMATCH, at + 20, "triangles",
                    "%" PRIu32 ", but the strips have %" PRIu64 " triangles", draw->triangle_count,
                    triangles);
    }
    if (draw->strips != draw->strip_count) {
        ossa__issue(r->context, OSSA_SEVERITY_REMARK, OSSA_CODE_SIZE_MISMATCH, at + 24, "strips",
                    "%" PRIu32 ", but the chain has %" PRIu32 " strips", draw->strip_count,
                    draw->strips);
    }
}

static void report_odd_skins(struct ossa__nmo_reader *r)
{
    if (r->odd_skins == 0 || r->context->failed) return;
    ossa__enter(r->context, "draws", r->first_odd_draw);
    ossa__enter(r->context, "chain", r->first_odd_code);
    ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, r->first_odd_skin,
                "skin",
                "bones and weights that nobody understands, in %" PRIu32
                " strips, which are shown without them",
                r->odd_skins);
    ossa__leave(r->context);
    ossa__leave(r->context);
}

void ossa__nmo_read_chains(struct ossa__nmo_reader *r)
{
    ossa_sotc_draw *draws = r->draws;
    struct ossa__context *context = r->context;
    ossa_sotc_nmo *nmo = r->nmo;
    uint64_t total = 0;
    uint32_t strips = 0;
    for (uint32_t i = 0; i < nmo->draw_count && !context->failed; i++) {
        ossa__enter(context, "draws", i);
        scan_draw(r, &draws[i], r->draws_at + (uint64_t)OSSA__NMO_DRAW_SIZE * i, &total);
        ossa__leave(context);
        draws[i].first_strip = strips;
        strips += draws[i].strips;
    }
    ossa_sotc_strip *array = ossa__take(context, strips, sizeof *array);
    if (array == NULL) return;
    nmo->strip_count = strips;
    nmo->strips = array;
    for (uint32_t i = 0; i < nmo->draw_count && !context->failed; i++) {
        ossa_sotc_draw *draw = &draws[i];
        struct chain chain = {
            .r = r, .draw = draw, .draw_index = i, .flags = ossa__nmo_flags(nmo, draw)};
        chain.next = array + draw->first_strip;
        chain.reader = ossa__reader_window(&r->section, draw->chain_offset, draw->understood_size,
                                           "chain_offset", 0);
        ossa__enter(context, "draws", i);
        read_chain(&chain);
        if (!context->failed)
            check_counts(r, draw, r->draws_at + (uint64_t)OSSA__NMO_DRAW_SIZE * i);
        ossa__leave(context);
    }
    report_odd_skins(r);
}
