/* SPDX-License-Identifier: MIT
 *
 * The kernels, for one width. Included by kernels_1.c, kernels_4.c and kernels_8.c alone. */
#include "lanes/matrices.h"
#include "lanes/mix.h"
#include "lanes/unpack.h"
#include "lanes/unpack_exact.h"

/* ---- from the tracks of a clip --------------------------------------------------------------- */

INLINE void mix_rows(const float *const from[OSSA__WIDTH], const float *const to[OSSA__WIDTH],
                     const struct arc *arc, vrow rows[OSSA__WIDTH])
{
    vf a[4];
    vf b[4];
    vf q[4];
    vf_load_rows(from, a);
    vf_load_rows(to, b);
    mix(a, b, arc, q);
    vf_to_rows(q, rows);
}

static void mix_rotations(struct ossa__between keys, const uint32_t *bones, uint32_t count,
                          ossa_transform *locals)
{
    const float *from[OSSA__WIDTH];
    const float *to[OSSA__WIDTH];
    vrow rows[OSSA__WIDTH];
    if (keys.part == 0.0F) {
        for (uint32_t i = 0; i < count; i++) {
            memcpy(locals[bones[i]].rotation, keys.from + (size_t)i * 4, 4 * sizeof(float));
        }
        return;
    }
    struct arc arc = arc_at(vf_all(keys.part));
    uint32_t i = 0;
    for (; count - i >= OSSA__WIDTH; i += OSSA__WIDTH) {
        for (uint32_t j = 0; j < OSSA__WIDTH; j++) {
            from[j] = keys.from + (size_t)(i + j) * 4;
            to[j] = keys.to + (size_t)(i + j) * 4;
        }
        mix_rows(from, to, &arc, rows);
        for (uint32_t j = 0; j < OSSA__WIDTH; j++) {
            vrow_store(locals[bones[i + j]].rotation, rows[j]);
        }
    }
    if (i == count) return;
    for (uint32_t j = 0; j < OSSA__WIDTH; j++) { /* the last one fills the lanes that are left */
        uint32_t at = i + j < count ? i + j : count - 1;
        from[j] = keys.from + (size_t)at * 4;
        to[j] = keys.to + (size_t)at * 4;
    }
    mix_rows(from, to, &arc, rows);
    for (uint32_t j = 0; i + j < count; j++) vrow_store(locals[bones[i + j]].rotation, rows[j]);
}

/* How many of the bones from `first` on are in one register? */
INLINE uint32_t bones_left(uint32_t count, uint32_t first)
{
    if (first >= count) return 0;
    return count - first < OSSA__WIDTH ? count - first : OSSA__WIDTH;
}

static void model_matrices(const int32_t *parents, size_t stride, const ossa_transform *locals,
                           uint32_t count, float (*matrices)[16])
{
    for (uint32_t i = 0; i < count; i += OSSA__WIDTH) {
        /* Ten floats as three rows of four that overlap, within the transform. */
        const float *rows[3][OSSA__WIDTH];
        uint32_t left = bones_left(count, i);
        vf values[3][4];
        for (uint32_t j = 0; j < OSSA__WIDTH; j++) {
            const ossa_transform *local = &locals[i + (j < left ? j : left - 1)];
            const float *floats = local->translation;
            rows[0][j] = floats;
            rows[1][j] = floats + 3;
            rows[2][j] = floats + 6;
        }
        for (unsigned r = 0; r < 3; r++) vf_load_rows(rows[r], values[r]);
        struct pose pose = {{values[0][0], values[0][1], values[0][2]},
                            {values[1][0], values[1][1], values[1][2], values[1][3]},
                            {values[2][1], values[2][2], values[2][3]}};
        place_all(&pose, parents, stride, i, left, matrices);
    }
}

/* ---- from a runtime clip --------------------------------------------------------------------- */

INLINE void load_block(const float *block, unsigned rows, unsigned lane, vf *values)
{
    for (unsigned k = 0; k < rows; k++) values[k] = vf_load(block + OSSA_SOA_LANES * k + lane);
}

/* Keep what changes, and take the constants of the other lanes. */
INLINE void keep(const int32_t *changes, const float *constant, unsigned rows, unsigned lane,
                 vf *values)
{
    vi mask = vi_load(changes + lane);
    for (unsigned k = 0; k < rows; k++) {
        values[k] = vf_choose(mask, values[k], vf_load(constant + OSSA_SOA_LANES * k + lane));
    }
}

