/* SPDX-License-Identifier: MIT
 *
 * For the tests of scenes: files from folders or made in memory, put together. */
#ifndef OSSA_TEST_SCENES_H
#define OSSA_TEST_SCENES_H

#include "support/testing.h"
#include "ossa/export.h"
#include "ossa/games/evil_islands.h"
#include "ossa/games/vib_ribbon.h"
#include "ossa/sample.h"

enum { SCENE_FILES = 128 };

/* Inputs of an assembly, and the bytes that they lie on. */
struct scene_files {
    size_t count;
    ossa_input inputs[SCENE_FILES];
    struct bytes bytes[SCENE_FILES];
    char paths[SCENE_FILES][160];
};

/* Add a file; it takes over the bytes. `format` may be NULL: the library finds out. */
ossa_file *add_file(struct scene_files *files, const char *path, const char *format,
                    struct bytes bytes);
/* Every file of a folder to any depth, in the order of names, by its path from there. JSON is left
 * out. */
void add_folder(struct scene_files *files, const char *folder);
void free_files(struct scene_files *files);

/* A character that lies on the disc: a pose vector or a sample. */
struct character {
    const char *name;
    const char *folder;
    float complexion[3];
};
extern const struct character pose_vectors[5];
extern const struct character samples[4];

/* Assemble, and fail where that fails. */
ossa_scene *assemble_files(const struct scene_files *files, const ossa_scene_options *options);
ossa_scene *assemble_character(const struct character *character,
                               const ossa_scene_options *options);
/* It must fail with just this. */
void require_misfit(const struct scene_files *files, const ossa_scene_options *options,
                    ossa_code code, const char *where, const char *message);
/* Whichever allocation fails, assembling says so and leaks nothing. Gives how many there were. */
size_t require_assembly_survives(const struct scene_files *files, const ossa_scene_options *base);
/* Issue `index` of the scene must be just this warning. */
void require_warning(const ossa_scene *scene, size_t index, ossa_code code, const char *path,
                     const char *message);

/* ---- files made in memory ------------------------------------------------------------------ */

/* ei-anm: rotations w x y z, translations x y z. */
struct bytes make_anm(uint32_t rotations, const float (*wxyz)[4], uint32_t translations,
                      const float (*xyz)[3]);
/* `frames` rotations and translations of no meaning. */
struct bytes make_random_anm(uint32_t seed, uint32_t frames);
/* The same with morph frames of that many offsets, each from -2 to 2. */
struct bytes make_morph_anm(uint32_t seed, uint32_t frames, uint32_t morph_frames,
                            uint32_t offsets);
/* Where such a file has the x of an offset. */
size_t morph_place(uint32_t frames, uint32_t offsets, uint32_t morph_frame, uint32_t offset);
/* ei-lnk: child and parent in turn, ended by NULL; the root's parent is "". Bytes as they are. */
struct bytes make_lnk(const char *const *names);
/* ei-bon of one position, Z up. */
struct bytes make_bon(float x, float y, float z);
/* mm-skel of bones in a chain, the first at 0 1 0 and the others 0 0.5 0.25 further on. */
struct bytes make_skel(uint32_t bones);
/* mm-anim in the dialect mm1, of no meaning. */
struct bytes make_anim(uint32_t seed, uint32_t frames, uint32_t bones);

/* vib-anm, frame by frame. A part of a key that is NULL is left out. */
struct vib_maker {
    struct bytes file;
    uint32_t frame;
};
struct vib_maker begin_vib(uint32_t rate, uint32_t frames);
void add_vib_frame(struct vib_maker *vib);
void add_vib_key(struct vib_maker *vib, uint32_t object, const int *rotation, const int *scale,
                 const int *position);
struct bytes end_vib(struct vib_maker *vib);

/* ---- output -------------------------------------------------------------------------------- */

/* Warnings of a writer, counted, the last one kept. */
struct told {
    size_t count;
    ossa_code code;
    char last[256];
};
void record_issue(void *user, const ossa_issue *issue); /* user: told */

struct bytes glb_or_fail(const char *name, const ossa_scene *scene, const uint8_t *clips);
struct bytes glb_with(const char *name, const ossa_scene *scene, const uint8_t *clips,
                      const ossa_export_options *options);
struct bytes scene_json_or_fail(const char *name, const ossa_scene *scene, const uint8_t *clips,
                                ossa_json_style style);

#endif
