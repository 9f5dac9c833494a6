/* SPDX-License-Identifier: MIT
 *
 * Where keys are stored. Every claim is tried: numbers of a key are changed in the file, the scene
 * is assembled again, and just the values that the library names may differ. */
#include "support/made_scene.h"
#include "support/scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 4, MOST_FOUND = 64 };

/* ---- values of a scene --------------------------------------------------------------------- */

struct pose {
    ossa_transform *locals;
    uint8_t *visible;
};

static struct pose pose_of(const ossa_scene *scene, uint32_t clip, uint32_t frame)
{
    struct pose pose = {calloc(scene->bone_count + 1, sizeof *pose.locals),
                        calloc(scene->bone_count + 1, 1)};
    assert_true(pose.locals != NULL && pose.visible != NULL);
    ossa_sample_frame(scene, &scene->clips[clip], frame, pose.locals, pose.visible);
    return pose;
}

static void free_pose(struct pose *pose)
{
    free(pose->locals);
    free(pose->visible);
}

/* Which components of a value differ, as bits. */
static unsigned compare(const float *a, const float *b, unsigned count)
{
    unsigned bits = 0;
    for (unsigned k = 0; k < count; k++) bits |= (unsigned)(memcmp(&a[k], &b[k], 4) != 0) << k;
    return bits;
}

static unsigned differs(const struct pose *a, const struct pose *b, uint32_t bone,
                        ossa_key_channel channel)
{
    const ossa_transform *x = &a->locals[bone];
    const ossa_transform *y = &b->locals[bone];
    switch (channel) {
    case OSSA_KEY_CHANNEL_ROTATION: return compare(x->rotation, y->rotation, 4);
    case OSSA_KEY_CHANNEL_TRANSLATION: return compare(x->translation, y->translation, 3);
    case OSSA_KEY_CHANNEL_SCALE: return compare(x->scale, y->scale, 3);
    default: return a->visible[bone] != b->visible[bone];
    }
}

/* ---- one experiment ------------------------------------------------------------------------ */

struct trial {
    const char *name;
    const struct scene_files *files;
    const ossa_scene_options *options;
    const ossa_scene *scene;
};

struct value {
    uint32_t clip;
    uint32_t bone;
    ossa_key_channel channel;
    uint32_t frame;
};

static bool is_below(const ossa_scene *scene, uint32_t bone, uint32_t above)
{
    int32_t b = scene->bones[bone].parent;
    while (b >= 0 && (uint32_t)b != above) b = scene->bones[b].parent;
    return b >= 0;
}

static bool has_frame(const ossa_key_use *use, uint32_t frame)
{
    return frame >= use->first_frame && (frame - use->first_frame) % use->frame_step == 0 &&
           (frame - use->first_frame) / use->frame_step < use->frame_count;
}

/* Is it one of the frames of a use, or resampled from one of them? */
static bool is_near(const ossa_key_use *use, uint32_t frame, uint32_t keys_per_frame)
{
    uint32_t from = frame < keys_per_frame ? 0 : frame - keys_per_frame + 1;
    for (uint32_t f = from; f < frame + keys_per_frame; f++) {
        if (has_frame(use, f)) return true;
    }
    return false;
}

/* Does the library say that a value depends on what was changed? */
static bool is_claimed(const struct trial *trial, const ossa_key_use *use,
                       const struct value *value, uint32_t keys_per_frame)
{
    const ossa_scene *scene = trial->scene;
    const ossa_clip *clip = &scene->clips[value->clip];
    bool is_adjusted = clip->in_place && value->channel == OSSA_KEY_CHANNEL_TRANSLATION &&
                       scene->bones[value->bone].parent < 0;
    if (use->channel != value->channel) return false;
    if (is_adjusted && use->bone == value->bone) return true; /* also from another clip */
    if (use->clip != value->clip) return false;
    if (!is_near(use, value->frame, keys_per_frame)) return false;
    if (use->bone == value->bone) return true;
    return use->layout->is_inherited && is_below(scene, value->bone, use->bone);
}

/* The scene with one file changed; NULL if that file cannot be used any more. */
static ossa_scene *assemble_changed(const struct trial *trial, size_t index,
                                    const struct bytes *bytes)
{
    const ossa_file *old = trial->files->inputs[index].file;
    const ossa_mm_anim *anim = ossa_as_mm_anim(trial->files->inputs[index].file);
    ossa_options options = {.format = old->format->id};
    if (anim != NULL) options.dialect = ossa_mm_dialect_name(anim->dialect);
    ossa_file *file = ossa_read(bytes->data, bytes->size, &options, NULL);
    if (file == NULL) return NULL;
    ossa_input inputs[SCENE_FILES];
    memcpy(inputs, trial->files->inputs, sizeof inputs);
    inputs[index].file = file;
    ossa_scene *scene = ossa_assemble(inputs, trial->files->count, trial->options, NULL);
    ossa_file_free(file);
    return scene;
}

