/* SPDX-License-Identifier: MIT */
#include "support/drawn.h"
#include "support/testing.h"
#include "ossa/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *room(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    assert_non_null(memory);
    return memory;
}

/* ---- where they are ------------------------------------------------------------------------ */

const char *material_name_of(const ossa_scene *scene, const ossa_mesh *mesh)
{
    if (mesh->material >= 0) return scene->materials[mesh->material].name;
    return mesh->colours != NULL ? "colours" : "plain";
}

static uint32_t bone_of(const ossa_mesh *mesh, uint32_t vertex)
{
    if (mesh->joints != NULL) return mesh->joints[vertex][0];
    return mesh->vertex_bones == NULL ? mesh->bone : mesh->vertex_bones[vertex];
}

/* Has a primitive what a mesh has? */
static bool is_like(const struct glb *glb, const json_t *primitive, const ossa_scene *scene,
                    const ossa_mesh *mesh)
{
    const json_t *attributes = json_object_get(primitive, "attributes");
    const json_t *material = glb_item(glb, "materials", glb_index(glb, primitive, "material"));
    const char *name = json_string_value(json_object_get(material, "name"));
    return strcmp(name, material_name_of(scene, mesh)) == 0 &&
           (glb_index(glb, primitive, "mode") == 1) == (mesh->kind == OSSA_MESH_KIND_LINES) &&
           (json_object_get(attributes, "NORMAL") != NULL) == (mesh->normals != NULL) &&
           (json_object_get(attributes, "COLOR_0") != NULL) == (mesh->colours != NULL) &&
           (json_object_get(attributes, "TEXCOORD_0") != NULL) == (mesh->texcoords != NULL) &&
           (json_object_get(attributes, "TEXCOORD_1") != NULL) == (mesh->texcoords2 != NULL);
}

static size_t element_count(const struct glb *glb, const json_t *object, const char *key)
{
    return glb_index(glb, glb_item(glb, "accessors", glb_index(glb, object, key)), "count");
}

/* How much of each primitive is taken. */
struct taken {
    size_t vertices;
    size_t indices;
};

static bool is_next(const struct glb *glb, size_t node, const json_t *primitive,
                    const struct taken *taken, const ossa_scene *scene, const ossa_mesh *mesh)
{
    const json_t *attributes = json_object_get(primitive, "attributes");
    size_t left = element_count(glb, attributes, "POSITION") - taken->vertices;
    if (left < mesh->vertex_count || !is_like(glb, primitive, scene, mesh)) return false;
    if (glb->nodes[node].skin < 0) return taken->vertices == 0 && left == mesh->vertex_count;
    size_t joints = glb_index(glb, attributes, "JOINTS_0");
    return glb_number(glb, joints, taken->vertices, 0) == (double)bone_of(mesh, 0);
}

/* Are there triangles on bones' own nodes? Then only what needs the skin is bound to it. */
static bool has_rigid_triangles(const struct glb *glb)
{
    for (size_t n = 0; n < glb->node_count; n++) {
        if (glb->nodes[n].mesh < 0 || glb->nodes[n].skin >= 0) continue;
        size_t mesh = (size_t)glb->nodes[n].mesh;
        for (size_t p = 0; p < glb_primitive_count(glb, mesh); p++) {
            if (glb_index(glb, glb_primitive(glb, mesh, p), "mode") == 4) return true;
        }
    }
    return false;
}

static struct taken **begin_taken(const struct glb *glb)
{
    size_t count = glb_count(glb, "meshes");
    struct taken **taken = room(count, sizeof *taken);
    for (size_t m = 0; m < count; m++) {
        taken[m] = room(glb_primitive_count(glb, m), sizeof *taken[m]);
    }
    return taken;
}

static void end_taken(const struct glb *glb, struct taken **taken)
{
    for (size_t m = 0; m < glb_count(glb, "meshes"); m++) {
        for (size_t p = 0; p < glb_primitive_count(glb, m); p++) {
            const json_t *primitive = glb_primitive(glb, m, p);
            const json_t *attributes = json_object_get(primitive, "attributes");
            require(taken[m][p].vertices == element_count(glb, attributes, "POSITION") &&
                        taken[m][p].indices == element_count(glb, primitive, "indices"),
                    glb->label, "meshes[%zu], primitive %zu has more than the scene", m, p);
        }
        free(taken[m]);
    }
    free(taken);
}

