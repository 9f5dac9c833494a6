/* SPDX-License-Identifier: MIT */
#include "support/res_fixture.h"

#include "support/fixtures.h"

#include <stdlib.h>
#include <string.h>

/* ---- archives ------------------------------------------------------------------------------ */

static uint32_t lower(uint8_t byte)
{
    return byte >= 'A' && byte <= 'Z' ? byte + 32U : byte;
}

static uint32_t hash_of(const char *name, size_t size, uint32_t slots)
{
    int64_t sum = 0;
    for (size_t i = 0; i < size; i++) {
        uint32_t byte = lower((uint8_t)name[i]);
        sum += byte < 0x80 ? (int64_t)byte : (int64_t)byte - 256; /* a signed char */
    }
    return (uint32_t)(sum < 0 ? sum + ((int64_t)1 << 32) : sum) % slots;
}

static size_t name_size_of(const struct res_item *item)
{
    return item->name_size > 0 ? item->name_size : strlen(item->name);
}

/* The item in each slot, and the slot that follows it in its chain; -1 for none. */
static void place_items(const struct res_plan *plan, int64_t *item_in, int64_t *next)
{
    for (size_t i = 0; i < plan->count; i++) item_in[i] = next[i] = -1;
    for (size_t i = 0; i < plan->count; i++) {
        const struct res_item *item = &plan->items[i];
        int64_t slot = hash_of(item->name, name_size_of(item), (uint32_t)plan->count);
        if (item_in[slot] >= 0) {
            while (next[slot] >= 0) slot = next[slot];
            int64_t free_slot = (int64_t)plan->count - 1;
            while (item_in[free_slot] >= 0) free_slot--;
            next[slot] = free_slot;
            slot = free_slot;
        }
        item_in[slot] = (int64_t)i;
    }
}

static void pad(struct bytes *file, const struct res_plan *plan, size_t more)
{
    size_t alignment = plan->alignment == 0 ? 16 : plan->alignment;
    put_repeated(file, plan->padding, more);
    while (file->size % alignment != 0) put_u8(file, plan->padding);
}

static void put_data(struct bytes *file, const struct res_plan *plan, size_t *data_at)
{
    for (size_t i = 0; i < plan->count; i++) {
        pad(file, plan, plan->gap);
        data_at[i] = file->size;
        put_bytes(file, plan->items[i].data, plan->items[i].size);
    }
    pad(file, plan, 0);
}

static void put_table(struct bytes *file, const struct res_plan *plan, const size_t *data_at,
                      struct res_places *places)
{
    int64_t *item_in = calloc(plan->count + 1, sizeof *item_in);
    int64_t *next = calloc(plan->count + 1, sizeof *next);
    size_t *name_at = calloc(plan->count + 1, sizeof *name_at);
    if (item_in == NULL || next == NULL || name_at == NULL) abort();
    place_items(plan, item_in, next);
    for (size_t i = 0; i < plan->count; i++)
        name_at[i + 1] = name_at[i] + name_size_of(&plan->items[i]);
    places->table = file->size;
    places->names = file->size + plan->count * RES_RECORD;
    for (size_t slot = 0; slot < plan->count; slot++) {
        size_t i = (size_t)item_in[slot];
        if (i < RES_KNOWN) {
            places->record[i] = file->size;
            places->data[i] = data_at[i];
            places->name[i] = places->names + name_at[i];
        }
        put_u32(file, (uint32_t)next[slot]);
        put_u32(file, (uint32_t)plan->items[i].size);
        put_u32(file, (uint32_t)data_at[i]);
        put_u32(file, plan->items[i].time);
        put_u16(file, (uint32_t)name_size_of(&plan->items[i]));
        put_u32(file, (uint32_t)name_at[i]);
    }
    for (size_t i = 0; i < plan->count; i++)
        put_bytes(file, plan->items[i].name, name_size_of(&plan->items[i]));
    free(item_in);
    free(next);
    free(name_at);
}

