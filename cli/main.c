/* SPDX-License-Identifier: MIT
 *
 * ossa VERB [OPTIONS] INPUT... */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static const struct verb *const verbs[] = {
    &verb_info,    &verb_check,         &verb_fields,  &verb_dump,
    &verb_build,   &verb_pose,          &verb_convert, &verb_import,
    &verb_diff,    &verb_merge_reports, &verb_view,    &verb_list,
    &verb_extract, &verb_pack,          &verb_formats, NULL};

static void print_usage(FILE *stream)
{
    (void)fputs("Ossa reads, checks, converts and writes the skeletal animations of old games.\n\n"
                "usage: ossa VERB [OPTIONS] INPUT...\n\n",
                stream);
    for (size_t i = 0; verbs[i] != NULL; i++) {
        (void)fprintf(stream, "  %-13s %s\n", verbs[i]->name, verbs[i]->summary);
    }
    (void)fputs(
        "  help VERB     show details and options of a verb\n"
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

static int complain_verb(const char *name)
{
    const struct verb *nearest = NULL;
    size_t best = MOST_EDITS;
    for (size_t i = 0; verbs[i] != NULL; i++) {
        if (is_nearer(name, verbs[i]->name, &best)) nearest = verbs[i];
    }
    if (os_exists(name)) {
        complain("unknown verb '%s'; did you mean `ossa info %s`?", name, name);
    } else if (nearest != NULL) {
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
    struct texts expanded = {0};
    if (!open_workspace(cli)) {
        close_workspace(cli);
        return EXIT_BAD_DATA;
    }
    if (cli->verb->expands && !cli->figures) {
        expanded = list_files(cli, false);
        cli->inputs = (const char **)expanded.items;
        cli->input_count = expanded.count;
    }
    int status = cli->verb->run(cli);
    if (!save_index(cli) && status == EXIT_FINE) status = EXIT_BAD_DATA;
    texts_free(&expanded);
    close_workspace(cli);
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
    free(cli.words.items);
    texts_free(&cli.matches);
    free(cli.clips.items);
    free(cli.found_clips);
    texts_free(&cli.known_clips);
    free(cli.replace.items);
    free(cli.parts.items);
    free(cli.over.items);
    texts_free(&cli.given);
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
    if (os_is_drop(count - 1, arguments + 1)) return run_verb(&verb_view, count - 1, arguments + 1);
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
    os_start(&count, &arguments);
    int status = run(count, arguments);
    /* A full disk shows only when the last bytes are written. */
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        if (!os_has_lost_reader(stdout)) complain("cannot write to standard output");
        if (status == EXIT_FINE) status = EXIT_BAD_DATA;
    }
    os_stop(status != EXIT_FINE || has_complained());
    return status;
}
