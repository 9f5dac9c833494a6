/* SPDX-License-Identifier: MIT */
/** @file
 * Where the keys of a scene are stored: from a value in a frame of a clip to the bytes of its file,
 * and from a byte to the values that come from it.
 *
 *     const ossa_scene_options scene_options = {.trace_keys = true};
 *     const ossa_load_options options = {.scene = &scene_options};
 *     ossa_scene *scene = ossa_workspace_scene(workspace, paths, count, &options, &error);
 *     ossa_key_bytes bytes;
 *     (void)ossa_find_key_bytes(scene, clip, bone, OSSA_KEY_CHANNEL_ROTATION, frame, &bytes, 1);
 *     if (bytes.path != NULL) { ... bytes.offset, bytes.size ... }
 *
 * Offsets count in the bytes that ossa_workspace_bytes returns for the path: those of an entry that
 * is packed in its archive are offsets in the entry. */
#ifndef OSSA_KEYS_H
#define OSSA_KEYS_H

#include "ossa/scene.h"

OSSA_BEGIN

/** A value of a bone. */
typedef enum ossa_key_channel {
    OSSA_KEY_CHANNEL_ROTATION,
    OSSA_KEY_CHANNEL_TRANSLATION,
    OSSA_KEY_CHANNEL_SCALE,
    OSSA_KEY_CHANNEL_VISIBLE,
} ossa_key_channel;

/** "rotation", "translation", "scale", "visible". */
OSSA_API const char *ossa_key_channel_name(ossa_key_channel channel);

/** What bytes are to a value, or why it has none. */
typedef enum ossa_key_role {
    /* The value is stored: */
    OSSA_KEY_ROLE_KEY,      /**< for this frame */
    OSSA_KEY_ROLE_HELD,     /**< for an earlier frame, and lasts until this one */
    OSSA_KEY_ROLE_FIRST,    /**< for the frame in which the bone is first drawn, of this clip or
                             * another one; until then the bone is there, too */
    OSSA_KEY_ROLE_CONSTANT, /**< once for all frames */
    /* Not the value itself, but stored: */
    OSSA_KEY_ROLE_SCALING, /**< what all keys of the bone are computed with */
    /* The value is not stored: */
    OSSA_KEY_ROLE_REST,    /**< the clip has no such track; the value is that of the rest pose */
    OSSA_KEY_ROLE_OMITTED, /**< the clip has none in this frame; the value is the game's default */
    OSSA_KEY_ROLE_RESAMPLED, /**< it was computed from two neighbouring keys */
    OSSA_KEY_ROLE_UNTRACED,  /**< the scene was made without options.trace_keys */
} ossa_key_role;

/** "key", "held", "first", "constant", "scaling", "rest", "omitted", "resampled", "untraced". */
OSSA_API const char *ossa_key_role_name(ossa_key_role role);

/** One number of a stored key. */
typedef struct ossa_key_part {
    const char *name;   /**< as in the format's page: "w", "x", "angle", "i centre" */
    uint16_t first_bit; /**< bit 0 is the lowest bit of the first byte */
    uint16_t bit_count;
    int8_t component; /**< of the scene's value, x y z w, if that is the only one that the number
                       * changes; otherwise -1 */
} ossa_key_part;

/** How a key is stored. */
typedef struct ossa_key_layout {
    uint32_t size; /**< in bytes */
    /** The rotations of the bones below depend on it, too: the file has no local rotations. */
    bool is_inherited;
    /** Other values depend on it, too: the byte says which bone the key is for. */
    bool is_structure;
    uint32_t part_count;
    const ossa_key_part *parts; /**< bits that are in none of them have no known meaning */
} ossa_key_layout;

/** Keys of one channel of a bone that follow each other at a constant distance: those of the frames
 * first_frame + i * frame_step, for i below frame_count, are at offset + i * stride. */
typedef struct ossa_key_run {
    uint32_t bone;
    ossa_key_channel channel;
    ossa_key_role role; /**< that of stored values, OSSA_KEY_ROLE_SCALING or _OMITTED */
    uint32_t first_frame;
    uint32_t frame_step; /**< at least 1; more than 1 if the clip was resampled */
    uint32_t frame_count;
    uint32_t file; /**< in ossa_scene.key_files; 0 if nothing is stored */
    uint64_t offset;
    int64_t stride;                /**< 0: the same bytes for all frames */
    const ossa_key_layout *layout; /**< NULL: nothing is stored. Never freed */
} ossa_key_run;

/** Bytes that a value of a scene comes from. */
typedef struct ossa_key_bytes {
    ossa_key_role role;
    const char *path; /**< of the file, as in messages; NULL: not stored. It is the scene's */
    uint64_t offset;
    uint32_t size;
    const ossa_key_layout *layout; /**< NULL: not stored */
    bool is_adjusted; /**< the scene was made with `in_place`: the value depends on other keys of
                       * the file, too, such as the first and the last one */
} ossa_key_bytes;

/** Find the bytes that a value comes from: the smallest range that stores it.
 *
 * Fills up to `capacity` items and returns how many there are. There is always one: the first is
 * the value itself, or says why it is not stored; what it is computed with follows. Returns 0 if
 * there is no such clip, bone, channel or frame. */
OSSA_API size_t ossa_find_key_bytes(const ossa_scene *scene, uint32_t clip, uint32_t bone,
                                    ossa_key_channel channel, uint32_t frame, ossa_key_bytes *found,
                                    size_t capacity);

/** Values of a scene that come from the same bytes: those of the frames first_frame + i *
 * frame_step, for i below frame_count. */
typedef struct ossa_key_use {
    uint32_t clip;
    uint32_t bone;
    ossa_key_channel channel;
    ossa_key_role role;
    uint32_t first_frame;
    uint32_t frame_step;
    uint32_t frame_count;
    uint64_t offset; /**< of the first byte of the key; its size is that of the layout */
    const ossa_key_layout *layout;
} ossa_key_use;

/** Find the values that come from a byte of a file, in the order of clips. `path` is spelled as in
 * ossa_key_bytes. Fills up to `capacity` items and returns how many there are: 0 for a byte of no
 * key. The frames between resampled keys are not among them, nor are the values that depend on it
 * by is_inherited, is_structure or is_adjusted. */
OSSA_API size_t ossa_find_keys_at(const ossa_scene *scene, const char *path, uint64_t offset,
                                  ossa_key_use *found, size_t capacity);

OSSA_END

#endif