struct bytes make_res(const struct res_plan *plan, struct res_places *places)
{
    struct res_places unwanted;
    struct bytes file = {0};
    size_t *data_at = calloc(plan->count + 1, sizeof *data_at);
    if (data_at == NULL) abort();
    if (places == NULL) places = &unwanted;
    put_u32(&file, 0x019ce23c);
    put_u32(&file, (uint32_t)plan->count);
    put_repeated(&file, 0, 8);
    size_t names_size = 0;
    for (size_t i = 0; i < plan->count; i++) names_size += name_size_of(&plan->items[i]);
    if (plan->table_first) {
        size_t table_size = plan->count * RES_RECORD + names_size;
        struct bytes data = {0};
        put_repeated(&data, 0, RES_HEADER + table_size); /* so that offsets come out right */
        put_data(&data, plan, data_at);
        put_table(&file, plan, data_at, places);
        put_bytes(&file, data.data + file.size, data.size - file.size);
        bytes_free(&data);
    } else {
        put_data(&file, plan, data_at);
        put_table(&file, plan, data_at, places);
    }
    set_u32(&file, 8, (uint32_t)places->table);
    set_u32(&file, 12, (uint32_t)names_size);
    free(data_at);
    return file;
}

int64_t res_lookup(const struct bytes *archive, const char *name, size_t name_size)
{
    uint32_t count = get_u32(archive, 4);
    size_t table = get_u32(archive, 8);
    size_t names = table + (size_t)count * RES_RECORD;
    if (count == 0) return -1;
    int64_t slot = hash_of(name, name_size, count);
    for (uint32_t steps = 0; slot >= 0; steps++) {
        size_t record = table + (size_t)slot * RES_RECORD;
        size_t size = get_u16(archive, record + RES_NAME);
        size_t at = names + get_u32(archive, record + RES_NAME_AT);
        bool is_same = size == name_size;
        for (size_t i = 0; i < size && is_same; i++)
            is_same = lower(archive->data[at + i]) == lower((uint8_t)name[i]);
        if (is_same) return slot;
        if (steps == count) return -2;
        slot = (int32_t)get_u32(archive, record + RES_NEXT);
    }
    return -1;
}

/* ---- good ones ----------------------------------------------------------------------------- */

/* hp and bd and hd have one hash among three: slots 0, 2 and 1. */
static const struct res_item parts[] = {{"hp", 0, "the hips, at rest", 17, 972300000},
                                        {"bd", 0, "0123456789abcdef", 16, 972300001},
                                        {"hd", 0, "!", 1, 972300002}};
static const struct res_plan plain = {.items = parts, .count = 3};

/* The same with an entry that has no bytes, to be pointed anywhere: slots 0, 2 and 1. */
static const struct res_item parts_and_none[] = {{"hp", 0, "the hips, at rest", 17, 1},
                                                 {"bd", 0, "0123456789abcdef", 16, 2},
                                                 {"none", 0, "", 0, 3}};
static const struct res_plan with_none = {.items = parts_and_none, .count = 3};

static void add_items(struct fixtures *all, const char *name, const struct res_item *items,
                      size_t count)
{
    const struct res_plan plan = {.items = items, .count = count};
    fixture_add(all, name, make_res(&plan, NULL), OSSA_CONFIDENCE_SIGNATURE);
}

static void add_names(struct fixtures *all)
{
    static const struct res_item folders[] = {{"Maps\\zone1.mp", 0, "abc", 3, 5},
                                              {"Maps\\Zone1_000.sec", 0, "de", 2, 6},
                                              {"texts\\", 0, "", 0, 7}};
    /* "trol'", "Trol'2", and the letters at the ends of the code page. */
    static const struct res_item cyrillic[] = {{"\xf2\xf0\xee\xeb\xfc", 0, "1", 1, 8},
                                               {"\xd2\xf0\xee\xeb\xfc\x32", 0, "22", 2, 9},
                                               {"\x80\xff\xa8\xb8", 0, "333", 3, 10},
                                               {"a\x98z", 0, "4444", 4, 0}};
    static const struct res_item hostile[] = {
        {"..", 0, "1", 1, 0},          {"..\\..\\x", 0, "2", 1, 0}, {"\\absolute", 0, "3", 1, 0},
        {"C:\\x", 0, "4", 1, 0},       {"con", 0, "5", 1, 0},       {"a.", 0, "6", 1, 0},
        {"\\\\host\\s", 0, "7", 1, 0}, {"\x1b[31m", 0, "8", 1, 0},  {" ", 0, "9", 1, 0},
        {".", 0, "10", 2, 0},          {"a:b", 0, "11", 2, 0},      {"\\", 0, "12", 2, 0}};
    add_items(all, "ei-res/folders", folders, 3);
    add_items(all, "ei-res/cyrillic", cyrillic, 4);
    add_items(all, "ei-res/hostile-names", hostile, 12);
}

