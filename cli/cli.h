/* SPDX-License-Identifier: MIT
 *
 * What the verbs of the tool share. */
#ifndef OSSA_CLI_CLI_H
#define OSSA_CLI_CLI_H

#include "base/json.h"
#include "os.h"
#include "ossa/ossa.h"

enum {
    EXIT_FINE = 0,
    EXIT_BAD_DATA = 1, /* also when a file cannot be read or written */
    EXIT_BAD_CALL = 2,
};

/* ---- progress.c ---------------------------------------------------------------------------- */

/* A bar on standard error when that is a terminal and the work is long. */
struct progress {
    size_t total;
    size_t done;
    bool enabled;
    bool shown;
    const char *unit; /* what is counted: "files", unless somebody says otherwise */
    double started;
    double last;
};

void progress_start(struct progress *progress, size_t total);
void progress_step(struct progress *progress);
void progress_set(struct progress *progress, size_t done);
void progress_hide(struct progress *progress); /* before anything else is printed */

/* A call, understood. */
struct cli {
    const struct verb *verb;
    ossa_options read; /* what --format, --dialect, --strict and --max-size say */
    bool json;
    bool pretty;
    bool markdown;
    bool quiet;
    const char *output;        /* NULL: standard output */
    const char *second_output; /* the .bin of a .gltf; NULL: none */
    const char *to;            /* what to convert to; NULL: as the output's name says */
    const char *clip;          /* a name or a pattern; NULL: all */
    bool has_picked;           /* the clips were picked by it already, when they were joined */
    ossa_scene_options scene;
    ossa_ei_options ei; /* scene.ei points here once one of them is set, and so does vib */
    ossa_vib_options vib;
    bool skin; /* of glTF: one mesh, bound to the bones */
    uint32_t frame;
    double time;
    bool has_time;             /* `time` counts, not `frame` */
    const char *texture;       /* one more input */
    bool all;                  /* convert: every model of an archive */
    bool force;                /* and those that are there already */
    unsigned jobs;             /* on so many threads; 0: as many as there are cores */
    bool tree;                 /* list: enter archives inside, as a tree */
    bool flat;                 /* list: and with whole words */
    bool raw;                  /* extract: leave them packed */
    const char **replacements; /* pack: NAME=FILE, from malloc */
    size_t replacement_count;
    bool is_local;
    bool has_space; /* --space was given */
    ossa_workspace *workspace;
    ossa_filesystem disk;
    struct standard_input {
        bool is_read;
        struct os_bytes bytes;
        ossa_error error;
    } standard_input;
    struct progress search;        /* of a file of a disc */
    struct os_file_id *read_files; /* that a scene was made of, from malloc: not to be replaced */
    size_t read_count;
    bool out_of_memory; /* for those */
    size_t passed_over; /* files that no scene can be made of */
    size_t reported;    /* files that could not be read */
    char *issue_path;   /* of the last file with issues, from malloc, and how many it has */
    size_t issue_count;
    char **inputs;
    size_t input_count;
};

struct verb {
    const char *name;
    const char *summary; /* one line */
    const char *inputs;  /* what to write after the options in the usage line */
    const char *options; /* the long names of those it takes, separated by a space */
    const char *details; /* what it does, more than a line */
    const char *example;
    bool needs_input;
    bool expands; /* its inputs are files: ARCHIVE#MODEL is replaced by what it means before it runs
                   */
    int (*run)(struct cli *cli);
};

extern const struct verb *const verbs[]; /* ends with NULL */

int cmd_info(struct cli *cli);
int cmd_check(struct cli *cli);
int cmd_fields(struct cli *cli);
int cmd_dump(struct cli *cli);
int cmd_build(struct cli *cli);
int cmd_pose(struct cli *cli);
int cmd_convert(struct cli *cli);
int cmd_formats(struct cli *cli);
int cmd_list(struct cli *cli);
int cmd_extract(struct cli *cli);
int cmd_pack(struct cli *cli);
int cmd_view(struct cli *cli);

