/* SPDX-License-Identifier: MIT
 *
 * Text to numbers, whatever the locale. The text must be a number of JSON's grammar, or one that
 * has digits only before or only behind its point, and something that is not part of a number must
 * follow it. */
#ifndef OSSA_BASE_NUMBER_PARSE_H
#define OSSA_BASE_NUMBER_PARSE_H

#include <stdbool.h>
#include <stdint.h>

/* The nearest double, ties to even, as strtod has it; infinite if there is none. Gives the end of
 * the number. */
const char *ossa__parse_number(const char *text, double *value);

/* The value of a number without a point and without an exponent; false if it is none, or does not
 * fit. */
bool ossa__parse_integer(const char *text, int64_t *value);

#endif
