/* SPDX-License-Identifier: MIT */
#include "support/json_peer.h"

#include "base/number_parse.h"
#include "codec/value.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char *compare_values(const struct ossa__value *value, json_t *peer);

static const char *compare_arrays(const struct ossa__value *value, json_t *peer)
{
    const char *difference = NULL;
    size_t count = json_array_size(peer);
    if (ossa__value_length(value) != count) return "an array has another length";
    for (size_t i = 0; i < count && difference == NULL; i++) {
        struct ossa__value item = ossa__value_item(value, i);
        difference = compare_values(&item, json_array_get(peer, i));
    }
    /* And again, in no order. */
    for (size_t i = 0; i < count && count > 1 && count < 20 && difference == NULL; i++) {
        struct ossa__value item = ossa__value_item(value, (i * 7 + 3) % count);
        difference = compare_values(&item, json_array_get(peer, (i * 7 + 3) % count));
    }
    return difference;
}

static const char *compare_objects(const struct ossa__value *value, json_t *peer)
{
    const char *key;
    json_t *member;
    if (ossa__value_member_count(value) != json_object_size(peer)) {
        return "an object has another number of members";
    }
    json_object_foreach (peer, key, member) {
        if (strlen(key) > OSSA__LONGEST_KEY) continue;
        struct ossa__value found = ossa__value_optional(value, key);
        const char *difference = NULL;
        if (!json_is_null(member)) difference = compare_values(&found, member);
        else if (found.node != NULL) difference = "a member is not null";
        if (difference != NULL) return difference;
    }
    return NULL;
}

static const char *compare_texts(const struct ossa__value *value, const json_t *peer)
{
    size_t size;
    const char *text = ossa__value_text(value, &size);
    bool is_same =
        size == json_string_length(peer) && memcmp(text, json_string_value(peer), size) == 0;
    return is_same ? NULL : "a string differs";
}

/* In all bits. */
static const char *compare_reals(const struct ossa__value *value, const json_t *peer)
{
    double expected = json_real_value(peer);
    double found;
    (void)ossa__parse_number(value->node, &found);
    return memcmp(&found, &expected, sizeof found) == 0 ? NULL : "a number differs";
}

static const char *compare_values(const struct ossa__value *value, json_t *peer)
{
    if (value->node == NULL || peer == NULL) return "a value is missing";
    bool is_same = true;
    switch (json_typeof(peer)) {
    case JSON_OBJECT: return compare_objects(value, peer);
    case JSON_ARRAY: return compare_arrays(value, peer);
    case JSON_STRING: return compare_texts(value, peer);
    case JSON_REAL: return compare_reals(value, peer);
    case JSON_INTEGER:
        is_same = ossa__value_integer(value, INT64_MIN, INT64_MAX) == json_integer_value(peer);
        break;
    case JSON_TRUE: is_same = ossa__value_bool(value); break;
    case JSON_FALSE: is_same = !ossa__value_bool(value); break;
    case JSON_NULL: is_same = *value->node == 'n'; break;
    }
    return is_same ? NULL : "an integer or a word differs";
}

const char *compare_with_jansson(const char *json, size_t size, bool *is_accepted)
{
    /* In memory of just its size, for the sanitizers. */
    char *text = malloc(size + (size == 0));
    if (text == NULL) return "no memory";
    if (size > 0) memcpy(text, json, size);
    json_t *peer = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
    struct ossa__context context;
    ossa__context_init(&context, NULL, size);
    struct ossa__document *document = ossa__document_parse(&context, text, size);
    const char *difference = NULL;
    if (document != NULL && peer == NULL) difference = "accepted, but not by jansson";
    if (document == NULL && peer != NULL) difference = "refused, but not by jansson";
    if (context.failed != (document == NULL)) difference = "refused without an error";
    if (document != NULL && difference == NULL) {
        struct ossa__value root = ossa__document_root(&context, document);
        difference = compare_values(&root, peer);
        if (difference == NULL && context.failed) difference = "a value is refused";
    }
    if (document != NULL) ossa__document_free(document);
    if (context.scratch.chunks != NULL) difference = "memory is kept";
    json_decref(peer);
    ossa__arena_free(&context.arena);
    free(text);
    *is_accepted = document != NULL;
    return difference;
}
