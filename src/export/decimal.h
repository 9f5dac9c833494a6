/* SPDX-License-Identifier: MIT
 *
 * Text into a writer: words, and numbers as every reader takes them, with a point and without an
 * exponent, whatever the locale. */
#ifndef OSSA_EXPORT_DECIMAL_H
#define OSSA_EXPORT_DECIMAL_H

#include "codec/writer.h"

void ossa__write_text(struct ossa__writer *writer, const char *text);
void ossa__write_integer(struct ossa__writer *writer, int64_t value);

/* Nine significant digits, so that a float32 reads back as it was, and at least so many decimals;
 * zeros after those are left out. Zero has no sign. The value must be finite. */
void ossa__write_decimal(struct ossa__writer *writer, double value, unsigned least_decimals);

/* Six decimals, for values below 1e12: quicker, and small noise becomes a plain 0.000000. */
void ossa__write_millionths(struct ossa__writer *writer, double value);

#endif
