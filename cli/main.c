/* SPDX-License-Identifier: MIT
 *
 * ossa VERB [OPTIONS] INPUT... */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static const struct verb verb_info = {
    .name = "info",
    .summary = "show what files are and contain",
    .inputs = "[OPTIONS] FILE|FOLDER...",
    .options = "json format dialect strict max-size",
    .details =
        "Shows the format of each file and how certain it is, its counts, duration and value\n"
        "ranges, and its issues. For an archive that stores figures, also their clips.\n"
        "Folders are searched recursively.",
    .example = "ossa info walk.anm\n  ossa info --json figures/ | jq .facts.frames",
    .needs_input = true,
    .run = cmd_info,
};
static const struct verb verb_check = {
    .name = "check",
    .summary = "report every deviation, and where it is",
    .inputs = "[OPTIONS] FILE|FOLDER...",
    .options = "json quiet format dialect strict max-size",
    .details =
        "Reports every deviation with its severity, offset and code. Folders and archives are\n"
        "searched recursively; files of unknown format in them are skipped and counted. Exits\n"
        "with 1 if there is an error or an unreadable file, with --strict also for a warning.",
    .example = "ossa check figures/\n  ossa check --json figures/ > report.json",
    .needs_input = true,
    .run = cmd_check,
};
static const struct verb verb_fields = {
    .name = "fields",
    .summary = "list every byte: offset, size, type, field, value",
    .inputs = "[OPTIONS] FILE...",
    .options = "json format dialect strict max-size",
    .details =
        "Lists what the reader actually reads, in the order of offsets. Bytes outside any field\n"
        "are listed as unknown, or as padding if they are zero. If reading fails, the remaining\n"
        "bytes are listed as unread.",
    .example = "ossa fields walk.anm | less\n  ossa fields --json fly.anb | jq '.fields[0]'",
    .needs_input = true,
    .expands = true,
    .run = cmd_fields,
};
static const struct verb verb_dump = {
    .name = "dump",
    .summary = "convert files to lossless JSON",
    .inputs = "[OPTIONS] FILE...",
    .options = "pretty output format dialect strict max-size",
    .details =
        "The JSON contains everything in the file, including unknown fields; `ossa build` turns\n"
        "it back into the same bytes. Several inputs give one document per line, or with\n"
        "-o FOLDER/ one file per input.",
    .example = "ossa dump walk.anm -o walk.anm.json\n  ossa dump *.anb -o json/",
    .needs_input = true,
    .expands = true,
    .run = cmd_dump,
};
static const struct verb verb_build = {
    .name = "build",
    .summary = "convert the JSON of dump back to files",
    .inputs = "[OPTIONS] JSON...",
    .options = "output strict max-size",
    .details =
        "The inverse of dump, byte for byte. JSON that does not describe a valid file is\n"
        "refused with the path of the bad value. Several inputs need -o FOLDER/: a.anm.json\n"
        "becomes FOLDER/a.anm. `size` is only a hint, except for formats with `gaps`, where it\n"
        "is the size of the file.",
    .example =
        "ossa build walk.anm.json -o walk.anm\n  ossa dump a.anb | sed ... | ossa build - -o b.anb",
    .needs_input = true,
    .run = cmd_build,
};
static const struct verb verb_pose = {
    .name = "pose",
    .summary = "print the pose of a skeleton at a frame or a time",
    .inputs = "[OPTIONS] FILE|FOLDER...",
    .options =
        "json clip frame time space in-place fps scale complexion euler missing join resample "
        "format dialect max-size",
    .details =
        "Combines the skeleton and animations of one game and prints one pose in scene space:\n"
        "Y up, metres, quaternions as x y z w. A folder of Evil Islands part animations is one\n"
        "clip, named after the folder; any other animation file is one clip, named after the file.",
    .example =
        "ossa pose troll/ --clip walk --frame 4\n  ossa pose --json bird.skb fly.anb --time 0.5",
    .needs_input = true,
    .run = cmd_pose,
};
static const struct verb verb_convert = {
    .name = "convert",
    .summary = "convert to glTF, BVH, CSV, JSON or PNG",
    .inputs = "[OPTIONS] FILE|FOLDER... -o OUT.glb|.gltf|.json|.bvh|.csv|.png",
    .options = "output to quiet all jobs force texture clip boxes skin morph in-place join "
               "resample space fps scale "
               "complexion euler "
               "missing twist view look pretty format dialect max-size",
    .details =
        "Combines the files like `ossa pose` and writes all clips to one file. The extension of\n"
        "the output selects the format: .glb, .gltf (with a .bin next to it), .json (Ossa's own\n"
        "scene), .csv (one row per bone and frame), .bvh or .png. A .bvh holds one clip: choose\n"
        "it with --clip, or write one file per clip with --to bvh -o FOLDER/ (also for csv).\n"
        "A .png is made from a single texture.\n"
        "--all converts every figure found in the first input, an archive or file of any game, to\n"
        "one .glb per figure in FOLDER/, on all cores. The other inputs are shared by all "
        "figures.\n"
        "Outputs that are up to date are skipped; report.json has the result for each figure.",
    .example =
        "ossa convert troll/ -o troll.glb\n  ossa convert rabbit.tmd walk*.anm --join -o walk.glb\n"
        "  ossa convert ped.skel *.anim states.csv --in-place -o ped.glb\n"
        "  ossa convert troll/ --to bvh -o motions/\n"
        "  ossa convert skin.mmp -o skin.png\n"
        "  ossa convert figures.res#unmotr -o troll.glb\n"
        "  ossa convert figures.res textures.res --all -o out/",
    .needs_input = true,
    .run = cmd_convert,
};
static const struct verb verb_formats = {
    .name = "formats",
    .summary = "list the supported formats",
    .inputs = "[OPTIONS]",
    .options = "json markdown",
    .details = "Lists each format with its id, for --format, its game, its extensions and what "
               "Ossa can do.",
    .example = "ossa formats",
    .run = cmd_formats,
};

