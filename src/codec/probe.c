/* SPDX-License-Identifier: MIT
 *
 * Which formats there are, and which of them a file is. */
#include "codec/probe.h"

#include "base/text.h"
#include "codec/foreign.h"

#include <stdio.h>
#include <string.h>

size_t ossa_format_count(void)
{
    size_t count = 0;
    while (ossa__formats[count] != NULL) count++;
    return count;
}

const ossa_format *ossa_format_at(size_t index)
{
    return index < ossa_format_count() ? &ossa__formats[index]->about : NULL;
}

const ossa_format *ossa_format_find(const char *id)
{
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        if (strcmp(ossa__formats[i]->about.id, id) == 0) return &ossa__formats[i]->about;
    }
    return NULL;
}

bool ossa_format_can(const ossa_format *format, ossa_ability ability)
{
    const struct ossa__format *module = (const struct ossa__format *)format;
    switch (ability) {
    case OSSA_ABILITY_READ: return module->read != NULL;
    case OSSA_ABILITY_WRITE: return module->write != NULL;
    case OSSA_ABILITY_DUMP: return module->dump != NULL;
    case OSSA_ABILITY_BUILD: return module->build != NULL;
    case OSSA_ABILITY_ASSEMBLE: return module->role != OSSA__ROLE_NONE;
    case OSSA_ABILITY_LIST: return module->list != NULL || module->leads_to != NULL;
    case OSSA_ABILITY_PACK: return module->pack != NULL;
    case OSSA_ABILITY_REPAINT: return module->repaint != NULL;
    }
    return false;
}

const char *ossa_kind_name(ossa_kind kind)
{
    switch (kind) {
    case OSSA_KIND_ANIMATION: return "animation";
    case OSSA_KIND_SKELETON: return "skeleton";
    case OSSA_KIND_MODEL: return "model";
    case OSSA_KIND_TEXTURE: return "texture";
    case OSSA_KIND_CAMERA: return "camera";
    case OSSA_KIND_TABLE: return "table";
    case OSSA_KIND_ARCHIVE: return "archive";
    }
    return "unknown";
}

const char *ossa_confidence_name(ossa_confidence confidence)
{
    switch (confidence) {
    case OSSA_CONFIDENCE_NONE: return "forced";
    case OSSA_CONFIDENCE_NAMED: return "extension";
    case OSSA_CONFIDENCE_DAMAGED: return "damaged";
    case OSSA_CONFIDENCE_EMPTY: return "empty";
    case OSSA_CONFIDENCE_ARITHMETIC: return "arithmetic";
    case OSSA_CONFIDENCE_PLAUSIBLE: return "plausible";
    case OSSA_CONFIDENCE_SIGNATURE: return "signature";
    }
    return "unknown";
}

const char *ossa_format_open(const ossa_format *format)
{
    if (format == NULL) return "";
    const char *open = ((const struct ossa__format *)format)->game->open;
    return open != NULL ? open : "";
}

bool ossa_format_fits_name(const ossa_format *format, const char *name)
{
    if (name == NULL) return false;
    const char *dot = strrchr(name, '.');
    if (dot == NULL || strpbrk(dot, "/\\") != NULL) return false; /* a folder's dot is none */
    const char *wanted = dot + 1;
    for (const char *word = format->extensions; *word != '\0';) {
        size_t size = strcspn(word, " ");
        if (ossa__same_word(word, size, wanted, strlen(wanted))) return true;
        word += size;
        while (*word == ' ') word++;
    }
    return false;
}

/* Does a file's name say that it is of a format? Tools that unpack archives make folders of them
 * and leave the files in them without an extension (troll.bon/hp): then that of the folder counts.
 */
