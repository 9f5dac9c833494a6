/* SPDX-License-Identifier: MIT
 *
 * The models of an archive: their parts, meshes and clips. */
#ifndef OSSA_CLI_CATALOGUE_H
#define OSSA_CLI_CATALOGUE_H

#include "archives.h"

struct catalogue_clip {
    char *name; /* from malloc */
    uint32_t frames;
    size_t parts; /* that it moves */
};

struct catalogue_model {
    char *name; /* from malloc; without .mod */
    uint32_t parts;
    size_t meshes;
    struct catalogue_clip *clips;
    size_t clip_count;
    size_t unreadable; /* entries of it that say nothing */
};

struct catalogue {
    struct catalogue_model *models;
    size_t count;
    bool is_whole; /* false: there is more in the archive than it deserves to be looked at */
};

/* What an indexed archive holds; of one without models nothing. False where there is no memory. */
bool make_catalogue(const struct cli *cli, const struct archive *archive,
                    struct catalogue *catalogue);
void free_catalogue(struct catalogue *catalogue);

void print_catalogue(const struct catalogue *catalogue);
/* As the value of a key. */
void catalogue_json(const struct catalogue *catalogue, struct ossa__json *json);

#endif
