/* SPDX-License-Identifier: MIT
 *
 * Do time and memory grow in a straight line? The tool works on more and more bones, frames, clips,
 * files and entries; the time is that of the processor, and the memory the most that the tool had
 * resident. A line is fitted to each, and R^2 says how straight it is.
 *
 *     bench_growth [--samples N] [--plots FOLDER] [--tool PATH] [--axis NAME]
 *
 * --plots writes a picture of each: growth-bones.svg and so on. */
#include "bench.h"
#include "figure.h"
#include "process.h"

#include <inttypes.h>
#include <math.h>
#include <unistd.h>

enum { POINTS = 6 };

/* ---- inputs -------------------------------------------------------------------------------- */

static void write_bytes(const char *path, struct bytes bytes)
{
    write_file(path, bytes.data, bytes.size);
    free(bytes.data);
}

static void write_figure(const char *folder, uint32_t bones, uint32_t frames, uint32_t clips)
{
    char path[64];
    make_folder(folder);
    (void)snprintf(path, sizeof path, "%s/figure.skb", folder);
    write_bytes(path, make_skb(bones));
    for (uint32_t i = 0; i < clips; i++) {
        (void)snprintf(path, sizeof path, "%s/walk%05" PRIu32 ".anb", folder, i);
        write_bytes(path, make_anb(bones, frames, i));
    }
}

static void prepare_bones(const char *folder, uint32_t n)
{
    write_figure(folder, n, FIGURE_FRAMES, 1);
}

static void prepare_frames(const char *folder, uint32_t n)
{
    write_figure(folder, FIGURE_BONES, n, 1);
}

static void prepare_clips(const char *folder, uint32_t n)
{
    write_figure(folder, FIGURE_BONES, 30, n);
}

static void prepare_files(const char *folder, uint32_t n)
{
    make_folder(folder);
    for (uint32_t i = 0; i < n; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "%s/part%05" PRIu32 ".anm", folder, i);
        write_bytes(path, make_anm(30, 0, i));
    }
}

/* ---- an archive of models ------------------------------------------------------------------ */

enum { PARTS = 6, PART_FRAMES = 30, GRID = 12 };

/* FIG1: a square of GRID x GRID vertices. */
static struct bytes make_mesh(void)
{
    static const unsigned cells = (GRID - 1) * (GRID - 1);
    const uint32_t counts[9] = {GRID * GRID / 4, 1, 1, 6 * cells, GRID * GRID, 0, 0, 19, 1};
    struct bytes file = {0};
    put(&file, "FIG1", 4);
    for (unsigned i = 0; i < 9; i++) put_u32(&file, counts[i]);
    for (unsigned i = 0; i < 10; i++) put_f32(&file, 1.0F); /* bounds, which nobody looks at */
    for (unsigned block = 0; block < GRID * GRID; block += 4) {
        for (unsigned i = 0; i < 12; i++) {
            unsigned vertex = block + i % 4;
            unsigned position = i < 4 ? vertex % GRID : i < 8 ? vertex / GRID : 0;
            put_f32(&file, 0.1F * (float)position);
        }
    }
    for (unsigned i = 0; i < 16; i++) put_f32(&file, i < 8 ? 0.0F : 1.0F); /* normals */
    put_f32(&file, 0.5F);                                                  /* texture */
    put_f32(&file, 0.5F);
    for (unsigned cell = 0; cell < cells; cell++) {
        unsigned a = cell / (GRID - 1) * GRID + cell % (GRID - 1);
        const unsigned corners[6] = {a, a + 1, a + GRID + 1, a, a + GRID + 1, a + GRID};
        for (unsigned i = 0; i < 6; i++) put_u16(&file, corners[i]);
    }
    for (unsigned i = 0; i < GRID * GRID; i++) {
        put_u16(&file, i);
        put_u32(&file, 0); /* the normal and the texture coordinate */
    }
    return file;
}

static struct bytes make_position(void)
{
    struct bytes file = {0};
    for (unsigned i = 0; i < 3; i++) put_f32(&file, i == 2 ? 1.0F : 0.0F);
    return file;
}

struct entries {
    ossa_packing *list;
    char (*names)[16];
    size_t count;
};

static struct entries begin_entries(size_t most)
{
    return (struct entries){must(calloc(most, sizeof(ossa_packing))), must(calloc(most, 16)), 0};
}

static void add_entry(struct entries *entries, const char *name, struct bytes file)
{
    size_t i = entries->count++;
    (void)snprintf(entries->names[i], 16, "%s", name);
    entries->list[i] = (ossa_packing){entries->names[i], file.data, file.size, 972300000};
}