void find_drawn(const struct glb *glb, const ossa_scene *scene, struct drawn_mesh *drawn)
{
    struct taken **taken = begin_taken(glb);
    size_t skinned = 0;
    for (size_t n = 0; n < glb->node_count; n++) {
        if (glb->nodes[n].skin >= 0) skinned = n;
    }
    bool binds_all = skinned != 0 && !has_rigid_triangles(glb);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const ossa_mesh *mesh = &scene->meshes[i];
        bool is_bound = mesh->vertex_bones != NULL || mesh->joints != NULL ||
                        (binds_all && mesh->kind == OSSA_MESH_KIND_TRIANGLES);
        size_t node = is_bound ? skinned : mesh->bone + (size_t)1;
        require(glb->nodes[node].mesh >= 0, glb->label, "'%s' is not there", mesh->name);
        size_t place = (size_t)glb->nodes[node].mesh;
        size_t p = 0;
        while (p < glb_primitive_count(glb, place) &&
               !is_next(glb, node, glb_primitive(glb, place, p), &taken[place][p], scene, mesh)) {
            p++;
        }
        require(p < glb_primitive_count(glb, place), glb->label, "'%s' is not there", mesh->name);
        drawn[i] = (struct drawn_mesh){node, p, taken[place][p].vertices, taken[place][p].indices};
        taken[place][p].vertices += mesh->vertex_count;
        taken[place][p].indices += mesh->index_count;
    }
    end_taken(glb, taken);
}

/* ---- all shapes at a time ------------------------------------------------------------------ */

/* Every primitive that a scene's meshes are in, drawn once. */
struct picture {
    struct drawn_mesh *drawn;
    struct glb_shape *shapes; /* [mesh_count]: of the primitive that each mesh is in */
    bool *is_first;           /* [mesh_count]: the shape is not that of a mesh before */
};

/* The shape of a mesh, which may be in a primitive that is drawn already. */
static void draw_mesh(const struct glb *glb, const struct glb_moment *moment,
                      struct picture *picture, uint32_t index)
{
    const struct drawn_mesh *at = &picture->drawn[index];
    uint32_t i = 0;
    while (i < index &&
           (picture->drawn[i].node != at->node || picture->drawn[i].primitive != at->primitive)) {
        i++;
    }
    picture->is_first[index] = i == index;
    if (i < index) picture->shapes[index] = picture->shapes[i];
    else glb_draw(glb, at->node, at->primitive, moment, &picture->shapes[index]);
}

static void take_picture(const struct glb *glb, const ossa_scene *scene, const ossa_clip *clip,
                         double seconds, struct picture *picture)
{
    struct glb_moment moment;
    int animation = clip == NULL ? -1 : glb_find_animation(glb, clip->name);
    require(clip == NULL || animation >= 0, glb->label, "a clip is missing");
    picture->drawn = room(scene->mesh_count, sizeof *picture->drawn);
    picture->shapes = room(scene->mesh_count, sizeof *picture->shapes);
    picture->is_first = room(scene->mesh_count, sizeof *picture->is_first);
    find_drawn(glb, scene, picture->drawn);
    glb_find_moment(glb, animation, seconds, &moment);
    for (uint32_t i = 0; i < scene->mesh_count; i++) draw_mesh(glb, &moment, picture, i);
    glb_free_moment(&moment);
}

static void drop_picture(const ossa_scene *scene, struct picture *picture)
{
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        if (picture->is_first[i]) glb_free_shape(&picture->shapes[i]);
    }
    free(picture->is_first);
    free(picture->shapes);
    free(picture->drawn);
}

