/* SPDX-License-Identifier: MIT
 *
 * ossa VERB [OPTIONS] INPUT... */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static const struct verb verb_info = {
    .name = "info",
    .summary = "what a file is and holds",
    .inputs = "[OPTIONS] FILE|FOLDER...",
    .options = "json format dialect strict max-size",
    .details =
        "Says what each file is and how sure that is, counts, duration, ranges of the values,\n"
        "and what is unusual. Folders are entered to any depth.",
    .example = "ossa info walk.anm\n  ossa info --json figures/ | jq .facts.frames",
    .needs_input = true,
    .run = cmd_info,
};
static const struct verb verb_check = {
    .name = "check",
    .summary = "everything that is wrong, and where",
    .inputs = "[OPTIONS] FILE|FOLDER...",
    .options = "json quiet format dialect strict max-size",
    .details =
        "Lists every deviation with its severity, place and code. Folders are entered to any\n"
        "depth; files in them that are of no known format are passed over and counted.\n"
        "Exits with 1 when there is an error or an unreadable file, with --strict also when\n"
        "there is a warning.",
    .example = "ossa check figures/\n  ossa check --json figures/ > report.json",
    .needs_input = true,
    .run = cmd_check,
};
static const struct verb verb_fields = {
    .name = "fields",
    .summary = "every byte of a file: offset, size, type, field, value",
    .inputs = "[OPTIONS] FILE...",
    .options = "json format dialect strict max-size",
    .details =
        "Made from what the reader really read, in the order of offsets. Bytes that no field\n"
        "covers are shown as unknown, or as padding when they are zero; of a file that\n"
        "cannot be read to the end, the rest is shown as unread.",
    .example = "ossa fields walk.anm | less\n  ossa fields --json fly.anb | jq '.fields[0]'",
    .needs_input = true,
    .expands = true,
    .run = cmd_fields,
};
static const struct verb verb_dump = {
    .name = "dump",
    .summary = "a file as lossless JSON",
    .inputs = "[OPTIONS] FILE...",
    .options = "pretty output format dialect strict max-size",
    .details =
        "Everything in the file, unknown fields too, one document a line. `ossa build` makes\n"
        "the same bytes from it again. With -o FOLDER/ each input gets a file of its own.",
    .example = "ossa dump walk.anm -o walk.anm.json\n  ossa dump *.anb -o json/",
    .needs_input = true,
    .expands = true,
    .run = cmd_dump,
};
static const struct verb verb_build = {
    .name = "build",
    .summary = "the file that the JSON of dump describes",
    .inputs = "[OPTIONS] JSON...",
    .options = "output strict max-size",
    .details =
        "The counterpart of dump, byte for byte. JSON that cannot be such a file is refused,\n"
        "and the message names the place in it. Several inputs need -o FOLDER/: a.anm.json\n"
        "becomes FOLDER/a.anm. `size` is only a hint, but for the formats with an image\n"
        "(those with `gaps`), where it is the size of the file.",
    .example =
        "ossa build walk.anm.json -o walk.anm\n  ossa dump a.anb | sed ... | ossa build - -o b.anb",
    .needs_input = true,
    .run = cmd_build,
};
static const struct verb verb_pose = {
    .name = "pose",
    .summary = "where every bone is at a frame or a time",
    .inputs = "[OPTIONS] FILE|FOLDER...",
    .options =
        "json clip frame time space in-place fps scale complexion euler missing join resample "
        "format dialect max-size",
    .details =
        "Puts the files together, skeleton and animations of one game, and shows a pose in the\n"
        "scene's space: Y up, metres, quaternions x y z w. A folder of Evil Islands parts is a\n"
        "clip of the folder's name; every other animation file is one of the file's name.",
    .example =
        "ossa pose troll/ --clip walk --frame 4\n  ossa pose --json bird.skb fly.anb --time 0.5",
    .needs_input = true,
    .run = cmd_pose,
};
static const struct verb verb_convert = {
    .name = "convert",
    .summary = "to glTF, BVH or CSV, for Blender, browsers and engines",
    .inputs = "[OPTIONS] FILE|FOLDER... -o OUT.glb|.gltf|.json|.bvh|.csv|.png",
    .options = "output to quiet all jobs force texture clip boxes skin morph in-place join "
               "resample space fps scale "
               "complexion euler "
               "missing twist view look pretty format dialect max-size",
    .details =
        "Puts the files together like `ossa pose` and writes all clips into one file. The end of\n"
        "the output's name says which: .glb, .gltf (with a .bin beside it), .json, the scene as\n"
        "Ossa has it, or .csv, a row for each bone in each frame. A .bvh holds one clip: choose\n"
        "it with --clip, or write all into a folder with --to bvh -o FOLDER/ (csv, too).\n"
        "A .png is the picture of one texture, and nothing else.\n"
        "With --all every model of an archive becomes a .glb in the folder FOLDER/, on all cores;\n"
        "what is there already is left, and report.json tells what became of each.",
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
    .summary = "the table of formats and what each can do",
    .inputs = "[OPTIONS]",
    .options = "json markdown",
    .details = "The ids are what --format takes.",
    .example = "ossa formats",
    .run = cmd_formats,
};

