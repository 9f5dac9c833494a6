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
 * - Neighbouring rotation keys lie on the same side: some players do not take the short arc. */
#include "export/gltf_buffer.h"
#include "export/gltf_names.h"
#include "ossa/gltf.h"
#include "ossa/sample.h"
#include "ossa/version.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Which curves of a bone are written, in every clip. */
enum { HAS_ROTATION = 1, HAS_TRANSLATION = 2, HAS_SCALE = 4, HAS_VISIBILITY = 8 };

struct exporter {
    struct ossa__context context;
    const ossa_scene *scene;
    const uint8_t *wanted; /* clips; NULL: all */
    const ossa_gltf_options *options;
    struct ossa__gltf_buffer buffer;
    ossa_json json;
    uint8_t *curves;        /* by bone: HAS_ */
    uint32_t *visible_node; /* by bone: the node above that hides it; 0: none */
    char **names;           /* of nodes */
    uint32_t node_count;
    size_t inverse_binds;   /* accessor */
    size_t *mesh_accessors; /* four a mesh: positions, normals, colours, indices */
    size_t *clip_accessors; /* for each written channel in order, times and values */
    size_t clip_accessor_count;
};

static uint32_t node_of(uint32_t bone)
{
    return bone + 1; /* after the plain one */
}

static bool is_wanted(const struct exporter *x, uint32_t clip)
{
    return x->wanted == NULL || x->wanted[clip] != 0;
}

static void warn(const struct exporter *x, const char *format, const char *name)
{
    char text[256];
    if (x->options->on_warning == NULL) return;
    (void)snprintf(text, sizeof text, format, name);
    x->options->on_warning(x->options->user, text);
}

/* ---- what is written ----------------------------------------------------------------------- */

static bool differs(const float *a, const float *b, size_t count)
{
    return memcmp(a, b, count * sizeof *a) != 0;
}

static void find_curves(struct exporter *x)
{
    const ossa_scene *scene = x->scene;
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        const ossa_clip *clip = &scene->clips[c];
        if (!is_wanted(x, c)) continue;
        for (uint32_t b = 0; b < scene->bone_count; b++) {
            const ossa_transform *rest = &scene->bones[b].rest;
            const ossa_transform *value = &clip->constant[b];
            if (differs(value->rotation, rest->rotation, 4)) x->curves[b] |= HAS_ROTATION;
            if (differs(value->translation, rest->translation, 3)) x->curves[b] |= HAS_TRANSLATION;
            if (differs(value->scale, rest->scale, 3)) x->curves[b] |= HAS_SCALE;
            if (clip->constant_visible[b] == 0) x->curves[b] |= HAS_VISIBILITY;
        }
        for (uint32_t i = 0; i < clip->rotations.count; i++) {
            x->curves[clip->rotations.bones[i]] |= HAS_ROTATION;
        }
        for (uint32_t i = 0; i < clip->translations.count; i++) {
            x->curves[clip->translations.bones[i]] |= HAS_TRANSLATION;
        }
        for (uint32_t i = 0; i < clip->scales.count; i++) {
            x->curves[clip->scales.bones[i]] |= HAS_SCALE;
        }
        for (uint32_t i = 0; i < clip->visibilities.count; i++) {
            x->curves[clip->visibilities.bones[i]] |= HAS_VISIBILITY;
        }
    }
    /* An animation needs a channel, even when nothing moves. */
    bool any = false;
    for (uint32_t b = 0; b < scene->bone_count && !any; b++) any = x->curves[b] != 0;
    if (!any && scene->bone_count > 0) x->curves[0] |= HAS_ROTATION;
}

static void name_nodes(struct exporter *x)
{
    const ossa_scene *scene = x->scene;
    uint32_t hiding = 0;
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        x->visible_node[b] = 0;
        if (x->curves[b] & HAS_VISIBILITY) {
            x->visible_node[b] = 1 + scene->bone_count + hiding++;
        }
    }
    x->node_count = 1 + scene->bone_count + hiding;
    const char **names = ossa__take(&x->context, x->node_count, sizeof *names);
    if (names == NULL) return;
    names[0] = scene->name;
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        const char *name = scene->bones[b].name;
        names[node_of(b)] = name;
        if (x->visible_node[b] == 0) continue;
        size_t size = strlen(name) + sizeof "_visible";
        char *text = ossa__take(&x->context, size, 1);
        if (text == NULL) return;
        (void)snprintf(text, size, "%s_visible", name);
        names[x->visible_node[b]] = text;
    }
    x->names = ossa__gltf_names(&x->context, names, x->node_count);
}

