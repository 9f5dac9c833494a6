/* SPDX-License-Identifier: MIT
 *
 * The kernels for eight floats: AVX2, which this file alone may use. Nothing else in it is called
 * where the machine has none. */
#include "lanes/kernels.h"

#ifdef OSSA__HAS_WIDTH_8
/* Before the pragma, so that nothing in them is compiled for AVX2. */
#include <float.h>
#include <immintrin.h>
#include <math.h>
#include <string.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#define OSSA__WIDTH 8
#define OSSA__NAME  "8"
#include "lanes/kernels_source.h"

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
