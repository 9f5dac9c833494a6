/* SPDX-License-Identifier: MIT
 *
 * Playing clips: Ossa beside the naive code of naive.c and, in `make bench-peers`, other people's
 * libraries. Before anything is timed, all of them have to give the same poses.
 *
 *     bench_play [--samples N] [--markdown] */
#include "ossa/sample.h"

#include "contender.h"
#include "figure.h"
#include "naive.h"
#include "table.h"

#include <math.h>

enum { OZZ, ACL, NAIVE, OSSA, COLUMNS };

static const char *const columns[COLUMNS] = {"ozz-animation", "ACL", "naive C", "Ossa"};

_Noreturn static void fail(const char *what, const char *why)
{
    fprintf(stderr, "bench_play: %s: %s\n", what, why);
    exit(1);
}

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
    struct row row = {.name = name, .item = "bone", .unit = NANOSECONDS, .items = items};
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
    struct stage stages[COLUMNS] = {{.contender = NULL}};
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
        .item = "bone",
        .unit = NANOSECONDS,
        .items = FIGURE_BONES,
        .works = {[NAIVE] = {do_naive_blend, &blend, 0}, [OSSA] = {do_ossa_blend, &blend, 0}}};
    show_row(table, &row);
}

/* -------------------------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
    struct table table = {.columns = columns, .column_count = COLUMNS, .yardstick = NAIVE};
    struct figure figure;
#if defined BENCH_PEERS && !defined BENCH_OZZ
    fputs("ozz-animation: skipped, OZZ= does not name its source folder\n", stderr);
#endif
#if defined BENCH_PEERS && !defined BENCH_ACL
    fputs("ACL: skipped, ACL= does not name its source folder\n", stderr);
#endif
    start_table(&table, argc, argv);
    make_figure(&figure, FIGURE_BONES, FIGURE_FRAMES, 0);
    show_playing(&table);
    show_blending(&table, &figure);
    free_figure(&figure);
    return 0;
}
