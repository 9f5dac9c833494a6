/* SPDX-License-Identifier: MIT
 *
 * Other pixels for a texture. Of each level the pixels wanted are compared with those that the old
 * ones would give, by the same filter, and where they are the same the old texels stay, however
 * their level was made. */
#include "formats/evil_islands/ei_mmp.h"

#include "base/bytes.h"
#include "codec/writer.h"
#include "formats/canvas.h"
#include "formats/modules.h"
#include "ossa/texture.h"

#include <inttypes.h>
#include <string.h>

struct painter {
    struct ossa__context *context;
    const struct ossa__texel_kind *kind;
    struct ossa__canvas wanted;
    struct ossa__canvas old; /* what the old texture would have here; of another size: none */
    const uint8_t *texels;   /* the old ones; NULL: none */
    uint8_t *out;            /* the new ones */
};

static bool is_same(const struct painter *p, uint64_t x, uint64_t y)
{
    return p->old.pixels != NULL && p->texels != NULL &&
           memcmp(ossa__pixel_at(&p->wanted, x, y), ossa__pixel_at(&p->old, x, y), 4) == 0;
}

/* ---- texels -------------------------------------------------------------------------------- */

static void paint_rows(const struct painter *p)
{
    const struct ossa__canvas *wanted = &p->wanted;
    uint8_t *out = p->out;
    for (uint64_t row = 0; row < wanted->height; row++) {
        uint64_t y = p->kind->is_from_top ? row : wanted->height - 1 - row;
        for (uint64_t x = 0; x < wanted->width; x++, out += p->kind->block_size) {
            if (!is_same(p, x, y)) ossa__texel_encode(p->kind, ossa__pixel_at(wanted, x, y), out);
        }
    }
}

/* The texels of a block, those beyond the edge like the last; false: all are as they were. */
static bool gather_block(const struct painter *p, uint64_t left, uint64_t bottom,
                         uint8_t texels[16][4])
{
    const struct ossa__canvas *wanted = &p->wanted;
    bool is_changed = false;
    for (unsigned i = 0; i < 16; i++) {
        uint64_t x = left + i % 4;
        uint64_t row = bottom + i / 4;
        if (x >= wanted->width) x = wanted->width - 1;
        if (row >= wanted->height) row = wanted->height - 1;
        uint64_t y = wanted->height - 1 - row;
        is_changed = is_changed || !is_same(p, x, y);
        memcpy(texels[i], ossa__pixel_at(wanted, x, y), 4);
    }
    return is_changed;
}

static void paint_blocks(const struct painter *p)
{
    bool is_dxt1 = p->kind->fourcc == OSSA_EI_FOURCC_DXT1;
    uint64_t at = 0;
    for (uint64_t bottom = 0; bottom < p->wanted.height; bottom += 4) {
        for (uint64_t left = 0; left < p->wanted.width; left += 4, at += p->kind->block_size) {
            uint8_t texels[16][4];
            if (!gather_block(p, left, bottom, texels)) continue;
            if (!ossa__texel_has_blocks()) {
                ossa__fail_nowhere(p->context, OSSA_CODE_BAD_ARGUMENT, "",
                                   "this build cannot pack %s: it has no stb_dxt", p->kind->name);
                return;
            }
            ossa__texel_encode_block(is_dxt1, (const uint8_t(*)[4])texels,
                                     p->texels == NULL ? NULL : p->texels + at, p->out + at);
        }
    }
}

/* One level, in `level`, whose old texels are those of `before` (NULL: none). */
static void paint_level(struct painter *p, const ossa_ei_level *before, ossa_ei_level *level)
{
    uint64_t size = ossa__texel_bytes(p->kind, p->wanted.width, p->wanted.height);
    bool has_old = before != NULL && p->old.pixels != NULL && before->size == size;
    p->out = ossa__take(p->context, size, 1);
    if (p->out == NULL) return;
    p->texels = has_old ? before->texels : NULL;
    if (has_old) memcpy(p->out, before->texels, (size_t)size);
    if (p->kind->side > 1) paint_blocks(p);
    else paint_rows(p);
    *level = (ossa_ei_level){p->wanted.width, p->wanted.height, p->out, (size_t)size};
}

/* ---- PNT3 ---------------------------------------------------------------------------------- */

/* Words that are being packed. */
struct words {
    uint8_t *bytes;
    uint64_t size;
    uint64_t room;  /* more than this is not packed at all */
    uint64_t zeros; /* bytes that wait for a run */
    bool is_full;
};

