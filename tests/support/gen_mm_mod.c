/* SPDX-License-Identifier: MIT */
#include "support/mm_pedestrian.h"
#include "support/text_fixture.h"

#include <stdio.h>
#include <string.h>

/* The text with one piece of it replaced: the first, which must be there. */
static struct bytes make_changed(const char *text, const char *piece, const char *other)
{
    struct bytes file = {0};
    size_t at = place_in(text, piece);
    put_bytes(&file, text, at);
    put_text(&file, other);
    put_text(&file, text + at + strlen(piece));
    return file;
}

/* Two bones of three vertices each; a triangle on each of them, and one over the joint. */
static const char packets[] = "version: 1.09\n"
                              "verts: 6\n"
                              "normals: 2\n"
                              "colors: 2\n"
                              "tex1s: 3\n"
                              "tex2s: 0\n"
                              "tangents: 0\n"
                              "materials: 2\n"
                              "adjuncts: 9\n"
                              "primitives: 3\n"
                              "matrices: 2\n"
                              "\n"
                              "v\t0.5 0.0 0.0\n"
                              "v\t-0.5 0.0 0.25\n"
                              "v\t0.0 1.0 0.0\n"
                              "v\t0.25 0.0 0.0\n"
                              "v\t-0.25 0.0 0.0\n"
                              "v\t0.0 0.5 -0.125\n"
                              "\n"
                              "n\t0.0 0.0 1.0\n"
                              "n\t0.0 3.0 4.0\n"
                              "\n"
                              "c\t1.0 1.0 1.0 1.0\n"
                              "c\t1.0 0.5 0.0 1.0\n"
                              "\n"
                              "t1\t0.0 1.0\n"
                              "t1\t1.0 1.0\n"
                              "t1\t0.5 0.0\n"
                              "\n"
                              "mtl skin {\n"
                              "\tpackets:\t2\n"
                              "\tprimitives:\t2\n"
                              "\ttextures:\t1\n"
                              "\ttexture:\t0 BEARD64\n"
                              "\tillum:\tdiffuse\n"
                              "\tambient:\t0.1 0.1 0.1\n"
                              "\tdiffuse:\t0.5 0.25 1.0\n"
                              "\tspecular:\t0.0 0.0 0.0\n"
                              "}\n"
                              "\n"
                              "mtl shoe {\n"
                              "\tpackets:\t1\n"
                              "\tprimitives:\t1\n"
                              "\ttextures:\t0\n"
                              "\tillum:\tdiffuse\n"
                              "\tambient:\t0.0 0.0 0.0\n"
                              "\tdiffuse:\t0.0 0.0 0.0\n"
                              "\tspecular:\t0.0 0.0 0.0\n"
                              "}\n"
                              "\n"
                              "packet 3 1 1 {\n"
                              "\tadj\t0 0 0 0 0 0\n"
                              "\tadj\t1 0 0 1 0 0\n"
                              "\tadj\t2 0 0 2 0 0\n"
                              "\ttri\t0 1 2\n"
                              "\tmtx\t0\n"
                              "}\n"
                              "\n"
                              "packet 3 1 2 {\n"
                              "\tadj\t2 1 0 0 0 0\n"
                              "\tadj\t3 1 0 1 0 1\n"
                              "\tadj\t4 1 0 2 0 1\n"
                              "\ttri\t2 1 0\n"
                              "\tmtx\t0 1\n"
                              "}\n"
                              "\n"
                              "packet 3 1 1 {\n"
                              "\tadj\t3 1 1 0 0 0\n"
                              "\tadj\t4 1 1 1 0 0\n"
                              "\tadj\t5 1 1 2 0 0\n"
                              "\ttri\t0 1 2\n"
                              "\tmtx\t1\n"
                              "}\n"
                              "\n"
                              "mtxv\t3 3\n"
                              "mtxn\t1 1\n";

/* What a material owns between its braces: the second counts its corners from its own first. */
static const char grouped[] = "version: 1.06\n"
                              "verts: 4\n"
                              "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n"
                              "mtl red {\n"
                              "\tdiffuse: 1 0 0\n"
                              "\tadj 0 0 0 0 0\n\tadj 1 0 0 0 0\n\tadj 2 0 0 0 0\n"
                              "\ttri 0 1 2\n"
                              "}\n"
                              "mtl blue {\n"
                              "\tadj 1 0 0 0 0\n\tadj 3 0 0 0 0\n\tadj 2 0 0 0 0\n"
                              "\tstr 3 0 1 2\n"
                              "\tdiffuse: 0 0 1\n"
                              "}\n";

