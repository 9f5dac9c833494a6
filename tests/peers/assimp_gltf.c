/* SPDX-License-Identifier: MIT
 *
 * A GLB in assimp: animations, channels and keys as the GLB's own JSON has them, bones where `ossa
 * pose` has them. */
#include "assimp_check.h"

#include <assimp/cimport.h>
#include <math.h>
#include <string.h>

static const char *const paths[3] = {"translation", "rotation", "scale"};

/* The number of keys for a node and a path; 0: no channel. */
static unsigned keys_in_document(const peer_figure *figure, const json_t *animation, size_t node,
                                 const char *path)
{
    size_t i;
    const json_t *channel;
    json_array_foreach (json_object_get(animation, "channels"), i, channel) {
        const json_t *target = json_object_get(channel, "target");
        if (number_of(target, "node", -1) != (long long)node) continue;
        if (strcmp(string_of(target, "path"), path) != 0) continue;
        const json_t *sampler = json_array_get(json_object_get(animation, "samplers"),
                                               (size_t)number_of(channel, "sampler", 0));
        const json_t *accessor = json_array_get(json_object_get(figure->document, "accessors"),
                                                (size_t)number_of(sampler, "input", 0));
        return (unsigned)number_of(accessor, "count", 0);
    }
    return 0;
}

static const struct aiNodeAnim *find_channel(const struct aiAnimation *animation, const char *name,
                                             unsigned *times)
{
    const struct aiNodeAnim *found = NULL;
    *times = 0;
    for (unsigned i = 0; i < animation->mNumChannels; i++) {
        if (strcmp(animation->mChannels[i]->mNodeName.data, name) == 0) {
            found = animation->mChannels[i];
            ++*times;
        }
    }
    return found;
}

/* What is not animated has one key in assimp: the node's own place. */
static bool check_channel(const peer_figure *figure, const json_t *meant,
                          const struct aiAnimation *shown, size_t index, unsigned *channels)
{
    const json_t *node = json_array_get(json_object_get(figure->document, "nodes"), index);
    const char *name = string_of(node, "name");
    unsigned keys[3];
    unsigned any = 0;
    for (size_t k = 0; k < 3; k++) {
        keys[k] = keys_in_document(figure, meant, index, paths[k]);
        any += keys[k];
    }
    unsigned times;
    const struct aiNodeAnim *channel = find_channel(shown, name, &times);
    const unsigned wanted = any > 0 ? 1 : 0;
    if (times != wanted) return complain("%u channels for %s, not %u", times, name, wanted);
    if (channel == NULL) return true;
    ++*channels;
    const unsigned counts[3] = {channel->mNumPositionKeys, channel->mNumRotationKeys,
                                channel->mNumScalingKeys};
    for (size_t k = 0; k < 3; k++) {
        if (counts[k] != keys[k] && !(keys[k] == 0 && counts[k] == 1)) {
            return complain("%s has %u keys of %s, not %u", name, counts[k], paths[k], keys[k]);
        }
    }
    return true;
}

static bool check_length(const peer_figure *figure, const json_t *meant,
                         const struct aiAnimation *shown)
{
    const json_t *extras = json_object_get(meant, "extras");
    const char *name = string_of(meant, "name");
    const json_t *poses = json_object_get(figure->clips, name);
    if (poses == NULL) return true; /* not a clip of the skeleton: a camera's */
    const double frames = (double)json_array_size(poses);
    const double fps = json_number_value(json_object_get(extras, "fps"));
    const double seconds = shown->mDuration / shown->mTicksPerSecond;
    const double wanted = fmax(frames - 1, 1) / fps;
    if (fabs(seconds - wanted) > 1e-5 * wanted) {
        return complain("%s lasts %g s, not %g s", name, seconds, wanted);
    }
    return true;
}

