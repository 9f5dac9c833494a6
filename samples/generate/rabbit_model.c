/* SPDX-License-Identifier: MIT
 *
 * The rabbit's model: a PlayStation TMD of flat objects drawn in white lines, as Vib-Ribbon's are,
 * with one triangle (the nose) and one quad (the teeth). */
#include "emit.h"
#include "maths.h"
#include "rabbit.h"

enum { MAX_POINTS = 64, MAX_LINES = 64 };

struct object {
    int points;
    int x[MAX_POINTS], y[MAX_POINTS];
    int flat; /* 1: lies on the ground, its y is z */
    int lines;
    int from[MAX_LINES], to[MAX_LINES];
    int triangle; /* the first of three points, or -1 */
    int quad;     /* the first of four, in Z order, or -1 */
};

/* ---- drawing ------------------------------------------------------------------------------- */

static int point(struct object *object, int x, int y)
{
    if (object->points == MAX_POINTS) fail("too many points", "rabbit.tmd");
    object->x[object->points] = x;
    object->y[object->points] = y;
    return object->points++;
}

static void line(struct object *object, int from, int to)
{
    if (object->lines == MAX_LINES) fail("too many lines", "rabbit.tmd");
    object->from[object->lines] = from;
    object->to[object->lines++] = to;
}

/* Lines from point to point. */
static void stroke(struct object *object, const int (*xy)[2], int count)
{
    for (int i = 0; i < count; i++) {
        int at = point(object, xy[i][0], xy[i][1]);
        if (i > 0) line(object, at - 1, at);
    }
}

#define STROKE(object, ...)                                                                        \
    do {                                                                                           \
        static const int xy_[][2] = {__VA_ARGS__};                                                 \
        stroke(object, xy_, (int)(sizeof xy_ / sizeof *xy_));                                      \
    } while (0)

/* `heavy` makes the lower half wider than the upper, as an egg. */
static void oval(struct object *object, vec3 centre, double rx, double ry, int sides, double heavy)
{
    int first = object->points;
    for (int i = 0; i < sides; i++) {
        double phase = (i + 0.5) / sides;
        double wide = rx * (1 + heavy * wave(phase));
        (void)point(object, (int)nearest(centre.x + wide * cowave(phase)),
                    (int)nearest(centre.y + ry * wave(phase)));
        line(object, first + i, first + (i + 1) % sides);
    }
}

/* ---- the objects --------------------------------------------------------------------------- */

static void draw_shadow(struct object *object)
{
    object->flat = 1;
    oval(object, v3(0, 0, 0), 420, 130, 10, 0);
}

static void draw_body(struct object *object)
{
    oval(object, v3(0, -330, 0), 290, 360, 14, 0.18);
    STROKE(object, {70, -470}, {150, -330}, {130, -160}, {50, -60}); /* the belly */
}

static void draw_tail(struct object *object)
{
    STROKE(object, {0, 0}, {-90, -120}, {-110, -20}, {-210, -30}, {-130, 40}, {-170, 130},
           {-70, 80}, {0, 0});
}

static void draw_leg(struct object *object)
{
    STROKE(object, {-60, 0}, {-45, LEG_LENGTH});
    STROKE(object, {60, 0}, {45, LEG_LENGTH});
}

static void draw_foot(struct object *object)
{
    STROKE(object, {-60, -20}, {-80, 50}, {-50, ANKLE_HEIGHT}, {250, ANKLE_HEIGHT}, {300, 30},
           {250, -20}, {60, -30});
    STROKE(object, {220, 20}, {270, 25});
}

static void draw_arm(struct object *object)
{
    STROKE(object, {-35, 0}, {-40, 250}, {-70, 300}, {-40, 370}, {40, 370}, {70, 300}, {40, 250},
           {35, 0});
}

static void draw_head(struct object *object)
{
    oval(object, v3(0, -260, 0), 340, 290, 16, 0.1);
}

static void draw_ear(struct object *object)
{
    STROKE(object, {-60, 20}, {-105, -160}, {-115, -EAR_LENGTH});
    STROKE(object, {60, 20}, {105, -160}, {115, -EAR_LENGTH});
    STROKE(object, {0, -60}, {0, -EAR_LENGTH});
}

static void draw_tip(struct object *object)
{
    STROKE(object, {-115, 0}, {-95, -200}, {-45, -320}, {0, -360}, {45, -320}, {95, -200},
           {115, 0});
    STROKE(object, {0, 0}, {0, -220});
}

