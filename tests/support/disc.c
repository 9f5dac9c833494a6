/* SPDX-License-Identifier: MIT
 *
 * Sectors: 16 of nothing, the descriptors, the path tables and the folders of each tree, the files.
 */
#include "support/disc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_NODES = 4096,
    NAME = 64,
    XA_FILE = 0x0d55,
    XA_FOLDER = 0x8d55,
};

/* A folder or a file of the tree. */
struct node {
    char name[NAME];
    size_t parent;                /* the number of a node, from 1; 0: the root */
    const struct disc_file *file; /* NULL: a folder */
};

struct folder {
    const struct node *node; /* NULL: the root */
    size_t parent;
    uint32_t sector;
    struct bytes bytes;
};

struct tree {
    bool is_joliet;
    struct folder *folders; /* in the order of the path table */
    size_t folder_count;
    uint32_t tables[2]; /* sectors of the path tables: little-endian and big-endian */
    struct bytes table;
};

struct maker {
    const struct disc_plan *plan;
    struct node *nodes;
    size_t node_count;
    uint32_t *file_sectors; /* by file of the plan */
    struct tree trees[2];
    size_t tree_count;
    struct disc disc;
};

static void refuse(const char *what)
{
    (void)fprintf(stderr, "disc: %s\n", what);
    abort();
}

static void *make_room(size_t count, size_t size)
{
    void *room = calloc(count, size);
    if (room == NULL) refuse("no memory");
    return room;
}

static void put_big_u16(struct bytes *bytes, uint32_t value)
{
    put_u8(bytes, value >> 8 & 0xff);
    put_u8(bytes, value & 0xff);
}

static void put_big_u32(struct bytes *bytes, uint32_t value)
{
    put_big_u16(bytes, value >> 16);
    put_big_u16(bytes, value & 0xffff);
}

static void put_both_u32(struct bytes *bytes, uint32_t value)
{
    put_u32(bytes, value);
    put_big_u32(bytes, value);
}

static void put_both_u16(struct bytes *bytes, uint32_t value)
{
    put_u16(bytes, value);
    put_big_u16(bytes, value);
}

void disc_set_both(struct bytes *image, size_t offset, uint32_t value)
{
    set_u32(image, offset, value);
    for (size_t i = 0; i < 4; i++) set_u8(image, offset + 4 + i, value >> (24 - 8 * i) & 0xff);
}

static void pad(struct bytes *bytes, uint8_t value, size_t size)
{
    if (bytes->size > size) refuse("something is too long");
    put_repeated(bytes, value, size - bytes->size);
}

static uint32_t sectors_of(size_t size)
{
    return (uint32_t)((size + DISC_SECTOR - 1) / DISC_SECTOR);
}

/* ---- the tree ------------------------------------------------------------------------------ */

static size_t add_node(struct maker *m, size_t parent, const char *name, size_t size,
                       const struct disc_file *file)
{
    for (size_t i = 0; i < m->node_count && file == NULL; i++) {
        const struct node *node = &m->nodes[i];
        bool is_same = node->file == NULL && node->parent == parent && strlen(node->name) == size &&
                       memcmp(node->name, name, size) == 0;
        if (is_same) return i + 1;
    }
    if (m->node_count == MOST_NODES || size >= NAME) refuse("too many files, or a long name");
    struct node *node = &m->nodes[m->node_count++];
    memcpy(node->name, name, size);
    node->parent = parent;
    node->file = file;
    return m->node_count;
}

static void add_nodes(struct maker *m)
{
    for (size_t i = 0; i < m->plan->count; i++) {
        const struct disc_file *file = &m->plan->files[i];
        size_t parent = 0;
        const char *name = file->path;
        for (const char *slash; (slash = strchr(name, '/')) != NULL; name = slash + 1) {
            parent = add_node(m, parent, name, (size_t)(slash - name), NULL);
        }
        (void)add_node(m, parent, name, strlen(name), file);
    }
}

