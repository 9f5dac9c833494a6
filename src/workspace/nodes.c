/* SPDX-License-Identifier: MIT
 *
 * Archives that are open: their entries, the names of those and what the probes said of each. */
#include "workspace/workspace.h"

#include "archive/entries.h"
#include "base/fold.h"
#include "codec/probe.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NO_ENTRY UINT32_MAX

/* A guess as a number: 0 nobody has asked, 1 no format, else the format and the confidence. */
enum { NOT_ASKED, NO_FORMAT, FIRST_FORMAT, CONFIDENCES = 8 };

static unsigned number_of(const ossa_guess *guess)
{
    if (guess->format == NULL) return NO_FORMAT;
    unsigned index = 0;
    while (ossa_format_at(index) != guess->format) index++;
    return FIRST_FORMAT + index * CONFIDENCES + (unsigned)guess->confidence;
}

/* ---- making and freeing -------------------------------------------------------------------- */

/* Of the last name in a path, with its dot; "" where there is none. Both separators count. */
static const char *extension_of(const char *path)
{
    const char *dot = "";
    for (const char *c = path; *c != '\0'; c++) {
        if (*c == '/' || *c == '\\') dot = "";
        else if (*c == '.') dot = c;
    }
    return dot;
}

/* A node in an arena of its own, not in the list; NULL where there is no memory. */
static struct ossa__node *new_node(ossa_workspace *workspace)
{
    struct ossa__arena arena;
    ossa__arena_init(&arena, workspace->allocator, UINT64_MAX);
    struct ossa__node *node = ossa__arena_take(&arena, sizeof *node);
    if (node == NULL) {
        ossa__arena_free(&arena);
        return NULL;
    }
    memset(node, 0, sizeof *node);
    atomic_init(&node->users, 1);
    node->arena = arena;
    return node;
}

struct ossa__node *ossa__node_keep(struct ossa__node *node)
{
    (void)atomic_fetch_add(&node->users, 1);
    return node;
}

void ossa__node_release(struct ossa__node *node)
{
    while (node != NULL && atomic_fetch_sub(&node->users, 1) == 1) {
        struct ossa__node *parent = node->parent;
        struct ossa__arena arena = node->arena;
        ossa_file_free(node->file);
        ossa_file_free(node->described);
        ossa_bytes_free(&node->bytes);
        ossa__source_close(&node->source);
        ossa__arena_free(&arena);
        node = parent;
    }
}

/* ---- names of entries ---------------------------------------------------------------------- */

/* How many chains an index has. */
static size_t chain_count(size_t entries)
{
    size_t count = 16;
    while (count < entries) count *= 2;
    return count;
}

static int by_path(const void *a, const void *b)
{
    const struct ossa__named *x = a;
    const struct ossa__named *y = b;
    int order = ossa__compare_paths(x->name, y->name);
    return order != 0 ? order : (x->entry > y->entry) - (x->entry < y->entry);
}

