/* SPDX-License-Identifier: MIT
 *
 * Archives with other contents for some of their entries: what is named changes, and nothing
 * else. */
#include "support/counting.h"
#include "support/packing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- an archive in three levels ------------------------------------------------------------ */

static ossa_packing text_entry(const char *name, const char *text, uint32_t time)
{
    return (ossa_packing){name, (const uint8_t *)text, strlen(text), time};
}

static ossa_packing bytes_entry(const char *name, const struct bytes *bytes, uint32_t time)
{
    return (ossa_packing){name, bytes->data, bytes->size, time};
}

static struct bytes pack(const ossa_packing *entries, size_t count)
{
    return pack_or_fail("ei-res", "archive", entries, count);
}

/* note; unmotr.anm: { cwalk: { hd, bd }, crun: { hd } }; odd#name */
static struct bytes make_archive(void)
{
    const ossa_packing walk[] = {text_entry("hd", "head", 11), text_entry("bd", "body", 12)};
    const ossa_packing run[] = {text_entry("hd", "running", 13)};
    struct bytes inner[] = {pack(walk, 2), pack(run, 1)};
    const ossa_packing clips[] = {bytes_entry("cwalk", &inner[0], 21),
                                  bytes_entry("crun", &inner[1], 22)};
    struct bytes anm = pack(clips, 2);
    const ossa_packing entries[] = {text_entry("note", "text", 31),
                                    bytes_entry("unmotr.anm", &anm, 32),
                                    text_entry("odd#name", "odd", 33)};
    struct bytes archive = pack(entries, 3);
    bytes_free(&inner[0]);
    bytes_free(&inner[1]);
    bytes_free(&anm);
    return archive;
}

static ossa_workspace *open_workspace(const struct bytes *archive, const ossa_allocator *allocator)
{
    ossa_workspace_options options = {0};
    if (allocator != NULL) options.allocator = *allocator;
    ossa_workspace *workspace = ossa_workspace_new(&options, NULL);
    if (workspace == NULL) return NULL;
    if (ossa_workspace_add_memory(workspace, "a.res", archive->data, archive->size, NULL)) {
        return workspace;
    }
    ossa_workspace_free(workspace);
    return NULL;
}

/* ---- changing it --------------------------------------------------------------------------- */

static ossa_entry_change change(const char *path, const char *text)
{
    return (ossa_entry_change){path, (const uint8_t *)text, strlen(text), 0};
}

/* The changed archive, which is then "b.res" of the workspace. */
static struct bytes replace(ossa_workspace *workspace, const char *path,
                            const ossa_entry_change *changes, size_t count)
{
    ossa_buffer buffer = {0};
    ossa_error error;
    bool ok =
        ossa_workspace_replace(workspace, path, changes, count, ossa_buffer_sink(&buffer), &error);
    require(ok, path, "%s: %s", error.path, error.message);
    assert_int_equal(error.code, OSSA_CODE_OK);
    assert_true(ossa_workspace_add_memory(workspace, "b.res", buffer.data, buffer.size, NULL));
    struct bytes bytes = bytes_copy(buffer.data, buffer.size);
    ossa_buffer_free(&buffer);
    return bytes;
}

static void require_text(ossa_workspace *workspace, const char *path, const char *text)
{
    ossa_bytes bytes;
    ossa_error error;
    bool ok = ossa_workspace_bytes(workspace, path, &bytes, &error);
    require(ok, path, "%s", error.message);
    require(bytes.size == strlen(text) && memcmp(bytes.data, text, bytes.size) == 0, path,
            "'%.*s', expected '%s'", (int)bytes.size, (const char *)bytes.data, text);
    ossa_bytes_free(&bytes);
}

/* "name time, name time" */
static void require_entries(ossa_workspace *workspace, const char *path, const char *expected)
{
    char text[256] = "";
    ossa_file *file = ossa_workspace_open(workspace, path, NULL, NULL);
    require(file != NULL, path, "cannot be opened");
    if (file == NULL) abort(); /* for the analyser */
    assert_int_equal(file->warning_count + file->error_count, 0);
    for (size_t i = 0; i < ossa_entry_count(file); i++) {
        const ossa_entry *entry = ossa_entry_at(file, i);
        size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used, "%s%s %u", i == 0 ? "" : ", ", entry->name,
                       entry->time);
    }
    assert_string_equal(text, expected);
    ossa_file_free(file);
}

