/* SPDX-License-Identifier: MIT */
#include "os_windows.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <stdlib.h>
#include <string.h>

/* ---- shared -------------------------------------------------------------------------------- */

static void *checked(void *memory)
{
    if (memory == NULL) (void)allocate(SIZE_MAX, 1); /* ends the tool with a message */
    return memory;
}

wchar_t *os_wide_path(const char *path)
{
    return checked(ossa__wide_path(path));
}

wchar_t *os_wide_text(const char *text)
{
    return checked(ossa__wide_text(text));
}

char *os_narrow_text(const wchar_t *text)
{
    return checked(ossa__narrow_text(text));
}

char *os_narrow_path(const wchar_t *path)
{
    return checked(ossa__narrow_path(path));
}

bool os_set_errno(void)
{
    errno = ossa__windows_errno(GetLastError());
    return false;
}

const char *os_reason(void)
{
    return ossa__windows_reason(errno);
}

HANDLE os_open_to_ask(const char *path)
{
    wchar_t *wide = os_wide_path(path);
    HANDLE file = CreateFileW(wide, FILE_READ_ATTRIBUTES,
                              FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE) (void)os_set_errno();
    free(wide);
    return file;
}

int os_read_some(void *bytes, unsigned size)
{
    return _read(_fileno(stdin), bytes, size);
}

/* ---- files --------------------------------------------------------------------------------- */

char *os_full_path(const char *path)
{
    return ossa__windows_full_path(path);
}

/* Windows counts tenths of a microsecond, from 1601. */
#define UNITS_PER_SECOND UINT64_C(10000000)
#define FROM_1601        (UINT64_C(11644473600) * UNITS_PER_SECOND)

