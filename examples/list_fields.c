/* SPDX-License-Identifier: MIT
 *
 * List every scalar of a file with its offset, as the reader meets it: a hex dump that knows what
 * it shows. Also of a file that cannot be read to its end.
 *
 *     list_fields FILE [FORMAT] */
#include "file_io.h"

#include <inttypes.h>

/* The field is valid only during this call: print or copy what is needed of it. */
static void print_field(void *user, const ossa_field *field)
{
    unsigned long *count = user;
    char value[80];
    (void)ossa_field_value(field, value, sizeof value); /* cut to fit */
    printf("%08" PRIx64 " %6" PRIu64 " %-8s %-40s %s\n", field->offset, field->size,
           ossa_field_type_name(field->type), field->path, value);
    (*count)++;
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 3) {
        fputs("usage: list_fields FILE [FORMAT]\n", stderr);
        return 2;
    }
    size_t size;
    void *data = load_file(argv[1], &size);
    if (data == NULL) return 1;

    unsigned long count = 0;
    ossa_options options = {.name = argv[1],
                            .format = argc == 3 ? argv[2] : NULL,
                            .on_field = print_field,
                            .user = &count};
    ossa_error error;
    ossa_file *file = ossa_read(data, size, &options, &error);
    if (file == NULL) print_error(argv[1], &error);
    printf("%lu fields\n", count);
    int status = file == NULL ? 1 : 0;
    ossa_file_free(file); /* NULL is fine */
    free(data);
    return status;
}
