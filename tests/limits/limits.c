/* SPDX-License-Identifier: MIT
 *
 * How much memory and time each verb of the tool takes for inputs of every kind (shapes.c) in three
 * sizes, each four times the one before.
 *
 *   limits [--quick] OSSA [SHAPE...]
 *
 * Memory: the peak is at most 8 times the input plus 16 MiB, or what the table of exceptions says.
 * Time: linear in input plus output. What is compared is the growth from the second size to the
 * third, in processor time, so that it does not matter how fast or how busy the machine is. --quick
 * takes one size, a quarter of the largest, and does not look at the time. */
#include "limits/shapes.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    SIZES = 3,
    STEP = 4,
    MOST_WORDS = 10,
    MOST_SECONDS = 120, /* of the processor: what takes longer is not linear */
    FACTOR = 8,
    BASE = 16 << 20,
    FULL = 4 << 20, /* bytes of the largest size */
    QUICK = 1 << 20,
    ROUNDS = 4,
};
static const double measurable = 0.15; /* seconds; below, starting the program counts */
/* Times linear growth. Quadratic growth is 4, and caches that no longer hold everything make up to
 * 2.5 of what is linear in instructions. */
static const double too_steep = 3.0;

/* Words with @: the file, the folder, and what earlier verbs have left. */
struct verb {
    const char *name;
    unsigned needs;
    const char *input; /* whose size counts; for import, the originals count, too */
    const char *words[MOST_WORDS];
};
static const struct verb verbs[] = {
    {"info", 0, "@file", {"info", "@file"}},
    {"check", 0, "@folder", {"check", "@folder"}},
    {"fields", CAN_DUMP, "@file", {"fields", "@file"}},
    {"dump", CAN_DUMP, "@file", {"dump", "@file", "-o", "dumped"}},
    {"build", CAN_DUMP, "dumped", {"build", "dumped", "-o", "built"}},
    {"pose", CAN_ASSEMBLE, "@folder", {"pose", "@folder", "--frame", "0", "--json"}},
    {"glb", CAN_ASSEMBLE, "@folder", {"convert", "@folder", "-q", "-o", "a.glb"}},
    {"json", CAN_ASSEMBLE, "@folder", {"convert", "@folder", "-q", "-o", "a.json"}},
    {"bvh", CAN_ASSEMBLE, "@folder", {"convert", "@folder", "-q", "--to", "bvh", "-o", "bvh/"}},
    {"csv", CAN_ASSEMBLE, "@folder", {"convert", "@folder", "-q", "--to", "csv", "-o", "csv/"}},
    {"png", CAN_PAINT, "@file", {"convert", "@file", "-q", "-o", "a.png"}},
    {"paint", CAN_PAINT, "a.png", {"import", "a.png", "--over", "@file", "-o", "painted"}},
    {"retime",
     CAN_RETIME,
     "@folder",
     {"import", "@file", "--over", "in/over", "--retime", "--resample", "--drop", "-o", "edited"}},
    {"import", CAN_ASSEMBLE, "a.glb", {"import", "a.glb", "--over", "@folder", "-o", "edited"}},
    {"diff", 0, "@folder", {"diff", "@folder", "@folder"}},
    {"list", CAN_LIST, "@file", {"list", "--tree", "@file"}},
    {"figures", CAN_GROUP, "@file", {"list", "--figures", "@file"}},
    {"all", CAN_LIST, "@file", {"convert", "@file", "--all", "-q", "-o", "all/"}},
    {"threads",
     CAN_SHARE,
     "@folder",
     {"convert", "@folder", "--all", "-q", "-j", "8", "-o", "all/"}},
    {"extract", CAN_LIST, "@file", {"extract", "@file", "-q", "--to", "x"}},
    {"pack", CAN_PACK, "x", {"pack", "x", "-q", "-o", "packed"}},
    {"view", 0, "@folder", {"view", "@folder", "-o", "page.html"}},
};
enum { VERBS = sizeof verbs / sizeof verbs[0] };

