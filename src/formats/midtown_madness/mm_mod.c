/* SPDX-License-Identifier: MIT
 *
 * mm-mod: the mesh of a Midtown Madness pedestrian, as text.
 *
 *     version: 1.09
 *     verts: 4                        and normals, colors, tex1s, tex2s, tangents, materials,
 *                                     adjuncts, primitives, matrices: how many there are
 *     v X Y Z                         in the space of the bone that it moves with
 *     n X Y Z                         c R G B A, t1 S T, t2 S T
 *     mtl NAME {
 *         packets: 1                  or adjuncts: 3, where there are no packets
 *         primitives: 2               textures: 1, illum: diffuse
 *         texture: 0 NAME             ambient: R G B, diffuse: R G B, specular: R G B
 *     }
 *     packet 4 2 1 {                  how many adjuncts, primitives, matrices
 *         adj V N C T1 T2 SLOT        a corner: indices of the lists; SLOT in this packet's mtx
 *         tri A B C                   of the packet's adjuncts, counter-clockwise from outside
 *         mtx 0                       which bones
 *     }
 *     mtxv 4                          per bone, how many consecutive vertices it has
 *     mtxn 2                          the same for normals
 *
 * Packets belong to the materials in order, as many as each material counts. The other dialect has
 * no packets: `adj` (without SLOT) and `tri` are at the top level, and primitives belong to the
 * materials in order. In version 1.06 the sixth number of such an `adj` is its material, and a
 * material has `texture1: NAME` and `texture2: NAME`, or `none`. Either may also be inside the
 * braces of its material. Strips, `str` and `stp`, and their winding order are known from documents
 * only. Unknown: tangents, reskins (version 1.10), and whether t of a texture coordinate counts
 * from the top (likely). */
#include "formats/midtown_madness/mm_mod_parse.h"

#include "base/json.h"
#include "formats/midtown_madness/mm_text.h"
#include "formats/modules.h"

#include <inttypes.h>
#include <string.h>

/* ---- probe --------------------------------------------------------------------------------- */

static bool is_key(const char *text, struct ossa__mm_token token, const char *word)
{
    if (token.end > token.begin && text[token.end - 1] == ':') token.end--;
    return ossa__mm_is_word(text, token, word);
}

static ossa_confidence probe_mod(const uint8_t *data, uint64_t size)
{
    const char *text = (const char *)data;
    struct ossa__mm_token version = ossa__mm_next_token(text, size, 0);
    if (!is_key(text, version, "version")) return OSSA_CONFIDENCE_NONE;
    struct ossa__mm_token number = ossa__mm_next_token(text, size, version.end);
    float value;
    if (!ossa__mm_parse_float(text, number, &value)) return OSSA_CONFIDENCE_NONE;
    struct ossa__mm_token verts = ossa__mm_next_token(text, size, number.end);
    /* What follows is binary in the later versions, which the reader names and refuses. */
    if (value >= 2.0F && value < 3.0F) return OSSA_CONFIDENCE_DAMAGED;
    if (!is_key(text, verts, "verts")) return OSSA_CONFIDENCE_NONE;
    return value >= 1.0F && value < 2.0F ? OSSA_CONFIDENCE_SIGNATURE : OSSA_CONFIDENCE_DAMAGED;
}

static bool may_begin(const uint8_t *start, uint64_t size)
{
    const char *text = (const char *)start;
    struct ossa__mm_token version = ossa__mm_next_token(text, OSSA__HEAD, 0);
    (void)size;
    return version.end == OSSA__HEAD ? !ossa__mm_is_blank(text, OSSA__HEAD)
                                     : is_key(text, version, "version");
}

/* ---- counts -------------------------------------------------------------------------------- */

static uint64_t sum_of(const uint32_t *numbers, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) sum += numbers[i];
    return sum;
}