static void require_refused(ossa_workspace *workspace, const char *path,
                            const ossa_entry_change *changes, size_t count, ossa_code code,
                            const char *message)
{
    ossa_buffer buffer = {0};
    ossa_error error;
    assert_false(
        ossa_workspace_replace(workspace, path, changes, count, ossa_buffer_sink(&buffer), &error));
    require(error.code == code, message, "%s: %s", ossa_code_name(error.code), error.message);
    require(strstr(error.message, message) != NULL, message, "%s", error.message);
    assert_int_equal(buffer.size, 0);
    ossa_buffer_free(&buffer);
}

/* ---- tests --------------------------------------------------------------------------------- */

static void entries_are_replaced_wherever_they_are(void **state)
{
    (void)state;
    struct bytes archive = make_archive();
    ossa_workspace *workspace = open_workspace(&archive, NULL);
    ossa_entry_change changes[] = {change("UNMOTR.anm#cwalk#hd", "another head"),
                                   change("odd#name", "even"), change("unmotr.anm#crun#hd", "")};
    changes[1].time = 99;
    struct bytes changed = replace(workspace, "a.res", changes, 3);
    require_entries(workspace, "b.res", "note 31, unmotr.anm 32, odd#name 99");
    require_entries(workspace, "b.res#unmotr.anm", "cwalk 21, crun 22");
    require_entries(workspace, "b.res#unmotr.anm#cwalk", "hd 11, bd 12");
    require_text(workspace, "b.res#note", "text");
    require_text(workspace, "b.res#odd#name", "even");
    require_text(workspace, "b.res#unmotr.anm#cwalk#hd", "another head");
    require_text(workspace, "b.res#unmotr.anm#cwalk#bd", "body");
    require_text(workspace, "b.res#unmotr.anm#crun#hd", "");
    bytes_free(&changed);
    /* The same in an archive inside, which is written alone. */
    const ossa_entry_change inner = change("cwalk#bd", "torso");
    changed = replace(workspace, "a.res#unmotr.anm", &inner, 1);
    require_entries(workspace, "b.res", "cwalk 21, crun 22");
    require_text(workspace, "b.res#cwalk#bd", "torso");
    bytes_free(&changed);
    /* And back. */
    const ossa_entry_change there = change("unmotr.anm#cwalk#hd", "HEAD");
    const ossa_entry_change back = change("unmotr.anm#cwalk#hd", "head");
    changed = replace(workspace, "a.res", &there, 1);
    assert_memory_not_equal(changed.data, archive.data, archive.size);
    bytes_free(&changed);
    changed = replace(workspace, "b.res", &back, 1);
    require_same("back", &changed, archive.data, archive.size);
    bytes_free(&changed);
    ossa_workspace_free(workspace);
    bytes_free(&archive);
}

static void new_entries_are_appended(void **state)
{
    (void)state;
    struct bytes archive = make_archive();
    ossa_workspace *workspace = open_workspace(&archive, NULL);
    ossa_entry_change changes[] = {change("unmotr.anm#cnew#hd", "1"), change("second", "2"),
                                   change("unmotr.anm#cnew#bd", "3"), change("note", "4"),
                                   change("un.anm#cidle#hd", "5")};
    changes[0].time = 44;
    struct bytes changed = replace(workspace, "a.res", changes, 5);
    require_entries(workspace, "b.res", "note 31, unmotr.anm 32, odd#name 33, second 0, un.anm 0");
    require_entries(workspace, "b.res#unmotr.anm", "cwalk 21, crun 22, cnew 0");
    require_entries(workspace, "b.res#unmotr.anm#cnew", "hd 44, bd 0");
    require_text(workspace, "b.res#unmotr.anm#cnew#bd", "3");
    require_text(workspace, "b.res#un.anm#cidle#hd", "5"); /* two new archives in each other */
    require_text(workspace, "b.res#second", "2");
    bytes_free(&changed);
    ossa_workspace_free(workspace);
    bytes_free(&archive);
}

