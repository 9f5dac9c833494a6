/* SPDX-License-Identifier: MIT */
#include "mutate.h"

#include "base/bytes.h"

#include <string.h>

uint32_t fuzz_next(struct fuzz_random *random)
{
    uint32_t x = random->state == 0 ? 0x9e3779b9U : random->state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    random->state = x;
    return x;
}

uint32_t fuzz_below(struct fuzz_random *random, size_t count)
{
    return count == 0 ? 0 : fuzz_next(random) % (uint32_t)count;
}

/* ---- fields -------------------------------------------------------------------------------- */

static uint32_t hash(const char *text, size_t size)
{
    uint32_t sum = 2166136261U;
    for (size_t i = 0; i < size; i++) sum = (sum ^ (uint8_t)text[i]) * 16777619U;
    return sum == 0 ? 1 : sum;
}

static void keep_field(void *user, const ossa_field *field)
{
    struct fuzz_fields *fields = user;
    const char *open = strrchr(field->path, '[');
    const char *close = open == NULL ? NULL : strchr(open, ']');
    if (fields->count == sizeof fields->items / sizeof fields->items[0]) return;
    struct fuzz_field *kept = &fields->items[fields->count++];
    *kept = (struct fuzz_field){
        .offset = (size_t)field->offset, .size = (size_t)field->size, .type = field->type};
    if (close == NULL) return;
    kept->record = hash(field->path, (size_t)(close - field->path));
    kept->array = hash(field->path, (size_t)(open - field->path));
}

void fuzz_find_fields(const uint8_t *data, size_t size, struct fuzz_fields *fields)
{
    const ossa_options options = {
        .format = fuzz_format(), .max_input = 1 << 20, .on_field = keep_field, .user = fields};
    fields->count = 0;
    ossa_file_free(ossa_read(data, size, &options, NULL));
}

/* Make room for other bytes in place of some. */
static bool resize(uint8_t *data, size_t *size, size_t max_size, size_t at, size_t old_size,
                   size_t new_size)
{
    if (new_size > old_size && *size + (new_size - old_size) > max_size) return false;
    memmove(data + at + new_size, data + at + old_size, *size - at - old_size);
    *size = *size - old_size + new_size;
    return true;
}

/* ---- single fields ------------------------------------------------------------------------- */

/* A number at the edge of something: of its type, of the file, of what another field says. */
static uint32_t choose_number(const uint8_t *data, size_t size, const struct fuzz_fields *fields,
                              uint32_t old, struct fuzz_random *random)
{
    static const uint32_t edges[] = {0,          1,          2,          0x7f,       0x80,
                                     0xff,       0x100,      0x7fff,     0x8000,     0xffff,
                                     0x10000,    0x7fffffff, 0x80000000, 0xffffffff, 0x40000000,
                                     0x55555556, 0x3fffffff, 0x20000001, 0xfffffffe, 0xfffffff0};
    const struct fuzz_field *other = &fields->items[fuzz_below(random, fields->count)];
    uint32_t rest = fuzz_next(random);
    switch (fuzz_below(random, 8)) {
    case 0: return old + 1;
    case 1: return old - 1;
    case 2: return (uint32_t)size + rest % 3 - 1;
    case 3: return (uint32_t)(size - other->offset);
    case 4: return (uint32_t)(other->offset + rest % 2 * other->size);
    case 5: return other->size == 4 ? ossa__load_u32(data + other->offset) : rest % 256;
    case 6: return old ^ 1U << rest % 32;
    default: return edges[rest % (sizeof edges / sizeof edges[0])];
    }
}

static uint32_t choose_float(uint32_t old, struct fuzz_random *random)
{
    static const uint32_t edges[] = {0x7fc00000, 0x7f800000, 0xff800000, 0x80000000, 0x00000001,
                                     0x7f7fffff, 0xff7fffff, 0x3f800000, 0xbf800000, 0x00000000,
                                     0x3f7fffff, 0x4b800000, 0x5f000000, 0x00800000, 0xffc00000};
    uint32_t rest = fuzz_next(random);
    switch (fuzz_below(random, 4)) {
    case 0: return old ^ 0x80000000U;
    case 1: return old ^ 1U << rest % 32;
    default: return edges[rest % (sizeof edges / sizeof edges[0])];
    }
}

