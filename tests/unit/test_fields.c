/* SPDX-License-Identifier: MIT
 *
 * The trace of fields accounts for every byte of every fixture, once and in order. */
#include "codec/format.h"
#include "support/testing.h"

#include <stdio.h>
#include <string.h>

struct walk {
    const struct fixture *fixture;
    const uint8_t *data;
    bool scattered; /* a format whose reader jumps about */
    bool may_share; /* fields may lie on top of each other */
    uint64_t told;  /* all bytes before it were told of */
    size_t count;
    size_t unread;
    size_t shared; /* fields that begin before the end of another */
    char last_path[OSSA_FIELD_CAPACITY];
};

static uint64_t scalar_size(ossa_field_type type)
{
    switch (type) {
    case OSSA_FIELD_TYPE_U8: return 1;
    case OSSA_FIELD_TYPE_U16:
    case OSSA_FIELD_TYPE_I16: return 2;
    case OSSA_FIELD_TYPE_U32:
    case OSSA_FIELD_TYPE_I32:
    case OSSA_FIELD_TYPE_F32: return 4;
    default: return 0;
    }
}

static void on_field(void *user, const ossa_field *field)
{
    struct walk *walk = user;
    const char *name = walk->fixture->name;
    unsigned long long at = (unsigned long long)field->offset;
    uint64_t size = walk->fixture->bytes.size;
    walk->count++;
    require(field->size > 0, name, "an empty field %s at 0x%llx", field->path, at);
    require(field->offset <= size && field->size <= size - field->offset, name,
            "field %s at 0x%llx reaches past the end", field->path, at);
    uint64_t scalar = scalar_size(field->type);
    require(scalar == 0 || scalar == field->size, name, "size of %s", field->path);
    require(field->bytes == walk->data + field->offset, name, "bytes of %s", field->path);
    require(memcmp(field->bytes, walk->fixture->bytes.data + field->offset, field->size) == 0, name,
            "contents of %s", field->path);
    require(field->offset <= walk->told, name, "a hole before 0x%llx (%s)", at, field->path);
    if (field->offset < walk->told) {
        walk->shared++;
        require(walk->may_share, name, "%s at 0x%llx lies on %s", field->path, at, walk->last_path);
    }
    if (field->type == OSSA_FIELD_TYPE_UNREAD) walk->unread++;
    bool nameless = field->path[0] == '\0';
    bool may_be_nameless = walk->scattered || field->type == OSSA_FIELD_TYPE_UNREAD;
    require(!nameless || may_be_nameless, name, "nobody claims the bytes at 0x%llx", at);
    require(nameless == (field->type >= OSSA_FIELD_TYPE_PADDING) ||
                field->type == OSSA_FIELD_TYPE_UNKNOWN,
            name, "path and type of the field at 0x%llx", at);
    if (field->type == OSSA_FIELD_TYPE_PADDING) {
        for (uint64_t i = 0; i < field->size; i++)
            require(field->bytes[i] == 0, name, "padding that is not zero");
    }
    if (field->offset + field->size > walk->told) walk->told = field->offset + field->size;
    (void)snprintf(walk->last_path, sizeof walk->last_path, "%s", field->path);
}

static struct walk walk_over(const struct fixture *fixture, ossa_file **file)
{
    struct walk walk = {.fixture = fixture, .data = fixture->bytes.data};
    walk.scattered = ((const struct ossa__format *)ossa_format_find(fixture->format))->scattered;
    walk.may_share = fixture->shares_bytes;
    ossa_options options = fixture_options(fixture);
    options.on_field = on_field;
    options.user = &walk;
    *file = ossa_read(fixture->bytes.data, fixture->bytes.size, &options, NULL);
    return walk;
}

static void fields_cover_every_readable_fixture(void **state)
{
    (void)state;
    const struct fixtures *all = fixtures_all();
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        if (!fixture_is_readable(fixture)) continue;
        ossa_file *file;
        struct walk walk = walk_over(fixture, &file);
        require(file != NULL, fixture->name, "cannot be read");
        ossa_file_free(file);
        require(walk.told == fixture->bytes.size, fixture->name, "told of %llu bytes",
                (unsigned long long)walk.told);
        require(walk.unread == 0, fixture->name, "an unread field");
        require(fixture->shares_bytes == (walk.shared > 0), fixture->name, "%zu shared fields",
                walk.shared);
    }
}