static bool check_animation(const peer_figure *figure, const json_t *meant,
                            const struct aiAnimation *shown)
{
    const char *name = string_of(meant, "name");
    if (strcmp(shown->mName.data, name) != 0) {
        return complain("an animation is called %s, not %s", shown->mName.data, name);
    }
    unsigned channels = 0;
    const size_t nodes = json_array_size(json_object_get(figure->document, "nodes"));
    for (size_t i = 0; i < nodes; i++) {
        if (!check_channel(figure, meant, shown, i, &channels)) return false;
    }
    if (channels != shown->mNumChannels) {
        return complain("%s has %u channels, not %u", name, shown->mNumChannels, channels);
    }
    return check_length(figure, meant, shown);
}

static bool check_animations(const peer_figure *figure, const struct aiScene *scene)
{
    const json_t *animations = json_object_get(figure->document, "animations");
    if (scene->mNumAnimations != json_array_size(animations)) {
        return complain("%u animations, not %zu", scene->mNumAnimations,
                        json_array_size(animations));
    }
    for (unsigned i = 0; i < scene->mNumAnimations; i++) {
        if (!check_animation(figure, json_array_get(animations, i), scene->mAnimations[i])) {
            return false;
        }
    }
    return true;
}

/* Every node is there, and the game's own name where it had to be cleaned. */
static bool check_names(const peer_figure *figure, const node_list *list, size_t *own)
{
    size_t i;
    const json_t *node;
    *own = 0;
    json_array_foreach (json_object_get(figure->document, "nodes"), i, node) {
        const char *name = string_of(node, "name");
        const struct aiNode *found = nodes_find(list, name);
        if (found == NULL) return complain("no node %s", name);
        const json_t *extras = json_object_get(node, "extras");
        if (json_object_get(extras, "name") == NULL) continue;
        struct aiString text = {0, {0}};
        const struct aiMetadata *data = found->mMetaData;
        for (unsigned k = 0; data != NULL && k < data->mNumProperties; k++) {
            if (strcmp(data->mKeys[k].data, "name") == 0 && data->mValues[k].mType == AI_AISTRING) {
                memcpy(&text, data->mValues[k].mData, sizeof text);
            }
        }
        if (strcmp(text.data, string_of(extras, "name")) != 0) {
            return complain("%s has '%s' for a name of its own", name, text.data);
        }
        ++*own;
    }
    return true;
}

static bool check_poses(const peer_figure *figure, const struct aiScene *scene,
                        const node_list *list, double *worst)
{
    for (unsigned i = 0; i < scene->mNumAnimations; i++) {
        const char *name = scene->mAnimations[i]->mName.data;
        pose_comparison c = {.figure = figure,
                             .poses = json_object_get(figure->clips, name),
                             .nodes = list,
                             .animation = scene->mAnimations[i],
                             .fps = clip_fps(figure, name),
                             .is_scaled = true};
        if (c.poses != NULL && !compare_poses(&c)) return complain("so in %s", name);
        worst[0] = fmax(worst[0], c.worst);
        worst[1] = fmax(worst[1], c.worst_axis);
    }
    return true;
}

static bool is_unlit(const struct aiMaterial *material)
{
    int model = 0;
    return aiGetMaterialIntegerArray(material, AI_MATKEY_SHADING_MODEL, &model, NULL) ==
               aiReturn_SUCCESS &&
           model == aiShadingMode_Unlit;
}

