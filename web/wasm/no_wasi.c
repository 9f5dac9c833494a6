/* SPDX-License-Identifier: MIT
 *
 * The C library contains code that prints a message about unsupported number formats, and that code
 * needs three system calls. They fail here, so that the module does not import them. */
#include <wasi/api.h>

__wasi_errno_t __wasi_fd_write(__wasi_fd_t fd, const __wasi_ciovec_t *pieces, size_t count,
                               __wasi_size_t *written)
{
    (void)fd;
    (void)pieces;
    (void)count;
    *written = 0;
    return __WASI_ERRNO_NOTSUP;
}

__wasi_errno_t __wasi_fd_seek(__wasi_fd_t fd, __wasi_filedelta_t offset, __wasi_whence_t whence,
                              __wasi_filesize_t *place)
{
    (void)fd;
    (void)offset;
    (void)whence;
    *place = 0;
    return __WASI_ERRNO_NOTSUP;
}

__wasi_errno_t __wasi_fd_close(__wasi_fd_t fd)
{
    (void)fd;
    return __WASI_ERRNO_NOTSUP;
}
