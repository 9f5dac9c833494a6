/* SPDX-License-Identifier: MIT */
#include "limits/shapes.h"

#include "support/adb_fixture.h"
#include "support/ar_fixture.h"
#include "support/disc.h"
#include "support/fig_fixture.h"
#include "support/mm_pedestrian.h"
#include "support/mmp_fixture.h"
#include "support/nico_fixture.h"
#include "support/nmo_fixture.h"
#include "support/nto_fixture.h"
#include "support/scenes.h"
#include "support/skb_fixture.h"
#include "support/testing.h"
#include "support/tmd_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LINK_SIZE = 28, NAME = 32 };

/* Write a file and drop its bytes. `path` may have one folder in it. */
static void put_file(const char *folder, const char *path, struct bytes bytes)
{
    char full[512];
    const char *slash = strchr(path, '/');
    if (slash != NULL) {
        (void)snprintf(full, sizeof full, "%s/%.*s", folder, (int)(slash - path), path);
        (void)mkdir(full, 0777); /* it may be there */
    }
    (void)snprintf(full, sizeof full, "%s/%s", folder, path);
    FILE *stream = fopen(full, "wb");
    if (stream == NULL || fwrite(bytes.data, 1, bytes.size, stream) != bytes.size ||
        fclose(stream) != 0) {
        perror(full);
        exit(2);
    }
    bytes_free(&bytes);
}

static uint32_t part(size_t size, size_t of)
{
    return (uint32_t)(size / of + 1);
}

/* The larger of two powers of two whose product is at most `count`. */
static uint32_t side_of(size_t count)
{
    uint32_t bits = 0;
    while ((size_t)1 << (bits + 1) <= count) bits++;
    return (bits + 1) / 2;
}

/* ---- Evil Islands -------------------------------------------------------------------------- */

static void chain(const char *folder, size_t size)
{
    put_file(folder, "t.lnk", make_big_lnk(LNK_CHAIN, part(size, LINK_SIZE)));
}

static void star(const char *folder, size_t size)
{
    put_file(folder, "t.lnk", make_big_lnk(LNK_STAR, part(size, LINK_SIZE)));
}

static void put_one_part(const char *folder)
{
    static const char *const names[] = {"hp", "", NULL};
    put_file(folder, "t.lnk", make_lnk(names));
    put_file(folder, "bon/hp.bon", make_bon(0.0F, 0.0F, 1.0F));
}

static void long_clip(const char *folder, size_t size)
{
    put_one_part(folder);
    put_file(folder, "walk/hp.anm", make_random_anm(1, part(size, 28)));
}

static void many_clips(const char *folder, size_t size)
{
    put_one_part(folder);
    for (uint32_t i = 0; i < part(size, 8192); i++) {
        char path[NAME];
        (void)snprintf(path, sizeof path, "clip%u/hp.anm", (unsigned)i);
        put_file(folder, path, make_random_anm(i + 1, 290));
    }
}

/* Keys of one part, and a thousand parts that never move. */
static void resting_parts(const char *folder, size_t size)
{
    put_file(folder, "t.lnk", make_big_lnk(LNK_CHAIN, 300));
    put_file(folder, "walk/p00000000.anm", make_random_anm(1, part(size, 28)));
}

static void morphs(const char *folder, size_t size)
{
    const struct fig_plan plan = {.seed = 3,
                                  .variants = 1,
                                  .vertex_blocks = 30,
                                  .normal_blocks = 30,
                                  .texcoords = 120,
                                  .triangles = 100,
                                  .corners = 120,
                                  .morphs = 120};
    put_one_part(folder);
    put_file(folder, "fig/hp.fig", make_fig(&plan));
    put_file(folder, "walk/hp.anm", make_morph_anm(2, 8, part(size, 120 * 12), 120));
}

/* Shapes of few vertices, so that what each costs besides them counts. */
static void small_morphs(const char *folder, size_t size)
{
    const struct fig_plan plan = {.seed = 3,
                                  .variants = 1,
                                  .vertex_blocks = 1,
                                  .normal_blocks = 1,
                                  .texcoords = 4,
                                  .triangles = 2,
                                  .corners = 4,
                                  .morphs = 1};
    put_one_part(folder);
    put_file(folder, "fig/hp.fig", make_fig(&plan));
    put_file(folder, "walk/hp.anm", make_morph_anm(2, 8, part(size, 12), 1));
}

