/* SPDX-License-Identifier: MIT */
#include "support/sotc_editing.h"
#include "support/sotc_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180.0)

/* ---- edits --------------------------------------------------------------------------------- */

struct ossa__quat anb_rotation(const ossa_sotc_anb *anb, uint32_t bone, uint32_t pose)
{
    double ijks[4];
    assert_true(ossa_sotc_quaternion(anb, bone, pose, ijks));
    struct ossa__quat q = {-ijks[0], ijks[1], ijks[2], ijks[3]};
    assert_true(ossa__quat_normalise(&q));
    return q;
}

void anb_change(void *user, const char *clip, uint32_t frame, uint32_t bone,
                struct ossa__edit_pose *pose)
{
    const struct anb_wish *wish = user;
    (void)clip;
    if (bone != wish->bone || frame < wish->first || frame - wish->first >= wish->count) {
        pose->local = ossa__quat_multiply(pose->local, ossa__quat_about(1, wish->noise * DEGREE));
        return;
    }
    if (wish->anb != NULL) pose->local = anb_rotation(wish->anb, bone, frame + wish->from);
    if (wish->is_still) pose->local = (struct ossa__quat){0.5, -0.5, 0.5, 0.5};
    if (wish->is_spinning) pose->local = ossa__quat_about(2, 0.1 * frame);
    if (wish->tilt > 0.0) {
        struct ossa__quat by = ossa__quat_about(1, wish->tilt * DEGREE);
        pose->local =
            ossa__quat_multiply(ossa__quat_multiply(by, pose->local), ossa__quat_conjugate(by));
    }
    double degrees = wish->is_still ? 20.0 : wish->degrees;
    pose->local = ossa__quat_multiply(pose->local, ossa__quat_about(0, degrees * DEGREE));
    pose->translation[1] += wish->move;
    pose->scale[2] += wish->scale;
    if (wish->is_hidden) pose->is_visible = false;
}

struct anb_trial *anb_begin(const char *path, struct bytes bytes)
{
    struct anb_trial *trial = calloc(1, sizeof *trial);
    if (trial == NULL) abort();
    trial->old = bytes_copy(bytes.data, bytes.size);
    trial->anb = ossa_as_sotc_anb(add_file(&trial->files, path, "sotc-anb", bytes));
    assert_non_null(trial->anb);
    return trial;
}

struct anb_trial *anb_begin_fixture(const char *name)
{
    const struct fixture *fixture = fixture_find(name);
    char path[80];
    (void)snprintf(path, sizeof path, "%s.anb", strchr(name, '/') + 1);
    return anb_begin(path, bytes_copy(fixture->bytes.data, fixture->bytes.size));
}

void anb_end(struct anb_trial *trial)
{
    editing_free(&trial->editing);
    free_files(&trial->files);
    bytes_free(&trial->old);
    free(trial);
}

void anb_apply(struct anb_trial *trial, struct anb_wish *wish)
{
    trial->editing.change = anb_change;
    trial->editing.user = wish;
    bool ok = editing_run(&trial->editing, trial->files.inputs, trial->files.count, NULL);
    require(ok, trial->files.paths[0], "%s", trial->editing.error.message);
}

struct bytes anb_written(struct anb_trial *trial)
{
    ossa_buffer buffer = {0};
    assert_int_equal(trial->editing.editing.file_count, 1);
    assert_true(editing_write(&trial->editing, 0, &buffer));
    struct bytes bytes = bytes_copy(buffer.data, buffer.size);
    ossa_buffer_free(&buffer);
    return bytes;
}

struct bytes anb_edit(struct anb_trial *trial, struct anb_wish *wish)
{
    anb_apply(trial, wish);
    return anb_written(trial);
}

/* ---- what must hold for every file that was written ---------------------------------------- */

static const ossa_options strict = {.check_values = true};

