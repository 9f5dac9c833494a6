/* SPDX-License-Identifier: MIT */
#include "support/mm_pedestrian.h"
#include "support/text_fixture.h"

#include <stdio.h>
#include <string.h>

/* The text with another end of lines than LF. */
static struct bytes make_with(const char *text, const char *line_end)
{
    struct bytes file = {0};
    for (; *text != '\0'; text++) {
        if (*text == '\n') put_text(&file, line_end);
        else put_u8(&file, (uint8_t)*text);
    }
    return file;
}

struct bytes make_big_csv(uint32_t count, bool same_names)
{
    struct random random = {1999};
    struct bytes file = {0};
    for (uint32_t i = 0; i < count; i++) {
        char line[128];
        unsigned number = same_names ? 7 : (unsigned)(i * 2654435761U);
        unsigned next = same_names ? 7 : (unsigned)((i + 1) % count * 2654435761U);
        /* One after another: the order in which arguments are evaluated is the compiler's. */
        int first = (int)next_between(&random, 1, 99);
        int last = (int)next_between(&random, 1, 99);
        unsigned forward = (unsigned)(next_random(&random) % 1000);
        (void)snprintf(line, sizeof line, "S%08x,pedanim_%u,%d,%d,0,1.%03u,-.5,0,S%08x\r\n", number,
                       (unsigned)(i % 50), first, last, forward, next);
        put_text(&file, line);
    }
    return file;
}

#define HEADING                                                                                    \
    "# state,animation,first frame,last frame,forward offset,forward,sideways offset,"             \
    "sideways,default next\n"

/* All that a pedestrian does. */
static const char ped[] =
    HEADING "STAND,pedanim_x_stand,1,25,0,0,0,0,STAND\n"
            "STAND2,pedanim_x_stand2,1,41,0,0,0,0,STAND\n"
            "STAND_WALK,pedanim_x_st2w,1,6,0,0.25,0,0,WALK\n"
            "WALK,pedanim_x_walk,1,22,0.25,1.5,0,0,WALK\n"
            "WALK_STAND,pedanim_x_w2st,1,7,1.75,0.31,0,0,STAND\n"
            "WALK_RUN,pedanim_x_w2run,1,9,0.25,1.125,0,0,RUN\n"
            "RUN,pedanim_x_run,1,17,1.375,2.75,0,0,RUN\n"
            "RUN_WALK,pedanim_x_run2w,1,11,4.125,1.25,0,0,WALK\n"
            "STAND_BACKUP,pedanim_x_st2bk,1,5,0,-0.2,0,0,BACKUP\n"
            "BACKUP,pedanim_x_back,1,19,-0.2,-0.8,0,0,BACKUP\n"
            "BACKUP_STAND,pedanim_x_st2bk,5,1,-1,-0.2,0,0,STAND\n"
            "STAND_ANTIC,pedanim_x_st2an,1,8,0,0,0,0,ANTIC\n"
            "ANTIC,pedanim_x_antic,1,16,0,0,0,0,ANTIC\n"
            "ANTIC_STAND,pedanim_x_st2an,8,1,0,0,0,0,STAND\n"
            "ANTIC_LDIVE,pedanim_x_an2dl,1,21,0,0,0,2.125,LDIVE_GROUNDL\n"
            "ANTIC_RDIVE,pedanim_x_an2dr,1,21,0,0,0,-2.125,RDIVE_GROUNDR\n"
            "WALK_LDIVE,pedanim_x_w2dl,1,20,0,0,0,2,LDIVE_GROUNDL\n"
            "WALK_RDIVE,pedanim_x_w2dr,1,20,0,0,0,-2,RDIVE_GROUNDR\n"
            "LDIVE_GROUNDL,pedanim_x_dl2g,1,14,0,0,2.125,1.5,GROUND_STANDL\n"
            "RDIVE_GROUNDR,pedanim_x_dr2g,1,14,0,0,-2.125,-1.5,GROUND_STANDR\n"
            "GROUND_STANDL,pedanim_x_g2stl,1,45,0,0,3.625,0,STAND\n"
            "GROUND_STANDR,pedanim_x_g2str,1,45,0,0,-3.625,0,STAND\n";

