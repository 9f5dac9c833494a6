/* SPDX-License-Identifier: MIT */
#include "formats/disc/edc.h"

#include "base/bytes.h"

#define POLYNOMIAL UINT32_C(0xd8018001)

void ossa__edc_init(struct ossa__edc *edc)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++) value = value >> 1 ^ (value & 1 ? POLYNOMIAL : 0);
        edc->table[0][i] = value;
    }
    /* The effect of a byte that so many others follow. */
    for (int slice = 1; slice < OSSA__EDC_SLICES; slice++) {
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t before = edc->table[slice - 1][i];
            edc->table[slice][i] = before >> 8 ^ edc->table[0][before & 0xff];
        }
    }
}

uint32_t ossa__edc_of(const struct ossa__edc *edc, const uint8_t *bytes, size_t size)
{
    uint32_t value = 0;
    size_t i = 0;
    for (; size - i >= OSSA__EDC_SLICES; i += OSSA__EDC_SLICES) {
        uint32_t low = ossa__load_u32(bytes + i) ^ value;
        uint32_t high = ossa__load_u32(bytes + i + 4);
        value = edc->table[7][low & 0xff] ^ edc->table[6][low >> 8 & 0xff] ^
                edc->table[5][low >> 16 & 0xff] ^ edc->table[4][low >> 24] ^
                edc->table[3][high & 0xff] ^ edc->table[2][high >> 8 & 0xff] ^
                edc->table[1][high >> 16 & 0xff] ^ edc->table[0][high >> 24];
    }
    for (; i < size; i++) value = value >> 8 ^ edc->table[0][(value ^ bytes[i]) & 0xff];
    return value;
}
