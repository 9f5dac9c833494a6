/* SPDX-License-Identifier: MIT
 *
 * sotc-skb: a skeleton of Shadow of the Colossus, in an XFF container. Offsets count from the start
 * of section 1; the header is at the `entry` of the container:
 *
 *     [0]  u32  kind             1
 *     [1]  u32  joint_count      N
 *     [3]  u32  string_table     offset
 *     the other words, up to [10], are unknown ([2] may be where the records start)
 *     then N times { u32 record_offset, u32 unknown }
 *
 *     record:  u32      name_position   of a NUL-terminated name in the string table
 *              i32 [2]  words           -1, -1
 *              f32 [9]  floats          0, translation x y z, 1, rotation i j k s
 *              i32 [3]  links           two children, parent (-1: none)
 *              f32      last            unknown
 *
 * Rotations are stored as in an ANB, whose bones are these joints in the same order. The file is
 * kept as its image. In the JSON everything is where its offset says, and `gaps` holds the bytes
 * that no field covers. */
#include "formats/shadow_of_the_colossus/sotc_xff.h"

#include "base/json.h"
#include "base/narrow.h"
#include "codec/numbers.h"
#include "codec/reader.h"
#include "codec/sort.h"

#include <inttypes.h>
#include <string.h>

enum {
    KIND = 1,
    STRINGS = 3, /* word of the header: offset of the string table */
    HEADER_SIZE = 4 * OSSA_SOTC_SKB_WORDS,
    ENTRY_AT = 4 * OSSA__XFF_ENTRY, /* where the offset of the header is */
    ENTRY_SIZE = 8,                 /* in the table after the header */
    NO_JOINT = -1,
    FLOATS = 9,
    LINKS = 3,
    /* offsets in a record */
    WORDS_AT = 4,
    FLOATS_AT = 12,
    ROTATION_AT = FLOATS_AT + 4 * OSSA_SOTC_ROTATION,
    LINKS_AT = 48,
    PARENT_AT = LINKS_AT + 4 * OSSA_SOTC_PARENT,
    LAST_AT = 60,
    RECORD_SIZE = 64,
};

static const struct ossa__shape shape_link = {OSSA_FIELD_TYPE_I32, 1, {NULL}};
static const struct ossa__shape shape_words = {OSSA_FIELD_TYPE_I32, 2, {NULL}};

/* The words of the header; the first two are not in the JSON. */
static const char *const header_words[OSSA_SOTC_SKB_WORDS] = {
    "kind",      "joint_count", "unknown_2", "string_table", "unknown_4", "unknown_5",
    "unknown_6", "unknown_7",   "unknown_8", "unknown_9",    "unknown_10"};

/* ---- probe --------------------------------------------------------------------------------- */

static ossa_confidence probe_skb(const uint8_t *data, uint64_t size)
{
    return ossa__xff_kind(data, size) == OSSA__XFF_SKB ? OSSA_CONFIDENCE_SIGNATURE
                                                       : OSSA_CONFIDENCE_NONE;
}

/* ---- read ---------------------------------------------------------------------------------- */

/* One file being read. */
struct skb_reader {
    struct ossa__context *context;
    struct ossa__reader section; /* the whole of section 1 */
    struct ossa__coverage coverage;
    ossa_sotc_skb *skb;
    uint64_t header_at;
    uint32_t root_count;
};

static void read_header(struct skb_reader *r)
{
    ossa_sotc_skb *skb = r->skb;
    struct ossa__reader header =
        ossa__xff_part(&r->section, skb->container.words[OSSA__XFF_ENTRY], HEADER_SIZE,
                       "container.entry", ENTRY_AT, &r->coverage);
    r->header_at = header.position;
    ossa__enter(r->context, "header", OSSA__NO_INDEX);
    for (unsigned i = 0; i < OSSA_SOTC_SKB_WORDS; i++)
        skb->header[i] = ossa__read_u32(&header, header_words[i]);
    uint64_t room = r->section.end - header.end;
    if (skb->header[0] != KIND) {
        ossa__fail(r->context, OSSA_CODE_BAD_VALUE, r->header_at, "kind",
                   "found %" PRIu32 ", expected 1 (a skeleton)", skb->header[0]);
    } else if (skb->header[1] > room / ENTRY_SIZE) {
        ossa__fail(r->context, OSSA_CODE_BAD_COUNT, r->header_at + 4, "joint_count",
                   "%" PRIu32 " items of 8 bytes cannot fit in the %" PRIu64 " bytes left",
                   skb->header[1], room);
    }
    ossa__leave(r->context);
    skb->joint_count = skb->header[1];
}