static const char two[] = HEADING "STAND,pedanim_stand,1,30,0,0,0,0,STAND\n"
                                  "WALK,pedanim_walk,1,20,0,1.5,0,0,WALK\n";

static void add_good(struct fixtures *all)
{
    fixture_add(all, "mm-csv/ped", make_with(ped, "\r\n"), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-csv/lf", make_text(two), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-csv/cr", make_with(two, "\r"), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-csv/mixed-ends",
                make_text("A,x,1,1,0,0,0,0,A\rB,x,1,1,0,0,0,0\r\n\rC,x,1,1,0,0,0,0\n\r# end\n\n\r"),
                OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-csv/no-last-newline", make_text(HEADING "A,x,1,2,0,0,0,0,A"),
                OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-csv/one-row", make_text("a,b,1,1,0,0,0,0,a"), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-csv/backwards", make_text("A,x,30,1,0,-1,0,0,B\nB,x,1,30,0,1,0,0,A\n"),
                OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-csv/big", make_big_csv(3000, false), OSSA_CONFIDENCE_PLAUSIBLE);
}

/* What a program that tidies texts up would lose. */
static void add_odd_texts(struct fixtures *all)
{
    static const char blank[] = "\n\r\n \t\v\f\nA,x,1,1,0,0,0,0,A\n   \n#\n\n";
    static const char commas[] =
        "A,x,1,1,0,0,0,0,\nB,x,1,1,0,0,0,0,A,\nC,x,1,1,0,0,0,0,,, ,\nD,x,1,1,0,0,0,0, \n";
    static const char numbers[] = "A,x,+1,0020,-0,+1.50,-.5,7.\n"
                                  "B,x,2147483647,1,1e-3,-2.5E+2,00.0,3.402823466e38\n"
                                  "C,x, 1,1 ,\t0, 0.5 , -0.5,0\t,A\n";
    static const char words[] = "a b,x-y.z,1,1,0,0,0,0,C:\\d/'e\n"
                                "C:\\d/'e,#1,1,1,0,0,0,0,;\n"
                                ";,{,1,1,0,0,0,0,a b\n";
    fixture_add(all, "mm-csv/blank-lines", make_text(blank), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-csv/no-next", make_text("A,pedanim_x,1,1,0,0,0,0\nB,y,1,2,0,0,0,0\n"),
                OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-csv/commas-at-the-end", make_text(commas), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-csv/numbers", make_text(numbers), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-csv/latin-1",
                make_text("#\xff\x01\n\xe9t\xe9,\x80\x7f,1,1,0,0,0,0,\xe9t\xe9\n"),
                OSSA_CONFIDENCE_PLAUSIBLE);
    /* Words without letters, which the probe does not take for names. */
    fixture_add(all, "mm-csv/odd-words", make_text(words), OSSA_CONFIDENCE_NONE);
    struct bytes padded = make_text(two);
    put_repeated(&padded, 0, 37);
    fixture_add(all, "mm-csv/padded", padded, OSSA_CONFIDENCE_PLAUSIBLE);
}

static void add_warning(struct fixtures *all, const char *name, const char *text, const char *piece,
                        const char *field)
{
    add_broken_text(all, name, text, OSSA_CONFIDENCE_PLAUSIBLE, OSSA_SEVERITY_WARNING,
                    OSSA_CODE_UNUSUAL_VALUE, piece, field);
}

static void add_warnings(struct fixtures *all)
{
    /* Other tables are wider, so that such a row does not speak for a state table. */
    add_broken_text(all, "mm-csv/extra-fields", "A,x,1,1,0,0,0,0,A, note,\nB,x,1,1,0,0,0,0,B\n",
                    OSSA_CONFIDENCE_DAMAGED, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, "note",
                    "states[0].extra");
    /* As strtok splits them. */
    add_warning(all, "mm-csv/empty-fields", "A,,x,1,1,,0,0,0,0,,,A\n", ",x", "states[0]");
    add_warning(all, "mm-csv/space-before", "A,x,1,1,0,0,0,0,A\nB, yz,1,1,0,0,0,0\n", "yz",
                "states[1].animation");
    add_warning(all, "mm-csv/space-behind", "A,x,1,1,0,0,0,0,A \n", "A \n", "states[0].next");
    add_warning(all, "mm-csv/quotes", "\"A\",\"x\",1,1,0,0,0,0,\"A\"\n", "\"A", "states[0].name");
    add_warning(all, "mm-csv/byte-order-mark",
                "\xef\xbb\xbf"
                "# a,b,c,d,e,f,g,h\nA,x,1,1,0,0,0,0,A\n",
                "\xef", "byte_order_mark");
    add_warning(all, "mm-csv/first-frame-0", "A,x,0,7,0,0,0,0,A\n", "0,7", "states[0].first_frame");
    add_warning(all, "mm-csv/last-frame-negative", "A,x,1,-3,0,0,0,0,A\n", "-3",
                "states[0].last_frame");
    add_warning(all, "mm-csv/unknown-next", "A,pedanim,1,1,0,0,0,0,B\n", "B", "states[0].next");
    add_warning(all, "mm-csv/next-in-other-case", "A,pedanim,1,1,0,0,0,0,a\n", "a\n",
                "states[0].next");
    static const char twice[] = "A,x,1,1,0,0,0,0,A\na,y,1,1,0,0,0,0\nA,z,1,1,0,0,0,0\n";
    fixture_add_broken(all, "mm-csv/duplicate-name", make_text(twice), OSSA_CONFIDENCE_PLAUSIBLE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_DUPLICATE_NAME,
                                               place_in(twice, "A,z"), "states[2].name"});
}

