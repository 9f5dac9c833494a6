/* SPDX-License-Identifier: MIT */
#include "support/pak_fixture.h"

#include "support/fixtures.h"

#include <string.h>

/* ---- archives ------------------------------------------------------------------------------ */

struct bytes make_pak(const struct pak_plan *plan, struct pak_places *places)
{
    struct pak_places unwanted;
    struct bytes file = {0};
    size_t alignment = plan->alignment == 0 ? 4 : plan->alignment;
    if (places == NULL) places = &unwanted;
    put_u32(&file, (uint32_t)plan->count);
    put_repeated(&file, 0, 4 * plan->count);
    for (size_t i = 0; i < plan->count; i++) {
        const struct pak_item *item = &plan->items[i];
        put_repeated(&file, plan->padding, plan->gap);
        size_t entry = file.size;
        set_u32(&file, 4 + 4 * i, (uint32_t)entry);
        put_text(&file, item->name);
        do put_u8(&file, 0);
        while ((file.size - entry) % 4 != 0);
        if (i < PAK_KNOWN) {
            places->offset[i] = 4 + 4 * i;
            places->entry[i] = entry;
            places->length[i] = file.size;
            places->data[i] = file.size + 4;
        }
        put_u32(&file, (uint32_t)item->size);
        put_bytes(&file, item->data, item->size);
        while (file.size % alignment != 0) put_u8(&file, plan->padding);
    }
    return file;
}

/* ---- good ones ----------------------------------------------------------------------------- */

static const struct pak_item songs[] = {
    {"GAME/RABBIT.TMD", "01234567", 8}, {"GAME/HOP.ANM", "abcde", 5}, {"TITLE\\A.TIM", "!", 1}};
static const struct pak_plan plain = {.items = songs, .count = 3};

static void add_items(struct fixtures *all, const char *name, const struct pak_item *items,
                      size_t count, ossa_confidence confidence)
{
    const struct pak_plan plan = {.items = items, .count = count};
    fixture_add(all, name, make_pak(&plan, NULL), confidence);
}

/* An ANM of object 0: at 0, then at (x, -100, 0). */
static struct bytes make_step(int x)
{
    struct bytes file = {0};
    static const uint32_t header[] = {0x8000, 30, 2, 6, 10, 14};
    for (size_t i = 0; i < 6; i++) put_u16(&file, header[i]);
    for (int frame = 0; frame < 2; frame++) {
        put_u8(&file, 0);
        put_u8(&file, 4); /* a position */
        put_u16(&file, (uint16_t)(frame * x));
        put_u16(&file, (uint16_t)(frame * -100));
        put_u16(&file, 0);
    }
    return file;
}

/* Two figures, each in a folder of its own with something that belongs to no scene, and a camera.
 * Their models are called alike, and so are two clips. */
static void add_figures(struct fixtures *all)
{
    const struct fixture *tmd = fixture_find("vib-tmd/lines");
    const struct fixture *anc = fixture_find("vib-anc/eight-keys");
    struct bytes walk = make_step(200);
    struct bytes jump = make_step(0);
    const struct pak_item items[] = {
        {"VIBRI/MODEL.TMD", tmd->bytes.data, tmd->bytes.size},
        {"FROG\\MODEL.TMD", tmd->bytes.data, tmd->bytes.size},
        {"VIBRI/JUMP.ANM", jump.data, jump.size},
        {"VIBRI/WALK.ANM", walk.data, walk.size},
        {"VIBRI/FACE.TIM", "a picture", 9},
        {"FROG\\JUMP.ANM", jump.data, jump.size},
        {"STAGE/CAMERA.ANC", anc->bytes.data, anc->bytes.size},
    };
    add_items(all, "vib-pak/figures", items, 7, OSSA_CONFIDENCE_PLAUSIBLE);
    bytes_free(&walk);
    bytes_free(&jump);
}

