/* SPDX-License-Identifier: MIT
 *
 * From values of a scene to the bytes that they come from, and back. */
#include "ossa/keys.h"
#include "base/memory.h"
#include "scene/validate.h"

#include <inttypes.h>
#include <string.h>

const char *ossa_key_channel_name(ossa_key_channel channel)
{
    switch (channel) {
    case OSSA_KEY_CHANNEL_ROTATION: return "rotation";
    case OSSA_KEY_CHANNEL_TRANSLATION: return "translation";
    case OSSA_KEY_CHANNEL_SCALE: return "scale";
    case OSSA_KEY_CHANNEL_VISIBLE: return "visible";
    }
    return "";
}

const char *ossa_key_role_name(ossa_key_role role)
{
    switch (role) {
    case OSSA_KEY_ROLE_KEY: return "key";
    case OSSA_KEY_ROLE_HELD: return "held";
    case OSSA_KEY_ROLE_FIRST: return "first";
    case OSSA_KEY_ROLE_CONSTANT: return "constant";
    case OSSA_KEY_ROLE_SCALING: return "scaling";
    case OSSA_KEY_ROLE_REST: return "rest";
    case OSSA_KEY_ROLE_OMITTED: return "omitted";
    case OSSA_KEY_ROLE_RESAMPLED: return "resampled";
    case OSSA_KEY_ROLE_UNTRACED: return "untraced";
    }
    return "";
}

/* ---- from a value to its bytes ------------------------------------------------------------- */

struct search {
    ossa_key_bytes *found;
    size_t capacity;
    size_t count;
};

static void add_bytes(struct search *search, ossa_key_bytes bytes)
{
    if (search->count < search->capacity) search->found[search->count] = bytes;
    search->count++;
}

/* Is a frame in a run, and which of its keys? Between two of them: false, and `is_between`. */
static bool find_in_run(const ossa_key_run *run, uint32_t frame, uint32_t *key, bool *is_between)
{
    if (frame < run->first_frame) return false;
    uint32_t after = frame - run->first_frame;
    *key = after / run->frame_step;
    if (*key >= run->frame_count) return false;
    if (after % run->frame_step == 0) return true;
    if (*key + 1 < run->frame_count) *is_between = true;
    return false;
}

static ossa_key_bytes bytes_of(const ossa_scene *scene, const ossa_key_run *run, uint32_t key)
{
    if (run->layout == NULL) return (ossa_key_bytes){.role = run->role};
    return (ossa_key_bytes){.role = run->role,
                            .path = scene->key_files[run->file],
                            .offset = run->offset + (uint64_t)(run->stride * (int64_t)key),
                            .size = run->layout->size,
                            .layout = run->layout};
}

size_t ossa_find_key_bytes(const ossa_scene *scene, uint32_t clip, uint32_t bone,
                           ossa_key_channel channel, uint32_t frame, ossa_key_bytes *found,
                           size_t capacity)
{
    struct search search = {.found = found, .capacity = capacity};
    if (clip >= scene->clip_count || bone >= scene->bone_count) return 0;
    if ((unsigned)channel > OSSA_KEY_CHANNEL_VISIBLE) return 0;
    const ossa_clip *c = &scene->clips[clip];
    if (frame >= c->frame_count) return 0;
    bool is_adjusted =
        c->in_place && channel == OSSA_KEY_CHANNEL_TRANSLATION && scene->bones[bone].parent < 0;
    bool is_between = false;
    /* First the value itself, then what it is computed with. */
    for (unsigned round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < c->key_run_count; i++) {
            const ossa_key_run *run = &c->key_runs[i];
            uint32_t key;
            if (run->bone != bone || run->channel != channel) continue;
            if ((run->role == OSSA_KEY_ROLE_SCALING) != (round == 1)) continue;
            if (!find_in_run(run, frame, &key, &is_between)) continue;
            ossa_key_bytes bytes = bytes_of(scene, run, key);
            bytes.is_adjusted = is_adjusted && bytes.layout != NULL;
            add_bytes(&search, bytes);
        }
        if (search.count > 0) continue;
        ossa_key_role why = is_between ? OSSA_KEY_ROLE_RESAMPLED : OSSA_KEY_ROLE_REST;
        if (c->key_runs == NULL) why = OSSA_KEY_ROLE_UNTRACED;
        add_bytes(&search, (ossa_key_bytes){.role = why});
    }
    return search.count;
}

/* ---- from a byte to its values ------------------------------------------------------------- */

