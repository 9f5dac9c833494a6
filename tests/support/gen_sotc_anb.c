/* SPDX-License-Identifier: MIT */
#include "support/fixtures.h"
#include "support/sotc_fixture.h"

#include <stdlib.h>
#include <string.h>

/* ---- one section of data ------------------------------------------------------------------- */

static const uint8_t all_flags[] = {0, 3, 4, 5, 6, 12, 13};

static uint8_t flag_of(const struct anb_plan *plan, uint32_t bone)
{
    return plan->flags == NULL ? all_flags[bone % sizeof all_flags] : plan->flags[bone];
}

static unsigned constants_of(uint8_t flag)
{
    switch (flag) {
    case 3:
    case 4:
    case 5:
    case 6: return 8;
    case 12: return 6;
    case 13: return 5;
    default: return 4; /* of an unknown flag too: some bytes */
    }
}

static bool has_keys(uint8_t flag)
{
    return (flag >= 3 && flag <= 6) || flag == 12 || flag == 13;
}

static void put_record(struct bytes *data, struct random *random, uint8_t flag)
{
    static const float axes[][3] = {{1, 2, 2}, {-2, 3, 6}, {4, -4, 7}, {2, 6, -9}};
    static const float lengths[] = {3, 7, 9, 22}; /* the last gives an axis of length 0.5 */
    float unit[4];
    next_unit(random, unit);
    if (!has_keys(flag)) {
        for (unsigned i = 0; i < 4; i++) put_f32(data, unit[i]);
    } else if (flag == 13) {
        uint32_t axis = next_random(random) % 4;
        put_f32(data, next_float(random, 3));
        put_f32(data, next_float(random, 1));
        for (unsigned i = 0; i < 3; i++) put_f32(data, axes[axis][i] / lengths[axis]);
    } else {
        for (unsigned i = 0; i < constants_of(flag) / 2; i++) {
            put_f32(data, next_float(random, 1) / 4.0F); /* centre */
            put_f32(data, (next_float(random, 1) + 1.0F) / 16.0F);
        }
    }
    if (has_keys(flag)) put_u32(data, 0); /* keys_offset, known later */
}

static void put_keys(struct bytes *data, struct random *random, uint8_t flag, uint32_t poses)
{
    uint32_t halves = flag == 12 ? 3 : 2;
    if (flag == 13) halves = 1;
    for (uint32_t i = 0; i < halves * poses; i++) put_u16(data, next_random(random) >> 7 & 0xffff);
}

static void align4(struct bytes *data, uint8_t fill)
{
    while (data->size % 4 != 0) put_u8(data, fill);
}

static void put_anb_header(struct bytes *data, const struct anb_plan *plan)
{
    put_repeated(data, plan->fill, plan->before);
    size_t header = data->size;
    put_repeated(data, plan->fill, ANB_HEADER_SIZE);
    set_u32(data, header, 12);
    set_u32(data, header + 4, plan->poses_high << 16 | plan->poses);
    set_u32(data, header + 20, plan->bones);
}

/* Offsets in `places` count from the start of the section here. */
static struct bytes make_section(const struct anb_plan *plan, struct anb_places *places)
{
    struct random random = {plan->seed};
    struct bytes data = {0};
    size_t *record = calloc(plan->bones + 1, sizeof *record);
    if (record == NULL) abort();
    *places = (struct anb_places){.header = plan->before};
    put_anb_header(&data, plan);
    places->flags = data.size;
    for (uint32_t i = 0; i < plan->bones; i++) put_u8(&data, flag_of(plan, i));
    align4(&data, plan->fill);
    places->records = data.size;
    put_repeated(&data, 0, 4 * (size_t)plan->bones);
    for (uint32_t i = 0; i < plan->bones; i++) {
        record[i] = data.size;
        set_u32(&data, places->records + 4 * (size_t)i, (uint32_t)record[i]);
        put_record(&data, &random, flag_of(plan, i));
        if (i < ANB_KNOWN_BONES) places->record[i] = record[i];
    }
    for (uint32_t i = 0; i < plan->bones; i++) {
        uint8_t flag = flag_of(plan, i);
        if (!has_keys(flag)) continue;
        align4(&data, plan->fill);
        if (i < ANB_KNOWN_BONES) places->keys[i] = data.size;
        set_u32(&data, record[i] + 4 * (size_t)constants_of(flag), (uint32_t)data.size);
        put_keys(&data, &random, flag, plan->poses);
    }
    free(record);
    set_u32(&data, places->header + 8, (uint32_t)places->flags);
    set_u32(&data, places->header + 16, (uint32_t)places->records);
    return data;
}

