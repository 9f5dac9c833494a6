/* SPDX-License-Identifier: MIT
 *
 * The shape of the wyvern: wyvern/fig/PART.fig and its texture. */
#include "wyvern.h"

#include <stdio.h>

static const struct patch scales = {0.03, 0.03, 0.47, 0.47};
static const struct patch face = {0.53, 0.03, 0.97, 0.47};
static const struct patch skin = {0.03, 0.53, 0.97, 0.97};
static const vec3 sideways = {1, 0, 0};
static const vec3 upwards = {0, 0, 1};

void wyvern_growth(vec3 growth[EI_CORNERS])
{
    for (unsigned corner = 0; corner < EI_CORNERS; corner++) {
        double size = (corner >> 2 & 1) ? 1.25 : 1.0;
        double wide = ((corner & 1) ? 1.15 : 1.0) * ((corner >> 1 & 1) ? 1.08 : 1.0);
        double deep = (corner & 1) ? 1.1 : 1.0;
        growth[corner] = v3(size * wide, size * deep, size);
    }
}

static void add_bar(struct mesh *mesh, struct end from, struct end to, const struct patch *patch)
{
    mesh_prism(mesh, from, to, sideways, upwards, patch);
}

/* ---- body, neck, head, tail ---------------------------------------------------------------- */

static void shape_body(struct mesh *mesh)
{
    add_bar(mesh, (struct end){{0, -0.38, 0.03}, 0.13, 0.13},
            (struct end){{0, -0.1, 0.02}, 0.21, 0.2}, &scales);
    add_bar(mesh, (struct end){{0, -0.1, 0.02}, 0.21, 0.2}, (struct end){{0, 0.34, 0}, 0.12, 0.11},
            &scales);
    for (int side = -1; side <= 1; side += 2) {
        add_bar(mesh, (struct end){{side * 0.13, 0.1, -0.1}, 0.07, 0.1},
                (struct end){{side * 0.19, 0.3, -0.38}, 0.035, 0.05}, &scales);
        add_bar(mesh, (struct end){{side * 0.19, 0.3, -0.4}, 0.035, 0.04},
                (struct end){{side * 0.2, 0.1, -0.44}, 0.08, 0.02}, &face);
    }
}

static void shape_neck(struct mesh *mesh)
{
    add_bar(mesh, (struct end){{0, 0.06, -0.03}, 0.12, 0.12},
            (struct end){{0, -0.42, 0.22}, 0.07, 0.08}, &scales);
}

static void shape_head(struct mesh *mesh)
{
    add_bar(mesh, (struct end){{0, 0.1, 0.01}, 0.1, 0.09}, (struct end){{0, -0.18, 0}, 0.1, 0.08},
            &face);
    add_bar(mesh, (struct end){{0, -0.18, -0.02}, 0.08, 0.055},
            (struct end){{0, -0.46, -0.06}, 0.04, 0.03}, &face);
    for (int side = -1; side <= 1; side += 2) {
        add_bar(mesh, (struct end){{side * 0.07, 0.05, 0.07}, 0.028, 0.028},
                (struct end){{side * 0.13, 0.34, 0.2}, 0.005, 0.005}, &face);
    }
}

static void shape_tail(struct mesh *mesh)
{
    add_bar(mesh, (struct end){{0, -0.05, 0}, 0.11, 0.1},
            (struct end){{0, 0.55, -0.03}, 0.06, 0.055}, &scales);
}

static void shape_tail_end(struct mesh *mesh)
{
    add_bar(mesh, (struct end){{0, -0.03, 0}, 0.058, 0.052}, (struct end){{0, 0.56, 0}, 0.02, 0.02},
            &scales);
    add_bar(mesh, (struct end){{0, 0.5, 0}, 0.015, 0.012}, (struct end){{0, 0.66, 0}, 0.15, 0.012},
            &face);
    add_bar(mesh, (struct end){{0, 0.66, 0}, 0.15, 0.012}, (struct end){{0, 0.9, 0}, 0.004, 0.004},
            &face);
}

/* ---- wings --------------------------------------------------------------------------------- */

struct wing {
    double span;
    double front[2]; /* y of the bone, from the root to the tip */
    double back[2];  /* y of the trailing edge */
};

static const struct wing inner = {0.85, {0, -0.12}, {0.62, 0.5}};
static const struct wing outer = {1.05, {0, 0.3}, {0.62, 0.36}};

int wyvern_is_wing(enum wyvern_part part)
{
    return part >= W_LW1;
}

static int is_inner(enum wyvern_part part)
{
    return part == W_LW1 || part == W_RW1;
}

static double side_of(enum wyvern_part part)
{
    return part < W_RW1 ? 1 : -1;
}