/* The same shapes without packets, colours and texture coordinates. */
static const char flat[] = "version: 1.09\r\n"
                           "verts: 6\r\n"
                           "normals: 2\r\n"
                           "colors: 0\r\n"
                           "tex1s: 0\r\n"
                           "tex2s: 0\r\n"
                           "tangents: 0\r\n"
                           "materials: 2\r\n"
                           "adjuncts: 7\r\n"
                           "primitives: 3\r\n"
                           "matrices: 2\r\n"
                           "v 0.5 0 0\r\nv -0.5 0 0.25\r\nv 0 1 0\r\n"
                           "v 0.25 0 0\r\nv -0.25 0 0\r\nv 0 0.5 -0.125\r\n"
                           "n 0 0 1\r\nn 0 3 4\r\n"
                           "mtl skin { adjuncts: 4 primitives: 2 textures: 0 illum: diffuse\r\n"
                           "  ambient: 0 0 0 diffuse: 1 1 1 specular: 0 0 0 }\r\n"
                           "mtl shoe { adjuncts: 3 primitives: 1 textures: 0 illum: diffuse\r\n"
                           "  ambient: 0 0 0 diffuse: 0 0 0 specular: 0 0 0 }\r\n"
                           "adj 0 0 0 0 0\r\nadj 1 0 0 0 0\r\nadj 2 0 0 0 0\r\nadj 3 1 0 0 0\r\n"
                           "adj 3 1 -1 -1 -1\r\nadj 4 1 -1 -1 -1\r\nadj 5 1 -1 -1 -1\r\n"
                           "tri 0 1 2\r\ntri 0 2 3\r\ntri 4 5 6\r\n"
                           "mtxv 3 3\r\nmtxn 1 1\r\n";

/* The head of a text whose counts nobody needs. */
#define HEAD "version: 1.09 verts: 3 v 0 0 0 v 1 0 0 v 0 1 0 "
#define BOX  "mtl a { packets: 1 primitives: 1 } "
#define FULL "packet 3 1 0 { adj 0 0 0 0 0 0 adj 1 0 0 0 0 0 adj 2 0 0 0 0 0 tri 0 1 2 } "

struct bytes make_big_mod(uint32_t bones, uint32_t triangles)
{
    struct random random = {91};
    struct bytes file = {0};
    char line[160];
    uint32_t vertices = 4 * bones;
    (void)snprintf(line, sizeof line, "version: 1.09\nverts: %u\nadjuncts: %u\nprimitives: %u\n",
                   (unsigned)vertices, (unsigned)(3 * triangles), (unsigned)triangles);
    put_text(&file, line);
    for (uint32_t i = 0; i < vertices; i++) {
        int x = (int)next_between(&random, -9, 19);
        int y = (int)next_between(&random, -9, 19);
        int z = (int)next_between(&random, -9, 19);
        (void)snprintf(line, sizeof line, "v %d.5 %d %d.25\n", x, y, z);
        put_text(&file, line);
    }
    (void)snprintf(line, sizeof line, "mtl all { packets: %u primitives: %u }\n",
                   (unsigned)triangles, (unsigned)triangles);
    put_text(&file, line);
    for (uint32_t i = 0; i < triangles; i++) {
        uint32_t bone = next_random(&random) % bones;
        unsigned first = (unsigned)(4 * bone + next_random(&random) % 2);
        (void)snprintf(line, sizeof line,
                       "packet 3 1 1 {\nadj %u -1 -1 -1 -1 0\nadj %u -1 -1 -1 -1 0\n"
                       "adj %u -1 -1 -1 -1 0\ntri 0 1 2\nmtx %u\n}\n",
                       first, first + 1, first + 2, (unsigned)bone);
        put_text(&file, line);
    }
    put_text(&file, "mtxv");
    for (uint32_t i = 0; i < bones; i++) put_text(&file, " 4");
    put_text(&file, "\n");
    return file;
}

