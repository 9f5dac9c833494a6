/* SPDX-License-Identifier: MIT
 *
 * The viewer's page with files inside it.
 *
 * The page has a mark where data may stand (PAGE_MARK). What comes there is a script element that
 * no browser runs, with one JSON document:
 *
 *     {"options":{...},"items":[{"name":"troll","words":["troll"]}],
 *      "files":[{"path":"troll/troll.lnk","base64":"..."}]}
 *
 * An item is what one word of the call means: a folder, or files. The page does with them what it
 * does with things that are dropped on it. */
#ifndef OSSA_CLI_PAGE_H
#define OSSA_CLI_PAGE_H

#include "cli.h"

#define PAGE_MARK "<!-- ossa:data -->"

/* A page being written. */
struct page {
    ossa_sink sink;
    struct os_file_id id;                             /* of the empty page */
    struct os_bytes empty;                            /* the page without data, from a file */
    size_t mark;                                      /* where the mark is in it */
    enum { PAGE_ITEMS, PAGE_WORDS, PAGE_FILES } part; /* what comes last so far */
    bool is_first;                                    /* of the list that is open */
    bool ok;                                          /* false: the output could not take it */
};

/* Find the empty page and read it; false after a message. */
bool page_find(struct page *page);
void page_begin(struct page *page, ossa_sink sink, const ossa_scene_options *options);
/* First all items, each with its words after it, and then all files. */
void page_item(struct page *page, const char *name);
void page_word(struct page *page, const char *path);
void page_file(struct page *page, const char *path, const uint8_t *bytes, size_t size);
/* And the rest; false when the output could not take it. */
bool page_end(struct page *page);
void page_free(struct page *page);

#endif
