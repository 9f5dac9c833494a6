/* SPDX-License-Identifier: MIT
 *
 * Files of other programs: the message says what they are and what unpacks them. */
#include "support/testing.h"

#include <stdio.h>
#include <string.h>

struct sample {
    const char *name; /* of the file */
    const char *start;
    size_t size;
    ossa_code code;
    const char *piece; /* of the message */
};

#define STARTS(name, text, code, piece)                                                            \
    {                                                                                              \
        (name), (text), sizeof(text) - 1, (code), (piece)                                          \
    }

static const struct sample samples[] = {
    STARTS("game.chd", "MComprHD\0\0\0\x7c", OSSA_CODE_FOREIGN, "chdman extractcd"),
    STARTS("game.cso", "CISO\x18\0\0\0\0\0\0\1", OSSA_CODE_FOREIGN, "maxcso --decompress"),
    STARTS("game.zso", "ZISO\x18\0\0\0\0\0\0\1", OSSA_CODE_FOREIGN, "ZSO"),
    STARTS("game.bin.ecm", "ECM\0\1\2\3\4\5\6\7\x8", OSSA_CODE_FOREIGN, "unecm"),
    STARTS("game.mds", "MEDIA DESCRIPTOR\1", OSSA_CODE_FOREIGN, ".mdf"),
    STARTS("game.ccd", "[CloneCD]\r\nVersion=3", OSSA_CODE_FOREIGN, ".img"),
    STARTS("data1.cab", "ISc(\4\0\x50\0\0\0\0\0", OSSA_CODE_FOREIGN, "unshield x"),
    STARTS("disk1.cab", "MSCF\0\0\0\0\1\2\3\4", OSSA_CODE_FOREIGN, "Microsoft cabinet"),
    STARTS("game.7z", "7z\xbc\xaf\x27\x1c\0\4\1\2\3\4", OSSA_CODE_FOREIGN, "7z x"),
    STARTS("game.rar", "Rar!\x1a\x07\1\0\1\2\3\4", OSSA_CODE_FOREIGN, "RAR"),
    STARTS("walk.glb", "glTF\2\0\0\0\1\2\3\4", OSSA_CODE_NOT_ORIGINAL, "glTF"),
    STARTS("walk.gltf", "{\n  \"asset\": {\"version\": \"2.0\"}}", OSSA_CODE_NOT_ORIGINAL, "glTF"),
    STARTS("walk.bvh", "\xef\xbb\xbf\r\nHIERARCHY\nROOT hip\n", OSSA_CODE_NOT_ORIGINAL, "BVH"),
    STARTS("walk.json", "{ \"ossa\":1,\"format\":\"ei-anm\"}", OSSA_CODE_NOT_ORIGINAL, "JSON"),
    /* The name may claim a format: what it is says more. */
    STARTS("walk.lnk", "7z\xbc\xaf\x27\x1c\0\4\1\2\3\4", OSSA_CODE_FOREIGN, "7z x"),
};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

static bool read_bytes(void *user, uint64_t offset, void *bytes, size_t size)
{
    const struct bytes *all = user;
    if (offset > all->size || size > all->size - offset) return false;
    memcpy(bytes, all->data + offset, size);
    return true;
}

/* From memory and from a source, with the same result. */
static ossa_error error_of(struct bytes *bytes, const char *name)
{
    const ossa_options options = {.name = name};
    const ossa_source source = {read_bytes, bytes, bytes->size};
    ossa_error a;
    ossa_error b;
    assert_null(ossa_read(bytes->data, bytes->size, &options, &a));
    assert_null(ossa_read_from(&source, &options, &b));
    assert_int_equal(a.code, b.code);
    assert_string_equal(a.message, b.message);
    return a;
}

static void require_known(const struct sample *sample, size_t padding)
{
    struct bytes bytes = bytes_copy((const uint8_t *)sample->start, sample->size);
    put_repeated(&bytes, ' ', padding);
    ossa_error error = error_of(&bytes, sample->name);
    require(error.code == sample->code, sample->name, "%s", error.message);
    require(strstr(error.message, sample->piece) != NULL, sample->name, "%s", error.message);
    bytes_free(&bytes);
}

static void containers_and_exports_are_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        require_known(&samples[i], 0);
        require_known(&samples[i], 100000); /* only the start is read */
    }
}

static void beginnings_that_are_cut_are_not_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        for (size_t size = 1; size < 4 && size < samples[i].size; size++) {
            struct bytes bytes = bytes_copy((const uint8_t *)samples[i].start, size);
            assert_int_equal(error_of(&bytes, NULL).code, OSSA_CODE_UNKNOWN_FORMAT);
            bytes_free(&bytes);
        }
    }
}

static void an_installer_says_so_behind_its_code(void **state)
{
    (void)state;
    struct bytes bytes = {0};
    put_text(&bytes, "MZ");
    put_repeated(&bytes, 0x90, 300000);
    assert_int_equal(error_of(&bytes, "setup.exe").code, OSSA_CODE_UNKNOWN_FORMAT);
    put_text(&bytes, "Inno Setup");
    put_repeated(&bytes, 0, 1000);
    ossa_error error = error_of(&bytes, "setup.exe");
    assert_int_equal(error.code, OSSA_CODE_FOREIGN);
    assert_non_null(strstr(error.message, "innoextract"));
    bytes_free(&bytes);
    /* Wherever it is, also where two pieces meet. */
    for (size_t at = 16300; at < 16400; at++) {
        put_text(&bytes, "MZ");
        put_repeated(&bytes, 0x90, at);
        put_text(&bytes, "Inno Setup");
        put_repeated(&bytes, 0, 40000);
        assert_int_equal(error_of(&bytes, "setup.exe").code, OSSA_CODE_FOREIGN);
        bytes_free(&bytes);
    }
}

static void an_image_of_nero_is_known_by_its_end(void **state)
{
    (void)state;
    struct bytes bytes = {0};
    put_repeated(&bytes, 0xff, 70000);
    put_text(&bytes, "NER5");
    put_repeated(&bytes, 0, 8);
    assert_non_null(strstr(error_of(&bytes, "game.nrg").message, "nrg2iso"));
    bytes_free(&bytes);
}

/* A file that is larger than the limit is still what it is. */
static void the_limit_does_not_hide_what_a_file_is(void **state)
{
    (void)state;
    const char path[] = "foreign-large.chd";
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs("MComprHD", file) >= 0);
    assert_int_equal(fseek(file, 3 << 20, SEEK_SET), 0);
    assert_int_equal(fputc(0, file), 0);
    assert_int_equal(fclose(file), 0);
    const ossa_workspace_options options = {.max_input = 1 << 20};
    ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
    assert_non_null(workspace);
    ossa_error error;
    assert_null(ossa_workspace_open(workspace, path, NULL, &error));
    assert_int_equal(error.code, OSSA_CODE_FOREIGN);
    ossa_workspace_free(workspace);
    assert_int_equal(remove(path), 0);
}

TEST_GROUP(test_foreign)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(containers_and_exports_are_known),
        cmocka_unit_test(beginnings_that_are_cut_are_not_known),
        cmocka_unit_test(an_installer_says_so_behind_its_code),
        cmocka_unit_test(an_image_of_nero_is_known_by_its_end),
        cmocka_unit_test(the_limit_does_not_hide_what_a_file_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
