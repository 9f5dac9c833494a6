/* SPDX-License-Identifier: MIT */
#include "naive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static inline void slerp(const float *a, const float *b, float t, float *out)
{
    float dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    float sign = dot < 0.0F ? -1.0F : 1.0F;
    float from = 1.0F - t;
    float to = t;
    dot *= sign;
    if (dot < 0.9995F) {
        float angle = acosf(dot);
        float scale = 1.0F / sinf(angle);
        from = sinf(from * angle) * scale;
        to = sinf(to * angle) * scale;
    }
    to *= sign;
    float q[4];
    for (unsigned i = 0; i < 4; i++) q[i] = from * a[i] + to * b[i];
    float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (unsigned i = 0; i < 4; i++) out[i] = q[i] / length;
}

static void lerp(const float *a, const float *b, float t, float *out)
{
    for (unsigned i = 0; i < 3; i++) out[i] = a[i] + t * (b[i] - a[i]);
}

struct between {
    uint32_t from;
    uint32_t to;
    float t;
};

static struct between find_frames(const ossa_clip *clip, double seconds)
{
    float frame = (float)(seconds * clip->fps);
    float last = (float)clip->frame_count - 1.0F;
    frame = frame < 0.0F ? 0.0F : frame > last ? last : frame;
    uint32_t from = (uint32_t)frame;
    uint32_t to = from + 1 < clip->frame_count ? from + 1 : from;
    return (struct between){from, to, frame - (float)from};
}

void naive_sample(const ossa_scene *scene, const ossa_clip *clip, double seconds,
                  ossa_transform *locals)
{
    const struct between at = find_frames(clip, seconds);
    memcpy(locals, clip->constant, scene->bone_count * sizeof *locals);
    const ossa_tracks *tracks = &clip->rotations;
    for (uint32_t i = 0; i < tracks->count; i++) {
        slerp(tracks->keys + ((size_t)at.from * tracks->count + i) * 4,
              tracks->keys + ((size_t)at.to * tracks->count + i) * 4, at.t,
              locals[tracks->bones[i]].rotation);
    }
    tracks = &clip->translations;
    for (uint32_t i = 0; i < tracks->count; i++) {
        lerp(tracks->keys + ((size_t)at.from * tracks->count + i) * 3,
             tracks->keys + ((size_t)at.to * tracks->count + i) * 3, at.t,
             locals[tracks->bones[i]].translation);
    }
    tracks = &clip->scales;
    for (uint32_t i = 0; i < tracks->count; i++) {
        lerp(tracks->keys + ((size_t)at.from * tracks->count + i) * 3,
             tracks->keys + ((size_t)at.to * tracks->count + i) * 3, at.t,
             locals[tracks->bones[i]].scale);
    }
}

void naive_decode(const uint32_t *keys, uint32_t count, const float *pairs, float *rotations,
                  size_t stride)
{
    for (uint32_t i = 0; i < count; i++) {
        float *q = rotations + i * stride;
        float sum = 0.0F;
        for (unsigned c = 0; c < 3; c++) {
            int field = (int)(keys[i] >> (23 - 9 * c) & 0x1ff);
            if (field >= 256) field -= 512;
            q[c] = (float)field / 256.0F * pairs[2 * c + 1] + pairs[2 * c];
            sum += q[c] * q[c];
        }
        float rest = 1.0F - sum;
        q[0] = -q[0]; /* left-handed in the file */
        q[3] = rest > 1e-9F ? sqrtf(rest) : 0.0F;
        if ((keys[i] & 16) != 0) q[3] = -q[3];
    }
}

void naive_sample_packed(const ossa_scene *scene, const ossa_clip *clip,
                         const uint32_t *const *keys, const float *const *pairs, double seconds,
                         ossa_transform *locals)
{
    const struct between at = find_frames(clip, seconds);
    memcpy(locals, clip->constant, scene->bone_count * sizeof *locals);
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        float a[4];
        float b[4];
        naive_decode(&keys[i][at.from], 1, pairs[i], a, 4);
        naive_decode(&keys[i][at.to], 1, pairs[i], b, 4);
        slerp(a, b, at.t, locals[i].rotation);
    }
}