/* Which key of a run has a byte? */
static bool find_byte(const ossa_key_run *run, uint64_t offset, uint32_t *key)
{
    uint64_t size = run->layout->size;
    *key = 0;
    if (run->stride == 0) return offset >= run->offset && offset - run->offset < size;
    uint64_t distance = run->stride > 0 ? (uint64_t)run->stride : 0 - (uint64_t)run->stride;
    uint64_t last = distance * (run->frame_count - 1);
    uint64_t lowest = run->stride > 0 ? run->offset : run->offset - last;
    if (offset < lowest) return false;
    uint64_t index = (offset - lowest) / distance;
    if (index >= run->frame_count || (offset - lowest) % distance >= size) return false;
    *key = run->stride > 0 ? (uint32_t)index : run->frame_count - 1 - (uint32_t)index;
    return true;
}

static ossa_key_use use_of(const ossa_key_run *run, uint32_t clip, uint32_t key)
{
    bool is_same = run->stride == 0;
    return (ossa_key_use){.clip = clip,
                          .bone = run->bone,
                          .channel = run->channel,
                          .role = run->role,
                          .first_frame = run->first_frame + key * run->frame_step,
                          .frame_step = is_same ? run->frame_step : 1,
                          .frame_count = is_same ? run->frame_count : 1,
                          .offset = run->offset + (uint64_t)(run->stride * (int64_t)key),
                          .layout = run->layout};
}

size_t ossa_find_keys_at(const ossa_scene *scene, const char *path, uint64_t offset,
                         ossa_key_use *found, size_t capacity)
{
    size_t count = 0;
    /* Entries of an archive may share a path. Neighbouring runs are mostly of one file. */
    uint32_t file = UINT32_MAX;
    bool is_meant = false;
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        const ossa_clip *clip = &scene->clips[c];
        for (uint32_t i = 0; i < clip->key_run_count; i++) {
            const ossa_key_run *run = &clip->key_runs[i];
            uint32_t key;
            if (run->layout == NULL) continue;
            if (run->file != file) is_meant = strcmp(scene->key_files[run->file], path) == 0;
            file = run->file;
            if (!is_meant || !find_byte(run, offset, &key)) continue;
            if (count < capacity) found[count] = use_of(run, c, key);
            count++;
        }
    }
    return count;
}

/* ---- rules --------------------------------------------------------------------------------- */

/* All keys of a run are at offsets that there are. */
static bool has_offsets(const ossa_key_run *run)
{
    uint64_t steps = run->frame_count - 1;
    uint64_t stride = run->stride < 0 ? 0 - (uint64_t)run->stride : (uint64_t)run->stride;
    uint64_t length = ossa__size_times(stride, steps);
    if (length > INT64_MAX) return false;
    return run->stride < 0 ? length <= run->offset
                           : ossa__size_plus(length, run->layout->size) <= UINT64_MAX - run->offset;
}

static bool is_layout(const ossa_key_layout *layout)
{
    if (layout->part_count > 0 && layout->parts == NULL) return false;
    if (layout->part_count > UINT64_C(8) * layout->size) return false;
    for (uint32_t i = 0; i < layout->part_count; i++) {
        if (layout->parts[i].name == NULL) return false;
    }
    return true;
}

static bool is_run(const ossa_scene *scene, const ossa_clip *clip, const ossa_key_run *run)
{
    if (run->bone >= scene->bone_count || (unsigned)run->channel > OSSA_KEY_CHANNEL_VISIBLE) {
        return false;
    }
    if (run->frame_step == 0 || run->frame_count == 0) return false;
    uint64_t last = run->first_frame + (run->frame_count - 1) * (uint64_t)run->frame_step;
    if (last >= clip->frame_count) return false;
    if (run->layout == NULL) return run->role == OSSA_KEY_ROLE_OMITTED;
    if (!is_layout(run->layout) || !has_offsets(run)) return false;
    return (unsigned)run->role <= OSSA_KEY_ROLE_SCALING && run->file < scene->key_file_count;
}

bool ossa__check_key_runs(const ossa_scene *scene, ossa_error *error)
{
    for (uint32_t i = 0; i < scene->key_file_count; i++) {
        const struct ossa__scene_item field = {"key_files", i};
        if (scene->key_files[i] == NULL) return ossa__refuse(error, field, "has no path");
    }
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        const ossa_clip *clip = &scene->clips[c];
        const struct ossa__scene_item field = {"clips", c};
        for (uint32_t i = 0; i < clip->key_run_count; i++) {
            if (clip->key_runs != NULL && is_run(scene, clip, &clip->key_runs[i])) continue;
            return ossa__refuse(error, field,
                                "the clip '%s' has a run of keys, %" PRIu32
                                ", of no bone, frame, file or bytes",
                                clip->name, i);
        }
    }
    return true;
}
