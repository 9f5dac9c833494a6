/* SPDX-License-Identifier: MIT */
/** @file
 * Ossa reads, checks, converts and writes the skeletal animations of old games. This header
 * includes all the others. */
#ifndef OSSA_H
#define OSSA_H

#include "ossa/api.h"
#include "ossa/archive.h"
#include "ossa/diff.h"
#include "ossa/error.h"
#include "ossa/export.h"
#include "ossa/file.h"
#include "ossa/games/disc.h"
#include "ossa/games/evil_islands.h"
#include "ossa/games/midtown_madness.h"
#include "ossa/games/shadow_of_the_colossus.h"
#include "ossa/games/vib_ribbon.h"
#include "ossa/import.h"
#include "ossa/keys.h"
#include "ossa/runtime.h"
#include "ossa/sample.h"
#include "ossa/scene.h"
#include "ossa/texture.h"
#include "ossa/workspace.h"

#endif
