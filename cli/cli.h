/* SPDX-License-Identifier: MIT
 *
 * Shared by the verbs of the tool. */
#ifndef OSSA_CLI_CLI_H
#define OSSA_CLI_CLI_H

#include "base/json.h"
#include "os.h"
#include "ossa/ossa.h"

enum {
    EXIT_FINE = 0,
    EXIT_BAD_DATA = 1, /* or a file cannot be read or written */
    EXIT_BAD_CALL = 2,
};

/* ---- progress.c ---------------------------------------------------------------------------- */

/* A bar on standard error, if that is a terminal and the work takes long. */
struct progress {
    size_t total;
    size_t done;
    bool enabled;
    bool shown;
    const char *unit; /* what is counted; "files" by default */
    double started;
    double last;
};

void progress_start(struct progress *progress, size_t total);
void progress_step(struct progress *progress);
void progress_set(struct progress *progress, size_t done);
void progress_hide(struct progress *progress); /* before anything else is printed */

/* A parsed command line. */
struct cli {
    const struct verb *verb;
    ossa_options read; /* --format, --dialect, --strict and --max-size */
    bool json;
    bool pretty;
    bool markdown;
    bool quiet;
    const char *output;        /* NULL: standard output */
    const char *second_output; /* the .bin of a .gltf; NULL: none */
    const char *to;   /* convert: the kind of output, NULL: by its name; extract: the folder */
    const char *clip; /* a name or a pattern; NULL: all */
    bool has_picked;  /* joining has already picked the clips */
    ossa_scene_options scene;
    ossa_ei_options ei; /* scene.ei points here, scene.vib to the next */
    ossa_vib_options vib;
    bool skin; /* glTF: one skinned mesh */
    uint32_t frame;
    double time;
    bool has_time;             /* use `time`, not `frame` */
    const char *texture;       /* one more input */
    bool all;                  /* convert: every figure of the first input */
    bool force;                /* convert --all: even if the output is up to date */
    uint32_t jobs;             /* threads; 0: one per core */
    bool tree;                 /* list: enter nested archives, as a tree */
    bool flat;                 /* list: the same, with full paths */
    bool raw;                  /* extract: do not enter nested archives */
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
    struct progress search;        /* of a disc */
    struct os_file_id *read_files; /* of the scene, from malloc: outputs must not replace them */
    size_t read_count;
    bool out_of_memory; /* for read_files */
    size_t skipped;     /* files that cannot be part of a scene */
    size_t reported;    /* files that could not be read */
    char *issue_path;   /* of the last file with issues, from malloc */
    size_t issue_count; /* of that file */
    char **inputs;
    size_t input_count;
};

struct verb {
    const char *name;
    const char *summary; /* one line */
    const char *inputs;  /* what follows the options in the usage line */
    const char *options; /* the long names of its options, separated by spaces */
    const char *details; /* what it does */
    const char *example;
    bool needs_input;
    bool expands; /* it takes files: ARCHIVE#FIGURE is replaced by its entries before it runs */
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

/* ---- options.c ----------------------------------------------------------------------------- */

/* Fill `cli` from the words after the verb; false, after a message, if they are wrong. Sets `*help`
 * if the user asks for help. `cli->inputs` points into `arguments`. */
bool parse_options(struct cli *cli, int count, char **arguments, bool *help);
void print_options(FILE *stream, const struct verb *verb);

/* ---- say.c --------------------------------------------------------------------------------- */

/* Messages of one thread, kept instead of printed. */
struct messages {
    char **texts; /* from malloc */
    size_t count;
};
/* Keep the messages of this thread from now on; NULL: print them again. */
void keep_messages(struct messages *messages);
void free_messages(struct messages *messages);

/* Print a line on standard error, "ossa: ...". */
void complain(const char *format, ...) OSSA_PRINTF(1, 2);
/* The same about a file, "ossa: FILE: ...". */
void complain_error(const char *file, const ossa_error *error);
void complain_issues(const char *name, const ossa_file *file);
/* The same for one issue, with its path. */
void complain_issue(const ossa_issue *issue);
void complain_not_archive(const char *path, const ossa_format *format); /* NULL: unknown */
/* What the user can do about an error, to follow its text; "" if nothing is known. */
const char *hint_of(ossa_code code);
enum { ISSUE_CAPACITY = OSSA_MESSAGE_CAPACITY + OSSA_FIELD_CAPACITY + 64 };
/* Print text from a file, a name or a message: control characters become '?'. */
void print_plain(FILE *stream, const char *text);
/* The name of an input in messages: "standard input" for "-". */
const char *shown_name(const char *path);
/* "1 file", "2 files". */
const char *plural(size_t count);
/* The escape that starts the colour of a severity, or with NULL ends it; "" without colours. */
const char *severity_colour(FILE *stream, const ossa_severity *severity);

/* ---- input.c ------------------------------------------------------------------------------- */

/* An input file. */
struct input {
    char *path; /* "-" for standard input */
    bool named; /* by the user, not found in a folder */
};

struct input_list {
    struct input *items;
    size_t count;
    char **words; /* for expand_inputs */
};

/* The input files: ARCHIVE#FIGURE and ARCHIVE#FOLDER become their entries, and with `enter_folders`
 * folders become their files. False if memory runs out. */
bool list_inputs(const struct cli *cli, bool enter_folders, struct input_list *list);
void free_inputs(struct input_list *list);
/* Replace the inputs of `cli` by such a list, without entering folders; free it afterwards. */
bool expand_inputs(struct cli *cli, struct input_list *list);

/* The file on disk that a path leads to, or into. */
bool identify_file(const char *path, struct os_file_id *id);

#define DEFAULT_MAX_INPUT (UINT64_C(256) << 20) /* as in ossa/file.h */

/* Create the workspace, in which "-" is standard input; false after a message. */
bool open_workspace(struct cli *cli);

/* ---- output.c ------------------------------------------------------------------------------ */

/* Where the results of several inputs go: one stream, or one file per input in a folder. */
struct destination {
    bool is_folder;
    const char *path; /* "-" for standard output */
    char **names;     /* of the files in the folder, by input */
};

/* Decide from the inputs and -o; `name_of` returns the file name for an input, from malloc. Returns
 * the exit status, after a message unless it is EXIT_FINE. */
int plan_output(const struct cli *cli, char *(*name_of)(const char *input),
                struct destination *destination);
void free_destination(const struct cli *cli, struct destination *destination);

/* Open an output, or print why that fails. */
bool open_output(struct os_output *output, const char *path);
/* Keep an output if `ok`, or else discard it. False, after a message, if it is not kept. */
bool close_output(struct os_output *output, const char *path, bool ok);

/* The path of a file in a folder, from malloc; NULL if memory runs out. */
char *path_in(const char *folder, const char *name);

/* Free a list of strings from malloc, and the list. */
void free_texts(char **texts, size_t count);

/* Standard output as a sink. */
ossa_sink stdout_sink(void);

#endif
