/* SPDX-License-Identifier: MIT
 *
 * A format module: what one file in src/formats/ offers, and the table of them all. */
#ifndef OSSA_CODEC_FORMAT_H
#define OSSA_CODEC_FORMAT_H

#include "codec/parts.h"
#include "codec/reader.h"
#include "codec/report.h"
#include "codec/value.h"
#include "codec/writer.h"

/* What a file is to the figures of its game. */
enum ossa__role {
    OSSA__ROLE_NONE,      /* it has no part in a scene */
    OSSA__ROLE_BODY,      /* the bones: a figure is one of these with what goes with it */
    OSSA__ROLE_CLIP,      /* moves the bones of a body */
    OSSA__ROLE_PART,      /* belongs to the body that it lies with */
    OSSA__ROLE_COMPANION, /* is stored with those of other figures: each takes its own */
    OSSA__ROLE_CAMERA,
};

/* What one file says of the figure that it belongs to; 0: nothing. */
struct ossa__facts {
    uint32_t bone_count; /* that it has or moves */
    uint32_t frame_count;
    uint32_t mesh_count;
};

struct ossa__format;

enum { OSSA__LINK_CAPACITY = 256 }; /* bytes of a name in an entry that names another */

/* A file of a survey. */
struct ossa__survey_input {
    const char *path;
    const struct ossa__format *format;
    const void *contents;
};
struct ossa_survey;

/* A game: how its files group into figures and become scenes. */
struct ossa__assembly;
struct ossa__game_option;
struct ossa__option_set;
struct ossa__option_text;
struct ossa_scene_options;
struct ossa_texture;
struct ossa__game {
    const char *title;  /* "Evil Islands (2000)" */
    const char *name;   /* "Evil Islands" */
    const char *open;   /* which files to open, see ossa_format_open */
    float viewpoint[3]; /* of its scenes: see ossa_scene */

    /* Files of this game as a scene (src/scene/assembly.h). */
    void (*assemble)(struct ossa__assembly *assembly);

    /* NULL, or how files of this game that are to be one figure fit together, see
     * src/scene/examine.h. */
    void (*examine)(struct ossa__assembly *assembly);

    /* NULL, or its options for people (src/scene/assembly.h). Ends with one that has no name. */
    const struct ossa__game_option *options;
    /* NULL, or whether options of this game were given that are not the defaults. */
    bool (*has_options)(const struct ossa_scene_options *options);
    /* NULL, or keep those of them that change bones or clips (src/scene/assembly.h). */
    void (*keep_options)(struct ossa__assembly *assembly);
    /* NULL, or the way back (src/scene/options.h): one of them, if it still is the default. */
    void (*set_option)(struct ossa__option_set *set, const struct ossa__option_text *option);

    /* What a file of the game says, read from `contents` of that format. */
    void (*survey)(const struct ossa__format *format, const void *contents,
                   struct ossa__facts *facts);
    /* Can a clip that moves so many bones (0: not known) be one of a body? NULL: always. */
    bool (*fits)(uint32_t body_bones, uint32_t clip_bones);
    bool clips_are_folders; /* a clip is a folder of files, one per bone */
    bool names_have_dots;   /* only what a format of the game is called by is an extension */

    /* NULL, or how an archive stores a figure NAME: entries NAME + each of these, of which the
     * first must be there. Ends with NULL. */
    const char *const *figure_endings;
    /* NULL, or the same for figures of single files; an entry that ends in `link_ending` may say
     * what those of a figure are called: the number of its words, and the only one. */
    const char *const *single_endings;
    const char *link_ending;
    uint32_t (*read_link)(const uint8_t *data, size_t size, char word[OSSA__LINK_CAPACITY]);
    /* The same of a file that has been read, or 0. */
    uint32_t (*link_of)(const struct ossa__format *format, const void *contents,
                        char word[OSSA__LINK_CAPACITY]);

    /* NULL, or lists the slots of a figure and the meshes in each. False: no memory. */
    bool (*survey_slots)(const struct ossa__survey_input *inputs, size_t count,
                         struct ossa__arena *arena, struct ossa_survey *survey);

    /* NULL, or how the names of bodies end: a folder that has one is a figure of its name. */
    const char *body_ending;

    /* NULL, or the names of clips that a file lists, without their ending: the figure of the file's
     * name has those, wherever else they belong to. NULL after the last one. */
    const char *(*listed_clip)(const struct ossa__format *format, const void *contents,
                               uint32_t index, size_t *size);
    const char *clip_ending; /* of their files: ".anim" */

