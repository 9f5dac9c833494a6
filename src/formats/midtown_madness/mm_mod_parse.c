/* SPDX-License-Identifier: MIT
 *
 * Parses the text of an mm-mod into lists. The words in the text, not the counts it states, bound
 * the allocations; the parser never goes back, and nothing nests. */
#include "formats/midtown_madness/mm_mod_parse.h"

#include "formats/midtown_madness/mm_words.h"

#include <inttypes.h>
#include <string.h>

const char *const ossa__mod_count_words[OSSA_MM_LIST_COUNT] = {
    "verts",     "normals",  "colors",     "tex1s",    "tex2s",  "tangents",
    "materials", "adjuncts", "primitives", "matrices", "reskins"};

/* Lists of numbers: a row is a word and `width` numbers. */
enum { VERTICES, NORMALS, COLOURS, TEX1S, TEX2S, ROWS };
static const struct row {
    const char *word;
    const char *list;
    unsigned width;
    const char *members[4];
} rows[ROWS] = {{"v", "vertices", 3, {"x", "y", "z"}},
                {"n", "normals", 3, {"x", "y", "z"}},
                {"c", "colours", 4, {"red", "green", "blue", "alpha"}},
                {"t1", "tex1s", 2, {"s", "t"}},
                {"t2", "tex2s", 2, {"s", "t"}}};

static const char *const primitive_words[3] = {"tri", "str", "stp"};

struct parser {
    struct ossa__words words;
    struct ossa__mod_text *out;
    float *numbers[ROWS];
    uint32_t row_counts[ROWS];
    ossa_mm_material *materials;
    ossa_mm_packet *packets;
    ossa_mm_adjunct *adjuncts;
    ossa_mm_primitive *primitives;
    uint32_t *integers; /* lists of varying length: indices of primitives, matrices of packets,
                           mtxv, mtxn */
    uint64_t integer_count;
};

/* ---- room ---------------------------------------------------------------------------------- */

/* How often each word occurs in the text: an upper bound for the length of its list. */
struct census {
    uint64_t rows[ROWS];
    uint64_t materials;
    uint64_t packets;
    uint64_t adjuncts;
    uint64_t primitives;
    uint64_t all;
};

/* Where a token may begin or end. Words in comments are counted too: the name of a material may
 * contain a #, and then the rest of its line is not a comment. A word may begin right after the
 * closing quote of a name. */
static bool is_separator(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0' || c == '{' || c == '}' || c == '"';
}

static void count_word(const struct ossa__words *word, struct census *census)
{
    census->all++;
    if (word->text[word->token.begin] <= '9') return; /* most are numbers, and no key begins so */
    for (unsigned i = 0; i < ROWS; i++) {
        if (ossa__words_is_key(word, rows[i].word)) census->rows[i]++;
    }
    for (unsigned i = 0; i < 3; i++) {
        if (ossa__words_is_key(word, primitive_words[i])) census->primitives++;
    }
    if (ossa__words_is_key(word, "mtl")) census->materials++;
    if (ossa__words_is_key(word, "packet")) census->packets++;
    if (ossa__words_is_key(word, "adj")) census->adjuncts++;
}

static void count_words(struct ossa__words words, struct census *census)
{
    *census = (struct census){0};
    for (uint64_t at = 0; at < words.size; at = words.token.end + 1) {
        words.token = (struct ossa__mm_token){at, at};
        while (words.token.end < words.size && !is_separator(words.text[words.token.end])) {
            words.token.end++;
        }
        if (words.token.end > at) count_word(&words, census);
    }
}