static void add_good(struct fixtures *all)
{
    /* Names that need 1 to 4 bytes of NUL and padding. */
    static const struct pak_item lengths[] = {
        {"a", "1", 1}, {"ab", "22", 2}, {"abc", "333", 3}, {"abcd", "4444", 4}, {"abcde", "", 0}};
    static const struct pak_item hostile[] = {
        {"..", "1", 1},      {"../../x", "2", 1}, {"/absolute", "3", 1},   {"C:\\x", "4", 1},
        {"NUL.TIM", "5", 1}, {"a. ", "6", 1},     {"\\\\host\\s", "7", 1}, {" ", "8", 1},
        {"./.", "9", 1},     {"a:b", "10", 2},    {"//", "11", 2},         {"...", "12", 2}};
    static const struct pak_item odd[] = {{"\x1b[31m", "1", 1}, {"\xe9t\xe9\x80", "2", 1}};
    static const struct pak_item empty[] = {{"X.TIM", "", 0}, {"Y.TIM", "", 0}};
    add_items(all, "vib-pak/songs", songs, 3, OSSA_CONFIDENCE_PLAUSIBLE);
    add_items(all, "vib-pak/lengths-of-names", lengths, 5, OSSA_CONFIDENCE_PLAUSIBLE);
    add_items(all, "vib-pak/hostile-names", hostile, 12, OSSA_CONFIDENCE_PLAUSIBLE);
    add_items(all, "vib-pak/odd-characters", odd, 2, OSSA_CONFIDENCE_ARITHMETIC);
    add_items(all, "vib-pak/one-entry", songs, 1, OSSA_CONFIDENCE_PLAUSIBLE);
    add_items(all, "vib-pak/entries-without-bytes", empty, 2, OSSA_CONFIDENCE_EMPTY);
    add_items(all, "vib-pak/no-entries", NULL, 0, OSSA_CONFIDENCE_EMPTY);
    const struct fixture *tmd = fixture_find("vib-tmd/lines");
    const struct fixture *anm = fixture_find("vib-anm/walk");
    const struct pak_item files[] = {{"GAME/RABBIT.TMD", tmd->bytes.data, tmd->bytes.size},
                                     {"GAME/WALK.ANM", anm->bytes.data, anm->bytes.size}};
    add_items(all, "vib-pak/files", files, 2, OSSA_CONFIDENCE_PLAUSIBLE);
    add_figures(all);
}

/* ---- broken ones --------------------------------------------------------------------------- */

static struct fixture *add_changed(struct fixtures *all, const char *name, size_t offset,
                                   uint32_t word, struct expected_issue issue)
{
    struct bytes file = make_pak(&plain, NULL);
    set_u32(&file, offset, word);
    return fixture_add_broken(all, name, file, OSSA_CONFIDENCE_NONE, issue);
}

static void add_bad_header(struct fixtures *all)
{
    struct bytes file = make_pak(&plain, NULL);
    file.size = 3;
    fixture_add_broken(
        all, "vib-pak/cut-count", file, OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 0, "entry_count"});
    add_changed(
        all, "vib-pak/a-million-entries", 0, 1000000,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 0, "entry_count"});
    add_changed(
        all, "vib-pak/countless-entries", 0, 0xffffffff,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 0, "entry_count"});
}

/* The last entry, cut in each of its parts: the others can still be taken out. */
static void add_cut(struct fixtures *all)
{
    struct pak_places p;
    struct bytes file = make_pak(&plain, &p);
    file.size = p.data[2];
    fixture_add_broken(all, "vib-pak/cut-data", file, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_COUNT,
                                               p.length[2], "entries[2].length"});
    file = make_pak(&plain, &p);
    file.size = p.data[2] - 1;
    fixture_add_broken(all, "vib-pak/cut-length", file, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_TRUNCATED,
                                               p.length[2], "entries[2].length"});
    file = make_pak(&plain, &p);
    file.size = p.entry[2] + 5;
    fixture_add_broken(all, "vib-pak/cut-name", file, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_TRUNCATED, p.entry[2],
                                               "entries[2].name"});
    file = make_pak(&plain, &p);
    file.size = p.entry[2];
    fixture_add_broken(all, "vib-pak/cut-entry", file, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET,
                                               p.offset[2], "entries[2].offset"});
    /* One in the middle takes nothing away from those behind it. */
    file = make_pak(&plain, &p);
    set_u32(&file, p.length[1], 0x7fffffff);
    fixture_add_broken(all, "vib-pak/entry-too-long", file, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_COUNT,
                                               p.length[1], "entries[1].length"});
    /* Padding of the last entry, which may be missing. */
    file = make_pak(&plain, &p);
    file.size -= 3;
    fixture_add(all, "vib-pak/no-last-padding", file, OSSA_CONFIDENCE_ARITHMETIC);
}

/* An entry more at the end of the table, whose bytes are there already or nowhere. */
static struct fixture *add_pointed(struct fixtures *all, const char *name, uint32_t item,
                                   uint32_t skip, ossa_severity severity, ossa_code code)
{
    struct pak_places p;
    static const struct pak_item items[] = {
        {"A", "0123456789abcdef", 16}, {"B", "B\0\0\0\4\0\0\0abcd", 12}, {"C", "", 0}};
    const struct pak_plan plan = {.items = items, .count = 3};
    struct bytes file = make_pak(&plan, &p);
    file.size = p.entry[2];
    uint32_t target = item == 3 ? 0 : (uint32_t)p.data[item];
    set_u32(&file, p.offset[2], target + skip);
    return fixture_add_broken(
        all, name, file, OSSA_CONFIDENCE_NONE,
        (struct expected_issue){severity, code, p.offset[2], "entries[2].offset"});
}