/* A name as it is stored. */
static struct bytes stored_name(const struct node *node, bool is_joliet)
{
    struct bytes name = {0};
    char text[NAME + 4];
    bool is_file = node->file != NULL;
    bool has_dot = strchr(node->name, '.') != NULL;
    (void)snprintf(text, sizeof text, "%s%s%s", node->name,
                   is_file && !has_dot && !is_joliet ? "." : "", is_file ? ";1" : "");
    for (const unsigned char *c = (const unsigned char *)text; *c != 0; c++) {
        if (!is_joliet) {
            put_u8(&name, *c >= 'a' && *c <= 'z' ? *c - 32U : *c);
        } else if (*c < 0x80) {
            put_big_u16(&name, *c);
        } else if (*c < 0xe0) {
            put_big_u16(&name, (c[0] & 0x1fU) << 6 | (c[1] & 0x3fU));
            c += 1;
        } else {
            put_big_u16(&name, (c[0] & 0xfU) << 12 | (c[1] & 0x3fU) << 6 | (c[2] & 0x3fU));
            c += 2;
        }
    }
    return name;
}

struct named {
    const struct node *node;
    struct bytes name;
};

static int compare_named(const void *a, const void *b)
{
    const struct bytes *x = &((const struct named *)a)->name;
    const struct bytes *y = &((const struct named *)b)->name;
    size_t size = x->size < y->size ? x->size : y->size;
    int order = memcmp(x->data, y->data, size);
    return order != 0 ? order : (int)x->size - (int)y->size;
}

/* What is in a folder, as it is sorted there. */
static size_t list_folder(const struct maker *m, const struct tree *tree, size_t folder,
                          struct named **list)
{
    const struct node *own = tree->folders[folder].node;
    size_t number = own == NULL ? 0 : (size_t)(own - m->nodes) + 1;
    size_t count = 0;
    *list = make_room(m->node_count + 1, sizeof **list);
    for (size_t i = 0; i < m->node_count; i++) {
        if (m->nodes[i].parent != number) continue;
        (*list)[count++] = (struct named){&m->nodes[i], stored_name(&m->nodes[i], tree->is_joliet)};
    }
    qsort(*list, count, sizeof **list, compare_named);
    return count;
}

static void free_list(struct named *list, size_t count)
{
    for (size_t i = 0; i < count; i++) bytes_free(&list[i].name);
    free(list);
}

static void find_folders(struct maker *m, struct tree *tree)
{
    tree->folders = make_room(m->node_count + 1, sizeof *tree->folders);
    tree->folder_count = 1;
    for (size_t i = 0; i < tree->folder_count; i++) {
        struct named *list;
        size_t count = list_folder(m, tree, i, &list);
        for (size_t k = 0; k < count; k++) {
            if (list[k].node->file != NULL) continue;
            tree->folders[tree->folder_count++] =
                (struct folder){.node = list[k].node, .parent = i};
        }
        free_list(list, count);
    }
}

/* ---- records ------------------------------------------------------------------------------- */

struct record {
    uint32_t sector;
    size_t size;
    uint32_t flags;
    uint32_t attribute_sectors;
    uint32_t attributes;
};

static void put_record(struct bytes *bytes, const struct record *record, const struct bytes *name,
                       bool has_xa)
{
    static const uint8_t time[7] = {100, 10, 26, 9, 30, 0, 36}; /* 00:30 in UTC */
    size_t padding = name->size % 2 == 0 ? 1 : 0;
    size_t length = 33 + name->size + padding + (has_xa ? 14 : 0);
    size_t left = DISC_SECTOR - bytes->size % DISC_SECTOR;
    if (length > 255) refuse("a name is too long");
    if (length > left) put_repeated(bytes, 0, left);
    put_u8(bytes, (uint32_t)length);
    put_u8(bytes, record->attribute_sectors);
    put_both_u32(bytes, record->sector);
    put_both_u32(bytes, (uint32_t)record->size);
    put_bytes(bytes, time, sizeof time);
    put_u8(bytes, record->flags);
    put_u16(bytes, 0);
    put_both_u16(bytes, 1);
    put_u8(bytes, (uint32_t)name->size);
    put_bytes(bytes, name->data, name->size);
    put_repeated(bytes, 0, padding);
    if (!has_xa) return;
    put_u32(bytes, 0);
    put_big_u16(bytes, record->attributes);
    put_text(bytes, "XA");
    put_repeated(bytes, 0, 6);
}

