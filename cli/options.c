/* SPDX-License-Identifier: MIT
 *
 * The options of all verbs, and the parser. A verb lists the options that it takes. */
#include "cli.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct option {
    const char *name;  /* without the dashes; several rows if its meaning depends on the verb */
    char letter;       /* 0: none */
    const char *value; /* what the value is called; NULL: a flag */
    const char *verbs; /* that take it, separated by spaces */
    const char *help;

    size_t field; /* offset in struct cli: of a bool for a flag, else of what is below */
    size_t flag;  /* offset of a bool that becomes `flag_value`, too; 0: none */
    bool flag_value;
    const char *words; /* the value is one of these; the field is an enum in the same order */
    unsigned first;    /* value of the first of them */
    double least;      /* the value is a number of this range; the field is a double */
    double most;
    bool is_whole; /* the field is a uint32_t */
    bool is_list;  /* it may be repeated; the field is struct words */
    bool (*set)(struct cli *cli, const char *value); /* NULL: set the field, by default as text */
};

/* ---- values -------------------------------------------------------------------------------- */

static bool parse_number(const struct option *option, const char *value, void *field)
{
    char *end;
    double number = strtod(value, &end);
    if (end == value || *end != '\0' || !(number >= option->least && number <= option->most)) {
        complain("--%s: '%s' is not a number from %.10g to %.10g", option->name, value,
                 option->least, option->most);
        return false;
    }
    if (!option->is_whole) {
        *(double *)field = number;
        return true;
    }
    uint32_t *whole = field;
    *whole = (uint32_t)number;
    if ((double)*whole == number) return true;
    complain("--%s: '%s' is not a whole number", option->name, value);
    return false;
}

/* The place of a word in a list of them, separated by spaces; -1: it is not in it. */
static int find_word(const char *list, const char *word)
{
    size_t size = strlen(word);
    for (int place = 0;; place++) {
        size_t length = strcspn(list, " ");
        if (length == size && memcmp(list, word, size) == 0) return place;
        if (list[length] == '\0') return -1;
        list += length + 1;
    }
}

static bool parse_word(const struct option *option, const char *value, void *field)
{
    int place = find_word(option->words, value);
    if (place < 0) {
        complain("--%s: '%s' is not one of: %s", option->name, value, option->words);
        return false;
    }
    unsigned number = option->first + (unsigned)place;
    memcpy(field, &number, sizeof number);
    return true;
}

static bool set_format(struct cli *cli, const char *value)
{
    cli->read.format = value;
    if (ossa_format_find(value) != NULL) return true;
    complain("unknown format '%s'; `ossa formats` lists them", value);
    return false;
}

static bool set_dialect(struct cli *cli, const char *value)
{
    cli->read.dialect = value;
    for (int d = OSSA_MM_DIALECT_MM1; d <= OSSA_MM_DIALECT_RETAIL; d++) {
        if (strcmp(value, ossa_mm_dialect_name((ossa_mm_dialect)d)) == 0) return true;
    }
    complain("unknown dialect '%s': use mm1, legacy, documented or retail", value);
    return false;
}

static bool set_archive_dialect(struct cli *cli, const char *value)
{
    cli->read.dialect = value;
    for (int k = OSSA_MM_AR_KIND_ARES; k <= OSSA_MM_AR_KIND_ZIP; k++) {
        if (strcmp(value, ossa_mm_ar_kind_name((ossa_mm_ar_kind)k)) == 0) return true;
    }
    complain("unknown dialect '%s': use ares, dave or zip", value);
    return false;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A number of bytes; K, M and G stand for powers of 1024. */
static bool set_max_size(struct cli *cli, const char *value)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);
    bool is_huge = errno != 0;
    unsigned shift = 0;
    if (*end == 'K') shift = 10;
    else if (*end == 'M') shift = 20;
    else if (*end == 'G') shift = 30;
    bool is_number = is_digit(value[0]) && end[shift > 0 ? 1 : 0] == '\0';
    if (!is_number || is_huge || number == 0 || number > UINT64_MAX >> shift) {
        complain("'%s' is not a size; use a number, optionally followed by K, M or G", value);
        return false;
    }
    cli->read.max_input = (uint64_t)number << shift;
    return true;
}

