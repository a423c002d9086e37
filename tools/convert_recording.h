// SPDX-License-Identifier: MIT
// `wallfly convert --to=wfr`: a recording with the bytes of the input unchanged.
#ifndef CONVERT_RECORDING_H
#define CONVERT_RECORDING_H

#include "cmd.h"

// The name of the format, which no writer makes: it contains bytes, not items.
extern const char convert_recording_format[], convert_recording_sentence[];

struct convert_recording {
    const char *input;  // null: a source that cannot be read twice
    const char *output; // null: the name of the input with the suffix .wfr
    bool progress;
};

// The arguments begin with the options of a stream. Returns an exit code, after an error message.
int convert_recording(const struct args *args, const struct convert_recording *c);

#endif