static void put_word(struct words *words, uint32_t word)
{
    words->is_full = words->is_full || words->size + 4 > words->room;
    if (words->is_full) return;
    ossa__store_u32(words->bytes + words->size, word);
    words->size += 4;
}

static void end_run(struct words *words)
{
    enum { LONGEST = 1000000 };
    for (; words->zeros > 0; words->zeros -= words->zeros < LONGEST ? words->zeros : LONGEST) {
        put_word(words, words->zeros < LONGEST ? (uint32_t)words->zeros : LONGEST);
    }
}

/* Texels that are new; false: one of them would be taken for a run. */
static bool put_texels(struct words *words, const uint8_t *texels, uint64_t size)
{
    for (uint64_t at = 0; at < size; at += 4) {
        uint32_t word = ossa__load_u32(texels + at);
        if (ossa__texel_is_run(word)) return false;
        if (word == 0) {
            words->zeros += 4;
            continue;
        }
        end_run(words);
        put_word(words, word);
    }
    return true;
}

/* Texels as words: the old words where nothing has changed. False: they cannot be packed, or are
 * not smaller. `texels` are the new ones and `before` the old ones, unpacked; NULL: none. */
static bool pack_texels(struct words *words, const ossa_ei_level *old, const uint8_t *texels,
                        const uint8_t *before, uint64_t size)
{
    uint64_t filled = 0;
    for (size_t at = 0; before != NULL && at + 4 <= old->size; at += 4) {
        uint32_t word = ossa__load_u32(old->texels + at);
        uint64_t count = ossa__texel_is_run(word) ? word : 4;
        if (filled % 4 != 0 || count % 4 != 0 || count > size - filled) {
            *words = (struct words){.bytes = words->bytes, .room = words->room};
            return pack_texels(words, old, texels, NULL, size);
        }
        if (memcmp(texels + filled, before + filled, (size_t)count) == 0) {
            end_run(words);
            put_word(words, word);
        } else if (!put_texels(words, texels + filled, count)) {
            return false;
        }
        filled += count;
    }
    /* What no word fills is zero. */
    bool is_done =
        before != NULL && memcmp(texels + filled, before + filled, (size_t)(size - filled)) == 0;
    if (!is_done && !put_texels(words, texels + filled, size - filled)) return false;
    end_run(words);
    return !words->is_full;
}

static void paint_pnt3(struct painter *p, const ossa_ei_mmp *mmp, ossa_ei_level *level)
{
    struct ossa__context *context = p->context;
    const ossa_ei_level *old = &mmp->levels[0];
    uint64_t size = ossa__texel_bytes(p->kind, p->wanted.width, p->wanted.height);
    bool has_old = p->old.pixels != NULL;
    bool is_packed = old->size < ossa__texel_bytes(p->kind, old->width, old->height);
    if (!is_packed) {
        paint_level(p, old, level);
        return;
    }
    uint8_t *before = has_old ? ossa__take_scratch(context, size, 1) : NULL;
    struct painter whole = *p;
    struct words words = {.bytes = ossa__take(context, size, 1), .room = size - 4};
    if (context->failed) return;
    if (has_old) { /* the old pixels as texels: their bytes are the same */
        whole.wanted = p->old;
        whole.old.pixels = NULL;
        whole.out = before;
        paint_rows(&whole);
    }
    paint_level(p, NULL, level);
    if (context->failed) return;
    if (pack_texels(&words, old, level->texels, before, size)) {
        level->texels = words.bytes;
        level->size = (size_t)words.size;
    }
}

/* ---- the texture --------------------------------------------------------------------------- */

/* The old pixels; none if the size is another one. */
static void decode_old(struct painter *p, const ossa_ei_mmp *mmp)
{
    ossa_error error;
    uint64_t count = (uint64_t)mmp->width * mmp->height;
    if (mmp->width != p->wanted.width || mmp->height != p->wanted.height) return;
    uint8_t(*pixels)[4] = ossa__take_scratch(p->context, count, sizeof *pixels);
    if (pixels == NULL) return;
    if (!ossa_ei_mmp_decode(mmp, 0, pixels, count, &error)) {
        ossa__fail_nowhere(p->context, error.code, "", "%s", error.message);
        return;
    }
    p->old = (struct ossa__canvas){mmp->width, mmp->height, (const uint8_t(*)[4])pixels};
}

