/* SPDX-License-Identifier: MIT
 *
 * The archives of the first game. */
#include "support/ar_fixture.h"
#include "support/fixtures.h"

#include <string.h>

size_t ares_word(uint32_t node, uint32_t word)
{
    return ARES_NODES_AT + (size_t)ARES_NODE_SIZE * node + 4 * (size_t)word;
}

/* The place of a text among the names, which it is added to if it is not there yet. */
static uint32_t pool(struct bytes *names, const char *text)
{
    size_t size = strlen(text) + 1;
    for (size_t at = 0; at + size <= names->size; at++) {
        bool is_start = at == 0 || names->data[at - 1] == 0;
        if (is_start && memcmp(names->data + at, text, size) == 0) return (uint32_t)at;
    }
    uint32_t at = (uint32_t)names->size;
    put_bytes(names, text, size);
    return at;
}

struct bytes make_ares(const struct ares_item *items, uint32_t count, uint32_t roots,
                       struct ares_places *places)
{
    struct bytes file = {0};
    struct bytes names = {0};
    *places = (struct ares_places){0};
    (void)pool(&names, "NAMES"); /* an extension is never at 0 */
    for (uint32_t i = 0; i < count; i++) {
        if (items[i].extension != NULL) places->extension[i] = pool(&names, items[i].extension);
    }
    for (uint32_t i = 0; i < count; i++) places->name[i] = pool(&names, items[i].name);
    put_text(&file, "ARES");
    put_u32(&file, count);
    put_u32(&file, roots);
    put_u32(&file, (uint32_t)names.size);
    put_repeated(&file, 0, (size_t)ARES_NODE_SIZE * count);
    places->names = file.size;
    places->names_size = names.size;
    put_bytes(&file, names.data, names.size);
    for (uint32_t i = 0; i < count; i++) {
        const struct ares_item *item = &items[i];
        size_t size = item->data == NULL ? 0 : strlen(item->data);
        places->data[i] = file.size;
        set_u32(&file, ares_word(i, 0), item->is_folder ? item->first : (uint32_t)file.size);
        set_u32(&file, ares_word(i, 1),
                (item->is_folder ? item->count : (uint32_t)size) | places->extension[i] << 23);
        set_u32(&file, ares_word(i, 2),
                (item->is_folder ? 1U : 0U) | item->number << 1 | places->name[i] << 14);
        if (size > 0) put_bytes(&file, item->data, size);
    }
    bytes_free(&names);
    return file;
}

void serial_name(uint32_t number, char name[SERIAL_NAME + 1])
{
    for (unsigned i = 0; i < SERIAL_NAME; i++)
        name[i] = (char)('0' + (number >> 5 * (SERIAL_NAME - 1 - i) & 31)); /* 0 to O */
    name[SERIAL_NAME] = '\0';
}

struct bytes make_big_ares(uint32_t files)
{
    enum { NAME_SIZE = SERIAL_NAME + 1 };
    struct bytes file = {0};
    put_text(&file, "ARES");
    put_u32(&file, files + 1);
    put_u32(&file, 1);
    put_u32(&file, NAME_SIZE * files);
    put_u32(&file, 1); /* a folder with all of them, named like the first */
    put_u32(&file, files);
    put_u32(&file, 1);
    const uint32_t data = ARES_NODES_AT + ARES_NODE_SIZE * (files + 1) + NAME_SIZE * files;
    for (uint32_t i = 0; i < files; i++) {
        put_u32(&file, data + 3 * i);
        put_u32(&file, 3);
        put_u32(&file, NAME_SIZE * i << 14);
    }
    for (uint32_t i = 0; i < files; i++) {
        char name[NAME_SIZE];
        serial_name(i, name);
        put_bytes(&file, name, NAME_SIZE);
    }
    for (uint32_t i = 0; i < files; i++) put_text(&file, "abc");
    return file;
}