static void put_file(struct bytes *bytes, const struct maker *m, const struct named *named,
                     bool has_xa)
{
    const struct disc_file *file = named->node->file;
    size_t index = (size_t)(file - m->plan->files);
    struct record record = {.sector = m->file_sectors[index],
                            .attribute_sectors = m->plan->attribute_sectors,
                            .attributes = XA_FILE | file->attributes};
    size_t left = file->size;
    if ((file->attributes & (DISC_FORM_2 | DISC_AUDIO)) != 0) record.attributes &= ~0x0800U;
    do { /* pieces have a sector between them, so that they are pieces */
        bool is_split = m->plan->piece_size != 0 && left > m->plan->piece_size;
        record.size = is_split ? m->plan->piece_size : left;
        record.flags = is_split ? 0x80 : 0;
        put_record(bytes, &record, &named->name, has_xa);
        record.sector += record.attribute_sectors + sectors_of(record.size) + 1;
        left -= record.size;
    } while (left > 0);
}

static void put_folder(struct maker *m, struct tree *tree, size_t index)
{
    static uint8_t self_name = 0;
    static uint8_t parent_name = 1;
    struct folder *folder = &tree->folders[index];
    const struct folder *parent = &tree->folders[folder->parent];
    size_t size = folder->bytes.size; /* of the pass before */
    size_t parent_size = parent->bytes.size;
    const struct bytes names[2] = {{&self_name, 1, 1}, {&parent_name, 1, 1}};
    bool has_xa = m->plan->has_xa && !tree->is_joliet;
    struct named *list;
    size_t count = list_folder(m, tree, index, &list);
    struct bytes bytes = {0};
    struct record record = {
        .sector = folder->sector, .size = size, .flags = 2, .attributes = XA_FOLDER};
    put_record(&bytes, &record, &names[0], has_xa);
    record.sector = parent->sector;
    record.size = parent_size;
    put_record(&bytes, &record, &names[1], has_xa);
    for (size_t i = 0; i < count; i++) {
        if (list[i].node->file != NULL) {
            put_file(&bytes, m, &list[i], has_xa);
            continue;
        }
        const struct folder *child = tree->folders;
        while (child->node != list[i].node) child++;
        record.sector = child->sector;
        record.size = child->bytes.size;
        put_record(&bytes, &record, &list[i].name, has_xa);
    }
    pad(&bytes, 0, (size_t)sectors_of(bytes.size) * DISC_SECTOR);
    bytes_free(&folder->bytes);
    folder->bytes = bytes;
    free_list(list, count);
}

static void put_path_table(struct tree *tree, bool is_big, struct bytes *bytes)
{
    for (size_t i = 0; i < tree->folder_count; i++) {
        const struct folder *folder = &tree->folders[i];
        struct bytes name = {0};
        if (folder->node == NULL) put_u8(&name, 0);
        else name = stored_name(folder->node, tree->is_joliet);
        put_u8(bytes, (uint32_t)name.size);
        put_u8(bytes, 0);
        if (is_big) {
            put_big_u32(bytes, folder->sector);
            put_big_u16(bytes, (uint32_t)folder->parent + 1);
        } else {
            put_u32(bytes, folder->sector);
            put_u16(bytes, (uint32_t)folder->parent + 1);
        }
        put_bytes(bytes, name.data, name.size);
        put_repeated(bytes, 0, name.size % 2);
        bytes_free(&name);
    }
}

