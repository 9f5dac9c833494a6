/* SPDX-License-Identifier: MIT
 *
 * What the reader of an ADB and its JSON have in common. */
#ifndef OSSA_EI_ADB_H
#define OSSA_EI_ADB_H

#include "formats/modules.h"
#include "ossa/games/evil_islands.h"

/* The bytes of a text in a field that is filled up with NULs. */
uint32_t ossa__adb_text_size(const char *field, uint32_t capacity);

void ossa__adb_dump(const void *contents, struct ossa__json *json);
void *ossa__adb_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size);

#endif