static const struct verb verb_list = {
    .name = "list",
    .summary = "list the contents of archives",
    .inputs = "[OPTIONS] ARCHIVE...",
    .options = "json quiet tree flat format max-size",
    .details = "Lists the format, size and name of each entry. The format is detected from the\n"
               "bytes. --tree and --flat also list the archives inside. ARCHIVE may itself be an\n"
               "entry, ARCHIVE#ENTRY. A file or standard input of unknown format is searched for\n"
               "files of Shadow of the Colossus, such as those in NICO.DAT; NICO.DAT#0x12800 is\n"
               "the file at that offset.",
    .example = "ossa list figures.res\n  ossa list figures.res#unmotr.anm --tree\n"
               "  ossa list --json figures.res | jq '.[].name'",
    .needs_input = true,
    .expands = true,
    .run = cmd_list,
};
static const struct verb verb_extract = {
    .name = "extract",
    .summary = "extract files from an archive",
    .inputs = "[OPTIONS] ARCHIVE [PATTERN...]",
    .options = "to quiet raw format max-size",
    .details =
        "Writes every entry, or those that match a pattern, to a folder. In a pattern, * and ?\n"
        "are wildcards and letter case is ignored. ARCHIVE#NAME is the entry, figure or folder of\n"
        "that name. Archives inside become folders, unless --raw is given. Names are made safe:\n"
        "nothing is written outside the folder. Each folder gets a file ossa-archive.txt with "
        "what\n"
        "`ossa pack` needs to make the same archive again, if that kind can be packed.",
    .example = "ossa extract figures.res --to figures\n  ossa extract figures.res '*.bon'\n"
               "  ossa extract figures.res#unmotr --to troll",
    .needs_input = true,
    .run = cmd_extract,
};
static const struct verb verb_pack = {
    .name = "pack",
    .summary = "make an archive from a folder, or change one",
    .inputs = "[OPTIONS] FOLDER|ARCHIVE -o ARCHIVE",
    .options = "output format replace quiet max-size",
    .details =
        "The inverse of extract: the same entries in the same order with the same times, followed\n"
        "by new files. If the input is an archive, its entries are packed again, and --replace\n"
        "gives some of them new contents; NAME may lead into archives inside, as in\n"
        "unmotr.anm#cwalk#hd. --format or the name of the output selects the kind of archive.",
    .example = "ossa pack figures/ -o figures.res\n"
               "  ossa pack figures.res --replace unmotr.mod=new.mod -o out.res",
    .needs_input = true,
    .run = cmd_pack,
};

static const struct verb verb_view = {
    .name = "view",
    .summary = "show files in the browser",
    .inputs = "[OPTIONS] FILE|FOLDER... [-o PAGE.html]",
    .options = "output quiet fps scale complexion euler missing morph join boxes resample max-size",
    .details =
        "Writes one HTML page that contains the files and opens it in the browser. The page plays\n"
        "the figures and shows their curves and every byte of the files. It needs no network and\n"
        "sends nothing. With -o the page is only written, to keep or to share. Files that do not\n"
        "belong together are shown as several figures. Set BROWSER to use another browser.",
    .example = "ossa view troll/\n  ossa view figures.res#unmotr textures.res -o troll.html",
    .needs_input = true,
    .run = cmd_view,
};

const struct verb *const verbs[] = {
    &verb_info, &verb_check, &verb_fields,  &verb_dump, &verb_build,   &verb_pose, &verb_convert,
    &verb_view, &verb_list,  &verb_extract, &verb_pack, &verb_formats, NULL};