/* ---- the buffer ---------------------------------------------------------------------------- */

/* The inverse of a matrix whose upper part is turned, scaled and sheared; its last row is exact. */
static bool invert(const float m[16], float out[16])
{
    double a[9];
    double inverse[9];
    for (unsigned c = 0; c < 3; c++) {
        for (unsigned r = 0; r < 3; r++) a[3 * c + r] = (double)m[4 * c + r];
    }
    inverse[0] = a[4] * a[8] - a[7] * a[5];
    inverse[1] = a[7] * a[2] - a[1] * a[8];
    inverse[2] = a[1] * a[5] - a[4] * a[2];
    double determinant = a[0] * inverse[0] + a[3] * inverse[1] + a[6] * inverse[2];
    if (!(fabs(determinant) > 1e-30)) return false;
    inverse[3] = a[6] * a[5] - a[3] * a[8];
    inverse[4] = a[0] * a[8] - a[6] * a[2];
    inverse[5] = a[3] * a[2] - a[0] * a[5];
    inverse[6] = a[3] * a[7] - a[6] * a[4];
    inverse[7] = a[6] * a[1] - a[0] * a[7];
    inverse[8] = a[0] * a[4] - a[3] * a[1];
    for (unsigned r = 0; r < 3; r++) {
        double moved = 0.0;
        for (unsigned c = 0; c < 3; c++) {
            double value = inverse[3 * c + r] / determinant;
            out[4 * c + r] = (float)value;
            moved -= value * (double)m[12 + c];
        }
        out[12 + r] = (float)moved;
    }
    out[3] = out[7] = out[11] = 0.0F;
    out[15] = 1.0F;
    return true;
}

static void put_inverse_binds(struct exporter *x)
{
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    uint32_t count = x->scene->bone_count;
    ossa_transform *rest = ossa__take(&x->context, count, sizeof *rest);
    float(*matrices)[16] = ossa__take(&x->context, count, sizeof *matrices);
    if (matrices == NULL || count == 0) return;
    ossa_rest_pose(x->scene, rest);
    ossa_model_matrices(x->scene, rest, matrices);
    x->inverse_binds = ossa__gltf_begin(&x->buffer, OSSA__GLTF_F32, 16, false);
    for (uint32_t b = 0; b < count; b++) {
        float inverse[16];
        bool flat = !invert(matrices[b], inverse); /* scaled to nothing at rest */
        ossa__gltf_put(&x->buffer, flat ? identity : inverse);
    }
    ossa__gltf_end(&x->buffer);
}

static void put_mesh(struct exporter *x, const ossa_mesh *mesh, size_t accessors[4])
{
    struct ossa__gltf_buffer *buffer = &x->buffer;
    accessors[0] = ossa__gltf_begin(buffer, OSSA__GLTF_F32, 3, true);
    if (x->context.failed) return;
    buffer->accessors[accessors[0]].target = OSSA__GLTF_VERTICES;
    for (uint32_t i = 0; i < mesh->vertex_count; i++) ossa__gltf_put(buffer, mesh->positions[i]);
    ossa__gltf_end(buffer);
    if (mesh->normals != NULL) {
        accessors[1] = ossa__gltf_begin(buffer, OSSA__GLTF_F32, 3, false);
        if (x->context.failed) return;
        buffer->accessors[accessors[1]].target = OSSA__GLTF_VERTICES;
        for (uint32_t i = 0; i < mesh->vertex_count; i++) ossa__gltf_put(buffer, mesh->normals[i]);
        ossa__gltf_end(buffer);
    }
    if (mesh->colours != NULL) {
        accessors[2] = ossa__gltf_begin(buffer, OSSA__GLTF_U8, 4, false);
        if (x->context.failed) return;
        buffer->accessors[accessors[2]].target = OSSA__GLTF_VERTICES;
        buffer->accessors[accessors[2]].normalized = true;
        for (uint32_t i = 0; i < mesh->vertex_count; i++) {
            ossa__gltf_put_bytes(buffer, mesh->colours[i]);
        }
        ossa__gltf_end(buffer);
    }
    /* 65535 is no index: it restarts a strip. */
    int component = mesh->vertex_count < 65535 ? OSSA__GLTF_U16 : OSSA__GLTF_U32;
    accessors[3] = ossa__gltf_begin(buffer, component, 1, false);
    if (x->context.failed) return;
    buffer->accessors[accessors[3]].target = OSSA__GLTF_INDICES;
    for (uint32_t i = 0; i < mesh->index_count; i++) {
        ossa__gltf_put_index(buffer, mesh->indices[i]);
    }
    ossa__gltf_end(buffer);
}

