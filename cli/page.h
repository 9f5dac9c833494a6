/* SPDX-License-Identifier: MIT
 *
 * The viewer page with files embedded in it.
 *
 * The page has a mark for data (PAGE_MARK). It is replaced by a script element that no browser
 * runs, with one JSON document:
 *
 *     {"options":{...},"items":[{"name":"troll","words":["troll"]}],
 *      "files":[{"path":"troll/troll.lnk","base64":"..."}]}
 *
 * An item is one input of the command line: a folder, or files. The page treats items like files
 * that are dropped on it. */
#ifndef OSSA_CLI_PAGE_H
#define OSSA_CLI_PAGE_H

#include "cli.h"

#define PAGE_MARK "<!-- ossa:data -->"

/* A page being written. */
struct page {
    ossa_sink sink;
    struct os_file_id id;                             /* of the empty page */
    struct os_bytes empty;                            /* the page without data, from a file */
    size_t mark;                                      /* offset of the mark */
    enum { PAGE_ITEMS, PAGE_WORDS, PAGE_FILES } part; /* what was written last */
    bool is_first;                                    /* in the open list */
    bool ok;                                          /* false: writing failed */
};

/* Find the empty page and read it; false after a message. */
bool page_find(struct page *page);
void page_begin(struct page *page, ossa_sink sink, const ossa_scene_options *options);
/* First all items, each followed by its words, then all files. `options` has ei and vib. */
void page_item(struct page *page, const char *name);
void page_word(struct page *page, const char *path);
void page_file(struct page *page, const char *path, const uint8_t *bytes, size_t size);
/* Write the rest of the page; false if writing failed. */
bool page_end(struct page *page);
void page_free(struct page *page);

#endif
