/* SPDX-License-Identifier: MIT
 *
 * Texts that are kept byte by byte: pieces of them in messages, and their JSON. */
#ifndef OSSA_CODEC_LINES_H
#define OSSA_CODEC_LINES_H

#include "base/json.h"
#include "codec/value.h"

/* A word for messages: shortened, without control characters, one character per byte. */
enum { OSSA__PIECE_CAPACITY = 64 };
struct ossa__piece {
    char text[OSSA__PIECE_CAPACITY];
};
struct ossa__piece ossa__show_piece(const char *bytes, uint64_t size);

/* A string with one character per byte, U+0000 to U+00FF, so that any byte survives. */
void ossa__dump_latin(struct ossa__json *json, const char *bytes, size_t size);
/* The member "lines": the text, cut at every line feed. */
void ossa__dump_lines(struct ossa__json *json, const char *text, size_t size);
/* The bytes of such a string, at most `most` of them, in the arena; NULL after a failure. */
const char *ossa__build_latin(const struct ossa__value *value, uint32_t most, uint32_t *size);
/* The text of the member "lines", in the arena; NULL after a failure. */
const char *ossa__build_lines(struct ossa__context *context, const struct ossa__value *data,
                              size_t *size);

#endif
