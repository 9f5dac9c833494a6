/* SPDX-License-Identifier: MIT
 *
 * Figures whose files pair by name, in folders and in archives, with a game and formats made for
 * this test: the only ones that there are here. Their files are texts:
 *
 *     BODY 3          a body of three bones        (skb)
 *     CLIP 3          a clip for three bones       (anb)
 *     PART moss bark  a part that lists companions (nmo)
 *     TEXT            a companion                  (nto)
 *     ARCH, then a line NAME=FILE for each entry   (dat); inside another | begins a line
 */
#include "support/counting.h"
#include "support/testing.h"

#include "base/fold.h"
#include "codec/context.h"
#include "ossa/workspace.h"
#include "scene/assembly.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of src/workspace/figures.h, which cannot be included with what a game needs. */
uint64_t ossa__figures_compared(const ossa_figures *figures);

/* ---- formats ------------------------------------------------------------------------------- */

enum { MOST_NAMES = 8, NAME_SIZE = 32 };

struct file {
    unsigned bones;
    unsigned name_count;
    char names[MOST_NAMES][NAME_SIZE];
};

static unsigned files_read;

static ossa_confidence probe_as(const uint8_t *data, uint64_t size, const char *word)
{
    bool is_it = size >= 4 && memcmp(data, word, 4) == 0;
    return is_it ? OSSA_CONFIDENCE_SIGNATURE : OSSA_CONFIDENCE_NONE;
}

static void *read_text(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct file *file = ossa__take(context, 1, sizeof *file);
    if (file == NULL) return NULL;
    *file = (struct file){0};
    files_read++;
    if (size >= 6 && data[0] != 'P') file->bones = (unsigned)(data[5] - '0');
    if (data[0] != 'P') return file;
    for (size_t i = 5; i < size && file->name_count < MOST_NAMES; file->name_count++) {
        size_t end = i;
        while (end < size && data[end] != ' ') end++;
        size_t length = end - i < NAME_SIZE ? end - i : NAME_SIZE - 1;
        memcpy(file->names[file->name_count], data + i, length);
        i = end + 1;
    }
    return file;
}

static void *read_archive(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    size_t count = 0;
    struct ossa__listing *listing = ossa__take(context, 1, sizeof *listing);
    char line_start = size > 4 ? (char)data[4] : '\n';
    for (size_t i = 0; i < size; i++) count += (char)data[i] == line_start;
    ossa_entry *entries = ossa__take(context, count, sizeof *entries);
    char *names = ossa__take(context, size + 1, 1);
    if (listing == NULL || entries == NULL || names == NULL) return NULL;
    memcpy(names, data, (size_t)size);
    names[size] = '\0';
    count = 0;
    for (char *line = strchr(names, line_start); line != NULL;) {
        char *name = line + 1;
        char *equals = strchr(name, '=');
        if (equals == NULL) break;
        *equals = '\0';
        line = strchr(equals + 1, line_start);
        size_t end = line == NULL ? (size_t)size : (size_t)(line - names);
        size_t start = (size_t)(equals + 1 - names);
        entries[count++] = (ossa_entry){
            .name = name, .offset = start, .stored_size = end - start, .size = end - start};
    }
    *listing = (struct ossa__listing){
        .entries = entries, .count = count, .image = data, .image_size = size};
    return listing;
}

static struct ossa__listing list(const void *contents)
{
    return *(const struct ossa__listing *)contents;
}

static ossa_confidence probe_body(const uint8_t *data, uint64_t size)
{
    return probe_as(data, size, "BODY");
}

static ossa_confidence probe_clip(const uint8_t *data, uint64_t size)
{
    return probe_as(data, size, "CLIP");
}

static ossa_confidence probe_part(const uint8_t *data, uint64_t size)
{
    return probe_as(data, size, "PART");
}

static ossa_confidence probe_texture(const uint8_t *data, uint64_t size)
{
    return probe_as(data, size, "TEXT");
}

static ossa_confidence probe_archive(const uint8_t *data, uint64_t size)
{
    return probe_as(data, size, "ARCH");
}

