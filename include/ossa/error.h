/* SPDX-License-Identifier: MIT
 *
 * What can be wrong with a file or a call, and how it is told.
 *
 * Two kinds of report. An *error* ends the call: there is no result. An *issue* is a fact about a
 * file that could be read all the same; it is data, to be counted, listed and located. */
#ifndef OSSA_ERROR_H
#define OSSA_ERROR_H

#include "ossa/api.h"

OSSA_BEGIN

/* Every code, with the name that programs see in JSON. Numbers and names are pinned: a new code
 * goes to the end, an old one is never reused. */
#define OSSA_CODES(X)                                                                              \
    X(OSSA_CODE_OK, 0, "ok", "no error")                                                           \
    X(OSSA_CODE_OUT_OF_MEMORY, 1, "out-of-memory", "the allocator gave no memory")                 \
    X(OSSA_CODE_LIMIT, 2, "limit", "a limit of the options was reached")                           \
    X(OSSA_CODE_BAD_ARGUMENT, 3, "bad-argument", "the call itself is wrong")                       \
    X(OSSA_CODE_IO, 4, "io", "a file or a sink could not be read or written")                      \
    X(OSSA_CODE_UNKNOWN_FORMAT, 5, "unknown-format", "no format claims the file")                  \
    X(OSSA_CODE_AMBIGUOUS_FORMAT, 6, "ambiguous-format", "several formats claim the file equally") \
    X(OSSA_CODE_EMPTY_FILE, 7, "empty-file", "the file has no bytes")                              \
    X(OSSA_CODE_TRUNCATED, 8, "truncated", "a field reaches past the end of its place")            \
    X(OSSA_CODE_BAD_COUNT, 9, "bad-count", "a count of items cannot fit in what is left")          \
    X(OSSA_CODE_BAD_MAGIC, 10, "bad-magic", "the signature is another one")                        \
    X(OSSA_CODE_BAD_OFFSET, 11, "bad-offset", "an offset points where it must not")                \
    X(OSSA_CODE_BAD_VALUE, 12, "bad-value", "a value that the format does not allow")              \
    X(OSSA_CODE_ZERO_WIDTH, 13, "zero-width", "frames that take no space")                         \
    X(OSSA_CODE_OVERLAP, 14, "overlap", "two fields share bytes")                                  \
    X(OSSA_CODE_SIZE_MISMATCH, 15, "size-mismatch", "the size is not what the contents ask for")   \
    X(OSSA_CODE_TRAILING_BYTES, 16, "trailing-bytes", "the file goes on after its last field")     \
    X(OSSA_CODE_GAP, 17, "gap", "bytes between two fields that should touch")                      \
    X(OSSA_CODE_AMBIGUOUS_DIALECT, 18, "ambiguous-dialect", "the size fits several dialects")      \
    X(OSSA_CODE_UNEQUAL_TRACKS, 19, "unequal-tracks", "tracks of one clip differ in length")       \
    X(OSSA_CODE_UNKNOWN_FLAG, 20, "unknown-flag", "a flag whose meaning nobody knows")             \
    X(OSSA_CODE_BAD_ROOT, 21, "bad-root", "not exactly one root, at the start")                    \
    X(OSSA_CODE_BAD_ORDER, 22, "bad-order", "items are not in the order the format asks for")      \
    X(OSSA_CODE_DUPLICATE_NAME, 23, "duplicate-name", "a name stands twice")                       \
    X(OSSA_CODE_UNKNOWN_PARENT, 24, "unknown-parent", "a parent that was not named before")        \
    X(OSSA_CODE_EMBEDDED_NUL, 25, "embedded-nul", "a NUL inside a name")                           \
    X(OSSA_CODE_EMPTY_NAME, 26, "empty-name", "an item without a name")                            \
    X(OSSA_CODE_DUPLICATE_OBJECT, 27, "duplicate-object", "an object is keyed twice in a frame")   \
    X(OSSA_CODE_NON_FINITE, 28, "non-finite", "a number that is infinite or not a number")         \
    X(OSSA_CODE_NOT_UNIT, 29, "not-unit", "a direction or rotation that is not of length 1")       \
    X(OSSA_CODE_UNUSUAL_VALUE, 30, "unusual-value", "allowed, but not seen in game files")         \
    X(OSSA_CODE_BAD_JSON, 31, "bad-json", "JSON that is malformed or cannot be such a file")       \
    X(OSSA_CODE_MISFIT, 32, "misfit", "files that do not belong together, or cannot be a scene")   \
    X(OSSA_CODE_MISSING_PART, 33, "missing-part", "a file that a scene would need is not there")   \
    X(OSSA_CODE_BAD_SCENE, 34, "bad-scene", "a scene breaks a rule of scenes")                     \
    X(OSSA_CODE_LOST, 35, "lost", "the format that is written cannot hold this")                   \
    X(OSSA_CODE_NO_ENTRY, 36, "no-entry", "an archive has no entry of that name")                  \
    X(OSSA_CODE_NOT_AN_ARCHIVE, 37, "not-an-archive", "the path goes on behind a plain file")      \
    X(OSSA_CODE_SEVERAL_FIGURES, 38, "several-figures", "one figure is wanted, there are more")    \
    X(OSSA_CODE_PASSED_OVER, 39, "passed-over", "a file that has no part in the result")           \
    X(OSSA_CODE_CANCELLED, 40, "cancelled", "the caller wanted no more")                           \
    X(OSSA_CODE_TOO_LARGE, 41, "too-large", "a file is larger than the limit on input")

