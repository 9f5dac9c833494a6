/* SPDX-License-Identifier: MIT */
#include "codec/sort.h"

#include <string.h>

bool ossa__sort(struct ossa__context *context, void *items, size_t count, size_t size,
                bool (*before)(const void *a, const void *b, void *user), void *user)
{
    uint8_t *from = items;
    struct ossa__mark mark = ossa__scratch_mark(context);
    uint8_t *to = ossa__take_scratch(context, count, size);
    if (to == NULL) return false;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t start = 0; start < count; start += 2 * width) {
            size_t middle = count - start < width ? count : start + width;
            size_t end = count - middle < width ? count : middle + width;
            size_t left = start;
            size_t right = middle;
            for (size_t k = start; k < end; k++) {
                bool take_right =
                    left == middle ||
                    (right < end && before(from + right * size, from + left * size, user));
                size_t pick = take_right ? right++ : left++;
                memcpy(to + k * size, from + pick * size, size);
            }
        }
        uint8_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != items) memcpy(items, from, count * size);
    ossa__scratch_release(context, mark);
    return true;
}
