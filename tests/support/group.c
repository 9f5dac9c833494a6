/* SPDX-License-Identifier: MIT */
#include "support/group.h"

const char *test_part;
