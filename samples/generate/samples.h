/* SPDX-License-Identifier: MIT
 *
 * One function a character: each writes its folder below `root`. */
#ifndef OSSA_SAMPLES_H
#define OSSA_SAMPLES_H

void make_troll(const char *root);
void make_pedestrian(const char *root);
void make_rabbit(const char *root);
void make_bird(const char *root);
void make_wyvern(const char *root);
void make_more(const char *root);   /* what is given beside them */
void make_packed(const char *root); /* all of it again, in archives; comes last */

#endif
