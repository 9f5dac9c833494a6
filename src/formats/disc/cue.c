/* SPDX-License-Identifier: MIT
 *
 * cue: which tracks a disc has, and which files beside it hold them, as text.
 *
 *     FILE "game (Track 1).bin" BINARY      name, type: what follows is in this file
 *       TRACK 01 MODE2/2352                 number, mode and bytes per sector
 *         INDEX 01 00:00:00                 number, minutes:seconds:frames in the file
 *     FILE "game (Track 2).bin" BINARY
 *       TRACK 02 AUDIO
 *         INDEX 00 00:00:00                 the gap before the track
 *         INDEX 01 00:02:00                 the track
 *
 * It leads to the file of the first data track, from its INDEX 01 on, and never out of its own
 * folder: names are hostile. The text itself is kept, so that comments and spelling survive.
 *
 * Unknown: in which code page names are that are not UTF-8. They are read as Latin-1. */
#include "formats/modules.h"

#include "archive/entries.h"
#include "base/json.h"
#include "base/text.h"
#include "codec/lines.h"
#include "formats/disc/cue_lead.h"
#include "formats/disc/cue_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { RAW = 2352 }; /* bytes of a sector as a drive reads it */

/* What an ossa_cue is part of. */
struct sheet {
    ossa_cue cue; /* first: a pointer to it is a pointer to this */
    struct ossa__lead lead;
};

static ossa_confidence probe_cue(const uint8_t *data, uint64_t size)
{
    return ossa__cue_probe((const char *)data, size);
}

static bool may_begin(const uint8_t *start, uint64_t size)
{
    return probe_cue(start, size) != OSSA_CONFIDENCE_NONE; /* it looks at no more */
}

/* ---- read ---------------------------------------------------------------------------------- */

struct parser {
    struct ossa__context *context;
    struct ossa__reader reader; /* everything before its position has been claimed */
    const char *text;
    uint64_t line;        /* its number, from 0 */
    ossa_cue_file *files; /* have room for all */
    ossa_cue_track *tracks;
    ossa_cue_index *indices;
    ossa_cue *cue;
    /* The last index of the file: where it is, and how large the sectors behind it are. */
    uint32_t frame;
    uint64_t offset;
    uint32_t sector_size; /* 0: it has none */
};

/* Everything up to `end` that is not a field of its own: commands, quotes, white space. */
static void claim_syntax(struct parser *parser, uint64_t end)
{
    uint64_t size = end - parser->reader.position;
    unsigned depth = parser->context->depth;
    parser->context->depth = 0; /* it belongs to nothing */
    if (size > 0) (void)ossa__read_bytes(&parser->reader, "syntax", OSSA_FIELD_TYPE_TEXT, size);
    parser->context->depth = depth;
}

static void claim(struct parser *parser, const char *field, struct ossa__cue_span span)
{
    if (span.begin == span.end) return;
    claim_syntax(parser, span.begin);
    (void)ossa__read_bytes(&parser->reader, field, OSSA_FIELD_TYPE_TEXT, span.end - span.begin);
}

static struct ossa__piece show(const struct parser *parser, struct ossa__cue_span span)
{
    return ossa__show_piece(parser->text + span.begin, span.end - span.begin);
}

#define report(parser, severity, code, span, field, ...)                                           \
    ossa__issue((parser)->context, OSSA_SEVERITY_##severity, OSSA_CODE_##code, (span).begin,       \
                field, __VA_ARGS__)

/* A name as UTF-8, in the arena; NULL after a failure. */
static const char *keep_name(struct parser *parser, struct ossa__cue_span span)
{
    const char *bytes = parser->text + span.begin;
    size_t size = (size_t)(span.end - span.begin);
    bool is_utf8 = ossa__utf8_is_valid(bytes, size) && memchr(bytes, '\0', size) == NULL;
    size_t room = is_utf8 ? size + 1 : ossa__name_text(bytes, size, ossa__latin_to_unicode, NULL);
    char *name = ossa__take(parser->context, room, 1);
    if (name == NULL) return NULL;
    if (!is_utf8) (void)ossa__name_text(bytes, size, ossa__latin_to_unicode, name);
    else if (size > 0) memcpy(name, bytes, size);
    if (is_utf8) name[size] = '\0';
    return name;
}

