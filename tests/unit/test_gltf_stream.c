/* SPDX-License-Identifier: MIT
 *
 * A glTF is written piece by piece: every key arrives where the document says, however long a clip
 * is, and memory is taken for the description alone. */
#include "support/counting.h"
#include "support/glb.h"
#include "support/made_scene.h"
#include "support/scenes.h"

#include <stdio.h>
#include <string.h>

/* ---- keys ---------------------------------------------------------------------------------- */

/* The bytes of an accessor of floats. */
static const uint8_t *numbers_of(const struct glb *glb, size_t accessor)
{
    const json_t *item = glb_item(glb, "accessors", accessor);
    const json_t *view = glb_item(glb, "bufferViews", glb_index(glb, item, "bufferView"));
    return glb->bin + glb_index(glb, view, "byteOffset");
}

static void require_key(const uint8_t *bytes, const float *wanted, size_t width, uint32_t frame)
{
    for (size_t k = 0; k < width; k++) {
        uint32_t bits;
        memcpy(&bits, &wanted[k], sizeof bits);
        uint32_t found = (uint32_t)bytes[4 * k] | (uint32_t)bytes[4 * k + 1] << 8 |
                         (uint32_t)bytes[4 * k + 2] << 16 | (uint32_t)bytes[4 * k + 3] << 24;
        require(found == bits, "stream", "frame %u has %08x instead of %08x", (unsigned)frame,
                (unsigned)found, (unsigned)bits);
    }
}

/* Rotations on the side of the one before, by the plain definition. */
static void require_column(const uint8_t *bytes, const ossa_tracks *tracks, uint32_t track,
                           size_t width, uint32_t frames)
{
    float before[4] = {0.0F, 0.0F, 0.0F, 0.0F};
    for (uint32_t f = 0; f < frames; f++) {
        const float *key = tracks->keys + ((size_t)f * tracks->count + track) * width;
        float wanted[4] = {0.0F, 0.0F, 0.0F, 0.0F};
        double dot = 0.0;
        for (size_t k = 0; k < width; k++) dot += (double)key[k] * (double)before[k];
        bool turns = width == 4 && dot < 0.0;
        for (size_t k = 0; k < width; k++) wanted[k] = turns ? -key[k] : key[k];
        require_key(bytes + (size_t)f * width * 4, wanted, width, f);
        memcpy(before, wanted, sizeof before);
    }
}

/* Some keys at right angles to the one before, exactly and nearly, with either sign. */
static void bend_keys(const struct made_scene *made, uint32_t frames)
{
    static const float odd[6][4] = {{1, 0, 0, 0},     {0, 1, 0, 0},      {0, 0, -1, 0},
                                    {1e-7F, 0, 1, 0}, {1, 1e-20F, 0, 0}, {-1e-20F, -1, 0, 0}};
    const ossa_tracks *tracks = &made->clips[0].rotations;
    for (uint32_t i = 0; i < tracks->count; i++) {
        for (uint32_t f = 3 + i; f < frames; f += 7) {
            float *key = (float *)tracks->keys + ((size_t)f * tracks->count + i) * 4;
            memcpy(key, odd[(f / 7 + i) % 6], sizeof odd[0]);
            if (f + 1 == frames) continue;
            memcpy(key + (size_t)tracks->count * 4, odd[(f / 7 + 2 * i + 1) % 6], sizeof odd[0]);
        }
    }
}

