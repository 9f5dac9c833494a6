/* SPDX-License-Identifier: MIT
 *
 * The index of an archive that has to be searched: what was found in it, kept in a file of its own
 * (ossa_write_index), so that the next reader need not search again. */
#ifndef OSSA_ARCHIVE_INDEX_H
#define OSSA_ARCHIVE_INDEX_H

#include "codec/format.h"

struct ossa__indexed {
    const ossa_entry *entries; /* in the order of offsets, all inside the archive */
    const struct ossa__entry_hint *hints;
    size_t count;
};

/* What the index in the options says of an archive of the context's format. False: it is damaged or
 * that of another file, which is a warning; or after a failure. */
bool ossa__index_read(struct ossa__context *context, const ossa_source *source,
                      struct ossa__indexed *indexed);

/* Is an entry named by its offset, as 0x00012800.anb? */
bool ossa__is_offset_name(const ossa_entry *entry);

#endif
