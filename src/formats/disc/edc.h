/* SPDX-License-Identifier: MIT
 *
 * The checksum of CD sectors (EDC): a CRC of 32 bits, polynomial 0x8001801B, reflected. */
#ifndef OSSA_DISC_EDC_H
#define OSSA_DISC_EDC_H

#include <stddef.h>
#include <stdint.h>

/* Tables for eight bytes at once, made where they are needed. */
enum { OSSA__EDC_SLICES = 8 };
struct ossa__edc {
    uint32_t table[OSSA__EDC_SLICES][256];
};
void ossa__edc_init(struct ossa__edc *edc);

uint32_t ossa__edc_of(const struct ossa__edc *edc, const uint8_t *bytes, size_t size);

#endif
