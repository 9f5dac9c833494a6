/* SPDX-License-Identifier: MIT */
#include "import/motion.h"

struct ossa__motion *ossa__read_motion(struct ossa__context *context, const uint8_t *data,
                                       size_t size, const char *name, ossa__fetch_file *fetch,
                                       void *user)
{
    (void)name;
    return ossa__read_gltf(context, data, size, fetch, user);
}
