/* SPDX-License-Identifier: MIT
 *
 * Files whose bytes stay with JavaScript, such as images of discs that are larger than memory: the
 * file system of a workspace. JavaScript has the files, by their paths; a workspace is a number
 * there, and an open file is one, too. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

#define WEB_IMPORT(name) __attribute__((import_module("ossa"), import_name(#name)))

/* What is in a folder: each name with its NUL, then an empty one; those of folders end with a /.
 * The caller releases it. NULL: there is no such folder, or no memory. */
WEB_IMPORT(source_list) char *web_source_list(uint32_t workspace, const char *folder);
/* 0: there is no such file. */
WEB_IMPORT(source_open) uint32_t web_source_open(uint32_t workspace, const char *path);
WEB_IMPORT(source_size) double web_source_size(uint32_t file);
WEB_IMPORT(source_read)
bool web_source_read(uint32_t file, double offset, void *bytes, size_t size);
WEB_IMPORT(source_close) void web_source_close(uint32_t file);

static uint32_t number_of(const void *pointer)
{
    return (uint32_t)(uintptr_t)pointer;
}

static bool list(void *user, const char *folder, ossa_list_entry *found, void *context,
                 ossa_error *error)
{
    (void)error;
    char *names = web_source_list(number_of(user), folder);
    if (names == NULL) return false;
    for (char *name = names; *name != '\0';) {
        size_t size = strlen(name);
        bool is_folder = name[size - 1] == '/';
        if (is_folder) name[size - 1] = '\0';
        found(context, name, is_folder);
        name += size + 1;
    }
    free(names);
    return true;
}

static void *open(void *user, const char *path, uint64_t *size, ossa_error *error)
{
    uint32_t file = web_source_open(number_of(user), path);
    if (file == 0) {
        (void)strcpy(error->message, "does not exist");
        return NULL;
    }
    *size = (uint64_t)web_source_size(file);
    return (void *)(uintptr_t)file;
}

static bool read_at(void *user, void *file, uint64_t offset, void *bytes, size_t size)
{
    (void)user;
    return web_source_read(number_of(file), (double)offset, bytes, size);
}

static void close(void *user, void *file)
{
    (void)user;
    web_source_close(number_of(file));
}

WEB_EXPORT(workspace_new) ossa_workspace *web_workspace_new(uint32_t number);
ossa_workspace *web_workspace_new(uint32_t number)
{
    /* As if they were on the disk: figures get the same names as in the tool. */
    const ossa_filesystem files = {.list = list,
                                   .open = open,
                                   .read_at = read_at,
                                   .close = close,
                                   .user = (void *)(uintptr_t)number,
                                   .is_disk = true};
    const ossa_workspace_options options = {.filesystem = &files};
    ossa_error error;
    web_begin();
    ossa_workspace *workspace = ossa_workspace_new(&options, &error);
    if (workspace == NULL) (void)web_fail(&error);
    return workspace;
}

/* A file that JavaScript has: it is among those that are searched for figures. */
WEB_EXPORT(workspace_add) bool web_workspace_add(ossa_workspace *workspace, const char *path);
bool web_workspace_add(ossa_workspace *workspace, const char *path)
{
    ossa_error error;
    web_begin();
    return ossa_workspace_add(workspace, path, &error) || web_fail(&error);
}
