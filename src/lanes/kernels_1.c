/* SPDX-License-Identifier: MIT
 *
 * The kernels in plain C, one bone at a time. */
#define OSSA__WIDTH 1
#define OSSA__NAME  "scalar"
#include "lanes/kernels_source.h"
