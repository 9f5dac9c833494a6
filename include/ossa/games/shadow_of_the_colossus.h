/* SPDX-License-Identifier: MIT */
/** @file
 * Shadow of the Colossus (2005): the contents of its files as stored.
 *
 * Its files are linked object files whose tables may share bytes, so a file is kept as its image,
 * and the structs say what is where in it. To change an animation, point `constants` or `keys` of a
 * bone at your own arrays of the same length; to change a skeleton, `floats` or `links` of a joint.
 * Writing copies the image and replaces these, so that every other byte stays as it was, known or
 * not. Other changes are made through ossa_dump and ossa_build. */
#ifndef OSSA_GAMES_SHADOW_OF_THE_COLOSSUS_H
#define OSSA_GAMES_SHADOW_OF_THE_COLOSSUS_H

#include "ossa/file.h"
#include "ossa/runtime.h"

OSSA_BEGIN

/** Poses per second of an ANB: likely; the file does not say. */
#define OSSA_SOTC_FPS 30

/** Words of the header of a container. */
#define OSSA_SOTC_XFF_WORDS 28

/** A section of a container. */
typedef struct ossa_sotc_section {
    uint32_t words[8]; /**< address, image address, size, alignment, type, flags, state, offset */
    uint32_t name_position;
    const char *name; /**< not terminated */
    uint32_t name_size;
} ossa_sotc_section;

/** sotc-xff: the container. words[i] is at 4 * i: [5] size, [16] sections, [19] entry, ... */
typedef struct ossa_sotc_xff {
    uint32_t words[OSSA_SOTC_XFF_WORDS];
    uint32_t section_count;
    const ossa_sotc_section *sections;
    const uint8_t *image; /**< the whole file */
    uint64_t image_size;
    const ossa_gap *gaps; /**< bytes that belong to no field */
    size_t gap_count;
} ossa_sotc_xff;

/** Words of the header of an animation. */
#define OSSA_SOTC_ANB_WORDS 17

/** The rotation of one bone in every pose. The flag determines which of `keys` is valid. */
typedef struct ossa_sotc_bone {
    uint8_t flag; /**< 0 constant; 3 4 5 6 packed; 12 triple; 13 angle; others unknown */
    uint8_t constant_count;
    uint32_t record_offset; /**< all offsets are relative to section 1 */
    uint32_t keys_offset;   /**< 0 if the flag has no keys */
    const float *constants;
    union {
        const uint32_t *packed;     /**< flags 3 4 5 6 */
        const int16_t (*triple)[3]; /**< flag 12 */
        const int16_t *angle;       /**< flag 13 */
    } keys;
} ossa_sotc_bone;

/** sotc-anb: an animation, rotations only. Left-handed; no translation, rate or event is stored. */
typedef struct ossa_sotc_anb {
    ossa_sotc_xff container;
    uint64_t section_offset; /**< of section 1 in the file */
    uint32_t header[OSSA_SOTC_ANB_WORDS];
    uint32_t pose_count; /**< the low half of header[1] */
    uint32_t bone_count; /**< header[5] */
    const ossa_sotc_bone *bones;
} ossa_sotc_anb;

/** Words of the header of a skeleton. */
#define OSSA_SOTC_SKB_WORDS 11

/** Where the members of a joint are in ossa_sotc_joint.floats and links. */
enum {
    OSSA_SOTC_TRANSLATION = 1, /**< floats[1..3]: x y z, relative to the parent */
    OSSA_SOTC_ROTATION = 5,    /**< floats[5..8]: i j k s, like a quaternion of an ANB */
    OSSA_SOTC_PARENT = 2,      /**< links[2]: the parent's index, -1 for none */
};

/** One joint at rest. */
typedef struct ossa_sotc_joint {
    const char *name; /**< not terminated */
    uint32_t name_size;
    uint32_t name_position; /**< in the string table, header[3] */
    uint32_t record_offset; /**< all offsets are relative to section 1 */
    uint32_t unknown;       /**< the word after record_offset */
    int32_t words[2];       /**< after the name; -1 in known files */
    const float *floats;    /**< [9]; [0] is 0 and [4] is 1 in known files */
    const int32_t *links;   /**< [3]; [0] and [1] are children */
    float last;             /**< meaning unknown */
} ossa_sotc_joint;

