/* SPDX-License-Identifier: MIT
 *
 * Little-endian bytes on any machine. */
#ifndef OSSA_BASE_BYTES_H
#define OSSA_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define OSSA__LITTLE_ENDIAN 0
#else
#define OSSA__LITTLE_ENDIAN 1
#endif

static inline uint16_t ossa__load_u16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static inline uint32_t ossa__load_u32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static inline void ossa__store_u16(uint8_t *bytes, uint16_t value)
{
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
}

static inline void ossa__store_u32(uint8_t *bytes, uint32_t value)
{
    bytes[0] = (uint8_t)value;
    bytes[1] = (uint8_t)(value >> 8);
    bytes[2] = (uint8_t)(value >> 16);
    bytes[3] = (uint8_t)(value >> 24);
}

static inline uint64_t ossa__load_u64(const uint8_t *bytes)
{
    return ossa__load_u32(bytes) | (uint64_t)ossa__load_u32(bytes + 4) << 32;
}

static inline void ossa__store_u64(uint8_t *bytes, uint64_t value)
{
    ossa__store_u32(bytes, (uint32_t)value);
    ossa__store_u32(bytes + 4, (uint32_t)(value >> 32));
}

/* A macro, because a function that returns a float makes signalling NaNs quiet on 32-bit x86. */
union ossa__f32 {
    uint32_t bits;
    float value;
};
#define ossa__f32_from_bits(bits_) (((union ossa__f32){.bits = (bits_)}).value)

static inline uint32_t ossa__bits_from_f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Copy `size` bytes of scalars between the file's byte order and the machine's. */
static inline void ossa__copy_scalars(void *to, const void *from, size_t size, size_t scalar)
{
    if (OSSA__LITTLE_ENDIAN || scalar == 1) {
        memcpy(to, from, size);
        return;
    }
    const uint8_t *source = from;
    uint8_t *target = to;
    for (size_t i = 0; i < size; i += scalar) {
        for (size_t k = 0; k < scalar; k++) target[i + k] = source[i + scalar - 1 - k];
    }
}

#endif