    /* Files belong together by their names, wherever they lie: a body NAME has the parts NAME and
     * NAME + part_endings (NULL, or ends with NULL), the clips NAME_..., and the companions that
     * its parts list. A part of no body is a figure only where it is named or where there are no
     * bodies. See src/workspace/pairs.c. */
    bool pairs_by_name;
    const char *const *part_endings;
    /* NULL, or the names of companions that a file lists, without their ending. NULL after the last
     * one. */
    const char *(*listed_companion)(const struct ossa__format *format, const void *contents,
                                    uint32_t index, size_t *size);
};

/* What an archive knows of an entry without reading it. */
struct ossa__entry_hint {
    const ossa_format *format; /* NULL: nothing */
    const char *own_name;      /* what it calls itself; NULL: nothing */
};

/* What an archive holds: entries whose stored bytes lie inside the image, but for missing ones. */
struct ossa__listing {
    const ossa_entry *entries;
    size_t count;
    const uint8_t *image; /* the bytes of the archive */
    uint64_t image_size;
    const struct ossa__parts *parts; /* where they are read from; NULL: all are there */
    /* NULL, or how bytes of an entry are read that do not lie in an image in one piece. They are
     * within the entry's size. False: they cannot be read. */
    bool (*read_entry)(const void *contents, size_t index, uint64_t offset, void *bytes,
                       size_t size);
    /* NULL, or why an entry is missing, as a sentence. The code is that of a damaged archive,
     * unless it is changed. */
    const char *(*why_missing)(const void *contents, size_t index, ossa_code *code);
    const void *contents;                 /* for them */
    const struct ossa__entry_hint *hints; /* [count]; NULL: nothing */
    /* Of an archive that is searched, all of which was: where it is; else NULL. */
    const ossa_source *source;
};

/* Where a file leads that describes another one. */
struct ossa__lead {
    const char *reason; /* why it leads to nothing; NULL: it leads somewhere */
    /* Of the file beside it: the first one that is there; NULL: no more. They are plain names,
     * without folders, and look the same on every system. */
    const char *names[2];
    uint64_t begin; /* of what is meant in that, in bytes */
    uint64_t end;   /* 0: that of the file */
};

/* What an archive is to be made of. */
struct ossa__pack_plan {
    const ossa_packing *entries;
    size_t count;
    const char *dialect;   /* NULL: that of `like`, or the format's default */
    const ossa_file *like; /* an archive of the format that is packed again; NULL: none */
    /* The first entries are those of `like`, all of them in its order. By entry: whether it keeps
     * its data, which then is there and not in the plan. NULL: none does. */
    const bool *kept;
};

enum {
    OSSA__START = 16,
    OSSA__HEAD = 64 << 10,
};

struct ossa__format {
    ossa_format about; /* first: a pointer to it is a pointer to the module */
    const struct ossa__game *game;
    enum ossa__role role;      /* of its files in a scene */
    bool has_common_extension; /* files of anything else end in it, too */
    bool is_text;              /* its files hold no control characters */
    /* NULL, or words of which every such text has one near its start. Ends with NULL. */
    const char *const *signs;

    /* The reader jumps about in the file (see trace.h). */
    bool scattered;

    /* How sure it is that the bytes are its own. Never allocates, never reports, and looks at no
     * more than it needs. */
    ossa_confidence (*probe)(const uint8_t *data, uint64_t size);

    /* Whether a file that begins with these OSSA__HEAD bytes and has more may be one: never false
     * where `probe` would claim it. So files of no format need not be read to the end. A text does
     * not begin with white space alone. NULL: nobody knows. */
    bool (*may_begin)(const uint8_t *start, uint64_t size);

    /* NULL, or as `probe` by the first OSSA__START bytes alone. Where it is sure of a signature
     * with its structure, `read` gets along with what it asks for (ossa__need, see parts.h). */
    ossa_confidence (*probe_start)(const uint8_t *start, uint64_t size);

