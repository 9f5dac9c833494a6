/* SPDX-License-Identifier: MIT */
#include "sotc_model.h"

#include "emit.h"
#include "sotc_files.h"

#include <string.h>

/* ---- chains -------------------------------------------------------------------------------- */

enum {
    VIF_STCYCL = 0x01000000,
    VIF_MSCNT = 0x17000000,
    VIF_DIRECT = 0x50000000,
    VIF_UNPACK = 0x60000000,
    V2_16 = 0x05000000, /* kinds of vectors, of UNPACK */
    V3_32 = 0x08000000,
    V4_32 = 0x0c000000,
    V4_16 = 0x0d000000,
    V4_8 = 0x0e000000,
    ADD_TOPS = 0x8000,
    UNSIGNED = 0x4000,
    STREAMS = 5,
};

static void put_unpack(struct bytes *data, uint32_t kind, unsigned count, unsigned address)
{
    put_u32(data, VIF_UNPACK | kind | count << 16 | ADD_TOPS | address);
}

static void put_skin(struct bytes *data, const struct sotc_vertex *vertex)
{
    uint32_t count = 0;
    for (int k = 0; k < SOTC_WEIGHTS; k++) {
        double weight = vertex->weights[k];
        /* a whole one is stored just below 1, so that the bone stays the same */
        if (weight > 0.99999) weight = 0.99999;
        put_f32(data, weight > 0 ? vertex->bones[k] + weight : 0);
        count += weight > 0;
    }
    put_u32(data, count);
}

static void put_strip(struct bytes *data, const struct sotc_strip *strip)
{
    unsigned count = strip->count;
    const struct sotc_vertex *vertices = strip->vertices;
    put_unpack(data, V4_32, 1, 0);
    put_u32(data, count | 0x8000);
    put_u32(data, 0x303e4000);
    put_u32(data, 0x412);
    put_u32(data, 0x2ca);
    put_unpack(data, V3_32, count, 1);
    for (unsigned i = 0; i < count; i++) {
        put_f32(data, snap(-vertices[i].position.x));
        put_f32(data, snap(vertices[i].position.y));
        put_f32(data, snap(vertices[i].position.z));
    }
    put_unpack(data, V4_16, count, 2);
    for (unsigned i = 0; i < count; i++) {
        put_i16(data, nearest(-4096 * vertices[i].normal.x));
        put_i16(data, nearest(4096 * vertices[i].normal.y));
        put_i16(data, nearest(4096 * vertices[i].normal.z));
        put_i16(data, 0);
    }
    put_unpack(data, V2_16, count, 3);
    for (unsigned i = 0; i < count; i++) {
        put_i16(data, nearest(4096 * vertices[i].u));
        put_i16(data, nearest(4096 * vertices[i].v));
    }
    put_unpack(data, V4_8, count, 4 | UNSIGNED);
    for (unsigned i = 0; i < count; i++) {
        for (int k = 0; k < 4; k++) put_u8(data, vertices[i].colour[k]);
    }
    put_unpack(data, V4_32, count, 5);
    for (unsigned i = 0; i < count; i++) put_skin(data, &vertices[i]);
    put_u32(data, VIF_MSCNT);
}

/* ---- NMO ----------------------------------------------------------------------------------- */

/* All draws of a surface as one. */
struct draw {
    uint32_t offset, size, triangles, strips;
};

static struct draw put_chain(struct bytes *data, const struct sotc_model *model, unsigned surface)
{
    struct draw draw = {.offset = (uint32_t)data->size};
    put_zeros(data, 8);
    put_u32(data, VIF_STCYCL | 1 << 8 | STREAMS);
    for (unsigned i = 0; i < model->strip_count; i++) {
        if (model->strips[i].surface != surface) continue;
        put_strip(data, &model->strips[i]);
        draw.triangles += model->strips[i].count - 2;
        draw.strips++;
    }
    put_padding(data, 16);
    draw.size = (uint32_t)data->size - draw.offset;
    return draw;
}

static void put_box(struct bytes *data, const struct sotc_model *model)
{
    vec3 least = v3(1e9, 1e9, 1e9);
    vec3 most = v3(-1e9, -1e9, -1e9);
    for (unsigned i = 0; i < model->strip_count; i++) {
        for (unsigned k = 0; k < model->strips[i].count; k++) {
            vec3 p = model->strips[i].vertices[k].position;
            least = v3(-p.x < least.x ? -p.x : least.x, p.y < least.y ? p.y : least.y,
                       p.z < least.z ? p.z : least.z);
            most = v3(-p.x > most.x ? -p.x : most.x, p.y > most.y ? p.y : most.y,
                      p.z > most.z ? p.z : most.z);
        }
    }
    const vec3 corners[2] = {least, most};
    for (int i = 0; i < 2; i++) {
        put_f32(data, snap(corners[i].x));
        put_f32(data, snap(corners[i].y));
        put_f32(data, snap(corners[i].z));
        put_f32(data, 1);
    }
    for (int i = 0; i < 4; i++) put_u32(data, UINT32_MAX);
}

