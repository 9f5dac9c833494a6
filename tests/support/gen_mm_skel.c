/* SPDX-License-Identifier: MIT */
#include "support/mm_pedestrian.h"
#include "support/text_fixture.h"

#include <stdio.h>

struct bytes make_big_skel(enum lnk_shape shape, uint32_t count)
{
    struct random random = {77};
    struct bytes file = {0};
    char line[96];
    uint32_t depth = 0;
    put_text(&file, "NumBones ");
    (void)snprintf(line, sizeof line, "%u\n", (unsigned)count);
    put_text(&file, line);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t wanted = depth; /* of bones that stay open around this one */
        if (shape == LNK_STAR && i > 0) wanted = 1;
        if (shape == LNK_RANDOM && i > 0) wanted = 1 + next_random(&random) % depth;
        for (; depth > wanted; depth--) put_text(&file, "}\n");
        /* One after another: the order in which arguments are evaluated is the compiler's. */
        int y = (int)next_between(&random, -9, 19);
        unsigned fraction = (unsigned)(next_random(&random) % 1000);
        int x = (int)next_between(&random, -2, 4);
        (void)snprintf(line, sizeof line, "bone b%08x {\noffset %d.%03u %d 0.5\n",
                       (unsigned)(i * 2654435761U), x, fraction, y);
        put_text(&file, line);
        depth++;
    }
    for (; depth > 0; depth--) put_text(&file, "}\n");
    return file;
}

static const char ped[] = "NumBones 4\n"
                          "bone root {\n"
                          "\toffset 0.000570 1.109821 0.0\n"
                          "\tbone spine {\n"
                          "\t\toffset 0.0 0.034733 -0.0\n"
                          "\t\tbone head {\n"
                          "\t\t\toffset 0.0 0.25 0.125\n"
                          "\t\t}\n"
                          "\t}\n"
                          "\tbone leg {\n"
                          "\t\toffset 0.1 -0.05 0\n"
                          "\t}\n"
                          "}\n";

/* Limits of angles, which the second game reads, before and after what else is in a bone. */
static const char limits[] = "NumBones 2\n"
                             "bone a {\n"
                             "  rotmin -1 -0.5 -.25\n  offset 1 2 3\n  rotmax 1 0.5 .25\n"
                             "  bone b { offset 4 5 6 ROTMAX 2 3 4 }\n"
                             "}\n";

static void add_good(struct fixtures *all)
{
    fixture_add(all, "mm-skel/mm2-pedestrian", make_mm2_skel(), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-skel/limits", make_text(limits), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-skel/ped", make_text(ped), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-skel/deep", make_big_skel(LNK_CHAIN, 100), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-skel/wide", make_big_skel(LNK_STAR, 100), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-skel/bushy", make_big_skel(LNK_RANDOM, 100), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-skel/big", make_big_skel(LNK_RANDOM, 3000), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-skel/one-line", make_text("NumBones 1 bone a { offset 1 2 3 }"),
                OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-skel/dense",
                make_text("numbones 2 BONE a{OFFSET 1 2 3\fbOnE b{offset 4 5 6}}"),
                OSSA_CONFIDENCE_SIGNATURE);
}

/* What a program that tidies texts up would lose. */
static void add_odd_texts(struct fixtures *all)
{
    static const char comments[] = "# made by hand { bone\r\n"
                                   "; NumBones 7\n"
                                   "NumBones 2 // two\r\n"
                                   "bone a#1 { // the root }\r"
                                   "  offset 0 0 0 # nothing ; here\r\n"
                                   "  bone /b/ {;}\n"
                                   "    offset 1 1 1 }\v}\n"
                                   "// the end";
    static const char numbers[] = "NumBones 2\n"
                                  "bone a { offset +1.50 -.5 7.\n"
                                  "bone b { offset 1e-3 -2.5E+2 00012.000000000000000000000000\n"
                                  "} }\n\n\n";
    static const char keywords[] = "NUMBONES 3 bone bone { offset 1 2 3 "
                                   "bone offset { offset 4 5 6 bone NumBones { offset 7 8 9 }}}\n";
    fixture_add(all, "mm-skel/comments", make_text(comments), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-skel/numbers", make_text(numbers), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-skel/keywords-as-names", make_text(keywords), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-skel/latin-1",
                make_text("NumBones 1\nbone \xe9p\xe9\x80\x7f\x01 { offset 1 2 3 }\n#\xff\n"),
                OSSA_CONFIDENCE_SIGNATURE);
    struct bytes padded = make_text(ped);
    put_repeated(&padded, 0, 37);
    fixture_add(all, "mm-skel/padded", padded, OSSA_CONFIDENCE_SIGNATURE);
}

