/* SPDX-License-Identifier: MIT */
#include "support/fixtures.h"

#include <stdio.h>
#include <string.h>

/* A name and whether a NUL closes it. A NULL parent is the root's: of length 0. */
struct link {
    const char *child;
    const char *parent;
    bool child_nul;
    bool parent_nul;
};

static void put_name(struct bytes *file, const char *name, size_t size, bool nul)
{
    put_u32(file, (uint32_t)(size + (nul ? 1 : 0)));
    put_bytes(file, name, size);
    if (nul) put_u8(file, 0);
}

static void put_link(struct bytes *file, const struct link *link)
{
    const char *parent = link->parent == NULL ? "" : link->parent;
    put_name(file, link->child, strlen(link->child), link->child_nul);
    put_name(file, parent, strlen(parent), link->parent != NULL && link->parent_nul);
}

static struct bytes make(const struct link *links, size_t count)
{
    struct bytes file = {0};
    put_u32(&file, (uint32_t)count);
    for (size_t i = 0; i < count; i++) put_link(&file, &links[i]);
    return file;
}

/* Pairs "child parent child parent ...", all names closed by a NUL; "-" is no parent. */
static struct bytes make_pairs(const char *const *names, size_t pairs)
{
    struct bytes file = {0};
    put_u32(&file, (uint32_t)pairs);
    for (size_t i = 0; i < pairs; i++) {
        const char *parent = names[2 * i + 1];
        struct link link = {names[2 * i], strcmp(parent, "-") == 0 ? NULL : parent, true, true};
        put_link(&file, &link);
    }
    return file;
}

static const char *const troll[] = {"hp",  "-",   "bd",  "hp",  "hd",  "bd",  "lh1", "bd",
                                    "lh2", "lh1", "lh3", "lh2", "rh1", "bd",  "rh2", "rh1",
                                    "rh3", "rh2", "ll1", "hp",  "ll2", "ll1", "ll3", "ll2",
                                    "rl1", "hp",  "rl2", "rl1", "rl3", "rl2"};

static void add_names(struct fixtures *all)
{
    /* "koren'", "ruka", "Noga" in code page 1251; the parent in other letter case. */
    static const struct link cyrillic[] = {
        {"\xea\xee\xf0\xe5\xed\xfc", NULL, true, false},
        {"\xf0\xf3\xea\xe0", "\xca\xce\xd0\xc5\xcd\xdc", true, true},
        {"\xcd\xee\xe3\xe0", "\xea\xee\xf0\xe5\xed\xfc", true, true},
        {"\xb8\xab\x80", "\xed\xce\xc3\xc0", true, true}};
    static const struct link mixed[] = {{"hp", NULL, true, false},
                                        {"bd", "hp", false, false},
                                        {"hd", "bd", true, false},
                                        {"lh", "bd", false, true}};
    static const struct link no_nul[] = {{"hp", NULL, false, false}, {"bd", "hp", false, false}};
    static const struct link byte_98[] = {{"a\x98z", NULL, true, false},
                                          {"\x98", "a\x98z", true, true}};
    static const struct link case_of_ascii[] = {
        {"Hips", NULL, true, false}, {"BODY", "hIPS", true, true}, {"head", "body", true, true}};
    static const struct link root_nul[] = {{"hp", "", true, true}, {"bd", "hp", true, true}};
    static const struct link quoted[] = {{"a\"b\\c", NULL, true, false},
                                         {"tab\there", "a\"b\\c", true, true},
                                         {"del\x7f", "tab\there", true, true}};
    fixture_add(all, "ei-lnk/cyrillic", make(cyrillic, 4), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-lnk/mixed-nul", make(mixed, 4), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-lnk/without-nul", make(no_nul, 2), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-lnk/byte-98", make(byte_98, 2), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-lnk/letter-case", make(case_of_ascii, 3), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-lnk/root-parent-nul", make(root_nul, 2), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-lnk/quoted", make(quoted, 3), OSSA_CONFIDENCE_ARITHMETIC);
}

