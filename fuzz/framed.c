/* SPDX-License-Identifier: MIT
 *
 * For the mutator: inputs of one byte, and then files, each after a byte that picks its path and a
 * u16 of its size; the last one takes what is left. */
#include "mutate.h"

const char *fuzz_format(void)
{
    return NULL;
}

struct fuzz_part fuzz_choose_part(const uint8_t *data, size_t size, unsigned random)
{
    struct fuzz_part parts[8] = {{0}};
    size_t count = 0;
    for (size_t at = 1; size > at + 3 && count < sizeof parts / sizeof parts[0]; count++) {
        size_t wanted = (size_t)data[at + 1] | (size_t)data[at + 2] << 8;
        at += 3;
        if (wanted > size - at) wanted = size - at;
        parts[count] = (struct fuzz_part){at, wanted};
        at += wanted;
    }
    return count == 0 ? (struct fuzz_part){0, size} : parts[random % count];
}
