/* SPDX-License-Identifier: MIT
 *
 * Text as the games stored it: code page 1251, to UTF-8 and back without loss. */
#ifndef OSSA_BASE_TEXT_H
#define OSSA_BASE_TEXT_H

#include "base/fold.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The character of a byte. 0x98 has none: it becomes U+0098, so that it survives. */
uint32_t ossa__cp1251_to_unicode(uint8_t byte);
/* The byte of a character; -1 where the code page has none. */
int ossa__cp1251_from_unicode(uint32_t character);
/* The small letter of a byte, Latin or Cyrillic. */
extern const uint8_t ossa__cp1251_lower[256];

/* Write a character as UTF-8 (1 to 4 bytes) and give its length. */
size_t ossa__utf8_encode(uint32_t character, char bytes[4]);
/* Read one character of well-formed or malformed UTF-8: gives the bytes used (at least 1), and
 * U+FFFD in `character` for what is no character. `size` is not 0. */
size_t ossa__utf8_decode(const char *text, size_t size, uint32_t *character);

/* Is all of it well-formed? */
bool ossa__utf8_is_valid(const char *text, size_t size);

#endif
