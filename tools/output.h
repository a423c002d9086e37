// SPDX-License-Identifier: MIT
// Where a format goes: a file, parts that become a file or a folder, a database (wf_outfile.h).
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdio.h>

#include "cmd.h"
#include "wallfly_backend/wf_database.h"
#include "wallfly_host/wf_writer.h"

enum { OUTPUT_PARTS = 96 }; // more are refused

struct output {
    const struct wf_format *format;
    char *name; // of the file or folder; null: standard output
    FILE *file;
    FILE *parts[OUTPUT_PARTS]; // of a folder its files; else without a name, until they are joined
    unsigned part_count;
    struct wf_database *database; // null: none, or it could not be opened
    struct wf_outfile *output;    // the file or folder; null: standard output, a database, none
    struct wf_files *files;       // of the command
    bool opened;                  // it was tried
    bool failed;                  // said already
    int code;                     // of the opening
};

// The name of what is read, without its suffix, with another; the caller frees it. Null: out of
// memory.
char *output_name(const char *input, const char *suffix);
// Says where it goes; it is opened with the first that is written, so that what is there stays if
// nothing comes. name: "-" for standard output, null for `base` and the format's suffix (base null:
// standard output), in_base: the name is a base too. files: those of the command. Returns an exit
// code after complaining.
int output_open(struct output *o, const struct wf_format *format, const char *name, bool in_base,
                const char *base, struct wf_files *files);
bool output_is_terminal(const struct output *o);
// For the writer: sets what it writes with. ctx is the output.
void output_use(struct wf_writer_options *options, wf_write_fn *write);
// Ends it. whole: the trace was read to its end; else what was there before stays. Returns an exit
// code after complaining.
int output_close(struct output *o, bool whole);

#endif
