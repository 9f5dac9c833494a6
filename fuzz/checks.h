/* SPDX-License-Identifier: MIT
 *
 * What must hold for any file and any scene, for the targets that have one. Each check ends the
 * program if it does not. */
#ifndef OSSA_FUZZ_CHECKS_H
#define OSSA_FUZZ_CHECKS_H

#include "target.h"

#include "ossa/ossa.h"

/* Bytes as a file of one format (NULL: of whichever claims them): what can be read is written as
 * the same bytes, straight, by way of JSON and read in parts; every byte is in a field; textures,
 * keys and entries can be decoded, or there is a reason. `scattered`: fields may overlap. Returns
 * whether it was read and has no errors. */
bool check_file(const uint8_t *data, size_t size, const char *format, const char *dialect,
                bool scattered);

/* A scene from the library keeps the rules, and can be sampled at any time, played, skinned and
 * exported. There are two ways to write glTF and tables; `is_second` chooses. */
void check_scene(const ossa_scene *scene, bool is_second);

/* A file of the samples, in memory. */
struct sample {
    char *path;         /* "troll/walk/hp.anm"; of an entry "packed/ped.ar#anim/ped.csv" */
    size_t folder_size; /* the length of "troll" */
    const ossa_format *format;
    uint8_t *data;
    size_t size;
};

/* All files of the samples, and those in their archives; read once. */
const struct sample *load_samples(size_t *count);

/* A workspace that has only the files that are added. */
ossa_workspace *new_workspace(void);

/* Bytes in place of the first sample of their format, together with those other samples that make a
 * scene of it: whatever comes of that is checked, exported, and put back, which changes nothing.
 * Bytes that do not fit there, and archives, are tried by themselves. */
void check_figure(const uint8_t *data, size_t size, const ossa_format *format);

/* Add the files of the figure that a format is tried in. Returns their folder, or NULL if there is
 * none. */
const char *add_sample_figure(ossa_workspace *workspace, const ossa_format *format);

#endif
