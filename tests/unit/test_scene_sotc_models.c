/* SPDX-License-Identifier: MIT
 *
 * Models of Shadow of the Colossus as meshes: against vectors that others made, and as a picture.
 */
#include "support/scenes.h"
#include "ossa/games/shadow_of_the_colossus.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- vectors ------------------------------------------------------------------------------- */

static json_t *load_json(const char *name)
{
    char path[200];
    json_error_t error;
    (void)snprintf(path, sizeof path, "vectors/sotc-models/%s.json", name);
    struct bytes text = load_test_file(path);
    json_t *document = json_loadb((const char *)text.data, text.size, 0, &error);
    require(document != NULL, path, "line %d: %s", error.line, error.text);
    bytes_free(&text);
    return document;
}

static ossa_file *add_vector(struct scene_files *files, const char *name, const char *as)
{
    char path[200];
    (void)snprintf(path, sizeof path, "vectors/sotc-models/%s", name);
    return add_file(files, as, NULL, load_test_file(path));
}

static void add_textures(struct scene_files *files)
{
    static const char *const names[] = {"plain4.nto", "swz4.nto",    "wide4.nto",
                                        "tall4.nto",  "levels4.nto", "plain8.nto",
                                        "swz8.nto",   "csm8.nto",    "rgba32.nto"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        (void)add_vector(files, names[i], names[i]);
    }
}

enum { MOST_VERTICES = 512, MOST_TRIANGLES = 512 };

/* What a vector says of a model: its vertices one after the other, as the scene should have them.
 */
struct expected {
    uint32_t vertex_count;
    struct expected_vertex {
        double position[3], normal[3], uv[2], uv2[2];
        int colour[4];
        uint32_t bones[3];
        double weights[3];
        bool has_normal, has_uv, has_uv2, has_colour, has_skin;
    } vertices[MOST_VERTICES];
    uint32_t triangle_count;
    struct expected_triangle {
        uint32_t surface, corners[3];
        bool is_found;
    } triangles[MOST_TRIANGLES];
    json_t *data;
};

static bool get_numbers(const json_t *list, size_t index, size_t count, double *numbers)
{
    const json_t *row = json_array_get(list, index);
    if (row == NULL) return false;
    for (size_t i = 0; i < count; i++) {
        numbers[i] = json_number_value(json_array_get(row, i));
    }
    return true;
}

static void add_expected(struct expected *e, const json_t *strip)
{
    const json_t *positions = json_object_get(strip, "positions");
    for (size_t i = 0; i < json_array_size(positions); i++) {
        struct expected_vertex *v = &e->vertices[e->vertex_count++];
        double colour[4];
        assert_true(e->vertex_count < MOST_VERTICES);
        assert_true(get_numbers(positions, i, 3, v->position));
        v->has_normal = get_numbers(json_object_get(strip, "normals"), i, 3, v->normal);
        v->has_uv = get_numbers(json_object_get(strip, "uv"), i, 2, v->uv);
        v->has_uv2 = get_numbers(json_object_get(strip, "uv2"), i, 2, v->uv2);
        v->has_colour = get_numbers(json_object_get(strip, "colours"), i, 4, colour);
        for (size_t k = 0; k < 4; k++) {
            double scaled = v->has_colour ? floor(colour[k] * 255.0 / 128.0 + 0.5) : 255.0;
            v->colour[k] = scaled > 255.0 ? 255 : (int)scaled;
        }
        v->position[0] = 0.0 - v->position[0];
        v->normal[0] = 0.0 - v->normal[0];
        const json_t *skin = json_array_get(json_object_get(strip, "skin"), i);
        v->has_skin = skin != NULL;
        for (size_t k = 0; k < json_array_size(skin); k++) {
            const json_t *pair = json_array_get(skin, k);
            v->bones[k] = (uint32_t)json_integer_value(json_array_get(pair, 0));
            v->weights[k] = json_number_value(json_array_get(pair, 1));
        }
    }
}

