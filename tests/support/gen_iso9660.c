/* SPDX-License-Identifier: MIT */
#include "support/disc_fixture.h"
#include "support/fixtures.h"

#include <stdio.h>
#include <string.h>

enum {
    PRIMARY = DISC_DESCRIPTORS * DISC_SECTOR,
    LAST = PRIMARY + DISC_SECTOR, /* descriptor, without Joliet */
    MANY = 40,                    /* folders in each other */
};

struct disc_contents disc_contents(void)
{
    struct disc_contents contents;
    struct random random = {15};
    for (size_t i = 0; i < DISC_NUMBERS; i++) contents.numbers[i] = (uint8_t)next_random(&random);
    for (size_t i = 0; i < DISC_XAB; i++) contents.xab[i] = (uint8_t)i;
    return contents;
}

struct disc sample_disc(struct disc_plan plan)
{
    const struct disc_contents contents = disc_contents();
    const struct disc_file files[] = {
        {"hello.txt", "hi\n", 3, 0},
        {"sub/numbers.bin", contents.numbers, DISC_NUMBERS, 0},
        {"sub/deep/XAB", contents.xab, DISC_XAB, 0},
        {"empty", "", 0, 0},
        {"sub/song.xa", contents.numbers, DISC_NUMBERS, DISC_FORM_2},
    };
    plan.files = files;
    plan.count = plan.has_xa ? 5 : 4;
    return make_disc(&plan);
}

struct bytes sample_image(struct disc_plan plan, enum disc_layout layout)
{
    struct disc disc = sample_disc(plan);
    struct bytes image = wrap_disc(&disc, layout);
    bytes_free(&disc.image);
    return image;
}

static struct bytes plain(void)
{
    return sample_image((struct disc_plan){0}, DISC_2048);
}

static void add_layouts(struct fixtures *all)
{
    for (int i = DISC_MODE_1; i < DISC_LAYOUTS; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "iso9660/%s", disc_layout_names[i]);
        (void)fixture_add(all, name, sample_image((struct disc_plan){0}, (enum disc_layout)i),
                          OSSA_CONFIDENCE_SIGNATURE);
    }
}

/* A fixture that breaks one rule. */
static void broken(struct fixtures *all, const char *name, struct bytes image,
                   ossa_severity severity, ossa_code code, uint64_t offset, const char *field)
{
    char full[64];
    (void)snprintf(full, sizeof full, "iso9660/%s", name);
    (void)fixture_add_broken(all, full, image, OSSA_CONFIDENCE_SIGNATURE,
                             (struct expected_issue){severity, code, offset, field});
}

static void add_descriptors(struct fixtures *all)
{
    struct bytes raw = sample_image((struct disc_plan){0}, DISC_MODE_1);
    struct bytes one = bytes_copy(raw.data, disc_stride(DISC_MODE_1));
    bytes_free(&raw);
    broken(all, "raw-sectors", one, OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_MAGIC, 0, "");

    struct bytes image = plain();
    set_u8(&image, PRIMARY, 3);
    broken(all, "no-primary", image, OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, LAST,
           "descriptors");
    image = plain();
    set_u8(&image, LAST, 3);
    broken(all, "no-last", image, OSSA_SEVERITY_WARNING, OSSA_CODE_TRUNCATED, LAST + DISC_SECTOR,
           "descriptors");
    image = plain();
    set_u16(&image, PRIMARY + 128, 512);
    broken(all, "small-blocks", image, OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE, PRIMARY + 128,
           "descriptors[0].block_size");
    image = plain();
    set_u8(&image, PRIMARY + DISC_ROOT + 25, 0);
    broken(all, "root-file", image, OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_ROOT,
           PRIMARY + DISC_ROOT, "descriptors[0].root");
    image = plain();
    set_u8(&image, PRIMARY + DISC_ROOT, 20);
    broken(all, "root-damaged", image, OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE,
           PRIMARY + DISC_ROOT, "descriptors[0].root");
    image = plain();
    set_u8(&image, PRIMARY + 84, 9); /* the big-endian number of sectors */
    broken(all, "two-sizes", image, OSSA_SEVERITY_WARNING, OSSA_CODE_BAD_VALUE, PRIMARY + 80,
           "descriptors[0].sector_count");
    image = plain();
    disc_set_both(&image, PRIMARY + 80, 1000);
    broken(all, "small-image", image, OSSA_SEVERITY_REMARK, OSSA_CODE_SIZE_MISMATCH, image.size,
           "");
    image = plain();
    size_t whole = image.size;
    put_repeated(&image, 0, 100);
    broken(all, "part-of-sector", image, OSSA_SEVERITY_WARNING, OSSA_CODE_SIZE_MISMATCH, whole, "");
}

