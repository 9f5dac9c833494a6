/* SPDX-License-Identifier: MIT
 *
 * A scene as glTF 2.0, so that the programs people use show it right. The rules that are not in the
 * specification, each of which has bitten somebody:
 *
 * - A skin lists every bone, also without a mesh: otherwise Blender and Godot show empties.
 * - One plain node stands above the root bones.
 * - An object that ever hides gets a parent whose scale is 0 or 1 in steps, so that its own curves
 *   stay smooth.
 * - All clips have the same channels, so that one does not leave its pose behind in another.
 * - The mesh of a skin is on a root of its own, without a transform.
 * - Neighbouring rotation keys lie on the same side: some players do not take the short arc. */
#include "export/gltf_parts.h"

#include "scene/node_names.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- what is written ----------------------------------------------------------------------- */

/* Whether there is a mesh to be bound to the skin. */
static void choose_skin(struct ossa__gltf *x)
{
    enum { MOST_JOINTS = 65536 }; /* a vertex names its joint by 16 bits */
    static const char too_many[] = "a skin has at most 65536 bones, and here are more";
    bool any = false;
    for (uint32_t i = 0; i < x->scene->mesh_count; i++) {
        const ossa_mesh *mesh = &x->scene->meshes[i];
        any = any || mesh->kind == OSSA_MESH_KIND_TRIANGLES;
        x->has_skin = x->has_skin || mesh->vertex_bones != NULL || mesh->joints != NULL;
    }
    bool fits = x->scene->bone_count <= MOST_JOINTS;
    if (x->has_skin && !fits) {
        ossa__fail_nowhere(&x->context, OSSA_CODE_LIMIT, "",
                           "%s; a mesh that moves with several bones needs one", too_many);
        return;
    }
    if (!any || !x->options->skin) return;
    if (!fits) ossa__gltf_warn(x, OSSA_CODE_LIMIT, "%s: meshes stay on their bones", too_many);
    x->binds_all = fits;
    x->has_skin = fits;
}

static void find_curves(struct ossa__gltf *x)
{
    const ossa_scene *scene = x->scene;
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        const ossa_clip *clip = &scene->clips[c];
        if (!ossa__gltf_is_wanted(x, c)) continue;
        for (uint32_t b = 0; b < scene->bone_count; b++) {
            const ossa_transform *rest = &scene->bones[b].rest;
            const ossa_transform *value = &clip->constant[b];
            if (ossa__gltf_differs(value->rotation, rest->rotation, 4))
                x->curves[b] |= OSSA__HAS_ROTATION;
            if (ossa__gltf_differs(value->translation, rest->translation, 3))
                x->curves[b] |= OSSA__HAS_TRANSLATION;
            if (ossa__gltf_differs(value->scale, rest->scale, 3)) x->curves[b] |= OSSA__HAS_SCALE;
            if (clip->constant_visible[b] == 0) x->curves[b] |= OSSA__HAS_VISIBILITY;
        }
        for (uint32_t i = 0; i < clip->rotations.count; i++) {
            x->curves[clip->rotations.bones[i]] |= OSSA__HAS_ROTATION;
        }
        for (uint32_t i = 0; i < clip->translations.count; i++) {
            x->curves[clip->translations.bones[i]] |= OSSA__HAS_TRANSLATION;
        }
        for (uint32_t i = 0; i < clip->scales.count; i++) {
            x->curves[clip->scales.bones[i]] |= OSSA__HAS_SCALE;
        }
        for (uint32_t i = 0; i < clip->visibilities.count; i++) {
            x->curves[clip->visibilities.bones[i]] |= OSSA__HAS_VISIBILITY;
        }
    }
    ossa__gltf_find_morphs(x);
    /* An animation needs a channel, even when nothing moves. */
    bool any = x->has_skin_weights;
    for (uint32_t b = 0; b < scene->bone_count && !any; b++) any = x->curves[b] != 0;
    if (!any && scene->bone_count > 0) x->curves[0] |= OSSA__HAS_ROTATION;
}

/* A name with something behind it; NULL after a failure. */
static char *longer_name(struct ossa__gltf *x, const char *name, const char *end)
{
    size_t size = strlen(name) + strlen(end) + 1;
    char *text = ossa__take(&x->context, size, 1);
    if (text != NULL) (void)snprintf(text, size, "%s%s", name, end);
    return text;
}

