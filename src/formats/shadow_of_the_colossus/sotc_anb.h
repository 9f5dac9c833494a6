/* SPDX-License-Identifier: MIT
 *
 * What an ANB's flags mean, for its reader, its JSON and its decoder. */
#ifndef OSSA_SOTC_ANB_H
#define OSSA_SOTC_ANB_H

#include "formats/shadow_of_the_colossus/sotc_xff.h"

/* How the rotations of a bone are stored. */
struct ossa__anb_flag {
    uint8_t flag;
    uint8_t constants; /* floats in the record */
    uint8_t members;   /* integers a key; 0: no keys, and no offset of them */
    bool packed;       /* keys are u32, otherwise i16 */
    const char *title;
};

/* NULL for a flag that nobody knows. */
const struct ossa__anb_flag *ossa__anb_flag(uint8_t flag);

/* Bytes of a bone's key, and of its record. */
uint32_t ossa__anb_key_size(const struct ossa__anb_flag *flag);
uint32_t ossa__anb_record_size(const struct ossa__anb_flag *flag);

/* Words of the header that are not understood: 3 and 6 to 16. */
enum { OSSA__ANB_UNKNOWN_WORDS = 12 };
unsigned ossa__anb_unknown_word(unsigned index);

void ossa__anb_dump(const void *contents, struct ossa__json *json);
void *ossa__anb_build(struct ossa__context *context, const struct ossa__value *data, uint64_t size);

#endif
