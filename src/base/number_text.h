/* SPDX-License-Identifier: MIT
 *
 * Numbers as text, whatever the locale, without printf: what is written most is numbers. Each
 * function writes at `text`, where it may use as many bytes as its capacity says, and gives the end
 * of what it wrote. There is no NUL after it. */
#ifndef OSSA_BASE_NUMBER_TEXT_H
#define OSSA_BASE_NUMBER_TEXT_H

#include <stdint.h>

enum {
    OSSA__INTEGER_CAPACITY = 24,
    OSSA__FLOAT_CAPACITY = 32,
    OSSA__DECIMAL_CAPACITY = 384,
    OSSA__MILLIONTHS_CAPACITY = 32,
};

char *ossa__uint_text(uint64_t value, char *text);
char *ossa__int_text(int64_t value, char *text);

/* As "%.9g", which reads back to the same float; negative zero as "-0.0". It must be finite. */
char *ossa__float_text(float value, char *text);

/* Without an exponent: nine significant digits, so that a float reads back as it was, and at least
 * so many decimals (at most 16); zeros after those are left out. Zero has no sign. The value must
 * be finite. Quick for values that are floats. */
char *ossa__decimal_text(double value, unsigned least_decimals, char *text);

/* Six decimals, for values below 1e12: small noise becomes a plain 0.000000. */
char *ossa__millionths_text(double value, char *text);

#endif
