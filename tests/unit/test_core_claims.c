/* SPDX-License-Identifier: MIT
 *
 * Claims come back as they were kept, in the order of offsets. */
#include "test_core.h"

#include "codec/claims.h"
#include "codec/trace.h"
#include "support/byte_list.h"

enum { MOST = 4000 };

static const struct ossa__shape nine = {OSSA_FIELD_TYPE_U16, 9, {NULL}};
static const struct ossa__shape *const shapes[] = {&ossa__shape_u8, &ossa__shape_f32,
                                                   &ossa__shape_vec3, &nine};
static char names[600][4]; /* more than are remembered */

static uint64_t size_of(const struct ossa__claim *claim)
{
    return claim->count * ossa__shape_size(claim->shape);
}

static bool is_same(const struct ossa__claim *a, const struct ossa__claim *b)
{
    bool same = a->offset == b->offset && a->count == b->count && a->inner == b->inner &&
                a->indexed == b->indexed && a->depth == b->depth && a->shape == b->shape &&
                a->field == b->field;
    for (unsigned i = 0; same && i < a->depth; i++) {
        same = a->path[i].name == b->path[i].name && a->path[i].index == b->path[i].index;
    }
    return same;
}

/* Some follow the one before, some jump; few offsets, so that many are at the same one. */
static struct ossa__claim make_claim(struct random *random, const struct ossa__claim *before,
                                     uint32_t name_count)
{
    struct ossa__claim claim = *before;
    bool follows = next_random(random) % 4 != 0;
    claim.offset = follows ? before->offset + (before->shape == NULL ? 0 : size_of(before))
                           : next_random(random) % 300;
    claim.shape = shapes[next_random(random) % 4];
    claim.field = names[next_random(random) % name_count];
    claim.count = next_random(random) % 3 == 0 ? next_random(random) % 200 : 1;
    claim.indexed = next_random(random) % 2 == 0;
    claim.inner = claim.indexed && next_random(random) % 2 == 0 ? next_random(random) : 0;
    if (next_random(random) % 3 == 0) claim.depth = (uint8_t)(next_random(random) % 5);
    for (unsigned i = 0; i < OSSA__PATH_DEPTH; i++) {
        if (next_random(random) % 4 != 0) continue;
        uint32_t kind = next_random(random) % 3;
        claim.path[i].name = names[next_random(random) % name_count];
        claim.path[i].index = kind == 0   ? OSSA__NO_INDEX
                              : kind == 1 ? next_random(random)
                                          : UINT64_MAX - 1;
    }
    return claim;
}

/* The first of the claims that are left: the least offset, and of these the one that came first. */
static size_t find_first(const struct ossa__claim *claims, const uint8_t *is_done, size_t count)
{
    size_t first = count;
    for (size_t i = 0; i < count; i++) {
        if (is_done[i]) continue;
        if (first == count || claims[i].offset < claims[first].offset) first = i;
    }
    return first;
}

static void check_order(uint32_t seed, size_t count, uint32_t name_count)
{
    static struct ossa__claim expected[MOST];
    uint8_t is_done[MOST] = {0};
    struct memory memory = {.fail_from = NEVER};
    struct random random = {seed};
    struct ossa__context context;
    struct ossa__claims claims = {0};
    struct ossa__claim claim = {.path = {{"", 0}, {"", 0}, {"", 0}, {"", 0}}};
    const ossa_options options = {.allocator = counted(&memory), .max_memory = UINT64_MAX};
    ossa__context_init(&context, &options, 0);
    for (size_t i = 0; i < count; i++) {
        claim = make_claim(&random, &claim, name_count);
        expected[i] = claim;
        ossa__claims_add(&context, &claims, &claim, size_of(&claim));
    }
    assert_true(ossa__claims_sort(&context, &claims));
    for (size_t i = 0; i < count; i++) {
        size_t first = find_first(expected, is_done, count);
        assert_true(ossa__claims_next(&context, &claims, &claim));
        assert_true(is_same(&claim, &expected[first]));
        is_done[first] = 1;
    }
    assert_false(ossa__claims_next(&context, &claims, &claim));
    assert_false(context.failed);
    ossa__arena_free(&context.scratch);
    ossa__arena_free(&context.arena);
    assert_int_equal(memory.live_blocks, 0);
}

static void claims_come_back_in_order(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 20; seed++) check_order(seed, seed * 20, 5);
    check_order(99, MOST, 3);
}

static void claims_have_any_number_of_names(void **state)
{
    (void)state;
    check_order(7, MOST, 600);
}

/* Scalars that follow each other, as those of most files do. */
static void claims_take_few_bytes(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    struct memory memory = {.fail_from = NEVER};
    struct ossa__context context;
    struct ossa__claims claims = {0};
    struct ossa__claim claim = {.count = 1, .shape = &ossa__shape_u16, .depth = 1};
    const ossa_options options = {.allocator = counted(&memory), .max_memory = UINT64_MAX};
    ossa__context_init(&context, &options, 0);
    for (uint32_t i = 0; i < COUNT; i++) {
        claim.field = names[i % 10];
        claim.path[0] = (struct ossa__step){names[0], i / 10};
        ossa__claims_add(&context, &claims, &claim, 2);
        claim.offset += 2;
    }
    assert_true(ossa__claims_sort(&context, &claims));
    assert_in_range(context.arena.total + context.scratch.total, 1, 4 * COUNT);
    ossa__arena_free(&context.scratch);
    ossa__arena_free(&context.arena);
}

/* Every allocation fails in turn: there is a failure, and no claim but the first ones. */
static void claims_without_memory(void **state)
{
    (void)state;
    bool is_done = false;
    for (unsigned n = 0; !is_done; n++) {
        struct memory memory = {.fail_from = n};
        struct ossa__context context;
        struct ossa__claims claims = {0};
        struct ossa__claim claim = {.count = 1, .shape = &ossa__shape_u8, .field = names[0]};
        const ossa_options options = {.allocator = counted(&memory), .max_memory = UINT64_MAX};
        unsigned count = 0;
        ossa__context_init(&context, &options, 0);
        for (unsigned i = 0; i < 3000; i++) {
            claim.offset = i % 7;
            ossa__claims_add(&context, &claims, &claim, 1);
        }
        bool ok = !context.failed && ossa__claims_sort(&context, &claims);
        while (ok && ossa__claims_next(&context, &claims, &claim)) count++;
        is_done = !context.failed;
        assert_true(is_done ? count == 3000 : count < 3000);
        ossa__arena_free(&context.scratch);
        ossa__arena_free(&context.arena);
        assert_int_equal(memory.live_blocks, 0);
    }
}

TEST_GROUP(test_core_claims)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(claims_come_back_in_order),
        cmocka_unit_test(claims_have_any_number_of_names),
        cmocka_unit_test(claims_take_few_bytes),
        cmocka_unit_test(claims_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