static bool is_called(const ossa_format *format, const char *name)
{
    if (name == NULL || ossa_format_fits_name(format, name)) return name != NULL;
    char folder[256];
    size_t end = strlen(name);
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        if (ossa_format_fits_name(&ossa__formats[i]->about, name)) return false;
    }
    while (end > 0 && name[end - 1] != '/' && name[end - 1] != '\\') end--;
    if (end < 2) return false;
    size_t start = end - 1;
    while (start > 0 && name[start - 1] != '/' && name[start - 1] != '\\') start--;
    size_t size = end - 1 - start;
    if (size >= sizeof folder) return false;
    memcpy(folder, name + start, size);
    folder[size] = '\0';
    return ossa_format_fits_name(format, folder);
}

/* Does a format find its own in files that begin with anything? */
static bool does_search(const ossa_format *format)
{
    return ((const struct ossa__format *)format)->searches;
}

/* Better first; of equals the one with the file's extension. The numbers of a file that is what it
 * is called may look even more like another, so between two that fit, the name goes before. What is
 * found in a file of another format is that format's. */
static bool guess_before(const ossa_guess *a, const ossa_guess *b, const char *name)
{
    bool a_fits = is_called(a->format, name);
    bool b_fits = is_called(b->format, name);
    bool both_are_numbers =
        a->confidence >= OSSA_CONFIDENCE_ARITHMETIC && a->confidence <= OSSA_CONFIDENCE_PLAUSIBLE &&
        b->confidence >= OSSA_CONFIDENCE_ARITHMETIC && b->confidence <= OSSA_CONFIDENCE_PLAUSIBLE;
    if (both_are_numbers && a_fits != b_fits) return a_fits;
    if (a->confidence != b->confidence) return a->confidence > b->confidence;
    if (does_search(a->format) != does_search(b->format)) return does_search(b->format);
    return a_fits && !b_fits;
}

size_t ossa_probe(const void *data, size_t size, const ossa_options *options, ossa_guess *guesses,
                  size_t capacity)
{
    const char *name = options == NULL ? NULL : options->name;
    size_t found = 0;
    if (data == NULL) return 0; /* no format has to think of that */
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        const struct ossa__format *module = ossa__formats[i];
        ossa_guess guess = {&module->about, module->probe(data, size)};
        if (guess.confidence == OSSA_CONFIDENCE_NONE) continue;
        /* Insert; the worst falls off when there is no room. */
        size_t kept = found < capacity ? found : capacity;
        size_t place = kept;
        while (place > 0 && guess_before(&guess, &guesses[place - 1], name)) place--;
        for (size_t k = kept < capacity ? kept : capacity - 1; capacity > 0 && k > place; k--) {
            guesses[k] = guesses[k - 1];
        }
        if (place < capacity) guesses[place] = guess;
        found++;
    }
    return found;
}

/* What a format's own reader says of the bytes. */
static void try_format(const struct ossa__context *context, const struct ossa__format *module,
                       const uint8_t *data, uint64_t size, ossa_error *error)
{
    ossa_options options = context->options;
    options.on_issue = NULL;
    options.on_group = NULL;
    options.on_field = NULL;
    struct ossa__context trial;
    ossa__context_init(&trial, &options, size);
    trial.format = module->about.id;
    (void)module->read(&trial, data, size);
    *error = trial.error;
    ossa__arena_free(&trial.scratch);
    ossa__arena_free(&trial.arena);
}

static void fail_unknown(struct ossa__context *context, const struct ossa__foreign *foreign,
                         const char *reasons)
{
    if (foreign != NULL) ossa__fail_nowhere(context, foreign->code, "", "%s", foreign->what);
    ossa__fail_nowhere(context, OSSA_CODE_UNKNOWN_FORMAT, "", "not a file of a known format%s",
                       reasons);
}

/* No probe knows the bytes. A damaged file still has its extension: when that leaves one format
 * it may be (a wrong signature rules one out), that format is to say what is wrong. Otherwise all
 * that have the extension say why they are not it. */
