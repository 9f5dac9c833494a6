/* SPDX-License-Identifier: MIT
 *
 * The pedestrian's body: ped.mod. Everything is a tube of rings. A ring belongs to one bone and
 * moves with it; where two neighbours belong to different bones, the triangles between them lead
 * over the joint and stretch when it bends: elbows and knees, wrists and ankles, neck, waist and
 * toes. */
#include "emit.h"
#include "pedestrian.h"

#include <stdio.h>

enum { SIDES_OF_TUBE = 8, MOST_RINGS = 8, MOST_TUBES = 16 };

struct ring {
    int bone;
    vec3 centre;  /* from the bone, in the space of biped.h */
    double width; /* half of it, along X */
    double depth; /* half of it, along Y; of a tube that lies, along Z */
};

struct tube {
    int material;
    int lies; /* along Y, as a shoe does, from the heel to the tip; else it hangs down */
    int count;
    struct ring rings[MOST_RINGS];
};

struct body {
    int count;
    struct tube tubes[MOST_TUBES];
};

/* ---- shapes -------------------------------------------------------------------------------- */

static struct tube *add_tube(struct body *body, int material, int lies)
{
    if (body->count == MOST_TUBES) fail("too many tubes", "ped.mod");
    struct tube *tube = &body->tubes[body->count++];
    *tube = (struct tube){.material = material, .lies = lies};
    return tube;
}

static void add_ring(struct tube *tube, int bone, vec3 centre, double width, double depth)
{
    if (tube->count == MOST_RINGS) fail("too many rings", "ped.mod");
    tube->rings[tube->count++] = (struct ring){bone, centre, width, depth};
}

/* A round one on the way from a bone to the next, which is 1. */
static void add_on_way(struct tube *tube, int bone, double way, double width)
{
    add_ring(tube, bone, v_scale(ped_bones[bone + 1].offset, way), width, width);
}

/* The materials, and in this order their tubes. */
enum { SHIRT, TROUSERS, SKIN, LEATHER, FELT, MATERIALS };

static const struct {
    const char *name;
    double colour[3];
} materials[MATERIALS] = {{"shirt", {0.8, 0.3, 0.08}},
                          {"trousers", {0.04, 0.1, 0.33}},
                          {"skin", {0.78, 0.52, 0.36}},
                          {"leather", {0.1, 0.05, 0.03}},
                          {"felt", {0.05, 0.05, 0.06}}};

static void add_sleeve(struct body *body, int arm)
{
    struct tube *tube = add_tube(body, SHIRT, 0);
    add_on_way(tube, arm, -0.12, 0.03);
    add_on_way(tube, arm, 0.04, 0.056);
    add_on_way(tube, arm, 0.5, 0.05);
    add_on_way(tube, arm, 0.88, 0.044);
    add_on_way(tube, arm + 1, 0.14, 0.043);
    add_on_way(tube, arm + 1, 0.5, 0.04);
    add_on_way(tube, arm + 1, 0.94, 0.034);
}

static void add_hand(struct body *body, int forearm)
{
    struct tube *tube = add_tube(body, SKIN, 0);
    add_on_way(tube, forearm, 0.9, 0.025);
    add_ring(tube, forearm + 1, v3(0, 0, -0.02), 0.026, 0.032);
    add_ring(tube, forearm + 1, v3(0, 0, -0.09), 0.02, 0.04);
    add_ring(tube, forearm + 1, v3(0, -0.01, -0.17), 0.012, 0.02);
}

static void add_leg(struct body *body, int thigh)
{
    struct tube *tube = add_tube(body, TROUSERS, 0);
    add_on_way(tube, thigh, -0.03, 0.085);
    add_on_way(tube, thigh, 0.3, 0.083);
    add_on_way(tube, thigh, 0.9, 0.06);
    add_on_way(tube, thigh + 1, 0.11, 0.058);
    add_on_way(tube, thigh + 1, 0.4, 0.056);
    add_on_way(tube, thigh + 1, 0.95, 0.05);
}

static void add_ankle(struct body *body, int shin)
{
    struct tube *tube = add_tube(body, SKIN, 0);
    add_on_way(tube, shin, 0.92, 0.033);
    add_ring(tube, shin + 1, v3(0, 0, -0.02), 0.033, 0.036);
}