static void add_tables(struct fixtures *all)
{
    /* f, l and r go to slots 0, 5 and 4 of six; k, e and q are then looked for from 5 on. */
    static const struct res_item merged[] = {{"f", 0, "1", 1, 0},  {"l", 0, "2", 1, 0},
                                             {"r", 0, "3", 1, 0},  {"k", 0, "4", 1, 0},
                                             {"e", 0, "55", 2, 0}, {"q", 0, "66", 2, 0}};
    static const struct res_item empty[] = {
        {"x", 0, "", 0, 1}, {"y", 0, "abc", 3, 2}, {"z", 0, "", 0, 3}, {"w", 0, "", 0, 4}};
    add_items(all, "ei-res/merged-chains", merged, 6);
    add_items(all, "ei-res/entries-without-bytes", empty, 4);
    add_items(all, "ei-res/one-entry", parts, 1);
    add_items(all, "ei-res/two-entries", parts, 2);
    add_items(all, "ei-res/no-entries", NULL, 0);
    struct bytes file = make_res(&(struct res_plan){.count = 0}, NULL);
    set_u32(&file, 8, 0); /* as some tool leaves it */
    fixture_add(all, "ei-res/no-table", file, OSSA_CONFIDENCE_SIGNATURE);
    struct res_plan plan = plain;
    plan.table_first = true;
    fixture_add(all, "ei-res/table-first", make_res(&plan, NULL), OSSA_CONFIDENCE_SIGNATURE);
}

/* As in figures.res: archives in an archive, and in those files of the game. */
static void add_nested(struct fixtures *all)
{
    const struct fixture *lnk = fixture_find("ei-lnk/one-part");
    const struct fixture *bon = fixture_find("ei-bon/eight");
    const struct res_item model[] = {{"unmotr", 0, lnk->bytes.data, lnk->bytes.size, 11}};
    const struct res_item bones[] = {{"root", 0, bon->bytes.data, bon->bytes.size, 12}};
    struct bytes mod = make_res(&(struct res_plan){.items = model, .count = 1}, NULL);
    struct bytes bon_res = make_res(&(struct res_plan){.items = bones, .count = 1}, NULL);
    const struct res_item figures[] = {{"unmotr.mod", 0, mod.data, mod.size, 13},
                                       {"unmotr.bon", 0, bon_res.data, bon_res.size, 14}};
    add_items(all, "ei-res/figures", figures, 2);
    bytes_free(&mod);
    bytes_free(&bon_res);
}

static void add_large(struct fixtures *all)
{
    enum { COUNT = 300 };
    struct res_item items[COUNT];
    char names[COUNT][8];
    for (uint32_t i = 0; i < COUNT; i++) {
        for (uint32_t k = 0; k < 3; k++) names[i][k] = (char)('a' + (i * 7919 >> (4 * k)) % 26);
        names[i][3] = (char)('a' + i % 26);
        names[i][4] = (char)('a' + i / 26);
        names[i][5] = '\0';
        items[i] = (struct res_item){names[i], 0, names[i], i % 6, i};
    }
    add_items(all, "ei-res/large", items, COUNT);
}

/* ---- broken ones --------------------------------------------------------------------------- */

static void add_cut(struct fixtures *all, const char *name, size_t size, ossa_confidence confidence,
                    struct expected_issue issue)
{
    struct bytes file = make_res(&plain, NULL);
    file.size = size;
    fixture_add_broken(all, name, file, confidence, issue);
}

static void add_changed(struct fixtures *all, const char *name, const struct res_plan *plan,
                        size_t offset, uint32_t word, ossa_confidence confidence,
                        struct expected_issue issue)
{
    struct bytes file = make_res(plan, NULL);
    set_u32(&file, offset, word);
    fixture_add_broken(all, name, file, confidence, issue);
}

