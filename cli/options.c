/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool set_format(struct cli *cli, const char *value)
{
    cli->read.format = value;
    if (ossa_format_find(value) != NULL) return true;
    complain("there is no format '%s'; `ossa formats` lists them", value);
    return false;
}

static bool set_dialect(struct cli *cli, const char *value)
{
    cli->read.dialect = value;
    for (int d = OSSA_MM_DIALECT_MM1; d <= OSSA_MM_DIALECT_RETAIL; d++) {
        if (strcmp(value, ossa_mm_dialect_name((ossa_mm_dialect)d)) == 0) return true;
    }
    complain("there is no dialect '%s': mm1, legacy, documented or retail", value);
    return false;
}

/* A number of bytes, with K, M or G behind it for powers of 1024. */
static bool set_max_size(struct cli *cli, const char *value)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);
    bool is_huge = errno == ERANGE;
    unsigned shift = 0;
    if (*end == 'K') shift = 10;
    else if (*end == 'M') shift = 20;
    else if (*end == 'G') shift = 30;
    bool is_number = value[0] >= '0' && value[0] <= '9' && end[shift > 0 ? 1 : 0] == '\0';
    if (!is_number || is_huge || number == 0 || number > UINT64_MAX >> shift) {
        complain("'%s' is not a size; write a number, with K, M or G behind it if you like", value);
        return false;
    }
    cli->read.max_input = (uint64_t)number << shift;
    return true;
}

static bool set_strict(struct cli *cli, const char *value)
{
    (void)value;
    cli->read.strict = true;
    return true;
}

static bool set_json(struct cli *cli, const char *value)
{
    (void)value;
    cli->json = true;
    return true;
}

static bool set_pretty(struct cli *cli, const char *value)
{
    (void)value;
    cli->pretty = true;
    return true;
}

static bool set_markdown(struct cli *cli, const char *value)
{
    (void)value;
    cli->markdown = true;
    return true;
}

static bool set_quiet(struct cli *cli, const char *value)
{
    (void)value;
    cli->quiet = true;
    return true;
}

static bool set_output(struct cli *cli, const char *value)
{
    cli->output = value;
    if (value[0] != '\0') return true;
    complain("the name after -o is empty");
    return false;
}

/* A number from `least` to `most`, with nothing behind it. */
static bool parse_number(const char *option, const char *value, double least, double most,
                         double *number)
{
    char *end;
    *number = strtod(value, &end);
    bool is_number = end != value && *end == '\0' && *number >= least && *number <= most;
    if (!is_number) {
        complain("--%s: '%s' is not a number from %.10g to %.10g", option, value, least, most);
    }
    return is_number;
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
    complain("--space is local or model, not '%s'", value);
    return false;
}

static bool set_clip(struct cli *cli, const char *value)
{
    cli->clip = value;
    return true;
}

/* What to make; for extract it is where to. */
static bool set_to(struct cli *cli, const char *value)
{
    cli->to = value;
    return true;
}

static bool set_fps(struct cli *cli, const char *value)
{
    return parse_number("fps", value, 1e-3, 1e6, &cli->scene.fps);
}

static bool set_scale(struct cli *cli, const char *value)
{
    return parse_number("scale", value, 1e-9, 1e9, &cli->scene.scale);
}

static ossa_ei_options *ei_options(struct cli *cli)
{
    cli->scene.ei = &cli->ei;
    return &cli->ei;
}

static ossa_vib_options *vib_options(struct cli *cli)
{
    cli->scene.vib = &cli->vib;
    return &cli->vib;
}

static bool set_complexion(struct cli *cli, const char *value)
{
    bool fine = true;
    for (unsigned i = 0; fine && i < 3; i++) {
        char *end;
        double number = strtod(value, &end);
        fine = end != value && *end == (i < 2 ? ',' : '\0') && number >= 0.0 && number <= 1.0;
        ei_options(cli)->complexion[i] = (float)number;
        value = end + 1;
    }
    if (!fine) complain("--complexion is three numbers from 0 to 1: 0.25,0.5,0.75");
    return fine;
}

