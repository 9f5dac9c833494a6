/* SPDX-License-Identifier: MIT
 *
 * The files that a scene is made of: from the disk, from folders and from archives. */
#ifndef OSSA_CLI_SCENE_FILES_H
#define OSSA_CLI_SCENE_FILES_H

#include "archives.h"

/* An archive that some of the files lie in. */
struct entered {
    struct archive own;            /* opened for this */
    const struct archive *archive; /* that, or one that the call has open anyway */
};

/* An entry that is taken only if it belongs to the model, which is known at the end. */
struct deferred {
    size_t archive;
    size_t entry;
};

/* What a scene is made of. */
struct files {
    const struct cli *cli;
    struct loaded *loaded;
    ossa_input *inputs;
    char **paths; /* of the inputs, from malloc */
    char **shown; /* what they are called, from malloc */
    size_t count;
    size_t capacity;
    struct entered **archives; /* from malloc each */
    size_t archive_count;
    struct deferred *deferred;
    size_t deferred_count;
    struct budget budget; /* for what is in the archive that is being read */
    size_t passed_over;
    bool ok;
};

/* Read all that a scene can be made of, after a zeroed start with `cli` set; false when something
 * is bad. */
bool read_files(const struct input_list *list, struct files *files);
void free_files(struct files *files);

/* Archives of textures and databases hold those of all models: only a model's own are wanted. Find
 * out which entries are such, once for all that will be read from what the call has open. */
void note_shared_entries(const struct cli *cli);

#endif