static void add_bad_header(struct fixtures *all)
{
    struct res_places p;
    struct bytes file = make_res(&plain, &p);
    const uint32_t size = (uint32_t)file.size;
    bytes_free(&file);
    add_cut(all, "ei-res/cut-signature", 3, OSSA_CONFIDENCE_NONE,
            (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 0, "signature"});
    add_cut(
        all, "ei-res/cut-count", 7, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 4, "entry_count"});
    add_cut(
        all, "ei-res/cut-table-offset", 8, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 4, "entry_count"});
    add_cut(
        all, "ei-res/cut-before-table", p.table, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, 8, "table_offset"});
    add_cut(
        all, "ei-res/cut-table", p.names - 1, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, 8, "table_offset"});
    add_cut(
        all, "ei-res/cut-names", size - 1, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, 12, "names_size"});
    add_changed(
        all, "ei-res/bad-magic", &plain, 0, 0x019ce23d, OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_MAGIC, 0, "signature"});
    add_changed(
        all, "ei-res/a-million-entries", &plain, 4, 1000000, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 4, "entry_count"});
    add_changed(
        all, "ei-res/countless-entries", &plain, 4, 0xffffffff, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 4, "entry_count"});
    add_changed(
        all, "ei-res/table-outside", &plain, 8, 0xffffffff, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, 8, "table_offset"});
    add_changed(
        all, "ei-res/table-in-header", &plain, 8, 15, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, 8, "table_offset"});
    add_changed(
        all, "ei-res/endless-names", &plain, 12, 0xffffffff, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, 12, "names_size"});
    file = make_res(&(struct res_plan){.count = 0}, NULL);
    put_text(&file, "name");
    set_u32(&file, 8, 0);
    set_u32(&file, 12, 4);
    fixture_add_broken(
        all, "ei-res/names-in-header", file, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, 8, "table_offset"});
}

/* The entry without bytes, given some. */
static struct fixture *add_pointed(struct fixtures *all, const char *name, uint32_t offset,
                                   uint32_t size, ossa_severity severity, ossa_code code)
{
    struct res_places p;
    struct bytes file = make_res(&with_none, &p);
    set_u32(&file, p.record[2] + RES_OFFSET, offset);
    set_u32(&file, p.record[2] + RES_SIZE, size);
    return fixture_add_broken(
        all, name, file, OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){severity, code, p.record[2] + RES_OFFSET, "entries[1].offset"});
}

static void add_bad_data(struct fixtures *all)
{
    struct res_places p;
    struct bytes file = make_res(&with_none, &p);
    const uint32_t size = (uint32_t)file.size;
    bytes_free(&file);
    add_pointed(all, "ei-res/entry-outside", size, 1, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET);
    add_pointed(all, "ei-res/entry-far-outside", 0xfffffff0, 0xffffffff, OSSA_SEVERITY_ERROR,
                OSSA_CODE_BAD_OFFSET);
    add_pointed(all, "ei-res/entry-that-wraps", 0xfffffff0, 0x20, OSSA_SEVERITY_ERROR,
                OSSA_CODE_BAD_OFFSET);
    add_pointed(all, "ei-res/entry-too-long", 16, size - 15, OSSA_SEVERITY_ERROR,
                OSSA_CODE_BAD_OFFSET);
    add_pointed(all, "ei-res/shared-entry", (uint32_t)p.data[1], 16, OSSA_SEVERITY_REMARK,
                OSSA_CODE_OVERLAP);
    add_pointed(all, "ei-res/entry-in-header", 0, 4, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP);
    add_pointed(all, "ei-res/entry-in-table", (uint32_t)p.table, 1, OSSA_SEVERITY_WARNING,
                OSSA_CODE_OVERLAP);
    add_pointed(all, "ei-res/entry-is-archive", 0, size, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP);
    /* One that has nothing may have it anywhere. */
    file = make_res(&with_none, &p);
    set_u32(&file, p.record[2] + RES_OFFSET, 0xffffffff);
    fixture_add(all, "ei-res/nothing-nowhere", file, OSSA_CONFIDENCE_SIGNATURE);
    /* It ends in the one behind it, whose bytes are then not its own. */
    file = make_res(&with_none, &p);
    set_u32(&file, p.record[0] + RES_SIZE, 33);
    fixture_add_broken(all, "ei-res/overlapping-entry", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_REMARK, OSSA_CODE_OVERLAP,
                                               p.record[1] + RES_OFFSET, "entries[2].offset"});
    struct res_plan plan = plain;
    plan.alignment = 1;
    file = make_res(&plan, &p);
    fixture_add_broken(all, "ei-res/unaligned", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                               p.record[1] + RES_OFFSET, "entries[2].offset"});
}

