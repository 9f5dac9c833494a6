/* SPDX-License-Identifier: MIT */
#include "support/text_fixture.h"

#define IMAGE "FILE \"game.bin\" BINARY\r\n  TRACK 01 MODE2/2352\r\n    INDEX 01 00:00:00\r\n"

/* One file per track, as discs are mostly kept. */
static const char plain[] = "FILE \"game (Track 1).bin\" BINARY\r\n"
                            "  TRACK 01 MODE2/2352\r\n"
                            "    INDEX 01 00:00:00\r\n"
                            "FILE \"game (Track 2).bin\" BINARY\r\n"
                            "  TRACK 02 AUDIO\r\n"
                            "    INDEX 00 00:00:00\r\n"
                            "    INDEX 01 00:02:00\r\n";

static const char one_file[] = "REM DISCID 12345678\n"
                               "CATALOG 0000000000000\n"
                               "FILE game.bin BINARY\n"
                               "  TRACK 01 MODE1/2352\n"
                               "    FLAGS DCP\n"
                               "    INDEX 01 00:00:00\n"
                               "  TRACK 02 AUDIO\n"
                               "    PREGAP 00:02:00\n"
                               "    TITLE \"A song\"\n"
                               "    INDEX 01 10:20:30\n"
                               "    POSTGAP 00:01:74\n";

/* The data comes last, behind sectors of another size; the next track has a gap before it. */
static const char data_behind_sound[] = "FILE \"a b.img\" BINARY\n"
                                        "TRACK 01 AUDIO\n"
                                        "INDEX 01 00:00:00\n"
                                        "TRACK 02 MODE1/2048\n"
                                        "INDEX 00 00:04:00\n"
                                        "INDEX 01 00:06:10\n"
                                        "TRACK 03 AUDIO\n"
                                        "INDEX 00 01:00:00\n"
                                        "INDEX 01 01:02:00\n";

/* A gap at the end of one file, its track in the next. */
static const char gap_before_file[] = "FILE \"1.wav\" WAVE\n"
                                      "TRACK 01 AUDIO\n"
                                      "INDEX 01 00:00:00\n"
                                      "TRACK 02 MODE1/2352\n"
                                      "INDEX 00 03:00:00\n"
                                      "FILE \"2.bin\" BINARY\n"
                                      "INDEX 01 00:00:00\n";

