/* SPDX-License-Identifier: MIT
 *
 * What one file is that a walk has come to, as closely as the walk wants to know. */
#include "workspace/look.h"

#include "archive/entries.h"
#include "codec/context.h"
#include "codec/probe.h"

#include <stdio.h>
#include <string.h>

struct ossa__node *ossa__visit_node(const ossa_visit *visit)
{
    return ((const struct ossa__look *)visit)->node;
}

const struct ossa__readable *ossa__visit_item(const ossa_visit *visit)
{
    return &((const struct ossa__look *)visit)->item;
}

/* ---- issues -------------------------------------------------------------------------------- */

static bool is_stray(const struct ossa__look *look, ossa_code code, const char *format)
{
    return ossa__is_stray(look->workspace, &look->item, code, format);
}

/* Nobody meant a stray: that it cannot be read is not to be reported. */
static bool is_reported(const struct ossa__look *look, const ossa_issue *issue)
{
    bool is_unreadable = issue->severity == OSSA_SEVERITY_UNREADABLE;
    return !is_unreadable || !is_stray(look, issue->code, issue->format);
}

static void on_issue(void *user, const ossa_issue *issue)
{
    const struct ossa__look *look = user;
    const ossa_options *read = look->options->read;
    if (is_reported(look, issue)) read->on_issue(read->user, issue);
}

static void on_group(void *user, const ossa_issue *issue)
{
    const struct ossa__look *look = user;
    const ossa_options *read = look->options->read;
    if (is_reported(look, issue)) read->on_group(read->user, issue);
}

static void on_field(void *user, const ossa_field *field)
{
    const struct ossa__look *look = user;
    look->options->read->on_field(look->options->read->user, field);
}

static ossa_options reading_options(struct ossa__look *look)
{
    ossa_options options = {0};
    if (look->options->read != NULL) options = *look->options->read;
    if (options.on_issue != NULL) options.on_issue = on_issue;
    if (options.on_group != NULL) options.on_group = on_group;
    if (options.on_field != NULL) options.on_field = on_field;
    options.user = look;
    return options;
}

/* ---- one file ------------------------------------------------------------------------------ */

struct ossa__look ossa__look_start(ossa_workspace *workspace, const ossa_walk_options *options)
{
    struct ossa__look look = {.workspace = workspace, .options = options};
    ossa__arena_init(&look.arena, workspace->allocator, UINT64_MAX);
    return look;
}

void ossa__look_free(struct ossa__look *look)
{
    ossa_file_free(look->file);
    ossa_bytes_free(&look->bytes);
    ossa__node_release(look->node);
    ossa__arena_free(&look->arena);
}

void ossa__look_report(struct ossa__look *look)
{
    const ossa_options options = reading_options(look);
    if (look->options->detail != OSSA_DETAIL_FILES) return;
    (void)ossa__report_failure(&options, look->item.path, &look->error);
}

static bool is_archive(const ossa_format *format)
{
    return format != NULL && ossa_format_can(format, OSSA_ABILITY_LIST);
}

static ossa_detail detail_of(const struct ossa__look *look)
{
    return look->options->detail;
}

void ossa__look_fail(struct ossa__look *look)
{
    ossa__error_path(&look->error, look->item.path);
    look->visit.error = &look->error;
    look->visit.is_stray = is_stray(look, look->error.code, look->error.format);
}

static void take_file(struct ossa__look *look)
{
    const ossa_options options = reading_options(look);
    look->file = ossa__read_item(look->workspace, &look->item, &options, &look->error);
    if (look->file == NULL) {
        ossa__look_fail(look);
        return;
    }
    look->visit.file = look->file;
    look->visit.format = look->file->format;
    look->visit.size = look->file->size;
}

bool ossa__look_name(struct ossa__look *look, struct ossa__node *archive, size_t index,
                     bool is_named, const char *named)
{
    const ossa_entry *entry = ossa__node_entry(archive, index);
    const char *path =
        named != NULL ? named : ossa__join(&look->arena, archive->path, "#", entry->name);
    look->item = (struct ossa__readable){archive, index, path, is_named};
    look->visit = (ossa_visit){.path = path,
                               .tree = ossa__join(&look->arena, archive->tree, "/", entry->name),
                               .name = entry->name,
                               .hint = ossa__node_hint(&look->arena, archive, entry->name),
                               .depth = archive->depth + 1,
                               .is_named = is_named,
                               .entry = entry,
                               .index = index,
                               .size = entry->size};
    const struct ossa__entry_hint *hint = ossa__entry_hint_of(archive->file, index);
    if (hint != NULL) {
        look->visit.format = hint->format;
        if (ossa__is_offset(entry->name)) look->visit.own_name = hint->own_name;
    }
    return path != NULL && look->visit.tree != NULL && look->visit.hint != NULL;
}

/* The bytes of an entry and what they are. */
static void take_bytes(struct ossa__look *look)
{
    struct ossa__node *archive = look->item.archive;
    if (!ossa__node_bytes(look->workspace, archive, look->item.entry, &look->bytes, &look->error)) {
        ossa__look_fail(look);
        return;
    }
    look->visit.data = look->bytes.data;
    look->visit.format = ossa__node_guess(archive, look->item.entry, &look->bytes).format;
}

