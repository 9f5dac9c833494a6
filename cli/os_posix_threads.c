/* SPDX-License-Identifier: MIT
 *
 * Work on several cores. */
#include "os.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

unsigned os_core_count(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > 256 ? 256 : (unsigned)count;
}

struct job {
    void (*work)(void *user);
    void *user;
};

static void *run_job(void *argument)
{
    struct job *job = argument;
    job->work(job->user);
    return NULL;
}

void os_run_threads(unsigned count, void (*work)(void *user), void *user)
{
    struct job job = {work, user};
    pthread_t *threads = calloc(count, sizeof *threads);
    unsigned started = 0;
    for (unsigned i = 1; threads != NULL && i < count; i++) {
        if (pthread_create(&threads[started], NULL, run_job, &job) != 0) break;
        started++;
    }
    work(user); /* this one works too, so that it goes on even when no other can be started */
    for (unsigned i = 0; i < started; i++) (void)pthread_join(threads[i], NULL);
    free(threads);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void os_lock(void)
{
    (void)pthread_mutex_lock(&lock);
}

void os_unlock(void)
{
    (void)pthread_mutex_unlock(&lock);
}
