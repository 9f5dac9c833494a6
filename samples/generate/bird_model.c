/* SPDX-License-Identifier: MIT
 *
 * The bird's body: a trunk of rings from the tail to the beak, and wings of two sides each. It is
 * made with the wings spread, and then folded like the skeleton at rest. */
#include "bird.h"
#include "sotc_model.h"

enum { CORNERS = 6, RINGS = 8, STATIONS = 9, WIDTH = 64, HEIGHT = 32, STRIPS = RINGS + 4 };

/* A point that moves with up to three bones. */
struct anchor {
    int bones[SOTC_WEIGHTS];
    double weights[SOTC_WEIGHTS];
};

/* The point at rest that the weights bring to `point` when the wings are spread: they do so by a
 * matrix, of which these are the columns, and an offset. */
static vec3 find_rest(const struct bird_place *places, vec3 point, const struct anchor *anchor)
{
    const vec3 axes[3] = {v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)};
    vec3 columns[3] = {v3(0, 0, 0), v3(0, 0, 0), v3(0, 0, 0)};
    for (int k = 0; k < SOTC_WEIGHTS; k++) {
        const struct bird_place *place = &places[anchor->bones[k]];
        double weight = anchor->weights[k];
        quat back = q_conjugate(place->turn);
        vec3 offset = v_sub(place->spread, q_rotate(back, place->rest));
        for (int c = 0; c < 3; c++) {
            columns[c] = v_add(columns[c], v_scale(q_rotate(back, axes[c]), weight));
        }
        point = v_sub(point, v_scale(offset, weight));
    }
    double all = v_dot(columns[0], v_cross(columns[1], columns[2]));
    return v3(v_dot(point, v_cross(columns[1], columns[2])) / all,
              v_dot(columns[0], v_cross(point, columns[2])) / all,
              v_dot(columns[0], v_cross(columns[1], point)) / all);
}

/* The point and the normal at rest. */
static void fold(const struct bird_place *places, vec3 point, vec3 normal,
                 const struct anchor *anchor, struct sotc_vertex *vertex)
{
    vec3 direction = v3(0, 0, 0);
    for (int k = 0; k < SOTC_WEIGHTS; k++) {
        quat turn = places[anchor->bones[k]].turn;
        direction = v_add(direction, v_scale(q_rotate(turn, normal), anchor->weights[k]));
        vertex->bones[k] = anchor->bones[k];
        vertex->weights[k] = anchor->weights[k];
    }
    vertex->position = find_rest(places, point, anchor);
    vertex->normal = v_unit(direction);
}

static void tint(struct sotc_vertex *vertex, double light)
{
    for (int k = 0; k < 3; k++) vertex->colour[k] = (uint8_t)nearest(128 * light);
    vertex->colour[3] = 0x80;
}

/* ---- trunk --------------------------------------------------------------------------------- */

struct ring {
    int bone; /* around whose joint it is */
    double ahead, wide, high;
    struct anchor anchor;
};

static const struct ring rings[RINGS + 1] = {
    {TAIL_TIP, -0.12, 0.17, 0.008, {{TAIL_TIP, 0, 0}, {1, 0, 0}}},
    {TAIL_TIP, 0, 0.12, 0.016, {{TAIL, TAIL_TIP, 0}, {0.5, 0.5, 0}}},
    {TAIL, 0, 0.06, 0.05, {{ROOT, TAIL, 0}, {0.5, 0.5, 0}}},
    {ROOT, 0, 0.1, 0.1, {{ROOT, TAIL, BODY}, {0.6, 0.2, 0.2}}},
    {BODY, -0.1, 0.14, 0.13, {{ROOT, BODY, 0}, {0.5, 0.5, 0}}},
    {BODY, 0.08, 0.12, 0.12, {{BODY, 0, 0}, {1, 0, 0}}},
    {NECK, 0, 0.07, 0.08, {{BODY, NECK, 0}, {0.5, 0.5, 0}}},
    {HEAD, 0, 0.07, 0.07, {{NECK, HEAD, 0}, {0.4, 0.6, 0}}},
    {BEAK, 0.1, 0.008, 0.008, {{BEAK, 0, 0}, {1, 0, 0}}},
};