static void add_good(struct fixtures *all)
{
    static const char strips[] =
        "version: 1.08\nverts: 5\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 2 0\n"
        "mtl a { packets: 1 primitives: 3 }\n"
        "packet 5 3 0 {\n"
        "adj 0 0 0 0 0 0\nadj 1 0 0 0 0 0\nadj 2 0 0 0 0 0\nadj 3 0 0 0 0 0\nadj 4 0 0 0 0 0\n"
        "str 5 0 1 2 3 4\nstp 4 1 2 3 4\nstr 2 0 1\n}\n";
    static const char old[] = "version: 1.06\nverts: 3 v 0 0 0 v 1 0 0 v 0 1 0\n"
                              "mtl a { primitives: 1 textures: 0 }\n"
                              "adj 0 0 0 0 0 adj 1 0 0 0 0 adj 2 0 0 0 0 tri 0 1 2\n";
    static const char late[] = "version: 1.10\nverts: 3\nreskins: 1\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"
                               "mtl a {\npackets: 1\nprimitives: 1\nattributes: 2\n"
                               "float shininess: 0.5\nint draworder: 3\n}\n"
                               "packet 3 1 0 0 {\nadj 0 0 0 0 0 0\nadj 1 0 0 0 0 0\n"
                               "adj 2 0 0 0 0 0\ntri 0 1 2\n}\n";
    fixture_add(all, "mm-mod/packets", make_text(packets), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-mod/flat", make_text(flat), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-mod/strips", make_text(strips), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-mod/grouped", make_text(grouped), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-mod/version-1-06", make_text(old), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-mod/mm1-pedestrian", make_mm1_mod(), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-mod/mm2-pedestrian", make_mm2_mod(), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-mod/version-1-08", make_changed(packets, "1.09", "1.08"),
                OSSA_CONFIDENCE_SIGNATURE);
    /* Only the corners say which material they have. */
    static const char stated[] =
        "version: 1.06\nverts: 3 v 0 0 0 v 1 0 0 v 0 1 0\n"
        "mtl a { texture1: SKIN \n texture2: GLOSS }\nmtl b { texture1: none texture2:\n }\n"
        "adj 0 0 0 0 0 1 adj 1 0 0 0 0 1 adj 2 0 0 0 0 1\n"
        "adj 0 0 0 0 0 0 adj 1 0 0 0 0 0 adj 2 0 0 0 0 0\n"
        "tri 0 1 2 tri 3 4 5 tri 3 5 4 tri 0 2 1\n";
    fixture_add(all, "mm-mod/stated-materials", make_text(stated), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-mod/version-1-10", make_text(late), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-mod/one-line", make_text(HEAD BOX FULL), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-mod/nothing", make_text("version: 1.09\nverts: 0\n"),
                OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-mod/big", make_big_mod(60, 500), OSSA_CONFIDENCE_SIGNATURE);
}

/* What a program that tidies texts up would lose, or stumble over. */
static void add_odd_texts(struct fixtures *all)
{
    static const char names[] = HEAD "mtl Material #25 {\npackets: 1 primitives: 1\n"
                                     "textures: 2 texture: 0 \"A B {\"texture: 1 C }\n" FULL
                                     "mtl \"tri 0 0 0\"{packets: 0}\n"
                                     "mtl packet { texture: 0 \"open\n}\n"
                                     "mtl \xe9p\xe9\x01 { texture: 0 \"\" illum: \xff}\n";
    static const char comments[] =
        "# a model { mtl\r\nVERSION 1.09 // 1.10\nVerts: 3 ; v 9 9 9\n"
        "V 0 0 -0 #0\nv 1e0 +.0 -0 v 0 1. 0 // tri 0 1 2\n"
        "MTL a{Packets 1 PRIMITIVES: 1}PACKET 3 1 0{ADJ 0 -1 -1 -1 -1 -1 adj 1 0 0 0 0 0 ;}\n"
        "adj 2 0 0 0 0 0\fTRI 0 1 2}# the end";
    fixture_add(all, "mm-mod/names", make_text(names), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "mm-mod/comments", make_text(comments), OSSA_CONFIDENCE_SIGNATURE);
    struct bytes padded = make_text(packets);
    put_repeated(&padded, 0, 29);
    fixture_add(all, "mm-mod/padded", padded, OSSA_CONFIDENCE_SIGNATURE);
}

static void add_warnings(struct fixtures *all)
{
    static const char head[] = "version: 1.09 verts: 7 v 0 0 0 v 1 0 0 v 0 1 0 " BOX FULL;
    add_unusual_text(all, "mm-mod/wrong-verts", head, "7", "verts");
    static const char bones[] = HEAD "matrices: 3 " BOX FULL "mtxv 3 0";
    add_unusual_text(all, "mm-mod/wrong-matrices", bones, "3 mtl", "matrices");
    static const char version[] = "version: 1.05 verts: 3 v 0 0 0 v 1 0 0 v 0 1 0 " BOX FULL;
    add_unusual_text(all, "mm-mod/odd-version", version, "1.05", "version");
    static const char packet[] = HEAD BOX "packet 3 2 0 { adj 0 0 0 0 0 0 adj 1 0 0 0 0 0 "
                                          "adj 2 0 0 0 0 0 tri 0 1 2 }";
    add_unusual_text(all, "mm-mod/wrong-packet", packet, "packet 3", "packets[0].primitive_count");
    static const char group[] = HEAD "mtl a { packets: 1 primitives: 4 } " FULL;
    add_unusual_text(all, "mm-mod/wrong-group", group, "mtl", "materials[0].primitives");
    static const char normals[] = HEAD "n 0 0 1 " BOX FULL "mtxv 3 mtxn 2";
    add_unusual_text(all, "mm-mod/wrong-mtxn", normals, "mtxn", "mtxn");
    static const char row[] = HEAD "tan 1 2 3 tan 4 5 6 " BOX FULL;
    add_unusual_text(all, "mm-mod/unknown-row", row, "tan", "extra");
    static const char line[] = HEAD "mtl a { packets: 1 gloss: 7 shiny primitives: 1 } " FULL;
    add_unusual_text(all, "mm-mod/unknown-line", line, "gloss", "materials[0].extra");
    static const char inside[] = HEAD BOX "packet 3 1 0 { adj 0 0 0 0 0 0 adj 1 0 0 0 0 0 "
                                          "adj 2 0 0 0 0 0 rsk 1 2 3 tri 0 1 2 }";
    add_unusual_text(all, "mm-mod/unknown-in-packet", inside, "rsk", "packets[0].extra");
    static const char again[] = HEAD BOX FULL "mtxv 3 mtxv 1 2";
    add_unusual_text(all, "mm-mod/second-mtxv", again, "mtxv 1", "extra");
    static const char foreign[] = "version: 1.09 verts: 3 v 0 0 0 v 1 0 0 v 0 1 0 "
                                  "mtl a { adjuncts: 2 primitives: 0 } "
                                  "mtl b { adjuncts: 1 primitives: 1 } "
                                  "adj 0 0 0 0 0 adj 1 0 0 0 0 adj 2 0 0 0 0 tri 0 1 2";
    add_unusual_text(all, "mm-mod/foreign-adjuncts", foreign, "mtl b", "materials[1].adjuncts");
    static const char other[] = "version: 1.06 verts: 3 v 0 0 0 v 1 0 0 v 0 1 0 "
                                "mtl a { primitives: 1 } mtl b { primitives: 0 } "
                                "adj 0 0 0 0 0 0 adj 1 0 0 0 0 1 adj 2 0 0 0 0 9 tri 0 1 2";
    add_unusual_text(all, "mm-mod/other-material", other, "adj 1", "adjuncts.material");
}

/* A version that is known and not read. */
static void add_binary(struct fixtures *all)
{
    struct bytes file = make_text("version: 2.00\n");
    put_u32(&file, 117);
    put_repeated(&file, 0xc3, 40);
    fixture_add_broken(
        all, "mm-mod/version-2-00", file, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE, 9, "version"});
}

