/* SPDX-License-Identifier: MIT
 *
 * The JSON of a glTF. */
#include "export/gltf_parts.h"

#include "scene/children.h"
#include "scene/extras.h"

#include <stdio.h>

/* A node's transform: a number that rounding took past 1 is 1. Identities are left out. */
void ossa__gltf_write_transform(struct ossa__gltf *x, const ossa_transform *t)
{
    static const ossa_transform none = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    float q[4];
    for (unsigned i = 0; i < 4; i++) {
        q[i] = t->rotation[i] > 1.0F ? 1.0F : t->rotation[i] < -1.0F ? -1.0F : t->rotation[i];
    }
    if (ossa__gltf_differs(t->translation, none.translation, 3)) {
        ossa__gltf_floats(x, "translation", t->translation, 3);
    }
    if (ossa__gltf_differs(q, none.rotation, 4)) ossa__gltf_floats(x, "rotation", q, 4);
    if (ossa__gltf_differs(t->scale, none.scale, 3)) ossa__gltf_floats(x, "scale", t->scale, 3);
}

/* The node that a parent has as its child for a bone: the bone's own, or the one that hides it. */
static uint32_t child_node(const struct ossa__gltf *x, uint32_t bone)
{
    return x->visible_node[bone] != 0 ? x->visible_node[bone] : ossa__gltf_node_of(bone);
}

static void write_children(struct ossa__gltf *x, const struct ossa__children *family, size_t parent)
{
    if (family->first[parent] == 0) return;
    ossa__json_key(&x->json, "children");
    ossa__json_begin_row(&x->json);
    for (uint32_t b = family->first[parent]; b != 0; b = family->next[b]) {
        ossa__json_uint(&x->json, child_node(x, b - 1));
    }
    ossa__json_end_array(&x->json);
}

/* The name of a node; what it was before, and the extras. */
static void write_name(struct ossa__gltf *x, uint32_t node, const char *original,
                       const ossa_extra *extras, uint32_t count)
{
    bool is_changed = strcmp(x->names[node], original) != 0;
    ossa__gltf_string(x, "name", x->names[node]);
    if (!is_changed && count == 0) return;
    ossa__json_key(&x->json, "extras");
    ossa__json_begin_object(&x->json);
    if (is_changed) ossa__gltf_string(x, "name", original);
    ossa__json_extras(&x->json, extras, count);
    ossa__json_end_object(&x->json);
}

void ossa__gltf_write_name(struct ossa__gltf *x, uint32_t node, const char *original)
{
    write_name(x, node, original, NULL, 0);
}

static void write_nodes(struct ossa__gltf *x, const uint32_t *mesh_of)
{
    const ossa_scene *scene = x->scene;
    struct ossa__children family;
    if (!ossa__find_children(&x->context, scene, &family)) return;
    ossa__json_key(&x->json, "nodes");
    ossa__json_begin_array(&x->json);
    if (x->first_camera_node > 0) {
        ossa__json_begin_object(&x->json);
        ossa__gltf_write_name(x, 0, scene->name);
        write_children(x, &family, 0);
        ossa__json_end_object(&x->json);
    }
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        ossa__json_begin_object(&x->json);
        const ossa_bone *bone = &scene->bones[b];
        write_name(x, ossa__gltf_node_of(b), bone->name, bone->extras, bone->extra_count);
        ossa__gltf_write_transform(x, &bone->rest);
        uint32_t mesh = mesh_of[ossa__gltf_node_of(b)];
        if (mesh != 0) ossa__gltf_uint(x, "mesh", mesh - 1);
        write_children(x, &family, (size_t)b + 1);
        ossa__json_end_object(&x->json);
    }
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        if (x->visible_node[b] == 0) continue;
        ossa__json_begin_object(&x->json);
        ossa__gltf_string(x, "name", x->names[x->visible_node[b]]);
        ossa__json_key(&x->json, "children");
        ossa__json_begin_row(&x->json);
        ossa__json_uint(&x->json, ossa__gltf_node_of(b));
        ossa__json_end_array(&x->json);
        ossa__json_end_object(&x->json);
    }
    if (x->has_skin) { /* a root, and plain: its joints alone place it */
        ossa__json_begin_object(&x->json);
        ossa__gltf_string(x, "name", x->names[x->skin_node]);
        ossa__gltf_uint(x, "mesh", mesh_of[x->skin_node] - 1);
        ossa__gltf_uint(x, "skin", 0);
        ossa__json_end_object(&x->json);
    }
    ossa__gltf_write_camera_nodes(x);
    ossa__json_end_array(&x->json);
}

