/* SPDX-License-Identifier: MIT
 *
 * What vib-anm and vib-anc have in common: both begin with the same word, a rate and a count, so
 * their probes must agree on which is which. */
#ifndef OSSA_VIB_HEADER_H
#define OSSA_VIB_HEADER_H

#include "ossa/vib_ribbon.h"

enum {
    OSSA__VIB_MAGIC = 0x8000,
    OSSA__VIB_HEADER_SIZE = 6, /* magic, rate, count */
    OSSA__VIB_FLAGS = OSSA_VIB_ROTATION | OSSA_VIB_SCALE | OSSA_VIB_POSITION,
};

/* Units of both: a length of 1, and an angle of 1 where 4096 is a turn, in metres and radians. */
#define OSSA__VIB_UNIT (1.0 / 2048.0)
#define OSSA__VIB_TURN (6.283185307179586476925 / 4096.0)

bool ossa__vib_is_known_rate(int rate);

/* Bytes of an animation's key with these flags. */
unsigned ossa__vib_key_size(uint8_t flags);

/* Does an animation's table of offsets follow the header: begins right after itself, never falls,
 * ends with the file? */
bool ossa__vib_has_table(const uint8_t *data, uint64_t size);
/* Is at least its first offset right, or its last one? So it was an animation once. */
bool ossa__vib_has_end_of_table(const uint8_t *data, uint64_t size);
/* Behind a table that is right, do the keys use up every frame, with flags that are known? */
bool ossa__vib_has_frames(const uint8_t *data, uint64_t size);

#endif
