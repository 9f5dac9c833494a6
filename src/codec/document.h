/* SPDX-License-Identifier: MIT
 *
 * A JSON document, checked once and then read where it stands: what is kept besides the text is
 * one small node per array and object, so that a document of numbers costs little more memory than
 * its text. The text must outlive the document.
 *
 * The text is RFC 8259's JSON in UTF-8 with an array or object at the top, without duplicate keys,
 * NULs in keys, integers beyond 64 bits and numbers beyond a double. */
#ifndef OSSA_CODEC_DOCUMENT_H
#define OSSA_CODEC_DOCUMENT_H

#include "codec/context.h"

/* An array or an object. Nodes stand in the order of their opening brackets. */
struct ossa__json_node {
    uint32_t begin; /* offset of its opening bracket */
    uint32_t end;   /* of its closing one */
    uint32_t count; /* of items or members */
    uint32_t next;  /* the first node behind all that are inside */
};

/* A value in the text: where it begins, and the node to come at this place, which is its own if it
 * is an array or object. */
struct ossa__json_place {
    const char *at;
    uint32_t node;
};

/* Items are asked for in order, so the last one of each array is where the next search starts.
 * Arrays share these by their depth. */
struct ossa__json_cursor {
    uint32_t node;
    size_t index;
    struct ossa__json_place place;
};

enum { OSSA__JSON_CURSORS = 8 }; /* a power of two */

struct ossa__document {
    const char *text;
    struct ossa__json_node *nodes;
    struct ossa__mark mark; /* of the scratch memory before it */
    struct ossa__context *context;
    struct ossa__json_cursor cursors[OSSA__JSON_CURSORS];
};

/* Parse a whole document; NULL after a failure. It takes scratch memory, until it is freed. */
struct ossa__document *ossa__document_parse(struct ossa__context *context, const char *json,
                                            size_t size);
void ossa__document_free(struct ossa__document *document);

/* The first item of an array, or the first key of an object, that is not empty. */
struct ossa__json_place ossa__json_first(const struct ossa__document *document, uint32_t node);
/* What stands behind a value and its comma. Behind the last one it is the closing bracket. */
struct ossa__json_place ossa__json_next(const struct ossa__document *document,
                                        struct ossa__json_place place);
/* The same behind the last byte of a number or a string. */
const char *ossa__json_behind(const char *end);
/* The value of the key at this place. */
struct ossa__json_place ossa__json_after_key(struct ossa__json_place key);

/* The bytes between the quotes of a string; with escapes if `has_escapes`. */
const char *ossa__json_span(const char *string, size_t *size, bool *has_escapes);
/* The characters of such bytes as UTF-8, which is never longer; gives the size. */
size_t ossa__json_unescape(const char *span, size_t size, char *out);

#endif
