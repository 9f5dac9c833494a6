/* SPDX-License-Identifier: MIT
 *
 * Decodes the packets of a TMD. A word [C] is red, green, blue and one more byte; [uv] is u, v and
 * a u16 (the palette in the first, the texture page in the second); n and v are u16 indices of
 * normals and vertices:
 *
 *     flat, lit          [C]... [n0 v0][v1 v2]        a quad adds [v3 -]
 *     gouraud, lit       [C]... [n v] per corner
 *     not lit            [C]... [v0 v1][v2 -]         a quad: [v2 v3]
 *     textured           one [uv] per corner before all that, and no [C] when lit
 *     line               [C]... [v0 v1]
 *
 * There is one [C], or one per corner. Bit 1 of the flag (double-sided) and bit 1 of the mode
 * (translucent) do not change the layout. */
#include "formats/vib_ribbon/vib_packet.h"

#include <string.h>

enum {
    DOUBLE_SIDED = 0x02, /* of the flag */
    NO_LIGHT = 0x01,
    TRANSLUCENT = 0x02, /* of the mode */
    TEXTURED = 0x04,
    KIND = 0xe0,
    LINE = 0x40,
};

const struct ossa__tmd_packet ossa__tmd_packets[OSSA__TMD_PACKETS] = {
    /* name   flag  mode ilen corners colours normals */
    {"F3", 0, 0x20, 3, 3, 1, 1},   {"F4", 0, 0x28, 4, 4, 1, 1},
    {"G3", 0, 0x30, 4, 3, 1, 3},   {"G4", 0, 0x38, 5, 4, 1, 4},
    {"F3g", 4, 0x20, 5, 3, 3, 1},  {"F4g", 4, 0x28, 7, 4, 4, 1},
    {"G3g", 4, 0x30, 6, 3, 3, 3},  {"G4g", 4, 0x38, 8, 4, 4, 4},
    {"TF3", 0, 0x24, 5, 3, 0, 1},  {"TF4", 0, 0x2c, 7, 4, 0, 1},
    {"TG3", 0, 0x34, 6, 3, 0, 3},  {"TG4", 0, 0x3c, 8, 4, 0, 4},
    {"NF3", 1, 0x21, 3, 3, 1, 0},  {"NF4", 1, 0x29, 3, 4, 1, 0},
    {"NG3", 1, 0x31, 5, 3, 3, 0},  {"NG4", 1, 0x39, 6, 4, 4, 0},
    {"TNF3", 1, 0x25, 6, 3, 1, 0}, {"TNF4", 1, 0x2d, 7, 4, 1, 0},
    {"TNG3", 1, 0x35, 8, 3, 3, 0}, {"TNG4", 1, 0x3d, 10, 4, 4, 0},
    {"line", 1, 0x40, 2, 2, 1, 0}, {"gouraud line", 1, 0x50, 3, 2, 2, 0},
};

const struct ossa__tmd_packet *ossa__tmd_packet(const ossa_vib_primitive *primitive)
{
    unsigned flag = primitive->flag & ~(unsigned)DOUBLE_SIDED;
    unsigned mode = primitive->mode & ~(unsigned)TRANSLUCENT;
    for (unsigned i = 0; i < OSSA__TMD_PACKETS; i++) {
        const struct ossa__tmd_packet *packet = &ossa__tmd_packets[i];
        if (packet->flag != flag || packet->mode != mode) continue;
        return packet->ilen == primitive->ilen ? packet : NULL;
    }
    return NULL;
}

static uint8_t byte_of(uint32_t word, unsigned index)
{
    return (uint8_t)(word >> (8 * index));
}

/* Decode the texture coordinates, if any; returns the number of words used. */
static unsigned decode_texture(const struct ossa__tmd_packet *packet, const uint32_t *words,
                               ossa_vib_shape *shape)
{
    if (!shape->textured) return 0;
    for (unsigned i = 0; i < packet->corners; i++) {
        shape->uv[i][0] = byte_of(words[i], 0);
        shape->uv[i][1] = byte_of(words[i], 1);
    }
    shape->clut = (uint16_t)(words[0] >> 16);
    shape->page = (uint16_t)(words[1] >> 16);
    return packet->corners;
}

static void decode_colours(const struct ossa__tmd_packet *packet, const uint32_t *words,
                           ossa_vib_shape *shape)
{
    const uint8_t neutral = 128; /* leaves the colours of a texture unchanged */
    for (unsigned i = 0; i < packet->corners; i++) {
        for (unsigned c = 0; c < 3; c++) {
            uint32_t word = packet->colours == 0 ? 0 : words[i < packet->colours ? i : 0];
            shape->colours[i][c] = packet->colours == 0 ? neutral : byte_of(word, c);
        }
    }
}

bool ossa_vib_decode(const ossa_vib_primitive *primitive, ossa_vib_shape *shape)
{
    memset(shape, 0, sizeof *shape);
    for (unsigned i = 0; i < 4; i++) shape->normals[i] = -1;
    const struct ossa__tmd_packet *packet = ossa__tmd_packet(primitive);
    if (packet == NULL) return false;
    bool is_line = (packet->mode & KIND) == LINE;
    shape->kind = is_line ? OSSA_VIB_KIND_LINE : OSSA_VIB_KIND_POLYGON;
    shape->corner_count = packet->corners;
    shape->has_normals = packet->normals > 0;
    shape->lit = (primitive->flag & NO_LIGHT) == 0;
    shape->textured = (primitive->mode & TEXTURED) != 0;
    shape->translucent = (primitive->mode & TRANSLUCENT) != 0;
    shape->double_sided = (primitive->flag & DOUBLE_SIDED) != 0;
    const uint32_t *words = primitive->words;
    words += decode_texture(packet, words, shape);
    decode_colours(packet, words, shape);
    words += packet->colours;
    unsigned next = 0; /* of the u16s that follow */
    for (unsigned i = 0; i < packet->corners; i++) {
        if (i < packet->normals) {
            shape->normals[i] = (uint16_t)(words[next / 2] >> (16 * (next % 2)));
            next++;
        } else if (packet->normals > 0) {
            shape->normals[i] = shape->normals[0];
        }
        shape->vertices[i] = (uint16_t)(words[next / 2] >> (16 * (next % 2)));
        next++;
    }
    return true;
}
