/* SPDX-License-Identifier: MIT */
/** @file
 * Writing a scene for other programs: glTF, BVH, CSV, PNG and JSON.
 *
 * All writers take the same options and send bytes to a sink. What a format cannot represent is
 * reported as an issue and written as well as the format allows. After a failure, discard what
 * the sink received.
 *
 *     ossa_export_options options = {.skin = true, .on_issue = print_issue};
 *     if (!ossa_write_gltf(scene, &options, sink, (ossa_sink){0}, &error)) { ... }
 *
 * The same scene gives the same bytes on every machine, except that two versions of zlib may
 * compress the textures of a glTF, and a PNG, differently. */
#ifndef OSSA_EXPORT_H
#define OSSA_EXPORT_H

#include "ossa/scene.h"

OSSA_BEGIN

/** The space of the transforms in a table. */
typedef enum ossa_space {
    OSSA_SPACE_MODEL, /**< relative to the model's origin */
    OSSA_SPACE_LOCAL, /**< relative to each bone's parent */
} ossa_space;

/** Options of all writers; each writer ignores those that do not concern it. Zero means default. */
typedef struct ossa_export_options {
    /** The clips to write: one flag per clip of the scene, or NULL for all. For glTF, CSV and
     * scene JSON; a BVH holds one clip, which is an argument. */
    const uint8_t *clips;
    /** glTF: NULL writes one GLB. Otherwise the text of a .gltf is written, and this is the name
     * of the file that its buffer will be in. */
    const char *bin_uri;
    /** glTF: write all triangles as one skinned mesh instead of one mesh per bone. It looks the
     * same. Lines stay on their bones, because not every program can skin them. Meshes with
     * vertex_bones or weighted vertices are always skinned. */
    bool skin;
    ossa_space space;           /**< CSV */
    ossa_json_style json_style; /**< scene JSON */
    ossa_allocator allocator;   /**< all NULL: malloc and free */
    /** Called for everything that the format cannot hold. The severity is
     * OSSA_SEVERITY_WARNING and `format` is "gltf", "bvh", "csv", "png" or "json". */
    void (*on_issue)(void *user, const ossa_issue *issue);
    void *user; /**< passed to on_issue */
    /** glTF: the name of a variant of the scene. Programs that do not know variants show this one.
     * NULL: they show the materials that the meshes have. */
    const char *variant;
} ossa_export_options;

/** Write glTF 2.0: all clips in one file, under their names.
 *
 * With options.bin_uri, the text goes to `sink` and the buffer to `bin`; otherwise a GLB goes to
 * `sink` and `bin` is unused. The buffer is written in pieces and never held as a whole; memory
 * is taken for its description and for packed textures.
 *
 * A clip with morph targets has frames * targets weights per mesh that has any. If they take more
 * than 1 MiB in all, they are written as sparse accessors, which list only those that are not 0. A
 * program that opens the file holds all of them: if targets, their names and weights take 64 MiB
 * there, this is reported, and 1 GiB or more is an error (OSSA_CODE_LIMIT). */
OSSA_API bool ossa_write_gltf(const ossa_scene *scene, const ossa_export_options *options,
                              ossa_sink sink, ossa_sink bin, ossa_error *error);

/** Write one clip as BVH, the motion capture format that every animation program reads.
 *
 * BVH has no rest rotations, scales, visibility or meshes; what is lost is reported. Fails with
 * OSSA_CODE_BAD_SCENE for a clip without frames or a scene without bones, and with
 * OSSA_CODE_BAD_ARGUMENT if `clip` does not point into `scene->clips`. */
OSSA_API bool ossa_write_bvh(const ossa_scene *scene, const ossa_clip *clip,
                             const ossa_export_options *options, ossa_sink sink, ossa_error *error);

/** Write clips as a table: a heading, then one row per clip, frame and bone.
 *
 * Fields are separated by commas and quoted where necessary (RFC 4180); lines end in a newline. A
 * scene without clips gives its rest pose, as frame 0 of a clip with an empty name. A name that
 * begins with one of ' = + - @, a tab or a line break gets an apostrophe in front, so that no
 * spreadsheet takes it for a formula.
 *
 * A table that would take 1 GiB or more, counting the names in every row and 128 bytes for its
 * numbers, is an error (OSSA_CODE_LIMIT). */
OSSA_API bool ossa_write_csv(const ossa_scene *scene, const ossa_export_options *options,
                             ossa_sink sink, ossa_error *error);

/** Write a texture as PNG, 8 bits per channel, without alpha if every pixel is opaque.
 *
 * A build without libpng writes uncompressed PNGs. The allocator is used by libpng and zlib, too.
 */
OSSA_API bool ossa_write_png(const ossa_texture *texture, const ossa_export_options *options,
                             ossa_sink sink, ossa_error *error);

/** Write everything in the scene, including the pixels of its textures, as one JSON document
 * followed by a newline. */
OSSA_API bool ossa_write_scene_json(const ossa_scene *scene, const ossa_export_options *options,
                                    ossa_sink sink, ossa_error *error);

OSSA_END

#endif