static void survey(const struct ossa__format *format, const void *contents,
                   struct ossa__facts *facts)
{
    facts->bone_count = ((const struct file *)contents)->bones;
    facts->mesh_count = format->role == OSSA__ROLE_PART;
}

static bool fits(uint32_t body_bones, uint32_t clip_bones)
{
    return body_bones == clip_bones;
}

static const char *listed_companion(const struct ossa__format *format, const void *contents,
                                    uint32_t index, size_t *size)
{
    const struct file *file = contents;
    if (format->role != OSSA__ROLE_PART || index >= file->name_count) return NULL;
    *size = strlen(file->names[index]);
    return file->names[index];
}

static void assemble(struct ossa__assembly *assembly)
{
    ossa__take_placeholders(assembly, 1);
}

static const char *const part_endings[] = {"_head", NULL};
static const struct ossa__game game = {.title = "A game",
                                       .name = "A game",
                                       .assemble = assemble,
                                       .survey = survey,
                                       .fits = fits,
                                       .pairs_by_name = true,
                                       .part_endings = part_endings,
                                       .listed_companion = listed_companion};

#define TEXT_FORMAT(variable, id, extension, kind, its_role, its_probe)                            \
    static const struct ossa__format variable = {.about = {id, id, "A game", extension, kind},     \
                                                 .game = &game,                                    \
                                                 .role = (its_role),                               \
                                                 .probe = (its_probe),                             \
                                                 .read = read_text}
TEXT_FORMAT(body_format, "t-body", "skb", OSSA_KIND_SKELETON, OSSA__ROLE_BODY, probe_body);
TEXT_FORMAT(clip_format, "t-clip", "anb", OSSA_KIND_ANIMATION, OSSA__ROLE_CLIP, probe_clip);
TEXT_FORMAT(part_format, "t-part", "nmo", OSSA_KIND_MODEL, OSSA__ROLE_PART, probe_part);
TEXT_FORMAT(texture_format, "t-text", "nto", OSSA_KIND_TEXTURE, OSSA__ROLE_COMPANION,
            probe_texture);
static const struct ossa__format archive_format = {
    .about = {"t-arch", "t-arch", "A game", "dat", OSSA_KIND_ARCHIVE},
    .game = &game,
    .probe = probe_archive,
    .read = read_archive,
    .list = list};

const struct ossa__format *const ossa__formats[] = {&body_format,    &clip_format,    &part_format,
                                                    &texture_format, &archive_format, NULL};

/* ---- workspaces ---------------------------------------------------------------------------- */

static void *open_nothing(void *user, const char *path, uint64_t *size, ossa_error *error)
{
    (void)user, (void)path;
    *size = 0;
    error->code = OSSA_CODE_IO;
    return NULL;
}

static ossa_workspace *new_workspace(void)
{
    const ossa_filesystem nothing = {.open = open_nothing};
    const ossa_workspace_options options = {.filesystem = &nothing};
    ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
    assert_non_null(workspace);
    files_read = 0;
    return workspace;
}

static void add(ossa_workspace *workspace, const char *path, const char *text)
{
    assert_true(ossa_workspace_add_memory(workspace, path, text, strlen(text), NULL));
}

/* What a file of that name holds: bones or names behind a colon, as in "bird.skb:4". */
static void split_name(const char *text, char name[64], char contents[64])
{
    static const char *const words[][2] = {
        {".skb", "BODY"}, {".anb", "CLIP"}, {".nmo", "PART"}, {".nto", "TEXT"}, {".dat", "ARCH"}};
    const char *colon = strchr(text, ':');
    size_t size = colon == NULL ? strlen(text) : (size_t)(colon - text);
    memcpy(name, text, size);
    name[size] = '\0';
    const char *word = "noise";
    for (size_t i = 0; i < 5; i++) {
        if (ossa__has_ending(name, words[i][0])) word = words[i][1];
    }
    const char *more = colon != NULL ? colon + 1 : strcmp(word, "PART") == 0 ? "" : "3";
    (void)snprintf(contents, 64, "%s %s", word, more);
}

