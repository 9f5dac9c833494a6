/* SPDX-License-Identifier: MIT */
/** @file
 * Evil Islands (2000): the contents of its files as stored, and its scene options.
 *
 *     ossa_ei_anm *anm = ossa_as_ei_anm(file);
 *     anm->rotations = mine;
 *     anm->rotation_count = count;
 *     ossa_write(file, sink, &error);
 *
 * All structs are plain data. To change a file, point an array at your own (and set its count),
 * then call ossa_write: only what you changed differs. The library frees none of your arrays, and
 * you free none of its. */
#ifndef OSSA_GAMES_EVIL_ISLANDS_H
#define OSSA_GAMES_EVIL_ISLANDS_H

#include "ossa/file.h"

OSSA_BEGIN

/** Frames per second of an ANM: one per tick of the game, which lasts 55 ms. */
#define OSSA_EI_FPS (1000.0 / 55.0)

/** ei-anm: the animation of one part. Right-handed, Z up, metres; rotations are w x y z. */
typedef struct ossa_ei_anm {
    uint32_t rotation_count;
    uint32_t translation_count;
    uint32_t morph_frame_count;
    uint32_t morph_vertex_count;    /**< offsets per morph frame */
    const float (*rotations)[4];    /**< w x y z */
    const float (*translations)[3]; /**< x y z */
    const float (*morphs)[3];       /**< [frame * morph_vertex_count + vertex] */
    bool borrowed;                  /**< the three arrays are in the bytes given to ossa_read */
    bool short_tail;                /**< there are no morph frames and no morph_vertex_count */
    const uint8_t *tail;            /**< bytes after the last field; none in good files */
    size_t tail_size;
} ossa_ei_anm;

/** A name as stored: code page 1251, `size` bytes without the terminating NUL. */
typedef struct ossa_ei_name {
    const char *bytes; /**< not terminated; may contain NULs in a bad file */
    uint32_t size;
    bool has_nul; /**< the file stores and counts a terminating NUL */
} ossa_ei_name;

/** One part and the part it hangs on. */
typedef struct ossa_ei_link {
    ossa_ei_name child;
    ossa_ei_name parent;  /**< empty for the root */
    int32_t parent_index; /**< the link whose child is the parent; -1: the root, or not found */
    uint32_t depth;       /**< 0 for the root */
    bool last_sibling;    /**< no later link has the same parent */
} ossa_ei_link;

/** ei-lnk: the tree of parts, depth first. */
typedef struct ossa_ei_lnk {
    uint32_t link_count;
    const ossa_ei_link *links;
    const uint8_t *tail; /**< bytes after the last field; none in good files */
    size_t tail_size;
} ossa_ei_lnk;

/** ei-bon: the rest position of one part, relative to its parent; Z up, metres, as in ei-anm.
 * There may be several variants of it: 8 are the corners of the complexion, see
 * ossa_ei_complexion. */
typedef struct ossa_ei_bon {
    uint32_t position_count;
    const float (*positions)[3]; /**< x y z */
    bool borrowed;               /**< positions are in the bytes given to ossa_read */
    const uint8_t *tail;         /**< fewer than 12 bytes at the end; none in good files */
    size_t tail_size;
} ossa_ei_bon;

/** One key of a camera's path. The meaning of `step` is unknown. */
typedef struct ossa_ei_camera_key {
    float time;
    float step;
    float position[3];
    float rotation[4]; /**< w x y z */
} ossa_ei_camera_key;

/** ei-cam: the path of a camera; Z up, metres, as in ei-anm. */
typedef struct ossa_ei_cam {
    uint32_t key_count;
    const ossa_ei_camera_key *keys;
    bool borrowed;       /**< keys are in the bytes given to ossa_read */
    const uint8_t *tail; /**< fewer than 36 bytes at the end; none in good files */
    size_t tail_size;
} ossa_ei_cam;

/** A corner of a triangle: indices into the arrays of its figure. */
typedef struct ossa_ei_vertex_component {
    uint16_t vertex;
    uint16_t normal;
    uint16_t texcoord;
} ossa_ei_vertex_component;

/** Which vertex an offset in the morph frames of an ANM moves. */
typedef struct ossa_ei_morph_component {
    uint16_t morph;  /**< in each frame of ossa_ei_anm.morphs */
    uint16_t vertex; /**< in the game's own files the index of the component itself */
} ossa_ei_morph_component;