static bool take_room(struct parser *parser)
{
    struct ossa__context *context = parser->words.context;
    struct census census;
    count_words(parser->words, &census);
    for (unsigned i = 0; i < ROWS; i++) {
        parser->numbers[i] = ossa__take(context, census.rows[i], rows[i].width * sizeof(float));
    }
    parser->materials = ossa__take(context, census.materials, sizeof *parser->materials);
    parser->packets = ossa__take(context, census.packets, sizeof *parser->packets);
    parser->adjuncts = ossa__take(context, census.adjuncts, sizeof *parser->adjuncts);
    parser->primitives = ossa__take(context, census.primitives, sizeof *parser->primitives);
    parser->integers = ossa__take(context, census.all, sizeof *parser->integers);
    parser->out = ossa__take(context, 1, sizeof *parser->out);
    if (parser->out == NULL) return false;
    *parser->out = (struct ossa__mod_text){
        .mod = {.text = parser->words.text, .text_size = (size_t)parser->words.size}};
    parser->out->packet_counts = ossa__take(context, census.packets, 3 * sizeof(uint32_t));
    parser->out->holds_rows = ossa__take(context, census.materials, 1);
    return parser->out->holds_rows != NULL;
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* Words that belong to no rule are kept as one field, with a warning. */
static void skip_words(struct parser *parser, bool (*is_known)(const struct ossa__words *words))
{
    struct ossa__words *words = &parser->words;
    struct ossa__mm_token first = words->token;
    uint32_t count = ossa__words_skip(words, "extra", is_known);
    ossa__issue(words->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, first.begin,
                "extra", "'%s' is unknown (%" PRIu32 " words in all); it is kept and ignored",
                ossa__show_piece(words->text + first.begin, first.end - first.begin).text, count);
}

/* All whole numbers that follow, or exactly `most` of them. */
static bool read_integers(struct parser *parser, const char *list, uint64_t most,
                          const uint32_t **values, uint32_t *count)
{
    struct ossa__words *words = &parser->words;
    uint32_t *first = parser->integers + parser->integer_count;
    *values = first;
    *count = 0;
    while (*count < most && (most != UINT64_MAX || ossa__words_at_number(words))) {
        ossa__enter(words->context, list, *count);
        bool ok = ossa__words_read_count(words, "", &first[*count]);
        ossa__leave(words->context);
        if (!ok) return false;
        (*count)++;
        parser->integer_count++;
    }
    return true;
}

static bool read_row(struct parser *parser, unsigned kind)
{
    const struct row *row = &rows[kind];
    uint64_t index = parser->row_counts[kind]++;
    ossa__words_advance(&parser->words);
    ossa__enter(parser->words.context, row->list, index);
    bool ok = ossa__words_read_floats(&parser->words, row->members, row->width,
                                      parser->numbers[kind] + index * row->width);
    ossa__leave(parser->words.context);
    return ok;
}

/* `adj` and its indices: five, or six in a packet that has slots, or six in version 1.06, where the
 * last is the material. */
static bool read_adjunct(struct parser *parser, uint64_t index, bool in_packet)
{
    enum { INDICES = 6, LAST = INDICES - 1 };
    const char *const members[INDICES] = {"vertex", "normal", "colour",
                                          "tex1",   "tex2",   in_packet ? "slot" : "material"};
    struct ossa__words *words = &parser->words;
    ossa_mm_adjunct *adjunct = &parser->adjuncts[parser->out->mod.adjunct_count];
    int32_t *const values[INDICES] = {
        &adjunct->vertex, &adjunct->normal, &adjunct->colour,
        &adjunct->tex1,   &adjunct->tex2,   in_packet ? &adjunct->slot : &adjunct->material};
    *adjunct = (ossa_mm_adjunct){.slot = -1, .material = -1, .at = (uint32_t)words->token.begin};
    ossa__words_advance(words);
    ossa__enter(words->context, "adjuncts", index);
    bool ok = true;
    for (unsigned i = 0; ok && i < INDICES; i++) {
        if (i == LAST && !ossa__words_at_number(words)) break;
        ok = ossa__words_read_index(words, members[i], values[i]);
    }
    ossa__leave(words->context);
    if (ok) parser->out->mod.adjunct_count++;
    return ok;
}

static bool at_primitive(const struct ossa__words *words, ossa_mm_primitive_kind *kind)
{
    for (unsigned i = 0; i < 3; i++) {
        *kind = (ossa_mm_primitive_kind)i;
        if (ossa__words_is_key(words, primitive_words[i])) return true;
    }
    return false;
}

/* `tri` and three indices, or a strip: a count and that many indices. */
static bool read_primitive(struct parser *parser, ossa_mm_primitive_kind kind, uint64_t index)
{
    struct ossa__words *words = &parser->words;
    ossa_mm_primitive *primitive = &parser->primitives[parser->out->mod.primitive_count];
    *primitive = (ossa_mm_primitive){.kind = kind, .at = (uint32_t)words->token.begin};
    uint32_t count = 3;
    ossa__words_advance(words);
    ossa__enter(words->context, "primitives", index);
    bool ok =
        kind == OSSA_MM_PRIMITIVE_KIND_TRIANGLE || ossa__words_read_count(words, "count", &count);
    ok =
        ok && read_integers(parser, "indices", count, &primitive->indices, &primitive->index_count);
    ossa__leave(words->context);
    if (ok) parser->out->mod.primitive_count++;
    return ok;
}

/* ---- packets ------------------------------------------------------------------------------- */

static bool is_packet_word(const struct ossa__words *words)
{
    ossa_mm_primitive_kind kind;
    return ossa__words_is_key(words, "adj") || ossa__words_is_key(words, "mtx") ||
           at_primitive(words, &kind);
}

static bool read_packet_line(struct parser *parser, ossa_mm_packet *packet)
{
    struct ossa__words *words = &parser->words;
    ossa_mm_primitive_kind kind;
    if (ossa__words_is_key(words, "adj"))
        return read_adjunct(parser, packet->adjunct_count++, true);
    if (at_primitive(&parser->words, &kind)) {
        return read_primitive(parser, kind, packet->primitive_count++);
    }
    if (ossa__words_is_key(words, "mtx") && packet->matrix_count == 0) {
        ossa__words_advance(words);
        return read_integers(parser, "matrices", UINT64_MAX, &packet->matrices,
                             &packet->matrix_count);
    }
    if (ossa__words_at_end(words)) return ossa__words_refuse(words, "", "'}'");
    if (ossa__words_is_key(words, "{"))
        return ossa__words_refuse(words, "", "a line of the packet or '}'");
    skip_words(parser, is_packet_word);
    return true;
}

/* `packet`, its three counts (four from version 1.10 on), and its lines. */
static bool read_packet(struct parser *parser)
{
    static const char *const fields[3] = {"adjunct_count", "primitive_count", "matrix_count"};
    struct ossa__words *words = &parser->words;
    ossa_mm_mod *mod = &parser->out->mod;
    uint32_t index = mod->packet_count;
    uint32_t *counts = parser->out->packet_counts + 3 * (size_t)index;
    ossa_mm_packet *packet = &parser->packets[index];
    uint32_t reskins;
    *packet = (ossa_mm_packet){.material = -1,
                               .adjuncts = parser->adjuncts + mod->adjunct_count,
                               .primitives = parser->primitives + mod->primitive_count,
                               .matrices = parser->integers,
                               .at = (uint32_t)words->token.begin};
    ossa__enter(words->context, "packets", index);
    ossa__words_advance(words);
    bool ok = true;
    for (unsigned i = 0; ok && i < 3; i++)
        ok = ossa__words_read_count(words, fields[i], &counts[i]);
    if (ok && ossa__words_at_number(words)) ok = ossa__words_read_count(words, "reskins", &reskins);
    ok = ok && ossa__words_open(words);
    while (ok && !ossa__words_is_key(words, "}")) ok = read_packet_line(parser, packet);
    ossa__leave(words->context);
    if (!ok) return false;
    ossa__words_advance(words);
    mod->packet_count++;
    return true;
}

static bool read_loose_line(struct parser *parser)
{
    struct ossa__mod_text *out = parser->out;
    ossa_mm_primitive_kind kind;
    uint32_t at = (uint32_t)parser->words.token.begin;
    if (ossa__words_is_key(&parser->words, "adj")) {
        if (out->loose_at == 0) out->loose_at = at;
        return read_adjunct(parser, out->mod.adjunct_count, false);
    }
    if (!at_primitive(&parser->words, &kind)) return false;
    if (out->loose_at == 0) out->loose_at = at;
    return read_primitive(parser, kind, out->mod.primitive_count);
}

/* ---- materials ----------------------------------------------------------------------------- */

enum { MATERIAL_COLOURS = 3, MATERIAL_COUNTS = 3 };
static const char *const colour_words[MATERIAL_COLOURS] = {"ambient", "diffuse", "specular"};
static const char *const group_words[MATERIAL_COUNTS] = {"packets", "adjuncts", "primitives"};

static bool is_material_word(const struct ossa__words *words)
{
    static const char *const others[] = {"textures",   "texture", "texture1", "texture2", "illum",
                                         "attributes", "float",   "int",      "adj",      "tri",
                                         "str",        "stp",     "packet"};
    for (unsigned i = 0; i < MATERIAL_COLOURS; i++) {
        if (ossa__words_is_key(words, colour_words[i])) return true;
        if (ossa__words_is_key(words, group_words[i])) return true;
    }
    for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (ossa__words_is_key(words, others[i])) return true;
    }
    return false;
}

