/* SPDX-License-Identifier: MIT
 *
 * The kinds of packets in a TMD. */
#ifndef OSSA_VIB_PACKET_H
#define OSSA_VIB_PACKET_H

#include "ossa/games/vib_ribbon.h"

/* How a kind of packet is laid out: `corners` words of texture coordinates if textured, then the
 * colours, then u16s: the vertices' indices, with those of the normals between them. */
struct ossa__tmd_packet {
    const char *name;
    uint8_t flag; /* without the bit for double-sided */
    uint8_t mode; /* without the bit for translucent */
    uint8_t ilen;
    uint8_t corners;
    uint8_t colours;
    uint8_t normals; /* 0, 1 for all corners, or one per corner */
};

enum { OSSA__TMD_PACKETS = 22 };
extern const struct ossa__tmd_packet ossa__tmd_packets[OSSA__TMD_PACKETS];
/* NULL for an unknown kind, or a length that its kind does not have. */
const struct ossa__tmd_packet *ossa__tmd_packet(const ossa_vib_primitive *primitive);

#endif
