/* SPDX-License-Identifier: MIT
 *
 * sotc-nmo as JSON, and back. Everything is where its offset says; the items of a chain follow each
 * other. `gaps` holds the bytes that no field covers. */
#include "formats/shadow_of_the_colossus/sotc_nmo.h"
#include "formats/shadow_of_the_colossus/sotc_vif.h"

#include "base/bytes.h"
#include "base/json.h"

/* ---- to JSON ------------------------------------------------------------------------------- */

static void dump_bytes(struct ossa__json *json, const char *key, const uint8_t *bytes, size_t count)
{
    ossa__json_key(json, key);
    ossa__json_begin_row(json);
    for (size_t i = 0; i < count; i++) ossa__json_uint(json, bytes[i]);
    ossa__json_end_array(json);
}

static void dump_header(struct ossa__json *json, const ossa_sotc_nmo *nmo)
{
    float floats[4];
    for (unsigned i = 0; i < 4; i++) {
        floats[i] = ossa__f32_from_bits(nmo->header[OSSA__NMO_FLOATS + i]);
    }
    ossa__json_key(json, "header");
    ossa__json_begin_object(json);
    ossa__member_u32s(json, "unknown", nmo->header + OSSA__NMO_UNKNOWN, 6);
    ossa__member_floats(json, "floats", floats, 4);
    for (unsigned i = 0; i < OSSA__NMO_TABLES; i++) {
        const uint32_t *table = nmo->header + OSSA__NMO_TABLE + 4 * (size_t)i;
        ossa__json_key(json, ossa__nmo_table_names[i]);
        ossa__json_begin_object(json);
        ossa__member_uint(json, "offset", table[0]);
        ossa__member_uint(json, "count", table[1]);
        ossa__member_u32s(json, "unknown", table + 2, 2);
        ossa__json_end_object(json);
    }
    ossa__json_end_object(json);
}

static void dump_box(struct ossa__json *json, const ossa_sotc_box *box)
{
    ossa__json_begin_object(json);
    ossa__member_floats(json, "minimum", box->minimum, 4);
    ossa__member_floats(json, "maximum", box->maximum, 4);
    ossa__json_key(json, "links");
    ossa__json_begin_row(json);
    for (unsigned i = 0; i < 4; i++) ossa__json_int(json, box->links[i]);
    ossa__json_end_array(json);
    ossa__json_end_object(json);
}

static void dump_texture(struct ossa__json *json, const ossa_sotc_model_texture *texture)
{
    ossa__json_begin_object(json);
    ossa__xff_dump_name(json, texture->name, texture->name_size, texture->name_offset);
    ossa__member_u32s(json, "words", texture->words, 4);
    ossa__member_uint(json, "number", texture->number);
    ossa__member_uint(json, "unknown", texture->unknown);
    ossa__member_uint(json, "width", texture->width);
    ossa__member_uint(json, "height", texture->height);
    ossa__json_end_object(json);
}

