// SPDX-License-Identifier: MIT
// Files that are read as a whole: dictionaries, programs, maps, memory images. Regular files are
// mapped. Pipes and FIFOs, also those of a shell's <(command), are read to their end once and kept,
// so that a name can be read again; a device is read like a pipe. Waiting for bytes has a timeout,
// and reading stops at a maximum length. All functions must be called from one thread.
#ifndef WF_INPUT_H
#define WF_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include "wallfly_host/wf_error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    WF_INPUT_PIPE_MAX = 256 * 1024 * 1024, // most bytes of a pipe or device
    WF_INPUT_WAIT_MS = 10000,              // longest wait for its next bytes
};

struct wf_input {
    const uint8_t *bytes; // null when there are none
    size_t len;
    void *mapped; // private
};

// Reads a file.
//   error    on an error the message, with the name
//   returns  WF_OK (also for an empty file), WF_ERR_READ, WF_ERR_NOMEM
int wf_input_open(const char *name, struct wf_input *input, struct wf_error *error);
void wf_input_close(struct wf_input *input); // also one that is not open

#ifdef __cplusplus
}
#endif
#endif