/* Two folders with two files each, and a file beside them. */
static const struct ares_item plain[] = {
    {.name = "ANIM", .is_folder = true, .first = 3, .count = 2},
    {.name = "README", .extension = "TXT", .data = "first"},
    {.name = "TUNE", .is_folder = true, .first = 5, .count = 2},
    {.name = "PED_WALK\1", .extension = "ANIM", .number = 12, .data = "second file"},
    {.name = "PED_WALK\1", .extension = "ANIM", .number = 9, .data = "third"},
    {.name = "EMPTY", .extension = "CSV"},
    {.name = "VP\1X\1", .number = 8191, .data = "fourth"},
};
enum { PLAIN = sizeof plain / sizeof plain[0] };

static void add_items(struct fixtures *all, const char *name, const struct ares_item *items,
                      uint32_t count, uint32_t roots)
{
    struct ares_places places;
    fixture_add(all, name, make_ares(items, count, roots, &places), OSSA_CONFIDENCE_SIGNATURE);
}

static void make_chain(struct ares_item *items, uint32_t depth)
{
    for (uint32_t i = 0; i < depth; i++) {
        items[i] = (struct ares_item){
            .name = "F\1", .number = i, .is_folder = true, .first = i + 1, .count = 1};
    }
    items[depth] = (struct ares_item){.name = "DEEP", .data = "down here"};
}

static void add_good(struct fixtures *all)
{
    const struct ares_item odd[] = {{.name = "", .extension = "X", .data = "only an extension"},
                                    {.name = "A/B", .data = "a separator"},
                                    {.name = "\xc4\xd6", .extension = "\xdc", .data = "8 bits"}};
    const struct ares_item empty[] = {{.name = "NOTHING", .is_folder = true}};
    struct ares_item chain[AR_ITEMS];
    struct ares_places places;
    add_items(all, "mm-ar/ares", plain, PLAIN, 3);
    add_items(all, "mm-ar/ares-odd-names", odd, 3, 3);
    add_items(all, "mm-ar/ares-empty-folder", empty, 1, 1);
    add_items(all, "mm-ar/ares-nothing", NULL, 0, 0);
    make_chain(chain, 15);
    add_items(all, "mm-ar/ares-deep", chain, 16, 1);
    struct bytes tail = make_ares(plain, PLAIN, 3, &places);
    put_text(&tail, "what is this?");
    fixture_add(all, "mm-ar/ares-tail", tail, OSSA_CONFIDENCE_SIGNATURE);
    /* Of nothing the place may be anywhere. */
    struct bytes nowhere = make_ares(plain, PLAIN, 3, &places);
    set_u32(&nowhere, ares_word(5, 0), 0xffffffff);
    fixture_add(all, "mm-ar/ares-nothing-nowhere", nowhere, OSSA_CONFIDENCE_SIGNATURE);
    /* A name that begins in the middle of a longer one which is read later. */
    struct bytes shared = make_ares(plain, PLAIN, 3, &places);
    set_u32(&shared, ares_word(0, 2), 1 | (places.name[3] + 4) << 14);
    set_u32(&shared, ares_word(0, 1), 0);
    set_u32(&shared, 8, 1);
    struct fixture *fixture =
        fixture_add(all, "mm-ar/ares-shared-name", shared, OSSA_CONFIDENCE_SIGNATURE);
    fixture_expect(fixture, OSSA_SEVERITY_WARNING, OSSA_CODE_GAP, ares_word(1, 0), "nodes");
    fixture->shares_bytes = true;
}

static void add_cut(struct fixtures *all, const char *name, size_t size, ossa_confidence confidence,
                    struct expected_issue issue)
{
    struct ares_places places;
    struct bytes file = make_ares(plain, PLAIN, 3, &places);
    file.size = size;
    fixture_add_broken(all, name, file, confidence, issue);
}

static struct fixture *add_changed(struct fixtures *all, const char *name, size_t offset,
                                   uint32_t word, ossa_confidence confidence,
                                   struct expected_issue issue)
{
    struct ares_places places;
    struct bytes file = make_ares(plain, PLAIN, 3, &places);
    set_u32(&file, offset, word);
    return fixture_add_broken(all, name, file, confidence, issue);
}

