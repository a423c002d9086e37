// SPDX-License-Identifier: MIT
// Black box: extracts the stream from an image of a target's memory: a raw copy of any part that
// contains the recorder and its ring, or an ELF core (docs/black-box.md). Reads nothing outside of
// the image, whatever its contents. No state; any thread.
#ifndef WF_BOX_H
#define WF_BOX_H

#include <stddef.h>
#include <stdint.h>

#include "wf_err.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wf_box {
    uint8_t *stream;  // input for a session: frames, the oldest first; freed by wf_box_free
    size_t len;       // 0: the ring was empty and nothing had been sent
    uint64_t offset;  // of the block in the image, of the best candidate when none is valid
    uint64_t address; // of the block in the target, from the block itself
    uint64_t before;  // number of the record before the stream
    uint32_t hz, build_id;
    uint8_t sizes[5];  // as in SYNC
    char problem[256]; // the fault and the remedy
};

// Finds the block and reads it.
//   program   ELF file of the program, may be null: selects the block if there are several, gives
//             its place if its magic is not found; it must fit the image
//   box       always set
//   returns   WF_OK, WF_ERR_NOMEM, WF_ERR_BAD_BOX (see problem)
int wf_box_read(const uint8_t *image, size_t len, const uint8_t *program, size_t program_len,
                struct wf_box *box);
void wf_box_free(struct wf_box *box);

#ifdef __cplusplus
}
#endif
#endif