static int by_entry(const void *a, const void *b)
{
    size_t x = *(const size_t *)a;
    size_t y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* An archive of thousands of folders is looked into as often. */
static bool sort_entries(struct ossa__node *node)
{
    bool has_folders = false;
    for (size_t i = 0; i < node->count && !has_folders; i++) {
        has_folders = strpbrk(ossa_entry_at(node->file, i)->name, "/\\") != NULL;
    }
    if (!has_folders) return true;
    struct ossa__named *named = ossa__arena_take(&node->arena, node->count * sizeof *named);
    if (named == NULL) return false;
    for (size_t i = 0; i < node->count; i++) {
        named[i] = (struct ossa__named){ossa_entry_at(node->file, i)->name, i};
    }
    qsort(named, node->count, sizeof *named, by_path);
    node->by_path = named;
    return true;
}

/* The index: the heads of chains of names as they are, those of names without regard to case, and
 * for each entry the next in both chains. In a chain the first entries come first, so that of
 * several with one name the first is found at once. */
static bool index_entries(struct ossa__node *node)
{
    size_t chains = chain_count(node->count);
    if (node->count >= NO_ENTRY) return false;
    uint32_t *index =
        ossa__arena_take(&node->arena, 2 * (uint64_t)(chains + node->count) * sizeof *index);
    node->formats = ossa__arena_take(&node->arena, node->count * sizeof *node->formats);
    if (index == NULL || node->formats == NULL) return false;
    for (size_t i = 0; i < node->count; i++) {
        const struct ossa__entry_hint *hint = ossa__entry_hint_of(node->file, i);
        const ossa_guess guess = {hint == NULL ? NULL : hint->format, OSSA_CONFIDENCE_SIGNATURE};
        atomic_init(&node->formats[i], guess.format == NULL ? 0 : (uint16_t)number_of(&guess));
    }
    for (size_t i = 0; i < 2 * chains; i++) index[i] = NO_ENTRY;
    for (size_t i = node->count; i-- > 0;) {
        const char *name = ossa_entry_at(node->file, i)->name;
        uint32_t *head = &index[(size_t)ossa__hash_bytes(name, strlen(name)) & (chains - 1)];
        uint32_t *folded = &index[chains + ((size_t)ossa__hash_path(name) & (chains - 1))];
        index[2 * chains + 2 * i] = *head;
        index[2 * chains + 2 * i + 1] = *folded;
        *head = (uint32_t)i;
        *folded = (uint32_t)i;
    }
    node->index = index;
    return sort_entries(node);
}

static bool is_in_folder(const char *name, const char *folder, size_t size)
{
    size_t used = ossa__begins_with(name, folder, size);
    return used > 0 && (name[used] == '/' || name[used] == '\\');
}

bool ossa__node_folder(const struct ossa__node *node, const char *folder, size_t size,
                       struct ossa__arena *arena, const size_t **entries, size_t *count)
{
    *count = 0;
    if (node->by_path == NULL || size == 0) return true;
    char *start = ossa__arena_take(arena, (uint64_t)size + 2);
    if (start == NULL) return false;
    memcpy(start, folder, size);
    memcpy(start + size, "/", 2);
    size_t first = 0; /* not before "folder/" */
    for (size_t end = node->count; first < end;) {
        size_t middle = first + (end - first) / 2;
        if (ossa__compare_paths(node->by_path[middle].name, start) < 0) first = middle + 1;
        else end = middle;
    }
    size_t end = first;
    while (end < node->count && is_in_folder(node->by_path[end].name, folder, size)) end++;
    size_t *found = ossa__arena_take(arena, (uint64_t)(end - first + 1) * sizeof *found);
    if (found == NULL) return false;
    for (size_t i = first; i < end; i++) found[(*count)++] = node->by_path[i].entry;
    qsort(found, *count, sizeof *found, by_entry);
    *entries = found;
    return true;
}

/* ---- offsets as names ---------------------------------------------------------------------- */

/* "0x12800" and "0x12800.anb"; false: it is none. */
static bool read_offset(const char *name, uint64_t *offset)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    if (name[0] != '0' || (name[1] != 'x' && name[1] != 'X')) return false;
    const char *c = name + 2;
    *offset = 0;
    for (const char *digit; *c != '\0' && (digit = strchr(digits, *c)) != NULL; c++) {
        if (*offset >> 60 != 0) return false;
        *offset = *offset << 4 | (uint64_t)((digit - digits) % 16);
    }
    return c > name + 2 && (*c == '\0' || *c == '.' || *c == '#');
}

bool ossa__is_offset(const char *name)
{
    uint64_t offset;
    return read_offset(name, &offset);
}

bool ossa__node_is_searched(const struct ossa__node *node)
{
    return node->file != NULL && ossa__format_of(node->file)->searches;
}

/* Entries that were searched for are in the order of offsets. */
static int64_t find_offset(const struct ossa__node *node, const char *name)
{
    uint64_t offset;
    size_t first = 0;
    if (!read_offset(name, &offset)) return -1;
    for (size_t end = node->count; first < end;) {
        size_t middle = first + (end - first) / 2;
        if (ossa_entry_at(node->file, middle)->offset < offset) first = middle + 1;
        else end = middle;
    }
    bool is_there = first < node->count && ossa_entry_at(node->file, first)->offset == offset;
    return is_there ? (int64_t)first : -1;
}