static void dump_surface(struct ossa__json *json, const ossa_sotc_surface *surface)
{
    ossa__json_begin_object(json);
    ossa__xff_dump_name(json, surface->name, surface->name_size, surface->name_offset);
    ossa__member_uint(json, "triangles", surface->triangle_count);
    ossa__member_uint(json, "strips", surface->strip_count);
    dump_bytes(json, "tint", surface->tint, 4);
    ossa__member_float(json, "alpha", surface->alpha);
    ossa__member_uint(json, "flags", surface->flags);
    ossa__member_uint(json, "texture_mode", surface->texture_mode);
    ossa__json_key(json, "stages");
    ossa__json_begin_array(json);
    for (unsigned i = 0; i < 2; i++) {
        const ossa_sotc_stage *stage = &surface->stages[i];
        ossa__json_begin_object(json);
        dump_bytes(json, "bytes", stage->bytes, 4);
        ossa__member_float(json, "number", stage->number);
        ossa__member_uint(json, "word", stage->word);
        ossa__member_uint(json, "texture", stage->texture);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
    ossa__member_u32s(json, "words", surface->words, 8);
    ossa__member_u32s(json, "packet", surface->packet, OSSA__NMO_PACKET_WORDS);
    ossa__json_end_object(json);
}

static void dump_scalar(struct ossa__json *json, ossa_field_type type, const uint8_t *bytes)
{
    switch (type) {
    case OSSA_FIELD_TYPE_F32:
        ossa__json_float(json, ossa__f32_from_bits(ossa__load_u32(bytes)));
        break;
    case OSSA_FIELD_TYPE_U32: ossa__json_uint(json, ossa__load_u32(bytes)); break;
    case OSSA_FIELD_TYPE_I16: ossa__json_int(json, (int16_t)ossa__load_u16(bytes)); break;
    case OSSA_FIELD_TYPE_U16: ossa__json_uint(json, ossa__load_u16(bytes)); break;
    default: ossa__json_uint(json, bytes[0]); break;
    }
}

/* The type of member `m` of a vector. */
static ossa_field_type member_type(enum ossa__stream stream, const struct ossa__shape *shape,
                                   unsigned m)
{
    if (stream != OSSA__STREAM_SKIN) return shape->type;
    return m < 3 ? OSSA_FIELD_TYPE_F32 : OSSA_FIELD_TYPE_U32;
}

static void dump_stream(struct ossa__json *json, enum ossa__stream stream,
                        const struct ossa__vif_code *code, const uint8_t *bytes)
{
    const struct ossa__shape *shape = ossa__stream_shape(stream, code);
    uint64_t count = ossa__stream_length(code);
    bool is_row = shape->members == 1 || stream == OSSA__STREAM_TAG;
    ossa__json_key(json, ossa__stream_names[stream]);
    ossa__json_begin_row(json);
    for (uint64_t i = 0; i < count; i++) {
        if (!is_row) ossa__json_begin_row(json);
        for (unsigned m = 0; m < shape->members; m++) {
            dump_scalar(json, member_type(stream, shape, m), bytes);
            bytes += ossa__type_size(shape->type);
        }
        if (!is_row) ossa__json_end_array(json);
    }
    ossa__json_end_array(json);
}

/* From the image: the strips do not have what is not understood. */
static void dump_chain(struct ossa__json *json, const ossa_sotc_nmo *nmo,
                       const ossa_sotc_draw *draw)
{
    struct ossa__strip_state state = {0};
    const uint8_t *bytes = nmo->container.image + nmo->section_offset + draw->chain_offset;
    ossa__json_key(json, "chain");
    ossa__json_begin_array(json);
    for (uint64_t at = 0; draw->understood_size - at >= 4;) {
        struct ossa__vif_code code;
        uint32_t word = ossa__load_u32(bytes + at);
        (void)ossa__vif_decode(word, &code);
        ossa__json_begin_object(json);
        ossa__member_uint(json, "code", word);
        if (code.payload > 0) {
            enum ossa__stream stream = ossa__stream_next(&state, &code, ossa__nmo_flags(nmo, draw));
            dump_stream(json, stream, &code, bytes + at + 4);
        } else if (ossa__vif_starts(&code)) {
            state.is_open = false;
        }
        ossa__json_end_object(json);
        at += ossa__vif_size(&code, draw->understood_size - at);
    }
    ossa__json_end_array(json);
}

static void dump_draw(struct ossa__json *json, const ossa_sotc_nmo *nmo, const ossa_sotc_draw *draw)
{
    ossa__json_begin_object(json);
    ossa__member_uint(json, "surface", draw->surface);
    ossa__member_uint(json, "chain_offset", draw->chain_offset);
    ossa__member_uint(json, "chain_size", draw->chain_size);
    ossa__member_uint(json, "triangles", draw->triangle_count);
    ossa__member_uint(json, "strips", draw->strip_count);
    ossa__member_uint(json, "unknown", draw->unknown);
    ossa__member_uint(json, "three", draw->three);
    ossa__member_uint(json, "last", draw->last);
    dump_chain(json, nmo, draw);
    ossa__json_end_object(json);
}

void ossa__nmo_dump(const void *contents, struct ossa__json *json)
{
    const ossa_sotc_nmo *nmo = contents;
    ossa__json_key(json, "name");
    ossa__xff_dump_text(json, nmo->name, nmo->name_size);
    dump_header(json, nmo);
    ossa__json_key(json, "textures");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < nmo->texture_count; i++) dump_texture(json, &nmo->textures[i]);
    ossa__json_end_array(json);
    ossa__json_key(json, "surfaces");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < nmo->surface_count; i++) dump_surface(json, &nmo->surfaces[i]);
    ossa__json_end_array(json);
    ossa__json_key(json, "draws");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < nmo->draw_count; i++) dump_draw(json, nmo, &nmo->draws[i]);
    ossa__json_end_array(json);
    ossa__json_key(json, "boxes");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < nmo->box_count; i++) dump_box(json, &nmo->boxes[i]);
    ossa__json_end_array(json);
    ossa__xff_dump(&nmo->container, json);
}