static void add_bad_offsets(struct fixtures *all)
{
    struct pak_places p;
    add_pointed(all, "vib-pak/entry-far-outside", 3, 0xffffffff, OSSA_SEVERITY_ERROR,
                OSSA_CODE_BAD_OFFSET);
    /* In the bytes of B there is a B again. */
    struct fixture *fixture =
        add_pointed(all, "vib-pak/entry-in-entry", 1, 0, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP);
    fixture_expect(fixture, OSSA_SEVERITY_ERROR, OSSA_CODE_DUPLICATE_NAME,
                   get_u32(&fixture->bytes, 12), "entries[2].name");
    struct bytes file = make_pak(&plain, &p);
    set_u32(&file, p.offset[0], (uint32_t)p.entry[1]);
    set_u32(&file, p.offset[1], (uint32_t)p.entry[0]);
    fixture_add_broken(all, "vib-pak/falling-offsets", file, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ORDER,
                                               p.offset[1], "entries[1].offset"});
    /* The table as an entry: its first offset is 0x10, the length 0x24 and so on. */
    file = make_pak(&plain, &p);
    set_u32(&file, p.offset[0], 4);
    fixture = fixture_add_broken(all, "vib-pak/entry-in-table", file, OSSA_CONFIDENCE_NONE,
                                 (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET,
                                                         p.offset[0], "entries[0].offset"});
    fixture_expect(fixture, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, p.offset[1],
                   "entries[1].offset");
    struct pak_plan plan = plain;
    plan.alignment = 1;
    file = make_pak(&plan, &p);
    fixture_add_broken(all, "vib-pak/unaligned", file, OSSA_CONFIDENCE_ARITHMETIC,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                               p.offset[2], "entries[2].offset"});
}

static void add_gaps(struct fixtures *all)
{
    struct pak_places p;
    struct pak_plan plan = plain;
    plan.padding = 0x5a;
    plan.count = 2;
    struct bytes file = make_pak(&plan, &p);
    fixture_add_broken(all, "vib-pak/padding-of-something", file, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_TRAILING_BYTES,
                                               p.data[1] + 5, ""});
    plan = (struct pak_plan){.items = songs, .count = 1, .gap = 4};
    file = make_pak(&plan, &p);
    fixture_add_broken(all, "vib-pak/gap", file, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_GAP, 8, ""});
    file = make_pak(&plain, &p);
    put_u32(&file, 0); /* behind 3 bytes of padding */
    fixture_add_broken(all, "vib-pak/trailing-bytes", file, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_TRAILING_BYTES,
                                               p.data[2] + 1, ""});
    file = make_pak(&plain, &p);
    set_u8(&file, p.length[1] - 1, 1); /* behind GAME/HOP.ANM and its NUL there are 3 */
    fixture_add_broken(all, "vib-pak/name-padding", file, OSSA_CONFIDENCE_ARITHMETIC,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                               p.entry[1] + 12, "entries[1].name"});
}

static void add_bad_names(struct fixtures *all)
{
    struct pak_places p;
    static const struct pak_item twice[] = {{"A", "1", 1}, {"B", "2", 1}, {"A", "3", 1}};
    static const struct pak_item cased[] = {{"Abc", "1", 1}, {"aBC", "2", 1}};
    static const struct pak_item nameless[] = {{"A", "1", 1}, {"", "2", 1}, {"", "3", 1}};
    struct bytes file = make_pak(&(struct pak_plan){.items = twice, .count = 3}, &p);
    fixture_add_broken(all, "vib-pak/name-twice", file, OSSA_CONFIDENCE_PLAUSIBLE,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_DUPLICATE_NAME,
                                               p.entry[2], "entries[2].name"});
    file = make_pak(&(struct pak_plan){.items = cased, .count = 2}, &p);
    fixture_add_broken(all, "vib-pak/name-in-other-case", file, OSSA_CONFIDENCE_PLAUSIBLE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_DUPLICATE_NAME,
                                               p.entry[1], "entries[1].name"});
    file = make_pak(&(struct pak_plan){.items = nameless, .count = 3}, &p);
    struct fixture *fixture =
        fixture_add_broken(all, "vib-pak/empty-names", file, OSSA_CONFIDENCE_ARITHMETIC,
                           (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_EMPTY_NAME,
                                                   p.entry[1], "entries[1].name"});
    fixture_expect(fixture, OSSA_SEVERITY_ERROR, OSSA_CODE_EMPTY_NAME, p.entry[2],
                   "entries[2].name");
}

/* Seven entries that have nearly all of the file as their name. */
static void add_names_too_often(struct fixtures *all)
{
    enum { COUNT = 7 };
    struct bytes file = {0};
    put_u32(&file, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) put_u32(&file, 4 + 4 * COUNT);
    put_repeated(&file, 'x', 2001);
    put_repeated(&file, 0, 7);
    fixture_add_broken(all, "vib-pak/names-shared-too-often", file, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_OVERLAP,
                                               4 + 4 * 4, "entries[4].offset"});
}

void generate_vib_pak(struct fixtures *all)
{
    add_good(all);
    add_bad_header(all);
    add_cut(all);
    add_bad_offsets(all);
    add_gaps(all);
    add_bad_names(all);
    add_names_too_often(all);
}