static struct expected *expect(const char *name)
{
    struct expected *e = calloc(1, sizeof *e);
    assert_non_null(e);
    e->data = load_json(name);
    const json_t *data = json_object_get(e->data, "data");
    size_t i;
    size_t k;
    const json_t *draws = json_object_get(data, "draws");
    for (i = 0; i < json_array_size(draws); i++) {
        const json_t *strips = json_object_get(json_array_get(draws, i), "strips");
        for (k = 0; k < json_array_size(strips); k++) add_expected(e, json_array_get(strips, k));
    }
    const json_t *triangles = json_object_get(data, "triangles");
    for (i = 0; i < json_array_size(triangles); i++) {
        double numbers[4] = {0};
        assert_true(i < MOST_TRIANGLES && get_numbers(triangles, i, 4, numbers));
        struct expected_triangle *t = &e->triangles[e->triangle_count++];
        t->surface = (uint32_t)numbers[0];
        for (k = 0; k < 3; k++) t->corners[k] = (uint32_t)numbers[k + 1];
    }
    assert_true(e->triangle_count > 0);
    return e;
}

static void forget(struct expected *e)
{
    json_decref(e->data);
    free(e);
}

static bool near(double a, double b, double by)
{
    return fabs(a - b) <= by;
}

static bool has_weights(const ossa_mesh *mesh, uint32_t vertex, const struct expected_vertex *v)
{
    double found = 0.0;
    if (!v->has_skin || mesh->joints == NULL) return mesh->joints == NULL;
    for (unsigned k = 0; k < 4; k++) {
        for (unsigned w = 0; w < 3 && mesh->weights[vertex][k] > 0.0F; w++) {
            if (v->weights[w] == 0.0 || v->bones[w] != mesh->joints[vertex][k]) continue;
            if (!near((double)mesh->weights[vertex][k], v->weights[w], 1.1e-5)) return false;
            found += v->weights[w];
            break;
        }
    }
    return near(found, 1.0, 1e-5);
}

/* Is a vertex of the mesh the one that is expected, in all that it has? */
static bool is_vertex(const ossa_mesh *mesh, uint32_t vertex, const struct expected_vertex *v)
{
    double length = 0.0;
    for (unsigned k = 0; k < 3; k++) {
        if (mesh->positions[vertex][k] != (float)v->position[k]) return false;
        length += v->normal[k] * v->normal[k];
    }
    for (unsigned k = 0; k < 3 && v->has_normal; k++) {
        double wanted = v->normal[k] / sqrt(length);
        if (!near((double)mesh->normals[vertex][k], wanted, 1e-5)) return false;
    }
    for (unsigned k = 0; k < 2; k++) {
        if (v->has_uv && mesh->texcoords[vertex][k] != (float)v->uv[k]) return false;
        if (v->has_uv2 && mesh->texcoords2[vertex][k] != (float)v->uv2[k]) return false;
    }
    for (unsigned k = 0; k < 4; k++) {
        int colour = mesh->colours == NULL ? 255 : mesh->colours[vertex][k];
        if (colour != v->colour[k]) return false;
    }
    return has_weights(mesh, vertex, v);
}

/* The expected triangle that one of a mesh is, with any first corner; `is_free`: and any turn.
 * `file` gets the numbers of its corners in the file. */
static bool find_triangle(struct expected *e, uint32_t surface, const ossa_mesh *mesh,
                          const uint32_t *corners, bool is_free, uint32_t file[3])
{
    for (uint32_t t = 0; t < e->triangle_count; t++) {
        struct expected_triangle *triangle = &e->triangles[t];
        if (triangle->surface != surface || triangle->is_found) continue;
        for (unsigned way = 0; way < (is_free ? 6U : 3U); way++) {
            bool fits = true;
            for (unsigned k = 0; k < 3 && fits; k++) {
                unsigned other = way < 3 ? (way + k) % 3 : (way + 3 - k) % 3;
                file[k] = triangle->corners[other];
                fits = is_vertex(mesh, corners[k], &e->vertices[file[k]]);
            }
            if (!fits) continue;
            triangle->is_found = true;
            return true;
        }
    }
    return false;
}

/* The meshes draw just the triangles of the vector. `on_corner` is told which vertex of the file
 * each of a mesh is; it may be NULL. */
