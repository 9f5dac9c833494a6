/* SPDX-License-Identifier: MIT
 *
 * What differs between two files or sets of files (src/workspace/diff*.c). */
#include "support/counting.h"
#include "support/file_table.h"
#include "support/packing.h"
#include "support/scenes.h"

#include <stdio.h>
#include <string.h>

/* ---- what is reported ---------------------------------------------------------------------- */

struct log {
    char text[8192];
    size_t size;
    size_t fields;
    size_t errors;
    ossa_code code; /* of the last error */
    bool is_short;  /* only entries and clips */
    const ossa_scene_options *scene;
};

static void put(struct log *log, const char *format, ...) OSSA_PRINTF(2, 3);
static void put(struct log *log, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(log->text + log->size, sizeof log->text - log->size, format, arguments);
    va_end(arguments);
    assert_true(size > 0 && (size_t)size < sizeof log->text - log->size);
    log->size += (size_t)size;
}

static const char *format_of(const ossa_diff_side *side)
{
    return side->format == NULL ? "-" : side->format->id;
}

static void on_entry(void *user, const ossa_diff_entry *entry)
{
    struct log *log = user;
    assert_int_equal(entry->a.path == NULL, entry->change == OSSA_CHANGE_ONLY_B);
    assert_int_equal(entry->b.path == NULL, entry->change == OSSA_CHANGE_ONLY_A);
    put(log, "%s '%s'", ossa_change_name(entry->change), entry->path);
    if (entry->change == OSSA_CHANGE_DIFFERENT) {
        put(log, " %s %s at %u%s", format_of(&entry->a), format_of(&entry->b),
            (unsigned)entry->offset, entry->is_archive ? ", archive" : "");
        if (entry->a.error != NULL) put(log, ", a %s", ossa_code_name(entry->a.error->code));
        if (entry->b.error != NULL) put(log, ", b %s", ossa_code_name(entry->b.error->code));
    }
    put(log, "\n");
}

static void on_field(void *user, const ossa_diff_field *field)
{
    struct log *log = user;
    char a[64] = "none";
    char b[64] = "none";
    log->fields++;
    if (log->is_short) return;
    if (field->a != NULL) (void)ossa_field_value(field->a, a, sizeof a);
    if (field->b != NULL) (void)ossa_field_value(field->b, b, sizeof b);
    if (field->a != NULL) assert_string_equal(field->a->path, field->path);
    if (field->b != NULL) assert_string_equal(field->b->path, field->path);
    put(log, " %s%s%s %s %s\n", field->entry, field->entry[0] == '\0' ? "" : ": ", field->path, a,
        b);
}

static void on_bone(void *user, const ossa_diff_bone *bone)
{
    put(user, "bone %s/%s %s\n", bone->figure, bone->name, ossa_change_name(bone->change));
}

static void on_clip(void *user, const ossa_diff_clip *clip)
{
    put(user, "clip %s/%s %s", clip->figure, clip->name, ossa_change_name(clip->change));
    if (clip->bone[0] != '\0') put(user, " %s %u", clip->bone, (unsigned)clip->frame);
    put(user, "\n");
}

static void on_error(void *user, const ossa_error *error)
{
    struct log *log = user;
    assert_true(error->message[0] != '\0' && error->path[0] != '\0');
    log->errors++;
    log->code = error->code;
}

static bool run(ossa_workspace *workspace, const char *a, const char *b, struct log *log,
                ossa_diff *diff, ossa_error *error)
{
    const ossa_diff_options options = {.scene = log->scene,
                                       .on_entry = on_entry,
                                       .on_field = on_field,
                                       .on_bone = on_bone,
                                       .on_clip = on_clip,
                                       .on_error = on_error,
                                       .user = log,
                                       .ignored_name = "list.txt"};
    bool ok = ossa_workspace_diff(workspace, a, b, &options, diff, error);
    assert_int_equal(error->code == OSSA_CODE_OK, ok);
    assert_int_equal(diff->field_count, log->fields);
    assert_int_equal(diff->error_count, log->errors);
    return ok;
}

static void require_report(struct file_table *table, const char *a, const char *b, bool is_short,
                           const char *expected)
{
    struct log log = {.is_short = is_short};
    ossa_diff diff;
    ossa_error error;
    ossa_workspace *workspace = table_workspace(table, NULL);
    if (!run(workspace, a, b, &log, &diff, &error)) fail_msg("%s: %s", error.path, error.message);
    assert_string_equal(log.text, expected);
    assert_int_equal(diff.is_same, expected[0] == '\0');
    ossa_workspace_free(workspace);
}