/* The counts at the head, for lists whose length is known. */
static void check_head(struct ossa__context *context, const struct ossa__mod_text *text)
{
    const ossa_mm_mod *mod = &text->mod;
    const uint32_t found[OSSA_MM_LIST_COUNT] = {mod->vertex_count,
                                                mod->normal_count,
                                                mod->colour_count,
                                                mod->tex1_count,
                                                mod->tex2_count,
                                                0,
                                                mod->material_count,
                                                mod->adjunct_count,
                                                mod->primitive_count,
                                                mod->mtxv_count,
                                                0};
    for (unsigned i = 0; i < OSSA_MM_LIST_COUNT; i++) {
        bool is_counted = i != OSSA_MM_LIST_TANGENTS && i != OSSA_MM_LIST_RESKINS &&
                          (i != OSSA_MM_LIST_MATRICES || text->mtxv_at != 0);
        if (text->count_at[i] == 0 || !is_counted || mod->declared[i] == found[i]) continue;
        /* Of packets it counts the pool before it was split: as many as there are normals. */
        bool is_pool = i == OSSA_MM_LIST_ADJUNCTS && mod->has_packets;
        if (is_pool && mod->declared[i] == mod->normal_count) continue;
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, text->count_at[i],
                    ossa__mod_count_words[i], "says %" PRIu32 ", but there are %" PRIu32,
                    mod->declared[i], found[i]);
    }
}

static void check_packet_heads(struct ossa__context *context, const struct ossa__mod_text *text)
{
    static const char *const fields[3] = {"adjunct_count", "primitive_count", "matrix_count"};
    for (uint32_t p = 0; p < text->mod.packet_count; p++) {
        const ossa_mm_packet *packet = &text->mod.packets[p];
        const uint32_t *stated = text->packet_counts + 3 * (size_t)p;
        const uint32_t found[3] = {packet->adjunct_count, packet->primitive_count,
                                   packet->matrix_count};
        ossa__enter(context, "packets", p);
        for (unsigned i = 0; i < 3; i++) {
            if (stated[i] == found[i]) continue;
            ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, packet->at,
                        fields[i], "says %" PRIu32 ", but there are %" PRIu32, stated[i], found[i]);
        }
        ossa__leave(context);
    }
}

/* Every vertex belongs to a bone, so every vertex must be counted. */
static void check_shares(struct ossa__context *context, const struct ossa__mod_text *text)
{
    const ossa_mm_mod *mod = &text->mod;
    uint64_t vertices = sum_of(mod->mtxv, mod->mtxv_count);
    uint64_t normals = sum_of(mod->mtxn, mod->mtxn_count);
    if (text->mtxv_at != 0 && vertices != mod->vertex_count) {
        ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_COUNT, text->mtxv_at, "mtxv",
                    "counts %" PRIu64 " vertices over %" PRIu32 " bones, but there are %" PRIu32,
                    vertices, mod->mtxv_count, mod->vertex_count);
    }
    if (text->mtxn_at != 0 && normals != mod->normal_count) {
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, text->mtxn_at, "mtxn",
                    "counts %" PRIu64 " normals over %" PRIu32 " bones, but there are %" PRIu32,
                    normals, mod->mtxn_count, mod->normal_count);
    }
}

/* ---- owners -------------------------------------------------------------------------------- */

/* Report a difference between what the materials count and what there is. */
static void check_owned(struct ossa__context *context, const ossa_mm_mod *mod, const char *what,
                        uint64_t counted, uint32_t found)
{
    if (counted == found) return;
    uint64_t at = mod->material_count > 0 ? mod->materials[0].at : 0;
    ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_COUNT, at, "materials",
                "the materials count %" PRIu64 " %s, but there are %" PRIu32, counted, what, found);
}

/* Assign the packets to the materials in order. */
static void own_packets(struct ossa__context *context, struct ossa__mod_text *text)
{
    ossa_mm_mod *mod = &text->mod;
    ossa_mm_packet *packets = (ossa_mm_packet *)(uintptr_t)mod->packets;
    uint64_t counted = 0;
    uint32_t next = 0;
    for (uint32_t m = 0; m < mod->material_count; m++) {
        const ossa_mm_material *material = &mod->materials[m];
        uint64_t primitives = 0;
        counted += material->packet_count;
        for (; next < mod->packet_count && next < counted; next++) {
            packets[next].material = (int32_t)m;
            primitives += packets[next].primitive_count;
        }
        if (primitives == material->primitive_count) continue;
        ossa__enter(context, "materials", m);
        ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, material->at,
                    "primitives", "says %" PRIu32 ", but its packets have %" PRIu64,
                    material->primitive_count, primitives);
        ossa__leave(context);
    }
    check_owned(context, mod, "packets", counted, mod->packet_count);
    if (text->loose_at != 0) {
        ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ORDER, text->loose_at, "packets",
                    "a row outside all packets, expected none in a model with packets");
    }
}

