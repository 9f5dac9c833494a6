/* SPDX-License-Identifier: MIT
 *
 * vib-tmd: a PlayStation model. Those of Vib-Ribbon have a few dozen objects made of lines; this
 * reads any TMD.
 *
 *     0x00  u32  id              0x41
 *     0x04  u32  flags           bit 0: offsets are absolute, else they count from 0x0C
 *     0x08  u32  object_count
 *     0x0C  object_count times
 *           u32 vertices_offset, vertex_count, normals_offset, normal_count, primitives_offset,
 *           primitive_count; i32 scale
 *     vertex, normal:  i16 x, y, z, pad              a normal of 1.0 is 4096
 *     primitive:       u8 olen, ilen, flag, mode; u32 words[ilen]
 *
 * The words of a primitive are described in vib_packet.c. The arrays may be in any order, so the
 * file is kept as its image. In the JSON everything is where its offset says, and `gaps` holds the
 * bytes that no array covers. Unknown: whether anything uses `scale`. */
#include "formats/vib_ribbon/vib_packet.h"

#include "base/json.h"
#include "codec/image.h"
#include "formats/modules.h"

#include <inttypes.h>
#include <string.h>

enum {
    TMD_ID = 0x41,
    FIXP = 1, /* of the flags: offsets are absolute */
    HEADER_SIZE = 12,
    OBJECT_SIZE = 28,
    VERTEX_SIZE = 8,
    PACKET_SIZE = 4,   /* without its words */
    MOST_UNPACKED = 4, /* the arrays take at most this many times the size of the file */
};

static const struct ossa__shape shape_vertex = {OSSA_FIELD_TYPE_I16, 4, {"x", "y", "z", "pad"}};
static const struct ossa__shape shape_packet = {
    OSSA_FIELD_TYPE_U8, 4, {"olen", "ilen", "flag", "mode"}};
static const struct ossa__shape shape_scale = {OSSA_FIELD_TYPE_I32, 1, {NULL}};

/* What offsets count from. */
static uint64_t base_of(uint32_t flags)
{
    return (flags & FIXP) != 0 ? 0 : HEADER_SIZE;
}

/* ---- probe --------------------------------------------------------------------------------- */

static bool fits(uint64_t size, uint64_t offset, uint64_t count, uint64_t stride)
{
    return count == 0 || (offset <= size && count <= (size - offset) / stride);
}

static ossa_confidence probe_tmd(const uint8_t *data, uint64_t size)
{
    if (size < HEADER_SIZE) return OSSA_CONFIDENCE_NONE;
    uint32_t flags = ossa__peek_u32(data, size, 4);
    uint64_t count = ossa__peek_u32(data, size, 8);
    if (ossa__peek_u32(data, size, 0) != TMD_ID || flags > FIXP) return OSSA_CONFIDENCE_NONE;
    if (!fits(size, HEADER_SIZE, count, OBJECT_SIZE)) return OSSA_CONFIDENCE_DAMAGED;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t at = HEADER_SIZE + i * OBJECT_SIZE;
        for (unsigned array = 0; array < 3; array++) {
            uint64_t offset = base_of(flags) + ossa__peek_u32(data, size, at + 8ULL * array);
            uint64_t items = ossa__peek_u32(data, size, at + 8ULL * array + 4);
            uint64_t stride = array == 2 ? PACKET_SIZE : VERTEX_SIZE;
            if (!fits(size, offset, items, stride)) return OSSA_CONFIDENCE_DAMAGED;
        }
    }
    return OSSA_CONFIDENCE_SIGNATURE;
}

static bool may_begin(const uint8_t *start, uint64_t size)
{
    return ossa__peek_u32(start, size, 0) == TMD_ID;
}

/* ---- read ---------------------------------------------------------------------------------- */

/* One file being read. */
struct tmd_reader {
    struct ossa__context *context;
    struct ossa__reader file;
    struct ossa__coverage coverage;
    ossa_vib_tmd *tmd;
    uint64_t unpacked; /* bytes that the arrays take together */
};