static void add_errors(struct fixtures *all)
{
    static const char few[] = HEAD BOX FULL "packet 0 0 0 { }";
    add_faulty_text(all, "mm-mod/packet-of-nobody", few, OSSA_CODE_BAD_COUNT, "mtl", "materials");
    static const char none[] = HEAD FULL;
    fixture_add_broken(
        all, "mm-mod/no-material", make_text(none), OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_COUNT, 0, "materials"});
    static const char many[] = HEAD "mtl a { packets: 4294967295 primitives: 1 } "
                                    "mtl b { packets: 4294967295 primitives: 0 } " FULL;
    add_faulty_text(all, "mm-mod/too-few-packets", many, OSSA_CODE_BAD_COUNT, "mtl", "materials");
    static const char loose[] = HEAD BOX "adj 0 0 0 0 0 " FULL;
    add_faulty_text(all, "mm-mod/loose-row", loose, OSSA_CODE_BAD_ORDER, "adj 0 0 0 0 0",
                    "packets");
    static const char huge[] = HEAD "mtl a { primitives: 4294967295 } "
                                    "adj 0 0 0 0 0 adj 1 0 0 0 0 adj 2 0 0 0 0 tri 0 1 2";
    add_faulty_text(all, "mm-mod/too-few-primitives", huge, OSSA_CODE_BAD_COUNT, "mtl",
                    "materials");
    static const char corners[] = HEAD "mtl a { adjuncts: 5 primitives: 1 } "
                                       "adj 0 0 0 0 0 adj 1 0 0 0 0 adj 2 0 0 0 0 tri 0 1 2";
    add_faulty_text(all, "mm-mod/too-few-adjuncts", corners, OSSA_CODE_BAD_COUNT, "mtl",
                    "materials");
    static const char shares[] = HEAD BOX FULL "mtxv 2 4294967295";
    add_faulty_text(all, "mm-mod/wrong-mtxv", shares, OSSA_CODE_BAD_COUNT, "mtxv", "mtxv");
    static const char normal[] = HEAD "n 0 0 1 mtl a { packets: 1 primitives: 0 } "
                                      "packet 2 0 0 { adj 0 1 0 0 0 0 adj 0 7 0 0 0 0 }";
    add_faulty_text(all, "mm-mod/stray-normal", normal, OSSA_CODE_BAD_VALUE, "adj 0 1",
                    "adjuncts.normal");
    static const char vertex[] = HEAD "mtl a { packets: 1 primitives: 0 } "
                                      "packet 1 0 0 { adj -1 0 0 0 0 0 }";
    add_faulty_text(all, "mm-mod/stray-vertex", vertex, OSSA_CODE_BAD_VALUE, "adj",
                    "adjuncts.vertex");
    static const char corner[] = HEAD BOX "packet 1 1 0 { tri 0 0 1 adj 0 0 0 0 0 0 }";
    add_faulty_text(all, "mm-mod/stray-corner", corner, OSSA_CODE_BAD_VALUE, "tri",
                    "packets.primitives");
    static const char slot[] = HEAD "mtl a { packets: 1 primitives: 0 } "
                                    "packet 2 0 1 { adj 0 0 0 0 0 0 adj 1 0 0 0 0 1 mtx 0 }";
    add_faulty_text(all, "mm-mod/stray-slot", slot, OSSA_CODE_BAD_VALUE, "adj 1", "packets.slot");
    static const char bone[] = HEAD "mtl a { packets: 1 primitives: 0 } packet 0 0 1 { mtx 2 } "
                                    "mtxv 1 2";
    add_faulty_text(all, "mm-mod/stray-bone", bone, OSSA_CODE_BAD_VALUE, "packet 0",
                    "packets.matrices");
}

