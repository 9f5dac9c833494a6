/* SPDX-License-Identifier: MIT
 *
 * The XFF container, for the formats that live in one. */
#ifndef OSSA_SOTC_XFF_H
#define OSSA_SOTC_XFF_H

#include "codec/image.h"
#include "formats/modules.h"
#include "ossa/games/shadow_of_the_colossus.h"

enum {
    /* words of the header */
    OSSA__XFF_SIZE = 5,
    OSSA__XFF_SECTION_COUNT = 16,
    OSSA__XFF_ENTRY = 19,
    OSSA__XFF_SECTIONS = 23,
    OSSA__XFF_NAME_POSITIONS = 26,
    OSSA__XFF_STRINGS = 27,
    /* words of a section */
    OSSA__XFF_SECTION_LENGTH = 2,
    OSSA__XFF_SECTION_OFFSET = 7,

    OSSA__XFF_SECTION_SIZE = 32,
    OSSA__XFF_NAME_LIMIT =
        256, /* including the NUL; without a limit many names could share one huge string */
};

/* What the first word of the data says a container holds; the shape of the data for OBJECTS. */
enum ossa__xff_kind {
    OSSA__XFF_NOTHING, /* not a container, or its data is outside the file */
    OSSA__XFF_OTHER,
    OSSA__XFF_ANB,
    OSSA__XFF_SKB,
    OSSA__XFF_NMO,
    OSSA__XFF_NTO,
    OSSA__XFF_SEVERAL, /* others follow it: an archive of containers (sotc_nico.c) */
    OSSA__XFF_OBJECTS, /* an ANB of another kind, see sotc_objects.h */
};

/* For probes: reports nothing. */
bool ossa__xff_is_container(const uint8_t *data, uint64_t size);
enum ossa__xff_kind ossa__xff_kind(const uint8_t *data, uint64_t size);
/* The same from the first word of the data. */
enum ossa__xff_kind ossa__xff_kind_of_data(const uint8_t word[4]);

/* Read the tables of the container and mark what they cover. */
void ossa__xff_read(struct ossa__reader *file, ossa_sotc_xff *xff, struct ossa__coverage *coverage);
/* A reader of section 1, where all data is; the window is empty after a failure. */
struct ossa__reader ossa__xff_data(const struct ossa__reader *file, const ossa_sotc_xff *xff);
/* A part of the data, marked as covered; `field` and `at` are where its offset was read. */
struct ossa__reader ossa__xff_part(const struct ossa__reader *data, uint64_t offset, uint64_t size,
                                   const char *field, uint64_t at, struct ossa__coverage *coverage);
/* A NUL-terminated name at `offset` in the window, as the field "name"; `at` is where its
 * "name_position" was read. "" after a failure. */
const char *ossa__xff_read_name(const struct ossa__reader *reader, uint64_t offset, uint64_t at,
                                uint32_t *size);

/* The members "container" and "gaps" of dump's JSON, and back into an image. */
void ossa__xff_dump(const ossa_sotc_xff *xff, struct ossa__json *json);
void ossa__xff_build(struct ossa__image *image, const struct ossa__value *data, ossa_sotc_xff *xff);
/* Where section 1 of such an image starts; false after a failure. */
bool ossa__xff_build_data(const struct ossa__value *data, const ossa_sotc_xff *xff,
                          uint64_t *section);
/* The members "name" and "name_position" of an object, and back: the position is stored at
 * `position_at` and counts from `strings`. */
void ossa__xff_dump_name(struct ossa__json *json, const char *name, uint32_t size,
                         uint32_t position);
void ossa__xff_build_name(struct ossa__image *image, const struct ossa__value *object,
                          uint64_t strings, uint64_t position_at);
/* Just the text, one character per byte, and back with its NUL. */
void ossa__xff_dump_text(struct ossa__json *json, const char *text, uint32_t size);
void ossa__xff_build_text(struct ossa__image *image, const struct ossa__value *value, uint64_t at);

void ossa__xff_describe(const ossa_sotc_xff *xff, struct ossa__report *report);

/* A name for messages: characters other than printable ASCII become '?'. */
void ossa__xff_show_name(const char *name, uint32_t size, char text[OSSA__XFF_NAME_LIMIT]);

#endif
