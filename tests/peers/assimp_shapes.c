/* SPDX-License-Identifier: MIT
 *
 * Morph targets in assimp: the files of `make_gltf --shapes`, see there. */
#include "assimp_check.h"

#include <assimp/cimport.h>
#include <assimp/scene.h>

static bool check_keys(const struct aiMeshMorphAnim *channel, unsigned count, bool moves)
{
    if (channel->mNumKeys != (moves ? count : 2)) return complain("%u keys", channel->mNumKeys);
    for (unsigned k = 0; k < channel->mNumKeys; k++) {
        const struct aiMeshMorphKey *key = &channel->mKeys[k];
        const int shown = moves ? (int)(7 * k % (count + 1)) - 1 : -1;
        if (key->mNumValuesAndWeights != count) {
            return complain("%u weights in key %u", key->mNumValuesAndWeights, k);
        }
        for (unsigned i = 0; i < count; i++) {
            const double wanted = (int)key->mValues[i] == shown ? 1.0 : 0.0;
            if (key->mWeights[i] == wanted) continue;
            return complain("target %u has the weight %g in key %u", key->mValues[i],
                            key->mWeights[i], k);
        }
    }
    return true;
}

static bool check_file(const char *files, const char *kind, unsigned count)
{
    char path[640];
    (void)snprintf(path, sizeof path, "%s/shapes%s-%u.glb", files, kind, count);
    const struct aiScene *scene = aiImportFile(path, 0);
    if (scene == NULL) return complain("%s", aiGetErrorString());
    bool fine = scene->mNumAnimations == 2;
    for (unsigned i = 0; fine && i < 2; i++) {
        const struct aiAnimation *animation = scene->mAnimations[i];
        fine = animation->mNumMorphMeshChannels == 1 &&
               check_keys(animation->mMorphMeshChannels[0], count, i == 0);
    }
    aiReleaseImport(scene);
    (void)printf("%u shapes%s: %s\n", count, kind, fine ? "every weight in every key" : "FAILED");
    return fine;
}

bool check_shapes(const char *files)
{
    bool fine = true;
    fine = check_file(files, "", 60) && fine;
    fine = check_file(files, "", 600) && fine;
    fine = check_file(files, "-skin", 60) && fine;
    return check_file(files, "-skin", 600) && fine;
}
