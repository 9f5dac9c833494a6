/* SPDX-License-Identifier: MIT
 *
 * The disc that the fixtures of iso9660 are made of. Its entries, without Joliet: EMPTY, HELLO.TXT,
 * SUB/DEEP/XAB, SUB/NUMBERS.BIN, and with XA SUB/SONG.XA. */
#ifndef OSSA_TEST_DISC_FIXTURE_H
#define OSSA_TEST_DISC_FIXTURE_H

#include "support/disc.h"

enum { DISC_NUMBERS = 9000, DISC_XAB = 2048 };

/* What is in NUMBERS.BIN, XAB and SONG.XA. */
struct disc_contents {
    uint8_t numbers[DISC_NUMBERS];
    uint8_t xab[DISC_XAB];
};
struct disc_contents disc_contents(void);

/* Of the plan, the files are set here; `xa` adds the song. */
struct disc sample_disc(struct disc_plan plan);
struct bytes sample_image(struct disc_plan plan, enum disc_layout layout);

#endif
