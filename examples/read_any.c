/* SPDX-License-Identifier: MIT
 *
 * Say what a file is, what it holds, and what is wrong with it.
 *
 *     read_any FILE */
#include "file_io.h"

static void print_issues(const ossa_file *file)
{
    for (size_t i = 0; i < file->issue_count; i++) {
        char text[1024];
        (void)ossa_issue_text(&file->issues[i], text, sizeof text);
        printf("%s: %s\n", ossa_severity_name(file->issues[i].severity), text);
    }
    printf("%zu errors, %zu warnings\n", file->error_count, file->warning_count);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: read_any FILE\n", stderr);
        return 2;
    }
    size_t size;
    void *data = load_file(argv[1], &size);
    if (data == NULL) return 1;

    /* The name is a hint: three formats share the extension .anm. Checking the values looks at
     * every number; without it only the structure is checked. */
    ossa_options options = {.name = argv[1], .check_values = true};
    ossa_error error;
    ossa_file *file = ossa_read(data, size, &options, &error);
    if (file == NULL) {
        print_error(argv[1], &error);
        free(data);
        return 1;
    }
    printf("%s: %s (%s), %s\n", argv[1], file->format->title, file->format->id, file->format->game);
    bool described = ossa_describe(file, stream_sink(stdout), &error);
    if (!described) print_error(argv[1], &error);
    print_issues(file);

    bool good = described && file->error_count == 0;
    ossa_file_free(file); /* before the bytes: it may refer to them */
    free(data);
    return good ? 0 : 1;
}
