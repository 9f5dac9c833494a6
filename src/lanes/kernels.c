/* SPDX-License-Identifier: MIT
 *
 * Which kernels to use, and what is too rare to be done in lanes. */
#include "lanes/kernels.h"

#include "base/quaternion.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

size_t ossa__kernels_list(const struct ossa__kernels *list[3])
{
    size_t count = 0;
#ifndef __wasm_simd128__ /* such a module runs nowhere else, so it need not hold both */
    list[count++] = &ossa__kernels_1;
#endif
#ifdef OSSA__HAS_WIDTH_4
    list[count++] = &ossa__kernels_4;
#endif
#ifdef OSSA__HAS_WIDTH_8
    if (__builtin_cpu_supports("avx2")) list[count++] = &ossa__kernels_8;
#endif
    return count;
}

static const struct ossa__kernels *choose(void)
{
    const struct ossa__kernels *list[3];
    size_t count = ossa__kernels_list(list);
#ifdef __wasm__
    const char *wanted = NULL; /* a page has no environment */
#else
    const char *wanted = getenv("OSSA_SIMD");
#endif
    for (size_t i = 0; wanted != NULL && i < count; i++) {
        if (strcmp(list[i]->name, wanted) == 0) return list[i];
    }
    return list[count - 1];
}

const struct ossa__kernels *ossa__kernels(void)
{
    /* Threads that come here at once find the same, so it does not matter who stores it. */
    static _Atomic(const struct ossa__kernels *) chosen;
    const struct ossa__kernels *kernels = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (kernels == NULL) {
        kernels = choose();
        atomic_store_explicit(&chosen, kernels, memory_order_relaxed);
    }
    return kernels;
}

/* `width` bits of a key that begin `left` bits below the top, as a signed number. */
static int signed_field(uint32_t key, unsigned left, unsigned width)
{
    uint32_t sign = 1U << (width - 1);
    uint32_t bits = key >> (32 - left - width) & (2 * sign - 1);
    return (int)(bits ^ sign) - (int)sign;
}

bool ossa__unpack_exactly(uint32_t key, const struct ossa__packed_shifts *shifts,
                          const struct ossa__packing *packing, unsigned lane, float rotation[4])
{
    double stored[3];
    double sum = 0.0;
    for (unsigned i = 0; i < 3; i++) {
        stored[i] = signed_field(key, shifts->field[i], 9) * (double)packing->step[i][lane] +
                    (double)packing->centre[i][lane];
        sum += stored[i] * stored[i];
    }
    double rest = 1.0 - sum;
    double fourth = 0.0; /* where the others are too long, by rounding */
    if (rest > 1e-9) {
        bool is_negative = (key << shifts->sign & 0x80000000U) != 0;
        fourth = is_negative == (packing->flip[lane] != 0) ? sqrt(rest) : -sqrt(rest);
    }
    double q[4];
    unsigned used = 0;
    unsigned missing = 0;
    while (missing < 3 && packing->missing[missing][lane] == 0) missing++;
    for (unsigned k = 0; k < 4; k++) q[k] = k == missing ? fourth : stored[used++];
    struct ossa__quat unit = {q[0], q[1], q[2], q[3]};
    bool is_valid = ossa__quat_normalise(&unit);
    ossa__quat_store(unit, rotation);
    return is_valid;
}
