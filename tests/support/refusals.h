/* SPDX-License-Identifier: MIT
 *
 * What must not be written or built: the refusal has the right code, and names the place. */
#ifndef OSSA_TEST_REFUSALS_H
#define OSSA_TEST_REFUSALS_H

#include "support/testing.h"

/* Contents that were changed to what no file can hold. */
void require_write_refused(const ossa_file *file, const char *field);

/* A document around `data`, built; NULL where it cannot be. */
ossa_file *build_data(const char *format, unsigned size, const char *data, ossa_error *error);
void require_data_refused(const char *format, unsigned size, const char *data, ossa_code code,
                          const char *field);

/* The document of a fixture with `from`, where it first stands, replaced by `to`. */
void require_edit_refused(const char *fixture, const char *from, const char *to, const char *field,
                          const char *message);

#endif