static void large_mesh(const char *folder, size_t size)
{
    uint32_t count = part(size, 8 * 12 * 2 / 4 + 8 * 16 / 4 + 8 + 6 + 12);
    const struct fig_plan plan = {.seed = 5,
                                  .variants = 8,
                                  .vertex_blocks = count / 4 + 1,
                                  .normal_blocks = count / 4 + 1,
                                  .texcoords = count,
                                  .triangles = count,
                                  .corners = count,
                                  .morphs = 0};
    put_one_part(folder);
    put_file(folder, "fig/hp.fig", make_fig(&plan));
    put_file(folder, "walk/hp.anm", make_random_anm(1, 10));
}

static void database(const char *folder, size_t size)
{
    struct bytes file = begin_adb("unmotr");
    struct adb_record record = {"walk", 100, 10, 1.0F, 0, 0};
    while (file.size < size) (void)add_adb_record(&file, &record);
    put_file(folder, "t.adb", file);
}

static void camera_path(const char *folder, size_t size)
{
    struct bytes file = {0};
    for (uint32_t i = 0; file.size < size; i++) {
        const float key[9] = {(float)i, 0.0F, (float)(i % 7), 0.0F, 0.0F, 1.0F, 0.0F, 0.0F, 0.0F};
        for (unsigned k = 0; k < 9; k++) put_f32(&file, key[k]);
    }
    put_file(folder, "v.cam", file);
}

static struct bytes make_texture(uint32_t fourcc, size_t size, size_t texels_per_8_bytes)
{
    size_t texels = size / 8 * texels_per_8_bytes;
    uint32_t bits = side_of(texels);
    uint32_t width = 1U << bits;
    uint32_t height = width;
    if ((size_t)width * height > texels) height /= 2;
    struct bytes file = begin_mmp(width, height, 1, fourcc);
    struct random random = {9};
    while (file.size < MMP_HEADER + (size_t)width * height * 8 / texels_per_8_bytes) {
        put_u32(&file, next_random(&random));
    }
    return file;
}

static void plain_texture(const char *folder, size_t size)
{
    put_file(folder, "t.mmp", make_texture(MMP_8888, size, 2));
}

static void block_texture(const char *folder, size_t size)
{
    put_file(folder, "t.mmp", make_texture(MMP_DXT1, size, 16));
}

/* Runs of zero bytes, so that much comes of little. */
static void run_texture(const char *folder, size_t size)
{
    struct bytes words = {0};
    uint32_t side = 1U << side_of(size * 4);
    struct random random = {9};
    for (size_t i = 0; i < size / 4; i++) put_u32(&words, next_random(&random) | 0xff000000U);
    struct bytes file =
        make_pnt3(side, side, (const uint32_t *)(const void *)words.data, words.size / 4);
    bytes_free(&words);
    put_file(folder, "t.mmp", file);
}

/* Blocks that are alike: PNGs of them are small, but their pixels are not. */
static void even_texture(const char *folder, size_t size)
{
    struct bytes file = make_texture(MMP_DXT1, size, 16);
    memset(file.data + MMP_HEADER, 0x5a, file.size - MMP_HEADER);
    put_file(folder, "t.mmp", file);
}

/* Figures that all have the same texture. */
static void shared_texture(const char *folder, size_t size)
{
    for (unsigned i = 0; i < 8; i++) {
        char one[512];
        (void)snprintf(one, sizeof one, "%s/f%u", folder, i);
        (void)mkdir(one, 0777);
        large_mesh(one, 4096);
    }
    even_texture(folder, size);
}

static void textured_mesh(const char *folder, size_t size)
{
    large_mesh(folder, 4096);
    run_texture(folder, size);
}

