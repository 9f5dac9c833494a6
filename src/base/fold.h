/* SPDX-License-Identifier: MIT
 *
 * Names without regard to letter case, as the games and their archives compare them. This is the
 * only case folding there is: ASCII, Latin-1 and Cyrillic letters, which is what the games use. */
#ifndef OSSA_BASE_FOLD_H
#define OSSA_BASE_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The small letter of a capital; any other character as it is. */
uint32_t ossa__fold(uint32_t character);

/* The order of two names in UTF-8: below, at or above 0. */
int ossa__compare_names(const char *a, const char *b);
/* The same for paths, in which \ is /. */
int ossa__compare_paths(const char *a, const char *b);
bool ossa__same_path(const char *a, const char *b);
/* The same for names of `a_size` and `b_size` bytes. */
int ossa__compare_sized_names(const char *a, size_t a_size, const char *b, size_t b_size);

/* Does a path begin with the `size` bytes of `start`? Gives how many of its bytes are that; 0: it
 * does not, or `size` is 0. */
size_t ossa__begins_with(const char *path, const char *start, size_t size);

/* How many bytes at the start of two names are the same, in each of them. */
struct ossa__common {
    size_t a;
    size_t b;
};
struct ossa__common ossa__common_start(const char *a, size_t a_size, const char *b, size_t b_size);

/* Equal for paths that are the same to ossa__same_path; and for those that are the same bytes. */
uint64_t ossa__hash_path(const char *path);
uint64_t ossa__hash_bytes(const char *text, size_t size);

/* Equal without regard to the case of ASCII letters: for the words of text formats. */
bool ossa__same_word(const char *a, size_t a_size, const char *b, size_t b_size);

/* Does a name end in `ending`, which is ASCII, with something before it? */
bool ossa__has_ending(const char *name, const char *ending);

/* * stands for any characters, ? for one; letter case and the kind of separator do not count. */
bool ossa__matches(const char *pattern, const char *name);

#endif