static void add_unreadable(struct fixtures *all)
{
    add_bad_text(all, "mm-mod/other-text", "Once upon a time", OSSA_CONFIDENCE_NONE, "Once",
                 "version");
    add_bad_text(all, "mm-mod/binary", "version: 2.10 verts: 3", OSSA_CONFIDENCE_DAMAGED, "2.10",
                 "version");
    add_bad_text(all, "mm-mod/bad-count", "version: 1.09 verts: three", OSSA_CONFIDENCE_SIGNATURE,
                 "three", "verts");
    add_bad_text(all, "mm-mod/huge-count", "version: 1.09 verts: 4294967296",
                 OSSA_CONFIDENCE_SIGNATURE, "4294967296", "verts");
    add_bad_text(all, "mm-mod/bad-number", "version: 1.09 verts: 2 v 1 2 3 v 1 2,5 3",
                 OSSA_CONFIDENCE_SIGNATURE, "2,5", "vertices[1].y");
    add_bad_text(all, "mm-mod/number-too-large", "version: 1.09 verts: 1 v 1 2 1e39",
                 OSSA_CONFIDENCE_SIGNATURE, "1e39", "vertices[0].z");
    add_bad_text(all, "mm-mod/few-numbers", "version: 1.09 verts: 1 t1 1 t1 2 3",
                 OSSA_CONFIDENCE_SIGNATURE, "t1 2", "tex1s[0].t");
    add_bad_text(all, "mm-mod/no-name", HEAD "mtl { }", OSSA_CONFIDENCE_SIGNATURE, "{",
                 "materials[0].name");
    add_bad_text(all, "mm-mod/no-brace", HEAD "mtl a packets: 1 }", OSSA_CONFIDENCE_SIGNATURE,
                 "packets", "materials[0]");
    add_bad_text(all, "mm-mod/nested", HEAD "mtl a { { { { } } } }", OSSA_CONFIDENCE_SIGNATURE,
                 "{ { { }", "materials[0]");
    add_bad_text(all, "mm-mod/nested-packet", HEAD BOX "packet 0 0 0 { adj 0 0 0 0 0 0 { } }",
                 OSSA_CONFIDENCE_SIGNATURE, "{ } }", "packets[0]");
    add_bad_text(all, "mm-mod/stray-brace", HEAD "}", OSSA_CONFIDENCE_SIGNATURE, "}", "");
    add_bad_text(all, "mm-mod/bad-index", HEAD BOX "packet 1 0 0 { adj 0 -2 0 0 0 0 }",
                 OSSA_CONFIDENCE_SIGNATURE, "-2", "packets[0].adjuncts[0].normal");
    add_bad_text(all, "mm-mod/few-indices", HEAD BOX "packet 0 1 0 { tri 0 1 tri }",
                 OSSA_CONFIDENCE_SIGNATURE, "tri }", "packets[0].primitives[0].indices[2]");
    add_bad_text(all, "mm-mod/short-strip", HEAD BOX "packet 0 1 0 { str 4294967295 0 1 2 mtx 0 }",
                 OSSA_CONFIDENCE_SIGNATURE, "mtx", "packets[0].primitives[0].indices[3]");
    add_bad_text(all, "mm-mod/negative-share", HEAD "mtxv 3 -1", OSSA_CONFIDENCE_SIGNATURE, "-1",
                 "mtxv[1]");
    add_bad_text(all, "mm-mod/packet-without-counts", HEAD BOX "packet 1 1 { }",
                 OSSA_CONFIDENCE_SIGNATURE, "{ }", "packets[0].matrix_count");
}

