/* SPDX-License-Identifier: MIT
 *
 * What the library makes of each input, as hashes that are the same on every machine: run.sh
 * compares them with hashes.txt. One process for all inputs, because starting thousands takes long
 * under an emulator. Only public headers and standard C, so that it compiles for every target.
 *
 *     platform_hashes <INPUTS    one input per line: a file, a folder or a figure, and what belongs
 *                                to it, separated by spaces
 *
 * It prints one line per input: its words, then KIND:HASH for each output. A hash is the first 16
 * digits of the SHA-256; glb:png stands for a GLB with pictures that libpng has packed. */
#include <ossa/ossa.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64, WORDS = 8, POSES = 9, INPUTS = 4096, LINE = 256, TEXT = 4096 };

/* ---- SHA-256 (FIPS 180-4) -------------------------------------------------------------------- */

struct hash {
    uint32_t state[8];
    uint64_t size;
    uint8_t block[BLOCK];
};

static const struct hash no_bytes = {.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};

static uint32_t rotated(uint32_t x, unsigned by)
{
    return x >> by | x << (32 - by);
}

static void hash_block(struct hash *hash)
{
    static const uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
        0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
        0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
        0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
        0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
        0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
        0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
        0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2};
    uint32_t w[64];
    for (unsigned i = 0; i < 16; i++) {
        const uint8_t *b = hash->block + 4 * i;
        w[i] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    }
    for (unsigned i = 16; i < 64; i++) {
        uint32_t a = rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t b = rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    uint32_t s[8]; /* a to h of the standard */
    memcpy(s, hash->state, sizeof s);
    for (unsigned i = 0; i < 64; i++) {
        uint32_t e = rotated(s[4], 6) ^ rotated(s[4], 11) ^ rotated(s[4], 25);
        uint32_t a = rotated(s[0], 2) ^ rotated(s[0], 13) ^ rotated(s[0], 22);
        uint32_t one = s[7] + e + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
        uint32_t two = a + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (unsigned i = 0; i < 8; i++) hash->state[i] += s[i];
}

static bool add_bytes(void *user, const void *bytes, size_t size)
{
    struct hash *hash = user;
    const uint8_t *from = bytes;
    for (size_t i = 0; i < size; i++) {
        hash->block[hash->size++ % BLOCK] = from[i];
        if (hash->size % BLOCK == 0) hash_block(hash);
    }
    return true;
}

static void add_text(struct hash *hash, const char *text)
{
    (void)add_bytes(hash, text, strlen(text) + 1);
}

/* Lowest byte first. */
static void add_number(struct hash *hash, uint64_t number, unsigned size)
{
    for (unsigned i = 0; i < size; i++, number >>= 8) {
        uint8_t byte = (uint8_t)number;
        (void)add_bytes(hash, &byte, 1);
    }
}

static void add_floats(struct hash *hash, const float *floats, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &floats[i], sizeof bits);
        add_number(hash, bits, sizeof bits);
    }
}

static void add_error(struct hash *hash, const ossa_error *error)
{
    char text[TEXT];
    (void)ossa_error_text(error, text, sizeof text);
    add_text(hash, ossa_code_name(error->code));
    add_text(hash, text);
}

/* Ends the hash. */
static void print(const char *kind, struct hash *hash)
{
    uint64_t bits = 8 * hash->size;
    (void)add_bytes(hash, "\x80", 1);
    while (hash->size % BLOCK != BLOCK - 8) (void)add_bytes(hash, "", 1);
    for (unsigned i = 0; i < 8; i++) {
        uint8_t byte = (uint8_t)(bits >> (56 - 8 * i));
        (void)add_bytes(hash, &byte, 1);
    }
    printf(" %s:%08" PRIx32 "%08" PRIx32, kind, hash->state[0], hash->state[1]);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void add_issue(void *user, const ossa_issue *issue)
{
    char text[TEXT];
    (void)ossa_issue_text(issue, text, sizeof text);
    add_text(user, ossa_severity_name(issue->severity));
    add_text(user, ossa_code_name(issue->code));
    add_text(user, issue->path);
    add_text(user, text);
}

static void add_field(void *user, const ossa_field *field)
{
    char text[TEXT];
    (void)ossa_field_value(field, text, sizeof text);
    add_number(user, field->offset, 8);
    add_number(user, field->size, 8);
    add_text(user, ossa_field_type_name(field->type));
    add_text(user, field->path);
    add_text(user, text);
}

/* What is dumped, and what is built from that. */
static void hash_dump(const ossa_file *file)
{
    ossa_error error = {0};
    ossa_buffer json = {0};
    struct hash dump = no_bytes;
    struct hash built = no_bytes;
    if (!ossa_format_can(file->format, OSSA_ABILITY_DUMP)) return;
    if (!ossa_dump(file, OSSA_JSON_STYLE_LINE, ossa_buffer_sink(&json), &error)) {
        add_error(&dump, &error);
        print("dump", &dump);
        return;
    }
    (void)add_bytes(&dump, json.data, json.size);
    print("dump", &dump);
    ossa_file *again = ossa_build((const char *)json.data, json.size, NULL, &error);
    ossa_sink sink = {.write = add_bytes, .user = &built};
    if (again == NULL || !ossa_write(again, sink, &error)) add_error(&built, &error);
    print("build", &built);
    ossa_file_free(again);
    ossa_buffer_free(&json);
}

static void hash_file(ossa_workspace *workspace, const char *path)
{
    ossa_error error = {0};
    struct hash read = no_bytes;
    const ossa_options options = {
        .check_values = true, .on_issue = add_issue, .on_field = add_field, .user = &read};
    ossa_file *file = ossa_workspace_open(workspace, path, &options, &error);
    ossa_sink sink = {.write = add_bytes, .user = &read};
    if (file == NULL || !ossa_describe_json(file, OSSA_JSON_STYLE_LINE, sink, &error)) {
        add_error(&read, &error);
    }
    print("read", &read);
    if (file != NULL) hash_dump(file);
    ossa_file_free(file);
}

/* ---- scenes ---------------------------------------------------------------------------------- */

/* Between frames, too. */
static void hash_poses(const ossa_scene *scene)
{
    struct hash hash = no_bytes;
    ossa_transform *locals = malloc((scene->bone_count + (size_t)1) * sizeof *locals);
    float(*matrices)[16] = malloc((scene->bone_count + (size_t)1) * sizeof *matrices);
    if (locals == NULL || matrices == NULL) abort();
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        for (unsigned i = 0; i < POSES; i++) {
            ossa_sample(scene, &scene->clips[c], 0.13 * i, OSSA_WRAP_LOOP, locals, NULL);
            ossa_model_matrices(scene, locals, matrices);
            for (uint32_t b = 0; b < scene->bone_count; b++) {
                add_floats(&hash, locals[b].translation, 3);
                add_floats(&hash, locals[b].rotation, 4);
                add_floats(&hash, locals[b].scale, 3);
            }
            add_floats(&hash, matrices[0], (size_t)16 * scene->bone_count);
        }
    }
    print("pose", &hash);
    free(locals);
    free(matrices);
}