static void add_gaps(struct fixtures *all)
{
    struct res_places p;
    struct res_plan plan = with_none;
    plan.padding = 0x5a;
    struct bytes file = make_res(&plan, &p);
    fixture_add_broken(
        all, "ei-res/padding-of-something", file, OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_REMARK, OSSA_CODE_GAP, p.data[0] + 17, ""});
    plan = (struct res_plan){.items = parts, .count = 1, .gap = 16};
    file = make_res(&plan, &p);
    fixture_add_broken(all, "ei-res/wide-padding", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_REMARK, OSSA_CODE_GAP, 16, ""});
    file = make_res(&plain, &p);
    size_t end = file.size;
    put_text(&file, "tail");
    fixture_add_broken(
        all, "ei-res/trailing-bytes", file, OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_TRAILING_BYTES, end, ""});
}

/* As the game's own texts: entries on top of each other, and gaps between the others. */
static void add_overlaps_and_gaps(struct fixtures *all)
{
    enum { COUNT = 8, SHARING = 6 };
    static const struct res_item items[COUNT] = {
        {"h", 0, "0123456789abcdef", 16, 1}, {"i", 0, "0123456789abcdef", 16, 2},
        {"j", 0, "0123456789abcdef", 16, 3}, {"k", 0, "0123456789abcdef", 16, 4},
        {"l", 0, "0123456789abcdef", 16, 5}, {"m", 0, "0123456789abcdef", 16, 6},
        {"n", 0, "0123456789abcdef", 16, 7}, {"o", 0, "0123456789abcdef", 16, 8}};
    const struct res_plan plan = {.items = items, .count = COUNT, .gap = 16};
    struct bytes file = make_res(&plan, NULL);
    size_t table = get_u32(&file, 8); /* h is in slot 0, and so on */
    for (uint32_t i = 1; i < SHARING; i++) {
        set_u32(&file, table + i * RES_RECORD + RES_OFFSET, get_u32(&file, table + RES_OFFSET));
    }
    struct fixture *added =
        fixture_add(all, "ei-res/overlaps-and-gaps", file, OSSA_CONFIDENCE_SIGNATURE);
    fixture_expect(added, OSSA_SEVERITY_REMARK, OSSA_CODE_OVERLAP, table + RES_RECORD + RES_OFFSET,
                   "entries[1].offset");
    fixture_expect(added, OSSA_SEVERITY_REMARK, OSSA_CODE_GAP, 16, "");
}

static void add_bad_names(struct fixtures *all)
{
    struct res_places p;
    static const struct res_item with_nul[] = {{"a\0b", 3, "1", 1, 0}};
    struct bytes file = make_res(&(struct res_plan){.items = with_nul, .count = 1}, &p);
    fixture_add_broken(all, "ei-res/name-with-nul", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_EMBEDDED_NUL,
                                               p.name[0] + 1, "entries[0].name"});
    static const struct res_item with_slash[] = {{"a/b", 0, "1", 1, 0}};
    file = make_res(&(struct res_plan){.items = with_slash, .count = 1}, &p);
    fixture_add_broken(all, "ei-res/name-with-slash", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                               p.name[0] + 1, "entries[0].name"});
    /* The last name, and all that is left of the block is before it. */
    file = make_res(&plain, &p);
    file.size -= 2;
    set_u32(&file, 12, 4);
    fixture_add_broken(all, "ei-res/name-outside", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET,
                                               p.record[2] + RES_NAME_AT,
                                               "entries[1].name_offset"});
    file = make_res(&plain, &p);
    file.size -= 2;
    set_u32(&file, 12, 4);
    set_u16(&file, p.record[2] + RES_NAME, 0);
    set_u32(&file, p.record[2] + RES_NAME_AT, 0);
    fixture_add_broken(all, "ei-res/empty-name", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_EMPTY_NAME,
                                               p.record[2] + RES_NAME, "entries[1].name_length"});
    /* bd has a part of what is now "hpbd", and may well be found. */
    file = make_res(&plain, &p);
    set_u16(&file, p.record[0] + RES_NAME, 4);
    fixture_add_broken(all, "ei-res/shared-name", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP,
                                               p.record[1] + RES_NAME_AT,
                                               "entries[2].name_offset"});
}

