/* SPDX-License-Identifier: MIT
 *
 * Bytes for the sample files, little-endian, and their way to the disk. It shares no code with the
 * library on purpose: a sample must not inherit a fault of the writer it is used to try out. */
#ifndef OSSA_SAMPLES_EMIT_H
#define OSSA_SAMPLES_EMIT_H

#include <stddef.h>
#include <stdint.h>

struct bytes {
    uint8_t *data;
    size_t size;
    size_t capacity;
};

void put_u8(struct bytes *bytes, uint32_t value);
void put_u16(struct bytes *bytes, uint32_t value);
void put_i16(struct bytes *bytes, long value); /* a value that does not fit ends the program */
void put_u32(struct bytes *bytes, uint32_t value);
void put_f32(struct bytes *bytes, double value);
void put_text(struct bytes *bytes, const char *text); /* without the NUL */
void put_zeros(struct bytes *bytes, size_t count);
void put_padding(struct bytes *bytes, size_t alignment);

/* Change bytes that are there already. */
void set_u16(struct bytes *bytes, size_t offset, uint32_t value);
void set_u32(struct bytes *bytes, size_t offset, uint32_t value);

void put_bytes(struct bytes *bytes, const struct bytes *more);

/* Takes the bytes over under a name, for the archives that they are put into later. */
void keep(struct bytes *bytes, const char *name);
/* Writes the bytes to ROOT/NAME, makes the folders in between, and keeps them. A failure ends the
 * program: there is no use for half a set of samples. */
void save(struct bytes *bytes, const char *root, const char *name);

/* What was kept, in the order in which it came. */
struct kept {
    char name[64];
    struct bytes bytes;
};
size_t kept_count(void);
const struct kept *kept_file(size_t index);
const struct bytes *find_kept(const char *name); /* none of that name ends the program */

_Noreturn void fail(const char *what, const char *name);

#endif