/* An archive of `count` entries with the same bytes. */
static struct bytes make_archive_of(const char *format, size_t count, const uint8_t *bytes,
                                    size_t entry_size, const char *extension)
{
    ossa_packing *entries = calloc(count, sizeof *entries);
    char(*names)[NAME] = calloc(count, sizeof *names);
    ossa_buffer out = {0};
    ossa_error error;
    if (entries == NULL || names == NULL) abort();
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(names[i], sizeof names[i], "entry%08zu.%s", i, extension);
        entries[i] = (ossa_packing){names[i], bytes, entry_size, 0};
    }
    if (!ossa_pack(format, entries, count, NULL, ossa_buffer_sink(&out), &error)) {
        (void)fprintf(stderr, "%s: %s\n", format, error.message);
        exit(2);
    }
    struct bytes archive = bytes_copy(out.data, out.size);
    ossa_buffer_free(&out);
    free(names);
    free(entries);
    return archive;
}

/* The same, of bytes that are no format's. */
static struct bytes make_archive(const char *format, size_t count, size_t entry_size)
{
    static const uint8_t nothing[4096] = {1};
    if (entry_size > sizeof nothing) abort();
    return make_archive_of(format, count, nothing, entry_size, "dat");
}

static void small_entries(const char *folder, size_t size)
{
    put_file(folder, "a.res", make_archive("ei-res", part(size, 60), 16));
}

/* Every entry has the same bytes, half of the archive. */
static void shared_entries(const char *folder, size_t size)
{
    struct bytes file = make_archive("ei-res", part(size, 60), 16);
    uint32_t table = get_u32(&file, 8);
    uint32_t count = get_u32(&file, 4);
    for (uint32_t i = 0; i < count; i++) {
        set_u32(&file, table + (size_t)i * 22 + 8, 16);
        set_u32(&file, table + (size_t)i * 22 + 4, table - 16);
    }
    put_file(folder, "a.res", file);
}

/* Every entry is an archive: the one around it. */
static void entries_that_are_the_archive(const char *folder, size_t size)
{
    struct bytes file = make_archive("ei-res", part(size, 60), 16);
    uint32_t table = get_u32(&file, 8);
    uint32_t count = get_u32(&file, 4);
    for (uint32_t i = 0; i < count; i++) {
        set_u32(&file, table + (size_t)i * 22 + 8, 0);
        set_u32(&file, table + (size_t)i * 22 + 4, (uint32_t)file.size);
    }
    put_file(folder, "a.res", file);
}

/* ---- Midtown Madness ----------------------------------------------------------------------- */

static void pedestrian(const char *folder, size_t size)
{
    put_file(folder, "ped.skel", make_skel(18));
    put_file(folder, "ped.anim", make_anim(4, part(size, 57 * 4), 18));
}

static void skeleton_chain(const char *folder, size_t size)
{
    put_file(folder, "ped.skel", make_big_skel(LNK_CHAIN, part(size, 60)));
}

static void skeleton_star(const char *folder, size_t size)
{
    put_file(folder, "ped.skel", make_big_skel(LNK_STAR, part(size, 60)));
}

static void states(const char *folder, size_t size)
{
    put_file(folder, "ped.csv", make_big_csv(part(size, 40), false));
}

static void same_states(const char *folder, size_t size)
{
    put_file(folder, "ped.csv", make_big_csv(part(size, 40), true));
}

static void text_mesh(const char *folder, size_t size)
{
    enum { BONES = 8 };
    put_file(folder, "ped.skel", make_skel(BONES));
    put_file(folder, "ped.anim", make_anim(4, 8, BONES));
    put_file(folder, "ped.mod", make_big_mod(BONES, part(size, 160)));
}

/* Every state is all frames of one animation. */
static void overlapping_states(const char *folder, size_t size)
{
    uint32_t frames = part(size / 2, 57 * 4);
    struct bytes file = {0};
    put_file(folder, "ped.skel", make_skel(18));
    put_file(folder, "walk.anim", make_anim(4, frames, 18));
    for (unsigned i = 0; file.size < size / 2; i++) {
        char line[80];
        (void)snprintf(line, sizeof line, "S%u,walk,1,%u,0,0.1,0,0,S%u\n", i, (unsigned)frames, i);
        put_text(&file, line);
    }
    put_file(folder, "ped.csv", file);
}

static void clothes(const char *folder, size_t size)
{
    struct random random = {8};
    struct bytes file = {0};
    uint32_t variants = part(size, 4 * 3);
    put_u32(&file, variants);
    put_u32(&file, 3);
    for (uint32_t i = 0; i < variants * 12; i++) put_u8(&file, next_random(&random) & 0xff);
    put_file(folder, "ped.var", file);
}