static bool set_output(struct cli *cli, const char *value)
{
    cli->output = value;
    if (value[0] != '\0') return true;
    complain("the name after -o is empty");
    return false;
}

enum { MOST_SHARDS = 1000000 };

bool read_shard(const char *text, struct shard *shard)
{
    char *slash;
    char *end;
    if (!is_digit(text[0])) return false;
    unsigned long long number = strtoull(text, &slash, 10);
    if (*slash != '/' || !is_digit(slash[1])) return false;
    unsigned long long count = strtoull(slash + 1, &end, 10);
    *shard = (struct shard){(uint32_t)number, (uint32_t)count};
    return *end == '\0' && number >= 1 && number <= count && count <= MOST_SHARDS;
}

static bool set_shard(struct cli *cli, const char *value)
{
    if (read_shard(value, &cli->shard)) return true;
    complain("--shard: '%s' is not K/N, such as 2/5, with K from 1 to N and N from 1 to %d", value,
             MOST_SHARDS);
    return false;
}

static bool set_complexion(struct cli *cli, const char *value)
{
    bool fine = true;
    for (unsigned i = 0; fine && i < 3; i++) {
        char *end;
        double number = strtod(value, &end);
        fine = end != value && *end == (i < 2 ? ',' : '\0') && number >= 0.0 && number <= 1.0;
        cli->ei.complexion[i] = (float)number;
        value = end + 1;
    }
    cli->ei.has_complexion = true;
    if (!fine) complain("--complexion needs three numbers from 0 to 1, such as 0.25,0.5,0.75");
    return fine;
}

static bool set_texture(struct cli *cli, const char *value)
{
    cli->texture = value;
    cli->ei.texture = value;
    return true;
}

static void add_word(struct words *words, const char *value)
{
    words->items = make_room(words->items, words->count, sizeof *words->items);
    words->items[words->count++] = value;
}

/* A path from the command line, or the files that it stands for where the shell leaves patterns to
 * programs. */
static void add_path(struct cli *cli, struct words *words, const char *path)
{
    size_t first = cli->matches.count;
    bool is_own_pattern = cli->verb->has_patterns && words->count > 0;
    if (is_own_pattern || !os_find_matches(path, &cli->matches)) add_word(words, path);
    for (size_t i = first; i < cli->matches.count; i++) add_word(words, cli->matches.items[i]);
}

/* The originals follow, too: they are the inputs after it. */
static bool set_over(struct cli *cli, const char *value)
{
    add_path(cli, &cli->over, value);
    return true;
}

/* ---- the table ----------------------------------------------------------------------------- */

#define FIELD(name) .field = offsetof(struct cli, name)
#define READING     "info check fields dump pose convert import"
#define SCENES      "pose convert import view"

