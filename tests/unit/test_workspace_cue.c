/* SPDX-License-Identifier: MIT
 *
 * What a CUE sheet leads to: the disc image beside it. */
#include "support/disc.h"
#include "support/testing.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 4, SOUND = 160 }; /* files; sectors before and after the data */

/* A folder of files, as a system has it that knows letter case. */
struct folder {
    const char *names[MOST];
    struct bytes files[MOST];
    size_t count;
};

static bool list(void *user, const char *path, ossa_list_entry *found, void *context,
                 ossa_error *error)
{
    const struct folder *folder = user;
    (void)error;
    if (strcmp(path, "discs/") != 0) return false;
    for (size_t i = 0; i < folder->count; i++) found(context, folder->names[i], false);
    return true;
}

static void *open_file(void *user, const char *path, uint64_t *size, ossa_error *error)
{
    struct folder *folder = user;
    for (size_t i = 0; i < folder->count; i++) {
        if (strncmp(path, "discs/", 6) != 0 || strcmp(path + 6, folder->names[i]) != 0) continue;
        *size = folder->files[i].size;
        return &folder->files[i];
    }
    (void)snprintf(error->message, sizeof error->message, "is not there");
    return NULL;
}

static bool read_file(void *user, void *file, uint64_t offset, void *bytes, size_t size)
{
    const struct bytes *all = file;
    (void)user;
    memcpy(bytes, all->data + offset, size);
    return true;
}

static void close_file(void *user, void *file)
{
    (void)user;
    (void)file;
}

static ossa_workspace *start(struct folder *folder)
{
    const ossa_filesystem files = {
        .list = list, .open = open_file, .read_at = read_file, .close = close_file, .user = folder};
    const ossa_workspace_options options = {.filesystem = &files};
    ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
    assert_non_null(workspace);
    return workspace;
}

static void add(struct folder *folder, const char *name, struct bytes bytes)
{
    folder->names[folder->count] = name;
    folder->files[folder->count++] = bytes;
}

static void add_text(struct folder *folder, const char *name, const char *text)
{
    add(folder, name, bytes_copy(text, strlen(text)));
}

static void clear(struct folder *folder)
{
    for (size_t i = 0; i < folder->count; i++) bytes_free(&folder->files[i]);
    folder->count = 0;
}

/* A disc with one file, behind and before sound. */
static struct bytes make_image(enum disc_layout layout, size_t *sectors)
{
    static const struct disc_file file = {"hello.txt", "hi\n", 3, 0};
    struct disc disc = make_disc(&(struct disc_plan){.files = &file, .count = 1});
    struct bytes data = wrap_disc(&disc, layout);
    struct bytes image = {0};
    *sectors = data.size / disc_stride(layout);
    put_repeated(&image, 0x11, SOUND * 2352);
    for (size_t i = 0; i < data.size; i++) put_u8(&image, data.data[i]);
    put_repeated(&image, 0x22, SOUND * 2352);
    bytes_free(&data);
    bytes_free(&disc.image);
    return image;
}

static void require_hello(ossa_workspace *workspace, const char *path)
{
    ossa_bytes bytes;
    ossa_error error;
    bool ok = ossa_workspace_bytes(workspace, path, &bytes, &error);
    require(ok, path, "%s", error.message);
    assert_int_equal(bytes.size, 3);
    assert_memory_equal(bytes.data, "hi\n", 3);
    ossa_bytes_free(&bytes);
}

static void require_refused(ossa_workspace *workspace, const char *path, ossa_code code,
                            const char *piece)
{
    ossa_bytes bytes;
    ossa_error error;
    assert_false(ossa_workspace_bytes(workspace, path, &bytes, &error));
    assert_int_equal(error.code, code);
    require(strstr(error.message, piece) != NULL, path, "%s", error.message);
}

/* The sheet of such an image. */
static void write_sheet(char text[256], const char *name, const char *mode, size_t sectors)
{
    const unsigned begin = SOUND;
    unsigned end = begin + (unsigned)sectors;
    (void)snprintf(text, 256,
                   "FILE \"%s\" BINARY\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 %s\nINDEX 01 "
                   "00:%02u:%02u\nTRACK 03 AUDIO\nINDEX 01 00:%02u:%02u\n",
                   name, mode, begin / 75, begin % 75, end / 75, end % 75);
}