static void warn_unless(struct skb_reader *r, bool usual, uint64_t at, const char *field,
                        double found, int expected)
{
    if (usual) return;
    ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, at, field,
                "%.9g, expected %d", ossa__plain_nan(found), expected);
}

static void check_values(struct skb_reader *r, const ossa_sotc_joint *joint, uint64_t at)
{
    const float *rotation = joint->floats + OSSA_SOTC_ROTATION;
    ossa__check_finite(r->context, "floats", at + FLOATS_AT, joint->floats, FLOATS);
    ossa__check_unit(r->context, "floats", at + ROTATION_AT, rotation, 1, 4);
    ossa__check_finite(r->context, "last", at + LAST_AT, &joint->last, 1);
}

static void check_parent(struct skb_reader *r, const ossa_sotc_joint *joint, uint32_t index,
                         uint64_t at)
{
    const char *field = "links[2]";
    int32_t parent = joint->links[OSSA_SOTC_PARENT];
    at += PARENT_AT;
    if (parent == NO_JOINT) {
        if (r->root_count++ == 0) return;
        ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, at, field,
                    "another joint without a parent, expected a single root");
    } else if (parent < 0 || (uint32_t)parent >= r->skb->joint_count) {
        ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, at, field,
                    "the parent is %" PRId32 ", expected -1 or a joint below %" PRIu32, parent,
                    r->skb->joint_count);
    } else if ((uint32_t)parent >= index) {
        ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ORDER, at, field,
                    "the parent, joint %" PRId32 ", does not come before its child", parent);
    }
}

static void read_record(struct skb_reader *r, ossa_sotc_joint *joint, uint32_t index,
                        uint64_t offset_at)
{
    struct ossa__reader record = ossa__reader_window(&r->section, joint->record_offset, RECORD_SIZE,
                                                     "record_offset", offset_at);
    uint64_t at = record.begin;
    if (r->context->failed) return;
    if (ossa__coverage_touches(&r->coverage, at, RECORD_SIZE)) {
        ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, at, "record_offset",
                    "the record of 64 bytes overlaps another field");
    }
    ossa__coverage_mark(&r->coverage, at, RECORD_SIZE);
    joint->name_position = ossa__read_u32(&record, "name_position");
    ossa__read_element(&record, "words", &shape_words, joint->words);
    joint->floats = ossa__read_array(&record, "floats", &ossa__shape_f32, FLOATS, 0);
    joint->links = ossa__read_array(&record, "links", &shape_link, LINKS, 0);
    joint->last = ossa__read_f32(&record, "last");
    if (r->context->failed) return;
    const float *f = joint->floats;
    warn_unless(r, joint->words[0] == -1, at + WORDS_AT, "words[0]", joint->words[0], -1);
    warn_unless(r, joint->words[1] == -1, at + WORDS_AT + 4, "words[1]", joint->words[1], -1);
    warn_unless(r, f[0] == 0.0F, at + FLOATS_AT, "floats[0]", (double)f[0], 0);
    warn_unless(r, f[4] == 1.0F, at + FLOATS_AT + 16, "floats[4]", (double)f[4], 1);
    check_parent(r, joint, index, at);
    if (r->context->options.check_values) check_values(r, joint, at);
}

/* Names may share bytes with each other (linkers merge common suffixes), so they are marked only
 * after all have been checked. */
static void read_names(struct skb_reader *r, ossa_sotc_joint *joints)
{
    ossa_sotc_skb *skb = r->skb;
    uint64_t strings = skb->header[STRINGS];
    for (uint32_t i = 0; i < skb->joint_count && !r->context->failed; i++) {
        ossa_sotc_joint *joint = &joints[i];
        uint64_t offset = strings + joint->name_position;
        uint64_t at = r->section.begin + offset;
        ossa__enter(r->context, "joints", i);
        joint->name = ossa__xff_read_name(
            &r->section, offset, r->section.begin + joint->record_offset, &joint->name_size);
        if (!r->context->failed &&
            ossa__coverage_touches(&r->coverage, at, joint->name_size + 1U)) {
            ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, at, "name",
                        "the name overlaps something that is not a name");
        }
        ossa__leave(r->context);
    }
    for (uint32_t i = 0; i < skb->joint_count && !r->context->failed; i++) {
        uint64_t at = r->section.begin + strings + joints[i].name_position;
        ossa__coverage_mark(&r->coverage, at, joints[i].name_size + 1U);
    }
}