int64_t ossa__node_find(struct ossa__node *node, const char *name)
{
    if (node->count == 0) return -1;
    size_t chains = chain_count(node->count);
    const uint32_t *next = node->index + 2 * chains;
    uint32_t i = node->index[(size_t)ossa__hash_bytes(name, strlen(name)) & (chains - 1)];
    for (; i != NO_ENTRY; i = next[2 * (size_t)i]) {
        if (strcmp(ossa_entry_at(node->file, i)->name, name) == 0) return i;
    }
    i = node->index[chains + ((size_t)ossa__hash_path(name) & (chains - 1))];
    for (; i != NO_ENTRY; i = next[2 * (size_t)i + 1]) {
        if (ossa__same_path(ossa_entry_at(node->file, i)->name, name)) return i;
    }
    return ossa__node_is_searched(node) ? find_offset(node, name) : -1;
}

const ossa_entry *ossa__node_entry(const struct ossa__node *node, size_t index)
{
    return ossa_entry_at(node->file, index);
}

bool ossa__node_bytes(const ossa_workspace *workspace, const struct ossa__node *node, size_t index,
                      ossa_bytes *bytes, ossa_error *error)
{
    const ossa_options options = {.max_input = workspace->options.max_input,
                                  .allocator = workspace->allocator};
    return ossa_entry_bytes(node->file, index, &options, bytes, error);
}

/* Names may have dots in them (rh3.sword00), which are no extension if the game does not know it.
 */
static bool has_extension(const struct ossa__node *node, const char *entry)
{
    const struct ossa__game *game = node->file == NULL ? NULL : ossa__format_of(node->file)->game;
    if (extension_of(entry)[0] == '\0') return false;
    if (game == NULL || !game->names_have_dots) return true;
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        if (ossa__formats[i]->game != game) continue;
        if (ossa_format_fits_name(&ossa__formats[i]->about, entry)) return true;
    }
    return false;
}

char *ossa__node_hint(struct ossa__arena *arena, const struct ossa__node *node, const char *entry)
{
    return ossa__join(arena, entry, "", has_extension(node, entry) ? "" : node->extension);
}

/* ---- what entries are ---------------------------------------------------------------------- */

bool ossa__node_knows(const struct ossa__node *node, size_t index, ossa_guess *guess)
{
    if (node->formats == NULL) return false;
    unsigned number = atomic_load_explicit(&node->formats[index], memory_order_relaxed);
    *guess = (ossa_guess){0};
    if (number >= FIRST_FORMAT) {
        guess->format = ossa_format_at((number - FIRST_FORMAT) / CONFIDENCES);
        guess->confidence = (ossa_confidence)((number - FIRST_FORMAT) % CONFIDENCES);
    }
    return number != NOT_ASKED;
}

ossa_guess ossa__node_guess(const struct ossa__node *node, size_t index, const ossa_bytes *bytes)
{
    ossa_guess guess;
    if (ossa__node_knows(node, index, &guess)) return guess;
    struct ossa__arena arena;
    ossa__arena_init(&arena, node->arena.allocator, UINT64_MAX);
    const char *name = ossa__node_entry(node, index)->name;
    const char *hint = ossa__node_hint(&arena, node, name);
    guess = ossa__guess(bytes->data, bytes->size, hint == NULL ? name : hint);
    ossa__arena_free(&arena);
    if (node->formats != NULL) {
        /* Threads that ask at the same time find the same. */
        atomic_store_explicit(&node->formats[index], (uint16_t)number_of(&guess),
                              memory_order_relaxed);
    }
    return guess;
}

/* ---- opening ------------------------------------------------------------------------------- */

/* Is it the name of another format of the same game? */
static bool is_of_game(const ossa_format *archive, const char *name)
{
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        const struct ossa__format *format = ossa__formats[i];
        if (format->game != ((const struct ossa__format *)archive)->game) continue;
        if (&format->about != archive && ossa_format_fits_name(&format->about, name)) return true;
    }
    return false;
}