static bool check_meshes(const peer_figure *figure, const struct aiScene *scene,
                         const peer_results *results)
{
    size_t i;
    size_t lines = 0;
    size_t shown = 0;
    size_t coloured = 0;
    size_t unlit = 0;
    const json_t *mesh;
    json_array_foreach (json_object_get(figure->document, "meshes"), i, mesh) {
        size_t k;
        const json_t *part;
        json_array_foreach (json_object_get(mesh, "primitives"), k, part) {
            lines += number_of(part, "mode", 4) == 1;
        }
    }
    for (unsigned k = 0; k < scene->mNumMeshes; k++) {
        const struct aiMesh *part = scene->mMeshes[k];
        if (part->mPrimitiveTypes != aiPrimitiveType_LINE) continue;
        shown++;
        coloured += part->mColors[0] != NULL;
        unlit += is_unlit(scene->mMaterials[part->mMaterialIndex]);
    }
    if (shown != lines) return complain("%zu meshes of lines, not %zu", shown, lines);
    if (lines == 0) return true;
    result_add(results, figure, "lines", "yes", NULL);
    result_add(results, figure, "colours", coloured == lines ? "yes" : "no", NULL);
    result_add(results, figure, "unlit material", unlit == lines ? "yes" : "no", NULL);
    return true;
}

static bool check_scene(const peer_figure *figure, const struct aiScene *scene,
                        const peer_results *results)
{
    node_list list = {NULL, 0};
    size_t own = 0;
    double worst[2] = {0, 0};
    const bool fine = nodes_collect(scene, &list) && check_animations(figure, scene) &&
                      check_names(figure, &list, &own) &&
                      check_poses(figure, scene, &list, worst) &&
                      check_cameras(figure, scene, &list, results);
    nodes_free(&list);
    if (!fine || results == NULL) return fine;
    result_add(results, figure, "bones in every frame", "within 1e-4", &worst[0]);
    result_add(results, figure, "rotations and scales", "within 1e-4", &worst[1]);
    result_add(results, figure, "all clips by name", "yes", NULL);
    result_add(results, figure, "frame rate and duration", "yes", NULL);
    result_add(results, figure, "clip extras", "no", NULL); /* there is no place for them */
    if (own > 0) {
        result_add(results, figure, "bone names", "yes, the originals as metadata", NULL);
    }
    if (figure_hides(figure)) result_add(results, figure, "hidden objects", "yes", NULL);
    if (json_object_get(figure->document, "meshes") == NULL) {
        if ((scene->mFlags & AI_SCENE_FLAGS_INCOMPLETE) == 0) {
            return complain("a scene without a mesh counts as whole");
        }
        result_add(results, figure, "skeleton without a mesh", "as nodes, in an incomplete scene",
                   NULL);
    }
    return check_meshes(figure, scene, results);
}

/* Expect one number to be a little different, and it has to be noticed. */
static bool check_damage(peer_figure *figure, const struct aiScene *scene)
{
    const json_t *animation = json_array_get(json_object_get(figure->document, "animations"), 0);
    const json_t *sampler = json_array_get(json_object_get(animation, "samplers"), 0);
    json_t *accessor = json_array_get(json_object_get(figure->document, "accessors"),
                                      (size_t)number_of(sampler, "input", 0));
    json_t *count = json_object_get(accessor, "count");
    json_t *poses = json_object_iter_value(json_object_iter(figure->clips));

    complaints_silence(true);
    json_integer_set(count, json_integer_value(count) + 1);
    const bool keys_pass = check_scene(figure, scene, NULL);
    json_integer_set(count, json_integer_value(count) - 1);
    clip_damage(poses, 1);
    const bool places_pass = check_scene(figure, scene, NULL);
    clip_damage(poses, -1);
    const bool whole_passes = check_scene(figure, scene, NULL);
    complaints_silence(false);
    if (keys_pass) return complain("one key too many was not noticed");
    if (places_pass) return complain("a bone in another place was not noticed");
    return whole_passes;
}

bool check_gltf(peer_figure *figure, const peer_results *results)
{
    char path[640];
    (void)snprintf(path, sizeof path, "%s/%s.glb", figure->folder, figure->name);
    const struct aiScene *scene = aiImportFile(path, 0);
    if (scene == NULL) return complain("%s", aiGetErrorString());
    const bool fine = check_scene(figure, scene, results) && check_damage(figure, scene);
    aiReleaseImport(scene);
    return fine;
}
