/* SPDX-License-Identifier: MIT
 *
 * sotc-note: a list of words and numbers, as text. No game has such a file: it shows and tests how
 * a text format is added (docs/adding-a-format.md).
 *
 *     note
 *     WORD NUMBER      any number of lines; one space, a number of one to nine digits
 *
 * The lines say everything, so the text itself need not be kept. Not known: nothing. */
#include "formats/modules.h"

#include "ossa/games/shadow_of_the_colossus.h"

#include <stdio.h>

static const char signature[] = "note\n";
enum { SIGNATURE_SIZE = sizeof signature - 1, LONGEST_LINE = 64, MOST_DIGITS = 9 };

static ossa_confidence probe_note(const uint8_t *data, uint64_t size)
{
    bool is_note = size >= SIGNATURE_SIZE && memcmp(data, signature, SIGNATURE_SIZE) == 0;
    return !is_note                 ? OSSA_CONFIDENCE_NONE
           : data[size - 1] == '\n' ? OSSA_CONFIDENCE_SIGNATURE
                                    : OSSA_CONFIDENCE_DAMAGED;
}

static bool may_begin(const uint8_t *start, uint64_t size)
{
    (void)size;
    return memcmp(start, signature, SIGNATURE_SIZE) == 0;
}

/* ---- read ---------------------------------------------------------------------------------- */

/* How many bytes before this one; UINT64_MAX: it is not there, or too far away. */
static uint64_t distance(const uint8_t *data, uint64_t size, uint64_t at, char wanted)
{
    for (uint64_t i = at; i < size && i - at < LONGEST_LINE; i++) {
        if (data[i] == (uint8_t)wanted) return i - at;
    }
    return UINT64_MAX;
}

static bool parse_number(const char *text, uint64_t size, uint32_t *number)
{
    if (size == 0 || size > MOST_DIGITS || (size > 1 && text[0] == '0')) return false;
    *number = 0;
    for (uint64_t i = 0; i < size; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
        *number = *number * 10 + (uint32_t)(text[i] - '0');
    }
    return true;
}

static void read_line(struct ossa__reader *reader, ossa_sotc_line *line)
{
    struct ossa__context *context = reader->context;
    uint64_t at = reader->position;
    uint64_t word = distance(reader->data, reader->end, at, ' ');
    uint64_t all = distance(reader->data, reader->end, at, '\n');
    if (all == UINT64_MAX || word == 0 || word > all) {
        ossa__fail(context, OSSA_CODE_BAD_VALUE, at, "word", "expected a word, a space, a number");
        return;
    }
    line->word = (const char *)ossa__read_bytes(reader, "word", OSSA_FIELD_TYPE_TEXT, word);
    line->word_size = (uint32_t)word;
    (void)ossa__read_bytes(reader, "space", OSSA_FIELD_TYPE_TEXT, 1);
    at = reader->position;
    const uint8_t *digits =
        ossa__read_bytes(reader, "number", OSSA_FIELD_TYPE_TEXT, all - word - 1);
    if (!parse_number((const char *)digits, all - word - 1, &line->number)) {
        ossa__fail(context, OSSA_CODE_BAD_VALUE, at, "number", "expected one to nine digits");
    }
    (void)ossa__read_bytes(reader, "end", OSSA_FIELD_TYPE_TEXT, 1);
}

