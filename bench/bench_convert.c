/* SPDX-License-Identifier: MIT
 *
 * Files: from those of a game to a scene and on to other formats, in process and as whole
 * processes, beside the naive code of naive.c and, in `make bench-peers`, assimp and jq.
 *
 *     bench_convert [--samples N] [--markdown] [--tool PATH] */
#include "ossa/export.h"

#include "contender.h"
#include "figure.h"
#include "naive.h"
#include "process.h"
#include "table.h"
#include "lanes/kernels.h"

#include <math.h>
#include <unistd.h>

enum { PEER, NAIVE, OSSA, COLUMNS };

static const char *const columns[COLUMNS] = {"others", "naive C", "Ossa"};

_Noreturn static void fail(const char *what, const char *why)
{
    fprintf(stderr, "bench_convert: %s: %s\n", what, why);
    exit(1);
}

enum { TEXT_SIZE = 16 << 20, LINKS = 100000 };

/* The figure as files of Shadow of the Colossus, and what is made of them. */
struct files {
    struct bytes skb;
    struct bytes anb;
    ossa_input inputs[2];
    float *rotations; /* the naive code's */
    char *text;       /* likewise, of TEXT_SIZE */
    size_t text_size; /* as much as it has to write */
    ossa_scene *scene;
    ossa_file *dumped; /* by do_dump */
    ossa_buffer buffer;
    ossa_buffer json;         /* of the animation */
    const ossa_buffer *built; /* by do_build */
    ossa_buffer glb;
};

static ossa_file *read_or_fail(const struct bytes *bytes, const char *format)
{
    ossa_error error;
    ossa_options options = {.format = format};
    ossa_file *file = ossa_read(bytes->data, bytes->size, &options, &error);
    if (file == NULL) fail(format, error.message);
    return file;
}

static ossa_scene *assemble_or_fail(const ossa_input *inputs)
{
    ossa_error error;
    ossa_scene *scene = ossa_assemble(inputs, 2, NULL, &error);
    if (scene == NULL) fail("assemble", error.message);
    return scene;
}

static void do_naive_decode(void *user)
{
    struct files *files = user;
    const ossa_sotc_anb *anb = ossa_as_sotc_anb(files->inputs[1].file);
    for (uint32_t i = 0; i < anb->bone_count; i++) {
        naive_decode(anb->bones[i].keys.packed, anb->pose_count, anb->bones[i].constants,
                     files->rotations + 4 * (size_t)i, 4 * (size_t)anb->bone_count);
    }
}

/* One track after another into the same small buffer: decoding, without the memory of a clip. */
static void do_naive_tracks(void *user)
{
    struct files *files = user;
    const ossa_sotc_anb *anb = ossa_as_sotc_anb(files->inputs[1].file);
    for (uint32_t i = 0; i < anb->bone_count; i++) {
        naive_decode(anb->bones[i].keys.packed, anb->pose_count, anb->bones[i].constants,
                     files->rotations, 4);
    }
}

/* What a runtime clip does with packed keys. All tracks of this figure leave out w. */
static void do_tracks(void *user)
{
    struct files *files = user;
    const ossa_sotc_anb *anb = ossa_as_sotc_anb(files->inputs[1].file);
    const struct ossa__packed_shifts shifts = OSSA__SHIFTS_IN_ORDER;
    for (uint32_t i = 0; i < anb->bone_count; i++) {
        struct ossa__packing packing = {.same_missing = 3};
        packing.missing[3][0] = -1;
        for (unsigned c = 0; c < 3; c++) {
            float sign = c == 0 ? -1.0F : 1.0F;
            packing.centre[c][0] = sign * anb->bones[i].constants[2 * c];
            packing.step[c][0] = sign * anb->bones[i].constants[2 * c + 1] / 256.0F;
        }
        (void)ossa__kernels()->unpack(anb->bones[i].keys.packed, anb->pose_count, &shifts, &packing,
                                      files->rotations, 4);
    }
}

/* The last track is that of the scene. */
static void check_tracks(struct files *files, void (*decode)(void *))
{
    const float *keys = files->scene->clips[0].rotations.keys + (size_t)4 * (FIGURE_BONES - 1);
    decode(files);
    for (size_t f = 0; f < FIGURE_FRAMES; f++) {
        for (size_t k = 0; k < 4; k++) {
            float wanted = keys[f * 4 * FIGURE_BONES + k];
            if (fabsf(files->rotations[4 * f + k] - wanted) < 1e-3F) continue;
            fail("decode alone", "its rotations are others");
        }
    }
}