static double size_of(const ossa_scene *scene, const struct picture *picture)
{
    double size = 1e-3;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const struct glb_shape *shape = &picture->shapes[i];
        for (size_t v = 0; picture->is_first[i] && v < shape->vertex_count; v++) {
            for (unsigned k = 0; k < 3; k++) size = fmax(size, fabs(shape->positions[v][k]));
        }
    }
    return size;
}

/* ---- against the scene --------------------------------------------------------------------- */

/* What a mesh has in a frame: the target, or -1. */
static int64_t shape_in(const ossa_clip *clip, uint32_t mesh, uint32_t frame)
{
    for (uint32_t i = 0; clip != NULL && i < clip->morphs.count; i++) {
        if (clip->morphs.meshes[i] != mesh) continue;
        return clip->morphs.keys[(size_t)frame * clip->morphs.count + i];
    }
    return -1;
}

/* A vertex in its bone's space. */
static void morphed(const ossa_scene *scene, const ossa_clip *clip, uint32_t index, double seconds,
                    uint32_t vertex, double out[3])
{
    const ossa_mesh *mesh = &scene->meshes[index];
    double place = clip == NULL ? 0.0 : seconds * clip->fps;
    double last = clip == NULL ? 0.0 : clip->frame_count - 1.0;
    if (place > last) place = last;
    uint32_t frame = (uint32_t)floor(place + 1e-6);
    double part = fmax(place - frame, 0.0);
    uint32_t next = (double)frame < last ? frame + 1 : frame;
    int64_t from = shape_in(clip, index, frame);
    int64_t to = shape_in(clip, index, next);
    for (unsigned k = 0; k < 3; k++) {
        double a =
            from < 0 ? 0.0 : (double)mesh->targets[(size_t)from * mesh->vertex_count + vertex][k];
        double b =
            to < 0 ? 0.0 : (double)mesh->targets[(size_t)to * mesh->vertex_count + vertex][k];
        out[k] = (double)mesh->positions[vertex][k] + a + (b - a) * part;
    }
}

/* Is a bone, or one above it, hidden? */
static bool is_hidden(const ossa_scene *scene, const uint8_t *visible, uint32_t bone, bool *above)
{
    *above = false;
    for (int32_t p = scene->bones[bone].parent; p >= 0; p = scene->bones[p].parent) {
        if (visible[p] == 0) *above = true;
    }
    return visible[bone] == 0;
}

/* A weighted mesh is where ossa_skin_mesh has it, but for what a hidden bone pulls away. */
static void require_weighted(const struct glb *glb, const ossa_scene *scene, const ossa_mesh *mesh,
                             const float (*matrices)[16], const uint8_t *visible,
                             const double (*drawn)[3], double near)
{
    float(*wanted)[3] = room(mesh->vertex_count, sizeof *wanted);
    ossa_skin_mesh(scene, mesh, matrices, NULL, wanted, NULL);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        bool hidden = false;
        for (unsigned k = 0; k < 4; k++) {
            bool above = false;
            if (mesh->weights[v][k] == 0.0F) continue;
            hidden = is_hidden(scene, visible, mesh->joints[v][k], &above) || above || hidden;
        }
        for (unsigned k = 0; k < 3 && !hidden; k++) {
            require(fabs(drawn[v][k] - (double)wanted[v][k]) < near, glb->label,
                    "'%s': vertex %u is elsewhere, %.9g instead of %.9g", mesh->name, (unsigned)v,
                    drawn[v][k], (double)wanted[v][k]);
        }
    }
    free(wanted);
}