/* A point of the membrane; the trailing edge is drawn in between the bones. */
static vec3 membrane_at(enum wyvern_part part, int column, int row)
{
    const struct wing *wing = is_inner(part) ? &inner : &outer;
    double along = (double)column / (W_COLUMNS - 1);
    double front = mix(wing->front[0], wing->front[1], along);
    double back = mix(wing->back[0], wing->back[1], along) - 0.12 * wave(along / 2);
    return v3(side_of(part) * wing->span * along, mix(front, back, (double)row / (W_ROWS - 1)), 0);
}

void wyvern_billow(enum wyvern_part part, int level, vec3 morphs[W_MORPHS])
{
    for (int i = 0; i < W_MORPHS; i++) {
        int column = i % W_COLUMNS;
        int row = i / W_COLUMNS + 1;
        double along = (double)column / (W_COLUMNS - 1);
        double back = (double)row / (W_ROWS - 1);
        /* the inner part is held at both ends, the outer one at its root */
        double loose = wave(along / 2) + (is_inner(part) ? 0 : 0.5 * along);
        double fill = level * loose * back;
        morphs[i] = v3(0, -0.02 * (fill < 0 ? -fill : fill), 0.085 * fill * back);
    }
}

/* Both sides of the membrane, hardly apart: one morph moves a vertex of each. */
static void add_membrane(struct mesh *mesh, enum wyvern_part part)
{
    for (int face_up = 1; face_up >= -1; face_up -= 2) {
        unsigned normal = mesh_normal(mesh, v3(0, 0, face_up));
        unsigned grid[W_ROWS][W_COLUMNS];
        for (int row = 0; row < W_ROWS; row++) {
            for (int column = 0; column < W_COLUMNS; column++) {
                vec3 place = membrane_at(part, column, row);
                place.z = 0.004 * face_up;
                unsigned vertex = mesh_vertex(mesh, place);
                if (row > 0) mesh_morph(mesh, (unsigned)((row - 1) * W_COLUMNS + column), vertex);
                double u = mix(skin.u0, skin.u1, (double)column / (W_COLUMNS - 1));
                double v = mix(skin.v1, skin.v0, (double)row / (W_ROWS - 1));
                grid[row][column] = mesh_corner(mesh, vertex, normal, mesh_texcoord(mesh, u, v));
            }
        }
        int turned = side_of(part) * face_up < 0;
        for (int i = 0; i < (W_ROWS - 1) * (W_COLUMNS - 1); i++) {
            int row = i / (W_COLUMNS - 1);
            int column = i % (W_COLUMNS - 1);
            unsigned a = grid[row][column];
            unsigned b = grid[row][column + 1];
            unsigned c = grid[row + 1][column + 1];
            unsigned d = grid[row + 1][column];
            mesh_triangle(mesh, a, turned ? c : b, turned ? b : c);
            mesh_triangle(mesh, a, turned ? d : c, turned ? c : d);
        }
    }
}

static void shape_wing(struct mesh *mesh, enum wyvern_part part)
{
    const struct wing *wing = is_inner(part) ? &inner : &outer;
    double thick = is_inner(part) ? 0.05 : 0.035;
    vec3 tip = v3(side_of(part) * wing->span, wing->front[1], 0);
    mesh_prism(mesh, (struct end){{0, 0, 0}, thick, thick},
               (struct end){tip, 0.6 * thick, 0.6 * thick}, v3(0, 1, 0), upwards, &scales);
    add_membrane(mesh, part);
}

/* ---- files --------------------------------------------------------------------------------- */

/* Below: scales on the left, the face and the claws on the right. Above: the skin of the wings,
 * with veins. */
static uint32_t paint_wyvern(unsigned x, unsigned y)
{
    if (y >= 32) return ei_shade(0xd04a28, x % 16 == 0 || y % 16 == 15 ? 62 : 100 - x % 8);
    if (x >= 32) return ei_shade(0xe8c850, 88 + (x / 4 + y / 4) % 2 * 12);
    return ei_shade(0x3c9650, (x / 4 + y / 4) % 2 == 0 ? 78 : 100);
}

static void shape_part(struct mesh *mesh, enum wyvern_part part)
{
    switch (part) {
    case W_HP: shape_body(mesh); break;
    case W_NK: shape_neck(mesh); break;
    case W_HD: shape_head(mesh); break;
    case W_TL1: shape_tail(mesh); break;
    case W_TL2: shape_tail_end(mesh); break;
    default: shape_wing(mesh, part); break;
    }
}

void save_wyvern_model(const char *root)
{
    vec3 growth[EI_CORNERS];
    wyvern_growth(growth);
    for (int i = 0; i < W_PARTS; i++) {
        struct mesh mesh = {0};
        struct bytes file = {0};
        char name[64];
        shape_part(&mesh, (enum wyvern_part)i);
        ei_put_mesh(&file, &mesh, growth);
        (void)snprintf(name, sizeof name, "wyvern/fig/%s.fig", wyvern_names[i]);
        save(&file, root, name);
    }
    struct bytes texture = {0};
    ei_put_texture_5650(&texture, 64, 3, paint_wyvern);
    save(&texture, root, "wyvern/wyvern00.mmp");
}