/** sotc-skb: the skeleton of ANBs with the same number of bones, in the same order. Left-handed. */
typedef struct ossa_sotc_skb {
    ossa_sotc_xff container;
    uint64_t section_offset; /**< of section 1 in the file */
    uint32_t header[OSSA_SOTC_SKB_WORDS];
    uint32_t joint_count; /**< header[1] */
    const ossa_sotc_joint *joints;
} ossa_sotc_skb;

/** The contents of a file; NULL if the file has another format. */
OSSA_API ossa_sotc_xff *ossa_as_sotc_xff(ossa_file *file);
OSSA_API ossa_sotc_anb *ossa_as_sotc_anb(ossa_file *file); /**< likewise */
OSSA_API ossa_sotc_skb *ossa_as_sotc_skb(ossa_file *file); /**< likewise */

/** The stored quaternion, i j k s, of a bone in a pose, before any change of space. Returns false
 * and the identity for an unknown flag or a pose that does not exist. */
OSSA_API bool ossa_sotc_quaternion(const ossa_sotc_anb *anb, uint32_t bone, uint32_t pose,
                                   double ijks[4]);

/** The resolution of a bone's keys: the largest step between neighbouring values of a component
 * (flags 3 to 6, 12) or of the angle in radians (flag 13); 0 for a constant. */
OSSA_API double ossa_sotc_key_step(const ossa_sotc_bone *bone);

/* ---- playing -------------------------------------------------------------------------------- */

/** How a runtime clip is made from an ANB. */
typedef struct ossa_sotc_runtime_options {
    double fps;               /**< 0: OSSA_SOTC_FPS */
    bool packed;              /**< leave keys of 32 bits packed: less memory, more time */
    ossa_allocator allocator; /**< all NULL: malloc and free */
} ossa_sotc_runtime_options;

/** A runtime clip straight from an animation, without a clip of a scene. Of the scene, only the
 * bones are used: those of the animation's skeleton. Returns NULL if their numbers differ, if a key
 * is not a rotation, or if there is no memory. */
OSSA_API ossa_runtime *ossa_sotc_runtime(const ossa_scene *scene, const ossa_sotc_anb *anb,
                                         const ossa_sotc_runtime_options *options,
                                         ossa_error *error);

/* ---- files of the disc ----------------------------------------------------------------------
 *
 * The game keeps its files in a few large ones on the disc (NICO.DAT, XAB, XAC, ...), whose
 * directories are undocumented. Each contained file begins with the signature of the container and
 * states its size, so it can be found by scanning. */

/** A container that was found. */
typedef struct ossa_sotc_found {
    uint64_t offset;
    uint64_t size;             /**< as it states, or up to the end of the file that truncates it */
    const ossa_format *format; /**< that reads it: sotc-anb, sotc-skb, otherwise sotc-xff */
    const char *kind; /**< what it holds: "anb", "skb", "nmo", "nto"; "xff": something else */
    char name[64];    /**< the first symbol that it exports; "": none */
} ossa_sotc_found;

/** Read bytes of the large file. Returning false ends the search. */
typedef bool ossa_read_at(void *user, uint64_t offset, void *bytes, size_t size);

/** Find all containers in a file of `size` bytes, in the order of offsets.
 *
 * Reads the file once, in pieces. A signature counts only if the sections of its header fit. What
 * lies in the sections of a container that was found is skipped. Of the options, only `allocator`
 * is used. */
OSSA_API bool ossa_sotc_scan(ossa_read_at *read, void *user, uint64_t size,
                             const ossa_options *options,
                             void (*found)(void *user, const ossa_sotc_found *found),
                             ossa_error *error);

/** The container at an offset, without a search. Returns false if there is none. */
OSSA_API bool ossa_sotc_find_at(ossa_read_at *read, void *user, uint64_t size, uint64_t offset,
                                ossa_sotc_found *found);

OSSA_END

#endif
