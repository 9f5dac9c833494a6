/* SPDX-License-Identifier: MIT
 *
 * A camera of a scene being made: what the games' cameras share. */
#ifndef OSSA_SCENE_CAMERA_KEYS_H
#define OSSA_SCENE_CAMERA_KEYS_H

#include "scene/assembly.h"

/* A field of view, in radians, where a file has none that can be used: about 46 degrees. Made up.
 */
#define OSSA__PLAIN_VIEW 0.8

enum { OSSA__CAMERA_EXTRAS = 5 };

struct ossa__camera_edit;

struct ossa__camera_keys {
    struct ossa__assembly *assembly;
    const struct ossa__part *part;
    uint32_t count; /* at least 1 */
    float *times;
    float (*positions)[3];
    float (*rotations)[4];
    float *views; /* fields of view */
    ossa_extra *extras;
    uint32_t extra_count;
    /* NULL, or puts an edit into the file of the camera, see edit.h. */
    void (*apply)(const struct ossa__camera_keys *keys, struct ossa__camera_edit *edit);
};

/* Room for a camera for every input of a format. False after a failure, and for none. */
bool ossa__take_cameras_of(struct ossa__assembly *assembly, const char *format);

/* Room for the keys of one. False after a failure, and for no keys: then the camera is left out
 * with a warning. */
bool ossa__take_camera_keys(struct ossa__assembly *assembly, const struct ossa__part *part,
                            uint32_t count, struct ossa__camera_keys *keys);

/* Are they finite, and each later than the one before? */
bool ossa__times_rise(const float *times, uint32_t count);
/* Key i at i / fps seconds. */
void ossa__even_times(struct ossa__camera_keys *keys, double fps);

/* Numbers as they are stored, one a key, for the camera's extras: just one where all are the same.
 * Such that are not finite have no place there and are left out with a warning. */
void ossa__add_camera_extra(struct ossa__camera_keys *keys, const char *key, const double *numbers);

/* Put the camera into the scene. */
void ossa__finish_camera(const struct ossa__camera_keys *keys, float aspect);

#endif
