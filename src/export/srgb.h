/* SPDX-License-Identifier: MIT
 *
 * Colours as games store them and screens show them (sRGB) in the linear scale of glTF. */
#ifndef OSSA_EXPORT_SRGB_H
#define OSSA_EXPORT_SRGB_H

#include <stdint.h>

/* 65535 times the linear value of a part of a colour: of 16 bits, so that all 256 stay apart. */
extern const uint16_t ossa__srgb_to_linear[256];

#endif
