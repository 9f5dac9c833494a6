/* SPDX-License-Identifier: MIT */
/** @file
 * Basics for all public headers: visibility, C++ linkage, integer types, and the version. */
#ifndef OSSA_API_H
#define OSSA_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Marks every function that the library exports. On Windows, OSSA_SHARED says that the library is
 * a DLL; CMake's target ossa::ossa defines it. */
#if defined(_WIN32) && defined(OSSA_SHARED)
#ifdef OSSA_BUILD
#define OSSA_API __declspec(dllexport)
#else
#define OSSA_API __declspec(dllimport)
#endif
#elif defined(OSSA_BUILD) && defined(__GNUC__) && !defined(_WIN32)
#define OSSA_API __attribute__((visibility("default")))
#else
#define OSSA_API
#endif

/** Lets the compiler check the arguments of a function like printf. */
#if defined(__MINGW32__)
#define OSSA_PRINTF(format_index, first_argument)                                                  \
    __attribute__((format(gnu_printf, format_index, first_argument)))
#elif defined(__GNUC__)
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

/** The version of these headers. */
#define OSSA_VERSION_MAJOR 0
#define OSSA_VERSION_MINOR 2
#define OSSA_VERSION_PATCH 0

/** The version as one number to compare: 0.1.0 is 100, 1.2.3 is 10203. */
#define OSSA_VERSION (OSSA_VERSION_MAJOR * 10000 + OSSA_VERSION_MINOR * 100 + OSSA_VERSION_PATCH)

OSSA_BEGIN

/** The version of the linked library, as OSSA_VERSION has it. It may differ from the headers'. */
OSSA_API int ossa_version(void);
/** The version of the linked library as text: "0.1.0". */
OSSA_API const char *ossa_version_text(void);

OSSA_END

#endif
