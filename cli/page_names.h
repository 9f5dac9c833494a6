/* SPDX-License-Identifier: MIT
 *
 * The names of files inside a page. Pages are shared, so they must not reveal where the files were
 * on the disk. Names that matter are kept: a clip is named after its folder, so a file keeps its
 * folder. */
#ifndef OSSA_CLI_PAGE_NAMES_H
#define OSSA_CLI_PAGE_NAMES_H

#include "cli.h"

/* The absolute path without a leading / and without dots, from malloc; NULL if memory runs out. */
char *plain_path(const char *path);

/* The folders that names are relative to: for a path the folder above its own, or its own folder if
 * the path is `alone`. */
struct roots {
    char **folders; /* each from malloc */
    size_t count;
    size_t capacity;
    size_t common;     /* size of their common start, in whole names */
    bool are_far;      /* from each other: each is shown by its last name */
    bool are_numbered; /* and a number, because some share that name */
};

/* Add the folder of a path and return its size; false if memory runs out. */
bool roots_add(struct roots *roots, const char *path, bool alone, size_t *size);
/* Decide what to leave out; call it after the last roots_add and before page_name. */
bool roots_settle(struct roots *roots);
void roots_free(struct roots *roots);
/* The name in the page, from malloc; NULL if memory runs out. `size` is from roots_add. */
char *page_name(const struct roots *roots, const char *path, size_t size);

#endif
