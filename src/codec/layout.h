/* SPDX-License-Identifier: MIT
 *
 * One description per fixed binary layout: a table of fields from which a struct is read, checked,
 * written, dumped as JSON, built from JSON and traced.
 *
 * Use it where a file is a row of fields and arrays that a C struct mirrors (ei_bon.c is the
 * smallest example, ei_adb.c has records). Leave it where positions are jumped to, lengths vary
 * from item to item, or the JSON differs much from the bytes: such code is clearer by hand.
 *
 * Speed: arrays are borrowed from the file where they are aligned and the struct has the same
 * bytes. Arrays of records are otherwise copied as a few runs of bytes per record, never field by
 * field.
 *
 *     static const struct ossa__item items[] = {
 *         OSSA__COUNT(my_file, key_count, "key_count"),
 *         OSSA__ARRAY(my_file, keys, "keys", key_count, .shape = &ossa__shape_vec3,
 *                     .checks = OSSA__CHECK_FINITE),
 *         OSSA__TAIL(my_file),
 *     };
 *     static const struct ossa__layout layout = OSSA__LAYOUT(my_file, items);
 *
 * Names are those of errors, traces and JSON alike. */
#ifndef OSSA_CODEC_LAYOUT_H
#define OSSA_CODEC_LAYOUT_H

#include "base/json.h"
#include "codec/reader.h"
#include "codec/value.h"
#include "codec/writer.h"

enum ossa__item_kind {
    OSSA__ITEM_MAGIC,   /* `width` bytes that must be `magic`; not in the struct, not in JSON */
    OSSA__ITEM_NUMBERS, /* the scalars of `shape`: a number in JSON, or an array of them */
    OSSA__ITEM_U64,     /* a u64: two u32 in JSON and traces, the low one first */
    OSSA__ITEM_TEXT,    /* `width` bytes of code page 1251 up to a NUL; what follows the NUL, unless
                         * it is zeros, is NAME_rest in JSON */
    OSSA__ITEM_COUNT,   /* a u32, the length of a later array; not in JSON */
    OSSA__ITEM_ARRAY,   /* a pointer to elements: of `shape` (rows in JSON) or of `record` (objects)
                         */
    OSSA__ITEM_TAIL,    /* a pointer to what is left of the file; its size_t is at `count_at` */
    OSSA__ITEM_BOOL,    /* a bool that only JSON has */
    OSSA__ITEM_STEP,    /* not a field: calls `step` between reading two others */
};

enum { OSSA__CHECK_FINITE = 1, OSSA__CHECK_UNIT = 2 }; /* of f32s, for ossa__layout_check */

struct ossa__layout;
struct ossa__item {
    enum ossa__item_kind kind;
    const char *name;
    uint16_t at;       /* in the struct */
    uint16_t width;    /* of a text or a magic, in bytes */
    uint16_t count_at; /* of an array: its u32 in the struct */
    uint8_t checks;
    bool is_hidden; /* JSON does not have it */
    bool to_end;    /* of an array: as many elements as are left, and at least one */
    bool is_fixed;  /* of an array: JSON does not decide how many there are, a field before does */
    const struct ossa__shape *shape;
    const struct ossa__layout *record;
    const char *magic;
    /* Of an array, or NULL: rows per element, named [i][row]. */
    uint32_t (*rows)(const void *object);
    /* NULL, or whether the file has the field; JSON has it always. */
    bool (*is_stored)(const void *object);
    void (*step)(struct ossa__reader *reader, void *object);
};

struct ossa__layout {
    const struct ossa__item *items;
    unsigned count;
    size_t size; /* of the struct */
};

enum { OSSA__LAYOUT_ITEMS = 24 }; /* at most */

#define OSSA__LAYOUT(type, table)                                                                  \
    {                                                                                              \
        .items = (table), .count = sizeof(table) / sizeof(table)[0], .size = sizeof(type)          \
    }
/* The items of a table. */
#define OSSA__ITEM(of, label, ...)                                                                 \
    {                                                                                              \
        .kind = OSSA__ITEM_##of, .name = (label), __VA_ARGS__                                      \
    }
#define OSSA__AT(type, member)          .at = (uint16_t)offsetof(type, member)
#define OSSA__COUNT_AT(type, member)    .count_at = (uint16_t)offsetof(type, member)
#define OSSA__MAGIC(label, bytes, size) OSSA__ITEM(MAGIC, label, .width = (size), .magic = (bytes))
#define OSSA__NUMBERS(type, member, label, ...)                                                    \
    OSSA__ITEM(NUMBERS, label, OSSA__AT(type, member), __VA_ARGS__)
#define OSSA__U32(type, member, label) OSSA__NUMBERS(type, member, label, .shape = &ossa__shape_u32)
#define OSSA__F32(type, member, label)                                                             \
    OSSA__NUMBERS(type, member, label, .shape = &ossa__shape_f32, .checks = OSSA__CHECK_FINITE)
#define OSSA__U64(type, member, label) OSSA__ITEM(U64, label, OSSA__AT(type, member))
#define OSSA__TEXT(type, member, label)                                                            \
    OSSA__ITEM(TEXT, label, OSSA__AT(type, member), .width = sizeof(((type *)0)->member))
#define OSSA__COUNT(type, member, label)                                                           \
    OSSA__ITEM(COUNT, label, OSSA__AT(type, member), .shape = &ossa__shape_u32)
#define OSSA__ARRAY(type, member, label, count, ...)                                               \
    OSSA__ITEM(ARRAY, label, OSSA__AT(type, member), OSSA__COUNT_AT(type, count), __VA_ARGS__)
#define OSSA__TAIL(type)                                                                           \
    OSSA__ITEM(TAIL, "tail", OSSA__AT(type, tail), OSSA__COUNT_AT(type, tail_size))
#define OSSA__BOOL(type, member, label) OSSA__ITEM(BOOL, label, OSSA__AT(type, member))
#define OSSA__STEP(function)            OSSA__ITEM(STEP, "", .step = (function))

/* The struct in the arena, all zeros; NULL after a failure. */
void *ossa__layout_new(struct ossa__context *context, const struct ossa__layout *layout);

/* Fill the struct; false after a failure. `at` gets the offset of every item in the file and may be
 * NULL. An array that cannot fit is refused before memory is taken, at the count that is wrong. */
bool ossa__layout_read(struct ossa__reader *reader, const struct ossa__layout *layout, void *object,
                       uint64_t at[OSSA__LAYOUT_ITEMS]);

/* Report values that fail their `checks`; the offsets are those that reading gave. */
void ossa__layout_check(struct ossa__context *context, const struct ossa__layout *layout,
                        const void *object, const uint64_t at[OSSA__LAYOUT_ITEMS]);

void ossa__layout_write(struct ossa__writer *writer, const struct ossa__layout *layout,
                        const void *object);

/* The struct as members of an object, and back. Other members are refused. */
void ossa__layout_dump(struct ossa__json *json, const struct ossa__layout *layout,
                       const void *object);
void ossa__layout_build(const struct ossa__value *value, const struct ossa__layout *layout,
                        void *object);

#endif
