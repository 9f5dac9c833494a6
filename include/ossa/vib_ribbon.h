/* SPDX-License-Identifier: MIT
 *
 * Vib-Ribbon (1999): what its files hold, as they hold it. */
#ifndef OSSA_VIB_RIBBON_H
#define OSSA_VIB_RIBBON_H

#include "ossa/file.h"

OSSA_BEGIN

enum {
    OSSA_VIB_ROTATION = 1,
    OSSA_VIB_SCALE = 2,
    OSSA_VIB_POSITION = 4,
};

/* Where one object is in one frame. A part is there only when its flag is set; else it is 0. */
typedef struct ossa_vib_key {
    uint8_t object;
    uint8_t flags;
    int16_t rotation[3]; /* 4096 is one turn */
    int16_t scale[3];    /* 4096 is 1.0 */
    int16_t position[3];
} ossa_vib_key;

/* An object without a key in a frame is not drawn in that frame. */
typedef struct ossa_vib_frame {
    uint32_t first_key; /* in ossa_vib_anm.keys */
    uint32_t key_count;
} ossa_vib_frame;

/* vib-anm. Right-handed, X right, Y down, Z into the screen. */
typedef struct ossa_vib_anm {
    int16_t rate; /* likely frames a second */
    uint16_t frame_count;
    const ossa_vib_frame *frames;
    uint32_t key_count;
    const ossa_vib_key *keys;
    const uint8_t *gap; /* bytes between the table and the first frame; no good file has any */
    size_t gap_size;
    const uint8_t *tail; /* bytes after the last frame; no good file has any */
    size_t tail_size;
} ossa_vib_anm;

OSSA_API ossa_vib_anm *ossa_as_vib_anm(ossa_file *file);

OSSA_END

#endif