static void add_files(struct fixtures *all)
{
    struct bytes image = plain();
    size_t hello = disc_record(&image, "HELLO.TXT;1", 0);
    disc_set_both(&image, hello + 2, 100000);
    broken(all, "outside", image, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET, hello + 2,
           "entries[1].sector");
    image = plain();
    disc_set_both(&image, hello + 10, 0xfffffff0);
    broken(all, "too-large", image, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET, hello + 2,
           "entries[1].sector");
    image = plain();
    set_u8(&image, hello + 17, 4);
    broken(all, "two-orders", image, OSSA_SEVERITY_WARNING, OSSA_CODE_BAD_VALUE, hello + 10,
           "size");
    image = plain();
    set_u8(&image, hello + 25, 0x80);
    size_t sub = disc_record(&image, "SUB", 0);
    broken(all, "unfinished", image, OSSA_SEVERITY_ERROR, OSSA_CODE_TRUNCATED, sub,
           "entries[1].flags");
    image = plain();
    set_u8(&image, hello + 26, 1);
    broken(all, "interleaved", image, OSSA_SEVERITY_REMARK, OSSA_CODE_PASSED_OVER, hello,
           "entries[1]");
    image = sample_image((struct disc_plan){.piece_size = DISC_SECTOR}, DISC_2048);
    size_t numbers = disc_record(&image, "NUMBERS.BIN;1", 0);
    for (size_t i = 0; i < 2; i++) {
        disc_set_both(&image, numbers + i * image.data[numbers] + 2, 0);
        disc_set_both(&image, numbers + i * image.data[numbers] + 10, (uint32_t)image.size);
    }
    size_t second = numbers + image.data[numbers];
    broken(all, "larger-than-image", image, OSSA_SEVERITY_ERROR, OSSA_CODE_OVERLAP, second + 10,
           "entries[3].size");
}

static void add_names(struct fixtures *all)
{
    static const struct {
        const char *fixture;
        const char *name; /* instead of HELLO.TXT;1 */
    } names[] = {
        {"name-separator", "../A.TXT\\;1"},
        {"name-nul", "HEL\0O.TXT;1"},
        {"name-up", "..;1"},
        {"name-none", ";1"},
    };
    struct bytes image;
    size_t hello = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        image = plain();
        hello = disc_record(&image, "HELLO.TXT;1", 0);
        size_t size = i < 2 ? 11 : strlen(names[i].name);
        set_u8(&image, hello + 32, (uint32_t)size);
        memcpy(image.data + hello + 33, names[i].name, size);
        broken(all, names[i].fixture, image, OSSA_SEVERITY_WARNING, OSSA_CODE_BAD_VALUE, hello + 33,
               "name");
    }
    image = plain();
    set_u8(&image, hello + 32, 7);
    memcpy(image.data + hello + 33, "EMPTY;1", 7);
    size_t data = get_u32(&image, hello + 2) * (size_t)DISC_SECTOR;
    broken(all, "name-twice", image, OSSA_SEVERITY_WARNING, OSSA_CODE_DUPLICATE_NAME, data,
           "entries[1].name");
}

static void add_folders(struct fixtures *all)
{
    struct bytes image = plain();
    size_t sub = disc_record(&image, "SUB", 0);
    size_t deep = disc_record(&image, "DEEP", 0);
    size_t root = get_u32(&image, PRIMARY + DISC_ROOT + 2);
    disc_set_both(&image, deep + 2, (uint32_t)root);
    broken(all, "loop", image, OSSA_SEVERITY_ERROR, OSSA_CODE_OVERLAP, deep, "folders[2]");
    image = plain();
    disc_set_both(&image, deep + 2, DISC_DESCRIPTORS);
    broken(all, "folder-of-descriptors", image, OSSA_SEVERITY_ERROR, OSSA_CODE_OVERLAP, deep,
           "folders[2]");
    image = plain();
    disc_set_both(&image, sub + 2, 100000);
    broken(all, "folder-outside", image, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_OFFSET, sub,
           "folders[1]");
    image = plain();
    set_u8(&image, sub, 33);
    broken(all, "record-short", image, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, sub, "");
    image = plain();
    set_u8(&image, sub + 32, 200);
    broken(all, "record-name", image, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, sub, "");

    char path[MANY * 2 + 2] = "";
    for (size_t i = 0; i < MANY; i++) memcpy(path + 2 * i, "D/", 2);
    memcpy(path + (size_t)2 * MANY, "F", 2);
    const struct disc_file file = {path, "hi", 2, 0};
    const struct disc_plan plan = {.files = &file, .count = 1};
    struct disc disc = make_disc(&plan);
    size_t at = get_u32(&disc.image, PRIMARY + DISC_ROOT + 2) * (size_t)DISC_SECTOR;
    for (size_t i = 1; i < 32; i++) { /* a sector each */
        at = get_u32(&disc.image, disc_record(&disc.image, "D", at) + 2) * (size_t)DISC_SECTOR;
    }
    broken(all, "deep", disc.image, OSSA_SEVERITY_ERROR, OSSA_CODE_LIMIT,
           disc_record(&disc.image, "D", at), "folders[32]");
}

void generate_iso9660(struct fixtures *all)
{
    (void)fixture_add(all, "iso9660/plain", plain(), OSSA_CONFIDENCE_SIGNATURE);
    (void)fixture_add(all, "iso9660/joliet",
                      sample_image((struct disc_plan){.has_joliet = true}, DISC_2048),
                      OSSA_CONFIDENCE_SIGNATURE);
    (void)fixture_add(all, "iso9660/pieces",
                      sample_image((struct disc_plan){.piece_size = DISC_SECTOR}, DISC_2048),
                      OSSA_CONFIDENCE_SIGNATURE);
    (void)fixture_add(all, "iso9660/attributes",
                      sample_image((struct disc_plan){.attribute_sectors = 2}, DISC_2048),
                      OSSA_CONFIDENCE_SIGNATURE);
    struct bytes xa = sample_image((struct disc_plan){.has_xa = true}, DISC_2048);
    uint64_t song = disc_record(&xa, "SONG.XA;1", 0);
    broken(all, "xa", xa, OSSA_SEVERITY_REMARK, OSSA_CODE_PASSED_OVER, song, "entries[4]");
    add_layouts(all);
    add_descriptors(all);
    add_files(all);
    add_names(all);
    add_folders(all);
}