/* An archive that the walk has come to; the look owns it. */
static void take_archive(struct ossa__look *look, struct ossa__node *node)
{
    look->node = node;
    look->visit.is_archive = true;
    look->visit.entry_count = node->count;
    /* What leads to an image is not the image. */
    look->visit.file = node->described != NULL ? node->described : node->file;
    look->visit.image = node->described != NULL ? node->file : NULL;
    look->visit.format = look->visit.file->format;
    look->visit.is_search = ossa__node_is_searched(node);
    if (node->bytes.data != NULL) look->visit.data = node->bytes.data;
    if (look->item.archive == NULL) look->visit.size = look->visit.file->size;
}

/* Files are what others have seen them as, if they are only looked at. */
static bool may_be_kept(struct ossa__look *look)
{
    const ossa_options options = reading_options(look);
    return detail_of(look) < OSSA_DETAIL_FILES && ossa__reads_plainly(&options);
}

/* Of the archives inside others, only those that were named are worth keeping: there may be
 * thousands of the others. */
static bool is_kept(const struct ossa__look *look)
{
    return look->item.archive == NULL || look->item.is_named;
}

/* Does it describe a file that is visited, too? Then that is the archive. */
static bool describes_another(const struct ossa__look *look)
{
    const struct ossa__format *format = (const struct ossa__format *)look->visit.format;
    struct ossa__lead lead = {0};
    if (look->item.is_named || look->file == NULL || format->leads_to == NULL) return false;
    /* What begins inside of it is not seen in the file alone. */
    return format->leads_to(ossa__contents_in_parts(look->file), &lead) && lead.begin == 0;
}

/* And those that were searched, which takes long. */
static bool is_worth_keeping(const struct ossa__look *look, const struct ossa__node *node)
{
    return is_kept(look) || ossa__node_is_searched(node);
}

/* What was read or fetched as an archive, which takes over what it needs. */
static void open_archive(struct ossa__look *look)
{
    if (describes_another(look)) return;
    struct ossa__node *parent = look->item.archive;
    struct ossa__node *node = NULL;
    const ossa_options options = reading_options(look);
    if (look->file != NULL) {
        node = ossa__node_adopt(look->workspace, &look->item, look->file, &look->error);
        if (node != NULL) look->file = NULL;
    } else {
        node = ossa__node_enter_bytes(look->workspace, parent, look->item.entry, &look->bytes,
                                      &look->error);
        look->visit.data = NULL; /* the node has them, or they are gone */
    }
    if (node != NULL && is_worth_keeping(look, node) && ossa__reads_for_others(&options)) {
        /* What others see instead may lack issues that this walk has asked for. */
        ossa__node_release(ossa__cache_offer(look->workspace, ossa__node_keep(node)));
    }
    if (node != NULL) {
        take_archive(look, node);
        return;
    }
    ossa__look_fail(look);
    /* Its bytes may still be wanted, as those of a file. */
    bool is_wanted = detail_of(look) == OSSA_DETAIL_BYTES && look->bytes.data == NULL;
    if (is_wanted && parent != NULL &&
        ossa__node_bytes(look->workspace, parent, look->item.entry, &look->bytes, NULL)) {
        look->visit.data = look->bytes.data;
    }
}

/* ---- large files ---------------------------------------------------------------------------- */

/* A large entry: what it is, without its bytes. That it is of no format is not a failure. */
static void take_stream(struct ossa__look *look)
{
    const ossa_options quiet = {0};
    ossa_error why = {0};
    look->visit.is_large = true;
    look->file = ossa__read_item(look->workspace, &look->item, &quiet, &why);
    if (look->file == NULL && ossa__is_fatal(why.code)) {
        look->error = why;
        ossa__look_fail(look);
    } else if (look->file != NULL) {
        look->visit.file = look->file;
        look->visit.format = look->file->format;
    }
}

bool ossa_visit_read(const ossa_visit *visit, uint64_t offset, void *bytes, size_t size)
{
    const struct ossa__look *look = (const struct ossa__look *)visit;
    if (!visit->is_large) return false;
    return ossa_entry_read(look->item.archive->file, look->item.entry, offset, bytes, size);
}

/* Is it worth searching a file that is of no format, or too large to be read? */
static bool may_be_searched(const struct ossa__look *look)
{
    ossa_code code = look->error.code;
    const ossa_options *read = look->options->read;
    bool is_forced = read != NULL && read->format != NULL;
    /* Entries of a disc, which may be films, only if somebody asks for them. */
    bool is_meant = look->item.archive == NULL || (look->visit.is_large && look->item.is_named);
    if (!look->options->search || is_forced || !is_meant) return false;
    if (look->visit.error == NULL) return look->visit.format == NULL;
    return code == OSSA_CODE_UNKNOWN_FORMAT || code == OSSA_CODE_AMBIGUOUS_FORMAT ||
           code == OSSA_CODE_TOO_LARGE || code == OSSA_CODE_LIMIT;
}

