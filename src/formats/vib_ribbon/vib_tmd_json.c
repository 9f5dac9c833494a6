/* SPDX-License-Identifier: MIT
 *
 * vib-tmd as JSON and back. Everything is where its offset says: building puts each value in its
 * place in an image, and what no array covers comes from `gaps`. */
#include "formats/vib_ribbon/vib_tmd.h"

#include "base/json.h"

/* ---- dump ---------------------------------------------------------------------------------- */

static void dump_vertices(struct ossa__json *json, const char *key, const ossa_vib_vertex *vertices,
                          uint32_t count)
{
    ossa__json_key(json, key);
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < count; i++) {
        const ossa_vib_vertex *v = &vertices[i];
        const int16_t members[4] = {v->x, v->y, v->z, v->pad};
        ossa__json_begin_row(json);
        for (unsigned m = 0; m < 4; m++) ossa__json_int(json, members[m]);
        ossa__json_end_array(json);
    }
    ossa__json_end_array(json);
}

static void dump_primitive(struct ossa__json *json, const ossa_vib_primitive *primitive)
{
    ossa__json_begin_object(json);
    ossa__member_uint(json, "olen", primitive->olen);
    ossa__member_uint(json, "ilen", primitive->ilen);
    ossa__member_uint(json, "flag", primitive->flag);
    ossa__member_uint(json, "mode", primitive->mode);
    ossa__member_u32s(json, "words", primitive->words, primitive->ilen);
    ossa__json_end_object(json);
}

static void dump_object(struct ossa__json *json, const ossa_vib_object *object)
{
    ossa__json_begin_object(json);
    ossa__member_uint(json, "vertices_offset", object->vertices_offset);
    ossa__member_uint(json, "normals_offset", object->normals_offset);
    ossa__member_uint(json, "primitives_offset", object->primitives_offset);
    ossa__member_int(json, "scale", object->scale);
    dump_vertices(json, "vertices", object->vertices, object->vertex_count);
    dump_vertices(json, "normals", object->normals, object->normal_count);
    ossa__json_key(json, "primitives");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < object->primitive_count; i++)
        dump_primitive(json, &object->primitives[i]);
    ossa__json_end_array(json);
    ossa__json_end_object(json);
}

void ossa__tmd_dump(const void *contents, struct ossa__json *json)
{
    const ossa_vib_tmd *tmd = contents;
    ossa__member_uint(json, "flags", tmd->flags);
    ossa__json_key(json, "objects");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < tmd->object_count; i++) dump_object(json, &tmd->objects[i]);
    ossa__json_end_array(json);
    ossa__gaps_dump(json, tmd->gaps, tmd->gap_count, tmd->image);
}

/* ---- build --------------------------------------------------------------------------------- */

/* The file being put together. */
struct builder {
    struct ossa__image image;
    uint64_t base; /* what offsets count from */
};

/* The offset of an array and how many items it has, in two words at `at`. Gives where it starts. */
static uint64_t build_place(struct builder *b, const struct ossa__value *object,
                            const char *offset_key, const char *key, uint64_t at)
{
    struct ossa__value offset = ossa__value_member(object, offset_key);
    struct ossa__value items = ossa__value_member(object, key);
    uint32_t number = ossa__value_u32(&offset);
    ossa__image_put_u32(&b->image, at, number, &offset);
    ossa__image_put_u32(&b->image, at + 4, (uint32_t)ossa__value_length(&items), &items);
    return b->base + number;
}

static void build_vertices(struct builder *b, const struct ossa__value *object, const char *key,
                           uint64_t at)
{
    struct ossa__value list = ossa__value_member(object, key);
    size_t count = ossa__value_length(&list);
    for (size_t i = 0; i < count && !b->image.context->failed; i++) {
        struct ossa__value row = ossa__value_item(&list, i);
        int64_t members[4];
        ossa__value_integers(&row, 4, INT16_MIN, INT16_MAX, members);
        for (unsigned m = 0; m < 4; m++) {
            uint64_t place = at + OSSA__TMD_VERTEX_SIZE * (uint64_t)i + 2ULL * m;
            ossa__image_put_u16(&b->image, place, (uint16_t)members[m], &row);
        }
    }
}

/* Gives the bytes that the packet takes. */
static uint64_t build_primitive(struct builder *b, const struct ossa__value *primitive, uint64_t at)
{
    static const char *const keys[4] = {"olen", "ilen", "flag", "mode"};
    ossa__value_allow(primitive, "olen ilen flag mode words");
    uint8_t head[4];
    for (unsigned i = 0; i < 4; i++) {
        struct ossa__value byte = ossa__value_member(primitive, keys[i]);
        head[i] = (uint8_t)ossa__value_integer(&byte, 0, UINT8_MAX);
        ossa__image_put(&b->image, at + i, &head[i], 1, &byte);
    }
    struct ossa__value words = ossa__value_member(primitive, "words");
    if (!ossa__value_expect_length(&words, head[1])) return 0;
    for (unsigned i = 0; i < head[1]; i++) {
        struct ossa__value word = ossa__value_item(&words, i);
        ossa__image_put_u32(&b->image, at + OSSA__TMD_PACKET_SIZE + 4ULL * i,
                            ossa__value_u32(&word), &word);
    }
    return OSSA__TMD_PACKET_SIZE + 4 * (uint64_t)head[1];
}

static void build_object(struct builder *b, const struct ossa__value *object, uint64_t at)
{
    ossa__value_allow(object, "vertices_offset normals_offset primitives_offset scale vertices "
                              "normals primitives");
    build_vertices(b, object, "vertices",
                   build_place(b, object, "vertices_offset", "vertices", at));
    build_vertices(b, object, "normals",
                   build_place(b, object, "normals_offset", "normals", at + 8));
    uint64_t place = build_place(b, object, "primitives_offset", "primitives", at + 16);
    struct ossa__value scale = ossa__value_member(object, "scale");
    int64_t number = ossa__value_integer(&scale, INT32_MIN, INT32_MAX);
    ossa__image_put_u32(&b->image, at + 24, (uint32_t)number, &scale);
    struct ossa__value list = ossa__value_member(object, "primitives");
    size_t count = ossa__value_length(&list);
    for (size_t i = 0; i < count && !b->image.context->failed; i++) {
        struct ossa__value primitive = ossa__value_item(&list, i);
        place += build_primitive(b, &primitive, place);
    }
}

void *ossa__tmd_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    struct builder b;
    ossa__value_allow(data, "flags objects gaps");
    ossa_vib_tmd *tmd = ossa__take(context, 1, sizeof *tmd);
    if (!ossa__image_init(&b.image, context, size)) return NULL;
    struct ossa__value flags = ossa__value_member(data, "flags");
    struct ossa__value objects = ossa__value_member(data, "objects");
    uint32_t bits = ossa__value_u32(&flags);
    size_t count = ossa__value_length(&objects);
    b.base = ossa__tmd_base(bits);
    ossa__image_put_u32(&b.image, 0, OSSA__TMD_ID, data);
    ossa__image_put_u32(&b.image, 4, bits, &flags);
    ossa__image_put_u32(&b.image, 8, (uint32_t)count, &objects);
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value object = ossa__value_item(&objects, i);
        build_object(&b, &object, OSSA__TMD_HEADER_SIZE + (uint64_t)i * OSSA__TMD_OBJECT_SIZE);
    }
    ossa__image_put_gaps(&b.image, data);
    ossa__image_finish(&b.image, data);
    /* The image is all there is to write: this struct has no object that could be put back. */
    *tmd = (ossa_vib_tmd){.image = b.image.bytes, .image_size = size};
    return tmd;
}
