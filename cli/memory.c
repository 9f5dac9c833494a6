/* SPDX-License-Identifier: MIT
 *
 * Memory and texts. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static void *checked(void *memory)
{
    if (memory != NULL) return memory;
    (void)fputs("ossa: out of memory\n", stderr);
    os_give_up(EXIT_BAD_DATA);
}

void *allocate(size_t count, size_t size)
{
    return checked(calloc(count == 0 ? 1 : count, size));
}

void *make_room(void *items, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0) return items; /* it doubles at 0, 1, 2, 4, ... */
    size_t room = count == 0 ? 1 : 2 * count;
    return checked(room > SIZE_MAX / size ? NULL : realloc(items, room * size));
}

char *copy_text(const char *text)
{
    return checked(strdup(text));
}

char *format_list(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = allocate(size < 0 ? 1 : (size_t)size + 1, 1);
    if (size > 0) (void)vsnprintf(text, (size_t)size + 1, format, arguments);
    return text;
}

char *format_text(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = format_list(format, arguments);
    va_end(arguments);
    return text;
}

char *path_in(const char *folder, const char *name)
{
    size_t size = strlen(folder);
    while (size > 1 && folder[size - 1] == '/') size--;
    return format_text("%.*s/%s", (int)size, folder, name);
}

void texts_add(struct texts *texts, char *text)
{
    texts->items = make_room(texts->items, texts->count, sizeof *texts->items);
    texts->items[texts->count++] = text;
}

void texts_free(struct texts *texts)
{
    for (size_t i = 0; i < texts->count; i++) free(texts->items[i]);
    free(texts->items);
    *texts = (struct texts){0};
}
