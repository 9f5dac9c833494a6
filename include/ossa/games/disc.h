/* SPDX-License-Identifier: MIT */
/** @file
 * Images of discs, which games of all kinds come on: the contents of their files as stored. */
#ifndef OSSA_GAMES_DISC_H
#define OSSA_GAMES_DISC_H

#include "ossa/file.h"

OSSA_BEGIN

/** What ossa_cue refers to something by that is not there. */
#define OSSA_CUE_NONE UINT32_MAX

/** A file that a CUE sheet names. */
typedef struct ossa_cue_file {
    const char *name; /**< as the sheet has it, in UTF-8: hostile; U+2400 stands for a NUL */
    const char *type; /**< "BINARY", "WAVE": `type_size` bytes of the text */
    uint32_t type_size;
    bool is_sound; /**< of a known type that holds sound in a format of its own */
} ossa_cue_file;

/** A position on the disc. */
typedef struct ossa_cue_index {
    uint32_t number; /**< 0: the gap before a track begins here, 1: the track */
    uint32_t frame;  /**< 75 per second, one sector each, from the start of its file */
    uint32_t file;   /**< in ossa_cue.files, or OSSA_CUE_NONE */
    uint64_t offset; /**< the same in bytes of that file, if it does not hold sound */
} ossa_cue_index;

/** A track. */
typedef struct ossa_cue_track {
    uint32_t number;  /**< 1 to 99 in good files */
    const char *mode; /**< "AUDIO", "MODE2/2352": `mode_size` bytes of the text */
    uint32_t mode_size;
    uint32_t sector_size; /**< in bytes; 0: the mode is not known */
    bool is_data;         /**< of a known mode that is not sound */
    uint32_t pregap;      /**< frames of silence before and after it that are in no file */
    uint32_t postgap;
    uint32_t first_index; /**< in ossa_cue.indices */
    uint32_t index_count;
} ossa_cue_track;

/** cue: which tracks a disc has and which files hold them.
 *
 * The text is what is written; the rest says what is in it. */
typedef struct ossa_cue {
    const char *text;
    size_t text_size;
    uint32_t file_count;
    const ossa_cue_file *files;
    uint32_t track_count;
    const ossa_cue_track *tracks;
    uint32_t index_count;
    const ossa_cue_index *indices; /**< in the order of the text: those of a track in a row */
    uint32_t data_track;           /**< the first one, in `tracks`, or OSSA_CUE_NONE */
} ossa_cue;

/** The contents of a cue file; NULL if it has another format. */
OSSA_API ossa_cue *ossa_as_cue(ossa_file *file);

OSSA_END

#endif