/* A broken file shows what could be read, and the rest as unread. */
static void fields_cover_unreadable_fixtures_too(void **state)
{
    (void)state;
    const struct fixtures *all = fixtures_all();
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        if (fixture_is_readable(fixture)) continue;
        ossa_file *file;
        struct walk walk = walk_over(fixture, &file);
        require(file == NULL, fixture->name, "can be read");
        require(walk.told == fixture->bytes.size, fixture->name, "told of %llu bytes",
                (unsigned long long)walk.told);
    }
}

/* ---- a few paths, as documented ------------------------------------------------------------ */

struct wanted {
    uint64_t offset;
    const char *path;
    ossa_field_type type;
    bool seen;
};

struct lookup {
    struct wanted *wanted;
    size_t count;
};

static void look_for(void *user, const ossa_field *field)
{
    struct lookup *lookup = user;
    for (size_t i = 0; i < lookup->count; i++) {
        struct wanted *wanted = &lookup->wanted[i];
        if (strcmp(wanted->path, field->path) != 0) continue;
        require(!wanted->seen, field->path, "told twice");
        require(field->offset == wanted->offset, field->path, "at 0x%llx",
                (unsigned long long)field->offset);
        require(field->type == wanted->type, field->path, "type %s",
                ossa_field_type_name(field->type));
        wanted->seen = true;
    }
}

static void require_paths(const char *fixture_name, struct wanted *wanted, size_t count)
{
    const struct fixture *fixture = fixture_find(fixture_name);
    struct lookup lookup = {wanted, count};
    ossa_options options = fixture_options(fixture);
    options.on_field = look_for;
    options.user = &lookup;
    ossa_file_free(read_or_fail(fixture_name, fixture->bytes.data, fixture->bytes.size, &options));
    for (size_t i = 0; i < count; i++)
        require(wanted[i].seen, fixture_name, "no field %s", wanted[i].path);
}

