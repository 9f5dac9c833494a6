/* SPDX-License-Identifier: MIT */
#include "ei_files.h"

#include <string.h>

/* ---- tree, places, moves ------------------------------------------------------------------- */

static void put_name(struct bytes *file, const char *name)
{
    put_u32(file, (uint32_t)strlen(name) + 1); /* the closing NUL counts */
    put_text(file, name);
    put_u8(file, 0);
}

void ei_put_tree(struct bytes *file, const char *const *names, const int *parents, int count)
{
    put_u32(file, (uint32_t)count);
    for (int i = 0; i < count; i++) {
        put_name(file, names[i]);
        if (parents[i] < 0) {
            put_u32(file, 0);
        } else {
            put_name(file, names[parents[i]]);
        }
    }
}

static void put_vec3(struct bytes *file, vec3 v)
{
    put_f32(file, v.x);
    put_f32(file, v.y);
    put_f32(file, v.z);
}

void ei_put_places(struct bytes *file, vec3 place, const vec3 growth[EI_CORNERS])
{
    for (int i = 0; i < EI_CORNERS; i++) {
        put_vec3(file, v3(place.x * growth[i].x, place.y * growth[i].y, place.z * growth[i].z));
    }
}

void ei_put_track(struct bytes *file, const struct ei_track *track)
{
    put_u32(file, track->frames);
    for (unsigned f = 0; f < track->frames; f++) {
        put_f32(file, track->rotations[f].w);
        put_f32(file, track->rotations[f].x);
        put_f32(file, track->rotations[f].y);
        put_f32(file, track->rotations[f].z);
    }
    put_u32(file, track->frames);
    for (unsigned f = 0; f < track->frames; f++) put_vec3(file, track->translations[f]);
    put_u32(file, track->morph_vertices > 0 ? track->frames : 0);
    put_u32(file, track->morph_vertices);
    for (unsigned i = 0; i < track->frames * track->morph_vertices; i++)
        put_vec3(file, track->morphs[i]);
}

/* ---- data base ----------------------------------------------------------------------------- */

static void put_fixed_text(struct bytes *file, const char *text, size_t size)
{
    if (strlen(text) > size) fail("the text is too long", text);
    put_text(file, text);
    put_zeros(file, size - strlen(text));
}

static void put_record(struct bytes *file, const struct ei_record *record, uint32_t index)
{
    const uint32_t all_weapons = 0x7f;
    const uint32_t all_states = 7u << 15;
    const uint32_t cycle = 2u << 30; /* it goes round and round */
    put_fixed_text(file, record->name, 16);
    put_u32(file, index);
    put_u32(file, all_weapons | all_states | (uint32_t)record->action << 18 | cycle);
    put_u32(file, 0);
    put_u32(file, 100); /* percent */
    put_u32(file, record->frames);
    put_f32(file, record->speed);
    put_zeros(file, 8); /* nothing is shown or hidden */
    for (int i = 0; i < 4; i++) put_u32(file, record->steps[i]);
    put_zeros(file, 24); /* no blow, no sounds of its own */
}

void ei_put_database(struct bytes *file, const char *model, const double heights[3],
                     const struct ei_record *records, unsigned count)
{
    put_text(file, "ADB");
    put_u8(file, 0);
    put_u32(file, count);
    put_fixed_text(file, model, 24);
    for (int i = 0; i < 3; i++) put_f32(file, heights[i]);
    for (unsigned i = 0; i < count; i++) put_record(file, &records[i], i);
}
