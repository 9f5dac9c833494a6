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

/** What an animation of objects changes, in the order of ossa_sotc_object.curves. */
enum {
    OSSA_SOTC_CURVE_POSITION,
    OSSA_SOTC_CURVE_ROTATION,
    OSSA_SOTC_CURVE_SCALE,
    OSSA_SOTC_CURVES
};

/** The beginning of a curve of an object: all that is known is frame 0. */
typedef struct ossa_sotc_curve {
    uint8_t mode;    /**< position: 0 to 2, rotation: 0, scale: 0 to 3; others are unknown */
    uint32_t offset; /**< relative to section 1; 0: there is no curve */
    float value[4];  /**< of frame 0 as stored, if float_count is not 0; a rotation is i j k s */
    uint32_t float_count; /**< 3 or 4: the value; 6: pairs of base and range; 0: none is known */
    const float *floats;
    uint32_t sample_offset; /**< with pairs */
    uint32_t sample_count;
    const uint16_t *sample; /**< of frame 0: the fractions of the ranges, packed as the mode says */
} ossa_sotc_curve;

/** An object that an animation moves. */
typedef struct ossa_sotc_object {
    uint32_t type;    /**< 1 and 5: a model */
    const char *name; /**< of its model, without .nmo; not terminated */
    uint32_t name_size;
    uint32_t name_position; /**< all offsets are relative to section 1 */
    uint32_t track_offset;  /**< 0: it has none */
    uint8_t unknown;        /**< the fourth byte of the track */
    ossa_sotc_curve curves[OSSA_SOTC_CURVES];
} ossa_sotc_object;

/** sotc-anb: an animation, rotations only. Left-handed; no translation, rate or event is stored.
 *
 * A second kind moves objects, of which only frame 0 is understood: it has no poses and no bones,
 * but objects, and of the header just the first six words. Writing does not look at its objects. */