struct bytes make_big_lnk(enum lnk_shape shape, uint32_t count)
{
    struct random random = {77};
    struct bytes file = {0};
    put_u32(&file, count);
    uint32_t path[64] = {0}; /* of LNK_RANDOM: the way from the root to the last link */
    uint32_t depth = 0;
    for (uint32_t i = 0; i < count; i++) {
        char name[24];
        char parent[24];
        uint32_t parent_index = i - 1;
        if (shape == LNK_STAR) parent_index = 0;
        if (shape == LNK_RANDOM && i > 0) {
            depth = next_random(&random) % (depth + 1);
            parent_index = path[depth];
            depth = depth < 62 ? depth + 1 : depth;
            path[depth] = i;
        }
        /* Names out of order, so that sorting has something to do; 2654435761 is odd, so all
         * differ. */
        (void)snprintf(name, sizeof name, "p%08x", (unsigned)(i * 2654435761U));
        (void)snprintf(parent, sizeof parent, "P%08X", (unsigned)(parent_index * 2654435761U));
        struct link link = {name, i == 0 ? NULL : parent, true, i % 2 == 0};
        put_link(&file, &link);
    }
    return file;
}

static void add_trees(struct fixtures *all)
{
    static const char *const one[] = {"root", "-"};
    fixture_add(all, "ei-lnk/troll", make_pairs(troll, 15), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-lnk/one-part", make_pairs(one, 1), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-lnk/deep", make_big_lnk(LNK_CHAIN, 100), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-lnk/wide", make_big_lnk(LNK_STAR, 100), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-lnk/bushy", make_big_lnk(LNK_RANDOM, 100), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "ei-lnk/big", make_big_lnk(LNK_RANDOM, 3000), OSSA_CONFIDENCE_PLAUSIBLE);
}

/* hp, and bd on it: 4 | 4 3 | 4 0 | 4 3 | 4 3 bytes. */
enum { CHILD_0 = 8, PARENT_0 = 15, LINK_1 = 15, CHILD_1 = 19, PARENT_1 = 26, PAIR_SIZE = 29 };

static struct bytes make_pair(void)
{
    static const char *const pair[] = {"hp", "-", "bd", "hp"};
    return make_pairs(pair, 2);
}

static void add_cut(struct fixtures *all, const char *name, size_t size,
                    struct expected_issue issue)
{
    struct bytes file = make_pair();
    file.size = size;
    fixture_add_broken(all, name, file, OSSA_CONFIDENCE_NONE, issue);
}

static void add_changed(struct fixtures *all, const char *name, size_t offset, uint32_t word,
                        struct expected_issue issue)
{
    struct bytes file = make_pair();
    set_u32(&file, offset, word);
    fixture_add_broken(all, name, file, OSSA_CONFIDENCE_NONE, issue);
}

static void add_unreadable(struct fixtures *all)
{
    add_cut(
        all, "ei-lnk/cut-link-count", 2,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 0, "link_count"});
    add_changed(
        all, "ei-lnk/too-many-links", 0, 0x20000001, /* times 8 overflows 32 bits */
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 0, "link_count"});
    add_cut(
        all, "ei-lnk/cut-links", 4 + 2 * 8 - 1,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 0, "link_count"});
    add_changed(all, "ei-lnk/child-too-long", 4, 0xffffffff,
                (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 4,
                                        "links[0].child_length"});
    add_cut(all, "ei-lnk/cut-child", CHILD_1 + 2,
            (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, LINK_1,
                                    "links[1].child_length"});
    add_cut(all, "ei-lnk/cut-parent-length", PARENT_1 - 1,
            (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, PARENT_1 - 4,
                                    "links[1].parent_length"});
    add_cut(all, "ei-lnk/cut-parent", PARENT_1 + 2,
            (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, PARENT_1 - 4,
                                    "links[1].parent_length"});
    /* The first link swallows the second, which the count promised. */
    const size_t swallowed = PAIR_SIZE - CHILD_0 - 4 - 2;
    struct bytes file = make_pair();
    memset(file.data + CHILD_0, 'a', swallowed);
    set_u32(&file, CHILD_0 - 4, (uint32_t)swallowed);
    set_u32(&file, PAIR_SIZE - 6, 0);
    fixture_add_broken(all, "ei-lnk/cut-second-link", file, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED,
                                               PAIR_SIZE - 2, "links[1].child_length"});
}

static void add_pairs(struct fixtures *all, const char *name, const char *const *pairs,
                      size_t count, struct expected_issue issue)
{
    fixture_add_broken(all, name, make_pairs(pairs, count), OSSA_CONFIDENCE_PLAUSIBLE, issue);
}