static void shaders(const char *folder, size_t size)
{
    struct bytes file = {0};
    uint32_t variants = part(size, 69);
    put_u32(&file, variants);
    put_u32(&file, 1);
    for (uint32_t i = 0; i < variants; i++) {
        put_u8(&file, 0);
        for (unsigned k = 0; k < 17; k++) put_f32(&file, 0.5F);
    }
    put_file(folder, "ped.shaders", file);
}

static void ares(const char *folder, size_t size)
{
    uint32_t files = part(size, 24);
    put_file(folder, "core.ar", make_big_ares(files < 50000 ? files : 50000));
}

static void zip(const char *folder, size_t size)
{
    uint32_t files = part(size, 100);
    put_file(folder, "core.ar", make_big_zip(files < 60000 ? files : 60000));
}

/* ---- Vib-Ribbon ---------------------------------------------------------------------------- */

static struct bytes make_vib(uint32_t frames, uint32_t objects)
{
    static const int numbers[3] = {1, 2, 3};
    struct vib_maker vib = begin_vib(30, frames);
    for (uint32_t f = 0; f < frames; f++) {
        add_vib_frame(&vib);
        for (uint32_t o = 0; o < objects; o++) add_vib_key(&vib, o, numbers, numbers, numbers);
    }
    return end_vib(&vib);
}

/* A clip has at most 128 KiB. */
static void vib_clips(const char *folder, size_t size)
{
    const struct tmd_plan plan = {
        .seed = 2, .objects = 4, .vertices = 8, .normals = 4, .packets = 8};
    struct tmd_places places;
    put_file(folder, "r.tmd", make_tmd(&plan, &places));
    for (uint32_t i = 0; i < part(size, 65536); i++) {
        char path[NAME];
        (void)snprintf(path, sizeof path, "clip%u.anm", (unsigned)i);
        put_file(folder, path, make_vib(65536 / 82, 4));
    }
}

/* Frames without a key: two bytes each. */
static void empty_frames(const char *folder, size_t size)
{
    const struct tmd_plan plan = {
        .seed = 2, .objects = 60, .vertices = 8, .normals = 4, .packets = 8};
    struct tmd_places places;
    put_file(folder, "r.tmd", make_tmd(&plan, &places));
    for (uint32_t i = 0; i < part(size, 60000); i++) {
        char path[NAME];
        (void)snprintf(path, sizeof path, "clip%u.anm", (unsigned)i);
        put_file(folder, path, make_vib(30000, 0));
    }
}

/* Every object is drawn in one of many frames. Fewer bytes than asked for: what they become is
 * large. */
static void blinking_objects(const char *folder, size_t size)
{
    enum { OBJECTS = 255, FRAMES = 30000 };
    const struct tmd_plan plan = {
        .seed = 2, .objects = OBJECTS, .vertices = 8, .normals = 4, .packets = 8};
    struct tmd_places places;
    put_file(folder, "r.tmd", make_tmd(&plan, &places));
    for (uint32_t i = 0; i < part(size, 16 * FRAMES); i++) {
        char path[NAME];
        struct vib_maker vib = begin_vib(30, FRAMES);
        for (uint32_t f = 0; f < FRAMES; f++) {
            add_vib_frame(&vib);
            add_vib_key(&vib, f % OBJECTS, NULL, NULL, NULL);
        }
        (void)snprintf(path, sizeof path, "clip%u.anm", (unsigned)i);
        put_file(folder, path, end_vib(&vib));
    }
}

static void solid(const char *folder, size_t size)
{
    uint32_t count = part(size, 36);
    const struct tmd_plan plan = {.seed = 2,
                                  .objects = 1,
                                  .vertices = count < 60000 ? count : 60000,
                                  .normals = 100,
                                  .packets = count,
                                  .every_kind = true};
    struct tmd_places places;
    put_file(folder, "r.tmd", make_tmd(&plan, &places));
}

static void camera_keys(const char *folder, size_t size)
{
    uint32_t keys = part(size, 16) < 65535 ? part(size, 16) : 65535;
    struct bytes file = {0};
    put_u16(&file, 0x8000);
    put_u16(&file, 30);
    put_u16(&file, keys);
    for (uint32_t i = 0; i < 8 * keys; i++) put_u16(&file, i & 0x3fff);
    put_file(folder, "stage.anc", file);
}

