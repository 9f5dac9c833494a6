/* SPDX-License-Identifier: MIT */
#include "formats/vib_ribbon/vib_header.h"

#include <string.h>

bool ossa__vib_is_known_rate(int rate)
{
    return rate == 1 || rate == 15 || rate == 20 || rate == 30 || rate == 60;
}

int ossa_vib_fps(int16_t rate)
{
    return ossa__vib_is_known_rate(rate) && rate > 1 ? rate : 30;
}

int16_t ossa__vib_read_start(struct ossa__reader *reader)
{
    uint16_t magic = ossa__read_u16(reader, "magic");
    if (magic != OSSA__VIB_MAGIC) {
        ossa__fail(reader->context, OSSA_CODE_BAD_MAGIC, 0, "magic",
                   "found 0x%04x, expected 0x8000", magic);
    }
    return ossa__read_i16(reader, "rate");
}

void ossa__vib_check_rate(struct ossa__context *context, int16_t rate)
{
    if (ossa__vib_is_known_rate(rate)) return;
    ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_UNUSUAL_VALUE, 2, "rate",
                "%d, expected 1, 15, 20, 30 or 60", rate);
}

/* ---- animation or camera ------------------------------------------------------------------- */

unsigned ossa__vib_key_size(uint8_t flags)
{
    unsigned parts = (flags & 1U) + (flags >> 1 & 1U) + (flags >> 2 & 1U);
    return 2 + 6 * parts;
}

static uint64_t frame_count(const uint8_t *data, uint64_t size)
{
    return ossa__peek_u16(data, size, 4);
}

/* Where a frame starts; the one after the last is the end of the file. */
static uint64_t frame_at(const uint8_t *data, uint64_t size, uint64_t frame)
{
    return ossa__peek_u16(data, size, OSSA__VIB_HEADER_SIZE + 2 * frame) * 2U;
}

static uint64_t end_of_table(const uint8_t *data, uint64_t size)
{
    return OSSA__VIB_HEADER_SIZE + 2 * (frame_count(data, size) + 1);
}

bool ossa__vib_has_table(const uint8_t *data, uint64_t size)
{
    uint64_t before = end_of_table(data, size);
    if (before > size || frame_at(data, size, 0) != before) return false;
    for (uint64_t i = 0; i <= frame_count(data, size); i++) {
        uint64_t offset = frame_at(data, size, i);
        if (offset < before) return false;
        before = offset;
    }
    return before == size;
}

bool ossa__vib_has_end_of_table(const uint8_t *data, uint64_t size)
{
    return frame_at(data, size, 0) == end_of_table(data, size) ||
           frame_at(data, size, frame_count(data, size)) == size;
}

bool ossa__vib_has_frames(const uint8_t *data, uint64_t size)
{
    if (!ossa__vib_has_table(data, size)) return false;
    for (uint64_t i = 0; i < frame_count(data, size); i++) {
        uint64_t at = frame_at(data, size, i);
        uint64_t end = frame_at(data, size, i + 1);
        while (at < end) {
            uint8_t flags = (uint8_t)(ossa__peek_u16(data, size, at) >> 8);
            if (flags & ~OSSA__VIB_FLAGS) return false;
            at += ossa__vib_key_size(flags);
        }
        if (at != end) return false;
    }
    return true;
}

/* ---- for people ---------------------------------------------------------------------------- */

void ossa__vib_widen(struct ossa__vib_ranges *ranges, const int16_t *numbers, unsigned width)
{
    for (unsigned i = 0; i < width; i++) {
        if (ranges->count == 0 || numbers[i] < ranges->least[i]) ranges->least[i] = numbers[i];
        if (ranges->count == 0 || numbers[i] > ranges->most[i]) ranges->most[i] = numbers[i];
    }
    ranges->count++;
}

void ossa__vib_report_ranges(struct ossa__report *report, const char *key, const char *label,
                             const struct ossa__vib_ranges *ranges, const char *names)
{
    float rows[6];
    unsigned width = (unsigned)strlen(names);
    for (unsigned i = 0; i < width; i++) {
        rows[i] = (float)ranges->least[i];
        rows[width + i] = (float)ranges->most[i];
    }
    ossa__report_ranges(report, key, label, rows, ranges->count == 0 ? 0 : 2, width, names);
}