/* ---- descriptors --------------------------------------------------------------------------- */

static void put_label(struct bytes *bytes, const char *text, size_t size, bool is_joliet)
{
    size_t end = bytes->size + size;
    for (; *text != '\0'; text++) {
        if (is_joliet) put_u8(bytes, 0);
        put_u8(bytes, (uint8_t)*text);
    }
    while (bytes->size < end) {
        if (is_joliet) put_u8(bytes, 0);
        put_u8(bytes, ' ');
    }
}

static void put_descriptor(struct bytes *image, const struct maker *m, const struct tree *tree,
                           uint32_t sectors)
{
    static uint8_t zero = 0;
    static const char date[] = "2000102609300000$";
    const struct bytes root_name = {&zero, 1, 1};
    const struct folder *root = &tree->folders[0];
    const struct record record = {.sector = root->sector, .size = root->bytes.size, .flags = 2};
    bool is_joliet = tree->is_joliet;
    struct bytes d = {0};
    put_u8(&d, is_joliet ? 2 : 1);
    put_text(&d, "CD001");
    put_u16(&d, 1);
    put_label(&d, m->plan->has_xa ? "PLAYSTATION" : "OSSA", 32, is_joliet);
    put_label(&d, "TEST_DISC", 32, is_joliet);
    put_repeated(&d, 0, 8);
    put_both_u32(&d, sectors);
    if (is_joliet) put_text(&d, "%/E");
    pad(&d, 0, 120);
    put_both_u16(&d, 1);
    put_both_u16(&d, 1);
    put_both_u16(&d, DISC_SECTOR);
    put_both_u32(&d, (uint32_t)tree->table.size);
    put_u32(&d, tree->tables[0]);
    put_u32(&d, 0);
    put_big_u32(&d, tree->tables[1]);
    put_u32(&d, 0);
    put_record(&d, &record, &root_name, false);
    while (d.size < 813)
        put_label(&d, "", is_joliet && d.size + 2 <= 813 ? 2 : 1, is_joliet && d.size + 2 <= 813);
    for (int i = 0; i < 4; i++) {
        put_bytes(&d, date, 16);
        put_u8(&d, 36);
    }
    put_u16(&d, 1);
    pad(&d, 0, 1024);
    if (m->plan->has_xa && !is_joliet) put_text(&d, "CD-XA001");
    pad(&d, 0, DISC_SECTOR);
    put_bytes(image, d.data, d.size);
    bytes_free(&d);
}

/* ---- all ----------------------------------------------------------------------------------- */

/* The sectors of everything; the folders have their sizes. Gives the number of all. */
static uint32_t lay_out(struct maker *m)
{
    uint32_t sector = DISC_DESCRIPTORS + (uint32_t)m->tree_count + 1;
    for (size_t t = 0; t < m->tree_count; t++) {
        struct tree *tree = &m->trees[t];
        for (int i = 0; i < 2; i++) {
            tree->tables[i] = sector;
            sector += sectors_of(tree->table.size);
        }
        for (size_t i = 0; i < tree->folder_count; i++) {
            tree->folders[i].sector = sector;
            sector += sectors_of(tree->folders[i].bytes.size);
        }
    }
    for (size_t i = 0; i < m->plan->count; i++) {
        const struct disc_file *file = &m->plan->files[i];
        size_t piece = m->plan->piece_size;
        m->file_sectors[i] = sector;
        if ((file->attributes & DISC_FORM_2) != 0) {
            if (m->disc.form_2_end == 0) m->disc.form_2_begin = sector;
            m->disc.form_2_end = sector + sectors_of(file->size);
        }
        size_t pieces = piece == 0 || file->size == 0 ? 1 : (file->size + piece - 1) / piece;
        sector += sectors_of(file->size) + (uint32_t)(pieces - 1) +
                  (uint32_t)pieces * m->plan->attribute_sectors;
    }
    return sector;
}

