/* SPDX-License-Identifier: MIT
 *
 * A mutator that knows where the fields of a file are: the library says so while it reads. Linked
 * only where there is libFuzzer. */
#ifndef OSSA_FUZZ_MUTATE_H
#define OSSA_FUZZ_MUTATE_H

#include "target.h"

#include "ossa/ossa.h"

/* libFuzzer's own mutator, and the functions that it calls in place of that. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t max_size, unsigned seed);

/* ---- what a target says -------------------------------------------------------------------- */

/* The id of the format of its files; NULL: whichever claims them. */
const char *fuzz_format(void);

/* Where one of the files in an input is. Its size is stored in two bytes before it, unless the
 * input ends with it. `begin` is 0 if the input is one file. */
struct fuzz_part {
    size_t begin;
    size_t size;
};

/* Choose one. */
struct fuzz_part fuzz_choose_part(const uint8_t *data, size_t size, unsigned random);

/* ---- between the files of the mutator ------------------------------------------------------ */

/* Numbers that look like random ones; the same for the same seed. */
struct fuzz_random {
    uint32_t state;
};
uint32_t fuzz_next(struct fuzz_random *random);
uint32_t fuzz_below(struct fuzz_random *random, size_t count); /* 0 if count is 0 */

/* One field of a file. */
struct fuzz_field {
    size_t offset;
    size_t size;
    ossa_field_type type;
    uint32_t record; /* a hash of its path up to the last index, "links[3]"; 0: none */
    uint32_t array;  /* the same without that index */
};

struct fuzz_fields {
    struct fuzz_field items[4096];
    size_t count;
};

/* Find the fields of a file, also of one that can be read only in part. */
void fuzz_find_fields(const uint8_t *data, size_t size, struct fuzz_fields *fields);

/* Pack an archive again with other entries, so that all of its tables and checksums are right.
 * Returns its new size, or 0 if it is none, or does not fit. */
size_t fuzz_repack(uint8_t *data, size_t size, size_t max_size, struct fuzz_random *random);

#endif