static const struct option options[] = {
    {"format", 0, "ID", READING, "read the files as this format; `ossa formats` lists them",
     .set = set_format},
    {"format", 0, "ID", "list extract",
     "read the archive as this format; `ossa formats` lists them", .set = set_format},
    {"format", 0, "ID", "pack", "the kind of archive; `ossa formats` lists them",
     .set = set_format},
    {"dialect", 0, "NAME", READING, "Midtown Madness dialect: mm1, legacy, documented or retail",
     .set = set_dialect},
    {"dialect", 0, "NAME", "pack",
     "Midtown Madness archive: ares, dave or zip; otherwise as it was, or zip",
     .set = set_archive_dialect},
    {"strict", 0, NULL, "info check fields dump build", "treat warnings as errors",
     FIELD(read.strict)},
    {"strict", 0, NULL, "pose convert import", "refuse warnings, and leave nothing out",
     FIELD(read.strict)},
    {"json", 0, NULL, "info check fields pose import diff list formats", "print JSON, for programs",
     FIELD(json)},
    {"pretty", 0, NULL, "dump", "indent the JSON", FIELD(pretty)},
    {"pretty", 0, NULL, "convert", "indent a .json output", FIELD(pretty)},
    {"markdown", 0, NULL, "formats", "print a Markdown table", FIELD(markdown)},
    {"quiet", 'q', NULL, "check convert import merge-reports view list extract pack",
     "print problems only, no summary", FIELD(quiet)},
    {"output", 'o', "PATH", "dump build",
     "write to this file, or one file per input to this folder", .set = set_output},
    {"output", 'o', "PATH", "convert",
     "write this file, or files for clips or figures to this folder", .set = set_output},
    {"over", 0, "ORIGINAL...", "import", "the files, folders or archives that were converted",
     .set = set_over},
    {"output", 'o', "PATH", "import", "write the files to this folder, or an archive to this file",
     .set = set_output},
    {"dry-run", 0, NULL, "import", "report what would change, and write nothing", FIELD(dry_run)},
    {"limit", 0, "DEG", "import", "degrees that a key may be off where it is packed (default 0.1)",
     FIELD(import.limit), .least = 1e-6, .most = 180.0},
    {"retime", 0, NULL, "import", "clips may have another number of frames", FIELD(import.retime)},
    {"resample", 0, NULL, "import", "take curves at the frames, whatever rate their keys have",
     FIELD(import.resample)},
    {"drop", 0, NULL, "import", "leave out what a format cannot store", FIELD(import.drop)},
    {"as", 0, "NAME", "import", "make a new clip of this name", FIELD(import.as)},
    {"like", 0, "CLIP", "import", "the clip that it is modelled on (default: the first)",
     FIELD(import.like)},
    {"output", 'o', "FILE", "merge-reports", "write to this file, not to standard output",
     .set = set_output},
    {"output", 'o', "FILE", "view", "write the page to this file instead of opening it",
     .set = set_output},
    {"output", 'o', "FILE", "pack", "write the archive to this file", .set = set_output},
    {"texture", 0, "FILE", "convert", "Evil Islands: use this texture, whatever its name",
     .set = set_texture},
    {"level", 0, "N", "convert", "png: this level of the texture; 0 is the largest (default)",
     FIELD(scene.texture_level), .most = 32.0, .is_whole = true},
    {"all", 0, NULL, "convert", "convert every figure of the inputs, one file per figure",
     FIELD(all)},
    {"jobs", 'j', "N", "convert", "number of threads (default: one per core)", FIELD(jobs),
     .least = 1.0, .most = 256.0, .is_whole = true},
    {"shard", 0, "K/N", "convert", "every Nth figure from the Kth on, to share the work",
     .set = set_shard},
    {"force", 0, NULL, "dump build merge-reports view", "overwrite a file of another kind",
     FIELD(force)},
    {"force", 0, NULL, "convert", "overwrite files of another kind; convert everything again",
     FIELD(force)},
    {"force", 0, NULL, "extract import", "overwrite files that exist with other contents",
     FIELD(force)},
    {"force", 0, NULL, "pack", "replace entries by any files; overwrite a file of another kind",
     FIELD(force)},
    {"tree", 0, NULL, "list", "also list archives inside the archive, as a tree", FIELD(tree)},
    {"flat", 0, NULL, "list", "the same with one full ARCHIVE#ENTRY path per line", FIELD(flat)},
    {"figures", 0, NULL, "list", "list the figures in archives, folders and files", FIELD(figures)},
    {"raw", 0, NULL, "extract", "write archives inside the archive as files, not as folders",
     FIELD(raw)},
    {"replace", 0, "NAME=FILE", "pack", "replace an entry with this file; may be repeated",
     FIELD(replace), .is_list = true},
    {"to", 0, "KIND", "convert", "glb, gltf, json, bvh, csv or png (default: by the output's name)",
     FIELD(to)},
    {"to", 0, "FOLDER", "extract", "write to this folder (default: named after the archive)",
     FIELD(to)},
    {"clip", 0, "NAME", "pose", "the clip (default: the first); * and ? are wildcards",
     FIELD(clips), .is_list = true},
    {"clip", 0, "NAME", "convert import", "only this clip; * and ? are wildcards; may be repeated",
     FIELD(clips), .is_list = true},
    {"frame", 0, "N", "pose", "frame number, counted from 0 (default 0)", FIELD(frame),
     .flag = offsetof(struct cli, has_time), .most = UINT32_MAX, .is_whole = true},
    {"time", 0, "S", "pose", "time in seconds; may be between frames", FIELD(time),
     .flag = offsetof(struct cli, has_time), .flag_value = true, .least = -1e9, .most = 1e9},
    {"space", 0, "SPACE", "pose", "model (default), or local: relative to each bone's parent",
     FIELD(space), .words = "model local", .first = SPACE_MODEL},
    {"space", 0, "SPACE", "convert", "csv: model (default), or local: relative to the parent",
     FIELD(space), .words = "model local", .first = SPACE_MODEL},
    {"fps", 0, "N", SCENES, "frames per second, instead of the game's own rate", FIELD(scene.fps),
     .least = 1e-3, .most = 1e6},
    {"scale", 0, "X", SCENES, "multiply all lengths by X", FIELD(scene.scale), .least = 1e-9,
     .most = 1e9},
    {"complexion", 0, "A,B,C", SCENES,
     "Evil Islands: build of a figure, as the game stores it; C is height", .set = set_complexion},
    {"parts", 0, "GLOB", SCENES,
     "Evil Islands: also show these parts, or with ! not; may be repeated", FIELD(parts),
     .is_list = true},
    {"root", 0, "HOW", SCENES, "Evil Islands: root at bind + translation (b+t, default), t or b",
     FIELD(ei.root), .words = "b+t t b"},
    {"euler", 0, "ORDER", SCENES, "Vib-Ribbon: order of rotations, xyz (default) or zyx",
     FIELD(vib.euler), .words = "xyz zyx"},
    {"missing", 0, "HOW", SCENES, "Vib-Ribbon: values a key omits: identity (default) or hold",
     FIELD(vib.missing), .words = "identity hold"},
    {"twist", 0, "UNIT", "convert",
     "Vib-Ribbon cameras: unit of twist: degree (default), turn or none", FIELD(vib.twist),
     .words = "degree turn none"},
    {"view", 0, "UNIT", "convert",
     "Vib-Ribbon cameras: field of view: turn (default), distance or degree", FIELD(vib.view),
     .words = "turn distance degree"},
    {"look", 0, "AXIS", "convert",
     "Evil Islands cameras: look as in the game (default), y, z or up", FIELD(ei.look),
     .words = "game y z up"},
    {"sides", 0, "HALF", "convert",
     "Shadow of the Colossus: width of textures: low (default) or high half", FIELD(sotc.sides),
     .words = "low high"},
    {"palette", 0, "ORDER", "convert",
     "Shadow of the Colossus: colours: smooth (default), plain or csm1", FIELD(sotc.palette),
     .words = "smooth plain csm1"},
    {"unlit", 0, NULL, "convert", "Shadow of the Colossus: materials without lighting",
     FIELD(sotc.unlit)},
    {"in-place", 0, NULL, "pose convert import", "remove the root's displacement along x and z",
     FIELD(scene.in_place)},
    {"join", 0, NULL, "pose convert view", "join numbered clips (or all clips) end to end",
     FIELD(scene.join)},
    {"boxes", 0, NULL, "convert view", "add a box along each bone if there is no mesh",
     FIELD(scene.boxes)},
    {"skin", 0, NULL, "convert", "glTF: one skinned mesh instead of one mesh per bone",
     FIELD(skin)},
    {"morph", 0, "WHICH", "convert view",
     "Evil Islands: morph targets of all clips (default), one clip, or none", FIELD(ei.morphing),
     .words = "all clip none"},
    {"resample", 0, "N", "pose convert view",
     "Evil Islands: N keys per frame, interpolated as the game does", FIELD(ei.resample),
     .least = 1.0, .most = 1000.0, .is_whole = true},
    {"index", 0, "FILE", READING " diff list extract",
     "keep what a search of a disc found in FILE, and use it next time", FIELD(index)},
    {"max-size", 0, "SIZE", READING " build diff view list extract pack",
     "refuse larger files (default 256M)", .set = set_max_size},
};

