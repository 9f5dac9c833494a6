/* SPDX-License-Identifier: MIT
 *
 * Materials and textures of a glTF. Only those that a mesh uses are written, in slots:
 *
 *     0           "colours": what has colours of its own and no material shines by itself, as the
 *                 console drew it
 *     1           "plain": what has neither
 *     2 + 2 * i   material i of the scene
 *     3 + 2 * i   the same without its texture, for meshes that have no texture coordinates: glTF
 *                 does not allow a texture there
 */
#include "export/gltf_parts.h"
#include "ossa/export.h"
#include "scene/extras.h"

#include <inttypes.h>
#include <stdio.h>

enum { SLOT_COLOURS, SLOT_PLAIN, SLOT_FIRST };

static uint64_t count_slots(const struct ossa__gltf *x)
{
    return SLOT_FIRST + 2 * (uint64_t)x->scene->material_count;
}

/* Of a material that a mesh shows: its own, or that of a variant. */
static uint64_t slot_of(const struct ossa__gltf *x, const ossa_mesh *mesh, int32_t material)
{
    if (material < 0) return mesh->colours != NULL ? SLOT_COLOURS : SLOT_PLAIN;
    uint64_t index = (uint64_t)material;
    bool lacks = x->scene->materials[index].texture >= 0 && mesh->texcoords == NULL;
    return SLOT_FIRST + 2 * index + (lacks ? 1 : 0);
}

void ossa__gltf_find_materials(struct ossa__gltf *x)
{
    uint64_t count = count_slots(x);
    x->material_slots = ossa__take(&x->context, count, sizeof *x->material_slots);
    if (x->material_slots == NULL) return;
    memset(x->material_slots, 0, (size_t)count * sizeof *x->material_slots);
    for (uint32_t i = 0; i < x->scene->mesh_count; i++) {
        const ossa_mesh *mesh = &x->scene->meshes[i];
        x->material_slots[slot_of(x, mesh, mesh->material)] = 1;
        for (uint32_t v = 0; v < x->scene->variant_count; v++) {
            x->material_slots[slot_of(x, mesh, ossa__gltf_variant_material(x, mesh, v))] = 1;
        }
    }
    uint32_t used = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (x->material_slots[i] != 0) x->material_slots[i] = ++used;
    }
}

uint32_t ossa__gltf_place_of(const struct ossa__gltf *x, const ossa_mesh *mesh, int32_t material)
{
    return x->material_slots[slot_of(x, mesh, material)] - 1;
}

uint32_t ossa__gltf_material_of(const struct ossa__gltf *x, const ossa_mesh *mesh)
{
    return ossa__gltf_place_of(x, mesh, mesh->material);
}

bool ossa__gltf_has_unlit(const struct ossa__gltf *x)
{
    bool has = x->material_slots[SLOT_COLOURS] != 0;
    for (uint64_t i = SLOT_FIRST; i < count_slots(x) && !has; i++) {
        has = x->material_slots[i] != 0 && x->scene->materials[(i - SLOT_FIRST) / 2].is_unlit;
    }
    return has;
}

/* ---- textures ------------------------------------------------------------------------------ */

/* The texture that the material in a slot shows; -1: none. */
static int64_t texture_in(const struct ossa__gltf *x, uint64_t slot)
{
    if (slot < SLOT_FIRST || slot % 2 == 1) return -1;
    return x->scene->materials[(slot - SLOT_FIRST) / 2].texture;
}

/* How a material wants its texture to go on, as in ossa__gltf_texture. */
static unsigned wrap_of(const ossa_material *material)
{
    return (material->is_clamped[0] ? 1U : 0U) | (material->is_clamped[1] ? 2U : 0U);
}

/* Is most of what can be seen of a texture half there: a ghost or water? The soft edge of
 * something cut out has such pixels too, but few. */
static bool is_sheer(const ossa_texture *texture)
{
    uint64_t count = (uint64_t)texture->width * texture->height;
    uint64_t seen = 0;
    uint64_t partly = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint8_t alpha = texture->pixels[i][3];
        if (alpha >= 16) seen++;
        if (alpha >= 16 && alpha < 240) partly++;
    }
    return partly > seen / 2;
}

/* Packed once, and kept until it is written: its size is not known before. */
static void pack_image(struct ossa__gltf *x, uint32_t index, ossa_buffer *room)
{
    const ossa_texture *texture = &x->scene->textures[index];
    const ossa_export_options options = {.allocator = x->options->allocator};
    ossa_error error;
    room->size = 0;
    if (!ossa_write_png(texture, &options, ossa_buffer_sink(room), &error)) {
        bool is_full = error.code == OSSA_CODE_IO; /* our own buffer: it can only lack memory */
        ossa__fail_nowhere(&x->context, is_full ? OSSA_CODE_OUT_OF_MEMORY : error.code, "",
                           "the texture '%.80s': %s", texture->name, error.message);
        return;
    }
    uint8_t *bytes = ossa__take(&x->context, room->size, 1);
    if (bytes == NULL) return;
    memcpy(bytes, room->data, room->size);
    x->pictures[x->image_count] = (struct ossa__gltf_picture){bytes, room->size};
    x->images[index] = ++x->image_count;
    x->is_sheer[index] = is_sheer(texture);
}

