/* SPDX-License-Identifier: MIT
 *
 * Playing clips: Ossa beside the naive code of naive.c and, in `make bench-peers`, other people's
 * libraries. Before anything is timed, all of them have to give the same poses.
 *
 *     bench_play [--samples N] [--markdown] */
#include "ossa/ossa.h"
#include "ossa/runtime.h"

#include "contender.h"
#include "figure.h"
#include "naive.h"
#include "table.h"

#include <math.h>
#include <pthread.h>

enum { OZZ, ACL, NAIVE, OSSA, RUNTIME, COLUMNS };

static const char *const columns[COLUMNS] = {"ozz-animation", "ACL", "naive C", "Ossa",
                                             "Ossa, runtime clip"};

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

/* A runtime clip's own poses are eight bones side by side. */
static ossa_soa soa[OSSA_SOA_COUNT(FIGURE_BONES)];

static void *open_runtime(const ossa_scene *scene, const ossa_clip *clip)
{
    ossa_error error;
    ossa_runtime *runtime = ossa_runtime_new(scene, clip, NULL, &error);
    if (runtime == NULL) fail("ossa_runtime_new", error.message);
    return runtime;
}

static void play_runtime(void *user, double seconds)
{
    ossa_runtime_sample(user, seconds, OSSA_WRAP_CLAMP, soa);
}

static void place_runtime(void *user, float (*matrices)[16])
{
    ossa_runtime_model(user, soa, matrices);
}

static void crowd_runtime(const struct character *characters, size_t count)
{
    enum { AT_ONCE = 256 };
    ossa_runtime_job jobs[AT_ONCE];
    for (size_t done = 0; done < count;) {
        size_t part = 0;
        while (part < AT_ONCE && done < count) {
            const struct character *character = &characters[done++];
            jobs[part++] = (ossa_runtime_job){character->clip, character->seconds, OSSA_WRAP_CLAMP,
                                              character->matrices};
        }
        ossa_runtime_crowd(jobs, part);
    }
}

static void close_runtime(void *user)
{
    ossa_runtime_free(user);
}

static const struct contender naive_contender = {"naive C", open_player, play_naive, place_naive,
                                                 NULL,      free,        1e-4F};
static const struct contender ossa_contender = {"Ossa", open_player, play_ossa, place_ossa,
                                                NULL,   free,        1e-5F};

static const struct contender runtime_contender = {
    "Ossa, runtime clip", open_runtime,  play_runtime, place_runtime,
    crowd_runtime,        close_runtime, 1e-5F};

static const struct contender *const contenders[COLUMNS] = {
#ifdef BENCH_OZZ
    [OZZ] = &ozz_contender,
#endif
#ifdef BENCH_ACL
    [ACL] = &acl_contender,
#endif
    [NAIVE] = &naive_contender, [OSSA] = &ossa_contender, [RUNTIME] = &runtime_contender,
};

/* All clips of one contender, and where it is in time. */
struct stage {
    const struct contender *contender;
    void *clips[CLIPS];
    const double *times; /* [TIMES], anywhere in a clip */
    uint32_t turn;
    float (*matrices)[16];        /* [CHARACTERS][bones] */
    struct character *characters; /* [CHARACTERS] */
};

static void do_random(void *user)
{
    struct stage *stage = user;
    stage->contender->sample(stage->clips[0], stage->times[stage->turn++ % TIMES]);
}