/* One of the three arrays of an object, before it is read. */
struct array {
    const char *offset_field;
    const char *count_field;
    const char *field;
    uint64_t stride; /* minimum bytes per item */
    uint64_t at;     /* where its offset is */
    uint64_t offset; /* absolute */
    uint32_t count;
    uint64_t size; /* in bytes */
};

static struct array array_of(const ossa_vib_tmd *tmd, uint32_t object, unsigned which)
{
    static const char *const names[3][3] = {{"vertices_offset", "vertex_count", "vertices"},
                                            {"normals_offset", "normal_count", "normals"},
                                            {"primitives_offset", "primitive_count", "primitives"}};
    const ossa_vib_object *o = &tmd->objects[object];
    const uint32_t offsets[3] = {o->vertices_offset, o->normals_offset, o->primitives_offset};
    const uint32_t counts[3] = {o->vertex_count, o->normal_count, o->primitive_count};
    struct array array = {.offset_field = names[which][0],
                          .count_field = names[which][1],
                          .field = names[which][2],
                          .stride = which == 2 ? PACKET_SIZE : VERTEX_SIZE,
                          .at = HEADER_SIZE + (uint64_t)object * OBJECT_SIZE + 8ULL * which,
                          .offset = base_of(tmd->flags) + offsets[which],
                          .count = counts[which]};
    if (array.count == 0) array.offset = 0; /* the offset does not matter */
    array.size = array.count * array.stride;
    return array;
}

/* The size of the packets in bytes. Stops once it exceeds `room`; fails at the end of the file. */
static uint64_t packets_size(struct tmd_reader *r, const struct array *array, uint64_t room)
{
    uint64_t end = r->file.end;
    uint64_t at = array->offset;
    for (uint32_t i = 0; i < array->count && at - array->offset <= room; i++) {
        uint64_t left = end - at;
        uint64_t size = left < PACKET_SIZE ? PACKET_SIZE : 4 + 4 * (uint64_t)r->file.data[at + 1];
        if (size > left) {
            ossa__enter(r->context, "primitives", i);
            ossa__fail(r->context, OSSA_CODE_TRUNCATED, at, "",
                       "needs %" PRIu64 " bytes, %" PRIu64 " left", size, left);
            ossa__leave(r->context);
            break;
        }
        at += size;
    }
    return at - array->offset;
}

/* Check that the arrays of an object are in the file, and that all arrays so far are not too large.
 * Nothing has been allocated for them yet. */
static void check_arrays(struct tmd_reader *r, uint32_t object)
{
    for (unsigned which = 0; which < 3 && !r->context->failed; which++) {
        struct array array = array_of(r->tmd, object, which);
        uint64_t end = r->file.end;
        if (array.offset > end) {
            ossa__fail(r->context, OSSA_CODE_BAD_OFFSET, array.at, array.offset_field,
                       "0x%" PRIx64 " is past the end of the file (0x%" PRIx64 ")", array.offset,
                       end);
        } else if (array.size > end - array.offset) {
            ossa__fail(r->context, OSSA_CODE_BAD_COUNT, array.at + 4, array.count_field,
                       "%" PRIu32 " items of at least %" PRIu64 " bytes cannot fit in the %" PRIu64
                       " bytes left",
                       array.count, array.stride, end - array.offset);
        } else {
            uint64_t room = MOST_UNPACKED * end - r->unpacked;
            uint64_t size = which == 2 ? packets_size(r, &array, room) : array.size;
            r->unpacked += size;
            if (size > room) {
                ossa__fail(
                    r->context, OSSA_CODE_OVERLAP, array.at, array.offset_field,
                    "the overlapping arrays add up to more than %d times the size of the file",
                    MOST_UNPACKED);
            }
        }
    }
}