static void name_nodes(struct ossa__gltf *x)
{
    const ossa_scene *scene = x->scene;
    uint32_t hiding = 0;
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        x->visible_node[b] = 0;
        if (x->curves[b] & OSSA__HAS_VISIBILITY) {
            x->visible_node[b] = 1 + scene->bone_count + hiding++;
        }
    }
    bool only_cameras = scene->bone_count == 0 && scene->camera_count > 0;
    if (x->has_skin) x->skin_node = 1 + scene->bone_count + hiding;
    x->first_camera_node = only_cameras ? 0 : 1 + scene->bone_count + hiding + x->has_skin;
    uint64_t count = (uint64_t)x->first_camera_node + scene->camera_count;
    if (count > UINT32_MAX) {
        ossa__fail_nowhere(&x->context, OSSA_CODE_LIMIT, "", "%" PRIu64 " nodes are too many",
                           count);
        return;
    }
    x->node_count = (uint32_t)count;
    const char **names = ossa__take(&x->context, x->node_count, sizeof *names);
    if (names == NULL) return;
    names[0] = scene->name; /* a camera's where there is nothing else */
    for (uint32_t i = 0; i < scene->camera_count; i++) {
        names[x->first_camera_node + i] = scene->cameras[i].name;
    }
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        const char *name = scene->bones[b].name;
        names[ossa__gltf_node_of(b)] = name;
        if (x->visible_node[b] == 0) continue;
        names[x->visible_node[b]] = longer_name(x, name, "_visible");
    }
    if (x->has_skin) names[x->skin_node] = longer_name(x, scene->name, "_skin");
    if (x->context.failed) return;
    x->names = ossa__clean_names(&x->context, &ossa__gltf_name_rule, names, x->node_count);
}

/* ---- files --------------------------------------------------------------------------------- */

static void send(struct ossa__gltf *x, ossa_sink sink, const void *bytes, size_t size)
{
    if (x->context.failed || size == 0) return;
    if (!sink.write(sink.user, bytes, size)) {
        ossa__fail_nowhere(&x->context, OSSA_CODE_IO, "", "the output could not be written");
    }
}

static void send_words(struct ossa__gltf *x, ossa_sink sink, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[4] = {(uint8_t)words[i], (uint8_t)(words[i] >> 8), (uint8_t)(words[i] >> 16),
                            (uint8_t)(words[i] >> 24)};
        send(x, sink, bytes, sizeof bytes);
    }
}

/* The text of a small document is kept; of a large one only the size is, and it is made again. */
enum { LARGEST_KEPT = 1 << 20 };

struct kept_text {
    ossa_buffer text;
    uint64_t size;
    bool failed; /* there was no memory */
};

static bool keep_text(void *user, const void *bytes, size_t size)
{
    struct kept_text *kept = user;
    kept->size += size;
    if (kept->size > LARGEST_KEPT) {
        ossa_buffer_free(&kept->text);
        return true;
    }
    ossa_sink sink = ossa_buffer_sink(&kept->text);
    kept->failed = !sink.write(sink.user, bytes, size);
    return !kept->failed;
}

/* The document; what it takes from the arena is given back. */
static void write_document(struct ossa__gltf *x, ossa_sink sink)
{
    struct ossa__mark mark = ossa__arena_mark(&x->context.arena);
    ossa__gltf_write_document(x, sink);
    ossa__arena_release(&x->context.arena, mark);
}

static void write_bytes(struct ossa__gltf *x, ossa_sink sink)
{
    ossa__gltf_write_buffer(&x->buffer, sink);
    ossa__gltf_put_all(x);
    ossa__gltf_finish_buffer(&x->buffer);
}

