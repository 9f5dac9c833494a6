/* SPDX-License-Identifier: MIT
 *
 * The archives of the second game. */
#include "support/ar_fixture.h"
#include "support/fixtures.h"

#include <string.h>

const char la_text[24] = "la la la la la la la la";
const char la_deflated[7] = "\xcb\x49\x54\xc8\xc1\x82";

size_t dave_word(uint32_t entry, uint32_t word)
{
    return DAVE_TABLE_AT + (size_t)DAVE_ENTRY_SIZE * entry + 4 * (size_t)word;
}

struct bytes make_dave(const struct dave_item *items, uint32_t count, struct dave_places *places)
{
    struct bytes file = {0};
    *places = (struct dave_places){0};
    put_text(&file, "DAVE");
    put_u32(&file, count);
    put_u32(&file, DAVE_ENTRY_SIZE * count + 8); /* a little more than the entries */
    put_repeated(&file, 0, DAVE_TABLE_AT - 12 + (size_t)DAVE_ENTRY_SIZE * count + 8);
    places->names = file.size;
    for (uint32_t i = 0; i < count; i++) {
        set_u32(&file, dave_word(i, 0), (uint32_t)(file.size - places->names));
        put_bytes(&file, items[i].name, strlen(items[i].name) + 1);
    }
    put_repeated(&file, 0, 5);
    places->names_size = file.size - places->names;
    set_u32(&file, 12, (uint32_t)places->names_size);
    for (uint32_t i = 0; i < count; i++) {
        size_t size = items[i].data == NULL     ? 0
                      : items[i].data_size == 0 ? strlen(items[i].data)
                                                : items[i].data_size;
        while (file.size % 16 != 0) put_u8(&file, 0);
        places->data[i] = file.size;
        set_u32(&file, dave_word(i, 1), (uint32_t)file.size);
        set_u32(&file, dave_word(i, 2), items[i].size == 0 ? (uint32_t)size : items[i].size);
        set_u32(&file, dave_word(i, 3), (uint32_t)size);
        if (size > 0) put_bytes(&file, items[i].data, size);
    }
    return file;
}

static const struct dave_item simple[] = {
    {.name = "anim/", .data = NULL},
    {.name = "anim/ped_walk.anim", .data = "walks"},
    {.name = "Anim/Song.txt", .data = la_deflated, .data_size = sizeof la_deflated, .size = 23},
    {.name = "tune\\\xe4.csv", .data = "8 bits"},
};
enum { SIMPLE = sizeof simple / sizeof simple[0] };

static struct fixture *add_changed(struct fixtures *all, const char *name, size_t offset,
                                   uint32_t word, ossa_confidence confidence,
                                   struct expected_issue issue)
{
    struct dave_places places;
    struct bytes file = make_dave(simple, SIMPLE, &places);
    set_u32(&file, offset, word);
    return fixture_add_broken(all, name, file, confidence, issue);
}

static void add_bad_header(struct fixtures *all)
{
    struct dave_places p;
    struct bytes file = make_dave(simple, SIMPLE, &p);
    const uint32_t size = (uint32_t)file.size;
    const uint32_t table = DAVE_ENTRY_SIZE * SIMPLE + 8;
    file.size = 15;
    fixture_add_broken(
        all, "mm-ar/dave-cut-header", file, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 12, "names_size"});
    file = make_dave(simple, SIMPLE, &p);
    file.size = 0x7ff;
    fixture_add_broken(
        all, "mm-ar/dave-cut-before-table", file, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 8, "table_size"});
    add_changed(
        all, "mm-ar/dave-too-many-entries", 4, SIMPLE + 1, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 4, "entry_count"});
    add_changed(
        all, "mm-ar/dave-countless-entries", 4, 0xffffffff, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 4, "entry_count"});
    add_changed(
        all, "mm-ar/dave-table-too-long", 8, size - DAVE_TABLE_AT + 1, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 8, "table_size"});
    add_changed(
        all, "mm-ar/dave-names-too-long", 12, size - DAVE_TABLE_AT - table + 1,
        OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 12, "names_size"});
}

static void add_bad_entries(struct fixtures *all)
{
    struct dave_places p;
    struct bytes file = make_dave(simple, SIMPLE, &p);
    const uint32_t size = (uint32_t)file.size;
    const uint32_t last_name = get_u32(&file, dave_word(3, 0));
    bytes_free(&file);
    add_changed(all, "mm-ar/dave-name-outside", dave_word(2, 0), (uint32_t)p.names_size,
                OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET,
                                        dave_word(2, 0), "entries[2].name_offset"});
    add_changed(all, "mm-ar/dave-name-without-nul", 12, (uint32_t)p.names_size - 6,
                OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE,
                                        p.names + last_name, "entries[3].name"});
    add_changed(all, "mm-ar/dave-data-outside", dave_word(3, 1), size, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET, dave_word(3, 1),
                                        "entries[3].offset"});
    add_changed(all, "mm-ar/dave-size-past-end", dave_word(3, 3), 0xffffffff,
                OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET, dave_word(3, 1),
                                        "entries[3].offset"});
    add_changed(all, "mm-ar/dave-same-data", dave_word(3, 1), (uint32_t)p.data[2],
                OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, p.data[2],
                                        "entries[3].data"})
        ->shares_bytes = true;
}

static void add_odd_names(struct fixtures *all)
{
    struct dave_places p;
    /* The last two names change places. */
    struct bytes file = make_dave(simple, SIMPLE, &p);
    uint32_t name = get_u32(&file, dave_word(2, 0));
    set_u32(&file, dave_word(2, 0), get_u32(&file, dave_word(3, 0)));
    set_u32(&file, dave_word(3, 0), name);
    fixture_add_broken(all, "mm-ar/dave-bad-order", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_BAD_ORDER,
                                               dave_word(3, 0), "entries[3].name_offset"});
    file = make_dave(simple, SIMPLE, &p);
    set_u32(&file, dave_word(2, 0), get_u32(&file, dave_word(1, 0)));
    fixture_add_broken(all, "mm-ar/dave-same-name", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_DUPLICATE_NAME,
                                               dave_word(2, 0), "entries[2]"});
}

void generate_mm_dave(struct fixtures *all)
{
    struct dave_places p;
    fixture_add(all, "mm-ar/dave", make_dave(simple, SIMPLE, &p), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-ar/dave-nothing", make_dave(NULL, 0, &p), OSSA_CONFIDENCE_SIGNATURE);
    /* It would be 4 GiB, which is told only when somebody wants to have it. */
    struct bytes file = make_dave(simple, SIMPLE, &p);
    set_u32(&file, dave_word(2, 2), 0xffffffff);
    fixture_add(all, "mm-ar/dave-4-gigabytes", file, OSSA_CONFIDENCE_SIGNATURE);
    add_bad_header(all);
    add_bad_entries(all);
    add_odd_names(all);
}
