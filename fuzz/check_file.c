/* SPDX-License-Identifier: MIT */
#include "checks.h"

#include "codec/format.h"

#include <string.h>

/* What a listener heard of. */
struct heard {
    uint64_t told; /* every byte before this one */
    uint64_t size;
    bool any;
    bool scattered; /* fields may overlap */
    uint64_t sum;   /* so that every byte that is shown is really looked at */
};

static void on_field(void *user, const ossa_field *field)
{
    struct heard *heard = user;
    heard->any = true;
    REQUIRE(field->size > 0, "a field of no bytes");
    REQUIRE(field->offset <= heard->told, "bytes before a field were not told of");
    REQUIRE(heard->scattered || field->offset == heard->told, "a byte was told of twice");
    uint64_t end = field->offset + field->size;
    REQUIRE(end <= heard->size, "a field reaches past the end of the file");
    if (end > heard->told) heard->told = end;
    for (uint64_t i = 0; i < field->size; i++) heard->sum += field->bytes[i];
    char text[64];
    (void)ossa_field_value(field, text, sizeof text);
    REQUIRE(strlen(text) < sizeof text, "a value is not terminated");
    heard->sum += strlen(field->path);
}

static void on_issue(void *user, const ossa_issue *issue)
{
    struct heard *heard = user;
    heard->sum += strlen(issue->field) + strlen(issue->message) + strlen(issue->format);
}

static void require_same(const ossa_buffer *buffer, const uint8_t *data, size_t size,
                         const char *why)
{
    REQUIRE(buffer->size == size, why);
    REQUIRE(memcmp(buffer->data, data, size) == 0, why);
}

static void check_write(const ossa_file *file, const uint8_t *data, size_t size, const char *why)
{
    ossa_buffer out = {0};
    ossa_error error;
    REQUIRE(ossa_write(file, ossa_buffer_sink(&out), &error), error.message);
    require_same(&out, data, size, why);
    ossa_buffer_free(&out);
}

static void check_json(const ossa_file *file, ossa_json_style style, const uint8_t *data,
                       size_t size)
{
    ossa_buffer json = {0};
    ossa_error error;
    REQUIRE(ossa_dump(file, style, ossa_buffer_sink(&json), &error), error.message);
    ossa_file *built = ossa_build((const char *)json.data, json.size, NULL, &error);
    REQUIRE(built != NULL, error.message);
    check_write(built, data, size, "the JSON builds other bytes");
    ossa_file_free(built);
    ossa_buffer_free(&json);
}

static void check_description(const ossa_file *file)
{
    ossa_buffer text = {0};
    ossa_error error;
    REQUIRE(ossa_describe(file, ossa_buffer_sink(&text), &error), error.message);
    REQUIRE(ossa_describe_json(file, OSSA_JSON_STYLE_LINE, ossa_buffer_sink(&text), &error),
            error.message);
    ossa_buffer_free(&text);
}

enum { MOST_PIXELS = 1 << 18 };

/* Every level of a texture, each in a buffer of just its size. */
static void check_mmp(ossa_file *file)
{
    const ossa_ei_mmp *mmp = ossa_as_ei_mmp(file);
    for (uint32_t i = 0; mmp != NULL && i < mmp->level_count; i++) {
        uint64_t count = (uint64_t)mmp->levels[i].width * mmp->levels[i].height;
        if (count > MOST_PIXELS) continue;
        uint8_t(*pixels)[4] = malloc((size_t)count * 4 + 1);
        ossa_error error;
        if (pixels == NULL) return;
        bool ok = ossa_ei_mmp_decode(mmp, i, pixels, count, &error);
        REQUIRE(ok || error.message[0] != '\0', "a failure without a reason");
        REQUIRE(ok || file->error_count > 0, "a good texture that cannot be decoded");
        free(pixels);
    }
}

