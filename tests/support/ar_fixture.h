/* SPDX-License-Identifier: MIT
 *
 * Archives of Midtown Madness, as the generators of fixtures and their tests make them. */
#ifndef OSSA_TEST_AR_FIXTURE_H
#define OSSA_TEST_AR_FIXTURE_H

#include "support/byte_list.h"

#include <stdbool.h>

enum {
    AR_ITEMS = 32, /* at most, in one plan */
    ARES_NODES_AT = 16,
    ARES_NODE_SIZE = 12,
    DAVE_TABLE_AT = 0x800,
    DAVE_ENTRY_SIZE = 16,
    ZIP_LOCAL_SIZE = 30,
    ZIP_RECORD_SIZE = 46,
    ZIP_END_SIZE = 22,
};

/* ---- ARES ---------------------------------------------------------------------------------- */

struct ares_item {
    const char *name;
    const char *extension; /* NULL: none */
    uint32_t number;
    bool is_folder;
    uint32_t first; /* of a folder */
    uint32_t count;
    const char *data; /* of a file; NULL: nothing */
};

struct ares_places {
    size_t names;
    size_t names_size;
    size_t data[AR_ITEMS];
    uint32_t name[AR_ITEMS]; /* offsets in the names */
    uint32_t extension[AR_ITEMS];
};

struct bytes make_ares(const struct ares_item *items, uint32_t count, uint32_t roots,
                       struct ares_places *places);
size_t ares_word(uint32_t node, uint32_t word);
/* A folder with `files` files, at most 50,000. */
struct bytes make_big_ares(uint32_t files);

/* Names in order. */
enum { SERIAL_NAME = 4 };
void serial_name(uint32_t number, char name[SERIAL_NAME + 1]);

/* ---- DAVE ---------------------------------------------------------------------------------- */

struct dave_item {
    const char *name;
    const char *data; /* as stored */
    size_t data_size; /* 0: the length of the text */
    uint32_t size;    /* unpacked; 0: the same */
};

struct dave_places {
    size_t names;
    size_t names_size;
    size_t data[AR_ITEMS];
};

struct bytes make_dave(const struct dave_item *items, uint32_t count, struct dave_places *places);
size_t dave_word(uint32_t entry, uint32_t word);

/* ---- ZIP ----------------------------------------------------------------------------------- */

struct zip_item {
    const char *name;
    size_t name_size;    /* 0: the length of the text */
    const char *data;    /* as stored; NULL: nothing */
    size_t data_size;    /* 0: the length of the text */
    const char *plain;   /* unpacked, for the size and the checksum; NULL: the same */
    uint32_t plain_size; /* 0: the length of the text */
    uint32_t method;
    uint32_t flags;
    const char *extra; /* before the data; NULL: none */
    uint32_t time;     /* as DOS has it; 0: none */
    uint32_t date;
};

struct zip_places {
    size_t locals[AR_ITEMS];
    size_t data[AR_ITEMS];
    size_t records[AR_ITEMS];
    size_t end;
};

struct bytes make_zip(const struct zip_item *items, uint32_t count, const char *comment,
                      struct zip_places *places);
/* `count` stored entries. */
struct bytes make_big_zip(uint32_t count);

/* "la la la la la la la la", and the same as a deflated stream. */
extern const char la_text[24]; /* with a NUL */
extern const char la_deflated[7];
uint32_t crc_of(const void *data, size_t size);

#endif
