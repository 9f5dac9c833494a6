/* SPDX-License-Identifier: MIT */
#include "table.h"

#include "figure.h"

/* The processor as Linux names it, and the compiler. */
static void print_machine(void)
{
    char line[256];
    FILE *about = fopen("/proc/cpuinfo", "rb");
    while (about != NULL && fgets(line, sizeof line, about) != NULL) {
        const char *name = strstr(line, ": ");
        if (strncmp(line, "model name", 10) != 0 || name == NULL) continue;
        printf("%.*s, ", (int)strcspn(name + 2, "\n"), name + 2);
        break;
    }
    if (about != NULL) (void)fclose(about);
#ifdef __clang__
    printf("%s", __VERSION__);
#else
    printf("gcc %s", __VERSION__);
#endif
}

void start_table(struct table *table, int argc, char **argv)
{
    table->samples = samples_from(argc, argv, 31);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--markdown") == 0) table->markdown = true;
    }
    printf("%d bones, %d frames, one core; %s of %zu or more interleaved rounds; ", FIGURE_BONES,
           FIGURE_FRAMES, table->markdown ? "best" : "best and median", table->samples);
    print_machine();
    if (getenv("OSSA_SIMD") != NULL) printf("; OSSA_SIMD=%s", getenv("OSSA_SIMD"));
    printf("\n");
    if (!table->markdown) return;
    printf("\n| work |");
    for (size_t c = 0; c < table->column_count; c++) printf(" %s |", table->columns[c]);
    printf("\n| --- |");
    for (size_t c = 0; c < table->column_count; c++) printf(" --- |");
    printf("\n");
}

static double in_unit(const struct row *row, double seconds)
{
    switch (row->unit) {
    case NANOSECONDS: return seconds * 1e9 / row->items;
    case MILLISECONDS: return seconds * 1e3 / row->items;
    case MEGA_PER_SECOND: break;
    }
    return row->items / seconds * 1e-6;
}

static void print_title(const struct row *row)
{
    static const char *const units[] = {"ns per", "ms per", "million"};
    printf("%s, %s %s%s", row->name, units[row->unit], row->item,
           row->unit == MEGA_PER_SECOND ? "/s" : "");
}

/* Three digits. */
static void print_number(double value)
{
    printf("%.*f", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value);
}

static void print_markdown(const struct table *table, const struct row *row,
                           const struct timing *timings)
{
    printf("| ");
    print_title(row);
    for (size_t c = 0; c < table->column_count; c++) {
        printf(" | ");
        if (row->works[c].run == NULL) {
            printf("–");
            continue;
        }
        if (row->labels[c] != NULL) printf("%s: ", row->labels[c]);
        print_number(in_unit(row, timings[c].best));
    }
    printf(" |\n");
}

static void print_text(const struct table *table, const struct row *row,
                       const struct timing *timings)
{
    const struct timing *yardstick = &timings[table->yardstick];
    print_title(row);
    printf("\n");
    for (size_t c = 0; c < table->column_count; c++) {
        if (row->works[c].run == NULL) continue;
        const char *name = row->labels[c] != NULL ? row->labels[c] : table->columns[c];
        printf("    %-20s best %8.2f, median %8.2f", name, in_unit(row, timings[c].best),
               in_unit(row, timings[c].median));
        if (c != table->yardstick && row->works[table->yardstick].run != NULL) {
            printf("; time %.3f (median %.3f)", timings[c].best / yardstick->best,
                   timings[c].median / yardstick->median);
        }
        printf("\n");
    }
}

/* Rounds of less than two milliseconds are many more: a disturbance may last longer than 31. */
static size_t rounds_of(const struct table *table, struct row *row)
{
    enum { MORE = 16 };
    double seconds = 0.0;
    for (size_t c = 0; c < table->column_count; c++) {
        if (row->works[c].run == NULL) continue;
        calibrate(&row->works[c]);
        seconds += time_of(&row->works[c]) * row->works[c].calls;
    }
    return table->samples > 1 && seconds < 2e-3 ? table->samples * MORE : table->samples;
}

void show_row(const struct table *table, const struct row *row)
{
    struct row run = *row; /* the number of calls is found out here */
    struct timing timings[MOST_COLUMNS];
    bench_clock = row->is_process ? CLOCK_MONOTONIC : BENCH_CLOCK;
    time_all(run.works, table->column_count, rounds_of(table, &run), timings);
    if (table->markdown) print_markdown(table, row, timings);
    else print_text(table, row, timings);
    (void)fflush(stdout);
}