/* Settings of the graphics chip: how it blends, and that the texture does not repeat. */
static void put_packet(struct bytes *data)
{
    size_t begin = data->size;
    put_u32(data, VIF_DIRECT | 3);
    put_u32(data, 2 | 0x8000);
    put_u32(data, 0x10000000);
    put_u32(data, 0xe);
    put_u32(data, 0);
    put_u32(data, 0x44);
    put_u32(data, 0);
    put_u32(data, 0x42); /* ALPHA_1 */
    put_u32(data, 0);
    put_u32(data, 1 | 1 << 2);
    put_u32(data, 0);
    put_u32(data, 0x08); /* CLAMP_1 */
    put_u32(data, 0);
    put_zeros(data, 192 - (data->size - begin));
}

static void put_surface(struct bytes *data, const struct draw *draw, uint32_t name)
{
    put_text(data, "SRF");
    put_u8(data, 0);
    put_u32(data, draw->triangles);
    put_u32(data, draw->strips);
    put_u32(data, name);
    put_u32(data, 0x80808080);
    put_f32(data, 1);
    put_u32(data, 0x87); /* normals, texture, colours */
    put_u32(data, 1);
    for (int stage = 0; stage < 2; stage++) {
        put_u32(data, 0x80808080);
        put_f32(data, 1);
        put_u32(data, 0);
        put_u32(data, 0);
    }
    put_zeros(data, 32);
    put_packet(data);
}

void save_nmo(const char *root, const char *file, const struct sotc_model *model)
{
    enum { HEADER_SIZE = 0x80, TEX_SIZE = 32, SRF_SIZE = 288, DRAW_SIZE = 32, BOX_SIZE = 48 };
    struct bytes data = {0};
    struct draw draws[4];
    for (unsigned i = 0; i < model->surface_count; i++) draws[i] = put_chain(&data, model, i);
    uint32_t boxes = (uint32_t)data.size;
    uint32_t textures = boxes + BOX_SIZE;
    uint32_t surfaces = textures + TEX_SIZE;
    uint32_t table = surfaces + SRF_SIZE * model->surface_count;
    uint32_t entry = table + DRAW_SIZE * model->surface_count;
    uint32_t name = entry + HEADER_SIZE;
    put_box(&data, model);
    put_text(&data, "TEX");
    put_u8(&data, 0);
    put_u32(&data, name);
    put_zeros(&data, 18);
    put_u16(&data, 0);
    put_u16(&data, model->width);
    put_u16(&data, model->height);
    name += (uint32_t)strlen(model->texture) + 1;
    for (unsigned i = 0; i < model->surface_count; i++) {
        put_surface(&data, &draws[i], name);
        name += (uint32_t)strlen(model->surfaces[i]) + 1;
    }
    for (unsigned i = 0; i < model->surface_count; i++) {
        const uint32_t words[8] = {draws[i].size,   0, i, 3, draws[i].offset, draws[i].triangles,
                                   draws[i].strips, 0};
        for (int w = 0; w < 8; w++) put_u32(&data, words[w]);
    }
    put_text(&data, "NMO");
    put_u8(&data, 0);
    put_u32(&data, 3);
    put_zeros(&data, 40);
    const uint32_t tables[5][2] = {{boxes, 1},
                                   {textures, 1},
                                   {surfaces, model->surface_count},
                                   {table, model->surface_count},
                                   {name, 1}};
    for (int i = 0; i < 5; i++) {
        put_u32(&data, tables[i][0]);
        put_u32(&data, tables[i][1]);
        put_zeros(&data, 8);
    }
    put_text(&data, model->texture);
    put_u8(&data, 0);
    for (unsigned i = 0; i < model->surface_count; i++) {
        put_text(&data, model->surfaces[i]);
        put_u8(&data, 0);
    }
    put_text(&data, model->name);
    put_u8(&data, 0);
    put_padding(&data, 4);
    save_xff(root, file, "xff", &data, entry, model->name);
}

/* ---- NTO ----------------------------------------------------------------------------------- */

void save_nto(const char *root, const char *file, const char *name, unsigned log_width,
              unsigned log_height, const uint32_t palette[16],
              unsigned (*paint)(unsigned x, unsigned y))
{
    enum { HEADER_SIZE = 0xb0, KIND_4_BIT = 0x14 };
    struct bytes data = {0};
    uint32_t width = 1u << log_width;
    uint32_t height = 1u << log_height;
    put_text(&data, "NTO2");
    put_u32(&data, 3);
    put_zeros(&data, 12);
    put_u32(&data, HEADER_SIZE);
    put_u32(&data, HEADER_SIZE + width * height / 2);
    put_u8(&data, KIND_4_BIT);
    put_u8(&data, 1 << 4);
    put_u8(&data, log_width | log_height << 4);
    put_u8(&data, 0); /* as rows, not swizzled */
    put_zeros(&data, 0x80 - data.size);
    put_u32(&data, 1); /* the alpha test: all pass */
    put_zeros(&data, HEADER_SIZE - data.size);
    for (unsigned y = 0; y < height; y++) {
        for (unsigned x = 0; x < width; x += 2) put_u8(&data, paint(x, y) | paint(x + 1, y) << 4);
    }
    for (int i = 0; i < 16; i++) {
        put_u8(&data, palette[i] >> 16 & 0xff);
        put_u8(&data, palette[i] >> 8 & 0xff);
        put_u8(&data, palette[i] & 0xff);
        put_u8(&data, 0x80);
    }
    put_text(&data, name);
    put_u8(&data, 0);
    put_padding(&data, 4);
    put_zeros(&data, 4); /* what these are is not known */
    save_xff(root, file, "xff", &data, 0, name);
}