/* Also where packing it again would change its layout: this one has an entry of another's bytes. */
static void what_does_not_change_keeps_its_bytes(void **state)
{
    (void)state;
    struct bytes archive = make_archive();
    ossa_workspace *workspace = open_workspace(&archive, NULL);
    const ossa_entry_change same[] = {change("unmotr.anm#cwalk#hd", "head"),
                                      change("note", "text")};
    struct bytes changed = replace(workspace, "a.res", same, 2);
    require_same("same", &changed, archive.data, archive.size);
    bytes_free(&changed);
    changed = replace(workspace, "a.res", NULL, 0);
    require_same("packed again", &changed, archive.data, archive.size);
    bytes_free(&changed);

    const struct fixture *odd = fixture_find("ei-res/overlaps-and-gaps");
    assert_true(
        ossa_workspace_add_memory(workspace, "odd.res", odd->bytes.data, odd->bytes.size, NULL));
    ossa_file *file = read_fixture(odd);
    ossa_bytes first;
    assert_true(ossa_entry_bytes(file, 0, NULL, &first, NULL));
    const ossa_entry_change kept = {ossa_entry_at(file, 0)->name, first.data, first.size, 0};
    changed = replace(workspace, "odd.res", &kept, 1);
    require_same("odd", &changed, odd->bytes.data, odd->bytes.size);
    bytes_free(&changed);
    changed = replace(workspace, "odd.res", NULL, 0);
    assert_true(changed.size != odd->bytes.size ||
                memcmp(changed.data, odd->bytes.data, changed.size) != 0);
    bytes_free(&changed);
    ossa_bytes_free(&first);
    ossa_file_free(file);
    ossa_workspace_free(workspace);
    bytes_free(&archive);
}

static void impossible_changes_are_refused(void **state)
{
    (void)state;
    struct bytes archive = make_archive();
    ossa_workspace *workspace = open_workspace(&archive, NULL);
    const ossa_entry_change twice[] = {change("note", "1"), change("NOTE", "2")};
    require_refused(workspace, "a.res", twice, 2, OSSA_CODE_DUPLICATE_NAME, "replaced twice");
    const ossa_entry_change both[] = {change("unmotr.anm#cwalk", "1"),
                                      change("unmotr.anm#cwalk#hd", "2")};
    require_refused(workspace, "a.res", both, 2, OSSA_CODE_DUPLICATE_NAME, "'cwalk'");
    const ossa_entry_change into = change("unmotr.anm#cwalk#hd#x", "1");
    require_refused(workspace, "a.res", &into, 1, OSSA_CODE_BAD_COUNT, ""); /* an ANM by its name */
    const ossa_entry_change lone = change("cwalk#new#x", "1");              /* beside hd and bd */
    require_refused(workspace, "a.res#unmotr.anm", &lone, 1, OSSA_CODE_NO_ENTRY, "kind of archive");
    const ossa_entry_change nameless = change("unmotr.anm#", "1");
    require_refused(workspace, "a.res", &nameless, 1, OSSA_CODE_EMPTY_NAME, "empty name");
    const ossa_entry_change deep = change("unmotr.anm#1#2#3#4#5#6#7#8#9", "1");
    require_refused(workspace, "a.res", &deep, 1, OSSA_CODE_LIMIT, "nested");
    require_refused(workspace, "b.res", twice, 1, OSSA_CODE_IO, "");
    require_refused(workspace, "a.res#note", twice, 1, OSSA_CODE_UNKNOWN_FORMAT, "");
    require_refused(workspace, "a.res#none", twice, 1, OSSA_CODE_NO_ENTRY, "no such entry");
    const struct fixture *bon = fixture_find("ei-bon/eight");
    assert_true(
        ossa_workspace_add_memory(workspace, "x.bon", bon->bytes.data, bon->bytes.size, NULL));
    require_refused(workspace, "x.bon", twice, 1, OSSA_CODE_NOT_AN_ARCHIVE, "not an archive");
    ossa_workspace_free(workspace);
    bytes_free(&archive);
}

/* Nothing leaks, and the error says what it was, whichever allocation or write fails. */
static bool fail_after(void *user, const void *bytes, size_t size)
{
    size_t *left = user;
    (void)bytes;
    if (*left < size) return false;
    *left -= size;
    return true;
}