static struct ossa__reader open_array(struct tmd_reader *r, const struct array *array,
                                      uint64_t size)
{
    struct ossa__reader window =
        ossa__reader_window(&r->file, array->offset, size, array->offset_field, array->at);
    if (r->context->failed) return window;
    if (ossa__coverage_touches(&r->coverage, array->offset, size)) {
        ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, array->offset,
                    array->field, "these %" PRIu64 " bytes overlap another field", size);
    }
    ossa__coverage_mark(&r->coverage, array->offset, size);
    return window;
}

static const ossa_vib_vertex *read_vertices(struct tmd_reader *r, uint32_t object, unsigned which)
{
    struct array array = array_of(r->tmd, object, which);
    struct ossa__reader window = open_array(r, &array, array.size);
    return ossa__read_array(&window, array.field, &shape_vertex, array.count, 0);
}

static void check_primitive(struct tmd_reader *r, const ossa_vib_object *object,
                            const ossa_vib_primitive *primitive)
{
    ossa_vib_shape shape;
    if (!ossa_vib_decode(primitive, &shape)) {
        ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNKNOWN_FLAG, primitive->offset,
                    "", "a packet of unknown kind (flag 0x%02x, mode 0x%02x, %u words) is skipped",
                    primitive->flag, primitive->mode, primitive->ilen);
        return;
    }
    for (unsigned i = 0; i < shape.corner_count; i++) {
        bool is_normal =
            shape.normals[i] >= 0 && (uint32_t)shape.normals[i] >= object->normal_count;
        if (!is_normal && shape.vertices[i] < object->vertex_count) continue;
        ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, primitive->offset, "",
                    "corner %u is %s %d, but the object has only %" PRIu32, i,
                    is_normal ? "normal" : "vertex",
                    is_normal ? shape.normals[i] : (int)shape.vertices[i],
                    is_normal ? object->normal_count : object->vertex_count);
        return;
    }
    if (shape.kind == OSSA_VIB_KIND_LINE && shape.vertices[0] == shape.vertices[1]) {
        ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, primitive->offset,
                    "", "both ends of the line are vertex %u: it is not drawn", shape.vertices[0]);
    }
}

static const ossa_vib_primitive *read_primitives(struct tmd_reader *r, uint32_t index)
{
    const ossa_vib_object *object = &r->tmd->objects[index];
    struct array array = array_of(r->tmd, index, 2);
    uint64_t size = packets_size(r, &array, UINT64_MAX); /* already checked */
    struct ossa__reader window = open_array(r, &array, size);
    ossa_vib_primitive *primitives = ossa__take(r->context, array.count, sizeof *primitives);
    for (uint32_t i = 0; i < array.count && !r->context->failed; i++) {
        uint8_t head[4];
        uint64_t at = window.position;
        ossa__enter(r->context, "primitives", i);
        ossa__read_element(&window, "", &shape_packet, head);
        primitives[i] = (ossa_vib_primitive){
            .olen = head[0], .ilen = head[1], .flag = head[2], .mode = head[3], .offset = at};
        primitives[i].words = ossa__read_array(&window, "words", &ossa__shape_u32, head[1], 0);
        if (!r->context->failed) check_primitive(r, object, &primitives[i]);
        ossa__leave(r->context);
    }
    return primitives;
}

static void read_table(struct tmd_reader *r)
{
    struct ossa__reader *file = &r->file;
    uint32_t count = ossa__read_count(file, "object_count", OBJECT_SIZE);
    ossa_vib_object *objects = ossa__take(r->context, count, sizeof *objects);
    if (objects == NULL) return;
    for (uint32_t i = 0; i < count; i++) {
        ossa_vib_object *object = &objects[i];
        *object = (ossa_vib_object){0};
        ossa__enter(r->context, "objects", i);
        object->vertices_offset = ossa__read_u32(file, "vertices_offset");
        object->vertex_count = ossa__read_u32(file, "vertex_count");
        object->normals_offset = ossa__read_u32(file, "normals_offset");
        object->normal_count = ossa__read_u32(file, "normal_count");
        object->primitives_offset = ossa__read_u32(file, "primitives_offset");
        object->primitive_count = ossa__read_u32(file, "primitive_count");
        ossa__read_element(file, "scale", &shape_scale, &object->scale);
        ossa__leave(r->context);
    }
    r->tmd->object_count = count;
    r->tmd->objects = objects;
    ossa__coverage_mark(&r->coverage, 0, file->position);
    for (uint32_t i = 0; i < count && !r->context->failed; i++) {
        ossa__enter(r->context, "objects", i);
        check_arrays(r, i);
        ossa__leave(r->context);
    }
    for (uint32_t i = 0; i < count && !r->context->failed; i++) {
        ossa__enter(r->context, "objects", i);
        objects[i].vertices = read_vertices(r, i, 0);
        objects[i].normals = read_vertices(r, i, 1);
        objects[i].primitives = read_primitives(r, i);
        ossa__leave(r->context);
    }
}

