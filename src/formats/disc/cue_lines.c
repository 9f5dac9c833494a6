/* SPDX-License-Identifier: MIT */
#include "formats/disc/cue_lines.h"

#include "base/text.h"

#include <string.h>

enum {
    PROBED = 32 << 10, /* bytes; no sheet has as much before its first track */
    FRAMES = 75,       /* per second */
};

/* ---- lines --------------------------------------------------------------------------------- */

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\0' || c == '\f' || c == '\v' || c == 26;
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

static bool is_word(const char *text, struct ossa__cue_span span, const char *word)
{
    return ossa__same_word(text + span.begin, (size_t)(span.end - span.begin), word, strlen(word));
}

static enum ossa__cue_command command_of(const char *text, struct ossa__cue_span word)
{
    static const struct {
        const char *word;
        enum ossa__cue_command command;
    } commands[] = {{"FILE", OSSA__CUE_FILE},       {"TRACK", OSSA__CUE_TRACK},
                    {"INDEX", OSSA__CUE_INDEX},     {"PREGAP", OSSA__CUE_PREGAP},
                    {"POSTGAP", OSSA__CUE_POSTGAP}, {"REM", OSSA__CUE_COMMENT},
                    {"CATALOG", OSSA__CUE_OTHER},   {"CDTEXTFILE", OSSA__CUE_OTHER},
                    {"FLAGS", OSSA__CUE_OTHER},     {"ISRC", OSSA__CUE_OTHER},
                    {"TITLE", OSSA__CUE_OTHER},     {"PERFORMER", OSSA__CUE_OTHER},
                    {"SONGWRITER", OSSA__CUE_OTHER}};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (is_word(text, word, commands[i].word)) return commands[i].command;
    }
    return word.begin == word.end ? OSSA__CUE_BLANK : OSSA__CUE_UNKNOWN;
}

uint64_t ossa__cue_begin(const char *text, uint64_t size)
{
    return size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

struct ossa__cue_line ossa__cue_next_line(const char *text, uint64_t size, uint64_t at)
{
    struct ossa__cue_line line = {.all = {at, at}};
    while (line.all.end < size && !is_line_end(text[line.all.end])) line.all.end++;
    line.next = line.all.end;
    if (line.next < size) line.next++;
    if (line.next < size && text[line.next - 1] == '\r' && text[line.next] == '\n') line.next++;
    while (line.all.begin < line.all.end && is_space(text[line.all.begin])) line.all.begin++;
    while (line.all.begin < line.all.end && is_space(text[line.all.end - 1])) line.all.end--;
    line.arguments = line.all;
    line.command = command_of(text, ossa__cue_take_word(text, &line.arguments));
    return line;
}

struct ossa__cue_span ossa__cue_take_word(const char *text, struct ossa__cue_span *left)
{
    while (left->begin < left->end && is_space(text[left->begin])) left->begin++;
    struct ossa__cue_span word = {left->begin, left->begin};
    while (word.end < left->end && !is_space(text[word.end])) word.end++;
    left->begin = word.end;
    while (left->begin < left->end && is_space(text[left->begin])) left->begin++;
    return word;
}

struct ossa__cue_names ossa__cue_split_file(const char *text, struct ossa__cue_span arguments)
{
    struct ossa__cue_names names = {.name = arguments};
    if (arguments.begin < arguments.end && text[arguments.begin] == '"') {
        names.name.begin++;
        size_t room = (size_t)(arguments.end - names.name.begin);
        const char *quote = room == 0 ? NULL : memchr(text + names.name.begin, '"', room);
        names.is_open = quote == NULL;
        if (quote != NULL) {
            names.name.end = (uint64_t)(quote - text);
            arguments.begin = names.name.end + 1;
            names.type = ossa__cue_take_word(text, &arguments);
        }
    } else {
        names.type = (struct ossa__cue_span){arguments.end, arguments.end};
        while (names.type.begin > arguments.begin && !is_space(text[names.type.begin - 1])) {
            names.type.begin--;
        }
        names.name.end = names.type.begin;
        while (names.name.end > names.name.begin && is_space(text[names.name.end - 1])) {
            names.name.end--;
        }
        /* One word is a name without a type. */
        if (names.name.begin == names.name.end) {
            names.name = names.type;
            names.type.begin = names.type.end;
        }
    }
    if (names.type.begin == names.type.end) {
        names.type = (struct ossa__cue_span){arguments.end, arguments.end};
    }
    return names;
}

/* ---- words --------------------------------------------------------------------------------- */

bool ossa__cue_number(const char *text, struct ossa__cue_span word, uint32_t *number)
{
    *number = 0;
    if (word.begin == word.end || word.end - word.begin > 3) return false;
    for (uint64_t i = word.begin; i < word.end; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
        *number = *number * 10 + (uint32_t)(text[i] - '0');
    }
    return true;
}

bool ossa__cue_time(const char *text, struct ossa__cue_span word, uint32_t *frames,
                    bool *is_in_range)
{
    uint32_t numbers[3];
    *frames = 0;
    for (unsigned i = 0; i < 3; i++) {
        struct ossa__cue_span part = {word.begin, word.begin};
        while (part.end < word.end && text[part.end] != ':') part.end++;
        if (!ossa__cue_number(text, part, &numbers[i])) return false;
        if ((part.end == word.end) != (i == 2)) return false;
        word.begin = part.end + 1;
    }
    *frames = (numbers[0] * 60 + numbers[1]) * FRAMES + numbers[2];
    *is_in_range = numbers[1] < 60 && numbers[2] < FRAMES;
    return true;
}

struct ossa__cue_mode ossa__cue_find_mode(const char *text, struct ossa__cue_span word)
{
    static const struct ossa__cue_mode modes[] = {
        {"AUDIO", 2352, false},     {"CDG", 2448, false},       {"MODE1/2048", 2048, true},
        {"MODE1/2352", 2352, true}, {"MODE2/2048", 2048, true}, {"MODE2/2324", 2324, true},
        {"MODE2/2336", 2336, true}, {"MODE2/2352", 2352, true}, {"CDI/2336", 2336, true},
        {"CDI/2352", 2352, true}};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (is_word(text, word, modes[i].name)) return modes[i];
    }
    return (struct ossa__cue_mode){0};
}

