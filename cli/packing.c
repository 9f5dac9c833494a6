/* SPDX-License-Identifier: MIT */
#include "packing.h"

#include <stdlib.h>
#include <string.h>

bool packing_fail_memory(void)
{
    complain("no memory for the archive");
    return false;
}

void packing_free(struct packing *p)
{
    for (size_t i = 0; i < p->count; i++) {
        free(p->names[i]);
        ossa_buffer_free(&p->packed[i]);
        ossa_bytes_free(&p->bytes[i]);
    }
    free(p->entries);
    free(p->names);
    free(p->packed);
    free(p->bytes);
}

static bool grow(struct packing *p)
{
    if (p->count < p->capacity) return true;
    size_t capacity = p->capacity == 0 ? 64 : 2 * p->capacity;
    void *entries = realloc(p->entries, capacity * sizeof *p->entries);
    if (entries != NULL) p->entries = entries;
    void *names = realloc(p->names, capacity * sizeof *p->names);
    if (names != NULL) p->names = names;
    void *packed = realloc(p->packed, capacity * sizeof *p->packed);
    if (packed != NULL) p->packed = packed;
    void *bytes = realloc(p->bytes, capacity * sizeof *p->bytes);
    if (bytes != NULL) p->bytes = bytes;
    if (entries == NULL || names == NULL || packed == NULL || bytes == NULL) {
        return false;
    }
    p->capacity = capacity;
    return true;
}

/* Room for an entry of that name; its data is to be set. */
bool packing_add(struct packing *p, const char *name, uint32_t time)
{
    char *copy = strdup(name);
    if (copy == NULL || !grow(p)) {
        free(copy);
        return packing_fail_memory();
    }
    size_t i = p->count++;
    p->names[i] = copy;
    p->packed[i] = (ossa_buffer){0};
    p->bytes[i] = (ossa_bytes){0};
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
    return p->output != NULL && identify_file(path, &id) && id.device == p->output->device &&
           id.number == p->output->number;
}

bool packing_set_file(struct packing *p, const char *path)
{
    ossa_error error;
    ossa_bytes *bytes = &p->bytes[p->count - 1];
    if (packing_is_output(p, path)) {
        complain("%s would replace its own input", p->cli->output);
        return false;
    }
    if (!ossa_workspace_bytes(p->cli->workspace, path, bytes, &error)) {
        complain_error(path, &error);
        return false;
    }
    packing_set_data(p, bytes->data, bytes->size);
    return true;
}

bool packing_write(const struct packing *p, const char *format, ossa_sink sink, const char *shown)
{
    ossa_error error;
    if (ossa_pack(format, p->entries, p->count, NULL, sink, &error)) return true;
    if (error.code != OSSA_CODE_IO) complain_error(shown, &error);
    return false;
}