enum { OPTIONS = sizeof options / sizeof options[0] };
/* parse_word writes enums as unsigned. */
_Static_assert(sizeof(ossa_vib_euler) == sizeof(unsigned), "an enum is an unsigned");

static bool takes(const struct verb *verb, const struct option *option)
{
    return find_word(option->verbs, verb->name) >= 0;
}

/* ---- misspellings -------------------------------------------------------------------------- */

/* How many letters must be inserted, removed or replaced to turn a word into a name. */
static size_t count_edits(const char *word, const char *name)
{
    enum { LONGEST = 16 };
    size_t row[LONGEST + 1];
    size_t size = strlen(name);
    if (size > LONGEST) return size;
    for (size_t i = 0; i <= size; i++) row[i] = i;
    for (; *word != '\0'; word++) {
        size_t corner = row[0]++;
        for (size_t i = 1; i <= size; i++) {
            size_t best = corner + (*word == name[i - 1] ? 0 : 1);
            if (row[i] + 1 < best) best = row[i] + 1;
            if (row[i - 1] + 1 < best) best = row[i - 1] + 1;
            corner = row[i];
            row[i] = best;
        }
    }
    return row[size];
}

bool is_nearer(const char *word, const char *name, size_t *best)
{
    size_t size = strlen(word);
    size_t length = strlen(name);
    size_t shared = size < length ? size : length;
    size_t edits = count_edits(word, name);
    bool is_start = shared > 2 && memcmp(word, name, shared) == 0; /* too long, or abbreviated */
    if (is_start && edits > 1) edits = 1;
    if (edits >= length) return false; /* nothing in common */
    if (edits >= *best) return false;
    *best = edits;
    return true;
}