/* What takes more, and why. docs/testing.md has the same table. */
struct exception {
    const char *shape; /* "": every one */
    const char *verb;  /* the same */
    double factor;
    double more; /* MiB, besides the 16 of all */
};
static const struct exception exceptions[] = {
    {"", "pack", 20, 0},                  /* what is known of each file, however small it is */
    {"", "import", 12, 0},                /* the edit, the original and the result, as poses */
    {"ei-anm resting", "import", 800, 0}, /* 120 bytes per bone and frame, though one part moves */
    {"ei-anm morphs of 1", "import", 80, 0}, /* weights of every shape in every frame */
    {"ei-anm morphs of 1", "", 16, 0},  /* what is known of a shape is more than its only vertex */
    {"ei-mmp PNT3", "png", 20, 0},      /* pixels of 4 bytes, of what may be runs of zeros */
    {"ei-mmp PNT3", "paint", 24, 0},    /* the picture and the old pixels, with their levels */
    {"ei-mmp DXT1 even", "png", 12, 0}, /* pixels of 4 bytes, of half a byte */
    {"ei-mmp DXT1 even", "paint", 24, 0},
    {"ei-fig shared", "threads", 8, 32}, /* 4 for each thread */
    {"ei-fig PNT3", "glb", 20, 0},       /* as to PNG */
    {"ei-fig PNT3", "json", 20, 0},
    {"vib-pak figures", "", 48, 0},   /* a figure of 36 bytes has a name, paths and a place */
    {"vib-anm blink", "glb", 66, 80}, /* a flag per object and frame; the limit of a scene */
    {"vib-anm blink", "json", 66, 80},
    {"vib-anm blink", "bvh", 66, 80},
    {"vib-anm blink", "csv", 66, 80},
    {"vib-anm blink", "import", 14, 0},
    {"mm-csv overlap", "glb", 66, 80}, /* the same frames in many states; the same */
    {"mm-csv overlap", "json", 66, 80},
    {"mm-csv overlap", "bvh", 66, 80},
    {"mm-csv overlap", "csv", 66, 80},
    {"bvh short", "retime", 40, 0},    /* 120 bytes per bone and frame, of 6 characters */
    {"glb retime", "retime", 64, 512}, /* frames between two keys; the limit of an import */
    {"ei-res of itself", "", 30, 0},   /* archives in archives, 8 deep */
    {"vib-tmd", "glb", 13, 0},         /* a vertex per corner of a polygon */
    {"vib-pak marks", "all", 16, 0}, /* the name, in paths of the figure, of files and of outputs */
};

struct measured {
    bool was_run;
    int status; /* as waitpid has it */
    double seconds;
    uint64_t peak; /* bytes */
    uint64_t input;
    uint64_t output;
};

static const char *tool;
static char work[] = "/tmp/ossa-limits-XXXXXX";
static unsigned failures;

/* ---- files --------------------------------------------------------------------------------- */

static uint64_t total;

/* A file counts with its name, which archives keep. */
static int add_size(const char *path, const struct stat *about, int kind, struct FTW *ftw)
{
    if (kind == FTW_F) total += (uint64_t)about->st_size + strlen(path + ftw->base);
    return 0;
}

static uint64_t size_of(const char *path)
{
    total = 0;
    (void)nftw(path, add_size, 16, FTW_PHYS);
    return total;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *ftw)
{
    (void)about, (void)kind, (void)ftw;
    return remove(path);
}

static void remove_all(const char *path)
{
    (void)nftw(path, remove_one, 16, FTW_PHYS | FTW_DEPTH);
}

static void enter(const char *path)
{
    if (chdir(path) == 0) return;
    perror(path);
    exit(2);
}

static void make_folder(const char *path)
{
    if (mkdir(path, 0777) != 0) {
        perror(path);
        exit(2);
    }
}

/* ---- running ------------------------------------------------------------------------------- */

static const char *path_of(const char *word, const char *shape_file)
{
    static char path[2][256];
    static unsigned turn;
    if (strcmp(word, "@folder") == 0 || (strcmp(word, "@file") == 0 && shape_file == NULL))
        return "in";
    if (strcmp(word, "@file") != 0) return word;
    turn = 1 - turn;
    (void)snprintf(path[turn], sizeof path[0], "in/%s", shape_file);
    return path[turn];
}

