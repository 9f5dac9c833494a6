/* SPDX-License-Identifier: MIT
 *
 * Read a file with memory of your own, and no more of it than you allow. The library has a limit
 * too (options.max_memory); an allocator is for programs that share one budget among many files.
 *
 *     custom_allocator FILE [BYTES] */
#include "file_io.h"

/* `release` is told the size, so a budget needs no headers of its own. */
struct budget {
    size_t limit;
    size_t used;
    size_t most;
    size_t calls;
};

static void *take(void *user, size_t size)
{
    struct budget *budget = user;
    if (size > budget->limit - budget->used) return NULL; /* the call fails with out-of-memory */
    void *memory = malloc(size);
    if (memory == NULL) return NULL;
    budget->used += size;
    budget->calls++;
    if (budget->used > budget->most) budget->most = budget->used;
    return memory;
}

static void give_back(void *user, void *memory, size_t size)
{
    struct budget *budget = user;
    budget->used -= size;
    free(memory);
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 3) {
        fputs("usage: custom_allocator FILE [BYTES]\n", stderr);
        return 2;
    }
    struct budget budget = {.limit = 1 << 20};
    if (argc == 3) budget.limit = strtoul(argv[2], NULL, 10);
    size_t size;
    void *data = load_file(argv[1], &size);
    if (data == NULL) return 1;

    ossa_options options = {.name = argv[1],
                            .allocator = {.allocate = take, .release = give_back, .user = &budget}};
    ossa_error error;
    ossa_file *file = ossa_read(data, size, &options, &error);
    if (file == NULL) {
        print_error(argv[1], &error);
        if (error.code == OSSA_CODE_OUT_OF_MEMORY) {
            fprintf(stderr, "the budget was %zu bytes\n", budget.limit);
        }
        free(data);
        return 1;
    }
    printf("%s: %zu bytes in memory for a file of %zu, in %zu pieces\n", file->format->id,
           budget.used, size, budget.calls);
    ossa_file_free(file);
    printf("%zu bytes after it was freed, %zu at most\n", budget.used, budget.most);
    free(data);
    return budget.used == 0 ? 0 : 1;
}
