/* SPDX-License-Identifier: MIT
 *
 * Many files are grouped without comparing each with each. No clock is asked: what is compared is
 * counted, for so many files and for four times as many. */
#include "support/counting.h"
#include "support/group.h"
#include "support/packing.h"
#include "support/testing.h"

#include "workspace/figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 250, MANY = 4 * FEW, ONE_SEARCH = 64 /* comparisons */ };

static void *open_nothing(void *user, const char *path, uint64_t *size, ossa_error *error)
{
    (void)user, (void)path;
    *size = 0;
    error->code = OSSA_CODE_IO;
    return NULL;
}

static ossa_workspace *new_workspace(void)
{
    const ossa_filesystem nothing = {.open = open_nothing};
    const ossa_workspace_options options = {.filesystem = &nothing};
    ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
    assert_non_null(workspace);
    return workspace;
}

/* The same file under many names: NAME, a number and the ending, in one folder or in one for each.
 */
static void add_many(ossa_workspace *workspace, const char *name, const char *ending,
                     const char *file, unsigned count, bool is_apart)
{
    struct bytes bytes = load_test_file(file);
    for (unsigned i = 0; i < count; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "x%u/%s%05u%s", is_apart ? i : 0, name, i, ending);
        assert_true(ossa_workspace_add_memory(workspace, path, bytes.data, bytes.size, NULL));
    }
    bytes_free(&bytes);
}

/* Names that are the same but for the case of their letters. */
static void add_alike(ossa_workspace *workspace, const char *folder, const char *extension,
                      const char *file, unsigned count)
{
    struct bytes bytes = load_test_file(file);
    for (unsigned i = 0; i < count; i++) {
        char path[64];
        char name[] = "abcdefghijkl";
        for (unsigned k = 0; k < 12; k++) {
            if ((i >> k & 1U) != 0) name[k] = (char)(name[k] - 'a' + 'A');
        }
        (void)snprintf(path, sizeof path, "%s/%s%s", folder, name, extension);
        assert_true(ossa_workspace_add_memory(workspace, path, bytes.data, bytes.size, NULL));
    }
    bytes_free(&bytes);
}

typedef void filling(ossa_workspace *workspace, unsigned count);

static uint64_t compare(const char *what, filling *fill, unsigned count)
{
    ossa_workspace *workspace = new_workspace();
    fill(workspace, count);
    ossa_error error;
    ossa_figures *figures = ossa_workspace_figures(workspace, NULL, &error);
    require(figures != NULL, what, "%s", error.message);
    if (figures == NULL) return 0;
    uint64_t compared = ossa__figures_compared(figures);
    require(figures->count > 0, what, "no figures");
    require(compared > 0, what, "nothing is counted");
    ossa_figures_free(figures);
    ossa_workspace_free(workspace);
    return compared;
}

static void require_linear(const char *what, filling *fill)
{
    uint64_t few = compare(what, fill, FEW);
    uint64_t many = compare(what, fill, MANY);
    require(many <= (uint64_t)MANY * ONE_SEARCH, what, "%zu comparisons", (size_t)many);
    require(many <= 6 * few + ONE_SEARCH, what, "%zu comparisons for %d, %zu for %d", (size_t)few,
            FEW, (size_t)many, MANY);
}

static void bodies_and_clips_that_do_not_fit(ossa_workspace *workspace, unsigned count)
{
    add_many(workspace, "b", ".skb", "../samples/bird/bird.skb", count, false);
    add_many(workspace, "c", ".anb", "fixtures/sotc-anb/every-flag.anb", count, false);
}

static void bodies_and_clips_that_fit(ossa_workspace *workspace, unsigned count)
{
    add_many(workspace, "b", ".skb", "../samples/bird/bird.skb", count, false);
    add_many(workspace, "c", ".anb", "../samples/bird/fly.anb", count, false);
}