static void do_assemble(void *user)
{
    ossa_scene_free(assemble_or_fail(((struct files *)user)->inputs));
}

static void check_decode(struct files *files)
{
    const ossa_tracks *tracks = &files->scene->clips[0].rotations;
    do_naive_decode(files);
    if (tracks->count != FIGURE_BONES) fail("assemble", "a bone does not move");
    for (size_t i = 0; i < (size_t)4 * FIGURE_BONES * FIGURE_FRAMES; i++) {
        if (!(fabsf(tracks->keys[i] - files->rotations[i]) < 1e-3F)) {
            fail("naive decode", "its rotations are others");
        }
    }
}

/* About what a GLB takes: the keys in a buffer, and the buffer in another. */
static void do_naive_gltf(void *user)
{
    struct files *files = user;
    do_naive_decode(files);
    memcpy(files->text, files->glb.data, files->glb.size);
}

static void do_naive_print(void *user)
{
    struct files *files = user;
    const ossa_tracks *tracks = &files->scene->clips[0].rotations;
    naive_print(tracks->keys, (size_t)4 * FIGURE_BONES * FIGURE_FRAMES, files->text,
                files->text_size);
}

static void do_naive_parse(void *user)
{
    struct files *files = user;
    double sum = naive_parse((const char *)files->built->data, files->built->size);
    if (!(sum > 0.0)) fail("naive parse", "finds nothing");
}

static void do_naive_links(void *user)
{
    const struct bytes *lnk = user;
    if (naive_links(lnk->data, lnk->size) != LINKS - 1) fail("naive links", "a parent is missing");
}

static void do_gltf(void *user)
{
    struct files *files = user;
    files->buffer.size = 0; /* its memory is used again, so that only the writing is timed */
    if (!ossa_write_gltf(files->scene, NULL, ossa_buffer_sink(&files->buffer), (ossa_sink){0},
                         NULL)) {
        fail("glTF", "cannot be written");
    }
}

/* From the bytes of the files to those of the GLB. */
static void do_convert(void *user)
{
    struct files *files = user;
    struct files own = {.buffer = files->buffer};
    own.inputs[0] = (ossa_input){.path = "figure.skb", .file = read_or_fail(&files->skb, NULL)};
    own.inputs[1] = (ossa_input){.path = "walk.anb", .file = read_or_fail(&files->anb, NULL)};
    own.scene = assemble_or_fail(own.inputs);
    do_gltf(&own);
    files->buffer = own.buffer;
    ossa_scene_free(own.scene);
    ossa_file_free(own.inputs[0].file);
    ossa_file_free(own.inputs[1].file);
}

static void do_bvh(void *user)
{
    struct files *files = user;
    files->buffer.size = 0;
    if (!ossa_write_bvh(files->scene, &files->scene->clips[0], NULL,
                        ossa_buffer_sink(&files->buffer), NULL)) {
        fail("BVH", "cannot be written");
    }
}

static void do_csv(void *user)
{
    struct files *files = user;
    files->buffer.size = 0;
    if (!ossa_write_csv(files->scene, NULL, ossa_buffer_sink(&files->buffer), NULL)) {
        fail("CSV", "cannot be written");
    }
}

static void do_scene_json(void *user)
{
    struct files *files = user;
    files->buffer.size = 0;
    if (!ossa_write_scene_json(files->scene, NULL, ossa_buffer_sink(&files->buffer), NULL)) {
        fail("scene JSON", "cannot be written");
    }
}

static void do_dump(void *user)
{
    struct files *files = user;
    files->buffer.size = 0;
    if (!ossa_dump(files->dumped, OSSA_JSON_STYLE_LINE, ossa_buffer_sink(&files->buffer), NULL)) {
        fail("dump", "cannot be written");
    }
}

static void do_build(void *user)
{
    struct files *files = user;
    ossa_error error;
    ossa_file *file =
        ossa_build((const char *)files->built->data, files->built->size, NULL, &error);
    if (file == NULL) fail("build", error.message);
    ossa_file_free(file);
}

static void do_read_lnk(void *user)
{
    ossa_file_free(read_or_fail(user, "ei-lnk"));
}

