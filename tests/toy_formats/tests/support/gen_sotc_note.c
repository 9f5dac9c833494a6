/* SPDX-License-Identifier: MIT */
#include "support/text_fixture.h"

void generate_sotc_note(struct fixtures *all)
{
    fixture_add(all, "sotc-note/plain", make_text("note\nhorse 1\nbow 12\n"),
                OSSA_CONFIDENCE_SIGNATURE);
    fixture_add(all, "sotc-note/nothing", make_text("note\n"), OSSA_CONFIDENCE_SIGNATURE);
    add_broken_text(all, "sotc-note/bad-number", "note\nhorse x\n", OSSA_CONFIDENCE_SIGNATURE,
                    OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE, "x", "lines[0].number");
    add_broken_text(all, "sotc-note/no-number", "note\nhorse\n", OSSA_CONFIDENCE_SIGNATURE,
                    OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE, "horse", "lines[0].word");
    add_broken_text(all, "sotc-note/cut", "note\nhorse 1", OSSA_CONFIDENCE_DAMAGED,
                    OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_VALUE, "horse", "lines[0].word");
    add_broken_text(all, "sotc-note/bad-magic", "Note\nhorse 1\n", OSSA_CONFIDENCE_NONE,
                    OSSA_SEVERITY_UNREADABLE, OSSA_CODE_BAD_MAGIC, "Note", "signature");
}