/* However odd the file is, it stays as it is if nothing changes. */
static bool is_all_same(const struct painter *p)
{
    size_t size = 4 * (size_t)p->wanted.width * p->wanted.height;
    return p->old.pixels != NULL && memcmp(p->wanted.pixels, p->old.pixels, size) == 0;
}

/* Small PNGs can be of any size, so that without a limit memory would have none. */
static bool check_size(const struct painter *p, const ossa_ei_mmp *mmp)
{
    enum { MOST_SIDE = 4096 };
    uint64_t width = p->wanted.width;
    uint64_t height = p->wanted.height;
    if (width == mmp->width && height == mmp->height) return true;
    if (width <= MOST_SIDE && height <= MOST_SIDE) return true;
    return ossa__fail_nowhere(p->context, OSSA_CODE_BAD_ARGUMENT, "",
                              "the picture has %" PRIu64 " x %" PRIu64
                              " pixels, but the texture %" PRIu32 " x %" PRIu32
                              ": another size has at most %d x %d",
                              width, height, mmp->width, mmp->height, MOST_SIDE, MOST_SIDE);
}

static void check_alpha(const struct painter *p, bool has_alpha)
{
    uint64_t count = (uint64_t)p->wanted.width * p->wanted.height;
    uint64_t found = 0;
    uint64_t first = 0;
    for (uint64_t i = 0; i < count && !has_alpha; i++) {
        if (p->wanted.pixels[i][3] == 255) continue;
        if (found++ == 0) first = i;
    }
    if (found == 0) return;
    ossa__fail_nowhere(p->context, OSSA_CODE_LOST, "",
                       "%" PRIu64 " pixels of the picture are transparent, the first at %" PRIu64
                       ", %" PRIu64 ", but texels of %s have no alpha: save it without alpha",
                       found, first % p->wanted.width, first / p->wanted.width, p->kind->name);
}

/* As many levels as before; of another size all, if there were all. */
static uint32_t count_levels(const ossa_ei_mmp *mmp, const struct ossa__canvas *wanted)
{
    uint32_t most = ossa__texel_levels(wanted->width, wanted->height);
    if (mmp->level_count <= 1) return 1;
    bool had_all = mmp->level_count >= ossa__texel_levels(mmp->width, mmp->height);
    return had_all || mmp->level_count > most ? most : mmp->level_count;
}

void ossa__mmp_repaint(struct ossa__context *context, const void *contents,
                       const struct ossa_texture *texture, struct ossa__writer *writer)
{
    ossa_ei_mmp mmp = *(const ossa_ei_mmp *)contents;
    struct painter p = {.context = context, .kind = ossa__texel_kind(mmp.fourcc)};
    p.wanted = (struct ossa__canvas){texture->width, texture->height, texture->pixels};
    if (p.kind == NULL) {
        ossa__fail_nowhere(context, OSSA_CODE_UNKNOWN_FLAG, "fourcc",
                           "0x%08" PRIx32 " is not known, so no texels can be made", mmp.fourcc);
        return;
    }
    if (!check_size(&p, &mmp) || texture->pixels == NULL) return;
    check_alpha(&p, !p.kind->has_channels || p.kind->channels[0].count > 0);
    decode_old(&p, &mmp);
    if (context->failed) return;
    if (is_all_same(&p)) {
        ossa__format_ei_mmp.write(context, contents, writer);
        return;
    }
    bool is_pnt3 = p.kind->fourcc == OSSA_EI_FOURCC_PNT3;
    bool is_resized = p.old.pixels == NULL;
    uint32_t count = count_levels(&mmp, &p.wanted);
    ossa_ei_level *levels = ossa__take(context, count, sizeof *levels);
    if (context->failed) return;
    for (uint32_t i = 0; i < count && !context->failed; i++) {
        if (is_pnt3) paint_pnt3(&p, &mmp, &levels[i]);
        else paint_level(&p, i < mmp.level_count ? &mmp.levels[i] : NULL, &levels[i]);
        if (i + 1 == count || context->failed) break;
        p.wanted = ossa__canvas_halve(context, &p.wanted);
        p.old = ossa__canvas_halve(context, &p.old);
    }
    if (context->failed) return;
    mmp.width = texture->width;
    mmp.height = texture->height;
    mmp.levels = levels;
    mmp.level_count = count;
    if (is_pnt3) mmp.mips = (uint32_t)levels[0].size;
    else if (is_resized) mmp.mips = count;
    ossa__format_ei_mmp.write(context, &mmp, writer);
}