static void failures_on_the_way_are_reported(void **state)
{
    (void)state;
    struct bytes archive = make_archive();
    const ossa_entry_change changes[] = {change("unmotr.anm#cnew#hd", "1"), change("new", "2"),
                                         change("unmotr.anm#cwalk#hd", "3")};
    bool done = false;
    for (size_t n = 1; !done; n++) {
        struct counting counting = {.fail_at = n};
        const ossa_allocator allocator = counting_allocator(&counting);
        ossa_workspace *workspace = open_workspace(&archive, &allocator);
        size_t room = SIZE_MAX;
        ossa_error error = {0};
        bool ok =
            workspace != NULL && ossa_workspace_replace(workspace, "a.res", changes, 3,
                                                        (ossa_sink){fail_after, &room}, &error);
        done = !counting.failed;
        assert_true(!done || ok);
        if (workspace != NULL && !ok) assert_int_equal(error.code, OSSA_CODE_OUT_OF_MEMORY);
        ossa_workspace_free(workspace);
        assert_int_equal(counting.live, 0);
        assert_false(counting.wrong_release);
    }
    ossa_workspace *workspace = open_workspace(&archive, NULL);
    for (size_t room = 0; room < archive.size; room += 37) {
        size_t left = room;
        ossa_error error;
        const ossa_sink sink = {fail_after, &left};
        assert_false(ossa_workspace_replace(workspace, "a.res", changes, 3, sink, &error));
        assert_int_equal(error.code, OSSA_CODE_IO);
        left = room;
        assert_false(ossa_workspace_replace(workspace, "a.res", changes, 0, sink, &error));
        assert_int_equal(error.code, OSSA_CODE_IO);
    }
    ossa_workspace_free(workspace);
    bytes_free(&archive);
}

/* ---- hostile archives ---------------------------------------------------------------------- */

static void pack_or_refuse(const char *name, const uint8_t *data, size_t size)
{
    const ossa_entry_change changes[] = {change("a/new", "1")};
    for (size_t count = 0; count <= 1; count++) {
        ossa_workspace *workspace = ossa_workspace_new(NULL, NULL);
        ossa_buffer buffer = {0};
        ossa_error error;
        assert_true(ossa_workspace_add_memory(workspace, "a", data, size, NULL));
        if (ossa_workspace_replace(workspace, "a", changes, count, ossa_buffer_sink(&buffer),
                                   &error)) {
            const ossa_options options = {.name = "a"};
            ossa_file *file = read_or_fail(name, buffer.data, buffer.size, &options);
            require(count == 0 || ossa_find_entry(file, "a/new") >= 0, name, "has no new entry");
            ossa_file_free(file);
        } else {
            require(error.code != OSSA_CODE_OK && error.message[0] != '\0', name, "says nothing");
        }
        ossa_buffer_free(&buffer);
        ossa_workspace_free(workspace);
    }
}

/* Whatever an archive is, it is packed again or refused: as it is, and with words patched. */
static void hostile_archives_are_packed_or_refused(void **state)
{
    (void)state;
    enum { MOST = 4096, STEPS = 64 };
    static const uint32_t words[] = {0, 1, 0x7fffffff, 0xffffffff};
    const struct fixtures *all = fixtures_all();
    size_t packed = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct fixture *fixture = &all->items[i];
        if (!ossa_format_can(ossa_format_find(fixture->format), OSSA_ABILITY_PACK)) continue;
        pack_or_refuse(fixture->name, fixture->bytes.data, fixture->bytes.size);
        packed++;
        if (fixture->bytes.size > MOST || fixture->bytes.size < 4) continue;
        struct bytes copy = bytes_copy(fixture->bytes.data, fixture->bytes.size);
        size_t step = copy.size / STEPS / 4 * 4 + 4;
        for (size_t at = 0; at + 4 <= copy.size; at += step) {
            memcpy(copy.data + at, &words[at / step % 4], 4);
            pack_or_refuse(fixture->name, copy.data, copy.size);
            memcpy(copy.data + at, fixture->bytes.data + at, 4);
        }
        bytes_free(&copy);
    }
    assert_true(packed > 100);
}

/* ---- files without a directory ------------------------------------------------------------- */

/* More than what is copied at once, so that several blocks are. */
enum { LEAD = (1 << 20) + 1000, BETWEEN = 333, TAIL = (2 << 20) + 77 };

static bool cancel(void *user, const ossa_progress *progress)
{
    size_t *left = user;
    (void)progress;
    return (*left)-- > 0;
}