static void pack_images(struct ossa__gltf *x)
{
    ossa_buffer room = {.allocator = x->context.arena.allocator};
    uint32_t count = x->scene->texture_count;
    uint64_t slots = count_slots(x);
    x->images = ossa__take(&x->context, count, sizeof *x->images);
    x->is_sheer = ossa__take(&x->context, count, sizeof *x->is_sheer);
    x->pictures = ossa__take(&x->context, count, sizeof *x->pictures);
    if (x->context.failed) return;
    memset(x->images, 0, count * sizeof *x->images);
    for (uint64_t i = 0; i < slots && !x->context.failed; i++) {
        int64_t texture = x->material_slots[i] != 0 ? texture_in(x, i) : -1;
        if (texture < 0 || x->images[texture] != 0) continue;
        pack_image(x, (uint32_t)texture, &room);
    }
    ossa_buffer_free(&room);
}

/* One texture for each image and wrap that a material asks for. */
static void list_textures(struct ossa__gltf *x)
{
    uint64_t slots = count_slots(x);
    uint64_t count = x->scene->texture_count;
    x->texture_places = ossa__take(&x->context, count, sizeof *x->texture_places);
    x->textures = ossa__take(&x->context, 4 * count, sizeof *x->textures);
    if (x->context.failed) return;
    memset(x->texture_places, 0, (size_t)count * sizeof *x->texture_places);
    for (uint64_t i = 0; i < slots; i++) {
        int64_t texture = x->material_slots[i] != 0 ? texture_in(x, i) : -1;
        if (texture < 0) continue;
        unsigned wrap = wrap_of(&x->scene->materials[(i - SLOT_FIRST) / 2]);
        if (x->texture_places[texture][wrap] != 0) continue;
        x->textures[x->texture_count] = (struct ossa__gltf_texture){(uint32_t)texture, wrap};
        x->texture_places[texture][wrap] = ++x->texture_count;
    }
}

void ossa__gltf_put_images(struct ossa__gltf *x)
{
    if (!x->buffer.writes) pack_images(x);
    if (!x->buffer.writes && !x->context.failed) list_textures(x);
    for (uint32_t i = 0; i < x->image_count && !x->context.failed; i++) {
        size_t view = ossa__gltf_put_picture(&x->buffer, x->pictures[i].bytes, x->pictures[i].size);
        if (i == 0) x->first_image = view;
    }
}

/* ---- the document -------------------------------------------------------------------------- */

static void write_flag(struct ossa__gltf *x, const char *key)
{
    ossa__json_key(&x->json, key);
    ossa__json_bool(&x->json, true);
}

static void write_unlit(struct ossa__gltf *x)
{
    ossa__json_key(&x->json, "extensions");
    ossa__json_begin_object(&x->json);
    ossa__json_key(&x->json, "KHR_materials_unlit");
    ossa__json_begin_object(&x->json);
    ossa__json_end_object(&x->json);
    ossa__json_end_object(&x->json);
}

static void write_own_material(struct ossa__gltf *x, bool colours)
{
    static const float grey[4] = {0.8F, 0.8F, 0.8F, 1.0F};
    ossa__json_begin_object(&x->json);
    ossa__gltf_string(x, "name", colours ? "colours" : "plain");
    ossa__json_key(&x->json, "pbrMetallicRoughness");
    ossa__json_begin_object(&x->json);
    if (!colours) ossa__gltf_floats(x, "baseColorFactor", grey, 4);
    ossa__gltf_uint(x, "metallicFactor", 0);
    ossa__json_end_object(&x->json);
    if (colours) {
        write_flag(x, "doubleSided");
        write_unlit(x);
    }
    ossa__json_end_object(&x->json);
}

/* Holes are cut out (MASK), which is right in every viewer. BLEND is not: viewers draw such meshes
 * in the order of their middles and without depth, and the back of a head shows through its front.
 * So it is kept for what is sheer as a whole, and for what the game blends. */
static void write_alpha(struct ossa__gltf *x, const ossa_material *material, int64_t texture)
{
    bool blends = material->colour[3] < 1.0F || material->is_blended;
    if (material->alpha_cutoff > 0.0F) {
        ossa__gltf_string(x, "alphaMode", "MASK");
        ossa__gltf_float(x, "alphaCutoff", material->alpha_cutoff);
        return;
    }
    if (!material->is_transparent && !blends) return;
    if (material->is_transparent && texture >= 0) {
        blends = blends || x->is_sheer[texture];
    } else if (!blends) {
        return; /* nothing that could be seen through */
    }
    ossa__gltf_string(x, "alphaMode", blends ? "BLEND" : "MASK"); /* cut at 1/2, the default */
}

