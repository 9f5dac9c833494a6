/* SPDX-License-Identifier: MIT
 *
 * Animations of objects: the second kind of sotc-anb. */
#include "support/fixtures.h"
#include "support/sotc_fixture.h"

#include <string.h>

enum { TRACK_SIZE = 16, CURVES = OBJECTS_TRACKS + 3 * TRACK_SIZE };

static void put_floats(struct bytes *data, const float *floats, size_t count)
{
    for (size_t i = 0; i < count; i++) put_f32(data, floats[i]);
}

/* Three pairs and the offset of a sample that follows. */
static uint32_t put_pairs(struct bytes *data, const float pairs[6], const uint16_t *sample,
                          size_t count)
{
    uint32_t at = (uint32_t)data->size;
    put_floats(data, pairs, 6);
    put_u32(data, at + 28);
    for (size_t i = 0; i < count; i++) put_u16(data, sample[i]);
    if (count % 2 == 1) put_u16(data, 0xeeee);
    return at;
}

static uint32_t put_some(struct bytes *data, const float *floats, size_t count)
{
    uint32_t at = (uint32_t)data->size;
    put_floats(data, floats, count);
    return at;
}

struct bytes make_object_animation(size_t *section)
{
    static const char *const names[4] = {"gate", "lamp", "bell", "rope"};
    static const uint32_t types[4] = {1, 5, 1, 7};
    /* scale, rotation, position, unknown */
    static const uint8_t modes[3][4] = {{0, 0, 0, 9}, {2, 0, 2, 0}, {3, 3, 1, 0}};
    static const uint32_t root[8] = {OBJECTS_KIND, 30, 0, 0, OBJECTS_TABLE, 4, 0x99, 0};
    static const float position[3] = {1.0F, 2.0F, -3.0F};
    static const float rotation[4] = {0.0F, 0.6F, 0.0F, 0.8F};
    static const float scale[3] = {1.0F, 2.0F, 0.5F};
    static const float pairs[6] = {1.0F, 2.0F, 0.0F, 4.0F, -1.0F, 8.0F};
    struct bytes data = {0};
    for (size_t i = 0; i < 8; i++) put_u32(&data, root[i]);
    put_repeated(&data, 0, CURVES - sizeof root);
    uint32_t offsets[3][3] = {{0}};
    offsets[0][0] = put_some(&data, position, 3);
    offsets[0][1] = put_some(&data, rotation, 4);
    offsets[0][2] = put_some(&data, scale, 3);
    offsets[1][0] = put_pairs(&data, pairs, (const uint16_t[3]){32767, 0, 0x8001}, 3);
    /* 2047, 1, 1023 in 11, 11 and 10 bits */
    offsets[1][2] = put_pairs(&data, pairs, (const uint16_t[2]){0x07ff, 0xffe0}, 2);
    offsets[2][0] = put_some(&data, position, 3);
    offsets[2][1] = put_some(&data, scale, 3); /* of a mode that nobody knows */
    offsets[2][2] = put_pairs(&data, pairs, (const uint16_t[1]){31 << 11 | 31 << 5}, 1);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t track = i < 3 ? OBJECTS_TRACKS + TRACK_SIZE * i : 0;
        set_u32(&data, OBJECTS_TABLE + 12 * (size_t)i, types[i]);
        set_u32(&data, OBJECTS_TABLE + 12 * (size_t)i + 4, (uint32_t)data.size);
        set_u32(&data, OBJECTS_TABLE + 12 * (size_t)i + 8, track);
        put_bytes(&data, names[i], 5);
        if (i == 3) continue;
        for (size_t k = 0; k < 4; k++) set_u8(&data, track + k, modes[i][k]);
        for (size_t k = 0; k < 3; k++) set_u32(&data, track + 4 + 4 * k, offsets[i][k]);
    }
    struct xff_places places;
    struct bytes file = wrap_in_xff((struct xff_plan){.magic = "xff2"}, data, &places);
    *section = places.data[1];
    return file;
}

void generate_sotc_objects(struct fixtures *all)
{
    size_t section;
    struct bytes file = make_object_animation(&section);
    fixture_add(all, "sotc-anb/objects", file, OSSA_CONFIDENCE_SIGNATURE);

    /* Nobody states the first word: that of a skeleton does not make it one. */
    file = make_object_animation(&section);
    set_u32(&file, section, 1);
    fixture_add(all, "sotc-anb/objects-kind-1", file, OSSA_CONFIDENCE_SIGNATURE);

    file = make_object_animation(&section);
    set_u32(&file, section + CURVES + 4, 0x7fc00001);
    fixture_add_broken(all, "sotc-anb/objects-nan", file, OSSA_CONFIDENCE_SIGNATURE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_NON_FINITE,
                                               section + CURVES + 4, "objects[0].position"})
        ->check_values = true;

    /* A track that is not in the section: no animation of objects, but still a container. */
    file = make_object_animation(&section);
    set_u32(&file, section + OBJECTS_TABLE + 8, 0x7fffffff);
    fixture_add_broken(all, "sotc-anb/objects-outside", file, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE,
                                               section, "header.kind"});
}