/* ---- parse_options.c ----------------------------------------------------------------------- */

/* Fill `cli` from the words after the verb; false (and a message) when the call is wrong. `*help`
 * is set when help was asked for. `cli->inputs` is in `arguments`' own memory. */
bool parse_options(struct cli *cli, int count, char **arguments, bool *help);
void print_options(FILE *stream, const struct verb *verb);

/* ---- say.c --------------------------------------------------------------------------------- */

/* Messages of this thread, kept instead of printed. */
struct messages {
    char **texts; /* from malloc */
    size_t count;
};
/* From now on (NULL: no more). */
void keep_messages(struct messages *messages);
void free_messages(struct messages *messages);

/* A line on standard error, "ossa: ...". */
void complain(const char *format, ...) OSSA_PRINTF(1, 2);
/* The same about a file, "ossa: FILE: ...". */
void complain_error(const char *file, const ossa_error *error);
void complain_issues(const char *name, const ossa_file *file);
/* The same for one issue, with its path. */
void complain_issue(const ossa_issue *issue);
/* What the user can do about such an error, to be put behind it; "" where that is not known. */
const char *hint_of(ossa_code code);
enum { ISSUE_CAPACITY = OSSA_MESSAGE_CAPACITY + OSSA_FIELD_CAPACITY + 64 };
/* Text from outside, a name or a message: what a terminal would obey is shown as '?'. */
void print_plain(FILE *stream, const char *text);
/* What people are told an input is called: "standard input" for "-". */
const char *shown_name(const char *path);
/* "1 file", "2 files". */
const char *plural(size_t count);
/* The escape that starts (or with NULL ends) the colour of a severity; "" where none is wanted. */
const char *severity_colour(FILE *stream, const ossa_severity *severity);

/* ---- input.c ------------------------------------------------------------------------------- */

/* One file to work on. */
struct input {
    char *path; /* "-" for standard input */
    bool named; /* by the user; otherwise found in a folder */
};

struct input_list {
    struct input *items;
    size_t count;
    char **words; /* of expand_inputs */
};

/* The inputs of a call, folders entered when the verb wants that, and ARCHIVE#FIGURE and
 * ARCHIVE#FOLDER as the entries that they mean. False when memory ran out. */
bool list_inputs(const struct cli *cli, bool enter_folders, struct input_list *list);
void free_inputs(struct input_list *list);
/* The same words as inputs of the call: they lie in `list`, to be freed after. */
bool expand_inputs(struct cli *cli, struct input_list *list);

/* The file of the file system that a path leads to, or into. */
bool identify_file(const char *path, struct os_file_id *id);

#define DEFAULT_MAX_INPUT (UINT64_C(256) << 20) /* as in ossa/file.h */

/* The workspace of a call, in which "-" is standard input; false after a message. */
bool open_workspace(struct cli *cli);

/* ---- patterns.c ---------------------------------------------------------------------------- */

/* * stands for any characters, ? for one. */
bool matches(const char *pattern, const char *text);

/* ---- output.c ------------------------------------------------------------------------------ */

/* Where the results of several inputs go: one stream, or a file each in a folder. */
struct destination {
    bool is_folder;
    const char *path; /* "-" for standard output */
    char **names;     /* of the files in the folder, by input */
};

/* Decide from the inputs and -o; `name_of` gives the name in a folder for an input's path, from
 * malloc. Gives the exit status: not EXIT_FINE, after a message, when that cannot be done. */
int plan_output(const struct cli *cli, char *(*name_of)(const char *input),
                struct destination *destination);
void free_destination(const struct cli *cli, struct destination *destination);

/* The path of a file in a folder, from malloc; NULL where there is no memory. */
char *path_in(const char *folder, const char *name);

/* Standard output as a sink. */
ossa_sink stdout_sink(void);

#endif
