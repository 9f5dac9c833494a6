/* SPDX-License-Identifier: MIT */
/** @file
 * Errors and issues.
 *
 * An *error* ends a call: there is no result. An *issue* is something wrong or unusual about a file
 * that could be read anyway; issues are data, to be counted, listed and located. Both carry a code
 * for programs and a message for people. Do not parse messages. */
#ifndef OSSA_ERROR_H
#define OSSA_ERROR_H

#include "ossa/api.h"

OSSA_BEGIN

/** All codes: symbol, number, the name that programs see in JSON, meaning. Numbers and names never
 * change: a new code is appended, and an old one is never reused. */
#define OSSA_CODES(X)                                                                              \
    X(OSSA_CODE_OK, 0, "ok", "no error")                                                           \
    X(OSSA_CODE_OUT_OF_MEMORY, 1, "out-of-memory", "the allocator returned no memory")             \
    X(OSSA_CODE_LIMIT, 2, "limit", "a limit of the options or of a format was exceeded")           \
    X(OSSA_CODE_BAD_ARGUMENT, 3, "bad-argument", "an argument of the call is invalid")             \
    X(OSSA_CODE_IO, 4, "io", "a file or sink could not be read or written")                        \
    X(OSSA_CODE_UNKNOWN_FORMAT, 5, "unknown-format", "no format recognises the file")              \
    X(OSSA_CODE_AMBIGUOUS_FORMAT, 6, "ambiguous-format", "several formats fit equally well")       \
    X(OSSA_CODE_EMPTY_FILE, 7, "empty-file", "the file has no bytes")                              \
    X(OSSA_CODE_TRUNCATED, 8, "truncated", "a field extends past the end of its file or section")  \
    X(OSSA_CODE_BAD_COUNT, 9, "bad-count", "a count is too large for the remaining bytes")         \
    X(OSSA_CODE_BAD_MAGIC, 10, "bad-magic", "the signature is wrong")                              \
    X(OSSA_CODE_BAD_OFFSET, 11, "bad-offset", "an offset points outside its range")                \
    X(OSSA_CODE_BAD_VALUE, 12, "bad-value", "the format does not allow this value")                \
    X(OSSA_CODE_ZERO_WIDTH, 13, "zero-width", "frames have no size")                               \
    X(OSSA_CODE_OVERLAP, 14, "overlap", "two fields share bytes")                                  \
    X(OSSA_CODE_SIZE_MISMATCH, 15, "size-mismatch", "the size does not match the contents")        \
    X(OSSA_CODE_TRAILING_BYTES, 16, "trailing-bytes", "bytes follow the last field")               \
    X(OSSA_CODE_GAP, 17, "gap", "bytes separate two fields that should be adjacent")               \
    X(OSSA_CODE_AMBIGUOUS_DIALECT, 18, "ambiguous-dialect", "the size fits several dialects")      \
    X(OSSA_CODE_UNEQUAL_TRACKS, 19, "unequal-tracks", "tracks of one clip differ in length")       \
    X(OSSA_CODE_UNKNOWN_FLAG, 20, "unknown-flag", "the meaning of a flag is unknown")              \
    X(OSSA_CODE_BAD_ROOT, 21, "bad-root", "there must be exactly one root, at the start")          \
    X(OSSA_CODE_BAD_ORDER, 22, "bad-order", "items are not in the required order")                 \
    X(OSSA_CODE_DUPLICATE_NAME, 23, "duplicate-name", "a name occurs twice")                       \
    X(OSSA_CODE_UNKNOWN_PARENT, 24, "unknown-parent", "a parent is not defined before its child")  \
    X(OSSA_CODE_EMBEDDED_NUL, 25, "embedded-nul", "a name contains a NUL")                         \
    X(OSSA_CODE_EMPTY_NAME, 26, "empty-name", "an item has no name")                               \
    X(OSSA_CODE_DUPLICATE_OBJECT, 27, "duplicate-object", "an object has two keys in one frame")   \
    X(OSSA_CODE_NON_FINITE, 28, "non-finite", "a number is infinite or not a number")              \
    X(OSSA_CODE_NOT_UNIT, 29, "not-unit", "a direction or rotation does not have length 1")        \
    X(OSSA_CODE_UNUSUAL_VALUE, 30, "unusual-value", "allowed, but not seen in game files")         \
    X(OSSA_CODE_BAD_JSON, 31, "bad-json", "JSON is malformed or does not describe such a file")    \
    X(OSSA_CODE_MISFIT, 32, "misfit", "files do not belong together or cannot form a scene")       \
    X(OSSA_CODE_MISSING_PART, 33, "missing-part", "a file that the scene needs is missing")        \
    X(OSSA_CODE_BAD_SCENE, 34, "bad-scene", "the scene breaks a rule")                             \
    X(OSSA_CODE_LOST, 35, "lost", "the target format cannot hold this")                            \
    X(OSSA_CODE_NO_ENTRY, 36, "no-entry", "an archive has no entry with this name")                \
    X(OSSA_CODE_NOT_AN_ARCHIVE, 37, "not-an-archive", "a path continues into a plain file")        \
    X(OSSA_CODE_SEVERAL_FIGURES, 38, "several-figures", "one figure is expected, there are more")  \
    X(OSSA_CODE_PASSED_OVER, 39, "passed-over", "a file has no part in the result")                \
    X(OSSA_CODE_CANCELLED, 40, "cancelled", "the caller cancelled the call")                       \
    X(OSSA_CODE_TOO_LARGE, 41, "too-large", "a file is larger than the limit on input")            \
    X(OSSA_CODE_WRONG_RATE, 42, "wrong-rate", "an edit has keys where the original has no frame")  \
    X(OSSA_CODE_WRONG_LENGTH, 43, "wrong-length", "an edit is longer or shorter than its clip")    \
    X(OSSA_CODE_REST_CHANGED, 44, "rest-changed", "an edit moves the skeleton at rest")            \
    X(OSSA_CODE_UNKNOWN_BONE, 45, "unknown-bone", "an edit and its originals differ in bones")     \
    X(OSSA_CODE_DAMAGED_SECTOR, 46, "damaged-sector", "a sector of a disc has a wrong checksum")   \
    X(OSSA_CODE_FOREIGN, 47, "foreign", "a container that another program unpacks")                \
    X(OSSA_CODE_NOT_ORIGINAL, 48, "not-original", "an export where a file of a game is expected")

