/* SPDX-License-Identifier: MIT
 *
 * What was edited, and cannot be stored. */
#include "import/importing.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const loss_names[OSSA__LOSS_COUNT] = {"translation", "scale", "rotation",
                                                         "visibility",  "shape", "range"};

static void describe_loss(const struct ossa__edit_loss *loss, char *text, size_t capacity)
{
    switch (loss->what) {
    case OSSA__LOSS_TRANSLATION:
        (void)snprintf(
            text, capacity,
            "moved by %.4g mm, and its format stores no such translation: clear its location in "
            "Pose Mode",
            loss->size * 1000.0);
        return;
    case OSSA__LOSS_SCALE:
        (void)snprintf(
            text, capacity,
            "scaled by %.4g, and its format stores no scale: clear its scale in Pose Mode",
            1.0 + loss->size);
        return;
    case OSSA__LOSS_ROTATION:
        (void)snprintf(text, capacity, "stored %.4g degrees off", loss->size);
        return;
    case OSSA__LOSS_VISIBILITY:
        (void)snprintf(text, capacity, "hidden or shown, which its format cannot store");
        return;
    case OSSA__LOSS_SHAPE:
        (void)snprintf(text, capacity,
                       "given another shape, by %.4g mm, that its file cannot store",
                       loss->size * 1000.0);
        return;
    case OSSA__LOSS_RANGE:
    case OSSA__LOSS_COUNT: break;
    }
    (void)snprintf(text, capacity, "given a value that is %.4g beyond what its format stores",
                   loss->size);
}

/* All that was lost: the worst of it as a failure, or each as a warning. */
bool ossa__import_losses(struct ossa__importing *im, ossa_import *result)
{
    const struct ossa__editing *editing = &im->editing;
    ossa_import_loss *losses = ossa__take(im->context, editing->loss_count, sizeof *losses);
    if (losses == NULL) return false;
    for (size_t i = 0; i < editing->loss_count; i++) {
        const struct ossa__edit_loss *loss = &editing->losses[i];
        const char *bone = im->before->bones[loss->bone].name;
        char text[200];
        describe_loss(loss, text, sizeof text);
        losses[i] = (ossa_import_loss){.what = loss_names[loss->what],
                                       .clip = ossa__import_keep(im, loss->clip),
                                       .bone = ossa__import_keep(im, bone),
                                       .frame = loss->frame,
                                       .size = loss->size};
        char more[48] = "";
        if (loss->count > 1) {
            (void)snprintf(more, sizeof more, ", the worst of %" PRIu32 " frames", loss->count);
        }
        if (im->call->options->drop) {
            ossa__issue_nowhere(im->context, OSSA_SEVERITY_WARNING, OSSA_CODE_LOST, "",
                                "in the clip '%s', '%s' is %s (frame %" PRIu32 "%s); this is lost",
                                loss->clip, bone, text, loss->frame, more);
            continue;
        }
        char others[48] = "";
        if (editing->loss_count > 1) {
            (void)snprintf(others, sizeof others, "; %zu more like this", editing->loss_count - 1);
        }
        return ossa__fail_nowhere(im->context, OSSA_CODE_LOST, "",
                                  "in the clip '%s', '%s' is %s (frame %" PRIu32 "%s)%s",
                                  loss->clip, bone, text, loss->frame, more, others);
    }
    result->losses = losses;
    result->loss_count = editing->loss_count;
    return true;
}