/* `texture: 0 NAME`: the first one is kept. */
static bool read_texture(struct ossa__words *words, ossa_mm_material *material)
{
    uint32_t number;
    const char *name;
    uint32_t size;
    ossa__words_advance(words);
    if (!ossa__words_read_count(words, "texture_number", &number)) return false;
    if (!ossa__words_read_name(words, "texture", &name, &size)) return false;
    if (material->texture_size == 0) {
        material->texture = name;
        material->texture_size = size;
    }
    return true;
}

/* `texture1: NAME` of version 1.06; `none` and an empty line mean that there is none. */
static bool read_old_texture(struct ossa__words *words, const char *field, const char **name,
                             uint32_t *size)
{
    uint64_t key_end = words->token.end;
    const char *found;
    uint32_t found_size;
    ossa__words_advance(words);
    bool is_on_line =
        ossa__words_at_word(words) &&
        memchr(words->text + key_end, '\n', (size_t)(words->token.begin - key_end)) == NULL;
    if (!is_on_line) return true;
    bool is_none = ossa__words_is(words, "none");
    if (!ossa__words_read_name(words, field, &found, &found_size)) return false;
    if (is_none || *size > 0) return true;
    *name = found;
    *size = found_size;
    return true;
}

/* A line of version 1.10, such as `float shininess: 0.5`: two more words. */
static bool read_attribute(struct ossa__words *words)
{
    const char *name;
    uint32_t size;
    ossa__words_advance(words);
    return ossa__words_read_name(words, "attribute", &name, &size) &&
           ossa__words_read_name(words, "attribute_value", &name, &size);
}

