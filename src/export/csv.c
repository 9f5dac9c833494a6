/* SPDX-License-Identifier: MIT
 *
 * Clips as a table: commas, a heading, a row for each bone in each frame. Numbers are those of the
 * JSON, which read back to the same float32. */
#include "ossa/export.h"

#include "base/number_text.h"
#include "codec/writer.h"
#include "ossa/sample.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char heading[] =
    "clip,frame,time,bone,name,parent,tx,ty,tz,rx,ry,rz,rw,sx,sy,sz,visible\n";

enum {
    ROW_NUMBERS = 128, /* about as many bytes do the numbers of a row take */
    MOST_MEGABYTES = 1024,
};

struct table {
    struct ossa__context context;
    struct ossa__writer writer;
    const ossa_scene *scene;
    bool is_local;
    ossa_transform *pose; /* by bone */
    uint8_t *visible;
};

/* One frame of the table; without a clip it is the rest pose. */
struct moment {
    const char *clip;
    uint32_t frame;
    float time;
};

/* A text as one field of a row (RFC 4180).
 *
 * A spreadsheet takes a field that begins with = + - @ or a control character for a formula, quoted
 * or not, and names are whatever a file says. Such a name gets an apostrophe before it, and so does
 * one that begins with an apostrophe: without its first apostrophe a field is always the name. */
static void write_name(struct ossa__writer *writer, const char *name)
{
    bool needs_guard = name[0] != '\0' && strchr("'=+-@\t\r\n", name[0]) != NULL;
    bool needs_quotes = strpbrk(name, ",\"\r\n") != NULL;
    if (needs_quotes) ossa__write_u8(writer, '"');
    if (needs_guard) ossa__write_u8(writer, '\'');
    for (const char *rest = name; *rest != '\0';) {
        size_t size = strcspn(rest, "\"");
        ossa__write_bytes(writer, rest, size);
        rest += size;
        if (*rest == '"') {
            ossa__write_text(writer, "\"\"");
            rest++;
        }
    }
    if (needs_quotes) ossa__write_u8(writer, '"');
}

/* ---- size ---------------------------------------------------------------------------------- */

/* What write_name writes at most. */
static uint64_t name_size(const char *name)
{
    uint64_t size = 3;
    for (; *name != '\0'; name++) size += *name == '"' ? 2 : 1;
    return size;
}

/* Every row repeats two names, which may be long: a table that nobody can open is not begun. */
static bool check_size(struct table *t, const uint8_t *wanted)
{
    const ossa_scene *scene = t->scene;
    uint64_t names = 0;
    uint64_t total = 0;
    for (uint32_t b = 0; b < scene->bone_count; b++) {
        names = ossa__size_plus(names, name_size(scene->bones[b].name));
    }
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        const ossa_clip *clip = &scene->clips[c];
        if (wanted != NULL && wanted[c] == 0) continue;
        uint64_t rest = ossa__size_times(scene->bone_count, name_size(clip->name) + ROW_NUMBERS);
        total = ossa__size_plus(total,
                                ossa__size_times(clip->frame_count, ossa__size_plus(names, rest)));
    }
    uint64_t megabytes = total >> 20;
    if (megabytes < MOST_MEGABYTES) return true;
    return ossa__fail_nowhere(&t->context, OSSA_CODE_LIMIT, "",
                              "the table would take %" PRIu64
                              " MiB or more, less than %d are allowed; fewer clips make it smaller",
                              megabytes, MOST_MEGABYTES);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static bool are_finite(const float *values, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (!isfinite(values[i])) return false;
    }
    return true;
}

static char *put_floats(char *at, const float *values, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        *at++ = ',';
        at = ossa__float_text(values[i], at);
    }
    return at;
}

/* What follows the name: all of it is shorter than what a writer has room for. */
static void write_numbers(struct table *t, uint32_t bone)
{
    const ossa_transform *transform = &t->pose[bone];
    char *at = ossa__write_begin(&t->writer);
    *at++ = ',';
    at = ossa__int_text(t->scene->bones[bone].parent, at);
    at = put_floats(at, transform->translation, 3);
    at = put_floats(at, transform->rotation, 4);
    at = put_floats(at, transform->scale, 3);
    memcpy(at, t->visible[bone] ? ",1\n" : ",0\n", 3);
    ossa__write_end(&t->writer, at + 3);
}