static void paths_are_the_documented_ones(void **state)
{
    (void)state;
    struct wanted ei_anm[] = {{0, "rotation_count", OSSA_FIELD_TYPE_U32, false},
                              {4, "rotations[0].w", OSSA_FIELD_TYPE_F32, false},
                              {4 + 16 * 3 + 12, "rotations[3].z", OSSA_FIELD_TYPE_F32, false},
                              {88 + 12 + 4, "translations[1].y", OSSA_FIELD_TYPE_F32, false},
                              {152, "morph_vertices", OSSA_FIELD_TYPE_U32, false},
                              {156 + 36 * 2 + 12, "morphs[2][1].x", OSSA_FIELD_TYPE_F32, false}};
    require_paths("ei-anm/morphs", ei_anm, sizeof ei_anm / sizeof ei_anm[0]);
    struct wanted ei_lnk[] = {{0, "link_count", OSSA_FIELD_TYPE_U32, false},
                              {8, "links[0].child", OSSA_FIELD_TYPE_TEXT_1251, false},
                              {11, "links[0].parent_length", OSSA_FIELD_TYPE_U32, false},
                              {26, "links[1].parent", OSSA_FIELD_TYPE_TEXT_1251, false}};
    require_paths("ei-lnk/troll", ei_lnk, sizeof ei_lnk / sizeof ei_lnk[0]);
    struct wanted ei_fig[] = {
        {0, "signature", OSSA_FIELD_TYPE_TEXT, false},
        {4, "vertex_block_count", OSSA_FIELD_TYPE_U32, false},
        {28, "zero", OSSA_FIELD_TYPE_U32, false},
        {40 + 12 + 8, "center[1].z", OSSA_FIELD_TYPE_F32, false},
        {40 + 72 + 4, "radius[1]", OSSA_FIELD_TYPE_F32, false},
        {120 + 96 + 5 * 16 + 8, "vertices[1][5][2]", OSSA_FIELD_TYPE_F32, false},
        {312 + 3 * 16 + 4, "normals[0][3][1]", OSSA_FIELD_TYPE_F32, false},
        {376 + 12, "texcoords[1].v", OSSA_FIELD_TYPE_F32, false},
        {416 + 4, "indices[2]", OSSA_FIELD_TYPE_U16, false},
        {434 + 6 + 2, "vertex_components[1].normal", OSSA_FIELD_TYPE_U16, false},
        {488 + 2, "morph_components[0].vertex", OSSA_FIELD_TYPE_U16, false}};
    require_paths("ei-fig/fig2", ei_fig, sizeof ei_fig / sizeof ei_fig[0]);
    struct wanted vib[] = {{0, "magic", OSSA_FIELD_TYPE_U16, false},
                           {2, "rate", OSSA_FIELD_TYPE_I16, false},
                           {10, "offsets[2]", OSSA_FIELD_TYPE_U16, false},
                           {16, "frames[0][0].object", OSSA_FIELD_TYPE_U8, false},
                           {18, "frames[0][1].object", OSSA_FIELD_TYPE_U8, false},
                           {20, "frames[0][1].rotation.x", OSSA_FIELD_TYPE_I16, false},
                           {30, "frames[0][2].scale.y", OSSA_FIELD_TYPE_I16, false}};
    require_paths("vib-anm/all-flags", vib, sizeof vib / sizeof vib[0]);
    struct wanted mm[] = {
        {0, "channel_count", OSSA_FIELD_TYPE_U32, false},
        {4, "frames", OSSA_FIELD_TYPE_U32, false},
        {8, "channels[0].floats_per_frame", OSSA_FIELD_TYPE_U32, false},
        {12, "channels[0].unknown", OSSA_FIELD_TYPE_F32, false},
        {16, "channels[0].type", OSSA_FIELD_TYPE_U8, false},
        {17 + 4 * (9 * 2 + 5), "channels[0].frames[2][5]", OSSA_FIELD_TYPE_F32, false},
        {161, "channels[1].floats_per_frame", OSSA_FIELD_TYPE_U32, false}};
    require_paths("mm-anim/two-channels", mm, sizeof mm / sizeof mm[0]);
    struct wanted anb[] = {
        {0, "container.magic", OSSA_FIELD_TYPE_TEXT, false},
        {0x4c, "container.entry", OSSA_FIELD_TYPE_U32, false},
        {120, "container.sections[0].address", OSSA_FIELD_TYPE_U32, false},
        {208, "header.kind", OSSA_FIELD_TYPE_U32, false},
        {208 + 68 + 6, "flags[6]", OSSA_FIELD_TYPE_U8, false},
        {208 + 76, "record_offsets[0]", OSSA_FIELD_TYPE_U32, false},
        {208 + 104 + 16, "bones[1].constants[0]", OSSA_FIELD_TYPE_F32, false},
        {208 + 104 + 16 + 32, "bones[1].keys_offset", OSSA_FIELD_TYPE_U32, false}};
    require_paths("sotc-anb/every-flag", anb, sizeof anb / sizeof anb[0]);
    struct wanted res[] = {{0, "signature", OSSA_FIELD_TYPE_U32, false},
                           {12, "names_size", OSSA_FIELD_TYPE_U32, false},
                           {16, "entries[0].data", OSSA_FIELD_TYPE_UNKNOWN, false},
                           {80 + 22, "entries[1].next", OSSA_FIELD_TYPE_I32, false},
                           {80 + 44 + 12, "entries[2].time", OSSA_FIELD_TYPE_U32, false},
                           {80 + 44 + 16, "entries[2].name_length", OSSA_FIELD_TYPE_U16, false},
                           {80 + 66 + 4, "entries[1].name", OSSA_FIELD_TYPE_TEXT_1251, false}};
    require_paths("ei-res/parts", res, sizeof res / sizeof res[0]);
    struct wanted pak[] = {{0, "entry_count", OSSA_FIELD_TYPE_U32, false},
                           {8, "entries[1].offset", OSSA_FIELD_TYPE_U32, false},
                           {16, "entries[0].name", OSSA_FIELD_TYPE_TEXT, false},
                           {32, "entries[0].length", OSSA_FIELD_TYPE_U32, false},
                           {36, "entries[0].data", OSSA_FIELD_TYPE_UNKNOWN, false}};
    require_paths("vib-pak/songs", pak, sizeof pak / sizeof pak[0]);
}

TEST_GROUP(test_fields)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_cover_every_readable_fixture),
        cmocka_unit_test(fields_cover_unreadable_fixtures_too),
        cmocka_unit_test(paths_are_the_documented_ones),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
