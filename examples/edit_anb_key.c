/* SPDX-License-Identifier: MIT
 *
 * Change one key of a Shadow of the Colossus animation and write the file anew. Every other byte
 * stays as it was, also those that nobody understands.
 *
 *     edit_anb_key IN OUT BONE POSE VALUE... */
#include "file_io.h"

#include <string.h>

/* What the command line asks for. */
struct edit {
    uint32_t bone;
    uint32_t pose;
    int value_count;
    char **values;
};

/* A number in a range; prints what is wrong with it. */
static bool parse_number(const char *text, long long least, long long most, long long *number)
{
    char *end;
    *number = strtoll(text, &end, 0);
    if (end != text && *end == '\0' && *number >= least && *number <= most) return true;
    fprintf(stderr, "'%s' is not a number from %lld to %lld\n", text, least, most);
    return false;
}

/* A copy of `size` bytes that can be changed. */
static void *copy_of(const void *bytes, size_t size)
{
    void *copy = malloc(size);
    if (copy != NULL) memcpy(copy, bytes, size);
    return copy;
}

/* How many integers a key has: 1 (flags 3 to 6 and 13), 3 (flag 12), or 0 where there are none. */
static int key_width(uint8_t flag)
{
    if (flag >= 3 && flag <= 6) return 1;
    if (flag == 12) return 3;
    return flag == 13 ? 1 : 0;
}

/* The keys that were read are constant (they may lie in the caller's own bytes): point the bone at
 * a changed copy. Gives the copy, which must live until the file is written; NULL on failure. */
static void *change_key(const ossa_sotc_anb *anb, ossa_sotc_bone *bone, const struct edit *edit)
{
    int width = key_width(bone->flag);
    bool is_packed = bone->flag >= 3 && bone->flag <= 6;
    long long numbers[3];
    if (width == 0) {
        fprintf(stderr, "bone %u has flag %u: no keys\n", edit->bone, bone->flag);
        return NULL;
    }
    if (edit->value_count != width) {
        fprintf(stderr, "flag %u needs %d value(s)\n", bone->flag, width);
        return NULL;
    }
    for (int i = 0; i < width; i++) {
        long long least = is_packed ? 0 : INT16_MIN;
        long long most = is_packed ? UINT32_MAX : INT16_MAX;
        if (!parse_number(edit->values[i], least, most, &numbers[i])) return NULL;
    }
    if (is_packed) {
        uint32_t *keys = copy_of(bone->keys.packed, anb->pose_count * sizeof *keys);
        if (keys != NULL) keys[edit->pose] = (uint32_t)numbers[0];
        bone->keys.packed = keys;
        return keys;
    }
    if (width == 1) {
        int16_t *keys = copy_of(bone->keys.angle, anb->pose_count * sizeof *keys);
        if (keys != NULL) keys[edit->pose] = (int16_t)numbers[0];
        bone->keys.angle = keys;
        return keys;
    }
    int16_t(*keys)[3] = copy_of(bone->keys.triple, anb->pose_count * sizeof *keys);
    for (int i = 0; keys != NULL && i < 3; i++) keys[edit->pose][i] = (int16_t)numbers[i];
    bone->keys.triple = (const int16_t(*)[3])keys;
    return keys;
}

/* To a new file only ("x"): the one that was read must not be lost when writing fails half way. */
static bool write_new_file(const ossa_file *file, const char *path)
{
    FILE *out = fopen(path, "wbx");
    if (out == NULL) {
        perror(path);
        return false;
    }
    ossa_error error;
    bool good = ossa_write(file, stream_sink(out), &error);
    if (!good) print_error(path, &error);
    if (fclose(out) != 0) {
        perror(path); /* the disc may be full */
        good = false;
    }
    if (!good) (void)remove(path);
    return good;
}

static bool edit_file(ossa_file *file, const char *path, const struct edit *edit)
{
    ossa_sotc_anb *anb = ossa_as_sotc_anb(file);
    if (edit->bone >= anb->bone_count || edit->pose >= anb->pose_count) {
        fprintf(stderr, "there are %u bones and %u poses\n", anb->bone_count, anb->pose_count);
        return false;
    }
    ossa_sotc_bone *bones = copy_of(anb->bones, anb->bone_count * sizeof *bones);
    if (bones == NULL) return false;
    void *keys = change_key(anb, &bones[edit->bone], edit);
    bool good = false;
    if (keys != NULL) {
        anb->bones = bones;
        double ijks[4];
        (void)ossa_sotc_quaternion(anb, edit->bone, edit->pose, ijks);
        printf("bone %u, pose %u is now %g %g %g %g (i j k s)\n", edit->bone, edit->pose, ijks[0],
               ijks[1], ijks[2], ijks[3]);
        good = write_new_file(file, path);
    }
    free(keys);
    free(bones);
    return good;
}

int main(int argc, char **argv)
{
    long long bone;
    long long pose;
    if (argc < 6) {
        fputs("usage: edit_anb_key IN OUT BONE POSE VALUE...\n", stderr);
        return 2;
    }
    if (!parse_number(argv[3], 0, UINT32_MAX, &bone)) return 2;
    if (!parse_number(argv[4], 0, UINT32_MAX, &pose)) return 2;
    struct edit edit = {(uint32_t)bone, (uint32_t)pose, argc - 5, argv + 5};
    size_t size;
    void *data = load_file(argv[1], &size);
    if (data == NULL) return 1;

    ossa_options options = {.format = "sotc-anb"}; /* nothing else will do */
    ossa_error error;
    ossa_file *file = ossa_read(data, size, &options, &error);
    if (file == NULL) print_error(argv[1], &error);
    bool good = file != NULL && edit_file(file, argv[2], &edit);
    ossa_file_free(file);
    free(data);
    return good ? 0 : 1;
}
