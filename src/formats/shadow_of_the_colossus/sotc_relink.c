/* SPDX-License-Identifier: MIT
 *
 * Bytes are inserted in up to four places: in the name of the container, at the end of section 1,
 * and at the end of the two tables of its relocations. Every offset of the file that points to what
 * lies behind is corrected.
 *
 *     relocation descriptor, 28 bytes: u32 type (9), u32 count, u32 section, u32 address [2],
 *     u32 offset of the entries, u32 offset of the originals
 *     entry, 8 bytes: u32 offset in the section, u32 symbol << 8 | type
 *     original, 8 bytes: u32 value of the pointer before it is relocated, u32 0
 *
 * Tables have an address besides their offset. In "xff2" it is the offset + 0x40010000 and follows
 * it; other values are left alone. */
#include "formats/shadow_of_the_colossus/sotc_relink.h"

#include "base/bytes.h"
#include "codec/sort.h"

#include <inttypes.h>

enum {
    /* words of the header */
    FIRST_GLOBAL = 3,
    IMPORT_COUNT = 7,
    SYMBOL_COUNT = 9,
    RELOCATION_COUNT = 14,
    IMPORTS = 20, /* the first of eight offsets */
    SYMBOLS = 21,
    SYMBOL_STRINGS = 22,
    SYMBOL_VALUES = 24,
    RELOCATIONS = 25,
    OFFSETS = 8,

    SECTION_TYPE = 4, /* word of a section */
    NO_BITS = 8,      /* a section without bytes in the file */
    SYMBOL_SIZE = 16,
    DESCRIPTOR_SIZE = 28,
    PLAIN_RELOCATIONS = 9, /* the type of a descriptor */
    ENTRY_SIZE = 8,
    DATA_SECTION = 1,

    MOST_INSERTED = 4,
    MOST_SYMBOLS = 256, /* searched for the name */
    ALIGNMENT = 16,     /* of what is inserted, so that everything behind stays aligned */
};

#define ADDRESS_BASE 0x40010000U

/* A container being changed. */
struct relink {
    struct ossa__context *context;
    const struct ossa__xff_change *change;
    const uint8_t *old;
    uint64_t old_size;
    struct inserted {
        uint64_t at; /* in the old file */
        uint64_t size;
    } inserted[MOST_INSERTED];
    unsigned count;
    uint32_t *order;     /* of the pointers by old_at; NULL: the tables stay as they are */
    uint32_t fresh;      /* pointers that need a relocation */
    uint32_t descriptor; /* that gets those */
    uint64_t name_at;    /* 0: the name stays */
    size_t name_size;    /* of the old one */
    size_t stem_size;    /* without the extension */
    uint8_t *image;
};

static uint32_t word_at(const uint8_t *bytes, uint64_t offset)
{
    return ossa__load_u32(bytes + offset);
}

