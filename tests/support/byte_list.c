/* SPDX-License-Identifier: MIT */
#include "support/byte_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make_room(struct bytes *bytes, size_t more)
{
    if (more <= bytes->capacity - bytes->size) return;
    size_t capacity = bytes->capacity < 64 ? 64 : bytes->capacity;
    while (capacity - bytes->size < more) capacity *= 2;
    uint8_t *data = realloc(bytes->data, capacity);
    if (data == NULL) {
        (void)fputs("no memory for a fixture\n", stderr);
        abort();
    }
    bytes->data = data;
    bytes->capacity = capacity;
}

void put_bytes(struct bytes *bytes, const void *data, size_t size)
{
    if (size == 0) return;
    make_room(bytes, size);
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void put_repeated(struct bytes *bytes, uint8_t value, size_t count)
{
    if (count == 0) return;
    make_room(bytes, count);
    memset(bytes->data + bytes->size, value, count);
    bytes->size += count;
}

void put_u8(struct bytes *bytes, uint32_t value)
{
    put_repeated(bytes, (uint8_t)value, 1);
}

void put_u16(struct bytes *bytes, uint32_t value)
{
    put_u8(bytes, value & 0xff);
    put_u8(bytes, value >> 8 & 0xff);
}

void put_u32(struct bytes *bytes, uint32_t value)
{
    put_u16(bytes, value & 0xffff);
    put_u16(bytes, value >> 16);
}

void put_f32(struct bytes *bytes, float value)
{
    put_u32(bytes, bits_of_f32(value));
}

void put_text(struct bytes *bytes, const char *text)
{
    put_bytes(bytes, text, strlen(text));
}

void set_u8(struct bytes *bytes, size_t offset, uint32_t value)
{
    if (offset >= bytes->size) abort(); /* a fixture that does not say what it means */
    bytes->data[offset] = (uint8_t)value;
}

void set_u16(struct bytes *bytes, size_t offset, uint32_t value)
{
    set_u8(bytes, offset, value & 0xff);
    set_u8(bytes, offset + 1, value >> 8 & 0xff);
}

void set_u32(struct bytes *bytes, size_t offset, uint32_t value)
{
    set_u16(bytes, offset, value & 0xffff);
    set_u16(bytes, offset + 2, value >> 16);
}

void set_f32(struct bytes *bytes, size_t offset, float value)
{
    set_u32(bytes, offset, bits_of_f32(value));
}

uint32_t get_u16(const struct bytes *bytes, size_t offset)
{
    if (offset + 2 > bytes->size) abort();
    return (uint32_t)bytes->data[offset] | (uint32_t)bytes->data[offset + 1] << 8;
}

uint32_t get_u32(const struct bytes *bytes, size_t offset)
{
    return get_u16(bytes, offset) | get_u16(bytes, offset + 2) << 16;
}

struct bytes bytes_copy(const void *data, size_t size)
{
    struct bytes copy = {0};
    put_bytes(&copy, data, size);
    return copy;
}

void bytes_free(struct bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct bytes){0};
}

uint32_t next_random(struct random *random)
{
    uint32_t x = random->state; /* Marsaglia's xorshift */
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    random->state = x;
    return x;
}

int32_t next_between(struct random *random, int32_t least, uint32_t span)
{
    return (int32_t)(least + (int64_t)(next_random(random) % span));
}

float next_float(struct random *random, int32_t range)
{
    const int32_t parts = 4096;
    int32_t number = next_between(random, -range * parts, 2 * (uint32_t)(range * parts) + 1);
    return (float)number / (float)parts;
}

void next_unit(struct random *random, float wxyz[4])
{
    int32_t w = next_between(random, 1, 9); /* never all zero */
    int32_t x = next_between(random, -9, 19);
    int32_t y = next_between(random, -9, 19);
    int32_t z = next_between(random, -9, 19);
    float length = (float)(w * w + x * x + y * y + z * z);
    wxyz[0] = (float)(w * w - x * x - y * y - z * z) / length;
    wxyz[1] = (float)(2 * w * x) / length;
    wxyz[2] = (float)(2 * w * y) / length;
    wxyz[3] = (float)(2 * w * z) / length;
}

uint32_t bits_of_f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

float f32_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