static void complain_option(const struct verb *verb, const char *word)
{
    char *name = copy_text(word + strspn(word, "-"));
    name[strcspn(name, "=")] = '\0';
    const char *nearest = NULL;
    size_t best = MOST_EDITS;
    for (size_t i = 0; i < OPTIONS; i++) {
        if (takes(verb, &options[i]) && is_nearer(name, options[i].name, &best)) {
            nearest = options[i].name;
        }
    }
    if (nearest != NULL) complain("unknown option %s; did you mean --%s?", word, nearest);
    else complain("unknown option %s; `ossa help %s` lists the options", word, verb->name);
    free(name);
}

/* ---- the parser ---------------------------------------------------------------------------- */

/* Does a word name an option? Gives the value after it, if any: --to=glb, -jN. */
static bool names_option(const char *word, const struct option *option, const char **value)
{
    const char *rest = word + 2;
    if (word[1] == '-') {
        size_t size = strlen(option->name);
        if (strncmp(rest, option->name, size) != 0) return false;
        rest += size;
        *value = *rest == '=' ? rest + 1 : NULL;
        return *rest == '=' || *rest == '\0';
    }
    *value = *rest == '\0' ? NULL : rest;
    return option->letter == word[1] && (*value == NULL || option->value != NULL); /* not -qx */
}

/* The option that a word names, for this verb if it takes it. */
static const struct option *find_option(const struct verb *verb, const char *word,
                                        const char **value)
{
    const struct option *found = NULL;
    const char *text = NULL;
    for (size_t i = 0; i < OPTIONS; i++) {
        if (!names_option(word, &options[i], &text)) continue;
        /* -json is not -j with a value where there is no -j. */
        if (word[1] != '-' && text != NULL && !takes(verb, &options[i])) continue;
        found = &options[i];
        *value = text;
        if (takes(verb, found)) break;
    }
    return found;
}