static void require_triangles(const char *name, const ossa_scene *scene, struct expected *e,
                              void (*on_corner)(void *user, uint32_t mesh, uint32_t vertex,
                                                uint32_t file),
                              void *user)
{
    const json_t *surfaces = json_object_get(json_object_get(e->data, "data"), "surfaces");
    for (uint32_t t = 0; t < e->triangle_count; t++) e->triangles[t].is_found = false;
    uint32_t drawn = 0;
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        const ossa_mesh *mesh = &scene->meshes[m];
        uint32_t surface = 0;
        const json_t *about;
        while ((about = json_array_get(surfaces, surface)) != NULL &&
               strcmp(json_string_value(json_object_get(about, "name")), mesh->name) != 0) {
            surface++;
        }
        require(about != NULL, name, "there is no surface '%s'", mesh->name);
        bool is_free = strcmp(json_string_value(json_object_get(about, "turn")), "normals") != 0;
        assert_int_equal(scene->materials[mesh->material].is_double_sided, is_free);
        for (uint32_t i = 0; i < mesh->index_count; i += 3, drawn++) {
            uint32_t file[3] = {0};
            require(find_triangle(e, surface, mesh, mesh->indices + i, is_free, file), name,
                    "triangle %u of '%s' is not expected", i / 3, mesh->name);
            for (unsigned k = 0; k < 3 && on_corner != NULL; k++) {
                on_corner(user, m, mesh->indices[i + k], file[k]);
            }
        }
    }
    require(drawn == e->triangle_count, name, "%u triangles of %u", drawn, e->triangle_count);
}

static void models_draw_the_triangles_of_the_vectors(void **state)
{
    (void)state;
    static const char *const names[] = {"rock.nmo",  "wall.nmo", "lit.nmo", "bare.nmo",
                                        "water.nmo", "many.nmo", "full.nmo"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct scene_files files = {0};
        (void)add_vector(&files, names[i], names[i]);
        add_textures(&files);
        ossa_scene *scene = assemble_files(&files, NULL);
        struct expected *e = expect(names[i]);
        assert_int_equal(scene->warning_count, 0);
        assert_int_equal(scene->bone_count, 1);
        assert_memory_equal(scene->bones[0].name, names[i], strlen(scene->bones[0].name));
        assert_string_equal(scene->name, scene->bones[0].name);
        require_triangles(names[i], scene, e, NULL, NULL);
        for (uint32_t m = 0; m < scene->mesh_count; m++) assert_null(scene->meshes[m].joints);
        forget(e);
        ossa_scene_free(scene);
        free_files(&files);
    }
}

/* ---- figures ------------------------------------------------------------------------------- */

/* Where the vertices of a vector should be in one frame. */
struct posed {
    const ossa_scene *scene;
    float (*positions)[3]; /* [mesh][MOST_VERTICES] */
    const json_t *wanted;
    double by;
    size_t compared;
};

static void compare_corner(void *user, uint32_t mesh, uint32_t vertex, uint32_t file)
{
    struct posed *posed = user;
    double wanted[3];
    assert_true(get_numbers(posed->wanted, file, 3, wanted));
    for (unsigned k = 0; k < 3; k++) {
        double found = (double)posed->positions[(size_t)mesh * MOST_VERTICES + vertex][k];
        require(near(found, wanted[k], posed->by), "posed", "vertex %u: %.9g, expected %.9g", file,
                found, wanted[k]);
    }
    posed->compared++;
}

static void skin_all(const ossa_scene *scene, const ossa_transform *locals, float (*positions)[3])
{
    float matrices[16][16];
    assert_true(scene->bone_count <= 16);
    ossa_model_matrices(scene, locals, matrices);
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        assert_true(scene->meshes[m].vertex_count <= MOST_VERTICES);
        ossa_skin_mesh(scene, &scene->meshes[m], (const float(*)[16])matrices, NULL,
                       positions + (size_t)m * MOST_VERTICES, NULL);
    }
}

static ossa_scene *assemble_own_a(struct scene_files *files)
{
    (void)add_vector(files, "own_A.skb", "own_A.skb");
    (void)add_vector(files, "own_A.nmo", "own_A.nmo");
    (void)add_vector(files, "own_A_walk.anb", "own_A_walk.anb");
    (void)add_vector(files, "own_A_atk_gride.anb", "own_A_atk_gride.anb");
    add_textures(files);
    return assemble_files(files, NULL);
}

