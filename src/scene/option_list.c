/* SPDX-License-Identifier: MIT
 *
 * Which options make a difference for the files of a scene: those of its game, and those that all
 * games have. They are listed before the options of all games change the scene. */
#include "scene/assembly.h"

static bool has_clips(const struct ossa__assembly *assembly)
{
    return assembly->scene->clip_count > 0;
}

static bool has_several_clips(const struct ossa__assembly *assembly)
{
    return assembly->scene->clip_count > 1;
}

static bool has_lengths(const struct ossa__assembly *assembly)
{
    return assembly->scene->bone_count > 0 || assembly->scene->camera_count > 0;
}

static bool has_one_root(const struct ossa__assembly *assembly)
{
    const ossa_scene *scene = assembly->scene;
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->bone_count; i++) count += scene->bones[i].parent < 0;
    return count == 1 && has_clips(assembly);
}

static bool has_only_bones(const struct ossa__assembly *assembly)
{
    return assembly->scene->bone_count > 0 && assembly->scene->mesh_count == 0;
}

static const struct ossa__game_option common[] = {
    {{.name = "fps",
      .kind = OSSA_OPTION_KIND_NUMBER,
      .text = "Frames per second, instead of the game's own rate.",
      .least = 1e-3,
      .most = 1e6},
     has_clips},
    {{.name = "scale",
      .kind = OSSA_OPTION_KIND_NUMBER,
      .text = "Multiply all lengths by this number.",
      .least = 1e-9,
      .most = 1e9,
      .initial = 1.0},
     has_lengths},
    {{.name = "in_place",
      .kind = OSSA_OPTION_KIND_FLAG,
      .text = "Remove the displacement along the ground from every clip, so that a walk ends where "
              "it starts."},
     has_one_root},
    {{.name = "join",
      .kind = OSSA_OPTION_KIND_FLAG,
      .text = "Join numbered clips, such as walk0 and walk1; if there are none, all clips."},
     has_several_clips},
    {{.name = "boxes",
      .kind = OSSA_OPTION_KIND_FLAG,
      .text = "Add a box along each bone, since there is no mesh."},
     has_only_bones},
};

enum { COMMON = sizeof common / sizeof common[0] };

void ossa__list_options(struct ossa__assembly *assembly, const struct ossa__game_option *own)
{
    uint32_t own_count = 0;
    while (own != NULL && own[own_count].info.name != NULL) own_count++;
    ossa_option_info *list = ossa__take(&assembly->context, own_count + COMMON, sizeof *list);
    if (list == NULL) return;
    uint32_t count = 0;
    for (uint32_t i = 0; i < own_count + COMMON; i++) {
        const struct ossa__game_option *option = i < own_count ? &own[i] : &common[i - own_count];
        if (option->applies(assembly)) list[count++] = option->info;
    }
    assembly->scene->options = list;
    assembly->scene->option_count = count;
}
