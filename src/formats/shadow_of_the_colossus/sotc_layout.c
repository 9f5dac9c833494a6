/* SPDX-License-Identifier: MIT
 *
 * Where the changed bones of an ANB are stored. A record or its keys stay where they are if they
 * are not larger than before and share no byte with anything else. Otherwise they go to where
 * others have moved away from, or to the end of section 1. What is behind the section then moves.
 */
#include "formats/shadow_of_the_colossus/sotc_layout.h"

#include "base/bytes.h"
#include "formats/shadow_of_the_colossus/sotc_pack.h"
#include "formats/shadow_of_the_colossus/sotc_relink.h"

enum {
    FLAGS_OFFSET = 2, /* words of the header */
    RECORDS_OFFSET = 4,
    ALIGNMENT = 4,
    GROWTH = 16, /* the section grows by a multiple of it */
};

/* Who uses a byte of the section. */
enum use { NOBODY, ONE, SEVERAL, FREE };

struct layout {
    struct ossa__context *context;
    const struct ossa__anb_change *change;
    uint8_t *use; /* [length] of enum use */
    uint64_t length;
    uint64_t cursor;    /* what was free before it is used, or too small */
    uint64_t too_large; /* gaps of that size are not to be found any more */
    uint64_t end;       /* of what is used */
    struct ossa__xff_pointer *pointers;
    uint32_t pointer_count;
    uint8_t *moves; /* by bone: of enum move */
};

enum move { CHANGED = 1, RECORD_MOVES = 2, KEYS_MOVE = 4 };

static uint64_t round_up(uint64_t size, uint64_t to)
{
    return (size + to - 1) / to * to;
}

static uint64_t keys_size(uint8_t flag, uint32_t poses)
{
    return (uint64_t)ossa__anb_key_size(flag) * poses;
}

/* Of the keys' offset in a record. */
static uint32_t pointer_at(uint8_t flag, uint32_t record_offset)
{
    return record_offset + ossa__anb_record_size(flag) - 4;
}

/* ---- what is where ------------------------------------------------------------------------- */

static void mark(struct layout *layout, uint64_t offset, uint64_t size)
{
    for (uint64_t i = offset; i < layout->length && i - offset < size; i++) {
        if (layout->use[i] < SEVERAL) layout->use[i]++;
    }
}

/* The same for a range of the file, which need not be in the section. */
static void mark_in_file(struct layout *layout, uint64_t offset, uint64_t size)
{
    uint64_t begin = layout->change->anb->section_offset;
    uint64_t before = offset < begin ? begin - offset : 0;
    if (before < size) mark(layout, offset + before - begin, size - before);
}

static void mark_all(struct layout *layout)
{
    const ossa_sotc_anb *anb = layout->change->anb;
    const ossa_sotc_xff *xff = &anb->container;
    mark_in_file(layout, 0, 4ULL * OSSA_SOTC_XFF_WORDS);
    mark_in_file(layout, xff->words[OSSA__XFF_SECTIONS],
                 (uint64_t)OSSA__XFF_SECTION_SIZE * xff->section_count);
    mark_in_file(layout, xff->words[OSSA__XFF_NAME_POSITIONS], 4ULL * xff->section_count);
    for (uint32_t i = 0; i < xff->section_count; i++) {
        mark_in_file(layout,
                     (uint64_t)xff->words[OSSA__XFF_STRINGS] + xff->sections[i].name_position,
                     xff->sections[i].name_size + 1ULL);
    }
    mark(layout, xff->words[OSSA__XFF_ENTRY], 4ULL * OSSA_SOTC_ANB_WORDS);
    mark(layout, anb->header[FLAGS_OFFSET], anb->bone_count);
    mark(layout, anb->header[RECORDS_OFFSET], 4ULL * anb->bone_count);
    for (uint32_t b = 0; b < anb->bone_count; b++) {
        const ossa_sotc_bone *bone = &anb->bones[b];
        mark(layout, bone->record_offset, ossa__anb_record_size(bone->flag));
        mark(layout, bone->keys_offset, keys_size(bone->flag, anb->pose_count));
    }
}

static bool is_alone(const struct layout *layout, uint64_t offset, uint64_t size)
{
    for (uint64_t i = 0; i < size; i++) {
        if (layout->use[offset + i] != ONE) return false;
    }
    return true;
}