static uint64_t padded(uint64_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static bool refuse(const struct relink *r, const char *field, const char *why)
{
    return ossa__fail_nowhere(r->context, OSSA_CODE_BAD_VALUE, field,
                              "the animation needs more room, but %s", why);
}

/* Where something that began there begins now. */
static uint64_t moved(const struct relink *r, uint64_t offset)
{
    uint64_t added = 0;
    for (unsigned i = 0; i < r->count; i++) {
        if (r->inserted[i].at <= offset) added += r->inserted[i].size;
    }
    return offset + added;
}

/* ---- tables -------------------------------------------------------------------------------- */

/* A relocation descriptor. */
struct descriptor {
    uint64_t at;
    uint32_t type, count, section;
    uint64_t entries, originals;
};

static struct descriptor descriptor_at(const struct relink *r, uint32_t index)
{
    uint64_t at = r->change->xff->words[RELOCATIONS] + (uint64_t)DESCRIPTOR_SIZE * index;
    return (struct descriptor){.at = at,
                               .type = word_at(r->old, at),
                               .count = word_at(r->old, at + 4),
                               .section = word_at(r->old, at + 8),
                               .entries = word_at(r->old, at + 20),
                               .originals = word_at(r->old, at + 24)};
}

static bool is_within(const struct relink *r, uint64_t offset, uint64_t size)
{
    return offset <= r->old_size && size <= r->old_size - offset;
}

/* NULL, or why the relocations cannot be changed. Those that overlap could be more than the file
 * has room for. */
static const char *find_fault(const struct relink *r)
{
    static const char *const outside = "its relocations are not in the file";
    const uint32_t *words = r->change->xff->words;
    uint32_t count = words[RELOCATION_COUNT];
    uint64_t total = (uint64_t)DESCRIPTOR_SIZE * count;
    if (count > 0 && !is_within(r, words[RELOCATIONS], total)) return outside;
    for (uint32_t i = 0; i < count; i++) {
        struct descriptor d = descriptor_at(r, i);
        uint64_t size = (uint64_t)ENTRY_SIZE * d.count;
        total += size;
        if (!is_within(r, d.entries, size) || !is_within(r, d.originals, size)) return outside;
        if (total > r->old_size) return "its relocations overlap";
        if (d.section == DATA_SECTION && d.count > 0 && d.type != PLAIN_RELOCATIONS) {
            return "its relocations are of an unknown type";
        }
    }
    return NULL;
}

static bool cuts(uint64_t at, uint64_t offset, uint64_t size)
{
    return offset < at && at < offset + size;
}

/* Would bytes inserted there be in the middle of something? */
static bool cuts_anything(const struct relink *r, uint64_t at)
{
    const ossa_sotc_xff *xff = r->change->xff;
    const uint32_t *words = xff->words;
    bool found = cuts(at, 0, 4ULL * OSSA_SOTC_XFF_WORDS) ||
                 cuts(at, words[OSSA__XFF_SECTIONS],
                      (uint64_t)OSSA__XFF_SECTION_SIZE * xff->section_count) ||
                 cuts(at, words[OSSA__XFF_NAME_POSITIONS], 4ULL * xff->section_count) ||
                 cuts(at, words[SYMBOLS], (uint64_t)SYMBOL_SIZE * words[SYMBOL_COUNT]) ||
                 cuts(at, words[SYMBOL_VALUES], 4ULL * words[SYMBOL_COUNT]) ||
                 cuts(at, words[IMPORTS], 4ULL * words[IMPORT_COUNT]) ||
                 cuts(at, words[RELOCATIONS], (uint64_t)DESCRIPTOR_SIZE * words[RELOCATION_COUNT]);
    for (uint32_t i = 0; i < xff->section_count && !found; i++) {
        const ossa_sotc_section *section = &xff->sections[i];
        uint64_t name = (uint64_t)words[OSSA__XFF_STRINGS] + section->name_position;
        found = cuts(at, name, section->name_size + 1ULL) ||
                (section->words[SECTION_TYPE] != NO_BITS &&
                 cuts(at, section->words[OSSA__XFF_SECTION_OFFSET],
                      section->words[OSSA__XFF_SECTION_LENGTH]));
    }
    for (uint32_t i = 0; i < words[RELOCATION_COUNT] && !found; i++) {
        struct descriptor d = descriptor_at(r, i);
        found = cuts(at, d.entries, (uint64_t)ENTRY_SIZE * d.count) ||
                cuts(at, d.originals, (uint64_t)ENTRY_SIZE * d.count);
    }
    return found;
}

static bool can_insert(const struct relink *r, uint64_t at)
{
    if (at < 4ULL * OSSA_SOTC_XFF_WORDS) return false; /* the header is where it is */
    for (unsigned i = 0; i < r->count; i++) {
        if (r->inserted[i].at == at) return false;
    }
    return !cuts_anything(r, at);
}

/* Kept in the order of offsets. */
static void insert(struct relink *r, uint64_t at, uint64_t size)
{
    unsigned i = r->count++;
    for (; i > 0 && r->inserted[i - 1].at > at; i--) r->inserted[i] = r->inserted[i - 1];
    r->inserted[i] = (struct inserted){at, padded(size)};
}

static bool insert_or_refuse(struct relink *r, uint64_t at, uint64_t size)
{
    if (size == 0) return true;
    if (!can_insert(r, at)) {
        return refuse(r, "container", "its tables and its data share bytes");
    }
    insert(r, at, size);
    return true;
}

/* ---- relocations --------------------------------------------------------------------------- */

static bool is_before(const void *a, const void *b, void *user)
{
    const struct ossa__xff_pointer *pointers = user;
    return pointers[*(const uint32_t *)a].old_at < pointers[*(const uint32_t *)b].old_at;
}

static bool sort_pointers(struct relink *r)
{
    uint32_t count = r->change->pointer_count;
    r->order = ossa__take_scratch(r->context, count, sizeof *r->order);
    if (r->order == NULL) return false;
    for (uint32_t i = 0; i < count; i++) r->order[i] = i;
    return ossa__sort(r->context, r->order, count, sizeof *r->order, is_before,
                      r->change->pointers);
}

/* The pointer that was there, or NULL. */
static struct ossa__xff_pointer *find_pointer(const struct relink *r, uint32_t old_at)
{
    uint32_t low = 0;
    uint32_t high = r->change->pointer_count;
    if (old_at == OSSA__XFF_NOWHERE) return NULL;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (r->change->pointers[r->order[middle]].old_at < old_at) low = middle + 1;
        else high = middle;
    }
    if (low == r->change->pointer_count) return NULL;
    struct ossa__xff_pointer *pointer = &r->change->pointers[r->order[low]];
    return pointer->old_at == old_at ? pointer : NULL;
}

