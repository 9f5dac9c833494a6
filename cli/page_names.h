/* SPDX-License-Identifier: MIT
 *
 * What files are called inside of a page: a page is given to others, and where its files lay on the
 * disk is nobody's business. What the names mean together stays: a clip is named after its folder,
 * so that a file keeps the folder that it lies in. */
#ifndef OSSA_CLI_PAGE_NAMES_H
#define OSSA_CLI_PAGE_NAMES_H

#include "cli.h"

/* A path from the root on, without a / before it, and no dots among its names, from malloc; NULL
 * where there is no memory. */
char *plain_path(const char *path);

/* How many characters at the start of plain paths all of them can do without. Of each its last name
 * is kept, and unless it is `alone` the folder it lies in. */
struct common {
    char *folder; /* from malloc; NULL: none was seen */
    size_t size;
    bool ok; /* false: no memory */
};
void common_add(struct common *common, const char *path, bool alone);
const char *without_common(const struct common *common, const char *path);

#endif
