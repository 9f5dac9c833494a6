/* SPDX-License-Identifier: MIT */
#include "packing.h"

#include <stdlib.h>
#include <string.h>

bool packing_fail_memory(void)
{
    complain("out of memory for the archive");
    return false;
}

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

static bool grow(struct packing *p)
{
    if (p->count < p->capacity) return true;
    size_t capacity = p->capacity == 0 ? 64 : 2 * p->capacity;
    void *entries = realloc(p->entries, capacity * sizeof *p->entries);
    if (entries != NULL) p->entries = entries;
    void *owners = realloc(p->owners, capacity * sizeof *p->owners);
    if (owners != NULL) p->owners = owners;
    if (entries == NULL || owners == NULL) return false;
    p->capacity = capacity;
    return true;
}

bool packing_add(struct packing *p, const char *name, uint32_t time)
{
    char *copy = strdup(name);
    if (copy == NULL || !grow(p)) {
        free(copy);
        return packing_fail_memory();
    }
    size_t i = p->count++;
    p->owners[i] = (struct packing_owner){.name = copy};
    p->entries[i] = (ossa_packing){.name = copy, .time = time};
    return true;
}

void packing_set_data(struct packing *p, const uint8_t *data, size_t size)
{
    p->entries[p->count - 1].data = data;
    p->entries[p->count - 1].size = size;
}

bool packing_is_output(const struct packing *p, const char *path)
{
    struct os_file_id id;
    return p->output != NULL && identify_file(path, &id) && os_same_id(&id, p->output);
}

bool packing_set_file(struct packing *p, const char *path)
{
    ossa_error error;
    ossa_bytes *bytes = &p->owners[p->count - 1].bytes;
    if (packing_is_output(p, path)) {
        complain("%s would overwrite an input", p->cli->output);
        return false;
    }
    if (!ossa_workspace_bytes(p->cli->workspace, path, bytes, &error)) {
        complain_error(path, &error);
        return false;
    }
    packing_set_data(p, bytes->data, bytes->size);
    return true;
}

bool packing_set_archive(struct packing *p, struct packing *inner, const char *format,
                         const char *path, bool ok)
{
    ossa_buffer *buffer = &p->owners[p->count - 1].packed;
    ok = ok && packing_write(inner, format, ossa_buffer_sink(buffer), path);
    packing_free(inner);
    if (ok) packing_set_data(p, buffer->data, buffer->size);
    return ok;
}

bool packing_write(const struct packing *p, const char *format, ossa_sink sink, const char *shown)
{
    ossa_error error;
    if (ossa_pack(format, p->entries, p->count, NULL, sink, &error)) return true;
    if (error.code != OSSA_CODE_IO) complain_error(shown, &error);
    return false;
}