static void write_material(struct ossa__gltf *x, uint64_t slot)
{
    static const float white[4] = {1.0F, 1.0F, 1.0F, 1.0F};
    const ossa_material *material = &x->scene->materials[(slot - SLOT_FIRST) / 2];
    int64_t texture = texture_in(x, slot);
    if (texture >= 0 && x->images[texture] == 0) texture = -1;
    ossa__json_begin_object(&x->json);
    ossa__gltf_string(x, "name", material->name);
    ossa__json_key(&x->json, "pbrMetallicRoughness");
    ossa__json_begin_object(&x->json);
    if (ossa__gltf_differs(material->colour, white, 4)) {
        ossa__gltf_floats(x, "baseColorFactor", material->colour, 4);
    }
    if (texture >= 0) {
        ossa__json_key(&x->json, "baseColorTexture");
        ossa__json_begin_object(&x->json);
        ossa__gltf_uint(x, "index", x->texture_places[texture][wrap_of(material)] - 1);
        ossa__json_end_object(&x->json);
    }
    ossa__gltf_uint(x, "metallicFactor", 0);
    ossa__json_end_object(&x->json);
    write_alpha(x, material, texture);
    if (material->is_double_sided) write_flag(x, "doubleSided");
    if (material->is_unlit) write_unlit(x);
    if (material->extra_count > 0) {
        ossa__json_key(&x->json, "extras");
        ossa__json_begin_object(&x->json);
        ossa__json_extras(&x->json, material->extras, material->extra_count);
        ossa__json_end_object(&x->json);
    }
    ossa__json_end_object(&x->json);
}

/* All are smooth; those that are clamped along u or v do not repeat there. */
static void write_sampler(struct ossa__gltf *x, unsigned wrap)
{
    enum { LINEAR = 9729, LINEAR_MIPMAP_LINEAR = 9987, REPEAT = 10497, CLAMP_TO_EDGE = 33071 };
    ossa__json_begin_object(&x->json);
    ossa__gltf_uint(x, "magFilter", LINEAR);
    ossa__gltf_uint(x, "minFilter", LINEAR_MIPMAP_LINEAR);
    ossa__gltf_uint(x, "wrapS", (wrap & 1) != 0 ? CLAMP_TO_EDGE : REPEAT);
    ossa__gltf_uint(x, "wrapT", (wrap & 2) != 0 ? CLAMP_TO_EDGE : REPEAT);
    ossa__json_end_object(&x->json);
}

/* "textures", "images" and the ways in which they are shown. */
static void write_textures(struct ossa__gltf *x)
{
    unsigned wraps[4];
    uint32_t samplers[4] = {0}; /* by wrap: its place in the file + 1 */
    uint32_t sampler_count = 0;
    if (x->image_count == 0) return;
    const ossa_texture **shown = ossa__take(&x->context, x->image_count, sizeof *shown);
    if (shown == NULL) return;
    ossa__json_key(&x->json, "textures");
    ossa__json_begin_array(&x->json);
    for (uint32_t i = 0; i < x->texture_count; i++) {
        const struct ossa__gltf_texture *texture = &x->textures[i];
        uint32_t image = x->images[texture->texture] - 1;
        shown[image] = &x->scene->textures[texture->texture];
        if (samplers[texture->wrap] == 0) {
            wraps[sampler_count] = texture->wrap;
            samplers[texture->wrap] = ++sampler_count;
        }
        ossa__json_begin_object(&x->json);
        ossa__gltf_string(x, "name", shown[image]->name);
        ossa__gltf_uint(x, "sampler", samplers[texture->wrap] - 1);
        ossa__gltf_uint(x, "source", image);
        ossa__json_end_object(&x->json);
    }
    ossa__json_end_array(&x->json);
    ossa__json_key(&x->json, "images");
    ossa__json_begin_array(&x->json);
    for (uint32_t i = 0; i < x->image_count; i++) {
        ossa__json_begin_object(&x->json);
        ossa__gltf_string(x, "name", shown[i]->name);
        ossa__gltf_string(x, "mimeType", "image/png");
        ossa__gltf_uint(x, "bufferView", x->first_image + i);
        ossa__json_end_object(&x->json);
    }
    ossa__json_end_array(&x->json);
    ossa__json_key(&x->json, "samplers");
    ossa__json_begin_array(&x->json);
    for (uint32_t i = 0; i < sampler_count; i++) write_sampler(x, wraps[i]);
    ossa__json_end_array(&x->json);
}

void ossa__gltf_write_materials(struct ossa__gltf *x)
{
    uint64_t count = count_slots(x);
    ossa__json_key(&x->json, "materials");
    ossa__json_begin_array(&x->json);
    for (uint64_t i = 0; i < count; i++) {
        if (x->material_slots[i] == 0) continue;
        if (i < SLOT_FIRST) write_own_material(x, i == SLOT_COLOURS);
        else write_material(x, i);
    }
    ossa__json_end_array(&x->json);
    write_textures(x);
}