static void run_tool(const struct verb *verb, const char *shape_file)
{
    const char *words[MOST_WORDS + 2] = {tool};
    for (size_t i = 0; i < MOST_WORDS && verb->words[i] != NULL; i++) {
        words[i + 1] = path_of(verb->words[i], shape_file);
    }
    struct rlimit seconds = {MOST_SECONDS, MOST_SECONDS};
    int out = open("stdout", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int err = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    (void)setrlimit(RLIMIT_CPU, &seconds);
    (void)dup2(out, 1);
    (void)dup2(err, 2);
    (void)execv(tool, (char *const *)(uintptr_t)words);
    _exit(127);
}

/* Everything but the input. */
static uint64_t rest_size(void)
{
    return size_of(".") - size_of("in");
}

static struct measured measure_once(const struct verb *verb, const char *shape_file)
{
    struct measured result = {.was_run = true};
    uint64_t before = rest_size();
    result.input = size_of(path_of(verb->input, shape_file));
    if (strcmp(verb->words[0], "import") == 0 && verb->input[0] != '@')
        result.input += size_of("in");
    pid_t child = fork();
    if (child == 0) run_tool(verb, shape_file);
    struct rusage usage;
    if (child < 0 || wait4(child, &result.status, 0, &usage) != child) {
        perror("fork");
        exit(2);
    }
    uint64_t after = rest_size();
    result.output = after > before ? after - before : 0;
    result.peak = (uint64_t)usage.ru_maxrss * 1024;
    result.seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                     1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    return result;
}

/* What no later verb needs. */
static void drop_outputs(void)
{
    static const char *const outputs[] = {"stdout",  "stderr", "built", "a.json", "bvh",      "csv",
                                          "painted", "edited", "all",   "packed", "page.html"};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) remove_all(outputs[i]);
}

/* ---- judging ------------------------------------------------------------------------------- */

static double allowed_memory(const char *shape, const char *verb, uint64_t input)
{
    double most = FACTOR * (double)input;
    for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++) {
        const struct exception *e = &exceptions[i];
        bool fits = (e->shape[0] == '\0' || strcmp(e->shape, shape) == 0) &&
                    (e->verb[0] == '\0' || strcmp(e->verb, verb) == 0);
        double allowed = e->factor * (double)input + e->more * (1 << 20);
        if (fits && allowed > most) most = allowed;
    }
    return most + BASE;
}

static void complain(const char *shape, const char *verb, const char *why, double found,
                     double allowed)
{
    failures++;
    (void)printf("  %s, %s: %s: %.4g, at most %.4g\n", shape, verb, why, found, allowed);
}

static void judge_memory(const struct shape *shape, const struct verb *verb,
                         const struct measured *m)
{
    double allowed = allowed_memory(shape->name, verb->name, m->input);
    if (!WIFEXITED(m->status))
        complain(shape->name, verb->name, "ended by signal", WTERMSIG(m->status), 0);
    else if (WEXITSTATUS(m->status) > 1)
        complain(shape->name, verb->name, "exit status", WEXITSTATUS(m->status), 1);
    if ((double)m->peak > allowed)
        complain(shape->name, verb->name, "peak in MiB", (double)m->peak / (1 << 20),
                 allowed / (1 << 20));
}

/* How the time grows beside input and output: 1 is linear. */
static double steepness(const struct measured *small, const struct measured *large)
{
    double more =
        (double)(large->input + large->output) / (double)(small->input + small->output + 1);
    return large->seconds / small->seconds / (more > 1.0 ? more : 1.0);
}

static void judge_time(const struct shape *shape, const struct verb *verb, const struct measured *m)
{
    if (!m[2].was_run || m[2].seconds < measurable) return;
    double found = steepness(&m[1], &m[2]);
    if (found > too_steep)
        complain(shape->name, verb->name, "time, beside linear", found, too_steep);
}

static void print_title(const char *title)
{
    (void)printf("%s\n%-19s", title, "");
    for (size_t v = 0; v < VERBS; v++) (void)printf(" %7s", verbs[v].name);
    (void)printf("\n");
}

static void print_memory(const char *name, struct measured runs[VERBS][SIZES], size_t i)
{
    (void)printf("%-19s", name);
    for (size_t v = 0; v < VERBS; v++) {
        const struct measured *m = &runs[v][i];
        if (!m->was_run) (void)printf("       -");
        else
            (void)printf(" %5.1f%s",
                         m->peak > 4 << 20 ? (double)(m->peak - (4 << 20)) / (double)(m->input + 1)
                                           : 0.0,
                         WIFEXITED(m->status) && WEXITSTATUS(m->status) == 0 ? "  " : "! ");
    }
    (void)printf("\n");
}

static void print_time(const char *name, struct measured runs[VERBS][SIZES])
{
    (void)printf("%-19s", name);
    for (size_t v = 0; v < VERBS; v++) {
        const struct measured *m = &runs[v][SIZES - 1];
        if (!m->was_run || m->seconds < measurable) (void)printf("       -");
        else (void)printf(" %5.2f  ", steepness(m - 1, m));
    }
    (void)printf("\n");
}

static struct measured runs[64][VERBS][SIZES]; /* by shape */