#ifdef BENCH_ASSIMP
static void do_assimp(void *user)
{
    const struct files *files = user;
    if (assimp_convert(files->glb.data, files->glb.size, "glb") == 0) fail("assimp", "failed");
}
#endif

/* A run that gives files->buffer, by the bytes that it gives. */
static struct row output_row(struct files *files, const char *name, void (*run)(void *))
{
    run(files);
    files->text_size = files->buffer.size;
    if (files->text_size > TEXT_SIZE) fail(name, "is too long");
    return (struct row){.name = name,
                        .item = "bytes",
                        .unit = MEGA_PER_SECOND,
                        .items = (double)files->buffer.size,
                        .labels = {[NAIVE] = "snprintf"},
                        .works = {[NAIVE] = {do_naive_print, files, 0}, [OSSA] = {run, files, 0}}};
}

/* The buffer as a copy of its own; the next run writes over the old one. */
static ossa_buffer take_buffer(struct files *files)
{
    ossa_buffer taken = files->buffer;
    files->buffer = (ossa_buffer){0};
    return taken;
}

static void open_files(struct files *files)
{
    files->skb = make_skb(FIGURE_BONES);
    files->anb = make_anb(FIGURE_BONES, FIGURE_FRAMES, 0);
    files->inputs[0] =
        (ossa_input){.path = "figure.skb", .file = read_or_fail(&files->skb, "sotc-skb")};
    files->inputs[1] =
        (ossa_input){.path = "walk.anb", .file = read_or_fail(&files->anb, "sotc-anb")};
    files->rotations = must(calloc((size_t)FIGURE_BONES * FIGURE_FRAMES, 4 * sizeof(float)));
    files->text = must(malloc(TEXT_SIZE));
    files->scene = assemble_or_fail(files->inputs);
    do_gltf(files);
    files->glb = take_buffer(files);
    files->dumped = files->inputs[1].file;
    do_dump(files);
    files->json = take_buffer(files);
}

static void close_files(struct files *files)
{
    ossa_scene_free(files->scene);
    for (unsigned i = 0; i < 2; i++) ossa_file_free(files->inputs[i].file);
    free(files->skb.data);
    free(files->anb.data);
    free(files->rotations);
    free(files->text);
    ossa_buffer_free(&files->buffer);
    ossa_buffer_free(&files->json);
    ossa_buffer_free(&files->glb);
}

/* files->dumped to JSON, and back. */
static void show_json(const struct table *table, struct files *files, const char *dump,
                      const char *build)
{
    struct row row = output_row(files, dump, do_dump);
    show_row(table, &row);
    ossa_buffer json = take_buffer(files);
    files->built = &json;
    row.name = build;
    row.labels[NAIVE] = "strtod";
    row.works[NAIVE].run = do_naive_parse;
    row.works[OSSA].run = do_build;
    show_row(table, &row);
    ossa_buffer_free(&json);
}

static void show_files(const struct table *table, struct files *files)
{
    check_decode(files);
    struct row row = {
        .name = "ANB decode during assembly",
        .item = "rotations",
        .unit = MEGA_PER_SECOND,
        .items = (double)FIGURE_BONES * FIGURE_FRAMES,
        .works = {[NAIVE] = {do_naive_decode, files, 0}, [OSSA] = {do_assemble, files, 0}}};
    show_row(table, &row);
    check_tracks(files, do_naive_tracks);
    check_tracks(files, do_tracks);
    row.name = "ANB decode alone";
    row.works[NAIVE].run = do_naive_tracks;
    row.works[OSSA].run = do_tracks;
    show_row(table, &row);
    row = (struct row){
        .name = "ANB to GLB in process",
        .item = "clip",
        .unit = MILLISECONDS,
        .items = 1,
        .labels = {[NAIVE] = "decode and copy"},
        .works = {[NAIVE] = {do_naive_gltf, files, 0}, [OSSA] = {do_convert, files, 0}}};
#ifdef BENCH_ASSIMP
    row.labels[PEER] = "libassimp, from GLB";
    row.works[PEER] = (struct work){do_assimp, files, 0};
#endif
    show_row(table, &row);
    row = output_row(files, "scene to BVH", do_bvh);
    show_row(table, &row);
    row = output_row(files, "scene to CSV", do_csv);
    show_row(table, &row);
    row = output_row(files, "scene to JSON", do_scene_json);
    show_row(table, &row);
    show_json(table, files, "dump of an ANB", "build of an ANB");
    struct bytes floats = make_anim(FIGURE_BONES, FIGURE_FRAMES);
    files->dumped = read_or_fail(&floats, "mm-anim");
    show_json(table, files, "dump of floats (mm-anim)", "build of floats");
    ossa_file_free(files->dumped);
    free(floats.data);
    struct bytes lnk = make_lnk(LINKS);
    row = (struct row){
        .name = "LNK of 100,000 links",
        .item = "file",
        .unit = MILLISECONDS,
        .items = 1,
        .works = {[NAIVE] = {do_naive_links, &lnk, 0}, [OSSA] = {do_read_lnk, &lnk, 0}}};
    show_row(table, &row);
    free(lnk.data);
}