static void make_trunk(const struct bird_place *places, struct sotc_strip *strips)
{
    for (int r = 0; r < RINGS; r++) {
        struct sotc_strip *strip = &strips[r];
        strip->surface = 0;
        for (unsigned i = 0; i < 2 * (CORNERS + 1); i++) {
            const struct ring *ring = &rings[i % 2 == 0 ? r + 1 : r];
            unsigned corner = i / 2;
            double around = (double)corner / CORNERS;
            struct sotc_vertex *vertex = &strip->vertices[strip->count++];
            vec3 side = v3(cowave(around), wave(around), 0);
            vec3 middle = v_add(places[ring->bone].spread, v3(0, 0, ring->ahead));
            vec3 point = v_add(middle, v3(ring->wide * side.x, ring->high * side.y, 0));
            vec3 normal = v3(side.x / ring->wide, side.y / ring->high, 0);
            fold(places, point, v_unit(normal), &ring->anchor, vertex);
            vertex->u = 0.02 + 0.46 * around;
            vertex->v = 0.95 - 0.9 * (double)(ring - rings) / RINGS;
            tint(vertex, 0.9 - 0.15 * side.y);
        }
    }
}

/* ---- wings --------------------------------------------------------------------------------- */

/* A station: at a joint or halfway to the next, between an edge ahead and one behind. */
static void make_wing(const struct bird_place *places, int right, int below,
                      struct sotc_strip *strip)
{
    static const double behind[STATIONS] = {0.2, 0.24, 0.26, 0.26, 0.25, 0.24, 0.22, 0.16, 0.03};
    int first = right ? RWING1 : LWING1;
    strip->surface = 1;
    for (unsigned i = 0; i < 2 * STATIONS; i++) {
        unsigned station = i / 2;
        int bone = first + (int)(station / 2 < 4 ? station / 2 : 3);
        int is_joint = station % 2 == 0 && station < 8;
        int before = bone == first ? BODY : bone - 1;
        vec3 joint = places[bone].spread;
        vec3 beyond = v3(right ? -0.3 : 0.3, 0, -0.18);
        vec3 next = bone == first + 3 ? v_add(joint, beyond) : places[bone + 1].spread;
        double along = is_joint ? 0 : station < 8 ? 0.5 : 1;
        struct anchor anchor = {{bone, before, 0}, {is_joint ? 0.5 : 1, is_joint ? 0.5 : 0, 0}};
        /* the order of edges is that of a right wing seen from below, and of a left one from above
         */
        int is_ahead = (i % 2 == 0) != (right != below);
        vec3 point = v_add(v_mix(joint, next, along),
                           v3(0, below ? -0.014 : 0.014, is_ahead ? 0.05 : -behind[station]));
        struct sotc_vertex *vertex = &strip->vertices[strip->count++];
        fold(places, point, v3(0, below ? -1 : 1, 0), &anchor, vertex);
        vertex->u = 0.52 + 0.46 * (double)station / (STATIONS - 1);
        vertex->v = is_ahead ? 0.05 : 0.95;
        tint(vertex, below ? 0.7 : 1);
    }
}

/* ---- texture ------------------------------------------------------------------------------- */

static const uint32_t palette[16] = {0x3a3128, 0x4b3f33, 0x5e4f3f, 0x73614d, 0x8a755d, 0xa38c70,
                                     0xbda587, 0xd6c3a6, 0xeadfc8, 0xf4eedd, 0x2c2a33, 0x46434f,
                                     0xd89a2b, 0xb8781c, 0x101014, 0xffffff};

/* The left half is the trunk, from the beak down to the tail; the right half a wing, from the
 * shoulder to the tip. */
static unsigned paint(unsigned x, unsigned y)
{
    enum { EYE = 14, WHITE = 15, HORN = 12, DARK = 10 };
    if (x >= WIDTH / 2) {
        unsigned feather = (x + y / 4) % 4;
        if (y > 26) return DARK + (feather == 0);
        return 2 + (y / 5) % 4 + (feather == 0 ? 0 : 1);
    }
    int is_eye = y >= 5 && y <= 6;
    if (y < 4) return HORN + (x % 8 == 0);
    if (is_eye && (x == 4 || x == 11)) return EYE;
    if (is_eye && (x == 5 || x == 12)) return WHITE;
    if (y > 27) return DARK + (x % 4 == 0);
    unsigned light = x < WIDTH / 4 ? 3 : 7; /* the back, and the belly */
    return light + (x + y / 2) % 3 / 2 + (y % 4 == 0 ? 0 : 1);
}

void save_bird_body(const char *root, const struct bird_place places[BONES])
{
    static struct sotc_strip strips[STRIPS];
    make_trunk(places, strips);
    for (int i = 0; i < 4; i++) make_wing(places, i / 2, i % 2, &strips[RINGS + i]);
    const struct sotc_model model = {.name = "bird.nmo",
                                     .texture = "bird",
                                     .width = WIDTH,
                                     .height = HEIGHT,
                                     .surfaces = {"trunk", "wings"},
                                     .surface_count = 2,
                                     .strips = strips,
                                     .strip_count = STRIPS};
    save_nmo(root, "bird/bird.nmo", &model);
    save_nto(root, "bird/bird.nto", "bird", 6, 5, palette, paint);
}
