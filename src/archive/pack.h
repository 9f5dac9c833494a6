/* SPDX-License-Identifier: MIT
 *
 * Making archives. */
#ifndef OSSA_ARCHIVE_PACK_H
#define OSSA_ARCHIVE_PACK_H

#include "codec/format.h"

/* As ossa_pack, for a plan. Entries that are kept need neither data nor size. */
bool ossa__pack(const ossa_format *format, const struct ossa__pack_plan *plan,
                const ossa_options *options, ossa_sink sink, ossa_error *error);

/* ---- for the modules ----------------------------------------------------------------------- */

/* The entry of plan->like whose data an entry keeps; NULL: it has its own. */
const ossa_entry *ossa__kept_entry(const struct ossa__pack_plan *plan, size_t index);
/* The size of an entry when it is not packed. */
uint64_t ossa__pack_size(const struct ossa__pack_plan *plan, size_t index);
/* The bytes of an entry as they are when it is not packed, for ossa_bytes_free; false after a
 * failure. Those of kept entries are read now, so that not all are in memory at once. */
bool ossa__pack_bytes(struct ossa__context *context, const struct ossa__pack_plan *plan,
                      size_t index, ossa_bytes *bytes);
/* Write them. */
void ossa__pack_write(struct ossa__context *context, const struct ossa__pack_plan *plan,
                      size_t index, struct ossa__writer *writer);

#endif