static void every_key_is_in_its_place(void **state)
{
    (void)state;
    /* Columns that fit a block by the dozen, that are longer than one, than a large one. */
    static const struct made_plan plans[] = {
        {.seed = 1, .bones = 90, .clips = 1, .frames = {61}},
        {.seed = 2, .bones = 9, .clips = 1, .frames = {300}},
        {.seed = 3, .bones = 4, .clips = 1, .frames = {4096}},
        {.seed = 4, .bones = 4, .clips = 1, .frames = {9001}},
        {.seed = 5, .bones = 4, .clips = 1, .frames = {70001}, .is_rigid = true},
        {.seed = 6, .bones = 40, .clips = 1, .frames = {9001}, .is_rigid = true},
    };
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        struct made_scene made;
        struct bytes file;
        struct glb glb;
        size_t seen[3] = {0};
        make_scene(&made, &plans[i]);
        bend_keys(&made, plans[i].frames[0]);
        file = glb_with("stream", &made.scene, NULL, NULL);
        glb_open(&glb, "stream", &file);
        const ossa_clip *clip = &made.clips[0];
        for (size_t c = 0; c < glb.animations[0].channel_count; c++) {
            const struct glb_channel *channel = &glb.animations[0].channels[c];
            const ossa_tracks *tracks = channel->path == GLB_ROTATION      ? &clip->rotations
                                        : channel->path == GLB_TRANSLATION ? &clip->translations
                                                                           : &clip->scales;
            if (channel->count != clip->frame_count || channel->steps) continue;
            uint32_t track = 0;
            while (track < tracks->count && tracks->bones[track] + 1 != channel->node) track++;
            require(track < tracks->count, "stream", "a channel of node %zu", channel->node);
            require_column(numbers_of(&glb, channel->output), tracks, track,
                           channel->path == GLB_ROTATION ? 4 : 3, clip->frame_count);
            seen[channel->path]++;
        }
        assert_int_equal(seen[GLB_ROTATION], clip->rotations.count);
        assert_int_equal(seen[GLB_TRANSLATION], clip->translations.count);
        assert_int_equal(seen[GLB_SCALE], clip->scales.count);
        glb_close(&glb);
        bytes_free(&file);
        free_made_scene(&made);
    }
}

/* ---- pieces -------------------------------------------------------------------------------- */

struct pieces {
    size_t calls;
    size_t fail_at; /* this call is refused, from 1 on; 0: none */
    size_t size;
    size_t largest;
};

static bool take_piece(void *user, const void *bytes, size_t size)
{
    struct pieces *pieces = user;
    (void)bytes;
    pieces->size += size;
    if (size > pieces->largest) pieces->largest = size;
    return ++pieces->calls != pieces->fail_at;
}

/* Write a scene; gives the most memory that it took. */
static size_t write_pieces(const ossa_scene *scene, struct pieces *pieces, bool ok)
{
    struct counting counting = {0};
    const ossa_export_options options = {.allocator = counting_allocator(&counting)};
    ossa_error error;
    assert_true(ok == ossa_write_gltf(scene, &options, (ossa_sink){take_piece, pieces},
                                      (ossa_sink){0}, &error));
    if (!ok) assert_int_equal(error.code, OSSA_CODE_IO);
    assert_int_equal(counting.live, 0);
    assert_false(counting.wrong_release);
    return counting.peak;
}

static size_t write_plan(const struct made_plan *plan, struct pieces *pieces)
{
    struct made_scene made;
    make_scene(&made, plan);
    *pieces = (struct pieces){0};
    size_t peak = write_pieces(&made.scene, pieces, true);
    free_made_scene(&made);
    return peak;
}

/* Ten times as many frames, vertices of pictures aside, take no more memory than one large block.
 */
static void frames_take_no_memory(void **state)
{
    (void)state;
    struct made_plan plan = {.seed = 7, .bones = 5, .clips = 1, .frames = {1000}};
    struct pieces few;
    struct pieces many;
    size_t memory = write_plan(&plan, &few);
    plan.frames[0] = 100000;
    size_t more = write_plan(&plan, &many);
    assert_true(many.size > 90 * few.size);
    assert_true(memory < 100000);
    assert_true(more < memory + (1 << 20));
    assert_true(few.largest <= 1 << 16 && many.largest <= 1 << 20);
    assert_true(many.calls < 20 + many.size / (1 << 19));
}

