/* SPDX-License-Identifier: MIT
 *
 * Shadow of the Colossus' models (NMO) and textures (NTO). What comes in is in the space of glTF.
 */
#ifndef OSSA_SAMPLES_SOTC_MODEL_H
#define OSSA_SAMPLES_SOTC_MODEL_H

#include "maths.h"

#include <stdint.h>

enum { SOTC_STRIP_LIMIT = 32, SOTC_WEIGHTS = 3 };

struct sotc_vertex {
    vec3 position; /* of the model, the skeleton at rest */
    vec3 normal;   /* of length 1 */
    double u, v;
    uint8_t colour[4];            /* 0x80 is 1 */
    int bones[SOTC_WEIGHTS];      /* as many as have a weight */
    double weights[SOTC_WEIGHTS]; /* with a sum of 1 */
};

/* A strip of triangles: the first is counter-clockwise from outside. */
struct sotc_strip {
    unsigned surface;
    unsigned count;
    struct sotc_vertex vertices[SOTC_STRIP_LIMIT];
};

struct sotc_model {
    const char *name;    /* of the model, with .nmo */
    const char *texture; /* of all surfaces */
    unsigned width, height;
    const char *surfaces[4];
    unsigned surface_count;
    struct sotc_strip *strips; /* in the order of surfaces */
    unsigned strip_count;
};

void save_nmo(const char *root, const char *file, const struct sotc_model *model);

/* A texture of 16 colours, 0xRRGGBB; `paint` gives the number of one. */
void save_nto(const char *root, const char *file, const char *name, unsigned log_width,
              unsigned log_height, const uint32_t palette[16],
              unsigned (*paint)(unsigned x, unsigned y));

#endif
