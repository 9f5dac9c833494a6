/* SPDX-License-Identifier: MIT
 *
 * What differs, for programs: see docs/diff.md. Fields, of which there may be millions, are written
 * as they come; the rest is kept until the end. */
#include "diff_print.h"

#include <stdlib.h>

static void begin_part(struct diff_part *part)
{
    ossa__json_start(&part->json, ossa_buffer_sink(&part->text), OSSA_JSON_STYLE_LINE);
    ossa__json_begin_array(&part->json);
}

static void end_part(struct diff_json *document, const char *key, struct diff_part *part)
{
    ossa__json_end_array(&part->json);
    if (!ossa__json_finish(&part->json)) document->json.failed = true;
    ossa__json_key(&document->json, key);
    ossa_sink sink = ossa__json_splice(&document->json);
    (void)sink.write(sink.user, part->text.data, part->text.size);
}

/* Whether they are the same is known with the first difference, or at the end. */
static void begin_json(struct diff_json *document, bool is_same)
{
    struct ossa__json *json = &document->json;
    if (document->has_begun) return;
    document->has_begun = true;
    json_begin(json);
    ossa__json_begin_object(json);
    ossa__member_uint(json, "ossa", 1);
    ossa__member_bool(json, "same", is_same);
    ossa__json_key(json, "fields");
    ossa__json_begin_array(json);
}

static void write_value(struct ossa__json *json, const char *key, const ossa_field *field)
{
    ossa__json_key(json, key);
    if (field == NULL) ossa__json_null(json);
    else (void)ossa_field_json(field, ossa__json_splice(json));
}

static void write_field(void *user, const ossa_diff_field *field)
{
    struct diff_json *document = user;
    struct ossa__json *json = &document->json;
    bool is_inside = field->entry[0] != '\0';
    char *path = format_text("%s%s%s", field->entry, is_inside ? ": " : "", field->path);
    begin_json(document, false);
    ossa__json_begin_object(json);
    ossa__member_text(json, "path", path);
    write_value(json, "a", field->a);
    write_value(json, "b", field->b);
    ossa__json_end_object(json);
    free(path);
}

static void write_side(struct ossa__json *json, const char *key, const ossa_diff_side *side)
{
    ossa__json_key(json, key);
    if (side->path == NULL) {
        ossa__json_null(json);
        return;
    }
    ossa__json_begin_object(json);
    ossa__member_text(json, "file", side->path);
    json_member(json, "format", side->format == NULL ? NULL : side->format->id);
    ossa__member_uint(json, "size", side->size);
    json_member(json, "error", side->error == NULL ? NULL : side->error->message);
    ossa__json_end_object(json);
}

static void write_entry(void *user, const ossa_diff_entry *entry)
{
    struct diff_json *document = user;
    struct ossa__json *json = &document->entries.json;
    bool is_changed = entry->change == OSSA_CHANGE_DIFFERENT;
    begin_json(document, false);
    ossa__json_begin_object(json);
    ossa__member_text(json, "path", entry->path);
    ossa__member_text(json, "state", is_changed ? "changed" : ossa_change_name(entry->change));
    write_side(json, "a", &entry->a);
    write_side(json, "b", &entry->b);
    ossa__json_key(json, "offset");
    if (is_changed) ossa__json_uint(json, entry->offset);
    else ossa__json_null(json);
    ossa__json_end_object(json);
}

static void write_bone(void *user, const ossa_diff_bone *bone)
{
    struct diff_json *document = user;
    struct ossa__json *json = &document->bones.json;
    begin_json(document, false);
    ossa__json_begin_object(json);
    ossa__member_text(json, "figure", bone->figure);
    ossa__member_text(json, "name", bone->name);
    ossa__member_text(json, "state", ossa_change_name(bone->change));
    ossa__json_end_object(json);
}

static void write_worst(struct ossa__json *json, const ossa_diff_clip *clip)
{
    ossa__json_key(json, "worst");
    if (clip->a == NULL || clip->b == NULL) {
        ossa__json_null(json);
        return;
    }
    ossa__json_begin_object(json);
    ossa__member_text(json, "bone", clip->bone);
    ossa__member_uint(json, "frame", clip->frame);
    ossa__member_float(json, "degrees", (float)clip->degrees);
    ossa__member_float(json, "millimetres", (float)clip->millimetres);
    ossa__json_end_object(json);
}

/* The clip of one side; null: it is not there. */
static void write_clip_side(struct ossa__json *json, const char *key, const ossa_clip *clip)
{
    ossa__json_key(json, key);
    if (clip == NULL) {
        ossa__json_null(json);
        return;
    }
    ossa__json_begin_object(json);
    ossa__member_uint(json, "frames", clip->frame_count);
    ossa__member_float(json, "fps", (float)clip->fps);
    ossa__member_bool(json, "loop", clip->loop);
    ossa__json_end_object(json);
}

static void write_clip(void *user, const ossa_diff_clip *clip)
{
    struct diff_json *document = user;
    struct ossa__json *json = &document->clips.json;
    if (clip->change != OSSA_CHANGE_SAME) begin_json(document, false);
    ossa__json_begin_object(json);
    ossa__member_text(json, "figure", clip->figure);
    ossa__member_text(json, "name", clip->name);
    ossa__member_text(json, "state", ossa_change_name(clip->change));
    write_worst(json, clip);
    write_clip_side(json, "a", clip->a);
    write_clip_side(json, "b", clip->b);
    ossa__member_bool(json, "scale_differs", clip->scale_differs);
    ossa__member_bool(json, "visibility_differs", clip->visibility_differs);
    ossa__member_bool(json, "shape_differs", clip->shape_differs);
    ossa__json_end_object(json);
}

ossa_diff_options diff_json_options(struct diff_json *document)
{
    begin_part(&document->clips);
    begin_part(&document->entries);
    begin_part(&document->bones);
    return (ossa_diff_options){.on_entry = write_entry,
                               .on_field = write_field,
                               .on_bone = write_bone,
                               .on_clip = write_clip,
                               .user = document};
}

void diff_json_end(struct diff_json *document, const ossa_diff *diff)
{
    if (diff != NULL) begin_json(document, diff->is_same);
    if (document->has_begun) {
        ossa__json_end_array(&document->json);
        end_part(document, "clips", &document->clips);
        end_part(document, "entries", &document->entries);
        end_part(document, "bones", &document->bones);
        ossa__member_bool(&document->json, "figures_only", diff != NULL && diff->is_figures_only);
        ossa__json_end_object(&document->json);
        (void)json_end(&document->json);
    }
    ossa_buffer_free(&document->clips.text);
    ossa_buffer_free(&document->entries.text);
    ossa_buffer_free(&document->bones.text);
}
