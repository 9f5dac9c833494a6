/* SPDX-License-Identifier: MIT */
#include "formats/vib_ribbon/vib_header.h"

#include "core/reader.h"

bool ossa__vib_is_known_rate(int rate)
{
    return rate == 1 || rate == 15 || rate == 20 || rate == 30 || rate == 60;
}

int ossa_vib_fps(int16_t rate)
{
    return ossa__vib_is_known_rate(rate) && rate > 1 ? rate : 30;
}

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
