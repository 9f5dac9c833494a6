/* SPDX-License-Identifier: MIT */
/** @file
 * Vib-Ribbon (1999): the contents of its files as stored, and its scene options. */
#ifndef OSSA_GAMES_VIB_RIBBON_H
#define OSSA_GAMES_VIB_RIBBON_H

#include "ossa/file.h"

OSSA_BEGIN

/** Flags of ossa_vib_key. */
enum {
    OSSA_VIB_KEY_ROTATION = 1,
    OSSA_VIB_KEY_SCALE = 2,
    OSSA_VIB_KEY_POSITION = 4,
};

/** The transform of one object in one frame. A member is stored only if its flag is set; otherwise
 * it is 0. */
typedef struct ossa_vib_key {
    uint8_t object;
    uint8_t flags;
    int16_t rotation[3]; /**< 4096 is a full rotation */
    int16_t scale[3];    /**< 4096 is 1.0 */
    int16_t position[3];
} ossa_vib_key;

/** One frame. An object without a key is not drawn in it. */
typedef struct ossa_vib_frame {
    uint32_t first_key; /**< in ossa_vib_anm.keys */
    uint32_t key_count;
} ossa_vib_frame;

/** vib-anm: an animation. Right-handed, X right, Y down, Z into the screen. */
typedef struct ossa_vib_anm {
    int16_t rate; /**< likely frames per second */
    uint16_t frame_count;
    const ossa_vib_frame *frames;
    uint32_t key_count;
    const ossa_vib_key *keys;
    const uint8_t *gap; /**< bytes between the table and the first frame; none in good files */
    size_t gap_size;
    const uint8_t *tail; /**< bytes after the last frame; none in good files */
    size_t tail_size;
} ossa_vib_anm;

/** A point of a model in the units of the animation's positions, or a direction (4096 is 1.0). */
typedef struct ossa_vib_vertex {
    int16_t x;
    int16_t y;
    int16_t z;
    int16_t pad; /**< 0 in good files */
} ossa_vib_vertex;

/** One packet for the console's graphics chip, as stored: see ossa_vib_decode. */
typedef struct ossa_vib_primitive {
    uint8_t olen; /**< words of the packet that the console makes of it */
    uint8_t ilen; /**< words that follow here */
    uint8_t flag; /**< 1: no lighting, 2: double-sided, 4: one colour per vertex */
    uint8_t mode;
    const uint32_t *words; /**< [ilen] */
    uint64_t offset;       /**< of the packet in the file */
} ossa_vib_primitive;

/** One object, which an animation refers to by index. Offsets are as stored: absolute if bit 0 of
 * the model's flags is set, otherwise relative to 0x0C. An offset with a count of 0 is
 * meaningless. */
typedef struct ossa_vib_object {
    uint32_t vertices_offset;
    uint32_t vertex_count;
    uint32_t normals_offset;
    uint32_t normal_count;
    uint32_t primitives_offset;
    uint32_t primitive_count;
    int32_t scale; /**< a power of 2; apparently unused */
    const ossa_vib_vertex *vertices;
    const ossa_vib_vertex *normals;
    const ossa_vib_primitive *primitives;
} ossa_vib_object;

/** vib-tmd: a PlayStation model.
 *
 * The file is kept as its image. To change it, point `vertices` or `normals` of an object, or
 * `words` of a primitive, at your own arrays of the same length: writing replaces these and leaves
 * every other byte alone. Other changes are made through ossa_dump and ossa_build. */
typedef struct ossa_vib_tmd {
    uint32_t id;    /**< 0x41 */
    uint32_t flags; /**< bit 0: offsets are absolute */
    uint32_t object_count;
    const ossa_vib_object *objects;
    const uint8_t *image; /**< the whole file */
    uint64_t image_size;
    const ossa_gap *gaps; /**< bytes that no array covers */
    size_t gap_count;
} ossa_vib_tmd;

/** What a packet draws. */
typedef enum ossa_vib_kind {
    OSSA_VIB_KIND_POLYGON, /**< 3 or 4 corners; 4 are in the order of a Z: triangles 0 1 2 and
                            * 1 3 2 */
    OSSA_VIB_KIND_LINE,    /**< 2 corners; not drawn if both are the same vertex */
} ossa_vib_kind;

/** A decoded packet. Indices are as stored: an invalid one may exceed the object's count. */
typedef struct ossa_vib_shape {
    ossa_vib_kind kind;
    unsigned corner_count;
    uint16_t vertices[4];
    int32_t normals[4];    /**< a flat polygon's normal is in every corner; -1: none */
    uint8_t colours[4][3]; /**< red green blue per corner; 128 each if none is stored */
    bool has_normals;
    bool lit;
    bool textured;
    bool translucent;
    bool double_sided;
    uint8_t uv[4][2]; /**< this and the rest is 0 unless textured */
    uint16_t clut;
    uint16_t page;
} ossa_vib_shape;