/* ---- from JSON ----------------------------------------------------------------------------- */

/* The file being built. */
struct builder {
    struct ossa__image image;
    uint64_t section;                  /* where section 1 starts */
    uint64_t at;                       /* where the next value goes */
    uint32_t tables[OSSA__NMO_TABLES]; /* offsets */
    bool has_name;
};

static void put_u32(struct builder *b, const struct ossa__value *object, const char *key)
{
    struct ossa__value value = ossa__value_member(object, key);
    ossa__image_put_u32(&b->image, b->at, ossa__value_u32(&value), &value);
    b->at += 4;
}

static void put_u16(struct builder *b, const struct ossa__value *object, const char *key)
{
    struct ossa__value value = ossa__value_member(object, key);
    ossa__image_put_u16(&b->image, b->at, (uint16_t)ossa__value_integer(&value, 0, UINT16_MAX),
                        &value);
    b->at += 2;
}

static void put_f32(struct builder *b, const struct ossa__value *object, const char *key)
{
    struct ossa__value value = ossa__value_member(object, key);
    uint32_t bits = ossa__value_f32_bits(&value);
    ossa__image_put_u32(&b->image, b->at, bits, &value);
    b->at += 4;
}

static void put_scalar(struct builder *b, const struct ossa__value *value, ossa_field_type type)
{
    uint8_t byte;
    switch (type) {
    case OSSA_FIELD_TYPE_F32:
        ossa__image_put_u32(&b->image, b->at, ossa__value_f32_bits(value), value);
        break;
    case OSSA_FIELD_TYPE_U32:
        ossa__image_put_u32(&b->image, b->at, ossa__value_u32(value), value);
        break;
    case OSSA_FIELD_TYPE_I32:
        ossa__image_put_u32(&b->image, b->at,
                            (uint32_t)ossa__value_integer(value, INT32_MIN, INT32_MAX), value);
        break;
    case OSSA_FIELD_TYPE_I16:
        ossa__image_put_u16(&b->image, b->at,
                            (uint16_t)ossa__value_integer(value, INT16_MIN, INT16_MAX), value);
        break;
    case OSSA_FIELD_TYPE_U16:
        ossa__image_put_u16(&b->image, b->at, (uint16_t)ossa__value_integer(value, 0, UINT16_MAX),
                            value);
        break;
    default:
        byte = (uint8_t)ossa__value_integer(value, 0, UINT8_MAX);
        ossa__image_put(&b->image, b->at, &byte, 1, value);
        break;
    }
    b->at += ossa__type_size(type);
}

/* An array of just so many numbers. */
static void put_row(struct builder *b, const struct ossa__value *object, const char *key,
                    ossa_field_type type, size_t count)
{
    struct ossa__value row = ossa__value_member(object, key);
    if (!ossa__value_expect_length(&row, count)) return;
    for (size_t i = 0; i < count && !b->image.context->failed; i++) {
        struct ossa__value value = ossa__value_item(&row, i);
        put_scalar(b, &value, type);
    }
}

static void put_mark(struct builder *b, const char *mark, const struct ossa__value *where)
{
    ossa__image_put(&b->image, b->at, (const uint8_t *)mark, 4, where);
    b->at += 4;
}

/* A name at an offset, which is stored too. */
static void put_name(struct builder *b, const struct ossa__value *object)
{
    ossa__xff_build_name(&b->image, object, b->section, b->at);
    b->at += 4;
}

