/* SPDX-License-Identifier: MIT
 *
 * What vib-anm and vib-anc have in common: both begin with the same word, a rate and a count, so
 * their probes must agree on how to tell them apart. */
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

/* Units of both in metres and radians: a length of 1, and an angle of 1 where 4096 is a full
 * rotation. */
#define OSSA__VIB_UNIT (1.0 / 2048.0)
#define OSSA__VIB_TURN (6.283185307179586476925 / 4096.0)

bool ossa__vib_is_known_rate(int rate);

/* Read the magic and the rate; returns the rate. */
int16_t ossa__vib_read_start(struct ossa__reader *reader);
/* Warn about a rate that no known file has. */
void ossa__vib_check_rate(struct ossa__context *context, int16_t rate);

/* Bytes of an animation's key with these flags. */
unsigned ossa__vib_key_size(uint8_t flags);

/* Does a table of offsets follow the header, whose first offset is its own end, whose offsets never
 * decrease, and whose last one is the end of the file? */
bool ossa__vib_has_table(const uint8_t *data, uint64_t size);
/* Is at least its first or its last offset right? Then it is a damaged animation. */
bool ossa__vib_has_end_of_table(const uint8_t *data, uint64_t size);
/* After a valid table, do keys with known flags fill every frame exactly? */
bool ossa__vib_has_frames(const uint8_t *data, uint64_t size);

/* The ranges of up to three numbers per key. */
struct ossa__vib_ranges {
    uint32_t count; /* of keys */
    int least[3];
    int most[3];
};
void ossa__vib_widen(struct ossa__vib_ranges *ranges, const int16_t *numbers, unsigned width);
/* One character of `names` per number. Reports nothing if there are no keys. */
void ossa__vib_report_ranges(struct ossa__report *report, const char *key, const char *label,
                             const struct ossa__vib_ranges *ranges, const char *names);

#endif
