/* SPDX-License-Identifier: MIT
 *
 * Which of the formats that are read a file is of, by what is in it. */
#include "import/motion.h"

#include "base/fold.h"
#include "codec/value.h"

#include <string.h>

static bool starts_with(const uint8_t *data, size_t size, const char *text)
{
    size_t length = strlen(text);
    return size >= length && memcmp(data, text, length) == 0;
}

static size_t count_spaces(const uint8_t *data, size_t size)
{
    size_t count = 0;
    while (count < size && memchr(" \t\r\n", data[count], 4) != NULL) count++;
    return count;
}

static bool has(const struct ossa__value *object, const char *key)
{
    struct ossa__value member = ossa__value_optional(object, key);
    return member.node != NULL;
}

enum document { NEITHER, GLTF, SCENE };

static enum document tell_document(struct ossa__context *context, const uint8_t *data, size_t size)
{
    struct ossa__document *document = ossa__document_parse(context, (const char *)data, size);
    if (document == NULL) return NEITHER;
    struct ossa__value root = ossa__document_root(context, document);
    enum document found = NEITHER;
    if (has(&root, "asset")) found = GLTF;
    else if (has(&root, "ossa") && has(&root, "bones")) found = SCENE;
    ossa__document_free(document);
    return found;
}

/* What people save instead. */
static const struct other {
    const char *start;
    const char *what;
} others[] = {{"Kaydara FBX Binary", "an FBX"}, {"BLENDER", "a .blend"}};

static void refuse(struct ossa__context *context, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (!starts_with(data, size, others[i].start)) continue;
        ossa__fail_nowhere(context, OSSA_CODE_UNKNOWN_FORMAT, "",
                           "is %s, which is not read; export glTF 2.0 (.glb) or BVH instead",
                           others[i].what);
        return;
    }
    ossa__fail_nowhere(context, OSSA_CODE_UNKNOWN_FORMAT, "",
                       "is not a glTF (.glb, .gltf), a BVH or the scene JSON of Ossa");
}

struct ossa__motion *ossa__read_motion(struct ossa__context *context, const uint8_t *data,
                                       size_t size, const char *name, ossa__fetch_file *fetch,
                                       void *user)
{
    static const char hierarchy[] = "HIERARCHY";
    const size_t word = sizeof hierarchy - 1;
    if (starts_with(data, size, "glTF")) return ossa__read_gltf(context, data, size, fetch, user);
    if (starts_with(data, size, "\xef\xbb\xbf")) { /* some editors put it before any text */
        data += 3;
        size -= 3;
    }
    if (size == 0) {
        ossa__fail_nowhere(context, OSSA_CODE_EMPTY_FILE, "", "the file has no bytes");
        return NULL;
    }
    size_t space = count_spaces(data, size);
    const char *text = (const char *)data + space;
    size_t left = size - space;
    enum document document = NEITHER;
    if (left > 0 && *text == '{') document = tell_document(context, data, size);
    if (context->failed) return NULL;
    if (document == GLTF) return ossa__read_gltf(context, data, size, fetch, user);
    if (document == SCENE) return ossa__read_scene_json(context, data, size);
    if (left >= word && ossa__same_word(text, word, hierarchy, word)) {
        return ossa__read_bvh(context, data, size, name);
    }
    refuse(context, data, size);
    return NULL;
}