static uint32_t get_bits(const struct bytes *bytes, uint64_t offset, const ossa_key_part *part)
{
    uint32_t value = 0;
    for (uint32_t i = 0; i < part->bit_count; i++) {
        uint32_t at = part->first_bit + i;
        value |= (uint32_t)(bytes->data[offset + at / 8] >> at % 8 & 1) << i;
    }
    return value;
}

static void set_bits(struct bytes *bytes, uint64_t offset, const ossa_key_part *part,
                     uint32_t value)
{
    for (uint32_t i = 0; i < part->bit_count; i++) {
        uint32_t at = part->first_bit + i;
        uint8_t bit = (uint8_t)(1U << at % 8);
        uint8_t *byte = &bytes->data[offset + at / 8];
        *byte = (uint8_t)((*byte & ~bit) | ((value >> i & 1) != 0 ? bit : 0));
    }
}

/* Another value for a number: floats are those of 32 bits. */
static uint32_t change_number(uint32_t bits, uint32_t count, unsigned attempt)
{
    if (count == 32) {
        float value = f32_of_bits(bits);
        return bits_of_f32(attempt == 0 && value != 0.0F ? value * 0.75F : value + 0.25F);
    }
    uint32_t bit = attempt == 0 ? count / 2 : count - 1;
    return bits ^ 1U << bit;
}

/* The values that differ must be claimed by the uses of the changed bytes. Gives whether the one
 * that was asked for is among them. */
static bool require_claims(const struct trial *trial, const ossa_scene *changed,
                           const struct value *wanted, const ossa_key_part *part,
                           const ossa_key_use *uses, size_t use_count)
{
    const ossa_scene *scene = trial->scene;
    bool is_changed = false;
    assert_int_equal(changed->clip_count, scene->clip_count);
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        uint32_t step = trial->options->ei == NULL ? 1 : trial->options->ei->resample;
        assert_int_equal(changed->clips[c].frame_count, scene->clips[c].frame_count);
        for (uint32_t f = 0; f < scene->clips[c].frame_count; f++) {
            struct pose before = pose_of(scene, c, f);
            struct pose after = pose_of(changed, c, f);
            for (uint32_t b = 0; b < scene->bone_count; b++) {
                for (unsigned k = 0; k < CHANNELS; k++) {
                    const struct value value = {c, b, (ossa_key_channel)k, f};
                    unsigned bits = differs(&before, &after, b, value.channel);
                    if (bits == 0) continue;
                    bool is_known = false;
                    for (size_t u = 0; u < use_count && !is_known; u++) {
                        is_known = is_claimed(trial, &uses[u], &value, step == 0 ? 1 : step);
                    }
                    require(is_known, trial->name,
                            "clip %u bone %u %s frame %u changes with clip %u bone %u %s frame %u",
                            c, b, ossa_key_channel_name(value.channel), f, wanted->clip,
                            wanted->bone, ossa_key_channel_name(wanted->channel), wanted->frame);
                    if (memcmp(&value, wanted, sizeof value) != 0) continue;
                    is_changed = true;
                    require(part->component < 0 || bits == 1U << part->component, trial->name,
                            "other components than %d change: 0x%x", part->component, bits);
                }
            }
            free_pose(&before);
            free_pose(&after);
        }
    }
    return is_changed;
}

static size_t file_of(const struct trial *trial, const char *path)
{
    size_t i = 0;
    while (i < trial->files->count && strcmp(trial->files->inputs[i].path, path) != 0) i++;
    require(i < trial->files->count, trial->name, "there is no file '%s'", path);
    return i;
}