static void require_diff(struct file_table *table, const char *a, const char *b,
                         const char *expected)
{
    require_report(table, a, b, false, expected);
}

static void require_short(struct file_table *table, const char *a, const char *b,
                          const char *expected)
{
    require_report(table, a, b, true, expected);
}

static void require_failure(struct file_table *table, const char *a, const char *b, ossa_code code,
                            const char *path)
{
    struct log log = {.size = 0};
    ossa_diff diff;
    ossa_error error;
    ossa_workspace *workspace = table_workspace(table, NULL);
    assert_false(run(workspace, a, b, &log, &diff, &error));
    assert_int_equal(error.code, code);
    assert_string_equal(error.path, path);
    assert_false(diff.is_same);
    ossa_workspace_free(workspace);
}

static struct bytes text_of(const char *text)
{
    return bytes_copy(text, strlen(text));
}

static struct bytes sample_of(const char *name)
{
    char path[128];
    (void)snprintf(path, sizeof path, "../samples/%s", name);
    return load_test_file(path);
}

/* ---- two files ----------------------------------------------------------------------------- */

static const float rotations[3][4] = {{1, 0, 0, 0}, {1, 0, 0, 0}, {0.5F, 0.5F, 0.5F, 0.5F}};
static const float translations[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};

static void files_of_one_format(void **state)
{
    (void)state;
    struct file_table table = {0};
    float other[3][4];
    memcpy(other, rotations, sizeof other);
    other[1][2] = -0.25F;
    table_add(&table, "a.anm", make_anm(3, rotations, 3, translations));
    table_add(&table, "same.anm", make_anm(3, rotations, 3, translations));
    table_add(&table, "b.anm", make_anm(3, (const float(*)[4])other, 3, translations));
    table_add(&table, "short.anm", make_anm(2, (const float(*)[4])other, 3, translations));
    require_diff(&table, "a.anm", "same.anm", "");
    require_diff(&table, "a.anm", "a.anm", "");
    require_diff(&table, "a.anm", "b.anm",
                 "different '' ei-anm ei-anm at 30\n rotations[1].y 0 -0.25\n");
    require_diff(&table, "b.anm", "a.anm",
                 "different '' ei-anm ei-anm at 30\n rotations[1].y -0.25 0\n");
    /* Behind what one lacks, fields are found again. */
    require_diff(&table, "a.anm", "short.anm",
                 "different '' ei-anm ei-anm at 0\n rotation_count 3 2\n rotations[1].y 0 -0.25\n"
                 " rotations[2].w 0.5 none\n rotations[2].x 0.5 none\n rotations[2].y 0.5 none\n"
                 " rotations[2].z 0.5 none\n");
    require_diff(&table, "short.anm", "a.anm",
                 "different '' ei-anm ei-anm at 0\n rotation_count 2 3\n rotations[1].y -0.25 0\n"
                 " rotations[2].w none 0.5\n rotations[2].x none 0.5\n rotations[2].y none 0.5\n"
                 " rotations[2].z none 0.5\n");
    table_free(&table);
}

/* Bytes of no field have no path: those at the same place in the file are compared. */
static void bytes_without_a_field(void **state)
{
    (void)state;
    struct file_table table = {0};
    struct bytes longer = sample_of("bird/fly.anb");
    put_u32(&longer, 0x04030201);
    table_add(&table, "b.anb", longer);
    table_add_sample(&table, "a.anb", "bird/fly.anb");
    require_diff(&table, "a.anb", "b.anb",
                 "different '' sotc-anb sotc-anb at 2692\n gaps[2] none 01020304\n");
    require_diff(&table, "b.anb", "a.anb",
                 "different '' sotc-anb sotc-anb at 2692\n gaps[2] 01020304 none\n");
    table_free(&table);
}

