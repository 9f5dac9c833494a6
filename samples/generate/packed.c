/* SPDX-License-Identifier: MIT
 *
 * The samples once more, packed as their games have them: archives in archives for Evil Islands,
 * one archive each for Vib-Ribbon and Midtown Madness, and for Shadow of the Colossus a piece of a
 * disc, with files that nothing points to, and a disc. */
#include "archives.h"
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Evil Islands -------------------------------------------------------------------------- */

static void add_and_free(struct archive *archive, const char *name, struct bytes bytes)
{
    archive_add(archive, name, &bytes);
    free(bytes.data);
}

/* Everything in a folder; in the archives parts have no endings. */
static void add_folder(struct archive *archive, const char *folder)
{
    size_t length = strlen(folder);
    for (size_t i = 0; i < kept_count(); i++) {
        const struct kept *kept = kept_file(i);
        if (strncmp(kept->name, folder, length) != 0 || kept->name[length] != '/') continue;
        char name[64];
        (void)snprintf(name, sizeof name, "%s", kept->name + length + 1);
        char *dot = strrchr(name, '.');
        if (dot != NULL) *dot = '\0';
        archive_add(archive, name, &kept->bytes);
    }
    if (archive->count == 0) fail("nothing is in it", folder);
}

static struct bytes pack_folder(const char *model, const char *folder)
{
    struct archive archive = {0};
    char path[64];
    (void)snprintf(path, sizeof path, "%s/%s", model, folder);
    add_folder(&archive, path);
    return pack_res(&archive);
}

static void add_kept(struct archive *archive, const char *name, const char *model,
                     const char *ending)
{
    char path[64];
    (void)snprintf(path, sizeof path, "%s/%s%s", model, model, ending);
    archive_add(archive, name, find_kept(path));
}

/* MODEL.mod, MODEL.bon and MODEL.anm, each an archive. */
static void add_figure(struct archive *figures, const char *model, const char *const *moves)
{
    char name[64];
    char path[64];
    struct archive parts = {0};
    (void)snprintf(path, sizeof path, "%s/fig", model);
    add_folder(&parts, path);
    add_kept(&parts, model, model, ".lnk");
    (void)snprintf(name, sizeof name, "%s.mod", model);
    add_and_free(figures, name, pack_res(&parts));
    (void)snprintf(name, sizeof name, "%s.bon", model);
    add_and_free(figures, name, pack_folder(model, "bon"));
    for (; *moves != NULL; moves++) add_and_free(&parts, *moves, pack_folder(model, *moves));
    (void)snprintf(name, sizeof name, "%s.anm", model);
    add_and_free(figures, name, pack_res(&parts));
}

static void save_res(struct archive *archive, const char *root, const char *name)
{
    struct bytes file = pack_res(archive);
    save(&file, root, name);
}

static void pack_evil_islands(const char *root)
{
    static const char *const troll_moves[] = {"walk", "idle", "dance", NULL};
    static const char *const wyvern_moves[] = {"fly", "rest", NULL};
    struct archive archive = {0};
    add_figure(&archive, "troll", troll_moves);
    add_figure(&archive, "wyvern", wyvern_moves);
    save_res(&archive, root, "packed/figures.res");
    add_kept(&archive, "troll00.mmp", "troll", "00.mmp");
    add_kept(&archive, "wyvern00.mmp", "wyvern", "00.mmp");
    save_res(&archive, root, "packed/textures.res");
    add_kept(&archive, "troll.adb", "troll", ".adb");
    add_kept(&archive, "wyvern.adb", "wyvern", ".adb");
    save_res(&archive, root, "packed/database.res");
}

/* ---- the others ---------------------------------------------------------------------------- */

