/* SPDX-License-Identifier: MIT */
#include "formats/disc/cue_lead.h"

#include "ossa/archive.h"

#include <string.h>

/* The last part of a path. */
static const char *last_part(const char *path)
{
    const char *part = path;
    for (const char *slash = path; (slash = strpbrk(slash, "/\\")) != NULL;) part = ++slash;
    return part;
}

/* Is a part of a path ".."? */
static bool leads_up(const char *name)
{
    for (const char *part = name;; part++) {
        size_t size = strcspn(part, "/\\");
        if (size == 2 && memcmp(part, "..", 2) == 0) return true;
        part += size;
        if (*part == '\0') return false;
    }
}

const char *ossa__cue_refuse_name(const char *name)
{
    char clean[256];
    const char *part = last_part(name);
    if (leads_up(name)) return "leads out of the folder of the sheet";
    if (ossa_file_name(part, clean, sizeof clean) >= sizeof clean || strcmp(clean, part) != 0) {
        return "is not the name of a file";
    }
    return NULL;
}

const ossa_cue_index *ossa__cue_find_index(const ossa_cue *cue, const ossa_cue_track *track,
                                           uint32_t number)
{
    for (uint32_t i = 0; i < track->index_count; i++) {
        const ossa_cue_index *index = &cue->indices[track->first_index + i];
        if (index->number == number) return index;
    }
    return NULL;
}

/* "game.bin" for a sheet "discs/game.cue": dumps are often renamed, and the sheet is forgotten. */
static const char *name_like(struct ossa__context *context, const char *path)
{
    if (path == NULL) return NULL;
    const char *name = last_part(path);
    const char *dot = strrchr(name, '.');
    size_t size = dot == NULL ? strlen(name) : (size_t)(dot - name);
    char *text = ossa__take(context, (uint64_t)size + sizeof ".bin", 1);
    if (text == NULL || size == 0) return NULL;
    memcpy(text, name, size);
    memcpy(text + size, ".bin", sizeof ".bin");
    return text;
}

struct ossa__lead ossa__cue_find_lead(struct ossa__context *context, const ossa_cue *cue)
{
    struct ossa__lead lead = {0};
    lead.reason = "the disc has no data track";
    if (cue->data_track == OSSA_CUE_NONE) return lead;
    const ossa_cue_track *track = &cue->tracks[cue->data_track];
    const ossa_cue_index *index = ossa__cue_find_index(cue, track, 1);
    lead.reason = "it does not say where the data track begins";
    if (index == NULL || index->file == OSSA_CUE_NONE) return lead;
    const ossa_cue_file *file = &cue->files[index->file];
    lead.reason = "its data track is in a sound file";
    if (file->is_sound) return lead;
    lead.reason = "the name of its image is not that of a file beside it";
    if (ossa__cue_refuse_name(file->name) != NULL) return lead;
    const ossa_cue_index *next = &cue->indices[track->first_index + track->index_count];
    bool is_followed = next < cue->indices + cue->index_count && next->file == index->file;
    if (is_followed && next->offset > index->offset) lead.end = next->offset;
    lead.begin = index->offset;
    lead.names[0] = last_part(file->name);
    lead.names[1] = name_like(context, context->options.name);
    lead.reason = NULL;
    return lead;
}
