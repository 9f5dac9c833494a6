/* SPDX-License-Identifier: MIT */
#ifndef OSSA_CLI_VIEW_FOLDER_H
#define OSSA_CLI_VIEW_FOLDER_H

#include "cli.h"

/* The path for a new page that need not be kept, from malloc; NULL on failure. Old ones are
 * removed.
 */
char *view_new_page(struct os_why *why);
/* It was not written: leave no trace of it. */
void view_forget_page(const char *path);

#endif
