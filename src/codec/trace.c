/* SPDX-License-Identifier: MIT */
#include "codec/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct ossa__shape ossa__shape_u8 = {OSSA_FIELD_TYPE_U8, 1, {NULL}};
const struct ossa__shape ossa__shape_u16 = {OSSA_FIELD_TYPE_U16, 1, {NULL}};
const struct ossa__shape ossa__shape_i16 = {OSSA_FIELD_TYPE_I16, 1, {NULL}};
const struct ossa__shape ossa__shape_u32 = {OSSA_FIELD_TYPE_U32, 1, {NULL}};
const struct ossa__shape ossa__shape_f32 = {OSSA_FIELD_TYPE_F32, 1, {NULL}};
const struct ossa__shape ossa__shape_vec3 = {OSSA_FIELD_TYPE_F32, 3, {"x", "y", "z"}};

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
    if (trace->failed) {
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

void ossa__trace_claim(struct ossa__context *context, struct ossa__claim claim)
{
    struct ossa__trace *trace = context->trace;
    if (trace == NULL) return;
    unsigned depth = context->depth < OSSA__PATH_DEPTH ? context->depth : OSSA__PATH_DEPTH;
    claim.depth = (uint8_t)depth;
    memcpy(claim.path, context->path, sizeof claim.path);
    if (trace->scattered) {
        uint64_t size = claim.count * ossa__shape_size(claim.shape);
        ossa__claims_add(context, &trace->claims, &claim, size);
    } else {
        tell_unclaimed(trace, claim.offset);
        unfold(trace, &claim);
    }
}

/* Also after a failure, so that a broken file shows what could be read; what this takes must not
 * fail then, so failure is set aside for a moment. */
static void tell_kept(struct ossa__context *context, struct ossa__trace *trace)
{
    ossa_error first = context->error;
    struct ossa__claim claim;
    context->failed = false;
    if (ossa__claims_sort(context, &trace->claims)) {
        while (ossa__claims_next(context, &trace->claims, &claim)) {
            tell_unclaimed(trace, claim.offset);
            unfold(trace, &claim);
        }
    }
    if (trace->failed) {
        context->failed = true;
        context->error = first; /* and no lack of memory in here takes its place */
    }
}

void ossa__trace_finish(struct ossa__context *context)
{
    struct ossa__trace *trace = context->trace;
    if (trace == NULL) return;
    trace->failed = context->failed;
    if (trace->claims.run_count > 0) tell_kept(context, trace);
    trace->failed = context->failed;
    tell_unclaimed(trace, trace->size);
    context->trace = NULL;
}