static void hash_glb(const ossa_scene *scene)
{
    ossa_error error = {0};
    struct hash hash = no_bytes;
    ossa_sink sink = {.write = add_bytes, .user = &hash};
#ifdef OSSA_WITH_PNG
    if (scene->texture_count > 0) {
        fputs(" glb:png", stdout);
        return;
    }
#endif
    if (!ossa_write_gltf(scene, NULL, sink, (ossa_sink){0}, &error)) add_error(&hash, &error);
    print("glb", &hash);
}

static void hash_tables(const ossa_scene *scene)
{
    ossa_error error = {0};
    struct hash json = no_bytes;
    struct hash csv = no_bytes;
    struct hash bvh = no_bytes;
    ossa_sink sink = {.write = add_bytes, .user = &json};
    if (!ossa_write_scene_json(scene, NULL, sink, &error)) add_error(&json, &error);
    print("json", &json);
    sink.user = &csv;
    if (!ossa_write_csv(scene, NULL, sink, &error)) add_error(&csv, &error);
    print("csv", &csv);
    sink.user = &bvh;
    for (uint32_t c = 0; c < scene->clip_count; c++) {
        if (!ossa_write_bvh(scene, &scene->clips[c], NULL, sink, &error)) add_error(&bvh, &error);
    }
    print("bvh", &bvh);
}

static void hash_scene(ossa_workspace *workspace, const char *const *paths, size_t count)
{
    ossa_error error = {0};
    struct hash issues = no_bytes;
    const ossa_scene_options choices = {.on_issue = add_issue, .user = &issues};
    const ossa_load_options options = {.scene = &choices, .on_issue = add_issue, .user = &issues};
    ossa_scene *scene = ossa_workspace_scene(workspace, paths, count, &options, &error);
    if (scene == NULL) add_error(&issues, &error);
    print("scene", &issues);
    if (scene == NULL) return;
    hash_poses(scene);
    hash_glb(scene);
    hash_tables(scene);
    ossa_scene_free(scene);
}

/* ---- inputs ---------------------------------------------------------------------------------- */

/* In memory, because not every target has folders that can be listed. False if it is not a file. */
static bool add_file(ossa_workspace *workspace, const char *path)
{
    ossa_error error = {0};
    ossa_buffer bytes = {0};
    ossa_sink sink = ossa_buffer_sink(&bytes);
    uint8_t block[TEXT];
    FILE *file = fopen(path, "rb");
    if (file == NULL) return false;
    size_t size = 1;
    while (size > 0) {
        size = fread(block, 1, sizeof block, file);
        if (!sink.write(sink.user, block, size)) abort();
    }
    bool is_file = !ferror(file);
    if (is_file && !ossa_workspace_add_memory(workspace, path, bytes.data, bytes.size, &error)) {
        abort();
    }
    (void)fclose(file);
    ossa_buffer_free(&bytes);
    return is_file;
}

struct input {
    char line[LINE];
    bool is_file;
};

static void hash_input(ossa_workspace *workspace, struct input *input)
{
    const char *words[WORDS] = {NULL};
    size_t count = 0;
    fputs(input->line, stdout);
    for (char *word = input->line; *word != '\0' && count < WORDS;) {
        words[count++] = word;
        word += strcspn(word, " ");
        if (*word != '\0') *word++ = '\0';
    }
    if (input->is_file) hash_file(workspace, words[0]);
    hash_scene(workspace, words, count);
    putchar('\n');
}

int main(void)
{
    static struct input inputs[INPUTS];
    size_t count = 0;
    ossa_error error = {0};
    ossa_workspace *workspace = ossa_workspace_new(NULL, &error);
    if (workspace == NULL) abort();
    while (count < INPUTS && fgets(inputs[count].line, LINE, stdin) != NULL) {
        struct input *input = &inputs[count++];
        input->line[strcspn(input->line, "\r\n")] = '\0';
        input->is_file = add_file(workspace, input->line);
    }
    for (size_t i = 0; i < count; i++) hash_input(workspace, &inputs[i]);
    ossa_workspace_free(workspace);
    return ferror(stdin) || !feof(stdin) || fflush(stdout) != 0 ? 1 : 0;
}