INLINE void mix_rotation_block(const struct ossa__packing *packing, struct ossa__between block,
                               unsigned lane, const struct arc *arc, vf q[4])
{
    const struct ossa__packed_shifts shifts = OSSA__SHIFTS_IN_ORDER;
    vf a[4];
    vf b[4];
    if (packing == NULL) {
        load_block(block.from, 4, lane, a);
        load_block(block.to, 4, lane, b);
    } else { /* all keys are valid */
        (void)unpack((const uint32_t *)(const void *)block.from + lane, &shifts, packing, lane, a);
        (void)unpack((const uint32_t *)(const void *)block.to + lane, &shifts, packing, lane, b);
    }
    if (block.part == 0.0F) memcpy(q, a, sizeof a);
    else mix(a, b, arc, q);
}

INLINE void mix_vector_block(struct ossa__between block, unsigned lane, vf out[3])
{
    vf a[3];
    vf b[3];
    load_block(block.from, 3, lane, a);
    load_block(block.to, 3, lane, b);
    if (block.part == 0.0F) memcpy(out, a, sizeof a);
    else mix_vector(a, b, vf_all(block.part), out);
}

INLINE struct ossa__between skip(struct ossa__between block, size_t floats)
{
    return (struct ossa__between){block.from + floats, block.to + floats, block.part};
}

INLINE void store_soa(const struct pose *pose, unsigned lane, ossa_soa *out)
{
    for (unsigned k = 0; k < 3; k++) vf_store(&out->translation[k][lane], pose->t[k]);
    for (unsigned k = 0; k < 4; k++) vf_store(&out->rotation[k][lane], pose->q[k]);
    for (unsigned k = 0; k < 3; k++) vf_store(&out->scale[k][lane], pose->s[k]);
}

INLINE void load_soa(const ossa_soa *from, unsigned lane, struct pose *pose)
{
    load_block(from->translation[0], 3, lane, pose->t);
    load_block(from->rotation[0], 4, lane, pose->q);
    load_block(from->scale[0], 3, lane, pose->s);
}

/* Eight bones, from the two frames' blocks of their group. */
INLINE void sample_lanes(const struct ossa__bone_group *group, const struct ossa__packing *packing,
                         struct ossa__between block, const struct arc *arc, ossa_soa *out)
{
    const unsigned rotation = OSSA__ROTATES | OSSA__PACKED;
    const ossa_soa *constant = &group->constant;
    unsigned kind = group->kind;
    struct ossa__between moves = skip(block, ossa__block_size(kind & rotation));
    struct ossa__between scales = skip(moves, ossa__block_size(kind & OSSA__MOVES));
    for (unsigned lane = 0; lane < OSSA_SOA_LANES; lane += OSSA__WIDTH) {
        struct pose pose;
        if (kind & rotation) mix_rotation_block(packing, block, lane, arc, pose.q);
        else load_block(constant->rotation[0], 4, lane, pose.q);
        if (kind & OSSA__SOME_ROTATE) keep(group->rotates, constant->rotation[0], 4, lane, pose.q);
        if (kind & OSSA__MOVES) mix_vector_block(moves, lane, pose.t);
        else load_block(constant->translation[0], 3, lane, pose.t);
        if (kind & OSSA__SOME_MOVE) keep(group->moves, constant->translation[0], 3, lane, pose.t);
        if (kind & OSSA__SCALES) mix_vector_block(scales, lane, pose.s);
        else load_block(constant->scale[0], 3, lane, pose.s);
        if (kind & OSSA__SOME_SCALE) keep(group->scales, constant->scale[0], 3, lane, pose.s);
        store_soa(&pose, lane, out);
    }
}

/* Apart, because registers are few and unpacking takes many. */
OUT_OF_LINE void sample_packed(const struct ossa__bone_group *group, struct ossa__between block,
                               const struct arc *arc, ossa_soa *out)
{
    sample_lanes(group, group->packing, block, arc, out);
}

INLINE void sample_group(const struct ossa__bone_group *group, struct ossa__between block,
                         const struct arc *arc, ossa_soa *out)
{
    if (group->kind == OSSA__ROTATES && block.part != 0.0F) { /* almost always: 8 % of the time */
        for (unsigned lane = 0; lane < OSSA_SOA_LANES; lane += OSSA__WIDTH) {
            struct pose pose;
            vf a[4];
            vf b[4];
            load_soa(&group->constant, lane, &pose);
            load_block(block.from, 4, lane, a);
            load_block(block.to, 4, lane, b);
            mix(a, b, arc, pose.q);
            store_soa(&pose, lane, out);
        }
        return;
    }
    if (group->packing != NULL) sample_packed(group, block, arc, out);
    else sample_lanes(group, NULL, block, arc, out);
}

