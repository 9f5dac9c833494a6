/* SPDX-License-Identifier: MIT */
#include "codec/report.h"

#include "base/narrow.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ossa__report_bytes(struct ossa__report *report, const char *bytes, size_t size)
{
    if (report->json != NULL || report->failed || size == 0) return;
    if (!report->sink.write(report->sink.user, bytes, size)) report->failed = true;
}

static void print_list(struct ossa__report *report, const char *format, va_list arguments)
{
    char text[512];
    int n = vsnprintf(text, sizeof text, format, arguments);
    if (n < 0) return;
    size_t size = (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
    ossa__report_bytes(report, text, size);
}

static void print(struct ossa__report *report, const char *format, ...) OSSA_PRINTF(2, 3);
static void print(struct ossa__report *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_list(report, format, arguments);
    va_end(arguments);
}

void ossa__report_line(struct ossa__report *report, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_list(report, format, arguments);
    va_end(arguments);
    print(report, "\n");
}

static void begin_fact(struct ossa__report *report, const char *key, const char *label)
{
    if (report->json != NULL) ossa__json_key(report->json, key);
    else print(report, "  %-14s ", label);
}

void ossa__report_integer(struct ossa__report *report, const char *key, const char *label,
                          uint64_t value)
{
    begin_fact(report, key, label);
    if (report->json != NULL) ossa__json_uint(report->json, value);
    else print(report, "%" PRIu64 "\n", value);
}

void ossa__report_number(struct ossa__report *report, const char *key, const char *label,
                         double value, const char *unit)
{
    begin_fact(report, key, label);
    value = ossa__plain_nan(value);
    if (report->json != NULL) ossa__json_float(report->json, (float)value);
    else print(report, "%.6g%s%s\n", value, unit[0] != '\0' ? " " : "", unit);
}

void ossa__report_text(struct ossa__report *report, const char *key, const char *label,
                       const char *value)
{
    begin_fact(report, key, label);
    if (report->json != NULL) ossa__json_string(report->json, value);
    else print(report, "%s\n", value);
}

void ossa__report_note(struct ossa__report *report, const char *format, ...)
{
    if (report->json != NULL) return;
    print(report, "  %-14s ", "note");
    va_list arguments;
    va_start(arguments, format);
    print_list(report, format, arguments);
    va_end(arguments);
    print(report, "\n");
}

void ossa__report_ranges(struct ossa__report *report, const char *key, const char *label,
                         const float *values, uint64_t count, unsigned width, const char *names)
{
    if (count == 0) return;
    uint64_t left_out = 0;
    const char *comma = "";
    begin_fact(report, key, label);
    if (report->json != NULL) ossa__json_begin_object(report->json);
    for (unsigned m = 0; m < width; m++) {
        float least = INFINITY;
        float most = -INFINITY;
        for (uint64_t i = 0; i < count; i++) {
            float value = values[i * width + m];
            if (!isfinite(value)) {
                left_out++;
                continue;
            }
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
        char name[2] = {names[m], '\0'};
        bool any = least <= most;
        if (report->json != NULL) {
            ossa__json_key(report->json, name);
            ossa__json_begin_row(report->json);
            if (any) {
                ossa__json_float(report->json, least);
                ossa__json_float(report->json, most);
            }
            ossa__json_end_array(report->json);
        } else if (any) {
            print(report, "%s%s %.6g .. %.6g", comma, name, (double)least, (double)most);
            comma = ", ";
        }
    }
    if (report->json != NULL) ossa__json_end_object(report->json);
    else if (left_out > 0) print(report, " (%" PRIu64 " values are not finite)", left_out);
    print(report, "\n");
}

static void pad_left(struct ossa__report *report, const struct ossa__column *column,
                     const char *text)
{
    int width = column->width;
    if (width < 0) print(report, " %-*s", -width, text);
    else print(report, " %*s", width, text);
}

void ossa__report_begin_table(struct ossa__report *report, const char *key,
                              const struct ossa__column *columns, unsigned count)
{
    if (report->json != NULL) {
        ossa__json_key(report->json, key);
        ossa__json_begin_array(report->json);
        return;
    }
    print(report, " ");
    for (unsigned i = 0; i < count; i++) pad_left(report, &columns[i], columns[i].title);
    print(report, "\n");
}

void ossa__report_end_table(struct ossa__report *report)
{
    if (report->json != NULL) ossa__json_end_array(report->json);
}

void ossa__report_begin_row(struct ossa__report *report)
{
    if (report->json != NULL) ossa__json_begin_object(report->json);
    else print(report, " ");
}

void ossa__report_end_row(struct ossa__report *report)
{
    if (report->json != NULL) ossa__json_end_object(report->json);
    else print(report, "\n");
}

void ossa__report_cell_integer(struct ossa__report *report, const struct ossa__column *column,
                               int64_t value)
{
    if (report->json != NULL) {
        ossa__json_key(report->json, column->key);
        ossa__json_int(report->json, value);
        return;
    }
    char text[24];
    (void)snprintf(text, sizeof text, "%" PRId64, value);
    pad_left(report, column, text);
}

void ossa__report_cell_number(struct ossa__report *report, const struct ossa__column *column,
                              double value)
{
    value = ossa__plain_nan(value);
    if (report->json != NULL) {
        ossa__json_key(report->json, column->key);
        ossa__json_float(report->json, (float)value);
        return;
    }
    char text[32];
    (void)snprintf(text, sizeof text, "%.6g", value);
    pad_left(report, column, text);
}

void ossa__report_cell_text(struct ossa__report *report, const struct ossa__column *column,
                            const char *value)
{
    if (report->json != NULL) {
        ossa__json_key(report->json, column->key);
        ossa__json_string(report->json, value);
        return;
    }
    pad_left(report, column, value);
}
