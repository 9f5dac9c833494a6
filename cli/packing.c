/* SPDX-License-Identifier: MIT */
#include "packing.h"

#include <stdlib.h>
#include <string.h>

void packing_free(struct packing *p)
{
    for (size_t i = 0; i < p->count; i++) {
        free(p->owners[i].name);
        ossa_buffer_free(&p->owners[i].packed);
        ossa_bytes_free(&p->owners[i].bytes);
    }
    free(p->entries);
    free(p->owners);
}

void packing_add(struct packing *p, const char *name, uint32_t time)
{
    size_t i = p->count;
    p->entries = make_room(p->entries, i, sizeof *p->entries);
    p->owners = make_room(p->owners, i, sizeof *p->owners);
    p->owners[i] = (struct packing_owner){.name = copy_text(name)};
    p->entries[i] = (ossa_packing){.name = p->owners[i].name, .time = time};
    p->count++;
}

void packing_set_data(struct packing *p, const uint8_t *data, size_t size)
{
    p->entries[p->count - 1].data = data;
    p->entries[p->count - 1].size = size;
}

bool packing_set_file(struct packing *p, const char *path)
{
    ossa_error error;
    ossa_bytes *bytes = &p->owners[p->count - 1].bytes;
    note_file(p->cli, path); /* the output must not overwrite it */
    if (!ossa_workspace_bytes(p->cli->workspace, path, bytes, &error)) {
        complain_error(path, &error);
        return false;
    }
    packing_set_data(p, bytes->data, bytes->size);
    return true;
}

bool packing_set_archive(struct packing *p, struct packing *inner, const char *kind,
                         const char *path, bool ok)
{
    ossa_error error;
    ossa_buffer *buffer = &p->owners[p->count - 1].packed;
    bool is_complete = ok;
    ok = ok && packing_write(inner, kind, ossa_buffer_sink(buffer), &error);
    if (is_complete && !ok) complain_error(path, &error);
    packing_free(inner);
    if (ok) packing_set_data(p, buffer->data, buffer->size);
    return ok;
}

bool packing_write(const struct packing *p, const char *kind, ossa_sink sink, ossa_error *error)
{
    char format[32];
    ossa_options options = {0};
    (void)snprintf(format, sizeof format, "%s", kind);
    char *space = strchr(format, ' ');
    if (space != NULL) {
        *space = '\0';
        options.dialect = space + 1;
    }
    return ossa_pack(format, p->entries, p->count, &options, sink, error);
}
