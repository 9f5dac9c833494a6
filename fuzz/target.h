/* SPDX-License-Identifier: MIT
 *
 * The entry of a fuzz target, as libFuzzer spells it, and how a target complains. */
#ifndef OSSA_FUZZ_TARGET_H
#define OSSA_FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Not assert: a build without assertions must fuzz too. */
#define REQUIRE(condition, why)                                                                    \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, (why));                             \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