static const struct ossa__format *choose_by_name(struct ossa__context *context, const uint8_t *data,
                                                 uint64_t size)
{
    const struct ossa__foreign *foreign = ossa__find_foreign_bytes(data, size);
    const struct ossa__format *candidate = NULL;
    size_t candidates = 0;
    char reasons[OSSA_MESSAGE_CAPACITY - 96] = "";
    size_t used = 0;
    for (size_t i = 0; foreign == NULL && ossa__formats[i] != NULL; i++) {
        const struct ossa__format *module = ossa__formats[i];
        if (!ossa_format_fits_name(&module->about, context->options.name)) continue;
        if (module->searches) continue; /* a name is no reason to search */
        ossa_error error;
        try_format(context, module, data, size, &error);
        if (error.code == OSSA_CODE_OUT_OF_MEMORY || error.code == OSSA_CODE_LIMIT) {
            ossa__fail_nowhere(context, error.code, "", "%s", error.message);
            return NULL;
        }
        /* What ends like files of anything else is known by its bytes or not at all. */
        if (error.code != OSSA_CODE_BAD_MAGIC && !module->has_common_extension) {
            candidate = module;
            candidates++;
        }
        if (error.code == OSSA_CODE_OK) continue;
        char text[OSSA_MESSAGE_CAPACITY];
        (void)ossa_error_text(&error, text, sizeof text);
        int n = snprintf(reasons + used, sizeof reasons - used, "; not %s", text);
        if (n > 0) used += (size_t)n;
        if (used >= sizeof reasons) used = sizeof reasons - 1;
    }
    if (candidates == 1) return candidate;
    fail_unknown(context, foreign, reasons);
    return NULL;
}

/* The format that reads a file in parts which begins with these OSSA__START bytes; NULL: none. */
static const struct ossa__format *find_for_parts(const uint8_t *start, uint64_t size,
                                                 const char *forced)
{
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        const struct ossa__format *module = ossa__formats[i];
        bool is_asked = forced == NULL || strcmp(forced, module->about.id) == 0;
        if (module->probe_start == NULL || !is_asked) continue;
        /* Nothing goes before a signature with its structure; anything less, all must say. */
        if (module->probe_start(start, size) == OSSA_CONFIDENCE_SIGNATURE) return module;
    }
    return NULL;
}

/* May a file be of a format that begins with these OSSA__HEAD bytes and has more? */
static bool may_begin(const uint8_t *start, uint64_t size)
{
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        const struct ossa__format *module = ossa__formats[i];
        if (module->may_begin == NULL || module->may_begin(start, size)) return true;
    }
    return false;
}

/* Is a file to be read as what its name or the options say, whatever it begins with? */
static bool is_called_something(const ossa_options *options)
{
    if (options->format != NULL) return true;
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        const struct ossa__format *module = ossa__formats[i];
        /* One that is found by searching is known by what it begins with. */
        if (module->searches) continue;
        if (ossa_format_fits_name(&module->about, options->name)) return true;
    }
    return false;
}

bool ossa__is_foreign(struct ossa__context *context, const ossa_source *source)
{
    if (source->size <= OSSA__HEAD || is_called_something(&context->options)) return false;
    struct ossa__mark mark = ossa__scratch_mark(context);
    uint8_t *head = ossa__take_scratch(context, OSSA__HEAD, 1);
    /* Of what is read in parts, no more than that is read. */
    bool is_known = head == NULL || !source->read_at(source->user, 0, head, OSSA__START) ||
                    find_for_parts(head, source->size, NULL) != NULL ||
                    !source->read_at(source->user, 0, head, OSSA__HEAD) ||
                    may_begin(head, source->size);
    ossa__scratch_release(context, mark);
    if (!is_known) fail_unknown(context, ossa__find_foreign(source), "");
    return !is_known;
}

static void fail_ambiguous(struct ossa__context *context, const ossa_guess *guesses, size_t count)
{
    char list[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < count && guesses[i].confidence == guesses[0].confidence; i++) {
        int n = snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "",
                         guesses[i].format->id);
        if (n > 0) used += (size_t)n;
        if (used >= sizeof list) break;
    }
    ossa__fail_nowhere(context, OSSA_CODE_AMBIGUOUS_FORMAT, "", "could be any of %s", list);
}

