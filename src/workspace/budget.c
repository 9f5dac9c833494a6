/* SPDX-License-Identifier: MIT
 *
 * How much of an archive is looked at. */
#include "workspace/workspace.h"

#include <string.h>

struct ossa__budget ossa__budget_of(const ossa_workspace *workspace, const struct ossa__node *node)
{
    /* Archives that lie in each other count once for each: a good one is counted a few times. */
    enum { TIMES = 64 };
    uint64_t size = node->file != NULL ? node->file->size : node->source.size;
    uint64_t limit = workspace->options.max_input;
    uint64_t most = size > UINT64_MAX / (2 * TIMES) ? UINT64_MAX / 2 : TIMES * size;
    return (struct ossa__budget){.left = (UINT64_C(1) << 20) + most,
                                 .largest = limit,
                                 .base = strlen(node->path),
                                 .unpacked = ossa__size_plus(limit, most)};
}

/* An entry is never free, or archives of empty ones in each other would be endless. Its path in the
 * archive counts because it is made, and often printed: entries may share a long name. */
static uint64_t cost_of(const struct ossa__budget *budget, const ossa_entry *entry,
                        const char *path)
{
    enum { AT_LEAST = 64 };
    size_t length = strlen(path);
    uint64_t cost = AT_LEAST + (length > budget->base ? length - budget->base : 0);
    return ossa__size_plus(entry->stored_size, cost);
}

bool ossa__spend(struct ossa__budget *budget, const ossa_entry *entry, const char *path,
                 ossa_error *error)
{
    uint64_t size = cost_of(budget, entry, path);
    uint64_t unpacked = entry->is_packed && entry->size <= budget->largest ? entry->size : 0;
    if (size <= budget->left && unpacked <= budget->unpacked) {
        budget->left -= size;
        budget->unpacked -= unpacked;
        return true;
    }
    if (size > budget->left) {
        budget->left = 0;
        return ossa__workspace_fail(error, OSSA_CODE_LIMIT, path,
                                    "the entries share so many bytes that together they far "
                                    "exceed the archive; the rest is left out");
    }
    budget->unpacked = 0;
    return ossa__workspace_fail(error, OSSA_CODE_TOO_LARGE, path,
                                "unpacked, the entries are far more than the archive; the rest is "
                                "left out");
}
