/* SPDX-License-Identifier: MIT
 *
 * The table of all fixtures: small files of every variant of every format, good ones and ones that
 * break just one rule, each with what a reader must say about it. They are made here and also lie
 * in tests/fixtures/, up to COMMITTED_SIZE bytes: a test holds both together. */
#ifndef OSSA_TEST_FIXTURES_H
#define OSSA_TEST_FIXTURES_H

#include "support/byte_list.h"
#include "ossa/ossa.h"

enum {
    COMMITTED_SIZE = 8192, /* larger ones are only made in memory */
    FIXTURE_CAPACITY = 1024,
    FIXTURE_ISSUES = 5,
};

/* What must be said about a fixture, exactly. */
struct expected_issue {
    ossa_severity severity;
    ossa_code code;
    uint64_t offset;
    const char *field;
};

struct fixture {
    char name[64];              /* "ei-anm/plain" */
    const char *format;         /* "ei-anm" */
    struct bytes bytes;         /* the file */
    ossa_confidence confidence; /* what the probe of its own format says of it */
    struct expected_issue issues[FIXTURE_ISSUES];
    size_t issue_count;  /* 0: nothing is wrong with it */
    bool check_values;   /* the issues are seen only with options.check_values */
    const char *dialect; /* the issues are seen only with options.dialect */
    bool shares_bytes;   /* some of its fields lie on top of others */
};

struct fixtures {
    size_t count;
    struct fixture items[FIXTURE_CAPACITY];
};

/* Made on the first call, kept until fixtures_free. */
const struct fixtures *fixtures_all(void);
const struct fixture *fixture_find(const char *name); /* aborts where there is none */
void fixtures_free(void);

/* A fixture's options, so that its issues show. */
ossa_options fixture_options(const struct fixture *fixture);
bool fixture_is_readable(const struct fixture *fixture);
/* "anm" for "ei-anm/plain": the first extension of its format. */
struct extension {
    char text[16];
};
struct extension fixture_extension(const struct fixture *fixture);

/* ---- for the generators -------------------------------------------------------------------- */

/* Add a fixture; it takes over the bytes. The pointer is good until the next one is added. */
struct fixture *fixture_add(struct fixtures *all, const char *name, struct bytes bytes,
                            ossa_confidence confidence);
/* One thing that is wrong with it. The field must be a literal. */
void fixture_expect(struct fixture *fixture, ossa_severity severity, ossa_code code,
                    uint64_t offset, const char *field);
/* Both at once: a fixture that breaks one rule. */
struct fixture *fixture_add_broken(struct fixtures *all, const char *name, struct bytes bytes,
                                   ossa_confidence confidence, struct expected_issue issue);

/* Each gen_<id>.c has a generate_<id>; CMake lists them. */
#define FIXTURE_GENERATOR(id) void generate_##id(struct fixtures *all);
#include "generators.inc"

/* ---- larger files for single tests --------------------------------------------------------- */

enum lnk_shape { LNK_CHAIN, LNK_STAR, LNK_RANDOM };
struct bytes make_big_lnk(enum lnk_shape shape, uint32_t count);
struct bytes make_big_skel(enum lnk_shape shape, uint32_t count);
struct bytes make_big_csv(uint32_t count, bool same_names);
struct bytes make_big_mod(uint32_t bones, uint32_t triangles);
struct bytes make_big_anb(uint32_t bones, uint32_t poses);

#endif
