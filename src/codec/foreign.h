/* SPDX-License-Identifier: MIT
 *
 * Files that no format reads, but that people have where a game's files are expected: containers
 * of other programs, and what was exported before. */
#ifndef OSSA_CODEC_FOREIGN_H
#define OSSA_CODEC_FOREIGN_H

#include "ossa/archive.h"

struct ossa__foreign {
    ossa_code code;
    const char *what; /* it is, and what to do about it: a message */
};

/* What a file is that no format claims; NULL: nobody knows. Reads little of it. */
const struct ossa__foreign *ossa__find_foreign(const ossa_source *source);
const struct ossa__foreign *ossa__find_foreign_bytes(const uint8_t *data, uint64_t size);

/* Does a failure say that a file is of no format, whatever else it is? */
bool ossa__is_of_no_format(ossa_code code);

#endif
