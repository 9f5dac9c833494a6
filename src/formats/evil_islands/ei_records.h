/* SPDX-License-Identifier: MIT
 *
 * What an animation database (ADB) says about the clips of a figure. */
#ifndef OSSA_EI_RECORDS_H
#define OSSA_EI_RECORDS_H

#include "formats/evil_islands/ei_figure.h"

struct ossa__ei_records {
    const struct ossa__part *part; /* NULL: there is no database */
    const ossa_ei_adb *adb;
    const char **names; /* by record, UTF-8 */
    uint32_t *by_name;  /* records in the order of their names */
    uint8_t *is_used;   /* by record: a clip has its name */
    uint32_t bare;      /* clips without a record */
    const char *first_bare;

    /* What the durations say of the rate, clip by clip. */
    bool are_frames[2]; /* as many as the clip has; one fewer */
    double least;       /* of the rates that all durations allow, if they are milliseconds */
    double most;
    uint32_t timed; /* durations seen */
    const char *first_timed;
    uint32_t first_frames;
    uint32_t first_duration;
};

/* The database among the inputs; false after a failure. */
bool ossa__ei_records_start(struct ossa__ei_figure *figure, struct ossa__ei_records *records);

/* The record of a clip, letter case ignored; NULL: it has none. */
const ossa_ei_adb_record *ossa__ei_find_record(struct ossa__ei_records *records, const char *clip);

/* A clip of that name lasts so many frames. When all were told, the rate of the clips. */
void ossa__ei_note_duration(struct ossa__ei_records *records, const char *clip, uint32_t frames);
double ossa__ei_rate(struct ossa__ei_figure *figure, const struct ossa__ei_records *records);

/* What a record says and a clip has no place for; NULL after a failure. */
const ossa_extra *ossa__ei_record_extras(struct ossa__assembly *assembly,
                                         const ossa_ei_adb_record *record, uint32_t *count);

/* One word about the names that did not match. */
void ossa__ei_records_finish(struct ossa__ei_figure *figure,
                             const struct ossa__ei_records *records);

#endif