static void add_bad_header(struct fixtures *all)
{
    add_cut(all, "mm-ar/cut-magic", 3, OSSA_CONFIDENCE_NONE,
            (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 0, "magic"});
    add_cut(
        all, "mm-ar/ares-cut-header", 15, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 12, "names_size"});
    add_changed(all, "mm-ar/bad-magic", 0, 0x54455241, OSSA_CONFIDENCE_NONE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_MAGIC, 0, "magic"});
    add_changed(
        all, "mm-ar/ares-million-nodes", 4, 1000000, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 4, "node_count"});
    add_changed(
        all, "mm-ar/ares-countless-nodes", 4, 0xffffffff, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 4, "node_count"});
    add_changed(
        all, "mm-ar/ares-too-many-roots", 8, PLAIN + 1, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 8, "root_count"});
    add_changed(
        all, "mm-ar/ares-names-too-long", 12, 0xffffffff, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 12, "names_size"});
}

static void add_bad_tree(struct fixtures *all)
{
    const size_t anim = ares_word(0, 0);
    const size_t tune = ares_word(2, 0);
    add_changed(all, "mm-ar/ares-children-outside", tune, PLAIN - 1, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, tune,
                                        "nodes[2].place"});
    add_changed(all, "mm-ar/ares-countless-children", tune + 4, 0x7fffff, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, tune,
                                        "nodes[2].place"});
    add_changed(all, "mm-ar/ares-children-far-outside", tune, 0xffffffff, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, tune,
                                        "nodes[2].place"});
    /* A folder in itself, and one that has another's children. */
    add_changed(
        all, "mm-ar/ares-loop", anim, 0, OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_OVERLAP, anim, "nodes[0]"});
    add_changed(all, "mm-ar/ares-shared-children", tune, 3, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_OVERLAP,
                                        ares_word(3, 0), "nodes[3]"});
    add_changed(all, "mm-ar/ares-lost-nodes", 8, 2, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_GAP, tune, "nodes"});
    struct ares_item chain[AR_ITEMS];
    struct ares_places places;
    make_chain(chain, 16);
    fixture_add_broken(all, "mm-ar/ares-too-deep", make_ares(chain, 17, 1, &places),
                       OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_LIMIT,
                                               ares_word(15, 0), "nodes[15].place"});
}

static void add_bad_names(struct fixtures *all)
{
    struct ares_places p;
    struct bytes file = make_ares(plain, PLAIN, 3, &p);
    const size_t name = ares_word(4, 2);
    const uint32_t outside = (uint32_t)p.names_size;
    set_u32(&file, name, outside << 14);
    fixture_add_broken(all, "mm-ar/ares-name-outside", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, name,
                                               "nodes[4].name_number"});
    add_changed(all, "mm-ar/ares-extension-outside", name - 4, 5 | 511U << 23,
                OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, name - 4,
                                        "nodes[4].size_extension"});
    /* The last name goes on to the end of the names. */
    file = make_ares(plain, PLAIN, 3, &p);
    set_u8(&file, p.names + p.names_size - 1, 'X');
    fixture_add_broken(all, "mm-ar/ares-name-without-nul", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE,
                                               p.names + p.name[6], "nodes[6].name"});
    /* 64 times a number of four digits is one byte too many. */
    char numbers[65];
    memset(numbers, 1, 64);
    numbers[64] = '\0';
    const struct ares_item items[] = {{.name = numbers, .number = 1000, .data = "x"}};
    fixture_add_broken(all, "mm-ar/ares-name-too-long", make_ares(items, 1, 1, &p),
                       OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE,
                                               ares_word(0, 2), "nodes[0].name_number"});
    file = make_ares(items, 1, 1, &p);
    set_u32(&file, ares_word(0, 2), 999 << 1 | p.name[0] << 14);
    fixture_add(all, "mm-ar/ares-long-name", file, OSSA_CONFIDENCE_SIGNATURE);
}