static void print_usage(FILE *stream)
{
    (void)fputs("Ossa reads, checks, converts and writes the skeletal animations of old games.\n\n"
                "usage: ossa VERB [OPTIONS] INPUT...\n\n",
                stream);
    for (size_t i = 0; verbs[i] != NULL; i++) {
        (void)fprintf(stream, "  %-10s %s\n", verbs[i]->name, verbs[i]->summary);
    }
    (void)fputs(
        "  help VERB  show details and options of a verb\n"
        "\n"
        "  -h, --help     print this text\n"
        "  -V, --version  print the version\n"
        "\n"
        "The input - is standard input. Exit status: 0 success, 1 bad data or a file that cannot\n"
        "be read or written, 2 wrong usage.\n",
        stream);
}

static void print_verb(FILE *stream, const struct verb *verb)
{
    (void)fprintf(stream, "ossa %s: %s\n\nusage: ossa %s %s\n\n%s\n\noptions:\n", verb->name,
                  verb->summary, verb->name, verb->inputs, verb->details);
    print_options(stream, verb);
    (void)fprintf(stream, "\nexamples:\n  %s\n", verb->example);
}

static const struct verb *find_verb(const char *name)
{
    for (size_t i = 0; verbs[i] != NULL; i++) {
        if (strcmp(verbs[i]->name, name) == 0) return verbs[i];
    }
    return NULL;
}

/* How many letters must be inserted, removed or replaced to turn a word into a verb. */
static size_t count_edits(const char *word, const char *verb)
{
    enum { LONGEST = 16 };
    size_t row[LONGEST + 1];
    size_t size = strlen(verb);
    if (size > LONGEST) return size;
    for (size_t i = 0; i <= size; i++) row[i] = i;
    for (; *word != '\0'; word++) {
        size_t corner = row[0]++;
        for (size_t i = 1; i <= size; i++) {
            size_t best = corner + (*word == verb[i - 1] ? 0 : 1);
            if (row[i] + 1 < best) best = row[i] + 1;
            if (row[i - 1] + 1 < best) best = row[i - 1] + 1;
            corner = row[i];
            row[i] = best;
        }
    }
    return row[size];
}

static int complain_verb(const char *name)
{
    const struct verb *nearest = NULL;
    size_t best = 3; /* with this many edits the words are not similar */
    for (size_t i = 0; verbs[i] != NULL; i++) {
        size_t edits = count_edits(name, verbs[i]->name);
        if (strncmp(name, verbs[i]->name, strlen(verbs[i]->name)) == 0) edits = 1;
        if (edits < best) {
            best = edits;
            nearest = verbs[i];
        }
    }
    if (nearest != NULL) {
        complain("unknown verb '%s'; did you mean '%s'?", name, nearest->name);
    } else {
        complain("unknown verb '%s'; `ossa --help` lists the verbs", name);
    }
    return EXIT_BAD_CALL;
}

static bool is_help(const char *word)
{
    return strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int run_help(int count, char **arguments)
{
    if (count > 1) {
        complain("help takes one verb");
        return EXIT_BAD_CALL;
    }
    if (count == 0 || is_help(arguments[0])) {
        print_usage(stdout);
        return EXIT_FINE;
    }
    const struct verb *verb = find_verb(arguments[0]);
    if (verb == NULL) return complain_verb(arguments[0]);
    print_verb(stdout, verb);
    return EXIT_FINE;
}

static int run_call(struct cli *cli)
{
    struct input_list list = {0};
    if (!open_workspace(cli)) return EXIT_BAD_DATA;
    if (cli->verb->expands && !expand_inputs(cli, &list)) return EXIT_BAD_DATA;
    int status = cli->verb->run(cli);
    free_inputs(&list);
    return status;
}

static int run_verb(const struct verb *verb, int count, char **arguments)
{
    struct cli cli = {.verb = verb};
    bool help;
    int status = EXIT_BAD_CALL;
    if (parse_options(&cli, count, arguments, &help)) {
        status = EXIT_FINE;
        if (help) print_verb(stdout, verb);
        else status = run_call(&cli);
    }
    free(cli.read_files);
    free(cli.replacements);
    free(cli.issue_path);
    ossa_workspace_free(cli.workspace);
    os_free_bytes(&cli.standard_input.bytes);
    return status;
}

static int run(int count, char **arguments)
{
    if (count < 2) {
        print_usage(stderr);
        return EXIT_BAD_CALL;
    }
    const char *word = arguments[1];
    if (strcmp(word, "help") == 0) return run_help(count - 2, arguments + 2);
    if (is_help(word)) return run_help(0, NULL);
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        (void)printf("ossa %s\n", ossa_version_text());
        return EXIT_FINE;
    }
    if (word[0] == '-') {
        complain("unknown option %s before the verb; `ossa --help` lists the verbs", word);
        return EXIT_BAD_CALL;
    }
    const struct verb *verb = find_verb(word);
    if (verb == NULL) return complain_verb(word);
    return run_verb(verb, count - 2, arguments + 2);
}

int main(int count, char **arguments)
{
    os_start();
    int status = run(count, arguments);
    /* A full disk shows only when the last bytes are written. */
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        complain("cannot write to standard output");
        if (status == EXIT_FINE) status = EXIT_BAD_DATA;
    }
    return status;
}