typedef struct ossa_sotc_anb {
    ossa_sotc_xff container;
    uint64_t section_offset; /**< of section 1 in the file */
    uint32_t header[OSSA_SOTC_ANB_WORDS];
    uint32_t pose_count; /**< the low half of header[1] */
    uint32_t bone_count; /**< header[5] */
    const ossa_sotc_bone *bones;
    uint32_t object_count; /**< 0: it moves the bones of a skeleton */
    const ossa_sotc_object *objects;
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

/** The bones of a vertex of a model, and their weights: see ossa_sotc_weights. */
typedef struct ossa_sotc_skin {
    float bones[3]; /**< the integer part is the bone, the rest its weight */
    uint32_t count; /**< how many of them are used */
} ossa_sotc_skin;

/** A strip of triangles of a model. Arrays have `vertex_count` items as stored; NULL: the strip
 * does not have them. Only a damaged strip has no positions. */
typedef struct ossa_sotc_strip {
    uint32_t draw; /**< that it is of */
    uint32_t vertex_count;
    uint32_t tag[4]; /**< what the strip begins with: a tag for the graphics chip */
    const float (*positions)[3];
    const float (*normals)[3];         /**< or: */
    const int16_t (*short_normals)[4]; /**< x y z times 4096, and an unused one */
    const int16_t (*texcoords)[2];     /**< times 4096; or: */
    const int16_t (*texcoords4)[4];    /**< two pairs */
    const uint8_t (*colours)[4];       /**< red green blue alpha; 0x80 is 1 */
    const ossa_sotc_skin *skin;
    const float (*others)[3]; /**< meaning unknown: likely another shape */
} ossa_sotc_strip;

/** A bounding box of a model, one of a tree. */
typedef struct ossa_sotc_box {
    float minimum[4];
    float maximum[4];
    int32_t links[4]; /**< [0] and [1]: the boxes in it, -1: none; the others are unknown */
} ossa_sotc_box;

/** A texture that a model names. */
typedef struct ossa_sotc_model_texture {
    const char *name; /**< not terminated */
    uint32_t name_size;
    uint32_t name_offset; /**< all offsets are relative to section 1 */
    uint32_t words[4];    /**< unknown */
    uint16_t number;
    uint16_t unknown;
    uint16_t width;
    uint16_t height;
} ossa_sotc_model_texture;

/** Flags of a surface: the first three are certain. */
enum {
    OSSA_SOTC_SURFACE_NORMALS = 1,
    OSSA_SOTC_SURFACE_TEXTURE = 2,
    OSSA_SOTC_SURFACE_COLOURS = 4,
    OSSA_SOTC_SURFACE_BLENDS = 0x100,
};

/** One of the two textures of a surface. */
typedef struct ossa_sotc_stage {
    uint8_t bytes[4]; /**< unknown */
    float number;     /**< unknown */
    uint32_t word;    /**< unknown */
    uint32_t texture; /**< which of the model */
} ossa_sotc_stage;

/** The look of what is drawn. */
typedef struct ossa_sotc_surface {
    uint32_t triangle_count;
    uint32_t strip_count;
    const char *name; /**< not terminated */
    uint32_t name_size;
    uint32_t name_offset;
    uint8_t tint[4]; /**< likely */
    float alpha;     /**< likely */
    uint32_t flags;
    uint32_t texture_mode; /**< 2: two textures */
    ossa_sotc_stage stages[2];
    uint32_t words[8];      /**< unknown */
    const uint32_t *packet; /**< [48]: settings of the graphics chip */
    bool has_clamp;         /**< of the packet: CLAMP_1 */
    bool is_clamped[2];     /**< then: along u and v */
    bool has_blend;         /**< of the packet: ALPHA_1 */
    uint64_t blend;         /**< then */
} ossa_sotc_surface;

/** What is drawn with one surface. */
typedef struct ossa_sotc_draw {
    uint32_t chain_size; /**< in bytes */
    uint32_t unknown;
    uint32_t surface;
    uint32_t three; /**< 3 in known files */
    uint32_t chain_offset;
    uint32_t triangle_count;
    uint32_t strip_count;
    uint32_t last;        /**< 0 in known files */
    uint32_t first_strip; /**< in ossa_sotc_nmo.strips; derived, like the next two */
    uint32_t strips;
    uint32_t understood_size; /**< bytes of the chain: all of them unless it is damaged */
} ossa_sotc_draw;

/** Words of the header of a model. */
#define OSSA_SOTC_NMO_WORDS 32

/** sotc-nmo: a model, with the weights of its vertices if it is that of a skeleton. Left-handed. */
typedef struct ossa_sotc_nmo {
    ossa_sotc_xff container;
    uint64_t section_offset; /**< of section 1 in the file */
    uint32_t header[OSSA_SOTC_NMO_WORDS];
    const char *name; /**< that the model has for itself; not terminated */
    uint32_t name_size;
    uint32_t box_count;
    const ossa_sotc_box *boxes;
    uint32_t texture_count;
    const ossa_sotc_model_texture *textures;
    uint32_t surface_count;
    const ossa_sotc_surface *surfaces;
    uint32_t draw_count;
    const ossa_sotc_draw *draws;
    uint32_t strip_count;
    const ossa_sotc_strip *strips; /**< in the order of draws */
} ossa_sotc_nmo;

/** Bones and weights of a vertex: the number of them, whose weights sum up to 1. Returns 0 where
 * the stored numbers are none that anybody understands (negative, or a bone that the skeleton of
 * `bone_count` bones does not have): such a vertex moves with no bone in particular. */
OSSA_API unsigned ossa_sotc_weights(const ossa_sotc_skin *skin, uint32_t bone_count,
                                    uint32_t bones[3], float weights[3]);

/** How texels are stored. */
typedef enum ossa_sotc_texels {
    OSSA_SOTC_TEXELS_RGBA32 = 0,
    OSSA_SOTC_TEXELS_8 = 0x13, /**< 256 colours */
    OSSA_SOTC_TEXELS_4 = 0x14, /**< 16 colours */
} ossa_sotc_texels;

/** One size of a texture. */
typedef struct ossa_sotc_level {
    bool is_swizzled;
    uint32_t size; /**< in bytes */
    const uint8_t *texels;
} ossa_sotc_level;

/** Bytes of the header of a texture. */
#define OSSA_SOTC_NTO_HEADER 0xB0

/** sotc-nto: a texture. To change it, point `header`, `texels` of a level or `palette` at your own
 * bytes of the same size; see also ossa_repaint. */
typedef struct ossa_sotc_nto {
    ossa_sotc_xff container;
    uint64_t section_offset; /**< of section 1 in the file */
    const uint8_t *header;   /**< [OSSA_SOTC_NTO_HEADER], as stored */
    ossa_sotc_texels kind;
    uint32_t sides[2]; /**< of the low and the high half byte; which is the width is open */
    uint32_t level_count;
    const ossa_sotc_level *levels; /**< largest first */
    uint32_t palette_count;        /**< 0, 16 or 256 */
    const uint8_t (*palette)[4];   /**< red green blue alpha; 0x80 is opaque */
    const char *name;              /**< not terminated; NULL: it has none */
    uint32_t name_size;
    uint32_t alpha_test; /**< 1: always, 5: at least, 6: greater than the reference */
    uint32_t alpha_reference;
    uint32_t alpha_fail;
} ossa_sotc_nto;

/** Which side of a texture is the width. */
typedef enum ossa_sotc_sides {
    OSSA_SOTC_SIDES_LOW, /**< the low half byte; if only the other reading makes all swizzled levels
                          * large enough for that, the other */
    OSSA_SOTC_SIDES_HIGH, /**< the high half byte; likewise */
} ossa_sotc_sides;

/** The order of the 256 colours of a palette. */
typedef enum ossa_sotc_palette {
    OSSA_SOTC_PALETTE_SMOOTH, /**< the one in which neighbouring texels differ less */
    OSSA_SOTC_PALETTE_PLAIN,
    OSSA_SOTC_PALETTE_CSM1, /**< every 32: colours 8 to 15 and 16 to 23 exchanged */
} ossa_sotc_palette;

/** What nobody knows for certain: how models and textures are shown. */
typedef struct ossa_sotc_options {
    ossa_sotc_sides sides; /**< of textures whose size no model states */
    ossa_sotc_palette palette;
    bool unlit; /**< materials without lighting: the game has baked light into the colours */
} ossa_sotc_options;

/** The pixels of one level of a texture, rows from the top, red green blue alpha with 0xFF opaque.
 *
 * `sides` are width and height of the first level, as a model states them; NULL: by the options
 * (NULL: the defaults). `rgba` has room for width >> level times height >> level pixels, each at
 * least 1; NULL: only the size is wanted, in `size`, which may be NULL. Returns false for a level
 * that does not exist or cannot be decoded (the file then has errors), and for sides that are not
 * those of the texture. */
OSSA_API bool ossa_sotc_pixels(const ossa_sotc_nto *nto, uint32_t level, const uint32_t sides[2],
                               const ossa_sotc_options *options, uint8_t (*rgba)[4],
                               uint32_t size[2]);

/** The contents of a file; NULL if the file has another format. */
OSSA_API ossa_sotc_nmo *ossa_as_sotc_nmo(ossa_file *file);
OSSA_API ossa_sotc_nto *ossa_as_sotc_nto(ossa_file *file); /**< likewise */
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
 * The game keeps its files in a few large ones on the disc (NICO.DAT, XAB, XAC, ...), which are
 * read as one archive with paths (sotc-nico, see ossa/archive.h). Each contained file begins with
 * the signature of the container and states its size, so it can also be found by scanning anything.
 */

/** A container that was found. */
typedef struct ossa_sotc_found {
    uint64_t offset;
    uint64_t size;             /**< as it states, or up to the end of the file that truncates it */
    const ossa_format *format; /**< that reads it: sotc-anb, sotc-nmo, ..., else sotc-xff */
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
