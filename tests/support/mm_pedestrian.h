/* SPDX-License-Identifier: MIT
 *
 * Pedestrians of both games, with the properties of the games' own files: the first has 26 bones of
 * which two are called `spine`, a flat mesh (version 1.06), variants (VAR) and animations of the
 * dialect mm1. The second has 19 bones, a mesh of packets (version 1.09), variants (.shaders) and
 * animations of 60 channels. */
#ifndef OSSA_TEST_MM_PEDESTRIAN_H
#define OSSA_TEST_MM_PEDESTRIAN_H

#include "support/byte_list.h"

enum {
    MM1_BONES = 26,
    MM1_SPINE = 5,
    MM1_SECOND_SPINE = 16,
    MM1_MATERIALS = 3,
    MM1_VARIANTS = 6,
    MM2_BONES = 19,
    MM2_MATERIALS = 3,
    MM2_VARIANTS = 4,
    MM2_OWN_VARIANT = 2, /* the one with the colours of the mesh */
};

struct bytes make_mm1_skel(void);
struct bytes make_mm1_mod(void);
struct bytes make_mm1_var(void);
struct bytes make_mm1_csv(void);
struct bytes make_mm1_anim(uint32_t seed, uint32_t frames);

struct bytes make_mm2_skel(void);
struct bytes make_mm2_mod(void);
struct bytes make_mm2_shaders(void);
/* `who`: "man", whose animations the table lists. */
struct bytes make_mm2_csv(const char *who);
struct bytes make_mm2_anim(uint32_t seed, uint32_t frames);

/* The second game's archive: "anim/pedmodel_man.skel" and so on, with pedmodel_manw, which uses the
 * animations of man, pedmodel_wolf, which is a skeleton alone, a text called .anim, and tables of
 * races and cars. */
struct bytes make_mm2_archive(void);

#endif
