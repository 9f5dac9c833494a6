/* SPDX-License-Identifier: MIT
 *
 * The options of all verbs, and what each does with its value. A verb lists the ones it takes. */
#ifndef OSSA_CLI_OPTIONS_H
#define OSSA_CLI_OPTIONS_H

#include "cli.h"

struct option {
    const char *name;  /* without the dashes */
    char letter;       /* 0: none */
    const char *value; /* what its value is called; NULL: it has none */
    const char *help;
    bool (*set)(struct cli *cli, const char *value);
};

extern const struct option options[];
extern const size_t option_count;

#endif
