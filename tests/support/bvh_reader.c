/* SPDX-License-Identifier: MIT */
#include "support/bvh_reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TABS = 32 };

/* Where the reader is: lines are taken one by one. */
struct lines {
    struct bvh *bvh;
    char *rest;
    const char *end; /* of the file */
    unsigned number;
};

static char *next_line(struct lines *lines)
{
    char *line = lines->rest;
    char *end = memchr(line, '\n', (size_t)(lines->end - line)); /* strchr looks on, when checked */
    lines->number++;
    require(end != NULL, lines->bvh->label, "line %u does not end", lines->number);
    if (end == NULL) abort();
    *end = '\0';
    lines->rest = end + 1;
    return line;
}

/* What is behind the tabs of a line that must have just so many. */
static char *indented_line(struct lines *lines, size_t depth)
{
    char *line = next_line(lines);
    size_t tabs = strspn(line, "\t");
    require(tabs == (depth < MOST_TABS ? depth : MOST_TABS), lines->bvh->label,
            "line %u has %zu tabs at depth %zu", lines->number, tabs, depth);
    return line + tabs;
}

static void expect_line(struct lines *lines, size_t depth, const char *text)
{
    const char *line = indented_line(lines, depth);
    require(strcmp(line, text) == 0, lines->bvh->label, "line %u is '%.60s', expected '%s'",
            lines->number, line, text);
}

/* What is behind a word and a space, or NULL where the line begins otherwise. */
static char *after(char *line, const char *word)
{
    size_t size = strlen(word);
    return strncmp(line, word, size) == 0 && line[size] == ' ' ? line + size + 1 : NULL;
}

static size_t count_digits(const char *text)
{
    size_t count = 0;
    while (text[count] >= '0' && text[count] <= '9') count++;
    return count;
}

/* -?(0|[1-9][0-9]*)[.][0-9]{least,} and no zero with a minus; then a space or the end. */
static double take_number(const struct lines *lines, char **text, unsigned least)
{
    const char *label = lines->bvh->label;
    const char *start = *text;
    const char *digits = start + (*start == '-');
    size_t whole = count_digits(digits);
    require(whole > 0 && (whole == 1 || digits[0] != '0') && digits[whole] == '.', label,
            "line %u: '%.30s' is no plain number", lines->number, start);
    size_t decimals = count_digits(digits + whole + 1);
    char *end = *text + (digits - start) + whole + 1 + decimals;
    require(decimals >= least && (*end == ' ' || *end == '\0'), label,
            "line %u: '%.30s' is no plain number of %u decimals", lines->number, start, least);
    char behind = *end;
    *end = '\0'; /* a line may have a million numbers, and strtod looks on, when checked */
    double value = strtod(start, NULL);
    *end = behind;
    require(*start != '-' || value < 0.0, label, "line %u: a zero with a minus", lines->number);
    require(isfinite(value), label, "line %u: not finite", lines->number);
    *text = *end == ' ' ? end + 1 : end;
    return value;
}

static void take_offset(struct lines *lines, size_t depth, double offset[3])
{
    char *at = after(indented_line(lines, depth), "OFFSET");
    require(at != NULL, lines->bvh->label, "line %u: expected OFFSET", lines->number);
    if (at == NULL) abort();
    for (unsigned k = 0; k < 3; k++) offset[k] = take_number(lines, &at, 6);
    require(*at == '\0', lines->bvh->label, "line %u goes on", lines->number);
}

static struct bvh_joint *add_joint(struct bvh *bvh)
{
    size_t count = bvh->joint_count;
    if ((count & (count - 1)) == 0) { /* full at every power of two */
        size_t room = count == 0 ? 1 : 2 * count;
        bvh->joints = realloc(bvh->joints, room * sizeof *bvh->joints);
        if (bvh->joints == NULL) abort();
    }
    bvh->joint_count++;
    bvh->joints[count] = (struct bvh_joint){.first = bvh->channel_count};
    return &bvh->joints[count];
}

static bool is_word(const char *name)
{
    return name[0] != '\0' && strpbrk(name, " \t\r\v\f{}") == NULL;
}

