/* SPDX-License-Identifier: MIT */
/** @file
 * Midtown Madness 1 and 2 (1999, 2000): the contents of their files as stored.
 *
 *     const ossa_mm_anim *anim = ossa_as_mm_anim(file);
 *     const ossa_mm_channel *channel = ossa_mm_pose_channel(anim, &bone_count);
 *
 * Words from text files are pointers into the text: 8-bit characters, not terminated. */
#ifndef OSSA_GAMES_MIDTOWN_MADNESS_H
#define OSSA_GAMES_MIDTOWN_MADNESS_H

#include "ossa/archive.h"

OSSA_BEGIN

/** Frames per second of an ANIM; the game shows whole frames only. */
#define OSSA_MM_FPS 30

/** The layouts of an ANIM. */
typedef enum ossa_mm_dialect {
    OSSA_MM_DIALECT_MM1,        /**< u32 frames, u32 bones */
    OSSA_MM_DIALECT_LEGACY,     /**< the same and five unexplained bytes */
    OSSA_MM_DIALECT_DOCUMENTED, /**< any number of channels */
    OSSA_MM_DIALECT_RETAIL,     /**< u32 0, u32 frames, u32 width, five unexplained bytes */
} ossa_mm_dialect;

/** A frame of a pose channel: the root's translation x y z, then three angles x y z in radians per
 * bone. */
typedef struct ossa_mm_channel {
    uint32_t floats_per_frame; /**< in mm1 and legacy, 3 per bone plus 3 */
    float unknown;             /**< the distance of one cycle, positive forward; not in mm1 */
    uint8_t type;              /**< documented: 1 poses bones; others: likely a loop flag; mm1: 1 */
    const float *values;       /**< [frame * floats_per_frame + i] */
    bool borrowed;             /**< values are in the bytes given to ossa_read */
} ossa_mm_channel;

/** mm-anim: an animation. Right-handed, Y up, metres; 30 frames per second. */
typedef struct ossa_mm_anim {
    ossa_mm_dialect dialect;
    uint32_t frame_count;
    uint32_t channel_count;
    const ossa_mm_channel *channels;
    const uint8_t *tail; /**< bytes after the last frame, which the game ignores */
    size_t tail_size;
} ossa_mm_anim;

/** One bone of a skeleton. */
typedef struct ossa_mm_bone {
    const char *name;
    uint32_t name_size;
    int32_t parent; /**< -1 for the root */
    uint32_t depth; /**< 0 for the root */
    float offset[3];
    uint32_t offset_at[3]; /**< positions of the three numbers in the text; 0: there are none */
    float rotmin[3];       /**< limits of the three angles in radians; -pi without */
    float rotmax[3];       /**< likewise; pi without */
    uint32_t rotmin_at[3]; /**< as offset_at */
    uint32_t rotmax_at[3]; /**< likewise */
} ossa_mm_bone;

/** mm-skel: the bones in the order of an mm-anim. Two bones may have the same name.
 *
 * The file is kept as its text. To move bones, point `bones` at a copy with other numbers: writing
 * replaces only the numbers that differ from the text. Other changes are made through ossa_dump and
 * ossa_build. */
typedef struct ossa_mm_skel {
    const char *text; /**< not terminated */
    size_t text_size;
    uint32_t declared_bones; /**< what NumBones says, which may be wrong */
    uint32_t bone_count;
    const ossa_mm_bone *bones; /**< parents before children */
} ossa_mm_skel;

/** One state of a pedestrian: which frames of which animation it plays. */
typedef struct ossa_mm_state {
    const char *name;
    uint32_t name_size;
    const char *animation; /**< file name without extension */
    uint32_t animation_size;
    int32_t first_frame;   /**< from 1, both ends are played; the game clamps to the animation */
    int32_t last_frame;    /**< if it is before the first, the state plays backwards */
    float forward_offset;  /**< ignored by the game */
    float forward;         /**< distance that the state covers, in metres */
    float sideways_offset; /**< ignored by the game */
    float sideways;
    const char *next; /**< the state that follows; `next_size` 0: none is named */
    uint32_t next_size;
    uint32_t number_at[6]; /**< positions of the six numbers in the text */
    uint64_t line;         /**< position of its line */
} ossa_mm_state;

/** mm-csv: the states of a pedestrian.
 *
 * The file is kept as its text. To change numbers, point `states` at a copy with others: writing
 * replaces only those that differ from the text. Other changes are made through ossa_dump and
 * ossa_build. */
typedef struct ossa_mm_csv {
    const char *text; /**< not terminated */
    size_t text_size;
    uint32_t state_count;
    const ossa_mm_state *states;
} ossa_mm_csv;

