/* SPDX-License-Identifier: MIT
 *
 * An allocator that counts, that can run dry, and that notices a wrong release. */
#ifndef OSSA_TEST_COUNTING_H
#define OSSA_TEST_COUNTING_H

#include "ossa/ossa.h"

struct counting {
    size_t calls;
    size_t fail_at; /* this call gets nothing, from 1 on; 0: none fails */
    size_t live;    /* bytes handed out now */
    size_t peak;
    bool failed;        /* fail_at was reached */
    bool wrong_release; /* a size that differs from the one asked for, or memory not ours */
};

ossa_allocator counting_allocator(struct counting *counting);

#endif
