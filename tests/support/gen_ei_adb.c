/* SPDX-License-Identifier: MIT */
#include "support/adb_fixture.h"
#include "support/fixtures.h"

#include <stdlib.h>
#include <string.h>

enum { RECORD_SIZE = 88 };

/* ---- a database ---------------------------------------------------------------------------- */

/* A text in a field of that many bytes, filled up with NULs. */
static void put_field(struct bytes *file, const char *text, size_t capacity)
{
    size_t size = strlen(text);
    if (size > capacity) abort();
    put_bytes(file, text, size);
    put_repeated(file, 0, capacity - size);
}

struct bytes begin_adb(const char *model)
{
    struct bytes file = {0};
    put_text(&file, "ADB");
    put_u8(&file, 0);
    put_u32(&file, 0);
    put_field(&file, model, 24);
    put_f32(&file, 1.5F);
    put_f32(&file, 1.75F);
    put_f32(&file, 2.0F);
    return file;
}

size_t add_adb_record(struct bytes *file, const struct adb_record *record)
{
    uint32_t count = get_u32(file, 4);
    size_t at = file->size;
    set_u32(file, 4, count + 1);
    put_field(file, record->name, 16);
    put_u32(file, count);
    put_u32(file, record->stage << 30 | 5U << 18 | 0x80U << 22 | 7U << 15 | 0x21U);
    put_u32(file, 0x00000010);
    put_u32(file, record->probability);
    put_u32(file, record->duration);
    put_f32(file, record->speed);
    for (uint32_t i = 0; i < 6; i++) put_u32(file, i < 2 ? 0 : 3 * i); /* show_hide, step_sounds */
    put_u32(file, record->hit_frame);
    put_u32(file, 11);
    for (uint32_t i = 0; i < 4; i++) put_u32(file, 1000 + i);
    return at;
}

/* ---- fixtures ------------------------------------------------------------------------------ */

static struct bytes make_usual(void)
{
    static const struct adb_record records[] = {
        {.name = "cidle", .probability = 100, .duration = 30, .speed = 0.0F, .stage = 2},
        {.name = "cwalk", .probability = 100, .duration = 16, .speed = 1.25F, .stage = 2},
        {.name = "uattack1", .probability = 50, .duration = 22, .speed = 0.0F, .hit_frame = 12},
        {.name = "sixteen_letters_", .probability = 50, .duration = 9, .stage = 1},
        {.name = "\xf1\xec\xe5\xf0\xf2\xfc", .probability = 100, .duration = 40, .stage = 3}};
    struct bytes file = begin_adb("unmotr");
    for (size_t i = 0; i < sizeof records / sizeof records[0]; i++) {
        (void)add_adb_record(&file, &records[i]);
    }
    return file;
}

static void add_good(struct fixtures *all)
{
    fixture_add(all, "ei-adb/troll", make_usual(), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "ei-adb/no-records", begin_adb("unmotr"), OSSA_CONFIDENCE_SIGNATURE);
    struct bytes rest = make_usual(); /* what an old tool left behind the NUL */
    set_u32(&rest, 44 + 8, 0x64636261);
    set_u8(&rest, 8 + 23, 0xff);
    fixture_add(all, "ei-adb/rests", rest, OSSA_CONFIDENCE_SIGNATURE);
    struct bytes full = begin_adb("twenty_four_letters_of_m");
    (void)add_adb_record(&full, &(struct adb_record){.name = "x"});
    for (size_t at = 44 + 16; at < full.size; at += 4) set_u32(&full, at, 0xfedcba98);
    fixture_add(all, "ei-adb/every-bit", full, OSSA_CONFIDENCE_SIGNATURE);
    struct random random = {17};
    struct bytes big = begin_adb("big");
    for (unsigned i = 0; i < 200; i++) {
        char name[8] = "anim000";
        name[4] = (char)('0' + i / 100);
        name[5] = (char)('0' + i / 10 % 10);
        name[6] = (char)('0' + i % 10);
        (void)add_adb_record(&big, &(struct adb_record){.name = name,
                                                        .duration = next_random(&random) >> 20,
                                                        .stage = i % 4});
    }
    fixture_add(all, "ei-adb/big", big, OSSA_CONFIDENCE_SIGNATURE);
}