/** The lists of a model, in the order of the counts in its header. */
typedef enum ossa_mm_list {
    OSSA_MM_LIST_VERTS,
    OSSA_MM_LIST_NORMALS,
    OSSA_MM_LIST_COLORS,
    OSSA_MM_LIST_TEX1S,
    OSSA_MM_LIST_TEX2S,
    OSSA_MM_LIST_TANGENTS, /**< counted, but never seen */
    OSSA_MM_LIST_MATERIALS,
    OSSA_MM_LIST_ADJUNCTS,
    OSSA_MM_LIST_PRIMITIVES,
    OSSA_MM_LIST_MATRICES,
    OSSA_MM_LIST_RESKINS, /**< in version 1.10; meaning unknown */
    OSSA_MM_LIST_COUNT,
} ossa_mm_list;

/** The look of a group of primitives. */
typedef struct ossa_mm_material {
    const char *name;
    uint32_t name_size;
    uint32_t texture_size;
    const char *texture;  /**< the first, without extension; `texture_size` 0: none */
    const char *texture2; /**< the second of version 1.06, likewise */
    uint32_t texture2_size;
    const char *illum; /**< "diffuse", ... */
    uint32_t illum_size;
    float ambient[3]; /**< red green blue */
    float diffuse[3]; /**< 1 1 1 if the text has none */
    float specular[3];
    uint32_t packet_count; /**< this and the next two as the text says */
    uint32_t adjunct_count;
    uint32_t primitive_count;
    uint32_t at; /**< position in the text */
} ossa_mm_material;

/** A corner: indices into the lists of the model; -1 is none. */
typedef struct ossa_mm_adjunct {
    int32_t vertex;
    int32_t normal;
    int32_t colour;
    int32_t tex1;
    int32_t tex2;
    int32_t slot;     /**< the matrix of the packet that moves it; -1 without packets */
    int32_t material; /**< as version 1.06 states it; -1: it does not */
    uint32_t at;      /**< position in the text */
} ossa_mm_adjunct;

/** How the indices of a primitive form triangles. */
typedef enum ossa_mm_primitive_kind {
    OSSA_MM_PRIMITIVE_KIND_TRIANGLE, /**< tri */
    OSSA_MM_PRIMITIVE_KIND_STRIP,    /**< str: triangles 0 1 2, 2 1 3, and so on alternating */
    OSSA_MM_PRIMITIVE_KIND_STRIP_2,  /**< stp: the opposite winding, 1 0 2, then 1 2 3 */
} ossa_mm_primitive_kind;

/** A triangle or a strip. */
typedef struct ossa_mm_primitive {
    ossa_mm_primitive_kind kind;
    uint32_t index_count;
    const uint32_t *indices; /**< of adjuncts of the packet */
    uint32_t at;             /**< position in the text */
} ossa_mm_primitive;

/** Primitives of one material. A model without packets in its text gets one per material here, each
 * with all adjuncts; or, if only its adjuncts state the materials, one per run of primitives. */
typedef struct ossa_mm_packet {
    int32_t material; /**< -1: no material counts it */
    uint32_t adjunct_count;
    const ossa_mm_adjunct *adjuncts; /**< part of the model's list, and so are the primitives */
    uint32_t primitive_count;
    uint32_t matrix_count;
    const ossa_mm_primitive *primitives;
    const uint32_t *matrices;
    uint32_t at; /**< position in the text */
} ossa_mm_packet;

/** mm-mod: a mesh. Each vertex moves with one bone and is in that bone's space. The file is kept as
 * its text and is changed through ossa_dump and ossa_build. */
typedef struct ossa_mm_mod {
    const char *text; /**< not terminated */
    size_t text_size;
    const char *version; /**< "1.09" */
    uint32_t version_size;
    uint32_t declared[OSSA_MM_LIST_COUNT]; /**< what the header says, which may be wrong */
    bool has_packets;                      /**< in the text */
    uint32_t vertex_count;
    uint32_t normal_count;
    uint32_t colour_count;
    uint32_t tex1_count;
    uint32_t tex2_count;
    const float (*vertices)[3];
    const float (*normals)[3];
    const float (*colours)[4]; /**< red green blue alpha */
    const float (*tex1s)[2];
    const float (*tex2s)[2];
    uint32_t material_count;
    uint32_t packet_count;
    uint32_t adjunct_count;
    uint32_t primitive_count;
    const ossa_mm_material *materials;
    const ossa_mm_packet *packets;
    const ossa_mm_adjunct *adjuncts;
    const ossa_mm_primitive *primitives;
    uint32_t mtxv_count; /**< of bones, in the order of the skeleton */
    uint32_t mtxn_count;
    const uint32_t *mtxv; /**< how many consecutive vertices belong to each bone */
    const uint32_t *mtxn; /**< the same for normals */
} ossa_mm_mod;

