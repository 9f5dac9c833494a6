/* SPDX-License-Identifier: MIT
 *
 * How much of an archive is looked at. */
#include "archives.h"

struct budget budget_of(const struct cli *cli, const struct archive *archive)
{
    /* Archives that lie in each other count once for each: a good one is counted a few times. */
    enum { TIMES = 64 };
    uint64_t size = archive->scan != NULL ? archive->scan->file.size : archive->file->size;
    uint64_t limit = cli->read.max_input == 0 ? DEFAULT_MAX_INPUT : cli->read.max_input;
    uint64_t most = TIMES * size;
    return (struct budget){.left = (UINT64_C(1) << 20) + most,
                           .largest = limit,
                           .unpacked = limit > UINT64_MAX - most ? UINT64_MAX : limit + most};
}

bool spend(struct budget *budget, const ossa_entry *entry, ossa_error *error)
{
    uint64_t size = entry->stored_size;
    uint64_t unpacked = entry->is_packed && entry->size <= budget->largest ? entry->size : 0;
    if (size <= budget->left && unpacked <= budget->unpacked) {
        budget->left -= size;
        budget->unpacked -= unpacked;
        return true;
    }
    bool is_shared = size > budget->left;
    if (is_shared) budget->left = 0;
    else budget->unpacked = 0;
    *error = (ossa_error){.code = OSSA_CODE_LIMIT};
    (void)snprintf(error->message, sizeof error->message, "%s",
                   is_shared ? "the entries share bytes so often that they are far more than the "
                               "archive; the rest is left out"
                             : "unpacked, the entries are far more than the archive; the rest is "
                               "left out; a larger --max-size allows more");
    return false;
}
