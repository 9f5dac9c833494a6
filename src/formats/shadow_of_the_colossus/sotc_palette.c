/* SPDX-License-Identifier: MIT
 *
 * Median cut: a box of all colours is split where half of the pixels are on each side, across its
 * longest axis, and so on with the box that has most to gain. A box becomes its mean. */
#include "formats/shadow_of_the_colossus/sotc_palette.h"

#include "base/bytes.h"
#include "codec/sort.h"

#include <string.h>

uint8_t ossa__palette_nearest(struct ossa__palette *palette, const uint8_t colour[4])
{
    uint32_t slot = ossa__load_u32(colour) * 0x9e3779b1U >> 22;
    if (palette->cache[slot].is_set && memcmp(palette->cache[slot].colour, colour, 4) == 0) {
        return palette->cache[slot].index;
    }
    unsigned best = 0;
    int least = INT32_MAX;
    for (unsigned i = 0; i < palette->count && least > 0; i++) {
        int sum = 0;
        for (unsigned c = 0; c < 4; c++) {
            int step = (int)palette->colours[i][c] - (int)colour[c];
            sum += step * step;
        }
        if (sum >= least) continue;
        least = sum;
        best = i;
    }
    palette->cache[slot].is_set = true;
    palette->cache[slot].index = (uint8_t)best;
    memcpy(palette->cache[slot].colour, colour, 4);
    return (uint8_t)best;
}

/* ---- median cut ---------------------------------------------------------------------------- */

struct colour {
    uint8_t channels[4];
    uint32_t pixels;
};

struct box {
    struct colour *colours;
    uint32_t count;
    uint64_t pixels;
    unsigned axis; /* the longest */
    unsigned range;
};

static bool colour_before(const void *a, const void *b, void *user)
{
    (void)user;
    return memcmp(a, b, 4) < 0;
}

static bool channel_before(const void *a, const void *b, void *user)
{
    const unsigned *axis = user;
    const struct colour *x = a;
    const struct colour *y = b;
    return x->channels[*axis] < y->channels[*axis];
}

static struct box measure(struct colour *colours, uint32_t count)
{
    struct box box = {.colours = colours, .count = count};
    uint8_t least[4] = {255, 255, 255, 255};
    uint8_t most[4] = {0};
    for (uint32_t i = 0; i < count; i++) {
        box.pixels += colours[i].pixels;
        for (unsigned c = 0; c < 4; c++) {
            uint8_t value = colours[i].channels[c];
            if (value < least[c]) least[c] = value;
            if (value > most[c]) most[c] = value;
        }
    }
    for (unsigned c = 0; c < 4; c++) {
        unsigned range = (unsigned)most[c] - least[c];
        if (range <= box.range) continue;
        box.range = range;
        box.axis = c;
    }
    return box;
}

/* Split a box of at least two colours; gives the other half. */
static struct box split(struct ossa__context *context, struct box *box)
{
    uint64_t pixels = 0;
    uint32_t middle = 0;
    if (!ossa__sort(context, box->colours, box->count, sizeof *box->colours, channel_before,
                    &box->axis)) {
        return (struct box){0};
    }
    do pixels += box->colours[middle++].pixels;
    while (pixels * 2 < box->pixels && middle < box->count - 1);
    struct box other = measure(box->colours + middle, box->count - middle);
    *box = measure(box->colours, middle);
    return other;
}

static void mean_of(const struct box *box, uint8_t colour[4])
{
    for (unsigned c = 0; c < 4; c++) {
        uint64_t sum = box->pixels / 2;
        for (uint32_t i = 0; i < box->count; i++) {
            sum += (uint64_t)box->colours[i].channels[c] * box->colours[i].pixels;
        }
        colour[c] = (uint8_t)(sum / box->pixels);
    }
}

/* The colours of the pixels, each once, in scratch memory. */
static struct colour *list_colours(struct ossa__context *context, const uint8_t (*pixels)[4],
                                   uint64_t count, uint32_t *found)
{
    uint8_t(*sorted)[4] = ossa__take_scratch(context, count, sizeof *sorted);
    struct colour *colours = ossa__take_scratch(context, count, sizeof *colours);
    if (context->failed) return NULL;
    memcpy(sorted, pixels, (size_t)count * 4);
    if (!ossa__sort(context, sorted, (size_t)count, 4, colour_before, NULL)) return NULL;
    uint32_t used = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (i == 0 || memcmp(sorted[i], sorted[i - 1], 4) != 0) {
            colours[used].pixels = 0;
            memcpy(colours[used++].channels, sorted[i], 4);
        }
        colours[used - 1].pixels++;
    }
    *found = used;
    return colours;
}

uint32_t ossa__palette_of(struct ossa__context *context, const uint8_t (*pixels)[4], uint64_t count,
                          uint32_t most, uint8_t colours[256][4])
{
    struct box boxes[256];
    uint32_t found;
    uint32_t used = 1;
    struct colour *list = list_colours(context, pixels, count, &found);
    if (list == NULL || found == 0) return 0;
    boxes[0] = measure(list, found);
    while (used < most && !context->failed) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < used; i++) {
            if (boxes[i].pixels * boxes[i].range > boxes[best].pixels * boxes[best].range) best = i;
        }
        if (boxes[best].range == 0) break;
        boxes[used] = split(context, &boxes[best]);
        used++;
    }
    if (context->failed) return 0;
    for (uint32_t i = 0; i < used; i++) mean_of(&boxes[i], colours[i]);
    return used;
}
