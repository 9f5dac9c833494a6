/* SPDX-License-Identifier: MIT
 *
 * sotc-dots: coloured points. No game has such a file: it shows and tests how a format with a
 * fixed binary layout is added (docs/adding-a-format.md).
 *
 *     char "DOTS"
 *     u32  dot_count
 *     dot  dots[dot_count]    vec3 position, u32 colour
 *
 * Not known: nothing. */
#include "formats/modules.h"

#include "codec/layout.h"
#include "ossa/games/shadow_of_the_colossus.h"

enum { HEADER_SIZE = 8, DOT_SIZE = 16 };

static const struct ossa__item dot_items[] = {
    OSSA__NUMBERS(ossa_sotc_dot, position, "position", .shape = &ossa__shape_vec3,
                  .checks = OSSA__CHECK_FINITE),
    OSSA__U32(ossa_sotc_dot, colour, "colour"),
};
static const struct ossa__layout dot_layout = OSSA__LAYOUT(ossa_sotc_dot, dot_items);

static const struct ossa__item items[] = {
    OSSA__MAGIC("magic", "DOTS", 4),
    OSSA__COUNT(ossa_sotc_dots, dot_count, "dot_count"),
    OSSA__ARRAY(ossa_sotc_dots, dots, "dots", dot_count, .record = &dot_layout),
    OSSA__TAIL(ossa_sotc_dots),
};
static const struct ossa__layout layout = OSSA__LAYOUT(ossa_sotc_dots, items);

static ossa_confidence probe_dots(const uint8_t *data, uint64_t size)
{
    if (size < HEADER_SIZE || memcmp(data, "DOTS", 4) != 0) return OSSA_CONFIDENCE_NONE;
    uint64_t count = ossa__peek_u32(data, size, 4);
    return count == (size - HEADER_SIZE) / DOT_SIZE && (size - HEADER_SIZE) % DOT_SIZE == 0
               ? OSSA_CONFIDENCE_SIGNATURE
               : OSSA_CONFIDENCE_DAMAGED;
}

static bool may_begin(const uint8_t *start, uint64_t size)
{
    (void)size;
    return memcmp(start, "DOTS", 4) == 0;
}

static void *read_dots(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader reader;
    uint64_t at[OSSA__LAYOUT_ITEMS];
    ossa__reader_init(&reader, context, data, size);
    ossa_sotc_dots *dots = ossa__layout_new(context, &layout);
    if (dots == NULL || !ossa__layout_read(&reader, &layout, dots, at)) return NULL;
    if (context->options.check_values) ossa__layout_check(context, &layout, dots, at);
    return dots;
}

static void write_dots(struct ossa__context *context, const void *contents,
                       struct ossa__writer *writer)
{
    (void)context;
    ossa__layout_write(writer, &layout, contents);
}

static void dump_dots(const void *contents, struct ossa__json *json)
{
    ossa__layout_dump(json, &layout, contents);
}

static void *build_dots(struct ossa__context *context, const struct ossa__value *data,
                        uint64_t size)
{
    (void)size;
    ossa_sotc_dots *dots = ossa__layout_new(context, &layout);
    if (dots != NULL) ossa__layout_build(data, &layout, dots);
    return dots;
}

static void describe_dots(const void *contents, struct ossa__report *report)
{
    const ossa_sotc_dots *dots = contents;
    ossa__report_integer(report, "dots", "dots", dots->dot_count);
}

ossa_sotc_dots *ossa_as_sotc_dots(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_sotc_dots);
}

const struct ossa__format ossa__format_sotc_dots = {
    .about = {.id = "sotc-dots",
              .title = "Toy: coloured points",
              .game = "Shadow of the Colossus (2005)",
              .extensions = "dots",
              .kind = OSSA_KIND_TABLE},
    .game = &ossa__game_shadow_of_the_colossus,
    .role = OSSA__ROLE_NONE,
    .probe = probe_dots,
    .may_begin = may_begin,
    .read = read_dots,
    .write = write_dots,
    .dump = dump_dots,
    .build = OSSA__BUILT_BY(build_dots),
    .describe = describe_dots,
};
