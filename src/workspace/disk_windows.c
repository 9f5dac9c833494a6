/* SPDX-License-Identifier: MIT
 *
 * The disk as Windows has it. Every read names its position, so that threads share files. */
#include "workspace/disk.h"

#if defined(OSSA_DISK_WINDOWS)

#include "base/windows.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *reason(void)
{
    return ossa__windows_reason(ossa__windows_errno(GetLastError()));
}

/* ---- files --------------------------------------------------------------------------------- */

static const char *wrong_kind(HANDLE file)
{
    DWORD kind = GetFileType(file);
    if (kind == FILE_TYPE_DISK) return NULL;
    if (kind == FILE_TYPE_PIPE)
        return "is a pipe, expected a file; pass what comes through it as standard input";
    return "is not a regular file";
}

static bool is_folder(const wchar_t *path)
{
    DWORD attributes = GetFileAttributesW(path);
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

static void *open_file(void *user, const char *path, uint64_t *size, ossa_error *error)
{
    (void)user;
    wchar_t *wide = ossa__wide_path(path);
    if (wide == NULL) {
        (void)ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, "", "no memory for its name");
        return NULL;
    }
    HANDLE file =
        CreateFileW(wide, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    NULL, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
    LARGE_INTEGER end = {.QuadPart = 0};
    bool ok = file != INVALID_HANDLE_VALUE;
    if (!ok) {
        const char *why = reason();
        if (is_folder(wide)) (void)ossa__disk_fail(error, "is a folder, expected a file", "");
        else (void)ossa__disk_fail(error, "cannot be opened: ", why);
    } else {
        const char *wrong = wrong_kind(file);
        if (wrong != NULL) ok = ossa__disk_fail(error, wrong, "");
        else if (!GetFileSizeEx(file, &end))
            ok = ossa__disk_fail(error, "cannot be read: ", reason());
        *size = (uint64_t)end.QuadPart;
    }
    free(wide);
    if (ok) return file;
    if (file != INVALID_HANDLE_VALUE) (void)CloseHandle(file);
    return NULL;
}

static bool read_file(void *user, void *file, uint64_t offset, void *bytes, size_t size)
{
    enum { MOST = 1 << 30 }; /* a DWORD counts */
    uint8_t *to = bytes;
    (void)user;
    while (size > 0) {
        OVERLAPPED at = {.Offset = (DWORD)(offset & 0xffffffff),
                         .OffsetHigh = (DWORD)(offset >> 32)};
        DWORD wanted = size < MOST ? (DWORD)size : MOST;
        DWORD got = 0;
        if (!ReadFile(file, to, wanted, &got, &at) || got == 0) return false;
        to += got;
        offset += got;
        size -= got;
    }
    return true;
}

static void close_file(void *user, void *file)
{
    (void)user;
    (void)CloseHandle(file);
}

/* ---- folders ------------------------------------------------------------------------------- */

/* Links to files are files; links to folders are not followed, so that nothing goes in circles. */
static bool is_listed(const WIN32_FIND_DATAW *found)
{
    bool is_dots = wcscmp(found->cFileName, L".") == 0 || wcscmp(found->cFileName, L"..") == 0;
    if ((found->dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) == 0) return true;
    return !is_dots && !ossa__windows_is_link(found->dwFileAttributes, found->dwReserved0);
}

/* All names in a folder; NULL: no memory. */
static wchar_t *pattern_of(const char *folder)
{
    size_t size = strlen(folder);
    char *text = malloc(size + 3);
    if (text == NULL) return NULL;
    memcpy(text, folder, size);
    memcpy(text + size, "/*", 3);
    wchar_t *pattern = ossa__wide_path(text);
    free(text);
    return pattern;
}

static bool list_folder(void *user, const char *folder, ossa_list_entry *found, void *context,
                        ossa_error *error)
{
    (void)user;
    WIN32_FIND_DATAW data;
    if (folder[0] == '\0') return ossa__disk_fail(error, "cannot be opened: ", strerror(ENOENT));
    wchar_t *pattern = pattern_of(folder);
    if (pattern == NULL) {
        return ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, "", "no memory for its name");
    }
    HANDLE search = FindFirstFileExW(pattern, FindExInfoBasic, &data, FindExSearchNameMatch, NULL,
                                     FIND_FIRST_EX_LARGE_FETCH);
    const char *why = reason();
    bool is_empty = GetLastError() == ERROR_FILE_NOT_FOUND; /* a drive: not even dots */
    free(pattern);
    if (search == INVALID_HANDLE_VALUE) {
        return is_empty || ossa__disk_fail(error, "cannot be opened: ", why);
    }
    bool ok = true;
    do {
        if (!is_listed(&data)) continue;
        char *name = ossa__narrow_text(data.cFileName);
        if (name == NULL) {
            ok = ossa__workspace_fail(error, OSSA_CODE_OUT_OF_MEMORY, "",
                                      "no memory for the names in it");
            break;
        }
        found(context, name, (data.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0);
        free(name);
    } while (FindNextFileW(search, &data));
    if (ok && GetLastError() != ERROR_NO_MORE_FILES) {
        ok = ossa__disk_fail(error, "cannot be read: ", reason());
    }
    (void)FindClose(search);
    return ok;
}

const ossa_filesystem ossa__disk = {.list = list_folder,
                                    .open = open_file,
                                    .read_at = read_file,
                                    .close = close_file,
                                    .is_disk = true};

char *ossa__disk_full_path(struct ossa__arena *arena, const char *path)
{
    char *full = ossa__windows_full_path(path);
    char *copy = full == NULL ? NULL : ossa__copy(arena, full, strlen(full));
    free(full);
    return copy;
}

#endif