/* Tables without states. */
static void add_empty(struct fixtures *all)
{
    static const char comments[] = HEADING "# STAND,pedanim_stand,1,30,0,0,0,0,STAND\n\n";
    fixture_add_broken(all, "mm-csv/comments-only", make_text(comments), OSSA_CONFIDENCE_EMPTY,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                               sizeof comments - 1, "states"});
    fixture_add_broken(
        all, "mm-csv/blank-only", make_text("\r\n  \r\n\t"), OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 7, "states"});
    fixture_add_broken(all, "mm-csv/mark-only", make_text("\xef\xbb\xbf"), OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 0,
                                               "byte_order_mark"});
    fixture_expect(&all->items[all->count - 1], OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 3,
                   "states");
}

/* One row that is a state, then one that is none. */
static void add_row(struct fixtures *all, const char *name, const char *row, ossa_code code,
                    const char *piece, const char *field)
{
    struct bytes file = make_text("GOOD,pedanim_good,1,30,0,0.5,0,0,GOOD\r\n");
    size_t at = file.size + place_in(row, piece);
    put_text(&file, row);
    put_text(&file, "\r\n");
    fixture_add_broken(all, name, file, OSSA_CONFIDENCE_DAMAGED,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, code, at, field});
}

static void add_errors(struct fixtures *all)
{
    add_row(all, "mm-csv/too-few-fields", "A,x,1,1,0,0,0", OSSA_CODE_BAD_VALUE, "A", "lines[1]");
    add_row(all, "mm-csv/one-word", "hello", OSSA_CODE_BAD_VALUE, "hello", "lines[1]");
    add_row(all, "mm-csv/indented-comment", " # note", OSSA_CODE_BAD_VALUE, " #", "lines[1]");
    add_row(all, "mm-csv/missing-name", ",x,1,1,0,0,0,0,GOOD", OSSA_CODE_BAD_VALUE, "GOOD",
            "lines[1].sideways");
    add_row(all, "mm-csv/empty-name", " ,x,1,1,0,0,0,0,GOOD", OSSA_CODE_EMPTY_NAME, ",x",
            "lines[1].name");
    add_row(all, "mm-csv/empty-animation", "A, ,1,1,0,0,0,0,GOOD", OSSA_CODE_EMPTY_NAME, ",1",
            "lines[1].animation");
    add_row(all, "mm-csv/first-frame-in-words", "A,x,one,1,0,0,0,0", OSSA_CODE_BAD_VALUE, "one",
            "lines[1].first_frame");
    add_row(all, "mm-csv/no-last-frame", "A,x,1,,0,0,0,0", OSSA_CODE_BAD_VALUE, "A", "lines[1]");
    add_row(all, "mm-csv/frame-with-fraction", "A,x,1.0,2,0,0,0,0", OSSA_CODE_BAD_VALUE, "1.0",
            "lines[1].first_frame");
    add_row(all, "mm-csv/frame-too-large", "A,x,1,2147483648,0,0,0,0", OSSA_CODE_BAD_VALUE,
            "2147483648", "lines[1].last_frame");
    add_row(all, "mm-csv/offset-in-words", "A,x,1,1,none,0,0,0", OSSA_CODE_BAD_VALUE, "none",
            "lines[1].forward_offset");
    add_row(all, "mm-csv/distance-too-large", "A,x,1,1,0,1e39,0,0", OSSA_CODE_BAD_VALUE, "1e39",
            "lines[1].forward");
    add_row(all, "mm-csv/distance-not-a-number", "A,x,1,1,0,0,nan,0", OSSA_CODE_BAD_VALUE, "nan",
            "lines[1].sideways_offset");
    add_row(all, "mm-csv/distance-with-unit", "A,x,1,1,0,0,0,1.5m,A", OSSA_CODE_BAD_VALUE, "1.5m",
            "lines[1].sideways");
    static const char several[] = "GOOD,x,1,1,0,0,0,0,GOOD\nA, ,1,x,0,0,0,-\n";
    struct fixture *fixture =
        fixture_add(all, "mm-csv/several-faults", make_text(several), OSSA_CONFIDENCE_DAMAGED);
    fixture_expect(fixture, OSSA_SEVERITY_ERROR, OSSA_CODE_EMPTY_NAME, place_in(several, ",1,x"),
                   "lines[1].animation");
    fixture_expect(fixture, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE,
                   place_in(several, "x,0,0,0,-"), "lines[1].last_frame");
    fixture_expect(fixture, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, place_in(several, "-\n"),
                   "lines[1].sideways");
    struct bytes nul = make_text("GOOD,x,1,1,0,0,0,0\nA\n");
    set_u8(&nul, nul.size - 2, 0);
    put_text(&nul, ",b");
    fixture_add_broken(all, "mm-csv/with-nul", nul, OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_ERROR, OSSA_CODE_EMBEDDED_NUL,
                                               nul.size - 4, "lines[1]"});
    fixture_expect(&all->items[all->count - 1], OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE,
                   nul.size - 2, "lines[2]");
}