static void change_text(uint8_t *data, size_t *size, size_t max_size,
                        const struct fuzz_field *field, struct fuzz_random *random)
{
    static const char *const texts[] = {"",      "0",          "-1",     "1",    "nan", "1e38",
                                        "1e-45", "4294967295", "-0.5",   "..",   "\"",  "a",
                                        "\n",    "2147483648", "0x7fff", "1e999"};
    const char *text = texts[fuzz_below(random, sizeof texts / sizeof texts[0])];
    size_t length = strlen(text);
    if (fuzz_below(random, 4) == 0 || field->size > 64) {
        data[field->offset + fuzz_below(random, field->size)] = (uint8_t)fuzz_next(random);
    } else if (resize(data, size, max_size, field->offset, field->size, length)) {
        memcpy(data + field->offset, text, length);
    }
}

static void change_field(uint8_t *data, size_t *size, size_t max_size,
                         const struct fuzz_fields *fields, struct fuzz_random *random)
{
    /* The first fields are the headers, whose counts and offsets matter most. */
    size_t among = fuzz_below(random, 2) == 0 && fields->count > 32 ? 32 : fields->count;
    const struct fuzz_field *field = &fields->items[fuzz_below(random, among)];
    uint32_t old = 0;
    if (field->offset + field->size > *size) return; /* an earlier change cut it off */
    if (field->type == OSSA_FIELD_TYPE_TEXT || field->type == OSSA_FIELD_TYPE_TEXT_1251) {
        change_text(data, size, max_size, field, random);
        return;
    }
    size_t width = 4;
    if (field->size < width) width = field->size;
    size_t at = field->offset;
    if (field->size > 4) at += fuzz_below(random, field->size / 4) * 4U;
    for (size_t i = 0; i < width; i++) old |= (uint32_t)data[at + i] << 8 * i;
    uint32_t value = field->type == OSSA_FIELD_TYPE_F32
                         ? choose_float(old, random)
                         : choose_number(data, *size, fields, old, random);
    for (size_t i = 0; i < width; i++) data[at + i] = (uint8_t)(value >> 8 * i);
}

/* ---- records ------------------------------------------------------------------------------- */

struct range {
    size_t begin;
    size_t size;
    uint32_t array;
};

/* The fields around a random one that are of the same record; false: it is of none. */
static bool choose_record(const struct fuzz_fields *fields, size_t size, struct fuzz_random *random,
                          struct range *range)
{
    size_t first = fuzz_below(random, fields->count);
    uint32_t record = fields->count == 0 ? 0 : fields->items[first].record;
    size_t last = first;
    if (record == 0) return false;
    while (first > 0 && fields->items[first - 1].record == record) first--;
    while (last + 1 < fields->count && fields->items[last + 1].record == record) last++;
    size_t end = fields->items[last].offset + fields->items[last].size;
    *range =
        (struct range){.begin = fields->items[first].offset, .array = fields->items[last].array};
    range->size = end > range->begin ? end - range->begin : 0;
    return range->size > 0 && end <= size;
}

/* The field that says how many records there are, if one does, says so of one more or less. */
static void count_again(uint8_t *data, const struct fuzz_fields *fields, size_t before,
                        uint32_t array, bool is_more)
{
    uint32_t count = 0;
    for (size_t i = 0; i < fields->count; i++) {
        bool is_first = i == 0 || fields->items[i].record != fields->items[i - 1].record;
        if (fields->items[i].array == array && is_first) count++;
    }
    for (size_t i = 0; i < fields->count; i++) {
        const struct fuzz_field *field = &fields->items[i];
        uint8_t *at = data + field->offset;
        if (field->offset + field->size > before) return;
        if (field->size != 4 || ossa__load_u32(at) != count) continue;
        ossa__store_u32(at, is_more ? count + 1 : count - 1);
        return;
    }
}

static bool change_records(uint8_t *data, size_t *size, size_t max_size,
                           const struct fuzz_fields *fields, struct fuzz_random *random)
{
    struct range a;
    struct range b;
    if (!choose_record(fields, *size, random, &a)) return false;
    bool counts = fuzz_below(random, 4) != 0;
    switch (fuzz_below(random, 3)) {
    case 0: /* twice */
        if (!resize(data, size, max_size, a.begin, 0, a.size)) return false;
        memcpy(data + a.begin, data + a.begin + a.size, a.size);
        if (counts) count_again(data, fields, a.begin, a.array, true);
        return true;
    case 1: /* not at all */
        (void)resize(data, size, max_size, a.begin, a.size, 0);
        if (counts) count_again(data, fields, a.begin, a.array, false);
        return true;
    default: /* exchanged with another, or put in its place */
        if (!choose_record(fields, *size, random, &b) || a.begin == b.begin) return false;
        for (size_t i = 0; i < a.size && i < b.size; i++) {
            uint8_t byte = data[a.begin + i];
            data[a.begin + i] = data[b.begin + i];
            if (counts) data[b.begin + i] = byte;
        }
        return true;
    }
}

