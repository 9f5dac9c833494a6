/* SPDX-License-Identifier: MIT
 *
 * Choosing the format of a file. */
#ifndef OSSA_CODEC_PROBE_H
#define OSSA_CODEC_PROBE_H

#include "codec/format.h"

/* The format that the options force, or the one that claims the bytes best. NULL after a failure:
 * none does, or two do equally. */
const struct ossa__format *ossa__choose_format(struct ossa__context *context, const uint8_t *data,
                                               uint64_t size, ossa_confidence *confidence);

/* What the probes say of the bytes; no format where none claims them, or two do equally. */
ossa_guess ossa__guess(const void *data, size_t size, const char *name);

/* Fails if a file in parts is of no format, by its beginning; then it need not be read. */
bool ossa__is_foreign(struct ossa__context *context, const ossa_source *source);

/* The format of a file in parts that reads it so, or NULL: none does, or there was a failure. */
const struct ossa__format *ossa__choose_for_parts(struct ossa__context *context,
                                                  const uint8_t *data, uint64_t size,
                                                  ossa_confidence *confidence);

/* The format that reads a source which may be larger than memory: the one that the options force,
 * or one that is sure of it; NULL: none. */
const struct ossa__format *ossa__choose_for_source(const ossa_options *options,
                                                   const ossa_source *source,
                                                   ossa_confidence *confidence);

#endif
