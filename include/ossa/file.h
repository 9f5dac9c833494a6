/* SPDX-License-Identifier: MIT
 *
 * Any file of any format: find out what it is, read it, write it, list its fields, turn it into
 * JSON and back. What the file holds is in a struct of its format, see the header of its game.
 *
 *     ossa_error error;
 *     ossa_file *file = ossa_read(bytes, size, NULL, &error);
 *     if (file == NULL) { ... ossa_error_text(&error, ...) ... }
 *     const ossa_ei_anm *anm = ossa_as_ei_anm(file);
 *     ...
 *     ossa_file_free(file);
 *
 * Options may be NULL and their fields zero: that means the defaults. An error may be NULL too.
 * Nothing here keeps global state: any number of threads may work on different files. */
#ifndef OSSA_FILE_H
#define OSSA_FILE_H

#include "ossa/error.h"

OSSA_BEGIN

/* ---- formats ------------------------------------------------------------------------------- */

typedef enum ossa_kind {
    OSSA_KIND_ANIMATION,
    OSSA_KIND_SKELETON,
    OSSA_KIND_MODEL,
    OSSA_KIND_TEXTURE,
    OSSA_KIND_CAMERA,
    OSSA_KIND_TABLE,
    OSSA_KIND_ARCHIVE,
} ossa_kind;

typedef struct ossa_format {
    const char *id;         /* "ei-anm": pinned, for scripts */
    const char *title;      /* "Evil Islands part animation" */
    const char *game;       /* "Evil Islands (2000)" */
    const char *extensions; /* "anm" or "anim anm": without dots, separated by a space */
    ossa_kind kind;
} ossa_format;

typedef enum ossa_ability {
    OSSA_ABILITY_READ,
    OSSA_ABILITY_WRITE,
    OSSA_ABILITY_DUMP,
    OSSA_ABILITY_BUILD,
    OSSA_ABILITY_ASSEMBLE, /* has a part in a scene, see ossa/scene.h */
    OSSA_ABILITY_LIST,     /* is an archive, see ossa/archive.h */
    OSSA_ABILITY_PACK,     /* and can be made */
} ossa_ability;

OSSA_API size_t ossa_format_count(void);
OSSA_API const ossa_format *ossa_format_at(size_t index);     /* NULL past the last one */
OSSA_API const ossa_format *ossa_format_find(const char *id); /* NULL where there is none */
OSSA_API bool ossa_format_can(const ossa_format *format, ossa_ability ability);
/* Does the name end in one of the format's extensions (letter case ignored)? False for NULL. */
OSSA_API bool ossa_format_fits_name(const ossa_format *format, const char *name);
OSSA_API const char *ossa_kind_name(ossa_kind kind); /* "animation", "skeleton", ... */

/* ---- options ------------------------------------------------------------------------------- */

/* Where memory comes from. `release` gets the size that was asked for. */
typedef struct ossa_allocator {
    void *(*allocate)(void *user, size_t size); /* aligned as malloc's; NULL when there is none */
    void (*release)(void *user, void *memory, size_t size);
    void *user;
} ossa_allocator;

/* Where output goes. False stops the call with OSSA_CODE_IO. */
typedef struct ossa_sink {
    bool (*write)(void *user, const void *bytes, size_t size);
    void *user;
} ossa_sink;

typedef enum ossa_field_type {
    OSSA_FIELD_TYPE_U8,
    OSSA_FIELD_TYPE_U16,
    OSSA_FIELD_TYPE_I16,
    OSSA_FIELD_TYPE_U32,
    OSSA_FIELD_TYPE_I32,
    OSSA_FIELD_TYPE_F32,
    OSSA_FIELD_TYPE_TEXT,      /* characters; a closing NUL belongs to it */
    OSSA_FIELD_TYPE_TEXT_1251, /* the same, in code page 1251 */
    OSSA_FIELD_TYPE_UNKNOWN,   /* bytes whose meaning nobody knows */
    OSSA_FIELD_TYPE_PADDING,   /* such bytes, all zero */
    OSSA_FIELD_TYPE_UNREAD,    /* what was left when reading failed */
} ossa_field_type;

/* One scalar of a file, as the reader met it. Valid only during the call that hands it over. */
typedef struct ossa_field {
    uint64_t offset; /* absolute */
    uint64_t size;   /* in bytes */
    ossa_field_type type;
    const char *path;     /* "rotations[3].w" */
    const uint8_t *bytes; /* `size` bytes as they stand in the file */
} ossa_field;

/* A range of a file that no field covers, in the structs of formats that keep such ranges. */
typedef struct ossa_gap {
    uint64_t offset; /* absolute */
    uint64_t size;
} ossa_gap;

