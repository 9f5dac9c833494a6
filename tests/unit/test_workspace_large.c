/* SPDX-License-Identifier: MIT
 *
 * Discs of any size are searched, and files of no format refused, with little memory; and what
 * comes of it is what would have come of reading them whole. */
#include "support/counting.h"
#include "support/file_table.h"
#include "support/group.h"
#include "support/sotc_fixture.h"
#include "support/testing.h"

#include <string.h>

enum { PIECES = 8 };

/* A file of zeros with something here and there, which is nowhere in memory. */
struct disc {
    uint64_t size;
    struct piece {
        uint64_t offset;
        const struct bytes *bytes;
    } pieces[PIECES];
    size_t count;
    uint64_t read; /* bytes */
    size_t largest;
};

static void *open_disc(void *user, const char *path, uint64_t *size, ossa_error *error)
{
    struct disc *disc = user;
    *size = disc->size;
    if (strcmp(path, "disc") == 0) return disc;
    error->code = OSSA_CODE_IO;
    return NULL;
}

static bool read_disc(void *user, void *file, uint64_t offset, void *bytes, size_t size)
{
    struct disc *disc = file;
    (void)user;
    disc->read += size;
    if (size > disc->largest) disc->largest = size;
    memset(bytes, 0, size);
    for (size_t i = 0; i < disc->count; i++) {
        const struct piece *piece = &disc->pieces[i];
        for (size_t k = 0; k < piece->bytes->size; k++) {
            uint64_t at = piece->offset + k;
            if (at >= offset && at - offset < size) {
                ((uint8_t *)bytes)[at - offset] = piece->bytes->data[k];
            }
        }
    }
    return true;
}

static void close_disc(void *user, void *file)
{
    (void)user, (void)file;
}

static ossa_workspace *open_workspace(struct disc *disc, struct counting *counting)
{
    const ossa_filesystem files = {
        .open = open_disc, .read_at = read_disc, .close = close_disc, .user = disc};
    const ossa_workspace_options options = {.filesystem = &files,
                                            .max_input = UINT64_MAX / 2,
                                            .allocator = counting_allocator(counting)};
    ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
    assert_non_null(workspace);
    return workspace;
}

static struct visit_log walk(ossa_workspace *workspace, const char *path)
{
    struct visit_log log = {0};
    const ossa_walk_options options = {
        .detail = OSSA_DETAIL_FORMATS, .search = true, .visit = log_visit, .user = &log};
    ossa_error error;
    if (!ossa_workspace_walk(workspace, path, &options, &error)) log.code = error.code;
    return log;
}

static void large_discs_take_little_memory(void **state)
{
    (void)state;
    const uint64_t large = UINT64_C(1) << 30;
    const struct bytes skb = load_test_file("../samples/bird/bird.skb");
    const struct bytes anb = load_test_file("../samples/bird/fly.anb");
    for (unsigned begins = 0; begins < 2; begins++) {
        /* Across the end of a window, in the middle, and at the end. */
        struct disc disc = {.size = large, .count = 4};
        disc.pieces[0] = (struct piece){begins == 1 ? 0 : 77777, &skb};
        disc.pieces[1] = (struct piece){(1 << 20) - 2, &anb};
        disc.pieces[2] = (struct piece){large / 2 + 13, &anb};
        disc.pieces[3] = (struct piece){large - anb.size, &anb};
        struct counting counting = {0};
        ossa_workspace *workspace = open_workspace(&disc, &counting);
        struct visit_log log = walk(workspace, "disc");
        assert_int_equal(log.count, 5);
        assert_int_equal(log.errors, 0);
        assert_non_null(strstr(log.text, "disc#0x000ffffe.anb sotc-anb"));
        assert_non_null(strstr(log.text, "disc#0x2000000d.anb sotc-anb"));
        assert_non_null(
            strstr(log.text, begins == 1 ? "disc#0x00000000.skb" : "disc#0x00012fd1.skb"));
        assert_in_range(disc.read, large, large + (1 << 20));
        ossa_figures *figures = ossa_workspace_figures(workspace, "disc", NULL);
        assert_non_null(figures);
        assert_int_equal(figures->count, 1);
        assert_int_equal(figures->items[0].path_count, 4);
        ossa_figures_free(figures);
        assert_in_range(disc.read, large, large + (1 << 20)); /* it was searched once */
        assert_true(disc.largest <= 1 << 20);
        require(counting.peak <= 2 << 20, "memory", "%zu bytes", counting.peak);
        ossa_workspace_free(workspace);
        assert_int_equal(counting.live, 0);
    }
    bytes_free(&(struct bytes){skb.data, skb.size, skb.capacity});
    bytes_free(&(struct bytes){anb.data, anb.size, anb.capacity});
}

