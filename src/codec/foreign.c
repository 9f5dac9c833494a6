/* SPDX-License-Identifier: MIT */
#include "codec/foreign.h"

#include <string.h>

enum {
    HEAD = 4 << 10,      /* bytes in which a text says what it is */
    PIECE = 16 << 10,    /* of a program */
    INSTALLER = 2 << 20, /* bytes in which an installer says who made it */
    NERO_FOOTER = 12,
};

#define UNPACKED(what, command)                                                                    \
    {                                                                                              \
        OSSA_CODE_FOREIGN, "is " what "; " command                                                 \
    }

/* What begins with a signature. */
static const struct {
    const char *start;
    size_t size;
    struct ossa__foreign is;
} table[] = {
    {"MComprHD", 8,
     UNPACKED("a disc image packed as CHD",
              "`chdman extractcd -i GAME.CHD -o GAME.CUE` unpacks that of a CD, and `chdman "
              "extractdvd -i GAME.CHD -o GAME.ISO` that of a DVD")},
    {"CISO", 4,
     UNPACKED("a disc image packed as CSO", "`maxcso --decompress GAME.cso` unpacks it")},
    {"ZISO", 4,
     UNPACKED("a disc image packed as ZSO", "`maxcso --decompress GAME.zso` unpacks it")},
    {"ECM\0", 4, UNPACKED("a disc image packed as ECM", "`unecm GAME.bin.ecm` unpacks it")},
    {"MEDIA DESCRIPTOR", 16,
     UNPACKED("the description of a disc image (MDS)", "the image is the .mdf file beside it")},
    {"[CloneCD]", 9,
     UNPACKED("the description of a disc image (CCD)", "the image is the .img file beside it")},
    {"ISc(", 4,
     UNPACKED("an InstallShield cabinet",
              "`unshield x data1.cab` unpacks it, with data1.hdr beside it")},
    {"MSCF", 4, UNPACKED("a Microsoft cabinet", "`7z x FILE.cab` unpacks it")},
    {"7z\xbc\xaf\x27\x1c", 6, UNPACKED("a 7z archive", "`7z x FILE.7z` unpacks it")},
    {"Rar!\x1a\x07", 6, UNPACKED("a RAR archive", "`7z x FILE.rar` unpacks it")},
    {"glTF", 4, {OSSA_CODE_NOT_ORIGINAL, "is a glTF file, not one of a game"}},
};

static const struct ossa__foreign nero =
    UNPACKED("a disc image of Nero (NRG)", "`nrg2iso GAME.nrg GAME.iso` converts it");
static const struct ossa__foreign inno = UNPACKED(
    "an installer made with Inno Setup, like those of GOG", "`innoextract setup.exe` unpacks it");
static const struct ossa__foreign gltf = {OSSA_CODE_NOT_ORIGINAL,
                                          "is a glTF file, not one of a game"};
static const struct ossa__foreign bvh = {OSSA_CODE_NOT_ORIGINAL,
                                         "is a BVH file, not one of a game"};
static const struct ossa__foreign json = {OSSA_CODE_NOT_ORIGINAL,
                                          "is a JSON document of Ossa, not a file of a game"};

static bool has_word(const uint8_t *bytes, size_t size, const char *word)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= size; i++) {
        if (bytes[i] == (uint8_t)word[0] && memcmp(bytes + i, word, length) == 0) return true;
    }
    return false;
}

/* Is it a program that Inno Setup made? It says so in its resources, behind its code. */
static bool is_inno(const ossa_source *source)
{
    enum { LONGEST = 16 }; /* of what is looked for: pieces overlap by that */
    uint8_t piece[PIECE];
    uint64_t end = INSTALLER;
    if (source->size < end) end = source->size;
    for (uint64_t at = 0; at < end; at += PIECE - LONGEST) {
        size_t size = end - at < PIECE ? (size_t)(end - at) : PIECE;
        if (!source->read_at(source->user, at, piece, size)) return false;
        bool is_marked = has_word(piece, size, "Inno Setup") ||
                         has_word(piece, size, "JR.Inno.Setup") || has_word(piece, size, "rDlPtS");
        if (is_marked) return true;
    }
    return false;
}

static size_t skip_space(const uint8_t *text, size_t size, size_t at)
{
    while (at < size && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))) at++;
    return at;
}

static bool starts_with(const uint8_t *text, size_t size, size_t at, const char *word)
{
    return size - at >= strlen(word) && memcmp(text + at, word, strlen(word)) == 0;
}

/* A text that begins with a word, or JSON. */
static const struct ossa__foreign *find_text(const uint8_t *head, size_t size)
{
    size_t at = starts_with(head, size, 0, "\xef\xbb\xbf") ? 3 : 0;
    at = skip_space(head, size, at);
    if (starts_with(head, size, at, "HIERARCHY")) return &bvh;
    if (!starts_with(head, size, at, "{")) return NULL;
    at = skip_space(head, size, at + 1);
    if (starts_with(head, size, at, "\"ossa\"")) return &json;
    bool is_gltf = has_word(head + at, size - at, "\"asset\"") ||
                   has_word(head + at, size - at, "\"accessors\"") ||
                   has_word(head + at, size - at, "\"bufferViews\"");
    return is_gltf ? &gltf : NULL;
}

const struct ossa__foreign *ossa__find_foreign(const ossa_source *source)
{
    uint8_t head[HEAD];
    uint8_t footer[NERO_FOOTER];
    size_t size = source->size < HEAD ? (size_t)source->size : HEAD;
    if (size < NERO_FOOTER || !source->read_at(source->user, 0, head, size)) return NULL;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        bool fits = size >= table[i].size && memcmp(head, table[i].start, table[i].size) == 0;
        if (fits) return &table[i].is;
    }
    if (memcmp(head, "MZ", 2) == 0) return is_inno(source) ? &inno : NULL;
    uint64_t last = source->size - NERO_FOOTER;
    if (!source->read_at(source->user, last, footer, sizeof footer)) return NULL;
    if (memcmp(footer, "NER5", 4) == 0 || memcmp(footer + 4, "NERO", 4) == 0) return &nero;
    return find_text(head, size);
}

/* ---- bytes --------------------------------------------------------------------------------- */

struct memory {
    const uint8_t *data;
    uint64_t size;
};

static bool read_memory(void *user, uint64_t offset, void *bytes, size_t size)
{
    const struct memory *memory = user;
    if (offset > memory->size || size > memory->size - offset) return false;
    memcpy(bytes, memory->data + offset, size);
    return true;
}

const struct ossa__foreign *ossa__find_foreign_bytes(const uint8_t *data, uint64_t size)
{
    struct memory memory = {data, size};
    const ossa_source source = {read_memory, &memory, size};
    return ossa__find_foreign(&source);
}

bool ossa__is_of_no_format(ossa_code code)
{
    return code == OSSA_CODE_UNKNOWN_FORMAT || code == OSSA_CODE_FOREIGN ||
           code == OSSA_CODE_NOT_ORIGINAL;
}