/* A file that describes another one beside it stands for that. */
static bool follow_lead(ossa_workspace *workspace, struct ossa__node *node, ossa_error *error)
{
    const struct ossa__format *format = ossa__format_of(node->file);
    const ossa_options options = {0};
    struct ossa__lead lead = {0};
    if (format->leads_to == NULL) return true;
    if (!format->leads_to(ossa__contents_in_parts(node->file), &lead)) {
        return ossa__workspace_fail(error, OSSA_CODE_NOT_AN_ARCHIVE, node->path,
                                    "leads to no disc image: %s", lead.reason);
    }
    const char *path =
        node->parent == NULL ? node->path : ossa__node_entry(node->parent, node->entry)->name;
    ossa__source_close(&node->source);
    if (!ossa__source_follow(workspace, node->parent, path, &lead, &node->source, error)) {
        return false;
    }
    ossa_file *file =
        ossa__source_file(workspace, &node->source, node->path, &node->arena, &options, error);
    if (file == NULL) return false;
    node->described = node->file;
    node->file = file;
    if (ossa__format_of(file)->leads_to == NULL) return true;
    return ossa__workspace_fail(error, OSSA_CODE_NOT_AN_ARCHIVE, node->path,
                                "leads to a file that leads to another one");
}

/* With its file read: is it an archive that can be used? Otherwise it is released. */
static struct ossa__node *finish_node(ossa_workspace *workspace, struct ossa__node *node,
                                      const char *extension, ossa_error *error)
{
    bool ok = node->file != NULL && follow_lead(workspace, node, error); /* the error is there */
    const ossa_format *format = ok ? node->file->format : NULL;
    if (ok && !ossa_format_can(format, OSSA_ABILITY_LIST)) {
        ok = ossa__workspace_fail(error, OSSA_CODE_NOT_AN_ARCHIVE, node->path,
                                  "is a file of %s, not an archive", format->title);
    }
    if (ok) {
        /* Entries without an extension are what the archive's says (parts in a .anm), but not if it
         * only says that it is an archive, or nothing that the game knows. */
        char *name = ossa__join(&node->arena, "x", "", extension);
        node->extension = name;
        node->count = ossa_entry_count(node->file);
        if (name != NULL && is_of_game(format, name)) node->extension = name + 1;
        else node->extension = "";
        ok = (name != NULL && index_entries(node) && ossa__find_stored(node)) ||
             ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, node->path,
                                  "no memory for the names of its entries");
    }
    if (ok) return node;
    ossa__node_release(node);
    return NULL;
}

static struct ossa__node *fail_memory(struct ossa__node *node, const char *path, ossa_error *error)
{
    ossa__node_release(node);
    (void)ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, path, "no memory for an archive");
    return NULL;
}

static bool name_node(struct ossa__node *node, const char *path)
{
    node->path = ossa__copy(&node->arena, path, strlen(path));
    node->tree = node->path;
    return node->path != NULL;
}

struct ossa__node *ossa__node_open(ossa_workspace *workspace, const char *path, ossa_error *error)
{
    struct ossa__node *node = ossa__cache_file(workspace, path);
    if (node != NULL) return node;
    node = new_node(workspace);
    if (node == NULL || !name_node(node, path)) return fail_memory(node, path, error);
    const struct ossa__readable item = {.path = path};
    if (!ossa__item_open(workspace, &item, &node->arena, &node->source, error)) {
        ossa__node_release(node);
        return NULL;
    }
    /* Options of the caller are for what is inside, not for the archives on the way. */
    const ossa_options options = {0};
    node->file =
        ossa__source_file(workspace, &node->source, node->path, &node->arena, &options, error);
    node = finish_node(workspace, node, extension_of(path), error);
    return node == NULL ? NULL : ossa__cache_offer(workspace, node);
}

