/* SPDX-License-Identifier: MIT */
#include "formats/evil_islands/ei_names.h"

#include "base/text.h"

#include <string.h>

size_t ossa_ei_name_utf8(const ossa_ei_name *name, char *text, size_t capacity)
{
    size_t used = 0;
    bool cut = capacity == 0;
    for (uint32_t i = 0; i < name->size; i++) {
        char bytes[4];
        size_t size = ossa__utf8_encode(ossa__cp1251_to_unicode((uint8_t)name->bytes[i]), bytes);
        if (!cut && used + size >= capacity) {
            text[used] = '\0';
            cut = true;
        }
        if (!cut) memcpy(text + used, bytes, size);
        used += size;
    }
    if (!cut) text[used] = '\0';
    return used;
}

struct ossa__ei_shown ossa__ei_show(const ossa_ei_name *name)
{
    struct ossa__ei_shown shown = {""};
    enum { C1_LEAD = 0xc2 }; /* of U+0080 to U+009F, controls too; the page has only U+0098 */
    if (ossa_ei_name_utf8(name, shown.text, sizeof shown.text) >= sizeof shown.text) {
        (void)ossa_ei_name_utf8(name, shown.text, sizeof shown.text - 3);
        memcpy(shown.text + strlen(shown.text), "...", 4);
    }
    for (char *c = shown.text; *c != '\0'; c++) {
        bool is_c1 = (uint8_t)*c == C1_LEAD && (uint8_t)c[1] >= 0x80 && (uint8_t)c[1] < 0xa0;
        if (is_c1) c[1] = '?';
        if (is_c1 || (uint8_t)*c < 0x20 || *c == 0x7f) *c = '?'; /* nothing a terminal obeys */
    }
    return shown;
}