static void data_is_found_between_sound(void **state)
{
    (void)state;
    static const struct {
        enum disc_layout layout;
        const char *mode;
    } kinds[] = {{DISC_2048, "MODE1/2048"},
                 {DISC_MODE_1, "MODE1/2352"},
                 {DISC_MODE_2, "MODE2/2352"},
                 {DISC_2336, "MODE2/2336"}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct folder folder = {0};
        char text[256];
        size_t sectors;
        add(&folder, "game.bin", make_image(kinds[i].layout, &sectors));
        write_sheet(text, "game.bin", kinds[i].mode, sectors);
        add_text(&folder, "game.cue", text);
        ossa_workspace *workspace = start(&folder);
        require_hello(workspace, "discs/game.cue#hello.txt");
        ossa_workspace_free(workspace);
        clear(&folder);
    }
}

static void images_are_found_in_other_letters_and_by_the_name_of_the_sheet(void **state)
{
    (void)state;
    static const char *const names[] = {"GAME.BIN", "C:\\\\dumps\\\\Game.Bin", "other.bin"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct folder folder = {0};
        char text[256];
        size_t sectors;
        add_text(&folder, "README", "no image");
        add(&folder, "game.bin", make_image(DISC_MODE_2, &sectors));
        write_sheet(text, names[i], "MODE2/2352", sectors);
        add_text(&folder, i == 2 ? "game.cue" : "sheet.cue", text);
        ossa_workspace *workspace = start(&folder);
        require_hello(workspace, i == 2 ? "discs/game.cue#HELLO.TXT" : "discs/sheet.cue#hello.txt");
        ossa_workspace_free(workspace);
        clear(&folder);
    }
}

/* A page has all files in memory. The limit is for files that are read as a whole. */
static void images_in_memory_are_found_and_may_be_large(void **state)
{
    (void)state;
    char text[256];
    size_t sectors;
    struct bytes image = make_image(DISC_MODE_2, &sectors);
    const size_t begin = (size_t)SOUND * 2352;
    const ossa_workspace_options options = {.max_input = 100000};
    ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
    assert_true(image.size - begin > options.max_input);
    write_sheet(text, "GAME.BIN", "MODE2/2352", sectors);
    assert_true(
        ossa_workspace_add_memory(workspace, "./discs/x/../game.cue", text, strlen(text), NULL));
    assert_true(ossa_workspace_add_memory(workspace, "game.bin", "other", 5, NULL));
    assert_true(
        ossa_workspace_add_memory(workspace, "discs/game.bin", image.data, image.size, NULL));
    assert_true(ossa_workspace_add_memory(workspace, "alone.bin", image.data + begin,
                                          image.size - begin, NULL));
    require_hello(workspace, "discs/game.cue#hello.txt");
    require_hello(workspace, "alone.bin#hello.txt");
    assert_true(ossa_workspace_remove(workspace, "discs/game.bin"));
    require_refused(workspace, "discs/game.cue#hello.txt", OSSA_CODE_IO, "'GAME.BIN'");
    ossa_workspace_free(workspace);
    bytes_free(&image);
}

static void sheets_that_lead_nowhere_say_why(void **state)
{
    (void)state;
    struct folder folder = {0};
    char text[256];
    size_t sectors;
    add(&folder, "game.bin", make_image(DISC_MODE_2, &sectors));
    write_sheet(text, "../discs/game.bin", "MODE2/2352", sectors);
    add_text(&folder, "up.cue", text);
    write_sheet(text, "missing.bin", "MODE2/2352", sectors);
    add_text(&folder, "missing.cue", text);
    write_sheet(text, "missing.cue", "MODE2/2352", 0);
    memcpy(strstr(text, "00:02:10"), "00:00:00", 8); /* the text itself */
    add_text(&folder, "sheet.cue", text);
    ossa_workspace *workspace = start(&folder);
    require_refused(workspace, "discs/up.cue#hello.txt", OSSA_CODE_NOT_AN_ARCHIVE, "beside it");
    require_refused(workspace, "discs/missing.cue#hello.txt", OSSA_CODE_IO, "'missing.bin'");
    require_refused(workspace, "discs/sheet.cue#hello.txt", OSSA_CODE_NOT_AN_ARCHIVE,
                    "leads to another one");
    ossa_workspace_free(workspace);
    clear(&folder);
}

TEST_GROUP(test_workspace_cue)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_is_found_between_sound),
        cmocka_unit_test(images_are_found_in_other_letters_and_by_the_name_of_the_sheet),
        cmocka_unit_test(images_in_memory_are_found_and_may_be_large),
        cmocka_unit_test(sheets_that_lead_nowhere_say_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
