/* SPDX-License-Identifier: MIT */
/** @file
 * Files of any format: recognise, read, write, list fields, convert to JSON and back. The contents
 * of a file are in a struct of its format; see the header of its game.
 *
 *     ossa_error error;
 *     ossa_file *file = ossa_read(bytes, size, NULL, &error);
 *     if (file == NULL) { ... ossa_error_text(&error, ...) ... }
 *     const ossa_ei_anm *anm = ossa_as_ei_anm(file);
 *     ...
 *     ossa_file_free(file);
 *
 * In the whole library, options may be NULL and their members zero, which means the defaults, and
 * an error may be NULL if the caller does not need it. There is no global state: any number of
 * threads may work on different files. */
#ifndef OSSA_FILE_H
#define OSSA_FILE_H

#include "ossa/error.h"

OSSA_BEGIN

/* ---- formats ------------------------------------------------------------------------------- */

/** What a format is for. */
typedef enum ossa_kind {
    OSSA_KIND_ANIMATION,
    OSSA_KIND_SKELETON,
    OSSA_KIND_MODEL,
    OSSA_KIND_TEXTURE,
    OSSA_KIND_CAMERA,
    OSSA_KIND_TABLE,
    OSSA_KIND_ARCHIVE,
} ossa_kind;

/** A file format. */
typedef struct ossa_format {
    const char *id;         /**< "ei-anm"; never changes, for scripts */
    const char *title;      /**< "Evil Islands part animation" */
    const char *game;       /**< "Evil Islands (2000)" */
    const char *extensions; /**< "anm" or "anim anm": without dots, separated by spaces */
    ossa_kind kind;
} ossa_format;

/** What the library can do with files of a format. */
typedef enum ossa_ability {
    OSSA_ABILITY_READ,
    OSSA_ABILITY_WRITE,
    OSSA_ABILITY_DUMP,
    OSSA_ABILITY_BUILD,
    OSSA_ABILITY_ASSEMBLE, /**< can be part of a scene, see ossa/scene.h */
    OSSA_ABILITY_LIST,     /**< is an archive, see ossa/archive.h */
    OSSA_ABILITY_PACK,     /**< is an archive that ossa_pack can create */
    OSSA_ABILITY_REPAINT,  /**< is a texture that can get other pixels, see ossa/texture.h */
} ossa_ability;

/** The number of supported formats. */
OSSA_API size_t ossa_format_count(void);
/** A format; NULL if `index` is out of range. */
OSSA_API const ossa_format *ossa_format_at(size_t index);
/** The format with this id; NULL if there is none. */
OSSA_API const ossa_format *ossa_format_find(const char *id);
/** Whether the library can do this with files of the format. */
OSSA_API bool ossa_format_can(const ossa_format *format, ossa_ability ability);
/** Which files to open for the figures of the format's game, for people: "figures.res with ...". ""
 * for NULL. */
OSSA_API const char *ossa_format_open(const ossa_format *format);
/** Whether a file name ends in one of the format's extensions, ignoring letter case. False for a
 * NULL name. */
OSSA_API bool ossa_format_fits_name(const ossa_format *format, const char *name);
/** "animation", "skeleton", ... */
OSSA_API const char *ossa_kind_name(ossa_kind kind);

/* ---- options ------------------------------------------------------------------------------- */

/** Where memory comes from. Both functions are set, or none, which means malloc and free. One of
 * them alone is an error (OSSA_CODE_BAD_ARGUMENT). */
typedef struct ossa_allocator {
    /** Return memory aligned as by malloc, or NULL. */
    void *(*allocate)(void *user, size_t size);
    /** Release memory; `size` is what was asked for. */
    void (*release)(void *user, void *memory, size_t size);
    void *user;
} ossa_allocator;

/** Where output goes. */
typedef struct ossa_sink {
    /** Write all bytes. Returning false ends the call with OSSA_CODE_IO. */
    bool (*write)(void *user, const void *bytes, size_t size);
    void *user;
} ossa_sink;