/* All names here have two letters, so a link takes 14 bytes and the root's 11. */
static void add_bad_trees(struct fixtures *all)
{
    static const char *const rooted[] = {"hp", "xx", "bd", "hp"};
    static const char *const two_roots[] = {"hp", "-", "bd", "-"};
    static const char *const order[] = {"hp", "-", "bd", "hp", "ll", "hp", "hd", "bd"};
    static const char *const unknown[] = {"hp", "-", "bd", "zz"};
    static const char *const later[] = {"hp", "-", "hd", "bd", "bd", "hp"};
    static const char *const itself[] = {"hp", "-", "bd", "bd"};
    static const char *const empty[] = {"hp", "-", "", "hp"};
    static const char *const twice[] = {"hp", "-", "bd", "hp", "BD", "hp"};
    static const char *const twice_cyrillic[] = {"hp", "-", "\xe6\xb8", "hp", "\xc6\xa8", "hp"};
    enum { LINK_2 = 29, CHILD_2 = 33, LINK_3 = 43 };
    fixture_add_broken(all, "ei-lnk/root-with-parent", make_pairs(rooted, 2),
                       OSSA_CONFIDENCE_ARITHMETIC,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ROOT, PARENT_0,
                                               "links[0].parent"});
    add_pairs(all, "ei-lnk/two-roots", two_roots, 2,
              (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ROOT, PARENT_1,
                                      "links[1].parent"});
    add_pairs(all, "ei-lnk/bad-order", order, 4,
              (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ORDER, LINK_3 + 4 + 3 + 4,
                                      "links[3].parent"});
    add_pairs(all, "ei-lnk/unknown-parent", unknown, 2,
              (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_UNKNOWN_PARENT, PARENT_1,
                                      "links[1].parent"});
    add_pairs(all, "ei-lnk/later-parent", later, 3,
              (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_UNKNOWN_PARENT, PARENT_1,
                                      "links[1].parent"});
    add_pairs(all, "ei-lnk/own-parent", itself, 2,
              (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_UNKNOWN_PARENT, PARENT_1,
                                      "links[1].parent"});
    add_pairs(all, "ei-lnk/empty-name", empty, 2,
              (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_EMPTY_NAME, CHILD_1,
                                      "links[1].child"});
    add_pairs(all, "ei-lnk/duplicate-name", twice, 3,
              (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_DUPLICATE_NAME, CHILD_2,
                                      "links[2].child"});
    add_pairs(all, "ei-lnk/duplicate-cyrillic", twice_cyrillic, 3,
              (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_DUPLICATE_NAME, CHILD_2,
                                      "links[2].child"});
}

static void add_bad_names(struct fixtures *all)
{
    struct bytes inside = make_pair();
    set_u8(&inside, CHILD_1, 0);
    fixture_add_broken(all, "ei-lnk/nul-in-child", inside, OSSA_CONFIDENCE_ARITHMETIC,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_EMBEDDED_NUL, CHILD_1,
                                               "links[1].child"});
    /* A parent with a NUL inside was never named, unless a child has one too. */
    struct bytes parent = make_pair();
    set_u8(&parent, PARENT_1 + 1, 0);
    struct fixture *fixture =
        fixture_add_broken(all, "ei-lnk/nul-in-parent", parent, OSSA_CONFIDENCE_ARITHMETIC,
                           (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_EMBEDDED_NUL,
                                                   PARENT_1 + 1, "links[1].parent"});
    fixture_expect(fixture, OSSA_SEVERITY_ERROR, OSSA_CODE_UNKNOWN_PARENT, PARENT_1,
                   "links[1].parent");

    struct bytes none = {0};
    put_u32(&none, 0);
    fixture_add_broken(
        all, "ei-lnk/no-links", none, OSSA_CONFIDENCE_EMPTY,
        (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ROOT, 0, "link_count"});
    struct bytes tail = make_pair();
    put_text(&tail, "tail");
    fixture_add_broken(
        all, "ei-lnk/trailing-bytes", tail, OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_TRAILING_BYTES, PAIR_SIZE, "tail"});
}

void generate_ei_lnk(struct fixtures *all)
{
    add_trees(all);
    add_names(all);
    add_unreadable(all);
    add_bad_trees(all);
    add_bad_names(all);
}
