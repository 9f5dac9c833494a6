/* SPDX-License-Identifier: MIT
 *
 * Meshes of a glTF: a mesh on each bone, and one that is bound to all of them: of what moves with
 * several bones, or (options.skin) of all triangles.
 *
 * The mesh of a skin is in the model's space, at rest: the inverse binds of its joints take each
 * vertex back to the bones. Weighted vertices are in that space already. What is alike, in material
 * and in what a vertex has, is one primitive. A mesh with morph targets is a primitive of its own:
 * all primitives of a mesh must have the same targets, and so the others need nothing but one row
 * of zeros for all of them. */
#include "export/gltf_parts.h"
#include "export/srgb.h"

#include "codec/sort.h"

#include <inttypes.h>
#include <math.h>

/* ---- which there are ----------------------------------------------------------------------- */

/* Which of two meshes in a skin comes first: those with targets last, each for itself. */
static int compare_kinds(const struct ossa__gltf *x, const ossa_mesh *a, const ossa_mesh *b)
{
    const uint32_t keys[2][6] = {
        {a->target_count > 0, ossa__gltf_material_of(x, a), a->normals != NULL, a->colours != NULL,
         a->texcoords != NULL, a->texcoords2 != NULL},
        {b->target_count > 0, ossa__gltf_material_of(x, b), b->normals != NULL, b->colours != NULL,
         b->texcoords != NULL, b->texcoords2 != NULL}};
    for (unsigned k = 0; k < 6; k++) {
        if (keys[0][k] != keys[1][k]) return keys[0][k] < keys[1][k] ? -1 : 1;
        if (k == 0 && keys[0][0] != 0) return 0; /* they stay in their order */
    }
    return 0;
}

static bool kind_before(const void *a, const void *b, void *user)
{
    const struct ossa__gltf *x = user;
    const ossa_mesh *meshes = x->scene->meshes;
    return compare_kinds(x, &meshes[*(const uint32_t *)a], &meshes[*(const uint32_t *)b]) < 0;
}

static uint32_t plan_rigid(struct ossa__gltf *x)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < x->scene->mesh_count; i++) {
        const ossa_mesh *mesh = &x->scene->meshes[i];
        uint32_t node = ossa__gltf_node_of(mesh->bone);
        if (ossa__gltf_is_skinned(x, mesh)) continue;
        bool is_next = x->mesh_count > 0 && x->meshes[x->mesh_count - 1].node == node;
        if (!is_next) {
            x->meshes[x->mesh_count++] = (struct ossa__gltf_mesh){.node = node, .first = count};
        }
        struct ossa__gltf_mesh *whole = &x->meshes[x->mesh_count - 1];
        whole->count++;
        whole->target_count = mesh->target_count; /* the only one where it has any */
        x->order[count] = i;
        x->primitives[count] = (struct ossa__gltf_primitive){
            .first = count, .count = 1, .vertex_count = mesh->vertex_count};
        count++;
    }
    return count;
}

static void plan_skin(struct ossa__gltf *x, uint32_t first)
{
    const ossa_mesh *meshes = x->scene->meshes;
    uint32_t count = first;
    for (uint32_t i = 0; i < x->scene->mesh_count; i++) {
        if (ossa__gltf_is_skinned(x, &meshes[i])) x->order[count++] = i;
    }
    if (!ossa__sort(&x->context, x->order + first, count - first, sizeof *x->order, kind_before,
                    x)) {
        return;
    }
    struct ossa__gltf_mesh *whole = &x->meshes[x->mesh_count++];
    *whole = (struct ossa__gltf_mesh){
        .node = x->skin_node, .first = first, .target_count = x->skin_target_count};
    for (uint32_t i = first; i < count; i++) {
        const ossa_mesh *mesh = &meshes[x->order[i]];
        bool is_alike = i > first && mesh->target_count == 0 &&
                        compare_kinds(x, &meshes[x->order[i - 1]], mesh) == 0;
        if (!is_alike) {
            x->primitives[first + whole->count++] = (struct ossa__gltf_primitive){.first = i};
        }
        struct ossa__gltf_primitive *primitive = &x->primitives[first + whole->count - 1];
        if (mesh->vertex_count >= UINT32_MAX - primitive->vertex_count) {
            ossa__fail_nowhere(&x->context, OSSA_CODE_LIMIT, "",
                               "the vertices are too many for a skin");
            return;
        }
        primitive->count++;
        primitive->vertex_count += mesh->vertex_count;
    }
}