static void packed_files(const char *folder, size_t size)
{
    put_file(folder, "a.pak", make_archive("vib-pak", part(size, 48), 16));
}

/* A camera with a name of nothing but #, each of which may end the path of an archive. */
static void name_of_marks(const char *folder, size_t size)
{
    struct bytes file = {0};
    put_u32(&file, 1);
    put_u32(&file, 8);
    put_repeated(&file, '#', part(size, 4) * (size_t)4);
    put_bytes(&file, ".cam\0\0\0", 8);
    put_u32(&file, 36);
    for (unsigned i = 0; i < 9; i++) put_f32(&file, i == 6 ? 1.0F : 0.0F);
    put_file(folder, "a.pak", file);
}

/* Camera paths of one key. */
static void many_figures(const char *folder, size_t size)
{
    struct bytes key = {0};
    for (unsigned i = 0; i < 9; i++) put_f32(&key, i == 1 || i == 5 ? 1.0F : 0.0F);
    put_file(folder, "a.pak",
             make_archive_of("vib-pak", part(size, 68), key.data, key.size, "cam"));
    bytes_free(&key);
}

/* ---- Shadow of the Colossus ---------------------------------------------------------------- */

static void colossus_skeleton(const char *folder, uint32_t joints)
{
    const struct skb_plan plan = {.seed = 7, .joints = joints};
    struct skb_places places;
    put_file(folder, "bird_A.skb", make_skb(&plan, &places));
}

/* Bones that all have the record of the first. */
static void shared_bones(const char *folder, size_t size)
{
    uint32_t count = part(size, 21);
    uint8_t *flags = calloc(count, 1);
    struct anb_places places;
    if (flags == NULL) abort();
    struct bytes file = make_anb(
        &(struct anb_plan){.seed = 5, .flags = flags, .bones = count, .poses = 4}, &places);
    for (uint32_t i = 0; i < count; i++) {
        set_u32(&file, places.records + (size_t)i * 4,
                (uint32_t)(places.record[0] - places.section));
    }
    put_file(folder, "bird_A_fly.anb", file);
    free(flags);
}

static void poses(const char *folder, size_t size)
{
    uint32_t count = part(size, 20 * 5);
    colossus_skeleton(folder, 20);
    put_file(folder, "bird_A_fly.anb", make_big_anb(20, count < 65535 ? count : 65535));
}

/* Bones with one constant rotation and many poses. */
static void bones(const char *folder, size_t size)
{
    uint32_t count = part(size, 36);
    put_file(folder, "bird_A_fly.anb", make_big_anb(count < 60000 ? count : 60000, 4));
}

static void joints(const char *folder, size_t size)
{
    colossus_skeleton(folder, part(size, 72));
}

static void colossus_model(const char *folder, size_t size)
{
    const struct nmo_plan plan = {.seed = 6,
                                  .textures = 2,
                                  .surfaces = 2,
                                  .draws = 2,
                                  .strips = part(size, 2 * 60 * 60),
                                  .vertices = 60,
                                  .flags = 7,
                                  .is_skinned = true};
    struct nmo_places places;
    colossus_skeleton(folder, 20);
    put_file(folder, "bird_A.nmo", make_nmo(&plan, &places));
    put_file(folder, "bird_A_fly.anb", make_big_anb(20, 10));
}

static void palette_texture(const char *folder, size_t size)
{
    uint32_t side = side_of(size * 2);
    const struct nto_plan plan = {
        .seed = 5, .kind = NTO_4, .width = side < 11 ? side : 11, .height = side < 11 ? side : 11};
    struct nto_places places;
    put_file(folder, "bird.nto", make_nto(&plan, &places));
}

/* Containers one behind the other, with no directory that leads to them. */
static void scattered_containers(const char *folder, size_t size)
{
    struct bytes file = {0};
    while (file.size < size) {
        struct bytes one = make_nico_animation("bird_A_fly", (uint32_t)file.size + 1);
        put_bytes(&file, one.data, one.size);
        put_repeated(&file, 0, (NICO_SECTOR - file.size % NICO_SECTOR) % NICO_SECTOR);
        bytes_free(&one);
    }
    put_file(folder, "NICO.DAT", file);
}