static bool read_material_line(struct parser *parser, ossa_mm_material *material)
{
    struct ossa__words *words = &parser->words;
    static const char *const members[3][3] = {{"ambient.red", "ambient.green", "ambient.blue"},
                                              {"diffuse.red", "diffuse.green", "diffuse.blue"},
                                              {"specular.red", "specular.green", "specular.blue"}};
    float *const colours[MATERIAL_COLOURS] = {material->ambient, material->diffuse,
                                              material->specular};
    uint32_t *const counts[MATERIAL_COUNTS] = {&material->packet_count, &material->adjunct_count,
                                               &material->primitive_count};
    for (unsigned i = 0; i < MATERIAL_COLOURS; i++) {
        if (!ossa__words_is_key(words, colour_words[i])) continue;
        ossa__words_advance(words);
        return ossa__words_read_floats(words, members[i], 3, colours[i]);
    }
    for (unsigned i = 0; i < MATERIAL_COUNTS; i++) {
        if (!ossa__words_is_key(words, group_words[i])) continue;
        ossa__words_advance(words);
        return ossa__words_read_count(words, group_words[i], counts[i]);
    }
    if (ossa__words_is_key(words, "texture")) return read_texture(words, material);
    if (ossa__words_is_key(words, "texture1")) {
        return read_old_texture(words, "texture1", &material->texture, &material->texture_size);
    }
    if (ossa__words_is_key(words, "texture2")) {
        return read_old_texture(words, "texture2", &material->texture2, &material->texture2_size);
    }
    if (ossa__words_is_key(words, "float") || ossa__words_is_key(words, "int"))
        return read_attribute(words);
    if (ossa__words_is_key(words, "textures") || ossa__words_is_key(words, "attributes")) {
        const char *field = ossa__words_is_key(words, "textures") ? "textures" : "attributes";
        uint32_t count;
        ossa__words_advance(words);
        return ossa__words_read_count(words, field, &count);
    }
    if (ossa__words_is_key(words, "illum")) {
        ossa__words_advance(words);
        return ossa__words_read_name(words, "illum", &material->illum, &material->illum_size);
    }
    if (ossa__words_is_key(words, "{"))
        return ossa__words_refuse(words, "", "a line of the material or '}'");
    skip_words(parser, is_material_word);
    return true;
}

