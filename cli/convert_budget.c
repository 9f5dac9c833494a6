/* SPDX-License-Identifier: MIT
 *
 * ossa convert --all: how much is converted, and how much of it at once. Thousands of figures in a
 * small archive may share their bytes, and a small figure may become a large file: both end when
 * they are far more than the input. */
#include "convert_all.h"

#include "base/memory.h"

#include <string.h>

enum {
    TIMES = 64,           /* good figures share little, and become a few times their size */
    INPUT_ROOM = 1 << 20, /* besides */
    OUTPUT_ROOM = 32 << 20,
    EACH = 256, /* no file is free */
};

/* What the files of a path take where they are: on the disk, or unpacked from an archive. */
struct weighing {
    uint64_t size;
    uint64_t most; /* it is not counted beyond */
};

static ossa_step weigh_visit(void *user, const ossa_visit *visit)
{
    struct weighing *weighing = user;
    const ossa_entry *entry = visit->entry;
    struct os_file_id id = {0};
    uint64_t size = visit->size;
    if (visit->is_part) return OSSA_STEP_INTO;
    if (entry != NULL) size = entry->size > entry->stored_size ? entry->size : entry->stored_size;
    else if (identify(visit->path, &id)) size = id.size;
    weighing->size = ossa__size_plus(weighing->size, ossa__size_plus(size, EACH));
    return weighing->size > weighing->most ? OSSA_STEP_STOP : OSSA_STEP_OVER;
}

static uint64_t weigh(const struct cli *cli, const char *path, uint64_t most)
{
    struct weighing weighing = {.most = most};
    /* Only data in memory has no size on the disk. */
    bool is_stdin = path[0] == '-';
    const ossa_walk_options walk = {.detail = is_stdin ? OSSA_DETAIL_FORMATS : OSSA_DETAIL_NAMES,
                                    .visit = weigh_visit,
                                    .user = &weighing};
    (void)ossa_workspace_walk(cli->workspace, path, &walk, NULL); /* converting reports failures */
    return weighing.size;
}

/* All files that the inputs lead to; of a path into an archive, the archive. */
static uint64_t weigh_inputs(const struct cli *cli)
{
    uint64_t size = 0;
    struct os_file_id id;
    for (size_t i = 0; i < cli->input_count; i++) {
        const char *word = cli->inputs[i];
        bool is_inside = strchr(word, '#') != NULL && identify(word, &id);
        size = ossa__size_plus(size, is_inside ? id.size : weigh(cli, word, UINT64_MAX));
    }
    return size;
}

/* In the order of all figures, so that the same ones are left out on any number of cores. */
void limit_models(struct all *all)
{
    uint64_t input = weigh_inputs(all->cli);
    uint64_t many = ossa__size_times(input, TIMES);
    uint64_t left = ossa__size_plus(many, INPUT_ROOM);
    all->input = input;
    all->most_output = ossa__size_plus(many, OUTPUT_ROOM);
    for (size_t i = 0; i < all->count; i++) {
        struct model *model = &all->models[i];
        const ossa_figure *figure = model->figure;
        uint64_t size = 0;
        for (size_t k = 0; k < figure->path_count && size <= left; k++) {
            size = ossa__size_plus(size, weigh(all->cli, figure->paths[k], left));
        }
        model->is_too_much = size > left;
        left -= size > left ? left : size;
    }
}

void share_memory(struct all *all, unsigned jobs)
{
    enum { TIMES_INPUT = 4, LEAST = 4 << 20 };
    uint64_t each = ossa__size_times(all->input, TIMES_INPUT) / (jobs == 0 ? 1 : jobs);
    if (jobs < 2) all->share = 0;
    else all->share = each > LEAST ? each : LEAST;
}

bool is_too_much(struct all *all, const struct model *model)
{
    if (model->is_too_much) {
        complain("left out: the figures share so many bytes that together they far exceed the "
                 "input; convert this one by itself");
        return true;
    }
    if (atomic_load(&all->written) > all->most_output) {
        complain("left out: the outputs are already far larger than the input; convert this one "
                 "by itself");
        return true;
    }
    return false;
}
