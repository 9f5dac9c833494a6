/* SPDX-License-Identifier: MIT
 *
 * A file system for workspaces: a table in memory, of which any call may fail. Folders are what the
 * paths say. */
#ifndef OSSA_TEST_FILE_TABLE_H
#define OSSA_TEST_FILE_TABLE_H

#include "support/testing.h"

enum { FILE_TABLE_ITEMS = 128 };

struct file_table {
    struct table_file {
        const char *path;
        struct bytes bytes;
    } items[FILE_TABLE_ITEMS];
    size_t count;
    size_t calls;   /* of list, open and read_at */
    size_t fail_at; /* this call fails, from 1 on; 0: none */
    bool failed;
    bool is_silent; /* a failure does not say why */
    size_t opened;
    size_t closed;
    uint64_t read; /* bytes */
};

/* It takes the bytes over. */
void table_add(struct file_table *table, const char *path, struct bytes bytes);
void table_add_sample(struct file_table *table, const char *path, const char *sample);
void table_free(struct file_table *table);
ossa_filesystem table_filesystem(struct file_table *table);
/* A workspace over it, with an allocator or NULL. */
ossa_workspace *table_workspace(struct file_table *table, const ossa_allocator *allocator);

/* What a walk has visited, a line for each: DEPTH PATH FORMAT, and the error's code. */
struct visit_log {
    char text[8192];
    size_t size;
    size_t count;
    size_t left;       /* calls of leave */
    size_t stop_after; /* visits; 0: never */
    bool over;         /* do not enter archives */
    size_t errors;
    ossa_code code; /* of the last error */
};
ossa_step log_visit(void *user, const ossa_visit *visit);
void log_leave(void *user, const ossa_visit *visit);

#endif