/* ---- curves -------------------------------------------------------------------------------- */

/* The times of a clip: all its frames, and its ends for what does not change. */
struct times {
    size_t frames;
    size_t ends;
    uint32_t count; /* of `frames`; at least 2 */
};

static bool put_times(struct exporter *x, const ossa_clip *clip, struct times *times)
{
    times->count = clip->frame_count < 2 ? 2 : clip->frame_count;
    times->frames = ossa__gltf_begin(&x->buffer, OSSA__GLTF_F32, 1, true);
    float before = -1.0F;
    for (uint32_t f = 0; f < times->count && !x->context.failed; f++) {
        float seconds = (float)(f / clip->fps);
        if (!(seconds > before) || !isfinite(seconds)) {
            ossa__fail_nowhere(&x->context, OSSA_BAD_SCENE, "",
                               "the clip '%s' is too long or too fast: frames %" PRIu32
                               " and %" PRIu32 " get the same time in a 32-bit float",
                               clip->name, f - 1, f);
            return false;
        }
        ossa__gltf_put(&x->buffer, &seconds);
        before = seconds;
    }
    ossa__gltf_end(&x->buffer);
    times->ends = times->frames;
    if (times->count > 2) {
        float first = 0.0F;
        times->ends = ossa__gltf_begin(&x->buffer, OSSA__GLTF_F32, 1, true);
        ossa__gltf_put(&x->buffer, &first);
        ossa__gltf_put(&x->buffer, &before);
        ossa__gltf_end(&x->buffer);
    }
    return !x->context.failed;
}

static void note_channel(struct exporter *x, size_t times, size_t values)
{
    if (x->context.failed) return;
    x->clip_accessors[x->clip_accessor_count++] = times;
    x->clip_accessors[x->clip_accessor_count++] = values;
}

/* Where a bone is among the tracks that change; -1: it does not. */
static int64_t find_track(uint32_t count, const uint32_t *bones, uint32_t bone)
{
    uint32_t low = 0;
    uint32_t high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (bones[middle] < bone)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && bones[low] == bone ? (int64_t)low : -1;
}

/* `sign` is kept from key to key, so that neighbours lie on the same side. */
static void put_rotation(struct exporter *x, const float *key, float before[4])
{
    float q[4];
    double dot = 0.0;
    for (unsigned k = 0; k < 4; k++) dot += (double)key[k] * (double)before[k];
    for (unsigned k = 0; k < 4; k++) q[k] = dot < 0.0 ? -key[k] : key[k];
    memcpy(before, q, sizeof q);
    ossa__gltf_put(&x->buffer, q);
}

static void put_curve(struct exporter *x, const ossa_clip *clip, const struct times *times,
                      const ossa_tracks *tracks, const float *constant, unsigned width,
                      uint32_t bone)
{
    int64_t track = find_track(tracks->count, tracks->bones, bone);
    uint32_t keys = track < 0 ? 2 : times->count;
    size_t values = ossa__gltf_begin(&x->buffer, OSSA__GLTF_F32, width, false);
    float before[4] = {0.0F, 0.0F, 0.0F, 0.0F};
    for (uint32_t f = 0; f < keys && !x->context.failed; f++) {
        uint32_t frame = f < clip->frame_count ? f : clip->frame_count - 1;
        const float *key =
            track < 0 ? constant
                      : tracks->keys + ((size_t)frame * tracks->count + (size_t)track) * width;
        if (width == 4)
            put_rotation(x, key, before);
        else
            ossa__gltf_put(&x->buffer, key);
    }
    ossa__gltf_end(&x->buffer);
    note_channel(x, track < 0 ? times->ends : times->frames, values);
}