static void *read_note(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct ossa__reader reader;
    ossa__reader_init(&reader, context, data, size);
    const uint8_t *start =
        ossa__read_bytes(&reader, "signature", OSSA_FIELD_TYPE_TEXT, SIGNATURE_SIZE);
    if (start == NULL) return NULL;
    if (memcmp(start, signature, SIGNATURE_SIZE) != 0) {
        ossa__fail(context, OSSA_CODE_BAD_MAGIC, 0, "signature", "expected a line \"note\"");
        return NULL;
    }
    uint64_t count = 0;
    for (uint64_t i = SIGNATURE_SIZE; i < size; i++) count += data[i] == '\n' ? 1 : 0;
    if (count < size - SIGNATURE_SIZE) count++; /* a last line that does not end */
    ossa_sotc_note *note = ossa__take(context, 1, sizeof *note);
    ossa_sotc_line *lines = ossa__take(context, count, sizeof *lines);
    if (lines == NULL) return NULL;
    *note = (ossa_sotc_note){.lines = lines};
    while (ossa__left(&reader) > 0 && !context->failed) {
        ossa__enter(context, "lines", note->line_count);
        read_line(&reader, &lines[note->line_count]);
        ossa__leave(context);
        note->line_count++;
    }
    return note;
}

/* ---- write --------------------------------------------------------------------------------- */

static void write_note(struct ossa__context *context, const void *contents,
                       struct ossa__writer *writer)
{
    const ossa_sotc_note *note = contents;
    (void)context;
    ossa__write_bytes(writer, signature, SIGNATURE_SIZE);
    for (uint32_t i = 0; i < note->line_count; i++) {
        char digits[16];
        int length = snprintf(digits, sizeof digits, " %u\n", (unsigned)note->lines[i].number);
        ossa__write_bytes(writer, note->lines[i].word, note->lines[i].word_size);
        ossa__write_bytes(writer, digits, (uint64_t)length);
    }
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void dump_note(const void *contents, struct ossa__json *json)
{
    const ossa_sotc_note *note = contents;
    ossa__json_key(json, "lines");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < note->line_count; i++) {
        const ossa_sotc_line *line = &note->lines[i];
        ossa__json_begin_object(json);
        ossa__json_key(json, "word");
        ossa__json_text_1251(json, line->word, line->word_size);
        ossa__member_uint(json, "number", line->number);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
}

static void build_line(const struct ossa__value *value, ossa_sotc_line *line)
{
    ossa__value_allow(value, "word number");
    struct ossa__value word = ossa__value_member(value, "word");
    struct ossa__value number = ossa__value_member(value, "number");
    line->word = ossa__value_text_1251(&word, &line->word_size);
    line->number = (uint32_t)ossa__value_integer(&number, 0, 999999999);
}

static void *build_note(struct ossa__context *context, const struct ossa__value *data,
                        uint64_t size)
{
    (void)size;
    ossa__value_allow(data, "lines");
    struct ossa__value list = ossa__value_member(data, "lines");
    size_t count = ossa__value_length(&list);
    ossa_sotc_note *note = ossa__take(context, 1, sizeof *note);
    ossa_sotc_line *lines = ossa__take(context, count, sizeof *lines);
    if (lines == NULL) return NULL;
    *note = (ossa_sotc_note){.lines = lines, .line_count = (uint32_t)count};
    for (size_t i = 0; i < count && !context->failed; i++) {
        struct ossa__value item = ossa__value_item(&list, i);
        build_line(&item, &lines[i]);
    }
    return note;
}

/* ---- describe ------------------------------------------------------------------------------ */

static void describe_note(const void *contents, struct ossa__report *report)
{
    const ossa_sotc_note *note = contents;
    ossa__report_integer(report, "lines", "lines", note->line_count);
}

ossa_sotc_note *ossa_as_sotc_note(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_sotc_note);
}

const struct ossa__format ossa__format_sotc_note = {
    .about = {.id = "sotc-note",
              .title = "Toy: words and numbers",
              .game = "Shadow of the Colossus (2005)",
              .extensions = "note",
              .kind = OSSA_KIND_TABLE},
    .game = &ossa__game_shadow_of_the_colossus,
    .role = OSSA__ROLE_NONE,
    .probe = probe_note,
    .may_begin = may_begin,
    .read = read_note,
    .write = write_note,
    .dump = dump_note,
    .build = OSSA__BUILT_BY(build_note),
    .describe = describe_note,
};
