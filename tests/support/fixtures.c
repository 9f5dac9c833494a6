/* SPDX-License-Identifier: MIT */
#include "support/fixtures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct fixtures *table;

static void refuse(const char *what, const char *name)
{
    (void)fprintf(stderr, "fixtures: %s: %s\n", what, name);
    abort();
}

const struct fixtures *fixtures_all(void)
{
    if (table != NULL) return table;
    table = calloc(1, sizeof *table);
    if (table == NULL) refuse("no memory", "table");
    generate_ei_anm(table);
    generate_ei_lnk(table);
    generate_ei_bon(table);
    generate_ei_fig(table);
    generate_ei_adb(table);
    generate_ei_cam(table);
    generate_ei_mmp(table);
    generate_ei_res(table);
    generate_mm_anim(table);
    generate_mm_skel(table);
    generate_mm_csv(table);
    generate_mm_mod(table);
    generate_mm_ar(table);
    generate_mm_dave(table);
    generate_mm_zip(table);
    generate_vib_anm(table);
    generate_vib_tmd(table);
    generate_vib_anc(table);
    generate_vib_pak(table);
    generate_sotc_anb(table);
    generate_sotc_skb(table);
    generate_sotc_xff(table);
    return table;
}

void fixtures_free(void)
{
    if (table == NULL) return;
    for (size_t i = 0; i < table->count; i++) bytes_free(&table->items[i].bytes);
    free(table);
    table = NULL;
}

static struct fixture *find(struct fixtures *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++) {
        if (strcmp(all->items[i].name, name) == 0) return &all->items[i];
    }
    return NULL;
}

const struct fixture *fixture_find(const char *name)
{
    (void)fixtures_all();
    const struct fixture *fixture = find(table, name);
    if (fixture == NULL) refuse("there is none of that name", name);
    return fixture;
}

ossa_options fixture_options(const struct fixture *fixture)
{
    return (ossa_options){.format = fixture->format,
                          .dialect = fixture->dialect,
                          .check_values = fixture->check_values};
}

bool fixture_is_readable(const struct fixture *fixture)
{
    size_t count = fixture->issue_count;
    return count == 0 || fixture->issues[count - 1].severity != OSSA_SEVERITY_UNREADABLE;
}

static const char *const formats[][2] = {
    {"ei-anm", "anm"},   {"ei-lnk", "lnk"},   {"ei-bon", "bon"},   {"mm-skel", "skel"},
    {"mm-csv", "csv"},   {"mm-anim", "anim"}, {"vib-anm", "anm"},  {"vib-tmd", "tmd"},
    {"sotc-anb", "anb"}, {"sotc-skb", "skb"}, {"sotc-xff", "xff"}, {"ei-cam", "cam"},
    {"vib-anc", "anc"},  {"ei-fig", "fig"},   {"ei-mmp", "mmp"},   {"ei-res", "res"},
    {"vib-pak", "pak"},  {"ei-adb", "adb"},   {"mm-mod", "mod"},   {"mm-ar", "ar"}};

static size_t format_of(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        size_t size = strlen(formats[i][0]);
        if (strncmp(name, formats[i][0], size) == 0 && name[size] == '/') return i;
    }
    refuse("no format has that name", name);
    return 0;
}

const char *fixture_extension(const struct fixture *fixture)
{
    return formats[format_of(fixture->name)][1];
}

struct fixture *fixture_add(struct fixtures *all, const char *name, struct bytes bytes,
                            ossa_confidence confidence)
{
    if (all->count == FIXTURE_CAPACITY) refuse("the table is full", name);
    if (find(all, name) != NULL) refuse("is there already", name);
    struct fixture *fixture = &all->items[all->count++];
    int length = snprintf(fixture->name, sizeof fixture->name, "%s", name);
    if (length < 0 || (size_t)length >= sizeof fixture->name) refuse("the name is too long", name);
    fixture->format = formats[format_of(name)][0];
    fixture->bytes = bytes;
    fixture->confidence = confidence;
    return fixture;
}

void fixture_expect(struct fixture *fixture, ossa_severity severity, ossa_code code,
                    uint64_t offset, const char *field)
{
    if (fixture->issue_count == FIXTURE_ISSUES) refuse("too many issues", fixture->name);
    fixture->issues[fixture->issue_count++] =
        (struct expected_issue){severity, code, offset, field};
}

struct fixture *fixture_add_broken(struct fixtures *all, const char *name, struct bytes bytes,
                                   ossa_confidence confidence, struct expected_issue issue)
{
    struct fixture *fixture = fixture_add(all, name, bytes, confidence);
    fixture_expect(fixture, issue.severity, issue.code, issue.offset, issue.field);
    return fixture;
}
