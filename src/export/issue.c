/* SPDX-License-Identifier: MIT */
#include "export/issue.h"

#include <stdarg.h>
#include <stdio.h>

void ossa__export_warn(const ossa_export_options *options, const char *format, ossa_code code,
                       const char *message, ...)
{
    if (options->on_issue == NULL) return;
    char text[OSSA_MESSAGE_CAPACITY];
    va_list arguments;
    va_start(arguments, message);
    (void)vsnprintf(text, sizeof text, message, arguments);
    va_end(arguments);
    const ossa_issue issue = {.severity = OSSA_SEVERITY_WARNING,
                              .code = code,
                              .path = "",
                              .format = format,
                              .field = "",
                              .message = text};
    options->on_issue(options->user, &issue);
}
