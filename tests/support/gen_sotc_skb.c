/* SPDX-License-Identifier: MIT */
#include "support/fixtures.h"
#include "support/skb_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one section of data ------------------------------------------------------------------- */

static const uint32_t no_joint = 0xffffffff;

/* A record without its name. */
static void put_record(struct bytes *data, struct random *random, uint32_t index, uint32_t count)
{
    float unit[4];
    next_unit(random, unit);
    put_u32(data, 0);
    put_u32(data, no_joint);
    put_u32(data, no_joint);
    put_f32(data, 0.0F);
    for (unsigned i = 0; i < 3; i++) put_f32(data, next_float(random, 2));
    put_f32(data, 1.0F);
    for (unsigned i = 0; i < 4; i++) put_f32(data, unit[i]);
    for (uint32_t child = 2 * index + 1; child <= 2 * index + 2; child++)
        put_u32(data, child < count ? child : no_joint);
    put_u32(data, index == 0 ? no_joint : (index - 1) / 2);
    put_f32(data, next_float(random, 5));
}

static void name_of(const struct skb_plan *plan, uint32_t joint, char name[300])
{
    if (joint < 4 && plan->names[joint] != NULL)
        (void)snprintf(name, 300, "%s", plan->names[joint]);
    else (void)snprintf(name, 300, "j%u", (unsigned)joint);
}

/* Offsets in `places` count from the start of the section here. */
static struct bytes make_section(const struct skb_plan *plan, struct skb_places *places)
{
    struct random random = {plan->seed};
    struct bytes data = {0};
    size_t *record = calloc(plan->joints + 1, sizeof *record);
    if (record == NULL) abort();
    *places = (struct skb_places){.header = plan->before};
    put_repeated(&data, plan->fill, plan->before);
    put_repeated(&data, plan->fill, SKB_HEADER_SIZE);
    places->table = data.size;
    put_repeated(&data, plan->fill, 8 * (size_t)plan->joints);
    put_repeated(&data, plan->fill, 12); /* no field covers it */
    for (uint32_t i = 0; i < plan->joints; i++) {
        uint32_t joint = plan->backwards ? plan->joints - 1 - i : i;
        record[joint] = data.size;
        set_u32(&data, places->table + 8 * (size_t)joint, (uint32_t)data.size);
        put_record(&data, &random, joint, plan->joints);
    }
    places->strings = data.size;
    for (uint32_t i = 0; i < plan->joints; i++) {
        char name[300];
        name_of(plan, i, name);
        set_u32(&data, record[i], (uint32_t)(data.size - places->strings));
        if (i < SKB_KNOWN_JOINTS) {
            places->record[i] = record[i];
            places->name[i] = data.size;
        }
        put_bytes(&data, name, strlen(name) + 1);
    }
    free(record);
    set_u32(&data, places->header, 1);
    set_u32(&data, places->header + 4, plan->joints);
    set_u32(&data, places->header + 12, (uint32_t)places->strings);
    return data;
}

struct bytes make_skb(const struct skb_plan *plan, struct skb_places *places)
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
    places->table += section;
    places->strings += section;
    for (unsigned i = 0; i < SKB_KNOWN_JOINTS; i++) {
        places->record[i] += section;
        places->name[i] += section;
    }
    return file;
}

/* ---- good files ---------------------------------------------------------------------------- */

static const struct skb_plan plain = {.seed = 181, .joints = 7};

static void add_plan(struct fixtures *all, const char *name, struct skb_plan plan)
{
    struct skb_places places;
    fixture_add(all, name, make_skb(&plan, &places), OSSA_CONFIDENCE_SIGNATURE);
}