/* Packs and frees them. */
static struct bytes pack(struct entries *entries)
{
    struct bytes file = {0};
    ossa_error error;
    if (!ossa_pack("ei-res", entries->list, entries->count, NULL, (ossa_sink){collect_bytes, &file},
                   &error)) {
        fprintf(stderr, "bench_growth: %s\n", error.message);
        exit(1);
    }
    for (size_t i = 0; i < entries->count; i++) free((void *)(uintptr_t)entries->list[i].data);
    free(entries->list);
    free(entries->names);
    return file;
}

static void add_model(struct entries *figures, uint32_t model)
{
    struct entries mod = begin_entries(PARTS + 1);
    struct entries bon = begin_entries(PARTS);
    struct entries clip = begin_entries(PARTS);
    struct entries anm = begin_entries(1);
    char name[16];
    for (uint32_t i = 0; i < PARTS; i++) {
        (void)snprintf(name, sizeof name, "bone%06" PRIu32, i);
        add_entry(&mod, name, make_mesh());
        add_entry(&bon, name, make_position());
        add_entry(&clip, name, make_anm(PART_FRAMES, model, i));
    }
    (void)snprintf(name, sizeof name, "m%05" PRIu32, model);
    add_entry(&mod, name, make_lnk(PARTS));
    add_entry(&anm, "walk", pack(&clip));
    (void)snprintf(name, sizeof name, "m%05" PRIu32 ".mod", model);
    add_entry(figures, name, pack(&mod));
    (void)snprintf(name, sizeof name, "m%05" PRIu32 ".bon", model);
    add_entry(figures, name, pack(&bon));
    (void)snprintf(name, sizeof name, "m%05" PRIu32 ".anm", model);
    add_entry(figures, name, pack(&anm));
}

/* Three entries per model. */
static void prepare_entries(const char *folder, uint32_t n)
{
    char path[64];
    struct entries figures = begin_entries(n + 2);
    for (uint32_t i = 0; i < n / 3; i++) add_model(&figures, i);
    make_folder(folder);
    (void)snprintf(path, sizeof path, "%s/figures.res", folder);
    write_bytes(path, pack(&figures));
}

/* ---- measuring ----------------------------------------------------------------------------- */

struct axis {
    const char *name;
    const char *item; /* one of them */
    const char *caption;
    uint32_t step;
    void (*prepare)(const char *folder, uint32_t n);
    const char *input;  /* in that folder; "": all of it */
    const char *output; /* beside it; NULL: none */
    const char *arguments[4];
};

static const struct axis axes[] = {
    {"bones",
     "bone",
     "one clip of 300 frames to GLB",
     200,
     prepare_bones,
     "",
     "out.glb",
     {"convert"}},
    {"frames",
     "frame",
     "one clip of 64 bones to GLB",
     1500,
     prepare_frames,
     "",
     "out.glb",
     {"convert"}},
    {"clips",
     "clip",
     "clips of 64 bones and 30 frames to one GLB",
     200,
     prepare_clips,
     "",
     "out.glb",
     {"convert"}},
    {"files", "file", "check of a folder of files", 1000, prepare_files, "", NULL, {"check"}},
    {"entries",
     "entry",
     "an archive to one GLB per model, three entries each",
     900,
     prepare_entries,
     "/figures.res",
     "out/",
     {"convert", "--all", "-j", "1"}},
};

struct point {
    uint32_t n;
    struct usage usage;
};

struct preparation {
    const struct axis *axis;
    const char *folder;
    uint32_t n;
};

static void prepare(void *user)
{
    const struct preparation *what = user;
    what->axis->prepare(what->folder, what->n);
}

static struct usage run_point(const struct axis *axis, const char *tool, const char *folder)
{
    char input[64];
    struct command command = {{tool}};
    size_t count = 1;
    (void)snprintf(input, sizeof input, "%s%s", folder, axis->input);
    for (size_t i = 0; i < 4 && axis->arguments[i] != NULL; i++) {
        command.arguments[count++] = axis->arguments[i];
    }
    command.arguments[count++] = "-q";
    command.arguments[count++] = input;
    if (axis->output != NULL) {
        command.arguments[count++] = "--force";
        command.arguments[count++] = "-o";
        command.arguments[count] = axis->output;
    }
    return measure_process(&command);
}

