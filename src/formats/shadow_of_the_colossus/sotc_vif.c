/* SPDX-License-Identifier: MIT */
#include "formats/shadow_of_the_colossus/sotc_vif.h"

#include "ossa/games/shadow_of_the_colossus.h"

const char *const ossa__stream_names[OSSA__STREAM_COUNT] = {
    "tag", "positions", "normals", "texcoords", "colours", "skin", "others", "values"};

/* ---- codes --------------------------------------------------------------------------------- */

static bool decode_unpack(struct ossa__vif_code *code)
{
    unsigned width = code->command & 3;
    code->components = (code->command >> 2 & 3) + 1;
    code->bits = width == 3 ? 5 : 32U >> width;
    if (width == 3 && code->components != 4) return false;
    /* A vector of 5 bits a component is 16 bits. */
    code->payload = (uint64_t)code->number * (width == 3 ? 2 : code->components * code->bits / 8);
    return true;
}

bool ossa__vif_decode(uint32_t word, struct ossa__vif_code *code)
{
    *code = (struct ossa__vif_code){
        .command = word >> 24 & 0x7f, .number = word >> 16 & 0xff, .immediate = word & 0xffff};
    if (code->number == 0) code->number = 256;
    if (code->command >= 0x60) return decode_unpack(code);
    switch (code->command) {
    case 0x20: code->payload = 4; return true;
    case 0x30:
    case 0x31: code->payload = 16; return true;
    case 0x4A: code->payload = 8ULL * code->number; return true;
    case OSSA__VIF_DIRECT:
    case OSSA__VIF_DIRECT + 1:
        code->payload = 16ULL * (code->immediate == 0 ? 0x10000 : code->immediate);
        return true;
    case 0x10:
    case 0x11:
    case 0x13: return true; /* flush */
    default: return code->command <= 7 || ossa__vif_starts(code);
    }
}

uint64_t ossa__vif_size(const struct ossa__vif_code *code, uint64_t left)
{
    if (left < 4 || code->payload > left - 4) return 0;
    uint64_t size = 4 + (code->payload + 3) / 4 * 4;
    return size < left ? size : left;
}

bool ossa__vif_starts(const struct ossa__vif_code *code)
{
    return code->command >= OSSA__VIF_START_FIRST && code->command <= OSSA__VIF_START_LAST &&
           code->command != 0x16;
}

bool ossa__vif_is_tag(const struct ossa__vif_code *code)
{
    return code->command == OSSA__VIF_UNPACK_TAG && code->number == 1 &&
           (code->immediate & 0x3ff) == 0;
}

/* ---- streams ------------------------------------------------------------------------------- */

static bool is_new(const struct ossa__strip_state *state, enum ossa__stream stream)
{
    return (state->seen >> stream & 1) == 0;
}

/* The types tell streams apart, but for normals: whether there are any is up to the surface. */
static enum ossa__stream choose(const struct ossa__strip_state *state,
                                const struct ossa__vif_code *code, bool has_normals)
{
    bool is_vec3 = code->command == 0x68;
    bool is_short4 = code->command == 0x6D;
    if (!state->is_open) return OSSA__STREAM_VALUES;
    if (is_new(state, OSSA__STREAM_POSITIONS)) {
        return is_vec3 ? OSSA__STREAM_POSITIONS : OSSA__STREAM_VALUES;
    }
    if (has_normals && is_new(state, OSSA__STREAM_NORMALS) && (is_vec3 || is_short4)) {
        return OSSA__STREAM_NORMALS;
    }
    if (is_vec3) return OSSA__STREAM_OTHERS;
    if (is_short4 || code->command == 0x65) return OSSA__STREAM_TEXCOORDS;
    if (code->command == 0x6E) return OSSA__STREAM_COLOURS;
    return code->command == OSSA__VIF_UNPACK_TAG ? OSSA__STREAM_SKIN : OSSA__STREAM_VALUES;
}

enum ossa__stream ossa__stream_next(struct ossa__strip_state *state,
                                    const struct ossa__vif_code *code, uint32_t surface_flags)
{
    if (code->components == 0) return OSSA__STREAM_VALUES;
    if (ossa__vif_is_tag(code)) {
        *state = (struct ossa__strip_state){.is_open = true};
        return OSSA__STREAM_TAG;
    }
    enum ossa__stream stream =
        choose(state, code, (surface_flags & OSSA_SOTC_SURFACE_NORMALS) != 0);
    state->streams++;
    if (!is_new(state, stream)) return OSSA__STREAM_VALUES;
    if (stream != OSSA__STREAM_VALUES) state->seen |= 1U << stream;
    return stream;
}

const struct ossa__shape *ossa__stream_shape(enum ossa__stream stream,
                                             const struct ossa__vif_code *code)
{
    static const struct ossa__shape words[4] = {{OSSA_FIELD_TYPE_U32, 1, {NULL}},
                                                {OSSA_FIELD_TYPE_U32, 2, {NULL}},
                                                {OSSA_FIELD_TYPE_U32, 3, {NULL}},
                                                {OSSA_FIELD_TYPE_U32, 4, {NULL}}};
    static const struct ossa__shape shorts[4] = {{OSSA_FIELD_TYPE_I16, 1, {NULL}},
                                                 {OSSA_FIELD_TYPE_I16, 2, {NULL}},
                                                 {OSSA_FIELD_TYPE_I16, 3, {NULL}},
                                                 {OSSA_FIELD_TYPE_I16, 4, {NULL}}};
    static const struct ossa__shape bytes[4] = {{OSSA_FIELD_TYPE_U8, 1, {NULL}},
                                                {OSSA_FIELD_TYPE_U8, 2, {NULL}},
                                                {OSSA_FIELD_TYPE_U8, 3, {NULL}},
                                                {OSSA_FIELD_TYPE_U8, 4, {NULL}}};
    bool is_float = stream == OSSA__STREAM_POSITIONS || stream == OSSA__STREAM_NORMALS ||
                    stream == OSSA__STREAM_OTHERS;
    if (code->components == 0) return &words[0];
    switch (code->bits) {
    case 32: return is_float ? &ossa__shape_vec3 : &words[code->components - 1];
    case 16: return &shorts[code->components - 1];
    case 8: return &bytes[code->components - 1];
    default: return &ossa__shape_u16;
    }
}

uint64_t ossa__stream_length(const struct ossa__vif_code *code)
{
    return code->components == 0 ? code->payload / 4 : code->number;
}
