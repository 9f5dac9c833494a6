/* SPDX-License-Identifier: MIT */
#include "codec/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool ossa__names_start(struct ossa__names *names, struct ossa__context *context, size_t capacity)
{
    uint64_t room = 2 * (uint64_t)capacity; /* as many again are reserved */
    uint64_t size = ossa__index_size(room);
    *names = (struct ossa__names){0};
    if (size == 0) {
        return ossa__fail_nowhere(context, OSSA_CODE_LIMIT, "", "too many names: %zu", capacity);
    }
    names->names = ossa__take(context, room, sizeof *names->names);
    void *memory = ossa__take(context, size, 1);
    if (memory == NULL) return false;
    ossa__index_start(&names->index, memory, room, NULL);
    return true;
}

static struct ossa__name *find(struct ossa__names *names, const char *text)
{
    int64_t found = ossa__index_find(&names->index, text, (uint32_t)strlen(text));
    return found < 0 ? NULL : &names->names[found];
}

static void add(struct ossa__names *names, const char *text, bool is_reserved)
{
    (void)ossa__index_add(&names->index, text, (uint32_t)strlen(text), names->count);
    names->names[names->count++] = (struct ossa__name){2, is_reserved};
}

/* The text must live as long as the names. */
void ossa__names_reserve(struct ossa__names *names, const char *text)
{
    if (find(names, text) == NULL) add(names, text, true);
}

bool ossa__names_has(struct ossa__names *names, const char *text)
{
    return find(names, text) != NULL;
}

struct ossa__name_choice ossa__names_choose(struct ossa__names *names,
                                            struct ossa__context *context, const char *text,
                                            const char *separator)
{
    enum { DIGITS = 10 };
    size_t size = strlen(text);
    size_t room = strlen(separator) + DIGITS + 1;
    struct ossa__name_choice choice = {.text = ossa__take(context, (uint64_t)size + room, 1)};
    if (choice.text == NULL) return choice;
    memcpy(choice.text, text, size + 1);
    choice.first = find(names, choice.text);
    if (choice.first == NULL || choice.first->is_reserved) return choice;
    choice.next_number = choice.first->next_number;
    while (find(names, choice.text) != NULL) {
        (void)snprintf(choice.text + size, room, "%s%" PRIu32, separator, choice.next_number++);
    }
    return choice;
}

void ossa__names_take(struct ossa__names *names, const struct ossa__name_choice *choice)
{
    if (choice->first != NULL && choice->first->is_reserved) {
        choice->first->is_reserved = false;
        return;
    }
    if (choice->first != NULL) choice->first->next_number = choice->next_number;
    add(names, choice->text, false);
}

char *ossa__names_add(struct ossa__names *names, struct ossa__context *context, const char *text,
                      const char *separator)
{
    struct ossa__name_choice choice = ossa__names_choose(names, context, text, separator);
    if (choice.text != NULL) ossa__names_take(names, &choice);
    return choice.text;
}
