/* SPDX-License-Identifier: MIT
 *
 * Our JSON parser beside jansson, for a test and a fuzzer. */
#ifndef OSSA_TESTS_JSON_PEER_H
#define OSSA_TESTS_JSON_PEER_H

#include <stdbool.h>
#include <stddef.h>

/* What differs: that one refuses the text, or a value that they find in it. NULL: nothing. */
const char *compare_with_jansson(const char *json, size_t size, bool *is_accepted);

#endif