/* As on a disc. */
static void found_bodies_and_clips(ossa_workspace *workspace, unsigned count)
{
    static const char *const names[] = {"../samples/bird/bird.skb",
                                        "fixtures/sotc-anb/every-flag.anb"};
    struct bytes disc = {0};
    for (unsigned i = 0; i < 2; i++) {
        struct bytes bytes = load_test_file(names[i]);
        for (unsigned k = 0; k < count; k++) {
            put_text(&disc, "noise");
            put_bytes(&disc, bytes.data, bytes.size);
        }
        bytes_free(&bytes);
    }
    assert_true(ossa_workspace_add_memory(workspace, "disc", disc.data, disc.size, NULL));
    bytes_free(&disc);
}

static void bodies_and_textures_in_one_folder(ossa_workspace *workspace, unsigned count)
{
    add_many(workspace, "b", ".lnk", "../samples/troll/troll.lnk", count, false);
    add_many(workspace, "b", "-0.mmp", "../samples/wyvern/wyvern00.mmp", count, false);
}

static void bodies_and_textures_of_others(ossa_workspace *workspace, unsigned count)
{
    add_many(workspace, "b", ".lnk", "../samples/troll/troll.lnk", count, false);
    add_many(workspace, "c", ".mmp", "../samples/wyvern/wyvern00.mmp", count, false);
}

static void bodies_and_textures_apart(ossa_workspace *workspace, unsigned count)
{
    add_many(workspace, "b", ".lnk", "../samples/troll/troll.lnk", count, true);
    add_many(workspace, "b", "-0.mmp", "../samples/wyvern/wyvern00.mmp", count, false);
}

static void bodies_and_textures_of_one_name(ossa_workspace *workspace, unsigned count)
{
    add_alike(workspace, "x", ".lnk", "../samples/troll/troll.lnk", count);
    add_alike(workspace, "x", "00.mmp", "../samples/wyvern/wyvern00.mmp", count);
}

/* Each archive has a texture of one of the bodies. */
static void archives_of_textures(ossa_workspace *workspace, unsigned count)
{
    struct bytes texture = load_test_file("../samples/wyvern/wyvern00.mmp");
    add_many(workspace, "b", ".lnk", "../samples/troll/troll.lnk", count, true);
    for (unsigned i = 0; i < count; i++) {
        char name[64];
        char path[64];
        (void)snprintf(name, sizeof name, "skins/B%05u-0.mmp", i);
        (void)snprintf(path, sizeof path, "t%u.res", i);
        const ossa_packing entry = {name, texture.data, texture.size, 1};
        struct bytes archive = pack_or_fail("ei-res", path, &entry, 1);
        assert_true(ossa_workspace_add_memory(workspace, path, archive.data, archive.size, NULL));
        bytes_free(&archive);
    }
    bytes_free(&texture);
}

/* Few archives go with all bodies, many with those of their textures. */
static void archives_of_textures_go_with_their_bodies(void **state)
{
    (void)state;
    for (unsigned count = 64; count <= 65; count++) {
        ossa_workspace *workspace = new_workspace();
        archives_of_textures(workspace, count);
        ossa_figures *figures = ossa_workspace_figures(workspace, NULL, NULL);
        assert_non_null(figures);
        assert_int_equal(figures->count, count);
        for (size_t i = 0; i < count; i++) {
            char path[64];
            const ossa_figure *figure = &figures->items[i];
            (void)snprintf(path, sizeof path, "t%lu.res", strtoul(figure->name + 1, NULL, 10));
            assert_int_equal(figure->path_count, count == 64 ? 1 + count : 2);
            if (count > 64) assert_string_equal(figure->paths[1], path);
        }
        ossa_figures_free(figures);
        ossa_workspace_free(workspace);
    }
}

static void add_packed(ossa_workspace *workspace, const char *path, const ossa_packing *entries,
                       size_t count)
{
    struct bytes archive = pack_or_fail("vib-pak", path, entries, count);
    assert_true(ossa_workspace_add_memory(workspace, path, archive.data, archive.size, NULL));
    bytes_free(&archive);
}

