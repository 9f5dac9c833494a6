/* SPDX-License-Identifier: MIT
 *
 * Members of the objects in a glTF, for the files that write them. */
#ifndef OSSA_EXPORT_GLTF_WRITE_H
#define OSSA_EXPORT_GLTF_WRITE_H

#include "export/gltf_parts.h"

static inline void ossa__gltf_uint(struct ossa__gltf *x, const char *key, uint64_t value)
{
    ossa_json_key(&x->json, key);
    ossa_json_uint(&x->json, value);
}

static inline void ossa__gltf_string(struct ossa__gltf *x, const char *key, const char *value)
{
    ossa_json_key(&x->json, key);
    ossa_json_string(&x->json, value);
}

static inline void ossa__gltf_float(struct ossa__gltf *x, const char *key, float value)
{
    ossa_json_key(&x->json, key);
    ossa_json_float(&x->json, value);
}

static inline void ossa__gltf_floats(struct ossa__gltf *x, const char *key, const float *values,
                                     size_t count)
{
    ossa_json_key(&x->json, key);
    ossa_json_floats(&x->json, values, count);
}

#endif