/* Change one number of a value's bytes. Gives whether the value has changed. */
static bool try_part(const struct trial *trial, const struct value *value,
                     const ossa_key_bytes *bytes, const ossa_key_part *part)
{
    ossa_key_use uses[MOST_FOUND];
    size_t index = file_of(trial, bytes->path);
    const struct bytes *old = &trial->files->bytes[index];
    uint64_t at = bytes->offset + part->first_bit / 8;
    size_t count = ossa_find_keys_at(trial->scene, bytes->path, at, uses, MOST_FOUND);
    assert_in_range(count, 1, MOST_FOUND);
    bool is_changed = false;
    for (unsigned attempt = 0; attempt < 2 && !is_changed; attempt++) {
        struct bytes copy = bytes_copy(old->data, old->size);
        uint32_t number = get_bits(old, bytes->offset, part);
        set_bits(&copy, bytes->offset, part, change_number(number, part->bit_count, attempt));
        ossa_scene *changed = assemble_changed(trial, index, &copy);
        if (changed != NULL) {
            is_changed = require_claims(trial, changed, value, part, uses, count);
        }
        ossa_scene_free(changed);
        bytes_free(&copy);
    }
    return is_changed;
}

/* ---- a scene ------------------------------------------------------------------------------- */

/* What is not stored is what the library says it is. */
static void require_unstored(const struct trial *trial, const struct value *value,
                             const ossa_key_bytes *bytes)
{
    const ossa_scene *scene = trial->scene;
    struct pose pose = pose_of(scene, value->clip, value->frame);
    ossa_transform rest = scene->bones[value->bone].rest;
    uint8_t visible = 1;
    assert_true(bytes->size == 0 && bytes->layout == NULL && bytes->offset == 0);
    if (bytes->role == OSSA_KEY_ROLE_REST) {
        pose.locals += value->bone; /* as bone 0 */
        pose.visible += value->bone;
        unsigned bits = differs(&pose, &(struct pose){&rest, &visible}, 0, value->channel);
        require(bits == 0, trial->name, "bone %u is not at rest in frame %u", value->bone,
                value->frame);
        pose.locals -= value->bone;
        pose.visible -= value->bone;
    } else if (bytes->role == OSSA_KEY_ROLE_RESAMPLED) {
        assert_true(trial->options->ei != NULL && trial->options->ei->resample > 1);
    } else {
        assert_int_equal(bytes->role, OSSA_KEY_ROLE_OMITTED);
    }
    free_pose(&pose);
}

/* Every byte of a key leads back to it. */
static void require_way_back(const struct trial *trial, const struct value *value,
                             const ossa_key_bytes *bytes)
{
    for (uint64_t i = 0; i < bytes->size; i++) {
        ossa_key_use uses[MOST_FOUND];
        size_t count =
            ossa_find_keys_at(trial->scene, bytes->path, bytes->offset + i, uses, MOST_FOUND);
        assert_in_range(count, 1, MOST_FOUND);
        bool is_there = false;
        for (size_t u = 0; u < count; u++) {
            is_there =
                is_there || (uses[u].clip == value->clip && uses[u].bone == value->bone &&
                             uses[u].channel == value->channel && uses[u].role == bytes->role &&
                             uses[u].offset == bytes->offset && uses[u].layout == bytes->layout &&
                             has_frame(&uses[u], value->frame));
        }
        require(is_there, trial->name, "byte %u of '%s' does not lead back",
                (unsigned)(bytes->offset + i), bytes->path);
    }
}

struct tally {
    size_t roles[OSSA_KEY_ROLE_UNTRACED + 1];
    size_t parts;   /* numbers that were changed */
    size_t effects; /* of them: those that changed the value */
};

static void try_value(const struct trial *trial, const struct value *value, bool is_tried,
                      struct tally *tally)
{
    ossa_key_bytes found[MOST_FOUND];
    size_t count = ossa_find_key_bytes(trial->scene, value->clip, value->bone, value->channel,
                                       value->frame, found, MOST_FOUND);
    assert_in_range(count, 1, MOST_FOUND);
    for (size_t i = 0; i < count; i++) {
        tally->roles[found[i].role]++;
        assert_true((found[i].role == OSSA_KEY_ROLE_SCALING) == (i > 0));
        if (found[i].path == NULL) {
            require_unstored(trial, value, &found[i]);
            continue;
        }
        const struct bytes *file = &trial->files->bytes[file_of(trial, found[i].path)];
        assert_true(found[i].size == found[i].layout->size && found[i].size > 0);
        assert_true(found[i].offset + found[i].size <= file->size);
        require_way_back(trial, value, &found[i]);
        if (!is_tried || found[i].layout->is_structure) continue;
        for (uint32_t p = 0; p < found[i].layout->part_count; p++) {
            tally->parts++;
            if (try_part(trial, value, &found[i], &found[i].layout->parts[p])) tally->effects++;
        }
    }
}