static void check_nto(ossa_file *file)
{
    const ossa_sotc_nto *nto = ossa_as_sotc_nto(file);
    for (uint32_t i = 0; nto != NULL && i < 6 * nto->level_count; i++) {
        const ossa_sotc_options options = {.sides = (ossa_sotc_sides)(i % 2),
                                           .palette = (ossa_sotc_palette)(i / 2 % 3)};
        uint32_t size[2];
        bool ok = ossa_sotc_pixels(nto, i / 6, NULL, &options, NULL, size);
        if (!ok || (uint64_t)size[0] * size[1] > MOST_PIXELS) continue;
        uint8_t(*pixels)[4] = malloc((size_t)size[0] * size[1] * 4 + 1);
        REQUIRE(pixels != NULL, "no memory");
        ok = ossa_sotc_pixels(nto, i / 6, NULL, &options, pixels, size);
        REQUIRE(ok || file->error_count > 0, "a good texture that cannot be decoded");
        free(pixels);
    }
}

/* Every key that is there, and the ones after the last. */
static void check_anb(ossa_file *file)
{
    enum { MOST_KEYS = 1 << 12 };
    const ossa_sotc_anb *anb = ossa_as_sotc_anb(file);
    unsigned keys = 0;
    for (uint32_t b = 0; anb != NULL && b < anb->bone_count; b++) {
        for (uint32_t p = 0; p <= anb->pose_count && keys < MOST_KEYS; p++, keys++) {
            double q[4];
            bool ok = ossa_sotc_quaternion(anb, b, p, q);
            REQUIRE(ok || (q[0] == 0.0 && q[3] == 1.0), "a failure that is not the identity");
            REQUIRE(!ok || p < anb->pose_count, "a key that does not exist");
        }
    }
}

static void check_fig(ossa_file *file)
{
    static const float complexion[3] = {0.25F, 2.0F, -1.0F};
    const ossa_ei_fig *fig = ossa_as_ei_fig(file);
    for (uint32_t i = 0; fig != NULL && i < 64; i++) {
        float out[3];
        ossa_ei_fig_vertex(fig, i * i * i, i % 2 == 0 ? NULL : complexion, out);
        ossa_ei_fig_normal(fig, i * i * i, out);
    }
}

static bool is_in(const uint8_t *bytes, size_t size, const uint8_t *data, size_t data_size)
{
    return size == 0 || (bytes >= data && size <= data_size - (size_t)(bytes - data));
}

/* What an archive lists can be taken out, under names that lead nowhere. */
static void check_entries(const ossa_file *file, const uint8_t *data, size_t size)
{
    ossa_options options = {.max_input = 1 << 16}; /* what is packed may say that it is 4 GiB */
    for (size_t i = 0; i < ossa_entry_count(file); i++) {
        const ossa_entry *entry = ossa_entry_at(file, i);
        char path[256];
        ossa_bytes bytes;
        ossa_error error;
        (void)ossa_entry_path(entry->name, path, sizeof path);
        REQUIRE(path[0] != '\0' && path[0] != '/' && path[0] != '.', "a path that leads away");
        REQUIRE(strstr(path, "..") == NULL && strpbrk(path, "\\:") == NULL, "a path that leads up");
        bool ok = ossa_entry_bytes(file, i, &options, &bytes, &error);
        REQUIRE(ok || error.message[0] != '\0', "a failure that says nothing");
        /* What is not in one piece, or on a disc, is fetched: the limit holds for it, too, and it
         * may be what nobody can read. */
        bool may_fail = entry->is_packed || entry->size > options.max_input;
        REQUIRE(ok || entry->is_missing || may_fail || error.code == OSSA_CODE_IO,
                "bytes that cannot be had");
        REQUIRE(!ok || bytes.size == entry->size, "another size than listed");
        REQUIRE(!ok || bytes.owned != NULL || is_in(bytes.data, bytes.size, data, size),
                "bytes from elsewhere");
        ossa_bytes_free(&bytes);
    }
}

struct memory {
    const uint8_t *data;
    size_t size;
};

static bool read_memory(void *user, uint64_t offset, void *bytes, size_t size)
{
    const struct memory *memory = user;
    REQUIRE(offset <= memory->size && size <= memory->size - offset, "a read past the end");
    if (size > 0) memcpy(bytes, memory->data + offset, size);
    return true;
}