/** The type of a field. */
typedef enum ossa_field_type {
    OSSA_FIELD_TYPE_U8,
    OSSA_FIELD_TYPE_U16,
    OSSA_FIELD_TYPE_I16,
    OSSA_FIELD_TYPE_U32,
    OSSA_FIELD_TYPE_I32,
    OSSA_FIELD_TYPE_F32,
    OSSA_FIELD_TYPE_TEXT,      /**< characters, including a terminating NUL if there is one */
    OSSA_FIELD_TYPE_TEXT_1251, /**< the same, in code page 1251 */
    OSSA_FIELD_TYPE_UNKNOWN,   /**< bytes whose meaning is unknown */
    OSSA_FIELD_TYPE_PADDING,   /**< such bytes, all zero */
    OSSA_FIELD_TYPE_UNREAD,    /**< what remained when reading failed */
} ossa_field_type;

/** One scalar of a file. Valid only during the callback that receives it. */
typedef struct ossa_field {
    uint64_t offset; /**< from the start of the file */
    uint64_t size;   /**< in bytes */
    ossa_field_type type;
    const char *path;     /**< "rotations[3].w" */
    const uint8_t *bytes; /**< `size` bytes as stored */
} ossa_field;

/** A range of a file that no field covers, in the structs of formats that keep such ranges. */
typedef struct ossa_gap {
    uint64_t offset; /**< from the start of the file */
    uint64_t size;
} ossa_gap;

/** How to read a file. */
typedef struct ossa_options {
    const char *name;    /**< the file's name: its extension decides between equal formats */
    const char *path;    /**< the name of the file in issues and errors; NULL: `name` */
    const char *format;  /**< id of the format to assume; NULL: recognise it */
    const char *dialect; /**< for formats with dialects (mm-anim); NULL: recognise it */

    bool strict;       /**< treat warnings as errors */
    bool check_values; /**< check every number, not only the structure */
    bool copy;         /**< copy the bytes; otherwise they must outlive the file */

    /* Limits; 0 means the default. */
    uint64_t max_input;  /**< size of a file: 256 MiB */
    uint64_t max_memory; /**< memory for one result: 1 MiB + 32 times the input, or 64 times with
                          * on_field; parsing JSON may take twice as much, plus 16 MiB */
    size_t max_issues;   /**< kinds of issues kept in the result: 1000; all issues are counted */

    ossa_allocator allocator; /**< all NULL: malloc and free */

    /** Called for every issue in the order found, including those that are not kept, and the final
     * one (OSSA_SEVERITY_UNREADABLE) of a file that gives no result. */
    void (*on_issue)(void *user, const ossa_issue *issue);

    /** Called for every scalar of the file in the order of offsets, including gaps. */
    void (*on_field)(void *user, const ossa_field *field);

    void *user; /**< passed to all of them */

    /** Called at the end, once for each kind of issue that is kept, with the number of its issues
     * and the first places, and for the final one of a file that gives no result. */
    void (*on_group)(void *user, const ossa_issue *issue);

    /** What ossa_write_index wrote for this archive, or NULL: then it need not be searched. An
     * index that is damaged or not of this archive is a warning, and the archive is searched. The
     * bytes are used only during the call. Ignored by archives that have a table of their own. */
    const void *index;
    size_t index_size; /**< number of bytes */
} ossa_options;

/* ---- reading ------------------------------------------------------------------------------- */

/** How certain a format is that a file is its own, in increasing order. */
typedef enum ossa_confidence {
    OSSA_CONFIDENCE_NONE,       /**< in ossa_file: the format was given in the options */
    OSSA_CONFIDENCE_NAMED,      /**< no probe recognises it, but its extension fits */
    OSSA_CONFIDENCE_DAMAGED,    /**< the signature fits, the structure does not */
    OSSA_CONFIDENCE_EMPTY,      /**< it fits but holds nothing, so any other claim is better */
    OSSA_CONFIDENCE_ARITHMETIC, /**< the counts add up exactly to the size of the file */
    OSSA_CONFIDENCE_PLAUSIBLE,  /**< and the values look right */
    OSSA_CONFIDENCE_SIGNATURE,  /**< signature and structure fit */
} ossa_confidence;

