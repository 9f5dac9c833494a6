/* SPDX-License-Identifier: MIT
 *
 * The loops that animation time is spent in, written once and compiled for several widths of
 * registers. All of them give the same bits; which one runs is decided when the first is wanted. */
#ifndef OSSA_LANES_KERNELS_H
#define OSSA_LANES_KERNELS_H

#include "ossa/runtime.h"

/* What of a group of bones changes in a clip: the blocks that it has in each frame. */
enum {
    OSSA__ROTATES = 1,      /* [4][8] floats */
    OSSA__PACKED = 2,       /* instead: [8] packed keys */
    OSSA__MOVES = 4,        /* [3][8] floats: translations */
    OSSA__SCALES = 8,       /* [3][8] floats */
    OSSA__SOME_ROTATE = 16, /* not all of its bones do: see `rotates` */
    OSSA__SOME_MOVE = 32,
    OSSA__SOME_SCALE = 64,
};

/* How the packed rotations of up to eight bones are to be read. A key holds three components as
 * signed fields of 9 bits; the fourth makes the length 1, its sign is a bit of its own. Component =
 * field * step + centre. In a track they are where `shift` says, counted from the top bit; in a
 * runtime clip they are in the order of the bits, and the sign follows them. */
struct ossa__packing {
    float centre[3][OSSA_SOA_LANES];
    float step[3][OSSA_SOA_LANES];
    int32_t flip[OSSA_SOA_LANES];       /* the sign bit where the sign is the other way round */
    int32_t missing[4][OSSA_SOA_LANES]; /* all bits: this component is the fourth */
    int32_t same_missing;               /* the fourth component of all lanes; -1: they differ */
};

/* The fields of a key from the top bit down. */
struct ossa__packed_shifts {
    unsigned field[3];
    unsigned sign;
};
#define OSSA__SHIFTS_IN_ORDER ((struct ossa__packed_shifts){{0, 9, 18}, 27})

/* One key, in double and rounded once: what the kernels leave to it because floats would not do.
 * False, and no rotation, where there is none. */
bool ossa__unpack_exactly(uint32_t key, const struct ossa__packed_shifts *shifts,
                          const struct ossa__packing *packing, unsigned lane, float rotation[4]);

/* Eight bones of a clip. */
struct ossa__bone_group {
    ossa_soa constant;
    unsigned kind; /* OSSA__ROTATES and so on */
    /* All bits: the bone does. What does not change must not be mixed, it would be rounded. */
    int32_t rotates[OSSA_SOA_LANES];
    int32_t moves[OSSA_SOA_LANES];
    int32_t scales[OSSA_SOA_LANES];
    const struct ossa__packing *packing; /* if it is packed */
};

/* A clip as the kernels see it. A frame is the blocks of all groups in order. */
struct ossa__bone_groups {
    uint32_t bone_count;
    uint32_t count;
    const struct ossa__bone_group *of; /* [count] */
    const ossa_transform *constant;    /* [bone_count]: the same as in the groups */
};

/* The floats that a group has in each frame. */
static inline size_t ossa__block_size(unsigned kind)
{
    unsigned rows = (kind & OSSA__ROTATES ? 4U : 0U) + (kind & OSSA__PACKED ? 1U : 0U) +
                    (kind & OSSA__MOVES ? 3U : 0U) + (kind & OSSA__SCALES ? 3U : 0U);
    return (size_t)rows * OSSA_SOA_LANES;
}

/* Two frames and what lies between them; part 0 is `from`, bit for bit. */
struct ossa__between {
    const float *from;
    const float *to;
    float part;
};

struct ossa__kernels {
    const char *name;

    /* Rotations side by side, [count][4], to the bones that are listed. */
    void (*mix_rotations)(struct ossa__between keys, const uint32_t *bones, uint32_t count,
                          ossa_transform *locals);
    /* `parents` has one parent every `stride` bytes. */
    void (*model_matrices)(const int32_t *parents, size_t stride, const ossa_transform *locals,
                           uint32_t count, float (*matrices)[16]);

    void (*sample)(const struct ossa__bone_groups *groups, struct ossa__between frames,
                   ossa_soa *pose);
    void (*sample_locals)(const struct ossa__bone_groups *groups, struct ossa__between frames,
                          ossa_transform *locals);
    void (*sample_matrices)(const struct ossa__bone_groups *groups, struct ossa__between frames,
                            const int32_t *parents, float (*matrices)[16]);
    void (*soa_matrices)(const ossa_soa *pose, const int32_t *parents, uint32_t count,
                         float (*matrices)[16]);
    /* Mix eight bones of another pose into a pose, with a part of 0 to 1 for each. */
    void (*blend)(ossa_soa *pose, const ossa_soa *other, const float parts[OSSA_SOA_LANES]);

    /* The keys of one track, packed as lane 0 of `packing` says, to rotations[key * stride]. The
     * number of keys before the first that has no rotation. */
    size_t (*unpack)(const uint32_t *keys, size_t count, const struct ossa__packed_shifts *shifts,
                     const struct ossa__packing *packing, float *rotations, size_t stride);
    /* The same as ossa__unpack_exactly gives them; false if one has no rotation. From the top bit
     * down, a key has 9 bits for each component and 5 for the fourth, wherever that stands. */
    bool (*unpack_exactly)(const uint32_t *keys, size_t count, const struct ossa__packing *packing,
                           float *rotations, size_t stride);

    /* Do all rotations, [count][4], have the length 1, their squares within OSSA__NEAR_1 of it? The
     * sum is rounded: one that is so near that it matters may or may not be found. */
    bool (*are_rotations)(const float *keys, size_t count);
};

#define OSSA__NEAR_1 9e-6F

/* Those for this machine. The environment variable OSSA_SIMD names others: scalar, 4, 8. */
const struct ossa__kernels *ossa__kernels(void);

/* All that this machine has, the narrowest first. */
size_t ossa__kernels_list(const struct ossa__kernels *list[3]);

extern const struct ossa__kernels ossa__kernels_1;
/* GNU's vectors, and division and square roots as IEEE has them: 32-bit ARM has not. */
#if defined __GNUC__ && (defined __SSE2__ || defined __aarch64__ || defined __wasm_simd128__)
#define OSSA__HAS_WIDTH_4
extern const struct ossa__kernels ossa__kernels_4;
#endif
#if defined __GNUC__ && defined __SSE2__ && (defined __x86_64__ || defined __i386__)
#define OSSA__HAS_WIDTH_8
extern const struct ossa__kernels ossa__kernels_8;
#endif

#endif
