/* SPDX-License-Identifier: MIT
 *
 * The words and numbers of a BVH, and where they stand. */
#ifndef OSSA_IMPORT_BVH_SCAN_H
#define OSSA_IMPORT_BVH_SCAN_H

#include "codec/context.h"

struct ossa__bvh_scan {
    struct ossa__context *context;
    const char *data; /* no NUL is in it, nor behind it */
    size_t size;
    size_t at;
};

/* Refuse what stands at an offset; the message begins with the number of its line. */
bool ossa__bvh_refuse(const struct ossa__bvh_scan *scan, size_t at, ossa_code code,
                      const char *message, ...) OSSA_PRINTF(4, 5);
/* Refuse what stands here: "found X, expected ...". */
bool ossa__bvh_expected(const struct ossa__bvh_scan *scan, const char *expected);

/* The next byte; 0 at the end. */
char ossa__bvh_peek(const struct ossa__bvh_scan *scan);
bool ossa__bvh_is_line_end(char c);
/* White space, and the same without the ends of lines. */
void ossa__bvh_pass_space(struct ossa__bvh_scan *scan);
void ossa__bvh_pass_blanks(struct ossa__bvh_scan *scan);

/* Pass white space and then a word, whatever the case of its letters, or one character. False: it
 * does not stand there. */
bool ossa__bvh_pass_word(struct ossa__bvh_scan *scan, const char *word);
bool ossa__bvh_pass_character(struct ossa__bvh_scan *scan, char c);

/* A number as C prints it, within the range of a 32-bit float. False after a refusal. */
bool ossa__bvh_read_number(struct ossa__bvh_scan *scan, double *value);
/* What is left of the line up to a brace, without the white space around it; as UTF-8. NULL after a
 * failure. */
const char *ossa__bvh_read_name(struct ossa__bvh_scan *scan);
/* Bytes as UTF-8: what is not is of an old program, and of the code page that games used. */
const char *ossa__bvh_text(struct ossa__context *context, const char *bytes, size_t size);

#endif