/** A format that claims a file. */
typedef struct ossa_guess {
    const ossa_format *format;
    ossa_confidence confidence;
} ossa_guess;

/** Find the formats that claim the bytes, best first. Fills up to `capacity` guesses and returns
 * how many there are, which may be more. */
OSSA_API size_t ossa_probe(const void *data, size_t size, const ossa_options *options,
                           ossa_guess *guesses, size_t capacity);
/** "signature", "plausible", ... */
OSSA_API const char *ossa_confidence_name(ossa_confidence confidence);

/** A file that was read. Read-only; free it with ossa_file_free. */
typedef struct ossa_file {
    const ossa_format *format;
    ossa_confidence confidence; /**< how the format was recognised */
    uint64_t size;              /**< of the bytes it was read from */
    size_t warning_count;
    size_t error_count;
    size_t issue_count; /**< kinds of issues, at most options.max_issues */
    const ossa_issue *issues;
} ossa_file;

/** Read a file of any format. Returns NULL on failure.
 *
 * The result refers to `data`, because arrays that are aligned in it are not copied: keep `data`
 * until ossa_file_free, or set options.copy. */
OSSA_API ossa_file *ossa_read(const void *data, size_t size, const ossa_options *options,
                              ossa_error *error);
/** Free a file and everything that belongs to it. NULL is allowed. */
OSSA_API void ossa_file_free(ossa_file *file);

/* ---- writing ------------------------------------------------------------------------------- */

/** Write a file in its own format. A file that was read and not changed gives the same bytes. */
OSSA_API bool ossa_write(const ossa_file *file, ossa_sink sink, ossa_error *error);

/** How JSON is laid out. */
typedef enum ossa_json_style {
    OSSA_JSON_STYLE_LINE,   /**< one line without spaces */
    OSSA_JSON_STYLE_PRETTY, /**< indented; arrays of numbers stay on one line */
} ossa_json_style;

/** Write the complete file as one JSON document, `{"ossa":1,"format":...,"size":...,"data":...}`,
 * followed by a newline. */
OSSA_API bool ossa_dump(const ossa_file *file, ossa_json_style style, ossa_sink sink,
                        ossa_error *error);
/** Make a file from such a document of `size` bytes. Returns NULL on failure. */
OSSA_API ossa_file *ossa_build(const char *json, size_t size, const ossa_options *options,
                               ossa_error *error);

/** Describe what the file contains, in a few lines for people. */
OSSA_API bool ossa_describe(const ossa_file *file, ossa_sink sink, ossa_error *error);
/** The same as one JSON object, without a newline. */
OSSA_API bool ossa_describe_json(const ossa_file *file, ossa_json_style style, ossa_sink sink,
                                 ossa_error *error);

/** "f32", "u16", "char", "unknown", "padding", ... */
OSSA_API const char *ossa_field_type_name(ossa_field_type type);

/** Format a field's value: a number, a quoted text in UTF-8, or bytes in hexadecimal. The text is
 * truncated to `capacity` and always terminated. Returns the untruncated length. */
OSSA_API size_t ossa_field_value(const ossa_field *field, char *text, size_t capacity);
/** Write the complete value as JSON: a number, a string, or bytes as a string of hex digits. */
OSSA_API bool ossa_field_json(const ossa_field *field, ossa_sink sink);

/* ---- a sink that collects bytes ------------------------------------------------------------ */

/** A growing block of memory. Zeroed, or with only its allocator set, it is empty. */
typedef struct ossa_buffer {
    uint8_t *data;
    size_t size;
    size_t capacity;
    ossa_allocator allocator; /**< all NULL: malloc and free */
} ossa_buffer;

/** A sink that appends to the buffer. */
OSSA_API ossa_sink ossa_buffer_sink(ossa_buffer *buffer);
/** Free the bytes of a buffer, which is empty afterwards. NULL is allowed. */
OSSA_API void ossa_buffer_free(ossa_buffer *buffer);

OSSA_END

#endif