/* Does a group use only its own `count` adjuncts, starting at `first`? Indices likely count from
 * the first adjunct of the model; a group that uses others is evidence against that. */
static bool keeps_to_itself(const ossa_mm_packet *packet, uint64_t first, uint32_t count)
{
    for (uint32_t i = 0; i < packet->primitive_count; i++) {
        const ossa_mm_primitive *primitive = &packet->primitives[i];
        for (uint32_t k = 0; k < primitive->index_count; k++) {
            uint32_t index = primitive->indices[k];
            if (index < first || index - first >= count) return false;
        }
    }
    return true;
}

/* The material that the corners of a primitive state; -1: none, or several, or one that does not
 * exist. */
static int32_t stated_material(const ossa_mm_mod *mod, const ossa_mm_primitive *primitive)
{
    int32_t material = -1;
    for (uint32_t k = 0; k < primitive->index_count; k++) {
        uint32_t index = primitive->indices[k];
        int32_t stated = index < mod->adjunct_count ? mod->adjuncts[index].material : -1;
        bool exists = stated >= 0 && (uint32_t)stated < mod->material_count;
        if (!exists || (k > 0 && stated != material)) return -1;
        material = stated;
    }
    return material;
}

static bool states_materials(const ossa_mm_mod *mod)
{
    for (uint32_t i = 0; i < mod->primitive_count; i++) {
        if (stated_material(mod, &mod->primitives[i]) < 0) return false;
    }
    return mod->primitive_count > 0;
}

/* A packet per run of primitives that state one material, for a text whose materials count none. */
static void make_runs(struct ossa__context *context, ossa_mm_mod *mod)
{
    uint32_t count = 0;
    ossa_mm_packet *packets = ossa__take(context, mod->primitive_count, sizeof *packets);
    for (uint32_t i = 0; packets != NULL && i < mod->primitive_count; i++) {
        int32_t material = stated_material(mod, &mod->primitives[i]);
        if (count == 0 || packets[count - 1].material != material) {
            packets[count++] = (ossa_mm_packet){.material = material,
                                                .adjunct_count = mod->adjunct_count,
                                                .adjuncts = mod->adjuncts,
                                                .primitives = mod->primitives + i,
                                                .matrices = mod->mtxv,
                                                .at = mod->primitives[i].at};
        }
        packets[count - 1].primitive_count++;
    }
    mod->packets = packets;
    mod->packet_count = count;
}

/* Do the corners state other materials than those that own them? Reported once. */
static void check_stated(struct ossa__context *context, const ossa_mm_mod *mod)
{
    uint32_t count = 0;
    const ossa_mm_adjunct *first = NULL;
    int32_t owner = 0;
    for (uint32_t p = 0; p < mod->packet_count; p++) {
        const ossa_mm_packet *packet = &mod->packets[p];
        for (uint32_t i = 0; i < packet->primitive_count; i++) {
            const ossa_mm_primitive *primitive = &packet->primitives[i];
            for (uint32_t k = 0; k < primitive->index_count; k++) {
                uint32_t index = primitive->indices[k];
                if (index >= packet->adjunct_count) continue; /* reported as a stray */
                const ossa_mm_adjunct *adjunct = &packet->adjuncts[index];
                if (adjunct->material < 0 || adjunct->material == packet->material) {
                    continue;
                }
                if (count++ > 0) continue;
                first = adjunct;
                owner = packet->material;
            }
        }
    }
    if (count == 0) return;
    ossa__enter(context, "adjuncts", OSSA__NO_INDEX);
    ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, first->at, "material",
                "%" PRIu32 " corners state another material than the one that counts them; the "
                "first states %" PRId32 ", but material %" PRId32 " counts it",
                count, first->material, owner);
    ossa__leave(context);
}

