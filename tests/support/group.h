/* SPDX-License-Identifier: MIT
 *
 * How a file of tests/unit joins a runner. It ends in
 *
 *     TEST_GROUP(test_example)
 *     {
 *         const struct CMUnitTest tests[] = {cmocka_unit_test(it_works)};
 *         return cmocka_run_group_tests(tests, NULL, NULL);
 *     }
 *
 * under its own name; CMake finds it. A file that replaces a part of the library, such as the table
 * of formats, would replace it for all groups: it has a main() instead, and is a program of its
 * own. */
#ifndef OSSA_TEST_GROUP_H
#define OSSA_TEST_GROUP_H

#include <stddef.h>

#define TEST_GROUP(name)                                                                           \
    int name(void);                                                                                \
    int name(void)

struct test_group {
    const char *name;
    int (*run)(void); /* gives how many tests failed */
};

/* The groups of a runner; one without a name ends them. */
extern const struct test_group test_groups[];

/* What the runner's second argument names: the format or the character that a long group is to
 * limit itself to. NULL: all of them. */
extern const char *test_part;

#endif
