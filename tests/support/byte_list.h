/* SPDX-License-Identifier: MIT
 *
 * A growing array of bytes and what fixtures are made of. On purpose it shares no code with the
 * library: a fault of its writer must not hide in the files that its reader is tested with. */
#ifndef OSSA_TEST_BYTE_LIST_H
#define OSSA_TEST_BYTE_LIST_H

#include <stddef.h>
#include <stdint.h>

struct bytes {
    uint8_t *data;
    size_t size;
    size_t capacity;
};

void put_u8(struct bytes *bytes, uint32_t value);
void put_u16(struct bytes *bytes, uint32_t value);
void put_u32(struct bytes *bytes, uint32_t value);
void put_f32(struct bytes *bytes, float value);
void put_bytes(struct bytes *bytes, const void *data, size_t size);
void put_text(struct bytes *bytes, const char *text); /* without the NUL */
void put_repeated(struct bytes *bytes, uint8_t value, size_t count);

/* Change bytes that are there already. */
void set_u8(struct bytes *bytes, size_t offset, uint32_t value);
void set_u16(struct bytes *bytes, size_t offset, uint32_t value);
void set_u32(struct bytes *bytes, size_t offset, uint32_t value);
void set_f32(struct bytes *bytes, size_t offset, float value);
uint32_t get_u16(const struct bytes *bytes, size_t offset);
uint32_t get_u32(const struct bytes *bytes, size_t offset);

struct bytes bytes_copy(const void *data, size_t size);
void bytes_free(struct bytes *bytes);

/* The same numbers on every machine. Seed it with anything but 0. */
struct random {
    uint32_t state;
};
uint32_t next_random(struct random *random);
/* least <= result < least + span */
int32_t next_between(struct random *random, int32_t least, uint32_t span);

/* A number in -range .. range that float32 holds exactly enough to be equal everywhere: it is one
 * correctly rounded division of integers. */
float next_float(struct random *random, int32_t range);
/* A quaternion of length 1: the square of one of small integers, divided by its length. */
void next_unit(struct random *random, float wxyz[4]);

uint32_t bits_of_f32(float value);
float f32_of_bits(uint32_t bits);

#endif
