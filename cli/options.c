/* SPDX-License-Identifier: MIT
 *
 * The options of all verbs, and the parser. A verb lists the options that it takes. */
#include "cli.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct option {
    const char *name;  /* without the dashes */
    char letter;       /* 0: none */
    const char *value; /* what the value is called; NULL: a flag */
    const char *help;
    size_t field;      /* offset in struct cli: of a bool for a flag, else of what is below */
    const char *words; /* the value is one of these; the field is an enum in the same order */
    double least;      /* the value is a number of this range; the field is a double */
    double most;
    bool (*set)(struct cli *cli, const char *value); /* NULL: set the field, by default as text */
};

/* ---- values -------------------------------------------------------------------------------- */

static bool parse_number(const char *option, const char *value, double least, double most,
                         double *number)
{
    char *end;
    *number = strtod(value, &end);
    if (end != value && *end == '\0' && *number >= least && *number <= most) return true;
    complain("--%s: '%s' is not a number from %.10g to %.10g", option, value, least, most);
    return false;
}

static bool parse_whole(const char *option, const char *value, double least, double most,
                        uint32_t *whole)
{
    double number;
    if (!parse_number(option, value, least, most, &number)) return false;
    *whole = (uint32_t)number;
    if ((double)*whole == number) return true;
    complain("--%s: '%s' is not a whole number", option, value);
    return false;
}