void ossa__gltf_plan_meshes(struct ossa__gltf *x)
{
    uint32_t count = x->scene->mesh_count;
    x->order = ossa__take(&x->context, count, sizeof *x->order);
    x->primitives = ossa__take(&x->context, count, sizeof *x->primitives);
    x->meshes = ossa__take(&x->context, count, sizeof *x->meshes);
    if (x->context.failed) return;
    uint32_t rigid = plan_rigid(x);
    if (x->has_skin) plan_skin(x, rigid);
}

/* ---- numbers ------------------------------------------------------------------------------- */

static const ossa_mesh *mesh_in(const struct ossa__gltf *x,
                                const struct ossa__gltf_primitive *primitive, uint32_t index)
{
    return &x->scene->meshes[x->order[primitive->first + index]];
}

/* Whether vertices in the space of a bone are written where they are in the model at rest. */
static bool is_moved_to_rest(const struct ossa__gltf *x, const ossa_mesh *mesh)
{
    return ossa__gltf_is_skinned(x, mesh) && mesh->joints == NULL;
}

/* Put the places of vertices, or (way) what is added to them, in the space that they are written
 * in. */
static void put_places(struct ossa__gltf *x, const ossa_mesh *mesh, const float (*places)[3],
                       bool is_way)
{
    if (!is_moved_to_rest(x, mesh)) {
        if (mesh->vertex_count > 0) ossa__gltf_put(&x->buffer, places[0], mesh->vertex_count);
        return;
    }
    for (uint32_t i = 0; i < mesh->vertex_count && !x->context.failed; i++) {
        const float *m = x->bind_places[ossa__gltf_bone_of(mesh, i)];
        float out[3];
        for (unsigned r = 0; r < 3; r++) {
            double sum = is_way ? 0.0 : (double)m[12 + r];
            for (unsigned c = 0; c < 3; c++) sum += (double)m[4 * c + r] * (double)places[i][c];
            if (!(fabs(sum) < 3.4e38)) {
                ossa__fail_nowhere(&x->context, OSSA_CODE_BAD_SCENE, "",
                                   "'%s' is too far away at rest for a 32-bit float", mesh->name);
                return;
            }
            out[r] = (float)sum;
        }
        ossa__gltf_put(&x->buffer, out, 1);
    }
}

/* The cofactors of a matrix, which turn normals as it turns places, and its determinant. */
static double find_cofactors(const float m[16], double out[9])
{
    for (unsigned c = 0; c < 3; c++) {
        const float *a = m + (size_t)4 * ((c + 1) % 3);
        const float *b = m + (size_t)4 * ((c + 2) % 3);
        for (unsigned r = 0; r < 3; r++) {
            unsigned i = (r + 1) % 3;
            unsigned k = (r + 2) % 3;
            out[3 * c + r] = (double)a[i] * (double)b[k] - (double)a[k] * (double)b[i];
        }
    }
    return (double)m[0] * out[0] + (double)m[1] * out[1] + (double)m[2] * out[2];
}

/* A normal after the turn that the cofactors are of; what is no direction stays as it is. */
static void turn_normal(const double cofactors[9], double sign, const float n[3], float out[3])
{
    double turned[3] = {0.0, 0.0, 0.0};
    double square = 0.0;
    for (unsigned r = 0; r < 3; r++) {
        for (unsigned c = 0; c < 3; c++) turned[r] += cofactors[3 * c + r] * (double)n[c];
        square += turned[r] * turned[r];
    }
    double length = sqrt(square);
    bool is_direction = length > 0.0 && isfinite(length);
    for (unsigned r = 0; r < 3; r++) {
        out[r] = is_direction ? (float)(sign * turned[r] / length) : n[r];
    }
}

