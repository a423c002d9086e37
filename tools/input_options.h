// SPDX-License-Identifier: MIT
// The options --input and --describe: how the bytes of another tracer are read.
#ifndef INPUT_OPTIONS_H
#define INPUT_OPTIONS_H

#include "cmd.h"
#include "wallfly_host/wf_trace.h"

enum { INPUT_FORMAT, INPUT_DESCRIBE, INPUT_OPTIONS };
#define INPUT_ROWS                                                                                 \
    {"input", 0, "FORMAT",                                                                         \
     "the format of the input, in place of the one that its first bytes show: qpspy, slots, text " \
     "or another tracer's (docs/import/README.md)"},                                               \
    {                                                                                              \
        "describe", 0, "FILE",                                                                     \
            "another tracer's trace: a file that describes its events; several --describe are "    \
            "read in their order"                                                                  \
    }

struct input_options {
    enum wf_lane_format format; // UNKNOWN: by the first bytes
    char *describe;             // contents of the files; null: none
    size_t describe_len;
    struct wf_recording_format recorded; // of input_recorded
};

// A row of commands that read a link.
#define START_ROW                                                                                  \
    {                                                                                              \
        "start", 0, NULL,                                                                          \
            "send each target that connects SystemView's command to begin (--input=systemview)"    \
    }
// The command that --start sends; null if it is not given (text: the option's value).
const char *start_command(const char *text);

// first: index of the first of INPUT_ROWS. Reads the files. Returns an exit code, after an error
// message; free it with input_close.
int input_parse(const struct args *args, unsigned first, struct input_options *o);
// A source that is a folder has its format and may have its description, unless the options give
// them. Returns an exit code, after an error message.
int input_look(struct input_options *o, const char *source);
// --start needs the format that its command is of, and sets it. Returns false after an error
// message.
bool input_start(struct input_options *o, const char *start);
// The options as a recording contains them; null: none was given.
const struct wf_recording_format *input_recorded(struct input_options *o);
void input_close(struct input_options *o);

#endif