/* A node for an entry, with its names; NULL with the error. */
static struct ossa__node *new_inner(ossa_workspace *workspace, struct ossa__node *parent,
                                    size_t entry, ossa_error *error)
{
    const char *name = ossa__node_entry(parent, entry)->name;
    struct ossa__node *node = new_node(workspace);
    if (node == NULL) return fail_memory(NULL, parent->path, error);
    node->parent = ossa__node_keep(parent);
    node->entry = entry;
    node->depth = parent->depth + 1;
    node->path = ossa__join(&node->arena, parent->path, "#", name);
    node->tree = ossa__join(&node->arena, parent->tree, "/", name);
    if (node->path == NULL || node->tree == NULL) return fail_memory(node, parent->path, error);
    if (node->depth <= OSSA__DEEPEST_ARCHIVE) return node;
    (void)ossa__workspace_fail(error, OSSA_CODE_LIMIT, node->path,
                               "lies in more than %d archives; extract one of them, and go on "
                               "from there",
                               OSSA__DEEPEST_ARCHIVE);
    ossa__node_release(node);
    return NULL;
}

static const char *inner_extension(const struct ossa__node *parent, size_t entry)
{
    const char *extension = extension_of(ossa__node_entry(parent, entry)->name);
    return extension[0] == '\0' ? parent->extension : extension;
}

struct ossa__node *ossa__node_enter_bytes(ossa_workspace *workspace, struct ossa__node *parent,
                                          size_t entry, ossa_bytes *bytes, ossa_error *error)
{
    struct ossa__node *node = new_inner(workspace, parent, entry, error);
    if (node == NULL) {
        ossa_bytes_free(bytes);
        return NULL;
    }
    node->bytes = *bytes;
    *bytes = (ossa_bytes){0};
    const char *name = ossa__node_entry(parent, entry)->name;
    const char *hint = ossa__node_hint(&node->arena, parent, name);
    if (hint == NULL) return fail_memory(node, parent->path, error);
    const ossa_guess guess = ossa__node_guess(parent, entry, &node->bytes);
    const ossa_options options = {.name = hint,
                                  .path = node->path,
                                  .max_input = workspace->options.max_input,
                                  .allocator = workspace->allocator};
    node->file = ossa__read_guessed(node->bytes.data, node->bytes.size, &guess, &options, error);
    return finish_node(workspace, node, inner_extension(parent, entry), error);
}

struct ossa__node *ossa__node_adopt(ossa_workspace *workspace, const struct ossa__readable *item,
                                    ossa_file *file, ossa_error *error)
{
    struct ossa__node *node = NULL;
    const char *extension = extension_of(item->path);
    if (item->archive != NULL) {
        node = new_inner(workspace, item->archive, item->entry, error);
        extension = inner_extension(item->archive, item->entry);
    } else {
        node = new_node(workspace);
        if (node == NULL || !name_node(node, item->path)) {
            return fail_memory(node, item->path, error);
        }
    }
    if (node == NULL) return NULL;
    node->file = file;
    (void)ossa__node_keep(node);
    struct ossa__node *finished = finish_node(workspace, node, extension, error);
    /* The caller keeps it. */
    if (finished == NULL && node->described == file) node->described = NULL;
    else if (finished == NULL) node->file = NULL;
    ossa__node_release(node);
    return finished;
}

bool ossa__node_streams(const struct ossa__node *node, size_t entry)
{
    const ossa_entry *about = ossa__node_entry(node, entry);
    if (ossa__format_of(node->file)->read_from == NULL) return false;
    if (about->is_packed || about->is_missing) return false;
    return about->size > OSSA__READ_WHOLE || ossa__may_continue(about->name);
}

/* The same for one that is read like a file. */
static struct ossa__node *enter_source(ossa_workspace *workspace, struct ossa__node *parent,
                                       size_t entry, ossa_error *error)
{
    const ossa_options options = {0};
    struct ossa__node *node = new_inner(workspace, parent, entry, error);
    if (node == NULL) return NULL;
    const struct ossa__readable item = {.archive = parent, .entry = entry, .path = node->path};
    if (!ossa__item_open(workspace, &item, &node->arena, &node->source, error)) {
        ossa__node_release(node);
        return NULL;
    }
    node->file =
        ossa__source_file(workspace, &node->source, node->path, &node->arena, &options, error);
    return finish_node(workspace, node, inner_extension(parent, entry), error);
}

