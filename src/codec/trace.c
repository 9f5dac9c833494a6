/* SPDX-License-Identifier: MIT */
#include "codec/trace.h"

#include "codec/sort.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct ossa__shape ossa__shape_u8 = {OSSA_FIELD_TYPE_U8, 1, {NULL}};
const struct ossa__shape ossa__shape_u16 = {OSSA_FIELD_TYPE_U16, 1, {NULL}};
const struct ossa__shape ossa__shape_i16 = {OSSA_FIELD_TYPE_I16, 1, {NULL}};
const struct ossa__shape ossa__shape_u32 = {OSSA_FIELD_TYPE_U32, 1, {NULL}};
const struct ossa__shape ossa__shape_f32 = {OSSA_FIELD_TYPE_F32, 1, {NULL}};
const struct ossa__shape ossa__shape_vec3 = {OSSA_FIELD_TYPE_F32, 3, {"x", "y", "z"}};

enum { BLOCK_CLAIMS = 64 };

struct ossa__claim_block {
    struct ossa__claim_block *older;
    struct ossa__claim claims[BLOCK_CLAIMS];
};

static bool is_one_run(ossa_field_type type)
{
    return type >= OSSA_FIELD_TYPE_TEXT;
}

static void tell(struct ossa__trace *trace, uint64_t offset, uint64_t size, ossa_field_type type,
                 const char *path)
{
    ossa_field field = {
        .offset = offset, .size = size, .type = type, .path = path, .bytes = trace->data + offset};
    const ossa_options *options = &trace->context->options;
    options->on_field(options->user, &field);
    if (offset + size > trace->told) trace->told = offset + size;
}

/* Bytes that the reader passed over: no claim of a format covers them. */
static void tell_unclaimed(struct ossa__trace *trace, uint64_t end)
{
    if (trace->told >= end) return;
    uint64_t offset = trace->told;
    ossa_field_type type = OSSA_FIELD_TYPE_PADDING;
    if (trace->context->failed) {
        type = OSSA_FIELD_TYPE_UNREAD;
    } else {
        for (uint64_t i = offset; i < end; i++) {
            if (trace->data[i] != 0) type = OSSA_FIELD_TYPE_UNKNOWN;
        }
    }
    tell(trace, offset, end - offset, type, "");
}

static void unfold(struct ossa__trace *trace, const struct ossa__claim *claim)
{
    const struct ossa__shape *shape = claim->shape;
    char path[OSSA_FIELD_CAPACITY];
    ossa__path_text(claim->path, claim->depth, claim->field, path, sizeof path);
    if (is_one_run(shape->type)) {
        if (claim->count > 0) tell(trace, claim->offset, claim->count, shape->type, path);
        return;
    }
    size_t stem = strlen(path);
    size_t scalar = ossa__type_size(shape->type);
    uint64_t offset = claim->offset;
    for (uint64_t i = 0; i < claim->count; i++) {
        size_t used = stem;
        if (claim->indexed && claim->inner != 0) {
            int n = snprintf(path + used, sizeof path - used, "[%" PRIu64 "][%" PRIu64 "]",
                             i / claim->inner, i % claim->inner);
            if (n > 0) used += (size_t)n;
        } else if (claim->indexed) {
            int n = snprintf(path + used, sizeof path - used, "[%" PRIu64 "]", i);
            if (n > 0) used += (size_t)n;
        }
        if (used >= sizeof path) used = sizeof path - 1;
        for (unsigned m = 0; m < shape->members; m++) {
            if (shape->names[0] != NULL) {
                (void)snprintf(path + used, sizeof path - used, ".%s", shape->names[m]);
            } else if (shape->members > 1) {
                (void)snprintf(path + used, sizeof path - used, "[%u]", m);
            }
            tell(trace, offset, scalar, shape->type, path);
            offset += scalar;
        }
    }
}

void ossa__trace_start(struct ossa__context *context, struct ossa__trace *trace,
                       const uint8_t *data, uint64_t size, bool scattered)
{
    if (context->options.on_field == NULL) return;
    memset(trace, 0, sizeof *trace);
    trace->context = context;
    trace->data = data;
    trace->size = size;
    trace->scattered = scattered;
    context->trace = trace;
}

static void keep_claim(struct ossa__trace *trace, const struct ossa__claim *claim)
{
    size_t slot = trace->claim_count % BLOCK_CLAIMS;
    if (slot == 0) {
        struct ossa__claim_block *block = ossa__take(trace->context, 1, sizeof *block);
        if (block == NULL) return;
        block->older = trace->blocks;
        trace->blocks = block;
    }
    trace->blocks->claims[slot] = *claim;
    trace->claim_count++;
}

void ossa__trace_claim(struct ossa__context *context, struct ossa__claim claim)
{
    struct ossa__trace *trace = context->trace;
    if (trace == NULL) return;
    unsigned depth = context->depth < OSSA__PATH_DEPTH ? context->depth : OSSA__PATH_DEPTH;
    claim.depth = (uint8_t)depth;
    memcpy(claim.path, context->path, sizeof claim.path);
    if (trace->scattered) {
        keep_claim(trace, &claim);
    } else {
        tell_unclaimed(trace, claim.offset);
        unfold(trace, &claim);
    }
}

static bool claim_before(const void *a, const void *b, void *user)
{
    (void)user;
    const struct ossa__claim *const *x = a;
    const struct ossa__claim *const *y = b;
    return (*x)->offset < (*y)->offset;
}

static void tell_kept(struct ossa__context *context, struct ossa__trace *trace)
{
    /* Also after a failure, so that a broken file shows what could be read; the sort's own
     * memory must not fail then, so failure is set aside for a moment. */
    bool failed = context->failed;
    ossa_error first = context->error;
    context->failed = false;
    const struct ossa__claim **order = ossa__take(context, trace->claim_count, sizeof *order);
    if (order != NULL) {
        size_t i = trace->claim_count;
        for (struct ossa__claim_block *block = trace->blocks; block != NULL; block = block->older) {
            size_t last = (i - 1) % BLOCK_CLAIMS + 1;
            while (last > 0) order[--i] = &block->claims[--last];
        }
        if (ossa__sort(context, order, trace->claim_count, sizeof *order, claim_before, NULL)) {
            context->failed = failed;
            for (size_t k = 0; k < trace->claim_count; k++) {
                tell_unclaimed(trace, order[k]->offset);
                unfold(trace, order[k]);
            }
        }
    }
    if (failed) {
        context->failed = true;
        context->error = first; /* and no lack of memory in here takes its place */
    }
}

void ossa__trace_finish(struct ossa__context *context)
{
    struct ossa__trace *trace = context->trace;
    if (trace == NULL) return;
    if (trace->claim_count > 0) tell_kept(context, trace);
    tell_unclaimed(trace, trace->size);
    context->trace = NULL;
}
