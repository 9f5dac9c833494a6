/* SPDX-License-Identifier: MIT
 *
 * The cameras of a scene in what another program made of them. */
#ifndef OSSA_IMPORT_CAMERAS_H
#define OSSA_IMPORT_CAMERAS_H

#include "import/motion.h"
#include "scene/edit.h"

/* For ossa__editing, that of an import. */
void ossa__import_camera(struct ossa__editing *editing, const struct ossa__camera_keys *keys,
                         const ossa_camera *camera);

/* Is a clip of a motion the path of one of the scene's cameras? */
bool ossa__is_camera_clip(const ossa_scene *scene, const struct ossa__motion *motion,
                          const struct ossa__motion_clip *clip);

#endif