/* All values; of every so many the numbers are changed. */
static struct tally try_scene(const char *name, const struct scene_files *files,
                              const ossa_scene_options *base, uint32_t tries)
{
    ossa_scene_options options = {0};
    if (base != NULL) options = *base;
    options.trace_keys = true;
    ossa_scene *scene = assemble_files(files, &options);
    const struct trial trial = {name, files, &options, scene};
    struct tally tally = {0};
    uint64_t total = 0;
    uint64_t done = 0;
    for (uint32_t c = 0; c < scene->clip_count; c++) total += scene->clips[c].frame_count;
    total *= (uint64_t)scene->bone_count * CHANNELS;
    uint64_t distance = (total / tries) | 1; /* it must not be a multiple of the channels */
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        for (uint32_t f = 0; f < scene->clips[c].frame_count; f++) {
            for (uint32_t b = 0; b < scene->bone_count; b++) {
                for (unsigned k = 0; k < CHANNELS; k++) {
                    const struct value value = {c, b, (ossa_key_channel)k, f};
                    try_value(&trial, &value, done++ % distance == 0, &tally);
                }
            }
        }
    }
    ossa_scene_free(scene);
    return tally;
}

/* A number may be without effect: a sign of 0, or an extent that its key does not use. */
static void require_effects(const char *name, const struct tally *tally)
{
    require(tally->parts > 0, name, "nothing was tried");
    require(3 * tally->effects >= 2 * tally->parts, name, "%zu of %zu numbers have an effect",
            tally->effects, tally->parts);
}

/* ---- tests --------------------------------------------------------------------------------- */

static void every_key_of_a_character_is_where_it_is_said_to_be(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        struct scene_files files = {0};
        add_folder(&files, samples[i].folder);
        struct tally tally = try_scene(samples[i].name, &files, NULL, 40);
        require_effects(samples[i].name, &tally);
        assert_int_equal(tally.roles[OSSA_KEY_ROLE_RESAMPLED], 0);
        free_files(&files);
    }
}

static void the_numbers_of_every_fixture_are_where_they_are_said_to_be(void **state)
{
    (void)state;
    const struct fixtures *all = fixtures_all();
    size_t tried = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        if (ossa_format_find(fixture->format)->kind != OSSA_KIND_ANIMATION) continue;
        if (!fixture_is_readable(fixture)) continue;
        struct scene_files files = {0};
        char path[160];
        (void)snprintf(path, sizeof path, "clip/%s", strchr(fixture->name, '/') + 1);
        (void)snprintf(files.paths[0], sizeof files.paths[0], "%s", path);
        files.bytes[0] = bytes_copy(fixture->bytes.data, fixture->bytes.size);
        ossa_options options = fixture_options(fixture);
        options.check_values = false;
        options.format = fixture->format;
        files.inputs[0].path = files.paths[0];
        files.inputs[0].file = ossa_read(files.bytes[0].data, files.bytes[0].size, &options, NULL);
        files.count = 1;
        ossa_scene *scene = ossa_assemble(files.inputs, 1, NULL, NULL);
        if (scene != NULL) {
            struct tally tally = try_scene(fixture->name, &files, NULL, 60);
            if (tally.parts > 0) tried++;
        }
        ossa_scene_free(scene);
        free_files(&files);
    }
    assert_true(tried > 40);
}

/* Options that move frames, or change what a value is made of. */
static void options_are_taken_into_account(void **state)
{
    (void)state;
    static const ossa_ei_options resampled = {.resample = 3};
    static const ossa_ei_options replaced = {.root = OSSA_EI_ROOT_TRANSLATION};
    static const ossa_ei_options bound = {.root = OSSA_EI_ROOT_BIND};
    static const ossa_vib_options held = {.missing = OSSA_VIB_MISSING_HOLD,
                                          .euler = OSSA_VIB_EULER_ZYX};
    static const ossa_scene_options options[] = {
        {.fps = 7.0, .scale = 3.0},
        {.in_place = true},
        {.join = true},
        {.vib = &held},
        {.ei = &resampled},
        {.ei = &replaced},
        {.ei = &bound},
        {.ei = &resampled, .join = true, .in_place = true},
    };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        struct scene_files files = {0};
        add_folder(&files, samples[i].folder);
        for (size_t o = 0; o < sizeof options / sizeof options[0]; o++) {
            struct tally tally = try_scene(samples[i].name, &files, &options[o], 6);
            require_effects(samples[i].name, &tally);
            bool is_resampled = i == 0 && options[o].ei == &resampled;
            assert_true((tally.roles[OSSA_KEY_ROLE_RESAMPLED] > 0) == is_resampled);
        }
        free_files(&files);
    }
}

/* Two parts of unequal length, a part without an animation, and a variant that moves as its slot.
 */
