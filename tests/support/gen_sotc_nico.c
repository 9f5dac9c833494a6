/* SPDX-License-Identifier: MIT */
#include "support/fixtures.h"
#include "support/nico_fixture.h"
#include "support/sotc_fixture.h"

#include <string.h>

/* ---- archives ------------------------------------------------------------------------------ */

static void put_path(struct bytes *out, const char *path)
{
    put_bytes(out, path, strlen(path) + 1);
}

size_t put_sheet_record(struct bytes *out, const struct nico_file *file)
{
    put_u32(out, (uint32_t)strlen(file->path) + 1);
    put_u32(out, (uint32_t)file->bytes.size);
    put_path(out, file->path);
    size_t at = out->size;
    put_bytes(out, file->bytes.data, file->bytes.size);
    return at;
}

size_t put_cell_record(struct bytes *out, const struct nico_file *file)
{
    put_u32(out, (uint32_t)strlen(file->path) + 1);
    put_path(out, file->path);
    put_u32(out, (uint32_t)file->bytes.size);
    size_t at = out->size;
    put_bytes(out, file->bytes.data, file->bytes.size);
    return at;
}

struct bytes make_sheet(const struct nico_sheet *sheet)
{
    struct bytes out = {0};
    struct bytes secondary = {0};
    if (sheet->resource_count > 0) {
        put_u32(&secondary, (uint32_t)sheet->resource_count);
        put_u32(&secondary, (uint32_t)strlen(sheet->group) + 1);
        put_path(&secondary, sheet->group);
    }
    for (size_t i = 0; i < sheet->resource_count; i++) {
        put_u32(&secondary, 7);
        put_u32(&secondary, (uint32_t)i);
        put_sheet_record(&secondary, &sheet->resources[i]);
    }
    put_u32(&out, (uint32_t)sheet->primary_count);
    for (size_t i = 0; i < sheet->primary_count; i++) {
        const struct nico_file *file = &sheet->primary[i];
        put_u32(&out, 3);
        put_u32(&out, (uint32_t)i);
        put_u32(&out, (uint32_t)(8 + strlen(file->path) + 1 + file->bytes.size));
        put_u32(&out, i == 0 ? (uint32_t)secondary.size : 0);
    }
    for (size_t i = 0; i < sheet->primary_count; i++) put_sheet_record(&out, &sheet->primary[i]);
    put_bytes(&out, secondary.data, secondary.size);
    bytes_free(&secondary);
    return out;
}

struct bytes make_cell(const struct nico_file *files, size_t count)
{
    struct bytes out = {0};
    put_u32(&out, (uint32_t)count);
    for (size_t i = 0; i < count; i++) {
        put_u32(&out, (uint32_t)i);
        put_u32(&out, 4);
        put_u32(&out, 0x9e3779b9);
        put_cell_record(&out, &files[i]);
    }
    return out;
}

static void put_reference(struct bytes *out, size_t *sector, const struct bytes *part)
{
    put_u32(out, (uint32_t)*sector);
    put_u32(out, (uint32_t)part->size);
    *sector += (part->size + NICO_SECTOR - 1) / NICO_SECTOR;
}

static void put_directory(struct bytes *out, const struct nico_plan *plan, size_t sector,
                          struct nico_places *places)
{
    static const char pool[] = "stage\0stagetexseg_def";
    size_t common = plan->sheet_count - plan->localised;
    put_u32(out, 0x20051018);
    put_repeated(out, 0, 12);
    put_u32(out, 1);
    put_u32(out, sizeof pool);
    put_bytes(out, pool, sizeof pool);
    put_u32(out, (uint32_t)plan->sheet_count);
    for (size_t i = 0; i < plan->sheet_count; i++) {
        put_u16(out, (uint32_t)(i < common ? i : 0x8000 | (i - common)));
    }
    put_u32(out, (uint32_t)common);
    put_u32(out, (uint32_t)plan->localised);
    places->reference = out->size;
    for (size_t i = 0; i < plan->sheet_count; i++) put_reference(out, &sector, &plan->sheets[i]);
    put_u32(out, 1);
    put_u32(out, 6);
    put_bytes(out, "world", 6);
    put_u32(out, (uint32_t)plan->cell_count);
    put_repeated(out, 0, 8);
    for (size_t i = 0; i < plan->cell_count; i++) put_reference(out, &sector, &plan->cells[i]);
    put_repeated(out, 0, 8 * plan->cell_count); /* the second table: references to nothing */
}

static void align(struct bytes *out)
{
    while (out->size % NICO_SECTOR != 0) put_u8(out, 0);
}