static void sample(const struct ossa__bone_groups *groups, struct ossa__between frames,
                   ossa_soa *pose)
{
    const struct arc arc = arc_at(vf_all(frames.part));
    for (uint32_t g = 0; g < groups->count; g++) {
        const struct ossa__bone_group *group = &groups->of[g];
        sample_group(group, frames, &arc, &pose[g]);
        frames = skip(frames, ossa__block_size(group->kind));
    }
}

/* To the same member of neighbouring transforms. */
INLINE void store_vectors(const vf v[3], uint32_t count, float *member)
{
    float values[3][OSSA__WIDTH];
    for (unsigned k = 0; k < 3; k++) vf_store(values[k], v[k]);
    for (uint32_t i = 0; i < count; i++, member += sizeof(ossa_transform) / sizeof *member) {
        for (unsigned k = 0; k < 3; k++) member[k] = values[k][i];
    }
}

/* What changes of eight bones, over their constants. */
INLINE void local_lanes(const struct ossa__bone_group *group, const struct ossa__packing *packing,
                        struct ossa__between block, const struct arc *arc, uint32_t count,
                        ossa_transform *locals)
{
    const unsigned rotation = OSSA__ROTATES | OSSA__PACKED;
    const ossa_soa *constant = &group->constant;
    unsigned kind = group->kind;
    struct ossa__between moves = skip(block, ossa__block_size(kind & rotation));
    struct ossa__between scales = skip(moves, ossa__block_size(kind & OSSA__MOVES));
    for (unsigned lane = 0; lane < OSSA_SOA_LANES; lane += OSSA__WIDTH) {
        uint32_t left = bones_left(count, lane);
        if (kind & rotation) {
            vf q[4];
            vrow rows[OSSA__WIDTH];
            mix_rotation_block(packing, block, lane, arc, q);
            if (kind & OSSA__SOME_ROTATE) keep(group->rotates, constant->rotation[0], 4, lane, q);
            vf_to_rows(q, rows);
            for (uint32_t i = 0; i < left; i++) vrow_store(locals[lane + i].rotation, rows[i]);
        }
        if (kind & OSSA__MOVES) {
            vf t[3];
            mix_vector_block(moves, lane, t);
            if (kind & OSSA__SOME_MOVE) keep(group->moves, constant->translation[0], 3, lane, t);
            store_vectors(t, left, locals[lane].translation);
        }
        if (kind & OSSA__SCALES) {
            vf s[3];
            mix_vector_block(scales, lane, s);
            if (kind & OSSA__SOME_SCALE) keep(group->scales, constant->scale[0], 3, lane, s);
            store_vectors(s, left, locals[lane].scale);
        }
    }
}

OUT_OF_LINE void local_packed(const struct ossa__bone_group *group, struct ossa__between block,
                              const struct arc *arc, uint32_t count, ossa_transform *locals)
{
    local_lanes(group, group->packing, block, arc, count, locals);
}

static void sample_locals(const struct ossa__bone_groups *groups, struct ossa__between frames,
                          ossa_transform *locals)
{
    const struct arc arc = arc_at(vf_all(frames.part));
    if (groups->bone_count == 0) return; /* then `locals` may be NULL, which memcpy must not get */
    memcpy(locals, groups->constant, groups->bone_count * sizeof *locals);
    for (uint32_t g = 0; g < groups->count; g++) {
        const struct ossa__bone_group *group = &groups->of[g];
        uint32_t first = g * OSSA_SOA_LANES;
        uint32_t count = groups->bone_count - first;
        if (group->packing != NULL) local_packed(group, frames, &arc, count, locals + first);
        else local_lanes(group, NULL, frames, &arc, count, locals + first);
        frames = skip(frames, ossa__block_size(group->kind));
    }
}

static void soa_matrices(const ossa_soa *soa, const int32_t *parents, uint32_t count,
                         float (*matrices)[16])
{
    for (uint32_t i = 0; i < count; i += OSSA__WIDTH) {
        struct pose pose;
        load_soa(&soa[i / OSSA_SOA_LANES], i % OSSA_SOA_LANES, &pose);
        place_all(&pose, parents, sizeof *parents, i, bones_left(count, i), matrices);
    }
}

static void sample_matrices(const struct ossa__bone_groups *groups, struct ossa__between frames,
                            const int32_t *parents, float (*matrices)[16])
{
    const struct arc arc = arc_at(vf_all(frames.part));
    for (uint32_t g = 0; g < groups->count; g++) {
        const struct ossa__bone_group *group = &groups->of[g];
        ossa_soa soa;
        sample_group(group, frames, &arc, &soa);
        frames = skip(frames, ossa__block_size(group->kind));
        for (unsigned lane = 0; lane < OSSA_SOA_LANES; lane += OSSA__WIDTH) {
            uint32_t first = g * OSSA_SOA_LANES + lane;
            struct pose pose;
            load_soa(&soa, lane, &pose);
            place_all(&pose, parents, sizeof *parents, first, bones_left(groups->bone_count, first),
                      matrices);
        }
    }
}