static void tracks_of_evil_islands_may_be_short_or_missing(void **state)
{
    (void)state;
    static const char *const tree[] = {"hp", "", "bd", "hp", "hd", "bd", NULL};
    struct scene_files files = {0};
    (void)add_file(&files, "unit/unit.lnk", "ei-lnk", make_lnk(tree));
    (void)add_file(&files, "unit/walk/hp.anm", "ei-anm", make_random_anm(3, 7));
    (void)add_file(&files, "unit/walk/bd.anm", "ei-anm", make_random_anm(4, 4));
    static const ossa_ei_options resampled = {.resample = 3};
    static const ossa_scene_options options[] = {{0}, {.ei = &resampled}};
    for (unsigned o = 0; o < 2; o++) {
        struct tally tally = try_scene("short", &files, &options[o], 1000);
        assert_int_equal(tally.effects, tally.parts);
        /* Of the part in the middle: all frames after its fourth key. */
        assert_int_equal(tally.roles[OSSA_KEY_ROLE_HELD], o == 0 ? 3 : 9);
        uint32_t frames = o == 0 ? 7 : 19;
        assert_int_equal(tally.roles[OSSA_KEY_ROLE_KEY], 7 + 7 + 4);
        assert_int_equal(tally.roles[OSSA_KEY_ROLE_REST], frames * (2 + 3 + 4));
    }
    free_files(&files);
}

static void states_of_midtown_madness_share_frames(void **state)
{
    (void)state;
    struct scene_files files = {0};
    struct bytes table = {0};
    put_text(&table, "all,walk,1,9,0,1,0,0,all\nback,walk,7,2,0,-1,0,0,back\n"
                     "past,walk,8,10,0,1,0,0,\n");
    (void)add_file(&files, "ped.skel", NULL, make_skel(3));
    (void)add_file(&files, "walk.anim", "mm-anim", make_anim(5, 9, 3));
    (void)add_file(&files, "ped.csv", "mm-csv", table);
    ossa_scene *scene = assemble_files(&files, &(ossa_scene_options){.trace_keys = true});
    ossa_key_bytes found;
    ossa_key_use uses[4];
    /* Frame 2 of "back" is frame 4 of the animation. */
    (void)ossa_find_key_bytes(scene, 1, 1, OSSA_KEY_CHANNEL_ROTATION, 2, &found, 1);
    assert_int_equal(found.offset, 8 + 4 * (4 * 12 + 6));
    assert_int_equal(ossa_find_keys_at(scene, "walk.anim", found.offset, uses, 4), 2);
    assert_true(uses[0].clip == 0 && uses[0].first_frame == 4 && uses[0].frame_count == 1);
    assert_true(uses[1].clip == 1 && uses[1].first_frame == 2 && uses[1].bone == 1);
    ossa_scene_free(scene);
    for (unsigned o = 0; o < 3; o++) {
        const ossa_scene_options options = {.in_place = o == 1, .join = o == 2};
        struct tally tally = try_scene("states", &files, &options, 1000);
        require_effects("states", &tally);
        /* In place, a state begins where its animation does, whatever its own first key is. */
        if (o != 1) assert_int_equal(tally.effects, tally.parts);
    }
    free_files(&files);
}

/* Object 1 comes in the second clip, and is hidden for a frame; object 2 is drawn once. */
static void objects_of_vib_ribbon_come_and_go(void **state)
{
    (void)state;
    static const int r[5][3] = {
        {100, 200, 300}, {110, 210, 310}, {120, 220, 320}, {0, 50, 60}, {1, 2, 3}};
    static const int s[2][3] = {{4096, 2048, 4096}, {4000, 5000, 6000}};
    struct scene_files files = {0};
    struct vib_maker one = begin_vib(30, 3);
    for (unsigned f = 0; f < 3; f++) {
        add_vib_frame(&one);
        add_vib_key(&one, 0, r[f], NULL, r[f]);
        if (f == 2) add_vib_key(&one, 2, NULL, s[0], r[3]);
    }
    (void)add_file(&files, "one.anm", "vib-anm", end_vib(&one));
    struct vib_maker two = begin_vib(30, 5);
    for (unsigned f = 0; f < 5; f++) {
        add_vib_frame(&two);
        if (f != 3) add_vib_key(&two, 0, f % 2 == 0 && f < 4 ? NULL : r[f], NULL, r[4 - f]);
        if (f == 1 || f == 4) add_vib_key(&two, 1, r[f], f == 1 ? s[1] : NULL, NULL);
    }
    (void)add_file(&files, "two.anm", "vib-anm", end_vib(&two));
    for (unsigned hold = 0; hold < 2; hold++) {
        const ossa_vib_options vib = {.missing =
                                          hold ? OSSA_VIB_MISSING_HOLD : OSSA_VIB_MISSING_IDENTITY};
        struct tally tally = try_scene("objects", &files, &(ossa_scene_options){.vib = &vib}, 1000);
        assert_int_equal(tally.effects, tally.parts);
        /* Of object 2 what its only key has, before and in the other clip; of object 1 the same, in
         * the first clip and before its first key in its own. */
        assert_int_equal(tally.roles[OSSA_KEY_ROLE_FIRST], 2 * (2 + 5) + 2 * (3 + 1));
        /* In the hidden frames: the position of object 0; rotation and scale of object 1, twice.
         * With `hold` also where keys omit them: the rotation of object 0 and the scale of 1. */
        assert_int_equal(tally.roles[OSSA_KEY_ROLE_HELD], hold ? 1 + 4 + 2 + 1 : 1 + 4);
    }
    free_files(&files);
}

