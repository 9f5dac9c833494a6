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

/* ---- weighted vertices --------------------------------------------------------------------- */

/* What a bone does to vertices that are in model space at rest, for the bones asked for last:
 * neighbouring vertices move with the same few. */
enum { MOST_KEPT = 128 };

struct kept_moves {
    const ossa_scene *scene;
    const float (*matrices)[16];
    const float (*inverse_binds)[16]; /* NULL: not known */
    uint32_t owners[MOST_KEPT];       /* bone + 1; 0: none */
    double moves[MOST_KEPT][12];
};

/* a * b, both without perspective and without their last row */
static void multiply(const float a[16], const double b[12], double out[12])
{
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned r = 0; r < 3; r++) {
            double sum = c == 3 ? (double)a[12 + r] : 0.0;
            for (unsigned k = 0; k < 3; k++) sum += (double)a[4 * k + r] * b[3 * c + k];
            out[3 * c + r] = sum;
        }
    }
}

static void widen(const float from[16], double to[12])
{
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned r = 0; r < 3; r++) to[3 * c + r] = (double)from[4 * c + r];
    }
}

static void narrow(const double from[12], float to[16])
{
    for (unsigned c = 0; c < 4; c++) {
        for (unsigned r = 0; r < 3; r++) to[4 * c + r] = ossa__narrow(from[3 * c + r]);
        to[4 * c + 3] = c == 3 ? 1.0F : 0.0F;
    }
}

/* What takes a vertex from model space to that of a bone at rest. */
static void find_inverse_bind(const ossa_scene *scene, uint32_t bone, double inverse[12])
{
    static const double identity[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    float matrix[16];
    double rest[12];
    memcpy(rest, identity, sizeof rest);
    for (int64_t b = bone; b >= 0; b = scene->bones[b].parent) {
        double above[12];
        ossa__matrix_of(&scene->bones[b].rest, matrix);
        multiply(matrix, rest, above);
        memcpy(rest, above, sizeof rest);
    }
    narrow(rest, matrix);
    if (ossa__matrix_invert(matrix, matrix)) widen(matrix, inverse);
    else memcpy(inverse, identity, sizeof identity);
}

static const double *move_of(struct kept_moves *kept, uint32_t bone)
{
    uint32_t slot = bone % MOST_KEPT;
    if (kept->owners[slot] != bone + 1) {
        double inverse[12];
        if (kept->inverse_binds != NULL) widen(kept->inverse_binds[bone], inverse);
        else find_inverse_bind(kept->scene, bone, inverse);
        multiply(kept->matrices[bone], inverse, kept->moves[slot]);
        kept->owners[slot] = bone + 1;
    }
    return kept->moves[slot];
}

/* The weighted mean of what the bones of a vertex do. */
static void blend_moves(struct kept_moves *kept, const uint32_t joints[4], const float weights[4],
                        float matrix[16])
{
    double sums[12] = {0.0};
    double total = 0.0;
    for (unsigned j = 0; j < 4; j++) total += (double)weights[j];
    for (unsigned j = 0; j < 4; j++) {
        if (weights[j] == 0.0F) continue;
        const double *move = move_of(kept, joints[j]);
        double weight = (double)weights[j] / total;
        for (unsigned k = 0; k < 12; k++) sums[k] += weight * move[k];
    }
    narrow(sums, matrix);
}

static void skin_weighted(struct kept_moves *kept, const ossa_mesh *mesh, float (*positions)[3],
                          float (*normals)[3])
{
    memset(kept->owners, 0, sizeof kept->owners);
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        float matrix[16];
        struct frame frame = {.matrix = matrix};
        blend_moves(kept, mesh->joints[v], mesh->weights[v], matrix);
        move_point(&frame, mesh->positions[v], positions[v]);
        if (normals == NULL) continue;
        set_frame(&frame, matrix);
        move_normal(&frame, mesh->normals[v], normals[v]);
    }
}

/* -------------------------------------------------------------------------------------------- */

void ossa_skin_mesh_bound(const ossa_scene *scene, const ossa_mesh *mesh,
                          const float (*matrices)[16], const float (*inverse_binds)[16],
                          const float *weights, float (*positions)[3], float (*normals)[3])
{
    struct frame frame = {.matrix = NULL};
    bool is_morphed = weights != NULL && mesh->target_count > 0;
    if (is_morphed) ossa_morph_mesh(mesh, weights, positions);
    if (normals != NULL && mesh->normals == NULL) {
        memset(normals, 0, mesh->vertex_count * sizeof *normals);
        normals = NULL;
    }
    if (mesh->joints != NULL) {
        struct kept_moves kept;
        kept.scene = scene;
        kept.matrices = matrices;
        kept.inverse_binds = inverse_binds;
        skin_weighted(&kept, mesh, positions, normals);
        return;
    }
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t bone = mesh->vertex_bones == NULL ? mesh->bone : mesh->vertex_bones[v];
        if (frame.matrix != matrices[bone]) set_frame(&frame, matrices[bone]);
        move_point(&frame, is_morphed ? positions[v] : mesh->positions[v], positions[v]);
        if (normals != NULL) move_normal(&frame, mesh->normals[v], normals[v]);
    }
}

void ossa_skin_mesh(const ossa_scene *scene, const ossa_mesh *mesh, const float (*matrices)[16],
                    const float *weights, float (*positions)[3], float (*normals)[3])
{
    ossa_skin_mesh_bound(scene, mesh, matrices, NULL, weights, positions, normals);
}