/* So many clips, all alike, of a scene made by `plan`. */
static void repeat_clip(struct made_scene *made, uint32_t count)
{
    ossa_clip *clips = made_memory(made, count * sizeof *clips);
    for (uint32_t i = 0; i < count; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "clip%u", (unsigned)i);
        clips[i] = made->clips[0];
        clips[i].name = made_text(made, name);
    }
    made->scene.clips = clips;
    made->scene.clip_count = count;
}

/* The description of an accessor is smaller than its text, which is not kept if it is large. */
static void clips_take_less_memory_than_their_text(void **state)
{
    (void)state;
    const struct made_plan plan = {.seed = 8, .bones = 5, .clips = 1, .frames = {3}};
    for (unsigned large = 0; large < 2; large++) {
        struct made_scene made;
        struct pieces pieces = {0};
        make_scene(&made, &plan);
        repeat_clip(&made, large == 0 ? 100 : 5000);
        size_t peak = write_pieces(&made.scene, &pieces, true);
        if (large == 1) assert_true(pieces.size > 10 << 20 && peak < pieces.size / 3);
        struct bytes file = glb_with("clips", &made.scene, NULL, NULL);
        struct glb glb;
        glb_open(&glb, "clips", &file);
        assert_int_equal(pieces.size, file.size);
        assert_int_equal(glb.animation_count, made.scene.clip_count);
        if (large == 0) require_gltf_rules(&glb);
        glb_close(&glb);
        bytes_free(&file);
        free_made_scene(&made);
    }
}

static void every_refusal_of_the_sink_is_reported(void **state)
{
    (void)state;
    const struct made_plan plan = {.seed = 9,
                                   .bones = 9,
                                   .clips = 2,
                                   .frames = {900, 30},
                                   .has_mesh = true,
                                   .has_materials = true,
                                   .targets = 2};
    struct made_scene made;
    struct pieces all = {0};
    make_scene(&made, &plan);
    (void)write_pieces(&made.scene, &all, true);
    assert_true(all.calls > 5);
    for (size_t i = 1; i <= all.calls; i++) {
        struct pieces pieces = {.fail_at = i};
        (void)write_pieces(&made.scene, &pieces, false);
        assert_int_equal(pieces.calls, i); /* and nothing is sent after it */
    }
    free_made_scene(&made);
}

/* ---- growth -------------------------------------------------------------------------------- */

/* Memory, pieces and bytes of ten times as much are at most some ten times as many, but for the
 * text of a document, up to 1 MiB of which is kept. */
static void require_linear(const char *what, struct made_plan small, struct made_plan large)
{
    struct pieces few;
    struct pieces many;
    size_t memory = write_plan(&small, &few);
    size_t more = write_plan(&large, &many);
    require(more <= 10 * memory + (2 << 20) && many.size <= 11 * few.size &&
                many.calls <= 16 + many.size / 4096,
            what, "%zu bytes, %zu calls, %zu of memory instead of %zu, %zu, %zu", many.size,
            many.calls, more, few.size, few.calls, memory);
}

static void all_that_a_scene_has_grows_alone(void **state)
{
    (void)state;
    const struct made_plan plan = {
        .seed = 10, .bones = 60, .clips = 1, .frames = {20}, .is_flat = true, .has_mesh = true};
    struct made_plan more = plan;
    more.bones = 600; /* and meshes */
    require_linear("bones", plan, more);
    more = plan;
    more.frames[0] = 200;
    require_linear("frames", plan, more);
    struct made_plan shapes = plan;
    shapes.targets = 20;
    more = shapes;
    more.targets = 200;
    require_linear("targets", shapes, more);
    shapes.frames[0] = 600; /* weights of both: sparse */
    more = shapes;
    more.frames[0] = 6000;
    require_linear("frames with targets", shapes, more);
}

TEST_GROUP(test_gltf_stream)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_in_its_place),
        cmocka_unit_test(frames_take_no_memory),
        cmocka_unit_test(clips_take_less_memory_than_their_text),
        cmocka_unit_test(every_refusal_of_the_sink_is_reported),
        cmocka_unit_test(all_that_a_scene_has_grows_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