struct bytes make_nico(const struct nico_plan *plan, struct nico_places *places)
{
    struct bytes out = {0};
    put_directory(&out, plan, 0, places);
    size_t sector = (out.size + NICO_SECTOR - 1) / NICO_SECTOR;
    bytes_free(&out);
    out = (struct bytes){0};
    put_directory(&out, plan, sector, places);
    places->end = out.size;
    places->sheets = sector * NICO_SECTOR;
    for (size_t i = 0; i < plan->sheet_count; i++) {
        align(&out);
        put_bytes(&out, plan->sheets[i].data, plan->sheets[i].size);
    }
    for (size_t i = 0; i < plan->cell_count; i++) {
        align(&out);
        if (i == 0) places->cells = out.size;
        put_bytes(&out, plan->cells[i].data, plan->cells[i].size);
    }
    return out;
}

/* ---- files --------------------------------------------------------------------------------- */

struct bytes make_nico_animation(const char *name, uint32_t seed)
{
    static const uint8_t flags[] = {0, 12};
    struct anb_places places;
    struct anb_plan plan = {.seed = seed, .flags = flags, .bones = 2, .poses = 2};
    return make_linked_anb(&plan, name, &places);
}

struct bytes make_nico_container(const char *word)
{
    struct xff_places places;
    struct bytes data = {0};
    put_bytes(&data, word, 4);
    put_text(&data, "own bytes");
    return wrap_in_xff((struct xff_plan){.magic = "xff2"}, data, &places);
}

/* ---- fixtures ------------------------------------------------------------------------------ */

enum { FILES = 4 };

static void make_files(struct nico_file files[FILES])
{
    files[0] = (struct nico_file){"sheet/hill.xff", make_nico_container("\5\0\0\0")};
    files[1] = (struct nico_file){"anim/bird_A_fly.anb", make_nico_animation("fly", 5)};
    files[2] = (struct nico_file){"nmo/bird_A.nmo", make_nico_container("NMO\0")};
    files[3] = (struct nico_file){"nto/feather.nto", make_nico_container("NTO2")};
}

static void free_files(struct nico_file files[FILES])
{
    for (size_t i = 0; i < FILES; i++) bytes_free(&files[i].bytes);
}

static struct bytes make_plain_sheet(const struct nico_file files[FILES])
{
    return make_sheet(&(struct nico_sheet){.primary = files,
                                           .primary_count = 1,
                                           .group = "hill",
                                           .resources = files + 1,
                                           .resource_count = FILES - 1});
}

/* With a directory, a sheet that has a localised double, and a cell. */
static struct bytes make_whole(struct nico_places *places)
{
    struct nico_file files[FILES];
    make_files(files);
    struct bytes sheets[2] = {make_plain_sheet(files), make_sheet(&(struct nico_sheet){
                                                           .primary = files, .primary_count = 2})};
    struct nico_file far[2] = {{"world/c3_4/nmo/rock.nmo", files[2].bytes},
                               {"world/c3_4/nmo/tree.nmo", files[2].bytes}};
    struct bytes cell = make_cell(far, 2);
    const struct nico_plan plan = {
        .sheets = sheets, .sheet_count = 2, .localised = 1, .cells = &cell, .cell_count = 1};
    struct bytes out = make_nico(&plan, places);
    bytes_free(&cell);
    bytes_free(&sheets[0]);
    bytes_free(&sheets[1]);
    free_files(files);
    return out;
}

/* With a directory and one sheet: small enough to be tried in all ways. */
static struct bytes make_small(struct nico_places *places)
{
    struct nico_file files[FILES];
    make_files(files);
    struct bytes sheet = make_plain_sheet(files);
    struct bytes out = make_nico(&(struct nico_plan){.sheets = &sheet, .sheet_count = 1}, places);
    bytes_free(&sheet);
    free_files(files);
    return out;
}

/* Records among other bytes. */
static struct bytes make_stream(const char *const *paths, size_t count)
{
    struct nico_file files[FILES];
    struct bytes out = {0};
    make_files(files);
    put_text(&out, "no directory");
    for (size_t i = 0; i < count; i++) {
        const struct nico_file file = {paths[i], files[i % FILES].bytes};
        if (i % 2 == 0) put_sheet_record(&out, &file);
        else put_cell_record(&out, &file);
        put_repeated(&out, (uint8_t)('w' + i), 5 + i);
    }
    free_files(files);
    return out;
}

static void add_good(struct fixtures *all)
{
    static const char *const plain[] = {"skb/bird_A.skb", "world/c0_0/anim/bird_A_fly.anb",
                                        "nmo/bird_A.nmo"};
    static const char *const odd[] = {"sheet/hill.xff", "../../up.anb", "/abs\\olute.nmo",
                                      "caf\xe9/x.nto", "sheet/hill.xff"};
    struct nico_places places;
    struct nico_file files[FILES];
    make_files(files);
    fixture_add(all, "sotc-nico/whole", make_whole(&places), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "sotc-nico/directory", make_small(&places), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "sotc-nico/sheet", make_plain_sheet(files), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "sotc-nico/cell", make_cell(files, 2), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "sotc-nico/stream", make_stream(plain, 3), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "sotc-nico/odd-paths", make_stream(odd, 5), OSSA_CONFIDENCE_SIGNATURE);
    free_files(files);
}