static void files_that_cannot_be_compared_by_fields(void **state)
{
    (void)state;
    struct file_table table = {0};
    struct bytes cut = sample_of("troll/troll.lnk");
    cut.size -= 20;
    table_add(&table, "a.anm", make_anm(3, rotations, 3, translations));
    table_add_sample(&table, "b.lnk", "troll/troll.lnk");
    table_add(&table, "cut.lnk", cut);
    table_add(&table, "x.txt", text_of("some text"));
    table_add(&table, "y.txt", text_of("some test, and more"));
    table_add(&table, "empty.txt", text_of(""));
    require_diff(&table, "a.anm", "b.lnk", "different '' ei-anm ei-lnk at 0\n");
    require_diff(&table, "x.txt", "y.txt", "different '' - - at 7\n");
    require_diff(&table, "x.txt", "empty.txt", "different '' - - at 0\n");
    require_diff(&table, "b.lnk", "cut.lnk", "different '' ei-lnk - at 211, b bad-count\n");
    table_free(&table);
}

static void no_file_at_all(void **state)
{
    (void)state;
    struct file_table table = {0};
    table_add_sample(&table, "d/b.lnk", "troll/troll.lnk");
    require_diff(&table, NULL, "d/b.lnk", "only_b ''\n");
    require_diff(&table, "d/b.lnk", NULL, "only_a ''\n");
    require_diff(&table, "d", NULL, "only_a ''\n");
    require_diff(&table, NULL, NULL, "");
    require_failure(&table, NULL, "x", OSSA_CODE_IO, "x");
    require_failure(&table, "x", "d/b.lnk", OSSA_CODE_IO, "x");
    require_failure(&table, "d/b.lnk", "x", OSSA_CODE_IO, "x");
    require_failure(&table, "d", "d/b.lnk", OSSA_CODE_NOT_AN_ARCHIVE, "d/b.lnk");
    require_failure(&table, "d/b.lnk", "d", OSSA_CODE_NOT_AN_ARCHIVE, "d/b.lnk");
    table_free(&table);
}

/* Two files that are read in parts, for they are larger than the limit. */
static void files_larger_than_the_limit(void **state)
{
    (void)state;
    struct file_table table = {0};
    struct bytes large = {0};
    put_repeated(&large, 7, 1 << 20);
    table_add(&table, "b", bytes_copy(large.data, large.size));
    table_add(&table, "c", bytes_copy(large.data, large.size));
    large.data[777777] = 8;
    table_add(&table, "a", large);
    const ossa_filesystem files = table_filesystem(&table);
    const ossa_workspace_options options = {.filesystem = &files, .max_input = 1000};
    ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
    struct log log = {.size = 0};
    ossa_diff diff;
    ossa_error error;
    assert_true(run(workspace, "b", "c", &log, &diff, &error));
    assert_true(diff.is_same);
    assert_true(run(workspace, "a", "b", &log, &diff, &error));
    assert_string_equal(log.text, "different '' - - at 777777, a too-large, b too-large\n");
    ossa_workspace_free(workspace);
    table_free(&table);
}

/* ---- sets of files ------------------------------------------------------------------------- */

static void folders(void **state)
{
    (void)state;
    struct file_table table = {0};
    table_add(&table, "a/same.txt", text_of("same"));
    table_add(&table, "a/x/gone.txt", text_of("gone"));
    table_add(&table, "a/x/Case.txt", text_of("1"));
    table_add(&table, "b/SAME.txt", text_of("same"));
    table_add(&table, "b/new.txt", text_of("new"));
    table_add(&table, "b/x/case.TXT", text_of("2"));
    table_add(&table, "b/list.txt", text_of("ignored"));
    static const char there[] = "only_b 'new.txt'\n"
                                "different 'x/Case.txt' - - at 0\n"
                                "only_a 'x/gone.txt'\n";
    require_diff(&table, "a", "b", there);
    require_diff(&table, "a/", "b//", there);
    require_diff(&table, "b", "a",
                 "only_a 'new.txt'\n"
                 "different 'x/case.TXT' - - at 0\n"
                 "only_b 'x/gone.txt'\n");
    table_free(&table);
}

/* An archive of two files and an archive with one. */
static struct bytes make_archive(const char *inside, const char *outside, uint32_t time)
{
    const ossa_packing inner[] = {
        {.name = "hd", .data = (const uint8_t *)inside, .size = strlen(inside), .time = 1}};
    struct bytes archive = pack_or_fail("ei-res", "inner", inner, 1);
    const ossa_packing outer[] = {
        {.name = "walk", .data = archive.data, .size = archive.size, .time = time},
        {.name = "x/readme", .data = (const uint8_t *)outside, .size = strlen(outside), .time = 1}};
    struct bytes all = pack_or_fail("ei-res", "outer", outer, 2);
    bytes_free(&archive);
    return all;
}

