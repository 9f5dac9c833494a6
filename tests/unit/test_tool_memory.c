/* SPDX-License-Identifier: MIT
 *
 * The tool does not hold archives in memory: the same models in an archive of 64 MiB more take no
 * more of it, whatever is done with them. */
#include "support/testing.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||                         \
    __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

extern char **environ;

enum {
    MODEL_ENTRIES = 6, /* of the sample */
    MORE = 64,
    MORE_SIZE = 1 << 20,
    ALLOWED = 8 << 10, /* KiB: an eighth of what there is more */
};

static char folder[] = "/tmp/ossa-test-XXXXXX";

static bool to_file(void *user, const void *bytes, size_t size)
{
    return fwrite(bytes, 1, size, user) == size;
}

/* The sample's models, and behind them `more` entries that are nobody's. */
static void write_archive(const char *path, size_t more)
{
    static uint8_t other[MORE_SIZE];
    static char names[MORE][32];
    ossa_packing entries[MODEL_ENTRIES + MORE];
    struct bytes sample = load_test_file("../samples/packed/figures.res");
    ossa_file *file = ossa_read(sample.data, sample.size, NULL, NULL);
    assert_non_null(file);
    assert_int_equal(ossa_entry_count(file), MODEL_ENTRIES);
    memset(other, 0x5a, sizeof other);
    for (size_t i = 0; i < MODEL_ENTRIES + more; i++) {
        ossa_bytes bytes = {.data = other, .size = sizeof other};
        const char *name = NULL;
        if (i < MODEL_ENTRIES) {
            assert_true(ossa_entry_bytes(file, i, NULL, &bytes, NULL));
            name = ossa_entry_at(file, i)->name;
        } else {
            (void)snprintf(names[i - MODEL_ENTRIES], sizeof names[0], "other%zu.dat", i);
            name = names[i - MODEL_ENTRIES];
        }
        entries[i] = (ossa_packing){name, bytes.data, bytes.size, 1};
    }
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    ossa_sink sink = {to_file, stream};
    assert_true(ossa_pack("ei-res", entries, MODEL_ENTRIES + more, NULL, sink, NULL));
    assert_int_equal(fclose(stream), 0);
    ossa_file_free(file);
    bytes_free(&sample);
}

/* Run the tool with these words; the most memory that any run has had so far, in KiB. */
static long run(const char *const *words)
{
    char *arguments[16] = {(char *)(uintptr_t)OSSA_TOOL};
    posix_spawn_file_actions_t actions;
    pid_t tool;
    int status = -1;
    struct rusage usage;
    for (size_t i = 0; words[i] != NULL; i++) arguments[i + 1] = (char *)(uintptr_t)words[i];
    assert_int_equal(posix_spawn_file_actions_init(&actions), 0);
    assert_int_equal(posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", 1, 0), 0);
    assert_int_equal(posix_spawn(&tool, OSSA_TOOL, &actions, NULL, arguments, environ), 0);
    assert_int_equal(waitpid(tool, &status, 0), tool);
    assert_int_equal(status, 0);
    assert_int_equal(posix_spawn_file_actions_destroy(&actions), 0);
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &usage), 0);
    return usage.ru_maxrss;
}

/* All the verbs that take an archive. */
static long run_all(const char *archive)
{
    char model[64];
    char glb[64];
    char out[64];
    (void)snprintf(model, sizeof model, "%s#troll", archive);
    (void)snprintf(glb, sizeof glb, "%s.glb", archive);
    (void)snprintf(out, sizeof out, "%s.out", archive);
    (void)run((const char *const[]){"list", "--tree", archive, NULL});
    (void)run((const char *const[]){"info", archive, NULL});
    (void)run((const char *const[]){"convert", "-q", model, "-o", glb, NULL});
    (void)run((const char *const[]){"extract", "-q", archive, "troll.*", "--to", out, NULL});
    (void)run((const char *const[]){"convert", "-q", archive, "--all", "-j2", "-o", out, NULL});
    return run((const char *const[]){"convert", "-q", archive, "--all", "--force", "-j1", "-o", out,
                                     NULL});
}

static void memory_does_not_go_with_the_archive(void **state)
{
    (void)state;
#if defined(IS_SANITIZED) || !defined(__linux__)
    skip(); /* it is not counted in KiB, or there is much beside it */
#endif
    char small[64];
    char large[64];
    (void)snprintf(small, sizeof small, "%s/small.res", folder);
    (void)snprintf(large, sizeof large, "%s/large.res", folder);
    write_archive(small, 0);
    write_archive(large, MORE);
    long before = run_all(small);
    long after = run_all(large);
    require(after - before < ALLOWED, "large.res", "%ld KiB, and %ld without the other entries",
            after, before);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static int drop_folder(void **state)
{
    (void)state;
    char remove[] = "rm";
    char all[] = "-rf";
    char *arguments[] = {remove, all, folder, NULL};
    pid_t child;
    int status = -1;
    if (posix_spawnp(&child, remove, NULL, NULL, arguments, environ) != 0) return -1;
    return waitpid(child, &status, 0) == child ? status : -1;
}

TEST_GROUP(test_tool_memory)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_does_not_go_with_the_archive),
    };
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