/* ---- blending -------------------------------------------------------------------------------- */

/* A part of 0 or 1 is one of the poses, bit for bit. */
static void blend(ossa_soa *soa, const ossa_soa *other, const float parts[OSSA_SOA_LANES])
{
    for (unsigned lane = 0; lane < OSSA_SOA_LANES; lane += OSSA__WIDTH) {
        vf part = vf_load(&parts[lane]);
        vi is_first = ~vf_less(vf_all(0.0F), part);
        vi is_second = vf_at_least(part, vf_all(1.0F));
        struct arc arc = arc_at(part);
        struct pose a;
        struct pose b;
        load_soa(soa, lane, &a);
        load_soa(other, lane, &b);
        struct pose pose = a;
        mix(a.q, b.q, &arc, pose.q);
        mix_vector(a.t, b.t, part, pose.t);
        mix_vector(a.s, b.s, part, pose.s);
        if (vi_any(is_first | is_second)) {
            for (unsigned k = 0; k < 4; k++) {
                pose.q[k] = vf_choose(is_first, a.q[k], vf_choose(is_second, b.q[k], pose.q[k]));
            }
            for (unsigned k = 0; k < 3; k++) {
                pose.t[k] = vf_choose(is_first, a.t[k], vf_choose(is_second, b.t[k], pose.t[k]));
                pose.s[k] = vf_choose(is_first, a.s[k], vf_choose(is_second, b.s[k], pose.s[k]));
            }
        }
        store_soa(&pose, lane, soa);
    }
}

/* ---- packed tracks --------------------------------------------------------------------------- */

static size_t unpack_track(const uint32_t *keys, size_t count,
                           const struct ossa__packed_shifts *shifts,
                           const struct ossa__packing *packing, float *rotations, size_t stride)
{
    struct ossa__packing all = *packing; /* of lane 0 */
    for (unsigned lane = 1; lane < OSSA_SOA_LANES; lane++) {
        for (unsigned i = 0; i < 3; i++) {
            all.centre[i][lane] = all.centre[i][0];
            all.step[i][lane] = all.step[i][0];
        }
        all.flip[lane] = all.flip[0];
        for (unsigned k = 0; k < 4; k++) all.missing[k][lane] = all.missing[k][0];
    }
    size_t i = 0;
    for (; count - i >= OSSA__WIDTH; i += OSSA__WIDTH) {
        vf q[4];
        vrow rows[OSSA__WIDTH];
        if (!unpack(keys + i, shifts, &all, 0, q)) break;
        vf_to_rows(q, rows);
        for (size_t j = 0; j < OSSA__WIDTH; j++) vrow_store(rotations + (i + j) * stride, rows[j]);
    }
    for (; i < count; i++) { /* what is left, or has no rotation */
        uint32_t same[OSSA__WIDTH];
        vf q[4];
        vrow rows[OSSA__WIDTH];
        for (unsigned j = 0; j < OSSA__WIDTH; j++) same[j] = keys[i];
        if (!unpack(same, shifts, &all, 0, q)) break;
        vf_to_rows(q, rows);
        vrow_store(rotations + i * stride, rows[0]);
    }
    return i;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static bool are_rotations(const float *keys, size_t count)
{
    vi near = vf_less(vf_all(0.0F), vf_all(1.0F)); /* all */
    const float *rows[OSSA__WIDTH];
    for (size_t i = 0; i < count; i += OSSA__WIDTH) {
        vf q[4];
        for (size_t j = 0; j < OSSA__WIDTH; j++) {
            rows[j] = keys + 4 * (i + j < count ? i + j : count - 1);
        }
        vf_load_rows(rows, q);
        vf off = (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]) - 1.0F;
        near &= vf_less(vf_of_bits(vf_bits(off) & INT32_MAX), vf_all(OSSA__NEAR_1));
    }
    return !vi_any(~near);
}

#define TABLE_OF(width) ossa__kernels_##width
#define TABLE(width)    TABLE_OF(width)

const struct ossa__kernels TABLE(OSSA__WIDTH) = {
    .name = OSSA__NAME,
    .mix_rotations = mix_rotations,
    .model_matrices = model_matrices,
    .sample = sample,
    .sample_locals = sample_locals,
    .sample_matrices = sample_matrices,
    .soa_matrices = soa_matrices,
    .blend = blend,
    .unpack = unpack_track,
    .unpack_exactly = unpack_exact_track,
    .are_rotations = are_rotations,
};
