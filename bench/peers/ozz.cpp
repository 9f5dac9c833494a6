// SPDX-License-Identifier: MIT
//
// ozz-animation 0.16 as a contender: its own builders with default settings, its sampling and
// local-to-model jobs. A clip has one sampling context, as a character would.
#include "contender.h"

#include "ozz/animation/offline/animation_builder.h"
#include "ozz/animation/offline/raw_animation.h"
#include "ozz/animation/offline/raw_skeleton.h"
#include "ozz/animation/offline/skeleton_builder.h"
#include "ozz/animation/runtime/animation.h"
#include "ozz/animation/runtime/local_to_model_job.h"
#include "ozz/animation/runtime/sampling_job.h"
#include "ozz/animation/runtime/skeleton.h"
#include "ozz/base/maths/simd_math.h"
#include "ozz/base/maths/soa_transform.h"
#include "ozz/base/memory/unique_ptr.h"

#include <cstdio>
#include <cstdlib>

namespace
{

using ozz::animation::offline::RawAnimation;
using ozz::animation::offline::RawSkeleton;

struct Clip {
    ozz::unique_ptr<ozz::animation::Skeleton> skeleton;
    ozz::unique_ptr<ozz::animation::Animation> animation;
    ozz::animation::SamplingJob::Context context;
    double duration;
};

// The pose that was sampled last.
ozz::vector<ozz::math::SoaTransform> pose;

void require(bool good, const char *what)
{
    if (good) return;
    std::fprintf(stderr, "ozz-animation: %s failed\n", what);
    std::exit(1);
}

ozz::math::Float3 vector_of(const float *v)
{
    return ozz::math::Float3(v[0], v[1], v[2]);
}

ozz::math::Quaternion rotation_of(const float *q)
{
    return ozz::math::Quaternion(q[0], q[1], q[2], q[3]);
}

// ozz sorts joints depth first, which is the order of the figure's bones.
void add_children(const ossa_scene *scene, int32_t parent, RawSkeleton::Joint::Children &children)
{
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        if (scene->bones[i].parent != parent) continue;
        const ossa_transform &rest = scene->bones[i].rest;
        RawSkeleton::Joint joint;
        joint.name = scene->bones[i].name;
        joint.transform.translation = vector_of(rest.translation);
        joint.transform.rotation = rotation_of(rest.rotation);
        joint.transform.scale = vector_of(rest.scale);
        add_children(scene, static_cast<int32_t>(i), joint.children);
        children.push_back(joint);
    }
}

RawAnimation raw_animation_of(const ossa_scene *scene, const ossa_clip *clip)
{
    RawAnimation raw;
    raw.duration = static_cast<float>((clip->frame_count - 1) / clip->fps);
    raw.tracks.resize(scene->bone_count);
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        raw.tracks[i].translations.push_back({0.0F, vector_of(clip->constant[i].translation)});
        raw.tracks[i].rotations.push_back({0.0F, rotation_of(clip->constant[i].rotation)});
        raw.tracks[i].scales.push_back({0.0F, vector_of(clip->constant[i].scale)});
    }
    const ossa_tracks &rotations = clip->rotations;
    const ossa_tracks &translations = clip->translations;
    for (uint32_t i = 0; i < rotations.count; i++) raw.tracks[rotations.bones[i]].rotations.clear();
    for (uint32_t i = 0; i < translations.count; i++) {
        raw.tracks[translations.bones[i]].translations.clear();
    }
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        float time = static_cast<float>(f / clip->fps);
        if (time > raw.duration) time = raw.duration;
        for (uint32_t i = 0; i < rotations.count; i++) {
            const float *key = rotations.keys + (static_cast<size_t>(f) * rotations.count + i) * 4;
            raw.tracks[rotations.bones[i]].rotations.push_back({time, rotation_of(key)});
        }
        for (uint32_t i = 0; i < translations.count; i++) {
            const float *key =
                translations.keys + (static_cast<size_t>(f) * translations.count + i) * 3;
            raw.tracks[translations.bones[i]].translations.push_back({time, vector_of(key)});
        }
    }
    return raw;
}

void *open_clip(const ossa_scene *scene, const ossa_clip *clip)
{
    RawSkeleton raw;
    add_children(scene, -1, raw.roots);
    Clip *out = new Clip;
    out->skeleton = ozz::animation::offline::SkeletonBuilder()(raw);
    require(out->skeleton != nullptr, "SkeletonBuilder");
    out->animation = ozz::animation::offline::AnimationBuilder()(raw_animation_of(scene, clip));
    require(out->animation != nullptr, "AnimationBuilder");
    out->context.Resize(out->skeleton->num_joints());
    out->duration = (clip->frame_count - 1) / clip->fps;
    pose.resize(static_cast<size_t>(out->skeleton->num_soa_joints()));
    return out;
}

void sample(void *user, double seconds)
{
    Clip *clip = static_cast<Clip *>(user);
    ozz::animation::SamplingJob job;
    job.ratio = static_cast<float>(seconds / clip->duration);
    job.animation = clip->animation.get();
    job.context = &clip->context;
    job.output = ozz::make_span(pose);
    require(job.Run(), "SamplingJob");
}

// A Float4x4 is four columns of four floats, as it is here; the buffer is aligned enough.
void to_matrices(void *user, float (*matrices)[16])
{
    const Clip *clip = static_cast<const Clip *>(user);
    ozz::animation::LocalToModelJob job;
    job.skeleton = clip->skeleton.get();
    job.input = ozz::make_span(pose);
    job.output = ozz::span<ozz::math::Float4x4>(reinterpret_cast<ozz::math::Float4x4 *>(matrices),
                                                static_cast<size_t>(clip->skeleton->num_joints()));
    require(job.Run(), "LocalToModelJob");
}

void close_clip(void *user)
{
    delete static_cast<Clip *>(user);
}

} // namespace

const struct contender ozz_contender = {"ozz-animation", open_clip,  sample, to_matrices,
                                        nullptr,         close_clip, 0.02F};