static int compare_names(const ossa_sotc_joint *a, const ossa_sotc_joint *b)
{
    uint32_t shorter = a->name_size < b->name_size ? a->name_size : b->name_size;
    int order = memcmp(a->name, b->name, shorter);
    if (order != 0) return order;
    return a->name_size < b->name_size ? -1 : a->name_size > b->name_size;
}

static bool name_before(const void *a, const void *b, void *user)
{
    const ossa_sotc_joint *joints = user;
    const uint32_t *x = a;
    const uint32_t *y = b;
    return compare_names(&joints[*x], &joints[*y]) < 0;
}

/* The sort is stable, so the previous joint of the same name comes first. */
static void check_names(struct skb_reader *r, ossa_sotc_joint *joints)
{
    uint32_t count = r->skb->joint_count;
    uint32_t *sorted = ossa__take(r->context, count, sizeof *sorted);
    if (sorted == NULL) return;
    for (uint32_t i = 0; i < count; i++) sorted[i] = i;
    if (!ossa__sort(r->context, sorted, count, sizeof *sorted, name_before, joints)) return;
    for (uint32_t i = 1; i < count; i++) {
        const ossa_sotc_joint *joint = &joints[sorted[i]];
        if (compare_names(&joints[sorted[i - 1]], joint) != 0) continue;
        char name[OSSA__XFF_NAME_LIMIT];
        ossa__xff_show_name(joint->name, joint->name_size, name);
        ossa__enter(r->context, "joints", sorted[i]);
        ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_DUPLICATE_NAME,
                    r->section.begin + joint->record_offset, "name_position",
                    "'%s' is already the name of joint %" PRIu32, name, sorted[i - 1]);
        ossa__leave(r->context);
    }
}

static void read_joints(struct skb_reader *r)
{
    ossa_sotc_skb *skb = r->skb;
    uint64_t count = skb->joint_count;
    struct ossa__reader table =
        ossa__xff_part(&r->section, r->header_at - r->section.begin + HEADER_SIZE,
                       count * ENTRY_SIZE, "header.joint_count", r->header_at + 4, &r->coverage);
    ossa_sotc_joint *joints = ossa__take(r->context, count, sizeof *joints);
    for (uint32_t i = 0; i < count && !r->context->failed; i++) {
        uint64_t at = table.position;
        joints[i] = (ossa_sotc_joint){.name = ""};
        ossa__enter(r->context, "joints", i);
        joints[i].record_offset = ossa__read_u32(&table, "record_offset");
        joints[i].unknown = ossa__read_u32(&table, "unknown");
        read_record(r, &joints[i], i, at);
        ossa__leave(r->context);
    }
    if (r->context->failed) return;
    if (count > 0 && r->root_count == 0) {
        uint64_t record = r->section.begin + joints[0].record_offset;
        ossa__issue(r->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ROOT, record + PARENT_AT,
                    "joints[0].links[2]", "every joint has a parent, expected a root");
    }
    read_names(r, joints);
    check_names(r, joints);
    skb->joints = joints;
}

static void *read_skb(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader file;
    struct skb_reader r = {.context = context};
    ossa__reader_init(&file, context, data, size);
    r.skb = ossa__take(context, 1, sizeof *r.skb);
    if (!ossa__coverage_init(&r.coverage, context, size)) return NULL;
    *r.skb = (ossa_sotc_skb){0};
    ossa_sotc_xff *xff = &r.skb->container;
    ossa__xff_read(&file, xff, &r.coverage);
    r.section = ossa__xff_data(&file, xff);
    r.skb->section_offset = r.section.begin;
    read_header(&r);
    if (!context->failed) read_joints(&r);
    xff->gaps = ossa__gaps_of(context, &r.coverage, &xff->gap_count);
    return r.skb;
}

/* ---- write --------------------------------------------------------------------------------- */

