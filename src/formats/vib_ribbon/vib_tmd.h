/* SPDX-License-Identifier: MIT
 *
 * What the reader of a TMD, its JSON and its decoder have in common. */
#ifndef OSSA_VIB_TMD_H
#define OSSA_VIB_TMD_H

#include "codec/image.h"
#include "formats/modules.h"
#include "ossa/games/vib_ribbon.h"

enum {
    OSSA__TMD_ID = 0x41,
    OSSA__TMD_FIXP = 1, /* of the flags: offsets are absolute */
    OSSA__TMD_HEADER_SIZE = 12,
    OSSA__TMD_OBJECT_SIZE = 28,
    OSSA__TMD_VERTEX_SIZE = 8,
    OSSA__TMD_PACKET_SIZE = 4, /* without its words */
};

/* What offsets count from. */
uint64_t ossa__tmd_base(uint32_t flags);

/* How a kind of packet is laid out: `corners` words of texture coordinates if textured, then the
 * colours, then u16s: the vertices' indices, with those of the normals between them. */
struct ossa__tmd_packet {
    const char *name;
    uint8_t flag; /* without OSSA__TMD_DOUBLE_SIDED */
    uint8_t mode; /* without OSSA__TMD_TRANSLUCENT */
    uint8_t ilen;
    uint8_t corners;
    uint8_t colours;
    uint8_t normals; /* 0, 1 for all corners, or one a corner */
};

enum {
    OSSA__TMD_DOUBLE_SIDED = 0x02, /* of the flag */
    OSSA__TMD_NO_LIGHT = 0x01,
    OSSA__TMD_TRANSLUCENT = 0x02, /* of the mode */
    OSSA__TMD_TEXTURED = 0x04,
    OSSA__TMD_KIND = 0xe0,
    OSSA__TMD_LINE = 0x40,
};

enum { OSSA__TMD_PACKETS = 22 };
extern const struct ossa__tmd_packet ossa__tmd_packets[OSSA__TMD_PACKETS];
/* NULL for another kind, or another length than its kind has. */
const struct ossa__tmd_packet *ossa__tmd_packet(const ossa_vib_primitive *primitive);

void ossa__tmd_dump(const void *contents, struct ossa__json *json);
void *ossa__tmd_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size);

#endif
