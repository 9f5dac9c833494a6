/* SPDX-License-Identifier: MIT
 *
 * What the C in README.md and docs/ takes for granted: names that main.c gives a value before each
 * piece runs. */
#ifndef OSSA_SNIPPETS_GIVEN_H
#define OSSA_SNIPPETS_GIVEN_H

#include <ossa/ossa.h>

#include <stdio.h>

extern const void *bytes; /* an ei-anm */
extern size_t size;
extern ossa_error error;
extern ossa_file *file;    /* those bytes */
extern ossa_file *archive; /* an ei-res */
extern ossa_file *links;   /* an ei-lnk */
extern ossa_file *head;    /* an ei-anm of one of its parts */
extern ossa_scene *scene;
extern const ossa_clip *clip;
extern double seconds;
extern ossa_transform *locals;
extern float (*matrices)[16];
extern float (*inverse_binds)[16];
extern float *weights;
extern float (*positions)[3];
extern float (*normals)[3];
extern ossa_sink sink;
extern void *image; /* of a disc */
extern uint64_t image_size;
bool read_image(void *image, uint64_t offset, void *bytes, size_t size);
void print_issue(void *user, const ossa_issue *issue);

/* A snippet that complains has failed. */
int complain(FILE *stream, const char *format, ...);
#define fprintf complain

struct snippet {
    const char *place;
    int (*run)(void);
};
extern const struct snippet snippets[];

#endif