/* The stored quaternion of a bone's key with one bit of the file changed. */
static void quaternion_with(const struct fixture *fixture, uint32_t bone, uint64_t offset,
                            uint32_t bit, double ijks[4])
{
    struct bytes copy = bytes_copy(fixture->bytes.data, fixture->bytes.size);
    copy.data[offset + bit / 8] ^= (uint8_t)(1U << bit % 8);
    ossa_file *file = read_or_fail(fixture->name, copy.data, copy.size, NULL);
    assert_true(ossa_sotc_quaternion(ossa_as_sotc_anb(file), bone, 1, ijks));
    ossa_file_free(file);
    bytes_free(&copy);
}

/* Which part of a key a bit is of; NULL: none. */
static const ossa_key_part *part_of(const ossa_key_layout *layout, uint32_t bit)
{
    for (uint32_t i = layout->part_count; i-- > 0;) {
        const ossa_key_part *part = &layout->parts[i];
        if (bit >= part->first_bit && bit - part->first_bit < part->bit_count) return part;
    }
    return NULL;
}

/* A part "i" changes i, and what is left out to make the length 1; "i sign" is the sign of i. Other
 * bits change nothing. */
static void bits_of_packed_rotations_are_named(void **state)
{
    (void)state;
    const struct fixture *fixture = fixture_find("sotc-anb/every-flag");
    struct scene_files files = {0};
    (void)add_file(&files, "a.anb", "sotc-anb",
                   bytes_copy(fixture->bytes.data, fixture->bytes.size));
    ossa_scene *scene = assemble_files(&files, &(ossa_scene_options){.trace_keys = true});
    const ossa_sotc_anb *anb = ossa_as_sotc_anb(files.inputs[0].file);
    unsigned packed = 0;
    for (uint32_t b = 0; b < anb->bone_count; b++) {
        double old[4];
        ossa_key_bytes key;
        (void)ossa_find_key_bytes(scene, 0, b, OSSA_KEY_CHANNEL_ROTATION, 1, &key, 1);
        assert_true(ossa_sotc_quaternion(anb, b, 1, old));
        unsigned flag = anb->bones[b].flag;
        unsigned left_out = flag == 12 ? 3 : flag - 3;
        if (flag < 3 || flag > 12) continue;
        packed++;
        for (uint32_t bit = 0; bit < 8 * key.size; bit++) {
            double now[4];
            const ossa_key_part *part = part_of(key.layout, bit);
            quaternion_with(fixture, b, key.offset, bit, now);
            for (unsigned k = 0; k < 4; k++) {
                bool is_named = part != NULL && part->name[0] == "ijks"[k];
                bool is_sign = part != NULL && part->name[1] != '\0';
                if (is_named && is_sign) assert_true(now[k] * old[k] <= 0.0);
                else if (is_named) assert_true(now[k] != old[k]);
                else if (part == NULL || (k != left_out && (!is_sign || flag != 12)))
                    assert_true(now[k] == old[k]);
            }
        }
    }
    assert_int_equal(packed, 5);
    ossa_scene_free(scene);
    free_files(&files);
}