static void archives(void **state)
{
    (void)state;
    struct file_table table = {0};
    const ossa_packing other[] = {{.name = "X\\README", .data = (const uint8_t *)"1", .size = 1}};
    table_add(&table, "a.res", make_archive("one", "1", 5));
    table_add(&table, "b.res", make_archive("two", "1", 5));
    table_add(&table, "c.res", make_archive("one", "1", 6));
    table_add(&table, "d.res", pack_or_fail("ei-res", "other", other, 1));
    require_diff(&table, "a.res", "b.res", "different 'walk#hd' - - at 0\n");
    /* Only the archive itself differs. */
    require_diff(&table, "a.res", "c.res",
                 "different '' ei-res ei-res at 130, archive\n entries[1].time 5 6\n");
    require_diff(&table, "a.res", "d.res", "only_a 'walk'\n");
    require_diff(&table, "a.res#walk", "b.res#walk", "different 'hd' - - at 0\n");
    require_diff(&table, "a.res#walk#hd", "b.res#WALK#HD", "different '' - - at 0\n");
    require_diff(&table, "a.res#x", "d.res#x", "");
    require_failure(&table, "a.res#nope", "b.res", OSSA_CODE_NO_ENTRY, "a.res#nope");
    table_free(&table);
}

static void archives_and_folders(void **state)
{
    (void)state;
    struct file_table table = {0};
    table_add(&table, "a.res", make_archive("one", "1", 5));
    table_add(&table, "same/walk/hd", text_of("one"));
    table_add(&table, "same/walk/list.txt", text_of("ignored"));
    table_add(&table, "same/x/readme", text_of("1"));
    table_add(&table, "b/Walk/hd", text_of("two"));
    table_add(&table, "b/Walk/new", text_of("new"));
    table_add(&table, "b/walk.bak", text_of("between"));
    table_add(&table, "plain/walk", make_archive("three", "3", 5));
    table_add(&table, "file/walk", text_of("not an archive"));
    require_diff(&table, "a.res", "same", "");
    require_diff(&table, "same", "a.res", "");
    require_diff(&table, "same/x", "a.res#x/", "");
    require_diff(&table, "a.res#walk", "same/walk", "");
    require_diff(&table, "a.res", "b",
                 "different 'walk#hd' - - at 0\nonly_b 'walk#new'\nonly_b 'walk.bak'\n"
                 "only_a 'x\\readme'\n");
    require_diff(&table, "b", "a.res",
                 "different 'walk#hd' - - at 0\nonly_a 'walk#new'\nonly_a 'walk.bak'\n"
                 "only_b 'x\\readme'\n");
    /* An archive again, which is entered, and a file, which cannot be. */
    require_diff(&table, "a.res", "plain",
                 "only_a 'walk#hd'\nonly_b 'walk#walk'\nonly_b 'walk#x\\readme'\n"
                 "only_a 'x\\readme'\n");
    require_diff(&table, "a.res", "file", "different 'walk' ei-res - at 0\nonly_a 'x\\readme'\n");
    table_free(&table);
}

/* ---- figures ------------------------------------------------------------------------------- */

/* The same file with a part of a rotation changed. */
static struct bytes turned(const char *sample)
{
    struct bytes bytes = sample_of(sample);
    set_f32(&bytes, 4 + 16 * 5 + 4, 0.5F); /* frame 5, x */
    return bytes;
}

static void add_troll(struct file_table *table, char *names, const char *folder, bool is_turned)
{
    static const char *const files[] = {"troll.lnk",    "bon/hp.bon",  "bon/bd.bon",  "bon/lh1.bon",
                                        "bon/lh2.bon",  "bon/lh3.bon", "walk/hp.anm", "walk/bd.anm",
                                        "walk/lh1.anm", "idle/hp.anm", "idle/lh1.anm"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++, names += 32) {
        char sample[64];
        (void)snprintf(names, 32, "%s/%s", folder, files[i]);
        (void)snprintf(sample, sizeof sample, "troll/%s", files[i]);
        bool is_it = is_turned && strcmp(files[i], "walk/lh1.anm") == 0;
        table_add(table, names, is_it ? turned(sample) : sample_of(sample));
    }
}

