/* SPDX-License-Identifier: MIT
 *
 * What differs, for people: one line per difference, as far as that can be read. */
#include "diff_print.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SHOWN_FIELDS = 20 }; /* lines per file */

static char sign_of(ossa_change change)
{
    if (change == OSSA_CHANGE_ONLY_A) return '-';
    return change == OSSA_CHANGE_ONLY_B ? '+' : '~';
}

/* Begin a line: "~ walk#hd: ". */
static void print_start(char sign, const char *name)
{
    const char *end = severity_colour(stdout, NULL);
    const char *colour = sign == '-' ? "\033[31m" : sign == '+' ? "\033[32m" : "\033[33m";
    (void)printf("%s%c%s ", end[0] == '\0' ? "" : colour, sign, end);
    if (name == NULL || name[0] == '\0') return;
    print_plain(stdout, name);
    (void)fputs(": ", stdout);
}

/* Of bytes, only those from the first difference on are shown: the start says nothing. */
static char *value_text(const ossa_field *field, uint64_t from)
{
    enum { SHOWN = 24 };
    char value[192];
    ossa_field shown = *field;
    bool is_run = field->type >= OSSA_FIELD_TYPE_TEXT;
    if (is_run) {
        shown.bytes += from;
        shown.size -= from;
    }
    bool is_long = is_run && shown.size > SHOWN;
    if (is_long) shown.size = SHOWN;
    (void)ossa_field_value(&shown, value, sizeof value);
    if (is_run && shown.size == 0) return copy_text("nothing");
    return format_text("%s%s", value, is_long ? "..." : "");
}

/* Where two runs of bytes differ first, if they are too long to be shown as a whole. */
static uint64_t find_difference(const ossa_diff_field *field)
{
    enum { WHOLE = 16 };
    uint64_t i = 0;
    bool are_bytes =
        field->a->type > OSSA_FIELD_TYPE_TEXT_1251 && field->b->type > OSSA_FIELD_TYPE_TEXT_1251;
    if (!are_bytes || (field->a->size <= WHOLE && field->b->size <= WHOLE)) return 0;
    while (i < field->a->size && i < field->b->size && field->a->bytes[i] == field->b->bytes[i]) {
        i++;
    }
    return i;
}

static void end_run(struct diff_text *text)
{
    if (text->run_count == 0) return;
    if (text->lines++ < SHOWN_FIELDS) {
        print_start(text->run_sign, text->entry);
        if (text->run_count == 1) print_line("%s %s", text->run_first, text->run_value);
        else {
            print_line("%s .. %s (%zu fields)", text->run_first, text->run_last, text->run_count);
        }
    } else {
        text->left += text->run_count;
    }
    text->run_count = 0;
    free(text->run_first);
    free(text->run_last);
    free(text->run_value);
}

/* A field that is only on one side: thousands may follow each other in the file. */
static void add_to_run(struct diff_text *text, const ossa_diff_field *field)
{
    const ossa_field *only = field->a == NULL ? field->b : field->a;
    char sign = field->a == NULL ? '+' : '-';
    if (text->run_sign != sign || text->run_end != only->offset) end_run(text);
    if (text->run_count++ == 0) {
        text->run_first = copy_text(field->path);
        text->run_value = value_text(only, 0);
        text->run_sign = sign;
    } else {
        free(text->run_last);
    }
    text->run_last = copy_text(field->path);
    text->run_end = only->offset + only->size;
}

static void end_entry(struct diff_text *text)
{
    if (text->entry == NULL) return;
    end_run(text);
    if (text->left > 0) {
        print_start('~', text->entry);
        (void)printf("%zu more field%s; --json lists all\n", text->left, plural(text->left));
    }
    if (!text->is_said && text->lines == 0) {
        print_start('~', text->entry);
        (void)printf("differs from 0x%" PRIx64 " on\n", text->offset);
    }
    free(text->entry);
    text->entry = NULL;
}

static void print_field(void *user, const ossa_diff_field *field)
{
    struct diff_text *text = user;
    if (field->a == NULL || field->b == NULL) {
        add_to_run(text, field);
        return;
    }
    end_run(text);
    if (text->lines++ >= SHOWN_FIELDS) {
        text->left++;
        return;
    }
    uint64_t from = find_difference(field);
    char *a = value_text(field->a, from);
    char *b = value_text(field->b, from);
    print_start('~', field->entry);
    if (from > 0)
        print_line("%s at 0x%" PRIx64 " %s -> %s", field->path, field->a->offset + from, a, b);
    else print_line("%s %s -> %s", field->path, a, b);
    free(a);
    free(b);
}

static void print_format(const ossa_diff_side *side)
{
    bool is_damaged = side->format == NULL && side->error != NULL && side->error->format != NULL;
    if (is_damaged) (void)printf("damaged %s", side->error->format);
    else (void)fputs(side->format == NULL ? "unknown format" : side->format->id, stdout);
}