    /* For archives that may be far larger than memory, like discs, else NULL: how sure it is by
     * the few bytes of the source that it has to look at, and the same as `read`. The source stays
     * valid as long as the contents. What it reads it keeps small; `read` is the same for bytes
     * (ossa__bytes_source). Limits of the size of a file do not concern them. */
    ossa_confidence (*probe_from)(const ossa_source *source);
    void *(*read_from)(struct ossa__context *context, const ossa_source *source);
    /* Its entries may lie in files that begin with anything: it is asked when nobody else claims a
     * file, and its entries are also found by their offsets, as "0x12800". */
    bool searches;
    /* NULL, or the name of the n-th file, from 1, in which an archive of this name goes on if it
     * lies beside it. False: there is none. */
    bool (*continues)(const char *name, unsigned n, char *text, size_t capacity);
    /* The other way: the name of the first of them, if this can be a name of the others. */
    bool (*continued_from)(const char *name, char *text, size_t capacity);
    /* NULL, or what a file leads to that describes another one beside it. False: to nothing, and
     * only the reason is there. */
    bool (*leads_to)(const void *contents, struct ossa__lead *lead);
    /* NULL, or report what is damaged in the bytes of entries: reads all of them. */
    void (*verify)(struct ossa__context *context, const void *contents);

    /* The bytes as the format's public struct, in the context's arena; what it returns after a
     * failure does not matter. Issues are reported on the way. */
    void *(*read)(struct ossa__context *context, const uint8_t *data, uint64_t size);

    /* The struct as bytes: the same bytes when nothing was changed. */
    void (*write)(struct ossa__context *context, const void *contents, struct ossa__writer *writer);

    /* The struct as the "data" object of dump's JSON, and back. `size` is the file's own. */
    void (*dump)(const void *contents, struct ossa__json *json);
    void *(*build)(struct ossa__context *context, const struct ossa__value *data, uint64_t size);

    /* What people want to know of it. */
    void (*describe)(const void *contents, struct ossa__report *report);

    /* For archives, else NULL: what `read` found in it; the bytes of an entry that is packed, into
     * `out`, which has room for its `size`; and a new archive. */
    struct ossa__listing (*list)(const void *contents);
    void (*unpack)(struct ossa__context *context, const void *contents, size_t index, uint8_t *out);
    void (*pack)(struct ossa__context *context, const struct ossa__pack_plan *plan,
                 struct ossa__writer *writer);
    /* NULL, or for textures: the file again with other pixels (see ossa_repaint). Without pixels,
     * and then without a writer: refuse a picture of a size that cannot be. */
    void (*repaint)(struct ossa__context *context, const void *contents,
                    const struct ossa_texture *texture, struct ossa__writer *writer);
    /* NULL, or what `dialect` of a plan must be to get the kind of archive that this one is. */
    const char *(*pack_dialect)(const void *contents);
};

/* Files are not built from JSON where nobody asks for it, and what would do it is left out. */
#ifdef OSSA_WITHOUT_BUILD
#define OSSA__BUILT_BY(function) NULL
#else
#define OSSA__BUILT_BY(function) (function)
#endif
/* Archives and textures are not made where nothing is written. */
#ifdef OSSA_WITHOUT_PACKING
#define OSSA__PACKED_BY(function)    NULL
#define OSSA__REPAINTED_BY(function) NULL
#else
#define OSSA__PACKED_BY(function)    (function)
#define OSSA__REPAINTED_BY(function) (function)
#endif

/* Edits are not put into files where nothing is imported. */
#ifdef OSSA_WITHOUT_IMPORT
#define OSSA__IMPORTED_BY(function) NULL
#else
#define OSSA__IMPORTED_BY(function) (function)
#endif

/* Checksums are not computed where nobody calls ossa_verify. */
#ifdef OSSA_WITHOUT_VERIFYING
#define OSSA__VERIFIED_BY(function) NULL
#else
#define OSSA__VERIFIED_BY(function) (function)
#endif

/* As ossa_read, when the bytes were probed before: `guess` is what ossa__guess gave (NULL, or
 * without a format: they are probed here). */
ossa_file *ossa__read_guessed(const void *data, size_t size, const ossa_guess *guess,
                              const ossa_options *options, ossa_error *error);

/* As ossa_read_from, for an archive that is searched: just what lies at an offset (NULL: all). */
ossa_file *ossa__read_only_at(const ossa_source *source, const uint64_t *offset,
                              const ossa_options *options, ossa_error *error);

/* Call `release` when the file is freed: it lets go of what the bytes lie in. */
void ossa__file_keep(ossa_file *file, void (*release)(void *keeper), void *keeper);

/* The format of a file. */
const struct ossa__format *ossa__format_of(const ossa_file *file);

/* NULL-terminated, in the order shown to people. */
extern const struct ossa__format *const ossa__formats[];

/* The contents of a file of that format, or NULL when it is of another. All its bytes are there: if
 * they must be read first, NULL also when that fails. */
void *ossa__contents(ossa_file *file, const struct ossa__format *format);
/* The same with the bytes that are there, for what asks for others by itself. */
const void *ossa__contents_in_parts(const ossa_file *file);

#endif
