/* SPDX-License-Identifier: MIT
 *
 * Swizzled texels of sotc-nto: the order that the console's graphics memory gives them. */
#ifndef OSSA_SOTC_SWIZZLE_H
#define OSSA_SOTC_SWIZZLE_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a level of these sides can be swizzled: from 16 x 4 texels of 8 bits, from 32 x 16 of 4
 * bits. Sides are powers of two. */
bool ossa__sotc_can_swizzle(unsigned bits, uint32_t width, uint32_t height);

/* The position of a texel in a level, in texels: of 4 bits, the low half of a byte comes first. The
 * bits of the result are sums of bits of x and y modulo 2, so that
 * f(x + i, y) = f(x, y) ^ f(i, 0) for every i below a power of two that x is a multiple of. */
uint32_t ossa__sotc_swizzled(unsigned bits, uint32_t width, uint32_t height, uint32_t x,
                             uint32_t y);

#endif
