/* SPDX-License-Identifier: MIT
 *
 * The words for codes and severities, and a report on one line. */
#include "base/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

bool ossa__set_error(ossa_error *error, ossa_code code, const char *format, const char *message,
                     ...)
{
    if (error == NULL) return false;
    va_list arguments;
    va_start(arguments, message);
    *error = (ossa_error){.code = code, .format = format};
    (void)vsnprintf(error->message, sizeof error->message, message, arguments);
    va_end(arguments);
    return false;
}

size_t ossa_error_text(const ossa_error *error, char *text, size_t capacity)
{
    return report_text(error->format, error->field, error->message, error->has_offset,
                       error->offset, text, capacity);
}

/* Append to a text of which `used` bytes are there or did not fit; gives how many there are now. */
static size_t append(char *text, size_t capacity, size_t used, const char *format, ...)
    OSSA_PRINTF(4, 5);
static size_t append(char *text, size_t capacity, size_t used, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bool has_room = used < capacity;
    int n =
        vsnprintf(has_room ? text + used : NULL, has_room ? capacity - used : 0, format, arguments);
    va_end(arguments);
    return n < 0 ? used : used + (size_t)n;
}

size_t ossa_issue_text(const ossa_issue *issue, char *text, size_t capacity)
{
    size_t used = report_text(issue->format, issue->field, issue->message, issue->has_offset,
                              issue->offset, text, capacity);
    if (issue->repeat_count > 0)
        used = append(text, capacity, used, "; %zu more", issue->repeat_count);
    for (size_t i = 0; i < issue->place_count; i++) {
        const ossa_place *place = &issue->places[i];
        bool is_elsewhere = strcmp(place->path, issue->path) != 0;
        used = append(text, capacity, used, "%s%s", i == 0 ? ": " : ", ",
                      is_elsewhere ? place->path : place->field);
        bool has_word = is_elsewhere || place->field[0] != '\0';
        if (place->has_offset) {
            used =
                append(text, capacity, used, "%s0x%" PRIx64, has_word ? " at " : "", place->offset);
        }
    }
    if (issue->place_count > 0 && issue->repeat_count > issue->place_count) {
        used = append(text, capacity, used, ", ...");
    }
    return used;
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