/* Search it: the last resort. */
static void search(struct ossa__look *look)
{
    ossa_error why = {0};
    struct ossa__node *node = ossa__node_search(look->workspace, &look->item, &why);
    if (node == NULL) {
        look->error = why;
        ossa__look_fail(look);
        return;
    }
    if (node->count > 0) {
        look->visit.error = NULL;
        look->visit.is_stray = false;
        take_archive(look, node);
        return;
    }
    if (look->visit.error != NULL) {
        size_t used = strlen(look->error.message);
        const char *found = node->is_given_up
                                ? "; the search for files of games in it was given up: too much "
                                  "looks like one and is not"
                                : "; no file of a game was found in it, either";
        (void)snprintf(look->error.message + used, sizeof look->error.message - used, "%s", found);
    }
    ossa__node_release(node);
}

/* What another call has opened or searched; false: none has. */
static bool take_kept(struct ossa__look *look)
{
    struct ossa__node *node = NULL;
    struct ossa__node *archive = look->item.archive;
    if (!may_be_kept(look)) return false;
    if (look->options->search) {
        node = ossa__cache_search(look->workspace, &look->item);
        if (node != NULL && node->count > 0) {
            take_archive(look, node);
            return true;
        }
        ossa__node_release(node);
    }
    if (archive == NULL) node = ossa__cache_file(look->workspace, look->item.path);
    else node = ossa__cache_entry(look->workspace, archive, look->item.entry);
    if (node != NULL) take_archive(look, node);
    return node != NULL;
}

/* What was read or taken may be an archive, or be searched. */
static void look_inside(struct ossa__look *look)
{
    if (look->error.code == OSSA_CODE_CANCELLED) return;
    if (may_be_searched(look)) search(look);
    bool is_read = look->file != NULL && is_archive(look->visit.format);
    if (look->node == NULL && is_read) open_archive(look);
}

static void look_at_large_entry(struct ossa__look *look)
{
    look->visit.is_large = true;
    look->visit.is_continuation =
        !look->item.is_named &&
        ossa__is_continuation(look->workspace, look->item.archive, look->visit.name);
    if (look->visit.is_continuation) return;
    if (take_kept(look)) return;
    if (detail_of(look) == OSSA_DETAIL_FILES) take_file(look);
    else take_stream(look);
    look_inside(look);
}

void ossa__look_at_entry(struct ossa__look *look)
{
    bool is_known = look->visit.format != NULL && detail_of(look) <= OSSA_DETAIL_FORMATS;
    if (detail_of(look) == OSSA_DETAIL_NAMES || is_known) return;
    if (ossa__node_streams(look->item.archive, look->item.entry) && look->visit.format == NULL) {
        look_at_large_entry(look);
        return;
    }
    struct ossa__node *kept = NULL;
    if (is_kept(look) && may_be_kept(look)) {
        kept = ossa__cache_entry(look->workspace, look->item.archive, look->item.entry);
    }
    if (kept != NULL) {
        take_archive(look, kept);
        return;
    }
    if (detail_of(look) == OSSA_DETAIL_FILES) take_file(look);
    else take_bytes(look);
    if (is_archive(look->visit.format) && look->visit.error == NULL) open_archive(look);
}

/* ---- files of the file system -------------------------------------------------------------- */

/* The bytes of a whole file, and what they are. */
static void take_whole(struct ossa__look *look)
{
    ossa_guess guess;
    if (!ossa_workspace_bytes(look->workspace, look->item.path, &look->bytes, &look->error)) {
        ossa__look_fail(look);
        return;
    }
    guess = ossa__guess(look->bytes.data, look->bytes.size, look->item.path);
    look->visit.data = look->bytes.data;
    look->visit.size = look->bytes.size;
    look->visit.format = guess.format;
    if (guess.format == NULL) {
        look->visit.is_stray = is_stray(look, OSSA_CODE_UNKNOWN_FORMAT, NULL);
    }
}

/* What goes on from a file that is visited, too, is a part of that. */
static bool is_part_of_another(struct ossa__look *look)
{
    struct ossa__source source;
    if (look->item.is_named || !ossa__is_continuation(look->workspace, NULL, look->item.path) ||
        !ossa__source_open(look->workspace, look->item.path, &source, NULL)) {
        return false;
    }
    look->visit.size = source.size;
    look->visit.is_continuation = true;
    ossa__source_close(&source);
    return true;
}

void ossa__look_at_file(struct ossa__look *look)
{
    ossa_detail detail = detail_of(look);
    if (detail == OSSA_DETAIL_NAMES || is_part_of_another(look)) return;
    bool is_whole = detail == OSSA_DETAIL_BYTES && !look->options->search;
    if (!is_whole && take_kept(look)) return;
    if (is_whole) take_whole(look);
    bool is_shut = is_whole && look->visit.error == NULL && is_archive(look->visit.format);
    if (!is_whole || is_shut) take_file(look);
    look_inside(look);
}