static void the_clips_of_a_figure(void **state)
{
    (void)state;
    struct file_table table = {0};
    char names[2][11 * 32];
    add_troll(&table, names[0], "a", false);
    add_troll(&table, names[1], "b", true);
    require_short(&table, "a", "a", "");
    require_short(&table, "a", "b",
                  "different 'walk/lh1.anm' ei-anm ei-anm at 88\n"
                  "clip troll/idle same\nclip troll/walk different lh3 5\n");
    /* One that is not of the figure. */
    table_add(&table, "b/notes.txt", text_of("notes"));
    require_short(&table, "a", "b",
                  "only_b 'notes.txt'\ndifferent 'walk/lh1.anm' ei-anm ei-anm at 88\n"
                  "clip troll/idle same\nclip troll/walk different lh3 5\n");
    table_free(&table);
}

/* An archive with figures, in which one clip is changed: the other figure is not looked at. */
static void figures_in_archives(void **state)
{
    (void)state;
    struct file_table table = {0};
    struct bytes changed = sample_of("packed/figures.res");
    struct bytes part = sample_of("troll/walk/lh1.anm");
    struct bytes other = turned("troll/walk/lh1.anm");
    size_t at = 0;
    while (memcmp(changed.data + at, part.data, part.size) != 0) {
        assert_true(++at + part.size <= changed.size);
    }
    memcpy(changed.data + at, other.data, other.size);
    bytes_free(&part);
    bytes_free(&other);
    table_add_sample(&table, "a.res", "packed/figures.res");
    table_add(&table, "b.res", changed);
    static const char clips[] = "clip troll/walk different lh3 5\n"
                                "clip troll/idle same\nclip troll/dance same\n";
    char expected[512];
    (void)snprintf(expected, sizeof expected,
                   "different 'troll.anm#walk#lh1' ei-anm ei-anm at 88\n%s", clips);
    require_short(&table, "a.res", "b.res", expected);
    require_short(&table, "a.res#troll", "b.res#troll", expected);
    require_short(&table, "a.res#wyvern", "b.res#wyvern", "");
    table_free(&table);
}

/* The same figure in other folders: there is nothing to match but the figure. */
static void figures_without_a_path_in_common(void **state)
{
    (void)state;
    struct file_table table = {0};
    struct log log = {.size = 0};
    ossa_diff diff;
    ossa_error error;
    table_add_sample(&table, "a/bird.skb", "bird/bird.skb");
    table_add_sample(&table, "a/fly.anb", "bird/fly.anb");
    table_add_sample(&table, "b/x/vogel.skb", "bird/bird.skb");
    table_add_sample(&table, "b/x/fly.anb", "bird/fly.anb");
    table_add_sample(&table, "c/x/vogel.skb", "bird/bird.skb");
    table_add_sample(&table, "c/x/fly.anb", "bird/glide.anb");
    table_add(&table, "d/readme", text_of("nothing"));
    ossa_workspace *workspace = table_workspace(&table, NULL);
    assert_true(run(workspace, "a", "b", &log, &diff, &error));
    assert_string_equal(log.text, "clip bird/fly same\n");
    assert_true(diff.is_same && diff.is_figures_only && diff.is_set);
    log.size = 0;
    assert_true(run(workspace, "a", "c", &log, &diff, &error));
    assert_true(!diff.is_same && diff.is_figures_only);
    assert_int_equal(diff.different_clip_count, 1);
    ossa_workspace_free(workspace);
    require_diff(&table, "a", "d", "only_a 'bird.skb'\nonly_a 'fly.anb'\nonly_b 'readme'\n");
    table_free(&table);
}