void require_drawn(const struct glb *glb, const ossa_scene *scene, const ossa_clip *clip,
                   double seconds)
{
    struct picture picture;
    ossa_transform *locals = room(scene->bone_count, sizeof *locals);
    uint8_t *visible = room(scene->bone_count, 1);
    float(*matrices)[16] = room(scene->bone_count, sizeof *matrices);
    memset(visible, 1, scene->bone_count);
    if (clip == NULL) ossa_rest_pose(scene, locals);
    else ossa_sample(scene, clip, seconds, OSSA_WRAP_CLAMP, locals, visible);
    ossa_model_matrices(scene, locals, matrices);
    take_picture(glb, scene, clip, seconds, &picture);
    double near = 1e-4 * size_of(scene, &picture);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const ossa_mesh *mesh = &scene->meshes[i];
        const double(*drawn)[3] =
            (const double(*)[3])picture.shapes[i].positions + picture.drawn[i].first_vertex;
        if (mesh->joints != NULL) {
            require_weighted(glb, scene, mesh, (const float(*)[16])matrices, visible, drawn, near);
            continue;
        }
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            uint32_t bone = bone_of(mesh, v);
            int32_t parent = scene->bones[bone].parent;
            const float *m = matrices[bone];
            bool above;
            bool hidden = is_hidden(scene, visible, bone, &above);
            if (above) continue;
            double local[3];
            morphed(scene, clip, i, seconds, v, local);
            for (unsigned k = 0; k < 3; k++) {
                double wanted = (double)m[12 + k] + (double)m[k] * local[0] +
                                (double)m[4 + k] * local[1] + (double)m[8 + k] * local[2];
                if (hidden) wanted = parent < 0 ? 0.0 : (double)matrices[parent][12 + k];
                require(fabs(drawn[v][k] - wanted) < near, glb->label,
                        "'%s' at %g s: vertex %u is elsewhere, %.9g instead of %.9g", mesh->name,
                        seconds, (unsigned)v, drawn[v][k], wanted);
            }
        }
    }
    drop_picture(scene, &picture);
    free(locals);
    free(visible);
    free(matrices);
}

/* ---- two files ----------------------------------------------------------------------------- */

/* The same corners of a triangle in the same order, whichever comes first; of a line both. */
static bool are_same_corners(const size_t *a, size_t a_first, const size_t *b, size_t b_first,
                             size_t corners)
{
    for (size_t turn = 0; turn < corners; turn++) {
        bool same = true;
        for (size_t k = 0; k < corners; k++) {
            same = same && a[k] - a_first == b[(k + turn) % corners] - b_first;
        }
        if (same) return true;
    }
    return false;
}

static void require_same_mesh(const struct glb *two, const ossa_mesh *mesh, uint32_t index,
                              const struct picture *a, const struct picture *b, double near)
{
    const struct glb_shape *one_shape = &a->shapes[index];
    const struct glb_shape *two_shape = &b->shapes[index];
    const struct drawn_mesh *at = &a->drawn[index];
    const struct drawn_mesh *bt = &b->drawn[index];
    size_t corners = mesh->kind == OSSA_MESH_KIND_LINES ? 2 : 3;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        for (unsigned k = 0; k < 3; k++) {
            double wanted = one_shape->positions[at->first_vertex + v][k];
            double found = two_shape->positions[bt->first_vertex + v][k];
            require(fabs(found - wanted) < near, two->label,
                    "'%s': vertex %u is elsewhere, %.9g instead of %.9g", mesh->name, (unsigned)v,
                    found, wanted);
            if (mesh->normals == NULL) continue;
            wanted = one_shape->normals[at->first_vertex + v][k];
            found = two_shape->normals[bt->first_vertex + v][k];
            require(fabs(found - wanted) < 1e-3, two->label,
                    "'%s': normal %u is another, %.9g instead of %.9g", mesh->name, (unsigned)v,
                    found, wanted);
        }
    }
    for (size_t i = 0; i < mesh->index_count; i += corners) {
        require(
            are_same_corners(one_shape->indices + at->first_index + i, at->first_vertex,
                             two_shape->indices + bt->first_index + i, bt->first_vertex, corners),
            two->label, "'%s': triangle %zu is another, or inside out", mesh->name, i / corners);
    }
}

void require_same_drawing(const struct glb *one, const struct glb *two, const ossa_scene *scene,
                          const ossa_clip *clip, double seconds)
{
    struct picture a;
    struct picture b;
    take_picture(one, scene, clip, seconds, &a);
    take_picture(two, scene, clip, seconds, &b);
    double near = 2e-5 * size_of(scene, &a);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        require_same_mesh(two, &scene->meshes[i], i, &a, &b, near);
    }
    drop_picture(scene, &a);
    drop_picture(scene, &b);
}
