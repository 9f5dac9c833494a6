/* SPDX-License-Identifier: MIT
 *
 * The kernels for four floats: SSE2, NEON of 64-bit ARM, and WebAssembly. */
#include "lanes/kernels.h"

#ifdef OSSA__HAS_WIDTH_4
#define OSSA__WIDTH 4
#define OSSA__NAME  "4"
#include "lanes/kernels_source.h"
#endif