static void files_of_a_disc_are_replaced_in_place(void **state)
{
    (void)state;
    const struct fixture *large = fixture_find("sotc-anb/every-flag");
    const struct fixture *small = fixture_find("sotc-anb/one-key");
    size_t second = LEAD + large->bytes.size + BETWEEN;
    struct bytes disc = {0};
    disc.size = second + small->bytes.size + TAIL;
    disc.data = malloc(disc.size);
    assert_non_null(disc.data);
    assert_true(small->bytes.size < large->bytes.size);
    for (size_t i = 0; i < disc.size; i++) disc.data[i] = (uint8_t)(i * 7 + 1);
    memcpy(disc.data + LEAD, large->bytes.data, large->bytes.size);
    memcpy(disc.data + second, small->bytes.data, small->bytes.size);
    ossa_workspace *workspace = ossa_workspace_new(NULL, NULL);
    assert_true(ossa_workspace_add_memory(workspace, "NICO.DAT", disc.data, disc.size, NULL));
    char first_name[32];
    char second_name[32];
    (void)snprintf(first_name, sizeof first_name, "0x%x.anb", (unsigned)LEAD);
    (void)snprintf(second_name, sizeof second_name, "0x%zx", second);

    ossa_entry_change changes[] = {{second_name, small->bytes.data, small->bytes.size, 0},
                                   {first_name, small->bytes.data, small->bytes.size, 0}};
    struct bytes changed = replace(workspace, "NICO.DAT", changes, 2);
    memcpy(disc.data + LEAD, small->bytes.data, small->bytes.size);
    memset(disc.data + LEAD + small->bytes.size, 0, large->bytes.size - small->bytes.size);
    require_same("disc", &changed, disc.data, disc.size);
    bytes_free(&changed);

    /* The caller may end it at every report. */
    for (size_t reports = 0; reports < 3; reports++) {
        size_t left = reports;
        const ossa_workspace_options options = {.on_progress = cancel, .user = &left};
        ossa_workspace *other = ossa_workspace_new(&options, NULL);
        ossa_buffer buffer = {0};
        ossa_error error;
        assert_true(ossa_workspace_add_memory(other, "NICO.DAT", disc.data, disc.size, NULL));
        assert_false(ossa_workspace_replace(other, "NICO.DAT", changes, 1,
                                            ossa_buffer_sink(&buffer), &error));
        assert_int_equal(error.code, OSSA_CODE_CANCELLED);
        ossa_buffer_free(&buffer);
        ossa_workspace_free(other);
    }

    char numbers[96];
    (void)snprintf(numbers, sizeof numbers, "have %zu bytes, but the file at 0x%zx has only %zu",
                   large->bytes.size, second, small->bytes.size);
    const ossa_entry_change grown = {second_name, large->bytes.data, large->bytes.size, 0};
    require_refused(workspace, "NICO.DAT", &grown, 1, OSSA_CODE_LIMIT, numbers);
    const ossa_entry_change longer = {second_name, large->bytes.data, small->bytes.size + 1, 0};
    require_refused(workspace, "NICO.DAT", &longer, 1, OSSA_CODE_LIMIT, "has only");
    const ossa_entry_change emptied[] = {{second_name, NULL, 0, 0}, {second_name, NULL, 0, 0}};
    require_refused(workspace, "NICO.DAT", emptied, 2, OSSA_CODE_OVERLAP, "twice");
    changes[1].path = second_name;
    require_refused(workspace, "NICO.DAT", changes, 2, OSSA_CODE_OVERLAP, "twice");
    changes[1].path = "0x5";
    require_refused(workspace, "NICO.DAT", changes, 2, OSSA_CODE_NO_ENTRY, "'0x5'");
    changes[1].path = "name";
    require_refused(workspace, "NICO.DAT", changes, 2, OSSA_CODE_NO_ENTRY, "'name'");
    ossa_workspace_free(workspace);
    bytes_free(&disc);
}

TEST_GROUP(test_workspace_replace)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_replaced_wherever_they_are),
        cmocka_unit_test(new_entries_are_appended),
        cmocka_unit_test(what_does_not_change_keeps_its_bytes),
        cmocka_unit_test(impossible_changes_are_refused),
        cmocka_unit_test(failures_on_the_way_are_reported),
        cmocka_unit_test(hostile_archives_are_packed_or_refused),
        cmocka_unit_test(files_of_a_disc_are_replaced_in_place),
    };
    return cmocka_run_group_tests(tests, NULL, free_fixtures);
}
