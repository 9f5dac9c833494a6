/* SPDX-License-Identifier: MIT
 *
 * For the generators of formats that are text: what is wrong in one is at a piece of it. */
#ifndef OSSA_TEST_TEXT_FIXTURE_H
#define OSSA_TEST_TEXT_FIXTURE_H

#include "support/fixtures.h"

struct bytes make_text(const char *text);

/* Where a piece of a text begins: the first time, and it must be there. */
size_t place_in(const char *text, const char *piece);

/* The same in bytes, the `nth` time, counted from 1. */
size_t place_in_bytes(const struct bytes *bytes, const char *piece, unsigned nth);

/* A text that breaks one rule, at that piece. NULL: where it ends. */
void add_broken_text(struct fixtures *all, const char *name, const char *text,
                     ossa_confidence confidence, ossa_severity severity, ossa_code code,
                     const char *piece, const char *field);

/* The same for what is known by its first words: with an unusual value, with a fault, with a word
 * that cannot be read, and cut off. */
void add_unusual_text(struct fixtures *all, const char *name, const char *text, const char *piece,
                      const char *field);
void add_faulty_text(struct fixtures *all, const char *name, const char *text, ossa_code code,
                     const char *piece, const char *field);
void add_bad_text(struct fixtures *all, const char *name, const char *text,
                  ossa_confidence confidence, const char *piece, const char *field);
void add_cut_text(struct fixtures *all, const char *name, const char *text,
                  ossa_confidence confidence, const char *field);

#endif
