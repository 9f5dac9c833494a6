/* SPDX-License-Identifier: MIT
 *
 * What `ossa info` prints of a file on standard output. */
#ifndef OSSA_CLI_INFO_H
#define OSSA_CLI_INFO_H

#include "catalogue.h"

/* For people, below its name. */
bool info_text(const ossa_file *file, const struct catalogue *catalogue, ossa_error *error);
/* For programs: one document and a newline. */
bool info_json(const char *path, const ossa_file *file, const struct catalogue *catalogue,
               ossa_error *error);

#endif