static void write_files(struct maker *m)
{
    struct bytes *image = &m->disc.image;
    for (size_t i = 0; i < m->plan->count; i++) {
        const struct disc_file *file = &m->plan->files[i];
        size_t at = 0;
        pad(image, 0, (size_t)m->file_sectors[i] * DISC_SECTOR);
        for (bool is_first = true; is_first || at < file->size; is_first = false) {
            size_t size = file->size - at;
            if (m->plan->piece_size != 0 && size > m->plan->piece_size) size = m->plan->piece_size;
            if (!is_first) put_repeated(image, 0xee, DISC_SECTOR);
            put_repeated(image, 0xaa, (size_t)m->plan->attribute_sectors * DISC_SECTOR);
            put_bytes(image, (const uint8_t *)file->data + at, size);
            pad(image, 0, (size_t)sectors_of(image->size) * DISC_SECTOR);
            at += size;
        }
    }
}

struct disc make_disc(const struct disc_plan *plan)
{
    struct maker m = {.plan = plan, .tree_count = plan->has_joliet ? 2 : 1};
    struct bytes *image = &m.disc.image;
    m.nodes = make_room(MOST_NODES, sizeof *m.nodes);
    m.file_sectors = make_room(plan->count + 1, sizeof *m.file_sectors);
    add_nodes(&m);
    uint32_t sectors = 0;
    for (size_t t = 0; t < m.tree_count; t++) {
        m.trees[t].is_joliet = t == 1;
        find_folders(&m, &m.trees[t]);
        put_path_table(&m.trees[t], false, &m.trees[t].table);
    }
    for (int pass = 0; pass < 2; pass++) { /* sizes first, then sectors */
        for (size_t t = 0; t < m.tree_count; t++) {
            for (size_t i = 0; i < m.trees[t].folder_count; i++) put_folder(&m, &m.trees[t], i);
        }
        sectors = lay_out(&m);
    }
    for (size_t t = 0; t < m.tree_count; t++) {
        for (size_t i = 0; i < m.trees[t].folder_count; i++) put_folder(&m, &m.trees[t], i);
    }
    put_repeated(image, 0, (size_t)DISC_DESCRIPTORS * DISC_SECTOR);
    for (size_t t = 0; t < m.tree_count; t++) put_descriptor(image, &m, &m.trees[t], sectors);
    size_t last = image->size;
    put_u8(image, 255);
    put_text(image, "CD001");
    put_u8(image, 1);
    pad(image, 0, last + DISC_SECTOR);
    for (size_t t = 0; t < m.tree_count; t++) {
        struct tree *tree = &m.trees[t];
        for (int i = 0; i < 2; i++) {
            pad(image, 0, (size_t)tree->tables[i] * DISC_SECTOR);
            put_path_table(tree, i == 1, image);
        }
        for (size_t i = 0; i < tree->folder_count; i++) {
            pad(image, 0, (size_t)tree->folders[i].sector * DISC_SECTOR);
            put_bytes(image, tree->folders[i].bytes.data, tree->folders[i].bytes.size);
            bytes_free(&tree->folders[i].bytes);
        }
        bytes_free(&tree->table);
        free(tree->folders);
    }
    write_files(&m);
    pad(image, 0, (size_t)sectors * DISC_SECTOR);
    free(m.file_sectors);
    free(m.nodes);
    return m.disc;
}

size_t disc_record(const struct bytes *image, const char *name, size_t from)
{
    size_t size = strlen(name);
    for (size_t i = from + 33; i + size <= image->size; i++) {
        if (image->data[i - 1] == size && memcmp(image->data + i, name, size) == 0) return i - 33;
    }
    refuse("there is no such record");
    return 0;
}
