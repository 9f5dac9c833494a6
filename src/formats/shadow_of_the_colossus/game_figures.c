/* SPDX-License-Identifier: MIT
 *
 * Figures of Shadow of the Colossus. Names say what belongs together: 52 of 53 skeletons have a
 * model of their name, and 2,414 of 2,626 animations begin with a skeleton's name and a _. A model
 * names its textures.
 *
 * Heads have skeletons of their own: baby_A_head is not baby_A. A head without one is taken for a
 * part of its body. */
#include "ossa/games/shadow_of_the_colossus.h"
#include "formats/shadow_of_the_colossus/game.h"
#include "formats/modules.h"

const char *const ossa__sotc_part_endings[] = {"_head", NULL};

const char *ossa__sotc_listed_texture(const struct ossa__format *format, const void *contents,
                                      uint32_t index, size_t *size)
{
    if (format != &ossa__format_sotc_nmo) return NULL;
    const ossa_sotc_nmo *nmo = contents;
    if (index >= nmo->texture_count) return NULL;
    *size = nmo->textures[index].name_size;
    return nmo->textures[index].name;
}
