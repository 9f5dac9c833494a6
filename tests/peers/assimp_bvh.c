/* SPDX-License-Identifier: MIT
 *
 * BVH in assimp: joints, frames and rate as the text has them, bones where `ossa pose` has them. */
#include "assimp_check.h"

#include <assimp/cimport.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define END_SITE "EndSite_" /* what assimp calls the end of a limb */

typedef struct bvh_text {
    unsigned joints;
    unsigned frames;
    double frame_time;
} bvh_text;

/* Only what is asked below, word by word. */
static bool read_text(const char *path, bvh_text *out)
{
    char word[256];
    memset(out, 0, sizeof *out);
    FILE *file = fopen(path, "rb");
    if (file == NULL) return complain("%s is not there", path);
    while (fscanf(file, "%255s", word) == 1) {
        if (strcmp(word, "ROOT") == 0 || strcmp(word, "JOINT") == 0) out->joints++;
        if (strcmp(word, "Frames:") == 0 && fscanf(file, "%255s", word) == 1) {
            out->frames = (unsigned)strtoul(word, NULL, 10);
        }
        if (strcmp(word, "Time:") == 0 && fscanf(file, "%255s", word) == 1) {
            out->frame_time = strtod(word, NULL);
            break;
        }
    }
    (void)fclose(file);
    return out->frame_time > 0 || complain("%s has no frame time", path);
}

static bool check_shape(const bvh_text *text, const struct aiScene *scene, const node_list *list)
{
    unsigned joints = 0;
    for (size_t i = 0; i < list->count; i++) {
        joints += strncmp(list->nodes[i]->mName.data, END_SITE, strlen(END_SITE)) != 0;
    }
    if (joints != text->joints) return complain("%u joints, not %u", joints, text->joints);
    if (scene->mNumMeshes != 1 || scene->mMeshes[0]->mNumBones == 0) {
        return complain("no mesh of its own, or one without bones");
    }
    if (scene->mNumAnimations != 1) return complain("%u animations", scene->mNumAnimations);
    const struct aiAnimation *animation = scene->mAnimations[0];
    if (animation->mNumChannels != joints) {
        return complain("%u channels for %u joints", animation->mNumChannels, joints);
    }
    for (unsigned i = 0; i < animation->mNumChannels; i++) {
        const struct aiNodeAnim *channel = animation->mChannels[i];
        if (channel->mNumRotationKeys != text->frames) {
            return complain("%s has %u keys for %u frames", channel->mNodeName.data,
                            channel->mNumRotationKeys, text->frames);
        }
    }
    return true;
}

static bool check_rate(const peer_figure *figure, const char *clip, const json_t *poses,
                       const bvh_text *text, const struct aiAnimation *animation)
{
    const double fps = clip_fps(figure, clip);
    if (text->frames != json_array_size(poses)) {
        return complain("%u frames, not %zu", text->frames, json_array_size(poses));
    }
    if (fabs(animation->mTicksPerSecond - fps) > 1e-4 * fps) {
        return complain("%g frames a second, not %g", animation->mTicksPerSecond, fps);
    }
    if (fabs(animation->mDuration - (double)(text->frames - 1)) > 1e-6) {
        return complain("%g frames long, not %u", animation->mDuration, text->frames - 1);
    }
    return true;
}

static bool check_clip(const peer_figure *figure, const char *clip, const json_t *poses,
                       double *worst)
{
    char path[1024];
    bvh_text text;
    (void)snprintf(path, sizeof path, "%s/%s/%s.bvh", figure->folder, figure->name, clip);
    if (!read_text(path, &text)) return false;
    const struct aiScene *scene = aiImportFile(path, 0);
    if (scene == NULL) return complain("%s", aiGetErrorString());
    node_list list = {NULL, 0};
    bool fine = nodes_collect(scene, &list) && check_shape(&text, scene, &list) &&
                check_rate(figure, clip, poses, &text, scene->mAnimations[0]);
    if (fine) {
        pose_comparison c = {.figure = figure,
                             .poses = poses,
                             .nodes = &list,
                             .animation = scene->mAnimations[0],
                             .fps = clip_fps(figure, clip)};
        fine = compare_poses(&c);
        worst[0] = fmax(worst[0], c.worst);
        worst[1] = fmax(worst[1], c.worst_axis);
    }
    nodes_free(&list);
    aiReleaseImport(scene);
    return fine || complain("so in %s", path);
}

/* A bone that is to be elsewhere has to be missed. */
static bool check_damage(const peer_figure *figure)
{
    void *first = json_object_iter(figure->clips);
    const json_t *poses = json_object_iter_value(first);
    double worst[2] = {0, 0};
    complaints_silence(true);
    clip_damage(poses, 1);
    const bool passes = check_clip(figure, json_object_iter_key(first), poses, worst);
    clip_damage(poses, -1);
    complaints_silence(false);
    return !passes || complain("a bone in another place was not noticed");
}

bool check_bvh(peer_figure *figure, const peer_results *results)
{
    const char *clip;
    json_t *poses;
    double worst[2] = {0, 0};
    json_object_foreach (figure->clips, clip, poses) {
        if (!check_clip(figure, clip, poses, worst)) return false;
    }
    result_add(results, figure, "bones in every frame", "within 1e-4", &worst[0]);
    result_add(results, figure, "rotations and scales", "rotations only, within 1e-4", &worst[1]);
    result_add(results, figure, "all clips by name", "one file per clip", NULL);
    result_add(results, figure, "frame rate and duration", "yes", NULL);
    result_add(results, figure, "skeleton without a mesh", "yes, with a generated mesh", NULL);
    if (figure_renames(figure)) {
        result_add(results, figure, "bone names", "cleaned names only", NULL);
    }
    if (figure_hides(figure)) {
        result_add(results, figure, "hidden objects", "no, they stay visible", NULL);
    }
    return check_damage(figure);
}
