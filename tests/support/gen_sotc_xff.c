/* SPDX-License-Identifier: MIT */
#include "support/fixtures.h"
#include "support/sotc_fixture.h"

#include <string.h>

static void align(struct bytes *file, size_t to, uint8_t fill)
{
    while (file->size % to != 0) put_u8(file, fill);
}

static void put_tables(struct bytes *file, const struct xff_plan *plan, struct xff_places *places)
{
    places->positions = file->size;
    uint32_t position = 0;
    for (uint32_t i = 0; i < plan->count; i++) {
        put_u32(file, position);
        position += (uint32_t)strlen(plan->names[i]) + 1;
    }
    places->sections = file->size;
    put_repeated(file, plan->fill, (size_t)XFF_SECTION_SIZE * plan->count);
    places->strings = file->size;
    for (uint32_t i = 0; i < plan->count; i++)
        put_bytes(file, plan->names[i], strlen(plan->names[i]) + 1);
}

size_t xff_section_word(const struct xff_places *places, uint32_t index, uint32_t word)
{
    return places->sections + (size_t)XFF_SECTION_SIZE * index + 4 * (size_t)word;
}

struct bytes make_xff(const struct xff_plan *plan, struct xff_places *places)
{
    struct bytes file = {0};
    put_bytes(&file, plan->magic, 4);
    put_repeated(&file, plan->fill, XFF_HEADER_SIZE - 4);
    set_u32(&file, 4, 0);
    set_u32(&file, 8, 0);
    put_tables(&file, plan, places);
    for (uint32_t i = 0; i < plan->count; i++) {
        align(&file, 16, plan->fill);
        put_repeated(&file, plan->fill, plan->misalignment);
        places->data[i] = file.size;
        put_bytes(&file, plan->data[i].data, plan->data[i].size);
        set_u32(&file, xff_section_word(places, i, 2), (uint32_t)plan->data[i].size);
        set_u32(&file, xff_section_word(places, i, 7), (uint32_t)places->data[i]);
    }
    set_u32(&file, XFF_SIZE_AT, (uint32_t)file.size);
    set_u32(&file, XFF_COUNT_AT, plan->count);
    set_u32(&file, XFF_ENTRY_AT, plan->entry);
    set_u32(&file, XFF_SECTIONS_AT, (uint32_t)places->sections);
    set_u32(&file, XFF_POSITIONS_AT, (uint32_t)places->positions);
    set_u32(&file, XFF_STRINGS_AT, (uint32_t)places->strings);
    return file;
}

struct bytes wrap_in_xff(struct xff_plan plan, struct bytes data, struct xff_places *places)
{
    static const char *const names[] = {".text", ".rodata", ".bss"};
    if (plan.magic == NULL) plan.magic = "xff\0";
    if (plan.count == 0) plan.count = 2;
    for (size_t i = 0; i < 3; i++) plan.names[i] = names[i];
    plan.data[1] = data;
    struct bytes file = make_xff(&plan, places);
    bytes_free(&data);
    return file;
}

/* A container of two sections whose data begins with `word`. */
static struct bytes make_kind(uint32_t word, uint8_t fill, struct xff_places *places)
{
    struct bytes data = {0};
    put_u32(&data, word);
    for (uint32_t i = 0; i < 12; i++) put_u8(&data, 0xa0 + i);
    struct xff_plan plan = {.magic = fill == 0 ? NULL : "xff2", .fill = fill};
    return wrap_in_xff(plan, data, places);
}

static struct bytes make_sections(uint32_t count)
{
    struct xff_places places;
    struct bytes data = {0};
    put_text(&data, "0123456789abcdef");
    struct xff_plan plan = {.magic = "xff2",
                            .count = count,
                            .names = {"first", "second", "third", "fourth"},
                            .data = {data, data, data, data}};
    struct bytes file = make_xff(&plan, &places);
    bytes_free(&data);
    return file;
}

static void add_good(struct fixtures *all)
{
    struct xff_places places;
    fixture_add(all, "sotc-xff/filled", make_kind(98, 0x5a, &places), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "sotc-xff/other", make_kind(99, 0, &places), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "sotc-xff/no-sections", make_sections(0), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "sotc-xff/one-section", make_sections(1), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "sotc-xff/three-sections", make_sections(3), OSSA_CONFIDENCE_SIGNATURE);

    struct bytes tail = make_kind(99, 0, &places);
    put_repeated(&tail, 0xee, 33);
    fixture_add(all, "sotc-xff/after-size", tail, OSSA_CONFIDENCE_SIGNATURE);

    /* Names are bytes, and one may be the end of another. */
    struct bytes names = make_kind(99, 0, &places);
    set_u8(&names, places.strings, 0xff);
    set_u8(&names, places.strings + 1, 0x80);
    set_u32(&names, places.positions + 4, 2);
    fixture_add(all, "sotc-xff/shared-names", names, OSSA_CONFIDENCE_SIGNATURE)->shares_bytes =
        true;

    struct bytes large = {0};
    struct random random = {71};
    for (uint32_t i = 0; i < 20000; i++) put_u32(&large, next_random(&random));
    struct xff_plan plan = {
        .magic = "xff2", .count = 2, .names = {"a", "b"}, .data = {large, large}};
    fixture_add(all, "sotc-xff/big", make_xff(&plan, &places), OSSA_CONFIDENCE_SIGNATURE);
    bytes_free(&large);
}