/* Read in parts it is the same file, or fails for the same reason; `whole` is NULL where reading
 * all of it failed with `code`. */
static void check_parts(const uint8_t *data, size_t size, const char *format, const char *dialect,
                        const ossa_file *whole, ossa_code code)
{
    struct memory memory = {data, size};
    const ossa_source source = {read_memory, &memory, size};
    const ossa_options options = {
        .name = "input.anm", .format = format, .dialect = dialect, .check_values = true};
    const ossa_options small = {.max_input = 1 << 16};
    ossa_error error;
    ossa_file *file = ossa_read_from(&source, &options, &error);
    REQUIRE((file == NULL) == (whole == NULL), "only one way can be read");
    REQUIRE(file != NULL || error.code == code, "another reason in parts");
    if (file == NULL) return;
    REQUIRE(file->warning_count == whole->warning_count, "other warnings in parts");
    REQUIRE(file->error_count == whole->error_count, "other errors in parts");
    REQUIRE(ossa_entry_count(file) == ossa_entry_count(whole), "other entries in parts");
    for (size_t i = 0; i < ossa_entry_count(file); i++) {
        ossa_bytes a;
        ossa_bytes b;
        bool has_a = ossa_entry_bytes(file, i, &small, &a, NULL);
        bool has_b = ossa_entry_bytes(whole, i, &small, &b, NULL);
        REQUIRE(has_a == has_b && a.size == b.size, "an entry that only one way has");
        REQUIRE(a.size == 0 || memcmp(a.data, b.data, a.size) == 0, "other bytes in parts");
        ossa_bytes_free(&a);
        ossa_bytes_free(&b);
    }
    if (ossa_format_can(file->format, OSSA_ABILITY_WRITE)) {
        check_write(file, data, size, "writing what was read in parts gives other bytes");
    }
    ossa_file_free(file);
}

/* An archive that is read in parts is known by its start: whether the bytes behind it are of
 * another format, too, is seen only by who reads all of them. */
static bool is_claimed_twice(const uint8_t *data, size_t size)
{
    ossa_guess guesses[2];
    return ossa_probe(data, size, NULL, guesses, 2) > 1 &&
           guesses[1].confidence == OSSA_CONFIDENCE_SIGNATURE;
}

bool check_file(const uint8_t *data, size_t size, const char *format, const char *dialect,
                bool scattered)
{
    struct heard heard = {.size = size, .scattered = scattered};
    bool is_clear = format != NULL || !is_claimed_twice(data, size);
    ossa_options options = {.name = "input.anm",
                            .format = format,
                            .dialect = dialect,
                            .check_values = true,
                            .max_issues = 8,
                            .on_issue = on_issue,
                            .on_field = on_field,
                            .user = &heard};
    ossa_error error;
    ossa_file *file = ossa_read(data, size, &options, &error);
    REQUIRE(!heard.any || heard.told == size, "the last bytes were not told of");
    if (file == NULL) {
        char text[OSSA_MESSAGE_CAPACITY];
        (void)ossa_error_text(&error, text, sizeof text);
        REQUIRE(error.code != OSSA_CODE_OK && text[0] != '\0', "a failure without a reason");
        if (is_clear) check_parts(data, size, format, dialect, NULL, error.code);
        return false;
    }
    if (is_clear) check_parts(data, size, format, dialect, file, OSSA_CODE_OK);
    REQUIRE(heard.any, "a file was read and nobody told of it");
    const ossa_format *about = file->format;
    if (ossa_format_can(about, OSSA_ABILITY_WRITE)) {
        check_write(file, data, size, "writing gives other bytes");
    }
    if (ossa_format_can(about, OSSA_ABILITY_DUMP) && ossa_format_can(about, OSSA_ABILITY_BUILD)) {
        check_json(file, size % 4 < 2 ? OSSA_JSON_STYLE_LINE : OSSA_JSON_STYLE_PRETTY, data, size);
    }
    check_description(file);
    check_mmp(file);
    check_nto(file);
    check_anb(file);
    check_fig(file);
    check_entries(file, data, size);
    bool is_good = file->error_count == 0;
    ossa_file_free(file);
    return is_good;
}