typedef struct ossa_options {
    const char *name;    /* the file's name: its extension breaks ties between formats */
    const char *path;    /* what issues and errors call the file; NULL: its name */
    const char *format;  /* take it for this format, by id; NULL: find out */
    const char *dialect; /* for formats with dialects (mm-anim); NULL: find out */

    bool strict;       /* warnings become errors */
    bool check_values; /* look at every number too, not only at the structure */
    bool copy;         /* keep a copy of the bytes; otherwise they must outlive the file */

    /* Limits; 0 means the default. */
    uint64_t max_input;  /* bytes of a file: 256 MiB */
    uint64_t max_memory; /* bytes of memory for one result: 1 MiB + 32 times the input, and
                          * 128 times when on_field is set; parsing JSON may take twice as
                          * much, and 16 MiB */
    size_t max_issues;   /* issues kept in the result (all are counted and called): 1000 */

    ossa_allocator allocator; /* all NULL: malloc and free */

    /* Called for every issue, in the order found, also for those that are not kept and for
     * the last one (OSSA_SEVERITY_UNREADABLE) of a file that gives no result. */
    void (*on_issue)(void *user, const ossa_issue *issue);

    /* Called for every scalar of the file in the order of offsets, gaps included. */
    void (*on_field)(void *user, const ossa_field *field);

    void *user; /* handed to both */
} ossa_options;

/* ---- reading ------------------------------------------------------------------------------- */

/* How sure a format is that a file is its own; the order is the order of preference. */
typedef enum ossa_confidence {
    OSSA_CONFIDENCE_NONE,  /* in a file's `confidence`: the format was forced */
    OSSA_CONFIDENCE_NAMED, /* no probe knows it; its name ends in one of the format's extensions */
    OSSA_CONFIDENCE_DAMAGED,    /* the signature is there, the structure is not */
    OSSA_CONFIDENCE_EMPTY,      /* fits, but holds nothing: so much less than any other claim */
    OSSA_CONFIDENCE_ARITHMETIC, /* the counts use up exactly the file */
    OSSA_CONFIDENCE_PLAUSIBLE,  /* and the values look right */
    OSSA_CONFIDENCE_SIGNATURE,  /* signature and structure */
} ossa_confidence;

typedef struct ossa_guess {
    const ossa_format *format;
    ossa_confidence confidence;
} ossa_guess;

/* Fill `guesses` with the formats that claim the bytes, best first, and give how many there are
 * (which may be more than `capacity`). */
OSSA_API size_t ossa_probe(const void *data, size_t size, const ossa_options *options,
                           ossa_guess *guesses, size_t capacity);
OSSA_API const char *ossa_confidence_name(ossa_confidence confidence);

/* One file, read. The struct is for looking only; free it with ossa_file_free. */
typedef struct ossa_file {
    const ossa_format *format;
    ossa_confidence confidence; /* how the format was found */
    uint64_t size;              /* of the bytes it came from */
    size_t warning_count;
    size_t error_count;
    size_t issue_count; /* kept in `issues`, at most options.max_issues */
    const ossa_issue *issues;
} ossa_file;

/* Read a file of any format. The result refers to `data` (arrays that lie aligned in it are not
 * copied): keep `data` until ossa_file_free, or set options.copy. NULL on failure. */
OSSA_API ossa_file *ossa_read(const void *data, size_t size, const ossa_options *options,
                              ossa_error *error);
OSSA_API void ossa_file_free(ossa_file *file);

/* ---- writing ------------------------------------------------------------------------------- */

/* Write the file in its own format. A file that was read and not changed gives the same bytes. */
OSSA_API bool ossa_write(const ossa_file *file, ossa_sink sink, ossa_error *error);

typedef enum ossa_json_style {
    OSSA_JSON_STYLE_LINE,   /* one line, no spaces */
    OSSA_JSON_STYLE_PRETTY, /* indented; arrays of numbers stay on one line */
} ossa_json_style;

/* Everything in the file as one JSON document, `{"ossa":1,"format":...,"size":...,"data":...}`,
 * and a newline; and the file that such a document describes. `size` is in bytes. */
OSSA_API bool ossa_dump(const ossa_file *file, ossa_json_style style, ossa_sink sink,
                        ossa_error *error);
OSSA_API ossa_file *ossa_build(const char *json, size_t size, const ossa_options *options,
                               ossa_error *error);

/* What the file holds, in a few lines for people, or as one JSON object (without newline). */
OSSA_API bool ossa_describe(const ossa_file *file, ossa_sink sink, ossa_error *error);
OSSA_API bool ossa_describe_json(const ossa_file *file, ossa_json_style style, ossa_sink sink,
                                 ossa_error *error);

/* "f32", "u16", "char", "unknown", "padding", ... */
OSSA_API const char *ossa_field_type_name(ossa_field_type type);

/* A field's value: a number, a quoted text in UTF-8, or bytes in hexadecimal. Cut to fit and
 * always terminated; gives the length it wanted to have. */
OSSA_API size_t ossa_field_value(const ossa_field *field, char *text, size_t capacity);
/* The whole value as one JSON value: a number, a string, or bytes as a string of hex digits. */
OSSA_API bool ossa_field_json(const ossa_field *field, ossa_sink sink);

/* ---- a sink that collects bytes ------------------------------------------------------------ */

typedef struct ossa_buffer {
    uint8_t *data;
    size_t size;
    size_t capacity;
    ossa_allocator allocator; /* all NULL: malloc and free */
} ossa_buffer;

/* `*buffer` zeroed, or with only its allocator set, is an empty buffer. */
OSSA_API ossa_sink ossa_buffer_sink(ossa_buffer *buffer);
OSSA_API void ossa_buffer_free(ossa_buffer *buffer);

OSSA_END

#endif
