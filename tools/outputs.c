// SPDX-License-Identifier: MIT
// See outputs.h.

#include "outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert_recording.h"

// ---- the command line

static char *list_formats(char text[512]) {
    size_t n = 0;
    for (unsigned i = 0; i < wf_format_count; ++i)
        n += (size_t)snprintf(text + n, 512 - n, "%s%s", i ? ", " : "", wf_formats[i].name);
    snprintf(text + n, 512 - n, ", %s", convert_recording_format);
    return text;
}

static int parse_formats(struct outputs *o, bool objects) {
    char all[512];
    for (char *p = o->to; p;) {
        char *name = strsep(&p, ",");
        const struct wf_format *format = wf_format_find(name);
        if (!format && strcmp(name, convert_recording_format) == 0)
            return diag_error(EXIT_USAGE, "convert: --to=%s is not made with other formats", name);
        if (!format)
            return diag_error(EXIT_USAGE, "convert: no format '%s'; there are %s", name,
                              list_formats(all));
        if (o->format_count == OUTPUTS_MAX)
            return diag_error(EXIT_USAGE, "convert: more than %d --to", OUTPUTS_MAX);
        if (strcmp(format->name, "seq") == 0 && !objects)
            return diag_error(EXIT_USAGE,
                              "convert: --to=seq needs --objects=LIST, the names to draw");
        o->formats[o->format_count++] = format;
    }
    return EXIT_GOOD;
}

// Several names are separated by commas; a single name may contain commas.
static int parse_names(struct outputs *o) {
    for (char *p = o->given; p && o->format_count > 1 && o->name_count < OUTPUTS_MAX;)
        o->names[o->name_count++] = strsep(&p, ",");
    if (o->given && o->format_count == 1) o->names[o->name_count++] = o->given;
    o->name_is_base = o->format_count > 1 && o->name_count == 1;
    if (!o->name_count || o->name_is_base || o->name_count == o->format_count) return EXIT_GOOD;
    return diag_error(EXIT_USAGE,
                      "convert: %u --to, but %u --output; give one for each, or a single one",
                      o->format_count, o->name_count);
}

int outputs_parse(struct outputs *o, const char *to, const char *names, bool objects) {
    char all[512];
    if (!to)
        return diag_error(EXIT_USAGE, "convert: --to is missing; formats are %s",
                          list_formats(all));
    o->to = strdup(to);
    o->given = names ? strdup(names) : NULL;
    if (!o->to || !o->given != !names) return out_of_memory();
    int code = parse_formats(o, objects);
    return code == EXIT_GOOD ? parse_names(o) : code;
}

// Checks that no two formats write to the same output.
static bool names_differ(const struct outputs *o) {
    bool given = o->name_count && !o->name_is_base;
    for (unsigned i = 0; i < o->format_count; ++i) {
        for (unsigned k = 0; k < i; ++k) {
            const char *x = given ? o->names[i] : o->formats[i]->suffix;
            const char *y = given ? o->names[k] : o->formats[k]->suffix;
            if (strcmp(x, y) != 0) continue;
            diag_error(EXIT_USAGE, "convert: %s and %s would both be %s%s; --output=NAME for each",
                       o->formats[k]->name, o->formats[i]->name, given ? "" : "NAME", x);
            return false;
        }
    }
    return true;
}

static bool same_reading(const struct wf_format *x, const struct wf_format *y) {
    return x->dialect == y->dialect && x->info8 == y->info8 && x->all_names == y->all_names;
}

// A source that cannot be read again must need only one reading.
static bool one_reading(const struct outputs *o) {
    for (unsigned i = 1; i < o->format_count; ++i) {
        if (same_reading(o->formats[i], o->formats[0])) continue;
        diag_error(
            EXIT_USAGE,
            "convert: %s reads the trace in another way than %s; a source that cannot be read "
            "twice takes one of them",
            o->formats[i]->name, o->formats[0]->name);
        return false;
    }
    return true;
}

int outputs_name(struct outputs *o, const char *input) {
    const struct wf_format *f = o->formats[0];
    if (!names_differ(o) || (!input && !one_reading(o))) return EXIT_USAGE;
    bool text = (f->output == WF_OUTPUT_STREAM || f->output == WF_OUTPUT_JOINED) && !f->binary;
    if (input && (o->format_count > 1 || !text)) o->base = output_name(input, "");
    if (o->format_count == 1 || o->base || o->name_count) return EXIT_GOOD;
    return diag_error(EXIT_USAGE, "convert: several --to of this source need --output=NAME");
}

// ---- a reading

bool outputs_made_before(const struct outputs *o, unsigned format) {
    for (unsigned i = 0; i < format; ++i) {
        if (same_reading(o->formats[i], o->formats[format])) return true;
    }
    return false;
}

int outputs_open(struct outputs *o, unsigned format, const struct wf_writer_options *options,
                 struct wf_files *files) {
    o->count = 0;
    for (unsigned i = format; i < o->format_count; ++i) {
        if (!same_reading(o->formats[i], o->formats[format])) continue;
        struct output *output = &o->output[o->count];
        struct stream_out *out = &o->outs[o->count++];
        const char *name = o->name_is_base ? o->names[0] : o->names[i];
        *out = (struct stream_out){.format = o->formats[i], .options = *options, .ctx = output};
        int code = output_open(output, out->format, name, o->name_is_base, o->base, files);
        if (code != EXIT_GOOD) return code;
        out->options.terminal = output_is_terminal(output);
        out->options.csv_raw &= !out->options.terminal;
        output_use(&out->options, &out->write);
    }
    return EXIT_GOOD;
}

int outputs_close(struct outputs *o, bool whole, int code) {
    bool cut = false;
    for (unsigned i = 0; i < o->count; ++i) {
        int err = o->outs[i].err == WF_ERR_CUT ? WF_OK : o->outs[i].err;
        cut |= o->outs[i].err == WF_ERR_CUT;
        int one = output_close(&o->output[i], whole && err == WF_OK);
        if (one == EXIT_GOOD && err != WF_OK) one = diag_error(EXIT_INPUT, "%s", wf_err_text(err));
        bool first = code == EXIT_GOOD || code == EXIT_LOSS || one == EXIT_USAGE;
        if (one != EXIT_GOOD && first) code = one;
    }
    if (cut)
        diag_note("a diagram was cut, as noted at its end: --from, --until, --only and --objects "
                  "choose a part, --most=N draws more");
    return code;
}

void outputs_free(struct outputs *o) {
    free(o->base);
    free(o->to);
    free(o->given);
}
