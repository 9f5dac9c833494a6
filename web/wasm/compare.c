/* SPDX-License-Identifier: MIT
 *
 * memcmp by words: that of wasi-libc goes byte by byte, and the keys of a scene are compared with
 * it. */
#include <stdint.h>
#include <string.h>

int memcmp(const void *a, const void *b, size_t size)
{
    const uint8_t *x = a;
    const uint8_t *y = b;
    for (; size >= 8; x += 8, y += 8, size -= 8) {
        uint64_t left;
        uint64_t right;
        __builtin_memcpy(&left, x, 8);
        __builtin_memcpy(&right, y, 8);
        if (left != right) break; /* the bytes below say which comes first */
    }
    for (; size > 0; x++, y++, size--) {
        if (*x != *y) return *x < *y ? -1 : 1;
    }
    return 0;
}
