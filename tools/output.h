// SPDX-License-Identifier: MIT
// The output of a format: a file, parts that become a file or a folder, a database (wf_outfile.h).
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdio.h>

#include "cmd.h"
#include "wallfly_backend/wf_database.h"
#include "wallfly_host/wf_writer.h"

enum { OUTPUT_PARTS = 96 }; // further parts are refused

struct output {
    const struct wf_format *format;
    char *name; // of the file or folder; null: standard output
    FILE *file;
    FILE *parts[OUTPUT_PARTS]; // of a folder its files; else unnamed files to be joined
    unsigned part_count;
    struct wf_database *database; // null: none, or it could not be opened
    struct wf_outfile *output;    // the file or folder; null: standard output, a database, none
    struct wf_files *files;       // files of the command
    bool opened;                  // opening was tried
    bool failed;                  // and reported
    int code;                     // result of opening
};

// Replaces the suffix of an input name. The caller frees the result; null when out of memory.
char *output_name(const char *input, const char *suffix);
// Sets the output's name. It is opened at the first write, so that an old file stays if there is no
// output. name: "-" for standard output, null for `base` and the format's suffix (base null:
// standard output); in_base: name is a base too. files: those of the command. Returns an exit code,
// after an error message.
int output_open(struct output *o, const struct wf_format *format, const char *name, bool in_base,
                const char *base, struct wf_files *files);
bool output_is_terminal(const struct output *o);
// Sets the write functions in a writer's options. ctx is the output.
void output_use(struct wf_writer_options *options, wf_write_fn *write);
// Closes the output. whole: the trace was read to its end; else the old file stays. Returns an exit
// code, after an error message.
int output_close(struct output *o, bool whole);

#endif
