/* SPDX-License-Identifier: MIT */
#include "page.h"

#include <stdlib.h>
#include <string.h>

/* ---- the empty page ------------------------------------------------------------------------ */

/* Relative to the tool: where it was built, beside it, where it is installed, and the page that the
 * sources of a release contain. */
static const char *const places[] = {"web/ossa-viewer.html", "ossa-viewer.html",
                                     "../share/ossa/ossa-viewer.html",
                                     "../web/prebuilt/ossa-viewer.html"};

static bool find_mark(struct page *page)
{
    const size_t size = sizeof PAGE_MARK - 1;
    const char *end = page->empty + page->size;
    for (const char *c = page->empty; (c = memchr(c, PAGE_MARK[0], (size_t)(end - c))) != NULL;
         c++) {
        if ((size_t)(end - c) < size) return false;
        if (memcmp(c, PAGE_MARK, size) != 0) continue;
        page->mark = (size_t)(c - page->empty);
        return true;
    }
    return false;
}

/* The path of the empty page, from malloc; NULL: it was not found. */
static char *find_path(void)
{
    char *named = os_variable("OSSA_VIEWER");
    if (named != NULL) return named;
    char *folder = os_program_folder();
    char *path = NULL;
    for (size_t i = 0; folder != NULL && path == NULL && i < sizeof places / sizeof places[0];
         i++) {
        path = path_in(folder, places[i]);
        if (os_exists(path)) continue;
        free(path);
        path = NULL;
    }
    free(folder);
    return path;
}

bool page_find(struct page *page)
{
    enum { LARGEST = 64 << 20 };
    *page = (struct page){.path = find_path(), .ok = true};
    if (page->path == NULL) {
        complain("the viewer page was not found: put ossa-viewer.html beside the program (releases "
                 "contain it, `make web` builds it), or set OSSA_VIEWER to its path");
        return false;
    }
    page->empty = read_whole(page->path, LARGEST, &page->size);
    if (page->empty != NULL && find_mark(page)) return true;
    if (page->empty != NULL) {
        complain("%s is not the viewer page: it has no mark for data", page->path);
    }
    page_free(page);
    return false;
}

void page_free(struct page *page)
{
    free(page->path);
    free(page->empty);
}

/* ---- writing ------------------------------------------------------------------------------- */

static void put(struct page *page, const void *bytes, size_t size)
{
    if (page->ok && size > 0) page->ok = page->sink.write(page->sink.user, bytes, size);
}

static void put_text(struct page *page, const char *text)
{
    put(page, text, strlen(text));
}

/* JSON in HTML: a < could end the element around it. */
static bool put_escaped(void *user, const void *bytes, size_t size)
{
    struct page *page = user;
    const char *text = bytes;
    size_t start = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] != '<') continue;
        put(page, text + start, i - start);
        put_text(page, "\\u003c");
        start = i + 1;
    }
    put(page, text + start, size - start);
    return page->ok;
}

static void put_string(struct page *page, const char *text)
{
    struct ossa__json json;
    ossa__json_start(&json, (ossa_sink){put_escaped, page}, OSSA_JSON_STYLE_LINE);
    ossa__json_string(&json, text);
    (void)ossa__json_finish(&json);
}

static void put_base64(struct page *page, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[4096];
    size_t used = 0;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t three = (uint32_t)bytes[i] << 16;
        if (left > 1) three |= (uint32_t)bytes[i + 1] << 8;
        if (left > 2) three |= bytes[i + 2];
        text[used++] = digits[three >> 18];
        text[used++] = digits[three >> 12 & 63];
        text[used++] = left > 1 ? digits[three >> 6 & 63] : '=';
        text[used++] = left > 2 ? digits[three & 63] : '=';
        if (used == sizeof text) {
            put(page, text, used);
            used = 0;
        }
    }
    put(page, text, used);
}

/* A number that reads back to the same double, so that the page exports the same bytes as the tool.
 * 0 is the default and omitted. The decimal point does not depend on the locale. */
static void put_number(struct ossa__json *json, const char *key, double value)
{
    char number[40];
    char text[64];
    if (value == 0.0) return;
    for (int digits = 15; digits <= 17; digits++) {
        (void)snprintf(number, sizeof number, "%.*g", digits, value);
        if (strtod(number, NULL) == value) break;
    }
    for (char *c = number; *c != '\0'; c++) {
        if (strchr("0123456789+-e", *c) == NULL) *c = '.';
    }
    (void)snprintf(text, sizeof text, ",\"%s\":%s", key, number);
    ossa__json_raw(json, text);
}

/* The options, as the JavaScript interface names them. */
static void put_options(struct page *page, const ossa_scene_options *options)
{
    static const char *const morphs[] = {"all", "clip", "none"};
    static const char *const roots[] = {"b+t", "t", "b"};
    const ossa_ei_options *ei = options->ei;
    const ossa_vib_options *vib = options->vib;
    struct ossa__json json;
    ossa__json_start(&json, (ossa_sink){put_escaped, page}, OSSA_JSON_STYLE_LINE);
    ossa__json_begin_object(&json);
    ossa__member_floats(&json, "complexion", ei->complexion, 3);
    ossa__member_text(&json, "euler", vib->euler == OSSA_VIB_EULER_ZYX ? "zyx" : "xyz");
    ossa__member_text(&json, "missing",
                      vib->missing == OSSA_VIB_MISSING_HOLD ? "hold" : "identity");
    ossa__member_text(&json, "morph", morphs[ei->morphing]);
    ossa__member_bool(&json, "join", options->join);
    ossa__member_bool(&json, "boxes", options->boxes);
    if (ei->resample != 0) ossa__member_uint(&json, "resample", ei->resample);
    if (ei->root != OSSA_EI_ROOT_SUM) ossa__member_text(&json, "root", roots[ei->root]);
    if (ei->part_count > 0) {
        ossa__json_key(&json, "parts");
        ossa__json_begin_array(&json);
        for (size_t i = 0; i < ei->part_count; i++)
            ossa__json_text(&json, ei->parts[i], strlen(ei->parts[i]));
        ossa__json_end_array(&json);
    }
    put_number(&json, "fps", options->fps);
    put_number(&json, "scale", options->scale);
    ossa__json_end_object(&json);
    (void)ossa__json_finish(&json);
}

void page_begin(struct page *page, ossa_sink sink, const char *title,
                const ossa_scene_options *options)
{
    page->sink = sink;
    put(page, page->empty, page->mark);
    put_text(page, PAGE_DATA "{\"title\":");
    put_string(page, title);
    put_text(page, ",\"options\":");
    put_options(page, options);
    put_text(page, ",\"files\":[");
}

void page_file(struct page *page, const char *path, const uint8_t *bytes, size_t size)
{
    put_text(page, page->has_files ? ",\n{\"path\":" : "\n{\"path\":");
    put_string(page, path);
    put_text(page, ",\"base64\":\"");
    put_base64(page, bytes, size);
    put_text(page, "\"}");
    page->has_files = true;
}

void page_end(struct page *page)
{
    const size_t after = page->mark + sizeof PAGE_MARK - 1;
    put_text(page, "]}</script>");
    put(page, page->empty + after, page->size - after);
}
