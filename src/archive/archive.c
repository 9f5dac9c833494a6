/* SPDX-License-Identifier: MIT */
#include "ossa/archive.h"

#include "archive/entries.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

static struct ossa__listing list(const ossa_file *archive)
{
    const struct ossa__format *format = ossa__format_of(archive);
    if (format->list == NULL) return (struct ossa__listing){0};
    return format->list(ossa__contents_in_parts(archive));
}

size_t ossa_entry_count(const ossa_file *archive)
{
    return list(archive).count;
}

const ossa_entry *ossa_entry_at(const ossa_file *archive, size_t index)
{
    struct ossa__listing listing = list(archive);
    return index < listing.count ? &listing.entries[index] : NULL;
}

const struct ossa__entry_hint *ossa__entry_hint_of(const ossa_file *archive, size_t index)
{
    struct ossa__listing listing = list(archive);
    return listing.hints == NULL || index >= listing.count ? NULL : &listing.hints[index];
}

int64_t ossa_find_entry(const ossa_file *archive, const char *name)
{
    struct ossa__listing listing = list(archive);
    for (size_t i = 0; i < listing.count; i++) {
        if (ossa__same_path(listing.entries[i].name, name)) return (int64_t)i;
    }
    return -1;
}

/* ---- bytes --------------------------------------------------------------------------------- */

/* A byte of a DEFLATE stream becomes at most so many: two bits can stand for 258. */
#define MOST_UNPACKED UINT64_C(1032)

static bool unpack(struct ossa__context *context, const ossa_file *archive, size_t index,
                   const ossa_entry *entry, ossa_bytes *bytes)
{
    const struct ossa__format *format = ossa__format_of(archive);
    struct ossa__shown name = ossa__show_name(entry->name);
    if (entry->size > context->options.max_input || entry->size > SIZE_MAX - 1) {
        return ossa__fail_nowhere(context, OSSA_CODE_LIMIT, name.text,
                                  "unpacked it would have %" PRIu64
                                  " bytes, more than the limit of %" PRIu64,
                                  entry->size, context->options.max_input);
    }
    if (entry->size > MOST_UNPACKED * entry->stored_size) {
        /* Before there is memory for what cannot be. */
        return ossa__fail_nowhere(context, OSSA_CODE_SIZE_MISMATCH, name.text,
                                  "%" PRIu64 " bytes never unpack to the %" PRIu64
                                  " that the archive says",
                                  entry->stored_size, entry->size);
    }
    size_t room = (size_t)entry->size + 1; /* never nothing */
    uint8_t *out = bytes->allocator.allocate(bytes->allocator.user, room);
    if (out == NULL) {
        return ossa__fail_nowhere(context, OSSA_CODE_OUT_OF_MEMORY, name.text,
                                  "no memory for %" PRIu64 " bytes", entry->size);
    }
    bytes->owned = out;
    bytes->data = out;
    bytes->size = (size_t)entry->size;
    format->unpack(context, ossa__contents_in_parts(archive), index, out);
    if (context->failed) ossa_bytes_free(bytes);
    return !context->failed;
}

bool ossa_entry_bytes(const ossa_file *archive, size_t index, const ossa_options *options,
                      ossa_bytes *bytes, ossa_error *error)
{
    struct ossa__context context;
    struct ossa__listing listing = list(archive);
    ossa__context_init(&context, options, 0);
    context.format = archive->format->id;
    *bytes = (ossa_bytes){.allocator = context.arena.allocator};
    if (index >= listing.count) {
        ossa__fail_nowhere(&context, OSSA_CODE_BAD_ARGUMENT, "", "there is no entry %zu, only %zu",
                           index, listing.count);
    } else if (listing.entries[index].is_missing) {
        ossa_code code = OSSA_CODE_BAD_OFFSET;
        const char *reason = "its bytes are not all in the archive, which is damaged";
        if (listing.why_missing != NULL) {
            reason = listing.why_missing(listing.contents, index, &code);
        }
        if (code == OSSA_CODE_PASSED_OVER) context.format = NULL; /* it is not the archive's */
        ossa__fail_nowhere(&context, code, ossa__show_name(listing.entries[index].name).text, "%s",
                           reason);
    } else if (listing.read_entry != NULL &&
               listing.entries[index].size > context.options.max_input) {
        ossa__fail_nowhere(&context, OSSA_CODE_TOO_LARGE, "",
                           "has %" PRIu64 " bytes, more than the limit of %" PRIu64 " bytes",
                           listing.entries[index].size, context.options.max_input);
    } else if (listing.entries[index].is_packed) {
        (void)unpack(&context, archive, index, &listing.entries[index], bytes);
    } else {
        (void)ossa__stored_or_fail(&context, &listing, &listing.entries[index], bytes);
    }
    ossa__hand_over_error(&context, error);
    ossa__arena_free(&context.arena);
    return !context.failed;
}

bool ossa_entry_read(const ossa_file *archive, size_t index, uint64_t offset, void *bytes,
                     size_t size)
{
    struct ossa__listing listing = list(archive);
    if (index >= listing.count) return false;
    const ossa_entry *entry = &listing.entries[index];
    if (entry->is_packed || entry->is_missing) return false;
    if (offset > entry->size || size > entry->size - offset) return false;
    if (size == 0) return true;
    if (listing.read_entry != NULL) {
        return listing.read_entry(listing.contents, index, offset, bytes, size);
    }
    return ossa__parts_peek(listing.parts, listing.image, entry->offset + offset, bytes, size);
}

void ossa_bytes_free(ossa_bytes *bytes)
{
    if (bytes == NULL) return;
    if (bytes->owned != NULL) {
        bytes->allocator.release(bytes->allocator.user, bytes->owned, bytes->size + 1);
    }
    *bytes = (ossa_bytes){.data = NULL};
}
