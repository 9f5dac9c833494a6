/* SPDX-License-Identifier: MIT
 *
 * Where keys are stored: from a value of a clip to its bytes, and back. */
#include "module.h"

#include <stdlib.h>

static void write_layout(struct web_json *json, const ossa_key_layout *layout)
{
    web_member_number(json, "size", layout == NULL ? 0 : layout->size);
    web_member_flag(json, "isInherited", layout != NULL && layout->is_inherited);
    web_member_flag(json, "isStructure", layout != NULL && layout->is_structure);
    web_json_key(json, "parts");
    web_json_open(json, '[');
    for (uint32_t i = 0; layout != NULL && i < layout->part_count; i++) {
        const ossa_key_part *part = &layout->parts[i];
        web_json_open(json, '{');
        web_member_text(json, "name", part->name);
        web_member_number(json, "firstBit", part->first_bit);
        web_member_number(json, "bitCount", part->bit_count);
        web_member_index(json, "component", part->component);
        web_json_close(json, '}');
    }
    web_json_close(json, ']');
}

static void write_bytes(struct web_json *json, const ossa_key_bytes *bytes)
{
    web_json_open(json, '{');
    web_member_text(json, "role", ossa_key_role_name(bytes->role));
    web_member_text(json, "path", bytes->path);
    web_member_number(json, "offset", bytes->offset);
    write_layout(json, bytes->layout);
    web_member_flag(json, "isAdjusted", bytes->is_adjusted);
    web_json_close(json, '}');
}

/* The result: a list, of which the first is the value itself. */
WEB_EXPORT(scene_key_bytes)
bool web_scene_key_bytes(const ossa_scene *scene, uint32_t clip, uint32_t bone, uint32_t channel,
                         uint32_t frame);
bool web_scene_key_bytes(const ossa_scene *scene, uint32_t clip, uint32_t bone, uint32_t channel,
                         uint32_t frame)
{
    enum { MOST = 4 }; /* a value, and what it is computed with */
    ossa_key_bytes found[MOST];
    web_begin();
    size_t count =
        ossa_find_key_bytes(scene, clip, bone, (ossa_key_channel)channel, frame, found, MOST);
    if (count == 0) return web_fail_with(OSSA_CODE_BAD_ARGUMENT, "there is no such key");
    struct web_json json = web_start_result();
    web_json_open(&json, '[');
    for (size_t i = 0; i < count && i < MOST; i++) write_bytes(&json, &found[i]);
    web_json_close(&json, ']');
    return web_finish_result(&json);
}

static void write_use(struct web_json *json, const ossa_key_use *use)
{
    web_json_open(json, '{');
    web_member_number(json, "clip", use->clip);
    web_member_number(json, "bone", use->bone);
    web_member_text(json, "channel", ossa_key_channel_name(use->channel));
    web_member_text(json, "role", ossa_key_role_name(use->role));
    web_member_number(json, "firstFrame", use->first_frame);
    web_member_number(json, "frameStep", use->frame_step);
    web_member_number(json, "frameCount", use->frame_count);
    web_member_number(json, "offset", use->offset);
    write_layout(json, use->layout);
    web_json_close(json, '}');
}

WEB_EXPORT(scene_keys_at)
bool web_scene_keys_at(const ossa_scene *scene, const char *path, double offset);
bool web_scene_keys_at(const ossa_scene *scene, const char *path, double offset)
{
    web_begin();
    size_t count = ossa_find_keys_at(scene, path, (uint64_t)offset, NULL, 0);
    ossa_key_use *uses = calloc(count + 1, sizeof *uses);
    if (uses == NULL) return web_fail_memory();
    (void)ossa_find_keys_at(scene, path, (uint64_t)offset, uses, count);
    struct web_json json = web_start_result();
    web_json_open(&json, '[');
    for (size_t i = 0; i < count; i++) write_use(&json, &uses[i]);
    web_json_close(&json, ']');
    free(uses);
    return web_finish_result(&json);
}
