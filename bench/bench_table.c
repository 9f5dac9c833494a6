/* SPDX-License-Identifier: MIT
 *
 * The table of docs/performance.md: Ossa beside the naive code of naive.c and, in `make
 * bench-peers`, other people's libraries. All who do the same work take turns in one process.
 *
 *     bench_table [--samples N] [--markdown] [--tool PATH]
 *
 * Without --markdown: best and median times, and Ossa's as multiples of the first one's of a row.
 * Before a row is timed, all of it has to give the same result. */
#include "ossa/export.h"
#include "ossa/ossa.h"
#include "ossa/sample.h"

#include "bench.h"
#include "contender.h"
#include "figure.h"
#include "naive.h"
#include "process.h"

#include <inttypes.h>
#include <math.h>
#include <unistd.h>

_Noreturn static void fail(const char *what, const char *why)
{
    fprintf(stderr, "bench_table: %s: %s\n", what, why);
    exit(1);
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* The columns, in order. */
enum { OZZ, ACL, OTHER, NAIVE, OSSA, COLUMNS };

enum unit { NANOSECONDS, MILLISECONDS, MEGA_PER_SECOND };

/* Something to be done by several. */
struct row {
    const char *name;
    const char *what; /* of what a unit is: "bone" */
    enum unit unit;
    double items; /* in one run */
    struct work works[COLUMNS];
    const char *labels[COLUMNS]; /* of a column, if it is not what its heading says */
};

struct table {
    size_t samples;
    bool markdown;
};

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
    printf("%s, %s %s%s", row->name, units[row->unit], row->what,
           row->unit == MEGA_PER_SECOND ? "/s" : "");
}

/* Three digits. */
static void print_number(double value)
{
    printf("%.*f", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value);
}

