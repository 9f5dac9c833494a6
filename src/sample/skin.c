/* SPDX-License-Identifier: MIT
 *
 * The vertices of a mesh in a pose. */
#include "ossa/sample.h"

#include "base/matrix.h"
#include "base/narrow.h"

#include <math.h>
#include <string.h>

/* Points and normals from the space of one bone to that of the model. */
struct frame {
    const float *matrix;
    double cofactors[9]; /* for normals, with the sign of the determinant taken out */
};

static void set_frame(struct frame *frame, const float *matrix)
{
    frame->matrix = matrix;
    double determinant = ossa__matrix_cofactors(matrix, frame->cofactors);
    /* A bone that mirrors turns a mesh inside out; its normals still point outwards. */
    for (unsigned k = 0; k < 9 && determinant < 0.0; k++) {
        frame->cofactors[k] = 0.0 - frame->cofactors[k];
    }
}

static void move_point(const struct frame *frame, const float from[3], float to[3])
{
    const float *m = frame->matrix;
    const double p[3] = {(double)from[0], (double)from[1], (double)from[2]};
    for (unsigned r = 0; r < 3; r++) {
        double sum = (double)m[12 + r];
        for (unsigned c = 0; c < 3; c++) sum += (double)m[4 * c + r] * p[c];
        to[r] = ossa__narrow(sum);
    }
}

static void move_normal(const struct frame *frame, const float from[3], float to[3])
{
    double n[3] = {0.0, 0.0, 0.0};
    double largest = 0.0;
    for (unsigned r = 0; r < 3; r++) {
        for (unsigned c = 0; c < 3; c++) n[r] += frame->cofactors[3 * c + r] * (double)from[c];
        largest = fmax(largest, fabs(n[r]));
    }
    if (!(largest > 0.0) || !isfinite(largest)) { /* flat: it has no direction left */
        memset(to, 0, 3 * sizeof *to);
        return;
    }
    /* The squares of very small or large numbers would not be. */
    double x = n[0] / largest;
    double y = n[1] / largest;
    double z = n[2] / largest;
    double length = sqrt(x * x + y * y + z * z);
    to[0] = (float)(x / length);
    to[1] = (float)(y / length);
    to[2] = (float)(z / length);
}

void ossa_skin_mesh(const ossa_scene *scene, const ossa_mesh *mesh, const float (*matrices)[16],
                    const float *weights, float (*positions)[3], float (*normals)[3])
{
    struct frame frame = {.matrix = NULL};
    bool is_morphed = weights != NULL && mesh->target_count > 0;
    (void)scene; /* for what weighted vertices will need */
    if (is_morphed) ossa_morph_mesh(mesh, weights, positions);
    if (normals != NULL && mesh->normals == NULL) {
        memset(normals, 0, mesh->vertex_count * sizeof *normals);
        normals = NULL;
    }
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t bone = mesh->vertex_bones == NULL ? mesh->bone : mesh->vertex_bones[v];
        if (frame.matrix != matrices[bone]) set_frame(&frame, matrices[bone]);
        move_point(&frame, is_morphed ? positions[v] : mesh->positions[v], positions[v]);
        if (normals != NULL) move_normal(&frame, mesh->normals[v], normals[v]);
    }
}
