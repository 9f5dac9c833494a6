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
    /* assimp has one function for all three, but 5.2 scales the rows, not the columns. */
    const struct aiVector3D one = {1, 1, 1};
    struct aiMatrix4x4 matrix;
    struct aiMatrix4x4 scaling;
    aiMatrix4FromScalingQuaternionPosition(&matrix, &one, &rotation, &place);
    aiMatrix4Scaling(&scaling, &scale);
    aiMultiplyMatrix4(&matrix, &scaling);
    return matrix;
}

struct aiMatrix4x4 node_world(const struct aiNode *node, const struct aiAnimation *animation,
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

double distance_to(const struct aiMatrix4x4 *matrix, const json_t *place)
{
    const double shown[3] = {(double)matrix->a4, (double)matrix->b4, (double)matrix->c4};
    double sum = 0;
    for (size_t k = 0; k < 3; k++) {
        const double difference = shown[k] - json_number_value(json_array_get(place, k));
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

/* The columns of rotation * scale, as `ossa pose` has them; BVH has no scale. */
static void axes_of(const json_t *bone, bool is_scaled, double axes[3][3])
{
    const json_t *rotation = json_object_get(bone, "rotation");
    const json_t *scale = json_object_get(bone, "scale");
    const double x = json_number_value(json_array_get(rotation, 0));
    const double y = json_number_value(json_array_get(rotation, 1));
    const double z = json_number_value(json_array_get(rotation, 2));
    const double w = json_number_value(json_array_get(rotation, 3));
    const double turned[3][3] = {
        {1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
        {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
        {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)},
    };
    for (size_t i = 0; i < 3; i++) {
        const double factor = is_scaled ? json_number_value(json_array_get(scale, i)) : 1;
        for (size_t k = 0; k < 3; k++) axes[i][k] = factor * turned[i][k];
    }
}

/* How far the furthest axis is off, in lengths of an axis. */
static double axes_off(const struct aiMatrix4x4 *m, const json_t *bone, bool is_scaled)
{
    const double shown[3][3] = {{(double)m->a1, (double)m->b1, (double)m->c1},
                                {(double)m->a2, (double)m->b2, (double)m->c2},
                                {(double)m->a3, (double)m->b3, (double)m->c3}};
    double meant[3][3];
    double furthest = 0;
    double longest = 1;
    axes_of(bone, is_scaled, meant);
    for (size_t i = 0; i < 3; i++) {
        double off = 0;
        double length = 0;
        for (size_t k = 0; k < 3; k++) {
            off += (shown[i][k] - meant[i][k]) * (shown[i][k] - meant[i][k]);
            length += meant[i][k] * meant[i][k];
        }
        furthest = fmax(furthest, sqrt(off));
        longest = fmax(longest, sqrt(length));
    }
    return furthest / longest;
}

static const struct aiNode *node_of(const pose_comparison *c, size_t index, const json_t *bone)
{
    const struct aiNode *node =
        nodes_find(c->nodes, string_of(figure_joint(c->figure, index), "name"));
    /* Among glTF's nodes the figure itself has a name too, and may have taken it from a bone. */
    return node != NULL ? node : nodes_find(c->nodes, string_of(bone, "name"));
}

static bool compare_bone(pose_comparison *c, const json_t *pose, size_t index, double time,
                         double size)
{
    const json_t *bone = json_array_get(json_object_get(pose, "bones"), index);
    const char *name = string_of(bone, "name");
    const long long frame = number_of(pose, "frame", -1);
    const struct aiNode *node = node_of(c, index, bone);
    if (node == NULL) return complain("no node for %s", name);
    const struct aiMatrix4x4 matrix = node_world(node, c->animation, time);
    if (json_is_false(json_object_get(bone, "visible"))) {
        if ((size_of(&matrix) < 1e-6) == c->is_scaled) return true;
        return complain("frame %lld: %s is hidden, but has %s size", frame, name,
                        c->is_scaled ? "a" : "no");
    }
    const double distance = distance_to(&matrix, json_object_get(bone, "translation")) / size;
    const double off = axes_off(&matrix, bone, c->is_scaled);
    c->worst = fmax(c->worst, distance);
    c->worst_axis = fmax(c->worst_axis, off);
    if (distance > TOLERANCE) {
        return complain("frame %lld: %s is %.3g of the size away from where ossa pose has it",
                        frame, name, distance);
    }
    return off <= TOLERANCE ||
           complain("frame %lld: an axis of %s is %.3g off, by rotation or scale", frame, name,
                    off);
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
