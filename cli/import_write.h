/* SPDX-License-Identifier: MIT
 *
 * The files that an import has changed, with those that it has not. */
#ifndef OSSA_CLI_IMPORT_WRITE_H
#define OSSA_CLI_IMPORT_WRITE_H

#include "cli.h"

/* Write them to cli->output: all or nothing. Returns the exit status, after a message unless it is
 * EXIT_FINE. */
int write_import(struct cli *cli, const ossa_import *import);

#endif
