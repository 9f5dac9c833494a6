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

/* The folders below which names begin: of a path the one above the folder that it lies in, or that
 * folder itself if the path is `alone`. */
struct roots {
    char **folders; /* from malloc each */
    size_t count;
    size_t capacity;
    size_t common;     /* so many characters of all of them are alike: whole names */
    bool are_far;      /* from each other: each goes by its last name */
    bool are_numbered; /* and a number, since some share that name */
};

/* Note the folder of a path, and how long that is; false: no memory. */
bool roots_add(struct roots *roots, const char *path, bool alone, size_t *size);
/* Find out what can be left out, after the last was added and before the first name. */
bool roots_settle(struct roots *roots);
void roots_free(struct roots *roots);
/* The name in the page, from malloc; NULL: no memory. `size` is that of its folder. */
char *page_name(const struct roots *roots, const char *path, size_t size);

#endif
