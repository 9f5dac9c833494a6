/* SPDX-License-Identifier: MIT
 *
 * The options of Vib-Ribbon for people, and for which files they make a difference. */
#include "formats/vib_ribbon/game.h"

#include <string.h>

static bool has_motion(const struct ossa__assembly *assembly)
{
    return ossa__has_part(assembly, "vib-anm");
}

/* Whether an object has a key without a value that one of its keys before had. */
static bool has_gaps(const ossa_vib_anm *anm)
{
    uint8_t seen[256] = {0}; /* by object: flags */
    for (uint32_t f = 0; f < anm->frame_count; f++) {
        for (uint32_t k = 0; k < anm->frames[f].key_count; k++) {
            const ossa_vib_key *key = &anm->keys[anm->frames[f].first_key + k];
            if ((seen[key->object] & ~key->flags) != 0) return true;
            seen[key->object] |= key->flags;
        }
    }
    return false;
}

static bool has_missing_values(const struct ossa__assembly *assembly)
{
    for (size_t i = 0; i < assembly->part_count; i++) {
        const struct ossa__part *part = &assembly->parts[i];
        if (strcmp(part->format, "vib-anm") == 0 && has_gaps(part->contents)) return true;
    }
    return false;
}

static bool has_camera(const struct ossa__assembly *assembly)
{
    return ossa__has_part(assembly, "vib-anc");
}

/* Their keys are frames; beside clips, the rate is one for both. */
static bool has_only_camera(const struct ossa__assembly *assembly)
{
    return has_camera(assembly) && assembly->scene->clip_count == 0;
}

static const ossa_option_word euler[] = {{"xyz", "X first, then Y, then Z"},
                                         {"zyx", "Z first, then Y, then X"}};
static const ossa_option_word missing[] = {{"identity", "No rotation or offset, full size"},
                                           {"hold", "The last value"}};
static const ossa_option_word twist[] = {
    {"degree", "4096 is one degree"}, {"turn", "4096 is a full rotation"}, {"none", "Ignore it"}};
static const ossa_option_word view[] = {{"turn", "An angle, 4096 to a full rotation"},
                                        {"distance", "The distance to the screen"},
                                        {"degree", "An angle in degrees"}};

const struct ossa__game_option ossa__vib_option_list[] = {
    {{.name = "euler",
      .kind = OSSA_OPTION_KIND_CHOICE,
      .text = "The order of the three rotations of a key.",
      .word_count = 2,
      .words = euler,
      .is_open = true},
     has_motion},
    {{.name = "missing",
      .kind = OSSA_OPTION_KIND_CHOICE,
      .text = "What a value is that a key leaves out.",
      .word_count = 2,
      .words = missing,
      .is_open = true},
     has_missing_values},
    {{.name = "twist",
      .kind = OSSA_OPTION_KIND_CHOICE,
      .text = "The unit of a camera's twist.",
      .word_count = 3,
      .words = twist,
      .is_open = true},
     has_camera},
    {{.name = "view",
      .kind = OSSA_OPTION_KIND_CHOICE,
      .text = "What the field of view of a camera is.",
      .word_count = 3,
      .words = view,
      .is_open = true},
     has_camera},
    {{.name = "fps",
      .kind = OSSA_OPTION_KIND_NUMBER,
      .text = "Frames per second of the camera, instead of the game's own rate.",
      .least = 1e-3,
      .most = 1e6},
     has_only_camera},
    {{.name = NULL}, NULL},
};