/* One of three words, as its number; -1, after a message, for any other. */
static int pick_word(const char *option, const char *value, const char *const words[3])
{
    for (int i = 0; i < 3; i++) {
        if (words[i] != NULL && strcmp(value, words[i]) == 0) return i;
    }
    if (words[2] != NULL) {
        complain("--%s is %s, %s or %s, not '%s'", option, words[0], words[1], words[2], value);
    } else {
        complain("--%s is %s or %s, not '%s'", option, words[0], words[1], value);
    }
    return -1;
}

static bool set_euler(struct cli *cli, const char *value)
{
    static const char *const words[3] = {"xyz", "zyx", NULL};
    int word = pick_word("euler", value, words);
    vib_options(cli)->euler = word < 0 ? OSSA_VIB_EULER_XYZ : (ossa_vib_euler)word;
    return word >= 0;
}

static bool set_missing(struct cli *cli, const char *value)
{
    static const char *const words[3] = {"identity", "hold", NULL};
    int word = pick_word("missing", value, words);
    vib_options(cli)->missing = word < 0 ? OSSA_VIB_MISSING_IDENTITY : (ossa_vib_missing)word;
    return word >= 0;
}

static bool set_twist(struct cli *cli, const char *value)
{
    static const char *const words[3] = {"degree", "turn",
                                         "none"}; /* in the order of ossa_vib_twist */
    int word = pick_word("twist", value, words);
    vib_options(cli)->twist = word < 0 ? OSSA_VIB_TWIST_DEGREE : (ossa_vib_twist)word;
    return word >= 0;
}

static bool set_view(struct cli *cli, const char *value)
{
    static const char *const words[3] = {"distance", "turn", "degree"};
    int word = pick_word("view", value, words);
    vib_options(cli)->view = word < 0 ? OSSA_VIB_VIEW_DISTANCE : (ossa_vib_view)word;
    return word >= 0;
}

static bool set_look(struct cli *cli, const char *value)
{
    static const char *const words[3] = {"y", "z", "up"};
    int word = pick_word("look", value, words);
    ei_options(cli)->look = word < 0 ? OSSA_EI_LOOK_Y : (ossa_ei_look)word;
    return word >= 0;
}

static bool set_in_place(struct cli *cli, const char *value)
{
    (void)value;
    cli->scene.in_place = true;
    return true;
}

static bool set_texture(struct cli *cli, const char *value)
{
    cli->texture = value;
    ei_options(cli)->texture = value;
    return true;
}

static bool set_all(struct cli *cli, const char *value)
{
    (void)value;
    cli->all = true;
    return true;
}

static bool set_force(struct cli *cli, const char *value)
{
    (void)value;
    cli->force = true;
    return true;
}

static bool set_jobs(struct cli *cli, const char *value)
{
    uint32_t jobs;
    if (!parse_whole("jobs", value, 1.0, 256.0, &jobs)) return false;
    cli->jobs = jobs;
    return true;
}

static bool set_tree(struct cli *cli, const char *value)
{
    (void)value;
    cli->tree = true;
    return true;
}

static bool set_flat(struct cli *cli, const char *value)
{
    (void)value;
    cli->flat = true;
    return true;
}

static bool set_raw(struct cli *cli, const char *value)
{
    (void)value;
    cli->raw = true;
    return true;
}

static bool set_replace(struct cli *cli, const char *value)
{
    size_t count = cli->replacement_count;
    const char **larger = realloc(cli->replacements, (count + 1) * sizeof *larger);
    if (larger == NULL || strchr(value, '=') == NULL) {
        if (larger != NULL) cli->replacements = larger;
        complain("--replace needs NAME=FILE, not '%s'", value);
        return false;
    }
    larger[count] = value;
    cli->replacements = larger;
    cli->replacement_count = count + 1;
    return true;
}

static bool set_join(struct cli *cli, const char *value)
{
    (void)value;
    cli->scene.join = true;
    return true;
}

static bool set_boxes(struct cli *cli, const char *value)
{
    (void)value;
    cli->scene.boxes = true;
    return true;
}