static void figures_move_with_their_weights(void **state)
{
    (void)state;
    struct scene_files files = {0};
    ossa_scene *scene = assemble_own_a(&files);
    struct expected *e = expect("own_A.nmo");
    assert_int_equal(scene->warning_count, 0);
    assert_int_equal(scene->mesh_count, 2);
    assert_int_equal(scene->clip_count, 2);
    float(*positions)[3] = calloc((size_t)scene->mesh_count * MOST_VERTICES, sizeof *positions);
    ossa_transform locals[16];
    struct posed posed = {.scene = scene, .positions = positions, .by = 5e-5};
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        const ossa_clip *clip = &scene->clips[c];
        char name[80];
        (void)snprintf(name, sizeof name, "%s.anb", clip->name);
        json_t *json = load_json(name);
        json_t *frames = json_object_get(json_object_get(json, "data"), "posed");
        assert_true(json_object_size(frames) > 0);
        const char *frame;
        json_t *wanted;
        json_object_foreach (frames, frame, wanted) {
            ossa_sample_frame(scene, clip, (uint32_t)strtoul(frame, NULL, 10), locals, NULL);
            skin_all(scene, locals, positions);
            posed.wanted = wanted;
            require_triangles(name, scene, e, compare_corner, &posed);
        }
        json_decref(json);
    }
    assert_true(posed.compared > 100);
    /* At rest every vertex is where it is stored. */
    ossa_rest_pose(scene, locals);
    skin_all(scene, locals, positions);
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        for (uint32_t v = 0; v < scene->meshes[m].vertex_count; v++) {
            for (unsigned k = 0; k < 3; k++) {
                assert_true(near((double)positions[(size_t)m * MOST_VERTICES + v][k],
                                 (double)scene->meshes[m].positions[v][k], 4e-6));
            }
        }
    }
    free(positions);
    forget(e);
    ossa_scene_free(scene);
    free_files(&files);
}

/* Of a head: a strip with weights that nobody understands moves with the root; the others do not.
 */
static void odd_strips_are_shown_without_weights(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_vector(&files, "own_A.skb", "own_A.skb");
    ossa_file *head = add_vector(&files, "own_A_head.nmo.odd", "own_A_head.nmo");
    add_textures(&files);
    ossa_scene *scene = assemble_files(&files, NULL);
    /* One warning, which reading gives. */
    assert_int_equal(head->warning_count, 1);
    assert_int_equal(scene->warning_count, 0);
    const ossa_sotc_nmo *nmo = ossa_as_sotc_nmo(head);
    uint32_t at_root = 0;
    uint32_t weighted = 0;
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        const ossa_mesh *mesh = &scene->meshes[m];
        assert_non_null(mesh->joints);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            bool is_of_first = false;
            for (uint32_t i = 0; i < nmo->strips[0].vertex_count; i++) {
                const float *p = nmo->strips[0].positions[i];
                is_of_first =
                    is_of_first || (mesh->positions[v][1] == p[1] && mesh->positions[v][2] == p[2]);
            }
            bool is_at_root = mesh->joints[v][0] == 0 && mesh->weights[v][0] == 1.0F;
            if (is_of_first) assert_true(is_at_root);
            at_root += is_of_first;
            weighted += !is_at_root;
        }
    }
    assert_true(at_root > 0);
    assert_true(weighted > 0);
    ossa_scene_free(scene);
    free_files(&files);
}

/* A skeleton of fewer bones: strips that need others are shown without, and warned of once; with
 * none that fits, the model is refused. */
static void models_of_other_skeletons_do_not_fit(void **state)
{
    (void)state;
    struct scene_files files = {0};
    ossa_file *skeleton = add_vector(&files, "own_A.skb", "own_A.skb");
    (void)add_vector(&files, "own_A.nmo", "own_A.nmo");
    ((ossa_sotc_skb *)ossa_as_sotc_skb(skeleton))->joint_count = 1;
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "own_A.nmo",
                   "its weights do not fit the 1 bones of own_A.skb: it has a skeleton of its own");
    const ossa_scene_options tolerant = {.tolerant = true};
    ossa_scene *scene = assemble_files(&files, &tolerant);
    assert_int_equal(scene->error_count, 1);
    assert_int_equal(scene->mesh_count, 0);
    ossa_scene_free(scene);
    free_files(&files);
}