struct bytes make_anb(const struct anb_plan *plan, struct anb_places *places)
{
    struct xff_plan container = {.magic = plan->magic,
                                 .count = plan->sections,
                                 .entry = plan->before,
                                 .misalignment = plan->misalignment,
                                 .fill = plan->fill};
    struct bytes file = wrap_in_xff(container, make_section(plan, places), &places->container);
    size_t section = places->container.data[1];
    places->section = section;
    places->header += section;
    places->flags += section;
    places->records += section;
    for (unsigned i = 0; i < ANB_KNOWN_BONES; i++) {
        places->record[i] += section;
        if (places->keys[i] != 0) places->keys[i] += section;
    }
    return file;
}

struct bytes make_big_anb(uint32_t bones, uint32_t poses)
{
    struct anb_places places;
    struct anb_plan plan = {.seed = 79, .bones = bones, .poses = poses};
    return make_anb(&plan, &places);
}

/* ---- good files ---------------------------------------------------------------------------- */

static const struct anb_plan plain = {.seed = 81, .bones = 7, .poses = 6};

static void add_plan(struct fixtures *all, const char *name, struct anb_plan plan)
{
    struct anb_places places;
    fixture_add(all, name, make_anb(&plan, &places), OSSA_CONFIDENCE_SIGNATURE);
}

static void add_good(struct fixtures *all)
{
    static const uint8_t constant[] = {0, 0, 0};
    static const uint8_t one[] = {6};
    add_plan(all, "sotc-anb/every-flag", plain);
    add_plan(all, "sotc-anb/xff2",
             (struct anb_plan){.seed = 82, .bones = 7, .poses = 3, .magic = "xff2"});
    add_plan(all, "sotc-anb/constant",
             (struct anb_plan){.seed = 83, .flags = constant, .bones = 3, .poses = 9});
    add_plan(all, "sotc-anb/no-poses", (struct anb_plan){.seed = 84, .bones = 7});
    add_plan(all, "sotc-anb/no-bones", (struct anb_plan){.seed = 85, .poses = 4});
    add_plan(all, "sotc-anb/one-key",
             (struct anb_plan){.seed = 86, .flags = one, .bones = 1, .poses = 1});
    add_plan(all, "sotc-anb/entry",
             (struct anb_plan){.seed = 87, .bones = 7, .poses = 2, .before = 40});
    add_plan(all, "sotc-anb/garbage",
             (struct anb_plan){
                 .seed = 88, .bones = 7, .poses = 5, .before = 20, .fill = 0xc3, .magic = "xff2"});
    add_plan(all, "sotc-anb/poses-high",
             (struct anb_plan){.seed = 89, .bones = 3, .poses = 2, .poses_high = 0xbeef});
    add_plan(all, "sotc-anb/unaligned",
             (struct anb_plan){.seed = 90, .bones = 7, .poses = 5, .misalignment = 1});
    add_plan(all, "sotc-anb/half-aligned",
             (struct anb_plan){.seed = 91, .bones = 7, .poses = 5, .misalignment = 2});
    add_plan(all, "sotc-anb/big", (struct anb_plan){.seed = 92, .bones = 60, .poses = 400});
}

/* With symbols and relocations. */
static void add_linked(struct fixtures *all)
{
    struct anb_places places;
    struct anb_plan plan = plain;
    fixture_add(all, "sotc-anb/linked", make_linked_anb(&plan, "linked.anb", &places),
                OSSA_CONFIDENCE_SIGNATURE);
    plan = (struct anb_plan){
        .seed = 95, .bones = 9, .poses = 5, .before = 40, .fill = 0x5a, .magic = "xff2"};
    fixture_add(all, "sotc-anb/linked-xff2", make_linked_anb(&plan, "linked-xff2", &places),
                OSSA_CONFIDENCE_SIGNATURE);
}