static void read_file(struct parser *parser, const struct ossa__cue_line *line)
{
    struct ossa__cue_names names = ossa__cue_split_file(parser->text, line->arguments);
    ossa_cue_file *file = &parser->files[parser->cue->file_count];
    bool is_known;
    *file = (ossa_cue_file){.name = keep_name(parser, names.name),
                            .type = parser->text + names.type.begin,
                            .type_size = (uint32_t)(names.type.end - names.type.begin),
                            .is_sound = ossa__cue_is_sound(parser->text, names.type, &is_known)};
    if (file->name == NULL) return;
    ossa__enter(parser->context, "files", parser->cue->file_count++);
    claim(parser, "name", names.name);
    claim(parser, "type", names.type);
    const char *refusal = ossa__cue_refuse_name(file->name);
    struct ossa__shown name = ossa__show_name(file->name);
    if (names.is_open) {
        file->name = ""; /* nobody knows where it ends */
        report(parser, ERROR, BAD_VALUE, names.name, "name", "the second quote is missing");
    } else if (file->name[0] == '\0') {
        report(parser, ERROR, EMPTY_NAME, names.name, "name", "the file has no name");
    } else if (refusal != NULL) {
        report(parser, ERROR, BAD_VALUE, names.name, "name", "'%s' %s", name.text, refusal);
    } else if (strpbrk(file->name, "/\\") != NULL) {
        report(parser, WARNING, UNUSUAL_VALUE, names.name, "name",
               "'%s' names a folder; the file is looked for beside the sheet", name.text);
    }
    if (!is_known && !names.is_open) {
        bool has_type = names.type.begin < names.type.end;
        report(parser, WARNING, UNUSUAL_VALUE, names.type, "type",
               "'%s' is not a known type; the file is taken for BINARY",
               has_type ? show(parser, names.type).text : "nothing");
    }
    ossa__leave(parser->context);
    parser->frame = 0;
    parser->offset = 0;
    parser->sector_size = 0;
}

/* All lines of the last track have been read. */
static void end_track(struct parser *parser, uint64_t end)
{
    const ossa_cue *cue = parser->cue;
    if (cue->track_count == 0) return;
    if (ossa__cue_find_index(cue, &cue->tracks[cue->track_count - 1], 1) != NULL) return;
    ossa__enter(parser->context, "tracks", cue->track_count - 1);
    ossa__issue(parser->context, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, end, "indices",
                "the track has no INDEX 01, where it begins");
    ossa__leave(parser->context);
}

static void read_track(struct parser *parser, const struct ossa__cue_line *line)
{
    ossa_cue *cue = parser->cue;
    struct ossa__cue_span left = line->arguments;
    struct ossa__cue_span number = ossa__cue_take_word(parser->text, &left);
    struct ossa__cue_span word = ossa__cue_take_word(parser->text, &left);
    struct ossa__cue_mode mode = ossa__cue_find_mode(parser->text, word);
    end_track(parser, line->all.begin);
    uint32_t index = cue->track_count++;
    ossa_cue_track *track = &parser->tracks[index];
    *track = (ossa_cue_track){.mode = parser->text + word.begin,
                              .mode_size = (uint32_t)(word.end - word.begin),
                              .sector_size = mode.sector_size,
                              .is_data = mode.is_data,
                              .first_index = cue->index_count};
    bool is_number = ossa__cue_number(parser->text, number, &track->number);
    if (mode.is_data && cue->data_track == OSSA_CUE_NONE) cue->data_track = index;
    ossa__enter(parser->context, "tracks", index);
    claim(parser, "number", number);
    claim(parser, "mode", word);
    if (cue->file_count == 0) {
        report(parser, ERROR, BAD_ORDER, line->all, "", "no FILE comes before the track");
    }
    if (!is_number || track->number < 1 || track->number > 99) {
        report(parser, ERROR, BAD_VALUE, number, "number", "'%s' is not a number from 1 to 99",
               show(parser, number).text);
    } else if (index > 0 && track->number <= cue->tracks[index - 1].number) {
        report(parser, WARNING, BAD_ORDER, number, "number",
               "track %" PRIu32 " comes after track %" PRIu32, track->number,
               cue->tracks[index - 1].number);
    }
    if (mode.sector_size == 0) {
        report(parser, ERROR, BAD_VALUE, word, "mode", "the mode '%s' is not known",
               show(parser, word).text);
    }
    ossa__leave(parser->context);
}

/* A time as frames; false: it is none. */
static bool read_time(struct parser *parser, const char *field, struct ossa__cue_span word,
                      uint32_t *frames)
{
    bool is_in_range;
    claim(parser, field, word);
    if (!ossa__cue_time(parser->text, word, frames, &is_in_range)) {
        report(parser, ERROR, BAD_VALUE, word, field, "'%s' is not a time, like 00:02:00",
               show(parser, word).text);
        return false;
    }
    if (!is_in_range) {
        report(parser, ERROR, BAD_VALUE, word, field,
               "'%s' is out of range: seconds end at 59, frames at 74", show(parser, word).text);
    }
    return true;
}