static void add_warnings(struct fixtures *all)
{
    static const char name_of_64[] =
        "NumBones 1\nbone abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz0123456789ab "
        "{ offset 1 2 3 }\n";
    static const char name_of_63[] =
        "NumBones 1\nbone abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz0123456789a "
        "{ offset 1 2 3 }\n";
    add_unusual_text(all, "mm-skel/wrong-count", "NumBones 3\nbone a { offset 1 2 3 }\n", "3\n",
                     "num_bones");
    add_unusual_text(all, "mm-skel/long-name", name_of_64, "abc", "bones[0].name");
    fixture_add(all, "mm-skel/longest-name", make_text(name_of_63), OSSA_CONFIDENCE_SIGNATURE);
    add_unusual_text(all, "mm-skel/no-offset", "NumBones 2 bone a { offset 1 2 3 bone bcd { } }",
                     "bcd", "bones[1].offset");
    add_unusual_text(all, "mm-skel/late-offset",
                     "NumBones 2 bone a { bone b { offset 1 2 3 } offset 4 5 6 }", "offset 4",
                     "bones[0].offset");
    add_unusual_text(all, "mm-skel/second-offset",
                     "NumBones 1 bone a { offset 1 2 3 offset 4 5 6 }", "offset 4",
                     "bones[0].extra");
    add_unusual_text(all, "mm-skel/preamble",
                     "Version: 1.01 # or so\nNumBones 1 bone a { offset 1 2 3 }", "Version",
                     "preamble");
    static const char extra[] = "NumBones 2\n"
                                "bone a {\n"
                                "  rotX\n  transY -1 1 # limits\n  rotZ lock\n"
                                "  offset 1 2 3\n"
                                "  bone b { offset 4 5 6 rotY }\n"
                                "}\n";
    add_unusual_text(all, "mm-skel/second-limits",
                     "NumBones 1 bone a { offset 1 2 3 rotmin 1 2 3 rotmin 4 5 6 }", "rotmin 4",
                     "bones[0].extra");
    struct fixture *fixture =
        fixture_add(all, "mm-skel/extra-words", make_text(extra), OSSA_CONFIDENCE_SIGNATURE);
    fixture_expect(fixture, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, place_in(extra, "rotX"),
                   "bones[0].extra");
    fixture_expect(fixture, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, place_in(extra, "rotY"),
                   "bones[1].extra");
}

/* What shipped files have. */
static void add_remarks(struct fixtures *all)
{
    add_broken_text(
        all, "mm-skel/duplicate-name",
        "NumBones 4 bone a { offset 1 2 3 bone Arm { offset 1 2 3 } bone aRM { offset 1 2 3 } "
        "bone A { offset 1 2 3 } }",
        OSSA_CONFIDENCE_SIGNATURE, OSSA_SEVERITY_REMARK, OSSA_CODE_DUPLICATE_NAME, "aRM",
        "bones[2].name");
    struct bytes pedestrian = make_mm1_skel();
    size_t at = place_in_bytes(&pedestrian, "spine {", 2);
    fixture_add_broken(all, "mm-skel/mm1-pedestrian", pedestrian, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_REMARK, OSSA_CODE_DUPLICATE_NAME, at,
                                               "bones[16].name"});
}

static void add_errors(struct fixtures *all)
{
    add_faulty_text(
        all, "mm-skel/two-roots",
        "NumBones 3 bone a { offset 1 2 3 } bone b { offset 1 2 3 bone c { offset 1 2 3 } }",
        OSSA_CODE_BAD_ROOT, "bone b", "bones[1]");
    add_faulty_text(all, "mm-skel/trailing-words",
                    "NumBones 1 bone a { offset 1 2 3 }\n# end\nmore { }\n",
                    OSSA_CODE_TRAILING_BYTES, "more", "tail");
    add_faulty_text(all, "mm-skel/trailing-brace",
                    "NumBones 1 bone a { offset 1 2 3 }\n} # one too many",
                    OSSA_CODE_TRAILING_BYTES, "} # one", "tail");
}

