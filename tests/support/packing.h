/* SPDX-License-Identifier: MIT
 *
 * Archives that are packed, by any format that can be, and the names in them. */
#ifndef OSSA_TEST_PACKING_H
#define OSSA_TEST_PACKING_H

#include "support/testing.h"

struct bytes pack_or_fail(const char *format, const char *what, const ossa_packing *entries,
                          size_t count);

/* Pack what is listed, as it is listed. */
struct bytes pack_again(const char *what, const ossa_file *file);

/* Packed again, each of the fixtures is the same. */
void require_packed_the_same(const char *const *fixtures, size_t count);

/* It cannot be packed, and nothing is written. */
void require_pack_refused(const char *format, const ossa_packing *entries, size_t count,
                          ossa_code code, const char *field, const char *message);

/* Whichever allocation fails, packing says so and leaks nothing. */
void require_pack_survives(const char *format, const ossa_packing *entries, size_t count);

/* An entry that is stored as it is, with that name and those bytes. Gives it, for what is more. */
const ossa_entry *require_stored(const ossa_file *file, size_t index, const char *name,
                                 const char *data);

/* Those are the names in an archive, told as they are, and the paths that are made of them. */
void require_paths(const char *fixture, const char *const (*names_and_paths)[2], size_t count);

#endif
