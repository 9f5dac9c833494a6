/* SPDX-License-Identifier: MIT
 *
 * The troll's body, a box or two for each part, with a texture and a data base. They are in the
 * archives only: the folder has what a troll without a body needs. */
#include "ei_mesh.h"
#include "troll.h"

#include <stdio.h>

static const struct patch cloth = {0.03, 0.03, 0.47, 0.47};
static const struct patch hide = {0.03, 0.53, 0.97, 0.97};
static const struct patch teeth = {0.53, 0.03, 0.97, 0.47};
static const vec3 sideways = {1, 0, 0};
static const vec3 forwards = {0, 1, 0};

/* Of a limb from its joint to the next, or of a stub where there is none. */
static void add_limb(struct mesh *mesh, vec3 to, double thick, double thin,
                     const struct patch *patch)
{
    mesh_prism(mesh, (struct end){{0, 0, 0.04}, thick, thick}, (struct end){to, thin, thin},
               sideways, forwards, patch);
}

static void shape_part(struct mesh *mesh, enum part part)
{
    switch (part) {
    case HP:
        mesh_prism(mesh, (struct end){{0, 0, -0.14}, 0.28, 0.17},
                   (struct end){{0, 0.01, 0.18}, 0.24, 0.16}, sideways, forwards, &cloth);
        break;
    case BD:
        mesh_prism(mesh, (struct end){{0, 0, -0.04}, 0.23, 0.16},
                   (struct end){{0, -0.02, 0.6}, 0.42, 0.23}, sideways, forwards, &hide);
        break;
    case HD:
        mesh_prism(mesh, (struct end){{0, -0.06, -0.06}, 0.14, 0.17},
                   (struct end){{0, -0.02, 0.26}, 0.12, 0.13}, sideways, forwards, &hide);
        mesh_prism(mesh, (struct end){{0, -0.25, -0.02}, 0.09, 0.02},
                   (struct end){{0, -0.25, 0.05}, 0.1, 0.02}, sideways, forwards, &teeth);
        break;
    case LH1:
    case RH1: add_limb(mesh, troll_places[part + 1], 0.12, 0.09, &hide); break;
    case LH2:
    case RH2: add_limb(mesh, troll_places[part + 1], 0.1, 0.07, &hide); break;
    case LH3:
    case RH3: add_limb(mesh, v3(0, -0.02, -0.18), 0.09, 0.11, &hide); break;
    case LL1:
    case RL1: add_limb(mesh, troll_places[part + 1], 0.14, 0.1, &cloth); break;
    case LL2:
    case RL2: add_limb(mesh, troll_places[part + 1], 0.1, 0.07, &hide); break;
    default:
        mesh_prism(mesh, (struct end){{0, 0.08, -0.03}, 0.07, 0.07},
                   (struct end){{0, -TROLL_FOOT, -0.06}, 0.11, 0.04}, sideways, v3(0, 0, 1), &hide);
        break;
    }
}

static uint32_t paint_troll(unsigned x, unsigned y)
{
    if (y >= 16) return ei_shade(0x8a9a6c, 80 + (x * 5 + y * 3) % 7 * 3);
    if (x >= 16) return ei_shade(0xf0ead0, x % 4 == 0 ? 60 : 100);
    return ei_shade(0x7a4e2c, y % 4 == 0 ? 75 : 95);
}

void keep_troll_model(void)
{
    static const double heights[3] = {2.0, 2.3, 2.6};
    static const struct ei_record records[] = {
        {"walk", EI_ACTION_WALK, 24, 0.7, {1, 13, 0, 0}},
        {"idle", EI_ACTION_IDLE, 60, 0, {0, 0, 0, 0}},
        {"dance", EI_ACTION_IDLE, 48, 0, {0, 0, 0, 0}},
    };
    for (int i = 0; i < PARTS; i++) {
        struct mesh mesh = {0};
        struct bytes file = {0};
        vec3 growth[EI_CORNERS];
        char name[64];
        for (unsigned corner = 0; corner < EI_CORNERS; corner++)
            growth[corner] = troll_growth((enum part)i, corner);
        shape_part(&mesh, (enum part)i);
        ei_put_mesh(&file, &mesh, growth);
        (void)snprintf(name, sizeof name, "troll/fig/%s.fig", troll_names[i]);
        keep(&file, name);
    }
    struct bytes texture = {0};
    ei_put_texture_dxt1(&texture, 32, paint_troll);
    keep(&texture, "troll/troll00.mmp");
    struct bytes database = {0};
    ei_put_database(&database, "troll", heights, records, 3);
    keep(&database, "troll/troll.adb");
}
