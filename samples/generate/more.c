/* SPDX-License-Identifier: MIT
 *
 * What is given beside a character: the pedestrian's states, and cameras for the troll and the
 * rabbit. */
#include "emit.h"
#include "maths.h"
#include "pedestrian.h"
#include "samples.h"

#include <stdio.h>
#include <string.h>

/* ---- the pedestrian's states --------------------------------------------------------------- */

struct ped_state {
    const char *name;
    const char *move;
    unsigned first;
    unsigned last;
    const char *next;
};

/* As the game has them: what starts and stops a walk is a piece of it, forwards and backwards. Like
 * most of its own, STAND ends a frame after the last. */
static const struct ped_state states[] = {
    {"STAND", "stand", 1, 91, "STAND"}, {"STAND_WALK", "walk", 1, 8, "WALK"},
    {"WALK", "walk", 1, 32, "WALK"},    {"WALK_STAND", "walk", 8, 1, "STAND"},
    {"RUN", "run", 1, 20, "RUN"},       {"BACKUP", "walk", 32, 1, "BACKUP"},
};

static const struct ped_move *find_move(const char *name)
{
    const struct ped_move *move = ped_moves;
    while (move->name != NULL && strcmp(move->name, name) != 0) move++;
    if (move->name == NULL) fail("no such move", name);
    return move;
}

static void save_states(const char *root)
{
    struct bytes file = {0};
    put_text(&file, "# state,animation,first frame,last frame,forward offset,forward distance,"
                    "sideways offset,sideways distance,next state\r\n");
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        const struct ped_state *state = &states[i];
        const struct ped_move *move = find_move(state->move);
        double steps = (double)state->last - (double)state->first;
        double forward = move->stride * steps / move->frames;
        char line[128];
        (void)snprintf(line, sizeof line, "%s,%s,%u,%u,0,%.3f,0,0,%s\r\n", state->name, state->move,
                       state->first, state->last, snap(forward), state->next);
        put_text(&file, line);
    }
    save(&file, root, "more/ped.csv");
}

/* ---- a flight about the troll -------------------------------------------------------------- */

static void put_snapped(struct bytes *file, double value)
{
    put_f32(file, snap(value));
}

/* Once round, rising and sinking; Z is up, and a camera that is not turned looks along Z with -Y
 * up. The keys lie the closer together the nearer it is. */
static void save_flight(const char *root)
{
    enum { KEYS = 33 };
    struct bytes file = {0};
    const vec3 aim = v3(0, 0, 1.1);
    double time = 0;
    quat before = q_identity;
    for (int k = 0; k < KEYS; k++) {
        double phase = (double)k / (KEYS - 1);
        double away = 4.5 + 1.2 * cowave(phase);
        double step = 0.05 + 0.03 * away;
        vec3 eye = v3(away * wave(phase), -away * cowave(phase), 1.6 + 0.8 * wave(2 * phase));
        vec3 up = v3(0, 0, 1);
        quat turn = q_near(q_aim(v3(0, 0, 1), v3(0, -1, 0), v_unit(v_sub(aim, eye)), up), before);
        put_snapped(&file, time);
        put_snapped(&file, step);
        put_snapped(&file, eye.x);
        put_snapped(&file, eye.y);
        put_snapped(&file, eye.z);
        put_snapped(&file, turn.w);
        put_snapped(&file, turn.x);
        put_snapped(&file, turn.y);
        put_snapped(&file, turn.z);
        before = turn;
        time += step;
    }
    save(&file, root, "more/flight.cam");
}

/* ---- a camera that follows the rabbit ------------------------------------------------------ */

/* As long as both files of its walk together. Y is down, a unit is 1/2048; it rocks by 6 degrees to
 * either side and comes nearer by its lens at the end. */
static void save_stage(const char *root)
{
    enum { KEYS = 72, RATE = 20, UNIT = 2048 };
    struct bytes file = {0};
    put_u16(&file, 0x8000);
    put_i16(&file, RATE);
    put_u16(&file, KEYS);
    for (int k = 0; k < KEYS; k++) {
        double phase = (double)k / KEYS;
        double along = 2.2 * (phase - 0.5);
        put_i16(&file, nearest(UNIT * (0.6 * along + 0.5 * wave(phase))));
        put_i16(&file, nearest(UNIT * (-1.1 - 0.3 * cowave(phase))));
        put_i16(&file, nearest(UNIT * -4.5));
        put_i16(&file, nearest(UNIT * along));
        put_i16(&file, nearest(UNIT * -0.7));
        put_i16(&file, 0);
        put_i16(&file, nearest(4096 * 6 * wave(2 * phase)));
        put_i16(&file, nearest(mix(468, 319, ease(phase, 0.6, 0.95))));
    }
    save(&file, root, "more/stage.anc");
}

void make_more(const char *root)
{
    save_states(root);
    save_flight(root);
    save_stage(root);
}