/* Of a runtime clip. */
static void do_random_locals(void *user)
{
    struct stage *stage = user;
    ossa_runtime_locals(stage->clips[0], stage->times[stage->turn++ % TIMES], OSSA_WRAP_CLAMP,
                        pose);
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

static void play_crowd(const struct contender *contender, const struct character *characters,
                       size_t count)
{
    if (contender->crowd != NULL) {
        contender->crowd(characters, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        contender->sample(characters[i].clip, characters[i].seconds);
        contender->matrices(characters[i].clip, characters[i].matrices);
    }
}

/* Each at another time than before, as in a game. */
static void place_crowd(struct stage *stage)
{
    for (uint32_t i = 0; i < CHARACTERS; i++) {
        stage->characters[i] =
            (struct character){stage->clips[i % CLIPS], stage->times[(stage->turn + i) % TIMES],
                               stage->matrices + (size_t)i * FIGURE_BONES};
    }
    stage->turn += CHARACTERS % TIMES;
}

static void do_crowd(void *user)
{
    struct stage *stage = user;
    place_crowd(stage);
    play_crowd(stage->contender, stage->characters, CHARACTERS);
}

static void *play_half(void *user)
{
    const struct stage *stage = user;
    play_crowd(stage->contender, stage->characters + CHARACTERS / 2, CHARACTERS / 2);
    return NULL;
}

static void do_two_threads(void *user)
{
    struct stage *stage = user;
    pthread_t other;
    place_crowd(stage);
    if (pthread_create(&other, NULL, play_half, stage) != 0) fail("pthread_create", "no thread");
    play_crowd(stage->contender, stage->characters, CHARACTERS / 2);
    (void)pthread_join(other, NULL);
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

/* Every tenth frame of the figure only: up to 27 degrees between two, where it was 3. */
static void show_wide(const struct table *table, const struct stage stages[COLUMNS])
{
    enum { STEP = 10 };
    struct figure figure;
    struct stage wide[COLUMNS] = {{.contender = NULL}};
    double times[TIMES];
    make_figure(&figure, FIGURE_BONES, FIGURE_FRAMES / STEP, 0);
    for (uint32_t i = 0; i < FIGURE_BONES * (FIGURE_FRAMES / STEP); i++) {
        figure_rotation(0, i % FIGURE_BONES, i / FIGURE_BONES * STEP, figure.rotations + 4 * i);
    }
    for (unsigned i = 0; i < TIMES; i++) times[i] = stages[OSSA].times[i] / STEP;
    for (unsigned c = 0; c < COLUMNS; c++) {
        if (contenders[c] == NULL) continue;
        wide[c] = stages[c];
        wide[c].times = times;
        wide[c].clips[0] = contenders[c]->open(&figure.scene, &figure.clip);
        check_stage(&wide[c], &figure);
    }
    struct row row =
        stage_row("the same with wide arcs between frames", do_random, FIGURE_BONES, wide);
    show_row(table, &row);
    for (unsigned c = 0; c < COLUMNS; c++) {
        if (contenders[c] != NULL) contenders[c]->close(wide[c].clips[0]);
    }
    free_figure(&figure);
}

static void show_playing(const struct table *table)
{
    struct figure *figures = must(calloc(CLIPS, sizeof *figures));
    float(*matrices)[16] = must(calloc((size_t)CHARACTERS * FIGURE_BONES, sizeof *matrices));
    struct character *characters = must(calloc(CHARACTERS, sizeof *characters));
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
        stages[c].characters = characters;
        for (uint32_t i = 0; i < CLIPS; i++) {
            stages[c].clips[i] = contenders[c]->open(&figures[i].scene, &figures[i].clip);
        }
        check_stage(&stages[c], &figures[0]);
    }
    struct row row = stage_row("sample at a random time", do_random, FIGURE_BONES, stages);
    show_row(table, &row);
    show_wide(table, stages);
    row.name = "sample at a random time, to transforms";
    row.works[RUNTIME].run = do_random_locals;
    row.works[OSSA].run = row.works[OZZ].run = row.works[ACL].run = NULL;
    show_row(table, &row);
    row = stage_row("sample in sequence at 1/60 s", do_sequence, FIGURE_BONES, stages);
    show_row(table, &row);
    row = stage_row("local to model matrices", do_matrices, FIGURE_BONES, stages);
    show_row(table, &row);
    row = stage_row("crowd of 200 clips and 10,000 characters, to matrices", do_crowd,
                    (double)CHARACTERS * FIGURE_BONES, stages);
    show_row(table, &row);
    row = (struct row){.name = "the same with two threads, by the clock",
                       .item = "bone",
                       .unit = NANOSECONDS,
                       .items = (double)CHARACTERS * FIGURE_BONES,
                       .is_process = true,
                       .labels = {[NAIVE] = "Ossa with one"},
                       .works = {[NAIVE] = {do_crowd, &stages[RUNTIME], 0},
                                 [RUNTIME] = {do_two_threads, &stages[RUNTIME], 0}}};
    if (!table->markdown) show_row(table, &row); /* it needs two idle cores */
    for (unsigned c = 0; c < COLUMNS; c++) {
        for (uint32_t i = 0; i < CLIPS && contenders[c] != NULL; i++) {
            contenders[c]->close(stages[c].clips[i]);
        }
    }
    for (uint32_t i = 0; i < CLIPS; i++) free_figure(&figures[i]);
    free(figures);
    free(matrices);
    free(characters);
}

/* ---- blending ------------------------------------------------------------------------------ */

struct blend {
    const ossa_scene *scene;
    const ossa_runtime *runtime;
    ossa_transform poses[2][FIGURE_BONES];
    ossa_soa soa_poses[2][OSSA_SOA_COUNT(FIGURE_BONES)];
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

static void do_runtime_blend(void *user)
{
    struct blend *blend = user;
    const ossa_soa_layer layers[2] = {{blend->soa_poses[0], 0.3F, NULL},
                                      {blend->soa_poses[1], 0.7F, NULL}};
    ossa_runtime_blend(blend->runtime, layers, 2, soa);
}

static void show_blending(const struct table *table, const struct figure *figure)
{
    static struct blend blend;
    ossa_runtime *runtime = open_runtime(&figure->scene, &figure->clip);
    blend.scene = &figure->scene;
    blend.runtime = runtime;
    for (unsigned i = 0; i < 2; i++) {
        ossa_sample_frame(&figure->scene, &figure->clip, 7 * i, blend.poses[i], NULL);
        ossa_runtime_sample(runtime, 7.0 * i / FIGURE_FPS, OSSA_WRAP_CLAMP, blend.soa_poses[i]);
    }
    const struct row row = {.name = "blend of two poses",
                            .item = "bone",
                            .unit = NANOSECONDS,
                            .items = FIGURE_BONES,
                            .works = {[NAIVE] = {do_naive_blend, &blend, 0},
                                      [OSSA] = {do_ossa_blend, &blend, 0},
                                      [RUNTIME] = {do_runtime_blend, &blend, 0}}};
    show_row(table, &row);
    ossa_runtime_free(runtime);
}

/* ---- packed keys --------------------------------------------------------------------------- */

/* An ANB whose keys stay as they are in the file. */
struct packed {
    struct bytes bytes[2];
    ossa_input inputs[2];
    ossa_scene *scene;
    ossa_runtime *runtime;
    const uint32_t *keys[FIGURE_BONES];
    const float *pairs[FIGURE_BONES];
    uint32_t turn;
};

static double packed_time(struct packed *packed)
{
    packed->turn = packed->turn * 1664525U + 1013904223U;
    return (packed->turn >> 8) / 16777216.0 * (FIGURE_FRAMES - 1) / FIGURE_FPS;
}

static void do_naive_packed(void *user)
{
    struct packed *packed = user;
    naive_sample_packed(packed->scene, &packed->scene->clips[0], packed->keys, packed->pairs,
                        packed_time(packed), pose);
}

static void do_packed(void *user)
{
    struct packed *packed = user;
    ossa_runtime_sample(packed->runtime, packed_time(packed), OSSA_WRAP_CLAMP, soa);
}

static void do_packed_locals(void *user)
{
    struct packed *packed = user;
    ossa_runtime_locals(packed->runtime, packed_time(packed), OSSA_WRAP_CLAMP, pose);
}

static struct packed open_packed(void)
{
    struct packed packed = {.turn = 1};
    static const char *const paths[2] = {"figure.skb", "walk.anb"};
    ossa_error error;
    packed.bytes[0] = make_skb(FIGURE_BONES);
    packed.bytes[1] = make_anb(FIGURE_BONES, FIGURE_FRAMES, 0);
    for (unsigned i = 0; i < 2; i++) {
        const struct bytes *bytes = &packed.bytes[i];
        packed.inputs[i].path = paths[i];
        packed.inputs[i].file = ossa_read(bytes->data, bytes->size, NULL, &error);
        if (packed.inputs[i].file == NULL) fail(paths[i], error.message);
    }
    packed.scene = ossa_assemble(packed.inputs, 2, NULL, &error);
    if (packed.scene == NULL) fail("ossa_assemble", error.message);
    const ossa_sotc_anb *anb = ossa_as_sotc_anb(packed.inputs[1].file);
    for (uint32_t i = 0; i < FIGURE_BONES; i++) {
        packed.keys[i] = anb->bones[i].keys.packed;
        packed.pairs[i] = anb->bones[i].constants;
    }
    const ossa_sotc_runtime_options options = {.packed = true};
    packed.runtime = ossa_sotc_runtime(packed.scene, anb, &options, &error);
    if (packed.runtime == NULL) fail("ossa_sotc_runtime", error.message);
    return packed;
}

/* Whether packed and naive rotations are those of ossa_sample. */
static void check_packed(struct packed *packed)
{
    static ossa_transform expected[FIGURE_BONES];
    for (unsigned i = 0; i < 200; i++) {
        uint32_t turn = packed->turn;
        ossa_sample(packed->scene, &packed->scene->clips[0], packed_time(packed), OSSA_WRAP_CLAMP,
                    expected, NULL);
        packed->turn = turn;
        if (i % 2 == 0) do_naive_packed(packed);
        else do_packed_locals(packed);
        for (unsigned k = 0; k < 4 * FIGURE_BONES; k++) {
            float difference = pose[k / 4].rotation[k % 4] - expected[k / 4].rotation[k % 4];
            if (!(fabsf(difference) < 1e-4F)) fail("packed keys", "the pose is another");
        }
    }
}

static void show_packed(const struct table *table)
{
    struct packed packed = open_packed();
    check_packed(&packed);
    struct row row = {
        .name = "sample packed 32-bit keys at a random time",
        .item = "bone",
        .unit = NANOSECONDS,
        .items = FIGURE_BONES,
        .works = {[NAIVE] = {do_naive_packed, &packed, 0}, [RUNTIME] = {do_packed, &packed, 0}}};
    show_row(table, &row);
    row.name = "sample packed 32-bit keys, to transforms";
    row.works[RUNTIME].run = do_packed_locals;
    show_row(table, &row);
    ossa_runtime_free(packed.runtime);
    ossa_scene_free(packed.scene);
    for (unsigned i = 0; i < 2; i++) {
        ossa_file_free(packed.inputs[i].file);
        free(packed.bytes[i].data);
    }
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
    show_packed(&table);
    show_blending(&table, &figure);
    free_figure(&figure);
    return 0;
}
