/* SPDX-License-Identifier: MIT
 *
 * What differs on big-endian machines. Include it after cmocka. */
#ifndef OSSA_TEST_BYTE_ORDER_H
#define OSSA_TEST_BYTE_ORDER_H

#include "base/bytes.h"

/* For tests that arrays are used where they lie: elsewhere they are copied, in the order of the
 * machine. */
#define skip_unless_little_endian()                                                                \
    do {                                                                                           \
        if (!OSSA__LITTLE_ENDIAN) skip();                                                          \
    } while (0)

/* A constant as files have it. */
#define WORD(x)                                                                                    \
    (OSSA__LITTLE_ENDIAN ? (uint32_t)(x)                                                           \
                         : (uint32_t)(x) >> 24 | ((uint32_t)(x) >> 8 & 0xff00U) |                  \
                               ((uint32_t)(x)&0xff00U) << 8 | (uint32_t)(x) << 24)

#endif
