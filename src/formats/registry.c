/* SPDX-License-Identifier: MIT
 *
 * The table of formats, from formats.inc. */
#include "formats/modules.h"

/* clang-format off */
const struct ossa__format *const ossa__formats[] = {
#define OSSA__FORMAT(id) &ossa__format_##id,
#include "formats/formats.inc"
    NULL,
};
/* clang-format on */