/* Where an index is in its file, in bytes. Sectors before it are as large as those of the track
 * that they belong to. */
static void place_index(struct parser *parser, const ossa_cue_track *track, ossa_cue_index *index,
                        struct ossa__cue_span time)
{
    uint32_t size = track->sector_size == 0 ? RAW : track->sector_size;
    if (parser->sector_size == 0) parser->sector_size = size;
    if (index->frame < parser->frame) {
        report(parser, ERROR, BAD_ORDER, time, "time", "is before the index that precedes it");
        index->offset = (uint64_t)index->frame * size;
    } else {
        uint64_t step = index->frame - parser->frame;
        index->offset = parser->offset + step * parser->sector_size;
    }
    parser->frame = index->frame;
    parser->offset = index->offset;
    parser->sector_size = size;
}

static void read_index(struct parser *parser, const struct ossa__cue_line *line)
{
    ossa_cue *cue = parser->cue;
    ossa_cue_track *track = &parser->tracks[cue->track_count - 1];
    struct ossa__cue_span left = line->arguments;
    struct ossa__cue_span number = ossa__cue_take_word(parser->text, &left);
    struct ossa__cue_span time = ossa__cue_take_word(parser->text, &left);
    ossa_cue_index *index = &parser->indices[cue->index_count];
    *index = (ossa_cue_index){.file = cue->file_count - 1}; /* none: OSSA_CUE_NONE */
    ossa__enter(parser->context, "indices", track->index_count);
    bool is_number = ossa__cue_number(parser->text, number, &index->number) && index->number < 100;
    claim(parser, "number", number);
    if (!is_number) {
        report(parser, ERROR, BAD_VALUE, number, "number", "'%s' is not a number from 0 to 99",
               show(parser, number).text);
    } else if (track->index_count > 0 && index->number <= index[-1].number) {
        report(parser, ERROR, BAD_ORDER, number, "number",
               "index %" PRIu32 " comes after index %" PRIu32, index->number, index[-1].number);
    }
    if (read_time(parser, "time", time, &index->frame) && is_number) {
        place_index(parser, track, index, time);
        cue->index_count++;
        track->index_count++;
    }
    ossa__leave(parser->context);
}

/* A line that only a track has. */
static void read_in_track(struct parser *parser, const struct ossa__cue_line *line)
{
    if (parser->cue->track_count == 0) {
        ossa__enter(parser->context, "lines", parser->line);
        report(parser, ERROR, BAD_ORDER, line->all, "", "no TRACK comes before it");
        ossa__leave(parser->context);
        return;
    }
    ossa_cue_track *track = &parser->tracks[parser->cue->track_count - 1];
    struct ossa__cue_span left = line->arguments;
    ossa__enter(parser->context, "tracks", parser->cue->track_count - 1);
    if (line->command == OSSA__CUE_INDEX) {
        read_index(parser, line);
    } else {
        bool is_before = line->command == OSSA__CUE_PREGAP;
        (void)read_time(parser, is_before ? "pregap" : "postgap",
                        ossa__cue_take_word(parser->text, &left),
                        is_before ? &track->pregap : &track->postgap);
    }
    ossa__leave(parser->context);
}

static void read_line(struct parser *parser, const struct ossa__cue_line *line)
{
    switch (line->command) {
    case OSSA__CUE_BLANK: break;
    case OSSA__CUE_FILE: read_file(parser, line); break;
    case OSSA__CUE_TRACK: read_track(parser, line); break;
    case OSSA__CUE_INDEX:
    case OSSA__CUE_PREGAP:
    case OSSA__CUE_POSTGAP: read_in_track(parser, line); break;
    case OSSA__CUE_COMMENT: claim(parser, "comment", line->all); break;
    case OSSA__CUE_OTHER:
    case OSSA__CUE_UNKNOWN:
        ossa__enter(parser->context, "lines", parser->line);
        claim(parser, "", line->all);
        if (line->command == OSSA__CUE_UNKNOWN) {
            report(parser, REMARK, UNUSUAL_VALUE, line->all, "", "'%s' is not a known command",
                   show(parser, line->all).text);
        }
        ossa__leave(parser->context);
        break;
    }
}