static uint64_t units_of(FILETIME time)
{
    uint64_t units = (uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime;
    return units < FROM_1601 ? 0 : units - FROM_1601;
}

/* What is known of a file or folder; false if there is none. */
static bool ask(const char *path, BY_HANDLE_FILE_INFORMATION *about, bool *is_file)
{
    HANDLE file = os_open_to_ask(path);
    if (file == INVALID_HANDLE_VALUE) return false;
    bool ok = GetFileInformationByHandle(file, about) != 0 || os_set_errno();
    *is_file = ok && GetFileType(file) == FILE_TYPE_DISK &&
               (about->dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
    (void)CloseHandle(file);
    return ok;
}

bool os_identify(const char *path, struct os_file_id *id)
{
    BY_HANDLE_FILE_INFORMATION about;
    bool is_file;
    if (!ask(path, &about, &is_file) || !is_file) return false;
    *id = (struct os_file_id){
        .device = about.dwVolumeSerialNumber,
        .number = (uint64_t)about.nFileIndexHigh << 32 | about.nFileIndexLow,
        .size = (uint64_t)about.nFileSizeHigh << 32 | about.nFileSizeLow,
        .time = units_of(about.ftLastWriteTime) * 100,
    };
    return true;
}

uint32_t os_time(const char *path)
{
    BY_HANDLE_FILE_INFORMATION about;
    bool is_file;
    if (!ask(path, &about, &is_file)) return 0;
    uint64_t seconds = units_of(about.ftLastWriteTime) / UNITS_PER_SECOND;
    return seconds <= UINT32_MAX ? (uint32_t)seconds : 0;
}

void os_set_time(const char *path, uint32_t seconds)
{
    uint64_t units = FROM_1601 + seconds * UNITS_PER_SECOND;
    const FILETIME time = {(DWORD)(units & 0xffffffff), (DWORD)(units >> 32)};
    wchar_t *wide = os_wide_path(path);
    HANDLE file = CreateFileW(
        wide, FILE_WRITE_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
        OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    free(wide);
    if (file == INVALID_HANDLE_VALUE) return; /* failing to set a time is harmless */
    (void)SetFileTime(file, NULL, &time, &time);
    (void)CloseHandle(file);
}

FILE *os_open_file(const char *path)
{
    struct os_file_id id;
    if (!os_identify(path, &id)) return NULL;
    wchar_t *wide = os_wide_path(path);
    FILE *stream = _wfopen(wide, L"rb");
    free(wide);
    return stream;
}

bool os_exists(const char *path)
{
    BY_HANDLE_FILE_INFORMATION about;
    bool is_file;
    return ask(path, &about, &is_file);
}

/* ---- folders ------------------------------------------------------------------------------- */

bool os_is_folder(const char *path)
{
    BY_HANDLE_FILE_INFORMATION about;
    bool is_file;
    return ask(path, &about, &is_file) && (about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

bool os_is_same_folder(const char *a, const char *b)
{
    BY_HANDLE_FILE_INFORMATION x;
    BY_HANDLE_FILE_INFORMATION y;
    bool is_file;
    return ask(a, &x, &is_file) && ask(b, &y, &is_file) &&
           (x.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 &&
           x.dwVolumeSerialNumber == y.dwVolumeSerialNumber &&
           x.nFileIndexHigh == y.nFileIndexHigh && x.nFileIndexLow == y.nFileIndexLow;
}

bool os_create_folder(const char *path)
{
    wchar_t *wide = os_wide_path(path);
    bool ok = CreateDirectoryW(wide, NULL) != 0;
    if (!ok) (void)os_set_errno();
    free(wide);
    return ok;
}

/* The attributes of what has a name, even if it is a link; false if there is nothing. */
static bool look_at(const char *path, WIN32_FIND_DATAW *found)
{
    wchar_t *wide = os_wide_path(path);
    HANDLE search = FindFirstFileW(wide, found);
    free(wide);
    if (search == INVALID_HANDLE_VALUE) return false;
    (void)FindClose(search);
    return true;
}

bool os_is_real_folder(const char *path)
{
    WIN32_FIND_DATAW found;
    return look_at(path, &found) && (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 &&
           !ossa__windows_is_link(found.dwFileAttributes, found.dwReserved0);
}

bool os_is_file_or_nothing(const char *path)
{
    WIN32_FIND_DATAW found;
    return !look_at(path, &found) ||
           ((found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) == 0 &&
            !ossa__windows_is_link(found.dwFileAttributes, found.dwReserved0));
}

void os_remove_empty_folder(const char *path)
{
    wchar_t *wide = os_wide_path(path);
    (void)RemoveDirectoryW(wide); /* refuses any other */
    free(wide);
}

/* ---- threads ------------------------------------------------------------------------------- */

unsigned os_core_count(void)
{
    SYSTEM_INFO about;
    GetSystemInfo(&about);
    DWORD count = about.dwNumberOfProcessors;
    return count < 1 ? 1 : count > 256 ? 256 : (unsigned)count;
}

struct job {
    void (*work)(void *user);
    void *user;
};

static unsigned __stdcall run_job(void *argument)
{
    struct job *job = argument;
    job->work(job->user);
    return 0;
}

void os_run_threads(unsigned count, void (*work)(void *user), void *user)
{
    struct job job = {work, user};
    HANDLE *threads = allocate(count, sizeof *threads);
    unsigned started = 0;
    for (unsigned i = 1; i < count; i++) {
        uintptr_t thread = _beginthreadex(NULL, 0, run_job, &job, 0, NULL);
        if (thread == 0) break;
        threads[started++] = (HANDLE)thread; /* NOLINT(performance-no-int-to-ptr) */
    }
    work(user); /* on this thread too, in case no other can be started */
    for (unsigned i = 0; i < started; i++) {
        (void)WaitForSingleObject(threads[i], INFINITE);
        (void)CloseHandle(threads[i]);
    }
    free(threads);
}

static SRWLOCK lock = SRWLOCK_INIT;

void os_lock(void)
{
    AcquireSRWLockExclusive(&lock);
}

void os_unlock(void)
{
    ReleaseSRWLockExclusive(&lock);
}

static SRWLOCK turn = SRWLOCK_INIT;

void os_begin_turn(void)
{
    AcquireSRWLockExclusive(&turn);
}

void os_end_turn(void)
{
    ReleaseSRWLockExclusive(&turn);
}

double os_seconds(void)
{
    LARGE_INTEGER now;
    LARGE_INTEGER per_second;
    (void)QueryPerformanceCounter(&now);
    (void)QueryPerformanceFrequency(&per_second);
    return (double)now.QuadPart / (double)per_second.QuadPart;
}