/* The byte that says which object a key is for. */
static void visibility_is_stored_as_the_object(void **state)
{
    (void)state;
    static const int r[3] = {100, 200, 300};
    struct scene_files files = {0};
    struct vib_maker vib = begin_vib(30, 2);
    add_vib_frame(&vib);
    add_vib_key(&vib, 0, r, NULL, r);
    add_vib_key(&vib, 1, r, NULL, r);
    add_vib_frame(&vib);
    add_vib_key(&vib, 1, r, NULL, r);
    (void)add_file(&files, "one.anm", "vib-anm", end_vib(&vib));
    const ossa_scene_options options = {.trace_keys = true};
    ossa_scene *scene = assemble_files(&files, &options);
    ossa_key_bytes found;
    assert_int_equal(ossa_find_key_bytes(scene, 0, 1, OSSA_KEY_CHANNEL_VISIBLE, 1, &found, 1), 1);
    assert_true(found.layout->is_structure && found.size == 1);
    struct bytes copy = bytes_copy(files.bytes[0].data, files.bytes[0].size);
    assert_int_equal(copy.data[found.offset], 1);
    copy.data[found.offset] = 0;
    const struct trial trial = {"object", &files, &options, scene};
    ossa_scene *changed = assemble_changed(&trial, 0, &copy);
    struct pose pose = pose_of(changed, 0, 1);
    assert_true(pose.visible[0] == 1 && pose.visible[1] == 0);
    free_pose(&pose);
    ossa_scene_free(changed);
    bytes_free(&copy);
    assert_int_equal(ossa_find_key_bytes(scene, 0, 0, OSSA_KEY_CHANNEL_VISIBLE, 1, &found, 1), 1);
    assert_int_equal(found.role, OSSA_KEY_ROLE_OMITTED);
    ossa_scene_free(scene);
    free_files(&files);
}

static void calls_for_nothing_find_nothing(void **state)
{
    (void)state;
    const ossa_scene_options traced = {.trace_keys = true};
    struct scene_files files = {0};
    add_folder(&files, samples[2].folder);
    ossa_scene *plain = assemble_files(&files, NULL);
    ossa_scene *scene = assemble_files(&files, &traced);
    ossa_key_bytes found = {.role = OSSA_KEY_ROLE_KEY};
    const ossa_key_channel rotation = OSSA_KEY_CHANNEL_ROTATION;
    assert_int_equal(ossa_find_key_bytes(plain, 0, 0, rotation, 0, &found, 1), 1);
    assert_int_equal(found.role, OSSA_KEY_ROLE_UNTRACED);
    assert_int_equal(plain->key_file_count, 0);
    assert_int_equal(ossa_find_key_bytes(scene, scene->clip_count, 0, rotation, 0, &found, 1), 0);
    assert_int_equal(ossa_find_key_bytes(scene, 0, scene->bone_count, rotation, 0, &found, 1), 0);
    assert_int_equal(
        ossa_find_key_bytes(scene, 0, 0, rotation, scene->clips[0].frame_count, &found, 1), 0);
    assert_int_equal(ossa_find_key_bytes(scene, 0, 0, (ossa_key_channel)4, 0, &found, 1), 0);
    assert_int_equal(ossa_find_key_bytes(scene, 0, 0, rotation, 0, NULL, 0), 2);
    assert_int_equal(ossa_find_key_bytes(scene, 0, 0, rotation, 0, &found, 1), 2);
    assert_int_equal(found.role, OSSA_KEY_ROLE_KEY);
    assert_int_equal(ossa_find_keys_at(scene, found.path, found.offset, NULL, 0), 1);
    assert_int_equal(ossa_find_keys_at(scene, found.path, 0, NULL, 0), 0);
    assert_int_equal(ossa_find_keys_at(scene, found.path, UINT64_MAX, NULL, 0), 0);
    assert_int_equal(ossa_find_keys_at(scene, "", found.offset, NULL, 0), 0);
    assert_int_equal(ossa_find_keys_at(plain, found.path, found.offset, NULL, 0), 0);
    ossa_scene_free(plain);
    ossa_scene_free(scene);
    free_files(&files);
    for (int i = 0; i <= OSSA_KEY_ROLE_UNTRACED; i++) {
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(ossa_key_role_name((ossa_key_role)i),
                                    ossa_key_role_name((ossa_key_role)k));
        }
        assert_true(ossa_key_role_name((ossa_key_role)i)[0] != '\0');
    }
    assert_string_equal(ossa_key_channel_name(OSSA_KEY_CHANNEL_VISIBLE), "visible");
}