static const struct verb verb_list = {
    .name = "list",
    .summary = "what is in an archive",
    .inputs = "[OPTIONS] ARCHIVE...",
    .options = "json quiet tree flat format max-size",
    .details = "Shows what each entry is by its bytes, its size and its name. Archives inside are\n"
               "entered with --tree or --flat. ARCHIVE may itself be an entry, ARCHIVE#ENTRY.\n"
               "What no format claims is searched for files of Shadow of the Colossus, like those\n"
               "in NICO.DAT; NICO.DAT#0x12800 is the one at that place.",
    .example = "ossa list figures.res\n  ossa list figures.res#unmotr.anm --tree\n"
               "  ossa list --json figures.res | jq '.[].name'",
    .needs_input = true,
    .expands = true,
    .run = cmd_list,
};
static const struct verb verb_extract = {
    .name = "extract",
    .summary = "files out of an archive",
    .inputs = "[OPTIONS] ARCHIVE [PATTERN...]",
    .options = "to quiet raw format max-size",
    .details =
        "Writes every entry, or those that a pattern means (* and ? stand for any characters,\n"
        "letter case does not count), into a folder. ARCHIVE#NAME is the entry, the model or the\n"
        "folder of that name. Archives inside become folders, unless --raw is given. Names are\n"
        "made safe: nothing is ever written outside of the folder. In each folder a file\n"
        "ossa-archive.txt keeps what `ossa pack` needs to make the same archive again, if it can.",
    .example = "ossa extract figures.res --to figures\n  ossa extract figures.res '*.bon'\n"
               "  ossa extract figures.res#unmotr --to troll",
    .needs_input = true,
    .run = cmd_extract,
};
static const struct verb verb_pack = {
    .name = "pack",
    .summary = "an archive of a folder, or of an archive with other files in it",
    .inputs = "[OPTIONS] FOLDER|ARCHIVE -o ARCHIVE",
    .options = "output format replace quiet max-size",
    .details =
        "The counterpart of extract: the same entries, in the same order, with their times. Files\n"
        "that are new come after them. Of an archive instead of a folder all entries are\n"
        "packed anew, those of --replace with other bytes; NAME may lead into archives inside,\n"
        "unmotr.anm#cwalk#hd. Which archive to make, --format or the output's name says.",
    .example = "ossa pack figures/ -o figures.res\n"
               "  ossa pack figures.res --replace unmotr.mod=new.mod -o out.res",
    .needs_input = true,
    .run = cmd_pack,
};

static const struct verb verb_view = {
    .name = "view",
    .summary = "see it move, in the browser",
    .inputs = "[OPTIONS] FILE|FOLDER... [-o PAGE.html]",
    .options = "output quiet fps scale complexion euler missing morph join boxes resample max-size",
    .details =
        "Writes one page with the files in it and opens it in the browser: figures to turn and\n"
        "play, their curves, and every byte of the files. It needs no network and sends nothing.\n"
        "With -o it is only written, to be kept or given to others. What does not belong\n"
        "together is shown as several figures. BROWSER names another browser than the usual one.",
    .example = "ossa view troll/\n  ossa view figures.res#unmotr textures.res -o troll.html",
    .needs_input = true,
    .run = cmd_view,
};

const struct verb *const verbs[] = {
    &verb_info, &verb_check, &verb_fields,  &verb_dump, &verb_build,   &verb_pose, &verb_convert,
    &verb_view, &verb_list,  &verb_extract, &verb_pack, &verb_formats, NULL};

static void print_usage(FILE *stream)
{
    (void)fputs("Ossa reads, checks and writes the skeletal animations of old games.\n\n"
                "usage: ossa VERB [OPTIONS] INPUT...\n\n",
                stream);
    for (size_t i = 0; verbs[i] != NULL; i++) {
        (void)fprintf(stream, "  %-10s %s\n", verbs[i]->name, verbs[i]->summary);
    }
    (void)fputs(
        "  help VERB  more about a verb, and its options\n"
        "\n"
        "  -h, --help     this text\n"
        "  -V, --version  the version\n"
        "\n"
        "An input of - is standard input. Exit status: 0 fine, 1 the data is bad or a file could\n"
        "not be read or written, 2 the call is wrong.\n",
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

/* How many letters must be put in, left out or replaced to make a verb of a word. */
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
    size_t best = 3; /* as many edits are no likeness */
    for (size_t i = 0; verbs[i] != NULL; i++) {
        size_t edits = count_edits(name, verbs[i]->name);
        if (strncmp(name, verbs[i]->name, strlen(verbs[i]->name)) == 0) edits = 1;
        if (edits < best) {
            best = edits;
            nearest = verbs[i];
        }
    }
    if (nearest != NULL) {
        complain("there is no verb '%s'; did you mean '%s'?", name, nearest->name);
    } else {
        complain("there is no verb '%s'; `ossa --help` lists them", name);
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
        complain("there is no option %s before the verb; `ossa --help` lists the verbs", word);
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
    /* A full disk shows only when the last bytes go out. */
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        complain("standard output could not be written");
        if (status == EXIT_FINE) status = EXIT_BAD_DATA;
    }
    return status;
}