static void give_back(struct layout *layout, uint64_t offset, uint64_t size)
{
    if (is_alone(layout, offset, size)) memset(layout->use + offset, FREE, (size_t)size);
}

/* Room for so many bytes: the next gap that is large enough, or the end. There are few different
 * sizes, so few searches are in vain. */
static uint64_t find_room(struct layout *layout, uint64_t size)
{
    uint64_t begin = round_up(layout->cursor, ALIGNMENT);
    uint64_t end = begin;
    while (size < layout->too_large && end < layout->length && end - begin < size) {
        if (layout->use[end] == FREE) end++;
        else begin = end = round_up(end + 1, ALIGNMENT);
    }
    if (size > 0 && end - begin == size) {
        layout->cursor = end;
        return begin;
    }
    if (size < layout->too_large) layout->too_large = size;
    begin = round_up(layout->end, ALIGNMENT);
    layout->end = begin + size;
    return begin;
}

/* ---- what moves ---------------------------------------------------------------------------- */

static uint8_t decide(const struct layout *layout, uint32_t b)
{
    const struct ossa__anb_change *change = layout->change;
    const ossa_sotc_bone *old = &change->anb->bones[b];
    const ossa_sotc_bone *bone = &change->bones[b];
    uint32_t record = ossa__anb_record_size(bone->flag);
    uint32_t old_record = ossa__anb_record_size(old->flag);
    bool has_keys = ossa__anb_key_size(bone->flag) > 0;
    bool same_record = bone->flag == old->flag && bone->constants == old->constants;
    if (same_record && ossa__anb_keys(bone) == ossa__anb_keys(old)) return 0;
    unsigned moves = CHANGED;
    if (keys_size(bone->flag, change->pose_count) > keys_size(old->flag, change->anb->pose_count)) {
        moves |= KEYS_MOVE;
    }
    bool stays = record <= old_record && is_alone(layout, old->record_offset, old_record);
    bool is_written = !same_record || (has_keys && (moves & KEYS_MOVE) != 0);
    if (is_written && !stays) moves |= RECORD_MOVES;
    return (uint8_t)moves;
}

/* A bone that has no keys any more keeps the record: the pointer in it may be relocated. */
static void vacate(struct layout *layout, uint32_t b)
{
    const ossa_sotc_bone *old = &layout->change->anb->bones[b];
    bool has_keys = ossa__anb_key_size(layout->change->bones[b].flag) > 0;
    uint8_t moves = layout->moves[b];
    if ((moves & KEYS_MOVE) != 0) {
        give_back(layout, old->keys_offset, keys_size(old->flag, layout->change->anb->pose_count));
    }
    if ((moves & RECORD_MOVES) != 0 && has_keys) {
        give_back(layout, old->record_offset, ossa__anb_record_size(old->flag));
    }
}

static void settle(struct layout *layout, uint32_t b)
{
    const struct ossa__anb_change *change = layout->change;
    const ossa_sotc_bone *old = &change->anb->bones[b];
    ossa_sotc_bone *bone = &change->bones[b];
    uint8_t moves = layout->moves[b];
    uint32_t had_keys = ossa__anb_key_size(old->flag);
    uint32_t has_keys = ossa__anb_key_size(bone->flag);
    uint32_t record_pointer = change->anb->header[RECORDS_OFFSET] + 4 * b;
    uint64_t size = keys_size(bone->flag, change->pose_count);
    if ((moves & RECORD_MOVES) != 0) {
        bone->record_offset = (uint32_t)find_room(layout, ossa__anb_record_size(bone->flag));
    }
    if ((moves & KEYS_MOVE) != 0) bone->keys_offset = (uint32_t)find_room(layout, size);
    if (has_keys == 0) bone->keys_offset = 0;
    uint32_t first = layout->pointer_count++;
    layout->pointers[first] =
        (struct ossa__xff_pointer){.old_at = record_pointer,
                                   .at = record_pointer,
                                   .added = bone->record_offset - old->record_offset};
    if (has_keys == 0) return;
    layout->pointers[layout->pointer_count++] = (struct ossa__xff_pointer){
        .old_at = had_keys > 0 ? pointer_at(old->flag, old->record_offset) : OSSA__XFF_NOWHERE,
        .at = pointer_at(bone->flag, bone->record_offset),
        .added = bone->keys_offset - (had_keys > 0 ? old->keys_offset : 0),
        .like = first};
}