static void runs_of_nothing_are_refused(void **state)
{
    (void)state;
    static const ossa_key_layout layout = {.size = 4};
    static const char *const paths[] = {"a.anm", NULL};
    static const ossa_key_run good = {
        .bone = 5, .first_frame = 1, .frame_step = 2, .frame_count = 2, .layout = &layout};
    ossa_key_run bad[10];
    for (unsigned i = 0; i < 10; i++) bad[i] = good;
    bad[0].bone = 6;
    bad[1].channel = (ossa_key_channel)4;
    bad[2].first_frame = 2;
    bad[3].frame_step = 0;
    bad[4].frame_count = 0;
    bad[5].frame_count = UINT32_MAX;
    bad[6].file = 1;
    bad[7].layout = NULL;
    bad[8].role = OSSA_KEY_ROLE_OMITTED;
    bad[9].role = OSSA_KEY_ROLE_REST;
    struct made_scene made;
    ossa_error error;
    make_scene(&made, &(struct made_plan){.seed = 1, .bones = 6, .clips = 1, .frames = {4}});
    made.scene.key_files = paths;
    made.scene.key_file_count = 1;
    made.clips[0].key_run_count = 1;
    made.clips[0].key_runs = &good;
    assert_true(ossa_scene_validate(&made.scene, &error));
    for (unsigned i = 0; i < 10; i++) {
        made.clips[0].key_runs = &bad[i];
        assert_false(ossa_scene_validate(&made.scene, &error));
        assert_string_equal(error.field, "clips[0]");
        assert_string_equal(error.message, "the clip 'clip0' has a run of keys, 0, of no bone, "
                                           "frame, file or bytes");
    }
    made.clips[0].key_runs = NULL;
    assert_false(ossa_scene_validate(&made.scene, &error));
    made.clips[0].key_run_count = 0;
    made.scene.key_file_count = 2;
    assert_false(ossa_scene_validate(&made.scene, &error));
    assert_string_equal(error.field, "key_files[1]");
    free_made_scene(&made);
}

/* An archive may have two entries of one name. */
static void files_of_one_path_are_all_searched(void **state)
{
    (void)state;
    static const ossa_key_layout layout = {.size = 4};
    static const char *const paths[] = {"a.res#x", "b", "a.res#x"};
    const ossa_key_run runs[] = {
        {.bone = 1, .frame_step = 1, .frame_count = 1, .offset = 100, .layout = &layout},
        {.bone = 2, .frame_step = 1, .frame_count = 1, .offset = 200, .file = 1, .layout = &layout},
        {.bone = 3,
         .frame_step = 1,
         .frame_count = 1,
         .offset = 200,
         .file = 2,
         .layout = &layout}};
    struct made_scene made;
    ossa_key_use use;
    make_scene(&made, &(struct made_plan){.seed = 1, .bones = 6, .clips = 1, .frames = {4}});
    made.scene.key_files = paths;
    made.scene.key_file_count = 3;
    made.clips[0].key_runs = runs;
    made.clips[0].key_run_count = 3;
    assert_true(ossa_scene_validate(&made.scene, NULL));
    assert_int_equal(ossa_find_keys_at(&made.scene, "a.res#x", 100, &use, 1), 1);
    assert_int_equal(use.bone, 1);
    assert_int_equal(ossa_find_keys_at(&made.scene, "a.res#x", 200, &use, 1), 1);
    assert_int_equal(use.bone, 3);
    assert_int_equal(ossa_find_keys_at(&made.scene, "b", 200, &use, 1), 1);
    assert_int_equal(use.bone, 2);
    free_made_scene(&made);
}

static void a_failing_allocation_is_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pose_vectors / sizeof pose_vectors[0]; i++) {
        struct scene_files files = {0};
        add_folder(&files, pose_vectors[i].folder);
        (void)require_assembly_survives(&files,
                                        &(ossa_scene_options){.trace_keys = true, .join = true});
        free_files(&files);
    }
}

TEST_GROUP(test_scene_keys)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_of_a_character_is_where_it_is_said_to_be),
        cmocka_unit_test(the_numbers_of_every_fixture_are_where_they_are_said_to_be),
        cmocka_unit_test(options_are_taken_into_account),
        cmocka_unit_test(tracks_of_evil_islands_may_be_short_or_missing),
        cmocka_unit_test(states_of_midtown_madness_share_frames),
        cmocka_unit_test(objects_of_vib_ribbon_come_and_go),
        cmocka_unit_test(bits_of_packed_rotations_are_named),
        cmocka_unit_test(visibility_is_stored_as_the_object),
        cmocka_unit_test(calls_for_nothing_find_nothing),
        cmocka_unit_test(runs_of_nothing_are_refused),
        cmocka_unit_test(files_of_one_path_are_all_searched),
        cmocka_unit_test(a_failing_allocation_is_reported),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    fixtures_free();
    return failed;
}
