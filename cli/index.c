/* SPDX-License-Identifier: MIT
 *
 * --index FILE: what a search of a disc found is kept beside it, so that the next call need not
 * read gigabytes again. The library checks an index before it uses it. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* How an index begins: nothing else is overwritten. */
static const char MARK[] = "ossaidx\n";

static bool begins_like_one(const char *path)
{
    char start[sizeof MARK - 1];
    if (os_read_start(path, start, sizeof start) == sizeof start &&
        memcmp(start, MARK, sizeof start) == 0) {
        return true;
    }
    complain("%s: is not an index that ossa has written; name another file for --index", path);
    return false;
}

bool load_index(struct cli *cli)
{
    enum { LARGEST = 256 << 20 };
    if (cli->index == NULL) return true;
    if (strcmp(cli->index, "-") == 0) {
        complain("--index needs a file, which is read and written");
        return false;
    }
    if (!os_exists(cli->index)) return true;
    cli->index_bytes = read_whole(cli->index, LARGEST, &cli->index_size);
    return cli->index_bytes != NULL && begins_like_one(cli->index);
}

bool save_index(const struct cli *cli)
{
    ossa_buffer bytes = {0};
    ossa_error error;
    struct os_output output;
    if (cli->index == NULL) return true;
    if (!ossa_workspace_index(cli->workspace, ossa_buffer_sink(&bytes), &error)) {
        ossa_buffer_free(&bytes);
        if (error.code == OSSA_CODE_NO_ENTRY) return true; /* nothing to be kept */
        complain_error(cli->index, &error);
        return false;
    }
    bool is_same = bytes.size == cli->index_size &&
                   (bytes.size == 0 || memcmp(bytes.data, cli->index_bytes, bytes.size) == 0);
    /* It may be what the call has written. */
    bool ok = is_same || !os_exists(cli->index) || begins_like_one(cli->index);
    if (ok && !is_same) ok = open_output(&output, cli->index);
    if (ok && !is_same) {
        (void)os_write_output(&output, bytes.data, bytes.size);
        ok = close_output(&output, cli->index, true);
    }
    ossa_buffer_free(&bytes);
    return ok;
}