/* Which pointers are relocated, and how many new ones must be. */
static void find_relocations(struct relink *r)
{
    const struct ossa__xff_change *change = r->change;
    r->descriptor = UINT32_MAX;
    for (uint32_t i = 0; i < change->xff->words[RELOCATION_COUNT]; i++) {
        struct descriptor d = descriptor_at(r, i);
        if (d.section != DATA_SECTION) continue;
        if (d.count > 0 && r->descriptor == UINT32_MAX) r->descriptor = i;
        for (uint32_t k = 0; k < d.count; k++) {
            uint64_t at = d.entries + (uint64_t)ENTRY_SIZE * k;
            struct ossa__xff_pointer *pointer = find_pointer(r, word_at(r->old, at));
            if (pointer == NULL) continue;
            pointer->is_relocated = true;
            pointer->relocation = word_at(r->old, at + 4);
        }
    }
    for (uint32_t i = 0; i < change->pointer_count; i++) {
        struct ossa__xff_pointer *pointer = &change->pointers[i];
        if (pointer->old_at != OSSA__XFF_NOWHERE) continue;
        pointer->is_relocated = change->pointers[pointer->like].is_relocated;
        pointer->relocation = change->pointers[pointer->like].relocation;
        if (pointer->is_relocated) r->fresh++;
    }
}

static bool insert_relocations(struct relink *r)
{
    if (r->fresh == 0) return true;
    struct descriptor d = descriptor_at(r, r->descriptor);
    uint64_t end = (uint64_t)ENTRY_SIZE * d.count;
    uint64_t size = (uint64_t)ENTRY_SIZE * r->fresh;
    return insert_or_refuse(r, d.entries + end, size) &&
           insert_or_refuse(r, d.originals + end, size);
}

static void write_relocations(const struct relink *r)
{
    const struct ossa__xff_change *change = r->change;
    for (uint32_t i = 0; i < change->xff->words[RELOCATION_COUNT]; i++) {
        struct descriptor d = descriptor_at(r, i);
        uint8_t *entry = r->image + moved(r, d.entries);
        uint8_t *original = r->image + moved(r, d.originals);
        if (d.section != DATA_SECTION) continue;
        for (uint32_t k = 0; k < d.count; k++, entry += ENTRY_SIZE, original += ENTRY_SIZE) {
            const struct ossa__xff_pointer *pointer =
                find_pointer(r, word_at(r->old, d.entries + (uint64_t)ENTRY_SIZE * k));
            if (pointer == NULL) continue;
            ossa__store_u32(entry, pointer->at);
            ossa__store_u32(original, ossa__load_u32(original) + pointer->added);
        }
        if (i != r->descriptor || r->fresh == 0) continue;
        for (uint32_t p = 0; p < change->pointer_count; p++) {
            const struct ossa__xff_pointer *pointer = &change->pointers[p];
            if (pointer->old_at != OSSA__XFF_NOWHERE || !pointer->is_relocated) continue;
            ossa__store_u32(entry, pointer->at);
            ossa__store_u32(entry + 4, pointer->relocation);
            ossa__store_u32(original, pointer->added);
            ossa__store_u32(original + 4, 0);
            entry += ENTRY_SIZE;
            original += ENTRY_SIZE;
        }
    }
}

/* ---- the name ------------------------------------------------------------------------------ */