typedef enum ossa_code {
#define OSSA_CODE_ENUMERATOR(symbol, number, name, meaning) symbol = (number),
    OSSA_CODES(OSSA_CODE_ENUMERATOR)
#undef OSSA_CODE_ENUMERATOR
} ossa_code;

typedef enum ossa_severity {
    OSSA_SEVERITY_REMARK,     /* normal, but worth knowing */
    OSSA_SEVERITY_WARNING,    /* unusual; everything goes on */
    OSSA_SEVERITY_ERROR,      /* a rule is broken but the bytes are understood; not to be posed or
                                 converted */
    OSSA_SEVERITY_UNREADABLE, /* the bytes make no sense as this format; there is no result */
} ossa_severity;

/* One thing that is wrong with a file. */
typedef struct ossa_issue {
    ossa_severity severity;
    ossa_code code;
    const char *path;    /* of the file, into archives: "figures.res#unmotr.anm#walk#hd"; or "" */
    const char *format;  /* the format's id; never NULL */
    bool has_offset;     /* false when no place in the file is to blame; then `offset` is 0 */
    uint64_t offset;     /* absolute, in bytes from the start of the file */
    const char *field;   /* the path of the field, as in `ossa fields`; may be "" */
    const char *message; /* one sentence without the above */
} ossa_issue;

#define OSSA_PATH_CAPACITY    1024
#define OSSA_FIELD_CAPACITY   128
#define OSSA_MESSAGE_CAPACITY 512

/* Why a call gave no result. Zeroed by a call that succeeds. */
typedef struct ossa_error {
    ossa_code code;
    const char *format; /* the format's id, or NULL when none was settled on */
    bool has_offset;
    uint64_t offset;
    char field[OSSA_FIELD_CAPACITY];
    char message[OSSA_MESSAGE_CAPACITY];
    char path[OSSA_PATH_CAPACITY]; /* of the file, as in ossa_issue; a longer one loses its start */
} ossa_error;

/* "truncated" for OSSA_CODE_TRUNCATED, and what it means. Never NULL. */
OSSA_API const char *ossa_code_name(ossa_code code);
OSSA_API const char *ossa_code_meaning(ossa_code code);

/* "remark", "warning", "error" or "unreadable". */
OSSA_API const char *ossa_severity_name(ossa_severity severity);

/* The whole report on one line, `FORMAT: FIELD: MESSAGE, at 0xOFFSET`, cut to fit and always
 * terminated. Give the length it wanted to have, as snprintf does. */
OSSA_API size_t ossa_error_text(const ossa_error *error, char *text, size_t capacity);
OSSA_API size_t ossa_issue_text(const ossa_issue *issue, char *text, size_t capacity);

OSSA_END

#endif