static bool set_skin(struct cli *cli, const char *value)
{
    (void)value;
    cli->skin = true;
    return true;
}

static bool set_morph(struct cli *cli, const char *value)
{
    static const char *const words[3] = {"all", "clip",
                                         "none"}; /* in the order of ossa_ei_morphing */
    int word = pick_word("morph", value, words);
    ei_options(cli)->morphing = word < 0 ? OSSA_EI_MORPHING_ALL : (ossa_ei_morphing)word;
    return word >= 0;
}

static bool set_resample(struct cli *cli, const char *value)
{
    return parse_whole("resample", value, 1.0, 1000.0, &ei_options(cli)->resample);
}

const struct option options[] = {
    {"format", 0, "ID", "take the files for this format; `ossa formats` lists them", set_format},
    {"dialect", 0, "NAME", "of mm-anim: mm1, legacy, documented or retail", set_dialect},
    {"strict", 0, NULL, "warnings count as errors", set_strict},
    {"json", 0, NULL, "JSON on standard output, for programs", set_json},
    {"pretty", 0, NULL, "JSON over several lines, for people", set_pretty},
    {"markdown", 0, NULL, "a Markdown table", set_markdown},
    {"quiet", 'q', NULL, "no summary, only what is wrong", set_quiet},
    {"output", 'o', "PATH", "write to this file, or into this folder (not every verb)", set_output},
    {"texture", 0, "FILE", "Evil Islands: this texture, whatever it is called", set_texture},
    {"all", 0, NULL, "every model of an archive, into a folder", set_all},
    {"jobs", 'j', "N", "on so many cores (default: all there are)", set_jobs},
    {"force", 0, NULL, "convert again what is there already", set_force},
    {"tree", 0, NULL, "enter archives inside, as a tree", set_tree},
    {"flat", 0, NULL, "enter archives inside, a whole ARCHIVE#ENTRY a line", set_flat},
    {"raw", 0, NULL, "leave archives inside as they are, do not unpack them", set_raw},
    {"replace", 0, "NAME=FILE", "put this file in the place of an entry", set_replace},
    {"to", 0, "KIND", "glb, gltf, json, bvh, csv or png; extract: the folder", set_to},
    {"clip", 0, "NAME", "only this clip; * and ? stand for any characters", set_clip},
    {"frame", 0, "N", "the frame, from 0 on (default 0)", set_frame},
    {"time", 0, "S", "the time in seconds, between frames too", set_time},
    {"space", 0, "SPACE", "model (default), or local: from each bone's parent", set_space},
    {"fps", 0, "N", "frames a second, whatever the game says", set_fps},
    {"scale", 0, "X", "all lengths times X", set_scale},
    {"complexion", 0, "S,D,H", "Evil Islands: strength, dexterity, height, 0 to 1", set_complexion},
    {"euler", 0, "ORDER", "Vib-Ribbon: xyz (default) or zyx", set_euler},
    {"missing", 0, "HOW", "Vib-Ribbon: identity (default) or hold", set_missing},
    {"twist", 0, "UNIT", "Vib-Ribbon's cameras: degree (default), turn or none", set_twist},
    {"view", 0, "UNIT", "their field of view: distance (default), turn or degree", set_view},
    {"look", 0, "AXIS", "Evil Islands' cameras look along y (default), z or up", set_look},
    {"in-place", 0, NULL, "take the root's way along x and z out", set_in_place},
    {"join", 0, NULL, "numbered clips (or all) end to end, as one", set_join},
    {"boxes", 0, NULL, "a box along each bone where there is no mesh", set_boxes},
    {"skin", 0, NULL, "glTF: one mesh bound to the bones, not one on each", set_skin},
    {"morph", 0, "WHICH", "Evil Islands: morph targets of all clips (default), clip or none",
     set_morph},
    {"resample", 0, "N", "Evil Islands: N keys a frame by the game's own rule", set_resample},
    {"max-size", 0, "SIZE", "refuse larger files (default 256M)", set_max_size},
};

const size_t option_count = sizeof options / sizeof options[0];