/* A container at the beginning, then its signature all over. */
static void false_signatures(const char *folder, size_t size)
{
    struct bytes file = make_nico_animation("bird_A_fly", 1);
    put_repeated(&file, 0, (NICO_SECTOR - file.size % NICO_SECTOR) % NICO_SECTOR);
    while (file.size < size) {
        put_bytes(&file, "xff2", 4);
        put_repeated(&file, 0xff, 12);
    }
    put_file(folder, "NICO.DAT", file);
}

/* ---- discs, and what is nobody's ------------------------------------------------------------- */

static void disc_files(const char *folder, size_t size)
{
    static const uint8_t nothing[16] = {1};
    size_t count = part(size, 2048 + 80);
    struct disc_file *files = calloc(count, sizeof *files);
    char(*names)[NAME] = calloc(count, sizeof *names);
    if (files == NULL || names == NULL) abort();
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(names[i], sizeof names[i], "D%03zu/F%04zu.DAT", i / 200, i % 200);
        files[i] = (struct disc_file){names[i], nothing, sizeof nothing, 0};
    }
    struct disc disc = make_disc(&(struct disc_plan){.files = files, .count = count});
    put_file(folder, "game.iso", disc.image);
    free(names);
    free(files);
}

static void cue_sheet(const char *folder, size_t size)
{
    struct bytes file = {0};
    put_text(&file, "FILE \"game.bin\" BINARY\n  TRACK 01 MODE1/2352\n    INDEX 01 00:00:00\n");
    while (file.size < size) put_text(&file, "REM NOTHING TO SEE HERE\n");
    put_file(folder, "game.cue", file);
}

static void noise(const char *folder, size_t size)
{
    struct random random = {3};
    struct bytes file = {0};
    while (file.size < size) put_u32(&file, next_random(&random));
    put_file(folder, "noise.bin", file);
}

static void zeros(const char *folder, size_t size)
{
    struct bytes file = {0};
    put_repeated(&file, 0, size);
    put_file(folder, "zeros.anm", file);
}

/* Every fixture, again and again. */
static void fixture_files(const char *folder, size_t size)
{
    const struct fixtures *all = fixtures_all();
    size_t written = 0;
    for (size_t i = 0; written < size; i++) {
        const struct fixture *fixture = &all->items[i % all->count];
        if (fixture->bytes.size > COMMITTED_SIZE) continue;
        char path[128];
        const char *name = strchr(fixture->name, '/') + 1;
        (void)snprintf(path, sizeof path, "f%zu/%s.%s", i / 100, name,
                       fixture_extension(fixture).text);
        put_file(folder, path, bytes_copy(fixture->bytes.data, fixture->bytes.size));
        written += fixture->bytes.size;
    }
}

/* ---- edits --------------------------------------------------------------------------------- */

enum { EDITED_BONES = 8 };

/* A chain that moves, in "over". */
static void put_original(const char *folder)
{
    static const char *const names[] = {"a", "",  "b", "a", "c", "b", "d", "c", "e",
                                        "d", "f", "e", "g", "f", "h", "g", NULL};
    char over[512];
    (void)snprintf(over, sizeof over, "%s/over", folder);
    (void)mkdir(over, 0777);
    put_file(over, "t.lnk", make_lnk(names));
    for (unsigned i = 0; i < EDITED_BONES; i++) {
        char path[NAME];
        (void)snprintf(path, sizeof path, "walk/%c.anm", 'a' + i);
        put_file(over, path, make_random_anm(i + 1, 10));
    }
}