/* In a process of its own: what a process has at its start counts for the peak of the next program.
 */
static void make_shape(const struct shape *shape, size_t size)
{
    int status = 1;
    make_folder("in");
    pid_t child = fork();
    if (child == 0) {
        shape->make("in", size);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        (void)fprintf(stderr, "%s: cannot be made\n", shape->name);
        exit(2);
    }
}

static bool can_run(const struct verb *verb, const struct shape *shape)
{
    if ((verb->needs & shape->can) != verb->needs) return false;
    if (strcmp(verb->name, "view") == 0 && getenv("OSSA_VIEWER") == NULL) return false;
    return access(path_of(verb->input, shape->file), F_OK) == 0; /* what a verb left, too */
}

/* Where an input of a size is, with what the verbs have left. */
static const char *folder_of(size_t i)
{
    static const char *const folders[SIZES] = {"small", "middle", "large"};
    return folders[i];
}

static void measure_size(size_t s, size_t i, size_t size)
{
    const struct shape *shape = &shapes[s];
    make_folder(folder_of(i));
    enter(folder_of(i));
    make_shape(shape, size);
    for (size_t v = 0; v < VERBS; v++) {
        if (!can_run(&verbs[v], shape)) continue;
        runs[s][v][i] = measure_once(&verbs[v], shape->file);
        judge_memory(shape, &verbs[v], &runs[s][v][i]);
        drop_outputs();
    }
    enter("..");
}

/* What a verb has written, so that it can be run again. */
static void drop_output_of(const struct verb *verb)
{
    drop_outputs();
    for (size_t i = 0; i + 1 < MOST_WORDS && verb->words[i] != NULL; i++) {
        bool is_output = strcmp(verb->words[i], "-o") == 0 || strcmp(verb->words[i], "--to") == 0;
        if (is_output && verb->words[i + 1] != NULL) remove_all(verb->words[i + 1]);
    }
}

/* A busy machine may slow one run down: the best of several counts, where it matters. */
static void measure_again(const struct shape *shape, const struct verb *verb, struct measured *m)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (!m[2].was_run || m[2].seconds < measurable || steepness(&m[1], &m[2]) <= too_steep)
            return;
        for (size_t i = 1; i < SIZES; i++) {
            enter(folder_of(i));
            drop_output_of(verb);
            struct measured again = measure_once(verb, shape->file);
            if (again.seconds < m[i].seconds) m[i].seconds = again.seconds;
            enter("..");
        }
    }
}

static bool is_wanted(const char *name, char **words)
{
    bool wanted = words[0] == NULL;
    for (; *words != NULL; words++) wanted = wanted || strstr(name, *words) != NULL;
    return wanted;
}

int main(int count, char **words)
{
    bool is_quick = count > 1 && strcmp(words[1], "--quick") == 0;
    char **given = words + (is_quick ? 2 : 1);
    if (count < 2 || *given == NULL) {
        (void)fprintf(stderr, "usage: limits [--quick] OSSA [SHAPE...]\n");
        return 2;
    }
    tool = realpath(*given, NULL);
    if (tool == NULL || mkdtemp(work) == NULL) {
        perror(*given);
        return 2;
    }
    enter(work);
    print_title("Memory: peak less 4 MiB, divided by the input; !: refused");
    for (size_t s = 0; s < shape_count; s++) {
        if (!is_wanted(shapes[s].name, given + 1)) continue;
        size_t size = (size_t)FULL / STEP / STEP;
        for (size_t i = 0; i < SIZES; i++, size *= STEP) {
            if (!is_quick || size == QUICK) measure_size(s, i, size);
        }
        for (size_t v = 0; !is_quick && v < VERBS; v++)
            measure_again(&shapes[s], &verbs[v], runs[s][v]);
        for (size_t i = 0; i < SIZES; i++) remove_all(folder_of(i));
        print_memory(shapes[s].name, runs[s], is_quick ? 1 : SIZES - 1);
    }
    if (!is_quick) print_title("Time: growth beside that of input and output; 1: linear");
    for (size_t s = 0; !is_quick && s < shape_count; s++) {
        if (!is_wanted(shapes[s].name, given + 1)) continue;
        print_time(shapes[s].name, runs[s]);
        for (size_t v = 0; v < VERBS; v++) judge_time(&shapes[s], &verbs[v], runs[s][v]);
    }
    enter("/");
    remove_all(work);
    (void)printf("limits: %u beyond what is promised\n", failures);
    return failures > 0;
}