/* A figure that only one side still has cannot be compared. */
static void a_figure_that_is_broken(void **state)
{
    (void)state;
    struct file_table table = {0};
    struct bytes cut = sample_of("bird/bird.skb");
    struct log log = {.is_short = true};
    ossa_diff diff;
    ossa_error error;
    cut.size /= 2;
    table_add_sample(&table, "a/bird.skb", "bird/bird.skb");
    table_add_sample(&table, "a/fly.anb", "bird/fly.anb");
    table_add(&table, "b/bird.skb", cut);
    table_add_sample(&table, "b/fly.anb", "bird/fly.anb");
    ossa_workspace *workspace = table_workspace(&table, NULL);
    assert_true(run(workspace, "a", "b", &log, &diff, &error));
    assert_string_equal(log.text, "different 'bird.skb' sotc-skb - at 718, b bad-offset\n");
    assert_false(diff.is_same);
    ossa_workspace_free(workspace);
    /* It becomes too large. */
    const ossa_scene_options limit = {.max_memory = 100000};
    log = (struct log){.is_short = true, .scene = &limit};
    table_add(&table, "c/x.skel", make_skel(4));
    table_add(&table, "c/walk.anim", make_anim(1, 10, 4));
    table_add(&table, "d/x.skel", make_skel(4));
    table_add(&table, "d/walk.anim", make_anim(1, 10000, 4));
    workspace = table_workspace(&table, NULL);
    assert_true(run(workspace, "c", "d", &log, &diff, &error));
    assert_string_equal(log.text, "different 'walk.anim' mm-anim mm-anim at 0\n");
    assert_int_equal(log.errors, 1);
    assert_int_equal(log.code, OSSA_CODE_LIMIT);
    assert_false(diff.is_same);
    ossa_workspace_free(workspace);
    table_free(&table);
}

/* ---- hostile files, and what else goes wrong ----------------------------------------------- */

static void entries_that_are_not_there(void **state)
{
    (void)state;
    struct file_table table = {0};
    struct bytes cut = sample_of("packed/rabbit.pak");
    cut.size = cut.size * 3 / 4;
    table_add_sample(&table, "a.pak", "packed/rabbit.pak");
    table_add(&table, "cut.pak", cut);
    struct bytes more = bytes_copy(cut.data, cut.size - 1);
    table_add(&table, "more.pak", more);
    require_short(&table, "a.pak", "cut.pak",
                  "different 'rabbit/walk1.anm' - - at 0, b bad-offset\n"
                  "clip rabbit/hop same\nclip rabbit/walk0 same\nclip rabbit/walk1 only_a\n");
    /* Of what neither has, nothing is known. */
    struct log log = {.is_short = true};
    ossa_diff diff;
    ossa_error error;
    ossa_workspace *workspace = table_workspace(&table, NULL);
    assert_true(run(workspace, "cut.pak", "more.pak", &log, &diff, &error));
    assert_int_equal(log.errors, 1);
    assert_int_equal(log.code, OSSA_CODE_BAD_OFFSET);
    assert_false(diff.is_same);
    ossa_workspace_free(workspace);
    table_free(&table);
}

/* Many entries that are the same bytes of the archive: what is compared of them is limited, and
 * that is said once. */
static struct bytes make_sharing(uint32_t count, uint32_t size, uint8_t fill)
{
    struct bytes bytes = {0};
    put_u32(&bytes, 0x019ce23c);
    put_u32(&bytes, count);
    put_u32(&bytes, 16 + size);
    put_u32(&bytes, 4 * count);
    put_repeated(&bytes, fill, size);
    for (uint32_t i = 0; i < count; i++) {
        put_u32(&bytes, 0xffffffff);
        put_u32(&bytes, size);
        put_u32(&bytes, 16);
        put_u32(&bytes, 1);
        put_u16(&bytes, 4);
        put_u32(&bytes, 4 * i);
    }
    for (uint32_t i = 0; i < count; i++) {
        char name[8];
        (void)snprintf(name, sizeof name, "%04x", (unsigned)i & 0xffff);
        put_text(&bytes, name);
    }
    return bytes;
}

static void entries_that_share_their_bytes(void **state)
{
    (void)state;
    struct file_table table = {0};
    struct log log = {.is_short = true};
    ossa_diff diff;
    ossa_error error;
    table_add(&table, "a.res", make_sharing(200, 100000, 1));
    table_add(&table, "b.res", make_sharing(200, 100000, 1));
    table.items[1].bytes.data[16 + 50000] = 2;
    ossa_workspace *workspace = table_workspace(&table, NULL);
    assert_true(run(workspace, "a.res", "b.res", &log, &diff, &error));
    assert_int_equal(log.errors, 1);
    assert_int_equal(log.code, OSSA_CODE_LIMIT);
    assert_true(diff.changed_count > 60 && diff.changed_count < 120);
    ossa_workspace_free(workspace);
    table_free(&table);
}

struct cancelling {
    size_t calls;
    size_t stop_at;
    size_t clips; /* that were reported */
};