/* What may also be inside the braces of a material. False if it is something else, or after a
 * failure. */
static bool read_grouped(struct parser *parser)
{
    if (ossa__words_is_key(&parser->words, "packet")) return read_packet(parser);
    return read_loose_line(parser);
}

/* `mtl NAME {`, lines in any order, and `}`; false after a failure. */
static bool read_braces(struct parser *parser, ossa_mm_material *material)
{
    struct ossa__words *words = &parser->words;
    *material = (ossa_mm_material){.texture = "",
                                   .texture2 = "",
                                   .illum = "",
                                   .diffuse = {1.0F, 1.0F, 1.0F},
                                   .at = (uint32_t)words->token.begin};
    ossa__enter(words->context, "materials", parser->out->mod.material_count);
    ossa__words_advance(words);
    bool ok = ossa__words_read_title(words, "name", &material->name, &material->name_size) &&
              ossa__words_open(words);
    while (ok && !ossa__words_is_key(words, "}")) {
        if (ossa__words_at_end(words)) ok = ossa__words_refuse(words, "", "'}'");
        else if (!read_grouped(parser))
            ok = !words->context->failed && read_material_line(parser, material);
    }
    ossa__leave(words->context);
    if (ok) ossa__words_advance(words);
    return ok;
}

/* A material and its contents, which it need not count. */
static void read_material(struct parser *parser)
{
    ossa_mm_mod *mod = &parser->out->mod;
    ossa_mm_material *material = &parser->materials[mod->material_count];
    uint32_t adjuncts = mod->adjunct_count;
    uint32_t primitives = mod->primitive_count;
    uint32_t packets = mod->packet_count;
    if (!read_braces(parser, material)) return;
    packets = mod->packet_count - packets;
    adjuncts = mod->adjunct_count - adjuncts;
    primitives = mod->primitive_count - primitives;
    if (material->packet_count == 0) material->packet_count = packets;
    if (material->primitive_count == 0) material->primitive_count = primitives;
    if (material->adjunct_count == 0 && packets == 0) material->adjunct_count = adjuncts;
    parser->out->holds_rows[mod->material_count++] = packets == 0 && adjuncts > 0;
}

/* ---- the text ------------------------------------------------------------------------------ */

static bool is_top_word(const struct ossa__words *words)
{
    static const char *const others[] = {"mtl", "packet", "mtxv", "mtxn"};
    for (unsigned i = 0; i < ROWS; i++) {
        if (ossa__words_is_key(words, rows[i].word)) return true;
    }
    for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (ossa__words_is_key(words, others[i])) return true;
    }
    for (unsigned i = 0; i < OSSA_MM_LIST_COUNT; i++) {
        if (ossa__words_is_key(words, ossa__mod_count_words[i])) return true;
    }
    return is_packet_word(words);
}

/* `version: 1.09`, with which every model begins. */
static bool read_version(struct parser *parser)
{
    struct ossa__words *words = &parser->words;
    ossa_mm_mod *mod = &parser->out->mod;
    if (!ossa__words_is_key(words, "version"))
        return ossa__words_refuse(words, "version", "version:");
    ossa__words_advance(words);
    struct ossa__mm_token token = words->token;
    bool is_text = token.end - token.begin >= 2 && words->text[token.begin] == '1' &&
                   words->text[token.begin + 1] == '.';
    if (!is_text) {
        return ossa__words_refuse(
            words, "version",
            "1.06 to 1.10; from 2.00 on meshes are binary, and Ossa does not read those");
    }
    mod->version = words->text + token.begin;
    mod->version_size = (uint32_t)(token.end - token.begin);
    static const char *const known[] = {"1.06", "1.07", "1.08", "1.09", "1.10"};
    bool is_known = false;
    for (unsigned i = 0; i < 5; i++) {
        is_known = is_known || ossa__mm_is_word(words->text, token, known[i]);
    }
    if (!is_known) {
        ossa__issue(words->context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, token.begin,
                    "version", "'%s', expected 1.06 to 1.10",
                    ossa__show_piece(mod->version, mod->version_size).text);
    }
    ossa__words_take(words, "version");
    return true;
}

