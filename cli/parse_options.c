/* SPDX-License-Identifier: MIT
 *
 * From the words of a call to what it asks for. */
#include "options.h"

#include <string.h>

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

/* The option that a word names, and the value in it after "=", if any. */
static const struct option *find_option(const char *word, const char **value)
{
    *value = NULL;
    if (word[1] != '-') {
        for (size_t i = 0; i < option_count; i++) {
            if (options[i].letter == 0 || options[i].letter != word[1]) continue;
            if (word[2] == '\0') return &options[i];
            if (options[i].value != NULL) {
                *value = word + 2;
                return &options[i];
            }
        }
        return NULL;
    }
    size_t size = strcspn(word + 2, "=");
    for (size_t i = 0; i < option_count; i++) {
        if (strlen(options[i].name) != size) continue;
        if (memcmp(options[i].name, word + 2, size) != 0) continue;
        if (word[2 + size] == '=') *value = word + 2 + size + 1;
        return &options[i];
    }
    return NULL;
}

static bool apply(struct cli *cli, const struct option *option, const char *word, const char *value)
{
    if (!takes(cli->verb, option->name)) {
        complain("%s has no option %s; `ossa help %s` lists them", cli->verb->name, word,
                 cli->verb->name);
        return false;
    }
    if (option->value != NULL && value == NULL) {
        complain("%s needs a value: %s %s", word, word, option->value);
        return false;
    }
    if (option->value == NULL && value != NULL) {
        complain("--%s takes no value", option->name);
        return false;
    }
    return option->set(cli, value);
}

bool parse_options(struct cli *cli, int count, char **arguments, bool *help)
{
    bool only_inputs = false;
    cli->inputs = arguments;
    *help = false;
    for (int i = 0; i < count; i++) {
        char *word = arguments[i];
        bool is_stdin = word[0] == '-' && (word[1] == '\0' || word[1] == '#'); /* or in it */
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
            complain("there is no option %s; `ossa help %s` lists them", word, cli->verb->name);
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
    for (size_t i = 0; i < option_count; i++) {
        const struct option *option = &options[i];
        if (!takes(verb, option->name)) continue;
        char name[40];
        char letter[8] = "    ";
        if (option->letter != 0) (void)snprintf(letter, sizeof letter, "-%c, ", option->letter);
        (void)snprintf(name, sizeof name, "%s--%s %s", letter, option->name,
                       option->value == NULL ? "" : option->value);
        (void)fprintf(stream, "  %-22s %s\n", name, option->help);
    }
    (void)fprintf(stream, "  %-22s %s\n", "-h, --help", "this text");
}