/* The best of all rounds; in each, all sizes take turns. */
static void measure_axis(const struct axis *axis, const char *tool, size_t samples, uint32_t step,
                         struct point points[POINTS])
{
    char top[] = "/tmp/ossa-bench-XXXXXX";
    if (mkdtemp(top) == NULL || chdir(top) != 0) stop(top);
    for (size_t s = 0; s < samples; s++) {
        for (uint32_t i = 0; i < POINTS; i++) {
            char folder[16];
            (void)snprintf(folder, sizeof folder, "in%" PRIu32, i);
            struct preparation what = {axis, folder, step * (i + 1)};
            if (s == 0) in_child(prepare, &what);
            struct usage usage = run_point(axis, tool, folder);
            struct usage *best = &points[i].usage;
            points[i].n = what.n;
            if (s == 0 || usage.seconds < best->seconds) best->seconds = usage.seconds;
            if (s == 0 || usage.peak < best->peak) best->peak = usage.peak;
        }
    }
    if (chdir("/") != 0) stop("/");
    remove_folder(top);
}

/* ---- lines --------------------------------------------------------------------------------- */

/* value = start + slope * n */
struct line {
    double start;
    double slope;
    double r2;
};

static struct line fit(const double x[POINTS], const double y[POINTS])
{
    double mean_x = 0.0;
    double mean_y = 0.0;
    double xx = 0.0;
    double xy = 0.0;
    double yy = 0.0;
    for (unsigned i = 0; i < POINTS; i++) {
        mean_x += x[i] / POINTS;
        mean_y += y[i] / POINTS;
    }
    for (unsigned i = 0; i < POINTS; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
    }
    double slope = xy / xx;
    return (struct line){mean_y - slope * mean_x, slope, yy > 0.0 ? xy * xy / (xx * yy) : 1.0};
}

/* One of the two things that are measured, in the unit of the plot. */
struct series {
    const char *title;
    const char *unit;
    const char *small_unit; /* a thousandth of it, or nearly */
    double in_small;        /* small units in a unit */
    double x[POINTS];
    double y[POINTS];
    struct line line;
};

static void make_series(const struct point points[POINTS], struct series series[2])
{
    series[0] = (struct series){.title = "time", .unit = "ms", .small_unit = "µs"};
    series[1] = (struct series){.title = "peak memory", .unit = "MiB", .small_unit = "KiB"};
    series[0].in_small = 1000.0;
    series[1].in_small = 1024.0;
    for (unsigned i = 0; i < POINTS; i++) {
        series[0].x[i] = series[1].x[i] = points[i].n;
        series[0].y[i] = points[i].usage.seconds * 1e3;
        series[1].y[i] = points[i].usage.peak / 1048576.0;
    }
    for (unsigned i = 0; i < 2; i++) series[i].line = fit(series[i].x, series[i].y);
}

/* R^2 of a level line says nothing. */
static bool is_level(const struct series *series)
{
    const struct line *line = &series->line;
    return fabs(line->slope) * series->x[POINTS - 1] < 0.1 * fabs(line->start);
}

static void describe_line(const struct series *series, const char *item, char *text, size_t size)
{
    char straight[32] = "level";
    if (!is_level(series)) (void)snprintf(straight, sizeof straight, "R² %.4f", series->line.r2);
    (void)snprintf(text, size, "%.3g %s per %s, %s", series->line.slope * series->in_small,
                   series->small_unit, item, straight);
}

/* ---- pictures ------------------------------------------------------------------------------ */

enum { WIDTH = 760, HEIGHT = 300, PANEL = 380, LEFT = 62, RIGHT = 16, TOP = 64, BOTTOM = 44 };

/* Greys and a blue that can be read on white and on black. */
static const char style[] =
    "<style>text{font:12px sans-serif;fill:#768390}.t{font-size:14px}.g{stroke:#768390;"
    "stroke-opacity:.25}.l{stroke:#768390;stroke-dasharray:5 4}.p{fill:#3f87d0}"
    ".e{text-anchor:end}.m{text-anchor:middle}</style>\n";

/* The smallest 1, 2 or 5 times a power of ten for at most five steps up to `most`. */
static double nice_step(double most)
{
    double step = pow(10.0, floor(log10(most / 5.0)));
    static const double factors[] = {1.0, 2.0, 5.0, 10.0};
    for (unsigned i = 0; i < 4; i++) {
        if (most / (step * factors[i]) <= 5.0) return step * factors[i];
    }
    return step * 10.0;
}

