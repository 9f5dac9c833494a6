/* SPDX-License-Identifier: MIT
 *
 * RUNNER [GROUP [PART]]: runs all groups of tests that are linked with it, or one, or a part of
 * one. RUNNER --list: prints their names. */
#include "support/group.h"

#include <stdio.h>
#include <string.h>

static int run_all(void)
{
    int failed = 0;
    for (const struct test_group *group = test_groups; group->name != NULL; group++) {
        (void)printf("== %s\n", group->name);
        (void)fflush(stdout);
        if (group->run() != 0) failed++;
    }
    if (failed > 0) (void)fprintf(stderr, "%d groups failed\n", failed);
    return failed > 0;
}

static int list_all(void)
{
    for (const struct test_group *group = test_groups; group->name != NULL; group++) {
        (void)puts(group->name);
    }
    return 0;
}

static int run_one(const char *name)
{
    for (const struct test_group *group = test_groups; group->name != NULL; group++) {
        if (strcmp(group->name, name) == 0) return group->run() != 0;
    }
    (void)fprintf(stderr, "there is no group '%s' here; --list prints them\n", name);
    return 2;
}

int main(int argc, char **argv)
{
    if (argc > 3) {
        (void)fprintf(stderr, "usage: %s [--list | GROUP [PART]]\n", argv[0]);
        return 2;
    }
    if (argc < 2) return run_all();
    if (strcmp(argv[1], "--list") == 0) return list_all();
    if (argc == 3) test_part = argv[2];
    return run_one(argv[1]);
}
