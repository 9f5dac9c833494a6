/* SPDX-License-Identifier: MIT
 *
 * The arena, the buffer, and products that do not overflow. */
#include "test_core.h"

#include "base/memory.h"

static void products(void **state)
{
    (void)state;
    uint64_t product = 1;
    assert_true(ossa__multiply(0, UINT64_MAX, &product));
    assert_int_equal(product, 0);
    assert_true(ossa__multiply(UINT64_MAX, 0, &product));
    assert_int_equal(product, 0);
    assert_true(ossa__multiply(UINT64_C(1) << 32, UINT32_MAX, &product));
    assert_int_equal(product, UINT64_C(0xffffffff00000000));
    assert_true(ossa__multiply(UINT64_MAX, 1, &product));
    assert_int_equal(product, UINT64_MAX);
    assert_false(ossa__multiply(UINT64_C(1) << 32, UINT64_C(1) << 32, &product));
    assert_int_equal(product, UINT64_MAX);
    assert_false(ossa__multiply(UINT64_MAX / 2 + 1, 2, &product));
    assert_true(ossa__multiply(UINT64_MAX / 3, 3, &product));
    assert_int_equal(product, UINT64_MAX);
}

/* Every block is aligned, apart from the others, and of its full size. */
static void arena_blocks_are_apart(void **state)
{
    (void)state;
    enum { BLOCKS = 400 };
    struct memory memory = {.fail_from = NEVER};
    struct ossa__arena arena;
    uint8_t *blocks[BLOCKS];
    size_t sizes[BLOCKS];
    uint64_t seed = 1;
    ossa__arena_init(&arena, counted(&memory), UINT64_MAX);
    for (size_t i = 0; i < BLOCKS; i++) {
        sizes[i] = random_below(&seed, i % 50 == 0 ? 300000 : 200);
        blocks[i] = ossa__arena_take(&arena, sizes[i]);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % 16, 0);
        memset(blocks[i], (int)(i % 251), sizes[i]);
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        for (size_t k = 0; k < sizes[i]; k++) assert_int_equal(blocks[i][k], i % 251);
    }
    assert_int_equal(memory.live_bytes, arena.total);
    assert_true(memory.calls < BLOCKS / 2); /* small blocks share chunks */
    ossa__arena_free(&arena);
    assert_int_equal(memory.live_blocks, 0);
}

static void arena_gives_empty_blocks(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = NEVER};
    struct ossa__arena arena;
    ossa__arena_init(&arena, counted(&memory), UINT64_MAX);
    void *first = ossa__arena_take(&arena, 0);
    void *second = ossa__arena_take(&arena, 0);
    assert_non_null(first);
    assert_non_null(second);
    assert_ptr_not_equal(first, second);
    ossa__arena_free(&arena);
}

static void arena_keeps_its_limit(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = NEVER};
    struct ossa__arena arena;
    ossa__arena_init(&arena, counted(&memory), 10000);
    assert_null(ossa__arena_take(&arena, 10001));
    assert_true(arena.limited);
    assert_null(ossa__arena_take(&arena, UINT64_MAX - 64)); /* no machine has addresses for it */
    assert_true(arena.limited);
    assert_int_equal(memory.calls, 0); /* refused before anybody was asked */
    while (ossa__arena_take(&arena, 100) != NULL) assert_false(arena.limited);
    assert_true(arena.limited);
    assert_true(memory.peak_bytes <= 10000);
    assert_true(memory.peak_bytes >= 5000); /* growth must not waste the most of it */
    ossa__arena_free(&arena);
    assert_int_equal(memory.live_blocks, 0);
}

/* What the allocator is asked for counts, with what the arena puts in front of it, to the byte: the
 * headers of a million small results would add up. */
static void arena_counts_its_headers(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = NEVER};
    struct ossa__arena arena;
    ossa__arena_init(&arena, counted(&memory), UINT64_MAX);
    assert_non_null(ossa__arena_take(&arena, 1));
    assert_non_null(ossa__arena_take(&arena, 100000));
    const size_t needed = memory.live_bytes;
    assert_true(needed > 100000 + 16);
    assert_int_equal(arena.total, needed);
    ossa__arena_free(&arena);
    for (size_t missing = 0; missing < 64; missing++) {
        ossa__arena_init(&arena, counted(&memory), needed - missing);
        assert_non_null(ossa__arena_take(&arena, 1));
        bool is_given = ossa__arena_take(&arena, 100000) != NULL;
        assert_int_equal(is_given, missing == 0);
        assert_int_equal(arena.limited, missing > 0);
        ossa__arena_free(&arena);
    }
    assert_int_equal(memory.live_blocks, 0);
}

