/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a file of the format that OSSA_FUZZ_FORMAT names: alone, and in a figure. Without
 * that variable, the bytes are taken for every format in turn. */
#include "checks.h"
#include "mutate.h"

#include "codec/format.h"

#include <string.h>

enum { MOST_IN_FIGURE = 1 << 16 };

static const struct ossa__format *chosen(void)
{
    static const struct ossa__format *found;
    static bool is_known;
    const char *id = is_known ? NULL : getenv("OSSA_FUZZ_FORMAT");
    is_known = true;
    for (size_t i = 0; id != NULL && ossa__formats[i] != NULL; i++) {
        if (strcmp(ossa__formats[i]->about.id, id) == 0) found = ossa__formats[i];
    }
    REQUIRE(id == NULL || found != NULL, "OSSA_FUZZ_FORMAT is not the id of a format");
    return found;
}

const char *fuzz_format(void)
{
    const struct ossa__format *format = chosen();
    return format == NULL ? NULL : format->about.id;
}

struct fuzz_part fuzz_choose_part(const uint8_t *data, size_t size, unsigned random)
{
    (void)data;
    (void)random;
    return (struct fuzz_part){0, size}; /* it is one file */
}

static bool check_format(const uint8_t *data, size_t size, const struct ossa__format *format)
{
    const char *id = format->about.id;
    bool is_good = check_file(data, size, id, NULL, format->scattered);
    for (unsigned d = 0; strcmp(id, "mm-anim") == 0 && d < 4; d++) {
        (void)check_file(data, size, id, ossa_mm_dialect_name((ossa_mm_dialect)d), false);
    }
    return is_good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct ossa__format *format = chosen();
    /* An odd address for inputs of odd size: arrays must be copied there. */
    size_t shift = size % 2;
    uint8_t *copy = malloc(size + shift + (size == 0));
    if (copy == NULL) return 0;
    if (size > 0) memcpy(copy + shift, data, size);
    if (format == NULL) {
        (void)check_file(copy + shift, size, NULL, NULL, true);
        for (size_t i = 0; ossa__formats[i] != NULL; i++) {
            (void)check_format(copy + shift, size, ossa__formats[i]);
        }
    } else if (check_format(copy + shift, size, format) && size <= MOST_IN_FIGURE) {
        check_figure(copy + shift, size, &format->about);
    }
    free(copy);
    return 0;
}
