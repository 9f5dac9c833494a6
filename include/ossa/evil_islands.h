/* SPDX-License-Identifier: MIT
 *
 * Evil Islands (2000): what its files hold, as they hold it.
 *
 * A struct here is plain data. To change a file, point an array at one of yours (and set its
 * count), then ossa_write: only what you changed differs. Nothing here is freed by you. */
#ifndef OSSA_EVIL_ISLANDS_H
#define OSSA_EVIL_ISLANDS_H

#include "ossa/file.h"

OSSA_BEGIN

/* Frames a second of an ANM: likely, it is the open-source port's; the game's ADB may say else. */
#define OSSA_EI_FPS 15

/* ei-anm: the animation of one part. Right-handed, Z up, metres; rotations are w x y z. */
typedef struct ossa_ei_anm {
    uint32_t rotation_count;
    uint32_t translation_count;
    uint32_t morph_frame_count;
    uint32_t morph_vertex_count;    /* offsets in each morph frame */
    const float (*rotations)[4];    /* w x y z */
    const float (*translations)[3]; /* x y z */
    const float (*morphs)[3];       /* [frame * morph_vertex_count + vertex] */
    bool borrowed;                  /* the three arrays lie in the bytes given to ossa_read */
    bool short_tail;                /* no morph frames, and no morph_vertex_count either */
    const uint8_t *tail;            /* bytes after the last field, which no good file has */
    size_t tail_size;
} ossa_ei_anm;

/* A name as it is stored: code page 1251, `size` bytes without the closing NUL. */
typedef struct ossa_ei_name {
    const char *bytes; /* not terminated; may hold NULs in a bad file */
    uint32_t size;
    bool has_nul; /* a closing NUL follows in the file and is counted there */
} ossa_ei_name;

typedef struct ossa_ei_link {
    ossa_ei_name child;
    ossa_ei_name parent;  /* empty for the root */
    int32_t parent_index; /* of the link whose child is the parent; -1: the root, or not found */
    uint32_t depth;       /* 0 for the root */
    bool last_sibling;    /* no later link hangs on the same parent */
} ossa_ei_link;

/* ei-lnk: the tree of parts, in depth-first order. */
typedef struct ossa_ei_lnk {
    uint32_t link_count;
    const ossa_ei_link *links;
    const uint8_t *tail;
    size_t tail_size;
} ossa_ei_lnk;

/* ei-bon: where one part is at rest, seen from its parent; Z up, metres, as in ei-anm. Several
 * variants of the one place: 8 are the corners of the complexion, see ossa_ei_complexion. */
typedef struct ossa_ei_bon {
    uint32_t position_count;
    const float (*positions)[3]; /* x y z */
    bool borrowed;               /* positions lie in the bytes given to ossa_read */
    const uint8_t *tail;         /* fewer than 12 bytes after them, which no good file has */
    size_t tail_size;
} ossa_ei_bon;

/* A moment of a camera's path. What `step` means is not known. */
typedef struct ossa_ei_camera_key {
    float time;
    float step;
    float position[3];
    float rotation[4]; /* w x y z */
} ossa_ei_camera_key;

/* ei-cam: the path of a camera; Z up, metres, as in ei-anm. */
typedef struct ossa_ei_cam {
    uint32_t key_count;
    const ossa_ei_camera_key *keys;
    bool borrowed;       /* keys lie in the bytes given to ossa_read */
    const uint8_t *tail; /* fewer than 36 bytes after them, which no good file has */
    size_t tail_size;
} ossa_ei_cam;

/* One entry of an archive: a slot of its hash table. */
typedef struct ossa_ei_res_entry {
    int32_t next;    /* the slot of the next entry in the chain; -1: it is the last */
    uint32_t size;   /* of its bytes */
    uint32_t offset; /* of them, from the start of the archive; 16-aligned in good files */
    uint32_t time;   /* seconds since 1970 */
    uint16_t name_length;
    uint32_t name_offset; /* in the block of names */
    ossa_ei_name name;    /* empty where it would lie outside that block */
    const uint8_t *data;  /* NULL where the bytes are not all in the file */
    bool shares_bytes;    /* with another entry, or with a part of the archive itself */
} ossa_ei_res_entry;

/* ei-res: an archive; also under the names *.mod, *.bon and *.anm inside of others. Its bytes are
 * kept as they are, and ossa_write gives those. To change it, make a new one with ossa_pack, or go
 * by ossa_dump and ossa_build. */
typedef struct ossa_ei_res {
    uint32_t entry_count;
    uint32_t table_offset;
    uint32_t names_size;
    const ossa_ei_res_entry *entries; /* by slot */
    const uint32_t *order;            /* slots in the order of their bytes, as ossa_entry_at's */
    const uint8_t *image;             /* the whole file */
    uint64_t image_size;
    const ossa_gap *gaps; /* bytes that are no field's own: padding, mostly */
    size_t gap_count;
} ossa_ei_res;

/* The contents of a file, or NULL when the file is of another format. */
OSSA_API ossa_ei_anm *ossa_as_ei_anm(ossa_file *file);
OSSA_API ossa_ei_lnk *ossa_as_ei_lnk(ossa_file *file);
OSSA_API ossa_ei_bon *ossa_as_ei_bon(ossa_file *file);
OSSA_API ossa_ei_cam *ossa_as_ei_cam(ossa_file *file);
OSSA_API ossa_ei_res *ossa_as_ei_res(ossa_file *file);

/* A stored name as UTF-8: cut to fit (never inside a character), always terminated; gives the
 * length it wanted to have. The one byte without a character, 0x98, becomes U+0098. */
OSSA_API size_t ossa_ei_name_utf8(const ossa_ei_name *name, char *text, size_t capacity);

/* The value of a figure of that complexion: strength, dexterity and height, each 0 to 1 (NULL is
 * 0, 0, 0). 8 values are blended (strength changes fastest: corner 1 is the strong one, 2 the
 * dexterous, 4 the tall); of any other number the first is taken, of none 0, 0, 0. */
OSSA_API void ossa_ei_complexion(const float (*corners)[3], uint32_t count, const float sdh[3],
                                 float out[3]);

OSSA_END

#endif
