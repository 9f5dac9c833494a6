/* SPDX-License-Identifier: MIT
 *
 * What a model becomes: its text again, and JSON. */
#include "formats/midtown_madness/mm_mod.h"

#include "base/json.h"

void ossa__mod_write(struct ossa__context *context, const void *contents,
                     struct ossa__writer *writer)
{
    const ossa_mm_mod *mod = contents;
    (void)context;
    ossa__write_bytes(writer, mod->text, mod->text_size);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_index(struct ossa__json *json, uint32_t index)
{
    ossa__json_int(json, index == OSSA_MM_NONE ? -1 : (int64_t)index);
}

static void dump_material(struct ossa__json *json, const ossa_mm_material *material)
{
    ossa__json_begin_object(json);
    ossa__json_key(json, "name");
    ossa__mm_dump_word(json, material->name, material->name_size);
    ossa__json_key(json, "texture");
    ossa__mm_dump_word(json, material->texture, material->texture_size);
    ossa__json_key(json, "illum");
    ossa__mm_dump_word(json, material->illum, material->illum_size);
    ossa__member_floats(json, "ambient", material->ambient, 3);
    ossa__member_floats(json, "diffuse", material->diffuse, 3);
    ossa__member_floats(json, "specular", material->specular, 3);
    ossa__member_uint(json, "packets", material->packet_count);
    ossa__member_uint(json, "adjuncts", material->adjunct_count);
    ossa__member_uint(json, "primitives", material->primitive_count);
    ossa__json_end_object(json);
}

static void dump_adjuncts(struct ossa__json *json, const ossa_mm_adjunct *adjuncts, uint32_t count)
{
    ossa__json_key(json, "adjuncts");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < count; i++) {
        const ossa_mm_adjunct *adjunct = &adjuncts[i];
        ossa__json_begin_row(json);
        dump_index(json, adjunct->vertex);
        dump_index(json, adjunct->normal);
        dump_index(json, adjunct->colour);
        dump_index(json, adjunct->tex1);
        dump_index(json, adjunct->tex2);
        dump_index(json, adjunct->slot);
        ossa__json_end_array(json);
    }
    ossa__json_end_array(json);
}

static void dump_primitives(struct ossa__json *json, const ossa_mm_primitive *primitives,
                            uint32_t count)
{
    static const char *const kinds[3] = {"tri", "str", "stp"};
    ossa__json_key(json, "primitives");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < count; i++) {
        ossa__json_begin_object(json);
        ossa__member_text(json, "kind", kinds[primitives[i].kind]);
        ossa__member_u32s(json, "indices", primitives[i].indices, primitives[i].index_count);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
}

static void dump_packets(struct ossa__json *json, const ossa_mm_mod *mod)
{
    ossa__json_key(json, "packets");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < mod->packet_count; i++) {
        const ossa_mm_packet *packet = &mod->packets[i];
        ossa__json_begin_object(json);
        ossa__json_key(json, "material");
        dump_index(json, packet->material);
        dump_adjuncts(json, packet->adjuncts, packet->adjunct_count);
        dump_primitives(json, packet->primitives, packet->primitive_count);
        ossa__member_u32s(json, "matrices", packet->matrices, packet->matrix_count);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
}

void ossa__mod_dump(const void *contents, struct ossa__json *json)
{
    const ossa_mm_mod *mod = contents;
    ossa__mm_dump_lines(json, mod->text, mod->text_size);
    ossa__json_key(json, "version");
    ossa__mm_dump_word(json, mod->version, mod->version_size);
    ossa__member_text(json, "dialect", mod->has_packets ? "packets" : "flat");
    ossa__member_rows(json, "vertices", (const float *)mod->vertices, mod->vertex_count, 3);
    ossa__member_rows(json, "normals", (const float *)mod->normals, mod->normal_count, 3);
    ossa__member_rows(json, "colours", (const float *)mod->colours, mod->colour_count, 4);
    ossa__member_rows(json, "tex1s", (const float *)mod->tex1s, mod->tex1_count, 2);
    ossa__member_rows(json, "tex2s", (const float *)mod->tex2s, mod->tex2_count, 2);
    ossa__json_key(json, "materials");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < mod->material_count; i++) dump_material(json, &mod->materials[i]);
    ossa__json_end_array(json);
    if (mod->has_packets) {
        dump_packets(json, mod);
    } else {
        dump_adjuncts(json, mod->adjuncts, mod->adjunct_count);
        dump_primitives(json, mod->primitives, mod->primitive_count);
    }
    ossa__member_u32s(json, "mtxv", mod->mtxv, mod->mtxv_count);
    ossa__member_u32s(json, "mtxn", mod->mtxn, mod->mtxn_count);
}

void *ossa__mod_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    (void)size;
    /* All of it follows from the lines. */
    ossa__value_allow(data, "lines version dialect vertices normals colours tex1s tex2s materials "
                            "packets adjuncts primitives mtxv mtxn");
    ossa_mm_mod *mod = ossa__take(context, 1, sizeof *mod);
    size_t text_size;
    const char *text = ossa__mm_build_lines(context, data, &text_size);
    if (text == NULL) return NULL;
    *mod = (ossa_mm_mod){.text = text, .text_size = text_size};
    return mod;
}