static bool leads_to(const void *contents, struct ossa__lead *lead)
{
    *lead = ((const struct sheet *)contents)->lead;
    return lead->reason == NULL;
}

/* ---- the whole text ------------------------------------------------------------------------ */

/* Room for all; false after a failure. */
static bool make_room(struct parser *parser, uint64_t begin, uint64_t size)
{
    uint64_t counts[OSSA__CUE_UNKNOWN + 1] = {0};
    for (uint64_t at = begin; at < size;) {
        struct ossa__cue_line line = ossa__cue_next_line(parser->text, size, at);
        counts[line.command]++;
        at = line.next;
    }
    if (counts[OSSA__CUE_FILE] == 0 && counts[OSSA__CUE_TRACK] == 0) {
        return ossa__fail(parser->context, OSSA_CODE_BAD_MAGIC, begin, "",
                          "no line names a FILE or a TRACK");
    }
    parser->files = ossa__take(parser->context, counts[OSSA__CUE_FILE], sizeof *parser->files);
    parser->tracks = ossa__take(parser->context, counts[OSSA__CUE_TRACK], sizeof *parser->tracks);
    parser->indices = ossa__take(parser->context, counts[OSSA__CUE_INDEX], sizeof *parser->indices);
    return !parser->context->failed;
}

static void *read_cue(struct ossa__context *context, const uint8_t *data, uint64_t size)
{
    struct sheet *sheet = ossa__take(context, 1, sizeof *sheet);
    struct parser parser = {.context = context, .text = (const char *)data};
    if (sheet == NULL) return NULL;
    if (size > UINT32_MAX) {
        ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "",
                           "%" PRIu64 " bytes are more than a text file can have (4 GiB)", size);
        return NULL;
    }
    ossa__reader_init(&parser.reader, context, data, size);
    uint64_t begin = ossa__cue_begin(parser.text, size);
    if (!make_room(&parser, begin, size)) return NULL;
    *sheet = (struct sheet){.cue = {.text = parser.text,
                                    .text_size = (size_t)size,
                                    .files = parser.files,
                                    .tracks = parser.tracks,
                                    .indices = parser.indices,
                                    .data_track = OSSA_CUE_NONE}};
    parser.cue = &sheet->cue;
    claim(&parser, "byte_order_mark", (struct ossa__cue_span){0, begin});
    for (uint64_t at = begin; at < size && !context->failed; parser.line++) {
        struct ossa__cue_line line = ossa__cue_next_line(parser.text, size, at);
        read_line(&parser, &line);
        at = line.next;
    }
    if (context->failed) return NULL;
    claim_syntax(&parser, size);
    end_track(&parser, size);
    if (sheet->cue.data_track == OSSA_CUE_NONE) {
        ossa__issue(context, OSSA_SEVERITY_REMARK, OSSA_CODE_UNUSUAL_VALUE, size, "tracks",
                    "there is no data track");
    }
    sheet->lead = ossa__cue_find_lead(context, &sheet->cue);
    return sheet;
}