/** What went wrong; see OSSA_CODES. */
typedef enum ossa_code {
#define OSSA_CODE_ENUMERATOR(symbol, number, name, meaning) symbol = (number),
    OSSA_CODES(OSSA_CODE_ENUMERATOR)
#undef OSSA_CODE_ENUMERATOR
} ossa_code;

/** How bad an issue is. */
typedef enum ossa_severity {
    OSSA_SEVERITY_REMARK,     /**< normal in shipped files, but worth knowing */
    OSSA_SEVERITY_WARNING,    /**< unusual; everything still works */
    OSSA_SEVERITY_ERROR,      /**< a rule is broken but the bytes are understood: the file can be
                               * inspected and rewritten, but not posed or converted */
    OSSA_SEVERITY_UNREADABLE, /**< the bytes make no sense in this format; there is no result */
} ossa_severity;

/** Where an issue is met again. */
typedef struct ossa_place {
    const char *path;  /**< of the file, as in ossa_issue */
    bool has_offset;   /**< as in ossa_issue */
    uint64_t offset;   /**< as in ossa_issue */
    const char *field; /**< as in ossa_issue */
} ossa_place;

/** The number of places that an issue lists. */
#define OSSA_MAX_PLACES 4

/** One thing that is wrong with a file. */
typedef struct ossa_issue {
    ossa_severity severity;
    ossa_code code;
    const char *path;    /**< of the file, into archives: "figures.res#unmotr.anm#walk#hd"; or "" */
    const char *format;  /**< id of the format; "" if it is not known */
    bool has_offset;     /**< false if the issue has no location; then `offset` is 0 */
    uint64_t offset;     /**< in bytes from the start of the file */
    const char *field;   /**< path of the field, as in ossa_field; may be "" */
    const char *message; /**< one sentence that does not repeat the other members */

    /* In lists of issues, those that repeat are one: the first, with the number of the others. */
    size_t repeat_count;      /**< of further issues of this kind; 0: it is the only one */
    size_t place_count;       /**< the first of these, at most OSSA_MAX_PLACES */
    const ossa_place *places; /**< where they are */
} ossa_issue;

/** Sizes of the texts in an ossa_error, including the terminating NUL. */
#define OSSA_PATH_CAPACITY    1024
#define OSSA_FIELD_CAPACITY   128
#define OSSA_MESSAGE_CAPACITY 512

/** Why a call failed. A call that succeeds clears it: OSSA_CODE_OK, and empty texts. */
typedef struct ossa_error {
    ossa_code code;
    const char *format;              /**< id of the format; NULL if it is not known */
    bool has_offset;                 /**< as in ossa_issue */
    uint64_t offset;                 /**< as in ossa_issue */
    char field[OSSA_FIELD_CAPACITY]; /**< as in ossa_issue */
    char message[OSSA_MESSAGE_CAPACITY];
    char path[OSSA_PATH_CAPACITY]; /**< as in ossa_issue; a longer one loses its start */
} ossa_error;

/** The name of a code, such as "truncated" for OSSA_CODE_TRUNCATED. Never NULL. */
OSSA_API const char *ossa_code_name(ossa_code code);
/** What a code means, in a few words. Never NULL. */
OSSA_API const char *ossa_code_meaning(ossa_code code);

/** "remark", "warning", "error" or "unreadable". */
OSSA_API const char *ossa_severity_name(ossa_severity severity);

/** Format an error on one line, `FORMAT: FIELD: MESSAGE, at 0xOFFSET`. The text is truncated to
 * `capacity` and always terminated. Returns the untruncated length, as snprintf does. */
OSSA_API size_t ossa_error_text(const ossa_error *error, char *text, size_t capacity);
/** The same for an issue. If it repeats, `; N more: FIELD at 0xOFFSET, ...` follows. */
OSSA_API size_t ossa_issue_text(const ossa_issue *issue, char *text, size_t capacity);

OSSA_END

#endif