static void missing_parts_are_named(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_vector(&files, "own_A.nmo", "own_A.nmo");
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->warning_count, 1);
    assert_int_equal(scene->issue_count, 2);
    assert_int_equal(scene->issues[0].severity, OSSA_SEVERITY_REMARK);
    assert_non_null(strstr(scene->issues[0].message, "there is no skeleton (SKB)"));
    require_warning(scene, 1, OSSA_CODE_MISSING_PART, "own_A.nmo",
                    "surfaces whose texture (NTO) is missing: 2, the first needs 'swz4'");
    ossa_scene_free(scene);
    free_files(&files);

    (void)add_vector(&files, "own_A_walk.anb", "own_A_walk.anb");
    (void)add_vector(&files, "own_A.nmo", "own_A.nmo");
    scene = assemble_files(&files, NULL);
    assert_int_equal(scene->mesh_count, 0);
    require_warning(scene, 1, OSSA_CODE_MISSING_PART, "own_A.nmo",
                    "there is no skeleton (SKB) for the animations, so the model is left out");
    ossa_scene_free(scene);
    free_files(&files);
}

/* ---- materials ----------------------------------------------------------------------------- */

static const ossa_extra *extra_of(const ossa_material *material, const char *key)
{
    for (uint32_t i = 0; i < material->extra_count; i++) {
        if (strcmp(material->extras[i].key, key) == 0) return &material->extras[i];
    }
    return NULL;
}

static void materials_are_those_of_surfaces(void **state)
{
    (void)state;
    struct scene_files files = {0};
    ossa_file *model = add_vector(&files, "many.nmo", "many.nmo");
    ossa_file *tall = add_vector(&files, "tall4.nto", "other-name.nto");
    (void)add_vector(&files, "wide4.nto", "WIDE4.nto");
    add_textures(&files);
    const ossa_sotc_nmo *nmo = ossa_as_sotc_nmo(model);
    ossa_sotc_surface surfaces[4];
    assert_int_equal(nmo->surface_count, 4);
    memcpy(surfaces, nmo->surfaces, sizeof surfaces);
    ((ossa_sotc_nmo *)ossa_as_sotc_nmo(model))->surfaces = surfaces;
    ossa_sotc_nto *nto = ossa_as_sotc_nto(tall);
    nto->alpha_test = 6;
    nto->alpha_reference = 63;
    surfaces[0].flags |= OSSA_SOTC_SURFACE_BLENDS | 0x2200;
    surfaces[0].has_blend = true;
    surfaces[0].blend = 0x48;
    surfaces[1].texture_mode = 2;
    surfaces[1].stages[1].texture = 1;
    surfaces[1].flags |= 0x4000;
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->mesh_count, 4);
    const ossa_material *blended = &scene->materials[scene->meshes[0].material];
    const ossa_material *masked = &scene->materials[scene->meshes[1].material];
    assert_string_equal(blended->name, "srf_skin_0");
    assert_true(blended->is_transparent && !masked->is_transparent);
    assert_true(blended->is_blended && !masked->is_blended);
    assert_true(blended->alpha_cutoff == 0.0F && masked->alpha_cutoff == 0.5F);
    assert_false(blended->is_unlit);
    assert_true(!blended->is_clamped[0] && !blended->is_clamped[1]);
    assert_true(masked->is_clamped[0] && masked->is_clamped[1]);
    assert_string_equal(extra_of(blended, "blend")->text, "add");
    assert_string_equal(extra_of(blended, "layer")->text, "water");
    assert_true(extra_of(blended, "flags")->numbers[0] == (double)surfaces[0].flags);
    assert_null(extra_of(blended, "second_texture"));
    assert_string_equal(extra_of(masked, "second_texture")->text, "wide4");
    assert_string_equal(extra_of(masked, "layer")->text, "sky");
    assert_null(extra_of(masked, "blend"));
    /* By the name that it has for itself; and the model states the sides. */
    const ossa_texture *texture = &scene->textures[masked->texture];
    assert_string_equal(texture->name, "other-name");
    assert_int_equal(texture->width, 32);
    assert_int_equal(texture->height, 64);
    ossa_scene_free(scene);

    nto->alpha_test = 5;
    nto->alpha_reference = 200;
    const ossa_sotc_options sotc = {.unlit = true};
    const ossa_scene_options options = {.sotc = &sotc};
    scene = assemble_files(&files, &options);
    masked = &scene->materials[scene->meshes[1].material];
    assert_true(masked->alpha_cutoff == 1.0F);
    assert_true(masked->is_unlit);
    ossa_scene_free(scene);
    free_files(&files);
}