/* Is the text there the old name, alone or with an extension? */
static bool is_old_name(struct relink *r, uint64_t at)
{
    size_t stem = strlen(r->change->old_name);
    if (stem == 0 || !is_within(r, at, stem + 1) ||
        memcmp(r->old + at, r->change->old_name, stem) != 0) {
        return false;
    }
    uint64_t room = r->old_size - at - stem;
    const uint8_t *rest = r->old + at + stem;
    const uint8_t *nul = memchr(rest, 0, (size_t)(room < 64 ? room : 64));
    if (nul == NULL || (nul != rest && *rest != '.')) return false;
    r->stem_size = stem;
    r->name_size = stem + (size_t)(nul - rest);
    return true;
}

/* The name is a symbol that is exported. If it grows where it cannot, it stays as it is. */
static void insert_name(struct relink *r)
{
    const struct ossa__xff_change *change = r->change;
    const uint32_t *words = change->xff->words;
    uint32_t count = words[SYMBOL_COUNT];
    if (change->name == NULL) return;
    if (!is_within(r, words[SYMBOLS], (uint64_t)SYMBOL_SIZE * count)) return;
    for (uint32_t i = words[FIRST_GLOBAL], n = 0; i < count && n < MOST_SYMBOLS; i++, n++) {
        const uint8_t *symbol = r->old + words[SYMBOLS] + (uint64_t)SYMBOL_SIZE * i;
        bool is_exported = symbol[12] >> 4 != 0 && ossa__load_u16(symbol + 14) != 0;
        uint64_t at = (uint64_t)words[SYMBOL_STRINGS] + ossa__load_u32(symbol);
        if (!is_exported || !is_old_name(r, at)) continue;
        size_t size = strlen(change->name) + r->name_size - r->stem_size;
        uint64_t end = at + r->name_size;
        if (size > r->name_size) {
            if (!can_insert(r, end)) return;
            insert(r, end, size - r->name_size);
        }
        r->name_at = at;
        return;
    }
}

static void write_name(const struct relink *r)
{
    if (r->name_at == 0) return;
    uint8_t *text = r->image + moved(r, r->name_at);
    size_t size = strlen(r->change->name);
    size_t extension = r->name_size - r->stem_size;
    if (size + extension < r->name_size) memset(text, 0, r->name_size);
    memcpy(text, r->change->name, size);
    memcpy(text + size, r->old + r->name_at + r->stem_size, extension);
}

/* ---- the container ------------------------------------------------------------------------- */

static void store(const struct relink *r, uint64_t old_at, uint32_t value)
{
    ossa__store_u32(r->image + moved(r, old_at), value);
}

/* An offset and, where it is one, the address of the same thing. */
static void move_offset(const struct relink *r, uint64_t offset_at, uint64_t address_at)
{
    uint32_t offset = word_at(r->old, offset_at);
    if (offset > r->old_size) return;
    uint32_t now = (uint32_t)moved(r, offset);
    store(r, offset_at, now);
    if (word_at(r->old, address_at) == offset + ADDRESS_BASE) {
        store(r, address_at, now + ADDRESS_BASE);
    }
}

/* A position of a text in the table of texts at `strings`. Gives the new one. */
static uint32_t move_position(const struct relink *r, uint64_t at, uint64_t strings)
{
    uint32_t position = word_at(r->old, at);
    if (strings + position > r->old_size) return position;
    position = (uint32_t)(moved(r, strings + position) - moved(r, strings));
    store(r, at, position);
    return position;
}

static void write_sections(const struct relink *r, ossa_sotc_section *sections)
{
    const ossa_sotc_xff *xff = r->change->xff;
    for (uint32_t i = 0; i < xff->section_count; i++) {
        ossa_sotc_section *section = &sections[i];
        uint32_t *offset = &section->words[OSSA__XFF_SECTION_OFFSET];
        uint32_t *length = &section->words[OSSA__XFF_SECTION_LENGTH];
        uint64_t at = xff->words[OSSA__XFF_SECTIONS] + (uint64_t)OSSA__XFF_SECTION_SIZE * i;
        *section = xff->sections[i];
        section->name_position = move_position(r, xff->words[OSSA__XFF_NAME_POSITIONS] + 4ULL * i,
                                               xff->words[OSSA__XFF_STRINGS]);
        if (i == DATA_SECTION) *length += r->change->growth;
        /* The offset of a section without bytes may be anything. */
        bool has_bytes = i == DATA_SECTION || section->words[SECTION_TYPE] != NO_BITS;
        if (has_bytes && *offset <= r->old_size) *offset = (uint32_t)moved(r, *offset);
        store(r, at + 4ULL * OSSA__XFF_SECTION_LENGTH, *length);
        store(r, at + 4ULL * OSSA__XFF_SECTION_OFFSET, *offset);
    }
}

