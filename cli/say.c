/* SPDX-License-Identifier: MIT
 *
 * Messages to the user. */
#include "cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void print_plain(FILE *stream, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        uint8_t byte = (uint8_t)*c;
        uint8_t next = (uint8_t)c[1];
        bool is_c1 = byte == 0xc2 && next >= 0x80 && next < 0xa0; /* U+0080 to U+009F */
        if (is_c1) c++;
        bool is_control = is_c1 || byte < 0x20 || byte == 0x7f;
        (void)fputc(is_control ? '?' : byte, stream);
    }
}

void complain(const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)fflush(stdout);
    (void)fputs("ossa: ", stderr);
    print_plain(stderr, text);
    (void)fputc('\n', stderr);
}

const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

void complain_error(const char *file, const ossa_error *error)
{
    char text[OSSA_MESSAGE_CAPACITY + OSSA_FIELD_CAPACITY + 64];
    (void)ossa_error_text(error, text, sizeof text);
    complain("%s: %s", file, text);
}

void complain_issues(const char *name, const ossa_file *file)
{
    enum { SHOWN = 10 };
    for (size_t i = 0; i < file->issue_count && i < SHOWN; i++) {
        char text[OSSA_MESSAGE_CAPACITY + OSSA_FIELD_CAPACITY + 64];
        (void)ossa_issue_text(&file->issues[i], text, sizeof text);
        complain("%s: %s: %s", name, ossa_severity_name(file->issues[i].severity), text);
    }
    size_t total = file->error_count + file->warning_count;
    if (total > SHOWN) {
        complain("%s: and %zu more; `ossa check` lists them all", name, total - SHOWN);
    }
}

const char *severity_colour(FILE *stream, const ossa_severity *severity)
{
    const char *refused = getenv("NO_COLOR");
    if ((refused != NULL && refused[0] != '\0') || !os_is_terminal(stream)) return "";
    if (severity == NULL) return "\033[0m";
    return *severity == OSSA_WARNING ? "\033[33m" : "\033[31m";
}