static void write_row(struct table *t, const struct moment *at, uint32_t bone)
{
    const ossa_transform *transform = &t->pose[bone];
    const char *name = t->scene->bones[bone].name;
    /* A scene is finite; what its bones come to in the model's space need not be. */
    if (!are_finite(transform->translation, 3) || !are_finite(transform->scale, 3)) {
        ossa__fail_nowhere(&t->context, OSSA_CODE_BAD_SCENE, "",
                           "'%s' is too far away in frame %" PRIu32 " of %s%s%s for a 32-bit float",
                           name, at->frame, at->clip[0] == '\0' ? "the rest pose" : "the clip '",
                           at->clip, at->clip[0] == '\0' ? "" : "'");
        return;
    }
    write_name(&t->writer, at->clip);
    char *text = ossa__write_begin(&t->writer);
    *text++ = ',';
    text = ossa__uint_text(at->frame, text);
    text = put_floats(text, &at->time, 1);
    *text++ = ',';
    text = ossa__uint_text(bone, text);
    *text++ = ',';
    ossa__write_end(&t->writer, text);
    write_name(&t->writer, name);
    write_numbers(t, bone);
}

static void write_rows(struct table *t, const struct moment *at)
{
    if (!t->is_local) ossa_model_pose(t->scene, t->pose, t->pose);
    for (uint32_t b = 0; b < t->scene->bone_count && !t->context.failed; b++) {
        write_row(t, at, b);
    }
}

static void write_clip(struct table *t, const ossa_clip *clip)
{
    for (uint32_t f = 0; f < clip->frame_count && !t->context.failed; f++) {
        double time = f / clip->fps;
        if (!(time <= (double)FLT_MAX)) {
            ossa__fail_nowhere(&t->context, OSSA_CODE_BAD_SCENE, "",
                               "the clip '%s' is too long: the time of frame %" PRIu32
                               " is no 32-bit float",
                               clip->name, f);
            return;
        }
        const struct moment at = {clip->name, f, (float)time};
        ossa_sample_frame(t->scene, clip, f, t->pose, t->visible);
        write_rows(t, &at);
    }
}

/* A skeleton without clips has its rest pose to show. */
static void write_rest(struct table *t)
{
    const struct moment at = {"", 0, 0.0F};
    ossa_rest_pose(t->scene, t->pose);
    memset(t->visible, 1, t->scene->bone_count);
    write_rows(t, &at);
}

bool ossa_write_csv(const ossa_scene *scene, const ossa_export_options *options, ossa_sink sink,
                    ossa_error *error)
{
    static const ossa_export_options defaults;
    if (options == NULL) options = &defaults;
    if (!ossa_scene_validate(scene, error)) return false;
    struct table t = {.scene = scene, .is_local = options->space == OSSA_SPACE_LOCAL};
    ossa_options no_limit = {.allocator = options->allocator, .max_memory = UINT64_MAX};
    ossa__context_init(&t.context, &no_limit, 0);
    ossa__writer_init(&t.writer, &t.context, sink);
    t.pose = ossa__take(&t.context, scene->bone_count, sizeof *t.pose);
    t.visible = ossa__take(&t.context, scene->bone_count, 1);
    if (t.visible != NULL && check_size(&t, options->clips)) {
        ossa__write_text(&t.writer, heading);
        for (uint32_t c = 0; c < scene->clip_count && !t.context.failed; c++) {
            if (options->clips == NULL || options->clips[c] != 0) write_clip(&t, &scene->clips[c]);
        }
        if (scene->clip_count == 0) write_rest(&t);
    }
    bool ok = ossa__writer_finish(&t.writer);
    ossa__hand_over_error(&t.context, error);
    ossa__arena_free(&t.context.arena);
    return ok;
}