static void put_normals(struct ossa__gltf *x, const ossa_mesh *mesh)
{
    double cofactors[9];
    double sign = 1.0;
    if (!is_moved_to_rest(x, mesh)) {
        if (mesh->vertex_count > 0)
            ossa__gltf_put(&x->buffer, mesh->normals[0], mesh->vertex_count);
        return;
    }
    for (uint32_t i = 0; i < mesh->vertex_count && ossa__gltf_wants_numbers(&x->buffer); i++) {
        float turned[3];
        uint32_t bone = ossa__gltf_bone_of(mesh, i);
        if (i == 0 || bone != ossa__gltf_bone_of(mesh, i - 1)) {
            sign = find_cofactors(x->bind_places[bone], cofactors) < 0.0 ? -1.0 : 1.0;
        }
        turn_normal(cofactors, sign, mesh->normals[i], turned);
        ossa__gltf_put(&x->buffer, turned, 1);
    }
}

/* Colours of a scene are sRGB, those of glTF are linear. Alpha is linear in both. */
static void put_colours(struct ossa__gltf *x, const ossa_mesh *mesh)
{
    for (uint32_t v = 0; v < mesh->vertex_count && ossa__gltf_wants_numbers(&x->buffer); v++) {
        const uint8_t *colour = mesh->colours[v];
        uint8_t *out = ossa__gltf_room(&x->buffer, 8);
        for (unsigned k = 0; k < 3; k++) {
            ossa__store_u16(out + (size_t)2 * k, ossa__srgb_to_linear[colour[k]]);
        }
        ossa__store_u16(out + 6, (uint16_t)(257U * colour[3]));
    }
}

/* A bone that mirrors at rest turns the outside of its triangles in. A viewer knows that of a node;
 * the vertices of a skin are mirrored already, so that their order must be turned. (A bone that
 * mirrors in a clip and not at rest cannot be helped. Of a triangle over a joint its first corner
 * counts: no game mirrors one side of a joint.) */
static bool is_mirrored(const struct ossa__gltf *x, const ossa_mesh *mesh, uint32_t vertex)
{
    double cofactors[9];
    return is_moved_to_rest(x, mesh) &&
           find_cofactors(x->bind_places[ossa__gltf_bone_of(mesh, vertex)], cofactors) < 0.0;
}

static void put_mesh_indices(struct ossa__gltf *x, const ossa_mesh *mesh, uint32_t first,
                             bool is_short)
{
    static const uint32_t turned[3] = {0, 2, 1};
    bool turns = false;
    for (uint32_t k = 0; k < mesh->index_count && ossa__gltf_wants_numbers(&x->buffer); k++) {
        if (k == 0 || (k % 3 == 0 && mesh->vertex_bones != NULL)) {
            turns = is_mirrored(x, mesh, mesh->indices[k]);
        }
        uint32_t index = first + mesh->indices[turns ? k - k % 3 + turned[k % 3] : k];
        if (is_short) ossa__store_u16(ossa__gltf_room(&x->buffer, 2), (uint16_t)index);
        else ossa__store_u32(ossa__gltf_room(&x->buffer, 4), index);
    }
}

static void put_indices(struct ossa__gltf *x, struct ossa__gltf_primitive *primitive)
{
    bool is_short = primitive->vertex_count < 65535; /* which is no index: it restarts a strip */
    uint64_t count = 0;
    for (uint32_t i = 0; i < primitive->count; i++) {
        count += mesh_in(x, primitive, i)->index_count;
    }
    primitive->indices =
        ossa__gltf_begin(&x->buffer, is_short ? OSSA__GLTF_U16 : OSSA__GLTF_U32, 1, count, false);
    ossa__gltf_aim(&x->buffer, OSSA__GLTF_INDICES, false);
    uint32_t first = 0;
    for (uint32_t i = 0; i < primitive->count; i++) {
        const ossa_mesh *mesh = mesh_in(x, primitive, i);
        put_mesh_indices(x, mesh, first, is_short);
        first += mesh->vertex_count;
    }
    ossa__gltf_end(&x->buffer);
}

