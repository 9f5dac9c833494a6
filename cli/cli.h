/* SPDX-License-Identifier: MIT
 *
 * Shared by the verbs of the tool. */
#ifndef OSSA_CLI_CLI_H
#define OSSA_CLI_CLI_H

#include "base/json.h"
#include "os.h"
#include "ossa/ossa.h"

#include <stdarg.h>

enum {
    EXIT_FINE = 0,
    EXIT_BAD_DATA = 1, /* or a file cannot be read or written */
    EXIT_BAD_CALL = 2,
};

/* ---- memory.c ------------------------------------------------------------------------------ */

/* The tool needs little memory of its own, for names and lists. If even that is not there, it ends
 * with a message. The library, which needs far more, reports it like any other error. */

/* Zeroed memory, from malloc. */
void *allocate(size_t count, size_t size);
/* A list that has `count` items, with room for one more. */
void *make_room(void *items, size_t count, size_t size);
/* A copy of a text, or a text as by printf, from malloc. */
char *copy_text(const char *text);
char *format_text(const char *format, ...) OSSA_PRINTF(1, 2);
char *format_list(const char *format, va_list arguments) OSSA_PRINTF(1, 0);
/* The path of a file in a folder, from malloc. */
char *path_in(const char *folder, const char *name);

/* A list of texts, each from malloc. */
struct texts {
    char **items;
    size_t count;
};
void texts_add(struct texts *texts, char *text); /* which it owns from now on */
void texts_free(struct texts *texts);

/* ---- progress.c ---------------------------------------------------------------------------- */

/* A bar on standard error, if that is a terminal and the work takes long. */
struct progress {
    size_t total; /* 0: unknown, only what is done is shown */
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

/* ---- options.c ----------------------------------------------------------------------------- */

/* The values of an option that may be repeated. */
struct words {
    const char **items; /* from malloc */
    size_t count;
};

/* The part of a run that this call does: figure number 1, 1 + count, 1 + 2 * count, ... of the
 * first shard. */
struct shard {
    uint32_t number; /* from 1 */
    uint32_t count;  /* of all shards; 0: they are not split */
};

/* A parsed command line. */
struct cli {
    const struct verb *verb;
    ossa_options read; /* --format, --dialect, --strict and --max-size */
    bool json;
    bool pretty;
    bool markdown;
    bool quiet;
    const char *output;       /* NULL: standard output */
    struct os_folder *folder; /* convert: that the outputs are in; NULL: the user names them */
    const char *index;        /* --index: the file; NULL: none */
    char *index_bytes;        /* what is in it, from malloc; NULL: nothing yet */
    size_t index_size;
    const char *to;     /* convert: the kind of output, NULL: by its name; extract: the folder */
    struct words clips; /* names or patterns; none: all clips */
    bool *found_clips;  /* those that the scene has, from malloc */
    struct texts known_clips; /* the first names of all clips, wanted or not */
    size_t known_count;       /* of all clips */
    bool has_first;           /* pose: one clip is wanted already */
    ossa_scene_options scene;
    ossa_ei_options ei; /* scene.ei points here, scene.vib and scene.sotc to the next */
    ossa_vib_options vib;
    ossa_sotc_options sotc;
    bool skin; /* glTF: one skinned mesh */
    uint32_t frame;
    double time;
    bool has_time;        /* use `time`, not `frame` */
    const char *texture;  /* one more input */
    bool all;             /* convert: every figure of the inputs */
    bool force;           /* overwrite, replace or convert again what stays otherwise */
    uint32_t jobs;        /* threads; 0: one per core */
    struct shard shard;   /* convert --all: only this part */
    bool tree;            /* list: enter nested archives, as a tree */
    bool flat;            /* list: the same, with full paths */
    bool figures;         /* list: the figures, not the entries */
    bool raw;             /* extract: do not enter nested archives */
    struct words replace; /* pack: NAME=FILE */
    struct words parts;   /* ei.parts is taken from here */
    struct words over;    /* import: the originals */
    bool dry_run;         /* import: only report */
    ossa_import_options import;
    enum { SPACE_DEFAULT, SPACE_MODEL, SPACE_LOCAL } space;
    bool is_limited;      /* load_scene failed because it needs more than scene.max_memory */
    size_t left_out;      /* kinds of errors for which load_scene left something out */
    struct texts given;   /* the options as they were given, "--fps=30" */
    struct words words;   /* the inputs as they were given */
    struct texts matches; /* what patterns among them stand for */
    const char **inputs;  /* these, or what they were expanded to */
    size_t input_count;