static void put_visibility(struct exporter *x, const ossa_clip *clip, const struct times *times,
                           uint32_t bone)
{
    const ossa_flag_tracks *tracks = &clip->visibilities;
    int64_t track = find_track(tracks->count, tracks->bones, bone);
    uint32_t keys = track < 0 ? 2 : times->count;
    size_t values = ossa__gltf_begin(&x->buffer, OSSA__GLTF_F32, 3, false);
    for (uint32_t f = 0; f < keys && !x->context.failed; f++) {
        uint32_t frame = f < clip->frame_count ? f : clip->frame_count - 1;
        uint8_t shown = track < 0 ? clip->constant_visible[bone]
                                  : tracks->keys[(size_t)frame * tracks->count + (size_t)track];
        float scale[3] = {shown, shown, shown};
        ossa__gltf_put(&x->buffer, scale);
    }
    ossa__gltf_end(&x->buffer);
    note_channel(x, track < 0 ? times->ends : times->frames, values);
}

static void put_clip(struct exporter *x, const ossa_clip *clip)
{
    struct times times;
    if (!put_times(x, clip, &times)) return;
    for (uint32_t b = 0; b < x->scene->bone_count && !x->context.failed; b++) {
        const ossa_transform *constant = &clip->constant[b];
        if (x->curves[b] & HAS_ROTATION) {
            put_curve(x, clip, &times, &clip->rotations, constant->rotation, 4, b);
        }
        if (x->curves[b] & HAS_TRANSLATION) {
            put_curve(x, clip, &times, &clip->translations, constant->translation, 3, b);
        }
        if (x->curves[b] & HAS_SCALE) {
            put_curve(x, clip, &times, &clip->scales, constant->scale, 3, b);
        }
        if (x->curves[b] & HAS_VISIBILITY) put_visibility(x, clip, &times, b);
    }
}

static bool is_written(const struct exporter *x, uint32_t clip)
{
    return is_wanted(x, clip) && x->scene->clips[clip].frame_count > 0 && x->scene->bone_count > 0;
}