static void add_good(struct fixtures *all)
{
    fixture_add(all, "cue/plain", make_text(plain), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "cue/one-file", make_text(one_file), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "cue/data-behind-sound", make_text(data_behind_sound),
                OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "cue/gap-before-file", make_text(gap_before_file), OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(
        all, "cue/small-letters",
        make_text("\n\r\r\n\t file  my game.bin\tbinary \r track 1 cdi/2336\r index 1 0:0:0"),
        OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "cue/byte-order-mark", make_text("\xef\xbb\xbf" IMAGE),
                OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "cue/utf-8",
                make_text("FILE \"\xd0\xb8\xd0\xb3\xd1\x80\xd0\xb0.bin\" BINARY\nTRACK 01 "
                          "MODE1/2352\nINDEX 01 00:00:00\n"),
                OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(
        all, "cue/latin-1",
        make_text("FILE \"\xe9t\xe9.bin\" BINARY\nTRACK 01 MODE1/2352\nINDEX 01 00:00:00\n"),
        OSSA_CONFIDENCE_SIGNATURE);
    struct bytes padded = make_text(IMAGE);
    put_u8(&padded, 26);
    put_repeated(&padded, 0, 21);
    fixture_add(all, "cue/padded", padded, OSSA_CONFIDENCE_SIGNATURE);
}

static void add(struct fixtures *all, const char *name, const char *text, ossa_severity severity,
                ossa_code code, const char *piece, const char *field)
{
    add_broken_text(all, name, text, OSSA_CONFIDENCE_SIGNATURE, severity, code, piece, field);
}

static void add_name(struct fixtures *all, const char *name, const char *text, const char *piece)
{
    add(all, name, text, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, piece, "files[0].name");
}

#define NAMED(name) "FILE \"" name "\" BINARY\nTRACK 01 MODE1/2352\nINDEX 01 00:00:00\n"

static void add_names(struct fixtures *all)
{
    add_name(all, "cue/name-up", NAMED("../game.bin"), "..");
    add_name(all, "cue/name-up-inside", NAMED("C:\\dumps\\..\\game.bin"), "C:");
    add_name(all, "cue/name-of-folder", NAMED("dumps/"), "dumps");
    add_name(all, "cue/name-drive", NAMED("C:game.bin"), "C:");
    add_name(all, "cue/name-device", NAMED("NUL.bin"), "NUL");
    add_name(all, "cue/name-stream", NAMED("game.bin:hidden"), "game");
    add_name(all, "cue/name-control", NAMED("game\x01.bin"), "game");
    add(all, "cue/name-folders", NAMED("C:\\dumps\\game.bin"), OSSA_SEVERITY_WARNING,
        OSSA_CODE_UNUSUAL_VALUE, "C:", "files[0].name");
    add(all, "cue/name-absolute", NAMED("/srv/game.bin"), OSSA_SEVERITY_WARNING,
        OSSA_CODE_UNUSUAL_VALUE, "/srv", "files[0].name");
    add(all, "cue/name-empty", NAMED(""), OSSA_SEVERITY_ERROR, OSSA_CODE_EMPTY_NAME, "\" BINARY",
        "files[0].name");
    add_broken_text(all, "cue/name-open",
                    "FILE \"game.bin BINARY\nTRACK 01 MODE1/2352\nINDEX 01 "
                    "00:00:00\n",
                    OSSA_CONFIDENCE_NONE, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, "game.bin",
                    "files[0].name");
}

#define FILE_LINE  "FILE \"game.bin\" BINARY\n"
#define TRACK_LINE "TRACK 01 MODE1/2352\n"

static void add_faults(struct fixtures *all)
{
    add_broken_text(all, "cue/unknown-type",
                    "FILE game.bin TAPE\n" TRACK_LINE "INDEX 01 00:00:00\n", OSSA_CONFIDENCE_NONE,
                    OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, "TAPE", "files[0].type");
    add_broken_text(all, "cue/no-type", "FILE game.bin\n" TRACK_LINE "INDEX 01 00:00:00\n",
                    OSSA_CONFIDENCE_NONE, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, "\nTRACK",
                    "files[0].type");
    add_broken_text(all, "cue/no-file", TRACK_LINE "INDEX 01 00:00:00\n", OSSA_CONFIDENCE_DAMAGED,
                    OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ORDER, "TRACK", "tracks[0]");
    add_broken_text(all, "cue/index-before-track",
                    FILE_LINE "INDEX 00 00:00:00\n" TRACK_LINE "INDEX 01 00:00:00\n",
                    OSSA_CONFIDENCE_SIGNATURE, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ORDER, "INDEX 00",
                    "lines[1]");
    add_broken_text(all, "cue/track-number",
                    FILE_LINE "TRACK x AUDIO\nINDEX 01 00:00:00\n"
                              "TRACK 02 MODE1/2048\nINDEX 01 00:02:00\n",
                    OSSA_CONFIDENCE_DAMAGED, OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, "x AUDIO",
                    "tracks[0].number");
    add(all, "cue/track-number-100", FILE_LINE "TRACK 100 MODE1/2048\nINDEX 01 00:00:00\n",
        OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, "100", "tracks[0].number");
    add(all, "cue/track-order",
        FILE_LINE "TRACK 02 MODE1/2048\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:02:00\n",
        OSSA_SEVERITY_WARNING, OSSA_CODE_BAD_ORDER, "02 AUDIO", "tracks[1].number");
    add(all, "cue/unknown-mode",
        FILE_LINE TRACK_LINE "INDEX 01 00:00:00\nTRACK 02 MODE3/512\nINDEX 01 00:02:00\n",
        OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, "MODE3", "tracks[1].mode");
    add(all, "cue/no-index", FILE_LINE TRACK_LINE "INDEX 00 00:00:00\n", OSSA_SEVERITY_ERROR,
        OSSA_CODE_BAD_VALUE, NULL, "tracks[0].indices");
    add(all, "cue/no-data", FILE_LINE "TRACK 01 AUDIO\nINDEX 01 00:00:00\n", OSSA_SEVERITY_REMARK,
        OSSA_CODE_UNUSUAL_VALUE, NULL, "tracks");
    add(all, "cue/unknown-command", FILE_LINE TRACK_LINE "INDEX 01 00:00:00\nSPEED 2\n",
        OSSA_SEVERITY_REMARK, OSSA_CODE_UNUSUAL_VALUE, "SPEED", "lines[3]");
    add_broken_text(all, "cue/nothing", "REM a comment\n\n", OSSA_CONFIDENCE_NONE,
                    OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_MAGIC, "REM", "");
}

static void add_times(struct fixtures *all)
{
    add(all, "cue/index-number", FILE_LINE TRACK_LINE "INDEX 01 00:00:00\nINDEX one 00:01:00\n",
        OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, "one", "tracks[0].indices[1].number");
    add(all, "cue/index-order", FILE_LINE TRACK_LINE "INDEX 01 00:00:00\nINDEX 00 00:01:00\n",
        OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ORDER, "00 00:01", "tracks[0].indices[1].number");
    add(all, "cue/index-backwards",
        FILE_LINE TRACK_LINE "INDEX 01 00:03:00\nTRACK 02 AUDIO\nINDEX 01 00:02:74\n",
        OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_ORDER, "00:02:74", "tracks[1].indices[0].time");
    add(all, "cue/seconds", FILE_LINE TRACK_LINE "INDEX 01 00:60:00\n", OSSA_SEVERITY_ERROR,
        OSSA_CODE_BAD_VALUE, "00:60", "tracks[0].indices[0].time");
    add(all, "cue/frames", FILE_LINE TRACK_LINE "INDEX 01 00:00:75\n", OSSA_SEVERITY_ERROR,
        OSSA_CODE_BAD_VALUE, "00:00:75", "tracks[0].indices[0].time");
    add(all, "cue/no-time", FILE_LINE TRACK_LINE "INDEX 01 00:00:00\nINDEX 02 1:2\n",
        OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, "1:2", "tracks[0].indices[1].time");
    add(all, "cue/pregap", FILE_LINE TRACK_LINE "PREGAP two\nINDEX 01 00:00:00\n",
        OSSA_SEVERITY_ERROR, OSSA_CODE_BAD_VALUE, "two", "tracks[0].pregap");
}

void generate_cue(struct fixtures *all)
{
    add_good(all);
    add_names(all);
    add_faults(all);
    add_times(all);
}
