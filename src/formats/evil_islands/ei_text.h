/* SPDX-License-Identifier: MIT
 *
 * Names of Evil Islands, which are code page 1251 in the files, in JSON and for people. */
#ifndef OSSA_EI_TEXT_H
#define OSSA_EI_TEXT_H

#include "codec/value.h"
#include "ossa/games/evil_islands.h"
#include "base/json.h"

void ossa__ei_dump_text(struct ossa__json *json, const char *bytes, size_t size);
/* The bytes of a text, in the arena and not terminated; NULL after a failure. */
const char *ossa__ei_build_text(const struct ossa__value *text, uint32_t *size);

/* For messages: a name short enough to print, and without anything that a terminal obeys. */
struct ossa__ei_shown {
    char text[64];
};
struct ossa__ei_shown ossa__ei_show(const ossa_ei_name *name);

#endif