/* The files of a folder, or the entries of an archive, one word each. */
static ossa_workspace *workspace_of(const char *archive, const char *words)
{
    char left[4096];
    char *rest = NULL;
    char all[8192] = "ARCH";
    ossa_workspace *workspace = new_workspace();
    (void)snprintf(left, sizeof left, "%s", words);
    for (char *word = strtok_r(left, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        char name[64];
        char contents[64];
        for (char *c = word; *c != '\0'; c++) *c = *c == '+' ? ' ' : *c;
        split_name(word, name, contents);
        size_t used = strlen(all);
        if (archive == NULL) add(workspace, name, contents);
        else (void)snprintf(all + used, sizeof all - used, "\n%s=%s", name, contents);
    }
    if (archive != NULL) add(workspace, archive, all);
    return workspace;
}

/* "bird: bird.skb fly.anb; troll: troll.skb -animation" */
static void expect_figures(const char *expected, const char *path, const char *archive,
                           const char *words)
{
    char text[4096] = "";
    size_t size = 0;
    ossa_error error;
    ossa_workspace *workspace = workspace_of(archive, words);
    ossa_figures *figures = ossa_workspace_figures(workspace, path, &error);
    if (figures == NULL) fail_msg("%s: %s", error.path, error.message);
    for (size_t i = 0; figures != NULL && i < figures->count; i++) {
        const ossa_figure *figure = &figures->items[i];
        size += (size_t)snprintf(text + size, sizeof text - size, "%s%s:", i > 0 ? "; " : "",
                                 figure->name);
        for (size_t k = 0; k < figure->path_count; k++) {
            size += (size_t)snprintf(text + size, sizeof text - size, " %s", figure->paths[k]);
        }
        for (size_t k = 0; k < figure->missing_count; k++) {
            size += (size_t)snprintf(text + size, sizeof text - size, " -%s", figure->missing[k]);
        }
    }
    assert_string_equal(text, expected);
    ossa_figures_free(figures);
    ossa_workspace_free(workspace);
}

static const char *last_name(const char *path)
{
    const char *name = strrchr(path, '#');
    const char *below = strrchr(name == NULL ? path : name, '/');
    if (below != NULL) return below + 1;
    return name == NULL ? path : name + 1;
}

struct heard {
    char text[2048];
};

static void hear(void *user, const char *path)
{
    struct heard *heard = user;
    size_t used = strlen(heard->text);
    (void)snprintf(heard->text + used, sizeof heard->text - used, "%s%s", used > 0 ? " " : "",
                   last_name(path));
}

/* The files that a path is loaded from; NULL: none, with this code. */
static void expect_loaded(ossa_workspace *workspace, const char *expected, ossa_code code,
                          const char *path)
{
    struct heard heard = {""};
    ossa_error error = {0};
    const ossa_load_options options = {.on_file = hear, .user = &heard};
    ossa_scene *scene = ossa_workspace_scene(workspace, &path, 1, &options, &error);
    if ((scene != NULL) != (expected != NULL)) fail_msg("%s: %s", path, error.message);
    if (expected != NULL) assert_string_equal(heard.text, expected);
    else assert_int_equal(error.code, code);
    ossa_scene_free(scene);
}

/* ---- folders ------------------------------------------------------------------------------- */

static void a_figure_has_what_is_called_like_it(void **state)
{
    (void)state;
    /* All in one folder, and each kind in its own. */
    expect_figures("bird: x/bird.skb x/bird.nmo x/bird_fly.anb x/bird_sit.anb; "
                   "horse: x/horse.skb x/horse.nmo x/horse_run.anb",
                   NULL, NULL,
                   "x/bird.skb x/bird.nmo x/bird_fly.anb x/bird_sit.anb x/horse.skb x/horse.nmo "
                   "x/horse_run.anb x/rock.nmo");
    expect_figures("bird: skb/bird.skb nmo/bird.nmo anim/bird_fly.anb; "
                   "horse: skb/horse.skb nmo/horse.nmo anim/horse_run.anb",
                   NULL, NULL,
                   "skb/bird.skb nmo/bird.nmo anim/bird_fly.anb skb/horse.skb nmo/horse.nmo "
                   "anim/horse_run.anb nmo/rock.nmo");
    /* In any letter case, and whatever the numbers of bones say. */
    expect_figures("Bird: Bird.SKB BIRD.nmo BIRD_fly.anb; horse: horse.skb horse_run.anb", NULL,
                   NULL, "Bird.SKB:4 BIRD.nmo BIRD_fly.anb:5 horse.skb horse_run.anb");
}

static void a_clip_is_of_the_longest_name(void **state)
{
    (void)state;
    expect_figures("baby: x/baby.skb x/baby_walk.anb x/baby_headless.anb; "
                   "baby_head: x/baby_head.skb x/baby_head.nmo x/baby_head_nod.anb; "
                   "bab: x/bab.skb -animation; x: x/x.skb x/x_x_x_x.anb",
                   NULL, NULL,
                   "x/baby.skb x/baby_head.skb x/bab.skb x/baby_head.nmo x/baby_walk.anb "
                   "x/baby_head_nod.anb x/baby_headless.anb x/x.skb x/x_x_x_x.anb");
    /* A head without a skeleton is a part. */
    expect_figures("a: x/a.skb x/a.nmo x/a_head.nmo x/a_walk.anb; b: x/b.skb x/b_walk.anb", NULL,
                   NULL,
                   "x/a.skb x/a.nmo x/a_head.nmo x/a_walk.anb x/b.skb x/b_walk.anb x/c_head.nmo");
}

static void the_nearest_of_the_same_name_counts(void **state)
{
    (void)state;
    expect_figures("bird: ntsc; bird: pal", NULL, NULL,
                   "ntsc/skb/bird.skb ntsc/nmo/bird.nmo ntsc/anim/bird_fly.anb pal/skb/bird.skb "
                   "pal/nmo/bird.nmo pal/anim/bird_fly.anb");
    expect_figures("bird: a/skb/bird.skb a/nmo a/anim/bird_fly.anb; "
                   "cat: a/skb/cat.skb a/anim/cat_run.anb",
                   NULL, NULL,
                   "a/skb/bird.skb a/nmo/bird.nmo b/c/nmo/bird.nmo a/anim/bird_fly.anb "
                   "b/anim/bird_fly.anb a/skb/cat.skb a/anim/cat_run.anb");
}

static void where_names_say_nothing_numbers_of_bones_do(void **state)
{
    (void)state;
    expect_figures("a: a.skb fly.anb; b: b.skb run.anb", NULL, NULL,
                   "a.skb:3 b.skb:4 run.anb:4 fly.anb:3");
    /* In a folder where a name says it, none is guessed. */
    expect_figures("a: a.skb a_fly.anb; b: b.skb -animation; run: run.anb -skeleton", NULL, NULL,
                   "a.skb:3 b.skb:4 run.anb:4 a_fly.anb:3");
    expect_figures("a: x; b: y", NULL, NULL, "x/a.skb:3 x/a_fly.anb y/b.skb:4 y/run.anb:4");
    /* The only body has what fits. */
    expect_figures("a: a.skb a_fly.anb sit.anb; run: run.anb -skeleton", NULL, NULL,
                   "a.skb:3 a_fly.anb sit.anb:3 run.anb:4");
    expect_figures("a: a.skb model.nmo fly.anb", NULL, NULL, "a.skb model.nmo fly.anb");
    expect_figures("a: a.skb a.nmo fly.anb", NULL, NULL, "a.skb a.nmo fly.anb rock.nmo");
}

static void a_model_without_a_skeleton_is_scenery(void **state)
{
    (void)state;
    expect_figures("rock: x/rock.nmo; tree: x/tree.nmo x/bark.nto", NULL, NULL,
                   "x/rock.nmo x/tree.nmo:bark x/bark.nto x/moss.nto");
    expect_figures("a: x/a.skb x/a_fly.anb", "x", NULL, "x/a.skb x/a_fly.anb x/rock.nmo");
    expect_figures("rock: x/rock.nmo", "x/rock.nmo", NULL, "x/a.skb x/a_fly.anb x/rock.nmo");
}

static void a_model_names_its_textures(void **state)
{
    (void)state;
    expect_figures("a: skb/a.skb nmo/a.nmo nto/bark.nto nto/Moss.nto anim/a_fly.anb; "
                   "b: skb/b.skb nmo/b.nmo nto/bark.nto anim/b_fly.anb",
                   NULL, NULL,
                   "skb/a.skb nmo/a.nmo:moss+bark+none anim/a_fly.anb skb/b.skb nmo/b.nmo:BARK "
                   "anim/b_fly.anb nto/Moss.nto nto/bark.nto nto/a.nto nto/a_skin.nto");
}

/* ---- archives ------------------------------------------------------------------------------ */

static const char disc[] =
    "anim/bird_fly.anb anim/bird_head_nod.anb anim/obj_bird02_x.anb skb/bird.skb "
    "skb/bird_head.skb nmo/bird.nmo:moss+gold nmo/bird_head.nmo nmo/rock.nmo:moss "
    "world/c1/nmo/rock.nmo:bark world/c1/nto/bark.nto nto/bark.nto nto/moss.nto nto/gold.nto "
    "anim/bird_fly.anb skb/still.skb";

static void an_archive_is_listed_without_reading_it(void **state)
{
    (void)state;
    expect_figures("bird: N.dat#bird; bird_head: N.dat#bird_head; still: N.dat#still -animation",
                   NULL, "N.dat", disc);
    assert_int_equal(files_read, 0);
    expect_figures("rock: N.dat#rock; rock: N.dat#world/nmo/rock", NULL, "N.dat",
                   "nmo/rock.nmo world/nmo/rock.nmo nto/bark.nto nmo/rock.nmo");
    /* Where there are no names, all is as it was. */
    expect_figures("0x00000800: N.dat", NULL, "N.dat", "0x00000800.skb 0x00001000.anb");
}

static void a_figure_of_an_archive_is_named(void **state)
{
    (void)state;
    ossa_workspace *workspace = workspace_of("N.dat", disc);
    expect_loaded(workspace, "bird.skb bird.nmo bird_fly.anb moss.nto gold.nto", 0, "N.dat#bird");
    assert_int_equal(files_read, 6); /* each once, and the model for its list */
    expect_loaded(workspace, "bird.skb bird.nmo bird_fly.anb moss.nto gold.nto", 0, "N.dat#BIRD");
    expect_loaded(workspace, "bird_head.skb bird_head.nmo bird_head_nod.anb", 0, "N.dat#bird_head");
    expect_loaded(workspace, "bird.skb bird.nmo bird_fly.anb moss.nto gold.nto", 0,
                  "N.dat#skb/bird");
    expect_loaded(workspace, "rock.nmo moss.nto", 0, "N.dat#rock");
    expect_loaded(workspace, "rock.nmo", 0, "N.dat#nmo/rock.nmo");
    expect_loaded(workspace, "rock.nmo bark.nto", 0, "N.dat#World\\c1/NMO/rock");
    expect_loaded(workspace, NULL, OSSA_CODE_NO_ENTRY, "N.dat#world/nmo/rock");
    expect_loaded(workspace, NULL, OSSA_CODE_NO_ENTRY, "N.dat#bir");
    expect_loaded(workspace, NULL, OSSA_CODE_SEVERAL_FIGURES, "N.dat");
    ossa_workspace_free(workspace);
    expect_figures("bird: N.dat#skb/bird.skb N.dat#nmo/bird.nmo N.dat#nto/gold.nto "
                   "N.dat#nto/moss.nto N.dat#anim/bird_fly.anb",
                   "N.dat#bird", "N.dat", disc);
}

static void an_archive_of_one_figure_is_that_figure(void **state)
{
    (void)state;
    ossa_workspace *workspace =
        workspace_of("N.dat", "skb/a.skb anim/fly.anb anim/sit.anb nmo/a.nmo:moss nmo/rock.nmo "
                              "nto/moss.nto nto/bark.nto");
    expect_loaded(workspace, "a.skb a.nmo fly.anb sit.anb moss.nto", 0, "N.dat");
    ossa_workspace_free(workspace);
    /* Nor does a disc that it is on lead to the rest. */
    workspace = new_workspace();
    add(workspace, "one.dat", "ARCH\nN.dat=ARCH|a.skb=BODY 3|a_x.anb=CLIP 3|rock.nmo=PART");
    add(workspace, "two.dat", "ARCH\nN.dat=ARCH|a.skb=BODY 3|b.skb=BODY 3");
    expect_loaded(workspace, "a.skb a_x.anb", 0, "one.dat");
    expect_loaded(workspace, "a.skb a_x.anb", 0, "one.dat#N.dat#A");
    expect_loaded(workspace, NULL, OSSA_CODE_SEVERAL_FIGURES, "two.dat");
    ossa_workspace_free(workspace);
}

/* Textures in an archive of their own. */
static void textures_may_lie_apart(void **state)
{
    (void)state;
    ossa_workspace *workspace = workspace_of("T.dat", "bark.nto moss.nto a.nto moss_b.nto");
    add(workspace, "a.skb", "BODY 3");
    add(workspace, "a.nmo", "PART moss");
    ossa_error error;
    ossa_figures *figures = ossa_workspace_figures(workspace, NULL, &error);
    assert_non_null(figures);
    assert_int_equal(figures->count, 1);
    struct heard heard = {""};
    const ossa_load_options options = {.on_file = hear, .user = &heard};
    ossa_scene *scene = ossa_workspace_scene(workspace, figures->items[0].paths,
                                             figures->items[0].path_count, &options, &error);
    assert_non_null(scene);
    assert_string_equal(heard.text, "a.skb a.nmo moss.nto");
    ossa_scene_free(scene);
    ossa_figures_free(figures);
    ossa_workspace_free(workspace);
}

/* ---- hostile names ------------------------------------------------------------------------- */

enum { FEW = 500, MANY = 4 * FEW, ONE_SEARCH = 96 };

typedef void naming(char *text, size_t capacity, unsigned i, unsigned count);

static void name_one_prefix(char *text, size_t capacity, unsigned i, unsigned count)
{
    (void)count;
    if (i == 0) (void)snprintf(text, capacity, "a.skb");
    else (void)snprintf(text, capacity, "a_%06u.anb", i);
}

static void name_chain(char *text, size_t capacity, unsigned i, unsigned count)
{
    (void)count;
    char chain[161];
    size_t links = i % 80 + 1;
    for (size_t k = 0; k < links; k++) memcpy(chain + 2 * k, "_a", 2);
    chain[2 * links] = '\0';
    (void)snprintf(text, capacity, i < 80 ? "%s.skb" : "%s_%u.anb", chain + 1, i);
}

static void name_same(char *text, size_t capacity, unsigned i, unsigned count)
{
    static const char *const names[] = {"skb/a.skb", "a.nmo", "a_b.anb", "c.nto"};
    (void)snprintf(text, capacity, "%u/%s", i, names[i * 4 / count]);
}

static uint64_t compare(naming *name, unsigned count)
{
    ossa_workspace *workspace = new_workspace();
    for (unsigned i = 0; i < count; i++) {
        char path[256];
        name(path, sizeof path, i, count);
        bool is_part = strstr(path, ".nmo") != NULL;
        const char *word = strstr(path, ".skb") != NULL   ? "BODY 3"
                           : strstr(path, ".anb") != NULL ? "CLIP 3"
                                                          : "TEXT";
        add(workspace, path, is_part ? "PART c c d" : word);
    }
    ossa_figures *figures = ossa_workspace_figures(workspace, NULL, NULL);
    assert_non_null(figures);
    uint64_t compared = ossa__figures_compared(figures);
    assert_true(figures->count > 0);
    ossa_figures_free(figures);
    ossa_workspace_free(workspace);
    return compared;
}

static void names_are_not_compared_each_with_each(void **state)
{
    (void)state;
    naming *const namings[] = {name_one_prefix, name_chain, name_same};
    for (size_t i = 0; i < 3; i++) {
        uint64_t few = compare(namings[i], FEW);
        uint64_t many = compare(namings[i], MANY);
        if (many > (uint64_t)MANY * ONE_SEARCH || many > 6 * few) {
            fail_msg("%zu: %zu and %zu comparisons", i, (size_t)few, (size_t)many);
        }
    }
}

/* Each name compared with each would take minutes. */
static void an_archive_may_have_many_entries(void **state)
{
    (void)state;
    enum { COUNT = 20000, LINE = 48 };
    char *text = malloc((size_t)COUNT * LINE);
    assert_non_null(text);
    size_t size = (size_t)snprintf(text, LINE, "ARCH");
    for (unsigned i = 0; i < COUNT; i++) {
        bool is_body = i % 4 == 0;
        size += (size_t)snprintf(text + size, LINE, "\nskb/a%s%05u%s=%s", i % 8 < 4 ? "" : "_",
                                 i / 8, is_body ? ".skb" : "_x.anb", is_body ? "BODY 3" : "CLIP 3");
    }
    ossa_workspace *workspace = new_workspace();
    assert_true(ossa_workspace_add_memory(workspace, "N.dat", text, size, NULL));
    ossa_figures *figures = ossa_workspace_figures(workspace, NULL, NULL);
    assert_non_null(figures);
    assert_int_equal(figures->count, COUNT / 4);
    for (size_t i = 0; i < figures->count; i++) {
        assert_int_equal(figures->items[i].missing_count, 0);
    }
    ossa_figures_free(figures);
    ossa_workspace_free(workspace);
    free(text);
}

/* Whichever allocation fails, nothing leaks, and the call says so. */
static bool run_with(struct counting *counting, bool is_scene, bool is_archive)
{
    const ossa_filesystem nothing = {.open = open_nothing};
    const ossa_workspace_options options = {.filesystem = &nothing,
                                            .allocator = counting_allocator(counting)};
    static const char entries[] = "ARCH\nskb/a.skb=BODY 3\nskb/b.skb=BODY 3\nnmo/a.nmo=PART moss"
                                  "\nanim/a_x.anb=CLIP 3\nnto/moss.nto=TEXT";
    static const char *const files[][2] = {{"a.skb", "BODY 3"},
                                           {"b.skb", "BODY 3"},
                                           {"a_x.anb", "CLIP 3"},
                                           {"a.nmo", "PART moss"},
                                           {"moss.nto", "TEXT"}};
    ossa_error error = {0};
    ossa_workspace *workspace = ossa_workspace_new(&options, &error);
    bool ok = workspace != NULL;
    for (size_t i = 0; ok && i < (is_archive ? 1U : 5U); i++) {
        const char *path = is_archive ? "N.dat" : files[i][0];
        const char *text = is_archive ? entries : files[i][1];
        ok = ossa_workspace_add_memory(workspace, path, text, strlen(text), &error);
    }
    if (ok && is_scene) {
        const char *path = is_archive ? "N.dat#a" : "a";
        ossa_scene *scene = ossa_workspace_scene(workspace, &path, 1, NULL, &error);
        ok = scene != NULL;
        ossa_scene_free(scene);
    } else if (ok) {
        ossa_figures *figures = ossa_workspace_figures(workspace, NULL, &error);
        ok = figures != NULL;
        ossa_figures_free(figures);
    }
    assert_true(ok || error.code == OSSA_CODE_OUT_OF_MEMORY);
    ossa_workspace_free(workspace);
    assert_int_equal(counting->live, 0);
    assert_false(counting->wrong_release);
    return ok;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        bool has_failed = true;
        for (size_t n = 1; has_failed; n++) {
            struct counting counting = {.fail_at = n};
            bool ok = run_with(&counting, (i & 1U) != 0, (i & 2U) != 0);
            has_failed = counting.failed;
            assert_true(ok || has_failed);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_figure_has_what_is_called_like_it),
        cmocka_unit_test(a_clip_is_of_the_longest_name),
        cmocka_unit_test(the_nearest_of_the_same_name_counts),
        cmocka_unit_test(where_names_say_nothing_numbers_of_bones_do),
        cmocka_unit_test(a_model_without_a_skeleton_is_scenery),
        cmocka_unit_test(a_model_names_its_textures),
        cmocka_unit_test(an_archive_is_listed_without_reading_it),
        cmocka_unit_test(a_figure_of_an_archive_is_named),
        cmocka_unit_test(an_archive_of_one_figure_is_that_figure),
        cmocka_unit_test(textures_may_lie_apart),
        cmocka_unit_test(names_are_not_compared_each_with_each),
        cmocka_unit_test(an_archive_may_have_many_entries),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