/* ---- whole processes ----------------------------------------------------------------------- */

static void do_process(void *user)
{
    run_process(user);
}

static void show_processes(const struct table *table, struct files *files, const char *tool)
{
    char folder[] = "/tmp/ossa-bench-XXXXXX";
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) stop(folder);
    write_file("figure.skb", files->skb.data, files->skb.size);
    write_file("walk.anb", files->anb.data, files->anb.size);
    write_file("walk.glb", files->glb.data, files->glb.size);
    write_file("dump.json", files->json.data, files->json.size);
    struct command nothing = {{"true"}};
    struct command version = {{tool, "--version"}};
    struct command info = {{tool, "info", "figure.skb"}};
    struct command convert = {
        {tool, "convert", "-q", "--force", "figure.skb", "walk.anb", "-o", "out.glb"}};
    struct command cat = {{"cat", "dump.json"}};
    struct command dump = {{tool, "dump", "walk.anb"}};
    struct command build = {{tool, "build", "dump.json", "-o", "-"}};
    struct row row = {
        .name = "whole process: ossa --version",
        .item = "run",
        .unit = MILLISECONDS,
        .items = 1,
        .is_process = true,
        .labels = {[NAIVE] = "empty process"},
        .works = {[NAIVE] = {do_process, &nothing, 0}, [OSSA] = {do_process, &version, 0}}};
    show_row(table, &row);
    row.name = "whole process: ossa info of a small file";
    row.works[OSSA].user = &info;
    show_row(table, &row);
    row.name = "whole process: ANB to GLB";
    row.works[OSSA].user = &convert;
#ifdef BENCH_ASSIMP
    struct command assimp = {{"assimp", "export", "walk.glb", "other.glb"}};
    if (can_run("assimp")) {
        row.labels[PEER] = "assimp, from GLB";
        row.works[PEER] = (struct work){do_process, &assimp, 0};
    } else {
        fprintf(stderr, "assimp: skipped, it is not installed (assimp-utils)\n");
    }
#endif
    show_row(table, &row);
    row = (struct row){.name = "whole process: dump",
                       .item = "bytes",
                       .unit = MEGA_PER_SECOND,
                       .items = (double)files->json.size,
                       .is_process = true,
                       .labels = {[NAIVE] = "cat"},
                       .works = {[NAIVE] = {do_process, &cat, 0}, [OSSA] = {do_process, &dump, 0}}};
#ifdef BENCH_PEERS
    struct command jq = {{"jq", "-c", ".", "dump.json"}};
    if (can_run("jq")) {
        row.labels[PEER] = "jq -c .";
        row.works[PEER] = (struct work){do_process, &jq, 0};
    } else {
        fprintf(stderr, "jq: skipped, it is not installed (jq)\n");
    }
#endif
    show_row(table, &row);
    row.name = "whole process: build";
    row.works[OSSA].user = &build;
    show_row(table, &row);
    if (chdir("/") != 0) stop("/");
    remove_folder(folder);
}

/* -------------------------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
    struct table table = {.columns = columns, .column_count = COLUMNS, .yardstick = NAIVE};
    const char *tool = OSSA_TOOL; /* the one of this build */
    static struct files files;
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "--tool") == 0) tool = argv[i + 1];
    }
#if defined BENCH_PEERS && !defined BENCH_ASSIMP
    fputs("libassimp: skipped, it is not installed (libassimp-dev)\n", stderr);
#endif
    start_table(&table, argc, argv);
    open_files(&files);
    show_files(&table, &files);
    show_processes(&table, &files, tool);
    close_files(&files);
    return 0;
}
