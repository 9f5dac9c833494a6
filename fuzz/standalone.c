/* SPDX-License-Identifier: MIT
 *
 * Runs a fuzz target without an engine: over each file that is named, and each file in a folder
 * that is named. This is how the corpora are part of the ordinary tests. */
#include "target.h"

#include <dirent.h>
#include <stdbool.h>
#include <sys/stat.h>

enum { PATH_CAPACITY = 4096 };

/* The whole of a file in a buffer of just its size, so that a sanitizer sees a byte too many. */
static uint8_t *load(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) return NULL;
    uint8_t *bytes = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        long end = ftell(file);
        rewind(file);
        *size = end > 0 ? (size_t)end : 0;
        bytes = end < 0 ? NULL : malloc(*size + (end == 0));
        if (bytes != NULL && fread(bytes, 1, *size, file) != *size) {
            free(bytes);
            bytes = NULL;
        }
    }
    (void)fclose(file);
    return bytes;
}

static unsigned long run_file(const char *path)
{
    size_t size = 0;
    uint8_t *bytes = load(path, &size);
    if (bytes == NULL) {
        perror(path);
        exit(1);
    }
    /* Told before: a crash in the target must name its input. */
    printf("%s (%zu bytes)\n", path, size);
    (void)fflush(stdout);
    (void)LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    return 1;
}

static unsigned long run_folder(const char *path)
{
    DIR *folder = opendir(path);
    if (folder == NULL) {
        perror(path);
        exit(1);
    }
    unsigned long count = 0;
    /* cppcheck-suppress readdirCalled ; there is one thread, and readdir_r is deprecated */
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        char inner[PATH_CAPACITY];
        int n = snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] == '.' || n < 0 || (size_t)n >= sizeof inner) continue;
        count += run_file(inner);
    }
    (void)closedir(folder);
    return count;
}

int main(int argc, char **argv)
{
    unsigned long count = 0;
    for (int i = 1; i < argc; i++) {
        struct stat about;
        bool is_folder = stat(argv[i], &about) == 0 && S_ISDIR(about.st_mode);
        count += is_folder ? run_folder(argv[i]) : run_file(argv[i]);
    }
    printf("%lu inputs\n", count);
    return count > 0 ? 0 : 1; /* a corpus that went missing is no success */
}