/* From behind ROOT or JOINT to the channels. */
static void read_joint(struct lines *lines, size_t depth, const char *name, int parent)
{
    static const char six[] =
        "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation";
    static const char three[] = "CHANNELS 3 Zrotation Xrotation Yrotation";
    struct bvh *bvh = lines->bvh;
    struct bvh_joint *joint = add_joint(bvh);
    joint->name = name;
    joint->parent = parent;
    require(is_word(name), bvh->label, "line %u: '%s' is no name", lines->number, name);
    expect_line(lines, depth, "{");
    take_offset(lines, depth + 1, joint->offset);
    const char *channels = indented_line(lines, depth + 1);
    joint->channels = strcmp(channels, six) == 0 ? 6 : 3;
    require(joint->channels == 6 || strcmp(channels, three) == 0, bvh->label, "line %u: '%s'",
            lines->number, channels);
    require(parent >= 0 || joint->channels == 6, bvh->label, "a root without positions");
    for (unsigned k = 0; k < 3 && joint->channels == 6; k++) {
        require(joint->offset[k] == 0.0, bvh->label, "'%s' has an offset and positions", name);
    }
    bvh->channel_count += joint->channels;
}

static void read_end_site(struct lines *lines, size_t depth, struct bvh_joint *joint)
{
    require(!joint->has_children && !joint->has_end, lines->bvh->label,
            "'%s' has an end beside others", joint->name);
    expect_line(lines, depth, "{");
    take_offset(lines, depth + 1, joint->end);
    expect_line(lines, depth, "}");
    require(joint->end[0] != 0.0 || joint->end[1] != 0.0 || joint->end[2] != 0.0, lines->bvh->label,
            "'%s' ends where it begins", joint->name);
    joint->has_end = true;
}

static void read_hierarchy(struct lines *lines)
{
    struct bvh *bvh = lines->bvh;
    expect_line(lines, 0, "HIERARCHY");
    const char *root = after(next_line(lines), "ROOT");
    require(root != NULL, bvh->label, "line %u: expected ROOT", lines->number);
    if (root == NULL) abort();
    read_joint(lines, 0, root, -1);
    int open = 0;
    size_t depth = 1;
    while (open >= 0) {
        struct bvh_joint *joint = &bvh->joints[open];
        char *line = next_line(lines);
        size_t tabs = strspn(line, "\t");
        line += tabs;
        size_t wanted = strcmp(line, "}") == 0 ? depth - 1 : depth;
        require(tabs == (wanted < MOST_TABS ? wanted : MOST_TABS), bvh->label,
                "line %u has %zu tabs", lines->number, tabs);
        const char *name = after(line, "JOINT");
        if (name != NULL) {
            require(!joint->has_end, bvh->label, "'%s' has a child beside an end", joint->name);
            joint->has_children = true;
            read_joint(lines, depth, name, open);
            open = (int)bvh->joint_count - 1;
            depth++;
        } else if (strcmp(line, "End Site") == 0) {
            read_end_site(lines, depth, joint);
        } else {
            require(strcmp(line, "}") == 0, bvh->label, "line %u: '%.60s'", lines->number, line);
            require(joint->has_children || joint->has_end, bvh->label, "'%s' has no end",
                    joint->name);
            open = joint->parent;
            depth--;
        }
    }
}