/** ei-fig: the mesh of one part, in the part's own space; Z up, metres, as in ei-anm.
 *
 * Vertices and normals are stored in blocks of four, so that up to three of them may be unused. All
 * positions exist in `variant_count` variants, see ossa_ei_complexion. */
typedef struct ossa_ei_fig {
    uint32_t variant_count; /**< 1, 2, 4, 6 or 8: the digit of the signature */
    uint32_t vertex_block_count;
    uint32_t normal_block_count;
    uint32_t texcoord_count;
    uint32_t index_count; /**< a multiple of 3 */
    uint32_t vertex_component_count;
    uint32_t morph_component_count;
    uint32_t zero;  /**< unknown; 0 in good files */
    uint32_t group; /**< what it is made of, see ossa_ei_fig_is_material */
    uint32_t texture_number;
    const float (*center)[3]; /**< [variant_count]; this and the next three may be NaN in a figure
                               * without vertices */
    const float (*min)[3];
    const float (*max)[3];
    const float *radius;
    const float (*vertices)[4]; /**< [block][axis][variant][lane]: see ossa_ei_fig_vertex */
    const float (*normals)[4];  /**< [block][x y z w][lane]: see ossa_ei_fig_normal */
    const float (*texcoords)[2];
    const uint16_t *indices; /**< of vertex components */
    const ossa_ei_vertex_component *vertex_components;
    const ossa_ei_morph_component *morph_components;
    bool borrowed;       /**< arrays are in the bytes given to ossa_read, except those that are not
                          * aligned to 4 bytes there */
    const uint8_t *tail; /**< bytes after the last field; none in good files */
    size_t tail_size;
} ossa_ei_fig;

/** The fourcc of an ei-mmp: how its texels are stored. */
typedef enum ossa_ei_fourcc {
    OSSA_EI_FOURCC_DXT1 = 0x31545844, /**< blocks of 4 x 4: two colours, and per texel which of them
                                       * or between them */
    OSSA_EI_FOURCC_DXT3 = 0x33545844, /**< the same, and 4 bits of alpha per texel */
    OSSA_EI_FOURCC_PNT3 = 0x33544e50, /**< 8888, with runs of zeros packed */
    OSSA_EI_FOURCC_4444 = 0x4444,     /**< u16: bits of alpha, red, green, blue, from the top */
    OSSA_EI_FOURCC_5551 = 0x5551,     /**< u16: 1 bit of alpha, then 5, 5, 5 */
    OSSA_EI_FOURCC_5650 = 0x5650,     /**< u16: no alpha, 5, 6, 5 */
    OSSA_EI_FOURCC_8888 = 0x8888,     /**< blue, green, red, alpha, one byte each */
} ossa_ei_fourcc;

/** The position of a channel in a texel, as the file states it; the fourcc implies the same. */
typedef struct ossa_ei_channel {
    uint32_t mask;
    uint32_t shift;
    uint32_t count; /**< of bits */
} ossa_ei_channel;

/** One mip level of a texture, as stored. */
typedef struct ossa_ei_level {
    uint32_t width;
    uint32_t height;
    const uint8_t *texels;
    size_t size; /**< in bytes */
} ossa_ei_level;

/** ei-mmp: a texture. */
typedef struct ossa_ei_mmp {
    uint32_t width;
    uint32_t height;
    uint32_t mips;   /**< number of levels; for PNT3, the size of its only level in bytes */
    uint32_t fourcc; /**< see ossa_ei_fourcc; unknown ones are kept as one level of bytes */
    uint32_t bits;   /**< per texel */
    ossa_ei_channel alpha, red, green, blue;
    uint32_t unused;
    uint32_t level_count;        /**< at least 1 */
    const ossa_ei_level *levels; /**< each half the size of the one before, at least 1 */
    const uint8_t *tail;         /**< bytes after the last field; none in good files */
    size_t tail_size;
} ossa_ei_mmp;

/** One entry of an archive: a slot of its hash table. */
typedef struct ossa_ei_res_entry {
    int32_t next;    /**< slot of the next entry in the chain; -1: none */
    uint32_t size;   /**< of its bytes */
    uint32_t offset; /**< of its bytes in the archive; a multiple of 16 in good files */
    uint32_t time;   /**< seconds since 1970 */
    uint16_t name_length;
    uint32_t name_offset; /**< in the block of names */
    ossa_ei_name name;    /**< empty if it would be outside that block */
    const uint8_t *data;  /**< NULL if the file does not contain all of the bytes */
    bool shares_bytes;    /**< with another entry, or with the archive's own structure */
} ossa_ei_res_entry;