static bool apply(struct cli *cli, const struct option *option, const char *word, const char *value)
{
    void *field = (char *)cli + option->field;
    if (option->value == NULL) {
        if (value == NULL) *(bool *)field = true;
        else complain("--%s takes no value", option->name);
        return value == NULL;
    }
    if (value == NULL) {
        complain("%s needs a value: %s %s", word, word, option->value);
        return false;
    }
    if (option->flag != 0) *(bool *)((char *)cli + option->flag) = option->flag_value;
    if (option->set != NULL) return option->set(cli, value);
    if (option->words != NULL) return parse_word(option, value, field);
    if (option->most > 0.0) return parse_number(option, value, field);
    if (option->is_list) add_word(field, value);
    else *(const char **)field = value;
    return true;
}

static bool is_path(const struct option *option)
{
    return option->value != NULL && find_word("PATH FILE FOLDER ORIGINAL...", option->value) >= 0;
}

/* Of two values only one would count. A flag may be given twice. */
static bool is_repeated(const struct cli *cli, const struct option *option)
{
    if (option->value == NULL || option->is_list || option->set == set_over) return false;
    size_t size = strlen(option->name);
    for (size_t i = 0; i < cli->given.count; i++) {
        const char *given = cli->given.items[i] + 2;
        if (strncmp(given, option->name, size) == 0 && given[size] == '=') return true;
    }
    return false;
}

/* The option at `arguments[*i]`, and its value, which may be the next word. */
static bool parse_option(struct cli *cli, int count, char **arguments, int *i)
{
    const char *word = arguments[*i];
    const char *value;
    const struct option *option = find_option(cli->verb, word, &value);
    if (option == NULL) {
        complain_option(cli->verb, word);
        return false;
    }
    if (!takes(cli->verb, option)) {
        complain("%s does not take %s; `ossa help %s` lists its options", cli->verb->name, word,
                 cli->verb->name);
        return false;
    }
    if (is_repeated(cli, option)) {
        complain("--%s is given twice", option->name);
        return false;
    }
    if (option->value != NULL && value == NULL && *i + 1 < count) value = arguments[++*i];
    /* It is part of a word of main(), which may be changed. */
    if (value != NULL && is_path(option)) os_clean_path((char *)(uintptr_t)value);
    if (!apply(cli, option, word, value)) return false;
    texts_add(&cli->given, format_text("--%s%s%s", option->name, value == NULL ? "" : "=",
                                       value == NULL ? "" : value));
    return true;
}

bool parse_options(struct cli *cli, int count, char **arguments, bool *help)
{
    bool only_inputs = false;
    cli->scene.ei = &cli->ei;
    cli->scene.vib = &cli->vib;
    cli->scene.sotc = &cli->sotc;
    *help = false;
    for (int i = 0; i < count; i++) {
        char *word = arguments[i];
        bool is_stdin = word[0] == '-' && (word[1] == '\0' || word[1] == '#');
        if (only_inputs || word[0] != '-' || is_stdin) {
            os_clean_path(word);
            add_path(cli, cli->over.count > 0 ? &cli->over : &cli->words, word);
        } else if (strcmp(word, "--") == 0) {
            only_inputs = true;
        } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            *help = true;
            return true;
        } else if (!parse_option(cli, count, arguments, &i)) {
            return false;
        }
    }
    cli->inputs = cli->words.items;
    cli->input_count = cli->words.count;
    cli->ei.parts = cli->parts.items;
    cli->ei.part_count = cli->parts.count;
    if (cli->verb->needs_input && cli->input_count == 0) {
        complain("%s needs an input: ossa %s %s", cli->verb->name, cli->verb->name,
                 cli->verb->inputs);
        return false;
    }
    return true;
}

void print_options(FILE *stream, const struct verb *verb)
{
    for (const struct option *option = options; option < options + OPTIONS; option++) {
        if (!takes(verb, option)) continue;
        char name[40];
        char letter[8] = "    ";
        if (option->letter != 0) (void)snprintf(letter, sizeof letter, "-%c, ", option->letter);
        (void)snprintf(name, sizeof name, "%s--%s %s", letter, option->name,
                       option->value == NULL ? "" : option->value);
        (void)fprintf(stream, "  %-22s %s\n", name, option->help);
    }
    (void)fprintf(stream, "  %-22s %s\n", "-h, --help", "print this text");
}
