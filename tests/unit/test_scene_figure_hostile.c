/* SPDX-License-Identifier: MIT
 *
 * A figure with meshes, morphs and a database, with memory that runs out, limits, and each of its
 * files damaged: nothing may crash, leak or run wild. */
#include "support/adb_fixture.h"
#include "support/counting.h"
#include "support/fig_fixture.h"
#include "support/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OFFSETS = 5 };

static void make_figure(struct scene_files *files)
{
    static const char *const tree[] = {"hp", "", "bd", "hp", NULL};
    static const struct fig_plan plans[2] = {{.seed = 3,
                                              .variants = 8,
                                              .vertex_blocks = 2,
                                              .normal_blocks = 1,
                                              .texcoords = 3,
                                              .triangles = 4,
                                              .corners = 10,
                                              .morphs = OFFSETS,
                                              .group = 19,
                                              .texture_number = 1},
                                             {.seed = 4,
                                              .variants = 1,
                                              .vertex_blocks = 2,
                                              .normal_blocks = 2,
                                              .texcoords = 1,
                                              .triangles = 2,
                                              .corners = 6,
                                              .morphs = 2,
                                              .group = 18,
                                              .texture_number = 1}};
    struct bytes adb = begin_adb("unmotr");
    (void)add_adb_record(&adb, &(struct adb_record){.name = "walk0", .duration = 200, .stage = 2});
    (void)add_adb_record(&adb, &(struct adb_record){.name = "WALK1", .duration = 133, .stage = 3});
    (void)add_adb_record(&adb, &(struct adb_record){.name = "idle", .duration = 9});
    (void)add_file(files, "unmotr.lnk", "ei-lnk", make_lnk(tree));
    (void)add_file(files, "hp.fig", "ei-fig", make_fig(&plans[0]));
    (void)add_file(files, "bd.fig", "ei-fig", make_fig(&plans[1]));
    (void)add_file(files, "walk0/hp.anm", "ei-anm", make_morph_anm(5, 3, 3, OFFSETS));
    (void)add_file(files, "walk0/bd.anm", "ei-anm", make_morph_anm(6, 3, 2, 2));
    (void)add_file(files, "walk1/hp.anm", "ei-anm", make_morph_anm(7, 2, 2, OFFSETS));
    (void)add_file(files, "unmotr.adb", "ei-adb", adb);
}

/* Everything that a scene of shapes is good for. */
static void use(const ossa_scene *scene)
{
    ossa_error error;
    assert_true(ossa_scene_validate(scene, &error));
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        for (uint32_t m = 0; m < scene->mesh_count; m++) {
            const ossa_mesh *mesh = &scene->meshes[m];
            float *weights = malloc((mesh->target_count + 1U) * sizeof *weights);
            float(*positions)[3] = malloc((mesh->vertex_count + 1U) * sizeof *positions);
            assert_true(weights != NULL && positions != NULL);
            ossa_sample_morphs(scene, &scene->clips[c], 0.123, OSSA_WRAP_LOOP, m, weights);
            ossa_morph_mesh(mesh, weights, positions);
            free(weights);
            free(positions);
        }
    }
}

static const ossa_ei_options dense = {.resample = 3};
static const ossa_ei_options first_morphs = {.morphing = OSSA_EI_MORPHING_FIRST};
static const ossa_ei_options no_morphs = {.morphing = OSSA_EI_MORPHING_NONE};
static const ossa_scene_options variants[] = {{0},
                                              {.ei = &dense, .join = true},
                                              {.ei = &first_morphs, .in_place = true},
                                              {.ei = &no_morphs, .boxes = true}};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct scene_files files = {0};
    make_figure(&files);
    for (unsigned i = 0; i < VARIANTS; i++)
        assert_true(require_assembly_survives(&files, &variants[i]) > 1);
    free_files(&files);
}

static void every_memory_limit_is_kept(void **state)
{
    (void)state;
    struct scene_files files = {0};
    make_figure(&files);
    ossa_scene *scene = NULL;
    size_t refused = 0;
    for (uint64_t limit = 1; scene == NULL; limit = limit * 9 / 8 + 64) {
        struct counting counting = {0};
        ossa_scene_options options = variants[1];
        options.allocator = counting_allocator(&counting);
        options.max_memory = limit;
        ossa_error error;
        scene = ossa_assemble(files.inputs, files.count, &options, &error);
        assert_true(counting.peak <= limit);
        assert_true(scene != NULL || error.code == OSSA_CODE_LIMIT);
        refused += scene == NULL;
        ossa_scene_free(scene);
        assert_int_equal(counting.live, 0);
    }
    assert_true(refused > 5);
    free_files(&files);
}

struct tries {
    size_t all;
    size_t assembled;
};

static void try_damaged(struct scene_files *files, size_t index, const uint8_t *data, size_t size,
                        struct tries *tries)
{
    ossa_file *good = files->inputs[index].file;
    uint8_t *copy = malloc(size > 0 ? size : 1); /* exact: the sanitizer sees a byte past it */
    assert_non_null(copy);
    if (size > 0) memcpy(copy, data, size);
    ossa_options read = {.format = good->format->id};
    ossa_error error;
    ossa_file *file = ossa_read(copy, size, &read, &error);
    tries->all++;
    if (file != NULL) {
        struct counting counting = {0};
        ossa_scene_options options = variants[tries->all % VARIANTS];
        options.allocator = counting_allocator(&counting);
        files->inputs[index].file = file;
        ossa_scene *scene = ossa_assemble(files->inputs, files->count, &options, &error);
        require((scene != NULL) == (error.code == OSSA_CODE_OK), files->paths[index],
                "result and error");
        if (scene != NULL) {
            tries->assembled++;
            use(scene);
        }
        ossa_scene_free(scene);
        require(counting.live == 0, files->paths[index], "a leak");
        files->inputs[index].file = good;
        ossa_file_free(file);
    }
    free(copy);
}

static void damaged_files_are_survived(void **state)
{
    (void)state;
    static const uint32_t words[] = {0, 1, 2, 0x7fffffff, 0xffffffff, 0x7fc00000, 0x7f7fffff};
    struct scene_files files = {0};
    struct tries tries = {0};
    make_figure(&files);
    for (size_t n = 0; n < files.count; n++) {
        struct bytes *bytes = &files.bytes[n];
        struct bytes damaged = bytes_copy(bytes->data, bytes->size);
        for (size_t cut = 0; cut < bytes->size; cut += 5) {
            try_damaged(&files, n, bytes->data, cut, &tries);
        }
        for (size_t at = 0; at + 4 <= bytes->size; at++) {
            uint32_t original = get_u32(bytes, at);
            for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
                set_u32(&damaged, at, words[w]);
                try_damaged(&files, n, damaged.data, damaged.size, &tries);
            }
            set_u32(&damaged, at, original);
        }
        bytes_free(&damaged);
    }
    print_message("%u damaged files, %u gave a scene\n", (unsigned)tries.all,
                  (unsigned)tries.assembled);
    assert_true(tries.assembled > tries.all / 4);
    free_files(&files);
}

TEST_GROUP(test_scene_figure_hostile)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(every_memory_limit_is_kept),
        cmocka_unit_test(damaged_files_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
