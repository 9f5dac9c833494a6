/* SPDX-License-Identifier: MIT
 *
 * Which of the four dialects an mm-anim file is in: the one whose arithmetic gives its size. The
 * layouts are at the top of mm_anim.c.
 *
 * The second game ignores what follows the last frame. Where no dialect gives the size, a file is
 * in the only one that leaves bytes over and has numbers of a pose in its place. */
#include "formats/midtown_madness/mm_anim_dialect.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    DIALECTS = OSSA__MM_DIALECTS,
    CHANNEL_HEADER = 9, /* k, unknown, type */
};

static const char *const dialect_names[DIALECTS] = {"mm1", "legacy", "documented", "retail"};

const char *ossa_mm_dialect_name(ossa_mm_dialect dialect)
{
    return (unsigned)dialect < DIALECTS ? dialect_names[dialect] : "unknown";
}

/* How well a dialect matches a file. */
struct fit {
    uint64_t size; /* expected size of the file; a lower bound when the file is too short to tell */
    uint64_t frames;
    uint64_t width;    /* floats per frame, of the first channel */
    bool is_possible;  /* the header is complete and has the constants of this dialect */
    bool zero_width;   /* frames without floats */
    bool is_open;      /* what is not there decides */
    uint64_t width_at; /* offset of that width, and its channel */
    uint64_t width_of;
    float unknown; /* of the first channel; mm1 has none: its first float */
    bool has_unknown;
};

/* header + 4 * width * frames, at most UINT64_MAX. */
static uint64_t expected_size(uint64_t header, uint64_t width, uint64_t frames)
{
    uint64_t floats;
    uint64_t bytes;
    if (!ossa__multiply(width, frames, &floats) || !ossa__multiply(floats, 4, &bytes)) {
        return UINT64_MAX;
    }
    return ossa__size_plus(header, bytes);
}

static struct fit fit_bones(const uint8_t *data, uint64_t size, uint64_t header)
{
    uint64_t frames = ossa__peek_u32(data, size, 0);
    uint64_t width = 3 * (uint64_t)ossa__peek_u32(data, size, 4) + 3;
    struct fit fit = {.size = expected_size(header, width, frames),
                      .frames = frames,
                      .width = width,
                      .is_possible = size >= 8};
    fit.has_unknown = size >= 12;
    fit.unknown = ossa__peek_f32(data, size, 8);
    return fit;
}

/* Of the bytes there are `there`; what is behind them leaves it open. */
static struct fit fit_documented(const uint8_t *data, uint64_t size, uint64_t there)
{
    uint64_t channels = ossa__peek_u32(data, size, 0);
    uint64_t frames = ossa__peek_u32(data, size, 4);
    struct fit fit = {.size = 8, .frames = frames, .is_possible = size >= 8};
    fit.width = ossa__peek_u32(data, size, 8);
    fit.has_unknown = channels > 0;
    fit.unknown = ossa__peek_f32(data, size, 12);
    if (frames == 0) {
        fit.size += channels * CHANNEL_HEADER; /* their widths do not matter */
        return fit;
    }
    for (uint64_t i = 0; i < channels; i++) {
        uint64_t at = fit.size;
        if (at > size || size - at < CHANNEL_HEADER) {
            fit.size = at + CHANNEL_HEADER; /* at least */
            break;
        }
        if (at > there - 4) {
            fit.is_open = true;
            break;
        }
        uint64_t width = ossa__peek_u32(data, size, at);
        if (width == 0 && !fit.zero_width) {
            fit.zero_width = true;
            fit.width_at = at;
            fit.width_of = i;
        }
        uint64_t bytes = expected_size(CHANNEL_HEADER, width, frames);
        if (bytes > UINT64_MAX - at) {
            fit.size = UINT64_MAX;
            break;
        }
        fit.size = at + bytes;
    }
    return fit;
}

static struct fit fit_retail(const uint8_t *data, uint64_t size)
{
    uint64_t frames = ossa__peek_u32(data, size, 4);
    uint64_t width = ossa__peek_u32(data, size, 8);
    struct fit fit = {
        .size = expected_size(8 + CHANNEL_HEADER, width, frames), .frames = frames, .width = width};
    fit.is_possible = size >= 8 && ossa__peek_u32(data, size, 0) == 0;
    fit.zero_width = width == 0 && frames > 0;
    fit.width_at = 8;
    fit.has_unknown = true;
    fit.unknown = ossa__peek_f32(data, size, 12);
    return fit;
}

