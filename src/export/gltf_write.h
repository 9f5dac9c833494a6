/* SPDX-License-Identifier: MIT
 *
 * Members of the objects in a glTF, for the files that write them. */
#ifndef OSSA_EXPORT_GLTF_WRITE_H
#define OSSA_EXPORT_GLTF_WRITE_H

#include "export/gltf_parts.h"

static inline void ossa__gltf_uint(struct ossa__gltf *x, const char *key, uint64_t value)
{
    ossa__json_key(&x->json, key);
    ossa__json_uint(&x->json, value);
}

static inline void ossa__gltf_string(struct ossa__gltf *x, const char *key, const char *value)
{
    ossa__json_key(&x->json, key);
    ossa__json_string(&x->json, value);
}

static inline void ossa__gltf_float(struct ossa__gltf *x, const char *key, float value)
{
    ossa__json_key(&x->json, key);
    ossa__json_float(&x->json, value);
}

static inline void ossa__gltf_floats(struct ossa__gltf *x, const char *key, const float *values,
                                     size_t count)
{
    ossa__json_key(&x->json, key);
    ossa__json_floats(&x->json, values, count);
}

#endif