static void put_all(struct exporter *x)
{
    const ossa_scene *scene = x->scene;
    put_inverse_binds(x);
    for (uint32_t i = 0; i < scene->mesh_count && !x->context.failed; i++) {
        put_mesh(x, &scene->meshes[i], x->mesh_accessors + (size_t)4 * i);
    }
    for (uint32_t i = 0; i < scene->clip_count && !x->context.failed; i++) {
        if (is_written(x, i))
            put_clip(x, &scene->clips[i]);
        else if (is_wanted(x, i))
            warn(x, "the clip '%s' has nothing to show and is left out", scene->clips[i].name);
    }
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void write_uint(struct exporter *x, const char *key, uint64_t value)
{
    ossa_json_key(&x->json, key);
    ossa_json_uint(&x->json, value);
}

static void write_string(struct exporter *x, const char *key, const char *value)
{
    ossa_json_key(&x->json, key);
    ossa_json_string(&x->json, value);
}

static void write_floats(struct exporter *x, const char *key, const float *values, unsigned count)
{
    ossa_json_key(&x->json, key);
    ossa_json_begin_row(&x->json);
    for (unsigned i = 0; i < count; i++) ossa_json_float(&x->json, values[i]);
    ossa_json_end_array(&x->json);
}

/* A node's transform: a number that rounding took past 1 is 1. Identities are left out. */
static void write_transform(struct exporter *x, const ossa_transform *t)
{
    static const ossa_transform none = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    float q[4];
    for (unsigned i = 0; i < 4; i++) {
        q[i] = t->rotation[i] > 1.0F ? 1.0F : t->rotation[i] < -1.0F ? -1.0F : t->rotation[i];
    }
    if (differs(t->translation, none.translation, 3)) {
        write_floats(x, "translation", t->translation, 3);
    }
    if (differs(q, none.rotation, 4)) write_floats(x, "rotation", q, 4);
    if (differs(t->scale, none.scale, 3)) write_floats(x, "scale", t->scale, 3);
}

/* The node that a parent has as its child for a bone: the bone's own, or the one that hides it. */
static uint32_t child_node(const struct exporter *x, uint32_t bone)
{
    return x->visible_node[bone] != 0 ? x->visible_node[bone] : node_of(bone);
}

/* Children by parent: first child and next sibling, so that listing them takes one step each. */
struct family {
    uint32_t *first; /* by parent + 1; bone + 1, 0: none */
    uint32_t *next;  /* by bone; bone + 1, 0: none */
};

static bool find_family(struct exporter *x, struct family *family)
{
    uint32_t count = x->scene->bone_count;
    family->first = ossa__take(&x->context, (uint64_t)count + 1, sizeof *family->first);
    family->next = ossa__take(&x->context, count, sizeof *family->next);
    if (family->next == NULL) return false;
    memset(family->first, 0, ((size_t)count + 1) * sizeof *family->first);
    for (uint32_t b = count; b-- > 0;) {
        size_t parent = (size_t)(x->scene->bones[b].parent + 1);
        family->next[b] = family->first[parent];
        family->first[parent] = b + 1;
    }
    return true;
}

static void write_children(struct exporter *x, const struct family *family, size_t parent)
{
    if (family->first[parent] == 0) return;
    ossa_json_key(&x->json, "children");
    ossa_json_begin_row(&x->json);
    for (uint32_t b = family->first[parent]; b != 0; b = family->next[b - 1]) {
        ossa_json_uint(&x->json, child_node(x, b - 1));
    }
    ossa_json_end_array(&x->json);
}

static void write_name(struct exporter *x, uint32_t node, const char *original)
{
    write_string(x, "name", x->names[node]);
    if (strcmp(x->names[node], original) == 0) return;
    ossa_json_key(&x->json, "extras");
    ossa_json_begin_object(&x->json);
    write_string(x, "name", original);
    ossa_json_end_object(&x->json);
}

static void write_nodes(struct exporter *x, const uint32_t *mesh_of)
{
    const ossa_scene *scene = x->scene;
    struct family family;
    if (!find_family(x, &family)) return;
    ossa_json_key(&x->json, "nodes");
    ossa_json_begin_array(&x->json);
    ossa_json_begin_object(&x->json);
    write_name(x, 0, scene->name);
    write_children(x, &family, 0);
    ossa_json_end_object(&x->json);
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        ossa_json_begin_object(&x->json);
        write_name(x, node_of(b), scene->bones[b].name);
        write_transform(x, &scene->bones[b].rest);
        if (mesh_of[b] != 0) write_uint(x, "mesh", mesh_of[b] - 1);
        write_children(x, &family, (size_t)b + 1);
        ossa_json_end_object(&x->json);
    }
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        if (x->visible_node[b] == 0) continue;
        ossa_json_begin_object(&x->json);
        write_string(x, "name", x->names[x->visible_node[b]]);
        ossa_json_key(&x->json, "children");
        ossa_json_begin_row(&x->json);
        ossa_json_uint(&x->json, node_of(b));
        ossa_json_end_array(&x->json);
        ossa_json_end_object(&x->json);
    }
    ossa_json_end_array(&x->json);
}

static void write_skin(struct exporter *x)
{
    if (x->scene->bone_count == 0) return;
    ossa_json_key(&x->json, "skins");
    ossa_json_begin_array(&x->json);
    ossa_json_begin_object(&x->json);
    write_string(x, "name", x->names[0]);
    write_uint(x, "inverseBindMatrices", x->inverse_binds);
    write_uint(x, "skeleton", 0);
    ossa_json_key(&x->json, "joints");
    ossa_json_begin_row(&x->json);
    for (uint32_t b = 0; b < x->scene->bone_count; b++) ossa_json_uint(&x->json, node_of(b));
    ossa_json_end_array(&x->json);
    ossa_json_end_object(&x->json);
    ossa_json_end_array(&x->json);
}

/* Two materials: what has colours of its own shines by itself, as the console drew it. */
enum { MATERIAL_COLOURS, MATERIAL_PLAIN };

