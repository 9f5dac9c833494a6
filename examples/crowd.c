/* SPDX-License-Identifier: MIT
 *
 * A crowd: a thousand characters that play the clips of one figure, each at its own time, as
 * matrices for the graphics card. Each of two threads takes half of them.
 *
 *     crowd bird/bird.skb bird/fly.anb bird/glide.anb
 *
 * The clips are laid out once (ossa_runtime_new); from then on nothing allocates or locks. */
#include "file_io.h"

#include <ossa/runtime.h>
#include <ossa/workspace.h>

#include <pthread.h>

enum { CHARACTERS = 1000, THREADS = 2, MOST_CLIPS = 64 };

static const double step = 1.0 / 60.0; /* the game's own frame, in seconds */
static const unsigned steps = 60;

struct share {
    ossa_runtime_job *jobs;
    size_t count;
};

static void *work(void *user)
{
    const struct share *share = user;
    ossa_runtime_crowd(share->jobs, share->count);
    return NULL;
}

/* One frame of the game. A real one keeps its threads. */
static bool play(ossa_runtime_job *jobs)
{
    pthread_t threads[THREADS];
    struct share shares[THREADS];
    size_t each = CHARACTERS / THREADS;
    for (size_t t = 0; t < THREADS; t++) {
        shares[t] = (struct share){jobs + t * each, each};
        if (pthread_create(&threads[t], NULL, work, &shares[t]) != 0) return false;
    }
    for (size_t t = 0; t < THREADS; t++) (void)pthread_join(threads[t], NULL);
    for (size_t i = 0; i < CHARACTERS; i++) jobs[i].seconds += step;
    return true;
}

/* Lay out the clips; 0 if there is no memory. */
static uint32_t lay_out(const ossa_scene *scene, ossa_runtime *runtimes[MOST_CLIPS])
{
    uint32_t count = scene->clip_count;
    if (count > MOST_CLIPS) count = MOST_CLIPS;
    for (uint32_t i = 0; i < count; i++) {
        ossa_error error;
        runtimes[i] = ossa_runtime_new(scene, &scene->clips[i], NULL, &error);
        if (runtimes[i] == NULL) {
            fprintf(stderr, "%s\n", error.message);
            return 0;
        }
        printf("%s: %u frames, %zu bytes\n", scene->clips[i].name,
               (unsigned)scene->clips[i].frame_count, ossa_runtime_size(runtimes[i]));
    }
    return count;
}

int main(int argc, char **argv)
{
    ossa_error error;
    ossa_workspace *workspace = ossa_workspace_new(NULL, &error);
    ossa_scene *scene = NULL;
    if (argc > 1 && workspace != NULL) {
        scene = ossa_workspace_scene(workspace, (const char *const *)argv + 1, (size_t)argc - 1,
                                     NULL, &error);
    }
    if (scene == NULL) {
        fprintf(stderr, "%s\n", argc > 1 ? error.message : "usage: crowd FILE...");
        ossa_workspace_free(workspace);
        return 1;
    }
    uint32_t bones = scene->bone_count;
    ossa_runtime *runtimes[MOST_CLIPS] = {NULL};
    ossa_runtime_job *jobs = calloc(CHARACTERS, sizeof *jobs);
    float(*matrices)[16] = calloc((size_t)CHARACTERS * bones, sizeof *matrices);
    uint32_t clips = lay_out(scene, runtimes);
    ossa_scene_free(scene); /* a runtime clip has all that it needs */
    ossa_workspace_free(workspace);

    bool fine = jobs != NULL && matrices != NULL && clips > 0;
    for (size_t i = 0; fine && i < CHARACTERS; i++) {
        jobs[i] = (ossa_runtime_job){.runtime = runtimes[i % clips],
                                     .seconds = (double)i * 0.37, /* nobody is in step */
                                     .wrap = OSSA_WRAP_LOOP,
                                     .matrices = matrices + i * bones};
    }
    for (unsigned i = 0; fine && i < steps; i++) fine = play(jobs);
    if (fine && bones > 0) {
        const float *root = matrices[(size_t)(CHARACTERS - 1) * bones];
        printf("%d characters of %u bones, %u frames; the last one is at %.3f %.3f %.3f\n",
               CHARACTERS, (unsigned)bones, steps, (double)root[12], (double)root[13],
               (double)root[14]);
    }
    for (uint32_t i = 0; i < MOST_CLIPS; i++) ossa_runtime_free(runtimes[i]);
    free(jobs);
    free(matrices);
    return fine ? 0 : 1;
}