static void add_shoe(struct body *body, int foot)
{
    struct tube *tube = add_tube(body, LEATHER, 1);
    add_ring(tube, foot, v3(0, 0.06, -0.045), 0.028, 0.028);
    add_ring(tube, foot, v3(0, 0, -0.035), 0.04, 0.042);
    add_ring(tube, foot, v3(0, -0.13, -0.046), 0.046, 0.032);
    add_ring(tube, foot + 1, v3(0, -0.03, -0.002), 0.046, 0.026);
    add_ring(tube, foot + 1, v3(0, -0.085, -0.012), 0.026, 0.015);
}

static void make_body(struct body *body)
{
    struct tube *torso = add_tube(body, SHIRT, 0);
    add_ring(torso, SPINE, v3(0, 0, 0.47), 0.055, 0.055);
    add_ring(torso, SPINE, v3(0, 0, 0.43), 0.165, 0.08);
    add_ring(torso, SPINE, v3(0, 0, 0.28), 0.165, 0.105);
    add_ring(torso, SPINE, v3(0, 0, 0.06), 0.135, 0.09);
    add_ring(torso, ROOT, v3(0, 0.01, 0.05), 0.162, 0.108);
    add_sleeve(body, LARM);
    add_sleeve(body, RARM);
    struct tube *seat = add_tube(body, TROUSERS, 0);
    add_ring(seat, ROOT, v3(0, 0.01, 0.07), 0.148, 0.096);
    add_ring(seat, ROOT, v3(0, 0.01, -0.04), 0.172, 0.108);
    add_ring(seat, ROOT, v3(0, 0.01, -0.11), 0.12, 0.08);
    add_leg(body, LTHIGH);
    add_leg(body, RTHIGH);
    struct tube *head = add_tube(body, SKIN, 0);
    add_ring(head, HEAD, v3(0, -0.01, 0.23), 0.04, 0.05);
    add_ring(head, HEAD, v3(0, -0.01, 0.2), 0.074, 0.09);
    add_ring(head, HEAD, v3(0, -0.01, 0.12), 0.082, 0.1);
    add_ring(head, HEAD, v3(0, -0.02, 0.04), 0.066, 0.08);
    add_ring(head, HEAD, v3(0, 0.01, 0), 0.044, 0.046);
    add_ring(head, SPINE, v3(0, 0, 0.45), 0.05, 0.05);
    add_hand(body, LFOREARM);
    add_hand(body, RFOREARM);
    add_ankle(body, LSHIN);
    add_ankle(body, RSHIN);
    add_shoe(body, LFOOT);
    add_shoe(body, RFOOT);
    struct tube *hat = add_tube(body, FELT, 0);
    add_ring(hat, HAT_BONE, v3(0, -0.01, 0.1), 0.06, 0.075);
    add_ring(hat, HAT_BONE, v3(0, -0.01, 0.005), 0.088, 0.106);
    add_ring(hat, HAT_BONE, v3(0, -0.01, -0.005), 0.15, 0.17);
    add_ring(hat, HAT_BONE, v3(0, -0.01, -0.018), 0.15, 0.17);
}

/* ---- points -------------------------------------------------------------------------------- */

/* Points go round counter-clockwise, seen against the way that the tube takes. */
static vec3 way_out(const struct tube *tube, int point, double width, double depth)
{
    double x = width * cowave((double)point / SIDES_OF_TUBE);
    double other = depth * wave((double)point / SIDES_OF_TUBE);
    return tube->lies ? v3(x, 0, other) : v3(x, other, 0);
}

static vec3 place_of(const struct tube *tube, const struct ring *ring, int point)
{
    return v_add(ring->centre, way_out(tube, point, ring->width, ring->depth));
}

static vec3 normal_of(const struct tube *tube, const struct ring *ring, int point)
{
    return v_unit(way_out(tube, point, 1 / ring->width, 1 / ring->depth));
}

/* Of the first ring's cap, or the last's. */
static vec3 cap_normal(const struct tube *tube, int is_last)
{
    double sign = is_last ? -1 : 1;
    return tube->lies ? v3(0, sign, 0) : v3(0, 0, sign);
}

/* Each tube has a point for each point of its rings, and a normal for each of these and both caps.
 * In the file all points of a bone follow each other, and so do all normals. */
struct numbers {
    int points[MOST_TUBES][MOST_RINGS]; /* the first of a ring */
    int normals[MOST_TUBES][MOST_RINGS];
    int caps[MOST_TUBES][2];
    int points_of[BONES];
    int normals_of[BONES];
};