/** ei-res: an archive; nested ones are called *.mod, *.bon and *.anm. Its bytes are kept, and
 * ossa_write writes them unchanged. To change it, create a new one with ossa_pack, or use ossa_dump
 * and ossa_build. */
typedef struct ossa_ei_res {
    uint32_t entry_count;
    uint32_t table_offset;
    uint32_t names_size;
    const ossa_ei_res_entry *entries; /**< by slot */
    const uint32_t *order;            /**< slots in the order of their bytes, as ossa_entry_at */
    const uint8_t *image;             /**< the whole file */
    uint64_t image_size;
    const ossa_gap *gaps; /**< bytes that belong to no field, mostly padding */
    size_t gap_count;
} ossa_ei_res;

/** The stage of an action that an animation is for: a start leads to a cycle, a cycle to an end. */
typedef enum ossa_ei_stage {
    OSSA_EI_STAGE_UNIQUE, /**< it is the whole action */
    OSSA_EI_STAGE_START,
    OSSA_EI_STAGE_CYCLE,
    OSSA_EI_STAGE_END,
} ossa_ei_stage;

/** What the game knows about one animation of a model. */
typedef struct ossa_ei_adb_record {
    char name[16]; /**< code page 1251, up to a NUL if there is one: see ossa_ei_adb_name */
    uint32_t index;
    uint64_t packed;       /**< what it is for: see ossa_ei_adb_stage and docs/formats/ei-adb.md */
    uint32_t probability;  /**< likely in percent; 0 in short records, which do not store it */
    uint32_t duration;     /**< in frames */
    float speed;           /**< of the movement */
    uint32_t show_hide[2]; /**< frames, or 0, and so are the next three */
    uint32_t step_sounds[4];
    uint32_t hit_frame;
    uint32_t special_frame; /**< of a sound */
    uint32_t sound_ids[4];
} ossa_ei_adb_record;

/** ei-adb: the animation database of one model. */
typedef struct ossa_ei_adb {
    char model[24]; /**< code page 1251, as the names */
    float min_height;
    float mid_height;
    float max_height;
    uint32_t record_count;
    const ossa_ei_adb_record *records;
    const uint8_t *tail; /**< bytes after the last field; none in good files */
    size_t tail_size;
    bool has_short_records; /**< of 84 bytes, without the probability */
    bool is_stub;           /**< header and 36 bytes; the next two are what it stores, and there
                             * are no records */
    uint32_t stub_count;    /**< the number of records that the stub states */
    uint32_t stub[9];
} ossa_ei_adb;

/** The contents of a file; NULL if the file has another format. */
OSSA_API ossa_ei_anm *ossa_as_ei_anm(ossa_file *file);
OSSA_API ossa_ei_lnk *ossa_as_ei_lnk(ossa_file *file); /**< likewise */
OSSA_API ossa_ei_bon *ossa_as_ei_bon(ossa_file *file); /**< likewise */
OSSA_API ossa_ei_cam *ossa_as_ei_cam(ossa_file *file); /**< likewise */
OSSA_API ossa_ei_fig *ossa_as_ei_fig(ossa_file *file); /**< likewise */
OSSA_API ossa_ei_mmp *ossa_as_ei_mmp(ossa_file *file); /**< likewise */
OSSA_API ossa_ei_res *ossa_as_ei_res(ossa_file *file); /**< likewise */
OSSA_API ossa_ei_adb *ossa_as_ei_adb(ossa_file *file); /**< likewise */

/** Decode a level to red green blue alpha, rows from the top, into a buffer of `capacity` pixels.
 *
 * levels[level].width * height pixels are needed. Check that number before you allocate: a PNT3 of
 * a hundred bytes may decode to gigabytes. Fails for an unknown fourcc, a level that does not exist
 * or is too short, and runs that exceed the picture. */
OSSA_API bool ossa_ei_mmp_decode(const ossa_ei_mmp *mmp, uint32_t level, uint8_t (*rgba)[4],
                                 uint64_t capacity, ossa_error *error);

/** Convert a stored name to UTF-8. The text is truncated to `capacity` (never inside a character)
 * and always terminated. Returns the untruncated length. The byte 0x98, which has no character,
 * becomes U+0098. */