/* Numbers of one digit. */
static void short_numbers(const char *folder, size_t size)
{
    static const char numbers[] = " 0 1 2 3 4 5 6 7 8 9 0 1 2";
    struct bytes file = {0};
    char line[256];
    put_original(folder);
    put_text(&file, "HIERARCHY\n");
    for (unsigned i = 0; i < EDITED_BONES; i++) {
        (void)snprintf(line, sizeof line, "%s %c {\nOFFSET 0 0 0\nCHANNELS %s\n",
                       i == 0 ? "ROOT" : "JOINT", 'a' + i,
                       i == 0 ? "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
                              : "3 Zrotation Xrotation Yrotation");
        put_text(&file, line);
    }
    for (unsigned i = 0; i < EDITED_BONES; i++) put_text(&file, "}\n");
    unsigned frames = part(size, 6 * EDITED_BONES + 6);
    (void)snprintf(line, sizeof line, "MOTION\nFrames: %u\nFrame Time: 0.055\n", frames);
    put_text(&file, line);
    for (unsigned f = 0; f < frames; f++) {
        put_text(&file, "0 0 0");
        for (unsigned i = 0; i < EDITED_BONES; i++)
            put_bytes(&file, numbers + 2 * ((f + i) % 10), 6);
        put_text(&file, "\n");
    }
    put_file(folder, "walk.bvh", file);
}

/* Two keys, and as many frames between them as there would be bytes for in 16 each. */
static void far_keys(const char *folder, size_t size)
{
    const size_t frames = size / 16;
    const float values[10] = {
        0.0F, (float)frames * 0.055F, 0.0F, 0.0F, 0.0F, 1.0F, 0.7F, 0.0F, 0.0F, 0.7F};
    struct bytes json = {0};
    struct bytes file = {0};
    char text[160];
    put_original(folder);
    put_text(&json, "{\"asset\":{\"version\":\"2.0\"},\"scenes\":[{\"nodes\":[0]}],\"nodes\":[");
    for (unsigned i = 0; i < EDITED_BONES; i++) {
        bool is_last = i + 1 == EDITED_BONES;
        (void)snprintf(text, sizeof text,
                       is_last ? "{\"name\":\"%c\"}" : "{\"name\":\"%c\",\"children\":[%u]},",
                       'a' + i, i + 1);
        put_text(&json, text);
    }
    put_text(
        &json,
        "],\"buffers\":[{\"byteLength\":40}],\"bufferViews\":["
        "{\"buffer\":0,\"byteLength\":8},{\"buffer\":0,\"byteOffset\":8,\"byteLength\":32}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\"},"
        "{\"bufferView\":1,\"componentType\":5126,\"count\":2,\"type\":\"VEC4\"}],"
        "\"animations\":[{\"name\":\"walk\",\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":"
        "[");
    for (unsigned i = 0; i < EDITED_BONES; i++) {
        (void)snprintf(text, sizeof text,
                       "%s{\"sampler\":0,\"target\":{\"node\":%u,\"path\":\"rotation\"}}",
                       i == 0 ? "" : ",", i);
        put_text(&json, text);
    }
    put_text(&json, "]}]}");
    put_repeated(&json, ' ', (4 - json.size % 4) % 4);
    put_text(&file, "glTF");
    put_u32(&file, 2);
    put_u32(&file, (uint32_t)(12 + 8 + json.size + 8 + sizeof values));
    put_u32(&file, (uint32_t)json.size);
    put_text(&file, "JSON");
    put_bytes(&file, json.data, json.size);
    put_u32(&file, sizeof values);
    put_bytes(&file, "BIN", 4);
    for (unsigned i = 0; i < 10; i++) put_f32(&file, values[i]);
    bytes_free(&json);
    put_file(folder, "walk.glb", file);
}

enum { ARCHIVE = CAN_LIST | CAN_PACK };