/** A colour of an mm-var, as stored. */
typedef struct ossa_mm_colour {
    uint8_t blue;
    uint8_t green;
    uint8_t red;
    uint8_t alpha;
} ossa_mm_colour;

/** mm-var: the colours that the materials of a mesh have in each variant, first game. */
typedef struct ossa_mm_var {
    uint32_t variant_count;
    uint32_t material_count;       /**< of the mesh, in its order */
    const ossa_mm_colour *colours; /**< [variant * material_count + material] */
    const uint8_t *tail;           /**< bytes after the last colour */
    size_t tail_size;
} ossa_mm_var;

/** How a material of a mesh looks in one variant. Colours are red green blue alpha, 0 to 1. */
typedef struct ossa_mm_shader {
    const char *name; /**< of a texture; `name_size` 0: none */
    uint32_t name_size;
    float diffuse[4];
    float ambient[4]; /**< the game uses `diffuse` instead; 0 if colours are bytes */
    float specular[4];
    float emissive[4];
    float power; /**< of the specular colour */
} ossa_mm_shader;

/** mm-shaders: the same as mm-var, second game. */
typedef struct ossa_mm_shaders {
    bool has_bytes; /**< colours are stored as bytes, without `ambient` */
    uint32_t variant_count;
    uint32_t material_count;       /**< of the mesh, in its order */
    const ossa_mm_shader *shaders; /**< [variant * material_count + material] */
    const uint8_t *tail;           /**< bytes after the last one, which the game ignores */
    size_t tail_size;
} ossa_mm_shaders;

/** The three kinds of archive that share the extension .AR. */
typedef enum ossa_mm_ar_kind {
    OSSA_MM_AR_KIND_ARES, /**< of the first game: a tree of folders, nothing is packed */
    OSSA_MM_AR_KIND_DAVE, /**< of the second game: a list, entries may be deflated */
    OSSA_MM_AR_KIND_ZIP,  /**< also read by the second game, and used for add-ons */
} ossa_mm_ar_kind;

/** mm-ar: an archive. Its bytes are kept, and ossa_write writes them unchanged. See ossa/archive.h
 * for its entries; this is how the archive stores them. */
typedef struct ossa_mm_ar {
    ossa_mm_ar_kind kind;
    uint32_t header[3];        /**< ARES: nodes, roots, bytes of names; DAVE: entries, bytes of the
                                * table, bytes of names; ZIP: 0 */
    uint32_t record_count;     /**< ARES: nodes, including folders; DAVE, ZIP: entries */
    const uint32_t *records;   /**< ARES: 3 words per node; DAVE: 4 words per entry; ZIP: NULL */
    const ossa_entry *entries; /**< files in the order of the archive; DAVE, ZIP: all entries */
    size_t entry_count;
    const uint8_t *image; /**< the whole file */
    uint64_t image_size;
    const ossa_gap *gaps; /**< bytes that belong to no field */
    size_t gap_count;
} ossa_mm_ar;

/** The contents of a file; NULL if the file has another format. */
OSSA_API ossa_mm_anim *ossa_as_mm_anim(ossa_file *file);
OSSA_API ossa_mm_skel *ossa_as_mm_skel(ossa_file *file);       /**< likewise */
OSSA_API ossa_mm_csv *ossa_as_mm_csv(ossa_file *file);         /**< likewise */
OSSA_API ossa_mm_mod *ossa_as_mm_mod(ossa_file *file);         /**< likewise */
OSSA_API ossa_mm_var *ossa_as_mm_var(ossa_file *file);         /**< likewise */
OSSA_API ossa_mm_shaders *ossa_as_mm_shaders(ossa_file *file); /**< likewise */
OSSA_API ossa_mm_ar *ossa_as_mm_ar(ossa_file *file);           /**< likewise */
/** How long a state lasts, in seconds: all frames from the first to the last, past the end of the
 * animation, too. The game moves a pedestrian by `forward` and `sideways` in that time. */
OSSA_API double ossa_mm_state_duration(const ossa_mm_state *state);
/** "ares", "dave" or "zip". */
OSSA_API const char *ossa_mm_ar_kind_name(ossa_mm_ar_kind kind);
/** "mm1", "legacy", "documented" or "retail". */
OSSA_API const char *ossa_mm_dialect_name(ossa_mm_dialect dialect);

/** The channel that poses bones: the only one, or in the documented dialect the first of type 1.
 * NULL if there is none or its width is not 3 * bones + 3. `bone_count` may be NULL. */
OSSA_API const ossa_mm_channel *ossa_mm_pose_channel(const ossa_mm_anim *anim,
                                                     uint32_t *bone_count);

OSSA_END

#endif