static void draw_face(struct object *object)
{
    object->triangle = point(object, -45, -30);
    (void)point(object, 45, -30);
    (void)point(object, 0, 20);
    object->quad = point(object, -38, 85);
    (void)point(object, 38, 85);
    (void)point(object, -34, 160);
    (void)point(object, 34, 160);
    STROKE(object, {0, 20}, {0, 70}, {-60, 100}, {-120, 70});
    STROKE(object, {0, 70}, {60, 100}, {120, 70});
    STROKE(object, {-100, 10}, {-300, -30});
    STROKE(object, {-100, 40}, {-300, 60});
    STROKE(object, {100, 10}, {300, -30});
    STROKE(object, {100, 40}, {300, 60});
}

static void draw_eyes_open(struct object *object)
{
    for (int side = -1; side <= 1; side += 2) {
        oval(object, v3(side * 125, 0, 0), 52, 80, 8, 0);
        oval(object, v3(side * 125 + 10, 10, 0), 20, 36, 4, 0);
    }
}

static void draw_eyes_closed(struct object *object)
{
    STROKE(object, {-190, 25}, {-155, -15}, {-125, -28}, {-95, -15}, {-60, 25});
    STROKE(object, {60, 25}, {95, -15}, {125, -28}, {155, -15}, {190, 25});
}

static void (*const draw[OBJECTS])(struct object *object) = {
    [SHADOW] = draw_shadow,
    [BODY] = draw_body,
    [TAIL] = draw_tail,
    [LEG_B] = draw_leg,
    [LEG_F] = draw_leg,
    [FOOT_B] = draw_foot,
    [FOOT_F] = draw_foot,
    [ARM_B] = draw_arm,
    [ARM_F] = draw_arm,
    [HEAD] = draw_head,
    [EAR_B] = draw_ear,
    [EAR_F] = draw_ear,
    [TIP_B] = draw_tip,
    [TIP_F] = draw_tip,
    [FACE] = draw_face,
    [EYES_OPEN] = draw_eyes_open,
    [EYES_CLOSED] = draw_eyes_closed,
};

/* ---- the file ------------------------------------------------------------------------------ */

enum {
    HEADER_SIZE = 12,
    ENTRY_SIZE = 28,
    MODE_LINE = 0x40,
    MODE_TRIANGLE = 0x21,
    MODE_QUAD = 0x29
};

/* olen is the length, in words, of what the console's library makes of the packet. */
static void put_packet(struct bytes *file, uint32_t olen, uint32_t ilen, uint32_t mode)
{
    put_u8(file, olen);
    put_u8(file, ilen);
    put_u8(file, 1); /* not lit */
    put_u8(file, mode);
    put_u32(file, 0xffffff | mode << 24); /* white; the colour carries the mode again */
}

static uint32_t put_primitives(struct bytes *file, const struct object *object)
{
    uint32_t count = (uint32_t)object->lines;
    for (int i = 0; i < object->lines; i++) {
        put_packet(file, 3, 2, MODE_LINE);
        put_i16(file, object->from[i]);
        put_i16(file, object->to[i]);
    }
    if (object->triangle >= 0) {
        put_packet(file, 4, 3, MODE_TRIANGLE);
        for (int i = 0; i < 3; i++) put_i16(file, object->triangle + i);
        put_u16(file, 0);
        count++;
    }
    if (object->quad >= 0) {
        put_packet(file, 5, 3, MODE_QUAD);
        for (int i = 0; i < 4; i++) put_i16(file, object->quad + i);
        count++;
    }
    return count;
}

static void put_vertices(struct bytes *file, const struct object *object)
{
    for (int i = 0; i < object->points; i++) {
        put_i16(file, object->x[i]);
        put_i16(file, object->flat ? 0 : object->y[i]);
        put_i16(file, object->flat ? object->y[i] : 0);
        put_u16(file, 0);
    }
}

static void put_object(struct bytes *file, int index)
{
    struct object object = {.triangle = -1, .quad = -1};
    draw[index](&object);
    size_t entry = HEADER_SIZE + (size_t)index * ENTRY_SIZE;
    size_t primitives = file->size - HEADER_SIZE; /* offsets count from the object table */
    uint32_t count = put_primitives(file, &object);
    size_t vertices = file->size - HEADER_SIZE;
    put_vertices(file, &object);
    set_u32(file, entry, (uint32_t)vertices);
    set_u32(file, entry + 4, (uint32_t)object.points);
    set_u32(file, entry + 8, (uint32_t)(file->size - HEADER_SIZE)); /* no normals */
    set_u32(file, entry + 16, (uint32_t)primitives);
    set_u32(file, entry + 20, count);
}

void save_rabbit_model(const char *root)
{
    struct bytes file = {0};
    put_u32(&file, 0x41);
    put_u32(&file, 0);
    put_u32(&file, OBJECTS);
    put_zeros(&file, (size_t)OBJECTS * ENTRY_SIZE);
    for (int i = 0; i < OBJECTS; i++) put_object(&file, i);
    save(&file, root, "rabbit/rabbit.tmd");
}