static void write_skin(struct ossa__gltf *x)
{
    if (x->scene->bone_count == 0) return;
    ossa__json_key(&x->json, "skins");
    ossa__json_begin_array(&x->json);
    ossa__json_begin_object(&x->json);
    ossa__gltf_string(x, "name", x->names[0]);
    ossa__gltf_uint(x, "inverseBindMatrices", x->inverse_binds);
    ossa__gltf_uint(x, "skeleton", 0);
    ossa__json_key(&x->json, "joints");
    ossa__json_begin_row(&x->json);
    for (uint32_t b = 0; b < x->scene->bone_count; b++)
        ossa__json_uint(&x->json, ossa__gltf_node_of(b));
    ossa__json_end_array(&x->json);
    ossa__json_end_object(&x->json);
    ossa__json_end_array(&x->json);
}

void ossa__gltf_write_channel(struct ossa__gltf *x, size_t sampler, uint32_t node, const char *path)
{
    ossa__json_begin_object(&x->json);
    ossa__gltf_uint(x, "sampler", sampler);
    ossa__json_key(&x->json, "target");
    ossa__json_begin_object(&x->json);
    ossa__gltf_uint(x, "node", node);
    ossa__gltf_string(x, "path", path);
    ossa__json_end_object(&x->json);
    ossa__json_end_object(&x->json);
}

static size_t write_channels(struct ossa__gltf *x)
{
    size_t sampler = 0;
    ossa__json_key(&x->json, "channels");
    ossa__json_begin_array(&x->json);
    for (uint32_t b = 0; b < x->scene->bone_count; b++) {
        uint8_t curves = x->curves[b];
        if (curves & OSSA__HAS_ROTATION)
            ossa__gltf_write_channel(x, sampler++, ossa__gltf_node_of(b), "rotation");
        if (curves & OSSA__HAS_TRANSLATION)
            ossa__gltf_write_channel(x, sampler++, ossa__gltf_node_of(b), "translation");
        if (curves & OSSA__HAS_SCALE)
            ossa__gltf_write_channel(x, sampler++, ossa__gltf_node_of(b), "scale");
        if (curves & OSSA__HAS_VISIBILITY)
            ossa__gltf_write_channel(x, sampler++, x->visible_node[b], "scale");
        if (curves & OSSA__HAS_WEIGHTS)
            ossa__gltf_write_channel(x, sampler++, ossa__gltf_node_of(b), "weights");
    }
    if (x->has_skin_weights) ossa__gltf_write_channel(x, sampler++, x->skin_node, "weights");
    ossa__json_end_array(&x->json);
    return sampler;
}

void ossa__gltf_write_sampler(struct ossa__gltf *x, size_t input, size_t output, bool steps)
{
    ossa__json_begin_object(&x->json);
    ossa__gltf_uint(x, "input", input);
    ossa__gltf_uint(x, "output", output);
    ossa__gltf_string(x, "interpolation", steps ? "STEP" : "LINEAR");
    ossa__json_end_object(&x->json);
}

static void write_samplers(struct ossa__gltf *x, const uint32_t *accessors)
{
    ossa__json_key(&x->json, "samplers");
    ossa__json_begin_array(&x->json);
    for (uint32_t b = 0; b < x->scene->bone_count; b++) {
        for (unsigned kind = OSSA__HAS_ROTATION; kind <= OSSA__HAS_WEIGHTS; kind *= 2) {
            if ((x->curves[b] & kind) == 0) continue;
            ossa__gltf_write_sampler(x, accessors[0], accessors[1], kind == OSSA__HAS_VISIBILITY);
            accessors += 2;
        }
    }
    if (x->has_skin_weights) ossa__gltf_write_sampler(x, accessors[0], accessors[1], false);
    ossa__json_end_array(&x->json);
}

static void write_clip(struct ossa__gltf *x, const ossa_clip *clip, size_t *first)
{
    ossa__json_begin_object(&x->json);
    ossa__gltf_string(x, "name", clip->name);
    size_t count = write_channels(x);
    write_samplers(x, x->clip_accessors + *first);
    *first += 2 * count;
    ossa__json_key(&x->json, "extras");
    ossa__json_begin_object(&x->json);
    /* The game's own, also of a clip that was resampled. */
    uint32_t steps = clip->keys_per_frame == 0 ? 1 : clip->keys_per_frame;
    ossa__gltf_uint(x, "frames", (clip->frame_count - 1) / steps + 1);
    ossa__json_key(&x->json, "fps");
    ossa__json_float(&x->json, (float)(clip->fps / steps));
    if (steps > 1) ossa__gltf_uint(x, "resample", steps);
    ossa__json_key(&x->json, "loop");
    ossa__json_bool(&x->json, clip->loop);
    ossa__gltf_string(x, "source", clip->source);
    ossa__gltf_string(x, "source_format", clip->source_format);
    if (clip->in_place) {
        ossa__json_key(&x->json, "in_place");
        ossa__json_bool(&x->json, true);
        ossa__gltf_floats(x, "velocity", clip->velocity, 3);
    }
    ossa__json_extras(&x->json, clip->extras, clip->extra_count);
    ossa__json_end_object(&x->json);
    ossa__json_end_object(&x->json);
}