static void fit_all(const uint8_t *data, uint64_t size, uint64_t there, struct fit fits[DIALECTS])
{
    fits[OSSA_MM_DIALECT_MM1] = fit_bones(data, size, 8);
    fits[OSSA_MM_DIALECT_LEGACY] = fit_bones(data, size, 13);
    fits[OSSA_MM_DIALECT_DOCUMENTED] = fit_documented(data, size, there);
    fits[OSSA_MM_DIALECT_RETAIL] = fit_retail(data, size);
}

static bool fits_exactly(const struct fit *fit, uint64_t size)
{
    return fit->is_possible && fit->size == size;
}

/* A float that nobody would write: the bits of a small integer. */
static bool has_denormal(const struct fit *fit)
{
    return fit->has_unknown && fpclassify(fit->unknown) == FP_SUBNORMAL;
}

/* The best of the dialects that match, and how many do. Among several, prefer those whose `unknown`
 * is not denormal, then the first, which makes an empty file mm1. */
static ossa_mm_dialect best_fit(const struct fit fits[DIALECTS], uint64_t size, unsigned *count)
{
    ossa_mm_dialect best = OSSA_MM_DIALECT_MM1;
    *count = 0;
    for (unsigned d = 0; d < DIALECTS; d++) {
        if (!fits_exactly(&fits[d], size)) continue;
        if (*count == 0 || (has_denormal(&fits[best]) && !has_denormal(&fits[d]))) {
            best = (ossa_mm_dialect)d;
        }
        (*count)++;
    }
    return best;
}

uint64_t ossa__mm_values_at(ossa_mm_dialect dialect)
{
    switch (dialect) {
    case OSSA_MM_DIALECT_MM1: return 8;
    case OSSA_MM_DIALECT_LEGACY: return 13;
    default: return 8 + CHANNEL_HEADER;
    }
}

/* An object, because the constant may have more digits than a float where FLT_EVAL_METHOD is 1. */
static const float tiny = 1e-30F;

/* Angles and metres: the first few must be plausible values of a pose. */
bool ossa__mm_looks_like_pose(const uint8_t *data, uint64_t size, uint64_t at, uint64_t count)
{
    for (uint64_t i = 0; i < count && at + 4 * i + 4 <= size; i++) {
        float value = ossa__peek_f32(data, size, at + 4 * i);
        bool is_tiny = value != 0.0F && fabsf(value) < tiny; /* text and integers look like that */
        if (!(fabsf(value) < 10000.0F) || is_tiny) return false;
    }
    return true;
}

/* ---- bytes after the last frame ------------------------------------------------------------ */

/* Can a file be in the dialect with bytes left over? The limits of frames and floats are the second
 * game's own. */
static bool fits_loosely(const uint8_t *data, uint64_t size, const struct fit *fit,
                         ossa_mm_dialect dialect)
{
    enum { MOST_FRAMES = 10000, LEAST_WIDTH = 6, MOST_WIDTH = 1000, MOST_FLOATS = 256 };
    uint64_t at = ossa__mm_values_at(dialect);
    bool is_longer = fit->is_possible && fit->size >= at && fit->size < size;
    if (!is_longer || fit->zero_width) return false;
    if (fit->frames == 0 || fit->frames > MOST_FRAMES) return false;
    if (fit->width < LEAST_WIDTH || fit->width > MOST_WIDTH || fit->width % 3 != 0) return false;
    if (dialect != OSSA_MM_DIALECT_MM1) { /* the float and the byte before the frames */
        if (data[at - 1] > 1) return false;
        if (!ossa__mm_looks_like_pose(data, size, at - 5, 1)) return false;
    }
    uint64_t count = fit->frames * fit->width;
    return ossa__mm_looks_like_pose(data, fit->size, at, count < MOST_FLOATS ? count : MOST_FLOATS);
}

/* The only dialect that leaves bytes over; false where there is none, or several. */
static bool find_loose_fit(const uint8_t *data, uint64_t size, const struct fit fits[DIALECTS],
                           ossa_mm_dialect *dialect)
{
    unsigned count = 0;
    for (unsigned d = 0; d < DIALECTS; d++) {
        if (!fits_loosely(data, size, &fits[d], (ossa_mm_dialect)d)) continue;
        *dialect = (ossa_mm_dialect)d;
        count++;
    }
    return count == 1;
}