static void *read_tmd(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct tmd_reader r = {.context = context};
    ossa__reader_init(&r.file, context, data, size);
    ossa_vib_tmd *tmd = ossa__take(context, 1, sizeof *tmd);
    if (!ossa__coverage_init(&r.coverage, context, size)) return NULL;
    *tmd = (ossa_vib_tmd){.image = data, .image_size = size};
    r.tmd = tmd;
    tmd->id = ossa__read_u32(&r.file, "id");
    if (tmd->id != TMD_ID) {
        ossa__fail(context, OSSA_CODE_BAD_MAGIC, 0, "id", "found 0x%" PRIx32 ", expected 0x41",
                   tmd->id);
    }
    tmd->flags = ossa__read_u32(&r.file, "flags");
    if (tmd->flags > FIXP) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNKNOWN_FLAG, 4, "flags",
                    "0x%" PRIx32 " has unknown bits, expected 0 or 1", tmd->flags);
    }
    read_table(&r);
    tmd->gaps = ossa__gaps_of(context, &r.coverage, &tmd->gap_count);
    return tmd;
}

/* ---- write --------------------------------------------------------------------------------- */

/* Put the arrays of an object back into a copy of the image; false if one does not fit there. */
static bool patch_object(uint8_t *copy, const ossa_vib_tmd *tmd, const ossa_vib_object *object)
{
    uint64_t base = base_of(tmd->flags);
    uint64_t size = tmd->image_size;
    if (object->vertex_count > 0 &&
        !ossa__patch(copy, tmd->image, size, base + object->vertices_offset, object->vertices,
                     4 * (uint64_t)object->vertex_count, 2)) {
        return false;
    }
    if (object->normal_count > 0 &&
        !ossa__patch(copy, tmd->image, size, base + object->normals_offset, object->normals,
                     4 * (uint64_t)object->normal_count, 2)) {
        return false;
    }
    for (uint32_t i = 0; i < object->primitive_count; i++) {
        const ossa_vib_primitive *primitive = &object->primitives[i];
        if (!ossa__patch(copy, tmd->image, size, primitive->offset + PACKET_SIZE, primitive->words,
                         primitive->ilen, 4)) {
            return false;
        }
    }
    return true;
}

static void write_tmd(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_vib_tmd *tmd = contents;
    uint8_t *copy = ossa__take(context, tmd->image_size, 1);
    if (copy == NULL) return;
    memcpy(copy, tmd->image, (size_t)tmd->image_size);
    for (uint32_t i = 0; i < tmd->object_count; i++) {
        if (patch_object(copy, tmd, &tmd->objects[i])) continue;
        ossa__enter(context, "objects", i);
        ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "",
                           "an offset or a count was changed; only vertices, normals and the words "
                           "of primitives may change");
        ossa__leave(context);
        return;
    }
    ossa__write_bytes(writer, copy, tmd->image_size);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

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

static void dump_tmd(const void *contents, struct ossa__json *json)
{
    const ossa_vib_tmd *tmd = contents;
    ossa__member_uint(json, "flags", tmd->flags);
    ossa__json_key(json, "objects");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < tmd->object_count; i++) dump_object(json, &tmd->objects[i]);
    ossa__json_end_array(json);
    ossa__gaps_dump(json, tmd->gaps, tmd->gap_count, tmd->image);
}

