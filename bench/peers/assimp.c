/* SPDX-License-Identifier: MIT */
#include "contender.h"

#include <assimp/cexport.h>
#include <assimp/cimport.h>
#include <assimp/scene.h>

size_t assimp_convert(const void *data, size_t size, const char *extension)
{
    const struct aiScene *scene = aiImportFileFromMemory(data, (unsigned)size, 0, extension);
    if (scene == NULL) return 0;
    const struct aiExportDataBlob *blob = aiExportSceneToBlob(scene, "glb2", 0);
    size_t written = blob != NULL ? blob->size : 0;
    if (blob != NULL) aiReleaseExportBlob(blob);
    aiReleaseImport(scene);
    return written;
}