static void to_matrix(const ossa_transform *local, float *m)
{
    const float *q = local->rotation;
    const float *s = local->scale;
    m[0] = (1.0F - 2.0F * (q[1] * q[1] + q[2] * q[2])) * s[0];
    m[1] = 2.0F * (q[0] * q[1] + q[2] * q[3]) * s[0];
    m[2] = 2.0F * (q[0] * q[2] - q[1] * q[3]) * s[0];
    m[3] = 0.0F;
    m[4] = 2.0F * (q[0] * q[1] - q[2] * q[3]) * s[1];
    m[5] = (1.0F - 2.0F * (q[0] * q[0] + q[2] * q[2])) * s[1];
    m[6] = 2.0F * (q[1] * q[2] + q[0] * q[3]) * s[1];
    m[7] = 0.0F;
    m[8] = 2.0F * (q[0] * q[2] + q[1] * q[3]) * s[2];
    m[9] = 2.0F * (q[1] * q[2] - q[0] * q[3]) * s[2];
    m[10] = (1.0F - 2.0F * (q[0] * q[0] + q[1] * q[1])) * s[2];
    m[11] = 0.0F;
    for (unsigned i = 0; i < 3; i++) m[12 + i] = local->translation[i];
    m[15] = 1.0F;
}

static void multiply(const float *a, const float *b, float *out)
{
    for (unsigned column = 0; column < 4; column++) {
        for (unsigned row = 0; row < 4; row++) {
            float sum = 0.0F;
            for (unsigned k = 0; k < 4; k++) sum += a[4 * k + row] * b[4 * column + k];
            out[4 * column + row] = sum;
        }
    }
}

void naive_matrices(const ossa_scene *scene, const ossa_transform *locals, float (*matrices)[16])
{
    for (uint32_t i = 0; i < scene->bone_count; i++) {
        int32_t parent = scene->bones[i].parent;
        float local[16];
        if (parent < 0) {
            to_matrix(&locals[i], matrices[i]);
        } else {
            to_matrix(&locals[i], local);
            multiply(matrices[parent], local, matrices[i]);
        }
    }
}

void naive_blend(const ossa_scene *scene, const ossa_transform *const *poses, const float *weights,
                 size_t count, ossa_transform *out)
{
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        ossa_transform sum = {{0}, {0}, {0}};
        for (size_t p = 0; p < count; p++) {
            const ossa_transform *pose = &poses[p][b];
            float dot = 0.0F;
            for (unsigned i = 0; i < 4; i++) dot += sum.rotation[i] * pose->rotation[i];
            float signed_weight = dot < 0.0F ? -weights[p] : weights[p];
            for (unsigned i = 0; i < 4; i++) sum.rotation[i] += signed_weight * pose->rotation[i];
            for (unsigned i = 0; i < 3; i++) {
                sum.translation[i] += weights[p] * pose->translation[i];
                sum.scale[i] += weights[p] * pose->scale[i];
            }
        }
        const float *q = sum.rotation;
        float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (unsigned i = 0; i < 4; i++) sum.rotation[i] /= length;
        out[b] = sum;
    }
}

void naive_print(const float *values, size_t count, char *text, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; used + 32 < size; i++) {
        int length = snprintf(text + used, 32, "%.9g%c", (double)values[i % count],
                              i % 10 == 9 ? '\n' : ',');
        used += (size_t)length;
    }
}

double naive_parse(const char *json, size_t size)
{
    const char *limit = json + size;
    double sum = 0.0;
    while (json < limit) {
        if (*json == '-' || (*json >= '0' && *json <= '9')) {
            char *end;
            sum += strtod(json, &end);
            json = end > json ? end : json + 1;
        } else {
            json++;
        }
    }
    return sum;
}

static int compare_names(const void *a, const void *b)
{
    return strcasecmp(*(const char *const *)a, *(const char *const *)b);
}

/* A name with its length in front; all of them end with a NUL. */
static const char *read_name(const uint8_t **at)
{
    uint32_t size;
    memcpy(&size, *at, sizeof size);
    const char *name = size > 0 ? (const char *)*at + sizeof size : NULL;
    *at += sizeof size + size;
    return name;
}

uint32_t naive_links(const uint8_t *file, size_t size)
{
    uint32_t count;
    uint32_t found = 0;
    const uint8_t *at = file + sizeof count;
    memcpy(&count, file, sizeof count);
    const char **children = calloc(count, sizeof *children);
    const char **parents = calloc(count, sizeof *parents);
    if (children == NULL || parents == NULL) abort();
    for (uint32_t i = 0; i < count && at < file + size; i++) {
        children[i] = read_name(&at);
        parents[i] = read_name(&at);
    }
    qsort(children, count, sizeof *children, compare_names);
    for (uint32_t i = 0; i < count; i++) {
        if (parents[i] == NULL) continue;
        found += bsearch(&parents[i], children, count, sizeof *children, compare_names) != NULL;
    }
    free(children);
    free(parents);
    return found;
}
