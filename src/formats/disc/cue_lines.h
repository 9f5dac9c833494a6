/* SPDX-License-Identifier: MIT
 *
 * The lines and words of a CUE sheet. */
#ifndef OSSA_DISC_CUE_LINES_H
#define OSSA_DISC_CUE_LINES_H

#include "ossa/file.h"

#include <stdbool.h>
#include <stdint.h>

enum ossa__cue_command {
    OSSA__CUE_BLANK,
    OSSA__CUE_FILE,
    OSSA__CUE_TRACK,
    OSSA__CUE_INDEX,
    OSSA__CUE_PREGAP,
    OSSA__CUE_POSTGAP,
    OSSA__CUE_COMMENT,
    OSSA__CUE_OTHER, /* titles, codes, flags: nothing that a reader of data needs */
    OSSA__CUE_UNKNOWN,
};

/* [begin, end) in the text. */
struct ossa__cue_span {
    uint64_t begin;
    uint64_t end;
};

struct ossa__cue_line {
    enum ossa__cue_command command;
    struct ossa__cue_span all;       /* without white space around it */
    struct ossa__cue_span arguments; /* what follows the command */
    uint64_t next;                   /* where the next line begins */
};

/* Where the first line begins: after a byte order mark. */
uint64_t ossa__cue_begin(const char *text, uint64_t size);
/* The line at `at`. It ends in CR LF, LF, CR or where the text does. */
struct ossa__cue_line ossa__cue_next_line(const char *text, uint64_t size, uint64_t at);

/* Take the first word off a span; empty: there is none. */
struct ossa__cue_span ossa__cue_take_word(const char *text, struct ossa__cue_span *left);

/* The arguments of FILE. Quotes are not part of the name; without them it is all but the last
 * word. */
struct ossa__cue_names {
    struct ossa__cue_span name;
    struct ossa__cue_span type;
    bool is_open; /* the second quote is missing */
};
struct ossa__cue_names ossa__cue_split_file(const char *text, struct ossa__cue_span arguments);

/* At most three digits. */
bool ossa__cue_number(const char *text, struct ossa__cue_span word, uint32_t *number);
/* "mm:ss:ff" as frames; false if it is not one. */
bool ossa__cue_time(const char *text, struct ossa__cue_span word, uint32_t *frames,
                    bool *is_in_range);

struct ossa__cue_mode {
    const char *name;
    uint32_t sector_size; /* bytes; 0: the mode is not known */
    bool is_data;
};
struct ossa__cue_mode ossa__cue_find_mode(const char *text, struct ossa__cue_span word);

/* Does a file of that type hold sound in a format of its own? `is_known`: or sectors. */
bool ossa__cue_is_sound(const char *text, struct ossa__cue_span type, bool *is_known);

/* Looks at no more than the start. */
ossa_confidence ossa__cue_probe(const char *text, uint64_t size);

#endif