/* The words of a file that are offsets in its section 1, of which a byte is 1 where one begins. */
static uint8_t *mark_pointers(const struct bytes *file, const ossa_sotc_anb *anb, size_t *count)
{
    uint8_t *marks = calloc(file->size, 1);
    if (marks == NULL) abort();
    size_t header = get_u32(file, XFF_ENTRY_AT);
    marks[header + 8] = marks[header + 16] = 1;
    *count = 2;
    for (uint32_t b = 0; b < anb->bone_count; b++) {
        const ossa_sotc_bone *bone = &anb->bones[b];
        marks[anb->header[4] + 4 * (size_t)b] = 1;
        *count += 1;
        if (bone->keys_offset == 0) continue;
        marks[bone->record_offset + 4 * (size_t)bone->constant_count] = 1;
        *count += 1;
    }
    return marks;
}

/* Every pointer is relocated once, and its original is what the data has. `spare`: there may be
 * relocations of what is not used any more. */
static void require_relocations(const char *name, const struct bytes *file,
                                const ossa_sotc_anb *anb, size_t spare)
{
    if (get_u32(file, 4 * 14) != 1) return;
    size_t descriptor = get_u32(file, 4 * 25);
    size_t count = get_u32(file, descriptor + 4);
    size_t entries = get_u32(file, descriptor + 20);
    size_t originals = get_u32(file, descriptor + 24);
    size_t section = (size_t)anb->section_offset;
    size_t length = anb->container.sections[1].words[2];
    size_t expected;
    uint8_t *marks = mark_pointers(file, anb, &expected);
    require(count >= expected && count <= expected + spare, name, "%zu relocations of %zu pointers",
            count, expected);
    assert_true(entries >= section + length && originals >= entries + 8 * count);
    assert_true(originals + 8 * count <= get_u32(file, XFF_SIZE_AT));
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = get_u32(file, entries + 8 * i);
        require(at + 4 <= length, name, "relocation %zu is at 0x%zx", i, at);
        assert_int_equal(get_u32(file, entries + 8 * i + 4), 0x102);
        assert_int_equal(get_u32(file, originals + 8 * i), get_u32(file, section + at));
        assert_true(get_u32(file, originals + 8 * i) < length);
        assert_int_equal(get_u32(file, originals + 8 * i + 4), 0);
        used += marks[at];
        marks[at] = 0;
    }
    require(used == expected, name, "%zu of %zu pointers are relocated", used, expected);
    free(marks);
}

/* The addresses of tables, which "xff2" has besides the offsets. */
static void require_addresses(const struct bytes *file)
{
    static const size_t addresses[8] = {8, 10, 11, 12, 13, 15, 17, 18};
    if (memcmp(file->data, "xff2", 4) != 0 || get_u32(file, 4 * 14) != 1) return;
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(get_u32(file, 4 * addresses[i]), get_u32(file, 80 + 4 * i) + 0x40010000);
    }
    size_t descriptor = get_u32(file, 4 * 25);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(get_u32(file, descriptor + 12 + 4 * i),
                         get_u32(file, descriptor + 20 + 4 * i) + 0x40010000);
    }
}

/* Bytes of the section that belong to a bone. */
static void free_range(uint8_t *bytes, size_t offset, size_t size)
{
    memset(bytes + offset, 1, size);
}

size_t anb_key_size(uint8_t flag)
{
    if (flag == 12) return 6;
    if (flag == 13) return 2;
    return flag == 0 ? 0 : 4;
}