static void print_markdown(const struct row *row, const struct timing timings[COLUMNS])
{
    printf("| ");
    print_title(row);
    for (unsigned c = 0; c < COLUMNS; c++) {
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

static void print_text(const struct row *row, const struct timing timings[COLUMNS])
{
    static const char *const names[] = {"ozz-animation", "ACL", "other", "naive C", "Ossa"};
    const struct timing *ossa = &timings[OSSA];
    print_title(row);
    printf("\n");
    for (unsigned c = 0; c < COLUMNS; c++) {
        if (row->works[c].run == NULL) continue;
        const char *name = row->labels[c] != NULL ? row->labels[c] : names[c];
        printf("    %-20s best %8.2f, median %8.2f", name, in_unit(row, timings[c].best),
               in_unit(row, timings[c].median));
        if (c != OSSA) {
            printf("; Ossa takes %.3f (median %.3f) of its time", ossa->best / timings[c].best,
                   ossa->median / timings[c].median);
        }
        printf("\n");
    }
}

static void show_row(const struct table *table, const struct row *row)
{
    struct work works[COLUMNS];
    struct timing measured[COLUMNS];
    struct timing timings[COLUMNS] = {{0.0, 0.0}};
    size_t count = 0;
    for (unsigned c = 0; c < COLUMNS; c++) {
        if (row->works[c].run != NULL) works[count++] = row->works[c];
    }
    time_all(works, count, table->samples, measured);
    count = 0;
    for (unsigned c = 0; c < COLUMNS; c++) {
        if (row->works[c].run != NULL) timings[c] = measured[count++];
    }
    if (table->markdown) print_markdown(row, timings);
    else print_text(row, timings);
    (void)fflush(stdout);
}

/* ---- playing clips ------------------------------------------------------------------------- */

enum { TIMES = 4096, CLIPS = 200, CHARACTERS = 10000 };

/* Ossa and the naive code keep no more of a clip than the scene that it is in. */
struct player {
    const ossa_scene *scene;
    const ossa_clip *clip;
};

static ossa_transform pose[FIGURE_BONES]; /* that was sampled last */

static void *open_player(const ossa_scene *scene, const ossa_clip *clip)
{
    struct player *player = must(malloc(sizeof *player));
    *player = (struct player){scene, clip};
    return player;
}

static void play_naive(void *user, double seconds)
{
    const struct player *player = user;
    naive_sample(player->scene, player->clip, seconds, pose);
}

static void place_naive(void *user, float (*matrices)[16])
{
    naive_matrices(((const struct player *)user)->scene, pose, matrices);
}

static void play_ossa(void *user, double seconds)
{
    const struct player *player = user;
    ossa_sample(player->scene, player->clip, seconds, OSSA_WRAP_CLAMP, pose, NULL);
}

static void place_ossa(void *user, float (*matrices)[16])
{
    ossa_model_matrices(((const struct player *)user)->scene, pose, matrices);
}

static const struct contender naive_contender = {"naive C", open_player, play_naive, place_naive,
                                                 NULL,      free,        1e-4F};
static const struct contender ossa_contender = {"Ossa", open_player, play_ossa, place_ossa,
                                                NULL,   free,        1e-5F};

static const struct contender *const contenders[COLUMNS] = {
#ifdef BENCH_OZZ
    [OZZ] = &ozz_contender,
#endif
#ifdef BENCH_ACL
    [ACL] = &acl_contender,
#endif
    [NAIVE] = &naive_contender,
    [OSSA] = &ossa_contender,
};

/* All clips of one contender, and where it is in time. */
struct stage {
    const struct contender *contender;
    void *clips[CLIPS];
    const double *times; /* [TIMES], anywhere in a clip */
    uint32_t turn;
    float (*matrices)[16]; /* [CHARACTERS][bones] */
};

static void do_random(void *user)
{
    struct stage *stage = user;
    stage->contender->sample(stage->clips[0], stage->times[stage->turn++ % TIMES]);
}

static void do_sequence(void *user)
{
    enum { STEPS = FIGURE_FRAMES * 60 / FIGURE_FPS };
    struct stage *stage = user;
    /* Between two frames at every step, which is more work than on one. */
    stage->contender->sample(stage->clips[0], (stage->turn++ % STEPS) / 60.0 + 0.005);
}

static void do_matrices(void *user)
{
    struct stage *stage = user;
    stage->contender->matrices(stage->clips[0], stage->matrices);
}

static void do_crowd(void *user)
{
    struct stage *stage = user;
    const struct contender *contender = stage->contender;
    for (uint32_t i = 0; i < CHARACTERS; i++) {
        void *clip = stage->clips[i % CLIPS];
        float(*matrices)[16] = stage->matrices + (size_t)i * FIGURE_BONES;
        double seconds = stage->times[(stage->turn + i) % TIMES];
        if (contender->fused != NULL) {
            contender->fused(clip, seconds, matrices);
        } else {
            contender->sample(clip, seconds);
            contender->matrices(clip, matrices);
        }
    }
    stage->turn += CHARACTERS % TIMES;
}

/* Whether the matrices at a few times are those of ossa_sample. */
static void check_stage(struct stage *stage, const struct figure *figure)
{
    static ossa_transform locals[FIGURE_BONES];
    static float expected[FIGURE_BONES][16];
    for (unsigned t = 0; t < 100; t++) {
        ossa_sample(&figure->scene, &figure->clip, stage->times[t], OSSA_WRAP_CLAMP, locals, NULL);
        ossa_model_matrices(&figure->scene, locals, expected);
        stage->contender->sample(stage->clips[0], stage->times[t]);
        stage->contender->matrices(stage->clips[0], stage->matrices);
        for (unsigned i = 0; i < FIGURE_BONES * 16; i++) {
            float got = stage->matrices[i / 16][i % 16];
            if (!(fabsf(got - expected[i / 16][i % 16]) <= stage->contender->tolerance)) {
                fail(stage->contender->name, "its pose is another");
            }
        }
    }
}

static struct row stage_row(const char *name, void (*run)(void *), double items,
                            struct stage stages[COLUMNS])
{
    struct row row = {.name = name, .what = "bone", .unit = NANOSECONDS, .items = items};
    for (unsigned c = 0; c < COLUMNS; c++) {
        if (stages[c].contender != NULL) row.works[c] = (struct work){run, &stages[c], 0};
    }
    return row;
}

static void show_playing(const struct table *table)
{
    struct figure *figures = must(calloc(CLIPS, sizeof *figures));
    float(*matrices)[16] = must(calloc((size_t)CHARACTERS * FIGURE_BONES, sizeof *matrices));
    double times[TIMES];
    struct stage stages[COLUMNS] = {{NULL}};
    uint32_t state = 1;
    for (unsigned i = 0; i < TIMES; i++) {
        state = state * 1664525U + 1013904223U;
        times[i] = (state >> 8) / 16777216.0 * (FIGURE_FRAMES - 1) / FIGURE_FPS;
    }
    for (uint32_t i = 0; i < CLIPS; i++) {
        make_figure(&figures[i], FIGURE_BONES, FIGURE_FRAMES, i);
    }
    for (unsigned c = 0; c < COLUMNS; c++) {
        if (contenders[c] == NULL) continue;
        stages[c] = (struct stage){.contender = contenders[c], .times = times};
        stages[c].matrices = matrices;
        for (uint32_t i = 0; i < CLIPS; i++) {
            stages[c].clips[i] = contenders[c]->open(&figures[i].scene, &figures[i].clip);
        }
        check_stage(&stages[c], &figures[0]);
    }
    struct row row = stage_row("sample at a random time", do_random, FIGURE_BONES, stages);
    show_row(table, &row);
    row = stage_row("sample in sequence at 1/60 s", do_sequence, FIGURE_BONES, stages);
    show_row(table, &row);
    row = stage_row("local to model matrices", do_matrices, FIGURE_BONES, stages);
    show_row(table, &row);
    row = stage_row("crowd of 200 clips and 10,000 characters, to matrices", do_crowd,
                    (double)CHARACTERS * FIGURE_BONES, stages);
    show_row(table, &row);
    for (unsigned c = 0; c < COLUMNS; c++) {
        for (uint32_t i = 0; i < CLIPS && contenders[c] != NULL; i++) {
            contenders[c]->close(stages[c].clips[i]);
        }
    }
    for (uint32_t i = 0; i < CLIPS; i++) free_figure(&figures[i]);
    free(figures);
    free(matrices);
}

/* ---- blending ------------------------------------------------------------------------------ */

struct blend {
    const ossa_scene *scene;
    ossa_transform poses[2][FIGURE_BONES];
    ossa_transform out[FIGURE_BONES];
};

static void do_naive_blend(void *user)
{
    struct blend *blend = user;
    const ossa_transform *const poses[2] = {blend->poses[0], blend->poses[1]};
    const float weights[2] = {0.3F, 0.7F};
    naive_blend(blend->scene, poses, weights, 2, blend->out);
}

static void do_ossa_blend(void *user)
{
    struct blend *blend = user;
    const ossa_layer layers[2] = {{blend->poses[0], 0.3F, NULL}, {blend->poses[1], 0.7F, NULL}};
    ossa_blend(blend->scene, layers, 2, blend->out);
}

static void show_blending(const struct table *table, const struct figure *figure)
{
    static struct blend blend;
    blend.scene = &figure->scene;
    for (unsigned i = 0; i < 2; i++) {
        ossa_sample_frame(&figure->scene, &figure->clip, 7 * i, blend.poses[i], NULL);
    }
    const struct row row = {
        .name = "blend of two poses",
        .what = "bone",
        .unit = NANOSECONDS,
        .items = FIGURE_BONES,
        .works = {[NAIVE] = {do_naive_blend, &blend, 0}, [OSSA] = {do_ossa_blend, &blend, 0}}};
    show_row(table, &row);
}

/* ---- files --------------------------------------------------------------------------------- */

/* The figure as files of Shadow of the Colossus, and what is made of them. */
struct files {
    struct bytes skb;
    struct bytes anb;
    ossa_input inputs[2];
    float *rotations; /* the naive code's */
    ossa_scene *scene;
    ossa_buffer buffer;
    ossa_buffer json;
    ossa_buffer glb;
};

static ossa_file *read_or_fail(const struct bytes *bytes, const char *format)
{
    ossa_error error;
    ossa_options options = {.format = format};
    ossa_file *file = ossa_read(bytes->data, bytes->size, &options, &error);
    if (file == NULL) fail(format, error.message);
    return file;
}

static ossa_scene *assemble_or_fail(const ossa_input *inputs)
{
    ossa_error error;
    ossa_scene *scene = ossa_assemble(inputs, 2, NULL, &error);
    if (scene == NULL) fail("assemble", error.message);
    return scene;
}

static void do_naive_decode(void *user)
{
    struct files *files = user;
    const ossa_sotc_anb *anb = ossa_as_sotc_anb(files->inputs[1].file);
    for (uint32_t i = 0; i < anb->bone_count; i++) {
        naive_decode(anb->bones[i].keys.packed, anb->pose_count, anb->bones[i].constants,
                     files->rotations + 4 * (size_t)i, 4 * (size_t)anb->bone_count);
    }
}

static void do_assemble(void *user)
{
    ossa_scene_free(assemble_or_fail(((struct files *)user)->inputs));
}

static void check_decode(struct files *files)
{
    const ossa_tracks *tracks = &files->scene->clips[0].rotations;
    do_naive_decode(files);
    if (tracks->count != FIGURE_BONES) fail("assemble", "a bone does not move");
    for (size_t i = 0; i < (size_t)4 * FIGURE_BONES * FIGURE_FRAMES; i++) {
        if (!(fabsf(tracks->keys[i] - files->rotations[i]) < 1e-3F)) {
            fail("naive decode", "its rotations are others");
        }
    }
}

static void do_gltf(void *user)
{
    struct files *files = user;
    files->buffer.size = 0; /* its memory is used again, so that only the writing is timed */
    if (!ossa_write_gltf(files->scene, NULL, ossa_buffer_sink(&files->buffer), (ossa_sink){0},
                         NULL)) {
        fail("glTF", "cannot be written");
    }
}

/* From the bytes of the files to those of the GLB. */
static void do_convert(void *user)
{
    struct files *files = user;
    struct files own = {.buffer = files->buffer};
    own.inputs[0] = (ossa_input){.path = "figure.skb", .file = read_or_fail(&files->skb, NULL)};
    own.inputs[1] = (ossa_input){.path = "walk.anb", .file = read_or_fail(&files->anb, NULL)};
    own.scene = assemble_or_fail(own.inputs);
    do_gltf(&own);
    files->buffer = own.buffer;
    ossa_scene_free(own.scene);
    ossa_file_free(own.inputs[0].file);
    ossa_file_free(own.inputs[1].file);
}

static void do_bvh(void *user)
{
    struct files *files = user;
    files->buffer.size = 0;
    if (!ossa_write_bvh(files->scene, &files->scene->clips[0], NULL,
                        ossa_buffer_sink(&files->buffer), NULL)) {
        fail("BVH", "cannot be written");
    }
}

static void do_csv(void *user)
{
    struct files *files = user;
    files->buffer.size = 0;
    if (!ossa_write_csv(files->scene, NULL, ossa_buffer_sink(&files->buffer), NULL)) {
        fail("CSV", "cannot be written");
    }
}

static void do_scene_json(void *user)
{
    struct files *files = user;
    files->buffer.size = 0;
    if (!ossa_write_scene_json(files->scene, NULL, ossa_buffer_sink(&files->buffer), NULL)) {
        fail("scene JSON", "cannot be written");
    }
}

static void do_dump(void *user)
{
    struct files *files = user;
    files->buffer.size = 0;
    if (!ossa_dump(files->inputs[1].file, OSSA_JSON_STYLE_LINE, ossa_buffer_sink(&files->buffer),
                   NULL)) {
        fail("dump", "cannot be written");
    }
}

static void do_build(void *user)
{
    struct files *files = user;
    ossa_error error;
    ossa_file *file = ossa_build((const char *)files->json.data, files->json.size, NULL, &error);
    if (file == NULL) fail("build", error.message);
    ossa_file_free(file);
}

static void do_read_lnk(void *user)
{
    ossa_file_free(read_or_fail(user, "ei-lnk"));
}

#ifdef BENCH_ASSIMP
static void do_assimp(void *user)
{
    const struct files *files = user;
    if (assimp_convert(files->glb.data, files->glb.size, "glb") == 0) fail("assimp", "failed");
}
#endif

/* A run that gives files->buffer, by the bytes that it gives. */
static struct row output_row(struct files *files, const char *name, void (*run)(void *))
{
    run(files);
    return (struct row){.name = name,
                        .what = "bytes",
                        .unit = MEGA_PER_SECOND,
                        .items = (double)files->buffer.size,
                        .works = {[OSSA] = {run, files, 0}}};
}

/* The buffer as a copy of its own; the next run writes over the old one. */
static ossa_buffer take_buffer(struct files *files)
{
    ossa_buffer taken = files->buffer;
    files->buffer = (ossa_buffer){0};
    return taken;
}

static void open_files(struct files *files)
{
    files->skb = make_skb(FIGURE_BONES);
    files->anb = make_anb(FIGURE_BONES, FIGURE_FRAMES, 0);
    files->inputs[0] =
        (ossa_input){.path = "figure.skb", .file = read_or_fail(&files->skb, "sotc-skb")};
    files->inputs[1] =
        (ossa_input){.path = "walk.anb", .file = read_or_fail(&files->anb, "sotc-anb")};
    files->rotations = must(calloc((size_t)FIGURE_BONES * FIGURE_FRAMES, 4 * sizeof(float)));
    files->scene = assemble_or_fail(files->inputs);
    do_gltf(files);
    files->glb = take_buffer(files);
    do_dump(files);
    files->json = take_buffer(files);
}

static void close_files(struct files *files)
{
    ossa_scene_free(files->scene);
    for (unsigned i = 0; i < 2; i++) ossa_file_free(files->inputs[i].file);
    free(files->skb.data);
    free(files->anb.data);
    free(files->rotations);
    ossa_buffer_free(&files->buffer);
    ossa_buffer_free(&files->json);
    ossa_buffer_free(&files->glb);
}

static void show_files(const struct table *table, struct files *files)
{
    check_decode(files);
    struct row row = {
        .name = "ANB decode during assembly",
        .what = "rotations",
        .unit = MEGA_PER_SECOND,
        .items = (double)FIGURE_BONES * FIGURE_FRAMES,
        .works = {[NAIVE] = {do_naive_decode, files, 0}, [OSSA] = {do_assemble, files, 0}}};
    show_row(table, &row);
    row = (struct row){.name = "ANB to GLB in process",
                       .what = "clip",
                       .unit = MILLISECONDS,
                       .items = 1,
#ifdef BENCH_ASSIMP
                       .labels = {[OTHER] = "libassimp, from GLB"},
                       .works = {[OTHER] = {do_assimp, files, 0}, [OSSA] = {do_convert, files, 0}}
#else
                       .works = {[OSSA] = {do_convert, files, 0}}
#endif
    };
    show_row(table, &row);
    row = output_row(files, "scene to BVH", do_bvh);
    show_row(table, &row);
    row = output_row(files, "scene to CSV", do_csv);
    show_row(table, &row);
    row = output_row(files, "scene to JSON", do_scene_json);
    show_row(table, &row);
    row = output_row(files, "dump", do_dump);
    show_row(table, &row);
    row.name = "build";
    row.works[OSSA].run = do_build;
    show_row(table, &row);
    struct bytes lnk = make_lnk(100000);
    row = (struct row){.name = "LNK of 100,000 links",
                       .what = "file",
                       .unit = MILLISECONDS,
                       .items = 1,
                       .works = {[OSSA] = {do_read_lnk, &lnk, 0}}};
    show_row(table, &row);
    free(lnk.data);
}

/* ---- whole processes ----------------------------------------------------------------------- */

static void do_process(void *user)
{
    run_process(user);
}

/* They are timed by the clock of the wall: starting a process is work of the system, too. */
static void show_processes(const struct table *table, struct files *files, char *tool)
{
    bench_clock = CLOCK_MONOTONIC;
    char folder[] = "/tmp/ossa-bench-XXXXXX";
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) stop(folder);
    write_file("figure.skb", files->skb.data, files->skb.size);
    write_file("walk.anb", files->anb.data, files->anb.size);
    write_file("walk.glb", files->glb.data, files->glb.size);
    write_file("dump.json", files->json.data, files->json.size);
    char *nothing[] = {(char[]){"true"}, NULL};
    char *version[] = {tool, (char[]){"--version"}, NULL};
    char *info[] = {tool, (char[]){"info"}, (char[]){"figure.skb"}, NULL};
    char *convert[] = {tool,
                       (char[]){"convert"},
                       (char[]){"-q"},
                       (char[]){"--force"},
                       (char[]){"figure.skb"},
                       (char[]){"walk.anb"},
                       (char[]){"-o"},
                       (char[]){"out.glb"},
                       NULL};
    char *dump[] = {tool, (char[]){"dump"}, (char[]){"walk.anb"}, NULL};
    char *build[] = {tool,           (char[]){"build"}, (char[]){"dump.json"},
                     (char[]){"-o"}, (char[]){"-"},     NULL};
    struct row row = {
        .name = "whole process: ossa --version",
        .what = "run",
        .unit = MILLISECONDS,
        .items = 1,
        .labels = {[NAIVE] = "empty process"},
        .works = {[NAIVE] = {do_process, nothing, 0}, [OSSA] = {do_process, version, 0}}};
    show_row(table, &row);
    row.name = "whole process: ossa info of a small file";
    row.works[OSSA].user = info;
    show_row(table, &row);
    row.name = "whole process: ANB to GLB";
    row.works[OSSA].user = convert;
#ifdef BENCH_ASSIMP
    char *assimp[] = {(char[]){"assimp"}, (char[]){"export"}, (char[]){"walk.glb"},
                      (char[]){"other.glb"}, NULL};
    if (can_run("assimp")) {
        row.labels[OTHER] = "assimp, from GLB";
        row.works[OTHER] = (struct work){do_process, assimp, 0};
    } else {
        fprintf(stderr, "assimp: skipped, it is not installed (assimp-utils)\n");
    }
#endif
    show_row(table, &row);
    row = (struct row){.name = "whole process: dump",
                       .what = "bytes",
                       .unit = MEGA_PER_SECOND,
                       .items = (double)files->json.size,
                       .works = {[OSSA] = {do_process, dump, 0}}};
#ifdef BENCH_PEERS
    char *jq[] = {(char[]){"jq"}, (char[]){"-c"}, (char[]){"."}, (char[]){"dump.json"}, NULL};
    if (can_run("jq")) {
        row.labels[OTHER] = "jq -c .";
        row.works[OTHER] = (struct work){do_process, jq, 0};
    } else {
        fprintf(stderr, "jq: skipped, it is not installed (jq)\n");
    }
#endif
    show_row(table, &row);
    row.name = "whole process: build";
    row.works[OSSA].user = build;
    show_row(table, &row);
    if (chdir("/") != 0) stop("/");
    remove_folder(folder);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void print_heading(const struct table *table)
{
    printf("%d bones, %d frames, one core; %s of %zu interleaved rounds\n", FIGURE_BONES,
           FIGURE_FRAMES, table->markdown ? "best" : "best and median", table->samples);
    if (!table->markdown) return;
    printf("\n| work | ozz-animation | ACL | others | naive C | Ossa |\n"
           "| --- | --- | --- | --- | --- | --- |\n");
}

/* What is not there is said once, before the table. */
static void report_missing(void)
{
#ifdef BENCH_PEERS
#ifndef BENCH_OZZ
    fputs("ozz-animation: skipped, OZZ= does not name its source folder\n", stderr);
#endif
#ifndef BENCH_ACL
    fputs("ACL: skipped, ACL= does not name its source folder\n", stderr);
#endif
#ifndef BENCH_ASSIMP
    fputs("libassimp: skipped, it is not installed (libassimp-dev)\n", stderr);
#endif
#endif
}

int main(int argc, char **argv)
{
    struct table table = {.samples = samples_from(argc, argv, 31)};
    char built[] = OSSA_TOOL; /* the one of this build */
    char *tool = built;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--markdown") == 0) table.markdown = true;
        if (strcmp(argv[i], "--tool") == 0 && i + 1 < argc) tool = argv[i + 1];
    }
    struct figure figure;
    static struct files files;
    make_figure(&figure, FIGURE_BONES, FIGURE_FRAMES, 0);
    open_files(&files);
    report_missing();
    print_heading(&table);
    show_playing(&table);
    show_blending(&table, &figure);
    show_files(&table, &files);
    show_processes(&table, &files, tool);
    close_files(&files);
    free_figure(&figure);
    return 0;
}
