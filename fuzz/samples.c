/* SPDX-License-Identifier: MIT
 *
 * The sample files, and fixtures where there are none, as material for fuzzers. */
#include "checks.h"

#include <string.h>

enum { MOST_SAMPLES = 400, MOST_SIZE = 1 << 18 };

static struct sample samples[MOST_SAMPLES];
static size_t sample_count;

static char *copy_text(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    REQUIRE(copy != NULL, "no memory");
    memcpy(copy, text, size);
    return copy;
}

static ossa_step keep(void *user, const ossa_visit *visit)
{
    const size_t *prefix = user;
    if (visit->format == NULL || visit->data == NULL || visit->size > MOST_SIZE) {
        return OSSA_STEP_INTO;
    }
    if (sample_count == MOST_SAMPLES) return OSSA_STEP_STOP;
    struct sample *sample = &samples[sample_count++];
    sample->path = copy_text(visit->path + *prefix);
    sample->folder_size = strcspn(sample->path, "/\\");
    sample->format = visit->format;
    sample->size = (size_t)visit->size;
    sample->data = malloc(sample->size + 1);
    REQUIRE(sample->data != NULL, "no memory");
    memcpy(sample->data, visit->data, sample->size);
    return OSSA_STEP_INTO;
}

static void load_folder(ossa_workspace *workspace, const char *path, size_t prefix)
{
    const ossa_walk_options options = {
        .detail = OSSA_DETAIL_BYTES, .deep = true, .visit = keep, .user = &prefix};
    ossa_error error;
    REQUIRE(ossa_workspace_walk(workspace, path, &options, &error), error.message);
}

/* What was loaded is kept until the end, so that no sanitizer takes it for lost. */
const struct sample *load_samples(size_t *count)
{
    if (sample_count == 0) {
        ossa_error error;
        ossa_workspace *workspace = ossa_workspace_new(NULL, &error);
        REQUIRE(workspace != NULL, error.message);
        load_folder(workspace, OSSA_SAMPLE_DIR, sizeof OSSA_SAMPLE_DIR); /* and the / after it */
        REQUIRE(sample_count > 0, "there are no samples");
        /* The fixture of a format that has no sample. */
        for (size_t i = 0; i < ossa_format_count(); i++) {
            const ossa_format *format = ossa_format_at(i);
            char path[sizeof OSSA_FIXTURE_DIR + 32];
            size_t found = 0;
            while (found < sample_count && samples[found].format != format) found++;
            if (found < sample_count) continue;
            (void)snprintf(path, sizeof path, OSSA_FIXTURE_DIR "/%s", format->id);
            load_folder(workspace, path, sizeof OSSA_FIXTURE_DIR);
        }
        ossa_workspace_free(workspace);
    }
    *count = sample_count;
    return samples;
}

static void *open_nothing(void *user, const char *path, uint64_t *size, ossa_error *error)
{
    (void)user;
    (void)path;
    *size = 0;
    (void)error;
    return NULL;
}

ossa_workspace *new_workspace(void)
{
    const ossa_filesystem nothing = {.open = open_nothing};
    const ossa_workspace_options options = {.filesystem = &nothing, .max_input = 1 << 20};
    ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
    REQUIRE(workspace != NULL, "no memory");
    return workspace;
}
