// SPDX-License-Identifier: MIT
//
// The Animation Compression Library 2.1 as a contender: its default settings, and Realtime Math for
// the matrices, which ACL leaves to its users.
#include "contender.h"

#include "acl/compression/compress.h"
#include "acl/compression/track.h"
#include "acl/compression/track_array.h"
#include "acl/compression/transform_error_metrics.h"
#include "acl/core/ansi_allocator.h"
#include "acl/decompression/decompress.h"
#include "rtm/matrix3x4f.h"
#include "rtm/quatf.h"
#include "rtm/qvvf.h"
#include "rtm/vector4f.h"

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace
{

struct Clip {
    acl::compressed_tracks *tracks = nullptr;
    acl::decompression_context<acl::default_transform_decompression_settings> context;
    const ossa_scene *scene = nullptr;
};

acl::ansi_allocator allocator;
std::vector<rtm::qvvf> pose; // that was sampled last

struct Writer : public acl::track_writer {
    void RTM_SIMD_CALL write_rotation(uint32_t track, rtm::quatf_arg0 rotation)
    {
        pose[track].rotation = rotation;
    }
    void RTM_SIMD_CALL write_translation(uint32_t track, rtm::vector4f_arg0 translation)
    {
        pose[track].translation = translation;
    }
    void RTM_SIMD_CALL write_scale(uint32_t track, rtm::vector4f_arg0 scale)
    {
        pose[track].scale = scale;
    }
};

void require(bool good, const char *what)
{
    if (good) return;
    std::fprintf(stderr, "ACL: %s failed\n", what);
    std::exit(1);
}

rtm::vector4f vector_of(const float *v)
{
    return rtm::vector_set(v[0], v[1], v[2], 0.0F);
}

rtm::quatf rotation_of(const float *q)
{
    return rtm::quat_set(q[0], q[1], q[2], q[3]);
}

rtm::qvvf transform_of(const ossa_transform &t)
{
    rtm::qvvf out;
    out.rotation = rotation_of(t.rotation);
    out.translation = vector_of(t.translation);
    out.scale = vector_of(t.scale);
    return out;
}

acl::track_array_qvvf raw_tracks_of(const ossa_scene *scene, const ossa_clip *clip)
{
    acl::track_array_qvvf tracks(allocator, scene->bone_count);
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        acl::track_desc_transformf description;
        int32_t parent = scene->bones[i].parent;
        description.output_index = i;
        description.parent_index =
            parent < 0 ? acl::k_invalid_track_index : static_cast<uint32_t>(parent);
        acl::track_qvvf track = acl::track_qvvf::make_reserve(
            description, allocator, clip->frame_count, static_cast<float>(clip->fps));
        for (uint32_t f = 0; f < clip->frame_count; f++) {
            track[f] = transform_of(clip->constant[i]);
        }
        tracks[i] = std::move(track);
    }
    for (uint32_t f = 0; f < clip->frame_count; f++) {
        const ossa_tracks &rotations = clip->rotations;
        for (uint32_t i = 0; i < rotations.count; i++) {
            const float *key = rotations.keys + (static_cast<size_t>(f) * rotations.count + i) * 4;
            tracks[rotations.bones[i]][f].rotation = rotation_of(key);
        }
        const ossa_tracks &translations = clip->translations;
        for (uint32_t i = 0; i < translations.count; i++) {
            const float *key =
                translations.keys + (static_cast<size_t>(f) * translations.count + i) * 3;
            tracks[translations.bones[i]][f].translation = vector_of(key);
        }
    }
    return tracks;
}

void *open_clip(const ossa_scene *scene, const ossa_clip *clip)
{
    acl::compression_settings settings = acl::get_default_compression_settings();
    acl::qvvf_transform_error_metric metric;
    acl::output_stats stats;
    settings.error_metric = &metric;
    Clip *out = new Clip;
    const acl::track_array_qvvf tracks = raw_tracks_of(scene, clip);
    require(acl::compress_track_list(allocator, tracks, settings, out->tracks, stats).empty(),
            "compress_track_list");
    require(out->context.initialize(*out->tracks), "initialize");
    out->scene = scene;
    pose.resize(scene->bone_count);
    return out;
}

void sample(void *user, double seconds)
{
    Clip *clip = static_cast<Clip *>(user);
    Writer writer;
    clip->context.seek(static_cast<float>(seconds), acl::sample_rounding_policy::none);
    clip->context.decompress_tracks(writer);
}

void store(const rtm::matrix3x4f &matrix, float out[16])
{
    rtm::vector_store(matrix.x_axis, out);
    rtm::vector_store(matrix.y_axis, out + 4);
    rtm::vector_store(matrix.z_axis, out + 8);
    rtm::vector_store(matrix.w_axis, out + 12);
}

// The fourth row of a product is that of the parent's matrix, so only a root's has to be set.
void to_matrices(void *user, float (*matrices)[16])
{
    const ossa_scene *scene = static_cast<const Clip *>(user)->scene;
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        const int32_t parent = scene->bones[i].parent;
        const rtm::matrix3x4f local = rtm::matrix_from_qvv(pose[i]);
        float *out = matrices[i];
        if (parent < 0) {
            store(local, out);
            out[3] = out[7] = out[11] = 0.0F;
            out[15] = 1.0F;
        } else {
            const float *above = matrices[parent];
            const rtm::matrix3x4f model =
                rtm::matrix_set(rtm::vector_load(above), rtm::vector_load(above + 4),
                                rtm::vector_load(above + 8), rtm::vector_load(above + 12));
            store(rtm::matrix_mul(local, model), out);
        }
    }
}

void close_clip(void *user)
{
    Clip *clip = static_cast<Clip *>(user);
    allocator.deallocate(clip->tracks, clip->tracks->get_size());
    delete clip;
}

} // namespace

const struct contender acl_contender = {"ACL",   open_clip,  sample, to_matrices,
                                        nullptr, close_clip, 0.02F};
