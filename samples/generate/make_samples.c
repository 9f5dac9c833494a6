/* SPDX-License-Identifier: MIT
 *
 * make_samples DIR: writes the sample characters to DIR/troll, DIR/pedestrian, DIR/rabbit,
 * DIR/bird and DIR/wyvern, what is given beside them to DIR/more, and archives of all that to
 * DIR/packed. The same bytes every time and everywhere; check.sh relies on it. */
#include "samples.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 2) {
        (void)fprintf(stderr, "usage: make_samples DIR\n");
        return 2;
    }
    make_troll(argv[1]);
    make_pedestrian(argv[1]);
    make_rabbit(argv[1]);
    make_bird(argv[1]);
    make_wyvern(argv[1]);
    make_more(argv[1]);
    make_packed(argv[1]);
    return 0;
}
