/* SPDX-License-Identifier: MIT */
#include "support/sotc_fixture.h"

#include <stdlib.h>
#include <string.h>

enum {
    POSITIONS = XFF_HEADER_SIZE, /* everything follows in the order of known files */
    SECTIONS = POSITIONS + 2 * 4,
    VALUES = SECTIONS + 2 * XFF_SECTION_SIZE,
    DESCRIPTOR = VALUES + 3 * 4,
    SYMBOLS = DESCRIPTOR + 28,
    STRINGS = SYMBOLS + 3 * 16,
    SYMBOL_STRINGS = STRINGS + 12,
};

static void put_padding(struct bytes *file, size_t alignment)
{
    while (file->size % alignment != 0) put_u8(file, 0);
}

static void put_words(struct bytes *file, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) put_u32(file, words[i]);
}

/* Offsets of all pointers in the section. */
static size_t list_pointers(const struct anb_plan *plan, const struct bytes *plain,
                            const struct anb_places *places, uint32_t *pointers)
{
    size_t count = 0;
    pointers[count++] = (uint32_t)(places->header + 8 - places->section);
    pointers[count++] = (uint32_t)(places->header + 16 - places->section);
    if (plan->bones > ANB_KNOWN_BONES) abort();
    for (uint32_t b = 0; b < plan->bones; b++) {
        pointers[count++] = (uint32_t)(places->records + 4 * (size_t)b - places->section);
    }
    for (uint32_t b = 0; b < plan->bones; b++) {
        size_t at = places->record[b];
        if (places->keys[b] == 0) continue;
        while (get_u32(plain, at) != places->keys[b] - places->section) at += 4;
        pointers[count++] = (uint32_t)(at - places->section);
    }
    return count;
}

/* The addresses of tables, in words of the header, and the words with their offsets. */
static void set_addresses(struct bytes *file)
{
    static const size_t addresses[8] = {8, 10, 11, 12, 13, 15, 17, 18};
    for (size_t i = 0; i < 8; i++) {
        set_u32(file, 4 * addresses[i], get_u32(file, 4 * (20 + i)) + 0x40010000);
    }
    for (size_t i = 0; i < 2; i++) {
        set_u32(file, DESCRIPTOR + 12 + 4 * i, get_u32(file, DESCRIPTOR + 20 + 4 * i) + 0x40010000);
    }
}

static void put_head(struct bytes *file, const struct anb_plan *plan, const char *name)
{
    static const uint32_t symbols[12] = {0, 0, 0, 0, 1, 0, 0x6c, 0x10003, 2, 0, 0, 0x10010};
    put_repeated(file, 0, XFF_HEADER_SIZE);
    memcpy(file->data, plan->magic == NULL ? "xff\0" : plan->magic, 4);
    set_u32(file, 4 * 9, 3);  /* symbols: none, the section, the name */
    set_u32(file, 4 * 14, 1); /* relocation descriptors */
    set_u32(file, XFF_COUNT_AT, 2);
    set_u32(file, XFF_ENTRY_AT, plan->before);
    set_u32(file, 4 * 20, SYMBOLS); /* imports: none */
    set_u32(file, 4 * 21, SYMBOLS);
    set_u32(file, 4 * 22, SYMBOL_STRINGS);
    set_u32(file, XFF_SECTIONS_AT, SECTIONS);
    set_u32(file, 4 * 24, VALUES);
    set_u32(file, 4 * 25, DESCRIPTOR);
    set_u32(file, XFF_POSITIONS_AT, POSITIONS);
    set_u32(file, XFF_STRINGS_AT, STRINGS);
    put_u32(file, 0);
    put_u32(file, 1);
    put_repeated(file, 0, 2 * XFF_SECTION_SIZE + 3 * 4 + 28);
    set_u32(file, SECTIONS + 16, 8); /* no bytes, and an offset that is none */
    set_u32(file, SECTIONS + 28, 0x696d5f6c);
    put_words(file, symbols, 12);
    put_bytes(file, "\0.rodata\0\0\0", 12);
    put_bytes(file, "\0", 2);
    put_text(file, name);
    put_u8(file, 0);
    put_padding(file, 16);
}

struct bytes make_linked_anb(const struct anb_plan *plan, const char *name,
                             struct anb_places *places)
{
    uint32_t pointers[2 + 2 * ANB_KNOWN_BONES];
    struct bytes plain = make_anb(plan, places);
    size_t count = list_pointers(plan, &plain, places, pointers);
    size_t length = plain.size - places->section;
    struct bytes file = {0};
    put_head(&file, plan, name);
    size_t section = file.size;
    const uint32_t words[8] = {0, 0, (uint32_t)length, 16, 1, 2, 0, (uint32_t)section};
    for (size_t i = 0; i < 8; i++) set_u32(&file, SECTIONS + XFF_SECTION_SIZE + 4 * i, words[i]);
    put_bytes(&file, plain.data + places->section, length);
    put_padding(&file, 4);
    set_u32(&file, DESCRIPTOR, 9);
    set_u32(&file, DESCRIPTOR + 4, (uint32_t)count);
    set_u32(&file, DESCRIPTOR + 8, 1);
    set_u32(&file, DESCRIPTOR + 20, (uint32_t)file.size);
    for (size_t i = 0; i < count; i++) {
        put_u32(&file, pointers[i]);
        put_u32(&file, 0x102);
    }
    set_u32(&file, DESCRIPTOR + 24, (uint32_t)file.size);
    for (size_t i = 0; i < count; i++) {
        put_u32(&file, get_u32(&plain, places->section + pointers[i]));
        put_u32(&file, 0);
    }
    set_u32(&file, XFF_SIZE_AT, (uint32_t)file.size);
    if (plan->magic != NULL && memcmp(plan->magic, "xff2", 4) == 0) set_addresses(&file);
    size_t by = section - places->section; /* modulo 2^n */
    places->section += by;
    places->header += by;
    places->flags += by;
    places->records += by;
    for (unsigned i = 0; i < ANB_KNOWN_BONES; i++) {
        places->record[i] += by;
        if (places->keys[i] != 0) places->keys[i] += by;
    }
    places->container = (struct xff_places){
        .positions = POSITIONS, .sections = SECTIONS, .strings = STRINGS, .data = {0, section}};
    bytes_free(&plain);
    return file;
}