/* The file being built. */
struct builder {
    struct ossa__image image;
    uint64_t base; /* what offsets count from */
};

/* Put the offset of an array and its number of items at `at`; returns where the array starts. */
static uint64_t build_array_header(struct builder *b, const struct ossa__value *object,
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
            uint64_t offset = at + VERTEX_SIZE * (uint64_t)i + 2ULL * m;
            ossa__image_put_u16(&b->image, offset, (uint16_t)members[m], &row);
        }
    }
}

/* Returns the size of the packet. */
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
        ossa__image_put_u32(&b->image, at + PACKET_SIZE + 4ULL * i, ossa__value_u32(&word), &word);
    }
    return PACKET_SIZE + 4 * (uint64_t)head[1];
}

static void build_object(struct builder *b, const struct ossa__value *object, uint64_t at)
{
    ossa__value_allow(object, "vertices_offset normals_offset primitives_offset scale vertices "
                              "normals primitives");
    build_vertices(b, object, "vertices",
                   build_array_header(b, object, "vertices_offset", "vertices", at));
    build_vertices(b, object, "normals",
                   build_array_header(b, object, "normals_offset", "normals", at + 8));
    uint64_t offset = build_array_header(b, object, "primitives_offset", "primitives", at + 16);
    struct ossa__value scale = ossa__value_member(object, "scale");
    int64_t number = ossa__value_integer(&scale, INT32_MIN, INT32_MAX);
    ossa__image_put_u32(&b->image, at + 24, (uint32_t)number, &scale);
    struct ossa__value list = ossa__value_member(object, "primitives");
    size_t count = ossa__value_length(&list);
    for (size_t i = 0; i < count && !b->image.context->failed; i++) {
        struct ossa__value primitive = ossa__value_item(&list, i);
        offset += build_primitive(b, &primitive, offset);
    }
}

static void *build_tmd(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    struct builder b;
    ossa__value_allow(data, "flags objects gaps");
    ossa_vib_tmd *tmd = ossa__take(context, 1, sizeof *tmd);
    if (!ossa__image_init(&b.image, context, size)) return NULL;
    struct ossa__value flags = ossa__value_member(data, "flags");
    struct ossa__value objects = ossa__value_member(data, "objects");
    uint32_t bits = ossa__value_u32(&flags);
    size_t count = ossa__value_length(&objects);
    b.base = base_of(bits);
    ossa__image_put_u32(&b.image, 0, TMD_ID, data);
    ossa__image_put_u32(&b.image, 4, bits, &flags);
    ossa__image_put_u32(&b.image, 8, (uint32_t)count, &objects);
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value object = ossa__value_item(&objects, i);
        build_object(&b, &object, HEADER_SIZE + (uint64_t)i * OBJECT_SIZE);
    }
    ossa__image_put_gaps(&b.image, data);
    ossa__image_finish(&b.image, data);
    /* Writing needs only the image: this struct has no objects to put back. */
    *tmd = (ossa_vib_tmd){.image = b.image.bytes, .image_size = size};
    return tmd;
}

/* ---- describe ------------------------------------------------------------------------------ */

/* The number of packets per kind, unknown kinds last. */
static void describe_packets(const ossa_vib_tmd *tmd, struct ossa__report *report)
{
    static const struct ossa__column columns[] = {{"kind", "packets", -12}, {"count", "count", 8}};
    uint64_t counts[OSSA__TMD_PACKETS + 1] = {0};
    for (uint32_t i = 0; i < tmd->object_count; i++) {
        const ossa_vib_object *object = &tmd->objects[i];
        for (uint32_t k = 0; k < object->primitive_count; k++) {
            const struct ossa__tmd_packet *packet = ossa__tmd_packet(&object->primitives[k]);
            counts[packet == NULL ? OSSA__TMD_PACKETS : packet - ossa__tmd_packets]++;
        }
    }
    ossa__report_begin_table(report, "packet_table", columns, 2);
    for (unsigned i = 0; i <= OSSA__TMD_PACKETS; i++) {
        if (counts[i] == 0) continue;
        ossa__report_begin_row(report);
        ossa__report_cell_text(report, &columns[0],
                               i == OSSA__TMD_PACKETS ? "unknown" : ossa__tmd_packets[i].name);
        ossa__report_cell_integer(report, &columns[1], (int64_t)counts[i]);
        ossa__report_end_row(report);
    }
    ossa__report_end_table(report);
}