static bool on_progress(void *user, const ossa_progress *progress)
{
    struct cancelling *cancelling = user;
    assert_non_null(progress->path);
    if (strcmp(progress->path, "walk") == 0) cancelling->clips++;
    return ++cancelling->calls != cancelling->stop_at;
}

static void it_can_be_cancelled(void **state)
{
    (void)state;
    size_t calls = 1;
    for (size_t n = 0; n <= calls; n++) {
        struct file_table table = {0};
        char names[2][11 * 32];
        struct cancelling cancelling = {.stop_at = n};
        struct log log = {.is_short = true};
        ossa_diff diff;
        ossa_error error;
        add_troll(&table, names[0], "a", false);
        add_troll(&table, names[1], "b", true);
        const ossa_filesystem files = table_filesystem(&table);
        const ossa_workspace_options options = {
            .filesystem = &files, .on_progress = on_progress, .user = &cancelling};
        ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
        bool ok = run(workspace, "a", "b", &log, &diff, &error);
        assert_int_equal(ok, n == 0);
        assert_int_equal(error.code, n == 0 ? OSSA_CODE_OK : OSSA_CODE_CANCELLED);
        if (n == 0) calls = cancelling.calls;
        if (n == 0) assert_int_equal(cancelling.clips, 1);
        ossa_workspace_free(workspace);
        assert_int_equal(table.opened, table.closed);
        table_free(&table);
    }
    assert_true(calls > 20);
}

/* Whichever allocation fails, or whichever call of the file system. */
static void it_survives(void **state)
{
    (void)state;
    size_t calls[2] = {1, 1};
    for (unsigned kind = 0; kind < 2; kind++) {
        for (size_t n = 0; n <= calls[kind]; n++) {
            struct file_table table = {.fail_at = kind == 1 ? n : 0};
            struct counting counting = {.fail_at = kind == 0 ? n : 0};
            ossa_allocator allocator = counting_allocator(&counting);
            struct log log = {.is_short = true};
            ossa_diff diff = {.is_same = false};
            ossa_error error = {.code = OSSA_CODE_OUT_OF_MEMORY};
            table_add_sample(&table, "a/bird.skb", "bird/bird.skb");
            table_add_sample(&table, "a/fly.anb", "bird/fly.anb");
            table_add(&table, "a/x.res", make_archive("one", "1", 5));
            table_add_sample(&table, "b/bird.skb", "bird/bird.skb");
            table_add_sample(&table, "b/fly.anb", "bird/glide.anb");
            table_add(&table, "b/x.res", make_archive("two", "2", 6));
            ossa_workspace *workspace = table_workspace(&table, &allocator);
            bool ok = workspace != NULL && run(workspace, "a", "b", &log, &diff, &error);
            bool has_failed = counting.failed || table.failed;
            assert_false(diff.is_same);
            require(ok || has_failed, "diff", "fails by itself: %s", error.message);
            require(ok || error.code == OSSA_CODE_OUT_OF_MEMORY || kind == 1, "diff",
                    "call %zu: %s", n, error.message);
            if (n == 0) calls[kind] = kind == 0 ? counting.calls : table.calls;
            ossa_workspace_free(workspace);
            require(counting.live == 0 && !counting.wrong_release, "diff", "call %zu leaks", n);
            require(table.opened == table.closed, "diff", "call %zu: a file stays open", n);
            table_free(&table);
        }
        assert_true(calls[kind] > 20);
    }
}

TEST_GROUP(test_workspace_diff)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_one_format),
        cmocka_unit_test(bytes_without_a_field),
        cmocka_unit_test(files_that_cannot_be_compared_by_fields),
        cmocka_unit_test(no_file_at_all),
        cmocka_unit_test(files_larger_than_the_limit),
        cmocka_unit_test(folders),
        cmocka_unit_test(archives),
        cmocka_unit_test(archives_and_folders),
        cmocka_unit_test(the_clips_of_a_figure),
        cmocka_unit_test(figures_in_archives),
        cmocka_unit_test(figures_without_a_path_in_common),
        cmocka_unit_test(a_figure_that_is_broken),
        cmocka_unit_test(entries_that_are_not_there),
        cmocka_unit_test(entries_that_share_their_bytes),
        cmocka_unit_test(it_can_be_cancelled),
        cmocka_unit_test(it_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
