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

static const struct generator {
    const char *id;
    void (*generate)(struct fixtures *all);
} generators[] = {
#define FIXTURE_GENERATOR(id) {#id, generate_##id},
#include "generators.inc"
};
enum { GENERATORS = sizeof generators / sizeof generators[0] };
static bool has_run[GENERATORS];

static void run_generator(size_t index)
{
    if (has_run[index]) return;
    has_run[index] = true;
    generators[index].generate(table);
}

/* Those of archives put files of other formats into them: what they ask for is made first. */
static void run_generator_of(const char *name)
{
    char id[32] = "";
    for (size_t i = 0; i + 1 < sizeof id && name[i] != '\0' && name[i] != '/'; i++) {
        id[i] = name[i] == '-' ? '_' : name[i];
    }
    for (size_t i = 0; i < GENERATORS; i++) {
        if (strcmp(generators[i].id, id) == 0) run_generator(i);
    }
}

const struct fixtures *fixtures_all(void)
{
    if (table != NULL) return table;
    table = calloc(1, sizeof *table);
    if (table == NULL) refuse("no memory", "table");
    for (size_t i = 0; i < GENERATORS; i++) run_generator(i);
    return table;
}

void fixtures_free(void)
{
    if (table == NULL) return;
    for (size_t i = 0; i < table->count; i++) bytes_free(&table->items[i].bytes);
    free(table);
    table = NULL;
    memset(has_run, 0, sizeof has_run);
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
    if (fixture == NULL) {
        run_generator_of(name);
        fixture = find(table, name);
    }
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

static const ossa_format *format_of(const char *name)
{
    for (size_t i = 0; i < ossa_format_count(); i++) {
        const ossa_format *format = ossa_format_at(i);
        size_t size = strlen(format->id);
        if (strncmp(name, format->id, size) == 0 && name[size] == '/') return format;
    }
    refuse("no format has that name", name);
    return NULL;
}

struct extension fixture_extension(const struct fixture *fixture)
{
    const char *all = format_of(fixture->name)->extensions;
    struct extension first = {""};
    size_t size = strcspn(all, " ");
    if (size >= sizeof first.text) refuse("the extension is too long", all);
    memcpy(first.text, all, size);
    return first;
}

struct fixture *fixture_add(struct fixtures *all, const char *name, struct bytes bytes,
                            ossa_confidence confidence)
{
    if (all->count == FIXTURE_CAPACITY) refuse("the table is full", name);
    if (find(all, name) != NULL) refuse("is there already", name);
    struct fixture *fixture = &all->items[all->count++];
    int length = snprintf(fixture->name, sizeof fixture->name, "%s", name);
    if (length < 0 || (size_t)length >= sizeof fixture->name) refuse("the name is too long", name);
    fixture->format = format_of(name)->id;
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