static void write_cue(struct ossa__context *context, const void *contents,
                      struct ossa__writer *writer)
{
    const ossa_cue *cue = contents;
    (void)context;
    ossa__write_bytes(writer, cue->text, cue->text_size);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

/* "mm:ss:ff" */
struct time {
    char text[16];
};

static struct time time_of(uint32_t frame)
{
    struct time time;
    (void)snprintf(time.text, sizeof time.text, "%02" PRIu32 ":%02" PRIu32 ":%02" PRIu32,
                   frame / 75 / 60, frame / 75 % 60, frame % 75);
    return time;
}

static void dump_index(struct ossa__json *json, const ossa_cue_index *index)
{
    ossa__json_begin_object(json);
    ossa__member_uint(json, "number", index->number);
    ossa__member_text(json, "time", time_of(index->frame).text);
    ossa__json_key(json, "file");
    if (index->file == OSSA_CUE_NONE) ossa__json_null(json);
    else ossa__json_uint(json, index->file);
    ossa__member_uint(json, "offset", index->offset);
    ossa__json_end_object(json);
}

static void dump_tracks(struct ossa__json *json, const ossa_cue *cue)
{
    ossa__json_key(json, "tracks");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < cue->track_count; i++) {
        const ossa_cue_track *track = &cue->tracks[i];
        ossa__json_begin_object(json);
        ossa__member_uint(json, "number", track->number);
        ossa__json_key(json, "mode");
        ossa__dump_latin(json, track->mode, track->mode_size);
        ossa__json_key(json, "indices");
        ossa__json_begin_array(json);
        for (uint32_t k = 0; k < track->index_count; k++) {
            dump_index(json, &cue->indices[track->first_index + k]);
        }
        ossa__json_end_array(json);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
}

static void dump_contents(struct ossa__json *json, const ossa_cue *cue)
{
    ossa__json_key(json, "files");
    ossa__json_begin_array(json);
    for (uint32_t i = 0; i < cue->file_count; i++) {
        ossa__json_begin_object(json);
        ossa__member_text(json, "name", cue->files[i].name);
        ossa__json_key(json, "type");
        ossa__dump_latin(json, cue->files[i].type, cue->files[i].type_size);
        ossa__json_end_object(json);
    }
    ossa__json_end_array(json);
    dump_tracks(json, cue);
}

static void dump_cue(const void *contents, struct ossa__json *json)
{
    const ossa_cue *cue = contents;
    ossa__dump_lines(json, cue->text, cue->text_size);
    dump_contents(json, cue);
}

static void *build_cue(struct ossa__context *context, const struct ossa__value *data, uint64_t size)
{
    (void)size;
    ossa__value_allow(data, "lines files tracks"); /* the rest follows from the lines */
    ossa_cue *cue = ossa__take(context, 1, sizeof *cue);
    size_t text_size;
    const char *text = ossa__build_lines(context, data, &text_size);
    if (text == NULL) return NULL;
    *cue = (ossa_cue){.text = text, .text_size = text_size};
    return cue;
}

/* ---- describe ------------------------------------------------------------------------------ */

static void list_tracks(struct ossa__report *report, const ossa_cue *cue)
{
    static const struct ossa__column columns[] = {{"number", "track", 5},
                                                  {"mode", " mode", -12},
                                                  {"begin", "begin", -9},
                                                  {"file", "file", 0}};
    ossa__report_begin_table(report, "tracks", columns, 4);
    for (uint32_t i = 0; i < cue->track_count; i++) {
        const ossa_cue_track *track = &cue->tracks[i];
        const ossa_cue_index *index = ossa__cue_find_index(cue, track, 1);
        bool is_placed = index != NULL && index->file != OSSA_CUE_NONE;
        struct ossa__shown name = ossa__show_name(is_placed ? cue->files[index->file].name : "-");
        char mode[OSSA__PIECE_CAPACITY + 1];
        (void)snprintf(mode, sizeof mode, " %s",
                       ossa__show_piece(track->mode, track->mode_size).text);
        ossa__report_begin_row(report);
        ossa__report_cell_integer(report, &columns[0], track->number);
        ossa__report_cell_text(report, &columns[1], mode);
        ossa__report_cell_text(report, &columns[2],
                               index == NULL ? "-" : time_of(index->frame).text);
        ossa__report_cell_text(report, &columns[3], name.text);
        ossa__report_end_row(report);
    }
    ossa__report_end_table(report);
}

static void describe_cue(const void *contents, struct ossa__report *report)
{
    const struct sheet *sheet = contents;
    const ossa_cue *cue = &sheet->cue;
    const struct ossa__lead *lead = &sheet->lead;
    ossa__report_integer(report, "file_count", "files", cue->file_count);
    ossa__report_integer(report, "track_count", "tracks", cue->track_count);
    if (lead->reason == NULL) {
        ossa__report_integer(report, "data_track", "data track",
                             cue->tracks[cue->data_track].number);
        ossa__report_text(report, "image", "image", lead->names[0]);
        ossa__report_integer(report, "begin", "begins at", lead->begin);
        if (lead->end > 0) ossa__report_integer(report, "end", "ends at", lead->end);
    } else {
        ossa__report_note(report, "leads to no image: %s", lead->reason);
    }
    if (report->json != NULL) dump_contents(report->json, cue);
    else list_tracks(report, cue);
}

ossa_cue *ossa_as_cue(ossa_file *file)
{
    return ossa__contents(file, &ossa__format_cue);
}

const struct ossa__format ossa__format_cue = {
    .about = {.id = "cue",
              .title = "CUE sheet of a disc image",
              .game = "Disc images",
              .extensions = "cue",
              .kind = OSSA_KIND_ARCHIVE},
    .game = &ossa__game_disc,
    .role = OSSA__ROLE_NONE,
    .is_text = true,
    .probe = probe_cue,
    .may_begin = may_begin,
    .leads_to = leads_to,
    .read = read_cue,
    .write = write_cue,
    .dump = dump_cue,
    .build = OSSA__BUILT_BY(build_cue),
    .describe = describe_cue,
};
