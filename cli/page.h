/* SPDX-License-Identifier: MIT
 *
 * The viewer page with files embedded in it.
 *
 * The page has a mark for data (PAGE_MARK). It is replaced by a script element that no browser
 * runs, with one JSON document:
 *
 *     {"title":"troll","options":{...},"files":[{"path":"troll/troll.lnk","base64":"..."}]}
 *
 * The page treats the files like files that are dropped on it. */
#ifndef OSSA_CLI_PAGE_H
#define OSSA_CLI_PAGE_H

#include "cli.h"

#define PAGE_MARK "<!-- ossa:data -->"
/* How the element begins: every page with files has it, and nothing else does. */
#define PAGE_DATA "<script type=\"application/json\" id=\"ossa-data\">"

/* A page being written. */
struct page {
    char *path;     /* of the empty page, from malloc */
    char *empty;    /* the page without data, from malloc */
    size_t size;    /* of that */
    size_t mark;    /* offset of the mark */
    ossa_sink sink; /* where it is written to */
    bool has_files; /* a file was written */
    bool ok;        /* false: writing failed */
};

/* Find the empty page and read it; false after a message. */
bool page_find(struct page *page);
/* `options` has ei and vib. */
void page_begin(struct page *page, ossa_sink sink, const char *title,
                const ossa_scene_options *options);
void page_file(struct page *page, const char *path, const uint8_t *bytes, size_t size);
void page_end(struct page *page);
void page_free(struct page *page);

#endif
