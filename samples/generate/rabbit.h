/* SPDX-License-Identifier: MIT
 *
 * What the rabbit's model (rabbit_model.c) and moves (rabbit.c) share. The space is the game's: X
 * right, Y down, Z into the screen; 2048 units are a metre. The ground is y = 0, she goes right. */
#ifndef OSSA_SAMPLES_RABBIT_H
#define OSSA_SAMPLES_RABBIT_H

/* F is nearer to the viewer, B is behind. An ear is two objects, so that its tip can trail. */
enum rabbit_object {
    SHADOW,
    BODY,
    TAIL,
    LEG_B,
    LEG_F,
    FOOT_B,
    FOOT_F,
    ARM_B,
    ARM_F,
    HEAD,
    EAR_B,
    EAR_F,
    TIP_B,
    TIP_F,
    FACE,
    EYES_OPEN,
    EYES_CLOSED,
    OBJECTS,
};

/* Lengths that the moves rely on; each object's own origin is the joint it turns about. */
enum {
    LEG_LENGTH = 256,  /* at scale 1; moves stretch it from hip to ankle */
    EAR_LENGTH = 340,  /* from its root to the joint with the tip */
    ANKLE_HEIGHT = 70, /* above the sole */
};

void save_rabbit_model(const char *root);

#endif