static void write_glb(struct ossa__gltf *x, ossa_sink sink)
{
    struct kept_text kept = {.text.allocator = x->context.arena.allocator};
    write_document(x, (ossa_sink){keep_text, &kept});
    if (kept.failed) {
        x->context.failed = false;
        ossa__fail_nowhere(&x->context, OSSA_CODE_OUT_OF_MEMORY, "", "no memory for the document");
    }
    size_t padding = (4 - kept.size % 4) % 4;
    uint64_t bin = x->buffer.size;
    uint64_t total = 12 + 8 + kept.size + padding + (bin > 0 ? 8 + bin : 0);
    if (total > UINT32_MAX) {
        ossa__fail_nowhere(&x->context, OSSA_CODE_LIMIT, "",
                           "a GLB holds at most 4 GiB; this one would have %" PRIu64 " bytes",
                           total);
    }
    const uint32_t head[5] = {0x46546c67, 2, (uint32_t)total, (uint32_t)(kept.size + padding),
                              0x4e4f534a};
    const uint32_t chunk[2] = {(uint32_t)bin, 0x004e4942};
    send_words(x, sink, head, 5);
    if (kept.size > LARGEST_KEPT && !x->context.failed) write_document(x, sink);
    else send(x, sink, kept.text.data, kept.text.size);
    ossa_buffer_free(&kept.text);
    send(x, sink, "   ", padding);
    if (bin > 0) {
        send_words(x, sink, chunk, 2);
        write_bytes(x, sink);
    }
}

static void take_tables(struct ossa__gltf *x)
{
    const ossa_scene *scene = x->scene;
    x->curves = ossa__take(&x->context, scene->bone_count, 1);
    x->visible_node = ossa__take(&x->context, scene->bone_count, sizeof *x->visible_node);
    x->camera_accessors =
        ossa__take(&x->context, 3 * (uint64_t)scene->camera_count, sizeof *x->camera_accessors);
    if (!x->context.failed) memset(x->curves, 0, scene->bone_count);
}

/* Room for all accessors, once it is known what is written. */
static void plan_buffer(struct ossa__gltf *x)
{
    const ossa_scene *scene = x->scene;
    uint64_t channels = x->has_skin_weights;
    uint64_t clips = 0;
    uint64_t targets = 0;
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        for (unsigned kind = OSSA__HAS_ROTATION; kind <= OSSA__HAS_WEIGHTS; kind *= 2) {
            channels += (x->curves[b] & kind) != 0;
        }
    }
    for (uint32_t c = 0; c < scene->clip_count; c++) clips += ossa__gltf_is_written(x, c);
    for (uint32_t i = 0; i < scene->mesh_count; i++) targets += scene->meshes[i].target_count;
    x->clip_accessors = ossa__take(&x->context, clips * channels, 2 * sizeof *x->clip_accessors);
    /* The times of a clip are one or two accessors; a primitive has positions, normals, colours,
     * two sets of texture coordinates, joints, weights, indices and zeros for targets, and a camera
     * three. */
    uint64_t accessors = 1 + clips * (2 + channels) + 9 * (uint64_t)scene->mesh_count + targets +
                         3 * (uint64_t)scene->camera_count + scene->texture_count;
    uint64_t bounds = 2 * clips + 2 * (uint64_t)scene->mesh_count + targets + scene->camera_count;
    ossa__gltf_plan_buffer(&x->buffer, &x->context, accessors, bounds);
}

bool ossa_write_gltf(const ossa_scene *scene, const ossa_export_options *options, ossa_sink sink,
                     ossa_sink bin, ossa_error *error)
{
    static const ossa_export_options defaults;
    struct ossa__gltf x = {.scene = scene};
    x.options = options == NULL ? &defaults : options;
    x.wanted = x.options->clips;
    if (!ossa_scene_validate(scene, error)) return false;
    ossa_options plain = {.allocator = x.options->allocator, .max_memory = UINT64_MAX};
    ossa__context_init(&x.context, &plain, 0);
    take_tables(&x);
    if (!x.context.failed) ossa__gltf_find_variant(&x);
    if (!x.context.failed) {
        choose_skin(&x);
    }
    if (!x.context.failed) {
        find_curves(&x);
        name_nodes(&x);
        ossa__gltf_name_cameras(&x);
        ossa__gltf_find_materials(&x);
    }
    if (!x.context.failed) ossa__gltf_plan_meshes(&x);
    if (!x.context.failed) ossa__gltf_check_morphs(&x);
    if (!x.context.failed) plan_buffer(&x);
    if (!x.context.failed) ossa__gltf_put_all(&x);
    if (!x.context.failed && x.options->bin_uri == NULL) {
        write_glb(&x, sink);
    } else if (!x.context.failed) {
        write_document(&x, sink);
        if (!x.context.failed && x.buffer.size > 0) write_bytes(&x, bin);
    }
    bool ok = !x.context.failed;
    ossa__hand_over_error(&x.context, error);
    ossa__arena_free(&x.context.arena);
    return ok;
}
