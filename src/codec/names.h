/* SPDX-License-Identifier: MIT
 *
 * Names that must differ: of clips and cameras in a scene, of nodes in a file that is written. */
#ifndef OSSA_CODEC_NAMES_H
#define OSSA_CODEC_NAMES_H

#include "base/index.h"
#include "codec/context.h"

struct ossa__name {
    uint32_t next_number; /* to put behind the next one that wants this name */
    bool is_reserved;     /* nobody has it yet, but somebody will */
};

/* A table of states has thousands of names, and nobody may make them slow. */
struct ossa__names {
    struct ossa__name *names;
    uint32_t count;
    struct ossa__index index; /* of their texts */
};

/* Room for so many names, and as many reserved ones; false after a failure. */
bool ossa__names_start(struct ossa__names *names, struct ossa__context *context, size_t capacity);
/* A name that will be added: others that get a number keep off it. */
void ossa__names_reserve(struct ossa__names *names, const char *text);
bool ossa__names_has(struct ossa__names *names, const char *text);
/* A name that is free, and what is noted when it is taken. */
struct ossa__name_choice {
    char *text;               /* in the context's arena; NULL after a failure */
    struct ossa__name *first; /* the one without a number; NULL: it is the first */
    uint32_t next_number;     /* of that one */
};
/* Choose a name as ossa__names_add does. It must be taken, or left, before another is chosen. */
struct ossa__name_choice ossa__names_choose(struct ossa__names *names,
                                            struct ossa__context *context, const char *text,
                                            const char *separator);
void ossa__names_take(struct ossa__names *names, const struct ossa__name_choice *choice);
/* The name itself, or followed by `separator` and a number if it is taken: "walk", "walk2", ... It
 * is noted, and lives in the context's arena; NULL after a failure. */
char *ossa__names_add(struct ossa__names *names, struct ossa__context *context, const char *text,
                      const char *separator);

#endif