/* Containers in a row, without anything between them. */
static struct bytes make_row(size_t distance)
{
    struct bytes container = make_nico_container("NMO\0");
    struct bytes out = bytes_copy(container.data, container.size);
    put_repeated(&out, 0, distance);
    put_bytes(&out, container.data, container.size);
    bytes_free(&container);
    return out;
}

static struct expected_issue issue(ossa_severity severity, ossa_code code, uint64_t offset,
                                   const char *field)
{
    return (struct expected_issue){severity, code, offset, field};
}

/* A record of which one number does not fit names nothing. */
static void add_nameless(struct fixtures *all)
{
    fixture_add(all, "sotc-nico/row", make_row(100), OSSA_CONFIDENCE_SIGNATURE);

    struct nico_file files[FILES];
    struct bytes out = {0};
    make_files(files);
    put_sheet_record(&out, &files[1]);
    size_t at = out.size;
    size_t second = put_sheet_record(&out, &files[2]);
    set_u32(&out, at, get_u32(&out, at) + 1);
    at = out.size;
    put_cell_record(&out, &files[3]);
    set_u32(&out, at, get_u32(&out, at) - 1);
    fixture_add_broken(
        all, "sotc-nico/wrong-records", out, OSSA_CONFIDENCE_SIGNATURE,
        issue(OSSA_SEVERITY_REMARK, OSSA_CODE_EMPTY_NAME, second, "entries[1].name"));
    free_files(files);
}

static void add_rule_breakers(struct fixtures *all)
{
    struct nico_places places;
    struct bytes out = make_small(&places);
    set_u32(&out, places.reference, 0); /* the directory itself */
    fixture_add_broken(all, "sotc-nico/bad-directory", out, OSSA_CONFIDENCE_SIGNATURE,
                       issue(OSSA_SEVERITY_REMARK, OSSA_CODE_BAD_VALUE, places.end, "directory"));

    out = make_whole(&places);
    set_u32(&out, places.sheets, get_u32(&out, places.sheets) + 1);
    fixture_add_broken(
        all, "sotc-nico/odd-part", out, OSSA_CONFIDENCE_SIGNATURE,
        issue(OSSA_SEVERITY_REMARK, OSSA_CODE_UNUSUAL_VALUE, places.sheets, "directory"));

    out = make_whole(&places);
    out.size = places.cells - 1; /* in the padding before it */
    fixture_add_broken(
        all, "sotc-nico/lost-part", out, OSSA_CONFIDENCE_SIGNATURE,
        issue(OSSA_SEVERITY_WARNING, OSSA_CODE_BAD_OFFSET, places.cells - 1, "directory"));

    static const char *const paths[] = {"anim/a.anb", "anim/b.anb", "nmo/c.nmo"};
    out = make_stream(paths, 3);
    out.size -= 16;
    fixture_add_broken(all, "sotc-nico/cut-file", out, OSSA_CONFIDENCE_SIGNATURE,
                       issue(OSSA_SEVERITY_WARNING, OSSA_CODE_TRUNCATED, out.size, "entries"));

    /* The first says that it goes on into the second. */
    struct nico_file files[FILES];
    make_files(files);
    out = (struct bytes){0};
    put_u32(&files[0].bytes, 0); /* behind its sections */
    set_u32(&files[0].bytes, XFF_SIZE_AT, (uint32_t)files[0].bytes.size + 60);
    put_u32(&out, (uint32_t)strlen(files[0].path) + 1);
    put_u32(&out, (uint32_t)files[0].bytes.size + 60);
    put_path(&out, files[0].path);
    put_bytes(&out, files[0].bytes.data, files[0].bytes.size);
    size_t second = put_sheet_record(&out, &files[2]);
    fixture_add_broken(all, "sotc-nico/overlap", out, OSSA_CONFIDENCE_SIGNATURE,
                       issue(OSSA_SEVERITY_WARNING, OSSA_CODE_OVERLAP, second, "entries"));
    free_files(files);
}

static void add_unreadable(struct fixtures *all)
{
    struct bytes out = {0};
    put_repeated(&out, 'x', 300);
    fixture_add_broken(all, "sotc-nico/nothing", out, OSSA_CONFIDENCE_NONE,
                       issue(OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_MAGIC, 0, "entries"));
}

void generate_sotc_nico(struct fixtures *all)
{
    add_good(all);
    add_nameless(all);
    add_rule_breakers(all);
    add_unreadable(all);
}
