/* SPDX-License-Identifier: MIT */
#include "base/windows.h"

#ifdef _WIN32

#include "base/text.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ---------------------------------------------------------------------------------- */

enum {
    HIGH = 0xd800, /* the first half of a surrogate pair */
    LOW = 0xdc00,  /* the second */
    SURROGATES_END = 0xe000,
    BEYOND = 0x10000, /* from here on a character is a pair */
};

/* The three bytes that half a pair is stored in, which is not UTF-8. */
static size_t decode(const char *text, size_t size, uint32_t *character)
{
    const uint8_t *bytes = (const uint8_t *)text;
    if (size >= 3 && bytes[0] == 0xed && bytes[1] >= 0xa0 && bytes[1] < 0xc0 &&
        (bytes[2] & 0xc0) == 0x80) {
        *character = HIGH | (uint32_t)(bytes[1] & 0x1f) << 6 | (bytes[2] & 0x3fu);
        return 3;
    }
    return ossa__utf8_decode(text, size, character);
}

wchar_t *ossa__wide_text(const char *text)
{
    size_t left = strlen(text);
    wchar_t *wide = malloc((left + 2) * sizeof *wide); /* never more units than bytes */
    wchar_t *to = wide;
    if (wide == NULL) return NULL;
    while (left > 0) {
        uint32_t character;
        size_t used = decode(text, left, &character);
        if (character >= BEYOND) {
            *to++ = (wchar_t)(HIGH + ((character - BEYOND) >> 10));
            *to++ = (wchar_t)(LOW + ((character - BEYOND) & 0x3ff));
        } else {
            *to++ = (wchar_t)character;
        }
        text += used;
        left -= used;
    }
    *to = L'\0';
    return wide;
}

/* Three bytes also for half a pair. */
static size_t encode(uint32_t character, char *bytes)
{
    if (character < HIGH || character >= SURROGATES_END) return ossa__utf8_encode(character, bytes);
    bytes[0] = (char)0xed;
    bytes[1] = (char)(0x80 | (character >> 6 & 0x3f));
    bytes[2] = (char)(0x80 | (character & 0x3f));
    return 3;
}

char *ossa__narrow_text(const wchar_t *text)
{
    size_t size = wcslen(text);
    char *narrow = malloc(3 * size + 1); /* a pair has four bytes */
    char *to = narrow;
    if (narrow == NULL) return NULL;
    for (size_t i = 0; i < size; i++) {
        uint32_t character = text[i];
        bool is_pair = character >= HIGH && character < LOW && text[i + 1] >= LOW &&
                       text[i + 1] < SURROGATES_END;
        if (is_pair) character = BEYOND + ((character - HIGH) << 10) + (text[++i] - LOW);
        to += encode(character, to);
    }
    *to = '\0';
    return narrow;
}

/* ---- paths --------------------------------------------------------------------------------- */

/* A file may have 259 characters, a folder only 247: there must be room for a name of 8.3 in it. */
enum { LONGEST_PATH = 247 };

static wchar_t *copy_behind(const wchar_t *prefix, const wchar_t *text)
{
    size_t before = wcslen(prefix);
    size_t size = wcslen(text) + 1;
    wchar_t *both = malloc((before + size) * sizeof *both);
    if (both == NULL) return NULL;
    memcpy(both, prefix, before * sizeof *both);
    memcpy(both + before, text, size * sizeof *both);
    return both;
}

wchar_t *ossa__wide_path(const char *path)
{
    wchar_t *wide = ossa__wide_text(path);
    if (wide == NULL) return NULL;
    for (wchar_t *c = wide; *c != L'\0'; c++) {
        if (*c == L'/') *c = L'\\';
    }
    /* Windows takes E: for the current folder of that drive, but E:/x is in the root. */
    if (wide[0] != L'\0' && wide[1] == L':' && wide[2] == L'\0') {
        wide[2] = L'\\';
        wide[3] = L'\0';
    }
    DWORD size = GetFullPathNameW(wide, 0, NULL, NULL);
    if (size <= LONGEST_PATH) return wide; /* also 0, for what is not a path at all */
    wchar_t *full = malloc(size * sizeof *full);
    wchar_t *result = NULL;
    if (full != NULL && GetFullPathNameW(wide, size, full, NULL) < size) {
        bool is_prefixed = wcsncmp(full, L"\\\\?\\", 4) == 0 || wcsncmp(full, L"\\\\.\\", 4) == 0;
        bool is_share = wcsncmp(full, L"\\\\", 2) == 0;
        if (is_prefixed) result = copy_behind(L"", full);
        else if (is_share) result = copy_behind(L"\\\\?\\UNC\\", full + 2);
        else result = copy_behind(L"\\\\?\\", full);
    }
    free(full);
    free(wide);
    return result;
}

char *ossa__narrow_path(const wchar_t *path)
{
    bool is_share = wcsncmp(path, L"\\\\?\\UNC\\", 8) == 0;
    if (is_share) path += 6; /* of its backslashes one is left, and gets another */
    else if (wcsncmp(path, L"\\\\?\\", 4) == 0) path += 4;
    char *narrow = ossa__narrow_text(path);
    if (narrow == NULL) return NULL;
    if (is_share) narrow[0] = '/';
    for (char *c = narrow; *c != '\0'; c++) {
        if (*c == '\\') *c = '/';
    }
    return narrow;
}

char *ossa__windows_full_path(const char *path)
{
    wchar_t *wide = ossa__wide_path(path);
    if (wide == NULL) return NULL;
    HANDLE file = CreateFileW(wide, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    free(wide);
    if (file == INVALID_HANDLE_VALUE) return NULL;
    char *result = NULL;
    DWORD size = GetFinalPathNameByHandleW(file, NULL, 0, FILE_NAME_NORMALIZED);
    wchar_t *full = size == 0 ? NULL : malloc(((size_t)size + 1) * sizeof *full);
    DWORD used = full == NULL ? 0 : GetFinalPathNameByHandleW(file, full, size + 1, 0);
    if (used > 0 && used <= size) result = ossa__narrow_path(full);
    free(full);
    (void)CloseHandle(file);
    return result;
}

bool ossa__windows_is_link(unsigned long attributes, unsigned long tag)
{
    return (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 && IsReparseTagNameSurrogate(tag);
}

/* ---- errors -------------------------------------------------------------------------------- */

int ossa__windows_errno(unsigned long error)
{
    switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME:
    case ERROR_BAD_PATHNAME: return ENOENT;
    case ERROR_INVALID_NAME: return EILSEQ; /* EINVAL is what the C library calls anything */
    case ERROR_ACCESS_DENIED:
    case ERROR_WRITE_PROTECT:
    case ERROR_PRIVILEGE_NOT_HELD: return EACCES;
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
    case ERROR_USER_MAPPED_FILE: return EBUSY;
    case ERROR_ALREADY_EXISTS:
    case ERROR_FILE_EXISTS: return EEXIST;
    case ERROR_DIRECTORY: return ENOTDIR;
    case ERROR_DIR_NOT_EMPTY: return ENOTEMPTY;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL: return ENOSPC;
    case ERROR_TOO_MANY_OPEN_FILES: return EMFILE;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY: return ENOMEM;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA: return EPIPE;
    case ERROR_FILENAME_EXCED_RANGE: return ENAMETOOLONG;
    default: return EIO;
    }
}

const char *ossa__windows_reason(int number)
{
    if (number == EILSEQ) return "no such file; Windows allows no * ? \" < > | in a name";
    if (number == EPERM) return "it is read-only";
    if (number == EBUSY) return "another program has it open";
    return strerror(number);
}

#endif