static void pack_vib_ribbon(const char *root)
{
    struct archive archive = {0};
    archive_add(&archive, "rabbit/rabbit.tmd", find_kept("rabbit/rabbit.tmd"));
    archive_add(&archive, "rabbit/hop.anm", find_kept("rabbit/hop.anm"));
    archive_add(&archive, "rabbit/walk0.anm", find_kept("rabbit/walk0.anm"));
    archive_add(&archive, "rabbit/walk1.anm", find_kept("rabbit/walk1.anm"));
    struct bytes file = pack_pak(&archive);
    save(&file, root, "packed/rabbit.pak");
}

static void pack_midtown_madness(const char *root)
{
    struct archive archive = {0};
    archive_add(&archive, "PED.SKEL", find_kept("pedestrian/ped.skel"));
    archive_add(&archive, "PED.MOD", find_kept("pedestrian/ped.mod"));
    archive_add(&archive, "STAND.ANIM", find_kept("pedestrian/stand.anim"));
    archive_add(&archive, "WALK.ANIM", find_kept("pedestrian/walk.anim"));
    archive_add(&archive, "RUN.ANIM", find_kept("pedestrian/run.anim"));
    archive_add(&archive, "PED.CSV", find_kept("more/ped.csv"));
    struct bytes file = pack_ares(&archive, "ANIM");
    save(&file, root, "packed/ped.ar");
}

/* Bytes that look like nothing, the same everywhere. */
static void put_junk(struct bytes *file, size_t count, uint32_t *seed)
{
    for (; count > 0; count--) {
        *seed = *seed * 1664525u + 1013904223u;
        put_u8(file, *seed >> 24);
    }
}

static void pack_colossus(const char *root)
{
    static const char *const names[] = {"bird/bird.skb", "bird/fly.anb", "bird/glide.anb"};
    static const size_t junk[] = {1237, 611, 2049, 333};
    struct bytes file = {0};
    uint32_t seed = 2005;
    for (int i = 0; i < 3; i++) {
        put_junk(&file, junk[i], &seed);
        put_bytes(&file, find_kept(names[i]));
    }
    put_junk(&file, junk[3], &seed);
    save(&file, root, "packed/NICO.DAT");
}

/* What the game's archive has before each file: its path, and how long both are. */
static void put_entry(struct bytes *file, const char *path, const char *name)
{
    const struct bytes *contents = find_kept(name);
    put_u32(file, 0);
    put_u32(file, 0);
    put_u32(file, (uint32_t)strlen(path) + 1);
    put_u32(file, (uint32_t)contents->size);
    put_text(file, path);
    put_u8(file, 0);
    put_bytes(file, contents);
}

/* A disc: the archive, which goes on in a second file, in the middle of an animation. */
static void press_colossus(const char *root)
{
    struct bytes stream = {0};
    struct bytes settings = {0};
    struct archive disc = {0};
    put_entry(&stream, "skb/bird_A.skb", "bird/bird.skb");
    put_entry(&stream, "nmo/bird_A.nmo", "bird/bird.nmo");
    put_entry(&stream, "nto/bird.nto", "bird/bird.nto");
    put_entry(&stream, "anim/bird_A_fly.anb", "bird/fly.anb");
    size_t seam = (stream.size - 1000) / 2048 * 2048;
    put_entry(&stream, "anim/bird_A_glide.anb", "bird/glide.anb");
    const struct bytes first = {.data = stream.data, .size = seam};
    const struct bytes second = {.data = stream.data + seam, .size = stream.size - seam};
    put_text(&settings, "BOOT2 = cdrom0:\\NONE;1\r\n");
    archive_add(&disc, "NICO.DAT;1", &first);
    archive_add(&disc, "SYSTEM.CNF;1", &settings);
    archive_add(&disc, "XAB.;1", &second);
    free(stream.data);
    free(settings.data);
    struct bytes file = pack_disc(&disc);
    save(&file, root, "packed/colossus.iso");
}

void make_packed(const char *root)
{
    pack_evil_islands(root);
    pack_vib_ribbon(root);
    pack_midtown_madness(root);
    pack_colossus(root);
    press_colossus(root);
}
