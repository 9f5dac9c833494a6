/* SPDX-License-Identifier: MIT
 *
 * What is expected of assimp: the JSON of a GLB and the poses of `ossa pose`, read without it. */
#include "assimp_check.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

long long number_of(const json_t *object, const char *key, long long otherwise)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? json_integer_value(value) : otherwise;
}

const char *string_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

/* The header of a GLB is 12 bytes, that of its first chunk 8: a length and "JSON". */
static json_t *read_document(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    uint8_t head[20];
    json_t *document = NULL;
    if (fread(head, 1, sizeof head, file) == sizeof head && memcmp(head, "glTF", 4) == 0) {
        const size_t size = (size_t)head[12] | (size_t)head[13] << 8 | (size_t)head[14] << 16 |
                            (size_t)head[15] << 24;
        char *text = malloc(size);
        if (text != NULL && fread(text, 1, size, file) == size) {
            document = json_loadb(text, size, 0, NULL);
        }
        free(text);
    }
    (void)fclose(file);
    return document;
}

/* One pose a line; those of a clip follow each other, but need not. */
static json_t *read_clips(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    json_t *clips = json_object();
    json_t *pose;
    while ((pose = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL)) != NULL) {
        const char *name = string_of(pose, "clip");
        if (json_object_get(clips, name) == NULL) json_object_set_new(clips, name, json_array());
        json_array_append_new(json_object_get(clips, name), pose);
    }
    (void)fclose(file);
    return clips;
}

bool figure_read(const char *folder, const char *name, peer_figure *out)
{
    char path[640];
    memset(out, 0, sizeof *out);
    (void)snprintf(out->name, sizeof out->name, "%s", name);
    (void)snprintf(out->folder, sizeof out->folder, "%s", folder);
    (void)snprintf(path, sizeof path, "%s/%s.glb", folder, name);
    out->document = read_document(path);
    (void)snprintf(path, sizeof path, "%s/%s.frames.jsonl", folder, name);
    out->clips = read_clips(path);
    (void)snprintf(path, sizeof path, "%s/%s.json", folder, name);
    json_t *scene = json_load_file(path, 0, NULL);
    out->cameras = json_incref(json_object_get(scene, "cameras"));
    json_decref(scene);
    return out->document != NULL && json_object_size(out->clips) > 0;
}

void figure_free(peer_figure *figure)
{
    json_decref(figure->document);
    json_decref(figure->clips);
    json_decref(figure->cameras);
}

const json_t *figure_joint(const peer_figure *figure, size_t bone)
{
    const json_t *skin = json_array_get(json_object_get(figure->document, "skins"), 0);
    const json_t *joint = json_array_get(json_object_get(skin, "joints"), bone);
    return json_array_get(json_object_get(figure->document, "nodes"),
                          (size_t)json_integer_value(joint));
}

double clip_size(const json_t *poses)
{
    double low[3] = {INFINITY, INFINITY, INFINITY};
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};
    size_t i;
    size_t j;
    const json_t *pose;
    const json_t *bone;
    json_array_foreach (poses, i, pose) {
        json_array_foreach (json_object_get(pose, "bones"), j, bone) {
            const json_t *place = json_object_get(bone, "translation");
            for (size_t k = 0; k < 3; k++) {
                const double value = json_number_value(json_array_get(place, k));
                low[k] = fmin(low[k], value);
                high[k] = fmax(high[k], value);
            }
        }
    }
    double sum = 0;
    for (size_t k = 0; k < 3; k++) sum += (high[k] - low[k]) * (high[k] - low[k]);
    return sum > 0 ? sqrt(sum) : 1;
}

void clip_damage(const json_t *poses, int direction)
{
    const json_t *pose = json_array_get(poses, json_array_size(poses) / 2);
    const json_t *bone = json_array_get(json_object_get(pose, "bones"), 0);
    json_t *place = json_object_get(bone, "translation");
    const double x = json_number_value(json_array_get(place, 0));
    json_array_set_new(place, 0, json_real(x + direction * 0.01));
}

double clip_fps(const peer_figure *figure, const char *clip)
{
    size_t i;
    const json_t *animation;
    json_array_foreach (json_object_get(figure->document, "animations"), i, animation) {
        if (strcmp(string_of(animation, "name"), clip) == 0) {
            return json_number_value(json_object_get(json_object_get(animation, "extras"), "fps"));
        }
    }
    return 0;
}

bool figure_hides(const peer_figure *figure)
{
    size_t i;
    const json_t *node;
    json_array_foreach (json_object_get(figure->document, "nodes"), i, node) {
        const char *name = string_of(node, "name");
        const size_t length = strlen(name);
        if (length > 8 && strcmp(name + length - 8, "_visible") == 0) return true;
    }
    return false;
}

bool figure_renames(const peer_figure *figure)
{
    size_t i;
    const json_t *node;
    json_array_foreach (json_object_get(figure->document, "nodes"), i, node) {
        if (json_object_get(json_object_get(node, "extras"), "name") != NULL) return true;
    }
    return false;
}