/* Tables that lie on top of each other, which no rule forbids. */
static void add_shared(struct fixtures *all)
{
    struct anb_places places;
    struct bytes tail = make_anb(&plain, &places);
    put_repeated(&tail, 0x11, 50);
    fixture_add(all, "sotc-anb/after-size", tail, OSSA_CONFIDENCE_SIGNATURE);

    /* The name positions are the first two words of section 0. */
    struct bytes tables = make_anb(&plain, &places);
    set_u32(&tables, places.container.sections + 4, 6);
    set_u32(&tables, XFF_POSITIONS_AT, (uint32_t)places.container.sections);
    fixture_add(all, "sotc-anb/shared-tables", tables, OSSA_CONFIDENCE_SIGNATURE)->shares_bytes =
        true;

    /* The flags are in the header's words 6 and 7. */
    struct bytes flags = make_anb(&plain, &places);
    memcpy(flags.data + places.header + 24, flags.data + places.flags, 7);
    set_u32(&flags, places.header + 8, (uint32_t)(places.header + 24 - places.section));
    fixture_add(all, "sotc-anb/flags-in-header", flags, OSSA_CONFIDENCE_SIGNATURE)->shares_bytes =
        true;
}

/* ---- files that break a rule --------------------------------------------------------------- */

static void add_changed(struct fixtures *all, const char *name, size_t offset, uint32_t word,
                        ossa_confidence confidence, struct expected_issue issue)
{
    struct anb_places places;
    struct bytes file = make_anb(&plain, &places);
    set_u32(&file, offset, word);
    fixture_add_broken(all, name, file, confidence, issue);
}

static void add_bad_container(struct fixtures *all, const struct anb_places *p, uint32_t size)
{
    const size_t length = xff_section_word(&p->container, 1, 2);
    const size_t offset = xff_section_word(&p->container, 1, 7);
    const uint32_t room = size - (uint32_t)p->section;
    add_changed(all, "sotc-anb/one-section", XFF_COUNT_AT, 1, OSSA_CONFIDENCE_NONE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE, XFF_COUNT_AT,
                                        "container.section_count"});
    struct anb_places places;
    struct anb_plan three = {.seed = 93, .bones = 2, .poses = 2, .sections = 3};
    fixture_add_broken(all, "sotc-anb/three-sections", make_anb(&three, &places),
                       OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                               XFF_COUNT_AT, "container.section_count"});
    struct bytes file = make_anb(&plain, &places);
    set_u32(&file, length, room + 1);
    struct fixture *fixture =
        fixture_add_broken(all, "sotc-anb/section-past-end", file, OSSA_CONFIDENCE_SIGNATURE,
                           (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET,
                                                   offset, "container.sections[1].offset"});
    fixture_expect(fixture, OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET, offset,
                   "container.sections[1].offset");
    file = make_anb(&plain, &places);
    set_u32(&file, length, 0); /* nothing of it is past the end, but its start */
    set_u32(&file, offset, size + 1);
    fixture_add_broken(all, "sotc-anb/section-outside", file, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET,
                                               offset, "container.sections[1].offset"});
    add_changed(all, "sotc-anb/header-outside", XFF_ENTRY_AT, room - ANB_HEADER_SIZE + 1,
                OSSA_CONFIDENCE_NONE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET,
                                        XFF_ENTRY_AT, "container.entry"});
    add_changed(all, "sotc-anb/size-too-large", XFF_SIZE_AT, size + 100, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_SIZE_MISMATCH, XFF_SIZE_AT,
                                        "container.size"});
    add_changed(all, "sotc-anb/not-zero-04", 4, 7, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 4,
                                        "container.zero_04"});
    add_changed(all, "sotc-anb/bad-magic", 0, 0x46464958, OSSA_CONFIDENCE_NONE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_MAGIC, 0,
                                        "container.magic"});
}