/* Chunks grow, but not past the limit: what is left of it can be taken, to the last block. */
static void arena_gives_all_it_may(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = NEVER};
    struct ossa__arena arena;
    ossa__arena_init(&arena, counted(&memory), 10000);
    size_t taken = 0;
    while (ossa__arena_take(&arena, 16) != NULL) taken += 16;
    assert_true(arena.limited);
    assert_in_range(taken, 9800, 10000); /* the rest is headers */
    assert_in_range(memory.live_bytes, 9900, 10000);
    ossa__arena_free(&arena);
    assert_int_equal(memory.live_blocks, 0);
}

/* What is given back can be taken again, as often as one likes. */
static void arena_forgets_what_is_released(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = NEVER};
    struct ossa__arena arena;
    ossa__arena_init(&arena, counted(&memory), 1000000);
    assert_non_null(ossa__arena_take(&arena, 1));
    const uint64_t before = arena.total;
    for (unsigned i = 0; i < 100; i++) {
        struct ossa__mark mark = ossa__arena_mark(&arena);
        assert_non_null(ossa__arena_take(&arena, 600000));
        assert_true(arena.total > before + 600000);
        ossa__arena_release(&arena, mark);
        assert_int_equal(arena.total, before);
        assert_int_equal(memory.live_bytes, before);
    }
    ossa__arena_free(&arena);
}

static void arena_without_memory(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = 1};
    struct ossa__arena arena;
    ossa__arena_init(&arena, counted(&memory), UINT64_MAX);
    assert_non_null(ossa__arena_take(&arena, 16));
    assert_null(ossa__arena_take(&arena, 100000));
    assert_false(arena.limited);                   /* it is the allocator's fault */
    assert_non_null(ossa__arena_take(&arena, 16)); /* the first chunk still has room */
    ossa__arena_free(&arena);
    assert_int_equal(memory.live_blocks, 0);
}

static void arena_refuses_what_no_machine_has(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = NEVER};
    struct ossa__arena arena;
    ossa__arena_init(&arena, counted(&memory), UINT64_MAX);
    assert_null(ossa__arena_take(&arena, UINT64_MAX));
    assert_null(ossa__arena_take(&arena, UINT64_MAX - 16));
    assert_int_equal(memory.calls, 0);
    ossa__arena_free(&arena);
}

/* As an ossa_file does it. */
static void arena_in_its_own_chunk(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = NEVER};
    struct ossa__arena arena;
    ossa__arena_init(&arena, counted(&memory), UINT64_MAX);
    struct ossa__arena *inside = ossa__arena_take(&arena, sizeof *inside);
    assert_non_null(ossa__arena_take(&arena, 1 << 20));
    *inside = arena;
    ossa__arena_free(inside);
    assert_int_equal(memory.live_blocks, 0);
}

/* A large block does not end the chunk that small ones share, and is given back like them. */
static void arena_large_blocks_stand_apart(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = NEVER};
    struct ossa__arena arena;
    ossa__arena_init(&arena, counted(&memory), UINT64_MAX);
    uint8_t *first = ossa__arena_take(&arena, 16);
    struct ossa__mark mark = ossa__arena_mark(&arena);
    size_t live = memory.live_bytes;
    for (unsigned i = 0; i < 3; i++) {
        uint8_t *large[2] = {ossa__arena_take(&arena, 300000), ossa__arena_take(&arena, 300000)};
        memset(large[0], 1, 300000);
        memset(large[1], 2, 300000);
        size_t calls = memory.calls;
        assert_ptr_equal(ossa__arena_take(&arena, 16), first + 16);
        assert_int_equal(memory.calls, calls);
        struct ossa__mark inner = ossa__arena_mark(&arena);
        assert_non_null(ossa__arena_take(&arena, 400000));
        assert_non_null(ossa__arena_take(&arena, 2000)); /* a new chunk */
        assert_non_null(ossa__arena_take(&arena, 400000));
        ossa__arena_release(&arena, inner);
        assert_int_equal(memory.live_bytes, arena.total);
        assert_int_equal(memory.live_blocks, 3);
        ossa__arena_release(&arena, mark);
        assert_int_equal(memory.live_bytes, live);
        assert_int_equal(arena.total, live);
    }
    ossa__arena_free(&arena);
    assert_int_equal(memory.live_blocks, 0);
}

