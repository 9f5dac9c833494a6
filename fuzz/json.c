/* SPDX-License-Identifier: MIT
 *
 * Any text as JSON: our parser accepts what jansson accepts, and finds the same values. */
#include "target.h"

#include "support/json_peer.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool is_accepted;
    /* jansson passes over a NUL behind a number. */
    if (size > 0 && memchr(data, '\0', size) != NULL) return 0;
    const char *difference = compare_with_jansson((const char *)data, size, &is_accepted);
    REQUIRE(difference == NULL, difference);
    return 0;
}