/* Counts are stored as well, so an array of another length differs from that. */
static void build_header(struct builder *b, const struct ossa__value *data, uint64_t at)
{
    struct ossa__value header = ossa__value_member(data, "header");
    ossa__value_allow(&header, "unknown floats boxes textures surfaces draws name");
    b->at = at;
    put_mark(b, "NMO", &header);
    ossa__image_put_u32(&b->image, b->at, OSSA__NMO_VERSION, &header);
    b->at += 4;
    put_row(b, &header, "unknown", OSSA_FIELD_TYPE_U32, 6);
    put_row(b, &header, "floats", OSSA_FIELD_TYPE_F32, 4);
    for (unsigned i = 0; i < OSSA__NMO_TABLES && !b->image.context->failed; i++) {
        struct ossa__value table = ossa__value_member(&header, ossa__nmo_table_names[i]);
        ossa__value_allow(&table, "offset count unknown");
        struct ossa__value offset = ossa__value_member(&table, "offset");
        b->tables[i] = ossa__value_u32(&offset);
        put_u32(b, &table, "offset");
        bool is_counted =
            i == OSSA__NMO_TEXTURES || i == OSSA__NMO_SURFACES || i == OSSA__NMO_DRAWS;
        if (is_counted) {
            struct ossa__value list = ossa__value_member(data, ossa__nmo_table_names[i]);
            ossa__image_put_u32(&b->image, b->at, (uint32_t)ossa__value_length(&list), &list);
        }
        struct ossa__value number = ossa__value_member(&table, "count");
        if (i == OSSA__NMO_NAME) b->has_name = ossa__value_u32(&number) != 0;
        put_u32(b, &table, "count");
        put_row(b, &table, "unknown", OSSA_FIELD_TYPE_U32, 2);
    }
}

static void build_texture(struct builder *b, const struct ossa__value *texture)
{
    ossa__value_allow(texture, "name name_position words number unknown width height");
    put_mark(b, "TEX", texture);
    put_name(b, texture);
    put_row(b, texture, "words", OSSA_FIELD_TYPE_U32, 4);
    put_u16(b, texture, "number");
    put_u16(b, texture, "unknown");
    put_u16(b, texture, "width");
    put_u16(b, texture, "height");
}

static void build_surface(struct builder *b, const struct ossa__value *surface)
{
    ossa__value_allow(surface, "name name_position triangles strips tint alpha flags texture_mode "
                               "stages words packet");
    put_mark(b, "SRF", surface);
    put_u32(b, surface, "triangles");
    put_u32(b, surface, "strips");
    put_name(b, surface);
    put_row(b, surface, "tint", OSSA_FIELD_TYPE_U8, 4);
    put_f32(b, surface, "alpha");
    put_u32(b, surface, "flags");
    put_u32(b, surface, "texture_mode");
    struct ossa__value stages = ossa__value_member(surface, "stages");
    if (!ossa__value_expect_length(&stages, 2)) return;
    for (unsigned i = 0; i < 2; i++) {
        struct ossa__value stage = ossa__value_item(&stages, i);
        ossa__value_allow(&stage, "bytes number word texture");
        put_row(b, &stage, "bytes", OSSA_FIELD_TYPE_U8, 4);
        put_f32(b, &stage, "number");
        put_u32(b, &stage, "word");
        put_u32(b, &stage, "texture");
    }
    put_row(b, surface, "words", OSSA_FIELD_TYPE_U32, 8);
    put_row(b, surface, "packet", OSSA_FIELD_TYPE_U32, OSSA__NMO_PACKET_WORDS);
}

static void build_box(struct builder *b, const struct ossa__value *box)
{
    ossa__value_allow(box, "minimum maximum links");
    put_row(b, box, "minimum", OSSA_FIELD_TYPE_F32, 4);
    put_row(b, box, "maximum", OSSA_FIELD_TYPE_F32, 4);
    put_row(b, box, "links", OSSA_FIELD_TYPE_I32, 4);
}

static void build_vectors(struct builder *b, const struct ossa__value *list,
                          enum ossa__stream stream, const struct ossa__vif_code *code)
{
    const struct ossa__shape *shape = ossa__stream_shape(stream, code);
    size_t count = (size_t)ossa__stream_length(code);
    bool is_row = shape->members == 1 || stream == OSSA__STREAM_TAG;
    if (!ossa__value_expect_length(list, is_row ? count * shape->members : count)) return;
    for (size_t i = 0; i < count && !b->image.context->failed; i++) {
        struct ossa__value row = is_row ? *list : ossa__value_item(list, i);
        if (!is_row && !ossa__value_expect_length(&row, shape->members)) return;
        for (unsigned m = 0; m < shape->members; m++) {
            struct ossa__value value = ossa__value_item(&row, is_row ? i * shape->members + m : m);
            put_scalar(b, &value, member_type(stream, shape, m));
        }
    }
}

