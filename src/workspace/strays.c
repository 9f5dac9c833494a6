/* SPDX-License-Identifier: MIT
 *
 * Strays: files that lie with others and that nobody meant. A program among the parts of a figure,
 * a note, a table of something else. They are left out, and never a reason to refuse the others. */
#include "workspace/workspace.h"

#include "base/fold.h"
#include "codec/foreign.h"

#include <string.h>

enum { LOOK = 512 }; /* bytes that decide whether a file is text */

static bool is_text(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bool is_space = bytes[i] == '\t' || bytes[i] == '\n' || bytes[i] == '\r' || bytes[i] == 26;
        if ((bytes[i] < 32 && !is_space) || bytes[i] == 127) return false;
    }
    return true;
}

/* The first bytes of an item; how many. */
static size_t first_bytes(ossa_workspace *workspace, const struct ossa__readable *item,
                          uint8_t bytes[LOOK])
{
    size_t size = 0;
    if (item->archive != NULL) {
        ossa_bytes all;
        if (!ossa__node_bytes(workspace, item->archive, item->entry, &all, NULL)) return 0;
        if (all.data != NULL) {
            size = all.size < LOOK ? all.size : LOOK;
            memcpy(bytes, all.data, size);
        }
        ossa_bytes_free(&all);
        return size;
    }
    struct ossa__source source;
    if (!ossa__source_open(workspace, item->path, &source, NULL)) return 0;
    size = source.size < LOOK ? (size_t)source.size : LOOK;
    if (!ossa__source_read(&source, 0, bytes, size)) size = 0;
    ossa__source_close(&source);
    return size;
}

/* Has a text none of the words that one of its format has? A note may be called anything. */
static bool lacks_signs(const uint8_t *bytes, size_t size, const char *const *signs)
{
    for (; signs != NULL && *signs != NULL; signs++) {
        size_t length = strlen(*signs);
        for (size_t i = 0; i + length <= size; i++) {
            if (ossa__same_word((const char *)bytes + i, length, *signs, length)) return false;
        }
    }
    return true;
}

/* Is it text where its format is not, or the other way round, or another text? Then only its name
 * claims the format, and the format has nothing to say about it. */
static bool is_of_another_kind(ossa_workspace *workspace, const struct ossa__readable *item,
                               const char *format)
{
    const struct ossa__format *claimed = (const struct ossa__format *)ossa_format_find(format);
    uint8_t bytes[LOOK];
    if (claimed == NULL) return false;
    size_t size = first_bytes(workspace, item, bytes);
    if (size == 0) return false;
    if (is_text(bytes, size) != claimed->is_text) return true;
    return claimed->signs != NULL && lacks_signs(bytes, size, claimed->signs);
}

/* ---- entries that a figure is stored in ---------------------------------------------------- */

/* How the archive of an entry stores figures; NULL: it is not known to. */
static const char *const *endings_of(const struct ossa__readable *item)
{
    if (item->archive == NULL || item->archive->file == NULL) return NULL;
    return ossa__format_of(item->archive->file)->game->figure_endings;
}

/* The last name in the first `size` bytes of a path that leads into archives. */
static size_t name_start(const char *path, size_t size)
{
    while (size > 0 && strchr("#/\\", path[size - 1]) == NULL) size--;
    return size;
}

static bool ends_in(const char *name, size_t size, const char *ending)
{
    size_t used = strlen(ending);
    return size > used && ossa__same_word(name + size - used, used, ending, used);
}

bool ossa__is_body_entry(const struct ossa__readable *item)
{
    const char *const *endings = endings_of(item);
    if (endings == NULL) return false;
    const char *name = ossa__node_entry(item->archive, item->entry)->name;
    if (ossa__has_ending(name, endings[0])) return true;
    const char *inside = strrchr(item->path, '#');
    size_t end = inside == NULL ? 0 : (size_t)(inside - item->path);
    size_t start = name_start(item->path, end);
    if (!ends_in(item->path + start, end - start, endings[0])) return false;
    return ossa__compare_sized_names(item->path + start, end - start - strlen(endings[0]), name,
                                     strlen(name)) == 0;
}

/* Is it in troll.bon or troll.anm, or in an archive in those, and called like a part or a clip?
 * Strays are known only beside the meshes, in troll.mod, and those are not empty. */
static bool is_figure_entry(const struct ossa__readable *item, ossa_code code)
{
    const char *const *endings = endings_of(item);
    if (endings == NULL) return false;
    if (strchr(ossa__node_entry(item->archive, item->entry)->name, '.') != NULL) return false;
    for (const char *c = strchr(item->path, '#'); c != NULL; c = strchr(c + 1, '#')) {
        size_t end = (size_t)(c - item->path);
        size_t start = name_start(item->path, end);
        for (size_t i = code == OSSA_CODE_EMPTY_FILE ? 0 : 1; endings[i] != NULL; i++) {
            if (ends_in(item->path + start, end - start, endings[i])) return true;
        }
    }
    return false;
}

/* ---- strays -------------------------------------------------------------------------------- */

bool ossa__is_stray(ossa_workspace *workspace, const struct ossa__readable *item, ossa_code code,
                    const char *format)
{
    bool is_unknown = ossa__is_of_no_format(code) || code == OSSA_CODE_EMPTY_FILE ||
                      code == OSSA_CODE_AMBIGUOUS_FORMAT || code == OSSA_CODE_PASSED_OVER;
    /* Discs have films that are larger than anything Ossa reads; what is packed may be a bomb. */
    bool is_stored = item->archive != NULL && ossa__node_streams(item->archive, item->entry);
    if (code == OSSA_CODE_TOO_LARGE && is_stored) is_unknown = true;
    if (item->is_named || code == OSSA_CODE_OUT_OF_MEMORY) return false;
    if (ossa__is_body_entry(item) || is_figure_entry(item, code)) return false;
    if (format != NULL && format[0] != '\0') return is_of_another_kind(workspace, item, format);
    if (!is_unknown) return false;
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        if (ossa__formats[i]->has_common_extension) continue; /* anybody's files end in it */
        if (ossa_format_fits_name(&ossa__formats[i]->about, item->path)) return false;
    }
    return true;
}