OSSA_API size_t ossa_ei_name_utf8(const ossa_ei_name *name, char *text, size_t capacity);

/** The variant for a complexion: three numbers, each 0 to 1, in the order in which the game stores
 * them (NULL is 0, 0, 0).
 *
 * 8 corners are blended: the first number leads from corner 0 to 2, the second from 0 to 1, and the
 * third, the height, from 0 to 4. Of any other number of corners the first is returned, of none
 * 0, 0, 0. */
OSSA_API void ossa_ei_complexion(const float (*corners)[3], uint32_t count,
                                 const float complexion[3], float out[3]);

/** A vertex of a figure for a complexion, as in ossa_ei_complexion. 0, 0, 0 if `index` is out of
 * range. */
OSSA_API void ossa_ei_fig_vertex(const ossa_ei_fig *fig, uint32_t index, const float complexion[3],
                                 float out[3]);
/** Is the group of a figure, 17 to 25, one of the game's materials: leather, wood, metal, cloth,
 * skin, stone, magic? Which number is which is not known. */
OSSA_API bool ossa_ei_fig_is_material(const ossa_ei_fig *fig);
/** A normal of a figure, divided by its w unless that is 0, of any length. 0, 0, 0 if `index` is
 * out of range. */
OSSA_API void ossa_ei_fig_normal(const ossa_ei_fig *fig, uint32_t index, float out[3]);

/** The name of a record, for ossa_ei_name_utf8. It points into the record. */
OSSA_API ossa_ei_name ossa_ei_adb_name(const ossa_ei_adb_record *record);
/** The stage of a record. */
OSSA_API ossa_ei_stage ossa_ei_adb_stage(const ossa_ei_adb_record *record);
/** The forms of a record, a bit each from the lowest: hides, steps, hit, effects, low shape, high
 * shape. */
OSSA_API uint32_t ossa_ei_adb_forms(const ossa_ei_adb_record *record);
/** "unique", "start", "cycle" or "end". */
OSSA_API const char *ossa_ei_stage_name(ossa_ei_stage stage);

/* ---- options of a scene -------------------------------------------------------------------- */

/** The direction that a camera without rotation looks in. */
typedef enum ossa_ei_look {
    OSSA_EI_LOOK_GAME, /**< along +Z, with -Y up and +X to the right in its picture: the game's */
    OSSA_EI_LOOK_Y,    /**< along +Y, with Z up */
    OSSA_EI_LOOK_Z,    /**< down, along -Z, with Y up in its picture */
    OSSA_EI_LOOK_UP,   /**< up, along +Z, with Y up in its picture */
} ossa_ei_look;

/** Which morph frames become morph targets; see also ossa_scene_options.wants_clip. */
typedef enum ossa_ei_morphing {
    OSSA_EI_MORPHING_ALL,   /**< those of every wanted clip */
    OSSA_EI_MORPHING_FIRST, /**< those of the first wanted clip that has any */
    OSSA_EI_MORPHING_NONE,
} ossa_ei_morphing;

/** The position of the root in a frame, from its bind position (BON) and its translation (ANM).
 * Players of the game's files differ. */
typedef enum ossa_ei_root {
    OSSA_EI_ROOT_SUM,         /**< both */
    OSSA_EI_ROOT_TRANSLATION, /**< the translation alone */
    OSSA_EI_ROOT_BIND,        /**< the bind position alone */
} ossa_ei_root;

/** For ossa_scene_options.ei. */
typedef struct ossa_ei_options {
    float complexion[3];       /**< three numbers in the game's order, each 0 to 1 */
    ossa_ei_look look;         /**< of cameras */
    ossa_ei_morphing morphing; /**< of meshes */
    uint32_t resample;         /**< keys per frame, by the game's own rule, up to 1000; 0: 1 */
    /** The texture of the figure: the `path` or `shown` of an input. NULL: the input whose name
     * matches the model. */
    const char *texture;
    ossa_ei_root root;
    /** Which parts are shown beside those that the tree names and those without a dot in their
     * names: patterns with * and ?. One that begins with ! takes parts away. A part with a dot that
     * the tree names gives way to another one of its slot, which is the name before the dot. */
    const char *const *parts;
    size_t part_count;
    /** The complexion was chosen, even if all of it is 0; implied if one number is not. With a
     * database (ADB) the root's translation is then scaled to the height. */
    bool has_complexion;
} ossa_ei_options;

OSSA_END

#endif