/* Outside of what `bone` has (or all bones: those keys), the old bytes of the section are there. */
static void require_section(const struct anb_trial *trial, const struct bytes *file, uint32_t bone,
                            bool all_keys)
{
    const ossa_sotc_anb *old = trial->anb;
    size_t length = old->container.sections[1].words[2];
    size_t to = get_u32(file, get_u32(file, XFF_SECTIONS_AT) + XFF_SECTION_SIZE + 28);
    uint8_t *may_change = calloc(length + 1, 1);
    if (may_change == NULL) abort();
    if (all_keys) free_range(may_change, get_u32(file, XFF_ENTRY_AT) + 4, 2);
    for (uint32_t b = 0; b < old->bone_count; b++) {
        const ossa_sotc_bone *one = &old->bones[b];
        size_t constants = 4 * (size_t)one->constant_count;
        size_t keys = anb_key_size(one->flag) * old->pose_count;
        if (b == bone) {
            free_range(may_change, old->header[2] + b, 1);
            free_range(may_change, old->header[4] + 4 * (size_t)b, 4);
            free_range(may_change, one->record_offset, constants + (keys > 0 ? 4 : 0));
        }
        if (b == bone || all_keys) free_range(may_change, one->keys_offset, keys);
        if (all_keys && keys > 0) free_range(may_change, one->record_offset + constants, 4);
    }
    for (size_t i = 0; i < length; i++) {
        require(may_change[i] == 1 ||
                    file->data[to + i] == trial->old.data[old->section_offset + i],
                trial->files.paths[0], "byte 0x%zx of the section was changed", i);
    }
    free(may_change);
}

static void require_same_quaternions(const ossa_sotc_anb *a, const ossa_sotc_anb *b, uint32_t bone)
{
    uint32_t poses = a->pose_count < b->pose_count ? a->pose_count : b->pose_count;
    for (uint32_t p = 0; p < poses; p++) {
        double one[4];
        double other[4];
        assert_true(ossa_sotc_quaternion(a, bone, p, one));
        assert_true(ossa_sotc_quaternion(b, bone, p, other));
        assert_memory_equal(one, other, sizeof one);
    }
}

double anb_worst_error(const struct anb_trial *trial, const ossa_sotc_anb *found,
                       struct anb_wish *wish)
{
    double worst = 0.0;
    for (uint32_t p = 0; p < found->pose_count; p++) {
        uint32_t from = p < trial->anb->pose_count ? p : trial->anb->pose_count - 1;
        struct ossa__edit_pose pose = {.local = anb_rotation(trial->anb, wish->bone, from)};
        anb_change(wish, "", p, wish->bone, &pose);
        double error = ossa__angle_between(pose.local, anb_rotation(found, wish->bone, p));
        worst = fmax(worst, error / DEGREE);
    }
    return worst;
}

ossa_file *anb_require_changed(const struct anb_trial *trial, const struct bytes *file,
                               const struct anb_wish *wish, size_t spare)
{
    const char *name = trial->files.paths[0];
    ossa_file *again = read_or_fail(name, file->data, file->size, &strict);
    const ossa_sotc_anb *anb = ossa_as_sotc_anb(again);
    const ossa_sotc_anb *old = trial->anb;
    ossa_file *before = read_or_fail(name, trial->old.data, trial->old.size, &strict);
    require(again->issue_count <= before->issue_count, name, "%zu issues, there were %zu",
            again->issue_count, before->issue_count);
    ossa_file_free(before);
    assert_int_equal(anb->bone_count, old->bone_count);
    for (unsigned i = 0; i < OSSA_SOTC_ANB_WORDS; i++) {
        uint32_t mask = i == 1 ? 0xffff0000U : 0xffffffffU;
        assert_int_equal(anb->header[i] & mask, old->header[i] & mask);
    }
    for (uint32_t b = 0; b < anb->bone_count; b++) {
        if (b != wish->bone) require_same_quaternions(anb, old, b);
    }
    assert_int_equal(file->size - trial->old.size,
                     get_u32(file, XFF_SIZE_AT) - get_u32(&trial->old, XFF_SIZE_AT));
    require_section(trial, file, wish->bone, anb->pose_count != old->pose_count);
    assert_int_equal(get_u32(file, 4 * 14), get_u32(&trial->old, 4 * 14));
    require_relocations(name, file, anb, spare);
    require_addresses(file);
    return again;
}