/* What a stream is called is for people: it must only be of the code's type. */
static void build_code(struct builder *b, const struct ossa__value *item)
{
    ossa__value_allow(item, "code tag positions normals texcoords colours skin others values");
    struct ossa__value word = ossa__value_member(item, "code");
    struct ossa__vif_code code;
    if (!ossa__vif_decode(ossa__value_u32(&word), &code)) {
        ossa__value_fail(&word, "is not a code");
    }
    uint64_t end = b->at + 4 + (code.payload + 3) / 4 * 4;
    put_u32(b, item, "code");
    unsigned found = 0;
    for (unsigned s = 0; s < OSSA__STREAM_COUNT && !b->image.context->failed; s++) {
        struct ossa__value list = ossa__value_optional(item, ossa__stream_names[s]);
        if (list.node == NULL) continue;
        found++;
        bool fits = s != OSSA__STREAM_SKIN || code.command == OSSA__VIF_UNPACK_TAG;
        if (!fits || found > 1) ossa__value_fail(&list, "is not what follows this code");
        else build_vectors(b, &list, (enum ossa__stream)s, &code);
    }
    if (found != (code.payload > 0 ? 1U : 0U)) {
        ossa__value_fail(item, code.payload > 0 ? "lacks what follows this code"
                                                : "has more than this code");
    }
    b->at = end; /* the padding is in the gaps */
}

static void build_draw(struct builder *b, const struct ossa__value *draw)
{
    ossa__value_allow(draw, "surface chain_offset chain_size triangles strips unknown three last "
                            "chain");
    struct ossa__value offset = ossa__value_member(draw, "chain_offset");
    struct ossa__value chain = ossa__value_member(draw, "chain");
    put_u32(b, draw, "chain_size");
    put_u32(b, draw, "unknown");
    put_u32(b, draw, "surface");
    put_u32(b, draw, "three");
    put_u32(b, draw, "chain_offset");
    put_u32(b, draw, "triangles");
    put_u32(b, draw, "strips");
    put_u32(b, draw, "last");
    uint64_t next = b->at;
    size_t count = ossa__value_length(&chain);
    b->at = b->section + ossa__value_u32(&offset);
    for (size_t i = 0; i < count && !b->image.context->failed; i++) {
        struct ossa__value item = ossa__value_item(&chain, i);
        build_code(b, &item);
    }
    b->at = next;
}

static void build_table(struct builder *b, const struct ossa__value *data,
                        enum ossa__nmo_table table,
                        void (*build)(struct builder *b, const struct ossa__value *record))
{
    struct ossa__value list = ossa__value_member(data, ossa__nmo_table_names[table]);
    size_t count = ossa__value_length(&list);
    b->at = b->section + b->tables[table];
    for (size_t i = 0; i < count && !b->image.context->failed; i++) {
        struct ossa__value record = ossa__value_item(&list, i);
        build(b, &record);
    }
}

void *ossa__nmo_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    struct builder b = {0};
    ossa__value_allow(data, "name header textures surfaces draws boxes container gaps");
    ossa_sotc_nmo *nmo = ossa__take(context, 1, sizeof *nmo);
    if (!ossa__image_init(&b.image, context, size)) return NULL;
    /* Writing needs only the image. */
    *nmo = (ossa_sotc_nmo){.name = ""};
    ossa__xff_build(&b.image, data, &nmo->container);
    if (!ossa__xff_build_data(data, &nmo->container, &b.section)) return NULL;
    build_header(&b, data, b.section + nmo->container.words[OSSA__XFF_ENTRY]);
    if (b.has_name) {
        struct ossa__value name = ossa__value_member(data, "name");
        ossa__xff_build_text(&b.image, &name, b.section + b.tables[OSSA__NMO_NAME]);
    }
    build_table(&b, data, OSSA__NMO_TEXTURES, build_texture);
    build_table(&b, data, OSSA__NMO_SURFACES, build_surface);
    build_table(&b, data, OSSA__NMO_DRAWS, build_draw);
    build_table(&b, data, OSSA__NMO_BOXES, build_box);
    ossa__image_finish(&b.image, data);
    return nmo;
}