static void write_skb(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_sotc_skb *skb = contents;
    const ossa_sotc_xff *xff = &skb->container;
    uint64_t size = xff->image_size;
    uint8_t *image = ossa__take(context, size, 1);
    if (image == NULL) return;
    memcpy(image, xff->image, (size_t)size);
    for (uint32_t i = 0; i < skb->joint_count; i++) {
        const ossa_sotc_joint *joint = &skb->joints[i];
        uint64_t at = skb->section_offset + joint->record_offset;
        if (!ossa__patch(image, xff->image, size, at + FLOATS_AT, joint->floats, FLOATS, 4) ||
            !ossa__patch(image, xff->image, size, at + LINKS_AT, joint->links, LINKS, 4)) {
            ossa__fail_nowhere(
                context, OSSA_CODE_BAD_ARGUMENT, "joints",
                "an offset or a count was changed; only floats and links may change");
            return;
        }
    }
    ossa__write_bytes(writer, image, size);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_joint(struct ossa__json *json, const ossa_sotc_joint *joint)
{
    ossa__json_begin_object(json);
    ossa__xff_dump_name(json, joint->name, joint->name_size, joint->name_position);
    ossa__member_uint(json, "record_offset", joint->record_offset);
    ossa__member_uint(json, "unknown", joint->unknown);
    ossa__json_key(json, "words");
    ossa__json_begin_row(json);
    for (unsigned i = 0; i < 2; i++) ossa__json_int(json, joint->words[i]);
    ossa__json_end_array(json);
    ossa__json_key(json, "floats");
    ossa__json_begin_row(json);
    for (unsigned i = 0; i < FLOATS; i++) ossa__json_float(json, joint->floats[i]);
    ossa__json_end_array(json);
    ossa__json_key(json, "links");
    ossa__json_begin_row(json);
    for (unsigned i = 0; i < LINKS; i++) ossa__json_int(json, joint->links[i]);
    ossa__json_end_array(json);
    ossa__member_float(json, "last", joint->last);
    ossa__json_end_object(json);
}

static void dump_skb(const void *contents, struct ossa__json *json)
{
    const ossa_sotc_skb *skb = contents;
    ossa__json_key(json, "joints");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < skb->joint_count; i++) dump_joint(json, &skb->joints[i]);
    ossa__json_end_array(json);
    ossa__json_key(json, "header");
    ossa__json_begin_object(json);
    for (unsigned i = 2; i < OSSA_SOTC_SKB_WORDS; i++) {
        ossa__member_uint(json, header_words[i], skb->header[i]);
    }
    ossa__json_end_object(json);
    ossa__xff_dump(&skb->container, json);
}

/* The file being built. */
struct builder {
    struct ossa__image image;
    uint64_t section; /* where section 1 starts */
    uint64_t table;   /* where the offsets of the records start */
    uint64_t strings;
};

static void build_header(struct builder *b, const struct ossa__value *data, uint64_t at)
{
    struct ossa__value joints = ossa__value_member(data, "joints");
    struct ossa__value header = ossa__value_member(data, "header");
    ossa__value_allow(&header, "unknown_2 string_table unknown_4 unknown_5 unknown_6 unknown_7 "
                               "unknown_8 unknown_9 unknown_10");
    ossa__image_put_u32(&b->image, at, KIND, &header);
    ossa__image_put_u32(&b->image, at + 4, (uint32_t)ossa__value_length(&joints), &joints);
    for (unsigned i = 2; i < OSSA_SOTC_SKB_WORDS; i++) {
        struct ossa__value word = ossa__value_member(&header, header_words[i]);
        uint32_t number = ossa__value_u32(&word);
        if (i == STRINGS) b->strings = b->section + number;
        ossa__image_put_u32(&b->image, at + 4ULL * i, number, &word);
    }
}

static void build_integers(struct builder *b, const struct ossa__value *joint, const char *key,
                           size_t count, uint64_t at)
{
    struct ossa__value array = ossa__value_member(joint, key);
    int64_t numbers[LINKS];
    ossa__value_integers(&array, count, INT32_MIN, INT32_MAX, numbers);
    for (size_t i = 0; i < count; i++)
        ossa__image_put_u32(&b->image, at + 4 * i, (uint32_t)numbers[i], &array);
}