static void put_row(struct bytes *file, const char *word, vec3 v)
{
    char line[96];
    vec3 turned = ped_to_game(v);
    (void)snprintf(line, sizeof line, "%s\t%.6f %.6f %.6f\n", word, snap(turned.x), snap(turned.y),
                   snap(turned.z));
    put_text(file, line);
}

static void put_points(struct bytes *file, const struct body *body, struct numbers *numbers)
{
    int next = 0;
    for (int bone = 0; bone < BONES; bone++) {
        for (int t = 0; t < body->count; t++) {
            const struct tube *tube = &body->tubes[t];
            for (int r = 0; r < tube->count; r++) {
                if (tube->rings[r].bone != bone) continue;
                numbers->points[t][r] = next;
                for (int k = 0; k < SIDES_OF_TUBE; k++, next++) {
                    put_row(file, "v", place_of(tube, &tube->rings[r], k));
                }
                numbers->points_of[bone] += SIDES_OF_TUBE;
            }
        }
    }
}

static void put_normals(struct bytes *file, const struct body *body, struct numbers *numbers)
{
    int next = 0;
    for (int bone = 0; bone < BONES; bone++) {
        int before = next;
        for (int t = 0; t < body->count; t++) {
            const struct tube *tube = &body->tubes[t];
            for (int r = 0; r < tube->count; r++) {
                if (tube->rings[r].bone != bone) continue;
                numbers->normals[t][r] = next;
                for (int k = 0; k < SIDES_OF_TUBE; k++, next++) {
                    put_row(file, "n", normal_of(tube, &tube->rings[r], k));
                }
                for (int is_last = 0; is_last < 2; is_last++) {
                    if (r != (is_last ? tube->count - 1 : 0)) continue;
                    numbers->caps[t][is_last] = next++;
                    put_row(file, "n", cap_normal(tube, is_last));
                }
            }
        }
        numbers->normals_of[bone] = next - before;
    }
}

/* ---- the file ------------------------------------------------------------------------------ */

static int corners_of(const struct tube *tube)
{
    return (tube->count + 2) * SIDES_OF_TUBE;
}

static int triangles_of(const struct tube *tube)
{
    return 2 * (tube->count - 1) * SIDES_OF_TUBE + 2 * (SIDES_OF_TUBE - 2);
}

static void put_count(struct bytes *file, const char *word, int count)
{
    char line[48];
    (void)snprintf(line, sizeof line, "%s: %d\n", word, count);
    put_text(file, line);
}

static void put_head(struct bytes *file, const struct body *body)
{
    int rings = 0;
    int corners = 0;
    int triangles = 0;
    for (int t = 0; t < body->count; t++) {
        rings += body->tubes[t].count;
        corners += corners_of(&body->tubes[t]);
        triangles += triangles_of(&body->tubes[t]);
    }
    put_text(file, "version: 1.09\n");
    put_count(file, "verts", SIDES_OF_TUBE * rings);
    put_count(file, "normals", SIDES_OF_TUBE * rings + 2 * body->count);
    put_count(file, "colors", 0);
    put_count(file, "tex1s", 0);
    put_count(file, "tex2s", 0);
    put_count(file, "tangents", 0);
    put_count(file, "materials", MATERIALS);
    put_count(file, "adjuncts", corners);
    put_count(file, "primitives", triangles);
    put_count(file, "matrices", BONES);
    put_text(file, "\n");
}

static void put_material(struct bytes *file, const struct body *body, int material)
{
    char line[160];
    int packets = 0;
    int triangles = 0;
    for (int t = 0; t < body->count; t++) {
        if (body->tubes[t].material != material) continue;
        packets++;
        triangles += triangles_of(&body->tubes[t]);
    }
    const double *colour = materials[material].colour;
    (void)snprintf(line, sizeof line, "mtl %s {\n\tpackets:\t%d\n\tprimitives:\t%d\n",
                   materials[material].name, packets, triangles);
    put_text(file, line);
    (void)snprintf(line, sizeof line,
                   "\ttextures:\t0\n\tillum:\tdiffuse\n\tambient:\t%.2f %.2f %.2f\n"
                   "\tdiffuse:\t%.2f %.2f %.2f\n\tspecular:\t0.00 0.00 0.00\n}\n",
                   colour[0], colour[1], colour[2], colour[0], colour[1], colour[2]);
    put_text(file, line);
}