/* Without packets, make one per material, with its primitives and all adjuncts. */
static void make_packets(struct ossa__context *context, struct ossa__mod_text *text)
{
    ossa_mm_mod *mod = &text->mod;
    ossa_mm_packet *packets = ossa__take(context, mod->material_count, sizeof *packets);
    if (packets == NULL) return;
    uint64_t adjuncts = 0;
    uint64_t counted = 0;
    uint32_t next = 0;
    for (uint32_t m = 0; m < mod->material_count; m++) counted += mod->materials[m].primitive_count;
    if (counted == 0 && states_materials(mod)) {
        make_runs(context, mod);
        return;
    }
    for (uint32_t m = 0; m < mod->material_count; m++) {
        const ossa_mm_material *material = &mod->materials[m];
        uint32_t left = mod->primitive_count - next;
        uint32_t own = material->primitive_count < left ? material->primitive_count : left;
        packets[m] = (ossa_mm_packet){.material = (int32_t)m,
                                      .adjunct_count = mod->adjunct_count,
                                      .adjuncts = mod->adjuncts,
                                      .primitive_count = own,
                                      .primitives = mod->primitives + next,
                                      .matrices = mod->mtxv,
                                      .at = material->at};
        uint32_t count = material->adjunct_count;
        bool is_own = count == 0 || keeps_to_itself(&packets[m], adjuncts, count);
        bool counts_own = !is_own && text->holds_rows[m] != 0 && adjuncts < mod->adjunct_count &&
                          count <= mod->adjunct_count - adjuncts &&
                          keeps_to_itself(&packets[m], 0, count);
        if (counts_own) { /* from the first in its braces, as in a packet */
            packets[m].adjuncts += adjuncts;
            packets[m].adjunct_count = count;
        } else if (!is_own) {
            ossa__enter(context, "materials", m);
            ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, material->at,
                        "adjuncts",
                        "the primitives use adjuncts other than the material's own %" PRIu32
                        ", which start at %" PRIu64,
                        material->adjunct_count, adjuncts);
            ossa__leave(context);
        }
        next += own;
        adjuncts += material->adjunct_count;
    }
    mod->packets = packets;
    mod->packet_count = mod->material_count;
    check_owned(context, mod, "primitives", counted, mod->primitive_count);
    /* Version 1.06 does not count these. */
    if (adjuncts != 0) check_owned(context, mod, "adjuncts", adjuncts, mod->adjunct_count);
    check_stated(context, mod);
}

/* ---- indices ------------------------------------------------------------------------------- */

/* Indices out of range, reported once per kind at the first one. */
struct strays {
    uint32_t count;
    uint32_t at;
    int64_t index;
};

static void note_stray(struct strays *strays, uint32_t at, int64_t index)
{
    if (strays->count++ > 0) return;
    strays->at = at;
    strays->index = index;
}

static void report_strays(struct ossa__context *context, const struct strays *strays,
                          const char *field, const char *list, uint32_t size)
{
    if (strays->count == 0) return;
    ossa__issue(context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, strays->at, field,
                "%" PRIu32 " out of range: the first refers to %s %" PRId64
                ", but there are only %" PRIu32,
                strays->count, list, strays->index, size);
}

static void check_adjuncts(struct ossa__context *context, const ossa_mm_mod *mod)
{
    enum { MEMBERS = 5 };
    static const char *const fields[MEMBERS] = {"vertex", "normal", "colour", "tex1", "tex2"};
    const uint32_t sizes[MEMBERS] = {mod->vertex_count, mod->normal_count, mod->colour_count,
                                     mod->tex1_count, mod->tex2_count};
    struct strays strays[MEMBERS] = {{0}};
    for (uint32_t i = 0; i < mod->adjunct_count; i++) {
        const ossa_mm_adjunct *adjunct = &mod->adjuncts[i];
        const int32_t indices[MEMBERS] = {adjunct->vertex, adjunct->normal, adjunct->colour,
                                          adjunct->tex1, adjunct->tex2};
        for (unsigned k = 0; k < MEMBERS; k++) {
            /* An index into a missing list is accepted; only the vertex is required. */
            bool is_none = k > 0 && (indices[k] < 0 || sizes[k] == 0);
            bool is_inside = indices[k] >= 0 && (uint32_t)indices[k] < sizes[k];
            if (!is_none && !is_inside) note_stray(&strays[k], adjunct->at, indices[k]);
        }
    }
    ossa__enter(context, "adjuncts", OSSA__NO_INDEX);
    for (unsigned k = 0; k < MEMBERS; k++) {
        report_strays(context, &strays[k], fields[k], fields[k], sizes[k]);
    }
    ossa__leave(context);
}