/* Archives with textures of two games count for one of them, here for the first. */
static void archives_of_two_games_are_told_apart(void **state)
{
    (void)state;
    enum { MIXED = 100, OWN = 65 };
    ossa_workspace *workspace = new_workspace();
    struct bytes one = load_test_file("../samples/wyvern/wyvern00.mmp");
    struct bytes two = load_test_file("../samples/bird/bird.nto");
    add_many(workspace, "bird", ".nmo", "../samples/bird/bird.nmo", 1, false);
    for (unsigned i = 0; i < MIXED + OWN; i++) {
        char path[64];
        const ossa_packing entries[] = {{"bird.nto", two.data, two.size, 1},
                                        {"bird.mmp", one.data, one.size, 1}};
        (void)snprintf(path, sizeof path, "t%03u.pak", i);
        add_packed(workspace, path, entries, i < MIXED ? 2 : 1);
    }
    ossa_figures *figures = ossa_workspace_figures(workspace, NULL, NULL);
    assert_non_null(figures);
    assert_int_equal(figures->count, 1);
    assert_int_equal(figures->items[0].path_count, 1 + OWN);
    assert_string_equal(figures->items[0].paths[1], "t100.pak");
    ossa_figures_free(figures);
    ossa_workspace_free(workspace);
    bytes_free(&one);
    bytes_free(&two);
}

static void figures_are_found_in_proportion_to_files(void **state)
{
    (void)state;
    require_linear("no clip fits", bodies_and_clips_that_do_not_fit);
    require_linear("all clips fit", bodies_and_clips_that_fit);
    require_linear("on a disc", found_bodies_and_clips);
    require_linear("textures by name", bodies_and_textures_in_one_folder);
    require_linear("textures of others", bodies_and_textures_of_others);
    require_linear("textures apart", bodies_and_textures_apart);
    require_linear("archives of textures", archives_of_textures);
    require_linear("one name", bodies_and_textures_of_one_name);
}

/* ---- names of many # ----------------------------------------------------------------------- */

enum { FEW_MARKS = 4000, MANY_MARKS = 4 * FEW_MARKS };

static char *marks(size_t count, const char *ending)
{
    char *name = calloc(count + strlen(ending) + 1, 1);
    assert_non_null(name);
    memset(name, '#', count);
    memcpy(name + count, ending, strlen(ending));
    return name;
}

/* An archive of one camera, whose name has so many #, in `outer` others. */
static struct bytes pack_marks(size_t count, unsigned outer)
{
    char *name = marks(count, ".cam");
    struct bytes camera = load_test_file("fixtures/ei-cam/plain.cam");
    const ossa_packing entry = {name, camera.data, camera.size, 1};
    struct bytes archive = pack_or_fail("vib-pak", "marks", &entry, 1);
    for (unsigned i = 0; i < outer; i++) {
        const ossa_packing inner = {"in.pak", archive.data, archive.size, 1};
        struct bytes whole = pack_or_fail("vib-pak", "around", &inner, 1);
        bytes_free(&archive);
        archive = whole;
    }
    bytes_free(&camera);
    free(name);
    return archive;
}

/* The memory that it takes to find and to check the figure. */
static size_t peak_of_marks(size_t count, unsigned outer)
{
    struct counting counting = {0};
    const ossa_workspace_options options = {.allocator = counting_allocator(&counting)};
    ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
    struct bytes archive = pack_marks(count, outer);
    ossa_check check;
    assert_true(ossa_workspace_add_memory(workspace, "h.pak", archive.data, archive.size, NULL));
    ossa_figures *figures = ossa_workspace_figures(workspace, NULL, NULL);
    assert_non_null(figures);
    assert_int_equal(figures->count, 1);
    ossa_figures_free(figures);
    assert_true(ossa_workspace_check(workspace, NULL, NULL, &check, NULL));
    ossa_workspace_free(workspace);
    bytes_free(&archive);
    return counting.peak;
}

