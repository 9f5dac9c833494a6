/* SPDX-License-Identifier: MIT
 *
 * What the kernels of a machine compute from a million and more random keys, as one number per
 * kernel: it is the same on every machine. Compiled for others by lanes.sh, so it needs nothing but
 * C. */
#include "lanes/kernels.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BONES = 61, GROUPS = OSSA_SOA_COUNT(BONES), ROUNDS = 5000 };

static uint32_t state;

static uint32_t next(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

/* From -1 to 1. */
static float number(void)
{
    return (float)((int32_t)(next() >> 7) - (1 << 24)) / (float)(1 << 24);
}

/* Of length 1 but for rounding; `near` of them are close to `from`. */
static void rotation(const float *from, float q[4])
{
    static const float sizes[] = {0.0F, 1e-6F, 1e-3F, 0.1F, 1.0F, 4.0F};
    float size = sizes[next() % (sizeof sizes / sizeof sizes[0])];
    float sum = 0.0F;
    for (unsigned k = 0; k < 4; k++) {
        q[k] = from == NULL ? number() : from[k] + size * number();
        sum += q[k] * q[k];
    }
    float factor = 1.0F / sqrtf(sum);
    if (next() % 2 == 0) factor = -factor;
    for (unsigned k = 0; k < 4; k++) q[k] *= factor;
}

/* Of 32-bit words, lowest byte first on every machine. */
static uint64_t hash_of(uint64_t hash, const void *words, size_t size)
{
    for (size_t i = 0; i < size; i += 4) {
        uint32_t word;
        memcpy(&word, (const uint8_t *)words + i, sizeof word);
        for (unsigned k = 0; k < 32; k += 8) hash = (hash ^ (word >> k & 0xff)) * 0x100000001b3U;
    }
    return hash;
}

/* Keys as tracks, and as groups of which some are packed and some have bones that do not change. */
struct data {
    float from[BONES][4];
    float to[BONES][4];
    float part;
    uint32_t bones[BONES];
    int32_t parents[BONES];
    ossa_transform locals[BONES];
    struct ossa__bone_group groups[GROUPS];
    struct ossa__packing packing[GROUPS];
    float frames[2][GROUPS][10][OSSA_SOA_LANES];
    float parts[OSSA_SOA_LANES];
};

static void fill_group(struct data *data, uint32_t g)
{
    struct ossa__bone_group *group = &data->groups[g];
    struct ossa__packing *packing = &data->packing[g];
    float *constant = group->constant.translation[0];
    memset(packing, 0, sizeof *packing);
    for (unsigned i = 0; i < 10 * OSSA_SOA_LANES; i++) constant[i] = number();
    group->kind = (next() % 2 ? OSSA__ROTATES : OSSA__PACKED) | OSSA__MOVES | OSSA__SCALES;
    if (next() % 2) group->kind |= OSSA__SOME_ROTATE | OSSA__SOME_MOVE | OSSA__SOME_SCALE;
    group->packing = group->kind & OSSA__PACKED ? packing : NULL;
    packing->same_missing = next() % 2 ? -1 : (int32_t)(next() % 4);
    for (unsigned lane = 0; lane < OSSA_SOA_LANES; lane++) {
        uint32_t missing = packing->same_missing < 0 ? next() % 4 : (uint32_t)packing->same_missing;
        packing->missing[missing][lane] = -1;
        packing->flip[lane] = next() % 2 ? INT32_MIN : 0;
        for (unsigned i = 0; i < 3; i++) {
            packing->step[i][lane] = number() / 400.0F;
            packing->centre[i][lane] = number() / 8.0F;
        }
        group->rotates[lane] = next() % 2 ? -1 : 0;
        group->moves[lane] = next() % 2 ? -1 : 0;
        group->scales[lane] = next() % 2 ? -1 : 0;
    }
    for (unsigned frame = 0; frame < 2; frame++) {
        float(*block)[OSSA_SOA_LANES] = data->frames[frame][g];
        for (unsigned lane = 0; lane < OSSA_SOA_LANES; lane++) {
            float q[4];
            rotation(NULL, q);
            for (unsigned k = 0; k < 4; k++) block[k][lane] = q[k];
        }
        if (group->kind & OSSA__PACKED) {
            for (unsigned lane = 0; lane < OSSA_SOA_LANES; lane++) {
                uint32_t key = next();
                memcpy(&block[0][lane], &key, sizeof key);
            }
        }
        for (unsigned row = group->kind & OSSA__PACKED ? 1 : 4; row < 10; row++) {
            for (unsigned lane = 0; lane < OSSA_SOA_LANES; lane++) block[row][lane] = number();
        }
    }
}

static void fill(struct data *data)
{
    data->part = (float)(next() % 1024) / 1024.0F;
    for (uint32_t i = 0; i < BONES; i++) {
        rotation(NULL, data->from[i]);
        rotation(data->from[i], data->to[i]);
        data->bones[i] = (i * 7) % BONES;
        data->parents[i] = i == 0 || next() % 9 == 0 ? -1 : (int32_t)(next() % i);
        memcpy(data->locals[i].rotation, data->to[i], sizeof data->to[i]);
        for (unsigned k = 0; k < 3; k++) {
            data->locals[i].translation[k] = number();
            data->locals[i].scale[k] = number();
        }
    }
    for (uint32_t g = 0; g < GROUPS; g++) fill_group(data, g);
    for (unsigned lane = 0; lane < OSSA_SOA_LANES; lane++) {
        data->parts[lane] = (float)(next() % 9) / 8.0F;
    }
}

static uint64_t run(const struct ossa__kernels *kernels, const struct data *data, uint64_t hash)
{
    static ossa_transform locals[BONES];
    static float matrices[BONES][16];
    static ossa_soa soa[GROUPS];
    static float unpacked[BONES][4];
    memset(locals, 0, sizeof locals); /* not all of it is written */
    const struct ossa__between keys = {data->from[0], data->to[0], data->part};
    kernels->mix_rotations(keys, data->bones, BONES, locals);
    hash = hash_of(hash, locals, sizeof locals);
    kernels->model_matrices(data->parents, sizeof(int32_t), data->locals, BONES, matrices);
    hash = hash_of(hash, matrices, sizeof matrices);
    for (uint32_t g = 0; g < GROUPS; g++) { /* the blocks of a packed group are shorter */
        const struct ossa__bone_groups one = {OSSA_SOA_LANES, 1, &data->groups[g], data->locals};
        const struct ossa__between frames = {data->frames[0][g][0], data->frames[1][g][0],
                                             data->part};
        kernels->sample(&one, frames, &soa[g]);
        kernels->sample_locals(&one, frames, locals);
        hash = hash_of(hash, locals, OSSA_SOA_LANES * sizeof *locals);
        kernels->sample_matrices(&one, frames, data->parents, matrices);
        hash = hash_of(hash, matrices, OSSA_SOA_LANES * sizeof *matrices);
    }
    hash = hash_of(hash, soa, sizeof soa);
    kernels->soa_matrices(soa, data->parents, BONES, matrices);
    hash = hash_of(hash, matrices, sizeof matrices);
    for (uint32_t g = 1; g < GROUPS; g++) kernels->blend(&soa[g - 1], &soa[g], data->parts);
    hash = hash_of(hash, soa, sizeof soa);
    struct ossa__packing packing = data->packing[0];
    packing.same_missing = 0;
    while (packing.missing[packing.same_missing][0] == 0) packing.same_missing++;
    const struct ossa__packed_shifts shifts = OSSA__SHIFTS_IN_ORDER;
    const uint32_t *packed = (const uint32_t *)(const void *)data->from;
    size_t count = kernels->unpack(packed, BONES, &shifts, &packing, unpacked[0], 4);
    hash = hash_of(hash, unpacked, count * sizeof *unpacked);
    bool is_valid = kernels->unpack_exactly(packed, BONES, &packing, unpacked[0], 4);
    hash = hash_of(hash, unpacked, sizeof unpacked);
    bool are_rotations = kernels->are_rotations(data->from[0], BONES);
    const uint32_t answers[2] = {is_valid, are_rotations};
    return hash_of(hash, answers, sizeof answers);
}

int main(void)
{
    static struct data data;
    const struct ossa__kernels *list[3];
    uint64_t hashes[3];
    size_t count = ossa__kernels_list(list);
    for (size_t k = 0; k < count; k++) hashes[k] = 0xcbf29ce484222325U;
    state = 2463534242U;
    for (unsigned round = 0; round < ROUNDS; round++) {
        fill(&data);
        for (size_t k = 0; k < count; k++) hashes[k] = run(list[k], &data, hashes[k]);
    }
    for (size_t k = 0; k < count; k++) printf("%s %016" PRIx64 "\n", list[k]->name, hashes[k]);
    return 0;
}