struct ossa__node *ossa__node_enter(ossa_workspace *workspace, struct ossa__node *parent,
                                    size_t entry, ossa_error *error)
{
    ossa_bytes bytes;
    struct ossa__node *node = ossa__cache_entry(workspace, parent, entry);
    if (node != NULL) return node;
    if (ossa__node_streams(parent, entry)) {
        node = enter_source(workspace, parent, entry, error);
        return node == NULL ? NULL : ossa__cache_offer(workspace, node);
    }
    if (!ossa__node_bytes(workspace, parent, entry, &bytes, error)) return NULL;
    node = ossa__node_enter_bytes(workspace, parent, entry, &bytes, error);
    return node == NULL ? NULL : ossa__cache_offer(workspace, node);
}

/* ---- searching ----------------------------------------------------------------------------- */

/* The format that finds its entries in any file; NULL: none does. */
static const struct ossa__format *searching_format(void)
{
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        if (ossa__formats[i]->searches) return ossa__formats[i];
    }
    return NULL;
}

/* A file that is open and to be searched; NULL with the error. */
static struct ossa__node *new_search(ossa_workspace *workspace, const struct ossa__readable *item,
                                     ossa_error *error)
{
    struct ossa__node *node = NULL;
    if (item->archive != NULL) {
        node = new_inner(workspace, item->archive, item->entry, error);
        if (node == NULL) return NULL;
    } else {
        node = new_node(workspace);
        if (node == NULL || !name_node(node, item->path)) {
            return fail_memory(node, item->path, error);
        }
    }
    node->extension = "";
    node->is_search = true;
    if (ossa__item_open(workspace, item, &node->arena, &node->source, error)) return node;
    ossa__node_release(node);
    return NULL;
}

struct ossa__node *ossa__node_search(ossa_workspace *workspace, const struct ossa__readable *item,
                                     ossa_error *error)
{
    const struct ossa__format *format = searching_format();
    struct ossa__node *node = ossa__cache_search(workspace, item);
    ossa_error why = {0};
    if (node != NULL) return node;
    node = new_search(workspace, item, error);
    if (node == NULL || format == NULL) return node;
    const ossa_options options = {.format = format->about.id};
    node->file =
        ossa__source_file(workspace, &node->source, node->path, &node->arena, &options, &why);
    if (node->file == NULL && ossa__is_fatal(why.code)) {
        if (error != NULL) *error = why;
        ossa__node_release(node);
        return NULL;
    }
    node->is_given_up = node->file == NULL && why.code == OSSA_CODE_LIMIT;
    if (node->file != NULL) {
        node = finish_node(workspace, node, "", error);
        if (node == NULL) return NULL;
    }
    if (node->count == 0) ossa__source_close(&node->source);
    return ossa__cache_offer(workspace, node);
}

struct ossa__node *ossa__node_at(ossa_workspace *workspace, const struct ossa__readable *item,
                                 const char *name, ossa_error *error)
{
    const struct ossa__format *format = searching_format();
    uint64_t offset;
    ossa_error why = {0};
    if (format == NULL || !read_offset(name, &offset)) return NULL;
    struct ossa__node *node = item->archive == NULL
                                  ? ossa__cache_file(workspace, item->path)
                                  : ossa__cache_entry(workspace, item->archive, item->entry);
    if (node == NULL) node = ossa__cache_search(workspace, item);
    if (node != NULL && ossa__node_is_searched(node) && find_offset(node, name) >= 0) return node;
    /* A search does not find what lies in something that it has found. */
    ossa__node_release(node);
    node = new_search(workspace, item, error);
    if (node == NULL) return NULL;
    const ossa_options options = {.format = format->about.id};
    node->file = ossa__source_file_at(workspace, &node->source, node->path, offset, &options, &why);
    if (node->file != NULL) node = finish_node(workspace, node, "", &why);
    if (node != NULL && node->count > 0) return node;
    ossa__node_release(node);
    if (error != NULL && ossa__is_fatal(why.code)) *error = why;
    return NULL;
}