/** The camera in one frame. */
typedef struct ossa_vib_camera_key {
    int16_t eye[3];
    int16_t target[3]; /**< the point it looks at */
    int16_t twist;     /**< about the line of sight; 4096 is one degree or a full rotation: open */
    int16_t view;      /**< the field of view; likely 4096 is a full rotation */
} ossa_vib_camera_key;

/** vib-anc: the motion of a camera, in the space and units of vib-anm. */
typedef struct ossa_vib_anc {
    int16_t rate; /**< as in vib-anm */
    uint16_t key_count;
    const ossa_vib_camera_key *keys;
    const uint8_t *tail; /**< bytes after the last key; none in good files */
    size_t tail_size;
} ossa_vib_anc;

/** One entry of an archive. */
typedef struct ossa_vib_pak_entry {
    uint32_t offset; /**< of the entry: its name, its length, then its bytes */
    const char
        *name; /**< `name_size` bytes followed by a NUL; NULL: the file ends before it does */
    uint64_t name_size;
    bool has_length;      /**< the file is long enough to contain the length */
    uint32_t length;      /**< of its bytes */
    uint64_t data_offset; /**< of its bytes */
    const uint8_t *data;  /**< NULL if the file does not contain all of them */
    bool shares_bytes;    /**< with another entry, or with the table of offsets */
} ossa_vib_pak_entry;

/** vib-pak: an archive. Its bytes are kept, and ossa_write writes them unchanged. To change it,
 * create a new one with ossa_pack, or use ossa_dump and ossa_build. */
typedef struct ossa_vib_pak {
    uint32_t entry_count;
    const ossa_vib_pak_entry *entries;
    const uint8_t *image; /**< the whole file */
    uint64_t image_size;
    const ossa_gap *gaps; /**< bytes that belong to no field, mostly padding */
    size_t gap_count;
} ossa_vib_pak;

/** The contents of a file; NULL if the file has another format. */
OSSA_API ossa_vib_anm *ossa_as_vib_anm(ossa_file *file);
OSSA_API ossa_vib_tmd *ossa_as_vib_tmd(ossa_file *file); /**< likewise */
OSSA_API ossa_vib_anc *ossa_as_vib_anc(ossa_file *file); /**< likewise */
OSSA_API ossa_vib_pak *ossa_as_vib_pak(ossa_file *file); /**< likewise */

/** Frames per second of an animation or a camera: its `rate` if that is 15, 20, 30 or 60, otherwise
 * 30. Likely, not certain. */
OSSA_API int ossa_vib_fps(int16_t rate);

/** Decode a packet. Returns false if its kind is unknown or its length does not fit its kind. */
OSSA_API bool ossa_vib_decode(const ossa_vib_primitive *primitive, ossa_vib_shape *shape);

/* ---- options of a scene -------------------------------------------------------------------- */

/** The order of the three rotations of a key. */
typedef enum ossa_vib_euler {
    OSSA_VIB_EULER_XYZ, /**< about X first, then Y, then Z */
    OSSA_VIB_EULER_ZYX, /**< about Z first, then Y, then X */
} ossa_vib_euler;

/** The value of what a key leaves out. */
typedef enum ossa_vib_missing {
    OSSA_VIB_MISSING_IDENTITY, /**< the rest value */
    OSSA_VIB_MISSING_HOLD,     /**< the last value */
} ossa_vib_missing;

/** The unit of a camera's twist. */
typedef enum ossa_vib_twist {
    OSSA_VIB_TWIST_DEGREE, /**< 4096 is one degree, as in the console's library */
    OSSA_VIB_TWIST_TURN,   /**< 4096 is a full rotation, as in animations */
    OSSA_VIB_TWIST_NONE,   /**< ignore the twist */
} ossa_vib_twist;

/** The unit of a camera's field of view. */
typedef enum ossa_vib_view {
    OSSA_VIB_VIEW_TURN,     /**< a vertical angle, over 240 lines: 4096 is a full rotation */
    OSSA_VIB_VIEW_DISTANCE, /**< the distance to a screen of 240 lines */
    OSSA_VIB_VIEW_DEGREE,   /**< an angle in degrees */
} ossa_vib_view;

/** For ossa_scene_options.vib. */
typedef struct ossa_vib_options {
    ossa_vib_euler euler;     /**< of animations */
    ossa_vib_missing missing; /**< of animations */
    ossa_vib_twist twist;     /**< of cameras */
    ossa_vib_view view;       /**< of cameras */
} ossa_vib_options;

OSSA_END

#endif