bool ossa__cue_is_sound(const char *text, struct ossa__cue_span type, bool *is_known)
{
    static const char *const sounds[] = {"WAVE", "MP3", "AIFF", "FLAC"};
    bool is_sound = false;
    for (size_t i = 0; i < sizeof sounds / sizeof sounds[0]; i++) {
        is_sound |= is_word(text, type, sounds[i]);
    }
    *is_known = is_sound || is_word(text, type, "BINARY") || is_word(text, type, "MOTOROLA");
    return is_sound;
}

/* ---- probe --------------------------------------------------------------------------------- */

ossa_confidence ossa__cue_probe(const char *text, uint64_t size)
{
    bool has_file = false;
    if (size > PROBED) size = PROBED;
    for (uint64_t at = ossa__cue_begin(text, size); at < size;) {
        struct ossa__cue_line line = ossa__cue_next_line(text, size, at);
        at = line.next;
        if (line.command == OSSA__CUE_FILE && !has_file) {
            bool is_known;
            struct ossa__cue_names names = ossa__cue_split_file(text, line.arguments);
            (void)ossa__cue_is_sound(text, names.type, &is_known);
            if (names.is_open || !is_known) return OSSA_CONFIDENCE_NONE;
            has_file = true;
        } else if (line.command == OSSA__CUE_TRACK) {
            uint32_t number;
            struct ossa__cue_span word = ossa__cue_take_word(text, &line.arguments);
            struct ossa__cue_span mode = ossa__cue_take_word(text, &line.arguments);
            bool is_track = ossa__cue_number(text, word, &number) &&
                            ossa__cue_find_mode(text, mode).sector_size > 0;
            if (!is_track) break;
            return has_file ? OSSA_CONFIDENCE_SIGNATURE : OSSA_CONFIDENCE_DAMAGED;
        } else if (line.command == OSSA__CUE_UNKNOWN) {
            break;
        }
    }
    /* Any text may begin with a name; a type that there is makes it one of these. */
    return has_file ? OSSA_CONFIDENCE_DAMAGED : OSSA_CONFIDENCE_NONE;
}