static void write_header(const struct relink *r, uint64_t added)
{
    /* of the eight tables, whose offsets are one after the other */
    static const uint8_t addresses[OFFSETS] = {8, 10, 11, 12, 13, 15, 17, 18};
    const uint32_t *words = r->change->xff->words;
    store(r, 4ULL * OSSA__XFF_SIZE, words[OSSA__XFF_SIZE] + (uint32_t)added);
    for (unsigned i = 0; i < OFFSETS; i++) {
        move_offset(r, 4ULL * (IMPORTS + i), 4ULL * addresses[i]);
    }
}

static void write_tables(const struct relink *r)
{
    const uint32_t *words = r->change->xff->words;
    for (uint32_t i = 0; i < words[RELOCATION_COUNT]; i++) {
        struct descriptor d = descriptor_at(r, i);
        move_offset(r, d.at + 20, d.at + 12);
        move_offset(r, d.at + 24, d.at + 16);
        if (i == r->descriptor) store(r, d.at + 4, d.count + r->fresh);
    }
    for (uint32_t i = 0; r->name_at > 0 && i < words[SYMBOL_COUNT]; i++) {
        (void)move_position(r, words[SYMBOLS] + (uint64_t)SYMBOL_SIZE * i, words[SYMBOL_STRINGS]);
    }
}

static void copy_pieces(const struct relink *r, uint64_t size)
{
    uint64_t from = 0;
    uint64_t to = 0;
    memset(r->image, 0, (size_t)size);
    for (unsigned i = 0; i <= r->count; i++) {
        uint64_t end = i < r->count ? r->inserted[i].at : r->old_size;
        memcpy(r->image + to, r->old + from, (size_t)(end - from));
        to += end - from + (i < r->count ? r->inserted[i].size : 0);
        from = end;
    }
}

/* What to insert, and where. A file that only gets another name may also keep the one it has. */
static bool plan(struct relink *r)
{
    const struct ossa__xff_change *change = r->change;
    const uint32_t *data = change->xff->sections[DATA_SECTION].words;
    uint64_t end = (uint64_t)data[OSSA__XFF_SECTION_OFFSET] + data[OSSA__XFF_SECTION_LENGTH];
    const char *fault = find_fault(r);
    if (fault != NULL) {
        bool must_move = change->growth > 0 || change->pointer_count > 0;
        return !must_move || refuse(r, "container.relocation_count", fault);
    }
    if (!sort_pointers(r)) return false;
    find_relocations(r);
    if (!insert_or_refuse(r, end, change->growth) || !insert_relocations(r)) return false;
    insert_name(r);
    return true;
}

/* The struct of the container, which has no gaps. */
static void describe(const struct relink *r, uint64_t size, ossa_sotc_section *sections,
                     ossa_sotc_xff *result)
{
    *result = *r->change->xff;
    for (unsigned i = 1; i < OSSA_SOTC_XFF_WORDS; i++) {
        result->words[i] = word_at(r->image, 4ULL * i);
    }
    result->sections = sections;
    result->image = r->image;
    result->image_size = size;
    result->gaps = NULL;
    result->gap_count = 0;
}

uint8_t *ossa__xff_relink(struct ossa__context *context, const struct ossa__xff_change *change,
                          ossa_sotc_xff *result)
{
    struct ossa__mark mark = ossa__scratch_mark(context);
    struct relink r = {.context = context,
                       .change = change,
                       .old = change->xff->image,
                       .old_size = change->xff->image_size};
    bool ok = plan(&r);
    uint64_t added = 0;
    for (unsigned i = 0; i < r.count; i++) added += r.inserted[i].size;
    uint64_t size = r.old_size + added;
    if (ok && size > UINT32_MAX) ok = refuse(&r, "container.size", "it is too large");
    ossa_sotc_section *sections =
        ok ? ossa__take(context, change->xff->section_count, sizeof *sections) : NULL;
    r.image = sections != NULL ? ossa__take(context, size, 1) : NULL;
    if (r.image != NULL) {
        copy_pieces(&r, size);
        write_sections(&r, sections);
        write_header(&r, added);
        if (r.order != NULL) {
            write_tables(&r);
            write_relocations(&r);
            write_name(&r);
        }
        describe(&r, size, sections, result);
    }
    ossa__scratch_release(context, mark);
    return r.image;
}