/* Three of the game's databases have no probabilities, and one is a header and 36 bytes. */
static void add_dialects(struct fixtures *all)
{
    struct bytes usual = make_usual();
    struct bytes file = bytes_copy(usual.data, 44);
    for (size_t at = 44; at < usual.size; at += RECORD_SIZE) {
        put_bytes(&file, usual.data + at, 28);
        put_bytes(&file, usual.data + at + 32, RECORD_SIZE - 32);
    }
    fixture_add(all, "ei-adb/short-records", file, OSSA_CONFIDENCE_SIGNATURE);
    struct bytes nameless = bytes_copy(file.data, file.size);
    size_t at = 44 + 2 * (size_t)84;
    set_u8(&nameless, at, 0);
    fixture_add_broken(all, "ei-adb/short-no-name", nameless, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_EMPTY_NAME, at,
                                               "records[2].name"});
    for (uint32_t count = 0; count < 2; count++) {
        struct bytes stub = bytes_copy(usual.data, 44);
        set_u32(&stub, 4, count);
        for (uint32_t i = 0; i < 9; i++) put_u32(&stub, i * 0x01010101);
        fixture_add_broken(
            all, count == 0 ? "ei-adb/stub" : "ei-adb/stub-of-one", stub, OSSA_CONFIDENCE_SIGNATURE,
            (struct expected_issue){OSSA_SEVERITY_REMARK, OSSA_CODE_UNUSUAL_VALUE, 44, "stub"});
    }
    bytes_free(&usual);
}

static void add_broken(struct fixtures *all)
{
    struct bytes many = make_usual();
    set_u32(&many, 4, 6);
    fixture_add_broken(
        all, "ei-adb/one-too-many", many, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 4, "record_count"});
    struct bytes most = make_usual();
    set_u32(&most, 4, 0xffffffff);
    fixture_add_broken(
        all, "ei-adb/far-too-many", most, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_COUNT, 4, "record_count"});
    struct bytes cut = make_usual();
    cut.size = 43;
    fixture_add_broken(
        all, "ei-adb/cut", cut, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_TRUNCATED, 40, "max_height"});
    struct bytes other = make_usual();
    set_u8(&other, 3, '1');
    fixture_add_broken(
        all, "ei-adb/signature", other, OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_MAGIC, 0, "signature"});
    struct bytes fewer = make_usual();
    size_t end = fewer.size;
    put_u32(&fewer, 7);
    fixture_add_broken(
        all, "ei-adb/trailing-bytes", fewer, OSSA_CONFIDENCE_DAMAGED,
        (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_TRAILING_BYTES, end, "tail"});
    struct bytes nameless = make_usual();
    size_t at = 44 + 2 * RECORD_SIZE;
    set_u8(&nameless, at, 0);
    fixture_add_broken(all, "ei-adb/no-name", nameless, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_EMPTY_NAME, at,
                                               "records[2].name"});
    struct bytes speed = make_usual();
    set_u32(&speed, at + 36, 0x7fc00000);
    fixture_add_broken(all, "ei-adb/nan-speed", speed, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_NON_FINITE, at + 36,
                                               "records[2].speed"})
        ->check_values = true;
    struct bytes height = make_usual();
    set_u32(&height, 36, 0xff800000);
    fixture_add_broken(
        all, "ei-adb/infinite-height", height, OSSA_CONFIDENCE_SIGNATURE,
        (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_NON_FINITE, 36, "mid_height"})
        ->check_values = true;
}

void generate_ei_adb(struct fixtures *all)
{
    add_good(all);
    add_dialects(all);
    add_broken(all);
}