/* Its beginning is enough to know. */
static void files_of_no_format_are_not_read(void **state)
{
    (void)state;
    struct bytes noise = {0};
    for (uint32_t i = 1; noise.size < 1000; i++) put_u32(&noise, i * 2654435761U | 0x80000000U);
    for (unsigned is_noise = 0; is_noise < 2; is_noise++) {
        struct disc disc = {.size = UINT64_C(4) << 30, .count = is_noise};
        disc.pieces[0] = (struct piece){0, &noise};
        struct counting counting = {0};
        ossa_workspace *workspace = open_workspace(&disc, &counting);
        ossa_error error;
        assert_null(ossa_workspace_open(workspace, "disc", NULL, &error));
        assert_int_equal(error.code, OSSA_CODE_UNKNOWN_FORMAT);
        assert_true(disc.read <= 2 << 20); /* and a hint at what is in it */
        assert_true(counting.peak <= 1 << 20);
        ossa_workspace_free(workspace);
        assert_int_equal(counting.live, 0);
    }
    bytes_free(&noise);
}

/* ---- the same as in memory ----------------------------------------------------------------- */

/* Large enough to be read in parts. */
static struct bytes make_disc(const struct bytes *first, unsigned others)
{
    struct bytes disc = {0};
    struct bytes anb = load_test_file("../samples/bird/fly.anb");
    if (first != NULL) put_bytes(&disc, first->data, first->size);
    put_repeated(&disc, 0, 300 << 10);
    for (unsigned i = 0; i < others; i++) {
        put_bytes(&disc, anb.data, anb.size);
        put_repeated(&disc, 'x', 1000);
    }
    bytes_free(&anb);
    return disc;
}

static void require_same_as_in_memory(const char *what, struct bytes disc, const char *name)
{
    struct file_table table = {0};
    struct file_table none = {0};
    ossa_workspace *memory = table_workspace(&none, NULL);
    assert_true(ossa_workspace_add_memory(memory, name, disc.data, disc.size, NULL));
    table_add(&table, name, disc);
    ossa_workspace *files = table_workspace(&table, NULL);
    struct visit_log a = walk(memory, name);
    struct visit_log b = walk(files, name);
    require(a.count == b.count && a.errors == b.errors && a.code == b.code, what, "%zu, %zu",
            a.count, b.count);
    require(strcmp(a.text, b.text) == 0, what, "%s%s", a.text, b.text);
    ossa_workspace_free(memory);
    ossa_workspace_free(files);
    table_free(&table);
    table_free(&none);
}

static void discs_are_what_they_are_in_memory(void **state)
{
    (void)state;
    struct bytes skb = load_test_file("../samples/bird/bird.skb");
    struct bytes broken = bytes_copy(skb.data, skb.size);
    struct bytes strange = bytes_copy(skb.data, skb.size);
    set_u32(&broken, 4 * 27, 0x7fffffff); /* where the names of its sections are: unreadable */
    set_u32(&strange, 4, 1);              /* no search finds it */
    require_same_as_in_memory("nothing", make_disc(NULL, 0), "disc");
    require_same_as_in_memory("some", make_disc(NULL, 3), "disc");
    for (unsigned others = 0; others < 4; others++) {
        require_same_as_in_memory("first", make_disc(&skb, others), "disc");
        require_same_as_in_memory("broken", make_disc(&broken, others), "disc");
        require_same_as_in_memory("strange", make_disc(&strange, others), "disc");
        require_same_as_in_memory("called", make_disc(&skb, others), "disc.skel");
        require_same_as_in_memory("called broken", make_disc(&broken, others), "disc.anb");
        require_same_as_in_memory("called nothing", make_disc(NULL, others), "disc.lnk");
    }
    bytes_free(&skb);
    bytes_free(&broken);
    bytes_free(&strange);
}

TEST_GROUP(test_workspace_large)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_discs_take_little_memory),
        cmocka_unit_test(files_of_no_format_are_not_read),
        cmocka_unit_test(discs_are_what_they_are_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
