/* SPDX-License-Identifier: MIT
 *
 * assimp_check FILES RESULTS : what assimp makes of every GLB and BVH that prepare.sh made in
 * FILES. The results go to the folder RESULTS. Exit status: 0 all is right, 1 not, 2 the call is
 * wrong. */
#include "assimp_check.h"

#include <assimp/version.h>
#include <stdarg.h>
#include <string.h>

static bool is_silent;

bool complain(const char *format, ...)
{
    if (is_silent) return false;
    va_list list;
    va_start(list, format);
    (void)fputs("    ", stdout);
    (void)vprintf(format, list);
    (void)putchar('\n');
    va_end(list);
    return false;
}

void complaints_silence(bool silent)
{
    is_silent = silent;
}

void result_add(const peer_results *results, const peer_figure *figure, const char *fact,
                const char *outcome, const double *worst)
{
    char version[32];
    (void)snprintf(version, sizeof version, "%u.%u", aiGetVersionMajor(), aiGetVersionMinor());
    json_t *line = json_pack("{s:s, s:s, s:s, s:s, s:s}", "program", results->program, "version",
                             version, "subject", figure->name, "fact", fact, "outcome", outcome);
    json_object_set_new(line, "worst", worst != NULL ? json_real(*worst) : json_null());
    (void)json_dumpf(line, results->file, JSON_COMPACT);
    (void)fputc('\n', results->file);
    json_decref(line);
    (void)printf("%s: %s: %s", figure->name, fact, outcome);
    if (worst != NULL) (void)printf(" (worst %.2g)", *worst);
    (void)putchar('\n');
}

typedef bool check_function(peer_figure *figure, const peer_results *results);

static int check_all(const char *files, const peer_results *results, check_function *check)
{
    char path[640];
    char name[64];
    int failed = 0;
    int count = 0;
    (void)snprintf(path, sizeof path, "%s/subjects", files);
    FILE *subjects = fopen(path, "rb");
    if (subjects == NULL) {
        (void)printf("%s is not there\n", path);
        return 1;
    }
    for (; fscanf(subjects, "%63s", name) == 1; count++) {
        peer_figure figure;
        if (!figure_read(files, name, &figure) || !check(&figure, results)) {
            (void)printf("%s: FAILED (%s)\n", name, results->program);
            failed++;
        }
        figure_free(&figure);
    }
    (void)fclose(subjects);
    (void)printf("%s: %d figures, %d failures\n", results->program, count, failed);
    return count > 0 ? failed : 1;
}

static int run(const char *files, const char *folder, const char *name, const char *program,
               check_function *check)
{
    char path[640];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    peer_results results = {fopen(path, "wb"), program};
    if (results.file == NULL) {
        (void)printf("%s cannot be written\n", path);
        return 1;
    }
    const int failed = check_all(files, &results, check);
    return fclose(results.file) == 0 ? failed : 1;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        (void)fputs("usage: assimp_check FILES RESULTS\n", stderr);
        return 2;
    }
    int failed = run(argv[1], argv[2], "assimp-gltf.jsonl", "assimp, glTF", check_gltf);
    failed += run(argv[1], argv[2], "assimp-bvh.jsonl", "assimp, BVH", check_bvh);
    failed += !check_shapes(argv[1]);
    return failed == 0 ? 0 : 1;
}