    /* The files behind them, see input.c. */
    ossa_workspace *workspace;
    ossa_filesystem disk;
    struct standard_input {
        bool is_read;
        ossa_buffer bytes;
        ossa_error error;
    } standard_input;
    struct progress search;   /* of a disc */
    struct os_file_id *noted; /* from malloc: outputs must not overwrite them */
    size_t noted_count;
};

struct verb {
    const char *name;
    const char *summary; /* one line */
    const char *inputs;  /* what follows the options in the usage line */
    const char *details; /* what it does */
    const char *example;
    bool needs_input;
    bool has_patterns; /* its inputs after the first are patterns of its own */
    bool expands; /* it takes files: ARCHIVE#FIGURE is replaced by its entries before it runs */
    int (*run)(struct cli *cli);
};

extern const struct verb verb_info, verb_check, verb_fields, verb_dump, verb_build, verb_pose,
    verb_convert, verb_import, verb_diff, verb_merge_reports, verb_view, verb_list, verb_extract,
    verb_pack, verb_formats;

/* Fill `cli` from the words after the verb; false, after a message, if they are wrong. Sets `*help`
 * if the user asks for help. Paths in `arguments` are changed. */
bool parse_options(struct cli *cli, int count, char **arguments, bool *help);
void print_options(FILE *stream, const struct verb *verb);
/* Read "2/5"; false if it is not a shard. */
bool read_shard(const char *text, struct shard *shard);

/* Is a word a likely misspelling of a name, and does that need less than `*best` edits, which is
 * updated? Start with MOST_EDITS. */
enum { MOST_EDITS = 3 };
bool is_nearer(const char *word, const char *name, size_t *best);

/* ---- say.c --------------------------------------------------------------------------------- */

/* Keep the messages of this thread from now on; NULL: print them again. */
void keep_messages(struct texts *messages);

/* Has any message been printed? */
bool has_complained(void);
/* Print a line on standard error, "ossa: ...". */
void complain(const char *format, ...) OSSA_PRINTF(1, 2);
/* The same about a file, "ossa: FILE: ...". */
void complain_error(const char *file, const ossa_error *error);
/* The same for what a picture is put into. */
void complain_picture(const char *file, const ossa_error *error);
void complain_issues(const char *name, const ossa_file *file);
/* The same for one issue, with its path. */
void complain_issue(const ossa_issue *issue);
void complain_not_archive(const char *path, const ossa_format *format); /* NULL: unknown */
/* What the user can do about an error, to follow its text; "" if nothing is known. */
const char *hint_of(ossa_code code);
enum {
    ISSUE_CAPACITY = OSSA_MESSAGE_CAPACITY + (OSSA_MAX_PLACES + 1) * (OSSA_FIELD_CAPACITY + 32) + 64
};
/* Print text from a file, a name or a message: control characters become '?'. */
void print_plain(FILE *stream, const char *text);
/* The same for a line on standard output, as by printf. */
void print_line(const char *format, ...) OSSA_PRINTF(1, 2);
/* The name of an input in messages: "standard input" for "-". */
const char *shown_name(const char *path);
/* "1 file", "2 files"; "1 entry", "2 entries". */
const char *plural(size_t count);
const char *plural_y(size_t count);
/* The escape that starts the colour of a severity, or with NULL ends it; "" without colours. */
const char *severity_colour(FILE *stream, const ossa_severity *severity);
/* A JSON document on standard output, in one line. */
void json_begin(struct ossa__json *json);
bool json_end(struct ossa__json *json);
/* A text, or null for NULL. */
void json_member(struct ossa__json *json, const char *key, const char *text);

/* ---- input.c ------------------------------------------------------------------------------- */

/* Create the workspace, in which "-" is standard input; false after a message. */
bool open_workspace(struct cli *cli);
void close_workspace(struct cli *cli);

/* The input files: ARCHIVE#FIGURE and ARCHIVE#FOLDER become their entries, and with `enter_folders`
 * folders become their files. */
struct texts list_files(const struct cli *cli, bool enter_folders);

/* The file on disk that a path leads to, or into; false if there is none. */
bool identify(const char *path, struct os_file_id *id);
/* The same; `path` becomes that of the file. */
bool find_file(char *path, struct os_file_id *id);
/* Note it as an input that no output may overwrite. */
void note_file(struct cli *cli, const char *path);
/* The same for all files of an input; false, after a message, if it leads nowhere. */
bool note_input(struct cli *cli, const char *word);
/* Is a path a file that was noted, under any name? */
bool is_noted(const struct cli *cli, const char *path);

/* A file of the disk that is not an input, with a terminator, from malloc; NULL after a message. */
/* --index: what is kept from earlier calls, before the first file is read, and what is kept for
 * later ones. False after a message. */
bool load_index(struct cli *cli);
bool save_index(const struct cli *cli);
char *read_whole(const char *path, uint64_t limit, size_t *size);

/* ---- list_figures.c ------------------------------------------------------------------------ */

/* The figures of an input, as JSON or with json == NULL as text; false after a message. */
bool print_figures_of(struct cli *cli, const char *input, struct ossa__json *json);

/* ---- output.c ------------------------------------------------------------------------------ */

/* Where the results of several inputs go: one stream, or one file per input in a folder. */
struct destination {
    bool is_folder;
    const char *path;         /* "-" for standard output */
    struct os_folder *folder; /* NULL: none */
    struct texts names;       /* of the files in the folder, by input */
};

/* What an output is. A file of the same kind may be replaced by it. */
struct output_kind {
    const char *name;          /* "a GLB" */
    const ossa_format *format; /* of a game; NULL: none, it is recognised as follows */
    const char *start;         /* the first bytes */
    const char *word;          /* that follows soon; NULL: none */
    const char *far;           /* found anywhere in the file; NULL: none */
};
extern const struct output_kind kind_ossa_json;

/* Decide from the inputs and -o; `name_of` returns the file name for an input, from malloc. With
 * `kind` NULL the caller checks each output. Returns the exit status, after a message unless it is
 * EXIT_FINE. */
int plan_output(struct cli *cli, char *(*name_of)(const char *input),
                const struct output_kind *kind, struct destination *destination);
void free_destination(struct destination *destination);

/* Is standard output, which `path` is then, a terminal? Binary data does not go there. */
bool refuse_terminal(const char *path);
/* Would an output overwrite a file that was noted? Then a message. */
bool overwrites_input(const struct cli *cli, const char *path);
/* May an output take the place of what is there: nothing, an empty file, one of its own kind, or
 * with --force anything? Otherwise a message. */
bool may_replace(const struct cli *cli, const char *path, const struct output_kind *kind);
bool is_of_kind(const struct cli *cli, const char *path, const struct output_kind *kind);
/* Open a folder to write into, which is created unless it exists; NULL after a message. */
struct os_folder *open_folder(const char *path);

/* Say why an output cannot be written; only once if the disk is full. Always false. */
bool complain_output(const char *path, const struct os_why *why);
/* Has that been said? There is no point in trying more outputs. */
bool disk_is_full(void);

/* Open an output, or print why that fails. With a folder, `path` is that of a file in it, and
 * follows no link. */
bool open_output(struct os_output *output, const char *path);
bool open_output_in(struct os_output *output, const struct os_folder *folder, const char *path);
/* Keep an output if `ok`, or else discard it. False if it is not kept; after a message if it cannot
 * be written, so nobody else needs to report that. */
bool close_output(struct os_output *output, const char *path, bool ok);
ossa_sink output_sink(struct os_output *output);

/* Standard output as a sink. */
ossa_sink stdout_sink(void);

#endif