/* Why there are no fields to compare; false: there are. */
static bool print_reason(const ossa_diff_entry *entry)
{
    const ossa_diff_side *a = &entry->a;
    const ossa_diff_side *b = &entry->b;
    bool has_fields = a->format != NULL && a->format == b->format && a->error == NULL;
    if (has_fields && b->error == NULL && !entry->is_archive) return false;
    print_start('~', entry->path);
    if (entry->is_archive) (void)fputs("the entries are the same, but the archive itself", stdout);
    else {
        if (a->format != b->format) {
            print_format(a);
            (void)fputs(" -> ", stdout);
            print_format(b);
            (void)fputs(", ", stdout);
        }
        if (a->size == b->size) (void)printf("%" PRIu64 " bytes,", a->size);
        else (void)printf("%" PRIu64 " -> %" PRIu64 " bytes,", a->size, b->size);
    }
    (void)printf(" differs from 0x%" PRIx64 " on\n", entry->offset);
    return true;
}

static void complain_side(const ossa_diff_side *side)
{
    if (side->error == NULL) return;
    char why[ISSUE_CAPACITY];
    (void)ossa_error_text(side->error, why, sizeof why);
    complain("%s: its fields cannot be compared: %s", shown_name(side->path), why);
}

static void print_entry(void *user, const ossa_diff_entry *entry)
{
    struct diff_text *text = user;
    end_entry(text);
    if (entry->change != OSSA_CHANGE_DIFFERENT) {
        bool is_whole = entry->path[0] == '\0';
        const char *path = entry->a.path != NULL ? entry->a.path : entry->b.path;
        print_start(sign_of(entry->change), NULL);
        print_line("%s", is_whole ? path : entry->path);
        return;
    }
    complain_side(&entry->a);
    complain_side(&entry->b);
    text->is_said = print_reason(entry);
    text->entry = copy_text(entry->path);
    text->offset = entry->offset;
    text->lines = 0;
    text->left = 0;
}

static void print_bone(void *user, const ossa_diff_bone *bone)
{
    end_entry(user);
    print_start(sign_of(bone->change), NULL);
    print_line("bone %s/%s%s", bone->figure, bone->name,
               bone->change == OSSA_CHANGE_DIFFERENT ? ": another parent or rest pose" : "");
}

/* Three digits, and no exponents. */
static char *length_text(double value)
{
    return value >= 100.0 ? format_text("%.0f", value) : format_text("%.3g", value);
}

static void print_clip(void *user, const ossa_diff_clip *clip)
{
    end_entry(user);
    if (clip->change == OSSA_CHANGE_SAME) return;
    print_start(sign_of(clip->change), NULL);
    if (clip->change != OSSA_CHANGE_DIFFERENT) {
        print_line("clip %s/%s", clip->figure, clip->name);
        return;
    }
    const ossa_clip *a = clip->a;
    const ossa_clip *b = clip->b;
    char *texts[8];
    size_t count = 0;
    if (a->frame_count != b->frame_count) {
        texts[count++] =
            format_text("%" PRIu32 " -> %" PRIu32 " frames", a->frame_count, b->frame_count);
    }
    if (a->fps != b->fps) texts[count++] = format_text("%.6g -> %.6g fps", a->fps, b->fps);
    if (a->loop != b->loop) texts[count++] = copy_text(b->loop ? "loops" : "no longer loops");
    if (clip->bone[0] != '\0') {
        char *length = length_text(clip->millimetres);
        texts[count++] = format_text("%.3g degrees, %s mm at %s, frame %" PRIu32, clip->degrees,
                                     length, clip->bone, clip->frame);
        free(length);
    }
    if (clip->scale_differs) texts[count++] = copy_text("other scales");
    if (clip->visibility_differs) texts[count++] = copy_text("other visibility");
    if (clip->shape_differs) texts[count++] = copy_text("other shapes");
    char *line = format_text("clip %s/%s: ", clip->figure, clip->name);
    print_plain(stdout, line);
    for (size_t i = 0; i < count; i++) {
        if (i > 0) (void)fputs("; ", stdout);
        print_plain(stdout, texts[i]);
        free(texts[i]);
    }
    (void)putchar('\n');
    free(line);
}

/* For sets of files, which may be long. */
static void print_summary(const ossa_diff *diff)
{
    size_t count = diff->changed_count + diff->only_a_count + diff->only_b_count;
    bool is_empty = diff->is_figures_only ? diff->clip_count == 0 : count == 0;
    if (!diff->is_set || diff->is_same || is_empty) return;
    if (!diff->is_figures_only) {
        (void)printf("%zu file%s changed, %zu only in A, %zu only in B", diff->changed_count,
                     plural(diff->changed_count), diff->only_a_count, diff->only_b_count);
    }
    if (diff->clip_count > 0) {
        (void)printf("%s%zu of %zu clip%s differ%s", diff->is_figures_only ? "" : "; ",
                     diff->different_clip_count, diff->clip_count, plural(diff->clip_count),
                     diff->different_clip_count == 1 ? "s" : "");
    }
    (void)putchar('\n');
}

void diff_text_end(struct diff_text *text, const ossa_diff *diff)
{
    end_entry(text);
    if (diff != NULL) print_summary(diff);
}

ossa_diff_options diff_text_options(struct diff_text *text)
{
    return (ossa_diff_options){.on_entry = print_entry,
                               .on_field = print_field,
                               .on_bone = print_bone,
                               .on_clip = print_clip,
                               .user = text};
}
