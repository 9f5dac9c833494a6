/* SPDX-License-Identifier: MIT
 *
 * A printf as under a locale that writes another decimal point. Few machines have such a locale
 * installed, so a test compiles a file of the library once more, with this one in it. */
#ifndef OSSA_TEST_FOREIGN_PRINTF_H
#define OSSA_TEST_FOREIGN_PRINTF_H

#include <stddef.h>

#include "ossa/ossa.h"

extern const char *foreign_point; /* "." at first */

int foreign_snprintf(char *text, size_t capacity, const char *format, ...) OSSA_PRINTF(3, 4);

#endif
