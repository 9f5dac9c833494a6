/* SPDX-License-Identifier: MIT
 *
 * Messages to the user. */
#include "cli.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

void print_plain(FILE *stream, const char *text)
{
    for (size_t left = strlen(text); left > 0;) {
        uint32_t character;
        size_t size = ossa__utf8_decode(text, left, &character);
        bool is_broken = character == 0xfffd && size == 1;
        bool is_control = character < 0x20 || (character >= 0x7f && character < 0xa0);
        if (is_broken || is_control) (void)fputc('?', stream);
        else (void)fwrite(text, 1, size, stream);
        text += size;
        left -= size;
    }
}

const char *shown_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

static _Thread_local struct texts *kept;

void keep_messages(struct texts *messages)
{
    kept = messages;
}

static atomic_bool complained;

bool has_complained(void)
{
    return complained;
}

void complain(const char *format, ...)
{
    complained = true;
    va_list arguments;
    va_start(arguments, format);
    char *text = format_list(format, arguments);
    va_end(arguments);
    if (kept != NULL) {
        texts_add(kept, text);
        return;
    }
    (void)fflush(stdout);
    (void)fputs("ossa: ", stderr);
    print_plain(stderr, text);
    (void)fputc('\n', stderr);
    free(text);
}

void print_line(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = format_list(format, arguments);
    va_end(arguments);
    print_plain(stdout, text);
    (void)putchar('\n');
    if (os_is_terminal(stdout))
        (void)fflush(stdout); /* not every system does at the end of a line */
    free(text);
}

const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

const char *plural_y(size_t count)
{
    return count == 1 ? "y" : "ies";
}

const char *hint_of(ossa_code code)
{
    switch (code) {
    case OSSA_CODE_TOO_LARGE: return "; --max-size raises the limit";
    case OSSA_CODE_UNKNOWN_FORMAT:
        return "; use --format ID to read it anyway and see what is wrong";
    case OSSA_CODE_NOT_ORIGINAL:
        return "; `ossa import` puts an edit back into the files of its game, and `ossa build` "
               "makes a file of a dump";
    case OSSA_CODE_AMBIGUOUS_FORMAT: return "; choose one with --format ID";
    case OSSA_CODE_NO_ENTRY: return "; `ossa list` shows the entries";
    case OSSA_CODE_SEVERAL_FIGURES:
        return "; `ossa info` lists them, and `ossa convert --all` converts them all";
    case OSSA_CODE_WRONG_RATE:
        return "; if `ossa convert` was given --fps, give it here, too; --resample takes the "
               "curves at the original's frames, with small losses";
    case OSSA_CODE_WRONG_LENGTH: return "; --retime allows another number of frames";
    case OSSA_CODE_LOST:
        return "; --drop leaves it out; for rotations, --limit allows larger errors";
    default: return "";
    }
}

void complain_error(const char *file, const ossa_error *error)
{
    char text[ISSUE_CAPACITY];
    (void)ossa_error_text(error, text, sizeof text);
    complain("%s: %s%s", shown_name(file), text, hint_of(error->code));
}

void complain_picture(const char *file, const ossa_error *error)
{
    char text[ISSUE_CAPACITY];
    bool is_loss = error->code == OSSA_CODE_LOST; /* the hint is for clips */
    (void)ossa_error_text(error, text, sizeof text);
    complain("%s: %s%s", shown_name(file), text, is_loss ? "" : hint_of(error->code));
}

void complain_issue(const ossa_issue *issue)
{
    char text[ISSUE_CAPACITY];
    bool is_failure = issue->severity == OSSA_SEVERITY_UNREADABLE;
    (void)ossa_issue_text(issue, text, sizeof text);
    if (is_failure) complain("%s: %s%s", shown_name(issue->path), text, hint_of(issue->code));
    else if (issue->path[0] == '\0') complain("%s: %s", ossa_severity_name(issue->severity), text);
    else complain("%s: %s: %s", shown_name(issue->path), ossa_severity_name(issue->severity), text);
}

void complain_issues(const char *name, const ossa_file *file)
{
    enum { SHOWN = 10 };
    for (size_t i = 0; i < file->issue_count && i < SHOWN; i++) {
        ossa_issue issue = file->issues[i];
        issue.path = name;
        complain_issue(&issue);
    }
    if (file->issue_count > SHOWN) {
        complain("%s: %zu more kinds of issues; `ossa check` lists them all", shown_name(name),
                 file->issue_count - SHOWN);
    }
}

void complain_not_archive(const char *path, const ossa_format *format)
{
    complain("%s: is not an archive (%s)", shown_name(path),
             format == NULL ? "unknown format" : format->title);
}

const char *severity_colour(FILE *stream, const ossa_severity *severity)
{
    const char *refused = getenv("NO_COLOR");
    if ((refused != NULL && refused[0] != '\0') || !os_is_terminal(stream)) return "";
    if (severity == NULL) return "\033[0m";
    if (*severity == OSSA_SEVERITY_REMARK) return "\033[36m";
    return *severity == OSSA_SEVERITY_WARNING ? "\033[33m" : "\033[31m";
}

void json_begin(struct ossa__json *json)
{
    ossa__json_start(json, stdout_sink(), OSSA_JSON_STYLE_LINE);
}

bool json_end(struct ossa__json *json)
{
    ossa__json_raw(json, "\n");
    return ossa__json_finish(json);
}

void json_member(struct ossa__json *json, const char *key, const char *text)
{
    ossa__json_key(json, key);
    if (text == NULL) ossa__json_null(json);
    else ossa__json_string(json, text);
}