/* `verts: 3` and so on. False if it is something else, or after a failure. */
static bool read_head_line(struct parser *parser)
{
    struct ossa__words *words = &parser->words;
    for (unsigned i = 0; i < OSSA_MM_LIST_COUNT; i++) {
        if (!ossa__words_is_key(words, ossa__mod_count_words[i])) continue;
        ossa__words_advance(words);
        parser->out->count_at[i] = (uint32_t)words->token.begin;
        return ossa__words_read_count(words, ossa__mod_count_words[i],
                                      &parser->out->mod.declared[i]);
    }
    return false;
}

/* The number of vertices or normals per bone; only the first such row is used. */
static bool read_shares(struct parser *parser, const char *word, const uint32_t **values,
                        uint32_t *count, uint32_t *at)
{
    if (!ossa__words_is_key(&parser->words, word) || *at != 0) return false;
    *at = (uint32_t)parser->words.token.begin;
    ossa__words_advance(&parser->words);
    return read_integers(parser, word, UINT64_MAX, values, count);
}

/* One item at the top level. Every call consumes a token or fails. */
static void read_line(struct parser *parser)
{
    struct ossa__words *words = &parser->words;
    ossa_mm_mod *mod = &parser->out->mod;
    for (unsigned i = 0; i < ROWS; i++) {
        if (!ossa__words_is_key(words, rows[i].word)) continue;
        (void)read_row(parser, i);
        return;
    }
    if (ossa__words_is_key(words, "mtl")) {
        read_material(parser);
        return;
    }
    if (ossa__words_is_key(words, "packet")) {
        (void)read_packet(parser);
        return;
    }
    if (read_head_line(parser) || read_loose_line(parser) || words->context->failed) return;
    if (read_shares(parser, "mtxv", &mod->mtxv, &mod->mtxv_count, &parser->out->mtxv_at) ||
        read_shares(parser, "mtxn", &mod->mtxn, &mod->mtxn_count, &parser->out->mtxn_at) ||
        words->context->failed) {
        return;
    }
    if (ossa__words_at_brace(words)) {
        (void)ossa__words_refuse(words, "", "a row, mtl or packet");
        return;
    }
    skip_words(parser, is_top_word);
}

static void hand_over(struct parser *parser)
{
    ossa_mm_mod *mod = &parser->out->mod;
    mod->vertex_count = parser->row_counts[VERTICES];
    mod->normal_count = parser->row_counts[NORMALS];
    mod->colour_count = parser->row_counts[COLOURS];
    mod->tex1_count = parser->row_counts[TEX1S];
    mod->tex2_count = parser->row_counts[TEX2S];
    mod->vertices = (const float(*)[3])parser->numbers[VERTICES];
    mod->normals = (const float(*)[3])parser->numbers[NORMALS];
    mod->colours = (const float(*)[4])parser->numbers[COLOURS];
    mod->tex1s = (const float(*)[2])parser->numbers[TEX1S];
    mod->tex2s = (const float(*)[2])parser->numbers[TEX2S];
    mod->materials = parser->materials;
    mod->packets = parser->packets;
    mod->adjuncts = parser->adjuncts;
    mod->primitives = parser->primitives;
    mod->has_packets = mod->packet_count > 0;
}

struct ossa__mod_text *ossa__mod_parse(struct ossa__context *context, const uint8_t *data,
                                       uint64_t size)
{
    struct parser parser = {.out = NULL};
    ossa__words_start(&parser.words, context, data, size);
    if (!take_room(&parser) || !read_version(&parser)) return NULL;
    while (!context->failed && !ossa__words_at_end(&parser.words)) read_line(&parser);
    if (context->failed) return NULL;
    ossa__words_finish(&parser.words);
    hand_over(&parser);
    return parser.out;
}