static void half_an_allocator_is_none(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = NEVER};
    ossa_allocator half = {.allocate = counted_allocate, .user = &memory};
    ossa_allocator other = ossa__allocator_or_default(half);
    void *block = other.allocate(other.user, 8);
    assert_non_null(block);
    other.release(other.user, block, 8);
    assert_int_equal(memory.calls, 0);
    ossa_allocator whole = ossa__allocator_or_default(counted(&memory));
    assert_ptr_equal(whole.user, &memory);
}

static void buffer_collects(void **state)
{
    (void)state;
    enum { SIZE = 20000 };
    struct memory memory = {.fail_from = NEVER};
    ossa_buffer buffer = {.allocator = counted(&memory)};
    ossa_sink sink = ossa_buffer_sink(&buffer);
    uint8_t *model = malloc(SIZE);
    assert_non_null(model);
    uint64_t seed = 2;
    for (size_t i = 0; i < SIZE; i++) model[i] = (uint8_t)random_u32(&seed);
    for (size_t used = 0; used < SIZE;) {
        size_t size = random_below(&seed, 700);
        if (size > SIZE - used) size = SIZE - used;
        assert_true(sink.write(sink.user, model + used, size));
        used += size;
        assert_int_equal(buffer.size, used);
    }
    assert_memory_equal(buffer.data, model, SIZE);
    assert_true(memory.calls < 10); /* it doubles */
    ossa_buffer_free(&buffer);
    assert_int_equal(memory.live_blocks, 0);
    assert_null(buffer.data);
    assert_int_equal(buffer.size, 0);
    assert_int_equal(buffer.capacity, 0);
    assert_true(sink.write(sink.user, model, 3)); /* a freed buffer is an empty one */
    assert_int_equal(buffer.size, 3);
    ossa_buffer_free(&buffer);
    ossa_buffer_free(&buffer);
    assert_int_equal(memory.live_blocks, 0);
    free(model);
}

static void buffer_without_memory(void **state)
{
    (void)state;
    struct memory memory = {.fail_from = 1};
    ossa_buffer buffer = {.allocator = counted(&memory)};
    ossa_sink sink = ossa_buffer_sink(&buffer);
    uint8_t bytes[1000] = {7, 8, 9};
    assert_true(sink.write(sink.user, bytes, 3));
    assert_false(sink.write(sink.user, bytes, sizeof bytes));
    assert_int_equal(buffer.size, 3);
    assert_memory_equal(buffer.data, bytes, 3); /* what was there stays */
    size_t calls = memory.calls;
    assert_false(sink.write(sink.user, bytes, SIZE_MAX)); /* no capacity holds that */
    assert_int_equal(memory.calls, calls);
    ossa_buffer_free(&buffer);
    assert_int_equal(memory.live_blocks, 0);
}

TEST_GROUP(test_core_memory)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products),
        cmocka_unit_test(arena_blocks_are_apart),
        cmocka_unit_test(arena_gives_empty_blocks),
        cmocka_unit_test(arena_keeps_its_limit),
        cmocka_unit_test(arena_counts_its_headers),
        cmocka_unit_test(arena_gives_all_it_may),
        cmocka_unit_test(arena_forgets_what_is_released),
        cmocka_unit_test(arena_without_memory),
        cmocka_unit_test(arena_refuses_what_no_machine_has),
        cmocka_unit_test(arena_in_its_own_chunk),
        cmocka_unit_test(arena_large_blocks_stand_apart),
        cmocka_unit_test(half_an_allocator_is_none),
        cmocka_unit_test(buffer_collects),
        cmocka_unit_test(buffer_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