static bool parse_word(const struct option *option, const char *value, void *field)
{
    size_t size = strlen(value);
    unsigned number = 0;
    for (const char *word = option->words;; number++) {
        size_t length = strcspn(word, " ");
        if (length == size && memcmp(word, value, size) == 0) break;
        if (word[length] == '\0') {
            complain("--%s: '%s' is not one of: %s", option->name, value, option->words);
            return false;
        }
        word += length + 1;
    }
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
    bool is_number = value[0] >= '0' && value[0] <= '9' && end[shift > 0 ? 1 : 0] == '\0';
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

static bool set_frame(struct cli *cli, const char *value)
{
    cli->has_time = false;
    return parse_whole("frame", value, 0.0, (double)UINT32_MAX, &cli->frame);
}

static bool set_time(struct cli *cli, const char *value)
{
    cli->has_time = true;
    return parse_number("time", value, -1e9, 1e9, &cli->time);
}

static bool set_space(struct cli *cli, const char *value)
{
    cli->has_space = true;
    cli->is_local = strcmp(value, "local") == 0;
    if (cli->is_local || strcmp(value, "model") == 0) return true;
    complain("--space: '%s' is not one of: model local", value);
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
    if (!fine) complain("--complexion needs three numbers from 0 to 1, such as 0.25,0.5,0.75");
    return fine;
}

static bool set_texture(struct cli *cli, const char *value)
{
    cli->texture = value;
    cli->ei.texture = value;
    return true;
}

static bool set_jobs(struct cli *cli, const char *value)
{
    return parse_whole("jobs", value, 1.0, 256.0, &cli->jobs);
}

static bool set_resample(struct cli *cli, const char *value)
{
    return parse_whole("resample", value, 1.0, 1000.0, &cli->ei.resample);
}

static bool set_replace(struct cli *cli, const char *value)
{
    size_t count = cli->replacement_count;
    const char **larger = realloc(cli->replacements, (count + 1) * sizeof *larger);
    if (larger != NULL) cli->replacements = larger;
    if (larger == NULL || strchr(value, '=') == NULL) {
        complain("--replace needs NAME=FILE, not '%s'", value);
        return false;
    }
    larger[count] = value;
    cli->replacement_count = count + 1;
    return true;
}

/* ---- the table ----------------------------------------------------------------------------- */

#define FIELD(name) .field = offsetof(struct cli, name)

static const struct option options[] = {
    {"format", 0, "ID", "read the files as this format; `ossa formats` lists them",
     .set = set_format},
    {"dialect", 0, "NAME", "Midtown Madness dialect: mm1, legacy, documented or retail",
     .set = set_dialect},
    {"strict", 0, NULL, "treat warnings as errors", FIELD(read.strict)},
    {"json", 0, NULL, "print JSON, for programs", FIELD(json)},
    {"pretty", 0, NULL, "indent the JSON", FIELD(pretty)},
    {"markdown", 0, NULL, "print a Markdown table", FIELD(markdown)},
    {"quiet", 'q', NULL, "print problems only, no summary", FIELD(quiet)},
    {"output", 'o', "PATH", "write to this file, or into this folder (not every verb)",
     .set = set_output},
    {"texture", 0, "FILE", "Evil Islands: use this texture, whatever its name", .set = set_texture},
    {"all", 0, NULL, "convert every figure of the first input, one file per figure", FIELD(all)},
    {"jobs", 'j', "N", "number of threads (default: one per core)", .set = set_jobs},
    {"force", 0, NULL, "convert again even if the output is up to date", FIELD(force)},
    {"tree", 0, NULL, "also list archives inside the archive, as a tree", FIELD(tree)},
    {"flat", 0, NULL, "the same with one full ARCHIVE#ENTRY path per line", FIELD(flat)},
    {"raw", 0, NULL, "write archives inside the archive as files, not as folders", FIELD(raw)},
    {"replace", 0, "NAME=FILE", "replace an entry with this file", .set = set_replace},
    {"to", 0, "KIND", "glb, gltf, json, bvh, csv or png; for extract, the folder", FIELD(to)},
    {"clip", 0, "NAME", "only this clip; * and ? are wildcards", FIELD(clip)},
    {"frame", 0, "N", "frame number, counted from 0 (default 0)", .set = set_frame},
    {"time", 0, "S", "time in seconds; may be between frames", .set = set_time},
    {"space", 0, "SPACE", "model (default), or local: relative to each bone's parent",
     .set = set_space},
    {"fps", 0, "N", "frames per second, instead of the game's own rate", FIELD(scene.fps),
     .least = 1e-3, .most = 1e6},
    {"scale", 0, "X", "multiply all lengths by X", FIELD(scene.scale), .least = 1e-9, .most = 1e9},
    {"complexion", 0, "S,D,H", "Evil Islands: strength, dexterity, height, each from 0 to 1",
     .set = set_complexion},
    {"euler", 0, "ORDER", "Vib-Ribbon: order of rotations, xyz (default) or zyx", FIELD(vib.euler),
     .words = "xyz zyx"},
    {"missing", 0, "HOW", "Vib-Ribbon: values a key omits: identity (default) or hold",
     FIELD(vib.missing), .words = "identity hold"},
    {"twist", 0, "UNIT", "Vib-Ribbon cameras: unit of twist: degree (default), turn or none",
     FIELD(vib.twist), .words = "degree turn none"},
    {"view", 0, "UNIT", "Vib-Ribbon cameras: field of view: distance (default), turn or degree",
     FIELD(vib.view), .words = "distance turn degree"},
    {"look", 0, "AXIS", "Evil Islands cameras: look along y (default), z or up", FIELD(ei.look),
     .words = "y z up"},
    {"in-place", 0, NULL, "remove the root's displacement along x and z", FIELD(scene.in_place)},
    {"join", 0, NULL, "join numbered clips (or all clips) end to end", FIELD(scene.join)},
    {"boxes", 0, NULL, "add a box along each bone if there is no mesh", FIELD(scene.boxes)},
    {"skin", 0, NULL, "glTF: one skinned mesh instead of one mesh per bone", FIELD(skin)},
    {"morph", 0, "WHICH", "Evil Islands: morph targets of all clips (default), one clip, or none",
     FIELD(ei.morphing), .words = "all clip none"},
    {"resample", 0, "N", "Evil Islands: N keys per frame, interpolated as the game does",
     .set = set_resample},
    {"max-size", 0, "SIZE", "refuse larger files (default 256M)", .set = set_max_size},
};

enum { OPTIONS = sizeof options / sizeof options[0] };
/* parse_word writes enums as unsigned. */
_Static_assert(sizeof(ossa_vib_euler) == sizeof(unsigned), "an enum is an unsigned");

/* ---- the parser ---------------------------------------------------------------------------- */

static bool takes(const struct verb *verb, const char *name)
{
    size_t size = strlen(name);
    for (const char *word = verb->options; *word != '\0';) {
        size_t length = strcspn(word, " ");
        if (length == size && memcmp(word, name, size) == 0) return true;
        word += length;
        while (*word == ' ') word++;
    }
    return false;
}

/* The option that a word names, and the value after "=", if any. */
static const struct option *find_option(const char *word, const char **value)
{
    bool is_long = word[1] == '-';
    size_t size = is_long ? strcspn(word + 2, "=") : 1;
    for (const struct option *option = options; option < options + OPTIONS; option++) {
        bool is_it = is_long
                         ? strlen(option->name) == size && memcmp(option->name, word + 2, size) == 0
                         : option->letter != 0 && option->letter == word[1];
        if (!is_it) continue;
        const char *rest = word + (is_long ? 2 : 1) + size;
        if (!is_long && *rest != '\0' && option->value == NULL) continue; /* -qx */
        *value = *rest == '\0' ? NULL : is_long ? rest + 1 : rest;
        return option;
    }
    return NULL;
}

static bool apply(struct cli *cli, const struct option *option, const char *word, const char *value)
{
    void *field = (char *)cli + option->field;
    if (!takes(cli->verb, option->name)) {
        complain("%s does not take %s; `ossa help %s` lists its options", cli->verb->name, word,
                 cli->verb->name);
        return false;
    }
    if (option->value == NULL) {
        if (value == NULL) *(bool *)field = true;
        else complain("--%s takes no value", option->name);
        return value == NULL;
    }
    if (value == NULL) {
        complain("%s needs a value: %s %s", word, word, option->value);
        return false;
    }
    if (option->set != NULL) return option->set(cli, value);
    if (option->words != NULL) return parse_word(option, value, field);
    if (option->most > 0.0) {
        return parse_number(option->name, value, option->least, option->most, field);
    }
    *(const char **)field = value;
    return true;
}

bool parse_options(struct cli *cli, int count, char **arguments, bool *help)
{
    bool only_inputs = false;
    cli->inputs = arguments;
    cli->scene.ei = &cli->ei;
    cli->scene.vib = &cli->vib;
    *help = false;
    for (int i = 0; i < count; i++) {
        char *word = arguments[i];
        bool is_stdin = word[0] == '-' && (word[1] == '\0' || word[1] == '#');
        if (only_inputs || word[0] != '-' || is_stdin) {
            arguments[cli->input_count++] = word; /* moves up over the options before it */
            continue;
        }
        if (strcmp(word, "--") == 0) {
            only_inputs = true;
            continue;
        }
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            *help = true;
            return true;
        }
        const char *value;
        const struct option *option = find_option(word, &value);
        if (option == NULL) {
            complain("unknown option %s; `ossa help %s` lists the options", word, cli->verb->name);
            return false;
        }
        if (option->value != NULL && value == NULL && i + 1 < count) value = arguments[++i];
        if (!apply(cli, option, word, value)) return false;
    }
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
        if (!takes(verb, option->name)) continue;
        char name[40];
        char letter[8] = "    ";
        if (option->letter != 0) (void)snprintf(letter, sizeof letter, "-%c, ", option->letter);
        (void)snprintf(name, sizeof name, "%s--%s %s", letter, option->name,
                       option->value == NULL ? "" : option->value);
        (void)fprintf(stream, "  %-22s %s\n", name, option->help);
    }
    (void)fprintf(stream, "  %-22s %s\n", "-h, --help", "print this text");
}
