/* SPDX-License-Identifier: MIT
 *
 * Where assimp's nodes are when its keys are played, frame by frame, against `ossa pose`. */
#include "assimp_check.h"

#include <assimp/cimport.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool nodes_collect(const struct aiScene *scene, node_list *out)
{
    size_t room = 64;
    out->count = 0;
    out->nodes = malloc(room * sizeof *out->nodes);
    if (out->nodes == NULL) return false;
    out->nodes[out->count++] = scene->mRootNode;
    for (size_t i = 0; i < out->count; i++) {
        const struct aiNode *node = out->nodes[i];
        if (out->count + node->mNumChildren > room) {
            room = 2 * room + node->mNumChildren;
            const struct aiNode **more = realloc(out->nodes, room * sizeof *more);
            if (more == NULL) return false;
            out->nodes = more;
        }
        for (unsigned k = 0; k < node->mNumChildren; k++) {
            out->nodes[out->count++] = node->mChildren[k];
        }
    }
    return true;
}

void nodes_free(node_list *list)
{
    free(list->nodes);
}

const struct aiNode *nodes_find(const node_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->nodes[i]->mName.data, name) == 0) return list->nodes[i];
    }
    return NULL;
}

static const struct aiNodeAnim *channel_of(const struct aiAnimation *animation, const char *name)
{
    for (unsigned i = 0; i < animation->mNumChannels; i++) {
        if (strcmp(animation->mChannels[i]->mNodeName.data, name) == 0) {
            return animation->mChannels[i];
        }
    }
    return NULL;
}

/* The last key that is not after a time; both kinds of key begin with their time. */
static unsigned vector_key_at(const struct aiVectorKey *keys, unsigned count, double time)
{
    unsigned i = 0;
    while (i + 1 < count && keys[i + 1].mTime <= time) i++;
    return i;
}

static unsigned rotation_key_at(const struct aiQuatKey *keys, unsigned count, double time)
{
    unsigned i = 0;
    while (i + 1 < count && keys[i + 1].mTime <= time) i++;
    return i;
}

/* From the parent, at a time in ticks. */
static struct aiMatrix4x4 local_at(const struct aiNode *node, const struct aiAnimation *animation,
                                   double time)
{
    const struct aiNodeAnim *channel = channel_of(animation, node->mName.data);
    if (channel == NULL) return node->mTransformation;
    struct aiVector3D scale = {1, 1, 1};
    struct aiVector3D place = {0, 0, 0};
    struct aiQuaternion rotation = {1, 0, 0, 0};
    const unsigned places = channel->mNumPositionKeys;
    const unsigned rotations = channel->mNumRotationKeys;
    const unsigned scales = channel->mNumScalingKeys;
    if (places > 0) {
        place = channel->mPositionKeys[vector_key_at(channel->mPositionKeys, places, time)].mValue;
    }
    if (rotations > 0) {
        rotation =
            channel->mRotationKeys[rotation_key_at(channel->mRotationKeys, rotations, time)].mValue;
    }
    if (scales > 0) {
        scale = channel->mScalingKeys[vector_key_at(channel->mScalingKeys, scales, time)].mValue;
    }
    struct aiMatrix4x4 matrix;
    aiMatrix4FromScalingQuaternionPosition(&matrix, &scale, &rotation, &place);
    return matrix;
}

static struct aiMatrix4x4 world_at(const struct aiNode *node, const struct aiAnimation *animation,
                                   double time)
{
    struct aiMatrix4x4 world = local_at(node, animation, time);
    for (const struct aiNode *above = node->mParent; above != NULL; above = above->mParent) {
        struct aiMatrix4x4 matrix = local_at(above, animation, time);
        aiMultiplyMatrix4(&matrix, &world);
        world = matrix;
    }
    return world;
}

static double distance_to(const struct aiMatrix4x4 *matrix, const json_t *bone)
{
    const double shown[3] = {(double)matrix->a4, (double)matrix->b4, (double)matrix->c4};
    double sum = 0;
    for (size_t k = 0; k < 3; k++) {
        const json_t *place = json_array_get(json_object_get(bone, "translation"), k);
        const double difference = shown[k] - json_number_value(place);
        sum += difference * difference;
    }
    return sqrt(sum);
}

static double size_of(const struct aiMatrix4x4 *m)
{
    const double entries[9] = {(double)m->a1, (double)m->a2, (double)m->a3,
                               (double)m->b1, (double)m->b2, (double)m->b3,
                               (double)m->c1, (double)m->c2, (double)m->c3};
    double sum = 0;
    for (size_t i = 0; i < 9; i++) sum += entries[i] * entries[i];
    return sqrt(sum);
}

static bool compare_bone(pose_comparison *c, const json_t *pose, size_t index, double time,
                         double size)
{
    const json_t *bone = json_array_get(json_object_get(pose, "bones"), index);
    const char *name = string_of(figure_joint(c->figure, index), "name");
    const long long frame = number_of(pose, "frame", -1);
    const struct aiNode *node = nodes_find(c->nodes, name);
    if (node == NULL) return complain("no node %s", name);
    const struct aiMatrix4x4 matrix = world_at(node, c->animation, time);
    if (json_is_false(json_object_get(bone, "visible"))) {
        if (!c->is_scaled || size_of(&matrix) < 1e-6) return true;
        return complain("frame %lld: %s is hidden, but has a size", frame, name);
    }
    const double distance = distance_to(&matrix, bone) / size;
    c->worst = fmax(c->worst, distance);
    return distance <= TOLERANCE ||
           complain("frame %lld: %s is %.3g of the size away from where ossa pose has it", frame,
                    name, distance);
}

bool compare_poses(pose_comparison *c)
{
    const double size = clip_size(c->poses);
    const double ticks = c->animation->mTicksPerSecond / c->fps; /* a frame */
    size_t i;
    const json_t *pose;
    json_array_foreach (c->poses, i, pose) {
        /* A key may lie a rounding error after its frame. */
        const double time = ((double)number_of(pose, "frame", 0) + 0.01) * ticks;
        const size_t bones = json_array_size(json_object_get(pose, "bones"));
        for (size_t k = 0; k < bones; k++) {
            if (!compare_bone(c, pose, k, time, size)) return false;
        }
    }
    return json_array_size(c->poses) > 0;
}