static void describe_objects(const ossa_vib_tmd *tmd, struct ossa__report *report)
{
    static const struct ossa__column columns[] = {{"object", "object", 6},
                                                  {"vertices", "vertices", 9},
                                                  {"normals", "normals", 9},
                                                  {"primitives", "primitives", 11},
                                                  {"scale", "scale", 6}};
    ossa__report_begin_table(report, "object_table", columns, 5);
    for (uint32_t i = 0; i < tmd->object_count; i++) {
        const ossa_vib_object *object = &tmd->objects[i];
        ossa__report_begin_row(report);
        ossa__report_cell_integer(report, &columns[0], i);
        ossa__report_cell_integer(report, &columns[1], object->vertex_count);
        ossa__report_cell_integer(report, &columns[2], object->normal_count);
        ossa__report_cell_integer(report, &columns[3], object->primitive_count);
        ossa__report_cell_integer(report, &columns[4], object->scale);
        ossa__report_end_row(report);
    }
    ossa__report_end_table(report);
}

static void describe_tmd(const void *contents, struct ossa__report *report)
{
    const ossa_vib_tmd *tmd = contents;
    uint64_t vertices = 0;
    uint64_t normals = 0;
    uint64_t primitives = 0;
    float box[6] = {0}; /* minimum x y z, maximum x y z */
    for (uint32_t i = 0; i < tmd->object_count; i++) {
        const ossa_vib_object *object = &tmd->objects[i];
        for (uint32_t k = 0; k < object->vertex_count; k++) {
            const ossa_vib_vertex *v = &object->vertices[k];
            const float xyz[3] = {v->x, v->y, v->z};
            for (unsigned c = 0; c < 3; c++) {
                bool first = vertices + k == 0;
                if (first || xyz[c] < box[c]) box[c] = xyz[c];
                if (first || xyz[c] > box[3 + c]) box[3 + c] = xyz[c];
            }
        }
        vertices += object->vertex_count;
        normals += object->normal_count;
        primitives += object->primitive_count;
    }
    ossa__report_integer(report, "objects", "objects", tmd->object_count);
    ossa__report_integer(report, "vertices", "vertices", vertices);
    ossa__report_integer(report, "normals", "normals", normals);
    ossa__report_integer(report, "primitives", "primitives", primitives);
    ossa__report_ranges(report, "vertex_ranges", "extent", box, vertices == 0 ? 0 : 2, 3, "xyz");
    ossa__report_note(report,
                      "values are raw: Y points down, and Ossa treats 2048 units as one metre");
    describe_packets(tmd, report);
    describe_objects(tmd, report);
}

ossa_vib_tmd *ossa_as_vib_tmd(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_vib_tmd);
}

const struct ossa__format ossa__format_vib_tmd = {
    .about = {.id = "vib-tmd",
              .title = "PlayStation model (TMD)",
              .game = "Vib-Ribbon (1999)",
              .extensions = "tmd",
              .kind = OSSA_KIND_MODEL},
    .game = &ossa__game_vib_ribbon,
    .role = OSSA__ROLE_BODY,
    .scattered = true,
    .probe = probe_tmd,
    .may_begin = may_begin,
    .read = read_tmd,
    .write = write_tmd,
    .dump = dump_tmd,
    .build = OSSA__BUILT_BY(build_tmd),
    .describe = describe_tmd,
};