static void add_good(struct fixtures *all)
{
    static char long_name[256];
    memset(long_name, 'n', 255);
    add_plan(all, "sotc-skb/plain", plain);
    add_plan(all, "sotc-skb/xff2", (struct skb_plan){.seed = 182, .joints = 5, .magic = "xff2"});
    add_plan(all, "sotc-skb/one-joint", (struct skb_plan){.seed = 183, .joints = 1});
    add_plan(all, "sotc-skb/no-joints", (struct skb_plan){.seed = 184});
    add_plan(all, "sotc-skb/entry", (struct skb_plan){.seed = 185, .joints = 4, .before = 40});
    add_plan(all, "sotc-skb/garbage",
             (struct skb_plan){.seed = 186, .joints = 4, .before = 12, .fill = 0xc3});
    add_plan(all, "sotc-skb/unaligned",
             (struct skb_plan){.seed = 187, .joints = 5, .misalignment = 3});
    add_plan(all, "sotc-skb/backwards",
             (struct skb_plan){.seed = 188, .joints = 6, .backwards = true});
    add_plan(all, "sotc-skb/byte-names",
             (struct skb_plan){
                 .seed = 189, .joints = 3, .names = {"\xff\x80\x01", "", "a \"joint\"\n"}});
    add_plan(all, "sotc-skb/longest-name",
             (struct skb_plan){.seed = 190, .joints = 2, .names = {long_name}});
    add_plan(all, "sotc-skb/big", (struct skb_plan){.seed = 191, .joints = 300});

    struct skb_places places;
    struct bytes tail = make_skb(&plain, &places);
    put_repeated(&tail, 0x22, 30);
    fixture_add(all, "sotc-skb/after-size", tail, OSSA_CONFIDENCE_SIGNATURE);

    struct bytes zero = make_skb(&plain, &places);
    set_f32(&zero, places.record[2] + SKB_FLOATS_AT, -0.0F);
    fixture_add(all, "sotc-skb/negative-zero", zero, OSSA_CONFIDENCE_SIGNATURE);

    /* The name of joint 4 is the end of that of joint 3. */
    struct bytes names = make_skb(&plain, &places);
    set_u32(&names, places.record[4], (uint32_t)(places.name[3] + 1 - places.strings));
    fixture_add(all, "sotc-skb/shared-names", names, OSSA_CONFIDENCE_SIGNATURE)->shares_bytes =
        true;
}

/* ---- files that break a rule --------------------------------------------------------------- */

static struct fixture *add_changed(struct fixtures *all, const char *name, size_t offset,
                                   uint32_t word, ossa_confidence confidence,
                                   struct expected_issue issue)
{
    struct skb_places places;
    struct bytes file = make_skb(&plain, &places);
    set_u32(&file, offset, word);
    return fixture_add_broken(all, name, file, confidence, issue);
}

static void add_bad_container(struct fixtures *all, uint32_t room)
{
    struct skb_places places;
    struct skb_plan three = {.seed = 192, .joints = 2, .sections = 3};
    add_changed(all, "sotc-skb/one-section", XFF_COUNT_AT, 1, OSSA_CONFIDENCE_NONE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE, XFF_COUNT_AT,
                                        "container.section_count"});
    fixture_add_broken(all, "sotc-skb/three-sections", make_skb(&three, &places),
                       OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                               XFF_COUNT_AT, "container.section_count"});
    add_changed(all, "sotc-skb/header-outside", XFF_ENTRY_AT, room - SKB_HEADER_SIZE + 1,
                OSSA_CONFIDENCE_NONE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET,
                                        XFF_ENTRY_AT, "container.entry"});
}

static void add_unreadable(struct fixtures *all, const struct skb_places *p, uint32_t room)
{
    const uint32_t header_end = (uint32_t)(p->header - p->section) + SKB_HEADER_SIZE;
    add_changed(all, "sotc-skb/other-kind", p->header, 2, OSSA_CONFIDENCE_NONE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE, p->header,
                                        "header.kind"});
    add_changed(all, "sotc-skb/one-joint-too-many", p->header + 4, (room - header_end) / 8 + 1,
                OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT,
                                        p->header + 4, "header.joint_count"});
    add_changed(all, "sotc-skb/too-many-joints", p->header + 4, 0xffffffff,
                OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT,
                                        p->header + 4, "header.joint_count"});
    add_changed(all, "sotc-skb/record-outside", p->table + 24, room - SKB_RECORD_SIZE + 1,
                OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET,
                                        p->table + 24, "joints[3].record_offset"});
    add_changed(all, "sotc-skb/strings-outside", p->header + 12, room, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET,
                                        p->record[0], "joints[0].name_position"});
    add_changed(all, "sotc-skb/name-outside", p->record[2],
                room - (uint32_t)(p->strings - p->section), OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_OFFSET,
                                        p->record[2], "joints[2].name_position"});
    struct skb_places places;
    struct bytes file = make_skb(&plain, &places);
    set_u8(&file, file.size - 1, '!'); /* the NUL of the last name, and nothing follows */
    fixture_add_broken(all, "sotc-skb/name-without-nul", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE,
                                               p->name[6], "joints[6].name"});
    char long_name[257] = {0};
    memset(long_name, 'n', 256);
    struct skb_plan plan = {.seed = 193, .joints = 2, .names = {"root", long_name}};
    file = make_skb(&plan, &places);
    fixture_add_broken(all, "sotc-skb/name-too-long", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE,
                                               places.name[1], "joints[1].name"});
}