const struct shape shapes[] = {
    {"ei-lnk chain", "t.lnk", CAN_DUMP, chain},
    {"ei-lnk star", "t.lnk", CAN_DUMP, star},
    {"ei-anm long", "walk/hp.anm", CAN_DUMP | CAN_ASSEMBLE, long_clip},
    {"ei-anm many", NULL, CAN_ASSEMBLE, many_clips},
    {"ei-anm resting", NULL, CAN_ASSEMBLE, resting_parts},
    {"ei-anm morphs", "walk/hp.anm", CAN_DUMP | CAN_ASSEMBLE, morphs},
    {"ei-anm morphs of 1", "walk/hp.anm", CAN_DUMP | CAN_ASSEMBLE, small_morphs},
    {"ei-fig", "fig/hp.fig", CAN_DUMP | CAN_ASSEMBLE, large_mesh},
    {"ei-adb", "t.adb", CAN_DUMP, database},
    {"ei-cam", "v.cam", CAN_DUMP | CAN_ASSEMBLE, camera_path},
    {"ei-mmp 8888", "t.mmp", CAN_DUMP | CAN_PAINT, plain_texture},
    {"ei-mmp DXT1", "t.mmp", CAN_DUMP | CAN_PAINT, block_texture},
    {"ei-mmp DXT1 even", "t.mmp", CAN_PAINT, even_texture},
    {"ei-fig shared", NULL, CAN_SHARE, shared_texture},
    {"ei-fig PNT3", NULL, CAN_ASSEMBLE, textured_mesh},
    {"ei-mmp PNT3", "t.mmp", CAN_DUMP | CAN_PAINT, run_texture},
    {"ei-res small", "a.res", CAN_DUMP | ARCHIVE, small_entries},
    {"ei-res shared", "a.res", CAN_DUMP | CAN_LIST, shared_entries},
    {"ei-res of itself", "a.res", CAN_DUMP | CAN_LIST, entries_that_are_the_archive},
    {"mm-anim", "ped.anim", CAN_DUMP | CAN_ASSEMBLE, pedestrian},
    {"mm-skel chain", "ped.skel", CAN_DUMP | CAN_ASSEMBLE, skeleton_chain},
    {"mm-skel star", "ped.skel", CAN_DUMP | CAN_ASSEMBLE, skeleton_star},
    {"mm-csv", "ped.csv", CAN_DUMP, states},
    {"mm-csv same", "ped.csv", CAN_DUMP, same_states},
    {"mm-csv overlap", NULL, CAN_ASSEMBLE, overlapping_states},
    {"mm-mod", "ped.mod", CAN_DUMP | CAN_ASSEMBLE, text_mesh},
    {"mm-var", "ped.var", CAN_DUMP, clothes},
    {"mm-shaders", "ped.shaders", CAN_DUMP, shaders},
    {"mm-ar ARES", "core.ar", CAN_DUMP | ARCHIVE, ares},
    {"mm-ar ZIP", "core.ar", CAN_DUMP | ARCHIVE, zip},
    {"vib-anm", "clip0.anm", CAN_DUMP | CAN_ASSEMBLE, vib_clips},
    {"vib-anm empty", "clip0.anm", CAN_DUMP | CAN_ASSEMBLE, empty_frames},
    {"vib-anm blink", NULL, CAN_ASSEMBLE, blinking_objects},
    {"vib-tmd", "r.tmd", CAN_DUMP | CAN_ASSEMBLE, solid},
    {"vib-anc", "stage.anc", CAN_DUMP | CAN_ASSEMBLE, camera_keys},
    {"vib-pak", "a.pak", CAN_DUMP | ARCHIVE, packed_files},
    {"vib-pak marks", "a.pak", CAN_LIST, name_of_marks},
    {"vib-pak figures", "a.pak", CAN_GROUP, many_figures},
    {"sotc-anb poses", "bird_A_fly.anb", CAN_DUMP | CAN_ASSEMBLE, poses},
    {"sotc-anb shared", "bird_A_fly.anb", CAN_DUMP, shared_bones},
    {"sotc-anb bones", "bird_A_fly.anb", CAN_DUMP | CAN_ASSEMBLE, bones},
    {"sotc-skb", "bird_A.skb", CAN_DUMP | CAN_ASSEMBLE, joints},
    {"sotc-nmo", "bird_A.nmo", CAN_DUMP | CAN_ASSEMBLE, colossus_model},
    {"sotc-nto", "bird.nto", CAN_DUMP | CAN_PAINT, palette_texture},
    {"sotc-nico", "NICO.DAT", CAN_DUMP | CAN_LIST, scattered_containers},
    {"sotc-nico false", "NICO.DAT", CAN_LIST, false_signatures},
    {"iso9660", "game.iso", CAN_LIST, disc_files},
    {"cue", "game.cue", CAN_DUMP, cue_sheet},
    {"bvh short", "walk.bvh", CAN_RETIME, short_numbers},
    {"glb retime", "walk.glb", CAN_RETIME, far_keys},
    {"noise", "noise.bin", 0, noise},
    {"zeros", "zeros.anm", CAN_DUMP, zeros},
    {"every fixture", NULL, CAN_ASSEMBLE, fixture_files},
};
const size_t shape_count = sizeof shapes / sizeof shapes[0];