static void write_clips(struct ossa__gltf *x)
{
    size_t first = 0;
    bool any = ossa__gltf_has_moving_camera(x);
    for (uint32_t i = 0; i < x->scene->clip_count && !any; i++) any = ossa__gltf_is_written(x, i);
    if (!any) return; /* no empty arrays */
    ossa__json_key(&x->json, "animations");
    ossa__json_begin_array(&x->json);
    for (uint32_t i = 0; i < x->scene->clip_count; i++) {
        if (ossa__gltf_is_written(x, i)) write_clip(x, &x->scene->clips[i], &first);
    }
    ossa__gltf_write_camera_clips(x);
    ossa__json_end_array(&x->json);
}

static void write_extensions_used(struct ossa__gltf *x)
{
    if (!ossa__gltf_has_unlit(x) && !ossa__gltf_has_variants(x)) return;
    ossa__json_key(&x->json, "extensionsUsed");
    ossa__json_begin_row(&x->json);
    if (ossa__gltf_has_unlit(x)) ossa__json_string(&x->json, "KHR_materials_unlit");
    if (ossa__gltf_has_variants(x)) ossa__json_string(&x->json, "KHR_materials_variants");
    ossa__json_end_array(&x->json);
}

/* The version of what extras say, alone or with how the scene was made. */
static void write_version(struct ossa__gltf *x)
{
    if (x->scene->extra_count == 0) {
        ossa__gltf_uint(x, "ossa", 1);
        return;
    }
    ossa__json_key(&x->json, "ossa");
    ossa__json_begin_object(&x->json);
    ossa__gltf_uint(x, "version", 1);
    ossa__json_extras(&x->json, x->scene->extras, x->scene->extra_count);
    ossa__json_end_object(&x->json);
}

void ossa__gltf_write_document(struct ossa__gltf *x, ossa_sink sink)
{
    uint32_t *mesh_of = ossa__take(&x->context, x->node_count, sizeof *mesh_of);
    if (mesh_of == NULL) return;
    memset(mesh_of, 0, x->node_count * sizeof *mesh_of);
    char generator[64];
    (void)snprintf(generator, sizeof generator, "Ossa %s", ossa_version_text());
    ossa__json_start(&x->json, sink, OSSA_JSON_STYLE_LINE);
    ossa__json_begin_object(&x->json);
    ossa__json_key(&x->json, "asset");
    ossa__json_begin_object(&x->json);
    ossa__gltf_string(x, "version", "2.0");
    ossa__gltf_string(x, "generator", generator);
    ossa__json_key(&x->json, "extras");
    ossa__json_begin_object(&x->json);
    write_version(x);
    ossa__gltf_string(x, "game", x->scene->game);
    ossa__json_end_object(&x->json);
    ossa__json_end_object(&x->json);
    write_extensions_used(x);
    ossa__gltf_write_variants(x);
    ossa__gltf_uint(x, "scene", 0);
    ossa__json_key(&x->json, "scenes");
    ossa__json_begin_array(&x->json);
    ossa__json_begin_object(&x->json);
    ossa__gltf_string(x, "name", x->scene->name);
    ossa__json_key(&x->json, "nodes");
    ossa__json_begin_row(&x->json);
    if (x->first_camera_node > 0) ossa__json_uint(&x->json, 0);
    if (x->has_skin) ossa__json_uint(&x->json, x->skin_node);
    for (uint32_t i = 0; i < x->scene->camera_count; i++) {
        ossa__json_uint(&x->json, x->first_camera_node + i);
    }
    ossa__json_end_array(&x->json);
    ossa__json_end_object(&x->json);
    ossa__json_end_array(&x->json);
    ossa__gltf_write_cameras(x);
    ossa__gltf_write_meshes(x, mesh_of);
    write_nodes(x, mesh_of);
    write_skin(x);
    write_clips(x);
    ossa__gltf_buffer_json(&x->buffer, x->options->bin_uri, &x->json);
    ossa__json_end_object(&x->json);
    if (x->options->bin_uri != NULL) ossa__json_raw(&x->json, "\n");
    if (!ossa__json_finish(&x->json)) {
        ossa__fail_nowhere(&x->context, OSSA_CODE_IO, "", "the output could not be written");
    }
}
