/* SPDX-License-Identifier: MIT
 *
 * What vib-anm and vib-anc have in common: both begin with the same word, a rate and a count, so
 * their probes must agree on which is which. */
#ifndef OSSA_VIB_HEADER_H
#define OSSA_VIB_HEADER_H

#include "codec/reader.h"
#include "codec/report.h"
#include "ossa/games/vib_ribbon.h"

enum {
    OSSA__VIB_MAGIC = 0x8000,
    OSSA__VIB_HEADER_SIZE = 6, /* magic, rate, count */
    OSSA__VIB_FLAGS = OSSA_VIB_KEY_ROTATION | OSSA_VIB_KEY_SCALE | OSSA_VIB_KEY_POSITION,
};

/* Units of both: a length of 1, and an angle of 1 where 4096 is a turn, in metres and radians. */
#define OSSA__VIB_UNIT (1.0 / 2048.0)
#define OSSA__VIB_TURN (6.283185307179586476925 / 4096.0)

bool ossa__vib_is_known_rate(int rate);

/* The start of a file that is read: the magic, and the rate, which is given. */
int16_t ossa__vib_read_start(struct ossa__reader *reader);
/* Warn of a rate that no known file has. */
void ossa__vib_check_rate(struct ossa__context *context, int16_t rate);

/* Bytes of an animation's key with these flags. */
unsigned ossa__vib_key_size(uint8_t flags);

/* Does an animation's table of offsets follow the header: begins right after itself, never falls,
 * ends with the file? */
bool ossa__vib_has_table(const uint8_t *data, uint64_t size);
/* Is at least its first offset right, or its last one? So it was an animation once. */
bool ossa__vib_has_end_of_table(const uint8_t *data, uint64_t size);
/* Behind a table that is right, do the keys use up every frame, with flags that are known? */
bool ossa__vib_has_frames(const uint8_t *data, uint64_t size);

/* The least and the most of the numbers of keys, up to three of each key. */
struct ossa__vib_ranges {
    uint32_t count; /* of keys */
    int least[3];
    int most[3];
};
void ossa__vib_widen(struct ossa__vib_ranges *ranges, const int16_t *numbers, unsigned width);
/* One character of `names` a number. Of no keys nothing is told. */
void ossa__vib_report_ranges(struct ossa__report *report, const char *key, const char *label,
                             const struct ossa__vib_ranges *ranges, const char *names);

#endif