static void add_bad_tree(struct fixtures *all, const struct skb_places *p)
{
    const size_t parent = p->record[3] + SKB_PARENT_AT;
    add_changed(all, "sotc-skb/parent-too-large", parent, 7, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, parent,
                                        "joints[3].links[2]"});
    add_changed(all, "sotc-skb/parent-negative", parent, 0xfffffffe, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, parent,
                                        "joints[3].links[2]"});
    add_changed(all, "sotc-skb/parent-later", parent, 6, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ORDER, parent,
                                        "joints[3].links[2]"});
    add_changed(all, "sotc-skb/parent-itself", parent, 3, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ORDER, parent,
                                        "joints[3].links[2]"});
    add_changed(all, "sotc-skb/two-roots", parent, no_joint, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, parent,
                                        "joints[3].links[2]"});
    const size_t root = p->record[0] + SKB_PARENT_AT;
    struct fixture *fixture =
        add_changed(all, "sotc-skb/no-root", root, 1, OSSA_CONFIDENCE_SIGNATURE,
                    (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ORDER, root,
                                            "joints[0].links[2]"});
    fixture_expect(fixture, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ROOT, root, "joints[0].links[2]");
    add_changed(all, "sotc-skb/duplicate-name", p->record[5], (uint32_t)(p->name[2] - p->strings),
                OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_DUPLICATE_NAME, p->record[5],
                                        "joints[5].name_position"})
        ->shares_bytes = true;
    fixture = add_changed(all, "sotc-skb/shared-record", p->table + 48,
                          (uint32_t)(p->record[5] - p->section), OSSA_CONFIDENCE_SIGNATURE,
                          (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP,
                                                  p->record[5], "joints[6].record_offset"});
    fixture_expect(fixture, OSSA_SEVERITY_ERROR, OSSA_CODE_DUPLICATE_NAME, p->record[5],
                   "joints[6].name_position");
    fixture->shares_bytes = true;
}

/* The strings are all of the section, so that a name can be anywhere: here, a float that is 0. */
static void add_name_in_record(struct fixtures *all)
{
    struct skb_places p;
    struct bytes file = make_skb(&plain, &p);
    set_u32(&file, p.header + 12, 0);
    for (size_t i = 0; i < 7; i++) set_u32(&file, p.record[i], (uint32_t)(p.name[i] - p.section));
    size_t at = p.record[0] + SKB_FLOATS_AT;
    set_u32(&file, p.record[6], (uint32_t)(at - p.section));
    fixture_add_broken(
        all, "sotc-skb/name-in-record", file, OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, at, "joints[6].name"})
        ->shares_bytes = true;
}

static void add_unusual(struct fixtures *all, const char *name, size_t offset, uint32_t word,
                        const char *field)
{
    add_changed(
        all, name, offset, word, OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, offset, field});
}

static void add_odd_values(struct fixtures *all, const struct skb_places *p)
{
    const size_t record = p->record[1];
    const size_t floats = record + SKB_FLOATS_AT;
    const uint32_t nan = 0x7fc00001;
    add_unusual(all, "sotc-skb/word-0", record + SKB_WORDS_AT, 0, "joints[1].words[0]");
    add_unusual(all, "sotc-skb/word-1", record + SKB_WORDS_AT + 4, 5, "joints[1].words[1]");
    add_unusual(all, "sotc-skb/float-0", floats, 0x3f800000, "joints[1].floats[0]");
    add_unusual(all, "sotc-skb/float-4", floats + 16, nan, "joints[1].floats[4]");
    add_changed(all, "sotc-skb/nan-translation", floats + 8, nan, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_NON_FINITE, floats + 8,
                                        "joints[1].floats"})
        ->check_values = true;
    add_changed(all, "sotc-skb/nan-last", record + SKB_LAST_AT, nan, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_NON_FINITE,
                                        record + SKB_LAST_AT, "joints[1].last"})
        ->check_values = true;
    add_changed(all, "sotc-skb/not-unit", floats + 24, 0x40000000, OSSA_CONFIDENCE_SIGNATURE,
                (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_NOT_UNIT, floats + 20,
                                        "joints[1].floats"})
        ->check_values = true;
}

void generate_sotc_skb(struct fixtures *all)
{
    struct skb_places places;
    struct bytes file = make_skb(&plain, &places);
    const uint32_t room = (uint32_t)(file.size - places.section);
    bytes_free(&file);
    add_good(all);
    add_bad_container(all, room);
    add_unreadable(all, &places, room);
    add_bad_tree(all, &places);
    add_name_in_record(all);
    add_odd_values(all, &places);
}