static void names_of_many_marks_take_memory_in_proportion(void **state)
{
    (void)state;
    for (unsigned outer = 0; outer < 3; outer++) {
        size_t few = peak_of_marks(FEW_MARKS, outer);
        size_t many = peak_of_marks(MANY_MARKS, outer);
        require(many <= 6 * few, "marks", "%zu bytes for %d #, %zu for %d", few, FEW_MARKS, many,
                MANY_MARKS);
    }
}

/* Whatever there is no memory for, the error says of which file. */
static void a_lack_of_memory_names_a_path(void **state)
{
    (void)state;
    struct bytes archive = pack_marks(3, 0);
    for (size_t fail_at = 1;; fail_at++) {
        struct counting counting = {0};
        const ossa_workspace_options options = {.allocator = counting_allocator(&counting)};
        ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
        ossa_error error = {0};
        assert_true(
            ossa_workspace_add_memory(workspace, "h.pak", archive.data, archive.size, NULL));
        counting.fail_at = counting.calls + fail_at;
        bool ok = ossa_workspace_check(workspace, NULL, NULL, NULL, &error);
        require(ok || strncmp(error.path, "h.pak", 5) == 0, "path", "'%s': %s", error.path,
                error.message);
        ossa_workspace_free(workspace);
        if (!counting.failed) break;
    }
    bytes_free(&archive);
}

/* ---- loading ------------------------------------------------------------------------------- */

/* The entries of an archive of textures that belong to bodies, which are all read. */
static uint64_t collect(unsigned count, bool is_alike)
{
    static char names[MANY][32];
    static ossa_packing entries[MANY];
    ossa_workspace *workspace = new_workspace();
    struct bytes texture = load_test_file("../samples/wyvern/wyvern00.mmp");
    for (unsigned i = 0; i < count; i++) {
        (void)snprintf(names[i], sizeof names[i], "%s%05u0.mmp", is_alike ? "abcdefghijkl" : "b",
                       i);
        entries[i] = (ossa_packing){names[i], texture.data, texture.size, 1};
    }
    struct bytes archive = pack_or_fail("ei-res", "textures", entries, count);
    assert_true(ossa_workspace_add_memory(workspace, "t.res", archive.data, archive.size, NULL));
    if (is_alike) add_alike(workspace, "x", ".lnk", "../samples/troll/troll.lnk", count);
    else add_many(workspace, "b", ".lnk", "../samples/troll/troll.lnk", count, false);
    bytes_free(&archive);
    bytes_free(&texture);
    const char *const paths[] = {is_alike ? "x" : "x0", "t.res"};
    const ossa_load_options options = {0};
    struct ossa__collection c = {.workspace = workspace, .options = &options};
    bool ok = ossa__collect(&c, paths, 2);
    require(ok, "collect", "%s", c.error.message);
    assert_int_equal(c.count, 2 * count);
    uint64_t compared = c.compared;
    ossa__collection_free(&c);
    ossa_workspace_free(workspace);
    return compared;
}

static void textures_are_chosen_in_proportion_to_them(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t few = collect(FEW, i == 1);
        uint64_t many = collect(MANY, i == 1);
        require(few > 0 && many <= (uint64_t)MANY * ONE_SEARCH && many <= 6 * few, "textures",
                "%zu comparisons for %d, %zu for %d", (size_t)few, FEW, (size_t)many, MANY);
    }
}

TEST_GROUP(test_workspace_linear)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_found_in_proportion_to_files),
        cmocka_unit_test(archives_of_textures_go_with_their_bodies),
        cmocka_unit_test(archives_of_two_games_are_told_apart),
        cmocka_unit_test(names_of_many_marks_take_memory_in_proportion),
        cmocka_unit_test(a_lack_of_memory_names_a_path),
        cmocka_unit_test(textures_are_chosen_in_proportion_to_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
