/* SPDX-License-Identifier: MIT
 *
 * Reports of what a target format cannot hold. */
#ifndef OSSA_EXPORT_ISSUE_H
#define OSSA_EXPORT_ISSUE_H

#include "ossa/export.h"

/* Report a warning to options->on_issue, if there is one. */
void ossa__export_warn(const ossa_export_options *options, const char *format, ossa_code code,
                       const char *message, ...) OSSA_PRINTF(4, 5);

#endif
