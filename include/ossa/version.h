/* SPDX-License-Identifier: MIT
 *
 * The version of the headers, and of the library that is really linked. */
#ifndef OSSA_VERSION_H
#define OSSA_VERSION_H

#include "ossa/api.h"

#define OSSA_VERSION_MAJOR 0
#define OSSA_VERSION_MINOR 1
#define OSSA_VERSION_PATCH 0

/* One number to compare: 0.1.0 is 100, 1.2.3 is 10203. */
#define OSSA_VERSION (OSSA_VERSION_MAJOR * 10000 + OSSA_VERSION_MINOR * 100 + OSSA_VERSION_PATCH)

OSSA_BEGIN

/* What the linked library was built as, which may differ from the headers. */
OSSA_API int ossa_version(void);
OSSA_API const char *ossa_version_text(void);

OSSA_END

#endif