static void add_odd_names(struct fixtures *all)
{
    struct ares_places p;
    struct bytes file = make_ares(plain, PLAIN, 3, &p);
    set_u8(&file, p.names + p.name[2], 't');
    fixture_add_broken(all, "mm-ar/ares-small-letters", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                               ares_word(2, 2), "nodes[2].name_number"});
    file = make_ares(plain, PLAIN, 3, &p);
    set_u32(&file, ares_word(3, 2), 99 << 1 | p.name[3] << 14); /* 99 before 9 */
    fixture_add_broken(all, "mm-ar/ares-bad-order", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_BAD_ORDER,
                                               ares_word(4, 2), "nodes[4].name_number"});
    file = make_ares(plain, PLAIN, 3, &p);
    set_u32(&file, ares_word(3, 2), 9 << 1 | p.name[3] << 14);
    fixture_add_broken(all, "mm-ar/ares-same-name", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_DUPLICATE_NAME,
                                               ares_word(4, 0), "nodes[4]"});
    const struct ares_item unnamed[] = {{.name = "", .data = "nameless"}};
    fixture_add_broken(all, "mm-ar/ares-no-name", make_ares(unnamed, 1, 1, &p),
                       OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_EMPTY_NAME,
                                               ares_word(0, 2), "nodes[0].name_number"});
}

static void add_bad_data(struct fixtures *all)
{
    struct ares_places p;
    struct bytes file = make_ares(plain, PLAIN, 3, &p);
    const size_t size = file.size;
    const size_t place = ares_word(6, 0);
    bytes_free(&file);
    add_changed(all, "mm-ar/ares-data-outside", place, (uint32_t)size + 1,
                OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET, place,
                                        "nodes[6].place"});
    add_changed(all, "mm-ar/ares-size-past-end", place + 4, 7, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET, place,
                                        "nodes[6].place"});
    add_changed(all, "mm-ar/ares-same-data", place, (uint32_t)p.data[4] - 2,
                OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, p.data[4] - 2,
                                        "nodes[6].data"})
        ->shares_bytes = true;
    add_changed(all, "mm-ar/ares-data-in-names", place, (uint32_t)p.names + 6,
                OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, p.names + 6,
                                        "nodes[6].data"})
        ->shares_bytes = true;
    /* Five files of all bytes that there are: at most four would do. */
    struct ares_item items[5];
    for (uint32_t i = 0; i < 5; i++) items[i] = (struct ares_item){.name = "A\1", .number = i};
    file = make_ares(items, 5, 5, &p);
    for (uint32_t i = 0; i < 5; i++) {
        set_u32(&file, ares_word(i, 0), 0);
        set_u32(&file, ares_word(i, 1), (uint32_t)file.size);
    }
    struct fixture *fixture =
        fixture_add(all, "mm-ar/ares-shared-too-often", file, OSSA_CONFIDENCE_SIGNATURE);
    fixture->shares_bytes = true;
    fixture_expect(fixture, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, 0, "nodes[0].data");
    fixture_expect(fixture, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, 0, "nodes[1].data");
    fixture_expect(fixture, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, 0, "nodes[2].data");
    fixture_expect(fixture, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, 0, "nodes[3].data");
    fixture_expect(fixture, OSSA_SEVERITY_UNREADABLE, OSSA_CODE_OVERLAP, 0, "nodes[4].data");
}

/* A long name that many folders and files share. */
static void add_long_paths(struct fixtures *all)
{
    char name[201];
    memset(name, 'N', 200);
    name[200] = '\0';
    struct ares_item items[24];
    struct ares_places p;
    for (uint32_t i = 0; i < 24; i++) items[i] = (struct ares_item){.name = name};
    for (uint32_t i = 0; i < 10; i++) {
        items[i].is_folder = true;
        items[i].first = i + 1;
        items[i].count = i == 9 ? 14 : 1;
    }
    /* 2210 bytes of name a file, and 4 times the 510 bytes of the archive are less than that. */
    fixture_add_broken(all, "mm-ar/ares-names-too-often", make_ares(items, 24, 1, &p),
                       OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_OVERLAP,
                                               ares_word(10, 0), "nodes[10]"});
}

void generate_mm_ar(struct fixtures *all)
{
    add_good(all);
    add_bad_header(all);
    add_bad_tree(all);
    add_bad_names(all);
    add_odd_names(all);
    add_bad_data(all);
    add_long_paths(all);
}