/* One that exports a symbol, by which a search may call it. */
static void add_named(struct fixtures *all)
{
    struct xff_places places;
    struct bytes file = make_kind(98, 0, &places);
    set_u32(&file, 0x0c, 1); /* the first that is not local */
    set_u32(&file, 0x24, 2); /* symbols, of 16 bytes */
    set_u32(&file, 0x54, (uint32_t)file.size);
    put_repeated(&file, 0, 16);
    put_u32(&file, 1); /* name, value, size, info, section */
    put_repeated(&file, 0, 8);
    put_u32(&file, 0x00010011);
    set_u32(&file, 0x58, (uint32_t)file.size);
    put_bytes(&file, "\0tex/bird:2", 12);
    set_u32(&file, XFF_SIZE_AT, (uint32_t)file.size);
    fixture_add(all, "sotc-xff/named", file, OSSA_CONFIDENCE_SIGNATURE);
}

static void add_cut(struct fixtures *all, const char *name, size_t size, ossa_confidence confidence,
                    struct expected_issue issue)
{
    struct xff_places places;
    struct bytes file = make_kind(99, 0, &places);
    file.size = size;
    fixture_add_broken(all, name, file, confidence, issue);
}

static void add_changed(struct fixtures *all, const char *name, size_t offset, uint32_t word,
                        struct expected_issue issue)
{
    struct xff_places places;
    struct bytes file = make_kind(99, 0, &places);
    set_u32(&file, offset, word);
    fixture_add_broken(all, name, file, OSSA_CONFIDENCE_SIGNATURE, issue);
}

static void add_unreadable(struct fixtures *all)
{
    struct xff_places places;
    struct bytes file = make_kind(99, 0, &places);
    const uint32_t size = (uint32_t)file.size;
    set_u32(&file, 0, 0x33666678); /* "xff3" */
    fixture_add_broken(all, "sotc-xff/bad-magic", file, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_MAGIC, 0,
                                               "container.magic"});
    add_cut(all, "sotc-xff/cut-magic", 3, OSSA_CONFIDENCE_NONE,
            (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 0,
                                    "container.magic"});
    add_cut(all, "sotc-xff/cut-header", XFF_HEADER_SIZE - 1, OSSA_CONFIDENCE_SIGNATURE,
            (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, XFF_STRINGS_AT,
                                    "container.section_strings"});
    add_changed(all, "sotc-xff/sections-outside", XFF_SECTIONS_AT, size - 63,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET,
                                        XFF_SECTIONS_AT, "container.sections_offset"});
    add_changed(all, "sotc-xff/too-many-sections", XFF_COUNT_AT, 0xffffffff,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET,
                                        XFF_SECTIONS_AT, "container.sections_offset"});
    add_changed(all, "sotc-xff/positions-outside", XFF_POSITIONS_AT, size - 7,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET,
                                        XFF_POSITIONS_AT, "container.section_name_positions"});
    add_changed(all, "sotc-xff/name-outside", places.positions + 4, size - (uint32_t)places.strings,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET,
                                        places.positions + 4,
                                        "container.sections[1].name_position"});
    /* The file's last byte is no NUL, so the name never ends. */
    add_changed(all, "sotc-xff/name-without-nul", places.positions,
                size - 1 - (uint32_t)places.strings,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE, size - 1,
                                        "container.sections[0].name"});
}

static void add_long_name(struct fixtures *all, const char *name, size_t length, bool too_long)
{
    struct xff_places places;
    struct bytes data = {0};
    put_repeated(&data, 'n', length);
    put_u8(&data, 0);
    struct xff_plan plan = {.magic = "xff\0", .count = 2, .names = {"", "b"}, .data = {{0}, data}};
    struct bytes file = make_xff(&plan, &places);
    bytes_free(&data);
    set_u32(&file, places.positions, (uint32_t)(places.data[1] - places.strings));
    struct fixture *fixture = fixture_add(all, name, file, OSSA_CONFIDENCE_SIGNATURE);
    if (too_long) {
        fixture_expect(fixture, OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE, places.data[1],
                       "container.sections[0].name");
    }
}

static void add_rule_breakers(struct fixtures *all)
{
    struct xff_places places;
    struct bytes file = make_kind(99, 0, &places);
    const uint32_t size = (uint32_t)file.size;
    const size_t length = xff_section_word(&places, 1, 2);
    const size_t offset = xff_section_word(&places, 1, 7);
    bytes_free(&file);
    add_changed(all, "sotc-xff/not-zero-04", 4, 1,
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 4,
                                        "container.zero_04"});
    add_changed(all, "sotc-xff/not-zero-08", 8, 0x80000000,
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 8,
                                        "container.zero_08"});
    add_changed(all, "sotc-xff/size-too-large", XFF_SIZE_AT, size + 1,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_SIZE_MISMATCH, XFF_SIZE_AT,
                                        "container.size"});
    add_changed(all, "sotc-xff/section-past-size", XFF_SIZE_AT, size - 1,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_SIZE_MISMATCH, offset,
                                        "container.sections[1].offset"});
    add_changed(all, "sotc-xff/section-past-end", length, 17,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET, offset,
                                        "container.sections[1].offset"});
    add_long_name(all, "sotc-xff/longest-name", 255, false);
    add_long_name(all, "sotc-xff/name-too-long", 256, true);
}

void generate_sotc_xff(struct fixtures *all)
{
    add_good(all);
    add_named(all);
    add_unreadable(all);
    add_rule_breakers(all);
}