/* Corners of primitives, slots of corners, and matrices of packets. */
static void check_packets(struct ossa__context *context, const ossa_mm_mod *mod)
{
    struct strays corners = {0};
    struct strays slots = {0};
    struct strays bones = {0};
    uint32_t corner_limit = 0; /* of the packet of the first stray one */
    uint32_t slot_limit = 0;
    for (uint32_t p = 0; p < mod->packet_count; p++) {
        const ossa_mm_packet *packet = &mod->packets[p];
        for (uint32_t i = 0; i < packet->primitive_count; i++) {
            const ossa_mm_primitive *primitive = &packet->primitives[i];
            for (uint32_t k = 0; k < primitive->index_count; k++) {
                if (primitive->indices[k] < packet->adjunct_count) continue;
                if (corners.count == 0) corner_limit = packet->adjunct_count;
                note_stray(&corners, primitive->at, primitive->indices[k]);
            }
        }
        for (uint32_t i = 0; mod->has_packets && i < packet->adjunct_count; i++) {
            const ossa_mm_adjunct *adjunct = &packet->adjuncts[i];
            bool is_none = adjunct->slot < 0 || packet->matrix_count == 0;
            if (is_none || (uint32_t)adjunct->slot < packet->matrix_count) continue;
            if (slots.count == 0) slot_limit = packet->matrix_count;
            note_stray(&slots, adjunct->at, adjunct->slot);
        }
        for (uint32_t i = 0; mod->mtxv_count > 0 && i < packet->matrix_count; i++) {
            if (packet->matrices[i] >= mod->mtxv_count) {
                note_stray(&bones, packet->at, packet->matrices[i]);
            }
        }
    }
    ossa__enter(context, "packets", OSSA__NO_INDEX);
    report_strays(context, &corners, "primitives", "adjunct", corner_limit);
    report_strays(context, &slots, "slot", "packet matrix", slot_limit);
    report_strays(context, &bones, "matrices", "bone", mod->mtxv_count);
    ossa__leave(context);
}

/* ---- read and write ------------------------------------------------------------------------ */

static void *read_mod(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    if (size > UINT32_MAX) {
        ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "",
                           "%" PRIu64 " bytes are more than a text file can have (4 GiB)", size);
        return NULL;
    }
    struct ossa__mod_text *text = ossa__mod_parse(context, data, size);
    if (text == NULL) return NULL;
    check_head(context, text);
    check_shares(context, text);
    if (text->mod.has_packets) {
        check_packet_heads(context, text);
        own_packets(context, text);
    } else {
        make_packets(context, text);
    }
    if (context->failed) return NULL;
    check_adjuncts(context, &text->mod);
    check_packets(context, &text->mod);
    return text;
}

