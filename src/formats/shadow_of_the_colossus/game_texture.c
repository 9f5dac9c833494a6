/* SPDX-License-Identifier: MIT
 *
 * Textures (NTO) in a scene. */
#include "formats/shadow_of_the_colossus/game_texture.h"

#include "ossa/games/shadow_of_the_colossus.h"

#include <inttypes.h>

/* Room for a texture per part; NULL after a failure. */
static ossa_texture *room_of(struct ossa__assembly *assembly)
{
    ossa_scene *scene = assembly->scene;
    if (scene->textures == NULL) {
        scene->textures =
            ossa__take(&assembly->context, assembly->part_count, sizeof *scene->textures);
    }
    return (ossa_texture *)scene->textures; /* it is the arena's, and being filled */
}

static void refuse(struct ossa__assembly *assembly, const struct ossa__part *part,
                   const uint32_t sides[2])
{
    const ossa_sotc_nto *nto = part->contents;
    uint32_t level = assembly->options->texture_level;
    if (level >= nto->level_count) {
        (void)ossa__misfit(assembly, part,
                           "there is no level %" PRIu32 ", the texture has %" PRIu32, level,
                           nto->level_count);
    } else if (sides != NULL) {
        (void)ossa__misfit(assembly, part,
                           "cannot be %" PRIu32 " x %" PRIu32
                           " texels, as the model states: its sides are %" PRIu32 " and %" PRIu32,
                           sides[0], sides[1], nto->sides[0], nto->sides[1]);
    } else {
        (void)ossa__misfit(assembly, part, "level %" PRIu32 " cannot be decoded", level);
    }
}

int32_t ossa__sotc_texture(struct ossa__assembly *assembly, const struct ossa__part *part,
                           const uint32_t sides[2])
{
    const ossa_sotc_nto *nto = part->contents;
    const ossa_sotc_options *options = assembly->options->sotc;
    uint32_t level = assembly->options->texture_level;
    uint32_t size[2];
    if (assembly->options->no_textures) return -1;
    if (!ossa_sotc_pixels(nto, level, sides, options, NULL, size)) {
        refuse(assembly, part, sides);
        ossa__leave_out(assembly, "the texture");
        return -1;
    }
    uint64_t count = (uint64_t)size[0] * size[1];
    ossa_texture *textures = room_of(assembly);
    ossa__blame(assembly, part);
    uint8_t(*pixels)[4] = ossa__take(&assembly->context, count, sizeof *pixels);
    if (textures == NULL || pixels == NULL) return -1;
    ossa__blame(assembly, NULL);
    (void)ossa_sotc_pixels(nto, level, sides, options, pixels, NULL);
    textures[assembly->scene->texture_count] =
        (ossa_texture){.name = part->stem[0] == '\0' ? "texture" : part->stem,
                       .width = size[0],
                       .height = size[1],
                       .pixels = (const uint8_t(*)[4])pixels};
    return (int32_t)assembly->scene->texture_count++;
}
