/* SPDX-License-Identifier: MIT
 *
 * A scene of the module. */
#ifndef OSSA_WEB_MODULE_SCENE_H
#define OSSA_WEB_MODULE_SCENE_H

#include "ossa/ossa.h"

struct web_scene {
    ossa_scene *scene;
    float **steps; /* [clip] of the rotations, for each bone; NULL: see web_scene_step */
};

#endif