/* Begin an accessor of floats of the vertices of a primitive. */
static size_t begin_vertices(struct ossa__gltf *x, const struct ossa__gltf_primitive *primitive,
                             unsigned width, bool has_bounds)
{
    size_t accessor =
        ossa__gltf_begin(&x->buffer, OSSA__GLTF_F32, width, primitive->vertex_count, has_bounds);
    ossa__gltf_aim(&x->buffer, OSSA__GLTF_VERTICES, false);
    return accessor;
}

static void put_targets(struct ossa__gltf *x, struct ossa__gltf_primitive *primitive)
{
    const ossa_mesh *mesh = mesh_in(x, primitive, 0);
    struct ossa__gltf_buffer *buffer = &x->buffer;
    for (uint32_t t = 0; t < mesh->target_count && !x->context.failed; t++) {
        size_t accessor = begin_vertices(x, primitive, 3, true);
        put_places(x, mesh, mesh->targets + (size_t)t * mesh->vertex_count, true);
        ossa__gltf_end(buffer);
        if (t == 0) primitive->targets = accessor;
    }
    uint32_t all = ossa__gltf_is_skinned(x, mesh) ? x->skin_target_count : mesh->target_count;
    if (all == mesh->target_count) return;
    static const float nothing[3] = {0.0F, 0.0F, 0.0F};
    primitive->zeros = begin_vertices(x, primitive, 3, true);
    ossa__gltf_put_column(buffer, nothing, 0, primitive->vertex_count); /* and so are the bounds */
    ossa__gltf_end(buffer);
}

static size_t put_texcoords(struct ossa__gltf *x, const struct ossa__gltf_primitive *primitive,
                            bool is_second)
{
    size_t accessor = begin_vertices(x, primitive, 2, false);
    for (uint32_t i = 0; i < primitive->count; i++) {
        const ossa_mesh *mesh = mesh_in(x, primitive, i);
        const float(*texcoords)[2] = is_second ? mesh->texcoords2 : mesh->texcoords;
        if (mesh->vertex_count > 0) ossa__gltf_put(&x->buffer, texcoords[0], mesh->vertex_count);
    }
    ossa__gltf_end(&x->buffer);
    return accessor;
}

static void put_primitive(struct ossa__gltf *x, struct ossa__gltf_primitive *primitive)
{
    struct ossa__gltf_buffer *buffer = &x->buffer;
    const ossa_mesh *like = mesh_in(x, primitive, 0);
    primitive->positions = begin_vertices(x, primitive, 3, true);
    for (uint32_t i = 0; i < primitive->count; i++) {
        const ossa_mesh *mesh = mesh_in(x, primitive, i);
        put_places(x, mesh, mesh->positions, false);
    }
    ossa__gltf_end(buffer);
    if (like->normals != NULL) {
        primitive->normals = begin_vertices(x, primitive, 3, false);
        for (uint32_t i = 0; i < primitive->count; i++) put_normals(x, mesh_in(x, primitive, i));
        ossa__gltf_end(buffer);
    }
    if (like->colours != NULL) {
        primitive->colours =
            ossa__gltf_begin(buffer, OSSA__GLTF_U16, 4, primitive->vertex_count, false);
        ossa__gltf_aim(buffer, OSSA__GLTF_VERTICES, true);
        for (uint32_t i = 0; i < primitive->count; i++) put_colours(x, mesh_in(x, primitive, i));
        ossa__gltf_end(buffer);
    }
    if (like->texcoords != NULL) primitive->texcoords = put_texcoords(x, primitive, false);
    if (like->texcoords2 != NULL) primitive->texcoords2 = put_texcoords(x, primitive, true);
    if (ossa__gltf_is_skinned(x, like)) ossa__gltf_put_joints(x, primitive);
    put_indices(x, primitive);
    put_targets(x, primitive);
}