static void draw_panel(FILE *out, const struct axis *axis, const struct series *series, double left)
{
    const double x0 = left + LEFT;
    const double x1 = left + PANEL - RIGHT;
    const double y0 = HEIGHT - BOTTOM;
    double most = 0.0;
    char text[96];
    for (unsigned i = 0; i < POINTS; i++) most = fmax(most, series->y[i]);
    double step = nice_step(most);
    double top = step * ceil(most / step);
    double scale_x = (x1 - x0) / (series->x[POINTS - 1] * 1.04);
    double scale_y = (y0 - TOP) / top;
    describe_line(series, axis->item, text, sizeof text);
    fprintf(out, "<text x=\"%.0f\" y=\"%d\">%s, %s</text>\n", x0, TOP - 28, series->title,
            series->unit);
    fprintf(out, "<text x=\"%.0f\" y=\"%d\">%s</text>\n", x0, TOP - 12, text);
    for (int i = 0; i <= (int)lrint(top / step); i++) {
        double y = step * i;
        double at = y0 - y * scale_y;
        fprintf(out, "<path class=\"g\" d=\"M%.0f %.1fH%.0f\"/>", x0, at, x1);
        fprintf(out, "<text class=\"e\" x=\"%.0f\" y=\"%.1f\">%g</text>\n", x0 - 6, at + 4, y);
    }
    for (unsigned i = 0; i < POINTS; i++) {
        fprintf(out, "<text class=\"m\" x=\"%.1f\" y=\"%.0f\">%.0f</text>\n",
                x0 + series->x[i] * scale_x, y0 + 17, series->x[i]);
    }
    fprintf(out, "<text class=\"m\" x=\"%.0f\" y=\"%d\">%s</text>\n", (x0 + x1) / 2, HEIGHT - 8,
            axis->name);
    fprintf(out, "<path class=\"l\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", x0,
            y0 - fmax(series->line.start, 0.0) * scale_y, x0 + series->x[POINTS - 1] * scale_x,
            y0 - (series->line.start + series->line.slope * series->x[POINTS - 1]) * scale_y);
    for (unsigned i = 0; i < POINTS; i++) {
        fprintf(out, "<circle class=\"p\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n",
                x0 + series->x[i] * scale_x, y0 - series->y[i] * scale_y);
    }
}

static void draw(const char *folder, const struct axis *axis, const struct series series[2])
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/growth-%s.svg", folder, axis->name);
    FILE *out = create_file(path);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\">\n"
            "<!-- SPDX-License-Identifier: MIT; made by bench_growth -->\n%s",
            WIDTH, HEIGHT, WIDTH, style);
    fprintf(out, "<text class=\"t\" x=\"%d\" y=\"20\">%s: %s</text>\n", LEFT, axis->name,
            axis->caption);
    for (unsigned i = 0; i < 2; i++) draw_panel(out, axis, &series[i], (double)PANEL * i);
    fprintf(out, "</svg>\n");
    if (fclose(out) != 0) stop(path);
}

/* -------------------------------------------------------------------------------------------- */

/* The value of an option that is a path; it stays right when the folder changes. */
static char *path_from(int argc, char **argv, const char *option)
{
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], option) != 0) continue;
        char *path = realpath(argv[i + 1], NULL);
        if (path == NULL) stop(argv[i + 1]);
        return path;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    size_t samples = samples_from(argc, argv, 7);
    char *plots = path_from(argc, argv, "--plots");
    char *tool = path_from(argc, argv, "--tool");
    const char *only = NULL;
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "--axis") == 0) only = argv[i + 1];
    }
    printf("`ossa` on more and more; best of %zu rounds, one core, a line fitted to %d sizes:\n",
           samples, POINTS);
    for (size_t i = 0; i < sizeof axes / sizeof axes[0]; i++) {
        const struct axis *axis = &axes[i];
        if (only != NULL && strcmp(only, axis->name) != 0) continue;
        struct point points[POINTS];
        struct series series[2];
        char text[2][96];
        /* A single sample is a test of this program. */
        uint32_t step = samples == 1 ? axis->step / 20 : axis->step;
        measure_axis(axis, tool != NULL ? tool : OSSA_TOOL, samples, step, points);
        make_series(points, series);
        for (unsigned s = 0; s < 2; s++) {
            describe_line(&series[s], axis->item, text[s], sizeof text[s]);
        }
        printf("%-8s to %5" PRIu32 ": %s; memory %s (%s)\n", axis->name, points[POINTS - 1].n,
               text[0], text[1], axis->caption);
        (void)fflush(stdout);
        if (plots != NULL) draw(plots, axis, series);
    }
    free(plots);
    free(tool);
    return 0;
}
