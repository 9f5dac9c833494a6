/* SPDX-License-Identifier: MIT
 *
 * Strays: files that lie with others and that nobody meant. A program among the parts of a figure,
 * a note, a table of something else. They are left out, and never a reason to refuse the others. */
#include "workspace/workspace.h"

#include <string.h>

enum { LOOK = 512 }; /* bytes that decide whether a file is text */

static bool is_text(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bool is_space = bytes[i] == '\t' || bytes[i] == '\n' || bytes[i] == '\r' || bytes[i] == 26;
        if ((bytes[i] < 32 && !is_space) || bytes[i] == 127) return false;
    }
    return true;
}

/* The first bytes of an item; how many. */
static size_t first_bytes(ossa_workspace *workspace, const struct ossa__item *item,
                          uint8_t bytes[LOOK])
{
    size_t size = 0;
    if (item->archive != NULL) {
        ossa_bytes all;
        if (!ossa__node_bytes(workspace, item->archive, item->entry, &all, NULL)) return 0;
        size = all.size < LOOK ? all.size : LOOK;
        if (size > 0) memcpy(bytes, all.data, size);
        ossa_bytes_free(&all);
        return size;
    }
    struct ossa__source source;
    if (!ossa__source_open(workspace, item->path, &source, NULL)) return 0;
    size = source.size < LOOK ? (size_t)source.size : LOOK;
    if (!ossa__source_read(&source, 0, bytes, size)) size = 0;
    ossa__source_close(&source);
    return size;
}

/* Is it text where its format is not, or the other way round? Then only its name claims the format,
 * and the format has nothing to say about it. */
static bool is_of_another_kind(ossa_workspace *workspace, const struct ossa__item *item,
                               const char *format)
{
    const struct ossa__format *claimed = (const struct ossa__format *)ossa_format_find(format);
    uint8_t bytes[LOOK];
    if (claimed == NULL) return false;
    size_t size = first_bytes(workspace, item, bytes);
    return size > 0 && is_text(bytes, size) != claimed->is_text;
}

bool ossa__is_stray(ossa_workspace *workspace, const struct ossa__item *item, ossa_code code,
                    const char *format)
{
    bool is_unknown = code == OSSA_CODE_UNKNOWN_FORMAT || code == OSSA_CODE_EMPTY_FILE ||
                      code == OSSA_CODE_AMBIGUOUS_FORMAT;
    if (item->is_named || code == OSSA_CODE_OUT_OF_MEMORY) return false;
    if (format != NULL && format[0] != '\0') return is_of_another_kind(workspace, item, format);
    if (!is_unknown) return false;
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        if (ossa__formats[i]->has_common_extension) continue; /* anybody's files end in it */
        if (ossa_format_fits_name(&ossa__formats[i]->about, item->path)) return false;
    }
    return true;
}
