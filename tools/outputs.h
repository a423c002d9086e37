// SPDX-License-Identifier: MIT
// The outputs of a conversion: formats, names, and the outputs made in one reading.
#ifndef OUTPUTS_H
#define OUTPUTS_H

#include "output.h"
#include "stream.h"

enum { OUTPUTS_MAX = 24 };

struct outputs {
    const struct wf_format *formats[OUTPUTS_MAX];
    const char *names[OUTPUTS_MAX]; // null: made from the base
    unsigned format_count, name_count;
    bool name_is_base;
    char *base;       // for names that are not given; null: none
    char *to, *given; // the lists that formats and names point to
    unsigned count;   // of the current reading
    struct output output[OUTPUTS_MAX];
    struct stream_out outs[OUTPUTS_MAX];
};

// Parses --to and --output (null: not given). objects: --objects is given. Returns an exit code,
// after an error message.
int outputs_parse(struct outputs *o, const char *to, const char *names, bool objects);
// Checks that all outputs have names, and different ones. input: name of the file; null: a source
// that cannot be read twice. Returns an exit code, after an error message.
int outputs_name(struct outputs *o, const char *input);
// Returns whether an earlier format is made in the same reading as this one.
bool outputs_made_before(const struct outputs *o, unsigned format);
// Opens the outputs of the formats that need the same reading as this one. options: of all writers.
// Returns an exit code, after an error message.
int outputs_open(struct outputs *o, unsigned format, const struct wf_writer_options *options,
                 struct wf_files *files);
// Closes the outputs of a reading. An output whose writer has failed is not kept, the others are.
// whole: the reading has come to its end; else all old files stay. Returns code or, after an error
// message, another exit code.
int outputs_close(struct outputs *o, bool whole, int code);
void outputs_free(struct outputs *o);

#endif