static void add_bad(struct fixtures *all, const char *name, const char *text, const char *piece,
                    const char *field)
{
    add_broken_text(all, name, text, OSSA_CONFIDENCE_NONE, OSSA_SEVERITY_UNREADABLE,
                    OSSA_CODE_BAD_MAGIC, piece, field);
}

/* Texts that have rows, and not one of them a state. */
static void add_unreadable(struct fixtures *all)
{
    add_bad(all, "mm-csv/prose", "Once upon a time, there was a bone.\n\nIt had no name.\n", "Once",
            "lines[0]");
    add_bad(all, "mm-csv/other-table",
            "# x,y,z,w,a,b,c,d\nname,age,a,b,c,d,e,f\nAnn,31,1,2,3,4,5,x\n", "a,b,c,d,e",
            "lines[1].first_frame");
    /* What this library itself writes. */
    add_bad(all, "mm-csv/table-of-poses",
            "clip,frame,time,bone,name,parent,tx,ty,tz,rx,ry,rz,rw,sx,sy,sz,visible\n"
            "walk,0,0,0,root,-1,0,1,0,0,0,0,1,1,1,1,1\nwalk,0,0,1,arm,0,0,1,0,0,0,0,1,1,1,1,1\n",
            "time", "lines[0].first_frame");
    add_bad(all, "mm-csv/only-row-broken", HEADING "\nA,x,1,1,0,0,0,zero,A\n", "zero",
            "lines[2].sideways");
    static const char wide[] = "A\0,\0x\0,\0\x31\0,\0\x31\0,\0\x30\0,\0\x30\0,\0\x30\0,\0\x30\0\n";
    struct bytes utf16 = {0};
    put_bytes(&utf16, wide, sizeof wide);
    fixture_add_broken(
        all, "mm-csv/utf-16", utf16, OSSA_CONFIDENCE_NONE,
        (struct expected_issue){OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_MAGIC, 1, "lines[0]"});
}