static void read_motion(struct lines *lines)
{
    struct bvh *bvh = lines->bvh;
    expect_line(lines, 0, "MOTION");
    char *frames = after(next_line(lines), "Frames:");
    require(frames != NULL && strspn(frames, "0123456789") == strlen(frames), bvh->label,
            "line %u: expected Frames:", lines->number);
    if (frames == NULL) abort();
    bvh->frame_count = (uint32_t)strtoul(frames, NULL, 10);
    char *time = after(next_line(lines), "Frame Time:");
    require(time != NULL, bvh->label, "line %u: expected Frame Time:", lines->number);
    if (time == NULL) abort();
    bvh->frame_time = take_number(lines, &time, 10);
    require(*time == '\0' && bvh->frame_time > 0.0, bvh->label, "line %u", lines->number);
    bvh->values = calloc(bvh->frame_count * bvh->channel_count + 1, sizeof *bvh->values);
    if (bvh->values == NULL) abort();
    double *value = bvh->values;
    for (uint32_t f = 0; f < bvh->frame_count; f++) {
        char *at = next_line(lines);
        const char *end = lines->rest - 1;
        for (size_t i = 0; i < bvh->channel_count; i++) *value++ = take_number(lines, &at, 6);
        require(at == end && end[-1] != ' ', bvh->label, "line %u has too many numbers",
                lines->number);
    }
    require(*lines->rest == '\0', bvh->label, "the file goes on after its last frame");
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void require_different_names(const struct bvh *bvh)
{
    const char **names = calloc(bvh->joint_count, sizeof *names);
    if (names == NULL) abort();
    for (size_t i = 0; i < bvh->joint_count; i++) names[i] = bvh->joints[i].name;
    qsort(names, bvh->joint_count, sizeof *names, compare_texts);
    for (size_t i = 1; i < bvh->joint_count; i++) {
        require(strcmp(names[i - 1], names[i]) != 0, bvh->label, "two joints are '%s'", names[i]);
    }
    free(names);
}

void bvh_open(struct bvh *bvh, const char *label, const struct bytes *file)
{
    *bvh = (struct bvh){.label = label};
    require(memchr(file->data, 0, file->size) == NULL, label, "has a NUL");
    bvh->text = malloc(file->size + 1);
    if (bvh->text == NULL) abort();
    memcpy(bvh->text, file->data, file->size);
    bvh->text[file->size] = '\0';
    struct lines lines = {.bvh = bvh, .rest = bvh->text, .end = bvh->text + file->size};
    read_hierarchy(&lines);
    read_motion(&lines);
    require_different_names(bvh);
}

void bvh_close(struct bvh *bvh)
{
    free(bvh->text);
    free(bvh->joints);
    free(bvh->values);
    *bvh = (struct bvh){0};
}

const double *bvh_channels(const struct bvh *bvh, uint32_t frame, size_t joint)
{
    return bvh->values + frame * bvh->channel_count + bvh->joints[joint].first;
}

int bvh_find(const struct bvh *bvh, const char *name)
{
    for (size_t i = 0; i < bvh->joint_count; i++) {
        if (strcmp(bvh->joints[i].name, name) == 0) return (int)i;
    }
    return -1;
}

void bvh_pose(const struct bvh *bvh, uint32_t frame, struct bvh_place *places)
{
    const double radian = acos(-1.0) / 180.0;
    for (size_t i = 0; i < bvh->joint_count; i++) {
        const struct bvh_joint *joint = &bvh->joints[i];
        const double *channels = bvh_channels(bvh, frame, i);
        double place[3];
        for (unsigned k = 0; k < 3; k++) {
            place[k] = joint->offset[k] + (joint->channels == 6 ? channels[k] : 0.0);
        }
        const double *angles = channels + (joint->channels - 3);
        struct rotation own =
            rotation_product(rotation_about(2, angles[0] * radian),
                             rotation_product(rotation_about(0, angles[1] * radian),
                                              rotation_about(1, angles[2] * radian)));
        struct bvh_place *out = &places[i];
        *out = (struct bvh_place){{place[0], place[1], place[2]}, own};
        if (joint->parent < 0) continue;
        const struct bvh_place *parent = &places[joint->parent];
        rotation_apply(parent->rotation, place, out->translation);
        for (unsigned k = 0; k < 3; k++) out->translation[k] += parent->translation[k];
        out->rotation = rotation_unit(rotation_product(parent->rotation, own));
    }
}

struct bytes bvh_or_fail(const char *name, const ossa_scene *scene, const ossa_clip *clip)
{
    ossa_buffer buffer = {0};
    ossa_error error;
    bool ok = ossa_write_bvh(scene, clip, NULL, ossa_buffer_sink(&buffer), &error);
    require(ok, name, "%s", error.message);
    require(error.code == OSSA_CODE_OK, name, "an error beside the output: %s", error.message);
    struct bytes bytes = bytes_copy(buffer.data, buffer.size);
    ossa_buffer_free(&buffer);
    return bytes;
}