static void write_primitive(struct exporter *x, const ossa_mesh *mesh, const size_t accessors[4])
{
    ossa_json_begin_object(&x->json);
    ossa_json_key(&x->json, "attributes");
    ossa_json_begin_object(&x->json);
    write_uint(x, "POSITION", accessors[0]);
    if (mesh->normals != NULL) write_uint(x, "NORMAL", accessors[1]);
    if (mesh->colours != NULL) write_uint(x, "COLOR_0", accessors[2]);
    ossa_json_end_object(&x->json);
    write_uint(x, "indices", accessors[3]);
    write_uint(x, "material", mesh->colours != NULL ? MATERIAL_COLOURS : MATERIAL_PLAIN);
    write_uint(x, "mode", mesh->kind == OSSA_MESH_LINES ? 1 : 4);
    ossa_json_end_object(&x->json);
}

/* One mesh a bone: all that moves with it. `mesh_of[bone]` becomes its index + 1. */
static void write_meshes(struct exporter *x, uint32_t *mesh_of)
{
    const ossa_scene *scene = x->scene;
    uint32_t count = 0;
    if (scene->mesh_count == 0) return;
    ossa_json_key(&x->json, "meshes");
    ossa_json_begin_array(&x->json);
    for (uint32_t i = 0; i < scene->mesh_count;) {
        uint32_t bone = scene->meshes[i].bone;
        ossa_json_begin_object(&x->json);
        write_string(x, "name", x->names[node_of(bone)]);
        ossa_json_key(&x->json, "primitives");
        ossa_json_begin_array(&x->json);
        for (; i < scene->mesh_count && scene->meshes[i].bone == bone; i++) {
            write_primitive(x, &scene->meshes[i], x->mesh_accessors + (size_t)4 * i);
        }
        ossa_json_end_array(&x->json);
        ossa_json_end_object(&x->json);
        mesh_of[bone] = ++count;
    }
    ossa_json_end_array(&x->json);
    ossa_json_key(&x->json, "materials");
    ossa_json_begin_array(&x->json);
    for (int m = MATERIAL_COLOURS; m <= MATERIAL_PLAIN; m++) {
        static const float grey[4] = {0.8F, 0.8F, 0.8F, 1.0F};
        ossa_json_begin_object(&x->json);
        write_string(x, "name", m == MATERIAL_COLOURS ? "colours" : "plain");
        ossa_json_key(&x->json, "pbrMetallicRoughness");
        ossa_json_begin_object(&x->json);
        if (m == MATERIAL_PLAIN) write_floats(x, "baseColorFactor", grey, 4);
        write_uint(x, "metallicFactor", 0);
        ossa_json_end_object(&x->json);
        ossa_json_key(&x->json, "doubleSided");
        ossa_json_bool(&x->json, m == MATERIAL_COLOURS);
        if (m == MATERIAL_COLOURS) {
            ossa_json_key(&x->json, "extensions");
            ossa_json_begin_object(&x->json);
            ossa_json_key(&x->json, "KHR_materials_unlit");
            ossa_json_begin_object(&x->json);
            ossa_json_end_object(&x->json);
            ossa_json_end_object(&x->json);
        }
        ossa_json_end_object(&x->json);
    }
    ossa_json_end_array(&x->json);
}

static void write_channel(struct exporter *x, size_t sampler, uint32_t node, const char *path)
{
    ossa_json_begin_object(&x->json);
    write_uint(x, "sampler", sampler);
    ossa_json_key(&x->json, "target");
    ossa_json_begin_object(&x->json);
    write_uint(x, "node", node);
    write_string(x, "path", path);
    ossa_json_end_object(&x->json);
    ossa_json_end_object(&x->json);
}

static size_t write_channels(struct exporter *x)
{
    size_t sampler = 0;
    ossa_json_key(&x->json, "channels");
    ossa_json_begin_array(&x->json);
    for (uint32_t b = 0; b < x->scene->bone_count; b++) {
        uint8_t curves = x->curves[b];
        if (curves & HAS_ROTATION) write_channel(x, sampler++, node_of(b), "rotation");
        if (curves & HAS_TRANSLATION) write_channel(x, sampler++, node_of(b), "translation");
        if (curves & HAS_SCALE) write_channel(x, sampler++, node_of(b), "scale");
        if (curves & HAS_VISIBILITY) write_channel(x, sampler++, x->visible_node[b], "scale");
    }
    ossa_json_end_array(&x->json);
    return sampler;
}