/* Bone 1 has flag 3, bone 5 flag 12, bone 6 flag 13; see all_flags. */
static void add_bad_data(struct fixtures *all, const struct anb_places *p, uint32_t size)
{
    const uint32_t room = size - (uint32_t)p->section;
    add_changed(all, "sotc-anb/other-kind", p->header, 13, OSSA_CONFIDENCE_NONE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE, p->header,
                                        "header.kind"});
    add_changed(all, "sotc-anb/flags-outside", p->header + 8, room - 6, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET,
                                        p->header + 8, "header.flags_offset"});
    add_changed(all, "sotc-anb/records-outside", p->header + 16, room - 27,
                OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET,
                                        p->header + 16, "header.records_offset"});
    add_changed(all, "sotc-anb/too-many-bones", p->header + 20, 0xffffffff,
                OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET,
                                        p->header + 8, "header.flags_offset"});
    add_changed(all, "sotc-anb/record-outside", p->records + 20, room - 27,
                OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET,
                                        p->records + 20, "bones[5].record_offset"});
    add_changed(all, "sotc-anb/keys-outside", p->record[6] + 20, room - 11,
                OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET,
                                        p->record[6] + 20, "bones[6].keys_offset"});
    add_changed(all, "sotc-anb/shared-keys", p->record[6] + 20,
                (uint32_t)(p->keys[1] - p->section + 23), OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_OVERLAP,
                                        p->record[6] + 20, "bones[6].keys_offset"});
    add_changed(all, "sotc-anb/keys-in-record", p->record[1] + 32,
                (uint32_t)(p->record[0] - p->section), OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_OVERLAP,
                                        p->record[1] + 32, "bones[1].keys_offset"});
}

static void add_rule_breakers(struct fixtures *all, const struct anb_places *p)
{
    struct anb_places places;
    struct bytes file = make_anb(&plain, &places);
    set_u8(&file, p->flags + 2, 7);
    fixture_add_broken(all, "sotc-anb/unknown-flag", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_UNKNOWN_FLAG,
                                               p->flags + 2, "flags"});
    /* Bone 0, constant, takes the first four constants of bone 1. */
    file = make_anb(&plain, &places);
    set_u32(&file, p->records, (uint32_t)(p->record[1] - p->section));
    fixture_add_broken(all, "sotc-anb/shared-record", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP,
                                               p->record[1], "bones[1].constants"})
        ->shares_bytes = true;
}

static void add_bad_value(struct fixtures *all, const char *name, size_t offset, float value,
                          struct expected_issue issue)
{
    struct anb_places places;
    struct bytes file = make_anb(&plain, &places);
    set_f32(&file, offset, value);
    fixture_add_broken(all, name, file, OSSA_CONFIDENCE_SIGNATURE, issue)->check_values = true;
}

static void add_bad_values(struct fixtures *all, const struct anb_places *p)
{
    const float nan = f32_of_bits(0x7fc00001);
    add_bad_value(all, "sotc-anb/nan-constant", p->record[5] + 12, nan,
                  (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_NON_FINITE,
                                          p->record[5] + 12, "bones[5].constants"});
    add_bad_value(all, "sotc-anb/not-unit", p->record[0] + 4, 2.0F,
                  (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_NOT_UNIT, p->record[0],
                                          "bones[0].constants"});
    struct anb_places places;
    struct bytes file = make_anb(&plain, &places);
    for (size_t i = 0; i < 3; i++) set_f32(&file, p->record[6] + 8 + 4 * i, i == 1 ? -0.0F : 0.0F);
    fixture_add_broken(all, "sotc-anb/zero-axis", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_NOT_UNIT,
                                               p->record[6] + 8, "bones[6].constants"})
        ->check_values = true;
}

void generate_sotc_anb(struct fixtures *all)
{
    struct anb_places places;
    struct bytes file = make_anb(&plain, &places);
    const uint32_t size = (uint32_t)file.size;
    bytes_free(&file);
    add_good(all);
    add_linked(all);
    add_shared(all);
    add_bad_container(all, &places, size);
    add_bad_data(all, &places, size);
    add_rule_breakers(all, &places);
    add_bad_values(all, &places);
}