const struct ossa__format *ossa__choose_for_parts(struct ossa__context *context,
                                                  const uint8_t *data, uint64_t size,
                                                  ossa_confidence *confidence)
{
    const char *forced = context->options.format;
    if (size < OSSA__START || !ossa__need(context, 0, OSSA__START)) return NULL;
    *confidence = forced == NULL ? OSSA_CONFIDENCE_SIGNATURE : OSSA_CONFIDENCE_NONE;
    return find_for_parts(data, size, forced);
}

/* Does the file begin like an archive that is read in parts? */
static bool begins_otherwise(const ossa_source *source)
{
    uint8_t start[OSSA__START];
    return ossa__source_get(source, 0, start, sizeof start) &&
           find_for_parts(start, source->size, NULL) != NULL;
}

/* Is it the name of a file that a format searches, whatever it begins with? */
static bool is_searched(const struct ossa__format *format, const char *name)
{
    char other[64];
    if (!format->searches || name == NULL) return false;
    for (const char *c = name; *c != '\0'; c++) {
        if (*c == '/' || *c == '\\' || *c == '#') name = c + 1;
    }
    return format->continues(name, 1, other, sizeof other) ||
           format->continued_from(name, other, sizeof other);
}

static const struct ossa__format *find_searched(const char *name)
{
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        if (is_searched(ossa__formats[i], name)) return ossa__formats[i];
    }
    return NULL;
}

const struct ossa__format *ossa__choose_for_source(const ossa_options *options,
                                                   const ossa_source *source,
                                                   ossa_confidence *confidence)
{
    const char *forced = options->format;
    if (source->size == 0) return NULL;
    for (size_t i = 0; ossa__formats[i] != NULL; i++) {
        const struct ossa__format *module = ossa__formats[i];
        if (module->read_from == NULL) continue;
        *confidence = OSSA_CONFIDENCE_NONE;
        if (forced != NULL && strcmp(forced, module->about.id) == 0) return module;
        if (forced != NULL) continue;
        if (module->searches && begins_otherwise(source)) continue;
        *confidence = module->probe_from(source);
        if (*confidence == OSSA_CONFIDENCE_SIGNATURE) return module;
    }
    *confidence = OSSA_CONFIDENCE_NAMED;
    return forced == NULL && !begins_otherwise(source) ? find_searched(options->name) : NULL;
}

ossa_guess ossa__guess(const void *data, size_t size, const char *name)
{
    ossa_guess guesses[2];
    const ossa_options options = {.name = name};
    size_t found = ossa_probe(data, size, &options, guesses, 2);
    bool is_clear = found == 1 || (found > 1 && guess_before(&guesses[0], &guesses[1], name));
    return is_clear ? guesses[0] : (ossa_guess){0};
}

const struct ossa__format *ossa__choose_format(struct ossa__context *context, const uint8_t *data,
                                               uint64_t size, ossa_confidence *confidence)
{
    *confidence = OSSA_CONFIDENCE_NONE;
    const char *forced = context->options.format;
    if (forced != NULL) {
        const ossa_format *format = ossa_format_find(forced);
        if (format == NULL) {
            ossa__fail_nowhere(context, OSSA_CODE_BAD_ARGUMENT, "", "there is no format '%s'",
                               forced);
        }
        return (const struct ossa__format *)format;
    }
    ossa_guess guesses[16];
    size_t capacity = sizeof guesses / sizeof guesses[0];
    size_t found = ossa_probe(data, (size_t)size, &context->options, guesses, capacity);
    if (found == 0) {
        const struct ossa__format *searched = find_searched(context->options.name);
        *confidence = OSSA_CONFIDENCE_NAMED;
        return searched != NULL ? searched : choose_by_name(context, data, size);
    }
    if (found > capacity) found = capacity;
    if (found > 1 && !guess_before(&guesses[0], &guesses[1], context->options.name)) {
        fail_ambiguous(context, guesses, found);
        return NULL;
    }
    *confidence = guesses[0].confidence;
    return (const struct ossa__format *)guesses[0].format;
}
