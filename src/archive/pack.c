/* SPDX-License-Identifier: MIT
 *
 * Making archives: what is the same for all formats. */
#include "archive/pack.h"

#include "archive/entries.h"
#include "base/error.h"
#include "base/text.h"

#include <inttypes.h>

/* Archives in which a game stores figures are called by these endings. */
static bool is_stored(const struct ossa__format *format, const char *name)
{
    const char *const *endings = format->game->figure_endings;
    for (; endings != NULL && *endings != NULL; endings++) {
        if (ossa__has_ending(name, *endings)) return true;
    }
    return false;
}

const ossa_format *ossa_packing_format(const char *name)
{
    const ossa_format *found = NULL;
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        const struct ossa__format *format = ossa__formats[i];
        if (format->pack == NULL) continue;
        if (ossa_format_fits_name(&format->about, name)) return &format->about;
        if (found == NULL && is_stored(format, name)) found = &format->about;
    }
    return found;
}

/* What is wrong in any format; the rest is for its module. */
static bool check_plan(struct ossa__context *context, const struct ossa__pack_plan *plan)
{
    for (size_t i = 0; i < plan->count && !context->failed; i++) {
        const ossa_packing *entry = &plan->entries[i];
        if (ossa__kept_entry(plan, i) != NULL) continue;
        ossa__enter(context, "entries", i);
        if (entry->name == NULL) {
            ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "name", "there is none");
        } else if (entry->size > SIZE_MAX || (entry->data == NULL && entry->size > 0)) {
            ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "data",
                               "there cannot be %" PRIu64 " bytes here", entry->size);
        }
        ossa__leave(context);
    }
    return !context->failed;
}

/* ---- entries ------------------------------------------------------------------------------- */

const ossa_entry *ossa__kept_entry(const struct ossa__pack_plan *plan, size_t index)
{
    bool is_kept = plan->kept != NULL && plan->kept[index];
    return is_kept ? ossa_entry_at(plan->like, index) : NULL;
}

uint64_t ossa__pack_size(const struct ossa__pack_plan *plan, size_t index)
{
    const ossa_entry *kept = ossa__kept_entry(plan, index);
    return kept != NULL ? kept->size : plan->entries[index].size;
}

bool ossa__pack_bytes(struct ossa__context *context, const struct ossa__pack_plan *plan,
                      size_t index, ossa_bytes *bytes)
{
    const ossa_packing *entry = &plan->entries[index];
    *bytes = (ossa_bytes){.data = entry->data, .size = (size_t)entry->size};
    if (ossa__kept_entry(plan, index) == NULL) return true;
    const ossa_options options = {.max_input = context->options.max_input,
                                  .allocator = context->arena.allocator};
    ossa_error error;
    if (ossa_entry_bytes(plan->like, index, &options, bytes, &error)) {
        return true;
    }
    return ossa__fail_nowhere(context, error.code, error.field, "%s", error.message);
}

void ossa__pack_write(struct ossa__context *context, const struct ossa__pack_plan *plan,
                      size_t index, struct ossa__writer *writer)
{
    ossa_bytes bytes;
    if (context->failed || !ossa__pack_bytes(context, plan, index, &bytes)) return;
    ossa__write_bytes(writer, bytes.data, bytes.size);
    ossa_bytes_free(&bytes);
}

/* ---- archives ------------------------------------------------------------------------------ */

/* What cannot be read would end the archive in the middle. */
static bool check_kept(struct ossa__context *context, const struct ossa__pack_plan *plan)
{
    for (size_t i = 0; i < plan->count && !context->failed; i++) {
        const ossa_entry *kept = ossa__kept_entry(plan, i);
        if (kept == NULL || !kept->is_missing) continue;
        ossa__fail_nowhere(context, OSSA_CODE_BAD_OFFSET, ossa__show_name(kept->name).text,
                           "its bytes are not all in the archive, which is damaged");
    }
    return !context->failed;
}

bool ossa__pack(const ossa_format *format, const struct ossa__pack_plan *plan,
                const ossa_options *options, ossa_sink sink, ossa_error *error)
{
    struct ossa__context context;
    struct ossa__writer writer;
    ossa_options plain = {.max_memory = UINT64_MAX};
    if (options != NULL) {
        plain.allocator = options->allocator;
        plain.max_input = options->max_input;
    }
    ossa__context_init(&context, &plain, 0);
    ossa__writer_init(&writer, &context, sink);
    context.format = format->id;
    if (check_plan(&context, plan) && check_kept(&context, plan)) {
        ((const struct ossa__format *)format)->pack(&context, plan, &writer);
    }
    ossa__arena_free(&context.scratch);
    (void)ossa__writer_finish(&writer);
    ossa__hand_over_error(&context, error);
    ossa__arena_free(&context.arena);
    return !context.failed;
}

bool ossa_pack(const char *format, const ossa_packing *entries, size_t count,
               const ossa_options *options, ossa_sink sink, ossa_error *error)
{
    const ossa_format *about = format == NULL ? NULL : ossa_format_find(format);
    const struct ossa__pack_plan plan = {
        .entries = entries, .count = count, .dialect = options == NULL ? NULL : options->dialect};
    if (about != NULL && ossa_format_can(about, OSSA_ABILITY_PACK)) {
        return ossa__pack(about, &plan, options, sink, error);
    }
    return ossa__set_error(error, OSSA_CODE_BAD_ARGUMENT, NULL,
                           "'%s' is not an archive that can be made", format == NULL ? "" : format);
}

const char *ossa_packing_dialect(const ossa_file *archive)
{
    const struct ossa__format *format = ossa__format_of(archive);
    return format->pack_dialect == NULL ? NULL
                                        : format->pack_dialect(ossa__contents_in_parts(archive));
}