void ossa__gltf_put_meshes(struct ossa__gltf *x)
{
    for (uint32_t i = 0; i < x->mesh_count; i++) {
        const struct ossa__gltf_mesh *mesh = &x->meshes[i];
        for (uint32_t k = 0; k < mesh->count && !x->context.failed; k++) {
            put_primitive(x, &x->primitives[mesh->first + k]);
        }
    }
}

/* ---- the document -------------------------------------------------------------------------- */

static void write_primitive_targets(struct ossa__gltf *x, const struct ossa__gltf_mesh *whole,
                                    const struct ossa__gltf_primitive *primitive)
{
    const ossa_mesh *mesh = mesh_in(x, primitive, 0);
    uint32_t first = x->first_target[x->order[primitive->first]];
    if (whole->target_count == 0) return;
    ossa__json_key(&x->json, "targets");
    ossa__json_begin_array(&x->json);
    for (uint32_t t = 0; t < whole->target_count; t++) {
        bool is_own = t >= first && t - first < mesh->target_count;
        ossa__json_begin_object(&x->json);
        ossa__gltf_uint(x, "POSITION",
                        is_own ? primitive->targets + (t - first) : primitive->zeros);
        ossa__json_end_object(&x->json);
    }
    ossa__json_end_array(&x->json);
}

static void write_primitive(struct ossa__gltf *x, const struct ossa__gltf_mesh *whole,
                            const struct ossa__gltf_primitive *primitive)
{
    const ossa_mesh *like = mesh_in(x, primitive, 0);
    ossa__json_begin_object(&x->json);
    ossa__json_key(&x->json, "attributes");
    ossa__json_begin_object(&x->json);
    ossa__gltf_uint(x, "POSITION", primitive->positions);
    if (like->normals != NULL) ossa__gltf_uint(x, "NORMAL", primitive->normals);
    if (like->colours != NULL) ossa__gltf_uint(x, "COLOR_0", primitive->colours);
    if (like->texcoords != NULL) ossa__gltf_uint(x, "TEXCOORD_0", primitive->texcoords);
    if (like->texcoords2 != NULL) ossa__gltf_uint(x, "TEXCOORD_1", primitive->texcoords2);
    if (ossa__gltf_is_skinned(x, like)) {
        ossa__gltf_uint(x, "JOINTS_0", primitive->joints);
        ossa__gltf_uint(x, "WEIGHTS_0", primitive->weights);
    }
    ossa__json_end_object(&x->json);
    ossa__gltf_uint(x, "indices", primitive->indices);
    ossa__gltf_uint(x, "material", ossa__gltf_shown_material(x, like));
    ossa__gltf_uint(x, "mode", like->kind == OSSA_MESH_KIND_LINES ? 1 : 4);
    write_primitive_targets(x, whole, primitive);
    ossa__gltf_write_mappings(x, like);
    ossa__json_end_object(&x->json);
}

void ossa__gltf_write_meshes(struct ossa__gltf *x, uint32_t *mesh_of)
{
    if (x->mesh_count == 0) return;
    ossa__json_key(&x->json, "meshes");
    ossa__json_begin_array(&x->json);
    for (uint32_t i = 0; i < x->mesh_count; i++) {
        const struct ossa__gltf_mesh *mesh = &x->meshes[i];
        ossa__json_begin_object(&x->json);
        ossa__gltf_string(x, "name", x->names[mesh->node]);
        ossa__json_key(&x->json, "primitives");
        ossa__json_begin_array(&x->json);
        for (uint32_t k = 0; k < mesh->count; k++) {
            write_primitive(x, mesh, &x->primitives[mesh->first + k]);
        }
        ossa__json_end_array(&x->json);
        if (mesh->target_count > 0) ossa__gltf_write_targets(x, mesh);
        ossa__json_end_object(&x->json);
        mesh_of[mesh->node] = i + 1;
    }
    ossa__json_end_array(&x->json);
    ossa__gltf_write_materials(x);
}
