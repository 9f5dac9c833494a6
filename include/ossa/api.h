/* SPDX-License-Identifier: MIT
 *
 * What every public header needs: visibility, C++ linkage, the integer types. */
#ifndef OSSA_API_H
#define OSSA_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(OSSA_BUILD) && defined(__GNUC__)
#define OSSA_API __attribute__((visibility("default")))
#else
#define OSSA_API
#endif

#if defined(__GNUC__)
#define OSSA_PRINTF(format_index, first_argument)                                                  \
    __attribute__((format(printf, format_index, first_argument)))
#else
#define OSSA_PRINTF(format_index, first_argument)
#endif

#ifdef __cplusplus
#define OSSA_BEGIN extern "C" {
#define OSSA_END   }
#else
#define OSSA_BEGIN
#define OSSA_END
#endif

#endif