static void write_mod(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_mm_mod *mod = contents;
    (void)context;
    ossa__write_bytes(writer, mod->text, mod->text_size);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_material(struct ossa__json *json, const ossa_mm_material *material)
{
    ossa__json_begin_object(json);
    ossa__json_key(json, "name");
    ossa__dump_latin(json, material->name, material->name_size);
    ossa__json_key(json, "texture");
    ossa__dump_latin(json, material->texture, material->texture_size);
    ossa__json_key(json, "texture2");
    ossa__dump_latin(json, material->texture2, material->texture2_size);
    ossa__json_key(json, "illum");
    ossa__dump_latin(json, material->illum, material->illum_size);
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
        ossa__json_int(json, adjunct->vertex);
        ossa__json_int(json, adjunct->normal);
        ossa__json_int(json, adjunct->colour);
        ossa__json_int(json, adjunct->tex1);
        ossa__json_int(json, adjunct->tex2);
        ossa__json_int(json, adjunct->slot >= 0 ? adjunct->slot : adjunct->material);
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
        ossa__json_int(json, packet->material);
        dump_adjuncts(json, packet->adjuncts, packet->adjunct_count);
        dump_primitives(json, packet->primitives, packet->primitive_count);
        ossa__member_u32s(json, "matrices", packet->matrices, packet->matrix_count);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
}

static void dump_mod(const void *contents, struct ossa__json *json)
{
    const ossa_mm_mod *mod = contents;
    ossa__dump_lines(json, mod->text, mod->text_size);
    ossa__json_key(json, "version");
    ossa__dump_latin(json, mod->version, mod->version_size);
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

static void *build_mod(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    (void)size;
    /* All of it follows from the lines. */
    ossa__value_allow(data, "lines version dialect vertices normals colours tex1s tex2s materials "
                            "packets adjuncts primitives mtxv mtxn");
    ossa_mm_mod *mod = ossa__take(context, 1, sizeof *mod);
    size_t text_size;
    const char *text = ossa__build_lines(context, data, &text_size);
    if (text == NULL) return NULL;
    *mod = (ossa_mm_mod){.text = text, .text_size = text_size};
    return mod;
}

/* ---- describe ------------------------------------------------------------------------------ */

static void list_materials(struct ossa__report *report, const ossa_mm_mod *mod)
{
    static const struct ossa__column columns[] = {
        {"name", "material", -24}, {"texture", "texture", -20}, {"primitives", "primitives", 10},
        {"red", "red", 9},         {"green", "green", 9},       {"blue", "blue", 9}};
    ossa__report_begin_table(report, "materials", columns, 6);
    for (uint32_t i = 0; i < mod->material_count; i++) {
        const ossa_mm_material *material = &mod->materials[i];
        struct ossa__piece texture = ossa__show_piece(material->texture, material->texture_size);
        ossa__report_begin_row(report);
        ossa__report_cell_text(report, &columns[0],
                               ossa__show_piece(material->name, material->name_size).text);
        ossa__report_cell_text(report, &columns[1],
                               material->texture_size == 0 ? "-" : texture.text);
        ossa__report_cell_integer(report, &columns[2], material->primitive_count);
        for (unsigned k = 0; k < 3; k++) {
            ossa__report_cell_number(report, &columns[3 + k], (double)material->diffuse[k]);
        }
        ossa__report_end_row(report);
    }
    ossa__report_end_table(report);
}

static void describe_mod(const void *contents, struct ossa__report *report)
{
    const ossa_mm_mod *mod = &((const struct ossa__mod_text *)contents)->mod;
    uint32_t strips = 0;
    for (uint32_t i = 0; i < mod->primitive_count; i++) {
        strips += mod->primitives[i].kind == OSSA_MM_PRIMITIVE_KIND_TRIANGLE ? 0 : 1;
    }
    ossa__report_text(report, "version", "version",
                      ossa__show_piece(mod->version, mod->version_size).text);
    ossa__report_text(report, "dialect", "dialect", mod->has_packets ? "packets" : "flat");
    ossa__report_integer(report, "vertices", "vertices", mod->vertex_count);
    ossa__report_integer(report, "normals", "normals", mod->normal_count);
    ossa__report_integer(report, "colours", "colours", mod->colour_count);
    ossa__report_integer(report, "tex1s", "texcoords", mod->tex1_count);
    if (mod->has_packets) {
        ossa__report_integer(report, "packets", "packets", mod->packet_count);
    }
    ossa__report_integer(report, "adjuncts", "adjuncts", mod->adjunct_count);
    ossa__report_integer(report, "primitives", "primitives", mod->primitive_count);
    ossa__report_integer(report, "bones", "bones", mod->mtxv_count);
    list_materials(report, mod);
    if (strips > 0)
        ossa__report_note(report,
                          "the winding order of triangles in strips is likely, not certain");
    ossa__report_note(
        report, "vertices are in the space of their bones; placing them needs a skeleton (SKEL)");
}

ossa_mm_mod *ossa_as_mm_mod(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_mm_mod);
}

static const char *const signs[] = {"verts", "mtl", "packet", NULL};

const struct ossa__format ossa__format_mm_mod = {
    .about = {.id = "mm-mod",
              .title = "Midtown Madness mesh",
              .game = "Midtown Madness 1 and 2 (1999, 2000)",
              .extensions = "mod",
              .kind = OSSA_KIND_MODEL},
    .game = &ossa__game_midtown_madness,
    .role = OSSA__ROLE_PART,
    .is_text = true,
    .signs = signs,
    .probe = probe_mod,
    .may_begin = may_begin,
    .read = read_mod,
    .write = write_mod,
    .dump = dump_mod,
    .build = OSSA__BUILT_BY(build_mod),
    .describe = describe_mod,
};
