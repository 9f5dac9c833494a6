/* SPDX-License-Identifier: MIT
 *
 * The words for codes and severities, and a report on one line. */
#include "ossa/error.h"

#include <inttypes.h>
#include <stdio.h>

const char *ossa_code_name(ossa_code code)
{
    switch (code) {
#define NAME_CASE(symbol, number, name, meaning)                                                   \
    case symbol: return name;
        OSSA_CODES(NAME_CASE)
#undef NAME_CASE
    }
    return "unknown-code";
}

const char *ossa_code_meaning(ossa_code code)
{
    switch (code) {
#define MEANING_CASE(symbol, number, name, meaning)                                                \
    case symbol: return meaning;
        OSSA_CODES(MEANING_CASE)
#undef MEANING_CASE
    }
    return "unknown code";
}

const char *ossa_severity_name(ossa_severity severity)
{
    switch (severity) {
    case OSSA_SEVERITY_REMARK: return "remark";
    case OSSA_SEVERITY_WARNING: return "warning";
    case OSSA_SEVERITY_ERROR: return "error";
    case OSSA_SEVERITY_UNREADABLE: return "unreadable";
    }
    return "unknown-severity";
}

/* FORMAT: FIELD: MESSAGE, at 0xOFFSET; each part only where there is one. */
static size_t report_text(const char *format, const char *field, const char *message,
                          bool has_offset, uint64_t offset, char *text, size_t capacity)
{
    char place[32] = "";
    if (has_offset) (void)snprintf(place, sizeof place, ", at 0x%" PRIx64, offset);
    bool has_format = format != NULL && format[0] != '\0';
    bool has_field = field[0] != '\0';
    int n = snprintf(text, capacity, "%s%s%s%s%s%s", has_format ? format : "",
                     has_format ? ": " : "", field, has_field ? ": " : "", message, place);
    return n < 0 ? 0 : (size_t)n;
}

size_t ossa_error_text(const ossa_error *error, char *text, size_t capacity)
{
    return report_text(error->format, error->field, error->message, error->has_offset,
                       error->offset, text, capacity);
}

size_t ossa_issue_text(const ossa_issue *issue, char *text, size_t capacity)
{
    return report_text(issue->format, issue->field, issue->message, issue->has_offset,
                       issue->offset, text, capacity);
}

#define TEXT_OF(x) #x
#define TEXT(x)    TEXT_OF(x)

int ossa_version(void)
{
    return OSSA_VERSION;
}

const char *ossa_version_text(void)
{
    return TEXT(OSSA_VERSION_MAJOR) "." TEXT(OSSA_VERSION_MINOR) "." TEXT(OSSA_VERSION_PATCH);
}
