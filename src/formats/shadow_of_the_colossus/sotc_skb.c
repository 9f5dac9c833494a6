/* SPDX-License-Identifier: MIT
 *
 * sotc-skb: a skeleton of Shadow of the Colossus, in an XFF container. Offsets count from the start
 * of section 1; the header stands at the container's `entry`:
 *
 *     [0]  u32  kind             1
 *     [1]  u32  joint_count      N
 *     [3]  u32  string_table     offset
 *     the other words, up to [10], are not understood ([2] may be where the records start)
 *     then N times { u32 record_offset, u32 unknown }
 *
 *     record:  u32      name_position   from the string table; a NUL closes the name
 *              i32 [2]  words           -1, -1
 *              f32 [9]  floats          0, translation x y z, 1, rotation i j k s
 *              i32 [3]  links           two children, parent (-1: none)
 *              f32      last            not understood
 *
 * A rotation is read like that of an ANB, whose bones are these joints in the same order. The file
 * is kept as its image. */
#include "formats/shadow_of_the_colossus/sotc_skb.h"

#include "codec/numbers.h"
#include "codec/sort.h"

#include <inttypes.h>
#include <string.h>

enum {
    NO_JOINT = -1,
    ENTRY_AT = 4 * OSSA__XFF_ENTRY,
    /* in a record */
    ROTATION_AT = OSSA__SKB_FLOATS_AT + 4 * OSSA_SOTC_ROTATION,
    PARENT_AT = OSSA__SKB_LINKS_AT + 4 * OSSA_SOTC_PARENT,
};

static const struct ossa__shape shape_link = {OSSA_FIELD_TYPE_I32, 1, {NULL}};
static const struct ossa__shape shape_words = {OSSA_FIELD_TYPE_I32, 2, {NULL}};

const char *const ossa__skb_words[OSSA_SOTC_SKB_WORDS] = {
    "kind",      "joint_count", "unknown_2", "string_table", "unknown_4", "unknown_5",
    "unknown_6", "unknown_7",   "unknown_8", "unknown_9",    "unknown_10"};

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
        ossa__xff_part(&r->section, skb->container.words[OSSA__XFF_ENTRY], OSSA__SKB_HEADER_SIZE,
                       "container.entry", ENTRY_AT, &r->coverage);
    r->header_at = header.position;
    ossa__enter(r->context, "header", OSSA__NO_INDEX);
    for (unsigned i = 0; i < OSSA_SOTC_SKB_WORDS; i++)
        skb->header[i] = ossa__read_u32(&header, ossa__skb_words[i]);
    uint64_t room = r->section.end - header.end;
    if (skb->header[0] != OSSA__SKB_KIND) {
        ossa__fail(r->context, OSSA_CODE_BAD_VALUE, r->header_at, "kind",
                   "found %" PRIu32 ", expected 1, a skeleton", skb->header[0]);
    } else if (skb->header[1] > room / OSSA__SKB_ENTRY_SIZE) {
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
                "%.9g, expected %d", found, expected);
}

static void check_values(struct skb_reader *r, const ossa_sotc_joint *joint, uint64_t at)
{
    const float *rotation = joint->floats + OSSA_SOTC_ROTATION;
    ossa__check_finite(r->context, "floats", at + OSSA__SKB_FLOATS_AT, joint->floats,
                       OSSA__SKB_FLOATS);
    ossa__check_unit(r->context, "floats", at + ROTATION_AT, rotation, 1, 4);
    ossa__check_finite(r->context, "last", at + OSSA__SKB_LAST_AT, &joint->last, 1);
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
                    "one more joint without a parent, expected a single root");
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
    struct ossa__reader place = ossa__reader_window(
        &r->section, joint->record_offset, OSSA__SKB_RECORD_SIZE, "record_offset", offset_at);
    uint64_t at = place.begin;
    if (r->context->failed) return;
    if (ossa__coverage_touches(&r->coverage, at, OSSA__SKB_RECORD_SIZE)) {
        ossa__issue(r->context, OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, at, "record_offset",
                    "the record of 64 bytes shares bytes with another field");
    }
    ossa__coverage_mark(&r->coverage, at, OSSA__SKB_RECORD_SIZE);
    joint->name_position = ossa__read_u32(&place, "name_position");
    ossa__read_element(&place, "words", &shape_words, joint->words);
    joint->floats = ossa__read_array(&place, "floats", &ossa__shape_f32, OSSA__SKB_FLOATS, 0);
    joint->links = ossa__read_array(&place, "links", &shape_link, OSSA__SKB_LINKS, 0);
    joint->last = ossa__read_f32(&place, "last");
    if (r->context->failed) return;
    const float *f = joint->floats;
    warn_unless(r, joint->words[0] == -1, at + OSSA__SKB_WORDS_AT, "words[0]", joint->words[0], -1);
    warn_unless(r, joint->words[1] == -1, at + OSSA__SKB_WORDS_AT + 4, "words[1]", joint->words[1],
                -1);
    warn_unless(r, f[0] == 0.0F, at + OSSA__SKB_FLOATS_AT, "floats[0]", (double)f[0], 0);
    warn_unless(r, f[4] == 1.0F, at + OSSA__SKB_FLOATS_AT + 16, "floats[4]", (double)f[4], 1);
    check_parent(r, joint, index, at);
    if (r->context->options.check_values) check_values(r, joint, at);
}

/* Names may share bytes with one another (linkers fold the end of one into another), so they are
 * marked only when all have been looked at. */
static void read_names(struct skb_reader *r, ossa_sotc_joint *joints)
{
    ossa_sotc_skb *skb = r->skb;
    uint64_t strings = skb->header[OSSA__SKB_STRINGS];
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
                        "the name shares bytes with what is no name");
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

/* The order of the joints is kept among equal names, so that the first one is the one before. */
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
                    "'%s' is the name of joint %" PRIu32 " already", name, sorted[i - 1]);
        ossa__leave(r->context);
    }
}

static void read_joints(struct skb_reader *r)
{
    ossa_sotc_skb *skb = r->skb;
    uint64_t count = skb->joint_count;
    struct ossa__reader table = ossa__xff_part(
        &r->section, r->header_at - r->section.begin + OSSA__SKB_HEADER_SIZE,
        count * OSSA__SKB_ENTRY_SIZE, "header.joint_count", r->header_at + 4, &r->coverage);
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
                    "joints[0].links[2]", "no joint is without a parent, expected a root");
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
        if (!ossa__patch(image, xff->image, size, at + OSSA__SKB_FLOATS_AT, joint->floats,
                         OSSA__SKB_FLOATS, 4) ||
            !ossa__patch(image, xff->image, size, at + OSSA__SKB_LINKS_AT, joint->links,
                         OSSA__SKB_LINKS, 4)) {
            ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "joints",
                               "an offset or a count was changed; only floats and links can be");
            return;
        }
    }
    ossa__write_bytes(writer, image, size);
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
    ossa__report_note(report, "translations are seen from the parent, as stored: left-handed");
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
    .read = read_skb,
    .write = write_skb,
    .dump = ossa__skb_dump,
    .build = OSSA__BUILT_BY(ossa__skb_build),
    .describe = describe_skb,
};