static void add_unreadable(struct fixtures *all)
{
    add_bad_text(all, "mm-skel/other-text", "Once upon a time { }", OSSA_CONFIDENCE_NONE, "Once",
                 "num_bones");
    add_bad_text(all, "mm-skel/no-count", "bone a { offset 1 2 3 }", OSSA_CONFIDENCE_DAMAGED,
                 "bone", "num_bones");
    add_bad_text(all, "mm-skel/count-in-words", "NumBones two bone a { }", OSSA_CONFIDENCE_DAMAGED,
                 "two", "num_bones");
    add_bad_text(all, "mm-skel/negative-count", "NumBones -1 bone a { }", OSSA_CONFIDENCE_DAMAGED,
                 "-1", "num_bones");
    add_bad_text(all, "mm-skel/huge-count", "NumBones 4294967296 bone a { }",
                 OSSA_CONFIDENCE_DAMAGED, "4294967296", "num_bones");
    add_bad_text(all, "mm-skel/no-bone", "NumBones 1 joint a { }", OSSA_CONFIDENCE_DAMAGED, "joint",
                 "bones[0]");
    add_bad_text(all, "mm-skel/no-name", "NumBones 1 bone { offset 1 2 3 }",
                 OSSA_CONFIDENCE_SIGNATURE, "{", "bones[0].name");
    add_bad_text(all, "mm-skel/no-brace", "NumBones 1 bone a offset 1 2 3 }",
                 OSSA_CONFIDENCE_SIGNATURE, "offset", "bones[0]");
    add_bad_text(all, "mm-skel/stray-brace", "NumBones 1 bone a { offset 1 2 3 { } }",
                 OSSA_CONFIDENCE_SIGNATURE, "{ }", "bones[0]");
    add_bad_text(all, "mm-skel/bad-number",
                 "NumBones 2 bone a { offset 1 2 3 bone b { offset 4 5,5 6 } }",
                 OSSA_CONFIDENCE_SIGNATURE, "5,5", "bones[1].offset[1]");
    add_bad_text(all, "mm-skel/missing-number", "NumBones 1 bone a { offset 1 2 }",
                 OSSA_CONFIDENCE_SIGNATURE, "}", "bones[0].offset[2]");
    add_bad_text(all, "mm-skel/number-too-large", "NumBones 1 bone a { offset 1e39 2 3 }",
                 OSSA_CONFIDENCE_SIGNATURE, "1e39", "bones[0].offset[0]");
    add_bad_text(all, "mm-skel/not-a-number", "NumBones 1 bone a { offset 1 -1.#IND00 3 }",
                 OSSA_CONFIDENCE_SIGNATURE, "-1.#", "bones[0].offset[1]");
}

static void add_unfinished(struct fixtures *all)
{
    add_cut_text(all, "mm-skel/only-comments", "# nothing\n", OSSA_CONFIDENCE_NONE, "num_bones");
    add_cut_text(all, "mm-skel/cut-count", "NumBones ", OSSA_CONFIDENCE_DAMAGED, "num_bones");
    add_cut_text(all, "mm-skel/cut-bones", "NumBones 0\n", OSSA_CONFIDENCE_DAMAGED, "bones[0]");
    add_cut_text(all, "mm-skel/cut-name", "NumBones 1 bone", OSSA_CONFIDENCE_SIGNATURE,
                 "bones[0].name");
    add_cut_text(all, "mm-skel/cut-brace", "NumBones 1 bone a", OSSA_CONFIDENCE_SIGNATURE,
                 "bones[0]");
    add_cut_text(all, "mm-skel/cut-bone", "NumBones 1 bone a {", OSSA_CONFIDENCE_SIGNATURE,
                 "bones[0]");
    add_cut_text(all, "mm-skel/cut-offset", "NumBones 1 bone a { offset 1 2",
                 OSSA_CONFIDENCE_SIGNATURE, "bones[0].offset[2]");
    add_cut_text(all, "mm-skel/cut-limits", "NumBones 1 bone a { rotmin 1 2",
                 OSSA_CONFIDENCE_SIGNATURE, "bones[0].rotmin[2]");
    add_cut_text(all, "mm-skel/cut-end",
                 "NumBones 2 bone a { offset 1 2 3 bone b { offset 4 5 6 }\n",
                 OSSA_CONFIDENCE_SIGNATURE, "bones[0]");
}

void generate_mm_skel(struct fixtures *all)
{
    add_good(all);
    add_odd_texts(all);
    add_warnings(all);
    add_remarks(all);
    add_errors(all);
    add_unreadable(all);
    add_unfinished(all);
}