/* ---- a picture ----------------------------------------------------------------------------- */

enum { WIDE = 12, HIGH = 6, FONT_WIDE = 4, FONT_HIGH = 4 };

static double edge(const float a[3], const float b[3], double x, double y)
{
    return ((double)b[0] - (double)a[0]) * (y - (double)a[1]) -
           ((double)b[1] - (double)a[1]) * (x - (double)a[0]);
}

/* What somebody sees who looks along -Z: fronts alone, +X to the right, +Y up. */
static void draw(const ossa_mesh *mesh, const char *const *font, char picture[HIGH][WIDE + 1])
{
    for (unsigned row = 0; row < HIGH; row++) {
        memset(picture[row], ' ', WIDE);
        picture[row][WIDE] = '\0';
        for (unsigned column = 0; column < WIDE; column++) {
            double x = (double)column + 0.5 - WIDE / 2.0;
            double y = HIGH / 2.0 - ((double)row + 0.5);
            for (uint32_t i = 0; i < mesh->index_count; i += 3) {
                const uint32_t *c = mesh->indices + i;
                const float *p[3] = {mesh->positions[c[0]], mesh->positions[c[1]],
                                     mesh->positions[c[2]]};
                double area = edge(p[0], p[1], (double)p[2][0], (double)p[2][1]);
                const double w[3] = {edge(p[1], p[2], x, y) / area, edge(p[2], p[0], x, y) / area,
                                     edge(p[0], p[1], x, y) / area};
                if (area <= 0.0 || w[0] < 0.0 || w[1] < 0.0 || w[2] < 0.0) continue;
                double uv[2] = {0.0, 0.0};
                for (unsigned k = 0; k < 3; k++) {
                    uv[0] += w[k] * (double)mesh->texcoords[c[k]][0];
                    uv[1] += w[k] * (double)mesh->texcoords[c[k]][1];
                }
                picture[row][column] = font[(int)(uv[1] * FONT_HIGH)][(int)(uv[0] * FONT_WIDE)];
            }
        }
    }
}

/* A board, wider than high, that faces +Z in the game's space. That is left-handed: from there, +X
 * is to the left, so the letter runs against it. The scene shows it the right way round, from the
 * front, and not from behind. */