static void write_sampler(struct exporter *x, const size_t accessors[2], bool steps)
{
    ossa_json_begin_object(&x->json);
    write_uint(x, "input", accessors[0]);
    write_uint(x, "output", accessors[1]);
    write_string(x, "interpolation", steps ? "STEP" : "LINEAR");
    ossa_json_end_object(&x->json);
}

static void write_samplers(struct exporter *x, const size_t *accessors)
{
    ossa_json_key(&x->json, "samplers");
    ossa_json_begin_array(&x->json);
    for (uint32_t b = 0; b < x->scene->bone_count; b++) {
        for (unsigned kind = HAS_ROTATION; kind <= HAS_VISIBILITY; kind *= 2) {
            if ((x->curves[b] & kind) == 0) continue;
            write_sampler(x, accessors, kind == HAS_VISIBILITY);
            accessors += 2;
        }
    }
    ossa_json_end_array(&x->json);
}

static void write_clip(struct exporter *x, const ossa_clip *clip, size_t *first)
{
    ossa_json_begin_object(&x->json);
    write_string(x, "name", clip->name);
    size_t count = write_channels(x);
    write_samplers(x, x->clip_accessors + *first);
    *first += 2 * count;
    ossa_json_key(&x->json, "extras");
    ossa_json_begin_object(&x->json);
    write_uint(x, "frames", clip->frame_count);
    ossa_json_key(&x->json, "fps");
    ossa_json_float(&x->json, (float)clip->fps);
    ossa_json_key(&x->json, "loop");
    ossa_json_bool(&x->json, clip->loop);
    write_string(x, "source", clip->source);
    write_string(x, "source_format", clip->source_format);
    ossa_json_end_object(&x->json);
    ossa_json_end_object(&x->json);
}

static void write_clips(struct exporter *x)
{
    size_t first = 0;
    bool any = false;
    for (uint32_t i = 0; i < x->scene->clip_count; i++) {
        if (!is_written(x, i)) continue;
        if (!any) {
            ossa_json_key(&x->json, "animations");
            ossa_json_begin_array(&x->json);
        }
        any = true;
        write_clip(x, &x->scene->clips[i], &first);
    }
    if (any) ossa_json_end_array(&x->json);
}

static void write_document(struct exporter *x, ossa_sink sink)
{
    uint32_t *mesh_of = ossa__take(&x->context, x->scene->bone_count, sizeof *mesh_of);
    if (mesh_of == NULL) return;
    memset(mesh_of, 0, x->scene->bone_count * sizeof *mesh_of);
    char generator[64];
    (void)snprintf(generator, sizeof generator, "Ossa %s", ossa_version_text());
    ossa_json_start(&x->json, sink, OSSA_JSON_LINE);
    ossa_json_begin_object(&x->json);
    ossa_json_key(&x->json, "asset");
    ossa_json_begin_object(&x->json);
    write_string(x, "version", "2.0");
    write_string(x, "generator", generator);
    ossa_json_key(&x->json, "extras");
    ossa_json_begin_object(&x->json);
    write_uint(x, "ossa", 1);
    write_string(x, "game", x->scene->game);
    ossa_json_end_object(&x->json);
    ossa_json_end_object(&x->json);
    if (x->scene->mesh_count > 0) {
        ossa_json_key(&x->json, "extensionsUsed");
        ossa_json_begin_row(&x->json);
        ossa_json_string(&x->json, "KHR_materials_unlit");
        ossa_json_end_array(&x->json);
    }
    write_uint(x, "scene", 0);
    ossa_json_key(&x->json, "scenes");
    ossa_json_begin_array(&x->json);
    ossa_json_begin_object(&x->json);
    write_string(x, "name", x->scene->name);
    ossa_json_key(&x->json, "nodes");
    ossa_json_begin_row(&x->json);
    ossa_json_uint(&x->json, 0);
    ossa_json_end_array(&x->json);
    ossa_json_end_object(&x->json);
    ossa_json_end_array(&x->json);
    write_meshes(x, mesh_of);
    write_nodes(x, mesh_of);
    write_skin(x);
    write_clips(x);
    ossa__gltf_buffer_json(&x->buffer, x->options->bin_uri, &x->json);
    ossa_json_end_object(&x->json);
    if (x->options->bin_uri != NULL) ossa_json_raw(&x->json, "\n");
    if (!ossa_json_finish(&x->json)) {
        ossa__fail_nowhere(&x->context, OSSA_IO, "", "the output could not be written");
    }
}