static void build_joint(struct builder *b, const struct ossa__value *joint, size_t index)
{
    ossa__value_allow(joint, "name name_position record_offset unknown words floats links last");
    struct ossa__value record = ossa__value_member(joint, "record_offset");
    struct ossa__value unknown = ossa__value_member(joint, "unknown");
    struct ossa__value floats = ossa__value_member(joint, "floats");
    struct ossa__value last = ossa__value_member(joint, "last");
    uint32_t offset = ossa__value_u32(&record);
    uint64_t entry = b->table + (uint64_t)index * ENTRY_SIZE;
    uint64_t at = b->section + offset;
    ossa__image_put_u32(&b->image, entry, offset, &record);
    ossa__image_put_u32(&b->image, entry + 4, ossa__value_u32(&unknown), &unknown);
    ossa__xff_build_name(&b->image, joint, b->strings, at);
    build_integers(b, joint, "words", 2, at + WORDS_AT);
    build_integers(b, joint, "links", LINKS, at + LINKS_AT);
    float numbers[FLOATS];
    ossa__value_floats(&floats, FLOATS, numbers);
    for (unsigned i = 0; i < FLOATS; i++) {
        ossa__image_put_u32(&b->image, at + FLOATS_AT + 4ULL * i, ossa__bits_from_f32(numbers[i]),
                            &floats);
    }
    uint32_t bits = ossa__value_f32_bits(&last);
    ossa__image_put_u32(&b->image, at + LAST_AT, bits, &last);
}

static void *build_skb(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    struct builder b = {0};
    ossa__value_allow(data, "joints header container gaps");
    ossa_sotc_skb *skb = ossa__take(context, 1, sizeof *skb);
    if (!ossa__image_init(&b.image, context, size)) return NULL;
    /* Writing needs only the image: this struct has no joints to put back. */
    *skb = (ossa_sotc_skb){0};
    ossa__xff_build(&b.image, data, &skb->container);
    if (!ossa__xff_build_data(data, &skb->container, &b.section)) return NULL;
    uint64_t header = b.section + skb->container.words[OSSA__XFF_ENTRY];
    b.table = header + HEADER_SIZE;
    build_header(&b, data, header);
    struct ossa__value joints = ossa__value_member(data, "joints");
    size_t count = ossa__value_length(&joints);
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value joint = ossa__value_item(&joints, i);
        build_joint(&b, &joint, i);
    }
    ossa__image_finish(&b.image, data);
    return skb;
}

/* ---- describe ------------------------------------------------------------------------------ */

static void describe_joints(const ossa_sotc_skb *skb, struct ossa__report *report)
{
    static const struct ossa__column columns[] = {{"joint", "joint", 6}, {"parent", "parent", 7},
                                                  {"x", "x", 12},        {"y", "y", 12},
                                                  {"z", "z", 12},        {"name", " name", -1}};
    ossa__report_begin_table(report, "joint_table", columns, 6);
    for (uint32_t i = 0; i < skb->joint_count; i++) {
        const ossa_sotc_joint *joint = &skb->joints[i];
        char name[OSSA__XFF_NAME_LIMIT + 1] = " ";
        char *start = report->json == NULL ? name + 1 : name;
        ossa__xff_show_name(joint->name, joint->name_size, start);
        ossa__report_begin_row(report);
        ossa__report_cell_integer(report, &columns[0], i);
        ossa__report_cell_integer(report, &columns[1], joint->links[OSSA_SOTC_PARENT]);
        for (unsigned c = 0; c < 3; c++) {
            ossa__report_cell_number(report, &columns[2 + c],
                                     (double)joint->floats[OSSA_SOTC_TRANSLATION + c]);
        }
        ossa__report_cell_text(report, &columns[5], name);
        ossa__report_end_row(report);
    }
    ossa__report_end_table(report);
}

static void describe_skb(const void *contents, struct ossa__report *report)
{
    const ossa_sotc_skb *skb = contents;
    uint32_t roots = 0;
    for (uint32_t i = 0; i < skb->joint_count; i++)
        roots += skb->joints[i].links[OSSA_SOTC_PARENT] == NO_JOINT;
    ossa__report_integer(report, "joints", "joints", skb->joint_count);
    ossa__report_integer(report, "roots", "roots", roots);
    ossa__xff_describe(&skb->container, report);
    ossa__report_note(report, "translations are relative to the parent, as stored (left-handed)");
    describe_joints(skb, report);
}

ossa_sotc_skb *ossa_as_sotc_skb(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_sotc_skb);
}

const struct ossa__format ossa__format_sotc_skb = {
    .about = {.id = "sotc-skb",
              .title = "Shadow of the Colossus skeleton",
              .game = "Shadow of the Colossus (2005)",
              .extensions = "skb",
              .kind = OSSA_KIND_SKELETON},
    .game = &ossa__game_shadow_of_the_colossus,
    .role = OSSA__ROLE_BODY,
    .scattered = true,
    .probe = probe_skb,
    .may_begin = ossa__xff_is_container,
    .read = read_skb,
    .write = write_skb,
    .dump = dump_skb,
    .build = OSSA__BUILT_BY(build_skb),
    .describe = describe_skb,
};