static void a_letter_is_the_right_way_round(void **state)
{
    (void)state;
    static const char *const font[FONT_HIGH] = {"####", "#...", "###.", "#..."};
    static const float positions[6][3] = {{4, -2, 0},  {4, -2, 0}, {4, 2, 0},
                                          {-4, -2, 0}, {-4, 2, 0}, {-4, 2, 0}};
    static const float normals[2][6][3] = {
        {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
        {{0, 0, -1}, {0, 0, -1}, {0, 0, -1}, {0, 0, -1}, {0, 0, -1}, {0, 0, -1}}};
    static const int16_t texcoords[6][2] = {{0, 4095},    {0, 4095}, {0, 0},
                                            {4095, 4095}, {4095, 0}, {4095, 0}};
    static const char *const wanted[HIGH] = {"            ", "  ########  ", "  ##        ",
                                             "  ######    ", "  ##        ", "            "};
    struct scene_files files = {0};
    ossa_file *file = add_vector(&files, "wall.nmo", "board.nmo");
    ossa_sotc_nmo *nmo = ossa_as_sotc_nmo(file);
    ossa_sotc_strip strip = {.vertex_count = 6, .positions = positions, .texcoords = texcoords};
    nmo->strips = &strip;
    nmo->strip_count = 1;
    for (unsigned side = 0; side < 2; side++) {
        char picture[HIGH][WIDE + 1];
        strip.normals = normals[side];
        ossa_scene *scene = assemble_files(&files, NULL);
        assert_int_equal(scene->mesh_count, 1);
        assert_int_equal(scene->meshes[0].vertex_count, 4);
        assert_int_equal(scene->meshes[0].index_count, 6);
        assert_false(scene->materials[scene->meshes[0].material].is_double_sided);
        draw(&scene->meshes[0], font, picture);
        for (unsigned row = 0; row < HIGH; row++) {
            for (unsigned c = 0; c < WIDE; c++) {
                if (picture[row][c] == '.') picture[row][c] = ' ';
            }
            assert_string_equal(picture[row], side == 0 ? wanted[row] : wanted[0]);
        }
        ossa_scene_free(scene);
    }
    free_files(&files);
}

/* ---- objects ------------------------------------------------------------------------------- */

static void models_hang_on_the_objects_of_their_names(void **state)
{
    (void)state;
    struct scene_files files = {0};
    (void)add_vector(&files, "own_door_open.anb", "own_door_open.anb");
    (void)add_vector(&files, "rock.nmo", "DOOR_B.nmo");
    (void)add_vector(&files, "wall.nmo", "wall.nmo");
    add_textures(&files);
    ossa_scene *scene = assemble_files(&files, NULL);
    assert_int_equal(scene->bone_count, 2);
    assert_string_equal(scene->bones[0].name, "door_a");
    static const float position[3] = {-1.0F, 2.0F, 3.0F};
    static const float rotation[4] = {0.0F, -0.6F, 0.0F, 0.8F};
    for (unsigned k = 0; k < 3; k++) {
        assert_true(scene->bones[0].rest.translation[k] == position[k]);
    }
    for (unsigned k = 0; k < 4; k++) {
        assert_true(near((double)scene->bones[0].rest.rotation[k], (double)rotation[k], 1e-6));
    }
    assert_true(scene->mesh_count > 0);
    for (uint32_t m = 0; m < scene->mesh_count; m++) assert_int_equal(scene->meshes[m].bone, 1);
    assert_int_equal(scene->clip_count, 1);
    assert_int_equal(scene->clips[0].frame_count, 1);
    assert_int_equal(scene->warning_count, 1);
    assert_non_null(strstr(scene->issues[1].message, "no object of this name"));
    ossa_scene_free(scene);
    free_files(&files);
}

/* ---- hostile ------------------------------------------------------------------------------- */

static void assembling_survives_failing_allocations(void **state)
{
    (void)state;
    struct scene_files files = {0};
    ossa_scene *scene = assemble_own_a(&files);
    ossa_scene_free(scene);
    assert_true(require_assembly_survives(&files, NULL) > 0);
    free_files(&files);
    (void)add_vector(&files, "own_door_open.anb", "own_door_open.anb");
    (void)add_vector(&files, "rock.nmo", "door_a.nmo");
    assert_true(require_assembly_survives(&files, NULL) > 0);
    free_files(&files);
}

static void positions_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    static const float positions[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, INFINITY, 0}};
    struct scene_files files = {0};
    ossa_sotc_nmo *nmo = ossa_as_sotc_nmo(add_vector(&files, "bare.nmo", "bare.nmo"));
    ossa_sotc_strip strip = {.vertex_count = 3, .positions = positions};
    nmo->strips = &strip;
    nmo->strip_count = 1;
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "bare.nmo",
                   "strips[0] has a position that is not finite");
    strip.draw = 77;
    require_misfit(&files, NULL, OSSA_CODE_MISFIT, "bare.nmo",
                   "strips[0] is of no surface, or has no positions");
    free_files(&files);
}

TEST_GROUP(test_scene_sotc_models)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_draw_the_triangles_of_the_vectors),
        cmocka_unit_test(figures_move_with_their_weights),
        cmocka_unit_test(odd_strips_are_shown_without_weights),
        cmocka_unit_test(models_of_other_skeletons_do_not_fit),
        cmocka_unit_test(missing_parts_are_named),
        cmocka_unit_test(materials_are_those_of_surfaces),
        cmocka_unit_test(a_letter_is_the_right_way_round),
        cmocka_unit_test(models_hang_on_the_objects_of_their_names),
        cmocka_unit_test(assembling_survives_failing_allocations),
        cmocka_unit_test(positions_that_are_not_finite_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