/* ---- files --------------------------------------------------------------------------------- */

static void send(struct exporter *x, ossa_sink sink, const void *bytes, size_t size)
{
    if (x->context.failed || size == 0) return;
    if (!sink.write(sink.user, bytes, size)) {
        ossa__fail_nowhere(&x->context, OSSA_IO, "", "the output could not be written");
    }
}

static void send_words(struct exporter *x, ossa_sink sink, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[4] = {(uint8_t)words[i], (uint8_t)(words[i] >> 8), (uint8_t)(words[i] >> 16),
                            (uint8_t)(words[i] >> 24)};
        send(x, sink, bytes, sizeof bytes);
    }
}

static void write_glb(struct exporter *x, ossa_sink sink)
{
    ossa_buffer text = {.allocator = x->context.arena.allocator};
    write_document(x, ossa_buffer_sink(&text));
    size_t padding = (4 - text.size % 4) % 4;
    uint64_t bin = x->buffer.bytes.size;
    uint64_t total = 12 + 8 + text.size + padding + (bin > 0 ? 8 + bin : 0);
    if (total > UINT32_MAX) {
        ossa__fail_nowhere(&x->context, OSSA_LIMIT, "",
                           "a GLB holds at most 4 GiB; this one would have %" PRIu64 " bytes",
                           total);
    }
    const uint32_t head[5] = {0x46546c67, 2, (uint32_t)total, (uint32_t)(text.size + padding),
                              0x4e4f534a};
    const uint32_t chunk[2] = {(uint32_t)bin, 0x004e4942};
    send_words(x, sink, head, 5);
    send(x, sink, text.data, text.size);
    send(x, sink, "   ", padding);
    if (bin > 0) {
        send_words(x, sink, chunk, 2);
        send(x, sink, x->buffer.bytes.data, x->buffer.bytes.size);
    }
    ossa_buffer_free(&text);
}

static void take_tables(struct exporter *x)
{
    struct ossa__context *context = &x->context;
    const ossa_scene *scene = x->scene;
    uint64_t channels;
    x->curves = ossa__take(context, scene->bone_count, 1);
    x->visible_node = ossa__take(context, scene->bone_count, sizeof *x->visible_node);
    x->mesh_accessors =
        ossa__take(context, 4 * (uint64_t)scene->mesh_count, sizeof *x->mesh_accessors);
    (void)ossa__multiply(scene->bone_count, 8 * (uint64_t)scene->clip_count, &channels);
    x->clip_accessors = ossa__take(context, channels, sizeof *x->clip_accessors);
    if (!context->failed) memset(x->curves, 0, scene->bone_count);
}

bool ossa_write_gltf(const ossa_scene *scene, const uint8_t *clips,
                     const ossa_gltf_options *options, ossa_sink sink, ossa_sink bin,
                     ossa_error *error)
{
    static const ossa_gltf_options defaults;
    struct exporter x = {.scene = scene, .wanted = clips};
    x.options = options == NULL ? &defaults : options;
    if (!ossa_scene_validate(scene, error)) return false;
    ossa_options plain = {.allocator = x.options->allocator, .max_memory = UINT64_MAX};
    ossa__context_init(&x.context, &plain, 0);
    ossa__gltf_buffer_init(&x.buffer, &x.context);
    take_tables(&x);
    if (!x.context.failed) {
        find_curves(&x);
        name_nodes(&x);
    }
    if (!x.context.failed) put_all(&x);
    if (!x.context.failed && x.options->bin_uri == NULL) {
        write_glb(&x, sink);
    } else if (!x.context.failed) {
        write_document(&x, sink);
        send(&x, bin, x.buffer.bytes.data, x.buffer.bytes.size);
    }
    bool ok = !x.context.failed;
    if (error != NULL) *error = ok ? (ossa_error){0} : x.context.error;
    ossa__gltf_buffer_free(&x.buffer);
    ossa__arena_free(&x.context.arena);
    return ok;
}
