/* SPDX-License-Identifier: MIT
 *
 * Errors of calls that have no context: those that only compute. */
#ifndef OSSA_BASE_ERROR_H
#define OSSA_BASE_ERROR_H

#include "ossa/error.h"

/* Fill in an error; NULL is allowed. `format` is an id or NULL. Always gives false. */
bool ossa__set_error(ossa_error *error, ossa_code code, const char *format, const char *message,
                     ...) OSSA_PRINTF(4, 5);

#endif
