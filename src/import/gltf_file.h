/* SPDX-License-Identifier: MIT
 *
 * What the parts of the glTF reader share: one file being read.
 *
 * Files refer to everything by index, and may refer to one thing a million times. So what an index
 * leads to is found at once, is read only if it is needed, and is read once. */
#ifndef OSSA_IMPORT_GLTF_FILE_H
#define OSSA_IMPORT_GLTF_FILE_H

#include "codec/value.h"
#include "import/motion.h"

/* An array of objects of the document. */
struct ossa__gltf_list {
    struct ossa__value array;
    struct ossa__json_place *places;
    void **parsed; /* what has been made of each; NULL: nothing so far */
    uint32_t count;
};

/* A member of an object that may be missing. It lives as long as the object. False after a failure.
 */
bool ossa__gltf_list_open(struct ossa__gltf_list *list, const struct ossa__value *object,
                          const char *key);
/* The value of the item refers to the list. */
struct ossa__value ossa__gltf_list_item(const struct ossa__gltf_list *list, uint32_t index);
/* An index into the list; false after a failure, such as that there is no such item. */
bool ossa__gltf_list_index(const struct ossa__gltf_list *list, const struct ossa__value *reference,
                           uint32_t *index);

enum { OSSA__GLTF_MOST_FILES = 16 };

struct ossa__gltf_file {
    struct ossa__context *context;
    ossa__fetch_file *fetch;
    void *user;
    const char *text; /* the document */
    size_t text_size;
    const uint8_t *bin; /* of a GLB; NULL: there is none */
    uint64_t bin_size;
    struct ossa__value root;
    bool is_quantised; /* positions may be integers, which the binds then undo, too */
    struct ossa__gltf_list buffers;
    struct ossa__gltf_list views;
    struct ossa__gltf_list accessors;
    struct ossa__gltf_list nodes;
    struct ossa__gltf_list meshes;
    struct ossa__gltf_list cameras;
    struct ossa__gltf_fetched {
        const char *name;
        const uint8_t *bytes;
        size_t size;
    } fetched[OSSA__GLTF_MOST_FILES];
    uint32_t fetched_count;
    int32_t *node_of; /* by node of the file: which one it is of the motion; -1: none */
    struct ossa__motion *motion;
};

/* ---- the document (gltf_file.c) ------------------------------------------------------------ */

/* A number, which is not a text of bits as in the house's own documents. */
float ossa__gltf_number(const struct ossa__value *value);
void ossa__gltf_numbers(const struct ossa__value *array, size_t width, float *out);
/* Is it just this text? Refuses what is not a text. */
bool ossa__gltf_is(const struct ossa__value *value, const char *text);
/* The text of a member that may be missing, in the arena. */
const char *ossa__gltf_name(const struct ossa__value *object, const char *key);
/* The size of a text of `size` bytes that is cut to at most `most`. */
size_t ossa__gltf_cut(const char *text, size_t size, size_t most);
/* An item to people: 'hand', or nodes[3] if it has no name. */
enum { OSSA__GLTF_LABEL = 64 };
const char *ossa__gltf_label(const struct ossa__gltf_list *list, uint32_t index,
                             char text[OSSA__GLTF_LABEL]);

/* ---- parts ---------------------------------------------------------------------------------- */

/* The document and the binary buffer, of a GLB or of a text (gltf_container.c). */
bool ossa__read_gltf_container(struct ossa__gltf_file *file, const uint8_t *data, size_t size);

/* Bytes of a buffer (gltf_buffers.c). */
struct ossa__gltf_view {
    const uint8_t *bytes;
    uint64_t size;
    uint32_t stride; /* 0: none is given */
};
/* NULL after a failure, as all that follow. */
const struct ossa__gltf_view *ossa__gltf_view(struct ossa__gltf_file *file,
                                              const struct ossa__value *reference);

/* Whether a compression stands between us and the numbers: then it is refused (gltf_file.c). */
bool ossa__gltf_is_plain(const struct ossa__value *object);
bool ossa__gltf_is_compression(const struct ossa__value *name);
bool ossa__gltf_refuse_compression(const struct ossa__value *where);

/* Numbers of a view (gltf_accessors.c). */
struct ossa__gltf_accessor {
    uint32_t index;
    uint32_t count;         /* of elements */
    uint32_t width;         /* numbers of each */
    uint32_t component;     /* their type */
    bool is_normalised;     /* integers that stand for 0 to 1, or -1 to 1 */
    uint32_t stride;        /* from element to element */
    const uint8_t *bytes;   /* NULL: zeros */
    uint32_t listed;        /* elements that are given one by one */
    uint32_t listed_index;  /* the type of their indices */
    const uint8_t *indices; /* of them */
    const uint8_t *values;
    float *floats;    /* all of it, once it was asked for */
    bool is_rising;   /* as times */
    bool has_lengths; /* as rotations, of which none is 0 */
    bool has_cubic_lengths;
};

/* Which types of numbers are allowed. */
enum ossa__gltf_numbers {
    OSSA__GLTF_FLOATS,
    OSSA__GLTF_FRACTIONS, /* and normalised integers */
    OSSA__GLTF_QUANTISED, /* and any others of 8 or 16 bits */
};

/* An accessor of elements of `width` numbers. */
struct ossa__gltf_accessor *ossa__gltf_accessor(struct ossa__gltf_file *file,
                                                const struct ossa__value *reference, uint32_t width,
                                                enum ossa__gltf_numbers numbers);
/* Its numbers, all finite; `out` has room for them. */
bool ossa__gltf_decode(struct ossa__gltf_file *file, const struct ossa__gltf_accessor *accessor,
                       float *out);
/* The same in the arena, once for all who ask. */
const float *ossa__gltf_accessor_floats(struct ossa__gltf_file *file,
                                        struct ossa__gltf_accessor *accessor);

/* False after a failure. */
bool ossa__read_gltf_nodes(struct ossa__gltf_file *file);
bool ossa__read_gltf_skins(struct ossa__gltf_file *file);
bool ossa__read_gltf_animations(struct ossa__gltf_file *file);
/* The mesh of a node, if it has morph targets (gltf_meshes.c). */
bool ossa__read_gltf_mesh(struct ossa__gltf_file *file, const struct ossa__value *object,
                          struct ossa__motion_node *node);
/* What the file says of how it was made (gltf_options.c). */
bool ossa__read_gltf_options(struct ossa__gltf_file *file);

/* translation * rotation * scale, of 16 numbers column by column. NULL, or why it is not that
 * (gltf_matrix.c). */
const char *ossa__gltf_decompose(const float matrix[16], struct ossa__motion_node *node);
/* The inverse; false: there is none. */
bool ossa__gltf_invert(const float matrix[16], double out[16]);

#endif