static void put_corner(struct bytes *file, int point, int normal, int slot)
{
    char line[64];
    (void)snprintf(line, sizeof line, "\tadj\t%d %d 0 0 0 %d\n", point, normal, slot);
    put_text(file, line);
}

static void put_triangle(struct bytes *file, int a, int b, int c)
{
    char line[64];
    (void)snprintf(line, sizeof line, "\ttri\t%d %d %d\n", a, b, c);
    put_text(file, line);
}

/* Two triangles between each two neighbours in two rings, and fans over both ends. A tube that lies
 * goes towards -Y, where X and Z turn the other way round than X and Y do going down. */
static void put_triangles(struct bytes *file, const struct tube *tube)
{
    enum { N = SIDES_OF_TUBE };
    for (int r = 0; r + 1 < tube->count; r++) {
        for (int k = 0; k < N; k++) {
            int a = r * N + k;
            int b = r * N + (k + 1) % N;
            if (tube->lies) {
                put_triangle(file, b, b + N, a);
                put_triangle(file, a, b + N, a + N);
            } else {
                put_triangle(file, a, b + N, b);
                put_triangle(file, a, a + N, b + N);
            }
        }
    }
    for (int is_last = 0; is_last < 2; is_last++) {
        int first = (tube->count + is_last) * N;
        for (int k = 1; k + 1 < N; k++) {
            int turns = is_last != tube->lies;
            put_triangle(file, first, first + k + turns, first + k + 1 - turns);
        }
    }
}

/* A tube is a packet: its slots are its bones, in the order in which the rings name them. */
static void put_tube(struct bytes *file, const struct body *body, const struct numbers *numbers,
                     int index)
{
    const struct tube *tube = &body->tubes[index];
    char text[64];
    int slots[MOST_RINGS] = {0};
    int slot_count = 0;
    int bones[MOST_RINGS];
    for (int r = 0; r < tube->count; r++) {
        if (r == 0 || tube->rings[r].bone != tube->rings[r - 1].bone) {
            bones[slot_count++] = tube->rings[r].bone;
        }
        slots[r] = slot_count - 1;
    }
    (void)snprintf(text, sizeof text, "packet %d %d %d {\n", corners_of(tube), triangles_of(tube),
                   slot_count);
    put_text(file, text);
    for (int r = 0; r < tube->count; r++) {
        for (int k = 0; k < SIDES_OF_TUBE; k++) {
            put_corner(file, numbers->points[index][r] + k, numbers->normals[index][r] + k,
                       slots[r]);
        }
    }
    for (int is_last = 0; is_last < 2; is_last++) {
        int r = is_last ? tube->count - 1 : 0;
        for (int k = 0; k < SIDES_OF_TUBE; k++) {
            put_corner(file, numbers->points[index][r] + k, numbers->caps[index][is_last],
                       slots[r]);
        }
    }
    put_triangles(file, tube);
    put_text(file, "\tmtx\t");
    for (int i = 0; i < slot_count; i++) {
        (void)snprintf(text, sizeof text, i == 0 ? "%d" : " %d", bones[i]);
        put_text(file, text);
    }
    put_text(file, "\n}\n");
}

static void put_shares(struct bytes *file, const char *word, const int *shares)
{
    char text[16];
    put_text(file, word);
    for (int bone = 0; bone < BONES; bone++) {
        (void)snprintf(text, sizeof text, bone == 0 ? "\t%d" : " %d", shares[bone]);
        put_text(file, text);
    }
    put_text(file, "\n");
}

void save_ped_model(const char *root)
{
    struct bytes file = {0};
    struct body body = {0};
    struct numbers numbers = {0};
    make_body(&body);
    put_head(&file, &body);
    put_points(&file, &body, &numbers);
    put_text(&file, "\n");
    put_normals(&file, &body, &numbers);
    put_text(&file, "\n");
    for (int material = 0; material < MATERIALS; material++) put_material(&file, &body, material);
    put_text(&file, "\n");
    for (int material = 0; material < MATERIALS; material++) {
        for (int t = 0; t < body.count; t++) {
            if (body.tubes[t].material == material) put_tube(&file, &body, &numbers, t);
        }
    }
    put_text(&file, "\n");
    put_shares(&file, "mtxv", numbers.points_of);
    put_shares(&file, "mtxn", numbers.normals_of);
    save(&file, root, "pedestrian/ped.mod");
}
