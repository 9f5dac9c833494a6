/* SPDX-License-Identifier: MIT */
#include "support/file_table.h"

#include <stdio.h>
#include <string.h>

void table_add(struct file_table *table, const char *path, struct bytes bytes)
{
    assert_true(table->count < FILE_TABLE_ITEMS);
    table->items[table->count++] = (struct table_file){path, bytes};
}

void table_add_sample(struct file_table *table, const char *path, const char *sample)
{
    char full[256];
    (void)snprintf(full, sizeof full, "../samples/%s", sample);
    table_add(table, path, load_test_file(full));
}

void table_free(struct file_table *table)
{
    for (size_t i = 0; i < table->count; i++) bytes_free(&table->items[i].bytes);
    *table = (struct file_table){0};
}

static bool fails(struct file_table *table, ossa_error *error)
{
    if (++table->calls != table->fail_at) return false;
    table->failed = true;
    if (error != NULL && !table->is_silent) {
        error->code = OSSA_CODE_IO;
        (void)snprintf(error->message, sizeof error->message, "a call failed on purpose");
    }
    return true;
}

static void *open_file(void *user, const char *path, uint64_t *size, ossa_error *error)
{
    struct file_table *table = user;
    if (fails(table, error)) return NULL;
    for (size_t i = 0; i < table->count; i++) {
        if (strcmp(table->items[i].path, path) != 0) continue;
        *size = table->items[i].bytes.size;
        table->opened++;
        return &table->items[i];
    }
    return NULL;
}

static bool read_file(void *user, void *file, uint64_t offset, void *bytes, size_t size)
{
    struct file_table *table = user;
    const struct table_file *item = file;
    assert_true(offset <= item->bytes.size && size <= item->bytes.size - offset);
    if (fails(table, NULL)) return false;
    table->read += size;
    if (size > 0) memcpy(bytes, item->bytes.data + offset, size);
    return true;
}

static void close_file(void *user, void *file)
{
    struct file_table *table = user;
    assert_non_null(file);
    table->closed++;
}

/* Names are reported from the last to the first, folders as often as there are files in them but
 * once. */
static bool list_folder(void *user, const char *folder, ossa_list_entry *found, void *context,
                        ossa_error *error)
{
    struct file_table *table = user;
    size_t start = strlen(folder);
    bool is_there = false;
    char last[64] = "";
    if (fails(table, error)) return false;
    for (size_t i = table->count; i-- > 0;) {
        const char *path = table->items[i].path;
        if (strncmp(path, folder, start) != 0 || path[start] != '/') continue;
        char name[64];
        size_t size = strcspn(path + start + 1, "/");
        bool is_folder = path[start + 1 + size] == '/';
        assert_true(size < sizeof name);
        memcpy(name, path + start + 1, size);
        name[size] = '\0';
        if (!is_folder || strcmp(name, last) != 0) found(context, name, is_folder);
        if (is_folder) memcpy(last, name, sizeof last);
        is_there = true;
    }
    return is_there;
}

ossa_filesystem table_filesystem(struct file_table *table)
{
    return (ossa_filesystem){.list = list_folder,
                             .open = open_file,
                             .read_at = read_file,
                             .close = close_file,
                             .user = table};
}

ossa_workspace *table_workspace(struct file_table *table, const ossa_allocator *allocator)
{
    const ossa_filesystem files = table_filesystem(table);
    ossa_workspace_options options = {.filesystem = &files};
    if (allocator != NULL) options.allocator = *allocator;
    return ossa_workspace_new(&options, NULL);
}

ossa_step log_visit(void *user, const ossa_visit *visit)
{
    struct visit_log *log = user;
    size_t room = sizeof log->text - log->size;
    int size =
        snprintf(log->text + log->size, room, "%u %s %s%s%s\n", visit->depth, visit->path,
                 visit->format == NULL ? "-" : visit->format->id, visit->error == NULL ? "" : " ",
                 visit->error == NULL ? "" : ossa_code_name(visit->error->code));
    assert_true(size > 0);
    if ((size_t)size < room) log->size += (size_t)size;
    if (visit->error != NULL) {
        log->errors++;
        log->code = visit->error->code;
        assert_true(visit->error->message[0] != '\0');
        assert_true(visit->error->code != OSSA_CODE_OK);
    }
    if (++log->count == log->stop_after) return OSSA_STEP_STOP;
    return log->over ? OSSA_STEP_OVER : OSSA_STEP_INTO;
}

void log_leave(void *user, const ossa_visit *visit)
{
    struct visit_log *log = user;
    assert_true(visit->is_archive);
    log->left++;
}
