/* SPDX-License-Identifier: MIT */
#include "support/text_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bytes make_text(const char *text)
{
    return bytes_copy(text, strlen(text));
}

size_t place_in(const char *text, const char *piece)
{
    const char *found = strstr(text, piece);
    if (found == NULL) {
        (void)fprintf(stderr, "no '%s' in the text '%s'\n", piece, text);
        abort();
    }
    return (size_t)(found - text);
}

size_t place_in_bytes(const struct bytes *bytes, const char *piece, unsigned nth)
{
    size_t size = strlen(piece);
    for (size_t at = 0; at + size <= bytes->size; at++) {
        if (memcmp(bytes->data + at, piece, size) == 0 && --nth == 0) return at;
    }
    (void)fprintf(stderr, "no '%s' in the bytes\n", piece);
    abort();
}

void add_broken_text(struct fixtures *all, const char *name, const char *text,
                     ossa_confidence confidence, ossa_severity severity, ossa_code code,
                     const char *piece, const char *field)
{
    size_t offset = piece == NULL ? strlen(text) : place_in(text, piece);
    fixture_add_broken(all, name, make_text(text), confidence,
                       (struct expected_issue){severity, code, offset, field});
}

void add_unusual_text(struct fixtures *all, const char *name, const char *text, const char *piece,
                      const char *field)
{
    add_broken_text(all, name, text, OSSA_CONFIDENCE_SIGNATURE, OSSA_SEVERITY_WARNING,
                    OSSA_CODE_UNUSUAL_VALUE, piece, field);
}

void add_faulty_text(struct fixtures *all, const char *name, const char *text, ossa_code code,
                     const char *piece, const char *field)
{
    add_broken_text(all, name, text, OSSA_CONFIDENCE_SIGNATURE, OSSA_SEVERITY_ERROR, code, piece,
                    field);
}

void add_bad_text(struct fixtures *all, const char *name, const char *text,
                  ossa_confidence confidence, const char *piece, const char *field)
{
    add_broken_text(all, name, text, confidence, OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE,
                    piece, field);
}

void add_cut_text(struct fixtures *all, const char *name, const char *text,
                  ossa_confidence confidence, const char *field)
{
    add_broken_text(all, name, text, confidence, OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED,
                    NULL, field);
}
