/* SPDX-License-Identifier: MIT
 *
 * How much of an archive is looked at. */
#include "workspace/workspace.h"

struct ossa__budget ossa__budget_of(const ossa_workspace *workspace, const struct ossa__node *node)
{
    /* Archives that lie in each other count once for each: a good one is counted a few times. */
    enum { TIMES = 64 };
    uint64_t size = node->file != NULL ? node->file->size : node->source.size;
    uint64_t limit = workspace->options.max_input;
    uint64_t most = size > UINT64_MAX / (2 * TIMES) ? UINT64_MAX / 2 : TIMES * size;
    return (struct ossa__budget){.left = (UINT64_C(1) << 20) + most,
                                 .largest = limit,
                                 .unpacked = limit > UINT64_MAX - most ? UINT64_MAX : limit + most};
}

bool ossa__spend(struct ossa__budget *budget, const ossa_entry *entry, const char *path,
                 ossa_error *error)
{
    uint64_t size = entry->stored_size;
    uint64_t unpacked = entry->is_packed && entry->size <= budget->largest ? entry->size : 0;
    if (size <= budget->left && unpacked <= budget->unpacked) {
        budget->left -= size;
        budget->unpacked -= unpacked;
        return true;
    }
    if (size > budget->left) {
        budget->left = 0;
        return ossa__workspace_fail(error, OSSA_CODE_LIMIT, path,
                                    "the entries share bytes so often that they are far more than "
                                    "the archive; the rest is left out");
    }
    budget->unpacked = 0;
    return ossa__workspace_fail(error, OSSA_CODE_TOO_LARGE, path,
                                "unpacked, the entries are far more than the archive; the rest is "
                                "left out");
}