ossa_mm_dialect ossa__mm_guess_dialect(const uint8_t *data, uint64_t size, bool *fits,
                                       bool *has_tail)
{
    struct fit all[DIALECTS];
    unsigned count;
    fit_all(data, size, size, all);
    ossa_mm_dialect dialect = best_fit(all, size, &count);
    *has_tail = count == 0 && find_loose_fit(data, size, all, &dialect);
    *fits = *has_tail || (count > 0 && !all[dialect].zero_width);
    return dialect;
}

bool ossa__mm_may_be_dialect(const uint8_t *start, uint64_t size, uint64_t there)
{
    struct fit all[DIALECTS];
    unsigned count;
    ossa_mm_dialect dialect;
    fit_all(start, size, there, all);
    (void)best_fit(all, size, &count);
    return count > 0 || all[OSSA_MM_DIALECT_DOCUMENTED].is_open ||
           find_loose_fit(start, size, all, &dialect);
}

static void fail_size(struct ossa__context *context, const struct fit fits[DIALECTS], uint64_t size)
{
    char list[256] = "";
    size_t used = 0;
    for (unsigned d = 0; d < DIALECTS; d++) {
        int n;
        if (!fits[d].is_possible) {
            n = snprintf(list + used, sizeof list - used, ", %s not possible", dialect_names[d]);
        } else if (fits[d].size == UINT64_MAX) {
            n = snprintf(list + used, sizeof list - used, ", %s far more", dialect_names[d]);
        } else {
            bool at_least = d == OSSA_MM_DIALECT_DOCUMENTED && fits[d].size > size;
            n = snprintf(list + used, sizeof list - used, ", %s %s%" PRIu64, dialect_names[d],
                         at_least ? "at least " : "", fits[d].size);
        }
        if (n > 0) used += (size_t)n;
        if (used >= sizeof list) break;
    }
    const char *forced = context->options.dialect;
    ossa__fail(context, OSSA_CODE_SIZE_MISMATCH, 0, "",
               "the file has %" PRIu64 " bytes and %s%s; expected sizes: %s", size,
               forced == NULL ? "matches no dialect" : "does not match ",
               forced == NULL ? "" : forced, list + 2);
}

static bool forced_dialect(struct ossa__context *context, ossa_mm_dialect *dialect)
{
    for (unsigned d = 0; d < DIALECTS; d++) {
        if (strcmp(context->options.dialect, dialect_names[d]) != 0) continue;
        *dialect = (ossa_mm_dialect)d;
        return true;
    }
    return ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "",
                              "unknown dialect '%s', expected mm1, legacy, documented or retail",
                              context->options.dialect);
}

static void warn_ambiguous(struct ossa__context *context, const struct fit fits[DIALECTS],
                           uint64_t size, ossa_mm_dialect taken)
{
    char list[64] = "";
    size_t used = 0;
    for (unsigned d = 0; d < DIALECTS; d++) {
        if (!fits_exactly(&fits[d], size)) continue;
        int n = snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "",
                         dialect_names[d]);
        if (n > 0) used += (size_t)n;
    }
    ossa__issue(context, OSSA_SEVERITY_WARNING, OSSA_CODE_AMBIGUOUS_DIALECT, 0, "dialect",
                "matches the dialects %s equally well; it is read as %s", list,
                dialect_names[taken]);
}

bool ossa__mm_choose_dialect(struct ossa__context *context, const uint8_t *data, uint64_t size,
                             ossa_mm_dialect *dialect)
{
    struct fit fits[DIALECTS];
    unsigned count;
    fit_all(data, size, size, fits);
    *dialect = best_fit(fits, size, &count);
    bool forced = context->options.dialect != NULL;
    if (forced && !forced_dialect(context, dialect)) return false;
    bool has_tail = count == 0;
    if (has_tail && forced) has_tail = fits[*dialect].is_possible && fits[*dialect].size < size;
    else if (has_tail) has_tail = find_loose_fit(data, size, fits, dialect);
    if (!has_tail && (count == 0 || !fits_exactly(&fits[*dialect], size))) {
        fail_size(context, fits, size);
        return false;
    }
    if (fits[*dialect].zero_width) {
        ossa__enter(context, "channels", fits[*dialect].width_of);
        ossa__fail(context, OSSA_CODE_ZERO_WIDTH, fits[*dialect].width_at, "floats_per_frame",
                   "0 floats per frame, but there are %" PRIu32 " frames",
                   ossa__peek_u32(data, size, 4));
        ossa__leave(context);
        return false;
    }
    if (count > 1 && !forced) warn_ambiguous(context, fits, size, *dialect);
    return true;
}