/* Do pointers move, or get other values? */
static bool needs_pointers(const struct layout *layout, uint32_t b)
{
    const ossa_sotc_bone *old = &layout->change->anb->bones[b];
    uint8_t flag = layout->change->bones[b].flag;
    return (layout->moves[b] & (RECORD_MOVES | KEYS_MOVE)) != 0 ||
           (flag != old->flag && ossa__anb_key_size(flag) > 0);
}

static bool plan(struct layout *layout)
{
    const struct ossa__anb_change *change = layout->change;
    uint32_t count = change->anb->bone_count;
    layout->use = ossa__take_scratch(layout->context, layout->length, 1);
    layout->moves = ossa__take_scratch(layout->context, count, 1);
    layout->pointers = ossa__take_scratch(layout->context, 2ULL * count, sizeof *layout->pointers);
    if (layout->context->failed) return false;
    memset(layout->use, NOBODY, (size_t)layout->length);
    mark_all(layout);
    for (uint32_t b = 0; b < count; b++) layout->moves[b] = decide(layout, b);
    for (uint32_t b = 0; b < count; b++) vacate(layout, b);
    for (uint32_t b = 0; b < count; b++) {
        if (needs_pointers(layout, b)) settle(layout, b);
    }
    if (layout->end <= UINT32_MAX - GROWTH) return true;
    return ossa__fail_nowhere(layout->context, OSSA_CODE_LIMIT, "bones",
                              "the animation does not fit into a file of 4 GiB");
}

/* ---- the file ------------------------------------------------------------------------------ */

static void put(uint8_t *section, uint64_t offset, const void *values, uint64_t size, size_t scalar)
{
    ossa__copy_scalars(section + offset, values, (size_t)size, scalar);
}

static void write_bone(const struct layout *layout, uint32_t b, uint8_t *section)
{
    const struct ossa__anb_change *change = layout->change;
    const uint32_t *header = change->anb->header;
    const ossa_sotc_bone *bone = &change->bones[b];
    const struct ossa__anb_flag *flag = ossa__anb_flag(bone->flag);
    if (layout->moves[b] == 0) return;
    section[header[FLAGS_OFFSET] + b] = bone->flag;
    ossa__store_u32(section + header[RECORDS_OFFSET] + 4ULL * b, bone->record_offset);
    put(section, bone->record_offset, bone->constants, 4ULL * flag->constants, 4);
    if (flag->members == 0) return;
    ossa__store_u32(section + pointer_at(bone->flag, bone->record_offset), bone->keys_offset);
    put(section, bone->keys_offset, ossa__anb_keys(bone), keys_size(bone->flag, change->pose_count),
        flag->packed ? 4 : 2);
}

bool ossa__anb_lay_out(struct ossa__context *context, const struct ossa__anb_change *change,
                       ossa_sotc_anb *result)
{
    const ossa_sotc_anb *anb = change->anb;
    struct ossa__mark scratch = ossa__scratch_mark(context);
    uint64_t length = anb->container.sections[1].words[OSSA__XFF_SECTION_LENGTH];
    struct layout layout = {.context = context,
                            .change = change,
                            .length = length,
                            .too_large = UINT64_MAX,
                            .end = length};
    uint8_t *image = NULL;
    *result = *anb;
    if (plan(&layout)) {
        const struct ossa__xff_change container = {
            .xff = &anb->container,
            .growth = (uint32_t)round_up(layout.end - length, GROWTH),
            .pointers = layout.pointers,
            .pointer_count = layout.pointer_count,
            .old_name = change->old_name,
            .name = change->name};
        image = ossa__xff_relink(context, &container, &result->container);
    }
    if (image != NULL) {
        result->section_offset = result->container.sections[1].words[OSSA__XFF_SECTION_OFFSET];
        result->pose_count = change->pose_count;
        result->header[1] = (anb->header[1] & 0xffff0000U) | change->pose_count;
        result->bones = change->bones;
        uint8_t *section = image + result->section_offset;
        for (uint32_t b = 0; b < anb->bone_count; b++) write_bone(&layout, b, section);
        ossa__store_u32(section + anb->container.words[OSSA__XFF_ENTRY] + 4, result->header[1]);
    }
    ossa__scratch_release(context, scratch);
    return image != NULL;
}