/* Tables of races, cars and sounds that lie beside the real ones in the games' archives: words and
 * numbers in the same columns. Who insists can have them read, but no probe takes them. */
static void add_other_tables(struct fixtures *all)
{
    static const char cars[] = "bug,beetle,110,180,1.25,0.5,0.75,2\r\n"
                               "cab,taxi,120,170,1.5,0.25,0.5,3\r\n"
                               "bus,doubledecker,60,110,4,1,0.125,5\r\n";
    fixture_add(all, "mm-csv/cars", make_text(cars), OSSA_CONFIDENCE_NONE);
    static const char sounds[] = "# sound,sample,volume,pitch,near,far,pan,rate\r\n"
                                 "HORN,horn.wav,80,100,1,50,0,22050\r\n"
                                 "IDLE,engine idle,60,90,1,20,0,11025\r\n";
    fixture_add(all, "mm-csv/sounds", make_text(sounds), OSSA_CONFIDENCE_NONE);
    static const char opponents[] = "opp1,bus,1,3,0.5,1,0,0,race1\nopp2,cab,2,3,0.25,1,0,0,race1\n";
    struct fixture *fixture =
        fixture_add(all, "mm-csv/opponents", make_text(opponents), OSSA_CONFIDENCE_NONE);
    size_t first = place_in(opponents, "race1");
    fixture_expect(fixture, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, first,
                   "states[0].next");
    fixture_expect(fixture, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                   place_in(opponents, "race1\nopp2") + strlen("race1\nopp2,cab,2,3,0.25,1,0,0,"),
                   "states[1].next");
    /* Wider than a state table, and the ninth field is even one of the first. */
    static const char races[] = "# race,track,laps,cars,cops,peds,fog,rain,next,limit\n"
                                "circuit1,downtown,1,3,0.5,0.25,0,1,circuit1,60\n";
    add_broken_text(all, "mm-csv/races", races, OSSA_CONFIDENCE_NONE, OSSA_SEVERITY_WARNING,
                    OSSA_CODE_UNUSUAL_VALUE, "60", "states[0].extra");
    static const char cops[] = "# name,kind,from,to,a,b,c,d\n";
    fixture_add_broken(all, "mm-csv/other-heading", make_text(cops), OSSA_CONFIDENCE_NONE,
                       (struct expected_issue){OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE,
                                               sizeof cops - 1, "states"});
}

void generate_mm_csv(struct fixtures *all)
{
    add_good(all);
    add_odd_texts(all);
    add_warnings(all);
    add_empty(all);
    add_errors(all);
    add_unreadable(all);
    add_other_tables(all);
    fixture_add(all, "mm-csv/mm1-pedestrian", make_mm1_csv(), OSSA_CONFIDENCE_PLAUSIBLE);
    fixture_add(all, "mm-csv/mm2-pedestrian", make_mm2_csv("man"), OSSA_CONFIDENCE_PLAUSIBLE);
}