static void add_unfinished(struct fixtures *all)
{
    add_cut_text(all, "mm-mod/only-comments", "# nothing\n", OSSA_CONFIDENCE_NONE, "version");
    add_cut_text(all, "mm-mod/cut-version", "version:", OSSA_CONFIDENCE_NONE, "version");
    add_cut_text(all, "mm-mod/cut-count", "version: 1.09 verts:", OSSA_CONFIDENCE_SIGNATURE,
                 "verts");
    add_cut_text(all, "mm-mod/cut-row", "version: 1.09 verts: 1 c 1 1 1 ",
                 OSSA_CONFIDENCE_SIGNATURE, "colours[0].alpha");
    add_cut_text(all, "mm-mod/cut-name", HEAD "mtl", OSSA_CONFIDENCE_SIGNATURE,
                 "materials[0].name");
    add_cut_text(all, "mm-mod/cut-material", HEAD "mtl a { packets: 1", OSSA_CONFIDENCE_SIGNATURE,
                 "materials[0]");
    add_cut_text(all, "mm-mod/cut-texture", HEAD "mtl a { texture: 0", OSSA_CONFIDENCE_SIGNATURE,
                 "materials[0].texture");
    add_cut_text(all, "mm-mod/cut-packet", HEAD BOX "packet 3 1 1 {", OSSA_CONFIDENCE_SIGNATURE,
                 "packets[0]");
    add_cut_text(all, "mm-mod/cut-adjunct", HEAD BOX "packet 3 1 1 { adj 1 2 3",
                 OSSA_CONFIDENCE_SIGNATURE, "packets[0].adjuncts[0].tex1");
    add_cut_text(all, "mm-mod/cut-strip", HEAD BOX "packet 3 1 1 { stp", OSSA_CONFIDENCE_SIGNATURE,
                 "packets[0].primitives[0].count");
}

void generate_mm_mod(struct fixtures *all)
{
    add_good(all);
    add_odd_texts(all);
    add_warnings(all);
    add_errors(all);
    add_binary(all);
    add_unreadable(all);
    add_unfinished(all);
    /* A count that lies, in a text that is good otherwise. */
    fixture_add_broken(all, "mm-mod/lying-head",
                       make_changed(packets, "verts: 6", "verts: 4294967295"),
                       OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                               place_in(packets, "6\n"), "verts"});
}