/* ---- libFuzzer's functions ----------------------------------------------------------------- */

static struct fuzz_fields fields_a; /* too large for the stack */
static struct fuzz_fields fields_b;

static size_t mutate_file(uint8_t *data, size_t size, size_t max_size, struct fuzz_random *random)
{
    unsigned choice = fuzz_below(random, 8);
    if (choice < 2 || size == 0) return LLVMFuzzerMutate(data, size, max_size);
    if (choice == 2) {
        size_t packed = fuzz_repack(data, size, max_size, random);
        if (packed > 0) return packed;
    }
    fuzz_find_fields(data, size, &fields_a);
    if (fields_a.count == 0) return LLVMFuzzerMutate(data, size, max_size);
    if (choice < 5 && change_records(data, &size, max_size, &fields_a, random)) return size;
    size_t times = 1 + fuzz_below(random, 3);
    for (size_t i = 0; i < times; i++) change_field(data, &size, max_size, &fields_a, random);
    return size;
}

/* Put a file back into its input. Returns the size of that, or 0 if it does not fit. */
static size_t put_back(uint8_t *data, size_t size, size_t max_size, struct fuzz_part part,
                       const uint8_t *file, size_t file_size)
{
    bool is_last = part.begin + part.size == size;
    if (part.begin > 0 && !is_last && file_size > UINT16_MAX) return 0;
    if (!resize(data, &size, max_size, part.begin, part.size, file_size)) return 0;
    if (file_size > 0) memcpy(data + part.begin, file, file_size);
    if (part.begin >= 2) {
        data[part.begin - 2] = (uint8_t)file_size;
        data[part.begin - 1] = (uint8_t)(file_size >> 8);
    }
    return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    struct fuzz_random random = {seed};
    struct fuzz_part part = fuzz_choose_part(data, size, fuzz_next(&random));
    if (part.begin == 0) return mutate_file(data, size, max_size, &random);
    if (fuzz_below(&random, 3) == 0) return LLVMFuzzerMutate(data, size, max_size);
    size_t room = max_size - (size - part.size);
    uint8_t *file = malloc(room + 1);
    REQUIRE(file != NULL, "no memory");
    memcpy(file, data + part.begin, part.size);
    size_t file_size = mutate_file(file, part.size, room, &random);
    size_t new_size = put_back(data, size, max_size, part, file, file_size);
    free(file);
    return new_size > 0 ? new_size : LLVMFuzzerMutate(data, size, max_size);
}

/* The start of one file and the end of another, cut between fields; or a record of one that has
 * those of the other. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t max_size, unsigned seed)
{
    struct fuzz_random random = {seed};
    struct fuzz_part from = fuzz_choose_part(a, a_size, fuzz_next(&random));
    struct fuzz_part to = fuzz_choose_part(b, b_size, fuzz_next(&random));
    struct range into = {0};
    struct range taken = {0};
    if (a_size > max_size) return 0;
    if (a_size > 0) memcpy(out, a, a_size);
    if (from.begin > 0 || to.begin > 0) {
        size_t size = put_back(out, a_size, max_size, from, b + to.begin, to.size);
        return size > 0 ? size : a_size;
    }
    fuzz_find_fields(a, a_size, &fields_a);
    fuzz_find_fields(b, b_size, &fields_b);
    if (fields_a.count == 0 || fields_b.count == 0) return a_size;
    if (choose_record(&fields_a, a_size, &random, &into)) {
        for (unsigned i = 0; i < 16 && taken.array != into.array; i++) {
            if (!choose_record(&fields_b, b_size, &random, &taken)) taken.size = 0;
        }
    }
    if (taken.size == 0 || taken.array != into.array || fuzz_below(&random, 2) == 0) {
        into.begin = fields_a.items[fuzz_below(&random, fields_a.count)].offset;
        into.size = a_size - into.begin;
        taken.begin = fields_b.items[fuzz_below(&random, fields_b.count)].offset;
        taken.size = b_size - taken.begin;
    }
    if (resize(out, &a_size, max_size, into.begin, into.size, taken.size)) {
        memcpy(out + into.begin, b + taken.begin, taken.size);
    }
    return a_size;
}