static void add_doubles(struct fixtures *all)
{
    struct res_places p;
    static const struct res_item twice[] = {
        {"hp", 0, "1", 1, 0}, {"bd", 0, "2", 1, 0}, {"hp", 0, "3", 1, 0}};
    struct bytes file = make_res(&(struct res_plan){.items = twice, .count = 3}, &p);
    fixture_add_broken(all, "ei-res/name-twice", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_DUPLICATE_NAME,
                                               p.name[2], "entries[1].name"});
    static const struct res_item cased[] = {{"Hp", 0, "1", 1, 0}, {"hP", 0, "2", 1, 0}};
    file = make_res(&(struct res_plan){.items = cased, .count = 2}, &p);
    fixture_add_broken(all, "ei-res/name-in-other-case", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_DUPLICATE_NAME,
                                               p.name[1], "entries[1].name"});
}

/* Names of 60000 bytes that are all the same ones. */
static void add_names_too_often(struct fixtures *all)
{
    enum { SHARED = 60000, COUNT = 6 };
    struct res_places p;
    static char name[SHARED];
    memset(name, 'x', SHARED);
    const struct res_item items[COUNT] = {{name, SHARED, "", 0, 0}, {"a", 0, "", 0, 0},
                                          {"b", 0, "", 0, 0},       {"c", 0, "", 0, 0},
                                          {"d", 0, "", 0, 0},       {"e", 0, "", 0, 0}};
    struct bytes file = make_res(&(struct res_plan){.items = items, .count = COUNT}, &p);
    for (size_t slot = 0; slot < COUNT; slot++) {
        set_u16(&file, p.table + slot * RES_RECORD + RES_NAME, SHARED);
        set_u32(&file, p.table + slot * RES_RECORD + RES_NAME_AT, 0);
    }
    fixture_add_broken(all, "ei-res/names-shared-too-often", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_OVERLAP,
                                               p.table + 4 * RES_RECORD + RES_NAME,
                                               "entries[4].name_length"});
}

static void add_chain(struct fixtures *all, const char *name, size_t item, int32_t next,
                      struct expected_issue issue)
{
    struct res_places p;
    struct bytes file = make_res(&plain, &p);
    set_u32(&file, p.record[item] + RES_NEXT, (uint32_t)next);
    issue.offset += p.table;
    fixture_add_broken(all, name, file, OSSA_CONFIDENCE_SIGNATURE, issue);
}

/* The chain is 0, 2, 1: hp, bd, hd. */
static void add_bad_chains(struct fixtures *all)
{
    add_chain(all, "ei-res/next-outside", 2, 3,
              (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, RES_RECORD,
                                      "entries[1].next"});
    add_chain(all, "ei-res/next-below", 2, -2,
              (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, RES_RECORD,
                                      "entries[1].next"});
    add_chain(
        all, "ei-res/loop", 2, 0,
        (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, 0, "entries[0].next"});
    add_chain(all, "ei-res/loop-behind", 2, 2,
              (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, RES_RECORD,
                                      "entries[1].next"});
    add_chain(all, "ei-res/loop-of-one", 2, 1,
              (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, RES_RECORD,
                                      "entries[1].next"});
    add_chain(all, "ei-res/not-found", 1, -1,
              (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ORDER, RES_RECORD,
                                      "entries[1]"});
}

void generate_ei_res(struct fixtures *all)
{
    add_items(all, "ei-res/parts", parts, 3);
    add_names(all);
    add_tables(all);
    add_nested(all);
    add_large(all);
    add_bad_header(all);
    add_bad_data(all);
    add_gaps(all);
    add_overlaps_and_gaps(all);
    add_bad_names(all);
    add_doubles(all);
    add_names_too_often(all);
    add_bad_chains(all);
}
