/* SPDX-License-Identifier: MIT
 *
 * Midtown Madness: a row of the table of states for a new animation, so that the game finds it.
 *
 *     NAME,NAME,1,F,offset,forward,offset,sideways,next
 *
 * The offsets and the next state are those of the state that the clip is like; a state that names
 * itself becomes one that names the new one. The distances are those of the new frames: in the
 * games' own tables they are how far the root goes along -Z and -X, in millimetres. */
#include "formats/midtown_madness/game.h"

#include "formats/midtown_madness/mm_csv_rows.h"
#include "scene/edit.h"

#include <float.h>
#include <string.h>

/* A text being put together in a buffer that has room for it. */
struct text {
    char *bytes;
    size_t size;
};

static void add(struct text *text, const char *bytes, size_t size)
{
    if (size > 0) memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
}

/* What was written behind the text ends here. */
static void add_end(struct text *text, const char *end)
{
    text->size = (size_t)(end - text->bytes);
}

/* Names in tables have one byte per character. What the table or the file system gives a meaning
 * is not allowed, nor is what the game would not find. 0: it cannot be a name. */
static size_t name_bytes(const char *name, char *bytes)
{
    static const char reserved[] = " ,.*/:<>?\\|\"#";
    size_t left = strlen(name);
    size_t used = 0;
    while (left > 0) {
        uint32_t c;
        size_t length = ossa__utf8_decode(name, left, &c);
        bool is_control = c <= 0x20 || (c >= 0x7f && c <= 0xa0);
        if (is_control || c > 0xff || strchr(reserved, (int)c) != NULL) return 0;
        bytes[used++] = (char)(unsigned char)c;
        name += length;
        left -= length;
    }
    return used;
}

static bool has_state(const ossa_mm_csv *csv, const char *name, size_t size)
{
    for (uint32_t i = 0; i < csv->state_count; i++) {
        const ossa_mm_state *state = &csv->states[i];
        if (state->name_size == size && memcmp(state->name, name, size) == 0) return true;
    }
    return false;
}

/* How lines end in a text: as its last one. */
static const char *line_end(const char *text, size_t size)
{
    while (size > 0 && text[size - 1] != '\n' && text[size - 1] != '\r') size--;
    if (size == 0) return "\r\n"; /* as in the games' own files */
    if (text[size - 1] == '\r') return "\r";
    return size > 1 && text[size - 2] == '\r' ? "\r\n" : "\n";
}

static void add_distance(struct text *text, const float *values, size_t last, unsigned axis)
{
    double metres = (double)values[axis] - (double)values[last + axis];
    metres = floor(metres * 1000.0 + 0.5) / 1000.0;
    metres = fmax(fmin(metres, (double)FLT_MAX), -(double)FLT_MAX); /* a float is read */
    add_end(text, ossa__decimal_text(metres, 3, text->bytes + text->size));
}

/* The number of a state that the game ignores, as it is written. */
static void add_offset(struct text *text, const struct ossa__mm_motion *motion, unsigned number)
{
    const ossa_mm_csv *csv = motion->table->contents;
    struct ossa__mm_token token = {0, 0};
    if (motion->state != NULL) {
        token = ossa__mm_csv_number(csv->text, csv->text_size, motion->state->number_at[number]);
    }
    if (token.begin < token.end)
        add(text, csv->text + token.begin, (size_t)(token.end - token.begin));
    else add(text, "0", 1);
}

static void add_next(struct text *text, const struct ossa__mm_motion *motion, bool loops,
                     const char *name, size_t name_size)
{
    const ossa_mm_state *state = motion->state;
    if (loops) {
        add(text, ",", 1);
        add(text, name, name_size);
    } else if (state != NULL && state->next_size > 0) {
        add(text, ",", 1);
        add(text, state->next, state->next_size);
    }
}

void ossa__mm_add_state(const struct ossa__mm_motion *motion, struct ossa__edit *edit,
                        const float *values)
{
    struct ossa__assembly *assembly = motion->assembly;
    struct ossa__context *context = &assembly->context;
    char *name = ossa__take(context, strlen(edit->name) + 1, 1);
    if (name == NULL) return;
    size_t size = name_bytes(edit->name, name);
    if (size == 0) {
        (void)ossa__misfit(assembly, motion->table,
                           "'%s' cannot be the name of a state: use Latin letters, digits and "
                           "underscores",
                           edit->name);
        return;
    }
    if (has_state(motion->table->contents, name, size)) {
        (void)ossa__misfit(assembly, motion->table,
                           "already has a state '%s'; give the new clip another name", edit->name);
        return;
    }
    ossa_mm_csv *csv = ossa__edit_shared(edit, motion->table, sizeof *csv);
    if (csv == NULL) return;
    enum { NUMBERS = 3 * OSSA__DECIMAL_CAPACITY }; /* commas and line ends, too */
    const ossa_mm_csv *original = motion->table->contents;
    uint64_t room = (uint64_t)csv->text_size + original->text_size + 3 * (uint64_t)size + NUMBERS;
    struct text text = {ossa__take(context, room, 1), 0};
    if (text.bytes == NULL) return;
    size_t end = (size_t)ossa__mm_csv_end(csv->text, csv->text_size);
    size_t last = (size_t)(edit->frame_count - 1) * motion->channel->floats_per_frame;
    const char *ends = line_end(csv->text, end);
    add(&text, csv->text, end);
    if (end > 0 && csv->text[end - 1] != '\n' && csv->text[end - 1] != '\r') {
        add(&text, ends, strlen(ends));
    }
    add(&text, name, size);
    add(&text, ",", 1);
    add(&text, name, size);
    add(&text, ",1,", 3);
    add_end(&text, ossa__uint_text(edit->frame_count, text.bytes + text.size));
    add(&text, ",", 1);
    add_offset(&text, motion, 2);
    add(&text, ",", 1);
    add_distance(&text, values, last, 2);
    add(&text, ",", 1);
    add_offset(&text, motion, 4);
    add(&text, ",", 1);
    add_distance(&text, values, last, 0);
    add_next(&text, motion, edit->plan->loop, name, size);
    add(&text, ends, strlen(ends));
    add(&text, csv->text + end, csv->text_size - end);
    csv->text = text.bytes; /* what is written; the states that it had are where they were */
    csv->text_size = text.size;
}
